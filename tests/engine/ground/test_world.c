/// Bytes, versions, the hash, and where a point of the frame lies.
#include <math.h>
#include <string.h>

#include "engine/ground/world_state.h"
#include "msgs/codec.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_world_t *world;

static void tear_down(void)
{
    rp_world_destroy(&world);
}

static void open_world(uint32_t width, uint32_t height, bool wraps, rp_frame_t frame)
{
    const rp_world_options_t options = {
        .width = width,
        .height = height,
        .neighbors = 8,
        .wraps = wraps,
        .frame = frame,
        .cells_hash = rp_codec_cells_hash,
    };
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
    rp_scene_derive(world);
}

static const rp_frame_t plain = {.resolution_m = 1.0};

static void expect_bytes(const char *rows)
{
    const size_t count =
        (size_t)world->layers[0]->grid->shape.width * world->layers[0]->grid->shape.height;
    ck_assert_uint_eq(strlen(rows), count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_msg(world->bytes[i] == rows[i] - '0', "cell %zu is %u", i, world->bytes[i]);
    }
}

static uint64_t hash_of_bytes(void)
{
    const rp_grid_shape_t *shape = &world->layers[0]->grid->shape;
    uint64_t hash = 0;
    for (uint64_t i = 0; i < (uint64_t)shape->width * shape->height; i++) {
        hash ^= rp_codec_cell_hash(i, world->bytes[i]);
    }
    return hash;
}

// ---- edits

START_TEST(a_world_begins_at_version_1_with_normal_ground)
{
    open_world(3, 2, false, plain);
    ck_assert_uint_eq(world->version, 1);
    expect_bytes("111"
                 "111");
    ck_assert_uint_eq(world->hash, hash_of_bytes());
}
END_TEST

START_TEST(the_rectangle_is_written_first_and_single_cells_over_it)
{
    open_world(4, 3, false, plain);
    const uint8_t data[] = {2, 3, 4, 5};
    const uint32_t cells[] = {5, 11, 5};
    const uint8_t values[] = {7, 8, 9};
    const rp_edit_t edit = {.x = 1,
                            .y = 1,
                            .width = 2,
                            .height = 2,
                            .data = data,
                            .cells = cells,
                            .values = values,
                            .cell_count = 3};
    ck_assert_int_eq(rp_world_write(world, &edit), RP_OK);
    expect_bytes("1111"
                 "1931"
                 "1458");
    ck_assert_uint_eq(world->version, 2);
    ck_assert_uint_eq(world->hash, hash_of_bytes());
}
END_TEST

START_TEST(one_fill_and_one_value_serve_for_all)
{
    open_world(4, 2, false, plain);
    const uint32_t cells[] = {0, 3};
    const rp_edit_t edit = {.x = 0,
                            .y = 1,
                            .width = 4,
                            .height = 1,
                            .fill = 0,
                            .cells = cells,
                            .cell_count = 2,
                            .value = 6};
    ck_assert_int_eq(rp_world_write(world, &edit), RP_OK);
    expect_bytes("6116"
                 "0000");
}
END_TEST

START_TEST(what_is_written_and_written_back_in_one_edit_is_no_change_for_planners)
{
    open_world(4, 2, false, plain);
    const uint32_t cells[] = {2, 2, 3};
    const uint8_t values[] = {0, 1, 0};
    const rp_edit_t edit = {.cells = cells, .values = values, .cell_count = 3};
    ck_assert_int_eq(rp_world_write(world, &edit), RP_OK);
    expect_bytes("1110"
                 "1111");
    ck_assert_uint_eq(world->layers[0]->open_batch_count, 1);
    ck_assert_uint_eq(world->layers[0]->open_batch[0].before, 1);
    ck_assert_uint_eq(world->layers[0]->open_batch[0].after, 0);
}
END_TEST

START_TEST(rewriting_what_stands_there_is_a_version_all_the_same)
{
    open_world(4, 2, false, plain);
    const uint64_t hash = world->hash;
    const rp_edit_t edit = {.width = 4, .height = 2, .fill = 1};
    ck_assert_int_eq(rp_world_write(world, &edit), RP_OK);
    ck_assert_uint_eq(world->version, 2);
    ck_assert_uint_eq(world->hash, hash);
    ck_assert_uint_eq(world->layers[0]->open_batch_count, 0);
}
END_TEST

START_TEST(an_edit_that_reaches_outside_writes_nothing)
{
    open_world(4, 3, false, plain);
    const uint32_t cells[] = {0, 12};
    const rp_edit_t edits[] = {
        {.x = 3, .y = 0, .width = 2, .height = 1},
        {.x = 0, .y = 2, .width = 1, .height = 2},
        {.x = 4, .y = 0, .width = 1, .height = 1},
        {.x = UINT32_MAX, .y = 0, .width = 2, .height = 1},
        {.x = 0, .y = 0, .width = 5, .height = 1},
        {.x = 0, .y = 0, .width = 1, .height = 0},
        {.x = 0, .y = 0, .width = UINT32_MAX, .height = UINT32_MAX},
        {.width = 1, .height = 1, .cells = cells, .cell_count = 2},
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        ck_assert_int_eq(rp_world_write(world, &edits[i]), RP_E_INVALID);
        ck_assert_uint_eq(world->version, 1);
        expect_bytes("111111111111");
    }
}
END_TEST

START_TEST(the_hash_is_that_of_all_bytes_after_any_edits)
{
    open_world(30, 20, false, plain);
    rp_random_t rng = {5};
    for (int round = 0; round < 200; round++) {
        uint32_t cells[8];
        uint8_t values[8];
        for (size_t i = 0; i < 8; i++) {
            cells[i] = rp_random_below(&rng, 600);
            values[i] = (uint8_t)rp_random_below(&rng, 256);
        }
        const rp_edit_t edit = {
            .x = rp_random_below(&rng, 20),
            .y = rp_random_below(&rng, 10),
            .width = rp_random_below(&rng, 11),
            .height = 1u + rp_random_below(&rng, 10),
            .fill = (uint8_t)rp_random_below(&rng, 256),
            .cells = cells,
            .values = values,
            .cell_count = rp_random_below(&rng, 9),
        };
        ck_assert_int_eq(rp_world_write(world, &edit), RP_OK);
    }
    ck_assert_uint_eq(world->hash, hash_of_bytes());
    ck_assert_uint_eq(world->version, 201);
}
END_TEST

START_TEST(the_planners_see_the_factors_of_the_bytes)
{
    open_world(30, 20, false, plain);
    rp_random_t rng = {6};
    for (int round = 0; round < 100; round++) {
        const rp_edit_t edit = {
            .x = rp_random_below(&rng, 20),
            .y = rp_random_below(&rng, 10),
            .width = 1u + rp_random_below(&rng, 10),
            .height = 1u + rp_random_below(&rng, 10),
            .fill = (uint8_t)rp_random_below(&rng, 256),
        };
        ck_assert_int_eq(rp_world_write(world, &edit), RP_OK);
    }
    for (uint32_t i = 0; i < 600; i++) {
        const rp_cell_t cell = rp_grid_cell(world->layers[0]->grid, i % 30, i / 30);
        const uint8_t byte = world->bytes[i];
        ck_assert_uint_eq(world->layers[0]->grid->factor[cell], byte == 255 ? 1 : byte);
    }
}
END_TEST

// ---- the frame

static void expect_cell(double x_m, double y_m, uint32_t x, uint32_t y)
{
    rp_cell_t cell;
    ck_assert_msg(rp_world_cell_at(world, x_m, y_m, &cell), "(%g, %g) is outside", x_m, y_m);
    ck_assert_uint_eq(rp_grid_x(world->layers[0]->grid, cell), x);
    ck_assert_uint_eq(rp_grid_y(world->layers[0]->grid, cell), y);
}

static void expect_outside(double x_m, double y_m)
{
    rp_cell_t cell;
    ck_assert_msg(!rp_world_cell_at(world, x_m, y_m, &cell), "(%g, %g) is inside", x_m, y_m);
}

START_TEST(a_cell_reaches_from_its_corner_to_the_next)
{
    open_world(4, 3, false, plain);
    expect_cell(0.0, 0.0, 0, 0);
    expect_cell(3.999, 2.999, 3, 2);
    expect_cell(1.0, 0.999, 1, 0);
    expect_cell(1.0, 1.0, 1, 1); // on a border: the greater index,
    expect_cell(4.0, 0.0, 3, 0); // on the closing one the last cell
    expect_cell(0.0, 3.0, 0, 2);
    expect_cell(4.0, 3.0, 3, 2);
    expect_outside(-1e-9, 0.0);
    expect_outside(4.0 + 1e-9, 0.0);
    expect_outside(0.0, 3.0 + 1e-9);
    expect_outside(1e300, -1e300);
    expect_outside(INFINITY, NAN);
}
END_TEST

START_TEST(resolution_and_origin_place_the_cells)
{
    open_world(4, 3, false,
               (rp_frame_t){.resolution_m = 0.05, .origin_x_m = -10.0, .origin_y_m = 2.0});
    expect_cell(-9.99, 2.01, 0, 0);
    expect_cell(-9.81, 2.14, 3, 2);
    expect_outside(-10.01, 2.01);
    expect_outside(-9.79, 2.01);
}
END_TEST

START_TEST(yaw_turns_the_cells_from_x_towards_y)
{
    const double quarter = acos(0.0);
    open_world(4, 3, false,
               (rp_frame_t){.resolution_m = 2.0, .origin_x_m = 1.0, .origin_yaw = quarter});
    expect_cell(0.5, 0.5, 0, 0); // +x of the cells runs along +y of the frame,
    expect_cell(0.5, 7.5, 3, 0); // +y of the cells along -x
    expect_cell(-4.5, 0.5, 0, 2);
    expect_outside(1.5, 0.5);
    expect_outside(0.5, 8.5);
}
END_TEST

/// Metres of a point of the grid.
static void metres_of(double x, double y, double *x_m, double *y_m)
{
    const rp_frame_t *frame = &world->frame;
    const double east = frame->resolution_m * x;
    const double north = frame->resolution_m * y;
    const double cosine = cos(frame->origin_yaw);
    const double sine = sin(frame->origin_yaw);
    *x_m = frame->origin_x_m + cosine * east - sine * north;
    *y_m = frame->origin_y_m + sine * east + cosine * north;
}

/// Points on all borders, and on middles, come out exact.
static void check_halves(void)
{
    for (uint32_t half_y = 0; half_y <= 2u * 20u; half_y++) {
        for (uint32_t half_x = 0; half_x <= 2u * 30u; half_x++) {
            const double real_x = half_x / 2.0;
            const double real_y = half_y / 2.0;
            rp_cell_t cell = RP_NO_CELL;
            double x_m;
            double y_m;
            double x;
            double y;
            metres_of(real_x, real_y, &x_m, &y_m);
            RP_EACH(rp_world_cell_at(world, x_m, y_m, &cell));
            RP_EACH_EQ(rp_grid_x(world->layers[0]->grid, cell), half_x == 60u ? 29u : half_x / 2u);
            RP_EACH_EQ(rp_grid_y(world->layers[0]->grid, cell), half_y == 40u ? 19u : half_y / 2u);
            rp_world_point_at(world, x_m, y_m, &x, &y);
            RP_EACH(half_x % 2u != 0 || x == real_x);
            RP_EACH(half_y % 2u != 0 || y == real_y);
            rp_world_corner_at(world, x_m, y_m, &x, &y);
            RP_EACH(x == real_x && y == real_y);
        }
    }
}

START_TEST(borders_are_met_wherever_a_world_lies_and_however_it_is_turned)
{
    static const double resolutions[] = {1.0, 0.05, 0.1, 0.25, 0.3};
    static const double yaws[] = {0.0, 0.3, 1.5707963267948966, 2.5};
    static const double origins[][2] = {
        {0.0, 0.0}, {-10.3, 2.2}, {452000.25, 5411000.5}, {1e9, -1e9}};
    for (unsigned i = 0; i < 5u * 4u * 4u; i++) {
        const rp_frame_t frame = {resolutions[i % 5u], origins[i / 20u][0], origins[i / 20u][1],
                                  yaws[i / 5u % 4u]};
        open_world(30, 20, false, frame);
        check_halves();
        tear_down();
    }
}
END_TEST

START_TEST(eight_units_in_the_last_place_are_rounding_and_more_are_not)
{
    const rp_frame_t frame = {.resolution_m = 0.25, .origin_x_m = -3.0};
    const double ulp = 0x1p-47; // of 32 to 64
    double x;
    double y;
    open_world(400, 400, false, frame);
    rp_world_point_at(world, -2.0 - 8.0 * ulp, 40.0, &x, &y); // the greatest is y
    ck_assert(x == 4.0 && y == 160.0);
    rp_world_point_at(world, -2.0 + 9.0 * ulp, 40.0 - 9.0 * ulp, &x, &y);
    ck_assert(x > 4.0 && y < 160.0);
    ck_assert(rp_world_snap_at(world, -2.0, 40.0) == 8.0 * ulp / 0.25);
    ck_assert(rp_world_snap_at(world, 0.5, -0.5) == 8.0 * 0x1p-51 / 0.25); // the origin's
    expect_cell(-2.0 - 8.0 * ulp, 40.0, 4, 160);
    expect_cell(-2.0 - 9.0 * ulp, 40.0, 3, 160);
}
END_TEST

START_TEST(a_torus_has_no_outside)
{
    open_world(4, 3, true, plain);
    expect_cell(-0.5, -0.5, 3, 2);
    expect_cell(4.0, 3.0, 0, 0);
    expect_cell(41.5, -29.5, 1, 0);
    expect_cell(-1e9 + 0.5, 0.5, 0, 0);
    expect_cell(-1e-18, 3.0 - 1e-15, 0, 0); // on the closing border: cell 0
}
END_TEST

START_TEST(shapes_frames_and_profiles_outside_their_limits_are_refused)
{
    const rp_world_options_t good = {.width = 4, .height = 4, .neighbors = 8, .frame = plain};
    rp_world_options_t bad[10];
    for (size_t i = 0; i < 10; i++) {
        bad[i] = good;
    }
    bad[0].width = 0;
    bad[1].height = RP_GRID_SIDE_MAX + 1u;
    bad[2].neighbors = 6;
    bad[3].wraps = true;
    bad[3].height = 2;
    bad[4].frame.resolution_m = 0.0;
    bad[5].frame.resolution_m = -1.0;
    bad[6].frame.resolution_m = 0.0 / 0.0;
    bad[7].frame.origin_yaw = 1.0 / 0.0;
    bad[8].frame.origin_x_m = -1.0 / 0.0;
    bad[9].profile = "lava";
    for (size_t i = 0; i < 10; i++) {
        const rp_status_t expected = i == 9 ? RP_E_UNKNOWN : RP_E_INVALID;
        ck_assert_int_eq(rp_world_new(&bad[i], 1, NULL, &world), expected);
        ck_assert_ptr_null(world);
    }
    ck_assert_int_eq(rp_world_new(&good, 1, NULL, &world), RP_OK);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_world_begins_at_version_1_with_normal_ground,
        the_rectangle_is_written_first_and_single_cells_over_it,
        one_fill_and_one_value_serve_for_all,
        what_is_written_and_written_back_in_one_edit_is_no_change_for_planners,
        rewriting_what_stands_there_is_a_version_all_the_same,
        an_edit_that_reaches_outside_writes_nothing,
        the_hash_is_that_of_all_bytes_after_any_edits,
        the_planners_see_the_factors_of_the_bytes,
        a_cell_reaches_from_its_corner_to_the_next,
        resolution_and_origin_place_the_cells,
        yaw_turns_the_cells_from_x_towards_y,
        borders_are_met_wherever_a_world_lies_and_however_it_is_turned,
        eight_units_in_the_last_place_are_rounding_and_more_are_not,
        a_torus_has_no_outside,
        shapes_frames_and_profiles_outside_their_limits_are_refused,
    };
    return rp_suite_run("world", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
