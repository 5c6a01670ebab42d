/// @file
/// File operations on a state's folder, as a table: those of the system, or those of a test that
/// simulates a disk. Each behaves, and fails, as the system call of its name.
#ifndef REPLAN_STORE_DISK_H
#define REPLAN_STORE_DISK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define RP_BOOT_ID 16u ///< bytes

typedef struct rp_disk {
    int (*open)(int folder, const char *name, int flags); ///< openat(); what it makes is 0600
    ssize_t (*write)(int file, const void *bytes, size_t size);
    int (*truncate)(int file, off_t size);
    int (*reserve)(int file, off_t at, off_t size); ///< fallocate(), the size of the file stays
    int (*sync)(int file);                          ///< fsync(); of a folder: the names in it
    int (*sync_data)(int file);                     ///< fdatasync()
    int (*rename)(int folder, const char *from, const char *to);
    int (*link)(int folder, const char *from, const char *to);
    int (*unlink)(int folder, const char *name);
    /// Which start of the machine this is; all zero: unknown. Pages that were written since are
    /// there, whatever became of the process.
    void (*boot_id)(uint8_t id[RP_BOOT_ID]);
} rp_disk_t;

extern const rp_disk_t rp_disk_system;

#endif
