/// Control sets: shapes are refused by field, children end where they say, tables are true, and
/// slices change nothing.
#include <string.h>

#include "planners/motion/trig.h"
#include "planners/motion/words.h"
#include "tests/planners/lattice/lattice_scene.h"

static rp_control_set_t *set;
static rp_control_set_t *other;

static void tear_down(void)
{
    rp_control_set_destroy(&set);
    rp_control_set_destroy(&other);
}

static const rp_lattice_shape_t car = {.turning_radius = 2.0,
                                       .body_radius = 0.45,
                                       .turn_price = 1.0,
                                       .headings = 16,
                                       .drive = RP_DRIVE_CAR};

static rp_lattice_fault_t fault_of(double radius, double body, uint32_t headings, rp_drive_t drive,
                                   double price)
{
    const rp_lattice_shape_t shape = {.turning_radius = radius,
                                      .body_radius = body,
                                      .turn_price = price,
                                      .headings = headings,
                                      .drive = drive};
    return rp_lattice_shape_fault(&shape);
}

START_TEST(a_bad_shape_is_refused_by_its_field)
{
    ck_assert_int_eq(fault_of(2, 1, 16, RP_DRIVE_CAR, 1), RP_LATTICE_FINE);
    ck_assert_int_eq(fault_of(0, 0, 16, RP_DRIVE_SPOT, 1), RP_LATTICE_FINE);
    ck_assert_int_eq(fault_of(2, 1, 16, (rp_drive_t)7, 1), RP_LATTICE_BAD_DRIVE);
    ck_assert_int_eq(fault_of(2, 1, 12, RP_DRIVE_CAR, 1), RP_LATTICE_BAD_HEADINGS);
    ck_assert_int_eq(fault_of(2, -0.1, 16, RP_DRIVE_CAR, 1), RP_LATTICE_BAD_BODY_RADIUS);
    ck_assert_int_eq(fault_of(2, NAN, 16, RP_DRIVE_CAR, 1), RP_LATTICE_BAD_BODY_RADIUS);
    ck_assert_int_eq(fault_of(2, 64.1, 16, RP_DRIVE_CAR, 1), RP_LATTICE_BAD_BODY_RADIUS);
    ck_assert_int_eq(fault_of(-1, 1, 16, RP_DRIVE_CAR, 1), RP_LATTICE_BAD_TURNING_RADIUS);
    ck_assert_int_eq(fault_of(INFINITY, 1, 16, RP_DRIVE_CAR, 1), RP_LATTICE_BAD_TURNING_RADIUS);
    ck_assert_int_eq(fault_of(0, 1, 16, RP_DRIVE_CAR, 1), RP_LATTICE_BAD_TURNING_RADIUS);
    ck_assert_int_eq(fault_of(2, 1, 16, RP_DRIVE_SPOT, 0), RP_LATTICE_BAD_TURN_PRICE);
    ck_assert_int_eq(fault_of(18, 1, 16, RP_DRIVE_CAR, 1), RP_LATTICE_TOO_WIDE);
    ck_assert_int_eq(fault_of(18, 1, 16, RP_DRIVE_SPOT, 1), RP_LATTICE_FINE);
    const rp_lattice_shape_t shape = {.turning_radius = 18.0, .headings = 16};
    ck_assert_int_eq(rp_control_set_new(&shape, &set), RP_E_INVALID);
}
END_TEST

/// The limits of the sheet of motion geometry, to a tenth of a cell.
START_TEST(rings_turn_up_to_their_radius)
{
    static const struct {
        double radius;
        uint32_t headings;
    } rows[] = {{10.2, 8u}, {16.9, 16u}, {32.4, 32u}, {14.0, 64u}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert((rp_lattice_headings_for(rows[i].radius) & rows[i].headings) != 0);
        ck_assert((rp_lattice_headings_for(rows[i].radius + 0.1) & rows[i].headings) == 0);
    }
    ck_assert_uint_eq(rp_lattice_headings_for(64.0), 0);
}
END_TEST

static const struct {
    double radius;
    double body;
    uint32_t headings;
    rp_drive_t drive;
} shapes[] = {
    {2.0, 0.45, 16, RP_DRIVE_CAR}, {4.0, 3.0, 16, RP_DRIVE_CAR},  {2.0, 1.0, 8, RP_DRIVE_CAR},
    {0.0, 0.5, 32, RP_DRIVE_SPOT}, {1.5, 0.5, 16, RP_DRIVE_SPOT}, {0.0, 8.0, 64, RP_DRIVE_OMNI},
};

static void expect_whole(uint32_t number)
{
    const rp_child_t *child = &set->children[number];
    rp_segment_t segments[RP_CURVE_PIECES_MAX];
    const uint32_t count = rp_control_set_segments(set, number, segments);
    const rp_motion_pose_t end = rp_segment_end(&segments[count - 1u]);
    double cost = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        cost += segments[i].length + fabs(segments[i].turn) * set->shape.turn_price;
    }
    ck_assert(fabs(end.x - child->dx) < 1e-9 && fabs(end.y - child->dy) < 1e-9);
    ck_assert(rp_trig_turn(end.heading - set->headings.angle[child->heading] + 1e-6) < 2e-6);
    ck_assert(child->cost >= cost * RP_LATTICE_UNIT - 1e-6);
    ck_assert(child->cost < cost * RP_LATTICE_UNIT + 1.0);
}

/// Bit (x, y) of a child's mask.
static bool has_bit(uint32_t child, int32_t x, int32_t y)
{
    const uint32_t half = set->kind == RP_MASK_16 ? 8u : 16u;
    const uint32_t bit = (uint32_t)(y + (int32_t)half) * 2u * half + (uint32_t)(x + (int32_t)half);
    const uint8_t *mask = set->masks + child * rp_mask_bytes(set->kind);
    return ((mask[bit / 8u] >> (bit % 8u)) & 1u) != 0;
}

/// Each bit of the mask by the proof of lattice_scene.h.
static void expect_mask(uint32_t number)
{
    rp_segment_t segments[RP_CURVE_PIECES_MAX];
    const int32_t half = set->kind == RP_MASK_16 ? 8 : 16;
    const uint32_t count = rp_control_set_segments(set, number, segments);
    for (int32_t y = -half; y < half; y++) {
        for (int32_t x = -half; x < half; x++) {
            bool is_clear = true;
            for (uint32_t i = 0; i < count && is_clear; i++) {
                is_clear = scene_proves(&segments[i], 0.0, segments[i].length, x, y,
                                        set->shape.body_radius + RP_LATTICE_MARGIN);
            }
            RP_EACH(has_bit(number, x, y) == !is_clear);
        }
    }
}

START_TEST(each_child_ends_where_it_says_and_sweeps_what_its_mask_says)
{
    const size_t index = (size_t)_i;
    set = scene_set(shapes[index].radius, shapes[index].body, shapes[index].headings,
                    shapes[index].drive);
    ck_assert_uint_gt(set->child_count, 0);
    for (uint32_t heading = 0; heading < set->headings.count; heading++) {
        for (uint32_t i = set->first[heading]; i < set->first[heading + 1u]; i++) {
            ck_assert_uint_eq(set->children[i].from, heading);
            expect_whole(i);
            if (i < set->loops[heading] && i % 7u == 0) {
                expect_mask(i);
            }
        }
    }
}
END_TEST

START_TEST(slices_make_the_same_set)
{
    set = scene_set(shapes[0].radius, shapes[0].body, 16, RP_DRIVE_CAR);
    rp_lattice_shape_t shape = car;
    shape.turn_price = set->shape.turn_price;
    ck_assert_int_eq(rp_control_set_new(&shape, &other), RP_OK);
    rp_status_t status = RP_MORE;
    while (status == RP_MORE) {
        uint64_t budget = 1;
        status = rp_control_set_build(other, &budget);
    }
    ck_assert_int_eq(status, RP_OK);
    ck_assert_uint_eq(set->child_count, other->child_count);
    ck_assert_uint_eq(set->rho, other->rho);
    ck_assert_uint_eq(set->spread, other->spread);
    ck_assert_int_eq(
        memcmp(set->children, other->children, set->child_count * sizeof *set->children), 0);
    const size_t masks = (set->child_count + set->states) * rp_mask_bytes(set->kind);
    ck_assert_int_eq(memcmp(set->masks, other->masks, masks), 0);
    ck_assert_uint_gt(rp_control_set_bytes(set), masks);
}
END_TEST

/// Least length of the words to a point, over many headings there.
static double least_curve(double x, double y, double heading)
{
    double least = INFINITY;
    const rp_motion_pose_t start = {x, y, heading};
    const rp_curve_price_t price = {.radius = car.turning_radius, .reverse_factor = 1.0};
    for (uint32_t i = 0; i < 360u; i++) {
        const rp_motion_pose_t end = {0.0, 0.0, i * RP_TRIG_TURN / 360.0};
        rp_curve_list_t list = {0};
        rp_words_dubins(&start, &end, &price, &list);
        least = fmin(least, rp_curve_length(&list.curves[0]));
    }
    return least;
}

START_TEST(the_table_of_curves_has_the_least_length_to_each_cell)
{
    set = scene_set(car.turning_radius, car.body_radius, 16, RP_DRIVE_CAR);
    const int32_t reach = set->curve_reach;
    ck_assert_uint_eq(rp_control_set_curve(set, 0, 0, 3), 0);
    ck_assert_uint_eq(rp_control_set_curve(set, reach + 1, 0, 3), (uint32_t)reach * 408u);
    for (int32_t y = -reach; y <= reach; y += 3) {
        for (int32_t x = -reach + 1; x <= reach; x += 3) {
            const uint32_t heading = (uint32_t)(x * x + y * y) % 16u;
            const double least =
                fmin(least_curve(x, y, set->headings.angle[heading]), (double)reach);
            const double said = rp_control_set_curve(set, x, y, heading) / 408.0;
            ck_assert_msg((x == 0 && y == 0) || (said <= least + 1e-9 && said >= least - 0.02),
                          "(%d, %d, %u): %f is said, %f is the least", x, y, heading, said, least);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const once[] = {
        a_bad_shape_is_refused_by_its_field,
        rings_turn_up_to_their_radius,
        slices_make_the_same_set,
        the_table_of_curves_has_the_least_length_to_each_cell,
    };
    const TTest *const each[] = {
        each_child_ends_where_it_says_and_sweeps_what_its_mask_says,
    };
    const int code = rp_suite_run("control_set", once, sizeof once / sizeof once[0], 1, tear_down);
    const int more =
        rp_suite_run("control_set_shapes", each, 1, sizeof shapes / sizeof shapes[0], tear_down);
    return code != 0 ? code : more;
}
