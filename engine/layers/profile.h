/// @file
/// Profiles: what a byte of a world means to a kind of mover.
#ifndef REPLAN_ENGINE_LAYERS_PROFILE_H
#define REPLAN_ENGINE_LAYERS_PROFILE_H

#include "replan/world.h"

typedef struct rp_profile {
    char name[RP_PROFILE_NAME_MAX + 1u];
    uint8_t factor[256]; ///< by byte: 0 blocks, else the cost factor of a move
    uint8_t unit;        ///< factor of normal ground
    uint8_t normal;      ///< the byte of normal ground
    uint8_t least;       ///< least non-zero factor of the table

    /// Bytes that block only because an obstacle is near, each once [inscribed_count]
    uint8_t inscribed[256];
    size_t inscribed_count;
    bool is_obstacle[256]; ///< by byte: it blocks and is not inscribed

    /// A greater byte is never cheaper, the unknown one aside: what is combined by maximum, as
    /// costmap_2d's inflation, means something.
    bool is_graded;
} rp_profile_t;

/// A built-in profile: "factor" (the byte is the factor, 0 blocks, 255 unknown) or "costmap" (ROS
/// costmap_2d: 0..252 graded, 253 and 254 block, 253 is inscribed, 255 unknown). Unknown counts as
/// free.
/// @param name     NULL: "factor"
/// @param profile  written; untouched when there is none of this name
/// @return false when there is none
bool rp_profile_find(const char *name, rp_profile_t *profile);

/// A world's own profile.
/// @param profile  written on RP_OK only
/// @return RP_E_INVALID (name, unit, a factor of 0 for unknown, an inscribed byte that is unknown
/// or
///         does not block), RP_E_EXISTS (a built-in one has this name), RP_E_UNKNOWN (`like`)
rp_status_t rp_profile_make(const rp_profile_options_t *options, rp_profile_t *profile);

#endif
