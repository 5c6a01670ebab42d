/// How long from a change to its path, through sockets: a 512 x 512 world, one agent, a 3 x 3
/// building put on its path with each change while the one before is taken away. The same bytes go
/// through a relay that does no work (SUB, XPUB), in alternating blocks of the same run, and the
/// same changes through the same planner in this process, which checks every cost.
///
/// A second relay works: before it sends it walks through memory for as long as the planner took,
/// and so does this process between two of its changes, as it does between two of the daemon's. A
/// relay that never works keeps all caches and threads to itself; what the daemon adds to one that
/// works is the daemon's own.
///
/// Asked for: p50 at most relay + planner + 15 us, p99 at most 1.5 times relay + planner. Both are
/// told a second time with each planner's time added to one of the relay's, in no common order: a
/// greater median, as the planner's times lean to the right, and a lesser p99.
///
/// A host that stalls for a moment puts its stall into one contender's blocks. So the bounds are
/// judged round by round, each against the relay and the planner of its own few hundred changes,
/// and the median of the calm rounds decides; the percentiles over all changes are printed too.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

#include "bench/suites.h"
#include "bench/wire/daemon_process.h"
#include "bench/wire/relay_process.h"
#include "msgs/codec.h"
#include "msgs/request.h"
#include "replan/client.h"
#include "replan/planner.h"

#define SIDE          512u
#define BLOCKED       10u ///< percent of the cells
#define FOOTPRINT     3u
#define BLOCK         100u ///< changes before the other contender's turn
#define ROUND         500u ///< changes that are judged together
#define ANSWER_MAX_MS 5000

/// Of the planner here after each plan; the daemon's has about as many before the next change.
#define IDLE_EXPANSIONS 2048u

/// A round in which the host took less of the time that was wanted is a calm one. What it takes
/// lies in wake-ups, of which the daemon's way has other ones than the relay's.
#define CALM_PERCENT 2.0

/// What is allowed beyond relay + planner.
#define BEYOND_P50_US 15.0
#define TIMES_P99     1.5

typedef struct e2e {
    // the other processes
    rp_daemon_process_t daemon;
    rp_relay_process_t relay;
    // sockets of this one
    void *context;
    void *change_pub;
    void *path_sub;
    void *relay_pub;
    void *relay_sub;
    // the world as this process knows it
    rp_grid_t *grid;
    rp_planner_t *planner;
    uint8_t *bytes; ///< [SIDE * SIDE]
    rp_plan_t plan;
    uint32_t *path; ///< as the daemon answered it last, y * SIDE + x [path_count]
    size_t path_count;
    bool is_passed[SIDE * SIDE]; ///< by the planner's path; clear but while a place is looked for
    const char *id;              ///< of the planner
    uint64_t sequence;
    uint64_t random;
    uint32_t building; ///< cell of the building's corner, by y * SIDE + x
    bool has_building;
    uint8_t under[FOOTPRINT * FOOTPRINT];
    rp_buffer_t packed;
    uint8_t last_answer[65536]; ///< what the relay sends back [last_answer_size]
    size_t last_answer_size;
    rp_samples_t total_us;
    rp_samples_t relay_us;
    rp_samples_t working_us; ///< the relay that works
    rp_samples_t planner_us;
    rp_samples_t idle_us;        ///< of the planner after that, in no other figure
    rp_samples_t sum_us;         ///< a relay's time and a planner's
    rp_samples_t inside_us;      ///< from arrival to sending, by the daemon's own stamps
    rp_samples_t stolen_percent; ///< by the host, a round each
    rp_samples_t pause_us;       ///< of this process, from an answer to the next change
    uint64_t answered_ns;        ///< when the last one came; 0: it was of another block
    unsigned differences;
} e2e_t;

// ---- this process's side

static void *connect_to(e2e_t *self, int type, const char *endpoint)
{
    void *socket = zmq_socket(self->context, type);
    const int none = 0;
    const int wait_ms = ANSWER_MAX_MS;
    (void)zmq_setsockopt(socket, ZMQ_LINGER, &none, sizeof none);
    (void)zmq_setsockopt(socket, ZMQ_RCVTIMEO, &wait_ms, sizeof wait_ms);
    if (type == ZMQ_SUB) {
        (void)zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "path/bench/walker/", 18);
    }
    (void)zmq_connect(socket, endpoint);
    return socket;
}

static bool make_world(e2e_t *self)
{
    const rp_grid_shape_t shape = {SIDE, SIDE, 8, false, 1, 1};
    self->bytes = malloc((size_t)SIDE * SIDE);
    self->path = malloc((size_t)SIDE * SIDE * sizeof *self->path);
    if (self->bytes == NULL || self->path == NULL || rp_grid_new(&shape, &self->grid) != RP_OK) {
        return false;
    }
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        self->bytes[i] = rp_bench_below(&self->random, 100) >= BLOCKED;
    }
    for (uint32_t i = 0; i < 8; i++) {
        memset(self->bytes + (size_t)(i + 12u) * SIDE + 12u, 1, 8);
        memset(self->bytes + (size_t)(SIDE - 20u + i) * SIDE + SIDE - 20u, 1, 8);
    }
    rp_grid_fill(self->grid, self->bytes);
    return rp_planner_new(self->id, NULL, &self->planner) == RP_OK &&
           rp_planner_bind(self->planner, self->grid) == RP_OK &&
           rp_planner_set_start(self->planner, rp_grid_cell(self->grid, 16, 16)) == RP_OK &&
           rp_planner_set_goal(self->planner, rp_grid_cell(self->grid, SIDE - 16u, SIDE - 16u)) ==
               RP_OK &&
           rp_planner_plan(self->planner, UINT64_MAX, &self->plan) == RP_OK &&
           self->plan.outcome == RP_OUTCOME_FOUND;
}

static bool create_world(const e2e_t *self, rp_client_t *client)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    geometry.width = SIDE;
    geometry.height = SIDE;
    geometry.resolution = 1.0;
    create.world = (char *)"bench";
    create.geometry = &geometry;
    create.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create.data = (ProtobufCBinaryData){(size_t)SIDE * SIDE, self->bytes};
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    return rp_client_call(client, &request, NULL) == RP_CLIENT_OK;
}

/// An agent from one corner to the other that only listens, and is told of every change of the
/// optimum.
static bool open_agent(const e2e_t *self, rp_client_t *client)
{
    Replan__V1__Policy optimal = REPLAN__V1__POLICY__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    double goal_at = SIDE - 16u + 0.5;
    pose.x = 16.5;
    pose.y = 16.5;
    goal.n_x = 1;
    goal.x = &goal_at;
    goal.n_y = 1;
    goal.y = &goal_at;
    optimal.gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    optimal.interval_case = REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS;
    optimal.lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S; // 0: it only listens
    open.world = (char *)"bench";
    open.agent = (char *)"walker";
    open.planner = (char *)self->id;
    open.pose = &pose;
    open.goal = &goal;
    open.policy = &optimal;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    return rp_client_call(client, &request, NULL) == RP_CLIENT_OK;
}

/// Its first path.
static bool get_path(e2e_t *self, rp_client_t *client)
{
    Replan__V1__GetAnswer get = REPLAN__V1__GET_ANSWER__INIT;
    const Replan__V1__Reply *reply;
    get.world = (char *)"bench";
    get.agent = (char *)"walker";
    Replan__V1__Request request = RP_REQUEST(GET_ANSWER, get_answer, &get);
    if (rp_client_call(client, &request, &reply) != RP_CLIENT_OK ||
        reply->body_case != REPLAN__V1__REPLY__BODY_ANSWER) {
        return false;
    }
    self->path_count = rp_client_cells(reply->answer, self->path, (size_t)SIDE * SIDE);
    return true;
}

/// Create the world in the daemon and open the agent.
static bool open_world(e2e_t *self)
{
    rp_client_t *client = NULL;
    if (rp_client_open(self->daemon.control, 5000, &client) != RP_CLIENT_OK) {
        return false;
    }
    const bool is_open =
        create_world(self, client) && open_agent(self, client) && get_path(self, client);
    if (!is_open) {
        fprintf(stderr, "replan-bench: %s\n", rp_client_sentence(client));
    }
    rp_client_close(&client);
    return is_open;
}

// ---- one change

typedef struct step {
    uint32_t cells[2u * FOOTPRINT * FOOTPRINT];
    uint8_t values[2u * FOOTPRINT * FOOTPRINT];
    size_t count;
} step_t;

static void step_add(step_t *step, uint32_t cell, uint8_t value)
{
    for (size_t i = 0; i < step->count; i++) {
        if (step->cells[i] == cell) {
            step->values[i] = value;
            return;
        }
    }
    step->cells[step->count] = cell;
    step->values[step->count++] = value;
}

/// Where both the daemon's path and that of the planner here pass, well away from the ends: of
/// several best paths they may show different ones, as the daemon's planner has idle time. A cell
/// of the daemon's path when they have none in common, so that it always has something to say.
static uint32_t place_on_paths(e2e_t *self)
{
    enum {
        MARGIN = 16
    };
    for (uint32_t i = 0; i < self->plan.path.count; i++) {
        const rp_cell_t cell = self->plan.path.cells[i];
        self->is_passed[rp_grid_y(self->grid, cell) * SIDE + rp_grid_x(self->grid, cell)] = true;
    }
    const size_t inner = self->path_count - 2u * MARGIN;
    const size_t from = rp_bench_below(&self->random, (uint32_t)inner);
    uint32_t place = self->path[MARGIN + from];
    for (size_t i = 0; i < inner; i++) {
        const uint32_t other = self->path[MARGIN + (from + i) % inner];
        if (self->is_passed[other]) {
            place = other;
            break;
        }
    }
    memset(self->is_passed, 0, sizeof self->is_passed);
    return place;
}

/// Take the building away and put another one on the path.
static step_t next_step(e2e_t *self)
{
    step_t step = {.count = 0};
    for (uint32_t i = 0; self->has_building && i < FOOTPRINT * FOOTPRINT; i++) {
        step_add(&step, self->building + i / FOOTPRINT * SIDE + i % FOOTPRINT, self->under[i]);
        self->bytes[self->building + i / FOOTPRINT * SIDE + i % FOOTPRINT] = self->under[i];
    }
    self->building = place_on_paths(self) - SIDE - 1u;
    self->has_building = true;
    for (uint32_t i = 0; i < FOOTPRINT * FOOTPRINT; i++) {
        const uint32_t index = self->building + i / FOOTPRINT * SIDE + i % FOOTPRINT;
        self->under[i] = self->bytes[index];
        self->bytes[index] = 0;
        step_add(&step, index, 0);
    }
    return step;
}

static void pack_step(e2e_t *self, step_t *step)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    change.world = (char *)"bench";
    change.publisher = (char *)"bench";
    change.incarnation = 1;
    change.sequence = ++self->sequence;
    change.n_cells = step->count;
    change.cells = step->cells;
    change.values = (ProtobufCBinaryData){step->count, step->values};
    (void)rp_codec_pack(&self->packed, &change.base);
}

/// The planner alone: apply, plan. It has idle time as the daemon's has, which is not counted.
static void plan_step(e2e_t *self, const step_t *step)
{
    rp_change_t changes[2u * FOOTPRINT * FOOTPRINT];
    size_t count = 0;
    const uint64_t from = rp_bench_wall_ns();
    for (size_t i = 0; i < step->count; i++) {
        const rp_cell_t cell =
            rp_grid_cell(self->grid, step->cells[i] % SIDE, step->cells[i] / SIDE);
        const uint8_t before = rp_grid_set(self->grid, cell, step->values[i]);
        if (before != step->values[i]) {
            changes[count++] = (rp_change_t){cell, before, step->values[i]};
        }
    }
    (void)rp_planner_apply(self->planner, changes, count);
    (void)rp_planner_plan(self->planner, UINT64_MAX, &self->plan);
    rp_samples_add(&self->planner_us, (double)(rp_bench_wall_ns() - from) / 1e3);
    const uint64_t idle_from = rp_bench_wall_ns();
    uint64_t idle = IDLE_EXPANSIONS;
    (void)rp_planner_idle(self->planner, &idle);
    rp_samples_add(&self->idle_us, (double)(rp_bench_wall_ns() - idle_from) / 1e3);
}

/// Send the packed change and wait for what comes back.
/// @return microseconds, or a negative number when nothing came
static double round_trip(e2e_t *self, void *out, void *in, zmq_msg_t *body)
{
    const uint64_t from = rp_bench_wall_ns();
    (void)zmq_send(out, "change/bench/", 13, ZMQ_SNDMORE);
    (void)zmq_send(out, self->packed.bytes, self->packed.size, 0);
    zmq_msg_t topic;
    (void)zmq_msg_init(&topic);
    const bool is_here = zmq_msg_recv(&topic, in, 0) >= 0 && zmq_msg_recv(body, in, 0) >= 0;
    const uint64_t until = rp_bench_wall_ns();
    (void)zmq_msg_close(&topic);
    return is_here ? (double)(until - from) / 1e3 : -1.0;
}

/// @return false when the daemon fell silent
static bool daemon_step(e2e_t *self, bool is_counted)
{
    step_t step = next_step(self);
    pack_step(self, &step);
    zmq_msg_t body;
    (void)zmq_msg_init(&body);
    if (self->answered_ns != 0) {
        rp_samples_add(&self->pause_us, (double)(rp_bench_wall_ns() - self->answered_ns) / 1e3);
    }
    const double us = round_trip(self, self->change_pub, self->path_sub, &body);
    self->answered_ns = rp_bench_wall_ns();
    if (us < 0.0) {
        fputs("replan-bench: no answer within 5 s\n", stderr);
        return false;
    }
    plan_step(self, &step);
    Replan__V1__Answer *answer =
        replan__v1__answer__unpack(NULL, zmq_msg_size(&body), zmq_msg_data(&body));
    if (answer == NULL || fabs(answer->cost - self->plan.cost) > 1e-6) {
        self->differences++;
    }
    if (answer != NULL && is_counted) {
        rp_samples_add(&self->inside_us, (double)(answer->sent_us - answer->arrival_us));
    }
    if (answer != NULL) {
        self->path_count = rp_client_cells(answer, self->path, (size_t)SIDE * SIDE);
        replan__v1__answer__free_unpacked(answer, NULL);
    }
    if (is_counted) {
        rp_samples_add(&self->total_us, us);
    } else {
        self->planner_us.count = 0;
        self->idle_us.count = 0;
    }
    self->last_answer_size = zmq_msg_size(&body);
    memcpy(self->last_answer, zmq_msg_data(&body), self->last_answer_size);
    (void)zmq_msg_close(&body);
    return true;
}

/// @param pause_ns  after it
static bool relay_step(e2e_t *self, rp_samples_t *samples, uint64_t pause_ns)
{
    zmq_msg_t body;
    (void)zmq_msg_init(&body);
    const double us = round_trip(self, self->relay_pub, self->relay_sub, &body);
    (void)zmq_msg_close(&body);
    if (us >= 0.0 && samples != NULL) {
        rp_samples_add(samples, us);
    }
    rp_bench_work(pause_ns);
    return us >= 0.0;
}

/// A block of the relay, which sends back the daemon's last answer.
/// @param work_ns   of the relay, at each change
/// @param pause_ns  of this process between two, as long as with the daemon: what sleeps longer
///                  wakes later
static bool relay_block(e2e_t *self, rp_samples_t *samples, uint64_t work_ns, uint64_t pause_ns)
{
    static uint8_t order[sizeof work_ns + sizeof self->last_answer];
    memcpy(order, &work_ns, sizeof work_ns);
    memcpy(order + sizeof work_ns, self->last_answer, self->last_answer_size);
    (void)zmq_send(self->relay_pub, "set", 3, ZMQ_SNDMORE);
    (void)zmq_send(self->relay_pub, order, sizeof work_ns + self->last_answer_size, 0);
    for (unsigned i = 0; i < BLOCK; i++) {
        if (!relay_step(self, samples, pause_ns)) {
            return false;
        }
    }
    return true;
}

// ---- the suite

/// A percentile of the samples from `first` on, which stay in order of time.
static double part_percentile(const rp_samples_t *samples, size_t first, size_t count,
                              double percent)
{
    rp_samples_t part = {0};
    for (size_t i = first; i < first + count && i < samples->count; i++) {
        rp_samples_add(&part, samples->values[i]);
    }
    const double value = rp_samples_percentile(&part, percent);
    rp_samples_fini(&part);
    return value;
}

/// A block of the daemon, then two of the relay.
/// @param place  of its first change among those that are counted
/// @return false when somebody fell silent
static bool play_blocks(e2e_t *self, bool is_counted, size_t place)
{
    self->answered_ns = 0;
    for (unsigned i = 0; i < BLOCK; i++) {
        if (!daemon_step(self, is_counted)) {
            return false;
        }
    }
    const double planner_us = part_percentile(&self->planner_us, place, BLOCK, 50.0);
    const uint64_t work_ns = (uint64_t)(planner_us * 1e3);
    const uint64_t pause_ns = (uint64_t)(rp_samples_percentile(&self->pause_us, 50.0) * 1e3);
    self->pause_us.count = 0;
    return relay_block(self, is_counted ? &self->relay_us : NULL, 0, pause_ns) &&
           relay_block(self, is_counted ? &self->working_us : NULL, work_ns, pause_ns);
}

static bool measure(e2e_t *self, unsigned blocks)
{
    bool is_fine = play_blocks(self, false, 0); // to warm up
    rp_bench_host_t host = rp_bench_host();
    for (unsigned block = 0; is_fine && block < blocks; block++) {
        rp_bench_progress("e2e: block %u of %u", block + 1u, blocks);
        is_fine = play_blocks(self, true, (size_t)block * BLOCK);
        if ((block + 1u) % (ROUND / BLOCK) == 0) {
            rp_samples_add(&self->stolen_percent, rp_bench_stolen_percent(host));
            host = rp_bench_host();
        }
    }
    rp_bench_progress("e2e: done\n");
    return is_fine;
}

/// What the daemon takes, held against relay and planner by themselves.
typedef struct excess {
    double p50_us;           ///< by which its median is beyond their medians
    double p99_times;        ///< its p99, in sums of their p99s
    double p99_times_of_sum; ///< the same, in p99s of their sums one by one: for comparison
    size_t rounds;           ///< that count
} excess_t;

/// In the median of the rounds in which the host left this machine its processors; of all, when
/// there are fewer than three of these.
static excess_t median_excess(const e2e_t *self)
{
    rp_samples_t beyond_us = {0};
    rp_samples_t times = {0};
    rp_samples_t times_of_sum = {0};
    size_t calm = 0;
    for (size_t i = 0; i < self->stolen_percent.count; i++) {
        calm += self->stolen_percent.values[i] < CALM_PERCENT;
    }
    const double most = calm >= 3 ? CALM_PERCENT : INFINITY;
    for (size_t i = 0; i < self->stolen_percent.count; i++) {
        const size_t first = i * ROUND;
        const double p99 = part_percentile(&self->total_us, first, ROUND, 99.0);
        if (self->stolen_percent.values[i] >= most) {
            continue;
        }
        rp_samples_add(&beyond_us, part_percentile(&self->total_us, first, ROUND, 50.0) -
                                       part_percentile(&self->relay_us, first, ROUND, 50.0) -
                                       part_percentile(&self->planner_us, first, ROUND, 50.0));
        rp_samples_add(&times, p99 / (part_percentile(&self->relay_us, first, ROUND, 99.0) +
                                      part_percentile(&self->planner_us, first, ROUND, 99.0)));
        rp_samples_add(&times_of_sum, p99 / part_percentile(&self->sum_us, first, ROUND, 99.0));
    }
    const excess_t median = {rp_samples_percentile(&beyond_us, 50.0),
                             rp_samples_percentile(&times, 50.0),
                             rp_samples_percentile(&times_of_sum, 50.0), beyond_us.count};
    rp_samples_fini(&beyond_us);
    rp_samples_fini(&times);
    rp_samples_fini(&times_of_sum);
    return median;
}

static int report(e2e_t *self, cJSON *results)
{
    for (size_t i = 0; i < self->planner_us.count && i < self->relay_us.count; i++) {
        rp_samples_add(&self->sum_us, self->planner_us.values[i] + self->relay_us.values[i]);
    }
    const excess_t excess = median_excess(self);
    const double total50 = rp_samples_percentile(&self->total_us, 50.0);
    const double total99 = rp_samples_percentile(&self->total_us, 99.0);
    const double relay50 = rp_samples_percentile(&self->relay_us, 50.0);
    const double relay99 = rp_samples_percentile(&self->relay_us, 99.0);
    const double planner50 = rp_samples_percentile(&self->planner_us, 50.0);
    const double planner99 = rp_samples_percentile(&self->planner_us, 99.0);
    const bool holds = excess.p50_us <= BEYOND_P50_US && excess.p99_times <= TIMES_P99;
    cJSON_AddStringToObject(results, "planner", self->id);
    rp_samples_to_json(&self->total_us, results, "change_to_path_us");
    rp_samples_to_json(&self->relay_us, results, "relay_us");
    rp_samples_to_json(&self->working_us, results, "working_relay_us");
    rp_samples_to_json(&self->planner_us, results, "planner_us");
    rp_samples_to_json(&self->idle_us, results, "planner_idle_us");
    rp_samples_to_json(&self->sum_us, results, "relay_plus_planner_us");
    rp_samples_to_json(&self->inside_us, results, "inside_daemon_us");
    cJSON_AddNumberToObject(results, "beyond_sum_p50_us", excess.p50_us);
    cJSON_AddNumberToObject(results, "rounds", (double)self->stolen_percent.count);
    cJSON_AddNumberToObject(results, "rounds_that_count", (double)excess.rounds);
    cJSON_AddNumberToObject(results, "times_p99", excess.p99_times);
    cJSON_AddNumberToObject(results, "times_p99_of_sum", excess.p99_times_of_sum);
    cJSON_AddNumberToObject(results, "cost_differences", self->differences);
    cJSON_AddBoolToObject(results, "holds", holds);
    printf("| us | p50 | p99 |\n|---|---|---|\n");
    printf("| change to path | %.1f | %.1f |\n", total50, total99);
    printf("| of it between arrival and sending | %.1f | %.1f |\n",
           rp_samples_percentile(&self->inside_us, 50.0),
           rp_samples_percentile(&self->inside_us, 99.0));
    printf("| relay alone | %.1f | %.1f |\n", relay50, relay99);
    printf("| relay that works as long as the planner | %.1f | %.1f |\n",
           rp_samples_percentile(&self->working_us, 50.0),
           rp_samples_percentile(&self->working_us, 99.0));
    printf("| planner alone (%s) | %.1f | %.1f |\n", self->id, planner50, planner99);
    printf("| relay + planner | %.1f | %.1f |\n", relay50 + planner50, relay99 + planner99);
    printf("| relay + planner, added one by one | %.1f | %.1f |\n",
           rp_samples_percentile(&self->sum_us, 50.0), rp_samples_percentile(&self->sum_us, 99.0));
    printf("| the planner's idle time after it, in no other row | %.1f | %.1f |\n",
           rp_samples_percentile(&self->idle_us, 50.0),
           rp_samples_percentile(&self->idle_us, 99.0));
    printf("Median of the %zu rounds of %u changes that count, of %zu: p50 %.1f us beyond relay + "
           "planner (at most %.0f), p99 %.2f times theirs (at most %.1f), %.2f when they are added "
           "one by one.\n",
           excess.rounds, ROUND, self->stolen_percent.count, excess.p50_us, BEYOND_P50_US,
           excess.p99_times, TIMES_P99, excess.p99_times_of_sum);
    printf("%zu changes, cost differences %u, bounds %s\n", self->total_us.count, self->differences,
           excess.rounds == 0 ? "not judged" : (holds ? "hold" : "DO NOT HOLD"));
    return self->differences == 0 && holds ? 0 : 1;
}

static void stop(e2e_t *self)
{
    rp_daemon_process_stop(&self->daemon);
    rp_relay_process_stop(&self->relay);
    void *const sockets[] = {self->change_pub, self->path_sub, self->relay_pub, self->relay_sub};
    for (size_t i = 0; i < 4; i++) {
        if (sockets[i] != NULL) {
            (void)zmq_close(sockets[i]);
        }
    }
    if (self->context != NULL) {
        (void)zmq_ctx_term(self->context);
    }
    rp_planner_destroy(&self->planner);
    rp_grid_destroy(&self->grid);
    rp_samples_fini(&self->total_us);
    rp_samples_fini(&self->relay_us);
    rp_samples_fini(&self->working_us);
    rp_samples_fini(&self->planner_us);
    rp_samples_fini(&self->idle_us);
    rp_samples_fini(&self->sum_us);
    rp_samples_fini(&self->inside_us);
    rp_samples_fini(&self->pause_us);
    rp_samples_fini(&self->stolen_percent);
    rp_buffer_fini(&self->packed);
    free(self->bytes);
    free(self->path);
}

int rp_bench_e2e(const rp_bench_options_t *options, cJSON *results)
{
    static e2e_t self;
    self = (e2e_t){.random = options->seed,
                   .id = options->planner != NULL ? options->planner : "auto"};
    int code = 2;
    // The relay is forked before this process has a ZeroMQ context of its own.
    if (rp_relay_process_start(&self.relay) && rp_daemon_process_start(&self.daemon, 0, NULL) &&
        make_world(&self) && open_world(&self)) {
        self.context = zmq_ctx_new();
        self.change_pub = connect_to(&self, ZMQ_PUB, self.daemon.changes);
        self.path_sub = connect_to(&self, ZMQ_SUB, self.daemon.paths);
        self.relay_pub = connect_to(&self, ZMQ_PUB, self.relay.in);
        self.relay_sub = connect_to(&self, ZMQ_SUB, self.relay.out);
        (void)usleep(300000); // subscriptions travel; a publisher that just connected loses
        const unsigned blocks = options->quick ? 10u : 50u;
        if (measure(&self, options->worlds != 0 ? options->worlds : blocks)) {
            code = report(&self, results);
        }
    }
    stop(&self);
    return code;
}
