/// @file
/// How a byte looks: its profile says what it means.
#ifndef REPLAN_TOOLS_GROUND_H
#define REPLAN_TOOLS_GROUND_H

#include "replan/client.h"

typedef struct rp_ground {
    uint8_t paints[256]; ///< rp_paint_t of each byte
} rp_ground_t;

/// @param profile  name of the world's profile
/// @param info     of the world, with the profiles that are its own; NULL: it is not known
void rp_ground_learn(rp_ground_t *self, const char *profile, const Replan__V1__WorldInfo *info);

#endif
