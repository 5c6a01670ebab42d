/// The reader of files/, in the words of the wire.
#include "replan/map_file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "files/load.h"

static void take_frame(const rp_map_t *map, Replan__V1__Geometry *geometry)
{
    geometry->width = map->width;
    geometry->height = map->height;
    geometry->resolution = map->frame.resolution_m;
    geometry->origin_x = map->frame.origin_x;
    geometry->origin_y = map->frame.origin_y;
    geometry->origin_yaw = map->frame.origin_yaw;
}

rp_client_status_t rp_map_file_read(const char *path, rp_map_file_t *map)
{
    rp_map_t read;
    rp_complaint_t complaint;
    if (map == NULL) {
        return RP_CLIENT_E_INVALID;
    }
    memset(map, 0, sizeof *map);
    if (path == NULL) {
        strcpy(map->sentence, "path is NULL");
        return RP_CLIENT_E_INVALID;
    }
    const rp_status_t status = rp_map_load(path, &read, &complaint);
    if (status != RP_OK) {
        static_assert(sizeof map->sentence >= sizeof complaint.sentence, "whole sentences");
        memcpy(map->sentence, complaint.sentence, sizeof complaint.sentence);
        return status == RP_E_MEMORY ? RP_CLIENT_E_MEMORY : RP_CLIENT_E_INVALID;
    }
    replan__v1__geometry__init(&map->geometry);
    take_frame(&read, &map->geometry);
    map->profile = rp_map_profile_name(read.profile);
    map->bytes = read.bytes;
    return RP_CLIENT_OK;
}

void rp_map_file_describe(rp_map_file_t *self, Replan__V1__CreateWorld *create)
{
    if (self == NULL || create == NULL || self->bytes == NULL) {
        return;
    }
    create->geometry = &self->geometry;
    create->profile = (char *)self->profile;
    create->content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create->data.len = (size_t)self->geometry.width * self->geometry.height;
    create->data.data = self->bytes;
}

void rp_map_file_fini(rp_map_file_t *self)
{
    if (self != NULL) {
        free(self->bytes);
        memset(self, 0, sizeof *self);
    }
}
