/// The robot's case of the suite `beyond`: a costmap with hard and soft inflation, and a robot that
/// drives from corner to corner while obstacles near it come, go and move.
///
/// A cell is blocked within HARD of an obstacle and dear within SOFT of it; its factor is that of
/// costmap_2d's byte. A robot's tick is one cell of its path, and the events of its window.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/beyond.h"

#define HARD   4
#define SOFT   12
#define UNIT   50u
#define WINDOW 49   ///< to each side of the robot
#define ROOM   9    ///< to each side of robot and goal: nothing comes nearer
#define MARGIN 20u  ///< of the ends from the corners
#define BOXES  230u ///< of a million cells
#define STONES 500u ///< the same

typedef struct box {
    int32_t x;
    int32_t y;
    int32_t width;
    int32_t height;
} box_t;

typedef struct place {
    int32_t side;
    uint8_t *solid;                     ///< by cell: boxes that lie there [side * side]
    uint8_t *factors;                   ///< what is said of it [side * side]
    uint8_t factor_of[SOFT * SOFT + 1]; ///< by square of the distance
    box_t *clutter;                     ///< that came and can go [clutter_count]
    size_t clutter_count;
    size_t clutter_capacity;
    box_t dirty; ///< cells whose obstacles changed in this tick; width 0: none
} place_t;

// ---- inflation

static void fill_factors(place_t *self)
{
    for (int32_t square = 0; square <= SOFT * SOFT; square++) {
        const double away = sqrt((double)square);
        const double byte = 252.0 * exp(-0.35 * (away - HARD));
        const bool blocks = square <= HARD * HARD;
        self->factor_of[square] = blocks ? 0 : (uint8_t)(UNIT + 4u * (unsigned)byte / 5u);
    }
}

/// Square of the distance to the nearest obstacle of this row, cut off beyond SOFT.
static int32_t row_square(const place_t *self, int32_t x, int32_t y)
{
    const uint8_t *row = self->solid + (size_t)y * (size_t)self->side;
    for (int32_t away = 0; away <= SOFT; away++) {
        if ((x >= away && row[x - away] != 0) || (x + away < self->side && row[x + away] != 0)) {
            return away * away;
        }
    }
    return SOFT * SOFT + 1;
}

/// Bring the factors of these cells up to date. @param trek  hears of those that differ; or NULL
static void inflate(place_t *self, const box_t *cells, rp_trek_t *trek)
{
    const int32_t top = cells->y > SOFT ? cells->y - SOFT : 0;
    const int32_t below = cells->y + cells->height + SOFT;
    const int32_t bottom = below < self->side ? below : self->side;
    int32_t *squares =
        rp_bench_memory(NULL, (size_t)(bottom - top) * (size_t)cells->width, sizeof *squares);
    for (int32_t y = top; y < bottom; y++) {
        for (int32_t x = 0; x < cells->width; x++) {
            squares[(y - top) * cells->width + x] = row_square(self, cells->x + x, y);
        }
    }
    for (int32_t y = cells->y; y < cells->y + cells->height; y++) {
        for (int32_t x = 0; x < cells->width; x++) {
            int32_t least = SOFT * SOFT + 1;
            for (int32_t from = y > SOFT ? y - SOFT : 0; from < bottom && from <= y + SOFT;
                 from++) {
                const int32_t square =
                    squares[(from - top) * cells->width + x] + (from - y) * (from - y);
                least = square < least ? square : least;
            }
            const uint8_t factor = least > SOFT * SOFT ? UNIT : self->factor_of[least];
            const size_t place = (size_t)y * (size_t)self->side + (size_t)(cells->x + x);
            if (factor != self->factors[place]) {
                self->factors[place] = factor;
                if (trek != NULL) {
                    rp_trek_write(trek,
                                  rp_grid_cell(trek->grid, (uint32_t)(cells->x + x), (uint32_t)y),
                                  factor);
                }
            }
        }
    }
    free(squares);
}

// ---- obstacles

static void put(place_t *self, const box_t *box, int by)
{
    for (int32_t y = box->y; y < box->y + box->height; y++) {
        for (int32_t x = box->x; x < box->x + box->width; x++) {
            uint8_t *solid = &self->solid[(size_t)y * (size_t)self->side + (size_t)x];
            *solid = (uint8_t)(*solid + by);
        }
    }
    const int32_t left = box->x > SOFT ? box->x - SOFT : 0;
    const int32_t top = box->y > SOFT ? box->y - SOFT : 0;
    const int32_t right = box->x + box->width + SOFT;
    const int32_t bottom = box->y + box->height + SOFT;
    const box_t reach = {left, top, (right < self->side ? right : self->side) - left,
                         (bottom < self->side ? bottom : self->side) - top};
    if (self->dirty.width == 0) {
        self->dirty = reach;
        return;
    }
    const box_t old = self->dirty;
    self->dirty.x = old.x < reach.x ? old.x : reach.x;
    self->dirty.y = old.y < reach.y ? old.y : reach.y;
    const int32_t far_x =
        old.x + old.width > reach.x + reach.width ? old.x + old.width : reach.x + reach.width;
    const int32_t far_y =
        old.y + old.height > reach.y + reach.height ? old.y + old.height : reach.y + reach.height;
    self->dirty.width = far_x - self->dirty.x;
    self->dirty.height = far_y - self->dirty.y;
}

/// A box inside, no nearer than ROOM to either end.
static bool is_apart(const place_t *self, const box_t *box, const rp_grid_t *grid, rp_cell_t end)
{
    const int32_t x = (int32_t)rp_grid_x(grid, end);
    const int32_t y = (int32_t)rp_grid_y(grid, end);
    const bool is_inside = box->x >= 0 && box->y >= 0 && box->x + box->width <= self->side &&
                           box->y + box->height <= self->side;
    return is_inside && (box->x > x + ROOM || box->x + box->width + ROOM <= x ||
                         box->y > y + ROOM || box->y + box->height + ROOM <= y);
}

static bool may_stand(const place_t *self, const box_t *box, const rp_trek_t *trek)
{
    return is_apart(self, box, trek->grid, trek->agent) &&
           is_apart(self, box, trek->grid, trek->goal);
}

static box_t stone_near(const rp_trek_t *trek, uint64_t *random)
{
    const int32_t x = (int32_t)rp_grid_x(trek->grid, trek->agent);
    const int32_t y = (int32_t)rp_grid_y(trek->grid, trek->agent);
    return (box_t){x - WINDOW + (int32_t)rp_bench_below(random, 2 * WINDOW + 1),
                   y - WINDOW + (int32_t)rp_bench_below(random, 2 * WINDOW + 1),
                   1 + (int32_t)rp_bench_below(random, 5), 1 + (int32_t)rp_bench_below(random, 5)};
}

static void come(place_t *self, const box_t *box)
{
    if (self->clutter_count == self->clutter_capacity) {
        self->clutter_capacity = self->clutter_capacity == 0 ? 256 : 2 * self->clutter_capacity;
        self->clutter =
            rp_bench_memory(self->clutter, self->clutter_capacity, sizeof *self->clutter);
    }
    self->clutter[self->clutter_count++] = *box;
    put(self, box, 1);
}

/// One that the robot can see. @return clutter_count when there is none
static size_t find_near(const place_t *self, const rp_trek_t *trek, uint64_t *random)
{
    const int32_t x = (int32_t)rp_grid_x(trek->grid, trek->agent);
    const int32_t y = (int32_t)rp_grid_y(trek->grid, trek->agent);
    const size_t begin =
        self->clutter_count != 0 ? rp_bench_below(random, (uint32_t)self->clutter_count) : 0;
    for (size_t i = 0; i < self->clutter_count; i++) {
        const size_t which = (begin + i) % self->clutter_count;
        const box_t *box = &self->clutter[which];
        if (abs(box->x - x) <= WINDOW && abs(box->y - y) <= WINDOW) {
            return which;
        }
    }
    return self->clutter_count;
}

static void move(place_t *self, size_t which, const rp_trek_t *trek, uint64_t *random)
{
    box_t there = self->clutter[which];
    const int32_t far = 1 + (int32_t)rp_bench_below(random, 3);
    const uint32_t way = rp_bench_below(random, 4);
    there.x += way == 0 ? far : way == 1 ? -far : 0;
    there.y += way == 2 ? far : way == 3 ? -far : 0;
    if (may_stand(self, &there, trek)) {
        put(self, &self->clutter[which], -1);
        put(self, &there, 1);
        self->clutter[which] = there;
    }
}

/// What the map had there is not there.
static void clear(place_t *self, const box_t *box)
{
    for (int32_t y = box->y; y < box->y + box->height; y++) {
        for (int32_t x = box->x; x < box->x + box->width; x++) {
            const box_t cell = {x, y, 1, 1};
            const size_t place = (size_t)y * (size_t)self->side + (size_t)x;
            bool is_clutter = self->solid[place] == 0;
            for (size_t i = 0; i < self->clutter_count && !is_clutter; i++) {
                const box_t *other = &self->clutter[i];
                is_clutter = x >= other->x && x < other->x + other->width && y >= other->y &&
                             y < other->y + other->height;
            }
            if (!is_clutter) {
                put(self, &cell, -(int)self->solid[place]);
            }
        }
    }
}

/// 40 of 100 come, 30 go, 20 move, and 10 were never there.
static void happen(place_t *self, const rp_trek_t *trek, uint64_t *random)
{
    const uint32_t kind = rp_bench_below(random, 100);
    const box_t stone = stone_near(trek, random);
    const size_t which = find_near(self, trek, random);
    if (kind < 40) {
        if (may_stand(self, &stone, trek)) {
            come(self, &stone);
        }
    } else if (kind < 70) {
        if (which != self->clutter_count) {
            put(self, &self->clutter[which], -1);
            self->clutter[which] = self->clutter[--self->clutter_count];
        }
    } else if (kind < 90) {
        if (which != self->clutter_count) {
            move(self, which, trek, random);
        }
    } else if (may_stand(self, &stone, trek)) {
        clear(self, &stone);
    }
}

// ---- the drive

static void build(place_t *self, uint64_t *random)
{
    const uint32_t side = (uint32_t)self->side;
    const uint32_t most = (uint32_t)((uint64_t)side * side * (BOXES + STONES) / 1000000u);
    for (uint32_t i = 0; i < most; i++) {
        const uint32_t size = i < most * BOXES / (BOXES + STONES) ? 58 : 5;
        const uint32_t least = size == 58 ? 3 : 1;
        const box_t box = {(int32_t)rp_bench_below(random, side),
                           (int32_t)rp_bench_below(random, side),
                           (int32_t)(least + rp_bench_below(random, size)),
                           (int32_t)(least + rp_bench_below(random, size))};
        const bool at_an_end = (box.x < (int32_t)(3 * MARGIN) && box.y < (int32_t)(3 * MARGIN)) ||
                               (box.x + box.width > self->side - (int32_t)(3 * MARGIN) &&
                                box.y + box.height > self->side - (int32_t)(3 * MARGIN));
        if (!at_an_end && box.x + box.width <= self->side && box.y + box.height <= self->side) {
            put(self, &box, 1);
        }
    }
    const box_t all = {0, 0, self->side, self->side};
    inflate(self, &all, NULL);
    self->dirty.width = 0;
}

static void drive(place_t *self, rp_trek_t *trek, unsigned events, uint64_t *random)
{
    while (rp_trek_ask(trek) && rp_trek_walk(trek)) {
        for (unsigned i = 0; i < events; i++) {
            happen(self, trek, random);
        }
        if (self->dirty.width != 0) {
            inflate(self, &self->dirty, trek);
            self->dirty.width = 0;
        }
    }
}

bool rp_beyond_drive(rp_trace_t *trace, const rp_bench_options_t *options,
                     const rp_beyond_cell_t *cell, uint64_t seed)
{
    (void)options;
    const uint32_t side = cell->a;
    const size_t count = (size_t)side * side;
    const rp_grid_shape_t shape = {side, side, cell->neighbors, false, UNIT, UNIT};
    place_t place = {.side = (int32_t)side,
                     .solid = rp_bench_memory(NULL, count, 1),
                     .factors = rp_bench_memory(NULL, count, 1)};
    uint64_t random = seed;
    memset(place.solid, 0, count);
    memset(place.factors, UNIT, count);
    fill_factors(&place);
    build(&place, &random);
    rp_trace_init(trace, &shape, place.factors);
    rp_grid_t *grid = rp_trace_grid(trace);
    const rp_cell_t start = rp_grid_cell(grid, MARGIN, MARGIN);
    const rp_cell_t goal = rp_grid_cell(grid, side - MARGIN, side - MARGIN);
    rp_grid_destroy(&grid);
    rp_trek_t trek;
    rp_trek_init(&trek, trace, start, goal);
    drive(&place, &trek, cell->b, &random);
    rp_trek_fini(&trek);
    free(place.solid);
    free(place.factors);
    free(place.clutter);
    return true;
}
