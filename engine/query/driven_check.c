#include "engine/query/driven_check.h"

#include <stdlib.h>

#include "engine/query/copy.h"
#include "engine/session/driving/driven_body.h"
#include "engine/session/driving/driver.h"

/// The body that is asked about. @return RP_E_INVALID, RP_E_UNSUPPORTED
static rp_status_t find_body(const rp_session_t *session, const rp_question_t *curve,
                             rp_vehicle_t *body)
{
    const double cell_m = session->world->frame.resolution_m;
    if (!(curve->radius_m / cell_m <= RP_MOTION_RADIUS_MAX)) {
        return RP_E_INVALID;
    }
    if (curve->footprint != NULL) {
        return rp_driven_body_of(curve->footprint, cell_m, body) == NULL ? RP_OK : RP_E_INVALID;
    }
    if (curve->radius_m >= 0.0) {
        return rp_vehicle_set_disc(body, curve->radius_m / cell_m) == NULL ? RP_OK : RP_E_INVALID;
    }
    if (session->driver == NULL) {
        return RP_E_UNSUPPORTED;
    }
    *body = session->driver->curve.vehicle;
    return RP_OK;
}

rp_status_t rp_driven_check_new(const rp_session_t *session, const rp_question_t *curve,
                                rp_driven_check_t **check)
{
    rp_driven_check_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->shape = session->layer->grid->shape;
    self->frame = session->world->frame;
    self->profile = session->layer->profile;
    self->count = curve->segment_count;
    self->segments = rp_copy_of(curve->segments, self->count * sizeof *self->segments);
    self->scene = (rp_curve_scene_t){
        .shape = &self->shape,
        .frame = &self->frame,
        .profile = &self->profile,
        .vehicle = &self->vehicle,
        .prices = session->driver != NULL ? session->driver->curve.prices
                                          : (rp_driven_prices_t){.reverse = 1.0},
    };
    rp_status_t status = self->segments != NULL ? RP_OK : RP_E_MEMORY;
    status = status == RP_OK ? find_body(session, curve, &self->vehicle) : status;
    if (status != RP_OK) {
        rp_driven_check_destroy(&self);
        return status;
    }
    rp_curve_check_rows(&self->scene, self->segments, self->count, &self->first_row,
                        &self->end_row);
    *check = self;
    return RP_OK;
}

void rp_driven_check_destroy(rp_driven_check_t **self)
{
    if (*self != NULL) {
        free((*self)->segments);
        free(*self);
        *self = NULL;
    }
}

rp_status_t rp_driven_check_work(rp_driven_check_t *self, const uint8_t *bytes, uint64_t *budget,
                                 rp_curve_report_t *report)
{
    self->scene.bytes = bytes;
    return rp_curve_check_work(&self->check, &self->scene, self->segments, self->count, budget,
                               report);
}
