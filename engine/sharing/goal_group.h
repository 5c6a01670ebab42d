/// @file
/// Goal group: sessions of one layer with identical goals. Groups of RP_GOAL_GROUP_SHARES_FROM or
/// more share one cost-to-go field: a change is applied once for all, and a start costs nothing.
/// Smaller groups plan per session.
#ifndef REPLAN_ENGINE_SHARING_GOAL_GROUP_H
#define REPLAN_ENGINE_SHARING_GOAL_GROUP_H

#include "engine/layers/layer.h"
#include "engine/sharing/planner_cache.h"

/// From this many sessions on a goal group has a planner of its own.
#define RP_GOAL_GROUP_SHARES_FROM 8u

struct rp_session;

typedef struct rp_goal_group {
    rp_goal_t *goals; ///< what makes it one group, owned [goal_count]
    size_t goal_count;
    uint64_t key; ///< a hash of the goals: most others differ in it
    uint32_t users;
    uint32_t unsure;             ///< of its sessions, those that wait for a plan
    struct rp_session *last_new; ///< of these, the last that began to wait since the last step,
                                 ///< borrowed; NULL: none
    rp_cached_planner_t search;  ///< without a planner while the group is small
    bool is_busy;                ///< a search for one of its sessions was stopped by the budget
    rp_cell_t *room;             ///< for paths by way of its goal, owned [room_capacity]
    size_t room_capacity;
    uint32_t asked; ///< of its sessions, while a version asks some: the first one's
                    ///< interest, from 1; 0: none
    struct rp_goal_group *asked_next; ///< another such group
} rp_goal_group_t;

/// One group of a table of goal groups.
typedef struct rp_goal_group_slot {
    uint64_t key;           ///< the group's
    rp_goal_group_t *group; ///< NULL: the slot is empty
} rp_goal_group_slot_t;

/// The goal groups of a layer, by their goals: a hash table with linear probing, at most half full.
/// The keys lie in the table, so that it grows without a look at the groups.
typedef struct rp_goal_groups {
    rp_goal_group_slot_t *slots; ///< owned; NULL without groups [slot_count]
    size_t slot_count;           ///< a power of two, or 0
    size_t count;                ///< of groups
} rp_goal_groups_t;

/// Join the group with these goals; there may be none so far.
/// @param goals  copied [count, at least 1]
/// @return NULL without memory. Time: O(count); O(groups of the layer) when the table grows
rp_goal_group_t *rp_goal_group_join(rp_goal_groups_t *groups, const rp_goal_t *goals, size_t count);

/// The last one out ends the group. Accepts NULL.
void rp_goal_group_leave(rp_goal_groups_t *groups, rp_goal_group_t *self);

/// A session waits no more, or leaves the group.
static inline void rp_goal_group_forget_new(rp_goal_group_t *self, const struct rp_session *session)
{
    self->last_new = self->last_new == session ? NULL : self->last_new;
}

/// The search that serves the whole group, made when it is large enough.
/// @param version  the layer's newest
/// @return NULL: each session sees to itself (the group is small, or there is no memory)
rp_cached_planner_t *rp_goal_group_search(rp_goal_group_t *self, rp_planner_cache_t *of,
                                          const rp_layer_t *layer, uint64_t version);

/// Have the search hear of the newest version before anybody plans with it, if that is little, and
/// no session of the group waits for a plan: what one that waits since an older version has to know
/// would be forgotten.
/// @return true when it has heard of it
bool rp_goal_group_hear(rp_goal_group_t *self, const rp_layer_t *layer, uint64_t version);

#endif
