/// The profiles that a world knows, and the layers that its sessions share.
#include "engine/ground/world_state.h"

#include <stdlib.h>
#include <string.h>

// ---- profiles

bool rp_world_find_profile(const rp_world_t *self, const char *name, rp_profile_t *profile)
{
    if (name == NULL && self->layer_count != 0) {
        *profile = self->layers[0]->profile;
        return true;
    }
    for (size_t i = 0; i < self->profile_count && name != NULL; i++) {
        if (strcmp(self->profiles[i].name, name) == 0) {
            *profile = self->profiles[i];
            return true;
        }
    }
    return rp_profile_find(name, profile);
}

rp_status_t rp_world_take_profiles(rp_world_t *self, const rp_world_options_t *options)
{
    if (options->profile_count > RP_PROFILES_MAX ||
        (options->profiles == NULL && options->profile_count != 0)) {
        return RP_E_INVALID;
    }
    self->profiles = malloc((options->profile_count + 1u) * sizeof *self->profiles);
    if (self->profiles == NULL) {
        return RP_E_MEMORY;
    }
    for (size_t i = 0; i < options->profile_count; i++) {
        rp_profile_t same;
        if (options->profiles[i].name == NULL) {
            return RP_E_INVALID;
        }
        if (rp_world_find_profile(self, options->profiles[i].name, &same)) {
            return RP_E_EXISTS;
        }
        const rp_status_t status = rp_profile_make(&options->profiles[i], &self->profiles[i]);
        if (status != RP_OK) {
            return status;
        }
        self->profile_count++;
    }
    return RP_OK;
}

// ---- layers

rp_status_t rp_world_add_layer(rp_world_t *self, const rp_grid_shape_t *shape,
                               const rp_profile_t *profile, const rp_inflation_t *inflation)
{
    if (self->layer_count == RP_LAYERS_MAX) {
        return RP_E_LIMIT;
    }
    rp_layer_t *layer = malloc(sizeof *layer);
    if (layer == NULL) {
        return RP_E_MEMORY;
    }
    const rp_status_t status =
        rp_layer_init(layer, shape, profile, inflation, self->bytes, self->version);
    if (status != RP_OK) {
        free(layer);
        return status;
    }
    layer->grid->deferred_free = self->deferred_free;
    self->layers[self->layer_count++] = layer;
    return RP_OK;
}

/// What a body needs, and where the layer for it stands.
/// @param place  layer_count when it is not there yet
static rp_status_t find_layer(const rp_world_t *self, const rp_body_t *body, rp_profile_t *profile,
                              rp_inflation_t *inflation, uint32_t *place)
{
    if (!rp_world_find_profile(self, body->profile, profile)) {
        return RP_E_UNKNOWN;
    }
    const rp_status_t status = rp_inflation_make(inflation, body, self->frame.resolution_m);
    if (status != RP_OK) {
        return status;
    }
    if (inflation->is_soft && !profile->is_graded) {
        return RP_E_UNSUPPORTED;
    }
    *place = 0;
    while (*place < self->layer_count &&
           !rp_layer_serves(self->layers[*place], profile, inflation)) {
        (*place)++;
    }
    return *place < RP_LAYERS_MAX ? RP_OK : RP_E_LIMIT;
}

rp_status_t rp_world_judge_body(const rp_world_t *self, const rp_body_t *body)
{
    rp_profile_t profile;
    rp_inflation_t inflation;
    uint32_t place;
    return find_layer(self, body, &profile, &inflation, &place);
}

/// FNV-1a.
static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    }
    return hash;
}

uint64_t rp_world_layer_key(const rp_world_t *self, const rp_body_t *body)
{
    rp_profile_t profile;
    rp_inflation_t inflation;
    uint32_t place;
    const rp_status_t status = find_layer(self, body, &profile, &inflation, &place);
    if (status != RP_OK && status != RP_E_LIMIT) {
        return 0;
    }
    uint64_t hash = mix(0xcbf29ce484222325u, profile.name, strlen(profile.name));
    if (inflation.reach != 0) {
        hash = mix(hash, &inflation.side, sizeof inflation.side);
        hash = mix(hash, &inflation.reach, sizeof inflation.reach);
        hash = mix(hash, inflation.cost, (size_t)inflation.reach * inflation.reach + 1u);
    }
    return hash != 0 ? hash : 1u;
}

rp_status_t rp_world_borrow_layer(rp_world_t *self, const rp_body_t *body, rp_layer_t **layer)
{
    rp_profile_t profile;
    rp_inflation_t inflation;
    uint32_t place;
    rp_status_t status = find_layer(self, body, &profile, &inflation, &place);
    if (status == RP_OK && place == self->layer_count) {
        status = rp_world_add_layer(self, &self->layers[0]->grid->shape, &profile, &inflation);
    }
    if (status == RP_OK) {
        *layer = self->layers[place];
        (*layer)->users++;
    }
    return status;
}

void rp_world_return_layer(rp_world_t *self, rp_layer_t *layer)
{
    if (layer == NULL || --layer->users != 0 || layer == self->layers[0]) {
        return;
    }
    uint32_t place = 1;
    while (self->layers[place] != layer) {
        place++;
    }
    self->layers[place] = self->layers[--self->layer_count];
    rp_layer_fini(layer);
    free(layer);
}
