/// The client's line to a daemon, against a fake one that is late, silent, or gone.
#include <stdlib.h>
#include <string.h>

#include "replan/client.h"
#include "tests/clients/client_scene.h"
#include "tests/clients/fake_daemon.h"

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

int main(void)
{
    Suite *suite = suite_create("client");
    TCase *cases = tcase_create("client");
    tcase_set_timeout(cases, 600);
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
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
