/// The built-in profiles (DESIGN 3).
#include "engine/profile.h"

#include <string.h>

#define UNKNOWN 255u

static void fill_factor(rp_profile_t *profile)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        profile->factor[byte] = (uint8_t)byte;
    }
    profile->factor[UNKNOWN] = 1;
    profile->name = "factor";
    profile->unit = 1;
    profile->normal = 1;
    profile->least = 1;
}

/// Factor 50 + 4 * byte / 5, as NavFn reads a costmap.
static void fill_costmap(rp_profile_t *profile)
{
    for (unsigned byte = 0; byte < 253; byte++) {
        profile->factor[byte] = (uint8_t)(50u + 4u * byte / 5u);
    }
    profile->factor[253] = 0;
    profile->factor[254] = 0;
    profile->factor[UNKNOWN] = 50;
    profile->name = "costmap";
    profile->unit = 50;
    profile->normal = 0;
    profile->least = 50;
}

bool rp_profile_find(const char *name, rp_profile_t *profile)
{
    if (name == NULL || strcmp(name, "factor") == 0) {
        fill_factor(profile);
        return true;
    }
    if (strcmp(name, "costmap") == 0) {
        fill_costmap(profile);
        return true;
    }
    return false;
}
