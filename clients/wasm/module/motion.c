/// How an agent moves whose path is a curve, and what is wrong with it.
#include "clients/wasm/module/motion.h"

#include <assert.h>

#include "clients/wasm/module/world.h"

static_assert(sizeof(rp_path_segment_t) == 7 * sizeof(double), "SEGMENT_DOUBLES of motion.js");

/// Where the doubles of motion begin among those of rp_js_agent_open().
#define FIRST 14

bool rp_js_is_driven(const double *numbers)
{
    return numbers[FIRST] != RP_MOTION_NONE;
}

static void read_footprint(const double *numbers, rp_polygon_body_t *footprint)
{
    const double *corners = numbers + FIRST + 13;
    *footprint = (rp_polygon_body_t){.corner_count = (uint32_t)numbers[FIRST + 12],
                                     .outline_count = 1,
                                     .padding_m = numbers[FIRST + 11]};
    for (uint32_t i = 0; i < footprint->corner_count; i++) {
        footprint->x_m[i] = corners[2u * i];
        footprint->y_m[i] = corners[2u * i + 1u];
    }
}

rp_motion_t rp_js_motion_of(const double *numbers, rp_polygon_body_t *footprint)
{
    const double *told = numbers + FIRST;
    const bool has_footprint = told[12] != 0;
    if (has_footprint) {
        read_footprint(numbers, footprint);
    }
    return (rp_motion_t){
        .drive = (rp_motion_drive_t)told[0],
        .body_radius_m = has_footprint ? 0.0 : numbers[0],
        .footprint = has_footprint ? footprint : NULL,
        .turning_radius_m = told[1],
        .turn_m_per_rad = told[2],
        .headings = (uint32_t)told[3],
        .hold_m = told[4],
        .follow_yaw = told[5],
        .bound_percent = (uint32_t)told[6],
        .headings_most = (uint32_t)told[7],
        .reverse = told[8] != 0,
        .reverse_factor = told[9],
        .gear_change_m = told[10],
    };
}

uint32_t rp_js_motion_fault(const rp_js_world_t *self, const double *numbers)
{
    rp_polygon_body_t footprint;
    const rp_motion_t motion = rp_js_motion_of(numbers, &footprint);
    return (uint32_t)rp_engine_judge_motion(rp_js_world_engine(self), rp_js_world_id(self),
                                            &motion);
}

const char *rp_js_footprint_fault(const rp_js_world_t *self, const double *numbers)
{
    rp_polygon_body_t footprint;
    read_footprint(numbers, &footprint);
    return rp_engine_judge_footprint(rp_js_world_engine(self), rp_js_world_id(self), &footprint);
}
