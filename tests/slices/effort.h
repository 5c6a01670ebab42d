/// @file
/// What a call does, counted: stretches of code without a branch, each time one is passed, and the
/// bytes that are moved or set beside them. The same on every run, and nearly so with every
/// compiler, so that a test may say how much is too much; it knows nothing of how long memory
/// takes.
#ifndef REPLAN_TESTS_EFFORT_H
#define REPLAN_TESTS_EFFORT_H

#include <stdint.h>

/// Bytes that are moved or set in the time of a stretch.
#define RP_EFFORT_BYTES 64u

/// Since the program began, of what is compiled to count.
uint64_t rp_effort(void);

#endif
