/// @file
/// Alarms: which sessions want to be looked at again though nothing happens to them, the earliest
/// first. Two heaps, as those who are sure need little when their time comes, and those who wait
/// for a plan much; each session knows its place in one, so that setting again is cheap.
#ifndef REPLAN_ENGINE_ALARMS_H
#define REPLAN_ENGINE_ALARMS_H

#include "engine/session/session.h"

typedef enum rp_alarm_kind {
    RP_ALARM_LOOK,     ///< of who was sure when it was set
    RP_ALARM_DEADLINE, ///< of who was not
    RP_ALARM_KINDS,
} rp_alarm_kind_t;

typedef struct rp_alarms {
    rp_session_t **heaps[RP_ALARM_KINDS]; ///< by session.look_us, the earliest first, owned
                                          ///< [capacity]
    uint32_t counts[RP_ALARM_KINDS];
    uint32_t capacity;
} rp_alarms_t;

void rp_alarms_fini(rp_alarms_t *self);

/// Room for so many sessions, so that setting cannot fail.
/// @return RP_E_MEMORY
rp_status_t rp_alarms_reserve(rp_alarms_t *self, uint32_t count);

/// The session's look_us is another one; RP_NEVER_US: it wants no alarm. Time: O(log count).
void rp_alarms_set(rp_alarms_t *self, rp_session_t *session, uint64_t look_us);

/// When the first one is due; RP_NEVER_US: there is none.
uint64_t rp_alarms_next_us(const rp_alarms_t *self);

/// The first one of this kind whose time has come; it is set no more. @return NULL when there is
/// none
rp_session_t *rp_alarms_take(rp_alarms_t *self, rp_alarm_kind_t kind, uint64_t now_us);

#endif
