/// @file
/// Shared by all suites: clocks, a seeded generator, percentiles, and a result file that records
/// commit, compiler and machine.
#ifndef REPLAN_BENCH_MEASURE_HARNESS_H
#define REPLAN_BENCH_MEASURE_HARNESS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the command line asked for.
typedef struct rp_bench_options {
    const char *json;    ///< file for the results; NULL: none
    const char *planner; ///< suites about one planner; NULL: the suite's choice
    const char *resume;  ///< file that keeps finished worlds; NULL: none
    const char *maps;    ///< folder of the shared maps
    uint64_t seed;
    uint32_t worlds;       ///< of each row of a table; 0: the suite's choice
    const char *protocol;  ///< of the suites `beyond` and `scale`, this one only; NULL: all
    uint32_t rows;         ///< of a table, the first ones; 0: all
    const char *contender; ///< of a table, this one beside the first; NULL: all
    const char *build;     ///< of the suite `against`, the other build; NULL for all other suites
    const char *simd;      ///< the widest instructions that are used; NULL: those of the machine
    bool quick;            ///< a small form of the suite
} rp_bench_options_t;

/// A suite fills `results` and prints its table.
/// @return 0 when all costs agreed and all bounds held, 1 when not, 2 when it could not run
typedef int (*rp_bench_suite_fn)(const rp_bench_options_t *options, cJSON *results);

typedef struct rp_bench_suite {
    const char *name;
    const char *about;
    rp_bench_suite_fn run;
    const char *program;   ///< the program beside this one that can run it; NULL: this one
    const char *protocols; ///< that --protocol may name, apart by spaces; NULL: it has none
} rp_bench_suite_t;

/// How many of a table's rows are wanted.
static inline size_t rp_bench_rows(const rp_bench_options_t *options, size_t count)
{
    return options->rows != 0 && options->rows < count ? options->rows : count;
}

/// The suites, in the order of --list. @return NULL beyond the last
const rp_bench_suite_t *rp_bench_suite(size_t index);

/// CPU time of this thread, in nanoseconds.
uint64_t rp_bench_cpu_ns(void);

/// What one call of rp_bench_cpu_ns() costs: to be taken off short times.
uint64_t rp_bench_clock_ns(void);

/// Monotone time, in nanoseconds.
uint64_t rp_bench_wall_ns(void);

/// Ticks of the processor, for what is shorter than a call of a clock; they go on while others run.
uint64_t rp_bench_ticks(void);

/// The same when all that was begun before is done: the processor works ahead.
uint64_t rp_bench_settled_ticks(void);

/// How long a tick takes, measured for some milliseconds.
double rp_bench_tick_ns(void);

/// What the processors did since the machine was started, in the system's ticks.
typedef struct rp_bench_host {
    uint64_t worked;
    uint64_t stolen; ///< they were wanted, but the host gave them to another machine
} rp_bench_host_t;

/// @return zeros where the system does not say
rp_bench_host_t rp_bench_host(void);

/// Percent of the time wanted since then that the host took: figures of such a run are too great.
double rp_bench_stolen_percent(rp_bench_host_t since);

/// How many programs wanted a core in the last minute: where others work, figures are too great,
/// those of contenders that touch much memory most of all. @return NAN where the system does not
/// say
double rp_bench_load(void);

/// The next number of a seeded sequence.
uint64_t rp_bench_random(uint64_t *state);

/// A number in 0 .. limit - 1.
uint32_t rp_bench_below(uint64_t *state, uint32_t limit);

/// Another sequence for each (seed, a, b): worlds that do not depend on each other.
uint64_t rp_bench_seed(uint64_t seed, uint64_t a, uint64_t b);

/// Numbers of which percentiles are wanted.
typedef struct rp_samples {
    double *values; ///< owned [count]
    size_t count;
    size_t capacity;
} rp_samples_t;

/// Ends the program without memory.
void rp_samples_add(rp_samples_t *self, double value);
void rp_samples_fini(rp_samples_t *self);

/// @param percent  0..100; the samples are sorted by it
/// @return 0 when there are none
double rp_samples_percentile(rp_samples_t *self, double percent);

/// Mean of the middle half: as fine as a mean, and no outlier is part of it. The samples are
/// sorted.
/// @return 0 when there are none
double rp_samples_midmean(rp_samples_t *self);

/// {"p50":..,"p90":..,"p99":..,"max":..,"count":..} under `name`.
void rp_samples_to_json(rp_samples_t *self, cJSON *parent, const char *name);

/// Commit, compiler, CPU, seed, suite.
cJSON *rp_bench_header(const char *suite, const rp_bench_options_t *options);

/// Memory or the end of the program: measurements have nobody to hand a failure to.
void *rp_bench_memory(void *old, size_t count, size_t size);

/// A line of progress on stderr, replaced by the next one on a terminal.
void rp_bench_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
