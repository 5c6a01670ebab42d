/// @file
/// Profiles: what a byte of a world means to a kind of mover.
#ifndef REPLAN_ENGINE_PROFILE_H
#define REPLAN_ENGINE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rp_profile {
    const char *name;
    uint8_t factor[256]; ///< by byte: 0 blocks, else the cost factor of a move
    uint8_t unit;        ///< factor of normal ground
    uint8_t normal;      ///< the byte of normal ground
    uint8_t least;       ///< least non-zero factor of the table
} rp_profile_t;

/// A built-in profile: "factor" (the byte is the factor, 0 blocks, 255 unknown) or "costmap" (ROS
/// costmap_2d: 0..252 graded, 253 and 254 block, 255 unknown). Unknown counts as free.
/// @param name     NULL: "factor"
/// @param profile  written; untouched when there is none of this name
/// @return false when there is none
bool rp_profile_find(const char *name, rp_profile_t *profile);

#endif
