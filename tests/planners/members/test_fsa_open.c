/// Fringe-Saving A* from inside: what it puts back into OPEN, out of copies of it.
#include "tests/planners/members/fsa_scene.h"

START_TEST(fsa_log_stays_exact_over_many_copies_of_open)
{
    uint32_t copied_count = 0;
    for (unsigned form = 0; form < 16; form++) {
        rp_random_t random = {form + 40u};
        make_random_world(form, SIDE_MAX, SIDE_MAX - 10u, &random, 25);
        session.open = form >= 8 ? RP_OPEN_BUCKETS : RP_OPEN_HEAP;
        begin_across();
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
        begin_across();
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

int main(void)
{
    const TTest *const tests[] = {
        fsa_log_stays_exact_over_many_copies_of_open,
        fsa_forgets_a_copy_of_open_that_was_taken_at_the_cut,
    };
    return rp_suite_run("fsa_open", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
