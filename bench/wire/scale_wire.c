/// An army over sockets: the event log of an army, played in real time against a daemon, over tcp.
/// Three processes: the daemon; this one, which sends poses in packed batches, goals, and 20
/// building changes a second through control; and one that watches every agent.
///
/// Change to settled is the time from sending a change until the reply that everybody's newest
/// answer is true for it; poses come at the beginning of a tick, its change in the middle. Where
/// other programs use the cores too that time is theirs; so the processor time that the daemon used
/// meanwhile is told beside it. At the end the answers of some agents are held against an A*.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#include "bench/suites.h"
#include "bench/wire/daemon_process.h"
#include "bench/wire/event_log.h"
#include "msgs/codec.h"
#include "msgs/request.h"
#include "replan/client.h"
#include "replan/planner.h"

#define TICK_NS     50000000u
#define WORLD       "field"
#define CHECKED     50u
#define DEADLINE_MS 120000u
#define SAME_COST   1e-6

typedef struct wire_case {
    const char *name;
    uint32_t agents;
    uint32_t goals;
    unsigned workers;
    uint32_t side;        ///< of the world, in cells
    const char *memory;   ///< as --memory of the daemon
    const char *protocol; ///< by which --protocol names it
} wire_case_t;

static const wire_case_t cases[] = {
    {"10,000 agents, 100 goals", 10000, 100, 0, 512, "1G", "armies"},
    {"10,000 agents, 100 goals, 2 workers", 10000, 100, 2, 512, "1G", "armies"},
    {"1,000 agents, 1,000 goals", 1000, 1000, 0, 512, "1G", "armies"},
    {"1,000 agents, 1,000 goals, 2 workers", 1000, 1000, 2, 512, "1G", "armies"},
    {"100,000 agents, 100 goals, 1024 x 1024", 100000, 100, 0, 1024, "2G", "crowd"},
};

typedef struct load {
    const wire_case_t *form;
    const rp_event_log_t *log;
    rp_daemon_process_t daemon;
    pid_t watcher;
    int go; ///< a byte written here lets the watcher begin
    rp_client_t *client;
    void *context;
    void *poses;       ///< PUB
    uint64_t *handles; ///< by agent [agents]
    uint32_t *goals;   ///< place that the agent goes to [agents]
    uint32_t *places;  ///< of the agents [agents]
    uint8_t *bytes;    ///< the world now [side * side]
    // the batch of a tick
    uint64_t *batch; ///< handles [batch_count]
    double *batch_x;
    double *batch_y;
    size_t batch_count;
    rp_buffer_t packed;
    rp_samples_t settled_ms;
    rp_samples_t used_ms; ///< processor time of the daemon from a change to settled
    uint64_t tick_ns;     ///< when this tick began
    uint64_t set_out_ns;
    size_t overdue;      ///< agents that a reply did not wait for
    uint32_t late_ticks; ///< that began more than a tick behind their time
    double seconds;
    double daemon_cpu_s;
    double client_cpu_s;
    double resident_mib;
    unsigned checked;
    unsigned differences;
    bool has_failed;
} load_t;

// ---- the watcher

/// Take every answer as fast as it comes, as agents would. Never returns.
static void watch_all(const char *control, int go)
{
    char byte;
    rp_client_t *client = NULL;
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    uint32_t id;
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    watch.world = (char *)WORLD;
    watch.all = 1;
    watch.credit = 4096;
    watch.splices = 1;
    watch.batch = 64;
    if (read(go, &byte, 1) != 1 || rp_client_open(control, 5000, &client) != RP_CLIENT_OK ||
        rp_client_watch(client, &watch, &id) != RP_CLIENT_OK) {
        _exit(1);
    }
    for (;;) {
        rp_client_event_t event;
        (void)rp_client_poll(client, -1, &event);
    }
}

static bool start_watcher(load_t *self)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    self->watcher = fork();
    if (self->watcher == 0) {
        watch_all(self->daemon.control, ends[0]);
    }
    (void)close(ends[0]);
    self->go = ends[1];
    return self->watcher > 0;
}

// ---- requests

static bool call(load_t *self, Replan__V1__Request *request, const Replan__V1__Reply **reply)
{
    request->deadline_ms = DEADLINE_MS;
    if (rp_client_call(self->client, request, reply) == RP_CLIENT_OK) {
        return true;
    }
    fprintf(stderr, "replan-bench: %s\n", rp_client_sentence(self->client));
    self->has_failed = true;
    return false;
}

static bool create_world(load_t *self)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    const uint32_t side = self->log->side;
    geometry.width = side;
    geometry.height = side;
    geometry.resolution = 1.0;
    create.world = (char *)WORLD;
    create.geometry = &geometry;
    create.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create.data = (ProtobufCBinaryData){(size_t)side * side, self->log->bytes};
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    return call(self, &request, NULL);
}

static void name_agent(char *name, size_t size, uint32_t agent)
{
    (void)snprintf(name, size, "a%u", agent);
}

/// Ask for an agent whose answers are all optimal, where the log says it is and whereto it goes.
static bool send_open(load_t *self, uint32_t agent, uint64_t *id)
{
    char name[16];
    const rp_destination_t at = rp_event_log_point(self->log, self->places[agent]);
    rp_destination_t to = rp_event_log_point(self->log, self->goals[agent]);
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    policy.gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    policy.interval_case = REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS;
    policy.lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S;
    name_agent(name, sizeof name, agent);
    pose.x = at.x_m;
    pose.y = at.y_m;
    goal.n_x = goal.n_y = 1;
    goal.x = &to.x_m;
    goal.y = &to.y_m;
    open.world = (char *)WORLD;
    open.agent = name;
    open.policy = &policy;
    open.pose = &pose;
    open.goal = &goal;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    request.deadline_ms = DEADLINE_MS;
    return rp_client_send(self->client, &request, id) == RP_CLIENT_OK;
}

/// Take the reply to the opening of one agent. @param first_id  that of agent 0; ids count up
static bool take_opened(load_t *self, uint64_t first_id)
{
    rp_client_event_t event;
    if (!rp_client_poll(self->client, (int)DEADLINE_MS, &event) || event.kind != RP_CLIENT_REPLY ||
        event.reply->status != REPLAN__V1__STATUS__OK) {
        fprintf(stderr, "replan-bench: %s\n",
                event.kind == RP_CLIENT_REPLY ? event.reply->sentence : "an agent is not open");
        self->has_failed = true;
        return false;
    }
    self->handles[event.reply->id - first_id] = event.reply->opened->handle;
    return true;
}

/// Open all agents, as many requests under way as a client may have.
static bool open_agents(load_t *self)
{
    const uint32_t agents = self->log->agents;
    uint64_t first_id = 0;
    uint64_t id;
    for (uint32_t agent = 0; agent < agents; agent++) {
        if (rp_client_pending(self->client) == RP_CLIENT_WINDOW && !take_opened(self, first_id)) {
            return false;
        }
        if (!send_open(self, agent, &id)) {
            fprintf(stderr, "replan-bench: %s\n", rp_client_sentence(self->client));
            self->has_failed = true;
            return false;
        }
        first_id = agent == 0 ? id : first_id;
    }
    while (rp_client_pending(self->client) != 0) {
        if (!take_opened(self, first_id)) {
            return false;
        }
    }
    return true;
}

static bool send_goal(load_t *self, uint32_t agent, uint32_t place)
{
    char name[16];
    rp_destination_t to = rp_event_log_point(self->log, place);
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    name_agent(name, sizeof name, agent);
    goal.world = (char *)WORLD;
    goal.agent = name;
    goal.n_x = goal.n_y = 1;
    goal.x = &to.x_m;
    goal.y = &to.y_m;
    Replan__V1__Request request = RP_REQUEST(SET_GOAL, set_goal, &goal);
    self->goals[agent] = place;
    return call(self, &request, NULL);
}

/// Change a square of cells and wait until everybody is settled.
static bool apply(load_t *self, const rp_edit_t *edit)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    change.world = (char *)WORLD;
    change.x = edit->x;
    change.y = edit->y;
    change.width = edit->width;
    change.height = edit->height;
    change.rect_case = REPLAN__V1__CHANGE__RECT_FILL;
    change.fill = edit->fill;
    apply.change = &change;
    apply.wait = REPLAN__V1__WAIT__SETTLED;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &apply);
    for (uint32_t row = 0; row < edit->height; row++) {
        memset(self->bytes + (size_t)(edit->y + row) * self->log->side + edit->x, edit->fill,
               edit->width);
    }
    const Replan__V1__Reply *reply;
    const bool is_applied = call(self, &request, &reply);
    self->overdue += is_applied ? reply->applied->n_overdue_agents : 0u;
    return is_applied;
}

// ---- playing

static void send_poses(load_t *self)
{
    Replan__V1__Poses poses = REPLAN__V1__POSES__INIT;
    static const char topic[] = "poses/" WORLD "/";
    if (self->batch_count == 0) {
        return;
    }
    poses.world = (char *)WORLD;
    poses.n_handles = poses.n_x = poses.n_y = self->batch_count;
    poses.handles = self->batch;
    poses.x = self->batch_x;
    poses.y = self->batch_y;
    if (rp_codec_pack(&self->packed, &poses.base)) {
        (void)zmq_send(self->poses, topic, strlen(topic), ZMQ_SNDMORE);
        (void)zmq_send(self->poses, self->packed.bytes, self->packed.size, 0);
    }
    self->batch_count = 0;
}

static void sleep_until(uint64_t ns)
{
    const struct timespec until = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void build(load_t *self, const rp_edit_t *edit)
{
    const double used_s = rp_process_cpu_s(self->daemon.pid);
    const uint64_t from_ns = rp_bench_wall_ns();
    if (apply(self, edit)) {
        rp_samples_add(&self->settled_ms, (double)(rp_bench_wall_ns() - from_ns) / 1e6);
        rp_samples_add(&self->used_ms, (rp_process_cpu_s(self->daemon.pid) - used_s) * 1e3);
    }
}

static void play_event(load_t *self, const rp_event_t *event)
{
    const rp_destination_t at = rp_event_log_point(self->log, event->place);
    switch (event->kind) {
    case RP_EVENT_POSE:
        self->places[event->agent] = event->place;
        self->batch[self->batch_count] = self->handles[event->agent];
        self->batch_x[self->batch_count] = at.x_m;
        self->batch_y[self->batch_count++] = at.y_m;
        break;
    case RP_EVENT_AIM:
        (void)send_goal(self, event->agent, event->place);
        break;
    case RP_EVENT_BUILD: {
        const rp_edit_t edit = rp_event_log_edit(self->log, event);
        send_poses(self);
        sleep_until(self->tick_ns + TICK_NS / 2u);
        build(self, &edit);
        break;
    }
    case RP_EVENT_TICK:
        break;
    }
}

/// Open all agents as the log sets them out, and wait until everybody has an answer.
/// @return the first event after that, 0 when it failed
static size_t set_out(load_t *self)
{
    size_t i = 0;
    const uint64_t from_ns = rp_bench_wall_ns();
    for (; self->log->events[i].kind != RP_EVENT_TICK; i++) {
        const rp_event_t *event = &self->log->events[i];
        if (event->kind == RP_EVENT_POSE) {
            self->places[event->agent] = event->place;
        } else {
            self->goals[event->agent] = event->place;
        }
    }
    if (!open_agents(self)) {
        return 0;
    }
    const rp_edit_t nothing = {.width = 1, .height = 1, .fill = self->bytes[0]};
    if (!apply(self, &nothing)) {
        return 0;
    }
    self->set_out_ns = rp_bench_wall_ns() - from_ns;
    return i + 1u;
}

static bool play(load_t *self)
{
    size_t i = set_out(self);
    if (i == 0 || write(self->go, "", 1) != 1) {
        return false;
    }
    const double daemon_s = rp_process_cpu_s(self->daemon.pid);
    const double client_s = rp_process_cpu_s(getpid()) + rp_process_cpu_s(self->watcher);
    const uint64_t from_ns = rp_bench_wall_ns();
    uint32_t tick = 0;
    self->tick_ns = from_ns;
    for (; i < self->log->event_count && !self->has_failed; i++) {
        if (self->log->events[i].kind != RP_EVENT_TICK) {
            play_event(self, &self->log->events[i]);
            continue;
        }
        send_poses(self);
        self->tick_ns = from_ns + (uint64_t)++tick * TICK_NS;
        self->late_ticks += rp_bench_wall_ns() > self->tick_ns + TICK_NS;
        sleep_until(self->tick_ns);
    }
    self->seconds = (double)(rp_bench_wall_ns() - from_ns) / 1e9;
    self->daemon_cpu_s = rp_process_cpu_s(self->daemon.pid) - daemon_s;
    self->client_cpu_s = rp_process_cpu_s(getpid()) + rp_process_cpu_s(self->watcher) - client_s;
    self->resident_mib = rp_process_resident_mib(self->daemon.pid);
    return !self->has_failed;
}

// ---- checking

/// Cost of the best path from where the agent is, by an A* of this process; -1 when there is none.
static double best_cost(const load_t *self, rp_grid_t *grid, rp_planner_t *planner, uint32_t agent)
{
    const uint32_t side = self->log->side;
    const uint32_t at = self->places[agent];
    const uint32_t to = self->goals[agent];
    rp_plan_t plan;
    (void)rp_planner_set_start(planner, rp_grid_cell(grid, at % side, at / side));
    (void)rp_planner_set_goal(planner, rp_grid_cell(grid, to % side, to / side));
    return rp_planner_plan(planner, UINT64_MAX, &plan) == RP_OK && plan.outcome == RP_OUTCOME_FOUND
               ? plan.cost
               : -1.0;
}

static void check_one(load_t *self, rp_grid_t *grid, rp_planner_t *planner, uint32_t agent)
{
    char name[16];
    Replan__V1__GetAnswer get = REPLAN__V1__GET_ANSWER__INIT;
    const Replan__V1__Reply *reply;
    name_agent(name, sizeof name, agent);
    get.world = (char *)WORLD;
    get.agent = name;
    Replan__V1__Request request = RP_REQUEST(GET_ANSWER, get_answer, &get);
    if (call(self, &request, &reply)) {
        const double cost = best_cost(self, grid, planner, agent);
        self->checked++;
        self->differences += fabs(reply->answer->cost - cost) > SAME_COST;
    }
}

static void check_some(load_t *self)
{
    const rp_grid_shape_t shape = {self->log->side, self->log->side, 8, false, 1, 1};
    rp_grid_t *grid = NULL;
    rp_planner_t *planner = NULL;
    (void)usleep(200000); // the last poses travel by a socket of their own
    if (rp_grid_new(&shape, &grid) == RP_OK && rp_planner_new("astar", NULL, &planner) == RP_OK) {
        rp_grid_fill(grid, self->bytes);
        (void)rp_planner_bind(planner, grid);
        for (uint32_t i = 0; i < CHECKED && !self->has_failed; i++) {
            check_one(self, grid, planner, (uint32_t)((uint64_t)i * self->log->agents / CHECKED));
        }
    }
    rp_planner_destroy(&planner);
    rp_grid_destroy(&grid);
}

// ---- a case

static bool begin(load_t *self)
{
    const uint32_t agents = self->log->agents;
    const size_t cells = (size_t)self->log->side * self->log->side;
    self->handles = rp_bench_memory(NULL, agents, sizeof *self->handles);
    self->goals = rp_bench_memory(NULL, agents, sizeof *self->goals);
    self->places = rp_bench_memory(NULL, agents, sizeof *self->places);
    self->batch = rp_bench_memory(NULL, agents, sizeof *self->batch);
    self->batch_x = rp_bench_memory(NULL, agents, sizeof *self->batch_x);
    self->batch_y = rp_bench_memory(NULL, agents, sizeof *self->batch_y);
    self->bytes = rp_bench_memory(NULL, cells, 1);
    memcpy(self->bytes, self->log->bytes, cells);
    // The watcher is forked before this process has a ZeroMQ context of its own.
    if (!rp_daemon_process_start(&self->daemon, self->form->workers, self->form->memory) ||
        !start_watcher(self) ||
        rp_client_open(self->daemon.control, 5000, &self->client) != RP_CLIENT_OK) {
        return false;
    }
    self->context = zmq_ctx_new();
    self->poses = zmq_socket(self->context, ZMQ_PUB);
    const int none = 0;
    (void)zmq_setsockopt(self->poses, ZMQ_LINGER, &none, sizeof none);
    (void)zmq_connect(self->poses, self->daemon.poses);
    return create_world(self);
}

static void end(load_t *self)
{
    rp_client_close(&self->client);
    if (self->context != NULL) {
        (void)zmq_close(self->poses);
        (void)zmq_ctx_term(self->context);
    }
    if (self->watcher > 0) {
        (void)kill(self->watcher, SIGTERM);
        (void)waitpid(self->watcher, NULL, 0);
        (void)close(self->go);
    }
    rp_daemon_process_stop(&self->daemon);
    free(self->handles);
    free(self->goals);
    free(self->places);
    free(self->batch);
    free(self->batch_x);
    free(self->batch_y);
    free(self->bytes);
    rp_buffer_fini(&self->packed);
    rp_samples_fini(&self->settled_ms);
    rp_samples_fini(&self->used_ms);
}

static void report(load_t *self, cJSON *rows)
{
    const double share = self->client_cpu_s / (self->client_cpu_s + self->daemon_cpu_s);
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "case", self->form->name);
    cJSON_AddNumberToObject(row, "workers", self->form->workers);
    rp_samples_to_json(&self->settled_ms, row, "change_to_settled_ms");
    rp_samples_to_json(&self->used_ms, row, "daemon_cpu_ms");
    cJSON *quantiles = cJSON_AddArrayToObject(row, "quantiles_ms");
    for (unsigned percent = 0; percent <= 100; percent++) {
        cJSON_AddItemToArray(quantiles,
                             cJSON_CreateNumber(rp_samples_percentile(&self->settled_ms, percent)));
    }
    cJSON_AddNumberToObject(row, "set_out_s", (double)self->set_out_ns / 1e9);
    cJSON_AddNumberToObject(row, "seconds", self->seconds);
    cJSON_AddNumberToObject(row, "late_ticks", self->late_ticks);
    cJSON_AddNumberToObject(row, "overdue", (double)self->overdue);
    cJSON_AddNumberToObject(row, "daemon_core_share", self->daemon_cpu_s / self->seconds);
    cJSON_AddNumberToObject(row, "client_core_share", self->client_cpu_s / self->seconds);
    cJSON_AddNumberToObject(row, "client_cpu_share", share);
    cJSON_AddNumberToObject(row, "resident_mib", self->resident_mib);
    cJSON_AddNumberToObject(row, "checked", self->checked);
    cJSON_AddNumberToObject(row, "differences", self->differences);
    cJSON_AddItemToArray(rows, row);
    printf(
        "| %s | %.2f | %.2f | %.2f | %.2f | %.1f | %.0f | %.2f | %.2f | %.0f %% | %u | %u/%u |\n",
        self->form->name, rp_samples_percentile(&self->settled_ms, 50.0),
        rp_samples_percentile(&self->settled_ms, 99.0), rp_samples_percentile(&self->used_ms, 50.0),
        rp_samples_percentile(&self->used_ms, 99.0), (double)self->set_out_ns / 1e9,
        self->resident_mib, self->daemon_cpu_s / self->seconds, self->client_cpu_s / self->seconds,
        100.0 * share, self->late_ticks, self->differences, self->checked);
    (void)fflush(stdout);
}

static int play_case(const wire_case_t *form, const rp_event_log_t *log, cJSON *rows)
{
    load_t self = {.form = form, .log = log};
    int code = 2;
    rp_bench_progress("scale-wire: %s", form->name);
    if (begin(&self) && play(&self)) {
        check_some(&self);
        report(&self, rows);
        code = self.differences == 0 && !self.has_failed ? 0 : 1;
    }
    end(&self);
    return code;
}

int rp_bench_scale_wire(const rp_bench_options_t *options, cJSON *results)
{
    cJSON *rows = cJSON_AddArrayToObject(results, "cases");
    rp_event_log_t log = {.side = 0};
    int worst = 0;
    puts("# An army over sockets\n\n"
         "Milliseconds on the wall from sending a change to settled; 20 changes a second, poses at "
         "10 Hz in batches.\n\n"
         "| case | change to settled p50 | p99 | CPU of the daemon p50 | p99 | s to set out | "
         "resident MiB | cores of the daemon "
         "| of the clients | clients' share | late ticks | differ |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < rp_bench_rows(options, sizeof cases / sizeof cases[0]); i++) {
        if (options->protocol != NULL ? strcmp(options->protocol, cases[i].protocol) != 0
                                      : options->quick && strcmp(cases[i].protocol, "crowd") == 0) {
            continue;
        }
        const rp_event_form_t form = {.side = cases[i].side,
                                      .agents = cases[i].agents,
                                      .goals = cases[i].goals,
                                      .ticks = options->quick ? 200u : 1200u,
                                      .builds = 1};
        if (log.bytes == NULL || log.agents != form.agents) { // else it is that of the case before
            rp_event_log_fini(&log);
            if (!rp_event_log_make(&log, &form, options->seed)) {
                return 2;
            }
        }
        const int code = play_case(&cases[i], &log, rows);
        worst = code > worst ? code : worst;
    }
    rp_bench_progress("scale-wire: done\n");
    rp_event_log_fini(&log);
    return worst;
}
