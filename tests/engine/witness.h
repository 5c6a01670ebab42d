/// @file
/// A witness: remembers what every agent of a world was told, works out by itself what it should be
/// told, and holds each answer against that, before the world is settled too. It shares nothing
/// with the engine but bytes and frame: ground of a body, goals of an aim, ways out of obstacles
/// and costs (oracle.h) stand here once more.
#ifndef REPLAN_TESTS_WITNESS_H
#define REPLAN_TESTS_WITNESS_H

#include "replan/engine.h"

#include "tests/support/oracle.h"

#define RP_WITNESS_BODIES 5u
#define RP_WITNESS_AGENTS 64u
#define RP_WITNESS_POINTS 4u
#define RP_WITNESS_PLACES 40000u ///< of the largest world
#define RP_NOBODY         UINT32_MAX

/// A kind of mover: what was asked of the engine, and what that means.
typedef struct rp_kind {
    rp_body_t body;
    uint8_t factors[256];   ///< of the profile, by byte
    bool is_inscribed[256]; ///< bytes that block and are no obstacles
    uint8_t unit;
} rp_kind_t;

typedef struct rp_witness_agent {
    rp_session_id_t id; ///< 0: it is not there
    uint32_t kind;
    rp_policy_t policy;
    double escape_m;
    bool has_pose;
    double x_m;
    double y_m;
    uint64_t pose_seq;
    bool has_aim;
    rp_aim_t aim;
    rp_destination_t points[RP_WITNESS_POINTS];
    uint32_t target;     ///< another agent; RP_NOBODY: not there
    uint32_t waypoint;   ///< that it was sure to go to last
    uint64_t true_until; ///< newest version for which the engine was seen to be sure of it
    uint64_t judged;     ///< a hash of what was judged last
    double found_x_m;    ///< the pose from which its way out of an obstacle was found to be right
    double found_y_m;
    uint64_t found_seq;    ///< of the answer then
    uint64_t found_ground; ///< sum of what it saw of the world then
    uint64_t taken_seq;    ///< of the answer that was taken last; 0: none
    uint32_t taken_count;
    uint8_t *taken; ///< its steps, owned
} rp_witness_agent_t;

/// The world as it was at a version.
typedef struct rp_past_ground {
    uint8_t *bytes; ///< owned [width * height]
    uint32_t width;
    uint32_t height;
    double origin_x_m;
    double origin_y_m;
} rp_past_ground_t;

typedef struct rp_witness {
    rp_engine_t *engine; ///< borrowed
    rp_world_id_t world;
    uint8_t neighbors;
    bool wraps;
    double resolution_m;
    uint64_t now_us;
    rp_kind_t kinds[RP_WITNESS_BODIES];
    uint32_t kind_count;
    rp_witness_agent_t agents[RP_WITNESS_AGENTS];
    uint32_t agent_count;
    rp_past_ground_t *past; ///< by version - 1, owned [past_count]
    uint64_t past_count;
    uint64_t settled;     ///< the greatest that was said
    uint64_t settled_but; ///< the same without those who are overdue
    uint64_t judged;      ///< answers, so far
    uint64_t provisional; ///< of these, those that came before their optimum

    // ground and costs, kept from one question to the next
    rp_oracle_t *oracles[RP_WITNESS_BODIES];
    uint64_t laid[RP_WITNESS_BODIES];    ///< version
    uint64_t flooded[RP_WITNESS_BODIES]; ///< a hash of the goals flooded from
    rp_oracle_goal_t goals[RP_WITNESS_PLACES];
    size_t goal_count;
    uint32_t endpoints[RP_WITNESS_PLACES]; ///< of the shortest ways out of the place asked for last
    size_t end_count;
    bool endpoints_reach;  ///< goals can be reached from them; else from none
    int64_t way_straights; ///< length of these ways
    int64_t way_diagonals;
    int64_t beyond[RP_WITNESS_PLACES][2]; ///< whole coordinates of points that lie outside
    size_t beyond_count;
    char complaint[200];
} rp_witness_t;

/// Begin with an engine that has one world, and kinds that are filled in.
void rp_witness_begin(rp_witness_t *self, rp_engine_t *engine, rp_world_id_t world);
void rp_witness_end(rp_witness_t *self);

/// Something happened: take down what the world is now. At most one version was made.
void rp_witness_look(rp_witness_t *self);

/// The world now.
const rp_past_ground_t *rp_witness_ground(const rp_witness_t *self);

/// The place of a point; RP_ORACLE_NO_PLACE outside.
uint32_t rp_witness_place(const rp_witness_t *self, const rp_past_ground_t *ground, double x_m,
                          double y_m);

/// To be called for each agent after each event: how far the engine may say that it was sure.
void rp_witness_note(rp_witness_t *self, uint32_t agent);

/// Hold what the engine says of one agent now against the truth, unless that was done already.
/// @param is_at_rest  time alone changes nothing any more
/// @return NULL, or a sentence
const char *rp_witness_judge(rp_witness_t *self, uint32_t agent, bool is_at_rest);

/// What is wrong, with what was published and what is true, in the witness's own memory.
const char *rp_witness_complain(rp_witness_t *self, const char *what, double published,
                                double truth);

/// The same for `settled`, and, when nothing is left to do, for what must be done then.
const char *rp_witness_judge_world(rp_witness_t *self, bool is_at_rest);

/// An answer was taken: does it follow the one before as its splice says?
const char *rp_witness_take(rp_witness_t *self, const rp_answer_t *answer);

/// What it costs by the world's own profile from one point to another at a version, in cell
/// lengths; -1: no path.
double rp_witness_cost(rp_witness_t *self, uint64_t version, const rp_destination_t *from,
                       const rp_destination_t *to);

#endif
