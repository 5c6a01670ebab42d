/// @file
/// A footprint as Nav2 writes it: the text "[[x, y], [x, y], ...]", corners in metres around the
/// robot's origin.
#ifndef REPLAN_CLIENTS_ROS2_FOOTPRINT_H
#define REPLAN_CLIENTS_ROS2_FOOTPRINT_H

#include <stddef.h>

#define RP_FOOTPRINT_CORNERS 64u

typedef struct rp_ros_footprint {
    double x_m[RP_FOOTPRINT_CORNERS];
    double y_m[RP_FOOTPRINT_CORNERS];
    size_t count; ///< 0: none, else at least 3
} rp_ros_footprint_t;

/// @param footprint  written on success only; an empty text or [] has no corners
/// @return NULL, or why the text is no footprint, for people
const char *rp_ros_footprint_parse(const char *text, rp_ros_footprint_t *footprint);

/// Move each corner away from the axes, as Nav2's footprint_padding does.
void rp_ros_footprint_pad(rp_ros_footprint_t *self, double padding_m);

/// The greatest disc around the origin that no side enters; 0 where the origin lies outside.
double rp_ros_footprint_inscribed_m(const rp_ros_footprint_t *self);

#endif
