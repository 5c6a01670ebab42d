/// The compiler calls a hook at the beginning of each stretch; the linker sends moves of memory
/// through a counter.
#include "tests/slices/effort.h"

#include <stddef.h>

// Names that the compiler and the linker's --wrap prescribe.
void __sanitizer_cov_trace_pc(void);
void *__real_memset(void *to, int byte, size_t size);
void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__wrap_memset(void *to, int byte, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);

static uint64_t effort;

uint64_t rp_effort(void)
{
    return effort;
}

void __sanitizer_cov_trace_pc(void)
{
    effort++;
}

void *__wrap_memset(void *to, int byte, size_t size)
{
    effort += size / RP_EFFORT_BYTES;
    return __real_memset(to, byte, size);
}

void *__wrap_memcpy(void *to, const void *from, size_t size)
{
    effort += size / RP_EFFORT_BYTES;
    return __real_memcpy(to, from, size);
}

void *__wrap_memmove(void *to, const void *from, size_t size)
{
    effort += size / RP_EFFORT_BYTES;
    return __real_memmove(to, from, size);
}
