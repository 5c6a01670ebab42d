/// A world in an engine of its own, its agents, and questions about it.
#include <stdlib.h>

#include "clients/wasm/module/exports.h"
#include "clients/wasm/module/motion.h"
#include "clients/wasm/module/numbers.h"
#include "clients/wasm/module/world.h"

/// Cells that were made of directions, as x, y.
typedef struct line {
    int32_t *cells;
    size_t capacity; ///< of cells
} line_t;

struct rp_js_world {
    rp_engine_t *engine;
    rp_world_id_t id;
    line_t path;
    line_t way;
    double told[RP_JS_ANSWER_TOLD];
};

static const rp_cause_t no_cause = {0, 0};

rp_engine_t *rp_js_world_engine(const rp_js_world_t *self)
{
    return self->engine;
}

rp_world_id_t rp_js_world_id(const rp_js_world_t *self)
{
    return self->id;
}

/// Bytes that a step leaves free, besides two for each cell.
#define ROOM_LEAST ((size_t)1 << 16)

static const int8_t step_x[RP_DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int8_t step_y[RP_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};

// ---- answers

/// Follow directions from a cell. On a torus the line runs on beyond the edge.
/// @return false without memory
static bool follow(line_t *self, uint32_t x, uint32_t y, const uint8_t *steps, size_t count)
{
    if (count + 1u > self->capacity) {
        int32_t *cells = realloc(self->cells, (count + 1u) * 2u * sizeof *cells);
        if (cells == NULL) {
            return false;
        }
        self->cells = cells;
        self->capacity = count + 1u;
    }
    int32_t *cell = self->cells;
    *cell++ = (int32_t)x;
    *cell++ = (int32_t)y;
    for (size_t i = 0; i < count; i++, cell += 2) {
        cell[0] = cell[-2] + step_x[steps[i]];
        cell[1] = cell[-1] + step_y[steps[i]];
    }
    return true;
}

static bool has_path(rp_answer_outcome_t outcome)
{
    return outcome == RP_ANSWER_FOUND || outcome == RP_ANSWER_PARTIAL ||
           outcome == RP_ANSWER_ARRIVED;
}

static rp_status_t tell(rp_js_world_t *self, const rp_answer_t *answer)
{
    double *told = self->told;
    const bool has_way = answer->way_count != 0;
    if (!follow(&self->path, answer->start_x, answer->start_y, answer->steps, answer->step_count) ||
        !follow(&self->way, answer->way_x, answer->way_y, answer->way, answer->way_count)) {
        return RP_E_MEMORY;
    }
    told[RP_JS_ANSWER_AGENT] = (double)answer->session;
    told[RP_JS_ANSWER_VERSION] = (double)answer->version;
    told[RP_JS_ANSWER_WINDOW] = (double)answer->window.number;
    told[RP_JS_ANSWER_WIDTH] = answer->window.width;
    told[RP_JS_ANSWER_HEIGHT] = answer->window.height;
    told[RP_JS_ANSWER_RESOLUTION] = answer->window.frame.resolution_m;
    told[RP_JS_ANSWER_ORIGIN_X] = answer->window.frame.origin_x_m;
    told[RP_JS_ANSWER_ORIGIN_Y] = answer->window.frame.origin_y_m;
    told[RP_JS_ANSWER_ORIGIN_YAW] = answer->window.frame.origin_yaw;
    told[RP_JS_ANSWER_PATH_SEQ] = (double)answer->path_seq;
    told[RP_JS_ANSWER_GOAL_ID] = (double)answer->goal_id;
    told[RP_JS_ANSWER_POSE_SEQ] = (double)answer->pose_seq;
    told[RP_JS_ANSWER_WAYPOINT] = answer->waypoint;
    told[RP_JS_ANSWER_GOAL_DISTANCE] = answer->goal_distance_m;
    told[RP_JS_ANSWER_ESCAPE] = answer->escape_m;
    told[RP_JS_ANSWER_OUTCOME] = answer->outcome;
    told[RP_JS_ANSWER_REASON] = answer->reason;
    told[RP_JS_ANSWER_COST] = answer->cost;
    told[RP_JS_ANSWER_BOUND] = answer->bound;
    told[RP_JS_ANSWER_VALID_THROUGH] = answer->valid_through;
    told[RP_JS_ANSWER_PLANNER] = rp_js_place(answer->planner);
    told[RP_JS_ANSWER_EXPANSIONS] = (double)answer->expansions;
    told[RP_JS_ANSWER_CELLS] = rp_js_place(self->path.cells);
    told[RP_JS_ANSWER_COUNT] = has_path(answer->outcome) ? answer->step_count + 1u : 0u;
    told[RP_JS_ANSWER_WAY] = rp_js_place(self->way.cells);
    told[RP_JS_ANSWER_WAY_COUNT] = has_way ? answer->way_count + 1u : 0u;
    told[RP_JS_ANSWER_SEGMENTS] = rp_js_place(answer->curve.segments);
    told[RP_JS_ANSWER_SEGMENT_COUNT] = answer->curve.count;
    told[RP_JS_ANSWER_ESCAPE_SEGMENTS] = answer->curve.escape_count;
    told[RP_JS_ANSWER_VALID_THROUGH_M] = answer->curve.valid_through_m;
    return RP_OK;
}

rp_status_t rp_js_world_next(rp_js_world_t *self)
{
    rp_answer_t answer;
    return rp_engine_next_answer(self->engine, &answer) ? tell(self, &answer) : RP_MORE;
}

rp_status_t rp_js_world_answer(rp_js_world_t *self, double agent)
{
    rp_answer_t answer;
    rp_status_t status = rp_engine_answer(self->engine, rp_js_whole(agent), &answer);
    if (status == RP_OK) {
        status = tell(self, &answer);
    }
    const bool is_sure = rp_engine_is_sure(self->engine, rp_js_whole(agent));
    return status == RP_OK && !is_sure ? RP_MORE : status;
}

const double *rp_js_world_told(const rp_js_world_t *self)
{
    return self->told;
}

// ---- what happens to the world

void rp_js_world_state(const rp_js_world_t *self, double *told)
{
    uint32_t width;
    uint32_t height;
    rp_frame_t frame;
    (void)rp_engine_shape(self->engine, self->id, &width, &height, &frame);
    told[0] = (double)rp_engine_version(self->engine, self->id);
    told[1] = (double)rp_engine_settled(self->engine, self->id);
    told[2] = (double)rp_engine_window(self->engine, self->id, 0)->number;
    told[3] = width;
    told[4] = height;
    told[5] = frame.resolution_m;
    told[6] = frame.origin_x_m;
    told[7] = frame.origin_y_m;
    told[8] = frame.origin_yaw;
}

const uint8_t *rp_js_world_bytes(const rp_js_world_t *self)
{
    return rp_engine_bytes(self->engine, self->id);
}

rp_status_t rp_js_world_write(rp_js_world_t *self, uint32_t x, uint32_t y, uint32_t width,
                              uint32_t height, const uint8_t *data, uint8_t fill)
{
    const rp_edit_t edit = {
        .x = x, .y = y, .width = width, .height = height, .data = data, .fill = fill};
    uint64_t version;
    return rp_engine_apply(self->engine, self->id, &edit, no_cause, &version);
}

rp_status_t rp_js_world_write_cells(rp_js_world_t *self, const uint32_t *cells,
                                    const uint8_t *values, size_t count, uint8_t value)
{
    const rp_edit_t edit = {.cells = cells, .values = values, .cell_count = count, .value = value};
    uint64_t version;
    return rp_engine_apply(self->engine, self->id, &edit, no_cause, &version);
}

rp_status_t rp_js_world_overlay(rp_js_world_t *self, const double *shapes, size_t shape_count,
                                const uint32_t *removed, size_t removed_count, bool clears)
{
    rp_shape_t *list = calloc(shape_count + 1u, sizeof *list);
    if (list == NULL) {
        return RP_E_MEMORY;
    }
    for (size_t i = 0; i < shape_count; i++) {
        const uint32_t corners = (uint32_t)shapes[2];
        list[i] = (rp_shape_t){.id = (uint32_t)shapes[0],
                               .byte = (uint8_t)shapes[1],
                               .corners = corners,
                               .radius_m = shapes[3],
                               .expires_us = rp_js_whole(shapes[4]),
                               .x_m = shapes + 5,
                               .y_m = shapes + 5 + corners};
        shapes += 5 + 2u * corners;
    }
    const rp_overlay_edit_t edit = {.shapes = list,
                                    .shape_count = shape_count,
                                    .removed = removed,
                                    .removed_count = removed_count,
                                    .clears = clears};
    uint64_t version;
    const rp_status_t status = rp_engine_overlay(self->engine, self->id, &edit, no_cause, &version);
    free(list);
    return status;
}

rp_status_t rp_js_world_resize(rp_js_world_t *self, const double *numbers, const uint32_t *rects,
                               size_t rect_count, const uint8_t *rect_data)
{
    const rp_window_t window = {.x = (int32_t)numbers[0],
                                .y = (int32_t)numbers[1],
                                .width = (uint32_t)numbers[2],
                                .height = (uint32_t)numbers[3],
                                .is_told = numbers[4] != 0,
                                .origin_x_m = numbers[5],
                                .origin_y_m = numbers[6],
                                .is_filled = numbers[7] >= 0,
                                .fill = numbers[7] >= 0 ? (uint8_t)numbers[7] : 0,
                                .rects = rects,
                                .rect_count = rect_count,
                                .rect_data = rect_data};
    uint64_t version;
    return rp_engine_resize(self->engine, self->id, &window, no_cause, &version);
}

/// Search state may fill the memory: leave some for what comes between steps, as changes, answers,
/// and copies of the world.
static void leave_room(rp_js_world_t *self)
{
    uint32_t width = 0;
    uint32_t height = 0;
    rp_frame_t frame;
    (void)rp_engine_shape(self->engine, self->id, &width, &height, &frame);
    const size_t needed = ROOM_LEAST + 2u * (size_t)width * height;
    void *room = malloc(needed);
    while (room == NULL && rp_engine_make_room(self->engine)) {
        room = malloc(needed);
    }
    free(room);
}

bool rp_js_world_step(rp_js_world_t *self, double now_us, double budget)
{
    const bool is_left = rp_engine_step(self->engine, rp_js_whole(now_us), rp_js_whole(budget));
    leave_room(self);
    return is_left;
}

bool rp_js_world_is_short(const rp_js_world_t *self)
{
    return rp_engine_is_short(self->engine);
}

bool rp_js_world_idle(rp_js_world_t *self, double budget)
{
    return rp_engine_idle(self->engine, rp_js_whole(budget));
}

void rp_js_world_memory(const rp_js_world_t *self, double *told)
{
    const rp_memory_t memory = rp_engine_memory(self->engine);
    told[0] = (double)memory.ground_bytes;
    told[1] = (double)memory.session_bytes;
    told[2] = (double)memory.search_bytes;
}

// ---- agents

rp_status_t rp_js_agent_open(rp_js_world_t *self, const double *numbers, const char *profile,
                             const char *planner, double *agent)
{
    rp_session_options_t options = {
        .body = {.profile = profile,
                 .radius_m = numbers[0],
                 .inscribed_radius_m = numbers[1],
                 .inflation_radius_m = numbers[2],
                 .cost_scaling = numbers[3],
                 .cells = (uint32_t)numbers[13]},
        .planner = planner,
        .planner_options = {.open = numbers[4] != 0 ? RP_OPEN_BUCKETS : RP_OPEN_HEAP},
        .policy = {.switch_gain_percent = (uint32_t)numbers[5],
                   .min_interval_ms = (uint32_t)numbers[6],
                   .max_age_ms = (uint32_t)numbers[7],
                   .answer_within_ms = (uint32_t)numbers[8],
                   .may_wait = numbers[9] != 0,
                   .starts_at_once = numbers[10] != 0},
        .follow_radius_m = numbers[11],
        .escape_m = numbers[12]};
    rp_polygon_body_t footprint;
    if (rp_js_is_driven(numbers)) {
        options.body = (rp_body_t){.profile = profile};
        options.motion = rp_js_motion_of(numbers, &footprint);
    }
    rp_session_id_t session = 0;
    const rp_status_t status = rp_engine_open(self->engine, self->id, &options, &session);
    *agent = (double)session;
    return status;
}

rp_status_t rp_js_agent_close(rp_js_world_t *self, double agent)
{
    return rp_engine_close(self->engine, rp_js_whole(agent));
}

rp_status_t rp_js_agent_pose(rp_js_world_t *self, double agent, double x_m, double y_m, double yaw,
                             double pose_seq)
{
    return rp_engine_pose_with_yaw(self->engine, rp_js_whole(agent), x_m, y_m, yaw,
                                   rp_js_whole(pose_seq), no_cause);
}

/// @return owned by the caller; NULL without memory
static rp_destination_t *destinations(const double *places, size_t count)
{
    rp_destination_t *list = malloc((count + 1u) * sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++) {
        const double *place = &places[3u * i];
        list[i] = (rp_destination_t){place[0], place[1], (uint32_t)place[2]};
    }
    return list;
}

rp_status_t rp_js_agent_aim(rp_js_world_t *self, double agent, const double *numbers,
                            const double *places, size_t count)
{
    rp_destination_t *points = destinations(places, count);
    if (points == NULL) {
        return RP_E_MEMORY;
    }
    const rp_destination_t rendezvous = {.x_m = numbers[7], .y_m = numbers[8]};
    const rp_aim_t aim = {.kind = (rp_aim_kind_t)numbers[0],
                          .points = points,
                          .count = count,
                          .first = (size_t)numbers[1],
                          .target = rp_js_whole(numbers[2]),
                          .tolerance_m = numbers[3],
                          .is_nearest = numbers[4] != 0,
                          .goal_id = rp_js_whole(numbers[5]),
                          .heading = (rp_aim_heading_t)numbers[9],
                          .yaws = numbers[9] != 0 ? places + 3u * count : NULL,
                          .yaw_tolerance = numbers[10],
                          .rendezvous = numbers[6] != 0 ? &rendezvous : NULL};
    const rp_status_t status = rp_engine_aim(self->engine, rp_js_whole(agent), &aim, no_cause);
    free(points);
    return status;
}

int32_t rp_js_middle(const double *places, size_t count)
{
    rp_destination_t *points = destinations(places, count);
    const int32_t middle = points != NULL ? (int32_t)rp_engine_middle(points, count) : -1;
    free(points);
    return middle;
}

uint32_t rp_js_agent_past(const rp_js_world_t *self, double agent, double *told)
{
    rp_past_answer_t past[RP_PAST_MAX];
    const size_t count = rp_engine_past(self->engine, rp_js_whole(agent), past);
    for (size_t i = 0; i < count; i++, told += 8) {
        told[0] = (double)past[i].path_seq;
        told[1] = (double)past[i].sure_until;
        told[2] = (double)past[i].version;
        told[3] = (double)past[i].published_us;
        told[4] = past[i].outcome;
        told[5] = past[i].reason;
        told[6] = past[i].cost;
        told[7] = (double)past[i].expansions;
    }
    return (uint32_t)count;
}

rp_status_t rp_js_agent_factors(rp_js_world_t *self, double agent, uint8_t *factors)
{
    return rp_engine_factors(self->engine, rp_js_whole(agent), factors);
}

/// The direction from a cell to the next one, over the edge of a torus too; RP_DIRECTIONS: they are
/// no neighbours.
static uint8_t direction(const rp_js_world_t *self, const uint32_t *from, const uint32_t *to)
{
    uint32_t width = 0;
    uint32_t height = 0;
    rp_frame_t frame;
    (void)rp_engine_shape(self->engine, self->id, &width, &height, &frame);
    for (uint8_t i = 0; i < RP_DIRECTIONS; i++) {
        const bool is_column = (from[0] + width + (uint32_t)step_x[i]) % width == to[0];
        if (is_column && (from[1] + height + (uint32_t)step_y[i]) % height == to[1]) {
            return i;
        }
    }
    return RP_DIRECTIONS;
}

/// Turn cells into directions. @return false: two of them are no neighbours
static bool direct(const rp_js_world_t *self, const uint32_t *cells, size_t count, uint8_t *steps)
{
    bool is_right = true;
    for (size_t i = 0; i + 1u < count && is_right; i++) {
        steps[i] = direction(self, &cells[2u * i], &cells[2u * i + 2u]);
        is_right = steps[i] != RP_DIRECTIONS;
    }
    return is_right;
}

rp_status_t rp_js_agent_walk(rp_js_world_t *self, double agent, const uint32_t *path,
                             size_t path_count, const uint32_t *way, size_t way_count, double *told,
                             uint32_t *offenders)
{
    const rp_session_id_t session = rp_js_whole(agent);
    uint8_t *steps = malloc(path_count + way_count + 1u);
    if (steps == NULL) {
        return RP_E_MEMORY;
    }
    uint8_t *out = steps + path_count;
    const bool is_right =
        direct(self, path, path_count, steps) && direct(self, way, way_count, out);
    if (is_right) {
        told[1] = (double)rp_engine_walk(self->engine, session, path[0], path[1], steps,
                                         path_count - 1u, offenders, path_count, &told[0]);
        told[2] = way_count == 0 ? 0.0
                                 : (double)rp_engine_walk_way(self->engine, session, way[0], way[1],
                                                              out, way_count - 1u, path[0], path[1],
                                                              offenders + path_count, way_count);
    }
    free(steps);
    return is_right ? RP_OK : RP_E_INVALID;
}

// ---- questions

/// @return owned by the caller; NULL without memory
static rp_session_id_t *sessions_of(const double *agents, size_t count)
{
    rp_session_id_t *list = malloc((count + 1u) * sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++) {
        list[i] = rp_js_whole(agents[i]);
    }
    return list;
}

rp_status_t rp_js_query_start(rp_js_world_t *self, const double *numbers, const double *places,
                              const double *agents, const uint8_t *data, const uint32_t *cells,
                              const uint8_t *values, double *query)
{
    const size_t from_count = (size_t)numbers[2];
    const size_t to_count = (size_t)numbers[3];
    const size_t session_count = (size_t)numbers[4];
    rp_destination_t *from = destinations(places, from_count + to_count);
    rp_session_id_t *sessions = sessions_of(agents, session_count);
    rp_query_id_t started = 0;
    if (from == NULL || sessions == NULL) {
        free(from);
        free(sessions);
        return RP_E_MEMORY;
    }
    const rp_edit_t edit = {.x = (uint32_t)numbers[5],
                            .y = (uint32_t)numbers[6],
                            .width = (uint32_t)numbers[7],
                            .height = (uint32_t)numbers[8],
                            .data = data,
                            .fill = (uint8_t)numbers[9],
                            .cells = cells,
                            .values = values,
                            .cell_count = (size_t)numbers[10],
                            .value = (uint8_t)numbers[11]};
    const rp_question_t question = {.kind = (rp_query_kind_t)numbers[0],
                                    .reach = (uint32_t)numbers[1],
                                    .from = from,
                                    .from_count = from_count,
                                    .to = from + from_count,
                                    .to_count = to_count,
                                    .sessions = sessions,
                                    .session_count = session_count,
                                    .edit = numbers[0] == RP_QUERY_PROBE ? &edit : NULL};
    const rp_status_t status = rp_engine_start_query(self->engine, self->id, &question, &started);
    *query = (double)started;
    free(from);
    free(sessions);
    return status;
}

bool rp_js_query_result(const rp_js_world_t *self, double query, double *told)
{
    const rp_query_result_t *result = rp_engine_query_result(self->engine, rp_js_whole(query));
    if (result == NULL) {
        return false;
    }
    told[RP_JS_QUERY_VERSION] = (double)result->version;
    told[RP_JS_QUERY_COUNT] = (double)result->count;
    told[RP_JS_QUERY_COSTS] = rp_js_place(result->costs);
    told[RP_JS_QUERY_AFTER] = rp_js_place(result->after);
    told[RP_JS_QUERY_STEPS] = rp_js_place(result->steps);
    told[RP_JS_QUERY_X] = result->x;
    told[RP_JS_QUERY_Y] = result->y;
    told[RP_JS_QUERY_WIDTH] = result->width;
    told[RP_JS_QUERY_HEIGHT] = result->height;
    return true;
}

void rp_js_query_end(rp_js_world_t *self, double query)
{
    rp_engine_forget(self->engine, rp_js_whole(query));
}

// ---- birth and end

/// Profiles from the words that JavaScript wrote. @return owned by the caller; NULL without memory
static rp_profile_options_t *profile_list(const uint32_t *words, size_t count)
{
    rp_profile_options_t *list = calloc(count + 1u, sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++, words += 8) {
        list[i] = (rp_profile_options_t){.name = rp_js_pointer(words[0]),
                                         .factors = rp_js_pointer(words[1]),
                                         .like = rp_js_pointer(words[2]),
                                         .unit = (uint8_t)words[3],
                                         .unknown = (rp_unknown_t)words[4],
                                         .unknown_factor = (uint8_t)words[5],
                                         .inscribed = rp_js_pointer(words[6]),
                                         .inscribed_count = words[7]};
    }
    return list;
}

static rp_status_t open_world(rp_js_world_t *self, const double *numbers, const char *profile,
                              uint8_t *given, const uint32_t *profiles)
{
    const size_t profile_count = (size_t)numbers[9];
    rp_profile_options_t *list = profile_list(profiles, profile_count);
    if (list == NULL) {
        return RP_E_MEMORY;
    }
    const rp_world_options_t options = {.width = (uint32_t)numbers[0],
                                        .height = (uint32_t)numbers[1],
                                        .neighbors = (uint8_t)numbers[2],
                                        .wraps = numbers[3] != 0,
                                        .profile = profile,
                                        .profiles = list,
                                        .profile_count = profile_count,
                                        .frame = {numbers[4], numbers[5], numbers[6], numbers[7]},
                                        .given = given,
                                        .is_filled = numbers[8] >= 0,
                                        .fill = numbers[8] >= 0 ? (uint8_t)numbers[8] : 0};
    const rp_status_t status = rp_engine_open_world(self->engine, &options, &self->id);
    free(list);
    return status;
}

rp_status_t rp_js_world_new(const double *numbers, const char *profile, uint8_t *given,
                            const uint32_t *profiles, rp_js_world_t **world)
{
    rp_js_world_t *self = calloc(1, sizeof *self);
    rp_status_t status = self != NULL ? rp_engine_new(&self->engine) : RP_E_MEMORY;
    if (status == RP_OK) {
        status = open_world(self, numbers, profile, given, profiles);
    }
    if (status != RP_OK) {
        free(given);
        rp_js_world_close(self);
        return status;
    }
    *world = self;
    return RP_OK;
}

void rp_js_world_close(rp_js_world_t *self)
{
    if (self != NULL) {
        rp_engine_destroy(&self->engine);
        free(self->path.cells);
        free(self->way.cells);
        free(self);
    }
}
