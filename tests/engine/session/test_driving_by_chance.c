/// Driving by chance: many changes, poses and goals. REPLAN_DRIVING_CURVES asks for more published
/// curves than a test takes.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/engine/session/driving_scene.h"
#include "tests/support/random.h"

/// Published curves that were judged, by all rounds, each in a process of its own.
static uint32_t *judged;

/// How far a place lies from another along one axis, on a torus by the shorter way.
static double apart(double from, double to, uint32_t side)
{
    return scene.oracle->shape.wraps ? remainder(to - from, side) : to - from;
}

/// Rewrite some cells, but not those round a point.
static void stir(rp_random_t *rng, double x, double y, double room)
{
    const uint32_t width = rp_random_between(rng, 1, 3);
    const uint32_t height = rp_random_between(rng, 1, 3);
    const uint32_t left = rp_random_below(rng, width_of() - 3u);
    const uint32_t top = rp_random_below(rng, scene.oracle->shape.height - 3u);
    const bool frees = rp_random_chance(rng, 75);
    uint64_t version;
    const double dx = apart(x, left + 1.5, width_of());
    const double dy = apart(y, top + 1.5, scene.oracle->shape.height);
    if (hypot(dx, dy) < room) {
        return;
    }
    const rp_edit_t edit = {
        .x = left, .y = top, .width = width, .height = height, .fill = frees ? 1 : 0};
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &edit, no_cause, &version), RP_OK);
}

/// Go on by some metres.
static pose_t advance(const rp_answer_t *answer, double metres)
{
    for (uint32_t i = 0; i < answer->curve.count; i++) {
        const rp_path_segment_t *segment = &answer->curve.segments[i];
        if (segment->turn != 0.0) {
            continue;
        }
        if (metres <= extent_of(segment)) {
            return pose_on(segment, metres);
        }
        metres -= extent_of(segment);
    }
    const rp_path_segment_t *last = &answer->curve.segments[answer->curve.count - 1u];
    return pose_on(last, extent_of(last));
}

/// Another goal, with a heading or without.
static void aim_somewhere(rp_random_t *rng, rp_session_id_t session, rp_aim_t *aim)
{
    const uint32_t x = rp_random_between(rng, 2, 60);
    const uint32_t y = rp_random_between(rng, 2, 44);
    const rp_destination_t place = {.x_m = x + 0.5, .y_m = y + 0.5};
    const uint32_t heading = rp_random_below(rng, 3);
    *aim = (rp_aim_t){.points = &place,
                      .count = 1,
                      .heading = (rp_aim_heading_t)heading,
                      .yaw = 0.01 * rp_random_below(rng, 1000)};
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, aim, no_cause), RP_OK);
    aim->points = NULL;
}

/// The curve ends with the heading that was asked for.
static void check_heading(const rp_answer_t *answer, const rp_aim_t *aim)
{
    const rp_path_segment_t *last = &answer->curve.segments[answer->curve.count - 1u];
    const double off = pose_on(last, extent_of(last)).yaw - aim->yaw;
    const double circle = aim->heading == RP_AIM_EITHER_WAY ? M_PI : 2.0 * M_PI;
    ck_assert(aim->heading == RP_AIM_ANY_HEADING || fabs(remainder(off, circle)) < 1e-6);
}

START_TEST(what_is_published_is_free_whatever_changes)
{
    static const rp_motion_t *const motions[] = {&car,   &tank,     &backing_car, &backing_tank,
                                                 &train, &forklift, &mover,       &wide_mover};
    rp_random_t rng = {(uint64_t)_i + 1u};
    const bool wraps = _i % 5 == 3;
    const rp_motion_t *motion = motions[_i % 8];
    const rp_policy_t policy = {.switch_gain_percent = (uint32_t)_i % 4u * 5u};
    open_meadow(64, 48, wraps);
    const rp_session_id_t session = open_driver(motion, &policy);
    pose_t at = {8.5, 8.5, 0.4 * _i};
    uint32_t found = 0;
    rp_aim_t aim = {.heading = RP_AIM_ANY_HEADING};
    place(session, at.x, at.y, at.yaw);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 50, 40), RP_OK);
    for (unsigned round = 0; round < RP_ROUNDS(150); round++) {
        stir(&rng, at.x, at.y, 4.0);
        if (rp_random_chance(&rng, 5)) {
            aim_somewhere(&rng, session, &aim);
        }
        scene.now_us += 50000;
        for (uint32_t i = rp_random_below(&rng, 3); i != 0; i--) {
            (void)rp_engine_step(scene.engine, scene.now_us, rp_random_between(&rng, 1, 400));
        }
        rp_answer_t answer = answer_of(session);
        if (answer.outcome != RP_ANSWER_FOUND) {
            aim_somewhere(&rng, session, &aim);
            continue;
        }
        found++;
        ++*judged;
        check_curve(&answer, motion);
        check_heading(&answer, &aim);
        ck_assert_double_le(answer.bound, answer.cost);
        if (!wraps) {
            check_cells(&answer);
        }
        if (rp_random_chance(&rng, 40)) {
            at = advance(&answer, 0.1 * rp_random_between(&rng, 1, 30));
            place(session, at.x, at.y, at.yaw);
        }
    }
    ck_assert_uint_gt(found, 4);
}
END_TEST

static void clear_round(uint32_t x, uint32_t y)
{
    uint64_t version;
    const rp_edit_t edit = {.x = x - 3u, .y = y - 3u, .width = 7, .height = 7, .fill = 1};
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &edit, no_cause, &version), RP_OK);
}

START_TEST(bounds_are_true_and_improved_curves_the_cheapest)
{
    rp_random_t rng = {(uint64_t)_i + 100u};
    const rp_motion_t *motion = _i % 2 == 0 ? &car : &backing_car;
    open_meadow(48, 40, false);
    const rp_session_id_t session = drive(motion, 8.5, 8.5, 0.0, 40, 30);
    uint32_t found = 0;
    for (unsigned round = 0; round < RP_ROUNDS(40); round++) {
        stir(&rng, 8.5, 8.5, 8.0);
        clear_round(40, 30);
        scene.now_us += 50000;
        const rp_answer_t answer = answer_of(session);
        const double best = cheapest(motion, 8, 8, 0.0, 40, 30);
        ck_assert((answer.outcome == RP_ANSWER_FOUND) == isfinite(best) ||
                  answer.outcome == RP_ANSWER_GOAL_BLOCKED);
        if (answer.outcome == RP_ANSWER_FOUND) {
            found++;
            // It may begin with some of an older curve, which no other policy than this keeps.
            ck_assert_double_ge(answer.bound, best - 1e-6);
            ck_assert_double_eq(answer.bound, answer.cost);
        }
    }
    ck_assert_uint_gt(found, 4);
}
END_TEST

int main(void)
{
    const TTest *const always[] = {what_is_published_is_free_whatever_changes};
    const TTest *const bounds[] = {bounds_are_true_and_improved_curves_the_cheapest};
    const char *asked = getenv("REPLAN_DRIVING_CURVES");
    const size_t rounds = asked != NULL ? strtoul(asked, NULL, 10) / 100u : RP_ROUNDS(48);
    const size_t few = asked != NULL ? rounds : RP_ROUNDS(12);
    judged = mmap(NULL, sizeof *judged, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int code = rp_suite_run("driving by chance", always, 1, rounds, tear_down);
    code += rp_suite_run("driving by chance: bounds", bounds, 1, few, tear_down);
    fprintf(stderr, "driving by chance: %u published curves\n", *judged);
    return code;
}
