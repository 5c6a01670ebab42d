/// Edges and heuristic in whole numbers: exact against the oracle, admissible and consistent.
#include "planners/grid/metric.h"

#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define KINDS 8u

/// A world of kind 0 .. 7 (one bit each: 8 neighbours, weights, wrapped) and what measures it.
typedef struct world {
    rp_grid_t *grid;
    rp_oracle_t *oracle;
    rp_metric_t metric;
    uint64_t scale; ///< one of its costs is so many of the oracle's
} world_t;

static world_t new_world(unsigned kind, rp_random_t *random)
{
    const bool is_weighted = (kind & 2u) != 0;
    const rp_grid_shape_t shape = {
        .width = rp_random_between(random, 3, 9),
        .height = rp_random_between(random, 3, 9),
        .neighbors = (kind & 1u) != 0 ? 8 : 4,
        .wraps = (kind & 4u) != 0,
        .unit = 3,
        .least = 2,
    };
    world_t world = {.oracle = rp_oracle_new(&shape)};
    ck_assert_int_eq(rp_grid_new(&shape, &world.grid), RP_OK);
    for (uint32_t place = 0; place < shape.width * shape.height; place++) {
        uint8_t factor = is_weighted ? (uint8_t)rp_random_between(random, 2, 9) : shape.unit;
        factor = rp_random_chance(random, 15) ? 0 : factor;
        world.oracle->factors[place] = factor;
        rp_grid_set(world.grid, rp_grid_cell(world.grid, place % shape.width, place / shape.width),
                    factor);
    }
    world.metric = rp_metric_of(world.grid);
    world.scale =
        (shape.neighbors == 8 ? 1u : 408u) * (world.grid->weighted ? 1u : 2u * shape.unit);
    return world;
}

static void destroy_world(world_t *self)
{
    rp_grid_destroy(&self->grid);
    rp_oracle_destroy(&self->oracle);
}

static rp_cell_t cell_of(const world_t *self, uint32_t place)
{
    const uint32_t width = self->grid->shape.width;
    return rp_grid_cell(self->grid, place % width, place / width);
}

static uint64_t bound_between(const world_t *self, rp_cell_t a, rp_cell_t b)
{
    return rp_bound(&self->metric, rp_point_of(self->grid, a), rp_point_of(self->grid, b));
}

/// Each step out of a place costs what the oracle says, within the bound on edges, both ways.
static bool edges_are_true(const world_t *self, uint32_t place)
{
    const rp_grid_t *grid = self->grid;
    const rp_cell_t cell = cell_of(self, place);
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (grid, cell, direction, next) {
        const uint64_t cost = rp_edge(&self->metric, cell, next, direction);
        const uint32_t places[] = {place, rp_grid_y(grid, next) * grid->shape.width +
                                              rp_grid_x(grid, next)};
        uint64_t whole;
        double lengths;
        if (!rp_oracle_measure(self->oracle, places, 2, &whole, &lengths) ||
            cost * self->scale != whole || cost > self->metric.dearest ||
            cost != rp_edge(&self->metric, next, cell, rp_direction_back(direction))) {
            return false;
        }
    }
    return true;
}

/// The bound from one place to every other is symmetric, no greater than the cost, and falls along
/// a step by no more than the step costs.
static bool bounds_are_true(const world_t *self, uint32_t from)
{
    const rp_grid_t *grid = self->grid;
    const rp_cell_t root = cell_of(self, from);
    for (uint32_t place = 0; place < grid->shape.width * grid->shape.height; place++) {
        const rp_cell_t cell = cell_of(self, place);
        const uint64_t bound = bound_between(self, root, cell);
        if (bound != bound_between(self, cell, root) ||
            bound * self->scale > self->oracle->cost[place]) {
            return false;
        }
        unsigned direction;
        rp_cell_t next;
        RP_FOR_MOVES (grid, cell, direction, next) {
            if (bound >
                rp_edge(&self->metric, cell, next, direction) + bound_between(self, root, next)) {
                return false;
            }
        }
    }
    return bound_between(self, root, root) == 0;
}

START_TEST(an_edge_costs_what_the_oracle_says)
{
    rp_random_t random = {6};
    for (unsigned round = 0; round < 10u * KINDS; round++) {
        world_t world = new_world(round % KINDS, &random);
        const uint32_t places = world.grid->shape.width * world.grid->shape.height;
        for (uint32_t place = 0; place < places; place++) {
            ck_assert(edges_are_true(&world, place));
        }
        destroy_world(&world);
    }
}
END_TEST

START_TEST(the_heuristic_is_admissible_consistent_and_symmetric)
{
    rp_random_t random = {7};
    for (unsigned round = 0; round < 10u * KINDS; round++) {
        world_t world = new_world(round % KINDS, &random);
        const uint32_t places = world.grid->shape.width * world.grid->shape.height;
        for (uint32_t place = 0; place < places; place++) {
            if (world.oracle->factors[place] != 0) {
                rp_oracle_flood(world.oracle, place);
                ck_assert(bounds_are_true(&world, place));
            }
        }
        destroy_world(&world);
    }
}
END_TEST

START_TEST(no_cost_passes_the_bound_of_its_form)
{
    rp_random_t random = {8};
    for (unsigned round = 0; round < 10u * KINDS; round++) {
        world_t world = new_world(round % KINDS, &random);
        const uint32_t places = world.grid->shape.width * world.grid->shape.height;
        const uint64_t bound = rp_cost_bound(world.grid);
        ck_assert(bound < UINT32_MAX / 4u);
        ck_assert(rp_cost_fits_32(world.grid));
        for (uint32_t from = 0; from < places; from++) {
            if (world.oracle->factors[from] == 0) {
                continue;
            }
            rp_oracle_flood(world.oracle, from);
            for (uint32_t place = 0; place < places; place++) {
                const uint64_t cost = world.oracle->cost[place];
                ck_assert(cost == RP_ORACLE_NO_PATH || cost <= bound * world.scale);
            }
        }
        destroy_world(&world);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_edge_costs_what_the_oracle_says,
        the_heuristic_is_admissible_consistent_and_symmetric,
        no_cost_passes_the_bound_of_its_form,
    };
    return rp_suite_run("metric", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
