/// MovingAI maps: good, refused, cut, spoilt.
#include "files/map.h"
#include "tests/files/texts.h"
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

static rp_map_t parse_good(const char *bytes)
{
    rp_map_t map = {0};
    rp_complaint_t complaint = {""};
    const rp_text_t text = rp_text_of(bytes);
    ck_assert_msg(rp_map_parse(&text, NULL, &map, &complaint) == RP_OK, "%s", complaint.sentence);
    return map;
}

START_TEST(movingai_reads_ground_as_1_and_all_else_as_0)
{
    rp_map_t map = parse_good("type octile\nheight 2\nwidth 7\nmap\n.GSWT@O\nO@TWSG.\n");
    static const uint8_t expected[] = {1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1};
    ck_assert_uint_eq(map.width, 7);
    ck_assert_uint_eq(map.height, 2);
    ck_assert_mem_eq(map.bytes, expected, sizeof expected);
    rp_map_fini(&map);
}
END_TEST

START_TEST(movingai_reads_cr_lf_and_a_last_row_without_line_end)
{
    rp_map_t map = parse_good("type octile\r\nwidth 2\r\nheight 2\r\nmap\r\n.@\r\n@.");
    static const uint8_t expected[] = {1, 0, 0, 1};
    ck_assert_mem_eq(map.bytes, expected, sizeof expected);
    rp_map_fini(&map);
}
END_TEST

START_TEST(movingai_may_end_in_empty_lines)
{
    rp_map_t map = parse_good("type octile\nheight 1\nwidth 1\nmap\n.\n\n \n");
    ck_assert_uint_eq(map.bytes[0], 1);
    rp_map_fini(&map);
}
END_TEST

START_TEST(movingai_is_refused_by_file_line_and_reason)
{
    static const rp_refused_t cases[] = {
        {"type tile\n", "x:1: a .map begins with \"type octile\", this with \"type tile\""},
        {"type octile\n", "x:1: the file ends before height and width"},
        {"type octile\nheight 0\nwidth 1\nmap\n.\n",
         "x:2: \"height 0\" is not a height of 1..16384"},
        {"type octile\nheight 1\nwidth 16385\nmap\n",
         "x:3: \"width 16385\" is not a width of 1..16384"},
        {"type octile\nheight -1\nwidth 1\nmap\n",
         "x:2: \"height -1\" is not a height of 1..16384"},
        {"type octile\nheight 65536\nwidth 65536\nmap\n",
         "x:2: \"height 65536\" is not a height of 1..16384"},
        {"type octile\nheight 4294967297\nwidth 1\nmap\n.\n",
         "x:2: \"height 4294967297\" is not a height of 1..16384"},
        {"type octile\nheight 99999999999999999999999\nwidth 1\nmap\n.\n",
         "x:2: \"height 99999999999999999999999\" is not a height of 1..16384"},
        {"type octile\nheight 16384\nwidth 16384\nmap\n",
         "x:3: 16384 x 16384 and a rim are more than the 268435456 cells of a grid"},
        {"type octile\nheight 1 2\nwidth 1\nmap\n.\n",
         "x:2: \"height 1 2\" is not a height of 1..16384"},
        {"type octile\nheight 1\nheight 1\nmap\n.\n", "x:3: a second height"},
        {"type octile\nheight\nwidth 1\nmap\n.\n", "x:2: \"height\" is not a height of 1..16384"},
        {"type octile\ndepth 1\nwidth 1\nmap\n.\n",
         "x:2: \"depth 1\" stands where height or width belongs"},
        {"type octile\nheight 1\nwidth 1\n.\n", "x:4: the line \"map\" is missing"},
        {"type octile\nheight 1\nwidth 1\n", "x:3: the line \"map\" is missing"},
        {"type octile\nheight 9\nwidth 9\nmap\n.........\n",
         "x:4: the file is cut short: 10 bytes are left for 9 rows of 9"},
        {"type octile\nheight 2\nwidth 2\nmap\n...\n...\n",
         "x:5: row 0 has 3 letters, the width is 2"},
        {"type octile\nheight 2\nwidth 2\nmap\n..\n.\n\n",
         "x:6: row 1 has 1 letters, the width is 2"},
        {"type octile\nheight 2\nwidth 2\nmap\n..\n\n..\n",
         "x:6: row 1 has 0 letters, the width is 2"},
        {"type octile\nheight 1\nwidth 3\nmap\n. .\n",
         "x:5: byte 0x20 in column 1 is not a letter of terrain"},
        {"type octile\nheight 1\nwidth 2\nmap\n.\xff\n",
         "x:5: byte 0xff in column 1 is not a letter of terrain"},
        {"type octile\nheight 1\nwidth 1\nmap\n.\n.\n",
         "x:6: more rows than the height of 1: \".\" follows"},
        {"type octile\nheight 4\nwidth 1\nmap\n.\n.\n",
         "x:6: the file is cut short: it ends after 2 of 4 rows"},
    };
    rp_check_refused(parse, cases, sizeof cases / sizeof cases[0]);
}
END_TEST

START_TEST(movingai_cut_anywhere_is_refused)
{
    static const char good[] = "type octile\nheight 3\nwidth 4\nmap\n.@T.\n....\nW..S\n";
    rp_check_prefixes(parse, good, sizeof good - 2);
}
END_TEST

START_TEST(movingai_spoilt_anywhere_breaks_nothing)
{
    rp_check_spoilt(parse, "type octile\nheight 3\nwidth 4\nmap\n.@T.\n....\nW..S\n");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        movingai_reads_ground_as_1_and_all_else_as_0,
        movingai_reads_cr_lf_and_a_last_row_without_line_end,
        movingai_may_end_in_empty_lines,
        movingai_is_refused_by_file_line_and_reason,
        movingai_cut_anywhere_is_refused,
        movingai_spoilt_anywhere_breaks_nothing,
    };
    return rp_suite_run("movingai", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
