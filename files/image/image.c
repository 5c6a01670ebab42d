/// The formats of pictures, and what they have in common.
#include "files/image/image.h"

#include <string.h>

#include "files/terrain.h"
#include "replan/grid.h"

static bool begins_with(const rp_text_t *text, const char *bytes, size_t size)
{
    return text->size >= size && memcmp(text->bytes, bytes, size) == 0;
}

const rp_image_format_t *rp_image_format_of(const rp_text_t *text)
{
    static const rp_image_format_t *const formats[] = {&rp_png_format, &rp_pgm_format};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i]->is_format(text)) {
            return formats[i];
        }
    }
    return NULL;
}

const char *rp_image_foreign(const rp_text_t *text)
{
    static const struct {
        const char *name;
        const char *bytes;
        size_t size;
    } kinds[] = {
        {"a JPEG picture", "\xff\xd8\xff", 3},
        {"a GIF picture", "GIF8", 4},
        {"a BMP picture", "BM", 2},
        {"a TIFF picture", "II*\0", 4},
        {"a TIFF picture", "MM\0*", 4},
        {"a WebP picture", "RIFF", 4},
        {"a PBM picture (P1)", "P1", 2},
        {"a PPM picture (P3)", "P3", 2},
        {"a PBM picture (P4)", "P4", 2},
        {"a PPM picture (P6)", "P6", 2},
        {"a PAM picture (P7)", "P7", 2},
        {"a gzip file", "\x1f\x8b", 2},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (begins_with(text, kinds[i].bytes, kinds[i].size)) {
            return kinds[i].name;
        }
    }
    return NULL;
}

rp_status_t rp_image_check(const rp_text_t *text, size_t offset, uint64_t width, uint64_t height,
                           rp_complaint_t *complaint)
{
    if (width == 0 || width > RP_GRID_SIDE_MAX || height == 0 || height > RP_GRID_SIDE_MAX) {
        return rp_complain_at(
            complaint, text->name, offset, "%llu x %llu pixels, the sides of a map are 1..%u",
            (unsigned long long)width, (unsigned long long)height, RP_GRID_SIDE_MAX);
    }
    if (!rp_terrain_fits((uint32_t)width, (uint32_t)height)) {
        return rp_complain_at(complaint, text->name, offset,
                              "%llu x %llu pixels and a rim are more than the %u cells of a grid",
                              (unsigned long long)width, (unsigned long long)height,
                              RP_GRID_CELLS_MAX);
    }
    return RP_OK;
}
