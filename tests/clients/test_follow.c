/// Watches of the C client that are asked for again, against a fake daemon: a mirror with a hole,
/// and what comes before the number of its new watch is known. Real breaks are in
/// clients/story.json.
#include <string.h>

#include "replan/client.h"
#include "replan/mirror.h"
#include "tests/clients/client_scene.h"
#include "tests/clients/fake_daemon.h"
#include "tests/support/suite.h"

#define EPOCH 9u

/// Written on the fake's thread.
typedef struct told {
    uint32_t watches;    ///< asked for so far
    uint32_t unwatched;  ///< the number that was ended
    uint32_t lists;      ///< how often it was asked for worlds
    bool overtakes;      ///< the new watch speaks before its reply
    uint32_t worldless;  ///< so often there is no world
    bool knows_no_agent; ///< whoever asks for one is refused
} told_t;

static void say_chunk(fake_daemon_t *fake, uint32_t watch, uint64_t version)
{
    static uint8_t bytes[4] = {1, 1, 0, 1};
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__Chunk chunk = REPLAN__V1__CHUNK__INIT;
    Replan__V1__ToClient news = REPLAN__V1__TO_CLIENT__INIT;
    geometry.width = geometry.height = 2;
    geometry.resolution = 1.0;
    chunk.world = (char *)"arena";
    chunk.epoch = EPOCH;
    chunk.version = version;
    chunk.rows = 2;
    chunk.data = (ProtobufCBinaryData){sizeof bytes, bytes};
    chunk.first = chunk.last = true;
    chunk.geometry = &geometry;
    news.watch = watch;
    news.body_case = REPLAN__V1__TO_CLIENT__BODY_CHUNK;
    news.chunk = &chunk;
    fake_daemon_say(fake, &news);
}

static void say_delta(fake_daemon_t *fake, uint32_t watch, uint64_t version)
{
    Replan__V1__Delta delta = REPLAN__V1__DELTA__INIT;
    Replan__V1__ToClient news = REPLAN__V1__TO_CLIENT__INIT;
    delta.world = (char *)"arena";
    delta.epoch = EPOCH;
    delta.version = version;
    news.watch = watch;
    news.body_case = REPLAN__V1__TO_CLIENT__BODY_DELTA;
    news.delta = &delta;
    fake_daemon_say(fake, &news);
}

static void reply_watching(fake_daemon_t *fake, uint64_t id, uint32_t number)
{
    Replan__V1__Watching watching = REPLAN__V1__WATCHING__INIT;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    reply.id = id;
    reply.body_case = REPLAN__V1__REPLY__BODY_WATCHING;
    watching.watch = number;
    reply.watching = &watching;
    fake_daemon_reply(fake, &reply);
}

static void reply_worlds(fake_daemon_t *fake, uint64_t id, size_t count)
{
    Replan__V1__Head head = REPLAN__V1__HEAD__INIT;
    Replan__V1__WorldInfo info = REPLAN__V1__WORLD_INFO__INIT;
    Replan__V1__WorldInfo *infos[] = {&info};
    Replan__V1__Worlds worlds = REPLAN__V1__WORLDS__INIT;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    head.epoch = EPOCH;
    head.version = 7;
    info.world = (char *)"arena";
    info.head = &head;
    worlds.worlds = infos;
    worlds.n_worlds = count;
    reply.id = id;
    reply.body_case = REPLAN__V1__REPLY__BODY_WORLDS;
    reply.worlds = &worlds;
    fake_daemon_reply(fake, &reply);
}

static void reply_why(fake_daemon_t *fake, uint64_t id, bool is_there)
{
    Replan__V1__Why why = REPLAN__V1__WHY__INIT;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    reply.id = id;
    reply.status = is_there ? REPLAN__V1__STATUS__OK : REPLAN__V1__STATUS__UNKNOWN;
    reply.sentence = (char *)(is_there ? "" : "there is no agent \"scout\"");
    reply.body_case = REPLAN__V1__REPLY__BODY_WHY;
    reply.why = &why;
    fake_daemon_reply(fake, &reply);
}

/// The first watch tells version 1 and then version 3; the next one, with another number,
/// version 7.
static void begin_watch(fake_daemon_t *fake, told_t *told, uint64_t id)
{
    const uint32_t number = WATCH + told->watches++;
    if (number == WATCH) {
        reply_watching(fake, id, number);
        say_chunk(fake, number, 1);
        say_delta(fake, number, 3);
        return;
    }
    if (told->overtakes) {
        say_chunk(fake, number, 7);
        reply_watching(fake, id, number);
    } else {
        reply_watching(fake, id, number);
        say_chunk(fake, number, 7);
    }
    say_delta(fake, number, 8);
}

static void act(fake_daemon_t *fake, const Replan__V1__Request *request, void *user)
{
    told_t *told = user;
    switch (request->body_case) {
    case REPLAN__V1__REQUEST__BODY_WATCH:
        begin_watch(fake, told, request->id);
        break;
    case REPLAN__V1__REQUEST__BODY_UNWATCH:
        told->unwatched = request->unwatch->watch;
        break;
    case REPLAN__V1__REQUEST__BODY_LIST_WORLDS:
        reply_worlds(fake, request->id, told->lists++ < told->worldless ? 0 : 1);
        break;
    case REPLAN__V1__REQUEST__BODY_ASK_WHY:
        reply_why(fake, request->id, !told->knows_no_agent);
        break;
    default:
        reply_ok(fake, request->id);
    }
}

/// Poll until an event of this kind comes, or the end of the other time.
static bool polls(rp_client_t *client, rp_client_event_kind_t kind, rp_client_event_t *event)
{
    while (rp_client_poll(client, WAIT_MS, event)) {
        if (event->kind == kind) {
            return true;
        }
    }
    return false;
}

static void check_that_a_hole_is_mended(told_t *told)
{
    fake_daemon_t *fake = fake_daemon_new(act, told);
    rp_client_t *client = open_client(fake);
    rp_client_event_t event;
    rp_mirror_t mirror;
    uint32_t id = 0;
    ck_assert(rp_mirror_init(&mirror, 4, 16));
    ck_assert_int_eq(rp_client_mirror(client, "arena", &mirror, &id), RP_CLIENT_OK);
    ck_assert_uint_gt(id, WATCH + 2u); // no number that a daemon gives
    ck_assert_str_eq(rp_client_lost(client, id), "");
    if (told->worldless != 0) {
        ck_assert(polls(client, RP_CLIENT_GONE, &event));
        ck_assert_uint_eq(event.watch, id);
        ck_assert_ptr_nonnull(strstr(rp_client_lost(client, id), "waits for it"));
    }
    ck_assert(polls(client, RP_CLIENT_RESUMED, &event));
    ck_assert_uint_eq(event.watch, id);
    ck_assert_ptr_nonnull(strstr(rp_client_lost(client, id), "sent anew"));
    ck_assert(polls(client, RP_CLIENT_DELTA, &event));
    ck_assert_uint_eq(event.watch, id);
    ck_assert(mirror.is_whole);
    ck_assert_uint_eq(mirror.version, 8);
    ck_assert_uint_eq(rp_mirror_newest(&mirror)[2], 0);
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
    rp_mirror_fini(&mirror);
    ck_assert_uint_eq(told->watches, 2);
    ck_assert_uint_eq(told->unwatched, WATCH);
}

START_TEST(a_mirror_with_a_hole_is_asked_for_anew)
{
    told_t told = {0};
    check_that_a_hole_is_mended(&told);
}
END_TEST

START_TEST(what_comes_before_the_number_of_a_new_watch_is_known_is_kept)
{
    told_t told = {.overtakes = true};
    check_that_a_hole_is_mended(&told);
}
END_TEST

START_TEST(a_world_that_is_gone_is_told_once_and_waited_for)
{
    told_t told = {.worldless = 3};
    check_that_a_hole_is_mended(&told);
    ck_assert_uint_eq(told.lists, 4);
}
END_TEST

START_TEST(a_call_meanwhile_gets_its_own_reply)
{
    told_t told = {0};
    fake_daemon_t *fake = fake_daemon_new(act, &told);
    rp_client_t *client = open_client(fake);
    Replan__V1__GetStats get;
    Replan__V1__Request request;
    const Replan__V1__Reply *reply;
    rp_client_event_t event;
    rp_mirror_t mirror;
    uint32_t id;
    ck_assert(rp_mirror_init(&mirror, 4, 16));
    ck_assert_int_eq(rp_client_mirror(client, "arena", &mirror, &id), RP_CLIENT_OK);
    while (mirror.version != 0 || !mirror.is_whole) { // until the hole: then it asks
        ck_assert(rp_client_poll(client, WAIT_MS, &event));
        if (event.kind == RP_CLIENT_DELTA) {
            break;
        }
    }
    ck_assert(!rp_client_poll(client, 0, &event) || event.kind == RP_CLIENT_RESUMED);
    make_stats_request(&request, &get);
    ck_assert_int_eq(rp_client_call(client, &request, &reply), RP_CLIENT_OK);
    ck_assert_uint_eq(reply->applied->version, 12);
    while (!(mirror.is_whole && mirror.version == 8)) {
        ck_assert(rp_client_poll(client, WAIT_MS, &event));
    }
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
    rp_mirror_fini(&mirror);
}
END_TEST

START_TEST(nobody_is_followed_by_a_mistyped_name)
{
    told_t told = {.knows_no_agent = true};
    fake_daemon_t *fake = fake_daemon_new(act, &told);
    rp_client_t *client = open_client(fake);
    const char *agents[] = {"scuot"};
    uint32_t id = 0;
    ck_assert_int_eq(rp_client_watch_agents(client, "arena", agents, 1, &id), RP_CLIENT_E_REFUSED);
    ck_assert_ptr_nonnull(strstr(rp_client_sentence(client), "no agent"));
    ck_assert_uint_eq(id, 0);
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
    ck_assert_uint_eq(told.watches, 0);
}
END_TEST

START_TEST(an_event_loop_is_told_when_to_look_again)
{
    told_t told = {.worldless = 1u << 20};
    fake_daemon_t *fake = fake_daemon_new(act, &told);
    rp_client_t *client = open_client(fake);
    rp_client_event_t event;
    rp_mirror_t mirror;
    uint32_t id;
    ck_assert(rp_mirror_init(&mirror, 4, 16));
    ck_assert_int_eq(rp_client_wake_ms(client), -1);
    ck_assert_int_eq(rp_client_mirror(client, "arena", &mirror, &id), RP_CLIENT_OK);
    ck_assert_int_eq(rp_client_wake_ms(client), -1);
    ck_assert(polls(client, RP_CLIENT_GONE, &event));
    ck_assert_int_ge(rp_client_wake_ms(client), 0);
    ck_assert_int_eq(rp_client_unwatch(client, id), RP_CLIENT_OK);
    ck_assert_int_eq(rp_client_wake_ms(client), -1);
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
    rp_mirror_fini(&mirror);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_mirror_with_a_hole_is_asked_for_anew,
        what_comes_before_the_number_of_a_new_watch_is_known_is_kept,
        a_world_that_is_gone_is_told_once_and_waited_for,
        a_call_meanwhile_gets_its_own_reply,
        nobody_is_followed_by_a_mistyped_name,
        an_event_loop_is_told_when_to_look_again,
    };
    return rp_suite_run("follow", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
