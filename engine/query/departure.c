/// The same steps as in endpoints.c, session.c and decision.c, on a copy.
#include "engine/query/departure.h"

#include <stdlib.h>

#include "engine/paths/follow.h"
#include "engine/paths/policy.h"
#include "engine/query/copy.h"
#include "engine/session/decision.h"
#include "engine/session/endpoints.h"

// ---- where it begins if nothing blocks

static const rp_layer_t *layer_of(const rp_departure_scene_t *scene)
{
    return &scene->ground->views[scene->view];
}

/// The change put an obstacle between it and what was published, or took one away, for all that is
/// known.
static bool may_be_parted(const rp_departure_t *self, const rp_layer_t *layer)
{
    const rp_rectangle_t *in = &layer->toggled_in;
    const double most = self->radius + 1.0;
    if (!layer->has_toggled || self->pose.cell == RP_NO_CELL || layer->grid->shape.wraps) {
        return layer->has_toggled;
    }
    return self->pose.x + most >= in->left && self->pose.x <= in->right + 1.0 + most &&
           self->pose.y + most >= in->top && self->pose.y <= in->bottom + 1.0 + most;
}

/// Where it stands, or on what was published beside it.
static rp_cell_t find_place(rp_departure_t *self, const rp_departure_scene_t *scene)
{
    rp_way_t way = self->way; // pruned; the steps stay as they are
    rp_published_path_t path = self->path;
    const rp_layer_t *layer = layer_of(scene);
    const bool is_as_found =
        self->followed == scene->ground->version && !may_be_parted(self, layer);
    self->follows = self->is_beside && !self->has_left &&
                    (is_as_found || rp_follow(layer, &way, &path, &self->pose, self->radius, true));
    self->way_left = way;
    self->path_left = path;
    return !self->follows ? self->pose.cell : rp_way_left(&way) != 0 ? way.at : path.at;
}

static uint32_t offset_of(const rp_departure_t *self, const rp_departure_scene_t *scene,
                          rp_cell_t cell)
{
    return self->goal_spec.points != NULL
               ? rp_goal_spec_offset(&self->goal_spec, &scene->ground->frame, cell)
               : RP_GOAL_SPEC_OUTSIDE;
}

static void begin_at(rp_departure_t *self, const rp_departure_scene_t *scene, rp_cell_t cell)
{
    self->at = cell;
    self->offset = cell != RP_NO_CELL ? offset_of(self, scene, cell) : RP_GOAL_SPEC_OUTSIDE;
    self->is_known = true;
}

// ---- out of a blocked cell

typedef struct wanted {
    const rp_departure_t *departure;
    const rp_departure_scene_t *scene;
    const rp_components_t *components;
    rp_goal_parts_t parts;
} wanted_t;

/// As rp_escape_query_t.reaches.
static bool is_open(const void *user, rp_cell_t cell)
{
    const wanted_t *self = user;
    return rp_goal_parts_hold(&self->parts, rp_components_number(self->components, cell)) ||
           offset_of(self->departure, self->scene, cell) != RP_GOAL_SPEC_OUTSIDE;
}

static rp_status_t begin_escape(rp_departure_t *self, const rp_layer_t *layer, rp_cell_t from)
{
    rp_pose_t pose = self->pose;
    if (self->follows) { // from a cell beside it as if it stood in the middle
        pose.cell = from;
        pose.x = rp_grid_x(layer->grid, from) + 0.5;
        pose.y = rp_grid_y(layer->grid, from) + 0.5;
    }
    const rp_status_t status = rp_escape_begin(&self->escape, &pose, self->longest);
    self->is_escaping = status == RP_OK;
    return status;
}

/// Find the nearest ways out from which a goal can be reached.
static rp_status_t look_for_ways(rp_departure_t *self, const rp_departure_scene_t *scene,
                                 uint64_t *budget)
{
    wanted_t wanted = {.departure = self, .scene = scene};
    rp_status_t status =
        rp_probe_ground_components(scene->ground, scene->view, &wanted.components, budget);
    if (status == RP_OK) {
        status =
            rp_goal_parts_find(&wanted.parts, wanted.components, scene->goals, scene->goal_count);
    }
    if (status == RP_OK) {
        const rp_escape_query_t goal_spec = {.reaches = is_open, .user = &wanted};
        status = rp_escape_go(&self->escape, layer_of(scene), &goal_spec, budget);
    }
    rp_goal_parts_fini(&wanted.parts);
    return status;
}

static rp_status_t leave(rp_departure_t *self, const rp_departure_scene_t *scene, rp_cell_t from,
                         uint64_t *budget)
{
    rp_status_t status = self->is_escaping ? RP_OK : begin_escape(self, layer_of(scene), from);
    if (status == RP_OK && !self->escape.is_done) {
        status = look_for_ways(self, scene, budget);
    }
    if (status == RP_OK) {
        self->is_stuck = self->escape.end_count != 0 && self->escape.reaches;
        begin_at(self, scene, self->is_stuck ? rp_escape_end(&self->escape) : RP_NO_CELL);
    }
    return status;
}

// ---- whether what was published is kept

/// True when the published way is legal and as short as any, or none is needed.
static bool keeps_way(const rp_departure_t *self, const rp_layer_t *layer)
{
    const bool has_way = rp_way_left(&self->way_left) != 0;
    return self->path_left.at == self->at && has_way == self->is_stuck &&
           (!has_way || rp_escape_keeps(&self->escape, layer, &self->way_left));
}

/// What stopping at a cell costs. @return RP_GOAL_SPEC_OUTSIDE: it is no goal
static uint32_t price_of(const rp_departure_t *self, const rp_departure_scene_t *scene,
                         rp_cell_t cell)
{
    uint32_t price = offset_of(self, scene, cell);
    for (size_t i = 0; i < scene->goal_count; i++) {
        if (scene->goals[i].cell == cell && scene->goals[i].offset < price) {
            price = scene->goals[i].offset;
        }
    }
    return price;
}

/// True when what is left of path and way is legal, and not dearer than the policy allows.
/// @param optimum  from where it begins
static bool keeps(const rp_departure_t *self, const rp_departure_scene_t *scene, double optimum)
{
    const rp_layer_t *layer = layer_of(scene);
    rp_cell_t end;
    if (self->at == RP_NO_CELL || !keeps_way(self, layer)) {
        return false;
    }
    const double cost = rp_published_path_cost(&self->path_left, layer->grid, &end);
    const uint32_t price = cost >= 0.0 ? price_of(self, scene, end) : RP_GOAL_SPEC_OUTSIDE;
    return price != RP_GOAL_SPEC_OUTSIDE && !rp_policy_gains(&self->policy, cost + price, optimum);
}

// ---- both

rp_status_t rp_departure_go(rp_departure_t *self, const rp_departure_scene_t *scene,
                            uint64_t *budget)
{
    const rp_layer_t *layer = layer_of(scene);
    if (self->is_known) {
        return RP_OK;
    }
    if (self->is_stuck) { // another way out is to be tried
        begin_at(self, scene, rp_escape_end(&self->escape));
        return RP_OK;
    }
    const rp_cell_t from = find_place(self, scene);
    if (from != RP_NO_CELL && layer->grid->factor[from] == 0) {
        return leave(self, scene, from, budget);
    }
    begin_at(self, scene, from);
    return RP_OK;
}

/// Forget what is known of the ground.
static void forget(rp_departure_t *self)
{
    rp_escape_fini(&self->escape);
    self->is_known = self->is_stuck = self->is_escaping = false;
}

bool rp_departure_weigh(rp_departure_t *self, const rp_departure_scene_t *scene, double cost)
{
    if (self->is_stuck && !rp_escape_weigh(&self->escape, cost)) {
        self->is_known = false;
        return false;
    }
    if (self->follows && !keeps(self, scene, cost)) { // what is new begins where it stands
        forget(self);
        self->has_left = true;
        return false;
    }
    return true;
}

void rp_departure_start_over(rp_departure_t *self)
{
    forget(self);
    self->has_left = false;
}

// ---- birth and death

static rp_status_t copy_line(rp_departure_t *self, const rp_session_t *session)
{
    self->way = session->published.way;
    self->path = session->published.path;
    self->way.steps = rp_copy_of(session->published.way.steps, session->published.way.count);
    self->path.steps = rp_copy_of(session->published.path.steps, session->published.path.count);
    return self->way.steps != NULL && self->path.steps != NULL ? RP_OK : RP_E_MEMORY;
}

static rp_status_t copy_goal_spec(rp_departure_t *self, const rp_session_t *session)
{
    rp_destination_t place;
    const rp_goal_spec_t goal_spec = rp_endpoints_goal_spec(session, &place);
    self->goal_spec = goal_spec;
    self->goal_spec.points =
        rp_copy_of(goal_spec.points, goal_spec.count * sizeof *goal_spec.points);
    return self->goal_spec.points != NULL ? RP_OK : RP_E_MEMORY;
}

rp_status_t rp_departure_init(rp_departure_t *self, rp_session_t *session, bool is_rim)
{
    rp_reason_t reason;
    rp_session_settle(session);
    *self = (rp_departure_t){
        .pose = rp_world_pose_at(session->world, session->position.x_m, session->position.y_m),
        .radius = session->position.follow_radius_m / session->world->frame.resolution_m,
        .longest = rp_endpoints_longest_way(session),
        .policy = session->policy,
        .followed = session->position.followed,
        .is_beside = session->position.is_beside && !rp_session_has_cause(session, &reason),
    };
    rp_status_t status = self->is_beside ? copy_line(self, session) : RP_OK;
    if (status == RP_OK && is_rim) {
        status = copy_goal_spec(self, session);
    }
    return status;
}

void rp_departure_fini(rp_departure_t *self)
{
    free(self->way.steps);
    free(self->path.steps);
    free(self->goal_spec.points);
    rp_escape_fini(&self->escape);
    *self = (rp_departure_t){0};
}
