/// @file
/// Iterates over the fields of a packed message, for checks that run before unpacking.
#ifndef REPLAN_MSGS_FIELDS_H
#define REPLAN_MSGS_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

/// How a field is written.
typedef enum rp_wire_type {
    RP_WIRE_VARINT = 0,
    RP_WIRE_64_BITS = 1,
    RP_WIRE_LENGTH = 2,
    RP_WIRE_32_BITS = 5,
} rp_wire_type_t;

/// A part of the bytes.
typedef struct rp_byte_span {
    const uint8_t *at;
    const uint8_t *end;
} rp_byte_span_t;

/// @return false when the number has no end
static inline bool rp_fields_varint(rp_byte_span_t *span, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64u && span->at != span->end; shift += 7u) {
        const uint8_t byte = *span->at++;
        *value |= (uint64_t)(byte & 0x7fu) << shift;
        if (byte < 0x80u) {
            return true;
        }
    }
    return false;
}

static inline bool rp_fields_skip(rp_byte_span_t *span, uint64_t bytes)
{
    if (bytes > (uint64_t)(span->end - span->at)) {
        return false;
    }
    span->at += bytes;
    return true;
}

/// Go past the next field.
/// @param number   written: which field of its message
/// @param content  written: what a field of bytes or a message holds; empty for others
/// @return false when the bytes are malformed
static inline bool rp_fields_next(rp_byte_span_t *span, uint64_t *number, rp_byte_span_t *content)
{
    uint64_t tag;
    uint64_t length;
    if (!rp_fields_varint(span, &tag)) {
        return false;
    }
    *number = tag >> 3;
    content->at = span->at;
    content->end = span->at;
    switch (tag & 7u) {
    case RP_WIRE_VARINT:
        return rp_fields_varint(span, &length);
    case RP_WIRE_64_BITS:
        return rp_fields_skip(span, 8);
    case RP_WIRE_32_BITS:
        return rp_fields_skip(span, 4);
    case RP_WIRE_LENGTH:
        if (!rp_fields_varint(span, &length)) {
            return false;
        }
        content->at = span->at;
        if (!rp_fields_skip(span, length)) {
            return false;
        }
        content->end = span->at;
        return true;
    default:
        return false;
    }
}

#endif
