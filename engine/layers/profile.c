/// The built-in profiles and those that a world brings.
#include "engine/layers/profile.h"

#include <string.h>

static void name_profile(rp_profile_t *profile, const char *name)
{
    memset(profile->name, 0, sizeof profile->name);
    memcpy(profile->name, name, strlen(name));
}

static bool is_inscribed(const rp_profile_t *profile, unsigned byte)
{
    size_t i = 0;
    while (i < profile->inscribed_count && profile->inscribed[i] != byte) {
        i++;
    }
    return i < profile->inscribed_count;
}

/// What follows from the table, the unit and the inscribed bytes.
/// @return false when no byte is normal ground
static bool finish(rp_profile_t *profile)
{
    bool has_normal = false;
    unsigned before = 1;
    profile->is_graded = true;
    profile->least = UINT8_MAX;
    for (unsigned byte = 0; byte < 256; byte++) {
        const uint8_t factor = profile->factor[byte];
        const unsigned dearness = factor != 0 ? factor : 256u; // blocked is dearest
        if (!has_normal && factor == profile->unit && byte != RP_BYTE_UNKNOWN) {
            profile->normal = (uint8_t)byte;
            has_normal = true;
        }
        if (factor != 0 && factor < profile->least) {
            profile->least = factor;
        }
        profile->is_obstacle[byte] = factor == 0 && !is_inscribed(profile, byte);
        if (byte != RP_BYTE_UNKNOWN) {
            profile->is_graded = profile->is_graded && dearness >= before;
            before = dearness;
        }
    }
    return has_normal;
}

// ---- built in

static void fill_factor(rp_profile_t *profile)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        profile->factor[byte] = (uint8_t)byte;
    }
    profile->factor[RP_BYTE_UNKNOWN] = 1;
    profile->unit = 1;
    profile->inscribed_count = 0;
    name_profile(profile, "factor");
    (void)finish(profile);
}

/// Factor 50 + 4 * byte / 5, as NavFn reads a costmap.
static void fill_costmap(rp_profile_t *profile)
{
    for (unsigned byte = 0; byte < 253; byte++) {
        profile->factor[byte] = (uint8_t)(50u + 4u * byte / 5u);
    }
    profile->factor[253] = 0;
    profile->factor[254] = 0;
    profile->factor[RP_BYTE_UNKNOWN] = 50;
    profile->unit = 50;
    profile->inscribed[0] = 253;
    profile->inscribed_count = 1;
    name_profile(profile, "costmap");
    (void)finish(profile);
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

// ---- a world's own

/// Take over the inscribed bytes, beside those of the profile that it is like.
/// @return false when one of them is unknown, or does not block
static bool take_inscribed(const rp_profile_options_t *options, rp_profile_t *profile)
{
    for (size_t i = 0; i < options->inscribed_count; i++) {
        const uint8_t byte = options->inscribed[i];
        if (byte == RP_BYTE_UNKNOWN || profile->factor[byte] != 0) {
            return false;
        }
        if (!is_inscribed(profile, byte)) {
            profile->inscribed[profile->inscribed_count++] = byte;
        }
    }
    return true;
}

rp_status_t rp_profile_make(const rp_profile_options_t *options, rp_profile_t *profile)
{
    rp_profile_t made;
    const size_t length = strnlen(options->name, RP_PROFILE_NAME_MAX + 1u);
    if (length == 0 || length > RP_PROFILE_NAME_MAX) {
        return RP_E_INVALID;
    }
    if (rp_profile_find(options->name, &made)) {
        return RP_E_EXISTS;
    }
    if (options->factors != NULL) {
        memcpy(made.factor, options->factors, sizeof made.factor);
        made.unit = options->unit;
        made.inscribed_count = 0;
    } else if (!rp_profile_find(options->like, &made)) {
        return RP_E_UNKNOWN;
    }
    name_profile(&made, options->name);
    switch (options->unknown) {
    case RP_UNKNOWN_FREE:
        made.factor[RP_BYTE_UNKNOWN] = made.unit;
        break;
    case RP_UNKNOWN_BLOCKED:
        made.factor[RP_BYTE_UNKNOWN] = 0;
        break;
    case RP_UNKNOWN_FACTOR:
        made.factor[RP_BYTE_UNKNOWN] = options->unknown_factor;
        break;
    }
    if (made.unit == 0 || !take_inscribed(options, &made) || !finish(&made) ||
        (options->unknown == RP_UNKNOWN_FACTOR && options->unknown_factor == 0)) {
        return RP_E_INVALID;
    }
    *profile = made;
    return RP_OK;
}
