/// @file
/// Writes pictures as PNG.
#ifndef REPLAN_FILES_IMAGE_PNG_WRITE_H
#define REPLAN_FILES_IMAGE_PNG_WRITE_H

#include "files/output.h"

/// A grey picture of 8 bits. @param pixels  row by row [width * height]
void rp_png_write(uint32_t width, uint32_t height, const uint8_t *pixels, rp_output_t *out);

#endif
