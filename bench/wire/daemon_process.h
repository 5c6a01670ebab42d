/// @file
/// A repland as a child process on free ports.
#ifndef REPLAN_BENCH_WIRE_DAEMON_PROCESS_H
#define REPLAN_BENCH_WIRE_DAEMON_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct rp_daemon_process {
    pid_t pid; ///< 0: not running
    char control[64];
    char changes[64];
    char paths[64];
    char poses[64];
} rp_daemon_process_t;

/// Start the repland that stands beside this program; it ends with this process.
/// @param memory  as of --memory; NULL: the daemon's own limit
/// @return false with a sentence on stderr
bool rp_daemon_process_start(rp_daemon_process_t *self, unsigned workers, const char *memory);
void rp_daemon_process_stop(rp_daemon_process_t *self);

/// Memory that a process has in RAM now; 0 when there is none.
double rp_process_resident_mib(pid_t pid);

/// Processor time of a process so far, all its threads; 0 when there is none.
double rp_process_cpu_s(pid_t pid);

#endif
