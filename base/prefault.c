/// Blocks of an array by cell, and the huge pages that they lie in.
#include "base/prefault.h"

#include "base/memory.h"

rp_prefault_t rp_prefault_none(void *array, uint32_t cells, size_t cell_bytes, uint32_t stride)
{
    const bool is_huge = rp_memory_is_huge(cells, cell_bytes);
    const size_t bytes = cells * cell_bytes;
    const size_t page = (size_t)1 << RP_PREFAULT_PAGE;
    const size_t least = is_huge ? page / 2u + 1u : RP_MEMORY_BLOCK;
    rp_prefault_t self = {.array = is_huge ? NULL : array,
                          .cell_bytes = cell_bytes,
                          .cells = cells,
                          .reach = stride + 1u};
    while (cell_bytes << self.shift < least ||
           bytes / (cell_bytes << self.shift) >= RP_PREFAULT_WORDS * 64u) {
        self.shift++;
    }
    while (cell_bytes << (self.shift + self.page_shift + 1u) <= page) {
        self.page_shift++;
    }
    return self;
}

static bool is_met(const rp_prefault_t *self, uint32_t block)
{
    return (self->blocks[block / 64u] >> (block % 64u) & 1u) != 0;
}

/// True when no block of this one's huge page was met.
static bool is_new_page(const rp_prefault_t *self, uint32_t block)
{
    const uint32_t first = block >> self->page_shift << self->page_shift;
    const uint64_t all = ~UINT64_C(0) >> (64u - (1u << self->page_shift));
    return (self->blocks[first / 64u] & all << (first % 64u)) == 0;
}

/// Meet a block, with the rows before and behind it as far as no block was met there.
static void meet(const rp_prefault_t *self, uint32_t block)
{
    const uint32_t last = (self->cells - 1u) >> self->shift;
    const size_t begin = (size_t)block << self->shift;
    const size_t end = (size_t)(block + 1u) << self->shift;
    const uint32_t before = block != 0 && !is_met(self, block - 1u) ? self->reach : 0u;
    const uint32_t behind = block < last && !is_met(self, block + 1u) ? self->reach : 0u;
    rp_memory_prefault(self->array, self->cells, self->cell_bytes,
                       begin > before ? begin - before : 0,
                       end + behind < self->cells ? end + behind : self->cells);
}

static void mark(rp_prefault_t *self, uint32_t block)
{
    self->blocks[block / 64u] |= (uint64_t)1 << (block % 64u);
}

void rp_prefault_ahead(rp_prefault_t *self, void *array, uint32_t begin, uint32_t end)
{
    rp_memory_prefault(array, self->cells, self->cell_bytes, begin, end);
    for (uint32_t block = begin >> self->shift; block <= (end - 1u) >> self->shift; block++) {
        mark(self, block);
    }
}

uint64_t rp_prefault_block(rp_prefault_t *self, uint32_t cell)
{
    const uint32_t block = cell >> self->shift;
    const bool is_dear = self->cells >= RP_PREFAULT_FROM && is_new_page(self, block);
    meet(self, block);
    mark(self, block);
    return is_dear ? RP_PREFAULT_PRICE : 0u;
}
