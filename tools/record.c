/// `replan record`: what happens in the worlds of a daemon, as a recording that Foxglove opens.
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/commands.h"
#include "tools/flags.h"
#include "tools/mcap/scene_record.h"
#include "tools/remote.h"
#include "tools/timer.h"

#define TICK_MS     100
#define WORLDS_MAX  64u
#define SECONDS_MAX 31536000u

static const char help[] =
    "usage: replan record --mcap FILE [OPTION...] WORLD...\n"
    "\n"
    "Record worlds and all their agents until Ctrl-C, as MCAP: open it in Foxglove, or read it "
    "with\n"
    "any MCAP library. Topics of each world: /WORLD/grid at most twice a second, /WORLD/scene "
    "(paths\n"
    "and changed cells), /WORLD/agents (where their newest paths begin), /WORLD/log, and "
    "/WORLD/replan, the wire's own messages "
    "with a\n"
    "snapshot each ten seconds.\n"
    "\n"
    "  --mcap FILE    where to; a file that is there is replaced\n"
    "  -c, --control EP\n"
    "                 the daemon's control socket (tcp://127.0.0.1:7403)\n"
    "  --compression NAME\n"
    "                 lz4, zstd or none, of the chunks (the best that this replan was built with)\n"
    "  --seconds N    end after so long\n"
    "  --help         this text\n"
    "\n"
    "exit codes: 0 fine, 2 bad input or a full disk, 4 no daemon, or it went away; what came "
    "until\n"
    "then is recorded\n"
    "\n"
    "example: replan record --mcap drive.mcap --seconds 60 arena\n";

typedef struct recording {
    const char *program;
    const char *control;
    const char *path;
    const char *compression; ///< NULL: the best
    uint64_t seconds;        ///< 0: until a signal
    char **worlds;
    size_t world_count;
    rp_client_t *client;
    rp_mcap_writer_t *writer;
    rp_scene_types_t types;
    rp_scene_record_t *records[WORLDS_MAX];
    uint32_t watches[WORLDS_MAX];
} recording_t;

static int read_options(recording_t *self, int argc, char **argv)
{
    const rp_flag_t flags[] = {
        {.name = "--control", .text = &self->control},
        {.name = "--mcap", .text = &self->path},
        {.name = "--compression", .text = &self->compression},
        {.name = "--seconds", .number = &self->seconds, .most = SECONDS_MAX},
    };
    if (!rp_flags_read(self->program, flags, sizeof flags / sizeof flags[0], argc, argv)) {
        return RP_EXIT_INPUT;
    }
    if (self->compression != NULL && strcmp(self->compression, "none") == 0) {
        self->compression = "";
    }
    self->worlds = argv + optind;
    self->world_count = (size_t)(argc - optind);
    if (self->path == NULL || self->world_count == 0 || self->world_count > WORLDS_MAX) {
        fprintf(stderr, "%s: %s is needed; --help explains\n", self->program,
                self->path == NULL ? "--mcap FILE" : "1 to 64 names of a WORLD");
        return RP_EXIT_INPUT;
    }
    return RP_EXIT_FINE;
}

static int begin_watch(recording_t *self, size_t number)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    watch.world = self->worlds[number];
    watch.all = watch.map = watch.follows = watch.bends = watch.segments = true;
    const rp_client_status_t status = rp_client_watch(self->client, &watch, &self->watches[number]);
    return rp_remote_judge(self->program, self->client, status, NULL);
}

static int begin_again(recording_t *self, size_t number)
{
    const rp_client_status_t status = rp_client_unwatch(self->client, self->watches[number]);
    const int code = rp_remote_judge(self->program, self->client, status, NULL);
    return code == RP_EXIT_FINE ? begin_watch(self, number) : code;
}

static int open_worlds(recording_t *self)
{
    int code = RP_EXIT_FINE;
    for (size_t i = 0; i < self->world_count && code == RP_EXIT_FINE; i++) {
        self->records[i] = rp_scene_record_new(self->writer, &self->types, self->worlds[i]);
        if (self->records[i] == NULL) {
            fprintf(stderr, "%s: no memory\n", self->program);
            return RP_EXIT_INPUT;
        }
        code = begin_watch(self, i);
    }
    return code;
}

static int take(recording_t *self, const rp_client_event_t *event)
{
    if (event->kind == RP_CLIENT_LOST) {
        fprintf(stderr, "%s: the daemon at %s went away\n", self->program, self->control);
        return RP_EXIT_NO_DAEMON;
    }
    for (size_t i = 0; i < self->world_count; i++) {
        if (event->watch != self->watches[i]) {
            continue;
        }
        if (event->kind == RP_CLIENT_ENDED) {
            fprintf(stderr, "%s: %s\n", self->program, event->ended->sentence);
            self->watches[i] = 0;
            return RP_EXIT_FINE;
        }
        const bool goes_on =
            rp_scene_record_take(self->records[i], event, rp_timer_clock_ns(CLOCK_REALTIME));
        return goes_on ? RP_EXIT_FINE : begin_again(self, i);
    }
    return RP_EXIT_FINE;
}

static bool is_over(const recording_t *self, uint64_t begun_ns)
{
    bool has_watch = false;
    for (size_t i = 0; i < self->world_count; i++) {
        has_watch = has_watch || self->watches[i] != 0;
    }
    const uint64_t passed_ns = rp_timer_clock_ns(CLOCK_MONOTONIC) - begun_ns;
    return rp_remote_is_stopped() || !has_watch || rp_mcap_writer_has_failed(self->writer) ||
           (self->seconds != 0 && passed_ns >= self->seconds * UINT64_C(1000000000));
}

static int follow(recording_t *self)
{
    const uint64_t begun_ns = rp_timer_clock_ns(CLOCK_MONOTONIC);
    int code = open_worlds(self);
    while (code == RP_EXIT_FINE && !is_over(self, begun_ns)) {
        rp_client_event_t event;
        if (rp_client_poll(self->client, TICK_MS, &event)) {
            code = take(self, &event);
        }
        for (size_t i = 0; i < self->world_count; i++) {
            rp_scene_record_tick(self->records[i], rp_timer_clock_ns(CLOCK_REALTIME));
        }
    }
    return code;
}

static int record(recording_t *self)
{
    rp_complaint_t complaint;
    if (rp_mcap_writer_open(&self->writer, self->path, self->compression, &complaint) != RP_OK) {
        fprintf(stderr, "%s: %s\n", self->program, complaint.sentence);
        return RP_EXIT_INPUT;
    }
    self->types = rp_scene_types_of(self->writer);
    int code = follow(self);
    for (size_t i = 0; i < self->world_count; i++) {
        rp_scene_record_destroy(&self->records[i]);
    }
    if (rp_mcap_writer_close(&self->writer, &complaint) != RP_OK) {
        fprintf(stderr, "%s: %s\n", self->program, complaint.sentence);
        code = RP_EXIT_INPUT;
    }
    return code;
}

int rp_record_main(int argc, char **argv)
{
    recording_t self = {.program = argv[0], .control = RP_CLIENT_CONTROL};
    if (rp_flags_want_help(argc, argv, help)) {
        return RP_EXIT_FINE;
    }
    int code = read_options(&self, argc, argv);
    if (code != RP_EXIT_FINE) {
        return code;
    }
    rp_remote_heed_signals();
    code = rp_remote_open(self.program, self.control, &self.client);
    if (code == RP_EXIT_FINE) {
        code = record(&self);
    }
    rp_client_close(&self.client);
    return code;
}
