/// @file
/// A journal in a folder of its own.
#ifndef REPLAN_TESTS_STORE_JOURNAL_SCENE_H
#define REPLAN_TESTS_STORE_JOURNAL_SCENE_H

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "store/journal.h"
#include "tests/support/suite.h"

#define PATIENCE 120000u ///< milliseconds for the disk
#define RECORDS  5u

static char folder[64];
static rp_journal_t *journal;
static char error[256];
static rp_state_found_t found;

/// What was read last: the first byte of each record, or the kind of one without bytes.
static char letters[256];

static atomic_bool disk_fails;
static atomic_uint folder_syncs;

// These two stand before those of the C library.
int fdatasync(int file)
{
    errno = EIO;
    return atomic_load(&disk_fails) ? -1 : (int)syscall(SYS_fdatasync, file);
}

int fsync(int file)
{
    struct stat about;
    atomic_fetch_add(&folder_syncs, fstat(file, &about) == 0 && S_ISDIR(about.st_mode));
    return (int)syscall(SYS_fsync, file);
}

static void open_journal(void)
{
    journal = rp_journal_open(folder, NULL, error, sizeof error);
    ck_assert_msg(journal != NULL, "%s", error);
}

static void set_up(void)
{
    strcpy(folder, "/tmp/replan-journal-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    open_journal();
}

static void tear_down(void)
{
    char command[128];
    rp_journal_close(&journal);
    (void)umount(folder);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    (void)!system(command);
}

/// Descriptors that the process has.
static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *files = opendir("/proc/self/fd");
    ck_assert_ptr_nonnull(files);
    while (readdir(files) != NULL) {
        count++;
    }
    (void)closedir(files);
    return count;
}

static rp_record_t letter(const char *text, size_t size)
{
    return (rp_record_t){.kind = RP_RECORD_REQUEST,
                         .wall_us = 1000u + (uint64_t)text[0],
                         .bytes = (const uint8_t *)text,
                         .size = size};
}

/// A record that begins with this letter, `size` bytes long.
static void add_unsure(char first, size_t size)
{
    char text[64];
    memset(text, first, sizeof text);
    const rp_record_t record = letter(text, size);
    ck_assert(rp_journal_add(journal, &record));
}

/// The same where it is sure to last.
static void add(char first, size_t size)
{
    ck_assert_msg(rp_journal_reserve(journal, size), "%s", rp_journal_error(journal));
    add_unsure(first, size);
}

static void flush(void)
{
    ck_assert_msg(rp_journal_flush(journal), "%s", rp_journal_error(journal));
}

static bool visit(void *user, const rp_record_t *record)
{
    char *end = letters + strlen(letters);
    (void)user;
    ck_assert_uint_lt(strlen(letters), sizeof letters - 1u);
    if (record->size != 0) {
        ck_assert_uint_eq(record->wall_us, 1000u + record->bytes[0]);
        for (size_t i = 0; i < record->size; i++) {
            ck_assert_int_eq(record->bytes[i], record->bytes[0]);
        }
        *end++ = (char)record->bytes[0];
    } else {
        *end++ = (char)('0' + record->kind);
    }
    *end = '\0';
    return true;
}

/// What a process would read that came after.
static bool try_read(void)
{
    rp_journal_close(&journal);
    open_journal();
    letters[0] = '\0';
    return rp_journal_read(journal, false, visit, NULL, &found, error, sizeof error);
}

static const char *read_all(void)
{
    ck_assert_msg(try_read(), "%s", error);
    return letters;
}

static void begin_base(void)
{
    for (unsigned waited = 0; !rp_journal_begin_checkpoint(journal); waited++) {
        ck_assert_msg(waited < PATIENCE, "%s", rp_journal_error(journal));
        (void)usleep(1000);
    }
}

static void write_base(char first)
{
    const rp_record_t record = letter(&first, 1);
    ck_assert(rp_journal_write_checkpoint(journal, &record));
}

static void path_of(char path[128], const char *name)
{
    (void)snprintf(path, 128, "%s/%s", folder, name);
}

static bool is_there(const char *name)
{
    char path[128];
    path_of(path, name);
    return access(path, F_OK) == 0;
}

#endif
