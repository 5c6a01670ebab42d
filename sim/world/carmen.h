/// @file
/// CARMEN log: what a robot with a laser scanner saw on a drive, as text. Of its lines those that
/// begin with FLASER matter, a scan each:
///
///     FLASER n r1 .. rn  x y heading  odom-x odom-y odom-heading  [time host time]
///
/// n ranges in metres spread over 180 degrees, the first to the right, and the corrected pose of
/// the scanner (metres, radians). Other lines are passed over.
#ifndef REPLAN_SIM_WORLD_CARMEN_H
#define REPLAN_SIM_WORLD_CARMEN_H

#include "files/text.h"

#define RP_CARMEN_BEAMS_MAX   2048u
#define RP_CARMEN_RANGE_MAX_M 40.0 ///< from here on a range says that nothing was hit
#define RP_CARMEN_PLACE_MAX_M 1e5  ///< poses are refused beyond

typedef struct rp_laser_scan {
    double x; ///< metres
    double y;
    double heading; ///< radians, from +x towards +y
    size_t first;   ///< of its ranges in the log
    uint32_t beam_count;
} rp_laser_scan_t;

typedef struct rp_carmen {
    rp_laser_scan_t *scans; ///< owned [count]
    size_t count;
    float *ranges; ///< metres, of all scans one after another; owned [range_count]
    size_t range_count;
} rp_carmen_t;

/// The direction of a beam, radians in the plane of the poses.
double rp_carmen_direction(const rp_laser_scan_t *scan, uint32_t beam);

/// @param log  written when all is well: at least one scan
/// @return RP_E_INVALID or RP_E_MEMORY, with a complaint that names the line
rp_status_t rp_carmen_parse(const rp_text_t *text, rp_carmen_t *log, rp_complaint_t *complaint);

/// The same from a file, which may be compressed by gzip.
rp_status_t rp_carmen_load(const char *path, rp_carmen_t *log, rp_complaint_t *complaint);

void rp_carmen_fini(rp_carmen_t *self);

#endif
