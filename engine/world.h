/// @file
/// A world: bytes, frame, version, layers, and the sessions that are not sure of their answer.
#ifndef REPLAN_ENGINE_WORLD_H
#define REPLAN_ENGINE_WORLD_H

#include "replan/engine.h"

#include "engine/layer.h"

typedef struct rp_session rp_session_t;

typedef struct rp_world {
    uint8_t *bytes;                    ///< row by row, owned [width * height]
    rp_layer_t *layers[RP_LAYERS_MAX]; ///< owned [layer_count]; the first, always there, is that of
                                       ///< the world's profile without a body
    uint32_t layer_count;
    rp_profile_t *profiles; ///< that the world brought, owned [profile_count]
    size_t profile_count;
    rp_frame_t frame;
    double cosine; ///< of the frame's yaw
    double sine;
    uint64_t version;
    uint64_t (*cell_hash)(uint64_t index, uint8_t byte);
    uint64_t hash;              ///< XOR of it over all cells
    rp_session_t *unsure_first; ///< waits longest; the list runs by rp_session.unsure_next
    rp_session_t *unsure_last;
    rp_session_t *sessions; ///< all of this world, by rp_session.world_next
    rp_world_id_t id;
} rp_world_t;

/// @return RP_E_INVALID, RP_E_UNKNOWN or RP_E_EXISTS (profile), RP_E_MEMORY
rp_status_t rp_world_new(const rp_world_options_t *options, rp_world_id_t id, rp_world_t **world);
void rp_world_destroy(rp_world_t **self);

/// Write an edit: the next version. On failure nothing is written.
/// @return RP_E_INVALID when it reaches outside, RP_E_MEMORY
rp_status_t rp_world_write(rp_world_t *self, const rp_edit_t *edit);

/// The layer for a body, shared with all who need the same. To be given back.
/// @return RP_E_UNKNOWN (profile), RP_E_INVALID, RP_E_UNSUPPORTED (soft inflation of a profile in
///         which a greater byte may be cheaper), RP_E_LIMIT (RP_LAYERS_MAX), RP_E_MEMORY
/// Time: O(1) when it is there, else O(cells * reach)
rp_status_t rp_world_borrow_layer(rp_world_t *self, const rp_body_t *body, rp_layer_t **layer);

/// What borrowing a layer would say, memory aside.
rp_status_t rp_world_judge_body(const rp_world_t *self, const rp_body_t *body);

/// Nobody needs it any more: it is freed. @param layer  NULL: nothing happens
void rp_world_return_layer(rp_world_t *self, rp_layer_t *layer);

/// The cell at a point of the frame. A wrapped world has no outside.
/// @return false when the point lies outside
bool rp_world_cell_at(const rp_world_t *self, double x_m, double y_m, rp_cell_t *cell);

#endif
