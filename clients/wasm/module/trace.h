/// @file
/// What the module of the page exports beside exports.h: what searches did, cell by cell
/// (planners/include/replan/trace.h). The package that people install has none of it.
#ifndef REPLAN_WASM_TRACE_H
#define REPLAN_WASM_TRACE_H

#include "clients/wasm/module/exports.h"

/// Forget what was told, and listen from now on.
/// @param wants_reused  hear of cells that are reused, too, which takes a look at every cell of the
///                      world for each plan
RP_JS_EXPORT(trace_begin) void rp_js_trace_begin(bool wants_reused);

/// Listen no more. @return how many words rp_js_trace_told() gives
RP_JS_EXPORT(trace_end) uint32_t rp_js_trace_end(void);

/// What was told since, in that order: words, each a cell y * width + x and above it, from bit 28
/// on, what happened to it (rp_trace_kind_t). A new level is the cell 2^28 - 1. After 2^22 words,
/// or without memory, no more are taken.
/// @param width  of the world that was searched
/// @return owned by the module until the next rp_js_trace_begin()
RP_JS_EXPORT(trace_told) const uint32_t *rp_js_trace_told(uint32_t width);

#endif
