/// `replan ctl`: what lies over a world's cells, and which window of the plane it is.
#include <stdio.h>

#include "msgs/request.h"
#include "tools/commands.h"
#include "tools/ctl/ctl.h"

static int send_overlay(rp_ctl_t *self, Replan__V1__Overlay *overlay)
{
    if (!rp_ctl_read_wait(self, &overlay->wait)) {
        return RP_EXIT_INPUT;
    }
    overlay->world = self->arguments[0];
    Replan__V1__Request request = RP_REQUEST(OVERLAY, overlay, overlay);
    return rp_ctl_apply(self, &request);
}

/// Put one shape whose corners are known.
static int put_shape(rp_ctl_t *self, Replan__V1__Overlay *overlay, const char *byte_text)
{
    uint32_t id;
    uint32_t byte;
    uint32_t ttl_ms;
    uint32_t corners = (uint32_t)overlay->n_x;
    if (!rp_ctl_read_whole(self, "ID", self->arguments[1], UINT32_MAX, &id) ||
        !rp_ctl_read_whole(self, "BYTE", byte_text, UINT8_MAX, &byte) ||
        !rp_ctl_read_whole(self, "--ttl", rp_ctl_value(self, RP_CTL_TTL, "0"), UINT32_MAX,
                           &ttl_ms)) {
        return RP_EXIT_INPUT;
    }
    uint8_t value = (uint8_t)byte;
    overlay->n_ids = overlay->n_corners = overlay->n_ttl_ms = 1;
    overlay->ids = &id;
    overlay->corners = &corners;
    overlay->ttl_ms = &ttl_ms;
    overlay->values = (ProtobufCBinaryData){1, &value};
    return send_overlay(self, overlay);
}

int rp_ctl_disc(rp_ctl_t *self)
{
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    double x;
    double y;
    double radius_m;
    if (!rp_ctl_read_metres(self, "X", self->arguments[2], &x) ||
        !rp_ctl_read_metres(self, "Y", self->arguments[3], &y) ||
        !rp_ctl_read_metres(self, "RADIUS", self->arguments[4], &radius_m)) {
        return RP_EXIT_INPUT;
    }
    overlay.n_x = overlay.n_y = overlay.n_radii_m = 1;
    overlay.x = &x;
    overlay.y = &y;
    overlay.radii_m = &radius_m;
    return put_shape(self, &overlay, self->arguments[5]);
}

int rp_ctl_polygon(rp_ctl_t *self)
{
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    double xs[RP_CTL_GOALS_MAX];
    double ys[RP_CTL_GOALS_MAX];
    if (self->argument_count % 2 == 0) {
        fprintf(stderr, "%s: a corner is X and Y\n", self->program);
        return RP_EXIT_INPUT;
    }
    for (uint32_t i = 3; i < self->argument_count; i += 2) {
        if (!rp_ctl_read_metres(self, "X", self->arguments[i], &xs[overlay.n_x]) ||
            !rp_ctl_read_metres(self, "Y", self->arguments[i + 1], &ys[overlay.n_y])) {
            return RP_EXIT_INPUT;
        }
        overlay.n_x++;
        overlay.n_y++;
    }
    overlay.x = xs;
    overlay.y = ys;
    return put_shape(self, &overlay, self->arguments[2]);
}

int rp_ctl_lift(rp_ctl_t *self)
{
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    uint32_t ids[RP_CTL_ARGUMENTS_MAX];
    for (uint32_t i = 1; i < self->argument_count; i++) {
        if (!rp_ctl_read_whole(self, "ID", self->arguments[i], UINT32_MAX,
                               &ids[overlay.n_removed])) {
            return RP_EXIT_INPUT;
        }
        overlay.n_removed++;
    }
    overlay.removed = ids;
    overlay.clear = overlay.n_removed == 0;
    return send_overlay(self, &overlay);
}

/// A cell that may lie outside of the world.
static bool read_cell(const rp_ctl_t *self, const char *what, const char *text, int32_t *cell)
{
    const bool is_negative = text[0] == '-';
    uint32_t distance = 0;
    const bool is_read =
        rp_ctl_read_whole(self, what, is_negative ? text + 1 : text, INT32_MAX, &distance);
    *cell = is_negative ? -(int32_t)distance : (int32_t)distance;
    return is_read;
}

/// Where the window lies: by its first cell, or by its corner in metres.
static bool read_window(const rp_ctl_t *self, Replan__V1__Resize *resize,
                        Replan__V1__Geometry *geometry)
{
    const char *origin = rp_ctl_value(self, RP_CTL_ORIGIN, NULL);
    char *const *arguments = self->arguments;
    if (self->argument_count != (origin != NULL ? 3u : 5u)) {
        fprintf(stderr, "%s: resize needs X Y W H, or --origin and W H\n", self->program);
        return false;
    }
    if (origin == NULL) {
        return read_cell(self, "X", arguments[1], &resize->x) &&
               read_cell(self, "Y", arguments[2], &resize->y) &&
               rp_ctl_read_whole(self, "W", arguments[3], UINT32_MAX, &resize->width) &&
               rp_ctl_read_whole(self, "H", arguments[4], UINT32_MAX, &resize->height);
    }
    resize->geometry = geometry;
    return rp_ctl_read_origin(self, origin, geometry) &&
           rp_ctl_read_whole(self, "W", arguments[1], UINT32_MAX, &geometry->width) &&
           rp_ctl_read_whole(self, "H", arguments[2], UINT32_MAX, &geometry->height);
}

int rp_ctl_resize(rp_ctl_t *self)
{
    Replan__V1__Resize resize = REPLAN__V1__RESIZE__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    if (!read_window(self, &resize, &geometry) || !rp_ctl_read_wait(self, &resize.wait)) {
        return RP_EXIT_INPUT;
    }
    if ((self->given & RP_CTL_FILL) != 0) {
        resize.content_case = REPLAN__V1__RESIZE__CONTENT_FILL;
        if (!rp_ctl_read_whole(self, "--fill", rp_ctl_value(self, RP_CTL_FILL, ""), UINT8_MAX,
                               &resize.fill)) {
            return RP_EXIT_INPUT;
        }
    }
    resize.world = self->arguments[0];
    Replan__V1__Request request = RP_REQUEST(RESIZE, resize, &resize);
    return rp_ctl_apply(self, &request);
}
