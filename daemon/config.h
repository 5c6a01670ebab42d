/// @file
/// What repland is told (command_line.h, config_file.h). The defaults stand in config.c alone.
#ifndef REPLAN_DAEMON_CONFIG_H
#define REPLAN_DAEMON_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/process/log.h"
#include "msgs/limits.h"

#define RP_CONFIG_ENDPOINT 256u  ///< characters of an endpoint, the end included
#define RP_CONFIG_PATH     4096u ///< of a file or folder, the same
#define RP_CONFIG_MAPS     RP_LIMIT_WORLDS
#define RP_CONFIG_AWAKE    10000u      ///< greatest awake_us
#define RP_CONFIG_PARANOID 1000000000u ///< greatest paranoid
#define RP_CONFIG_MEMORY   (1u << 20)  ///< least memory

/// A map to open as a world.
typedef struct rp_config_map {
    char file[RP_CONFIG_PATH];
    char name[RP_LIMIT_NAME + 1u];
} rp_config_map_t;

typedef struct rp_config {
    char changes[RP_CONFIG_ENDPOINT];
    char paths[RP_CONFIG_ENDPOINT];
    char control[RP_CONFIG_ENDPOINT];
    char poses[RP_CONFIG_ENDPOINT];
    char changes_from[RP_CONFIG_ENDPOINT]; ///< a publisher to connect to as well; "": none
    char poses_from[RP_CONFIG_ENDPOINT];   ///< the same
    char planner[RP_LIMIT_NAME + 1u];
    rp_log_level_t log_level;
    char log_file[RP_CONFIG_PATH]; ///< what is logged is appended to it; "": stderr
    unsigned workers;  ///< threads that plan, 0..RP_WORKERS_MAX; 0: the loop plans itself
    unsigned awake_us; ///< how long the loop stays awake for the next message, 0..RP_CONFIG_AWAKE
    bool insecure;     ///< endpoints may be off loopback
    unsigned paranoid; ///< each so manieth plan of an agent is checked; 0: none
    char state[RP_CONFIG_PATH];  ///< folder of what is kept; "": nothing is
    bool salvages;               ///< what is left of a damaged state
    bool is_disk;                ///< a change is acknowledged when it is on the disk
    char record[RP_CONFIG_PATH]; ///< file that all that comes in is written to; "": none
    char replay[RP_CONFIG_PATH]; ///< a recording to play instead of serving; "": none
    char mcap[RP_CONFIG_PATH];   ///< file that what is played is written to; "": none
    uint64_t memory_bytes; ///< that worlds, agents and searches may hold, from RP_CONFIG_MEMORY
    bool has_huge_pages;   ///< as far as the system gives them; false: never
    rp_config_map_t *maps; ///< owned [map_count]
    size_t map_count;
} rp_config_t;

/// The defaults. @return false without memory
bool rp_config_init(rp_config_t *self);
void rp_config_fini(rp_config_t *self);

/// True when what is asked for goes together, and nobody beyond this machine is let in unasked.
/// Else stderr was told.
bool rp_config_is_sound(const rp_config_t *self);

#endif
