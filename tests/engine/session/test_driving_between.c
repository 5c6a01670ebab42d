/// Driving: what comes between the steps of a search. Cells, poses and goals; each curve is held
/// against the world in the step that says it.
#include "tests/engine/session/driving_scene.h"
#include "tests/support/random.h"

#define SIDE 44u

/// A drive by chance.
typedef struct trip {
    rp_random_t rng;
    const rp_motion_t *motion;
    rp_session_id_t session;
    pose_t at;
    uint32_t said; ///< curves
} trip_t;

static double coordinate(rp_random_t *rng)
{
    return rp_random_between(rng, 3, SIDE - 4u) + 0.5;
}

/// One goal, several or waypoints.
static void aim_somewhere(trip_t *trip)
{
    rp_destination_t points[5];
    const uint32_t count = rp_random_between(&trip->rng, 1, 5);
    const bool is_chain = rp_random_chance(&trip->rng, 60);
    for (uint32_t i = 0; i < count; i++) {
        points[i] = (rp_destination_t){coordinate(&trip->rng), coordinate(&trip->rng), 0};
    }
    const rp_aim_t aim = {.kind = is_chain ? RP_AIM_WAYPOINTS : RP_AIM_POINTS,
                          .points = points,
                          .count = count,
                          .first = is_chain ? rp_random_below(&trip->rng, count) : 0u};
    ck_assert_int_eq(rp_engine_aim(scene.engine, trip->session, &aim, no_cause), RP_OK);
}

/// Rewrite some cells, but not those round the agent.
static void stir(trip_t *trip)
{
    const rp_edit_t edit = {.x = rp_random_below(&trip->rng, SIDE - 3u),
                            .y = rp_random_below(&trip->rng, SIDE - 3u),
                            .width = rp_random_between(&trip->rng, 1, 3),
                            .height = rp_random_between(&trip->rng, 1, 3),
                            .fill = rp_random_chance(&trip->rng, 60) ? 1 : 0};
    uint64_t version;
    if (hypot(edit.x + 1.5 - trip->at.x, edit.y + 1.5 - trip->at.y) > 4.0) {
        ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &edit, no_cause, &version),
                         RP_OK);
    }
}

/// Take away what the agent drove into.
static void clear_round(const trip_t *trip)
{
    const rp_edit_t edit = {.x = (uint32_t)fmax(trip->at.x - 3.0, 0.0),
                            .y = (uint32_t)fmax(trip->at.y - 3.0, 0.0),
                            .width = 6,
                            .height = 6,
                            .fill = 1};
    const bool fits = edit.x + edit.width <= SIDE && edit.y + edit.height <= SIDE;
    uint64_t version;
    ck_assert(!fits ||
              rp_engine_apply(scene.engine, scene.world, &edit, no_cause, &version) == RP_OK);
}

/// Go on along the curve that was said last.
static void go_on(trip_t *trip)
{
    rp_answer_t answer;
    double metres = 0.1 * rp_random_between(&trip->rng, 1, 25);
    ck_assert_int_eq(rp_engine_answer(scene.engine, trip->session, &answer), RP_OK);
    for (uint32_t i = 0; i < answer.curve.count; i++) {
        const rp_path_segment_t *segment = &answer.curve.segments[i];
        trip->at = pose_on(segment, fmin(metres, extent_of(segment)));
        if (segment->turn == 0.0 && metres <= extent_of(segment)) {
            break;
        }
        metres -= segment->turn == 0.0 ? extent_of(segment) : 0.0;
    }
    place(trip->session, trip->at.x, trip->at.y, trip->at.yaw);
}

/// What a step said. An agent that drove into what came before it may leave through obstacles,
/// which is no matter here.
static void check_said(trip_t *trip)
{
    rp_answer_t answer;
    while (rp_engine_next_answer(scene.engine, &answer)) {
        if (answer.outcome == RP_ANSWER_FOUND && answer.curve.escape_count == 0) {
            (void)check_driven(&answer, trip->motion);
            ck_assert_double_le(answer.bound, answer.cost);
            trip->said++;
        }
    }
}

START_TEST(what_is_said_is_free_whatever_comes_between_steps)
{
    static const rp_motion_t *const motions[] = {&car, &tank, &exact_car, &backing_tank};
    const rp_policy_t policy = {.switch_gain_percent = (uint32_t)_i % 4u * 5u,
                                .min_interval_ms = (uint32_t)_i % 3u * 300u};
    trip_t trip = {
        .rng = {(uint64_t)_i + 1u}, .motion = motions[_i % 4], .at = {8.5, 8.5, 0.3 * _i}};
    open_meadow(SIDE, SIDE, _i % 6 == 5);
    trip.session = open_driver(trip.motion, &policy);
    place(trip.session, trip.at.x, trip.at.y, trip.at.yaw);
    ck_assert_int_eq(rp_scene_goal(&scene, trip.session, 30, 30), RP_OK);
    (void)last_answer(); // moves are known from now on
    for (unsigned round = 0; round < RP_ROUNDS(100); round++) {
        clear_round(&trip);
        aim_somewhere(&trip);
        for (uint32_t i = rp_random_between(&trip.rng, 5, 60); i != 0; i--) {
            scene.now_us += 20000;
            (void)rp_engine_step(scene.engine, scene.now_us, rp_random_between(&trip.rng, 1, 1500));
            check_said(&trip);
            if (rp_random_chance(&trip.rng, 50)) {
                stir(&trip);
            }
            if (rp_random_chance(&trip.rng, 25)) {
                go_on(&trip);
            }
        }
    }
    rp_scene_settle(&scene); // it ends
    check_said(&trip);
    ck_assert_uint_ge(trip.said, RP_ROUNDS(8));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {what_is_said_is_free_whatever_comes_between_steps};
    return rp_suite_run("driving between", tests, sizeof tests / sizeof *tests, RP_ROUNDS(24),
                        tear_down);
}
