/// @file
/// The lazy form of jump point search: a diagonal walk ends where it first sees a straight jump
/// that leads somewhere, and goes on when that place is expanded. Right in clutter, where most of
/// an eager walk is wasted. So many cells are met there that memory traffic dominates; so a cell
/// has only four bytes:
///
///     by_cell: | credit, 24 bits | directions in which it was reached with that credit, 8 bits |
///
/// The *detour* of a cell is its f less that of the root: how much longer a path through it is than
/// on open ground. It never shrinks along a path. The *credit* of a cell is ceiling - detour: more
/// is better, and 0 means not met. Each search raises the ceiling by `room`, which its detours must
/// be less than. So any credit of an older search is less than any of this one, and nothing has to
/// be cleared or stamped. Cells with longer detours are left out; if the target was not found then,
/// the search begins again with more room, or in the eager form where 24 bits do not suffice.
///
/// A cell that is reached at the same g in several directions goes into OPEN once for each, as each
/// has moves of its own.
#ifndef REPLAN_PLANNERS_JUMP_JUMP_LAZY_H
#define REPLAN_PLANNERS_JUMP_JUMP_LAZY_H

#include <string.h>

#include "planners/jump/jump_state.h"

/// Room of the first search: detours of some hundred cells.
#define RP_JUMP_LAZY_ROOM (1u << 16)

/// The direction of the root's entry in OPEN: all moves are worth it.
#define RP_JUMP_LAZY_ROOT RP_DIRECTIONS

// ---- one cell

static inline uint32_t rp_jump_lazy_credit(const rp_jump_t *self, uint32_t cell)
{
    return self->by_cell[cell] >> 8;
}

/// An entry notes what its cell costs (below base + 2^24) and one direction, as a number.
RP_JUMP_INLINE uint32_t rp_jump_lazy_note(uint32_t g, unsigned direction)
{
    return g << 4 | direction;
}

static inline bool rp_jump_lazy_is_live(const void *owner, const rp_bucket_levels_entry_t *entry)
{
    const rp_jump_t *self = owner;
    return self->lazy.ceiling - rp_jump_lazy_credit(self, rp_jump_cell(self, entry->cell)) ==
           entry->f;
}

/// A cell is reached at this cost, in this direction.
RP_JUMP_INLINE void rp_jump_lazy_reach(rp_jump_t *self, uint32_t column, uint32_t row, rp_cost_t g,
                                       unsigned direction)
{
    uint32_t *known = &self->by_cell[row * self->stride + column];
    const uint32_t detour = (uint32_t)g + rp_jump_bound(self, column, row) - self->base;
    if (__builtin_expect(detour >= self->lazy.room, 0)) {
        self->lazy.is_short = true;
        return;
    }
    const uint32_t credit = self->lazy.ceiling - detour;
    const uint32_t arrival = 1u << direction;
    const uint32_t fresh = (*known >> 8 == credit ? *known : credit << 8) | arrival;
    if (fresh <= *known) {
        return;
    }
    *known = fresh;
    self->generated++;
    if (!rp_bucket_levels_push(&self->open, detour, rp_jump_place(column, row),
                               rp_jump_lazy_note((uint32_t)g, direction), rp_jump_lazy_is_live,
                               self)) {
        self->lazy.is_short = true;
    }
}

// ---- jumps

/// Jump straight on: to the target if it lies on the way, else to where the jump ends, if that is
/// free ground.
RP_JUMP_INLINE void rp_jump_lazy_run(rp_jump_t *self, uint32_t column, uint32_t row, rp_cost_t g,
                                     unsigned direction, bool leads)
{
    const uint32_t end = rp_jump_end(self, column, row, direction, leads);
    if (end == RP_JUMP_NOWHERE) {
        return;
    }
    const bool is_row = (direction & 2u) == 0;
    const uint32_t from = is_row ? column : row;
    const uint32_t length = direction < 4u ? end - from : from - end;
    rp_jump_lazy_reach(self, is_row ? end : column, is_row ? row : end, g + RP_STRAIGHT * length,
                       direction);
}

/// Walk diagonally until a straight jump off the way leads somewhere, or a step is illegal. The
/// first step is legal.
RP_JUMP_INLINE void rp_jump_lazy_walk(rp_jump_t *self, uint32_t column, uint32_t row, rp_cost_t g,
                                      unsigned direction)
{
    const bool right = direction == 1u || direction == 7u;
    const bool down = direction == 1u || direction == 3u;
    const rp_strips_t *rows = &self->map.rows;
    const rp_strips_t *columns = &self->map.columns;
    const uint64_t *row_leads = rows->leads[right ? RP_ONWARD : RP_BACKWARD];
    const uint64_t *column_leads = columns->leads[down ? RP_ONWARD : RP_BACKWARD];
    do {
        column = right ? column + 1u : column - 1u;
        row = down ? row + 1u : row - 1u;
        g += RP_DIAGONAL;
        if (rp_jump_bit(rows, row_leads, row, column) |
            rp_jump_bit(columns, column_leads, column, row) | (row == self->target_row) |
            (column == self->target_column)) {
            rp_jump_lazy_reach(self, column, row, g, direction);
            return;
        }
    } while (
        rp_jump_bit(rows, self->map.squares, down ? row : row - 1u, right ? column : column - 1u));
}

// ---- search

RP_JUMP_INLINE void rp_jump_lazy_expand(rp_jump_t *self, uint32_t column, uint32_t row, uint32_t g,
                                        unsigned direction)
{
    const unsigned ring = rp_jump_pruning(self, column, row);
    const unsigned moves = __builtin_expect(direction == RP_JUMP_LAZY_ROOT, 0)
                               ? rp_jump_pruning_all(ring)
                               : rp_jump_pruning_moves(ring, direction);
    rp_jump_expand(self, column, row, g, moves, rp_jump_lazy_run, rp_jump_lazy_walk);
}

RP_JUMP_INLINE rp_status_t rp_jump_lazy_search_with(rp_jump_t *self, uint64_t *budget)
{
    while (*budget != 0) {
        const rp_bucket_levels_entry_t *entry = rp_bucket_levels_pop(&self->open);
        if (__builtin_expect(entry == NULL, 0)) {
            return RP_OK;
        }
        const uint32_t place = entry->cell;
        const uint32_t detour = (uint32_t)entry->f;
        const uint32_t note = entry->note;
        if (rp_jump_lazy_credit(self, rp_jump_cell(self, place)) != self->lazy.ceiling - detour) {
            continue; // the cell was reached more cheaply since
        }
        --*budget;
        rp_prefault_note(&self->prefault, rp_jump_cell(self, place), budget);
        if (__builtin_expect(place == self->target, 0)) {
            self->is_found = true;
            return RP_OK;
        }
        rp_jump_lazy_expand(self, rp_jump_column(place), rp_jump_row(place), note >> 4,
                            note & 0xfu);
    }
    return RP_MORE;
}

static inline rp_status_t rp_jump_lazy_search_plain(rp_jump_t *self, uint64_t *budget)
{
    return rp_jump_lazy_search_with(self, budget);
}

#if RP_HAS_X86
/// The same, for processors that count zeros in one step. Old ones need a table of microcode.
RP_FOR_AVX2 static inline rp_status_t rp_jump_lazy_search_fast(rp_jump_t *self, uint64_t *budget)
{
    return rp_jump_lazy_search_with(self, budget);
}
#endif

static inline rp_status_t rp_jump_lazy_search(rp_jump_t *self, uint64_t *budget)
{
#if RP_HAS_X86
    if (self->simd >= RP_SIMD_AVX2) {
        return rp_jump_lazy_search_fast(self, budget);
    }
#endif
    return rp_jump_lazy_search_plain(self, budget);
}

/// Raise the ceiling: credits of earlier searches count as not met from now on. Time: O(1), but for
/// clearing all cells when the credit is used up, once in some hundred searches.
static inline void rp_jump_lazy_raise(rp_jump_t *self)
{
    if (self->lazy.ceiling > RP_CREDIT_MAX - self->lazy.room) {
        memset(self->by_cell, 0, (size_t)self->cell_count * sizeof *self->by_cell);
        self->lazy.ceiling = 0;
    }
    self->lazy.ceiling += self->lazy.room;
}

/// Begin a search with the root alone. Time: as rp_jump_lazy_raise().
static inline void rp_jump_lazy_begin(rp_jump_t *self)
{
    const uint32_t cell = rp_jump_cell(self, self->root);
    self->has_been_by_cell = true;
    self->lazy.is_short = false;
    rp_jump_lazy_raise(self);
    self->by_cell[cell] = self->lazy.ceiling << 8 | 1u;
    (void)rp_bucket_levels_push(&self->open, 0, self->root, rp_jump_lazy_note(0, RP_JUMP_LAZY_ROOT),
                                rp_jump_lazy_is_live, self);
}

#endif
