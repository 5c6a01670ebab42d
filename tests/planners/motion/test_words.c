/// Words: every curve ends where it should, the shortest ones are the shortest, and none is
/// missing.
#include "planners/motion/words.h"

#include <math.h>
#include <stdbool.h>

#include "planners/motion/trig.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define ROUNDS 20000u

static rp_random_t chance;
static rp_curve_list_t list;

static const rp_motion_pose_t origin = {0.0, 0.0, 0.0};

static double between(double low, double high)
{
    return low + (high - low) * ((double)(rp_random_next(&chance) >> 11) * 0x1p-53);
}

static rp_motion_pose_t random_pose(double reach)
{
    return (rp_motion_pose_t){between(-reach, reach), between(-reach, reach), between(-7.0, 7.0)};
}

/// On a cell centre, with one of 16 headings: where circles touch and arcs vanish exactly.
static rp_motion_pose_t lattice_pose(void)
{
    static const double vectors[][2] = {{1, 0}, {2, 1}, {1, 1}, {1, 2}};
    const uint32_t heading = rp_random_below(&chance, 16);
    const double *vector = vectors[heading % 4u];
    return (rp_motion_pose_t){
        .x = rp_random_below(&chance, 13) - 6.0,
        .y = rp_random_below(&chance, 13) - 6.0,
        .heading = atan2(vector[1], vector[0]) + heading / 4u * RP_TRIG_QUARTER,
    };
}

static rp_curve_price_t plain(double radius)
{
    return (rp_curve_price_t){.radius = radius, .reverse_factor = 1.0};
}

static void check_curves(const rp_motion_pose_t *start, const rp_motion_pose_t *end,
                         const rp_curve_price_t *price)
{
    for (uint32_t i = 0; i < list.count; i++) {
        const rp_curve_t *curve = &list.curves[i];
        const rp_motion_pose_t is = rp_curve_end(curve, start);
        RP_EACH(hypot(is.x - end->x, is.y - end->y) < 1e-9);
        RP_EACH(fabs(remainder(is.heading - end->heading, RP_TRIG_TURN)) < 1e-9);
        RP_EACH(fabs(curve->cost - rp_curve_cost(curve, price)) < 1e-12);
        RP_EACH(i == 0 || list.curves[i - 1u].cost <= curve->cost);
    }
}

START_TEST(every_curve_ends_at_the_pose)
{
    static const double radii[] = {1e-3, 0.5, 4.0, 100.0};
    for (uint32_t i = 0; i < RP_ROUNDS(ROUNDS); i++) {
        const bool on_lattice = i % 2u == 0;
        const rp_motion_pose_t start = on_lattice ? lattice_pose() : random_pose(10.0);
        const rp_motion_pose_t end = on_lattice ? lattice_pose() : random_pose(10.0);
        const rp_curve_price_t price = plain(radii[i / 2u % 4u]);
        rp_words_dubins(&start, &end, &price, &list);
        RP_EACH(list.count >= 1);
        check_curves(&start, &end, &price);
        rp_words_reeds_shepp(&start, &end, &price, &list);
        check_curves(&start, &end, &price);
    }
}
END_TEST

START_TEST(every_curve_to_a_point_ends_there_in_one_gear)
{
    for (uint32_t i = 0; i < RP_ROUNDS(ROUNDS); i++) {
        const rp_motion_pose_t start = random_pose(10.0);
        const rp_curve_price_t price = plain(3.0);
        const double x = between(-10.0, 10.0);
        const double y = between(-10.0, 10.0);
        const int32_t gear = i % 2u == 0 ? 1 : -1;
        rp_words_to_point(&start, x, y, gear, &price, &list);
        RP_EACH(list.count >= 1);
        for (uint32_t j = 0; j < list.count; j++) {
            const rp_motion_pose_t is = rp_curve_end(&list.curves[j], &start);
            RP_EACH(hypot(is.x - x, is.y - y) < 1e-9);
            for (uint32_t k = 0; k < list.curves[j].count; k++) {
                RP_EACH(list.curves[j].lengths[k] * gear > 0.0);
            }
        }
    }
}
END_TEST

/// No heading at the point gives a shorter curve, and the best of 720 one that is hardly longer.
static void check_against_headings(double x, double y)
{
    const rp_curve_price_t price = plain(2.0);
    rp_words_to_point(&origin, x, y, 1, &price, &list);
    const double shortest = list.curves[0].cost;
    double sampled = INFINITY;
    for (uint32_t i = 0; i < 720u; i++) {
        const rp_motion_pose_t end = {x, y, i * RP_TRIG_TURN / 720.0};
        rp_words_dubins(&origin, &end, &price, &list);
        sampled = fmin(sampled, list.curves[0].cost);
    }
    RP_EACH(shortest <= sampled + 1e-9);
    RP_EACH(sampled <= shortest + 2.0 * RP_TRIG_TURN / 720.0 * 2.0);
}

START_TEST(the_shortest_curve_to_a_point_is_dubins_with_the_best_of_720_headings)
{
    for (uint32_t i = 0; i < RP_ROUNDS(400u); i++) {
        const double y = between(-9.0, 9.0);
        check_against_headings(between(-9.0, 9.0), y);
        const double angle = between(0.0, RP_TRIG_TURN); // inside the left or the right circle
        const double distance = between(0.0, 2.0);
        check_against_headings(distance * cos(angle),
                               (i % 2u == 0 ? 2.0 : -2.0) + distance * sin(angle));
    }
}
END_TEST

START_TEST(far_apart_all_four_of_arc_line_arc_exist)
{
    const rp_motion_pose_t end = {30.0, 5.0, 2.0};
    const rp_curve_price_t price = plain(2.0);
    uint32_t kinds = 0;
    rp_words_dubins(&origin, &end, &price, &list);
    ck_assert_uint_eq(list.count, 4);
    for (uint32_t i = 0; i < 4u; i++) {
        ck_assert_uint_eq(list.curves[i].count, 3);
        ck_assert_int_eq(list.curves[i].sides[1], 0);
        kinds |= 1u << (list.curves[i].sides[0] + 1 + (list.curves[i].sides[2] + 1) / 2);
    }
    ck_assert_uint_eq(kinds, 15);
}
END_TEST

/// A number for the sides and gears of a word.
static uint32_t signature(const rp_curve_t *curve)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < curve->count; i++) {
        number =
            number * 7u + 2u * (uint32_t)(curve->sides[i] + 1) + (curve->lengths[i] < 0.0) + 1u;
    }
    return number;
}

static bool changes_gear(const rp_curve_t *curve)
{
    bool changes = false;
    for (uint32_t i = 1; i < curve->count; i++) {
        changes = changes || curve->lengths[i] * curve->lengths[0] < 0.0;
    }
    return changes;
}

START_TEST(all_words_occur)
{
    static bool seen[7 * 7 * 7 * 7 * 7];
    uint32_t with_changes = 0;
    uint32_t without = 0;
    for (uint32_t i = 0; i < 40000u; i++) {
        const rp_motion_pose_t end = random_pose(6.0);
        const rp_curve_price_t price = plain(1.0);
        rp_words_reeds_shepp(&origin, &end, &price, &list);
        for (uint32_t j = 0; j < list.count; j++) {
            bool *first = &seen[signature(&list.curves[j])];
            with_changes += !*first && changes_gear(&list.curves[j]);
            without += !*first && !changes_gear(&list.curves[j]);
            *first = true;
        }
    }
    ck_assert_uint_eq(with_changes, 40); // of the 48 of Reeds and Shepp 8 have none
    ck_assert_uint_eq(without, 12);      // Dubins' six, in both gears
}
END_TEST

START_TEST(the_way_back_in_the_other_gear_is_as_long)
{
    for (uint32_t i = 0; i < RP_ROUNDS(ROUNDS); i++) {
        const rp_motion_pose_t start = random_pose(6.0);
        const rp_motion_pose_t end = random_pose(6.0);
        const rp_curve_price_t price = plain(2.0);
        rp_words_reeds_shepp(&start, &end, &price, &list);
        const double there = list.curves[0].cost;
        rp_words_reeds_shepp(&end, &start, &price, &list);
        RP_EACH(fabs(list.curves[0].cost - there) < 1e-9);
    }
}
END_TEST

/// The shortest length is lower semicontinuous: it may fall at a pose where circles just touch or
/// an arc vanishes, and never rise there, as it would by a circle out of rounding.
START_TEST(rounding_makes_no_circle_of_an_arc_that_vanishes)
{
    for (uint32_t i = 0; i < RP_ROUNDS(ROUNDS); i++) {
        const rp_motion_pose_t start = lattice_pose();
        const rp_motion_pose_t end = lattice_pose();
        const rp_motion_pose_t beside = {end.x + between(-1e-9, 1e-9), end.y + between(-1e-9, 1e-9),
                                         end.heading + between(-1e-9, 1e-9)};
        const rp_curve_price_t price = plain(i % 3u == 0 ? 1.0 : i % 3u == 1 ? 2.0 : 2.5);
        rp_words_dubins(&start, &end, &price, &list);
        const double exact = list.curves[0].cost;
        rp_words_dubins(&start, &beside, &price, &list);
        RP_EACH(exact <= list.curves[0].cost + 1e-3);
    }
}
END_TEST

/// It costs what the first of the list does, but for rounding between two words that are the same
/// curve.
static void check_cheapest(const rp_curve_t *cheapest, const rp_motion_pose_t *start,
                           const rp_motion_pose_t *end)
{
    const rp_motion_pose_t is = rp_curve_end(cheapest, start);
    RP_EACH(fabs(cheapest->cost - list.curves[0].cost) < 1e-11);
    RP_EACH(hypot(is.x - end->x, is.y - end->y) < 1e-9);
    RP_EACH(fabs(remainder(is.heading - end->heading, RP_TRIG_TURN)) < 1e-9);
}

START_TEST(the_cheapest_is_the_first_of_the_list)
{
    for (uint32_t i = 0; i < RP_ROUNDS(ROUNDS); i++) {
        const bool on_lattice = i % 2u == 0;
        const rp_motion_pose_t start = on_lattice ? lattice_pose() : random_pose(10.0);
        const rp_motion_pose_t end = on_lattice ? lattice_pose() : random_pose(10.0);
        const rp_curve_price_t price = {.radius = 2.5,
                                        .reverse_factor = 1.0 + i % 3u,
                                        .gear_change = i % 5u,
                                        .gear = (int32_t)(i % 7u % 3u) - 1};
        rp_curve_t cheapest;
        rp_words_dubins(&start, &end, &price, &list);
        rp_words_dubins_cheapest(&start, &end, &price, &cheapest);
        check_cheapest(&cheapest, &start, &end);
        rp_words_reeds_shepp(&start, &end, &price, &list);
        rp_words_reeds_shepp_cheapest(&start, &end, &price, &cheapest);
        check_cheapest(&cheapest, &start, &end);
    }
}
END_TEST

/// Two arcs in a row: their circles just touch, and rounding may part them.
START_TEST(two_arcs_without_a_line_between_are_found)
{
    for (uint32_t i = 0; i < RP_ROUNDS(ROUNDS); i++) {
        const rp_motion_pose_t start = i % 2u == 0 ? lattice_pose() : random_pose(10.0);
        const rp_curve_price_t price = plain(2.5);
        const int8_t side = i % 4u < 2u ? 1 : -1;
        const rp_curve_t driven = {.radius = 2.5,
                                   .count = 2,
                                   .sides = {side, (int8_t)-side},
                                   .lengths = {between(0.1, 3.0), between(0.1, 3.0)}};
        const rp_motion_pose_t end = rp_curve_end(&driven, &start);
        rp_words_dubins(&start, &end, &price, &list);
        RP_EACH(list.curves[0].cost <= rp_curve_length(&driven) + 1e-6);
    }
}
END_TEST

START_TEST(no_arc_of_a_word_with_a_change_of_gear_passes_half_a_circle)
{
    for (uint32_t i = 0; i < RP_ROUNDS(ROUNDS); i++) {
        const rp_motion_pose_t end = random_pose(6.0);
        const rp_curve_price_t price = plain(2.0);
        rp_words_reeds_shepp(&origin, &end, &price, &list);
        for (uint32_t j = 0; j < list.count; j++) {
            const rp_curve_t *curve = &list.curves[j];
            for (uint32_t k = 0; k < curve->count && changes_gear(curve); k++) {
                RP_EACH(curve->sides[k] == 0 || fabs(curve->lengths[k]) <= 2.0 * RP_TRIG_PI + 1e-9);
            }
        }
    }
}
END_TEST

START_TEST(to_a_point_inside_the_circle_lead_three_curves)
{
    const rp_curve_price_t price = plain(2.0);
    rp_words_to_point(&origin, 0.3, 1.7, 1, &price, &list);
    ck_assert_uint_eq(list.count, 3);
    uint32_t arcs = 0;
    for (uint32_t i = 0; i < 3u; i++) {
        ck_assert_uint_eq(list.curves[i].count, 2);
        ck_assert_int_eq(list.curves[i].sides[0], -1); // away from it first
        arcs += list.curves[i].sides[1] == 1;
    }
    ck_assert_uint_eq(arcs, 2);
}
END_TEST

START_TEST(from_a_pose_to_itself_nothing_is_driven)
{
    const rp_motion_pose_t pose = {0.3, -7.1, 2.5};
    const rp_motion_pose_t turned = {0.3, -7.1, 2.5 + RP_TRIG_TURN};
    const rp_curve_price_t price = plain(2.0);
    rp_words_dubins(&pose, &turned, &price, &list);
    ck_assert(list.curves[0].cost == 0.0 && list.curves[0].count == 0);
    const rp_motion_pose_t end = rp_curve_end(&list.curves[0], &pose);
    ck_assert(end.x == pose.x && end.y == pose.y && end.heading == pose.heading);
}
END_TEST

START_TEST(straight_ahead_is_one_line)
{
    const rp_motion_pose_t start = {1.0, 1.0, atan2(1.0, 2.0)};
    const rp_motion_pose_t end = {7.0, 4.0, atan2(1.0, 2.0)};
    const rp_curve_price_t price = plain(2.0);
    rp_words_dubins(&start, &end, &price, &list);
    ck_assert_uint_eq(list.curves[0].count, 1);
    ck_assert_int_eq(list.curves[0].sides[0], 0);
    ck_assert_double_eq_tol(list.curves[0].lengths[0], sqrt(45.0), 1e-12);
}
END_TEST

START_TEST(reverse_costs_its_factor)
{
    const rp_motion_pose_t end = {-4.0, 0.0, 0.0};
    const rp_curve_price_t price = {.radius = 2.0, .reverse_factor = 1.5, .gear_change = 3.0};
    rp_words_reeds_shepp(&origin, &end, &price, &list);
    ck_assert_double_eq_tol(list.curves[0].cost, 6.0, 1e-12);
    ck_assert_double_eq_tol(rp_curve_length(&list.curves[0]), 4.0, 1e-12);
}
END_TEST

START_TEST(where_changes_of_gear_are_dear_one_gear_is_cheapest)
{
    const rp_motion_pose_t end = {0.0, 3.0, 0.0}; // parking sideways
    rp_curve_price_t price = {.radius = 2.0, .reverse_factor = 1.0, .gear_change = 0.1};
    rp_words_reeds_shepp(&origin, &end, &price, &list);
    ck_assert(changes_gear(&list.curves[0]));
    price.gear_change = 100.0;
    rp_words_reeds_shepp(&origin, &end, &price, &list);
    ck_assert(!changes_gear(&list.curves[0]));
}
END_TEST

START_TEST(a_first_piece_in_another_gear_than_before_is_a_change)
{
    const rp_motion_pose_t end = {-4.0, 0.0, 0.0};
    rp_curve_price_t price = {.radius = 2.0, .reverse_factor = 1.0, .gear_change = 3.0, .gear = -1};
    rp_words_reeds_shepp(&origin, &end, &price, &list);
    ck_assert_double_eq_tol(list.curves[0].cost, 4.0, 1e-12);
    price.gear = 1;
    rp_words_reeds_shepp(&origin, &end, &price, &list);
    ck_assert_double_eq_tol(list.curves[0].cost, 7.0, 1e-12);
}
END_TEST

START_TEST(when_reverse_is_dear_the_cheapest_is_dubins)
{
    for (uint32_t i = 0; i < RP_ROUNDS(2000u); i++) {
        const rp_motion_pose_t end = random_pose(6.0);
        const rp_curve_price_t price = {.radius = 2.0, .reverse_factor = 1e6};
        rp_words_dubins(&origin, &end, &price, &list);
        const double forwards = list.curves[0].cost;
        rp_words_reeds_shepp(&origin, &end, &price, &list);
        RP_EACH(list.curves[0].cost == forwards);
    }
}
END_TEST

START_TEST(a_curve_becomes_segments_that_follow_each_other)
{
    const rp_motion_pose_t end = {1.0, 3.0, 2.0};
    const rp_curve_price_t price = plain(2.0);
    rp_segment_t segments[RP_CURVE_PIECES_MAX];
    rp_words_reeds_shepp(&origin, &end, &price, &list);
    const rp_curve_t *curve = &list.curves[0];
    ck_assert_uint_eq(rp_curve_segments(curve, &origin, segments), curve->count);
    ck_assert_double_eq_tol(rp_segment_sum(segments, curve->count), rp_curve_length(curve), 1e-12);
    for (uint32_t i = 0; i < curve->count; i++) {
        ck_assert(segments[i].length > 0.0);
        ck_assert(segments[i].curvature == curve->sides[i] / 2.0);
        ck_assert(segments[i].gear == (curve->lengths[i] < 0.0 ? -1 : 1));
    }
    for (uint32_t i = 1; i < curve->count; i++) {
        ck_assert(segments[i].start.x == rp_segment_end(&segments[i - 1u]).x);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        every_curve_ends_at_the_pose,
        every_curve_to_a_point_ends_there_in_one_gear,
        the_shortest_curve_to_a_point_is_dubins_with_the_best_of_720_headings,
        far_apart_all_four_of_arc_line_arc_exist,
        all_words_occur,
        the_way_back_in_the_other_gear_is_as_long,
        rounding_makes_no_circle_of_an_arc_that_vanishes,
        the_cheapest_is_the_first_of_the_list,
        two_arcs_without_a_line_between_are_found,
        no_arc_of_a_word_with_a_change_of_gear_passes_half_a_circle,
        to_a_point_inside_the_circle_lead_three_curves,
        from_a_pose_to_itself_nothing_is_driven,
        straight_ahead_is_one_line,
        reverse_costs_its_factor,
        where_changes_of_gear_are_dear_one_gear_is_cheapest,
        a_first_piece_in_another_gear_than_before_is_a_change,
        when_reverse_is_dear_the_cheapest_is_dubins,
        a_curve_becomes_segments_that_follow_each_other,
    };
    return rp_suite_run("words", tests, sizeof tests / sizeof *tests, 1, NULL);
}
