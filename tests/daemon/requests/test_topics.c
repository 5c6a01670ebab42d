/// What comes by PUB: publishers with their numbers, topics and bodies; what is refused is told to
/// all.
#include <stdio.h>
#include <string.h>

#include "daemon/requests/staged_request.h"
#include "daemon/requests/topics.h"
#include "daemon/rules/agents.h"
#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

// ---- publishers

/// The sequence-th change of publisher "scout", by the changes socket.
static void publish_change(uint64_t incarnation, uint64_t sequence, uint64_t repairs_through)
{
    uint8_t bytes[256];
    Replan__V1__Change *change = rp_wire_change((uint32_t)sequence % 16u, 2, 3);
    change->publisher = rp_text("scout");
    change->incarnation = incarnation;
    change->sequence = sequence;
    change->repairs_through = repairs_through;
    const size_t size = protobuf_c_message_pack(&change->base, bytes);
    rp_daemon_change(&wire.daemon, "change/marsh/", 13, bytes, size);
}

static const Replan__V1__Notice *notice(const char *topic)
{
    return (const Replan__V1__Notice *)rp_wire_published(&wire, topic);
}

static bool head_says_gap(void)
{
    const Replan__V1__Head *newest = NULL;
    rp_wire_pass(&wire, 1000);
    for (const Replan__V1__Head *head;
         (head = (const Replan__V1__Head *)rp_wire_published(&wire, "head/marsh/")) != NULL;) {
        newest = head;
    }
    ck_assert_ptr_nonnull(newest);
    return newest->gap;
}

START_TEST(a_gap_is_marked_told_once_and_forgiven)
{
    rp_wire_open(&wire);
    publish_change(1, 1, 0);
    ck_assert(!head_says_gap());
    publish_change(1, 5, 0);
    ck_assert_uint_eq(rp_wire_version(&wire), 3);
    const Replan__V1__Notice *told = notice("status/marsh/");
    ck_assert_ptr_nonnull(told);
    ck_assert(told->gap);
    ck_assert_str_eq(told->publisher, "scout");
    ck_assert(head_says_gap());
    publish_change(1, 6, 0);
    ck_assert_ptr_null(notice("status/marsh/"));
    Replan__V1__Forgive forgive = REPLAN__V1__FORGIVE__INIT;
    forgive.world = rp_text("marsh");
    forgive.publisher = rp_text("scout");
    Replan__V1__Request request = RP_REQUEST(FORGIVE, forgive, &forgive);
    (void)rp_wire_do(&wire, 1, &request);
    ck_assert(!head_says_gap());
    forgive.publisher = rp_text("nobody");
    ck_assert_int_eq(rp_wire_ask(&wire, 1, &request)->status, REPLAN__V1__STATUS__UNKNOWN);
}
END_TEST

START_TEST(a_repair_ends_the_gap_that_it_reaches)
{
    rp_wire_open(&wire);
    publish_change(1, 4, 0);
    publish_change(1, 5, 2); // 3 is still lost
    ck_assert(head_says_gap());
    publish_change(1, 6, 3);
    ck_assert(!head_says_gap());
}
END_TEST

START_TEST(late_changes_are_refused_and_repeats_are_not_applied_again)
{
    rp_wire_open(&wire);
    publish_change(1, 1, 0);
    publish_change(1, 4, 0);
    (void)notice("status/marsh/");
    publish_change(1, 2, 0);
    const Replan__V1__Notice *told = notice("status/marsh/");
    ck_assert_int_eq(told->status, REPLAN__V1__STATUS__LATE);
    ck_assert_uint_eq(told->sequence, 2);
    publish_change(1, 4, 0);
    ck_assert_uint_eq(rp_wire_version(&wire), 3);
    ck_assert_uint_eq(rp_wire_stat(&wire, "changes.late"), 1);
    ck_assert_uint_eq(rp_wire_stat(&wire, "changes.repeated"), 1);
    publish_change(2, 1, 0); // started anew
    ck_assert_uint_eq(rp_wire_version(&wire), 4);
    publish_change(1, 5, 0);
    ck_assert_int_eq(notice("status/marsh/")->status, REPLAN__V1__STATUS__LATE);
    ck_assert_uint_eq(rp_wire_version(&wire), 4);
}
END_TEST

START_TEST(a_repeat_through_control_is_told_the_version_that_it_got)
{
    rp_wire_open(&wire);
    publish_change(1, 1, 0);
    publish_change(1, 2, 0);
    Replan__V1__Change *change = rp_wire_change(1, 2, 3);
    change->publisher = rp_text("scout");
    change->incarnation = 1;
    change->sequence = 1;
    ck_assert_uint_eq(rp_wire_apply(&wire, 1, change, REPLAN__V1__WAIT__APPLIED), 2);
    ck_assert_uint_eq(rp_wire_version(&wire), 3);
}
END_TEST

// ---- topics and bodies

static void publish_bytes(const char *topic, const ProtobufCMessage *message)
{
    uint8_t bytes[256];
    const size_t size = protobuf_c_message_pack(message, bytes);
    if (topic[0] == 'c') {
        rp_daemon_change(&wire.daemon, topic, strlen(topic), bytes, size);
    } else {
        rp_daemon_pose(&wire.daemon, topic, strlen(topic), bytes, size);
    }
}

START_TEST(a_body_may_leave_out_the_names_that_its_topic_says)
{
    rp_wire_open(&wire);
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    double there = 7.5;
    Replan__V1__Change *change = rp_wire_change(3, 3, 0);
    change->world = rp_text("");
    publish_bytes("change/marsh/", &change->base);
    ck_assert_uint_eq(rp_wire_version(&wire), 2);
    pose.x = pose.y = 0.5;
    goal.n_x = goal.n_y = 1;
    goal.x = goal.y = &there;
    publish_bytes("pose/marsh/orc/", &pose.base);
    publish_bytes("goal/marsh/orc/", &goal.base);
    rp_wire_work(&wire);
    ck_assert_ptr_nonnull(rp_wire_published(&wire, "path/marsh/orc/"));
}
END_TEST

START_TEST(a_body_that_contradicts_its_topic_is_refused)
{
    rp_wire_open(&wire);
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Change *change = rp_wire_change(3, 3, 0);
    change->world = rp_text("meadow");
    publish_bytes("change/marsh/", &change->base);
    ck_assert_ptr_nonnull(strstr(notice("status/marsh/")->sentence, "change.world"));
    pose.world = rp_text("marsh");
    pose.agent = rp_text("elf");
    publish_bytes("pose/marsh/orc/", &pose.base);
    ck_assert_ptr_nonnull(strstr(notice("status/marsh/")->sentence, "agent"));
    ck_assert_uint_eq(rp_wire_version(&wire), 1);
    ck_assert_uint_eq(rp_wire_marsh(&wire)->agent_count, 0);
    ck_assert_uint_eq(rp_wire_stat(&wire, "changes.refused"), 1);
    ck_assert_uint_eq(rp_wire_stat(&wire, "poses.refused"), 1);
}
END_TEST

START_TEST(a_topic_of_the_wrong_form_is_refused_for_what_is_wrong_with_it)
{
    static const struct {
        const char *topic;
        const char *word;
    } cases[] = {
        {"pose/marsh/o!c/", "topic.agent"},
        {"pose/ma sh/orc/", "topic.world"},
        {"pose/marsh/orc", "\"/\""},
        {"pose/marsh/", "topic"},
        {"goal/marsh/0123456789012345678901234567890123/", "32"},
        {"poses/marsh/orc/", "topic"},
        {"change/marsh/orc/", "topic"},
        {"change/marsh", "\"/\""},
        {"position/marsh/orc/", "topic"},
    };
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Poses poses = REPLAN__V1__POSES__INIT;
    rp_wire_open(&wire);
    uint64_t handle = rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    double zero = 0.5;
    pose.world = rp_text("marsh");
    pose.agent = rp_text("orc");
    poses.world = rp_text("marsh");
    poses.n_handles = poses.n_x = poses.n_y = 1;
    poses.handles = &handle;
    poses.x = poses.y = &zero;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *topic = cases[i].topic;
        const ProtobufCMessage *body = topic[0] == 'c' ? &rp_wire_change(1, 1, 0)->base
                                       : strncmp(topic, "poses", 5) == 0 ? &poses.base
                                                                         : &pose.base;
        publish_bytes(topic, body);
        const Replan__V1__Notice *told = notice("status/-/");
        told = told != NULL ? told : notice("status/marsh/");
        ck_assert_msg(told != NULL, "%s was taken", topic);
        ck_assert_msg(strstr(told->sentence, cases[i].word) != NULL, "%s: no %s in: %s", topic,
                      cases[i].word, told->sentence);
    }
}
END_TEST

/// Two batches: one that is taken at once, and one that is taken in slices.
START_TEST(poses_of_agents_that_are_gone_are_left_out_and_told)
{
    Replan__V1__Poses poses = REPLAN__V1__POSES__INIT;
    double x[] = {7.5, 8.5, 9.5};
    rp_wire_open(&wire);
    wire.daemon.intake.long_from = _i == 0 ? RP_STAGED_FROM_BYTES : RP_POSE_BYTES;
    uint64_t handles[] = {rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0), 77,
                          rp_wire_agent(&wire, 0, "elf", 0, 1, 15, 1)};
    const uint64_t orc = handles[0];
    rp_agents_close(&wire.daemon.serving, rp_worlds_find_agent(rp_wire_marsh(&wire), "orc"));
    const uint64_t fay = rp_wire_agent(&wire, 0, "fay", 2, 2, 15, 2);
    poses.handles = handles;
    poses.n_handles = poses.n_x = poses.n_y = 3;
    poses.x = poses.y = x;
    poses.pose_seq = 1;
    x[2] = 1.5;
    publish_bytes("poses/marsh/", &poses.base);
    rp_wire_work(&wire);
    const Replan__V1__Notice *told = notice("status/marsh/");
    ck_assert_ptr_nonnull(told);
    char stale[32];
    (void)snprintf(stale, sizeof stale, "handle %llu,", (unsigned long long)orc);
    ck_assert_ptr_nonnull(strstr(told->sentence, "poses.handles[0]"));
    ck_assert_ptr_nonnull(strstr(told->sentence, stale));
    ck_assert_ptr_nonnull(strstr(told->sentence, "1 others of these 3"));
    ck_assert_uint_eq(rp_wire_stat(&wire, "poses.refused"), 1);
    ck_assert_uint_eq(rp_wire_answer(&wire, 0, "elf")->start, 1 * 16 + 1);
    ck_assert_uint_eq(rp_wire_answer(&wire, 0, "fay")->start, 2 * 16 + 2);
    ck_assert_uint_ne(fay, orc);
}
END_TEST

START_TEST(bytes_that_are_no_message_are_counted_and_told)
{
    rp_wire_open(&wire);
    const rp_peer_t peer = {.frame_count = 1, .size = 3, .bytes = {2, 3, 'x'}};
    rp_daemon_request(&wire.daemon, &peer, "\xff\xff", 2);
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, 3);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "request"));
    rp_daemon_change(&wire.daemon, "change/marsh/", 13, "\xff", 1);
    ck_assert_ptr_nonnull(strstr(notice("status/marsh/")->sentence, "change"));
    rp_daemon_pose(&wire.daemon, "pose/marsh/orc/", 15, "\xff", 1);
    ck_assert_ptr_nonnull(strstr(notice("status/marsh/")->sentence, "pose"));
    rp_daemon_malformed(&wire.daemon, "changes", "a message has 2 frames, topic and body");
    ck_assert_ptr_nonnull(strstr(notice("status/-/")->sentence, "2 frames"));
    ck_assert_uint_eq(rp_wire_stat(&wire, "frames.malformed"), 4);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_gap_is_marked_told_once_and_forgiven,
        a_repair_ends_the_gap_that_it_reaches,
        late_changes_are_refused_and_repeats_are_not_applied_again,
        a_repeat_through_control_is_told_the_version_that_it_got,
        a_body_may_leave_out_the_names_that_its_topic_says,
        a_body_that_contradicts_its_topic_is_refused,
        a_topic_of_the_wrong_form_is_refused_for_what_is_wrong_with_it,
        poses_of_agents_that_are_gone_are_left_out_and_told,
        bytes_that_are_no_message_are_counted_and_told,
    };
    return rp_suite_run("topics", tests, sizeof tests / sizeof tests[0], 2, tear_down);
}
