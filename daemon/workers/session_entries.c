/// Opening, moving, and the newest answer. What a session is told goes to the worker that plans for
/// it, and its poses to those that plan for whoever chases it.
#include "daemon/workers/session_entries.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#include "base/array.h"

rp_session_entry_t *rp_session_entries_find(const rp_worker_pool_t *self, rp_session_id_t session)
{
    const uint32_t place = rp_id_place(session);
    rp_session_entry_t *entry = place < self->entry_capacity ? self->entries[place] : NULL;
    return entry != NULL && entry->session == session ? entry : NULL;
}

static bool is_planned_by(const rp_session_entry_t *entry, unsigned worker)
{
    return entry->group != NULL && entry->group->worker == worker;
}

static bool is_told(const rp_session_entry_t *entry, unsigned worker)
{
    return is_planned_by(entry, worker) || (entry->replicas >> worker & 1u) != 0;
}

// ---- opening

static void free_entry(rp_worker_pool_t *self, rp_session_entry_t *entry)
{
    if (entry->group != NULL) {
        rp_session_group_leave(&self->assignment, entry->layer, entry->group);
    }
    if (entry->is_news) {
        DL_DELETE(self->news, entry);
    }
    rp_layer_use_leave(&self->assignment, entry->layer);
    free(entry->newest);
    free(entry->footprint);
    free(entry);
}

static rp_session_entry_t *new_entry(rp_worker_pool_t *self, rp_world_id_t world,
                                     const rp_session_options_t *options)
{
    const rp_body_t point = {.profile = NULL};
    rp_session_entry_t *entry = calloc(1, sizeof *entry);
    if (entry == NULL) {
        return NULL;
    }
    const uint64_t key = rp_engine_layer_key(self->host.authority, world, &options->body);
    entry->layer =
        rp_layer_use_enter(&self->assignment, world, key,
                           key == rp_engine_layer_key(self->host.authority, world, &point));
    if (entry->layer == NULL) {
        free(entry);
        return NULL;
    }
    if (options->motion.footprint != NULL) {
        entry->footprint = malloc(sizeof *entry->footprint);
        if (entry->footprint == NULL) {
            free_entry(self, entry);
            return NULL;
        }
        *entry->footprint = *options->motion.footprint;
    }
    entry->world = world;
    entry->options = *options;
    entry->options.motion.footprint = entry->footprint;
    entry->options.is_judged = true; // where it is planned later the ground may have weights
    if (options->body.profile != NULL) {
        (void)strncpy(entry->profile, options->body.profile, RP_PROFILE_NAME_MAX);
        entry->options.body.profile = entry->profile;
    }
    return entry;
}

rp_status_t rp_session_entries_judge_body(const rp_host_t *host, rp_world_id_t world,
                                          const rp_body_t *body)
{
    const rp_worker_pool_t *self = rp_worker_pool_at(host);
    const rp_status_t status = rp_engine_judge_body(self->host.authority, world, body);
    if (status != RP_OK) {
        return status;
    }
    bool is_known;
    const rp_body_t point = {.profile = NULL};
    const uint64_t key = rp_engine_layer_key(self->host.authority, world, body);
    const uint32_t layers = rp_assignment_layers(&self->assignment, world, key, &is_known);
    is_known = is_known || key == rp_engine_layer_key(self->host.authority, world, &point);
    return is_known || layers < RP_LAYERS_MAX ? RP_OK : RP_E_LIMIT;
}

/// Whether a planner that knows no weights can do the ground of this body: that shows only when the
/// layer is there, so it is made for this.
static rp_status_t judge_planner(rp_worker_pool_t *self, rp_world_id_t world,
                                 const rp_session_options_t *options)
{
    rp_session_id_t judged;
    const rp_status_t status = rp_engine_open(self->host.authority, world, options, &judged);
    return status == RP_OK ? rp_engine_close(self->host.authority, judged) : status;
}

/// The authority keeps a point for it: whoever plans builds the layer.
static rp_status_t open_on_authority(rp_worker_pool_t *self, rp_world_id_t world,
                                     const rp_session_options_t *options, rp_session_id_t *session)
{
    const rp_planner_info_t *about =
        options->planner != NULL ? rp_planner_find(options->planner) : NULL;
    rp_session_options_t point = *options;
    rp_status_t status = rp_session_entries_judge_body(&self->host, world, &options->body);
    point.body = (rp_body_t){.profile = NULL};
    point.is_judged =
        options->is_judged || (about != NULL && (about->capabilities & RP_CAN_WEIGHTED) == 0);
    if (status == RP_OK && point.is_judged && !options->is_judged) {
        status = judge_planner(self, world, options);
    }
    return status == RP_OK ? rp_engine_open(self->host.authority, world, &point, session) : status;
}

rp_status_t rp_session_entries_open(rp_host_t *host, rp_world_id_t world,
                                    const rp_session_options_t *options, rp_session_id_t *session)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    const rp_status_t status = open_on_authority(self, world, options, session);
    if (status != RP_OK) {
        return status;
    }
    const uint32_t place = rp_id_place(*session);
    rp_session_entry_t *entry = rp_array_reserve_zeroed(&self->entries, &self->entry_capacity,
                                                        place + 1u, sizeof(rp_session_entry_t *))
                                    ? new_entry(self, world, options)
                                    : NULL;
    if (entry == NULL) {
        (void)rp_engine_close(self->host.authority, *session);
        return RP_E_MEMORY;
    }
    entry->session = *session;
    self->entries[place] = entry;
    return RP_OK;
}

/// What the workers must hear when a session ends.
static void add_closing(rp_worker_pool_t *self, rp_fanout_t *fanout,
                        const rp_session_entry_t *entry)
{
    for (unsigned i = 0; i < self->count; i++) {
        if (is_planned_by(entry, i)) {
            rp_fanout_add(self, fanout, i,
                          &(rp_command_t){.kind = RP_COMMAND_CLOSE, .subject = entry->session});
        }
        if ((entry->replicas >> i & 1u) != 0) {
            rp_fanout_add(
                self, fanout, i,
                &(rp_command_t){.kind = RP_COMMAND_CLOSE_REPLICA, .subject = entry->session});
        }
    }
}

rp_status_t rp_session_entries_close(rp_host_t *host, rp_session_id_t session)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_session_entry_t *entry = rp_session_entries_find(self, session);
    if (entry == NULL) {
        return rp_engine_close(self->host.authority, session);
    }
    rp_fanout_t fanout = {.count = 0};
    add_closing(self, &fanout, entry); // whom this does not reach plans on for nobody
    (void)rp_engine_close(self->host.authority, session);
    rp_fanout_send(self, &fanout);
    self->entries[rp_id_place(session)] = NULL;
    free_entry(self, entry);
    return RP_OK;
}

// ---- poses

/// @return what the authority says of a pose
static rp_status_t judge_pose(const rp_worker_pool_t *self, rp_session_id_t session,
                              const rp_host_pose_t *pose, rp_cause_t cause)
{
    return rp_engine_pose_with_yaw(self->host.authority, session, pose->x_m, pose->y_m, pose->yaw,
                                   pose->seq, cause);
}

/// A worker that hears of the session later must be told its yaw, too.
static double known_yaw(const rp_session_entry_t *entry, double yaw)
{
    return isfinite(yaw) || !entry->has_pose ? yaw : entry->pose.with.pose.yaw;
}

rp_status_t rp_session_entries_pose(rp_host_t *host, rp_session_id_t session,
                                    const rp_host_pose_t *pose, rp_cause_t cause)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_session_entry_t *entry = rp_session_entries_find(self, session);
    if (entry == NULL) {
        return judge_pose(self, session, pose, cause);
    }
    rp_fanout_t fanout = {.count = 0};
    rp_command_t command = {.kind = RP_COMMAND_POSE, .subject = session, .cause = cause};
    command.with.pose.x_m = pose->x_m;
    command.with.pose.y_m = pose->y_m;
    command.with.pose.yaw = known_yaw(entry, pose->yaw);
    command.with.pose.seq = pose->seq;
    const bool is_old = pose->seq != 0 && entry->has_pose && pose->seq <= entry->pose.with.pose.seq;
    for (unsigned i = 0; i < self->count && !is_old; i++) {
        if (is_told(entry, i)) {
            rp_fanout_add(self, &fanout, i, &command);
        }
    }
    const rp_status_t status =
        fanout.lacks_memory ? RP_E_MEMORY : judge_pose(self, session, pose, cause);
    if (status == RP_OK && !is_old) {
        entry->pose = command;
        entry->has_pose = true;
        rp_fanout_send(self, &fanout);
    }
    return status;
}

// ---- goals

/// What a worker must hear to plan for the session from now on, and another one to stop.
static void add_move(rp_worker_pool_t *self, rp_fanout_t *fanout, const rp_session_entry_t *entry,
                     unsigned to)
{
    if (entry->group != NULL) {
        rp_fanout_add(self, fanout, entry->group->worker,
                      &(rp_command_t){.kind = RP_COMMAND_CLOSE, .subject = entry->session});
    }
    rp_command_t open = {.kind = RP_COMMAND_OPEN, .subject = entry->session};
    open.with.open.options = &entry->options;
    open.with.open.world = entry->world;
    open.with.open.entry = self->last_number + 1u;
    rp_fanout_add(self, fanout, to, &open);
    if (entry->has_pose) {
        rp_fanout_add(self, fanout, to, &entry->pose);
    }
}

static void take_place(rp_worker_pool_t *self, rp_session_entry_t *entry, rp_session_group_t *group)
{
    if (!is_planned_by(entry, group->worker)) {
        entry->number = ++self->last_number;
    }
    if (entry->group != NULL) {
        rp_session_group_leave(&self->assignment, entry->layer, entry->group);
    }
    entry->group = group;
}

/// A target is known to each worker that plans for somebody who chases it: by its poses alone.
/// @return true when a command for that was added
static bool add_replica(rp_worker_pool_t *self, rp_fanout_t *fanout,
                        const rp_session_entry_t *target, unsigned worker)
{
    if (target == NULL || (target->replicas >> worker & 1u) != 0) {
        return false;
    }
    rp_command_t replica = {.kind = RP_COMMAND_OPEN_REPLICA, .subject = target->session};
    replica.with.open.world = target->world;
    rp_fanout_add(self, fanout, worker, &replica);
    if (target->has_pose) {
        rp_fanout_add(self, fanout, worker, &target->pose);
    }
    return true;
}

static void add_look(rp_worker_pool_t *self, rp_fanout_t *fanout, const rp_session_entry_t *entry,
                     unsigned worker)
{
    rp_command_t look = {.kind = RP_COMMAND_LOOK, .subject = entry->session};
    look.with.ticket = entry->look_wanted;
    rp_fanout_add(self, fanout, worker, &look);
}

static rp_session_group_t *join(rp_worker_pool_t *self, const rp_session_entry_t *entry,
                                const rp_aim_t *aim)
{
    const unsigned now_at = entry->group != NULL ? entry->group->worker : RP_NO_WORKER;
    return rp_session_group_join(&self->assignment, entry->layer,
                                 rp_session_group_key(entry->layer, aim), now_at);
}

rp_status_t rp_session_entries_aim(rp_host_t *host, rp_session_id_t session, const rp_aim_t *aim,
                                   rp_cause_t cause)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_session_entry_t *entry = rp_session_entries_find(self, session);
    if (entry == NULL) {
        return rp_engine_aim(self->host.authority, session, aim, cause);
    }
    rp_fanout_t fanout = {.count = 0};
    rp_command_t command = {.kind = RP_COMMAND_AIM, .subject = session, .cause = cause};
    command.with.aim = aim;
    rp_session_group_t *group = join(self, entry, aim);
    if (group == NULL) {
        return RP_E_MEMORY;
    }
    const bool moves = !is_planned_by(entry, group->worker);
    if (moves) {
        add_move(self, &fanout, entry, group->worker);
    }
    rp_session_entry_t *target =
        aim->kind == RP_AIM_TARGET ? rp_session_entries_find(self, aim->target) : NULL;
    const bool has_replica = add_replica(self, &fanout, target, group->worker);
    rp_fanout_add(self, &fanout, group->worker, &command);
    if (moves && entry->look_wanted > entry->looked) {
        add_look(self, &fanout, entry, group->worker); // the other one cannot answer it any more
    }
    const rp_status_t status = fanout.lacks_memory
                                   ? RP_E_MEMORY
                                   : rp_engine_aim(self->host.authority, session, aim, cause);
    if (status != RP_OK) {
        rp_session_group_leave(&self->assignment, entry->layer, group);
        return status;
    }
    take_place(self, entry, group);
    if (has_replica) {
        target->replicas |= 1u << group->worker;
    }
    rp_fanout_send(self, &fanout);
    return RP_OK;
}

rp_status_t rp_session_entries_retarget(rp_host_t *host, rp_session_id_t session,
                                        rp_session_id_t target, rp_cause_t cause)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    const rp_session_entry_t *entry = rp_session_entries_find(self, session);
    if (entry == NULL || entry->group == NULL) {
        return rp_engine_retarget(self->host.authority, session, target, cause);
    }
    const unsigned worker = entry->group->worker;
    rp_session_entry_t *chased = rp_session_entries_find(self, target);
    rp_fanout_t fanout = {.count = 0};
    rp_command_t command = {.kind = RP_COMMAND_RETARGET, .subject = session, .cause = cause};
    command.with.target = target;
    const bool has_replica = add_replica(self, &fanout, chased, worker);
    rp_fanout_add(self, &fanout, worker, &command);
    const rp_status_t status =
        fanout.lacks_memory ? RP_E_MEMORY
                            : rp_engine_retarget(self->host.authority, session, target, cause);
    if (status == RP_OK) {
        if (has_replica) {
            chased->replicas |= 1u << worker;
        }
        rp_fanout_send(self, &fanout);
    }
    return status;
}

rp_status_t rp_session_entries_settle(rp_worker_pool_t *self, rp_session_entry_t *entry)
{
    const rp_aim_t nowhere = {.target = entry->session};
    if (entry->group != NULL) {
        return RP_OK;
    }
    rp_fanout_t fanout = {.count = 0};
    rp_session_group_t *group = join(self, entry, &nowhere);
    if (group == NULL) {
        return RP_E_MEMORY;
    }
    add_move(self, &fanout, entry, group->worker);
    if (fanout.lacks_memory) {
        rp_session_group_leave(&self->assignment, entry->layer, group);
        return RP_E_MEMORY;
    }
    take_place(self, entry, group);
    rp_fanout_send(self, &fanout);
    return RP_OK;
}

// ---- what they say

/// It is new: the count goes on wherever the session is planned now.
static void count_answer(rp_session_entry_t *entry, rp_answer_msg_t *message)
{
    entry->path_seq++;
    entry->follows = entry->newest != NULL && entry->newest->entry == message->entry &&
                     entry->newest->number + 1u == message->number;
    entry->last_published = message->last_published;
    if (message->answer.reason == RP_REASON_FIRST && entry->path_seq > 1) {
        message->answer.reason = RP_REASON_GOAL; // another worker plans for it, for other goals
    }
    rp_past_answer_t *past = &entry->past[entry->path_seq % RP_PAST_MAX];
    *past = message->past;
    past->path_seq = entry->path_seq;
    past->reason = message->answer.reason;
}

void rp_session_entries_take_answer(rp_worker_pool_t *self, rp_answer_msg_t *message)
{
    rp_session_entry_t *entry = rp_session_entries_find(self, message->session);
    if (entry == NULL || entry->number != message->entry) {
        free(message); // of a session that is gone, or is planned elsewhere
        return;
    }
    if (message->ticket != 0) {
        entry->looked = message->ticket;
        entry->looked_us = self->now_us;
        message->answer.reason =
            entry->newest != NULL ? entry->newest->answer.reason : message->answer.reason;
    } else {
        count_answer(entry, message);
        if (!entry->is_news) {
            entry->is_news = true;
            DL_APPEND(self->news, entry);
        }
    }
    message->answer.session = entry->session;
    message->answer.path_seq = entry->path_seq;
    message->answer.splice = entry->follows ? message->answer.splice : (rp_splice_t){0};
    message->answer.curve.splice = entry->follows ? message->answer.curve.splice : (rp_splice_t){0};
    free(entry->newest);
    entry->newest = message;
}

bool rp_session_entries_next_answer(rp_host_t *host, rp_answer_t *answer)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_session_entry_t *entry = self->news;
    if (entry == NULL) {
        return false;
    }
    entry->is_news = false;
    DL_DELETE(self->news, entry);
    *answer = entry->newest->answer;
    return true;
}

rp_status_t rp_session_entries_answer(const rp_host_t *host, rp_session_id_t session,
                                      rp_answer_t *answer)
{
    const rp_worker_pool_t *self = rp_worker_pool_at(host);
    const rp_session_entry_t *entry = rp_session_entries_find(self, session);
    if (entry == NULL || entry->newest == NULL) {
        return rp_engine_answer(self->host.authority, session, answer);
    }
    *answer = entry->newest->answer;
    return RP_OK;
}

uint64_t rp_session_entries_last_published(const rp_host_t *host, rp_session_id_t session)
{
    const rp_worker_pool_t *self = rp_worker_pool_at(host);
    const rp_session_entry_t *entry = rp_session_entries_find(self, session);
    return entry != NULL ? entry->last_published
                         : rp_engine_last_published(self->host.authority, session);
}

size_t rp_session_entries_past(const rp_host_t *host, rp_session_id_t session,
                               rp_past_answer_t *past)
{
    const rp_worker_pool_t *self = rp_worker_pool_at(host);
    const rp_session_entry_t *entry = rp_session_entries_find(self, session);
    if (entry == NULL) {
        return rp_engine_past(self->host.authority, session, past);
    }
    const size_t count = entry->path_seq < RP_PAST_MAX ? (size_t)entry->path_seq : RP_PAST_MAX;
    for (size_t i = 0; i < count; i++) {
        past[i] = entry->past[(entry->path_seq - i) % RP_PAST_MAX];
    }
    return count;
}

uint64_t rp_session_entries_look(rp_host_t *host, rp_session_id_t session)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_session_entry_t *entry = rp_session_entries_find(self, session);
    if (entry == NULL || entry->group == NULL) {
        return 0; // it can be seen from here
    }
    rp_fanout_t fanout = {.count = 0};
    entry->look_wanted = ++self->last_ticket;
    add_look(self, &fanout, entry, entry->group->worker);
    rp_fanout_send(self, &fanout);
    return fanout.lacks_memory ? 0 : entry->look_wanted; // 0: what is known must do
}

bool rp_session_entries_has_looked(const rp_host_t *host, rp_session_id_t session, uint64_t ticket)
{
    const rp_worker_pool_t *self = rp_worker_pool_at(host);
    const rp_session_entry_t *entry = rp_session_entries_find(self, session);
    return entry != NULL ? entry->looked >= ticket
                         : rp_engine_is_sure(self->host.authority, session);
}

void rp_session_entries_hasten(rp_host_t *host, rp_session_id_t session)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    const rp_session_entry_t *entry = rp_session_entries_find(self, session);
    if (entry == NULL) {
        (void)rp_engine_hasten(self->host.authority, session); // without memory it is said later
    } else if (entry->group != NULL) {
        const rp_command_t command = {.kind = RP_COMMAND_HASTEN, .subject = session};
        rp_fanout_t fanout = {.count = 0};
        rp_fanout_add(self, &fanout, entry->group->worker, &command);
        rp_fanout_send(self, &fanout);
    }
}

/// Nobody may have asked any more when a look came back. That is no word on versions long after it.
#define CURRENT_US 20000u

bool rp_session_entries_is_current(rp_host_t *host, rp_session_id_t session)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_session_entry_t *entry = rp_session_entries_find(self, session);
    if (entry == NULL) {
        return rp_engine_is_sure(self->host.authority, session);
    }
    const uint64_t newest = rp_engine_version(self->host.authority, entry->world);
    if (entry->newest != NULL && entry->newest->answer.version == newest) {
        return true;
    }
    const bool has_looked = entry->current_ticket != 0 && entry->looked >= entry->current_ticket;
    const bool is_current = has_looked && self->now_us <= entry->looked_us + CURRENT_US;
    if (has_looked) {
        entry->current_ticket = 0; // next time it is looked at again
    }
    if (entry->current_ticket == 0 && !is_current) {
        entry->current_ticket = rp_session_entries_look(host, session);
    }
    return is_current;
}

void rp_session_entries_fini(rp_worker_pool_t *self)
{
    for (uint32_t i = 0; i < self->entry_capacity; i++) {
        if (self->entries[i] != NULL) {
            free_entry(self, self->entries[i]);
        }
    }
    free(self->entries);
}
