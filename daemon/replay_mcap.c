/// A spectator that watches each world as soon as there is one, as a client would, and hands on
/// what it hears to the writer of scenes.
#include "daemon/replay_mcap.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "daemon/replay.h"
#include "msgs/request.h"
#include "tools/mcap/scene_record.h"

#define WORLDS_MAX                                                                                 \
    (UINT16_MAX /                                                                                  \
     RP_SCENE_TOPICS) ///< of one recording, by their names: a file numbers no more topics

/// A world by its name; it may go and come again.
typedef struct taped_world {
    UT_hash_handle hh;
    char name[RP_LIMIT_NAME + 1u];
    rp_scene_record_t *record; ///< owned
    uint64_t asked;            ///< id of the request for its watch; 0: none is under way
    uint32_t watch;            ///< 0: none
    uint32_t spent;            ///< credit of the watch since it was renewed
    bool is_torn;              ///< the record does not continue: another watch is needed
} taped_world_t;

typedef struct tape {
    const char *file;
    rp_mcap_writer_t *writer;
    rp_scene_types_t types;
    rp_replay_spectator_t spectator;
    taped_world_t *by_name; ///< all that ever were, owned
    taped_world_t **shown;  ///< those that are there, or were a moment ago; owned [shown_count]
    size_t shown_count;
    size_t shown_capacity;
    uint64_t epoch;      ///< of the newest world that was seen
    bool is_any_missing; ///< a world that is there may have no watch
    bool has_failed;
    uint64_t last_id;
    uint64_t now_ns; ///< since 1970
    rp_message_arena_t arena;
    rp_buffer_t packed;
} tape_t;

static void complain(tape_t *self, const char *world, const char *sentence)
{
    fprintf(stderr, "repland: %s: world \"%s\" is not written: %s\n", self->file, world, sentence);
    self->has_failed = true;
}

// ---- what it asks for

static void ask(tape_t *self, rp_daemon_t *daemon, const Replan__V1__Request *request)
{
    if (rp_codec_pack(&self->packed, &request->base)) {
        rp_daemon_request(daemon, &self->spectator.peer, self->packed.bytes, self->packed.size);
    }
}

static void ask_for_watch(tape_t *self, rp_daemon_t *daemon, taped_world_t *world)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    watch.world = world->name;
    watch.all = watch.map = watch.follows = watch.bends = watch.segments = true;
    watch.credit = RP_LIMIT_CREDIT;
    request.id = world->asked = ++self->last_id;
    request.body_case = REPLAN__V1__REQUEST__BODY_WATCH;
    request.watch = &watch;
    ask(self, daemon, &request);
}

static void drop_watch(tape_t *self, rp_daemon_t *daemon, taped_world_t *world)
{
    Replan__V1__Unwatch unwatch = REPLAN__V1__UNWATCH__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    unwatch.watch = world->watch;
    request.id = ++self->last_id;
    request.body_case = REPLAN__V1__REQUEST__BODY_UNWATCH;
    request.unwatch = &unwatch;
    ask(self, daemon, &request);
    world->watch = world->spent = 0;
    world->is_torn = false;
    self->is_any_missing = true;
}

/// Credit without an id is not replied to.
static void renew_credit(tape_t *self, rp_daemon_t *daemon, taped_world_t *world)
{
    Replan__V1__Credit credit = REPLAN__V1__CREDIT__INIT;
    credit.watch = world->watch;
    credit.credit = world->spent;
    Replan__V1__Request request = RP_REQUEST(CREDIT, credit, &credit);
    ask(self, daemon, &request);
    world->spent = 0;
}

// ---- worlds

static taped_world_t *add_world(tape_t *self, const char *name)
{
    taped_world_t *world = NULL;
    if (HASH_COUNT(self->by_name) == WORLDS_MAX) {
        complain(self, name, "the recording has too many");
        return NULL;
    }
    world = calloc(1, sizeof *world);
    if (world != NULL) {
        memcpy(world->name, name, strlen(name) + 1u); // legal, as the daemon has it
        world->record = rp_scene_record_new(self->writer, &self->types, world->name);
    }
    if (world == NULL || world->record == NULL) {
        complain(self, name, "no memory");
        free(world);
        return NULL;
    }
    HASH_ADD_STR(self->by_name, name, world);
    return world;
}

/// @return false without memory for one more
static bool keep_shown(tape_t *self, taped_world_t *world)
{
    for (size_t i = 0; i < self->shown_count; i++) {
        if (self->shown[i] == world) {
            return true;
        }
    }
    if (!rp_array_reserve(&self->shown, &self->shown_capacity, self->shown_count + 1u,
                          sizeof *self->shown)) {
        complain(self, world->name, "no memory");
        return false;
    }
    self->shown[self->shown_count++] = world;
    return true;
}

/// Of a world that is there: see that it has a watch.
static void show_world(tape_t *self, rp_daemon_t *daemon, const char *name)
{
    taped_world_t *world = NULL;
    HASH_FIND_STR(self->by_name, name, world);
    world = world != NULL ? world : add_world(self, name);
    if (world != NULL && world->watch == 0 && world->asked == 0 && keep_shown(self, world)) {
        ask_for_watch(self, daemon, world);
    }
}

/// Those that are gone make room, here and in memory.
static void forget_gone(tape_t *self, const rp_worlds_t *worlds)
{
    size_t kept = 0;
    for (size_t i = 0; i < self->shown_count; i++) {
        taped_world_t *world = self->shown[i];
        if (world->watch != 0 || world->asked != 0 || rp_worlds_find(worlds, world->name) != NULL) {
            self->shown[kept++] = world;
        } else {
            rp_scene_record_rest(world->record);
        }
    }
    self->shown_count = kept;
}

static void watch_missing(tape_t *self, rp_daemon_t *daemon)
{
    const rp_worlds_t *worlds = &daemon->serving.worlds;
    const rp_served_t *served, *next;
    self->is_any_missing = false;
    self->epoch = worlds->last_epoch;
    forget_gone(self, worlds);
    HASH_ITER(hh, worlds->by_name, served, next)
    {
        show_world(self, daemon, served->name);
    }
}

static void look(void *user, rp_daemon_t *daemon)
{
    tape_t *self = user;
    const uint64_t now_ns = daemon->serving.now.wall_us * 1000u;
    self->now_ns = now_ns > self->now_ns ? now_ns : self->now_ns;
    for (size_t i = 0; i < self->shown_count; i++) {
        taped_world_t *world = self->shown[i];
        if (world->is_torn) {
            drop_watch(self, daemon, world);
        } else if (world->spent >= RP_LIMIT_CREDIT / 2u) {
            renew_credit(self, daemon, world);
        }
        if (world->watch != 0) {
            rp_scene_record_tick(world->record, self->now_ns);
        }
    }
    if (self->is_any_missing || self->epoch != daemon->serving.worlds.last_epoch) {
        watch_missing(self, daemon);
    }
}

// ---- what it hears

static void hear_reply(tape_t *self, const Replan__V1__Reply *reply)
{
    for (size_t i = 0; i < self->shown_count; i++) {
        taped_world_t *world = self->shown[i];
        if (world->asked != reply->id) {
            continue;
        }
        world->asked = 0;
        if (reply->body_case == REPLAN__V1__REPLY__BODY_WATCHING) {
            world->watch = reply->watching->watch;
            world->spent = 0;
        } else {
            complain(self, world->name, reply->sentence);
        }
        return;
    }
}

/// @return false when it is of no use to a record
static bool read_event(const Replan__V1__ToClient *news, rp_client_event_t *event)
{
    switch (news->body_case) {
    case REPLAN__V1__TO_CLIENT__BODY_ANSWER:
        *event = (rp_client_event_t){.kind = RP_CLIENT_ANSWER, .answer = news->answer};
        return true;
    case REPLAN__V1__TO_CLIENT__BODY_HEAD:
        *event = (rp_client_event_t){.kind = RP_CLIENT_HEAD, .head = news->head};
        return true;
    case REPLAN__V1__TO_CLIENT__BODY_DELTA:
        *event = (rp_client_event_t){.kind = RP_CLIENT_DELTA, .delta = news->delta};
        return true;
    case REPLAN__V1__TO_CLIENT__BODY_CHUNK:
        *event = (rp_client_event_t){.kind = RP_CLIENT_CHUNK, .chunk = news->chunk};
        return true;
    default:
        return false;
    }
}

static void hear_watch(tape_t *self, const Replan__V1__ToClient *news)
{
    rp_client_event_t event;
    for (size_t i = 0; i < self->shown_count; i++) {
        taped_world_t *world = self->shown[i];
        if (world->watch != news->watch) {
            continue;
        }
        if (news->body_case == REPLAN__V1__TO_CLIENT__BODY_ENDED) {
            world->watch = 0;
            self->is_any_missing = true; // one of its name may come
        } else if (read_event(news, &event)) {
            world->spent++;
            const bool is_whole = rp_scene_record_take(world->record, &event, self->now_ns);
            world->is_torn = world->is_torn || !is_whole;
        }
        return;
    }
}

static void hear(void *user, const void *bytes, size_t size)
{
    tape_t *self = user;
    rp_message_arena_reset(&self->arena);
    const Replan__V1__ToClient *news = (const Replan__V1__ToClient *)rp_codec_unpack(
        &self->arena, &replan__v1__to_client__descriptor, bytes, size);
    if (news == NULL) {
        return; // of a size that no client takes either
    }
    if (news->body_case == REPLAN__V1__TO_CLIENT__BODY_REPLY) {
        hear_reply(self, news->reply);
    } else {
        hear_watch(self, news);
    }
}

// ---- birth and death

/// Who chooses a name on ZeroMQ cannot begin it with 0, and those that it gives are of five bytes.
static const char peer_name[] = "\0replay";

static void begin(tape_t *self)
{
    self->types = rp_scene_types_of(self->writer);
    rp_message_arena_init(&self->arena, RP_LIMIT_ARENA_BYTES);
    self->spectator.hear = hear;
    self->spectator.look = look;
    self->spectator.user = self;
    (void)rp_peer_add(&self->spectator.peer, peer_name, sizeof peer_name - 1u);
}

static void end(tape_t *self)
{
    taped_world_t *world, *next;
    HASH_ITER(hh, self->by_name, world, next)
    {
        HASH_DEL(self->by_name, world);
        rp_scene_record_destroy(&world->record);
        free(world);
    }
    free(self->shown);
    rp_message_arena_fini(&self->arena);
    rp_buffer_fini(&self->packed);
}

int rp_replay_mcap(const char *file, const char *mcap, FILE *out)
{
    tape_t self = {.file = file};
    rp_complaint_t complaint;
    if (rp_mcap_writer_open(&self.writer, mcap, NULL, &complaint) != RP_OK) {
        fprintf(stderr, "repland: %s\n", complaint.sentence);
        return 2;
    }
    begin(&self);
    int code = rp_replay(file, &self.spectator, out);
    end(&self);
    if (rp_mcap_writer_close(&self.writer, &complaint) != RP_OK) {
        fprintf(stderr, "repland: %s\n", complaint.sentence);
        code = 2;
    }
    return self.has_failed ? 2 : code;
}
