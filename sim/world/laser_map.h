/// @file
/// Map out of laser scans: each cell has log-odds of being occupied, which a beam that ends in it
/// raises, and a beam that passes through lowers. A scan judges a cell once; where beams end and
/// others pass, ending counts.
#ifndef REPLAN_SIM_WORLD_LASER_MAP_H
#define REPLAN_SIM_WORLD_LASER_MAP_H

#include "sim/world/carmen.h"
#include "sim/world/terrain.h"

// Log-odds in twentieths, whole so that they are the same everywhere: 0.7 for an end, 0.4 for a
// passage, and where certainty ends.
#define RP_LASER_HIT   17
#define RP_LASER_PASS  (-8)
#define RP_LASER_CLAMP 70

typedef enum rp_laser_state {
    RP_LASER_UNKNOWN, ///< no beam came here yet
    RP_LASER_FREE,    ///< log-odds below 0
    RP_LASER_OCCUPIED ///< above 0; at 0 a cell stays what it was
} rp_laser_state_t;

typedef struct rp_laser_map {
    double origin_x; ///< metres, of the corner of cell (0, 0)
    double origin_y;
    double resolution; ///< metres a cell
    uint32_t width;    ///< of all that the log will show
    uint32_t height;
    uint32_t scans;   ///< taken so far
    uint8_t *states;  ///< rp_laser_state_t each, owned [width * height]
    int8_t *odds;     ///< owned
    uint32_t *judged; ///< number of the scan that judged the cell last, from 1; owned
} rp_laser_map_t;

/// How large a map is that holds all that a log shows: origin, width and height, no cells yet.
rp_laser_map_t rp_laser_map_measure(const rp_carmen_t *log, double resolution);

/// A map of that size, all unknown. @return false without memory
bool rp_laser_map_init(rp_laser_map_t *self, const rp_carmen_t *log, double resolution);
void rp_laser_map_fini(rp_laser_map_t *self);

/// The cell of a place. It must lie within the log's extent.
uint32_t rp_laser_map_cell(const rp_laser_map_t *self, double x, double y);

/// Cast the beams of a scan. Cells whose state changed are appended.
/// @return false without memory
bool rp_laser_map_take(rp_laser_map_t *self, const rp_carmen_t *log, const rp_laser_scan_t *scan,
                       rp_edits_t *changed);

#endif
