/// @file
/// Chunks of a PNG: its header, its palette, and its image data joined.
#ifndef REPLAN_FILES_IMAGE_PNG_CHUNKS_H
#define REPLAN_FILES_IMAGE_PNG_CHUNKS_H

#include "files/image/image.h"

#define RP_PNG_SIGNATURE       "\x89PNG\r\n\x1a\n"
#define RP_PNG_SIGNATURE_BYTES 8u

/// Kinds of colour, as the head numbers them.
typedef enum rp_png_colour {
    RP_PNG_GREY = 0,
    RP_PNG_RGB = 2,
    RP_PNG_PALETTE = 3,
    RP_PNG_GREY_ALPHA = 4,
    RP_PNG_RGB_ALPHA = 6,
} rp_png_colour_t;

typedef struct rp_png {
    const rp_text_t *text;
    rp_image_t image;
    unsigned depth; ///< bits of a sample: 1, 2, 4, 8 or 16
    rp_png_colour_t colour;
    bool is_interlaced;
    bool has_key;    ///< one colour is transparent:
    uint16_t key[3]; ///< its samples
    rp_pixel_t palette[256];
    unsigned palette_count;
    uint8_t *data;    ///< owned: the image data of all its chunks
    size_t data_size; ///< of `data`
} rp_png_t;

/// Walk over all chunks up to the end, with their sums checked where they matter.
/// @param png  on failure, too, to be closed
/// @return RP_E_INVALID or RP_E_MEMORY, with a complaint
rp_status_t rp_png_open(const rp_text_t *text, rp_png_t *png, rp_complaint_t *complaint);
void rp_png_close(rp_png_t *self);

/// Samples of a pixel.
unsigned rp_png_channels(const rp_png_t *self);

/// Where in the file a byte of the image data stands; that of its end is the end of the last chunk.
size_t rp_png_offset(const rp_png_t *self, size_t data_offset);

/// The sum of a chunk: CRC-32 (ISO 3309) of `count` more bytes. Begins with 0.
uint32_t rp_png_sum(uint32_t before, const uint8_t *bytes, size_t count);

#endif
