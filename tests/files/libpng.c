/// Pictures of noise through libpng, without its corrections of light.
#include "tests/files/libpng.h"

#include <check.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

static void put(png_structp png, png_bytep bytes, png_size_t size)
{
    rp_output_add(png_get_io_ptr(png), bytes, size);
}

static void flush(png_structp png)
{
    (void)png;
}

static int palette_size(const libpng_shape_t *shape)
{
    return 1 << shape->depth;
}

static void write_palette(png_structp png, png_infop info, const libpng_shape_t *shape,
                          rp_random_t *random)
{
    png_color colours[256];
    png_byte alphas[256];
    for (int i = 0; i < palette_size(shape); i++) {
        colours[i] = (png_color){(png_byte)rp_random_below(random, 256),
                                 (png_byte)rp_random_below(random, 256),
                                 (png_byte)rp_random_below(random, 256)};
        alphas[i] = (png_byte)rp_random_below(random, 256);
    }
    png_set_PLTE(png, info, colours, palette_size(shape));
    if (shape->has_clear) {
        png_set_tRNS(png, info, alphas, 1 + palette_size(shape) / 2, NULL);
    }
}

static void write_clear(png_structp png, png_infop info, const libpng_shape_t *shape,
                        rp_random_t *random)
{
    const uint16_t most = (uint16_t)((1u << shape->depth) - 1u);
    png_color_16 colour = {.gray = (uint16_t)(rp_random_below(random, most + 1u))};
    colour.red = colour.green = colour.blue = colour.gray;
    png_set_tRNS(png, info, NULL, 0, &colour);
}

void libpng_write(const libpng_shape_t *shape, rp_random_t *random, rp_output_t *out)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, out, put, flush);
    png_set_compression_level(png, shape->level);
    png_set_compression_buffer_size(png, 64); // many small IDAT chunks
    png_set_filter(png, 0, shape->filters);
    png_set_IHDR(png, info, shape->width, shape->height, shape->depth, shape->colour,
                 shape->is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (shape->colour == PNG_COLOR_TYPE_PALETTE) {
        write_palette(png, info, shape, random);
    } else if (shape->has_clear) {
        write_clear(png, info, shape, random);
    }
    png_write_info(png, info);
    const size_t row_bytes = png_get_rowbytes(png, info);
    png_bytep *rows = calloc(shape->height, sizeof *rows);
    // Few values, so that the transparent colour comes, and repeats, so that matches do.
    for (uint32_t y = 0; y < shape->height; y++) {
        rows[y] = malloc(row_bytes);
        for (size_t i = 0; i < row_bytes; i++) {
            const bool repeats = y > 0 && rp_random_below(random, 3) == 0;
            rows[y][i] = repeats ? rows[y - 1][i] : (png_byte)rp_random_below(random, 256);
        }
    }
    png_write_image(png, rows);
    png_write_end(png, info);
    for (uint32_t y = 0; y < shape->height; y++) {
        free(rows[y]);
    }
    free(rows);
    png_destroy_write_struct(&png, &info);
}

/// What was read so far.
typedef struct place {
    const rp_text_t *text;
    size_t at;
} place_t;

static void get(png_structp png, png_bytep bytes, png_size_t size)
{
    place_t *place = png_get_io_ptr(png);
    if (size > place->text->size - place->at) {
        png_error(png, "cut short");
    }
    memcpy(bytes, place->text->bytes + place->at, size);
    place->at += size;
}

static uint16_t sample_of(const png_byte *row, size_t index, bool is_wide)
{
    return is_wide ? (uint16_t)(row[2 * index] << 8 | row[2 * index + 1]) : row[index];
}

static void take_row(const png_byte *row, const rp_image_t *image, rp_pixel_t *pixels)
{
    const bool is_wide = image->most > 255;
    const size_t channels = image->has_alpha ? 4 : 3;
    for (size_t x = 0; x < image->width; x++) {
        pixels[x] = (rp_pixel_t){
            sample_of(row, channels * x, is_wide), sample_of(row, channels * x + 1, is_wide),
            sample_of(row, channels * x + 2, is_wide),
            image->has_alpha ? sample_of(row, channels * x + 3, is_wide) : (uint16_t)image->most};
    }
}

void libpng_read(const rp_text_t *text, rp_image_t *image, rp_pixel_t **pixels)
{
    place_t place = {.text = text};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_read_fn(png, &place, get);
    png_read_info(png, info);
    png_set_expand(png); // palette, fewer than 8 bits, a transparent colour
    png_set_gray_to_rgb(png);
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    *image = (rp_image_t){
        .width = png_get_image_width(png, info),
        .height = png_get_image_height(png, info),
        .most = png_get_bit_depth(png, info) == 16 ? 65535u : 255u,
        .has_alpha = png_get_channels(png, info) == 4,
    };
    const size_t row_bytes = png_get_rowbytes(png, info);
    png_bytep rows = calloc(image->height, row_bytes);
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < image->height; y++) {
            png_read_row(png, rows + y * row_bytes, NULL);
        }
    }
    png_read_end(png, NULL);
    *pixels = malloc((size_t)image->width * image->height * sizeof **pixels);
    for (uint32_t y = 0; y < image->height; y++) {
        take_row(rows + y * row_bytes, image, *pixels + (size_t)y * image->width);
    }
    free(rows);
    png_destroy_read_struct(&png, &info, NULL);
}
