/// The shared part of all planners: what it tells a member, and when.
#include "replan/planner.h"

#include <math.h>

#include "tests/planners/scribe.h"
#include "tests/support/suite.h"

START_TEST(what_lets_the_answer_stand_is_told_at_once_and_once)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe.stands_says = true;
    rp_scribe_write(3, 1, 0);
    ck_assert_int_eq(rp_scribe.stands, 1);
    ck_assert_uint_eq(rp_scribe.changes[0].cell, rp_grid_cell(rp_scribe.grid, 3, 1));
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_double_eq(rp_scribe.plan.cost, 1.0);
    ck_assert_uint_eq(rp_scribe.plan.path.count, 2);
    ck_assert_uint_eq(rp_scribe.plan.stats.expanded, 0);
    ck_assert_int_eq(rp_scribe.updates, 0);
    ck_assert_int_eq(rp_scribe.searches, 1);
    rp_scribe.stands_says = false;
    rp_scribe_write(2, 1, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.updates, 1);
    ck_assert_uint_eq(rp_scribe.update.change_count, 1); // the first one is not told again
}
END_TEST

START_TEST(nobody_is_asked_whether_it_stands_while_the_answer_is_old)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe.stands_says = true;
    rp_scribe_write(3, 1, 0); // no answer yet
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe.stands_says = false;
    rp_scribe_write(3, 1, 1);
    ck_assert_int_eq(rp_scribe.stands, 1);
    rp_scribe.stands_says = true;
    rp_scribe_write(2, 1, 0); // another change is untold
    rp_scribe_set_start(0, 1);
    rp_scribe_write(1, 1, 0);
    rp_scribe_write(0, 1, 0);
    ck_assert_int_eq(rp_scribe.stands, 1);
    rp_scribe_plan_for(RP_OUTCOME_START_BLOCKED);
    rp_scribe_write(3, 0, 0); // that answer is not the member's
    ck_assert_int_eq(rp_scribe.stands, 1);
}
END_TEST

/// What the grid knows of the batch that it wrote last holds for no other.
START_TEST(the_gist_of_a_batch_is_that_of_the_batch_which_is_told)
{
    rp_scribe_arrange(0, "....\n.#..\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe.stands_says = true;
    rp_change_t first[] = {{.cell = rp_grid_cell(rp_scribe.grid, 2, 1)},
                           {.cell = rp_grid_cell(rp_scribe.grid, 3, 2)}};
    rp_change_t second[] = {{.cell = rp_grid_cell(rp_scribe.grid, 0, 1)},
                            {.cell = rp_grid_cell(rp_scribe.grid, 1, 1), .after = 1}};
    rp_grid_write(rp_scribe.grid, first, 2);
    ck_assert_int_eq(rp_planner_apply(rp_scribe.planner, first, 2), RP_OK);
    const rp_batch_summary_t alone = rp_scribe.summary;
    rp_grid_write(rp_scribe.grid, second, 2);
    ck_assert_int_eq(rp_planner_apply(rp_scribe.planner, second, 2), RP_OK);
    const rp_batch_summary_t next = rp_scribe.summary;
    rp_change_t third[] = {{.cell = rp_grid_cell(rp_scribe.grid, 1, 1)},
                           {.cell = rp_grid_cell(rp_scribe.grid, 3, 0)}};
    rp_grid_write(rp_scribe.grid, third, 2);
    rp_grid_write(rp_scribe.grid, second, 2);
    ck_assert_int_eq(rp_planner_apply(rp_scribe.planner, third, 2),
                     RP_OK); // not what was written last
    ck_assert_int_eq(rp_scribe.stands, 3);
    const rp_batch_summary_t late = rp_scribe.summary;
    ck_assert_uint_eq(alone.extent.left, 3);
    ck_assert_uint_eq(alone.extent.right, 4);
    ck_assert_uint_eq(alone.extent.top, 2);
    ck_assert_uint_eq(alone.extent.bottom, 3);
    ck_assert(!alone.has_cheaper);
    ck_assert_uint_eq(next.extent.right, 2);
    ck_assert(next.has_cheaper);
    ck_assert_uint_eq(late.extent.right, 4);
    ck_assert(!late.has_cheaper);
}
END_TEST

/// The member would judge it by the later write, which may be undone before it hears of that.
START_TEST(what_became_cheaper_is_not_judged_while_the_grid_holds_a_later_write)
{
    rp_scribe_arrange(0, "....\n..#.");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe.stands_says = true;
    rp_change_t first = {.cell = rp_grid_cell(rp_scribe.grid, 2, 1), .after = 1};
    rp_change_t second = {.cell = rp_grid_cell(rp_scribe.grid, 3, 1)};
    rp_grid_write(rp_scribe.grid, &first, 1);
    rp_grid_write(rp_scribe.grid, &second, 1);
    ck_assert_int_eq(rp_planner_apply(rp_scribe.planner, &first, 1), RP_OK);
    ck_assert_int_eq(rp_scribe.stands, 0);
    ck_assert_int_eq(rp_planner_apply(rp_scribe.planner, &second, 1), RP_OK);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.updates, 1);
    ck_assert_uint_eq(rp_scribe.update.change_count, 2);
}
END_TEST

/// The member knows those that were free when it was told of them.
START_TEST(of_several_goals_one_may_be_freed_by_what_would_stand)
{
    rp_scribe_arrange(0, "....\n...#");
    const rp_goal_t goals[] = {{.cell = rp_grid_cell(rp_scribe.grid, 3, 1)},
                               {.cell = rp_grid_cell(rp_scribe.grid, 1, 0)}};
    ck_assert_int_eq(rp_planner_set_goals(rp_scribe.planner, goals, 2), RP_OK);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe.stands_says = true;
    rp_scribe_write(3, 1, 1);
    ck_assert_int_eq(rp_scribe.stands, 0);
}
END_TEST

/// The first factor makes costs of another kind: the path that stood must be summed up anew.
START_TEST(a_rescale_is_not_for_the_member_to_see_through)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe.stands_says = true;
    rp_scribe_write(3, 1, 7);
    ck_assert_int_eq(rp_scribe.stands, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_uint_eq(rp_scribe.plan.stats.restarts, 1);
}
END_TEST

START_TEST(the_first_plan_begins_and_reads_the_grid_itself)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe_write(3, 1, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.begins, 1);
    ck_assert_int_eq(rp_scribe.updates, 0);
    ck_assert_double_eq(rp_scribe.plan.cost, 1.0);
    ck_assert_uint_eq(rp_scribe.plan.stats.expanded, 3);
    ck_assert_uint_eq(rp_scribe.plan.stats.restarts, 0);
    ck_assert_uint_eq(rp_scribe.plan.stats.bytes, 4321);
}
END_TEST

START_TEST(changes_are_merged_to_first_and_last_of_each_cell)
{
    rp_scribe_arrange(0, "....\n2...\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe_write(3, 2, 0);
    rp_scribe_write(0, 1, 0);
    rp_scribe_write(2, 1, 0);
    rp_scribe_write(3, 2, 1);
    rp_scribe_write(0, 1, 3);
    rp_scribe_write(1, 1, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.updates, 1);
    ck_assert_uint_eq(rp_scribe.update.change_count, 3); // (3, 2) is as it was
    uint32_t seen = 0;
    for (size_t i = 0; i < 3; i++) {
        const rp_change_t *change = &rp_scribe.changes[i];
        const uint32_t x = rp_grid_x(rp_scribe.grid, change->cell);
        ck_assert_uint_eq(rp_grid_y(rp_scribe.grid, change->cell), 1);
        ck_assert_uint_eq(change->before, x == 0 ? 2 : 1);
        ck_assert_uint_eq(change->after, x == 0 ? 3 : 0);
        seen |= 1u << x;
    }
    ck_assert_uint_eq(seen, 7);
}
END_TEST

START_TEST(what_was_told_is_not_told_again)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe_write(3, 1, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe_write(2, 1, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.updates, 2);
    ck_assert_uint_eq(rp_scribe.update.change_count, 1);
    ck_assert_uint_eq(rp_grid_x(rp_scribe.grid, rp_scribe.changes[0].cell), 2);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.updates, 2);
}
END_TEST

START_TEST(nothing_in_the_end_is_not_told_at_all)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    const int searches = rp_scribe.searches;
    rp_scribe_write(3, 1, 0);
    rp_scribe_write(3, 1, 1);
    rp_scribe_set_start(3, 0);
    rp_scribe_set_start(0, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.updates, 0);
    ck_assert_int_eq(rp_scribe.begins, 1);
    ck_assert_int_eq(rp_scribe.searches, searches);
    ck_assert_uint_eq(rp_scribe.plan.stats.expanded, 0);
}
END_TEST

/// A large world, planned in; then most of its lower half becomes blocked, and a cell of the top
/// row gets a factor, told to nobody yet. @return the number of changes
static size_t block_much(rp_change_t *changes, uint32_t last_x, uint8_t last_factor)
{
    const rp_grid_shape_t shape = {
        .width = 64, .height = 64, .neighbors = 8, .unit = 1, .least = 1};
    rp_grid_t *large = NULL;
    rp_scribe_arrange(0, "..");
    ck_assert_int_eq(rp_grid_new(&shape, &large), RP_OK);
    ck_assert_int_eq(rp_planner_bind(rp_scribe.planner, large), RP_OK);
    rp_grid_destroy(&rp_scribe.grid);
    rp_scribe.grid = large;
    rp_scribe_set_start(0, 0);
    rp_scribe_set_goal(1, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    size_t count = 0;
    for (uint32_t y = 40; y < 60; y++) {
        for (uint32_t x = 0; x < 64; x++) {
            changes[count++] =
                (rp_change_t){.cell = rp_grid_cell(rp_scribe.grid, x, y), .after = 0};
        }
    }
    changes[count++] =
        (rp_change_t){.cell = rp_grid_cell(rp_scribe.grid, last_x, 0), .after = last_factor};
    rp_grid_write(rp_scribe.grid, changes, count);
    return count;
}

START_TEST(a_large_batch_is_told_at_once_when_it_is_all)
{
    static rp_change_t changes[RP_SCRIBE_CHANGES];
    const size_t count = block_much(changes, 63, 0);
    ck_assert_int_eq(rp_planner_apply(rp_scribe.planner, changes, count), RP_OK);
    ck_assert_int_eq(rp_scribe.updates, 1);
    rp_scribe_write(0, 63, 0); // while the member is not at rest
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.updates, 2);
    ck_assert_int_eq(rp_scribe.searches, 2);
    ck_assert_uint_eq(rp_scribe.update.change_count, 1);
}
END_TEST

START_TEST(a_large_batch_waits_when_not_all_of_it_is_a_change)
{
    static rp_change_t changes[RP_SCRIBE_CHANGES];
    const size_t count = block_much(changes, 63, 1);
    ck_assert_int_eq(rp_planner_apply(rp_scribe.planner, changes, count), RP_OK);
    ck_assert_int_eq(rp_scribe.updates, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.updates, 1);
    ck_assert_uint_eq(rp_scribe.update.change_count, count - 1u);
}
END_TEST

START_TEST(a_large_batch_waits_while_the_grid_holds_what_was_not_told)
{
    static rp_change_t changes[RP_SCRIBE_CHANGES];
    const size_t count = block_much(changes, 63, 0);
    const rp_cell_t other = rp_grid_cell(rp_scribe.grid, 0, 63);
    const rp_change_t late = {other, rp_grid_set(rp_scribe.grid, other, 0), 0};
    ck_assert_int_eq(rp_planner_apply(rp_scribe.planner, changes, count), RP_OK);
    ck_assert_int_eq(rp_scribe.updates, 0);
    ck_assert_int_eq(rp_planner_apply(rp_scribe.planner, &late, 1), RP_OK);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.updates, 1);
    ck_assert_uint_eq(rp_scribe.update.change_count, count + 1u);
}
END_TEST

START_TEST(a_large_batch_waits_while_it_is_behind_another)
{
    static rp_change_t changes[RP_SCRIBE_CHANGES];
    const size_t count = block_much(changes, 63, 0);
    for (size_t i = 0; i < count; i++) {
        changes[i].after = 1;
    }
    rp_grid_write(rp_scribe.grid, changes, count);
    ck_assert_int_eq(rp_planner_apply(rp_scribe.planner, changes, count), RP_OK);
    ck_assert_int_eq(rp_scribe.updates, 0); // it heard of half of what was written
}
END_TEST

START_TEST(a_large_batch_waits_while_an_end_is_blocked)
{
    static rp_change_t changes[RP_SCRIBE_CHANGES];
    const size_t count = block_much(changes, 0, 0);
    ck_assert_int_eq(rp_planner_apply(rp_scribe.planner, changes, count), RP_OK);
    rp_scribe_plan_for(RP_OUTCOME_START_BLOCKED);
    ck_assert_int_eq(rp_scribe.updates, 0);
}
END_TEST

START_TEST(many_untold_changes_are_merged_while_they_wait)
{
    rp_scribe_arrange(0, "....\n....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    for (int round = 0; round < 2001; round++) {
        for (uint32_t x = 0; x < 4; x++) {
            rp_scribe_write(x, 2, round % 2 == 0 ? 0 : 1);
        }
    }
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_uint_eq(rp_scribe.update.change_count, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(rp_scribe.changes[i].before, 1);
        ck_assert_uint_eq(rp_scribe.changes[i].after, 0);
    }
}
END_TEST

START_TEST(an_event_without_its_bit_starts_over_and_is_counted)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe_set_start(2, 0);
    rp_scribe_plan_for(RP_OUTCOME_NO_PATH); // the scribe cannot go back
    ck_assert_int_eq(rp_scribe.updates, 0); // no RP_NATIVE_START
    ck_assert_int_eq(rp_scribe.begins, 2);
    ck_assert_uint_eq(rp_scribe.plan.stats.restarts, 1);
    ck_assert_uint_eq(rp_scribe.start, rp_grid_cell(rp_scribe.grid, 2, 0));
    ck_assert(isinf(rp_scribe.plan.cost));
}
END_TEST

START_TEST(a_member_may_decline_an_update_and_begin_again)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe.update_says = false;
    rp_scribe_write(3, 1, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.updates, 1);
    ck_assert_int_eq(rp_scribe.begins, 2);
    ck_assert_uint_eq(rp_scribe.plan.stats.restarts, 1);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_uint_eq(rp_scribe.plan.stats.restarts, 0);
}
END_TEST

START_TEST(only_free_goals_are_told)
{
    rp_scribe_arrange(0, "....\n....");
    const rp_goal_t goals[] = {{rp_grid_cell(rp_scribe.grid, 3, 0), 7},
                               {rp_grid_cell(rp_scribe.grid, 1, 0), 2}};
    ck_assert_int_eq(rp_planner_set_goals(rp_scribe.planner, goals, 2), RP_OK);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_double_eq(rp_scribe.plan.cost, 3.0); // the offset included
    ck_assert_uint_eq(rp_scribe.goal_count, 2);
    rp_scribe_write(3, 0, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert(rp_scribe.update.goals_changed);
    ck_assert_uint_eq(rp_scribe.goal_count, 1);
    ck_assert_uint_eq(rp_scribe.goals[0].cell, goals[1].cell);
    rp_scribe_write(3, 1, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert(!rp_scribe.update.goals_changed);
    rp_scribe_write(3, 0, 1);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert(rp_scribe.update.goals_changed);
    ck_assert_uint_eq(rp_scribe.goal_count, 2);
}
END_TEST

START_TEST(blocked_ends_are_answered_without_the_member)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe_write(1, 0, 0);
    rp_scribe_plan_for(RP_OUTCOME_GOAL_BLOCKED);
    rp_scribe_write(0, 0, 0);
    rp_scribe_plan_for(RP_OUTCOME_START_BLOCKED);
    ck_assert_int_eq(rp_scribe.updates, 0);
    ck_assert_uint_eq(rp_scribe.plan.path.count, 0);
    rp_scribe_write(0, 0, 1);
    rp_scribe_write(3, 1, 0);
    rp_scribe_write(1, 0, 1);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.updates, 1);
    ck_assert_uint_eq(rp_scribe.update.change_count, 1);
}
END_TEST

START_TEST(slices_add_up_in_one_plan)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe.expansions_left = 10;
    ck_assert_int_eq(rp_planner_plan(rp_scribe.planner, 4, &rp_scribe.plan), RP_MORE);
    ck_assert_int_eq(rp_planner_plan(rp_scribe.planner, 4, &rp_scribe.plan), RP_MORE);
    ck_assert_int_eq(rp_planner_plan(rp_scribe.planner, 4, &rp_scribe.plan), RP_OK);
    ck_assert_uint_eq(rp_scribe.plan.stats.expanded, 10);
    ck_assert_int_eq(rp_scribe.begins, 1);
    rp_scribe_write(3, 1, 0);
    ck_assert_int_eq(rp_planner_plan(rp_scribe.planner, 4, &rp_scribe.plan), RP_MORE);
    rp_scribe.update_says = false;
    rp_scribe_write(2, 1, 0);
    ck_assert_int_eq(rp_planner_plan(rp_scribe.planner, 100, &rp_scribe.plan), RP_OK);
    ck_assert_uint_eq(rp_scribe.plan.stats.expanded, 14);
    ck_assert_uint_eq(rp_scribe.plan.stats.restarts, 1);
}
END_TEST

START_TEST(check_asks_the_member_once_it_has_begun)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe.check_says = false;
    ck_assert(rp_planner_check(rp_scribe.planner));
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert(!rp_planner_check(rp_scribe.planner));
    rp_scribe.check_says = true;
    ck_assert(rp_planner_check(rp_scribe.planner));
}
END_TEST

START_TEST(a_start_that_walks_along_its_path_is_told_with_what_comes_next)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    const rp_cell_t start = rp_scribe.plan.path.cells[0];
    const rp_cell_t goal = rp_scribe.plan.path.cells[1];
    rp_scribe_set_start(1, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.updates, 0);
    ck_assert_uint_eq(rp_scribe.plan.path.count, 1);
    ck_assert_uint_eq(rp_scribe.plan.path.cells[0], goal);
    ck_assert_double_eq(rp_scribe.plan.cost, 0.0);
    rp_scribe_set_start(0, 0); // back: that is what the member knows
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.updates, 0);
    ck_assert_uint_eq(rp_scribe.plan.path.count, 2);
    ck_assert_uint_eq(rp_scribe.plan.path.cells[0], start);
    ck_assert_double_eq(rp_scribe.plan.cost, 1.0);
    rp_scribe_set_start(1, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe_write(3, 1, 0);
    (void)rp_planner_plan(rp_scribe.planner, UINT64_MAX, &rp_scribe.plan);
    ck_assert_int_eq(rp_scribe.updates + rp_scribe.begins, 2); // one began the first plan
    ck_assert_uint_eq(rp_scribe.start, goal);
}
END_TEST

START_TEST(a_member_is_told_where_its_path_is_shown)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.shows, 1);
    ck_assert_ptr_eq(rp_scribe.shown.cells, rp_scribe.plan.path.cells);
    ck_assert_uint_eq(rp_scribe.shown.count, 2);
    rp_scribe_set_start(1, 0); // a step along it is no new path
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_scribe.shows, 1);
    rp_scribe_set_goal(3, 1); // not beside the start
    rp_scribe_plan_for(RP_OUTCOME_NO_PATH);
    ck_assert_int_eq(rp_scribe.shows, 2);
    ck_assert_uint_eq(rp_scribe.shown.count, 0);
}
END_TEST

START_TEST(nobody_is_asked_whether_it_stands_in_the_middle_of_a_search)
{
    rp_scribe_arrange(0, "....\n....");
    rp_scribe.stands_says = true;
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe_set_start(0, 1);
    ck_assert_int_eq(rp_planner_plan(rp_scribe.planner, 1, &rp_scribe.plan), RP_MORE);
    rp_scribe_set_start(0, 0); // where the last answer was
    rp_scribe_write(3, 1, 0);
    ck_assert_int_eq(rp_scribe.stands, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe_write(3, 1, 1);
    ck_assert_int_eq(rp_scribe.stands, 1);
}
END_TEST

START_TEST(null_is_refused_where_it_means_nothing)
{
    const rp_planner_options_t options = {.check_every = 0};
    const rp_walk_t walk = {.end = 0};
    rp_planner_t *planner = NULL;
    rp_scribe_arrange(0, "....\n....");
    rp_planner_t *self = rp_scribe.planner;
    ck_assert_ptr_null(rp_planner_find(NULL));
    ck_assert_int_eq(rp_planner_new(NULL, &options, &planner), RP_E_INVALID);
    ck_assert_int_eq(rp_planner_new("scribe", &options, NULL), RP_E_INVALID);
    ck_assert_ptr_null(planner);
    ck_assert_int_eq(rp_planner_new("scribe", NULL, &planner), RP_OK); // the defaults
    rp_planner_destroy(&planner);
    rp_planner_destroy(NULL);
    ck_assert_int_eq(rp_planner_bind(self, NULL), RP_E_INVALID);
    ck_assert_int_eq(rp_planner_set_goals(self, NULL, 1), RP_E_INVALID);
    ck_assert_int_eq(rp_planner_apply(self, NULL, 1), RP_E_INVALID);
    ck_assert_int_eq(rp_planner_apply(self, NULL, 0), RP_OK);
    ck_assert_int_eq(rp_planner_plan(self, UINT64_MAX, NULL), RP_E_INVALID);
    ck_assert_int_eq(rp_planner_confirm(self, NULL, true, UINT64_MAX, &rp_scribe.plan),
                     RP_E_INVALID);
    ck_assert_int_eq(rp_planner_confirm(self, &walk, true, UINT64_MAX, NULL), RP_E_INVALID);
    ck_assert_int_eq(rp_planner_idle(self, NULL), RP_E_INVALID);
    ck_assert_int_eq(rp_scribe.begins + rp_scribe.updates, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND); // grid and goals are what they were
}
END_TEST

START_TEST(outcomes_are_called_as_on_the_wire)
{
    ck_assert_str_eq(rp_outcome_text(RP_OUTCOME_FOUND), "found");
    ck_assert_str_eq(rp_outcome_text(RP_OUTCOME_NO_PATH), "no_path");
    ck_assert_str_eq(rp_outcome_text(RP_OUTCOME_START_BLOCKED), "start_blocked");
    ck_assert_str_eq(rp_outcome_text(RP_OUTCOME_GOAL_BLOCKED), "goal_blocked");
    ck_assert_str_eq(rp_outcome_text((rp_outcome_t)99), "not an outcome");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        null_is_refused_where_it_means_nothing,
        a_member_is_told_where_its_path_is_shown,
        nobody_is_asked_whether_it_stands_in_the_middle_of_a_search,
        what_lets_the_answer_stand_is_told_at_once_and_once,
        the_gist_of_a_batch_is_that_of_the_batch_which_is_told,
        nobody_is_asked_whether_it_stands_while_the_answer_is_old,
        what_became_cheaper_is_not_judged_while_the_grid_holds_a_later_write,
        of_several_goals_one_may_be_freed_by_what_would_stand,
        a_rescale_is_not_for_the_member_to_see_through,
        the_first_plan_begins_and_reads_the_grid_itself,
        changes_are_merged_to_first_and_last_of_each_cell,
        what_was_told_is_not_told_again,
        nothing_in_the_end_is_not_told_at_all,
        a_large_batch_is_told_at_once_when_it_is_all,
        a_large_batch_waits_when_not_all_of_it_is_a_change,
        a_large_batch_waits_while_the_grid_holds_what_was_not_told,
        a_large_batch_waits_while_it_is_behind_another,
        a_large_batch_waits_while_an_end_is_blocked,
        many_untold_changes_are_merged_while_they_wait,
        an_event_without_its_bit_starts_over_and_is_counted,
        a_member_may_decline_an_update_and_begin_again,
        only_free_goals_are_told,
        blocked_ends_are_answered_without_the_member,
        slices_add_up_in_one_plan,
        check_asks_the_member_once_it_has_begun,
        a_start_that_walks_along_its_path_is_told_with_what_comes_next,
        outcomes_are_called_as_on_the_wire,
    };
    return rp_suite_run("planner", tests, sizeof tests / sizeof tests[0], 1, rp_scribe_tear_down);
}
