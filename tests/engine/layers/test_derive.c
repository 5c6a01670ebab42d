/// Ground that is laid in slices while the world goes on is, in the end, that of a world opened
/// with these bytes; and nobody plans on half of it.
#include <string.h>

#include "engine/ground/world_state.h"
#include "msgs/codec.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define WIDTH  700u
#define HEIGHT 300u

static rp_world_t *world;
static rp_world_t *fresh;
static rp_scene_t scene;
static rp_random_t rng;
static uint8_t bytes[WIDTH * HEIGHT];

static void tear_down(void)
{
    rp_world_destroy(&world);
    rp_world_destroy(&fresh);
    rp_scene_close(&scene);
}

static const rp_body_t bodies[] = {
    {.profile = NULL},
    {.radius_m = 2.0},
    {.inscribed_radius_m = 2, .inflation_radius_m = 9, .cost_scaling = 0.3},
    {.cells = 5},
};
enum {
    BODIES = sizeof bodies / sizeof bodies[0]
};

static rp_world_t *open_world(const uint8_t *data, bool wraps, rp_layer_t *layers[BODIES])
{
    const rp_world_options_t options = {.width = WIDTH,
                                        .height = HEIGHT,
                                        .neighbors = 8,
                                        .wraps = wraps,
                                        .profile = "costmap",
                                        .frame = {.resolution_m = 1.0},
                                        .data = data,
                                        .cells_hash = rp_codec_cells_hash};
    rp_world_t *opened;
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &opened), RP_OK);
    for (size_t i = 0; i < BODIES; i++) {
        ck_assert_int_eq(rp_world_borrow_layer(opened, &bodies[i], &layers[i]), RP_OK);
    }
    return opened;
}

static uint8_t some_byte(void)
{
    static const uint8_t kinds[] = {0, 0, 0, 60, 254, 254, 255};
    return kinds[rp_random_below(&rng, sizeof kinds)];
}

/// A rectangle of one byte, or of scattered ones, and some cells.
static void write_some(uint32_t most_width, uint32_t most_height)
{
    uint32_t cells[20];
    rp_edit_t edit = {.x = rp_random_below(&rng, WIDTH),
                      .y = rp_random_below(&rng, HEIGHT),
                      .cells = cells,
                      .cell_count = rp_random_below(&rng, 20),
                      .value = some_byte(),
                      .fill = some_byte()};
    edit.width = 1u + rp_random_below(&rng, most_width);
    edit.height = 1u + rp_random_below(&rng, most_height);
    edit.x = edit.width < WIDTH - edit.x ? edit.x : WIDTH - edit.width;
    edit.y = edit.height < HEIGHT - edit.y ? edit.y : HEIGHT - edit.height;
    for (size_t i = 0; i < edit.cell_count; i++) {
        cells[i] = rp_random_below(&rng, WIDTH * HEIGHT);
    }
    for (size_t i = 0; i < (size_t)edit.width * edit.height; i++) {
        bytes[i] = some_byte();
    }
    edit.data = rp_random_chance(&rng, 50) ? bytes : NULL;
    ck_assert_int_eq(rp_world_write(world, &edit), RP_OK);
}

/// A little of each layer, and of the hash. @return true when all is there
static bool work(rp_layer_t *const layers[BODIES])
{
    uint64_t budget = rp_random_below(&rng, 600);
    bool is_whole = !rp_world_count(world, &budget);
    for (size_t i = 0; i < BODIES; i++) {
        budget = rp_random_below(&rng, 3000);
        is_whole = rp_layer_derive(layers[i], world->version, &budget) == RP_OK && is_whole;
    }
    return is_whole;
}

static void expect_opened_anew(rp_layer_t *const layers[BODIES], bool wraps)
{
    rp_layer_t *same[BODIES];
    fresh = open_world(world->bytes, wraps, same);
    rp_scene_derive(fresh);
    uint64_t budget = UINT64_MAX;
    ck_assert(!rp_world_count(fresh, &budget));
    ck_assert_uint_eq(world->hash, fresh->hash);
    ck_assert_uint_eq(world->unknown_count, fresh->unknown_count);
    for (size_t i = 0; i < BODIES; i++) {
        const rp_grid_t *grid = layers[i]->grid;
        const rp_grid_t *other = same[i]->grid;
        ck_assert_int_eq(memcmp(grid->factor, other->factor, grid->cell_count), 0);
        ck_assert_int_eq(memcmp(grid->moves, other->moves, grid->cell_count), 0);
        ck_assert_uint_eq(grid->free_count, other->free_count);
    }
    rp_world_destroy(&fresh);
}

START_TEST(ground_laid_in_slices_is_that_of_a_world_opened_anew)
{
    rp_layer_t *layers[BODIES];
    rng = (rp_random_t){(uint64_t)_i};
    const bool wraps = _i % 2 != 0;
    world = open_world(NULL, wraps, layers);
    for (unsigned round = 0; round < RP_ROUNDS(6u); round++) {
        const bool is_large = round % 3u == 0;
        write_some(is_large ? WIDTH : 30u, is_large ? HEIGHT : 30u);
        unsigned slices = 1;
        while (!work(layers)) {
            if (rp_random_chance(&rng, 30)) {
                write_some(20, 20);
            }
            slices++;
        }
        expect_opened_anew(layers, wraps);
        ck_assert(round != 0 || slices > 10u); // it did come in slices
    }
}
END_TEST

START_TEST(a_large_edit_is_not_written_cell_by_cell)
{
    rp_layer_t *layers[BODIES];
    world = open_world(NULL, false, layers);
    rp_scene_derive(world);
    const rp_edit_t small = {.width = 100, .height = 100, .fill = 254};
    ck_assert_int_eq(rp_world_write(world, &small), RP_OK);
    ck_assert(rp_layer_is_whole(layers[0]));
    const rp_edit_t wide = {.width = 300, .height = 200, .fill = 254};
    ck_assert_int_eq(rp_world_write(world, &wide), RP_OK);
    ck_assert(!rp_layer_is_whole(layers[0]));
    rp_scene_derive(world);
    ck_assert_int_eq(rp_world_write(world, &wide), RP_OK); // nothing becomes another byte
    ck_assert(rp_layer_is_whole(layers[0]));
}
END_TEST

// ---- sessions

/// A goal beyond a wall with a door, on a world that takes some slices to lay.
START_TEST(who_waits_for_the_ground_plans_on_all_of_it)
{
    const rp_world_options_t options = {
        .width = WIDTH, .height = HEIGHT, .neighbors = 8, .cells_hash = rp_codec_cells_hash};
    uint64_t version;
    rp_answer_t answer;
    rp_scene_open(&scene, &options);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 5, 5, 600, 5);
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 595.0);
    const rp_edit_t flood = {.x = 300, .y = 0, .width = 200, .height = HEIGHT - 1u, .fill = 0};
    ck_assert_int_eq(
        rp_engine_apply(scene.engine, scene.world, &flood, (rp_cause_t){0, 0}, &version), RP_OK);
    unsigned steps = 0;
    while (rp_engine_step(scene.engine, 0, 500)) {
        ck_assert_uint_lt(++steps, 100000);
        ck_assert(rp_engine_is_sure(scene.engine, session) ||
                  !rp_engine_next_answer(scene.engine, &answer));
    }
    ck_assert_uint_gt(steps, 10);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.version, version);
    ck_assert_double_gt(answer.cost, 595.0 + 200.0); // along the lowest row
    ck_assert_uint_ne(rp_engine_hash(scene.engine, scene.world), 0);
}
END_TEST

START_TEST(who_stands_elsewhere_does_not_wait_for_ground_that_is_laid)
{
    const rp_world_options_t options = {
        .width = WIDTH, .height = HEIGHT, .neighbors = 8, .profile = "costmap"};
    const rp_session_options_t stout = {.body = {.radius_m = 20.0}};
    const rp_destination_t goal = {.x_m = 90.5, .y_m = 50.5};
    rp_session_id_t slow;
    rp_scene_open(&scene, &options);
    (void)rp_scene_session(&scene, NULL, 5, 5, 60, 5);
    rp_scene_settle(&scene); // the ground of points is whole
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &stout, &slow), RP_OK);
    (void)rp_engine_pose(scene.engine, slow, 50.5, 50.5, 0, (rp_cause_t){0, 0});
    (void)rp_engine_goals(scene.engine, slow, &goal, 1, 0, (rp_cause_t){0, 0});
    const rp_session_id_t quick = rp_scene_session(&scene, NULL, 5, 5, 60, 5);
    ck_assert(rp_engine_step(scene.engine, 0, 1000));
    ck_assert(rp_engine_is_sure(scene.engine, quick));
    ck_assert(!rp_engine_is_sure(scene.engine, slow));
    rp_scene_settle(&scene);
    ck_assert(rp_engine_is_sure(scene.engine, slow));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_large_edit_is_not_written_cell_by_cell,
        who_waits_for_the_ground_plans_on_all_of_it,
        who_stands_elsewhere_does_not_wait_for_ground_that_is_laid,
    };
    const TTest *const walks[] = {ground_laid_in_slices_is_that_of_a_world_opened_anew};
    const int failed = rp_suite_run("derive: walks", walks, 1, 4, tear_down);
    return rp_suite_run("derive", tests, sizeof tests / sizeof tests[0], 1, tear_down) + failed;
}
