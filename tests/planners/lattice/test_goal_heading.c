/// Goals with a heading: the cheapest path of the whole lattice that ends so, or one within the
/// bound; by last curves where the yaw is no heading; changes, slices and earlier plans change
/// nothing.
#include "planners/lattice/goal_box.h"
#include "tests/planners/lattice/lattice_cases.h"

static rp_lattice_goal_t draw_goal(bool on_lattice)
{
    const uint32_t heading = rp_random_below(&rng, set->headings.count);
    const bool is_wide = rp_random_chance(&rng, 25);
    return (rp_lattice_goal_t){
        .cell = draw_cell(),
        .heading = rp_random_chance(&rng, 70) ? RP_GOAL_FIXED : RP_GOAL_EITHER_WAY,
        .yaw = on_lattice ? set->headings.angle[heading] - 6.283185307179586 : draw_yaw(),
        .yaw_tolerance = on_lattice && is_wide ? 0.8 : 0.0,
    };
}

static bool is_blocked(const rp_lattice_plan_t *plan)
{
    return plan->outcome == RP_OUTCOME_START_BLOCKED || plan->outcome == RP_OUTCOME_GOAL_BLOCKED;
}

static void expect_end(const rp_lattice_plan_t *plan, const rp_lattice_goal_t *goal)
{
    if (plan->outcome == RP_OUTCOME_FOUND) {
        const int32_t width = (int32_t)grid->shape.width;
        const int32_t height = (int32_t)grid->shape.height;
        ck_assert(oracle_accepts(goal, plan->end.heading));
        ck_assert_int_eq(((int32_t)plan->end.x % width + width) % width,
                         (int32_t)rp_grid_x(grid, goal->cell));
        ck_assert_int_eq(((int32_t)plan->end.y % height + height) % height,
                         (int32_t)rp_grid_y(grid, goal->cell));
        ck_assert_uint_eq(plan->path.cells[plan->path.count - 1u], goal->cell);
        oracle_expect_legal(&oracle, plan);
    }
}

// ---- last curves, told again

static const double pi = 3.14159265358979323846;

/// The least cost over curves that lead from poses round the goal to a yaw there, by the words of
/// Dubins and the checker.
static uint64_t least_over_curves(const rp_lattice_goal_t *goal, double yaw)
{
    const rp_curve_price_t price = {.radius = set->shape.turning_radius, .reverse_factor = 1.0};
    const int32_t ring = (int32_t)set->ring;
    const int32_t goal_x = (int32_t)rp_grid_x(grid, goal->cell);
    const int32_t goal_y = (int32_t)rp_grid_y(grid, goal->cell);
    const rp_motion_pose_t end = {goal_x, goal_y, yaw};
    uint64_t least = UINT64_MAX;
    for (uint32_t number = 0;
         number < (uint32_t)((2 * ring + 1) * (2 * ring + 1)) * set->headings.count; number++) {
        const uint32_t heading = number % set->headings.count;
        const int32_t cell = (int32_t)(number / set->headings.count);
        const int32_t dx = cell % (2 * ring + 1) - ring;
        const int32_t dy = cell / (2 * ring + 1) - ring;
        const rp_motion_pose_t start = {goal_x + dx, goal_y + dy, set->headings.angle[heading]};
        rp_segment_t segments[RP_CURVE_PIECES_MAX];
        rp_curve_list_t list = {0};
        if ((dx == 0 && dy == 0) || oracle_apart(start.heading, yaw) > pi / 4.0 ||
            (!grid->shape.wraps && !rp_grid_contains(grid, goal_x + dx, goal_y + dy))) {
            continue;
        }
        const uint64_t before = *oracle_cost_at(&oracle, goal_x + dx, goal_y + dy, heading);
        rp_words_dubins(&start, &end, &price, &list);
        const double length = rp_curve_length(&list.curves[0]);
        const uint64_t sum = before + (uint64_t)ceil(length * 408.0);
        if (before == UINT64_MAX || length > 1.5 * sqrt((double)dx * dx + (double)dy * dy) ||
            sum >= least) {
            continue;
        }
        const uint32_t count = rp_curve_segments(&list.curves[0], &start, segments);
        least = oracle_judges(&oracle, segments, count, 1e-6) ? sum : least;
    }
    return least;
}

/// True when another heading lies between one and a yaw.
static bool is_behind_another(double from, double yaw)
{
    const double turn = remainder(yaw - from, 2.0 * pi);
    bool is_behind = false;
    for (uint32_t i = 0; i < set->headings.count; i++) {
        const double other = remainder(yaw - set->headings.angle[i], 2.0 * pi);
        is_behind = is_behind || (other * turn > 0.0 && fabs(other) < fabs(turn) - 1e-9);
    }
    return is_behind;
}

/// The least cost of a turn on the goal's cell from a heading beside a yaw.
static uint64_t least_over_turns(const rp_lattice_goal_t *goal, double yaw)
{
    const int32_t x = (int32_t)rp_grid_x(grid, goal->cell);
    const int32_t y = (int32_t)rp_grid_y(grid, goal->cell);
    uint64_t least = UINT64_MAX;
    for (uint32_t state = 0; state < set->states; state++) {
        const double from = set->headings.angle[state % set->headings.count];
        const double turn = remainder(yaw - from, 2.0 * pi);
        const rp_segment_t segment = {.start = {x, y, from}, .turn = turn, .gear = 1};
        const uint64_t before = *oracle_cost_at(&oracle, x, y, state);
        const uint64_t sum = before + (uint64_t)ceil(fabs(turn) * set->shape.turn_price * 408.0);
        if (before != UINT64_MAX && sum < least && !is_behind_another(from, yaw) &&
            oracle_judges(&oracle, &segment, 1, 1e-6)) {
            least = sum;
        }
    }
    return least;
}

/// What the cheapest path costs, headings of the lattice and last curves both.
static double solve(rp_cell_t start, uint32_t heading, const rp_lattice_goal_t *goal)
{
    uint64_t least;
    oracle_forget(&oracle);
    oracle_fill(&oracle, rp_lattice_searched(lattice), start, heading);
    least = oracle_least(&oracle, goal);
    for (uint32_t i = 0; i < (goal->heading == RP_GOAL_EITHER_WAY ? 2u : 1u); i++) {
        const double yaw = goal->yaw + i * pi;
        const uint64_t cost = set->shape.drive == RP_DRIVE_CAR ? least_over_curves(goal, yaw)
                                                               : least_over_turns(goal, yaw);
        least = cost < least ? cost : least;
    }
    return least == UINT64_MAX ? INFINITY : (double)least / 408.0;
}

// ---- the tests

static void expect_plans(rp_cell_t start, uint32_t heading, const rp_lattice_goal_t *goal,
                         double cost)
{
    rp_lattice_plan_t plan;
    ck_assert_int_eq(rp_lattice_set_percent(lattice, 0), RP_OK);
    ck_assert_int_eq(rp_lattice_set_start(lattice, start, set->headings.angle[heading]), RP_OK);
    ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, goal), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_msg(plan.cost == cost || fabs(plan.cost - cost) < 1e-9 || is_blocked(&plan),
                  "%f is said, %f is the cheapest", plan.cost, cost);
    expect_end(&plan, goal);
    ck_assert_int_eq(rp_lattice_set_percent(lattice, 10), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    expect_end(&plan, goal);
    if (plan.outcome == RP_OUTCOME_FOUND) {
        ck_assert(plan.bound <= cost + 1e-9);
        ck_assert_double_le(plan.cost, 1.1 * cost + 32.0 / 408.0);
    }
    ck_assert_int_eq(rp_lattice_improve(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    expect_end(&plan, goal);
    ck_assert(plan.cost == cost || fabs(plan.cost - cost) < 1e-9 || is_blocked(&plan));
}

START_TEST(each_answer_is_the_cheapest_that_ends_so)
{
    open_scene((size_t)_i % SCENES, (uint64_t)_i + 7000u);
    oracle_open(&oracle, set, grid, footprint);
    uint32_t found = 0;
    for (uint32_t round = 0; round < 60u && found < 2u; round++) {
        rp_lattice_plan_t plan;
        const rp_cell_t start = draw_cell();
        const uint32_t heading = rp_random_below(&rng, set->headings.count);
        const rp_lattice_goal_t goal = draw_goal(true);
        rp_lattice_set_start(lattice, start, set->headings.angle[heading]);
        ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, &goal), RP_OK);
        ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        if (!is_blocked(&plan)) {
            oracle_forget(&oracle);
            const double cost =
                oracle_solve(&oracle, rp_lattice_searched(lattice), start, heading, &goal);
            expect_plans(start, heading, &goal, cost);
            found += isfinite(cost);
        }
    }
    ck_assert_uint_gt(found, 0);
}
END_TEST

START_TEST(a_yaw_between_headings_is_reached_by_a_last_curve)
{
    const size_t index = (size_t)_i % SCENES;
    const bool is_told_again = scenes[index].dearest == 1 && scenes[index].reverse == 0.0;
    open_scene(index, (uint64_t)_i + 7100u);
    oracle_open(&oracle, set, grid, footprint);
    uint32_t found = 0;
    for (uint32_t round = 0; round < 60u && found < 2u; round++) {
        rp_lattice_plan_t plan;
        const rp_cell_t start = draw_cell();
        const uint32_t heading = rp_random_below(&rng, set->headings.count);
        const rp_lattice_goal_t goal = draw_goal(false);
        rp_lattice_set_start(lattice, start, set->headings.angle[heading]);
        ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, &goal), RP_OK);
        ck_assert_int_eq(rp_lattice_improve(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        expect_end(&plan, &goal);
        if (!is_blocked(&plan) && is_told_again) {
            expect_plans(start, heading, &goal, solve(start, heading, &goal));
        }
        found += plan.outcome == RP_OUTCOME_FOUND && plan.segment_count > 1u;
    }
    ck_assert_uint_gt(found, 0);
}
END_TEST

/// The lower bound, and what is known to come: no more than any legal edge, or end, allows.
START_TEST(the_lower_bound_is_consistent)
{
    open_scene((size_t)_i % SCENES, (uint64_t)_i + 7200u);
    for (uint32_t round = 0; round < 3u; round++) {
        rp_lattice_plan_t plan;
        const rp_lattice_goal_t goal = draw_goal(round != 2u);
        rp_lattice_set_start(lattice, draw_cell(), draw_yaw());
        rp_lattice_set_goal_pose(lattice, &goal);
        ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        if (is_blocked(&plan)) {
            continue;
        }
        const rp_lattice_search_t *search = rp_lattice_searched(lattice);
        for (uint32_t number = 0; number < grid->shape.width * grid->shape.height; number++) {
            for (uint32_t state = 0; state < set->states; state++) {
                const rp_lattice_pose_t pose = {(uint16_t)(number % grid->shape.width),
                                                (uint16_t)(number / grid->shape.width),
                                                (uint8_t)state};
                const uint64_t h = rp_lattice_search_h(search, pose);
                for (uint32_t i = set->first[state]; i < set->first[state + 1u]; i++) {
                    const uint64_t rest =
                        rp_lattice_search_h(search, rp_lattice_search_end(search, pose, i));
                    RP_EACH(!rp_lattice_search_is_legal(search, pose.x, pose.y, i) ||
                            rest == UINT32_MAX ||
                            h <= rest +
                                     rp_child_cost(search->set, search->ground, pose.x, pose.y, i));
                }
            }
        }
    }
}
END_TEST

static void change_world(rp_cell_t near)
{
    for (uint32_t i = 0; i < 3u; i++) {
        const int64_t x = (int64_t)rp_grid_x(grid, near) + rp_random_below(&rng, 15) - 7;
        const int64_t y = (int64_t)rp_grid_y(grid, near) + rp_random_below(&rng, 15) - 7;
        const rp_cell_t cell = rp_random_chance(&rng, 60) && rp_grid_contains(grid, x, y)
                                   ? rp_grid_cell(grid, (uint32_t)x, (uint32_t)y)
                                   : draw_cell();
        const uint8_t before = grid->factor[cell];
        const uint8_t free = grid->weighted ? (uint8_t)rp_random_between(&rng, 1, 7) : 1u;
        const rp_change_t change = {.cell = cell,
                                    .before = before,
                                    .after = before != 0 && rp_random_chance(&rng, 50) ? 0 : free};
        rp_grid_set(grid, cell, change.after);
        ck_assert_int_eq(rp_lattice_apply(lattice, &change, 1), RP_OK);
    }
}

/// Beside a lattice that knows nothing of what was.
static double fresh_plan(rp_cell_t start, double yaw, const rp_lattice_goal_t *goal,
                         rp_outcome_t *outcome)
{
    rp_lattice_plan_t plan;
    rp_lattice_t *fresh = NULL;
    ck_assert_int_eq(rp_lattice_new(set, grid, &fresh), RP_OK);
    rp_lattice_set_simd(fresh, RP_SIMD_NONE);
    rp_lattice_set_percent(fresh, 0);
    rp_lattice_set_start(fresh, start, yaw);
    rp_lattice_set_goal_pose(fresh, goal);
    plan_in_steps(fresh, &plan);
    *outcome = plan.outcome;
    rp_lattice_destroy(&fresh);
    return plan.cost;
}

START_TEST(after_every_change_the_answer_is_as_good_as_a_fresh_one)
{
    open_scene((size_t)_i % SCENES, (uint64_t)_i + 7300u);
    oracle.set = NULL;
    rp_cell_t start = RP_NO_CELL;
    rp_lattice_goal_t goal = {0};
    double yaw = 0.0;
    for (uint32_t round = 0; round < 40u; round++) {
        rp_lattice_plan_t plan;
        rp_outcome_t outcome;
        const oracle_t judge = {.set = set, .grid = grid, .footprint = footprint};
        if (round % 10u == 0) {
            start = draw_cell();
            yaw = round % 20u == 0 ? draw_yaw() : set->headings.angle[round % set->headings.count];
            goal = draw_goal(round % 30u != 0);
            goal.heading = round == 30u ? RP_GOAL_FREE : goal.heading;
            rp_lattice_set_percent(lattice, round % 20u == 0 ? 10 : 0);
            rp_lattice_set_start(lattice, start, yaw);
            rp_lattice_set_goal_pose(lattice, &goal);
        }
        if (round % 3u == 0) {
            plan_in_steps(lattice, &plan);
        } else {
            ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        }
        const double cost = fresh_plan(start, yaw, &goal, &outcome);
        ck_assert_int_eq(plan.outcome, outcome);
        for (uint32_t turn = 0; turn < 2u && outcome == RP_OUTCOME_FOUND; turn++) {
            oracle_expect_legal(&judge, &plan);
            ck_assert(oracle_accepts(&goal, plan.end.heading));
            ck_assert_double_le(plan.bound, cost + 1e-9);
            ck_assert_double_le(plan.cost, (plan.is_optimal ? 1.0 : 1.1) * cost + 32.0 / 408.0);
            ck_assert(!plan.is_optimal || fabs(plan.cost - cost) < 1e-9);
            if (round % 4u != 3u || turn == 1u) {
                break;
            }
            ck_assert_int_eq(rp_lattice_improve(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        }
        change_world(rp_random_chance(&rng, 50) ? goal.cell : start);
    }
}
END_TEST

/// On open ground the way round to a goal that faces the start costs the search hardly more than
/// one that does not, however far it is.
START_TEST(the_wrong_side_of_a_goal_is_seen_from_afar)
{
    const rp_grid_shape_t shape = {
        .width = 200, .height = 120, .neighbors = 8, .unit = 1, .least = 1};
    rp_lattice_plan_t plan;
    set = scene_set(4.0, 1.0, 16, RP_DRIVE_CAR);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    rp_lattice_set_start(lattice, rp_grid_cell(grid, 20, 60), 0.0);
    rp_lattice_goal_t goal = {.cell = rp_grid_cell(grid, 170, 60), .heading = RP_GOAL_FIXED};
    ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, &goal), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert(plan.cost >= 150.0 && plan.cost < 165.1);
    const uint64_t straight = plan.expanded;
    goal.yaw = pi;
    ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, &goal), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert(plan.cost > 155.0);
    ck_assert_uint_lt(plan.expanded, 4u * straight + 400u);
    goal.heading = RP_GOAL_EITHER_WAY;
    ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, &goal), RP_OK);
    ck_assert_int_eq(rp_lattice_improve(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert(plan.cost == 150.0);
}
END_TEST

/// What a goal with a heading takes counts: at least six bytes a pose of its box.
START_TEST(a_box_is_counted)
{
    rp_lattice_plan_t plan;
    open_scene(0, 7500);
    rp_lattice_set_start(lattice, draw_cell(), 0.0);
    rp_lattice_goal_t goal = {.cell = draw_cell()};
    while (rp_lattice_set_goal_pose(lattice, &goal) == RP_OK &&
           rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan) == RP_OK &&
           plan.outcome != RP_OUTCOME_FOUND) {
        rp_lattice_set_start(lattice, draw_cell(), 0.0);
        goal.cell = draw_cell();
    }
    const uint64_t before = rp_lattice_bytes(lattice);
    const uint64_t side = 2u * (uint64_t)rp_goal_box_half(set) + 1u;
    goal.heading = RP_GOAL_FIXED;
    goal.yaw = 0.1;
    ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, &goal), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_uint_ge(rp_lattice_bytes(lattice), before + 6u * side * side * set->states);
}
END_TEST

/// A box has 289 cells of 128 states here, of which all but the goal are closed: a slice of 4000
/// does not get through what these take.
START_TEST(cells_of_a_box_cost_what_their_states_take)
{
    const rp_grid_shape_t shape = {
        .width = 40, .height = 40, .neighbors = 8, .unit = 1, .least = 1};
    const rp_lattice_shape_t spot = {.body_radius = 0.45,
                                     .turn_price = 0.7,
                                     .headings = 64,
                                     .drive = RP_DRIVE_SPOT,
                                     .reverse = true,
                                     .reverse_factor = 1.0,
                                     .gear_change = 1.0};
    rp_lattice_plan_t plan;
    set = scene_set_of(&spot);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    const rp_lattice_goal_t goal = {.cell = rp_grid_cell(grid, 20, 20), .heading = RP_GOAL_FIXED};
    for (uint32_t y = 0; y < 40u; y++) {
        for (uint32_t x = 0; x < 40u; x++) {
            rp_grid_set(grid, rp_grid_cell(grid, x, y), x == y && (x == 2u || x == 20u));
        }
    }
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    rp_lattice_set_start(lattice, rp_grid_cell(grid, 2, 2), 0.0);
    ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, &goal), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){4000}, &plan), RP_MORE);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_NO_PATH);
}
END_TEST

START_TEST(bad_goals_are_refused)
{
    open_scene(0, 7400);
    rp_lattice_goal_t goal = {.cell = draw_cell(), .heading = RP_GOAL_FIXED, .yaw = NAN};
    ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, &goal), RP_E_INVALID);
    goal.yaw = INFINITY;
    ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, &goal), RP_E_INVALID);
    goal.yaw = 1.0;
    goal.yaw_tolerance = -0.1;
    ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, &goal), RP_E_INVALID);
    goal.yaw_tolerance = NAN;
    ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, &goal), RP_E_INVALID);
    goal.yaw_tolerance = 0.0;
    goal.cell = RP_NO_CELL;
    ck_assert_int_eq(rp_lattice_set_goal_pose(lattice, &goal), RP_E_INVALID);
}
END_TEST

int main(void)
{
    const TTest *const once[] = {
        the_wrong_side_of_a_goal_is_seen_from_afar,
        a_box_is_counted,
        cells_of_a_box_cost_what_their_states_take,
        bad_goals_are_refused,
    };
    const TTest *const each[] = {
        each_answer_is_the_cheapest_that_ends_so,
        a_yaw_between_headings_is_reached_by_a_last_curve,
        the_lower_bound_is_consistent,
        after_every_change_the_answer_is_as_good_as_a_fresh_one,
    };
    const int code = rp_suite_run("goal_heading", once, sizeof once / sizeof once[0], 1, tear_down);
    const int more = rp_suite_run("goal_heading_cases", each, sizeof each / sizeof each[0],
                                  RP_ROUNDS(SCENES), tear_down);
    return code != 0 ? code : more;
}
