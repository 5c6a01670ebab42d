/// @file
/// SplitMix64: the finaliser is the hash of a mirror's cell, and the generator gives seeded random
/// numbers that are the same on every machine. Steele, Lea, Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014, with the finaliser Mix13 of Stafford.
#ifndef REPLAN_MSGS_SPLITMIX_H
#define REPLAN_MSGS_SPLITMIX_H

#include <stdint.h>

/// The finaliser: a bijection in which each bit depends on all; 0 stays 0.
static inline uint64_t rp_splitmix_of(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

/// The next 64 bits of a sequence. @param state  any value is a legal seed
static inline uint64_t rp_splitmix_next(uint64_t *state)
{
    return rp_splitmix_of(*state += UINT64_C(0x9e3779b97f4a7c15));
}

#endif
