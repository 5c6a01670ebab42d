/// Changes of many batches as one.
#include "planners/core/change_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int compare_changes(const void *a, const void *b)
{
    const rp_change_t *left = a;
    const rp_change_t *right = b;
    return (left->cell > right->cell) - (left->cell < right->cell);
}

static void merge_sort_changes(rp_change_t *changes, rp_change_t *spare, size_t count)
{
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t low = 0; low + width < count; low += 2 * width) {
            const size_t middle = low + width;
            const size_t high = middle + width < count ? middle + width : count;
            if (compare_changes(&changes[middle - 1], &changes[middle]) <= 0) {
                continue;
            }
            memcpy(spare, changes + low, width * sizeof *spare);
            size_t left = 0;
            size_t right = middle;
            for (size_t out = low; left < width; out++) {
                const bool take_right =
                    right < high && compare_changes(&changes[right], &spare[left]) < 0;
                changes[out] = take_right ? changes[right++] : spare[left++];
            }
        }
    }
}

/// More than 0 when the cell is dearer now, less when it is cheaper. Less one, a factor of 0 is the
/// dearest of all.
static int32_t rise_of(const rp_change_t *change)
{
    return (uint8_t)(change->after - 1u) - (uint8_t)(change->before - 1u);
}

/// @param rises, falls  the sign bit says that a rise, that a fall was there
static uint32_t natives_of(int64_t rises, int64_t falls)
{
    return (rises < 0 ? RP_NATIVE_DEARER : 0u) | (falls < 0 ? RP_NATIVE_CHEAPER : 0u);
}

// The upper half of the buffer serves as room for the sort.
void rp_change_log_merge(rp_change_log_t *self)
{
    rp_change_t *changes = self->changes;
    if (self->is_merged) {
        return;
    }
    merge_sort_changes(changes, changes + self->capacity / 2, self->count);
    size_t kept = 0;
    int32_t rises = 0;
    int32_t falls = 0;
    for (size_t i = 0; i < self->count;) {
        rp_change_t merged = changes[i++];
        while (i < self->count && changes[i].cell == merged.cell) {
            merged.after = changes[i++].after;
        }
        const int32_t rise = rise_of(&merged);
        changes[kept] = merged;
        kept += rise != 0;
        rises |= -rise;
        falls |= rise;
    }
    self->count = kept;
    self->natives = natives_of(rises, falls);
    self->is_merged = true;
}

static rp_status_t reserve(rp_change_log_t *self, size_t more)
{
    const size_t needed = 2 * (self->count + more);
    if (needed <= self->capacity) {
        return RP_OK;
    }
    size_t capacity = self->capacity == 0 ? 64 : self->capacity;
    while (capacity < needed) {
        capacity *= 2;
    }
    rp_change_t *changes = realloc(self->changes, capacity * sizeof *changes);
    if (changes == NULL) {
        return RP_E_MEMORY;
    }
    self->changes = changes;
    self->capacity = capacity;
    return RP_OK;
}

/// A batch that comes alone is checked and merged while it is copied: nothing is asked that could
/// be guessed wrong.
static rp_status_t take_first(rp_change_log_t *self, const rp_grid_t *grid,
                              const rp_change_t *changes, size_t count)
{
    rp_change_t *kept = self->changes;
    int32_t rises = 0;
    int32_t falls = 0;
    int64_t outside = 0;
    for (size_t i = 0; i < count; i++) {
        const rp_change_t change = changes[i];
        const int32_t rise = rise_of(&change);
        *kept = change;
        kept += rise != 0;
        rises |= -rise;
        falls |= rise;
        outside |= rp_grid_is_outside(grid, change.cell);
    }
    if (outside < 0) {
        return RP_E_INVALID;
    }
    self->count = (size_t)(kept - self->changes);
    self->natives = natives_of(rises, falls);
    return RP_OK;
}

static rp_status_t append(rp_change_log_t *self, const rp_grid_t *grid, const rp_change_t *changes,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!rp_grid_holds(grid, changes[i].cell)) {
            return RP_E_INVALID;
        }
    }
    memcpy(self->changes + self->count, changes, count * sizeof *changes);
    self->is_merged = false;
    self->count += count;
    return RP_OK;
}

rp_status_t rp_change_log_add(rp_change_log_t *self, const rp_grid_t *grid,
                              const rp_change_t *changes, size_t count)
{
    const rp_status_t status = reserve(self, count);
    if (status != RP_OK || count == 0) {
        return status;
    }
    return self->count == 0 ? take_first(self, grid, changes, count)
                            : append(self, grid, changes, count);
}

void rp_change_log_clear(rp_change_log_t *self)
{
    self->count = 0;
    self->is_merged = true;
    self->natives = 0;
}

void rp_change_log_fini(rp_change_log_t *self)
{
    free(self->changes);
    *self = (rp_change_log_t){0};
}
