/// @file
/// The reactor: four sockets, signals and clocks around one daemon, in one thread.
#ifndef REPLAN_DAEMON_REACTOR_H
#define REPLAN_DAEMON_REACTOR_H

#include "daemon/config.h"
#include "daemon/daemon.h"
#include "daemon/recorder.h"

typedef struct rp_reactor rp_reactor_t;

/// Bind the sockets. SIGTERM, SIGINT and SIGHUP are taken over from here on.
/// @param error  a sentence on failure: which endpoint, and why [size]
/// @return false on failure
bool rp_reactor_open(const rp_config_t *config, rp_reactor_t **reactor, char *error, size_t size);
void rp_reactor_close(rp_reactor_t **self);

/// The daemon inside, for worlds that are loaded before the loop starts.
/// What is recorded; NULL: nothing.
rp_recorder_t *rp_reactor_recorder(rp_reactor_t *self);

rp_daemon_t *rp_reactor_daemon(rp_reactor_t *self);

/// Log `event=ready` with the endpoints that it got. Call it once the worlds are loaded: clients
/// that wait for it ask for them.
void rp_reactor_say_ready(const rp_reactor_t *self);

/// Run until SIGTERM or SIGINT. SIGHUP reopens the file of the log.
void rp_reactor_run(rp_reactor_t *self);

#endif
