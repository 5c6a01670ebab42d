/// @file
/// Folder of a state: the names of its files, and the lock that keeps a second process out.
///
///     DIR/00000007.base    checkpoint: the state when generation 7 began
///     DIR/00000007.log     changes since, until generation 8 began
///     DIR/00000007.part    a checkpoint that is being written
///     DIR/00000007.torn    what a start cut off behind the last whole record of that log
///     DIR/00000007.log.damaged    a damaged file that --salvage went on without
///     DIR/lock             locked by the one process that writes here, as is the folder itself
#ifndef REPLAN_STORE_FOLDER_H
#define REPLAN_STORE_FOLDER_H

#include <stdbool.h>

#include "store/disk.h"

typedef enum rp_folder_use {
    RP_FOLDER_WRITE, ///< by this process alone; made if it is not there, its parent is not
    RP_FOLDER_HOLD,  ///< to read, and nobody writes meanwhile; nothing is made
    RP_FOLDER_LOOK,  ///< to read, whoever uses it
} rp_folder_use_t;

typedef struct rp_folder {
    const rp_disk_t *disk; ///< borrowed
    char *path;            ///< owned
    int fd;
    int lock_fd;        ///< -1: none is held
    bool is_file_alone; ///< this file system locks no folders: a second process is told by the lock
                        ///< file alone, which may be removed or replaced
} rp_folder_t;

/// @param disk   NULL: the system's
/// @param error  written on failure: a sentence [room]
/// @return false on failure: then there is nothing to close
bool rp_folder_open(rp_folder_t *self, const char *path, rp_folder_use_t use, const rp_disk_t *disk,
                    char *error, size_t room);
void rp_folder_close(rp_folder_t *self);

/// True while the path leads to the folder that was opened; errno says why it does not.
bool rp_folder_is_there(const rp_folder_t *self);

/// True while the name of a file leads to it; errno says why it does not.
bool rp_folder_has(const rp_folder_t *self, const char *name, int file);

// ---- names

#define RP_FOLDER_NAME 40u ///< characters at most, the end included

/// @param ending  "log", "base", ..
void rp_folder_name(char name[RP_FOLDER_NAME], uint64_t generation, const char *ending);

/// @return the generation, 0 when it is no file with that ending
uint64_t rp_folder_generation(const char *name, const char *ending);

/// What is there: generations, 0 for none.
typedef struct rp_folder_list {
    uint64_t base;   ///< the newest
    uint64_t oldest; ///< log
    uint64_t newest; ///< log
} rp_folder_list_t;

/// @return false with errno
bool rp_folder_list(const rp_folder_t *self, rp_folder_list_t *list);

/// Call this for each log, base and part. @return false with errno, or when a visit returned false
bool rp_folder_each(const rp_folder_t *self,
                    bool (*visit)(void *user, const char *name, uint64_t generation), void *user);

#endif
