/// @file
/// Play a recording (recorder.h) to a daemon of its own, and hold what that says against what was
/// said.
#ifndef REPLAN_DAEMON_REPLAY_H
#define REPLAN_DAEMON_REPLAY_H

#include <stdio.h>

#include "daemon/daemon.h"

/// Somebody who is not on the recording, and is there when it is played once more: a peer that
/// makes requests of its own between the events.
typedef struct rp_replay_spectator {
    rp_peer_t peer; ///< of a name that nobody on the recording has
    /// The daemon said something to the peer. It must not be asked anything meanwhile.
    /// @param bytes  a ToClient, borrowed until return [size]
    void (*hear)(void *user, const void *bytes, size_t size);
    /// An event is over. The daemon may be asked.
    void (*look)(void *user, rp_daemon_t *daemon);
    void *user;
} rp_replay_spectator_t;

/// @param spectator  NULL: nobody. Else the recording is played a second time, to another daemon,
/// which is compared with nothing, as a peer more may be seen in what it says
/// @param out  one line: what was played, or the first event at which the daemon said other bytes
/// @return 0: it said the same; 1: it did not; 2: the file is no recording, or it has no memory for
/// it,
///         and stderr was told why
int rp_replay(const char *file, const rp_replay_spectator_t *spectator, FILE *out);

#endif
