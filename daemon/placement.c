/// Groups in a hash, layers in a list: worlds have few of them.
#include "daemon/placement.h"

#include <stdlib.h>

/// A worker that holds the layer is passed over when it has twice the load of another, and more.
#define SLACK 8u

void rp_placement_fini(rp_placement_t *self)
{
    rp_group_t *group;
    rp_group_t *next;
    HASH_ITER(hh, self->groups, group, next)
    {
        HASH_DEL(self->groups, group); // NOLINT(clang-analyzer-unix.Malloc): freed once each
        free(group);
    }
    while (self->lodgings != NULL) {
        rp_lodging_t *lodging = self->lodgings;
        self->lodgings = lodging->next;
        free(lodging);
    }
}

// ---- layers

rp_lodging_t *rp_lodging_enter(rp_placement_t *self, rp_world_id_t world, uint64_t key,
                               bool is_everywhere)
{
    rp_lodging_t *lodging = self->lodgings;
    while (lodging != NULL && (lodging->world != world || lodging->key != key)) {
        lodging = lodging->next;
    }
    if (lodging == NULL) {
        lodging = calloc(1, sizeof *lodging);
        if (lodging == NULL) {
            return NULL;
        }
        lodging->key = key;
        lodging->world = world;
        lodging->is_everywhere = is_everywhere;
        lodging->next = self->lodgings;
        self->lodgings = lodging;
    }
    lodging->sessions++;
    return lodging;
}

void rp_lodging_leave(rp_placement_t *self, rp_lodging_t *lodging)
{
    if (--lodging->sessions != 0) {
        return;
    }
    rp_lodging_t **link = &self->lodgings;
    while (*link != lodging) {
        link = &(*link)->next;
    }
    *link = lodging->next;
    free(lodging);
}

uint32_t rp_placement_layers(const rp_placement_t *self, rp_world_id_t world, uint64_t key,
                             bool *is_known)
{
    uint32_t count = 1;
    *is_known = false;
    for (const rp_lodging_t *lodging = self->lodgings; lodging != NULL; lodging = lodging->next) {
        count += lodging->world == world && !lodging->is_everywhere;
        *is_known = *is_known || (lodging->world == world && lodging->key == key);
    }
    return count;
}

bool rp_placement_serves(const rp_placement_t *self, rp_world_id_t world, unsigned worker)
{
    for (const rp_lodging_t *lodging = self->lodgings; lodging != NULL; lodging = lodging->next) {
        if (lodging->world == world && lodging->seated[worker] != 0) {
            return true;
        }
    }
    return false;
}

// ---- groups

static uint64_t mix(uint64_t key, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        key = (key ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    }
    return key;
}

uint64_t rp_group_key(const rp_lodging_t *lodging, const rp_aim_t *aim)
{
    uint64_t key = mix(lodging->key, &lodging->world, sizeof lodging->world);
    key = mix(key, &aim->kind, sizeof aim->kind);
    key = mix(key, &aim->target, sizeof aim->target);
    key = mix(key, &aim->tolerance_m, sizeof aim->tolerance_m);
    // Those who gather at one place share its field, wherever they go from there.
    const rp_destination_t *points = aim->rally != NULL ? aim->rally : aim->points;
    for (size_t i = 0; i < aim->count; i++) {
        key = mix(key, &points[i].x_m, sizeof points[i].x_m);
        key = mix(key, &points[i].y_m, sizeof points[i].y_m);
        key = mix(key, &points[i].offset, sizeof points[i].offset);
    }
    return key;
}

static unsigned least_busy(const rp_placement_t *self, const rp_lodging_t *lodging)
{
    unsigned least = 0;
    unsigned holder = RP_NO_WORKER;
    for (unsigned i = 0; i < self->worker_count; i++) {
        least = self->load[i] < self->load[least] ? i : least;
        if (lodging->seated[i] != 0 && !lodging->is_everywhere &&
            (holder == RP_NO_WORKER || self->load[i] < self->load[holder])) {
            holder = i;
        }
    }
    const bool is_overrun =
        holder == RP_NO_WORKER || self->load[holder] > 2u * self->load[least] + SLACK;
    return is_overrun ? least : holder;
}

rp_group_t *rp_group_join(rp_placement_t *self, rp_lodging_t *lodging, uint64_t key,
                          unsigned now_at)
{
    rp_group_t *group;
    HASH_FIND(hh, self->groups, &key, sizeof key, group);
    if (group == NULL) {
        group = calloc(1, sizeof *group);
        if (group == NULL) {
            return NULL;
        }
        group->key = key;
        group->worker = now_at != RP_NO_WORKER ? now_at : least_busy(self, lodging);
        HASH_ADD(hh, self->groups, key, sizeof group->key, group);
    }
    group->sessions++;
    self->load[group->worker]++;
    lodging->seated[group->worker]++;
    return group;
}

void rp_group_leave(rp_placement_t *self, rp_lodging_t *lodging, rp_group_t *group)
{
    self->load[group->worker]--;
    lodging->seated[group->worker]--;
    if (--group->sessions == 0) {
        HASH_DEL(self->groups, group);
        free(group);
    }
}
