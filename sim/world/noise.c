/// Value noise: a random height at each lattice point, eased in between. Only sums and products of
/// doubles, so that every machine draws the same hills.
#include "sim/world/noise.h"

#include "msgs/splitmix.h"

static double lattice(uint64_t seed, int64_t x, int64_t y)
{
    const uint64_t mixed =
        rp_splitmix_of(seed ^ rp_splitmix_of((uint64_t)x * 0x9e3779b97f4a7c15u + (uint64_t)y));
    return (double)(mixed >> 11) / 9007199254740992.0;
}

static double ease(double t)
{
    return t * t * (3 - 2 * t);
}

static double octave(uint64_t seed, double x, double y)
{
    const int64_t left = (int64_t)x;
    const int64_t top = (int64_t)y;
    const double across = ease(x - (double)left);
    const double down = ease(y - (double)top);
    const double upper =
        lattice(seed, left, top) * (1 - across) + lattice(seed, left + 1, top) * across;
    const double lower =
        lattice(seed, left, top + 1) * (1 - across) + lattice(seed, left + 1, top + 1) * across;
    return upper * (1 - down) + lower * down;
}

double rp_noise_at(const rp_noise_t *self, double x, double y)
{
    double sum = 0;
    double weight = 1;
    double weights = 0;
    double scale = self->scale;
    for (unsigned i = 0; i < self->octaves; i++) {
        sum += weight * octave(self->seed + i, x / scale, y / scale);
        weights += weight;
        weight /= 2;
        scale /= 2;
    }
    return sum / weights;
}
