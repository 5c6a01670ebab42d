/// @file
/// Void cells: cells of a field whose d no neighbour supports any more, so that it has to rise.
///
/// They are listed in the order in which this was found out, which is by their old d. Most paths
/// that become dearer go round some obstacle and then on as before. So the cells get a new d in the
/// same order, each the least that its neighbours offer, void cells earlier in the list included.
/// Nearly every d is final then, without a priority queue. Where it is not, some neighbour can
/// still lower it; that neighbour is put into the queue of lowered cells, and the field's usual
/// spreading does the rest.
///
/// Invariant: the node of a void cell belongs to no build, so the cell is unknown and offers
/// nothing. Its mark says whether it waited before. If it did not, none of its neighbours is
/// unknown to the field. A change may give a listed cell a d before its turn comes: it is void no
/// more, and as others may build on that d, it must not rise.
#ifndef REPLAN_PLANNERS_FIELD_AFFECTED_H
#define REPLAN_PLANNERS_FIELD_AFFECTED_H

#include "planners/field/decrease_queue.h"
#include "planners/field/gather.h"
#include "planners/field/roots.h"

typedef struct rp_affected {
    rp_cell_t *cells; ///< owned [count]
    uint32_t count;
    uint32_t filled; ///< the first of them that have a new d
    bool are_late;   ///< the grid changed since they were found: every new d must be offered on
    uint32_t peak;   ///< greatest count so far
} rp_affected_t;

static inline void rp_affected_init(rp_affected_t *self, uint32_t cells, rp_arena_t *arena)
{
    *self = (rp_affected_t){.cells = rp_arena_new(arena, cells, sizeof *self->cells)};
    rp_arena_note(arena, &self->peak, &self->peak, sizeof *self->cells);
}

/// Drop the list: the field begins anew.
static inline void rp_affected_forget(rp_affected_t *self)
{
    self->count = 0;
    self->filled = 0;
    self->are_late = false;
}

/// The grid changes while there are void cells. As these offer nothing, cells that take in the
/// change may get too great a d. So each void cell that has no new d yet will wait when it gets
/// one, and offer it to all of its neighbours.
static inline void rp_affected_be_late(rp_affected_t *self)
{
    self->are_late = self->count != 0;
}

/// Make a cell void. Not after rp_affected_fill() has begun, until the list is empty again.
static inline void rp_affected_add(rp_affected_t *self, const rp_field_t *field, rp_cell_t cell)
{
    rp_node_t *node = &field->nodes[cell];
    *node = (rp_node_t){RP_COST_INF, node->mark & RP_NODE_CLOSED};
    self->cells[self->count++] = cell;
    self->peak = self->count > self->peak ? self->count : self->peak;
}

/// The least d that the neighbours offer, or the offset if the cell is a goal.
RP_GATHER_INLINE rp_cost_t rp_affected_offer(const rp_field_t *field, const rp_roots_t *roots,
                                             bool is_plain, rp_cell_t cell,
                                             const rp_gather_t *around)
{
    const rp_cost_t by_ending = rp_roots_cost(roots, cell);
    const rp_cost_t by_others = rp_gather_offer(around, field, is_plain, cell);
    return by_ending < by_others ? by_ending : by_others;
}

/// The same, of a cell whose neighbours were not gathered yet.
static inline rp_cost_t rp_affected_offered(const rp_field_t *field, const rp_roots_t *roots,
                                            rp_cell_t cell)
{
    const rp_gather_t around = rp_gather_of(field, false, cell);
    return rp_affected_offer(field, roots, false, cell, &around);
}

/// Give each void cell the least d that it is offered, and put those that can lower a neighbour
/// into `lowered`. An offer of a cell that is in doubt may be too small; if that cell becomes void
/// later, the cells that took the offer come into doubt.
/// @return false when the budget was spent first
RP_GATHER_INLINE bool rp_affected_fill(rp_affected_t *self, rp_field_t *field,
                                       const rp_roots_t *roots, rp_buckets_t *lowered,
                                       bool is_plain, uint64_t *budget)
{
    while (self->filled < self->count) {
        if (*budget == 0) {
            return false;
        }
        --*budget;
        const rp_cell_t cell = self->cells[self->filled++];
        const rp_gather_t around = rp_gather_of(field, is_plain, cell);
        const bool is_blocked = self->are_late && field->grid->factor[cell] == 0;
        const rp_cost_t d =
            is_blocked ? RP_COST_INF : rp_affected_offer(field, roots, is_plain, cell, &around);
        if (self->are_late && rp_field_at(field, cell) != RP_COST_INF) {
            rp_field_lower(field, cell, rp_point_of(field->grid, cell), d);
            continue;
        }
        rp_node_t *node = &field->nodes[cell];
        const bool has_told = node->mark == RP_NODE_CLOSED && !self->are_late;
        const bool is_inside = d != RP_COST_INF && d + field->shift <= field->limit;
        const bool is_right =
            d == RP_COST_INF ||
            (has_told && is_inside &&
             (around.known & rp_gather_better(&around, field, is_plain, cell, d)) == 0);
        if (is_right) {
            *node = (rp_node_t){d, field->build | RP_NODE_CLOSED};
        } else {
            rp_decrease_queue_put(lowered, field, cell, d);
        }
    }
    rp_affected_forget(self);
    return true;
}

#endif
