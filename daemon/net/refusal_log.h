/// @file
/// Refusals in the log, at debug: there a user sees why a client is refused. A client that is
/// refused a million times must not fill the disk, so few a second are logged, and the rest
/// counted.
#ifndef REPLAN_DAEMON_NET_REFUSAL_LOG_H
#define REPLAN_DAEMON_NET_REFUSAL_LOG_H

#include "msgs/check.h"

/// Refusals that are logged in a second.
#define RP_REFUSAL_LOG_EACH_SECOND 50u

/// All zero is a log of which nothing was said.
typedef struct rp_refusal_log {
    uint64_t second;  ///< that is counted, by the steady clock
    uint32_t logged;  ///< in it
    uint64_t skipped; ///< since one was logged last
} rp_refusal_log_t;

/// Log a refusal: "event=refused socket=control id=7 status=INVALID skipped=0 sentence="..."".
/// @param socket     on which it came
/// @param id         of the request; 0: it has none
/// @param steady_us  now, by the steady clock
void rp_refusal_log_add(rp_refusal_log_t *self, const char *socket, uint64_t id,
                        const rp_refusal_t *refusal, uint64_t steady_us);

#endif
