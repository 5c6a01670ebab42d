/// One pose planner for each family that was asked. After an event the first one plans anew, and
/// the others only where it has no path; what is finer than the family that has one is given back.
#include "planners/lattice/lattice.h"

#include <stdlib.h>

#include "base/budget.h"
#include "planners/lattice/lattice_search.h"

#define FAMILIES_MOST (1u + RP_LATTICE_FINER_MOST)

/// A curve of a set takes as long as so many expansions.
#define CURVE_PRICE 16u

struct rp_lattice {
    const rp_grid_t *grid;                          ///< borrowed
    rp_control_set_t *finer[RP_LATTICE_FINER_MOST]; ///< borrowed [finer_count]
    uint32_t finer_count;
    rp_pose_planner_t *planners[FAMILIES_MOST]; ///< owned [open]
    uint32_t open;
    uint32_t at;       ///< the family that plans
    uint32_t shown;    ///< the family of the newest answer
    uint64_t expanded; ///< by the families before it, since the last event
    rp_cell_t start;   ///< RP_NO_CELL: none yet
    double yaw;
    int32_t gear;
    rp_lattice_goal_t goal; ///< its cell RP_NO_CELL: none yet
    uint32_t percent;
    double escape;
    rp_simd_t simd;
};

/// Something happened: the first family is asked first.
static void begin(rp_lattice_t *self)
{
    self->at = 0;
    self->expanded = 0;
}

// ---- what is told to all

rp_status_t rp_lattice_set_start(rp_lattice_t *self, rp_cell_t cell, double yaw)
{
    rp_status_t status = RP_OK;
    for (uint32_t i = 0; i < self->open && status == RP_OK; i++) {
        status = rp_pose_planner_set_start(self->planners[i], cell, yaw);
    }
    if (status == RP_OK) {
        self->start = cell;
        self->yaw = yaw;
        begin(self);
    }
    return status;
}

void rp_lattice_set_gear(rp_lattice_t *self, int32_t gear)
{
    for (uint32_t i = 0; i < self->open; i++) {
        rp_pose_planner_set_gear(self->planners[i], gear);
    }
    self->gear = gear;
    begin(self);
}

rp_status_t rp_lattice_set_goal_pose(rp_lattice_t *self, const rp_lattice_goal_t *goal)
{
    rp_status_t status = RP_OK;
    for (uint32_t i = 0; i < self->open && status == RP_OK; i++) {
        status = rp_pose_planner_set_goal(self->planners[i], goal);
    }
    if (status == RP_OK) {
        self->goal = *goal;
        begin(self);
    }
    return status;
}

rp_status_t rp_lattice_set_goal(rp_lattice_t *self, rp_cell_t cell)
{
    return rp_lattice_set_goal_pose(self, &(rp_lattice_goal_t){.cell = cell});
}

rp_status_t rp_lattice_set_percent(rp_lattice_t *self, uint32_t percent)
{
    rp_status_t status = RP_OK;
    for (uint32_t i = 0; i < self->open && status == RP_OK; i++) {
        status = rp_pose_planner_set_percent(self->planners[i], percent);
    }
    if (status == RP_OK) {
        self->percent = percent;
        begin(self);
    }
    return status;
}

rp_status_t rp_lattice_set_escape(rp_lattice_t *self, double most)
{
    if (!(most >= 0.0 && most <= RP_LATTICE_ESCAPE_MOST)) {
        return RP_E_INVALID;
    }
    for (uint32_t i = 0; i < self->open; i++) {
        rp_pose_planner_set_escape(self->planners[i], most);
    }
    self->escape = most;
    begin(self);
    return RP_OK;
}

void rp_lattice_set_simd(rp_lattice_t *self, rp_simd_t simd)
{
    for (uint32_t i = 0; i < self->open; i++) {
        rp_pose_planner_set_simd(self->planners[i], simd);
    }
    self->simd = simd;
    begin(self);
}

rp_status_t rp_lattice_apply(rp_lattice_t *self, const rp_change_t *changes, size_t count)
{
    rp_status_t status = RP_OK;
    for (uint32_t i = 0; i < self->open && status == RP_OK; i++) {
        status = rp_pose_planner_apply(self->planners[i], changes, count);
    }
    if (status == RP_OK) {
        begin(self);
    }
    return status;
}

// ---- families

static uint32_t headings_of(const rp_control_set_t *set)
{
    return set->headings.count;
}

rp_status_t rp_lattice_set_finer(rp_lattice_t *self, rp_control_set_t *const *sets, uint32_t count)
{
    uint32_t before = headings_of(rp_pose_planner_searched(self->planners[0])->set);
    if (count > RP_LATTICE_FINER_MOST) {
        return RP_E_INVALID;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (headings_of(sets[i]) <= before) {
            return RP_E_INVALID;
        }
        before = headings_of(sets[i]);
    }
    while (self->open > 1u) {
        rp_pose_planner_destroy(&self->planners[--self->open]);
    }
    for (uint32_t i = 0; i < count; i++) {
        self->finer[i] = sets[i];
    }
    self->finer_count = count;
    self->shown = 0;
    begin(self);
    return RP_OK;
}

/// At least a curve, however small the budget is.
static rp_status_t build_set(rp_control_set_t *set, uint64_t *budget)
{
    const uint64_t curves = *budget / CURVE_PRICE + 1u;
    uint64_t left = curves;
    const rp_status_t status = rp_control_set_build(set, &left);
    rp_budget_pay(budget, (curves - left) * CURVE_PRICE);
    return status;
}

/// Tell a new planner all that was told before.
static rp_status_t tell(const rp_lattice_t *self, rp_pose_planner_t *planner)
{
    rp_pose_planner_set_simd(planner, self->simd);
    rp_pose_planner_set_escape(planner, self->escape);
    rp_pose_planner_set_gear(planner, self->gear);
    rp_status_t status = rp_pose_planner_set_percent(planner, self->percent);
    if (status == RP_OK) {
        status = rp_pose_planner_set_start(planner, self->start, self->yaw);
    }
    return status == RP_OK ? rp_pose_planner_set_goal(planner, &self->goal) : status;
}

/// See that the next family has a planner; where it can have none, there are no more families.
static rp_status_t open_next(rp_lattice_t *self, uint64_t *budget)
{
    if (self->at + 1u < self->open) {
        return RP_OK;
    }
    rp_control_set_t *set = self->finer[self->at];
    rp_pose_planner_t *planner = NULL;
    rp_status_t status = build_set(set, budget);
    if (status == RP_OK) {
        status = rp_pose_planner_new(set, self->grid, &planner);
    }
    if (status == RP_E_UNSUPPORTED) { // with so many headings it has too many moves
        self->finer_count = self->at;
        return RP_OK;
    }
    if (status != RP_OK) {
        return status;
    }
    self->planners[self->open++] = planner;
    return tell(self, planner);
}

/// Those finer than the family that has an answer are not needed.
static void close_finer(rp_lattice_t *self)
{
    while (self->open > self->at + 1u) {
        rp_pose_planner_destroy(&self->planners[--self->open]);
    }
}

// ---- plans

typedef rp_status_t work_t(rp_pose_planner_t *self, uint64_t *budget, rp_lattice_plan_t *plan);

/// True when there may be a path with more headings.
static bool is_open(const rp_lattice_t *self, const rp_lattice_plan_t *plan)
{
    return plan->outcome == RP_OUTCOME_NO_PATH && plan->family != 0 && self->at < self->finer_count;
}

static rp_status_t plan_by(rp_lattice_t *self, work_t *work, uint64_t *budget,
                           rp_lattice_plan_t *plan)
{
    rp_lattice_plan_t found = {0};
    rp_status_t status = work(self->planners[self->at], budget, &found);
    while (status == RP_OK && is_open(self, &found)) {
        status = open_next(self, budget);
        if (status == RP_OK && is_open(self, &found)) {
            self->at++;
            self->expanded += found.expanded;
            status = work(self->planners[self->at], budget, &found);
        }
    }
    if (status == RP_OK) {
        if (found.outcome != RP_OUTCOME_NO_PATH) {
            close_finer(self);
        }
        self->shown = self->at;
        *plan = found;
        plan->expanded += self->expanded;
    }
    return status;
}

rp_status_t rp_lattice_plan(rp_lattice_t *self, uint64_t *budget, rp_lattice_plan_t *plan)
{
    return plan_by(self, rp_pose_planner_plan, budget, plan);
}

rp_status_t rp_lattice_improve(rp_lattice_t *self, uint64_t *budget, rp_lattice_plan_t *plan)
{
    return plan_by(self, rp_pose_planner_improve, budget, plan);
}

/// The families before that of the newest answer must have no path still.
rp_status_t rp_lattice_keep(rp_lattice_t *self, uint64_t *budget, rp_lattice_plan_t *plan)
{
    rp_lattice_plan_t found = {.outcome = RP_OUTCOME_NO_PATH};
    rp_status_t status = RP_OK;
    for (uint32_t i = 0; i <= self->shown && i < self->open && status == RP_OK; i++) {
        status = found.outcome == RP_OUTCOME_NO_PATH
                     ? rp_pose_planner_keep(self->planners[i], budget, &found)
                     : RP_E_UNSUPPORTED;
    }
    if (status == RP_OK) {
        self->at = self->shown;
        *plan = found;
    }
    return status;
}

uint64_t rp_lattice_bytes(const rp_lattice_t *self)
{
    uint64_t bytes = sizeof *self;
    for (uint32_t i = 0; i < self->open; i++) {
        bytes += rp_pose_planner_bytes(self->planners[i]);
    }
    return bytes;
}

const rp_lattice_search_t *rp_lattice_searched(const rp_lattice_t *self)
{
    return rp_pose_planner_searched(self->planners[self->at]);
}

// ---- birth and death

/// Less would let a body or a move meet itself round a torus.
static bool is_wide_enough(const rp_control_set_t *set, const rp_grid_shape_t *shape)
{
    const double side = shape->width < shape->height ? shape->width : shape->height;
    return !shape->wraps ||
           (side >= 2.0 * rp_lattice_shape_reach(&set->shape) && side >= RP_LATTICE_TORUS_LEAST);
}

rp_status_t rp_lattice_new(const rp_control_set_t *set, const rp_grid_t *grid,
                           rp_lattice_t **lattice)
{
    rp_pose_planner_t *planner = NULL;
    if (!is_wide_enough(set, &grid->shape)) {
        return RP_E_UNSUPPORTED;
    }
    const rp_status_t status = rp_pose_planner_new(set, grid, &planner);
    if (status != RP_OK) {
        return status;
    }
    rp_lattice_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        rp_pose_planner_destroy(&planner);
        return RP_E_MEMORY;
    }
    self->grid = grid;
    self->planners[self->open++] = planner;
    self->start = RP_NO_CELL;
    self->goal.cell = RP_NO_CELL;
    self->percent = RP_LATTICE_PERCENT_DEFAULT;
    self->simd = rp_simd_best();
    *lattice = self;
    return RP_OK;
}

void rp_lattice_destroy(rp_lattice_t **self)
{
    rp_lattice_t *lattice = *self;
    if (lattice == NULL) {
        return;
    }
    while (lattice->open != 0) {
        rp_pose_planner_destroy(&lattice->planners[--lattice->open]);
    }
    free(lattice);
    *self = NULL;
}
