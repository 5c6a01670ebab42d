/// States with long messages, and states that older daemons wrote.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemon/process/log.h"
#include "daemon/requests/restore.h"
#include "daemon/requests/staged_request.h"
#include "daemon/rules/state.h"
#include "daemon/rules/world_quota.h"
#include "store/journal.h"
#include "tests/daemon/heir.h"
#include "tests/daemon/rules/keeping.h"
#include "tests/support/suite.h"

// ---- long messages, whose parts come one by one

#define WIDE 64u

/// A keeper that takes what is long in parts, and whose bases are due when they are wanted.
static void open_patient(void)
{
    char error[256];
    rp_keeper_open(false);
    rp_keeper.daemon.intake.long_from = 1000;
    rp_keeper_create("marsh", WIDE, WIDE);
    rp_wire_pass(&rp_keeper, 10000000);
    ck_assert(rp_state_settle(&rp_keeper.daemon.serving, error, sizeof error));
}

static uint8_t wide[WIDE * WIDE];

/// A change of all cells. @param byte  of all of them
static void send_wide(uint8_t byte)
{
    static Replan__V1__Apply body;
    replan__v1__apply__init(&body);
    replan__v1__request__init(&request);
    memset(wide, byte, sizeof wide);
    body.change = rp_wire_change(0, 0, 0);
    body.change->width = body.change->height = WIDE;
    body.change->rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    body.change->data = (ProtobufCBinaryData){sizeof wide, wide};
    request.id = ++rp_keeper.next_id;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &body;
    rp_wire_send(&rp_keeper, 0, &request);
}

START_TEST(a_base_waits_for_the_end_of_what_is_long)
{
    open_patient();
    send_wide(3);
    while (rp_keeper.daemon.intake.queue.first->staged->noted == 0) {
        rp_daemon_work(&rp_keeper.daemon, 16);
        ck_assert_ptr_nonnull(rp_keeper.daemon.intake.queue.first);
    }
    rp_wire_expect_no_reply(&rp_keeper, 0);
    rp_state_renew(&rp_keeper.daemon.serving);
    for (int i = 0; i < 100; i++) { // the disk takes what is noted meanwhile
        (void)usleep(1000);
        rp_state_work(&rp_keeper.daemon.serving);
        ck_assert(!rp_state_is_busy(&rp_keeper.daemon.serving));
    }
    rp_wire_work(&rp_keeper);
    ck_assert_int_eq(rp_wire_reply(&rp_keeper, 0)->status, REPLAN__V1__STATUS__OK);
    rp_keeper_die(0);
    rp_heir_is_same();
    ck_assert_int_eq(byte_at(&rp_heir, 9, 9), 3);
}
END_TEST

/// What it says of the world so far is of cells that are elsewhere now.
START_TEST(a_window_that_moves_ends_a_base_that_is_under_way)
{
    char error[256];
    Replan__V1__Resize resize = REPLAN__V1__RESIZE__INIT;
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    (void)apply_numbered(&rp_keeper, 1, 9);
    ck_assert(rp_state_settle(&rp_keeper.daemon.serving, error, sizeof error));
    rp_state_renew(&rp_keeper.daemon.serving);
    ck_assert(rp_state_is_busy(&rp_keeper.daemon.serving));
    replan__v1__request__init(&request);
    resize.world = rp_text("marsh");
    resize.x = 3;
    resize.y = -2;
    resize.width = 20;
    resize.height = 7;
    request.body_case = REPLAN__V1__REQUEST__BODY_RESIZE;
    request.resize = &resize;
    (void)rp_wire_do(&rp_keeper, 0, &request);
    ck_assert(rp_state_settle(&rp_keeper.daemon.serving, error, sizeof error));
    rp_keeper_die(0);
    rp_heir_is_same();
    ck_assert_int_eq(byte_at(&rp_heir, 6, 3), 0);
}
END_TEST

START_TEST(a_world_that_goes_ends_a_base_that_is_under_way)
{
    char error[256];
    Replan__V1__RemoveWorld body = REPLAN__V1__REMOVE_WORLD__INIT;
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    (void)rp_wire_agent(&rp_keeper, 0, "ada", 1, 1, 5, 5);
    ck_assert(rp_state_settle(&rp_keeper.daemon.serving, error, sizeof error));
    rp_state_renew(&rp_keeper.daemon.serving);
    ck_assert(rp_state_is_busy(&rp_keeper.daemon.serving));
    replan__v1__request__init(&request);
    body.world = rp_text("marsh");
    request.body_case = REPLAN__V1__REQUEST__BODY_REMOVE_WORLD;
    request.remove_world = &body;
    rp_wire_send(&rp_keeper, 0, &request);
    ck_assert(!rp_state_is_busy(&rp_keeper.daemon.serving));
    rp_wire_work(&rp_keeper);
    ck_assert_int_eq(rp_wire_reply(&rp_keeper, 0)->status, REPLAN__V1__STATUS__OK);
    rp_keeper_create("marsh", 9, 9);
    ck_assert(rp_state_settle(&rp_keeper.daemon.serving, error, sizeof error));
    rp_keeper_die(0);
    rp_heir_is_same();
}
END_TEST

/// Its bytes come by parts, and the base has many worlds to write before that one.
START_TEST(a_long_window_ends_a_base_that_is_under_way)
{
    static uint8_t bytes[RP_STAGED_FROM_BYTES];
    char error[256];
    Replan__V1__Resize resize = REPLAN__V1__RESIZE__INIT;
    uint32_t rect[] = {0, 0, 1024, sizeof bytes / 1024u};
    bool was_busy = false;
    open_patient();
    for (unsigned i = 0; i < 40; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "pond%u", i);
        rp_keeper_create(name, 8, 8);
    }
    rp_keeper_create("tarn", WIDE, WIDE);
    ck_assert(rp_state_settle(&rp_keeper.daemon.serving, error, sizeof error));
    rp_state_renew(&rp_keeper.daemon.serving);
    replan__v1__request__init(&request);
    resize.world = rp_text("tarn");
    resize.width = rect[2];
    resize.height = rect[3];
    resize.rects = rect;
    resize.n_rects = 4;
    resize.rect_data = (ProtobufCBinaryData){sizeof bytes, bytes};
    request.id = ++rp_keeper.next_id;
    request.body_case = REPLAN__V1__REQUEST__BODY_RESIZE;
    request.resize = &resize;
    rp_wire_send(&rp_keeper, 0, &request);
    while (rp_keeper.daemon.intake.queue.first != NULL) {
        was_busy = rp_state_is_busy(&rp_keeper.daemon.serving);
        rp_daemon_work(&rp_keeper.daemon, 1u << 20);
    }
    ck_assert(was_busy);
    rp_wire_work(&rp_keeper);
    ck_assert_int_eq(rp_wire_reply(&rp_keeper, 0)->status, REPLAN__V1__STATUS__OK);
    ck_assert(rp_state_settle(&rp_keeper.daemon.serving, error, sizeof error));
    rp_keeper_die(0);
    rp_heir_is_same();
}
END_TEST

START_TEST(bases_are_written_again_after_something_long_was_refused)
{
    char error[256];
    Replan__V1__CreateWorld body = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    open_patient();
    replan__v1__request__init(&request);
    geometry.width = geometry.height = WIDE;
    geometry.resolution = 1.0;
    body.world = rp_text("marsh"); // which is there
    body.geometry = &geometry;
    body.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    body.data = (ProtobufCBinaryData){sizeof wide, wide};
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &body;
    ck_assert_int_ne(rp_wire_ask(&rp_keeper, 0, &request)->status, REPLAN__V1__STATUS__OK);
    ck_assert(rp_state_settle(&rp_keeper.daemon.serving, error, sizeof error));
    rp_state_renew(&rp_keeper.daemon.serving);
    ck_assert(rp_state_is_busy(&rp_keeper.daemon.serving));
    rp_keeper_die(0);
    rp_heir_is_same();
}
END_TEST

START_TEST(what_an_older_incarnation_lost_stays_marked)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    (void)apply_of(&rp_keeper, 7, 3, 3);
    (void)apply_of(&rp_keeper, 8, 1, 1);
    (void)apply_of(&rp_keeper, 8, 2, 2);
    for (int round = 0; round < 2; round++) { // from the log, then from a base
        rp_keeper_die(0);
        rp_heir_is_same();
        ck_assert_uint_eq(rp_wire_marsh(&rp_heir)->publishers.gaps, 1);
        ck_assert_int_eq(apply_of(&rp_heir, 7, 4, 3)->status, REPLAN__V1__STATUS__LATE);
        rp_keeper_renew();
    }
}
END_TEST

START_TEST(handles_are_as_they_were_and_those_that_are_free_are_not_given_again)
{
    uint64_t handles[10];
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    for (char name[] = "a"; name[0] < 'k'; name[0]++) {
        handles[name[0] - 'a'] = rp_wire_agent(&rp_keeper, 0, name, 1, 1, 9, 5);
        rp_wire_pass(&rp_keeper, 1000);
    }
    for (char name[] = "b"; name[0] < 'k'; name[0] = (char)(name[0] + 3)) {
        Replan__V1__CloseAgent close = REPLAN__V1__CLOSE_AGENT__INIT;
        replan__v1__request__init(&request);
        close.world = rp_text("marsh");
        close.agent = name;
        request.body_case = REPLAN__V1__REQUEST__BODY_CLOSE_AGENT;
        request.close_agent = &close;
        (void)rp_wire_do(&rp_keeper, 0, &request);
    }
    rp_keeper_renew();
    rp_keeper_die(0);
    rp_heir_is_same();
    for (char name[] = "a"; name[0] < 'k'; name[0]++) {
        const rp_served_t *marsh = rp_wire_marsh(&rp_heir);
        const rp_agent_t *agent = rp_worlds_find_agent(marsh, name);
        ck_assert_ptr_eq(
            rp_worlds_find_handle(&rp_heir.daemon.serving.worlds, marsh, handles[name[0] - 'a']),
            agent);
        ck_assert((agent == NULL) == ((name[0] - 'b') % 3 == 0));
    }
    rp_heir.daemon.serving.now.wall_us = 1; // the clock was set back
    const uint64_t handle = rp_wire_agent(&rp_heir, 0, "next", 1, 1, 9, 5);
    for (unsigned i = 0; i < 10; i++) {
        ck_assert_uint_ne(handle, handles[i]);
    }
}
END_TEST

// ---- a state of a daemon whose handles were sessions

static char old_folder[] = "/tmp/replan-old-state-XXXXXX";

static rp_record_t old_record(void)
{
    static uint8_t bytes[512];
    const size_t size = protobuf_c_message_pack(&request.base, bytes);
    return (rp_record_t){
        .kind = RP_RECORD_REQUEST, .wall_us = 1699999999000000, .bytes = bytes, .size = size};
}

static rp_record_t old_world(void)
{
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    geometry.width = 16;
    geometry.height = 8;
    geometry.resolution = 1.0;
    create.world = rp_text("marsh");
    create.geometry = &geometry;
    replan__v1__request__init(&request);
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &create;
    return old_record();
}

static rp_record_t old_agent(const char *name)
{
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    replan__v1__request__init(&request);
    open.world = rp_text("marsh");
    open.agent = rp_text(name);
    request.body_case = REPLAN__V1__REQUEST__BODY_OPEN_AGENT;
    request.open_agent = &open;
    return old_record();
}

static rp_record_t old_pose(uint32_t handle, double x)
{
    Replan__V1__Poses poses = REPLAN__V1__POSES__INIT;
    replan__v1__request__init(&request);
    poses.world = rp_text("marsh");
    poses.handles32 = &handle;
    poses.n_handles32 = poses.n_x = poses.n_y = 1;
    poses.x = poses.y = &x;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_POSES;
    request.set_poses = &poses;
    return old_record();
}

static rp_record_t old_order(uint32_t handle, double x)
{
    Replan__V1__Order order = REPLAN__V1__ORDER__INIT;
    replan__v1__request__init(&request);
    order.world = rp_text("marsh");
    order.handles32 = &handle;
    order.n_handles32 = order.n_x = order.n_y = 1;
    order.x = order.y = &x;
    request.body_case = REPLAN__V1__REQUEST__BODY_ORDER;
    request.order = &order;
    return old_record();
}

/// A base with a free handle between two agents, and a log in which somebody gets it.
static void write_old_state(void)
{
    char error[256];
    rp_state_found_t found;
    rp_journal_t *journal = rp_journal_open(old_folder, NULL, error, sizeof error);
    ck_assert_msg(journal != NULL, "%s", error);
    ck_assert(rp_journal_read(journal, false, NULL, NULL, &found, error, sizeof error));
    ck_assert(rp_journal_begin_checkpoint(journal));
    const rp_record_t hole = {.kind = RP_RECORD_HOLE};
    rp_record_t record = old_world();
    ck_assert(rp_journal_write_checkpoint(journal, &record));
    record = old_agent("first");
    ck_assert(rp_journal_write_checkpoint(journal, &record));
    ck_assert(rp_journal_write_checkpoint(journal, &hole));
    record = old_agent("third");
    ck_assert(rp_journal_write_checkpoint(journal, &record));
    ck_assert(rp_journal_end_checkpoint(journal, record.wall_us));
    record = old_pose(3, 3.5);
    ck_assert(rp_journal_add(journal, &record));
    record = old_order(3, 6.5);
    ck_assert(rp_journal_add(journal, &record));
    record = old_agent("second");
    ck_assert(rp_journal_add(journal, &record));
    record = old_pose(2, 2.5);
    ck_assert(rp_journal_add(journal, &record));
    rp_journal_close(&journal);
}

static void expect_pose(const char *name, double x)
{
    const rp_agent_t *agent = rp_worlds_find_agent(rp_wire_marsh(&rp_heir), name);
    ck_assert_ptr_nonnull(agent);
    ck_assert(agent->last.pose.is_there && agent->last.pose.x_m == x);
    ck_assert_ptr_eq(
        rp_worlds_find_handle(&rp_heir.daemon.serving.worlds, agent->world, agent->handle), agent);
}

START_TEST(a_state_of_a_daemon_with_handles_of_32_bits_is_understood)
{
    char error[256];
    char command[64];
    rp_keeper_open(false);
    ck_assert_ptr_nonnull(mkdtemp(old_folder));
    write_old_state();
    rp_wire_open_bare(&rp_heir);
    rp_heir.daemon.serving.state = rp_state_open(old_folder, false, error, sizeof error);
    ck_assert_msg(rp_heir.daemon.serving.state != NULL, "%s", error);
    ck_assert_msg(rp_restore(&rp_heir.daemon.intake, false, error, sizeof error), "%s", error);
    expect_pose("third", 3.5);
    expect_pose("second", 2.5);
    ck_assert(!rp_worlds_find_agent(rp_wire_marsh(&rp_heir), "first")->last.pose.is_there);
    rp_wire_work(&rp_heir);
    const Replan__V1__Answer *answer = rp_wire_answer(&rp_heir, 0, "third");
    ck_assert_uint_eq(answer->start, 3 * 16 + 3);
    ck_assert_uint_eq(answer->steps.len, 3);
    (void)snprintf(command, sizeof command, "rm -rf %s", old_folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/// In a base the shapes of a world come before its agents: what they ask of a planner was found out
/// when the agent was opened.
START_TEST(an_agent_whose_planner_knows_no_weights_comes_back_to_some)
{
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    replan__v1__request__init(&request);
    open.world = rp_text("marsh");
    open.agent = rp_text("archer");
    open.planner = rp_text("jps");
    request.body_case = REPLAN__V1__REQUEST__BODY_OPEN_AGENT;
    request.open_agent = &open;
    (void)rp_wire_do(&rp_keeper, 0, &request);
    (void)rp_wire_agent(&rp_keeper, 0, "scout", 1, 1, 9, 5);
    put_disc_of(1, 0, 7);
    rp_keeper_renew();
    rp_keeper_die(0);
    rp_heir_is_same();
}
END_TEST

static void open_car(char *name)
{
    Replan__V1__Motion motion = REPLAN__V1__MOTION__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    replan__v1__request__init(&request);
    motion.turning_radius_m = 2.0;
    open.world = rp_text("marsh");
    open.agent = name;
    open.motion = &motion;
    request.body_case = REPLAN__V1__REQUEST__BODY_OPEN_AGENT;
    request.open_agent = &open;
    (void)rp_wire_do(&rp_keeper, 0, &request);
}

/// A daemon that did not count the planners of curves had accepted all this with its limit.
START_TEST(who_drives_comes_back_though_a_planner_has_no_room)
{
    const uint64_t planner = 20u * 16u * 8u;
    rp_keeper_open(false);
    rp_serving_t *serving = &rp_keeper.daemon.serving;
    rp_keeper_create("marsh", 16, 8);
    open_car(rp_text("cart"));
    rp_keeper_create("fen", 2, 2);
    serving->memory_bytes = rp_world_quota_bytes_with(serving, NULL, 0) - planner;
    rp_keeper_die(0); // of a log
    rp_heir_is_same();
    rp_keeper_renew();
    rp_keeper_die(0); // and of a base
    rp_heir_is_same();
    serving = &rp_heir.daemon.serving;
    ck_assert_uint_eq(rp_world_quota_bytes_with(serving, NULL, 0), serving->memory_bytes + planner);
}
END_TEST

START_TEST(whose_lease_is_over_does_not_come_back)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    (void)rp_wire_agent(&rp_keeper, 0, "scout", 1, 1, 9, 5);
    rp_wire_pass(&rp_keeper, 61000000);
    ck_assert_uint_eq(rp_wire_marsh(&rp_keeper)->agent_count, 0);
    rp_keeper_die(0);
    rp_heir_is_same();
    ck_assert_uint_eq(rp_wire_marsh(&rp_heir)->agent_count, 0);
}
END_TEST

START_TEST(a_lease_begins_anew_and_a_shape_s_time_goes_on)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    (void)rp_wire_agent(&rp_keeper, 0, "scout", 1, 1, 9, 5);
    put_disc(4, 90000);
    rp_keeper_die(80000000);
    ck_assert_int_eq(byte_at(&rp_heir, 2, 4), 0);
    ck_assert_uint_eq(rp_wire_marsh(&rp_heir)->agent_count, 1); // though its lease was 60 s
    rp_wire_pass(&rp_heir, 9000000);
    ck_assert_int_eq(byte_at(&rp_heir, 2, 4), 0);
    rp_wire_pass(&rp_heir, 2000000);
    ck_assert_int_eq(byte_at(&rp_heir, 2, 4), 1);
    rp_keeper_die(100000000);
    ck_assert_int_eq(byte_at(&rp_heir, 2, 4), 1);
}
END_TEST

START_TEST(whose_time_was_over_before_is_not_seen_by_the_first_who_asks)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    put_disc(4, 1000);
    rp_keeper_die(2000000);
    ck_assert_int_eq(byte_at(&rp_heir, 2, 4), 1);
    ck_assert_ptr_null(rp_wire_published(&rp_heir, "delta/marsh/")); // it went before anybody came
}
END_TEST

START_TEST(a_way_point_that_was_reached_is_not_gone_to_again)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    (void)rp_wire_agent(&rp_keeper, 0, "scout", 1, 1, 9, 5);
    double x[] = {-1.75, 0.25, 3.25};
    double y[] = {0.75, 1.25, 2.25};
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    replan__v1__request__init(&request);
    goal.world = pose.world = rp_text("marsh");
    goal.agent = pose.agent = rp_text("scout");
    goal.kind = REPLAN__V1__GOAL_KIND__WAYPOINTS;
    goal.n_x = goal.n_y = 3;
    goal.x = x;
    goal.y = y;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_GOAL;
    request.set_goal = &goal;
    (void)rp_wire_do(&rp_keeper, 0, &request);
    for (unsigned i = 0; i < 2; i++) {
        pose.x = x[i];
        pose.y = y[i];
        pose.pose_seq = i + 1u;
        request.body_case = REPLAN__V1__REQUEST__BODY_SET_POSE;
        request.set_pose = &pose;
        (void)rp_wire_do(&rp_keeper, 0, &request);
        ck_assert_uint_eq(rp_wire_answer(&rp_keeper, 0, "scout")->waypoint, i + 1u);
        rp_wire_work(&rp_keeper);
        rp_keeper_die(0);
        ck_assert_uint_eq(rp_wire_answer(&rp_heir, 0, "scout")->waypoint, i + 1u);
        rp_heir_is_same();
        rp_keeper_renew();
        rp_keeper_die(0);
        ck_assert_uint_eq(rp_wire_answer(&rp_heir, 0, "scout")->waypoint, i + 1u);
    }
}
END_TEST

START_TEST(what_a_refused_order_did_is_so_again)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    uint64_t able = rp_wire_agent(&rp_keeper, 0, "able", 1, 1, 9, 5);
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    Replan__V1__Order order = REPLAN__V1__ORDER__INIT;
    char *agents[] = {rp_text("unable"), rp_text("never")};
    double x[] = {0.25, 1.25, 2.25};
    double y[] = {0.25, 1.25, 2.25};
    uint64_t ids[] = {7, 8, 9};
    replan__v1__request__init(&request);
    open.world = order.world = rp_text("marsh");
    open.agent = rp_text("unable");
    open.planner = rp_text("fsa"); // which takes one goal
    request.body_case = REPLAN__V1__REQUEST__BODY_OPEN_AGENT;
    request.open_agent = &open;
    (void)rp_wire_do(&rp_keeper, 0, &request);
    (void)rp_wire_agent(&rp_keeper, 0, "never", 1, 1, 9, 5);
    order.n_handles = 1;
    order.handles = &able;
    order.n_agents = 2;
    order.agents = agents;
    order.n_x = order.n_y = order.n_goal_ids = 3;
    order.x = x;
    order.y = y;
    order.goal_ids = ids;
    order.tolerance_m = 1.0;
    request.body_case = REPLAN__V1__REQUEST__BODY_ORDER;
    request.order = &order;
    ck_assert_int_eq(rp_wire_ask(&rp_keeper, 0, &request)->status, REPLAN__V1__STATUS__UNSUPPORTED);
    ck_assert_uint_eq(rp_wire_answer(&rp_keeper, 0, "able")->goal_id, 7);
    rp_keeper_die(0);
    rp_heir_is_same();
    ck_assert_uint_eq(rp_wire_answer(&rp_heir, 0, "able")->goal_id, 7);
    ck_assert_uint_eq(rp_wire_answer(&rp_heir, 0, "never")->goal_id, 0);
}
END_TEST

int main(void)
{
    rp_log_set_level(RP_LOG_ERROR);
    const TTest *const tests[] = {
        a_base_waits_for_the_end_of_what_is_long,
        a_window_that_moves_ends_a_base_that_is_under_way,
        a_world_that_goes_ends_a_base_that_is_under_way,
        a_long_window_ends_a_base_that_is_under_way,
        bases_are_written_again_after_something_long_was_refused,
        what_an_older_incarnation_lost_stays_marked,
        handles_are_as_they_were_and_those_that_are_free_are_not_given_again,
        a_state_of_a_daemon_with_handles_of_32_bits_is_understood,
        an_agent_whose_planner_knows_no_weights_comes_back_to_some,
        who_drives_comes_back_though_a_planner_has_no_room,
        whose_lease_is_over_does_not_come_back,
        a_lease_begins_anew_and_a_shape_s_time_goes_on,
        whose_time_was_over_before_is_not_seen_by_the_first_who_asks,
        a_way_point_that_was_reached_is_not_gone_to_again,
        what_a_refused_order_did_is_so_again,
    };
    return rp_suite_run("state_formats", tests, sizeof tests / sizeof tests[0], 1,
                        rp_keeper_tear_down);
}
