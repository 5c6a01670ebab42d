/// A game that links the engine: sixty frames, one unit that walks a cell a frame, and a gate that
/// is shut in front of it and opened again. No daemon, no thread; each frame plans within a budget.
///
///     build/release/examples/game_loop
#include <stdio.h>
#include <stdlib.h>

#include "replan/engine.h"

#define WIDTH    40u
#define HEIGHT   12u
#define FRAMES   60u
#define FRAME_US 16667u

/// Expansions a frame: a fraction of a millisecond. What does not fit goes on in the next frame.
#define FRAME_BUDGET 2000u

#define GATE_X 20u ///< of a wall with one gap at the bottom
#define ROW    5u  ///< of the unit and of the gate

typedef struct game {
    rp_engine_t *engine;
    rp_world_id_t world;
    rp_session_id_t unit;
    uint32_t x; ///< cell of the unit
    uint32_t y;
    uint64_t now_us; ///< the game's clock
} game_t;

static void must(rp_status_t status, const char *what)
{
    if (status != RP_OK) {
        fprintf(stderr, "game_loop: %s: %s\n", what, rp_status_text(status));
        exit(EXIT_FAILURE);
    }
}

/// Fill a column with one byte: 0 blocks, 1 is normal ground.
static void build(game_t *game, uint32_t x, uint32_t y, uint32_t height, uint8_t byte)
{
    const rp_edit_t edit = {.x = x, .y = y, .width = 1, .height = height, .fill = byte};
    const rp_cause_t cause = {game->now_us, game->now_us};
    uint64_t version;
    must(rp_engine_apply(game->engine, game->world, &edit, cause, &version), "build");
}

static void tell_pose(game_t *game)
{
    const rp_cause_t cause = {game->now_us, game->now_us};
    must(rp_engine_pose(game->engine, game->unit, game->x + 0.5, game->y + 0.5, 0, cause), "pose");
}

static void begin(game_t *game)
{
    const rp_world_options_t world = {
        .width = WIDTH, .height = HEIGHT, .neighbors = 8, .frame = {.resolution_m = 1.0}};
    const rp_session_options_t unit = {.planner = "dstar-lite"};
    const rp_destination_t goal = {.x_m = WIDTH - 1.5, .y_m = ROW + 0.5};
    *game = (game_t){.x = 1, .y = ROW};
    must(rp_engine_new(&game->engine), "engine");
    must(rp_engine_open_world(game->engine, &world, &game->world), "world");
    build(game, GATE_X, 0, ROW, 0);
    build(game, GATE_X, ROW + 1u, HEIGHT - ROW - 2u, 0);
    must(rp_engine_open(game->engine, game->world, &unit, &game->unit), "unit");
    tell_pose(game);
    must(rp_engine_goals(game->engine, game->unit, &goal, 1, 1, (rp_cause_t){0}), "goal");
}

/// One step along the newest path, if that is still true.
static void walk(game_t *game)
{
    static const int dx[RP_DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int dy[RP_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};
    rp_answer_t path;
    if (!rp_engine_is_sure(game->engine, game->unit)) {
        return; // the budget ended before the path was mended: stand still for a frame
    }
    must(rp_engine_answer(game->engine, game->unit, &path), "answer");
    if (path.outcome != RP_ANSWER_FOUND || path.step_count == 0) {
        return;
    }
    game->x = (uint32_t)((int)game->x + dx[path.steps[0]]);
    game->y = (uint32_t)((int)game->y + dy[path.steps[0]]);
    tell_pose(game);
}

static void play_frame(game_t *game, unsigned frame)
{
    rp_answer_t impact;
    if (frame == 10) {
        build(game, GATE_X, ROW, 1, 0);
    } else if (frame == 15) {
        build(game, GATE_X, ROW, 1, 1);
    }
    (void)rp_engine_step(game->engine, game->now_us, FRAME_BUDGET);
    while (rp_engine_next_answer(game->engine, &impact)) {
        printf("frame %2u: unit at (%u, %u), version %u: %u steps, cost %.2f, %u expansions\n",
               frame, game->x, game->y, (unsigned)impact.version, impact.step_count, impact.cost,
               (unsigned)impact.expansions);
    }
    walk(game);
    game->now_us += FRAME_US;
}

int main(void)
{
    game_t game;
    begin(&game);
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        play_frame(&game, frame);
    }
    rp_engine_destroy(&game.engine);
    const bool has_arrived = game.x == WIDTH - 2u && game.y == ROW;
    printf("unit at (%u, %u): %s\n", game.x, game.y, has_arrived ? "arrived" : "not there");
    return has_arrived ? EXIT_SUCCESS : EXIT_FAILURE;
}
