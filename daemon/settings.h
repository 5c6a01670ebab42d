/// @file
/// Settings that are a word each, the same in the file and behind a flag. The one table of them
/// says where the word belongs in rp_config_t, and how it is read; rp_command_line_read() and its
/// file do the rest.
#ifndef REPLAN_DAEMON_SETTINGS_H
#define REPLAN_DAEMON_SETTINGS_H

#include "daemon/config.h"
#include "daemon/workers/host.h"

/// X(key in the file, flag, member of rp_config_t, how its word is read, most)
/// most: characters with their end, or the greatest number; 0: it has no such limit.
#define RP_SETTINGS(X)                                                                             \
    X(changes, "changes", changes, take_endpoint, RP_CONFIG_ENDPOINT)                              \
    X(paths, "paths", paths, take_endpoint, RP_CONFIG_ENDPOINT)                                    \
    X(control, "control", control, take_endpoint, RP_CONFIG_ENDPOINT)                              \
    X(poses, "poses", poses, take_endpoint, RP_CONFIG_ENDPOINT)                                    \
    X(changes_from, "changes-from", changes_from, take_endpoint, RP_CONFIG_ENDPOINT)               \
    X(poses_from, "poses-from", poses_from, take_endpoint, RP_CONFIG_ENDPOINT)                     \
    X(planner, "planner", planner, take_text, RP_LIMIT_NAME + 1u)                                  \
    X(workers, "workers", workers, take_number, RP_WORKERS_MAX)                                    \
    X(log, "log", log_level, take_level, 0)                                                        \
    X(log_file, "log-file", log_file, take_text, RP_CONFIG_PATH)                                   \
    X(awake_us, "awake-us", awake_us, take_number, RP_CONFIG_AWAKE)                                \
    X(memory, "memory", memory_bytes, take_memory, 0)                                              \
    X(pages, "pages", has_huge_pages, take_pages, 0)                                               \
    X(paranoid, "paranoid", paranoid, take_number, RP_CONFIG_PARANOID)                             \
    X(state, "state", state, take_text, RP_CONFIG_PATH)                                            \
    X(durability, "durability", is_disk, take_durability, 0)                                       \
    X(record, "record", record, take_text, RP_CONFIG_PATH)

/// Their numbers, in that order.
enum {
#define RP_SETTING_NUMBER(key, flag, member, take, most) RP_SETTING_##key,
    RP_SETTINGS(RP_SETTING_NUMBER)
#undef RP_SETTING_NUMBER
    RP_SETTING_COUNT
};

/// The flag of a setting, without its dashes.
const char *rp_setting_flag(unsigned number);

/// Read the word of a setting. @param is_flag  it came behind the flag, and not in the file
/// @return false when it is no such word: stderr was told
bool rp_setting_take(unsigned number, rp_config_t *config, const char *word, bool is_flag);

/// A text that is no setting, by the same rules. @param room  for its end as well
/// @param what  names it
bool rp_setting_copy(char *to, size_t room, const char *word, const char *what);

/// One of two words, the same. @param is_other  written
bool rp_setting_choose(bool *is_other, const char *word, const char *one, const char *other,
                       const char *what);

/// One more map. @param name  NULL: the file's, without folder and ending
/// @return false when there are too many, or a name is too long: stderr was told
bool rp_setting_add_map(rp_config_t *config, const char *file, const char *name);

#endif
