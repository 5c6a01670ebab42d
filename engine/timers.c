/// Binary heaps that note the place of each entry. Place 0 stays empty: a session with place 0 has
/// no timer.
#include "engine/timers.h"

#include <stdlib.h>

static void put(rp_session_t **heap, uint32_t place, rp_session_t *session)
{
    heap[place] = session;
    session->schedule.timer_place = place;
}

static void sift_up(rp_session_t **heap, uint32_t place)
{
    rp_session_t *session = heap[place];
    while (place > 1 && heap[place / 2]->schedule.look_us > session->schedule.look_us) {
        put(heap, place, heap[place / 2]);
        place /= 2;
    }
    put(heap, place, session);
}

static void lower(rp_session_t **heap, uint32_t count, uint32_t place)
{
    rp_session_t *session = heap[place];
    for (uint32_t child; (child = 2 * place) <= count; place = child) {
        if (child < count && heap[child + 1]->schedule.look_us < heap[child]->schedule.look_us) {
            child++;
        }
        if (heap[child]->schedule.look_us >= session->schedule.look_us) {
            break;
        }
        put(heap, place, heap[child]);
    }
    put(heap, place, session);
}

static void take_out(rp_timers_t *self, rp_session_t *session)
{
    const rp_timer_kind_t kind = session->schedule.timer_kind;
    rp_session_t **heap = self->heaps[kind];
    const uint32_t place = session->schedule.timer_place;
    rp_session_t *last = heap[self->counts[kind]--];
    session->schedule.timer_place = 0;
    session->schedule.look_us = RP_NEVER_US;
    if (last != session) {
        put(heap, place, last);
        sift_up(heap, place);
        lower(heap, self->counts[kind], last->schedule.timer_place);
    }
}

void rp_timers_set(rp_timers_t *self, rp_session_t *session, uint64_t look_us)
{
    if (session->schedule.timer_place != 0) {
        take_out(self, session);
    }
    session->schedule.look_us = look_us;
    if (look_us != RP_NEVER_US) {
        const rp_timer_kind_t kind =
            rp_session_is_unsure(session) ? RP_TIMER_DEADLINE : RP_TIMER_LOOK;
        session->schedule.timer_kind = (uint8_t)kind;
        put(self->heaps[kind], ++self->counts[kind], session);
        sift_up(self->heaps[kind], self->counts[kind]);
    }
}

static uint64_t next_of(const rp_timers_t *self, rp_timer_kind_t kind)
{
    return self->counts[kind] != 0 ? self->heaps[kind][1]->schedule.look_us : RP_NEVER_US;
}

uint64_t rp_timers_next_us(const rp_timers_t *self)
{
    const uint64_t look_us = next_of(self, RP_TIMER_LOOK);
    const uint64_t deadline_us = next_of(self, RP_TIMER_DEADLINE);
    return look_us < deadline_us ? look_us : deadline_us;
}

rp_session_t *rp_timers_take(rp_timers_t *self, rp_timer_kind_t kind, uint64_t now_us)
{
    if (self->counts[kind] == 0 || next_of(self, kind) > now_us) {
        return NULL;
    }
    rp_session_t *session = self->heaps[kind][1];
    take_out(self, session);
    return session;
}

rp_status_t rp_timers_reserve(rp_timers_t *self, uint32_t count)
{
    if (count < self->capacity) {
        return RP_OK;
    }
    const uint32_t capacity = 2u * count + 16u;
    for (unsigned kind = 0; kind < RP_TIMER_KINDS; kind++) {
        rp_session_t **heap = realloc(self->heaps[kind], capacity * sizeof(rp_session_t *));
        if (heap == NULL) {
            return RP_E_MEMORY; // what became longer stays so
        }
        self->heaps[kind] = heap;
    }
    self->capacity = capacity;
    return RP_OK;
}

void rp_timers_fini(rp_timers_t *self)
{
    for (unsigned kind = 0; kind < RP_TIMER_KINDS; kind++) {
        free(self->heaps[kind]);
    }
    *self = (rp_timers_t){0};
}
