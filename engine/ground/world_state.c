/// The bytes of a world: how they are counted, and how a version is written into them and the
/// layers. What writes versions stands in world/.
#include "engine/ground/world_state.h"

#include <stdlib.h>

/// Cells that are counted in the time of an expansion, with a hash and without; and those that are
/// at once.
#define HASHED_EACH     64u
#define SEEN_EACH       1024u
#define COUNTED_AT_ONCE 65536u

/// Cells whose number fits a byte: many are counted at a time.
#define ADDED_AT_ONCE 255u

// ---- what is counted

bool rp_world_is_counted(const rp_world_t *self)
{
    return self->counted == self->cells;
}

/// @param count  at most ADDED_AT_ONCE
static uint8_t count_unknown(const uint8_t *bytes, uint64_t count)
{
    uint8_t unknown = 0;
    for (uint64_t i = 0; i < count; i++) {
        unknown += bytes[i] == RP_BYTE_UNKNOWN;
    }
    return unknown;
}

static void count_cells(rp_world_t *self, uint64_t count)
{
    const uint64_t begin = self->counted;
    const uint64_t end = begin + count;
    rp_lazy_fill_need(&self->unfilled, self->bytes, begin, end);
    for (uint64_t i = begin; i < end; i += ADDED_AT_ONCE) {
        const uint64_t some = end - i < ADDED_AT_ONCE ? end - i : ADDED_AT_ONCE;
        self->unknown_count += count_unknown(self->bytes + i, some);
    }
    if (self->cells_hash != NULL) {
        self->hash ^= self->cells_hash(begin, self->bytes + begin, count);
    }
    self->counted = end;
}

void rp_world_recount(rp_world_t *self)
{
    self->hash = 0;
    self->unknown_count = 0;
    self->counted = 0;
    count_cells(self, self->cells < COUNTED_AT_ONCE ? self->cells : COUNTED_AT_ONCE);
}

bool rp_world_count(rp_world_t *self, uint64_t *budget)
{
    const uint64_t each = self->cells_hash != NULL ? HASHED_EACH : SEEN_EACH;
    const uint64_t left = self->cells - self->counted;
    const uint64_t price = left / each + 1u;
    if (left != 0 && *budget >= price) {
        count_cells(self, left);
        *budget -= price;
    } else if (left != 0) {
        count_cells(self, *budget * each);
        *budget = 0;
    }
    return !rp_world_is_counted(self);
}

// ---- versions

void rp_world_complete(rp_world_t *self)
{
    uint64_t budget = UINT64_MAX;
    (void)rp_lazy_fill_work(&self->unfilled, self->bytes, &budget);
}

/// Write an effective byte that is another one. Not part of the loops: most writes change nothing.
static void change_byte(rp_world_t *self, uint64_t index, rp_cell_t cell, uint8_t byte)
{
    const rp_written_t written = {index, cell, self->bytes[index], byte};
    self->bytes[index] = byte;
    if (index < self->counted) {
        self->unknown_count += byte == RP_BYTE_UNKNOWN;
        self->unknown_count -= written.before == RP_BYTE_UNKNOWN;
        if (self->cells_hash != NULL) {
            self->hash ^= self->cells_hash(index, &written.before, 1) ^
                          self->cells_hash(index, &written.after, 1);
        }
    }
    if (self->rewritten_is_kept) {
        self->rewritten_cells[self->rewritten_count] = (uint32_t)index;
        self->rewritten_values[self->rewritten_count++] = byte;
    }
    for (uint32_t i = 0; i < self->layer_count; i++) {
        rp_layer_write(self->layers[i], &written);
    }
}

void rp_world_put(rp_world_t *self, uint64_t index, rp_cell_t cell, uint8_t byte)
{
    if (self->bytes[index] != byte) {
        change_byte(self, index, cell, byte);
    }
}

bool rp_world_reserve_rewritten(rp_world_t *self, size_t count)
{
    if (count <= self->rewritten_capacity) {
        return true;
    }
    uint32_t *cells = realloc(self->rewritten_cells, count * sizeof *cells);
    if (cells == NULL) {
        return false;
    }
    self->rewritten_cells = cells;
    uint8_t *values = realloc(self->rewritten_values, count);
    if (values == NULL) {
        return false;
    }
    self->rewritten_values = values;
    self->rewritten_capacity = count;
    return true;
}

rp_status_t rp_world_begin(rp_world_t *self, size_t count, bool is_kept)
{
    if (is_kept && !rp_world_reserve_rewritten(self, count)) {
        return RP_E_MEMORY;
    }
    for (uint32_t i = 0; i < self->layer_count; i++) {
        const rp_status_t status = rp_layer_begin(self->layers[i], count);
        if (status != RP_OK) {
            return status;
        }
    }
    self->rewritten_is_kept = is_kept;
    self->rewritten_count = 0;
    return RP_OK;
}

void rp_world_commit(rp_world_t *self)
{
    self->version++;
    for (uint32_t i = 0; i < self->layer_count; i++) {
        (void)rp_layer_commit(self->layers[i], self->version);
    }
}

void rp_world_commit_box(rp_world_t *self, const rp_box_t *box)
{
    self->version++;
    rp_world_recount(self);
    for (uint32_t i = 0; i < self->layer_count; i++) {
        rp_layer_mark_dirty(self->layers[i], box, self->version);
    }
}

uint64_t rp_world_bytes(const rp_world_t *self)
{
    uint64_t bytes = sizeof *self + (self->overlay.base != NULL ? 2u : 1u) * self->cells +
                     self->rewritten_capacity * (sizeof *self->rewritten_cells + 1u);
    for (uint32_t i = 0; i < self->layer_count; i++) {
        bytes += rp_layer_bytes(self->layers[i]);
    }
    return bytes;
}
