/// A step counts the factors of its two cells, twice, and one more when it is diagonal: what is
/// needed to take it out of the sums again, whatever the factors are then. On uniform ground
/// without a seam the cells alone tell that, and nothing is noted.
#include "planners/core/result_path.h"

#include <assert.h>
#include <string.h>

// ---- steps

/// Without a seam a straight step goes one place on or back, or one row.
static uint32_t is_straight(const rp_grid_t *grid, uint32_t ahead)
{
    return (ahead == 1u) | (ahead == UINT32_MAX) | (ahead == grid->stride) |
           (ahead == 0u - grid->stride);
}

static bool is_diagonal(const rp_grid_t *grid, rp_cell_t from, rp_cell_t to)
{
    return grid->shape.wraps ? rp_direction_is_diagonal(rp_path_direction(grid, from, to))
                             : is_straight(grid, to - from) == 0;
}

/// True on ground where the cells of a step tell what it counts. It does not change while a path is
/// held: who turns a grid weighted must bind anew.
static bool is_plain(const rp_grid_t *grid)
{
    return !grid->weighted && !grid->shape.wraps;
}

/// What steps between cells count on plain ground. @param sums  written
static void sum_up_plain(const rp_result_path_t *self, uint32_t from, uint32_t to, uint64_t sums[2])
{
    const uint64_t factors = 2u * self->grid->shape.unit;
    uint32_t straights = 0;
    for (uint32_t place = from; place < to; place++) {
        straights += is_straight(self->grid, self->cells[place + 1u] - self->cells[place]);
    }
    straights = self->grid->shape.neighbors == 8 ? straights : to - from;
    sums[0] = straights * factors;
    sums[1] = (to - from - straights) * factors;
}

/// What steps counted when they were put in. @param sums  written
static void sum_up(const rp_result_path_t *self, uint32_t from, uint32_t to, uint64_t sums[2])
{
    uint64_t factors = 0;
    uint64_t diagonals = 0; // factors of those
    if (is_plain(self->grid)) {
        sum_up_plain(self, from, to, sums);
        return;
    }
    for (uint32_t place = from; place < to; place++) {
        const uint32_t step = self->steps[place];
        factors += step >> 1;
        diagonals += (step >> 1) & (0u - (step & 1u));
    }
    sums[0] = factors - diagonals;
    sums[1] = diagonals;
}

static void take_out(rp_result_path_t *self, uint32_t from, uint32_t to)
{
    uint64_t sums[2];
    sum_up(self, from, to, sums);
    self->walk.factors[0] -= sums[0];
    self->walk.factors[1] -= sums[1];
}

/// The same for the few steps of a start that walks.
static void take_out_few(rp_result_path_t *self, uint32_t from, uint32_t to)
{
    if (!is_plain(self->grid)) {
        take_out(self, from, to);
        return;
    }
    const uint64_t factors = 2u * self->grid->shape.unit;
    const uint32_t has_diagonals = self->grid->shape.neighbors == 8;
    for (uint32_t place = from; place < to; place++) {
        const uint32_t ahead = self->cells[place + 1u] - self->cells[place];
        self->walk.factors[has_diagonals & (is_straight(self->grid, ahead) ^ 1u)] -= factors;
    }
}

static void put_in(rp_result_path_t *self, uint32_t from, uint32_t to)
{
    const rp_grid_t *grid = self->grid;
    if (is_plain(grid)) {
        uint64_t sums[2];
        sum_up_plain(self, from, to, sums);
        self->walk.factors[0] += sums[0];
        self->walk.factors[1] += sums[1];
        return;
    }
    const bool has_diagonals = grid->shape.neighbors == 8;
    for (uint32_t place = from; place < to; place++) {
        const rp_cell_t cell = self->cells[place];
        const rp_cell_t next = self->cells[place + 1u];
        const unsigned factors = grid->weighted ? (unsigned)grid->factor[cell] + grid->factor[next]
                                                : 2u * grid->shape.unit;
        const unsigned diagonal = has_diagonals && is_diagonal(grid, cell, next);
        self->steps[place] = (uint16_t)(2u * factors + diagonal);
        self->walk.factors[diagonal] += factors;
    }
}

// ---- cells

static void move(rp_result_path_t *self, uint32_t from, uint32_t count, uint32_t to)
{
    if (from == to) {
        return;
    }
    memmove(self->cells + to, self->cells + from, count * sizeof *self->cells);
    if (!is_plain(self->grid)) {
        memmove(self->steps + to, self->steps + from, count * sizeof *self->steps);
    }
}

/// Put the head and the tail so far apart. With a head the tail moves, else there is as a rule room
/// in front of it.
/// @param gap  cells between them
static void make_room(rp_result_path_t *self, rp_path_stands_t stands, uint32_t gap)
{
    const uint32_t capacity = self->grid->cell_count;
    const uint32_t count = stands.head + gap + stands.tail;
    const uint32_t tail = self->first + self->count - stands.tail;
    if (stands.head == 0) {
        const bool has_room = stands.tail != 0 && tail >= gap;
        const uint32_t tail_now = has_room ? tail : capacity - stands.tail;
        move(self, tail, stands.tail, tail_now);
        self->first = tail_now - gap;
    } else {
        if (self->first + count > capacity) { // both go down; they do not overlap
            move(self, self->first, self->count, 0);
            self->first = 0;
        }
        move(self, self->first + self->count - stands.tail, stands.tail,
             self->first + stands.head + gap);
    }
    self->count = count;
    self->peak = count > self->peak ? count : self->peak;
}

/// Replace all but what stands, and leave the sums to the caller.
static void replace(rp_result_path_t *self, rp_path_stands_t stands, uint32_t count)
{
    make_room(self, stands, count);
    self->left = 0;
    self->room_peak = count > self->room_peak ? count : self->room_peak;
    memcpy(self->cells + self->first + stands.head, self->room, count * sizeof *self->room);
}

void rp_result_path_rewrite(rp_result_path_t *self, rp_path_stands_t stands, uint32_t count)
{
    assert((uint64_t)stands.left + stands.head + stands.tail <= self->count);
    if (stands.left != 0) {
        take_out(self, self->first,
                 self->first + (stands.left < self->count ? stands.left : self->count - 1u));
        self->first += stands.left;
        self->count -= stands.left;
    }
    const uint32_t before = stands.head != 0 ? 1u : 0u; // the last step of the head leads out of it
    const uint32_t old_end = self->first + self->count - (stands.tail != 0 ? stands.tail : 1u);
    if (self->count != 0) {
        take_out(self, self->first + stands.head - before, old_end);
    }
    replace(self, stands, count);
    if (self->count != 0) {
        put_in(self, self->first + stands.head - before,
               self->first + self->count - (stands.tail != 0 ? stands.tail : 1u));
    }
}

bool rp_result_path_follow(rp_result_path_t *self, rp_cell_t start)
{
    const uint32_t room = RP_START_LAG_MAX - self->left;
    const uint32_t most = self->count <= room ? self->count : room + 1u;
    uint32_t steps = 0;
    while (steps < most && self->cells[self->first + steps] != start) {
        steps++;
    }
    if (steps == most) {
        return false;
    }
    self->first += steps;
    self->count -= steps;
    self->left += steps;
    take_out_few(self, self->first - steps, self->first);
    return true;
}

void rp_result_path_turn_back(rp_result_path_t *self)
{
    uint64_t sums[2];
    sum_up(self, self->first - self->left, self->first, sums);
    self->walk.factors[0] += sums[0];
    self->walk.factors[1] += sums[1];
    self->first -= self->left;
    self->count += self->left;
    self->left = 0;
}

// ---- birth and death

void rp_result_path_init(rp_result_path_t *self, const rp_grid_t *grid, rp_arena_t *arena)
{
    *self = (rp_result_path_t){.grid = grid};
    self->cells = rp_arena_new_sparse(arena, grid->cell_count, sizeof *self->cells);
    rp_arena_note(arena, &self->peak, &self->peak, sizeof *self->cells);
    self->steps = rp_arena_new_sparse(arena, grid->cell_count, sizeof *self->steps);
    if (!is_plain(grid)) {
        rp_arena_note(arena, &self->peak, &self->peak, sizeof *self->steps);
    }
    self->room = rp_arena_new_sparse(arena, grid->cell_count, sizeof *self->room);
    rp_arena_note(arena, &self->room_peak, &self->room_peak, sizeof *self->room);
}
