/// Boxes are counted cell by cell: one may lie on another.
#include "bench/beyond/clutter.h"

#include <stdlib.h>
#include <string.h>

#include "bench/measure/harness.h"

#define ROOM   9    ///< to each side of robot and goal: nothing comes nearer
#define WALLS  230u ///< of a million cells
#define STONES 500u ///< the same
#define STONE  5    ///< most cells of its sides

static void put(rp_clutter_t *self, const rp_clutter_box_t *box, int by)
{
    for (int32_t y = box->y; y < box->y + box->height; y++) {
        for (int32_t x = box->x; x < box->x + box->width; x++) {
            const uint32_t index = (uint32_t)(y * self->side + x);
            self->solid[index] = (uint8_t)(self->solid[index] + by);
            if (self->mark_count == self->mark_capacity) {
                self->mark_capacity = 2u * self->mark_capacity + 4096u;
                self->marks =
                    rp_bench_memory(self->marks, self->mark_capacity, sizeof *self->marks);
            }
            self->marks[self->mark_count++] = (rp_clutter_mark_t){index, self->solid[index] != 0};
        }
    }
}

// ---- where

static bool is_apart(const rp_clutter_box_t *box, rp_spot_t end)
{
    return box->x > end.x + ROOM || box->x + box->width + ROOM <= end.x || box->y > end.y + ROOM ||
           box->y + box->height + ROOM <= end.y;
}

/// A box inside, no nearer than ROOM to either end.
static bool may_stand(const rp_clutter_t *self, const rp_clutter_box_t *box)
{
    const bool is_inside = box->x >= 0 && box->y >= 0 && box->x + box->width <= self->side &&
                           box->y + box->height <= self->side;
    return is_inside && is_apart(box, self->robot) && is_apart(box, self->goal);
}

/// True when all cells of a box lie in the robot's window.
static bool is_near(const rp_clutter_t *self, const rp_clutter_box_t *box)
{
    const int32_t window = RP_CLUTTER_WINDOW;
    return box->x >= self->robot.x - window && box->x + box->width <= self->robot.x + window + 1 &&
           box->y >= self->robot.y - window && box->y + box->height <= self->robot.y + window + 1;
}

static rp_clutter_box_t stone_near(const rp_clutter_t *self, uint64_t *random)
{
    const uint32_t side = 2u * RP_CLUTTER_WINDOW + 1u;
    rp_clutter_box_t box = {.width = 1 + (int32_t)rp_bench_below(random, STONE),
                            .height = 1 + (int32_t)rp_bench_below(random, STONE)};
    box.x = self->robot.x - RP_CLUTTER_WINDOW +
            (int32_t)rp_bench_below(random, side + 1u - (uint32_t)box.width);
    box.y = self->robot.y - RP_CLUTTER_WINDOW +
            (int32_t)rp_bench_below(random, side + 1u - (uint32_t)box.height);
    return box;
}

/// @return stone_count when there is none
static size_t find_near(const rp_clutter_t *self, uint64_t *random)
{
    const size_t count = self->stone_count;
    const size_t begin = count != 0 ? rp_bench_below(random, (uint32_t)count) : 0;
    for (size_t i = 0; i < count; i++) {
        const size_t which = (begin + i) % count;
        if (is_near(self, &self->stones[which])) {
            return which;
        }
    }
    return count;
}

// ---- what happens

static void come(rp_clutter_t *self, const rp_clutter_box_t *box)
{
    if (self->stone_count == self->stone_capacity) {
        self->stone_capacity = 2u * self->stone_capacity + 256u;
        self->stones = rp_bench_memory(self->stones, self->stone_capacity, sizeof *self->stones);
    }
    self->stones[self->stone_count++] = *box;
    put(self, box, 1);
}

static void move(rp_clutter_t *self, size_t which, uint64_t *random)
{
    rp_clutter_box_t there = self->stones[which];
    const int32_t far = 1 + (int32_t)rp_bench_below(random, 3);
    const uint32_t way = rp_bench_below(random, 4);
    there.x += way == 0 ? far : way == 1 ? -far : 0;
    there.y += way == 2 ? far : way == 3 ? -far : 0;
    if (may_stand(self, &there) && is_near(self, &there)) {
        put(self, &self->stones[which], -1);
        put(self, &there, 1);
        self->stones[which] = there;
    }
}

static bool is_of_stone(const rp_clutter_t *self, int32_t x, int32_t y)
{
    for (size_t i = 0; i < self->stone_count; i++) {
        const rp_clutter_box_t *box = &self->stones[i];
        if (x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height) {
            return true;
        }
    }
    return false;
}

/// A piece of the map that was never true is taken away.
static void clear(rp_clutter_t *self, const rp_clutter_box_t *box)
{
    for (int32_t y = box->y; y < box->y + box->height; y++) {
        for (int32_t x = box->x; x < box->x + box->width; x++) {
            const rp_clutter_box_t cell = {x, y, 1, 1};
            const int count = self->solid[y * self->side + x];
            if (count != 0 && !is_of_stone(self, x, y)) {
                put(self, &cell, -count);
            }
        }
    }
}

void rp_clutter_happen(rp_clutter_t *self, uint64_t *random)
{
    const uint32_t kind = rp_bench_below(random, 100);
    const rp_clutter_box_t stone = stone_near(self, random);
    const size_t which = find_near(self, random);
    if (kind < 40) {
        if (may_stand(self, &stone)) {
            come(self, &stone);
        }
    } else if (kind < 90) {
        if (which == self->stone_count) {
            return;
        }
        if (kind < 70) {
            put(self, &self->stones[which], -1);
            self->stones[which] = self->stones[--self->stone_count];
        } else {
            move(self, which, random);
        }
    } else if (may_stand(self, &stone)) {
        clear(self, &stone);
    }
}

// ---- birth and death

static void build(rp_clutter_t *self, uint64_t *random)
{
    const uint32_t side = (uint32_t)self->side;
    const int32_t corner = 3 * (int32_t)RP_CLUTTER_MARGIN;
    const uint32_t most = (uint32_t)((uint64_t)side * side * (WALLS + STONES) / 1000000u);
    for (uint32_t i = 0; i < most; i++) {
        const bool is_wall = i < most * WALLS / (WALLS + STONES);
        const uint32_t range = is_wall ? 58 : STONE;
        const uint32_t least = is_wall ? 3 : 1;
        const rp_clutter_box_t box = {(int32_t)rp_bench_below(random, side),
                                      (int32_t)rp_bench_below(random, side),
                                      (int32_t)(least + rp_bench_below(random, range)),
                                      (int32_t)(least + rp_bench_below(random, range))};
        const int32_t right = box.x + box.width;
        const int32_t bottom = box.y + box.height;
        const bool at_an_end = (box.x < corner && box.y < corner) ||
                               (right > self->side - corner && bottom > self->side - corner);
        if (!at_an_end && right <= self->side && bottom <= self->side) {
            put(self, &box, 1);
        }
    }
}

void rp_clutter_init(rp_clutter_t *self, uint32_t side, uint64_t *random)
{
    const size_t cells = (size_t)side * side;
    const int32_t far = (int32_t)(side - RP_CLUTTER_MARGIN);
    *self = (rp_clutter_t){.side = (int32_t)side,
                           .solid = rp_bench_memory(NULL, cells, 1),
                           .robot = {(int32_t)RP_CLUTTER_MARGIN, (int32_t)RP_CLUTTER_MARGIN},
                           .goal = {far, far}};
    memset(self->solid, 0, cells);
    build(self, random);
    self->mark_count = 0;
}

void rp_clutter_fini(rp_clutter_t *self)
{
    free(self->solid);
    free(self->stones);
    free(self->marks);
    *self = (rp_clutter_t){0};
}
