/// Which form suits a grid, what binding it takes, and what its memory makes of an expansion.
#include "planners/core/instance.h"

#include <stdlib.h>
#include <string.h>

#include "planners/core/family.h"
#include "planners/grid/cost.h"

/// A grid of so many cells is larger than the caches; one of so many takes thousands of pages.
#define LARGE_FROM ((uint32_t)1 << 20)
#define VAST_FROM  ((uint32_t)1 << 22)

/// What an expansion takes on a large grid, where a slice meets a few megabytes at most, and on a
/// vast one in memory that none has met: of a search that goes on, and of one that has expanded so
/// few cells that it may lead straight away.
#define LARGE_PRICE 4u
#define FRESH_PRICE 16u
#define EARLY_PRICE 64u
#define EARLY_MOST  16384u

// ---- binding

static const rp_planner_ops_t *ops_for(const rp_instance_t *self, const rp_grid_t *grid,
                                       uint32_t greatest_offset)
{
    const bool fits = rp_cost_fits_32(grid) && rp_offset_fits_32(grid, greatest_offset);
    return fits ? self->member->with_32_bits : self->member->with_64_bits;
}

rp_status_t rp_instance_bind(rp_instance_t *self, const rp_grid_t *grid, uint32_t greatest_offset)
{
    const rp_planner_ops_t *ops = ops_for(self, grid, greatest_offset);
    const uint32_t needed = rp_family_needs(grid);
    if ((ops->info.capabilities & needed) != needed) {
        return RP_E_UNSUPPORTED;
    }
    const rp_status_t status = rp_member_bind(ops, self->state, grid, &self->options, &self->arena);
    if (status != RP_OK) {
        return status;
    }
    self->ops = ops;
    self->grid = grid;
    self->scale = grid->scale;
    self->offset = greatest_offset;
    self->met_bytes = 0;
    return RP_OK;
}

void rp_instance_unbind(rp_instance_t *self, rp_deferred_free_t *deferred_free)
{
    if (self->grid != NULL) {
        rp_member_unbind(self->ops, self->state, &self->arena, deferred_free);
        self->grid = NULL;
    }
}

bool rp_instance_holds(const rp_instance_t *self, uint32_t greatest_offset)
{
    return self->ops == ops_for(self, self->grid, greatest_offset);
}

// ---- what a walk costs, what an expansion takes

uint64_t rp_instance_units(const rp_instance_t *self, const rp_walk_t *walk, uint32_t offset)
{
    const rp_grid_t *grid = self->grid;
    const uint64_t straight = grid->shape.neighbors == 8 ? RP_STRAIGHT : 1u;
    const uint64_t sum = straight * walk->factors[0] + RP_DIAGONAL * walk->factors[1];
    const uint64_t unit = 2u * (uint64_t)grid->shape.unit;
    return grid->weighted ? sum + offset * straight * unit : sum / unit + offset * straight;
}

/// A search of another kind than those before, or a much wider one, holds more than they did.
static bool is_fresh(const rp_instance_t *self)
{
    return rp_arena_bytes(&self->arena) > self->met_bytes + self->met_bytes / 4u;
}

uint32_t rp_instance_price(const rp_instance_t *self, uint64_t expanded)
{
    if (self->grid == NULL || self->grid->cell_count < LARGE_FROM) {
        return 1;
    }
    if (self->grid->cell_count < VAST_FROM || !is_fresh(self)) {
        return LARGE_PRICE;
    }
    return expanded < EARLY_MOST ? EARLY_PRICE : FRESH_PRICE;
}

// ---- birth and death

void rp_instance_fini(rp_instance_t *self)
{
    rp_instance_unbind(self, NULL);
    free(self->state);
    *self = (rp_instance_t){0};
}

rp_status_t rp_instance_init(rp_instance_t *self, const char *id,
                             const rp_member_options_t *options)
{
    const rp_planner_member_t *member = rp_family_find(id);
    if (member == NULL) {
        return RP_E_UNKNOWN;
    }
    if (!rp_family_fits(member->with_32_bits->info.capabilities, options)) {
        return RP_E_UNSUPPORTED;
    }
    const size_t small = member->with_32_bits->state_bytes;
    const size_t large = member->with_64_bits->state_bytes;
    void *state = calloc(1, small > large ? small : large);
    if (state == NULL) {
        return RP_E_MEMORY;
    }
    *self = (rp_instance_t){
        .ops = member->with_32_bits, .state = state, .member = member, .options = *options};
    return RP_OK;
}
