/// @file
/// Grid snapshot: a copy of a layer's grid, made in slices while the layer goes on changing, and
/// constant from then on. Searches that changes must not disturb run on one.
///
///     rows copied    true for `version`; later changes are copied cell by cell
///     rows to come   copied as they are when they have their turn
#ifndef REPLAN_ENGINE_SHARING_GRID_SNAPSHOT_H
#define REPLAN_ENGINE_SHARING_GRID_SNAPSHOT_H

#include "engine/layers/layer.h"

typedef struct rp_grid_snapshot {
    rp_layer_t *layer; ///< borrowed
    rp_grid_t *grid;   ///< owned
    uint64_t version;  ///< of the world, for which the rows that were copied are true
    uint32_t row;      ///< the first that is not
} rp_grid_snapshot_t;

/// Nothing is copied yet. @param layer  borrowed until fini
/// @return RP_E_MEMORY; fini is right then too. Time: O(1) but for fresh memory
rp_status_t rp_grid_snapshot_init(rp_grid_snapshot_t *self, rp_layer_t *layer, uint64_t version);
void rp_grid_snapshot_fini(rp_grid_snapshot_t *self);

/// Go on copying, until all of it is true for the world's newest version. Called again later it
/// takes in what changed meanwhile. The layer is derived first.
/// @param version  the world's newest
/// @param budget   counted down, in expansions that take as long
/// @return RP_OK, or RP_MORE when the budget was spent first: then it must not be searched
rp_status_t rp_grid_snapshot_work(rp_grid_snapshot_t *self, uint64_t version, uint64_t *budget);

#endif
