/// Two lists through the sessions themselves: nothing is allocated to wait.
#include "engine/queues.h"

#include <stddef.h>

void rp_unsure_add(rp_session_t *session, uint64_t true_until, rp_cause_t cause)
{
    rp_world_t *world = session->world;
    if (session->is_unsure || !session->has_pose || !session->has_goals) {
        return;
    }
    session->is_unsure = true;
    session->sure_until = true_until;
    session->cause = session->is_put_off ? session->cause : cause;
    session->unsure_next = NULL;
    session->unsure_previous = world->unsure_last;
    if (world->unsure_last != NULL) {
        world->unsure_last->unsure_next = session;
    } else {
        world->unsure_first = session;
    }
    world->unsure_last = session;
    world->unsure_fresh = world->unsure_fresh != NULL ? world->unsure_fresh : session;
}

void rp_unsure_remove(rp_session_t *session)
{
    rp_world_t *world = session->world;
    if (!session->is_unsure) {
        return;
    }
    if (world->unsure_fresh == session) {
        world->unsure_fresh = session->unsure_next;
    }
    if (session->unsure_previous != NULL) {
        session->unsure_previous->unsure_next = session->unsure_next;
    } else {
        world->unsure_first = session->unsure_next;
    }
    if (session->unsure_next != NULL) {
        session->unsure_next->unsure_previous = session->unsure_previous;
    } else {
        world->unsure_last = session->unsure_previous;
    }
    session->is_unsure = false;
}

void rp_said_add(rp_said_queue_t *self, rp_session_t *session)
{
    if (session->is_said) {
        return;
    }
    session->is_said = true;
    session->said_next = NULL;
    session->said_previous = self->last;
    if (self->last != NULL) {
        self->last->said_next = session;
    } else {
        self->first = session;
    }
    self->last = session;
}

void rp_said_remove(rp_said_queue_t *self, rp_session_t *session)
{
    if (!session->is_said) {
        return;
    }
    if (session->said_previous != NULL) {
        session->said_previous->said_next = session->said_next;
    } else {
        self->first = session->said_next;
    }
    if (session->said_next != NULL) {
        session->said_next->said_previous = session->said_previous;
    } else {
        self->last = session->said_previous;
    }
    session->is_said = false;
}
