/// @file
/// Writes maps. The suffix of the name selects the format:
///
///     .map            MovingAI: `.` for passable cells, `@` for others
///     .png, .pgm      a picture by itself: 0 blocked, 254 free, 205 unknown
///     .yaml, .yml     map_server's YAML, and a PGM of the same name beside it: mode trinary with
///                     these values; mode raw if there are occupancies other than these three
///     anything else   the bytes, row by row
///
/// The picture of a YAML has cell (0, 0) at its lower left, the others at the upper left. So map.h
/// reads each back as it was written, as far as the format can hold it.
#ifndef REPLAN_FILES_MAP_WRITE_H
#define REPLAN_FILES_MAP_WRITE_H

#include "files/map.h"
#include "files/output.h"

/// Value of a pixel, as map_saver writes it.
#define RP_PIXEL_OCCUPIED 0u
#define RP_PIXEL_FREE     254u
#define RP_PIXEL_UNKNOWN  205u

typedef enum rp_map_suffix {
    RP_MAP_RAW_BYTES,
    RP_MAP_MOVINGAI,
    RP_MAP_PNG,
    RP_MAP_PGM,
    RP_MAP_YAML,
} rp_map_suffix_t;

rp_map_suffix_t rp_map_suffix_of(const char *path);

/// A map to be written, which its owner keeps.
typedef struct rp_map_view {
    uint32_t width;
    uint32_t height;
    const uint8_t *bytes; ///< borrowed [width * height]
    rp_map_profile_t profile;
    rp_map_frame_t frame;
} rp_map_view_t;

/// Make the bytes of a file; of a YAML those of its picture.
/// @param out  added to; short when memory lacks
void rp_map_write(const rp_map_view_t *map, rp_map_suffix_t suffix, rp_output_t *out);

/// Make the YAML. @param image  name of the picture, printable
void rp_map_write_yaml(const rp_map_view_t *map, const char *image, rp_output_t *out);

/// Cells that will be read back as something else: dearer or cheaper than they are, or known though
/// they are not.
size_t rp_map_blurred(const rp_map_view_t *map, rp_map_suffix_t suffix);

#endif
