/// @file
/// What comes into a daemon from outside, and what it says, as a recording (store/recording.h,
/// `--record FILE`): messages, the clocks, the maps, and what became of each send. A daemon without
/// threads and without a state folder follows from these alone, so that it says the same bytes when
/// the recording is played (replay.h, `--replay FILE`).
///
/// A recording that cannot be written ends; the daemon goes on. NULL for a recorder: nothing is
/// recorded.
#ifndef REPLAN_DAEMON_RECORDER_H
#define REPLAN_DAEMON_RECORDER_H

#include "daemon/daemon.h"
#include "store/recording.h"

typedef struct rp_recorder rp_recorder_t;

/// @param file  made, or emptied
/// @param error  written on failure: a sentence [room]
/// @return NULL on failure
rp_recorder_t *rp_recorder_open(const char *file, const rp_recording_begin_t *begin, char *error,
                                size_t room);

/// All of it is in the file then.
void rp_recorder_close(rp_recorder_t **self);

/// What the daemon says goes this way, and is noted. @param to  copied
rp_transport_t rp_recorder_transport(rp_recorder_t *self, const rp_transport_t *to);

// ---- what comes in, each told before the daemon hears of it; the layout of its event

/// rp_now_t.
void rp_recorder_now(rp_recorder_t *self, const rp_now_t *now);

/// uint32_t width, uint32_t height, rp_frame_t, name and profile with their ends, bytes
/// [width * height]. @param map  as of rp_daemon_open_map()
void rp_recorder_map(rp_recorder_t *self, const char *name, const rp_world_options_t *map);

/// uint32_t frame_count, uint32_t size, uint64_t connection, the peer's bytes [size], body.
void rp_recorder_request(rp_recorder_t *self, const rp_peer_t *peer, const void *body, size_t size);

/// uint32_t topic_size, topic, body. @param kind  RP_RECORDING_CHANGE or RP_RECORDING_POSE
void rp_recorder_published(rp_recorder_t *self, rp_recording_kind_t kind, const void *topic,
                           size_t topic_size, const void *body, size_t size);

/// uint64_t: the number of a connection that is gone.
void rp_recorder_left(rp_recorder_t *self, uint64_t connection);

/// Two texts, each with its end.
void rp_recorder_malformed(rp_recorder_t *self, const char *socket, const char *sentence);

/// rp_stats_outside_t, when one of them is another than before.
void rp_recorder_outside(rp_recorder_t *self, const rp_stats_outside_t *outside);

/// uint64_t budget.
void rp_recorder_work(rp_recorder_t *self, uint64_t budget);

/// A round is over: what was noted is written.
void rp_recorder_pour(rp_recorder_t *self);

#endif
