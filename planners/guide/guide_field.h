/// @file
/// Costs on the guide layer from each cell to the goal: grown from the goal, or from cells round it
/// with values of their own, cell by cell, and repaired after changes. In slices.
///
/// Repair (Ramalingam, Reps 1996): values that nothing supports any more are dropped in order of
/// cost, then what was dropped or became cheaper is grown again from its neighbours.
///
/// Both go up to a level, and may go on from there later. What is left beyond does no harm:
///     - not grown: values above the level are not known; the least of a value and the level is as
///       consistent as the value, and no greater.
///     - not dropped: a value that has lost its support is too small, and still consistent: when
///       edges went it keeps what the others ask of it. So cells aside of all ways that matter are
///       put off.
///
/// Edges are those of rp_metric_t. A value is at most RP_GUIDE_FIELD_MOST, which stands for all
/// that cost more: the least of a value and a constant is as consistent as the value.
#ifndef REPLAN_PLANNERS_GUIDE_GUIDE_FIELD_H
#define REPLAN_PLANNERS_GUIDE_GUIDE_FIELD_H

#include "planners/grid/metric.h"
#include "planners/open/buckets.h"

#define RP_GUIDE_FIELD_MOST ((uint32_t)1 << 30)
#define RP_GUIDE_FIELD_NONE UINT32_MAX ///< no path of cells leads to the goal

/// A cell where a field begins, and its value there.
typedef struct rp_guide_seed {
    rp_cell_t cell;
    uint32_t value; ///< at most RP_GUIDE_FIELD_MOST
} rp_guide_seed_t;

typedef struct rp_guide_field {
    const rp_grid_t *layer; ///< borrowed
    uint32_t *values;       ///< by place [cell_count]
    rp_cell_t *loose;       ///< cells whose value was dropped, or may be too great [2 * cell_count]
    uint32_t loose_count;
    uint32_t *before; ///< by place: the value of a cell of `lowered` before the repair [cell_count]
    rp_cell_t *lowered; ///< cells that the last repair since it was marked wrote: those that fell
                        ///< are among them, unless it is_new
    uint32_t lowered_count;
    uint8_t *noted;     ///< bits: the cell stands in `lowered`
    uint32_t marked;    ///< level that values above it count as
    bool is_new;        ///< begun anew since it was marked: nothing is known of what fell
    bool is_resting;    ///< nothing was left to do after the last repair
    uint8_t *doubted;   ///< bits: the cell waits to be asked for its support
    rp_cell_t *put_off; ///< cells that are doubted and wait until all are asked [put_off_count]
    uint32_t put_off_count;
    rp_point_t focus;    ///< values matter on ways from here
    uint32_t focus_most; ///< that cost no more; RP_GUIDE_FIELD_NONE: everywhere
    bool is_clearing;    ///< values of the last goal are being dropped
    uint32_t cleared;    ///< places where they are
    rp_cell_t goal;      ///< that it was begun towards; RP_NO_CELL: none yet
    uint32_t *seeds;     ///< by place: value of a seed, and 1; 0: none [cell_count]
    rp_cell_t *seeded;   ///< cells that are seeds [seeded_count]
    uint32_t seeded_count;
    bool is_weighted; ///< the ground is, even where all of the layer is normal
    bool is_capped;   ///< some value is RP_GUIDE_FIELD_MOST: repairs start over
    uint32_t scale;   ///< of the layer when the field was begun
    rp_metric_t metric;
    rp_buckets_t doubts; ///< cells that wait to be asked, by their values
    rp_buckets_t open;   ///< cells whose neighbours have not heard of their values
    rp_arena_t arena;    ///< owned: all of this
} rp_guide_field_t;

/// @param layer  borrowed: 8 neighbours
/// @param is_weighted  edges cost what those of a weighted grid cost, whether the layer is one or
/// not
/// @return RP_E_MEMORY
rp_status_t rp_guide_field_init(rp_guide_field_t *self, const rp_grid_t *layer, bool is_weighted);
void rp_guide_field_fini(rp_guide_field_t *self);

/// Bytes of its arrays; those that few cells stand in count as far as they are in use.
/// After fini 0.
uint64_t rp_guide_field_bytes(const rp_guide_field_t *self);

/// Begin anew, towards this cell. Time: O(1).
void rp_guide_field_begin(rp_guide_field_t *self, rp_cell_t goal);

/// The same, from seeds in place of the goal. @param seeds  each cell once [count]; 0: no cell has
/// a value then. Time: O(count).
void rp_guide_field_begin_from(rp_guide_field_t *self, rp_cell_t goal, const rp_guide_seed_t *seeds,
                               size_t count);

/// Other seeds for the same goal: values are repaired. Time: O(count), and that of a repair.
void rp_guide_field_reseed(rp_guide_field_t *self, const rp_guide_seed_t *seeds, size_t count);

/// What falls is noted from here on.
/// @param level  greater values count as this
/// Time: O(cells that the last repair wrote).
void rp_guide_field_mark(rp_guide_field_t *self, uint32_t level);

/// Cells of the layer were rewritten. What was under way goes on with them.
/// @param cells  borrowed until return [count]
void rp_guide_field_apply(rp_guide_field_t *self, const rp_cell_t *cells, size_t count);

/// Go on. @param budget  expansions, counted down
/// @return RP_OK when every value is right, RP_MORE when the budget was spent first
rp_status_t rp_guide_field_work(rp_guide_field_t *self, uint64_t *budget);

/// Go on until values up to a level are right, and all others are above it.
rp_status_t rp_guide_field_work_to(rp_guide_field_t *self, uint32_t level, uint64_t *budget);

/// Go on until the least of a value and a level is consistent, and no greater than what is right.
rp_status_t rp_guide_field_relax(rp_guide_field_t *self, uint32_t level, uint64_t *budget);

/// Go on until the field leads from a cell to the goal.
/// @param slack     0: values may be too small where edges went; RP_GUIDE_FIELD_NONE: they shall be
///                  right; else on ways from the cell that cost up to so much more than it did
///                  when this was asked first
/// @param level     written with RP_OK: up to which it leads, some way beyond the value of the
///                  cell; RP_GUIDE_FIELD_NONE: everywhere. It depends on that value only
rp_status_t rp_guide_field_lead(rp_guide_field_t *self, rp_cell_t from, uint32_t slack,
                                uint32_t *level, uint64_t *budget);

/// True when a value up to a level may be too small.
bool rp_guide_field_has_doubts(rp_guide_field_t *self, uint32_t level);

#endif
