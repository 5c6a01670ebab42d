/// Cells out of pictures, with a YAML or without.
#include <stdlib.h>

#include "files/map_formats.h"

typedef struct picture {
    const char *name;
    const rp_occupancy_rule_t *rule;
    bool flips;
    rp_image_t image;
    rp_map_t *map;
    rp_complaint_t *complaint;
} picture_t;

static rp_status_t begin(void *user, const rp_image_t *image)
{
    picture_t *self = user;
    self->image = *image;
    self->map->width = image->width;
    self->map->height = image->height;
    self->map->bytes = malloc((size_t)image->width * image->height);
    return self->map->bytes != NULL ? RP_OK : rp_complain_memory(self->complaint, self->name);
}

static uint8_t byte_of(rp_map_profile_t profile, int occupancy)
{
    if (profile == RP_MAP_COSTMAP) {
        return rp_occupancy_byte(occupancy);
    }
    return occupancy == RP_OCCUPANCY_UNKNOWN ? UINT8_MAX : occupancy < RP_OCCUPANCY_OCCUPIED;
}

static void take(void *user, const rp_pixel_run_t *run)
{
    picture_t *self = user;
    const rp_map_t *map = self->map;
    const uint32_t y = self->flips ? map->height - 1u - run->y : run->y;
    uint8_t *row = map->bytes + (size_t)y * map->width;
    for (uint32_t i = 0; i < run->count; i++) {
        const int occupancy = rp_occupancy_of(self->rule, &self->image, &run->pixels[i]);
        row[run->x + (size_t)i * run->step] = byte_of(map->profile, occupancy);
    }
}

rp_status_t rp_picture_read(const rp_text_t *text, const rp_occupancy_rule_t *rule, bool flips,
                            rp_map_t *map, rp_complaint_t *complaint)
{
    const rp_image_format_t *format = rp_image_format_of(text);
    if (format == NULL) {
        const char *foreign = rp_image_foreign(text);
        return rp_complain_at(complaint, text->name, 0, "%s, not a PNG or PGM (P2, P5)",
                              foreign != NULL ? foreign : "no picture that is known");
    }
    rp_map_t self = {.profile = map->profile, .frame = map->frame};
    picture_t picture = {
        .name = text->name, .rule = rule, .flips = flips, .map = &self, .complaint = complaint};
    const rp_image_sink_t sink = {begin, take, &picture};
    const rp_status_t status = format->read(text, &sink, complaint);
    if (status != RP_OK) {
        rp_map_fini(&self);
        return status;
    }
    *map = self;
    return RP_OK;
}

// ---- a picture by itself

static bool is_picture(const rp_text_t *text)
{
    return rp_image_format_of(text) != NULL;
}

static rp_status_t parse(const rp_text_t *text, const rp_text_t *other, rp_map_t *map,
                         rp_complaint_t *complaint)
{
    (void)other;
    rp_map_t self = {.frame = {.resolution_m = 1.0}};
    const rp_status_t status =
        rp_picture_read(text, &rp_occupancy_default, false, &self, complaint);
    if (status == RP_OK) {
        *map = self;
    }
    return status;
}

const rp_map_format_t rp_picture_format = {
    .name = "a picture",
    .is_format = is_picture,
    .parse = parse,
};
