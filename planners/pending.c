/// Changes of many batches as one.
#include "planners/pending.h"

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

static uint32_t native_for(const rp_change_t *change)
{
    const bool is_dearer =
        change->after == 0 || (change->before != 0 && change->after > change->before);
    return is_dearer ? RP_NATIVE_DEARER : RP_NATIVE_CHEAPER;
}

// The upper half of the buffer serves as room for the sort.
void rp_pending_merge(rp_pending_t *self)
{
    rp_change_t *changes = self->changes;
    if (!self->is_merged) {
        merge_sort_changes(changes, changes + self->capacity / 2, self->count);
    }
    size_t kept = 0;
    uint32_t natives = 0;
    for (size_t i = 0; i < self->count;) {
        rp_change_t merged = changes[i++];
        while (i < self->count && changes[i].cell == merged.cell) {
            merged.after = changes[i++].after;
        }
        if (merged.before != merged.after) {
            changes[kept++] = merged;
            natives |= native_for(&merged);
        }
    }
    self->count = kept;
    self->natives = natives;
    self->is_merged = true;
}

static rp_status_t reserve(rp_pending_t *self, size_t more)
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

rp_status_t rp_pending_add(rp_pending_t *self, const rp_change_t *changes, size_t count)
{
    const rp_status_t status = reserve(self, count);
    if (status == RP_OK && count != 0) {
        memcpy(self->changes + self->count, changes, count * sizeof *changes);
        self->is_merged = self->is_merged && self->count == 0;
        self->count += count;
    }
    return status;
}

void rp_pending_clear(rp_pending_t *self)
{
    self->count = 0;
    self->is_merged = true;
    self->natives = 0;
}

void rp_pending_fini(rp_pending_t *self)
{
    free(self->changes);
    *self = (rp_pending_t){0};
}
