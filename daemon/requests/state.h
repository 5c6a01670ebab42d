/// @file
/// What is kept on disk (`--state DIR`): each request that changed something, before it is replied
/// to, and from time to time everything as requests (checkpointer.h). After a restart they are
/// handled again, and worlds, publishers and agents are as they were, by the same handles.
#ifndef REPLAN_DAEMON_REQUESTS_STATE_H
#define REPLAN_DAEMON_REQUESTS_STATE_H

#include "daemon/requests/call.h"

typedef struct rp_state rp_state_t;

/// @param folder  made if it is not there
/// @param is_disk  a change is acknowledged when it is on the disk, not only written
/// @param error  written on failure: a sentence [room]
/// @return NULL on failure
rp_state_t *rp_state_open(const char *folder, bool is_disk, char *error, size_t room);

/// What was noted stays.
void rp_state_close(rp_state_t **self);

/// Be told again what the folder holds, and go on from there. Before the first request, once.
/// @param is_salvaging  go on with what is left of a damaged state, and say in the log what is not
/// @return false with a sentence when it cannot be read, is damaged, or cannot be written
bool rp_state_restore(rp_daemon_t *daemon, bool is_salvaging, char *error, size_t room);

/// Have all that is so now written down, and wait until it is on the disk: before anybody is
/// served whose acknowledged changes would depend on it. @return false with a sentence
bool rp_state_settle(rp_daemon_t *daemon, char *error, size_t room);

/// True while what was accepted once is handled again.
bool rp_state_is_restoring(const rp_daemon_t *daemon);

/// True when a change is to be on the disk before it is acknowledged. @param self  may be NULL
bool rp_state_is_disk(const rp_state_t *self);

/// True when the journal broke, and no base could be begun to mend it: what was done a restart will
/// undo, for all that is known. @param self  may be NULL
bool rp_state_is_lost(const rp_state_t *self);

/// True when it is of a kind that changes something, which is kept.
bool rp_state_keeps(const Replan__V1__Request *request);

/// True when the request may be handled: it changes nothing that is kept, or there is room to keep
/// it. Refuses the call when not.
bool rp_state_has_room(rp_call_t *call);

/// A request was handled, and accepted. Kept if it changed something. @param packed  as it came
void rp_state_note(rp_daemon_t *daemon, const Replan__V1__Request *request, const void *packed,
                   size_t size);

/// The next part of something long that is about to be handled. Other requests may be noted
/// between its parts, no other long one may.
/// @param part  the first one: those of another that came to nothing are void
/// @return false when it cannot be kept: then nothing is to be done
bool rp_state_note_part(rp_daemon_t *daemon, const uint8_t *part, size_t size, bool is_first);

/// The long message was accepted: its parts in the journal count.
/// @param request  that it is; NULL: it was published
/// @param topic  that it came by; "": it is a request
void rp_state_note_done(rp_daemon_t *daemon, const Replan__V1__Request *request, const char *topic);

/// The long message was refused: its parts in the journal are void.
void rp_state_note_nothing(rp_daemon_t *daemon);

/// Why the last of these failed.
const char *rp_state_reason(const rp_daemon_t *daemon);

/// The same of what came in another form: the body of such a request, published.
void rp_state_note_body(rp_daemon_t *daemon, Replan__V1__Request__BodyCase kind,
                        ProtobufCMessage *body);
void rp_state_note_change(rp_daemon_t *daemon, Replan__V1__Change *change);

/// A published change is lost (rp_lose_change()).
void rp_state_note_lost(rp_daemon_t *daemon, const Replan__V1__Change *change);

/// Shapes went by themselves, which made a version. It is kept as if somebody had removed them: by
/// a clock that was set back their time would come again.
void rp_state_note_expired(rp_daemon_t *daemon, rp_served_t *world);

/// Note that an agent has reached all waypoints of its goal before this one.
void rp_state_note_waypoint(rp_daemon_t *daemon, rp_agent_t *agent, uint32_t waypoint);
void rp_state_note_closed(rp_daemon_t *daemon, rp_agent_t *agent);

/// An agent is about to go: a base that is being written may have yet to tell of it.
/// @param agent  what it was told may be taken
void rp_state_bury(rp_daemon_t *daemon, rp_agent_t *agent);

/// Begin to write everything down anew: a world was opened by no request.
void rp_state_renew(rp_daemon_t *daemon);

/// Write what was noted: it survives the process now. @return false with the reason when it does
/// not
bool rp_state_flush(rp_daemon_t *daemon, const char **reason);

/// Somebody waits for what was noted to be on the disk.
void rp_state_hasten(rp_daemon_t *daemon);

/// Go on: with what the disk has taken since, with a base.
void rp_state_work(rp_daemon_t *daemon);

/// When rp_state_work() is due without a message, steady; RP_NEVER_US: it is not.
uint64_t rp_state_next_us(const rp_daemon_t *daemon);

/// A base is being written: there is always more to do.
bool rp_state_is_busy(const rp_daemon_t *daemon);

/// Readable when the disk took something; -1 when nothing is kept.
int rp_state_descriptor(const rp_daemon_t *daemon);

#endif
