/// Tours through waypoints that may be passed with any heading: what the search for the cheapest
/// finds, against the first path and an exhaustive choice of headings.
#include <string.h>

#include "tests/engine/session/driving_scene.h"

/// Waypoints that may be passed with any heading: what the search for the cheapest legs makes of
/// the headings between them may be dearer than what was found first.
START_TEST(an_improved_tour_is_never_dearer_and_costs_what_its_curve_does)
{
    rp_random_t rng = {(uint64_t)_i + 500u};
    rp_destination_t points[5];
    rp_answer_t first = {.outcome = RP_ANSWER_NONE};
    open_meadow(50, 40, false);
    scatter_crates(&rng, 25);
    for (size_t i = 0; i < 5; i++) {
        const uint32_t x = rp_random_between(&rng, 5, 45);
        const uint32_t y = rp_random_between(&rng, 3, 36);
        points[i] = (rp_destination_t){x + 0.5, y + 0.5, 0};
    }
    const rp_session_id_t session = open_driver(&car, NULL);
    place(session, 4.5, 20.5, 0.0);
    aim(session, &(rp_aim_t){.kind = RP_AIM_WAYPOINTS, .points = points, .count = 5});
    while (first.outcome == RP_ANSWER_NONE) {
        (void)rp_engine_step(scene.engine, scene.now_us, 500);
        ck_assert_int_eq(rp_engine_answer(scene.engine, session, &first), RP_OK);
    }
    const double cost = first.cost;
    const uint32_t legs = first.curve.leg_count;
    const rp_answer_t answer = answer_of(session);
    ck_assert_int_eq(answer.outcome, first.outcome);
    if (answer.outcome == RP_ANSWER_FOUND) {
        check_curve(&answer, &car);
        ck_assert_double_le(answer.bound, answer.cost);
        ck_assert_uint_ge(answer.curve.leg_count, legs);
        ck_assert_msg(answer.curve.leg_count > legs || answer.cost <= cost + 1e-9,
                      "%f at first, then %f", cost, answer.cost);
    }
}
END_TEST

/// What a tour through three points costs where each heading of the lattice is tried at each.
static double cheapest_tour(const rp_destination_t *points)
{
    const rp_lattice_shape_t shape = {
        .turning_radius = RADIUS, .body_radius = BODY, .headings = 16, .drive = RP_DRIVE_CAR};
    rp_control_set_t *set = NULL;
    rp_lattice_t *lattice = NULL;
    rp_grid_t *grid = NULL;
    rp_lattice_plan_t plan;
    double least[16] = {0.0};
    ck_assert_int_eq(rp_control_set_new(&shape, &set), RP_OK);
    ck_assert_int_eq(rp_control_set_build(set, &(uint64_t){UINT64_MAX}), RP_OK);
    ck_assert_int_eq(rp_grid_new(&scene.oracle->shape, &grid), RP_OK);
    rp_grid_fill(grid, rp_engine_bytes(scene.engine, scene.world));
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    ck_assert_int_eq(rp_lattice_set_percent(lattice, 0), RP_OK);
    rp_cell_t from = rp_grid_cell(grid, 4, 12);
    for (uint32_t stop = 0; stop < 3; stop++) {
        const rp_cell_t cell =
            rp_grid_cell(grid, (uint32_t)points[stop].x_m, (uint32_t)points[stop].y_m);
        double next[16];
        for (uint32_t to = 0; to < 16; to++) {
            const rp_lattice_goal_t goal = {
                .cell = cell, .heading = RP_GOAL_FIXED, .yaw = set->headings.angle[to]};
            ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, &goal), RP_OK);
            next[to] = INFINITY;
            for (uint32_t back = 0; back < (stop == 0 ? 1u : 16u); back++) {
                rp_lattice_set_start(lattice, from, set->headings.angle[back]);
                ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
                const double cost = plan.outcome == RP_OUTCOME_FOUND ? plan.cost : INFINITY;
                next[to] = fmin(next[to], least[back] + cost);
            }
        }
        memcpy(least, next, sizeof least);
        from = cell;
    }
    rp_lattice_destroy(&lattice);
    rp_grid_destroy(&grid);
    rp_control_set_destroy(&set);
    for (uint32_t i = 1; i < 16; i++) {
        least[0] = fmin(least[0], least[i]);
    }
    return least[0];
}

/// What the session is told of a tour through these points.
static rp_answer_t told_of(const rp_destination_t *points)
{
    const rp_session_id_t session = open_driver(&car, NULL);
    place(session, 4.5, 12.5, 0.0);
    aim(session, &(rp_aim_t){.kind = RP_AIM_WAYPOINTS, .points = points, .count = 3});
    return answer_of(session);
}

/// The headings at waypoints are chosen for the legs behind them, too: of random tours hardly one
/// ends early, and none is much dearer than with the best headings.
START_TEST(an_improved_tour_is_little_dearer_than_the_best)
{
    uint32_t cut_short = 0;
    uint32_t whole = 0;
    for (uint32_t round = 0; round < 12; round++) {
        rp_random_t rng = {round + 900u};
        rp_destination_t points[3];
        open_meadow(34, 26, false);
        scatter_crates(&rng, 8);
        for (size_t i = 0; i < 3; i++) {
            const uint32_t x = rp_random_between(&rng, 4, 30);
            points[i] = (rp_destination_t){x + 0.5, rp_random_between(&rng, 3, 22) + 0.5, 0};
        }
        const rp_answer_t answer = told_of(points);
        const double best = cheapest_tour(points);
        cut_short += isfinite(best) && answer.curve.leg_count < 3;
        if (isfinite(best) && answer.curve.leg_count == 3) {
            whole++;
            check_curve(&answer, &car);
            ck_assert_msg(answer.cost <= 1.12 * best, "%f, the best is %f", answer.cost, best);
            ck_assert_double_le(answer.bound, best + 1e-9);
        }
        rp_scene_close(&scene);
    }
    ck_assert_uint_le(cut_short, 1);
    ck_assert_uint_ge(whole, 6);
}
END_TEST

int main(void)
{
    const TTest *const chance[] = {an_improved_tour_is_never_dearer_and_costs_what_its_curve_does};
    const TTest *const once[] = {an_improved_tour_is_little_dearer_than_the_best};
    const int failed = rp_suite_run("tour: chance", chance, 1, RP_ROUNDS(12), tear_down);
    return failed + rp_suite_run("tour", once, 1, 1, tear_down);
}
