/// @file
/// Known agents: the agents of a world as `replan view` knows them, from answers and lists, and as
/// the view is told of them.
#ifndef REPLAN_TOOLS_KNOWN_AGENTS_H
#define REPLAN_TOOLS_KNOWN_AGENTS_H

#include "msgs/limits.h"
#include "replan/mirror.h"
#include "view/scene.h"

/// An agent as far as it is known.
typedef struct rp_known_agent {
    char name[RP_LIMIT_NAME + 1u];
    uint32_t *path; ///< of the newest answer, in cells of its window, owned [path_count]
    size_t path_count;
    size_t path_capacity;
    uint32_t *drawn; ///< the same in cells of the mirror, from the agent on, owned [drawn_count]
    size_t drawn_count;
    size_t drawn_capacity;
    uint32_t path_width;  ///< cells in a row of its window
    double path_origin_x; ///< of its window, metres
    double path_origin_y;
    uint64_t path_seq;
    Replan__V1__Outcome outcome;
    Replan__V1__Reason reason;
    bool has_pose;
    double x_m;
    double y_m;
    double radius_m;
    double inflation_m;
    uint64_t listed; ///< number of the list that named it last
} rp_known_agent_t;

/// All zero: none is known.
typedef struct rp_known_agents {
    rp_known_agent_t *list; ///< owned [count]
    uint32_t count;
    size_t capacity;
    uint32_t found;        ///< place of the one that was looked for last
    uint64_t lists;        ///< begun so far
    rp_view_agent_t *told; ///< owned [told_capacity]
    size_t told_capacity;
} rp_known_agents_t;

void rp_known_agents_fini(rp_known_agents_t *self);

/// Forget all; the number of lists goes on.
void rp_known_agents_clear(rp_known_agents_t *self);

/// Take an answer in. Without memory the next one is taken.
void rp_known_agents_answer(rp_known_agents_t *self, const Replan__V1__Answer *answer);

/// A list of all agents begins, or goes on, or ends: who is on none of its parts is gone.
void rp_known_agents_begin_list(rp_known_agents_t *self);
void rp_known_agents_list(rp_known_agents_t *self, const Replan__V1__Agents *part);
void rp_known_agents_end_list(rp_known_agents_t *self);

/// @return the place of an agent in the list now; `count` when it is not there
uint32_t rp_known_agents_place(const rp_known_agents_t *self, const char *name);

/// Tell the view of them, in cells of the mirror, whose window may have moved on since an answer.
/// @return `told` [count], borrowed until the next call; NULL without memory
const rp_view_agent_t *rp_known_agents_tell(rp_known_agents_t *self, const rp_mirror_t *mirror);

#endif
