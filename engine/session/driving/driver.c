/// The lattice is told of batches as planners are; the curve is held against each new obstacle.
#include "engine/session/driving/driver.h"

#include <stdlib.h>

#include "base/budget.h"
#include "planners/motion/trig.h"

/// A heading this near to one of the lattice is that one.
#define HEADING_SLACK 1e-9

/// Radians that the agent's yaw may be off its curve.
#define FOLLOW_YAW 0.35

bool rp_driver_has_room(const rp_driver_t *self, uint64_t cells)
{
    return rp_driver_shape_has_room(&self->shape, cells);
}

rp_status_t rp_driver_new(const rp_motion_t *motion, double escape_m, double resolution_m,
                          rp_driver_t **driver)
{
    rp_driver_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->shape = rp_driver_shape(motion, resolution_m);
    self->percent = motion->bound_percent;
    self->family = self->shape.headings;
    self->headings_most = motion->headings_most != 0 ? motion->headings_most : RP_HEADINGS_MOST;
    self->escape =
        escape_m > 0.0 ? fmin(escape_m / resolution_m, RP_MOTION_ESCAPE_MAX) : RP_MOTION_ESCAPE_MAX;
    self->hold = motion->hold_m / resolution_m;
    self->follow_yaw = motion->follow_yaw > 0.0 ? motion->follow_yaw : FOLLOW_YAW;
    const rp_driven_prices_t prices = {
        .turn = self->shape.turn_price,
        .reverse = self->shape.reverse ? self->shape.reverse_factor : 1.0,
        .change = self->shape.reverse ? self->shape.gear_change : 0.0,
    };
    const rp_vehicle_t vehicle = rp_lattice_shape_vehicle(&self->shape);
    rp_driven_curve_init(&self->curve, &vehicle, &prices);
    *driver = self;
    return RP_OK;
}

void rp_driver_drop(rp_driver_t *self)
{
    rp_lattice_destroy(&self->lattice);
    rp_driver_reset(self);
    self->is_inspected = false;
    self->is_best = false;
    self->may_improve = false;
}

void rp_driver_destroy(rp_driver_t **self)
{
    rp_driver_t *driver = *self;
    if (driver == NULL) {
        return;
    }
    rp_lattice_destroy(&driver->lattice);
    while (driver->finer_count != 0) {
        rp_control_sets_leave(driver->sets, &driver->finer[--driver->finer_count]);
    }
    if (driver->set != NULL) {
        rp_control_sets_leave(driver->sets, &driver->set);
    }
    rp_driven_curve_fini(&driver->curve);
    rp_tour_fini(&driver->tour);
    free(driver);
    *self = NULL;
}

void rp_driver_reset(rp_driver_t *self)
{
    self->root = RP_ROOT_NONE;
    self->tour.is_over = false;
    self->is_searching = false;
    self->must_turn_off = false;
    self->may_improve = false;
}

void rp_driver_aim(rp_driver_t *self, rp_tour_t *tour)
{
    rp_tour_fini(&self->tour);
    self->tour = *tour;
    *tour = (rp_tour_t){0};
    self->tour.change = self->curve.prices.change;
    self->told = 0;
    self->has_other_legs = self->curve.count != 0;
    if (self->lattice != NULL) {
        (void)rp_lattice_set_percent(self->lattice, self->percent); // it was judged
    }
    rp_driver_reset(self);
}

bool rp_driver_faces(const rp_driver_t *self, const rp_tour_stop_t *stop)
{
    const rp_lattice_goal_t *goal = &stop->goal;
    const double circle = goal->heading == RP_GOAL_EITHER_WAY ? RP_TRIG_PI : 2.0 * RP_TRIG_PI;
    const double off = fabs(remainder(self->yaw - goal->yaw, circle));
    return goal->heading == RP_GOAL_FREE || off <= fmax(goal->yaw_tolerance, self->follow_yaw);
}

void rp_driver_stop(rp_driver_t *self)
{
    rp_driven_curve_clear(&self->curve);
    self->has_other_legs = false;
    self->root_at = 0.0;
    self->is_best = false;
    self->may_improve = false;
}

uint64_t rp_driver_bytes(const rp_driver_t *self)
{
    return sizeof *self + rp_driven_curve_bytes(&self->curve) + rp_tour_bytes(&self->tour) +
           (self->lattice != NULL ? rp_lattice_bytes(self->lattice) : 0u);
}

// ---- the ground

/// Join the sets of more headings, as many as the ground has room for.
static rp_status_t join_finer(rp_driver_t *self, uint64_t cells)
{
    rp_lattice_shape_t shape = self->shape;
    rp_status_t status = RP_OK;
    for (shape.headings *= 2u; status == RP_OK && shape.headings <= self->headings_most &&
                               rp_driver_shape_has_room(&shape, cells);
         shape.headings *= 2u) {
        const bool is_there =
            self->finer_count != 0 &&
            self->finer[self->finer_count - 1u]->set->shape.headings >= shape.headings;
        if (!is_there) {
            status = rp_control_sets_join(self->sets, &shape, &self->finer[self->finer_count]);
            self->finer_count += status == RP_OK ? 1u : 0u;
        }
    }
    return status;
}

/// Where there is no path, the lattice is to ask these, or not.
static rp_status_t set_finer(rp_driver_t *self, uint64_t cells, bool asks)
{
    rp_control_set_t *sets[RP_LATTICE_FINER_MOST];
    uint32_t count = 0;
    if (asks == self->asks_finer) {
        return RP_OK;
    }
    rp_status_t status = asks ? join_finer(self, cells) : RP_OK;
    while (asks && count < self->finer_count &&
           rp_driver_shape_has_room(&self->finer[count]->set->shape, cells)) {
        sets[count] = self->finer[count]->set;
        count++;
    }
    status = status == RP_OK ? rp_lattice_set_finer(self->lattice, sets, count) : status;
    self->asks_finer = status == RP_OK ? asks : self->asks_finer;
    return status;
}

static rp_status_t make_lattice(rp_driver_t *self, const rp_layer_t *layer, uint64_t version,
                                uint64_t *budget)
{
    const rp_grid_shape_t *shape = &layer->grid->shape;
    if (!rp_driver_has_room(self, (uint64_t)shape->width * shape->height)) {
        return RP_E_UNSUPPORTED;
    }
    rp_status_t status =
        self->set == NULL ? rp_control_sets_join(self->sets, &self->shape, &self->set) : RP_OK;
    status = status == RP_OK ? rp_shared_set_build(self->set, budget) : status;
    if (status != RP_OK) {
        return status;
    }
    status = rp_lattice_new(self->set->set, layer->grid, &self->lattice);
    if (status == RP_OK) {
        status = rp_lattice_set_percent(self->lattice, self->percent);
    }
    status = status == RP_OK ? rp_lattice_set_escape(self->lattice, self->escape) : status;
    self->asks_finer = false;
    self->heard = version;
    self->is_inspected = false;
    return status;
}

/// Tell the planner what a version rewrote, and hold the curve against what blocks now.
static rp_status_t take_batch(rp_driver_t *self, const rp_layer_t *layer, const rp_batch_t *batch)
{
    bool has_news = false;
    for (size_t i = 0; i < batch->count; i++) {
        if (layer->grid->factor[batch->changes[i].cell] == 0) {
            rp_driven_curve_block(&self->curve, layer->grid, batch->changes[i].cell);
            self->has_obstacles = true;
        } else {
            has_news = true;
        }
    }
    if (has_news) {
        rp_tour_forget_bounds(&self->tour);
        self->has_news = true;
    }
    return rp_lattice_apply(self->lattice, batch->changes, batch->count);
}

static rp_status_t catch_up(rp_driver_t *self, const rp_layer_t *layer, uint64_t version,
                            uint64_t *budget)
{
    rp_status_t status = RP_OK;
    const rp_batch_t *batch = rp_layer_next_batch(layer, self->heard);
    while (batch != NULL && status == RP_OK) {
        status = take_batch(self, layer, batch);
        rp_budget_pay(budget, batch->count);
        self->heard = batch->version;
        self->may_improve = false;
        batch = rp_layer_next_batch(layer, self->heard);
    }
    self->heard = version;
    return status;
}

rp_status_t rp_driver_prepare(rp_driver_t *self, const rp_layer_t *layer, uint64_t version,
                              uint64_t *budget)
{
    rp_status_t status = RP_OK;
    if (self->lattice != NULL && self->heard < layer->known_since) {
        rp_driver_drop(self);
    }
    status = self->lattice == NULL ? make_lattice(self, layer, version, budget)
                                   : catch_up(self, layer, version, budget);
    if (status != RP_OK) {
        if (status != RP_MORE) {
            rp_driver_drop(self);
        }
        return status;
    }
    if (!self->is_inspected) {
        rp_driven_curve_inspect(&self->curve, layer->grid);
        self->is_inspected = true;
    }
    return RP_OK;
}

// ---- where a search begins

/// The pose of the lattice that a piece begins at. @return false: it begins at none
static bool is_root(const rp_driver_t *self, const rp_segment_t *segment, double *yaw)
{
    const rp_shared_set_t *set =
        self->finer_count != 0 ? self->finer[self->finer_count - 1u] : self->set;
    const rp_headings_t *headings = &set->set->headings;
    const rp_motion_pose_t *start = &segment->start;
    const uint32_t nearest = rp_headings_nearest(headings, start->heading);
    const double turn = remainder(start->heading - headings->angle[nearest], RP_TRIG_TURN);
    *yaw = headings->angle[nearest];
    return start->x == nearbyint(start->x) && start->y == nearbyint(start->y) &&
           fabs(turn) <= HEADING_SLACK;
}

/// The first such pose ahead that is as far away as asked, with a free way to it; where there is
/// none, the farthest one that is nearer.
/// @param piece,yaw  written, where there is one
static bool find_root(const rp_driver_t *self, size_t *piece, double *yaw)
{
    const rp_driven_curve_t *curve = &self->curve;
    double nearest;
    bool is_found = false;
    for (size_t i = 0; i < curve->count && curve->pieces[i].before <= curve->broken_at; i++) {
        const double at = curve->pieces[i].before;
        if (at >= curve->progress && !curve->pieces[i].leaves &&
            is_root(self, &curve->pieces[i].segment, &nearest)) {
            *yaw = nearest;
            *piece = i;
            is_found = true;
            if (at >= curve->progress + self->hold) {
                return true;
            }
        }
    }
    return is_found;
}

static uint32_t wrapped(double at, uint32_t side)
{
    return (uint32_t)(at - side * floor(at / side));
}

/// The waypoint that a search goes to first: that to which the curve leads where it is left, if it
/// is a curve to these waypoints.
static size_t first_stop(const rp_driver_t *self, const rp_driver_ends_t *ends)
{
    if (self->root != RP_ROOT_CURVE || !self->tour.is_chain || self->has_other_legs) {
        return ends->next;
    }
    const size_t leg = self->curve.pieces[self->root_piece].leg;
    return leg > ends->next ? leg : ends->next;
}

/// Where there is a pose ahead on the curve, the search begins there.
static bool leaves_curve(rp_driver_t *self, const rp_driver_ends_t *ends, double *yaw)
{
    size_t piece;
    if (ends->begins_there || ends->is_there || self->must_turn_off ||
        !find_root(self, &piece, yaw)) {
        return false;
    }
    self->root = RP_ROOT_CURVE;
    self->root_piece = piece;
    self->root_at = self->curve.pieces[piece].before;
    return true;
}

/// Where the search begins from now on.
static rp_status_t choose_root(rp_driver_t *self, const rp_grid_t *grid,
                               const rp_driver_ends_t *ends)
{
    double yaw;
    int32_t gear = 0;
    rp_cell_t cell = ends->cell;
    if (leaves_curve(self, ends, &yaw)) {
        const rp_motion_pose_t *start = &self->curve.pieces[self->root_piece].segment.start;
        cell = rp_grid_cell(grid, wrapped(start->x, grid->shape.width),
                            wrapped(start->y, grid->shape.height));
        gear = rp_driven_curve_gear(&self->curve, self->root_piece);
    } else {
        self->root = RP_ROOT_POSE;
        self->root_at = self->curve.progress;
        yaw = self->yaw;
    }
    // Ahead on a curve of few headings the way may only be cut: then the next try begins earlier.
    const bool asks_finer = self->root == RP_ROOT_POSE || self->family != self->shape.headings;
    const rp_status_t is_set = set_finer(self, grid->cell_count, asks_finer);
    if (is_set != RP_OK) {
        return is_set;
    }
    if (rp_tour_is_long(&self->tour)) {
        const rp_tour_root_t root = {cell, yaw, gear};
        rp_tour_begin(&self->tour, &root, first_stop(self, ends), ends->is_there);
        self->has_news = self->has_obstacles = false;
        return RP_OK;
    }
    rp_lattice_goal_t goal = self->tour.stops[0].goal;
    goal.heading = ends->is_there ? RP_GOAL_FREE : goal.heading;
    rp_lattice_set_gear(self->lattice, gear);
    const rp_status_t status = rp_lattice_set_start(self->lattice, cell, yaw);
    return status == RP_OK ? rp_lattice_set_goal_pose(self->lattice, &goal) : status;
}

/// The agent has passed the root, or the way there is cut.
static bool is_root_lost(const rp_driver_t *self)
{
    return self->root == RP_ROOT_CURVE &&
           (self->curve.progress > self->root_at || self->curve.broken_at < self->root_at);
}

/// A tour's path meets an obstacle that came since its search began: of legs and stops that were
/// done with before, the lattice does not tell.
static bool is_tour_cut(rp_driver_t *self, const rp_grid_t *grid)
{
    const rp_lattice_plan_t *plan = &self->tour.plan;
    const rp_motion_curve_t curve = {plan->segments, plan->segment_count, plan->end};
    self->has_obstacles =
        self->has_obstacles &&
        rp_driven_curve_would_meet(&self->curve, grid, &curve, plan->escape_count);
    return self->has_obstacles;
}

/// See whether what was planned last stands. @return RP_E_UNSUPPORTED: it takes a search
static rp_status_t keep(rp_driver_t *self, const rp_grid_t *grid, uint64_t *budget,
                        rp_lattice_plan_t *plan)
{
    if (self->root == RP_ROOT_NONE || !rp_driven_curve_is_free(&self->curve)) {
        return RP_E_UNSUPPORTED;
    }
    if (rp_tour_is_long(&self->tour)) { // obstacles make no path cheaper
        *plan = self->tour.plan;
        plan->expanded = 0;
        return self->tour.is_over && !self->has_news && (self->is_best || !is_tour_cut(self, grid))
                   ? RP_OK
                   : RP_E_UNSUPPORTED;
    }
    const rp_status_t status = rp_lattice_keep(self->lattice, budget, plan);
    plan->expanded = 0;
    return status;
}

/// The agent is on the last move of its curve, which no other curve can leave: it stands. No other
/// curve costs less than the straight way to the goal.
static void plan_end(rp_driver_t *self, const rp_grid_t *grid, rp_lattice_plan_t *plan)
{
    const rp_driven_curve_t *curve = &self->curve;
    const rp_motion_pose_t at = rp_driven_curve_at(curve);
    const double cost = rp_driver_cost_left(self, grid);
    const double straight = rp_tour_least(&self->tour, grid, self->told, at.x, at.y);
    rp_driver_reset(self);
    self->root_at = curve->progress;
    self->is_best = true;
    *plan = (rp_lattice_plan_t){.outcome = RP_OUTCOME_FOUND,
                                .cost = cost,
                                .bound = fmin(straight, cost),
                                .family = self->family};
}

static rp_status_t search(rp_driver_t *self, const rp_grid_t *grid, uint64_t *budget,
                          rp_lattice_plan_t *plan)
{
    if (rp_tour_is_long(&self->tour)) {
        const rp_status_t status =
            rp_tour_search(&self->tour, self->lattice, grid, self->percent, budget);
        *plan = self->tour.plan;
        return status;
    }
    return rp_lattice_plan(self->lattice, budget, plan);
}

/// Cells became cheaper while a tour was searched: of what was done with before, only the straight
/// way is known to cost no less.
static void note_news(rp_driver_t *self, const rp_grid_t *grid, rp_lattice_plan_t *plan)
{
    const rp_tour_t *tour = &self->tour;
    if (!rp_tour_is_long(tour) || !self->has_news) {
        return;
    }
    const rp_cell_t cell = tour->root.cell;
    const double least =
        rp_tour_least(tour, grid, tour->end, rp_grid_x(grid, cell), rp_grid_y(grid, cell));
    self->looks_again = plan->outcome != RP_OUTCOME_FOUND;
    plan->bound = fmin(plan->bound, least);
    plan->is_optimal = plan->bound >= plan->cost;
}

rp_status_t rp_driver_plan(rp_driver_t *self, const rp_grid_t *grid, const rp_driver_ends_t *ends,
                           uint64_t *budget, rp_lattice_plan_t *plan)
{
    size_t piece;
    double yaw;
    rp_status_t status = self->is_searching ? RP_E_UNSUPPORTED : keep(self, grid, budget, plan);
    if (status != RP_E_UNSUPPORTED) {
        return status;
    }
    if (ends->leads_there && !ends->begins_there && !ends->is_there &&
        !find_root(self, &piece, &yaw)) {
        plan_end(self, grid, plan);
        return RP_OK;
    }
    for (;;) {
        if (!self->is_searching || is_root_lost(self)) {
            status = choose_root(self, grid, ends);
            self->is_searching = status == RP_OK;
            self->is_best = false;
        }
        status = self->is_searching ? search(self, grid, budget, plan) : status;
        if (status == RP_MORE) {
            return status;
        }
        self->is_searching = false;
        if (status == RP_OK && rp_tour_is_long(&self->tour) && is_tour_cut(self, grid)) {
            continue;
        }
        if (status != RP_OK || plan->outcome == RP_OUTCOME_FOUND || self->root == RP_ROOT_POSE) {
            break;
        }
        self->must_turn_off = true;
    }
    if (status == RP_OK) {
        note_news(self, grid, plan);
        self->may_improve = !plan->is_optimal;
    }
    return status;
}

rp_status_t rp_driver_improve(rp_driver_t *self, const rp_grid_t *grid, uint64_t *budget,
                              rp_lattice_plan_t *plan)
{
    rp_tour_t *tour = &self->tour;
    if (!rp_tour_is_long(tour)) {
        return rp_lattice_improve(self->lattice, budget, plan);
    }
    if (!tour->is_exact) {
        self->has_news = self->has_obstacles = false; // the lattice knows of all
        rp_tour_begin_exact(tour);
    }
    const rp_status_t status = rp_tour_search(tour, self->lattice, grid, 0, budget);
    *plan = tour->plan;
    return status;
}

double rp_driver_cost_left(const rp_driver_t *self, const rp_grid_t *grid)
{
    const rp_driven_curve_t *curve = &self->curve;
    return rp_driven_curve_cost(curve, grid, curve->progress, curve->extent) +
           self->tour.stops[self->told].offset;
}

double rp_driver_lead(const rp_driver_t *self, const rp_grid_t *grid)
{
    const rp_driven_curve_t *curve = &self->curve;
    return rp_driven_curve_cost(curve, grid, curve->progress, self->root_at) -
           rp_driven_curve_cost(curve, grid, self->root_at, curve->progress);
}

rp_status_t rp_driver_take(rp_driver_t *self, const rp_grid_t *grid, const rp_lattice_plan_t *plan)
{
    const rp_motion_curve_t curve = {plan->segments, plan->segment_count, plan->end};
    const bool keeps = self->root == RP_ROOT_CURVE;
    const double progress = self->curve.progress;
    const size_t first = keeps ? rp_driven_curve_piece(&self->curve) : 0u;
    if (self->has_other_legs) { // what stays of the curve leads to the first stop
        rp_driven_curve_lead_to(&self->curve, self->tour.is_chain ? self->tour.first : 0u);
        self->has_other_legs = false;
    }
    const rp_status_t status =
        rp_driven_curve_extend(&self->curve, grid, keeps, keeps ? self->root_piece : 0u, &curve,
                               rp_tour_is_long(&self->tour) ? self->tour.legs : NULL);
    if (status == RP_OK) {
        rp_driven_curve_leave(&self->curve, self->curve.count - curve.count, plan->escape_count);
    }
    self->root_at = keeps ? self->root_at - (progress - self->curve.progress) : 0.0;
    self->root_piece = keeps ? self->root_piece - first : 0u;
    self->root = RP_ROOT_CURVE; // wherever it was, the curve leads over it
    self->told = rp_tour_is_long(&self->tour) ? self->tour.end : 0u;
    self->is_best = status == RP_OK;
    self->is_inspected = true;
    self->must_turn_off = false;
    if (status != RP_OK) {
        rp_driver_stop(self);
        rp_driver_reset(self);
    }
    return status;
}

bool rp_driver_can_switch(const rp_driver_t *self)
{
    return self->is_best || self->curve.progress <= self->root_at;
}
