/// The goal groups of a layer form one list. It is searched when a session gets its goals, never
/// while a session plans.
#include "engine/sharing/goal_group.h"

#include <stdlib.h>
#include <string.h>

static uint64_t key_of(const rp_goal_t *goals, size_t count)
{
    uint64_t key = count;
    for (size_t i = 0; i < count; i++) {
        key = (key ^ goals[i].cell) * 0x9e3779b97f4a7c15u;
        key = (key ^ goals[i].offset) * 0x9e3779b97f4a7c15u;
        key ^= key >> 29;
    }
    return key;
}

/// Same goals in the same order.
static bool has_goals(const rp_goal_group_t *self, const rp_goal_t *goals, size_t count)
{
    if (self->goal_count != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (self->goals[i].cell != goals[i].cell || self->goals[i].offset != goals[i].offset) {
            return false;
        }
    }
    return true;
}

static void group_destroy(rp_goal_group_t *self)
{
    rp_cached_planner_drop(&self->search);
    free(self->goals);
    free(self->room);
    free(self);
}

rp_goal_group_t *rp_goal_group_join(rp_goal_group_t **groups, const rp_goal_t *goals, size_t count)
{
    const uint64_t key = key_of(goals, count);
    for (rp_goal_group_t *group = *groups; group != NULL; group = group->next) {
        if (group->key == key && has_goals(group, goals, count)) {
            group->users++;
            return group;
        }
    }
    rp_goal_group_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->goals = malloc(count * sizeof *goals);
    if (self->goals == NULL) {
        group_destroy(self);
        return NULL;
    }
    memcpy(self->goals, goals, count * sizeof *goals);
    self->goal_count = count;
    self->key = key;
    self->users = 1;
    self->next = *groups;
    *groups = self;
    return self;
}

void rp_goal_group_leave(rp_goal_group_t **groups, rp_goal_group_t *self)
{
    if (self == NULL || --self->users != 0) {
        return;
    }
    rp_goal_group_t **link = groups;
    while (*link != self) {
        link = &(*link)->next;
    }
    *link = self->next;
    group_destroy(self);
}

rp_cached_planner_t *rp_goal_group_search(rp_goal_group_t *self, rp_planner_cache_t *of,
                                          const rp_layer_t *layer, uint64_t version)
{
    const bool is_there = self->search.planner != NULL;
    return is_there || (self->users >= RP_GOAL_GROUP_SHARES_FROM &&
                        rp_cached_planner_make(&self->search, of, "flow", NULL, layer->grid,
                                               version) == RP_OK)
               ? &self->search
               : NULL;
}

bool rp_goal_group_hear(rp_goal_group_t *self, const rp_layer_t *layer, uint64_t version)
{
    rp_cached_planner_t *search = &self->search;
    if (search->planner == NULL || search->heard == version) {
        return search->planner != NULL;
    }
    if (self->unsure != 0 || self->is_busy || !rp_layer_is_whole(layer) ||
        !rp_layer_is_little(layer, search->heard) ||
        rp_layer_catch_up(layer, search->planner, search->heard) != RP_OK) {
        return false;
    }
    search->before = search->heard;
    search->heard = version;
    return true;
}
