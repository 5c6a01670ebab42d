/// @file
/// What happened on a recording, in the file format of other tools: as `replan record` writes it
/// of a daemon that runs, with the times of the recording.
#ifndef REPLAN_DAEMON_REPLAY_MCAP_H
#define REPLAN_DAEMON_REPLAY_MCAP_H

#include <stdio.h>

/// Play a recording (replay.h), and write what happens in all its worlds.
/// @param mcap  where to; a file that is there is replaced
/// @return as rp_replay(); 2 also when the file cannot be written, and stderr was told why
int rp_replay_mcap(const char *file, const char *mcap, FILE *out);

#endif
