/// What is recorded and played again: the same bytes, whatever came in and whatever became of what
/// was sent.
#include <stdlib.h>

#include "daemon/replay.h"

#include "daemon/process/log.h"
#include "daemon/replay_mcap.h"
#include "msgs/request.h"
#include "store/record.h"
#include "tests/daemon/capture.h"
#include "tests/daemon/mcap_copy.h"
#include "tests/daemon/recorded.h"
#include "tests/daemon/wire.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define ROUNDS    60u
#define TAPE_MOST (1u << 20)

static rp_random_t rng = {11};
static uint64_t next_id;
static char line[256]; ///< what the last replay said

static uint32_t below(uint32_t limit)
{
    return rp_random_below(&rng, limit);
}

// ---- a daemon that is recorded, and whose peers are slow or gone now and then

static rp_sent_t send_control(void *user, const rp_peer_t *peer, const void *bytes, size_t size)
{
    (void)user;
    (void)peer;
    (void)bytes;
    (void)size;
    return below(8) != 0 ? RP_SENT : below(4) != 0 ? RP_SENT_FULL : RP_SENT_GONE;
}

static uint64_t read_wall(void *user)
{
    (void)user;
    return served.serving.now.wall_us + below(50);
}

static void let_pass(uint64_t microseconds)
{
    pass(microseconds, (int64_t)(microseconds + below(3)));
}

static void open_slow(void)
{
    open_recorded((rp_transport_t){.control = send_control, .wall_us = read_wall});
    served.intake.hash_key = (rp_siphash_key_t){{8, 9}}; // the one that replays has another
    let_pass(0);
}

// ---- what comes in

/// By peer, the number of its connection.
static uint64_t connections[3];

/// Now and then an id comes again, of the same life or another.
static void ask(unsigned peer_number, Replan__V1__Request *request)
{
    request->id = below(8) != 0 ? ++next_id : next_id;
    request->life = below(8) != 0 ? 1u : below(3);
    send_recorded(connections[peer_number], (uint8_t)('a' + peer_number), request);
}

static void create_world(void)
{
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    geometry.width = 40;
    geometry.height = 30;
    geometry.resolution = 1.0;
    create.world = rp_text("fen");
    create.geometry = &geometry;
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    ask(0, &request);
}

static void remove_world(void)
{
    Replan__V1__RemoveWorld body = REPLAN__V1__REMOVE_WORLD__INIT;
    body.world = rp_text("fen");
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &body);
    ask(0, &request);
}

static void open_agent(const char *name)
{
    Replan__V1__OpenAgent body = REPLAN__V1__OPEN_AGENT__INIT;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    double x = 0.5 + below(40);
    double y = 0.5 + below(30);
    pose.x = 0.5 + below(40);
    pose.y = 0.5 + below(30);
    goal.n_x = goal.n_y = 1;
    goal.x = &x;
    goal.y = &y;
    body.world = rp_text("fen");
    body.agent = rp_text(name);
    body.pose = &pose;
    body.goal = &goal;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &body);
    ask(below(3), &request);
}

static Replan__V1__Change some_change(void)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    change.world = rp_text("fen");
    change.x = below(36);
    change.y = below(26);
    change.width = 1 + below(4);
    change.height = 1 + below(4);
    change.rect_case = REPLAN__V1__CHANGE__RECT_FILL;
    change.fill = below(3);
    return change;
}

static void apply(void)
{
    Replan__V1__Apply body = REPLAN__V1__APPLY__INIT;
    Replan__V1__Change change = some_change();
    body.change = &change;
    body.wait = below(2) == 0 ? REPLAN__V1__WAIT__SETTLED : REPLAN__V1__WAIT__APPLIED;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &body);
    ask(below(3), &request);
}

static void watch(void)
{
    Replan__V1__Watch body = REPLAN__V1__WATCH__INIT;
    body.world = rp_text("fen");
    body.all = 1;
    body.map = below(2) == 0;
    body.splices = below(2) == 0;
    body.credit = 1 + below(200);
    Replan__V1__Request request = RP_REQUEST(WATCH, watch, &body);
    ask(below(3), &request);
}

/// By PUB: a change, a pose, or bytes that are neither.
static void hear_published(void)
{
    static rp_buffer_t packed;
    Replan__V1__Change change = some_change();
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    const bool is_change = below(2) == 0;
    const char *topic = is_change ? "change/fen/" : "pose/fen/ann/";
    pose.world = rp_text("fen");
    pose.agent = rp_text("ann");
    pose.x = 0.5 + below(40);
    pose.y = 0.5 + below(30);
    ck_assert(rp_codec_pack(&packed, is_change ? &change.base : &pose.base));
    const size_t size = below(8) != 0 ? packed.size : packed.size / 2u;
    rp_recorder_published(recorder, is_change ? RP_RECORDING_CHANGE : RP_RECORDING_POSE, topic,
                          strlen(topic), packed.bytes, size);
    (is_change ? rp_daemon_change : rp_daemon_pose)(&served, topic, strlen(topic), packed.bytes,
                                                    size);
    rp_buffer_fini(&packed);
}

/// A peer comes over another connection; what becomes of the one before is told, or not.
static void reconnect(unsigned peer_number)
{
    const uint64_t before = connections[peer_number];
    connections[peer_number] = before + 3u;
    if (below(2) == 0 && before != 0) {
        rp_recorder_left(recorder, before);
        rp_daemon_left(&served, before);
    }
}

static void hear_anything(void)
{
    static const char *const names[] = {"ann", "bob", "cy"};
    switch (below(10)) {
    case 0:
        open_agent(names[below(3)]);
        break;
    case 1:
        watch();
        break;
    case 2:
        rp_recorder_malformed(recorder, "control", "too many frames");
        rp_daemon_malformed(&served, "control", "too many frames");
        break;
    case 3:
        reconnect(below(3));
        (void)rp_stats_set_outside(&served.serving.stats,
                                   &(rp_stats_outside_t){.subscriptions = below(3)});
        rp_recorder_outside(
            recorder, &(rp_stats_outside_t){.subscriptions = served.serving.stats.subscriptions});
        break;
    case 4:
    case 5:
        hear_published();
        break;
    case 6:
        if (below(8) == 0) {
            remove_world();
            create_world();
        }
        break;
    default:
        apply();
    }
}

static void play_rounds(unsigned rounds)
{
    uint8_t factors[12 * 9];
    for (size_t i = 0; i < sizeof factors; i++) {
        factors[i] = (uint8_t)below(3);
    }
    const rp_world_options_t map = {
        .width = 12,
        .height = 9,
        .profile = "costmap",
        .frame = {.resolution_m = 0.5, .origin_x_m = -3.25, .origin_yaw = 0.75},
        .data = factors,
    };
    rp_recorder_map(recorder, "moor", &map);
    ck_assert_int_eq(rp_daemon_open_map(&served, "moor", &map), RP_OK);
    create_world();
    for (unsigned round = 0; round < rounds; round++) {
        let_pass(below(4) != 0 ? 900 : 400000);
        for (unsigned i = below(4); i != 0; i--) {
            hear_anything();
        }
        const uint64_t budget = below(3) == 0 ? 40 : 8192;
        work(budget);
        rp_recorder_pour(recorder);
    }
}

// ---- played again

static int replay(void)
{
    FILE *out = tmpfile();
    ck_assert_ptr_nonnull(out);
    const int code = rp_replay(file, NULL, out);
    rewind(out);
    line[fread(line, 1, sizeof line - 1u, out)] = '\0';
    (void)fclose(out);
    return code;
}

static uint8_t *read_recording(size_t *size)
{
    uint8_t *bytes = malloc(TAPE_MOST);
    FILE *from = fopen(file, "rb");
    ck_assert(bytes != NULL && from != NULL);
    *size = fread(bytes, 1, TAPE_MOST, from);
    ck_assert_uint_lt(*size, TAPE_MOST);
    (void)fclose(from);
    return bytes;
}

static void write_recording(const uint8_t *bytes, size_t size)
{
    FILE *to = fopen(file, "wb");
    ck_assert_ptr_nonnull(to);
    ck_assert_uint_eq(fwrite(bytes, 1, size, to), size);
    ck_assert_int_eq(fclose(to), 0);
}

START_TEST(the_same_bytes_are_said)
{
    for (unsigned run = 0; run < RP_ROUNDS(40); run++) {
        open_slow();
        play_rounds(ROUNDS);
        const uint64_t said = served.serving.stats.answers_said;
        close_recorded();
        ck_assert_msg(replay() == 0, "%s", line);
        ck_assert_ptr_nonnull(strstr(line, "the same"));
        ck_assert_uint_gt(said, 0);
        (void)remove(file);
    }
}
END_TEST

/// Write the recording anew with other bytes in one of its records, and right sums.
/// @param which     how many of its kind come before it
/// @param from_end  which of its bytes, counted from the last; round and round
static void bend(rp_recording_kind_t kind, unsigned which, size_t from_end, uint8_t flip)
{
    size_t size;
    uint8_t *bytes = read_recording(&size);
    rp_sink_t sink = {.file = -1};
    rp_record_t record;
    for (size_t at = 0; rp_record_at(bytes, size, at, &record);
         at += RP_RECORD_HEAD + record.size) {
        if ((rp_recording_kind_t)record.kind == kind && which-- == 0) {
            bytes[at + RP_RECORD_HEAD + record.size - 1u - from_end % record.size] ^= flip;
        }
        ck_assert(rp_sink_add(&sink, &record));
    }
    write_recording(sink.gathered, sink.size);
    free(sink.gathered);
    free(bytes);
}

START_TEST(another_message_is_told_as_a_difference)
{
    open_slow();
    play_rounds(ROUNDS);
    close_recorded();
    ck_assert_int_eq(replay(), 0);
    bend(RP_RECORDING_REQUEST, 0, 0, 1); // the world: its geometry has no resolution any more
    ck_assert_int_eq(replay(), 1);
    ck_assert_ptr_nonnull(strstr(line, "differs: event "));
}
END_TEST

START_TEST(what_is_no_recording_or_not_there_is_said_so)
{
    rp_capture_t capture = rp_capture_begin();
    char said[4096];
    strcpy(file, "/tmp/replan-no-recording-XXXXXX");
    (void)close(mkstemp(file));
    const int empty = replay();
    (void)remove(file);
    const int gone = replay();
    rp_capture_end(&capture, said, sizeof said);
    ck_assert_int_eq(empty, 2);
    ck_assert_int_eq(gone, 2);
    ck_assert_ptr_nonnull(strstr(said, "no recording"));
    ck_assert_ptr_nonnull(strstr(said, "No such file"));
    ck_assert_str_eq(line, "");
}
END_TEST

START_TEST(a_recording_of_another_version_is_played_and_that_is_told)
{
    rp_capture_t capture = rp_capture_begin();
    char said[4096];
    open_slow();
    play_rounds(3);
    close_recorded();
    bend(RP_RECORDING_BEGIN, 0, sizeof(rp_recording_begin_t) - 1u,
         1); // the first letter of the version
    const int code = replay();
    rp_capture_end(&capture, said, sizeof said);
    ck_assert_int_eq(code, 0);
    ck_assert_ptr_nonnull(strstr(said, "recorded by replan"));
}
END_TEST

START_TEST(what_was_played_is_counted)
{
    char should[128];
    open_slow();                                             // the beginning and the clock
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT; // refused: without a body
    ask(0, &request);
    rp_recorder_malformed(recorder, "control", "too many frames");
    rp_daemon_malformed(&served, "control", "too many frames");
    rp_recorder_work(recorder, 100);
    rp_daemon_work(&served, 100);
    close_recorded();
    ck_assert_int_eq(replay(), 0);
    (void)snprintf(should, sizeof should, "the same: 5 events, 1 messages in, ");
    ck_assert_msg(strncmp(line, should, strlen(should)) == 0, "%s", line);
    ck_assert_ptr_null(strstr(line, "torn"));
}
END_TEST

START_TEST(a_torn_recording_is_played_as_far_as_it_goes)
{
    size_t size;
    open_slow();
    play_rounds(12);
    close_recorded();
    uint8_t *bytes = read_recording(&size);
    rp_capture_t capture = rp_capture_begin();
    char said[4096];
    for (size_t cut = 0; cut < size; cut += 1u + below(40)) {
        write_recording(bytes, cut);
        const int code = replay();
        const bool has_begun = cut >= RP_RECORD_HEAD + sizeof(rp_recording_begin_t);
        RP_EACH_EQ(code, has_begun ? 0 : 2);
    }
    rp_capture_end(&capture, said, sizeof said);
    free(bytes);
}
END_TEST

START_TEST(whatever_a_recording_holds_nothing_breaks)
{
    size_t size;
    open_slow();
    play_rounds(12);
    close_recorded();
    uint8_t *bytes = read_recording(&size);
    rp_capture_t capture = rp_capture_begin();
    char said[4096];
    for (unsigned round = 0; round < RP_ROUNDS(400); round++) {
        write_recording(bytes, size);
        rp_record_t record;
        size_t at = 0;
        for (uint32_t skip = below(60); skip != 0 && rp_record_at(bytes, size, at, &record);
             skip--) {
            at += RP_RECORD_HEAD + record.size;
        }
        if (!rp_record_at(bytes, size, at, &record) || record.size == 0) {
            continue;
        }
        const uint8_t bit = (uint8_t)(1u << below(8));
        const uint32_t place = below((uint32_t)record.size);
        bend((rp_recording_kind_t)record.kind, below(4) == 0 ? below(4) : 0, place, bit);
        const int code = replay();
        ck_assert(code >= 0 && code <= 2);
    }
    rp_capture_end(&capture, said, sizeof said);
    free(bytes);
}
END_TEST

// ---- for other tools

/// The world is shown as it is, whoever else watches it.
static void catch_up(void)
{
    for (unsigned round = 0; round < 20; round++) {
        let_pass(900);
        rp_recorder_work(recorder, 8192);
        rp_daemon_work(&served, 8192);
    }
}

/// Records some rounds, in which the world goes and comes again, and compares what is read.
/// @return how many snapshots there were
static unsigned check_mcap(void)
{
    char mcap[sizeof file + 8u];
    rp_mcap_copy_t copy;
    uint8_t cells[40 * 30];
    open_slow();
    play_rounds(ROUNDS);
    const rp_served_t *fen;
    while ((fen = rp_worlds_find(&served.serving.worlds, "fen")) == NULL) {
        create_world(); // one whose request had the id of another did not come
    }
    catch_up();
    const uint64_t version = rp_engine_version(served.serving.engine, fen->id), epoch = fen->epoch;
    memcpy(cells, rp_engine_bytes(served.serving.engine, fen->id), sizeof cells);
    const uint64_t end_ns = served.serving.now.wall_us * 1000u;
    close_recorded();
    (void)snprintf(mcap, sizeof mcap, "%s.mcap", file);
    FILE *out = tmpfile();
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(rp_replay_mcap(file, mcap, out), 0);
    (void)fclose(out);
    rp_mcap_copy_read(&copy, mcap, "fen");
    (void)remove(mcap);
    (void)remove(file);
    ck_assert(copy.mirror.is_whole);
    ck_assert_uint_eq(copy.mirror.epoch, epoch);
    ck_assert_uint_eq(copy.mirror.version, version);
    ck_assert_mem_eq(rp_mirror_newest(&copy.mirror), cells, sizeof cells);
    ck_assert_uint_gt(copy.grids, 2);
    ck_assert_uint_gt(copy.elsewhere, 0);
    ck_assert_uint_le(copy.last_ns, end_ns);
    ck_assert_uint_ge(copy.last_ns + 1000000000u, end_ns); // the times are those of the recording
    rp_mirror_fini(&copy.mirror);
    return copy.snapshots;
}

START_TEST(a_recording_becomes_an_mcap_that_tells_each_cell)
{
    unsigned most = 0;
    for (unsigned run = 0; run < RP_ROUNDS(16); run++) {
        const unsigned snapshots = check_mcap();
        most = snapshots > most ? snapshots : most;
    }
    ck_assert_uint_gt(most, 1); // the world came again
}
END_TEST

START_TEST(an_mcap_that_cannot_be_written_is_said_so)
{
    static const char *const places[] = {"/nowhere/x.mcap", "/dev/full"};
    char said[4096];
    open_slow();
    play_rounds(3);
    close_recorded();
    for (unsigned i = 0; i < 2; i++) {
        FILE *out = tmpfile();
        ck_assert_ptr_nonnull(out);
        rp_capture_t capture = rp_capture_begin();
        const int code = rp_replay_mcap(file, places[i], out);
        rp_capture_end(&capture, said, sizeof said);
        (void)fclose(out);
        ck_assert_int_eq(code, 2);
        ck_assert_ptr_nonnull(strstr(said, places[i]));
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_same_bytes_are_said,
        another_message_is_told_as_a_difference,
        what_is_no_recording_or_not_there_is_said_so,
        a_recording_of_another_version_is_played_and_that_is_told,
        what_was_played_is_counted,
        a_torn_recording_is_played_as_far_as_it_goes,
        whatever_a_recording_holds_nothing_breaks,
        a_recording_becomes_an_mcap_that_tells_each_cell,
        an_mcap_that_cannot_be_written_is_said_so,
    };
    rp_log_set_level(RP_LOG_ERROR);
    return rp_suite_run("replay", tests, sizeof tests / sizeof tests[0], 1, remove_recorded);
}
