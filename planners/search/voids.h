/// @file
/// Cells of a field whose d nobody vouches for any more, and how they get another one.
///
/// They stand in a list in the order in which that was found out, least d first. What rises goes
/// round something as a rule, and then on the same way as before: so each takes, in this order, the
/// least that its neighbours offer, those before it in the list among them. Nearly all are right at
/// once, and need no queue. Who is not is found by one that could make it better, which waits in
/// the field then, like a cell that was lowered, to tell its neighbours.
///
/// Invariant: a void cell is of no build, so it offers nothing, and nobody waits for it to hear;
/// its mark says whether it had told its neighbours before. One that had has none that is unknown.
#ifndef REPLAN_SEARCH_VOIDS_H
#define REPLAN_SEARCH_VOIDS_H

#include "planners/search/around.h"
#include "planners/search/endings.h"
#include "planners/search/lowered.h"

typedef struct rp_voids {
    rp_cell_t *cells; ///< owned [count]
    uint32_t count;
    uint32_t filled; ///< so many of them have a new d
    bool are_late;   ///< the ground changed since they were found: none is right at once
    uint32_t peak;   ///< greatest count so far
} rp_voids_t;

static inline void rp_voids_fini(rp_voids_t *self, uint32_t cells, rp_rubble_t *rubble)
{
    rp_memory_free(self->cells, cells, sizeof *self->cells, rubble);
    *self = (rp_voids_t){0};
}

static inline rp_status_t rp_voids_init(rp_voids_t *self, uint32_t cells)
{
    *self = (rp_voids_t){.cells = rp_memory_new(cells, sizeof *self->cells)};
    return self->cells != NULL ? RP_OK : RP_E_MEMORY;
}

/// The field begins anew.
static inline void rp_voids_forget(rp_voids_t *self)
{
    self->count = 0;
    self->filled = 0;
    self->are_late = false;
}

/// The ground changes. Nothing is offered by void cells, so who hears of it hears too little: those
/// that have no d yet tell all their neighbours when they have one.
static inline void rp_voids_be_late(rp_voids_t *self)
{
    self->are_late = self->count != 0;
}

/// A cell has no d any more. None has been filled since the list was empty.
static inline void rp_voids_add(rp_voids_t *self, const rp_field_t *field, rp_cell_t cell)
{
    rp_node_t *node = &field->nodes[cell];
    *node = (rp_node_t){RP_COST_INF, node->mark & RP_NODE_CLOSED};
    self->cells[self->count++] = cell;
    self->peak = self->count > self->peak ? self->count : self->peak;
}

/// The least d that the neighbours offer, or that ending here costs.
RP_AROUND_INLINE rp_cost_t rp_voids_offer(const rp_field_t *field, const rp_endings_t *endings,
                                          bool is_plain, rp_cell_t cell, const rp_around_t *around)
{
    const rp_cost_t by_ending = rp_endings_cost(endings, cell);
    const rp_cost_t by_others = rp_around_offer(around, field, is_plain, cell);
    return by_ending < by_others ? by_ending : by_others;
}

/// Each takes what it is offered; who may make another one better waits among the lowered ones. By
/// cells that are in doubt still it may be too little: these, when they become void, put in doubt
/// who believed them.
/// @return false when the budget was spent first
RP_AROUND_INLINE bool rp_voids_fill(rp_voids_t *self, rp_field_t *field,
                                    const rp_endings_t *endings, rp_steps_t *lowered, bool is_plain,
                                    uint64_t *budget)
{
    while (self->filled < self->count) {
        if (*budget == 0) {
            return false;
        }
        --*budget;
        const rp_cell_t cell = self->cells[self->filled++];
        const rp_around_t around = rp_around_of(field, is_plain, cell);
        const bool is_blocked = self->are_late && field->grid->factor[cell] == 0;
        const rp_cost_t d =
            is_blocked ? RP_COST_INF : rp_voids_offer(field, endings, is_plain, cell, &around);
        rp_node_t *node = &field->nodes[cell];
        const bool has_told = node->mark == RP_NODE_CLOSED && !self->are_late;
        const bool is_inside = d != RP_COST_INF && d + field->shift <= field->limit;
        const bool is_right =
            d == RP_COST_INF ||
            (has_told && is_inside &&
             (around.known & rp_around_better(&around, field, is_plain, cell, d)) == 0);
        if (is_right) {
            *node = (rp_node_t){d, field->build | RP_NODE_CLOSED};
        } else {
            rp_lowered_put(lowered, field, cell, d);
        }
    }
    rp_voids_forget(self);
    return true;
}

static inline uint64_t rp_voids_bytes(const rp_voids_t *self)
{
    return (uint64_t)self->peak * sizeof *self->cells;
}

#endif
