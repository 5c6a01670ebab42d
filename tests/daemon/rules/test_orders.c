/// Orders as they are taken in slices: what they cost, how far each slice goes, and what the
/// journal knows of them.
#include "daemon/rules/orders.h"

#include <math.h>
#include <string.h>

#include "daemon/process/log.h"
#include "msgs/request.h"
#include "tests/daemon/heir.h"
#include "tests/support/suite.h"

/// As orders.c has them.
#define SEND_PRICE 16u
#define AGENTS     20u

static Replan__V1__Order order;
static uint64_t handles[AGENTS];
static char names[AGENTS][4];
static char *by_name[AGENTS];
static double x[AGENTS];
static double y[AGENTS];
static uint64_t goal_ids[AGENTS];
static rp_order_progress_t progress;
static rp_refusal_t refusal;

static void name_of(unsigned i, char name[4])
{
    name[0] = 'a';
    name[1] = (char)('a' + i);
    name[2] = '\0';
}

/// Agents "aa", "ab" .. in a column; the order names none of them yet.
static void begin(unsigned agents)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 64, 64); // cells of half a metre
    for (unsigned i = 0; i < agents; i++) {
        name_of(i, names[i]);
        by_name[i] = names[i];
        handles[i] = rp_wire_agent(&rp_keeper, 0, names[i], 1, i, 1, i);
        x[i] = 10.25 + i;
        y[i] = 2.25;
        goal_ids[i] = 70 + i;
    }
    replan__v1__order__init(&order);
    order.world = rp_text("marsh");
    order.handles = handles;
    order.agents = by_name;
    order.x = x;
    order.y = y;
    order.n_x = order.n_y = 1;
    order.goal_ids = goal_ids;
    progress = (rp_order_progress_t){.found = 0};
}

static rp_serving_t *serving(void)
{
    return &rp_keeper.daemon.serving;
}

/// @return what is left of the budget
static uint64_t take(uint64_t budget)
{
    ck_assert_msg(rp_orders_take(serving(), &order, &progress, &budget, &refusal), "%s",
                  refusal.sentence);
    return budget;
}

static const rp_agent_t *agent_of(unsigned i)
{
    return rp_worlds_find_agent(rp_wire_marsh(&rp_keeper), names[i]);
}

/// The goal that is kept of an agent. @return to be freed by the caller
static Replan__V1__Request *goal_of(unsigned i)
{
    const rp_last_request_t *last = &agent_of(i)->last.goal;
    Replan__V1__Request *request = replan__v1__request__unpack(NULL, last->size, last->bytes);
    ck_assert_ptr_nonnull(request);
    ck_assert_int_eq(request->body_case, REPLAN__V1__REQUEST__BODY_SET_GOAL);
    return request;
}

static uint64_t goal_id_of(unsigned i)
{
    Replan__V1__Request *request = goal_of(i);
    const uint64_t id = request->set_goal->goal_id;
    replan__v1__request__free_unpacked(request, NULL);
    return id;
}

// ---- what it takes

/// Sends like so many plain goals.
static void expect_like(uint64_t price)
{
    const uint64_t count = price / SEND_PRICE; // of goals, rounded down
    ck_assert(price % SEND_PRICE == 0 || rp_orders_are_many(serving(), &order, count));
    ck_assert(rp_orders_are_many(serving(), &order, count - 1u));
    ck_assert(!rp_orders_are_many(serving(), &order, count + (price % SEND_PRICE != 0)));
}

START_TEST(it_is_as_long_as_its_agents_and_the_area_of_each)
{
    static const struct {
        double tolerance_m;
        uint64_t price; // of one
    } rows[] = {
        {0.0, 16},
        {NAN, 16},
        {0.25, 16 + 4 / 4}, // a side of two cells
        {0.5, 16 + 9 / 4},
        {2.0, 16 + 81 / 4},
        {255.75, 16 + 1024 * 1024 / 4},
        {255.5, 16 + 1023 * 1023 / 4},
        {1e300, 16 + 1024 * 1024 / 4},
    };
    begin(2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        order.tolerance_m = rows[i].tolerance_m;
        order.n_handles = 3;
        order.n_agents = 2;
        order.world = rp_text("marsh");
        expect_like(5u * rows[i].price);
        order.n_agents = 0;
        expect_like(3u * rows[i].price);
        order.world = rp_text("moor"); // that is not there
        expect_like(3u * SEND_PRICE);
    }
}
END_TEST

// ---- slices

START_TEST(nobody_sets_out_before_all_were_looked_for_and_then_one_after_the_other)
{
    begin(3);
    order.n_handles = 2;
    order.n_agents = 1;
    by_name[0] = names[2];
    order.n_goal_ids = order.n_x = order.n_y = 3;
    ck_assert_uint_eq(take(2), 0);
    ck_assert_uint_eq(progress.found, 2);
    ck_assert_uint_eq(take(1), 0);
    ck_assert_uint_eq(progress.found, 3);
    ck_assert_uint_eq(progress.sent, 0);
    ck_assert(!progress.has_rendezvous);
    for (unsigned sent = 1; sent <= 3; sent++) {
        ck_assert(!rp_order_is_taken(&progress, &order));
        ck_assert_uint_eq(take(1), 0); // each is begun as long as there is any time
        ck_assert_uint_eq(progress.sent, sent);
        ck_assert_uint_eq(progress.noted, sent);
        ck_assert_uint_eq(goal_id_of(sent - 1u), 69u + sent);
    }
    ck_assert(rp_order_is_taken(&progress, &order));
}
END_TEST

START_TEST(each_part_of_it_is_paid_for)
{
    begin(AGENTS);
    order.n_handles = AGENTS;
    ck_assert_uint_eq(take(1000), 1000u - AGENTS - AGENTS * SEND_PRICE);
    ck_assert(!progress.has_rendezvous); // there is one place
    progress = (rp_order_progress_t){.found = 0};
    order.n_x = order.n_y = AGENTS;
    ck_assert_uint_eq(take(1000), 1000u - AGENTS - AGENTS / 16u - AGENTS * SEND_PRICE);
    ck_assert(progress.has_rendezvous);
    ck_assert_double_eq(progress.rendezvous.x_m, x[AGENTS / 2u - 1u]); // nearest to the mean
    progress.sent = AGENTS - 1u;
    ck_assert_uint_eq(take(1000), 1000u - SEND_PRICE); // it is looked for once
    order.n_x = order.n_y = 1;
    order.tolerance_m = 0.5;
    progress.sent = AGENTS - 1u;
    ck_assert_uint_eq(take(1000), 1000u - SEND_PRICE - 9u / 4u);
}
END_TEST

START_TEST(who_went_since_it_was_looked_for_is_passed_over)
{
    begin(3);
    order.n_handles = 3;
    order.n_goal_ids = 3;
    ck_assert_uint_eq(take(3), 0);
    ck_assert_uint_eq(progress.found, 3);
    Replan__V1__CloseAgent close = REPLAN__V1__CLOSE_AGENT__INIT;
    close.world = rp_text("marsh");
    close.agent = names[1];
    Replan__V1__Request request = RP_REQUEST(CLOSE_AGENT, close_agent, &close);
    (void)rp_wire_do(&rp_keeper, 0, &request);
    ck_assert_uint_eq(take(1000), 1000u - 3u * SEND_PRICE);
    ck_assert(rp_order_is_taken(&progress, &order));
    ck_assert_uint_eq(progress.noted, 3);
    ck_assert_uint_eq(goal_id_of(0), 70);
    ck_assert_uint_eq(goal_id_of(2), 72);
}
END_TEST

// ---- what it says

START_TEST(what_is_kept_of_it_is_a_goal_for_each)
{
    begin(3);
    order.n_handles = 2;
    order.n_agents = 1;
    by_name[0] = names[2];
    order.n_x = order.n_y = order.n_goal_ids = 3;
    order.tolerance_m = 1.5;
    order.nearest = 1;
    (void)take(1000);
    for (unsigned i = 0; i < 3; i++) {
        Replan__V1__Request *request = goal_of(i);
        const Replan__V1__Goal *goal = request->set_goal;
        ck_assert_str_eq(goal->world, "marsh");
        ck_assert_str_eq(goal->agent, names[i]);
        ck_assert_uint_eq(goal->n_x, 1);
        ck_assert_uint_eq(goal->n_y, 1);
        ck_assert_double_eq(goal->x[0], 10.25 + i);
        ck_assert_double_eq(goal->y[0], 2.25);
        ck_assert_double_eq(goal->tolerance_m, 1.5);
        ck_assert_int_eq(goal->nearest, 1);
        ck_assert_uint_eq(goal->goal_id, 70u + i);
        replan__v1__request__free_unpacked(request, NULL);
    }
}
END_TEST

START_TEST(whom_it_cannot_send_ends_it_behind_those_that_were_sent)
{
    uint64_t budget = 1000;
    begin(2);
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    open.world = rp_text("marsh");
    open.agent = rp_text("hopper");
    open.planner = rp_text("jps"); // knows one goal cell
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    handles[2] = rp_wire_do(&rp_keeper, 0, &request)->opened->handle;
    const uint64_t last = handles[1];
    handles[1] = handles[2];
    handles[2] = last;
    order.n_handles = 3;
    order.n_goal_ids = 1;
    order.tolerance_m = 2.0;
    ck_assert(!rp_orders_take(serving(), &order, &progress, &budget, &refusal));
    ck_assert_int_eq(refusal.status, REPLAN__V1__STATUS__UNSUPPORTED);
    ck_assert_uint_eq(progress.sent, 1);
    ck_assert_uint_eq(progress.noted, 1);
    ck_assert_uint_eq(goal_id_of(0), 70);
    ck_assert_uint_ne(goal_id_of(1), 70);
}
END_TEST

/// The agent of this number, with motion.
static void open_cart(unsigned i)
{
    Replan__V1__Motion motion = REPLAN__V1__MOTION__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    name_of(i, names[i]);
    motion.drive = REPLAN__V1__DRIVE__SPOT;
    open.world = rp_text("marsh");
    open.agent = names[i];
    open.motion = &motion;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    handles[i] = rp_wire_do(&rp_keeper, 0, &request)->opened->handle;
}

START_TEST(who_drives_is_sent_with_the_others)
{
    begin(1);
    open_cart(1);
    order.n_handles = 2;
    (void)take(1000);
    ck_assert_uint_eq(progress.sent, 2);
}
END_TEST

START_TEST(only_who_drives_is_sent_with_a_yaw)
{
    double yaws[] = {0.5, 1.5};
    uint64_t budget = 1000;
    begin(1);
    open_cart(1);
    order.n_handles = order.n_yaw = 2;
    order.yaw = yaws;
    ck_assert(!rp_orders_take(serving(), &order, &progress, &budget, &refusal));
    ck_assert_int_eq(refusal.status, REPLAN__V1__STATUS__UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(refusal.sentence, "order.yaw: agent \"aa\""));
    ck_assert_uint_eq(progress.sent, 0);
    progress = (rp_order_progress_t){.found = 0};
    order.handles = handles + 1;
    order.n_handles = order.n_yaw = 1;
    order.yaw = yaws + 1;
    order.heading = REPLAN__V1__GOAL_HEADING__EITHER_WAY;
    order.yaw_tolerance = 0.2;
    (void)take(1000);
    Replan__V1__Request *request = goal_of(1);
    ck_assert_uint_eq(request->set_goal->n_yaw, 1);
    ck_assert_double_eq(request->set_goal->yaw[0], 1.5);
    ck_assert_int_eq(request->set_goal->heading, REPLAN__V1__GOAL_HEADING__EITHER_WAY);
    ck_assert_double_eq(request->set_goal->yaw_tolerance, 0.2);
    replan__v1__request__free_unpacked(request, NULL);
}
END_TEST

// ---- the journal

static void expect_kept(void)
{
    rp_wire_work(&rp_keeper);
    rp_keeper_die(0);
    rp_heir_is_same();
    rp_keeper_tear_down();
}

/// An order of so many: by handles, by names, or by both, to one place or many. Of these some are
/// sent, one or two in a slice.
static void keep_part(unsigned agents, unsigned kind, unsigned sent)
{
    begin(agents);
    order.n_handles = kind == 0 ? agents : kind == 1 ? agents / 2u : 0;
    order.n_agents = agents - order.n_handles;
    for (unsigned i = 0; i < order.n_agents; i++) {
        by_name[i] = names[order.n_handles + i];
    }
    order.n_x = order.n_y = kind == 1 ? 1 : agents;
    order.n_goal_ids = kind == 2 ? 1 : agents;
    (void)take(agents);
    while (progress.sent < sent) {
        (void)take(sent - progress.sent > 1u ? SEND_PRICE + 1u : 1u);
    }
    ck_assert_uint_eq(progress.sent, sent);
    expect_kept();
}

/// Whoever was sent by then is sent when the state is read, by the order's parts.
START_TEST(as_far_as_it_went_it_is_kept)
{
    for (unsigned agents = 1; agents <= 4; agents++) {
        for (unsigned sent = 0; sent <= agents; sent++) {
            for (unsigned kind = 0; kind < 3; kind++) {
                keep_part(agents, kind, sent);
            }
        }
    }
}
END_TEST

START_TEST(yaws_are_kept_of_whom_it_came_to)
{
    double yaws[] = {0.5, 1.5, 2.5};
    for (unsigned agents = 1; agents <= 3; agents++) {
        for (unsigned sent = 1; sent <= agents; sent++) {
            begin(0);
            for (unsigned i = 0; i < agents; i++) {
                open_cart(i);
                x[i] = 10.25 + i;
                y[i] = 2.25;
            }
            order.n_handles = order.n_x = order.n_y = order.n_yaw = agents;
            order.yaw = yaws;
            (void)take(agents);
            while (progress.sent < sent) {
                (void)take(1);
            }
            expect_kept();
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        it_is_as_long_as_its_agents_and_the_area_of_each,
        nobody_sets_out_before_all_were_looked_for_and_then_one_after_the_other,
        each_part_of_it_is_paid_for,
        who_went_since_it_was_looked_for_is_passed_over,
        what_is_kept_of_it_is_a_goal_for_each,
        whom_it_cannot_send_ends_it_behind_those_that_were_sent,
        who_drives_is_sent_with_the_others,
        only_who_drives_is_sent_with_a_yaw,
        as_far_as_it_went_it_is_kept,
        yaws_are_kept_of_whom_it_came_to,
    };
    rp_log_set_level(RP_LOG_ERROR);
    return rp_suite_run("orders", tests, sizeof tests / sizeof tests[0], 1, rp_keeper_tear_down);
}
