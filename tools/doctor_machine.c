/// `replan doctor`: the machine that it runs on. Nothing is changed there, but for a file that
/// times the disk.
#include "tools/doctor.h"
#include "tools/timer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "msgs/limits.h"

#define SECOND_US      1000000u
#define MIB            ((uint64_t)1 << 20)
#define SLOW_DISK_US   100000u                     ///< for 4 KiB to be on the disk
#define DISK_LEAST     (256u * MIB)                ///< that should be free
#define CLOCK_BEGINS_S 1767225600                  ///< 2026: handles count from there
#define DESCRIPTORS    (8u * RP_LIMIT_CONNECTIONS) ///< of four sockets, two a connection
#define TMPFS          0x01021994

static void check_limits(rp_doctor_t *self)
{
    struct rlimit files = {.rlim_max = RLIM_INFINITY};
    struct rlimit space = {.rlim_cur = RLIM_INFINITY};
    (void)getrlimit(RLIMIT_NOFILE, &files);
    (void)getrlimit(RLIMIT_AS, &space);
    if (files.rlim_max < DESCRIPTORS) {
        rp_doctor_tell(self, RP_DOCTOR_NOTE, "limits",
                       "A process of this shell may open %" PRIu64
                       " files (ulimit -Hn); repland raises its own "
                       "limit that far, and needs %u for %u connections a socket. It takes fewer.",
                       (uint64_t)files.rlim_max, DESCRIPTORS, RP_LIMIT_CONNECTIONS);
    } else {
        rp_doctor_tell(self, RP_DOCTOR_FINE, "limits",
                       "%u descriptors, for %u connections a socket, are allowed.", DESCRIPTORS,
                       RP_LIMIT_CONNECTIONS);
    }
    if (space.rlim_cur != RLIM_INFINITY) {
        rp_doctor_tell(self, RP_DOCTOR_WRONG, "limits",
                       "Address space is limited to %" PRIu64
                       " MiB (ulimit -v): repland reserves more than it "
                       "uses, and ends up without memory. Limit it by --memory instead.",
                       (uint64_t)space.rlim_cur / MIB);
    }
}

/// The first word of a file; empty when there is none.
static void read_word(const char *path, char word[32])
{
    FILE *file = fopen(path, "re");
    word[0] = '\0';
    if (file != NULL) {
        (void)!fscanf(file, "%31s", word);
        (void)fclose(file);
    }
}

/// True when reading the clock is a system call.
static bool is_slow_clock(const char *source)
{
    static const char *const slow[] = {"hpet", "acpi_pm", "jiffies", "refined-jiffies"};
    for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++) {
        if (strcmp(source, slow[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void check_clock(rp_doctor_t *self)
{
    char source[32];
    read_word("/sys/devices/system/clocksource/clocksource0/current_clocksource", source);
    if (rp_timer_clock_ns(CLOCK_REALTIME) / 1000u / SECOND_US < CLOCK_BEGINS_S) {
        rp_doctor_tell(
            self, RP_DOCTOR_WRONG, "clock",
            "The clock of this machine is before 2026. Handles and epochs are made of it, and "
            "may be given twice. Set it.");
    } else if (is_slow_clock(source)) {
        rp_doctor_tell(
            self, RP_DOCTOR_NOTE, "clock",
            "The system's clock source is %s. Reading it takes a system call, so latencies are a "
            "little longer.",
            source);
    } else {
        rp_doctor_tell(self, RP_DOCTOR_FINE, "clock",
                       "The clock of this machine is set, and quick to read.");
    }
}

/// Megabytes of a line of /proc/meminfo; 0 when there is none.
static uint64_t read_meminfo(const char *name)
{
    char line[128];
    uint64_t kib = 0;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const size_t length = strlen(name);
        if (strncmp(line, name, length) == 0 && line[length] == ':') {
            kib = strtoull(line + length + 1u, NULL, 10);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return kib / 1024u;
}

/// Without a daemon its default limit counts.
static void check_memory(rp_doctor_t *self)
{
    const uint64_t available = read_meminfo("MemAvailable");
    const uint64_t wanted = self->memory_limit != 0 ? self->memory_limit / MIB : 1024u;
    if (available != 0 && available + self->resident / MIB < wanted) {
        rp_doctor_tell(
            self, RP_DOCTOR_WRONG, "memory",
            "This machine has %" PRIu64 " MiB available, and repland may take %" PRIu64
            " MiB for worlds and searches alone: the system may end it. Give it --memory %" PRIu64
            "M.",
            available, wanted, available / 2u > 16u ? available / 2u : 16u);
    } else if (available != 0) {
        rp_doctor_tell(self, RP_DOCTOR_FINE, "memory",
                       "This machine has %" PRIu64 " MiB available.", available);
    }
}

/// How long 4 KiB take to be on the disk. @return 0 when they cannot be written
static uint64_t time_write(const char *folder)
{
    static const uint8_t page[4096];
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/.replan-doctor-%d", folder, (int)getpid());
    const uint64_t began_us = rp_timer_clock_ns(CLOCK_MONOTONIC) / 1000u;
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool is_written =
        file >= 0 && write(file, page, sizeof page) == (ssize_t)sizeof page && fdatasync(file) == 0;
    const uint64_t took_us = rp_timer_clock_ns(CLOCK_MONOTONIC) / 1000u - began_us;
    if (file >= 0) {
        (void)close(file);
        (void)unlink(path);
    }
    return is_written ? took_us + 1u : 0;
}

static void check_disk(rp_doctor_t *self)
{
    struct statvfs space;
    struct statfs kind;
    const char *state = self->state;
    if (statvfs(state, &space) != 0 || statfs(state, &kind) != 0) {
        rp_doctor_tell(self, RP_DOCTOR_WRONG, "disk", "--state %s: %s.", state, strerror(errno));
        return;
    }
    const uint64_t unused = (uint64_t)space.f_bavail * space.f_frsize;
    const uint64_t took_us = time_write(state);
    if ((unsigned long)kind.f_type == TMPFS) {
        rp_doctor_tell(self, RP_DOCTOR_WRONG, "disk",
                       "%s lies in memory (tmpfs): it does not survive a restart of the "
                       "machine.",
                       state);
    }
    if (took_us == 0) {
        rp_doctor_tell(self, RP_DOCTOR_WRONG, "disk",
                       "%s cannot be written: %s. repland would refuse every change.", state,
                       strerror(errno));
    } else if (took_us > SLOW_DISK_US) {
        rp_doctor_tell(self, RP_DOCTOR_WRONG, "disk",
                       "A write to %s takes %.0f ms to be on the disk: with --durability "
                       "disk each change waits so long.",
                       state, (double)took_us / 1000);
    }
    if (unused < DISK_LEAST) {
        rp_doctor_tell(self, RP_DOCTOR_WRONG, "disk",
                       "%s has %" PRIu64 " MiB left: a world of 16384 x 4096 cells alone "
                       "takes 64. When the disk is full changes are refused.",
                       state, unused / MIB);
    } else if (took_us != 0) {
        rp_doctor_tell(self, RP_DOCTOR_FINE, "disk",
                       "%s has %" PRIu64 " MiB left; a write is on the disk in %.1f ms.", state,
                       unused / MIB, (double)took_us / 1000);
    }
}

void rp_doctor_check_machine(rp_doctor_t *self)
{
    check_limits(self);
    check_clock(self);
    check_memory(self);
    if (self->state != NULL) {
        check_disk(self);
    }
}
