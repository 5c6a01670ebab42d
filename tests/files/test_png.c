/// PNG beside libpng; and pictures that nobody should be handed.
#include <check.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "files/image/png_chunks.h"
#include "files/image/png_write.h"
#include "tests/files/libpng.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

/// Pixels as our reader hands them out.
typedef struct canvas {
    rp_image_t image;
    rp_pixel_t *pixels;
    uint8_t *told; ///< how often each pixel was
} canvas_t;

static rp_status_t begin(void *user, const rp_image_t *image)
{
    canvas_t *canvas = user;
    canvas->image = *image;
    canvas->pixels = calloc((size_t)image->width * image->height, sizeof *canvas->pixels);
    canvas->told = calloc((size_t)image->width * image->height, 1);
    return RP_OK;
}

static void take(void *user, const rp_pixel_run_t *run)
{
    canvas_t *canvas = user;
    ck_assert_uint_lt(run->y, canvas->image.height);
    for (uint32_t i = 0; i < run->count; i++) {
        const uint32_t x = run->x + i * run->step;
        ck_assert_uint_lt(x, canvas->image.width);
        const size_t cell = (size_t)run->y * canvas->image.width + x;
        canvas->pixels[cell] = run->pixels[i];
        canvas->told[cell]++;
    }
}

static void drop(canvas_t *canvas)
{
    free(canvas->pixels);
    free(canvas->told);
}

/// Read from memory of just the file's size, so that a sanitizer sees a read beyond it.
static rp_status_t read_png(const uint8_t *bytes, size_t size, canvas_t *canvas,
                            rp_complaint_t *complaint)
{
    char *copy = malloc(size != 0 ? size : 1);
    memcpy(copy, bytes, size);
    const rp_text_t text = {.name = "x", .bytes = copy, .size = size};
    const rp_image_sink_t sink = {begin, take, canvas};
    *canvas = (canvas_t){0};
    *complaint = (rp_complaint_t){""};
    const rp_status_t status = rp_png_format.read(&text, &sink, complaint);
    ck_assert(status == RP_OK || complaint->sentence[0] == 'x');
    free(copy);
    return status;
}

static void check_as_libpng(const uint8_t *bytes, size_t size)
{
    const rp_text_t text = {.name = "x", .bytes = (const char *)bytes, .size = size};
    rp_complaint_t complaint;
    canvas_t canvas;
    rp_image_t image;
    rp_pixel_t *pixels;
    ck_assert(rp_png_format.is_format(&text));
    ck_assert_msg(read_png(bytes, size, &canvas, &complaint) == RP_OK, "%s", complaint.sentence);
    libpng_read(&text, &image, &pixels);
    ck_assert_uint_eq(canvas.image.width, image.width);
    ck_assert_uint_eq(canvas.image.height, image.height);
    ck_assert_uint_eq(canvas.image.most, image.most);
    ck_assert_int_eq(canvas.image.has_alpha, image.has_alpha);
    for (size_t i = 0; i < (size_t)image.width * image.height; i++) {
        ck_assert_uint_eq(canvas.told[i], 1);
        ck_assert_mem_eq(&canvas.pixels[i], &pixels[i], sizeof pixels[i]);
    }
    free(pixels);
    drop(&canvas);
}

static const struct {
    int colour, depth;
} kinds[] = {
    {PNG_COLOR_TYPE_GRAY, 1},        {PNG_COLOR_TYPE_GRAY, 2},      {PNG_COLOR_TYPE_GRAY, 4},
    {PNG_COLOR_TYPE_GRAY, 8},        {PNG_COLOR_TYPE_GRAY, 16},     {PNG_COLOR_TYPE_PALETTE, 1},
    {PNG_COLOR_TYPE_PALETTE, 2},     {PNG_COLOR_TYPE_PALETTE, 4},   {PNG_COLOR_TYPE_PALETTE, 8},
    {PNG_COLOR_TYPE_RGB, 8},         {PNG_COLOR_TYPE_RGB, 16},      {PNG_COLOR_TYPE_GRAY_ALPHA, 8},
    {PNG_COLOR_TYPE_GRAY_ALPHA, 16}, {PNG_COLOR_TYPE_RGB_ALPHA, 8}, {PNG_COLOR_TYPE_RGB_ALPHA, 16},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

/// @param side  the longest
static libpng_shape_t shape_of(size_t kind, uint32_t side, rp_random_t *random)
{
    static const int filters[] = {PNG_FILTER_NONE, PNG_FILTER_SUB,   PNG_FILTER_UP,
                                  PNG_FILTER_AVG,  PNG_FILTER_PAETH, PNG_ALL_FILTERS};
    return (libpng_shape_t){
        .width = 1 + rp_random_below(random, side),
        .height = 1 + rp_random_below(random, side),
        .depth = kinds[kind].depth,
        .colour = kinds[kind].colour,
        .is_interlaced = rp_random_below(random, 2) != 0,
        .has_clear =
            (kinds[kind].colour & PNG_COLOR_MASK_ALPHA) == 0 && rp_random_below(random, 2) != 0,
        .filters = filters[rp_random_below(random, 6)],
        .level = (int)rp_random_below(random, 10),
    };
}

START_TEST(png_of_every_kind_reads_as_libpng_reads_it)
{
    rp_random_t random = {41};
    for (unsigned round = 0; round < 20; round++) {
        for (size_t kind = 0; kind < KINDS; kind++) {
            const libpng_shape_t shape = shape_of(kind, 30, &random);
            rp_output_t out = {0};
            libpng_write(&shape, &random, &out);
            check_as_libpng(out.bytes, out.size);
            rp_output_fini(&out);
        }
    }
}
END_TEST

START_TEST(png_that_we_write_reads_as_it_was)
{
    rp_random_t random = {42};
    for (unsigned round = 0; round < 60; round++) {
        const uint32_t width = 1 + rp_random_below(&random, 700);
        const uint32_t height = 1 + rp_random_below(&random, 30);
        const unsigned channels = round % 2 == 0 ? 1 : 3;
        const size_t samples = (size_t)width * height * channels;
        uint8_t *pixels = malloc(samples);
        for (size_t i = 0; i < samples; i++) {
            const bool goes_on = i > 0 && rp_random_below(&random, 40) != 0;
            pixels[i] = goes_on ? pixels[i - 1] : (uint8_t)rp_random_below(&random, 256);
        }
        rp_output_t out = {0};
        rp_png_write(width, height, channels, pixels, &out);
        check_as_libpng(out.bytes, out.size);
        canvas_t canvas;
        rp_complaint_t complaint;
        ck_assert_int_eq(read_png(out.bytes, out.size, &canvas, &complaint), RP_OK);
        for (size_t i = 0; i < (size_t)width * height; i++) {
            ck_assert_uint_eq(canvas.pixels[i].red, pixels[i * channels]);
            ck_assert_uint_eq(canvas.pixels[i].blue, pixels[i * channels + channels - 1]);
        }
        drop(&canvas);
        rp_output_fini(&out);
        free(pixels);
    }
}
END_TEST

START_TEST(png_cut_at_any_byte_is_refused)
{
    rp_random_t random = {43};
    for (size_t kind = 0; kind < KINDS; kind++) {
        const libpng_shape_t shape = shape_of(kind, 9, &random);
        rp_output_t out = {0};
        libpng_write(&shape, &random, &out);
        for (size_t size = RP_PNG_SIGNATURE_BYTES; size < out.size; size++) {
            canvas_t canvas;
            rp_complaint_t complaint;
            ck_assert_int_eq(read_png(out.bytes, size, &canvas, &complaint), RP_E_INVALID);
            drop(&canvas);
        }
        rp_output_fini(&out);
    }
}
END_TEST

START_TEST(png_spoilt_at_any_byte_breaks_nothing)
{
    rp_random_t random = {44};
    for (size_t kind = 0; kind < KINDS; kind++) {
        const libpng_shape_t shape = shape_of(kind, 9, &random);
        rp_output_t out = {0};
        libpng_write(&shape, &random, &out);
        for (size_t i = RP_PNG_SIGNATURE_BYTES; i < out.size; i++) {
            const uint8_t byte = out.bytes[i];
            canvas_t canvas;
            rp_complaint_t complaint;
            out.bytes[i] = (uint8_t)(byte ^ (1u << rp_random_below(&random, 8)));
            const rp_status_t status = read_png(out.bytes, out.size, &canvas, &complaint);
            ck_assert(status == RP_OK || status == RP_E_INVALID);
            drop(&canvas);
            out.bytes[i] = byte;
        }
        rp_output_fini(&out);
    }
}
END_TEST

// ---- made by hand: what no library writes

static void put_number(rp_output_t *out, uint32_t number)
{
    for (unsigned shift = 32; shift != 0; shift -= 8) {
        rp_output_add_byte(out, (uint8_t)(number >> (shift - 8)));
    }
}

static void put_chunk(rp_output_t *out, const char *type, const void *data, size_t size)
{
    put_number(out, (uint32_t)size);
    const size_t at = out->size;
    rp_output_add(out, type, 4);
    rp_output_add(out, data, size);
    put_number(out, rp_png_sum(0, out->bytes + at, size + 4));
}

static void put_head(rp_output_t *out, uint32_t width, uint32_t height, uint8_t depth,
                     uint8_t colour)
{
    rp_output_t data = {0};
    put_number(&data, width);
    put_number(&data, height);
    rp_output_add(&data, (uint8_t[]){depth, colour, 0, 0, 0}, 5);
    rp_output_add(out, RP_PNG_SIGNATURE, RP_PNG_SIGNATURE_BYTES);
    put_chunk(out, "IHDR", data.bytes, data.size);
    rp_output_fini(&data);
}

static void expect(rp_output_t *out, const char *sentence)
{
    canvas_t canvas;
    rp_complaint_t complaint;
    ck_assert_int_eq(read_png(out->bytes, out->size, &canvas, &complaint), RP_E_INVALID);
    ck_assert_str_eq(complaint.sentence, sentence);
    drop(&canvas);
    rp_output_fini(out);
}

/// Two rows of two grey pixels, each with filter 0: stored.
static const char rows[] = "\x78\x01\x01\x06\x00\xf9\xff\0\1\2\0\3\4\0\x1d\0\x0b";

START_TEST(png_is_refused_by_offset_and_reason)
{
    rp_output_t out = {0};
    put_head(&out, 0, 5, 8, 0);
    expect(&out, "x: byte 8: 0 x 5 pixels, the sides of a map are 1..16384");
    put_head(&out, 0x80000000u, 5, 8, 0);
    expect(&out, "x: byte 8: 2147483648 x 5 pixels, the sides of a map are 1..16384");
    put_head(&out, 16384, 16384, 8, 0);
    expect(&out, "x: byte 8: 16384 x 16384 pixels and a rim are more than the 268435456 cells of a "
                 "grid");
    put_head(&out, 5, 5, 3, 0);
    expect(&out, "x: byte 8: colours of type 0 with 3 bits do not exist");
    put_head(&out, 5, 5, 16, 3);
    expect(&out, "x: byte 8: colours of type 3 with 16 bits do not exist");
    put_head(&out, 5, 5, 8, 0);
    put_chunk(&out, "IEND", "", 0);
    expect(&out, "x: byte 33: no IDAT chunk: there is no image data");
    put_head(&out, 5, 5, 8, 0);
    put_chunk(&out, "IHDR", "", 0);
    expect(&out, "x: byte 33: a second IHDR");
    put_head(&out, 5, 5, 8, 3);
    put_chunk(&out, "IDAT", "", 0);
    expect(&out, "x: byte 33: IDAT stands before the palette");
    put_head(&out, 5, 5, 8, 3);
    put_chunk(&out, "PLTE", "abcd", 4);
    expect(&out, "x: byte 33: a palette of 4 bytes, not three for each of 1..256 colours");
    put_head(&out, 5, 5, 8, 0);
    put_chunk(&out, "ABCD", "abcd", 4);
    expect(&out, "x: byte 33: a chunk ABCD, which must be understood and is not known");
    put_head(&out, 5, 5, 8, 0);
    out.bytes[out.size - 1]++;
    expect(&out, "x: byte 8: the sum of chunk IHDR is wrong");
    put_head(&out, 5, 5, 8, 0);
    put_number(&out, 0xfffffff0u);
    rp_output_add(&out, "IDATabcdefgh", 12);
    expect(&out, "x: byte 33: the file is cut short: IDAT has 4294967280 bytes, 4 are left");
    put_head(&out, 2, 2, 8, 0);
    put_chunk(&out, "IDAT", rows, 5);
    put_chunk(&out, "gAMA", "abcd", 4);
    put_chunk(&out, "IDAT", rows + 5, sizeof rows - 6);
    expect(&out, "x: byte 66: another chunk stands between the IDAT chunks");
}
END_TEST

START_TEST(png_with_too_few_or_too_many_rows_is_refused)
{
    rp_output_t out = {0};
    put_head(&out, 2, 2, 8, 0);
    put_chunk(&out, "IDAT", rows, sizeof rows - 1);
    put_chunk(&out, "IEND", "", 0);
    check_as_libpng(out.bytes, out.size);
    rp_output_fini(&out);
    put_head(&out, 2, 1, 8, 0);
    put_chunk(&out, "IDAT", rows, sizeof rows - 1);
    put_chunk(&out, "IEND", "", 0);
    expect(&out, "x: byte 54: more image data than the picture has pixels");
    put_head(&out, 2, 3, 8, 0);
    put_chunk(&out, "IDAT", rows, sizeof rows - 1);
    put_chunk(&out, "IEND", "", 0);
    expect(&out, "x: byte 58: the image data ends before row 2 of 3");
    put_head(&out, 2, 2, 8, 3);
    put_chunk(&out, "PLTE", "abcdef", 6);
    put_chunk(&out, "IDAT", rows, sizeof rows - 1);
    put_chunk(&out, "IEND", "", 0);
    expect(&out, "x: byte 72: a pixel beyond the palette");
}
END_TEST

/// A file of 24 bytes of data must not take memory for 67 million pixels.
START_TEST(png_that_claims_more_than_its_data_can_be_is_refused_before_memory_is_taken)
{
    rp_output_t out = {0};
    put_head(&out, 16000, 16000, 8, 0);
    put_chunk(&out, "IDAT", rows, sizeof rows - 1);
    put_chunk(&out, "IEND", "", 0);
    canvas_t canvas;
    rp_complaint_t complaint;
    ck_assert_int_eq(read_png(out.bytes, out.size, &canvas, &complaint), RP_E_INVALID);
    ck_assert_str_eq(complaint.sentence,
                     "x: byte 58: 17 bytes of image data cannot be 16000 x 16000 pixels");
    ck_assert_ptr_null(canvas.pixels);
    rp_output_fini(&out);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        png_of_every_kind_reads_as_libpng_reads_it,
        png_that_we_write_reads_as_it_was,
        png_cut_at_any_byte_is_refused,
        png_spoilt_at_any_byte_breaks_nothing,
        png_is_refused_by_offset_and_reason,
        png_with_too_few_or_too_many_rows_is_refused,
        png_that_claims_more_than_its_data_can_be_is_refused_before_memory_is_taken,
    };
    return rp_suite_run("png", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
