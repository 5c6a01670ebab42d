#include "planners/lattice/control_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/budget.h"
#include "base/memory.h"
#include "planners/motion/words.h"

/// Testing a move against so many cells counts as a curve.
#define CELLS_A_CURVE 4u

/// Taken off the cost of a curve to a point, so that rounding never lifts it above a whole number.
#define ROUNDING 1e-4

#define CELLS_MOST 512u

typedef enum stage {
    STAGE_CANDIDATES,
    STAGE_SWEEPS,   ///< of move `move`, row by row
    STAGE_CURVES,   ///< of the cell (`column`, `row`), counted from the goal
    STAGE_CHILDREN, ///< of state `state`
} stage_t;

typedef struct rp_control_builder {
    rp_candidates_t candidates;
    stage_t stage;
    rp_swept_t swept; ///< of move `move`; no bits: not begun
    size_t move;      ///< of those kept, then of those driven backwards
    rp_move_t taken;  ///< that move
    int32_t column;
    int32_t row;
    uint32_t state;
} rp_control_builder_t;

// ---- moves

static rp_status_t add_runs(rp_control_set_t *self, const rp_swept_t *swept, rp_move_parts_t *parts,
                            uint32_t quarters)
{
    parts->first_run[quarters] = (uint32_t)self->run_count;
    for (int32_t y = -swept->half; y <= swept->half; y++) {
        if (!rp_array_reserve(&self->runs, &self->run_capacity,
                              self->run_count + (size_t)swept->half + 1u, sizeof *self->runs)) {
            return RP_E_MEMORY;
        }
        self->run_count += rp_swept_runs(swept, quarters, y, self->runs + self->run_count);
    }
    parts->run_count[quarters] = (uint32_t)self->run_count - parts->first_run[quarters];
    return RP_OK;
}

static rp_status_t add_cells(rp_control_set_t *self, const rp_swept_t *swept,
                             rp_move_parts_t *parts)
{
    if (!rp_array_reserve(&self->cells, &self->cell_capacity, self->cell_count + CELLS_MOST,
                          sizeof *self->cells)) {
        return RP_E_MEMORY;
    }
    parts->first_cell = (uint32_t)self->cell_count;
    parts->cell_count =
        rp_swept_cells(swept, parts->move.cost, self->cells + self->cell_count, CELLS_MOST);
    self->cell_count += parts->cell_count;
    return RP_OK;
}

/// Note the path of cells of a move. @return false when it has none, so that it is left out
static bool take_path(rp_control_set_t *self, rp_swept_t *swept, const rp_move_parts_t *parts)
{
    const uint32_t path = rp_swept_path(swept, &parts->move, self->cells + parts->first_cell,
                                        parts->cell_count, &self->spread);
    if (path != 0 && path != UINT32_MAX) {
        const uint64_t rho = ((uint64_t)parts->move.cost << RP_RHO_SHIFT) / path;
        self->rho = rho < self->rho ? (uint32_t)rho : self->rho;
    }
    return path != UINT32_MAX;
}

/// All rows of a move are known.
static rp_status_t finish_move(rp_control_set_t *self, rp_swept_t *swept, const rp_move_t *move)
{
    rp_move_parts_t parts = {.move = *move, .course = swept->course};
    if (!rp_array_reserve(&self->moves, &self->move_capacity, self->move_count + 1u,
                          sizeof *self->moves)) {
        return RP_E_MEMORY;
    }
    rp_status_t status = add_cells(self, swept, &parts);
    for (uint32_t quarters = 0; quarters < 4u && status == RP_OK; quarters++) {
        status = add_runs(self, swept, &parts, quarters);
    }
    if (status == RP_OK && take_path(self, swept, &parts)) {
        self->moves[self->move_count++] = parts;
    }
    return status;
}

/// A kept move driven backwards, with its price.
static rp_move_t move_back(const rp_control_set_t *self, const rp_move_t *move)
{
    const rp_curve_t course = rp_move_course(move, &self->headings, self->shape.turning_radius);
    rp_move_t back = rp_move_back(move, &self->headings);
    back.cost = rp_move_cost(rp_curve_length(&course) * self->shape.reverse_factor);
    return back;
}

/// Take the next move: those that are kept, and then each curve of them backwards.
/// @return false when there is none
static bool take_move(rp_control_set_t *self)
{
    rp_control_builder_t *builder = self->builder;
    const size_t kept = builder->candidates.kept_count;
    while (builder->move < kept + (self->shape.reverse ? kept : 0)) {
        const rp_move_t *move = &builder->candidates.kept[builder->move % kept];
        if (builder->move < kept) {
            builder->taken = *move;
            return true;
        }
        if (move->kind == RP_MOVE_CURVE) {
            builder->taken = move_back(self, move);
            return true;
        }
        builder->move++;
    }
    return false;
}

static rp_status_t sweep_on(rp_control_set_t *self)
{
    rp_control_builder_t *builder = self->builder;
    if (builder->swept.bits == NULL && !take_move(self)) {
        builder->stage = STAGE_CURVES;
        builder->row = -self->curve_reach;
        builder->column = -self->curve_reach;
        return RP_OK;
    }
    if (builder->swept.bits == NULL) {
        return rp_swept_begin(&builder->swept, &builder->taken, &self->headings, &self->shape);
    }
    if (rp_swept_row(&builder->swept)) {
        return RP_OK;
    }
    const rp_status_t status = finish_move(self, &builder->swept, &builder->taken);
    rp_swept_end(&builder->swept);
    builder->move++;
    return status;
}

// ---- curves to a point

/// From heading `heading` in the middle of (dx, dy) to the middle of (0, 0).
static uint16_t curve_cost(const rp_control_set_t *self, int32_t dx, int32_t dy, uint32_t heading)
{
    const rp_motion_pose_t start = {dx, dy, self->headings.angle[heading]};
    const rp_curve_price_t price = {.radius = self->shape.turning_radius, .reverse_factor = 1.0};
    rp_curve_list_t list = {0};
    rp_words_to_point(&start, 0.0, 0.0, 1, &price, &list);
    const double length =
        (dx == 0 && dy == 0) || list.count == 0 ? 0.0 : rp_curve_length(&list.curves[0]);
    const double cost = floor(length * RP_LATTICE_UNIT - ROUNDING);
    const double most = (double)self->curve_reach * RP_LATTICE_UNIT;
    return cost < 0.0 ? 0 : (uint16_t)(cost < most ? cost : most);
}

/// Curves from all headings of a cell, and of the cells that it becomes when all is turned.
static void fill_curves(rp_control_set_t *self, int32_t dx, int32_t dy)
{
    const uint32_t quarter = self->headings.count / 4u;
    const int32_t reach = self->curve_reach;
    for (uint32_t heading = 0; heading < quarter; heading++) {
        const uint16_t cost = curve_cost(self, dx, dy, heading);
        for (uint32_t quarters = 0; quarters < 4u; quarters++) {
            int32_t x = dx;
            int32_t y = dy;
            rp_quarters_turn(&x, &y, quarters);
            const size_t place =
                (size_t)(y + reach) * (size_t)(2 * reach + 1) + (size_t)(x + reach);
            self->curves[place * self->headings.count + heading + quarters * quarter] = cost;
        }
    }
}

static rp_status_t curves_on(rp_control_set_t *self)
{
    rp_control_builder_t *builder = self->builder;
    const int32_t reach = self->curve_reach;
    if (reach == 0 || builder->row > reach) {
        builder->stage = STAGE_CHILDREN;
        return RP_OK;
    }
    fill_curves(self, builder->column, builder->row);
    if (++builder->column > reach) {
        builder->column = -reach;
        builder->row++;
    }
    return RP_OK;
}

// ---- children

/// What a move costs more in a state: a change of gear. Turns in place have no gear.
static uint32_t change_cost(const rp_control_set_t *self, const rp_move_t *move, uint32_t state)
{
    const bool is_same =
        move->kind == RP_MOVE_TURN ||
        rp_control_set_state(self, 0, move->gear) == state - rp_control_set_heading(self, state);
    return is_same ? 0 : rp_move_cost(self->shape.gear_change);
}

/// Behind the segments of all children so far.
static uint32_t end_of_segments(const rp_control_set_t *self)
{
    const rp_child_parts_t *last = self->parts + self->child_count;
    return self->child_count == 0 ? 0 : last[-1].first_segment + last[-1].segment_count;
}

static void add_child(rp_control_set_t *self, uint32_t move, uint32_t state)
{
    const rp_move_parts_t *parts = &self->moves[move];
    const uint32_t quarters = rp_control_set_quarters(self, state);
    const uint32_t turned = quarters * (self->headings.count / 4u);
    const uint32_t heading = (parts->move.to + turned) % self->headings.count;
    const uint32_t gear = state - rp_control_set_heading(self, state);
    int32_t dx = parts->move.dx;
    int32_t dy = parts->move.dy;
    rp_quarters_turn(&dx, &dy, quarters);
    const rp_child_t child = {
        .cost = parts->move.cost + change_cost(self, &parts->move, state),
        .dx = (int8_t)dx,
        .dy = (int8_t)dy,
        .heading = (uint8_t)(parts->move.kind == RP_MOVE_TURN
                                 ? heading + gear
                                 : rp_control_set_state(self, heading, parts->move.gear)),
        .from = (uint8_t)state,
    };
    const uint32_t first = end_of_segments(self);
    const uint32_t pieces =
        rp_move_segments(&parts->move, &parts->course, rp_control_set_heading(self, state),
                         &self->headings, self->segments + first);
    self->parts[self->child_count] = (rp_child_parts_t){move, parts->first_run[quarters],
                                                        parts->run_count[quarters], first, pieces};
    self->children[self->child_count++] = child;
}

/// The moves of a state, that are kept in the order of their costs: loops or the others.
static void add_moves(rp_control_set_t *self, uint32_t state, bool loops)
{
    const uint32_t quarter = self->headings.count / 4u;
    for (uint32_t i = 0; i < self->move_count; i++) {
        const rp_move_t *move = &self->moves[i].move;
        if (move->from == rp_control_set_heading(self, state) % quarter && move->is_loop == loops) {
            add_child(self, i, state);
        }
    }
}

static void add_state(rp_control_set_t *self, uint32_t state)
{
    self->first[state] = self->child_count;
    add_moves(self, state, false);
    self->loops[state] = self->child_count;
    self->least_loop[state] = UINT32_MAX;
    add_moves(self, state, true);
    self->first[state + 1u] = self->child_count;
    for (uint32_t i = self->loops[state]; i < self->child_count; i++) {
        const uint32_t cost = self->children[i].cost;
        self->least_loop[state] = cost < self->least_loop[state] ? cost : self->least_loop[state];
    }
}

/// All children are known: sort them by the state where they end.
static void fill_into(rp_control_set_t *self)
{
    uint32_t *first = self->into.first;
    for (uint32_t i = 0; i < self->child_count; i++) {
        first[self->children[i].heading + 1u]++;
    }
    for (uint32_t state = 0; state < self->states; state++) {
        first[state + 1u] += first[state];
    }
    for (uint32_t i = self->child_count; i-- > 0;) {
        self->into.numbers[--first[self->children[i].heading + 1u]] = (uint16_t)i;
    }
    for (uint32_t state = 0; state < self->states; state++) {
        first[state] = first[state + 1u];
    }
    first[self->states] = self->child_count;
}

/// How far runs of the moves reach, loops left out or only loops.
static uint32_t reach_of(const rp_control_set_t *self, bool loops)
{
    int32_t reach = 0;
    for (uint32_t i = 0; i < self->move_count; i++) {
        const rp_move_parts_t *parts = &self->moves[i];
        const rp_swept_run_t *run = self->runs + parts->first_run[0];
        for (uint32_t k = 0; k < parts->run_count[0] && parts->move.is_loop == loops; k++) {
            const int32_t last = run[k].x + run[k].count - 1;
            const int32_t wide = -run[k].x > last ? -run[k].x : last;
            const int32_t high = abs(run[k].y);
            reach = wide > reach ? wide : reach;
            reach = high > reach ? high : reach;
        }
    }
    return (uint32_t)reach;
}

/// The bits of a child's mask.
static void fill_mask(const rp_control_set_t *self, uint32_t child, uint32_t half, uint8_t *mask)
{
    const rp_child_parts_t *parts = &self->parts[child];
    for (uint32_t i = 0; i < parts->run_count; i++) {
        const rp_swept_run_t *run = &self->runs[parts->first_run + i];
        const uint32_t row = (uint32_t)(run->y + (int32_t)half);
        const uint32_t column = (uint32_t)(run->x + (int32_t)half);
        for (uint32_t k = column; k < column + run->count; k++) {
            const uint32_t bit = row * 2u * half + k;
            mask[bit / 8u] |= (uint8_t)(1u << (bit % 8u));
        }
    }
}

static void fill_masks(rp_control_set_t *self, uint32_t state)
{
    const uint32_t half = self->kind == RP_MASK_16 ? 8u : 16u;
    const size_t bytes = rp_mask_bytes(self->kind);
    for (uint32_t i = self->first[state]; self->kind != RP_MASK_RUNS && i < self->loops[state];
         i++) {
        fill_mask(self, i, half, self->masks + i * bytes);
        fill_mask(self, i, half, self->unions + state * bytes);
    }
}

/// Bytes of all masks, with those of states.
static size_t mask_room(const rp_control_set_t *self)
{
    const size_t children = 4u * self->move_count * (self->states / self->headings.count);
    return (children + self->states) * rp_mask_bytes(self->kind) + RP_MASK_ALIGN;
}

/// Nothing of the children is known, and nothing allocated.
static void free_children(rp_control_set_t *self)
{
    free(self->children);
    free(self->parts);
    free(self->segments);
    free(self->into.numbers);
    rp_memory_free(self->masks, mask_room(self), 1, NULL);
    self->children = NULL;
    self->parts = NULL;
    self->segments = NULL;
    self->into.numbers = NULL;
    self->masks = NULL;
}

/// Segments of all moves, each one once.
static size_t count_pieces(const rp_control_set_t *self)
{
    size_t count = 0;
    for (size_t i = 0; i < self->move_count; i++) {
        const rp_move_parts_t *parts = &self->moves[i];
        count += parts->move.kind == RP_MOVE_CURVE ? parts->course.count : 1u;
    }
    return count;
}

/// All moves are known: how they reach decides how they are tested.
static rp_status_t begin_children(rp_control_set_t *self)
{
    const uint32_t reach = reach_of(self, false);
    const uint32_t loops = reach_of(self, true);
    const size_t turns = 4u * (self->states / self->headings.count);
    const size_t count = turns * self->move_count;
    if (count >= RP_CHILD_NONE) {
        return RP_E_UNSUPPORTED;
    }
    self->reach = loops > reach ? loops : reach;
    self->kind = reach <= 7u ? RP_MASK_16 : reach <= 15u ? RP_MASK_32 : RP_MASK_RUNS;
    const size_t bytes = rp_mask_bytes(self->kind);
    self->children = malloc(count * sizeof *self->children);
    self->parts = malloc(count * sizeof *self->parts);
    self->segments = malloc(turns * count_pieces(self) * sizeof *self->segments);
    self->into.numbers = malloc(count * sizeof *self->into.numbers);
    self->masks = rp_memory_new(mask_room(self), 1); // of its own pages, so it is aligned
    if (self->children == NULL || self->parts == NULL || self->segments == NULL ||
        self->into.numbers == NULL || self->masks == NULL) {
        free_children(self);
        return RP_E_MEMORY;
    }
    self->unions = self->masks + count * bytes;
    return RP_OK;
}

static rp_status_t children_on(rp_control_set_t *self)
{
    rp_control_builder_t *builder = self->builder;
    rp_status_t status = RP_OK;
    if (self->children == NULL) {
        status = begin_children(self);
    }
    if (status == RP_OK) {
        add_state(self, builder->state);
        fill_masks(self, builder->state);
        builder->state++;
    }
    return status;
}

// ---- stages

static rp_status_t candidates_on(rp_control_builder_t *builder, uint64_t *budget)
{
    const rp_status_t status = rp_candidates_work(&builder->candidates, budget);
    builder->stage = status == RP_OK ? STAGE_SWEEPS : STAGE_CANDIDATES;
    return status == RP_MORE ? RP_OK : status;
}

/// Curves that the next step counts as.
static uint32_t price_of(const rp_control_set_t *self)
{
    const rp_control_builder_t *builder = self->builder;
    const uint32_t cells = 2u * (uint32_t)builder->swept.half + 1u;
    switch (builder->stage) {
    case STAGE_SWEEPS:
        return cells / CELLS_A_CURVE + 1u;
    case STAGE_CURVES:
        return self->headings.count / 4u;
    default:
        return (uint32_t)self->move_count / CELLS_A_CURVE + 1u;
    }
}

static rp_status_t step(rp_control_set_t *self, uint64_t *budget)
{
    rp_control_builder_t *builder = self->builder;
    if (builder->stage == STAGE_CANDIDATES) {
        return candidates_on(builder, budget);
    }
    rp_budget_pay(budget, price_of(self));
    return builder->stage == STAGE_SWEEPS   ? sweep_on(self)
           : builder->stage == STAGE_CURVES ? curves_on(self)
                                            : children_on(self);
}

static void end_building(rp_control_set_t *self)
{
    if (self->builder != NULL) {
        rp_candidates_fini(&self->builder->candidates);
        rp_swept_end(&self->builder->swept);
        free(self->builder);
        self->builder = NULL;
    }
}

rp_status_t rp_control_set_build(rp_control_set_t *self, uint64_t *budget)
{
    rp_status_t status = RP_OK;
    while (self->builder != NULL && status == RP_OK && *budget != 0) {
        status = step(self, budget);
        if (self->builder->state == self->states) {
            fill_into(self);
            end_building(self);
        }
    }
    return status != RP_OK || self->builder == NULL ? status : RP_MORE;
}

// ---- birth and death

/// How far the table of curves reaches: to where a curve is hardly longer than the way.
static int32_t curve_reach_of(const rp_lattice_shape_t *shape)
{
    const double reach = 4.0 * shape->turning_radius + 8.0;
    if (shape->drive != RP_DRIVE_CAR || shape->reverse) {
        return 0;
    }
    return reach < RP_CURVE_TABLE_MOST ? (int32_t)reach : RP_CURVE_TABLE_MOST;
}

rp_status_t rp_control_set_new(const rp_lattice_shape_t *shape, rp_control_set_t **set)
{
    if (rp_lattice_shape_fault(shape) != RP_LATTICE_FINE) {
        return RP_E_INVALID;
    }
    rp_control_set_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->shape = *shape;
    self->rho = UINT32_MAX;
    self->curve_reach = curve_reach_of(shape);
    (void)rp_headings_init(&self->headings, shape->headings);
    self->states = shape->headings * (shape->reverse && shape->gear_change > 0.0 ? 2u : 1u);
    const uint32_t ring = rp_headings_ring(
        &self->headings, shape->drive == RP_DRIVE_OMNI ? 0.0 : shape->turning_radius);
    self->ring = ring != 0 ? ring : self->headings.longest;
    const size_t side = (size_t)(2 * self->curve_reach + 1);
    self->curves = malloc(side * side * shape->headings * sizeof *self->curves);
    self->builder = calloc(1, sizeof *self->builder);
    if (self->curves == NULL || self->builder == NULL ||
        rp_candidates_init(&self->builder->candidates, shape, &self->headings, self->ring) !=
            RP_OK) {
        rp_control_set_destroy(&self);
        return RP_E_MEMORY;
    }
    *set = self;
    return RP_OK;
}

void rp_control_set_destroy(rp_control_set_t **self)
{
    rp_control_set_t *set = *self;
    if (set == NULL) {
        return;
    }
    end_building(set);
    free_children(set);
    free(set->runs);
    free(set->cells);
    free(set->moves);
    free(set->curves);
    free(set);
    *self = NULL;
}

uint32_t rp_control_set_segments(const rp_control_set_t *self, uint32_t child,
                                 rp_segment_t *segments)
{
    const rp_child_parts_t *parts = &self->parts[child];
    memcpy(segments, self->segments + parts->first_segment,
           parts->segment_count * sizeof *segments);
    return parts->segment_count;
}

uint64_t rp_control_set_bytes(const rp_control_set_t *self)
{
    const uint64_t side = (uint64_t)(2 * self->curve_reach + 1);
    return sizeof *self + self->run_capacity * sizeof *self->runs +
           self->cell_capacity * sizeof *self->cells + self->move_capacity * sizeof *self->moves +
           self->child_count *
               (sizeof *self->children + sizeof *self->parts + sizeof *self->into.numbers) +
           end_of_segments(self) * sizeof *self->segments + mask_room(self) +
           side * side * self->headings.count * sizeof *self->curves;
}
