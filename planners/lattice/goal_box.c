#include "planners/lattice/goal_box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/budget.h"
#include "planners/lattice/child_cost.h"

#define HALF_LEAST 8
#define HALF_MOST  24

/// The children of a cell count as so many expansions at least, and as one for so many states.
#define CELL_PRICE_LEAST 4u
#define STATES_EACH      4u

static int32_t side_of(const rp_goal_box_t *self)
{
    return 2 * self->rest.half + 1;
}

/// The place of cell (dx, dy), counted from the goal.
static size_t cell_place(const rp_goal_box_t *self, int32_t dx, int32_t dy)
{
    const int32_t half = self->rest.half;
    return (size_t)(dy + half) * (size_t)side_of(self) + (size_t)(dx + half);
}

static bool is_inside(const rp_goal_box_t *self, int32_t dx, int32_t dy)
{
    return abs(dx) <= self->rest.half && abs(dy) <= self->rest.half;
}

/// Where a pose lies, counted from the goal.
static void offset_of(const rp_goal_box_t *self, uint32_t x, uint32_t y, int32_t *dx, int32_t *dy)
{
    *dx = rp_lattice_search_apart(self->search, x, self->x, self->search->ground->shape.width);
    *dy = rp_lattice_search_apart(self->search, y, self->y, self->search->ground->shape.height);
}

// ---- which children are legal

static void note_legal(rp_goal_box_t *self, uint32_t x, uint32_t y, uint8_t *legal)
{
    const rp_control_set_t *set = self->search->set;
    const size_t bytes = rp_mask_bytes(set->kind);
    const uint32_t words = (uint32_t)(bytes / sizeof(uint64_t));
    rp_obstacle_window_t window;
    if (set->kind == RP_MASK_16) {
        rp_obstacles_window_16(self->search->obstacles, (int32_t)x, (int32_t)y, &window);
    } else {
        rp_obstacles_window_32(self->search->obstacles, (int32_t)x, (int32_t)y, &window);
    }
    for (uint32_t state = 0; state < set->states; state++) {
        const bool is_clear =
            !rp_obstacle_window_meets_portable(&window, set->unions + state * bytes, words);
        for (uint32_t i = set->first[state]; i < set->loops[state]; i++) {
            if (is_clear ||
                !rp_obstacle_window_meets_portable(&window, set->masks + i * bytes, words)) {
                legal[i / 8u] |= (uint8_t)(1u << (i % 8u));
            }
        }
    }
}

static uint32_t cell_price(const rp_goal_box_t *self)
{
    const uint32_t price = self->search->set->states / STATES_EACH;
    return price > CELL_PRICE_LEAST ? price : CELL_PRICE_LEAST;
}

/// The children of the next cell.
static void prepare_next(rp_goal_box_t *self)
{
    const uint32_t side = (uint32_t)side_of(self);
    const uint32_t number = self->prepared++;
    uint8_t *legal = self->legal + number * self->cell_bytes;
    rp_lattice_pose_t cell;
    memset(legal, 0, self->cell_bytes);
    if (self->search->set->kind != RP_MASK_RUNS &&
        rp_lattice_search_shift(self->search, self->x, self->y,
                                (int32_t)(number % side) - self->rest.half,
                                (int32_t)(number / side) - self->rest.half, &cell)) {
        note_legal(self, cell.x, cell.y, legal);
    }
}

static bool is_legal(const rp_goal_box_t *self, rp_lattice_pose_t cell, size_t place,
                     uint32_t child)
{
    const rp_control_set_t *set = self->search->set;
    const bool is_noted =
        set->kind != RP_MASK_RUNS && child < set->loops[set->children[child].from];
    return is_noted
               ? ((self->legal[place * self->cell_bytes + child / 8u] >> (child % 8u)) & 1u) != 0
               : rp_lattice_search_is_legal(self->search, cell.x, cell.y, child);
}

// ---- the search

static bool is_live(const void *owner, const rp_bucket_entry_t *entry)
{
    const rp_goal_box_t *self = owner;
    return self->rest.costs[entry->cell] == entry->key;
}

static void reach(rp_goal_box_t *self, size_t pose, uint32_t cost, uint16_t child)
{
    self->rest.costs[pose] = cost;
    self->next[pose] = child;
    if (rp_buckets_is_full(&self->open)) {
        rp_buckets_sweep(&self->open, is_live, self);
    }
    rp_buckets_push(&self->open, cost, 0, (rp_cell_t)pose);
}

/// Lower the cost of the pose from which a child leads to one that is known.
static void relax(rp_goal_box_t *self, int32_t dx, int32_t dy, uint32_t cost, uint16_t child)
{
    const rp_control_set_t *set = self->search->set;
    const rp_child_t *by = &set->children[child];
    const int32_t from_x = dx - by->dx;
    const int32_t from_y = dy - by->dy;
    rp_lattice_pose_t cell;
    if (!is_inside(self, from_x, from_y)) {
        return;
    }
    const size_t place = cell_place(self, from_x, from_y);
    const size_t pose = place * set->states + by->from;
    // On weighted ground a move costs at least what it does on the cheapest.
    if (self->rest.costs[pose] <= cost + by->cost ||
        !rp_lattice_search_shift(self->search, self->x, self->y, from_x, from_y, &cell) ||
        !is_legal(self, cell, place, child)) {
        return;
    }
    const uint32_t sum =
        cost + rp_child_cost(self->search->set, self->search->ground, cell.x, cell.y, child);
    if (sum < self->rest.costs[pose] && sum < RP_LATTICE_COST_MOST) {
        reach(self, pose, sum, child);
    }
}

static void expand_next(rp_goal_box_t *self)
{
    const rp_control_set_t *set = self->search->set;
    const rp_bucket_entry_t entry = *rp_buckets_pop(&self->open);
    if (!is_live(self, &entry)) {
        return;
    }
    const uint32_t state = entry.cell % set->states;
    const int32_t cell = (int32_t)(entry.cell / set->states);
    const int32_t dx = cell % side_of(self) - self->rest.half;
    const int32_t dy = cell / side_of(self) - self->rest.half;
    for (uint32_t i = set->into.first[state]; i < set->into.first[state + 1u]; i++) {
        relax(self, dx, dy, entry.key, set->into.numbers[i]);
    }
}

rp_status_t rp_goal_box_work(rp_goal_box_t *self, uint64_t *budget)
{
    const uint32_t cells = (uint32_t)(side_of(self) * side_of(self));
    while (!self->is_whole && *budget != 0) {
        if (self->prepared < cells) {
            prepare_next(self);
            rp_budget_pay(budget, cell_price(self));
        } else if (self->open.count != 0) {
            expand_next(self);
            --*budget;
        } else {
            self->is_whole = true;
        }
    }
    return self->is_whole ? RP_OK : RP_MORE;
}

// ---- what it gives

static size_t pose_place(const rp_goal_box_t *self, rp_lattice_pose_t pose)
{
    int32_t dx;
    int32_t dy;
    offset_of(self, pose.x, pose.y, &dx, &dy);
    return cell_place(self, dx, dy) * self->search->set->states + pose.heading;
}

uint16_t rp_goal_box_next(const rp_goal_box_t *self, rp_lattice_pose_t pose)
{
    return self->next[pose_place(self, pose)];
}

static uint32_t least_cost(const rp_goal_box_t *self, int32_t dx, int32_t dy)
{
    const uint32_t states = self->search->set->states;
    const uint32_t *costs = &self->rest.costs[cell_place(self, dx, dy) * states];
    uint32_t least = RP_COST_INF;
    for (uint32_t i = 0; i < states; i++) {
        least = costs[i] < least ? costs[i] : least;
    }
    return least;
}

/// The greatest value of the field that says no more than a cost.
static uint32_t field_value(const rp_goal_box_t *self, uint32_t cost)
{
    const uint64_t value =
        ((uint64_t)cost << rp_lattice_search_field_shift(self->search)) / self->search->set->rho;
    return value < RP_GUIDE_FIELD_MOST ? (uint32_t)value : RP_GUIDE_FIELD_MOST;
}

size_t rp_goal_box_seeds(const rp_goal_box_t *self, rp_guide_seed_t *seeds)
{
    const int32_t half = self->rest.half;
    const int32_t inner = half - (int32_t)self->search->set->ring;
    size_t count = 0;
    for (int32_t dy = -half; dy <= half; dy++) {
        for (int32_t dx = -half; dx <= half; dx++) {
            rp_lattice_pose_t cell;
            const bool is_rim = abs(dx) > inner || abs(dy) > inner;
            const uint32_t cost = is_rim ? least_cost(self, dx, dy) : RP_COST_INF;
            if (cost != RP_COST_INF &&
                rp_lattice_search_shift(self->search, self->x, self->y, dx, dy, &cell)) {
                seeds[count++] = (rp_guide_seed_t){
                    rp_grid_cell(self->search->ground, cell.x, cell.y), field_value(self, cost)};
            }
        }
    }
    return count;
}

bool rp_goal_box_covers(const rp_goal_box_t *self, uint32_t x, uint32_t y)
{
    const int32_t most = self->rest.half + (int32_t)self->search->set->reach;
    int32_t dx;
    int32_t dy;
    offset_of(self, x, y, &dx, &dy);
    return abs(dx) <= most && abs(dy) <= most;
}

// ---- birth and death

int32_t rp_goal_box_half(const rp_control_set_t *set)
{
    const double wanted = ceil(3.0 * set->shape.turning_radius);
    return wanted < HALF_LEAST ? HALF_LEAST : wanted > HALF_MOST ? HALF_MOST : (int32_t)wanted;
}

/// A box is no wider than the torus, so that no cell is in it twice.
static int32_t half_of(const rp_lattice_search_t *search)
{
    const rp_grid_shape_t *shape = &search->ground->shape;
    const uint32_t side = shape->width < shape->height ? shape->width : shape->height;
    const int32_t most = ((int32_t)side - 1) / 2;
    const int32_t half = rp_goal_box_half(search->set);
    return shape->wraps && half > most ? most : half;
}

rp_status_t rp_goal_box_init(rp_goal_box_t *self, const rp_lattice_search_t *search)
{
    *self = (rp_goal_box_t){.search = search, .is_whole = true};
    self->rest.half = half_of(search);
    const size_t cells = (size_t)side_of(self) * (size_t)side_of(self);
    self->pose_count = cells * search->set->states;
    self->cell_bytes = search->set->child_count / 8u + 1u;
    self->rest.costs = rp_arena_new(&self->arena, self->pose_count, sizeof *self->rest.costs);
    self->next = rp_arena_new(&self->arena, self->pose_count, sizeof *self->next);
    self->legal = rp_arena_new(&self->arena, cells, self->cell_bytes);
    rp_buckets_init(&self->open, 2u * (uint32_t)self->pose_count, RP_LATTICE_BUCKET_SHIFT, 1u << 16,
                    &self->arena);
    if (self->arena.is_short) {
        rp_goal_box_fini(self);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

void rp_goal_box_fini(rp_goal_box_t *self)
{
    rp_arena_free(&self->arena, NULL);
    *self = (rp_goal_box_t){0};
}

uint64_t rp_goal_box_bytes(const rp_goal_box_t *self)
{
    return rp_arena_bytes(&self->arena);
}

void rp_goal_box_begin(rp_goal_box_t *self, uint32_t x, uint32_t y)
{
    self->x = x;
    self->y = y;
    self->prepared = 0;
    self->is_whole = false;
    memset(self->rest.costs, 0xff, self->pose_count * sizeof *self->rest.costs);
    rp_buckets_clear(&self->open);
}

void rp_goal_box_end(rp_goal_box_t *self, rp_lattice_pose_t pose, uint32_t cost)
{
    int32_t dx;
    int32_t dy;
    offset_of(self, pose.x, pose.y, &dx, &dy);
    if (is_inside(self, dx, dy) && cost < self->rest.costs[pose_place(self, pose)]) {
        reach(self, pose_place(self, pose), cost, RP_CHILD_NONE);
    }
}
