/// @file
/// A draft: the bytes of a world as an edit will have them, made ready in slices beside those that
/// stand. The world goes on meanwhile, and nobody sees half of the edit; then one array takes the
/// place of the other, or the few bytes that are others are written.
///
///     world  | old | old | old |        who plans, asks or mirrors goes by these
///     draft  | new | new | ...          copied, edited, compared: then they change places
///
/// A draft is void once its world has another version, or is gone: the edit is then written as any.
#ifndef REPLAN_ENGINE_DRAFT_H
#define REPLAN_ENGINE_DRAFT_H

#include "engine/world.h"

struct rp_draft {
    rp_world_t *world;     ///< borrowed; NULL: it is gone, or another draft took this one's place
    uint64_t version;      ///< of the world when it was begun
    const rp_edit_t *edit; ///< borrowed
    uint8_t *bytes;        ///< owned [cells of the world]
    uint32_t rows;         ///< that are copied, then edited by the rectangle
    size_t cells;          ///< single cells that are written
    uint32_t compared;     ///< rows
    rp_box_t box;          ///< round what of the edit was written; empty: nothing
    uint32_t *others;      ///< cells whose bytes will be others, owned [RP_WORLD_REWRITTEN_MOST]
    size_t other_count;    ///< beyond RP_WORLD_REWRITTEN_MOST not all are counted
};

/// @param edit  borrowed until the draft is destroyed; its rectangle lies inside
/// @return RP_E_UNSUPPORTED when shapes lie on the world; RP_E_MEMORY
rp_status_t rp_draft_new(rp_world_t *world, const rp_edit_t *edit, rp_draft_t **draft);

/// Make it the world's next version: that of a draft that is ready.
/// @return RP_E_MEMORY: nothing happens then
rp_status_t rp_draft_apply(rp_draft_t *self);

#endif
