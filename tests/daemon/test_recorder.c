/// A recorder: what came in stands on it in its order, and what became of what was sent behind it.
/// That a daemon follows from it is test_replay.c's.
#include "daemon/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/record.h"
#include "tests/support/suite.h"

static const rp_recording_begin_t begin = {.version = "1.2", .planner = "lpa", .memory_bytes = 77};
static char file[64];
static char error[256];
static rp_recorder_t *recorder;
static uint8_t bytes[4096]; ///< that were read back
static size_t size;
static size_t at; ///< of these, looked at
static rp_sent_t fate;
static unsigned told; ///< messages that came to the transport behind it

static void tear_down(void)
{
    rp_recorder_close(&recorder);
    (void)remove(file);
}

static void open_recorder(void)
{
    strcpy(file, "/tmp/replan-recorder-XXXXXX");
    (void)close(mkstemp(file));
    recorder = rp_recorder_open(file, &begin, error, sizeof error);
    ck_assert_msg(recorder != NULL, "%s", error);
}

static void read_back(void)
{
    rp_recorder_close(&recorder);
    FILE *from = fopen(file, "rb");
    ck_assert_ptr_nonnull(from);
    size = fread(bytes, 1, sizeof bytes, from);
    at = 0;
    (void)fclose(from);
}

/// The next record, which must be of this kind.
static rp_record_t expect(rp_recording_kind_t kind)
{
    rp_record_t record;
    ck_assert(rp_record_at(bytes, size, at, &record));
    ck_assert_uint_eq(record.kind, kind);
    at += RP_RECORD_HEAD + record.size;
    return record;
}

static void expect_end(void)
{
    ck_assert_uint_eq(at, size);
}

// ---- what comes in

START_TEST(it_begins_with_what_the_daemon_is_made_with)
{
    open_recorder();
    read_back();
    const rp_record_t record = expect(RP_RECORDING_BEGIN);
    ck_assert_uint_eq(record.size, sizeof begin);
    ck_assert_mem_eq(record.bytes, &begin, sizeof begin);
    expect_end();
}
END_TEST

START_TEST(what_comes_in_stands_there_in_its_order)
{
    const rp_now_t now = {.steady_us = 5, .wall_us = 6};
    const uint8_t factors[] = {1, 0, 2, 3, 1, 1};
    const rp_peer_t peer = {.frame_count = 1, .size = 3, .bytes = {2, 9, 'x'}};
    const rp_stats_outside_t outside = {.subscriptions = 12, .log_lost = 3};
    open_recorder();
    rp_recorder_now(recorder, &now);
    const rp_world_options_t map = {.width = 3,
                                    .height = 2,
                                    .profile = "costmap",
                                    .frame = {.resolution_m = 0.5},
                                    .data = factors};
    rp_recorder_map(recorder, "fen", &map);
    rp_recorder_request(recorder, &peer, "body", 4);
    rp_recorder_published(recorder, RP_RECORDING_POSE, "pose/fen/", 9, "here", 4);
    rp_recorder_malformed(recorder, "control", "no body");
    rp_recorder_outside(recorder, &outside);
    rp_recorder_work(recorder, 99);
    read_back();
    (void)expect(RP_RECORDING_BEGIN);
    ck_assert_mem_eq(expect(RP_RECORDING_NOW).bytes, &now, sizeof now);
    rp_record_t record = expect(RP_RECORDING_MAP);
    const size_t head = 2u * sizeof(uint32_t) + sizeof map.frame;
    ck_assert_uint_eq(record.size, head + 4u + 8u + sizeof factors);
    ck_assert_mem_eq(record.bytes, "\3\0\0\0\2\0\0\0", 8);
    ck_assert_mem_eq(record.bytes + 8, &map.frame, sizeof map.frame);
    ck_assert_mem_eq(record.bytes + head, "fen\0costmap\0\1\0\2\3\1\1", record.size - head);
    record = expect(RP_RECORDING_REQUEST);
    ck_assert_uint_eq(record.size, sizeof peer.frame_count + sizeof peer.size +
                                       sizeof peer.connection + 3u + 4u);
    ck_assert_mem_eq(record.bytes + record.size - 7u, "\2\11xbody", 7);
    record = expect(RP_RECORDING_POSE);
    ck_assert_uint_eq(record.size, 4u + 9u + 4u);
    ck_assert_mem_eq(record.bytes, "\11\0\0\0pose/fen/here", record.size);
    ck_assert_mem_eq(expect(RP_RECORDING_MALFORMED).bytes, "control\0no body", 16);
    ck_assert_mem_eq(expect(RP_RECORDING_OUTSIDE).bytes, &outside, sizeof outside);
    ck_assert_mem_eq(expect(RP_RECORDING_WORK).bytes, "\143\0\0\0\0\0\0", 8);
    expect_end();
}
END_TEST

START_TEST(a_file_that_was_there_is_emptied)
{
    open_recorder();
    for (unsigned i = 0; i < 9; i++) {
        rp_recorder_work(recorder, i);
    }
    rp_recorder_close(&recorder);
    recorder = rp_recorder_open(file, &begin, error, sizeof error);
    ck_assert_ptr_nonnull(recorder);
    read_back();
    (void)expect(RP_RECORDING_BEGIN);
    expect_end();
}
END_TEST

START_TEST(a_round_that_is_over_is_in_the_file)
{
    open_recorder();
    rp_recorder_work(recorder, 1);
    rp_recorder_pour(recorder);
    rp_recorder_work(recorder, 2); // not over
    rp_recorder_t *recording = recorder;
    recorder = NULL;
    read_back();
    recorder = recording;
    (void)expect(RP_RECORDING_BEGIN);
    (void)expect(RP_RECORDING_WORK);
    expect_end();
}
END_TEST

START_TEST(where_none_can_be_written_that_is_told)
{
    ck_assert_ptr_null(rp_recorder_open("/nowhere/recorder", &begin, error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "/nowhere/recorder"));
    ck_assert_ptr_nonnull(strstr(error, "No such file"));
}
END_TEST

START_TEST(without_a_recorder_nothing_is_recorded)
{
    const rp_now_t now = {0};
    rp_recorder_now(NULL, &now);
    rp_recorder_work(NULL, 1);
    rp_recorder_pour(NULL);
    rp_recorder_close(&recorder);
}
END_TEST

// ---- what is sent

static rp_sent_t take_control(void *user, const rp_peer_t *peer, const void *body, size_t count)
{
    ck_assert_ptr_eq(user, &told);
    ck_assert_uint_eq(peer->size, 1);
    ck_assert_mem_eq(body, "reply", count);
    told++;
    return fate;
}

static void take_published(void *user, const char *topic, const void *body, size_t count)
{
    ck_assert_ptr_eq(user, &told);
    ck_assert_str_eq(topic, "head/fen/");
    ck_assert_mem_eq(body, "head", count);
    told++;
}

static uint64_t read_wall(void *user)
{
    ck_assert_ptr_eq(user, &told);
    return 1234567;
}

START_TEST(what_is_said_goes_on_and_stands_behind_its_event)
{
    const rp_transport_t to = {
        .control = take_control, .publish = take_published, .wall_us = read_wall, .user = &told};
    const rp_peer_t peer = {.frame_count = 1, .size = 1, .bytes = {7}};
    open_recorder();
    const rp_transport_t transport = rp_recorder_transport(recorder, &to);
    rp_recorder_work(recorder, 1);
    ck_assert_int_eq(transport.control(transport.user, &peer, "reply", 5), RP_SENT);
    fate = RP_SENT_FULL;
    ck_assert_int_eq(transport.control(transport.user, &peer, "reply", 5), RP_SENT_FULL);
    transport.publish(transport.user, "head/fen/", "head", 4);
    ck_assert_uint_eq(transport.wall_us(transport.user), 1234567);
    ck_assert_ptr_null(transport.keep(transport.user, "body"));
    rp_recorder_work(recorder, 2);
    rp_recorder_work(recorder, 3);
    read_back();
    ck_assert_uint_eq(told, 3);
    (void)expect(RP_RECORDING_BEGIN);
    (void)expect(RP_RECORDING_WORK);
    const rp_record_t record = expect(RP_RECORDING_RESULT);
    rp_recording_result_t result;
    uint64_t wall_us;
    rp_recording_loss_t loss;
    ck_assert_uint_eq(record.size, sizeof result + sizeof wall_us + sizeof loss);
    memcpy(&result, record.bytes, sizeof result);
    memcpy(&wall_us, record.bytes + sizeof result, sizeof wall_us);
    memcpy(&loss, record.bytes + sizeof result + sizeof wall_us, sizeof loss);
    ck_assert_uint_eq(result.messages, 2);
    ck_assert_uint_eq(result.bytes, 5u + 4u);
    ck_assert_uint_eq(result.sends, 2);
    ck_assert_uint_eq(result.losses, 1);
    ck_assert_uint_eq(result.walls, 1);
    ck_assert_uint_eq(wall_us, 1234567);
    ck_assert_uint_eq(loss.index, 1);
    ck_assert_uint_eq(loss.sent, RP_SENT_FULL);
    (void)expect(RP_RECORDING_WORK);
    (void)expect(RP_RECORDING_WORK); // of which nothing was sent
    expect_end();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        it_begins_with_what_the_daemon_is_made_with,
        what_comes_in_stands_there_in_its_order,
        a_file_that_was_there_is_emptied,
        a_round_that_is_over_is_in_the_file,
        where_none_can_be_written_that_is_told,
        without_a_recorder_nothing_is_recorded,
        what_is_said_goes_on_and_stands_behind_its_event,
    };
    return rp_suite_run("recorder", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
