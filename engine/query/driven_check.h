/// @file
/// Driven check: a curve of a client's own, held against a world in slices. What it needs of
/// session and world is copied, but for the bytes.
#ifndef REPLAN_ENGINE_QUERY_DRIVEN_CHECK_H
#define REPLAN_ENGINE_QUERY_DRIVEN_CHECK_H

#include "engine/paths/curve_check.h"
#include "engine/session/session_state.h"
#include "replan/question.h"

typedef struct rp_driven_check {
    rp_grid_shape_t shape;
    rp_frame_t frame;
    rp_profile_t profile;
    rp_vehicle_t vehicle;
    rp_curve_scene_t scene;      ///< of these
    rp_path_segment_t *segments; ///< owned [count]
    size_t count;
    uint32_t first_row; ///< of the bytes that it reads
    uint32_t end_row;   ///< the first one that it does not read
    rp_curve_check_t check;
} rp_driven_check_t;

/// @param curve  as of rp_question_t: segments, radius, footprint
/// @return RP_E_INVALID (radius, footprint); RP_E_UNSUPPORTED (no body, nor motion), RP_E_MEMORY
rp_status_t rp_driven_check_new(const rp_session_t *session, const rp_question_t *curve,
                                rp_driven_check_t **check);
void rp_driven_check_destroy(rp_driven_check_t **self);

/// @param bytes   of the world, row by row: the same each time, between first_row and end_row
/// @param budget  counted down
/// @param report  written with RP_OK; the same one each time
/// @return as rp_curve_check_work()
rp_status_t rp_driven_check_work(rp_driven_check_t *self, const uint8_t *bytes, uint64_t *budget,
                                 rp_curve_report_t *report);

#endif
