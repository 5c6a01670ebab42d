/// @file
/// Composition: the effective bytes of a world after an edit of its shapes. For few small shapes
/// only the rows that changed are composed anew; for many or large ones the whole stack is.
#ifndef REPLAN_ENGINE_GROUND_COMPOSE_H
#define REPLAN_ENGINE_GROUND_COMPOSE_H

#include "engine/ground/overlay.h"

typedef struct rp_world rp_world_t;

/// The rectangle of some cells.
rp_bounds_t rp_bounds_of(const rp_spans_t *spans);

/// Show what an edit made of the stack: the next version, for which there is room
/// (rp_world_begin()). What went lies in `gone`, what came is marked as new.
/// Time: O(cells of the edit, and its spans * shapes near them)
void rp_overlay_compose(rp_world_t *world);

/// The same for the whole stack. Where many bytes close together changed, layers are derived anew.
/// Time: O(spans of all shapes, and cells of the edit if room was made to list them); a tenth of a
/// nanosecond for each cell of a shape
void rp_overlay_compose_all(rp_world_t *world);

#endif
