/// Inflated layers against the definition, cell by cell and written anew here: the nearest obstacle
/// is looked for among all, the formula is costmap_2d's own.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ground/world_state.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define RESOLUTION 0.1

static rp_world_t *world;
static rp_world_t *fresh;
static rp_random_t rng;

static void tear_down(void)
{
    rp_world_destroy(&world);
    rp_world_destroy(&fresh);
}

static rp_world_t *open_world(uint32_t width, uint32_t height, bool wraps, const char *profile,
                              const uint8_t *data)
{
    rp_world_t *opened;
    const rp_world_options_t options = {
        .width = width,
        .height = height,
        .neighbors = 8,
        .wraps = wraps,
        .profile = profile,
        .frame = {.resolution_m = RESOLUTION},
        .data = data,
    };
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &opened), RP_OK);
    rp_scene_derive(opened);
    return opened;
}

static rp_layer_t *borrow(rp_world_t *from, rp_body_t body)
{
    rp_layer_t *layer;
    ck_assert_int_eq(rp_world_borrow_layer(from, &body, &layer), RP_OK);
    rp_scene_derive(from);
    return layer;
}

static void write_cells(rp_world_t *to, const uint32_t *cells, size_t count, uint8_t byte)
{
    const rp_edit_t edit = {.cells = cells, .cell_count = count, .value = byte};
    ck_assert_int_eq(rp_world_write(to, &edit), RP_OK);
}

static uint8_t factor_at(const rp_layer_t *layer, uint32_t x, uint32_t y)
{
    return layer->grid->factor[rp_grid_cell(layer->grid, x, y)];
}

// ---- the definition

static bool blocks(const rp_profile_t *profile, uint8_t byte)
{
    return byte != 255 && profile->factor[byte] == 0;
}

static long apart(uint32_t a, uint32_t b, uint32_t side, bool wraps)
{
    const long distance = labs((long)a - (long)b);
    return wraps && (long)side - distance < distance ? (long)side - distance : distance;
}

/// Squared distance in cells to the nearest obstacle; -1: there is none
static long nearest(const rp_world_t *in, const rp_profile_t *profile, uint32_t x, uint32_t y)
{
    const rp_grid_shape_t *shape = &in->layers[0]->grid->shape;
    long least = -1;
    for (uint32_t i = 0; i < shape->width * shape->height; i++) {
        if (!blocks(profile, in->bytes[i])) {
            continue;
        }
        const long dx = apart(x, i % shape->width, shape->width, shape->wraps);
        const long dy = apart(y, i / shape->width, shape->height, shape->wraps);
        least = least < 0 || dx * dx + dy * dy < least ? dx * dx + dy * dy : least;
    }
    return least;
}

static uint8_t expected_factor(const rp_world_t *in, const rp_layer_t *layer, const rp_body_t *body,
                               uint32_t x, uint32_t y)
{
    const uint8_t byte = in->bytes[y * layer->grid->shape.width + x];
    const long squared = nearest(in, &layer->profile, x, y);
    const double metres = sqrt((double)squared) * RESOLUTION;
    if (squared < 0 || squared == 0) {
        return layer->profile.factor[byte];
    }
    if (metres <= body->radius_m + 1e-9) {
        return 0;
    }
    unsigned cost = 0;
    if (sqrt((double)squared) <= ceil(body->inflation_radius_m / RESOLUTION - 1e-9)) {
        cost = metres <= body->inscribed_radius_m + 1e-9
                   ? 253u
                   : (unsigned)(252.0 * exp(-1.0 * body->cost_scaling *
                                            (metres - body->inscribed_radius_m)));
    }
    if (byte == 255) { // costmap_2d writes over what is unknown only where it is sure
        return layer->profile.factor[cost >= 253u ? cost : byte];
    }
    return layer->profile.factor[cost > byte ? cost : byte];
}

static void expect_layer(const rp_world_t *in, const rp_layer_t *layer, const rp_body_t *body)
{
    const rp_grid_shape_t *shape = &layer->grid->shape;
    for (uint32_t y = 0; y < shape->height; y++) {
        for (uint32_t x = 0; x < shape->width; x++) {
            const uint8_t expected = expected_factor(in, layer, body, x, y);
            ck_assert_msg(factor_at(layer, x, y) == expected, "(%u, %u) is %u, not %u", x, y,
                          factor_at(layer, x, y), expected);
        }
    }
}

static void expect_same_grid(const rp_grid_t *grid, const rp_grid_t *other)
{
    ck_assert_int_eq(memcmp(grid->factor, other->factor, grid->cell_count), 0);
    ck_assert_int_eq(memcmp(grid->moves, other->moves, grid->cell_count), 0);
}

// ---- walks

static rp_body_t random_body(bool is_soft)
{
    rp_body_t body = {.radius_m = RESOLUTION * rp_random_below(&rng, 30) / 10.0};
    if (is_soft) {
        body.inflation_radius_m = RESOLUTION * rp_random_below(&rng, 90) / 10.0;
        body.inscribed_radius_m = body.inflation_radius_m * rp_random_below(&rng, 10) / 10.0;
        body.cost_scaling = rp_random_below(&rng, 100) / 10.0;
    }
    return body;
}

static uint8_t random_byte(bool is_costmap)
{
    static const uint8_t of_costmap[] = {0, 0, 0, 60, 200, 252, 253, 254, 255};
    static const uint8_t of_factor[] = {1, 1, 1, 3, 0, 255};
    return is_costmap ? of_costmap[rp_random_below(&rng, sizeof of_costmap)]
                      : of_factor[rp_random_below(&rng, sizeof of_factor)];
}

static void random_write(rp_world_t *to, bool is_costmap)
{
    const rp_grid_shape_t *shape = &to->layers[0]->grid->shape;
    uint32_t cells[6];
    uint8_t values[6];
    for (size_t i = 0; i < 6; i++) {
        cells[i] = rp_random_below(&rng, shape->width * shape->height);
        values[i] = random_byte(is_costmap);
    }
    rp_edit_t edit = {.cells = cells, .values = values, .cell_count = rp_random_below(&rng, 7)};
    if (rp_random_chance(&rng, 40)) {
        edit.width = 1u + rp_random_below(&rng, shape->width / 3u);
        edit.height = 1u + rp_random_below(&rng, shape->height / 3u);
        edit.x = rp_random_below(&rng, shape->width - edit.width + 1u);
        edit.y = rp_random_below(&rng, shape->height - edit.height + 1u);
        edit.fill = random_byte(is_costmap);
    }
    ck_assert_int_eq(rp_world_write(to, &edit), RP_OK);
}

START_TEST(any_walk_of_writes_gives_what_the_definition_says)
{
    rng = (rp_random_t){(uint64_t)_i};
    const bool is_costmap = rp_random_chance(&rng, 70);
    const uint32_t width = rp_random_between(&rng, 3, 45);
    const uint32_t height = rp_random_between(&rng, 3, 30);
    rp_body_t bodies[3];
    rp_layer_t *layers[3];
    world = open_world(width, height, rp_random_chance(&rng, 40), is_costmap ? "costmap" : "factor",
                       NULL);
    for (size_t i = 0; i < 3; i++) {
        bodies[i] = random_body(is_costmap);
        layers[i] = borrow(world, bodies[i]);
    }
    for (unsigned round = 0; round < RP_ROUNDS(40u); round++) {
        random_write(world, is_costmap);
        for (size_t i = 0; i < 3; i++) {
            expect_layer(world, layers[i], &bodies[i]);
        }
    }
    fresh = open_world(width, height, world->layers[0]->grid->shape.wraps,
                       is_costmap ? "costmap" : "factor", world->bytes);
    for (size_t i = 0; i < 3; i++) {
        expect_same_grid(layers[i]->grid, borrow(fresh, bodies[i])->grid);
    }
}
END_TEST

/// Larger than a strip of the transform, writes far apart: compared with a world opened anew.
START_TEST(a_large_world_after_scattered_writes_is_one_opened_anew)
{
    enum {
        WIDTH = 1100,
        HEIGHT = 150
    };
    const rp_body_t body = {.radius_m = 0.35,
                            .inscribed_radius_m = 0.5,
                            .inflation_radius_m = 6.4,
                            .cost_scaling = 0.8};
    rng = (rp_random_t){(uint64_t)_i};
    const bool wraps = rp_random_chance(&rng, 50);
    world = open_world(WIDTH, HEIGHT, wraps, "costmap", NULL);
    const rp_layer_t *layer = borrow(world, body);
    for (unsigned round = 0; round < RP_ROUNDS(20u); round++) {
        uint32_t cells[40];
        const size_t count = 1u + rp_random_below(&rng, 40);
        for (size_t i = 0; i < count; i++) {
            cells[i] = rp_random_below(&rng, WIDTH * HEIGHT);
        }
        write_cells(world, cells, count, rp_random_chance(&rng, 60) ? 254 : 0);
        const rp_edit_t edit = {.x = rp_random_below(&rng, WIDTH - 100),
                                .y = rp_random_below(&rng, HEIGHT - 30),
                                .width = 100,
                                .height = 30,
                                .fill = rp_random_chance(&rng, 30) ? 254 : 0};
        ck_assert_int_eq(rp_world_write(world, &edit), RP_OK);
    }
    fresh = open_world(WIDTH, HEIGHT, wraps, "costmap", world->bytes);
    expect_same_grid(layer->grid, borrow(fresh, body)->grid);
}
END_TEST

START_TEST(what_is_added_and_removed_again_leaves_the_same_bytes)
{
    enum {
        SIDE = 60
    };
    static uint8_t before[SIDE * SIDE];
    const rp_body_t body = {
        .radius_m = 0.3, .inscribed_radius_m = 0.2, .inflation_radius_m = 1.2, .cost_scaling = 3.0};
    rng = (rp_random_t){(uint64_t)_i};
    world = open_world(SIDE, SIDE, false, "costmap", NULL);
    const rp_layer_t *layer = borrow(world, body);
    for (unsigned round = 0; round < RP_ROUNDS(10u); round++) {
        random_write(world, true);
    }
    memcpy(before, world->bytes, sizeof before);
    fresh = open_world(SIDE, SIDE, false, "costmap", before);
    const rp_layer_t *untouched = borrow(fresh, body);
    for (unsigned round = 0; round < RP_ROUNDS(30u); round++) {
        random_write(world, true);
    }
    const rp_edit_t back = {.width = SIDE, .height = SIDE, .data = before};
    ck_assert_int_eq(rp_world_write(world, &back), RP_OK);
    expect_same_grid(layer->grid, untouched->grid);
    ck_assert_int_eq(memcmp(layer->inflated->distances.cells, untouched->inflated->distances.cells,
                            rp_inflated_bytes(layer->inflated)),
                     0);
}
END_TEST

// ---- numbers known by hand

START_TEST(a_body_blocks_what_is_within_its_radius_the_radius_included)
{
    world = open_world(21, 21, false, "factor", NULL);
    const rp_layer_t *layer = borrow(world, (rp_body_t){.radius_m = 0.5}); // 5 cells: 3, 4, 5
    write_cells(world, (uint32_t[]){10 * 21 + 10}, 1, 0);
    ck_assert_uint_eq(factor_at(layer, 15, 10), 0);
    ck_assert_uint_eq(factor_at(layer, 16, 10), 1);
    ck_assert_uint_eq(factor_at(layer, 13, 14), 0);
    ck_assert_uint_eq(factor_at(layer, 14, 14), 1);
    ck_assert_uint_eq(factor_at(world->layers[0], 11, 10), 1);
}
END_TEST

START_TEST(soft_costs_are_those_of_costmap_2d)
{
    world = open_world(21, 21, false, "costmap", NULL);
    const rp_body_t body = {
        .inscribed_radius_m = 0.1, .inflation_radius_m = 0.3, .cost_scaling = 10.0};
    const rp_layer_t *layer = borrow(world, body);
    write_cells(world, (uint32_t[]){10 * 21 + 10, 10 * 21 + 12}, 2, 254);
    write_cells(world, (uint32_t[]){10 * 21 + 12}, 1, 200);
    ck_assert_uint_eq(factor_at(layer, 10, 10), 0);
    ck_assert_uint_eq(factor_at(layer, 11, 10), 0);                // inscribed
    ck_assert_uint_eq(factor_at(layer, 8, 10), 50 + 4 * 92 / 5);   // 252 / e
    ck_assert_uint_eq(factor_at(layer, 7, 10), 50 + 4 * 34 / 5);   // 252 / e^2
    ck_assert_uint_eq(factor_at(layer, 9, 9), 50 + 4 * 166 / 5);   // 252 e^(1 - sqrt 2)
    ck_assert_uint_eq(factor_at(layer, 6, 10), 50);                // too far
    ck_assert_uint_eq(factor_at(layer, 12, 10), 50 + 4 * 200 / 5); // its own byte is greater
}
END_TEST

START_TEST(neither_the_unknown_nor_the_outside_inflates)
{
    const rp_profile_options_t cautious = {
        .name = "cautious", .like = "costmap", .unknown = RP_UNKNOWN_BLOCKED};
    const rp_world_options_t options = {.width = 9,
                                        .height = 9,
                                        .neighbors = 8,
                                        .profile = "cautious",
                                        .profiles = &cautious,
                                        .profile_count = 1,
                                        .frame = {.resolution_m = RESOLUTION}};
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
    const rp_layer_t *layer = borrow(world, (rp_body_t){.radius_m = 0.2});
    write_cells(world, (uint32_t[]){4 * 9 + 4}, 1, 255);
    ck_assert_uint_eq(factor_at(layer, 4, 4), 0);
    ck_assert_uint_eq(factor_at(layer, 5, 4), 50);
    ck_assert_uint_eq(factor_at(layer, 0, 0), 50);
}
END_TEST

START_TEST(the_unknown_is_blocked_near_an_obstacle_and_not_dearer_farther_off)
{
    world = open_world(9, 9, false, "costmap", NULL);
    const rp_body_t body = {
        .inscribed_radius_m = 0.1, .inflation_radius_m = 0.3, .cost_scaling = 1.0};
    const rp_layer_t *layer = borrow(world, body);
    write_cells(world, (uint32_t[]){4 * 9 + 5, 4 * 9 + 6}, 2, 255);
    write_cells(world, (uint32_t[]){4 * 9 + 4}, 1, 254);
    ck_assert_uint_eq(factor_at(layer, 5, 4), 0);
    ck_assert_uint_eq(factor_at(layer, 6, 4), 50);
    ck_assert_uint_gt(factor_at(layer, 2, 4), 50);
}
END_TEST

// ---- layers

START_TEST(who_needs_the_same_shares_a_layer_and_the_last_one_frees_it)
{
    world = open_world(20, 20, false, "costmap", NULL);
    rp_layer_t *const first = borrow(world, (rp_body_t){.radius_m = 0.30});
    rp_layer_t *const same = borrow(world, (rp_body_t){.radius_m = 0.31}); // 3 cells as well
    rp_layer_t *const other = borrow(world, (rp_body_t){.radius_m = 0.40});
    ck_assert_ptr_eq(first, same);
    ck_assert_ptr_ne(first, other);
    ck_assert_ptr_eq(borrow(world, (rp_body_t){.radius_m = 0.05}), world->layers[0]);
    ck_assert_uint_eq(world->layer_count, 3);
    rp_world_return_layer(world, first);
    ck_assert_uint_eq(world->layer_count, 3);
    rp_world_return_layer(world, same);
    ck_assert_uint_eq(world->layer_count, 2);
    ck_assert_ptr_eq(borrow(world, (rp_body_t){.radius_m = 0.40}), other);
}
END_TEST

START_TEST(a_world_has_at_most_16_layers)
{
    rp_layer_t *layer;
    world = open_world(20, 20, false, "factor", NULL);
    for (unsigned cells = 1; cells < RP_LAYERS_MAX; cells++) {
        (void)borrow(world, (rp_body_t){.radius_m = cells * RESOLUTION});
    }
    const rp_body_t one_more = {.radius_m = 20 * RESOLUTION};
    ck_assert_int_eq(rp_world_borrow_layer(world, &one_more, &layer), RP_E_LIMIT);
    ck_assert_uint_eq(world->layer_count, RP_LAYERS_MAX);
}
END_TEST

START_TEST(bodies_that_make_no_sense_are_refused)
{
    static const struct {
        rp_body_t body;
        rp_status_t status;
    } cases[] = {
        {{.radius_m = -0.1}, RP_E_INVALID},
        {{.radius_m = NAN}, RP_E_INVALID},
        {{.radius_m = 6.5}, RP_E_INVALID}, // 65 cells
        {{.inflation_radius_m = INFINITY}, RP_E_INVALID},
        {{.inflation_radius_m = 0.2, .inscribed_radius_m = 0.3}, RP_E_INVALID},
        {{.inflation_radius_m = 0.2, .cost_scaling = -1.0}, RP_E_INVALID},
        {{.profile = "water"}, RP_E_UNKNOWN},
        {{.profile = "factor", .inflation_radius_m = 0.3}, RP_E_UNSUPPORTED},
    };
    world = open_world(9, 9, false, "costmap", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rp_layer_t *layer = NULL;
        const rp_status_t status = rp_world_borrow_layer(world, &cases[i].body, &layer);
        ck_assert_msg(status == cases[i].status, "case %zu: %d", i, status);
        ck_assert_uint_eq(world->layer_count, 1);
    }
    (void)borrow(world, (rp_body_t){.radius_m = 6.4});
}
END_TEST

int main(void)
{
    const TTest *const walks[] = {
        any_walk_of_writes_gives_what_the_definition_says,
        a_large_world_after_scattered_writes_is_one_opened_anew,
        what_is_added_and_removed_again_leaves_the_same_bytes,
    };
    const TTest *const tests[] = {
        a_body_blocks_what_is_within_its_radius_the_radius_included,
        soft_costs_are_those_of_costmap_2d,
        neither_the_unknown_nor_the_outside_inflates,
        the_unknown_is_blocked_near_an_obstacle_and_not_dearer_farther_off,
        who_needs_the_same_shares_a_layer_and_the_last_one_frees_it,
        a_world_has_at_most_16_layers,
        bodies_that_make_no_sense_are_refused,
    };
    const int failed =
        rp_suite_run("inflation: walks", walks, sizeof walks / sizeof walks[0], 10, tear_down);
    return rp_suite_run("inflation", tests, sizeof tests / sizeof tests[0], 1, tear_down) + failed;
}
