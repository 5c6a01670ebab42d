/// Field by field.
#include "daemon/rules/decode.h"

rp_edit_t rp_decode_change(const Replan__V1__Change *change)
{
    const bool is_one_value = change->values.len == 1;
    return (rp_edit_t){
        .x = change->x,
        .y = change->y,
        .width = change->width,
        .height = change->height,
        .data = change->rect_case == REPLAN__V1__CHANGE__RECT_DATA ? change->data.data : NULL,
        .fill = change->rect_case == REPLAN__V1__CHANGE__RECT_FILL ? (uint8_t)change->fill : 0,
        .cells = change->cells,
        .values = is_one_value ? NULL : change->values.data,
        .value = is_one_value ? change->values.data[0] : 0,
        .cell_count = change->n_cells,
    };
}

/// The shapes of a checked request; they borrow its corners. @return NULL without memory
static rp_shape_t *shapes_of(rp_message_arena_t *arena, const Replan__V1__Overlay *overlay,
                             uint64_t now_us)
{
    rp_shape_t *shapes = rp_message_arena_take(arena, (overlay->n_ids + 1u) * sizeof *shapes);
    size_t corner = 0;
    for (size_t i = 0; shapes != NULL && i < overlay->n_ids; i++) {
        const uint64_t ttl_ms = overlay->n_ttl_ms != 0 ? overlay->ttl_ms[i] : 0u;
        shapes[i] = (rp_shape_t){
            .id = overlay->ids[i],
            .corners = overlay->corners[i],
            .x_m = overlay->x + corner,
            .y_m = overlay->y + corner,
            .radius_m = overlay->n_radii_m != 0 ? overlay->radii_m[i] : 0.0,
            .expires_us = ttl_ms != 0 ? now_us + 1000u * ttl_ms : 0u,
            .byte = overlay->values.data[overlay->values.len == 1 ? 0 : i],
        };
        corner += overlay->corners[i];
    }
    return shapes;
}

rp_overlay_edit_t rp_decode_overlay(rp_message_arena_t *arena, const Replan__V1__Overlay *overlay,
                                    uint64_t now_us)
{
    return (rp_overlay_edit_t){
        .shapes = shapes_of(arena, overlay, now_us),
        .shape_count = overlay->n_ids,
        .removed = overlay->removed,
        .removed_count = overlay->n_removed,
        .clears = overlay->clear != 0,
    };
}

rp_window_t rp_decode_resize(const Replan__V1__Resize *resize)
{
    const Replan__V1__Geometry *told = resize->geometry;
    const bool is_filled = resize->content_case == REPLAN__V1__RESIZE__CONTENT_FILL;
    return (rp_window_t){
        .x = resize->x,
        .y = resize->y,
        .width = told != NULL ? told->width : resize->width,
        .height = told != NULL ? told->height : resize->height,
        .is_told = told != NULL,
        .origin_x_m = told != NULL ? told->origin_x : 0.0,
        .origin_y_m = told != NULL ? told->origin_y : 0.0,
        .is_filled = is_filled,
        .fill = is_filled ? (uint8_t)resize->fill : 0,
        .rects = resize->rects,
        .rect_count = resize->n_rects / 4u,
        .rect_data = resize->rect_data.data,
    };
}
