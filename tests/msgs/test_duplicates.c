/// What is told twice in the bytes of a message is refused by name, wherever it stands; and nothing
/// else is.
#include "msgs/duplicates.h"

#include <string.h>

#include "msgs/request.h"
#include "tests/msgs/samples.h"
#include "tests/support/suite.h"

static uint8_t packed[4096];
static size_t size;

static void pack(const ProtobufCMessage *message)
{
    size = protobuf_c_message_pack(message, packed);
    ck_assert_uint_le(size, sizeof packed);
}

/// Bytes behind what is packed, as one that writes another field, or the same again, sends them.
static void append(const void *more, size_t count)
{
    memcpy(packed + size, more, count);
    size += count;
}

static void expect(const ProtobufCMessageDescriptor *type, const char *sentence)
{
    rp_refusal_t refusal = {.sentence = ""};
    const bool is_right = rp_check_duplicates("request", type, packed, size, &refusal);
    ck_assert_str_eq(refusal.sentence, sentence);
    ck_assert_int_eq(is_right, sentence[0] == '\0');
    ck_assert(is_right || refusal.status == REPLAN__V1__STATUS__INVALID);
}

static void expect_request(const char *sentence)
{
    expect(&replan__v1__request__descriptor, sentence);
}

START_TEST(requests_that_say_one_thing_are_fine)
{
    rp_samples_t samples;
    rp_samples_init(&samples);
    for (size_t i = 0; i < RP_SAMPLE_KINDS; i++) {
        rp_samples_choose(&samples, rp_sample_kind(i, NULL));
        samples.request.after = &samples.after;
        pack(&samples.request.base);
        expect_request("");
    }
}
END_TEST

START_TEST(two_bodies_are_refused_and_so_is_the_same_one_again)
{
    rp_samples_t samples;
    uint8_t more[256];
    rp_samples_init(&samples);
    rp_samples_choose(&samples, REPLAN__V1__REQUEST__BODY_FORGIVE);
    Replan__V1__Request second = RP_REQUEST(GET_STATS, get_stats, &samples.get_stats);
    pack(&samples.request.base);
    append(more, protobuf_c_message_pack(&second.base, more));
    expect_request("request: both forgive and get_stats are there, it may hold one of them");
    second.body_case = REPLAN__V1__REQUEST__BODY_FORGIVE;
    second.forgive = &samples.forgive;
    pack(&samples.request.base);
    append(more, protobuf_c_message_pack(&second.base, more));
    expect_request("request.forgive comes twice, it may come once");
}
END_TEST

START_TEST(other_fields_that_come_twice_are_refused_too)
{
    rp_samples_t samples;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    uint8_t more[64];
    rp_samples_init(&samples);
    request.id = 9;
    pack(&samples.request.base);
    append(more, protobuf_c_message_pack(&request.base, more));
    expect_request("request.id comes twice, it may come once");
    // In a message that stands alone, as a published one does.
    pack(&samples.change.base);
    append("\x08\x02", 2); // field 1 as a number: not a world, but it has its place
    expect(&replan__v1__change__descriptor, "request.world comes twice, it may come once");
}
END_TEST

START_TEST(what_a_message_holds_is_looked_at)
{
    // request.apply { change { world "a" fill 1 data "x" } }
    static const uint8_t change[] = {0x0a, 1, 'a'};
    Replan__V1__Change both = REPLAN__V1__CHANGE__INIT;
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    uint8_t inner[64];
    uint8_t body[64];
    both.rect_case = REPLAN__V1__CHANGE__RECT_FILL;
    both.fill = 1;
    size_t count = protobuf_c_message_pack(&both.base, inner);
    both.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    both.data = (ProtobufCBinaryData){sizeof change, (uint8_t *)change};
    count += protobuf_c_message_pack(&both.base, inner + count);
    apply.change = &both;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &apply);
    pack(&request.base); // its tags: apply, change
    body[0] = packed[0];
    body[1] = (uint8_t)(count + 2u);
    body[2] = packed[2];
    body[3] = (uint8_t)count;
    memcpy(body + 4, inner, count);
    size = 0;
    append(body, count + 4u);
    expect_request("change: both fill and data are there, it may hold one of them");
}
END_TEST

START_TEST(lists_and_fields_of_a_later_schema_may_come_again)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    char *agents[] = {rp_sample_text("elf"), rp_sample_text("orc"), rp_sample_text("elf")};
    watch.agents = agents;
    watch.n_agents = 3;
    pack(&watch.base);
    append("\xf8\xff\x03\x01\xf8\xff\x03\x01", 8); // field 8191, twice
    expect(&replan__v1__watch__descriptor, "");
}
END_TEST

START_TEST(malformed_bytes_are_left_to_who_unpacks_them)
{
    rp_samples_t samples;
    rp_samples_init(&samples);
    pack(&samples.request.base);
    const size_t whole = size;
    for (size = 0; size < whole; size++) {
        expect_request("");
    }
    size = 0;
    append("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11);
    expect_request("");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        requests_that_say_one_thing_are_fine,
        two_bodies_are_refused_and_so_is_the_same_one_again,
        other_fields_that_come_twice_are_refused_too,
        what_a_message_holds_is_looked_at,
        lists_and_fields_of_a_later_schema_may_come_again,
        malformed_bytes_are_left_to_who_unpacks_them,
    };
    return rp_suite_run("duplicates", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
