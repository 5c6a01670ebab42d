/// @file
/// Numbers as JavaScript has them: doubles.
#ifndef REPLAN_WASM_NUMBERS_H
#define REPLAN_WASM_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/// A whole number of at least 0; all that is beyond 2^53, infinity too, is UINT64_MAX.
static inline uint64_t rp_js_whole(double number)
{
    return number < 0x1p53 ? (uint64_t)number : UINT64_MAX;
}

/// A pointer as a number, NULL as 0.
static inline double rp_js_place(const void *pointer)
{
    return (double)(uintptr_t)pointer;
}

static inline const void *rp_js_pointer(uint32_t place)
{
    return (const void *)(uintptr_t)place;
}

#endif
