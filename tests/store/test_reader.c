/// A state whose files are flipped, cut and removed, one byte and one file at a time: it is told,
/// or does no harm.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/journal.h"
#include "tests/store/damaged.h"
#include "tests/support/suite.h"

static unsigned flips;
static unsigned cuts;

// ---- images of them

static void end_orderly(void)
{
    rp_journal_close(&journal);
    keep_images();
}

// ---- reading

static bool is_newest(const image_t *image)
{
    return strcmp(image->name, "00000003.log") == 0;
}

static void expect_flip(const image_t *image, size_t at, unsigned bit)
{
    const bool is_read = read_state(false);
    const bool is_all = is_read && strcmp(letters, ALL) == 0;
    const bool may_be_torn = is_newest(image) && boot != 1;
    if (!(is_all || is_told(is_read)) || (is_read && !(is_all || (may_be_torn && is_prefix())))) {
        ck_abort_msg("%s: byte %zu, bit %u: read \"%s\"", image->name, at, bit, letters);
    }
}

static void flip_each(void)
{
    const bool is_exhaustive = getenv("REPLAN_EXHAUSTIVE") != NULL;
    for (unsigned i = 0; i < image_count; i++) {
        static uint8_t bytes[FILE_MOST];
        image_t *image = &images[i];
        memcpy(bytes, image->bytes, image->size);
        for (size_t bit = 0; bit < 8u * image->size; bit += is_exhaustive ? 1 : 7) {
            bytes[bit / 8u] ^= (uint8_t)(1u << (bit % 8u));
            put_file(image->name, bytes, image->size);
            expect_flip(image, bit / 8u, (unsigned)(bit % 8u));
            flips++;
            bytes[bit / 8u] = image->bytes[bit / 8u];
        }
        put_back(image);
    }
}

static void cut_each(void)
{
    for (unsigned i = 0; i < image_count; i++) {
        const image_t *image = &images[i];
        for (size_t size = 0; size < image->size; size++) {
            put_file(image->name, image->bytes, size);
            cuts++;
            const bool is_read = read_state(false);
            if (is_read ? !is_prefix() || !is_newest(image) : !is_told(false)) {
                ck_abort_msg("%s cut at %zu: read \"%s\"", image->name, size, letters);
            }
        }
        put_back(image);
    }
}

static void remove_each(void)
{
    for (unsigned i = 0; i < image_count; i++) {
        char path[128];
        path_of(path, images[i].name);
        ck_assert_int_eq(unlink(path), 0);
        ck_assert_msg(!read_state(false), "%s", images[i].name);
        ck_assert_msg(strstr(error, images[i].name) != NULL, "%s", error);
        put_back(&images[i]);
    }
}

/// A process that reads states again and again holds none of their files.
static bool is_any_mapped(void)
{
    char line[512];
    bool is_any = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    ck_assert_ptr_nonnull(maps);
    while (fgets(line, sizeof line, maps) != NULL) {
        is_any = is_any || strstr(line, folder) != NULL;
    }
    (void)fclose(maps);
    return is_any;
}

static void damage_each(void)
{
    for (boot = 1; boot <= 2; boot++) {
        ck_assert_msg(read_state(false), "%s", error);
        ck_assert_str_eq(letters, ALL);
        ck_assert_uint_eq(found.torn_bytes, 0);
        flip_each();
        cut_each();
        remove_each();
    }
    ck_assert(!is_any_mapped());
    printf("reader: %u flipped bits, %u cuts\n", flips, cuts);
}

START_TEST(whatever_is_damaged_after_a_kill_is_told_or_does_no_harm)
{
    make_chain();
    die();
    damage_each();
}
END_TEST

START_TEST(whatever_is_damaged_after_an_orderly_end_is_told_or_does_no_harm)
{
    make_chain();
    end_orderly();
    ck_assert(read_state(false) && found.is_closed);
    damage_each();
}
END_TEST

/// The first file that is opened then has number 0.
START_TEST(a_state_is_read_where_the_standard_input_is_closed)
{
    make_chain();
    die();
    const int kept = dup(STDIN_FILENO);
    ck_assert_int_eq(close(STDIN_FILENO), 0);
    const bool is_read = read_state(false);
    ck_assert_int_eq(dup2(kept, STDIN_FILENO), STDIN_FILENO);
    (void)close(kept);
    ck_assert_msg(is_read, "%s", error);
    ck_assert_str_eq(letters, ALL);
}
END_TEST

START_TEST(on_the_same_start_of_the_machine_only_a_cut_record_is_torn)
{
    make_chain();
    die();
    spoil("00000003.log", 'h');
    ck_assert(!read_state(false));
    ck_assert_ptr_nonnull(strstr(error, "00000003.log: damaged: record"));
}
END_TEST

START_TEST(on_another_start_what_no_mark_vouches_for_is_torn)
{
    make_chain();
    die();
    boot = 2;
    spoil("00000003.log", 'h');
    ck_assert_msg(read_state(false), "%s", error);
    ck_assert_str_eq(letters, "abcdefg");
    ck_assert_uint_gt(found.torn_bytes, 0);
}
END_TEST

START_TEST(what_a_mark_vouches_for_is_never_torn)
{
    make_chain();
    die();
    boot = 2;
    spoil("00000003.log", 'g');
    ck_assert(!read_state(false));
    ck_assert_ptr_nonnull(strstr(error, "00000003.log: damaged: record"));
}
END_TEST

START_TEST(of_a_log_that_was_closed_nothing_is_torn)
{
    make_chain();
    end_orderly();
    boot = 2;
    spoil("00000003.log", 'h');
    ck_assert(!read_state(false));
}
END_TEST

START_TEST(a_machine_that_tells_no_boot_id_is_always_another)
{
    boot = 0;
    make_chain();
    boot = 0;
    die();
    spoil("00000003.log", 'h');
    ck_assert_msg(read_state(false), "%s", error);
}
END_TEST

START_TEST(a_record_tells_whether_a_base_holds_it)
{
    make_chain();
    die();
    ck_assert_msg(read_state(false), "%s", error);
    ck_assert_uint_eq(of_base, strlen("abc"));
}
END_TEST

START_TEST(a_file_under_the_name_of_another_generation_is_damaged)
{
    char path[128];
    char other[128];
    set_up();
    open_journal();
    add('a');
    write_base("");
    end_orderly();
    path_of(path, "00000001.log");
    path_of(other, "00000004.log");
    ck_assert_int_eq(rename(path, other), 0);
    path_of(path, "00000001.base");
    path_of(other, "00000004.base");
    ck_assert_int_eq(rename(path, other), 0);
    ck_assert(!read_state(false));
    ck_assert_ptr_nonnull(strstr(error, "00000004.base: damaged"));
}
END_TEST

/// Nothing of a log is torn whose head is not what was written: it came to the disk with the end
/// of the log before.
START_TEST(a_damaged_head_of_a_log_that_follows_is_told_by_its_name)
{
    make_chain();
    die();
    const image_t *image = image_of("00000003.log");
    for (boot = 1; boot <= 2; boot++) {
        for (size_t at = 0; at < RP_FILE_HEAD_MOST; at++) {
            uint8_t bytes[FILE_MOST];
            memcpy(bytes, image->bytes, image->size);
            bytes[at] ^= 1u;
            put_file(image->name, bytes, image->size);
            RP_EACH(!read_state(false));
            RP_EACH(strstr(error, "00000003.log: damaged") != NULL);
        }
    }
}
END_TEST

START_TEST(a_name_with_a_sign_is_none_of_the_state)
{
    make_chain();
    die();
    put_file("-0000004.log", (const uint8_t *)"x", 1);
    ck_assert_msg(read_state(false), "%s", error);
    ck_assert_str_eq(letters, ALL);
}
END_TEST

START_TEST(logs_older_than_the_base_are_left_out)
{
    make_chain();
    die();
    const image_t older = *image_of("00000002.log");
    open_journal();
    ck_assert(rp_journal_begin_checkpoint(journal));
    write_base(ALL);
    die();
    ck_assert_str_ne(images[0].name, older.name);
    put_back(&older);
    ck_assert_msg(read_state(false), "%s", error);
    ck_assert_str_eq(letters, ALL);
}
END_TEST

START_TEST(a_first_log_that_was_being_made_is_none_yet)
{
    static const uint8_t bytes[] = "replanS2 and so on";
    set_up();
    put_file("00000001.log", bytes, 12);
    ck_assert_msg(read_state(false), "%s", error);
    ck_assert_str_eq(letters, "");
    ck_assert_uint_eq(found.torn_bytes, 12);
    ck_assert_uint_eq(found.log, 0);
    put_file("00000001.log", (const uint8_t *)"of somebody else", 16);
    ck_assert(!read_state(false));
}
END_TEST

START_TEST(what_stands_under_the_name_of_a_file_and_is_none_is_told)
{
    char path[128];
    make_chain();
    die();
    path_of(path, "00000003.log");
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    for (unsigned salvages = 0; salvages < 2; salvages++) {
        ck_assert(!read_state(salvages != 0));
        ck_assert_ptr_nonnull(strstr(error, "00000003.log: "));
    }
    ck_assert_int_eq(rmdir(path), 0);
}
END_TEST

/// Write a file anew with another head, which is right in itself.
static void put_head(const image_t *image, const rp_file_head_t *head)
{
    uint8_t bytes[FILE_MOST];
    memcpy(bytes, image->bytes, image->size);
    (void)rp_file_head_pack(head, bytes);
    put_file(image->name, bytes, image->size);
}

/// What a head says of the file before, changed in one thing.
static rp_file_head_t other_head(const image_t *image, unsigned what)
{
    rp_file_head_t head;
    ck_assert_int_eq(rp_file_head_read(&head, image->bytes, image->size, RP_FILE_LOG),
                     RP_FILE_HEAD_WHOLE);
    head.first += what == 0;
    head.before_bytes += what == 1;
    head.before_sum ^= what == 2;
    return head;
}

START_TEST(files_that_belong_to_others_are_told)
{
    make_chain();
    die();
    for (unsigned what = 0; what < 3; what++) {
        const image_t *log = image_of("00000003.log");
        rp_file_head_t head = other_head(log, what);
        put_head(log, &head);
        ck_assert(!read_state(false));
        ck_assert_msg(strstr(error, "00000002.log: damaged: it is not what 00000003.log follows"),
                      "%u: %s", what, error);
        put_back(log);
        log = image_of("00000002.log");
        head = other_head(log, what);
        put_head(log, &head);
        ck_assert(!read_state(false));
        ck_assert_msg(strstr(error, "00000002.log: damaged: it is not the log of 00000002.base"),
                      "%u: %s", what, error);
        put_back(log);
    }
    ck_assert(read_state(false));
}
END_TEST

/// Of a log that stands behind the newest one.
typedef enum behind {
    EMPTY,
    HEAD_CUT,
    HEAD_ALONE,
    FRESH, ///< with a record, and without its base
    ZEROS,
    LAST_UNUSED = ZEROS,
    ZEROS_BEYOND_A_HEAD,
    FOREIGN,
    RECORDS,
    ALL_BEHIND
} behind_t;

static void put_behind(const char *name, uint64_t generation, behind_t what)
{
    uint8_t bytes[FILE_MOST] = {0};
    size_t size = 0;
    const rp_file_head_t head = {.format = 2,
                                 .kind = what == FRESH ? RP_FILE_FRESH_LOG : RP_FILE_LOG,
                                 .generation = generation,
                                 .first = 1};
    if (what == HEAD_CUT || what == HEAD_ALONE || what == FRESH || what == RECORDS) {
        size = rp_file_head_pack(&head, bytes) - (what == HEAD_CUT ? 1u : 0u);
    } else if (what != EMPTY) {
        size = RP_FILE_HEAD_MOST + (what == ZEROS_BEYOND_A_HEAD ? 1u : 0u);
        bytes[size - 1u] = what == FOREIGN ? 1 : 0;
    }
    put_file(name, bytes, size);
    if (what == FRESH || what == RECORDS) {
        char path[128];
        char text[9];
        const rp_record_t record = letter(text, 'x');
        path_of(path, name);
        rp_sink_t sink = {.file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC),
                          .series = rp_file_head_series(&head)};
        ck_assert(rp_sink_add(&sink, &record) && rp_sink_pour(&sink));
        (void)close(sink.file);
        free(sink.gathered);
    }
}

START_TEST(logs_that_were_being_made_count_for_nothing)
{
    make_chain();
    die();
    for (boot = 1; boot <= 2; boot++) {
        for (behind_t first = EMPTY; first < ALL_BEHIND; first++) {
            for (behind_t second = EMPTY; second <= ALL_BEHIND;
                 second++) { // the last: there is none
                char path[128];
                put_behind("00000004.log", 4, first);
                path_of(path, "00000005.log");
                (void)unlink(path);
                if (second != ALL_BEHIND) {
                    put_behind("00000005.log", 5, second);
                }
                const bool are_unused =
                    first <= LAST_UNUSED && (second <= LAST_UNUSED || second == ALL_BEHIND);
                ck_assert_msg(read_state(false) == are_unused, "%u, %u: %s", first, second, error);
                ck_assert(!are_unused || (strcmp(letters, ALL) == 0 && found.log == 3));
                ck_assert(!are_unused || found.torn_bytes == 0);
            }
        }
    }
}
END_TEST

/// Behind a log that has its end record there must be the next one: one that follows nothing came
/// when the disk did not take that record.
START_TEST(behind_an_end_record_only_logs_that_follow_nothing_count_for_nothing)
{
    char path[128];
    make_chain();
    ck_assert(rp_journal_begin_checkpoint(journal));
    die();
    path_of(path, "00000004.part");
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_msg(read_state(false), "%s", error);
    ck_assert_uint_eq(found.log, 4);
    const image_t *log = image_of("00000003.log");
    for (behind_t first = EMPTY; first <= ALL_BEHIND; first++) {
        path_of(path, "00000004.log");
        (void)unlink(path);
        if (first != ALL_BEHIND) {
            put_behind("00000004.log", 4, first);
        }
        ck_assert_msg(read_state(false) == (first == FRESH), "%u: %s", first, error);
        if (first == FRESH) {
            ck_assert_str_eq(letters, ALL);
            ck_assert_uint_eq(found.log, 3);
            ck_assert_uint_eq(found.torn_bytes, RP_RECORD_HEAD_MOST); // that record
            ck_assert_uint_eq(found.log_bytes, log->size - RP_RECORD_HEAD_MOST);
        }
    }
}
END_TEST

START_TEST(a_first_log_may_be_anything_that_was_being_made)
{
    for (behind_t what = EMPTY; what < ALL_BEHIND; what++) {
        set_up();
        put_behind("00000001.log", 1, what);
        const bool is_read = read_state(false);
        ck_assert_msg(is_read == (what != FRESH && what != FOREIGN && what != ZEROS_BEYOND_A_HEAD),
                      "%u: %s", what, error);
        ck_assert(!is_read || strcmp(letters, what == RECORDS ? "x" : "") == 0);
        ck_assert(!is_read || found.torn_bytes == (what == HEAD_CUT ? RP_FILE_HEAD_MOST - 1u
                                                   : what == ZEROS  ? RP_FILE_HEAD_MOST
                                                                    : 0u));
        tear_down();
    }
    set_up();
}
END_TEST

static unsigned visits_left;

static bool visit_some(void *user, const rp_record_t *record)
{
    (void)user;
    (void)record;
    return --visits_left != 0;
}

/// Of a state that is whole, wherever who reads it has enough.
START_TEST(who_stops_reading_is_told_of_no_damage)
{
    make_chain();
    die();
    ck_assert(read_state(false));
    const unsigned all = (unsigned)found.records;
    for (unsigned many = 1; many <= all; many++) {
        rp_folder_t opened;
        visits_left = many;
        error[0] = '\0';
        ck_assert(rp_folder_open(&opened, folder, RP_FOLDER_LOOK, &disk, error, sizeof error));
        ck_assert(
            !rp_state_read(&opened, many % 2u == 0, visit_some, NULL, &found, error, sizeof error));
        rp_folder_close(&opened);
        ck_assert_uint_eq(visits_left, 0);
        ck_assert_uint_eq(found.records, many);
        ck_assert_str_eq(found.damage, "");
        ck_assert_str_eq(error, "");
    }
    ck_assert(!is_any_mapped());
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        whatever_is_damaged_after_a_kill_is_told_or_does_no_harm,
        whatever_is_damaged_after_an_orderly_end_is_told_or_does_no_harm,
        a_state_is_read_where_the_standard_input_is_closed,
        on_the_same_start_of_the_machine_only_a_cut_record_is_torn,
        on_another_start_what_no_mark_vouches_for_is_torn,
        what_a_mark_vouches_for_is_never_torn,
        of_a_log_that_was_closed_nothing_is_torn,
        a_machine_that_tells_no_boot_id_is_always_another,
        a_record_tells_whether_a_base_holds_it,
        a_file_under_the_name_of_another_generation_is_damaged,
        a_damaged_head_of_a_log_that_follows_is_told_by_its_name,
        a_name_with_a_sign_is_none_of_the_state,
        logs_older_than_the_base_are_left_out,
        a_first_log_that_was_being_made_is_none_yet,
        a_first_log_may_be_anything_that_was_being_made,
        files_that_belong_to_others_are_told,
        logs_that_were_being_made_count_for_nothing,
        behind_an_end_record_only_logs_that_follow_nothing_count_for_nothing,
        what_stands_under_the_name_of_a_file_and_is_none_is_told,
        who_stops_reading_is_told_of_no_damage,
    };
    return rp_suite_run("reader", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
