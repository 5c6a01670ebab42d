/// Reader of PNG (ISO 15948): all five kinds of colour, 1 to 16 bits, interlaced or not. What says
/// how light is to be shown (gamma, colour profiles) is passed over: a map's values are no light.
///
/// First all chunks are walked over and checked, then the image data, put together, is inflated
/// (inflate.h), unfiltered row by row and handed on.
#include <stdlib.h>
#include <string.h>

#include "files/image/image.h"
#include "files/image/inflate.h"
#include "files/image/png_chunks.h"

/// Seven passes of an interlaced picture, or the only one of any other.
typedef struct pass {
    uint8_t x, y, step_x, step_y;
} pass_t;

static const pass_t all_at_once[] = {{0, 0, 1, 1}};
static const pass_t adam7[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                               {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};

typedef struct png_reader {
    rp_png_t png;
    const rp_image_sink_t *sink;
    const pass_t *passes;
    unsigned pass_count;
    unsigned pass;      ///< at work; pass_count: all rows are there
    uint32_t y;         ///< the row at work, in the picture
    size_t row_bytes;   ///< of this pass, without the filter's byte
    size_t filled;      ///< bytes of the row that are there, with the filter's
    uint8_t *row;       ///< owned: the filter's byte and the row
    uint8_t *above;     ///< owned: the row above, unfiltered
    rp_pixel_t *pixels; ///< owned [width]
    const char *fault;  ///< of a row
} png_reader_t;

static bool is_png(const rp_text_t *text)
{
    return text->size >= RP_PNG_SIGNATURE_BYTES &&
           memcmp(text->bytes, RP_PNG_SIGNATURE, RP_PNG_SIGNATURE_BYTES) == 0;
}

// ---- passes

static uint32_t steps_of(uint32_t side, uint32_t first, uint32_t step)
{
    return side > first ? (side - first + step - 1u) / step : 0;
}

static uint32_t pass_width(const png_reader_t *self)
{
    const pass_t *pass = &self->passes[self->pass];
    return steps_of(self->png.image.width, pass->x, pass->step_x);
}

static size_t row_bytes_of(const png_reader_t *self, uint32_t width)
{
    return ((size_t)width * rp_png_channels(&self->png) * self->png.depth + 7u) / 8u;
}

/// Go to a pass that has pixels, from `pass` on.
static void enter_pass(png_reader_t *self, unsigned pass)
{
    for (self->pass = pass; self->pass < self->pass_count; self->pass++) {
        self->y = self->passes[self->pass].y;
        if (pass_width(self) != 0 && self->y < self->png.image.height) {
            break;
        }
    }
    if (self->pass < self->pass_count) {
        self->row_bytes = row_bytes_of(self, pass_width(self));
        memset(self->above, 0, self->row_bytes);
    }
}

/// How many bytes the inflated data has.
static uint64_t raw_bytes(const png_reader_t *self)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < self->pass_count; i++) {
        const pass_t *pass = &self->passes[i];
        const uint32_t width = steps_of(self->png.image.width, pass->x, pass->step_x);
        const uint64_t rows = steps_of(self->png.image.height, pass->y, pass->step_y);
        bytes += width != 0 ? rows * (1u + row_bytes_of(self, width)) : 0;
    }
    return bytes;
}

// ---- one row

static uint8_t paeth(uint8_t left, uint8_t above, uint8_t corner)
{
    const int estimate = left + above - corner;
    const int to_left = abs(estimate - left);
    const int to_above = abs(estimate - above);
    const int to_corner = abs(estimate - corner);
    return to_left <= to_above && to_left <= to_corner ? left
           : to_above <= to_corner                     ? above
                                                       : corner;
}

/// Add to each byte what its filter expected of those before it.
/// @return false when the filter does not exist
static bool unfilter(png_reader_t *self)
{
    const uint8_t filter = self->row[0];
    uint8_t *row = self->row + 1;
    const uint8_t *above = self->above;
    const size_t bits = (size_t)rp_png_channels(&self->png) * self->png.depth;
    const size_t back = bits < 8u ? 1u : bits / 8u;
    for (size_t i = 0; i < self->row_bytes && filter != 0; i++) {
        const uint8_t left = i >= back ? row[i - back] : 0;
        const uint8_t corner = i >= back ? above[i - back] : 0;
        const unsigned expected = filter == 1   ? left
                                  : filter == 2 ? above[i]
                                  : filter == 3 ? (unsigned)(left + above[i]) / 2u
                                                : paeth(left, above[i], corner);
        row[i] = (uint8_t)(row[i] + expected);
    }
    return filter <= 4;
}

/// The sample `index` of the row, as it stands there.
static uint16_t sample_at(const png_reader_t *self, size_t index)
{
    const uint8_t *row = self->row + 1;
    const unsigned depth = self->png.depth;
    if (depth == 16) {
        return (uint16_t)(row[2 * index] << 8 | row[2 * index + 1]);
    }
    const size_t bit = index * depth;
    return (uint16_t)(row[bit / 8u] >> (8u - depth - bit % 8u) & ((1u << depth) - 1u));
}

/// @return false when it names a colour that the palette does not have
static bool pixel_of_palette(const png_reader_t *self, size_t x, rp_pixel_t *pixel)
{
    const uint16_t index = sample_at(self, x);
    if (index < self->png.palette_count) {
        *pixel = self->png.palette[index];
    }
    return index < self->png.palette_count;
}

static rp_pixel_t pixel_of_samples(const png_reader_t *self, size_t x)
{
    const rp_png_t *png = &self->png;
    const unsigned channels = rp_png_channels(png);
    const uint16_t scale = png->depth < 8 ? (uint16_t)(255u / ((1u << png->depth) - 1u)) : 1;
    uint16_t samples[4];
    for (unsigned i = 0; i < channels; i++) {
        samples[i] = sample_at(self, channels * x + i);
    }
    const bool has_alpha = channels % 2u == 0;
    const unsigned colours = channels < 3 ? 1 : 3;
    const bool is_clear = png->has_key && memcmp(samples, png->key, colours * sizeof *samples) == 0;
    const uint16_t opaque = is_clear ? 0 : (uint16_t)png->image.most;
    return (rp_pixel_t){
        .red = (uint16_t)(samples[0] * scale),
        .green = (uint16_t)(samples[colours > 1 ? 1 : 0] * scale),
        .blue = (uint16_t)(samples[colours > 1 ? 2 : 0] * scale),
        .alpha = has_alpha ? samples[channels - 1] : opaque,
    };
}

/// The row is whole: hand it on, and go to the next one.
/// @return false with a fault
static bool finish_row(png_reader_t *self)
{
    const pass_t *pass = &self->passes[self->pass];
    const uint32_t count = pass_width(self);
    if (!unfilter(self)) {
        self->fault = "a filter that does not exist";
        return false;
    }
    for (uint32_t x = 0; x < count; x++) {
        if (self->png.colour != RP_PNG_PALETTE) {
            self->pixels[x] = pixel_of_samples(self, x);
        } else if (!pixel_of_palette(self, x, &self->pixels[x])) {
            self->fault = "a pixel beyond the palette";
            return false;
        }
    }
    const rp_pixel_run_t run = {pass->x, self->y, pass->step_x, count, self->pixels};
    self->sink->take(self->sink->user, &run);
    memcpy(self->above, self->row + 1, self->row_bytes);
    self->y += pass->step_y;
    if (self->y >= self->png.image.height) {
        enter_pass(self, self->pass + 1);
    }
    return true;
}

/// Inflated bytes: into the row, as many as it lacks.
static bool take_bytes(void *user, const uint8_t *bytes, size_t count)
{
    png_reader_t *self = user;
    while (count != 0) {
        if (self->pass == self->pass_count) {
            self->fault = "more image data than the picture has pixels";
            return false;
        }
        const size_t lacking = 1u + self->row_bytes - self->filled;
        const size_t part = count < lacking ? count : lacking;
        memcpy(self->row + self->filled, bytes, part);
        self->filled += part;
        bytes += part;
        count -= part;
        if (self->filled == 1u + self->row_bytes) {
            self->filled = 0;
            if (!finish_row(self)) {
                return false;
            }
        }
    }
    return true;
}

// ---- the whole picture

static rp_status_t inflate_rows(png_reader_t *self, rp_complaint_t *complaint)
{
    const rp_png_t *png = &self->png;
    rp_inflate_fault_t fault;
    const rp_status_t status = rp_inflate(png->data, png->data_size, take_bytes, self, &fault);
    if (status == RP_E_MEMORY) {
        return rp_complain_memory(complaint, png->text->name);
    }
    if (status != RP_OK) {
        return rp_complain_at(complaint, png->text->name, rp_png_offset(png, fault.offset), "%s",
                              fault.reason != NULL ? fault.reason : self->fault);
    }
    if (self->pass != self->pass_count) {
        return rp_complain_at(complaint, png->text->name, rp_png_offset(png, png->data_size),
                              "the image data ends before row %u of %u", self->y,
                              png->image.height);
    }
    return RP_OK;
}

static rp_status_t read_pixels(png_reader_t *self, rp_complaint_t *complaint)
{
    const rp_png_t *png = &self->png;
    const uint64_t raw = raw_bytes(self);
    if (raw / RP_INFLATE_GROWTH_MAX > png->data_size) {
        return rp_complain_at(complaint, png->text->name, rp_png_offset(png, png->data_size),
                              "%zu bytes of image data cannot be %u x %u pixels", png->data_size,
                              png->image.width, png->image.height);
    }
    const size_t row_bytes = row_bytes_of(self, png->image.width);
    self->row = malloc(1u + row_bytes);
    self->above = calloc(row_bytes, 1);
    self->pixels = malloc(png->image.width * sizeof *self->pixels);
    if (self->row == NULL || self->above == NULL || self->pixels == NULL) {
        return rp_complain_memory(complaint, png->text->name);
    }
    enter_pass(self, 0);
    const rp_status_t status = self->sink->begin(self->sink->user, &png->image);
    return status == RP_OK ? inflate_rows(self, complaint) : status;
}

static rp_status_t read_png(const rp_text_t *text, const rp_image_sink_t *sink,
                            rp_complaint_t *complaint)
{
    png_reader_t self = {.sink = sink};
    rp_status_t status = rp_png_open(text, &self.png, complaint);
    if (status == RP_OK) {
        self.passes = self.png.is_interlaced ? adam7 : all_at_once;
        self.pass_count = self.png.is_interlaced ? 7 : 1;
        status = read_pixels(&self, complaint);
    }
    free(self.pixels);
    free(self.above);
    free(self.row);
    rp_png_close(&self.png);
    return status;
}

const rp_image_format_t rp_png_format = {
    .name = "PNG",
    .is_format = is_png,
    .read = read_png,
};
