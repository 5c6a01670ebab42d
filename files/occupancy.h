/// @file
/// Occupancy: what a pixel of a map_server picture means for its cell, and the byte that a world
/// with the profile `costmap` stores for it.
#ifndef REPLAN_FILES_OCCUPANCY_H
#define REPLAN_FILES_OCCUPANCY_H

#include "files/image/image.h"

#define RP_OCCUPANCY_UNKNOWN  (-1)
#define RP_OCCUPANCY_FREE     0
#define RP_OCCUPANCY_OCCUPIED 100

/// Bytes of costmap_2d.
#define RP_COSTMAP_INSCRIBED 253u
#define RP_COSTMAP_LETHAL    254u
#define RP_COSTMAP_UNKNOWN   255u

typedef enum rp_map_mode {
    RP_MAP_TRINARY, ///< free, occupied, else unknown; alpha counts as one more colour
    RP_MAP_SCALE,   ///< between the thresholds 0..100; what is not opaque is unknown
    RP_MAP_RAW,     ///< the value itself, of 255: 0..100, else unknown; negate means nothing
} rp_map_mode_t;

/// How a map_server reads its pictures, as the YAML tells. The occupancy p of a pixel is the share
/// of darkness in the mean of its colours; with `negate` the share of light.
typedef struct rp_occupancy_rule {
    rp_map_mode_t mode;
    bool negate;
    double occupied_thresh; ///< p above it: occupied
    double free_thresh;     ///< p below it: free
} rp_occupancy_rule_t;

/// Dark is occupied, light is free, what lies between is unknown: as map_server without a YAML.
extern const rp_occupancy_rule_t rp_occupancy_default;

/// Of one pixel. @return 0..100 or RP_OCCUPANCY_UNKNOWN
int rp_occupancy_of(const rp_occupancy_rule_t *rule, const rp_image_t *image,
                    const rp_pixel_t *pixel);

/// The byte of a costmap: 0, 254 for 100, 253 for 99, 255 for unknown, and between them the least
/// byte that costmap_2d publishes as this occupancy. So a world made from a file equals one that is
/// made from map_server's topic (`replan.occupancy` in Python).
/// @param occupancy  0..100 or RP_OCCUPANCY_UNKNOWN
uint8_t rp_occupancy_byte(int occupancy);

/// What costmap_2d publishes for a byte: rp_occupancy_byte() turned round, for any byte.
int rp_occupancy_of_byte(uint8_t byte);

#endif
