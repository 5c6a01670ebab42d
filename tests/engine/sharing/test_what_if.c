/// What a patch says of an edit is what the edit does: held against a world on which it was made.
#include <string.h>

#include "engine/sharing/what_if.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_world_t *world;
static rp_layer_t *layer;
static rp_what_if_t patch;
static rp_random_t rng;

static void tear_down(void)
{
    rp_what_if_fini(&patch);
    rp_world_return_layer(world, layer);
    layer = NULL;
    rp_world_destroy(&world);
}

static void begin(uint64_t seed, const rp_body_t *body, bool wraps)
{
    static uint8_t bytes[64 * 64];
    rng = (rp_random_t){seed};
    const rp_world_options_t options = {.width = 8u + rp_random_below(&rng, 24),
                                        .height = 8u + rp_random_below(&rng, 24),
                                        .neighbors = 8,
                                        .wraps = wraps,
                                        .profile = "costmap",
                                        .frame = {.resolution_m = 1.0},
                                        .data = bytes};
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = rp_random_chance(&rng, 5) ? 254 : 0;
    }
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
    ck_assert_int_eq(rp_world_borrow_layer(world, body, &layer), RP_OK);
    rp_scene_derive(world);
}

/// Every cell of the layer as it is after the edit, by the patch in slices; then by the edit
/// itself.
static void compare(const rp_edit_t *edit, uint64_t seed)
{
    rp_grid_t *expected;
    ck_assert_int_eq(rp_grid_new_blank(&layer->grid->shape, &expected), RP_OK);
    rp_grid_copy_rows(expected, layer->grid, 0, layer->grid->shape.height);
    ck_assert_int_eq(rp_what_if_init(&patch, world, layer, edit), RP_OK);
    uint64_t budget = 0;
    while (rp_what_if_write(&patch, expected, &budget) == RP_MORE) {
        budget = 1 + rp_random_below(&rng, 20);
    }
    ck_assert_int_eq(rp_world_write(world, edit), RP_OK);
    const bool is_same =
        memcmp(expected->factor, layer->grid->factor, layer->grid->cell_count) == 0 &&
        memcmp(expected->moves, layer->grid->moves, layer->grid->cell_count) == 0 &&
        expected->free_count == layer->grid->free_count;
    rp_grid_destroy(&expected);
    ck_assert_msg(is_same, "seed %u: the patch says otherwise", (unsigned)seed);
}

static void try_bodies(bool wraps)
{
    static const rp_body_t bodies[] = {
        {.profile = NULL},
        {.radius_m = 2.0},
        {.inscribed_radius_m = 1, .inflation_radius_m = 4, .cost_scaling = 0.5},
    };
    for (uint64_t seed = 1; seed <= 60; seed++) {
        begin(seed, &bodies[seed % 3], wraps);
        const rp_grid_shape_t *shape = &layer->grid->shape;
        const uint32_t cells[] = {rp_random_below(&rng, shape->width * shape->height),
                                  rp_random_below(&rng, shape->width * shape->height)};
        rp_edit_t edit = {.cells = cells,
                          .cell_count = rp_random_below(&rng, 3),
                          .value = 254,
                          .fill = rp_random_chance(&rng, 50) ? 254 : 0};
        edit.x = rp_random_below(&rng, shape->width);
        edit.y = rp_random_below(&rng, shape->height);
        edit.width = rp_random_below(&rng, shape->width - edit.x + 1u);
        edit.height = 1u + rp_random_below(&rng, shape->height - edit.y);
        compare(&edit, seed);
        tear_down();
    }
}

START_TEST(a_patch_says_what_the_edit_does)
{
    try_bodies(false);
}
END_TEST

START_TEST(a_patch_reaches_across_the_seam)
{
    try_bodies(true);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_patch_says_what_the_edit_does,
        a_patch_reaches_across_the_seam,
    };
    return rp_suite_run("what_if", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
