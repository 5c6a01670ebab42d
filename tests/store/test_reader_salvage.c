/// Salvage: what is read of a damaged state, and what is told of the rest.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/journal.h"
#include "tests/store/damaged.h"
#include "tests/support/suite.h"

// ---- reading

START_TEST(salvage_serves_what_stands_before_the_damage)
{
    make_chain();
    die();
    spoil("00000002.log", 'e');
    ck_assert(!read_state(false));
    ck_assert_msg(read_state(true), "%s", error);
    ck_assert_str_eq(letters, "abcd");
    ck_assert_ptr_nonnull(strstr(found.damage, "00000002.log: damaged"));
    ck_assert_uint_eq(found.lost, 3);
    ck_assert_uint_eq(found.unreadable, 1);
}
END_TEST

START_TEST(salvage_tells_of_gaps_in_a_base_and_reads_on)
{
    make_chain();
    die();
    spoil("00000002.base", 'b');
    ck_assert_msg(read_state(true), "%s", error);
    ck_assert_str_eq(letters, "acdefgh");
    ck_assert(is_gap);
}
END_TEST

/// What salvage says is gone behind the damage.
static void expect_gone(const char *served, unsigned lost, unsigned unreadable, bool is_open)
{
    ck_assert_msg(read_state(true), "%s", error);
    ck_assert_str_eq(letters, served);
    ck_assert_uint_eq(found.lost, lost);
    ck_assert_uint_eq(found.unreadable, unreadable);
    ck_assert_int_eq(found.is_open, is_open);
}

START_TEST(salvage_counts_what_stands_behind_a_damaged_head)
{
    make_chain();
    die();
    image_t *image = image_of("00000002.log");
    image->bytes[20] ^= 1; // of the boot id
    put_back(image);
    expect_gone("abc", 5, 0, false);
    image->bytes[53] ^= 1; // of the key: none of its records can be told from other bytes
    put_back(image);
    expect_gone("abc", 3, 4, false); // as the next head tells: "d", "e", a mark, the end
}
END_TEST

START_TEST(salvage_counts_each_gap_behind_the_damage)
{
    set_up();
    open_journal();
    for (char which = 'a'; which <= 'e'; which++) {
        add(which);
    }
    die();
    spoil("00000001.log", 'b');
    spoil("00000001.log", 'd');
    expect_gone("a", 2, 2, false);
}
END_TEST

/// Only a head could tell which record was to be the first.
START_TEST(salvage_counts_nothing_unread_where_no_head_can_be_read)
{
    make_chain();
    die();
    image_of("00000002.base")->bytes[20] ^= 1;
    put_back(image_of("00000002.base"));
    image_of("00000002.log")->bytes[20] ^= 1;
    put_back(image_of("00000002.log"));
    expect_gone("", 5, 0, false);
}
END_TEST

START_TEST(salvage_counts_the_very_first_record_too)
{
    set_up();
    open_journal();
    write_base("");
    add('a');
    add('b');
    die();
    spoil("00000001.log", 'a');
    expect_gone("", 1, 1, false);
}
END_TEST

START_TEST(salvage_counts_what_a_missing_log_held)
{
    char path[128];
    make_chain();
    die();
    path_of(path, "00000002.log");
    ck_assert_int_eq(unlink(path), 0);
    expect_gone("abc", 3, 4, false);
    put_back(image_of("00000002.log"));
    path_of(path, "00000003.log");
    ck_assert_int_eq(unlink(path), 0);
    expect_gone("abcde", 0, 0, true);
}
END_TEST

START_TEST(salvage_says_when_the_end_cannot_be_read)
{
    make_chain();
    die();
    spoil("00000003.log", 'h'); // the last record: whatever it was, nothing behind it tells
    expect_gone("abcdefg", 0, 0, true);
}
END_TEST

START_TEST(salvage_goes_on_without_any_file)
{
    make_chain();
    die();
    for (unsigned i = 0; i < image_count; i++) {
        char path[128];
        path_of(path, images[i].name);
        ck_assert_int_eq(unlink(path), 0);
        ck_assert_msg(read_state(true), "%s", error);
        ck_assert_ptr_nonnull(strstr(found.damage, images[i].name));
        put_back(&images[i]);
    }
}
END_TEST

START_TEST(what_was_salvaged_is_whole_again_and_the_damaged_files_stay)
{
    char path[128];
    make_chain();
    die();
    spoil("00000002.log", 'e');
    journal = rp_journal_open(folder, &disk, error, sizeof error);
    ck_assert_ptr_nonnull(journal);
    ck_assert(rp_journal_read(journal, true, visit, NULL, &found, error, sizeof error));
    ck_assert_msg(rp_journal_begin_checkpoint(journal), "%s", rp_journal_error(journal));
    ck_assert(!rp_journal_reserve(journal, 1)); // until it is on the disk
    write_base("abcd");
    add('e');
    rp_journal_close(&journal);
    ck_assert_msg(read_state(false), "%s", error);
    ck_assert_str_eq(letters, "abcde");
    path_of(path, "00000002.log.damaged");
    struct stat about;
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_uint_eq((uint64_t)about.st_size, image_of("00000002.log")->size);
}
END_TEST

START_TEST(a_torn_end_is_put_aside_and_cut)
{
    char path[128];
    struct stat about;
    make_chain();
    die();
    const image_t *image = image_of("00000003.log");
    put_file(image->name, image->bytes, image->size - 3u);
    open_journal();
    ck_assert_uint_gt(found.torn_bytes, 0);
    path_of(path, "00000003.torn");
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_uint_eq((uint64_t)about.st_size, found.torn_bytes);
    rp_journal_drop_checkpoint(journal);
    add('z');
    rp_journal_close(&journal);
    ck_assert_msg(read_state(false), "%s", error);
    ck_assert_str_eq(letters, "abcdefgz");
    ck_assert_uint_eq(found.torn_bytes, 0);
}
END_TEST

// What is done to the disk, a letter each: a file is written, synced, cut; `f`: the folder is
// synced.
static char done[64];
static char fails_at; ///< 0: at nothing

static int note(char what)
{
    const size_t count = strlen(done);
    ck_assert_uint_lt(count, sizeof done - 1u);
    done[count] = what;
    done[count + 1u] = '\0';
    errno = EIO;
    return what == fails_at ? -1 : 0;
}

static ssize_t note_write(int file, const void *bytes, size_t size)
{
    return note('w') == 0 ? write(file, bytes, size) : -1;
}

static int note_sync(int file)
{
    struct stat about;
    ck_assert_int_eq(fstat(file, &about), 0);
    return note(S_ISDIR(about.st_mode) ? 'f' : 's') == 0 ? fsync(file) : -1;
}

static int note_truncate(int file, off_t size)
{
    return note('t') == 0 ? ftruncate(file, size) : -1;
}

/// Go on with a torn log. @return false when it may not be written
static bool go_on(char at)
{
    fails_at = at;
    done[0] = '\0';
    journal = rp_journal_open(folder, &disk, error, sizeof error);
    ck_assert_ptr_nonnull(journal);
    ck_assert(rp_journal_read(journal, false, NULL, NULL, &found, error, sizeof error));
    ck_assert_uint_gt(found.torn_bytes, 0);
    const bool goes_on = rp_journal_begin_checkpoint(journal);
    rp_journal_close(&journal);
    return goes_on;
}

START_TEST(what_is_put_aside_is_on_the_disk_with_its_name_before_it_is_cut)
{
    make_chain();
    die();
    const image_t *image = image_of("00000003.log");
    put_file(image->name, image->bytes, image->size - 3u);
    disk.write = note_write;
    disk.sync = note_sync;
    disk.truncate = note_truncate;
    for (const char *at = "wsf"; *at != '\0'; at++) {
        ck_assert_msg(!go_on(*at), "failed at %c, and goes on: %s", *at, done);
        ck_assert_msg(strchr(done, 't') == NULL, "failed at %c: %s", *at, done);
    }
    ck_assert(go_on('\0'));
    ck_assert_msg(strncmp(done, "wsft", 4) == 0, "%s", done);
}
END_TEST

static const char *as_0; ///< the next file whose name holds this has number 0; NULL: none

static int open_as_0(int in, const char *name, int flags)
{
    if (as_0 != NULL && strstr(name, as_0) != NULL) {
        as_0 = NULL;
        (void)close(STDIN_FILENO);
    }
    return rp_disk_system.open(in, name, flags);
}

/// Where the standard input is closed one of the two has it, and holds it no longer than any.
START_TEST(a_torn_log_and_its_copy_may_be_the_file_of_number_0)
{
    static const struct {
        const char *name;
        char at; // fails
    } rows[] = {{".log", 'w'}, {".torn", 'w'}, {".log", '\0'}, {".torn", '\0'}};
    char path[128];
    const int kept = dup(STDIN_FILENO);
    make_chain();
    die();
    const image_t *image = image_of("00000003.log");
    disk.open = open_as_0;
    disk.write = note_write;
    disk.sync = note_sync;
    disk.truncate = note_truncate;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (unsigned each = 0; each < image_count; each++) {
            put_back(&images[each]);
        }
        path_of(path, "00000004.log");
        (void)unlink(path);
        put_file(image->name, image->bytes, image->size - 3u);
        as_0 = rows[i].name;
        const bool goes_on = go_on(rows[i].at);
        const bool is_closed = close(STDIN_FILENO) != 0;
        (void)dup2(kept, STDIN_FILENO);
        ck_assert_int_eq(goes_on, rows[i].at == '\0');
        ck_assert_msg(is_closed, "%s is still open", rows[i].name);
        ck_assert_msg(read_state(false), "%s", error);
        ck_assert_str_eq(letters, "abcdefg");
    }
    (void)close(kept);
}
END_TEST

// ---- format 1

/// A log of format 1 that was not closed: it never was. @param name  with its generation
static void write_plain(const char *name, uint8_t generation, const char *all)
{
    uint8_t head[16] = "replanJ1";
    char path[128];
    char text[9];
    head[8] = generation;
    path_of(path, name);
    rp_sink_t sink = {.file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
    ck_assert_int_eq(write(sink.file, head, sizeof head), sizeof head);
    for (; *all != '\0'; all++) {
        const rp_record_t record = letter(text, *all);
        ck_assert(rp_sink_add(&sink, &record));
    }
    ck_assert(rp_sink_pour(&sink));
    (void)close(sink.file);
    free(sink.gathered);
    keep_images();
}

static void make_plain(void)
{
    set_up();
    write_plain("00000001.log", 1, ALL);
}

START_TEST(of_format_1_whatever_is_flipped_before_a_whole_record_is_damage)
{
    make_plain();
    ck_assert_msg(read_state(false), "%s", error);
    ck_assert_str_eq(letters, ALL);
    ck_assert(!found.may_be_damaged);
    const image_t *log = &images[0];
    const size_t last = log->size - RP_RECORD_HEAD - 9u;
    for (size_t bit = 0; bit < 8u * log->size; bit++) {
        static uint8_t bytes[FILE_MOST];
        memcpy(bytes, log->bytes, log->size);
        bytes[bit / 8u] ^= (uint8_t)(1u << (bit % 8u));
        put_file(log->name, bytes, log->size);
        const bool is_read = read_state(false);
        const bool is_last = bit / 8u >= last;
        RP_EACH(is_read == is_last && is_told(is_read));
        RP_EACH(!is_last || (found.may_be_damaged && strcmp(letters, "abcdefg") == 0));
    }
}
END_TEST

START_TEST(of_format_1_a_record_that_the_file_cuts_short_is_torn_or_damaged)
{
    make_plain();
    const image_t *log = &images[0];
    for (size_t size = 16; size < log->size; size++) {
        const bool is_cut = (size - 16u) % (RP_RECORD_HEAD + 9u) != 0;
        put_file(log->name, log->bytes, size);
        RP_EACH(read_state(false) && is_prefix());
        RP_EACH(found.may_be_damaged == is_cut && (found.torn_bytes != 0) == is_cut);
    }
}
END_TEST

START_TEST(of_format_1_salvage_serves_what_stands_before_the_damage)
{
    make_plain();
    image_t *log = &images[0];
    log->bytes[16u + 3u * (RP_RECORD_HEAD + 9u)] ^= 1;
    put_back(log);
    ck_assert(!read_state(false));
    ck_assert_msg(read_state(true), "%s", error);
    ck_assert_str_eq(letters, "abc");
    ck_assert(found.is_open);
}
END_TEST

/// They knew no end records, so a head alone may follow a log.
START_TEST(of_format_1_a_log_that_another_follows_is_whole_to_its_end)
{
    static const char *const later[] = {"", "efgh"};
    set_up();
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        write_plain("00000001.log", 1, "abcd");
        write_plain("00000002.log", 2, later[i]);
        ck_assert_msg(read_state(false), "%s", error);
        ck_assert_uint_eq(strlen(letters), 4u + strlen(later[i]));
        ck_assert(is_prefix());
        ck_assert_uint_eq(found.log, 2);
        const image_t *first = image_of("00000001.log");
        put_file(first->name, first->bytes, first->size - 3u);
        ck_assert(!read_state(false));
        ck_assert_ptr_nonnull(strstr(error, "00000001.log: damaged: record"));
    }
}
END_TEST

/// Whether it is, its head tells.
START_TEST(without_a_base_the_oldest_log_is_the_first_that_was)
{
    static const struct {
        const char *name;
        rp_file_head_t head;
        bool is_first;
    } rows[] = {
        {"00000001.log", {.format = 2, .kind = RP_FILE_LOG, .generation = 1, .first = 1}, true},
        {"00000001.log",
         {.format = 2, .kind = RP_FILE_FRESH_LOG, .generation = 1, .first = 1},
         false},
        {"00000007.log", {.format = 2, .kind = RP_FILE_LOG, .generation = 7, .first = 1}, true},
        {"00000007.log",
         {.format = 2, .kind = RP_FILE_LOG, .generation = 7, .first = 1, .before_bytes = 1},
         false},
        {"00000007.log",
         {.format = 2, .kind = RP_FILE_FRESH_LOG, .generation = 7, .first = 1, .before_bytes = 1},
         false},
        {"00000001.log", {.format = 1, .generation = 1}, true},
        {"00000002.log", {.format = 1, .generation = 2}, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[RP_FILE_HEAD_MOST];
        set_up();
        if (rows[i].head.format == 1) {
            write_plain(rows[i].name, (uint8_t)rows[i].head.generation, "");
        } else {
            put_file(rows[i].name, bytes, rp_file_head_pack(&rows[i].head, bytes));
        }
        ck_assert_msg(read_state(false) == rows[i].is_first, "%zu: %s", i, error);
        if (!rows[i].is_first) {
            ck_assert_msg(strstr(error, ".base: damaged: this file of the state is missing") !=
                              NULL,
                          "%zu: %s", i, error);
        }
        tear_down();
    }
    set_up();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        salvage_serves_what_stands_before_the_damage,
        salvage_tells_of_gaps_in_a_base_and_reads_on,
        salvage_counts_what_stands_behind_a_damaged_head,
        salvage_counts_each_gap_behind_the_damage,
        salvage_counts_nothing_unread_where_no_head_can_be_read,
        salvage_counts_the_very_first_record_too,
        salvage_counts_what_a_missing_log_held,
        salvage_says_when_the_end_cannot_be_read,
        salvage_goes_on_without_any_file,
        what_was_salvaged_is_whole_again_and_the_damaged_files_stay,
        a_torn_end_is_put_aside_and_cut,
        what_is_put_aside_is_on_the_disk_with_its_name_before_it_is_cut,
        a_torn_log_and_its_copy_may_be_the_file_of_number_0,
        of_format_1_whatever_is_flipped_before_a_whole_record_is_damage,
        of_format_1_a_record_that_the_file_cuts_short_is_torn_or_damaged,
        of_format_1_salvage_serves_what_stands_before_the_damage,
        of_format_1_a_log_that_another_follows_is_whole_to_its_end,
        without_a_base_the_oldest_log_is_the_first_that_was,
    };
    return rp_suite_run("reader_salvage", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
