/// @file
/// A tree of named frames in the plane, as tf and tf_static tell it. Each frame has one parent; a
/// dynamic one keeps its poses of the last seconds. Filled from outside: refuses what is no tree.
#ifndef REPLAN_CLIENTS_ROS2_TF_TREE_H
#define REPLAN_CLIENTS_ROS2_TF_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "clients/ros2/planar.h"

/// Frames of one tree. Each takes 150 bytes, a dynamic one 16 KiB.
#define RP_TF_FRAMES 1024u

/// Poses that a dynamic frame keeps: two and a half seconds at 200 Hz.
#define RP_TF_HISTORY 512u

/// A pose that is this much older than the newest one is no late one: the robot's clock was set
/// back, as by a recording that starts again.
#define RP_TF_JUMP_NS INT64_C(10000000000)

/// Instead of a time: the newest of each frame.
#define RP_TF_LATEST INT64_MIN

typedef enum rp_tf_status {
    RP_TF_OK,
    RP_TF_BAD_NAME, ///< see rp_tf_is_name()
    RP_TF_LOOP,     ///< the parent is the frame itself, or hangs on it
    RP_TF_FULL,     ///< RP_TF_FRAMES are known, or there is no memory
    RP_TF_OLD,      ///< the time is before what is kept
    RP_TF_UNKNOWN,  ///< no such frame, or the two hang on different trees
} rp_tf_status_t;

typedef struct rp_tf_tree rp_tf_tree_t;

/// @return NULL without memory
rp_tf_tree_t *rp_tf_tree_new(void);

/// Accepts NULL.
void rp_tf_tree_destroy(rp_tf_tree_t **self);

/// A frame name as ROS 1 wrote it, without the slash before it.
const char *rp_tf_name(const char *frame);

/// Whether it can name a frame: 1..RP_LIMIT_FRAME_ID printable characters of ASCII, none of them
/// blank.
bool rp_tf_is_name(const char *frame);

/// Take in where a frame is. One that had another parent hangs on the new one.
/// @param stamp_ns  without meaning where `is_static`
/// @param pose      of `child` in `parent`
/// @return RP_TF_BAD_NAME, RP_TF_LOOP, RP_TF_FULL, or RP_TF_OLD for a stamp before all that are
/// kept;
///         then nothing is taken in
rp_tf_status_t rp_tf_tree_put(rp_tf_tree_t *self, const char *parent, const char *child,
                              bool is_static, int64_t stamp_ns, const rp_planar_t *pose);

/// The pose of frame `of` in frame `in`.
/// @param at_ns  between two poses of a frame the one in between counts, after its newest that one;
///               or RP_TF_LATEST
/// @param pose   written on success only
/// @return RP_TF_UNKNOWN or RP_TF_OLD
rp_tf_status_t rp_tf_tree_find(const rp_tf_tree_t *self, const char *in, const char *of,
                               int64_t at_ns, rp_planar_t *pose);

/// For people: "no such frame, or not connected".
const char *rp_tf_status_text(rp_tf_status_t status);

#endif
