/// @file
/// What went wrong, counted by cause, with the newest sentence of each. One line a cause goes to
/// stderr, and again at most every RP_ROS_FAULT_AGAIN_MS, so that a broken robot fills no disk.
#ifndef REPLAN_CLIENTS_ROS2_FAULTS_H
#define REPLAN_CLIENTS_ROS2_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "files/text.h"

#define RP_ROS_FAULT_AGAIN_MS INT64_C(10000)

/// X(NAME, "what is counted")
#define RP_ROS_FAULTS(X)                                                                           \
    X(GRID, "grids refused")                                                                       \
    X(UPDATE, "updates refused")                                                                   \
    X(TRANSFORM, "transforms refused")                                                             \
    X(POSE, "poses refused")                                                                       \
    X(GOAL, "goals refused")                                                                       \
    X(OLD, "stamps in the past")                                                                   \
    X(DAEMON, "daemon away")                                                                       \
    X(REFUSED, "refused by the daemon")                                                            \
    X(QOS, "QoS that do not fit")                                                                  \
    X(TYPE, "types that do not fit")                                                               \
    X(WRITE, "messages not published")                                                             \
    X(DDS, "lines of DDS")

typedef enum rp_ros_fault_kind {
#define RP_ROS_FAULT_NAME(name, text) RP_ROS_FAULT_##name,
    RP_ROS_FAULTS(RP_ROS_FAULT_NAME)
#undef RP_ROS_FAULT_NAME
    RP_ROS_FAULT_COUNT
} rp_ros_fault_kind_t;

typedef struct rp_ros_fault {
    uint64_t count;
    int64_t newest_ms; ///< when it was counted last
    int64_t told_ms;   ///< when a line was written last
    char sentence[200];
} rp_ros_fault_t;

typedef struct rp_ros_faults {
    const char *program; ///< who tells of them on stderr; NULL: replan-ros2. Borrowed
    int64_t now_ms;      ///< of rp_ros_clock_ms(), kept by the owner
    rp_ros_fault_t kinds[RP_ROS_FAULT_COUNT];
} rp_ros_faults_t;

/// Milliseconds of a clock that goes on steadily.
int64_t rp_ros_clock_ms(void);

/// Count a fault and keep its sentence.
void rp_ros_fault(rp_ros_faults_t *self, rp_ros_fault_kind_t kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// "grids refused"
const char *rp_ros_fault_text(rp_ros_fault_kind_t kind);

/// Whether anything was counted within RP_ROS_FAULT_AGAIN_MS. @param kind  written: the newest
bool rp_ros_faults_are_new(const rp_ros_faults_t *self, rp_ros_fault_kind_t *kind);

/// A text from outside for a sentence: cut short, with ? for what is not printable.
rp_quote_t rp_ros_quote(const char *text);

/// A line to stderr, behind the program's name. Does not wait for a reader of a pipe that is full:
/// the line is dropped then.
void rp_ros_log(const rp_ros_faults_t *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
