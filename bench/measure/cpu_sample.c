/// Reads the thread's clock and the system's counts of page faults, and asks the system for small
/// or huge pages.
#include "bench/measure/cpu_sample.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#define HUGE_PAGE   ((size_t)2 << 20)
#define SMALL_PAGE  ((size_t)4 << 10)
#define PROBE_PAGES 32u

const char *const rp_pages_names[RP_PAGES] = {"small", "huge"};

// ---- samples

rp_cpu_sample_t rp_cpu_sample_now(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_THREAD, &usage);
    return (rp_cpu_sample_t){rp_bench_cpu_ns(), rp_bench_wall_ns(), usage.ru_minflt};
}

rp_cpu_sample_t rp_cpu_sample_since(rp_cpu_sample_t from)
{
    const rp_cpu_sample_t till = rp_cpu_sample_now();
    return (rp_cpu_sample_t){till.ns - from.ns, till.wall_ns - from.wall_ns,
                             till.faults - from.faults};
}

rp_cpu_sample_t rp_cpu_sample_lesser(rp_cpu_sample_t one, rp_cpu_sample_t other)
{
    return one.ns <= other.ns ? one : other;
}

void rp_strip_add(rp_strip_t *self, rp_cpu_sample_t slice)
{
    rp_samples_add(&self->us, (double)slice.ns / 1e3);
    rp_samples_add(&self->faults, (double)slice.faults);
    if (slice.ns > self->longest.ns) {
        self->longest = slice;
    }
}

void rp_strip_fini(rp_strip_t *self)
{
    rp_samples_fini(&self->us);
    rp_samples_fini(&self->faults);
}

void rp_strip_hold_against(rp_strip_t *self, const rp_strip_t *again)
{
    self->longest = (rp_cpu_sample_t){.ns = 0};
    for (size_t i = 0; i < self->us.count; i++) {
        if (i < again->us.count && again->us.values[i] < self->us.values[i]) {
            self->us.values[i] = again->us.values[i];
            self->faults.values[i] = again->faults.values[i];
        }
        const uint64_t ns = (uint64_t)(self->us.values[i] * 1e3);
        if (ns > self->longest.ns) {
            self->longest = (rp_cpu_sample_t){.ns = ns, .faults = (long)self->faults.values[i]};
        }
    }
}

// ---- pages

void rp_pages_choose(unsigned kind)
{
#ifdef PR_SET_THP_DISABLE
    (void)prctl(PR_SET_THP_DISABLE, kind == 0 ? 1 : 0, 0, 0, 0);
#else
    (void)kind;
#endif
}

static void probe(unsigned kind, cJSON *results)
{
    const size_t bytes = (PROBE_PAGES + 1u) * HUGE_PAGE;
    rp_pages_choose(kind);
    uint8_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    rp_samples_t us = {0};
    if (memory == MAP_FAILED) {
        return;
    }
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
    volatile uint8_t *first = memory + HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE;
    for (size_t page = 0; page < PROBE_PAGES; page++) {
        const uint64_t from = rp_bench_cpu_ns();
        for (size_t at = 0; at < HUGE_PAGE; at += SMALL_PAGE) {
            first[page * HUGE_PAGE + at] = 1;
        }
        rp_samples_add(&us, (double)(rp_bench_cpu_ns() - from) / 1e3);
    }
    printf("Two megabytes of %s pages take this machine %.0f us, at the worst %.0f.\n",
           rp_pages_names[kind], rp_samples_percentile(&us, 50.0),
           rp_samples_percentile(&us, 100.0));
    rp_samples_to_json(&us, results, rp_pages_names[kind]);
    rp_samples_fini(&us);
    (void)munmap(memory, bytes);
}

void rp_pages_probe(cJSON *results)
{
    cJSON *probed = cJSON_AddObjectToObject(results, "two_megabytes_us");
    for (unsigned kind = 0; kind < RP_PAGES; kind++) {
        probe(kind, probed);
    }
}
