/// @file
/// A world: its bytes, where they lie in the plane, its version, and the layers that planners see.
#ifndef REPLAN_ENGINE_GROUND_WORLD_STATE_H
#define REPLAN_ENGINE_GROUND_WORLD_STATE_H

#include "replan/world.h"

#include "engine/ground/lazy_fill.h"
#include "engine/ground/overlay.h"
#include "engine/ground/windows.h"
#include "engine/layers/layer.h"

/// The sessions of a world. The world keeps them, and knows nothing of them (session/roster.h).
typedef struct rp_roster rp_roster_t;

typedef struct rp_world {
    uint8_t *bytes;          ///< effective ones, row by row, owned [cells]
    uint64_t cells;          ///< width * height
    rp_lazy_fill_t unfilled; ///< what of the bytes is still to be written
    rp_overlay_t overlay;
    rp_deferred_free_t *deferred_free; ///< what becomes of memory of layers, borrowed; NULL: it is
                                       ///< given back at once
    rp_layer_t *layers[RP_LAYERS_MAX]; ///< owned [layer_count]; the first, always there, is that of
                                       ///< the world's profile without a body
    uint32_t layer_count;
    rp_profile_t *profiles; ///< that the world brought, owned [profile_count]
    size_t profile_count;
    rp_frame_t frame; ///< of the newest window
    rp_windows_t windows;
    double cosine; ///< of the frame's yaw
    double sine;
    uint64_t version;
    rp_staged_edit_t *staged_edit; ///< of an edit to come, borrowed; NULL: none

    // what the newest version rewrote, when shapes were there [rewritten_count]
    uint32_t *rewritten_cells; ///< y * width + x, owned; of a cell that comes twice the last counts
    uint8_t *rewritten_values; ///< owned
    size_t rewritten_count;
    size_t rewritten_capacity;
    bool rewritten_is_kept;

    uint64_t (*cells_hash)(uint64_t first, const uint8_t *bytes, uint64_t count);
    uint64_t hash;          ///< that of the cells that are counted
    uint64_t unknown_count; ///< of these, cells of which nothing is known
    uint64_t counted;       ///< cells, from the first on; bytes that are written keep it right
    rp_roster_t *roster;    ///< borrowed; NULL: no session may be opened
    rp_world_id_t id;
    void *user; ///< the caller's, as it is
} rp_world_t;

/// @param deferred_free  borrowed; takes memory of its layers, and of what plans on them; NULL:
/// none
/// @return RP_E_INVALID, RP_E_UNKNOWN or RP_E_EXISTS (profile), RP_E_MEMORY
rp_status_t rp_world_new(const rp_world_options_t *options, rp_world_id_t id,
                         rp_deferred_free_t *deferred_free, rp_world_t **world);
void rp_world_destroy(rp_world_t **self);

/// True when all bytes are written. No session plans on a world before that.
static inline bool rp_world_is_written(const rp_world_t *self)
{
    return self->unfilled.parts == 0;
}

/// Have all bytes written, at once.
void rp_world_complete(rp_world_t *self);

/// Bytes that the world and its layers hold, searches not counted. Time: O(layers)
uint64_t rp_world_bytes(const rp_world_t *self);

/// True when no cell of the edit lies outside.
bool rp_world_holds_edit(const rp_world_t *self, const rp_edit_t *edit);

/// Write an edit: the next version. On failure nothing is written. An edit that rewrites a large
/// part of the world leaves layers to be derived, and cells to be counted.
/// @return RP_E_INVALID when it reaches outside, RP_E_MEMORY
rp_status_t rp_world_write(rp_world_t *self, const rp_edit_t *edit);

/// Put and remove shapes: the next version. On failure nothing happens.
/// @return RP_E_INVALID, RP_E_LIMIT, RP_E_MEMORY
rp_status_t rp_world_overlay(rp_world_t *world, const rp_overlay_edit_t *edit);

/// Remove the shapes whose time is over: the next version, if there are any.
/// @return false when nothing went
bool rp_world_expire(rp_world_t *world, uint64_t now_us);

/// Become another window: the next version, at which every layer begins anew.
/// @param placed  by rp_windows_place()
/// @param before  written on RP_OK: holds the layers as they were, for planners that are still
/// bound
///                to them; to be destroyed by the caller. NULL when the grids are the same ones
/// @return RP_E_UNSUPPORTED, RP_E_LIMIT, RP_E_MEMORY
rp_status_t rp_world_resize(rp_world_t *self, const rp_placed_t *placed, rp_world_t **before);

/// Go on hashing and counting cells. @param budget  counted down, in expansions that take as long
/// @return true when cells are left
bool rp_world_count(rp_world_t *self, uint64_t *budget);

/// True when all cells are counted.
bool rp_world_is_counted(const rp_world_t *self);

/// The bytes of a row of an edit's rectangle. @return NULL: `fill` everywhere
static inline const uint8_t *rp_edit_row(const rp_edit_t *edit, uint32_t row)
{
    const size_t stride = edit->stride != 0 ? edit->stride : edit->width;
    return edit->data != NULL ? edit->data + row * stride : NULL;
}

/// The rectangle round all cells of an edit. @return false when it has none
bool rp_edit_box(const rp_edit_t *edit, uint32_t world_width, rp_box_t *box);

/// The layer for a body, shared by all bodies with the same needs. To be given back; before its
/// grid is read the layer is derived (rp_layer_derive()).
/// @return RP_E_UNKNOWN (profile), RP_E_INVALID, RP_E_UNSUPPORTED (soft inflation of a profile in
///         which a greater byte may be cheaper), RP_E_LIMIT (RP_LAYERS_MAX), RP_E_MEMORY
rp_status_t rp_world_borrow_layer(rp_world_t *self, const rp_body_t *body, rp_layer_t **layer);

/// What borrowing a layer would say, memory aside.
rp_status_t rp_world_judge_body(const rp_world_t *self, const rp_body_t *body);

/// As rp_engine_layer_key().
uint64_t rp_world_layer_key(const rp_world_t *self, const rp_body_t *body);

/// Give a layer back. The last to do so frees it. @param layer  NULL: nothing happens
void rp_world_return_layer(rp_world_t *self, rp_layer_t *layer);

/// The cell at a point of the frame, after snapping. On a border it is the cell of the greater
/// index; on the closing border the last cell, or cell 0 of a world that wraps. A wrapped world has
/// no outside.
/// @return false when the point lies outside
bool rp_world_cell_at(const rp_world_t *self, double x_m, double y_m, rp_cell_t *cell);

/// A point of the frame as a pose. What lies outside has coordinates, but no cell.
rp_pose_t rp_world_pose_at(const rp_world_t *self, double x_m, double y_m);

// ---- for the files of the world

/// What new cells of a window get.
uint8_t rp_window_fill(const rp_window_t *window, const rp_world_t *world);

/// A row of the window: what stood there, `fill` where there was nothing, and what rectangles
/// state. It may lie on the old one.
/// @param window  placed
/// @param from  the old row [old_width]; NULL: none
/// @param to  written [width of the window]
void rp_window_copy_row(const rp_window_t *window, uint32_t row, uint8_t fill, const uint8_t *from,
                        uint32_t old_width, uint8_t *to);

/// Find the cells of a shape.
/// @param covered  cells of all shapes so far; counted up
/// @param laid  written, owned by the caller, on failure too
/// @return RP_E_INVALID, RP_E_LIMIT (RP_COVERED_MAX), RP_E_MEMORY
rp_status_t rp_world_place_shape(const rp_world_t *world, const rp_shape_t *shape, size_t *covered,
                                 rp_placed_shape_t *laid);
void rp_placed_shape_destroy(rp_placed_shape_t **self, size_t count);

/// Make room for a version that writes up to `count` bytes.
/// @param is_kept  what it rewrites is to be kept
/// @return RP_E_MEMORY
rp_status_t rp_world_begin(rp_world_t *self, size_t count, bool is_kept);

/// Make room for so many cells that a version rewrites. @return false without memory
bool rp_world_reserve_rewritten(rp_world_t *self, size_t count);

/// The bytes are others: count them anew, the first ones at once.
void rp_world_recount(rp_world_t *self);

/// Write an effective byte. @param cell  the same place, in the grids
void rp_world_put(rp_world_t *self, uint64_t index, rp_cell_t cell, uint8_t byte);

/// The version is whole.
void rp_world_commit(rp_world_t *self);

/// Bytes of a version that are others than stood there: beyond so many the layers are derived anew,
/// in slices, as planners search anew after so much.
#define RP_WORLD_REWRITTEN_MOST 32768u

/// rp_world_commit() for a version whose bytes were written without rp_world_put(), all in a box:
/// cells are counted anew, and layers computed anew.
void rp_world_commit_box(rp_world_t *self, const rp_box_t *box);

/// Lay what lies on another overlay on a world without shapes: its next version.
/// @return RP_E_LIMIT, RP_E_MEMORY; nothing happens then
rp_status_t rp_world_carry_shapes(rp_world_t *to, const rp_overlay_t *from);

/// A profile of the world's own, or a built-in one.
/// @param name     NULL: that of the first layer
/// @param profile  written when there is one
/// @return false when there is none
bool rp_world_find_profile(const rp_world_t *self, const char *name, rp_profile_t *profile);

/// Take over the profiles that a new world brings.
/// @return RP_E_INVALID, RP_E_UNKNOWN, RP_E_EXISTS, RP_E_MEMORY
rp_status_t rp_world_take_profiles(rp_world_t *self, const rp_world_options_t *options);

/// Another layer, the last one. @return RP_E_LIMIT, RP_E_INVALID (shape), RP_E_MEMORY
rp_status_t rp_world_add_layer(rp_world_t *self, const rp_grid_shape_t *shape,
                               const rp_profile_t *profile, const rp_inflation_t *inflation);

/// A point of the frame in cells: (0.5, 0.5) is the middle of cell (0, 0). A coordinate within
/// rp_world_snap_at() of a border between cells is that border (snap.h).
void rp_world_point_at(const rp_world_t *self, double x_m, double y_m, double *x, double *y);

/// The same for a corner of a region, which is snapped to middles of cells as well.
void rp_world_corner_at(const rp_world_t *self, double x_m, double y_m, double *x, double *y);

/// How far from a border, in cells, a coordinate of a point of the frame may lie by rounding alone:
/// 8 units in the last place of the greatest of |x|, |y| and the origin's, over the resolution.
double rp_world_snap_at(const rp_world_t *self, double x_m, double y_m);

/// The cell at a point in cells, as of rp_world_cell_at().
/// @return false when the point lies outside
bool rp_world_cell_of(const rp_world_t *self, double x, double y, rp_cell_t *cell);

#endif
