/// A ledger of file operations, and folders made of it.
#include "tests/store/crash_disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/suite.h"

enum {
    NAMES = 64,    ///< of a folder at once
    INODES = 4096, ///< that there ever are
    FILES = 1024,  ///< descriptors
    NAME = 48,
    FOLDER = INODES, ///< in place of an inode
};

typedef enum act {
    MAKE, ///< an empty file by this name
    WRITE,
    TRUNCATE,
    SYNC,
    RENAME,
    LINK,
    UNLINK,
    PROMISE, ///< size: the number
    PROMISE_DISK,
} act_t;

typedef struct entry {
    act_t act;
    unsigned inode; ///< FOLDER: its names
    char name[NAME];
    char to[NAME];
    uint8_t *bytes; ///< owned [size]
    size_t size;
    size_t before; ///< of a sync: what was there when it began
    uint8_t boot;
} entry_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry_t *entries;
static size_t count;
static size_t capacity;
static unsigned inode_of[FILES]; ///< by descriptor
static unsigned inode_count;

uint8_t rp_crash_boot = 1;

// ---- names of a folder, as inodes

typedef struct names {
    char name[NAMES][NAME];
    unsigned inode[NAMES];
    unsigned count;
} names_t;

static int find(const names_t *self, const char *name)
{
    for (unsigned i = 0; i < self->count; i++) {
        if (strcmp(self->name[i], name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static void drop(names_t *self, const char *name)
{
    const int at = find(self, name);
    if (at >= 0) {
        self->count--;
        memmove(self->name[at], self->name[self->count], NAME);
        self->inode[at] = self->inode[self->count];
    }
}

static void put(names_t *self, const char *name, unsigned inode)
{
    drop(self, name);
    ck_assert_uint_lt(self->count, NAMES);
    (void)snprintf(self->name[self->count], NAME, "%s", name);
    self->inode[self->count++] = inode;
}

/// The names now; what is written goes to inodes by them.
static names_t present;

static void change_names(names_t *self, const entry_t *entry)
{
    const int at = find(self, entry->name);
    switch (entry->act) {
    case MAKE:
        put(self, entry->name, entry->inode);
        break;
    case RENAME:
        if (at >= 0) {
            const unsigned inode = self->inode[at];
            drop(self, entry->name);
            put(self, entry->to, inode);
        }
        break;
    case LINK:
        if (at >= 0) {
            put(self, entry->to, self->inode[at]);
        }
        break;
    case UNLINK:
        drop(self, entry->name);
        break;
    default:
        break;
    }
}

static bool is_of_names(const entry_t *entry)
{
    return entry->act == MAKE || entry->act == RENAME || entry->act == LINK || entry->act == UNLINK;
}

// ---- the ledger

/// The lock is held.
static entry_t *add(act_t act, unsigned inode, const char *name)
{
    if (count == capacity) {
        capacity = 2u * capacity + 1024u;
        entries = realloc(entries, capacity * sizeof *entries);
        ck_assert_ptr_nonnull(entries);
    }
    entry_t *entry = &entries[count++];
    *entry = (entry_t){.act = act, .inode = inode, .boot = rp_crash_boot};
    (void)snprintf(entry->name, NAME, "%s", name);
    return entry;
}

static void add_bytes(unsigned inode, const void *bytes, size_t size)
{
    entry_t *entry = add(WRITE, inode, "");
    entry->bytes = malloc(size + 1u);
    ck_assert_ptr_nonnull(entry->bytes);
    memcpy(entry->bytes, bytes, size);
    entry->size = size;
}

static int crash_open(int folder, const char *name, int flags)
{
    const int file = rp_disk_system.open(folder, name, flags);
    if (file < 0) {
        return file;
    }
    (void)pthread_mutex_lock(&lock);
    const int at = find(&present, name);
    ck_assert_int_lt(file, FILES);
    if (at < 0) {
        ck_assert_uint_lt(inode_count, INODES);
        change_names(&present, add(MAKE, inode_count++, name));
        inode_of[file] = inode_count - 1u;
    } else {
        inode_of[file] = present.inode[at];
        if ((flags & O_TRUNC) != 0) {
            (void)add(TRUNCATE, inode_of[file], name);
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return file;
}

static ssize_t crash_write(int file, const void *bytes, size_t size)
{
    const ssize_t written = write(file, bytes, size);
    (void)pthread_mutex_lock(&lock);
    add_bytes(inode_of[file], bytes, written > 0 ? (size_t)written : 0);
    (void)pthread_mutex_unlock(&lock);
    return written;
}

static int crash_truncate(int file, off_t size)
{
    (void)pthread_mutex_lock(&lock);
    add(TRUNCATE, inode_of[file], "")->size = (size_t)size;
    (void)pthread_mutex_unlock(&lock);
    return ftruncate(file, size);
}

static int crash_reserve(int file, off_t at, off_t size)
{
    (void)file;
    (void)at;
    (void)size;
    return 0;
}

static int crash_sync(int file)
{
    struct stat about;
    const bool is_folder = fstat(file, &about) == 0 && S_ISDIR(about.st_mode);
    (void)pthread_mutex_lock(&lock);
    const size_t before = count;
    (void)pthread_mutex_unlock(&lock);
    (void)sched_yield(); // others may write meanwhile
    (void)pthread_mutex_lock(&lock);
    add(SYNC, is_folder ? FOLDER : inode_of[file], "")->before = before;
    (void)pthread_mutex_unlock(&lock);
    return 0;
}

/// Two names, in the ledger when it is done.
static int note_names(int result, act_t act, const char *from, const char *to)
{
    if (result == 0) {
        (void)pthread_mutex_lock(&lock);
        entry_t *entry = add(act, FOLDER, from);
        (void)snprintf(entry->to, NAME, "%s", to);
        change_names(&present, entry);
        (void)pthread_mutex_unlock(&lock);
    }
    return result;
}

static int crash_rename(int folder, const char *from, const char *to)
{
    return note_names(rp_disk_system.rename(folder, from, to), RENAME, from, to);
}

static int crash_link(int folder, const char *from, const char *to)
{
    return note_names(rp_disk_system.link(folder, from, to), LINK, from, to);
}

static int crash_unlink(int folder, const char *name)
{
    return note_names(rp_disk_system.unlink(folder, name), UNLINK, name, "");
}

static void crash_boot_id(uint8_t id[RP_BOOT_ID])
{
    memset(id, rp_crash_boot, RP_BOOT_ID);
}

const rp_disk_t rp_crash_disk = {
    .open = crash_open,
    .write = crash_write,
    .truncate = crash_truncate,
    .reserve = crash_reserve,
    .sync = crash_sync,
    .sync_data = crash_sync,
    .rename = crash_rename,
    .link = crash_link,
    .unlink = crash_unlink,
    .boot_id = crash_boot_id,
};

static void read_file(const char *folder, const char *name)
{
    static uint8_t bytes[1 << 20];
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    ck_assert_uint_lt(size, sizeof bytes);
    (void)fclose(file);
    change_names(&present, add(MAKE, inode_count, name));
    add_bytes(inode_count, bytes, size);
    entry_t *sync = add(SYNC, inode_count++, "");
    sync->before = count;
}

void rp_crash_begin(const char *folder)
{
    for (size_t i = 0; i < count; i++) {
        free(entries[i].bytes);
    }
    count = 0;
    inode_count = 0;
    present.count = 0;
    DIR *all = opendir(folder);
    const struct dirent *entry;
    while (all != NULL && (entry = readdir(all)) != NULL) {
        if (entry->d_name[0] == '0') {
            read_file(folder, entry->d_name);
        }
    }
    if (all != NULL) {
        (void)closedir(all);
    }
    add(SYNC, FOLDER, "")->before = count;
}

void rp_crash_promise(uint64_t number, bool is_on_disk)
{
    (void)pthread_mutex_lock(&lock);
    add(is_on_disk ? PROMISE_DISK : PROMISE, FOLDER, "")->size = number;
    (void)pthread_mutex_unlock(&lock);
}

size_t rp_crash_count(void)
{
    (void)pthread_mutex_lock(&lock);
    const size_t all = count;
    (void)pthread_mutex_unlock(&lock);
    return all;
}

uint64_t rp_crash_promised(size_t entry, bool is_on_disk)
{
    uint64_t promised = 0;
    for (size_t i = 0; i < entry; i++) {
        if (entries[i].act == (is_on_disk ? PROMISE_DISK : PROMISE)) {
            promised = entries[i].size;
        }
    }
    return promised;
}

// ---- folders

typedef struct content {
    uint8_t *bytes; ///< owned [size]
    size_t size;
} content_t;

/// Put bytes at a place, zeros before it where there was nothing.
static void write_at(content_t *self, size_t at, const uint8_t *bytes, size_t size)
{
    if (at + size > self->size) {
        self->bytes = realloc(self->bytes, at + size + 1u);
        ck_assert_ptr_nonnull(self->bytes);
        memset(self->bytes + self->size, 0, at + size - self->size);
        self->size = at + size;
    }
    if (bytes != NULL && size != 0) { // of nothing there may be no array yet
        memcpy(self->bytes + at, bytes, size);
    }
}

/// The last sync before this entry that covers what belongs to an inode, or the folder.
static size_t synced_before(size_t entry, unsigned inode)
{
    size_t synced = 0;
    for (size_t i = 0; i < entry; i++) {
        if (entries[i].act == SYNC && entries[i].inode == inode && entries[i].before > synced) {
            synced = entries[i].before;
        }
    }
    return synced;
}

/// Whether something that was not synced is there.
static bool survives(unsigned how, bool is_name, unsigned index, rp_random_t *chance)
{
    switch (how) {
    case RP_CRASH_PROCESS:
    case RP_CRASH_ALL:
        return true;
    case RP_CRASH_NO_NAMES:
        return !is_name;
    case RP_CRASH_NO_BYTES:
    case RP_CRASH_ZEROS:
        return is_name;
    case RP_CRASH_LAST:
        return is_name || index != 0;
    case RP_CRASH_FIRST:
        return index == 0;
    case RP_CRASH_NOTHING:
        return false;
    default:
        return rp_random_chance(chance, 50);
    }
}

/// How much of a write is there.
static size_t part_of(size_t size, unsigned how, bool is_last, rp_random_t *chance)
{
    const bool is_cut = how == RP_CRASH_PROCESS ? is_last : how >= RP_CRASH_BY_CHANCE;
    return is_cut && rp_random_chance(chance, 50) ? rp_random_below(chance, (uint32_t)size + 1u)
                                                  : size;
}

static content_t content_of(unsigned inode, size_t end, unsigned how, rp_random_t *chance)
{
    content_t content = {NULL, 0};
    const size_t synced = synced_before(end, inode);
    size_t size = 0; // as the process saw it
    unsigned unsynced = 0;
    for (size_t i = 0; i < end; i++) {
        const entry_t *entry = &entries[i];
        if (entry->inode != inode || (entry->act != WRITE && entry->act != TRUNCATE)) {
            continue;
        }
        const bool is_there = i < synced || survives(how, false, unsynced++, chance);
        if (entry->act == TRUNCATE) {
            content.size = is_there && entry->size < content.size ? entry->size : content.size;
            size = entry->size;
            continue;
        }
        if (is_there) {
            const size_t part =
                i < synced ? entry->size : part_of(entry->size, how, i + 1u == end, chance);
            write_at(&content, size, entry->bytes, part);
        } else if (how == RP_CRASH_ZEROS) {
            write_at(&content, size, NULL, entry->size);
        }
        size += entry->size;
    }
    return content;
}

static void names_at(names_t *names, size_t end, unsigned how, rp_random_t *chance)
{
    const size_t synced = synced_before(end, FOLDER);
    unsigned unsynced = 0;
    names->count = 0;
    for (size_t i = 0; i < end; i++) {
        if (is_of_names(&entries[i]) && (i < synced || survives(how, true, unsynced++, chance))) {
            change_names(names, &entries[i]);
        }
    }
}

static void empty_folder(const char *folder)
{
    DIR *all = opendir(folder);
    const struct dirent *entry;
    ck_assert_ptr_nonnull(all);
    while ((entry = readdir(all)) != NULL) {
        (void)unlinkat(dirfd(all), entry->d_name, 0);
    }
    (void)closedir(all);
}

void rp_crash_make(const char *folder, size_t entry, unsigned how, rp_random_t *chance)
{
    static names_t names;
    empty_folder(folder);
    rp_crash_boot = how == RP_CRASH_PROCESS ? entries[entry - 1u].boot : UINT8_MAX;
    names_at(&names, entry, how, chance);
    for (unsigned i = 0; i < names.count; i++) {
        char path[512];
        content_t content = content_of(names.inode[i], entry, how, chance);
        (void)snprintf(path, sizeof path, "%s/%s", folder, names.name[i]);
        const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        RP_EACH(file >= 0 && write(file, content.bytes, content.size) == (ssize_t)content.size);
        (void)close(file);
        free(content.bytes);
    }
}
