/// @file
/// Ground under a lattice: obstacles as bits, and the guide layer made of them. Both are made in
/// slices. What is rewritten afterwards is an obstacle, or none, at once; the layer hears of it
/// later, in slices too, and each cell waits for that once.
#ifndef REPLAN_PLANNERS_GUIDE_GUIDE_GROUND_H
#define REPLAN_PLANNERS_GUIDE_GUIDE_GROUND_H

#include "planners/guide/guide.h"

typedef struct rp_waiting_cell {
    rp_cell_t cell;
    bool was_blocked; ///< as far as the layer knows
} rp_waiting_cell_t;

typedef struct rp_guide_ground {
    const rp_grid_t *grid; ///< borrowed
    rp_obstacles_t obstacles;
    rp_guide_t guide;
    double body;                ///< radius, cells
    uint32_t spread;            ///< as of rp_guide_init()
    uint32_t scale;             ///< of the grid when the layer was begun
    uint32_t read;              ///< rows that obstacles have
    rp_waiting_cell_t *waiting; ///< owned: the layer has not heard of them [waiting_count]
    size_t waiting_count;
    size_t waiting_capacity;
    size_t unset;   ///< obstacles have not heard of the first ones of them either
    uint8_t *waits; ///< owned; bits by place: the cell is one of them
    bool is_lost;   ///< memory was short: the layer is to be made anew
    bool was_freed; ///< one of them blocks no more, or costs something else
} rp_guide_ground_t;

/// @param grid   borrowed; its cells are read by work()
/// @param reach  cells round a cell of the world that anybody will ask obstacles for
/// @param body, spread  as of rp_guide_init()
/// @return RP_E_MEMORY. Time: O(1)
rp_status_t rp_guide_ground_init(rp_guide_ground_t *self, const rp_grid_t *grid, uint32_t reach,
                                 double body, uint32_t spread);
void rp_guide_ground_fini(rp_guide_ground_t *self);

uint64_t rp_guide_ground_bytes(const rp_guide_ground_t *self);

/// Costs of the grid were rescaled, or the layer is lost: make the layer anew. @return RP_E_MEMORY.
/// Time: O(cells that wait)
rp_status_t rp_guide_ground_begin(rp_guide_ground_t *self);

/// A cell of the grid was rewritten. Time: O(1).
/// @param was_blocked, blocks  written: before and now; the same while the cell was not read yet
/// @return RP_E_MEMORY
rp_status_t rp_guide_ground_note(rp_guide_ground_t *self, rp_cell_t cell, bool *was_blocked,
                                 bool *blocks);

/// See that obstacles and layer are made. @param budget  expansions, counted down
/// @return RP_OK, at once when they are; RP_MORE; RP_E_MEMORY
rp_status_t rp_guide_ground_work(rp_guide_ground_t *self, uint64_t *budget);

/// Tell the layer, when it is made, of all that waits. @return as work()
rp_status_t rp_guide_ground_tell(rp_guide_ground_t *self, uint64_t *budget);

#endif
