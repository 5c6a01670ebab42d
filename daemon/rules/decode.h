/// @file
/// Decoding: checked messages of the wire as structs of the engine, which borrow from them.
#ifndef REPLAN_DAEMON_RULES_DECODE_H
#define REPLAN_DAEMON_RULES_DECODE_H

#include "replan/engine.h"

#include "msgs/codec.h"
#include "replan.pb-c.h"

/// In cells of the window that the change names.
rp_edit_t rp_decode_change(const Replan__V1__Change *change);

/// @return without `shapes` when memory is missing
rp_overlay_edit_t rp_decode_overlay(rp_message_arena_t *arena, const Replan__V1__Overlay *overlay,
                                    uint64_t now_us);
rp_window_t rp_decode_resize(const Replan__V1__Resize *resize);

#endif
