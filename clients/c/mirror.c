/// A mirror of a world. The past is one ring of (cell, byte) entries, oldest first, and for each
/// version where its entries end:
///
///     undo   | .. version 7 .. | .... version 8 .... | . 9 . |  <- undo_count
///     ends             ends[7]^             ends[8]^  ends[9]^
///
/// Going back swaps each entry's byte with the cell's, last entry first; going forward swaps them
/// again, first entry first. So one ring serves both ways, and a cell that one version rewrote
/// twice comes out right. Another window begins without a past.
#include "replan/mirror.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "msgs/codec.h"
#include "msgs/limits.h"

static uint64_t *end_of(rp_mirror_t *self, uint64_t version)
{
    return &self->ends[version % self->versions];
}

static void swap_entry(rp_mirror_t *self, uint64_t entry)
{
    rp_mirror_undo_t *undo = &self->undo[entry % self->undo_capacity];
    const uint8_t byte = self->bytes[undo->cell];
    self->bytes[undo->cell] = undo->byte;
    undo->byte = byte;
}

/// Make `bytes` show a version between the oldest and the newest.
static void show(rp_mirror_t *self, uint64_t version)
{
    assert(version >= self->oldest && version <= self->version);
    while (self->shown > version) {
        const uint64_t begin = *end_of(self, self->shown - 1);
        for (uint64_t entry = *end_of(self, self->shown); entry > begin; entry--) {
            swap_entry(self, entry - 1);
        }
        self->shown--;
    }
    while (self->shown < version) {
        self->shown++;
        const uint64_t end = *end_of(self, self->shown);
        for (uint64_t entry = *end_of(self, self->shown - 1); entry < end; entry++) {
            swap_entry(self, entry);
        }
    }
}

/// From here on nothing older than the present is known.
static void forget_past(rp_mirror_t *self)
{
    self->oldest = self->version;
    self->shown = self->version;
    *end_of(self, self->version) = self->undo_count;
}

// ---- snapshot

static void copy_text(char *to, size_t size, const char *from)
{
    const size_t length = from == NULL ? 0 : strnlen(from, size - 1);
    if (length > 0) {
        memcpy(to, from, length);
    }
    to[length] = '\0';
}

static rp_mirror_news_t hole(rp_mirror_t *self)
{
    self->is_whole = false;
    self->width = 0;
    return RP_MIRROR_HOLE;
}

static bool is_geometry(const Replan__V1__Geometry *geometry)
{
    return geometry != NULL && geometry->width != 0 && geometry->width <= RP_LIMIT_SIDE &&
           geometry->height != 0 && geometry->height <= RP_LIMIT_SIDE &&
           (uint64_t)geometry->width * geometry->height <= RP_LIMIT_CELLS;
}

static void take_geometry(rp_mirror_t *self, const Replan__V1__Geometry *geometry)
{
    self->width = geometry->width;
    self->height = geometry->height;
    self->resolution = geometry->resolution;
    self->origin_x = geometry->origin_x;
    self->origin_y = geometry->origin_y;
    self->origin_yaw = geometry->origin_yaw;
    copy_text(self->frame_id, sizeof(self->frame_id), geometry->frame_id);
}

static rp_mirror_news_t begin(rp_mirror_t *self, const Replan__V1__Chunk *chunk)
{
    const Replan__V1__Geometry *geometry = chunk->geometry;
    if (!is_geometry(geometry)) {
        return hole(self);
    }
    const size_t cells = (size_t)geometry->width * geometry->height;
    if (cells > self->capacity) {
        uint8_t *bytes = realloc(self->bytes, cells);
        if (bytes == NULL) {
            hole(self);
            return RP_MIRROR_MEMORY;
        }
        self->bytes = bytes;
        self->capacity = cells;
    }
    memset(self->bytes, 0, cells); // rows that are still to come may be rewritten by deltas
    take_geometry(self, geometry);
    self->neighbors = chunk->neighbors;
    self->wraps = chunk->wraps;
    copy_text(self->profile, sizeof(self->profile), chunk->profile);
    self->epoch = chunk->epoch;
    self->window = chunk->window;
    self->version = chunk->version;
    self->next_row = 0;
    return RP_MIRROR_WAITING;
}

static uint64_t hash_of(const rp_mirror_t *self)
{
    return rp_codec_cells_hash(0, self->bytes, (uint64_t)self->width * self->height);
}

rp_mirror_news_t rp_mirror_chunk(rp_mirror_t *self, const Replan__V1__Chunk *chunk)
{
    if (chunk == NULL) {
        return RP_MIRROR_OLD;
    }
    if (chunk->first) {
        self->is_whole = false;
        const rp_mirror_news_t news = begin(self, chunk);
        if (news != RP_MIRROR_WAITING) {
            return news;
        }
    }
    // Chunks come between deltas: each shows the world as all deltas before it left it.
    if (self->is_whole || self->width == 0 || chunk->epoch != self->epoch ||
        chunk->version != self->version || chunk->first_row != self->next_row ||
        chunk->rows > self->height - self->next_row ||
        chunk->data.len != (size_t)chunk->rows * self->width) {
        return hole(self);
    }
    if (chunk->rows > 0) {
        memcpy(self->bytes + (size_t)self->next_row * self->width, chunk->data.data,
               chunk->data.len);
    }
    self->next_row += chunk->rows;
    if (!chunk->last) {
        return RP_MIRROR_WAITING;
    }
    if (self->next_row != self->height) {
        return hole(self);
    }
    forget_past(self);
    self->hash = hash_of(self);
    self->is_whole = true;
    return RP_MIRROR_TAKEN;
}

// ---- deltas

/// Every cell and byte that a delta names is there. Checked whole before anything is written.
static bool fits(const rp_mirror_t *self, const Replan__V1__Delta *delta)
{
    const uint64_t rect_cells = (uint64_t)delta->width * delta->height;
    if (rect_cells > 0) {
        if ((uint64_t)delta->x + delta->width > self->width ||
            (uint64_t)delta->y + delta->height > self->height) {
            return false;
        }
        switch (delta->rect_case) {
        case REPLAN__V1__DELTA__RECT_FILL:
            if (delta->fill > UINT8_MAX) {
                return false;
            }
            break;
        case REPLAN__V1__DELTA__RECT_DATA:
            if (delta->data.len != rect_cells) {
                return false;
            }
            break;
        default:
            return false;
        }
    }
    if (delta->n_cells > 0 && delta->values.len != 1 && delta->values.len != delta->n_cells) {
        return false;
    }
    const uint64_t cells = (uint64_t)self->width * self->height;
    for (size_t i = 0; i < delta->n_cells; i++) {
        if (delta->cells[i] >= cells) {
            return false;
        }
    }
    return true;
}

static void write_cell(rp_mirror_t *self, uint32_t cell, uint8_t byte)
{
    const uint8_t before = self->bytes[cell];
    if (before == byte) {
        return;
    }
    self->bytes[cell] = byte;
    if (self->is_whole) { // before, there is no past yet, and the hash comes with the last rows
        self->hash ^= rp_codec_cell_hash(cell, before) ^ rp_codec_cell_hash(cell, byte);
        self->undo[self->undo_count % self->undo_capacity] = (rp_mirror_undo_t){cell, before};
        self->undo_count++;
    }
}

static void write_cells(rp_mirror_t *self, const Replan__V1__Delta *delta)
{
    const bool is_fill = delta->rect_case == REPLAN__V1__DELTA__RECT_FILL;
    for (uint32_t row = 0; row < delta->height; row++) {
        for (uint32_t column = 0; column < delta->width; column++) {
            const uint8_t byte = is_fill ? (uint8_t)delta->fill
                                         : delta->data.data[(size_t)row * delta->width + column];
            write_cell(self, (delta->y + row) * self->width + delta->x + column, byte);
        }
    }
    for (size_t i = 0; i < delta->n_cells; i++) {
        write_cell(self, delta->cells[i], delta->values.data[delta->values.len == 1 ? 0 : i]);
    }
}

/// Rectangles inside, and a byte for each of their cells.
static bool rects_fit(const Replan__V1__Delta *delta)
{
    const Replan__V1__Geometry *geometry = delta->geometry;
    uint64_t cells = 0;
    for (size_t i = 0; i + 3u < delta->n_rects; i += 4u) {
        const uint32_t *rect = delta->rects + i;
        if ((uint64_t)rect[0] + rect[2] > geometry->width ||
            (uint64_t)rect[1] + rect[3] > geometry->height) {
            return false;
        }
        cells += (uint64_t)rect[2] * rect[3];
    }
    return delta->n_rects % 4u == 0 && delta->rect_data.len == cells;
}

/// What lies in both windows, where it is in the new one.
static void move_bytes(const rp_mirror_t *self, const Replan__V1__Delta *delta, uint8_t *to)
{
    const uint32_t width = delta->geometry->width;
    for (uint32_t row = 0; row < delta->geometry->height; row++) {
        const int64_t y = (int64_t)delta->moved_y + row;
        const int64_t left = delta->moved_x > 0 ? delta->moved_x : 0;
        const int64_t end = (int64_t)delta->moved_x + width;
        const int64_t right = end < self->width ? end : self->width;
        if (y >= 0 && y < self->height && left < right) {
            memcpy(to + (size_t)row * width + (left - delta->moved_x),
                   self->bytes + (size_t)y * self->width + left, (size_t)(right - left));
        }
    }
}

static void write_rects(const Replan__V1__Delta *delta, uint8_t *to)
{
    const uint8_t *from = delta->rect_data.data;
    for (size_t i = 0; i < delta->n_rects; i += 4u) {
        const uint32_t *rect = delta->rects + i;
        for (uint32_t row = 0; row < rect[3]; row++, from += rect[2]) {
            if (rect[2] > 0) {
                memcpy(to + (size_t)(rect[1] + row) * delta->geometry->width + rect[0], from,
                       rect[2]);
            }
        }
    }
}

/// The world is another window. @return false without memory
static bool move_window(rp_mirror_t *self, const Replan__V1__Delta *delta)
{
    const size_t cells = (size_t)delta->geometry->width * delta->geometry->height;
    uint8_t *bytes = calloc(cells, 1);
    if (bytes == NULL) {
        return false;
    }
    move_bytes(self, delta, bytes);
    write_rects(delta, bytes);
    free(self->bytes);
    self->bytes = bytes;
    self->capacity = cells;
    take_geometry(self, delta->geometry);
    return true;
}

/// A delta that brings another window. The past was in cells of the one before.
static rp_mirror_news_t take_window(rp_mirror_t *self, const Replan__V1__Delta *delta)
{
    if (!self->is_whole || !is_geometry(delta->geometry) || !rects_fit(delta)) {
        return hole(self); // rows that are under way are sent again
    }
    show(self, self->version);
    if (!move_window(self, delta)) {
        hole(self);
        return RP_MIRROR_MEMORY;
    }
    if (!fits(self, delta)) {
        return hole(self);
    }
    self->is_whole = false; // there is no past, and the hash is counted anew
    write_cells(self, delta);
    self->is_whole = true;
    self->version++;
    self->window = delta->window;
    forget_past(self);
    self->hash = hash_of(self);
    return RP_MIRROR_TAKEN;
}

/// Let go of the versions whose entries were overwritten, or whose place in `ends` is needed.
static void keep_what_is_known(rp_mirror_t *self)
{
    const uint64_t lost =
        self->undo_count > self->undo_capacity ? self->undo_count - self->undo_capacity : 0;
    while (self->oldest < self->version &&
           (self->version - self->oldest >= self->versions || *end_of(self, self->oldest) < lost)) {
        self->oldest++;
    }
}

rp_mirror_news_t rp_mirror_delta(rp_mirror_t *self, const Replan__V1__Delta *delta)
{
    if (delta == NULL) {
        return RP_MIRROR_OLD;
    }
    if (self->width == 0) {
        return RP_MIRROR_WAITING;
    }
    if (delta->epoch == self->epoch && delta->version <= self->version) {
        return RP_MIRROR_OLD;
    }
    if (delta->epoch != self->epoch || delta->version != self->version + 1 || delta->only_names) {
        return hole(self);
    }
    if (delta->geometry != NULL) {
        return take_window(self, delta);
    }
    if (!fits(self, delta)) {
        return hole(self);
    }
    if (self->is_whole) {
        show(self, self->version);
    }
    write_cells(self, delta);
    self->version++;
    if (!self->is_whole) {
        return RP_MIRROR_WAITING;
    }
    self->shown = self->version;
    *end_of(self, self->version) = self->undo_count;
    keep_what_is_known(self);
    return RP_MIRROR_TAKEN;
}

rp_mirror_news_t rp_mirror_head(rp_mirror_t *self, const Replan__V1__Head *head)
{
    if (head == NULL) {
        return RP_MIRROR_OLD;
    }
    if (self->width == 0) {
        return RP_MIRROR_WAITING;
    }
    if (head->epoch != self->epoch) {
        return hole(self);
    }
    if (!self->is_whole) {
        return RP_MIRROR_WAITING;
    }
    if (head->version != self->version || head->hash == 0) {
        // Behind: said before the delta that is here. Ahead: its delta is on the way. Without a
        // hash: the daemon is still counting, the next head can be compared.
        return RP_MIRROR_OLD;
    }
    if (head->hash != self->hash) {
        hole(self);
        return RP_MIRROR_DIFFERS;
    }
    return RP_MIRROR_TAKEN;
}

rp_mirror_news_t rp_mirror_take(rp_mirror_t *self, const rp_client_event_t *event)
{
    switch (event != NULL ? event->kind : RP_CLIENT_NOTHING) {
    case RP_CLIENT_CHUNK:
        return rp_mirror_chunk(self, event->chunk);
    case RP_CLIENT_DELTA:
        return rp_mirror_delta(self, event->delta);
    case RP_CLIENT_HEAD:
        return rp_mirror_head(self, event->head);
    default:
        return RP_MIRROR_OLD;
    }
}

const uint8_t *rp_mirror_at(rp_mirror_t *self, uint64_t epoch, uint64_t version)
{
    if (!self->is_whole || epoch != self->epoch || version < self->oldest ||
        version > self->version) {
        return NULL;
    }
    show(self, version);
    return self->bytes;
}

// ---- birth and death

bool rp_mirror_init(rp_mirror_t *self, uint32_t versions, uint32_t undo_cells)
{
    memset(self, 0, sizeof(*self));
    self->versions = versions < 1 ? 1 : versions;
    self->undo_capacity = undo_cells < 1 ? 1 : undo_cells;
    self->ends = calloc(self->versions, sizeof(*self->ends));
    self->undo = calloc(self->undo_capacity, sizeof(*self->undo));
    if (self->ends == NULL || self->undo == NULL) {
        rp_mirror_fini(self);
        return false;
    }
    return true;
}

void rp_mirror_fini(rp_mirror_t *self)
{
    free(self->bytes);
    free(self->undo);
    free(self->ends);
    memset(self, 0, sizeof(*self));
}
