/// Two files of /proc, read when somebody is suspected.
#include "daemon/process/memory_blame.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/// As ZeroMQ names the thread that moves bytes.
#define THREAD_NAME "ZMQbg/IO"

static bool is_named(const char *task)
{
    char path[64];
    char name[32] = "";
    (void)snprintf(path, sizeof path, "/proc/self/task/%.16s/comm", task);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    const bool is_read = fgets(name, sizeof name, file) != NULL;
    (void)fclose(file);
    return is_read && strncmp(name, THREAD_NAME, strlen(THREAD_NAME)) == 0;
}

/// @return -1 when there is no such thread
static int open_thread(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int found = -1;
    struct dirent *entry;
    while (tasks != NULL && found < 0 && (entry = readdir(tasks)) != NULL) {
        if (entry->d_name[0] != '.' && is_named(entry->d_name)) {
            char path[64];
            (void)snprintf(path, sizeof path, "/proc/self/task/%.16s/stat", entry->d_name);
            found = open(path, O_RDONLY | O_CLOEXEC);
        }
    }
    if (tasks != NULL) {
        (void)closedir(tasks);
    }
    return found;
}

/// @param skipped  words before the number, behind the last bracket if there is one
static uint64_t read_number(int file, unsigned skipped)
{
    char text[512];
    const ssize_t length = pread(file, text, sizeof text - 1u, 0);
    if (length <= 0) {
        return 0;
    }
    text[length] = '\0';
    const char *bracket = strrchr(text, ')');
    const char *at = bracket != NULL ? bracket + 2 : text;
    for (unsigned i = 0; i < skipped && at != NULL; i++) {
        at = strchr(at, ' ');
        at = at != NULL ? at + 1 : NULL;
    }
    return at != NULL ? strtoull(at, NULL, 10) : 0;
}

void rp_memory_blame_init(rp_memory_blame_t *self)
{
    *self = (rp_memory_blame_t){.resident = -1, .faults = -1};
}

static void open_files(rp_memory_blame_t *self)
{
    *self = (rp_memory_blame_t){.resident = open("/proc/self/statm", O_RDONLY | O_CLOEXEC),
                                .faults = open_thread(),
                                .page_bytes = (uint64_t)sysconf(_SC_PAGESIZE),
                                .has_huge_pages = prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) != 1};
}

void rp_memory_blame_fini(rp_memory_blame_t *self)
{
    if (self->resident >= 0) {
        (void)close(self->resident);
    }
    if (self->faults >= 0) {
        (void)close(self->faults);
    }
}

bool rp_memory_blame_is_possible(const rp_memory_blame_t *self)
{
    return self->resident >= 0 && self->faults >= 0;
}

static uint64_t growth_of(uint64_t now, uint64_t before)
{
    return now > before ? now - before : 0;
}

uint64_t rp_memory_blame_growth(rp_memory_blame_t *self, uint64_t now_us)
{
    if (!rp_memory_blame_is_possible(self)) {
        rp_memory_blame_fini(self);
        open_files(self);
    }
    if (!rp_memory_blame_is_possible(self)) {
        return 0;
    }
    const uint64_t held = self->page_bytes * read_number(self->resident, 1);
    const uint64_t met = self->page_bytes * read_number(self->faults, 7); // minflt
    const bool is_first = self->read_us == 0 || now_us - self->read_us > RP_MEMORY_BLAME_PAUSE_US;
    const uint64_t held_more = growth_of(held, self->held);
    const uint64_t met_more = growth_of(met, self->met);
    self->held = held;
    self->met = met;
    self->read_us = now_us;
    if (is_first) {
        return 0;
    }
    return self->has_huge_pages || held_more < met_more ? held_more : met_more;
}
