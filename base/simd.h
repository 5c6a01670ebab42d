/// @file
/// Which wide instructions this machine has. What is written for them is the same source compiled
/// once more, or gives the same result by a test: a plan never depends on the machine.
#ifndef REPLAN_BASE_SIMD_H
#define REPLAN_BASE_SIMD_H

/// Before a function that is the same source as another, compiled for RP_SIMD_AVX2. Elsewhere it is
/// that other once more, and nobody calls it.
#if defined(__x86_64__)
#define RP_HAS_X86  1
#define RP_FOR_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#else
#define RP_HAS_X86 0
#define RP_FOR_AVX2
#endif

typedef enum rp_simd {
    RP_SIMD_NONE,
    RP_SIMD_AVX2, ///< with the bit instructions of the same machines (BMI 1 and 2)
} rp_simd_t;

/// The widest that this machine has. Time: a few loads.
static inline rp_simd_t rp_simd_best(void)
{
#if RP_HAS_X86
    const int has_bits = __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                         __builtin_cpu_supports("popcnt");
    return has_bits && __builtin_cpu_supports("avx2") ? RP_SIMD_AVX2 : RP_SIMD_NONE;
#else
    return RP_SIMD_NONE;
#endif
}

/// A function that is called as if nothing were known of it. Where GCC sees that a function leaves
/// wide registers alone, it calls it from wide code without clearing their upper halves, and then
/// every narrow vector instruction in it has to keep these: that took searches up to 1.7 times as
/// long.
#if defined(__has_attribute) && __has_attribute(noipa)
#define RP_CALLED_CLEAN __attribute__((noipa))
#else
#define RP_CALLED_CLEAN __attribute__((noinline))
#endif

#endif
