/// What a vehicle sweeps.
#include "planners/motion/sweep.h"

#include "planners/motion/track.h"

double rp_sweep_distance(const rp_segment_t *segment, double x, double y)
{
    const rp_track_t track = rp_track_of_segment(segment);
    return rp_track_distance(&track, x, y);
}
