/// Inflate beside zlib, which packs what is to be unpacked; and streams that nobody should be
/// handed.
#include "files/image/inflate.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "files/image/deflate.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define ROOM ((size_t)1 << 18)

/// What comes out, up to a limit.
typedef struct heap {
    uint8_t *bytes;
    size_t size;
    size_t limit;
} heap_t;

static bool take(void *user, const uint8_t *bytes, size_t count)
{
    heap_t *heap = user;
    if (count > heap->limit - heap->size) {
        return false;
    }
    memcpy(heap->bytes + heap->size, bytes, count);
    heap->size += count;
    return true;
}

static uint8_t plain[ROOM];
static uint8_t packed[2 * ROOM];
static uint8_t unpacked[ROOM];

/// Unpack from memory of just the stream's size, so that a sanitizer sees a read beyond it.
static rp_status_t unpack(const uint8_t *bytes, size_t size, heap_t *heap,
                          rp_inflate_fault_t *fault)
{
    uint8_t *copy = malloc(size != 0 ? size : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, size);
    *heap = (heap_t){.bytes = unpacked, .limit = sizeof unpacked};
    const rp_status_t status = rp_inflate(copy, size, take, heap, fault);
    free(copy);
    ck_assert(status == RP_OK || status == RP_E_INVALID);
    ck_assert(status == RP_OK || fault->offset <= size);
    return status;
}

static size_t pack(size_t size, int level, int strategy, int window)
{
    z_stream stream = {.next_in = plain, .avail_in = (uInt)size, .next_out = packed};
    stream.avail_out = sizeof packed;
    ck_assert_int_eq(deflateInit2(&stream, level, Z_DEFLATED, window, 8, strategy), Z_OK);
    ck_assert_int_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return stream.total_out;
}

/// Bytes with runs, repeats from afar, and noise.
static void fill_plain(rp_random_t *random, size_t size)
{
    for (size_t i = 0; i < size;) {
        const size_t run = 1 + rp_random_below(random, 300);
        const unsigned kind = (unsigned)rp_random_below(random, 3);
        const uint8_t byte = (uint8_t)rp_random_below(random, 256);
        const size_t back =
            i == 0 ? 0 : 1 + rp_random_below(random, (uint32_t)(i < 40000 ? i : 40000));
        for (size_t end = i + run; i < end && i < size; i++) {
            plain[i] = kind == 0                ? byte
                       : kind == 1 && back != 0 ? plain[i - back]
                                                : (uint8_t)rp_random_below(random, 256);
        }
    }
}

START_TEST(inflate_unpacks_what_zlib_packs)
{
    static const int strategies[] = {Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE,
                                     Z_FIXED};
    rp_random_t random = {31};
    for (unsigned i = 0; i < 120; i++) {
        const size_t size = i < 20 ? i : rp_random_below(&random, ROOM / 2);
        fill_plain(&random, size);
        const size_t packed_size = pack(size, (int)(i % 10), strategies[i % 5], 9 + (int)(i % 7));
        heap_t heap;
        rp_inflate_fault_t fault = {0};
        ck_assert_msg(unpack(packed, packed_size, &heap, &fault) == RP_OK, "%u: %s", i,
                      fault.reason);
        ck_assert_uint_eq(heap.size, size);
        ck_assert_mem_eq(unpacked, plain, size);
    }
}
END_TEST

START_TEST(zlib_and_inflate_unpack_what_deflate_packs)
{
    rp_random_t random = {32};
    for (unsigned i = 0; i < 60; i++) {
        const size_t size = i < 10 ? i : rp_random_below(&random, ROOM / 2);
        fill_plain(&random, size);
        rp_output_t out = {0};
        rp_deflate_t deflate;
        rp_deflate_open(&deflate, &out);
        rp_deflate_add(&deflate, plain, size / 3);
        rp_deflate_add(&deflate, plain + size / 3, size - size / 3);
        rp_deflate_close(&deflate);
        uLongf back = sizeof unpacked;
        ck_assert_int_eq(uncompress(unpacked, &back, out.bytes, out.size), Z_OK);
        ck_assert_uint_eq(back, size);
        ck_assert_mem_eq(unpacked, plain, size);
        heap_t heap;
        rp_inflate_fault_t fault = {0};
        ck_assert_int_eq(unpack(out.bytes, out.size, &heap, &fault), RP_OK);
        ck_assert_uint_eq(heap.size, size);
        ck_assert_mem_eq(unpacked, plain, size);
        rp_output_fini(&out);
    }
}
END_TEST

START_TEST(inflate_refuses_a_stream_cut_anywhere)
{
    rp_random_t random = {33};
    for (int level = 0; level < 10; level += 3) {
        fill_plain(&random, 1500);
        const size_t size = pack(1500, level, Z_DEFAULT_STRATEGY, 15);
        for (size_t cut = 0; cut < size; cut++) {
            heap_t heap;
            rp_inflate_fault_t fault = {0};
            ck_assert_int_eq(unpack(packed, cut, &heap, &fault), RP_E_INVALID);
            ck_assert_str_eq(fault.reason, "the deflated data is cut short");
        }
    }
}
END_TEST

START_TEST(inflate_finds_each_bit_that_was_spoilt)
{
    rp_random_t random = {34};
    fill_plain(&random, 600);
    const size_t size = pack(600, 6, Z_DEFAULT_STRATEGY, 15);
    for (size_t i = 0; i < size; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            packed[i] ^= (uint8_t)(1u << bit);
            heap_t heap;
            rp_inflate_fault_t fault = {0};
            // Some bits say nothing: those that fill up the last byte before the sum.
            ck_assert(unpack(packed, size, &heap, &fault) == RP_E_INVALID ||
                      (heap.size == 600 && memcmp(unpacked, plain, 600) == 0));
            packed[i] ^= (uint8_t)(1u << bit);
        }
    }
}
END_TEST

START_TEST(inflate_agrees_with_zlib_on_noise)
{
    rp_random_t random = {35};
    for (unsigned i = 0; i < 30000; i++) {
        const size_t size = 6 + rp_random_below(&random, 60);
        for (size_t at = 0; at < size; at++) {
            packed[at] = (uint8_t)rp_random_below(&random, 256);
        }
        packed[0] = 0x78;
        packed[1] = 0x01;
        heap_t heap;
        rp_inflate_fault_t fault = {0};
        const bool is_taken = unpack(packed, size, &heap, &fault) == RP_OK;
        uLongf back = sizeof unpacked;
        ck_assert_int_eq(uncompress(unpacked, &back, packed, size) == Z_OK, is_taken);
    }
}
END_TEST

START_TEST(inflate_stops_when_its_taker_has_enough)
{
    memset(plain, 7, ROOM);
    const size_t size = pack(ROOM, 9, Z_DEFAULT_STRATEGY, 15);
    heap_t heap = {.bytes = unpacked, .limit = 40000};
    rp_inflate_fault_t fault = {0};
    ck_assert_int_eq(rp_inflate(packed, size, take, &heap, &fault), RP_E_INVALID);
    ck_assert_ptr_null(fault.reason);
    ck_assert_uint_eq(heap.size, 32768);
}
END_TEST

START_TEST(inflate_names_what_is_wrong)
{
    static const struct {
        const char *reason;
        const char *bytes;
        size_t size;
    } cases[] = {
        {"no head of a zlib stream", "\x79\x01\x00\x00\x00\x00", 6},
        {"no head of a zlib stream", "\x78\x02\x00\x00\x00\x00", 6},
        {"no head of a zlib stream", "\x88\x1c\x00\x00\x00\x00", 6},
        {"a zlib stream with a dictionary", "\x78\x20\x00\x00\x00\x00", 6},
        {"a kind of block that does not exist", "\x78\x01\x07\x00\x00\x00", 6},
        {"the length of a stored block differs from its check", "\x78\x01\x01\x01\x00\x00\x00", 7},
        {"a distance that reaches before the first byte", "\x78\x01\x03\x02\x00\x00\x00\x00", 8},
        {"the sum of the inflated data is wrong", "\x78\x01\x03\x00\x00\x00\x00\x02", 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        heap_t heap;
        rp_inflate_fault_t fault = {0};
        ck_assert_int_eq(unpack((const uint8_t *)cases[i].bytes, cases[i].size, &heap, &fault),
                         RP_E_INVALID);
        ck_assert_str_eq(fault.reason, cases[i].reason);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        inflate_unpacks_what_zlib_packs,       zlib_and_inflate_unpack_what_deflate_packs,
        inflate_refuses_a_stream_cut_anywhere, inflate_finds_each_bit_that_was_spoilt,
        inflate_agrees_with_zlib_on_noise,     inflate_stops_when_its_taker_has_enough,
        inflate_names_what_is_wrong,
    };
    return rp_suite_run("inflate", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
