/// Structs of the engine as messages of the wire.
#include "daemon/serving/encode.h"

#include <stdio.h>
#include <string.h>

#include "msgs/bends.h"

Replan__V1__Status rp_encode_status(rp_status_t status)
{
    switch (status) {
    case RP_OK:
    case RP_MORE:
        return REPLAN__V1__STATUS__OK;
    case RP_E_INVALID:
        return REPLAN__V1__STATUS__INVALID;
    case RP_E_UNSUPPORTED:
        return REPLAN__V1__STATUS__UNSUPPORTED;
    case RP_E_UNKNOWN:
        return REPLAN__V1__STATUS__UNKNOWN;
    case RP_E_EXISTS:
        return REPLAN__V1__STATUS__EXISTS;
    case RP_E_MEMORY:
    case RP_E_LIMIT:
        return REPLAN__V1__STATUS__LIMIT;
    }
    return REPLAN__V1__STATUS__INVALID;
}

static void say_cells(const rp_served_t *world, uint32_t width, uint32_t height,
                      const rp_frame_t *frame, Replan__V1__Geometry *geometry)
{
    replan__v1__geometry__init(geometry);
    geometry->width = width;
    geometry->height = height;
    geometry->resolution = frame->resolution_m;
    geometry->origin_x = frame->origin_x_m;
    geometry->origin_y = frame->origin_y_m;
    geometry->origin_yaw = frame->origin_yaw;
    geometry->frame_id = (char *)world->frame_id; // the generated type knows no const
}

void rp_encode_geometry(const rp_served_t *world, Replan__V1__Geometry *geometry)
{
    say_cells(world, world->options.width, world->options.height, &world->options.frame, geometry);
}

size_t rp_encode_profiles(const rp_serving_t *self, const rp_served_t *world,
                          Replan__V1__Profile *profiles)
{
    size_t count = 0;
    rp_profile_options_t own;
    while (rp_engine_own_profile(self->engine, world->id, count, &own)) {
        Replan__V1__Profile *profile = &profiles[count++];
        replan__v1__profile__init(profile);
        profile->name = (char *)own.name; // the generated type knows no const
        profile->factors = (ProtobufCBinaryData){256, (uint8_t *)own.factors};
        profile->unit = own.unit;
        profile->unknown = own.unknown == RP_UNKNOWN_BLOCKED ? REPLAN__V1__UNKNOWN__AS_BLOCKED
                                                             : REPLAN__V1__UNKNOWN__AS_FACTOR;
        profile->unknown_factor = own.unknown_factor;
        profile->inscribed = (ProtobufCBinaryData){own.inscribed_count, (uint8_t *)own.inscribed};
    }
    return count;
}

Replan__V1__Outcome rp_encode_outcome(rp_answer_outcome_t outcome)
{
    switch (outcome) {
    case RP_ANSWER_NONE:
        return REPLAN__V1__OUTCOME__NO_OUTCOME;
    case RP_ANSWER_FOUND:
        return REPLAN__V1__OUTCOME__FOUND;
    case RP_ANSWER_NO_PATH:
        return REPLAN__V1__OUTCOME__NO_PATH;
    case RP_ANSWER_PARTIAL:
        return REPLAN__V1__OUTCOME__PARTIAL;
    case RP_ANSWER_START_BLOCKED:
        return REPLAN__V1__OUTCOME__START_BLOCKED;
    case RP_ANSWER_GOAL_BLOCKED:
        return REPLAN__V1__OUTCOME__GOAL_BLOCKED;
    case RP_ANSWER_OUTSIDE:
        return REPLAN__V1__OUTCOME__OUTSIDE;
    case RP_ANSWER_TARGET_LOST:
        return REPLAN__V1__OUTCOME__TARGET_LOST;
    case RP_ANSWER_ARRIVED:
        return REPLAN__V1__OUTCOME__ARRIVED;
    }
    return REPLAN__V1__OUTCOME__NO_OUTCOME;
}

Replan__V1__Reason rp_encode_reason(rp_reason_t reason)
{
    switch (reason) {
    case RP_REASON_FIRST:
        return REPLAN__V1__REASON__FIRST;
    case RP_REASON_INVALID:
        return REPLAN__V1__REASON__BROKEN;
    case RP_REASON_CHEAPER:
        return REPLAN__V1__REASON__CHEAPER;
    case RP_REASON_AGED:
        return REPLAN__V1__REASON__AGED;
    case RP_REASON_GOAL:
        return REPLAN__V1__REASON__NEW_GOAL;
    case RP_REASON_OFF_PATH:
        return REPLAN__V1__REASON__OFF_PATH;
    case RP_REASON_REACHED:
        return REPLAN__V1__REASON__REACHED;
    }
    return REPLAN__V1__REASON__NO_REASON;
}

static bool has_path(rp_answer_outcome_t outcome)
{
    return outcome == RP_ANSWER_FOUND || outcome == RP_ANSWER_PARTIAL ||
           outcome == RP_ANSWER_ARRIVED;
}

double rp_encode_cost(rp_answer_outcome_t outcome, double cost)
{
    return has_path(outcome) ? cost : -1.0;
}

void rp_encode_answer(const rp_serving_t *self, const rp_agent_t *agent, const rp_answer_t *answer,
                      Replan__V1__Geometry *geometry, Replan__V1__Answer *message)
{
    replan__v1__answer__init(message);
    // Not as the world is now: what a worker told may be of before a resize.
    say_cells(agent->world, answer->window.width, answer->window.height, &answer->window.frame,
              geometry);
    message->world = agent->world->name;
    message->agent = (char *)agent->name;
    message->epoch = agent->world->epoch;
    message->version = answer->version;
    message->path_seq = answer->path_seq;
    message->goal_id = answer->goal_id;
    message->pose_seq = answer->pose_seq;
    message->target_pose_seq = answer->target_pose_seq;
    message->waypoint = answer->waypoint;
    message->goal_distance_m = answer->goal_distance_m;
    message->escape_m = answer->escape_m;
    message->geometry = geometry;
    message->outcome = rp_encode_outcome(answer->outcome);
    message->reason = rp_encode_reason(answer->reason);
    message->optimal = has_path(answer->outcome) && answer->outcome != RP_ANSWER_PARTIAL &&
                       answer->bound == answer->cost;
    message->cost = rp_encode_cost(answer->outcome, answer->cost);
    message->bound = rp_encode_cost(answer->outcome, answer->bound);
    message->window = answer->window.number;
    message->start = answer->start_y * answer->window.width + answer->start_x;
    message->steps.data = (uint8_t *)answer->steps;
    message->steps.len = answer->step_count;
    message->way_start = answer->way_y * answer->window.width + answer->way_x;
    message->way.data = (uint8_t *)answer->way;
    message->way.len = answer->way_count;
    message->planner = (char *)answer->planner;
    message->expansions = answer->expansions;
    message->source_us = answer->cause.source_us;
    message->arrival_us = answer->cause.arrival_us;
    message->sent_us = self->transport.wall_us(self->transport.user);
    message->gap = agent->world->publishers.gaps != 0;
    message->valid_through = answer->valid_through;
    message->stale_map = rp_worlds_stale_us(agent->world) <= self->now.steady_us;
    message->map_age_ms = (self->now.steady_us - agent->world->changed_us) / 1000u;
}

void rp_encode_bends(rp_message_arena_t *arena, Replan__V1__Answer *message)
{
    const ProtobufCBinaryData *steps = &message->steps;
    const size_t count = message->cost < 0.0
                             ? 0
                             : rp_bends_of(message->geometry, message->start, steps->data,
                                           steps->len, NULL, NULL, NULL, 0);
    double *x = rp_message_arena_take(arena, count * sizeof *x);
    double *y = rp_message_arena_take(arena, count * sizeof *y);
    uint32_t *at = rp_message_arena_take(arena, count * sizeof *at);
    if (count == 0 || x == NULL || y == NULL || at == NULL) {
        return;
    }
    (void)rp_bends_of(message->geometry, message->start, steps->data, steps->len, x, y, at, count);
    message->n_bend_x = message->n_bend_y = message->n_bend_at = count;
    message->bend_x = x;
    message->bend_y = y;
    message->bend_at = at;
}

/// Where each number of a segment goes.
static void put_segment(const rp_path_segment_t *segment, size_t at, Replan__V1__Answer *message)
{
    message->segment_x[at] = segment->x_m;
    message->segment_y[at] = segment->y_m;
    message->segment_yaw[at] = segment->yaw;
    message->segment_curvature[at] = segment->curvature;
    message->segment_length[at] = segment->length_m;
    message->segment_turn[at] = segment->turn;
    if (message->segment_course != NULL) {
        message->segment_course[at] = segment->course;
    }
}

static void set_segment_count(Replan__V1__Answer *message, size_t count)
{
    message->n_segment_x = message->n_segment_y = message->n_segment_yaw = count;
    message->n_segment_curvature = message->n_segment_length = message->n_segment_turn = count;
    message->n_segment_course = message->segment_course != NULL ? count : 0u;
}

void rp_encode_segments(rp_message_arena_t *arena, const rp_answer_t *answer,
                        Replan__V1__Answer *message)
{
    const rp_answer_curve_t *curve = &answer->curve;
    const size_t columns = curve->has_courses ? 7u : 6u;
    double *numbers = rp_message_arena_take(arena, columns * curve->count * sizeof *numbers);
    message->family = curve->family;
    message->escape_segments = curve->escape_count;
    message->valid_through_m = curve->valid_through_m;
    message->leg_at = (uint32_t *)curve->leg_at; // the generated type knows no const
    message->n_leg_at = curve->leg_count;
    if (curve->count == 0 || numbers == NULL) {
        return;
    }
    message->segment_x = numbers;
    message->segment_y = numbers + curve->count;
    message->segment_yaw = numbers + 2u * curve->count;
    message->segment_curvature = numbers + 3u * curve->count;
    message->segment_length = numbers + 4u * curve->count;
    message->segment_turn = numbers + 5u * curve->count;
    message->segment_course = curve->has_courses ? numbers + 6u * curve->count : NULL;
    for (size_t i = 0; i < curve->count; i++) {
        put_segment(&curve->segments[i], i, message);
    }
    set_segment_count(message, curve->count);
}

void rp_encode_first_segments(const rp_answer_t *answer, size_t count, Replan__V1__Answer *message)
{
    set_segment_count(message, count);
    message->escape_segments =
        message->escape_segments < count ? message->escape_segments : (uint32_t)count;
    message->segments_more =
        message->segment_x != NULL ? answer->curve.count - (uint32_t)count : 0u;
}

/// Leave out so many numbers behind the first one, and so many at the end.
static void leave_out(double *numbers, size_t count, const rp_splice_t *splice)
{
    const size_t left = count - 1u - splice->head - splice->tail;
    memmove(numbers + 1, numbers + 1u + splice->head, left * sizeof *numbers);
}

void rp_encode_curve_splice(const rp_answer_t *answer, Replan__V1__Answer *message)
{
    const rp_splice_t *splice = &answer->curve.splice;
    const size_t count = message->n_segment_x;
    if (splice->head + splice->tail == 0 || count != answer->curve.count) {
        return;
    }
    leave_out(message->segment_x, count, splice);
    leave_out(message->segment_y, count, splice);
    leave_out(message->segment_yaw, count, splice);
    leave_out(message->segment_curvature, count, splice);
    leave_out(message->segment_length, count, splice);
    leave_out(message->segment_turn, count, splice);
    if (message->segment_course != NULL) {
        leave_out(message->segment_course, count, splice);
    }
    set_segment_count(message, count - splice->head - splice->tail);
    message->base_seq = answer->path_seq - 1u;
    message->segments_from_end = splice->from_end;
    message->segments_head = splice->head;
    message->segments_tail = splice->tail;
}

/// Steps that must stand, at least, for a splice to be the shorter message.
#define SPLICE_LEAST 16u

void rp_encode_splice(const rp_answer_t *answer, Replan__V1__Answer *message)
{
    const rp_splice_t *splice = &answer->splice;
    const uint32_t kept = splice->head + splice->tail;
    if (kept < SPLICE_LEAST) {
        return;
    }
    message->base_seq = answer->path_seq - 1u;
    message->kept_from_end = splice->from_end;
    message->kept_head = splice->head;
    message->kept_tail = splice->tail;
    message->steps.data += splice->head;
    message->steps.len -= kept;
}

size_t rp_encode_names(const rp_serving_t *self, const rp_left_out_t *sessions, char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < sessions->count; i++) {
        rp_agent_t *agent = rp_worlds_agent_of(&self->worlds, sessions->sessions[i]);
        if (agent != NULL) {
            names[count++] = agent->name;
        }
    }
    return count;
}

void rp_encode_head(const rp_serving_t *self, const rp_served_t *world, char **names,
                    Replan__V1__Head *message)
{
    rp_left_out_t left_out;
    replan__v1__head__init(message);
    message->world = (char *)world->name;
    message->epoch = world->epoch;
    message->version = rp_engine_version(self->engine, world->id);
    message->settled = rp_host_progress(self->host, world->id, &left_out).settled;
    message->overdue_agents = names;
    message->n_overdue_agents = rp_encode_names(self, &left_out, names);
    message->durable = world->durable;
    message->map_age_ms = (self->now.steady_us - world->changed_us) / 1000u;
    message->hash = rp_engine_hash(self->engine, world->id);
    message->window = rp_engine_window(self->engine, world->id, 0)->number;
    message->agents = world->agent_count;
    message->gap = world->publishers.gaps != 0;
    message->stale_map = rp_worlds_stale_us(world) <= self->now.steady_us;
}

void rp_encode_chunk(rp_serving_t *self, const rp_served_t *world, uint32_t first_row,
                     Replan__V1__Geometry *geometry, Replan__V1__Chunk *message)
{
    const uint32_t width = world->options.width;
    const uint32_t left = world->options.height - first_row;
    const uint32_t fitting = RP_LIMIT_CHUNK_BYTES / width;
    const uint32_t rows = left < fitting ? left : fitting;
    const uint8_t *bytes = rp_engine_bytes(self->engine, world->id);
    memcpy(self->chunk, bytes + (size_t)first_row * width, (size_t)rows * width);
    replan__v1__chunk__init(message);
    message->world = (char *)world->name;
    message->epoch = world->epoch;
    message->version = rp_engine_version(self->engine, world->id);
    message->window = rp_engine_window(self->engine, world->id, 0)->number;
    message->first_row = first_row;
    message->rows = rows;
    message->data = (ProtobufCBinaryData){(size_t)rows * width, self->chunk};
    message->first = first_row == 0;
    message->last = rows == left;
    if (first_row == 0) {
        rp_encode_geometry(world, geometry);
        message->geometry = geometry;
        message->neighbors = world->options.neighbors;
        message->wraps = world->options.wraps;
        message->profile = (char *)world->profile;
    }
}

void rp_publish_notice(rp_serving_t *self, const char *world, const rp_refusal_t *refusal,
                       const Replan__V1__Change *change, bool gap)
{
    Replan__V1__Notice notice;
    replan__v1__notice__init(&notice);
    const bool is_known = world[0] != '\0' && rp_worlds_find(&self->worlds, world) != NULL;
    char topic[RP_LIMIT_TOPIC];
    (void)snprintf(topic, sizeof topic, "status/%s/", is_known ? world : "-");
    notice.world = (char *)world;
    notice.status = refusal->status;
    notice.sentence = (char *)refusal->sentence;
    notice.gap = gap;
    if (change != NULL) {
        notice.publisher = change->publisher;
        notice.sequence = change->sequence;
    }
    if (rp_codec_pack(&self->packed, &notice.base)) {
        self->transport.publish(self->transport.user, topic, self->packed.bytes, self->packed.size);
    }
}
