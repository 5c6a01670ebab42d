/// Bytes to messages and back: what is cut short, bent or a bomb must end in a refusal, and memory
/// must end at the cap. README.md shows two messages in hex; they are held true here.
#include <check.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msgs/check.h"
#include "msgs/codec.h"
#include "msgs/limits.h"
#include "tests/msgs/samples.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

static rp_message_arena_t arena;
static rp_buffer_t buffer;

static void set_up(void)
{
    rp_message_arena_init(&arena, RP_LIMIT_ARENA_BYTES);
    buffer = (rp_buffer_t){0};
}

static void tear_down(void)
{
    rp_message_arena_fini(&arena);
    rp_buffer_fini(&buffer);
}

// ---- arena

START_TEST(an_arena_gives_aligned_memory_of_its_own)
{
    // Small things, things for a block of their own, and nothing at all, in turn.
    static const size_t sizes[] = {1, 0, 7, 100 * KIB, 16, 63 * KIB, 300 * KIB, 33, 64 * KIB};
    enum {
        TAKEN = 90
    };
    uint8_t *taken[TAKEN];
    for (size_t i = 0; i < TAKEN; i++) {
        size_t size = sizes[i % 9];
        taken[i] = rp_message_arena_take(&arena, size);
        ck_assert_ptr_nonnull(taken[i]);
        ck_assert_uint_eq((uintptr_t)taken[i] % alignof(max_align_t), 0);
        memset(taken[i], (int)i, size);
    }
    size_t overwritten = 0;
    for (size_t i = 0; i < TAKEN; i++) {
        for (size_t j = 0; j < sizes[i % 9]; j++) {
            overwritten += taken[i][j] != i;
        }
    }
    ck_assert_uint_eq(overwritten, 0);
}
END_TEST

START_TEST(an_arena_ends_at_its_cap)
{
    rp_message_arena_fini(&arena);
    rp_message_arena_init(&arena, 1024);
    ck_assert_ptr_null(rp_message_arena_take(&arena, 1025));
    ck_assert_ptr_null(rp_message_arena_take(&arena, SIZE_MAX));
    ck_assert_ptr_null(rp_message_arena_take(&arena, SIZE_MAX - 15));
    ck_assert_ptr_nonnull(rp_message_arena_take(&arena, 1000));
    ck_assert_ptr_nonnull(rp_message_arena_take(&arena, 16));
    ck_assert_ptr_null(rp_message_arena_take(&arena, 1));
    ck_assert_uint_le(arena.used_bytes, 1024);
    rp_message_arena_reset(&arena);
    ck_assert_uint_eq(arena.used_bytes, 0);
    ck_assert_ptr_nonnull(rp_message_arena_take(&arena, 1024));
}
END_TEST

START_TEST(a_reset_arena_uses_the_same_memory_again)
{
    void *first = rp_message_arena_take(&arena, 100);
    ck_assert_ptr_nonnull(rp_message_arena_take(&arena, MIB));
    rp_message_arena_reset(&arena);
    ck_assert_ptr_eq(rp_message_arena_take(&arena, 100), first);
}
END_TEST

// ---- unpacking

START_TEST(a_message_comes_back_as_it_was)
{
    rp_samples_t samples;
    rp_samples_init(&samples);
    ck_assert(rp_codec_pack(&buffer, &samples.request.base));
    ProtobufCMessage *came =
        rp_codec_unpack(&arena, &replan__v1__request__descriptor, buffer.bytes, buffer.size);
    ck_assert_ptr_nonnull(came);
    const Replan__V1__Request *request = (const Replan__V1__Request *)came;
    ck_assert_int_eq(request->body_case, REPLAN__V1__REQUEST__BODY_APPLY);
    const Replan__V1__Change *change = request->apply->change;
    ck_assert_str_eq(change->world, "marsh");
    ck_assert_uint_eq(change->sequence, 12);
    ck_assert_uint_eq(change->n_cells, 2);
    ck_assert_uint_eq(change->cells[1], 18);
    ck_assert_mem_eq(change->data.data, samples.data, sizeof(samples.data));
    // Nothing of it may lie in the bytes, which are borrowed until return only.
    memset(buffer.bytes, 0, buffer.size);
    ck_assert_str_eq(change->publisher, "scout-1");
}
END_TEST

/// Unpack and check bytes that stand alone in memory, so that a sanitizer sees a step beyond them.
static void take_in(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    memcpy(copy + 1, bytes, size);
    ProtobufCMessage *came =
        rp_codec_unpack(&arena, &replan__v1__request__descriptor, copy + 1, size);
    if (came != NULL) {
        rp_refusal_t refusal = {0};
        if (!rp_check_request((const Replan__V1__Request *)came, &refusal)) {
            ck_assert_uint_gt(strlen(refusal.sentence), 0);
        }
    }
    free(copy);
    rp_message_arena_reset(&arena);
}

START_TEST(a_message_cut_at_any_byte_harms_nobody)
{
    rp_samples_t samples;
    rp_samples_init(&samples);
    samples.request.after = &samples.after;
    rp_samples_choose(&samples, rp_sample_kind((size_t)_i, NULL));
    ck_assert(rp_codec_pack(&buffer, &samples.request.base));
    for (size_t size = 0; size < buffer.size; size++) {
        take_in(buffer.bytes, size);
    }
}
END_TEST

START_TEST(a_message_with_any_bit_turned_harms_nobody)
{
    rp_samples_t samples;
    rp_samples_init(&samples);
    samples.request.after = &samples.after;
    rp_samples_choose(&samples, rp_sample_kind((size_t)_i, NULL));
    ck_assert(rp_codec_pack(&buffer, &samples.request.base));
    for (size_t bit = 0; bit < buffer.size * 8; bit++) {
        buffer.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        take_in(buffer.bytes, buffer.size);
        buffer.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}
END_TEST

START_TEST(half_a_change_is_no_change)
{
    rp_samples_t samples;
    rp_samples_init(&samples);
    ck_assert(rp_codec_pack(&buffer, &samples.change.base));
    // The last field is a string of bytes: to cut it anywhere is to tear it.
    for (size_t lost = 1; lost <= sizeof(samples.values) + 1; lost++) {
        ck_assert_ptr_null(rp_codec_unpack(&arena, &replan__v1__change__descriptor, buffer.bytes,
                                           buffer.size - lost));
    }
}
END_TEST

// ---- bombs

/// `count` times the same two bytes: a field without content.
static uint8_t *bomb(size_t count, uint8_t tag)
{
    uint8_t *bytes = malloc(count * 2);
    for (size_t i = 0; i < count; i++) {
        bytes[2 * i] = tag;
        bytes[2 * i + 1] = 0;
    }
    return bytes;
}

START_TEST(a_bomb_of_empty_messages_ends_at_the_cap)
{
    const size_t count = 4 * MIB;
    uint8_t *bytes = bomb(count, 1 << 3 | 2);
    ck_assert_ptr_null(rp_codec_unpack(&arena, &replan__v1__worlds__descriptor, bytes, count * 2));
    ck_assert_uint_le(arena.used_bytes, RP_LIMIT_ARENA_BYTES);
    ck_assert_uint_gt(arena.used_bytes, RP_LIMIT_ARENA_BYTES / 4);
    rp_message_arena_reset(&arena);
    ck_assert_ptr_nonnull(rp_codec_unpack(&arena, &replan__v1__worlds__descriptor, bytes, 2000));
    free(bytes);
}
END_TEST

START_TEST(a_bomb_of_empty_names_ends_at_the_cap)
{
    const size_t count = 4 * MIB;
    uint8_t *bytes = bomb(count, 3 << 3 | 2);
    ck_assert_ptr_null(rp_codec_unpack(&arena, &replan__v1__watch__descriptor, bytes, count * 2));
    ck_assert_uint_le(arena.used_bytes, RP_LIMIT_ARENA_BYTES);
    free(bytes);
}
END_TEST

START_TEST(unknown_fields_are_kept_under_the_cap)
{
    const size_t count = 4 * MIB;
    uint8_t *bytes = bomb(count, 15 << 3 | 0);
    ck_assert_ptr_null(rp_codec_unpack(&arena, &replan__v1__unwatch__descriptor, bytes, count * 2));
    rp_message_arena_reset(&arena);
    ck_assert_ptr_nonnull(rp_codec_unpack(&arena, &replan__v1__unwatch__descriptor, bytes, 2000));
    free(bytes);
}
END_TEST

START_TEST(a_frame_at_its_limit_fits_the_cap)
{
    rp_samples_t samples;
    rp_samples_init(&samples);
    uint8_t *cells = calloc(RP_LIMIT_MESSAGE_BYTES, 1);
    samples.change.width = 1;
    samples.change.data.len = 2;
    samples.change.cells = (uint32_t *)cells;
    samples.change.n_cells = (RP_LIMIT_MESSAGE_BYTES - 256) / 4;
    samples.change.values.len = 1;
    ck_assert(rp_codec_pack(&buffer, &samples.change.base));
    ck_assert_uint_le(buffer.size, RP_LIMIT_MESSAGE_BYTES);
    ProtobufCMessage *came =
        rp_codec_unpack(&arena, &replan__v1__change__descriptor, buffer.bytes, buffer.size);
    ck_assert_ptr_nonnull(came);
    rp_refusal_t refusal = {0};
    ck_assert_msg(rp_check_change((const Replan__V1__Change *)came, &refusal), "%s",
                  refusal.sentence);
    free(cells);
}
END_TEST

// ---- packing

START_TEST(a_buffer_is_replaced_not_extended)
{
    rp_samples_t samples;
    rp_samples_init(&samples);
    ck_assert(rp_codec_pack(&buffer, &samples.request.base));
    ck_assert(rp_codec_pack(&buffer, &samples.unwatch.base));
    ck_assert_uint_eq(buffer.size, 2);
    ck_assert(rp_codec_pack(&buffer, &samples.list_worlds.base));
    ck_assert_uint_eq(buffer.size, 0);
    ck_assert_ptr_nonnull(buffer.bytes);
}
END_TEST

START_TEST(a_reserve_beyond_all_memory_changes_nothing)
{
    ck_assert(rp_buffer_reserve(&buffer, 10));
    memcpy(buffer.bytes, "as before", 10);
    buffer.size = 10;
    ck_assert(!rp_buffer_reserve(&buffer, SIZE_MAX));
    ck_assert_uint_eq(buffer.size, 10);
    ck_assert(rp_buffer_reserve(&buffer, 100 * KIB));
    ck_assert_uint_ge(buffer.capacity, 100 * KIB + 10);
    ck_assert_str_eq((const char *)buffer.bytes, "as before");
}
END_TEST

/// What rp_codec_wrap() makes of `body` must be what protobuf-c makes of the whole.
static void assert_wrapped(Replan__V1__ToClient *whole, unsigned field,
                           const ProtobufCMessage *body)
{
    rp_buffer_t packed = {0};
    rp_buffer_t expected = {0};
    ck_assert(rp_codec_pack(&packed, body));
    ck_assert(rp_codec_pack(&expected, &whole->base));
    ck_assert(rp_codec_wrap(&buffer, whole->watch, field, packed.bytes, packed.size));
    ck_assert_uint_eq(buffer.size, expected.size);
    ck_assert_mem_eq(buffer.bytes, expected.bytes, expected.size);
    rp_buffer_fini(&packed);
    rp_buffer_fini(&expected);
}

START_TEST(wrapping_a_packed_body_packs_the_whole)
{
    static const uint32_t watches[] = {0, 1, 127, 128, 300, UINT32_MAX};
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    Replan__V1__Answer answer = REPLAN__V1__ANSWER__INIT;
    Replan__V1__Head head = REPLAN__V1__HEAD__INIT;
    Replan__V1__Delta delta = REPLAN__V1__DELTA__INIT;
    Replan__V1__Chunk chunk = REPLAN__V1__CHUNK__INIT;
    uint8_t *rows = calloc(300 * KIB, 1);
    head.world = rp_sample_text("marsh");
    chunk.data = (ProtobufCBinaryData){300 * KIB, rows};
    delta.world = rp_sample_text("marsh");
    delta.values = (ProtobufCBinaryData){130, rows};
    const ProtobufCMessage *bodies[] = {&reply.base, &answer.base, &head.base, &delta.base,
                                        &chunk.base};
    Replan__V1__ToClient whole = REPLAN__V1__TO_CLIENT__INIT;
    whole.watch = watches[_i];
    for (unsigned field = 2; field <= 6; field++) {
        whole.body_case = (Replan__V1__ToClient__BodyCase)field;
        whole.reply = (void *)bodies[field - 2]; // any member of the union
        assert_wrapped(&whole, field, bodies[field - 2]);
    }
    free(rows);
}
END_TEST

// ---- hash

START_TEST(the_hash_of_a_cell_is_the_documented_one)
{
    // From the Python lines in msgs/README.md.
    ck_assert_uint_eq(rp_codec_cell_hash(0, 0), UINT64_C(0));
    ck_assert_uint_eq(rp_codec_cell_hash(0, 1), UINT64_C(0x5692161d100b05e5));
    ck_assert_uint_eq(rp_codec_cell_hash(1, 0), UINT64_C(0xf82a6f1d1144170d));
    ck_assert_uint_eq(rp_codec_cell_hash((UINT64_C(1) << 26) - 1, 255),
                      UINT64_C(0x566ba39e8c286eae));
}
END_TEST

START_TEST(cells_hash_as_each_does)
{
    enum {
        CELLS = 200
    };
    const uint64_t first = (UINT64_C(1) << 26) - 70u;
    uint8_t bytes[CELLS];
    uint64_t hash = 0;
    for (unsigned count = 0; count < CELLS; count++) {
        ck_assert_uint_eq(rp_codec_cells_hash(first, bytes, count), hash);
        bytes[count] = (uint8_t)(count * 37u);
        hash ^= rp_codec_cell_hash(first + count, bytes[count]);
    }
}
END_TEST

START_TEST(mirrors_of_one_hash_are_equal_here)
{
    // All worlds of 2 x 2 with bytes below 4: 256 of them, no two may share a hash.
    uint64_t hashes[256];
    for (unsigned world = 0; world < 256; world++) {
        hashes[world] = 0;
        for (unsigned cell = 0; cell < 4; cell++) {
            hashes[world] ^= rp_codec_cell_hash(cell, world >> 2 * cell & 3);
        }
        for (unsigned other = 0; other < world; other++) {
            ck_assert_uint_ne(hashes[world], hashes[other]);
        }
    }
}
END_TEST

// ---- the hex of the README

/// The bytes of the block that starts with "```hex <name>": two digits each, up to '#' on a line.
static size_t read_hex(const char *name, uint8_t *bytes, size_t room)
{
    FILE *file = fopen("msgs/README.md", "r");
    ck_assert_ptr_nonnull(file);
    char opening[64];
    snprintf(opening, sizeof(opening), "```hex %s\n", name);
    char line[256];
    bool inside = false;
    size_t count = 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strcmp(line, opening) == 0) {
            inside = true;
            continue;
        }
        if (!inside) {
            continue;
        }
        if (strncmp(line, "```", 3) == 0) {
            break;
        }
        char *comment = strchr(line, '#');
        if (comment != NULL) {
            *comment = '\0';
        }
        char *at = line;
        for (char *end = NULL; count < room; at = end) {
            unsigned long byte = strtoul(at, &end, 16);
            if (end == at) {
                break;
            }
            bytes[count++] = (uint8_t)byte;
        }
    }
    fclose(file);
    return count;
}

static void assert_shown(const char *name, const ProtobufCMessage *message)
{
    uint8_t shown[512];
    size_t size = read_hex(name, shown, sizeof(shown));
    ck_assert(rp_codec_pack(&buffer, message));
    ck_assert_msg(size == buffer.size && memcmp(shown, buffer.bytes, size) == 0,
                  "msgs/README.md shows %zu bytes of %s, not the %zu that are packed", size, name,
                  buffer.size);
}

START_TEST(the_change_in_the_readme_is_true)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    uint32_t cells[] = {4, 1029};
    uint8_t value = 0;
    change.world = rp_sample_text("marsh");
    change.publisher = rp_sample_text("scout");
    change.incarnation = 1;
    change.sequence = 2;
    change.x = 3;
    change.y = 300;
    change.width = 2;
    change.height = 2;
    change.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change.data = (ProtobufCBinaryData){4, (uint8_t[]){0, 1, 1, 9}};
    change.cells = cells;
    change.n_cells = 2;
    change.values = (ProtobufCBinaryData){1, &value};
    rp_refusal_t refusal = {0};
    ck_assert_msg(rp_check_change(&change, &refusal), "%s", refusal.sentence);
    assert_shown("Change", &change.base);
}
END_TEST

START_TEST(the_answer_in_the_readme_is_true)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    geometry.width = 1024;
    geometry.height = 512;
    geometry.resolution = 0.5;
    Replan__V1__Answer answer = REPLAN__V1__ANSWER__INIT;
    answer.world = rp_sample_text("marsh");
    answer.agent = rp_sample_text("orc");
    answer.epoch = 5;
    answer.version = 7;
    answer.path_seq = 3;
    answer.goal_id = 1;
    answer.geometry = &geometry;
    answer.outcome = REPLAN__V1__OUTCOME__FOUND;
    answer.reason = REPLAN__V1__REASON__BROKEN;
    answer.optimal = 1;
    answer.cost = 2.5;
    answer.bound = 2.5;
    answer.start = 1030;
    answer.steps = (ProtobufCBinaryData){2, (uint8_t[]){0, 2}};
    answer.planner = rp_sample_text("astar");
    answer.expansions = 6;
    assert_shown("Answer", &answer.base);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("codec");
    TCase *codec = tcase_create("codec");
    tcase_add_checked_fixture(codec, set_up, tear_down);
    tcase_set_timeout(codec, 600);
    tcase_add_test(codec, an_arena_gives_aligned_memory_of_its_own);
    tcase_add_test(codec, an_arena_ends_at_its_cap);
    tcase_add_test(codec, a_reset_arena_uses_the_same_memory_again);
    tcase_add_test(codec, a_message_comes_back_as_it_was);
    tcase_add_loop_test(codec, a_message_cut_at_any_byte_harms_nobody, 0, RP_SAMPLE_KINDS);
    tcase_add_loop_test(codec, a_message_with_any_bit_turned_harms_nobody, 0, RP_SAMPLE_KINDS);
    tcase_add_test(codec, half_a_change_is_no_change);
    tcase_add_test(codec, a_bomb_of_empty_messages_ends_at_the_cap);
    tcase_add_test(codec, a_bomb_of_empty_names_ends_at_the_cap);
    tcase_add_test(codec, unknown_fields_are_kept_under_the_cap);
    tcase_add_test(codec, a_frame_at_its_limit_fits_the_cap);
    tcase_add_test(codec, a_buffer_is_replaced_not_extended);
    tcase_add_test(codec, a_reserve_beyond_all_memory_changes_nothing);
    tcase_add_loop_test(codec, wrapping_a_packed_body_packs_the_whole, 0, 6);
    tcase_add_test(codec, the_hash_of_a_cell_is_the_documented_one);
    tcase_add_test(codec, cells_hash_as_each_does);
    tcase_add_test(codec, mirrors_of_one_hash_are_equal_here);
    tcase_add_test(codec, the_change_in_the_readme_is_true);
    tcase_add_test(codec, the_answer_in_the_readme_is_true);
    suite_add_tcase(suite, codec);
    return suite;
}

int main(void)
{
    SRunner *runner = srunner_create(suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
