/// A chunk is four bytes of length, four letters, the data, and a sum of letters and data.
#include "files/image/png_chunks.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_FRAME 12u ///< bytes of a chunk beside its data
#define HEAD_BYTES  13u

typedef struct chunk {
    char type[5];
    const uint8_t *data; ///< borrowed [size]
    size_t size;
    size_t offset; ///< of the chunk in the file
} chunk_t;

/// Which chunks came already.
typedef struct walk {
    rp_png_t *png;
    rp_complaint_t *complaint;
    size_t at; ///< next chunk in the file
    bool has_head, has_palette, has_data, is_past_data, has_clear;
} walk_t;

#define refuse(self, chunk, ...)                                                                   \
    rp_complain_at((self)->complaint, (self)->png->text->name, (chunk)->offset, __VA_ARGS__)

// ---- bytes

static uint32_t number_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

uint32_t rp_png_sum(uint32_t before, const uint8_t *bytes, size_t count)
{
    // What four bits do to the sum: so the table stays a few lines.
    static const uint32_t table[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu,
                                       0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
                                       0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                       0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
    uint32_t sum = ~before;
    for (size_t i = 0; i < count; i++) {
        sum = table[(sum ^ bytes[i]) & 15u] ^ sum >> 4;
        sum = table[(sum ^ (uint32_t)bytes[i] >> 4) & 15u] ^ sum >> 4;
    }
    return ~sum;
}

unsigned rp_png_channels(const rp_png_t *self)
{
    switch (self->colour) {
    case RP_PNG_RGB:
        return 3;
    case RP_PNG_GREY_ALPHA:
        return 2;
    case RP_PNG_RGB_ALPHA:
        return 4;
    case RP_PNG_GREY:
    case RP_PNG_PALETTE:
        break;
    }
    return 1;
}

// ---- one chunk

static bool is_of(const chunk_t *chunk, const char *type)
{
    return memcmp(chunk->type, type, 4) == 0;
}

/// Chunks in capitals must be understood; `tRNS` changes what pixels mean. Any other is passed
/// over.
static bool matters(const chunk_t *chunk)
{
    return (chunk->type[0] & 32) == 0 || is_of(chunk, "tRNS");
}

/// Read the frame of the chunk at `at`. @return RP_E_INVALID when the file ends within it, or its
/// sum is wrong
static rp_status_t next_chunk(walk_t *self, chunk_t *chunk)
{
    const rp_text_t *text = self->png->text;
    const uint8_t *bytes = (const uint8_t *)text->bytes + self->at;
    const size_t left = text->size - self->at;
    *chunk = (chunk_t){.offset = self->at};
    if (left < CHUNK_FRAME) {
        return refuse(self, chunk, "the file is cut short: no IEND chunk ends it");
    }
    memcpy(chunk->type, bytes + 4, 4);
    for (unsigned i = 0; i < 4; i++) {
        if ((chunk->type[i] | 32) < 'a' || (chunk->type[i] | 32) > 'z') {
            return refuse(self, chunk, "no chunk: its name is not four letters");
        }
    }
    chunk->size = number_at(bytes);
    chunk->data = bytes + 8;
    if (chunk->size > left - CHUNK_FRAME) {
        return refuse(self, chunk, "the file is cut short: %s has %zu bytes, %zu are left",
                      chunk->type, chunk->size, left - CHUNK_FRAME);
    }
    if (matters(chunk) &&
        rp_png_sum(0, bytes + 4, chunk->size + 4u) != number_at(bytes + 8 + chunk->size)) {
        return refuse(self, chunk, "the sum of chunk %s is wrong", chunk->type);
    }
    self->at += CHUNK_FRAME + chunk->size;
    return RP_OK;
}

static bool is_depth_of(unsigned depth, unsigned colour)
{
    const bool is_power = depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
    switch (colour) {
    case RP_PNG_GREY:
        return is_power;
    case RP_PNG_PALETTE:
        return is_power && depth <= 8;
    case RP_PNG_RGB:
    case RP_PNG_GREY_ALPHA:
    case RP_PNG_RGB_ALPHA:
        return depth == 8 || depth == 16;
    default:
        return false;
    }
}

static rp_status_t take_head(walk_t *self, const chunk_t *chunk)
{
    rp_png_t *png = self->png;
    if (self->has_head || chunk->size != HEAD_BYTES) {
        return refuse(self, chunk, self->has_head ? "a second IHDR" : "an IHDR of %zu bytes",
                      chunk->size);
    }
    const uint8_t *data = chunk->data;
    png->image.width = number_at(data);
    png->image.height = number_at(data + 4);
    png->depth = data[8];
    png->colour = data[9];
    png->is_interlaced = data[12] == 1;
    png->image.most = png->depth == 16 ? 65535u : 255u;
    png->image.has_alpha = data[9] == RP_PNG_GREY_ALPHA || data[9] == RP_PNG_RGB_ALPHA;
    self->has_head = true;
    if (!is_depth_of(data[8], data[9])) {
        return refuse(self, chunk, "colours of type %u with %u bits do not exist", data[9],
                      data[8]);
    }
    if (data[10] != 0 || data[11] != 0 || data[12] > 1) {
        return refuse(self, chunk, "compression %u, filter %u, interlace %u: one is unknown",
                      data[10], data[11], data[12]);
    }
    return rp_image_check(png->text, chunk->offset, png->image.width, png->image.height,
                          self->complaint);
}

static rp_status_t take_palette(walk_t *self, const chunk_t *chunk)
{
    rp_png_t *png = self->png;
    if (self->has_palette || self->has_data || self->has_clear) {
        return refuse(self, chunk, "PLTE stands behind another PLTE, tRNS or IDAT");
    }
    self->has_palette = true;
    if (chunk->size == 0 || chunk->size % 3u != 0 || chunk->size > 3u * 256u) {
        return refuse(self, chunk, "a palette of %zu bytes, not three for each of 1..256 colours",
                      chunk->size);
    }
    png->palette_count = (unsigned)chunk->size / 3u;
    for (unsigned i = 0; i < png->palette_count; i++) {
        const uint8_t *colour = chunk->data + 3u * i;
        png->palette[i] = (rp_pixel_t){colour[0], colour[1], colour[2], 255};
    }
    return RP_OK;
}

/// How far the colours of the palette are opaque, or which colour is not.
static rp_status_t take_clear(walk_t *self, const chunk_t *chunk)
{
    rp_png_t *png = self->png;
    if (self->has_data || self->has_clear || png->image.has_alpha) {
        return refuse(self, chunk,
                      "tRNS stands behind IDAT or another, or beside an alpha channel");
    }
    self->has_clear = true;
    png->image.has_alpha = true;
    if (png->colour == RP_PNG_PALETTE) {
        if (chunk->size > png->palette_count) {
            return refuse(self, chunk, "tRNS has %zu entries, the palette %u", chunk->size,
                          png->palette_count);
        }
        for (size_t i = 0; i < chunk->size; i++) {
            png->palette[i].alpha = chunk->data[i];
        }
        return RP_OK;
    }
    const unsigned colours = rp_png_channels(png);
    if (chunk->size != 2u * colours) {
        return refuse(self, chunk, "tRNS has %zu bytes instead of %u", chunk->size, 2u * colours);
    }
    for (unsigned i = 0; i < colours; i++) {
        png->key[i] = (uint16_t)(chunk->data[2 * i] << 8 | chunk->data[2 * i + 1]);
    }
    png->has_key = true;
    return RP_OK;
}

static rp_status_t take_data(walk_t *self, const chunk_t *chunk)
{
    if (self->is_past_data) {
        return refuse(self, chunk, "another chunk stands between the IDAT chunks");
    }
    if (self->png->colour == RP_PNG_PALETTE && !self->has_palette) {
        return refuse(self, chunk, "IDAT stands before the palette");
    }
    self->has_data = true;
    self->png->data_size += chunk->size;
    return RP_OK;
}

static rp_status_t take_chunk(walk_t *self, const chunk_t *chunk)
{
    self->is_past_data |= self->has_data && !is_of(chunk, "IDAT");
    if (is_of(chunk, "IHDR")) {
        return take_head(self, chunk);
    }
    if (!self->has_head) {
        return refuse(self, chunk, "the first chunk is %s, not IHDR", chunk->type);
    }
    if (is_of(chunk, "PLTE")) {
        return take_palette(self, chunk);
    }
    if (is_of(chunk, "tRNS")) {
        return take_clear(self, chunk);
    }
    if (is_of(chunk, "IDAT")) {
        return take_data(self, chunk);
    }
    if (matters(chunk) && !is_of(chunk, "IEND")) {
        return refuse(self, chunk, "a chunk %s, which must be understood and is not known",
                      chunk->type);
    }
    return RP_OK;
}

// ---- the image data

/// A chunk that was walked over before: nothing in it is checked again. @return the next one
static size_t known_chunk(const rp_text_t *text, size_t at, chunk_t *chunk)
{
    const uint8_t *bytes = (const uint8_t *)text->bytes + at;
    *chunk = (chunk_t){.data = bytes + 8, .size = number_at(bytes), .offset = at};
    memcpy(chunk->type, bytes + 4, 4);
    return at + CHUNK_FRAME + chunk->size;
}

/// @return false without memory
static bool join_data(rp_png_t *self)
{
    self->data = malloc(self->data_size != 0 ? self->data_size : 1);
    if (self->data == NULL) {
        return false;
    }
    chunk_t chunk = {0};
    size_t filled = 0;
    for (size_t at = RP_PNG_SIGNATURE_BYTES; !is_of(&chunk, "IEND");) {
        at = known_chunk(self->text, at, &chunk);
        if (is_of(&chunk, "IDAT")) {
            memcpy(self->data + filled, chunk.data, chunk.size);
            filled += chunk.size;
        }
    }
    return true;
}

size_t rp_png_offset(const rp_png_t *self, size_t data_offset)
{
    chunk_t chunk = {0};
    size_t offset = 0;
    for (size_t at = RP_PNG_SIGNATURE_BYTES; !is_of(&chunk, "IEND");) {
        at = known_chunk(self->text, at, &chunk);
        if (is_of(&chunk, "IDAT")) {
            offset = chunk.offset + 8u;
            if (data_offset < chunk.size) {
                return offset + data_offset;
            }
            data_offset -= chunk.size;
            offset += chunk.size;
        }
    }
    return offset;
}

// ---- birth and death

rp_status_t rp_png_open(const rp_text_t *text, rp_png_t *png, rp_complaint_t *complaint)
{
    *png = (rp_png_t){.text = text};
    walk_t walk = {.png = png, .complaint = complaint, .at = RP_PNG_SIGNATURE_BYTES};
    chunk_t chunk = {0};
    while (!is_of(&chunk, "IEND")) {
        rp_status_t status = next_chunk(&walk, &chunk);
        if (status == RP_OK) {
            status = take_chunk(&walk, &chunk);
        }
        if (status != RP_OK) {
            return status;
        }
    }
    if (!walk.has_data) {
        return refuse(&walk, &chunk, "no IDAT chunk: there is no image data");
    }
    return join_data(png) ? RP_OK : rp_complain_memory(complaint, text->name);
}

void rp_png_close(rp_png_t *self)
{
    free(self->data);
    self->data = NULL;
}
