/// replan-script: good, refused, cut, spoilt.
#include <string.h>

#include "files/sequence.h"
#include "tests/files/texts.h"
#include "tests/support/suite.h"

#define SIGNATURE "replan-script 1\n"
#define WORLD     SIGNATURE "size 6 5\n"

static rp_status_t parse(const rp_text_t *text, rp_complaint_t *complaint)
{
    static const char map[] = "type octile\nheight 5\nwidth 6\nmap\n"
                              "......\n..@...\n......\n......\n......\n";
    const rp_text_t other = {.name = "y", .bytes = map, .size = sizeof map - 1};
    rp_text_span_t name;
    rp_sequence_t sequence;
    const rp_status_t status = rp_sequence_parse(
        text, rp_sequence_refers(text, &name) ? &other : NULL, &sequence, complaint);
    if (status == RP_OK) {
        rp_sequence_fini(&sequence);
    }
    return status;
}

static rp_sequence_t parse_good(const char *bytes, const char *map)
{
    rp_sequence_t sequence = {0};
    rp_complaint_t complaint = {""};
    const rp_text_t text = rp_text_of(bytes);
    const rp_text_t other = rp_text_of(map != NULL ? map : "");
    ck_assert_msg(rp_sequence_parse(&text, map != NULL ? &other : NULL, &sequence, &complaint) ==
                      RP_OK,
                  "%s", complaint.sentence);
    return sequence;
}

START_TEST(script_reads_steps_in_order)
{
    rp_sequence_t sequence = parse_good(WORLD "neighbors 4\nwrap 1\nstart 0 4\ngoal 5 0\nplan\n"
                                              "set 1 2 3 2 9\nplan\n",
                                        NULL);
    ck_assert_uint_eq(sequence.width, 6);
    ck_assert_uint_eq(sequence.height, 5);
    ck_assert_uint_eq(sequence.neighbors, 4);
    ck_assert(sequence.wraps);
    ck_assert_ptr_null(sequence.factors);
    ck_assert_ptr_null(sequence.expected);
    ck_assert_uint_eq(sequence.step_count, 5);
    ck_assert_uint_eq(sequence.plan_count, 2);
    const rp_step_t *set = &sequence.steps[3];
    ck_assert_uint_eq(set->kind, RP_STEP_SET);
    ck_assert_uint_eq(set->x, 1);
    ck_assert_uint_eq(set->y, 2);
    ck_assert_uint_eq(set->width, 3);
    ck_assert_uint_eq(set->height, 2);
    ck_assert_uint_eq(set->factor, 9);
    ck_assert_uint_eq(sequence.steps[4].index, 1);
    rp_sequence_fini(&sequence);
}
END_TEST

START_TEST(script_takes_the_smallest_world_that_wraps)
{
    rp_sequence_t sequence = parse_good(SIGNATURE "size 3 3\nwrap 1\nstart 0 0\n", NULL);
    ck_assert(sequence.wraps);
    rp_sequence_fini(&sequence);
}
END_TEST

START_TEST(script_defaults_to_8_neighbors_without_wrap)
{
    rp_sequence_t sequence = parse_good(WORLD, NULL);
    ck_assert_uint_eq(sequence.neighbors, 8);
    ck_assert(!sequence.wraps);
    rp_sequence_fini(&sequence);
}
END_TEST

START_TEST(script_takes_its_world_from_a_map)
{
    static const char script[] = SIGNATURE "map a#b.map # a remark\r\n";
    const rp_text_t text = rp_text_of(script);
    rp_text_span_t name = {0};
    ck_assert(rp_sequence_refers(&text, &name));
    ck_assert(rp_text_span_is(name, "a#b.map"));
    rp_sequence_t sequence = parse_good(script, "type octile\nheight 1\nwidth 3\nmap\n.@.\n");
    static const uint8_t expected[] = {1, 0, 1};
    ck_assert_mem_eq(sequence.factors, expected, sizeof expected);
    rp_sequence_fini(&sequence);
}
END_TEST

START_TEST(script_takes_its_factors_from_a_picture)
{
    static const uint8_t expected[] = {1, 0, 1};
    rp_sequence_t sequence =
        parse_good(SIGNATURE "map a.pgm\n", "P5\n3 1\n255\n\xcd\x01\xfe"); // the first is unknown
    ck_assert_mem_eq(sequence.factors, expected, sizeof expected);
    rp_sequence_fini(&sequence);
}
END_TEST

START_TEST(script_reads_bytes_by_the_profile_factor)
{
    rp_sequence_t sequence =
        parse_good(WORLD "set 0 0 1 1 0\nset 0 0 1 1 1\nset 0 0 1 1 255\nset 0 0 1 1 254\n", NULL);
    static const uint8_t expected[] = {0, 1, 1, 254};
    for (size_t i = 0; i < sizeof expected; i++) {
        ck_assert_uint_eq(sequence.steps[i].factor, expected[i]);
    }
    ck_assert_uint_eq(sequence.weighted_line, 6);
    rp_sequence_fini(&sequence);
}
END_TEST

START_TEST(script_gives_ends_a_yaw)
{
    rp_sequence_t sequence =
        parse_good(WORLD "start 1 1\nstart 1 2 -0.5 # back\ngoal 2 2\ngoal 2 3 1.5e0\n", NULL);
    ck_assert(rp_sequence_yaw(&sequence, &sequence.steps[0], 9.0) == 9.0);
    ck_assert(rp_sequence_yaw(&sequence, &sequence.steps[1], 9.0) == -0.5);
    ck_assert(rp_sequence_yaw(&sequence, &sequence.steps[2], 9.0) == 9.0);
    ck_assert(rp_sequence_yaw(&sequence, &sequence.steps[3], 9.0) == 1.5);
    ck_assert_uint_eq(sequence.goal_yaw_line, 6);
    rp_sequence_fini(&sequence);
}
END_TEST

START_TEST(script_passes_over_remarks_and_empty_lines)
{
    rp_sequence_t sequence = parse_good(
        SIGNATURE "# made by hand\n\nsize 6 5 # small\n  # indented\nstart 1 1\t#x\n", NULL);
    ck_assert_uint_eq(sequence.step_count, 1);
    rp_sequence_fini(&sequence);
}
END_TEST

START_TEST(script_is_refused_by_file_line_and_reason)
{
    static const rp_refused_t cases[] = {
        {"", "x:1: neither \"version 2\" nor \"replan-script 1\" but \"\""},
        {"replan-script 2\n",
         "x:1: neither \"version 2\" nor \"replan-script 1\" but \"replan-script 2\""},
        {"version 1\n", "x:1: neither \"version 2\" nor \"replan-script 1\" but \"version 1\""},
        {SIGNATURE, "x:1: a line \"map FILE\" or \"size W H\" must come first"},
        {SIGNATURE "start 1 1\n", "x:2: a line \"map FILE\" or \"size W H\" must come first"},
        {SIGNATURE "map\n", "x:2: map needs the name of a .map file"},
        {SIGNATURE "size 0 5\n", "x:2: size needs a width and a height of 1..16384"},
        {SIGNATURE "size 5 0\n", "x:2: size needs a width and a height of 1..16384"},
        {SIGNATURE "size 5\n", "x:2: size needs a width and a height of 1..16384"},
        {SIGNATURE "size 5 16385\n", "x:2: size needs a width and a height of 1..16384"},
        {SIGNATURE "size 65536 65536\n", "x:2: size needs a width and a height of 1..16384"},
        {SIGNATURE "size 16384 16384\n",
         "x:2: 16384 x 16384 and a rim are more than the 268435456 cells of a grid"},
        {WORLD "size 6 5\n", "x:3: a second world: map and size come once"},
        {WORLD "map a.map\n", "x:3: a second world: map and size come once"},
        {WORLD "neighbors 6\n", "x:3: neighbors is 4 or 8"},
        {WORLD "wrap 2\n", "x:3: wrap is 0 or 1"},
        {SIGNATURE "size 2 5\nwrap 1\nstart 0 0\n",
         "x:4: a world that wraps needs sides of at least 3, not 2 x 5"},
        {SIGNATURE "size 3 2\nwrap 1\nstart 0 0\n",
         "x:4: a world that wraps needs sides of at least 3, not 3 x 2"},
        {WORLD "start 6 0\n", "x:3: start (6, 0) is outside the world of 6 x 5"},
        {WORLD "goal 0 5\n", "x:3: goal (0, 5) is outside the world of 6 x 5"},
        {WORLD "goal 0\n", "x:3: goal needs 2 numbers: x, y"},
        {WORLD "start 0.5 0\n", "x:3: start needs 2 numbers: x, y"},
        {WORLD "start 1 1 2 3\n", "x:3: start needs 2 numbers: x, y"},
        {WORLD "start 1 1 nan\n", "x:3: yaw \"nan\" is not a number of -6284..6284 radians"},
        {WORLD "goal 1 1 -6285\n", "x:3: yaw \"-6285\" is not a number of -6284..6284 radians"},
        {WORLD "start 1 1\nneighbors 4\n",
         "x:4: neighbors must come before the first start, goal, set or plan"},
        {WORLD "start 1 1\nplan\n", "x:4: plan needs a goal first"},
        {WORLD "goal 1 1\nplan\n", "x:4: plan needs a start first"},
        {WORLD "start 1 1\ngoal 1 1\nplan now\n", "x:5: plan stands alone on its line"},
        {WORLD "set 0 0 1 1\n", "x:3: set needs 5 numbers: x, y, width, height, byte"},
        {WORLD "set 0 0 1 1 1 1\n", "x:3: set needs 5 numbers: x, y, width, height, byte"},
        {WORLD "set 0 0 0 1 1\n", "x:3: a rectangle of 0 x 1 has no cell"},
        {WORLD "set 0 0 1 1 256\n", "x:3: byte 256 is outside 0..255"},
        {WORLD "set 5 0 2 1 0\n", "x:3: 2 x 1 cells at (5, 0) are outside the world of 6 x 5"},
        {WORLD "set 4294967295 0 1 1 0\n",
         "x:3: 1 x 1 cells at (4294967295, 0) are outside the world of 6 x 5"},
        {WORLD "set 1 1 4294967295 1 0\n",
         "x:3: 4294967295 x 1 cells at (1, 1) are outside the world of 6 x 5"},
        {WORLD "jump 1 1\n",
         "x:3: \"jump\" is none of map, size, neighbors, wrap, start, goal, set, plan"},
    };
    rp_check_refused(parse, cases, sizeof cases / sizeof cases[0]);
}
END_TEST

START_TEST(script_names_the_map_that_is_wrong)
{
    const rp_text_t text = rp_text_of(SIGNATURE "map a.map\n");
    const rp_text_t other = {.name = "a.map", .bytes = "type octile\n", .size = 12};
    rp_sequence_t sequence;
    rp_complaint_t complaint = {""};
    ck_assert_int_eq(rp_sequence_parse(&text, &other, &sequence, &complaint), RP_E_INVALID);
    ck_assert_str_eq(complaint.sentence, "a.map:1: the file ends before height and width");
}
END_TEST

START_TEST(script_cut_anywhere_breaks_nothing)
{
    // Whole once its world has two sides; behind that it may end after any whole line.
    rp_check_prefixes(parse, WORLD "wrap 1\nstart 0 4\ngoal 5 0\nset 1 2 3 2 9\nplan\n",
                      strlen(SIGNATURE "size 6 5"));
    rp_check_prefixes(parse, SIGNATURE "map a.map\nstart 0 4\n", strlen(SIGNATURE "map a"));
}
END_TEST

START_TEST(script_spoilt_anywhere_breaks_nothing)
{
    rp_check_spoilt(parse, WORLD "neighbors 4\nwrap 1\nstart 0 4\ngoal 5 0\nset 1 2 3 2 9\nplan\n");
    rp_check_spoilt(parse, SIGNATURE "map a.map\nstart 0 4\n");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        script_reads_steps_in_order,
        script_takes_the_smallest_world_that_wraps,
        script_defaults_to_8_neighbors_without_wrap,
        script_takes_its_world_from_a_map,
        script_takes_its_factors_from_a_picture,
        script_reads_bytes_by_the_profile_factor,
        script_gives_ends_a_yaw,
        script_passes_over_remarks_and_empty_lines,
        script_is_refused_by_file_line_and_reason,
        script_names_the_map_that_is_wrong,
        script_cut_anywhere_breaks_nothing,
        script_spoilt_anywhere_breaks_nothing,
    };
    return rp_suite_run("script", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
