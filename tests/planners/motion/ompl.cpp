/// The words beside OMPL's: lengths over random pairs of poses, half of them on a lattice, and where our curves end. Says the largest differences,
/// and what a query takes both. Fails when one is above 1e-9.
/// usage: ompl PAIRS
#include <ompl/base/spaces/DubinsStateSpace.h>
#include <ompl/base/spaces/ReedsSheppStateSpace.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

extern "C" {
#include "planners/motion/trig.h"
#include "planners/motion/words.h"
#include "tests/support/random.h"
}

namespace ob = ompl::base;
using state_t = ob::SE2StateSpace::StateType;

static rp_random_t chance = {35};

static double between(double low, double high)
{
    return low + (high - low) * ((double)(rp_random_next(&chance) >> 11) * std::ldexp(1.0, -53));
}

static double seconds()
{
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static rp_motion_pose_t random_pose()
{
    return {between(-10, 10), between(-10, 10), between(-M_PI, M_PI)};
}

/// On a cell centre, with one of 16 headings: where circles just touch and pieces vanish.
static rp_motion_pose_t lattice_pose()
{
    static const double vectors[][2] = {{1, 0}, {2, 1}, {1, 1}, {1, 2}};
    const uint32_t heading = rp_random_below(&chance, 16);
    const double *vector = vectors[heading % 4];
    const double x = rp_random_below(&chance, 13) - 6.0;
    const double y = rp_random_below(&chance, 13) - 6.0;
    return {x, y, std::atan2(vector[1], vector[0]) + heading / 4 * M_PI / 2};
}

static void set(state_t *state, const rp_motion_pose_t &pose)
{
    state->setXY(pose.x, pose.y);
    state->setYaw(std::remainder(pose.heading, 2.0 * M_PI));
}

/// How far the ends of all curves of a list lie from where they should, headings counted as cells.
static double worst_end(const rp_curve_list_t &list, const rp_motion_pose_t &start, const rp_motion_pose_t &end)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < list.count; i++) {
        const rp_motion_pose_t is = rp_curve_end(&list.curves[i], &start);
        const double turn = std::fabs(std::remainder(is.heading - end.heading, 2.0 * M_PI));
        worst = std::max(worst, std::max(std::hypot(is.x - end.x, is.y - end.y), turn));
    }
    return worst;
}

struct worst_t {
    double dubins, reeds_shepp, end, most;
};

struct spaces_t {
    ob::DubinsStateSpace dubins;
    ob::ReedsSheppStateSpace reeds_shepp;
    state_t *start, *end;

    explicit spaces_t(double radius) : dubins(radius), reeds_shepp(radius)
    {
        start = dubins.allocState()->as<state_t>();
        end = dubins.allocState()->as<state_t>();
    }
};

static void compare(spaces_t &spaces, double radius, bool on_lattice, worst_t &worst)
{
    const rp_motion_pose_t start = on_lattice ? lattice_pose() : random_pose();
    const rp_motion_pose_t end = on_lattice ? lattice_pose() : random_pose();
    const rp_curve_price_t price = {radius, 1.0, 0.0, 0};
    rp_curve_list_t list;
    set(spaces.start, start);
    set(spaces.end, end);
    rp_words_dubins(&start, &end, &price, &list);
    worst.dubins = std::max(worst.dubins, std::fabs(list.curves[0].cost - spaces.dubins.distance(spaces.start, spaces.end)));
    worst.end = std::max(worst.end, worst_end(list, start, end));
    rp_words_reeds_shepp(&start, &end, &price, &list);
    const double difference = std::fabs(list.curves[0].cost - spaces.reeds_shepp.distance(spaces.start, spaces.end));
    worst.reeds_shepp = std::max(worst.reeds_shepp, difference);
    worst.end = std::max(worst.end, worst_end(list, start, end));
    worst.most = std::max(worst.most, (double)list.count);
}

template <typename F> static double nanoseconds(F ask)
{
    const int count = 100000;
    const double begin = seconds();
    for (int i = 0; i < count; i++) {
        ask(random_pose());
    }
    return 1e9 * (seconds() - begin) / count;
}

static void measure(spaces_t &spaces, double radius)
{
    const rp_motion_pose_t start = {0.0, 0.0, 0.0};
    const rp_curve_price_t price = {radius, 1.0, 0.0, 0};
    rp_curve_list_t list;
    rp_curve_t curve;
    volatile double sum = 0.0;
    set(spaces.start, start);
    const double idle = nanoseconds([&](rp_motion_pose_t end) { sum = sum + end.x; });
    const double dubins = nanoseconds([&](rp_motion_pose_t end) {
        rp_words_dubins_cheapest(&start, &end, &price, &curve);
        sum = sum + curve.cost;
    });
    const double all_dubins = nanoseconds([&](rp_motion_pose_t end) {
        rp_words_dubins(&start, &end, &price, &list);
        sum = sum + list.curves[0].cost;
    });
    const double reeds_shepp = nanoseconds([&](rp_motion_pose_t end) {
        rp_words_reeds_shepp_cheapest(&start, &end, &price, &curve);
        sum = sum + curve.cost;
    });
    const double all_reeds_shepp = nanoseconds([&](rp_motion_pose_t end) {
        rp_words_reeds_shepp(&start, &end, &price, &list);
        sum = sum + list.curves[0].cost;
    });
    const double their_dubins = nanoseconds([&](rp_motion_pose_t end) {
        set(spaces.end, end);
        sum = sum + spaces.dubins.distance(spaces.start, spaces.end);
    });
    const double their_reeds_shepp = nanoseconds([&](rp_motion_pose_t end) {
        set(spaces.end, end);
        sum = sum + spaces.reeds_shepp.distance(spaces.start, spaces.end);
    });
    std::printf("ns a query, the cheapest, all in order, OMPL's shortest: Dubins %.0f, %.0f, %.0f; Reeds-Shepp %.0f, %.0f, %.0f\n",
                dubins - idle, all_dubins - idle, their_dubins - idle, reeds_shepp - idle, all_reeds_shepp - idle,
                their_reeds_shepp - idle);
}

int main(int argc, char **argv)
{
    const long pairs = argc > 1 ? std::atol(argv[1]) : 1000;
    static const double radii[] = {1.0, 2.0, 2.5, 8.0};
    worst_t worst = {};
    for (double radius : radii) {
        spaces_t spaces(radius);
        for (long i = 0; i < pairs / 4; i++) {
            compare(spaces, radius, i % 2 == 0, worst);
        }
    }
    std::printf("%ld pairs: largest difference of Dubins %.2g, of Reeds-Shepp %.2g; of ends %.2g; most curves of a pair %.0f\n",
                pairs / 4 * 4, worst.dubins, worst.reeds_shepp, worst.end, worst.most);
    spaces_t spaces(2.0);
    measure(spaces, 2.0);
    return worst.dubins < 1e-9 && worst.reeds_shepp < 1e-9 && worst.end < 1e-9 ? 0 : 1;
}
