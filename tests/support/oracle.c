/// Dijkstra with a binary heap and lazy deletion, on coordinates. Slow and plain on purpose.
#include "tests/support/oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t place_count(const rp_oracle_t *self)
{
    return self->shape.width * self->shape.height;
}

/// Coordinate after a step of -1, 0 or 1, or -1 when the step leaves the world.
static inline int64_t moved(int64_t at, int step, int64_t side, bool wraps)
{
    const int64_t to = at + step;
    if (!wraps) {
        return to < side ? to : -1;
    }
    return to < 0 ? side - 1 : to < side ? to : 0;
}

static inline bool is_free(const rp_oracle_t *self, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && self->factors[y * self->shape.width + x] != 0;
}

/// From a free place: where a step leads, or RP_ORACLE_NO_PLACE.
static inline uint32_t step_from(const rp_oracle_t *self, int64_t x, int64_t y, int dx, int dy)
{
    const rp_grid_shape_t *shape = &self->shape;
    const int64_t to_x = moved(x, dx, shape->width, shape->wraps);
    const int64_t to_y = moved(y, dy, shape->height, shape->wraps);
    if (!is_free(self, to_x, to_y)) {
        return RP_ORACLE_NO_PLACE;
    }
    const bool is_diagonal = dx != 0 && dy != 0;
    if (is_diagonal &&
        (shape->neighbors == 4 || !is_free(self, to_x, y) || !is_free(self, x, to_y))) {
        return RP_ORACLE_NO_PLACE;
    }
    return (uint32_t)(to_y * shape->width + to_x);
}

uint32_t rp_oracle_step(const rp_oracle_t *self, uint32_t place, int dx, int dy)
{
    if (self->factors[place] == 0) {
        return RP_ORACLE_NO_PLACE;
    }
    const uint32_t width = self->shape.width;
    return step_from(self, place % width, place / width, dx, dy);
}

static uint64_t step_cost(const rp_oracle_t *self, uint32_t from, uint32_t to, bool is_diagonal)
{
    const uint64_t factors = (uint64_t)self->factors[from] + self->factors[to];
    return factors * (is_diagonal ? 577u : 408u);
}

// ---- the heap

static void push(rp_oracle_t *self, uint64_t cost, uint32_t place)
{
    rp_oracle_entry_t *heap = self->heap;
    uint32_t at = self->heap_count++;
    while (at != 0 && heap[(at - 1u) / 2u].cost > cost) {
        heap[at] = heap[(at - 1u) / 2u];
        at = (at - 1u) / 2u;
    }
    heap[at] = (rp_oracle_entry_t){cost, place};
}

static rp_oracle_entry_t pop(rp_oracle_t *self)
{
    rp_oracle_entry_t *heap = self->heap;
    const rp_oracle_entry_t top = heap[0];
    const rp_oracle_entry_t last = heap[--self->heap_count];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2u * at + 1u;
        if (child + 1u < self->heap_count && heap[child + 1u].cost < heap[child].cost) {
            child++;
        }
        if (child >= self->heap_count || heap[child].cost >= last.cost) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

// ---- questions

/// The straight ones first: 4 neighbours have these alone.
static const int steps[8][2] = {{1, 0}, {0, 1},  {-1, 0},  {0, -1},
                                {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

void rp_oracle_flood(rp_oracle_t *self, uint32_t from)
{
    const rp_oracle_goal_t source = {.place = from};
    rp_oracle_flood_goals(self, &source, 1);
}

void rp_oracle_flood_goals(rp_oracle_t *self, const rp_oracle_goal_t *goals, size_t count)
{
    for (uint32_t place = 0; place < place_count(self); place++) {
        self->cost[place] = RP_ORACLE_NO_PATH;
    }
    self->heap_count = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t cost = rp_oracle_offset(self, goals[i].offset);
        if (self->factors[goals[i].place] != 0 && cost < self->cost[goals[i].place]) {
            self->cost[goals[i].place] = cost;
            push(self, cost, goals[i].place);
        }
    }
    while (self->heap_count != 0) {
        const rp_oracle_entry_t best = pop(self);
        if (best.cost != self->cost[best.place]) {
            continue;
        }
        const uint32_t x = best.place % self->shape.width;
        const uint32_t y = best.place / self->shape.width;
        for (unsigned i = 0; i < self->shape.neighbors; i++) {
            const int dx = steps[i][0];
            const int dy = steps[i][1];
            const uint32_t to = step_from(self, x, y, dx, dy);
            if (to == RP_ORACLE_NO_PLACE) {
                continue;
            }
            const uint64_t cost = best.cost + step_cost(self, best.place, to, dx != 0 && dy != 0);
            if (cost < self->cost[to]) {
                self->cost[to] = cost;
                push(self, cost, to);
            }
        }
    }
}

uint64_t rp_oracle_offset(const rp_oracle_t *self, uint32_t offset)
{
    return (uint64_t)offset * 2u * self->shape.unit * 408u;
}

uint64_t rp_oracle_cheapest(const rp_oracle_t *self, const rp_oracle_goal_t *goals, size_t count)
{
    uint64_t best = RP_ORACLE_NO_PATH;
    for (size_t i = 0; i < count; i++) {
        const uint64_t way = self->cost[goals[i].place];
        if (way == RP_ORACLE_NO_PATH) {
            continue;
        }
        const uint64_t cost = way + rp_oracle_offset(self, goals[i].offset);
        best = cost < best ? cost : best;
    }
    return best;
}

/// True when a legal step leads from one place to the other; says whether it is diagonal. In a
/// wrapped world of 3 no two steps lead to the same place, so the step is known by its ends.
static bool step_between(const rp_oracle_t *self, uint32_t from, uint32_t to, bool *is_diagonal)
{
    for (int step = 0; step < 9; step++) {
        const int dx = step % 3 - 1;
        const int dy = step / 3 - 1;
        if (step != 4 && rp_oracle_step(self, from, dx, dy) == to) {
            *is_diagonal = dx != 0 && dy != 0;
            return true;
        }
    }
    return false;
}

bool rp_oracle_measure(const rp_oracle_t *self, const uint32_t *places, size_t count,
                       uint64_t *whole, double *lengths)
{
    uint64_t sums[2] = {0, 0}; // of both factors, over straight and over diagonal steps
    for (size_t i = 0; i < count; i++) {
        if (places[i] >= place_count(self) || self->factors[places[i]] == 0) {
            return false;
        }
        if (i == 0) {
            continue;
        }
        bool is_diagonal = false;
        if (!step_between(self, places[i - 1], places[i], &is_diagonal)) {
            return false;
        }
        sums[is_diagonal] += (uint64_t)self->factors[places[i - 1]] + self->factors[places[i]];
    }
    const long double diagonal = sqrtl(2.0L);
    *whole = sums[0] * 408u + sums[1] * 577u;
    *lengths = (double)(((long double)sums[0] + (long double)sums[1] * diagonal) /
                        (2.0L * self->shape.unit));
    return true;
}

// ---- birth and death

rp_oracle_t *rp_oracle_new(const rp_grid_shape_t *shape)
{
    rp_oracle_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    const size_t places = (size_t)shape->width * shape->height;
    self->shape = *shape;
    self->factors = malloc(places);
    self->cost = malloc(places * sizeof *self->cost);
    self->heap = malloc(9u * places * sizeof *self->heap); // goals, and each edge relaxed once
    if (self->factors == NULL || self->cost == NULL || self->heap == NULL) {
        rp_oracle_destroy(&self);
        return NULL;
    }
    memset(self->factors, shape->unit, places);
    return self;
}

void rp_oracle_destroy(rp_oracle_t **self)
{
    if (*self == NULL) {
        return;
    }
    free((*self)->factors);
    free((*self)->cost);
    free((*self)->heap);
    free(*self);
    *self = NULL;
}
