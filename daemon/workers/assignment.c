/// Groups in a hash, layers in a list: worlds have few of them.
#include "daemon/workers/assignment.h"

#include <stdlib.h>

/// A worker that holds the layer is passed over when it has twice the load of another, and more.
#define SLACK 8u

void rp_assignment_fini(rp_assignment_t *self)
{
    rp_session_group_t *group;
    rp_session_group_t *next;
    HASH_ITER(hh, self->groups, group, next)
    {
        HASH_DEL(self->groups, group); // NOLINT(clang-analyzer-unix.Malloc): freed once each
        free(group);
    }
    while (self->layers != NULL) {
        rp_layer_use_t *layer = self->layers;
        self->layers = layer->next;
        free(layer);
    }
}

// ---- layers

rp_layer_use_t *rp_layer_use_enter(rp_assignment_t *self, rp_world_id_t world, uint64_t key,
                                   bool is_everywhere)
{
    rp_layer_use_t *layer = self->layers;
    while (layer != NULL && (layer->world != world || layer->key != key)) {
        layer = layer->next;
    }
    if (layer == NULL) {
        layer = calloc(1, sizeof *layer);
        if (layer == NULL) {
            return NULL;
        }
        layer->key = key;
        layer->world = world;
        layer->is_everywhere = is_everywhere;
        layer->next = self->layers;
        self->layers = layer;
    }
    layer->sessions++;
    return layer;
}

void rp_layer_use_leave(rp_assignment_t *self, rp_layer_use_t *layer)
{
    if (--layer->sessions != 0) {
        return;
    }
    rp_layer_use_t **link = &self->layers;
    while (*link != layer) {
        link = &(*link)->next;
    }
    *link = layer->next;
    free(layer);
}

uint32_t rp_assignment_layers(const rp_assignment_t *self, rp_world_id_t world, uint64_t key,
                              bool *is_known)
{
    uint32_t count = 1;
    *is_known = false;
    for (const rp_layer_use_t *layer = self->layers; layer != NULL; layer = layer->next) {
        count += layer->world == world && !layer->is_everywhere;
        *is_known = *is_known || (layer->world == world && layer->key == key);
    }
    return count;
}

bool rp_assignment_serves(const rp_assignment_t *self, rp_world_id_t world, unsigned worker)
{
    for (const rp_layer_use_t *layer = self->layers; layer != NULL; layer = layer->next) {
        if (layer->world == world && layer->assigned[worker] != 0) {
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

uint64_t rp_session_group_key(const rp_layer_use_t *layer, const rp_aim_t *aim)
{
    uint64_t key = mix(layer->key, &layer->world, sizeof layer->world);
    key = mix(key, &aim->kind, sizeof aim->kind);
    key = mix(key, &aim->target, sizeof aim->target);
    key = mix(key, &aim->tolerance_m, sizeof aim->tolerance_m);
    // Those who gather at one place share its field, wherever they go from there.
    const rp_destination_t *points = aim->rendezvous != NULL ? aim->rendezvous : aim->points;
    for (size_t i = 0; i < aim->count; i++) {
        key = mix(key, &points[i].x_m, sizeof points[i].x_m);
        key = mix(key, &points[i].y_m, sizeof points[i].y_m);
        key = mix(key, &points[i].offset, sizeof points[i].offset);
    }
    return key;
}

static unsigned least_busy(const rp_assignment_t *self, const rp_layer_use_t *layer)
{
    unsigned least = 0;
    unsigned holder = RP_NO_WORKER;
    for (unsigned i = 0; i < self->worker_count; i++) {
        least = self->load[i] < self->load[least] ? i : least;
        if (layer->assigned[i] != 0 && !layer->is_everywhere &&
            (holder == RP_NO_WORKER || self->load[i] < self->load[holder])) {
            holder = i;
        }
    }
    const bool is_overrun =
        holder == RP_NO_WORKER || self->load[holder] > 2u * self->load[least] + SLACK;
    return is_overrun ? least : holder;
}

rp_session_group_t *rp_session_group_join(rp_assignment_t *self, rp_layer_use_t *layer,
                                          uint64_t key, unsigned now_at)
{
    rp_session_group_t *group;
    HASH_FIND(hh, self->groups, &key, sizeof key, group);
    if (group == NULL) {
        group = calloc(1, sizeof *group);
        if (group == NULL) {
            return NULL;
        }
        group->key = key;
        group->worker = now_at != RP_NO_WORKER ? now_at : least_busy(self, layer);
        HASH_ADD(hh, self->groups, key, sizeof group->key, group);
    }
    group->sessions++;
    self->load[group->worker]++;
    layer->assigned[group->worker]++;
    return group;
}

void rp_session_group_leave(rp_assignment_t *self, rp_layer_use_t *layer, rp_session_group_t *group)
{
    self->load[group->worker]--;
    layer->assigned[group->worker]--;
    if (--group->sessions == 0) {
        HASH_DEL(self->groups, group);
        free(group);
    }
}
