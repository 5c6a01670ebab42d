/// The world is cut into 64 parts; one bit each says that the part is still to be written.
#include "engine/ground/lazy_fill.h"

#include <string.h>

#include "base/budget.h"

#define PARTS 64u

/// Fewer bytes are written in a fraction of a millisecond.
#define PARTED_FROM ((uint64_t)1 << 20)

/// Bytes that are written in the time of an expansion, to fresh pages: half of a step's budget is a
/// megabyte, which takes a millisecond, or two and a half where a host has to find the pages.
#define WRITTEN_EACH 256u

static void write_part(rp_lazy_fill_t *self, uint8_t *bytes, unsigned part)
{
    const uint64_t first = part * self->each;
    const uint64_t left = first < self->cells ? self->cells - first : 0u;
    memset(bytes + first, self->byte, left < self->each ? left : self->each);
    self->parts &= ~((uint64_t)1 << part);
}

void rp_lazy_fill_need(rp_lazy_fill_t *self, uint8_t *bytes, uint64_t begin, uint64_t end)
{
    if (self->parts == 0) {
        return;
    }
    for (uint64_t part = begin / self->each; part * self->each < end; part++) {
        if (((self->parts >> part) & 1u) != 0) {
            write_part(self, bytes, (unsigned)part);
        }
    }
}

bool rp_lazy_fill_work(rp_lazy_fill_t *self, uint8_t *bytes, uint64_t *budget)
{
    const uint64_t price = self->each / WRITTEN_EACH + 1u;
    while (self->parts != 0 && *budget != 0) {
        write_part(self, bytes, (unsigned)__builtin_ctzll(self->parts));
        rp_budget_pay(budget, price);
    }
    return self->parts != 0;
}

void rp_lazy_fill_init(rp_lazy_fill_t *self, uint8_t *bytes, uint64_t cells, uint8_t byte)
{
    *self = (rp_lazy_fill_t){
        .parts = UINT64_MAX, .cells = cells, .each = (cells + PARTS - 1u) / PARTS, .byte = byte};
    if (cells < PARTED_FROM) {
        rp_lazy_fill_need(self, bytes, 0, cells);
        self->parts = 0;
    }
}
