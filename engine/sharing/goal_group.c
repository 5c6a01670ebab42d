/// The goal groups of a layer form one hash table. It is searched when a session gets its goals,
/// never while a session plans.
#include "engine/sharing/goal_group.h"

#include <stdlib.h>
#include <string.h>

/// Slots of a table with its first group.
#define SLOTS_LEAST 8u

// ---- a group

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

static rp_goal_group_t *group_new(const rp_goal_t *goals, size_t count, uint64_t key)
{
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
    return self;
}

// ---- the table

/// The slot of a key that is `steps` away from its own one.
static size_t slot_at(const rp_goal_groups_t *self, uint64_t key, size_t steps)
{
    return ((size_t)key + steps) & (self->slot_count - 1u);
}

/// The slot of the group with these goals, or the empty one where it belongs.
static rp_goal_group_slot_t *find_slot(const rp_goal_groups_t *self, const rp_goal_t *goals,
                                       size_t count, uint64_t key)
{
    for (size_t steps = 0;; steps++) {
        rp_goal_group_slot_t *slot = &self->slots[slot_at(self, key, steps)];
        if (slot->group == NULL || (slot->key == key && has_goals(slot->group, goals, count))) {
            return slot;
        }
    }
}

/// Put a group that is not there into the first empty slot from its own one on.
static void put(const rp_goal_groups_t *self, const rp_goal_group_slot_t *filled)
{
    size_t steps = 0;
    while (self->slots[slot_at(self, filled->key, steps)].group != NULL) {
        steps++;
    }
    self->slots[slot_at(self, filled->key, steps)] = *filled;
}

/// Have room for one more group. @return false without memory
static bool make_room(rp_goal_groups_t *self)
{
    if (2u * (self->count + 1u) <= self->slot_count) {
        return true;
    }
    rp_goal_groups_t larger = {.slot_count =
                                   self->slot_count == 0 ? SLOTS_LEAST : 2u * self->slot_count,
                               .count = self->count};
    larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
    if (larger.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < self->slot_count; i++) {
        if (self->slots[i].group != NULL) {
            put(&larger, &self->slots[i]);
        }
    }
    free(self->slots);
    *self = larger;
    return true;
}

/// Empty a slot; groups behind it that were to stand nearer to their own slot move up.
static void empty_slot(rp_goal_groups_t *self, size_t slot)
{
    const size_t mask = self->slot_count - 1u;
    for (size_t next = (slot + 1u) & mask; self->slots[next].group != NULL;
         next = (next + 1u) & mask) {
        const size_t from_own = (next - (size_t)self->slots[next].key) & mask;
        if (from_own >= ((next - slot) & mask)) {
            self->slots[slot] = self->slots[next];
            slot = next;
        }
    }
    self->slots[slot].group = NULL;
    if (--self->count == 0) {
        free(self->slots);
        *self = (rp_goal_groups_t){0};
    }
}

// ---- who comes and goes

rp_goal_group_t *rp_goal_group_join(rp_goal_groups_t *groups, const rp_goal_t *goals, size_t count)
{
    const uint64_t key = key_of(goals, count);
    if (!make_room(groups)) {
        return NULL;
    }
    rp_goal_group_slot_t *slot = find_slot(groups, goals, count, key);
    if (slot->group == NULL) {
        *slot = (rp_goal_group_slot_t){key, group_new(goals, count, key)};
        groups->count += slot->group != NULL;
    }
    if (slot->group != NULL) {
        slot->group->users++;
    }
    return slot->group;
}

void rp_goal_group_leave(rp_goal_groups_t *groups, rp_goal_group_t *self)
{
    if (self == NULL || --self->users != 0) {
        return;
    }
    empty_slot(groups, (size_t)(find_slot(groups, self->goals, self->goal_count, self->key) -
                                groups->slots));
    group_destroy(self);
}

// ---- the search that they share

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
