/// What is refused of a world, a body or a shape, and in which words; and that the limits
/// themselves are accepted.
#include <string.h>

#include <math.h>

#include "msgs/limits.h"
#include "tests/msgs/spoilt.h"
#include "tests/support/suite.h"

/// One more than there may be.
static ProtobufCBinaryData bytes_of(uint8_t byte, size_t count)
{
    static uint8_t bytes[256];
    memset(bytes, byte, sizeof bytes);
    return (ProtobufCBinaryData){count, bytes};
}

static Replan__V1__Profile **many_profiles(rp_samples_t *s)
{
    static Replan__V1__Profile *profiles[17];
    static Replan__V1__Profile copies[17];
    static char names[17][2];
    for (size_t i = 0; i < 17; i++) {
        names[i][0] = (char)('a' + i);
        copies[i] = s->wheels;
        copies[i].name = names[i];
        profiles[i] = &copies[i];
    }
    s->create_world.profile = rp_sample_text("");
    return profiles;
}

/// A window told in metres.
static Replan__V1__Geometry *tell_window(rp_samples_t *s)
{
    s->resize.x = s->resize.y = 0;
    s->resize.width = s->resize.height = 0;
    s->resize.geometry = &s->geometry;
    s->geometry.resolution = 0.0;
    return &s->geometry;
}

/// Rectangles of 3 x 1 cells in the first row, with the bytes of one.
/// @param numbers  four each
static uint32_t *state_rects(rp_samples_t *s, size_t numbers)
{
    static uint32_t rects[4100];
    static uint8_t bytes[3];
    for (size_t i = 0; i < 4100; i++) {
        rects[i] = (const uint32_t[]){0, 0, 3, 1}[i % 4u];
    }
    s->resize.rects = rects;
    s->resize.n_rects = numbers;
    s->resize.rect_data = (ProtobufCBinaryData){sizeof bytes, bytes};
    return rects;
}

#define WORLDS(X)                                                                                  \
    X(CREATE_WORLD, world_without_name, "create_world.world",                                      \
      s->create_world.world = rp_sample_text(""))                                                  \
    X(CREATE_WORLD, no_geometry, "create_world.geometry", s->create_world.geometry = NULL)         \
    X(CREATE_WORLD, world_without_width, "geometry.width is 0", s->geometry.width = 0)             \
    X(CREATE_WORLD, world_without_height, "geometry.height is 0", s->geometry.height = 0)          \
    X(CREATE_WORLD, overflowing_world, "geometry.width is 65536",                                  \
      s->geometry.width = s->geometry.height = 65536)                                              \
    X(CREATE_WORLD, high_world, "geometry.height is 4294967295", s->geometry.height = UINT32_MAX)  \
    X(CREATE_WORLD, huge_world, "geometry.width times geometry.height is 268435456",               \
      s->geometry.width = s->geometry.height = 16384)                                              \
    X(CREATE_WORLD, resolution_zero, "geometry.resolution is 0", s->geometry.resolution = 0)       \
    X(CREATE_WORLD, resolution_negative, "geometry.resolution is -1", s->geometry.resolution = -1) \
    X(CREATE_WORLD, resolution_nan, "geometry.resolution is", s->geometry.resolution = NAN)        \
    X(CREATE_WORLD, resolution_inf, "geometry.resolution is inf",                                  \
      s->geometry.resolution = INFINITY)                                                           \
    X(CREATE_WORLD, resolution_tiny, "within 0.0001", s->geometry.resolution = 1e-5)               \
    X(CREATE_WORLD, resolution_large, "and 10000 metres", s->geometry.resolution = 1e5)            \
    X(CREATE_WORLD, origin_nan, "geometry.origin_x", s->geometry.origin_x = NAN)                   \
    X(CREATE_WORLD, origin_far, "geometry.origin_y is 2e+09", s->geometry.origin_y = 2e9)          \
    X(CREATE_WORLD, origin_inf, "geometry.origin_yaw is -inf", s->geometry.origin_yaw = -INFINITY) \
    X(CREATE_WORLD, frame_newline, "geometry.frame_id has the byte 0x0a at 3",                     \
      s->geometry.frame_id = rp_sample_text("map\n"))                                              \
    X(CREATE_WORLD, frame_latin, "geometry.frame_id has the byte 0xc3",                            \
      s->geometry.frame_id = rp_sample_text("\xc3\xa9"))                                           \
    X(CREATE_WORLD, frame_long, "geometry.frame_id is longer than 64",                             \
      s->geometry.frame_id = rp_sample_text(RP_LONG_FRAME))                                        \
    X(CREATE_WORLD, neighbors_6, "create_world.neighbors is 6", s->create_world.neighbors = 6)     \
    X(CREATE_WORLD, wrapped_flat, "geometry.height is 2, a world that wraps",                      \
      s->create_world.wraps = 1)                                                                   \
    X(CREATE_WORLD, wrapped_thin, "geometry.width is 2, a world that wraps",                       \
      s->create_world.wraps = 1;                                                                   \
      s->geometry.width = 2; s->geometry.height = 3)                                               \
    X(CREATE_WORLD, unknown_profile, "create_world.profile",                                       \
      s->create_world.profile = rp_sample_text("\x1b[31mfactor"))                                  \
    X(CREATE_WORLD, profile_without_name, "profile.name is empty",                                 \
      s->wheels.name = rp_sample_text(""))                                                         \
    X(CREATE_WORLD, profile_of_the_house, "there is a profile \"costmap\" already",                \
      s->wheels.name = rp_sample_text("costmap"))                                                  \
    X(CREATE_WORLD, profile_twice, "there is a profile \"careful\" already",                       \
      s->profiles[0] = &s->careful)                                                                \
    X(CREATE_WORLD, short_table, "profile.factors has 255 bytes", s->wheels.factors.len = 255)     \
    X(CREATE_WORLD, no_unit, "profile.unit is 0", s->wheels.unit = 0)                              \
    X(CREATE_WORLD, large_unit, "profile.unit is 266", s->wheels.unit = 266)                       \
    X(CREATE_WORLD, unit_of_nothing, "profile.unit is 11, no byte", s->wheels.unit = 11)           \
    X(CREATE_WORLD, inscribed, NULL, s->wheels.inscribed = bytes_of(7, 1))                         \
    X(CREATE_WORLD, inscribed_and_free, "profile.inscribed has 2, it must be a byte that blocks",  \
      s->wheels.inscribed = bytes_of(2, 1))                                                        \
    X(CREATE_WORLD, inscribed_unknown, "profile.inscribed has 255",                                \
      s->wheels.inscribed = bytes_of(255, 1))                                                      \
    X(CREATE_WORLD, inscribed_of_a_costmap, NULL, s->wheels.factors.len = 0; s->wheels.unit = 0;   \
      s->wheels.like = rp_sample_text("costmap"); s->wheels.inscribed = bytes_of(254, 1))          \
    X(CREATE_WORLD, much_inscribed, "profile.inscribed has 256 bytes, at most 255",                \
      s->wheels.inscribed = bytes_of(7, 256))                                                      \
    X(CREATE_WORLD, like_nothing, "profile.like must be",                                          \
      s->careful.like = rp_sample_text("wheels"))                                                  \
    X(CREATE_WORLD, unknown_unknown, "profile.unknown is 9", s->careful.unknown = 9)               \
    X(CREATE_WORLD, unknown_for_nothing, "profile.unknown_factor is 0",                            \
      s->careful.unknown_factor = 0)                                                               \
    X(CREATE_WORLD, many_profiles, "create_world.profiles has 17 entries, at most 16",             \
      s->create_world.profiles = many_profiles(s);                                                 \
      s->create_world.n_profiles = 17)                                                             \
    X(CREATE_WORLD, short_world, "create_world.data has 1 bytes", s->create_world.data.len = 1)    \
    X(CREATE_WORLD, large_world_fill, "create_world.fill is 4294967295",                           \
      s->create_world.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_FILL;                       \
      s->create_world.fill = UINT32_MAX)                                                           \
    X(REMOVE_WORLD, remove_nothing, "remove_world.world",                                          \
      s->remove_world.world = rp_sample_text(""))                                                  \
    X(DELTAS_SINCE, deltas_of_nothing, "deltas_since.world",                                       \
      s->deltas_since.world = rp_sample_text("?"))                                                 \
    X(GET_SNAPSHOT, snapshot_of_nothing, "get_snapshot.world",                                     \
      s->get_snapshot.world = rp_sample_text(""))                                                  \
    X(GET_SNAPSHOT, snapshot_below, "get_snapshot.first_row is 16384",                             \
      s->get_snapshot.first_row = 16384)                                                           \
    X(LIST_AGENTS, agents_of_nothing, "list_agents.world",                                         \
      s->list_agents.world = rp_sample_text(""))                                                   \
    X(LIST_SHAPES, shapes_of_nothing, "list_shapes.world",                                         \
      s->list_shapes.world = rp_sample_text("a/b"))                                                \
    X(FORGIVE, forgive_nowhere, "forgive.world", s->forgive.world = rp_sample_text(""))            \
    X(FORGIVE, forgive_nobody, "forgive.publisher", s->forgive.publisher = rp_sample_text(""))     \
    X(CREATE_WORLD, name_of_a_frame_in_full, NULL,                                                 \
      s->geometry.frame_id =                                                                       \
          rp_sample_text("~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ "))      \
    X(CREATE_WORLD, coarsest, NULL, s->geometry.resolution = RP_LIMIT_RESOLUTION_MAX)              \
    X(CREATE_WORLD, finest, NULL, s->geometry.resolution = RP_LIMIT_RESOLUTION_MIN)                \
    X(CREATE_WORLD, farthest, NULL,                                                                \
      s->geometry.origin_x = s->geometry.origin_y = RP_LIMIT_COORDINATE)                           \
    X(CREATE_WORLD, dearest_unit, NULL, s->wheels.unit = 255; s->table[7] = 255)                   \
    X(CREATE_WORLD, cheapest_unknown, NULL, s->careful.unknown_factor = 1)                         \
    X(CREATE_WORLD, dearest_unknown, NULL, s->careful.unknown_factor = 255)                        \
    X(CREATE_WORLD, profile_of_its_own, NULL, s->create_world.profile = rp_sample_text("careful")) \
    X(CREATE_WORLD, profile_of_nobody, "create_world.profile must be",                             \
      s->create_world.profile = rp_sample_text("wings"))                                           \
    X(CREATE_WORLD, as_many_profiles_as_there_may_be, NULL,                                        \
      s->create_world.profiles = many_profiles(s);                                                 \
      s->create_world.n_profiles = 16)                                                             \
    X(CREATE_WORLD, torus_of_three, NULL, s->create_world.wraps = 1;                               \
      s->geometry.width = s->geometry.height = 3;                                                  \
      s->create_world.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_FILL;                       \
      s->create_world.fill = 0)                                                                    \
    X(CREATE_WORLD, largest, NULL,                                                                 \
      s->create_world.content_case = REPLAN__V1__CREATE_WORLD__CONTENT__NOT_SET;                   \
      s->create_world.neighbors = 0; s->create_world.profile = rp_sample_text("");                 \
      s->geometry.width = 4096; s->geometry.height = 16384;                                        \
      s->geometry.frame_id = rp_sample_text(""))

#define BODIES(X)                                                                                  \
    X(OPEN_AGENT, odd_body_profile, "body.profile has the byte",                                   \
      s->body.profile = rp_sample_text("a b"))                                                     \
    X(OPEN_AGENT, negative_radius, "body.radius_m is -1", s->body.radius_m = -1.0)                 \
    X(OPEN_AGENT, infinite_radius, "body.inflation_radius_m is inf",                               \
      s->body.inflation_radius_m = INFINITY)                                                       \
    X(OPEN_AGENT, nan_scaling, "body.cost_scaling_factor is", s->body.cost_scaling_factor = NAN)   \
    X(OPEN_AGENT, inscribed_beyond, "body.inscribed_radius_m is 0.6, at most",                     \
      s->body.inscribed_radius_m = 0.6)                                                            \
    X(OPEN_AGENT, point, NULL, s->body.radius_m = 0; s->body.inscribed_radius_m = 0;               \
      s->body.inflation_radius_m = 0; s->body.cost_scaling_factor = 0)                             \
    X(OPEN_AGENT, giant, NULL, s->body.radius_m = RP_LIMIT_COORDINATE)                             \
    X(OPEN_AGENT, square, NULL, s->body.radius_m = 0; s->body.inscribed_radius_m = 0;              \
      s->body.inflation_radius_m = 0; s->body.cells = 64)                                          \
    X(OPEN_AGENT, broad_square, "body.cells is 65, at most 64", s->body.cells = 65)                \
    X(OPEN_AGENT, round_square, "body.cells is 2, then body.radius_m and", s->body.cells = 2)      \
    X(OPEN_AGENT, inscribed_as_far_as_inflated, NULL,                                              \
      s->body.inscribed_radius_m = s->body.inflation_radius_m)

#define SHAPES(X)                                                                                  \
    X(RESIZE, resize_nothing, "resize.world is empty", s->resize.world = rp_sample_text(""))       \
    X(RESIZE, resize_to_nothing, "resize.height is 0", s->resize.height = 0)                       \
    X(RESIZE, resize_wide, "resize.width is 16385", s->resize.width = 16385)                       \
    X(RESIZE, resize_huge, "at most 267911424", s->resize.width = s->resize.height = 16384)        \
    X(RESIZE, resize_fill, "resize.fill is 256", s->resize.fill = 256)                             \
    X(RESIZE, resize_wait, "resize.wait is 9", s->resize.wait = 9)                                 \
    X(RESIZE, window_told_twice, "resize.geometry excludes", s->resize.geometry = &s->geometry)    \
    X(RESIZE, window_told, NULL, tell_window(s))                                                   \
    X(RESIZE, window_flat, "resize.geometry.height is 0", tell_window(s)->height = 0)              \
    X(RESIZE, window_wide, "resize.geometry.width is 16385", tell_window(s)->width = 16385)        \
    X(RESIZE, window_huge, "at most 267911424",                                                    \
      tell_window(s)->width = s->geometry.height = 16384)                                          \
    X(RESIZE, window_nowhere, "resize.geometry.origin_x is", tell_window(s)->origin_x = NAN)       \
    X(RESIZE, window_far, "resize.geometry.origin_y is 2e+09", tell_window(s)->origin_y = 2e9)     \
    X(RESIZE, window_turned, "resize.geometry.origin_yaw", tell_window(s)->origin_yaw = INFINITY)  \
    X(RESIZE, window_coarse, "resize.geometry.resolution", tell_window(s)->resolution = NAN)       \
    X(RESIZE, window_frame, "geometry.frame_id has the byte 0x0a",                                 \
      tell_window(s)->frame_id = rp_sample_text("map\n"))                                          \
    X(RESIZE, one_rect, NULL, (void)state_rects(s, 4))                                             \
    X(RESIZE, odd_rects, "resize.rects has 5 entries", state_rects(s, 5))                          \
    X(RESIZE, many_rects, "at most 1024 rectangles", state_rects(s, 4100))                         \
    X(RESIZE, rect_outside, "resize.rects has 3 x 1 cells at (18, 0)", state_rects(s, 4)[0] = 18)  \
    X(RESIZE, rect_below, "resize.rects has 3 x 1 cells at (0, 10)", state_rects(s, 4)[1] = 10)    \
    X(RESIZE, rect_wrapped, "cells at (4294967295, 0)", state_rects(s, 4)[0] = UINT32_MAX)         \
    X(RESIZE, rect_empty, "resize.rects has 0 x 1 cells", state_rects(s, 4)[2] = 0)                \
    X(RESIZE, rect_flat, "resize.rects has 3 x 0 cells", state_rects(s, 4)[3] = 0)                 \
    X(RESIZE, rect_tall, "resize.rects has 3 x 11 cells", state_rects(s, 4)[3] = 11)               \
    X(RESIZE, short_rects, "resize.rect_data has 3 bytes, resize.rects need 6", state_rects(s, 8)) \
    X(RESIZE, bytes_of_no_rect, "resize.rect_data has 3 bytes, resize.rects need 0",               \
      state_rects(s, 0))                                                                           \
    X(OVERLAY, overlay_nowhere, "overlay.world is empty", s->overlay.world = rp_sample_text(""))   \
    X(OVERLAY, overlay_wait, "overlay.wait is 9", s->overlay.wait = 9)                             \
    X(OVERLAY, many_shapes, "overlay.ids has 140000 entries", s->overlay.ids = rp_many_numbers;    \
      s->overlay.n_ids = RP_MANY)                                                                  \
    X(OVERLAY, many_removed, "overlay.removed 140000", s->overlay.removed = rp_many_numbers;       \
      s->overlay.n_removed = RP_MANY)                                                              \
    X(OVERLAY, empty_overlay, "overlay is empty", s->overlay.n_ids = s->overlay.n_removed = 0)     \
    X(OVERLAY, corners_of_one, "overlay.corners has 1 entries, overlay.ids has 2",                 \
      s->overlay.n_corners = 1)                                                                    \
    X(OVERLAY, two_corners, "overlay.corners has 2, it must be", s->shape_corners[1] = 2)          \
    X(OVERLAY, no_corner, "overlay.corners has 0", s->shape_corners[0] = 0)                        \
    X(OVERLAY, many_corners, "overlay.corners has 65", s->shape_corners[1] = 65)                   \
    X(OVERLAY, corner_missing, "overlay.x has 4 entries and overlay.y 3, the corners are 4",       \
      s->overlay.n_y = 3)                                                                          \
    X(OVERLAY, corner_nowhere, "overlay.y is nan", s->shape_y[2] = NAN)                            \
    X(OVERLAY, far_corner, "overlay.x is 2e+09", s->shape_x[0] = 2e9)                              \
    X(OVERLAY, radii_of_one, "overlay.radii_m has 1 entries", s->overlay.n_radii_m = 1)            \
    X(OVERLAY, negative_disc, "overlay.radii_m has -1", s->shape_radii[0] = -1.0)                  \
    X(OVERLAY, ttl_of_one, "overlay.ttl_ms has 1 entries", s->overlay.n_ttl_ms = 1)                \
    X(OVERLAY, no_values, "overlay.values has 0 bytes for 2", s->overlay.values.len = 0)           \
    X(OVERLAY, round_polygon, NULL, s->shape_corners[1] = 64;                                      \
      s->overlay.x = s->overlay.y = rp_many_doubles; s->overlay.n_x = s->overlay.n_y = 65)         \
    X(OVERLAY, huge_disc, NULL, s->shape_radii[0] = RP_LIMIT_COORDINATE)                           \
    X(OVERLAY, as_many_removed_as_there_may_be, NULL, s->overlay.removed = rp_many_numbers;        \
      s->overlay.n_removed = 4096)                                                                 \
    X(OVERLAY, as_many_shapes_as_there_may_be,                                                     \
      "overlay.corners has 2 entries, overlay.ids has 4096", s->overlay.ids = rp_many_numbers;     \
      s->overlay.n_ids = 4096)

#define ALL(X) WORLDS(X) BODIES(X) SHAPES(X)
ALL(RP_SPOILER)

static const rp_spoilt_t spoilt[] = {ALL(RP_SPOILT)};

START_TEST(a_world_is_refused_for_what_is_wrong_with_it)
{
    rp_spoilt_judge(&spoilt[_i]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_world_is_refused_for_what_is_wrong_with_it};
    return rp_suite_run("check_world", tests, 1, sizeof spoilt / sizeof spoilt[0], NULL);
}
