/// @file
/// Which pages of its arrays by cell a search has met. One that leads straight through the rows
/// comes to a huge page every few expansions, and a host that has to find one takes up to 4.5 ms:
/// each of them is paid for with as many expansions as a step has, so that no step meets two.
#ifndef REPLAN_SEARCH_MET_H
#define REPLAN_SEARCH_MET_H

#include <stddef.h>

#include "replan/grid.h"

/// Bytes of a huge page, as a power of two.
#define RP_MET_PAGE 21u

/// Expansions that count for a page.
#define RP_MET_PRICE 2048u

/// Fewer cells take some pages altogether.
#define RP_MET_FROM ((uint32_t)1 << 20)

/// Pages of the widest array by cell of the largest grid, rim included: of 64 bytes a cell.
#define RP_MET_WORDS 130u

typedef struct rp_met {
    unsigned shift;               ///< from cells to pages
    uint64_t paid;                ///< out of budgets so far: was not spent on expansions
    uint64_t pages[RP_MET_WORDS]; ///< bit by page: it was met
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

/// The search comes to a cell. @param budget  counted down for a page that is new
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
