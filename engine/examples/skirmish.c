/// A game of sixty frames a second that links the engine: two hundred units run between four camps
/// while buildings rise and fall in their way. Each frame gives the engine two milliseconds, in
/// small slices; what does not fit is planned in the next frames, and units without a path that is
/// sure stand still. No daemon, no thread.
///
///     build/release/examples/skirmish             ten seconds, then the counts
///     build/release/examples/skirmish 300         five
///     build/release/examples/skirmish 300 blind   as fast as it goes, by counted work alone
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "replan/engine.h"

#define WIDTH     192u
#define HEIGHT    128u
#define UNITS     200u
#define CAMPS     4u
#define HOUSE     6u  ///< cells, each way
#define HOUSES    64u ///< that stand at most
#define BUILD     3u  ///< frames from one change to the next: twenty a second
#define STRIDE    4u  ///< frames from one step of a unit to the next
#define FRAME_US  16667u
#define BUDGET_US 2000u
#define SLICE     512u ///< expansions; a fraction of the budget, so that the clock is read in time

typedef struct unit {
    rp_session_id_t session;
    uint32_t x;
    uint32_t y;
    uint32_t camp; ///< where it runs to
} unit_t;

typedef struct house {
    uint32_t x;
    uint32_t y;
    bool stands;
} house_t;

typedef struct counts {
    unsigned frames;
    unsigned dropped; ///< that took longer than a sixtieth of a second
    unsigned late;    ///< after which the engine had work left
    unsigned changes; ///< of the map
    unsigned answers;
    unsigned steps;   ///< that units walked
    unsigned illegal; ///< into a wall: must not be
    unsigned arrivals;
    uint64_t most_us; ///< that the engine had in one frame
} counts_t;

typedef struct game {
    rp_engine_t *engine;
    rp_world_id_t world;
    unit_t units[UNITS];
    house_t houses[HOUSES];
    uint64_t chance;
    uint64_t now_us; ///< the game's clock: a frame is a frame
    bool is_blind;   ///< to the real clock
    counts_t counts;
} game_t;

static const uint32_t camps[CAMPS][2] = {{8, 8}, {183, 10}, {181, 118}, {9, 117}};

static void must(rp_status_t status, const char *what)
{
    if (status != RP_OK) {
        fprintf(stderr, "skirmish: %s: %s\n", what, rp_status_text(status));
        exit(EXIT_FAILURE);
    }
}

static uint64_t clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

/// 0 .. limit - 1, the same in each run.
static uint32_t draw(game_t *game, uint32_t limit)
{
    game->chance = game->chance * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(((game->chance >> 33) * limit) >> 31);
}

// ---- the map

static bool is_taken(const game_t *game, uint32_t x, uint32_t y)
{
    for (unsigned i = 0; i < UNITS; i++) {
        const unit_t *unit = &game->units[i];
        if (unit->x + 1 >= x && unit->y + 1 >= y && unit->x <= x + HOUSE && unit->y <= y + HOUSE) {
            return true;
        }
    }
    for (unsigned i = 0; i < CAMPS; i++) {
        if (camps[i][0] + 2 >= x && camps[i][1] + 2 >= y && camps[i][0] <= x + HOUSE + 1 &&
            camps[i][1] <= y + HOUSE + 1) {
            return true;
        }
    }
    return false;
}

/// A house falls where one stood, or rises where there is room.
static void build(game_t *game)
{
    house_t *house = &game->houses[draw(game, HOUSES)];
    if (!house->stands) {
        house->x = draw(game, WIDTH / HOUSE) * HOUSE;
        house->y = draw(game, HEIGHT / HOUSE) * HOUSE;
        const uint8_t *bytes = rp_engine_bytes(game->engine, game->world);
        if (bytes[house->y * WIDTH + house->x] == 0 || is_taken(game, house->x, house->y)) {
            return;
        }
    }
    house->stands = !house->stands;
    const rp_edit_t edit = {.x = house->x,
                            .y = house->y,
                            .width = HOUSE,
                            .height = HOUSE,
                            .fill = house->stands ? 0 : 1};
    uint64_t version;
    must(rp_engine_apply(game->engine, game->world, &edit, (rp_cause_t){0}, &version), "build");
    game->counts.changes++;
}

// ---- units

static void send_to(game_t *game, unit_t *unit, uint32_t camp)
{
    const rp_destination_t goal = {.x_m = camps[camp][0] + 0.5, .y_m = camps[camp][1] + 0.5};
    unit->camp = camp;
    must(rp_engine_goals(game->engine, unit->session, &goal, 1, 0, (rp_cause_t){0}), "goal");
}

static void tell_pose(game_t *game, const unit_t *unit)
{
    must(rp_engine_pose(game->engine, unit->session, unit->x + 0.5, unit->y + 0.5, 0,
                        (rp_cause_t){0}),
         "pose");
}

/// One step along the newest path; on to the next camp at its end.
static void walk(game_t *game, unit_t *unit)
{
    static const int dx[RP_DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int dy[RP_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};
    rp_answer_t path;
    if (unit->x == camps[unit->camp][0] && unit->y == camps[unit->camp][1]) {
        game->counts.arrivals++;
        send_to(game, unit, (unit->camp + 1u + draw(game, CAMPS - 1u)) % CAMPS);
        return;
    }
    if (!rp_engine_is_sure(game->engine, unit->session)) {
        return;
    }
    must(rp_engine_answer(game->engine, unit->session, &path), "answer");
    if (path.outcome != RP_ANSWER_FOUND || path.step_count == 0) {
        return;
    }
    unit->x = (uint32_t)((int)unit->x + dx[path.steps[0]]);
    unit->y = (uint32_t)((int)unit->y + dy[path.steps[0]]);
    game->counts.steps++;
    game->counts.illegal +=
        rp_engine_bytes(game->engine, game->world)[unit->y * WIDTH + unit->x] == 0;
    tell_pose(game, unit);
}

// ---- frames

/// Plan until nothing is left to plan or the budget is spent.
static void plan(game_t *game)
{
    const uint64_t began_us = clock_us();
    uint64_t took_us = 0;
    bool has_work = true;
    rp_answer_t impact;
    for (unsigned slice = 0; has_work && (game->is_blind ? slice < 16u : took_us < BUDGET_US);
         slice++) {
        has_work = rp_engine_step(game->engine, game->now_us, SLICE);
        took_us = clock_us() - began_us;
    }
    game->counts.late += has_work;
    game->counts.most_us = took_us > game->counts.most_us ? took_us : game->counts.most_us;
    while (rp_engine_next_answer(game->engine, &impact)) {
        game->counts.answers++; // a game would draw it; units ask for theirs when they walk
    }
}

static void play_frame(game_t *game)
{
    const unsigned frame = game->counts.frames++;
    if (frame % BUILD == 0) {
        build(game);
    }
    plan(game);
    for (unsigned i = frame % STRIDE; i < UNITS; i += STRIDE) {
        walk(game, &game->units[i]);
    }
    game->now_us += FRAME_US;
}

static void sleep_until(uint64_t then_us)
{
    const struct timespec then = {(time_t)(then_us / 1000000u), (long)(then_us % 1000000u) * 1000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL);
}

static void play(game_t *game, unsigned frames)
{
    uint64_t due_us = clock_us();
    while (game->counts.frames < frames) {
        play_frame(game);
        due_us += FRAME_US;
        if (game->is_blind) {
            continue;
        }
        const uint64_t now_us = clock_us();
        if (now_us > due_us) {
            game->counts.dropped += 1u + (unsigned)((now_us - due_us) / FRAME_US);
            due_us = now_us; // what was missed is not made up for
        } else {
            sleep_until(due_us);
        }
    }
}

// ---- birth and end

static void begin(game_t *game)
{
    const rp_world_options_t world = {
        .width = WIDTH, .height = HEIGHT, .neighbors = 8, .frame = {.resolution_m = 1.0}};
    const rp_session_options_t options = {0};
    must(rp_engine_new(&game->engine), "engine");
    must(rp_engine_open_world(game->engine, &world, &game->world), "world");
    for (unsigned i = 0; i < UNITS; i++) {
        unit_t *unit = &game->units[i];
        unit->x = camps[i % CAMPS][0] + draw(game, 5) - 2u;
        unit->y = camps[i % CAMPS][1] + draw(game, 5) - 2u;
        must(rp_engine_open(game->engine, game->world, &options, &unit->session), "unit");
        tell_pose(game, unit);
        send_to(game, unit, (i + 1u) % CAMPS);
    }
}

/// After the last frame: all that is owed, without a clock.
static bool is_settled(game_t *game)
{
    while (rp_engine_step(game->engine, game->now_us, SLICE)) {
    }
    return rp_engine_settled(game->engine, game->world) ==
           rp_engine_version(game->engine, game->world);
}

int main(int argc, char **argv)
{
    static game_t game;
    const long frames = argc > 1 ? strtol(argv[1], NULL, 10) : 600;
    game.is_blind = argc > 2 && strcmp(argv[2], "blind") == 0;
    if (frames < 1 || frames > 1000000 || argc > 3 || (argc == 3 && !game.is_blind)) {
        fprintf(stderr, "usage: skirmish [FRAMES [blind]], 1 to 1000000\n");
        return 2;
    }
    begin(&game);
    play(&game, (unsigned)frames);
    const counts_t *counts = &game.counts;
    const bool settled = is_settled(&game);
    rp_engine_destroy(&game.engine);
    printf("frames %u dropped %u\n", counts->frames, counts->dropped);
    if (!game.is_blind) {
        printf("engine: most in a frame %.2f ms of %.2f, left work behind in %u frames\n",
               (double)counts->most_us / 1000, (double)BUDGET_US / 1000, counts->late);
    }
    printf("units %u, changes %u, answers %u, steps %u, arrivals %u, illegal steps %u, %s\n", UNITS,
           counts->changes, counts->answers, counts->steps, counts->arrivals, counts->illegal,
           settled ? "settled" : "NOT SETTLED");
    const bool is_played = counts->answers >= UNITS && counts->steps > 0 && counts->changes > 0;
    return is_played && counts->illegal == 0 && counts->dropped == 0 && settled ? EXIT_SUCCESS
                                                                                : EXIT_FAILURE;
}
