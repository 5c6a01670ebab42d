/// Random churn: every planner, in every form, against the oracle.
///
///     test_oracle [plans] [seed] [planner]
///
/// Each planner lives through session after session, each in a world of its own: small as a rule,
/// as small worlds find almost every bug, and some as wide as what is kept in tiles needs. A
/// session is named by its seed; a mismatch leaves it behind as a replan-script, and `test_oracle 1
/// <seed> <planner>` runs it again.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/contestant.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/trial.h"

#define PLANS_DEFAULT RP_ROUNDS(3000u)
#define SEED_DEFAULT  1u

/// One in so many plans is played by a planner that checks itself, each third plan: nothing else
/// may change by that.
#define CHECKED_SHARE 16u
#define CHECK_EVERY   3u

/// The only planner that plays by itself; NULL: all.
#ifndef ORACLE_ONLY
#define ORACLE_ONLY NULL
#endif

/// With twice as many plans a planner, the first session goes on for so long: counters, k_m,
/// stamps.
#define LONG_SESSION 10000u

/// Where a session's changes fall. A planner keeps what lies far from them, so it is asked for a
/// while with nothing but changes at one place.
typedef enum where {
    ANYWHERE,
    ROUND_START,
    ROUND_GOAL,
    WHERES,
} where_t;

/// What a session draws its events from.
typedef struct churn {
    rp_trial_t *trial;
    rp_random_t *random;
    uint32_t capabilities;
    rp_grid_shape_t shape;
    uint8_t dearest;       ///< greatest factor drawn; the unit and nothing else when `is_uniform`
    bool is_uniform;       ///< for now: some sessions meet their first factor late
    uint32_t blocked_most; ///< in 100 writes
    bool has_goal_sets;
    where_t where;
    uint32_t radius; ///< of what is written round an end
    bool ends_stay;
    bool walks;     ///< the start goes along its path as a rule
    bool is_walled; ///< the ring that was written last blocks
} churn_t;

/// What was met so far: a run that hardly ever finds a path proves little.
typedef struct tally {
    uint64_t plans;
    uint64_t found;
    uint64_t restarts;
} tally_t;

// ---- worlds

/// Neither side is longer. Nine worlds in ten are at most 24 x 24.
static uint32_t draw_longest(rp_random_t *random)
{
    const uint32_t kind = rp_random_below(random, 100u);
    return kind < 10u   ? 3u
           : kind < 75u ? 12u
           : kind < 90u ? 24u
           : kind < 95u ? 40u
           : kind < 99u ? 100u
                        : 240u;
}

static uint32_t draw_side(rp_random_t *random, uint32_t least, uint32_t most)
{
    const bool is_narrow = rp_random_chance(random, 10);
    const uint32_t side = rp_random_between(random, is_narrow ? 1u : (most + 1u) / 2u, most);
    return side < least ? least : side;
}

static rp_grid_shape_t draw_shape(churn_t *churn)
{
    rp_random_t *random = churn->random;
    const bool has_4 = (churn->capabilities & RP_CAN_4) != 0;
    const bool has_8 = (churn->capabilities & RP_CAN_8) != 0;
    const bool wraps = (churn->capabilities & RP_CAN_WRAP) != 0 && rp_random_chance(random, 30);
    const bool eight = has_8 && (!has_4 || rp_random_chance(random, 60));
    const uint32_t most = draw_longest(random);
    rp_grid_shape_t shape = {
        .width = draw_side(random, wraps ? 3u : 1u, most),
        .height = draw_side(random, wraps ? 3u : 1u, most),
        .neighbors = eight ? 8 : 4,
        .wraps = wraps,
        .unit = 1,
        .least = 1,
    };
    if (rp_random_chance(random, 10)) {
        shape.unit = (uint8_t)rp_random_between(random, 2, 60);
        shape.least = (uint8_t)rp_random_between(random, 1, shape.unit);
    }
    return shape;
}

static uint8_t draw_dearest(churn_t *churn)
{
    const uint32_t unit = churn->shape.unit;
    return (uint8_t)(rp_random_chance(churn->random, 80) ? unit + 3u : 254u);
}

static uint8_t draw_factor(churn_t *churn)
{
    rp_random_t *random = churn->random;
    if (rp_random_chance(random, churn->blocked_most)) {
        return 0;
    }
    if (churn->is_uniform || rp_random_chance(random, 40)) {
        return churn->shape.unit;
    }
    return (uint8_t)rp_random_between(random, churn->shape.least, churn->dearest);
}

// ---- events

static void write_anywhere(churn_t *churn)
{
    rp_random_t *random = churn->random;
    const uint8_t factor = draw_factor(churn);
    const uint32_t y = rp_random_below(random, churn->shape.height);
    rp_trial_set(churn->trial, rp_random_below(random, churn->shape.width), y, factor);
}

/// The place itself or one of its eight neighbours, across the edges of the world too.
static uint32_t draw_beside(churn_t *churn, uint32_t place)
{
    const uint32_t width = churn->shape.width;
    const uint32_t height = churn->shape.height;
    const uint32_t x = place % width + width + rp_random_below(churn->random, 3) - 1u;
    const uint32_t y = place / width + height + rp_random_below(churn->random, 3) - 1u;
    return y % height * width + x % width;
}

/// A cell at one of the ends, or beside it: there a search has the least room for a mistake.
static void write_near_an_end(churn_t *churn)
{
    const rp_trial_t *trial = churn->trial;
    const bool at_start = rp_random_chance(churn->random, 50);
    const uint32_t place = draw_beside(churn, at_start ? trial->start : trial->goals[0].place);
    const uint32_t width = churn->shape.width;
    rp_trial_set(churn->trial, place % width, place / width, draw_factor(churn));
}

/// Wall an end in, or tear such walls down.
static void write_ring(churn_t *churn)
{
    const rp_trial_t *trial = churn->trial;
    const bool at_start = rp_random_chance(churn->random, 30);
    const uint32_t place = at_start ? trial->start : trial->goals[0].place;
    const uint32_t width = churn->shape.width;
    churn->is_walled = !churn->is_walled;
    const uint8_t factor = churn->is_walled ? 0 : churn->shape.unit;
    for (uint32_t i = 0; i < 9u; i++) {
        const uint32_t x = place % width + i % 3u - 1u;
        const uint32_t y = place / width + i / 3u - 1u;
        if (i != 4u && x < width && y < churn->shape.height) {
            rp_trial_set(churn->trial, x, y, factor);
        }
    }
}

/// Somewhere not far from the end round which all changes of this session fall.
static void write_round_an_end(churn_t *churn)
{
    const rp_trial_t *trial = churn->trial;
    const uint32_t width = churn->shape.width;
    const uint32_t place = churn->where == ROUND_START ? trial->start : trial->goals[0].place;
    const uint32_t side = 2u * churn->radius + 1u;
    const uint32_t x = place % width + rp_random_below(churn->random, side) - churn->radius;
    const uint32_t y = place / width + rp_random_below(churn->random, side) - churn->radius;
    if (x < width && y < churn->shape.height) {
        const bool is_end = y * width + x == place;
        rp_trial_set(churn->trial, x, y, is_end ? churn->shape.unit : draw_factor(churn));
    }
}

static void write_batch(churn_t *churn)
{
    static const uint32_t sizes[] = {0, 1, 1, 1, 2, 2, 5, 5};
    rp_random_t *random = churn->random;
    if (rp_random_chance(random, churn->is_walled ? 50 : 4)) {
        write_ring(churn);
    }
    if (churn->where == ANYWHERE && rp_random_chance(random, 2)) {
        for (uint32_t y = 0; y < churn->shape.height; y++) {
            for (uint32_t x = 0; x < churn->shape.width; x++) {
                rp_trial_set(churn->trial, x, y, draw_factor(churn));
            }
        }
        return;
    }
    const uint32_t size = sizes[rp_random_below(random, sizeof sizes / sizeof sizes[0])];
    for (uint32_t i = 0; i < size; i++) {
        if (churn->where != ANYWHERE) {
            write_round_an_end(churn);
        } else if (rp_random_chance(random, 35)) {
            write_near_an_end(churn);
        } else {
            write_anywhere(churn);
        }
    }
}

/// The place that is drawn may be one in the middle of the path.
static uint32_t draw_of_interest(churn_t *churn)
{
    const rp_trial_t *trial = churn->trial;
    const uint32_t room = churn->shape.width * churn->shape.height;
    const bool has_path = trial->plan.outcome == RP_OUTCOME_FOUND && trial->plan.path.count != 0;
    if (rp_random_chance(churn->random, 50)) {
        return rp_random_below(churn->random, room);
    }
    return draw_beside(churn, has_path ? trial->places[trial->plan.path.count / 2u] : trial->start);
}

#define VAIN_CELLS    3u
#define VAIN_MESSAGES 4u

/// Write some cells, and take some of them back before anybody asks for a plan, each time by a
/// message of its own. What was made of the first must not spoil what comes then.
static void write_in_vain(churn_t *churn)
{
    const uint32_t width = churn->shape.width;
    const uint32_t cells = rp_random_between(churn->random, 1, VAIN_CELLS);
    const uint32_t messages = rp_random_between(churn->random, 2, VAIN_MESSAGES);
    uint32_t places[VAIN_CELLS];
    uint8_t factors[VAIN_CELLS][2];
    for (uint32_t i = 0; i < cells; i++) {
        places[i] = draw_of_interest(churn);
        factors[i][0] = draw_factor(churn);
        factors[i][1] = churn->trial->oracle->factors[places[i]];
    }
    for (uint32_t message = 0; message < messages; message++) {
        for (uint32_t i = 0; i < cells; i++) {
            if (message == 0 || rp_random_chance(churn->random, 70)) {
                rp_trial_set(churn->trial, places[i] % width, places[i] / width,
                             factors[i][message % 2u]);
            }
        }
        rp_trial_tell(churn->trial);
    }
}

/// Where an end goes: mostly one step, also onto a blocked cell, sometimes anywhere.
static uint32_t draw_place(churn_t *churn, uint32_t from)
{
    if (rp_random_chance(churn->random, 30)) {
        return rp_random_below(churn->random, churn->shape.width * churn->shape.height);
    }
    return draw_beside(churn, from);
}

/// Some steps along the path that was judged last, if there is one from here.
static uint32_t draw_ahead(churn_t *churn)
{
    const rp_trial_t *trial = churn->trial;
    const uint32_t count = trial->plan.outcome == RP_OUTCOME_FOUND ? trial->plan.path.count : 0;
    const uint32_t steps = rp_random_between(churn->random, 1, 3);
    return count > steps && trial->places[0] == trial->start ? trial->places[steps] : trial->start;
}

static void move_start(churn_t *churn)
{
    const uint32_t width = churn->shape.width;
    const bool goes_on = churn->walks && rp_random_chance(churn->random, 90);
    const uint32_t place = goes_on ? draw_ahead(churn) : draw_place(churn, churn->trial->start);
    rp_trial_set_start(churn->trial, place % width, place / width);
}

static void move_goals(churn_t *churn)
{
    rp_random_t *random = churn->random;
    const uint32_t width = churn->shape.width;
    const uint32_t room = width * churn->shape.height;
    uint32_t count = churn->has_goal_sets ? rp_random_between(random, 1, 5) : 1;
    count = count < room ? count : room;
    rp_oracle_goal_t goals[RP_TRIAL_GOALS_MAX] = {0};
    const uint32_t first = draw_place(churn, churn->trial->goals[0].place);
    const uint32_t apart = 1u + rp_random_below(random, 1u + room / 16u); // no cell twice
    for (uint32_t i = 0; i < count; i++) {
        goals[i].place = (first + i * apart) % room;
        goals[i].offset = churn->has_goal_sets ? rp_random_below(random, 6) : 0;
    }
    if (rp_trial_set_goals(churn->trial, goals, count) != RP_OK) {
        abort();
    }
}

/// What happens between two plans.
static void disturb(churn_t *churn)
{
    rp_random_t *random = churn->random;
    if (rp_random_chance(random, 75)) {
        write_batch(churn);
    }
    if (rp_random_chance(random, 10)) {
        rp_trial_tell(churn->trial); // what follows is a message of its own
        write_batch(churn);
    }
    if (rp_random_chance(random, 10)) {
        rp_trial_tell(churn->trial);
        write_in_vain(churn);
    }
    const uint32_t calm = churn->ends_stay ? 1u : 25u;
    if (rp_random_chance(random, churn->walks ? 80u : calm + 5u)) {
        move_start(churn);
    }
    if (rp_random_chance(random, churn->walks ? 2u : calm)) {
        move_goals(churn);
    }
    if (rp_random_chance(random, 1)) {
        churn->is_uniform = (churn->capabilities & RP_CAN_WEIGHTED) == 0;
    }
}

// ---- sessions

/// Half of them are cut short by events, some time and again, and some before their first step.
static const char *plan_in_slices(churn_t *churn)
{
    rp_random_t *random = churn->random;
    const uint64_t budget = rp_random_between(random, 1, rp_random_chance(random, 70) ? 7 : 60);
    const uint32_t most = rp_random_chance(random, 80) ? 3u : 8u;
    const uint32_t disturbances =
        rp_random_chance(random, 50) ? rp_random_below(random, most + 1u) : 0;
    for (uint32_t i = 0; i < disturbances; i++) {
        const bool is_idle = rp_random_chance(random, 20);
        const rp_status_t status = rp_trial_slice(churn->trial, is_idle ? 0 : budget);
        const char *complaint = status == RP_OK ? rp_trial_judge(churn->trial) : NULL;
        if (complaint != NULL) {
            return complaint;
        }
        if (status < 0) {
            return rp_status_text(status);
        }
        disturb(churn);
    }
    return rp_trial_plan(churn->trial, budget);
}

/// Time that nobody needs, in slices that end anywhere; what was planned must stand.
static const char *idle_a_while(churn_t *churn)
{
    rp_trial_t *trial = churn->trial;
    rp_random_t *random = churn->random;
    const uint32_t slices = rp_random_between(random, 1, 4);
    for (uint32_t i = 0; i < slices; i++) {
        uint64_t budget = rp_random_chance(random, 10)
                              ? UINT64_MAX
                              : rp_random_below(random, rp_random_chance(random, 50) ? 20 : 2000);
        (void)rp_planner_idle(trial->planner, &budget);
    }
    if (!rp_planner_check(trial->planner)) {
        return "idle time breaks an invariant";
    }
    return rp_trial_judge(trial);
}

static const char *one_plan(churn_t *churn)
{
    rp_trial_t *trial = churn->trial;
    disturb(churn);
    const char *complaint = rp_random_chance(churn->random, 35) ? plan_in_slices(churn)
                                                                : rp_trial_plan(trial, UINT64_MAX);
    if (complaint == NULL && rp_random_chance(churn->random, 5)) {
        complaint = rp_trial_plan(trial, UINT64_MAX);
        if (complaint == NULL && trial->plan.stats.expanded != 0) {
            complaint = "a plan with nothing new expands cells";
        }
    }
    if (complaint == NULL && rp_random_chance(churn->random, 30)) {
        complaint = idle_a_while(churn);
    }
    return complaint;
}

static void open_session(churn_t *churn)
{
    rp_random_t *random = churn->random;
    churn->shape = draw_shape(churn);
    churn->dearest = draw_dearest(churn);
    churn->is_uniform =
        (churn->capabilities & RP_CAN_WEIGHTED) == 0 || rp_random_chance(random, 50);
    churn->blocked_most = rp_random_below(random, rp_random_chance(random, 50) ? 30 : 45);
    churn->has_goal_sets =
        (churn->capabilities & RP_CAN_GOAL_SET) != 0 && rp_random_chance(random, 15);
    // Where there is room for something to be far away, most sessions leave it alone.
    const bool is_wide = churn->shape.width * churn->shape.height > 40u * 40u;
    churn->where = rp_random_chance(random, is_wide ? 20 : 60)
                       ? ANYWHERE
                       : (where_t)rp_random_below(random, WHERES);
    churn->radius = rp_random_between(random, 1, is_wide ? 30 : 8);
    churn->ends_stay = rp_random_chance(random, is_wide ? 60 : 30);
    churn->is_walled = false;
    churn->walks = !churn->ends_stay && rp_random_chance(random, 25);
    const rp_status_t status = rp_trial_bind(churn->trial, &churn->shape);
    if (status != RP_OK || churn->shape.width == 0 || churn->shape.height == 0) {
        abort(); // the shape was drawn from what the planner says it can
    }
    for (uint32_t y = 0; y < churn->shape.height; y++) {
        for (uint32_t x = 0; x < churn->shape.width; x++) {
            rp_trial_set(churn->trial, x, y, draw_factor(churn));
        }
    }
    churn->trial->goals[0].place = 0;
    churn->trial->start = 0;
    move_start(churn);
    move_goals(churn);
    if (churn->ends_stay) {
        const uint32_t ends[2] = {churn->trial->start, churn->trial->goals[0].place};
        for (unsigned i = 0; i < 2u; i++) {
            const uint32_t width = churn->shape.width;
            rp_trial_set(churn->trial, ends[i] % width, ends[i] / width, churn->shape.unit);
        }
    }
}

/// @param plans  how many; 0: as many as the seed says
/// @return true when the planner agreed with the oracle in every plan
static bool run_session(const rp_contestant_t *contestant, rp_trial_t *trial, uint64_t seed,
                        uint64_t plans, tally_t *tally)
{
    rp_random_t random = {seed};
    churn_t churn = {
        .trial = trial,
        .random = &random,
        .capabilities = contestant->info->capabilities,
    };
    open_session(&churn);
    const uint64_t drawn = rp_random_between(&random, 5, 80);
    const uint64_t end = plans != 0 ? plans : drawn;
    for (uint64_t plan = 0; plan < end; plan++) {
        const char *complaint = one_plan(&churn);
        tally->plans++;
        tally->found += trial->plan.outcome == RP_OUTCOME_FOUND;
        tally->restarts += trial->plan.stats.restarts;
        if (complaint != NULL) {
            fprintf(stderr, "%s: session %" PRIu64 ", plan %" PRIu64 ": %s (%s: %s)\n",
                    contestant->name, seed, plan, complaint, trial->plan.stats.planner,
                    trial->plan.stats.why);
            rp_script_save(&trial->script, contestant->info->id, seed);
            return false;
        }
    }
    return true;
}

/// @return true when the planner agreed with the oracle in every plan
static bool run_contestant(const rp_contestant_t *contestant, uint64_t plans, uint64_t seed)
{
    rp_trial_t trial;
    if (rp_trial_init(&trial, contestant->info->id, &contestant->options) != RP_OK) {
        printf("%s: cannot be made\n", contestant->name);
        return false;
    }
    tally_t tally = {0};
    bool is_right = true;
    for (uint64_t session = seed; tally.plans < plans && is_right; session++) {
        const bool is_long = session == seed && plans >= 2u * LONG_SESSION;
        is_right = run_session(contestant, &trial, session, is_long ? LONG_SESSION : 0, &tally);
    }
    printf("%s: %" PRIu64 " plans, %d mismatches (%" PRIu64 " found, %" PRIu64 " restarts)\n",
           contestant->name, tally.plans, !is_right, tally.found, tally.restarts);
    rp_trial_fini(&trial);
    return is_right;
}

static void check_itself(rp_contestant_t *contestant)
{
    const size_t length = strlen(contestant->name);
    contestant->options.check_every = CHECK_EVERY;
    snprintf(contestant->name + length, sizeof contestant->name - length, " --paranoid %u",
             CHECK_EVERY);
}

int main(int argc, char **argv)
{
    const uint64_t plans = argc > 1 ? strtoull(argv[1], NULL, 10) : PLANS_DEFAULT;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : SEED_DEFAULT;
    const char *only = argc > 3 ? argv[3] : ORACLE_ONLY;
    if (only != NULL && rp_planner_find(only) == NULL) {
        fprintf(stderr, "there is no planner %s\n", only);
        return 2;
    }
    bool is_right = true;
    rp_contestant_t contestant;
    for (size_t i = 0; rp_contestant_at(i, &contestant); i++) {
        if (only == NULL || strcmp(only, contestant.info->id) == 0) {
            is_right = run_contestant(&contestant, plans, seed) && is_right;
            check_itself(&contestant);
            is_right = run_contestant(&contestant, plans / CHECKED_SHARE + 1u, seed) && is_right;
        }
    }
    return is_right ? 0 : 1;
}
