/// @file
/// Which parts of its array by cell a search has come to. Small pages are met in blocks, some rows
/// of cells at a time: a search comes to new ones all the time at first, and to ask for several
/// together takes a fraction of what it takes to fault at each.
///
/// On large grids first touches are paid for in budget, too. A search straight across the rows
/// comes to a new huge page every few expansions, and the fault may take up to 4.5 ms where the
/// host has to find one. So each counts as many expansions as a slice has, and no slice touches
/// two.
#ifndef REPLAN_BASE_PREFAULT_H
#define REPLAN_BASE_PREFAULT_H

#include <stddef.h>
#include <stdint.h>

/// Bytes of a huge page, as a power of two.
#define RP_PREFAULT_PAGE 21u

/// Price of a page, in expansions.
#define RP_PREFAULT_PRICE 2048u

/// Grids of fewer cells take so few pages that they are not counted.
#define RP_PREFAULT_FROM ((uint32_t)1 << 20)

/// Words for a bit a block.
#define RP_PREFAULT_WORDS 130u

typedef struct rp_prefault {
    void *array;         ///< borrowed; NULL when its pages are huge [cells]
    size_t cell_bytes;   ///< of an element
    uint32_t cells;      ///< of the grid
    uint32_t reach;      ///< an expansion touches cells so far before and behind its own
    unsigned shift;      ///< from cells to blocks
    unsigned page_shift; ///< from blocks to huge pages
    uint64_t paid;       ///< taken from budgets for pages so far
    uint64_t blocks[RP_PREFAULT_WORDS]; ///< bit by block: it was met
} rp_prefault_t;

/// Nothing was met yet.
/// @param array   borrowed, by cell: rp_memory_new(cells, cell_bytes); NULL: it is only paid for
/// @param cell_bytes  at most 64
/// @param stride  of the grid
rp_prefault_t rp_prefault_none(void *array, uint32_t cells, size_t cell_bytes, uint32_t stride);

/// Meet the block of a cell that none was met of, and what an expansion there touches beside it.
/// @return the price
uint64_t rp_prefault_block(rp_prefault_t *self, uint32_t cell);

/// Meet the blocks of some cells before a search comes to them, at no price.
/// @param array  as of rp_prefault_none()
/// Time: as rp_memory_prefault().
void rp_prefault_ahead(rp_prefault_t *self, void *array, uint32_t begin, uint32_t end);

/// Note that the search touches a cell and its neighbours.
/// @param budget  counted down for a new page
static inline __attribute__((always_inline)) void rp_prefault_note(rp_prefault_t *self,
                                                                   uint32_t cell, uint64_t *budget)
{
    const uint32_t block = cell >> self->shift;
    if (__builtin_expect((self->blocks[block / 64u] >> (block % 64u) & 1u) == 0, 0)) {
        const uint64_t price = rp_prefault_block(self, cell);
        const uint64_t most = price < *budget ? price : *budget;
        self->paid += most;
        *budget -= most;
    }
}

#endif
