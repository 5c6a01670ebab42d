/// Who judges the judge: a trial must complain about each kind of wrong plan.
#include <math.h>
#include <string.h>

#include "tests/support/drawing.h"
#include "tests/support/suite.h"

static rp_trial_t trial;
static rp_cell_t cells[16];

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

/// A right plan: S to G round a corner, cost 4.
static void arrange(uint8_t neighbors)
{
    ck_assert_int_eq(rp_trial_init(&trial, "astar", NULL), RP_OK);
    ck_assert(rp_drawing_try("S#.\n.#.\n..G", neighbors, false, &trial));
    ck_assert_ptr_null(rp_trial_plan(&trial, UINT64_MAX));
    ck_assert_double_eq(trial.plan.cost, 4.0);
}

/// Put another path in place of the planner's.
static void forge(const uint32_t *places, uint32_t count, double cost)
{
    for (uint32_t i = 0; i < count; i++) {
        cells[i] = rp_grid_cell(trial.grid, places[i] % 3, places[i] / 3);
    }
    trial.plan.path = (rp_path_t){cells, count};
    trial.plan.cost = cost;
}

static bool complains_of(const char *part)
{
    const char *complaint = rp_trial_judge(&trial);
    return complaint != NULL && strstr(complaint, part) != NULL;
}

START_TEST(the_right_path_is_praised_by_silence)
{
    arrange(8);
    forge((const uint32_t[]){0, 3, 6, 7, 8}, 5, 4.0);
    ck_assert_ptr_null(rp_trial_judge(&trial));
}
END_TEST

START_TEST(a_step_through_a_wall_or_past_a_corner_is_illegal)
{
    arrange(8);
    forge((const uint32_t[]){0, 1, 2, 5, 8}, 5, 4.0);
    ck_assert(complains_of("illegal"));
    forge((const uint32_t[]){0, 3, 7, 8}, 4, 2.0 + sqrt(2.0));
    ck_assert(complains_of("illegal"));
    forge((const uint32_t[]){0, 8}, 2, 4.0);
    ck_assert(complains_of("illegal"));
}
END_TEST

START_TEST(a_detour_is_not_the_cheapest)
{
    arrange(4);
    forge((const uint32_t[]){0, 3, 0, 3, 6, 7, 8}, 7, 6.0);
    ck_assert(complains_of("cheapest"));
}
END_TEST

START_TEST(a_path_between_other_ends_is_wrong)
{
    arrange(8);
    forge((const uint32_t[]){3, 6, 7, 8}, 4, 3.0);
    ck_assert(complains_of("begins"));
    forge((const uint32_t[]){0, 3, 6, 7}, 4, 3.0);
    ck_assert(complains_of("end in a goal"));
    forge((const uint32_t[]){0}, 0, 4.0);
    ck_assert(complains_of("number of cells"));
}
END_TEST

START_TEST(a_cost_that_is_not_the_paths_is_wrong)
{
    arrange(8);
    trial.plan.cost += 1e-9;
    ck_assert(complains_of("cost"));
}
END_TEST

START_TEST(an_outcome_that_the_world_does_not_give_is_wrong)
{
    arrange(8);
    trial.plan.outcome = RP_OUTCOME_NO_PATH;
    ck_assert(complains_of("outcome"));
    rp_trial_set(&trial, 1, 2, 0);
    ck_assert_ptr_null(rp_trial_plan(&trial, UINT64_MAX));
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    trial.plan.cost = 4.0;
    ck_assert(complains_of("no path") || complains_of("none can be"));
    trial.plan.outcome = RP_OUTCOME_FOUND;
    ck_assert(complains_of("outcome"));
}
END_TEST

START_TEST(a_drawing_is_rows_of_known_signs)
{
    rp_drawing_t drawing;
    ck_assert(rp_drawing_read(&drawing, "S.3\n#G."));
    ck_assert_uint_eq(drawing.width, 3);
    ck_assert_uint_eq(drawing.height, 2);
    ck_assert_uint_eq(drawing.factors[2], 3);
    ck_assert_uint_eq(drawing.factors[3], 0);
    ck_assert_uint_eq(drawing.start, 0);
    ck_assert_uint_eq(drawing.goals[0], 4);
    ck_assert(rp_drawing_read(&drawing, "..\n..\n"));
    ck_assert(!rp_drawing_read(&drawing, ""));
    ck_assert(!rp_drawing_read(&drawing, "..\n."));
    ck_assert(!rp_drawing_read(&drawing, "..\n\n.."));
    ck_assert(!rp_drawing_read(&drawing, ".x"));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_right_path_is_praised_by_silence,  a_step_through_a_wall_or_past_a_corner_is_illegal,
        a_detour_is_not_the_cheapest,          a_path_between_other_ends_is_wrong,
        a_cost_that_is_not_the_paths_is_wrong, an_outcome_that_the_world_does_not_give_is_wrong,
        a_drawing_is_rows_of_known_signs,
    };
    return rp_suite_run("trial", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
