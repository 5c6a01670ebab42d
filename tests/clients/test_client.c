/// The client's line to a daemon, against a fake one that is late, silent, or gone.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "replan/client.h"
#include "tests/clients/fake_daemon.h"

#define WATCH   5u
#define WAIT_MS 2000

/// So long that the memory of its frame is given back to the system when that is closed.
#define LONG_BYTES (1u << 20)

/// What the fake saw; written on its thread, read when that is joined.
typedef struct seen {
    uint32_t requests;
    uint64_t credit;
    uint64_t credit_most; ///< of one renewal
    uint64_t held[2];     ///< ids of requests that were not answered at once
} seen_t;

static void reply_ok(fake_daemon_t *fake, uint64_t id)
{
    Replan__V1__Applied applied = REPLAN__V1__APPLIED__INIT;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    applied.version = 12;
    reply.id = id;
    reply.body_case = REPLAN__V1__REPLY__BODY_APPLIED;
    reply.applied = &applied;
    fake_daemon_reply(fake, &reply);
}

static void say_answer(fake_daemon_t *fake, uint32_t watch, uint64_t path_seq)
{
    Replan__V1__Answer answer = REPLAN__V1__ANSWER__INIT;
    Replan__V1__ToClient news = REPLAN__V1__TO_CLIENT__INIT;
    answer.path_seq = path_seq;
    news.watch = watch;
    news.body_case = REPLAN__V1__TO_CLIENT__BODY_ANSWER;
    news.answer = &answer;
    fake_daemon_say(fake, &news);
}

static rp_client_t *open_client(const fake_daemon_t *fake)
{
    rp_client_t *client = NULL;
    ck_assert_int_eq(rp_client_open(fake_daemon_control(fake), WAIT_MS, &client), RP_CLIENT_OK);
    return client;
}

static void make_stats_request(Replan__V1__Request *request, Replan__V1__GetStats *get)
{
    replan__v1__get_stats__init(get);
    replan__v1__request__init(request);
    request->body_case = REPLAN__V1__REQUEST__BODY_GET_STATS;
    request->get_stats = get;
}

// ---- calls

static void act_ok(fake_daemon_t *fake, const Replan__V1__Request *request, void *user)
{
    (void)user;
    reply_ok(fake, request->id);
}

START_TEST(client_gets_the_reply_to_its_call)
{
    fake_daemon_t *fake = fake_daemon_new(act_ok, NULL);
    rp_client_t *client = open_client(fake);
    Replan__V1__GetStats get;
    Replan__V1__Request request;
    const Replan__V1__Reply *reply;
    make_stats_request(&request, &get);
    ck_assert_int_eq(rp_client_call(client, &request, &reply), RP_CLIENT_OK);
    ck_assert_uint_eq(reply->id, request.id);
    ck_assert_uint_eq(reply->applied->version, 12);
    rp_client_close(&client);
    ck_assert_ptr_null(client);
    fake_daemon_destroy(&fake);
}
END_TEST

typedef struct lives {
    uint64_t of_requests[4]; ///< [count]
    unsigned count;
} lives_t;

static void act_note_life(fake_daemon_t *fake, const Replan__V1__Request *request, void *user)
{
    lives_t *lives = user;
    lives->of_requests[lives->count++ % 4u] = request->life;
    reply_ok(fake, request->id);
}

/// The daemon tells its ids from those of another run by it.
START_TEST(client_names_its_life_with_each_request)
{
    lives_t lives = {.count = 0};
    fake_daemon_t *fake = fake_daemon_new(act_note_life, &lives);
    for (unsigned run = 0; run < 2; run++) {
        rp_client_t *client = open_client(fake);
        for (unsigned i = 0; i < 2; i++) {
            Replan__V1__GetStats get;
            Replan__V1__Request request;
            make_stats_request(&request, &get);
            ck_assert_int_eq(rp_client_call(client, &request, NULL), RP_CLIENT_OK);
        }
        rp_client_close(&client);
    }
    fake_daemon_destroy(&fake);
    ck_assert_uint_eq(lives.count, 4);
    ck_assert_uint_ne(lives.of_requests[0], 0);
    ck_assert_uint_eq(lives.of_requests[1], lives.of_requests[0]);
    ck_assert_uint_eq(lives.of_requests[3], lives.of_requests[2]);
    ck_assert_uint_ne(lives.of_requests[2], lives.of_requests[0]);
}
END_TEST

static void act_refuse(fake_daemon_t *fake, const Replan__V1__Request *request, void *user)
{
    (void)user;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    reply.id = request->id;
    reply.status = REPLAN__V1__STATUS__UNKNOWN;
    reply.sentence = (char *)"there is no world \"nowhere\"";
    fake_daemon_reply(fake, &reply);
}

START_TEST(client_hands_on_the_sentence_of_a_refusal)
{
    fake_daemon_t *fake = fake_daemon_new(act_refuse, NULL);
    rp_client_t *client = open_client(fake);
    Replan__V1__GetStats get;
    Replan__V1__Request request;
    const Replan__V1__Reply *reply;
    make_stats_request(&request, &get);
    ck_assert_int_eq(rp_client_call(client, &request, &reply), RP_CLIENT_E_REFUSED);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__UNKNOWN);
    ck_assert_str_eq(rp_client_sentence(client), "there is no world \"nowhere\"");
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
}
END_TEST

START_TEST(client_says_when_there_is_no_daemon)
{
    rp_client_t *client = NULL;
    ck_assert_int_eq(rp_client_open("tcp://127.0.0.1:1", 50, &client), RP_CLIENT_E_NO_DAEMON);
    ck_assert_ptr_null(client);
    ck_assert_int_eq(rp_client_open("not an endpoint", 50, &client), RP_CLIENT_E_INVALID);
    ck_assert_int_eq(rp_client_open("inproc://x", 50, &client), RP_CLIENT_E_INVALID);
    ck_assert_ptr_null(client);
}
END_TEST

/// Replies, and counts.
static void act_plainly(fake_daemon_t *fake, const Replan__V1__Request *request, void *user)
{
    seen_t *seen = user;
    seen->requests++;
    reply_ok(fake, request->id);
}

START_TEST(client_refuses_null_by_name)
{
    seen_t seen = {0};
    fake_daemon_t *fake = fake_daemon_new(act_plainly, &seen);
    rp_client_t *client = NULL;
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    Replan__V1__Request request;
    Replan__V1__GetStats get;
    uint32_t id = 0;
    uint64_t sent = 0;
    ck_assert_int_eq(rp_client_open(NULL, 50, &client), RP_CLIENT_E_INVALID);
    ck_assert_int_eq(rp_client_open(fake_daemon_control(fake), 50, NULL), RP_CLIENT_E_INVALID);
    ck_assert_ptr_null(client);
    client = open_client(fake);
    ck_assert_int_eq(rp_client_call(client, NULL, NULL), RP_CLIENT_E_INVALID);
    ck_assert_str_eq(rp_client_sentence(client), "request is NULL");
    ck_assert_int_eq(rp_client_send(client, NULL, &sent), RP_CLIENT_E_INVALID);
    ck_assert_int_eq(rp_client_watch(client, NULL, &id), RP_CLIENT_E_INVALID);
    ck_assert_str_eq(rp_client_sentence(client), "watch is NULL");
    ck_assert_int_eq(rp_client_watch(client, &watch, NULL), RP_CLIENT_E_INVALID);
    ck_assert_str_eq(rp_client_sentence(client), "id is NULL");
    ck_assert(!rp_client_poll(client, 0, NULL));
    make_stats_request(&request, &get);
    ck_assert_int_eq(rp_client_call(client, &request, NULL), RP_CLIENT_OK); // a reply may be
    rp_client_close(&client);
    rp_client_close(&client);
    rp_client_close(NULL);
    fake_daemon_destroy(&fake);
    ck_assert_uint_eq(seen.requests, 1);
    ck_assert_uint_eq(id + sent, 0);
}
END_TEST

START_TEST(client_says_nothing_of_an_answer_that_is_null)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__Answer answer = REPLAN__V1__ANSWER__INIT;
    double x_m = 7.0;
    double y_m = 7.0;
    uint32_t at = 7;
    ck_assert(!rp_client_has_path(NULL));
    ck_assert_uint_eq(rp_client_cells(NULL, &at, 1), 0);
    ck_assert_uint_eq(rp_client_bends(NULL, &x_m, &y_m, &at, 1), 0);
    answer.outcome = REPLAN__V1__OUTCOME__FOUND;
    answer.geometry = &geometry;
    geometry.width = geometry.height = 2;
    ck_assert_uint_eq(rp_client_cells(&answer, NULL, 1), 0);
    ck_assert_uint_eq(rp_client_cells(&answer, NULL, 0), 1);
    ck_assert_uint_eq(rp_client_bends(&answer, NULL, &y_m, &at, 1), 0);
    ck_assert_uint_eq(rp_client_bends(&answer, &x_m, NULL, &at, 1), 0);
    ck_assert_uint_eq(rp_client_bends(&answer, &x_m, &y_m, NULL, 1), 0);
    rp_client_middle(NULL, 0, &x_m, &y_m);
    rp_client_middle(&geometry, 0, NULL, &y_m);
    geometry.width = 0;
    rp_client_middle(&geometry, 0, &x_m, &y_m);
    ck_assert(x_m == 7.0 && y_m == 7.0 && at == 7);
}
END_TEST

START_TEST(client_says_what_is_wrong_with_an_endpoint)
{
    static const char *const faults[][2] = {
        {"127.0.0.1:7403", "has no scheme"},
        {"", "has no scheme"},
        {"tcp://127.0.0.1", "is not a host and its port"},
        {"ipc://", "is no path"},
        {"udp://127.0.0.1:7403", "a scheme other than"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const char *fault = rp_client_endpoint_fault(faults[i][0]);
        ck_assert_msg(strstr(fault, faults[i][1]) != NULL, "%s: %s", faults[i][0], fault);
    }
    ck_assert_ptr_nonnull(strstr(rp_client_endpoint_fault(NULL), "has no scheme"));
}
END_TEST

/// Silent at first; then the old request's reply, and right behind it the new one's.
static void act_late(fake_daemon_t *fake, const Replan__V1__Request *request, void *user)
{
    seen_t *seen = user;
    if (seen->requests++ == 0) {
        seen->held[0] = request->id;
        return;
    }
    reply_ok(fake, seen->held[0]);
    fake_daemon_say_bytes(fake, "\xff\xff\xff", 3);
    reply_ok(fake, request->id);
}

START_TEST(client_drops_a_reply_that_came_too_late)
{
    seen_t seen = {0};
    fake_daemon_t *fake = fake_daemon_new(act_late, &seen);
    rp_client_t *client = open_client(fake);
    Replan__V1__GetStats get;
    Replan__V1__Request request;
    const Replan__V1__Reply *reply;
    rp_client_event_t event;
    make_stats_request(&request, &get);
    request.deadline_ms = 1;
    ck_assert_int_eq(rp_client_call(client, &request, &reply), RP_CLIENT_E_NO_DAEMON);
    request.deadline_ms = WAIT_MS;
    ck_assert_int_eq(rp_client_call(client, &request, &reply), RP_CLIENT_OK);
    ck_assert_uint_eq(reply->id, request.id);
    ck_assert(!rp_client_poll(client, 0, &event));
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
}
END_TEST

// ---- pipelining

/// Holds two requests back and answers them, the later one first, when a third comes.
static void act_reversed(fake_daemon_t *fake, const Replan__V1__Request *request, void *user)
{
    seen_t *seen = user;
    if (seen->requests < 2) {
        seen->held[seen->requests++] = request->id;
        return;
    }
    reply_ok(fake, seen->held[1]);
    reply_ok(fake, seen->held[0]);
    reply_ok(fake, request->id);
}

START_TEST(client_keeps_pipelined_replies_while_a_call_waits)
{
    seen_t seen = {0};
    fake_daemon_t *fake = fake_daemon_new(act_reversed, &seen);
    rp_client_t *client = open_client(fake);
    Replan__V1__GetStats get;
    Replan__V1__Request request;
    rp_client_event_t event;
    uint64_t first;
    uint64_t second;
    make_stats_request(&request, &get);
    ck_assert_int_eq(rp_client_send(client, &request, &first), RP_CLIENT_OK);
    ck_assert_int_eq(rp_client_send(client, &request, &second), RP_CLIENT_OK);
    ck_assert_int_eq(rp_client_call(client, &request, NULL), RP_CLIENT_OK);
    ck_assert_uint_eq(rp_client_pending(client), 2);
    ck_assert(rp_client_poll(client, 0, &event));
    ck_assert_int_eq(event.kind, RP_CLIENT_REPLY);
    ck_assert_uint_eq(event.reply->id, second);
    ck_assert(rp_client_poll(client, 0, &event));
    ck_assert_uint_eq(event.reply->id, first);
    ck_assert_uint_eq(rp_client_pending(client), 0);
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
}
END_TEST

START_TEST(client_sends_no_more_than_its_window)
{
    fake_daemon_t *fake = fake_daemon_new(act_ok, NULL);
    rp_client_t *client = open_client(fake);
    Replan__V1__GetStats get;
    Replan__V1__Request request;
    rp_client_event_t event;
    make_stats_request(&request, &get);
    for (uint32_t i = 0; i < RP_CLIENT_WINDOW; i++) {
        ck_assert_int_eq(rp_client_send(client, &request, NULL), RP_CLIENT_OK);
    }
    ck_assert_int_eq(rp_client_send(client, &request, NULL), RP_CLIENT_E_FULL);
    ck_assert_int_eq(rp_client_call(client, &request, NULL), RP_CLIENT_OK);
    for (uint32_t i = 0; i < RP_CLIENT_WINDOW; i++) {
        ck_assert(rp_client_poll(client, WAIT_MS, &event));
        ck_assert_int_eq(event.kind, RP_CLIENT_REPLY);
    }
    ck_assert_int_eq(rp_client_send(client, &request, NULL), RP_CLIENT_OK);
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
}
END_TEST

// ---- watches

static void reply_watching(fake_daemon_t *fake, uint64_t id)
{
    Replan__V1__Watching watching = REPLAN__V1__WATCHING__INIT;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    reply.id = id;
    reply.body_case = REPLAN__V1__REPLY__BODY_WATCHING;
    watching.watch = WATCH;
    reply.watching = &watching;
    fake_daemon_reply(fake, &reply);
}

/// A watch that sends one answer for each credit, 100 at most. The first one overtakes the reply.
static void act_watched(fake_daemon_t *fake, const Replan__V1__Request *request, void *user)
{
    seen_t *seen = user;
    uint32_t credit = 0;
    if (request->body_case == REPLAN__V1__REQUEST__BODY_WATCH) {
        credit = request->watch->credit - 1;
        say_answer(fake, WATCH, ++seen->credit);
        reply_watching(fake, request->id);
    } else if (request->body_case == REPLAN__V1__REQUEST__BODY_CREDIT) {
        ck_assert_uint_eq(request->credit->watch, WATCH);
        credit = request->credit->credit;
        seen->credit_most = credit > seen->credit_most ? credit : seen->credit_most;
        reply_ok(fake, request->id);
    } else {
        say_answer(fake, WATCH, 1000);
        reply_ok(fake, request->id);
    }
    for (uint32_t i = 0; i < credit && seen->credit < 100; i++) {
        say_answer(fake, WATCH, ++seen->credit);
    }
}

START_TEST(client_renews_the_credit_of_a_watch)
{
    seen_t seen = {0};
    fake_daemon_t *fake = fake_daemon_new(act_watched, &seen);
    rp_client_t *client = open_client(fake);
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    rp_client_event_t event;
    uint32_t id = 0;
    watch.world = (char *)"arena";
    watch.all = true;
    watch.credit = 8;
    ck_assert_int_eq(rp_client_watch(client, &watch, &id), RP_CLIENT_OK);
    ck_assert_uint_eq(id, WATCH);
    for (uint64_t i = 1; i <= 100; i++) {
        ck_assert(rp_client_poll(client, WAIT_MS, &event));
        ck_assert_int_eq(event.kind, RP_CLIENT_ANSWER);
        ck_assert_uint_eq(event.watch, WATCH);
        ck_assert_uint_eq(event.answer->path_seq, i);
    }
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
    ck_assert_uint_eq(seen.credit_most, 4);
}
END_TEST

/// An answer to "orc": the steps given, and what stands of the one before.
static void fill_splice(Replan__V1__Answer *answer, uint64_t path_seq, const char *steps,
                        uint32_t from_end, uint32_t head, uint32_t tail)
{
    *answer = (Replan__V1__Answer)REPLAN__V1__ANSWER__INIT;
    answer->agent = (char *)"orc";
    answer->path_seq = path_seq;
    answer->steps = (ProtobufCBinaryData){strlen(steps), (uint8_t *)steps};
    answer->base_seq = head + tail != 0 ? path_seq - 1 : 0;
    answer->kept_from_end = from_end;
    answer->kept_head = head;
    answer->kept_tail = tail;
}

/// A batch of three answers, the third of which builds upon one that was never sent; asked for it
/// whole, it is.
static void act_splicing(fake_daemon_t *fake, const Replan__V1__Request *request, void *user)
{
    seen_t *seen = user;
    Replan__V1__Answer answers[3];
    Replan__V1__Answer *list[] = {&answers[0], &answers[1], &answers[2]};
    Replan__V1__Answers batch = REPLAN__V1__ANSWERS__INIT;
    Replan__V1__ToClient news = REPLAN__V1__TO_CLIENT__INIT;
    news.watch = WATCH;
    if (request->body_case == REPLAN__V1__REQUEST__BODY_WATCH) {
        reply_watching(fake, request->id);
        fill_splice(&answers[0], 4, "abcdefgh", 0, 0, 0);
        fill_splice(&answers[1], 5, "XY", 6, 2, 3); // cd XY fgh
        fill_splice(&answers[2], 7, "Z", 7, 3, 3);
        batch.answers = list;
        batch.n_answers = 3;
        news.body_case = REPLAN__V1__TO_CLIENT__BODY_ANSWERS;
        news.answers = &batch;
        fake_daemon_say(fake, &news);
    } else if (request->credit->n_whole == 1) {
        ck_assert_str_eq(request->credit->whole[0], "orc");
        seen->credit++;
        fill_splice(&answers[0], 7, "cdXZfgh", 0, 0, 0);
        news.body_case = REPLAN__V1__TO_CLIENT__BODY_ANSWER;
        news.answer = &answers[0];
        fake_daemon_say(fake, &news);
    }
}

START_TEST(client_makes_spliced_answers_of_a_batch_whole)
{
    static const char *const paths[] = {"abcdefgh", "cdXYfgh", "cdXZfgh"};
    seen_t seen = {0};
    fake_daemon_t *fake = fake_daemon_new(act_splicing, &seen);
    rp_client_t *client = open_client(fake);
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    rp_client_event_t event;
    uint32_t id = 0;
    watch.world = (char *)"arena";
    watch.credit = 100;
    watch.splices = 1;
    watch.batch = 3;
    ck_assert_int_eq(rp_client_watch(client, &watch, &id), RP_CLIENT_OK);
    for (size_t i = 0; i < 3; i++) {
        ck_assert(rp_client_poll(client, WAIT_MS, &event));
        ck_assert_int_eq(event.kind, RP_CLIENT_ANSWER);
        ck_assert_uint_eq(event.answer->base_seq, 0);
        ck_assert_uint_eq(event.answer->steps.len, strlen(paths[i]));
        ck_assert_mem_eq(event.answer->steps.data, paths[i], strlen(paths[i]));
    }
    ck_assert(!rp_client_poll(client, 0, &event));
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
    ck_assert_uint_eq(seen.credit, 1);
}
END_TEST

START_TEST(client_hears_nothing_of_a_watch_that_ended)
{
    seen_t seen = {0};
    fake_daemon_t *fake = fake_daemon_new(act_watched, &seen);
    rp_client_t *client = open_client(fake);
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    rp_client_event_t event;
    uint32_t id = 0;
    watch.world = (char *)"arena";
    watch.credit = 8;
    ck_assert_int_eq(rp_client_watch(client, &watch, &id), RP_CLIENT_OK);
    ck_assert_int_eq(rp_client_unwatch(client, id), RP_CLIENT_OK);
    ck_assert(!rp_client_poll(client, 0, &event));
    ck_assert_int_eq(rp_client_unwatch(client, id), RP_CLIENT_E_INVALID);
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
}
END_TEST

START_TEST(client_leaves_a_borrowed_event_alone_during_a_call)
{
    seen_t seen = {0};
    fake_daemon_t *fake = fake_daemon_new(act_watched, &seen);
    rp_client_t *client = open_client(fake);
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    Replan__V1__GetStats get;
    Replan__V1__Request request;
    rp_client_event_t event;
    uint32_t id = 0;
    watch.world = (char *)"arena";
    watch.credit = 1;
    ck_assert_int_eq(rp_client_watch(client, &watch, &id), RP_CLIENT_OK);
    ck_assert(rp_client_poll(client, WAIT_MS, &event));
    make_stats_request(&request, &get);
    ck_assert_int_eq(rp_client_call(client, &request, NULL), RP_CLIENT_OK);
    ck_assert_uint_eq(event.answer->path_seq, 1);
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
}
END_TEST

static uint8_t long_bytes[LONG_BYTES];

/// What it says of the map overtakes the reply of a watch.
static void act_long(fake_daemon_t *fake, const Replan__V1__Request *request, void *user)
{
    Replan__V1__Chunk chunk = REPLAN__V1__CHUNK__INIT;
    Replan__V1__ToClient news = REPLAN__V1__TO_CLIENT__INIT;
    Replan__V1__Field field = REPLAN__V1__FIELD__INIT;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    (void)user;
    if (request->body_case == REPLAN__V1__REQUEST__BODY_WATCH) {
        chunk.data = (ProtobufCBinaryData){LONG_BYTES, long_bytes};
        news.watch = WATCH;
        news.body_case = REPLAN__V1__TO_CLIENT__BODY_CHUNK;
        news.chunk = &chunk;
        fake_daemon_say(fake, &news);
        reply_watching(fake, request->id);
    } else {
        field.steps = (ProtobufCBinaryData){LONG_BYTES, long_bytes};
        reply.id = request->id;
        reply.body_case = REPLAN__V1__REPLY__BODY_FIELD;
        reply.field = &field;
        fake_daemon_reply(fake, &reply);
    }
}

START_TEST(client_keeps_the_long_bytes_of_what_it_lends)
{
    memset(long_bytes, 7, sizeof long_bytes);
    fake_daemon_t *fake = fake_daemon_new(act_long, NULL);
    rp_client_t *client = open_client(fake);
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    Replan__V1__GetStats get;
    Replan__V1__Request request;
    const Replan__V1__Reply *reply;
    rp_client_event_t event;
    uint32_t id = 0;
    watch.world = (char *)"arena";
    ck_assert_int_eq(rp_client_watch(client, &watch, &id), RP_CLIENT_OK);
    ck_assert(rp_client_poll(client, WAIT_MS, &event));
    make_stats_request(&request, &get);
    ck_assert_int_eq(rp_client_call(client, &request, &reply), RP_CLIENT_OK);
    ck_assert_uint_eq(event.chunk->data.len, LONG_BYTES);
    ck_assert_int_eq(memcmp(event.chunk->data.data, long_bytes, LONG_BYTES), 0);
    ck_assert_uint_eq(reply->field->steps.len, LONG_BYTES);
    ck_assert_int_eq(memcmp(reply->field->steps.data, long_bytes, LONG_BYTES), 0);
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
}
END_TEST

START_TEST(client_tells_once_when_the_line_breaks)
{
    seen_t seen = {0};
    fake_daemon_t *fake = fake_daemon_new(act_watched, &seen);
    rp_client_t *client = open_client(fake);
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    rp_client_event_t event;
    uint32_t id = 0;
    watch.world = (char *)"arena";
    watch.credit = 1;
    ck_assert_int_eq(rp_client_watch(client, &watch, &id), RP_CLIENT_OK);
    fake_daemon_destroy(&fake);
    ck_assert(rp_client_poll(client, WAIT_MS, &event));
    ck_assert_int_eq(event.kind, RP_CLIENT_ANSWER);
    ck_assert(rp_client_poll(client, WAIT_MS, &event));
    ck_assert_int_eq(event.kind, RP_CLIENT_LOST);
    ck_assert(!rp_client_poll(client, 0, &event));
    ck_assert_int_eq(rp_client_unwatch(client, id), RP_CLIENT_E_INVALID);
    rp_client_close(&client);
}
END_TEST

// ---- answers

START_TEST(client_walks_the_steps_of_an_answer)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__Answer answer = REPLAN__V1__ANSWER__INIT;
    uint8_t steps[] = {0, 1, 2, 6, 0};
    uint32_t cells[8] = {0};
    geometry.width = 4;
    geometry.height = 3;
    answer.geometry = &geometry;
    answer.start = 1; // (1, 0)
    answer.steps = (ProtobufCBinaryData){.len = sizeof(steps), .data = steps};
    ck_assert_uint_eq(rp_client_cells(&answer, cells, 8), 0);
    answer.outcome = REPLAN__V1__OUTCOME__FOUND;
    ck_assert_uint_eq(rp_client_cells(&answer, cells, 8), 6);
    // (2, 0) (3, 1) (3, 2) (3, 1), then over the edge to (0, 1)
    const uint32_t expected[8] = {1, 2, 7, 11, 7, 4};
    ck_assert_mem_eq(cells, expected, sizeof(expected));
    memset(cells, 0, sizeof(cells));
    ck_assert_uint_eq(rp_client_cells(&answer, cells, 2), 6);
    ck_assert_uint_eq(rp_client_way(&answer, cells, 8), 0);
    answer.way_start = answer.start;
    answer.way = (ProtobufCBinaryData){1, (uint8_t[]){0}};
    ck_assert_uint_eq(rp_client_way(&answer, cells, 8), 2);
    ck_assert_uint_eq(cells[0], answer.start);
    ck_assert_uint_ne(cells[1], answer.start);
    ck_assert_uint_eq(cells[2], 0);
}
END_TEST

START_TEST(client_tells_where_a_path_bends_and_where_a_cell_lies)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__Answer answer = REPLAN__V1__ANSWER__INIT;
    uint8_t steps[] = {0, 0, 2};
    double x[3];
    double y[3];
    uint32_t at[3];
    geometry.width = 4;
    geometry.height = 3;
    geometry.resolution = 2.0;
    geometry.origin_x = 10.0;
    answer.geometry = &geometry;
    answer.start = 4; // (0, 1)
    answer.steps = (ProtobufCBinaryData){.len = sizeof(steps), .data = steps};
    ck_assert_uint_eq(rp_client_bends(&answer, x, y, at, 3), 0); // no path
    answer.outcome = REPLAN__V1__OUTCOME__FOUND;
    ck_assert_uint_eq(rp_client_bends(&answer, x, y, at, 3), 3);
    ck_assert_double_eq(x[1], 15.0);
    ck_assert_double_eq(y[2], 5.0);
    ck_assert_uint_eq(at[1], 2);
    rp_client_middle(&geometry, 6, &x[0], &y[0]);
    ck_assert_double_eq(x[0], 15.0);
    ck_assert_double_eq(y[0], 3.0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("client");
    TCase *cases = tcase_create("client");
    tcase_set_timeout(cases, 20);
    tcase_add_test(cases, client_gets_the_reply_to_its_call);
    tcase_add_test(cases, client_names_its_life_with_each_request);
    tcase_add_test(cases, client_hands_on_the_sentence_of_a_refusal);
    tcase_add_test(cases, client_says_when_there_is_no_daemon);
    tcase_add_test(cases, client_refuses_null_by_name);
    tcase_add_test(cases, client_says_nothing_of_an_answer_that_is_null);
    tcase_add_test(cases, client_says_what_is_wrong_with_an_endpoint);
    tcase_add_test(cases, client_drops_a_reply_that_came_too_late);
    tcase_add_test(cases, client_keeps_pipelined_replies_while_a_call_waits);
    tcase_add_test(cases, client_sends_no_more_than_its_window);
    tcase_add_test(cases, client_renews_the_credit_of_a_watch);
    tcase_add_test(cases, client_makes_spliced_answers_of_a_batch_whole);
    tcase_add_test(cases, client_hears_nothing_of_a_watch_that_ended);
    tcase_add_test(cases, client_leaves_a_borrowed_event_alone_during_a_call);
    tcase_add_test(cases, client_keeps_the_long_bytes_of_what_it_lends);
    tcase_add_test(cases, client_tells_once_when_the_line_breaks);
    tcase_add_test(cases, client_walks_the_steps_of_an_answer);
    tcase_add_test(cases, client_tells_where_a_path_bends_and_where_a_cell_lies);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
