/// @file
/// Duration of a call, or of its slices, in CPU time of the thread; and the number of pages that it
/// touched first, because the system may take longer to supply a page than the call takes.
#ifndef REPLAN_BENCH_MEASURE_CPU_SAMPLE_H
#define REPLAN_BENCH_MEASURE_CPU_SAMPLE_H

#include "bench/measure/harness.h"

/// A moment, or what lies between two.
typedef struct rp_cpu_sample {
    uint64_t ns;
    uint64_t wall_ns; ///< the same by the clock on the wall: beside this thread others run
    long faults;      ///< pages that were met
} rp_cpu_sample_t;

rp_cpu_sample_t rp_cpu_sample_now(void);
rp_cpu_sample_t rp_cpu_sample_since(rp_cpu_sample_t from);

/// The lesser of two. Whoever does the same again is delayed by his own doing again, and by a host
/// that takes the processor, or has to find memory, hardly at the same place.
rp_cpu_sample_t rp_cpu_sample_lesser(rp_cpu_sample_t one, rp_cpu_sample_t other);

/// The slices of one call.
typedef struct rp_strip {
    rp_samples_t us;
    rp_samples_t faults; ///< of each
    rp_cpu_sample_t longest;
} rp_strip_t;

void rp_strip_add(rp_strip_t *self, rp_cpu_sample_t slice);
void rp_strip_fini(rp_strip_t *self);

/// Keep of each slice the lesser one, when the same was done again.
void rp_strip_hold_against(rp_strip_t *self, const rp_strip_t *again);

/// The kinds of pages that large arrays lie in.
#define RP_PAGES 2u
extern const char *const rp_pages_names[RP_PAGES];

/// Have whatever is mapped from now on lie in small pages (0), or in huge ones where it may (1).
void rp_pages_choose(unsigned kind);

/// Print what it takes this machine now to come by two megabytes, in pages of each kind: figures of
/// slices that met pages are to be read beside it. @param results  "two_megabytes_us" comes there
void rp_pages_probe(cJSON *results);

#endif
