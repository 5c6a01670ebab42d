/// @file
/// One way to run a file of Check tests.
#ifndef REPLAN_TESTS_SUITE_H
#define REPLAN_TESTS_SUITE_H

#include <check.h>
#include <stddef.h>

/// Run each test `rounds` times, with `_i` = 0 .. rounds - 1, each in a process of its own.
/// @param tests  [count]
/// @param tear_down  called after each; may be NULL
/// @return the exit code for main
int rp_suite_run(const char *name, const TTest *const *tests, size_t count, size_t rounds,
                 void (*tear_down)(void));

#endif
