/// @file
/// How an agent moves whose path is a curve, from the doubles of rp_js_agent_open().
#ifndef REPLAN_WASM_MOTION_H
#define REPLAN_WASM_MOTION_H

#include "clients/wasm/module/exports.h"

/// Whether it asks for one.
bool rp_js_is_driven(const double *numbers);

/// @param footprint  written where one is told; borrowed by the result
rp_motion_t rp_js_motion_of(const double *numbers, rp_polygon_body_t *footprint);

#endif
