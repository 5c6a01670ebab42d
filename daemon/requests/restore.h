/// @file
/// What a state holds, handled again after a restart (state.h): the same requests, by the same
/// handlers, with the clock as it was then.
#ifndef REPLAN_DAEMON_REQUESTS_RESTORE_H
#define REPLAN_DAEMON_REQUESTS_RESTORE_H

#include "daemon/daemon.h"
#include "store/journal.h"

typedef struct rp_restored {
    rp_state_found_t found;
    bool is_salvaged; ///< something is gone, which the log tells
} rp_restored_t;

/// Handle all that a journal holds. A request that was accepted once and is refused now ends it: a
/// limit of the configuration may be lower, or memory less. Where that is salvaged it is gone.
/// @return false with a sentence when it is damaged, cannot be read, or a request was refused
bool rp_restore(rp_daemon_t *daemon, rp_journal_t *journal, bool is_salvaging,
                rp_restored_t *restored, char *error, size_t room);

#endif
