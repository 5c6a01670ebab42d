/// Writer of PNGs of 8 bits a channel. Each row is told as its difference to the one above, so that
/// a map becomes runs of zeros.
#include "files/image/png_write.h"

#include <stdlib.h>

#include "files/image/deflate.h"
#include "files/image/png_chunks.h"

#define FILTER_UP 2u

static void put_number(rp_output_t *out, uint32_t number)
{
    for (unsigned shift = 32; shift != 0; shift -= 8) {
        rp_output_add_byte(out, (uint8_t)(number >> (shift - 8u)));
    }
}

/// Open a chunk. @return where it begins
static size_t begin_chunk(rp_output_t *out, const char *type)
{
    const size_t at = out->size;
    put_number(out, 0); // its length, once that is known
    rp_output_add(out, type, 4);
    return at;
}

static void end_chunk(rp_output_t *out, size_t at)
{
    if (out->is_short) {
        return;
    }
    const uint32_t length = (uint32_t)(out->size - at - 8u);
    for (unsigned i = 0; i < 4; i++) {
        out->bytes[at + i] = (uint8_t)(length >> (24u - 8u * i));
    }
    put_number(out, rp_png_sum(0, out->bytes + at + 4, length + 4u));
}

static void put_head(rp_output_t *out, uint32_t width, uint32_t height, unsigned channels)
{
    const uint8_t rest[] = {8, channels == 1 ? RP_PNG_GREY : RP_PNG_RGB, 0, 0, 0};
    const size_t at = begin_chunk(out, "IHDR");
    put_number(out, width);
    put_number(out, height);
    rp_output_add(out, rest, sizeof rest);
    end_chunk(out, at);
}

void rp_png_write(uint32_t width, uint32_t height, unsigned channels, const uint8_t *pixels,
                  rp_output_t *out)
{
    const size_t row_bytes = (size_t)width * channels;
    rp_deflate_t deflate;
    rp_output_add(out, RP_PNG_SIGNATURE, RP_PNG_SIGNATURE_BYTES);
    put_head(out, width, height, channels);
    const size_t at = begin_chunk(out, "IDAT");
    rp_deflate_open(&deflate, out);
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *row = pixels + y * row_bytes;
        rp_deflate_add(&deflate, &(uint8_t){FILTER_UP}, 1);
        for (size_t i = 0; i < row_bytes; i++) {
            const uint8_t above = y != 0 ? row[(ptrdiff_t)i - (ptrdiff_t)row_bytes] : 0;
            rp_deflate_add(&deflate, &(uint8_t){(uint8_t)(row[i] - above)}, 1);
        }
    }
    rp_deflate_close(&deflate);
    end_chunk(out, at);
    end_chunk(out, begin_chunk(out, "IEND"));
}
