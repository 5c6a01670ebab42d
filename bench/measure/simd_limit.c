/// The planners ask the compiler's table of what the processor can, and keep no variable of their
/// own. So the limit is set there: the one bit without which rp_simd_best() finds nothing wide.
#include "bench/measure/simd_limit.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {[RP_SIMD_NONE] = "none", [RP_SIMD_AVX2] = "avx2"};

const char *rp_simd_limit_name(rp_simd_t simd)
{
    return names[simd];
}

bool rp_simd_limit_find(const char *name, rp_simd_t *simd)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            *simd = (rp_simd_t)i;
            return true;
        }
    }
    return false;
}

#if RP_HAS_X86

/// What __builtin_cpu_supports() reads, as libgcc and compiler-rt lay it out.
typedef struct cpu_model {
    unsigned vendor;
    unsigned type;
    unsigned subtype;
    unsigned features;
} cpu_model_t;

extern cpu_model_t cpu_model __asm__("__cpu_model");

#define FEATURE_AVX2 (1u << 10)

static unsigned taken; ///< bits that were taken away

void rp_simd_limit_lift(void)
{
    cpu_model.features |= taken;
    taken = 0;
}

bool rp_simd_limit_set(rp_simd_t most)
{
    rp_simd_limit_lift();
    if (most == RP_SIMD_NONE) {
        taken = cpu_model.features & FEATURE_AVX2;
        cpu_model.features &= ~taken;
    }
    return rp_simd_best() == most;
}

#else

void rp_simd_limit_lift(void)
{
}

bool rp_simd_limit_set(rp_simd_t most)
{
    return most == RP_SIMD_NONE;
}

#endif
