/// Records as bytes of a file, held against an array of them: torn anywhere, flipped anywhere, and
/// on a disk that is full.
#include "store/record.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

enum {
    RECORDS = 12,
    SIZE_MOST = 300,
    FILE_MOST = RECORDS * (SIZE_MOST + (int)RP_RECORD_HEAD),
};

static rp_random_t rng;
static rp_sink_t sink;
static uint8_t bodies[RECORDS][SIZE_MOST];
static rp_record_t records[RECORDS];
static size_t ends[RECORDS]; ///< of each in the file
static uint8_t image[FILE_MOST];
static size_t image_size;

static void tear_down(void)
{
    if (sink.file > 0) {
        (void)close(sink.file);
    }
    free(sink.gathered);
    sink = (rp_sink_t){0};
}

static void open_sink(void)
{
    char name[] = "/tmp/replan-record-XXXXXX";
    sink = (rp_sink_t){.file = mkstemp(name)};
    ck_assert_int_ge(sink.file, 0);
    ck_assert_int_eq(unlink(name), 0);
}

/// The last two have no byte and one.
static void make_records(void)
{
    size_t end = 0;
    for (unsigned i = 0; i < RECORDS; i++) {
        const size_t size =
            i < RECORDS - 2u ? rp_random_below(&rng, SIZE_MOST + 1u) : i - (RECORDS - 2u);
        for (size_t k = 0; k < size; k++) {
            bodies[i][k] = (uint8_t)rp_random_below(&rng, 256);
        }
        records[i] = (rp_record_t){.kind = (rp_record_kind_t)rp_random_between(&rng, 1, 3),
                                   .wall_us = rp_random_next(&rng),
                                   .bytes = bodies[i],
                                   .size = size};
        end += RP_RECORD_HEAD + size;
        ends[i] = end;
    }
}

/// Write all of them, some at a time, and read the file as it is.
static void write_records(void)
{
    open_sink();
    for (unsigned i = 0; i < RECORDS; i++) {
        if (rp_random_chance(&rng, 30)) {
            ck_assert(rp_sink_pass(&sink, &records[i]));
            ck_assert_uint_eq(sink.bytes, ends[i]);
        } else {
            ck_assert(rp_sink_add(&sink, &records[i]));
        }
        if (rp_random_chance(&rng, 30)) {
            ck_assert(rp_sink_pour(&sink));
            ck_assert_uint_eq(sink.bytes, ends[i]);
        }
    }
    ck_assert(rp_sink_pour(&sink));
    image_size = (size_t)pread(sink.file, image, sizeof image, 0);
    ck_assert_uint_eq(image_size, ends[RECORDS - 1]);
    ck_assert_uint_eq(sink.bytes, image_size);
}

/// How many come back from these bytes, each as it was.
static unsigned read_back(const uint8_t *bytes, size_t size)
{
    rp_record_t record;
    unsigned count = 0;
    size_t at = 0;
    while (at < size && rp_record_at(bytes, size, at, &record)) {
        RP_EACH(count < RECORDS);
        RP_EACH_EQ(record.kind, records[count].kind);
        RP_EACH_EQ(record.wall_us, records[count].wall_us);
        RP_EACH_EQ(record.size, records[count].size);
        RP_EACH_EQ(memcmp(record.bytes, records[count].bytes, record.size), 0);
        at += RP_RECORD_HEAD + record.size;
        count++;
    }
    return count;
}

static unsigned whole_within(size_t size)
{
    unsigned count = 0;
    while (count < RECORDS && ends[count] <= size) {
        count++;
    }
    return count;
}

START_TEST(records_come_back_as_far_as_they_are_whole)
{
    for (unsigned round = 0; round < RP_ROUNDS(16); round++) {
        make_records();
        write_records();
        for (size_t size = 0; size <= image_size; size++) {
            RP_EACH_EQ(read_back(image, size), whole_within(size));
        }
        tear_down();
    }
}
END_TEST

START_TEST(a_flipped_bit_ends_them_before_the_record_that_it_hit)
{
    make_records();
    write_records();
    for (size_t bit = 0; bit < 8u * image_size; bit += RP_ROUNDS(5u)) {
        image[bit / 8u] ^= (uint8_t)(1u << (bit % 8u));
        RP_EACH_EQ(read_back(image, image_size), whole_within(bit / 8u));
        image[bit / 8u] ^= (uint8_t)(1u << (bit % 8u));
    }
}
END_TEST

START_TEST(what_cannot_be_written_whole_is_not_in_the_file_at_all)
{
    struct rlimit before;
    make_records();
    open_sink();
    ck_assert(rp_sink_add(&sink, &records[0]) && rp_sink_pour(&sink));
    ck_assert(rp_sink_add(&sink, &records[1]) && rp_sink_add(&sink, &records[2]));
    ck_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    // The third begins, and does not fit; Check writes files too, so nothing is asserted meanwhile.
    const struct rlimit narrow = {ends[1] + RP_RECORD_HEAD, before.rlim_max};
    const int is_set = setrlimit(RLIMIT_FSIZE, &narrow);
    const bool is_poured = rp_sink_pour(&sink);
    const int reason = errno;
    ck_assert_int_eq(is_set | setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert(!is_poured);
    ck_assert_int_eq(reason, EFBIG);
    ck_assert_uint_eq(sink.bytes, ends[0]);
    ck_assert_int_eq(lseek(sink.file, 0, SEEK_END), (off_t)ends[0]);
    ck_assert_uint_eq(sink.size, 0);
    ck_assert(rp_sink_add(&sink, &records[1]) && rp_sink_pour(&sink)); // what fits goes on
    image_size = (size_t)pread(sink.file, image, sizeof image, 0);
    ck_assert_uint_eq(read_back(image, image_size), 2);
}
END_TEST

// ---- without memory

static bool has_memory = true;

/// The linker has all reallocs come here, and knows the real one by that name.
void *__real_realloc(void *memory, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_realloc(void *memory, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)

void *__wrap_realloc(void *memory, size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    return has_memory ? __real_realloc(memory, size) : NULL;
}

START_TEST(what_there_is_no_memory_for_is_not_added)
{
    make_records();
    open_sink();
    has_memory = false;
    const bool is_added = rp_sink_add(&sink, &records[0]);
    has_memory = true;
    ck_assert(!is_added);
    ck_assert_uint_eq(sink.size, 0);
    ck_assert(rp_sink_add(&sink, &records[0]) && rp_sink_pour(&sink));
    image_size = (size_t)pread(sink.file, image, sizeof image, 0);
    ck_assert_uint_eq(read_back(image, image_size), 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        records_come_back_as_far_as_they_are_whole,
        a_flipped_bit_ends_them_before_the_record_that_it_hit,
        what_cannot_be_written_whole_is_not_in_the_file_at_all,
        what_there_is_no_memory_for_is_not_added,
    };
    rng = (rp_random_t){1};
    return rp_suite_run("record", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
