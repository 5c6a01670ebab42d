/// @file
/// Layer: what planners see of a world. A grid of factors, and the changes of the last versions,
/// so that each session can catch up when it has its turn.
#ifndef REPLAN_ENGINE_LAYERS_LAYER_H
#define REPLAN_ENGINE_LAYERS_LAYER_H

#include "replan/grid.h"
#include "replan/planner.h"

#include "engine/layers/components.h"
#include "engine/layers/footprint.h"
#include "engine/layers/inflated.h"
#include "engine/layers/profile.h"
#include "engine/layers/rectangle.h"

/// The factors that one version rewrote.
typedef struct rp_batch {
    uint64_t version;
    size_t count;
    rp_change_t changes[]; ///< each cell once
} rp_batch_t;

/// Where an agent is, in cells: (0.5, 0.5) is the middle of cell (0, 0).
typedef struct rp_pose {
    rp_cell_t cell; ///< that it is in; RP_NO_CELL: outside
    double x;       ///< on a torus within the world
    double y;
    double snap; ///< distances that differ by no more than this are equal
} rp_pose_t;

/// One byte of the world that was written. The world holds the new one already.
typedef struct rp_written {
    uint64_t index; ///< y * width + x
    rp_cell_t cell;
    uint8_t before;
    uint8_t after;
} rp_written_t;

/// What of a layer's ground does not yet say what the world's bytes do.
typedef struct rp_dirty_region {
    rp_box_t marks;   ///< where obstacles are put first; no height: nowhere
    rp_box_t near;    ///< where it is found out then how near they are
    uint32_t column;  ///< of its topmost rows so many columns are done
    rp_box_t factors; ///< where factors and moves come at last
} rp_dirty_region_t;

/// The audience of a layer. The layer keeps it, and knows nothing of it (session/audience.h).
typedef struct rp_audience rp_audience_t;

typedef struct rp_layer {
    rp_profile_t profile;
    const uint8_t *bytes; ///< of the world, row by row, borrowed [width * height]
    rp_grid_t *grid;      ///< owned; not to be searched while some of it is dirty
    rp_dirty_region_t dirty;
    rp_inflated_t *inflated;   ///< owned; NULL: there is no inflation
    rp_footprint_t *footprint; ///< owned, instead of `inflated`; with neither only the cell's own
                               ///< byte counts
    rp_batch_t **batches;      ///< ring, oldest at `first`, owned [capacity, a power of two]
    size_t first;
    size_t count;
    size_t capacity;
    size_t change_count;     ///< in all batches
    uint64_t known_since;    ///< from this version on readers can catch up by batches
    rp_change_t *open_batch; ///< the version being written, owned
    size_t open_batch_count;
    size_t open_batch_capacity;
    uint8_t *in_open_batch;  ///< one bit a cell: stands in `open_batch`, owned
    bool open_batch_is_lost; ///< there was no memory for all of it
    bool has_toggled; ///< a cell became an obstacle or ceased to be one, under inflation perhaps
    rp_rectangle_t toggled_in;   ///< the rectangle of such cells; void unless `has_toggled`
    bool is_rewritten;           ///< the newest version changed some factor, or toggled one
    size_t newest_count;         ///< changes of the newest version, at the beginning of
                                 ///< `open_batch`; void when `lacks_newest`
    bool lacks_newest;           ///< no memory was left to note all of it
    rp_components_t *components; ///< owned; NULL until somebody asks
    bool is_cut;                 ///< some search found that no path led to its goals
    uint32_t users;              ///< how many borrowed it from its world
    rp_audience_t *audience;     ///< owned; NULL: nobody has planned on it so far
    void (*audience_destroy)(rp_audience_t **audience);
} rp_layer_t;

/// A layer of which nothing is derived yet.
/// @param inflation  copied; NULL or without reach: none
/// @param bytes  row by row, borrowed until fini [width * height]
/// @return RP_E_INVALID (shape), RP_E_MEMORY; the layer is void then. Time: O(1) but for fresh
///         memory
rp_status_t rp_layer_init(rp_layer_t *self, const rp_grid_shape_t *shape,
                          const rp_profile_t *profile, const rp_inflation_t *inflation,
                          const uint8_t *bytes, uint64_t version);
void rp_layer_fini(rp_layer_t *self);

/// True when the byte of a cell itself blocks, and not only since an obstacle is near.
/// @param cell  inside
static inline bool rp_layer_is_obstacle(const rp_layer_t *self, rp_cell_t cell)
{
    const rp_grid_t *grid = self->grid;
    return self->profile.is_obstacle[self->bytes[(size_t)rp_grid_y(grid, cell) * grid->shape.width +
                                                 rp_grid_x(grid, cell)]];
}

/// True when the grid says what the world's bytes do.
static inline bool rp_layer_is_whole(const rp_layer_t *self)
{
    return self->dirty.factors.height == 0;
}

/// Derive what is left, as far as the budget goes. A layer is derived before its grid is searched;
/// changes may come between. Readers start over when it is whole.
/// @param version  the world's newest
/// @param budget   counted down, in expansions that take as long
/// @return RP_MORE when the budget was spent first
rp_status_t rp_layer_derive(rp_layer_t *self, uint64_t version, uint64_t *budget);

/// So many bytes in a box changed with this version that the box is to be derived anew.
void rp_layer_mark_dirty(rp_layer_t *self, const rp_box_t *box, uint64_t version);

/// The world's bytes stand elsewhere now. What stands there is another matter.
void rp_layer_rebase(rp_layer_t *self, const uint8_t *bytes);

/// How the layer is inflated, or how large its square body is. @return NULL: neither
const rp_inflation_t *rp_layer_inflation(const rp_layer_t *self);

/// True when a layer for this profile and inflation would be the same.
bool rp_layer_serves(const rp_layer_t *self, const rp_profile_t *profile,
                     const rp_inflation_t *inflation);

/// Make room for a version that writes up to `count` times.
/// @return RP_E_MEMORY
rp_status_t rp_layer_begin(rp_layer_t *self, size_t count);

/// Write one byte; only a factor that changes is noted, and the grid holds it once the version is
/// whole. A cell may be written several times.
void rp_layer_write(rp_layer_t *self, const rp_written_t *written);

/// A cell became an obstacle with the version being written, or ceased to be one.
void rp_layer_note_toggled(rp_layer_t *self, rp_cell_t cell);

/// The version is whole: inflate what came, deflate what went. Without memory for the batch its
/// readers start over. Time: O(cells written + cells near obstacles that came or went * reach)
/// @return number of cells whose factor is another one now
size_t rp_layer_commit(rp_layer_t *self, uint64_t version);

/// No reader can catch up any more: readers start over.
/// @param version  the newest
void rp_layer_forget(rp_layer_t *self, uint64_t version);

/// False when every goal blocks.
bool rp_goals_any_free(const rp_grid_t *grid, const rp_goal_t *goals, size_t count);

/// Whether it is known that no path leads from a free cell to any of these goals, so that no search
/// needs to find that out.
/// @param may_work  label some tiles if that is not known at once; the next call goes on
/// @return false when there may be a path, when every goal is blocked, or when it is not known yet
bool rp_layer_separates(rp_layer_t *self, rp_cell_t start, const rp_goal_t *goals, size_t count,
                        bool may_work);

/// What is connected on the layer as it is now. Time: that of labelling RP_LAYER_TILES tiles.
/// @param components  written on RP_OK
/// @return RP_MORE when tiles are left: the next call goes on; RP_E_MEMORY
rp_status_t rp_layer_components(rp_layer_t *self, const rp_components_t **components);

/// Give their memory back; they are found anew when somebody asks.
void rp_layer_drop_components(rp_layer_t *self);

/// Tiles that are labelled before a session's turn goes on, and what each takes, in expansions.
#define RP_LAYER_TILES     16u
#define RP_LAYER_TILE_COST 512u

/// The first batch after version `heard`; borrowed until the next version.
/// @return NULL when there is none. Not to be asked for versions before `known_since`
const rp_batch_t *rp_layer_next_batch(const rp_layer_t *self, uint64_t heard);

/// True when no factor changed after this version.
bool rp_layer_is_as_at(const rp_layer_t *self, uint64_t version);

/// Bytes that the layer holds, its searches and the world's bytes not counted. Time: O(1)
uint64_t rp_layer_bytes(const rp_layer_t *self);

/// True when so few factors changed after this version that a planner takes them in within some
/// microseconds.
bool rp_layer_is_little(const rp_layer_t *self, uint64_t heard);

/// Tell a planner bound to the layer's grid all that was rewritten after version `heard`.
/// @return RP_E_LIMIT when that is too long ago, or too much to take in between two slices: have it
///         start over, nothing was told; RP_E_MEMORY
rp_status_t rp_layer_catch_up(const rp_layer_t *self, rp_planner_t *planner, uint64_t heard);

#endif
