/// @file
/// The two compressions of MCAP, by their libraries, where these are installed when replan is
/// built.
#ifndef REPLAN_TOOLS_MCAP_UNPACK_H
#define REPLAN_TOOLS_MCAP_UNPACK_H

#include "files/text.h"

/// Unpack a chunk. @param name  "lz4" or "zstd", as the file names it
/// @param out  written whole [size], or not at all
/// @return NULL, or why it cannot be unpacked
const char *rp_unpack(rp_text_span_t name, const uint8_t *bytes, size_t packed, uint8_t *out,
                      size_t size);

/// If a text is a file packed by zstd, unpack it: `text` holds the unpacked bytes then, and those
/// before are freed.
/// @param most  bytes that it may have
/// @return RP_E_INVALID or RP_E_MEMORY, with a complaint; `text` is as it was
rp_status_t rp_unpack_text(rp_text_t *text, size_t most, rp_complaint_t *complaint);

#endif
