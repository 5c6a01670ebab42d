/// @file
/// A herd: the sessions of a layer that go to the same goals. A small one plans one by one, each
/// with a planner that repairs what concerns its own path. From a certain size on one exact field
/// of costs to the goals serves all of them: a change is taken in once, and a start costs nothing.
#ifndef REPLAN_ENGINE_HERD_H
#define REPLAN_ENGINE_HERD_H

#include "engine/layer.h"
#include "engine/searches.h"

/// From this many sessions on a herd has a planner of its own.
#define RP_HERD_SHARES_FROM 8u

typedef struct rp_herd {
    rp_goal_t *goals; ///< what makes it one herd, owned [goal_count]
    size_t goal_count;
    uint64_t key; ///< a hash of the goals: most others differ in it
    uint32_t users;
    uint32_t unsure;    ///< of its sessions, those that wait for a plan
    rp_search_t search; ///< without a planner while the herd is small
    bool is_busy;       ///< a search for one of its sessions was stopped by the budget
    rp_cell_t *room;    ///< for paths by way of its goal, owned [room_capacity]
    size_t room_capacity;
    uint32_t asked;             ///< of its sessions, while a version asks some: the first one's
                                ///< stance, from 1; 0: none
    struct rp_herd *asked_next; ///< another such herd
    struct rp_herd *next;       ///< of the layer
} rp_herd_t;

/// Join the herd with these goals; there may be none so far.
/// @param herds  the layer's list
/// @param goals  copied [count, at least 1]
/// @return NULL without memory. Time: O(herds of the layer)
rp_herd_t *rp_herd_join(rp_herd_t **herds, const rp_goal_t *goals, size_t count);

/// The last one out ends the herd. Accepts NULL.
void rp_herd_leave(rp_herd_t **herds, rp_herd_t *self);

/// The search that serves the whole herd, made when it is large enough.
/// @param version  the layer's newest
/// @return NULL: each session sees to itself (the herd is small, or there is no memory)
rp_search_t *rp_herd_search(rp_herd_t *self, rp_searches_t *of, const rp_layer_t *layer,
                            uint64_t version);

/// Have the search hear of the newest version before anybody plans with it, if that is little, and
/// no session of the herd waits for a plan: what one that waits since an older version has to know
/// would be forgotten.
/// @return true when it has heard of it
bool rp_herd_hear(rp_herd_t *self, const rp_layer_t *layer, uint64_t version);

#endif
