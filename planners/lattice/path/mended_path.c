#include "planners/lattice/path/mended_path.h"

/// Expansions of one search before it is the other one's turn.
#define TURN 16u

void rp_mended_path_begin(rp_mended_path_t *self, uint32_t percent, uint32_t driven)
{
    const rp_lattice_search_t *old = self->old;
    self->is_used =
        self->kept->proved != 0 && old->percent <= percent &&
        (self->search.set != NULL || rp_lattice_search_init(&self->search, old->set, old->ground,
                                                            old->obstacles, old->field) == RP_OK);
    self->search.field_most = old->field_most;
    self->search.simd = old->simd;
    self->percent = percent;
    self->driven = self->kept->driven + driven;
    self->proves = false;
    self->turn_left = TURN;
    self->proved = 0;
}

/// The cost that the old search is to go on to, so that it proves that the path is within the
/// bound. @return 0: it cannot prove that
static uint32_t target_of(const rp_mended_path_t *self)
{
    const uint64_t w = 100u + self->percent;
    const uint64_t least =
        ((uint64_t)self->search.best * 100u + w - 1u) / w + self->driven; // of whole paths
    return self->search.has_path && least <= self->kept->proved
               ? (uint32_t)(least * (100u + self->old->percent) / 100u) + 1u
               : 0;
}

static void begin_turn(rp_mended_path_t *self)
{
    const uint32_t target = target_of(self);
    self->turn_left = TURN;
    self->proves = target != 0 && !self->proves;
    if (self->proves) {
        rp_lattice_search_prove(self->old, target);
    }
}

rp_status_t rp_mended_path_work(rp_mended_path_t *self, uint64_t *budget)
{
    rp_status_t status = RP_MORE;
    if (!self->is_used) {
        return rp_lattice_search_work(self->old, budget);
    }
    while (*budget != 0 && status == RP_MORE) {
        const uint64_t slice = *budget < self->turn_left ? *budget : self->turn_left;
        uint64_t left = slice;
        status = rp_lattice_search_work(self->proves ? self->old : &self->search, &left);
        *budget -= slice - left;
        self->turn_left -= slice - left;
        self->proved += self->proves ? slice - left : 0;
        if (status == RP_MORE && self->turn_left == 0) {
            begin_turn(self);
        }
    }
    return status;
}

uint64_t rp_mended_path_expanded(rp_mended_path_t *self)
{
    return rp_mended_path_searching(self)->counts.expanded + (self->is_used ? self->proved : 0);
}

uint32_t rp_mended_path_bound(const rp_mended_path_t *self)
{
    const uint32_t known = rp_lattice_search_bound(self->old);
    if (!self->is_used) {
        return known;
    }
    const uint32_t whole = known < self->kept->proved ? known : self->kept->proved;
    const uint32_t by_old = whole > self->driven ? whole - self->driven : 0;
    const uint32_t by_new = self->proves ? 0 : rp_lattice_search_bound(&self->search);
    return by_old > by_new ? by_old : by_new;
}

void rp_mended_path_keep(rp_mended_path_t *self, uint32_t cost, uint32_t x, uint32_t y)
{
    if (self->is_used && self->proves) {
        rp_kept_path_go_on(self->kept, cost, self->percent, self->driven, x, y);
        return;
    }
    if (self->is_used) {
        const rp_lattice_search_t old = *self->old;
        *self->old = self->search;
        self->search = old;
    }
    rp_kept_path_begin(self->kept, self->old, cost, x, y);
}
