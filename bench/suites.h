/// @file
/// Suites of replan-bench, one a file.
#ifndef REPLAN_BENCH_SUITES_H
#define REPLAN_BENCH_SUITES_H

#include "bench/measure/harness.h"

int rp_bench_fringe_table1(const rp_bench_options_t *options, cJSON *results);
int rp_bench_fringe_table2(const rp_bench_options_t *options, cJSON *results);
int rp_bench_fsa_table1(const rp_bench_options_t *options, cJSON *results);
int rp_bench_gaa_table1(const rp_bench_options_t *options, cJSON *results);
int rp_bench_gaa_table2(const rp_bench_options_t *options, cJSON *results);

/// What wide instructions are worth to each planner.
int rp_bench_simd(const rp_bench_options_t *options, cJSON *results);
int rp_bench_motion(const rp_bench_options_t *options, cJSON *results);
int rp_bench_maps(const rp_bench_options_t *options, cJSON *results);
int rp_bench_open_lists(const rp_bench_options_t *options, cJSON *results);
int rp_bench_beyond(const rp_bench_options_t *options, cJSON *results);

/// `beyond`, played by this build and by another.
int rp_bench_against(const rp_bench_options_t *options, cJSON *results);
int rp_bench_scale(const rp_bench_options_t *options, cJSON *results);

/// The part of `scale` that is about changes which come faster than searches end.
int rp_bench_storm(const rp_bench_options_t *options, cJSON *results);
int rp_bench_slices(const rp_bench_options_t *options, cJSON *results);
int rp_bench_messages(const rp_bench_options_t *options, cJSON *results);
int rp_bench_rotation(const rp_bench_options_t *options, cJSON *results);
int rp_bench_scale_wire(const rp_bench_options_t *options, cJSON *results);
int rp_bench_workers(const rp_bench_options_t *options, cJSON *results);
int rp_bench_answers(const rp_bench_options_t *options, cJSON *results);
int rp_bench_first(const rp_bench_options_t *options, cJSON *results);
int rp_bench_e2e(const rp_bench_options_t *options, cJSON *results);

#endif
