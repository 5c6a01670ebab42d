/// @file
/// Inflate: decompresses a zlib stream (RFC 1950) of deflated blocks (RFC 1951) piece by piece, so
/// a stream that grows a thousandfold takes no more memory than another.
///
/// Memory: 44 KiB while a stream is read, whatever it claims.
#ifndef REPLAN_FILES_IMAGE_INFLATE_H
#define REPLAN_FILES_IMAGE_INFLATE_H

#include "replan/types.h"

/// A byte of a deflated stream stands for at most so many: a match of 258 takes two bits.
#define RP_INFLATE_GROWTH_MAX 1032u

/// Told each piece in its order. @return false to end: the stream is refused with `fault` then
typedef bool (*rp_inflate_take_t)(void *user, const uint8_t *bytes, size_t count);

/// Why a stream is refused.
typedef struct rp_inflate_fault {
    size_t offset;      ///< about where in the stream, in bytes
    const char *reason; ///< NULL: `take` ended it
} rp_inflate_fault_t;

/// Unpack a whole stream and check its sum.
/// @param fault  written on RP_E_INVALID
/// @return RP_OK; RP_E_INVALID when it is cut short, breaks the format, or `take` ended it;
/// RP_E_MEMORY
rp_status_t rp_inflate(const uint8_t *bytes, size_t size, rp_inflate_take_t take, void *user,
                       rp_inflate_fault_t *fault);

#endif
