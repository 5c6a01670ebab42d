/// Watches of the C client that are asked for again, against a fake daemon: a mirror with a hole,
/// what comes before the number of its new watch is known, replies that come late or never, and
/// what is said of a daemon that was started again. Real breaks are in clients/story.json.
#include <string.h>

#include "msgs/request.h"
#include "replan/client.h"
#include "replan/mirror.h"
#include "tests/clients/client_scene.h"
#include "tests/clients/fake_daemon.h"
#include "tests/support/suite.h"

#define EPOCH 9u

/// Of the daemon that is there after a break, and where its world is.
#define NEXT_EPOCH   10u
#define NEXT_VERSION 7u

/// Written on the fake's thread.
typedef struct told {
    uint32_t watches;     ///< asked for so far
    uint32_t unwatched;   ///< the number that was ended
    uint32_t lists;       ///< how often it was asked for worlds
    bool overtakes;       ///< the new watch speaks before its reply
    uint32_t worldless;   ///< so often there is no world
    bool knows_no_agent;  ///< whoever asks for one is refused
    bool has_no_hole;     ///< the first watch tells version 1 alone
    uint64_t epoch;       ///< of the worlds that are listed; 0: EPOCH
    bool breaks_at_list;  ///< when it is asked for worlds for the first time
    uint32_t silent;      ///< so many questions for worlds get no reply
    bool holds_watch;     ///< the second watch is not replied to
    bool breaks_at_watch; ///< once the first watch was replied to
    bool counts_anew;     ///< another daemon gives its watches the numbers of the one before
    bool is_late;         ///< the held reply comes after that of the next call, not before it
    uint64_t held;        ///< id of that request; 0: none is held
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

static void reply_worlds(fake_daemon_t *fake, uint64_t id, uint64_t epoch, size_t count)
{
    Replan__V1__Head head = REPLAN__V1__HEAD__INIT;
    Replan__V1__WorldInfo info = REPLAN__V1__WORLD_INFO__INIT;
    Replan__V1__WorldInfo *infos[] = {&info};
    Replan__V1__Worlds worlds = REPLAN__V1__WORLDS__INIT;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    head.epoch = epoch;
    head.version = NEXT_VERSION;
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

static void be_another(fake_daemon_t *fake, told_t *told)
{
    told->epoch = NEXT_EPOCH;
    told->watches = told->counts_anew ? 0 : told->watches;
    fake_daemon_break(fake);
}

/// The end of a client with a mirror.
static void close_all(rp_client_t **client, fake_daemon_t **fake, rp_mirror_t *mirror)
{
    rp_client_close(client);
    fake_daemon_destroy(fake);
    rp_mirror_fini(mirror);
}

/// The first watch tells version 1 and then version 3; the next one, with another number,
/// version 7.
static void begin_watch(fake_daemon_t *fake, told_t *told, uint64_t id)
{
    const uint32_t number = WATCH + told->watches++;
    if (number == WATCH) {
        reply_watching(fake, id, number);
        if (told->breaks_at_watch) {
            be_another(fake, told);
            return;
        }
        say_chunk(fake, number, 1);
        if (!told->has_no_hole) {
            say_delta(fake, number, 3);
        }
        return;
    }
    if (told->holds_watch && number == WATCH + 1u) {
        told->held = id;
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

static void begin_list(fake_daemon_t *fake, told_t *told, uint64_t id)
{
    const uint32_t number = told->lists++;
    if (told->breaks_at_list && number == 0) {
        be_another(fake, told);
    } else if (number >= told->silent) {
        reply_worlds(fake, id, told->epoch == 0 ? EPOCH : told->epoch,
                     number < told->worldless ? 0 : 1);
    }
}

static void reply_version(fake_daemon_t *fake, uint64_t id, uint64_t epoch, uint64_t version)
{
    Replan__V1__Applied applied = REPLAN__V1__APPLIED__INIT;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    applied.epoch = epoch;
    applied.version = version;
    reply.id = id;
    reply.body_case = REPLAN__V1__REPLY__BODY_APPLIED;
    reply.applied = &applied;
    fake_daemon_reply(fake, &reply);
}

/// The reply that was held, and that to this request.
static void let_go(fake_daemon_t *fake, const told_t *told, uint64_t id)
{
    if (!told->is_late) {
        reply_watching(fake, told->held, WATCH + 1u);
    }
    reply_ok(fake, id);
    if (told->is_late) {
        reply_watching(fake, told->held, WATCH + 1u);
    }
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
        begin_list(fake, told, request->id);
        break;
    case REPLAN__V1__REQUEST__BODY_ASK_WHY:
        reply_why(fake, request->id, !told->knows_no_agent);
        break;
    case REPLAN__V1__REQUEST__BODY_CLOSE_AGENT:
        be_another(fake, told);
        break;
    case REPLAN__V1__REQUEST__BODY_APPLY:
        reply_version(fake, request->id, told->epoch, NEXT_VERSION);
        break;
    case REPLAN__V1__REQUEST__BODY_LIST_PEERS: // how many watches were asked for, as version
        reply_version(fake, request->id, EPOCH, told->watches);
        break;
    case REPLAN__V1__REQUEST__BODY_FORGIVE:
        let_go(fake, told, request->id);
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
    close_all(&client, &fake, &mirror);
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
    close_all(&client, &fake, &mirror);
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
    close_all(&client, &fake, &mirror);
}
END_TEST

// ---- what is said of another daemon

/// @param said  what rp_client_lost() has in it once the watch goes on
static void check_what_is_said(told_t *told, bool has_change, const char *said)
{
    fake_daemon_t *fake = fake_daemon_new(act, told);
    rp_client_t *client = open_client(fake);
    rp_client_event_t event;
    rp_mirror_t mirror;
    uint32_t id;
    ck_assert(rp_mirror_init(&mirror, 4, 16));
    ck_assert_int_eq(rp_client_mirror(client, "arena", &mirror, &id), RP_CLIENT_OK);
    ck_assert(polls(client, RP_CLIENT_CHUNK, &event));
    if (!told->breaks_at_list) {
        ck_assert_int_eq(rp_client_close_agent(client, "arena", "scout"), RP_CLIENT_E_NO_DAEMON);
    }
    while (has_change &&
           rp_client_fill_rect(client, "arena", 0, 0, 1, 1, 1, NULL) != RP_CLIENT_OK) {
    }
    ck_assert(polls(client, RP_CLIENT_RESUMED, &event));
    ck_assert_msg(strstr(rp_client_lost(client, id), said) != NULL, "it says: %s",
                  rp_client_lost(client, id));
    close_all(&client, &fake, &mirror);
}

START_TEST(a_change_before_a_watch_goes_on_does_not_hide_the_other_epoch)
{
    told_t told = {.has_no_hole = true};
    check_what_is_said(&told, true, "(epoch 9, now 10)");
}
END_TEST

START_TEST(of_a_world_that_was_made_anew_nothing_is_said_to_be_there)
{
    told_t told = {.has_no_hole = true, .worldless = 1};
    check_what_is_said(&told, false, "made anew: what it was before is lost");
}
END_TEST

START_TEST(a_break_during_a_repair_is_told_as_a_break)
{
    told_t told = {.breaks_at_list = true};
    check_what_is_said(&told, false, "(epoch 9, now 10)");
}
END_TEST

// ---- watches that are opened before a break is told

static uint64_t asked_watches(rp_client_t *client)
{
    Replan__V1__ListPeers list = REPLAN__V1__LIST_PEERS__INIT;
    const Replan__V1__Reply *reply;
    Replan__V1__Request request = RP_REQUEST(LIST_PEERS, list_peers, &list);
    ck_assert_int_eq(rp_client_call(client, &request, &reply), RP_CLIENT_OK);
    return reply->applied->version;
}

/// A client that knows of a break, and did not poll since.
static rp_client_t *open_broken(const fake_daemon_t *fake)
{
    rp_client_t *client = open_client(fake);
    ck_assert_int_eq(rp_client_close_agent(client, "arena", "scout"), RP_CLIENT_E_NO_DAEMON);
    return client;
}

START_TEST(a_watch_that_is_opened_before_a_break_is_told_goes_on)
{
    told_t told = {.has_no_hole = true};
    fake_daemon_t *fake = fake_daemon_new(act, &told);
    rp_client_t *client = open_broken(fake);
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    rp_client_event_t event;
    uint32_t id = 0;
    watch.world = (char *)"arena";
    watch.map = true;
    ck_assert_int_eq(rp_client_watch(client, &watch, &id), RP_CLIENT_OK);
    ck_assert(rp_client_poll(client, WAIT_MS, &event));
    ck_assert_int_eq(event.kind, RP_CLIENT_LOST);
    ck_assert(polls(client, RP_CLIENT_CHUNK, &event));
    ck_assert_uint_eq(event.watch, id);
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
}
END_TEST

START_TEST(one_that_resumes_is_not_asked_for_a_second_time)
{
    told_t told = {.has_no_hole = true};
    fake_daemon_t *fake = fake_daemon_new(act, &told);
    rp_client_t *client = open_broken(fake);
    rp_client_event_t event;
    rp_mirror_t mirror;
    uint32_t id;
    ck_assert(rp_mirror_init(&mirror, 4, 16));
    ck_assert_int_eq(rp_client_mirror(client, "arena", &mirror, &id), RP_CLIENT_OK);
    ck_assert(rp_client_poll(client, WAIT_MS, &event));
    ck_assert_int_eq(event.kind, RP_CLIENT_LOST);
    ck_assert(polls(client, RP_CLIENT_CHUNK, &event));
    ck_assert_uint_eq(event.watch, id);
    ck_assert(mirror.is_whole);
    ck_assert_int_eq(rp_client_wake_ms(client), -1);
    ck_assert_str_eq(rp_client_lost(client, id), "");
    ck_assert_uint_eq(asked_watches(client), 1);
    close_all(&client, &fake, &mirror);
}
END_TEST

/// What came from the old daemon, and is read later, is for the watch that had the number there.
START_TEST(two_daemons_may_give_two_watches_one_number)
{
    told_t told = {.has_no_hole = true, .counts_anew = true};
    fake_daemon_t *fake = fake_daemon_new(act, &told);
    rp_client_t *client = open_client(fake);
    rp_client_event_t event;
    rp_mirror_t mirrors[2];
    uint32_t ids[2];
    ck_assert(rp_mirror_init(&mirrors[0], 4, 16) && rp_mirror_init(&mirrors[1], 4, 16));
    ck_assert_int_eq(rp_client_mirror(client, "arena", &mirrors[0], &ids[0]), RP_CLIENT_OK);
    (void)asked_watches(client); // what the watch tells comes before this reply
    ck_assert_int_eq(rp_client_close_agent(client, "arena", "scout"), RP_CLIENT_E_NO_DAEMON);
    ck_assert_int_eq(rp_client_mirror(client, "arena", &mirrors[1], &ids[1]), RP_CLIENT_OK);
    (void)asked_watches(client);
    ck_assert(rp_client_poll(client, WAIT_MS, &event));
    ck_assert_int_eq(event.kind, RP_CLIENT_CHUNK);
    ck_assert_uint_eq(event.watch, ids[0]);
    ck_assert(rp_client_poll(client, WAIT_MS, &event));
    ck_assert_int_eq(event.kind, RP_CLIENT_LOST);
    ck_assert(rp_client_poll(client, WAIT_MS, &event));
    ck_assert_int_eq(event.kind, RP_CLIENT_CHUNK);
    ck_assert_uint_eq(event.watch, ids[1]);
    ck_assert(polls(client, RP_CLIENT_RESUMED, &event));
    ck_assert_uint_eq(event.watch, ids[0]);
    ck_assert(polls(client, RP_CLIENT_CHUNK, &event));
    ck_assert_uint_eq(event.watch, ids[0]);
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
    rp_mirror_fini(&mirrors[0]);
    rp_mirror_fini(&mirrors[1]);
}
END_TEST

/// Whether the reply comes before the break, or not at all, is chance.
START_TEST(a_watch_whose_line_breaks_with_its_reply_is_opened_on_the_next_one)
{
    told_t told = {.breaks_at_watch = true};
    fake_daemon_t *fake = fake_daemon_new(act, &told);
    rp_client_t *client = open_client(fake);
    rp_client_event_t event;
    rp_mirror_t mirror;
    uint32_t id;
    ck_assert(rp_mirror_init(&mirror, 4, 16));
    while (rp_client_mirror(client, "arena", &mirror, &id) != RP_CLIENT_OK) {
    }
    ck_assert(polls(client, RP_CLIENT_DELTA, &event));
    ck_assert_uint_eq(event.watch, id);
    ck_assert_uint_eq(mirror.version, 8);
    close_all(&client, &fake, &mirror);
    ck_assert_uint_eq(told.watches, 2);
}
END_TEST

// ---- replies that come late or never

static void ask_to_let_go(rp_client_t *client)
{
    Replan__V1__Forgive forgive = REPLAN__V1__FORGIVE__INIT;
    Replan__V1__Request request = RP_REQUEST(FORGIVE, forgive, &forgive);
    ck_assert_int_eq(rp_client_call(client, &request, NULL), RP_CLIENT_OK);
}

/// The watch ends while it is being asked for: the daemon keeps none.
static void check_that_it_ends(told_t *told)
{
    fake_daemon_t *fake = fake_daemon_new(act, told);
    rp_client_t *client = open_client(fake);
    rp_client_event_t event;
    rp_mirror_t mirror;
    uint32_t id;
    ck_assert(rp_mirror_init(&mirror, 4, 16));
    ck_assert_int_eq(rp_client_mirror(client, "arena", &mirror, &id), RP_CLIENT_OK);
    while (asked_watches(client) < 2) {
        (void)rp_client_poll(client, 0, &event);
    }
    ck_assert_int_eq(rp_client_unwatch(client, id), RP_CLIENT_OK);
    ask_to_let_go(client);
    while (rp_client_poll(client, told->is_late ? 100 : 0, &event)) {
        ck_assert_int_ne(event.kind, RP_CLIENT_RESUMED);
    }
    (void)asked_watches(client); // what came before this reply is read, and what it led to is sent
    (void)asked_watches(client); // what was sent before this request is read
    close_all(&client, &fake, &mirror);
    ck_assert_uint_eq(told->unwatched, WATCH + 1u);
}

START_TEST(a_watch_that_ends_while_it_is_asked_for_ends_at_the_daemon)
{
    told_t told = {.holds_watch = true};
    check_that_it_ends(&told);
}
END_TEST

START_TEST(so_it_does_when_the_reply_is_polled)
{
    told_t told = {.holds_watch = true, .is_late = true};
    check_that_it_ends(&told);
}
END_TEST

START_TEST(a_question_without_a_reply_is_asked_again)
{
    told_t told = {.silent = 1};
    fake_daemon_t *fake = fake_daemon_new(act, &told);
    rp_client_t *client = open_client(fake);
    rp_client_event_t event;
    rp_mirror_t mirror;
    uint32_t id;
    ck_assert(rp_mirror_init(&mirror, 4, 16));
    ck_assert_int_eq(rp_client_mirror(client, "arena", &mirror, &id), RP_CLIENT_OK);
    do {
        ck_assert(rp_client_poll(client, 4 * (int)RP_CLIENT_DEADLINE_MS, &event));
    } while (event.kind != RP_CLIENT_RESUMED);
    close_all(&client, &fake, &mirror);
    ck_assert_uint_eq(told.lists, 2);
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
        a_change_before_a_watch_goes_on_does_not_hide_the_other_epoch,
        of_a_world_that_was_made_anew_nothing_is_said_to_be_there,
        a_break_during_a_repair_is_told_as_a_break,
        a_watch_that_is_opened_before_a_break_is_told_goes_on,
        one_that_resumes_is_not_asked_for_a_second_time,
        two_daemons_may_give_two_watches_one_number,
        a_watch_whose_line_breaks_with_its_reply_is_opened_on_the_next_one,
        a_watch_that_ends_while_it_is_asked_for_ends_at_the_daemon,
        so_it_does_when_the_reply_is_polled,
        a_question_without_a_reply_is_asked_again,
    };
    return rp_suite_run("follow", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
