/// A state whose files are flipped, cut and removed, one byte and one file at a time: it is told,
/// or does no harm.
#include "store/journal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/suite.h"

enum {
    FILES = 8,
    FILE_MOST = 4096,
};

static char folder[64];
static char error[512];
static rp_state_found_t found;
static char letters[64];
static bool is_gap;      ///< salvage told of one
static unsigned of_base; ///< letters that a base told
static unsigned flips;
static unsigned cuts;

// ---- a machine that is started anew when a test says so

static uint8_t boot = 1;

static void boot_id(uint8_t id[RP_BOOT_ID])
{
    memset(id, boot, RP_BOOT_ID);
}

static rp_disk_t disk;

static void set_up(void)
{
    disk = rp_disk_system;
    disk.boot_id = boot_id;
    boot = 1;
    strcpy(folder, "/tmp/replan-reader-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void tear_down(void)
{
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    (void)!system(command);
}

// ---- states

static rp_journal_t *journal;

static void open_journal(void)
{
    journal = rp_journal_open(folder, &disk, error, sizeof error);
    ck_assert_msg(journal != NULL, "%s", error);
    ck_assert_msg(rp_journal_read(journal, false, NULL, NULL, &found, error, sizeof error), "%s",
                  error);
    ck_assert_msg(rp_journal_begin_checkpoint(journal), "%s", rp_journal_error(journal));
}

static rp_record_t letter(char text[9], char first)
{
    memset(text, first, 9);
    return (rp_record_t){.kind = RP_RECORD_REQUEST, .bytes = (const uint8_t *)text, .size = 9};
}

static void add(char first)
{
    char text[9];
    const rp_record_t record = letter(text, first);
    ck_assert(rp_journal_add(journal, &record));
    ck_assert(rp_journal_flush(journal));
}

static void sync_all(void)
{
    rp_journal_sync(journal);
    while (rp_journal_synced(journal) < rp_journal_flushed(journal)) {
        (void)usleep(1000);
    }
}

static void write_base(const char *all)
{
    char text[9];
    for (; *all != '\0'; all++) {
        const rp_record_t record = letter(text, *all);
        ck_assert(rp_journal_write_checkpoint(journal, &record));
    }
    ck_assert(rp_journal_end_checkpoint(journal, 0));
    ck_assert(rp_journal_await_checkpoint(journal));
}

/// Two logs behind a base: "abc" is in the base of generation 2, "d", "e" in its log, which "f",
/// "g" and "h" follow; "g" has come to the disk.
static void make_chain(void)
{
    set_up();
    open_journal();
    add('a');
    write_base("");
    add('b');
    add('c');
    ck_assert(rp_journal_begin_checkpoint(journal));
    write_base("abc");
    add('d');
    add('e');
    ck_assert(rp_journal_begin_checkpoint(journal));
    rp_journal_drop_checkpoint(journal);
    add('f');
    add('g');
    sync_all();
    add('h');
}

#define ALL "abcdefgh"

// ---- images of them

typedef struct image {
    char name[RP_FOLDER_NAME];
    uint8_t bytes[FILE_MOST];
    size_t size;
} image_t;

static image_t images[FILES];
static unsigned image_count;

static void path_of(char path[128], const char *name)
{
    (void)snprintf(path, 128, "%s/%.40s", folder, name);
}

static void keep_images(void)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    image_count = 0;
    while ((entry = readdir(entries)) != NULL) {
        char path[128];
        image_t *image = &images[image_count];
        if (entry->d_name[0] != '0') {
            continue;
        }
        ck_assert_uint_lt(++image_count, FILES);
        (void)snprintf(image->name, sizeof image->name, "%.39s", entry->d_name);
        path_of(path, image->name);
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        image->size = (size_t)read(file, image->bytes, FILE_MOST);
        ck_assert_uint_lt(image->size, FILE_MOST);
        (void)close(file);
    }
    (void)closedir(entries);
}

static void put_file(const char *name, const uint8_t *bytes, size_t size)
{
    char path[128];
    path_of(path, name);
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    RP_EACH(write(file, bytes, size) == (ssize_t)size && ftruncate(file, (off_t)size) == 0);
    (void)close(file);
}

static void put_back(const image_t *image)
{
    put_file(image->name, image->bytes, image->size);
}

static image_t *image_of(const char *name)
{
    image_t *image = images;
    while (strcmp(image->name, name) != 0) {
        ck_assert_ptr_ne(++image, images + image_count);
    }
    return image;
}

/// Kill the process, as far as the folder can tell.
static void die(void)
{
    keep_images();
    rp_journal_close(&journal);
    for (unsigned i = 0; i < image_count; i++) {
        put_back(&images[i]);
    }
}

static void end_orderly(void)
{
    rp_journal_close(&journal);
    keep_images();
}

// ---- reading

static bool visit(void *user, const rp_record_t *record)
{
    const size_t count = strlen(letters);
    (void)user;
    is_gap |= record->kind == RP_RECORD_GAP;
    if (record->size != 0 && !record->is_lost) {
        RP_EACH(count < sizeof letters - 1u);
        letters[count] = (char)record->bytes[0];
        letters[count + 1u] = '\0';
        of_base += record->is_of_base;
    }
    return true;
}

/// @return true when nobody was told of damage
static bool read_state(bool is_salvaging)
{
    rp_folder_t opened;
    letters[0] = '\0';
    is_gap = false;
    of_base = 0;
    RP_EACH(rp_folder_open(&opened, folder, RP_FOLDER_LOOK, &disk, error, sizeof error));
    const bool is_read =
        rp_state_read(&opened, is_salvaging, visit, NULL, &found, error, sizeof error);
    rp_folder_close(&opened);
    return is_read;
}

static bool is_prefix(void)
{
    return strncmp(letters, ALL, strlen(letters)) == 0;
}

static bool is_newest(const image_t *image)
{
    return strcmp(image->name, "00000003.log") == 0;
}

/// Whole, with what was lost told; or refused by the name of a file.
static bool is_told(bool is_read)
{
    return is_read ? found.torn_bytes != 0 : strstr(error, folder) != NULL && strstr(error, "/0");
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

/// Flip the byte of a letter in the newest log.
static void spoil(const char *name, char which)
{
    image_t *image = image_of(name);
    uint8_t nine[9];
    memset(nine, which, sizeof nine);
    uint8_t *at = memmem(image->bytes, image->size, nine, sizeof nine);
    ck_assert_ptr_nonnull(at);
    *at ^= 1;
    put_back(image);
}

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
    ck_assert_uint_eq(found.unread, 1);
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
static void expect_gone(const char *served, unsigned lost, unsigned unread, bool is_open)
{
    ck_assert_msg(read_state(true), "%s", error);
    ck_assert_str_eq(letters, served);
    ck_assert_uint_eq(found.lost, lost);
    ck_assert_uint_eq(found.unread, unread);
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

// ---- format 1

/// A log of format 1 that was not closed: it never was.
static void make_plain(void)
{
    static const uint8_t head[16] = {"replanJ1\1"};
    char path[128];
    char text[9];
    set_up();
    path_of(path, "00000001.log");
    rp_sink_t sink = {.file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)};
    ck_assert_int_eq(write(sink.file, head, sizeof head), sizeof head);
    for (const char *all = ALL; *all != '\0'; all++) {
        const rp_record_t record = letter(text, *all);
        ck_assert(rp_sink_add(&sink, &record));
    }
    ck_assert(rp_sink_pour(&sink));
    (void)close(sink.file);
    free(sink.gathered);
    keep_images();
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

int main(void)
{
    const TTest *const tests[] = {
        whatever_is_damaged_after_a_kill_is_told_or_does_no_harm,
        whatever_is_damaged_after_an_orderly_end_is_told_or_does_no_harm,
        on_the_same_start_of_the_machine_only_a_cut_record_is_torn,
        on_another_start_what_no_mark_vouches_for_is_torn,
        what_a_mark_vouches_for_is_never_torn,
        of_a_log_that_was_closed_nothing_is_torn,
        a_machine_that_tells_no_boot_id_is_always_another,
        a_record_tells_whether_a_base_holds_it,
        a_file_under_the_name_of_another_generation_is_damaged,
        a_damaged_head_of_a_log_that_follows_is_told_by_its_name,
        logs_older_than_the_base_are_left_out,
        a_first_log_that_was_being_made_is_none_yet,
        salvage_serves_what_stands_before_the_damage,
        salvage_tells_of_gaps_in_a_base_and_reads_on,
        salvage_counts_what_stands_behind_a_damaged_head,
        salvage_counts_nothing_unread_where_no_head_can_be_read,
        salvage_counts_the_very_first_record_too,
        salvage_counts_what_a_missing_log_held,
        salvage_says_when_the_end_cannot_be_read,
        salvage_goes_on_without_any_file,
        what_was_salvaged_is_whole_again_and_the_damaged_files_stay,
        a_torn_end_is_put_aside_and_cut,
        of_format_1_whatever_is_flipped_before_a_whole_record_is_damage,
        of_format_1_a_record_that_the_file_cuts_short_is_torn_or_damaged,
        of_format_1_salvage_serves_what_stands_before_the_damage,
    };
    return rp_suite_run("reader", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
