/// One walk along the bytes, which writes the rest as it goes. Lengths of messages that a field is
/// detached from are not known before their end: they are written in five bytes, with leading
/// zeros.
#include "msgs/detached_fields.h"

#include <string.h>

#include "msgs/fields.h"

#define LENGTH_BYTES 5u

static bool write(rp_detached_fields_t *self, const uint8_t *begin, const uint8_t *end)
{
    const size_t size = (size_t)(end - begin);
    if (size > RP_DETACHED_REST - self->rest_size) {
        return false;
    }
    memcpy(self->rest + self->rest_size, begin, size);
    self->rest_size += size;
    return true;
}

static void write_length(uint8_t *place, size_t length)
{
    for (unsigned i = 0; i < LENGTH_BYTES; i++) {
        place[i] = (uint8_t)(length >> 7u * i & 0x7fu) | (i + 1u < LENGTH_BYTES ? 0x80u : 0u);
    }
}

/// Bytes that are detached leave a field without any.
static bool detach(rp_detached_fields_t *self, const ProtobufCFieldDescriptor *const *path,
                   unsigned depth, rp_byte_span_t content)
{
    if (self->count == RP_DETACHED_FIELDS_MOST) {
        return false;
    }
    rp_detached_field_t *detached = &self->list[self->count++];
    memcpy(detached->path, path, depth * sizeof(const ProtobufCFieldDescriptor *));
    detached->depth = depth;
    detached->bytes = content.at;
    detached->size = (size_t)(content.end - content.at);
    return true;
}

/// Fields that come twice are merged, or the last one counts: not if one of them is long.
static bool is_single(uint64_t number, bool is_long, uint64_t *seen, uint64_t *long_ones)
{
    const uint64_t bit = number < 64u ? (uint64_t)1 << number : 0u;
    const bool is_fine = is_long ? bit != 0 && (*seen & bit) == 0 : (*long_ones & bit) == 0;
    *seen |= bit;
    *long_ones |= is_long ? bit : 0u;
    return is_fine;
}

/// An array whose bytes are as they are in memory, on all machines that we build for.
static bool is_words(const ProtobufCFieldDescriptor *field, rp_byte_span_t content)
{
    return field->label == PROTOBUF_C_LABEL_REPEATED && field->type == PROTOBUF_C_TYPE_FIXED32 &&
           (size_t)(content.end - content.at) % sizeof(uint32_t) == 0;
}

static bool walk(rp_detached_fields_t *self, const ProtobufCMessageDescriptor *type,
                 rp_byte_span_t span, const ProtobufCFieldDescriptor **path, unsigned depth);

/// A long field: detach its bytes, or walk along the message in it; then write its new length.
/// @param whole    the field with its tag and length
/// @param content  without them
static bool walk_long(rp_detached_fields_t *self, const ProtobufCFieldDescriptor *field,
                      rp_byte_span_t whole, rp_byte_span_t content,
                      const ProtobufCFieldDescriptor **path, unsigned depth)
{
    static const uint8_t room[LENGTH_BYTES];
    uint64_t tag;
    rp_byte_span_t length = {whole.at, content.at};
    (void)rp_fields_varint(&length, &tag);
    if (content.at - length.at > (ptrdiff_t)LENGTH_BYTES) {
        return false; // nobody writes a length in so many
    }
    if (!write(self, whole.at, length.at) || !write(self, room, room + LENGTH_BYTES)) {
        return false;
    }
    const size_t from = self->rest_size;
    path[depth] = field;
    const bool is_walked =
        field->type == PROTOBUF_C_TYPE_BYTES || field->type == PROTOBUF_C_TYPE_FIXED32
            ? detach(self, path, depth + 1u, content)
        : field->type == PROTOBUF_C_TYPE_MESSAGE
            ? walk(self, field->descriptor, content, path, depth + 1u)
            : false;
    if (is_walked) {
        write_length(self->rest + from - LENGTH_BYTES, self->rest_size - from);
    }
    return is_walked;
}

/// Copy the short fields of a message to the rest, and walk along the long ones.
/// @param path   the fields that led here, with room for one more [RP_DETACHED_DEPTH]
/// @param depth  how many did
/// @return false when the message is to be unpacked as it is
static bool walk(rp_detached_fields_t *self, const ProtobufCMessageDescriptor *type,
                 rp_byte_span_t span, const ProtobufCFieldDescriptor **path, unsigned depth)
{
    uint64_t seen = 0;
    uint64_t long_ones = 0;
    while (span.at != span.end) {
        const uint8_t *begin = span.at;
        uint64_t number;
        rp_byte_span_t content;
        if (!rp_fields_next(&span, &number, &content)) {
            return false;
        }
        const bool is_long = (size_t)(content.end - content.at) >= RP_DETACHED_FROM;
        if (!is_single(number, is_long, &seen, &long_ones)) {
            return false;
        }
        if (!is_long) {
            if (!write(self, begin, span.at)) {
                return false;
            }
            continue;
        }
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(type, (unsigned)number);
        if (field == NULL || depth == RP_DETACHED_DEPTH ||
            (field->label == PROTOBUF_C_LABEL_REPEATED &&
             !(self->words && is_words(field, content)))) {
            return false;
        }
        if (!walk_long(self, field, (rp_byte_span_t){begin, span.at}, content, path, depth)) {
            return false;
        }
    }
    return true;
}

bool rp_detached_fields_take(rp_detached_fields_t *self, const ProtobufCMessageDescriptor *type,
                             const uint8_t *bytes, size_t size, uint8_t *rest, bool words)
{
    const ProtobufCFieldDescriptor *path[RP_DETACHED_DEPTH];
    *self = (rp_detached_fields_t){.rest = rest, .words = words};
    return walk(self, type, (rp_byte_span_t){bytes, bytes + size}, path, 0) && self->count != 0;
}

static void *member(void *message, unsigned offset)
{
    return (uint8_t *)message + offset;
}

/// The field is the one of its oneof that is there.
static bool is_there(const ProtobufCFieldDescriptor *field, ProtobufCMessage *message)
{
    return (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) == 0 ||
           *(const uint32_t *)member(message, field->quantifier_offset) == field->id;
}

bool rp_detached_fields_put(const rp_detached_fields_t *self, ProtobufCMessage *message)
{
    for (unsigned i = 0; i < self->count; i++) {
        const rp_detached_field_t *detached = &self->list[i];
        ProtobufCMessage *holder = message;
        for (unsigned step = 0; step + 1u < detached->depth; step++) {
            const ProtobufCFieldDescriptor *field = detached->path[step];
            if (!is_there(field, holder)) {
                return false;
            }
            holder = *(ProtobufCMessage **)member(holder, field->offset);
        }
        const ProtobufCFieldDescriptor *last = detached->path[detached->depth - 1u];
        if (!is_there(last, holder)) {
            return false;
        }
        void *bytes = (void *)detached->bytes; // nobody writes there
        if (last->type == PROTOBUF_C_TYPE_BYTES) {
            ProtobufCBinaryData *data = member(holder, last->offset);
            *data = (ProtobufCBinaryData){detached->size, bytes};
        } else {
            *(size_t *)member(holder, last->quantifier_offset) = detached->size / sizeof(uint32_t);
            *(void **)member(holder, last->offset) = bytes;
        }
    }
    return true;
}
