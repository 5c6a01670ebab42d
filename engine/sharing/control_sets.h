/// @file
/// Control sets of an engine, one for each shape that some session drives in: computed once, in
/// slices of whoever plans, and freed with the last session that needs it.
#ifndef REPLAN_ENGINE_SHARING_CONTROL_SETS_H
#define REPLAN_ENGINE_SHARING_CONTROL_SETS_H

#include "planners/lattice/control_set.h"

typedef struct rp_shared_set {
    struct rp_shared_set *next;
    rp_control_set_t *set; ///< owned
    uint32_t users;
} rp_shared_set_t;

typedef struct rp_control_sets {
    rp_shared_set_t *first; ///< owned
} rp_control_sets_t;

/// The set for a shape, perhaps not whole yet. To be left.
/// @param shared  written on RP_OK
/// @return RP_E_INVALID (shape), RP_E_MEMORY. Time: O(shapes)
rp_status_t rp_control_sets_join(rp_control_sets_t *self, const rp_lattice_shape_t *shape,
                                 rp_shared_set_t **shared);

/// @param shared  becomes NULL, and may be
void rp_control_sets_leave(rp_control_sets_t *self, rp_shared_set_t **shared);

/// Go on computing a set.
/// @param budget  in expansions, counted down
/// @return as rp_control_set_build()
rp_status_t rp_shared_set_build(rp_shared_set_t *self, uint64_t *budget);

/// Bytes of all sets.
uint64_t rp_control_sets_bytes(const rp_control_sets_t *self);

#endif
