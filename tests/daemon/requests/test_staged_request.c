/// Hauls: what is long is done in slices; who waits for it, and who does not.
#include "daemon/requests/staged_request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/process/log.h"
#include "msgs/request.h"
#include "tests/daemon/loads.h"
#include "tests/support/suite.h"

static rp_wire_t wire; ///< stages what is long
static rp_wire_t twin; ///< never does

static void tear_down(void)
{
    rp_wire_close(&wire);
    if (twin.last != NULL) {
        rp_wire_close(&twin);
        twin = (rp_wire_t){0};
    }
}

static void open_hauler(void)
{
    memset(rp_load_bytes, 1, sizeof rp_load_bytes);
    rp_load_open(&wire, RP_LOAD_LONG);
}

// ---- who waits, and who does not

START_TEST(somebody_else_s_pose_does_not_wait_for_what_is_long)
{
    open_hauler();
    memset(rp_load_bytes, 0, sizeof rp_load_bytes);
    rp_load_apply(&wire, 1, "marsh", false, 11);
    ck_assert_ptr_null(rp_wire_reply(&wire, 1));
    for (unsigned round = 0; round < 3; round++) {
        rp_load_pose(&wire, 2, 5.5 + round, 21u + round);
        ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, 0);       // with no round of work between
        ck_assert_int_eq(rp_load_bytes_of(&wire, "marsh")[100], 1); // and nobody sees half of it
        rp_daemon_work(&wire.daemon, 6);
    }
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, 2);
    ck_assert_int_eq(rp_load_bytes_of(&wire, "marsh")[100], 0);
}
END_TEST

/// Each of these is ready within a round: without a rest between, nobody would be planned for.
START_TEST(what_is_long_has_rounds_of_its_own_but_never_three_in_a_row)
{
    open_hauler();
    for (unsigned i = 0; i < 8; i++) {
        rp_load_apply(&wire, 1, "marsh", false, 11u + i);
    }
    unsigned full = 0;
    unsigned in_a_row = 0;
    for (unsigned round = 0; round < 32; round++) {
        rp_daemon_work(&wire.daemon, 100000);
        const bool is_full = wire.daemon.full_rounds != 0;
        in_a_row = is_full ? in_a_row + 1u : 0u;
        ck_assert_uint_le(in_a_row, 2);
        ck_assert(!is_full || wire.daemon.serving.is_delivery_left); // the next round comes at once
        full += is_full;
    }
    ck_assert_uint_ge(full, 4);
}
END_TEST

START_TEST(changes_of_the_same_world_wait_and_those_of_another_do_not)
{
    open_hauler();
    rp_load_apply(&wire, 1, "marsh", false, 11);
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    apply.change = rp_wire_change(3, 3, 0);
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &apply);
    request.id = 31;
    rp_wire_send(&wire, 2, &request);
    ck_assert_ptr_null(rp_wire_reply(&wire, 2));
    apply.change->world = rp_text("moor");
    request.id = 32;
    rp_wire_send(&wire, 3, &request);
    ck_assert_uint_eq(rp_wire_reply(&wire, 3)->applied->version, 2);
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, 2);
    ck_assert_uint_eq(rp_wire_reply(&wire, 2)->applied->version, 3);
    ck_assert_int_eq(rp_load_bytes_of(&wire, "marsh")[3 * RP_LOAD_SIDE + 3], 0);
}
END_TEST

START_TEST(who_has_too_much_in_line_is_refused_and_others_go_on)
{
    const uint64_t sent = RP_REQUEST_QUEUE_SENDER / RP_REQUEST_QUEUE_WEIGHT + 10u;
    uint64_t taken = 0;
    open_hauler();
    rp_load_apply(&wire, 1, "marsh", false, 1);
    for (uint64_t id = 2; id <= sent; id++) {
        rp_load_pose(&wire, 1, 5.5, id);
    }
    rp_load_apply(&wire, 2, "marsh", false, 11);
    ck_assert_ptr_null(rp_wire_reply(&wire, 2));
    rp_load_list(&wire, 3, 21);
    ck_assert_int_eq(rp_wire_reply(&wire, 3)->status, 0); // at once, as ever
    ck_assert_uint_gt(wire.daemon.serving.stats.requests_refused, 9);
    rp_serving_count(&wire.daemon.serving);
    ck_assert_uint_le(wire.daemon.serving.stats.line_bytes, 2u * RP_REQUEST_QUEUE_SENDER);
    rp_wire_work(&wire);
    ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, 0);
    for (uint64_t i = 1; i <= sent; i++) {
        const Replan__V1__Reply *reply = rp_wire_reply(&wire, 1);
        ck_assert_ptr_nonnull(reply);
        taken += reply->status == 0;
        ck_assert(reply->status == 0 || (reply->status == REPLAN__V1__STATUS__LIMIT &&
                                         strstr(reply->sentence, "16777216") != NULL));
    }
    ck_assert_uint_eq(taken + wire.daemon.serving.stats.requests_refused, sent);
    rp_load_pose(&wire, 1, 8.5, sent + 1u);
    ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, 0);
}
END_TEST

START_TEST(what_is_published_beyond_its_part_of_the_line_is_refused_for_all_to_see)
{
    uint8_t body[256];
    const uint64_t sent = RP_REQUEST_QUEUE_SENDER / RP_REQUEST_QUEUE_WEIGHT + 10u;
    open_hauler();
    rp_load_apply(&wire, 1, "marsh", false, 1);
    const size_t size = protobuf_c_message_pack(&rp_wire_change(3, 3, 0)->base, body);
    for (uint64_t i = 0; i < sent; i++) {
        rp_daemon_change(&wire.daemon, "change/marsh/", 13, body, size);
    }
    const uint64_t refused = wire.daemon.serving.stats.changes_refused;
    ck_assert_uint_ge(refused, 10);
    const Replan__V1__Notice *notice =
        (const Replan__V1__Notice *)rp_wire_published(&wire, "status/marsh/");
    ck_assert_ptr_nonnull(notice);
    ck_assert_int_eq(notice->status, REPLAN__V1__STATUS__LIMIT);
    rp_load_apply(&wire, 2, "marsh", false, 2); // a peer has its own part
    rp_wire_work(&wire);
    ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, 0);
    ck_assert_uint_eq(wire.daemon.serving.stats.changes_applied, sent - refused + 2u);
}
END_TEST

/// Goal id of the newest answer of an agent of "marsh".
static uint64_t goal_id_of(const char *name)
{
    rp_answer_t answer;
    const rp_agent_t *agent = rp_worlds_find_agent(rp_wire_marsh(&wire), name);
    ck_assert_int_eq(rp_host_answer(wire.daemon.serving.host, agent->session, &answer), RP_OK);
    return answer.goal_id;
}

/// An order is taken some agents at a time. Somebody else's change goes on meanwhile, and another
/// order for the same agents comes after it.
START_TEST(an_order_is_taken_in_slices_and_nobody_else_waits_for_it)
{
    open_hauler();
    rp_load_order(&wire, 1, 5, 11);
    ck_assert_ptr_null(rp_wire_reply(&wire, 1));
    rp_load_order(&wire, 3, 20, 31);
    for (unsigned round = 0; round < 3; round++) {
        rp_load_small(&wire, 2, "marsh", round, 21u + round);
        ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, 0); // with no round of work between
        rp_daemon_work(&wire.daemon, 6);
    }
    ck_assert_ptr_null(rp_wire_reply(&wire, 1)); // one of four has its goal by now
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->id, 11);
    ck_assert_uint_eq(rp_wire_reply(&wire, 3)->id, 31);
    ck_assert_uint_eq(goal_id_of("ann"), 310);
    ck_assert_uint_eq(goal_id_of("dan"), 310);
}
END_TEST

START_TEST(an_order_that_names_nobody_is_refused_before_any_agent_sets_out)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__Order order = REPLAN__V1__ORDER__INIT;
    char *names[] = {rp_text("ann"), rp_text("bob"), rp_text("nobody")};
    double place = 9.5;
    uint64_t goal_id = 7;
    open_hauler();
    order.world = rp_text("marsh");
    order.n_agents = 3;
    order.agents = names;
    order.n_x = order.n_y = order.n_goal_ids = 1;
    order.x = order.y = &place;
    order.goal_ids = &goal_id;
    request.id = 11;
    request.body_case = REPLAN__V1__REQUEST__BODY_ORDER;
    request.order = &order;
    rp_wire_send(&wire, 1, &request);
    ck_assert_ptr_null(rp_wire_reply(&wire, 1));
    rp_wire_work(&wire);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__UNKNOWN, "\"nobody\"");
    ck_assert_uint_eq(goal_id_of("ann"), 0);
}
END_TEST

START_TEST(a_world_with_many_agents_goes_in_slices_and_others_are_served)
{
    open_hauler();
    rp_load_remove(&wire, 1, "marsh", 11);
    ck_assert_ptr_null(rp_wire_reply(&wire, 1));
    rp_load_pose(&wire, 3, 5.5, 31); // of the same world: it waits
    for (unsigned round = 0; round < 2; round++) {
        rp_load_small(&wire, 2, "moor", round, 21u + round);
        ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, 0); // with no round of work between
        rp_daemon_work(&wire.daemon, 6);
    }
    ck_assert_ptr_nonnull(rp_wire_marsh(&wire));
    rp_wire_work(&wire);
    ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, 0);
    rp_wire_expect(&wire, 3, REPLAN__V1__STATUS__UNKNOWN, "\"marsh\"");
    ck_assert_ptr_null(rp_wire_marsh(&wire));
    ck_assert_uint_eq(wire.daemon.serving.stats.agents, 0);
}
END_TEST

START_TEST(a_world_that_goes_in_slices_ends_its_watches_first)
{
    open_hauler();
    const uint32_t watch = rp_wire_watch(&wire, 2, false, 1000);
    rp_wire_work(&wire);
    while (rp_wire_next(&wire, 2) != NULL) {
    }
    rp_load_remove(&wire, 1, "marsh", 11);
    rp_daemon_work(&wire.daemon, 6);
    ck_assert_ptr_nonnull(rp_wire_marsh(&wire)->agents);
    const Replan__V1__ToClient *told = rp_wire_next(&wire, 2);
    ck_assert_ptr_nonnull(told);
    ck_assert_int_eq(told->body_case, REPLAN__V1__TO_CLIENT__BODY_ENDED);
    ck_assert_uint_eq(told->watch, watch);
    ck_assert_ptr_nonnull(strstr(told->ended->sentence, "\"marsh\" was removed"));
    rp_wire_work(&wire);
    ck_assert_ptr_null(rp_wire_marsh(&wire));
    ck_assert_ptr_null(rp_wire_next(&wire, 2));
}
END_TEST

/// @return agents of a world that goes after so much work, beside so many watches of another world
static size_t agents_left_beside(unsigned watches, uint64_t budget)
{
    open_hauler();
    for (unsigned i = 0; i < watches; i++) {
        Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
        watch.world = rp_text("moor");
        watch.all = 1;
        Replan__V1__Request request = RP_REQUEST(WATCH, watch, &watch);
        (void)rp_wire_do(&wire, 2, &request);
    }
    rp_wire_work(&wire);
    rp_load_remove(&wire, 1, "marsh", 11);
    rp_daemon_work(&wire.daemon, budget);
    return rp_wire_marsh(&wire)->agent_count;
}

START_TEST(each_agent_that_goes_costs_a_look_at_all_watches)
{
    const size_t left = agents_left_beside(0, 50);
    rp_wire_close(&wire);
    ck_assert_uint_gt(agents_left_beside(RP_LIMIT_WATCHES_PEER, 50), left);
    ck_assert_uint_lt(left, 4);
}
END_TEST

START_TEST(a_world_is_not_removed_while_poses_are_taken_in)
{
    open_hauler();
    rp_load_poses(&wire, 1, 11, 0.0);
    ck_assert_ptr_null(rp_wire_reply(&wire, 1));
    rp_load_remove(&wire, 2, "marsh", 21);
    ck_assert_ptr_null(rp_wire_reply(&wire, 2));
    rp_wire_work(&wire);
    ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, 0);
    ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, 0);
    ck_assert_ptr_null(rp_wire_marsh(&wire));
}
END_TEST

START_TEST(a_deadline_counts_from_the_request_also_when_it_stood_in_line)
{
    open_hauler();
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    after.world = rp_text("marsh");
    after.version = 99;
    rp_load_apply(&wire, 1, "marsh", false, 11);
    Replan__V1__Request request = rp_wire_answer_request(&wire, "ann");
    request.after = &after;
    request.deadline_ms = 50;
    rp_wire_send(&wire, 1, &request);
    rp_wire_pass(&wire, 40000);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->id, 11);
    rp_wire_expect_no_reply(&wire, 1);
    rp_wire_pass(&wire, 10000);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__TIMEOUT, "deadline_ms");
}
END_TEST

START_TEST(one_of_many_bytes_that_are_no_map_is_handled_when_it_comes)
{
    enum {
        COUNT = 100
    };
    double at[COUNT];
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    open_hauler();
    for (unsigned i = 0; i < COUNT; i++) {
        at[i] = 3.5 + i % 50u;
    }
    goal.world = rp_text("marsh");
    goal.n_x = goal.n_y = COUNT;
    goal.x = goal.y = at;
    Replan__V1__Request request = RP_REQUEST(SET_GOAL, set_goal, &goal);
    static const char *const names[] = {"a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg"};
    for (unsigned i = 0; i < 7; i++) { // its doubles stand at any address
        (void)rp_wire_agent(&wire, 0, names[i], 1, 1, 60, 60);
        goal.agent = rp_text(names[i]);
        request.id = 100u + i;
        rp_wire_send(&wire, 1, &request);
        ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, 0);
        ck_assert_double_eq_tol(rp_wire_answer(&wire, 1, names[i])->cost, 2.0 * sqrt(2.0), 1e-9);
    }
}
END_TEST

START_TEST(replies_to_one_peer_keep_their_order)
{
    open_hauler();
    rp_load_create(&wire, 1, "fen", 11);
    rp_load_list(&wire, 1, 12);
    rp_load_apply(&wire, 1, "fen", true, 13);
    rp_load_pose(&wire, 1, 7.5, 14);
    rp_wire_work(&wire);
    for (uint64_t id = 11; id <= 14; id++) {
        const Replan__V1__Reply *reply = rp_wire_reply(&wire, 1);
        ck_assert_uint_eq(reply->id, id);
        ck_assert_int_eq(reply->status, 0);
        ck_assert(id != 12 || reply->worlds->n_worlds == 3);
    }
}
END_TEST

START_TEST(a_request_that_is_repeated_while_it_is_in_work_is_answered_once)
{
    open_hauler();
    rp_load_apply(&wire, 1, "marsh", false, 11);
    rp_daemon_work(&wire.daemon, 6);
    rp_load_apply(&wire, 1, "marsh", false, 11);
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, 2);
    ck_assert_ptr_null(rp_wire_reply(&wire, 1));
    rp_load_apply(&wire, 1, "marsh", false, 11);
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, 2);
    ck_assert_uint_eq(rp_wire_version(&wire), 2);
}
END_TEST

/// However far the first one has come: before it is hashed, after, while its cells are moved, and
/// when it is done.
START_TEST(a_long_request_that_takes_the_id_of_another_is_refused_and_the_same_is_not)
{
    for (unsigned steps = 0; steps < 60; steps++) {
        open_hauler();
        rp_load_apply(&wire, 1, "marsh", true, 11);
        for (unsigned i = 0; i < steps; i++) {
            rp_daemon_work(&wire.daemon, 6);
        }
        rp_load_apply(&wire, 1, "marsh", true, 11);
        rp_load_bytes[7] ^= 1u;
        rp_load_apply(&wire, 1, "marsh", true, 11);
        rp_load_bytes[7] ^= 1u;
        rp_wire_work(&wire);
        unsigned taken = 0;
        unsigned refused = 0;
        for (const Replan__V1__Reply *reply = rp_wire_reply(&wire, 1); reply != NULL;
             reply = rp_wire_reply(&wire, 1)) {
            ck_assert_uint_eq(reply->id, 11);
            taken += reply->status == REPLAN__V1__STATUS__OK;
            refused += reply->status == REPLAN__V1__STATUS__INVALID;
            ck_assert(reply->status == 0 || strstr(reply->sentence, "request.id") != NULL);
        }
        ck_assert_uint_ge(taken, 1); // the repeat is answered, too, when the first one was before
        ck_assert_uint_le(taken, 2);
        ck_assert_uint_eq(refused, 1);
        ck_assert_uint_eq(rp_wire_version(&wire), 2);
        rp_wire_close(&wire);
    }
    open_hauler();
}
END_TEST

START_TEST(what_is_long_and_wrong_is_refused_by_the_same_sentence)
{
    open_hauler();
    rp_load_open(&twin, RP_LOAD_NEVER);
    rp_load_cells[RP_LOAD_CELLS / 2u - 1u] = RP_LOAD_CELLS; // outside
    for (unsigned i = 0; i < 2; i++) {
        rp_wire_t *self = i == 0 ? &wire : &twin;
        rp_load_apply(self, 1, "marsh", true, 11);
        rp_load_apply(self, 1, "nowhere", false, 12);
        rp_load_create(self, 1, "moor", 13);
        rp_wire_work(self);
    }
    rp_load_cells[RP_LOAD_CELLS / 2u - 1u] = 0;
    for (unsigned i = 0; i < 3; i++) {
        const Replan__V1__Reply *is = rp_wire_reply(&wire, 1);
        const Replan__V1__Reply *should = rp_wire_reply(&twin, 1);
        ck_assert_int_ne(is->status, 0);
        ck_assert_int_eq(is->status, should->status);
        ck_assert_str_eq(is->sentence, should->sentence);
    }
}
END_TEST

START_TEST(cells_that_stand_at_odd_addresses_are_read_right)
{
    enum {
        WIDE = 256,
        COUNT = 20000
    };
    static uint32_t many[COUNT];
    static uint8_t values[COUNT];
    open_hauler();
    rp_wire_create(&wire, "fen", WIDE, WIDE);
    for (uint32_t i = 0; i < COUNT; i++) {
        many[i] = i * 3u;
    }
    const uint64_t ids[] = {5, 500, 50000, 5000000}; // a byte longer each
    for (unsigned i = 0; i < 4; i++) {
        Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
        memset(values, (int)i + 2, sizeof values);
        change.world = rp_text("fen");
        change.n_cells = COUNT;
        change.cells = many;
        change.values = (ProtobufCBinaryData){COUNT, values};
        Replan__V1__Request request =
            rp_wire_apply_request(&wire, &change, REPLAN__V1__WAIT__APPLIED);
        request.id = ids[i];
        rp_wire_send(&wire, 0, &request);
        do {
            rp_daemon_work(&wire.daemon, 50);
        } while (wire.daemon.serving.is_work_left);
        rp_wire_work(&wire); // workers may have had no time yet
        ck_assert_uint_eq(rp_wire_reply(&wire, 0)->applied->version, 2u + i);
        for (uint32_t cell = 0; cell < 3u * COUNT; cell++) {
            RP_EACH_EQ(rp_load_bytes_of(&wire, "fen")[cell], cell % 3u == 0 ? 2 + i : 1);
        }
    }
}
END_TEST

START_TEST(shapes_and_windows_are_made_ready_and_poses_go_on)
{
    open_hauler();
    for (unsigned kind = 0; kind < 2; kind++) {
        (kind == 0 ? rp_load_resize : rp_load_overlay)(&wire, 1, "marsh", 1, 11u + kind);
        ck_assert_ptr_null(rp_wire_reply(&wire, 1));
        for (unsigned round = 0; round < 3; round++) {
            rp_load_pose(&wire, 2, 1.5 + round, 21u + 10u * kind + round);
            ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, 0);
            rp_daemon_work(&wire.daemon, 6);
            ck_assert_uint_eq(
                rp_engine_version(wire.daemon.serving.engine, rp_wire_marsh(&wire)->id), 1u + kind);
        }
        rp_wire_work(&wire);
        ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, 2u + kind);
    }
}
END_TEST

int main(void)
{
    rp_log_set_level(RP_LOG_ERROR);
    const TTest *const tests[] = {
        somebody_else_s_pose_does_not_wait_for_what_is_long,
        what_is_long_has_rounds_of_its_own_but_never_three_in_a_row,
        changes_of_the_same_world_wait_and_those_of_another_do_not,
        who_has_too_much_in_line_is_refused_and_others_go_on,
        what_is_published_beyond_its_part_of_the_line_is_refused_for_all_to_see,
        an_order_is_taken_in_slices_and_nobody_else_waits_for_it,
        an_order_that_names_nobody_is_refused_before_any_agent_sets_out,
        a_world_with_many_agents_goes_in_slices_and_others_are_served,
        a_world_that_goes_in_slices_ends_its_watches_first,
        each_agent_that_goes_costs_a_look_at_all_watches,
        a_world_is_not_removed_while_poses_are_taken_in,
        a_deadline_counts_from_the_request_also_when_it_stood_in_line,
        one_of_many_bytes_that_are_no_map_is_handled_when_it_comes,
        replies_to_one_peer_keep_their_order,
        a_request_that_is_repeated_while_it_is_in_work_is_answered_once,
        a_long_request_that_takes_the_id_of_another_is_refused_and_the_same_is_not,
        what_is_long_and_wrong_is_refused_by_the_same_sentence,
        cells_that_stand_at_odd_addresses_are_read_right,
        shapes_and_windows_are_made_ready_and_poses_go_on,
    };
    return rp_suite_run("staged_request", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
