/// The world of a link: it shows the costmap, by as little as the daemon needs to hear.
#include "clients/ros2/link_call.h"

#include <stdlib.h>
#include <string.h>

#include "clients/ros2/faults.h"
#include "msgs/request.h"

#define WORLD_MS 30000u            ///< deadline of a request that carries a whole map
#define PORTION  ((size_t)8 << 20) ///< bytes of one change; a message holds 20 MiB

/// The profile of a world in which unknown cells block.
#define KNOWN_PROFILE "nav2"

/// Take over what a reply says of the world. @return false without a reply
static bool take_applied(rp_ros_link_t *self, const Replan__V1__Reply *reply)
{
    if (reply == NULL || reply->body_case != REPLAN__V1__REPLY__BODY_APPLIED) {
        return false;
    }
    self->epoch = reply->applied->epoch;
    self->window = reply->applied->window;
    self->version = reply->applied->version;
    return true;
}

static Replan__V1__Geometry geometry_of(const rp_ros_costmap_t *costmap)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    geometry.width = costmap->width;
    geometry.height = costmap->height;
    geometry.resolution = costmap->resolution_m;
    geometry.origin_x = costmap->origin.x_m;
    geometry.origin_y = costmap->origin.y_m;
    geometry.origin_yaw = costmap->origin.yaw;
    geometry.frame_id = (char *)costmap->frame_id;
    return geometry;
}

static const char *profile_of(const rp_ros_link_t *self)
{
    return self->settings->allow_unknown ? "costmap" : KNOWN_PROFILE;
}

static size_t cells_of(const rp_ros_costmap_t *costmap)
{
    return (size_t)costmap->width * costmap->height;
}

static bool create_world(rp_ros_link_t *self, const rp_ros_costmap_t *costmap)
{
    Replan__V1__Geometry geometry = geometry_of(costmap);
    Replan__V1__Profile profile = REPLAN__V1__PROFILE__INIT, *profiles[] = {&profile};
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    profile.name = (char *)KNOWN_PROFILE;
    profile.like = (char *)"costmap";
    profile.unknown = REPLAN__V1__UNKNOWN__AS_BLOCKED;
    create.world = (char *)self->settings->world;
    create.geometry = &geometry;
    create.profile = (char *)profile_of(self);
    create.n_profiles = self->settings->allow_unknown ? 0 : 1;
    create.profiles = profiles;
    create.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create.data = (ProtobufCBinaryData){cells_of(costmap), costmap->bytes};
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    request.deadline_ms = WORLD_MS;
    return take_applied(self, rp_ros_link_ask(self, &request, "to create the world", NULL));
}

static bool remove_world(rp_ros_link_t *self)
{
    Replan__V1__RemoveWorld gone = REPLAN__V1__REMOVE_WORLD__INIT;
    gone.world = (char *)self->settings->world;
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &gone);
    self->is_open = self->is_watched = false;
    return rp_ros_link_ask(self, &request, "to remove the world", NULL) != NULL;
}

/// The whole window and its bytes, in one version.
static bool show_window(rp_ros_link_t *self, const rp_ros_costmap_t *costmap)
{
    Replan__V1__Geometry geometry = geometry_of(costmap);
    Replan__V1__Resize resize = REPLAN__V1__RESIZE__INIT;
    uint32_t whole[4] = {0, 0, costmap->width, costmap->height};
    resize.world = (char *)self->settings->world;
    resize.geometry = &geometry;
    resize.n_rects = 4;
    resize.rects = whole;
    resize.rect_data = (ProtobufCBinaryData){cells_of(costmap), costmap->bytes};
    Replan__V1__Request request = RP_REQUEST(RESIZE, resize, &resize);
    request.deadline_ms = WORLD_MS;
    return take_applied(self, rp_ros_link_ask(self, &request, "to show the window", NULL));
}

static bool is_of_kind(const rp_ros_link_t *self, const Replan__V1__WorldInfo *info,
                       const rp_ros_costmap_t *costmap)
{
    const Replan__V1__Geometry *geometry = info->geometry;
    return geometry != NULL && geometry->resolution == costmap->resolution_m &&
           geometry->origin_yaw == costmap->origin.yaw && !info->wraps && info->neighbors == 8 &&
           strcmp(geometry->frame_id, costmap->frame_id) == 0 &&
           strcmp(info->profile, profile_of(self)) == 0;
}

/// Make the world show the costmap, whatever is there under its name.
static bool state_world(rp_ros_link_t *self, const rp_ros_costmap_t *costmap)
{
    Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
    Replan__V1__Request request = RP_REQUEST(LIST_WORLDS, list_worlds, &list);
    const Replan__V1__Reply *reply = rp_ros_link_ask(self, &request, "to list the worlds", NULL);
    if (reply == NULL || reply->body_case != REPLAN__V1__REPLY__BODY_WORLDS) {
        return false;
    }
    for (size_t i = 0; i < reply->worlds->n_worlds; i++) {
        const Replan__V1__WorldInfo *info = reply->worlds->worlds[i];
        if (strcmp(info->world, self->settings->world) == 0) {
            return is_of_kind(self, info, costmap)
                       ? show_window(self, costmap)
                       : remove_world(self) && create_world(self, costmap);
        }
    }
    return create_world(self, costmap);
}

/// @return the cells of a rectangle as one piece; NULL without memory
static uint8_t *copy_rect(rp_ros_link_t *self, const rp_ros_costmap_t *costmap,
                          const rp_ros_rect_t *rect)
{
    const size_t size = (size_t)rect->width * rect->height;
    if (rect->width == costmap->width) {
        return costmap->bytes + (size_t)rect->y * costmap->width;
    }
    if (size > self->portion_bytes) {
        free(self->portion);
        self->portion = malloc(size);
        self->portion_bytes = self->portion != NULL ? size : 0;
    }
    for (uint32_t y = 0; self->portion != NULL && y < rect->height; y++) {
        memcpy(self->portion + (size_t)y * rect->width,
               costmap->bytes + (size_t)(rect->y + y) * costmap->width + rect->x, rect->width);
    }
    return self->portion;
}

/// @param ours  written: the cells landed in the window that we know
static bool write_rect(rp_ros_link_t *self, const rp_ros_costmap_t *costmap,
                       const rp_ros_rect_t *rect, bool *ours)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Status status = REPLAN__V1__STATUS__OK;
    const uint64_t epoch = self->epoch, window = self->window;
    change.world = (char *)self->settings->world;
    change.epoch = epoch;
    change.window = window;
    change.x = rect->x;
    change.y = rect->y;
    change.width = rect->width;
    change.height = rect->height;
    change.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change.data =
        (ProtobufCBinaryData){(size_t)rect->width * rect->height, copy_rect(self, costmap, rect)};
    apply.change = &change;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &apply);
    if (change.data.data == NULL) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_GRID, "no memory for %zu cells", change.data.len);
        rp_ros_link_wait(self, RP_ROS_LINK_RETRY_MS);
        return false;
    }
    const bool is_written =
        take_applied(self, rp_ros_link_ask(self, &request, "to write cells", &status));
    *ours = is_written && self->epoch == epoch && self->window == window;
    return is_written || status == REPLAN__V1__STATUS__GONE;
}

/// In portions. A world that others shifted, or whose window is gone, shows ours again.
static bool write_cells(rp_ros_link_t *self, const rp_ros_costmap_t *costmap)
{
    const uint32_t rows = (uint32_t)(PORTION / self->rect.width);
    const uint32_t end = self->rect.y + self->rect.height;
    bool ours = true;
    for (rp_ros_rect_t part = self->rect; ours && part.y < end; part.y += part.height) {
        part.height = end - part.y < rows ? end - part.y : rows;
        if (!write_rect(self, costmap, &part, &ours)) {
            return false;
        }
    }
    return ours || show_window(self, costmap);
}

bool rp_ros_link_sync_world(rp_ros_link_t *self, const rp_ros_costmap_t *costmap)
{
    bool is_shown = true;
    switch (self->pending) {
    case RP_ROS_NOTHING:
        return true;
    case RP_ROS_CELLS:
        is_shown = write_cells(self, costmap);
        break;
    case RP_ROS_WINDOW:
        is_shown = show_window(self, costmap);
        break;
    case RP_ROS_WORLD:
        is_shown = state_world(self, costmap);
        break;
    }
    if (is_shown) {
        self->pending = RP_ROS_NOTHING;
    }
    return is_shown;
}
