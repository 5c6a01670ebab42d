/// Paints by how much dearer than normal ground a byte is.
#include "tools/ground.h"

#include <string.h>

#include "view/canvas.h"

#define BYTES     256u
#define UNKNOWN   255u
#define INSCRIBED 253u ///< of costmaps, as the next
#define LETHAL    254u

/// @param times  as dear as normal ground
static rp_paint_t paint_of(double times)
{
    if (times < 0.9) {
        return RP_PAINT_ROAD;
    }
    if (times <= 1.1) {
        return RP_PAINT_FLOOR;
    }
    return times < 2.5 ? RP_PAINT_COSTLY : times < 4.5 ? RP_PAINT_COSTLIER : RP_PAINT_COSTLIEST;
}

static void learn_factors(rp_ground_t *self)
{
    for (unsigned byte = 0; byte < BYTES; byte++) {
        self->paints[byte] = (uint8_t)(byte == 0 ? RP_PAINT_WALL : paint_of(byte));
    }
}

static void learn_costmap(rp_ground_t *self)
{
    for (unsigned byte = 0; byte < BYTES; byte++) {
        self->paints[byte] = (uint8_t)paint_of((50 + 0.8 * byte) / 50); // as the engine has it
    }
    self->paints[INSCRIBED] = RP_PAINT_INSCRIBED;
    self->paints[LETHAL] = RP_PAINT_WALL;
}

static void learn_table(rp_ground_t *self, const Replan__V1__Profile *profile)
{
    const double unit = profile->unit != 0 ? profile->unit : 1;
    for (unsigned byte = 0; byte < BYTES; byte++) {
        const uint8_t factor = profile->factors.data[byte];
        self->paints[byte] = (uint8_t)(factor == 0 ? RP_PAINT_WALL : paint_of(factor / unit));
    }
}

/// One of the world's own. @return NULL: it is built in
static const Replan__V1__Profile *find_own(const char *name, const Replan__V1__WorldInfo *info)
{
    for (size_t i = 0; info != NULL && i < info->n_profiles; i++) {
        if (strcmp(info->profiles[i]->name, name) == 0) {
            return info->profiles[i];
        }
    }
    return NULL;
}

void rp_ground_learn(rp_ground_t *self, const char *profile, const Replan__V1__WorldInfo *info)
{
    const Replan__V1__Profile *own = find_own(profile, info);
    const char *like = own != NULL ? own->like : profile;
    if (own != NULL && own->factors.len == BYTES) {
        learn_table(self, own);
    } else if (strcmp(like, "costmap") == 0) {
        learn_costmap(self);
    } else {
        learn_factors(self);
    }
    for (size_t i = 0; own != NULL && i < own->inscribed.len; i++) {
        self->paints[own->inscribed.data[i]] = RP_PAINT_INSCRIBED;
    }
    self->paints[UNKNOWN] = RP_PAINT_FOG;
}
