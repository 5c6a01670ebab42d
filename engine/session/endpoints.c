/// Endpoints are found anew when the world, the agent or its target moved.
#include "engine/session/endpoints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "engine/session/driving/driver.h"

/// Times that the search for a way begins anew because the world changed, before it is done in one
/// go.
#define RESTARTS_MOST 2u

/// Greatest tolerance of a heading: half a turn.
#define YAW_MOST 3.1415926535897931

// ---- where it wants to go

void rp_session_chase(rp_session_t *self, rp_session_t *target)
{
    if (self->goal.target != NULL) {
        rp_session_t **first = &self->goal.target->goal.chasers;
        rp_session_t **link =
            self->goal.chase_previous != NULL ? &self->goal.chase_previous->goal.chase_next : first;
        *link = self->goal.chase_next;
        if (self->goal.chase_next != NULL) {
            self->goal.chase_next->goal.chase_previous = self->goal.chase_previous;
        }
    }
    self->goal.target = target;
    self->goal.chase_previous = NULL;
    self->goal.chase_next = target != NULL ? target->goal.chasers : NULL;
    if (target != NULL) {
        if (target->goal.chasers != NULL) {
            target->goal.chasers->goal.chase_previous = self;
        }
        target->goal.chasers = self;
    }
    rp_session_lose_goals(self);
}

void rp_session_lose_goals(rp_session_t *self)
{
    self->goal.is_stale = true;
    self->position.is_escaping = false;
    self->validity.due |= RP_DUE_TARGET;
    self->published.stands_for = 0;
}

/// True when the planner can do with what the goal specification may ask of it.
static bool can_do(const rp_session_t *self, const rp_aim_t *aim)
{
    if (self->driver != NULL) {
        return rp_driving_can_aim(aim);
    }
    if (aim->heading != RP_AIM_ANY_HEADING) {
        return false; // cells have none
    }
    const bool is_one = aim->kind == RP_AIM_TARGET || aim->kind == RP_AIM_WAYPOINTS ||
                        (aim->kind == RP_AIM_POINTS && aim->count == 1);
    bool is_free = true;
    for (size_t i = 0; i < aim->count && aim->kind != RP_AIM_REGION; i++) {
        is_free = is_free && aim->points[i].offset == 0;
    }
    return (is_one && is_free && !aim->is_nearest && aim->tolerance_m <= 0.0) ||
           (self->about->capabilities & RP_CAN_GOAL_SET) != 0;
}

/// These cells are its goals from now on. @param goals  emptied when they are taken
/// @return RP_E_MEMORY; the old ones stand then
static rp_status_t take_goals(rp_session_t *self, rp_goal_list_t *goals)
{
    rp_goal_group_t *group = NULL;
    if (self->may_share && goals->count != 0) {
        group = rp_goal_group_join(&self->layer->audience->groups, goals->goals, goals->count);
        if (group == NULL) {
            return RP_E_MEMORY;
        }
    }
    rp_session_enter_group(self, group);
    free(self->goal.cells);
    self->goal.cells = goals->goals;
    self->goal.count = goals->count;
    self->goal.is_rim = goals->is_rim;
    *goals = (rp_goal_list_t){0};
    return RP_OK;
}

/// Join the group of a rendezvous, if there is one.
/// @param rendezvous  written on RP_OK, joined, or NULL. @return RP_E_MEMORY
static rp_status_t join_rendezvous(const rp_session_t *self, const rp_destination_t *place,
                                   rp_goal_group_t **rendezvous)
{
    rp_goal_t goal = {.offset = 0};
    *rendezvous = NULL;
    if (place == NULL || !self->may_share ||
        !rp_world_cell_at(self->world, place->x_m, place->y_m, &goal.cell)) {
        return RP_OK;
    }
    *rendezvous = rp_goal_group_join(&self->layer->audience->groups, &goal, 1);
    return *rendezvous != NULL ? RP_OK : RP_E_MEMORY;
}

static bool has_true_heading(const rp_aim_t *aim)
{
    const bool is_free = aim->heading == RP_AIM_ANY_HEADING;
    bool is_known = aim->heading == RP_AIM_HEADING || aim->heading == RP_AIM_EITHER_WAY;
    for (size_t i = 0; i < aim->count && aim->yaws != NULL; i++) {
        is_known = is_known && isfinite(aim->yaws[i]);
    }
    return is_free || (is_known && isfinite(aim->yaw) && aim->yaw_tolerance >= 0.0 &&
                       aim->yaw_tolerance <= YAW_MOST);
}

rp_status_t rp_session_aim(rp_session_t *self, const rp_aim_t *aim, rp_session_t *target)
{
    rp_goal_spec_t goal_spec;
    rp_goal_list_t goals = {0};
    rp_goal_group_t *rendezvous = NULL;
    if (!has_true_heading(aim)) {
        return RP_E_INVALID;
    }
    rp_status_t status = rp_goal_spec_init(&goal_spec, aim);
    if (status != RP_OK) {
        return status;
    }
    rp_tour_t tour = {0};
    status = can_do(self, aim) ? RP_OK : RP_E_UNSUPPORTED;
    if (status == RP_OK && self->driver != NULL) {
        status = rp_tour_init(&tour, aim, self->world->frame.origin_yaw);
    }
    if (status == RP_OK && aim->kind != RP_AIM_TARGET) {
        status = rp_goal_spec_goals(&goal_spec, self->world, self->position.cell, &goals);
    }
    status = status == RP_OK ? join_rendezvous(self, aim->rendezvous, &rendezvous) : status;
    status = status == RP_OK ? take_goals(self, &goals) : status;
    rp_goal_list_fini(&goals);
    if (status != RP_OK) {
        rp_goal_group_leave(&self->layer->audience->groups, rendezvous);
        rp_goal_spec_fini(&goal_spec);
        rp_tour_fini(&tour);
        return status;
    }
    rp_goal_group_leave(&self->layer->audience->groups, self->goal.rendezvous);
    self->goal.rendezvous = rendezvous;
    rp_goal_spec_fini(&self->goal.spec);
    self->goal.spec = goal_spec;
    rp_session_chase(self, target);
    rp_session_stop_greedy_search(self);
    rp_nearest_reachable_destroy(&self->goal.nearest);
    self->goal.is_stale = self->goal.count == 0;
    self->goal.id = aim->goal_id;
    self->goal.is_given = true;
    self->schedule.is_long = false;
    self->schedule.cut_off = 0;
    self->validity.due |= RP_DUE_GOALS;
    self->goal.is_short = false;
    if (self->driver != NULL) {
        rp_driver_aim(self->driver, &tour);
    }
    return RP_OK;
}

rp_goal_spec_t rp_endpoints_goal_spec(const rp_session_t *self, rp_destination_t *place)
{
    rp_goal_spec_t goal_spec = self->goal.spec;
    if (self->goal.target != NULL) {
        *place = (rp_destination_t){.x_m = self->goal.target->position.x_m,
                                    .y_m = self->goal.target->position.y_m};
        goal_spec.points = place;
    }
    return goal_spec;
}

bool rp_endpoints_are_lost(const rp_session_t *self)
{
    return self->goal.spec.kind == RP_AIM_TARGET &&
           (self->goal.target == NULL || self->goal.target->position.cell == RP_NO_CELL);
}

static rp_status_t go_on_nearest(rp_session_t *self, const rp_components_t *components,
                                 rp_goal_list_t *goals)
{
    const rp_grid_t *grid = self->layer->grid;
    rp_places_t places;
    rp_status_t status = goals->count != 0
                             ? rp_places_of_goals(&places, goals, grid)
                             : rp_goal_spec_places(&self->goal.spec, self->world, &places);
    if (status != RP_OK) {
        return status;
    }
    rp_nearest_reachable_t *nearest = self->goal.nearest;
    nearest = nearest != NULL ? nearest : calloc(1, sizeof *nearest);
    self->goal.nearest = nearest;
    if (nearest == NULL) {
        rp_places_fini(&places);
        return RP_E_MEMORY;
    }
    rp_nearest_reachable_begin(nearest, &places, self->position.at, self->world->version,
                               rp_layer_is_as_at(self->layer, nearest->version));
    status = rp_nearest_reachable_go(nearest, &places, grid, components);
    rp_places_fini(&places);
    return status == RP_OK ? rp_nearest_reachable_tell(nearest, goals) : status;
}

/// Know what is connected; nothing can from a blocked cell, where the search says so itself.
static rp_status_t look_for_substitutes(rp_session_t *self, rp_goal_list_t *goals)
{
    const rp_grid_t *grid = self->layer->grid;
    if (self->position.at == RP_NO_CELL || grid->factor[self->position.at] == 0) {
        return RP_OK;
    }
    const rp_components_t *components;
    rp_status_t status = rp_layer_components(self->layer, &components);
    if (status != RP_OK) {
        return status;
    }
    self->goal.is_short = !rp_goal_list_is_reached(goals, components, self->position.at);
    if (!self->goal.is_short) {
        rp_nearest_reachable_destroy(&self->goal.nearest);
        return RP_OK;
    }
    return go_on_nearest(self, components, goals);
}

static bool is_blocked(const rp_session_t *self, rp_cell_t cell)
{
    return cell != RP_NO_CELL && self->layer->grid->factor[cell] == 0;
}

static rp_status_t renew_goals(rp_session_t *self)
{
    // Who stands in an area on a blocked cell has not arrived: a way out may end outside. When the
    // cell is freed, its goals are others.
    const bool is_out = is_blocked(self, self->position.at);
    const rp_cell_t at = is_out ? RP_NO_CELL : self->position.at;
    rp_goal_list_t goals = {0};
    if (!self->goal.is_stale && !self->goal.is_short) {
        return RP_OK;
    }
    if (self->goal.spec.kind == RP_AIM_TARGET) {
        self->goal.spec.points[0] = (rp_destination_t){.x_m = self->goal.target->position.x_m,
                                                       .y_m = self->goal.target->position.y_m};
    }
    rp_status_t status = rp_goal_spec_goals(&self->goal.spec, self->world, at, &goals);
    self->goal.is_short = self->goal.is_short || (self->goal.spec.is_nearest && goals.count == 0);
    if (status == RP_OK && self->goal.is_short) {
        status = look_for_substitutes(self, &goals);
    }
    if (status != RP_OK) {
        rp_goal_list_fini(&goals);
        return status;
    }
    const bool is_same = goals.count == self->goal.count && goals.is_rim == self->goal.is_rim &&
                         (goals.count == 0 || memcmp(goals.goals, self->goal.cells,
                                                     goals.count * sizeof *goals.goals) == 0);
    status = is_same ? RP_OK : take_goals(self, &goals);
    rp_goal_list_fini(&goals);
    self->goal.is_stale = status != RP_OK || (self->goal.is_rim && is_out);
    return status;
}

const rp_goal_t *rp_endpoints_goal_at(const rp_session_t *self, rp_cell_t cell)
{
    // Those of a group are the same, and more likely to be in the caches.
    const rp_goal_group_t *group = self->goal.group;
    const rp_goal_t *goals = group != NULL ? group->goals : self->goal.cells;
    for (size_t i = 0; i < self->goal.count; i++) {
        if (goals[i].cell == cell) {
            return &goals[i];
        }
    }
    return NULL;
}

/// True when the agent stands on a waypoint that is not the last.
static bool passes_waypoint(const rp_session_t *self)
{
    return self->goal.spec.kind == RP_AIM_WAYPOINTS &&
           self->goal.spec.next + 1u != self->goal.spec.count &&
           rp_endpoints_goal_at(self, self->position.at) != NULL;
}

// ---- where its path begins

/// Where goals lie.
typedef struct wanted {
    const rp_session_t *session;
    const rp_components_t *components;
    rp_goal_parts_t parts;
} wanted_t;

/// @return RP_MORE while it is being found out; RP_E_MEMORY
static rp_status_t find_wanted(const rp_session_t *self, wanted_t *wanted)
{
    wanted->session = self;
    const rp_status_t status = rp_layer_components(self->layer, &wanted->components);
    return status != RP_OK ? status
                           : rp_goal_parts_find(&wanted->parts, wanted->components,
                                                self->goal.cells, self->goal.count);
}

/// Whether a goal can be reached from a free cell: one of those in the list, or the cell itself,
/// inside an area of which only the rim is listed.
static bool is_open(const void *user, rp_cell_t cell)
{
    const wanted_t *wanted = user;
    const rp_session_t *session = wanted->session;
    if (rp_goal_parts_hold(&wanted->parts, rp_components_number(wanted->components, cell))) {
        return true;
    }
    rp_destination_t place;
    const rp_goal_spec_t goal_spec = rp_endpoints_goal_spec(session, &place);
    return session->goal.is_rim &&
           rp_goal_spec_offset(&goal_spec, session->world, cell) != RP_GOAL_SPEC_OUTSIDE;
}

static bool is_stuck(const rp_session_t *self)
{
    return is_blocked(self, self->position.from);
}

/// True when the search for ways is for the ground, the place and the goals of now.
static bool is_current(const rp_session_t *self)
{
    return self->position.is_escaping && self->position.escape_version == self->world->version;
}

/// The agent is where it is, or at the cell of its way beside it, as if it stood in the middle.
static rp_pose_t beginning_of(const rp_session_t *self)
{
    const rp_grid_t *grid = self->layer->grid;
    rp_pose_t pose = rp_world_pose_at(self->world, self->position.x_m, self->position.y_m);
    if (self->position.is_beside) {
        pose.cell = self->position.from;
        pose.x = rp_grid_x(grid, self->position.from) + 0.5;
        pose.y = rp_grid_y(grid, self->position.from) + 0.5;
    }
    return pose;
}

double rp_endpoints_longest_way(const rp_session_t *self)
{
    const double most = self->position.escape_m / self->world->frame.resolution_m;
    return most > 0.0 ? most : RP_ESCAPE_CELLS;
}

static rp_status_t begin_escape(rp_session_t *self)
{
    const bool is_interrupted = self->position.is_escaping && !self->position.escape->is_done;
    const rp_pose_t pose = beginning_of(self);
    if (self->position.escape == NULL) {
        self->position.escape = calloc(1, sizeof *self->position.escape);
    }
    const rp_status_t status =
        self->position.escape == NULL
            ? RP_E_MEMORY
            : rp_escape_begin(self->position.escape, &pose, rp_endpoints_longest_way(self));
    self->position.is_escaping = status == RP_OK;
    self->position.escape_version = self->world->version;
    self->position.restarts = is_interrupted ? self->position.restarts + 1u : 0u;
    return status;
}

/// Look for the nearest ways out of a blocked cell.
static rp_status_t look_for_ways(rp_session_t *self, uint64_t *budget)
{
    rp_status_t status = is_current(self) ? RP_OK : begin_escape(self);
    if (status != RP_OK || self->position.escape->is_done) {
        return status;
    }
    wanted_t wanted = {0};
    const bool any_free =
        self->goal.count != 0 &&
        (self->goal.is_rim ||
         rp_goals_any_free(self->layer->grid, self->goal.cells, self->goal.count));
    status = any_free ? find_wanted(self, &wanted) : RP_OK;
    if (status == RP_OK) {
        const rp_escape_query_t goal_spec = {.reaches = any_free ? is_open : NULL, .user = &wanted};
        uint64_t all = UINT64_MAX;
        const bool is_sliced = self->position.restarts < RESTARTS_MOST;
        status =
            rp_escape_go(self->position.escape, self->layer, &goal_spec, is_sliced ? budget : &all);
        rp_budget_pay(budget, UINT64_MAX - all);
    }
    rp_goal_parts_fini(&wanted.parts);
    return status;
}

/// The cell where a path begins: where it stands, or the end of the shortest way out, best of those
/// from where a goal can be reached, so that nobody is sent into a pocket.
static rp_status_t choose_start(rp_session_t *self, uint64_t *budget)
{
    if (!is_stuck(self)) {
        return RP_OK;
    }
    const rp_status_t status = look_for_ways(self, budget);
    const rp_escape_t *escape = rp_session_escape(self);
    if (status == RP_OK && escape->end_count != 0 &&
        (escape->reaches || self->goal.spec.is_nearest)) {
        self->position.at = rp_escape_end(escape);
        self->goal.is_stale = self->goal.is_stale || self->goal.is_rim;
        self->goal.is_short = self->goal.is_short || !escape->reaches;
    }
    return status;
}

bool rp_endpoints_weigh(rp_session_t *self, double cost)
{
    return self->position.at == self->position.from || rp_escape_weigh(self->position.escape, cost);
}

bool rp_endpoints_are_weighed(const rp_session_t *self)
{
    return self->position.at == self->position.from || rp_session_escape(self)->is_chosen;
}

bool rp_endpoints_keep_start(const rp_session_t *self)
{
    const rp_way_t *way = &self->published.way;
    const bool has_way = rp_way_left(way) != 0;
    return self->published.path.at == self->position.at &&
           has_way == (self->position.at != self->position.from) &&
           (!has_way || rp_escape_keeps(rp_session_escape(self), self->layer, way));
}

rp_status_t rp_endpoints_publish(rp_session_t *self, const rp_path_t *path)
{
    rp_way_t way = {.at = self->position.at};
    rp_status_t status =
        self->position.at != self->position.from
            ? rp_escape_way(rp_session_escape(self), self->layer, self->position.at, &way)
            : RP_OK;
    if (status == RP_OK && path != NULL) {
        status = rp_published_path_keep(&self->published.path, self->layer->grid, path);
    }
    if (status != RP_OK) {
        rp_way_fini(&way);
        return status;
    }
    rp_way_fini(&self->published.way);
    self->published.way = way;
    return RP_OK;
}

double rp_endpoints_distance_m(const rp_session_t *self)
{
    rp_cell_t end = self->published.path.at;
    (void)rp_published_path_cost(&self->published.path, self->layer->grid, &end);
    return rp_goal_spec_distance_m(&self->goal.spec, self->world, end);
}

// ---- both

/// The best way out of a blocked cell depends on the goals, and some goals on where the path
/// begins.
static rp_status_t find_ends(rp_session_t *self, uint64_t *budget)
{
    const bool are_known = is_stuck(self) && is_current(self) && self->position.escape->is_done;
    self->position.at = self->position.from;
    self->goal.is_stale = self->goal.is_stale || (self->goal.is_rim && is_stuck(self));
    rp_status_t status = are_known ? RP_OK : renew_goals(self);
    if (status == RP_OK) {
        status = choose_start(self, budget);
    }
    return status == RP_OK ? renew_goals(self) : status;
}

rp_status_t rp_endpoints_prepare(rp_session_t *self, uint64_t *budget)
{
    rp_status_t status = RP_OK;
    const rp_cell_t before = self->position.at;
    (void)rp_session_follow_on(self);
    self->position.at = self->position.from;
    self->goal.is_stale = self->goal.is_stale || (self->goal.is_rim && before != self->position.at);
    if (rp_endpoints_are_lost(self)) {
        return RP_OK;
    }
    while ((status = find_ends(self, budget)) == RP_OK && passes_waypoint(self)) {
        self->position.is_escaping = false;
        self->goal.spec.next++;
        self->validity.due |= RP_DUE_LEG;
        self->goal.is_short = false;
        self->goal.is_stale = true;
        self->published.stands_for = 0; // what stood led to the waypoint that is passed
    }
    return status;
}
