/// map_server's YAML: as map_savers write it, as people do; refused, cut, spoilt.
#include "files/map_yaml.h"

#include <stdio.h>
#include <string.h>

#include "tests/files/texts.h"
#include "tests/support/suite.h"

#define REST "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"

static rp_map_yaml_t yaml;

static rp_status_t parse(const rp_text_t *text, rp_complaint_t *complaint)
{
    return rp_map_yaml_parse(text, &yaml, complaint);
}

static void read_good(const char *bytes)
{
    rp_complaint_t complaint = {""};
    const rp_text_t text = rp_text_of(bytes);
    memset(&yaml, 0xff, sizeof yaml);
    ck_assert_msg(parse(&text, &complaint) == RP_OK, "%s\n%s", complaint.sentence, bytes);
}

static void check(const char *image, double resolution, double x, double y, double yaw)
{
    ck_assert_str_eq(yaml.image, image);
    ck_assert_double_eq(yaml.frame.resolution_m, resolution);
    ck_assert_double_eq(yaml.frame.origin_x, x);
    ck_assert_double_eq(yaml.frame.origin_y, y);
    ck_assert_double_eq(yaml.frame.origin_yaw, yaw);
}

START_TEST(yaml_of_ros_1_is_read)
{
    read_good("image: hall.pgm\nresolution: 0.050000\norigin: [-12.200000, -12.200000, 0.000000]\n"
              "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n\n");
    check("hall.pgm", 0.05, -12.2, -12.2, 0.0);
    ck_assert_int_eq(yaml.rule.mode, RP_MAP_TRINARY);
    ck_assert(!yaml.rule.negate);
    ck_assert_double_eq(yaml.rule.occupied_thresh, 0.65);
    ck_assert_double_eq(yaml.rule.free_thresh, 0.196);
}
END_TEST

START_TEST(yaml_of_ros_2_is_read)
{
    read_good("image: hall.png\r\nmode: scale\r\nresolution: 0.1\r\norigin: [1e1, +2, 1.5707]\r\n"
              "negate: true\r\noccupied_thresh: 1\r\nfree_thresh: 0\r\n");
    check("hall.png", 0.1, 10.0, 2.0, 1.5707);
    ck_assert_int_eq(yaml.rule.mode, RP_MAP_SCALE);
    ck_assert(yaml.rule.negate);
}
END_TEST

START_TEST(yaml_of_a_library_has_its_list_in_lines)
{
    read_good("free_thresh: 0.25\nimage: hall.pgm\nmode: raw\nnegate: 1\noccupied_thresh: 0.65\n"
              "origin:\n- -1.5\n- 2.0\n- 0.0\nresolution: 0.05\n");
    check("hall.pgm", 0.05, -1.5, 2.0, 0.0);
    ck_assert_int_eq(yaml.rule.mode, RP_MAP_RAW);
    ck_assert(yaml.rule.negate);
    read_good(
        "image: a\nresolution: 1\norigin:   # x, y, yaw\n\n  - 1  # x\n # y\n  - 2\n  - 3\n" REST);
    check("a", 1.0, 1.0, 2.0, 3.0);
    read_good("image: a\nresolution: 1\norigin: [1,\n   2, # y\n   3,\n   ]\n" REST);
    check("a", 1.0, 1.0, 2.0, 3.0);
}
END_TEST

START_TEST(yaml_has_quotes_remarks_and_marks)
{
    read_good(
        "\xef\xbb\xbf# a hall\n%YAML 1.2\n---\n\"image\": \"a \\\"b\\\" #1: c.pgm\"  # its floor\n"
        "'resolution' : '0.5'\norigin: [0,0,0] # corner\n" REST "...\nimage: other\n");
    check("a \"b\" #1: c.pgm", 0.5, 0.0, 0.0, 0.0);
    read_good("image: 'it''s#1.pgm'\nresolution: 1\norigin: [0,0,0]\n" REST);
    check("it's#1.pgm", 1.0, 0.0, 0.0, 0.0);
    read_good("image: a#b c.pgm  \t# no\nresolution: 1\norigin: [0,0,0]\n" REST "---\nimage: b\n");
    check("a#b c.pgm", 1.0, 0.0, 0.0, 0.0);
    read_good("  image:\n    a.pgm\n  resolution: 1\n  origin: [0,0,0]\n  negate: no\n"
              "  occupied_thresh: .5\n  free_thresh: 0.\n");
    check("a.pgm", 1.0, 0.0, 0.0, 0.0);
}
END_TEST

START_TEST(yaml_may_have_keys_that_nobody_asked_for)
{
    read_good(
        "image: a\nresolution: 1\nelevation: {image: e.pgm, min: 1}\nnodes:\n  - id: 1\n    at: "
        "[1, 2]\n  - id: 2\nnote: |\n  image: no\norigin: [0,0,0]\ncost_translation_table:\n- "
        "1\n" REST);
    check("a", 1.0, 0.0, 0.0, 0.0);
}
END_TEST

START_TEST(yaml_is_refused_by_line_key_and_reason)
{
    static const rp_refused_t cases[] = {
        {"", "x: image is missing"},
        {"image: a\norigin: [0,0,0]\n" REST, "x: resolution is missing"},
        {"image: a\nresolution: 1\n" REST, "x: origin is missing"},
        {"image: a\nresolution: 1\norigin: [0,0,0]\noccupied_thresh: 1\nfree_thresh: 0\n",
         "x: negate is missing"},
        {"image: a\nresolution: 1\norigin: [0,0,0]\nnegate: 0\nfree_thresh: 0\n",
         "x: occupied_thresh is missing"},
        {"image: a\nresolution: 1\norigin: [0,0,0]\nnegate: 0\noccupied_thresh: 0\n",
         "x: free_thresh is missing"},
        {"image: a\nimage: b\n", "x:2: a second image, the first is on line 1"},
        {"image:\nresolution: 1\n", "x:1: image: no value"},
        {"image: ''\n", "x:1: image: a name of 0 bytes, it has 1..1023"},
        {"image: \"a\n", "x:1: image: a text whose quotes have no end"},
        {"image: 'a' b\n", "x:1: image: more behind the text in quotes"},
        {"image: \"a\\n\"\n", "x:1: image: an escape other than \\\" \\\\ and \\/"},
        {"image: &anchor a\n", "x:1: image: a value that is neither a word nor a text in quotes"},
        {"image: *anchor\n", "x:1: image: a value that is neither a word nor a text in quotes"},
        {"image: !!str a\n", "x:1: image: a value that is neither a word nor a text in quotes"},
        {"image: |\n  a\n", "x:1: image: a value that is neither a word nor a text in quotes"},
        {"image:\n  - a\n", "x:1: image: a value that is neither a word nor a text in quotes"},
        {"image: [a]\n", "x:1: image: a value that is neither a word nor a text in quotes"},
        {"{image: a}\n", "x: image is missing"},
        {"image\n", "x:1: \"image\" is no entry \"key: value\""},
        {"image: a\n: b\n", "x:2: \": b\" is no entry \"key: value\""},
        {"image: a\n\tresolution: 1\n", "x:2: \"?resolution: 1\" is no entry \"key: value\""},
        {"  image: a\nresolution: 1\n", "x:2: \"resolution: 1\" is no entry \"key: value\""},
        {"resolution: 0\n", "x:1: resolution: \"0\" is no number above 0"},
        {"resolution: -0.05\n", "x:1: resolution: \"-0.05\" is no number above 0"},
        {"resolution: .nan\n", "x:1: resolution: \".nan\" is no number above 0"},
        {"resolution: .inf\n", "x:1: resolution: \".inf\" is no number above 0"},
        {"resolution: 1e999\n", "x:1: resolution: \"1e999\" is no number above 0"},
        {"resolution: 0,05\n", "x:1: resolution: \"0,05\" is no number above 0"},
        {"resolution: 0.05 m\n", "x:1: resolution: \"0.05 m\" is no number above 0"},
        {"origin: [0, 0]\n", "x:1: origin: \"[0, 0]\" is no list of three numbers [x, y, yaw]"},
        {"origin: [0, 0, 0, 0]\n",
         "x:1: origin: \"[0, 0, 0, 0]\" is no list of three numbers [x, y, yaw]"},
        {"origin: [0, nan, 0]\n",
         "x:1: origin: \"[0, nan, 0]\" is no list of three numbers [x, y, yaw]"},
        {"origin: [0, , 0]\n", "x:1: origin: \"[0, , 0]\" is no list of three numbers [x, y, yaw]"},
        {"origin: [0, 0, 0\nnegate: 0\n",
         "x:1: origin: \"[0, 0, 0\" is no list of three numbers [x, y, yaw]"},
        {"origin: 0\n", "x:1: origin: \"0\" is no list of three numbers [x, y, yaw]"},
        {"origin:\n- 0\n- 0\nnegate: 0\n",
         "x:1: origin: \"- 0 - 0\" is no list of three numbers [x, y, yaw]"},
        {"origin:\n  x: 0\n", "x:1: origin: \"x: 0\" is no list of three numbers [x, y, yaw]"},
        {"negate: maybe\n", "x:1: negate: \"maybe\" is not 0, 1, true or false"},
        {"negate: -1\n", "x:1: negate: \"-1\" is not 0, 1, true or false"},
        {"occupied_thresh: 65\n", "x:1: occupied_thresh: \"65\" is no number of 0..1"},
        {"free_thresh: -0.1\n", "x:1: free_thresh: \"-0.1\" is no number of 0..1"},
        {"mode: binary\n", "x:1: mode: \"binary\" is not trinary, scale or raw"},
        {"image: a\nmode: scale\nresolution: 1\norigin: [0,0,0]\nnegate: 0\noccupied_thresh: 0.2\n"
         "free_thresh: 0.2\n",
         "x:7: free_thresh: 0.2 is not below occupied_thresh 0.2, as mode scale needs"},
    };
    rp_check_refused(parse, cases, sizeof cases / sizeof cases[0]);
}
END_TEST

START_TEST(yaml_with_a_value_or_a_name_of_any_length_is_refused)
{
    static const size_t lengths[] = {1023, 1024, 2046, 2047, 2048, 100000};
    static char bytes[100100];
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        rp_complaint_t complaint;
        const int head = snprintf(bytes, sizeof bytes, "image: ");
        memset(bytes + head, 'a', lengths[i]);
        snprintf(bytes + (size_t)head + lengths[i], 100, "\nresolution: 1\norigin: [0,0,0]\n" REST);
        const rp_text_t text = rp_text_of(bytes);
        ck_assert_int_eq(parse(&text, &complaint) == RP_OK, lengths[i] < 1024);
        ck_assert(lengths[i] < 1024 || strncmp(complaint.sentence, "x:1: image: a", 13) == 0);
    }
}
END_TEST

#define WHOLE                                                                                      \
    "# hall\nimage: 'a.pgm'\nresolution: 0.05\norigin:\n- 1.5\n- 2\n- 0\nmode: raw\nnegate: 0\n"   \
    "occupied_thresh: 0.65\nfree_thresh: 0.196\n"

START_TEST(yaml_cut_anywhere_is_refused)
{
    // A number that lost its last digits is one still.
    rp_check_prefixes(parse, WHOLE, sizeof WHOLE - 6);
}
END_TEST

START_TEST(yaml_spoilt_anywhere_breaks_nothing)
{
    rp_check_spoilt(parse, WHOLE);
    rp_check_spoilt(parse, "--- \n\"image\": \"a\\\\\"\norigin: [1, 2,\n 3]\n" REST "...\n");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        yaml_of_ros_1_is_read,
        yaml_of_ros_2_is_read,
        yaml_of_a_library_has_its_list_in_lines,
        yaml_has_quotes_remarks_and_marks,
        yaml_may_have_keys_that_nobody_asked_for,
        yaml_is_refused_by_line_key_and_reason,
        yaml_with_a_value_or_a_name_of_any_length_is_refused,
        yaml_cut_anywhere_is_refused,
        yaml_spoilt_anywhere_breaks_nothing,
    };
    return rp_suite_run("map_yaml", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
