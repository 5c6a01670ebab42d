/// @file
/// Long byte fields are detached from a message before unpacking, and refer to the packed bytes.
/// Otherwise protobuf-c would copy them, which takes milliseconds for a world of 16 MiB.
///
///     | request | apply | change | world, x, y | data: 16 MiB | values |     as it came
///     | request | apply | change | world, x, y | data: 0      | values |     trimmed
///
/// The unpacked message is the same either way. Where that is not certain, nothing is detached.
/// Long arrays of packed words are detached only for callers that ask for it: they may be
/// unaligned.
#ifndef REPLAN_MSGS_DETACHED_FIELDS_H
#define REPLAN_MSGS_DETACHED_FIELDS_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A field is long from so many bytes on.
#define RP_DETACHED_FROM ((size_t)64 << 10)

/// All the rest of a message takes no more, or it is unpacked as it is.
#define RP_DETACHED_REST ((size_t)64 << 10)

/// Long fields of a message: the data of a rectangle, the values of cells.
#define RP_DETACHED_FIELDS_MOST 2u

/// Messages around a field: a request, what it applies, a change.
#define RP_DETACHED_DEPTH 3u

typedef struct rp_detached_field {
    const ProtobufCFieldDescriptor
        *path[RP_DETACHED_DEPTH]; ///< from the outermost message on [depth]
    unsigned depth;
    const uint8_t *bytes; ///< borrowed from the message [size]
    size_t size;
} rp_detached_field_t;

typedef struct rp_detached_fields {
    rp_detached_field_t list[RP_DETACHED_FIELDS_MOST]; ///< [count]
    unsigned count;
    uint8_t *rest; ///< borrowed: the message without them [RP_DETACHED_REST]
    size_t rest_size;
    bool words; ///< are detached, too
} rp_detached_fields_t;

/// Detach what is long. @param bytes  borrowed as long as the message that is made of it [size]
/// @param rest   written [RP_DETACHED_REST]
/// @param words  detach arrays of words (fixed32), too
/// @return false when the message is to be unpacked as it is
bool rp_detached_fields_take(rp_detached_fields_t *self, const ProtobufCMessageDescriptor *type,
                             const uint8_t *bytes, size_t size, uint8_t *rest, bool words);

/// Put it into what was unpacked from the rest.
/// @return false when a field is not there: another one of its oneof came after it
bool rp_detached_fields_put(const rp_detached_fields_t *self, ProtobufCMessage *message);

#endif
