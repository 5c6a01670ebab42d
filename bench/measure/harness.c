/// Clocks, percentiles and the head of a result file.
#include "bench/measure/harness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "msgs/splitmix.h"

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t rp_bench_cpu_ns(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t rp_bench_wall_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

uint64_t rp_bench_clock_ns(void)
{
    enum {
        CALLS = 1000
    };
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < CALLS; i++) {
        const uint64_t begin = rp_bench_cpu_ns();
        const uint64_t ns = rp_bench_cpu_ns() - begin;
        least = ns < least ? ns : least;
    }
    return least;
}

uint64_t rp_bench_ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return rp_bench_wall_ns();
#endif
}

uint64_t rp_bench_settled_ticks(void)
{
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#endif
    return rp_bench_ticks();
}

double rp_bench_tick_ns(void)
{
    const uint64_t begin_ns = rp_bench_wall_ns();
    const uint64_t begin = rp_bench_ticks();
    uint64_t ns;
    do {
        ns = rp_bench_wall_ns() - begin_ns;
    } while (ns < 5000000u);
    return (double)ns / (double)(rp_bench_ticks() - begin);
}

rp_bench_host_t rp_bench_host(void)
{
    // cpu user nice system idle iowait irq softirq steal ...
    uint64_t of[8] = {0};
    char line[256];
    FILE *file = fopen("/proc/stat", "r");
    if (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *rest = line + strcspn(line, " ");
        for (unsigned i = 0; i < 8; i++) {
            of[i] = strtoull(rest, &rest, 10);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return (rp_bench_host_t){of[0] + of[1] + of[2] + of[5] + of[6], of[7]};
}

double rp_bench_stolen_percent(rp_bench_host_t since)
{
    const rp_bench_host_t now = rp_bench_host();
    const uint64_t stolen = now.stolen - since.stolen;
    const uint64_t wanted = now.worked - since.worked + stolen;
    return wanted != 0 ? 100.0 * (double)stolen / (double)wanted : 0.0;
}

double rp_bench_load(void)
{
    double load;
    return getloadavg(&load, 1) == 1 ? load : NAN;
}

uint64_t rp_bench_random(uint64_t *state)
{
    return rp_splitmix_next(state);
}

uint32_t rp_bench_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(((rp_bench_random(state) >> 32) * limit) >> 32);
}

uint64_t rp_bench_seed(uint64_t seed, uint64_t a, uint64_t b)
{
    uint64_t state = seed;
    state = rp_bench_random(&state) + a;
    state = rp_bench_random(&state) + b;
    return rp_bench_random(&state);
}

void *rp_bench_memory(void *old, size_t count, size_t size)
{
    void *memory = reallocarray(old, count != 0 ? count : 1, size);
    if (memory == NULL) {
        fputs("replan-bench: no memory\n", stderr);
        exit(2);
    }
    return memory;
}

// ---- samples

void rp_samples_add(rp_samples_t *self, double value)
{
    if (self->count == self->capacity) {
        const size_t capacity = self->capacity == 0 ? 1024 : 2 * self->capacity;
        self->values = rp_bench_memory(self->values, capacity, sizeof *self->values);
        self->capacity = capacity;
    }
    self->values[self->count++] = value;
}

void rp_samples_fini(rp_samples_t *self)
{
    free(self->values);
    *self = (rp_samples_t){0};
}

static int compare_doubles(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

double rp_samples_percentile(rp_samples_t *self, double percent)
{
    if (self->count == 0) {
        return 0.0;
    }
    qsort(self->values, self->count, sizeof *self->values, compare_doubles);
    const size_t place = (size_t)(percent / 100.0 * (double)(self->count - 1u) + 0.5);
    return self->values[place];
}

double rp_samples_midmean(rp_samples_t *self)
{
    const size_t quarter = self->count / 4u;
    double sum = 0.0;
    if (self->count == 0) {
        return 0.0;
    }
    qsort(self->values, self->count, sizeof *self->values, compare_doubles);
    for (size_t i = quarter; i < self->count - quarter; i++) {
        sum += self->values[i];
    }
    return sum / (double)(self->count - 2u * quarter);
}

void rp_samples_to_json(rp_samples_t *self, cJSON *parent, const char *name)
{
    cJSON *object = cJSON_AddObjectToObject(parent, name);
    cJSON_AddNumberToObject(object, "p50", rp_samples_percentile(self, 50.0));
    cJSON_AddNumberToObject(object, "p90", rp_samples_percentile(self, 90.0));
    cJSON_AddNumberToObject(object, "p99", rp_samples_percentile(self, 99.0));
    cJSON_AddNumberToObject(object, "max", rp_samples_percentile(self, 100.0));
    cJSON_AddNumberToObject(object, "count", (double)self->count);
}

// ---- the head of a result file

/// First line of a file or of a command's output that starts with `key`, what follows its colon.
static void read_value(FILE *stream, const char *key, char *value, size_t size)
{
    char line[512];
    while (stream != NULL && fgets(line, sizeof line, stream) != NULL) {
        if (strncmp(line, key, strlen(key)) == 0) {
            const char *start = key[0] == '\0' ? line : strchr(line, ':');
            start = start == NULL ? line : start + (key[0] != '\0');
            start += strspn(start, " \t");
            (void)snprintf(value, size, "%.*s", (int)strcspn(start, "\n"), start);
            return;
        }
    }
}

cJSON *rp_bench_header(const char *suite, const rp_bench_options_t *options)
{
    char commit[64] = "unknown";
    char cpu[128] = "unknown";
    FILE *git = popen("git describe --always --exclude '*' 2>/dev/null | tr -d '\\n';"
                      "git diff --quiet HEAD -- :/planners :/files :/bench "
                      "':(top,exclude)bench/results' 2>/dev/null "
                      "|| printf '+'",
                      "r");
    read_value(git, "", commit, sizeof commit);
    if (git != NULL) {
        (void)pclose(git);
    }
    FILE *info = fopen("/proc/cpuinfo", "r");
    read_value(info, "model name", cpu, sizeof cpu);
    if (info != NULL) {
        (void)fclose(info);
    }
    cJSON *header = cJSON_CreateObject();
    cJSON_AddStringToObject(header, "suite", suite);
    cJSON_AddStringToObject(header, "commit", commit);
    cJSON_AddStringToObject(header, "compiler", __VERSION__);
    cJSON_AddStringToObject(header, "cpu", cpu);
    cJSON_AddNumberToObject(header, "cores", (double)sysconf(_SC_NPROCESSORS_ONLN));
    cJSON_AddNumberToObject(header, "seed", (double)options->seed);
    cJSON_AddBoolToObject(header, "quick", options->quick);
    cJSON_AddNumberToObject(header, "rows", options->rows);
    if (options->simd != NULL) {
        cJSON_AddStringToObject(header, "simd", options->simd);
    }
    return header;
}

void rp_bench_progress(const char *format, ...)
{
    const bool is_terminal = isatty(STDERR_FILENO) != 0;
    va_list arguments;
    va_start(arguments, format);
    if (is_terminal) {
        fputs("\r\033[K", stderr);
    }
    (void)vfprintf(stderr, format, arguments);
    fputs(is_terminal ? "" : "\n", stderr);
    va_end(arguments);
}
