/// @file
/// libpng, as the yardstick of our own PNG.
#ifndef REPLAN_TESTS_LIBPNG_H
#define REPLAN_TESTS_LIBPNG_H

#include "files/image/image.h"
#include "files/output.h"
#include "tests/support/random.h"

/// What a picture is to be made like.
typedef struct libpng_shape {
    uint32_t width;
    uint32_t height;
    int depth;
    int colour; ///< PNG_COLOR_TYPE_...
    bool is_interlaced;
    bool has_clear; ///< a colour, or some of the palette, is transparent
    int filters;    ///< PNG_FILTER_...
    int level;      ///< of zlib
} libpng_shape_t;

/// Write a picture of noise. @param out  added to
void libpng_write(const libpng_shape_t *shape, rp_random_t *random, rp_output_t *out);

/// Read it, every pixel as red, green, blue and alpha of 255, or of 65535 with 16 bits.
/// @param pixels  owned by the caller then [width * height]
void libpng_read(const rp_text_t *text, rp_image_t *image, rp_pixel_t **pixels);

#endif
