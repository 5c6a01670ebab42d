/// @file
/// The newest costmap or map as the robot published it, turned into bytes of a world, and what each
/// message changed of it. Takes messages from outside: one that does not fit is counted as a fault,
/// and changes nothing.
#ifndef REPLAN_CLIENTS_ROS2_COSTMAP_H
#define REPLAN_CLIENTS_ROS2_COSTMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clients/ros2/faults.h"
#include "clients/ros2/planar.h"
#include "msgs/limits.h"

/// What the cells of the grid topic mean.
typedef enum rp_ros_grid_kind {
    RP_ROS_COSTMAP_RAW, ///< bytes of costmap_2d, as they are: 253 inscribed, 254 lethal, 255
                        ///< unknown
    RP_ROS_COSTMAP,     ///< an OccupancyGrid of costmap_2d: -1, 0..98, 99 inscribed, 100 lethal
    RP_ROS_MAP,         ///< an OccupancyGrid of a map: -1, 0..100, occupied from a threshold on
} rp_ros_grid_kind_t;

/// A byte of a world for each cell that a topic may have.
typedef struct rp_ros_bytes {
    bool is_identity; ///< all are legal and stay
    bool is_legal[256];
    uint8_t byte[256];
} rp_ros_bytes_t;

/// @param threshold  of a map: occupied from this value on, below it free, 1..100
rp_ros_bytes_t rp_ros_bytes_of(rp_ros_grid_kind_t kind, unsigned threshold);

/// OccupancyGrid or nav2_msgs/Costmap, borrowed from the sample.
typedef struct rp_ros_grid {
    const char *frame_id;
    int64_t stamp_ns;
    float resolution; ///< metres a cell
    uint32_t width;
    uint32_t height;
    rp_ros_pose_t origin; ///< of the lower-left corner of cell (0, 0)
    const uint8_t *data;  ///< row by row from the lower left [size]
    size_t size;
} rp_ros_grid_t;

/// OccupancyGridUpdate or nav2_msgs/CostmapUpdate.
typedef struct rp_ros_grid_update {
    const char *frame_id;
    int64_t stamp_ns;
    int64_t x;
    int64_t y;
    uint32_t width;
    uint32_t height;
    const uint8_t *data;
    size_t size;
} rp_ros_grid_update_t;

/// Cells, as x, y, width, height; width 0: none.
typedef struct rp_ros_rect {
    uint32_t x, y, width, height;
} rp_ros_rect_t;

typedef struct rp_ros_costmap {
    char frame_id[RP_LIMIT_FRAME_ID + 1u]; ///< empty: none came yet
    double resolution_m;
    rp_planar_t origin;
    uint32_t width;
    uint32_t height;
    uint8_t *bytes; ///< [width * height]
    size_t capacity;
    uint8_t *row;          ///< one row while it is converted [RP_LIMIT_SIDE]
    int64_t full_stamp_ns; ///< of the newest full grid that had one: it holds all older updates
    int64_t full_ms;       ///< when the newest full grid came, by the clock of the faults
    uint64_t grids;        ///< taken in so far
    uint64_t updates;
} rp_ros_costmap_t;

/// How the costmap differs from before.
typedef enum rp_ros_change {
    RP_ROS_NOTHING, ///< nothing changed, or the message was refused
    RP_ROS_CELLS,   ///< some cells
    RP_ROS_WINDOW,  ///< another origin or size: all cells count as changed
    RP_ROS_WORLD,   ///< another frame, resolution or yaw, or the first one
} rp_ros_change_t;

/// The shortest decimal that a 32-bit float stands for: 0.05 where ROS says 0.05000000074505806.
double rp_ros_shortest_decimal(float value);

/// Take in a full grid.
/// @param frame_id  refuse grids of another frame; empty: take any
/// @param rect      written with RP_ROS_CELLS: a rectangle that holds all cells that changed
rp_ros_change_t rp_ros_costmap_take(rp_ros_costmap_t *self, const rp_ros_grid_t *grid,
                                    const rp_ros_bytes_t *bytes, const char *frame_id,
                                    rp_ros_rect_t *rect, rp_ros_faults_t *faults);

/// Take in a rectangle of new cells. @return RP_ROS_NOTHING or RP_ROS_CELLS
rp_ros_change_t rp_ros_costmap_update(rp_ros_costmap_t *self, const rp_ros_grid_update_t *update,
                                      const rp_ros_bytes_t *bytes, rp_ros_rect_t *rect,
                                      rp_ros_faults_t *faults);

/// The byte at a place in metres of the grid's frame. @return false outside of the grid
bool rp_ros_costmap_byte_at(const rp_ros_costmap_t *self, double x_m, double y_m, uint8_t *byte);

/// The least rectangle that holds both.
rp_ros_rect_t rp_ros_rect_join(const rp_ros_rect_t *a, const rp_ros_rect_t *b);

void rp_ros_costmap_fini(rp_ros_costmap_t *self);

#endif
