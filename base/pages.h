/// @file
/// Pages from the system, as memory.c maps them. WebAssembly has one flat memory without pages:
/// there the heap serves everything (RP_HAS_PAGES is 0), and these calls, which are never reached,
/// do nothing.
#ifndef REPLAN_BASE_PAGES_H
#define REPLAN_BASE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum rp_page_advice {
    RP_PAGES_HUGE,
    RP_PAGES_SMALL, ///< some systems give huge pages to whoever does not refuse them
    RP_PAGES_WRITE, ///< make them resident
} rp_page_advice_t;

#ifdef __wasm__
#define RP_HAS_PAGES 0

static inline void *rp_pages_map(size_t bytes)
{
    (void)bytes;
    return NULL;
}

static inline void rp_pages_unmap(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

static inline bool rp_pages_advise(void *memory, size_t bytes, rp_page_advice_t advice)
{
    (void)memory;
    (void)bytes;
    (void)advice;
    return false;
}

static inline bool rp_pages_may_be_huge(void)
{
    return false;
}
#else
#include <sys/mman.h>
#include <sys/prctl.h>
#define RP_HAS_PAGES 1

/// Zeroed pages, resident where they are touched. @return NULL without memory
static inline void *rp_pages_map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

static inline void rp_pages_unmap(void *memory, size_t bytes)
{
    (void)munmap(memory, bytes);
}

/// @return false when the system does not know this advice, or does not take it
static inline bool rp_pages_advise(void *memory, size_t bytes, rp_page_advice_t advice)
{
    switch (advice) {
    case RP_PAGES_HUGE:
        return madvise(memory, bytes, MADV_HUGEPAGE) == 0;
    case RP_PAGES_SMALL:
        return madvise(memory, bytes, MADV_NOHUGEPAGE) == 0;
    case RP_PAGES_WRITE:
#ifdef MADV_POPULATE_WRITE // Linux 5.14
        return madvise(memory, bytes, MADV_POPULATE_WRITE) == 0;
#else
        return false;
#endif
    }
    return false;
}

/// False when this process has said that it wants no huge pages.
static inline bool rp_pages_may_be_huge(void)
{
#ifdef PR_GET_THP_DISABLE
    return prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 0;
#else
    return true;
#endif
}
#endif

#endif
