/// @file
/// YAML of a map_server, ROS 1 or ROS 2:
///
///     image: hall.pgm                # beside the YAML, or absolute; PNG or PGM
///     mode: trinary                  # optional: trinary, scale or raw
///     resolution: 0.05               # metres a pixel
///     origin: [-10.0, -10.0, 0.0]    # x, y, yaw of the lower left pixel's corner
///     negate: 0                      # 1: light is occupied
///     occupied_thresh: 0.65
///     free_thresh: 0.25
///
/// Masks of Nav2's costmap filters are such files. Keys may come in any order, and unknown keys are
/// ignored; the list may also be lines that begin with `-`. Other YAML (anchors, tags, maps in {},
/// texts over several lines) is refused in one of these keys.
#ifndef REPLAN_FILES_MAP_YAML_H
#define REPLAN_FILES_MAP_YAML_H

#include "files/map.h"
#include "files/occupancy.h"

typedef struct rp_map_yaml {
    char image[RP_MAP_NAME_BYTES];
    rp_map_frame_t frame;
    rp_occupancy_rule_t rule;
} rp_map_yaml_t;

/// @param yaml  written when all is well
/// @return RP_E_INVALID, with a complaint: which key, and on which line
rp_status_t rp_map_yaml_parse(const rp_text_t *text, rp_map_yaml_t *yaml,
                              rp_complaint_t *complaint);

/// As rp_map_refers(), of a YAML.
bool rp_map_yaml_refers(const rp_text_t *text, char *name);

#endif
