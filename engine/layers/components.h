/// @file
/// Components: which free cells of a grid are connected, so that "no path" needs no search. Without
/// corner cutting 8 neighbours join nothing that 4 do not: one structure serves both.
///
/// Cells are labelled within tiles of 64 x 64, and the labels of neighbouring tiles are joined
/// where they meet. A cell that was blocked or freed makes its tile stale; what is stale is
/// labelled anew when somebody asks, then all tiles are joined anew: a few operations a tile.
#ifndef REPLAN_ENGINE_LAYERS_COMPONENTS_H
#define REPLAN_ENGINE_LAYERS_COMPONENTS_H

#include "engine/layers/tile_labels.h"

typedef struct rp_components rp_components_t;

/// Nothing is labelled yet. @param grid  borrowed until destroy
/// @return NULL without memory
rp_components_t *rp_components_new(const rp_grid_t *grid);
void rp_components_destroy(rp_components_t **self);

uint64_t rp_components_bytes(const rp_components_t *self);

/// A cell was blocked or freed. Time: O(1).
void rp_components_note(rp_components_t *self, rp_cell_t cell);

/// Anything may have become anything. Time: O(tiles).
void rp_components_note_all(rp_components_t *self);

/// True when all that was noted is taken in.
bool rp_components_are_current(const rp_components_t *self);

/// Take in what was noted. Time: O(cells of the tiles), and O(tiles and labels at their borders) at
/// the end.
/// @param tiles  label at most so many now
/// @return RP_OK when they are current, RP_MORE when tiles are left, RP_E_MEMORY
rp_status_t rp_components_update(rp_components_t *self, uint32_t tiles);

/// All cells of a component have the same number, while nothing is taken in; all must be current.
/// @return 0 for a blocked cell
uint64_t rp_components_number(const rp_components_t *self, rp_cell_t cell);

/// Whether two cells are connected; all must be current. A blocked one is connected to nothing.
bool rp_components_connect(const rp_components_t *self, rp_cell_t a, rp_cell_t b);

uint32_t rp_components_tile_count(const rp_components_t *self);
rp_tile_area_t rp_components_tile(const rp_components_t *self, uint32_t place);

/// Whether a tile holds cells of a component; all must be current. Time: O(labels at its border)
/// @param number  of the component
/// @param place   of the tile, 0 to count - 1
bool rp_components_enter_tile(const rp_components_t *self, uint64_t number, uint32_t place);

#endif
