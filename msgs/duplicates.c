/// A walk along the bytes, with a bit for each field that was met.
#include "msgs/duplicates.h"

#include <assert.h>

#include "msgs/fields.h"

/// A message has fewer fields.
#define FIELDS_MOST 64u

static bool is_oneof(const ProtobufCFieldDescriptor *field)
{
    return (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0;
}

/// The other members of a field's oneof among those that were met.
/// @return NULL: there is none
static const ProtobufCFieldDescriptor *other_member(const ProtobufCMessageDescriptor *type,
                                                    const ProtobufCFieldDescriptor *field,
                                                    uint64_t met)
{
    for (unsigned i = 0; i < type->n_fields && is_oneof(field); i++) {
        const ProtobufCFieldDescriptor *other = &type->fields[i];
        if ((met >> i & 1u) != 0 && other != field && is_oneof(other) &&
            other->quantifier_offset == field->quantifier_offset) {
            return other;
        }
    }
    return NULL;
}

/// @param met  fields so far, by place in the descriptor; this one is added
static bool meet(const char *word, const ProtobufCMessageDescriptor *type,
                 const ProtobufCFieldDescriptor *field, uint64_t *met, rp_refusal_t *refusal)
{
    const uint64_t bit = (uint64_t)1 << (field - type->fields);
    const ProtobufCFieldDescriptor *other = other_member(type, field, *met);
    if ((*met & bit) != 0) {
        return rp_refuse(refusal, REPLAN__V1__STATUS__INVALID,
                         "%s.%s comes twice, it may come once", word, field->name);
    }
    if (other != NULL) {
        return rp_refuse(refusal, REPLAN__V1__STATUS__INVALID,
                         "%s: both %s and %s are there, it may hold one of them", word, other->name,
                         field->name);
    }
    *met |= bit;
    return true;
}

bool rp_check_duplicates(const char *word, const ProtobufCMessageDescriptor *type,
                         const void *bytes, size_t size, rp_refusal_t *refusal)
{
    const uint8_t *begin = bytes;
    rp_byte_span_t span = {begin, begin + size};
    rp_byte_span_t content;
    uint64_t met = 0;
    uint64_t number;
    assert(type->n_fields <= FIELDS_MOST);
    while (span.at != span.end && rp_fields_next(&span, &number, &content)) {
        const ProtobufCFieldDescriptor *field =
            number <= UINT32_MAX ? protobuf_c_message_descriptor_get_field(type, (unsigned)number)
                                 : NULL;
        if (field == NULL) {
            continue; // of a later schema
        }
        if (field->label != PROTOBUF_C_LABEL_REPEATED && !meet(word, type, field, &met, refusal)) {
            return false;
        }
        if (field->type == PROTOBUF_C_TYPE_MESSAGE &&
            !rp_check_duplicates(field->name, field->descriptor, content.at,
                                 (size_t)(content.end - content.at), refusal)) {
            return false;
        }
    }
    return true;
}
