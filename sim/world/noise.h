/// @file
/// Smooth seeded noise over the grid, for hills and forests.
#ifndef REPLAN_SIM_WORLD_NOISE_H
#define REPLAN_SIM_WORLD_NOISE_H

#include <stdint.h>

typedef struct rp_noise {
    uint64_t seed;
    double scale;     ///< cells from hill to hill
    unsigned octaves; ///< each adds half as much at half the scale
} rp_noise_t;

/// @return 0..1, about 0.5 on average
double rp_noise_at(const rp_noise_t *self, double x, double y);

#endif
