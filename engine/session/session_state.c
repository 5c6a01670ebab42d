/// One agent: how its session begins and ends, what changes concern it, and its answer.
#include "engine/session/session_state.h"

#include <stdlib.h>
#include <string.h>

#include "engine/session/driving/driver.h"

void rp_session_enter_group(rp_session_t *self, rp_goal_group_t *group)
{
    if (self->goal.group != NULL) {
        self->goal.group->unsure -= rp_session_is_unsure(self);
        rp_goal_group_forget_new(self->goal.group, self);
    }
    rp_goal_group_leave(&self->layer->audience->groups, self->goal.group);
    self->goal.group = group;
    self->layer->audience->interests.list[self->interest].group = group;
    if (group != NULL) {
        group->unsure += rp_session_is_unsure(self);
    }
}

/// Goals that move by themselves would have to be looked at.
bool rp_session_has_cheapest(const rp_session_t *self)
{
    const bool has_fixed_goals =
        !self->goal.is_short && !self->goal.is_rim && self->goal.target == NULL;
    return rp_answer_has_path(self->published.outcome) && has_fixed_goals &&
           self->published.excess <= 0.0 && !self->published.is_provisional;
}

/// Its path is as good as the cheapest, and it begins where the session stands.
static bool holds_cheapest(const rp_session_t *self)
{
    const bool has_escaped = self->position.at != self->position.from;
    const bool is_good = self->published.excess <= 0.0 || self->published.is_at_rendezvous;
    return rp_answer_has_path(self->published.outcome) && is_good && !self->goal.is_short &&
           !has_escaped;
}

/// Whether the search of its group can say if the path is still the cheapest.
static bool is_known_to_group(const rp_session_t *self)
{
    const rp_goal_group_t *group = self->goal.group;
    return group != NULL && self->published.term == group->search.term &&
           self->published.units != 0 && rp_session_has_cheapest(self);
}

void rp_session_note_interest(const rp_session_t *self)
{
    const rp_interest_path_t path = {
        .grid = self->layer->grid,
        .standing = {&self->published.path, self->published.path.at, self->goal.cells,
                     self->goal.count, self->published.cost},
        .asks = self->position.is_beside, // what comes between it and its path may be anywhere
        .term = is_known_to_group(self) ? self->published.term : 0,
        .units = self->published.units,
    };
    rp_interest_index_note(&self->layer->audience->interests, self->interest,
                           holds_cheapest(self) && self->driver == NULL ? &path : NULL);
}

const rp_planner_info_t *rp_session_planner(const rp_session_t *self)
{
    const bool is_able =
        !self->layer->grid->weighted || (self->about->capabilities & RP_CAN_WEIGHTED) != 0;
    return is_able ? self->about : rp_planner_find("auto");
}

void rp_session_stop_greedy_search(rp_session_t *self)
{
    self->far->user = self->far->user == self ? NULL : self->far->user;
}

uint64_t rp_session_bytes(const rp_session_t *self)
{
    enum {
        BLOCKS = 8,      // with those of goal specification and group
        BLOCK_BYTES = 16 // that an allocation costs beside what was asked for
    };
    const uint64_t goals = self->goal.count * sizeof *self->goal.cells;
    const uint64_t group =
        self->goal.group != NULL ? (sizeof *self->goal.group + goals) / self->goal.group->users : 0;
    return sizeof *self + self->published.path.capacity + self->published.way.count +
           rp_answer_history_bytes(&self->published.past) + goals + group +
           (self->position.escape != NULL
                ? sizeof *self->position.escape + rp_escape_bytes(self->position.escape)
                : 0u) +
           (self->goal.nearest != NULL ? sizeof *self->goal.nearest : 0u) +
           self->goal.spec.count * sizeof *self->goal.spec.points +
           (self->driver != NULL ? rp_driver_bytes(self->driver) : 0u) +
           (uint64_t)BLOCKS * BLOCK_BYTES;
}

// ---- what it says

static uint32_t known_steps(const rp_session_t *self)
{
    if (self->world->unknown_count == 0) {
        return self->published.path.count - self->published.path.first;
    }
    return rp_published_path_known(&self->published.path, self->layer->grid, self->world->bytes,
                                   RP_BYTE_UNKNOWN);
}

void rp_session_answer(const rp_session_t *self, rp_answer_t *answer)
{
    const rp_grid_t *grid = self->layer->grid;
    const rp_published_path_t *published = &self->published.path;
    const bool is_inside = published->at != RP_NO_CELL;
    const rp_way_t *way = &self->published.way;
    const bool has_way = rp_way_left(way) != 0;
    *answer = (rp_answer_t){
        .session = self->id,
        .world = self->world->id,
        .version = rp_session_is_unsure(self) ? self->validity.version : self->world->version,
        .window = {.number = self->world->windows.newest,
                   .width = grid->shape.width,
                   .height = grid->shape.height,
                   .frame = self->world->frame},
        .path_seq = self->published.path_seq,
        .goal_id = self->published.goal_id,
        .pose_seq = self->published.pose_seq,
        .target_pose_seq = self->published.target_seq,
        .waypoint = self->goal.spec.kind == RP_AIM_WAYPOINTS ? (uint32_t)self->goal.spec.next : 0u,
        .goal_distance_m = self->published.goal_distance_m,
        .escape_m = rp_way_length(&self->published.way) * self->world->frame.resolution_m,
        .outcome = self->published.outcome,
        .reason = self->published.reason,
        .cost = self->published.cost,
        .bound = self->published.cost - self->published.excess,
        .start_x = is_inside ? rp_grid_x(grid, published->at) : 0u,
        .start_y = is_inside ? rp_grid_y(grid, published->at) : 0u,
        .steps = published->steps != NULL ? published->steps + published->first : NULL,
        .step_count = published->count - published->first,
        .splice = rp_published_path_splice(published),
        .way_x = has_way ? rp_grid_x(grid, way->at) : 0u,
        .way_y = has_way ? rp_grid_y(grid, way->at) : 0u,
        .way = has_way ? way->steps + way->first : NULL,
        .way_count = rp_way_left(way),
        .valid_through = rp_answer_has_steps(self->published.outcome) ? known_steps(self) : 0u,
        .planner = self->published.planner->id,
        .expansions = self->published.expansions,
        .cause = self->published.cause,
    };
    if (self->driver != NULL) {
        rp_driving_tell(self, answer);
    }
}

// ---- birth and death

/// Whether the planner that was asked for can do this world, with these options. It is made when it
/// is needed. For one that knows no weights the layer must be whole, so that it shows whether there
/// are any.
static rp_status_t judge_planner(const rp_session_t *self)
{
    const rp_grid_t *grid = self->layer->grid;
    uint64_t budget = UINT64_MAX;
    rp_planner_t *planner = NULL;
    rp_status_t status = rp_planner_new(self->about->id, &self->options, &planner);
    rp_planner_destroy(&planner);
    uint32_t needed =
        (grid->shape.neighbors == 8 ? RP_CAN_8 : RP_CAN_4) | (grid->shape.wraps ? RP_CAN_WRAP : 0u);
    if (status == RP_OK && (self->about->capabilities & RP_CAN_WEIGHTED) == 0) {
        rp_world_complete(self->world);
        status = rp_layer_derive(self->layer, self->world->version, &budget);
        needed |= grid->weighted ? RP_CAN_WEIGHTED : 0u;
    }
    const bool can = (self->about->capabilities & needed) == needed;
    return status == RP_OK && !can ? RP_E_UNSUPPORTED : status;
}

static rp_status_t join_layer(rp_session_t *self, const rp_body_t *body)
{
    rp_status_t status = rp_world_borrow_layer(self->world, body, &self->layer);
    if (status == RP_OK) {
        status = rp_audience_open(self->layer);
        status = status == RP_OK ? rp_interest_index_add(&self->layer->audience->interests, self,
                                                         &self->interest)
                                 : status;
        if (status != RP_OK) {
            rp_world_return_layer(self->world, self->layer);
            self->layer = NULL;
        }
    }
    return status;
}

rp_status_t rp_session_new(rp_world_t *world, rp_session_id_t id, rp_planner_cache_t *searches,
                           const rp_session_options_t *options, rp_session_t **session)
{
    rp_session_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->world = world;
    self->searches = searches;
    rp_status_t status = join_layer(self, &options->body);
    self->about = rp_planner_find(options->planner != NULL ? options->planner : "auto");
    if (status == RP_OK && self->about == NULL) {
        status = RP_E_UNKNOWN;
    }
    if (status == RP_OK) {
        self->options = options->planner_options;
        const bool has_motion = options->motion.drive != RP_MOTION_NONE;
        self->may_share = strcmp(self->about->id, "auto") == 0 && !has_motion;
        // What was asked for by name must be able to do this world; AUTO and lattices are.
        status = self->may_share || has_motion || options->is_judged ? RP_OK : judge_planner(self);
        status = status == RP_OK && has_motion
                     ? rp_driver_new(&options->motion, options->escape_m, world->frame.resolution_m,
                                     &self->driver)
                     : status;
        self->validity.drives = self->driver != NULL;
    }
    if (status != RP_OK) {
        rp_session_destroy(&self);
        return status;
    }
    self->id = id;
    self->published.planner = self->about;
    self->policy = options->policy;
    self->position.follow_radius_m = options->follow_radius_m;
    self->position.escape_m = options->escape_m;
    self->schedule.look_us = RP_NEVER_US;
    *session = self;
    return RP_OK;
}

static void leave_audience(const rp_session_t *self)
{
    rp_interest_index_t *interests = &self->layer->audience->interests;
    rp_session_t *moved = rp_interest_index_remove(interests, self->interest);
    if (moved != NULL) {
        moved->interest = self->interest;
    }
}

void rp_session_destroy(rp_session_t **self)
{
    rp_session_t *session = *self;
    if (session == NULL) {
        return;
    }
    rp_driver_destroy(&session->driver);
    rp_session_chase(session, NULL);
    while (session->goal.chasers != NULL) {
        rp_session_chase(session->goal.chasers, NULL);
    }
    rp_goal_spec_fini(&session->goal.spec);
    rp_nearest_reachable_destroy(&session->goal.nearest);
    rp_escape_destroy(&session->position.escape);
    rp_way_fini(&session->published.way);
    rp_answer_history_fini(&session->published.past);
    rp_cached_planner_drop(&session->own);
    if (session->layer != NULL) {
        rp_goal_group_leave(&session->layer->audience->groups, session->goal.group);
        rp_goal_group_leave(&session->layer->audience->groups, session->goal.rendezvous);
        leave_audience(session);
    }
    rp_world_return_layer(session->world, session->layer);
    // Of a world that goes there may be many.
    rp_deferred_free_block(session->world->deferred_free, session->goal.cells,
                           session->goal.count * sizeof *session->goal.cells);
    rp_deferred_free_block(session->world->deferred_free, session->published.path.steps,
                           session->published.path.capacity);
    rp_deferred_free_block(session->world->deferred_free, session, sizeof *session);
    *self = NULL;
}
