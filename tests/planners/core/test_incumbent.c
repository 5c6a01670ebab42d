/// A walk that somebody has: when it spares a path, and what it says then.
#include "planners/core/incumbent.h"

#include "tests/support/suite.h"

/// What the member says, and what it was asked.
static struct {
    uint64_t cost;
    bool confirms;
    rp_cell_t from;
    uint64_t units;
    int times;
} candidate;

static uint64_t says_cost(const void *state)
{
    (void)state;
    return candidate.cost;
}

static bool says_confirmed(void *state, rp_cell_t from, uint64_t units)
{
    (void)state;
    candidate.from = from;
    candidate.units = units;
    candidate.times++;
    return candidate.confirms;
}

static const rp_planner_ops_t ops = {.cost = says_cost, .confirm = says_confirmed};
static rp_grid_t *grid;
static rp_goal_set_t goals;
static rp_instance_t form;
static rp_walk_t walk;

/// Three straight steps to a goal that costs 5 more: 8 on four neighbours.
static void arrange(void)
{
    const rp_grid_shape_t shape = {.width = 4, .height = 1, .neighbors = 4, .unit = 2, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    const rp_goal_t goal = {rp_grid_cell(grid, 3, 0), 5};
    ck_assert_int_eq(rp_goal_set_give(&goals, &goal, 1), RP_OK);
    (void)rp_goal_set_look(&goals, grid);
    form = (rp_instance_t){.ops = &ops, .grid = grid};
    walk = (rp_walk_t){.factors = {3u * 4u, 0}, .end = goal.cell};
    candidate.cost = 8;
    candidate.confirms = true;
    candidate.times = 0;
}

static void tear_down(void)
{
    rp_goal_set_fini(&goals);
    rp_grid_destroy(&grid);
}

START_TEST(a_claim_holds_when_the_search_found_nothing_cheaper)
{
    arrange();
    const rp_incumbent_t claim = {&walk, false};
    ck_assert(rp_incumbent_holds(&claim, &form, &goals));
    candidate.cost = 7;
    ck_assert(!rp_incumbent_holds(&claim, &form, &goals));
    candidate.cost = 8;
    walk.factors[0] += 4u;
    ck_assert(!rp_incumbent_holds(&claim, &form, &goals));
}
END_TEST

START_TEST(a_claim_stands_when_it_was_the_cheapest_and_the_member_confirms_it)
{
    arrange();
    const rp_cell_t start = rp_grid_cell(grid, 0, 0);
    ck_assert(rp_incumbent_stands(&(rp_incumbent_t){&walk, true}, &form, &goals, start));
    ck_assert_uint_eq(candidate.from, start);
    ck_assert_uint_eq(candidate.units, 8);
    candidate.confirms = false;
    ck_assert(!rp_incumbent_stands(&(rp_incumbent_t){&walk, true}, &form, &goals, start));
    ck_assert_int_eq(candidate.times, 2);
    candidate.confirms = true;
    ck_assert(!rp_incumbent_stands(&(rp_incumbent_t){&walk, false}, &form, &goals, start));
    ck_assert_int_eq(candidate.times, 2); // nobody was asked
}
END_TEST

START_TEST(the_answer_is_the_walk_at_its_cost_without_a_path)
{
    arrange();
    const rp_plan_t plan = rp_incumbent_plan(&(rp_incumbent_t){&walk, true}, &form, &goals);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_FOUND);
    ck_assert_double_eq(plan.cost, 8.0);
    ck_assert_uint_eq(plan.units, 8);
    ck_assert_uint_eq(plan.path.count, 0);
    ck_assert_uint_eq(plan.stats.expanded, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_claim_holds_when_the_search_found_nothing_cheaper,
        a_claim_stands_when_it_was_the_cheapest_and_the_member_confirms_it,
        the_answer_is_the_walk_at_its_cost_without_a_path,
    };
    return rp_suite_run("incumbent", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
