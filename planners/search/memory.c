/// Large arrays come straight from the system, in huge pages where it has them: a search touches
/// memory at random, and a quarter of its time would go into the page table otherwise.
#include "planners/search/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FROM_HEAP 1 // the sanitizers watch the ends of what malloc gives
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FROM_HEAP 1
#endif
#endif
#ifndef FROM_HEAP
#define FROM_HEAP 0
#endif

/// From this size on memory is mapped; below, the heap serves. What the heap gives again it has to
/// clear, all of it at once, where a mapping costs a few microseconds and is cleared as it is met.
#define MAPPED_FROM ((size_t)3 << 15)

#define HUGE_PAGE ((size_t)2 << 20)

/// From this size on in huge pages: a word for each of a million cells is just above. Smaller
/// arrays fit the page table's cache as they are, and one cell touched must not cost two megabytes
/// where thousands of agents have a planner each.
#define HUGE_FROM ((size_t)7 << 19)

/// The same where all of it is touched: most of a huge page, which costs as much as fifty small
/// ones.
#define DENSE_FROM ((size_t)13 << 17)

static int is_mapped(size_t bytes)
{
    return !FROM_HEAP && bytes >= MAPPED_FROM;
}

/// What is mapped for so many bytes: whole huge pages, when these are at most a quarter more. Else
/// the last ones, and on some systems those before the first boundary, would be small.
static size_t mapped_bytes(size_t bytes)
{
    const size_t whole = (bytes + HUGE_PAGE - 1u) & ~(HUGE_PAGE - 1u);
    return whole - bytes <= bytes / 4u ? whole : bytes;
}

static void *new_memory(size_t count, size_t size, size_t huge_from)
{
    if (count != 0 && size > PTRDIFF_MAX / count) { // pointers into one array differ by no more
        return NULL;
    }
    const size_t bytes = count * size;
    if (!is_mapped(bytes)) {
        return calloc(bytes == 0 ? 1 : bytes, 1);
    }
    const size_t mapped = mapped_bytes(bytes);
    void *memory = mmap(NULL, mapped, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    if (bytes >= huge_from) {
        (void)madvise(memory, mapped, MADV_HUGEPAGE);
    }
    return memory;
}

void *rp_memory_new(size_t count, size_t size)
{
    return new_memory(count, size, HUGE_FROM);
}

void *rp_memory_new_dense(size_t count, size_t size)
{
    return new_memory(count, size, DENSE_FROM);
}

void *rp_memory_new_sparse(size_t count, size_t size)
{
    return new_memory(count, size, SIZE_MAX);
}

void rp_memory_make_sparse(void *memory, size_t count, size_t size)
{
    if (is_mapped(count * size)) {
        (void)madvise(memory, mapped_bytes(count * size), MADV_NOHUGEPAGE);
    }
}

void rp_memory_meet(void *memory, size_t count, size_t size, size_t begin, size_t end)
{
    if (count * size < HUGE_FROM || FROM_HEAP) {
        return;
    }
    volatile uint8_t *bytes = memory;
    for (size_t place = begin * size; place < end * size; place += RP_MEMORY_PAGE) {
        bytes[place] = bytes[place];
    }
}

void rp_memory_make_resident(void *memory, size_t count, size_t size)
{
#ifdef MADV_POPULATE_WRITE // Linux 5.14; without it pages come one by one, as always
    if (is_mapped(count * size) && count * size < HUGE_FROM) {
        (void)madvise(memory, mapped_bytes(count * size), MADV_POPULATE_WRITE);
    }
#else
    (void)memory;
    (void)count;
    (void)size;
#endif
}

void rp_memory_free(void *memory, size_t count, size_t size, rp_rubble_t *rubble)
{
    if (memory == NULL) {
        return;
    }
    const size_t mapped = mapped_bytes(count * size);
    if (!is_mapped(count * size)) {
        free(memory);
    } else if (!rp_rubble_add(rubble, memory, mapped)) {
        (void)munmap(memory, mapped);
    }
}
