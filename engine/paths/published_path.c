/// A path is kept as steps and walked on the current grid: no fact about a cell is kept, so none
/// can be stale.
#include "engine/paths/published_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const uint32_t rp_step_x[RP_DIRECTIONS] = {1, 1, 0, UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, 1};
const uint32_t rp_step_y[RP_DIRECTIONS] = {0, 1, 1, 1, 0, UINT32_MAX, UINT32_MAX, UINT32_MAX};

// ---- what stands

static uint32_t at_most(uint32_t value, uint32_t most)
{
    return value < most ? value : most;
}

static uint8_t step_of(const rp_grid_t *grid, const rp_path_t *path, uint32_t step)
{
    return (uint8_t)rp_path_direction(grid, path->cells[step], path->cells[step + 1u]);
}

/// What of the steps that are left leads through the cells of the path at its beginning, and at its
/// end.
static rp_splice_t compare(const rp_published_path_t *self, const rp_grid_t *grid,
                           const rp_path_t *path)
{
    const uint32_t count = path->count - 1u;
    rp_splice_t splice = {.from_end = self->count - self->first};
    const uint32_t most = at_most(splice.from_end, count);
    rp_cell_t cell = self->at;
    while (splice.head < most && cell == path->cells[splice.head]) {
        cell = rp_grid_step(grid, cell, self->steps[self->first + splice.head++]);
    }
    splice.head -= splice.head != 0 && cell != path->cells[splice.head];
    cell = self->end;
    while (splice.head + splice.tail < most && cell == path->cells[count - splice.tail]) {
        const unsigned step = self->steps[self->count - 1u - splice.tail++];
        cell = rp_grid_step(grid, cell, rp_direction_back(step));
    }
    splice.tail -= splice.tail != 0 && cell != path->cells[count - splice.tail];
    return splice;
}

rp_splice_t rp_published_path_splice(const rp_published_path_t *self)
{
    const rp_splice_t *whole = &self->splice;
    const uint32_t of_head = at_most(self->first, whole->head);
    return (rp_splice_t){
        .from_end = whole->from_end - of_head,
        .head = whole->head - of_head,
        .tail = at_most(whole->tail, self->count - self->first),
    };
}

static uint32_t count_diagonals(const uint8_t *steps, uint32_t count)
{
    uint32_t diagonals = 0;
    for (uint32_t i = 0; i < count; i++) {
        diagonals += steps[i] & 1u;
    }
    return diagonals;
}

void rp_published_path_cut(rp_published_path_t *self, const rp_grid_t *grid, uint32_t steps)
{
    self->splice = (rp_splice_t){.from_end = self->count - self->first, .head = steps};
    memmove(self->steps, self->steps + self->first, steps);
    self->first = 0;
    self->count = steps;
    self->diagonals = count_diagonals(self->steps, steps);
    self->end = self->at;
    for (uint32_t i = 0; i < steps; i++) {
        self->end = rp_grid_step(grid, self->end, self->steps[i]);
    }
}

void rp_published_path_repeat(rp_published_path_t *self)
{
    self->splice = (rp_splice_t){0};
}

// ---- the path

rp_status_t rp_published_path_keep(rp_published_path_t *self, const rp_grid_t *grid,
                                   const rp_path_t *path)
{
    const uint32_t count = path->count - 1u;
    const rp_splice_t splice = compare(self, grid, path);
    if (count > self->capacity) {
        const uint32_t capacity = count + count / 2u + 64u;
        uint8_t *steps = realloc(self->steps, capacity);
        if (steps == NULL) {
            return RP_E_MEMORY;
        }
        self->steps = steps;
        self->capacity = capacity;
    }
    if (splice.head + splice.tail != 0) { // else there may be no steps at all
        const uint8_t *old_tail = self->steps + self->count - splice.tail;
        memmove(self->steps, self->steps + self->first, splice.head);
        memmove(self->steps + count - splice.tail, old_tail, splice.tail);
    }
    for (uint32_t i = splice.head; i < count - splice.tail; i++) {
        self->steps[i] = step_of(grid, path, i);
    }
    self->splice = splice;
    self->diagonals = count_diagonals(self->steps, count);
    self->count = count;
    self->first = 0;
    self->at = path->cells[0];
    self->end = path->cells[count];
    return RP_OK;
}

void rp_published_path_clear(rp_published_path_t *self, rp_cell_t at)
{
    self->splice = (rp_splice_t){0};
    self->diagonals = 0;
    self->count = 0;
    self->first = 0;
    self->at = at;
    self->end = at;
}

void rp_published_path_pass(rp_published_path_t *self, const rp_grid_t *grid, uint32_t steps)
{
    for (const uint32_t end = self->first + steps; self->first < end; self->first++) {
        self->at = rp_grid_step(grid, self->at, self->steps[self->first]);
        self->diagonals -= self->steps[self->first] & 1u;
    }
}

static bool is_known(const rp_grid_t *grid, rp_cell_t cell, const uint8_t *bytes, uint8_t unknown)
{
    return bytes[(size_t)rp_grid_y(grid, cell) * grid->shape.width + rp_grid_x(grid, cell)] !=
           unknown;
}

uint32_t rp_published_path_known(const rp_published_path_t *self, const rp_grid_t *grid,
                                 const uint8_t *bytes, uint8_t unknown)
{
    rp_cell_t cell = self->at;
    for (uint32_t i = self->first; i < self->count; i++) {
        const unsigned step = self->steps[i];
        const bool is_diagonal = rp_direction_is_diagonal(step);
        const rp_cell_t next = rp_grid_step(grid, cell, step);
        if (!is_known(grid, next, bytes, unknown) ||
            (is_diagonal &&
             (!is_known(grid, rp_grid_step(grid, cell, (step + 7u) % 8u), bytes, unknown) ||
              !is_known(grid, rp_grid_step(grid, cell, (step + 1u) % 8u), bytes, unknown)))) {
            return i - self->first;
        }
        cell = next;
    }
    return self->count - self->first;
}

/// Cells are sent for so many steps ahead: those of a long path come from memory. Over a seam they
/// are others, which does no harm.
#define AHEAD 16u

bool rp_published_path_measure(const rp_published_path_t *self, const rp_grid_t *grid,
                               rp_walk_t *walk)
{
    uint64_t factors[2] = {0, 0};
    rp_cell_t cell = self->at;
    rp_cell_t sent = cell;
    uint32_t sent_count = self->first;
    for (uint32_t i = self->first; i < self->count; i++) {
        const unsigned direction = self->steps[i];
        for (; sent_count < self->count && sent_count <= i + AHEAD; sent_count++) {
            sent += (rp_cell_t)grid->offset[self->steps[sent_count]];
            __builtin_prefetch(&grid->moves[sent]);
            __builtin_prefetch(&grid->factor[sent]);
        }
        if (((grid->moves[cell] >> direction) & 1u) == 0) {
            return false;
        }
        const rp_cell_t next = rp_grid_step(grid, cell, direction);
        factors[direction & 1u] += (uint64_t)grid->factor[cell] + grid->factor[next];
        cell = next;
    }
    *walk = (rp_walk_t){.factors = {factors[0], factors[1]}, .end = cell};
    return grid->factor[cell] != 0;
}

void rp_published_path_count(const rp_published_path_t *self, const rp_grid_t *grid,
                             rp_walk_t *walk)
{
    const uint64_t diagonals = self->diagonals;
    const uint64_t each = 2u * (uint64_t)grid->shape.unit;
    const uint64_t straights = self->count - self->first - diagonals;
    *walk = (rp_walk_t){.factors = {straights * each, diagonals * each}, .end = self->end};
}

/// How many cells a place lies before or behind a range. @param at  less its low end, turned over
static uint32_t off(uint32_t at, uint32_t length)
{
    const uint32_t beyond = at - length;
    return at <= length ? 0 : beyond < 0u - at ? beyond : 0u - at;
}

/// So many steps taken at once: columns in the low half of the sum, rows in the high one, each with
/// one more for every step, so that none of them borrows.
static uint64_t sum_of(const uint8_t *steps, uint32_t count)
{
    static const uint64_t sums[RP_DIRECTIONS] = {
        (uint64_t)1 << 32 | 2, (uint64_t)2 << 32 | 2, (uint64_t)2 << 32 | 1, (uint64_t)2 << 32 | 0,
        (uint64_t)1 << 32 | 0, (uint64_t)0 << 32 | 0, (uint64_t)0 << 32 | 1, (uint64_t)0 << 32 | 2,
    };
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += sums[steps[i]];
    }
    return sum;
}

bool rp_published_path_enters(const rp_published_path_t *self, const rp_grid_t *grid, uint32_t left,
                              uint32_t top, uint32_t right, uint32_t bottom)
{
    uint32_t x = rp_grid_x(grid, self->at) - left; // before the rectangle a great number
    uint32_t y = rp_grid_y(grid, self->at) - top;
    uint32_t i = self->first;
    for (;;) {
        const uint32_t off_x = off(x, right - left);
        const uint32_t off_y = off(y, bottom - top);
        const uint32_t apart = off_x > off_y ? off_x : off_y; // so many steps it takes at least
        if (apart == 0 || apart > self->count - i) {
            return apart == 0;
        }
        const uint64_t sum = sum_of(self->steps + i, apart);
        x += (uint32_t)sum - apart;
        y += (uint32_t)(sum >> 32) - apart;
        i += apart;
    }
}

bool rp_published_path_is_inside(const rp_published_path_t *self, const rp_grid_t *grid)
{
    rp_cell_t cell = self->at;
    for (uint32_t i = self->first; i < self->count && rp_grid_holds(grid, cell); i++) {
        cell = rp_grid_step(grid, cell, self->steps[i]);
    }
    return rp_grid_holds(grid, cell);
}

double rp_published_path_cost(const rp_published_path_t *self, const rp_grid_t *grid,
                              rp_cell_t *end)
{
    rp_walk_t walk;
    if (!rp_published_path_measure(self, grid, &walk)) {
        return -1.0;
    }
    *end = walk.end;
    return rp_walk_cost(&walk, grid);
}

size_t rp_published_path_walk(const rp_grid_t *grid, rp_cell_t start, const uint8_t *steps,
                              size_t count, uint32_t *offenders, size_t capacity, double *cost)
{
    double factors[2] = {0.0, 0.0};
    size_t illegal = 0;
    rp_cell_t cell = start;
    for (size_t i = 0; i < count; i++) {
        const unsigned step = steps[i] % RP_DIRECTIONS;
        const bool is_inside = rp_grid_holds(grid, cell);
        const rp_cell_t next = is_inside ? rp_grid_step(grid, cell, step) : cell;
        if (!is_inside || ((grid->moves[cell] >> step) & 1u) == 0) {
            if (illegal < capacity) {
                offenders[illegal] = (uint32_t)i;
            }
            illegal++;
        } else {
            factors[step & 1u] += (double)grid->factor[cell] + grid->factor[next];
        }
        cell = next;
    }
    const bool is_legal = illegal == 0 && grid->factor[start] != 0;
    *cost = is_legal ? (factors[0] + factors[1] * sqrt(2.0)) / (2.0 * grid->shape.unit) : -1.0;
    return illegal;
}

void rp_published_path_fini(rp_published_path_t *self)
{
    free(self->steps);
    *self = (rp_published_path_t){0};
}
