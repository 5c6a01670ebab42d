/// Fringe-Saving A* from inside: what it puts back into OPEN, that both ways of doing so agree, and
/// what becomes of cells that a walk round the closed ones leaves out.
#include "tests/planners/members/fsa_scene.h"

// ---- both ways to put OPEN back

/// g by place of what is in OPEN, RP_COST_INF elsewhere.
static void read_open(rp_cost_t *open)
{
    for (uint32_t place = 0; place < place_count(); place++) {
        const rp_cell_t cell = cell_of(place);
        const rp_node_t *node = &session.fsa.reuse.nodes[cell];
        open[place] =
            rp_prefix_reuse_is_live(&session.fsa.reuse, cell, node->g) ? node->g : RP_COST_INF;
    }
}

/// Marks what the goal can reach without passing a closed cell.
static void flood_from_goal(bool *is_reached)
{
    static uint32_t stack[PLACES_MAX];
    uint32_t count = 1;
    memset(is_reached, 0, place_count() * sizeof *is_reached);
    stack[0] = session.goal;
    is_reached[session.goal] = true;
    while (count != 0) {
        const uint32_t place = stack[--count];
        for (int i = 0; i < 4; i++) {
            static const int8_t steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
            const uint32_t next = rp_oracle_step(session.oracle, place, steps[i][0], steps[i][1]);
            if (next != RP_ORACLE_NO_PLACE && !is_reached[next] && !is_closed(next)) {
                is_reached[next] = true;
                stack[count++] = next;
            }
        }
    }
}

START_TEST(fsa_walk_and_log_put_back_the_same_cells)
{
    static rp_cost_t walked[PLACES_MAX];
    static rp_cost_t logged[PLACES_MAX];
    static bool faces_goal[PLACES_MAX];
    uint32_t compared_count = 0;
    uint32_t hole_count = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        rp_random_t random = {seed};
        const uint32_t most = seed < 290 ? 14 : 60;
        make_random_world(0, rp_random_between(&random, 1, most),
                          rp_random_between(&random, 2, most), &random,
                          rp_random_below(&random, 45));
        begin_across(RP_RESTORE_WALK);
        for (unsigned step = 0; step < 20; step++) {
            plan();
            churn(&random, rp_random_between(&random, 1, 4));
            update_and_move(&random);
            if (is_closed(session.goal)) {
                continue;
            }
            put_back_open();
            ck_assert(fsa_check(&session.fsa));
            if (!session.fsa.open_is_partial) {
                continue; // nothing was cut so far
            }
            read_open(walked);
            session.fsa.may_walk = false;
            session.fsa.open_state = OPEN_NEEDS_RESTORE;
            put_back_open();
            ck_assert(fsa_check(&session.fsa));
            read_open(logged);
            flood_from_goal(faces_goal);
            for (uint32_t place = 0; place < place_count(); place++) {
                if (walked[place] != RP_COST_INF) {
                    ck_assert_uint_eq(walked[place], logged[place]);
                    compared_count++;
                } else if (logged[place] != RP_COST_INF) {
                    ck_assert(!faces_goal[place]);
                    hole_count++;
                }
            }
            session.fsa.may_walk = true;
            session.fsa.open_state = OPEN_NEEDS_RESTORE;
        }
        tear_down();
    }
    ck_assert_uint_gt(compared_count, 5000); // else this proved little
    ck_assert_uint_gt(hole_count, 50);
}
END_TEST

START_TEST(fsa_log_stays_exact_over_many_copies_of_open)
{
    uint32_t copied_count = 0;
    for (unsigned form = 0; form < 16; form++) {
        rp_random_t random = {form + 40u};
        make_random_world(form, SIDE_MAX, SIDE_MAX - 10u, &random, 25);
        session.open = form >= 8 ? RP_OPEN_BUCKETS : RP_OPEN_HEAP;
        begin_across(RP_RESTORE_LOG);
        for (unsigned step = 0; step < 30; step++) {
            plan();
            copied_count += session.fsa.checkpoint_count;
            ck_assert_uint_le(session.fsa.saved_count * GAP_PER_OPEN, session.fsa.reuse.log.length);
            churn(&random, rp_random_between(&random, 0, 3));
            const bool goal_moves = step > 15 && rp_random_chance(&random, 20);
            ck_assert(update(goal_moves ? draw_free_place(&random) : session.goal));
        }
        tear_down();
    }
    ck_assert_uint_gt(copied_count, 300); // else this proved little
}
END_TEST

/// A copy of OPEN taken just where a change cuts the log lacks the cell that was freed there.
START_TEST(fsa_forgets_a_copy_of_open_that_was_taken_at_the_cut)
{
    uint32_t cut_count = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        rp_random_t random = {seed};
        make_random_world((unsigned)seed % 8u, SIDE_MAX, SIDE_MAX - 10u, &random, 30);
        begin_across(RP_RESTORE_LOG);
        plan();
        for (uint32_t i = session.fsa.checkpoint_count; i-- > 0;) {
            const uint32_t length = session.fsa.checkpoints[i].length;
            const rp_cell_t last = session.fsa.reuse.log.cells[length - 1u];
            for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += 2) {
                const rp_cell_t cell = rp_grid_step(session.grid, last, direction);
                const rp_change_t freed = {cell, 0, 1};
                if (rp_grid_holds(session.grid, cell) && session.grid->factor[cell] == 0 &&
                    rp_expansion_log_limit(&session.fsa.reuse.log, session.grid, &freed,
                                           session.fsa.reuse.log.length) == length) {
                    set(place_of(cell), 1);
                    ck_assert(update(session.goal));
                    ck_assert_uint_eq(session.fsa.reuse.log.length, length);
                    plan();
                    cut_count++;
                    break;
                }
            }
        }
        tear_down();
    }
    ck_assert_uint_gt(cut_count, 3); // else this proved little
}
END_TEST

// ---- holes

/// A place that the start reaches, not closed, and cut off from the goal by closed cells.
static uint32_t find_hole(void)
{
    static bool faces_goal[PLACES_MAX];
    flood_from_goal(faces_goal);
    rp_oracle_flood(session.oracle, session.start);
    for (uint32_t place = 0; place < place_count(); place++) {
        if (session.oracle->cost[place] != RP_ORACLE_NO_PATH && !faces_goal[place] &&
            !is_closed(place)) {
            return place;
        }
    }
    return RP_ORACLE_NO_PLACE;
}

START_TEST(fsa_finds_a_goal_that_moves_into_a_hole_left_out_by_a_walk)
{
    uint32_t hole_count = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        rp_random_t random = {seed};
        make_random_world(0, 30, 30, &random, 36);
        begin_across(RP_RESTORE_WALK);
        plan();
        for (unsigned step = 0; step < 30; step++) {
            churn(&random, rp_random_below(&random, 3));
            ck_assert(update(session.goal));
            search(rp_random_below(&random, 30));
            const uint32_t hole = find_hole();
            if (session.fsa.open_is_partial && hole != RP_ORACLE_NO_PLACE) {
                ck_assert(update(hole));
                hole_count++;
            }
            plan();
        }
        tear_down();
    }
    ck_assert_uint_gt(hole_count, 20); // else this proved little
}
END_TEST

START_TEST(fsa_takes_in_a_cell_freed_in_a_hole_beside_the_last_one_expanded)
{
    uint32_t freed_count = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        rp_random_t random = {seed};
        make_random_world(0, 10, 10, &random, 30);
        begin_across(RP_RESTORE_WALK);
        plan();
        churn(&random, 3);
        ck_assert(update(session.goal));
        put_back_open(); // the last cell of the log may border on a hole
        const uint32_t length = session.fsa.reuse.log.length;
        const rp_cell_t last = session.fsa.reuse.log.cells[length - 1u];
        for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += 2) {
            const rp_cell_t cell = rp_grid_step(session.grid, last, direction);
            if (rp_grid_holds(session.grid, cell) && session.grid->factor[cell] == 0) {
                set(place_of(cell), 1);
                ck_assert(update(session.goal));
                freed_count += session.fsa.open_state == OPEN_NEEDS_RESTORE &&
                               session.fsa.reuse.log.length == length;
                break;
            }
        }
        search(rp_random_below(&random, 9));
        ck_assert(fsa_check(&session.fsa));
        plan();
        tear_down();
    }
    ck_assert_uint_gt(freed_count, 20); // else this proved little
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        fsa_walk_and_log_put_back_the_same_cells,
        fsa_log_stays_exact_over_many_copies_of_open,
        fsa_forgets_a_copy_of_open_that_was_taken_at_the_cut,
        fsa_finds_a_goal_that_moves_into_a_hole_left_out_by_a_walk,
        fsa_takes_in_a_cell_freed_in_a_hole_beside_the_last_one_expanded,
    };
    return rp_suite_run("fsa_open", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
