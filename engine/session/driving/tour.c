/// A search of a stop is a plan of the lattice; what it found is copied, as the next one forgets
/// it.
#include "engine/session/driving/tour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "engine/paths/length.h"
#include "planners/lattice/lattice_search.h"

static void fini_path(rp_tour_path_t *path)
{
    free(path->segments);
    free(path->legs);
}

void rp_tour_fini(rp_tour_t *self)
{
    free(self->stops);
    free(self->leg_at);
    fini_path(&self->path);
    fini_path(&self->before);
    *self = (rp_tour_t){0};
}

static uint64_t path_bytes(const rp_tour_path_t *path)
{
    return path->segment_capacity * sizeof *path->segments +
           path->leg_capacity * sizeof *path->legs;
}

uint64_t rp_tour_bytes(const rp_tour_t *self)
{
    return self->count * (sizeof *self->stops + sizeof *self->leg_at) + path_bytes(&self->path) +
           path_bytes(&self->before);
}

// ---- stops

static rp_lattice_goal_t heading_of(const rp_aim_t *aim, double yaw, double origin_yaw)
{
    return (rp_lattice_goal_t){
        .cell = RP_NO_CELL,
        .heading = aim->heading == RP_AIM_HEADING      ? RP_GOAL_FIXED
                   : aim->heading == RP_AIM_EITHER_WAY ? RP_GOAL_EITHER_WAY
                                                       : RP_GOAL_FREE,
        .yaw = aim->heading != RP_AIM_ANY_HEADING ? yaw - origin_yaw : 0.0,
        .yaw_tolerance = aim->yaw_tolerance,
    };
}

rp_status_t rp_tour_init(rp_tour_t *self, const rp_aim_t *aim, double origin_yaw)
{
    const size_t count = aim->kind == RP_AIM_TARGET ? 1u : aim->count;
    *self = (rp_tour_t){.stops = calloc(count, sizeof *self->stops),
                        .leg_at = calloc(count, sizeof *self->leg_at),
                        .count = count,
                        .is_chain = aim->kind == RP_AIM_WAYPOINTS && count > 1};
    if (self->stops == NULL || self->leg_at == NULL) {
        return RP_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const double yaw = aim->yaws != NULL ? aim->yaws[i] : aim->yaw;
        self->stops[i].goal = heading_of(aim, yaw, origin_yaw);
        self->stops[i].offset = aim->kind == RP_AIM_POINTS ? aim->points[i].offset : 0u;
    }
    return RP_OK;
}

// ---- what is found

/// The straight way from a point at the least that ground costs, in cell lengths.
static double straight_from(const rp_grid_t *grid, double x, double y, rp_cell_t to)
{
    x = rp_grid_x(grid, to) - x;
    y = rp_grid_y(grid, to) - y;
    if (grid->shape.wraps) {
        x = remainder(x, grid->shape.width);
        y = remainder(y, grid->shape.height);
    }
    return rp_length(x, y) * grid->shape.least / grid->shape.unit;
}

static double straight_cost(const rp_grid_t *grid, rp_cell_t from, rp_cell_t to)
{
    return straight_from(grid, rp_grid_x(grid, from), rp_grid_y(grid, from), to);
}

double rp_tour_least(const rp_tour_t *self, const rp_grid_t *grid, size_t stop, double x, double y)
{
    double least = INFINITY;
    const size_t first = self->is_chain ? stop : 0u;
    const size_t end = self->is_chain ? stop + 1u : self->count;
    for (size_t i = first; i < end; i++) {
        const rp_cell_t cell = self->stops[i].goal.cell;
        const double cost =
            cell != RP_NO_CELL ? straight_from(grid, x, y, cell) + self->stops[i].offset : INFINITY;
        least = fmin(least, cost);
    }
    return least;
}

/// Put a path to the stop that is searched behind what there is. On a torus coordinates run on.
static rp_status_t append(rp_tour_t *self, const rp_lattice_plan_t *plan)
{
    rp_tour_path_t *path = &self->path;
    const size_t before = path->plan.segment_count;
    const size_t count = before + plan->segment_count;
    if (!rp_array_reserve(&path->segments, &path->segment_capacity, count + 1u,
                          sizeof *path->segments) ||
        !rp_array_reserve(&path->legs, &path->leg_capacity, count + 1u, sizeof *path->legs)) {
        return RP_E_MEMORY;
    }
    const rp_motion_pose_t begin = plan->segment_count != 0 ? plan->segments[0].start : plan->end;
    const double dx = before != 0 ? nearbyint(path->plan.end.x - begin.x) : 0.0;
    const double dy = before != 0 ? nearbyint(path->plan.end.y - begin.y) : 0.0;
    for (size_t i = 0; i < plan->segment_count; i++) {
        rp_segment_t *segment = &path->segments[before + i];
        *segment = plan->segments[i];
        segment->start.x += dx;
        segment->start.y += dy;
        path->legs[before + i] = (uint32_t)self->at;
    }
    path->plan.escape_count = before == 0 ? plan->escape_count : path->plan.escape_count;
    path->plan.segments = path->segments;
    path->plan.segment_count = (uint32_t)count;
    path->plan.end = (rp_motion_pose_t){plan->end.x + dx, plan->end.y + dy, plan->end.heading};
    path->end = self->at;
    return RP_OK;
}

/// A waypoint is passed with one heading only.
static bool has_one_heading(const rp_lattice_goal_t *goal)
{
    return goal->heading == RP_GOAL_FIXED && goal->yaw_tolerance <= 0.0;
}

/// What a leg costs at least, however the agent comes to where it begins.
static double least_leg(const rp_tour_t *self, const rp_grid_t *grid,
                        const rp_lattice_plan_t *found)
{
    const double straight = straight_cost(grid, self->from.cell, self->stops[self->at].goal.cell);
    if (self->at == self->first) {
        return found->bound;
    }
    return has_one_heading(&self->stops[self->at - 1u].goal)
               ? fmax(found->bound - self->change, straight) // it may come in the other gear
               : straight;
}

/// The gear of what was driven last; a turn in place has none.
static int32_t last_gear(const rp_lattice_plan_t *plan, int32_t before)
{
    uint32_t i = plan->segment_count;
    while (i != 0 && plan->segments[i - 1u].turn != 0.0) {
        i--;
    }
    return i != 0 ? plan->segments[i - 1u].gear : before;
}

/// The next leg of a chain is searched.
static rp_status_t take_leg(rp_tour_t *self, const rp_grid_t *grid, const rp_lattice_plan_t *found)
{
    const rp_lattice_goal_t *goal = &self->stops[self->at].goal;
    if (found->outcome != RP_OUTCOME_FOUND) {
        self->is_over = true;
        if (self->path.plan.segment_count == 0) { // there is no way on from here
            self->path.plan.outcome = found->outcome;
        }
        return RP_OK;
    }
    const rp_status_t status = append(self, found);
    self->path.plan.outcome = RP_OUTCOME_FOUND;
    self->path.plan.cost += found->cost;
    self->path.plan.bound += least_leg(self, grid, found);
    self->from.cell = goal->cell;
    self->from.yaw = found->end.heading;
    self->from.gear = last_gear(found, self->from.gear);
    self->at++;
    self->is_over = self->at == self->count || self->stops[self->at].goal.cell == RP_NO_CELL;
    return status;
}

/// The stop that may be the cheapest; there is none: `count`.
static size_t next_stop(const rp_tour_t *self, const rp_grid_t *grid)
{
    double least = self->path.plan.cost;
    size_t next = self->count;
    for (size_t i = 0; i < self->count; i++) {
        const rp_tour_stop_t *stop = &self->stops[i];
        if (!stop->is_left_out && stop->goal.cell != RP_NO_CELL) {
            const double cost =
                fmax(straight_cost(grid, self->root.cell, stop->goal.cell), stop->bound) +
                stop->offset;
            next = cost < least ? i : next;
            least = fmin(cost, least);
        }
    }
    return next;
}

/// One of several stops is searched.
static rp_status_t take_stop(rp_tour_t *self, const rp_grid_t *grid, const rp_lattice_plan_t *found)
{
    rp_tour_stop_t *stop = &self->stops[self->at];
    rp_status_t status = RP_OK;
    stop->is_left_out = true;
    if (found->outcome != RP_OUTCOME_FOUND) {
        const bool is_worse = self->path.plan.outcome == RP_OUTCOME_GOAL_BLOCKED;
        self->path.plan.outcome = is_worse ? found->outcome : self->path.plan.outcome;
        self->is_over = found->outcome == RP_OUTCOME_START_BLOCKED;
    } else {
        const double cost = found->cost + stop->offset;
        stop->bound = found->bound;
        self->path.plan.outcome = RP_OUTCOME_FOUND;
        self->path.plan.bound = fmin(self->path.plan.bound, found->bound + stop->offset);
        if (cost < self->path.plan.cost) {
            self->path.plan.segment_count = 0;
            status = append(self, found);
            self->path.plan.cost = cost;
        }
    }
    self->at = next_stop(self, grid);
    self->is_over = self->is_over || self->at == self->count;
    return status;
}

// ---- the search

static void restart(rp_tour_t *self)
{
    self->is_over = false;
    self->is_told = false;
    self->at = self->is_chain ? self->first : self->count;
    self->from = self->root;
    self->path.plan = (rp_lattice_plan_t){.outcome = RP_OUTCOME_GOAL_BLOCKED,
                                          .cost = self->is_chain ? 0.0 : INFINITY,
                                          .bound = self->is_chain ? 0.0 : INFINITY};
    for (size_t i = 0; i < self->count; i++) {
        self->stops[i].is_left_out = false;
    }
}

void rp_tour_forget_bounds(rp_tour_t *self)
{
    for (size_t i = 0; i < self->count; i++) {
        self->stops[i].bound = 0.0;
    }
}

void rp_tour_begin(rp_tour_t *self, const rp_tour_root_t *root, size_t first, bool stays)
{
    self->root = *root;
    self->first = first;
    self->stays = stays;
    self->is_exact = false;
    rp_tour_forget_bounds(self);
    restart(self);
}

static void swap_paths(rp_tour_t *self)
{
    const rp_tour_path_t path = self->path;
    self->path = self->before;
    self->before = path;
}

void rp_tour_begin_exact(rp_tour_t *self, bool is_bound)
{
    swap_paths(self);
    self->before.plan.bound = is_bound ? self->before.plan.bound : 0.0;
    self->is_exact = true;
    restart(self);
}

void rp_tour_give_up_exact(rp_tour_t *self)
{
    if (self->is_exact && !self->is_over) {
        swap_paths(self);
        self->is_over = true;
    }
}

/// The path that was found before is as good as what was found now, or better.
static bool stands_before(const rp_tour_t *self)
{
    const rp_lattice_plan_t *before = &self->before.plan;
    const rp_lattice_plan_t *now = &self->path.plan;
    const bool leads_both = before->outcome == RP_OUTCOME_FOUND && now->outcome == RP_OUTCOME_FOUND;
    const bool is_as_far = !self->is_chain || self->before.end == self->path.end;
    return leads_both && !is_as_far ? self->before.end > self->path.end
           : leads_both             ? before->cost <= now->cost
                                    : before->outcome == RP_OUTCOME_FOUND;
}

/// Of the path before and this one, the better one stays.
static void choose_path(rp_tour_t *self)
{
    const rp_lattice_plan_t found = self->path.plan;
    const bool is_as_far = !self->is_chain || self->before.end == self->path.end;
    if (self->is_exact && stands_before(self)) {
        swap_paths(self);
        rp_lattice_plan_t *plan = &self->path.plan;
        plan->expanded = found.expanded;
        if (found.outcome == RP_OUTCOME_FOUND && is_as_far) {
            plan->bound = fmin(fmax(plan->bound, found.bound), plan->cost);
        }
        plan->is_optimal = plan->bound >= plan->cost;
    }
}

/// Tell the lattice of the next search.
static rp_status_t tell(rp_tour_t *self, rp_lattice_t *lattice, uint32_t percent)
{
    rp_lattice_goal_t goal = self->stops[self->at].goal;
    const bool is_there =
        self->stays && self->from.cell == self->root.cell && goal.cell == self->root.cell;
    goal.heading = is_there ? RP_GOAL_FREE : goal.heading;
    rp_status_t status = rp_lattice_set_percent(lattice, self->is_exact ? 0u : percent);
    rp_lattice_set_gear(lattice, self->from.gear);
    status =
        status == RP_OK ? rp_lattice_set_start(lattice, self->from.cell, self->from.yaw) : status;
    status = status == RP_OK ? rp_lattice_set_goal_pose(lattice, &goal) : status;
    self->is_told = status == RP_OK;
    return status;
}

/// The most headings of paths, or where there are none, of what was tried for them.
static void note_family(rp_tour_t *self, const rp_lattice_plan_t *found, bool had_path)
{
    const bool has_path = found->outcome == RP_OUTCOME_FOUND;
    if (has_path && !had_path) {
        self->path.plan.family = found->family;
    } else if (has_path || !had_path) {
        self->path.plan.family =
            found->family > self->path.plan.family ? found->family : self->path.plan.family;
    }
}

rp_status_t rp_tour_search(rp_tour_t *self, rp_lattice_t *lattice, const rp_grid_t *grid,
                           uint32_t percent, uint64_t *budget)
{
    self->at = !self->is_chain && !self->is_told ? next_stop(self, grid) : self->at;
    while (!self->is_over) {
        rp_lattice_plan_t found = {.outcome = RP_OUTCOME_NO_PATH};
        rp_status_t status = self->is_told ? RP_OK : tell(self, lattice, percent);
        status = status == RP_OK ? rp_lattice_plan(lattice, budget, &found) : status;
        if (status == RP_MORE) {
            return status;
        }
        if (status == RP_E_UNSUPPORTED) { // dearer than it counts: no path
            found.family = rp_lattice_searched(lattice)->set->headings.count;
        }
        const bool had_path = self->path.plan.segment_count != 0;
        if (status == RP_OK || status == RP_E_UNSUPPORTED) {
            status = self->is_chain ? take_leg(self, grid, &found) : take_stop(self, grid, &found);
        }
        if (status != RP_OK) {
            return status;
        }
        self->is_told = false;
        note_family(self, &found, had_path);
        self->path.plan.expanded += found.expanded;
        self->path.plan.is_optimal = self->path.plan.bound >= self->path.plan.cost;
        if (self->is_over) {
            choose_path(self);
        } else if (*budget == 0) {
            return RP_MORE;
        }
    }
    return RP_OK;
}
