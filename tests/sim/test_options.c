/// The command line.
#include <stdio.h>
#include <string.h>

#include "sim/options.h"
#include "tests/support/suite.h"

#define ARGS_MAX 8

/// Parse "--a b --c", split at blanks.
static rp_options_verdict_t parse(rp_options_t *options, const char *line, bool has_terminal)
{
    static char words[256];
    char *argv[ARGS_MAX] = {(char *)"replan-sim"};
    int argc = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word != NULL && argc < ARGS_MAX - 1;
         word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    return rp_options_parse(options, argc, argv, has_terminal);
}

START_TEST(nothing_means_warcraft_in_the_terminal)
{
    rp_options_t options;
    ck_assert_int_eq(parse(&options, "", true), RP_OPTIONS_RUN);
    ck_assert_str_eq(options.scenario.id, "warcraft");
    ck_assert(!options.is_headless);
    ck_assert_double_eq(options.duration_s, 30);
}
END_TEST

START_TEST(without_a_terminal_it_is_headless)
{
    rp_options_t options;
    ck_assert_int_eq(parse(&options, "", false), RP_OPTIONS_RUN);
    ck_assert(options.is_headless);
    ck_assert_double_eq(options.duration_s, 12);
}
END_TEST

START_TEST(options_change_their_scenario_in_any_order)
{
    rp_options_t options;
    ck_assert_int_eq(parse(&options, "--size 300x200 --seed 5 --scenario fsa-churn", true),
                     RP_OPTIONS_RUN);
    ck_assert_str_eq(options.scenario.id, "fsa-churn");
    ck_assert_uint_eq(options.scenario.terrain.width, 300);
    ck_assert_uint_eq(options.scenario.terrain.height, 200);
    ck_assert_uint_eq(options.scenario.terrain.seed, 5);
}
END_TEST

START_TEST(what_cannot_be_is_refused)
{
    static const char *const lines[] = {
        "--scenario nowhere",
        "--size 12",
        "--size 0x4",
        "--size 70000x2",
        "--size 16384x16384",
        "--agents 0",
        "--agents 1025",
        "--agents 2x",
        "--rate -1",
        "--rate nan",
        "--check-rate 1.5",
        "--duration -2",
        "--seed -1",
        "--no-such-flag",
        "--control",
        "stray",
        "--size 12x34x5",
        "--rate",
        "--seed 99999999999999999999",
        "--picture map.png",
        "--carmen /nowhere/drive.log",
        "--carmen tests/fuzz/corpus/carmen/drive --rate 0",
        "--carmen tests/fuzz/corpus/carmen/drive --size 100x100",
    };
    rp_options_t options;
    ck_assert_int_eq(freopen("/dev/null", "w", stderr) == NULL, 0);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ck_assert_msg(parse(&options, lines[i], true) == RP_OPTIONS_BAD, "%s", lines[i]);
    }
}
END_TEST

START_TEST(a_log_says_how_large_the_world_is_and_how_long_it_lasts)
{
    rp_options_t options;
    ck_assert_int_eq(parse(&options, "--rate 2 --carmen tests/fuzz/corpus/carmen/drive", true),
                     RP_OPTIONS_RUN);
    ck_assert_str_eq(options.scenario.id, "carmen");
    ck_assert_uint_eq(options.scenario.log->count, 1);
    ck_assert_uint_lt(options.scenario.terrain.width, 50); // the beam of 81.91 m hit nothing
    ck_assert_double_eq(options.duration_s, 3.5);
    rp_options_fini(&options);
}
END_TEST

START_TEST(the_named_scenarios_are_there)
{
    static const char *const ids[] = {"warcraft", "fsa-churn", "moving-target", "stationary-target",
                                      "unknown-terrain"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        ck_assert_ptr_nonnull(rp_scenario_find(ids[i]));
    }
    ck_assert_str_eq(rp_scenario_at(0)->id, RP_SCENARIO_DEFAULT);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        nothing_means_warcraft_in_the_terminal,
        without_a_terminal_it_is_headless,
        options_change_their_scenario_in_any_order,
        what_cannot_be_is_refused,
        a_log_says_how_large_the_world_is_and_how_long_it_lasts,
        the_named_scenarios_are_there,
    };
    return rp_suite_run("sim_options", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
