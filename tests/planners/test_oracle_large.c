/// Random churn in large worlds: every planner against the oracle where paths are long, what is far
/// away is kept, and idle time goes a long way. What the small worlds of test_oracle.c never come
/// to: repairs that are given up, searches beside an old field, thousands of cells in one batch.
///
///     test_oracle_large [plans] [seed] [planner]
///
/// The oracle looks at all of a world for each plan, so that some 50 plans take a second. A world
/// is named by its seed; a mismatch leaves it behind as a replan-script, and `test_oracle_large 100
/// <seed> <planner>` runs it again.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/trial.h"

#define PLANS_DEFAULT RP_ROUNDS(8u)
#define SEED_DEFAULT  1u
#define PLANS_MOST    100u ///< of one world

#define SIDE_LEAST 150u
#define SIDE_MOST  600u

/// Which ends move, in all of a world.
typedef enum manner {
    BOTH_STAY,
    START_WALKS, ///< along its path
    GOAL_WANDERS,
    MANNERS,
} manner_t;

typedef struct world {
    rp_trial_t *trial;
    rp_random_t *random;
    rp_grid_shape_t shape;
    manner_t manner;
    uint32_t blocked; ///< in 100 cells
    uint8_t dearest;  ///< greatest factor
} world_t;

typedef struct place {
    uint32_t x;
    uint32_t y;
} place_t;

static place_t place_at(const world_t *world, uint32_t place)
{
    return (place_t){place % world->shape.width, place / world->shape.width};
}

static place_t draw_place(const world_t *world)
{
    return (place_t){rp_random_below(world->random, world->shape.width),
                     rp_random_below(world->random, world->shape.height)};
}

static bool is_inside(const world_t *world, place_t place)
{
    return place.x < world->shape.width && place.y < world->shape.height;
}

static bool is_end(const world_t *world, place_t place)
{
    const uint32_t number = place.y * world->shape.width + place.x;
    return number == world->trial->start || number == world->trial->goals[0].place;
}

static bool has_path(const world_t *world)
{
    return world->trial->plan.outcome == RP_OUTCOME_FOUND;
}

// ---- a world

static rp_grid_shape_t draw_shape(rp_random_t *random, uint32_t capabilities)
{
    const bool has_4 = (capabilities & RP_CAN_4) != 0;
    const bool has_8 = (capabilities & RP_CAN_8) != 0;
    const bool is_wrapped = rp_random_chance(random, 20);
    const bool is_eight = rp_random_chance(random, 50);
    return (rp_grid_shape_t){
        .width = rp_random_between(random, SIDE_LEAST, SIDE_MOST),
        .height = rp_random_between(random, SIDE_LEAST, SIDE_MOST),
        .neighbors = has_8 && (is_eight || !has_4) ? 8 : 4,
        .wraps = is_wrapped && (capabilities & RP_CAN_WRAP) != 0,
        .unit = 1,
        .least = 1,
    };
}

static void draw_ground(world_t *world)
{
    const uint32_t cells = world->shape.width * world->shape.height;
    for (uint32_t i = 0; i < cells / 100u * world->blocked; i++) {
        const place_t place = draw_place(world);
        rp_trial_set(world->trial, place.x, place.y, 0);
    }
    for (uint32_t i = 0; world->dearest > 1 && i < cells / 3u; i++) {
        const place_t place = draw_place(world);
        const uint32_t factor = rp_random_between(world->random, 1, world->dearest);
        rp_trial_set(world->trial, place.x, place.y, (uint8_t)factor);
    }
}

/// The ends lie in opposite corners.
static void open_world(world_t *world, uint32_t capabilities)
{
    rp_random_t *random = world->random;
    world->shape = draw_shape(random, capabilities);
    world->manner = (manner_t)rp_random_below(random, MANNERS);
    world->blocked = rp_random_between(random, 10, 31);
    const bool is_weighted = rp_random_chance(random, 33);
    world->dearest = is_weighted && (capabilities & RP_CAN_WEIGHTED) != 0 ? 9 : 1;
    if (rp_trial_bind(world->trial, &world->shape) != RP_OK) {
        abort(); // the shape was drawn from what the planner says it can
    }
    draw_ground(world);
    const place_t far = {world->shape.width - 2u, world->shape.height - 2u};
    rp_trial_set(world->trial, 1, 1, 1);
    rp_trial_set(world->trial, far.x, far.y, 1);
    rp_trial_set_start(world->trial, 1, 1);
    rp_trial_set_goal(world->trial, far.x, far.y);
}

// ---- what happens between two plans

/// An end, or somewhere on the path.
static place_t draw_middle(const world_t *world)
{
    const rp_trial_t *trial = world->trial;
    const uint32_t kind = rp_random_below(world->random, 5);
    if (kind == 0) {
        return place_at(world, trial->start);
    }
    if (kind == 1 && has_path(world)) {
        return place_at(world,
                        trial->places[rp_random_below(world->random, trial->plan.path.count)]);
    }
    return place_at(world, trial->goals[0].place);
}

static uint32_t draw_size(rp_random_t *random)
{
    return rp_random_chance(random, 10)   ? rp_random_below(random, 2000)
           : rp_random_chance(random, 67) ? rp_random_between(random, 1, 60)
                                          : rp_random_between(random, 1, 4);
}

/// Cells all round one place change, as many of them blocked as everywhere.
static void write_batch(world_t *world)
{
    rp_random_t *random = world->random;
    const place_t middle = draw_middle(world);
    const uint32_t reach = 4u + rp_random_below(random, rp_random_chance(random, 75) ? 70 : 300);
    for (uint32_t left = draw_size(random); left != 0; left--) {
        const place_t place = {middle.x + rp_random_below(random, 2u * reach + 1u) - reach,
                               middle.y + rp_random_below(random, 2u * reach + 1u) - reach};
        const bool is_blocked = rp_random_chance(random, world->blocked + 5u);
        const uint32_t factor = is_blocked ? 0 : rp_random_between(random, 1, world->dearest);
        if (is_inside(world, place) && !is_end(world, place)) {
            rp_trial_set(world->trial, place.x, place.y, (uint8_t)factor);
        }
    }
}

static void wall_goal_in(world_t *world)
{
    const place_t goal = place_at(world, world->trial->goals[0].place);
    for (uint32_t i = 0; i < 9u; i++) {
        const place_t place = {goal.x + i % 3u - 1u, goal.y + i / 3u - 1u};
        if (is_inside(world, place) && !is_end(world, place)) {
            rp_trial_set(world->trial, place.x, place.y, 0);
        }
    }
}

/// Some steps along the path that was judged last.
static void walk_on(world_t *world)
{
    const rp_trial_t *trial = world->trial;
    const uint32_t steps = rp_random_between(world->random, 1, 3);
    if (has_path(world) && trial->plan.path.count > steps) {
        const place_t place = place_at(world, trial->places[steps]);
        rp_trial_set_start(world->trial, place.x, place.y);
    }
}

/// One step, onto ground that is free.
static void let_goal_wander(world_t *world)
{
    const place_t goal = place_at(world, world->trial->goals[0].place);
    const place_t to = {goal.x + rp_random_below(world->random, 3) - 1u,
                        goal.y + rp_random_below(world->random, 3) - 1u};
    if (is_inside(world, to) && rp_trial_factor(world->trial, to.x, to.y) != 0) {
        rp_trial_set_goal(world->trial, to.x, to.y);
    }
}

static void send_goal_anywhere(world_t *world)
{
    const place_t goal = draw_place(world);
    rp_trial_set(world->trial, goal.x, goal.y, 1);
    rp_trial_set_goal(world->trial, goal.x, goal.y);
}

static void move_ends(world_t *world)
{
    if (world->manner == START_WALKS && rp_random_chance(world->random, 50)) {
        walk_on(world);
    } else if (world->manner == GOAL_WANDERS && rp_random_chance(world->random, 33)) {
        let_goal_wander(world);
    }
    if (rp_random_chance(world->random, 2)) {
        send_goal_anywhere(world);
    }
}

/// Time that nobody needs: none, a little, some, or until nothing is left to do.
static void idle_a_while(world_t *world)
{
    static const uint32_t most[] = {0, 3000, 200000, UINT32_MAX};
    const uint32_t which = rp_random_below(world->random, sizeof most / sizeof most[0]);
    uint64_t budget = which == 3u ? UINT64_MAX : rp_random_below(world->random, most[which] + 1u);
    (void)rp_planner_idle(world->trial->planner, &budget);
}

// ---- plans

static uint64_t draw_budget(rp_random_t *random)
{
    return rp_random_chance(random, 67)   ? 8192
           : rp_random_chance(random, 50) ? UINT64_MAX
                                          : rp_random_between(random, 1, 2000);
}

/// @return NULL when it is right, else a sentence
static const char *one_plan(world_t *world)
{
    rp_random_t *random = world->random;
    while (rp_random_chance(random, 12)) { // a search that what comes next cuts off
        rp_trial_tell(world->trial);
        const uint64_t slice = rp_random_between(random, 1, 3000);
        const rp_status_t status = rp_trial_slice(world->trial, slice);
        const char *complaint = status == RP_OK ? rp_trial_judge(world->trial)
                                : status < 0    ? rp_status_text(status)
                                                : NULL;
        if (complaint != NULL) {
            return complaint;
        }
        write_batch(world);
    }
    return rp_trial_plan(world->trial, draw_budget(random));
}

/// @param plans  at most; counted down
/// @return true when the planner agreed with the oracle in every one
static bool run_world(const rp_planner_info_t *info, rp_trial_t *trial, uint64_t seed,
                      uint64_t *plans)
{
    rp_random_t random = {seed};
    world_t world = {.trial = trial, .random = &random};
    open_world(&world, info->capabilities);
    const uint32_t most = rp_random_between(&random, PLANS_MOST / 4u, PLANS_MOST);
    for (uint32_t plan = 0; plan < most && *plans != 0; plan++, --*plans) {
        const char *complaint = one_plan(&world);
        if (complaint != NULL) {
            fprintf(stderr, "%s: world %" PRIu64 ", plan %" PRIu32 ": %s (%s: %s)\n", info->id,
                    seed, plan, complaint, trial->plan.stats.planner, trial->plan.stats.why);
            rp_script_save(&trial->script, info->id, seed);
            return false;
        }
        idle_a_while(&world);
        move_ends(&world);
        write_batch(&world);
        if (rp_random_chance(&random, 2)) {
            wall_goal_in(&world);
        }
    }
    return true;
}

static bool run_planner(const rp_planner_info_t *info, uint64_t plans, uint64_t seed)
{
    rp_trial_t trial;
    if (rp_trial_init(&trial, info->id, NULL) != RP_OK) {
        printf("%s: cannot be made\n", info->id);
        return false;
    }
    uint64_t left = plans;
    bool is_right = true;
    for (uint64_t world = seed; left != 0 && is_right; world++) {
        is_right = run_world(info, &trial, world, &left);
    }
    printf("%s: %" PRIu64 " plans, %d mismatches\n", info->id, plans - left, !is_right);
    rp_trial_fini(&trial);
    return is_right;
}

/// One goes over the world once for each value of f, which are thousands here.
static bool is_played(const rp_planner_info_t *info, const char *only)
{
    return only != NULL ? strcmp(only, info->id) == 0 : strcmp("me-ida", info->id) != 0;
}

int main(int argc, char **argv)
{
    const uint64_t plans = argc > 1 ? strtoull(argv[1], NULL, 10) : PLANS_DEFAULT;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : SEED_DEFAULT;
    const char *only = argc > 3 ? argv[3] : NULL;
    if (only != NULL && rp_planner_find(only) == NULL) {
        fprintf(stderr, "there is no planner %s\n", only);
        return 2;
    }
    bool is_right = true;
    const rp_planner_info_t *info;
    for (size_t i = 0; (info = rp_planner_info(i)) != NULL; i++) {
        is_right = (!is_played(info, only) || run_planner(info, plans, seed)) && is_right;
    }
    return is_right ? 0 : 1;
}
