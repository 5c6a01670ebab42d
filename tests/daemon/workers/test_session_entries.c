/// Sessions that change their workers: their answers are numbered on as if nobody had, whoever
/// plans, and of one that is closed nothing is heard.
#include <poll.h>

#include "tests/daemon/host_trio.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

enum {
    SIDE = 24,
    SESSIONS = 10,
    EVENTS = 400,
    MOST_MS = 120000,
};

static const rp_cause_t no_cause;
static rp_host_t *hosts[RP_HOST_TRIO];
static rp_world_id_t world;
static rp_session_id_t sessions[SESSIONS]; ///< 0: not open
static uint64_t heard[SESSIONS];           ///< path_seq of the newest answer that came
static rp_random_t rng;
static uint64_t now_us;

static void tear_down(void)
{
    rp_host_trio_close(hosts);
}

static void open_one(unsigned i)
{
    const rp_session_options_t options = {.body = {.radius_m = i % 2}};
    for (unsigned k = 0; k < RP_HOST_TRIO; k++) {
        ck_assert_int_eq(rp_host_open(hosts[k], world, &options, &sessions[i]), RP_OK);
    }
    heard[i] = 0;
}

START_TEST(answers_are_counted_on_when_a_session_goes_to_another_worker)
{
    const rp_destination_t places[] = {{.x_m = 3.5, .y_m = 3.5}, {.x_m = 9.5, .y_m = 9.5}};
    rp_past_answer_t past[RP_PAST_MAX];
    rp_host_trio_open(hosts, SIDE, NULL, &world);
    for (unsigned i = 0; i < 3; i++) {
        open_one(2u * i); // points all, one goal for the first, another for the others
        ck_assert_int_eq(rp_host_pose(hosts[1], sessions[2u * i], 20.5, 3.5 * i + 0.5, 0, no_cause),
                         RP_OK);
        const rp_aim_t aim = {.points = &places[i != 0], .count = 1};
        ck_assert_int_eq(rp_host_aim(hosts[1], sessions[2u * i], &aim, no_cause), RP_OK);
    }
    ck_assert_uint_eq(rp_host_trio_look(hosts[1], sessions[0], now_us).path_seq, 1);
    const rp_aim_t to_the_others = {.points = &places[1], .count = 1, .goal_id = 5};
    ck_assert_int_eq(rp_host_aim(hosts[1], sessions[0], &to_the_others, no_cause), RP_OK);
    const rp_answer_t answer = rp_host_trio_look(hosts[1], sessions[0], now_us);
    ck_assert_uint_eq(answer.path_seq, 2);
    ck_assert_uint_eq(answer.goal_id, 5);
    ck_assert_int_eq(answer.reason, RP_REASON_GOAL);
    ck_assert_uint_eq(rp_host_past(hosts[1], sessions[0], past), 2);
    ck_assert_int_eq(past[0].reason, RP_REASON_GOAL);
    ck_assert_int_eq(past[1].reason, RP_REASON_FIRST);
}
END_TEST

static rp_answer_t answer_of(const rp_host_t *host, rp_session_id_t session)
{
    rp_answer_t answer = {0};
    ck_assert_int_eq(rp_host_answer(host, session, &answer), RP_OK);
    return answer;
}

/// Send a session from (1, 1) to a place. @param i  a session that is open
static void send_to(rp_host_t *host, unsigned i, double x, double y)
{
    const rp_destination_t place = {.x_m = x, .y_m = y};
    const rp_aim_t aim = {.points = &place, .count = 1};
    ck_assert_int_eq(rp_host_pose(host, sessions[i], 1.5, 1.5, 0, no_cause), RP_OK);
    ck_assert_int_eq(rp_host_aim(host, sessions[i], &aim, no_cause), RP_OK);
}

static void fill(rp_host_t *host, uint32_t x, uint32_t y, uint8_t byte)
{
    uint64_t version;
    const rp_edit_t edit = {.x = x, .y = y, .width = 1, .height = 1, .fill = byte};
    ck_assert_int_eq(rp_host_apply(host, world, &edit, NULL, no_cause, &version), RP_OK);
}

START_TEST(what_was_told_before_a_resize_means_the_cells_of_then)
{
    uint64_t version;
    const rp_window_t window = {.x = -2, .y = -1, .width = SIDE + 5u, .height = SIDE + 3u};
    rp_host_trio_open(hosts, SIDE, NULL, &world);
    open_one(0);
    send_to(hosts[1], 0, 9.5, 1.5);
    ck_assert_uint_eq(rp_host_trio_look(hosts[1], sessions[0], now_us).window.width, SIDE);
    ck_assert_int_eq(rp_host_resize(hosts[1], world, &window, NULL, no_cause, &version), RP_OK);
    const rp_answer_t before = answer_of(hosts[1], sessions[0]);
    ck_assert_uint_lt(before.version, version);
    ck_assert_uint_eq(before.window.width, SIDE);
    ck_assert_uint_eq(before.window.height, SIDE);
    ck_assert_uint_eq(before.start_x, 1);
    const rp_answer_t after = rp_host_trio_look(hosts[1], sessions[0], now_us);
    ck_assert_uint_eq(after.version, version);
    ck_assert_uint_eq(after.window.width, SIDE + 5u);
    ck_assert_uint_eq(after.window.height, SIDE + 3u);
    ck_assert_uint_eq(after.start_x, 3);
    ck_assert_double_eq(after.window.frame.origin_x_m, -2.0);
}
END_TEST

START_TEST(a_look_that_nobody_took_at_once_says_nothing_of_later_versions)
{
    rp_host_trio_open(hosts, SIDE, NULL, &world);
    open_one(0);
    send_to(hosts[1], 0, 9.5, 1.5);
    (void)rp_host_trio_look(hosts[1], sessions[0], now_us);
    fill(hosts[1], 20, 20, 0); // far off: no news of it
    ck_assert(!rp_host_is_current(hosts[1], sessions[0]));
    rp_host_trio_settle(hosts[1], now_us);
    fill(hosts[1], 20, 21, 0); // the look is of the version before, and a moment ago
    ck_assert(rp_host_is_current(hosts[1], sessions[0]));
    fill(hosts[1], 20, 22, 0);
    ck_assert(!rp_host_is_current(hosts[1], sessions[0]));
    rp_host_trio_settle(hosts[1], now_us);
    now_us += 1000000;
    fill(hosts[1], 20, 23, 0);
    rp_host_trio_settle(hosts[1], now_us);
    ck_assert(!rp_host_is_current(hosts[1], sessions[0])); // it is of a second ago
    rp_host_trio_settle(hosts[1], now_us);
    ck_assert(rp_host_is_current(hosts[1], sessions[0]));
    ck_assert_uint_eq(answer_of(hosts[1], sessions[0]).version,
                      rp_engine_version(rp_host_authority(hosts[1]), world));
}
END_TEST

START_TEST(a_look_is_answered_by_whichever_worker_the_session_moves_to)
{
    rp_host_trio_open(hosts, SIDE, NULL, &world);
    for (unsigned i = 0; i < 3; i++) { // one goal for the first, another for the others
        open_one(2u * i);
        send_to(hosts[1], 2u * i, i == 0 ? 3.5 : 9.5, 9.5);
    }
    rp_host_trio_settle(hosts[1], now_us);
    const uint64_t ticket = rp_host_look(hosts[1], sessions[0]);
    send_to(hosts[1], 0, 9.5, 9.5); // to where the others are planned for, before the look is back
    rp_host_trio_settle(hosts[1], now_us);
    ck_assert(rp_host_has_looked(hosts[1], sessions[0], ticket));
}
END_TEST

/// Planners that know no weights are held against the ground of their body, which nobody but a
/// worker keeps.
START_TEST(a_planner_that_knows_no_weights_is_refused_whoever_plans)
{
    static uint8_t bytes[SIDE * SIDE];
    rp_world_options_t options = {.width = SIDE,
                                  .height = SIDE,
                                  .neighbors = 8,
                                  .profile = "costmap",
                                  .frame = {.resolution_m = 1.0},
                                  .data = bytes};
    const rp_session_options_t point = {.planner = "jps"};
    const rp_session_options_t soft = {.planner = "jps", .body = {.inflation_radius_m = 3.0}};
    bytes[5 * SIDE + 5] = 254;
    rp_host_trio_open(hosts, SIDE, NULL, &world);
    for (unsigned k = 0; k < RP_HOST_TRIO; k++) {
        ck_assert_int_eq(rp_host_open_world(hosts[k], &options, NULL, &world), RP_OK);
        ck_assert_int_eq(rp_host_open(hosts[k], world, &point, &sessions[0]), RP_OK);
        ck_assert_int_eq(rp_host_open(hosts[k], world, &soft, &sessions[1]), RP_E_UNSUPPORTED);
    }
}
END_TEST

/// What it was opened with stays good when it goes to another worker, whatever the ground is then.
START_TEST(a_planner_that_knows_no_weights_goes_to_another_worker)
{
    const rp_session_options_t options = {.planner = "jps"};
    rp_host_trio_open(hosts, SIDE, NULL, &world);
    for (unsigned i = 0; i < 6; i++) {
        ck_assert_int_eq(rp_host_open(hosts[2], world, &options, &sessions[i]), RP_OK);
        send_to(hosts[2], i, 9.5, 2.5 * i + 1.5);
    }
    rp_host_trio_settle(hosts[2], now_us);
    fill(hosts[2], 20, 20, 7);
    for (unsigned i = 0; i < 6; i++) {
        for (unsigned place = 0; place < 6; place++) {
            send_to(hosts[2], i, 9.5, 2.5 * place + 1.5);
            ck_assert_int_eq(rp_host_trio_look(hosts[2], sessions[i], now_us).outcome,
                             RP_ANSWER_FOUND);
        }
    }
}
END_TEST

// ---- by chance

static unsigned place_of(rp_session_id_t session)
{
    unsigned i = 0;
    while (i < SESSIONS && sessions[i] != session) {
        i++;
    }
    return i;
}

/// Each answer has a greater number than the one before, and is the newest that is remembered.
static void hear(rp_host_t *host)
{
    rp_answer_t answer;
    rp_past_answer_t past[RP_PAST_MAX];
    while (rp_host_next_answer(host, &answer)) {
        const unsigned i = place_of(answer.session);
        ck_assert_msg(i < SESSIONS, "of a session that is closed");
        ck_assert_uint_gt(answer.path_seq, heard[i]);
        const uint64_t most = answer.path_seq < RP_PAST_MAX ? answer.path_seq : RP_PAST_MAX;
        const size_t count = rp_host_past(host, answer.session, past);
        ck_assert_uint_eq(count, most);
        for (size_t k = 0; k < count; k++) {
            RP_EACH_EQ(past[k].path_seq, answer.path_seq - k);
        }
        ck_assert_int_eq(past[0].outcome, answer.outcome);
        heard[i] = answer.path_seq;
    }
}

/// Another goal, which other sessions have or nobody has, or after another session.
static void aim_one(rp_host_t *host, unsigned i)
{
    const uint32_t place = rp_random_below(&rng, 6);
    const rp_destination_t point = {.x_m = 4.0 * place + 0.5, .y_m = 3.5};
    const unsigned prey = rp_random_below(&rng, SESSIONS);
    rp_aim_t aim = {.points = &point, .count = 1};
    if (rp_random_chance(&rng, 20)) {
        aim = (rp_aim_t){.kind = RP_AIM_TARGET, .target = prey != i ? sessions[prey] : 0};
    }
    ck_assert_int_eq(rp_host_aim(host, sessions[i], &aim, no_cause), RP_OK);
}

static void happen(rp_host_t *host)
{
    const unsigned i = rp_random_below(&rng, SESSIONS);
    const uint32_t dice = rp_random_below(&rng, 100);
    const double x = rp_random_below(&rng, SIDE) + 0.5;
    const double y = rp_random_below(&rng, SIDE) + 0.5;
    uint64_t version;
    if (sessions[i] == 0) {
        const rp_session_options_t options = {.body = {.radius_m = i % 2}};
        ck_assert_int_eq(rp_host_open(host, world, &options, &sessions[i]), RP_OK);
        heard[i] = 0;
    } else if (dice < 8) {
        ck_assert_int_eq(rp_host_close(host, sessions[i]), RP_OK);
        sessions[i] = 0;
    } else if (dice < 50) {
        ck_assert_int_eq(rp_host_pose(host, sessions[i], x, y, 0, no_cause), RP_OK);
    } else if (dice < 85) {
        aim_one(host, i);
    } else {
        const rp_edit_t edit = {.x = (uint32_t)x, .y = (uint32_t)y, .width = 1, .height = 1};
        ck_assert_int_eq(rp_host_apply(host, world, &edit, NULL, no_cause, &version), RP_OK);
    }
}

START_TEST(answers_are_numbered_on_whoever_plans)
{
    rp_host_trio_open(hosts, SIDE, NULL, &world);
    for (unsigned k = 0; k < RP_HOST_TRIO; k++) {
        struct pollfd reports = {rp_host_descriptor(hosts[k]), POLLIN, 0};
        rng = (rp_random_t){(uint64_t)_i + 1u};
        for (unsigned i = 0; i < SESSIONS; i++) {
            sessions[i] = 0;
        }
        for (unsigned event = 0; event < RP_ROUNDS(EVENTS); event++) {
            happen(hosts[k]);
            if (rp_random_chance(&rng, 60)) {
                (void)rp_host_step(hosts[k], ++now_us, 512);
                hear(hosts[k]);
            }
        }
        while (rp_host_step(hosts[k], now_us, 512) || rp_host_is_at_work(hosts[k])) {
            ck_assert(reports.fd < 0 || poll(&reports, 1, MOST_MS) == 1);
        }
        hear(hosts[k]);
        for (unsigned i = 0; i < SESSIONS; i++) { // nothing came that was not heard
            rp_answer_t answer;
            ck_assert(sessions[i] == 0 || rp_host_answer(hosts[k], sessions[i], &answer) == RP_OK);
            ck_assert(sessions[i] == 0 || answer.path_seq == heard[i]);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {answers_are_numbered_on_whoever_plans};
    const TTest *const once[] = {
        answers_are_counted_on_when_a_session_goes_to_another_worker,
        what_was_told_before_a_resize_means_the_cells_of_then,
        a_look_is_answered_by_whichever_worker_the_session_moves_to,
        a_look_that_nobody_took_at_once_says_nothing_of_later_versions,
        a_planner_that_knows_no_weights_is_refused_whoever_plans,
        a_planner_that_knows_no_weights_goes_to_another_worker,
    };
    const int failed = rp_suite_run("session entries: chance", rounds, 1, 6, tear_down);
    return rp_suite_run("session entries", once, 5, 1, tear_down) + failed;
}
