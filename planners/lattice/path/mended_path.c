#include "planners/lattice/path/mended_path.h"

/// Expansions before it is looked whether the path is proved.
#define TURN 16u

void rp_mended_path_begin(rp_mended_path_t *self, uint32_t percent, uint32_t driven)
{
    const rp_lattice_search_t *old = self->old;
    self->is_used =
        self->kept->proved != 0 && old->percent == 0 && self->kept->was_searched &&
        (self->search.set != NULL || rp_lattice_search_init(&self->search, old->set, old->ground,
                                                            old->obstacles, old->field) == RP_OK);
    self->search.field_most = old->field_most;
    self->search.simd = old->simd;
    self->percent = percent;
    self->driven = self->kept->driven + driven;
    self->is_proved = false;
    self->turn_left = TURN;
}

/// True when the old search has proved that the path is within the bound.
static bool is_proved(const rp_mended_path_t *self)
{
    const uint64_t w = 100u + self->percent;
    const uint64_t least =
        ((uint64_t)self->search.best * 100u + w - 1u) / w + self->driven; // of whole paths
    return self->search.has_path && least <= self->kept->proved;
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
        status = rp_lattice_search_work(&self->search, &left);
        *budget -= slice - left;
        self->turn_left -= slice - left;
        if (status == RP_MORE && self->turn_left == 0) {
            self->turn_left = TURN;
            self->is_proved = is_proved(self);
            status = self->is_proved ? RP_OK : RP_MORE;
        }
    }
    return status;
}

uint32_t rp_mended_path_bound(const rp_mended_path_t *self)
{
    if (!self->is_used) {
        return rp_lattice_search_bound(self->old);
    }
    const uint32_t by_old =
        self->kept->proved > self->driven ? self->kept->proved - self->driven : 0;
    const uint32_t by_new = self->is_proved ? 0 : rp_lattice_search_bound(&self->search);
    return by_old > by_new ? by_old : by_new;
}

void rp_mended_path_keep(rp_mended_path_t *self, uint32_t cost, uint32_t x, uint32_t y)
{
    if (self->is_used && self->is_proved) {
        rp_kept_path_go_on(self->kept, cost, self->percent, self->driven, x, y);
        return;
    }
    if (self->is_used) { // each arena counts the other one's OPEN then: the sum of both is right
        const rp_lattice_search_t old = *self->old;
        *self->old = self->search;
        self->search = old;
    }
    rp_kept_path_begin(self->kept, self->old, cost, x, y);
}
