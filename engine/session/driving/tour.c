/// A search of a stop is a plan of the lattice; what it found is copied, as the next one forgets
/// it.
#include "engine/session/driving/tour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "engine/paths/length.h"
#include "planners/lattice/lattice_search.h"
#include "planners/motion/trig.h"

static void fini_path(rp_tour_path_t *path)
{
    free(path->segments);
    free(path->legs);
}

static void fini_beam(rp_tour_beam_t *beam)
{
    for (size_t i = 0; beam != NULL && i < RP_TOUR_SLOTS; i++) {
        fini_path(&beam->branches[i].path);
    }
    free(beam);
}

void rp_tour_fini(rp_tour_t *self)
{
    fini_beam(self->beam);
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

static uint64_t beam_bytes(const rp_tour_beam_t *beam)
{
    uint64_t bytes = beam != NULL ? sizeof *beam : 0u;
    for (size_t i = 0; beam != NULL && i < RP_TOUR_SLOTS; i++) {
        bytes += path_bytes(&beam->branches[i].path);
    }
    return bytes;
}

uint64_t rp_tour_bytes(const rp_tour_t *self)
{
    return beam_bytes(self->beam) + self->count * (sizeof *self->stops + sizeof *self->leg_at) +
           path_bytes(&self->path) + path_bytes(&self->before);
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

static bool make_room(rp_tour_path_t *path, size_t count)
{
    return rp_array_reserve(&path->segments, &path->segment_capacity, count + 1u,
                            sizeof *path->segments) &&
           rp_array_reserve(&path->legs, &path->leg_capacity, count + 1u, sizeof *path->legs);
}

/// Put a path to a stop behind what there is. On a torus coordinates run on.
static rp_status_t append(rp_tour_path_t *path, const rp_lattice_plan_t *plan, size_t stop)
{
    const size_t before = path->plan.segment_count;
    const size_t count = before + plan->segment_count;
    if (!make_room(path, count)) {
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
        path->legs[before + i] = (uint32_t)stop;
    }
    path->plan.escape_count = before == 0 ? plan->escape_count : path->plan.escape_count;
    path->plan.segments = path->segments;
    path->plan.segment_count = (uint32_t)count;
    path->plan.end = (rp_motion_pose_t){plan->end.x + dx, plan->end.y + dy, plan->end.heading};
    path->plan.outcome = RP_OUTCOME_FOUND;
    path->end = stop;
    return RP_OK;
}

/// A chain goes on to a stop. @param stop  up to `count`
static bool has_stop(const rp_tour_t *self, size_t stop)
{
    return stop < self->count && self->stops[stop].goal.cell != RP_NO_CELL;
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
    const rp_status_t status = append(&self->path, found, self->at);
    self->path.plan.cost += found->cost;
    self->path.plan.bound += least_leg(self, grid, found);
    self->from.cell = goal->cell;
    self->from.yaw = found->end.heading;
    self->from.gear = last_gear(found, self->from.gear);
    self->at++;
    self->is_over = !has_stop(self, self->at);
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
            status = append(&self->path, found, self->at);
            self->path.plan.cost = cost;
        }
    }
    self->at = next_stop(self, grid);
    self->is_over = self->is_over || self->at == self->count;
    return status;
}

// ---- the cheapest path through waypoints

/// Headings with which stop `at` is tried.
static size_t heading_count(const rp_tour_t *self)
{
    const rp_tour_stop_t *stop = &self->stops[self->at];
    return stop->goal.heading == RP_GOAL_FREE && has_stop(self, self->at + 1u) ? RP_TOUR_HEADINGS
                                                                               : 1u;
}

/// Direction from a cell to another, round a torus by the shorter way.
static double direction(const rp_grid_t *grid, rp_cell_t from, rp_cell_t to)
{
    const double x = (double)rp_grid_x(grid, to) - rp_grid_x(grid, from);
    const double y = (double)rp_grid_y(grid, to) - rp_grid_y(grid, from);
    return grid->shape.wraps
               ? rp_trig_angle(remainder(y, grid->shape.height), remainder(x, grid->shape.width))
               : rp_trig_angle(y, x);
}

/// Stop `at`, with the heading that is tried: as asked, towards the next one, or half-way.
static rp_lattice_goal_t tried_goal(const rp_tour_t *self, const rp_lattice_t *lattice,
                                    const rp_grid_t *grid)
{
    const rp_headings_t *headings = &rp_lattice_searched(lattice)->set->headings;
    rp_lattice_goal_t goal = self->stops[self->at].goal;
    const size_t heading = self->beam->tried / self->beam->count;
    if (heading != 0) {
        const double in = direction(grid, self->from.cell, goal.cell);
        const double out = direction(grid, goal.cell, self->stops[self->at + 1u].goal.cell);
        const double yaw = heading == 1u ? out : in + 0.5 * remainder(out - in, RP_TRIG_TURN);
        goal.heading = RP_GOAL_FIXED;
        goal.yaw = headings->angle[rp_headings_nearest(headings, yaw)];
        goal.yaw_tolerance = 0.0;
    }
    return goal;
}

/// The least curve from where a branch ends to the next stop, whatever is in its way.
static double least_ahead(const rp_tour_t *self, const rp_lattice_t *lattice, const rp_grid_t *grid,
                          const rp_tour_branch_t *branch)
{
    const rp_lattice_shape_t *shape = &rp_lattice_searched(lattice)->set->shape;
    const rp_cell_t next = self->stops[self->at + 1u].goal.cell;
    const double straight = straight_cost(grid, branch->from.cell, next);
    const double off =
        fabs(remainder(direction(grid, branch->from.cell, next) - branch->from.yaw, RP_TRIG_TURN));
    const double turned = shape->reverse ? fmin(off, RP_TRIG_PI - off) : off;
    return shape->drive == RP_DRIVE_OMNI   ? straight
           : shape->drive == RP_DRIVE_SPOT ? straight + turned * shape->turn_price
                                           : straight + turned * shape->turning_radius;
}

/// A leg was found behind a branch.
static rp_status_t add_branch(rp_tour_t *self, const rp_tour_branch_t *before,
                              const rp_lattice_plan_t *leg)
{
    rp_tour_branch_t *branch = &self->beam->branches[RP_TOUR_BRANCHES + self->beam->found_count++];
    rp_tour_path_t *path = &branch->path;
    const size_t count = before->path.plan.segment_count;
    if (!make_room(path, count)) {
        return RP_E_MEMORY;
    }
    if (count != 0) {
        memcpy(path->segments, before->path.segments, count * sizeof *path->segments);
        memcpy(path->legs, before->path.legs, count * sizeof *path->legs);
    }
    path->plan = before->path.plan;
    path->plan.segments = path->segments;
    path->plan.cost += leg->cost;
    path->plan.family = leg->family > path->plan.family ? leg->family : path->plan.family;
    branch->from = (rp_tour_root_t){.cell = self->stops[self->at].goal.cell,
                                    .yaw = leg->end.heading,
                                    .gear = last_gear(leg, before->from.gear)};
    return append(path, leg, self->at);
}

/// What a branch that was found promises; infinite: one in its pose is gone on with.
static double promise_of(const rp_tour_t *self, const rp_lattice_t *lattice, const rp_grid_t *grid,
                         const rp_tour_branch_t *branch)
{
    double promise = branch->path.plan.cost;
    for (size_t i = 0; i < self->beam->count; i++) {
        const double yaw = self->beam->branches[i].from.yaw - branch->from.yaw;
        promise = fabs(remainder(yaw, RP_TRIG_TURN)) <= RP_LATTICE_YAW_SLACK ? INFINITY : promise;
    }
    return promise +
           (has_stop(self, self->at + 1u) ? least_ahead(self, lattice, grid, branch) : 0.0);
}

/// All that was to be tried to stop `at` was. Go on with the best.
static void choose_branches(rp_tour_t *self, const rp_lattice_t *lattice, const rp_grid_t *grid)
{
    rp_tour_beam_t *beam = self->beam;
    rp_tour_branch_t *found = beam->branches + RP_TOUR_BRANCHES;
    const size_t most = has_stop(self, self->at + 1u) ? RP_TOUR_BRANCHES : 1u;
    beam->count = 0;
    while (beam->count < most) {
        double least = INFINITY;
        size_t best = 0;
        for (size_t i = 0; i < beam->found_count; i++) {
            const double promise = promise_of(self, lattice, grid, &found[i]);
            best = promise < least ? i : best;
            least = fmin(promise, least);
        }
        if (isinf(least)) {
            return;
        }
        const rp_tour_branch_t branch = beam->branches[beam->count];
        beam->branches[beam->count++] = found[best];
        found[best] = branch;
        found[best].path.plan.cost = INFINITY;
    }
}

/// @param found  what the last search found
static void end_beam(rp_tour_t *self, const rp_lattice_plan_t *found)
{
    rp_tour_path_t *path = &self->beam->branches[0].path;
    const rp_tour_path_t spare = self->path;
    self->path = *path;
    *path = spare;
    self->path.plan.bound = self->beam->bound;
    self->path.plan.expanded = spare.plan.expanded;
    if (self->path.plan.segment_count == 0 && found->outcome != RP_OUTCOME_FOUND) {
        self->path.plan.outcome = found->outcome; // there is no way on from here
        self->path.plan.family = found->family;
    }
    self->is_over = true;
}

/// A leg of a branch is searched.
static rp_status_t take_branch(rp_tour_t *self, const rp_lattice_t *lattice, const rp_grid_t *grid,
                               const rp_lattice_plan_t *found)
{
    rp_tour_beam_t *beam = self->beam;
    const bool is_found = found->outcome == RP_OUTCOME_FOUND;
    const rp_status_t status =
        is_found ? add_branch(self, &beam->branches[beam->tried % beam->count], found) : RP_OK;
    if (beam->tried == 0) { // with the heading that is asked: of all paths
        beam->bound += is_found
                           ? least_leg(self, grid, found)
                           : straight_cost(grid, self->from.cell, self->stops[self->at].goal.cell);
    }
    if (status != RP_OK || ++beam->tried < heading_count(self) * beam->count) {
        return status;
    }
    if (beam->found_count == 0) {
        end_beam(self, found);
        return RP_OK;
    }
    choose_branches(self, lattice, grid);
    self->from.cell = self->stops[self->at].goal.cell;
    self->at++;
    beam->found_count = beam->tried = 0;
    if (!has_stop(self, self->at)) {
        end_beam(self, &(rp_lattice_plan_t){.outcome = RP_OUTCOME_FOUND});
    }
    return RP_OK;
}

// ---- the search

static bool is_beam(const rp_tour_t *self)
{
    return self->is_exact && self->is_chain;
}

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
    if (is_beam(self)) {
        rp_tour_beam_t *beam = self->beam;
        beam->branches[0].path.plan = self->path.plan;
        beam->branches[0].from = self->root;
        beam->count = 1;
        beam->found_count = beam->tried = 0;
        beam->bound = 0.0;
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

rp_status_t rp_tour_begin_exact(rp_tour_t *self)
{
    self->beam = self->beam != NULL ? self->beam : calloc(1, sizeof *self->beam);
    if (self->beam == NULL) {
        return RP_E_MEMORY;
    }
    swap_paths(self);
    self->is_exact = true;
    restart(self);
    return RP_OK;
}

void rp_tour_give_up_exact(rp_tour_t *self)
{
    if (self->is_exact && !self->is_over) {
        swap_paths(self);
        self->is_exact = false;
        self->is_over = true;
    }
}

/// Other headings at waypoints may lead on where these do not.
static bool is_optimal(const rp_tour_t *self)
{
    const rp_lattice_plan_t *plan = &self->path.plan;
    const bool ends_early =
        self->is_chain && plan->outcome == RP_OUTCOME_FOUND && has_stop(self, self->path.end + 1u);
    return plan->bound >= plan->cost && !ends_early;
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
        plan->is_optimal = is_optimal(self);
    }
}

/// Tell the lattice of the next search.
static rp_status_t tell(rp_tour_t *self, rp_lattice_t *lattice, const rp_grid_t *grid,
                        uint32_t percent)
{
    const rp_tour_beam_t *beam = self->beam;
    rp_lattice_goal_t goal =
        is_beam(self) ? tried_goal(self, lattice, grid) : self->stops[self->at].goal;
    const rp_tour_root_t *from =
        is_beam(self) ? &beam->branches[beam->tried % beam->count].from : &self->from;
    const bool is_there =
        self->stays && self->from.cell == self->root.cell && goal.cell == self->root.cell;
    goal.heading = is_there ? RP_GOAL_FREE : goal.heading;
    rp_status_t status = rp_lattice_set_percent(lattice, self->is_exact ? 0u : percent);
    rp_lattice_set_gear(lattice, from->gear);
    status = status == RP_OK ? rp_lattice_set_start(lattice, from->cell, from->yaw) : status;
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
        rp_status_t status = self->is_told ? RP_OK : tell(self, lattice, grid, percent);
        status = status == RP_OK ? rp_lattice_plan(lattice, budget, &found) : status;
        if (status == RP_MORE) {
            return status;
        }
        if (status == RP_E_UNSUPPORTED) { // dearer than it counts: no path
            found.family = rp_lattice_searched(lattice)->set->headings.count;
        }
        const bool had_path = self->path.plan.segment_count != 0;
        if (status == RP_OK || status == RP_E_UNSUPPORTED) {
            status = is_beam(self)    ? take_branch(self, lattice, grid, &found)
                     : self->is_chain ? take_leg(self, grid, &found)
                                      : take_stop(self, grid, &found);
        }
        if (status != RP_OK) {
            return status;
        }
        self->is_told = false;
        if (!is_beam(self)) {
            note_family(self, &found, had_path);
        }
        self->path.plan.expanded += found.expanded;
        self->path.plan.is_optimal = is_optimal(self);
        if (self->is_over) {
            choose_path(self);
        } else if (*budget == 0) {
            return RP_MORE;
        }
    }
    return RP_OK;
}
