/// What is long stays where it is, and what is unpacked is what protobuf-c alone makes of it.
#include "msgs/detached_fields.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "msgs/codec.h"
#include "msgs/limits.h"
#include "tests/msgs/samples.h"
#include "tests/support/suite.h"

#define LONG ((size_t)200000)

static rp_message_arena_t arena;
static uint8_t *bytes; ///< [LONG]
static uint8_t packed[3 * LONG];
static size_t size;

static void begin(void)
{
    rp_message_arena_init(&arena, RP_LIMIT_ARENA_BYTES);
    bytes = malloc(LONG);
    for (size_t i = 0; i < LONG; i++) {
        bytes[i] = (uint8_t)(i * 7u);
    }
}

static void end(void)
{
    rp_message_arena_fini(&arena);
    free(bytes);
}

static void pack(const Replan__V1__Request *request)
{
    size = protobuf_c_message_pack(&request->base, packed);
    ck_assert_uint_le(size, sizeof packed);
}

/// Bytes behind what is packed, as a message goes on.
static void append(const uint8_t *more, size_t count)
{
    memcpy(packed + size, more, count);
    size += count;
}

static bool is_detached(void)
{
    static uint8_t rest[RP_DETACHED_REST];
    rp_detached_fields_t detached;
    return rp_detached_fields_take(&detached, &replan__v1__request__descriptor, packed, size, rest,
                                   false);
}

/// @return what came, of the arena; NULL when it is refused either way
static const Replan__V1__Request *unpack_both_ways(void)
{
    static uint8_t again[2][3 * LONG];
    rp_message_arena_reset(&arena);
    ProtobufCMessage *came =
        rp_codec_unpack(&arena, &replan__v1__request__descriptor, packed, size);
    ProtobufCMessage *plain =
        protobuf_c_message_unpack(&replan__v1__request__descriptor, NULL, size, packed);
    ck_assert_int_eq(came != NULL, plain != NULL);
    if (came != NULL) {
        const size_t sizes[] = {protobuf_c_message_pack(came, again[0]),
                                protobuf_c_message_pack(plain, again[1])};
        ck_assert_uint_eq(sizes[0], sizes[1]);
        ck_assert_mem_eq(again[0], again[1], sizes[0]);
        protobuf_c_message_free_unpacked(plain, NULL);
    }
    return (const Replan__V1__Request *)came;
}

static void choose_change(rp_samples_t *samples, size_t data, size_t values)
{
    rp_samples_init(samples);
    samples->change.data = (ProtobufCBinaryData){data, bytes};
    samples->change.values = (ProtobufCBinaryData){values, bytes};
    pack(&samples->request);
}

START_TEST(long_bytes_stay_where_they_are)
{
    rp_samples_t samples;
    begin();
    choose_change(&samples, LONG, LONG - 5u);
    ck_assert(is_detached());
    const Replan__V1__Change *change = unpack_both_ways()->apply->change;
    ck_assert(change->data.data >= packed && change->data.data < packed + size);
    ck_assert_mem_eq(change->data.data, bytes, LONG);
    ck_assert_uint_eq(change->values.len, LONG - 5u);
    ck_assert_str_eq(change->world, "marsh");
    end();
}
END_TEST

START_TEST(a_world_is_not_copied_either)
{
    rp_samples_t samples;
    begin();
    rp_samples_init(&samples);
    rp_samples_choose(&samples, REPLAN__V1__REQUEST__BODY_CREATE_WORLD);
    samples.create_world.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    samples.create_world.data = (ProtobufCBinaryData){LONG, bytes};
    pack(&samples.request);
    ck_assert(is_detached());
    const uint8_t *data = unpack_both_ways()->create_world->data.data;
    ck_assert(data >= packed && data < packed + size);
    end();
}
END_TEST

START_TEST(words_stay_where_they_are_for_who_says_so)
{
    static uint32_t cells[LONG / 4u];
    static uint8_t shifted[3 * LONG + 4u];
    rp_samples_t samples;
    begin();
    for (size_t i = 0; i < LONG / 4u; i++) {
        cells[i] = (uint32_t)i * 3u;
    }
    rp_samples_init(&samples);
    samples.change.n_cells = LONG / 4u;
    samples.change.cells = cells;
    samples.change.values = (ProtobufCBinaryData){LONG / 4u, bytes};
    pack(&samples.request);
    for (size_t odd = 0; odd < 4; odd++) {
        rp_message_arena_reset(&arena);
        memcpy(shifted + odd, packed, size);
        const Replan__V1__Request *request = (const Replan__V1__Request *)rp_codec_unpack_in_place(
            &arena, &replan__v1__request__descriptor, shifted + odd, size);
        const void *place = request->apply->change->cells;
        ck_assert((uintptr_t)place >= (uintptr_t)shifted &&
                  (uintptr_t)place < (uintptr_t)(shifted + sizeof shifted));
        ck_assert_uint_eq(request->apply->change->n_cells, LONG / 4u);
        ck_assert_mem_eq(place, cells, sizeof cells);
        ck_assert_uint_eq(request->apply->change->values.len, LONG / 4u);
        rp_message_arena_reset(&arena);
        request = (const Replan__V1__Request *)rp_codec_unpack(
            &arena, &replan__v1__request__descriptor, shifted + odd, size);
        ck_assert_mem_eq(request->apply->change->cells, cells, sizeof cells); // copied, aligned
        ck_assert_uint_eq((uintptr_t)request->apply->change->cells % 4u, 0);
    }
    end();
}
END_TEST

START_TEST(what_is_short_is_left_to_protobuf)
{
    rp_samples_t samples;
    begin();
    choose_change(&samples, RP_DETACHED_FROM - 1u, 3);
    ck_assert(!is_detached());
    ck_assert_ptr_nonnull(unpack_both_ways());
    end();
}
END_TEST

START_TEST(a_field_that_comes_twice_is_unpacked_as_ever)
{
    rp_samples_t samples;
    begin();
    choose_change(&samples, LONG, 1);
    const size_t first = size;
    append(packed, first); // the same request once more: messages are merged
    ck_assert(!is_detached());
    ck_assert_ptr_nonnull(unpack_both_ways());
    end();
}
END_TEST

START_TEST(the_last_of_a_oneof_counts)
{
    const uint8_t removes[] = {0x02, 0x0a, 0x00}; // remove_world {world: ""}, behind its tag
    rp_samples_t samples;
    begin();
    choose_change(&samples, LONG, 1);
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field_by_name(
        &replan__v1__request__descriptor, "remove_world");
    ck_assert_ptr_nonnull(field);
    ck_assert_uint_lt(field->id, 16 * 128);
    uint8_t tag[2] = {(uint8_t)(field->id << 3 | 2u), 0};
    size_t tag_size = 1;
    if (field->id >= 16u) {
        tag[0] = (uint8_t)((field->id << 3 | 2u) & 0x7fu) | 0x80u;
        tag[1] = (uint8_t)(field->id >> 4);
        tag_size = 2;
    }
    append(tag, tag_size);
    append(removes, sizeof removes);
    const Replan__V1__Request *request = unpack_both_ways();
    ck_assert_ptr_nonnull(request);
    ck_assert_int_eq(request->body_case, REPLAN__V1__REQUEST__BODY_REMOVE_WORLD);
    end();
}
END_TEST

static size_t put_varint(uint8_t *to, uint64_t value)
{
    size_t count = 0;
    for (; value >= 0x80u; value >>= 7u) {
        to[count++] = (uint8_t)value | 0x80u;
    }
    to[count++] = (uint8_t)value;
    return count;
}

static uint32_t number_of(const ProtobufCMessageDescriptor *type, const char *field)
{
    return protobuf_c_message_descriptor_get_field_by_name(type, field)->id;
}

/// Make what is packed the only field of another message.
static void wrap(const ProtobufCMessageDescriptor *type, const char *field)
{
    uint8_t head[20];
    size_t count = put_varint(head, (uint64_t)number_of(type, field) << 3u | 2u);
    count += put_varint(head + count, size);
    memmove(packed + count, packed, size);
    memcpy(packed, head, count);
    size += count;
}

/// The long one is detached, and in what is left another of its oneof stands where it stood.
START_TEST(the_last_of_a_oneof_counts_where_the_long_one_is)
{
    uint8_t fill[20];
    rp_samples_t samples;
    begin();
    choose_change(&samples, LONG, 1);
    size = protobuf_c_message_pack(&samples.change.base, packed);
    size_t count =
        put_varint(fill, (uint64_t)number_of(&replan__v1__change__descriptor, "fill") << 3u);
    count += put_varint(fill + count, 9);
    append(fill, count);
    wrap(&replan__v1__apply__descriptor, "change");
    wrap(&replan__v1__request__descriptor, "apply");
    const Replan__V1__Request *request = unpack_both_ways();
    ck_assert_ptr_nonnull(request);
    ck_assert_int_eq(request->apply->change->rect_case, REPLAN__V1__CHANGE__RECT_FILL);
    ck_assert_uint_eq(request->apply->change->fill, 9);
    end();
}
END_TEST

START_TEST(bytes_cut_anywhere_are_refused_as_ever)
{
    rp_samples_t samples;
    begin();
    choose_change(&samples, LONG, LONG);
    const size_t whole = size;
    for (size_t cut = 1; cut < whole; cut += cut < 100u || whole - cut < 100u ? 1u : 9973u) {
        size = whole - cut;
        (void)unpack_both_ways();
    }
    end();
}
END_TEST

START_TEST(any_byte_turned_is_unpacked_as_ever)
{
    rp_samples_t samples;
    begin();
    choose_change(&samples, LONG, 1);
    for (size_t at = 0; at < 100u; at++) {
        for (unsigned bit = 0; bit < 8u; bit++) {
            packed[at] ^= (uint8_t)(1u << bit);
            (void)unpack_both_ways();
            packed[at] ^= (uint8_t)(1u << bit);
        }
    }
    end();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        long_bytes_stay_where_they_are,
        a_world_is_not_copied_either,
        words_stay_where_they_are_for_who_says_so,
        what_is_short_is_left_to_protobuf,
        a_field_that_comes_twice_is_unpacked_as_ever,
        the_last_of_a_oneof_counts,
        the_last_of_a_oneof_counts_where_the_long_one_is,
        bytes_cut_anywhere_are_refused_as_ever,
        any_byte_turned_is_unpacked_as_ever,
    };
    return rp_suite_run("detached_fields", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
