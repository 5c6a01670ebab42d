/// @file
/// Probe ground: what of a world the agents of a probe see besides its grids: the bytes, which say
/// what is an obstacle, and which free cells are connected. It is a copy that is made in slices,
/// and the change of the probe is written into it for the second half of the answer.
#ifndef REPLAN_ENGINE_QUERY_PROBE_GROUND_H
#define REPLAN_ENGINE_QUERY_PROBE_GROUND_H

#include "engine/ground/world_state.h"
#include "engine/sharing/grid_snapshot.h"

/// All zero: there is none.
typedef struct rp_probe_ground {
    rp_world_t frame;  ///< only where its cells lie: frame and shape
    uint8_t *bytes;    ///< effective ones, row by row, owned [width * height]
    uint32_t width;    ///< of the world
    uint32_t first;    ///< row: those before it are not copied
    uint32_t end;      ///< the row from which on none is copied
    uint64_t version;  ///< of the world, for which the rows that were copied are true
    uint32_t row;      ///< the first that is not copied
    uint32_t restarts; ///< times that copying began anew, as the world changed
    uint32_t edit_row; ///< of the change: those before it are written
    rp_layer_t *views; ///< what agents see, their grids and bytes borrowed, owned [count]
    rp_components_t **components; ///< of each view; NULL: nobody asked yet, owned [count]
    uint32_t count;
} rp_probe_ground_t;

/// Nothing is copied yet; all rows are to be.
/// @param count  of layers that agents see
/// @return RP_E_MEMORY; fini is right then too. Time: O(1) but for fresh memory
rp_status_t rp_probe_ground_init(rp_probe_ground_t *self, const rp_world_t *world, uint32_t count);
void rp_probe_ground_fini(rp_probe_ground_t *self);

/// Go on copying bytes, until all of them are those of the world's newest version. A change that
/// comes between begins it anew; after two it is done in one go.
/// @param world  its bytes are written
/// @param budget  counted down, in expansions that take as long
/// @return RP_MORE when it was spent first
rp_status_t rp_probe_ground_copy(rp_probe_ground_t *self, const rp_world_t *world,
                                 uint64_t *budget);

/// All is copied: from now on layers are seen as their copies are.
/// @param snapshots  of the layers; their grids are borrowed until fini [count]
void rp_probe_ground_open(rp_probe_ground_t *self, const rp_world_t *world,
                          const rp_grid_snapshot_t *snapshots);

/// Write the bytes of the change. The grids are written with it, before anything is read again.
/// @param edit  inside the world
/// @return RP_MORE when the budget was spent first
rp_status_t rp_probe_ground_write(rp_probe_ground_t *self, const rp_edit_t *edit, uint64_t *budget);

/// What is connected on the copy of a layer.
/// @param components  written on RP_OK
/// @param budget  counted down; some tiles are always looked at
/// @return RP_MORE, RP_E_MEMORY
rp_status_t rp_probe_ground_components(rp_probe_ground_t *self, uint32_t view,
                                       const rp_components_t **components, uint64_t *budget);

#endif
