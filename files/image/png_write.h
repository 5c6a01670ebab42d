/// @file
/// Writes pictures as PNG.
#ifndef REPLAN_FILES_IMAGE_PNG_WRITE_H
#define REPLAN_FILES_IMAGE_PNG_WRITE_H

#include "files/output.h"

/// A picture of 8 bits a channel.
/// @param channels  1: grey; 3: red, green, blue
/// @param pixels  row by row [width * height * channels]
void rp_png_write(uint32_t width, uint32_t height, unsigned channels, const uint8_t *pixels,
                  rp_output_t *out);

#endif
