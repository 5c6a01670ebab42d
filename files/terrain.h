/// @file
/// Rows of letters, as in .map and .patch files:
///
///     height H
///     width W
///     map
///     H rows of W letters
///
/// `.`, `G` and `S` are free ground (factor 1); any other printable letter blocks (factor 0).
#ifndef REPLAN_FILES_TERRAIN_H
#define REPLAN_FILES_TERRAIN_H

#include "files/text.h"

/// A side as it may stand in a file: 1..RP_GRID_SIDE_MAX.
bool rp_terrain_side(rp_text_span_t span, uint32_t *side);

/// Whether a grid of these sides, each in its range, and its rim are not too many cells.
bool rp_terrain_fits(uint32_t width, uint32_t height);

/// Refuse what no grid can hold, sides or product. Complains about the line read last.
rp_status_t rp_terrain_check(const rp_reader_t *reader, uint32_t width, uint32_t height,
                             rp_complaint_t *complaint);

/// Read `height`, `width` (either first) and `map`, and see to it that the rows can be there: what
/// is left of the text is at least their size, so that a caller may allocate it.
rp_status_t rp_terrain_head(rp_reader_t *reader, uint32_t *width, uint32_t *height,
                            rp_complaint_t *complaint);

/// Read the rows. @param factors  [width * height]
rp_status_t rp_terrain_rows(rp_reader_t *reader, uint32_t width, uint32_t height, uint8_t *factors,
                            rp_complaint_t *complaint);

#endif
