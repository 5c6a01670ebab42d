/// How a world begins, with its first bytes, and how it ends.
#include "engine/ground/world_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ground/staged_edit.h"

static bool frame_is_legal(const rp_frame_t *frame)
{
    return isfinite(frame->resolution_m) && frame->resolution_m > 0.0 &&
           isfinite(frame->origin_x_m) && isfinite(frame->origin_y_m) &&
           isfinite(frame->origin_yaw);
}

/// The first bytes: those that the options give or name, else the same one everywhere.
/// @param normal  the byte of normal ground
static rp_status_t take_bytes(rp_world_t *self, const rp_world_options_t *options, uint8_t normal)
{
    if (options->given != NULL) {
        self->bytes = options->given;
        return RP_OK;
    }
    self->bytes = malloc(self->cells);
    if (self->bytes == NULL) {
        return RP_E_MEMORY;
    }
    if (options->data != NULL) {
        memcpy(self->bytes, options->data, self->cells);
    } else {
        rp_lazy_fill_init(&self->unfilled, self->bytes, self->cells,
                          options->is_filled ? options->fill : normal);
    }
    return RP_OK;
}

rp_status_t rp_world_new(const rp_world_options_t *options, rp_world_id_t id,
                         rp_deferred_free_t *deferred_free, rp_world_t **world)
{
    if (options->width == 0 || options->height == 0 || options->width > RP_GRID_SIDE_MAX ||
        options->height > RP_GRID_SIDE_MAX || !frame_is_legal(&options->frame)) {
        return RP_E_INVALID;
    }
    const rp_grid_shape_t shape = {
        .width = options->width,
        .height = options->height,
        .neighbors = options->neighbors,
        .wraps = options->wraps,
    };
    rp_world_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    rp_profile_t profile;
    rp_status_t status = rp_world_take_profiles(self, options);
    if (status != RP_OK) {
        goto fail;
    }
    if (!rp_world_find_profile(self, options->profile, &profile)) {
        status = RP_E_UNKNOWN;
        goto fail;
    }
    self->cells = (uint64_t)options->width * options->height;
    status = take_bytes(self, options, profile.normal);
    if (status != RP_OK) {
        goto fail;
    }
    self->cells_hash = options->cells_hash;
    self->deferred_free = deferred_free;
    rp_overlay_init(&self->overlay);
    self->id = id;
    self->version = options->first_version != 0 ? options->first_version : 1u;
    self->frame = options->frame;
    if (options->windows != NULL) {
        const rp_known_window_t *newest = rp_windows_find(options->windows, 0);
        if (newest->width != options->width || newest->height != options->height) {
            status = RP_E_INVALID;
            goto fail;
        }
        self->windows = *options->windows;
    } else {
        rp_windows_init(&self->windows, &options->frame, options->width, options->height);
    }
    self->cosine = cos(options->frame.origin_yaw);
    self->sine = sin(options->frame.origin_yaw);
    const rp_inflation_t none = {.reach = 0};
    status = rp_world_add_layer(self, &shape, &profile, &none);
    if (status != RP_OK) {
        goto fail;
    }
    rp_world_recount(self);
    *world = self;
    return RP_OK;
fail:
    self->bytes = self->bytes == options->given ? NULL : self->bytes; // still the caller's
    rp_world_destroy(&self);
    return status;
}

void rp_world_destroy(rp_world_t **self)
{
    rp_world_t *world = *self;
    if (world == NULL) {
        return;
    }
    for (uint32_t i = 0; i < world->layer_count; i++) {
        rp_layer_fini(world->layers[i]);
        free(world->layers[i]);
    }
    if (world->staged_edit != NULL) {
        world->staged_edit->world = NULL;
    }
    rp_overlay_fini(&world->overlay);
    free(world->rewritten_cells);
    free(world->rewritten_values);
    free(world->profiles);
    free(world->bytes);
    free(world);
    *self = NULL;
}
