#include "planners/lattice/goal_ends.h"

#include <math.h>
#include <stdlib.h>

#include "planners/motion/trig.h"

/// From an angle to another, without sign.
static double angle_between(double a, double b)
{
    const double left = rp_trig_turn(a - b);
    return left < RP_TRIG_PI ? left : RP_TRIG_TURN - left;
}

/// How many yaws are asked for.
static uint32_t asked_count(const rp_goal_ends_t *self)
{
    return self->goal.heading == RP_GOAL_EITHER_WAY ? 2u : rp_goal_ends_has_heading(self) ? 1u : 0;
}

static double asked_yaw(const rp_goal_ends_t *self, uint32_t number)
{
    return rp_trig_turn(self->goal.yaw + number * RP_TRIG_PI);
}

bool rp_goal_ends_accepts(const rp_goal_ends_t *self, double yaw)
{
    bool accepts = !rp_goal_ends_has_heading(self);
    for (uint32_t i = 0; i < asked_count(self) && !accepts; i++) {
        accepts = angle_between(yaw, asked_yaw(self, i)) <=
                  self->goal.yaw_tolerance + RP_LATTICE_YAW_SLACK;
    }
    return accepts;
}

static bool can_rest(const rp_goal_ends_t *self, double yaw)
{
    const rp_grid_t *ground = self->search->ground;
    return rp_first_curves_can_rest(self->search, rp_grid_x(ground, self->goal.cell),
                                    rp_grid_y(ground, self->goal.cell), yaw, RP_LATTICE_MARGIN);
}

bool rp_goal_ends_is_open(const rp_goal_ends_t *self)
{
    const rp_headings_t *headings = &self->search->set->headings;
    bool is_open = false;
    for (uint32_t i = 0; i < asked_count(self) && !is_open; i++) {
        is_open = can_rest(self, asked_yaw(self, i));
    }
    for (uint32_t i = 0; i < headings->count && !is_open; i++) {
        is_open =
            rp_goal_ends_accepts(self, headings->angle[i]) && can_rest(self, headings->angle[i]);
    }
    return is_open;
}

// ---- what happens

bool rp_lattice_goal_is_same(const rp_lattice_goal_t *a, const rp_lattice_goal_t *b)
{
    return a->cell == b->cell && a->heading == b->heading &&
           (a->heading == RP_GOAL_FREE ||
            (a->yaw == b->yaw && a->yaw_tolerance == b->yaw_tolerance));
}

void rp_goal_ends_forget(rp_goal_ends_t *self)
{
    self->is_right = false;
    self->is_begun = false;
}

rp_status_t rp_goal_ends_set(rp_goal_ends_t *self, const rp_lattice_goal_t *goal)
{
    const bool has_yaw = goal->heading != RP_GOAL_FREE;
    if (has_yaw && (!isfinite(goal->yaw) || !(goal->yaw_tolerance >= 0.0))) {
        return RP_E_INVALID;
    }
    rp_lattice_goal_t asked = {.cell = goal->cell, .heading = goal->heading};
    if (has_yaw) {
        asked.yaw = rp_trig_turn(goal->yaw);
        asked.yaw_tolerance = goal->yaw_tolerance;
    }
    if (!rp_lattice_goal_is_same(&self->goal, &asked)) {
        rp_goal_ends_forget(self);
    }
    self->goal = asked;
    return RP_OK;
}

bool rp_goal_ends_note(rp_goal_ends_t *self, uint32_t x, uint32_t y)
{
    if (!rp_goal_ends_has_heading(self) || self->seeds == NULL ||
        !rp_goal_box_covers(&self->box, x, y)) {
        return false;
    }
    rp_goal_ends_forget(self);
    return true;
}

// ---- the box

static rp_status_t make_box(rp_goal_ends_t *self)
{
    if (rp_goal_box_init(&self->box, self->search) != RP_OK) {
        return RP_E_MEMORY;
    }
    const size_t side = (size_t)(2 * self->box.rest.half + 1);
    self->seeds = malloc(side * side * sizeof *self->seeds);
    if (self->seeds == NULL) {
        rp_goal_box_fini(&self->box);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

static rp_status_t begin_box(rp_goal_ends_t *self)
{
    const rp_lattice_shape_t *shape = &self->search->set->shape;
    const uint32_t x = rp_grid_x(self->search->ground, self->goal.cell);
    const uint32_t y = rp_grid_y(self->search->ground, self->goal.cell);
    if (self->seeds == NULL && make_box(self) != RP_OK) {
        return RP_E_MEMORY;
    }
    for (uint32_t i = 0; i < 2u; i++) {
        rp_first_curves_begin(&self->last[i], shape, x, y, asked_yaw(self, i), true);
    }
    rp_goal_box_begin(&self->box, x, y);
    self->is_begun = true;
    self->has_ends = false;
    return RP_OK;
}

/// Curves to yaws that are no headings.
static rp_status_t work_on_last(rp_goal_ends_t *self, uint64_t *budget)
{
    const rp_headings_t *headings = &self->search->set->headings;
    rp_status_t status = RP_OK;
    for (uint32_t i = 0; i < asked_count(self) && status == RP_OK; i++) {
        const double yaw = asked_yaw(self, i);
        const double nearest = headings->angle[rp_headings_nearest(headings, yaw)];
        if (angle_between(yaw, nearest) > RP_LATTICE_YAW_SLACK) {
            status = rp_first_curves_work(&self->last[i], self->search, budget);
        }
    }
    return status;
}

/// Tell the box how paths may end.
static void tell_ends(rp_goal_ends_t *self)
{
    const rp_control_set_t *set = self->search->set;
    for (uint32_t state = 0; state < set->states; state++) {
        const rp_lattice_pose_t pose = {(uint16_t)self->box.x, (uint16_t)self->box.y,
                                        (uint8_t)state};
        if (rp_goal_ends_accepts(self, set->headings.angle[rp_control_set_heading(set, state)])) {
            rp_goal_box_end(&self->box, pose, 0);
        }
    }
    for (uint32_t i = 0; i < asked_count(self); i++) {
        for (size_t k = 0; k < self->last[i].count; k++) {
            rp_goal_box_end(&self->box, self->last[i].curves[k].pose, self->last[i].curves[k].cost);
        }
    }
    self->has_ends = true;
}

rp_status_t rp_goal_ends_work(rp_goal_ends_t *self, uint64_t *budget)
{
    rp_status_t status = RP_OK;
    if (!rp_goal_ends_has_heading(self) || self->is_right) {
        return RP_OK;
    }
    if (!self->is_begun) {
        status = begin_box(self);
    }
    if (status == RP_OK && !self->has_ends) {
        status = work_on_last(self, budget);
        if (status == RP_OK) {
            tell_ends(self);
        }
    }
    if (status == RP_OK) {
        status = rp_goal_box_work(&self->box, budget);
    }
    self->is_right = status == RP_OK;
    return status;
}

// ---- what it gives

const rp_guide_seed_t *rp_goal_ends_seeds(rp_goal_ends_t *self, size_t *count)
{
    *count = rp_goal_box_seeds(&self->box, self->seeds);
    return self->seeds;
}

const rp_first_curve_t *rp_goal_ends_curve(const rp_goal_ends_t *self, rp_lattice_pose_t pose,
                                           double *yaw)
{
    const rp_control_set_t *set = self->search->set;
    const rp_first_curve_t *least = NULL;
    if (pose.x == self->search->goal_x && pose.y == self->search->goal_y &&
        rp_goal_ends_accepts(self,
                             set->headings.angle[rp_control_set_heading(set, pose.heading)])) {
        return NULL;
    }
    for (uint32_t i = 0; i < asked_count(self); i++) {
        const rp_first_curve_t *curve = rp_first_curves_to(&self->last[i], pose);
        if (curve != NULL && (least == NULL || curve->cost < least->cost)) {
            least = curve;
            *yaw = asked_yaw(self, i);
        }
    }
    return least;
}

// ---- birth and death

void rp_goal_ends_init(rp_goal_ends_t *self, const rp_lattice_search_t *search)
{
    *self = (rp_goal_ends_t){.search = search, .goal = {.cell = RP_NO_CELL}};
}

void rp_goal_ends_fini(rp_goal_ends_t *self)
{
    rp_first_curves_fini(&self->last[0]);
    rp_first_curves_fini(&self->last[1]);
    rp_goal_box_fini(&self->box);
    free(self->seeds);
    *self = (rp_goal_ends_t){.goal = {.cell = RP_NO_CELL}};
}

uint64_t rp_goal_ends_bytes(const rp_goal_ends_t *self)
{
    const uint64_t side = 2u * (uint64_t)self->box.rest.half + 1u;
    const uint64_t of_last =
        rp_first_curves_bytes(&self->last[0]) + rp_first_curves_bytes(&self->last[1]);
    return self->seeds == NULL
               ? of_last
               : of_last + rp_goal_box_bytes(&self->box) + side * side * sizeof *self->seeds;
}
