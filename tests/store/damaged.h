/// @file
/// States, and what may happen to their files.
#ifndef REPLAN_TESTS_STORE_DAMAGED_H
#define REPLAN_TESTS_STORE_DAMAGED_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/journal.h"
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

/// Whole, with what was lost told; or refused by the name of a file.
static bool is_told(bool is_read)
{
    return is_read ? found.torn_bytes != 0 : strstr(error, folder) != NULL && strstr(error, "/0");
}

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

#endif
