#include "engine/session/driving/driven_body.h"

/// Corners of an outline.
static uint32_t count_of(const rp_polygon_body_t *footprint, uint32_t outline)
{
    const bool is_last = outline + 1u == footprint->outline_count;
    const uint32_t end = is_last ? footprint->corner_count : footprint->first[outline + 1u];
    return end >= footprint->first[outline] ? end - footprint->first[outline] : 0u;
}

static bool is_whole(const rp_polygon_body_t *footprint)
{
    bool whole = footprint->corner_count <= RP_FOOTPRINT_CORNERS_MAX &&
                 footprint->outline_count >= 1u &&
                 footprint->outline_count <= RP_FOOTPRINT_OUTLINES_MAX && footprint->first[0] == 0;
    for (uint32_t i = 0; whole && i < footprint->outline_count; i++) {
        whole = footprint->first[i] <= footprint->corner_count && count_of(footprint, i) >= 3u;
    }
    return whole;
}

const char *rp_driven_body_of(const rp_polygon_body_t *footprint, double resolution_m,
                              rp_vehicle_t *vehicle)
{
    double x[RP_FOOTPRINT_CORNERS_MAX];
    double y[RP_FOOTPRINT_CORNERS_MAX];
    const char *wrong = is_whole(footprint) ? NULL : "an outline has fewer than 3 corners";
    *vehicle = (rp_vehicle_t){.radius = 0.0};
    for (uint32_t i = 0; wrong == NULL && i < footprint->corner_count; i++) {
        x[i] = footprint->x_m[i] / resolution_m;
        y[i] = footprint->y_m[i] / resolution_m;
    }
    for (uint32_t i = 0; wrong == NULL && i < footprint->outline_count; i++) {
        const uint32_t first = footprint->first[i];
        wrong = rp_vehicle_add_footprint(vehicle, x + first, y + first, count_of(footprint, i),
                                         footprint->padding_m / resolution_m);
    }
    return wrong;
}

bool rp_driven_body_is_too_wide(double inner, double reach, const rp_grid_shape_t *shape)
{
    const double side = shape->width < shape->height ? shape->width : shape->height;
    return side < 2.0 * (shape->wraps ? reach : inner);
}

const char *rp_driven_body_judge(const rp_polygon_body_t *footprint, double resolution_m,
                                 const rp_grid_shape_t *shape)
{
    rp_vehicle_t vehicle;
    const char *wrong = rp_driven_body_of(footprint, resolution_m, &vehicle);
    return wrong != NULL                          ? wrong
           : vehicle.inner < RP_VEHICLE_LEAST     ? "the origin does not lie inside of an outline"
           : vehicle.reach > RP_LATTICE_BODY_MOST ? "it reaches farther than 64 cells"
           : rp_driven_body_is_too_wide(vehicle.inner, vehicle.reach, shape)
               ? "the world is narrower than it"
               : NULL;
}
