/// A session with motion: between its planner of curves and what is published. Which curve stays,
/// what it costs, and why another one is said.
#include "engine/session/session_state.h"

#include <stdlib.h>

#include "base/budget.h"
#include "engine/paths/policy.h"
#include "engine/session/decision.h"
#include "engine/session/driving/driver.h"
#include "engine/session/endpoints.h"
#include "planners/motion/trig.h"

/// What looking at a session costs at least, in expansions: budgets must end.
#define LEAST_COST 64u

/// Cells that an agent may be beside its curve, if its policy allows no more: half the diagonal of
/// a cell, and a little.
#define FOLLOW_LEAST 0.75

bool rp_driving_can_aim(const rp_aim_t *aim)
{
    return aim->kind != RP_AIM_REGION && aim->count <= RP_MOTION_STOPS_MAX &&
           aim->tolerance_m <= 0.0 && !aim->is_nearest;
}

/// What came of looking.
typedef struct verdict {
    rp_answer_outcome_t outcome;
    bool is_new;
    bool is_kept; ///< the curve stays
    rp_reason_t reason;
    double cost;
    double excess;
    uint64_t expanded;
    uint64_t look_us;
} verdict_t;

// ---- judging

static rp_answer_outcome_t outcome_of(rp_outcome_t outcome)
{
    return outcome == RP_OUTCOME_FOUND           ? RP_ANSWER_FOUND
           : outcome == RP_OUTCOME_START_BLOCKED ? RP_ANSWER_START_BLOCKED
           : outcome == RP_OUTCOME_GOAL_BLOCKED  ? RP_ANSWER_GOAL_BLOCKED
                                                 : RP_ANSWER_NO_PATH;
}

/// What is left of the published curve still leads to a stop of a tour: that of the driver, or a
/// copy of it.
static bool stands_on(const rp_session_t *self, const rp_tour_t *tour)
{
    const rp_driver_t *driver = self->driver;
    return rp_answer_has_path(self->published.outcome) && rp_driven_curve_is_free(&driver->curve) &&
           self->published.path.end == tour->stops[driver->told].goal.cell;
}

static bool stands(const rp_session_t *self)
{
    return stands_on(self, &self->driver->tour);
}

/// All that happened is that a waypoint was passed, on the curve that is the best.
static bool only_passed(const rp_session_t *self)
{
    const rp_driver_t *driver = self->driver;
    return driver->tour.is_chain && driver->is_best && self->published.path_seq != 0 &&
           (self->validity.due & ~(unsigned)RP_DUE_TARGET) == RP_DUE_LEG && stands(self);
}

/// A path through more waypoints was found than the published one leads through.
static bool leads_farther(const rp_driver_t *driver)
{
    return driver->tour.is_chain && driver->tour.path.end > driver->told;
}

/// There is a curve: hold the published one against it.
static verdict_t judge_found(const rp_session_t *self, const rp_lattice_plan_t *plan,
                             uint64_t now_us)
{
    const rp_driver_t *driver = self->driver;
    const rp_grid_t *grid = self->layer->grid;
    const double lead = rp_driver_lead(driver, grid);
    const double optimum = fmax(lead + plan->cost, 0.0);
    const double bound = fmin(fmax(lead + plan->bound, 0.0), optimum);
    verdict_t verdict = {.outcome = RP_ANSWER_FOUND,
                         .cost = optimum,
                         .excess = plan->is_optimal ? 0.0 : optimum - bound,
                         .expanded = plan->expanded,
                         .look_us = RP_NEVER_US};
    if (rp_session_has_cause(self, &verdict.reason)) {
        verdict.is_new = true;
        verdict.is_kept = only_passed(self);
        return verdict;
    }
    if (leads_farther(driver)) {
        verdict.is_new = true;
        verdict.reason = RP_REASON_INVALID; // it was said that there is no way on
        return verdict;
    }
    if (!stands(self)) {
        verdict.is_new = true;
        verdict.reason =
            rp_session_is_due(self, RP_DUE_TARGET) ? RP_REASON_GOAL : RP_REASON_INVALID;
        return verdict;
    }
    const double kept = driver->is_best ? optimum : fmax(rp_driver_cost_left(driver, grid), bound);
    const rp_policy_input_t input = {.kept = kept,
                                     .optimum = fmin(optimum, kept),
                                     .published_us = self->published.at_us,
                                     .now_us = now_us};
    if (!rp_policy_keeps(&self->policy, &input, &verdict.reason, &verdict.look_us)) {
        verdict.is_new = true;
        return verdict;
    }
    verdict.is_kept = true;
    verdict.cost = kept;
    verdict.excess = kept - (plan->is_optimal ? fmin(optimum, kept) : bound);
    return verdict;
}

/// There is none.
static verdict_t judge_none(const rp_session_t *self, rp_answer_outcome_t outcome)
{
    verdict_t verdict = {.outcome = outcome, .look_us = RP_NEVER_US};
    if (rp_session_has_cause(self, &verdict.reason)) {
        verdict.is_new = true;
    } else if (outcome != self->published.outcome) {
        verdict.is_new = true;
        verdict.reason = RP_REASON_INVALID;
    }
    return verdict;
}

// ---- publishing

/// The cells of the curve, as the path of the answer.
static rp_status_t keep_cells(rp_session_t *self)
{
    const rp_driven_curve_t *curve = &self->driver->curve;
    rp_cell_t *cells = malloc((curve->cell_count + 1u) * sizeof *cells);
    if (cells == NULL) {
        return RP_E_MEMORY;
    }
    for (size_t i = 0; i < curve->cell_count; i++) {
        cells[i] = curve->cells[i].cell;
    }
    const rp_path_t path = {cells, (uint32_t)curve->cell_count};
    const rp_status_t status =
        rp_published_path_keep(&self->published.path, self->layer->grid, &path);
    free(cells);
    return status;
}

/// Cut off the steps that lie behind the agent.
static void pass_steps(rp_session_t *self)
{
    rp_published_path_t *path = &self->published.path;
    const uint32_t passed = rp_driven_curve_passed(&self->driver->curve);
    if (passed > path->first) {
        rp_published_path_pass(path, self->layer->grid, passed - path->first);
    }
}

static rp_driven_pose_t pose_of(const rp_session_t *self)
{
    const rp_pose_t pose = rp_world_pose_at(self->world, self->position.x_m, self->position.y_m);
    const double radius = self->position.follow_radius_m / self->world->frame.resolution_m;
    return (rp_driven_pose_t){
        .pose = {pose.x - 0.5, pose.y - 0.5, self->driver->yaw},
        .radius = fmax(radius, FOLLOW_LEAST),
        .turn = self->driver->follow_yaw,
    };
}

// ---- waypoints

/// The agent stands at a stop as it should.
static bool stands_at(const rp_session_t *self, const rp_tour_stop_t *there)
{
    return self->position.cell != RP_NO_CELL && self->position.cell == there->goal.cell &&
           rp_driver_faces(self->driver, there);
}

/// The next waypoint lies behind the agent on its curve, or it stands there; another one follows.
static bool passes(const rp_session_t *self)
{
    const rp_driver_t *driver = self->driver;
    const size_t next = self->goal.spec.next;
    const bool follows = rp_answer_has_path(self->published.outcome) &&
                         !rp_session_is_due(self, RP_DUE_OFF_PATH) &&
                         !rp_session_is_due(self, RP_DUE_GOALS) && next <= driver->told;
    return driver->tour.is_chain && next + 1u < driver->tour.count &&
           (stands_at(self, &driver->tour.stops[next]) ||
            (follows &&
             rp_driven_curve_leg_end(&driver->curve, (uint32_t)next) <= driver->curve.progress));
}

/// Waypoints that were passed are done with. @return false: there are none
static bool pass_waypoints(rp_session_t *self)
{
    const size_t before = self->goal.spec.next;
    while (passes(self)) {
        self->goal.spec.next++;
    }
    return self->goal.spec.next != before;
}

/// @param passed  written: what of the curve lies behind the agent already, as costs go
static rp_status_t say_curve(rp_session_t *self, const rp_lattice_plan_t *plan, double *passed)
{
    const rp_driven_pose_t pose = pose_of(self);
    rp_status_t status = rp_driver_take(self->driver, self->layer->grid, plan);
    status = status == RP_OK ? keep_cells(self) : status;
    if (status != RP_OK) {
        rp_driver_stop(self->driver);
        rp_published_path_clear(&self->published.path, self->position.cell);
        self->published.outcome = RP_ANSWER_NONE; // so that what comes next is new
        return status;
    }
    // The agent may have gone on while the search was under way, or stand beside the middle of its
    // cell.
    rp_driven_curve_t *curve = &self->driver->curve;
    const double before = curve->progress;
    (void)rp_driven_curve_follow(curve, self->layer->grid, &pose);
    *passed = rp_driven_curve_cost(curve, self->layer->grid, before, curve->progress);
    pass_steps(self);
    self->validity.due &= ~(unsigned)(RP_DUE_GOALS | RP_DUE_OFF_PATH); // it is the curve to here
    self->published.outcome = RP_ANSWER_FOUND;
    (void)pass_waypoints(self);
    return RP_OK;
}

/// Write down what was found, and say it if it is new.
/// @param plan  NULL without a curve
static rp_status_t conclude(rp_session_t *self, const verdict_t *verdict,
                            const rp_lattice_plan_t *plan, uint64_t now_us)
{
    double passed = 0.0;
    if (verdict->is_new) {
        rp_driven_curve_note_past(&self->driver->curve, &self->world->frame);
    }
    if (verdict->is_new && !verdict->is_kept) {
        const rp_status_t status = plan != NULL ? say_curve(self, plan, &passed) : RP_OK;
        if (status != RP_OK) {
            return status;
        }
        if (plan == NULL) {
            rp_driver_stop(self->driver);
            rp_published_path_clear(&self->published.path, self->position.cell);
        }
        const bool is_done = plan != NULL && self->driver->curve.count == 0;
        self->published.outcome = is_done ? RP_ANSWER_ARRIVED : verdict->outcome;
    } else if (verdict->is_new) {
        rp_published_path_repeat(&self->published.path);
    }
    if (verdict->is_new) {
        rp_session_note_published(self, verdict->reason, fmax(verdict->cost - passed, 0.0),
                                  verdict->expanded, now_us);
    }
    self->validity.version = self->world->version;
    self->published.cost = fmax(verdict->cost - passed, 0.0);
    self->published.excess = fmin(verdict->excess, self->published.cost);
    rp_session_clear_causes(self);
    self->schedule.is_put_off =
        !verdict->is_new && verdict->reason == RP_REASON_CHEAPER && verdict->look_us != RP_NEVER_US;
    self->published.goal_id = self->goal.id;
    self->published.pose_seq = self->position.pose_seq;
    self->published.target_seq =
        self->goal.target != NULL ? self->goal.target->position.pose_seq : 0;
    self->schedule.effort.expanded += verdict->expanded;
    return RP_OK;
}

/// The agent stands on a stop as it should, near enough for one that drives; where that was said,
/// it may turn there. Of waypoints only the last counts.
static bool has_come(const rp_session_t *self, const rp_tour_t *tour)
{
    rp_reason_t reason;
    const size_t first = tour->is_chain ? tour->count - 1u : 0u;
    const bool was_there = self->published.outcome == RP_ANSWER_ARRIVED &&
                           self->position.cell == self->published.path.end &&
                           !rp_session_has_cause(self, &reason);
    bool is_on = was_there && stands_on(self, tour);
    for (size_t i = first; i < tour->count && !is_on; i++) {
        is_on = stands_at(self, &tour->stops[i]);
    }
    return is_on && (!tour->is_chain || self->goal.spec.next == first);
}

/// It came there along its curve, which ends.
static void note_arrival(rp_session_t *self)
{
    const size_t told = self->driver->told;
    const rp_tour_t *tour = &self->driver->tour;
    const bool is_last = !tour->is_chain || told + 1u == tour->count;
    if (self->published.outcome == RP_ANSWER_FOUND && is_last && has_come(self, tour) &&
        stands_at(self, &tour->stops[told])) {
        rp_driver_reset(self->driver);
        self->validity.due |= RP_DUE_LEG;
    }
}

/// It came past waypoints.
static void note_passed(rp_session_t *self)
{
    if (pass_waypoints(self)) {
        self->validity.due |= RP_DUE_LEG;
        if (self->goal.spec.next > self->driver->told) {
            rp_driver_reset(self->driver); // the way on is not known
        }
    }
}

/// Write where the stops of a tour lie now.
/// @param has_moved  set where one lies elsewhere
/// @return false: the next one, or each of several, lies outside, or the target is lost
static bool locate(const rp_session_t *self, rp_tour_t *tour, bool *has_moved)
{
    if (rp_endpoints_are_lost(self)) {
        return false;
    }
    rp_destination_t place;
    const rp_goal_spec_t spec = rp_endpoints_goal_spec(self, &place);
    bool is_inside = false;
    for (size_t i = 0; i < tour->count; i++) {
        rp_cell_t cell = RP_NO_CELL;
        rp_cell_t *known = &tour->stops[i].goal.cell;
        (void)rp_world_cell_at(self->world, spec.points[i].x_m, spec.points[i].y_m, &cell);
        *has_moved = *has_moved || cell != *known;
        *known = cell;
        is_inside = is_inside || (cell != RP_NO_CELL && (!tour->is_chain || i == spec.next));
    }
    return is_inside;
}

static bool place_stops(rp_session_t *self)
{
    bool has_moved = false;
    const bool is_inside = locate(self, &self->driver->tour, &has_moved);
    if (has_moved) {
        rp_driver_reset(self->driver);
    }
    return is_inside;
}

bool rp_driving_look(const rp_session_t *self, rp_tour_t *tour, bool *stays)
{
    bool has_moved = false;
    const bool is_inside = locate(self, tour, &has_moved);
    *stays = has_come(self, tour);
    return is_inside;
}

/// Hold a plan against what was published.
/// @return RP_MORE when another one must be made, which begins ahead of the agent
static rp_status_t weigh(rp_session_t *self, const rp_lattice_plan_t *plan, uint64_t now_us,
                         bool *is_new, uint64_t *look_us)
{
    const bool has_curve = plan->outcome == RP_OUTCOME_FOUND;
    self->driver->family = plan->family;
    const verdict_t verdict =
        has_curve ? judge_found(self, plan, now_us) : judge_none(self, outcome_of(plan->outcome));
    if (has_curve && verdict.is_new && !verdict.is_kept && !rp_driver_can_switch(self->driver)) {
        rp_driver_reset(self->driver);
        return RP_MORE;
    }
    const rp_status_t status = conclude(self, &verdict, has_curve ? plan : NULL, now_us);
    *is_new = verdict.is_new;
    *look_us = verdict.look_us;
    return status;
}

// ---- planning

/// A search that found every path dearer than a lattice counts, a set with too many moves to
/// number, ground that no lattice fits, or ends that are none of its poses, is no path that could
/// be driven. Only a lack of memory may be tried again without a change.
static rp_status_t plan_curve(rp_session_t *self, uint64_t *budget, rp_lattice_plan_t *plan)
{
    rp_reason_t reason;
    rp_status_t status = rp_driver_prepare(self->driver, self->layer, self->world->version, budget);
    if (status == RP_OK) {
        const rp_driver_ends_t ends = {
            .cell = self->position.cell,
            .pose = pose_of(self),
            .next = self->driver->tour.is_chain ? self->goal.spec.next : 0u,
            .begins_there = rp_session_is_due(self, RP_DUE_OFF_PATH),
            .is_there = has_come(self, &self->driver->tour),
            .leads_there = !rp_session_has_cause(self, &reason) && stands(self),
        };
        status = rp_driver_plan(self->driver, self->layer->grid, &ends, budget, plan);
    }
    if (status == RP_E_UNSUPPORTED || status == RP_E_INVALID) {
        *plan = (rp_lattice_plan_t){.outcome = RP_OUTCOME_NO_PATH,
                                    .is_optimal = true,
                                    .family = self->driver->shape.headings};
        status = RP_OK;
    }
    return status;
}

rp_status_t rp_driving_plan(rp_session_t *self, uint64_t now_us, uint64_t *budget, bool *is_new,
                            uint64_t *look_us)
{
    rp_lattice_plan_t plan;
    const bool is_lost = rp_endpoints_are_lost(self);
    if (is_lost || !place_stops(self) || self->position.cell == RP_NO_CELL) {
        rp_budget_pay(budget, LEAST_COST);
        const verdict_t verdict =
            judge_none(self, is_lost ? RP_ANSWER_TARGET_LOST : RP_ANSWER_OUTSIDE);
        rp_driver_reset(self->driver);
        *is_new = verdict.is_new;
        *look_us = verdict.look_us;
        return conclude(self, &verdict, NULL, now_us);
    }
    note_passed(self);
    note_arrival(self);
    rp_status_t status = plan_curve(self, budget, &plan);
    rp_budget_pay(budget, LEAST_COST); // afterwards, or small steps would never plan
    self->schedule.is_long = status == RP_MORE;
    const bool doubts = status == RP_OK && rp_driver_doubts(self->driver, &plan);
    status = status == RP_OK ? weigh(self, &plan, now_us, is_new, look_us) : status;
    return status == RP_OK && doubts ? RP_MORE : status;
}

bool rp_driving_may_improve(const rp_session_t *self)
{
    const rp_driver_t *driver = self->driver;
    return driver != NULL && driver->search.stage == RP_DRIVER_IMPROVES &&
           !rp_session_is_unsure(self);
}

rp_status_t rp_driving_improve(rp_session_t *self, uint64_t now_us, uint64_t *budget, bool *is_new,
                               uint64_t *look_us)
{
    rp_lattice_plan_t plan;
    rp_driver_t *driver = self->driver;
    const bool was_best = driver->is_best;
    const double cost = self->published.cost;
    *is_new = false;
    if (driver->heard != self->world->version) { // of changes beside the curve it is told first
        return RP_E_UNSUPPORTED;
    }
    rp_status_t status = rp_driver_improve(driver, self->layer->grid, budget, &plan);
    if (status == RP_MORE) {
        return status;
    }
    driver->search.stage = RP_DRIVER_RESTS;
    if (status != RP_OK || plan.outcome != RP_OUTCOME_FOUND) {
        return status == RP_OK ? RP_E_UNSUPPORTED : status;
    }
    const double found = fmax(rp_driver_lead(driver, self->layer->grid) + plan.cost, 0.0);
    driver->is_best = was_best && !rp_policy_is_cheaper(cost, found) && !leads_farther(driver);
    status = weigh(self, &plan, now_us, is_new, look_us);
    return status == RP_MORE ? RP_E_UNSUPPORTED : status;
}

// ---- moves

/// The agent has gone on along its curve.
static void go_on(rp_session_t *self, double before)
{
    const rp_driven_curve_t *curve = &self->driver->curve;
    const double passed = rp_driven_curve_cost(curve, self->layer->grid, before, curve->progress);
    pass_steps(self);
    self->published.cost = fmax(self->published.cost - passed, 0.0);
    self->published.excess = fmin(self->published.excess, self->published.cost);
    self->published.pose_seq = self->position.pose_seq;
}

/// @return false when it is not on its curve, or has none
static bool follow(rp_session_t *self)
{
    const rp_driven_pose_t pose = pose_of(self);
    const double before = self->driver->curve.progress;
    if (self->position.cell == RP_NO_CELL || !rp_answer_has_path(self->published.outcome) ||
        rp_session_is_due(self, RP_DUE_OFF_PATH) ||
        !rp_driven_curve_follow(&self->driver->curve, self->layer->grid, &pose)) {
        return false;
    }
    go_on(self, before);
    return true;
}

/// Where it is, in cells.
static void stand_at(rp_session_t *self, double x_m, double y_m, double yaw, uint64_t pose_seq)
{
    rp_cell_t cell = RP_NO_CELL;
    (void)rp_world_cell_at(self->world, x_m, y_m, &cell);
    self->position.x_m = x_m;
    self->position.y_m = y_m;
    self->position.pose_seq = pose_seq;
    self->position.has_pose = true;
    self->position.cell = self->position.from = self->position.at = cell;
    self->driver->yaw = yaw;
    self->driver->has_yaw = true;
}

bool rp_driving_move(rp_session_t *self, double x_m, double y_m, double yaw, uint64_t pose_seq)
{
    rp_session_settle(self);
    rp_driver_t *driver = self->driver;
    const double turned =
        isfinite(yaw) ? rp_trig_turn(yaw - self->world->frame.origin_yaw) : driver->yaw;
    const bool is_there = self->position.has_pose && x_m == self->position.x_m &&
                          y_m == self->position.y_m && turned == driver->yaw;
    stand_at(self, x_m, y_m, turned, pose_seq);
    if (is_there || (self->published.outcome == RP_ANSWER_ARRIVED &&
                     self->position.cell == self->published.path.end)) {
        return false;
    }
    rp_session_stop_asking(self);
    if (follow(self)) {
        return !rp_session_is_unsure(self) && self->published.outcome == RP_ANSWER_FOUND &&
               (self->position.cell == self->published.path.end || passes(self));
    }
    rp_driver_reset(driver);
    if (rp_answer_has_path(self->published.outcome)) {
        self->validity.due |= RP_DUE_OFF_PATH;
    }
    return self->goal.is_given;
}

void rp_driving_resize(rp_session_t *self, const rp_grid_t *before, const rp_window_t *window)
{
    rp_driven_curve_t *curve = &self->driver->curve;
    rp_driver_drop(self->driver);
    rp_driven_curve_shift(curve, -window->x, -window->y);
    for (size_t i = 0; i < curve->cell_count; i++) {
        rp_cell_t *cell = &curve->cells[i].cell;
        *cell = rp_session_moved_cell(before, self->layer->grid, window, *cell);
    }
}

// ---- what it says

/// By waypoint that the curve leads to, the number of its first segment.
static void tell_legs(rp_driver_t *driver, size_t next, rp_answer_curve_t *curve)
{
    rp_tour_t *tour = &driver->tour;
    if (!tour->is_chain || next > driver->told) {
        return;
    }
    curve->leg_count = (uint32_t)(driver->told - next + 1u);
    curve->leg_at = tour->leg_at;
    for (uint32_t i = 0; i < curve->leg_count; i++) {
        tour->leg_at[i] = rp_driven_curve_leg_at(&driver->curve, (uint32_t)next + i, curve->count);
    }
}

void rp_driving_tell(const rp_session_t *self, rp_answer_t *answer)
{
    rp_driven_curve_t *curve = &self->driver->curve;
    const rp_world_t *world = self->world;
    answer->planner = "lattice";
    answer->curve.has_courses = self->driver->shape.drive == RP_DRIVE_OMNI;
    answer->curve.family = self->driver->family;
    if (!rp_answer_has_path(self->published.outcome)) {
        return;
    }
    answer->curve.segments = rp_driven_curve_tell(curve, &world->frame, &answer->curve.count,
                                                  &answer->curve.escape_count);
    for (uint32_t i = 0; i < answer->curve.escape_count; i++) {
        answer->escape_m += fabs(answer->curve.segments[i].length_m);
    }
    tell_legs(self->driver, self->goal.spec.next, &answer->curve);
    answer->curve.splice = rp_driven_curve_splice(curve, answer->curve.count);
    answer->curve.valid_through_m =
        rp_driven_curve_known(curve, self->layer->grid,
                              world->unknown_count != 0 ? world->bytes : NULL, world->version) *
        world->frame.resolution_m;
}
