/// @file
/// Timers: sessions that are to be looked at again although nothing happens to them, the earliest
/// first. Two heaps: sessions that are sure need little when their time comes, sessions that wait
/// for a plan need much. Each session knows its place in its heap, so setting a timer again is
/// cheap.
#ifndef REPLAN_ENGINE_TIMERS_H
#define REPLAN_ENGINE_TIMERS_H

#include "engine/session/session_state.h"

typedef enum rp_timer_kind {
    RP_TIMER_LOOK,     ///< of a session that was sure when it was set
    RP_TIMER_DEADLINE, ///< of one that was not
    RP_TIMER_KINDS,
} rp_timer_kind_t;

typedef struct rp_timers {
    rp_session_t **heaps[RP_TIMER_KINDS]; ///< by session.look_us, the earliest first, owned
                                          ///< [capacity]
    uint32_t counts[RP_TIMER_KINDS];
    uint32_t capacity;
} rp_timers_t;

void rp_timers_fini(rp_timers_t *self);

/// Room for so many sessions, so that setting cannot fail.
/// @return RP_E_MEMORY
rp_status_t rp_timers_reserve(rp_timers_t *self, uint32_t count);

/// The session's look_us is another one; RP_NEVER_US: it wants no timer. Time: O(log count).
void rp_timers_set(rp_timers_t *self, rp_session_t *session, uint64_t look_us);

/// When the first one is due; RP_NEVER_US: there is none.
uint64_t rp_timers_next_us(const rp_timers_t *self);

/// The first one of this kind whose time has come; it is set no more. @return NULL when there is
/// none
rp_session_t *rp_timers_take(rp_timers_t *self, rp_timer_kind_t kind, uint64_t now_us);

#endif
