/// Requests on their way to their handlers: repeated, too early, no requests at all.
#include <stdlib.h>
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

// ---- repeats

START_TEST(a_repeated_id_gets_the_same_reply_and_is_not_acted_upon_again)
{
    rp_wire_open(&wire);
    const Replan__V1__Request request =
        rp_wire_apply_request(&wire, rp_wire_change(3, 3, 0), REPLAN__V1__WAIT__APPLIED);
    rp_wire_send(&wire, 1, &request);
    const uint64_t told = rp_wire_reply(&wire, 1)->applied->version;
    rp_wire_pass(&wire, 59u * 1000000u);
    rp_wire_send(&wire, 1, &request);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, told);
    ck_assert_uint_eq(rp_wire_version(&wire), told);
    ck_assert_uint_eq(rp_wire_stat(&wire, "requests.repeated"), 1);
}
END_TEST

START_TEST(the_same_id_of_another_peer_or_after_a_minute_is_another_request)
{
    rp_wire_open(&wire);
    const Replan__V1__Request request =
        rp_wire_apply_request(&wire, rp_wire_change(3, 3, 0), REPLAN__V1__WAIT__APPLIED);
    rp_wire_send(&wire, 1, &request);
    rp_wire_send(&wire, 2, &request);
    ck_assert_uint_eq(rp_wire_version(&wire), 3);
    rp_wire_pass(&wire, 61u * 1000000u);
    rp_wire_send(&wire, 1, &request);
    ck_assert_uint_eq(rp_wire_version(&wire), 4);
}
END_TEST

START_TEST(an_id_of_0_is_not_remembered)
{
    rp_wire_open(&wire);
    Replan__V1__Request request =
        rp_wire_apply_request(&wire, rp_wire_change(3, 3, 0), REPLAN__V1__WAIT__APPLIED);
    request.id = 0;
    rp_wire_send(&wire, 1, &request);
    rp_wire_send(&wire, 1, &request);
    ck_assert_uint_eq(rp_wire_version(&wire), 3);
}
END_TEST

START_TEST(a_repeat_of_what_still_waits_gets_one_reply)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 7);
    const Replan__V1__Request request =
        rp_wire_apply_request(&wire, rp_wire_change(3, 3, 0), REPLAN__V1__WAIT__SETTLED);
    rp_wire_send(&wire, 1, &request);
    rp_wire_send(&wire, 1, &request);
    rp_wire_work(&wire);
    ck_assert_ptr_nonnull(rp_wire_reply(&wire, 1));
    rp_wire_expect_no_reply(&wire, 1);
    ck_assert_uint_eq(rp_wire_version(&wire), 2);
}
END_TEST

START_TEST(those_of_id_0_that_wait_are_not_repeats_of_each_other)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 7);
    Replan__V1__Request request =
        rp_wire_apply_request(&wire, rp_wire_change(3, 3, 0), REPLAN__V1__WAIT__SETTLED);
    request.id = 0;
    rp_wire_send(&wire, 1, &request);
    rp_wire_send(&wire, 1, &request);
    rp_wire_work(&wire);
    ck_assert_ptr_nonnull(rp_wire_reply(&wire, 1));
    ck_assert_ptr_nonnull(rp_wire_reply(&wire, 1));
    ck_assert_uint_eq(rp_wire_version(&wire), 3);
}
END_TEST

static Replan__V1__Request set_pose_of(Replan__V1__Pose *pose, uint64_t id, double x)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    replan__v1__pose__init(pose);
    pose->world = rp_text("marsh");
    pose->agent = rp_text("orc");
    pose->x = pose->y = x;
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_POSE;
    request.set_pose = pose;
    return request;
}

START_TEST(another_request_of_the_same_id_is_refused_and_not_done)
{
    Replan__V1__Pose pose;
    rp_wire_open(&wire);
    Replan__V1__Request request = set_pose_of(&pose, 900, 1.5);
    rp_wire_send(&wire, 1, &request);
    ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, REPLAN__V1__STATUS__OK);
    pose.x = 2.5;
    rp_wire_send(&wire, 1, &request);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__INVALID, "request.id: 900");
    pose.x = 1.5; // which that did not change
    rp_wire_send(&wire, 1, &request);
    ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, REPLAN__V1__STATUS__OK);
    ck_assert_uint_eq(rp_wire_stat(&wire, "poses.taken"), 1);
    ck_assert_uint_eq(rp_wire_stat(&wire, "requests.repeated"), 1);
}
END_TEST

/// The deadline, and what it waits for, are not what is asked.
START_TEST(a_repeat_may_have_another_deadline)
{
    Replan__V1__Pose pose;
    rp_wire_open(&wire);
    Replan__V1__Request request = set_pose_of(&pose, 900, 1.5);
    rp_wire_send(&wire, 1, &request);
    request.deadline_ms = 77;
    rp_wire_send(&wire, 1, &request);
    ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, REPLAN__V1__STATUS__OK);
    ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, REPLAN__V1__STATUS__OK);
    ck_assert_uint_eq(rp_wire_stat(&wire, "poses.taken"), 1);
}
END_TEST

START_TEST(what_is_only_asked_is_done_anew_whatever_its_id_was_used_for)
{
    Replan__V1__Pose pose;
    rp_wire_open(&wire);
    Replan__V1__Request request = set_pose_of(&pose, 900, 1.5);
    rp_wire_send(&wire, 1, &request);
    (void)rp_wire_reply(&wire, 1);
    for (unsigned i = 0; i < 2; i++) {
        Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
        Replan__V1__Request asking = REPLAN__V1__REQUEST__INIT;
        asking.id = 900;
        asking.body_case = REPLAN__V1__REQUEST__BODY_LIST_WORLDS;
        asking.list_worlds = &list;
        rp_wire_send(&wire, 1, &asking);
        const Replan__V1__Reply *reply = rp_wire_reply(&wire, 1);
        ck_assert_int_eq(reply->body_case, REPLAN__V1__REPLY__BODY_WORLDS);
        ck_assert_str_eq(reply->worlds->worlds[0]->world, "marsh");
    }
    rp_wire_send(&wire, 1, &request); // and is a repeat still
    ck_assert_ptr_nonnull(rp_wire_reply(&wire, 1));
    ck_assert_uint_eq(rp_wire_stat(&wire, "poses.taken"), 1);
}
END_TEST

START_TEST(another_life_may_use_the_ids_of_the_one_before)
{
    Replan__V1__Pose pose;
    rp_wire_open(&wire);
    Replan__V1__Request request = set_pose_of(&pose, 1, 1.5);
    for (uint64_t life = 7; life < 10; life++) {
        request.life = life;
        rp_wire_send(&wire, 1, &request);
        ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, REPLAN__V1__STATUS__OK);
    }
    ck_assert_uint_eq(rp_wire_stat(&wire, "poses.taken"), 3);
    rp_wire_send(&wire, 1, &request);
    ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, REPLAN__V1__STATUS__OK);
    ck_assert_uint_eq(rp_wire_stat(&wire, "poses.taken"), 3);
}
END_TEST

/// A change that waits is made, and told to nobody; what was asked is over.
START_TEST(a_reply_of_one_life_is_not_given_to_another)
{
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    Replan__V1__Request change =
        rp_wire_apply_request(&wire, rp_wire_change(3, 3, 0), REPLAN__V1__WAIT__APPLIED);
    after.world = rp_text("marsh");
    after.version = 2;
    change.after = &after;
    change.life = 7;
    rp_wire_send(&wire, 1, &change);
    Replan__V1__Request question = rp_wire_answer_request(&wire, "orc");
    question.after = &after;
    question.life = 7;
    rp_wire_send(&wire, 1, &question);
    Replan__V1__Pose pose;
    Replan__V1__Request pose_now = set_pose_of(&pose, 1, 1.5);
    pose_now.life = 8;
    rp_wire_send(&wire, 1, &pose_now);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->id, 1);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(5, 5, 0), REPLAN__V1__WAIT__APPLIED);
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_wire_version(&wire), 3); // it was made
    ck_assert_uint_eq(wire.daemon.serving.pending.count, 0);
    rp_wire_expect_no_reply(&wire, 1);
}
END_TEST

/// Its change was made, or waits: a repeat must not make it again, whatever became of its peer.
START_TEST(a_peer_that_comes_back_is_told_what_became_of_its_changes)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    (void)rp_wire_watch(&wire, 1, false, 100);
    Replan__V1__Request change =
        rp_wire_apply_request(&wire, rp_wire_change(3, 3, 0), REPLAN__V1__WAIT__SETTLED);
    rp_wire_send(&wire, 1, &change);
    wire.fate[1] = RP_SENT_GONE; // its watch tells
    rp_wire_pass(&wire, 2000000);
    rp_wire_work(&wire);
    ck_assert_uint_eq(wire.daemon.serving.pending.count, 0);
    wire.fate[1] = RP_SENT;
    rp_wire_send(&wire, 1, &change);
    rp_wire_work(&wire);
    ck_assert_ptr_nonnull(rp_wire_reply(&wire, 1));
    ck_assert_uint_eq(rp_wire_version(&wire), 2);
}
END_TEST

START_TEST(a_repeat_of_a_change_that_waits_for_its_turn_is_compared_too)
{
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    Replan__V1__Pose pose;
    rp_wire_open(&wire);
    Replan__V1__Request request = set_pose_of(&pose, 900, 1.5);
    after.world = rp_text("marsh");
    after.version = 2;
    request.after = &after;
    rp_wire_send(&wire, 1, &request);
    rp_wire_send(&wire, 1, &request);
    rp_wire_expect_no_reply(&wire, 1);
    pose.x = 2.5;
    rp_wire_send(&wire, 1, &request);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__INVALID, "request.id: 900");
    (void)rp_wire_apply(&wire, 0, rp_wire_change(5, 5, 0), REPLAN__V1__WAIT__APPLIED);
    rp_wire_work(&wire);
    ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, REPLAN__V1__STATUS__OK);
    rp_wire_expect_no_reply(&wire, 1);
    ck_assert_uint_eq(rp_wire_stat(&wire, "poses.taken"), 1);
}
END_TEST

/// A change with a settled wait that thousands heard of, say: too long to be kept for all.
START_TEST(a_repeat_whose_reply_is_no_longer_kept_is_not_done_again)
{
    Replan__V1__Pose pose;
    rp_wire_open(&wire);
    const Replan__V1__Request request = set_pose_of(&pose, 900, 1.5);
    rp_wire_send(&wire, 1, &request);
    (void)rp_wire_reply(&wire, 1);
    rp_kept_reply_t *kept = wire.daemon.serving.replies.by_name;
    while (kept->hh.next != NULL) {
        kept = kept->hh.next;
    }
    free(kept->bytes);
    kept->bytes = NULL;
    rp_wire_send(&wire, 1, &request);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__LIMIT, "request.id: 900 was done");
    ck_assert_uint_eq(rp_wire_stat(&wire, "poses.taken"), 1);
}
END_TEST

// ---- what says two things

START_TEST(a_request_with_two_bodies_is_refused_and_neither_is_done)
{
    uint8_t bytes[512];
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    rp_wire_open(&wire);
    Replan__V1__Request first =
        rp_wire_apply_request(&wire, rp_wire_change(3, 3, 0), REPLAN__V1__WAIT__APPLIED);
    remove.world = rp_text("marsh");
    Replan__V1__Request second = RP_REQUEST(REMOVE_WORLD, remove_world, &remove);
    size_t size = protobuf_c_message_pack(&first.base, bytes);
    size += protobuf_c_message_pack(&second.base, bytes + size);
    ck_assert_uint_le(size, sizeof bytes);
    rp_wire_send_bytes(&wire, 1, bytes, size);
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, 1);
    ck_assert_uint_eq(reply->id, first.id);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_str_eq(reply->sentence,
                     "request: both apply and remove_world are there, it may hold one of them");
    ck_assert_ptr_nonnull(rp_wire_marsh(&wire));
    ck_assert_uint_eq(rp_wire_version(&wire), 1);
}
END_TEST

START_TEST(a_published_change_with_two_fills_is_refused)
{
    static const char topic[] = "change/marsh/";
    uint8_t bytes[512];
    rp_wire_open(&wire);
    const Replan__V1__Change *change = rp_wire_change(3, 3, 0);
    size_t size = protobuf_c_message_pack(&change->base, bytes);
    size += protobuf_c_message_pack(&change->base, bytes + size);
    ck_assert_uint_le(size, sizeof bytes);
    rp_daemon_change(&wire.daemon, topic, strlen(topic), bytes, size);
    const Replan__V1__Notice *notice =
        (const Replan__V1__Notice *)rp_wire_published(&wire, "status/marsh/");
    ck_assert_ptr_nonnull(notice);
    ck_assert_int_eq(notice->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(notice->sentence, "comes twice, it may come once"));
    ck_assert_uint_eq(rp_wire_version(&wire), 1);
}
END_TEST

// ---- after

START_TEST(after_a_version_waits_for_it)
{
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    Replan__V1__Request request = rp_wire_answer_request(&wire, "orc");
    after.world = rp_text("marsh");
    after.version = 3;
    request.after = &after;
    rp_wire_send(&wire, 1, &request);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(8, 0, 0), REPLAN__V1__WAIT__APPLIED);
    rp_wire_work(&wire);
    rp_wire_expect_no_reply(&wire, 1);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(8, 1, 0), REPLAN__V1__WAIT__APPLIED);
    rp_wire_work(&wire);
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, 1);
    ck_assert_ptr_nonnull(reply);
    ck_assert_uint_eq(reply->answer->version, 3);
    ck_assert_int_eq(reply->answer->reason, REPLAN__V1__REASON__REQUESTED);
}
END_TEST

START_TEST(after_a_publisher_waits_for_its_sequence)
{
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    Replan__V1__Request request = rp_wire_answer_request(&wire, "orc");
    after.world = rp_text("marsh");
    after.publisher = rp_text("scout");
    after.sequence = 1;
    request.after = &after;
    rp_wire_send(&wire, 1, &request);
    rp_wire_work(&wire);
    rp_wire_expect_no_reply(&wire, 1);
    Replan__V1__Change *change = rp_wire_change(8, 0, 0);
    change->publisher = rp_text("scout");
    change->incarnation = 1;
    change->sequence = 1;
    (void)rp_wire_apply(&wire, 0, change, REPLAN__V1__WAIT__APPLIED);
    rp_wire_work(&wire);
    ck_assert_ptr_nonnull(rp_wire_reply(&wire, 1));
}
END_TEST

START_TEST(after_a_world_that_is_not_there_is_refused_at_once)
{
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    rp_wire_open(&wire);
    Replan__V1__Request request =
        rp_wire_apply_request(&wire, rp_wire_change(3, 3, 0), REPLAN__V1__WAIT__APPLIED);
    after.world = rp_text("moor");
    after.version = 1;
    request.after = &after;
    rp_wire_send(&wire, 1, &request);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__UNKNOWN, "moor");
    ck_assert_uint_eq(rp_wire_version(&wire), 1);
}
END_TEST

START_TEST(a_peer_that_has_too_many_waiting_is_refused_and_nothing_is_done)
{
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    rp_wire_open(&wire);
    after.world = rp_text("marsh");
    after.version = 99;
    for (unsigned i = 0; i <= RP_LIMIT_WINDOW; i++) {
        rp_wire_expect_no_reply(&wire, 1);
        Replan__V1__Request request =
            rp_wire_apply_request(&wire, rp_wire_change(3, 3, 0), REPLAN__V1__WAIT__APPLIED);
        request.after = &after;
        rp_wire_send(&wire, 1, &request);
    }
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__LIMIT, "wait");
    ck_assert_uint_eq(rp_wire_version(&wire), 1);
}
END_TEST

// ---- no requests

/// A request that waits an hour for a version that nobody makes.
static void leave_waiting(unsigned peer)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__GetStats stats = REPLAN__V1__GET_STATS__INIT;
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    after.world = rp_text("marsh");
    after.version = 1000000;
    request.id = ++wire.next_id;
    request.deadline_ms = RP_LIMIT_DEADLINE_MS;
    request.after = &after;
    request.body_case = REPLAN__V1__REQUEST__BODY_GET_STATS;
    request.get_stats = &stats;
    rp_wire_send(&wire, peer, &request);
}

/// All that may wait, of so many peers.
static void fill_waits(unsigned peers)
{
    for (unsigned i = 0; i < RP_PENDING_REPLIES_MAX; i++) {
        leave_waiting(i / (RP_PENDING_REPLIES_MAX / peers));
    }
    rp_wire_work(&wire);
    ck_assert_uint_eq(wire.daemon.serving.pending.count, RP_PENDING_REPLIES_MAX);
}

START_TEST(those_who_leave_all_waits_that_there_are_keep_nobody_out)
{
    const unsigned late = 70;
    rp_wire_open(&wire);
    fill_waits(64);
    for (unsigned i = 0; i < 10; i++) {
        leave_waiting(late);
    }
    rp_wire_work(&wire);
    rp_wire_expect_no_reply(&wire, late); // they wait
    rp_wire_expect(&wire, 0, REPLAN__V1__STATUS__TIMEOUT, "gave way");
    ck_assert_uint_eq(rp_wire_stat(&wire, "requests.gave_way"), 10);
    ck_assert_uint_eq(wire.daemon.serving.pending.count, RP_PENDING_REPLIES_MAX);
}
END_TEST

START_TEST(the_waits_of_a_peer_that_is_found_gone_are_over)
{
    rp_wire_open(&wire);
    fill_waits(64);
    wire.fate[0] = RP_SENT_GONE;
    leave_waiting(70); // peer 0's oldest gives way, and is told
    rp_wire_work(&wire);
    ck_assert_uint_eq(wire.daemon.serving.pending.count,
                      RP_PENDING_REPLIES_MAX - RP_LIMIT_WINDOW + 1u);
    rp_wire_expect_no_reply(&wire, 70);
}
END_TEST

START_TEST(who_waits_for_as_many_as_anybody_takes_no_place_of_others)
{
    rp_wire_open(&wire);
    for (unsigned i = 0; i < RP_LIMIT_WINDOW - 1u; i++) {
        leave_waiting(70);
    }
    for (unsigned i = 0; i < RP_PENDING_REPLIES_MAX - RP_LIMIT_WINDOW + 1u; i++) {
        leave_waiting(i / RP_LIMIT_WINDOW);
    }
    rp_wire_work(&wire);
    leave_waiting(70);
    rp_wire_expect(&wire, 70, REPLAN__V1__STATUS__LIMIT, "4096 of all");
    rp_wire_pass(&wire, (uint64_t)RP_LIMIT_YIELD_MS * 1000u);
    leave_waiting(70); // one less than others, who have waited for long
    rp_wire_work(&wire);
    rp_wire_expect(&wire, 0, REPLAN__V1__STATUS__TIMEOUT, "gave way");
}
END_TEST

START_TEST(without_a_body_it_is_refused_by_name)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    rp_wire_open(&wire);
    const Replan__V1__Reply *reply = rp_wire_ask(&wire, 1, &request);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "request.body is missing"));
}
END_TEST

START_TEST(what_fails_the_check_does_not_come_to_its_handler)
{
    rp_wire_open(&wire);
    Replan__V1__Change *change = rp_wire_change(3, 3, 0);
    change->world = rp_text("no name");
    Replan__V1__Request request = rp_wire_apply_request(&wire, change, REPLAN__V1__WAIT__APPLIED);
    ck_assert_ptr_nonnull(strstr(rp_wire_ask(&wire, 1, &request)->sentence, "change.world"));
    ck_assert_uint_eq(rp_wire_stat(&wire, "changes.refused"), 0);
    ck_assert_uint_eq(rp_wire_stat(&wire, "requests.taken"), 2); // create_world came before
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_repeated_id_gets_the_same_reply_and_is_not_acted_upon_again,
        the_same_id_of_another_peer_or_after_a_minute_is_another_request,
        an_id_of_0_is_not_remembered,
        a_repeat_of_what_still_waits_gets_one_reply,
        those_of_id_0_that_wait_are_not_repeats_of_each_other,
        another_request_of_the_same_id_is_refused_and_not_done,
        a_repeat_may_have_another_deadline,
        what_is_only_asked_is_done_anew_whatever_its_id_was_used_for,
        another_life_may_use_the_ids_of_the_one_before,
        a_reply_of_one_life_is_not_given_to_another,
        a_peer_that_comes_back_is_told_what_became_of_its_changes,
        a_repeat_of_a_change_that_waits_for_its_turn_is_compared_too,
        a_repeat_whose_reply_is_no_longer_kept_is_not_done_again,

        a_request_with_two_bodies_is_refused_and_neither_is_done,
        a_published_change_with_two_fills_is_refused,
        after_a_version_waits_for_it,
        after_a_publisher_waits_for_its_sequence,
        after_a_world_that_is_not_there_is_refused_at_once,
        a_peer_that_has_too_many_waiting_is_refused_and_nothing_is_done,
        those_who_leave_all_waits_that_there_are_keep_nobody_out,
        the_waits_of_a_peer_that_is_found_gone_are_over,
        who_waits_for_as_many_as_anybody_takes_no_place_of_others,
        without_a_body_it_is_refused_by_name,
        what_fails_the_check_does_not_come_to_its_handler,
    };
    return rp_suite_run("requests", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
