/// The transform goes over a box in strips: a pass along each row gives the squared distance to the
/// nearest obstacle of that row, a pass over the rows above and below the least of those and the
/// rows' own distances squared. Both are exact in whole numbers.
#include "engine/inflation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Columns that are transformed at a time: the ring of rows stays in the cache.
#define STRIP 512u

/// A distance without an obstacle: beyond any cost, and no sum with it overflows.
#define NONE 0x3fff
static_assert(RP_REACH_MAX * RP_REACH_MAX < NONE, "a distance within reach is less than none");
static_assert(NONE + RP_REACH_MAX * RP_REACH_MAX <= INT16_MAX, "sums fit");

// ---- costs by distance

/// The greatest squared distance in cells that is not beyond a radius. The slack forgives what the
/// division of two decimal numbers loses.
static uint32_t squared_cells(double radius_m, double resolution_m)
{
    const double cells = radius_m / resolution_m;
    return (uint32_t)floor(cells * cells + 1e-6);
}

/// costmap_2d's formula.
static uint8_t soft_cost(const rp_body_t *body, uint32_t squared, double resolution_m)
{
    if (squared <= squared_cells(body->inscribed_radius_m, resolution_m)) {
        return RP_INFLATION_INSCRIBED;
    }
    const double distance_m = sqrt(squared) * resolution_m;
    const double share = exp(-body->cost_scaling * (distance_m - body->inscribed_radius_m));
    return (uint8_t)((RP_INFLATION_INSCRIBED - 1u) * share);
}

static bool is_legal(double number, double most)
{
    return isfinite(number) && number >= 0.0 && number <= most;
}

rp_status_t rp_inflation_make(rp_inflation_t *self, const rp_body_t *body, double resolution_m)
{
    const double most_m = (RP_REACH_MAX + 1e-6) * resolution_m;
    if (!is_legal(body->radius_m, most_m) || !is_legal(body->inscribed_radius_m, most_m) ||
        !is_legal(body->inflation_radius_m, most_m) || !is_legal(body->cost_scaling, INFINITY) ||
        body->inscribed_radius_m > body->inflation_radius_m) {
        return RP_E_INVALID;
    }
    const uint32_t hard = squared_cells(body->radius_m, resolution_m);
    // costmap_2d rounds its radius up to whole cells.
    const double soft_cells = ceil(body->inflation_radius_m / resolution_m - 1e-6);
    const uint32_t soft = body->inflation_radius_m > 0.0 ? (uint32_t)(soft_cells * soft_cells) : 0u;
    const uint32_t most = hard > soft ? hard : soft;
    *self = (rp_inflation_t){.is_soft = false};
    for (uint32_t squared = 1; squared <= most; squared++) {
        const uint8_t cost = squared > soft ? 0u : soft_cost(body, squared, resolution_m);
        self->cost[squared] = squared <= hard ? RP_INFLATION_BLOCKED : cost;
        self->is_soft = self->is_soft || (squared > hard && cost != 0);
        while (self->cost[squared] != 0 && self->reach * self->reach < squared) {
            self->reach++;
        }
    }
    return RP_OK;
}

bool rp_inflation_equals(const rp_inflation_t *self, const rp_inflation_t *other)
{
    return self->reach == other->reach && memcmp(self->cost, other->cost, sizeof self->cost) == 0;
}

// ---- the transform

rp_status_t rp_inflation_room_init(rp_inflation_room_t *room, const rp_inflation_t *self)
{
    room->rows = malloc((size_t)(2u * self->reach + 1u) * STRIP * sizeof room->rows[0]);
    return room->rows != NULL ? RP_OK : RP_E_MEMORY;
}

void rp_inflation_room_fini(rp_inflation_room_t *room)
{
    free(room->rows);
    room->rows = NULL;
}

/// A strip of a box under way.
typedef struct strip {
    const rp_inflation_t *inflation;
    const rp_obstacles_t *obstacles;
    int16_t *ring; ///< of rows [2 * reach + 1][STRIP]
    uint32_t x;
    uint32_t count;                           ///< columns
    bool has_any[2u * RP_REACH_MAX + 1u];     ///< by row of the ring: an obstacle is near
    uint8_t marks[STRIP + 2u * RP_REACH_MAX]; ///< obstacles of the row at hand, reach on both sides
    uint8_t before[STRIP + 2u * RP_REACH_MAX]; ///< steps to the obstacle before, at most reach + 1
} strip_t;

/// Mark the obstacles among some bytes. @return not 0 when there is one
static unsigned mark(const rp_obstacles_t *self, const uint8_t *bytes, uint32_t count,
                     uint8_t *marks)
{
    unsigned any = 0;
    for (uint32_t i = 0; i < count; i++) {
        marks[i] = self->is_obstacle[bytes[i]];
        any |= marks[i];
    }
    return any;
}

/// Read the obstacles of a row; beyond the edge of a world that does not wrap there are none.
/// @return false when there is none
static bool mark_row(strip_t *self, int64_t row)
{
    const rp_obstacles_t *obstacles = self->obstacles;
    const int64_t height = obstacles->height;
    const int64_t width = obstacles->width;
    const int64_t first = (int64_t)self->x - self->inflation->reach;
    const int64_t count = (int64_t)self->count + 2 * (int64_t)self->inflation->reach;
    unsigned any = 0;
    if (!obstacles->wraps) {
        if (row < 0 || row >= height) {
            return false;
        }
        const int64_t from = first > 0 ? first : 0;
        const int64_t end = first + count < width ? first + count : width;
        memset(self->marks, 0, (size_t)count);
        any = mark(obstacles, obstacles->bytes + row * width + from, (uint32_t)(end - from),
                   self->marks + (from - first));
        return any != 0;
    }
    row = ((row % height) + height) % height;
    int64_t column = ((first % width) + width) % width;
    for (int64_t done = 0; done < count; column = 0) {
        const int64_t piece = count - done < width - column ? count - done : width - column;
        any |= mark(obstacles, obstacles->bytes + row * width + column, (uint32_t)piece,
                    self->marks + done);
        done += piece;
    }
    return any != 0;
}

/// Squared distance of each column to the nearest obstacle of a row.
static void transform_row(strip_t *self, int64_t row, uint32_t place)
{
    const uint32_t reach = self->inflation->reach;
    int16_t *squares = self->ring + (size_t)place * STRIP;
    self->has_any[place] = mark_row(self, row);
    if (!self->has_any[place]) {
        for (uint32_t i = 0; i < self->count; i++) {
            squares[i] = NONE;
        }
        return;
    }
    unsigned steps = reach + 1u;
    for (uint32_t i = 0; i < self->count + reach; i++) {
        steps = self->marks[i] != 0 ? 0u : steps + (steps <= reach);
        self->before[i] = (uint8_t)steps;
    }
    steps = reach + 1u;
    for (uint32_t i = self->count + 2u * reach; i-- > reach;) {
        steps = self->marks[i] != 0 ? 0u : steps + (steps <= reach);
        if (i < self->count + reach) {
            const unsigned nearest = steps < self->before[i] ? steps : self->before[i];
            squares[i - reach] = nearest <= reach ? (int16_t)(nearest * nearest) : NONE;
        }
    }
}

/// Take the rows at a distance of `steps` above and below into the least squares so far.
static void lower(int16_t *restrict least, const int16_t *restrict above,
                  const int16_t *restrict below, uint32_t count, uint32_t steps)
{
    const int16_t squared = (int16_t)(steps * steps);
    for (uint32_t i = 0; i < count; i++) {
        const int16_t nearer = above[i] < below[i] ? above[i] : below[i];
        const int16_t sum = (int16_t)(nearer + squared);
        least[i] = sum < least[i] ? sum : least[i];
    }
}

/// Costs of the row that stands in the middle of the ring.
/// @param oldest  place of the topmost row in the ring
static void cost_row(const strip_t *self, uint32_t oldest, uint8_t *costs)
{
    const uint32_t reach = self->inflation->reach;
    const uint32_t length = 2u * reach + 1u;
    const int32_t greatest = (int32_t)(reach * reach);
    int16_t least[STRIP];
    const uint32_t middle = (oldest + reach) % length;
    memcpy(least, self->ring + (size_t)middle * STRIP, self->count * sizeof least[0]);
    for (uint32_t steps = 1; steps <= reach; steps++) {
        const uint32_t above = (oldest + reach - steps) % length;
        const uint32_t below = (oldest + reach + steps) % length;
        if (self->has_any[above] || self->has_any[below]) {
            lower(least, self->ring + (size_t)above * STRIP, self->ring + (size_t)below * STRIP,
                  self->count, steps);
        }
    }
    for (uint32_t i = 0; i < self->count; i++) {
        costs[i] = least[i] <= greatest ? self->inflation->cost[least[i]] : 0u;
    }
}

static void run_strip(strip_t *self, rp_box_t box, rp_inflation_take_t take, void *user)
{
    const uint32_t reach = self->inflation->reach;
    const uint32_t length = 2u * reach + 1u;
    uint8_t costs[STRIP];
    for (uint32_t i = 0; i + 1u < length; i++) {
        transform_row(self, (int64_t)box.y + i - reach, i);
    }
    for (uint32_t row = 0; row < box.height; row++) {
        transform_row(self, (int64_t)box.y + row + reach, (row + 2u * reach) % length);
        cost_row(self, row % length, costs);
        take(user, self->x, box.y + row, costs, self->count);
    }
}

void rp_inflation_run(const rp_inflation_t *self, rp_inflation_room_t *room,
                      const rp_obstacles_t *obstacles, rp_box_t box, rp_inflation_take_t take,
                      void *user)
{
    strip_t strip = {.inflation = self, .obstacles = obstacles, .ring = room->rows};
    for (uint32_t column = 0; column < box.width; column += STRIP) {
        strip.x = box.x + column;
        strip.count = box.width - column < STRIP ? box.width - column : STRIP;
        run_strip(&strip, box, take, user);
    }
}
