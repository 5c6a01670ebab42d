/// `replan load`: agents in a world of its own, and changes on their paths: how many, how fast.
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/histogram.h"
#include "msgs/limits.h"
#include "msgs/request.h"
#include "msgs/splitmix.h"
#include "tools/commands.h"
#include "tools/flags.h"
#include "tools/remote.h"
#include "tools/timer.h"

#define SIDE_MIN      8u
#define AGENTS_MAX    1024u
#define RATE_MAX      1000000u
#define SECONDS_MAX   86400u
#define UNDER_WAY     16u ///< changes whose acknowledgement is not there yet, without --rate
#define WALLS_MAX     64u ///< cells that are blocked at the same time
#define BLOCKED_SHARE 10u ///< percent of the cells that are blocked from the start
#define SECOND_US     1000000u
#define PATIENCE_US   (10u * SECOND_US) ///< for the first paths, and for the last acknowledgements
#define QUIET_MS      100               ///< then nothing more is coming

static const char help[] =
    "usage: replan load [OPTION...]\n"
    "\n"
    "Put load on a daemon and measure: cells on the paths of agents are blocked and freed again.\n"
    "It is done in a world of its own, which is removed at the end; other worlds are left alone.\n"
    "Prints changes a second, the time from sending a change to its acknowledgement, and the time\n"
    "from sending it to the path that it caused.\n"
    "\n"
    "  -c, --control EP\n"
    "                 the daemon's control socket (" RP_CLIENT_CONTROL ")\n"
    "  --seconds N    how long, 1 to 86400 (5)\n"
    "  --rate N       changes a second, at most 1000000; 0: as many as are acknowledged (0)\n"
    "  --agents N     1 to 1024 (10)\n"
    "  --size WxH     cells of the world, sides of 8 to 16384 (256x256)\n"
    "  --planner ID   of the agents; `replan planners` lists them (the daemon's default)\n"
    "  --world NAME   name of the world, which must not be there yet (load-PID)\n"
    "  --seed N       same seed, same world and agents (1)\n"
    "  --json         one JSON object\n"
    "  --help         this text\n"
    "\n"
    "exit codes: 0 fine, 2 bad input or refused, 4 no daemon, or it went away\n"
    "\n"
    "example: replan load --seconds 2 --rate 100\n";

/// A change that was sent.
typedef struct sent {
    uint64_t id;
    uint64_t sent_us;
} sent_t;

/// A cell that was blocked.
typedef struct wall {
    uint32_t cell;
    uint32_t agent; ///< on whose path; AGENTS_MAX: nobody's
} wall_t;

typedef struct load {
    const char *program;
    const char *control;
    const char *planner;
    char world[RP_LIMIT_NAME + 1u];
    uint64_t seconds;
    uint64_t rate;
    uint64_t agents;
    uint64_t seed;
    uint32_t width;
    uint32_t height;
    bool json;
    rp_client_t *client;
    uint64_t chance;              ///< numbers drawn so far
    uint32_t on_path[AGENTS_MAX]; ///< a cell of the agent's path, not its ends; 0: none
    uint32_t *cells;              ///< of the path at hand, owned [cell_capacity]
    size_t cell_capacity;
    wall_t walls[WALLS_MAX]; ///< cells that we blocked, a ring
    uint32_t wall_count;
    uint32_t wall_first;
    uint32_t turn; ///< agent whose path is blocked next
    sent_t sent[RP_CLIENT_WINDOW];
    uint64_t begun_us;
    uint64_t changes; ///< acknowledged
    uint64_t refused;
    uint64_t answers;
    double took_s;
    rp_histogram_t acknowledged_us;
    rp_histogram_t path_us;
} load_t;

static uint32_t draw(load_t *self, uint32_t below)
{
    return (uint32_t)(rp_splitmix_of(self->seed * 0x10001u + ++self->chance) % below);
}

// ---- options

static bool read_size(void *user, const char *text)
{
    load_t *self = user;
    char surplus;
    if (sscanf(text, "%5" SCNu32 "x%5" SCNu32 "%c", &self->width, &self->height, &surplus) == 2 &&
        self->width >= SIDE_MIN && self->height >= SIDE_MIN && self->width <= RP_LIMIT_SIDE &&
        self->height <= RP_LIMIT_SIDE && self->width * self->height <= RP_LIMIT_CELLS) {
        return true;
    }
    fprintf(stderr, "%s: --size \"%s\" is not WxH with sides of %u..%u and at most %u cells\n",
            self->program, text, SIDE_MIN, RP_LIMIT_SIDE, RP_LIMIT_CELLS);
    return false;
}

static bool read_name(void *user, const char *name)
{
    load_t *self = user;
    if (strlen(name) > RP_LIMIT_NAME) {
        fprintf(stderr, "%s: --world has %zu characters, at most %u\n", self->program, strlen(name),
                RP_LIMIT_NAME);
        return false;
    }
    (void)snprintf(self->world, sizeof self->world, "%s", name);
    return true;
}

static bool read_options(load_t *self, int argc, char **argv)
{
    const rp_flag_t flags[] = {
        {.name = "--control", .text = &self->control},
        {.name = "--seconds", .number = &self->seconds, .least = 1, .most = SECONDS_MAX},
        {.name = "--rate", .number = &self->rate, .most = RATE_MAX},
        {.name = "--agents", .number = &self->agents, .least = 1, .most = AGENTS_MAX},
        {.name = "--size", .take = read_size, .user = self},
        {.name = "--planner", .text = &self->planner},
        {.name = "--world", .take = read_name, .user = self},
        {.name = "--seed", .number = &self->seed, .most = UINT64_MAX},
        {.name = "--json", .given = &self->json},
    };
    if (!rp_flags_read(self->program, flags, sizeof flags / sizeof flags[0], argc, argv)) {
        return false;
    }
    if (optind != argc) {
        fprintf(stderr, "%s: \"%s\" is one argument too many, it takes options only\n",
                self->program, argv[optind]);
    }
    return optind == argc;
}

// ---- the world and its agents

/// Send a request and say why when it fails.
static int call(load_t *self, Replan__V1__Request *request)
{
    const Replan__V1__Reply *reply = NULL;
    const rp_client_status_t status = rp_client_call(self->client, request, &reply);
    return rp_remote_judge(self->program, self->client, status, reply);
}

static int create_world(load_t *self)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    const size_t count = (size_t)self->width * self->height;
    uint8_t *bytes = malloc(count);
    if (bytes == NULL) {
        fprintf(stderr, "%s: no memory for %zu cells\n", self->program, count);
        return RP_EXIT_INPUT;
    }
    for (size_t i = 0; i < count; i++) {
        bytes[i] = draw(self, 100) >= BLOCKED_SHARE;
    }
    geometry.width = self->width;
    geometry.height = self->height;
    geometry.resolution = 1.0;
    create.world = self->world;
    create.geometry = &geometry;
    create.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create.data = (ProtobufCBinaryData){count, bytes};
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    const int code = call(self, &request);
    free(bytes);
    return code;
}

static int open_agent(load_t *self, uint32_t number)
{
    char name[RP_LIMIT_NAME + 1u];
    double goal_x = self->width - 1u - draw(self, self->width / 4u) + 0.5;
    double goal_y = draw(self, self->height) + 0.5;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    (void)snprintf(name, sizeof name, "%" PRIu32, number);
    pose.x = draw(self, self->width / 4u) + 0.5;
    pose.y = draw(self, self->height) + 0.5;
    goal.x = &goal_x;
    goal.y = &goal_y;
    goal.n_x = goal.n_y = 1;
    policy.lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S; // it is gone with the world
    open.world = self->world;
    open.agent = name;
    open.planner = (char *)self->planner;
    open.pose = &pose;
    open.goal = &goal;
    open.policy = &policy;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    return call(self, &request);
}

static int open_agents(load_t *self)
{
    int code = RP_EXIT_FINE;
    for (uint32_t i = 0; i < self->agents && code == RP_EXIT_FINE; i++) {
        code = open_agent(self, i);
    }
    return code;
}

static int watch_agents(load_t *self)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    uint32_t id;
    watch.world = self->world;
    watch.all = true;
    const rp_client_status_t status = rp_client_watch(self->client, &watch, &id);
    return rp_remote_judge(self->program, self->client, status, NULL);
}

static int remove_world(load_t *self)
{
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    remove.world = self->world;
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &remove);
    return call(self, &request);
}

// ---- changes

/// Free the oldest wall. If its agent never had to turn, its path may be blocked again.
static uint32_t free_wall(load_t *self)
{
    const wall_t *wall = &self->walls[self->wall_first];
    self->wall_first = (self->wall_first + 1u) % WALLS_MAX;
    self->wall_count--;
    if (wall->agent < self->agents && self->on_path[wall->agent] == 0) {
        self->on_path[wall->agent] = wall->cell;
    }
    return wall->cell;
}

/// The next agent whose path is known; AGENTS_MAX when there is none.
static uint32_t choose_agent(load_t *self)
{
    for (uint32_t i = 0; i < self->agents; i++) {
        const uint32_t agent = self->turn++ % (uint32_t)self->agents;
        if (self->on_path[agent] != 0) {
            return agent;
        }
    }
    return AGENTS_MAX;
}

/// The next cell to write: a path is blocked, or any cell when all who can have just been made to
/// turn; or the oldest wall is freed.
static uint32_t choose_cell(load_t *self, uint32_t *byte)
{
    *byte = self->wall_count == WALLS_MAX;
    if (*byte != 0) {
        return free_wall(self);
    }
    const uint32_t agent = choose_agent(self);
    const uint32_t cell =
        agent != AGENTS_MAX ? self->on_path[agent] : draw(self, self->width * self->height);
    if (agent != AGENTS_MAX) {
        self->on_path[agent] = 0; // until its next path is known
    }
    self->walls[(self->wall_first + self->wall_count++) % WALLS_MAX] = (wall_t){cell, agent};
    return cell;
}

/// @return RP_EXIT_FINE also when there was no room to send
static int send_change(load_t *self)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    uint64_t id;
    if (rp_client_pending(self->client) == RP_CLIENT_WINDOW) {
        return RP_EXIT_FINE;
    }
    const uint32_t cell = choose_cell(self, &change.fill);
    change.world = self->world;
    change.x = cell % self->width;
    change.y = cell / self->width;
    change.width = change.height = 1;
    change.rect_case = REPLAN__V1__CHANGE__RECT_FILL;
    change.source_us = rp_timer_now_us();
    apply.change = &change;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &apply);
    const rp_client_status_t status = rp_client_send(self->client, &request, &id);
    for (size_t i = 0; status == RP_CLIENT_OK && i < RP_CLIENT_WINDOW; i++) {
        if (self->sent[i].id == 0) {
            self->sent[i] = (sent_t){id, change.source_us};
            break;
        }
    }
    return rp_remote_judge(self->program, self->client, status, NULL);
}

// ---- what comes

static void take_reply(load_t *self, const Replan__V1__Reply *reply)
{
    for (size_t i = 0; i < RP_CLIENT_WINDOW; i++) {
        if (self->sent[i].id == reply->id) {
            rp_histogram_add(&self->acknowledged_us, rp_timer_now_us() - self->sent[i].sent_us);
            self->sent[i].id = 0;
        }
    }
    self->changes += reply->status == REPLAN__V1__STATUS__OK;
    if (reply->status != REPLAN__V1__STATUS__OK && self->refused++ == 0) {
        fprintf(stderr, "%s: %s\n", self->program, reply->sentence);
    }
}

/// Remember a cell in the middle of the path.
static void note_path(load_t *self, const Replan__V1__Answer *answer)
{
    const uint32_t agent = (uint32_t)strtoul(answer->agent, NULL, 10);
    size_t count = rp_client_cells(answer, self->cells, self->cell_capacity);
    count = count < self->cell_capacity ? count : self->cell_capacity;
    if (agent < self->agents) {
        self->on_path[agent] = count > 2 ? self->cells[1u + draw(self, (uint32_t)count - 2u)] : 0;
    }
}

static void take_answer(load_t *self, const Replan__V1__Answer *answer)
{
    const uint64_t time_us = rp_timer_now_us();
    note_path(self, answer);
    self->answers++;
    if (self->begun_us != 0 && answer->source_us >= self->begun_us) {
        rp_histogram_add(&self->path_us, time_us - answer->source_us);
    }
}

static int take_event(load_t *self, const rp_client_event_t *event)
{
    switch (event->kind) {
    case RP_CLIENT_REPLY:
        take_reply(self, event->reply);
        return RP_EXIT_FINE;
    case RP_CLIENT_ANSWER:
        take_answer(self, event->answer);
        return RP_EXIT_FINE;
    case RP_CLIENT_LOST:
        fprintf(stderr, "%s: the daemon at %s went away\n", self->program, self->control);
        return RP_EXIT_NO_DAEMON;
    case RP_CLIENT_ENDED:
        fprintf(stderr, "%s: %s\n", self->program, event->ended->sentence);
        return RP_EXIT_INPUT;
    default:
        return RP_EXIT_FINE;
    }
}

/// Take all that is there, after waiting so long for the first.
static int hear(load_t *self, int timeout_ms)
{
    rp_client_event_t event;
    int code = RP_EXIT_FINE;
    while (code == RP_EXIT_FINE && rp_client_poll(self->client, timeout_ms, &event)) {
        code = take_event(self, &event);
        timeout_ms = 0;
    }
    return code;
}

// ---- the run

/// Changes that are due now.
static uint32_t count_due(const load_t *self, uint64_t sent_count)
{
    if (self->rate == 0) {
        const uint32_t under_way = rp_client_pending(self->client);
        return under_way < UNDER_WAY ? UNDER_WAY - under_way : 0;
    }
    const uint64_t wanted = (rp_timer_now_us() - self->begun_us) * self->rate / SECOND_US;
    return wanted > sent_count ? (uint32_t)(wanted - sent_count) : 0;
}

/// Wait until each agent has answered once, for a while.
static int await_paths(load_t *self)
{
    const uint64_t end_us = rp_timer_now_us() + PATIENCE_US;
    int code = RP_EXIT_FINE;
    while (code == RP_EXIT_FINE && !rp_remote_is_stopped() && self->answers < self->agents &&
           rp_timer_now_us() < end_us) {
        code = hear(self, 100);
    }
    self->answers = 0;
    return code;
}

/// Wait for the acknowledgements that are not there, and for what comes right behind them.
static int await_rest(load_t *self)
{
    const uint64_t end_us = rp_timer_now_us() + PATIENCE_US;
    uint64_t heard = 0;
    int code = RP_EXIT_FINE;
    do {
        heard = self->changes + self->answers;
        code = hear(self, QUIET_MS);
    } while (code == RP_EXIT_FINE && rp_timer_now_us() < end_us &&
             (rp_client_pending(self->client) != 0 || heard != self->changes + self->answers));
    return code;
}

static int run(load_t *self)
{
    int code = await_paths(self);
    uint64_t sent_count = 0;
    self->begun_us = rp_timer_now_us();
    const uint64_t end_us = self->begun_us + self->seconds * SECOND_US;
    while (code == RP_EXIT_FINE && !rp_remote_is_stopped() && rp_timer_now_us() < end_us) {
        const uint32_t due = count_due(self, sent_count);
        for (uint32_t i = 0; i < due && code == RP_EXIT_FINE; i++) {
            code = send_change(self);
            sent_count++;
        }
        code = code == RP_EXIT_FINE ? hear(self, self->rate == 0 && due != 0 ? 0 : 1) : code;
    }
    self->took_s = (double)(rp_timer_now_us() - self->begun_us) / SECOND_US;
    code = code == RP_EXIT_FINE ? await_rest(self) : code;
    return code;
}

// ---- the report

static void print_latency(const char *what, const rp_histogram_t *one)
{
    printf("%-15s", what);
    if (one->count == 0) {
        puts("none");
        return;
    }
    static const double percents[] = {50, 90, 99};
    for (size_t i = 0; i < 3; i++) {
        printf("p%.0f %.2f ms  ", percents[i],
               (double)rp_histogram_percentile(one, percents[i]) / 1000);
    }
    printf("max %.2f ms, of %" PRIu64 "\n", (double)one->most / 1000, one->count);
}

static void print_latency_json(const char *what, const rp_histogram_t *one)
{
    printf(",\"%s\":{\"count\":%" PRIu64 ",\"p50\":%" PRIu64 ",\"p90\":%" PRIu64 ",\"p99\":%" PRIu64
           ",\"max\":%" PRIu64 "}",
           what, one->count, rp_histogram_percentile(one, 50), rp_histogram_percentile(one, 90),
           rp_histogram_percentile(one, 99), one->most);
}

static void report(const load_t *self)
{
    const double per_second = self->took_s > 0 ? (double)self->changes / self->took_s : 0;
    if (self->json) {
        printf("{\"kind\":\"load\",\"seconds\":%.3f,\"width\":%" PRIu32 ",\"height\":%" PRIu32
               ",\"agents\":%" PRIu64 ",\"changes\":%" PRIu64 ",\"changes_per_s\":%.1f"
               ",\"refused\":%" PRIu64 ",\"answers\":%" PRIu64,
               self->took_s, self->width, self->height, self->agents, self->changes, per_second,
               self->refused, self->answers);
        print_latency_json("acknowledged_us", &self->acknowledged_us);
        print_latency_json("change_to_path_us", &self->path_us);
        puts("}");
        return;
    }
    printf("%.1f s on %" PRIu32 " x %" PRIu32 " cells with %" PRIu64 " agents\n", self->took_s,
           self->width, self->height, self->agents);
    printf("changes        %" PRIu64 ", %.0f a second, %" PRIu64 " refused\n", self->changes,
           per_second, self->refused);
    printf("answers        %" PRIu64 "\n", self->answers);
    print_latency("acknowledged", &self->acknowledged_us);
    print_latency("change to path", &self->path_us);
}

/// The world is removed whatever happened in it.
static int play(load_t *self)
{
    int code = create_world(self);
    if (code != RP_EXIT_FINE) {
        return code;
    }
    code = open_agents(self);
    code = code == RP_EXIT_FINE ? watch_agents(self) : code;
    code = code == RP_EXIT_FINE ? run(self) : code;
    if (code == RP_EXIT_FINE) {
        report(self);
    }
    const int removed = code != RP_EXIT_NO_DAEMON ? remove_world(self) : code;
    return code != RP_EXIT_FINE ? code : removed;
}

int rp_load_main(int argc, char **argv)
{
    static load_t self; // its histograms are large
    self = (load_t){.program = argv[0],
                    .control = RP_CLIENT_CONTROL,
                    .planner = "",
                    .seconds = 5,
                    .agents = 10,
                    .seed = 1,
                    .width = 256,
                    .height = 256};
    if (rp_flags_want_help(argc, argv, help)) {
        return RP_EXIT_FINE;
    }
    (void)snprintf(self.world, sizeof self.world, "load-%d", (int)getpid());
    if (!read_options(&self, argc, argv)) {
        return RP_EXIT_INPUT;
    }
    self.cell_capacity = (size_t)4u * (self.width + self.height);
    self.cells = malloc(self.cell_capacity * sizeof *self.cells);
    if (self.cells == NULL) {
        fprintf(stderr, "%s: no memory\n", self.program);
        return RP_EXIT_INPUT;
    }
    rp_remote_heed_signals();
    int code = rp_remote_open(self.program, self.control, &self.client);
    code = code == RP_EXIT_FINE ? play(&self) : code;
    rp_client_close(&self.client);
    free(self.cells);
    return code;
}
