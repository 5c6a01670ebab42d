/// The transform runs over a box in strips: a pass along each row finds the next obstacle of that
/// row, a pass over the rows above and below takes the maximum of their values less the squared
/// row distance. Both are exact in whole numbers. An obstacle is known by a number that no pass
/// gives to any other cell, so cells may be written while others are read.
#include "engine/layers/distance_transform.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/// Columns that are transformed at a time: the ring of rows stays in the cache.
#define STRIP 512u

/// Cells that loops take together; a vector of bytes, or two of 16 bits.
#define LANES 32u
static_assert(STRIP % LANES == 0, "a strip is made of whole groups");
static_assert(RP_REACH_MAX * RP_REACH_MAX + 1u <= INT16_MAX, "the greatest number fits");

/// Where a few obstacles came, each says to the cells within its reach how near it is. Around more
/// than these, or in a wider place, a run takes less.
#define SPREAD_MOST  16u
#define SPREAD_WIDTH 128u

typedef struct rp_spot {
    uint32_t x;
    uint32_t y;
} rp_spot_t;

#define ALWAYS inline __attribute__((always_inline))

#define RP_DIST        uint8_t
#define RP_DIST_(name) name##_of_bytes
#include "engine/layers/distance_passes.h"

// Signed: machines without wide instructions know the greater of two such, not of unsigned ones.
#define RP_DIST        int16_t
#define RP_DIST_(name) name##_of_words
#include "engine/layers/distance_passes.h"

static ALWAYS void run(rp_distance_transform_t *self, rp_box_t box, rp_distance_changed_fn *hear,
                       void *user)
{
    if (rp_distance_size(self) == sizeof(uint8_t)) {
        run_of_bytes(self, box, hear, user);
    } else {
        run_of_words(self, box, hear, user);
    }
}

RP_FOR_AVX2 static void run_avx2(rp_distance_transform_t *self, rp_box_t box,
                                 rp_distance_changed_fn *hear, void *user)
{
    run(self, box, hear, user);
}

void rp_distance_run(rp_distance_transform_t *self, rp_box_t box, rp_distance_changed_fn *hear,
                     void *user)
{
    if (self->simd >= RP_SIMD_AVX2) {
        run_avx2(self, box, hear, user);
        return;
    }
    run(self, box, hear, user);
}

static ALWAYS void spread(rp_distance_transform_t *self, rp_box_t around, const rp_spot_t *spots,
                          uint32_t count, rp_distance_changed_fn *hear, void *user)
{
    if (rp_distance_size(self) == sizeof(uint8_t)) {
        spread_of_bytes(self, around, spots, count, hear, user);
    } else {
        spread_of_words(self, around, spots, count, hear, user);
    }
}

RP_FOR_AVX2 static void spread_avx2(rp_distance_transform_t *self, rp_box_t around,
                                    const rp_spot_t *spots, uint32_t count,
                                    rp_distance_changed_fn *hear, void *user)
{
    spread(self, around, spots, count, hear, user);
}

/// The obstacles of a box.
/// @param spots  written [SPREAD_MOST]
/// @return their number; more than SPREAD_MOST: there may be even more
static uint32_t find_spots(const rp_distance_transform_t *self, rp_box_t box, rp_spot_t *spots)
{
    const uint32_t most = rp_distance_most(self);
    uint32_t count = 0;
    for (uint32_t y = box.y; y < box.y + box.height; y++) {
        for (uint32_t x = box.x; x < box.x + box.width; x++) {
            if (rp_distance_at(self, (uint64_t)y * self->width + x) != most) {
                continue;
            }
            if (count == SPREAD_MOST) {
                return count + 1u;
            }
            spots[count++] = (rp_spot_t){x, y};
        }
    }
    return count;
}

bool rp_distance_spread(rp_distance_transform_t *self, rp_box_t box, rp_distance_changed_fn *hear,
                        void *user)
{
    const uint32_t reach = self->reach;
    const rp_box_t around = {box.x - reach, box.y - reach, box.width + 2u * reach,
                             box.height + 2u * reach};
    rp_spot_t spots[SPREAD_MOST];
    if (box.x < reach || box.x + box.width + reach > self->width || box.y < reach ||
        box.y + box.height + reach > self->height || around.width > SPREAD_WIDTH) {
        return false;
    }
    const uint32_t count = find_spots(self, box, spots);
    if (count > SPREAD_MOST) {
        return false;
    }
    if (self->simd >= RP_SIMD_AVX2) {
        spread_avx2(self, around, spots, count, hear, user);
        return true;
    }
    spread(self, around, spots, count, hear, user);
    return true;
}

void rp_distance_put(rp_distance_transform_t *self, uint64_t index, bool is_obstacle)
{
    const uint32_t most = rp_distance_most(self);
    const uint32_t near = rp_distance_at(self, index);
    const uint32_t now = is_obstacle ? most : near == most ? 0u : near;
    if (rp_distance_size(self) == sizeof(uint8_t)) {
        ((uint8_t *)self->cells)[index] = (uint8_t)now;
    } else {
        ((int16_t *)self->cells)[index] = (int16_t)now;
    }
}

// ---- birth and death

rp_status_t rp_distance_init(rp_distance_transform_t *self, uint32_t width, uint32_t height,
                             bool wraps, uint32_t reach)
{
    assert(reach != 0 && reach <= RP_REACH_MAX);
    *self = (rp_distance_transform_t){
        .width = width, .height = height, .reach = reach, .wraps = wraps, .simd = rp_simd_best()};
    const size_t size = rp_distance_size(self);
    self->cells = rp_memory_new_sparse((size_t)width * height, size); // it is filled in slices
    self->rows = malloc((size_t)(2u * reach + 1u) * STRIP * size);
    return self->cells != NULL && self->rows != NULL ? RP_OK : RP_E_MEMORY;
}

void rp_distance_fini(rp_distance_transform_t *self, rp_deferred_free_t *deferred_free)
{
    rp_memory_free(self->cells, (size_t)self->width * self->height, rp_distance_size(self),
                   deferred_free);
    free(self->rows);
    *self = (rp_distance_transform_t){0};
}
