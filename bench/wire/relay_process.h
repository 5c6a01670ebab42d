/// @file
/// Relay as a child process on free ports: after some work it answers a change of two frames with
/// the bytes that a "set" message gave (8 bytes of nanoseconds, then the answer).
#ifndef REPLAN_BENCH_WIRE_RELAY_PROCESS_H
#define REPLAN_BENCH_WIRE_RELAY_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct rp_relay_process {
    pid_t pid; ///< 0: not running
    char in[64];
    char out[64];
} rp_relay_process_t;

/// Fork it, before this process has a ZeroMQ context of its own; it ends with this process.
bool rp_relay_process_start(rp_relay_process_t *self);
void rp_relay_process_stop(rp_relay_process_t *self);

/// Use the processor as a planner would: walk through memory for so long.
void rp_bench_work(uint64_t ns);

#endif
