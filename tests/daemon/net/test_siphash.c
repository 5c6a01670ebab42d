/// SipHash against the vectors of its reference implementation, whole and in pieces.
#include "daemon/net/siphash.h"

#include <string.h>

#include "tests/support/suite.h"

static uint8_t message[64];

static rp_siphash_t begin(void)
{
    uint8_t bytes[16];
    rp_siphash_key_t key;
    rp_siphash_t hash;
    for (unsigned i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)i;
    }
    for (unsigned i = 0; i < sizeof message; i++) {
        message[i] = (uint8_t)i;
    }
    memcpy(&key, bytes, sizeof key);
    rp_siphash_init(&hash, &key);
    return hash;
}

/// Key 00 01 .. 0f, message 00 01 .. of so many bytes.
static const struct {
    size_t size;
    uint8_t hash[16];
} vectors[] = {
    {0,
     {0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6, 0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02,
      0x93}},
    {1,
     {0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44, 0x34, 0x76, 0x59, 0x11, 0x9b, 0x22, 0xfc,
      0x45}},
    {7,
     {0xa1, 0xf1, 0xeb, 0xbe, 0xd8, 0xdb, 0xc1, 0x53, 0xc0, 0xb8, 0x4a, 0xa6, 0x1f, 0xf0, 0x82,
      0x39}},
    {8,
     {0x3b, 0x62, 0xa9, 0xba, 0x62, 0x58, 0xf5, 0x61, 0x0f, 0x83, 0xe2, 0x64, 0xf3, 0x14, 0x97,
      0xb4}},
    {9,
     {0x26, 0x44, 0x99, 0x06, 0x0a, 0xd9, 0xba, 0xab, 0xc4, 0x7f, 0x8b, 0x02, 0xbb, 0x6d, 0x71,
      0xed}},
    {15,
     {0x54, 0x93, 0xe9, 0x99, 0x33, 0xb0, 0xa8, 0x11, 0x7e, 0x08, 0xec, 0x0f, 0x97, 0xcf, 0xc3,
      0xd9}},
    {16,
     {0x6e, 0xe2, 0xa4, 0xca, 0x67, 0xb0, 0x54, 0xbb, 0xfd, 0x33, 0x15, 0xbf, 0x85, 0x23, 0x05,
      0x77}},
    {31,
     {0x29, 0x39, 0xb0, 0x18, 0x32, 0x23, 0xfa, 0xfc, 0x17, 0x23, 0xde, 0x4f, 0x52, 0xc4, 0x3d,
      0x35}},
    {63,
     {0x51, 0x50, 0xd1, 0x77, 0x2f, 0x50, 0x83, 0x4a, 0x50, 0x3e, 0x06, 0x9a, 0x97, 0x3f, 0xbd,
      0x7c}},
};

START_TEST(hashes_are_those_of_the_reference)
{
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        rp_siphash_t state = begin();
        rp_siphash_add(&state, message, vectors[i].size);
        const rp_hash128_t hash = rp_siphash_end(&state);
        ck_assert_msg(memcmp(&hash, vectors[i].hash, sizeof hash) == 0, "of %zu bytes",
                      vectors[i].size);
    }
}
END_TEST

START_TEST(pieces_make_the_same_hash_as_the_whole)
{
    rp_siphash_t whole = begin();
    rp_siphash_add(&whole, message, sizeof message);
    const rp_hash128_t hash = rp_siphash_end(&whole);
    for (size_t first = 0; first <= sizeof message; first++) {
        for (size_t second = first; second <= sizeof message; second++) {
            rp_siphash_t state = begin();
            rp_siphash_add(&state, message, first);
            rp_siphash_add(&state, message + first, second - first);
            rp_siphash_add(&state, message + second, sizeof message - second);
            RP_EACH(rp_hash128_is_same(rp_siphash_end(&state), hash));
        }
    }
}
END_TEST

START_TEST(another_key_makes_another_hash)
{
    const rp_siphash_key_t key = {{1, 2}};
    rp_siphash_t other;
    rp_siphash_t state = begin();
    rp_siphash_init(&other, &key);
    rp_siphash_add(&state, message, 20);
    rp_siphash_add(&other, message, 20);
    ck_assert(!rp_hash128_is_same(rp_siphash_end(&state), rp_siphash_end(&other)));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        hashes_are_those_of_the_reference,
        pieces_make_the_same_hash_as_the_whole,
        another_key_makes_another_hash,
    };
    return rp_suite_run("siphash", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
