/// CERT from inside: that its check finds a field or a path that is wrong. None of that is part of
/// the contract, so this test compiles the planner's source once more, under another name. It is
/// built for 32- and for 64-bit costs.
#include "planners/grid/cost.h"

#undef RP_MEMBER
#define RP_MEMBER(name) name##_under_test
#include "planners/members/cert.c" // NOLINT(bugprone-suspicious-include)

#include "tests/support/suite.h"

static rp_arena_t arena;

START_TEST(check_finds_what_is_wrong)
{
    static cert_t cert;
    static rp_grid_t *grid;
    const rp_grid_shape_t shape = {
        .width = 20, .height = 20, .neighbors = 4, .unit = 1, .least = 1};
    const rp_member_options_t options = {0};
    rp_search_stats_t stats = {0};
    uint64_t budget = UINT64_MAX;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_member_bind(&RP_MEMBER(cert), &cert, grid, &options, &arena), RP_OK);
    const rp_goal_t goal = {rp_grid_cell(grid, 17, 15), 0};
    cert_begin(&cert, rp_grid_cell(grid, 2, 3), &goal, 1);
    ck_assert_int_eq(cert_search(&cert, &budget, &stats), RP_OK);
    ck_assert(cert_check(&cert));
    rp_node_t *known = &cert.core.field.nodes[rp_grid_cell(grid, 9, 9)];
    known->g += 2u;
    ck_assert(!cert_check(&cert)); // too high: not admissible
    known->g -= 4u;
    ck_assert(!cert_check(&cert)); // too low for its neighbours
    known->g += 2u;
    ck_assert(cert_check(&cert));
    cert.core.path_cache.steps[cert.core.path_cache.end - 1u].cost += 2u;
    ck_assert(!cert_check(&cert));
    rp_member_unbind(&RP_MEMBER(cert), &cert, &arena, NULL);
    rp_grid_destroy(&grid);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {check_finds_what_is_wrong};
    return rp_suite_run("cert_check", tests, 1, 1, NULL);
}
