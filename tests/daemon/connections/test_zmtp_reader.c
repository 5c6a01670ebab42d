/// Ends of messages, by bytes of each version of the protocol, in pieces of any length.
#include "daemon/connections/zmtp_reader.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

static const uint8_t greeting[64] = "\xff\0\0\0\0\0\0\0\1\x7f\3\1NULL";
#define READY "\4\6\5READY"

static rp_zmtp_reader_t reader;
static rp_zmtp_size_t ended;

static void take(const void *bytes, size_t size)
{
    rp_zmtp_reader_take(&reader, bytes, size, &ended);
}

#define TAKE(text) take(text, sizeof(text) - 1u)

/// After the greeting, and what it counts for.
static void greet(void)
{
    take(greeting, sizeof greeting);
    ck_assert_uint_eq(ended.frames, 0);
}

static void check(uint64_t frames, uint64_t bytes, uint64_t part_frames, uint64_t part_bytes)
{
    ck_assert_uint_eq(ended.frames, frames);
    ck_assert_uint_eq(ended.bytes, bytes);
    ck_assert_uint_eq(reader.unfinished.frames, part_frames);
    ck_assert_uint_eq(reader.unfinished.bytes, part_bytes);
}

START_TEST(a_message_ends_with_its_last_frame)
{
    greet();
    TAKE("\1\3abc");
    check(0, 0, 1, 3);
    TAKE("\1\0");
    check(0, 0, 2, 3);
    TAKE("\0\2de");
    check(3, 5, 0, 0);
    TAKE("\0\0");
    check(4, 5, 0, 0);
}
END_TEST

START_TEST(what_came_of_a_frame_is_unfinished)
{
    greet();
    TAKE("\2\0\0\0\0\0\0\1\x04"
         "abc");
    check(0, 0, 0, 3);
    uint8_t rest[257] = {0};
    take(rest, sizeof rest);
    check(1, 260, 0, 0);
}
END_TEST

START_TEST(within_a_body_is_behind_its_first_byte)
{
    greet();
    ck_assert(!rp_zmtp_reader_is_within(&reader));
    TAKE("\1\3");
    ck_assert(!rp_zmtp_reader_is_within(&reader));
    TAKE("a");
    ck_assert(rp_zmtp_reader_is_within(&reader));
    TAKE("bc");
    ck_assert(!rp_zmtp_reader_is_within(&reader));
}
END_TEST

START_TEST(a_command_ends_no_message)
{
    greet();
    TAKE(READY);
    TAKE("\1\3abc\4\7\4PING\0\0");
    check(0, 0, 1, 3);
    TAKE("\4\x0b\x09SUBSCRIBEa\4\x08\6CANCELb");
    check(2, 19, 1, 3);
    TAKE("\5\3abc"); // but part of one it may be
    check(2, 19, 2, 6);
    TAKE("\0\0");
    check(5, 25, 0, 0);
}
END_TEST

START_TEST(version_2_has_a_short_greeting)
{
    TAKE("\xff\0\0\0\0\0\0\0\1\x7f\1\5");
    TAKE("\0\0\1\1a\0\1b");
    check(3, 2, 0, 0);
}
END_TEST

START_TEST(frames_of_version_1_count_their_flags)
{
    TAKE("\xff\0\0\0\0\0\0\0\1\x7f\0\5");
    TAKE("\1\0\4\1abc");
    check(1, 0, 1, 3);
    TAKE("\xff\0\0\0\0\0\0\0\3\0de");
    check(3, 5, 0, 0);
}
END_TEST

START_TEST(without_a_version_the_greeting_is_a_message)
{
    TAKE("\3\0id\3\1ab");
    check(1, 2, 1, 2);
}
END_TEST

START_TEST(a_long_id_without_a_version_looks_like_a_greeting_at_first)
{
    TAKE("\xff\0\0\0\0\0\0\0\3\0id\2\0x");
    check(2, 3, 0, 0);
}
END_TEST

START_TEST(a_frame_of_version_1_without_flags_ends_it_all)
{
    TAKE("\2\0x\0\3\1ab\3\1ab");
    check(1, 1, 0, 0);
    TAKE("\3\1ab");
    check(1, 1, 0, 0);
}
END_TEST

/// However the bytes are cut into pieces.
START_TEST(pieces_do_not_matter)
{
    static const char story[] = READY "\1\3abc\2\0\0\0\0\0\0\0\4defg\4\2\1x\1\0\0\1h\1\2ij";
    static const char *const greetings[] = {"\xff\0\0\0\0\0\0\0\1\x7f\1\5", (const char *)greeting};
    static const size_t sizes[] = {RP_ZMTP_GREETING, sizeof greeting};
    const size_t length = sizes[_i % 2] + sizeof story - 1u;
    uint8_t *all = malloc(length);
    rp_random_t chance = {(uint64_t)_i};
    memcpy(all, greetings[_i % 2], sizes[_i % 2]);
    memcpy(all + sizes[_i % 2], story, sizeof story - 1u);
    for (size_t at = 0; at < length;) {
        const size_t piece = 1u + rp_random_below(&chance, 9);
        const size_t taken = piece < length - at ? piece : length - at;
        take(all + at, taken);
        at += taken;
    }
    check(4, 8, 1, 2);
    free(all);
}
END_TEST

/// Any bytes are taken: more than came is never said to have come.
START_TEST(nonsense_is_taken)
{
    rp_random_t chance = {1000u + (uint64_t)_i};
    uint64_t came = 0;
    if (_i % 2 == 0) {
        greet();
    }
    for (int i = 0; i < 200; i++) {
        uint8_t bytes[64];
        for (size_t at = 0; at < sizeof bytes; at++) {
            bytes[at] = (uint8_t)rp_random_below(&chance, _i % 3 == 0 ? 8 : 256);
        }
        take(bytes, sizeof bytes);
        came += sizeof bytes;
        ck_assert_uint_le(ended.bytes + reader.unfinished.bytes, came);
        ck_assert_uint_le(2u * (ended.frames + reader.unfinished.frames), came);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_message_ends_with_its_last_frame,
        what_came_of_a_frame_is_unfinished,
        within_a_body_is_behind_its_first_byte,
        a_command_ends_no_message,
        version_2_has_a_short_greeting,
        frames_of_version_1_count_their_flags,
        without_a_version_the_greeting_is_a_message,
        a_long_id_without_a_version_looks_like_a_greeting_at_first,
        a_frame_of_version_1_without_flags_ends_it_all,
    };
    const TTest *const chances[] = {pieces_do_not_matter, nonsense_is_taken};
    const int failed = rp_suite_run("zmtp_reader: by chance", chances, 2, 30, NULL);
    return rp_suite_run("zmtp_reader", tests, sizeof tests / sizeof tests[0], 1, NULL) + failed;
}
