/// @file
/// An escape story: an engine with one world and some agents, and everything at random that moves
/// them into walls and out again. It remembers what the engine was told, sees the world as each
/// agent does, and knows which poses follow (following_reference.h).
#ifndef REPLAN_TESTS_ESCAPE_STORY_H
#define REPLAN_TESTS_ESCAPE_STORY_H

#include "replan/engine.h"
#include "tests/engine/paths/escape_reference.h"
#include "tests/support/random.h"

#define RP_ESCAPE_STORY_AGENTS 4u
#define RP_ESCAPE_STORY_KINDS  3u
#define RP_ESCAPE_STORY_SHAPES 4u

/// A kind of mover: a body, and what its profile makes of a byte.
typedef struct rp_escape_kind {
    rp_body_t body;
    uint8_t factors[256];
    uint8_t unit;
    bool is_inscribed[256]; ///< blocks, and is no obstacle
} rp_escape_kind_t;

/// An agent, as the engine was told of it.
typedef struct rp_escape_agent {
    rp_session_id_t session;
    uint32_t kind;
    rp_escape_question_t question;
    double follow_radius_m;
    uint64_t judged_seq;                ///< of the answer that was right last; 0: none
    uint64_t noted_seq;                 ///< of the answer when all was settled last; 0: none
    uint32_t left[RP_ESCAPE_CELLS_MAX]; ///< of its way and path
    size_t left_count;
    bool is_known;      ///< nothing but poses came since then
    bool leads;         ///< that answer has a path
    bool may_be_beside; ///< it may have followed beside its line since its last pose
    bool is_hastened;   ///< until all is settled, an answer may come before its optimum
    bool is_posed;      ///< since all was settled
    bool must_keep;     ///< that pose follows, and nothing else has happened
    bool must_leave;    ///< that pose does not follow
} rp_escape_agent_t;

typedef struct rp_escape_story {
    bool is_at_rest; ///< no work is left: no answer comes before its optimum now
    uint64_t seed;
    uint32_t event;
    rp_random_t random;
    rp_engine_t *engine; ///< owned
    rp_world_id_t world;
    rp_world_options_t options;
    uint8_t bytes[RP_ESCAPE_CELLS_MAX];
    rp_escape_kind_t kinds[RP_ESCAPE_STORY_KINDS];
    rp_escape_agent_t agents[RP_ESCAPE_STORY_AGENTS];
    bool has_shape[RP_ESCAPE_STORY_SHAPES];
    uint64_t now_us;
    uint64_t budget;        ///< of a step
    rp_escape_world_t seen; ///< by the kind that was looked through last
} rp_escape_story_t;

uint32_t rp_escape_story_below(rp_escape_story_t *self, uint32_t limit);
bool rp_escape_story_chance(rp_escape_story_t *self, uint32_t percent);

/// Open the engine with a world at random; and agents, each with a pose and a goal.
void rp_escape_story_open(rp_escape_story_t *self);
rp_session_options_t rp_escape_story_options(const rp_escape_story_t *self,
                                             const rp_escape_agent_t *agent, const char *planner);

/// See the world through the eyes of a kind of mover, as it is now.
void rp_escape_story_look(rp_escape_story_t *self, const rp_escape_kind_t *kind);

/// A point of the grid, in cells, as one of the frame in metres.
void rp_escape_story_place(const rp_escape_story_t *self, double x, double y, double *x_m,
                           double *y_m);

/// The cells of way and path of an answer. @return their number
size_t rp_escape_story_cells(const rp_escape_story_t *self, const rp_answer_t *answer,
                             uint32_t *cells);

/// All is settled, and this is the answer of an agent: note what is left of its way and path.
void rp_escape_story_note(rp_escape_story_t *self, rp_escape_agent_t *agent,
                          const rp_answer_t *answer);

/// Tell a pose: somewhere, in a wall more often than not, or where it is said.
void rp_escape_story_pose(rp_escape_story_t *self, rp_escape_agent_t *agent);
void rp_escape_story_pose_at(rp_escape_story_t *self, rp_escape_agent_t *agent, double x, double y);

/// Tell a session the goals of a question, or an agent other goals.
rp_status_t rp_escape_story_aim(const rp_escape_story_t *self, const rp_escape_question_t *question,
                                rp_session_id_t session);
void rp_escape_story_aim_anew(rp_escape_story_t *self, rp_escape_agent_t *agent);

/// Rewrite some cells; put a shape over the world, or take one away.
void rp_escape_story_rewrite(rp_escape_story_t *self);
void rp_escape_story_overlay(rp_escape_story_t *self);

/// Resize the world or shift its origin, if all agents and goals stay inside.
void rp_escape_story_resize(rp_escape_story_t *self);

#endif
