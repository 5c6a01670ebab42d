/// @file
/// What a stack of shapes shows: the world's effective bytes after an edit of the stack. Of few
/// shapes the rows of cells that they left or came to are composed anew; of many, or large ones,
/// the whole stack is laid anew.
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

/// The same. Much that became another byte, close together, is laid anew by the layers.
/// Time: O(spans of all shapes, and cells of the edit if room was made to list them); a tenth of a
/// nanosecond for each cell of a shape
void rp_overlay_compose_all(rp_world_t *world);

#endif
