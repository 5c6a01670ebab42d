/// @file
/// How far into its arrays a search has come. What it expands hangs together, so that it has been
/// in each row between the first and the last one, and in each huge page of an array by cell that
/// lies there. A search that leads straight through the rows comes to a new page every few
/// expansions, and a host that has to find one takes up to 4.5 ms: each of them is paid for.
#ifndef REPLAN_SEARCH_MET_H
#define REPLAN_SEARCH_MET_H

#include "replan/grid.h"

/// Cells whose nodes of 16 bytes fill a huge page.
#define RP_MET_CELLS ((rp_cell_t)1 << 17)

/// Expansions that count for a page. A step has some hundred where memory is fresh.
#define RP_MET_PRICE 256u

/// Fewer cells take some pages altogether.
#define RP_MET_FROM ((uint32_t)1 << 20)

typedef struct rp_met {
    rp_cell_t first; ///< a multiple of RP_MET_CELLS
    uint32_t count;  ///< cells from there on; all of a small grid
} rp_met_t;

static inline rp_met_t rp_met_none(const rp_grid_t *grid)
{
    return (rp_met_t){.count = grid->cell_count < RP_MET_FROM ? UINT32_MAX : 0u};
}

static inline void rp_met_widen_(rp_met_t *self, rp_cell_t cell, uint64_t *budget)
{
    const rp_cell_t begin = cell & ~(RP_MET_CELLS - 1u);
    const rp_cell_t first = self->count == 0 || begin < self->first ? begin : self->first;
    const rp_cell_t old_end = self->count == 0 ? 0u : self->first + self->count;
    const rp_cell_t end = begin + RP_MET_CELLS > old_end ? begin + RP_MET_CELLS : old_end;
    const uint64_t pages = (end - first - self->count) / RP_MET_CELLS;
    const uint64_t price = pages * RP_MET_PRICE;
    *self = (rp_met_t){first, end - first};
    *budget -= price < *budget ? price : *budget;
}

/// The search comes to a cell. @param budget  counted down for pages that are new
static inline void rp_met_note(rp_met_t *self, rp_cell_t cell, uint64_t *budget)
{
    if (__builtin_expect(cell - self->first >= self->count, 0)) {
        rp_met_widen_(self, cell, budget);
    }
}

#endif
