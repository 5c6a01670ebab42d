/// @file
/// A cut: a proof that there is no path. It is a set of cells that no legal step leaves, with one
/// end of the path in it and the other end outside. It remains a proof until a cell beside the set
/// is freed, which takes four reads for each freed cell to see, whatever the size of the world.
///
/// Without corner cutting diagonal steps connect nothing that straight steps do not, so the set is
/// flooded by straight steps alone. A search that ran out of cells has met such a set already,
/// which is used as it is.
#ifndef REPLAN_PLANNERS_FIELD_DISCONNECTION_H
#define REPLAN_PLANNERS_FIELD_DISCONNECTION_H

#include <string.h>

#include "base/bits.h"
#include "planners/open/nodes.h"
#include "replan/grid.h"
#include "replan/trace.h"

/// A set of more cells than one in so many is forgotten by clearing all bits, not its own.
#define RP_DISCONNECTION_FEW 128u

typedef enum rp_disconnection_state {
    RP_DISCONNECTION_NONE,    ///< nothing is known
    RP_DISCONNECTION_GROWING, ///< the set is being flooded
    RP_DISCONNECTION_MET,     ///< the flood met cells that the other end reaches: there is no cut
    RP_DISCONNECTION_CLOSED,  ///< no step leaves the set
} rp_disconnection_state_t;

typedef struct rp_disconnection {
    uint8_t *bits;    ///< by cell, one bit: it is in the set
    rp_cell_t *cells; ///< the set, in the order met [capacity]
    const rp_node_t
        *nodes; ///< borrowed: the set is what `search` wrote there; NULL: what is in `bits`
    uint32_t search;
    uint32_t next;  ///< first cell whose neighbours were not looked at
    uint32_t count; ///< of `cells`
    uint32_t peak;
    uint32_t capacity;
    rp_disconnection_state_t state;
} rp_disconnection_t;

static inline bool rp_disconnection_has(const rp_disconnection_t *self, rp_cell_t cell)
{
    return self->nodes != NULL ? rp_node_is_of(&self->nodes[cell], self->search)
                               : rp_bits_has(self->bits, cell);
}

/// True when it is proven that no path leads between these two.
static inline bool rp_disconnection_parts(const rp_disconnection_t *self, rp_cell_t a, rp_cell_t b)
{
    return self->state == RP_DISCONNECTION_CLOSED &&
           rp_disconnection_has(self, a) != rp_disconnection_has(self, b);
}

static inline void rp_disconnection_add(rp_disconnection_t *self, rp_cell_t cell)
{
    if (!rp_disconnection_has(self, cell)) {
        rp_bits_set(self->bits, cell, true);
        self->cells[self->count++] = cell;
        self->peak = self->count > self->peak ? self->count : self->peak;
    }
}

/// Empty the set. It takes a part of the time in which it was flooded.
static inline void rp_disconnection_forget_(rp_disconnection_t *self)
{
    if (self->count > self->capacity / RP_DISCONNECTION_FEW) {
        memset(self->bits, 0, self->capacity / 8u + 1u);
        self->count = 0;
    }
    while (self->count != 0) {
        rp_bits_set(self->bits, self->cells[--self->count], false);
    }
}

/// Begin with a set of one cell.
static inline void rp_disconnection_begin(rp_disconnection_t *self, rp_cell_t root)
{
    rp_disconnection_forget_(self);
    self->nodes = NULL;
    self->next = 0;
    self->state = RP_DISCONNECTION_GROWING;
    rp_disconnection_add(self, root);
}

/// Use what a search has met as the set. The search left nothing out, and its OPEN is empty.
/// @param nodes   of that search; borrowed until rp_disconnection_let_go() [capacity]
/// @param search  its number
static inline void rp_disconnection_take(rp_disconnection_t *self, const rp_node_t *nodes,
                                         uint32_t search)
{
    self->nodes = nodes;
    self->search = search;
    self->state = RP_DISCONNECTION_CLOSED;
}

/// Before the next search: give back what rp_disconnection_take() borrowed, and the proof with it.
static inline void rp_disconnection_let_go(rp_disconnection_t *self)
{
    if (self->nodes != NULL) {
        self->nodes = NULL;
        self->state = RP_DISCONNECTION_NONE;
    }
}

/// Go on flooding, by the neighbours of at most `most` cells.
/// @param others        nodes of a search from the other end, at whose cells the flood gives up
///                      [cells]; NULL: none
/// @param other_search  its number
static inline void rp_disconnection_grow(rp_disconnection_t *self, const rp_grid_t *grid,
                                         uint32_t most, const rp_node_t *others,
                                         uint32_t other_search)
{
    for (uint32_t i = 0; i < most; i++) {
        if (self->next == self->count) {
            self->state = RP_DISCONNECTION_CLOSED;
            return;
        }
        const rp_cell_t cell = self->cells[self->next++];
        if (others != NULL && rp_node_is_of(&others[cell], other_search)) {
            self->state = RP_DISCONNECTION_MET;
            return;
        }
        for (unsigned moves = grid->moves[cell] & 0x55u; moves != 0; moves &= moves - 1u) {
            rp_disconnection_add(self, rp_grid_step(grid, cell, (unsigned)__builtin_ctz(moves)));
        }
    }
}

#ifdef REPLAN_TRACE
/// Tell the cells whose neighbours were looked at since.
/// @param before  `next` of that time
static inline void rp_disconnection_trace(const rp_disconnection_t *self, uint32_t before)
{
    for (uint32_t i = before; i < self->next; i++) {
        rp_trace(self->cells[i], RP_TRACE_EXPANDED);
    }
}
#endif

/// True when a straight step leads from the set to this cell.
static inline bool rp_disconnection_is_beside(const rp_disconnection_t *self, const rp_grid_t *grid,
                                              rp_cell_t cell)
{
    for (unsigned straight = 0; straight < RP_DIRECTIONS; straight += 2u) {
        if (rp_disconnection_has(self, rp_grid_step(grid, cell, straight))) {
            return true;
        }
    }
    return false;
}

/// Take in a batch. A set that is still growing is void then; a closed one if a cell beside it was
/// freed.
static inline void rp_disconnection_apply(rp_disconnection_t *self, const rp_grid_t *grid,
                                          const rp_change_t *changes, size_t count)
{
    if (self->state != RP_DISCONNECTION_CLOSED) {
        self->state = RP_DISCONNECTION_NONE;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (changes[i].before == 0 && rp_disconnection_is_beside(self, grid, changes[i].cell)) {
            self->state = RP_DISCONNECTION_NONE;
        }
    }
}

static inline void rp_disconnection_init(rp_disconnection_t *self, const rp_grid_t *grid,
                                         rp_arena_t *arena)
{
    const uint32_t cells = grid->cell_count;
    *self = (rp_disconnection_t){.capacity = cells};
    self->bits = rp_bits_new(arena, cells);
    self->cells = rp_arena_new_sparse(arena, cells, sizeof *self->cells);
    rp_arena_note(arena, &self->peak, &self->peak, sizeof *self->cells);
}

#endif
