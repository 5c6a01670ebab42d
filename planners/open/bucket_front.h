/// @file
/// The bucket of OPEN that is being emptied, as a short stack in front of the ring
/// (buckets.h): cells of that bucket go in and out without passing through the ring. With
/// coarse buckets most cells do.
///
/// The order is that of the ring: by bucket, and last in first out within one. Cells that find no
/// room go into the ring, and come out with what is left of the bucket there.
#ifndef REPLAN_PLANNERS_OPEN_BUCKET_FRONT_H
#define REPLAN_PLANNERS_OPEN_BUCKET_FRONT_H

#include "planners/open/open_list.h"

#define RP_BUCKET_FRONT_MOST 64u

typedef struct rp_bucket_front_entry {
    rp_cost_t g; ///< as it was when the cell was put in
    rp_cell_t cell;
} rp_bucket_front_entry_t;

typedef struct rp_bucket_front {
    rp_open_list_t *open; ///< borrowed; its buckets are the ring behind
    rp_cost_t bucket;     ///< the one that stands here; all before it are empty
    uint32_t count;
    rp_bucket_front_entry_t entries[RP_BUCKET_FRONT_MOST];
} rp_bucket_front_t;

/// With nothing in it, before a ring that may hold something.
static inline void rp_bucket_front_begin(rp_bucket_front_t *self, rp_open_list_t *open)
{
    self->open = open;
    self->bucket = 0;
    self->count = 0;
}

/// Put a cell in. As rp_open_push().
RP_SEARCH_LOOP void rp_bucket_front_push(rp_bucket_front_t *self, rp_cost_t bucket, rp_cost_t g,
                                         rp_cell_t cell, rp_is_live_t *is_live, const void *owner)
{
    if (bucket <= self->bucket && self->count != RP_BUCKET_FRONT_MOST) {
        self->entries[self->count++] = (rp_bucket_front_entry_t){g, cell};
    } else {
        rp_open_push(self->open, RP_OPEN_BUCKETS, bucket, g, cell, is_live, owner);
    }
}

/// See that something stands here: when it has run empty, the next bucket of the ring comes
/// forward, as much of it as there is room for.
/// @param last  no later one does
/// @return false when there is nothing up to it. Time: O(what comes forward)
RP_SEARCH_LOOP bool rp_bucket_front_settle(rp_bucket_front_t *self, rp_cost_t last)
{
    rp_buckets_t *ring = &self->open->buckets;
    if (self->count != 0) {
        return true;
    }
    if (ring->count == 0 || rp_buckets_top(ring) > last) {
        return false;
    }
    self->bucket = rp_buckets_top(ring);
    rp_buckets_take_list(ring);
    do {
        const rp_bucket_entry_t entry = rp_buckets_take_next(ring);
        self->entries[self->count++] = (rp_bucket_front_entry_t){entry.g, entry.cell};
    } while (self->count != RP_BUCKET_FRONT_MOST && ring->list != 0);
    if (ring->list != 0) {
        rp_buckets_put_back(ring, self->bucket);
    }
    return true;
}

/// Take the best entry of this bucket out, once something stands here. As rp_open_take().
RP_SEARCH_LOOP rp_cell_t rp_bucket_front_take(rp_bucket_front_t *self, rp_is_live_t *is_live,
                                              const void *owner)
{
    const rp_bucket_front_entry_t top = self->entries[--self->count];
    return is_live(owner, top.cell, top.g) ? top.cell : RP_NO_CELL;
}

/// Put all that is left back into the ring. As rp_open_push().
static inline void rp_bucket_front_put_back(rp_bucket_front_t *self, rp_is_live_t *is_live,
                                            const void *owner)
{
    for (uint32_t i = 0; i < self->count; i++) {
        const rp_bucket_front_entry_t entry = self->entries[i];
        rp_open_push(self->open, RP_OPEN_BUCKETS, self->bucket, entry.g, entry.cell, is_live,
                     owner);
    }
    self->count = 0;
}

#endif
