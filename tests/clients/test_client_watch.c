/// Watches of the C client, and what it says of answers.
#include <stdlib.h>
#include <string.h>

#include "replan/client.h"
#include "tests/clients/client_scene.h"
#include "tests/clients/fake_daemon.h"

/// So long that the memory of its frame is given back to the system when that is closed.
#define LONG_BYTES (1u << 20)

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

// ---- watches

/// A watch that sends one answer for each credit, 100 at most. The first one overtakes the reply.
static void act_watched(fake_daemon_t *fake, const Replan__V1__Request *request, void *user)
{
    seen_t *seen = user;
    uint32_t credit = 0;
    if (request->body_case == REPLAN__V1__REQUEST__BODY_WATCH) {
        credit = request->watch->credit - 1;
        say_answer(fake, WATCH, ++seen->credit);
        reply_watching(fake, request->id, WATCH);
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
        reply_watching(fake, request->id, WATCH);
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
        reply_watching(fake, request->id, WATCH);
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
    tcase_set_timeout(cases, 600);
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
