/// @file
/// What is kept on disk (`--state DIR`): each request that changed something, before it is replied
/// to, and from time to time everything as requests (checkpointer.h). After a restart they are
/// handled again, and worlds, publishers and agents are as they were, by the same handles.
#ifndef REPLAN_DAEMON_RULES_STATE_H
#define REPLAN_DAEMON_RULES_STATE_H

#include "daemon/serving/serving.h"
#include "store/journal.h"

typedef struct rp_state rp_state_t;

/// @param folder  made if it is not there
/// @param is_disk  a change is acknowledged when it is on the disk, not only written
/// @param error  written on failure: a sentence [room]
/// @return NULL on failure
rp_state_t *rp_state_open(const char *folder, bool is_disk, char *error, size_t room);

/// What was noted stays.
void rp_state_close(rp_state_t **self);

/// Takes in again what a state holds (daemon/requests/restore.h).
typedef struct rp_state_visitor {
    rp_visit_t visit; ///< told of each record, in order; false ends it

    /// All were told that could be read; nothing is noted yet.
    /// @return false when some were refused: what is left counts by a new checkpoint alone
    bool (*finish)(void *user, const rp_state_found_t *found);
    void *user;
} rp_state_visitor_t;

/// Tell a visitor what the folder holds, and go on from there. Before the first request, once.
/// @param is_salvaging  go on with what is left of a damaged state, and say in the log what is not
/// @return false with a sentence when it cannot be read, is damaged, or cannot be written
bool rp_state_restore(rp_serving_t *serving, bool is_salvaging, const rp_state_visitor_t *visitor,
                      char *error, size_t room);

/// Have all that is so now written down, and wait until it is on the disk: before anybody is
/// served whose acknowledged changes would depend on it. @return false with a sentence
bool rp_state_settle(rp_serving_t *serving, char *error, size_t room);

/// True while what was accepted once is handled again.
bool rp_state_is_restoring(const rp_serving_t *serving);

/// True when a change is to be on the disk before it is acknowledged. @param self  may be NULL
bool rp_state_is_disk(const rp_state_t *self);

/// True when the journal broke, and no checkpoint could be begun to mend it: what was done a
/// restart will undo, for all that is known. @param self  may be NULL
bool rp_state_is_lost(const rp_state_t *self);

/// True when there is room to keep a request of so many bytes, or nothing is kept. Else the reason
/// is that of rp_state_reason().
bool rp_state_has_room(const rp_serving_t *serving, size_t size);

/// A request of a kind that is kept was handled, and accepted. @param packed  as it came
void rp_state_note(rp_serving_t *serving, const Replan__V1__Request *request, const void *packed,
                   size_t size);

/// The next part of something long that is about to be handled. Other requests may be noted
/// between its parts, no other long one may.
/// @param part  the first one: those of another that came to nothing are void
/// @return false when it cannot be kept: then nothing is to be done
bool rp_state_note_part(rp_serving_t *serving, const uint8_t *part, size_t size, bool is_first);

/// The long message was accepted: its parts in the journal count.
/// @param request  that it is; NULL: it was published
/// @param topic  that it came by; "": it is a request
void rp_state_note_done(rp_serving_t *serving, const Replan__V1__Request *request,
                        const char *topic);

/// The long message was refused: its parts in the journal are void.
void rp_state_note_nothing(rp_serving_t *serving);

/// Why the last of these failed.
const char *rp_state_reason(const rp_serving_t *serving);

/// The same of what came in another form: the body of such a request, published.
void rp_state_note_body(rp_serving_t *serving, Replan__V1__Request__BodyCase kind,
                        ProtobufCMessage *body);
void rp_state_note_change(rp_serving_t *serving, Replan__V1__Change *change);

/// A published change is lost (rp_lose_change()).
void rp_state_note_lost(rp_serving_t *serving, const Replan__V1__Change *change);

/// Shapes went by themselves, which made a version. It is kept as if somebody had removed them: by
/// a clock that was set back their time would come again.
void rp_state_note_expired(rp_serving_t *serving, rp_served_t *world);

/// Note that an agent has reached all waypoints of its goal before this one.
void rp_state_note_waypoint(rp_serving_t *serving, rp_agent_t *agent, uint32_t waypoint);
void rp_state_note_closed(rp_serving_t *serving, rp_agent_t *agent);

/// An agent is about to go: a checkpoint that is being written may have yet to tell of it.
/// @param agent  what it was told may be taken
void rp_state_bury(rp_serving_t *serving, rp_agent_t *agent);

/// Begin to write everything down anew: a world was opened by no request.
void rp_state_renew(rp_serving_t *serving);

/// Write what was noted: it survives the process now. @return false with the reason when it does
/// not
bool rp_state_flush(rp_serving_t *serving, const char **reason);

/// Somebody waits for what was noted to be on the disk.
void rp_state_hasten(rp_serving_t *serving);

/// Go on: with what the disk has taken since, with a checkpoint.
void rp_state_work(rp_serving_t *serving);

/// When rp_state_work() is due without a message, steady; RP_NEVER_US: it is not.
uint64_t rp_state_next_us(const rp_serving_t *serving);

/// A checkpoint is being written: there is always more to do.
bool rp_state_is_busy(const rp_serving_t *serving);

/// Readable when the disk took something; -1 when nothing is kept.
int rp_state_descriptor(const rp_serving_t *serving);

#endif
