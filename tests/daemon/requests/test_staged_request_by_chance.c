/// Whatever comes, in slices or in one go, comes to the same, also when the daemon is killed
/// between two slices.
#include <string.h>

#include "daemon/process/log.h"
#include "daemon/rules/state.h"
#include "tests/daemon/heir.h"
#include "tests/daemon/loads.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_wire_t wire; ///< stages what is long
static rp_wire_t twin; ///< never does
static rp_random_t chance;

static void tear_down(void)
{
    rp_wire_close(&wire);
    rp_wire_close(&twin);
}

static uint32_t below(uint32_t limit)
{
    return rp_random_below(&chance, limit);
}

static void draw_bytes(uint32_t dense)
{
    for (uint32_t i = 0; i < RP_LOAD_CELLS; i++) {
        rp_load_bytes[i] = below(dense) != 0;
    }
}

static void draw_cells(void)
{
    for (uint32_t i = 0; i < RP_LOAD_CELLS; i++) {
        rp_load_cells[i] = below(RP_LOAD_CELLS);
    }
}

/// The same message to both.
static void play(uint64_t id)
{
    rp_wire_t *const both[] = {&wire, &twin};
    const unsigned peer = below(RP_WIRE_PEERS);
    const char *name = rp_load_worlds[below(2)];
    const uint32_t kind = below(26);
    const uint32_t x = below(RP_LOAD_SIDE);
    draw_bytes(1u + below(30));
    draw_cells();
    for (unsigned i = 0; i < 2; i++) {
        if (kind < 3) {
            rp_load_apply(both[i], peer, name, false, id);
        } else if (kind < 6) {
            rp_load_apply(both[i], peer, name, true, id);
        } else if (kind < 9) {
            rp_load_change(both[i], name, id);
        } else if (kind < 13) {
            rp_load_small(both[i], peer, name, x, id);
        } else if (kind < 15) {
            rp_load_pose(both[i], peer, x + 0.5, id);
        } else if (kind < 17) {
            rp_load_poses(both[i], peer, id, x / 2.0);
        } else if (kind == 17) {
            rp_load_remove(both[i], peer, "moor", id);
        } else if (kind < 20) {
            rp_load_create(both[i], peer, "moor", id);
        } else if (kind < 23) {
            rp_load_overlay(both[i], peer, name, x, id);
        } else if (kind == 23) {
            rp_load_resize(both[i], peer, name, x, id);
        } else {
            rp_load_order(both[i], peer, x, id);
        }
    }
}

static void expect_same(void)
{
    for (unsigned i = 0; i < 2; i++) {
        const rp_served_t *is = rp_worlds_find(&wire.daemon.serving.worlds, rp_load_worlds[i]);
        const rp_served_t *should = rp_worlds_find(&twin.daemon.serving.worlds, rp_load_worlds[i]);
        ck_assert((is != NULL) == (should != NULL));
        if (is == NULL) {
            continue;
        }
        ck_assert_uint_eq(rp_engine_version(wire.daemon.serving.engine, is->id),
                          rp_engine_version(twin.daemon.serving.engine, should->id));
        ck_assert_uint_eq(rp_engine_hash(wire.daemon.serving.engine, is->id),
                          rp_engine_hash(twin.daemon.serving.engine, should->id));
        const size_t cells_there = (size_t)should->options.width * should->options.height;
        ck_assert_uint_eq(is->options.width, should->options.width);
        ck_assert_uint_eq(is->options.height, should->options.height);
        ck_assert_int_eq(memcmp(rp_load_bytes_of(&wire, rp_load_worlds[i]),
                                rp_load_bytes_of(&twin, rp_load_worlds[i]), cells_there),
                         0);
        ck_assert_int_eq(memcmp(rp_engine_beneath(wire.daemon.serving.engine, is->id),
                                rp_engine_beneath(twin.daemon.serving.engine, should->id),
                                cells_there),
                         0);
        ck_assert_uint_eq(is->publishers.gaps, should->publishers.gaps);
    }
    for (unsigned peer = 0; peer < RP_WIRE_PEERS; peer++) {
        const Replan__V1__Reply *should;
        while ((should = rp_wire_reply(&twin, peer)) != NULL) {
            const Replan__V1__Reply *is = rp_wire_reply(&wire, peer);
            ck_assert_ptr_nonnull(is);
            ck_assert_uint_eq(is->id, should->id);
            ck_assert_int_eq(is->status, should->status);
            ck_assert_str_eq(is->sentence, should->sentence);
            ck_assert_int_eq(is->body_case, should->body_case);
            ck_assert(should->body_case != REPLAN__V1__REPLY__BODY_APPLIED ||
                      is->applied->version == should->applied->version);
        }
        ck_assert_ptr_null(rp_wire_reply(&wire, peer));
    }
    const Replan__V1__Answer *is = rp_wire_answer(&wire, 0, "ann");
    const int outcome = is->outcome;
    const double cost = is->cost;
    const Replan__V1__Answer *should = rp_wire_answer(&twin, 0, "ann");
    ck_assert_int_eq(outcome, should->outcome);
    ck_assert_double_eq_tol(cost, should->cost, 1e-9);
}

START_TEST(slices_and_one_go_come_to_the_same)
{
    chance.state = (uint64_t)_i + 1u;
    memset(rp_load_bytes, 1, sizeof rp_load_bytes);
    rp_load_open(&wire, RP_LOAD_LONG);
    rp_load_open(&twin, RP_LOAD_NEVER);
    uint64_t id = 100;
    for (unsigned i = 0; i < 6; i++) {
        const unsigned burst = 1u + below(12);
        for (unsigned k = 0; k < burst; k++) {
            play(++id);
            for (uint32_t rounds = below(4); rounds != 0; rounds--) {
                rp_daemon_work(&wire.daemon, 1u + below(60));
            }
            rp_wire_work(&twin); // so that none of its replies waits for another
        }
        rp_wire_work(&wire);
        rp_wire_pass(&wire, 2000000); // paced ones go out
        rp_wire_pass(&twin, 2000000);
        expect_same();
    }
}
END_TEST

// ---- killed between slices

START_TEST(what_was_killed_in_the_middle_was_not_and_what_was_answered_is)
{
    chance.state = (uint64_t)_i + 1u;
    rp_keeper_open(false);
    rp_keeper.daemon.intake.long_from = RP_LOAD_LONG;
    uint64_t id = 100;
    uint64_t replied = 0;
    draw_bytes(9);
    rp_load_create(&rp_keeper, 0, "marsh", ++id);
    for (unsigned slice = 0; slice < 60; slice++) {
        if (below(3) == 0) {
            draw_bytes(1u + below(30));
            draw_cells();
            const unsigned peer = below(RP_WIRE_PEERS);
            switch (below(4)) {
            case 0:
                rp_load_small(&rp_keeper, peer, "moor", below(RP_LOAD_SIDE), ++id);
                break;
            case 1:
                rp_load_change(&rp_keeper, "marsh", ++id);
                break;
            case 2:
                rp_load_create(&rp_keeper, peer, "moor", ++id);
                break;
            default:
                rp_load_apply(&rp_keeper, peer, "marsh", below(2) == 0, ++id);
            }
        }
        rp_daemon_work(&rp_keeper.daemon, 1u + below(60));
        if (below(20) == 0) {
            rp_state_renew(&rp_keeper.daemon.serving); // it waits for the end of what is in work
        }
        if (below(6) == 0) {
            const char *reason;
            ck_assert(rp_state_flush(&rp_keeper.daemon.serving, &reason));
            rp_keeper_die(0);
            rp_heir_is_same();
        }
    }
    rp_wire_pass(&rp_keeper, 2000000);
    rp_keeper_die(0);
    rp_heir_is_same();
    for (unsigned peer = 0; peer < RP_WIRE_PEERS; peer++) {
        while (rp_wire_reply(&rp_keeper, peer) != NULL) {
            replied++;
        }
    }
    ck_assert_uint_gt(replied, 1);
}
END_TEST

/// A lease ends between two slices: who is gone is not named in the journal after that.
START_TEST(an_agent_that_goes_in_the_middle_of_its_poses_or_its_order_is_gone_for_the_heir)
{
    const bool are_poses = _i == 0;
    const char *const names[] = {"ann", "bob", "cy", "dan"};
    uint64_t agents[4];
    rp_keeper_open(false);
    memset(rp_load_bytes, 1, sizeof rp_load_bytes);
    rp_load_create(&rp_keeper, 0, "marsh", 1);
    rp_wire_work(&rp_keeper);
    ck_assert_int_eq(rp_wire_reply(&rp_keeper, 0)->status, REPLAN__V1__STATUS__OK);
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    policy.lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S;
    for (unsigned i = 0; i < 4; i++) {
        policy.lease_s = i == 3 ? 3 : 0;
        agents[i] = rp_wire_agent_with(&rp_keeper, 0, names[i], 1, 1 + i, 60, 60, &policy);
    }
    rp_keeper.daemon.intake.long_from = RP_LOAD_LONG;
    double places[] = {9.5, 19.5, 29.5, 39.5};
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__Poses poses = REPLAN__V1__POSES__INIT;
    Replan__V1__Order order = REPLAN__V1__ORDER__INIT;
    request.id = 100;
    if (are_poses) {
        poses.world = rp_text("marsh");
        poses.n_handles = poses.n_x = poses.n_y = 4;
        poses.handles = agents;
        poses.x = poses.y = places;
        request.body_case = REPLAN__V1__REQUEST__BODY_SET_POSES;
        request.set_poses = &poses;
    } else {
        order.world = rp_text("marsh");
        order.n_handles = order.n_x = order.n_y = 4;
        order.handles = agents;
        order.x = order.y = places;
        request.body_case = REPLAN__V1__REQUEST__BODY_ORDER;
        request.order = &order;
    }
    rp_wire_send(&rp_keeper, 1, &request);
    for (unsigned i = 0; i < (are_poses ? 2u : 4u); i++) {
        rp_daemon_work(&rp_keeper.daemon, 6);
    }
    ck_assert_ptr_null(rp_wire_reply(&rp_keeper, 1));
    rp_keeper.daemon.serving.now.steady_us += 4000000;
    rp_keeper.daemon.serving.now.wall_us += 4000000;
    rp_wire_work(&rp_keeper);
    ck_assert_int_eq(rp_wire_reply(&rp_keeper, 1)->status, REPLAN__V1__STATUS__OK);
    ck_assert_uint_eq(rp_keeper.daemon.serving.stats.agents, 3);
    const char *reason;
    ck_assert(rp_state_flush(&rp_keeper.daemon.serving, &reason));
    rp_keeper_die(0);
    rp_heir_is_same();
}
END_TEST

int main(void)
{
    rp_log_set_level(RP_LOG_ERROR);
    const TTest *const same[] = {slices_and_one_go_come_to_the_same};
    const TTest *const killed[] = {what_was_killed_in_the_middle_was_not_and_what_was_answered_is};
    const int failed = rp_suite_run("staged_request: by chance", same, 1, RP_ROUNDS(25), tear_down);
    const TTest *const lapsed[] = {
        an_agent_that_goes_in_the_middle_of_its_poses_or_its_order_is_gone_for_the_heir};
    return rp_suite_run("staged_request: killed", killed, 1, RP_ROUNDS(12), rp_keeper_tear_down) +
           rp_suite_run("staged_request: lapsed", lapsed, 1, 2, rp_keeper_tear_down) + failed;
}
