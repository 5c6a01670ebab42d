/// `replan watch`: answers, and with --map the world itself, as they come.
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "replan/mirror.h"
#include "tools/commands.h"
#include "tools/flags.h"
#include "tools/remote.h"

static const char help[] =
    "usage: replan watch [OPTION...] WORLD [AGENT...]\n"
    "\n"
    "Print the answers of these agents, or of all agents, also of those that are opened later:\n"
    "first the newest of each, then each new one. A slow reader gets the newest, never a backlog.\n"
    "\n"
    "  -c, --control EP\n"
    "                 the daemon's control socket (tcp://127.0.0.1:7403)\n"
    "  --map          also mirror the world: print what each change rewrote, and whether the\n"
    "                 mirror's hash equals the daemon's\n"
    "  --count N      end after N answers; with --map and no agents, after N lines of any kind\n"
    "  --bends        print where each path bends, in metres of the world's frame\n"
    "  --json         one JSON object a line: kind answer, snapshot, delta or head\n"
    "  --help         this text\n"
    "\n"
    "exit codes: 0 fine, 1 the mirror differs from the daemon's world, 2 bad input, 4 no daemon,\n"
    "or it went away\n"
    "\n"
    "example: replan watch --json --count 1 arena scout\n";

/// A mirror that reaches back nowhere: only the present is shown.
#define MIRROR_VERSIONS 1u
#define MIRROR_CELLS    1u

typedef struct watching {
    const char *program;
    const char *control;
    char *world;
    char **agents;
    size_t agent_count;
    uint64_t count; ///< lines to print; 0: no end
    bool map;
    bool bends;
    bool json;
    rp_client_t *client;
    rp_mirror_t mirror;
    uint32_t id;
    uint64_t printed;
} watching_t;

static int read_options(watching_t *self, int argc, char **argv)
{
    const rp_flag_t flags[] = {
        {.name = "--control", .text = &self->control},
        {.name = "--map", .given = &self->map},
        {.name = "--bends", .given = &self->bends},
        {.name = "--count", .number = &self->count, .most = UINT32_MAX},
        {.name = "--json", .given = &self->json},
    };
    if (!rp_flags_read(self->program, flags, sizeof flags / sizeof flags[0], argc, argv)) {
        return RP_EXIT_INPUT;
    }
    if (optind == argc) {
        fprintf(stderr, "%s: which world? See `%s --help`\n", self->program, self->program);
        return RP_EXIT_INPUT;
    }
    self->world = argv[optind];
    self->agents = argv + optind + 1;
    self->agent_count = (size_t)(argc - optind - 1);
    return RP_EXIT_FINE;
}

static int begin_watch(watching_t *self)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    watch.world = self->world;
    watch.agents = self->agents;
    watch.n_agents = self->agent_count;
    watch.all = self->agent_count == 0;
    watch.map = self->map;
    watch.follows = self->map;
    watch.bends = self->bends;
    const rp_client_status_t status = rp_client_watch(self->client, &watch, &self->id);
    return rp_remote_judge(self->program, self->client, status, NULL);
}

// ---- what is printed

static void print_snapshot(const watching_t *self)
{
    const rp_mirror_t *mirror = &self->mirror;
    printf(self->json ? "{\"kind\":\"snapshot\",\"world\":\"%s\",\"epoch\":%" PRIu64
                        ",\"version\":%" PRIu64 ",\"width\":%" PRIu32 ",\"height\":%" PRIu32 "}\n"
                      : "%s epoch %" PRIu64 " version %" PRIu64 " snapshot %" PRIu32 " x %" PRIu32
                        "\n",
           self->world, mirror->epoch, mirror->version, mirror->width, mirror->height);
}

static void print_delta(const watching_t *self, const Replan__V1__Delta *delta)
{
    printf(self->json
               ? "{\"kind\":\"delta\",\"world\":\"%s\",\"version\":%" PRIu64 ",\"x\":%" PRIu32
                 ",\"y\":%" PRIu32 ",\"width\":%" PRIu32 ",\"height\":%" PRIu32 ",\"cells\":%zu}\n"
               : "%s version %" PRIu64 " rewrote (%" PRIu32 ", %" PRIu32 ") %" PRIu32 " x %" PRIu32
                 " and %zu single cells\n",
           self->world, delta->version, delta->x, delta->y, delta->width, delta->height,
           delta->n_cells);
}

/// @param is_same  the mirror has this version, and its hash is the daemon's
static void print_head(const watching_t *self, const Replan__V1__Head *head, bool is_same)
{
    printf(self->json ? "{\"kind\":\"head\",\"world\":\"%s\",\"version\":%" PRIu64
                        ",\"settled\":%" PRIu64 ",\"agents\":%" PRIu32 ",\"same\":%s"
                      : "%s version %" PRIu64 " settled %" PRIu64 " agents %" PRIu32
                        " mirror is the same: %s",
           self->world, head->version, head->settled, head->agents,
           self->json ? (is_same ? "true" : "null") : (is_same ? "yes" : "not compared"));
    rp_remote_print_agents("overdue", head->overdue_agents, head->n_overdue_agents, self->json);
    puts(self->json ? "}" : "");
}

static int print_map_event(watching_t *self, const rp_client_event_t *event)
{
    const rp_mirror_news_t news = rp_mirror_take(&self->mirror, event);
    switch (news) {
    case RP_MIRROR_DIFFERS:
        fprintf(stderr,
                "%s: the mirror of %s differs from the daemon's world at version %" PRIu64 "\n",
                self->program, self->world, event->head->version);
        return RP_EXIT_DIFFERS;
    case RP_MIRROR_HOLE: {
        const rp_client_status_t status = rp_client_unwatch(self->client, self->id);
        const int code = rp_remote_judge(self->program, self->client, status, NULL);
        return code == RP_EXIT_FINE ? begin_watch(self) : code;
    }
    case RP_MIRROR_MEMORY:
        fprintf(stderr, "%s: no memory for a mirror of %s\n", self->program, self->world);
        return RP_EXIT_INPUT;
    default:
        break;
    }
    if (event->kind == RP_CLIENT_HEAD) {
        print_head(self, event->head, news == RP_MIRROR_TAKEN);
    } else if (event->kind == RP_CLIENT_DELTA && news == RP_MIRROR_TAKEN) {
        print_delta(self, event->delta);
    } else if (event->kind == RP_CLIENT_CHUNK && news == RP_MIRROR_TAKEN) {
        print_snapshot(self);
    } else {
        return RP_EXIT_FINE;
    }
    self->printed += self->agent_count == 0;
    return RP_EXIT_FINE;
}

static int print_event(watching_t *self, const rp_client_event_t *event)
{
    switch (event->kind) {
    case RP_CLIENT_LOST:
        fprintf(stderr, "%s: the daemon at %s went away\n", self->program, self->control);
        return RP_EXIT_NO_DAEMON;
    case RP_CLIENT_ENDED:
        fprintf(stderr, "%s: %s\n", self->program, event->ended->sentence);
        return RP_EXIT_INPUT;
    case RP_CLIENT_ANSWER:
        rp_remote_print_answer(event->answer, self->json);
        self->printed++;
        return RP_EXIT_FINE;
    case RP_CLIENT_CHUNK:
    case RP_CLIENT_DELTA:
    case RP_CLIENT_HEAD:
        return self->map ? print_map_event(self, event) : RP_EXIT_FINE;
    default:
        return RP_EXIT_FINE;
    }
}

static int follow(watching_t *self)
{
    int code = begin_watch(self);
    while (code == RP_EXIT_FINE && (self->count == 0 || self->printed < self->count)) {
        rp_client_event_t event;
        if (rp_client_poll(self->client, -1, &event)) {
            code = print_event(self, &event);
        }
        if (fflush(stdout) != 0) {
            break; // the reader is gone; the caller says so
        }
    }
    return code;
}

int rp_watch_main(int argc, char **argv)
{
    watching_t self = {.program = argv[0], .control = RP_CLIENT_CONTROL};
    if (rp_flags_want_help(argc, argv, help)) {
        return RP_EXIT_FINE;
    }
    int code = read_options(&self, argc, argv);
    if (code != RP_EXIT_FINE) {
        return code;
    }
    if (!rp_mirror_init(&self.mirror, MIRROR_VERSIONS, MIRROR_CELLS)) {
        fprintf(stderr, "%s: no memory\n", self.program);
        return RP_EXIT_INPUT;
    }
    code = rp_remote_open(self.program, self.control, &self.client);
    if (code == RP_EXIT_FINE) {
        code = follow(&self);
    }
    rp_client_close(&self.client);
    rp_mirror_fini(&self.mirror);
    return code;
}
