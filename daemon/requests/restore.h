/// @file
/// What a state holds, handled again after a restart (daemon/rules/state.h): the same requests, by
/// the same handlers, with the clock as it was then.
#ifndef REPLAN_DAEMON_REQUESTS_RESTORE_H
#define REPLAN_DAEMON_REQUESTS_RESTORE_H

#include "daemon/requests/intake.h"

/// Handle everything that the state holds, and go on from there. Before the first request, once. A
/// request that was accepted once and is refused now ends it: a limit of the configuration may be
/// lower, or memory less. Where that is salvaged it is gone.
/// @param is_salvaging  go on with what is left of a damaged state, and say in the log what is not
/// @return false with a sentence when it is damaged, cannot be read or written, or a request was
///         refused
bool rp_restore(rp_intake_t *intake, bool is_salvaging, char *error, size_t room);

#endif
