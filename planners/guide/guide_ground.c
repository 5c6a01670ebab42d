#include "planners/guide/guide_ground.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/budget.h"

/// Cells that are read in the time of an expansion.
#define CELLS_EACH 64u

/// Room for more waiting cells than this is given back when none is left.
#define ROOM_KEPT 4096u

static size_t waits_bytes(const rp_grid_t *grid)
{
    return grid->cell_count / 8u + 1u;
}

rp_status_t rp_guide_ground_init(rp_guide_ground_t *self, const rp_grid_t *grid, uint32_t reach,
                                 double body, uint32_t spread)
{
    *self = (rp_guide_ground_t){.grid = grid, .body = body, .spread = spread};
    self->waits = rp_memory_new_sparse(waits_bytes(grid), 1);
    if (self->waits == NULL || rp_obstacles_init(&self->obstacles, grid, reach) != RP_OK) {
        rp_guide_ground_fini(self);
        return RP_E_MEMORY;
    }
    return rp_guide_ground_begin(self);
}

void rp_guide_ground_fini(rp_guide_ground_t *self)
{
    if (self->grid == NULL) {
        return;
    }
    rp_guide_fini(&self->guide);
    rp_obstacles_fini(&self->obstacles);
    rp_memory_free(self->waits, waits_bytes(self->grid), 1, NULL);
    free(self->waiting);
    *self = (rp_guide_ground_t){0};
}

uint64_t rp_guide_ground_bytes(const rp_guide_ground_t *self)
{
    return (uint64_t)self->obstacles.stride * self->obstacles.rows + rp_guide_bytes(&self->guide) +
           waits_bytes(self->grid) + self->waiting_capacity * sizeof *self->waiting;
}

/// Tell obstacles of the waiting cell that is the last one they have not heard of.
static void set_last(rp_guide_ground_t *self)
{
    const rp_cell_t cell = self->waiting[--self->unset].cell;
    rp_obstacles_set(&self->obstacles, rp_grid_x(self->grid, cell), rp_grid_y(self->grid, cell),
                     self->grid->factor[cell] == 0);
}

/// Nothing waits any more.
static void forget_waiting(rp_guide_ground_t *self)
{
    for (size_t i = 0; i < self->waiting_count; i++) {
        rp_bits_set(self->waits, self->waiting[i].cell, false);
    }
    self->waiting_count = 0;
    self->unset = 0;
    self->was_freed = false;
    if (self->waiting_capacity > ROOM_KEPT) {
        free(self->waiting);
        self->waiting = NULL;
        self->waiting_capacity = 0;
    }
}

rp_status_t rp_guide_ground_begin(rp_guide_ground_t *self)
{
    rp_guide_fini(&self->guide);
    while (self->unset != 0) { // their rows are read, and will not be again
        set_last(self);
    }
    forget_waiting(self);
    const rp_status_t status =
        rp_guide_init(&self->guide, self->grid, &self->obstacles, self->body, self->spread);
    self->is_lost = status != RP_OK;
    self->scale = self->grid->scale;
    return status;
}

// ---- changes

/// The layer is to hear of a cell. @return RP_E_MEMORY
static rp_status_t wait_for(rp_guide_ground_t *self, rp_cell_t cell, bool was_blocked)
{
    if (rp_bits_has(self->waits, cell)) {
        return RP_OK;
    }
    if (!rp_array_reserve(&self->waiting, &self->waiting_capacity, self->waiting_count + 1u,
                          sizeof *self->waiting)) {
        return RP_E_MEMORY;
    }
    rp_bits_set(self->waits, cell, true);
    self->waiting[self->waiting_count++] = (rp_waiting_cell_t){cell, was_blocked};
    return RP_OK;
}

rp_status_t rp_guide_ground_note(rp_guide_ground_t *self, rp_cell_t cell, bool *was_blocked,
                                 bool *blocks)
{
    const uint32_t x = rp_grid_x(self->grid, cell);
    const uint32_t y = rp_grid_y(self->grid, cell);
    *blocks = self->grid->factor[cell] == 0;
    *was_blocked = *blocks;
    if (y >= self->read) {
        return RP_OK;
    }
    *was_blocked = rp_obstacles_has(&self->obstacles, x, y);
    self->was_freed = self->was_freed || !*blocks;
    if (*blocks == *was_blocked && !self->grid->weighted) {
        return RP_OK;
    }
    const rp_status_t status = wait_for(self, cell, *was_blocked);
    if (rp_guide_is_whole(&self->guide)) {
        rp_obstacles_set(&self->obstacles, x, y, *blocks);
    } else {
        self->unset = self->waiting_count;
    }
    return status;
}

rp_status_t rp_guide_ground_tell(rp_guide_ground_t *self, uint64_t *budget)
{
    rp_status_t status = RP_OK;
    while (self->waiting_count != 0 && status == RP_OK) {
        if (*budget == 0) {
            return RP_MORE;
        }
        const rp_waiting_cell_t next = self->waiting[--self->waiting_count];
        rp_bits_set(self->waits, next.cell, false);
        status = rp_guide_apply(&self->guide, next.cell, next.was_blocked, budget);
    }
    self->is_lost = self->is_lost || status != RP_OK;
    forget_waiting(self);
    return status;
}

// ---- beginning

/// Obstacles, of which nobody knows yet. @return RP_MORE
static rp_status_t read_rows(rp_guide_ground_t *self, uint64_t *budget)
{
    const rp_grid_shape_t *shape = &self->grid->shape;
    while (self->read < shape->height) {
        if (*budget == 0) {
            return RP_MORE;
        }
        rp_obstacles_fill_row(&self->obstacles, self->grid, self->read++);
        rp_budget_pay(budget, 1u + shape->width / CELLS_EACH);
    }
    return RP_OK;
}

/// What was rewritten while the layer was made. @return RP_MORE
static rp_status_t catch_up(rp_guide_ground_t *self, uint64_t *budget)
{
    while (self->unset != 0) {
        if (*budget == 0) {
            return RP_MORE;
        }
        set_last(self);
        --*budget;
    }
    return RP_OK;
}

rp_status_t rp_guide_ground_work(rp_guide_ground_t *self, uint64_t *budget)
{
    rp_status_t status = read_rows(self, budget);
    status = status == RP_OK ? rp_guide_build(&self->guide, budget) : status;
    return status == RP_OK ? catch_up(self, budget) : status;
}
