/// PGM: good, refused, cut, spoilt.
#include <stdlib.h>
#include <string.h>

#include "files/image/image.h"
#include "tests/files/texts.h"
#include "tests/support/suite.h"

#define PIXELS 64u

/// What the reader handed out, a number for each pixel.
static struct {
    rp_image_t image;
    uint16_t values[PIXELS];
    unsigned count;
} got;

static rp_status_t begin(void *user, const rp_image_t *image)
{
    (void)user;
    got.image = *image;
    return RP_OK;
}

static void take(void *user, const rp_pixel_run_t *run)
{
    (void)user;
    ck_assert_uint_eq(run->x, 0);
    ck_assert_uint_eq(run->step, 1);
    ck_assert_uint_eq(run->count, got.image.width);
    for (uint32_t i = 0; i < run->count && got.count < PIXELS; i++) {
        const rp_pixel_t pixel = run->pixels[i];
        ck_assert_uint_eq(pixel.red, pixel.green);
        ck_assert_uint_eq(pixel.red, pixel.blue);
        ck_assert_uint_eq(pixel.alpha, got.image.most);
        got.values[got.count++] = pixel.red;
    }
}

static rp_status_t parse(const rp_text_t *text, rp_complaint_t *complaint)
{
    const rp_image_sink_t sink = {begin, take, NULL};
    memset(&got, 0, sizeof got);
    if (!rp_pgm_format.is_format(text)) {
        return rp_complain(complaint, text->name, 0, "no PGM");
    }
    return rp_pgm_format.read(text, &sink, complaint);
}

static void read_good(const char *bytes, size_t size)
{
    rp_complaint_t complaint = {""};
    const rp_text_t text = {.name = "x", .bytes = bytes, .size = size};
    ck_assert_msg(parse(&text, &complaint) == RP_OK, "%s", complaint.sentence);
}

START_TEST(pgm_reads_plain_pixels)
{
    read_good("P2 3 2 9\n0 1 2\n\t3\n9 5", 21);
    static const uint16_t expected[] = {0, 1, 2, 3, 9, 5};
    ck_assert_uint_eq(got.image.width, 3);
    ck_assert_uint_eq(got.image.height, 2);
    ck_assert_uint_eq(got.image.most, 9);
    ck_assert_mem_eq(got.values, expected, sizeof expected);
}
END_TEST

START_TEST(pgm_reads_raw_pixels_that_look_like_blanks_and_remarks)
{
    read_good("P5\n2 2\n255\n #\n\t", 15);
    static const uint16_t expected[] = {' ', '#', '\n', '\t'};
    ck_assert_mem_eq(got.values, expected, sizeof expected);
}
END_TEST

START_TEST(pgm_reads_two_bytes_a_pixel_above_255)
{
    read_good("P5 2 1 65535\n\x01\x02\xff\xfe", 17);
    static const uint16_t expected[] = {0x102, 0xfffe};
    ck_assert_uint_eq(got.image.most, 65535);
    ck_assert_mem_eq(got.values, expected, sizeof expected);
}
END_TEST

START_TEST(pgm_passes_over_remarks_wherever_they_stand)
{
    static const char bytes[] = "P5# made by\n#\r\n 2# wide\n1 #high\n# 7 8 9\n200\nab";
    read_good(bytes, sizeof bytes - 1);
    ck_assert_uint_eq(got.image.width, 2);
    ck_assert_uint_eq(got.image.most, 200);
    ck_assert_uint_eq(got.values[1], 'b');
    read_good("P2 1 2 9 4#5 6\n7", 16);
    ck_assert_uint_eq(got.values[1], 7);
}
END_TEST

START_TEST(pgm_may_end_in_blanks)
{
    read_good("P5 1 1 9\n\x04\n \r\n", 14);
    ck_assert_uint_eq(got.values[0], 4);
}
END_TEST

START_TEST(pgm_is_refused_by_line_or_byte_and_reason)
{
    static const rp_refused_t cases[] = {
        {"P5 ", "x:1: the file is cut short before the width"},
        {"P5\n3", "x:2: the file is cut short before the height"},
        {"P5\n3 4\n", "x:3: the file is cut short before the maximum"},
        {"P5\n0 4\n255\n", "x:2: \"0\" is not a width of 1..16384"},
        {"P5\n-3 4\n255\n", "x:2: \"-3\" is not a width of 1..16384"},
        {"P5\n3\n16385\n255\n", "x:3: \"16385\" is not a height of 1..16384"},
        {"P5\n4294967297 1\n255\n", "x:2: \"4294967297\" is not a width of 1..16384"},
        {"P5\n3 4\n0\n", "x:3: \"0\" is not a maximum of 1..65535"},
        {"P5\n3 4\n65536\n", "x:3: \"65536\" is not a maximum of 1..65535"},
        {"P5\n1 1\n255", "x:3: the file is cut short, or no blank ends the maximum"},
        {"P5\n1 1\n255#\n", "x:3: the file is cut short, or no blank ends the maximum"},
        {"P5\n16384 16384\n255\n",
         "x:3: 16384 x 16384 and a rim are more than the 268435456 cells of a grid"},
        {"P5\n16000 16000\n255\nabc",
         "x:4: the file is cut short: 3 bytes are left for 16000 x 16000 pixels"},
        {"P5\n2 2\n256\nabcdefg", "x:4: the file is cut short: 7 bytes are left for 2 x 2 pixels"},
        {"P2\n2 2\n255\n1 2 3 ", "x:4: the file is cut short: 6 bytes are left for 2 x 2 pixels"},
        {"P2\n2 2\n255\n1\n22 3 ", "x:5: the file is cut short: a pixel is missing"},
        {"P2\n2 2\n255\n1 2\n3 256", "x:5: \"256\" is not a pixel of 0..255"},
        {"P2\n2 2\n255\n1 2\n3 -1", "x:5: \"-1\" is not a pixel of 0..255"},
        {"P2\n2 2\n255\n1 2\n3 4.0", "x:5: \"4.0\" is not a pixel of 0..255"},
        {"P5\n1 2\n90\nZ[", "x: byte 11: a pixel of 91, the maximum is 90"},
        {"P5\n1 1\n255\nab", "x: byte 12: 1 bytes follow the last pixel"},
        {"P2\n1 1\n255\n1 2", "x: byte 13: 1 bytes follow the last pixel"},
        {"P6\n1 1\n255\nabc", "x: no PGM"},
        {"P5", "x: no PGM"},
        {"P55 1 1 1\n", "x: no PGM"},
    };
    rp_check_refused(parse, cases, sizeof cases / sizeof cases[0]);
}
END_TEST

START_TEST(pgm_cut_anywhere_is_refused)
{
    static const char plain[] = "P2\n# hall\n3 2\n99\n1 2 3\n4 5 60\n";
    rp_check_prefixes(parse, plain, sizeof plain - 3);
    static const char raw[] = "P5\n# hall\n3 2\n99\nabc!!!";
    rp_check_prefixes(parse, raw, sizeof raw - 1);
}
END_TEST

START_TEST(pgm_spoilt_anywhere_breaks_nothing)
{
    rp_check_spoilt(parse, "P2\n# hall\n3 2\n99\n1 2 3\n4 5 60\n");
    rp_check_spoilt(parse, "P5\n# hall\n3 2\n999\nabc!!!a!b!c!");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        pgm_reads_plain_pixels,
        pgm_reads_raw_pixels_that_look_like_blanks_and_remarks,
        pgm_reads_two_bytes_a_pixel_above_255,
        pgm_passes_over_remarks_wherever_they_stand,
        pgm_may_end_in_blanks,
        pgm_is_refused_by_line_or_byte_and_reason,
        pgm_cut_anywhere_is_refused,
        pgm_spoilt_anywhere_breaks_nothing,
    };
    return rp_suite_run("pgm", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
