/// A recording: what was written is read again, event by event, with what was sent during each; a
/// file that is torn, as far as it goes.
#include "store/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/suite.h"

static const rp_recording_begin_t begin = {.version = "1.2", .planner = "lpa", .memory_bytes = 77};
static char file[64];
static char error[256];
static uint8_t bytes[4096];
static size_t size;

static void tear_down(void)
{
    (void)remove(file);
}

static rp_recording_t *open_recording(void)
{
    strcpy(file, "/tmp/replan-recording-XXXXXX");
    (void)close(mkstemp(file));
    rp_recording_t *recording = rp_recording_open(file, &begin, error, sizeof error);
    ck_assert_msg(recording != NULL, "%s", error);
    return recording;
}

static void read_back(rp_recording_t **recording)
{
    rp_recording_close(recording);
    FILE *from = fopen(file, "rb");
    ck_assert_ptr_nonnull(from);
    size = fread(bytes, 1, sizeof bytes, from);
    (void)fclose(from);
}

/// Two events; during the first one a reply was sent, another one lost, and a clock was read.
static void write_story(void)
{
    rp_recording_t *recording = open_recording();
    const rp_recording_part_t parts[] = {{"one", 3}, {"", 0}, {"other", 5}};
    rp_recording_event(recording, RP_RECORDING_REQUEST, parts, 3);
    rp_recording_sent(recording, "orc", 3, "reply", 5);
    rp_recording_lost(recording, 2);
    rp_recording_published(recording, "head/fen/", 9, "head", 4);
    rp_recording_wall(recording, 1234567);
    rp_recording_event(recording, RP_RECORDING_WORK, parts, 1);
    read_back(&recording);
}

START_TEST(what_was_written_is_read_with_what_was_said)
{
    rp_recorded_t recorded;
    rp_recording_loss_t loss;
    uint64_t wall_us;
    size_t at = 0;
    write_story();
    ck_assert_int_eq(rp_recording_next(bytes, size, &at, &recorded), RP_RECORDED);
    ck_assert_uint_eq(recorded.event.kind, RP_RECORDING_BEGIN);
    ck_assert_uint_eq(recorded.event.size, sizeof begin);
    ck_assert_mem_eq(recorded.event.bytes, &begin, sizeof begin);
    ck_assert(!recorded.has_result && !recorded.is_last);
    ck_assert_int_eq(rp_recording_next(bytes, size, &at, &recorded), RP_RECORDED);
    ck_assert_uint_eq(recorded.event.kind, RP_RECORDING_REQUEST);
    ck_assert_uint_eq(recorded.event.size, 8);
    ck_assert_mem_eq(recorded.event.bytes, "oneother", 8);
    ck_assert(recorded.has_result && !recorded.is_last);
    ck_assert_uint_eq(recorded.result.messages, 2);
    ck_assert_uint_eq(recorded.result.bytes, 5u + 4u);
    ck_assert_uint_eq(recorded.result.sends, 2);
    ck_assert_uint_eq(recorded.result.walls, 1);
    ck_assert_uint_eq(recorded.result.losses, 1);
    memcpy(&wall_us, recorded.walls, sizeof wall_us);
    memcpy(&loss, recorded.losses, sizeof loss);
    ck_assert_uint_eq(wall_us, 1234567);
    ck_assert_uint_eq(loss.index, 1);
    ck_assert_uint_eq(loss.sent, 2);
    ck_assert_int_eq(rp_recording_next(bytes, size, &at, &recorded), RP_RECORDED);
    ck_assert_uint_eq(recorded.event.kind, RP_RECORDING_WORK);
    ck_assert(!recorded.has_result && recorded.is_last);
    ck_assert_uint_eq(recorded.result.messages, 0);
    ck_assert_int_eq(rp_recording_next(bytes, size, &at, &recorded), RP_RECORDED_ENDS);
    ck_assert_uint_eq(at, size);
}
END_TEST

START_TEST(a_torn_one_is_read_as_far_as_it_goes)
{
    write_story();
    const size_t whole = size;
    unsigned before = 0;
    for (size = 0; size <= whole; size++) {
        rp_recorded_t recorded;
        size_t at = 0;
        unsigned events = 0;
        while (rp_recording_next(bytes, size, &at, &recorded) == RP_RECORDED) {
            events++;
        }
        RP_EACH(events >= before && events <= before + 1u && at <= size);
        before = events;
    }
    ck_assert_uint_eq(before, 3);
}
END_TEST

START_TEST(a_result_of_another_length_is_none)
{
    rp_recorded_t recorded;
    size_t at = 0;
    rp_sink_t sink = {.file = -1};
    rp_recording_result_t result = {.walls = 1};
    const rp_record_t event = {.kind = (rp_record_kind_t)RP_RECORDING_WORK};
    const rp_record_t result_record = {.kind = (rp_record_kind_t)RP_RECORDING_RESULT,
                                       .bytes = (const uint8_t *)&result,
                                       .size = sizeof result};
    ck_assert(rp_sink_add(&sink, &event) && rp_sink_add(&sink, &result_record));
    ck_assert_int_eq(rp_recording_next(sink.gathered, sink.size, &at, &recorded),
                     RP_RECORDED_BROKEN);
    free(sink.gathered);
}
END_TEST

START_TEST(where_the_disk_takes_no_more_it_ends)
{
    rp_recording_t *recording = rp_recording_open("/dev/full", &begin, error, sizeof error);
    ck_assert_ptr_null(recording);
    ck_assert_ptr_nonnull(strstr(error, "/dev/full"));
    ck_assert_ptr_nonnull(strstr(error, "No space left"));
    file[0] = '\0';
}
END_TEST

static uint32_t sum_of(const char *to, const char *first, const char *second)
{
    rp_recording_result_t result = {0};
    rp_recording_result_add(&result, to, strlen(to), first, strlen(first));
    rp_recording_result_add(&result, to, strlen(to), second, strlen(second));
    ck_assert_uint_eq(result.messages, 2);
    ck_assert_uint_eq(result.bytes, strlen(first) + strlen(second));
    return result.sum;
}

START_TEST(what_is_said_to_whom_and_in_which_order_counts)
{
    const uint32_t sum = sum_of("orc", "left", "right");
    ck_assert_uint_eq(sum_of("orc", "left", "right"), sum);
    ck_assert_uint_ne(sum_of("elf", "left", "right"), sum);
    ck_assert_uint_ne(sum_of("orc", "lift", "right"), sum);
    ck_assert_uint_ne(sum_of("orc", "left", "night"), sum);
    ck_assert_uint_ne(sum_of("orc", "right", "left"), sum);
}
END_TEST

// ---- without memory

static bool has_memory = true;

/// The linker has all callocs come here, and knows the real one by that name.
void *__real_calloc(size_t count, size_t each); // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_calloc(size_t count, size_t each); // NOLINT(bugprone-reserved-identifier,cert-*)

void *__wrap_calloc(size_t count, size_t each) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    return has_memory ? __real_calloc(count, each) : NULL;
}

START_TEST(without_memory_there_is_none)
{
    strcpy(file, "/tmp/replan-recording-XXXXXX");
    (void)close(mkstemp(file));
    ck_assert_int_eq(remove(file), 0);
    has_memory = false;
    rp_recording_t *recording = rp_recording_open(file, &begin, error, sizeof error);
    has_memory = true;
    ck_assert_ptr_null(recording);
    ck_assert_str_eq(error, "no memory");
    ck_assert_int_ne(access(file, F_OK), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_was_written_is_read_with_what_was_said,
        a_torn_one_is_read_as_far_as_it_goes,
        a_result_of_another_length_is_none,
        where_the_disk_takes_no_more_it_ends,
        what_is_said_to_whom_and_in_which_order_counts,
        without_memory_there_is_none,
    };
    return rp_suite_run("recording", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
