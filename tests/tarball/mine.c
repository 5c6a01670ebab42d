/// A program of somebody's beside the joined sources: random plans by every planner, some on ground
/// whose costs need 64 bits, and a world with agents. Prints hashes of all that it was told; the
/// library must give the same.
///
///     mine PLANS
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replan.h"

#define SIDE_MOST 90u
#define WIDE_FROM 3700u ///< cells of factor 255 from which 32 bits hold no path
#define PLANS     20u   ///< of one ground
#define CHANGES   12u
#define AGENTS    12u

static uint64_t chance = 7;
static uint64_t hash = 0xcbf29ce484222325u;

/// 0 .. limit - 1 (splitmix64)
static uint32_t draw(uint32_t limit)
{
    uint64_t word = (chance += 0x9e3779b97f4a7c15u);
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(((word ^ (word >> 31)) >> 32) * limit >> 32);
}

/// FNV-1a
static void mix(const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    }
}

static void must(rp_status_t status, const char *what)
{
    if (status != RP_OK) {
        fprintf(stderr, "mine: %s: %s\n", what, rp_status_text(status));
        exit(1);
    }
}

// ---- planners

static rp_cell_t draw_cell(const rp_grid_t *grid)
{
    const uint32_t x = draw(grid->shape.width);
    return rp_grid_cell(grid, x, draw(grid->shape.height));
}

/// Percent of blocked cells, and the greatest factor.
static uint8_t draw_factor(uint32_t blocked, uint32_t most)
{
    return draw(100) < blocked ? 0 : (uint8_t)(1u + draw(most));
}

static rp_grid_t *draw_grid(uint32_t can, bool is_wide, uint32_t blocked, uint32_t most)
{
    const uint32_t least = is_wide ? 64u : 3u;
    const bool is_eight = (can & RP_CAN_8) != 0 && ((can & RP_CAN_4) == 0 || is_wide || draw(2));
    rp_grid_shape_t shape = {.neighbors = is_eight ? 8 : 4, .unit = 1, .least = 1};
    shape.width = least + draw(SIDE_MOST - least);
    shape.height = least + draw(SIDE_MOST - least);
    shape.wraps = (can & RP_CAN_WRAP) != 0 && draw(3) == 0;
    rp_grid_t *grid;
    must(rp_grid_new(&shape, &grid), "grid");
    for (uint32_t y = 0; y < shape.height; y++) {
        for (uint32_t x = 0; x < shape.width; x++) {
            rp_grid_set(grid, rp_grid_cell(grid, x, y), draw_factor(blocked, most));
        }
    }
    if (is_wide) {
        rp_grid_set(grid, draw_cell(grid), 255);
    }
    return grid;
}

static void change_some(rp_grid_t *grid, rp_planner_t *planner, uint32_t blocked, uint32_t most)
{
    rp_change_t changes[CHANGES];
    size_t count = 0;
    for (uint32_t left = draw(CHANGES + 1u); left != 0; left--) {
        const rp_cell_t cell = draw_cell(grid);
        bool is_new = true;
        for (size_t i = 0; i < count; i++) {
            is_new = is_new && changes[i].cell != cell;
        }
        if (is_new) {
            changes[count++] = (rp_change_t){.cell = cell, .after = draw_factor(blocked, most)};
        }
    }
    rp_grid_write(grid, changes, count);
    must(rp_planner_apply(planner, changes, count), "apply");
    if (draw(3) == 0) {
        must(rp_planner_set_start(planner, draw_cell(grid)), "start");
    }
    if (draw(5) == 0) {
        must(rp_planner_set_goal(planner, draw_cell(grid)), "goal");
    }
}

/// @return plans that needed 64 bits
static unsigned plan_on_one_ground(const rp_planner_info_t *about, bool is_wide)
{
    const bool is_weighted = is_wide || ((about->capabilities & RP_CAN_WEIGHTED) != 0 && draw(2));
    const uint32_t most = is_wide ? 255u : is_weighted ? 20u : 1u;
    const uint32_t blocked = draw(45);
    rp_grid_t *grid = draw_grid(about->capabilities, is_wide, blocked, most);
    rp_planner_t *planner;
    must(rp_planner_new(about->id, NULL, &planner), about->id);
    must(rp_planner_bind(planner, grid), about->id);
    must(rp_planner_set_start(planner, draw_cell(grid)), "start");
    must(rp_planner_set_goal(planner, draw_cell(grid)), "goal");
    for (uint32_t i = 0; i < PLANS; i++) {
        rp_plan_t plan;
        change_some(grid, planner, blocked, most);
        must(rp_planner_plan(planner, UINT64_MAX, &plan), "plan");
        mix(&plan.outcome, sizeof plan.outcome);
        mix(&plan.cost, sizeof plan.cost);
        mix(plan.path.cells, plan.path.count * sizeof *plan.path.cells);
    }
    const bool is_beyond = is_wide && grid->shape.width * grid->shape.height >= WIDE_FROM;
    rp_planner_destroy(&planner);
    rp_grid_destroy(&grid);
    return is_beyond ? PLANS : 0u;
}

static void plan_with_all(unsigned plans)
{
    const rp_planner_info_t *about;
    unsigned made = 0;
    unsigned wide = 0;
    while (made < plans) {
        for (size_t i = 0; (about = rp_planner_info(i)) != NULL; i++) {
            const bool can_be_wide = (about->capabilities & RP_CAN_WEIGHTED) != 0 &&
                                     (about->capabilities & RP_CAN_8) != 0;
            wide += plan_on_one_ground(about, can_be_wide && draw(4) == 0);
            made += PLANS;
        }
    }
    printf("plans %u, with 64 bits %u, %016" PRIx64 "\n", made, wide, hash);
}

// ---- the engine

static void walk_and_change(rp_engine_t *engine, rp_world_id_t world, const rp_session_id_t *agents)
{
    const rp_cause_t cause = {0, 0};
    rp_answer_t answer;
    uint64_t version;
    for (uint64_t round = 1; round <= 200; round++) {
        rp_edit_t edit = {.width = 1, .height = 1};
        edit.x = draw(60); // one after the other: compilers choose the order of arguments
        edit.y = draw(60);
        edit.width += draw(4);
        edit.height += draw(4);
        edit.fill = (uint8_t)draw(3);
        must(rp_engine_apply(engine, world, &edit, cause, &version), "apply");
        const rp_session_id_t agent = agents[draw(AGENTS)];
        const double x_m = 64.0 * draw(1000) / 1000.0;
        const double y_m = 64.0 * draw(1000) / 1000.0;
        must(rp_engine_pose(engine, agent, x_m, y_m, round, cause), "pose");
        while (rp_engine_step(engine, 1000 * round, UINT64_MAX)) {
        }
        while (rp_engine_next_answer(engine, &answer)) {
            mix(&answer.outcome, sizeof answer.outcome);
            mix(&answer.cost, sizeof answer.cost);
            mix(answer.steps, answer.step_count);
        }
    }
}

/// A traced build tells each expansion, another one says that it cannot.
static unsigned expansions;

static void count_expansion(rp_session_id_t session, double x_m, double y_m, rp_draw_kind_t kind,
                            void *user)
{
    (void)session, (void)x_m, (void)y_m, (void)kind, (void)user;
    expansions++;
}

static void keep_paths_true(void)
{
    const rp_draw_t draw_all = {.expansion = count_expansion};
    const rp_world_options_t options = {
        .width = 64, .height = 64, .neighbors = 8, .frame = {.resolution_m = 1.0}};
    const rp_cause_t cause = {0, 0};
    rp_engine_t *engine;
    rp_world_id_t world;
    rp_session_id_t agents[AGENTS];
    must(rp_engine_new(&engine), "engine");
    const rp_status_t traced = rp_engine_draw_searches(engine, &draw_all);
    must(rp_engine_open_world(engine, &options, &world), "world");
    for (uint32_t i = 0; i < AGENTS; i++) {
        const rp_session_options_t body = {.body = {.radius_m = i % 3u}};
        const rp_destination_t goal = {60.5, 2.5 + i, 0};
        must(rp_engine_open(engine, world, &body, &agents[i]), "open");
        must(rp_engine_pose(engine, agents[i], 1.5, 1.5 + i, 1, cause), "pose");
        must(rp_engine_goals(engine, agents[i], &goal, 1, i, cause), "goals");
    }
    walk_and_change(engine, world, agents);
    rp_engine_destroy(&engine);
    printf("engine %016" PRIx64 "\n", hash);
    if ((traced == RP_OK) != (expansions != 0) || (traced != RP_OK && traced != RP_E_UNSUPPORTED)) {
        fputs("mine: expansions are not told as they should be\n", stderr);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    plan_with_all(argc > 1 ? (unsigned)atoi(argv[1]) : 10000u);
    keep_paths_true();
    return 0;
}
