/// @file
/// Worlds: their geometry and content, and what their bytes mean to whom.
#include <inttypes.h>
#include <string.h>

#include "msgs/check_parts.h"

// ---- geometry

static bool check_frame_id(const char *frame_id, rp_refusal_t *refusal)
{
    size_t size = strnlen(frame_id, RP_LIMIT_FRAME_ID + 1);
    if (size > RP_LIMIT_FRAME_ID) {
        return INVALID(refusal, "geometry.frame_id is longer than %u characters",
                       RP_LIMIT_FRAME_ID);
    }
    for (size_t i = 0; i < size; i++) {
        if (frame_id[i] < ' ' || frame_id[i] > '~') {
            return INVALID(refusal,
                           "geometry.frame_id has the byte 0x%02x at %zu, it must be "
                           "printable ASCII",
                           (unsigned)(uint8_t)frame_id[i], i);
        }
    }
    return true;
}

static bool check_geometry(const Replan__V1__Geometry *geometry, rp_refusal_t *refusal)
{
    if (!check_area("geometry", geometry->width, geometry->height, refusal)) {
        return false;
    }
    double resolution = geometry->resolution;
    if (!(resolution >= RP_LIMIT_RESOLUTION_MIN && resolution <= RP_LIMIT_RESOLUTION_MAX)) {
        return INVALID(refusal, "geometry.resolution is %g, it must lie within %g and %g metres",
                       resolution, RP_LIMIT_RESOLUTION_MIN, RP_LIMIT_RESOLUTION_MAX);
    }
    return check_coordinate("geometry", "origin_x", geometry->origin_x, refusal) &&
           check_coordinate("geometry", "origin_y", geometry->origin_y, refusal) &&
           check_coordinate("geometry", "origin_yaw", geometry->origin_yaw, refusal) &&
           check_frame_id(geometry->frame_id, refusal);
}

/// A torus narrower than 3 would have the same cell as neighbour on both sides.
static bool check_wrapped_side(const char *field, uint32_t side, rp_refusal_t *refusal)
{
    return side >= 3 ||
           INVALID(refusal, "geometry.%s is %" PRIu32 ", a world that wraps needs 3 or more", field,
                   side);
}

static bool check_content(const Replan__V1__CreateWorld *create, rp_refusal_t *refusal)
{
    switch (create->content_case) {
    case REPLAN__V1__CREATE_WORLD__CONTENT_FILL:
        return check_fill("create_world.fill", create->fill, refusal);
    case REPLAN__V1__CREATE_WORLD__CONTENT_DATA:
        return check_data("create_world.data", create->data.len, create->geometry->width,
                          create->geometry->height, refusal);
    default:
        return true;
    }
}

// ---- profiles

static bool is_built_in(const char *profile)
{
    return strcmp(profile, "factor") == 0 || strcmp(profile, "costmap") == 0;
}

static bool check_table(const Replan__V1__Profile *profile, rp_refusal_t *refusal)
{
    if (profile->factors.len == 0) {
        return profile->like[0] == '\0' || is_built_in(profile->like) ||
               INVALID(refusal, "profile.like must be \"factor\" or \"costmap\"");
    }
    if (profile->factors.len != 256) {
        return INVALID(refusal, "profile.factors has %zu bytes, a table has 256",
                       profile->factors.len);
    }
    if (profile->unit == 0 || profile->unit > UINT8_MAX) {
        return INVALID(refusal, "profile.unit is %" PRIu32 ", it must be 1 to 255", profile->unit);
    }
    return memchr(profile->factors.data, (int)profile->unit, 255) != NULL ||
           INVALID(refusal, "profile.unit is %" PRIu32 ", no byte below 255 has that factor",
                   profile->unit);
}

static bool check_unknown(const Replan__V1__Profile *profile, rp_refusal_t *refusal)
{
    switch (profile->unknown) {
    case REPLAN__V1__UNKNOWN__AS_FREE:
    case REPLAN__V1__UNKNOWN__AS_BLOCKED:
        return true;
    case REPLAN__V1__UNKNOWN__AS_FACTOR:
        return (profile->unknown_factor >= 1 && profile->unknown_factor <= UINT8_MAX) ||
               INVALID(refusal, "profile.unknown_factor is %" PRIu32 ", it must be 1 to 255",
                       profile->unknown_factor);
    default:
        return INVALID(refusal,
                       "profile.unknown is %d, it must be AS_FREE, AS_BLOCKED or AS_FACTOR",
                       (int)profile->unknown);
    }
}

/// Bytes that block, none of them that of unknown cells.
static bool check_inscribed(const Replan__V1__Profile *profile, rp_refusal_t *refusal)
{
    const ProtobufCBinaryData *inscribed = &profile->inscribed;
    if (inscribed->len > 255u) {
        return INVALID(refusal, "profile.inscribed has %zu bytes, at most 255", inscribed->len);
    }
    for (size_t i = 0; i < inscribed->len; i++) {
        const uint8_t byte = inscribed->data[i];
        const bool is_costmap = strcmp(profile->like, "costmap") == 0;
        const bool blocks = profile->factors.len != 0 ? profile->factors.data[byte] == 0
                            : is_costmap              ? byte == 253 || byte == 254
                                                      : byte == 0;
        if (byte == 255u || !blocks) {
            return INVALID(
                refusal, "profile.inscribed has %u, it must be a byte that blocks, not 255", byte);
        }
    }
    return true;
}

static bool check_profiles(const Replan__V1__CreateWorld *create, rp_refusal_t *refusal)
{
    const char *own = create->profile;
    bool is_there = own[0] == '\0' || is_built_in(own);
    if (create->n_profiles > RP_LIMIT_PROFILES) {
        return INVALID(refusal, "create_world.profiles has %zu entries, at most %u",
                       create->n_profiles, RP_LIMIT_PROFILES);
    }
    for (size_t i = 0; i < create->n_profiles; i++) {
        const Replan__V1__Profile *profile = create->profiles[i];
        if (!rp_check_name("profile.name", profile->name, refusal) ||
            !check_table(profile, refusal) || !check_unknown(profile, refusal) ||
            !check_inscribed(profile, refusal)) {
            return false;
        }
        bool is_taken = is_built_in(profile->name);
        for (size_t other = 0; other < i; other++) {
            is_taken = is_taken || strcmp(create->profiles[other]->name, profile->name) == 0;
        }
        if (is_taken) {
            return INVALID(refusal, "profile.name: there is a profile \"%s\" already",
                           profile->name);
        }
        is_there = is_there || strcmp(profile->name, own) == 0;
    }
    return is_there || INVALID(refusal, "create_world.profile must be \"factor\", \"costmap\" or "
                                        "one of create_world.profiles");
}

// ---- new worlds

bool rp_check_create_world(const Replan__V1__CreateWorld *create, rp_refusal_t *refusal)
{
    const Replan__V1__Geometry *geometry = create->geometry;
    if (!rp_check_name("create_world.world", create->world, refusal)) {
        return false;
    }
    if (geometry == NULL) {
        return INVALID(refusal, "create_world.geometry is missing, it needs width, height and "
                                "resolution");
    }
    if (!check_geometry(geometry, refusal)) {
        return false;
    }
    if (create->wraps && (!check_wrapped_side("width", geometry->width, refusal) ||
                          !check_wrapped_side("height", geometry->height, refusal))) {
        return false;
    }
    if (create->neighbors != 0 && create->neighbors != 4 && create->neighbors != 8) {
        return INVALID(refusal, "create_world.neighbors is %" PRIu32 ", it must be 4 or 8",
                       create->neighbors);
    }
    return check_most("create_world.expect_every_ms", create->expect_every_ms, RP_LIMIT_POLICY_MS,
                      refusal) &&
           check_profiles(create, refusal) && check_content(create, refusal);
}

/// Where the window lies, told in metres; its sides come with it.
static bool check_told(const Replan__V1__Resize *resize, rp_refusal_t *refusal)
{
    const Replan__V1__Geometry *told = resize->geometry;
    if (resize->x != 0 || resize->y != 0 || resize->width != 0 || resize->height != 0) {
        return INVALID(refusal, "resize.geometry excludes resize.x, resize.y, resize.width and "
                                "resize.height");
    }
    return check_area("resize.geometry", told->width, told->height, refusal) &&
           check_coordinate("resize.geometry", "resolution", told->resolution, refusal) &&
           check_coordinate("resize.geometry", "origin_x", told->origin_x, refusal) &&
           check_coordinate("resize.geometry", "origin_y", told->origin_y, refusal) &&
           check_coordinate("resize.geometry", "origin_yaw", told->origin_yaw, refusal) &&
           check_frame_id(told->frame_id, refusal);
}

/// Rectangles inside the window, and a byte for each of their cells.
static bool check_rects(const Replan__V1__Resize *resize, uint32_t width, uint32_t height,
                        rp_refusal_t *refusal)
{
    uint64_t cells = 0;
    if (resize->n_rects % 4u != 0 || resize->n_rects / 4u > RP_LIMIT_RECTS) {
        return INVALID(refusal,
                       "resize.rects has %zu entries, it must have 4 for each of at most %u "
                       "rectangles",
                       resize->n_rects, RP_LIMIT_RECTS);
    }
    for (size_t i = 0; i < resize->n_rects; i += 4u) {
        const uint32_t *rect = resize->rects + i;
        if (rect[2] == 0 || rect[3] == 0 || (uint64_t)rect[0] + rect[2] > width ||
            (uint64_t)rect[1] + rect[3] > height) {
            return INVALID(refusal,
                           "resize.rects has %" PRIu32 " x %" PRIu32 " cells at (%" PRIu32
                           ", %" PRIu32 "), they must be 1 or more in the window of %" PRIu32
                           " x %" PRIu32,
                           rect[2], rect[3], rect[0], rect[1], width, height);
        }
        cells += (uint64_t)rect[2] * rect[3];
    }
    return resize->rect_data.len == cells ||
           INVALID(refusal, "resize.rect_data has %zu bytes, resize.rects need %" PRIu64,
                   resize->rect_data.len, cells);
}

bool rp_check_resize(const Replan__V1__Resize *resize, rp_refusal_t *refusal)
{
    const Replan__V1__Geometry *told = resize->geometry;
    return rp_check_name("resize.world", resize->world, refusal) &&
           (told != NULL ? check_told(resize, refusal)
                         : check_area("resize", resize->width, resize->height, refusal)) &&
           (resize->content_case != REPLAN__V1__RESIZE__CONTENT_FILL ||
            check_fill("resize.fill", resize->fill, refusal)) &&
           check_rects(resize, told != NULL ? told->width : resize->width,
                       told != NULL ? told->height : resize->height, refusal) &&
           check_wait("resize.wait", resize->wait, refusal);
}

// ---- shapes

/// Corners by shape, and as many coordinates.
static bool check_corners(const Replan__V1__Overlay *overlay, rp_refusal_t *refusal)
{
    size_t sum = 0;
    if (overlay->n_corners != overlay->n_ids) {
        return INVALID(refusal, "overlay.corners has %zu entries, overlay.ids has %zu",
                       overlay->n_corners, overlay->n_ids);
    }
    for (size_t i = 0; i < overlay->n_corners; i++) {
        const uint32_t corners = overlay->corners[i];
        if (corners == 0 || corners == 2 || corners > RP_LIMIT_CORNERS) {
            return INVALID(refusal,
                           "overlay.corners has %" PRIu32
                           ", it must be 1 for a disc or 3 to %u for a polygon",
                           corners, RP_LIMIT_CORNERS);
        }
        sum += corners;
    }
    if (overlay->n_x != sum || overlay->n_y != sum) {
        return INVALID(refusal, "overlay.x has %zu entries and overlay.y %zu, the corners are %zu",
                       overlay->n_x, overlay->n_y, sum);
    }
    return check_coordinates("overlay", "x", overlay->x, sum, refusal) &&
           check_coordinates("overlay", "y", overlay->y, sum, refusal);
}

/// What may be told by shape or left out.
static bool check_by_shape(const Replan__V1__Overlay *overlay, rp_refusal_t *refusal)
{
    const size_t count = overlay->n_ids;
    if (overlay->n_radii_m != 0 && overlay->n_radii_m != count) {
        return INVALID(refusal, "overlay.radii_m has %zu entries, overlay.ids has %zu",
                       overlay->n_radii_m, count);
    }
    for (size_t i = 0; i < overlay->n_radii_m; i++) {
        if (!(overlay->radii_m[i] >= 0.0 && overlay->radii_m[i] <= RP_LIMIT_COORDINATE)) {
            return INVALID(refusal, "overlay.radii_m has %g, it must lie within 0 and %g",
                           overlay->radii_m[i], RP_LIMIT_COORDINATE);
        }
    }
    if (overlay->n_ttl_ms != 0 && overlay->n_ttl_ms != count) {
        return INVALID(refusal, "overlay.ttl_ms has %zu entries, overlay.ids has %zu",
                       overlay->n_ttl_ms, count);
    }
    return overlay->values.len == count || (overlay->values.len == 1 && count > 0) ||
           INVALID(refusal,
                   "overlay.values has %zu bytes for %zu overlay.ids, needs one each or one for "
                   "all",
                   overlay->values.len, count);
}

bool rp_check_overlay(const Replan__V1__Overlay *overlay, rp_refusal_t *refusal)
{
    if (!rp_check_name("overlay.world", overlay->world, refusal) ||
        !check_wait("overlay.wait", overlay->wait, refusal)) {
        return false;
    }
    if (overlay->n_ids > RP_LIMIT_SHAPES || overlay->n_removed > RP_LIMIT_SHAPES) {
        return INVALID(refusal, "overlay.ids has %zu entries and overlay.removed %zu, at most %u",
                       overlay->n_ids, overlay->n_removed, RP_LIMIT_SHAPES);
    }
    if (overlay->n_ids == 0 && overlay->n_removed == 0 && !overlay->clear) {
        return INVALID(refusal, "overlay is empty, it needs overlay.ids, overlay.removed or "
                                "overlay.clear");
    }
    return check_corners(overlay, refusal) && check_by_shape(overlay, refusal);
}
