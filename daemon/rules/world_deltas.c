/// What each version rewrote, packed as mirrors are told it.
#include "daemon/rules/world_deltas.h"

#include <stdio.h>
#include <string.h>

#include "daemon/rules/window_shift.h"
#include "daemon/serving/encode.h"

void rp_world_deltas_keep_none(rp_served_t *world)
{
    rp_deltas_add(&world->deltas, NULL, RP_LIMIT_DELTA_RING + 1u);
}

/// Keep a delta as that of the newest version.
static void keep_packed(rp_serving_t *self, rp_served_t *world, Replan__V1__Delta *delta,
                        uint64_t version)
{
    delta->world = world->name;
    delta->epoch = world->epoch;
    delta->version = version;
    delta->window = rp_engine_window(self->engine, world->id, 0)->number;
    const size_t size = protobuf_c_message_get_packed_size(&delta->base);
    if (size > RP_LIMIT_DELTA_RING || !rp_codec_pack(&self->packed, &delta->base)) {
        rp_world_deltas_keep_none(world);
        return;
    }
    rp_deltas_add(&world->deltas, self->packed.bytes, self->packed.size);
}

bool rp_world_deltas_keep_rewritten(rp_serving_t *self, rp_served_t *world, uint64_t version)
{
    rp_edit_t edit;
    if (!rp_engine_rewritten(self->engine, world->id, &edit)) {
        return false;
    }
    Replan__V1__Delta delta;
    replan__v1__delta__init(&delta);
    delta.n_cells = edit.cell_count;
    delta.cells = (uint32_t *)edit.cells; // the generated type knows no const
    delta.values = (ProtobufCBinaryData){edit.cell_count, (uint8_t *)edit.values};
    keep_packed(self, world, &delta, version);
    return true;
}

/// The bytes of a rectangle without gaps. @return NULL without memory
static uint8_t *join_rows(rp_message_arena_t *arena, const rp_edit_t *edit)
{
    uint8_t *bytes = rp_message_arena_take(arena, (size_t)edit->width * edit->height);
    for (uint32_t row = 0; bytes != NULL && row < edit->height; row++) {
        memcpy(bytes + (size_t)row * edit->width, edit->data + (size_t)row * edit->stride,
               edit->width);
    }
    return bytes;
}

/// The delta of a version has the change's own form: it is what was written.
void rp_world_deltas_keep_edit(rp_serving_t *self, rp_served_t *world, const rp_edit_t *edit,
                               uint64_t version)
{
    Replan__V1__Delta delta;
    const bool has_gaps = edit->data != NULL && edit->stride != 0 && edit->stride != edit->width;
    uint8_t *data = has_gaps ? join_rows(&self->arena, edit) : (uint8_t *)edit->data;
    if (has_gaps && data == NULL) {
        rp_world_deltas_keep_none(world);
        return;
    }
    replan__v1__delta__init(&delta);
    delta.x = edit->x;
    delta.y = edit->y;
    delta.width = edit->width;
    delta.height = edit->height;
    if (edit->data != NULL) {
        delta.rect_case = REPLAN__V1__DELTA__RECT_DATA;
        delta.data = (ProtobufCBinaryData){(size_t)edit->width * edit->height, data};
    } else if (edit->width != 0) {
        delta.rect_case = REPLAN__V1__DELTA__RECT_FILL;
        delta.fill = edit->fill;
    }
    delta.n_cells = edit->cell_count;
    delta.cells = (uint32_t *)edit->cells; // the generated type knows no const
    delta.values.len = edit->values != NULL ? edit->cell_count : edit->cell_count != 0;
    delta.values.data = (uint8_t *)(edit->values != NULL ? edit->values : &edit->value);
    keep_packed(self, world, &delta, version);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/// Let the rectangle of a delta hold its single cells, too.
/// @param width  of the world
static void widen(Replan__V1__Delta *delta, uint32_t width)
{
    uint32_t end_x = delta->x + delta->width;
    uint32_t end_y = delta->y + delta->height;
    if (delta->width == 0) { // there is none yet
        delta->x = delta->y = UINT32_MAX;
        end_x = end_y = 0;
    }
    for (size_t i = 0; i < delta->n_cells; i++) {
        const uint32_t x = delta->cells[i] % width;
        const uint32_t y = delta->cells[i] / width;
        delta->x = (uint32_t)least(delta->x, x);
        delta->y = (uint32_t)least(delta->y, y);
        end_x = (uint32_t)greatest(end_x, x + 1u);
        end_y = (uint32_t)greatest(end_y, y + 1u);
    }
    delta->width = end_x - delta->x;
    delta->height = end_y - delta->y;
}

/// A delta beyond the limit of PUB: its rectangle is named, who needs the bytes asks for them.
static bool pack_name_only(rp_serving_t *self, const rp_served_t *world, const rp_delta_t *kept)
{
    Replan__V1__Delta *delta = (Replan__V1__Delta *)rp_codec_unpack(
        &self->arena, &replan__v1__delta__descriptor, kept->bytes, kept->size);
    if (delta == NULL) {
        return false;
    }
    delta->only_names = true;
    widen(delta, world->options.width);
    delta->rect_case = REPLAN__V1__DELTA__RECT__NOT_SET;
    delta->n_cells = 0;
    delta->values.len = 0;
    return rp_codec_pack(&self->packed, &delta->base);
}

/// Another window: who mirrors the world asks for all of it.
static bool pack_window_name(rp_serving_t *self, rp_served_t *world, uint64_t version)
{
    Replan__V1__Delta delta;
    replan__v1__delta__init(&delta);
    delta.world = world->name;
    delta.epoch = world->epoch;
    delta.version = version;
    delta.window = rp_engine_window(self->engine, world->id, 0)->number;
    delta.width = world->options.width;
    delta.height = world->options.height;
    delta.only_names = true;
    return rp_codec_pack(&self->packed, &delta.base);
}

void rp_world_deltas_publish(rp_serving_t *self, rp_served_t *world)
{
    char topic[RP_LIMIT_TOPIC];
    (void)snprintf(topic, sizeof topic, "delta/%s/", world->name);
    while (world->published < world->deltas.newest) {
        const uint64_t version = ++world->published;
        const rp_delta_t *delta = rp_deltas_get(&world->deltas, version);
        const bool is_window = version == world->deltas.window;
        if (self->stats.subscriptions == 0 || (delta == NULL && !is_window)) {
            continue;
        }
        if (is_window) {
            if (pack_window_name(self, world, version)) {
                self->transport.publish(self->transport.user, topic, self->packed.bytes,
                                        self->packed.size);
            }
        } else if (delta->size <= RP_LIMIT_PUB_BYTES) {
            self->transport.publish(self->transport.user, topic, delta->bytes, delta->size);
        } else if (pack_name_only(self, world, delta)) {
            self->transport.publish(self->transport.user, topic, self->packed.bytes,
                                    self->packed.size);
        }
    }
}

// ---- a window as a delta

/// Rectangles of the newest window and their bytes.
typedef struct rects {
    uint32_t *list; ///< x, y, width, height by rectangle, of the arena
    size_t count;   ///< of rectangles
    uint64_t cells;
} rects_t;

static void add_rect(rects_t *self, int64_t left, int64_t top, int64_t right, int64_t bottom)
{
    if (left >= right || top >= bottom) {
        return;
    }
    uint32_t *rect = self->list + 4u * self->count++;
    rect[0] = (uint32_t)left;
    rect[1] = (uint32_t)top;
    rect[2] = (uint32_t)(right - left);
    rect[3] = (uint32_t)(bottom - top);
    self->cells += (uint64_t)rect[2] * rect[3];
}

/// The strips that are new, then what the request stated of cells that are not.
static void find_rects(const rp_window_shift_t *shift, const rp_window_t *window, bool are_stated,
                       rects_t *rects)
{
    const int64_t width = shift->to.width;
    const int64_t height = shift->to.height;
    const bool is_apart = shift->left >= shift->right || shift->top >= shift->bottom;
    const int64_t top = is_apart ? height : shift->top;
    const int64_t bottom = is_apart ? height : shift->bottom;
    add_rect(rects, 0, 0, width, top);
    add_rect(rects, 0, bottom, width, height);
    add_rect(rects, 0, top, shift->left, bottom);
    add_rect(rects, shift->right, top, width, bottom);
    for (size_t i = 0; i < window->rect_count && are_stated && !is_apart; i++) {
        const uint32_t *rect = window->rects + 4u * i;
        add_rect(rects, greatest(rect[0], shift->left), greatest(rect[1], top),
                 least((int64_t)rect[0] + rect[2], shift->right),
                 least((int64_t)rect[1] + rect[3], bottom));
    }
}

/// @return of the arena; NULL without memory
static uint8_t *copy_rects(rp_serving_t *self, const rp_served_t *world, const rects_t *rects)
{
    const uint8_t *bytes = rp_engine_bytes(self->engine, world->id);
    uint8_t *data = rp_message_arena_take(&self->arena, rects->cells);
    uint8_t *to = data;
    for (size_t i = 0; i < rects->count && data != NULL; i++) {
        const uint32_t *rect = rects->list + 4u * i;
        for (uint32_t row = 0; row < rect[3]; row++, to += rect[2]) {
            memcpy(to, bytes + (size_t)(rect[1] + row) * world->options.width + rect[0], rect[2]);
        }
    }
    return data;
}

static int32_t clamped(int64_t cells)
{
    return (int32_t)greatest(INT32_MIN, least(INT32_MAX, cells)); // so far away all cells are new
}

void rp_world_deltas_keep_window(rp_serving_t *self, rp_served_t *world,
                                 const rp_known_window_t *before, const rp_window_t *window,
                                 uint64_t version)
{
    const rp_known_window_t *newest = rp_engine_window(self->engine, world->id, 0);
    rp_window_shift_t shift = {
        .from = *before, .to = *newest, .right = newest->width, .bottom = newest->height};
    rects_t rects = {
        rp_message_arena_take(&self->arena, (window->rect_count + 4u) * 4u * sizeof(uint32_t)), 0,
        0};
    Replan__V1__Delta delta;
    Replan__V1__Geometry geometry;
    rp_edit_t rewritten = {.cell_count = 0};
    const bool is_listed = rp_engine_rewritten(self->engine, world->id, &rewritten);
    const bool is_known = is_listed || !rp_engine_has_shapes(self->engine, world->id);
    rp_deltas_note_window(&world->deltas);
    rp_window_shift_narrow(&shift, before);
    if (rects.list != NULL) {
        find_rects(&shift, window, !is_listed, &rects);
    }
    const bool is_small = is_known && rects.list != NULL && rects.cells <= RP_LIMIT_DELTA_RING;
    uint8_t *data = is_small ? copy_rects(self, world, &rects) : NULL;
    if (data == NULL) {
        rp_world_deltas_keep_none(world);
        return;
    }
    replan__v1__delta__init(&delta);
    rp_encode_geometry(world, &geometry);
    delta.geometry = &geometry;
    delta.moved_x = clamped(newest->offset_x - before->offset_x);
    delta.moved_y = clamped(newest->offset_y - before->offset_y);
    delta.n_rects = 4u * rects.count;
    delta.rects = rects.list;
    delta.rect_data = (ProtobufCBinaryData){rects.cells, data};
    delta.n_cells = rewritten.cell_count;
    delta.cells = (uint32_t *)rewritten.cells; // the generated type knows no const
    delta.values = (ProtobufCBinaryData){rewritten.cell_count, (uint8_t *)rewritten.values};
    keep_packed(self, world, &delta, version);
}
