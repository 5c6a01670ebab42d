/// What a request asks for, byte by byte: whatever stands around it, and in pieces of any size.
#include "daemon/net/request_key.h"

#include <stdlib.h>
#include <string.h>

#include "msgs/codec.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static const rp_siphash_key_t key = {{1, 2}};
static rp_buffer_t packed;
static rp_buffer_t other;

static void tear_down(void)
{
    rp_buffer_fini(&packed);
    rp_buffer_fini(&other);
}

static void pack(rp_buffer_t *buffer, uint64_t id, uint64_t life, uint32_t deadline_ms,
                 const char *world, bool closes)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    Replan__V1__Forgive forgive = REPLAN__V1__FORGIVE__INIT;
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    after.world = remove.world = forgive.world = (char *)world;
    after.version = deadline_ms;
    request.id = id;
    request.life = life;
    request.deadline_ms = deadline_ms;
    request.after = deadline_ms != 0 ? &after : NULL;
    request.body_case =
        closes ? REPLAN__V1__REQUEST__BODY_FORGIVE : REPLAN__V1__REQUEST__BODY_REMOVE_WORLD;
    if (closes) {
        request.forgive = &forgive;
    } else {
        request.remove_world = &remove;
    }
    ck_assert(rp_codec_pack(buffer, &request.base));
}

static bool are_same(void)
{
    const bool is_same =
        rp_request_body_is_same(packed.bytes, packed.size, other.bytes, other.size);
    ck_assert(rp_hash128_is_same(rp_request_body_of(&key, packed.bytes, packed.size),
                                 rp_request_body_of(&key, other.bytes, other.size)) == is_same);
    return is_same;
}

START_TEST(only_what_is_asked_for_counts)
{
    pack(&packed, 1, 2, 3, "marsh", false);
    pack(&other, 4, 5, 0, "marsh", false);
    ck_assert(are_same());
    pack(&other, 1, 2, 3, "march", false);
    ck_assert(!are_same());
    pack(&other, 1, 2, 3, "marshes", false);
    ck_assert(!are_same());
}
END_TEST

/// Both have one field of the same bytes.
START_TEST(kinds_of_requests_are_told_apart)
{
    pack(&packed, 1, 2, 3, "marsh", false);
    pack(&other, 1, 2, 3, "marsh", true);
    ck_assert(!are_same());
}
END_TEST

/// Not in the order of numbers, as some clients write them.
START_TEST(fields_may_come_in_any_order)
{
    static const uint8_t head_last[] = {0x6a, 3, 0x0a, 1, 'm', 0x10, 7, 0x09,
                                        1,    0, 0,    0, 0,   0,    0, 0};
    static const uint8_t head_first[] = {0x09, 2, 0, 0, 0, 0, 0, 0, 0, 0x6a, 3, 0x0a, 1, 'm'};
    ck_assert(rp_request_body_is_same(head_last, sizeof head_last, head_first, sizeof head_first));
    ck_assert(rp_hash128_is_same(rp_request_body_of(&key, head_last, sizeof head_last),
                                 rp_request_body_of(&key, head_first, sizeof head_first)));
    ck_assert(!rp_request_body_is_same(head_last, 5, head_last, sizeof head_last - 12u));
}
END_TEST

START_TEST(pieces_make_the_same_hash)
{
    rp_random_t random = {7};
    pack(&packed, 1, 2, 3, "a-world-with-a-long-name", false);
    const rp_hash128_t whole = rp_request_body_of(&key, packed.bytes, packed.size);
    for (unsigned round = 0; round < 200; round++) {
        rp_request_body_t body;
        rp_request_body_init(&body, &key, packed.bytes, packed.size);
        unsigned pieces = 1;
        while (rp_request_body_hash(&body, rp_random_below(&random, 5))) {
            ck_assert_uint_lt(pieces++, 1000);
        }
        ck_assert(rp_hash128_is_same(rp_siphash_end(&body.hash), whole));
    }
}
END_TEST

/// They were unpacked before; here it only matters that nobody reads beyond them.
START_TEST(bytes_that_are_no_message_are_read_to_their_end)
{
    rp_random_t random = {11};
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t bytes[24];
        const size_t size = rp_random_below(&random, sizeof bytes + 1u);
        for (size_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)rp_random_next(&random);
        }
        uint8_t *exact = malloc(size + 1u); // a sanitizer sees what is read behind it
        ck_assert_ptr_nonnull(exact);
        memcpy(exact + 1, bytes, size);
        (void)rp_request_body_of(&key, exact + 1, size);
        RP_EACH(rp_request_body_is_same(exact + 1, size, bytes, size));
        free(exact);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        only_what_is_asked_for_counts,
        kinds_of_requests_are_told_apart,
        fields_may_come_in_any_order,
        pieces_make_the_same_hash,
        bytes_that_are_no_message_are_read_to_their_end,
    };
    return rp_suite_run("request_key", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
