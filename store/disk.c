/// The system's file operations.
#include "store/disk.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int open_file(int folder, const char *name, int flags)
{
    return openat(folder, name, flags | O_CLOEXEC, 0600);
}

static int reserve(int file, off_t at, off_t size)
{
    return fallocate(file, FALLOC_FL_KEEP_SIZE, at, size);
}

static int rename_file(int folder, const char *from, const char *to)
{
    return renameat(folder, from, folder, to);
}

static int link_file(int folder, const char *from, const char *to)
{
    return linkat(folder, from, folder, to, 0);
}

static int unlink_file(int folder, const char *name)
{
    return unlinkat(folder, name, 0);
}

static void boot_id(uint8_t id[RP_BOOT_ID])
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    unsigned byte;
    memset(id, 0, RP_BOOT_ID);
    for (unsigned i = 0; file != NULL && i < RP_BOOT_ID && fscanf(file, "%2x", &byte) == 1; i++) {
        id[i] = (uint8_t)byte;
        (void)!fscanf(file, "-"); // stands between some of them
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

const rp_disk_t rp_disk_system = {
    .open = open_file,
    .write = write,
    .truncate = ftruncate,
    .reserve = reserve,
    .sync = fsync,
    .sync_data = fdatasync,
    .rename = rename_file,
    .link = link_file,
    .unlink = unlink_file,
    .boot_id = boot_id,
};
