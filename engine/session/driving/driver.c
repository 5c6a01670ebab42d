/// The lattice is told of batches as planners are; the curve is held against each new obstacle.
#include "engine/session/driving/driver.h"

#include <stdlib.h>

#include "base/budget.h"
#include "engine/session/driving/driver_start.h"
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
    self->sets.headings_most =
        motion->headings_most != 0 ? motion->headings_most : RP_HEADINGS_MOST;
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
}

void rp_driver_destroy(rp_driver_t **self)
{
    rp_driver_t *driver = *self;
    if (driver == NULL) {
        return;
    }
    rp_lattice_destroy(&driver->lattice);
    while (driver->sets.finer_count != 0) {
        rp_control_sets_leave(driver->sets.all, &driver->sets.finer[--driver->sets.finer_count]);
    }
    if (driver->sets.own != NULL) {
        rp_control_sets_leave(driver->sets.all, &driver->sets.own);
    }
    rp_driven_curve_fini(&driver->curve);
    rp_tour_fini(&driver->tour);
    free(driver);
    *self = NULL;
}

void rp_driver_reset(rp_driver_t *self)
{
    self->search = (rp_driver_search_t){.root_at = self->search.root_at};
    self->tour.is_over = false;
    self->tour.is_exact = false;
}

/// What was found last is good enough.
static void stop_improving(rp_driver_t *self)
{
    if (self->search.stage == RP_DRIVER_IMPROVES) {
        self->search.stage = RP_DRIVER_RESTS;
    }
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
    self->search.root_at = 0.0;
    self->is_best = false;
    stop_improving(self);
}

uint64_t rp_driver_bytes(const rp_driver_t *self)
{
    return sizeof *self + rp_driven_curve_bytes(&self->curve) + rp_tour_bytes(&self->tour) +
           (self->lattice != NULL ? rp_lattice_bytes(self->lattice) : 0u);
}

// ---- the ground

/// Join the sets of more headings, as many as the ground has room for. Those that cannot turn are
/// left out.
static rp_status_t join_finer(rp_driver_t *self, uint64_t cells)
{
    rp_lattice_shape_t shape = self->shape;
    rp_status_t status = RP_OK;
    for (shape.headings *= 2u; status == RP_OK && shape.headings <= self->sets.headings_most &&
                               rp_driver_shape_has_room(&shape, cells);
         shape.headings *= 2u) {
        const bool is_there =
            self->sets.finer_count != 0 &&
            self->sets.finer[self->sets.finer_count - 1u]->set->shape.headings >= shape.headings;
        if (!is_there && rp_lattice_shape_fault(&shape) == RP_LATTICE_FINE) {
            status = rp_control_sets_join(self->sets.all, &shape,
                                          &self->sets.finer[self->sets.finer_count]);
            self->sets.finer_count += status == RP_OK ? 1u : 0u;
        }
    }
    return status;
}

/// Where there is no path, the lattice is to ask these, or not.
static rp_status_t set_finer(rp_driver_t *self, uint64_t cells, bool asks)
{
    rp_control_set_t *sets[RP_LATTICE_FINER_MOST];
    uint32_t count = 0;
    if (asks == self->sets.asks_finer) {
        return RP_OK;
    }
    rp_status_t status = asks ? join_finer(self, cells) : RP_OK;
    while (asks && count < self->sets.finer_count &&
           rp_driver_shape_has_room(&self->sets.finer[count]->set->shape, cells)) {
        sets[count] = self->sets.finer[count]->set;
        count++;
    }
    status = status == RP_OK ? rp_lattice_set_finer(self->lattice, sets, count) : status;
    self->sets.asks_finer = status == RP_OK ? asks : self->sets.asks_finer;
    return status;
}

static rp_status_t make_lattice(rp_driver_t *self, const rp_layer_t *layer, uint64_t version,
                                uint64_t *budget)
{
    const rp_grid_shape_t *shape = &layer->grid->shape;
    if (!rp_driver_has_room(self, (uint64_t)shape->width * shape->height)) {
        return RP_E_UNSUPPORTED;
    }
    rp_status_t status = self->sets.own == NULL
                             ? rp_control_sets_join(self->sets.all, &self->shape, &self->sets.own)
                             : RP_OK;
    status = status == RP_OK ? rp_shared_set_build(self->sets.own, budget) : status;
    if (status != RP_OK) {
        return status;
    }
    status = rp_lattice_new(self->sets.own->set, layer->grid, &self->lattice);
    if (status == RP_OK) {
        status = rp_lattice_set_percent(self->lattice, self->percent);
    }
    status = status == RP_OK ? rp_lattice_set_escape(self->lattice, self->escape) : status;
    self->sets.asks_finer = false;
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
            self->search.has_obstacles = true;
            self->search.held = 0;
        } else {
            has_news = true;
        }
    }
    if (has_news) {
        rp_tour_forget_bounds(&self->tour);
        self->search.has_news = true;
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
    const rp_shared_set_t *set = self->sets.finer_count != 0
                                     ? self->sets.finer[self->sets.finer_count - 1u]
                                     : self->sets.own;
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
    if (self->search.root != RP_ROOT_CURVE || !self->tour.is_chain || self->has_other_legs) {
        return ends->next;
    }
    const size_t leg = self->curve.pieces[self->search.root_piece].leg;
    return leg > ends->next ? leg : ends->next;
}

/// Where there is a pose ahead on the curve, the search begins there.
static bool leaves_curve(rp_driver_t *self, const rp_driver_ends_t *ends, double *yaw)
{
    size_t piece;
    if (ends->begins_there || ends->is_there || self->search.turns_off ||
        !find_root(self, &piece, yaw)) {
        return false;
    }
    self->search.root = RP_ROOT_CURVE;
    self->search.root_piece = piece;
    self->search.root_at = self->curve.pieces[piece].before;
    return true;
}

/// Where the search begins from now on.
static rp_status_t choose_root(rp_driver_t *self, const rp_grid_t *grid,
                               const rp_driver_ends_t *ends, uint64_t *budget)
{
    double yaw;
    int32_t gear = 0;
    rp_cell_t cell = ends->cell;
    if (leaves_curve(self, ends, &yaw)) {
        const rp_motion_pose_t *start = &self->curve.pieces[self->search.root_piece].segment.start;
        cell = rp_grid_cell(grid, wrapped(start->x, grid->shape.width),
                            wrapped(start->y, grid->shape.height));
        gear = rp_driven_curve_gear(&self->curve, self->search.root_piece);
    } else {
        self->search.root = RP_ROOT_POSE;
        self->search.root_at = self->curve.progress;
        yaw = self->yaw;
        cell =
            ends->is_there ? cell : rp_driver_start(&self->curve, grid, &ends->pose, cell, budget);
    }
    // Ahead on a curve of few headings the way may only be cut: then the next try begins earlier.
    const bool asks_finer =
        self->search.root == RP_ROOT_POSE || self->family != self->shape.headings;
    const rp_status_t is_set = set_finer(self, grid->cell_count, asks_finer);
    if (is_set != RP_OK) {
        return is_set;
    }
    if (rp_tour_is_long(&self->tour)) {
        const rp_tour_root_t root = {cell, yaw, gear};
        rp_tour_begin(&self->tour, &root, first_stop(self, ends), ends->is_there);
        self->search.has_news = self->search.has_obstacles = false;
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
    return self->search.root == RP_ROOT_CURVE && (self->curve.progress > self->search.root_at ||
                                                  self->curve.broken_at < self->search.root_at);
}

/// Hold a tour's path against obstacles that came since its search began: of legs and stops that
/// were done with before, the lattice does not tell.
/// @return RP_OK: it meets none, or has_obstacles says that it is cut; RP_MORE
static rp_status_t hold_tour(rp_driver_t *self, const rp_grid_t *grid, uint64_t *budget)
{
    rp_driver_search_t *search = &self->search;
    const rp_lattice_plan_t *plan = &self->tour.path.plan;
    const rp_motion_curve_t curve = {plan->segments, plan->segment_count, plan->end};
    for (; search->has_obstacles && search->held < curve.count; search->held++) {
        if (*budget == 0) {
            return RP_MORE;
        }
        if (rp_driven_curve_would_meet(&self->curve, grid, &curve, search->held, plan->escape_count,
                                       budget)) {
            return RP_OK;
        }
    }
    search->has_obstacles = false;
    return RP_OK;
}

/// See whether what was planned last stands. @return RP_E_UNSUPPORTED: it takes a search
static rp_status_t keep(rp_driver_t *self, const rp_grid_t *grid, uint64_t *budget,
                        rp_lattice_plan_t *plan)
{
    if (self->search.root == RP_ROOT_NONE || !rp_driven_curve_is_free(&self->curve)) {
        return RP_E_UNSUPPORTED;
    }
    if (rp_tour_is_long(&self->tour)) { // obstacles make no path cheaper
        *plan = self->tour.path.plan;
        plan->expanded = 0;
        const bool is_known = self->tour.is_over && !self->search.has_news;
        const rp_status_t held = is_known && !self->is_best ? hold_tour(self, grid, budget) : RP_OK;
        const bool is_cut = !self->is_best && self->search.has_obstacles;
        return is_known && !(held == RP_OK && is_cut) ? held : RP_E_UNSUPPORTED;
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
    self->search.root_at = curve->progress;
    self->is_best = true;
    *plan = (rp_lattice_plan_t){.outcome = RP_OUTCOME_FOUND,
                                .cost = cost,
                                .bound = fmin(straight, cost),
                                .family = self->family};
}

static rp_status_t find(rp_driver_t *self, const rp_grid_t *grid, uint64_t *budget,
                        rp_lattice_plan_t *plan)
{
    rp_tour_t *tour = &self->tour;
    if (rp_tour_is_long(tour)) {
        rp_status_t status = rp_tour_search(tour, self->lattice, grid, self->percent, budget);
        status = status == RP_OK ? hold_tour(self, grid, budget) : status;
        *plan = tour->path.plan;
        return status;
    }
    return rp_lattice_plan(self->lattice, budget, plan);
}

/// What a tour's path costs on the ground as it is now.
/// @param cost  written with RP_OK
/// @return RP_E_MEMORY
static rp_status_t count_tour(const rp_driver_t *self, const rp_grid_t *grid, double *cost)
{
    const rp_tour_t *tour = &self->tour;
    const rp_lattice_plan_t *plan = &tour->path.plan;
    const rp_vehicle_t vehicle = rp_lattice_shape_vehicle(&self->shape);
    const rp_motion_curve_t segments = {plan->segments, plan->segment_count, plan->end};
    rp_driven_curve_t curve;
    rp_driven_curve_init(&curve, &vehicle, &self->curve.prices);
    const rp_status_t status =
        rp_driven_curve_extend(&curve, grid, false, 0, &segments, tour->path.legs);
    if (status == RP_OK) {
        curve.gear = tour->root.gear;
        *cost = rp_driven_curve_cost(&curve, grid, 0.0, curve.extent) +
                tour->stops[tour->path.end].offset;
    }
    rp_driven_curve_fini(&curve);
    return status;
}

/// Costs of cells changed while a tour was searched: what was done with before may cost something
/// else now, and only the straight way is known to cost no more than the best path.
/// @param plan  written anew
/// @return RP_E_MEMORY
static rp_status_t note_news(rp_driver_t *self, const rp_grid_t *grid, rp_lattice_plan_t *plan)
{
    const rp_tour_t *tour = &self->tour;
    rp_lattice_plan_t *found = &self->tour.path.plan;
    if (!rp_tour_is_long(tour) || !self->search.has_news) {
        return RP_OK;
    }
    const rp_cell_t cell = tour->root.cell;
    const double least =
        rp_tour_least(tour, grid, tour->path.end, rp_grid_x(grid, cell), rp_grid_y(grid, cell));
    const rp_status_t status =
        found->outcome == RP_OUTCOME_FOUND ? count_tour(self, grid, &found->cost) : RP_OK;
    found->bound = fmin(fmin(found->bound, least), found->cost);
    found->is_optimal = found->is_optimal && found->bound >= found->cost;
    *plan = *found;
    return status;
}

rp_status_t rp_driver_plan(rp_driver_t *self, const rp_grid_t *grid, const rp_driver_ends_t *ends,
                           uint64_t *budget, rp_lattice_plan_t *plan)
{
    size_t piece;
    double yaw;
    rp_driver_search_t *search = &self->search;
    rp_tour_give_up_exact(&self->tour);
    rp_status_t status =
        search->stage == RP_DRIVER_SEARCHES ? RP_E_UNSUPPORTED : keep(self, grid, budget, plan);
    if (status != RP_E_UNSUPPORTED) {
        if (status == RP_OK && plan->is_optimal) {
            stop_improving(self);
        }
        return status;
    }
    if (ends->leads_there && !ends->begins_there && !ends->is_there &&
        !find_root(self, &piece, &yaw)) {
        plan_end(self, grid, plan);
        return RP_OK;
    }
    for (;;) {
        if (search->stage != RP_DRIVER_SEARCHES || is_root_lost(self)) {
            status = choose_root(self, grid, ends, budget);
            self->is_best = false;
            if (status != RP_OK) {
                rp_driver_reset(self); // what was found before begins elsewhere
                return status;
            }
            search->stage = RP_DRIVER_SEARCHES;
        }
        status = find(self, grid, budget, plan);
        if (status == RP_MORE) {
            return status;
        }
        search->stage = RP_DRIVER_RESTS;
        if (status == RP_OK && rp_tour_is_long(&self->tour) && search->has_obstacles) {
            continue; // it is cut
        }
        if (status != RP_OK || plan->outcome == RP_OUTCOME_FOUND || search->root == RP_ROOT_POSE) {
            break;
        }
        self->search.turns_off = true;
    }
    status = status == RP_OK ? note_news(self, grid, plan) : status;
    if (status == RP_OK) {
        search->stage = plan->is_optimal ? RP_DRIVER_RESTS : RP_DRIVER_IMPROVES;
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
        rp_status_t begun = set_finer(self, grid->cell_count, self->family != self->shape.headings);
        begun = begun == RP_OK ? rp_tour_begin_exact(tour) : begun;
        if (begun != RP_OK) {
            return begun;
        }
        self->search.has_news = self->search.has_obstacles = false; // the lattice knows of all
    }
    const rp_status_t status = rp_tour_search(tour, self->lattice, grid, 0, budget);
    *plan = tour->path.plan;
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
    return rp_driven_curve_cost(curve, grid, curve->progress, self->search.root_at) -
           rp_driven_curve_cost(curve, grid, self->search.root_at, curve->progress);
}

rp_status_t rp_driver_take(rp_driver_t *self, const rp_grid_t *grid, const rp_lattice_plan_t *plan)
{
    const rp_motion_curve_t curve = {plan->segments, plan->segment_count, plan->end};
    const bool keeps = self->search.root == RP_ROOT_CURVE;
    const double progress = self->curve.progress;
    const size_t first = keeps ? rp_driven_curve_piece(&self->curve) : 0u;
    if (self->has_other_legs) { // what stays of the curve leads to the first stop
        rp_driven_curve_lead_to(&self->curve, self->tour.is_chain ? self->tour.first : 0u);
        self->has_other_legs = false;
    }
    const rp_status_t status =
        rp_driven_curve_extend(&self->curve, grid, keeps, keeps ? self->search.root_piece : 0u,
                               &curve, rp_tour_is_long(&self->tour) ? self->tour.path.legs : NULL);
    if (status == RP_OK) {
        rp_driven_curve_leave(&self->curve, self->curve.count - curve.count, plan->escape_count);
    }
    self->search.root_at = keeps ? self->search.root_at - (progress - self->curve.progress) : 0.0;
    self->search.root_piece = keeps ? self->search.root_piece - first : 0u;
    self->search.root = RP_ROOT_CURVE; // wherever it was, the curve leads over it
    self->told = rp_tour_is_long(&self->tour) ? self->tour.path.end : 0u;
    self->is_best = status == RP_OK;
    self->is_inspected = true;
    self->search.turns_off = false;
    if (status != RP_OK) {
        rp_driver_stop(self);
        rp_driver_reset(self);
    }
    return status;
}

bool rp_driver_can_switch(const rp_driver_t *self)
{
    return self->is_best || self->curve.progress <= self->search.root_at;
}
