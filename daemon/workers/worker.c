/// The thread of a worker. The reactor's own engine has accepted every command before it comes
/// here, so that only memory can be missing: then the worker waits until there is some, and what it
/// was told last is not settled so long.
#include "daemon/workers/worker.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MEMORY_WAIT_US 10000u

/// What stands behind a wire handle.
typedef struct local {
    rp_session_id_t session; ///< of the engine; 0: it plans elsewhere
    rp_session_id_t replica; ///< of the engine: for those who chase it; 0: none
    uint32_t entry;
} local_t;

typedef struct look {
    rp_session_id_t session; ///< by its wire handle
    uint64_t ticket;
} look_t;

typedef struct job {
    rp_query_id_t query; ///< by the host's number
    rp_query_id_t local; ///< of the engine
} job_t;

struct rp_worker {
    pthread_t thread;
    rp_mailbox_t commands;
    rp_mailbox_t *reports;
    unsigned number;
    // the thread's own
    rp_engine_t *engine;
    local_t *locals; ///< by place of the wire handle [local_count]
    uint32_t local_count;
    rp_session_id_t *handles; ///< wire handles, by place of the engine's session [handle_count]
    uint32_t handle_count;
    look_t *looks; ///< [look_count]
    uint32_t look_count;
    uint32_t look_capacity;
    job_t jobs[RP_QUERIES_MAX];
    uint32_t job_count;
    rp_world_id_t worlds[RP_LIMIT_WORLDS + 1u]; ///< by place; 0: none is open there
    uint64_t now_us;
    uint64_t done;
    uint64_t done_bytes; ///< of messages that their commands point into
    bool is_ending;
    rp_report_t *report; ///< being written
    rp_answer_msg_t **last_told;
    rp_query_report_t **last_found;
};

// ---- memory

static void wait_for_memory(void)
{
    (void)usleep(MEMORY_WAIT_US);
}

static void *must_have(void *old, size_t size)
{
    void *memory;
    while ((memory = realloc(old, size)) == NULL) {
        wait_for_memory();
    }
    return memory;
}

/// Try again for want of memory. @return true when the call is to be repeated
static bool must_repeat(rp_status_t status)
{
    if (status == RP_E_MEMORY) {
        wait_for_memory();
    }
    return status == RP_E_MEMORY;
}

// ---- sessions

static local_t *local_of(rp_worker_t *self, rp_session_id_t handle)
{
    const uint32_t place = rp_id_place(handle);
    if (place >= self->local_count) {
        const uint32_t count = 2u * place + 64u;
        self->locals = must_have(self->locals, count * sizeof *self->locals);
        memset(self->locals + self->local_count, 0,
               (count - self->local_count) * sizeof *self->locals);
        self->local_count = count;
    }
    return &self->locals[place];
}

static void note_handle(rp_worker_t *self, rp_session_id_t session, rp_session_id_t handle)
{
    const uint32_t place = rp_id_place(session);
    if (place >= self->handle_count) {
        const uint32_t count = 2u * place + 64u;
        self->handles = must_have(self->handles, count * sizeof *self->handles);
        self->handle_count = count;
    }
    self->handles[place] = handle;
}

static rp_session_id_t open_session(rp_worker_t *self, rp_world_id_t world,
                                    const rp_session_options_t *options)
{
    rp_session_id_t session = 0;
    rp_status_t status;
    do {
        status = rp_engine_open(self->engine, world, options, &session);
    } while (must_repeat(status));
    assert(status == RP_OK);
    return session;
}

static void open_entry(rp_worker_t *self, const rp_command_t *command)
{
    local_t *local = local_of(self, command->subject);
    local->session = open_session(self, command->with.open.world, command->with.open.options);
    local->entry = command->with.open.entry;
    note_handle(self, local->session, command->subject);
}

static void open_replica(rp_worker_t *self, const rp_command_t *command)
{
    const rp_session_options_t point = {.planner = NULL};
    local_t *local = local_of(self, command->subject);
    local->replica = open_session(self, command->with.open.world, &point);
}

static void close_entry(rp_worker_t *self, rp_session_id_t handle)
{
    local_t *local = local_of(self, handle);
    (void)rp_engine_close(self->engine, local->session);
    local->session = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < self->look_count; i++) {
        if (self->looks[i].session != handle) {
            self->looks[kept++] = self->looks[i];
        }
    }
    self->look_count = kept;
}

static void move(rp_worker_t *self, const rp_command_t *command)
{
    const local_t *local = local_of(self, command->subject);
    const rp_session_id_t both[] = {local->session, local->replica};
    for (size_t i = 0; i < 2; i++) {
        if (both[i] != 0) {
            (void)rp_engine_pose_with_yaw(self->engine, both[i], command->with.pose.x_m,
                                          command->with.pose.y_m, command->with.pose.yaw,
                                          command->with.pose.seq, command->cause);
        }
    }
}

static void aim(rp_worker_t *self, const rp_command_t *command)
{
    rp_aim_t local = *command->with.aim;
    rp_status_t status;
    local.target = local.target != 0 ? local_of(self, local.target)->replica : 0;
    do {
        status = rp_engine_aim(self->engine, local_of(self, command->subject)->session, &local,
                               command->cause);
    } while (must_repeat(status));
    assert(status == RP_OK);
}

static void retarget(rp_worker_t *self, const rp_command_t *command)
{
    const rp_session_id_t target =
        command->with.target != 0 ? local_of(self, command->with.target)->replica : 0;
    (void)rp_engine_retarget(self->engine, local_of(self, command->subject)->session, target,
                             command->cause);
}

static void note_look(rp_worker_t *self, const rp_command_t *command)
{
    if (self->look_count == self->look_capacity) {
        self->look_capacity = 2u * self->look_capacity + 16u;
        self->looks = must_have(self->looks, self->look_capacity * sizeof *self->looks);
    }
    self->looks[self->look_count++] = (look_t){command->subject, command->with.ticket};
}

// ---- worlds

static void open_world(rp_worker_t *self, const rp_command_t *command)
{
    rp_world_id_t world = 0;
    rp_status_t status;
    do {
        status = rp_engine_open_world(self->engine, command->with.world, &world);
    } while (must_repeat(status));
    assert(status == RP_OK && world == command->subject);
    self->worlds[rp_id_place(world)] = world;
}

/// Changes of the reactor's world are made here in the same order, so that versions agree.
static void change_world(rp_worker_t *self, const rp_command_t *command)
{
    const rp_world_id_t world = command->subject;
    uint64_t version = 0;
    rp_status_t status = RP_OK;
    do {
        switch (command->kind) {
        case RP_COMMAND_APPLY:
            status =
                rp_engine_apply(self->engine, world, command->with.edit, command->cause, &version);
            break;
        case RP_COMMAND_OVERLAY:
            status = rp_engine_overlay(self->engine, world, command->with.overlay, command->cause,
                                       &version);
            break;
        case RP_COMMAND_EXPIRE:
            (void)rp_engine_expire(self->engine, world, command->with.until_us, command->cause,
                                   &version);
            break;
        default:
            status = rp_engine_resize(self->engine, world, &command->with.window, command->cause,
                                      &version);
        }
    } while (must_repeat(status));
    assert(status == RP_OK);
}

// ---- questions

static rp_query_report_t *new_query_report(rp_query_id_t query, rp_status_t status)
{
    rp_query_report_t *found;
    while ((found = rp_query_report_new(query, status)) == NULL) {
        wait_for_memory();
    }
    return found;
}

static void report_query(rp_worker_t *self, rp_query_report_t *found)
{
    *self->last_found = found;
    self->last_found = &found->next;
}

static void start_query(rp_worker_t *self, const rp_command_t *command)
{
    rp_question_t question = *command->with.ask.question;
    rp_session_id_t *sessions =
        must_have(NULL, (question.session_count + 1u) * sizeof(rp_session_id_t));
    for (size_t i = 0; i < question.session_count; i++) {
        sessions[i] = local_of(self, question.sessions[i])->session;
    }
    question.sessions = sessions;
    job_t job = {.query = command->subject};
    const rp_status_t status =
        rp_engine_start_query(self->engine, command->with.ask.world, &question, &job.local);
    if (status == RP_OK) {
        self->jobs[self->job_count++] = job;
    } else {
        report_query(self, new_query_report(command->subject, status));
    }
    free(sessions);
}

static void walk(rp_worker_t *self, const rp_command_t *command)
{
    const rp_route_t *path = command->with.walk;
    rp_query_report_t *found = new_query_report(command->subject, RP_OK);
    found->offenders = must_have(NULL, rp_route_room(path) * sizeof *found->offenders);
    found->result.costs = must_have(NULL, sizeof *found->result.costs);
    rp_query_report_walk(found, self->engine, local_of(self, path->session)->session, path);
    report_query(self, found);
}

static void forget(rp_worker_t *self, rp_query_id_t number)
{
    for (uint32_t i = 0; i < self->job_count; i++) {
        if (self->jobs[i].query == number) {
            rp_engine_forget(self->engine, self->jobs[i].local);
            self->jobs[i] = self->jobs[--self->job_count];
            return;
        }
    }
}

// ---- commands

static void carry_out(rp_worker_t *self, const rp_command_t *command)
{
    switch (command->kind) {
    case RP_COMMAND_OPEN_WORLD:
        open_world(self, command);
        break;
    case RP_COMMAND_CLOSE_WORLD:
        (void)rp_engine_close_world(self->engine, command->subject);
        self->worlds[rp_id_place(command->subject)] = 0;
        break;
    case RP_COMMAND_APPLY:
    case RP_COMMAND_OVERLAY:
    case RP_COMMAND_EXPIRE:
    case RP_COMMAND_RESIZE:
        change_world(self, command);
        break;
    case RP_COMMAND_OPEN:
        open_entry(self, command);
        break;
    case RP_COMMAND_CLOSE:
        close_entry(self, command->subject);
        break;
    case RP_COMMAND_POSE:
        move(self, command);
        break;
    case RP_COMMAND_AIM:
        aim(self, command);
        break;
    case RP_COMMAND_RETARGET:
        retarget(self, command);
        break;
    case RP_COMMAND_OPEN_REPLICA:
        open_replica(self, command);
        break;
    case RP_COMMAND_CLOSE_REPLICA:
        (void)rp_engine_close(self->engine, local_of(self, command->subject)->replica);
        local_of(self, command->subject)->replica = 0;
        break;
    case RP_COMMAND_LOOK:
        note_look(self, command);
        break;
    case RP_COMMAND_HASTEN: // without memory it says what it has to say later
        (void)rp_engine_hasten(self->engine, local_of(self, command->subject)->session);
        break;
    case RP_COMMAND_ASK:
        start_query(self, command);
        break;
    case RP_COMMAND_WALK:
        walk(self, command);
        break;
    case RP_COMMAND_FORGET:
        forget(self, command->subject);
        break;
    }
}

// ---- reports

static void begin_report(rp_worker_t *self)
{
    self->report = must_have(NULL, sizeof *self->report);
    *self->report = (rp_report_t){.worker = self->number};
    self->last_told = &self->report->answers;
    self->last_found = &self->report->queries;
}

static void report_answer(rp_worker_t *self, const rp_answer_t *answer, uint64_t ticket)
{
    const rp_session_id_t handle = self->handles[rp_id_place(answer->session)];
    const size_t curve_bytes = answer->curve.count * sizeof *answer->curve.segments;
    const size_t legs_bytes = answer->curve.leg_count * sizeof *answer->curve.leg_at;
    rp_answer_msg_t *told = must_have(NULL, sizeof *told + curve_bytes + legs_bytes +
                                                answer->step_count + answer->way_count);
    rp_past_answer_t past[RP_PAST_MAX] = {{0}};
    (void)rp_engine_past(self->engine, answer->session, past);
    *told = (rp_answer_msg_t){
        .session = handle,
        .entry = local_of(self, handle)->entry,
        .ticket = ticket,
        .answer = *answer,
        .past = past[0],
        .number = answer->path_seq,
        .last_published = rp_engine_last_published(self->engine, answer->session),
    };
    if (curve_bytes != 0) {
        memcpy(told->segments, answer->curve.segments, curve_bytes);
    }
    uint8_t *legs = (uint8_t *)told->segments + curve_bytes;
    uint8_t *steps = legs + legs_bytes;
    if (legs_bytes != 0) {
        memcpy(legs, answer->curve.leg_at, legs_bytes);
    }
    if (answer->step_count != 0) {
        memcpy(steps, answer->steps, answer->step_count);
    }
    if (answer->way_count != 0) {
        memcpy(steps + answer->step_count, answer->way, answer->way_count);
    }
    told->answer.curve.segments = told->segments;
    told->answer.curve.leg_at = (const uint32_t *)(const void *)legs;
    told->answer.steps = steps;
    told->answer.way = steps + answer->step_count;
    *self->last_told = told;
    self->last_told = &told->next;
}

static void report_looks(rp_worker_t *self)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < self->look_count; i++) {
        const look_t *look = &self->looks[i];
        const rp_session_id_t session = local_of(self, look->session)->session;
        rp_answer_t answer;
        if (!rp_engine_is_sure(self->engine, session)) {
            self->looks[kept++] = *look;
        } else if (rp_engine_answer(self->engine, session, &answer) == RP_OK) {
            report_answer(self, &answer, look->ticket);
        }
    }
    self->look_count = kept;
}

static void report_results(rp_worker_t *self)
{
    for (uint32_t i = self->job_count; i-- > 0;) {
        const job_t job = self->jobs[i];
        const rp_query_result_t *result = rp_engine_query_result(self->engine, job.local);
        if (result == NULL) {
            continue;
        }
        rp_query_report_t *found = new_query_report(job.query, RP_OK);
        while (!rp_query_report_copy(found, result)) {
            rp_query_report_destroy(&found);
            wait_for_memory();
            found = new_query_report(job.query, RP_OK);
        }
        report_query(self, found);
        forget(self, job.query);
    }
}

static void report_progress(rp_worker_t *self, rp_world_id_t world)
{
    rp_session_id_t overdue[RP_OVERDUE_MAX];
    size_t count;
    self->report->progress[rp_id_place(world)] =
        rp_progress_of(self->engine, world, overdue, &count);
    for (size_t i = 0; i < count; i++) {
        const rp_session_id_t handle = self->handles[rp_id_place(overdue[i])];
        rp_overdue_t *one = must_have(NULL, sizeof *one);
        *one = (rp_overdue_t){self->report->overdue, world, handle, local_of(self, handle)->entry};
        self->report->overdue = one;
    }
}

/// Finish the report and give it away.
static void give_report(rp_worker_t *self, bool is_busy)
{
    rp_report_t *report = self->report;
    rp_answer_t answer;
    while (rp_engine_next_answer(self->engine, &answer)) {
        report_answer(self, &answer, 0);
    }
    report_looks(self);
    report_results(self);
    report->done = self->done;
    report->done_bytes = self->done_bytes;
    report->is_busy = is_busy;
    report->next_us = rp_engine_next_us(self->engine);
    report->effort = rp_engine_effort(self->engine);
    for (uint32_t place = 1; place <= RP_LIMIT_WORLDS; place++) {
        if (self->worlds[place] != 0) {
            report_progress(self, self->worlds[place]);
        }
    }
    rp_mailbox_put(self->reports, &report->link);
}

// ---- the thread

/// Plan for everybody, and tell what came of it apart from what comes next.
static void settle(rp_worker_t *self)
{
    while (rp_engine_step(self->engine, self->now_us, UINT64_MAX)) {
    }
    give_report(self, false);
    begin_report(self);
}

static void take_batches(rp_worker_t *self, rp_mailbox_link_t *all)
{
    while (all != NULL) {
        rp_command_batch_t *batch = (rp_command_batch_t *)all;
        all = all->next;
        self->now_us = batch->now_us;
        for (const rp_command_t *command = batch->first; command != NULL; command = command->next) {
            carry_out(self, command);
        }
        self->done++;
        self->done_bytes += batch->buffer_bytes;
        self->is_ending = self->is_ending || batch->is_end;
        if (batch->settles) {
            settle(self);
        }
        rp_command_batch_destroy(&batch);
    }
}

static void *run(void *user)
{
    rp_worker_t *self = user;
    bool is_busy = false;
    while (!self->is_ending) {
        while (!is_busy && rp_mailbox_is_empty(&self->commands) &&
               rp_engine_idle(self->engine, RP_WORKER_IDLE)) {
        }
        rp_mailbox_link_t *batches =
            is_busy ? rp_mailbox_take(&self->commands) : rp_mailbox_wait(&self->commands);
        begin_report(self);
        take_batches(self, batches);
        is_busy = !self->is_ending && rp_engine_step(self->engine, self->now_us, RP_WORKER_STEP);
        give_report(self, is_busy);
    }
    return NULL;
}

// ---- birth and death

static void destroy(rp_worker_t *self)
{
    rp_mailbox_link_t *left = self->commands.last != NULL ? rp_mailbox_take(&self->commands) : NULL;
    while (left != NULL) {
        rp_command_batch_t *batch = (rp_command_batch_t *)left;
        left = left->next;
        rp_command_batch_destroy(&batch);
    }
    rp_mailbox_fini(&self->commands);
    rp_engine_destroy(&self->engine);
    free(self->locals);
    free(self->handles);
    free(self->looks);
    free(self);
}

rp_status_t rp_worker_start(unsigned number, uint64_t memory_bytes, rp_mailbox_t *reports,
                            rp_worker_t **worker)
{
    rp_worker_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->number = number;
    self->reports = reports;
    if (!rp_mailbox_init(&self->commands, false) || rp_engine_new(&self->engine) != RP_OK) {
        destroy(self);
        return RP_E_MEMORY;
    }
    rp_engine_limit_memory(self->engine, memory_bytes);
    if (pthread_create(&self->thread, NULL, run, self) != 0) {
        destroy(self);
        return RP_E_MEMORY;
    }
    *worker = self;
    return RP_OK;
}

void rp_worker_give(rp_worker_t *self, rp_command_batch_t *batch)
{
    rp_mailbox_put(&self->commands, &batch->link);
}

uint64_t rp_worker_cpu_ns(const rp_worker_t *self)
{
    clockid_t clock;
    struct timespec used = {0};
    if (pthread_getcpuclockid(self->thread, &clock) == 0) {
        (void)clock_gettime(clock, &used);
    }
    return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

void rp_worker_stop(rp_worker_t **self)
{
    rp_worker_t *worker = *self;
    if (worker == NULL) {
        return;
    }
    rp_command_batch_t *end;
    while ((end = rp_command_batch_new()) == NULL) {
        wait_for_memory();
    }
    end->is_end = true;
    rp_worker_give(worker, end);
    (void)pthread_join(worker->thread, NULL);
    destroy(worker);
    *self = NULL;
}
