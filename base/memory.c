/// Large arrays come straight from the system, in huge pages where it has them: a search touches
/// memory at random, and a quarter of its time would go into the page table otherwise.
#include "base/memory.h"

#include <stdlib.h>

#include "base/pages.h"

#if !RP_HAS_PAGES
#define FROM_HEAP 1
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
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

static int is_mapped(size_t bytes)
{
    return !FROM_HEAP && bytes >= MAPPED_FROM;
}

/// What is mapped for so many bytes: for an array that may lie in huge pages, whole ones.
static size_t mapped_bytes(size_t bytes)
{
    return bytes < RP_MEMORY_DENSE ? bytes : (bytes + HUGE_PAGE - 1u) & ~(HUGE_PAGE - 1u);
}

/// What of that lies in huge pages: the last is one when it is at most a quarter more.
static size_t huge_bytes(size_t bytes)
{
    const size_t whole = mapped_bytes(bytes);
    return whole - bytes <= bytes / 4u ? whole : whole - HUGE_PAGE;
}

static void *map_small(size_t bytes)
{
    void *memory = rp_pages_map(bytes);
    if (memory != NULL && bytes >= HUGE_PAGE) {
        (void)rp_pages_advise(memory, bytes, RP_PAGES_SMALL);
    }
    return memory;
}

/// Map whole huge pages, beginning where one may begin: some systems do so by themselves. An array
/// that begins elsewhere has small pages at both ends, and it would be chance how many.
static void *map_huge(size_t bytes)
{
    uint8_t *memory = rp_pages_map(bytes);
    const size_t beyond = (uintptr_t)memory % HUGE_PAGE;
    if (memory == NULL || beyond == 0) {
        return memory;
    }
    rp_pages_unmap(memory, bytes);
    memory = rp_pages_map(bytes + HUGE_PAGE);
    if (memory == NULL) {
        return NULL;
    }
    const size_t before = HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE;
    rp_pages_unmap(memory, before);
    if (before != HUGE_PAGE) {
        rp_pages_unmap(memory + before + bytes, HUGE_PAGE - before);
    }
    return memory + before;
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
    if (bytes < huge_from) {
        return map_small(mapped_bytes(bytes));
    }
    void *memory = map_huge(mapped_bytes(bytes));
    if (memory != NULL) {
        (void)rp_pages_advise(memory, huge_bytes(bytes), RP_PAGES_HUGE);
    }
    return memory;
}

void *rp_memory_new(size_t count, size_t size)
{
    return new_memory(count, size, HUGE_FROM);
}

void *rp_memory_new_dense(size_t count, size_t size)
{
    return new_memory(count, size, RP_MEMORY_DENSE);
}

void *rp_memory_new_sparse(size_t count, size_t size)
{
    return new_memory(count, size, SIZE_MAX);
}

void rp_memory_make_sparse(void *memory, size_t count, size_t size)
{
    if (is_mapped(count * size)) {
        (void)rp_pages_advise(memory, mapped_bytes(count * size), RP_PAGES_SMALL);
    }
}

/// Write to each page of a mapping from `first` to before `last`, for systems that cannot be asked.
static void write_each(uint8_t *first, const uint8_t *last)
{
    for (volatile uint8_t *byte = first; byte < last; byte += RP_MEMORY_PAGE) {
        *byte = *byte;
    }
}

void rp_memory_prefault(void *memory, size_t count, size_t size, size_t begin, size_t end)
{
    if (memory == NULL || !is_mapped(count * size) || begin >= end) {
        return;
    }
    uint8_t *bytes = memory;
    uint8_t *first = bytes + begin * size;
    first -= (uintptr_t)first % RP_MEMORY_PAGE;
    const uint8_t *last = bytes + end * size;
    const size_t whole = ((size_t)(last - first) + RP_MEMORY_PAGE - 1u) & ~(RP_MEMORY_PAGE - 1u);
    if (!rp_pages_advise(first, whole, RP_PAGES_WRITE)) {
        write_each(first, last);
    }
}

/// True for an array of several huge pages.
static bool is_large(size_t count, size_t size)
{
    return !FROM_HEAP && count * size >= HUGE_FROM;
}

void rp_memory_touch(const void *memory, size_t bytes)
{
    const volatile uint8_t *first = memory;
    for (size_t byte = 0; first != NULL && byte < bytes; byte += RP_MEMORY_PAGE) {
        (void)first[byte];
    }
    if (first != NULL && bytes != 0) {
        (void)first[bytes - 1u];
    }
}

bool rp_memory_is_huge(size_t count, size_t size)
{
    return is_large(count, size) && rp_pages_may_be_huge();
}

void rp_memory_free(void *memory, size_t count, size_t size, rp_deferred_free_t *deferred_free)
{
    if (memory == NULL) {
        return;
    }
    const size_t mapped = mapped_bytes(count * size);
    if (!is_mapped(count * size)) {
        free(memory);
    } else if (!rp_deferred_free_add(deferred_free, memory, mapped)) {
        rp_pages_unmap(memory, mapped);
    }
}
