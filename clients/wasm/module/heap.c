/// Counts what the heap of the module has given out, so that a page can be told how full it is. The
/// linker puts these in place of the calls that the rest makes (--wrap).
#include <malloc.h>
#include <stdlib.h>

#include "clients/wasm/module/exports.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

static size_t held;

double rp_js_heap_bytes(void)
{
    return (double)held;
}

static void *count(void *memory)
{
    held += memory != NULL ? malloc_usable_size(memory) : 0u;
    return memory;
}

void *rp_js_malloc(size_t size)
{
    return malloc(size);
}

void rp_js_free(void *memory)
{
    free(memory);
}

void *__wrap_malloc(size_t size)
{
    return count(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size)
{
    return count(__real_calloc(number, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    const size_t before = memory != NULL ? malloc_usable_size(memory) : 0u;
    void *other = __real_realloc(memory, size);
    if (other != NULL) {
        held = held - before + malloc_usable_size(other);
    }
    return other;
}

void __wrap_free(void *memory)
{
    held -= memory != NULL ? malloc_usable_size(memory) : 0u;
    __real_free(memory);
}
