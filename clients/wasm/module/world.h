/// @file
/// What other files of the module need of a world.
#ifndef REPLAN_WASM_WORLD_H
#define REPLAN_WASM_WORLD_H

#include "clients/wasm/module/exports.h"

/// Its engine, borrowed, and its id there.
rp_engine_t *rp_js_world_engine(const rp_js_world_t *self);
rp_world_id_t rp_js_world_id(const rp_js_world_t *self);

#endif
