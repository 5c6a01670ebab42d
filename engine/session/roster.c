/// A list through the sessions themselves.
#include "engine/session/roster.h"

#include <stdlib.h>

/// What a version may take that asks sessions, as much as a step.
#define TESTS_AT_ONCE 8192u

rp_roster_t *rp_roster_new(void)
{
    rp_roster_t *self = calloc(1, sizeof *self);
    if (self != NULL) {
        self->tests_at_once = TESTS_AT_ONCE;
    }
    return self;
}

void rp_roster_destroy(rp_roster_t **self)
{
    free(*self);
    *self = NULL;
}

void rp_roster_add(rp_session_t *session)
{
    rp_roster_t *self = session->world->roster;
    session->world_next = self->sessions;
    if (self->sessions != NULL) {
        self->sessions->world_previous = session;
    }
    self->sessions = session;
}

void rp_roster_remove(rp_session_t *session)
{
    if (session->world_previous != NULL) {
        session->world_previous->world_next = session->world_next;
    } else {
        session->world->roster->sessions = session->world_next;
    }
    if (session->world_next != NULL) {
        session->world_next->world_previous = session->world_previous;
    }
}
