/// A crowd that stands: whom a broad phase passes over has the cheapest path still, as the oracle
/// says, however many come, walk and go.
#include "engine/session/interest_index.h"

#include "engine/session/session_state.h"
#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

enum {
    SIDE = 48,
    CROWD = 40, ///< places of three blocks
    SETS = 3,   ///< of goals
    GOALS = 2,
    VERSIONS = 150,
    CELLS = 9, ///< of a change
};

typedef enum state {
    GONE,
    NOWHERE, ///< it came, and was not planned for
    SURE,
} state_t;

static rp_random_t rng;
static rp_audience_t audience;
static rp_layer_t layer = {.audience = &audience}; ///< nothing of it but the grid besides
static rp_oracle_t *oracle;
static rp_planner_t *planner;
static rp_session_t crowd[CROWD];
static state_t states[CROWD];
static rp_goal_t goals[SETS][GOALS];

static void tear_down(void)
{
    for (unsigned i = 0; i < CROWD; i++) {
        rp_published_path_fini(&crowd[i].published.path);
    }
    rp_interest_index_fini(&audience.interests);
    rp_planner_destroy(&planner);
    rp_oracle_destroy(&oracle);
    rp_grid_destroy(&layer.grid);
}

static uint32_t place_of(rp_cell_t cell)
{
    return rp_grid_y(layer.grid, cell) * SIDE + rp_grid_x(layer.grid, cell);
}

static rp_cell_t random_cell(void)
{
    const uint32_t x = rp_random_below(&rng, SIDE);
    return rp_grid_cell(layer.grid, x, rp_random_below(&rng, SIDE));
}

static rp_change_t write_cell(rp_cell_t cell, uint8_t factor)
{
    oracle->factors[place_of(cell)] = factor;
    return (rp_change_t){cell, rp_grid_set(layer.grid, cell, factor), factor};
}

static void begin(uint64_t seed, uint8_t neighbors, bool is_weighted)
{
    const rp_grid_shape_t shape = {SIDE, SIDE, neighbors, false, is_weighted ? 2 : 1, 1};
    rng = (rp_random_t){seed};
    ck_assert_int_eq(rp_grid_new(&shape, &layer.grid), RP_OK);
    oracle = rp_oracle_new(&shape);
    ck_assert_ptr_nonnull(oracle);
    for (unsigned i = 0; i < SIDE * SIDE / 4u; i++) {
        const uint8_t factor = is_weighted ? (uint8_t)rp_random_below(&rng, 4) : 0;
        (void)write_cell(random_cell(), factor);
    }
    for (unsigned set = 0; set < SETS; set++) {
        for (unsigned i = 0; i < GOALS; i++) {
            goals[set][i] = (rp_goal_t){random_cell(), i * rp_random_below(&rng, 9)};
        }
    }
    ck_assert_int_eq(rp_planner_new("astar", NULL, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, layer.grid), RP_OK);
}

// ---- who stands

static void come(unsigned i)
{
    crowd[i] = (rp_session_t){
        .layer = &layer, .goal.cells = goals[rp_random_below(&rng, SETS)], .goal.count = GOALS};
    ck_assert_int_eq(rp_interest_index_add(&audience.interests, &crowd[i], &crowd[i].interest),
                     RP_OK);
    states[i] = NOWHERE;
}

/// What is noted of the last one that came stands in the place of the one that goes.
static void expect_moved(const rp_interest_block_t *before, uint32_t from, uint32_t to)
{
    const rp_interest_block_t *now = &audience.interests.blocks[to / RP_INTEREST_BLOCK];
    from %= RP_INTEREST_BLOCK;
    to %= RP_INTEREST_BLOCK;
    RP_EACH(now->quarters[to] == before->quarters[from] && now->reach[to] == before->reach[from]);
    RP_EACH(now->x[to] == before->x[from] && now->y[to] == before->y[from]);
    RP_EACH(now->left[to] == before->left[from] && now->top[to] == before->top[from]);
    RP_EACH(now->right[to] == before->right[from] && now->bottom[to] == before->bottom[from]);
    RP_EACH_EQ(now->asks >> to & 1u, before->asks >> from & 1u);
}

static void go(unsigned i)
{
    const uint32_t last = audience.interests.count - 1u;
    const rp_interest_block_t block = audience.interests.blocks[last / RP_INTEREST_BLOCK];
    rp_session_t *moved = rp_interest_index_remove(&audience.interests, crowd[i].interest);
    RP_EACH_EQ(moved != NULL, crowd[i].interest != last);
    if (moved != NULL) {
        expect_moved(&block, last, crowd[i].interest);
        moved->interest = crowd[i].interest;
    }
    rp_published_path_fini(&crowd[i].published.path);
    states[i] = GONE;
}

/// Plan for it from where it is, and have that noted.
static void make_sure(unsigned i)
{
    rp_session_t *session = &crowd[i];
    rp_plan_t plan;
    session->position.at = states[i] == SURE ? session->published.path.at : random_cell();
    session->position.cell = session->position.from = session->position.at;
    rp_planner_start_over(planner);
    ck_assert_int_eq(rp_planner_set_start(planner, session->position.at), RP_OK);
    ck_assert_int_eq(rp_planner_set_goals(planner, session->goal.cells, GOALS), RP_OK);
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &plan), RP_OK);
    if (plan.outcome == RP_OUTCOME_FOUND) {
        ck_assert_int_eq(rp_published_path_keep(&session->published.path, layer.grid, &plan.path),
                         RP_OK);
        session->published.outcome = plan.path.count > 1 ? RP_ANSWER_FOUND : RP_ANSWER_ARRIVED;
        session->published.cost = plan.cost;
        rp_sectors_of_path(rp_session_sectors(session), layer.grid, &session->published.path);
    } else {
        rp_published_path_clear(&session->published.path, session->position.at);
        session->published.outcome = RP_ANSWER_NO_PATH;
    }
    rp_session_note_interest(session);
    RP_EACH_EQ(audience.interests.blocks[session->interest / RP_INTEREST_BLOCK].asks >>
                       session->interest % RP_INTEREST_BLOCK &
                   1u,
               plan.outcome != RP_OUTCOME_FOUND); // who has no path asks of every change
    states[i] = SURE;
}

static void walk_on(rp_session_t *session)
{
    if (!rp_published_path_is_done(&session->published.path)) {
        const rp_cell_t next =
            rp_grid_step(layer.grid, session->published.path.at,
                         session->published.path.steps[session->published.path.first]);
        rp_published_path_pass(&session->published.path, layer.grid, 1);
        ck_assert_uint_eq(session->published.path.at, next);
    }
}

// ---- the truth

/// The costs of the oracle are those to the session's goals.
static void flood(const rp_session_t *session)
{
    rp_oracle_goal_t list[GOALS];
    size_t count = 0;
    for (unsigned i = 0; i < GOALS; i++) {
        const rp_oracle_goal_t goal = {place_of(session->goal.cells[i].cell),
                                       session->goal.cells[i].offset};
        list[count] = goal;
        count += i == 0 || goal.place != list[0].place;
    }
    rp_oracle_flood_goals(oracle, list, count);
}

/// What is left of its path is legal, and costs as little as any.
static bool has_cheapest_path(const rp_session_t *session)
{
    static uint32_t places[SIDE * SIDE];
    uint64_t whole;
    double lengths;
    size_t count = 0;
    rp_cell_t at = session->published.path.at;
    places[count++] = place_of(at);
    for (uint32_t i = session->published.path.first; i < session->published.path.count; i++) {
        at = rp_grid_step(layer.grid, at, session->published.path.steps[i]);
        places[count++] = place_of(at);
    }
    if (!rp_oracle_measure(oracle, places, count, &whole, &lengths)) {
        return false;
    }
    const bool is_first = at == session->goal.cells[0].cell;
    return whole + rp_oracle_offset(oracle, session->goal.cells[is_first ? 0 : 1].offset) ==
           oracle->cost[places[0]];
}

// ---- versions

/// A cell that comes or goes beside somebody's path, where it is not clear whom it concerns.
static rp_change_t change_near_a_path(void)
{
    const rp_session_t *session = &crowd[rp_random_below(&rng, CROWD)];
    rp_cell_t cell =
        session->published.path.at != RP_NO_CELL ? session->published.path.at : random_cell();
    uint32_t steps =
        rp_random_below(&rng, session->published.path.count - session->published.path.first + 1u);
    for (uint32_t i = session->published.path.first; steps-- != 0; i++) {
        cell = rp_grid_step(layer.grid, cell, session->published.path.steps[i]);
    }
    const rp_cell_t beside =
        cell + (rp_random_below(&rng, 5) - 2u) * layer.grid->stride + rp_random_below(&rng, 5) - 2u;
    cell = rp_grid_holds(layer.grid, beside) ? beside : cell;
    return write_cell(cell, layer.grid->factor[cell] == 0 ? layer.grid->shape.unit : 0);
}

/// Cells at random, a building, or one cell. @return how many really changed
static size_t change_some(rp_change_t *changes)
{
    if (rp_random_chance(&rng, 60)) {
        changes[0] = change_near_a_path();
        return 1;
    }
    const bool is_building = rp_random_chance(&rng, 50);
    const uint32_t y = rp_random_below(&rng, SIDE - 2u);
    const rp_cell_t corner = rp_grid_cell(layer.grid, rp_random_below(&rng, SIDE - 2u), y);
    const uint8_t factor = (uint8_t)rp_random_below(&rng, 3);
    const uint32_t cells = is_building ? CELLS : rp_random_between(&rng, 1, 4);
    size_t count = 0;
    for (uint32_t i = 0; i < cells; i++) {
        const rp_cell_t cell =
            is_building ? corner + i % 3u + i / 3u * layer.grid->stride : random_cell();
        changes[count] = write_cell(cell, factor);
        count += changes[count].before != factor;
    }
    return count;
}

/// Who stands at places that nobody has any more is looked at by nobody.
static void check_block_endpoints(const rp_broad_phase_t *broad_phase)
{
    const uint32_t block = rp_interest_index_blocks(&audience.interests) - 1u;
    const uint32_t used = audience.interests.count - block * RP_INTEREST_BLOCK;
    const rp_affected_block_t concerns =
        rp_interest_index_look(&audience.interests, broad_phase, block);
    RP_EACH_EQ((concerns.asks | concerns.near | concerns.rival) >> used, 0);
}

/// @return whether the broad phase passes over it
static bool is_let_off(const rp_session_t *session, const rp_broad_phase_t *broad_phase)
{
    const uint32_t place = session->interest;
    const uint32_t bit = place % RP_INTEREST_BLOCK;
    const rp_affected_block_t concerns =
        rp_interest_index_look(&audience.interests, broad_phase, place / RP_INTEREST_BLOCK);
    const bool is_near = ((concerns.near >> bit) & 1u) != 0;
    return (((concerns.asks | concerns.rival) >> bit) & 1u) == 0 &&
           !(is_near && rp_interest_index_enter(&audience.interests, broad_phase, place));
}

static unsigned asked;
static unsigned let_off;

static void look_at_all(const rp_broad_phase_t *broad_phase)
{
    for (unsigned i = 0; i < CROWD; i++) {
        const bool is_off = states[i] != GONE && is_let_off(&crowd[i], broad_phase);
        RP_EACH(states[i] != NOWHERE || is_off);
        if (states[i] != SURE) {
            continue;
        }
        if (!is_off) {
            asked++;
            make_sure(i);
        } else {
            let_off++;
            flood(&crowd[i]);
            RP_EACH(crowd[i].published.outcome != RP_ANSWER_NO_PATH &&
                    has_cheapest_path(&crowd[i]));
        }
    }
}

START_TEST(whom_a_broad_phase_passes_over_has_the_cheapest_path_still)
{
    begin(_i + 1u, (_i & 1) != 0 ? 8 : 4, (_i & 2) != 0);
    for (unsigned version = 0; version < RP_ROUNDS(VERSIONS); version++) {
        rp_change_t changes[CELLS];
        rp_change_impact_t impact;
        for (unsigned i = 0; i < CROWD; i++) {
            const uint32_t dice = rp_random_below(&rng, 100);
            if (dice < 5) {
                states[i] == GONE ? come(i) : go(i);
            } else if (states[i] == NOWHERE && dice < 50) {
                make_sure(i);
            } else if (states[i] == SURE && dice < 50) {
                walk_on(&crowd[i]);
            }
        }
        rp_change_impact_read(&impact, layer.grid, changes, change_some(changes));
        const rp_broad_phase_t broad_phase = rp_broad_phase_of(&impact);
        if (audience.interests.count != 0) {
            check_block_endpoints(&broad_phase);
            look_at_all(&broad_phase);
        }
    }
    ck_assert_uint_gt(let_off, asked / 2u);
}
END_TEST

START_TEST(who_knows_nothing_of_a_change_asks_all_that_were_planned_for)
{
    const rp_broad_phase_t broad_phase = rp_broad_phase_of(NULL);
    begin(1, 8, false);
    for (unsigned i = 0; i < CROWD; i++) {
        come(i);
        if (i % 3 != 0) {
            make_sure(i);
        }
    }
    check_block_endpoints(&broad_phase);
    for (unsigned i = 0; i < CROWD; i++) {
        ck_assert_int_eq(is_let_off(&crowd[i], &broad_phase), states[i] == NOWHERE);
    }
}
END_TEST

START_TEST(each_knows_its_place_whoever_goes)
{
    begin(2, 8, false);
    for (unsigned act = 0; act < 2000; act++) {
        const unsigned i = rp_random_below(&rng, CROWD);
        states[i] == GONE ? come(i) : go(i);
        uint32_t count = 0;
        for (unsigned k = 0; k < CROWD; k++) {
            count += states[k] != GONE;
            RP_EACH(states[k] == GONE ||
                    audience.interests.list[crowd[k].interest].session == &crowd[k]);
        }
        RP_EACH_EQ(audience.interests.count, count);
    }
}
END_TEST

/// By it no distance is more than a path takes: a diagonal is what it takes more than a step.
START_TEST(a_broad_phase_measures_as_the_grid_moves)
{
    static const struct {
        uint32_t neighbors;
        bool wraps;
        double diagonal;
    } rows[] = {{8, false, 0.41421356}, {4, false, 1.0}, {8, true, 0.0}, {4, true, 0.0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static rp_change_impact_t impact;
        const rp_grid_shape_t shape = {.width = 9,
                                       .height = 9,
                                       .neighbors = (uint8_t)rows[i].neighbors,
                                       .wraps = rows[i].wraps,
                                       .unit = 1,
                                       .least = 1};
        rp_grid_t *grid = NULL;
        ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
        impact = (rp_change_impact_t){.grid = grid,
                                      .cheaper_count = 1,
                                      .cheaper_in = {.left = 2, .top = 3, .right = 4, .bottom = 5}};
        impact.dearer.words[1] = 4;
        const rp_broad_phase_t broad_phase = rp_broad_phase_of(&impact);
        ck_assert_int_eq(broad_phase.asks_all, rows[i].wraps);
        ck_assert_double_eq_tol(broad_phase.diagonal, rows[i].diagonal, 1e-6);
        if (!rows[i].wraps) {
            ck_assert(broad_phase.has_cheaper);
            ck_assert_uint_eq(broad_phase.first_word, 1);
            ck_assert_uint_eq(broad_phase.last_word, 1);
            ck_assert_int_eq(broad_phase.left, 2);
            ck_assert_int_eq(broad_phase.top, 3);
            ck_assert_int_eq(broad_phase.right, 4);
            ck_assert_int_eq(broad_phase.bottom, 5);
        }
        rp_grid_destroy(&grid);
    }
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {whom_a_broad_phase_passes_over_has_the_cheapest_path_still};
    const TTest *const once[] = {
        who_knows_nothing_of_a_change_asks_all_that_were_planned_for,
        each_knows_its_place_whoever_goes,
        a_broad_phase_measures_as_the_grid_moves,
    };
    const int failed = rp_suite_run("interest_index: crowds", rounds, 1, 4, tear_down);
    return rp_suite_run("interest_index", once, sizeof once / sizeof once[0], 1, tear_down) +
           failed;
}
