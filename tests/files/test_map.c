/// Maps of all formats: told apart, read, written, read again.
#include "files/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/map_write.h"
#include "files/occupancy.h"
#include "tests/files/texts.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_status_t parse(const rp_text_t *text, rp_complaint_t *complaint)
{
    rp_map_t map;
    const rp_status_t status = rp_map_parse(text, NULL, &map, complaint);
    if (status == RP_OK) {
        rp_map_fini(&map);
    }
    return status;
}

static rp_map_t parse_good(const char *bytes, size_t size, const rp_text_t *other)
{
    rp_map_t map = {0};
    rp_complaint_t complaint = {""};
    const rp_text_t text = {.name = "x", .bytes = bytes, .size = size};
    ck_assert_msg(rp_map_parse(&text, other, &map, &complaint) == RP_OK, "%s", complaint.sentence);
    return map;
}

static void check_bytes(rp_map_t *map, uint32_t width, uint32_t height, const uint8_t *bytes)
{
    ck_assert_uint_eq(map->width, width);
    ck_assert_uint_eq(map->height, height);
    ck_assert_mem_eq(map->bytes, bytes, (size_t)width * height);
    rp_map_fini(map);
}

// ---- rows of letters

START_TEST(letters_without_a_head_are_a_map)
{
    rp_map_t map = parse_good("..#\r\n@#.\r\n\r\n", 12, NULL);
    ck_assert_int_eq(map.profile, RP_MAP_FACTOR);
    ck_assert_double_eq(map.frame.resolution_m, 1.0);
    check_bytes(&map, 3, 2, (const uint8_t[]){1, 1, 0, 0, 0, 1});
    map = parse_good("####\n#..#\n####", 14, NULL);
    check_bytes(&map, 4, 3, (const uint8_t[]){0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0});
}
END_TEST

START_TEST(map_is_refused_by_line_and_reason)
{
    static const rp_refused_t cases[] = {
        {"", "x:1: no map begins with \"\": a map is a MovingAI .map, a PNG, a PGM (P2, P5), the "
             "YAML of a map_server, or rows of . and #"},
        {"\n\nhello\n", "x:3: no map begins with \"hello\": a map is"},
        {"version 1\n", "x:1: no map begins with \"version 1\": a map is"},
        {"..\n...\n", "x:2: a row of 3 letters, the first one has 2"},
        {"...\n\n...\n", "x:2: a row of 0 letters, the first one has 3"},
        {"...\n.T.\n", "x:2: byte 0x54 in column 1 is not one of . # @"},
        {"# the hall\n", "x:1: byte 0x20 in column 1 is not one of . # @"},
        {"P6\n1 1\n255\nabc", "x: byte 0: a PPM picture (P6) is not read: a map is"},
        {"P4\n1 1\na", "x: byte 0: a PBM picture (P4) is not read: a map is"},
        {"BMabc", "x: byte 0: a BMP picture is not read: a map is"},
        {"\xff\xd8\xff\xe0", "x: byte 0: a JPEG picture is not read: a map is"},
        {"GIF89a", "x: byte 0: a GIF picture is not read: a map is"},
        {"\x1f\x8b\x08", "x: byte 0: a gzip file is not read: a map is"},
        {"image: a.pgm\n", "x: resolution is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const rp_text_t text = rp_text_of(cases[i].bytes);
        rp_complaint_t complaint = {""};
        ck_assert_int_eq(parse(&text, &complaint), RP_E_INVALID);
        ck_assert_msg(strncmp(complaint.sentence, cases[i].sentence, strlen(cases[i].sentence)) ==
                          0,
                      "expected: %s\nsaid: %s", cases[i].sentence, complaint.sentence);
    }
}
END_TEST

START_TEST(letters_spoilt_anywhere_break_nothing)
{
    rp_check_spoilt(parse, "..#.\n#@..\n....\n");
}
END_TEST

// ---- pictures

START_TEST(picture_by_itself_has_its_first_row_on_top)
{
    rp_map_t map = parse_good("P2 3 2 255\n0 254 205\n255 128 1\n", 31, NULL);
    ck_assert_int_eq(map.profile, RP_MAP_FACTOR);
    check_bytes(&map, 3, 2, (const uint8_t[]){0, 1, 255, 1, 255, 0});
}
END_TEST

static const char yaml[] =
    "image: a.pgm\nmode: %s\nresolution: 0.5\norigin: [1, 2, 3]\nnegate: %d\n"
    "occupied_thresh: 0.65\nfree_thresh: 0.25\n";

static rp_map_t parse_yaml(const char *mode, int negate, const char *picture)
{
    char bytes[400];
    const rp_text_t other = rp_text_of(picture);
    const int size = snprintf(bytes, sizeof bytes, yaml, mode, negate);
    char name[RP_MAP_NAME_BYTES];
    ck_assert(rp_map_refers(&(rp_text_t){.name = "x", .bytes = bytes, .size = (size_t)size}, name));
    ck_assert_str_eq(name, "a.pgm");
    return parse_good(bytes, (size_t)size, &other);
}

START_TEST(picture_of_a_yaml_has_its_last_row_first_and_its_frame)
{
    rp_map_t map = parse_yaml("trinary", 0, "P2 3 2 255\n0 254 205\n255 128 1\n");
    ck_assert_int_eq(map.profile, RP_MAP_COSTMAP);
    ck_assert_double_eq(map.frame.resolution_m, 0.5);
    ck_assert_double_eq(map.frame.origin_x, 1.0);
    ck_assert_double_eq(map.frame.origin_y, 2.0);
    ck_assert_double_eq(map.frame.origin_yaw, 3.0);
    // 205 is free here: 50 of 255 are less than a quarter.
    check_bytes(&map, 3, 2, (const uint8_t[]){0, 255, 254, 254, 0, 0});
}
END_TEST

START_TEST(picture_is_read_by_its_mode_and_negate)
{
    static const char picture[] = "P2 4 1 255\n0 100 101 255";
    rp_map_t map = parse_yaml("trinary", 1, picture);
    check_bytes(&map, 4, 1, (const uint8_t[]){0, 255, 255, 254});
    map = parse_yaml("raw", 0, picture);
    check_bytes(&map, 4, 1, (const uint8_t[]){0, 254, 255, 255});
    map = parse_yaml("raw", 1, picture);
    check_bytes(&map, 4, 1, (const uint8_t[]){0, 254, 255, 255});
    // 155 of 255 lie at 89 of 100 between the thresholds, 154 at 88.
    map = parse_yaml("scale", 0, picture);
    check_bytes(&map, 4, 1,
                (const uint8_t[]){254, rp_occupancy_byte(89), rp_occupancy_byte(88), 0});
}
END_TEST

START_TEST(yaml_whose_picture_is_none_or_not_there_is_refused)
{
    char bytes[400];
    snprintf(bytes, sizeof bytes, yaml, "raw", 0);
    const rp_text_t text = rp_text_of(bytes);
    rp_text_t other = rp_text_of("GIF89a");
    rp_complaint_t complaint;
    rp_map_t map;
    ck_assert_int_eq(rp_map_parse(&text, NULL, &map, &complaint), RP_E_INVALID);
    ck_assert_str_eq(complaint.sentence, "x: its image \"a.pgm\" cannot be read from here");
    other.name = "y";
    ck_assert_int_eq(rp_map_parse(&text, &other, &map, &complaint), RP_E_INVALID);
    ck_assert_str_eq(complaint.sentence, "y: byte 0: a GIF picture, not a PNG or PGM (P2, P5)");
    other = text;
    ck_assert_int_eq(rp_map_parse(&text, &other, &map, &complaint), RP_E_INVALID);
    ck_assert_str_eq(complaint.sentence,
                     "x: byte 0: no picture that is known, not a PNG or PGM (P2, P5)");
}
END_TEST

START_TEST(occupancy_and_its_byte_are_one_thing)
{
    ck_assert_uint_eq(rp_occupancy_byte(RP_OCCUPANCY_UNKNOWN), 255);
    ck_assert_uint_eq(rp_occupancy_byte(0), 0);
    ck_assert_uint_eq(rp_occupancy_byte(99), 253);
    ck_assert_uint_eq(rp_occupancy_byte(100), 254);
    for (int occupancy = -1; occupancy <= 100; occupancy++) {
        ck_assert_int_eq(rp_occupancy_of_byte(rp_occupancy_byte(occupancy)), occupancy);
    }
    for (int byte = 2; byte < 253; byte++) {
        const int occupancy = rp_occupancy_of_byte((uint8_t)byte);
        ck_assert_int_le(rp_occupancy_of_byte((uint8_t)(byte - 1)), occupancy);
        ck_assert_uint_le(rp_occupancy_byte(occupancy), byte);
    }
}
END_TEST

// ---- written and read again

/// Write a map, and read it as a file of that suffix is read.
static rp_map_t there_and_back(const rp_map_view_t *view, rp_map_suffix_t suffix)
{
    rp_output_t out = {0};
    rp_output_t head = {0};
    rp_map_write(view, suffix, &out);
    rp_text_t text = {.name = "x", .bytes = (const char *)out.bytes, .size = out.size};
    const rp_text_t other = text;
    if (suffix == RP_MAP_YAML) {
        rp_map_write_yaml(view, "a \"hall\" #1.pgm", &head);
        text = (rp_text_t){.name = "x", .bytes = (const char *)head.bytes, .size = head.size};
        char name[RP_MAP_NAME_BYTES];
        ck_assert(rp_map_refers(&text, name));
        ck_assert_str_eq(name, "a \"hall\" #1.pgm");
    }
    rp_map_t map = parse_good(text.bytes, text.size, &other);
    rp_output_fini(&out);
    rp_output_fini(&head);
    return map;
}

static const rp_map_suffix_t formats[] = {RP_MAP_MOVINGAI, RP_MAP_PNG, RP_MAP_PGM, RP_MAP_YAML};

static void fill(rp_map_view_t *view, uint8_t *bytes, const char *kinds, size_t kind_count,
                 rp_random_t *random)
{
    view->width = 1 + rp_random_below(random, 20);
    view->height = 1 + rp_random_below(random, 20);
    view->bytes = bytes;
    for (size_t i = 0; i < (size_t)view->width * view->height; i++) {
        bytes[i] = (uint8_t)kinds[rp_random_below(random, (uint32_t)kind_count)];
    }
}

START_TEST(map_of_free_and_blocked_cells_comes_back_from_every_format)
{
    rp_random_t random = {51};
    uint8_t bytes[400];
    for (unsigned i = 0; i < 100; i++) {
        rp_map_view_t view = {.profile = RP_MAP_FACTOR, .frame = {1.0, 0.0, 0.0, 0.0}};
        fill(&view, bytes, "\0\1", 2, &random);
        rp_map_t map = there_and_back(&view, formats[i % 4]);
        ck_assert_uint_eq(rp_map_blurred(&view, formats[i % 4]), 0);
        for (size_t at = 0; map.profile == RP_MAP_COSTMAP && at < sizeof bytes; at++) {
            bytes[at] = bytes[at] != 0 ? 0 : 254;
        }
        check_bytes(&map, view.width, view.height, bytes);
    }
}
END_TEST

START_TEST(costmap_comes_back_from_a_yaml)
{
    rp_random_t random = {52};
    uint8_t bytes[400];
    static const char three[] = "\0\xfe\xff";
    for (unsigned i = 0; i < 60; i++) {
        rp_map_view_t view = {.profile = RP_MAP_COSTMAP, .frame = {0.05, -7.25, 1e-3 / 3, 3.14}};
        char kinds[102];
        for (int occupancy = -1; occupancy <= 100; occupancy++) {
            kinds[occupancy + 1] = (char)rp_occupancy_byte(occupancy);
        }
        if (i % 2 == 0) {
            fill(&view, bytes, three, 3, &random);
        } else {
            fill(&view, bytes, kinds, sizeof kinds, &random);
        }
        rp_map_t map = there_and_back(&view, RP_MAP_YAML);
        ck_assert_uint_eq(rp_map_blurred(&view, RP_MAP_YAML), 0);
        ck_assert_int_eq(map.profile, RP_MAP_COSTMAP);
        ck_assert_mem_eq(&map.frame, &view.frame, sizeof view.frame);
        check_bytes(&map, view.width, view.height, bytes);
    }
}
END_TEST

/// Counted by reading, against what the writer says beforehand.
START_TEST(cells_that_a_format_cannot_hold_are_counted)
{
    rp_random_t random = {53};
    uint8_t bytes[400];
    char kinds[256];
    for (unsigned byte = 0; byte < 256; byte++) {
        kinds[byte] = (char)byte;
    }
    for (unsigned i = 0; i < 200; i++) {
        rp_map_view_t view = {.profile = i % 2 == 0 ? RP_MAP_COSTMAP : RP_MAP_FACTOR,
                              .frame = {1.0, 0.0, 0.0, 0.0}};
        fill(&view, bytes, kinds, i % 3 == 0 ? 256 : 4, &random);
        const rp_map_suffix_t suffix = formats[i / 2 % 4];
        rp_map_t map = there_and_back(&view, suffix);
        size_t blurred = 0;
        for (size_t at = 0; at < (size_t)view.width * view.height; at++) {
            const unsigned was = rp_map_factor(view.profile, bytes[at]) * rp_map_unit(map.profile);
            const unsigned is =
                rp_map_factor(map.profile, map.bytes[at]) * rp_map_unit(view.profile);
            blurred += was != is || (bytes[at] == 255) != (map.bytes[at] == 255);
            ck_assert_int_eq(was == 0, is == 0); // who could pass still can
        }
        ck_assert_uint_eq(rp_map_blurred(&view, suffix), blurred);
        rp_map_fini(&map);
    }
}
END_TEST

START_TEST(suffix_of_a_name_tells_the_format)
{
    ck_assert_int_eq(rp_map_suffix_of("a.map"), RP_MAP_MOVINGAI);
    ck_assert_int_eq(rp_map_suffix_of("b/A.PNG"), RP_MAP_PNG);
    ck_assert_int_eq(rp_map_suffix_of("a.pgm"), RP_MAP_PGM);
    ck_assert_int_eq(rp_map_suffix_of("a.map.yaml"), RP_MAP_YAML);
    ck_assert_int_eq(rp_map_suffix_of("a.yml"), RP_MAP_YAML);
    ck_assert_int_eq(rp_map_suffix_of("a.raw"), RP_MAP_RAW_BYTES);
    ck_assert_int_eq(rp_map_suffix_of("map"), RP_MAP_RAW_BYTES);
    ck_assert_int_eq(rp_map_suffix_of(""), RP_MAP_RAW_BYTES);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        letters_without_a_head_are_a_map,
        map_is_refused_by_line_and_reason,
        letters_spoilt_anywhere_break_nothing,
        picture_by_itself_has_its_first_row_on_top,
        picture_of_a_yaml_has_its_last_row_first_and_its_frame,
        picture_is_read_by_its_mode_and_negate,
        yaml_whose_picture_is_none_or_not_there_is_refused,
        occupancy_and_its_byte_are_one_thing,
        map_of_free_and_blocked_cells_comes_back_from_every_format,
        costmap_comes_back_from_a_yaml,
        cells_that_a_format_cannot_hold_are_counted,
        suffix_of_a_name_tells_the_format,
    };
    return rp_suite_run("map", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
