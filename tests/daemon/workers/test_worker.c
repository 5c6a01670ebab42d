/// A worker: what it is told it does in order, and what it reports is what an engine says that
/// was told the same.
#include "daemon/workers/worker.h"

#include <math.h>
#include <poll.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

enum {
    SIDE = 64,  ///< all of them search for longer than a step
    WIDE = 200, ///< one does that floods half of it
    SESSIONS = 6,
    ROUNDS = 40,
    MOST_MS = 120000,
};

static rp_mailbox_t reports;
static rp_worker_t *worker;
static rp_engine_t *engine; ///< told the same
static rp_session_id_t twins[SESSIONS];
static uint64_t given; ///< batches
static rp_random_t rng;

static void tear_down(void)
{
    rp_worker_stop(&worker);
    for (rp_mailbox_link_t *left = rp_mailbox_take(&reports); left != NULL;) {
        rp_report_t *report = (rp_report_t *)left;
        left = left->next;
        rp_report_destroy(&report);
    }
    rp_mailbox_fini(&reports);
    rp_engine_destroy(&engine);
}

static void begin(uint64_t seed)
{
    rng = (rp_random_t){seed};
    ck_assert(rp_mailbox_init(&reports, true));
    ck_assert_int_eq(rp_worker_start(3, UINT64_MAX, &reports, &worker), RP_OK);
    ck_assert_int_eq(rp_engine_new(&engine), RP_OK);
}

/// Handles of the wire, which are none of the worker's own.
static rp_session_id_t handle_of(unsigned i)
{
    return 7u + 50u * i;
}

static void command(rp_command_batch_t *batch, rp_command_t command)
{
    rp_command_t *staged_edit = rp_command_batch_draft(batch, &command);
    ck_assert_ptr_nonnull(staged_edit);
    rp_command_batch_add(batch, staged_edit);
}

static rp_command_batch_t *new_batch(void)
{
    rp_command_batch_t *batch = rp_command_batch_new();
    ck_assert_ptr_nonnull(batch);
    return batch;
}

static void give(rp_command_batch_t *batch)
{
    rp_worker_give(worker, batch);
    given++;
}

static const rp_world_options_t ground = {
    .width = SIDE, .height = SIDE, .neighbors = 8, .frame = {.resolution_m = 1.0}};

static void open_world(rp_command_batch_t *batch, const rp_world_options_t *options)
{
    rp_world_id_t world;
    command(batch,
            (rp_command_t){.kind = RP_COMMAND_OPEN_WORLD, .subject = 1, .with.world = options});
    ck_assert_int_eq(rp_engine_open_world(engine, options, &world), RP_OK);
    ck_assert_uint_eq(world, 1);
}

static void open_session(rp_command_batch_t *batch, unsigned i, const rp_session_options_t *options)
{
    command(batch, (rp_command_t){.kind = RP_COMMAND_OPEN,
                                  .subject = handle_of(i),
                                  .with.open = {options, 1, 100u + i}});
    ck_assert_int_eq(rp_engine_open(engine, 1, options, &twins[i]), RP_OK);
}

static void open_all(rp_command_batch_t *batch)
{
    const rp_session_options_t options = {.planner = "astar"};
    open_world(batch, &ground);
    for (unsigned i = 0; i < SESSIONS; i++) {
        open_session(batch, i, &options);
    }
}

static void apply(rp_command_batch_t *batch, const rp_edit_t *edit)
{
    uint64_t version;
    command(batch, (rp_command_t){.kind = RP_COMMAND_APPLY, .subject = 1, .with.edit = edit});
    ck_assert_int_eq(rp_engine_apply(engine, 1, edit, (rp_cause_t){0, 0}, &version), RP_OK);
}

static void change(rp_command_batch_t *batch)
{
    const rp_edit_t edit = {.x = rp_random_below(&rng, SIDE - 3u),
                            .y = rp_random_below(&rng, SIDE - 3u),
                            .width = 3,
                            .height = 2,
                            .fill = (uint8_t)rp_random_below(&rng, 2)};
    apply(batch, &edit);
}

static void move_to(rp_command_batch_t *batch, unsigned i, double x, double y)
{
    command(batch, (rp_command_t){.kind = RP_COMMAND_POSE,
                                  .subject = handle_of(i),
                                  .with.pose = {.x_m = x, .y_m = y, .yaw = NAN}});
    ck_assert_int_eq(rp_engine_pose(engine, twins[i], x, y, 0, (rp_cause_t){0, 0}), RP_OK);
}

static void move(rp_command_batch_t *batch, unsigned i)
{
    const double x = rp_random_below(&rng, SIDE) + 0.5;
    const double y = rp_random_below(&rng, SIDE) + 0.5;
    move_to(batch, i, x, y);
}

static void aim_at(rp_command_batch_t *batch, unsigned i, const rp_destination_t *point)
{
    const rp_aim_t aim = {.points = point, .count = 1, .goal_id = rp_random_below(&rng, 99)};
    command(batch,
            (rp_command_t){.kind = RP_COMMAND_AIM, .subject = handle_of(i), .with.aim = &aim});
    ck_assert_int_eq(rp_engine_aim(engine, twins[i], &aim, (rp_cause_t){0, 0}), RP_OK);
}

static void send_to(rp_command_batch_t *batch, unsigned i)
{
    aim_at(batch, i, &(rp_destination_t){.x_m = rp_random_below(&rng, SIDE) + 0.5, .y_m = 4.5});
}

static void look(rp_command_batch_t *batch, unsigned i)
{
    command(batch, (rp_command_t){
                       .kind = RP_COMMAND_LOOK, .subject = handle_of(i), .with.ticket = i + 1u});
}

/// What was looked for with a ticket is what the engine says when it is settled.
static void check_told(const rp_answer_msg_t *told, unsigned i)
{
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(engine, twins[i], &answer), RP_OK);
    ck_assert_uint_eq(told->session, handle_of(i));
    ck_assert_uint_eq(told->entry, 100u + i);
    ck_assert_int_eq(told->answer.outcome, answer.outcome);
    ck_assert_uint_eq(told->answer.version, answer.version);
    ck_assert_uint_eq(told->answer.goal_id, answer.goal_id);
    ck_assert_double_eq_tol(told->answer.cost, answer.cost, 1e-9);
    ck_assert_uint_eq(told->answer.start_x, answer.start_x);
}

/// Take reports until all batches are done and so many tickets came back. @return the last one
static rp_report_t *await(unsigned tickets)
{
    rp_report_t *last = NULL;
    unsigned came = 0;
    while (last == NULL || last->done < given || came < tickets) {
        struct pollfd ready = {reports.descriptor, POLLIN, 0};
        ck_assert_int_eq(poll(&ready, 1, MOST_MS), 1);
        for (rp_mailbox_link_t *link = rp_mailbox_take(&reports); link != NULL;) {
            rp_report_t *report = (rp_report_t *)link;
            link = link->next;
            ck_assert_uint_eq(report->worker, 3);
            ck_assert(last == NULL || report->done >= last->done);
            for (const rp_answer_msg_t *told = report->answers; told != NULL; told = told->next) {
                if (told->ticket != 0) {
                    check_told(told, (unsigned)told->ticket - 1u);
                    came++;
                }
            }
            rp_report_destroy(&last);
            last = report;
        }
    }
    ck_assert_uint_eq(came, tickets);
    return last;
}

START_TEST(it_says_what_an_engine_says_that_was_told_the_same)
{
    begin(_i + 1u);
    rp_command_batch_t *batch = new_batch();
    open_all(batch);
    for (unsigned i = 0; i < SESSIONS; i++) {
        move(batch, i);
        send_to(batch, i);
    }
    for (unsigned round = 0; round < RP_ROUNDS(ROUNDS); round++) {
        change(batch);
        move(batch, rp_random_below(&rng, SESSIONS));
        if (rp_random_chance(&rng, 30)) {
            give(batch); // in one round or in two
            batch = new_batch();
        }
        send_to(batch, rp_random_below(&rng, SESSIONS));
        while (rp_engine_step(engine, 0, UINT64_MAX)) {
        }
        for (unsigned i = 0; i < SESSIONS; i++) {
            look(batch, i);
        }
        give(batch);
        rp_report_t *report = await(SESSIONS);
        ck_assert_uint_eq(report->progress[1].settled, rp_engine_version(engine, 1));
        rp_report_destroy(&report);
        batch = new_batch();
    }
    rp_command_batch_destroy(&batch);
}
END_TEST

/// To find out that there is no path takes more than a step: the first report comes before it is
/// known, and so before the look.
START_TEST(a_look_waits_for_a_search_that_takes_long)
{
    static const rp_world_options_t wide = {
        .width = WIDE, .height = WIDE, .neighbors = 8, .frame = {.resolution_m = 1.0}};
    const rp_session_options_t options = {.planner = "astar"};
    const rp_edit_t wall = {.x = WIDE / 2u, .y = 0, .width = 1, .height = WIDE, .fill = 0};
    const rp_destination_t points[] = {{.x_m = 9.5, .y_m = 1.5}, {.x_m = WIDE - 0.5, .y_m = 1.5}};
    begin(1);
    rp_command_batch_t *batch = new_batch();
    open_world(batch, &wide);
    open_session(batch, 0, &options);
    move_to(batch, 0, 1.5, 1.5);
    for (unsigned i = 0; i < 2; i++) {
        aim_at(batch, 0, &points[i]);
        look(batch, 0);
        while (rp_engine_step(engine, 0, UINT64_MAX)) {
        }
        give(batch);
        rp_report_t *report = await(1);
        ck_assert_uint_eq(report->progress[1].settled, rp_engine_version(engine, 1));
        rp_report_destroy(&report);
        batch = new_batch();
        apply(batch, &wall);
    }
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(engine, twins[0], &answer), RP_OK);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_NO_PATH);
    rp_command_batch_destroy(&batch);
}
END_TEST

START_TEST(it_ends_after_what_it_was_given)
{
    begin(1);
    rp_command_batch_t *batch = new_batch();
    open_all(batch);
    give(batch);
    for (unsigned i = 0; i < 40; i++) {
        batch = new_batch();
        change(batch);
        give(batch);
    }
    rp_worker_stop(&worker);
    ck_assert_ptr_null(worker);
    uint64_t done = 0;
    uint64_t settled = 0;
    for (rp_mailbox_link_t *link = rp_mailbox_take(&reports); link != NULL;) {
        rp_report_t *report = (rp_report_t *)link;
        link = link->next;
        done = report->done;
        settled = report->progress[1].settled;
        rp_report_destroy(&report);
    }
    ck_assert_uint_eq(done, given + 1u); // and the one that ended it
    ck_assert_uint_eq(settled, rp_engine_version(engine, 1));
    rp_worker_stop(&worker); // there is none: nothing happens
}
END_TEST

/// So the same commands are the same work, however fast they come.
START_TEST(a_parcel_that_settles_is_planned_for_before_the_next)
{
    begin(1);
    rp_command_batch_t *batch = new_batch();
    open_all(batch);
    move(batch, 0);
    send_to(batch, 0);
    batch->settles = true;
    give(batch);
    batch = new_batch();
    move(batch, 0);
    send_to(batch, 0);
    batch->settles = true;
    give(batch);
    rp_worker_stop(&worker);
    unsigned answers = 0;
    for (rp_mailbox_link_t *link = rp_mailbox_take(&reports); link != NULL;) {
        rp_report_t *report = (rp_report_t *)link;
        link = link->next;
        for (const rp_answer_msg_t *told = report->answers; told != NULL; told = told->next) {
            ck_assert_uint_eq(told->number, ++answers);
        }
        rp_report_destroy(&report);
    }
    ck_assert_uint_eq(answers, 2);
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {it_says_what_an_engine_says_that_was_told_the_same};
    const TTest *const once[] = {
        a_look_waits_for_a_search_that_takes_long,
        it_ends_after_what_it_was_given,
        a_parcel_that_settles_is_planned_for_before_the_next,
    };
    const int failed = rp_suite_run("worker: chance", rounds, 1, 4, tear_down);
    return rp_suite_run("worker", once, sizeof once / sizeof once[0], 1, tear_down) + failed;
}
