/// A journal whose process or machine crashes anywhere: what was promised is there, in whatever
/// folder that may leave; what is there is a beginning; and it always starts.
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/journal.h"
#include "tests/store/crash_disk.h"
#include "tests/support/suite.h"

enum {
    STEPS = 200,
    CHANCES = 3, ///< folders by chance for a point
};

static char folder[64];
static char left[80]; ///< by the crash
static char error[512];
static rp_random_t rng;
static rp_journal_t *journal;
static uint64_t added;  ///< the number that the last record bears
static uint64_t begun;  ///< the same when the base began
static bool has_base;   ///< it is being written
static uint64_t last;   ///< read
static uint64_t broken; ///< a number that is no beginning's
static rp_state_found_t found;

static bool visit(void *user, const rp_record_t *record)
{
    uint64_t number = 0;
    (void)user;
    if (record->kind == RP_RECORD_REQUEST) {
        memcpy(&number, record->bytes, sizeof number);
        broken = record->wall_us == 0 && number != last + 1u && broken == 0 ? number : broken;
        last = number;
    }
    return true;
}

/// A record that bears a number. @param is_base  it says where a beginning ends
static rp_record_t numbered(uint64_t *number, bool is_base)
{
    static uint8_t bytes[256];
    memset(bytes, (int)*number, sizeof bytes);
    memcpy(bytes, number, sizeof *number);
    return (rp_record_t){.kind = RP_RECORD_REQUEST,
                         .wall_us = is_base,
                         .bytes = bytes,
                         .size = 8u + rp_random_below(&rng, 100)};
}

static bool read_journal(rp_journal_t *self)
{
    last = broken = 0;
    return rp_journal_read(self, false, visit, NULL, &found, error, sizeof error);
}

// ---- the story

static void begin_base(void)
{
    has_base = rp_journal_begin_checkpoint(journal); // not while one is on its way
    begun = added;
    if (has_base) {
        const rp_record_t record = numbered(&begun, true);
        ck_assert(rp_journal_write_checkpoint(journal, &record));
    }
}

static void start(void)
{
    journal = rp_journal_open(folder, &rp_crash_disk, error, sizeof error);
    ck_assert_msg(journal != NULL, "%s", error);
    ck_assert_msg(read_journal(journal), "%s", error);
    ck_assert_uint_eq(last, added);
    begin_base();
    ck_assert(has_base);
}

static void note_synced(void)
{
    if (rp_journal_synced(journal) == rp_journal_flushed(journal)) {
        rp_crash_promise(added, true);
    }
}

static void play_add(void)
{
    for (unsigned i = rp_random_below(&rng, 3) + 1u; i > 0; i--) {
        added++;
        const rp_record_t record = numbered(&added, false);
        ck_assert(rp_journal_add(journal, &record));
    }
    ck_assert_msg(rp_journal_flush(journal), "%s", rp_journal_error(journal));
    rp_crash_promise(added, false);
}

static void play_sync(void)
{
    rp_journal_sync(journal);
    while (rp_journal_synced(journal) < rp_journal_flushed(journal)) {
        (void)sched_yield();
    }
    note_synced();
}

static void play_base(void)
{
    if (!has_base) {
        begin_base();
    } else if (rp_random_chance(&rng, 20)) {
        rp_journal_drop_checkpoint(journal);
        has_base = false;
    } else {
        ck_assert(rp_journal_end_checkpoint(journal, 0));
        has_base = false;
        ck_assert(rp_random_chance(&rng, 50) || rp_journal_await_checkpoint(journal));
    }
}

static void play_restart(void)
{
    rp_journal_close(&journal);
    rp_crash_boot ^= rp_random_chance(&rng, 30) ? 3 : 0;
    start();
}

static void play(unsigned steps)
{
    for (unsigned i = 0; i < steps; i++) {
        const uint32_t what = rp_random_below(&rng, 20);
        if (what < 11) {
            play_add();
        } else if (what < 14) {
            play_sync();
        } else if (what < 19) {
            play_base();
        } else {
            play_restart();
        }
        note_synced();
    }
}

// ---- crashes

static void expect_beginning(size_t entry, unsigned how, uint64_t least, uint64_t most)
{
    if (broken != 0 || last < least || last > most) {
        ck_abort_msg("entry %zu, crash %u: read up to %llu (broken at %llu), promised %llu", entry,
                     how, (unsigned long long)last, (unsigned long long)broken,
                     (unsigned long long)least);
    }
}

static int no_sync(int file)
{
    return file < 0 ? -1 : 0;
}

/// A process that comes after the crash.
static void start_again(size_t entry, unsigned how, bool goes_on, uint64_t least)
{
    rp_disk_t here = rp_disk_system;
    here.boot_id = rp_crash_disk.boot_id;
    here.sync = here.sync_data = no_sync;
    rp_journal_t *next = rp_journal_open(left, &here, error, sizeof error);
    if (next == NULL || !read_journal(next)) {
        ck_abort_msg("entry %zu, crash %u: %s", entry, how, error);
    }
    expect_beginning(entry, how, least, added);
    uint64_t number = last + 1u;
    const rp_record_t record = numbered(&number, false);
    if (goes_on) {
        ck_assert_msg(rp_journal_begin_checkpoint(next), "%s", rp_journal_error(next));
        ck_assert(rp_journal_add(next, &record));
    }
    rp_journal_close(&next);
    next = goes_on ? rp_journal_open(left, &here, error, sizeof error) : NULL;
    if (next != NULL && (!read_journal(next) || broken != 0 || last != number)) {
        ck_abort_msg("entry %zu, crash %u, once more: %s", entry, how, error);
    }
    rp_journal_close(&next);
}

/// Each crash between two entries of the ledger.
/// @param every  so many folders are gone on with
static void crash_everywhere(unsigned every)
{
    const size_t entries = rp_crash_count();
    size_t folders = 0;
    for (size_t entry = 1; entry <= entries; entry++) {
        const uint64_t flushed = rp_crash_promised(entry, false);
        const uint64_t synced = rp_crash_promised(entry, true);
        for (unsigned how = 0; how < RP_CRASH_BY_CHANCE + CHANCES; how++) {
            rp_crash_make(left, entry, how, &rng);
            start_again(entry, how, rp_random_below(&rng, every) == 0,
                        how == RP_CRASH_PROCESS ? flushed : synced);
            folders++;
        }
    }
    printf("crash: %zu folders of %zu steps\n", folders, entries);
}

static void set_up(void)
{
    strcpy(folder, "/tmp/replan-crash-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    const char *memory =
        access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; // thousands of folders
    (void)snprintf(left, sizeof left, "%s%s.left", memory, folder + strlen("/tmp"));
    char command[128];
    (void)snprintf(command, sizeof command, "mkdir %s", left);
    ck_assert_int_eq(system(command), 0);
    added = 0;
    rp_crash_boot = 1;
    rp_crash_begin(folder);
}

static void tear_down(void)
{
    char command[256];
    rp_journal_close(&journal);
    (void)snprintf(command, sizeof command, "rm -rf %s %s", folder, left);
    (void)!system(command);
}

START_TEST(a_crash_anywhere_loses_nothing_that_was_promised)
{
    rng = (rp_random_t){(uint64_t)_i * 31u + 5u};
    set_up();
    start();
    play(STEPS);
    rp_journal_close(&journal);
    crash_everywhere(10);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_crash_anywhere_loses_nothing_that_was_promised};
    const char *rounds = getenv("REPLAN_CRASHES");
    return rp_suite_run("crash", tests, 1, rounds != NULL ? atoi(rounds) : 1, tear_down);
}
