/// The ends of a session's path, found anew when the world, the agent or its target moved.
#include "engine/session/endpoints.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"

/// Times that the search for a way begins anew because the world changed, before it is done in one
/// go.
#define RESTARTS_MOST 2u

// ---- where it wants to go

void rp_session_chase(rp_session_t *self, rp_session_t *target)
{
    if (self->target != NULL) {
        rp_session_t **first = &self->target->chasers;
        rp_session_t **link =
            self->chase_previous != NULL ? &self->chase_previous->chase_next : first;
        *link = self->chase_next;
        if (self->chase_next != NULL) {
            self->chase_next->chase_previous = self->chase_previous;
        }
    }
    self->target = target;
    self->chase_previous = NULL;
    self->chase_next = target != NULL ? target->chasers : NULL;
    if (target != NULL) {
        if (target->chasers != NULL) {
            target->chasers->chase_previous = self;
        }
        target->chasers = self;
    }
    rp_session_lose_goals(self);
}

void rp_session_lose_goals(rp_session_t *self)
{
    self->goals_are_stale = true;
    self->is_escaping = false;
    self->target_moved = true;
    self->stands_for = 0;
}

/// True when the planner can do with what the goal specification may ask of it.
static bool can_do(const rp_session_t *self, const rp_aim_t *aim)
{
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
    free(self->goals);
    self->goals = goals->goals;
    self->goal_count = goals->count;
    self->is_rim = goals->is_rim;
    *goals = (rp_goal_list_t){0};
    return RP_OK;
}

/// Join those who gather at a place of the world, or nobody.
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

rp_status_t rp_session_aim(rp_session_t *self, const rp_aim_t *aim, rp_session_t *target)
{
    rp_goal_spec_t goal_spec;
    rp_goal_list_t goals = {0};
    rp_goal_group_t *rendezvous = NULL;
    rp_status_t status = rp_goal_spec_init(&goal_spec, aim);
    if (status != RP_OK) {
        return status;
    }
    status = can_do(self, aim) ? RP_OK : RP_E_UNSUPPORTED;
    if (status == RP_OK && aim->kind != RP_AIM_TARGET) {
        status = rp_goal_spec_goals(&goal_spec, self->world, self->stands_at, &goals);
    }
    status = status == RP_OK ? join_rendezvous(self, aim->rendezvous, &rendezvous) : status;
    status = status == RP_OK ? take_goals(self, &goals) : status;
    rp_goal_list_fini(&goals);
    if (status != RP_OK) {
        rp_goal_group_leave(&self->layer->audience->groups, rendezvous);
        rp_goal_spec_fini(&goal_spec);
        return status;
    }
    rp_goal_group_leave(&self->layer->audience->groups, self->rendezvous);
    self->rendezvous = rendezvous;
    rp_goal_spec_fini(&self->goal_spec);
    self->goal_spec = goal_spec;
    rp_session_chase(self, target);
    rp_session_stop_greedy_search(self);
    rp_nearest_reachable_fini(&self->nearest);
    self->goals_are_stale = aim->kind == RP_AIM_TARGET || self->goal_count == 0;
    self->is_escaping = false;
    self->goal_id = aim->goal_id;
    self->has_goals = true;
    self->is_long = false;
    self->cut_off = 0;
    self->goals_are_new = true;
    self->is_short = false;
    self->leg_is_new = false;
    return RP_OK;
}

rp_goal_spec_t rp_endpoints_goal_spec(const rp_session_t *self, rp_destination_t *place)
{
    rp_goal_spec_t goal_spec = self->goal_spec;
    if (self->target != NULL) {
        *place = (rp_destination_t){.x_m = self->target->x_m, .y_m = self->target->y_m};
        goal_spec.points = place;
    }
    return goal_spec;
}

bool rp_endpoints_are_lost(const rp_session_t *self)
{
    return self->goal_spec.kind == RP_AIM_TARGET &&
           (self->target == NULL || self->target->stands_at == RP_NO_CELL);
}

static rp_status_t go_on_nearest(rp_session_t *self, const rp_components_t *components,
                                 rp_goal_list_t *goals)
{
    const rp_grid_t *grid = self->layer->grid;
    rp_nearest_reachable_t *nearest = &self->nearest;
    rp_places_t places;
    rp_status_t status = goals->count != 0
                             ? rp_places_of_goals(&places, goals, grid)
                             : rp_goal_spec_places(&self->goal_spec, self->world, &places);
    if (status != RP_OK) {
        return status;
    }
    rp_nearest_reachable_begin(nearest, &places, self->at, self->world->version,
                               rp_layer_is_as_at(self->layer, nearest->version));
    status = rp_nearest_reachable_go(nearest, &places, grid, components);
    rp_places_fini(&places);
    return status == RP_OK ? rp_nearest_reachable_tell(nearest, goals) : status;
}

/// Know what is connected; nothing can from a blocked cell, where the search says so itself.
static rp_status_t look_for_substitutes(rp_session_t *self, rp_goal_list_t *goals)
{
    const rp_grid_t *grid = self->layer->grid;
    if (self->at == RP_NO_CELL || grid->factor[self->at] == 0) {
        return RP_OK;
    }
    const rp_components_t *components;
    rp_status_t status = rp_layer_components(self->layer, &components);
    if (status != RP_OK) {
        return status;
    }
    self->is_short = !rp_goal_list_is_reached(goals, components, self->at);
    if (!self->is_short) {
        rp_nearest_reachable_fini(&self->nearest);
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
    // Who stands in an area on a blocked cell has not arrived: a way out may end outside.
    const rp_cell_t at = is_blocked(self, self->at) ? RP_NO_CELL : self->at;
    rp_goal_list_t goals = {0};
    if (!self->goals_are_stale && !self->is_short) {
        return RP_OK;
    }
    if (self->goal_spec.kind == RP_AIM_TARGET) {
        self->goal_spec.points[0] =
            (rp_destination_t){.x_m = self->target->x_m, .y_m = self->target->y_m};
    }
    rp_status_t status = rp_goal_spec_goals(&self->goal_spec, self->world, at, &goals);
    self->is_short = self->is_short || (self->goal_spec.is_nearest && goals.count == 0);
    if (status == RP_OK && self->is_short) {
        status = look_for_substitutes(self, &goals);
    }
    if (status != RP_OK) {
        rp_goal_list_fini(&goals);
        return status;
    }
    const bool is_same = goals.count == self->goal_count && goals.is_rim == self->is_rim &&
                         (goals.count == 0 ||
                          memcmp(goals.goals, self->goals, goals.count * sizeof *goals.goals) == 0);
    status = is_same ? RP_OK : take_goals(self, &goals);
    rp_goal_list_fini(&goals);
    self->goals_are_stale = status != RP_OK;
    return status;
}

/// True when the agent stands on a waypoint that is not the last.
static bool passes_waypoint(const rp_session_t *self)
{
    if (self->goal_spec.kind != RP_AIM_WAYPOINTS ||
        self->goal_spec.next + 1u == self->goal_spec.count) {
        return false;
    }
    size_t i = 0;
    while (i < self->goal_count && self->goals[i].cell != self->at) {
        i++;
    }
    return i < self->goal_count;
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
                           : rp_goal_parts_find(&wanted->parts, wanted->components, self->goals,
                                                self->goal_count);
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
    return session->is_rim &&
           rp_goal_spec_offset(&goal_spec, session->world, cell) != RP_GOAL_SPEC_OUTSIDE;
}

static bool is_stuck(const rp_session_t *self)
{
    return is_blocked(self, self->from);
}

/// True when the search for ways is for the ground, the place and the goals of now.
static bool is_current(const rp_session_t *self)
{
    return self->is_escaping && self->escape_version == self->world->version;
}

/// The agent is where it is, or at the cell of its way beside it, as if it stood in the middle.
static rp_pose_t beginning_of(const rp_session_t *self)
{
    const rp_grid_t *grid = self->layer->grid;
    rp_pose_t pose = rp_world_pose_at(self->world, self->x_m, self->y_m);
    if (self->is_beside) {
        pose.cell = self->from;
        pose.x = rp_grid_x(grid, self->from) + 0.5;
        pose.y = rp_grid_y(grid, self->from) + 0.5;
    }
    return pose;
}

double rp_endpoints_longest_way(const rp_session_t *self)
{
    const double most = self->escape_m / self->world->frame.resolution_m;
    return most > 0.0 ? most : RP_ESCAPE_CELLS;
}

static rp_status_t begin_escape(rp_session_t *self)
{
    const bool is_interrupted = self->is_escaping && !self->escape.is_done;
    const rp_pose_t pose = beginning_of(self);
    const rp_status_t status =
        rp_escape_begin(&self->escape, &pose, rp_endpoints_longest_way(self));
    self->is_escaping = status == RP_OK;
    self->escape_version = self->world->version;
    self->escape_restarts = is_interrupted ? self->escape_restarts + 1u : 0u;
    return status;
}

/// Look for the nearest ways out of a blocked cell.
static rp_status_t look_for_ways(rp_session_t *self, uint64_t *budget)
{
    rp_status_t status = is_current(self) ? RP_OK : begin_escape(self);
    if (status != RP_OK || self->escape.is_done) {
        return status;
    }
    wanted_t wanted = {0};
    const bool any_free =
        self->goal_count != 0 &&
        (self->is_rim || rp_goals_any_free(self->layer->grid, self->goals, self->goal_count));
    status = any_free ? find_wanted(self, &wanted) : RP_OK;
    if (status == RP_OK) {
        const rp_escape_query_t goal_spec = {.reaches = any_free ? is_open : NULL, .user = &wanted};
        uint64_t all = UINT64_MAX;
        const bool is_sliced = self->escape_restarts < RESTARTS_MOST;
        status = rp_escape_go(&self->escape, self->layer, &goal_spec, is_sliced ? budget : &all);
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
    const rp_escape_t *escape = &self->escape;
    if (status == RP_OK && escape->end_count != 0 &&
        (escape->reaches || self->goal_spec.is_nearest)) {
        self->at = rp_escape_end(escape);
        self->goals_are_stale = self->goals_are_stale || self->is_rim;
        self->is_short = self->is_short || !escape->reaches;
    }
    return status;
}

bool rp_endpoints_weigh(rp_session_t *self, double cost)
{
    return self->at == self->from || rp_escape_weigh(&self->escape, cost);
}

bool rp_endpoints_are_weighed(const rp_session_t *self)
{
    return self->at == self->from || self->escape.end_count == 1 || self->escape.is_chosen;
}

bool rp_endpoints_keep_start(const rp_session_t *self)
{
    const rp_way_t *way = &self->way;
    const bool has_way = rp_way_left(way) != 0;
    return self->published.at == self->at && has_way == (self->at != self->from) &&
           (!has_way || rp_escape_keeps(&self->escape, self->layer, way));
}

rp_status_t rp_endpoints_publish(rp_session_t *self, const rp_path_t *path)
{
    rp_way_t way = {.at = self->at};
    rp_status_t status =
        self->at != self->from ? rp_escape_way(&self->escape, self->layer, self->at, &way) : RP_OK;
    if (status == RP_OK && path != NULL) {
        status = rp_published_path_keep(&self->published, self->layer->grid, path);
    }
    if (status != RP_OK) {
        rp_way_fini(&way);
        return status;
    }
    rp_way_fini(&self->way);
    self->way = way;
    return RP_OK;
}

double rp_endpoints_distance_m(const rp_session_t *self)
{
    rp_cell_t end = self->published.at;
    (void)rp_published_path_cost(&self->published, self->layer->grid, &end);
    return rp_goal_spec_distance_m(&self->goal_spec, self->world, end);
}

// ---- both

/// The best way out of a blocked cell depends on the goals, and some goals on where the path
/// begins.
static rp_status_t find_ends(rp_session_t *self, uint64_t *budget)
{
    const bool are_known = is_stuck(self) && is_current(self) && self->escape.is_done;
    self->at = self->from;
    self->goals_are_stale = self->goals_are_stale || (self->is_rim && is_stuck(self));
    rp_status_t status = are_known ? RP_OK : renew_goals(self);
    if (status == RP_OK) {
        status = choose_start(self, budget);
    }
    return status == RP_OK ? renew_goals(self) : status;
}

rp_status_t rp_endpoints_prepare(rp_session_t *self, uint64_t *budget)
{
    rp_status_t status = RP_OK;
    const rp_cell_t before = self->at;
    (void)rp_session_follow_on(self);
    self->at = self->from;
    self->goals_are_stale = self->goals_are_stale || (self->is_rim && before != self->at);
    if (rp_endpoints_are_lost(self)) {
        return RP_OK;
    }
    while ((status = find_ends(self, budget)) == RP_OK && passes_waypoint(self)) {
        self->is_escaping = false;
        self->goal_spec.next++;
        self->leg_is_new = true;
        self->is_short = false;
        self->goals_are_stale = true;
        self->stands_for = 0; // what stood led to the waypoint that is passed
    }
    return status;
}
