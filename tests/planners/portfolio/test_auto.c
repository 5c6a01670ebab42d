/// AUTO: whom it chooses when, and that it says so. That answers are right is the oracle's business
/// (test_oracle.c); each plan here is judged all the same. What it makes of idle time:
/// test_auto_idle.c.
#include "planners/portfolio/choice.h"
#include "tests/planners/portfolio/auto_scene.h"
#include "tests/support/drawing.h"

START_TEST(auto_floods_first_and_says_so)
{
    make_world(8);
    expect_by("bpa");
    expect_why("first");
}
END_TEST

/// What searches from scratch follows the ground: in clutter one that is guided, else by jumps. The
/// ends jump, so that nothing is repaired.
START_TEST(auto_floods_as_the_ground_asks_for)
{
    make_world(8);
    for (uint32_t round = 0; round < 2; round++) { // it is swept, and cluttered again
        const bool is_swept = round == 0;
        for (uint32_t y = 4; y < SIDE - 4u; y++) {
            for (uint32_t x = 4; x < SIDE - 4u; x++) {
                rp_trial_set(&trial, x, y, is_swept || !rp_random_chance(&rng, 25) ? 1 : 0);
            }
            rp_trial_set_start(&trial, 1, y % 2u == 0 ? 1 : SIDE - 2u);
            plan();
        }
        expect_by(is_swept ? "jps" : "bpa");
        expect_no_restart();
    }
}
END_TEST

START_TEST(auto_searches_nothing_when_the_path_proves_itself)
{
    make_world(8);
    // The corners beside the straight way: no path of this cost can run through them.
    rp_trial_set(&trial, SIDE - 1u, 0, 0);
    rp_trial_set(&trial, 0, SIDE - 1u, 0);
    plan();
    expect_no_search();
    expect_why("the path proves itself");
}
END_TEST

START_TEST(auto_turns_to_repair_when_small_batches_go_on)
{
    make_world(_i % 2 == 0 ? 4 : 8);
    bool has_repaired = false;
    for (int i = 0; i < 400 && !has_repaired; i++) {
        const rp_cell_t cell = middle_of_path();
        flip_and_plan(cell, 0);
        flip_and_plan(cell, 1);
        has_repaired = is_by("cert");
    }
    ck_assert(has_repaired);
}
END_TEST

/// Where that takes as long as many floods, nobody waits for it.
START_TEST(auto_makes_a_dear_repair_ready_behind_its_floods)
{
    if (_i != 0) {
        return; // the world is large, and one of it will do
    }
    make_world_of(8, 800);
    const uint64_t most = 4u * trial.plan.stats.expanded;
    bool has_waited = false;
    for (int i = 0; i < 60 && !is_by("cert"); i++) {
        const rp_cell_t cell = middle_of_path();
        flip_and_plan(cell, 0);
        has_waited = has_waited || is_for("a repair is being made ready");
        ck_assert_uint_le(trial.plan.stats.expanded, most);
        flip(cell, 1);
    }
    expect_by("cert");
    ck_assert(has_waited);
}
END_TEST

START_TEST(auto_searches_nothing_while_its_start_walks_the_path)
{
    make_world(_i % 2 == 0 ? 4 : 8);
    while (walk_on()) {
        plan(); // judged, what is left of the path is the best from there
        expect_no_search();
    }
}
END_TEST

START_TEST(auto_searches_when_what_is_left_of_the_path_is_cut)
{
    make_world(8);
    for (int i = 0; i < 10; i++) {
        (void)walk_on();
        plan();
    }
    const uint32_t gone = trial.plan.path.count / 2u;
    flip(trial.plan.path.cells[gone], 0);
    plan();
    ck_assert_uint_gt(trial.plan.stats.expanded, 0);
}
END_TEST

START_TEST(auto_tells_its_flood_what_happened_while_it_was_not_needed)
{
    // Few changes are told late; after many the search from scratch reads the grid anew.
    const int counts[] = {60, 2500};
    make_world(_i % 2 == 0 ? 4 : 8);
    for (int i = 0; i < counts[_i / 2]; i++) {
        block_elsewhere();
        plan();
        expect_no_search();
    }
    flip_and_plan(middle_of_path(), 0); // judged
}
END_TEST

START_TEST(auto_turns_to_a_repair_for_a_start_that_walks)
{
    make_world(8);
    bool has_repaired = false;
    while (!has_repaired && trial.plan.path.count > 8u && walk_on()) {
        const rp_cell_t cell = trial.plan.path.cells[trial.plan.path.count - 3u];
        flip_and_plan(cell, 0);
        has_repaired = is_by("dstar-lazy");
        flip_and_plan(cell, 1);
    }
    ck_assert(has_repaired);
}
END_TEST

/// No search from scratch is much cheaper there than a field that serves the whole drive.
START_TEST(auto_begins_with_the_repair_for_a_robot_on_weighted_ground)
{
    make_world(8);
    rp_trial_set(&trial, SIDE / 2u, SIDE / 2u, 3);
    plan();
    expect_by("lwf");
    for (unsigned i = 0; i < RP_ROUNDS(40u) && trial.plan.path.count > 8u; i++) {
        const rp_cell_t next = trial.plan.path.cells[1];
        flip(trial.plan.path.cells[6], (uint8_t)(i % 3u + 1u));
        rp_trial_set_start(&trial, rp_grid_x(trial.grid, next), rp_grid_y(trial.grid, next));
        plan();
        expect_by("lwf");
        expect_no_restart();
    }
}
END_TEST

/// Where the field takes long, the first answer does not wait for it.
START_TEST(auto_begins_with_a_search_on_large_weighted_ground)
{
    rp_trial_open(&trial, "auto", 2049, 2049, 8);
    rp_trial_set_start(&trial, 1, 1);
    rp_trial_set_goal(&trial, 400, 1);
    rp_trial_set(&trial, 20, 20, 3);
    for (uint32_t y = 0; y < 300u; y++) {
        rp_trial_set(&trial, 200, y, 0);
    }
    plan();
    expect_by("astar");
    for (unsigned i = 0; i < 4u && !is_by("lwf"); i++) {
        const rp_cell_t ahead = trial.plan.path.cells[6];
        ck_assert(walk_on());
        flip_and_plan(ahead, 3);
    }
    expect_by("lwf");
    expect_why("repairs pay for a start that walks");
}
END_TEST

START_TEST(auto_repairs_from_the_goal_when_changes_lie_near_it)
{
    make_world(8);
    bool has_repaired = false;
    for (int i = 0; i < 400 && !has_repaired; i++) {
        churn_near(SIDE - 20u, SIDE - 20u, 60);
        plan();
        has_repaired = is_by("afa");
    }
    ck_assert(has_repaired);
}
END_TEST

/// The field of a start that walks is rooted at the goal: where changes lie there and the start
/// stays, it is the wrong one, and others are tried when it has cost as much as they take.
START_TEST(auto_changes_from_one_repair_to_another_that_suits)
{
    make_world(8);
    rp_trial_set(&trial, SIDE / 2u, SIDE / 2u, 3);
    plan();
    expect_by("lwf");
    uint64_t expanded = 0;
    bool has_changed = false;
    for (int i = 0; i < 400 && !has_changed; i++) {
        const uint64_t before = expanded;
        churn_near(SIDE - 20u, SIDE - 20u, 60);
        plan();
        expanded += trial.plan.stats.expanded;
        has_changed = is_by("afa");
        ck_assert(!has_changed || before > SIDE);
    }
    ck_assert(has_changed);
    expect_no_restart();
}
END_TEST

/// Of a batch that leaves the path alone nothing is to be repaired; where it lies is learnt.
START_TEST(auto_lets_its_repair_see_that_a_batch_leaves_the_path)
{
    make_world(8);
    for (int i = 0; i < 400 && !is_by("cert"); i++) {
        flip_and_plan(middle_of_path(), 0);
    }
    ck_assert_str_ne(trial.plan.stats.why, "the path proves itself");
    for (uint32_t x = SIDE - 30u; x < SIDE - 2u; x++) {
        rp_trial_set(&trial, x, 0, 0);
    }
    plan();
    expect_by("cert");
    expect_why("the path proves itself");
}
END_TEST

/// A plain, where a search takes a few jumps: what a search from scratch costs is to hear of
/// batches that leave its path alone. A repair sees at once that they do.
START_TEST(auto_turns_to_a_repair_where_its_flood_hears_of_much_for_nothing)
{
    const bool idles = _i % 2 != 0;
    make_plain(SIDE, 8);
    plan();
    for (uint32_t i = 0; i < 80; i++) {
        for (uint32_t x = 0; x < 20; x++) {
            rp_trial_set(&trial, x, 0, i % 2u);
        }
        plan();
        ck_assert(idles || is_by("jps"));
        ck_assert(!idles || idle() < 10000);
    }
    for (uint32_t i = 0; !idles && i < 4; i++) { // else it was made ready meanwhile
        rp_trial_set(&trial, SIDE / 2u, SIDE / 2u, i % 2u);
        plan();
    }
    expect_by("cert");
}
END_TEST

START_TEST(auto_chases_a_goal_that_walks)
{
    make_world(_i % 2 == 0 ? 4 : 8);
    bool has_chased = false;
    for (uint32_t i = 0; i < 400 && !has_chased; i++) {
        const rp_cell_t beside = rp_grid_cell(trial.grid, SIDE - 2u, SIDE - 2u - i % 3u);
        rp_trial_set_goal(&trial, rp_grid_x(trial.grid, beside), rp_grid_y(trial.grid, beside));
        plan();
        has_chased = is_by("at");
    }
    ck_assert(has_chased || _i % 2 == 0); // with 4 neighbours bits may be faster for ever
}
END_TEST

START_TEST(a_dear_repair_in_a_hundred_updates_is_a_cheap_one)
{
    static rp_choice_t choice;
    choice = (rp_choice_t){.current = STAY};
    choice.members[STAY].plans = 1;
    ck_assert_uint_eq(rp_choice_mean_with(&choice, 80000), 10000); // among others that cost
    (void)rp_choice_note_quiet(&choice, 99);
    ck_assert_uint_le(rp_choice_mean_with(&choice, 80000), 800);
    choice.members[STAY].expanded = 1000;
    choice.members[STAY].expansion_ns = 80;
    (void)rp_choice_note_plan(&choice, 0, 0);
    ck_assert_uint_le(choice.members[STAY].cost_ns, 800);
    ck_assert_uint_eq(choice.quiet, 0);
}
END_TEST

START_TEST(auto_floods_when_an_end_jumps)
{
    make_world(_i % 2 == 0 ? 4 : 8);
    for (uint32_t i = 0; i < 20; i++) {
        rp_trial_set_goal(&trial, i % 2 == 0 ? 1u : SIDE - 2u, SIDE - 2u);
        plan();
        expect_why("an end jumped");
    }
}
END_TEST

START_TEST(auto_chooses_the_same_in_a_replay)
{
    char first[200][16];
    for (int round = 0; round < 2; round++) {
        make_world(8);
        for (int i = 0; i < 200; i++) {
            const rp_cell_t cell = middle_of_path();
            flip(cell, i % 2 == 0 ? 0 : 1);
            if (i % 5 == 0) {
                const uint32_t y = rp_random_below(&rng, SIDE - 10u) + 5u;
                rp_trial_set(&trial, rp_random_below(&rng, SIDE - 10u) + 5u, y, 1);
            }
            plan();
            if (trial.plan.outcome != RP_OUTCOME_FOUND) {
                break;
            }
            if (round == 0) {
                strcpy(first[i], trial.plan.stats.planner);
            } else {
                ck_assert_str_eq(first[i], trial.plan.stats.planner);
            }
        }
        rp_trial_fini(&trial);
    }
}
END_TEST

START_TEST(auto_knows_several_goals)
{
    ck_assert_int_eq(rp_trial_init(&trial, "auto", NULL), RP_OK);
    ck_assert(rp_drawing_try("G..#....\n"
                             "...#.S..\n"
                             "...#....\n"
                             "........\n"
                             ".......G",
                             8, false, &trial));
    plan();
    expect_why("several goals");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        auto_floods_first_and_says_so,
        auto_floods_as_the_ground_asks_for,
        auto_searches_nothing_when_the_path_proves_itself,
        auto_turns_to_repair_when_small_batches_go_on,
        auto_makes_a_dear_repair_ready_behind_its_floods,
        auto_searches_nothing_while_its_start_walks_the_path,
        auto_searches_when_what_is_left_of_the_path_is_cut,
        auto_tells_its_flood_what_happened_while_it_was_not_needed,
        auto_turns_to_a_repair_for_a_start_that_walks,
        auto_begins_with_the_repair_for_a_robot_on_weighted_ground,
        auto_begins_with_a_search_on_large_weighted_ground,
        auto_repairs_from_the_goal_when_changes_lie_near_it,
        auto_changes_from_one_repair_to_another_that_suits,
        auto_lets_its_repair_see_that_a_batch_leaves_the_path,
        auto_turns_to_a_repair_where_its_flood_hears_of_much_for_nothing,
        auto_chases_a_goal_that_walks,
        a_dear_repair_in_a_hundred_updates_is_a_cheap_one,
        auto_floods_when_an_end_jumps,
        auto_chooses_the_same_in_a_replay,
        auto_knows_several_goals,
    };
    return rp_suite_run("auto", tests, sizeof tests / sizeof tests[0], RP_ROUNDS(4), tear_down);
}
