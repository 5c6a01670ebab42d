/// @file
/// Which pages of its arrays a search has touched, so that first touches are paid for in budget. A
/// search straight across the rows comes to a new huge page every few expansions, and the fault may
/// take up to 4.5 ms where the host has to find one. So each counts as many expansions as a slice
/// has, and no slice touches two.
#ifndef REPLAN_SEARCH_MET_H
#define REPLAN_SEARCH_MET_H

#include <stddef.h>

#include "replan/grid.h"

/// Bytes of a huge page, as a power of two.
#define RP_MET_PAGE 21u

/// Price of a page, in expansions.
#define RP_MET_PRICE 2048u

/// Grids of fewer cells take so few pages that they are not counted.
#define RP_MET_FROM ((uint32_t)1 << 20)

/// Words for one bit a page of the widest array (64 bytes a cell) on the largest grid.
#define RP_MET_WORDS 130u

typedef struct rp_met {
    unsigned shift;               ///< from cells to pages
    uint64_t paid;                ///< taken from budgets for pages so far
    uint64_t pages[RP_MET_WORDS]; ///< bit by page: it was touched
} rp_met_t;

/// @param cell_bytes  of the widest array: 4 to 64 a cell
static inline rp_met_t rp_met_none(uint32_t cell_count, size_t cell_bytes)
{
    rp_met_t self = {.shift = RP_MET_PAGE - 2u};
    for (; cell_bytes > 4u; cell_bytes /= 2u) {
        self.shift--;
    }
    if (cell_count < RP_MET_FROM) {
        self.shift = RP_MET_PAGE;
        self.pages[0] = 1;
    }
    return self;
}

/// Note that the search touches a cell.
/// @param budget  counted down for a new page
static inline __attribute__((always_inline)) void rp_met_note(rp_met_t *self, rp_cell_t cell,
                                                              uint64_t *budget)
{
    const uint32_t page = cell >> self->shift;
    const uint64_t bit = (uint64_t)1 << (page % 64u);
    if (__builtin_expect((self->pages[page / 64u] & bit) == 0, 0)) {
        self->pages[page / 64u] |= bit;
        const uint64_t price = RP_MET_PRICE < *budget ? RP_MET_PRICE : *budget;
        self->paid += price;
        *budget -= price;
    }
}

#endif
