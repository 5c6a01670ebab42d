/// Two lists linked through the sessions: waiting allocates nothing.
#include "engine/session/session_queues.h"

#include <assert.h>
#include <stddef.h>

static rp_waiting_t *waiting_of(const rp_session_t *session)
{
    return &session->world->roster
                ->unsure[session->policy.may_wait ? RP_RANK_PATIENT : RP_RANK_FIRST];
}

/// The session behind which this one is to wait: the last of its group that joined the queue since
/// the last step and is sure of as much, so that a group plans together, on a field that is in the
/// caches; else the last of all.
static rp_session_t *predecessor_of(const rp_session_t *session, const rp_waiting_t *waiting)
{
    rp_session_t *last = session->goal.group != NULL ? session->goal.group->last_new : NULL;
    const bool is_next = last != NULL && waiting_of(last) == waiting &&
                         last->validity.sure_until == session->validity.sure_until;
    return is_next ? last : waiting->last;
}

static void link_behind(rp_waiting_t *waiting, rp_session_t *previous, rp_session_t *session)
{
    rp_session_t *next = previous != NULL ? previous->schedule.next : NULL;
    session->schedule.previous = previous;
    session->schedule.next = next;
    if (previous != NULL) {
        previous->schedule.next = session;
    } else {
        waiting->first = session;
    }
    if (next != NULL) {
        next->schedule.previous = session;
    } else {
        waiting->last = session;
    }
}

void rp_plan_queue_add(rp_session_t *session, uint64_t true_until, rp_cause_t cause)
{
    rp_world_t *world = session->world;
    rp_waiting_t *waiting = waiting_of(session);
    if (rp_session_is_unsure(session) || !session->position.has_pose || !session->goal.is_given) {
        rp_session_stop_asking(session); // there is another reason now
        return;
    }
    assert(waiting->last == NULL || waiting->last->validity.sure_until <= true_until);
    session->validity.state = RP_SESSION_UNSURE;
    session->validity.sure_until = true_until;
    session->validity.version = true_until;
    session->validity.tested_at = world->version;
    session->schedule.cause = session->schedule.is_put_off ? session->schedule.cause : cause;
    link_behind(waiting, predecessor_of(session, waiting), session);
    waiting->first_new = waiting->first_new != NULL ? waiting->first_new : session;
    world->roster->unsure_count++;
    if (session->goal.group != NULL) {
        session->goal.group->unsure++;
        session->goal.group->last_new = session;
    }
}

void rp_plan_queue_remove(rp_session_t *session)
{
    rp_waiting_t *waiting = waiting_of(session);
    if (!rp_session_is_unsure(session)) {
        return;
    }
    if (waiting->first_new == session) {
        waiting->first_new = session->schedule.next;
    }
    if (session->schedule.previous != NULL) {
        session->schedule.previous->schedule.next = session->schedule.next;
    } else {
        waiting->first = session->schedule.next;
    }
    if (session->schedule.next != NULL) {
        session->schedule.next->schedule.previous = session->schedule.previous;
    } else {
        waiting->last = session->schedule.previous;
    }
    session->world->roster->unsure_count--;
    session->validity.state = RP_SESSION_SURE;
    if (session->goal.group != NULL) {
        session->goal.group->unsure--;
        rp_goal_group_forget_new(session->goal.group, session);
    }
}

void rp_plan_queue_see_new(rp_session_t *session)
{
    if (session->goal.group != NULL) {
        session->goal.group->last_new = NULL;
    }
}

void rp_answer_queue_add(rp_answer_queue_t *self, rp_session_t *session)
{
    if (session->published.is_queued) {
        return;
    }
    session->published.is_queued = true;
    session->published.next = NULL;
    session->published.previous = self->last;
    if (self->last != NULL) {
        self->last->published.next = session;
    } else {
        self->first = session;
    }
    self->last = session;
}

void rp_answer_queue_remove(rp_answer_queue_t *self, rp_session_t *session)
{
    if (!session->published.is_queued) {
        return;
    }
    if (session->published.previous != NULL) {
        session->published.previous->published.next = session->published.next;
    } else {
        self->first = session->published.next;
    }
    if (session->published.next != NULL) {
        session->published.next->published.previous = session->published.previous;
    } else {
        self->last = session->published.previous;
    }
    session->published.is_queued = false;
}
