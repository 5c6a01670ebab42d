/// @file
/// Play a recording (recorder.h) to a daemon of its own, and hold what that says against what was
/// said.
#ifndef REPLAN_DAEMON_REPLAY_H
#define REPLAN_DAEMON_REPLAY_H

#include <stdio.h>

/// @param out  one line: what was played, or the first event at which the daemon said other bytes
/// @return 0: it said the same; 1: it did not; 2: the file is no recording, or it has no memory for
/// it,
///         and stderr was told why
int rp_replay(const char *file, FILE *out);

#endif
