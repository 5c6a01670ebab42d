#include "tests/fuzz/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msgs/codec.h"

/// Small, so that inputs of a few KiB reach it.
#define CAP_BYTES ((size_t)64 << 10)

/// assert() would vanish from a release build, and the replay of the seeds with it.
#define PROMISE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

void rp_fuzz_sentence(const rp_refusal_t *refusal)
{
    PROMISE(refusal->status != REPLAN__V1__STATUS__OK);
    PROMISE(refusal->sentence[0] != '\0');
    PROMISE(memchr(refusal->sentence, '\0', sizeof(refusal->sentence)) != NULL);
    for (const char *at = refusal->sentence; *at != '\0'; at++) {
        PROMISE(*at >= ' ' && *at <= '~');
    }
}

static void forget_unknown(ProtobufCMessage *message);

static void forget_unknown_inside(ProtobufCMessage *message, const ProtobufCFieldDescriptor *field)
{
    char *base = (char *)message;
    void *member = base + field->offset;
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        size_t count = *(size_t *)(base + field->quantifier_offset);
        for (size_t i = 0; i < count; i++) {
            forget_unknown((*(ProtobufCMessage ***)member)[i]);
        }
        return;
    }
    bool is_other = (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0 &&
                    *(uint32_t *)(base + field->quantifier_offset) != field->id;
    if (!is_other && *(ProtobufCMessage **)member != NULL) {
        forget_unknown(*(ProtobufCMessage **)member);
    }
}

/// protobuf-c takes a field number 0 when it is written as 85 00 and refuses it as 05, which is how
/// it packs it. So unknown fields do not survive, and nobody needs them to.
static void forget_unknown(ProtobufCMessage *message)
{
    message->n_unknown_fields = 0;
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        if (message->descriptor->fields[i].type == PROTOBUF_C_TYPE_MESSAGE) {
            forget_unknown_inside(message, &message->descriptor->fields[i]);
        }
    }
}

/// What was unpacked packs to bytes that unpack to the same.
static void pack_again(ProtobufCMessage *message, bool accepted, rp_fuzz_check_t *check)
{
    rp_buffer_t first = {0};
    rp_buffer_t second = {0};
    rp_message_arena_t arena;
    rp_message_arena_init(&arena, 2 * CAP_BYTES);
    forget_unknown(message);
    PROMISE(rp_codec_pack(&first, message));
    ProtobufCMessage *again = rp_codec_unpack(&arena, message->descriptor, first.bytes, first.size);
    PROMISE(again != NULL);
    rp_refusal_t refusal = {0};
    PROMISE(check(again, &refusal) == accepted);
    PROMISE(rp_codec_pack(&second, again));
    PROMISE(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
    rp_message_arena_fini(&arena);
    rp_buffer_fini(&first);
    rp_buffer_fini(&second);
}

void rp_fuzz_message(const ProtobufCMessageDescriptor *descriptor, rp_fuzz_check_t *check,
                     const uint8_t *bytes, size_t size)
{
    rp_message_arena_t arena;
    rp_message_arena_init(&arena, CAP_BYTES);
    ProtobufCMessage *message = rp_codec_unpack(&arena, descriptor, bytes, size);
    PROMISE(arena.used_bytes <= arena.cap_bytes);
    if (message != NULL) {
        rp_refusal_t refusal = {0};
        bool accepted = check(message, &refusal);
        if (!accepted) {
            rp_fuzz_sentence(&refusal);
        }
        pack_again(message, accepted, check);
    }
    rp_message_arena_fini(&arena);
}
