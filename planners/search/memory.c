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

/// From this size on memory is mapped; below, the heap serves.
#define MAPPED_FROM ((size_t)1 << 20)

/// From this size on in huge pages: a word for each of a million cells is just above. Smaller
/// arrays fit the page table's cache as they are, and one cell touched must not cost two megabytes
/// where thousands of agents have a planner each.
#define HUGE_FROM ((size_t)7 << 19)

static int is_mapped(size_t bytes)
{
    return !FROM_HEAP && bytes >= MAPPED_FROM;
}

static void *new_memory(size_t count, size_t size, size_t huge_from)
{
    if (count != 0 && size > SIZE_MAX / count) {
        return NULL;
    }
    const size_t bytes = count * size;
    if (!is_mapped(bytes)) {
        return calloc(bytes == 0 ? 1 : bytes, 1);
    }
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    if (bytes >= huge_from) {
        (void)madvise(memory, bytes, MADV_HUGEPAGE);
    }
    return memory;
}

void *rp_memory_new(size_t count, size_t size)
{
    return new_memory(count, size, HUGE_FROM);
}

void *rp_memory_new_sparse(size_t count, size_t size)
{
    return new_memory(count, size, SIZE_MAX);
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

void rp_memory_free(void *memory, size_t count, size_t size)
{
    if (memory == NULL) {
        return;
    }
    if (is_mapped(count * size)) {
        (void)munmap(memory, count * size);
    } else {
        free(memory);
    }
}
