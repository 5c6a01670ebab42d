/// @file
/// The two compressions of MCAP, by their libraries, where these are installed when replan is
/// built.
#ifndef REPLAN_TOOLS_MCAP_COMPRESSION_H
#define REPLAN_TOOLS_MCAP_COMPRESSION_H

#include "files/output.h"
#include "files/text.h"

/// Unpack a chunk. @param name  "lz4" or "zstd", as the file names it
/// @param out  written whole [size], or not at all
/// @return NULL, or why it cannot be unpacked
const char *rp_unpack(rp_text_span_t name, const uint8_t *bytes, size_t packed, uint8_t *out,
                      size_t size);

/// Whether a compression is there; "" is none, and always is.
bool rp_pack_can(const char *name);

/// The names of those that are there, each behind a comma: ", \"lz4\"".
const char *rp_pack_names(void);

/// The one that packs best.
const char *rp_pack_best(void);

/// Pack a chunk. @param out  added to
/// @return false without memory, or without that compression
bool rp_pack(const char *name, const uint8_t *bytes, size_t size, rp_output_t *out);

/// If a text is a file packed by zstd, unpack it: `text` holds the unpacked bytes then, and those
/// before are freed.
/// @param most  bytes that it may have
/// @return RP_E_INVALID or RP_E_MEMORY, with a complaint; `text` is as it was
rp_status_t rp_unpack_text(rp_text_t *text, size_t most, rp_complaint_t *complaint);

#endif
