/// Two lists through the sessions themselves: nothing is allocated to wait.
#include "engine/session/session_queues.h"

#include <assert.h>
#include <stddef.h>

static rp_waiting_t *waiting_of(const rp_session_t *session)
{
    return &session->world->unsure[session->policy.may_wait ? RP_RANK_PATIENT : RP_RANK_FIRST];
}

void rp_plan_queue_add(rp_session_t *session, uint64_t true_until, rp_cause_t cause)
{
    rp_world_t *world = session->world;
    rp_waiting_t *waiting = waiting_of(session);
    if (session->is_unsure || !session->has_pose || !session->has_goals) {
        session->is_unasked = false; // there is another reason now
        return;
    }
    assert(waiting->last == NULL || waiting->last->sure_until <= true_until);
    session->is_unsure = true;
    session->sure_until = true_until;
    session->version = true_until;
    session->unhurt_at = world->version;
    session->cause = session->is_put_off ? session->cause : cause;
    session->unsure_next = NULL;
    session->unsure_previous = waiting->last;
    if (waiting->last != NULL) {
        waiting->last->unsure_next = session;
    } else {
        waiting->first = session;
    }
    waiting->last = session;
    waiting->fresh = waiting->fresh != NULL ? waiting->fresh : session;
    world->unsure_count++;
    if (session->group != NULL) {
        session->group->unsure++;
    }
}

void rp_plan_queue_remove(rp_session_t *session)
{
    rp_waiting_t *waiting = waiting_of(session);
    if (!session->is_unsure) {
        return;
    }
    if (waiting->fresh == session) {
        waiting->fresh = session->unsure_next;
    }
    if (session->unsure_previous != NULL) {
        session->unsure_previous->unsure_next = session->unsure_next;
    } else {
        waiting->first = session->unsure_next;
    }
    if (session->unsure_next != NULL) {
        session->unsure_next->unsure_previous = session->unsure_previous;
    } else {
        waiting->last = session->unsure_previous;
    }
    session->world->unsure_count--;
    session->is_unsure = false;
    if (session->group != NULL) {
        session->group->unsure--;
    }
}

void rp_answer_queue_add(rp_answer_queue_t *self, rp_session_t *session)
{
    if (session->is_published) {
        return;
    }
    session->is_published = true;
    session->published_next = NULL;
    session->published_previous = self->last;
    if (self->last != NULL) {
        self->last->published_next = session;
    } else {
        self->first = session;
    }
    self->last = session;
}

void rp_answer_queue_remove(rp_answer_queue_t *self, rp_session_t *session)
{
    if (!session->is_published) {
        return;
    }
    if (session->published_previous != NULL) {
        session->published_previous->published_next = session->published_next;
    } else {
        self->first = session->published_next;
    }
    if (session->published_next != NULL) {
        session->published_next->published_previous = session->published_previous;
    } else {
        self->last = session->published_previous;
    }
    session->is_published = false;
}
