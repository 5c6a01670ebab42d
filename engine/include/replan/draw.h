/// @file
/// Debug drawing: an engine hands cells, paths and expansions to functions of the caller's, which
/// draw them as the game draws. The calls are rp_engine_draw_world(), rp_engine_draw_session() and
/// rp_engine_draw_searches().
///
///     const rp_draw_t draw = {.cell = fill_square, .path = draw_line, .user = &screen};
///     rp_engine_draw_session(engine, session, &draw);
#ifndef REPLAN_DRAW_H
#define REPLAN_DRAW_H

#include "replan/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a search did at a cell.
typedef enum rp_draw_kind {
    RP_DRAW_EXPANDED,
    RP_DRAW_REUSED,  ///< kept from an earlier plan, and not expanded in this one
    RP_DRAW_RAISED,  ///< expanded to take back a cost that was too small
    RP_DRAW_REACHED, ///< together with others, by a search of whole words of cells
} rp_draw_kind_t;

/// Each may be NULL. None may call the engine.
typedef struct rp_draw {
    /// A cell of a world: its byte; of a session: the factor that its planner sees, 0 blocks. The
    /// middle of the cell in metres.
    void (*cell)(double x_m, double y_m, uint8_t value, void *user);

    /// The newest path of a session, the middles of its cells in metres. Not told without a path.
    void (*path)(rp_session_id_t session, const double *x_m, const double *y_m, size_t count,
                 void *user);

    /// A cell of a search for this session, when it happens.
    void (*expansion)(rp_session_id_t session, double x_m, double y_m, rp_draw_kind_t kind,
                      void *user);

    void *user;
} rp_draw_t;

#ifdef __cplusplus
}
#endif

#endif
