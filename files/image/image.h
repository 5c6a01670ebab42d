/// @file
/// Picture as the PNG and PGM readers deliver it: runs of pixels, each red, green, blue and alpha.
/// No reader holds the whole picture; it needs memory for two rows.
#ifndef REPLAN_FILES_IMAGE_IMAGE_H
#define REPLAN_FILES_IMAGE_IMAGE_H

#include "files/text.h"

typedef struct rp_image {
    uint32_t width;  ///< pixels, 1..RP_GRID_SIDE_MAX
    uint32_t height; ///< rows, 1..RP_GRID_SIDE_MAX
    uint32_t most;   ///< value of full light and of opaque, 1..65535
    bool has_alpha;  ///< else alpha is `most` everywhere
} rp_image_t;

typedef struct rp_pixel {
    uint16_t red, green, blue, alpha; ///< 0..most
} rp_pixel_t;

/// Pixels of one row, from left to right.
typedef struct rp_pixel_run {
    uint32_t x, y; ///< of the first; (0, 0) is the upper left one
    uint32_t step; ///< columns from one to the next: more than 1 in interlaced pictures
    uint32_t count;
    const rp_pixel_t *pixels; ///< borrowed until the call returns [count]
} rp_pixel_run_t;

/// Who gets the pixels.
typedef struct rp_image_sink {
    /// Told once, before the pixels; the file is long enough to hold them.
    /// @return RP_OK, or a failure with a complaint, which ends the reading
    rp_status_t (*begin)(void *user, const rp_image_t *image);
    void (*take)(void *user, const rp_pixel_run_t *run);
    void *user;
} rp_image_sink_t;

/// A format of pictures. png.c and pgm.c are such.
typedef struct rp_image_format {
    const char *name;

    /// By the first bytes.
    bool (*is_format)(const rp_text_t *text);

    /// Hand all pixels to `sink`, each once.
    /// @return RP_E_INVALID or RP_E_MEMORY with a complaint, or what `begin` returned
    rp_status_t (*read)(const rp_text_t *text, const rp_image_sink_t *sink,
                        rp_complaint_t *complaint);
} rp_image_format_t;

extern const rp_image_format_t rp_png_format;
extern const rp_image_format_t rp_pgm_format;

/// The format of a picture. @return NULL when it is none of them
const rp_image_format_t *rp_image_format_of(const rp_text_t *text);

/// What other kind of picture a file begins like. @return NULL when like none that is known
const char *rp_image_foreign(const rp_text_t *text);

/// Refuse sides, or a product, that no grid can hold. @param offset  of the sides in the file
rp_status_t rp_image_check(const rp_text_t *text, size_t offset, uint64_t width, uint64_t height,
                           rp_complaint_t *complaint);

#endif
