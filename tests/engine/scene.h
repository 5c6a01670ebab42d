/// @file
/// A scene: an engine with one world drawn as text, sessions placed by cells, and a judge that
/// holds what a session says against the oracle.
#ifndef REPLAN_TESTS_SCENE_H
#define REPLAN_TESTS_SCENE_H

#include "engine/ground/world_state.h"
#include "replan/engine.h"
#include "tests/support/oracle.h"

#define RP_SCENE_GOALS_MAX 4u

/// What a session was told last, as cells; a place is y * width + x.
typedef struct rp_scene_goal_spec {
    uint32_t start; ///< RP_ORACLE_NO_PLACE: outside
    double off_x;   ///< from the middle of that place, in cells
    double off_y;
    rp_oracle_goal_t goals[RP_SCENE_GOALS_MAX];
    size_t goal_count;            ///< those inside; 0: every goal lies outside
    uint32_t switch_gain_percent; ///< of its policy: a path may be kept that is dearer by less
} rp_scene_goal_spec_t;

typedef struct rp_scene {
    rp_engine_t *engine;
    rp_world_id_t world;
    rp_oracle_t *oracle;
    bool is_costmap;
    rp_policy_t policy; ///< of the sessions to come
    uint64_t now_us;    ///< the clock that steps are told
    char complaint[160];
} rp_scene_t;

/// An engine with one world, resolution 1, its corner at (0, 0).
/// @param data  row by row, NULL: normal ground
void rp_scene_open(rp_scene_t *self, const rp_world_options_t *options);

/// The same of a drawing (drawing.h), 8 neighbours.
void rp_scene_draw(rp_scene_t *self, const char *text);
void rp_scene_close(rp_scene_t *self);

/// Lay all layers of a world, as the sessions would that need them.
void rp_scene_derive(rp_world_t *world);

/// A session in the middle of a cell, bound for the middle of another.
rp_session_id_t rp_scene_session(rp_scene_t *self, const char *planner, uint32_t x, uint32_t y,
                                 uint32_t goal_x, uint32_t goal_y);

/// The middle of a cell.
rp_status_t rp_scene_pose(rp_scene_t *self, rp_session_id_t session, uint32_t x, uint32_t y);
rp_status_t rp_scene_goal(rp_scene_t *self, rp_session_id_t session, uint32_t x, uint32_t y);

/// Write one cell. @return the version
uint64_t rp_scene_set(rp_scene_t *self, uint32_t x, uint32_t y, uint8_t byte);

/// Step until no work is left.
void rp_scene_settle(rp_scene_t *self);

/// Settle, and the one answer that comes of it; fails when there is none, or another.
rp_answer_t rp_scene_answer(rp_scene_t *self);

/// Settle, and fail when anything is said.
void rp_scene_expect_silence(rp_scene_t *self);

/// Hold an answer that is sure against the world as it is now. @return NULL, or a sentence
const char *rp_scene_judge(rp_scene_t *self, const rp_answer_t *answer,
                           const rp_scene_goal_spec_t *goal_spec);

#endif
