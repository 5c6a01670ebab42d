/// @file
/// Deflate: compresses bytes into a zlib stream (RFC 1950, 1951). Only runs of one byte get
/// shorter, which is what the filtered rows of a map are; other bytes grow by an eighth at most.
#ifndef REPLAN_FILES_IMAGE_DEFLATE_H
#define REPLAN_FILES_IMAGE_DEFLATE_H

#include "files/output.h"

typedef struct rp_deflate {
    rp_output_t *out; ///< borrowed
    uint32_t bits;    ///< not yet written, lowest first
    unsigned bit_count;
    uint32_t sum[2]; ///< Adler-32
    uint8_t last;    ///< the byte that a run repeats
    bool has_last;
    uint32_t run; ///< repeats of it that are not yet written
} rp_deflate_t;

/// Begin a stream. @param out  to which it is added
void rp_deflate_open(rp_deflate_t *self, rp_output_t *out);
void rp_deflate_add(rp_deflate_t *self, const uint8_t *bytes, size_t count);

/// End the stream, with its sum.
void rp_deflate_close(rp_deflate_t *self);

#endif
