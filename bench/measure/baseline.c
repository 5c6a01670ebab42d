/// The same work done by one thread and by two: counting, or touching memory that the system has
/// yet to find.
#include "bench/measure/baseline.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/measure/harness.h"

#define STEPS ((uint64_t)60000000) ///< of one thread, about a tenth of a second
#define BYTES ((size_t)128 << 20)  ///< that one thread touches
#define TURNS 3u

typedef struct share {
    unsigned threads; ///< that it is divided among
    uint64_t random;  ///< kept, so that nobody may leave the loop out
} share_t;

static void *count(void *user)
{
    share_t *self = user;
    uint64_t random = self->random;
    for (uint64_t i = 0; i < STEPS / self->threads; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
    }
    self->random = random;
    return NULL;
}

static void *touch(void *user)
{
    const share_t *self = user;
    const size_t bytes = BYTES / self->threads;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
        for (size_t i = 0; i < bytes; i += page) {
            memory[i] = 1;
        }
        (void)munmap(memory, bytes);
    }
    return NULL;
}

/// The core for a thread: the first ones that the process may use.
static void keep_to(pthread_attr_t *attributes, unsigned number)
{
    cpu_set_t all;
    cpu_set_t core;
    unsigned passed = 0;
    CPU_ZERO(&core);
    if (sched_getaffinity(0, sizeof all, &all) != 0) {
        return;
    }
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        if (CPU_ISSET(i, &all) && passed++ == number) {
            CPU_SET(i, &core);
            (void)pthread_attr_setaffinity_np(attributes, sizeof core, &core);
        }
    }
}

/// @return nanoseconds on the wall for all steps by so many threads at once; 0: there are none
static uint64_t time_threads(unsigned threads, rp_baseline_t kind)
{
    pthread_t started[2];
    share_t shares[2] = {{threads, 1}, {threads, 2}};
    void *(*work)(void *) = kind == RP_BARE_TOUCH_APART ? touch : count;
    unsigned made = 0;
    const uint64_t from_ns = rp_bench_wall_ns();
    for (; made < threads; made++) {
        pthread_attr_t attributes;
        if (pthread_attr_init(&attributes) != 0) {
            break;
        }
        if (kind != RP_BARE_COUNT) {
            keep_to(&attributes, made);
        }
        const int failed = pthread_create(&started[made], &attributes, work, &shares[made]);
        (void)pthread_attr_destroy(&attributes);
        if (failed != 0) {
            break;
        }
    }
    for (unsigned i = 0; i < made; i++) {
        (void)pthread_join(started[i], NULL);
    }
    return made == threads ? rp_bench_wall_ns() - from_ns : 0;
}

double rp_bench_bare_threads(rp_baseline_t kind)
{
    rp_samples_t shares = {0};
    for (unsigned turn = 0; turn < TURNS; turn++) {
        const uint64_t one_ns = time_threads(1, kind);
        const uint64_t two_ns = time_threads(2, kind);
        rp_samples_add(&shares, one_ns != 0 && two_ns != 0 ? (double)two_ns / (double)one_ns : 1.0);
    }
    const double middle = rp_samples_percentile(&shares, 50.0);
    rp_samples_fini(&shares);
    return middle;
}
