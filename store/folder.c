/// Names and locks of a folder.
#include "store/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- names

void rp_folder_name(char name[RP_FOLDER_NAME], uint64_t generation, const char *ending)
{
    (void)snprintf(name, RP_FOLDER_NAME, "%08llu.%s", (unsigned long long)generation, ending);
}

uint64_t rp_folder_generation(const char *name, const char *ending)
{
    char *end;
    const unsigned long long generation = strtoull(name, &end, 10);
    const bool is_number = name[0] >= '0' && name[0] <= '9';
    return is_number && end - name >= 8 && end[0] == '.' && strcmp(end + 1, ending) == 0
               ? generation
               : 0;
}

bool rp_folder_each(const rp_folder_t *self,
                    bool (*visit)(void *user, const char *name, uint64_t generation), void *user)
{
    const int fd = openat(self->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    bool goes_on = folder != NULL;
    const struct dirent *entry;
    while (goes_on && (entry = readdir(folder)) != NULL) {
        const uint64_t generation = rp_folder_generation(entry->d_name, "log") |
                                    rp_folder_generation(entry->d_name, "base") |
                                    rp_folder_generation(entry->d_name, "part");
        goes_on = generation == 0 || visit(user, entry->d_name, generation);
    }
    if (folder != NULL) {
        (void)closedir(folder);
    } else if (fd >= 0) {
        (void)close(fd);
    }
    return goes_on;
}

static bool note(void *user, const char *name, uint64_t generation)
{
    rp_folder_list_t *list = user;
    if (rp_folder_generation(name, "base") > list->base) {
        list->base = generation;
    }
    if (rp_folder_generation(name, "log") != 0) {
        list->newest = generation > list->newest ? generation : list->newest;
        list->oldest = list->oldest == 0 || generation < list->oldest ? generation : list->oldest;
    }
    return true;
}

bool rp_folder_list(const rp_folder_t *self, rp_folder_list_t *list)
{
    *list = (rp_folder_list_t){0};
    return rp_folder_each(self, note, list);
}

// ---- the same one

static bool is_same(const struct stat *one, const struct stat *other)
{
    errno = ENOENT;
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

bool rp_folder_is_there(const rp_folder_t *self)
{
    struct stat named;
    struct stat opened;
    return stat(self->path, &named) == 0 && fstat(self->fd, &opened) == 0 &&
           is_same(&named, &opened);
}

bool rp_folder_has(const rp_folder_t *self, const char *name, int file)
{
    struct stat named;
    struct stat opened;
    return fstatat(self->fd, name, &named, 0) == 0 && fstat(file, &opened) == 0 &&
           is_same(&named, &opened);
}

// ---- locks

static bool refuse(const char *path, char *error, size_t room)
{
    (void)snprintf(error, room, "%s: %s", path, strerror(errno));
    return false;
}

static bool refuse_used(const char *path, char *error, size_t room)
{
    (void)snprintf(error, room, "%s is in use by another process", path);
    return false;
}

/// Lock the file, which earlier versions lock alone, and the folder: whoever removes the file or
/// puts another in its place lets nobody in.
static bool take_locks(rp_folder_t *self, bool writes, char *error, size_t room)
{
    self->lock_fd =
        openat(self->fd, "lock", writes ? O_RDWR | O_CREAT | O_CLOEXEC : O_CLOEXEC, 0600);
    if (self->lock_fd < 0 && (writes || errno != ENOENT)) {
        return refuse(self->path, error, room);
    }
    if (self->lock_fd >= 0 && flock(self->lock_fd, LOCK_EX | LOCK_NB) != 0) {
        return refuse_used(self->path, error, room);
    }
    if (flock(self->fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) {
            return refuse_used(self->path, error, room);
        }
        self->is_file_alone = true;
    }
    return true;
}

bool rp_folder_open(rp_folder_t *self, const char *path, rp_folder_use_t use, const rp_disk_t *disk,
                    char *error, size_t room)
{
    *self = (rp_folder_t){.disk = disk != NULL ? disk : &rp_disk_system, .fd = -1, .lock_fd = -1};
    self->path = strdup(path);
    bool is_open = self->path != NULL;
    if (is_open && use == RP_FOLDER_WRITE) {
        is_open = mkdir(path, 0700) == 0 || errno == EEXIST;
    }
    if (is_open) {
        self->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        is_open = self->fd >= 0;
    }
    if (!is_open) {
        (void)refuse(path, error, room);
    } else if (use != RP_FOLDER_LOOK) {
        is_open = take_locks(self, use == RP_FOLDER_WRITE, error, room);
    }
    if (!is_open) {
        rp_folder_close(self);
    }
    return is_open;
}

void rp_folder_close(rp_folder_t *self)
{
    if (self->path != NULL) { // or it was never opened
        if (self->lock_fd >= 0) {
            (void)close(self->lock_fd);
        }
        if (self->fd >= 0) {
            (void)close(self->fd);
        }
        free(self->path);
    }
    *self = (rp_folder_t){.fd = -1, .lock_fd = -1};
}
