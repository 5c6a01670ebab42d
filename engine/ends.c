/// The ends of a session's path, found anew when the world, the agent or its target moved.
#include "engine/ends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// How far, in cells, the way out of an obstacle is looked for.
#define ESCAPE_MOST ((double)RP_REACH_MAX)

/// In cells: what is just as far as was asked for in metres is not beyond it by rounding.
#define ROUNDED 1e-9

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
    self->target_moved = true;
    self->stands_for = 0;
}

/// True when the planner can do with what the wish may ask of it.
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
    rp_herd_t *herd = NULL;
    if (self->may_share && goals->count != 0) {
        herd = rp_herd_join(&self->layer->herds, goals->goals, goals->count);
        if (herd == NULL) {
            return RP_E_MEMORY;
        }
    }
    rp_session_enter_herd(self, herd);
    free(self->goals);
    self->goals = goals->goals;
    self->goal_count = goals->count;
    self->is_rim = goals->is_rim;
    *goals = (rp_goal_list_t){0};
    return RP_OK;
}

/// Join those who gather at a place of the world, or nobody.
/// @param rally  written on RP_OK, joined, or NULL. @return RP_E_MEMORY
static rp_status_t join_rally(const rp_session_t *self, const rp_destination_t *place,
                              rp_herd_t **rally)
{
    rp_goal_t goal = {.offset = 0};
    *rally = NULL;
    if (place == NULL || !self->may_share ||
        !rp_world_cell_at(self->world, place->x_m, place->y_m, &goal.cell)) {
        return RP_OK;
    }
    *rally = rp_herd_join(&self->layer->herds, &goal, 1);
    return *rally != NULL ? RP_OK : RP_E_MEMORY;
}

rp_status_t rp_session_aim(rp_session_t *self, const rp_aim_t *aim, rp_session_t *target)
{
    rp_wish_t wish;
    rp_goal_list_t goals = {0};
    rp_herd_t *rally = NULL;
    rp_status_t status = rp_wish_init(&wish, aim);
    if (status != RP_OK) {
        return status;
    }
    status = can_do(self, aim) ? RP_OK : RP_E_UNSUPPORTED;
    if (status == RP_OK && aim->kind != RP_AIM_TARGET) {
        status = rp_wish_goals(&wish, self->world, self->stands_at, &goals);
    }
    status = status == RP_OK ? join_rally(self, aim->rally, &rally) : status;
    status = status == RP_OK ? take_goals(self, &goals) : status;
    rp_goal_list_fini(&goals);
    if (status != RP_OK) {
        rp_herd_leave(&self->layer->herds, rally);
        rp_wish_fini(&wish);
        return status;
    }
    rp_herd_leave(&self->layer->herds, self->rally);
    self->rally = rally;
    rp_wish_fini(&self->wish);
    self->wish = wish;
    rp_session_chase(self, target);
    rp_session_recall_scout(self);
    rp_quest_fini(&self->quest);
    self->goals_are_stale = aim->kind == RP_AIM_TARGET || self->goal_count == 0;
    self->goal_id = aim->goal_id;
    self->has_goals = true;
    self->is_long = false;
    self->cut_off = 0;
    self->goals_are_new = true;
    self->is_short = false;
    self->leg_is_new = false;
    return RP_OK;
}

rp_wish_t rp_ends_wish(const rp_session_t *self, rp_destination_t *place)
{
    rp_wish_t wish = self->wish;
    if (self->target != NULL) {
        *place = (rp_destination_t){.x_m = self->target->x_m, .y_m = self->target->y_m};
        wish.points = place;
    }
    return wish;
}

bool rp_ends_are_lost(const rp_session_t *self)
{
    return self->wish.kind == RP_AIM_TARGET &&
           (self->target == NULL || self->target->stands_at == RP_NO_CELL);
}

static rp_status_t go_on_quest(rp_session_t *self, const rp_components_t *components,
                               rp_goal_list_t *goals)
{
    const rp_grid_t *grid = self->layer->grid;
    rp_quest_t *quest = &self->quest;
    rp_places_t places;
    rp_status_t status = goals->count != 0 ? rp_places_of_goals(&places, goals, grid)
                                           : rp_wish_places(&self->wish, self->world, &places);
    if (status != RP_OK) {
        return status;
    }
    rp_quest_begin(quest, &places, self->at, self->world->version,
                   rp_layer_is_as_at(self->layer, quest->version));
    status = rp_quest_go(quest, &places, grid, components);
    rp_places_fini(&places);
    return status == RP_OK ? rp_quest_tell(quest, goals) : status;
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
        rp_quest_fini(&self->quest);
        return RP_OK;
    }
    return go_on_quest(self, components, goals);
}

static rp_status_t renew_goals(rp_session_t *self)
{
    rp_goal_list_t goals = {0};
    if (!self->goals_are_stale && !self->is_short) {
        return RP_OK;
    }
    if (self->wish.kind == RP_AIM_TARGET) {
        self->wish.points[0] =
            (rp_destination_t){.x_m = self->target->x_m, .y_m = self->target->y_m};
    }
    rp_status_t status = rp_wish_goals(&self->wish, self->world, self->at, &goals);
    self->is_short = self->is_short || (self->wish.is_nearest && goals.count == 0);
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
    if (self->wish.kind != RP_AIM_WAYPOINTS || self->wish.next + 1u == self->wish.count) {
        return false;
    }
    size_t i = 0;
    while (i < self->goal_count && self->goals[i].cell != self->at) {
        i++;
    }
    return i < self->goal_count;
}

// ---- where its path begins

static int by_number(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

/// Components in which goals lie, in ascending order, so that a cell is looked up among many.
typedef struct open_parts {
    const rp_components_t *components;
    uint64_t *numbers; ///< owned [count]
    size_t count;
} open_parts_t;

/// @return RP_MORE while they are being found out; RP_E_MEMORY
static rp_status_t find_open_parts(const rp_session_t *self, open_parts_t *parts)
{
    const rp_status_t status = rp_layer_components(self->layer, &parts->components);
    if (status != RP_OK) {
        return status;
    }
    parts->numbers = malloc(self->goal_count * sizeof *parts->numbers);
    if (parts->numbers == NULL) {
        return RP_E_MEMORY;
    }
    for (size_t i = 0; i < self->goal_count; i++) {
        const uint64_t number = rp_components_number(parts->components, self->goals[i].cell);
        parts->numbers[parts->count] = number;
        parts->count += number != 0;
    }
    qsort(parts->numbers, parts->count, sizeof *parts->numbers, by_number);
    return RP_OK;
}

static bool is_open(const open_parts_t *parts, rp_cell_t cell)
{
    const uint64_t number = rp_components_number(parts->components, cell);
    return bsearch(&number, parts->numbers, parts->count, sizeof number, by_number) != NULL;
}

/// The nearest cell that is free, no farther than `radius` cells from the agent.
/// @param parts  only cells of these count; NULL: all
/// @return RP_NO_CELL when there is none
static rp_cell_t nearest_free(const rp_session_t *self, double radius, const open_parts_t *parts)
{
    const rp_grid_t *grid = self->layer->grid;
    const int64_t span = (int64_t)radius + 1;
    rp_cell_t nearest = RP_NO_CELL;
    double least = radius + ROUNDED;
    double x;
    double y;
    rp_world_point_at(self->world, self->x_m, self->y_m, &x, &y);
    for (int64_t dy = -span; dy <= span; dy++) {
        for (int64_t dx = -span; dx <= span; dx++) {
            const double column = floor(x) + (double)dx;
            const double row = floor(y) + (double)dy;
            const double off = hypot(column + 0.5 - x, row + 0.5 - y);
            if (off > least || (off == least && nearest != RP_NO_CELL)) {
                continue;
            }
            const rp_cell_t cell = rp_wish_cell(grid, (int64_t)column, (int64_t)row);
            if (cell != RP_NO_CELL && grid->factor[cell] != 0 &&
                (parts == NULL || is_open(parts, cell))) {
                nearest = cell;
                least = off;
            }
        }
    }
    return nearest;
}

/// How far, in cells, the session may go on its own to leave the blocked cell where it stands.
static double escape_radius(const rp_session_t *self)
{
    const rp_grid_t *grid = self->layer->grid;
    const size_t index = (size_t)rp_grid_y(grid, self->stands_at) * grid->shape.width +
                         rp_grid_x(grid, self->stands_at);
    const double radius = self->escape_m / self->world->frame.resolution_m;
    const bool is_only_inflated = self->layer->profile.factor[self->world->bytes[index]] != 0;
    return is_only_inflated || radius > ESCAPE_MOST ? ESCAPE_MOST : radius;
}

/// The cell where a path begins: where it stands, or out of the obstacle; best from where the way
/// to a goal is open, so that nobody is sent into a pocket.
static rp_status_t choose_start(rp_session_t *self)
{
    const rp_grid_t *grid = self->layer->grid;
    self->at = self->stands_at;
    if (self->at == RP_NO_CELL || grid->factor[self->at] != 0) {
        return RP_OK;
    }
    const double radius = escape_radius(self);
    rp_cell_t escape = RP_NO_CELL;
    if (radius > 0.0 && rp_goals_any_free(grid, self->goals, self->goal_count)) {
        open_parts_t parts = {0};
        const rp_status_t status = find_open_parts(self, &parts);
        if (status != RP_OK) {
            return status;
        }
        escape = nearest_free(self, radius, &parts);
        free(parts.numbers);
    }
    if (escape == RP_NO_CELL && radius > 0.0) {
        escape = nearest_free(self, radius, NULL);
    }
    self->goals_are_stale = self->goals_are_stale || self->is_rim;
    self->at = escape != RP_NO_CELL ? escape : self->at;
    return RP_OK;
}

double rp_ends_escape_m(const rp_session_t *self)
{
    const rp_grid_t *grid = self->layer->grid;
    double x;
    double y;
    if (self->is_beside || self->said.at == self->stands_at || self->said.at == RP_NO_CELL) {
        return 0.0;
    }
    rp_world_point_at(self->world, self->x_m, self->y_m, &x, &y);
    double off_x = fabs(rp_grid_x(grid, self->said.at) + 0.5 - x);
    double off_y = fabs(rp_grid_y(grid, self->said.at) + 0.5 - y);
    if (grid->shape.wraps) {
        off_x = fabs(off_x - grid->shape.width * floor(off_x / grid->shape.width + 0.5));
        off_y = fabs(off_y - grid->shape.height * floor(off_y / grid->shape.height + 0.5));
    }
    return hypot(off_x, off_y) * self->world->frame.resolution_m;
}

double rp_ends_distance_m(const rp_session_t *self)
{
    rp_cell_t end = self->said.at;
    (void)rp_said_path_cost(&self->said, self->layer->grid, &end);
    return rp_wish_distance_m(&self->wish, self->world, end);
}

// ---- both

/// The best way out of an obstacle depends on the goals, and some goals on where the path begins.
static rp_status_t find_ends(rp_session_t *self)
{
    rp_status_t status = renew_goals(self);
    if (status == RP_OK && !self->is_beside) {
        status = choose_start(self);
    }
    return status == RP_OK ? renew_goals(self) : status;
}

rp_status_t rp_ends_prepare(rp_session_t *self)
{
    rp_status_t status = RP_OK;
    self->at = self->is_beside ? self->at : self->stands_at;
    if (rp_ends_are_lost(self)) {
        return RP_OK;
    }
    while ((status = find_ends(self)) == RP_OK && passes_waypoint(self)) {
        self->wish.next++;
        self->leg_is_new = true;
        self->is_short = false;
        self->goals_are_stale = true;
        self->stands_for = 0; // what stood led to the waypoint that is passed
    }
    return status;
}
