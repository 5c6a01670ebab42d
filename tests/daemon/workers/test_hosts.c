/// The same commands to engines with 0, 2 and 3 workers: whatever is asked, the same comes back.
#include <poll.h>

#include "tests/daemon/host_trio.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE     24u
#define SESSIONS 12u
#define STEPS    RP_ROUNDS(400u)
#define ROUNDS   6u
#define MOST_MS  120000

static const rp_cause_t no_cause;
static rp_host_t *hosts[RP_HOST_TRIO];
static rp_world_id_t world;
static rp_session_id_t sessions[SESSIONS]; ///< 0: not open
static rp_random_t chance;
static uint64_t now_us;

static void tear_down(void)
{
    rp_host_trio_close(hosts);
}

static void expect_same_answer(rp_session_id_t session)
{
    const rp_answer_t here = rp_host_trio_look(hosts[0], session, now_us);
    for (unsigned i = 1; i < RP_HOST_TRIO; i++) {
        const rp_answer_t there = rp_host_trio_look(hosts[i], session, now_us);
        ck_assert_int_eq(there.outcome, here.outcome);
        ck_assert_double_eq_tol(there.cost, here.cost, 1e-9);
        ck_assert_uint_eq(there.goal_id, here.goal_id);
        ck_assert_uint_eq(there.version, here.version);
        ck_assert_uint_eq(there.waypoint, here.waypoint);
        ck_assert_uint_eq(there.path_seq == 0, here.path_seq == 0);
        ck_assert_uint_eq(there.session, session);
    }
}

static void expect_same(void)
{
    for (unsigned i = 0; i < RP_HOST_TRIO; i++) {
        rp_host_trio_settle(hosts[i], now_us);
        rp_left_out_t left_out;
        ck_assert_uint_eq(rp_host_progress(hosts[i], world, &left_out).settled,
                          rp_engine_version(rp_host_authority(hosts[i]), world));
        ck_assert_uint_eq(left_out.count, 0);
        ck_assert_uint_eq(rp_host_layers(hosts[i], world), rp_host_layers(hosts[0], world));
    }
    for (unsigned i = 0; i < SESSIONS; i++) {
        if (sessions[i] != 0) {
            expect_same_answer(sessions[i]);
        }
    }
}

// ---- what happens

static void open_one(unsigned which)
{
    static const double radii[] = {0.0, 0.0, 1.0, 2.0};
    const rp_session_options_t options = {.body = {.radius_m = radii[which % 4u]}};
    if (sessions[which] != 0) {
        return;
    }
    for (unsigned i = 0; i < RP_HOST_TRIO; i++) {
        ck_assert_int_eq(rp_host_open(hosts[i], world, &options, &sessions[which]), RP_OK);
    }
}

static void close_one(unsigned which)
{
    for (unsigned i = 0; i < RP_HOST_TRIO && sessions[which] != 0; i++) {
        ck_assert_int_eq(rp_host_close(hosts[i], sessions[which]), RP_OK);
    }
    sessions[which] = 0;
}

static void move_one(unsigned which)
{
    const double x = rp_random_below(&chance, SIDE) + 0.5;
    const double y = rp_random_below(&chance, SIDE) + 0.5;
    for (unsigned i = 0; i < RP_HOST_TRIO && sessions[which] != 0; i++) {
        ck_assert_int_eq(rp_host_pose(hosts[i], sessions[which], x, y, 0, no_cause), RP_OK);
    }
}

/// One of a few places, so that sessions share goals and change groups; or another session.
static void aim_one(unsigned which)
{
    const uint32_t place = rp_random_below(&chance, 4);
    const rp_destination_t points[] = {{.x_m = 5.0 * place + 2.5, .y_m = 3.5},
                                       {.x_m = 20.5, .y_m = 5.0 * place + 1.5}};
    const unsigned prey = rp_random_below(&chance, SESSIONS);
    rp_aim_t aim = {.points = points, .count = 1, .goal_id = rp_random_below(&chance, 1000)};
    switch (rp_random_below(&chance, 6)) {
    case 0:
        aim.count = 2;
        break;
    case 1:
        aim.kind = RP_AIM_WAYPOINTS;
        aim.count = 2;
        break;
    case 2:
        aim.is_nearest = true;
        break;
    case 3:
        aim.kind = RP_AIM_TARGET;
        aim.count = 0;
        aim.target = prey != which ? sessions[prey] : 0;
        break;
    default:
        break;
    }
    for (unsigned i = 0; i < RP_HOST_TRIO && sessions[which] != 0; i++) {
        ck_assert_int_eq(rp_host_aim(hosts[i], sessions[which], &aim, no_cause), RP_OK);
    }
}

static void write_some(void)
{
    const rp_edit_t edit = {.x = rp_random_below(&chance, SIDE - 6u),
                            .y = rp_random_below(&chance, SIDE - 6u),
                            .width = rp_random_between(&chance, 1, 6),
                            .height = rp_random_between(&chance, 1, 3),
                            .fill = rp_random_chance(&chance, 50) ? 1 : 0};
    uint64_t version = 0;
    for (unsigned i = 0; i < RP_HOST_TRIO; i++) {
        ck_assert_int_eq(rp_host_apply(hosts[i], world, &edit, NULL, no_cause, &version), RP_OK);
    }
}

static void put_shape(void)
{
    const double x_m = rp_random_below(&chance, SIDE);
    const double y_m = rp_random_below(&chance, SIDE);
    const rp_shape_t shape = {.id = rp_random_below(&chance, 3),
                              .corners = 1,
                              .x_m = &x_m,
                              .y_m = &y_m,
                              .radius_m = 2.0,
                              .expires_us = now_us + rp_random_below(&chance, 5000)};
    const rp_overlay_edit_t edit = {.shapes = &shape, .shape_count = 1};
    uint64_t version = 0;
    for (unsigned i = 0; i < RP_HOST_TRIO; i++) {
        ck_assert_int_eq(rp_host_overlay(hosts[i], world, &edit, no_cause, &version), RP_OK);
    }
}

static void pass_time(void)
{
    now_us += 1000;
    uint64_t version = 0;
    for (unsigned i = 0; i < RP_HOST_TRIO; i++) {
        (void)rp_host_expire(hosts[i], world, now_us, no_cause, &version);
    }
}

static void shift(void)
{
    const rp_window_t window = {.x = (int32_t)rp_random_below(&chance, 3) - 1,
                                .y = (int32_t)rp_random_below(&chance, 3) - 1,
                                .width = SIDE,
                                .height = SIDE};
    uint64_t version = 0;
    for (unsigned i = 0; i < RP_HOST_TRIO; i++) {
        ck_assert_int_eq(rp_host_resize(hosts[i], world, &window, NULL, no_cause, &version), RP_OK);
    }
}

static void happen(void)
{
    const unsigned which = rp_random_below(&chance, SESSIONS);
    const uint32_t what = rp_random_below(&chance, 100);
    if (what < 10) {
        open_one(which);
    } else if (what < 14) {
        close_one(which);
    } else if (what < 50) {
        move_one(which);
    } else if (what < 65) {
        aim_one(which);
    } else if (what < 85) {
        write_some();
    } else if (what < 92) {
        put_shape();
    } else if (what < 99) {
        pass_time();
    } else {
        shift();
    }
}

START_TEST(the_number_of_workers_does_not_show)
{
    chance.state = (uint64_t)_i + 1u;
    rp_host_trio_open(hosts, SIDE, NULL, &world);
    for (unsigned step = 0; step < STEPS; step++) {
        happen();
        for (unsigned i = 0; i < RP_HOST_TRIO; i++) {
            (void)rp_host_step(hosts[i], now_us, 512);
        }
        if (step % 20u == 19u) {
            expect_same();
        }
    }
}
END_TEST

// ---- who takes long

#define WIDE 1000u

/// A session that goes round a wall from one side to almost the other, back and forth.
static void open_wide(rp_host_t *host)
{
    const rp_world_options_t options = {
        .width = WIDE, .height = WIDE, .neighbors = 8, .frame = {.resolution_m = 1.0}};
    const rp_session_options_t slow = {.planner = "astar"};
    const rp_edit_t wall = {.y = WIDE / 2u, .width = WIDE - 1u, .height = 1};
    uint64_t version;
    ck_assert_int_eq(rp_host_open_world(host, &options, NULL, &world), RP_OK);
    ck_assert_int_eq(rp_host_apply(host, world, &wall, NULL, no_cause, &version), RP_OK);
    ck_assert_int_eq(rp_host_open(host, world, &slow, &sessions[0]), RP_OK);
    ck_assert_int_eq(rp_host_pose(host, sessions[0], 20.5, 960.5, 0, no_cause), RP_OK);
}

/// Take in what comes after the next slice.
static void await_slice(rp_host_t *host)
{
    const uint64_t slices = rp_host_slices(host);
    struct pollfd reports = {rp_host_descriptor(host), POLLIN, 0};
    (void)rp_host_step(host, now_us, 512);
    while (rp_host_slices(host) == slices) {
        ck_assert_int_eq(poll(&reports, 1, MOST_MS), 1);
        (void)rp_host_step(host, now_us, 512);
    }
}

/// Send it away, change the world, and let seconds pass while it looks for its way.
/// @return false when it was found before the worker was told of the time
static bool is_left_out(rp_host_t *host, unsigned turn)
{
    const rp_destination_t place = {.x_m = 20.5 + turn, .y_m = 40.5};
    const rp_aim_t aim = {.points = &place, .count = 1};
    const rp_edit_t edit = {.x = 500 + turn, .y = 500, .width = 1, .height = 1, .fill = 0};
    uint64_t version;
    rp_left_out_t left_out;
    ck_assert_int_eq(rp_host_aim(host, sessions[0], &aim, no_cause), RP_OK);
    await_slice(host);
    ck_assert_int_eq(rp_host_apply(host, world, &edit, NULL, no_cause, &version), RP_OK);
    now_us += 2000000;
    do {
        await_slice(host);
    } while (rp_host_progress(host, world, &left_out).settled < version);
    ck_assert(left_out.count == 0 || left_out.sessions[0] == sessions[0]);
    return left_out.count == 1;
}

START_TEST(who_takes_long_is_left_out_whoever_plans)
{
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(rp_hosts_new(rp_host_trio_workers[i], UINT64_MAX, &hosts[i]), RP_OK);
        open_wide(hosts[i]);
        unsigned turn = 0;
        while (!is_left_out(hosts[i], turn)) {
            rp_host_trio_settle(hosts[i], now_us);
            ck_assert_uint_lt(++turn, 50);
        }
        rp_left_out_t left_out;
        ck_assert_int_eq(rp_host_close(hosts[i], sessions[0]), RP_OK); // it is nobody's now
        (void)rp_host_progress(hosts[i], world, &left_out);
        ck_assert_uint_eq(left_out.count, 0);
    }
}
END_TEST

static uint64_t settled_of(rp_host_t *host)
{
    rp_left_out_t left_out;
    return rp_host_progress(host, world, &left_out).settled;
}

/// A worker that planned for nobody here may be behind when it is given a session.
START_TEST(what_is_settled_stays_so_when_another_worker_begins_to_plan)
{
    const rp_edit_t edit = {.x = 20, .y = 20, .width = 1, .height = 1, .fill = 1};
    const rp_session_options_t options = {.planner = NULL};
    rp_host_trio_open(hosts, SIDE, NULL, &world);
    for (unsigned round = 0; round < RP_ROUNDS(200u); round++) {
        uint64_t version;
        rp_session_id_t pair[2];
        for (unsigned i = 0; i < 2; i++) {
            const rp_destination_t place = {.x_m = 3.5 + i, .y_m = 3.5};
            const rp_aim_t aim = {.points = &place, .count = 1};
            ck_assert_int_eq(rp_host_open(hosts[1], world, &options, &pair[i]), RP_OK);
            ck_assert_int_eq(rp_host_pose(hosts[1], pair[i], 9.5, 9.5, 0, no_cause), RP_OK);
            const uint64_t before = settled_of(hosts[1]);
            ck_assert_int_eq(rp_host_aim(hosts[1], pair[i], &aim, no_cause), RP_OK);
            ck_assert_uint_ge(settled_of(hosts[1]), before);
            ck_assert_int_eq(rp_host_apply(hosts[1], world, &edit, NULL, no_cause, &version),
                             RP_OK);
            while (settled_of(hosts[1]) < version) {
                await_slice(hosts[1]);
            }
        }
        ck_assert_int_eq(rp_host_close(hosts[1], pair[0]), RP_OK);
        ck_assert_int_eq(rp_host_close(hosts[1], pair[1]), RP_OK);
    }
}
END_TEST

static void destroy_nothing(rp_shared_buffer_t *self)
{
    (void)self;
}

/// Workers take in nothing before the round is over.
START_TEST(who_has_8_mib_of_long_messages_before_it_lags_until_they_are_taken_in)
{
    static uint8_t bytes[8u << 20];
    const rp_edit_t edit = {.width = 4, .height = 4, .data = bytes};
    static rp_shared_buffer_t longer;
    static rp_shared_buffer_t one;
    uint64_t version;
    rp_shared_buffer_init(&longer, bytes, sizeof bytes - 1u, destroy_nothing);
    rp_shared_buffer_init(&one, bytes, 1, destroy_nothing);
    rp_host_trio_open(hosts, SIDE, NULL, &world);
    for (unsigned i = 0; i < RP_HOST_TRIO; i++) {
        rp_host_trio_settle(hosts[i], now_us);
        ck_assert(!rp_host_lags(hosts[i]));
        ck_assert_int_eq(rp_host_apply(hosts[i], world, &edit, &longer, no_cause, &version), RP_OK);
        ck_assert(!rp_host_lags(hosts[i]));
        ck_assert_int_eq(rp_host_apply(hosts[i], world, &edit, &one, no_cause, &version), RP_OK);
        ck_assert_int_eq(rp_host_lags(hosts[i]), rp_host_trio_workers[i] != 0);
        rp_host_trio_settle(hosts[i], now_us);
        ck_assert(!rp_host_lags(hosts[i]));
    }
}
END_TEST

/// As when a state is told again: commands of many moments come in one batch.
START_TEST(shapes_go_by_the_clock_that_their_going_was_told_with)
{
    const double at = 5.5;
    const rp_shape_t shapes[] = {
        {.id = 1, .corners = 1, .x_m = &at, .y_m = &at, .expires_us = now_us + 1000},
        {.id = 2, .corners = 1, .x_m = &at, .y_m = &at, .expires_us = now_us + 2000},
    };
    const rp_overlay_edit_t both = {.shapes = shapes, .shape_count = 2};
    uint64_t version = 0;
    rp_host_trio_open(hosts, SIDE, NULL, &world);
    for (unsigned i = 0; i < RP_HOST_TRIO; i++) {
        ck_assert_int_eq(rp_host_overlay(hosts[i], world, &both, no_cause, &version), RP_OK);
        ck_assert(rp_host_expire(hosts[i], world, now_us + 1500, no_cause, &version));
        ck_assert(rp_host_expire(hosts[i], world, now_us + 2500, no_cause, &version));
        ck_assert_uint_eq(version, 4);
    }
    open_one(0);
    move_one(0);
    aim_one(0);
    now_us += 9000;
    expect_same();
}
END_TEST

int main(void)
{
    const TTest *const chances[] = {the_number_of_workers_does_not_show};
    const TTest *const tests[] = {
        who_takes_long_is_left_out_whoever_plans,
        what_is_settled_stays_so_when_another_worker_begins_to_plan,
        who_has_8_mib_of_long_messages_before_it_lags_until_they_are_taken_in,
        shapes_go_by_the_clock_that_their_going_was_told_with,
    };
    const int failed = rp_suite_run("workers: chance", chances, 1, ROUNDS, tear_down);
    return rp_suite_run("workers", tests, sizeof tests / sizeof tests[0], 1, tear_down) + failed;
}
