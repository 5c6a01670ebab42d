/// Which watch still owes what to whom.
#include "daemon/serving/watches.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

// ---- one watch

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

bool rp_watch_wants(const rp_watch_t *self, const char *agent)
{
    return self->all || (self->name_count != 0 && bsearch(agent, self->names, self->name_count,
                                                          sizeof *self->names, compare_names));
}

bool rp_watch_is_dirty(const rp_watch_t *self, rp_session_id_t session)
{
    const uint32_t place = rp_id_place(session);
    const uint32_t word = place / 64u;
    return word < self->dirty.capacity && (self->dirty.words[word] >> (place % 64u) & 1u) != 0;
}

bool rp_watch_set_dirty(rp_watch_t *self, rp_session_id_t session, bool is_dirty)
{
    rp_bits_t *bits = &self->dirty;
    const uint32_t place = rp_id_place(session);
    const uint32_t word = place / 64u;
    const uint64_t bit = (uint64_t)1 << (place % 64u);
    if (word >= bits->capacity && !is_dirty) {
        return true;
    }
    if (!rp_array_reserve_zeroed(&bits->words, &bits->capacity, word + 1u, sizeof *bits->words)) {
        return false;
    }
    const bool was_dirty = (bits->words[word] & bit) != 0;
    bits->words[word] = is_dirty ? bits->words[word] | bit : bits->words[word] & ~bit;
    bits->count += (uint32_t)is_dirty - (uint32_t)was_dirty;
    return true;
}

uint32_t rp_watch_next_dirty(rp_watch_t *self)
{
    const rp_bits_t *bits = &self->dirty;
    if (bits->count == 0) {
        return UINT32_MAX;
    }
    uint32_t word = (self->next_bit / 64u) % bits->capacity;
    uint64_t left = bits->words[word] & (~(uint64_t)0 << (self->next_bit % 64u));
    while (left == 0) {
        word = word + 1u < bits->capacity ? word + 1u : 0u;
        left = bits->words[word];
    }
    const uint32_t place = word * 64u + (uint32_t)__builtin_ctzll(left);
    self->next_bit = place + 1u;
    return place;
}

void rp_watch_note_had(rp_watch_t *self, rp_session_id_t session, uint64_t path_seq)
{
    const uint32_t place = rp_id_place(session);
    const bool is_room = place < self->had_capacity;
    if (is_room || (path_seq != 0 && rp_array_reserve_zeroed(&self->had, &self->had_capacity,
                                                             place + 1u, sizeof *self->had))) {
        self->had[place] = path_seq;
    }
}

uint64_t rp_watch_had(const rp_watch_t *self, rp_session_id_t session)
{
    const uint32_t place = rp_id_place(session);
    return place < self->had_capacity ? self->had[place] : 0u;
}

static void watch_destroy(rp_watch_t *watch)
{
    free(watch->had);
    free(watch->dirty.words);
    free(watch->names);
    free(watch);
}

// ---- all of them

static bool keep_names(rp_watch_t *watch, char *const *names, size_t count)
{
    if (count == 0) {
        return true;
    }
    watch->names = calloc(count, sizeof *watch->names);
    if (watch->names == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(watch->names[i], names[i], strlen(names[i]));
    }
    qsort(watch->names, count, sizeof *watch->names, compare_names);
    watch->name_count = count;
    return true;
}

static bool mark_all_dirty(rp_watch_t *watch)
{
    const rp_agent_t *agent;
    for (agent = watch->world->agents; agent != NULL; agent = agent->hh.next) {
        if (rp_watch_wants(watch, agent->name) &&
            !rp_watch_set_dirty(watch, agent->session, true)) {
            return false;
        }
    }
    return true;
}

rp_watch_t *rp_watches_add(rp_watches_t *self, const rp_peer_t *peer, rp_served_t *world,
                           const rp_watch_options_t *options)
{
    if (self->count == RP_LIMIT_WATCHES) {
        return NULL;
    }
    rp_watch_t *watch = calloc(1, sizeof *watch);
    if (watch == NULL) {
        return NULL;
    }
    rp_peer_copy(&watch->peer, peer);
    watch->world = world;
    watch->all = options->all;
    watch->map = options->map;
    watch->splices = options->splices;
    watch->bends = options->bends;
    watch->segments = options->segments;
    watch->splices_curves = options->splices_curves;
    watch->follows = options->follows;
    watch->batch = options->batch != 0 ? options->batch : 1u;
    watch->credit = options->credit;
    watch->head_is_dirty = true;
    watch->snapshot_is_under_way = options->map;
    watch->share = rp_peer_quota_take(&self->shares, peer, 1);
    if (watch->share == NULL || !keep_names(watch, options->names, options->name_count) ||
        !mark_all_dirty(watch)) {
        rp_peer_quota_give(&self->shares, watch->share, 1);
        watch_destroy(watch);
        return NULL;
    }
    watch->id = ++self->last_id;
    self->list[self->count++] = watch;
    return watch;
}

rp_watch_t *rp_watches_driest(const rp_watches_t *self, const rp_peer_t *peer, uint64_t fed_us)
{
    const size_t own = rp_peer_quota_held(&self->shares, peer);
    const size_t least = own < RP_WATCHES_MANY ? 0u : own;
    rp_watch_t *driest = NULL;
    for (uint32_t i = 0; i < self->count; i++) {
        rp_watch_t *watch = self->list[i];
        if (watch->credit == 0 && watch->fed_us <= fed_us && watch->share->held >= least) {
            driest = watch;
            fed_us = watch->fed_us;
        }
    }
    return driest;
}

rp_watch_t *rp_watches_find(const rp_watches_t *self, const rp_peer_t *peer, uint32_t id)
{
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->list[i]->id == id && rp_peer_is_same(&self->list[i]->peer, peer)) {
            return self->list[i];
        }
    }
    return NULL;
}

rp_watch_t *rp_watches_yielder(const rp_watches_t *self, const rp_peer_t *peer)
{
    size_t most = rp_peer_quota_held(&self->shares, peer) + 1u;
    rp_watch_t *yielder = NULL;
    for (uint32_t i = 0; i < self->count; i++) {
        rp_watch_t *watch = self->list[i];
        const bool is_older =
            yielder != NULL && watch->share == yielder->share && watch->id < yielder->id;
        if (watch->share->held > most || is_older) {
            most = watch->share->held;
            yielder = watch;
        }
    }
    return yielder;
}

static void remove_at(rp_watches_t *self, uint32_t place)
{
    rp_peer_quota_give(&self->shares, self->list[place]->share, 1);
    watch_destroy(self->list[place]);
    self->list[place] = self->list[--self->count];
}

void rp_watches_remove(rp_watches_t *self, rp_watch_t *watch)
{
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->list[i] == watch) {
            remove_at(self, i);
            return;
        }
    }
}

void rp_watches_remove_peer(rp_watches_t *self, const rp_peer_t *peer)
{
    for (uint32_t i = self->count; i-- > 0;) {
        if (rp_peer_is_same(&self->list[i]->peer, peer)) {
            remove_at(self, i);
        }
    }
}

void rp_watches_remove_world(rp_watches_t *self, const rp_served_t *world)
{
    for (uint32_t i = self->count; i-- > 0;) {
        if (self->list[i]->world == world) {
            remove_at(self, i);
        }
    }
}

uint32_t rp_watches_note_answer(rp_watches_t *self, const rp_agent_t *agent)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        rp_watch_t *watch = self->list[i];
        if (watch->world == agent->world && rp_watch_wants(watch, agent->name)) {
            lost += !rp_watch_set_dirty(watch, agent->session, true);
        }
    }
    return lost;
}

void rp_watches_forget_agent(rp_watches_t *self, const rp_agent_t *agent)
{
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->list[i]->world == agent->world) {
            (void)rp_watch_set_dirty(self->list[i], agent->session, false);
            rp_watch_note_had(self->list[i], agent->session, 0);
        }
    }
}

void rp_watches_note_head(rp_watches_t *self, const rp_served_t *world)
{
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->list[i]->world == world) {
            self->list[i]->head_is_dirty = true;
        }
    }
}

void rp_watches_fini(rp_watches_t *self)
{
    while (self->count != 0) {
        remove_at(self, self->count - 1u);
    }
}
