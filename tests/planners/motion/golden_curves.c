/// A number made of every bit of 1,000 curves: words, costs, segments, poses along them, distances
/// to cells, and which cells a vehicle meets.
#include <inttypes.h>
#include <stdio.h>

#include "planners/motion/sweep.h"
#include "planners/motion/words.h"
#include "tests/support/random.h"

#define CURVES 1000u

static rp_random_t chance = {1000};
static uint64_t digest = 0xcbf29ce484222325u;

static void take(double value)
{
    union {
        double value;
        uint8_t bytes[sizeof value];
    } bits = {.value = value};
    for (uint32_t i = 0; i < sizeof value; i++) {
        digest = (digest ^ bits.bytes[i]) * 0x100000001b3u;
    }
}

static void take_pose(rp_motion_pose_t pose)
{
    take(pose.x);
    take(pose.y);
    take(pose.heading);
}

/// A multiple of 2^-20 below `reach` in size, which is exact everywhere.
static double random_number(double reach)
{
    return reach * ((double)rp_random_below(&chance, 1u << 21) / (1u << 20) - 1.0);
}

static rp_motion_pose_t random_pose(void)
{
    rp_motion_pose_t pose = {
        .x = random_number(
            8.0)}; // one after the other: the order of an initialiser's calls is nobody's promise
    pose.y = random_number(8.0);
    pose.heading = random_number(4.0);
    return pose;
}

static void take_sweep(const rp_vehicle_t *vehicle, const rp_segment_t *segment)
{
    rp_sweep_t sweep;
    rp_sweep_begin(&sweep, vehicle, segment);
    for (double x = -8.0; x <= 8.0; x += 4.0) {
        take(rp_sweep_distance(segment, x, 3.0));
        take(rp_sweep_meets(&sweep, x, 3.0) ? 1.0 : 0.0);
    }
}

static void take_curve(const rp_vehicle_t *vehicle, const rp_curve_t *curve,
                       const rp_motion_pose_t *start)
{
    rp_segment_t segments[RP_CURVE_PIECES_MAX];
    const uint32_t count = rp_curve_segments(curve, start, segments);
    take(curve->cost);
    for (uint32_t i = 0; i < count; i++) {
        take_pose(segments[i].start);
        take(segments[i].curvature);
        take(segments[i].length);
        take_pose(rp_segment_pose(&segments[i], 0.375 * segments[i].length));
        take_sweep(vehicle, &segments[i]);
    }
}

int main(void)
{
    rp_curve_list_t list;
    uint32_t left = CURVES;
    rp_vehicle_t vehicle;
    if (rp_vehicle_set_footprint(&vehicle, (const double[]){3.0, -1.0, -1.0, 3.0},
                                 (const double[]){1.0, 1.5, -1.5, -1.0}, 4, 0.0) != NULL) {
        return 1;
    }
    while (left > 0) {
        const rp_motion_pose_t start = random_pose();
        const rp_motion_pose_t end = random_pose();
        const rp_curve_price_t price = {.radius = 2.5, .reverse_factor = 1.25, .gear_change = 0.5};
        rp_words_to_point(&start, end.x, end.y, 1, &price, &list);
        take_curve(&vehicle, &list.curves[0], &start);
        left--;
        rp_words_reeds_shepp(&start, &end, &price, &list);
        for (uint32_t i = 0; i < list.count && left > 0; i++) {
            take_curve(&vehicle, &list.curves[i], &start);
            left--;
        }
    }
    printf("%016" PRIx64 "\n", digest);
    return 0;
}
