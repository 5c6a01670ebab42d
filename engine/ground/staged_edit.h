/// @file
/// Staged edit: the bytes that a world will have after an edit or in another window, prepared in
/// slices beside the bytes that it has. The world stays as it is meanwhile. Applying the edit then
/// swaps the two arrays, or writes the few bytes that differ.
///
///     world        | old | old | old |        planners, questions and mirrors read these
///     staged edit  | new | new | ...          copied, edited, compared: then the two are swapped
///
/// For shapes it holds the bytes beneath the first ones, and the cells that each shape covers. A
/// staged edit is void once its world has another version or is closed; the edit is then applied
/// as any other.
#ifndef REPLAN_ENGINE_GROUND_STAGED_EDIT_H
#define REPLAN_ENGINE_GROUND_STAGED_EDIT_H

#include "replan/engine.h"

#include "engine/ground/world_state.h"

struct rp_staged_edit {
    rp_world_t *world; ///< borrowed; NULL: it is gone, or another staged edit took this one's place
    uint64_t version;  ///< of the world when it was begun
    rp_staged_kind_t of; ///< borrowed
    uint8_t *bytes;      ///< owned [row_count rows]; NULL: none are needed
    uint32_t row_count;
    uint32_t rows; ///< that are copied, and edited by the rectangle
    bool is_ready; ///< nothing is left to do

    // of an edit
    size_t cells;       ///< single cells that are written
    uint32_t compared;  ///< rows
    rp_box_t box;       ///< round what of the edit was written; empty: nothing
    uint32_t *others;   ///< cells whose bytes will be others, owned [RP_WORLD_REWRITTEN_MOST]
    size_t other_count; ///< beyond RP_WORLD_REWRITTEN_MOST not all are counted

    rp_placed_t placed; ///< of a window

    // of shapes
    rp_placed_shape_t *laid; ///< owned [laid_count, with room for all]
    size_t laid_count;       ///< whose cells are found
    size_t covered;          ///< cells, of all of them
};

/// As rp_engine_stage(), of a world that is there.
rp_status_t rp_staged_edit_new(rp_world_t *world, const rp_staged_kind_t *what,
                               rp_staged_edit_t **staged_edit);

/// True when it is one of this world, and ready. @param self  NULL: it is none
bool rp_staged_edit_serves(const rp_staged_edit_t *self, const rp_world_t *world);

/// Make it the world's next version: that of an edit, which is ready.
/// @return RP_E_MEMORY: nothing happens then
rp_status_t rp_staged_edit_apply(rp_staged_edit_t *self);

#endif
