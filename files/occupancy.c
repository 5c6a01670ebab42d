/// Thresholds are compared in doubles, as map_server does; the mean is not rounded before.
#include "files/occupancy.h"

#include <math.h>

#define GRADES 97 ///< costmap_2d publishes 1..252 as 1..98

const rp_occupancy_rule_t rp_occupancy_default = {
    .mode = RP_MAP_TRINARY, .occupied_thresh = 0.65, .free_thresh = 0.196};

static double mean_of(const rp_occupancy_rule_t *rule, const rp_image_t *image,
                      const rp_pixel_t *pixel)
{
    const double colours = (double)pixel->red + pixel->green + pixel->blue;
    const bool has_fourth = rule->mode == RP_MAP_TRINARY && image->has_alpha;
    return has_fourth ? (colours + pixel->alpha) / 4.0 : colours / 3.0;
}

static int scaled(const rp_occupancy_rule_t *rule, double share)
{
    const double part = (share - rule->free_thresh) / (rule->occupied_thresh - rule->free_thresh);
    return (int)rint(RP_OCCUPANCY_OCCUPIED * part);
}

int rp_occupancy_of(const rp_occupancy_rule_t *rule, const rp_image_t *image,
                    const rp_pixel_t *pixel)
{
    const double mean = mean_of(rule, image, pixel);
    const double most = image->most;
    if (rule->mode == RP_MAP_RAW) {
        const double value = round(mean / most * 255.0);
        return value <= RP_OCCUPANCY_OCCUPIED ? (int)value : RP_OCCUPANCY_UNKNOWN;
    }
    if (rule->mode == RP_MAP_SCALE && pixel->alpha != image->most) {
        return RP_OCCUPANCY_UNKNOWN;
    }
    const double share = (rule->negate ? mean : most - mean) / most;
    if (share > rule->occupied_thresh) {
        return RP_OCCUPANCY_OCCUPIED;
    }
    if (share < rule->free_thresh) {
        return RP_OCCUPANCY_FREE;
    }
    return rule->mode == RP_MAP_SCALE ? scaled(rule, share) : RP_OCCUPANCY_UNKNOWN;
}

uint8_t rp_occupancy_byte(int occupancy)
{
    switch (occupancy) {
    case RP_OCCUPANCY_UNKNOWN:
        return RP_COSTMAP_UNKNOWN;
    case RP_OCCUPANCY_FREE:
        return 0;
    case RP_OCCUPANCY_OCCUPIED - 1:
        return RP_COSTMAP_INSCRIBED;
    case RP_OCCUPANCY_OCCUPIED:
        return RP_COSTMAP_LETHAL;
    default:
        return (uint8_t)(1 + ((occupancy - 1) * 251 + GRADES - 1) / GRADES);
    }
}

int rp_occupancy_of_byte(uint8_t byte)
{
    switch (byte) {
    case 0:
        return RP_OCCUPANCY_FREE;
    case RP_COSTMAP_INSCRIBED:
        return RP_OCCUPANCY_OCCUPIED - 1;
    case RP_COSTMAP_LETHAL:
        return RP_OCCUPANCY_OCCUPIED;
    case RP_COSTMAP_UNKNOWN:
        return RP_OCCUPANCY_UNKNOWN;
    default:
        return 1 + GRADES * (byte - 1) / 251;
    }
}
