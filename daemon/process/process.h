/// @file
/// What a process finds itself in, before it does anything: descriptors that are closed, signals
/// that end it, limits that are lower than they need be.
#ifndef REPLAN_DAEMON_PROCESS_PROCESS_H
#define REPLAN_DAEMON_PROCESS_PROCESS_H

#include <stdint.h>

/// To be called before anything else is opened, and before there are other threads.
/// - Of the descriptors 0 to 2 those that are closed lead to /dev/null from now on (to nothing at
///   all where that cannot be opened), so that no file or socket of ours is taken for stderr.
/// - SIGPIPE and SIGXFSZ are ignored: a write to a pipe without a reader, or beyond `ulimit -f`,
///   fails, and whoever wrote deals with it.
/// - SIGHUP is blocked: the end of a terminal does not end us. The reactor takes it.
void rp_process_begin(void);

/// Raise the soft limit of descriptors to so many, as far as the hard one allows.
/// @return how many there may be
uint32_t rp_process_raise_descriptors(uint32_t needed);

/// SIGTERM and SIGINT end the process from here on, whoever blocked them: what is left to do may
/// wait for somebody who does not read stderr.
void rp_process_let_end(void);

/// Bytes of this process that are in memory; 0 when the system does not tell.
uint64_t rp_process_resident_bytes(void);

#endif
