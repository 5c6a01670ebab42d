/// A story of every kind of session and change, in which some allocation fails and the next ones do
/// not: what was refused changes nothing and is asked again, and in the end all is as if there had
/// been memory all the time, and all of it is given back.
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core.h"
#include "tests/support/suite.h"

#define WIDTH    40u
#define HEIGHT   24u
#define SESSIONS 24u
#define STORIES  4u

static rp_engine_t *engine;
static rp_world_id_t world;
static rp_session_id_t sessions[SESSIONS];
static uint32_t session_count;
static const rp_cause_t nothing = {0, 0};

static void tear_down(void)
{
    rp_engine_destroy(&engine);
}

// ---- memory: the linker has all allocations come here

void *__real_malloc(size_t size);               // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_malloc(size_t size);               // NOLINT(bugprone-reserved-identifier,cert-*)
void *__real_calloc(size_t count, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_calloc(size_t count, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)
void *__real_realloc(void *old, size_t size);   // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_realloc(void *old, size_t size);   // NOLINT(bugprone-reserved-identifier,cert-*)
void __real_free(void *block);                  // NOLINT(bugprone-reserved-identifier,cert-*)
void __wrap_free(void *block);                  // NOLINT(bugprone-reserved-identifier,cert-*)

static uint32_t asked; ///< allocations of this story
static uint32_t fails_from = UINT32_MAX;
static uint32_t fails_for;
static int64_t held; ///< blocks that were not given back

static bool may_allocate(void)
{
    const uint32_t number = asked++;
    return number < fails_from || number - fails_from >= fails_for;
}

void *__wrap_malloc(size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    void *block = may_allocate() ? __real_malloc(size) : NULL;
    held += block != NULL;
    return block;
}

void *__wrap_calloc(size_t count, size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    void *block = may_allocate() ? __real_calloc(count, size) : NULL;
    held += block != NULL;
    return block;
}

void *__wrap_realloc(void *old, size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    void *block = may_allocate() ? __real_realloc(old, size) : NULL;
    held += block != NULL && old == NULL;
    return block;
}

void __wrap_free(void *block) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    held -= block != NULL;
    __real_free(block);
}

// ---- what happens: what is refused for want of memory is asked again

#define UNTIL_MEMORY(call)                                                                         \
    do {                                                                                           \
        rp_status_t status_ = RP_E_MEMORY;                                                         \
        for (unsigned tries_ = 0; status_ == RP_E_MEMORY && tries_ < 100; tries_++) {              \
            status_ = (call);                                                                      \
        }                                                                                          \
        RP_EACH_EQ(status_, RP_OK);                                                                \
    } while (0)

static void settle(uint64_t budget)
{
    for (unsigned steps = 0; rp_engine_step(engine, 0, budget); steps++) {
        RP_EACH(steps < 100000);
    }
}

static uint8_t byte_of(uint32_t x, uint32_t y)
{
    const bool is_wall =
        (x == 12 && y != 20) || (x == 25 && y != 3) || (y == 12 && x > 25 && x < 38);
    const bool is_shut = (x == 30 || x == 34) && y >= 16 && y <= 20;
    const bool is_lid = (y == 16 || y == 20) && x >= 30 && x <= 34;
    return is_wall || is_shut || is_lid ? 254 : (x * 7u + y * 5u) % 11u == 0 ? 120 : 0;
}

static void open_world(void)
{
    static uint8_t bytes[WIDTH * HEIGHT];
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        bytes[i] = byte_of(i % WIDTH, i / WIDTH);
    }
    const rp_world_options_t options = {.width = WIDTH,
                                        .height = HEIGHT,
                                        .neighbors = 8,
                                        .profile = "costmap",
                                        .frame = {.resolution_m = 1.0},
                                        .data = bytes};
    UNTIL_MEMORY(rp_engine_new(&engine));
    UNTIL_MEMORY(rp_engine_open_world(engine, &options, &world));
}

static void open_session(const rp_session_options_t *options, double x, double y,
                         const rp_aim_t *aim)
{
    rp_session_id_t *session = &sessions[session_count++];
    UNTIL_MEMORY(rp_engine_open(engine, world, options, session));
    UNTIL_MEMORY(rp_engine_pose(engine, *session, x + 0.5, y + 0.5, 0, nothing));
    UNTIL_MEMORY(rp_engine_aim(engine, *session, aim, nothing));
}

/// Eight of a group and eight of a rendezvous, and one of each other kind.
static void open_sessions(void)
{
    const rp_session_options_t plain = {0};
    const rp_session_options_t named = {.planner = "dstar-lite"};
    const rp_session_options_t broad = {.body.radius_m = 1.2, .follow_radius_m = 2.0};
    const rp_session_options_t early = {.policy.starts_at_once = true};
    const rp_destination_t far = {38.5, 22.5, 0};
    const rp_destination_t shut = {32.5, 18.5, 0};
    const rp_destination_t two[] = {{20.5, 5.5, 3}, {5.5, 20.5, 0}};
    const rp_destination_t region[] = {{14.5, 2.5, 0}, {23.5, 9.5, 0}};
    session_count = 0;
    for (uint32_t i = 0; i < 8; i++) {
        const rp_destination_t near = {36.5 + i % 2u, 2.5 + i / 2u, 0};
        open_session(&plain, 1.0 + i, 2.0, &(rp_aim_t){.points = &far, .count = 1});
        open_session(&plain, 1.0 + i, 6.0,
                     &(rp_aim_t){.points = &near,
                                 .count = 1,
                                 .rendezvous = &(rp_destination_t){37.5, 4.5, 0}});
    }
    open_session(&named, 2.0, 15.0, &(rp_aim_t){.points = &far, .count = 1});
    open_session(&plain, 2.0, 16.0,
                 &(rp_aim_t){.points = &shut, .count = 1, .is_nearest = true, .tolerance_m = 1.0});
    open_session(&broad, 11.0, 8.0, &(rp_aim_t){.points = two, .count = 2});
    open_session(&plain, 2.0, 18.0,
                 &(rp_aim_t){.kind = RP_AIM_REGION, .points = region, .count = 2});
    open_session(&early, 2.0, 19.0,
                 &(rp_aim_t){.kind = RP_AIM_WAYPOINTS, .points = two, .count = 2});
    open_session(&plain, 2.0, 20.0, &(rp_aim_t){.kind = RP_AIM_TARGET, .target = sessions[0]});
}

static void write_cells(uint32_t x, uint32_t y, uint32_t count, uint8_t byte)
{
    uint32_t cells[HEIGHT];
    uint64_t version;
    for (uint32_t i = 0; i < count; i++) {
        cells[i] = (y + i) * WIDTH + x;
    }
    const rp_edit_t edit = {.cells = cells, .cell_count = count, .value = byte};
    UNTIL_MEMORY(rp_engine_apply(engine, world, &edit, nothing, &version));
}

static void cover(uint32_t id, double x, double y)
{
    const double xs[] = {x, x + 3.3, x + 1.0};
    const double ys[] = {y, y + 0.7, y + 2.9};
    const rp_shape_t shape = {.id = id, .corners = 3, .x_m = xs, .y_m = ys, .byte = 254};
    const rp_overlay_edit_t edit = {.shapes = &shape, .shape_count = 1};
    uint64_t version;
    UNTIL_MEMORY(rp_engine_overlay(engine, world, &edit, nothing, &version));
}

static void uncover(void)
{
    const rp_overlay_edit_t edit = {.clears = true};
    uint64_t version;
    UNTIL_MEMORY(rp_engine_overlay(engine, world, &edit, nothing, &version));
}

/// A rectangle that is prepared in slices.
static void write_staged(void)
{
    const rp_edit_t edit = {.x = 14, .y = 14, .width = 9, .height = 8, .fill = 254};
    rp_staged_edit_t *staged = NULL;
    rp_edit_t applied = edit;
    uint64_t version;
    uint64_t budget = 40;
    UNTIL_MEMORY(rp_engine_stage(engine, world, &(rp_staged_kind_t){.edit = &edit}, &staged));
    while (rp_staged_edit_work(staged, &budget)) {
        budget = 40;
    }
    applied.staged_edit = staged;
    UNTIL_MEMORY(rp_engine_apply(engine, world, &applied, nothing, &version));
    rp_staged_edit_destroy(&staged);
}

static void shift(void)
{
    const rp_window_t window = {.x = 1, .y = -1, .width = WIDTH, .height = HEIGHT};
    uint64_t version;
    UNTIL_MEMORY(rp_engine_resize(engine, world, &window, nothing, &version));
}

static void tell(unsigned story)
{
    const uint64_t budgets[] = {100000, 70, 1000, 100000};
    const uint64_t budget = budgets[story];
    open_world();
    open_sessions();
    settle(budget);
    write_cells(12, 18, 4, 254);
    write_cells(12, 8, 1, 0);
    settle(budget);
    for (uint32_t i = 0; i < session_count; i++) {
        UNTIL_MEMORY(rp_engine_pose(engine, sessions[i], 3.5 + i % 5u, 4.5 + i / 5u, 0, nothing));
    }
    cover(1, 9.2, 7.1);
    settle(budget);
    cover(2, 26.4, 2.2);
    cover(1, 10.2, 17.1);
    settle(budget);
    uncover();
    write_staged();
    settle(budget);
    shift();
    settle(budget);
    UNTIL_MEMORY(rp_engine_close(engine, sessions[0]));
    write_cells(33, 15, 1, 0);
    settle(budget);
}

// ---- what comes of it

typedef struct end {
    uint64_t version;
    uint8_t bytes[WIDTH * HEIGHT];
    struct {
        rp_answer_outcome_t outcome;
        double cost;
        double bound;
        double escape_m;
        double goal_distance_m;
        uint32_t start;
        bool is_sure;
    } answers[SESSIONS];
} end_t;

static void look(end_t *end)
{
    memset(end, 0, sizeof *end);
    end->version = rp_engine_version(engine, world);
    memcpy(end->bytes, rp_engine_bytes(engine, world), sizeof end->bytes);
    for (uint32_t i = 1; i < session_count; i++) {
        rp_answer_t answer;
        RP_EACH_EQ(rp_engine_answer(engine, sessions[i], &answer), RP_OK);
        end->answers[i].outcome = answer.outcome;
        end->answers[i].cost = answer.cost;
        end->answers[i].bound = answer.bound;
        end->answers[i].escape_m = answer.escape_m;
        end->answers[i].goal_distance_m = answer.goal_distance_m;
        end->answers[i].start = answer.start_y * WIDTH + answer.start_x;
        end->answers[i].is_sure = rp_engine_is_sure(engine, sessions[i]);
    }
}

/// @return number of a session that says something else, or session_count
static uint32_t find_other(const end_t *is, const end_t *should)
{
    uint32_t i = 1;
    while (i < session_count && is->answers[i].outcome == should->answers[i].outcome &&
           fabs(is->answers[i].cost - should->answers[i].cost) < 1e-9 &&
           is->answers[i].start == should->answers[i].start &&
           fabs(is->answers[i].escape_m - should->answers[i].escape_m) < 1e-9 &&
           fabs(is->answers[i].goal_distance_m - should->answers[i].goal_distance_m) < 1e-9 &&
           is->answers[i].is_sure) {
        i++;
    }
    return i;
}

START_TEST(a_failed_allocation_delays_and_changes_nothing_and_nothing_is_lost)
{
    static end_t should;
    static end_t is;
    const unsigned story = (unsigned)_i % STORIES;
    const int64_t before = held;
    asked = 0;
    tell(story);
    look(&should);
    const uint32_t all = asked;
    rp_engine_destroy(&engine);
    RP_EACH_EQ(held, before);
    const bool is_exhaustive = getenv("REPLAN_EXHAUSTIVE") != NULL;
    const uint32_t stride = is_exhaustive ? 1u : all / RP_ROUNDS(40u) + 1u;
    for (uint32_t failure = story * 5u % stride; failure < all; failure += stride) {
        asked = 0;
        fails_from = failure;
        fails_for = story % 2u == 0 ? 1 : 6;
        tell(story);
        fails_from = UINT32_MAX;
        look(&is);
        rp_engine_destroy(&engine);
        const int64_t lost = held - before;
        const uint32_t other = find_other(&is, &should);
        if (lost != 0 || other != session_count || is.version != should.version ||
            memcmp(is.bytes, should.bytes, sizeof is.bytes) != 0) {
            ck_abort_msg("allocation %u: %d blocks are lost, version %d, session %u of %u: outcome "
                         "%d, not %d, cost %.9g, not %.9g",
                         failure, (int)lost, (int)(is.version - should.version), other,
                         session_count, is.answers[other].outcome, should.answers[other].outcome,
                         is.answers[other].cost, should.answers[other].cost);
        }
    }
}
END_TEST

// ---- each allocation once

static double answered; ///< sum of what questions found

static void ask(const rp_question_t *question)
{
    rp_query_id_t id;
    const rp_query_result_t *result = NULL;
    UNTIL_MEMORY(rp_engine_start_query(engine, world, question, &id));
    for (unsigned steps = 0; result == NULL; steps++) {
        RP_EACH(steps < 100000);
        (void)rp_engine_step(engine, 0, 100000);
        result = rp_engine_query_result(engine, id);
    }
    for (size_t i = 0; i < result->count; i++) {
        answered += result->costs[i] + (result->after != NULL ? result->after[i] : 0.0) +
                    (result->steps != NULL ? result->steps[i] : 0.0);
    }
    rp_engine_forget(engine, id);
}

/// A question of each kind.
static void ask_all(void)
{
    const rp_destination_t from[] = {{2.5, 3.5, 0}, {20.5, 3.5, 0}};
    const rp_destination_t to[] = {{30.5, 9.5, 0}, {5.5, 20.5, 0}};
    const uint32_t cells[] = {20 * WIDTH + 12};
    const rp_edit_t wall = {.cells = cells, .cell_count = 1, .value = 254};
    ask(&(rp_question_t){.from = from, .from_count = 2, .to = to, .to_count = 2});
    ask(&(rp_question_t){.kind = RP_QUERY_PROBE,
                         .from = from,
                         .from_count = 2,
                         .to = to,
                         .to_count = 2,
                         .sessions = sessions,
                         .session_count = 3,
                         .edit = &wall});
    ask(&(rp_question_t){
        .kind = RP_QUERY_FIELD, .sessions = sessions, .session_count = 1, .reach = 3});
}

START_TEST(a_question_for_which_memory_lacks_once_finds_the_same)
{
    const int64_t before = held;
    open_world();
    open_sessions();
    settle(100000);
    const uint32_t first = asked;
    ask_all();
    const uint32_t all = asked - first;
    const double should = answered;
    for (uint32_t failure = 0; failure < all; failure++) {
        answered = 0.0;
        fails_for = 1;
        fails_from = asked + failure;
        ask_all();
        fails_from = UINT32_MAX;
        if (answered != should) {
            ck_abort_msg("allocation %u: %.9g, not %.9g", failure, answered, should);
        }
    }
    rp_engine_destroy(&engine);
    RP_EACH_EQ(held, before);
}
END_TEST

START_TEST(a_goal_outside_is_approached_though_memory_lacks_once)
{
    const rp_session_options_t plain = {0};
    const rp_destination_t outside = {WIDTH + 20.5, 5.5, 0};
    const rp_aim_t nearest = {.points = &outside, .count = 1, .is_nearest = true};
    const int64_t before = held;
    double should = -1.0;
    for (uint32_t failure = 0, all = 0; failure <= all; failure++) { // the first time none
        rp_answer_t answer;
        session_count = 0;
        open_world();
        const uint32_t first = asked;
        fails_for = 1;
        fails_from = failure == 0 ? UINT32_MAX : first + failure - 1u;
        open_session(&plain, 2.0, 3.0, &nearest);
        settle(100000);
        fails_from = UINT32_MAX;
        RP_EACH_EQ(rp_engine_answer(engine, sessions[0], &answer), RP_OK);
        all = failure == 0 ? asked - first : all;
        should = failure == 0 ? answer.cost : should;
        if (answer.outcome != RP_ANSWER_FOUND || answer.cost != should) {
            ck_abort_msg("allocation %u: outcome %d, cost %.9g, not %.9g", failure, answer.outcome,
                         answer.cost, should);
        }
        rp_engine_destroy(&engine);
        RP_EACH_EQ(held, before);
    }
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {
        a_failed_allocation_delays_and_changes_nothing_and_nothing_is_lost};
    const TTest *const each[] = {
        a_question_for_which_memory_lacks_once_finds_the_same,
        a_goal_outside_is_approached_though_memory_lacks_once,
    };
    const int failed = rp_suite_run("scarcity", rounds, 1, STORIES, tear_down);
    return rp_suite_run("scarcity: each once", each, 2, 1, tear_down) + failed;
}
