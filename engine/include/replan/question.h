/// @file
/// Questions about a world that the engine is asked, and what it finds. The calls are in engine.h.
#ifndef REPLAN_QUESTION_H
#define REPLAN_QUESTION_H

#include "replan/session.h"
#include "replan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Handle of a question; 0 means none. It is never given out again.
typedef uint64_t rp_query_id_t;

#define RP_QUERIES_MAX    64u    ///< questions that are open at the same time
#define RP_QUERY_JOBS_MAX 16641u ///< searches of one question: a tile of 129 x 129 cells
#define RP_NO_STEP        255u

typedef enum rp_query_kind {
    RP_QUERY_COSTS, ///< from each of `from` to each of `to`
    RP_QUERY_PROBE, ///< what a change would cost sessions, and who goes from from[i] to to[i]
    RP_QUERY_FIELD, ///< what it costs from each cell around a session to its goals, and whereto
    RP_QUERY_DRIVE, ///< whether a body can drive a curve: rp_engine_drive() in slices
} rp_query_kind_t;

/// A question about a world as it is now or soon. All arrays are borrowed until return. For points
/// the world's own profile counts; for sessions their bodies, and the goals of their last plan. A
/// probe takes them from where they would begin, before the change and after it: where they stand,
/// at the end of a way out of a blocked cell, or on their path beside them. Those with motion get
/// the cheapest curve from the middle of their cell, with their yaw.
typedef struct rp_question {
    rp_query_kind_t kind;
    const rp_destination_t *from; ///< their offsets do not count [from_count]
    size_t from_count;
    const rp_destination_t *to; ///< of a probe as many as `from` [to_count]
    size_t to_count;
    const rp_session_id_t *sessions; ///< of a field or a drive one [session_count]
    size_t session_count;
    const rp_edit_t *edit;             ///< of a probe: the change, which is not made
    uint32_t reach;                    ///< of a field: cells from the session to each side
    const rp_path_segment_t *segments; ///< of a drive: as rp_engine_drive() [segment_count]
    size_t segment_count;
    double radius_m;                    ///< of a drive: of the body; below 0: that of the session
    const rp_polygon_body_t *footprint; ///< of a drive: of the body instead; NULL: none
} rp_question_t;

/// The answer to a question, for one version: the newest one when it was asked, or a later one if a
/// large world changed while it was copied. A cost of -1: no path. All arrays are the engine's.
typedef struct rp_query_result {
    uint64_t version;
    double *costs; ///< in cell lengths: by `to`, then `from`; of a probe by session, then pair; of
                   ///< a field row by row [count]
    double *after; ///< of a probe: the costs with the change [count]
    uint8_t *outcomes; ///< of a probe: an rp_answer_outcome_t each, before the change, then with it
                       ///< [2 * count]
    uint8_t
        *steps; ///< of a field: directions, RP_NO_STEP at a goal and where no path begins [count]
    size_t count;
    uint32_t x; ///< of a field: its cell with the least x and y
    uint32_t y;
    uint32_t width;     ///< of a field: cells
    uint32_t height;    ///< of a field: cells
    rp_status_t status; ///< RP_OK; of a drive RP_E_LIMIT (RP_CURVE_TESTS_MAX): nothing is known
    rp_curve_report_t curve; ///< of a drive; costs[0] is its cost, -1 where it is not free
} rp_query_result_t;

#ifdef __cplusplus
}
#endif

#endif
