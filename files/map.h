/// @file
/// Map: the bytes of a new world, its frame, and the profile of its bytes. The content tells the
/// format (map_formats.h lists them):
///
///     MovingAI .map             `type octile`, sides, rows of letters        factor, 1 m cells
///     rows of . and # or @      nothing else in the file                     factor, 1 m cells
///     PNG, PGM by itself        dark blocks, light is free, else unknown     factor, 1 m cells
///     map_server's YAML         names a PNG or PGM beside it (map_yaml.h)    costmap, its frame
///
/// Cell (0, 0) is the upper left letter or pixel, and y grows downwards as in the file. With a
/// YAML, which places the picture in the world, cell (0, 0) is the lower left pixel, as in
/// map_server.
#ifndef REPLAN_FILES_MAP_H
#define REPLAN_FILES_MAP_H

#include "files/text.h"

/// Name of a picture in a YAML, with its end.
#define RP_MAP_NAME_BYTES 1024u

typedef enum rp_map_profile {
    RP_MAP_FACTOR,  ///< 0 blocks, 1 is normal ground, 2..254 dearer ground, 255 unknown
    RP_MAP_COSTMAP, ///< as costmap_2d: 0 free, 253 inscribed, 254 lethal, 255 unknown
} rp_map_profile_t;

/// Where cell (0, 0) lies: its lower left corner, as in ROS.
typedef struct rp_map_frame {
    double resolution_m; ///< metres a cell, above 0
    double origin_x, origin_y, origin_yaw;
} rp_map_frame_t;

typedef struct rp_map {
    uint32_t width;
    uint32_t height;
    uint8_t *bytes; ///< owned; row by row [width * height]
    rp_map_profile_t profile;
    rp_map_frame_t frame;
} rp_map_t;

/// Name of the picture that a YAML needs, as seen from its folder.
/// @param name  written [RP_MAP_NAME_BYTES]
/// @return false when the text is a map by itself, or is refused by rp_map_parse() anyway
bool rp_map_refers(const rp_text_t *text, char *name);

/// @param other  the file that rp_map_refers() named, or NULL
/// @param map    written when all is well
/// @return RP_E_INVALID or RP_E_MEMORY, with a complaint
/// Memory: a byte a cell, allocated when the file is long enough to hold them; 44 KiB and two rows
/// for pictures, and of a PNG the deflated data once more.
rp_status_t rp_map_parse(const rp_text_t *text, const rp_text_t *other, rp_map_t *map,
                         rp_complaint_t *complaint);

void rp_map_fini(rp_map_t *self);

/// "factor" or "costmap".
const char *rp_map_profile_name(rp_map_profile_t profile);

/// Factor of normal ground.
uint8_t rp_map_unit(rp_map_profile_t profile);

/// The factor of a byte, as the engine's profile of that name has it; 0 blocks.
uint8_t rp_map_factor(rp_map_profile_t profile, uint8_t byte);

#endif
