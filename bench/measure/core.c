/// Some work on each core in turns, to see which does it soonest.
#include "bench/measure/core.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/measure/harness.h"

/// So many cores are looked at, the first ones that the process may use.
#define CORES 8u

#define TURNS 3u
#define WORK  100000u

/// Another core must do the work in less than so many percent of the time.
#define BY_FAR 90u

#define AGAIN_NS UINT64_C(250000000)

typedef struct core {
    size_t number;
    uint64_t ticks; ///< that the work took at best
} core_t;

static bool go_to(size_t number)
{
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(number, &core);
    return sched_setaffinity(0, sizeof core, &core) == 0;
}

/// Four sums at a time, by what is read at random from a small table: who shares the processor with
/// somebody feels it in both.
static uint64_t time_work(void)
{
    static volatile uint32_t table[4096];
    uint32_t sums[4] = {1, 2, 3, 4};
    const uint64_t begin = rp_bench_settled_ticks();
    for (uint32_t i = 0; i < WORK; i++) {
        for (unsigned k = 0; k < 4u; k++) {
            sums[k] = sums[k] * 1664525u + 1013904223u + table[sums[k] >> 20];
        }
    }
    table[0] = (sums[0] ^ sums[1] ^ sums[2] ^ sums[3]) & 1u;
    return rp_bench_settled_ticks() - begin;
}

/// @param cores  written [CORES]
/// @return how many
static size_t allowed(core_t *cores)
{
    cpu_set_t set;
    size_t count = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return 0;
    }
    for (size_t i = 0; i < CPU_SETSIZE && count < CORES; i++) {
        if (CPU_ISSET(i, &set)) {
            cores[count++] = (core_t){i, UINT64_MAX};
        }
    }
    return count;
}

static void time_each(core_t *cores, size_t count)
{
    for (size_t i = 0; i < TURNS * count; i++) {
        core_t *core = &cores[i % count];
        if (go_to(core->number)) {
            const uint64_t ticks = time_work();
            core->ticks = ticks < core->ticks ? ticks : core->ticks;
        }
    }
}

void rp_core_choose(void)
{
    static core_t cores[CORES];
    static size_t count;
    static size_t at;
    static uint64_t looked_ns; // 0: never
    const uint64_t now_ns = rp_bench_wall_ns();
    if (looked_ns != 0 && now_ns - looked_ns < AGAIN_NS) {
        return;
    }
    count = looked_ns == 0 ? allowed(cores) : count;
    looked_ns = now_ns;
    if (count < 2u) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        cores[i].ticks = UINT64_MAX;
    }
    time_each(cores, count);
    for (size_t i = 0; i < count; i++) {
        at = cores[i].ticks < cores[at].ticks / 100u * BY_FAR ? i : at;
    }
    (void)go_to(cores[at].number);
}
