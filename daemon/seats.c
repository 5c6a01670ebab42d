/// Sessions, and where they sit. The reactor owns their poses, the order of what they are told, and
/// the count of what they said; so a session can be seated with another worker when it gets goals
/// that a group there has.
#include "daemon/workers.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#include "daemon/workers_state.h"

rp_seat_t *rp_seat_of(const rp_workers_t *self, rp_session_id_t session)
{
    return session < self->seat_capacity ? self->seats[session] : NULL;
}

static bool is_seated_at(const rp_seat_t *seat, unsigned worker)
{
    return seat->group != NULL && seat->group->worker == worker;
}

static bool is_told(const rp_seat_t *seat, unsigned worker)
{
    return is_seated_at(seat, worker) || (seat->shadows >> worker & 1u) != 0;
}

// ---- opening

static rp_seat_t *new_seat(rp_workers_t *self, rp_world_id_t world,
                           const rp_session_options_t *options)
{
    const rp_body_t point = {.profile = NULL};
    rp_seat_t *seat = calloc(1, sizeof *seat);
    if (seat == NULL) {
        return NULL;
    }
    const uint64_t key = rp_engine_layer_key(self->ground, world, &options->body);
    seat->lodging = rp_lodging_enter(&self->placement, world, key,
                                     key == rp_engine_layer_key(self->ground, world, &point));
    if (seat->lodging == NULL) {
        free(seat);
        return NULL;
    }
    seat->world = world;
    seat->options = *options;
    seat->options.is_judged = true; // where it is seated later the ground may have weights
    if (options->body.profile != NULL) {
        (void)strncpy(seat->profile, options->body.profile, RP_PROFILE_NAME_MAX);
        seat->options.body.profile = seat->profile;
    }
    return seat;
}

static void free_seat(rp_workers_t *self, rp_seat_t *seat)
{
    if (seat->group != NULL) {
        rp_group_leave(&self->placement, seat->lodging, seat->group);
    }
    if (seat->is_news) {
        DL_DELETE(self->news, seat);
    }
    rp_lodging_leave(&self->placement, seat->lodging);
    free(seat->told);
    free(seat);
}

static bool reserve_seat(rp_workers_t *self, rp_session_id_t session)
{
    if (session < self->seat_capacity) {
        return true;
    }
    const uint32_t capacity = 2u * session + 64u;
    rp_seat_t **seats = realloc(self->seats, capacity * sizeof(rp_seat_t *));
    if (seats == NULL) {
        return false;
    }
    for (uint32_t i = self->seat_capacity; i < capacity; i++) {
        seats[i] = NULL;
    }
    self->seats = seats;
    self->seat_capacity = capacity;
    return true;
}

/// Whether a planner that knows no weights can do the ground of this body: that shows only when the
/// layer is there, so it is made for this.
static rp_status_t judge_planner(rp_workers_t *self, rp_world_id_t world,
                                 const rp_session_options_t *options)
{
    rp_session_id_t judged;
    const rp_status_t status = rp_engine_open(self->ground, world, options, &judged);
    return status == RP_OK ? rp_engine_close(self->ground, judged) : status;
}

/// The ground keeps a point for it: whoever plans builds the layer.
static rp_status_t open_on_ground(rp_workers_t *self, rp_world_id_t world,
                                  const rp_session_options_t *options, rp_session_id_t *session)
{
    const rp_planner_info_t *about =
        options->planner != NULL ? rp_planner_find(options->planner) : NULL;
    rp_session_options_t point = *options;
    rp_status_t status = rp_workers_judge_body(self, world, &options->body);
    point.body = (rp_body_t){.profile = NULL};
    point.is_judged = about != NULL && (about->capabilities & RP_CAN_WEIGHTED) == 0;
    if (status == RP_OK && point.is_judged && !options->is_judged) {
        status = judge_planner(self, world, options);
    }
    return status == RP_OK ? rp_engine_open(self->ground, world, &point, session) : status;
}

rp_status_t rp_workers_open(rp_workers_t *self, rp_world_id_t world,
                            const rp_session_options_t *options, rp_session_id_t *session)
{
    if (self->count == 0) {
        return rp_engine_open(self->ground, world, options, session);
    }
    const rp_status_t status = open_on_ground(self, world, options, session);
    if (status != RP_OK) {
        return status;
    }
    rp_seat_t *seat = reserve_seat(self, *session) ? new_seat(self, world, options) : NULL;
    if (seat == NULL) {
        (void)rp_engine_close(self->ground, *session);
        return RP_E_MEMORY;
    }
    seat->session = *session;
    self->seats[*session] = seat;
    return RP_OK;
}

/// What the workers must hear when a session ends.
static void add_closing(rp_workers_t *self, rp_sheaf_t *sheaf, const rp_seat_t *seat)
{
    for (unsigned i = 0; i < self->count; i++) {
        if (is_seated_at(seat, i)) {
            rp_sheaf_add(self, sheaf, i,
                         &(rp_command_t){.kind = RP_COMMAND_CLOSE, .subject = seat->session});
        }
        if ((seat->shadows >> i & 1u) != 0) {
            rp_sheaf_add(self, sheaf, i,
                         &(rp_command_t){.kind = RP_COMMAND_UNSHADOW, .subject = seat->session});
        }
    }
}

rp_status_t rp_workers_close(rp_workers_t *self, rp_session_id_t session)
{
    rp_seat_t *seat = rp_seat_of(self, session);
    if (seat == NULL) {
        return rp_engine_close(self->ground, session);
    }
    rp_sheaf_t sheaf = {.count = 0};
    add_closing(self, &sheaf, seat); // whom this does not reach plans on for nobody
    (void)rp_engine_close(self->ground, session);
    rp_sheaf_send(self, &sheaf);
    self->seats[session] = NULL;
    free_seat(self, seat);
    return RP_OK;
}

// ---- poses

rp_status_t rp_workers_pose(rp_workers_t *self, rp_session_id_t session, double x_m, double y_m,
                            uint64_t pose_seq, rp_cause_t cause)
{
    rp_seat_t *seat = rp_seat_of(self, session);
    if (seat == NULL) {
        return rp_engine_pose(self->ground, session, x_m, y_m, pose_seq, cause);
    }
    rp_sheaf_t sheaf = {.count = 0};
    rp_command_t command = {.kind = RP_COMMAND_POSE, .subject = session, .cause = cause};
    command.with.pose.x_m = x_m;
    command.with.pose.y_m = y_m;
    command.with.pose.seq = pose_seq;
    const bool is_old = pose_seq != 0 && seat->has_pose && pose_seq <= seat->pose.with.pose.seq;
    for (unsigned i = 0; i < self->count && !is_old; i++) {
        if (is_told(seat, i)) {
            rp_sheaf_add(self, &sheaf, i, &command);
        }
    }
    const rp_status_t status =
        sheaf.lacks_memory ? RP_E_MEMORY
                           : rp_engine_pose(self->ground, session, x_m, y_m, pose_seq, cause);
    if (status == RP_OK && !is_old) {
        seat->pose = command;
        seat->has_pose = true;
        rp_sheaf_send(self, &sheaf);
    }
    return status;
}

// ---- goals

/// What a worker must hear to plan for the session from now on, and another one to stop.
static void add_move(rp_workers_t *self, rp_sheaf_t *sheaf, const rp_seat_t *seat, unsigned to)
{
    if (seat->group != NULL) {
        rp_sheaf_add(self, sheaf, seat->group->worker,
                     &(rp_command_t){.kind = RP_COMMAND_CLOSE, .subject = seat->session});
    }
    rp_command_t open = {.kind = RP_COMMAND_OPEN, .subject = seat->session};
    open.with.open.options = &seat->options;
    open.with.open.world = seat->world;
    open.with.open.seat = self->last_number + 1u;
    rp_sheaf_add(self, sheaf, to, &open);
    if (seat->has_pose) {
        rp_sheaf_add(self, sheaf, to, &seat->pose);
    }
}

static void take_seat(rp_workers_t *self, rp_seat_t *seat, rp_group_t *group)
{
    if (!is_seated_at(seat, group->worker)) {
        seat->number = ++self->last_number;
    }
    if (seat->group != NULL) {
        rp_group_leave(&self->placement, seat->lodging, seat->group);
    }
    seat->group = group;
}

/// A target is known to each worker that plans for somebody who chases it: by its poses alone.
/// @return true when a command for that was added
static bool add_shadow(rp_workers_t *self, rp_sheaf_t *sheaf, const rp_seat_t *target,
                       unsigned worker)
{
    if (target == NULL || (target->shadows >> worker & 1u) != 0) {
        return false;
    }
    rp_command_t shadow = {.kind = RP_COMMAND_SHADOW, .subject = target->session};
    shadow.with.open.world = target->world;
    rp_sheaf_add(self, sheaf, worker, &shadow);
    if (target->has_pose) {
        rp_sheaf_add(self, sheaf, worker, &target->pose);
    }
    return true;
}

static void add_look(rp_workers_t *self, rp_sheaf_t *sheaf, const rp_seat_t *seat, unsigned worker)
{
    rp_command_t look = {.kind = RP_COMMAND_LOOK, .subject = seat->session};
    look.with.ticket = seat->look_wanted;
    rp_sheaf_add(self, sheaf, worker, &look);
}

static rp_group_t *join(rp_workers_t *self, const rp_seat_t *seat, const rp_aim_t *aim)
{
    const unsigned now_at = seat->group != NULL ? seat->group->worker : RP_NO_WORKER;
    return rp_group_join(&self->placement, seat->lodging, rp_group_key(seat->lodging, aim), now_at);
}

rp_status_t rp_workers_aim(rp_workers_t *self, rp_session_id_t session, const rp_aim_t *aim,
                           rp_cause_t cause)
{
    rp_seat_t *seat = rp_seat_of(self, session);
    if (seat == NULL) {
        return rp_engine_aim(self->ground, session, aim, cause);
    }
    rp_sheaf_t sheaf = {.count = 0};
    rp_command_t command = {.kind = RP_COMMAND_AIM, .subject = session, .cause = cause};
    command.with.aim = aim;
    rp_group_t *group = join(self, seat, aim);
    if (group == NULL) {
        return RP_E_MEMORY;
    }
    const bool moves = !is_seated_at(seat, group->worker);
    if (moves) {
        add_move(self, &sheaf, seat, group->worker);
    }
    rp_seat_t *target = aim->kind == RP_AIM_TARGET ? rp_seat_of(self, aim->target) : NULL;
    const bool has_shadow = add_shadow(self, &sheaf, target, group->worker);
    rp_sheaf_add(self, &sheaf, group->worker, &command);
    if (moves && seat->look_wanted > seat->looked) {
        add_look(self, &sheaf, seat, group->worker); // the other one cannot answer it any more
    }
    const rp_status_t status =
        sheaf.lacks_memory ? RP_E_MEMORY : rp_engine_aim(self->ground, session, aim, cause);
    if (status != RP_OK) {
        rp_group_leave(&self->placement, seat->lodging, group);
        return status;
    }
    take_seat(self, seat, group);
    if (has_shadow) {
        target->shadows |= 1u << group->worker;
    }
    rp_sheaf_send(self, &sheaf);
    return RP_OK;
}

rp_status_t rp_workers_retarget(rp_workers_t *self, rp_session_id_t session, rp_session_id_t target,
                                rp_cause_t cause)
{
    const rp_seat_t *seat = rp_seat_of(self, session);
    if (seat == NULL || seat->group == NULL) {
        return rp_engine_retarget(self->ground, session, target, cause);
    }
    const unsigned worker = seat->group->worker;
    rp_seat_t *chased = rp_seat_of(self, target);
    rp_sheaf_t sheaf = {.count = 0};
    rp_command_t command = {.kind = RP_COMMAND_RETARGET, .subject = session, .cause = cause};
    command.with.target = target;
    const bool has_shadow = add_shadow(self, &sheaf, chased, worker);
    rp_sheaf_add(self, &sheaf, worker, &command);
    const rp_status_t status =
        sheaf.lacks_memory ? RP_E_MEMORY : rp_engine_retarget(self->ground, session, target, cause);
    if (status == RP_OK) {
        if (has_shadow) {
            chased->shadows |= 1u << worker;
        }
        rp_sheaf_send(self, &sheaf);
    }
    return status;
}

rp_status_t rp_seat_settle(rp_workers_t *self, rp_seat_t *seat)
{
    const rp_aim_t nowhere = {.target = seat->session};
    if (seat->group != NULL) {
        return RP_OK;
    }
    rp_sheaf_t sheaf = {.count = 0};
    rp_group_t *group = join(self, seat, &nowhere);
    if (group == NULL) {
        return RP_E_MEMORY;
    }
    add_move(self, &sheaf, seat, group->worker);
    if (sheaf.lacks_memory) {
        rp_group_leave(&self->placement, seat->lodging, group);
        return RP_E_MEMORY;
    }
    take_seat(self, seat, group);
    rp_sheaf_send(self, &sheaf);
    return RP_OK;
}

// ---- what they say

/// It is new: the count goes on wherever the session is planned now.
static void count_answer(rp_seat_t *seat, rp_told_t *told)
{
    seat->path_seq++;
    seat->follows = seat->told != NULL && seat->told->seat == told->seat &&
                    seat->told->number + 1u == told->number;
    seat->last_said = told->last_said;
    if (told->answer.reason == RP_REASON_FIRST && seat->path_seq > 1) {
        told->answer.reason = RP_REASON_GOAL; // it was seated anew, for other goals
    }
    rp_said_t *past = &seat->past[seat->path_seq % RP_PAST_MAX];
    *past = told->said;
    past->path_seq = seat->path_seq;
    past->reason = told->answer.reason;
}

void rp_seat_take_told(rp_workers_t *self, rp_told_t *told)
{
    rp_seat_t *seat = rp_seat_of(self, told->session);
    if (seat == NULL || seat->number != told->seat) {
        free(told); // of a session that is gone, or sits elsewhere
        return;
    }
    if (told->ticket != 0) {
        seat->looked = told->ticket;
        seat->looked_us = self->now_us;
        told->answer.reason = seat->told != NULL ? seat->told->answer.reason : told->answer.reason;
    } else {
        count_answer(seat, told);
        if (!seat->is_news) {
            seat->is_news = true;
            DL_APPEND(self->news, seat);
        }
    }
    told->answer.session = seat->session;
    told->answer.path_seq = seat->path_seq;
    told->answer.splice = seat->follows ? told->answer.splice : (rp_splice_t){0};
    free(seat->told);
    seat->told = told;
}

bool rp_workers_next_answer(rp_workers_t *self, rp_answer_t *answer)
{
    rp_seat_t *seat = self->news;
    if (self->count == 0) {
        return rp_engine_next_answer(self->ground, answer);
    }
    if (seat == NULL) {
        return false;
    }
    seat->is_news = false;
    DL_DELETE(self->news, seat);
    *answer = seat->told->answer;
    return true;
}

rp_status_t rp_workers_answer(const rp_workers_t *self, rp_session_id_t session,
                              rp_answer_t *answer)
{
    const rp_seat_t *seat = rp_seat_of(self, session);
    if (seat == NULL || seat->told == NULL) {
        return rp_engine_answer(self->ground, session, answer);
    }
    *answer = seat->told->answer;
    return RP_OK;
}

uint64_t rp_workers_last_said(const rp_workers_t *self, rp_session_id_t session)
{
    const rp_seat_t *seat = rp_seat_of(self, session);
    return seat != NULL ? seat->last_said : rp_engine_last_published(self->ground, session);
}

size_t rp_workers_past(const rp_workers_t *self, rp_session_id_t session, rp_said_t *said)
{
    const rp_seat_t *seat = rp_seat_of(self, session);
    if (seat == NULL) {
        return rp_engine_past(self->ground, session, said);
    }
    const size_t count = seat->path_seq < RP_PAST_MAX ? (size_t)seat->path_seq : RP_PAST_MAX;
    for (size_t i = 0; i < count; i++) {
        said[i] = seat->past[(seat->path_seq - i) % RP_PAST_MAX];
    }
    return count;
}

uint64_t rp_workers_look(rp_workers_t *self, rp_session_id_t session)
{
    rp_seat_t *seat = rp_seat_of(self, session);
    if (seat == NULL || seat->group == NULL) {
        return 0; // it can be seen from here
    }
    rp_sheaf_t sheaf = {.count = 0};
    seat->look_wanted = ++self->last_ticket;
    add_look(self, &sheaf, seat, seat->group->worker);
    rp_sheaf_send(self, &sheaf);
    return sheaf.lacks_memory ? 0 : seat->look_wanted; // 0: what is known must do
}

bool rp_workers_have_looked(const rp_workers_t *self, rp_session_id_t session, uint64_t ticket)
{
    const rp_seat_t *seat = rp_seat_of(self, session);
    return seat != NULL ? seat->looked >= ticket : rp_engine_is_sure(self->ground, session);
}

void rp_workers_hasten(rp_workers_t *self, rp_session_id_t session)
{
    const rp_seat_t *seat = rp_seat_of(self, session);
    if (seat == NULL) {
        (void)rp_engine_hasten(self->ground, session); // without memory it is said later
    } else if (seat->group != NULL) {
        const rp_command_t command = {.kind = RP_COMMAND_HASTEN, .subject = session};
        rp_sheaf_t sheaf = {.count = 0};
        rp_sheaf_add(self, &sheaf, seat->group->worker, &command);
        rp_sheaf_send(self, &sheaf);
    }
}

/// Nobody may have asked any more when a look came back. That is no word on versions long after it.
#define FRESH_US 20000u

bool rp_workers_are_fresh(rp_workers_t *self, rp_session_id_t session)
{
    rp_seat_t *seat = rp_seat_of(self, session);
    if (seat == NULL) {
        return rp_engine_is_sure(self->ground, session);
    }
    const uint64_t newest = rp_engine_version(self->ground, seat->world);
    if (seat->told != NULL && seat->told->answer.version == newest) {
        return true;
    }
    const bool has_looked = seat->freshening != 0 && seat->looked >= seat->freshening;
    const bool is_fresh = has_looked && self->now_us <= seat->looked_us + FRESH_US;
    if (has_looked) {
        seat->freshening = 0; // next time it is looked at again
    }
    if (seat->freshening == 0 && !is_fresh) {
        seat->freshening = rp_workers_look(self, session);
    }
    return is_fresh;
}

void rp_seats_fini(rp_workers_t *self)
{
    for (uint32_t i = 0; i < self->seat_capacity; i++) {
        if (self->seats[i] != NULL) {
            free_seat(self, self->seats[i]);
        }
    }
    free(self->seats);
}
