/// @file
/// One way to run a file of Check tests.
#ifndef REPLAN_TESTS_SUITE_H
#define REPLAN_TESTS_SUITE_H

#include <check.h>
#include <stddef.h>

/// How many rounds of chance a test plays: all of them, or an eighth where sanitizers or an
/// emulator make each take ten times as long. Those builds ask whether memory is used rightly, or
/// whether another processor computes the same; the rest is a release's.
#ifdef RP_FEW_ROUNDS
#define RP_ROUNDS(count) (((count) + 7u) / 8u)
#else
#define RP_ROUNDS(count) (count)
#endif

/// For what is asked of every cell: as ck_assert() and ck_assert_int_eq(), but Check hears of it
/// only when it fails. It writes a message for each assertion, which takes longer than the
/// question.
#define RP_EACH(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_assert(condition);                                                                  \
        }                                                                                          \
    } while (0)
#define RP_EACH_EQ(is, should)                                                                     \
    do {                                                                                           \
        if ((is) != (should)) {                                                                    \
            ck_assert_int_eq(is, should);                                                          \
        }                                                                                          \
    } while (0)

/// Run each test `rounds` times, with `_i` = 0 .. rounds - 1, each in a process of its own.
/// @param tests  [count]
/// @param tear_down  called after each; may be NULL
/// @return the exit code for main
int rp_suite_run(const char *name, const TTest *const *tests, size_t count, size_t rounds,
                 void (*tear_down)(void));

#endif
