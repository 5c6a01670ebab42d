/// The simulated world without a daemon: a mock of one answers with Dijkstra's paths.
#include <string.h>

#include "sim/check/dijkstra.h"
#include "sim/simulation.h"
#include "sim/world/window.h"
#include "tests/support/suite.h"

static rp_scenario_t small(const char *id, uint64_t seed)
{
    rp_scenario_t scenario = *rp_scenario_find(id);
    scenario.terrain.width = scenario.terrain.sort == RP_TERRAIN_WARCRAFT ? 96 : 32;
    scenario.terrain.height = scenario.terrain.sort == RP_TERRAIN_WARCRAFT ? 80 : 24;
    scenario.terrain.seed = seed;
    scenario.agents = 2;
    return scenario;
}

static unsigned direction_between(const rp_grid_view_t *grid, uint32_t from, uint32_t to)
{
    for (unsigned direction = 0; direction < RP_PLANE_DIRECTIONS; direction++) {
        if (rp_grid_view_move(grid, from, direction) == to) {
            return direction;
        }
    }
    ck_abort_msg("no move from %u to %u", from, to);
    return 0;
}

/// Answer as the daemon would, from what it was told.
static void reply(const rp_simulation_t *simulation, rp_sim_agent_t *agent, rp_dijkstra_t *dijkstra)
{
    static uint8_t steps[96 * 80];
    const rp_grid_view_t told = rp_simulation_told(simulation);
    Replan__V1__Answer answer = REPLAN__V1__ANSWER__INIT;
    answer.goal_id = agent->goal_id;
    answer.start = agent->cell;
    answer.outcome = REPLAN__V1__OUTCOME__NO_PATH;
    if (rp_dijkstra_cost(dijkstra, &told, agent->cell, agent->goal) < 1e18) {
        size_t count = 0;
        for (uint32_t to = agent->goal; to != agent->cell; count++) {
            const uint32_t from = rp_dijkstra_before(dijkstra, to);
            steps[sizeof steps - 1 - count] = (uint8_t)direction_between(&told, from, to);
            to = from;
        }
        answer.outcome = REPLAN__V1__OUTCOME__FOUND;
        answer.steps = (ProtobufCBinaryData){count, steps + sizeof steps - count};
    }
    ck_assert(rp_sim_agent_hear(agent, &told, &answer));
}

static void play(rp_simulation_t *simulation, unsigned steps)
{
    rp_edits_t edits = {0};
    rp_dijkstra_t *dijkstra = rp_dijkstra_new(rp_terrain_cell_count(&simulation->terrain));
    for (unsigned i = 0; i < steps; i++) {
        for (uint32_t j = 0; j < simulation->agent_count; j++) {
            reply(simulation, &simulation->agents[j], dijkstra);
        }
        edits.count = 0;
        ck_assert(rp_simulation_step(simulation, &edits));
        ck_assert(rp_simulation_churn(simulation, &edits));
        for (uint32_t j = 0; j < simulation->agent_count; j++) {
            ck_assert(rp_terrain_is_free(&simulation->terrain, simulation->agents[j].cell));
        }
    }
    rp_dijkstra_destroy(&dijkstra);
    rp_edits_fini(&edits);
}

START_TEST(agents_arrive_in_every_scenario_where_they_walk)
{
    for (size_t i = 0; rp_scenario_at(i) != NULL; i++) {
        const rp_scenario_t scenario = small(rp_scenario_at(i)->id, 3);
        rp_simulation_t simulation;
        if (scenario.trips == RP_TRIP_STAND || scenario.plot != NULL) {
            continue; // what a plot makes of it is played against the daemon
        }
        ck_assert_msg(rp_simulation_init(&simulation, &scenario), "%s", scenario.id);
        play(&simulation, 250);
        ck_assert_msg(simulation.arrivals > 0, "%s", scenario.id);
        rp_simulation_fini(&simulation);
    }
}
END_TEST

START_TEST(a_seed_plays_the_same_game_again)
{
    const rp_scenario_t scenario = small("warcraft", (uint64_t)_i + 1);
    rp_simulation_t one;
    rp_simulation_t two;
    ck_assert(rp_simulation_init(&one, &scenario));
    ck_assert(rp_simulation_init(&two, &scenario));
    play(&one, 100);
    play(&two, 100);
    ck_assert_mem_eq(one.terrain.kinds, two.terrain.kinds, rp_terrain_cell_count(&one.terrain));
    ck_assert_uint_eq(one.agents[0].cell, two.agents[0].cell);
    ck_assert_uint_eq(one.agents[1].cell, two.agents[1].cell);
    rp_simulation_fini(&one);
    rp_simulation_fini(&two);
}
END_TEST

START_TEST(the_told_world_is_the_truth_where_it_was_seen)
{
    const rp_scenario_t scenario = small("unknown-terrain", (uint64_t)_i + 1);
    rp_simulation_t simulation;
    ck_assert(rp_simulation_init(&simulation, &scenario));
    const size_t cell_count = rp_terrain_cell_count(&simulation.terrain);
    for (size_t cell = 0; cell < cell_count; cell++) {
        ck_assert_uint_eq(simulation.told[cell], RP_UNKNOWN_BYTE);
    }
    play(&simulation, 60);
    size_t seen = 0;
    for (size_t cell = 0; cell < cell_count; cell++) {
        if (simulation.told[cell] != RP_UNKNOWN_BYTE) {
            ck_assert_uint_eq(simulation.told[cell], simulation.terrain.bytes[cell]);
            seen++;
        }
    }
    ck_assert_uint_gt(seen, 100);
    ck_assert_uint_lt(seen, cell_count);
    rp_simulation_fini(&simulation);
}
END_TEST

START_TEST(nothing_is_seen_outside_of_the_window)
{
    const rp_scenario_t scenario = small("unknown-terrain", (uint64_t)_i + 1);
    rp_simulation_t simulation;
    ck_assert(rp_simulation_init(&simulation, &scenario));
    const rp_grid_view_t *grid = &simulation.terrain.grid;
    const uint32_t at = simulation.agents[0].cell;
    const uint32_t x = at % grid->width;
    // The first agent stands on its border.
    simulation.window = x < grid->width / 2
                            ? (rp_terrain_box_t){x, 0, grid->width - x, grid->height}
                            : (rp_terrain_box_t){0, 0, x + 1, grid->height};
    play(&simulation, 1);
    size_t seen = 0;
    for (uint32_t cell = 0; cell < rp_terrain_cell_count(&simulation.terrain); cell++) {
        const bool is_seen = simulation.told[cell] != RP_UNKNOWN_BYTE;
        seen += is_seen;
        ck_assert(!is_seen || rp_window_cell(&simulation.window, grid, cell) != RP_NOWHERE);
    }
    ck_assert_uint_gt(seen, 0);
    rp_simulation_fini(&simulation);
}
END_TEST

START_TEST(edits_keep_the_told_world_true)
{
    const rp_scenario_t scenario = small("moving-target", (uint64_t)_i + 1);
    rp_simulation_t simulation;
    ck_assert(rp_simulation_init(&simulation, &scenario));
    play(&simulation, 50);
    ck_assert_mem_eq(simulation.told, simulation.terrain.bytes,
                     rp_terrain_cell_count(&simulation.terrain));
    rp_simulation_fini(&simulation);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        agents_arrive_in_every_scenario_where_they_walk,
        a_seed_plays_the_same_game_again,
        the_told_world_is_the_truth_where_it_was_seen,
        nothing_is_seen_outside_of_the_window,
        edits_keep_the_told_world_true,
    };
    return rp_suite_run("sim_simulation", tests, sizeof tests / sizeof tests[0], 2, NULL);
}
