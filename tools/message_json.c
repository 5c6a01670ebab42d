/// Messages by their descriptors.
#include "tools/message_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tools/report.h"

static void print_bytes(FILE *stream, const ProtobufCBinaryData *bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    fputc('"', stream);
    for (size_t i = 0; i < bytes->len; i += 3) {
        const size_t count = bytes->len - i < 3 ? bytes->len - i : 3;
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++) {
            bits = bits << 8 | (k < count ? bytes->data[i + k] : 0u);
        }
        for (size_t k = 0; k < 4; k++) {
            fputc(k <= count ? digits[bits >> (18u - 6u * k) & 63u] : '=', stream);
        }
    }
    fputc('"', stream);
}

static void print_number(FILE *stream, double number, int digits)
{
    if (isfinite(number)) {
        fprintf(stream, "%.*g", digits, number);
    } else {
        fputs("null", stream);
    }
}

/// Bytes that an entry of a field takes in its array.
static size_t size_of(const ProtobufCFieldDescriptor *field)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return sizeof(uint64_t);
    case PROTOBUF_C_TYPE_BOOL:
        return sizeof(protobuf_c_boolean);
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE:
        return sizeof(void *);
    case PROTOBUF_C_TYPE_BYTES:
        return sizeof(ProtobufCBinaryData);
    default:
        return sizeof(uint32_t);
    }
}

static void print_enum(FILE *stream, const ProtobufCFieldDescriptor *field, int number)
{
    const ProtobufCEnumValue *value =
        protobuf_c_enum_descriptor_get_value(field->descriptor, number);
    if (value != NULL) {
        rp_print_json_string(stream, value->name);
    } else {
        fprintf(stream, "%d", number);
    }
}

static void print_value(FILE *stream, const ProtobufCFieldDescriptor *field, const void *value)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
        fprintf(stream, "%" PRId32, *(const int32_t *)value);
        break;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
        fprintf(stream, "%" PRId64, *(const int64_t *)value);
        break;
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
        fprintf(stream, "%" PRIu32, *(const uint32_t *)value);
        break;
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
        fprintf(stream, "%" PRIu64, *(const uint64_t *)value);
        break;
    case PROTOBUF_C_TYPE_FLOAT:
        print_number(stream, (double)*(const float *)value, 9);
        break;
    case PROTOBUF_C_TYPE_DOUBLE:
        print_number(stream, *(const double *)value, 17);
        break;
    case PROTOBUF_C_TYPE_BOOL:
        fputs(*(const protobuf_c_boolean *)value ? "true" : "false", stream);
        break;
    case PROTOBUF_C_TYPE_ENUM:
        print_enum(stream, field, *(const int *)value);
        break;
    case PROTOBUF_C_TYPE_STRING:
        rp_print_json_string(stream, *(const char *const *)value);
        break;
    case PROTOBUF_C_TYPE_BYTES:
        print_bytes(stream, value);
        break;
    case PROTOBUF_C_TYPE_MESSAGE:
        rp_message_print_json(stream, *(const ProtobufCMessage *const *)value);
        break;
    }
}

static void print_list(FILE *stream, const ProtobufCFieldDescriptor *field, const uint8_t *entries,
                       size_t count)
{
    fputc('[', stream);
    for (size_t i = 0; i < count; i++) {
        fputs(i != 0 ? "," : "", stream);
        print_value(stream, field, entries + i * size_of(field));
    }
    fputc(']', stream);
}

/// One that is no list. A number without presence was set when it is not 0.
static bool is_set(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field,
                   const void *value)
{
    static const uint8_t zeros[sizeof(ProtobufCBinaryData)];
    if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0) {
        const uint8_t *which = (const uint8_t *)message + field->quantifier_offset;
        return *(const uint32_t *)which == field->id;
    }
    switch (field->type) {
    case PROTOBUF_C_TYPE_STRING:
        return *(const char *const *)value != NULL && **(const char *const *)value != '\0';
    case PROTOBUF_C_TYPE_BYTES:
        return ((const ProtobufCBinaryData *)value)->len != 0;
    default:
        return memcmp(value, zeros, size_of(field)) != 0;
    }
}

void rp_message_print_json(FILE *stream, const ProtobufCMessage *message)
{
    const char *before = "{";
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        const uint8_t *value = (const uint8_t *)message + field->offset;
        const bool is_list = field->label == PROTOBUF_C_LABEL_REPEATED;
        const size_t count = is_list ? *(const size_t *)(const void *)((const uint8_t *)message +
                                                                       field->quantifier_offset)
                                     : 0;
        if (is_list ? count == 0 : !is_set(message, field, value)) {
            continue;
        }
        fprintf(stream, "%s\"%s\":", before, field->name);
        before = ",";
        if (is_list) {
            print_list(stream, field, *(const uint8_t *const *)(const void *)value, count);
        } else {
            print_value(stream, field, value);
        }
    }
    fputs(before[0] == '{' ? "{}" : "}", stream);
}
