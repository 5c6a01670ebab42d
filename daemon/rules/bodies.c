#include "daemon/rules/bodies.h"

#include <math.h>

bool rp_bodies_footprint(const Replan__V1__Body *body, rp_polygon_body_t *footprint)
{
    if (body == NULL || body->n_footprint_x == 0) {
        return false;
    }
    *footprint = (rp_polygon_body_t){
        .corner_count = (uint32_t)body->n_footprint_x,
        .outline_count = body->n_footprint_at != 0 ? (uint32_t)body->n_footprint_at : 1u,
        .padding_m = body->padding_m,
    };
    for (size_t i = 0; i < body->n_footprint_x; i++) {
        footprint->x_m[i] = body->footprint_x[i];
        footprint->y_m[i] = body->footprint_y[i];
    }
    for (size_t i = 0; i < body->n_footprint_at; i++) {
        footprint->first[i] = body->footprint_at[i];
    }
    return true;
}

static double padded(double metres, double padding)
{
    return metres != 0.0 ? fabs(metres) + padding : 0.0;
}

double rp_bodies_reach(const Replan__V1__Body *body)
{
    double reach = body != NULL ? body->radius_m : 0.0;
    for (size_t i = 0; body != NULL && i < body->n_footprint_x; i++) {
        reach = fmax(reach, hypot(padded(body->footprint_x[i], body->padding_m),
                                  padded(body->footprint_y[i], body->padding_m)));
    }
    return reach;
}
