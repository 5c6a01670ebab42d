/// @file
/// Formats of a map, each a table with the same two slots. Only map.c lists them.
#ifndef REPLAN_FILES_MAP_FORMATS_H
#define REPLAN_FILES_MAP_FORMATS_H

#include "files/map.h"
#include "files/occupancy.h"

typedef struct rp_map_format {
    const char *name;

    /// Whether the content is meant so, be it right or wrong.
    bool (*is_format)(const rp_text_t *text);

    /// As rp_map_parse().
    rp_status_t (*parse)(const rp_text_t *text, const rp_text_t *other, rp_map_t *map,
                         rp_complaint_t *complaint);
} rp_map_format_t;

extern const rp_map_format_t rp_movingai_format; ///< movingai.c
extern const rp_map_format_t rp_letters_format;  ///< letters.c
extern const rp_map_format_t rp_picture_format;  ///< picture.c
extern const rp_map_format_t rp_map_yaml_format; ///< map_yaml.c

/// Read a picture as cells of `map->profile`, whose frame is filled in already.
/// @param flips  cell (0, 0) is the lower left pixel, not the upper left one
/// @param map    its sides and bytes are written when all is well
rp_status_t rp_picture_read(const rp_text_t *text, const rp_occupancy_rule_t *rule, bool flips,
                            rp_map_t *map, rp_complaint_t *complaint);

#endif
