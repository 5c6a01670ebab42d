/// A binary heap with places. Place 0 stays empty: a session whose place is 0 has no alarm.
#include "engine/alarms.h"

#include <stdlib.h>

static void put(rp_alarms_t *self, uint32_t place, rp_session_t *session)
{
    self->heap[place] = session;
    session->alarm_place = place;
}

static void lift(rp_alarms_t *self, uint32_t place)
{
    rp_session_t *session = self->heap[place];
    while (place > 1 && self->heap[place / 2]->look_us > session->look_us) {
        put(self, place, self->heap[place / 2]);
        place /= 2;
    }
    put(self, place, session);
}

static void lower(rp_alarms_t *self, uint32_t place)
{
    rp_session_t *session = self->heap[place];
    for (uint32_t child; (child = 2 * place) <= self->count; place = child) {
        if (child < self->count && self->heap[child + 1]->look_us < self->heap[child]->look_us) {
            child++;
        }
        if (self->heap[child]->look_us >= session->look_us) {
            break;
        }
        put(self, place, self->heap[child]);
    }
    put(self, place, session);
}

static void take_out(rp_alarms_t *self, rp_session_t *session)
{
    const uint32_t place = session->alarm_place;
    rp_session_t *last = self->heap[self->count--];
    session->alarm_place = 0;
    session->look_us = RP_NEVER_US;
    if (last != session) {
        put(self, place, last);
        lift(self, place);
        lower(self, last->alarm_place);
    }
}

void rp_alarms_set(rp_alarms_t *self, rp_session_t *session, uint64_t look_us)
{
    if (session->alarm_place != 0) {
        take_out(self, session);
    }
    session->look_us = look_us;
    if (look_us != RP_NEVER_US) {
        put(self, ++self->count, session);
        lift(self, self->count);
    }
}

uint64_t rp_alarms_next_us(const rp_alarms_t *self)
{
    return self->count != 0 ? self->heap[1]->look_us : RP_NEVER_US;
}

rp_session_t *rp_alarms_take(rp_alarms_t *self, uint64_t now_us)
{
    if (rp_alarms_next_us(self) > now_us) {
        return NULL;
    }
    if (self->count == 0) {
        return NULL; // now is RP_NEVER_US itself
    }
    rp_session_t *session = self->heap[1];
    take_out(self, session);
    return session;
}

rp_status_t rp_alarms_reserve(rp_alarms_t *self, uint32_t count)
{
    if (count < self->capacity) {
        return RP_OK;
    }
    const uint32_t capacity = 2u * count + 16u;
    rp_session_t **heap = realloc(self->heap, capacity * sizeof(rp_session_t *));
    if (heap == NULL) {
        return RP_E_MEMORY;
    }
    self->heap = heap;
    self->capacity = capacity;
    return RP_OK;
}

void rp_alarms_fini(rp_alarms_t *self)
{
    free(self->heap);
    *self = (rp_alarms_t){0};
}
