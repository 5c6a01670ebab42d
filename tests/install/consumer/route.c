// The planners alone: every planner of the installed library finds the same way over a small grid.
#include <math.h>
#include <stdio.h>

#include <replan/planner.h>

static double cost_by(const char *id, const rp_grid_t *grid)
{
    rp_planner_t *planner = NULL;
    rp_plan_t plan = {.cost = -1.0};
    if (rp_planner_new(id, NULL, &planner) == RP_OK && rp_planner_bind(planner, grid) == RP_OK &&
        rp_planner_set_start(planner, rp_grid_cell(grid, 0, 0)) == RP_OK &&
        rp_planner_set_goal(planner, rp_grid_cell(grid, 8, 6)) == RP_OK) {
        (void)rp_planner_plan(planner, UINT64_MAX, &plan);
    }
    const double cost = plan.cost;
    rp_planner_destroy(&planner);
    return cost;
}

int main(void)
{
    const rp_grid_shape_t shape = {.width = 9, .height = 9, .neighbors = 8, .unit = 1, .least = 1};
    const double right = 6.0 * sqrt(2.0) + 2.0;
    rp_grid_t *grid = NULL;
    bool is_right = rp_grid_new(&shape, &grid) == RP_OK && rp_planner_info(0) != NULL;
    for (size_t i = 0; is_right && rp_planner_info(i) != NULL; i++) {
        if ((rp_planner_info(i)->capabilities & RP_CAN_8) == 0) {
            continue;
        }
        const double cost = cost_by(rp_planner_info(i)->id, grid);
        printf("%s %.6f\n", rp_planner_info(i)->id, cost);
        is_right = fabs(cost - right) < 1e-9;
    }
    rp_grid_destroy(&grid);
    return is_right ? 0 : 1;
}
