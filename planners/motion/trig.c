/// Angles are brought to -pi/4 .. pi/4, tangents to -1/16 .. 1/16; Taylor series do the rest.
#include "planners/motion/trig.h"

#include <math.h>
#include <stdint.h>

// pi/2 in three parts. The first two have 33 bits, so that their product with a count below 2^20 is
// exact.
#define QUARTER_HIGH   0x1.921fb544p+0
#define QUARTER_MIDDLE 0x1.0b4611a6p-34
#define QUARTER_LOW    0x1.3198a2e037073p-69
#define DIRECT_LIMIT   1e6 // less than 2^20 quarters

// What the doubles nearest to pi/2 and pi leave out.
#define QUARTER_REST 6.123233995736766e-17
#define PI_REST      1.2246467991473532e-16

// The angles of tangents 0, 1/8 .. 1.
static const double eighths[] = {
    0.0,
    0x1.fd5ba9aac2f6ep-4,
    0x1.f5b75f92c80ddp-3,
    0x1.6f61941e4def1p-2,
    0x1.dac670561bb4fp-2,
    0x1.1e00babdefeb4p-1,
    0x1.4978fa3269ee1p-1,
    0x1.700a7c5784634p-1,
    0x1.921fb54442d18p-1,
};

/// sin(a + rest), |a| at most a bit above pi/4. The first term left out is below 1e-19.
static double small_sin(double a, double rest)
{
    const double q = a * a;
    double sum = 1.0 / 355687428096000.0;
    sum = sum * q - 1.0 / 1307674368000.0;
    sum = sum * q + 1.0 / 6227020800.0;
    sum = sum * q - 1.0 / 39916800.0;
    sum = sum * q + 1.0 / 362880.0;
    sum = sum * q - 1.0 / 5040.0;
    sum = sum * q + 1.0 / 120.0;
    sum = sum * q - 1.0 / 6.0;
    return a + (sum * q * a + rest * (1.0 - 0.5 * q));
}

/// cos(a + rest), as above.
static double small_cos(double a, double rest)
{
    const double q = a * a;
    double sum = 1.0 / 20922789888000.0;
    sum = sum * q - 1.0 / 87178291200.0;
    sum = sum * q + 1.0 / 479001600.0;
    sum = sum * q - 1.0 / 3628800.0;
    sum = sum * q + 1.0 / 40320.0;
    sum = sum * q - 1.0 / 720.0;
    sum = sum * q + 1.0 / 24.0;
    return 1.0 - (0.5 * q - (sum * q * q - a * rest));
}

rp_trig_unit_t rp_trig_unit(double angle)
{
    const double near = fabs(angle) > DIRECT_LIMIT ? fmod(angle, RP_TRIG_TURN) : angle;
    const double count = near / RP_TRIG_QUARTER;
    const int32_t quarters = (int32_t)(count < 0.0 ? count - 0.5 : count + 0.5);
    const double high = near - quarters * QUARTER_HIGH; // exact
    const double middle = quarters * QUARTER_MIDDLE;    // exact
    const double low = quarters * QUARTER_LOW;
    const double first = high - middle;
    const double a = first - low;
    const double rest = ((high - first) - middle) + ((first - a) - low);
    const double sin = small_sin(a, rest);
    const double cos = small_cos(a, rest);
    switch (quarters & 3) {
    case 0:
        return (rp_trig_unit_t){.cos = cos, .sin = sin};
    case 1:
        return (rp_trig_unit_t){.cos = -sin, .sin = cos};
    case 2:
        return (rp_trig_unit_t){.cos = -cos, .sin = -sin};
    default:
        return (rp_trig_unit_t){.cos = sin, .sin = -cos};
    }
}

/// The angle of a tangent of at most 1/16. The first term left out is below 2e-17.
static double small_angle(double t)
{
    const double q = t * t;
    double sum = -1.0 / 11.0;
    sum = sum * q + 1.0 / 9.0;
    sum = sum * q - 1.0 / 7.0;
    sum = sum * q + 1.0 / 5.0;
    sum = sum * q - 1.0 / 3.0;
    return t + sum * q * t;
}

/// The angle of a vector in the first eighth: 0 <= y <= x, x > 0.
static double eighth_angle(double y, double x)
{
    const int32_t nearest = (int32_t)(8.0 * (y / x) + 0.5);
    const double tangent = nearest * 0.125;
    return eighths[nearest] + small_angle((y - tangent * x) / (x + tangent * y));
}

double rp_trig_angle(double y, double x)
{
    const double across = fabs(x);
    const double up = fabs(y);
    if (across == 0.0 && up == 0.0) {
        return 0.0;
    }
    double angle = up <= across ? eighth_angle(up, across)
                                : (RP_TRIG_QUARTER - eighth_angle(across, up)) + QUARTER_REST;
    if (x < 0.0) {
        angle = (RP_TRIG_PI - angle) + PI_REST;
    }
    return y < 0.0 ? -angle : angle;
}

double rp_trig_turn(double angle)
{
    double turn = angle;
    if (fabs(turn) >= RP_TRIG_TURN) { // mostly by one turn, which is exact as fmod() is, and faster
        turn += turn < 0.0 ? RP_TRIG_TURN : -RP_TRIG_TURN;
        turn = fabs(turn) >= RP_TRIG_TURN ? fmod(turn, RP_TRIG_TURN) : turn;
    }
    if (turn < 0.0) {
        turn += RP_TRIG_TURN;
    }
    return turn >= RP_TRIG_TURN - 1e-12 ? 0.0 : turn;
}
