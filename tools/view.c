/// `replan view`: a world of a daemon in the terminal. A watch brings the map and the answers;
/// poses, which no watch brings, are asked for ten times a second.
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/histogram.h"
#include "msgs/limits.h"
#include "msgs/request.h"
#include "tools/commands.h"
#include "tools/flags.h"
#include "tools/ground.h"
#include "tools/known_agents.h"
#include "tools/remote.h"
#include "tools/timer.h"
#include "view/view.h"

#define SECOND_US 1000000u
#define FRAME_US  40000u
#define LIST_US   100000u
#define RETRY_US  500000u
#define REOPEN_MS 100u
#define PERIOD_US (5u * SECOND_US) ///< of latencies
#define WIDE      100              ///< columns from which words are written out

static const char help[] =
    "usage: replan view [OPTION...] [WORLD [AGENT]]\n"
    "\n"
    "Show a world of a daemon in the terminal: the map, agents, their paths, and why paths turn.\n"
    "Without WORLD the first one that the daemon has; AGENT is followed first. It only reads, and\n"
    "waits for a daemon or a world that is gone.\n"
    "\n"
    "  -c, --control EP\n"
    "                 the daemon's control socket (" RP_CLIENT_CONTROL ")\n"
    "  --help         this text\n"
    "\n"
    "keys: q quit, tab next agent, f follow it, z zoom, w whole world, space pause, arrows scroll\n"
    "\n"
    "exit codes: 0 fine, 2 bad input, 4 no daemon\n"
    "\n"
    "example: replan view arena scout\n";

typedef struct viewer {
    const char *program;
    const char *control;
    char world[RP_LIMIT_NAME + 1u];
    char agent[RP_LIMIT_NAME + 1u]; ///< that is to be chosen whenever it is there; empty: the first
    rp_client_t *client;            ///< NULL: there is no daemon now
    uint32_t watch;                 ///< 0: none
    rp_mirror_t mirror;
    rp_ground_t ground;
    uint64_t ground_epoch; ///< that `ground` is for
    rp_known_agents_t agents;
    rp_view_t view;
    char halt[192];    ///< why nothing moves; empty: it does
    uint64_t shown_us; ///< time of what is shown: it stands while the view is paused
    uint64_t retry_us;
    uint64_t list_us;       ///< when the next list is due
    uint64_t list_id;       ///< of the request under way; 0: none
    uint64_t list_begun_us; ///< when the list under way began
    Replan__V1__ListAgents list;
    // figures of the last second
    uint64_t second_us;
    uint32_t changes;
    uint32_t answers;
    uint32_t changes_each_s;
    uint32_t answers_each_s;
    uint64_t settled;
    rp_recent_histogram_t latency_us;
} viewer_t;

// ---- agents

/// Ask for the agents, from `list.from` on.
static void ask_list(viewer_t *self)
{
    self->list.world = self->world;
    Replan__V1__Request request = RP_REQUEST(LIST_AGENTS, list_agents, &self->list);
    if (rp_client_send(self->client, &request, &self->list_id) != RP_CLIENT_OK) {
        self->list_id = 0;
    }
}

static void begin_list(viewer_t *self, uint64_t time_us)
{
    if (self->watch == 0 || self->list_id != 0 || time_us < self->list_us) {
        return;
    }
    self->list_begun_us = time_us;
    rp_known_agents_begin_list(&self->agents);
    replan__v1__list_agents__init(&self->list);
    ask_list(self);
}

/// Of very many agents lists take their time: the daemon is to have nine tenths of it for others.
static void end_list(viewer_t *self)
{
    const uint64_t time_us = rp_timer_now_us();
    const uint64_t took_us = time_us - self->list_begun_us;
    rp_known_agents_end_list(&self->agents);
    self->list_us =
        took_us > LIST_US / 10u ? time_us + 9u * took_us : self->list_begun_us + LIST_US;
}

static void take_reply(viewer_t *self, const Replan__V1__Reply *reply)
{
    if (reply->id != self->list_id) {
        return;
    }
    self->list_id = 0;
    if (reply->body_case != REPLAN__V1__REPLY__BODY_AGENTS) {
        self->list_us =
            rp_timer_now_us() + RETRY_US; // the world is gone, or the daemon knows no lists
        return;
    }
    rp_known_agents_list(&self->agents, reply->agents);
    self->list.from = reply->agents->next;
    if (self->list.from != 0) {
        ask_list(self);
    } else {
        end_list(self);
    }
}

static void take_answer(viewer_t *self, const Replan__V1__Answer *answer)
{
    rp_known_agents_answer(&self->agents, answer);
    self->answers++;
    if (answer->arrival_us != 0 && answer->sent_us >= answer->arrival_us) {
        rp_recent_histogram_add(&self->latency_us, answer->sent_us - answer->arrival_us,
                                rp_timer_now_us(), PERIOD_US);
    }
}

// ---- the line

/// Nothing moves until the daemon, or the world, is back.
static void halt(viewer_t *self, const char *what, const char *why)
{
    (void)snprintf(self->halt, sizeof self->halt, "%s: %s", what, why);
    self->watch = 0;
    self->list_id = 0;
    self->retry_us = rp_timer_now_us() + RETRY_US;
}

static rp_client_status_t begin_watch(viewer_t *self)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    watch.world = self->world;
    watch.all = watch.map = watch.follows = watch.splices = true;
    const rp_client_status_t status = rp_client_watch(self->client, &watch, &self->watch);
    if (status == RP_CLIENT_OK) {
        self->halt[0] = '\0';
        rp_known_agents_clear(&self->agents);
    }
    return status;
}

static void lose_daemon(viewer_t *self)
{
    halt(self, "the daemon is gone", "this goes on when it is back");
    rp_client_close(&self->client);
}

/// Take the daemon's first world when none was named. @return false when it has none
static bool choose_world(viewer_t *self)
{
    Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
    const Replan__V1__Reply *reply = NULL;
    Replan__V1__Request request = RP_REQUEST(LIST_WORLDS, list_worlds, &list);
    if (self->world[0] == '\0' && rp_client_call(self->client, &request, &reply) == RP_CLIENT_OK &&
        reply->body_case == REPLAN__V1__REPLY__BODY_WORLDS && reply->worlds->n_worlds != 0) {
        (void)snprintf(self->world, sizeof self->world, "%s", reply->worlds->worlds[0]->world);
    }
    return self->world[0] != '\0';
}

/// Look whether the daemon and the world are there.
static void retry(viewer_t *self, uint64_t time_us)
{
    if (self->watch != 0 || time_us < self->retry_us) {
        return;
    }
    self->retry_us = time_us + RETRY_US;
    if (self->client == NULL &&
        rp_client_open(self->control, REOPEN_MS, &self->client) != RP_CLIENT_OK) {
        return;
    }
    if (!choose_world(self)) {
        halt(self, "there is no world yet", "this goes on when there is one");
        return;
    }
    const rp_client_status_t status = begin_watch(self);
    if (status == RP_CLIENT_E_REFUSED) {
        halt(self, self->world, rp_client_sentence(self->client));
    } else if (status != RP_CLIENT_OK) {
        lose_daemon(self);
    }
}

/// How the ground looks follows from the world's profile, which a list of worlds has.
static void learn_ground(viewer_t *self)
{
    Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
    const Replan__V1__Reply *reply;
    const Replan__V1__WorldInfo *info = NULL;
    Replan__V1__Request request = RP_REQUEST(LIST_WORLDS, list_worlds, &list);
    if (rp_client_call(self->client, &request, &reply) == RP_CLIENT_OK &&
        reply->body_case == REPLAN__V1__REPLY__BODY_WORLDS) {
        for (size_t i = 0; i < reply->worlds->n_worlds; i++) {
            const bool is_it = strcmp(reply->worlds->worlds[i]->world, self->world) == 0;
            info = is_it ? reply->worlds->worlds[i] : info;
        }
    }
    rp_ground_learn(&self->ground, self->mirror.profile, info);
    self->ground_epoch = self->mirror.epoch;
}

static void take_map(viewer_t *self, const rp_client_event_t *event)
{
    const uint64_t version = self->mirror.version;
    const rp_mirror_news_t news = rp_mirror_take(&self->mirror, event);
    if (rp_mirror_needs_watch(news)) {
        (void)rp_client_unwatch(self->client, self->watch);
        self->watch = 0;
        self->retry_us = 0;
        return;
    }
    if (event->kind == RP_CLIENT_DELTA && self->mirror.version != version) {
        self->changes++;
    }
    if (event->kind == RP_CLIENT_HEAD) {
        self->settled = event->head->settled;
    }
    if (self->mirror.is_whole && self->mirror.epoch != self->ground_epoch) {
        learn_ground(self);
    }
}

static void take_event(viewer_t *self, const rp_client_event_t *event)
{
    switch (event->kind) {
    case RP_CLIENT_REPLY:
        take_reply(self, event->reply);
        break;
    case RP_CLIENT_ANSWER:
        take_answer(self, event->answer);
        break;
    case RP_CLIENT_CHUNK:
    case RP_CLIENT_DELTA:
    case RP_CLIENT_HEAD:
        take_map(self, event);
        break;
    case RP_CLIENT_ENDED:
        halt(self, self->world, event->ended->sentence);
        break;
    case RP_CLIENT_LOST:
        lose_daemon(self);
        break;
    default:
        break;
    }
}

/// Hear what comes until a time. While the view is paused it waits for its turn: the daemon keeps
/// what the watch has no credit for.
static void hear(viewer_t *self, uint64_t until_us)
{
    for (uint64_t time_us = rp_timer_now_us(); time_us < until_us && !rp_remote_is_stopped();
         time_us = rp_timer_now_us()) {
        rp_client_event_t event;
        const int wait_ms = (int)((until_us - time_us + 999u) / 1000u);
        if (self->client == NULL || self->view.is_paused) {
            const struct timespec pause = {.tv_nsec = wait_ms * 1000000L};
            (void)nanosleep(&pause, NULL);
        } else if (rp_client_poll(self->client, wait_ms, &event)) {
            take_event(self, &event);
        }
    }
}

// ---- what is shown

static rp_paint_t ground(const void *user, uint32_t cell)
{
    const viewer_t *self = user;
    return (rp_paint_t)self->ground.paints[self->mirror.bytes[cell]];
}

static rp_paint_t nothing(const void *user, uint32_t cell)
{
    (void)user;
    (void)cell;
    return RP_PAINT_NOTHING;
}

static void write_header(viewer_t *self, uint64_t time_us)
{
    rp_view_t *view = &self->view;
    const rp_mirror_t *mirror = &self->mirror;
    const bool is_wide = view->canvas.columns >= WIDE;
    rp_histogram_t latency;
    int column = rp_view_write(view, 0, 1, RP_PAINT_TEXT, "replan  ");
    column = rp_view_write(view, 0, column, RP_PAINT_GOOD, "%s", self->world);
    if (mirror->is_whole) {
        column = rp_view_write(view, 0, column, RP_PAINT_FAINT, "  %" PRIu32 " x %" PRIu32,
                               mirror->width, mirror->height);
        if (is_wide) {
            column = rp_view_write(view, 0, column, RP_PAINT_FAINT, ", %g m a cell, %s",
                                   mirror->resolution, mirror->profile);
        }
        (void)rp_view_write(view, 0, column, RP_PAINT_TEXT, "  version %" PRIu64, mirror->version);
    }
    rp_recent_histogram_sum(&self->latency_us, time_us, PERIOD_US, &latency);
    column = rp_view_number(view, 1, "agents", RP_PAINT_TEXT, "%" PRIu32, self->agents.count);
    column =
        rp_view_number(view, column, "changes/s", RP_PAINT_TEXT, "%" PRIu32, self->changes_each_s);
    column =
        rp_view_number(view, column, "answers/s", RP_PAINT_TEXT, "%" PRIu32, self->answers_each_s);
    column = rp_view_number(view, column, is_wide ? "change to answer" : "ms", RP_PAINT_TEXT,
                            is_wide ? "p50 %.1f p99 %.1f ms" : "p50 %.1f p99 %.1f",
                            (double)rp_histogram_percentile(&latency, 50) / 1000,
                            (double)rp_histogram_percentile(&latency, 99) / 1000);
    if (self->settled < mirror->version) {
        (void)rp_view_number(view, column, "unsettled", RP_PAINT_BAD, "%" PRIu64,
                             mirror->version - self->settled);
    }
}

static void count_second(viewer_t *self, uint64_t time_us)
{
    if (time_us - self->second_us >= SECOND_US) {
        self->changes_each_s = self->changes;
        self->answers_each_s = self->answers;
        self->changes = self->answers = 0;
        self->second_us = time_us;
    }
}

/// Places change as agents come and go, so the chosen one is looked up by its name. While it is not
/// there another one is shown.
static void find_chosen(viewer_t *self)
{
    const uint32_t place = rp_known_agents_place(&self->agents, self->agent);
    const uint32_t other = self->view.chosen < self->agents.count ? self->view.chosen : 0;
    self->view.chosen = place < self->agents.count ? place : other;
}

/// Take the keys that were pressed; they may choose another agent. @return false for q
static bool take_keys(viewer_t *self)
{
    find_chosen(self);
    const uint32_t before = self->view.chosen;
    const bool goes_on = rp_view_take_keys(&self->view);
    const uint32_t after = self->view.chosen < self->agents.count ? self->view.chosen : 0;
    self->view.chosen = after;
    if (self->agents.count != 0 && (after != before || self->agent[0] == '\0')) {
        (void)snprintf(self->agent, sizeof self->agent, "%s", self->agents.list[after].name);
    }
    return goes_on;
}

/// @return false without memory
static bool draw(viewer_t *self, uint64_t time_us)
{
    const rp_mirror_t *mirror = &self->mirror;
    const rp_view_agent_t *told = NULL;
    if (mirror->is_whole) {
        told = rp_known_agents_tell(&self->agents, mirror);
    }
    if (mirror->is_whole && told == NULL) {
        return false;
    }
    const rp_view_scene_t scene = {
        .width = mirror->is_whole ? mirror->width : 1u,
        .height = mirror->is_whole ? mirror->height : 1u,
        .wraps = mirror->is_whole && mirror->wraps,
        .ground = mirror->is_whole ? ground : nothing,
        .user = self,
        .agents = told,
        .agent_count = mirror->is_whole ? self->agents.count : 0,
        .halt = self->halt[0] != '\0' ? self->halt
                : mirror->is_whole    ? NULL
                                      : "the map comes",
        .now_us = time_us,
    };
    if (!rp_view_begin(&self->view)) {
        return false;
    }
    write_header(self, time_us);
    const bool is_drawn = rp_view_draw(&self->view, &scene);
    self->view.is_placed = mirror->is_whole; // the zoom follows from its size
    return is_drawn;
}

/// @return false without memory
static bool run(viewer_t *self)
{
    bool has_memory = true;
    uint64_t frame_us = rp_timer_now_us();
    self->shown_us = frame_us;
    while (has_memory && !rp_remote_is_stopped() && take_keys(self)) {
        const uint64_t time_us = rp_timer_now_us();
        if (!self->view.is_paused) {
            retry(self, time_us);
            begin_list(self, time_us);
            count_second(self, time_us);
            self->shown_us = time_us;
        }
        has_memory = draw(self, self->shown_us);
        frame_us = frame_us + FRAME_US > time_us ? frame_us + FRAME_US : time_us + FRAME_US;
        hear(self, frame_us);
    }
    return has_memory;
}

// ---- the command line

static bool read_options(viewer_t *self, int argc, char **argv)
{
    const rp_flag_t control = {.name = "--control", .text = &self->control};
    if (!rp_flags_read(self->program, &control, 1, argc, argv)) {
        return false;
    }
    if (argc - optind > 2) {
        fprintf(stderr, "%s: \"%s\" is one argument too many, it takes WORLD and AGENT\n",
                self->program, argv[optind + 2]);
        return false;
    }
    for (int i = optind; i < argc; i++) {
        if (strlen(argv[i]) > RP_LIMIT_NAME) {
            fprintf(stderr, "%s: %s has %zu characters, at most %u\n", self->program,
                    i == optind ? "WORLD" : "AGENT", strlen(argv[i]), RP_LIMIT_NAME);
            return false;
        }
    }
    (void)snprintf(self->world, sizeof self->world, "%s", optind < argc ? argv[optind] : "");
    (void)snprintf(self->agent, sizeof self->agent, "%s",
                   optind + 1 < argc ? argv[optind + 1] : "");
    return true;
}

/// @return an exit code
static int show(viewer_t *self)
{
    if (choose_world(self)) {
        const rp_client_status_t status = begin_watch(self);
        const int code = rp_remote_judge(self->program, self->client, status, NULL);
        if (code != RP_EXIT_FINE) {
            return code;
        }
    }
    if (isatty(STDOUT_FILENO) == 0 || isatty(STDIN_FILENO) == 0 || !rp_view_open(&self->view)) {
        fprintf(stderr, "%s: it needs a terminal with colours; `replan watch` prints lines\n",
                self->program);
        return RP_EXIT_INPUT;
    }
    const bool has_memory = run(self);
    rp_view_close(&self->view);
    if (!has_memory) {
        fprintf(stderr, "%s: no memory\n", self->program);
    }
    return has_memory ? RP_EXIT_FINE : RP_EXIT_INPUT;
}

int rp_view_main(int argc, char **argv)
{
    static viewer_t self; // its histograms are large
    self = (viewer_t){.program = argv[0], .control = RP_CLIENT_CONTROL};
    if (rp_flags_want_help(argc, argv, help)) {
        return RP_EXIT_FINE;
    }
    if (!read_options(&self, argc, argv)) {
        return RP_EXIT_INPUT;
    }
    if (!rp_mirror_init(&self.mirror, 1, 1)) {
        fprintf(stderr, "%s: no memory\n", self.program);
        return RP_EXIT_INPUT;
    }
    rp_remote_heed_signals();
    int code = rp_remote_open(self.program, self.control, &self.client);
    code = code == RP_EXIT_FINE ? show(&self) : code;
    rp_known_agents_fini(&self.agents);
    rp_client_close(&self.client);
    rp_mirror_fini(&self.mirror);
    return code;
}
