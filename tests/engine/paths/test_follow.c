/// Following against the reference: lines of random steps, whatever they lead through, and poses on
/// them, beside them and behind what stands between.
#include "engine/paths/follow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/paths/chance_ground.h"
#include "tests/engine/paths/following_reference.h"
#include "tests/support/suite.h"

#define STEPS_MOST 9u
#define SLACK      1e-6

/// A line: a way, a path, and both as cells of the reference.
typedef struct line {
    rp_way_t way;
    rp_published_path_t path;
    uint32_t cells[STEPS_MOST + 1u];
    uint32_t count;  ///< of the cells
    uint32_t passed; ///< of the steps
} line_t;

/// What is asked.
typedef struct question {
    double x_m;
    double y_m;
    double radius;
    bool was_beside;
} question_t;

static rp_random_t rng;
static rp_chance_ground_t ground;
static line_t line;

static void tear_down(void)
{
    rp_way_fini(&line.way);
    rp_published_path_fini(&line.path);
    rp_chance_ground_fini(&ground);
}

// ---- what is asked

/// Some steps anywhere, but not within an obstacle; the first of them are the way, and some lie
/// behind the agent.
static void draw_line(void)
{
    uint8_t steps[STEPS_MOST];
    rp_cell_t cells[STEPS_MOST + 1u];
    uint32_t count = 0;
    uint32_t cell = rp_random_below(&rng, ground.world.width * ground.world.height);
    rp_way_fini(&line.way);
    rp_published_path_fini(&line.path);
    line.cells[0] = cell;
    for (uint32_t left = rp_random_below(&rng, STEPS_MOST + 1u); left > 0; left--) {
        const unsigned step = rp_random_below(&rng, RP_DIRECTIONS);
        const uint32_t next = rp_escape_step(&ground.world, cell, step);
        if (next != RP_ESCAPE_NO_CELL &&
            !(ground.world.is_obstacle[cell] && ground.world.is_obstacle[next])) {
            steps[count++] = (uint8_t)step;
            line.cells[count] = cell = next;
        }
    }
    for (uint32_t i = 0; i <= count; i++) {
        cells[i] = rp_chance_ground_cell(&ground, line.cells[i]);
    }
    const uint32_t of_way = rp_random_chance(&rng, 50) ? 0 : rp_random_below(&rng, count + 1u);
    const rp_path_t path = {&cells[of_way], count - of_way + 1u};
    line.way = (rp_way_t){.steps = malloc(STEPS_MOST), .count = of_way, .at = cells[0]};
    ck_assert_ptr_nonnull(line.way.steps);
    memcpy(line.way.steps, steps, of_way);
    ck_assert_int_eq(rp_published_path_keep(&line.path, ground.layer.grid, &path), RP_OK);
    line.count = count + 1u;
    line.passed = rp_random_chance(&rng, 50) ? 0 : rp_random_below(&rng, count + 1u);
    rp_way_pass(&line.way, ground.layer.grid, line.passed < of_way ? line.passed : of_way);
    rp_published_path_pass(&line.path, ground.layer.grid,
                           line.passed < of_way ? 0 : line.passed - of_way);
}

/// A pose near the line, or anywhere.
static question_t ask(void)
{
    static const double radii[] = {0.0, 0.6, 1.0, 1.5, 2.5, 4.0};
    uint32_t cell = rp_random_below(&rng, ground.world.width * ground.world.height);
    if (rp_random_chance(&rng, 80)) {
        cell = line.cells[rp_random_below(&rng, line.count)];
        for (uint32_t left = rp_random_below(&rng, 3); left > 0; left--) {
            const uint32_t next =
                rp_escape_step(&ground.world, cell, rp_random_below(&rng, RP_DIRECTIONS));
            cell = next != RP_ESCAPE_NO_CELL ? next : cell;
        }
    }
    const bool is_at_corner = rp_random_chance(&rng, 25);
    return (question_t){
        .x_m = cell % ground.world.width +
               (is_at_corner ? rp_random_below(&rng, 2) : rp_chance_ground_within(&rng)),
        .y_m = (uint32_t)(cell / ground.world.width) +
               (is_at_corner ? rp_random_below(&rng, 2) : rp_chance_ground_within(&rng)),
        .radius = radii[rp_random_below(&rng, 6)],
        .was_beside = rp_random_chance(&rng, 50),
    };
}

/// No line leads into an obstacle or was cut beside one; who stands in one is at the beginning of a
/// way, if in the line.
static bool may_be_asked(const question_t *question)
{
    double at[2];
    const uint32_t own = rp_escape_cell(&ground.world, question->x_m, question->y_m, at);
    uint32_t i = line.passed;
    while (i < line.count && line.cells[i] != own) {
        i++;
    }
    if (question->was_beside && ground.world.is_obstacle[line.cells[line.passed]]) {
        return false;
    }
    return i == line.count || !ground.world.is_obstacle[own] ||
           (i == 0 && line.way.count != 0 &&
            rp_chance_ground_may_step(&ground, own, line.way.steps[0]));
}

// ---- what is right

/// The reference may see the line by a hair's breadth, and the engine not, or the other way round:
/// what is seen from a little beside the pose is as good. So is either way round a torus.
typedef struct range {
    double least;
    double most;
} range_t;

typedef double (*distance_t)(const question_t *question, double x_m, double y_m, uint32_t number);

static range_t look_from_around(const question_t *question, distance_t distance, uint32_t number)
{
    range_t range = {INFINITY, 0.0};
    for (unsigned i = 0; i < 9; i++) {
        const double x_m = question->x_m + 1e-7 * ((double)(i % 3u) - 1.0);
        const double y_m = question->y_m + 1e-7 * ((double)(uint32_t)(i / 3u) - 1.0);
        const double off = distance(question, x_m, y_m, number);
        range.least = fmin(range.least, off);
        range.most = fmax(range.most, off);
    }
    return range;
}

static double half(double x_m, double y_m, uint32_t outer, uint32_t inner)
{
    return rp_following_half_m(&ground.world, x_m, y_m, line.cells[outer], line.cells[inner]);
}

/// Of the whole line that is left.
static double distance_of_line(const question_t *question, double x_m, double y_m, uint32_t number)
{
    const double off_m =
        rp_following_distance_m(&ground.world, x_m, y_m, &line.cells[number], line.count - number);
    return question->was_beside && number != 0 ? fmin(off_m, half(x_m, y_m, number - 1u, number))
                                               : off_m;
}

/// Of the part of the line that lies in one of its cells.
static double distance_of_cell(const question_t *question, double x_m, double y_m, uint32_t number)
{
    double off_m = rp_following_distance_m(&ground.world, x_m, y_m, &line.cells[number], 1);
    if (number + 1u < line.count) {
        off_m = fmin(off_m, half(x_m, y_m, number + 1u, number));
    }
    if (number > line.passed || (number != 0 && question->was_beside)) {
        off_m = fmin(off_m, half(x_m, y_m, number - 1u, number));
    }
    return off_m;
}

/// Whether the line begins rightly in a cell: the agent stands there first, or the nearest part of
/// the line lies there, of those that are as near the first.
static bool begins_there(const question_t *question, const rp_pose_t *pose, range_t off,
                         uint32_t number)
{
    const uint32_t own = rp_chance_ground_number(&ground, pose->cell);
    if (off.most == 0.0) {
        uint32_t first = line.passed;
        while (line.cells[first] != own) {
            first++;
        }
        return number == first;
    }
    for (uint32_t i = line.passed; i < number; i++) {
        if (look_from_around(question, distance_of_cell, i).most < off.least - SLACK) {
            return false;
        }
    }
    return off.least == 0.0 ||
           look_from_around(question, distance_of_cell, number).least <= off.most + SLACK;
}

/// @return NULL when it is right, else a sentence
static const char *judge(const question_t *question)
{
    const uint32_t passed = line.passed;
    const rp_pose_t pose = rp_chance_ground_pose(&ground, question->x_m, question->y_m);
    const range_t off = look_from_around(question, distance_of_line, passed);
    const bool follows = rp_follow(&ground.layer, &line.way, &line.path, &pose, question->radius,
                                   question->was_beside);
    const uint32_t number = line.way.first + line.path.first;
    const rp_cell_t begins = rp_way_left(&line.way) != 0 ? line.way.at : line.path.at;
    if (number < passed || begins != rp_chance_ground_cell(&ground, line.cells[number])) {
        return "way and path do not begin where the steps led";
    }
    if (!follows) {
        return off.most == 0.0 || off.most < question->radius - SLACK ? "it does not follow"
               : number != passed                                     ? "it is cut"
                                                                      : NULL;
    }
    return off.least > question->radius + SLACK ? "it follows"
           : !begins_there(question, &pose, off, number)
               ? "the line does not begin where it is nearest"
               : NULL;
}

// ---- tests

START_TEST(a_pose_follows_what_the_reference_says_and_the_line_begins_beside_it)
{
    for (unsigned round = 0; round < RP_ROUNDS(400); round++) {
        const uint64_t seed = (uint64_t)_i * 100000u + round;
        rng = (rp_random_t){seed};
        rp_chance_ground_init(&ground, &rng,
                              &(rp_chance_ground_options_t){9, rp_random_below(&rng, 3) * 15u, 20});
        for (unsigned i = 0; i < 10; i++) {
            draw_line();
            const question_t question = ask();
            const char *wrong = may_be_asked(&question) ? judge(&question) : NULL;
            ck_assert_msg(wrong == NULL, "seed %llu, line %u: %s", (unsigned long long)seed, i,
                          wrong);
        }
        rp_chance_ground_fini(&ground);
    }
}
END_TEST

/// A pose on a corner of an obstacle, of which a little beside is not as good: the reference, which
/// is asked around, says nothing of it.
START_TEST(on_a_corner_of_an_obstacle_only_what_lies_on_the_own_side_is_seen)
{
    static const struct {
        double x_m;
        double y_m;
        uint32_t from[2];
        uint32_t direction;
        uint32_t steps;
        double distance; ///< to the nearest point that is seen; INFINITY: none
        uint32_t number; ///< of the cell that it lies in
    } cases[] = {
        {2.0, 2.0, {3, 3}, 2, 1, M_SQRT2 * 1.5, 0}, // the own cell is (2, 2)
        {2.0, 2.0, {3, 0}, 2, 1, INFINITY, 0},
        {2.0, 2.0, {0, 3}, 0, 1, INFINITY, 0},
        {2.0, 2.0, {3, 0}, 2, 4, 1.5, 1},
        {2.0, 2.0, {3, 4}, 6, 4, 1.5, 2},
        {2.0, 2.0, {0, 3}, 0, 4, 1.5, 1},
        {2.0, 2.0, {4, 3}, 4, 4, 1.5, 2},
        {2.0, 2.0, {0, 0}, 1, 0, INFINITY, 0},
        {5.0, 2.0, {3, 3}, 2, 1, M_SQRT2 * 1.5, 0}, // on the closing border it is (4, 2)
        {5.0, 2.0, {3, 0}, 2, 4, 1.5, 1},
    };
    static const rp_chance_ground_options_t open = {5, 0, 0};
    do {
        rp_chance_ground_fini(&ground);
        rp_chance_ground_init(&ground, &rng, &open);
    } while (ground.world.width != 5 || ground.world.height != 5 || ground.world.wraps);
    ground.bytes[1u * 5u + 1u] = ground.bytes[1u * 5u + 4u] = 1;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rp_cell_t cells[5];
        const rp_pose_t pose = rp_chance_ground_pose(&ground, cases[i].x_m, cases[i].y_m);
        cells[0] = rp_chance_ground_cell(&ground, cases[i].from[1] * 5u + cases[i].from[0]);
        for (uint32_t j = 0; j < cases[i].steps; j++) {
            cells[j + 1u] = rp_grid_step(ground.layer.grid, cells[j], cases[i].direction);
        }
        const rp_path_t path = {cells, cases[i].steps + 1u};
        for (unsigned j = 0; j < 2; j++) {
            const double radius = isinf(cases[i].distance) ? 4.0 : cases[i].distance;
            const bool follows = j == 0 && !isinf(cases[i].distance);
            ck_assert_int_eq(rp_published_path_keep(&line.path, ground.layer.grid, &path), RP_OK);
            ck_assert_msg(rp_follow(&ground.layer, &line.way, &line.path, &pose,
                                    j == 0 ? radius + 1e-6 : radius - 1e-6, false) == follows,
                          "case %u, %s the distance", i, j == 0 ? "beyond" : "below");
            ck_assert_msg(line.path.first == (follows ? cases[i].number : 0),
                          "case %u is cut to cell %u", i, line.path.first);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {
        a_pose_follows_what_the_reference_says_and_the_line_begins_beside_it};
    const TTest *const once[] = {on_a_corner_of_an_obstacle_only_what_lies_on_the_own_side_is_seen};
    const int failed = rp_suite_run("follow", rounds, 1, 4, tear_down);
    return rp_suite_run("follow", once, 1, 1, tear_down) + failed;
}
