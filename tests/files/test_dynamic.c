/// The dynamic format of the Grid-based Path Planning Competition: good, refused, cut, spoilt.
#include <string.h>

#include "files/sequence.h"
#include "tests/files/texts.h"
#include "tests/support/suite.h"

static const char good_patch[] = "type patch\npatches 2\n"
                                 "patch 0\nheight 2\nwidth 3\nmap\n@.@\nT@G\n"
                                 "patch 1\nheight 1\nwidth 1\nmap\n.\n";

static const char good_scen[] = "version 2\nheight 5\nwidth 6\ncost 1 octile\npatch a.patch\n"
                                "commands\nP 0 0 1 2\nP 0 1 5 4\nQ 0 0 0 5 4 5.65685424949\n"
                                "Q 0 0 0 1 1 -1\nP 1 1 0 0\nQ 1 0 0 1 1 1.41421356237\n";

static rp_status_t parse_scen(const rp_text_t *text, rp_complaint_t *complaint)
{
    const rp_text_t patch = {.name = "y", .bytes = good_patch, .size = sizeof good_patch - 1};
    rp_sequence_t sequence;
    const rp_status_t status = rp_sequence_parse(text, &patch, &sequence, complaint);
    if (status == RP_OK) {
        rp_sequence_fini(&sequence);
    }
    return status;
}

/// The text under test is the .patch.
static rp_status_t parse_patch(const rp_text_t *text, rp_complaint_t *complaint)
{
    const rp_text_t scen = {.name = "y", .bytes = good_scen, .size = sizeof good_scen - 1};
    rp_sequence_t sequence;
    const rp_status_t status = rp_sequence_parse(&scen, text, &sequence, complaint);
    if (status == RP_OK) {
        rp_sequence_fini(&sequence);
    }
    return status;
}

static rp_sequence_t parse_good(const char *scen, const char *patch)
{
    rp_sequence_t sequence = {0};
    rp_complaint_t complaint = {""};
    const rp_text_t text = rp_text_of(scen);
    const rp_text_t other = rp_text_of(patch);
    ck_assert_msg(rp_sequence_parse(&text, &other, &sequence, &complaint) == RP_OK, "%s",
                  complaint.sentence);
    return sequence;
}

START_TEST(dynamic_names_its_patch_file)
{
    rp_text_span_t name = {0};
    const rp_text_t text = rp_text_of(good_scen);
    ck_assert(rp_sequence_refers(&text, &name));
    ck_assert(rp_text_span_is(name, "a.patch"));
}
END_TEST

START_TEST(dynamic_reads_patches_as_factors)
{
    rp_sequence_t sequence = parse_good(good_scen, good_patch);
    static const uint8_t first[] = {0, 1, 0, 0, 0, 1};
    ck_assert_uint_eq(sequence.width, 6);
    ck_assert_uint_eq(sequence.height, 5);
    ck_assert_ptr_null(sequence.factors);
    ck_assert_uint_eq(sequence.patch_count, 2);
    ck_assert_uint_eq(sequence.patches[0].width, 3);
    ck_assert_uint_eq(sequence.patches[0].height, 2);
    ck_assert_mem_eq(sequence.patch_factors + sequence.patches[0].first, first, sizeof first);
    ck_assert_uint_eq(sequence.patch_factors[sequence.patches[1].first], 1);
    rp_sequence_fini(&sequence);
}
END_TEST

START_TEST(dynamic_makes_a_run_of_patches_one_change)
{
    rp_sequence_t sequence = parse_good(good_scen, good_patch);
    static const uint8_t kinds[] = {RP_STEP_PATCH, RP_STEP_PATCH, RP_STEP_START, RP_STEP_GOAL,
                                    RP_STEP_PLAN,  RP_STEP_START, RP_STEP_GOAL,  RP_STEP_PLAN,
                                    RP_STEP_PATCH, RP_STEP_START, RP_STEP_GOAL,  RP_STEP_PLAN};
    ck_assert_uint_eq(sequence.step_count, sizeof kinds);
    for (size_t i = 0; i < sizeof kinds; i++) {
        ck_assert_uint_eq(sequence.steps[i].kind, kinds[i]);
    }
    ck_assert(!sequence.steps[0].is_continued);
    ck_assert(sequence.steps[1].is_continued);
    ck_assert(!sequence.steps[8].is_continued);
    ck_assert_uint_eq(sequence.steps[1].x, 5);
    ck_assert_uint_eq(sequence.steps[1].y, 4);
    rp_sequence_fini(&sequence);
}
END_TEST

START_TEST(dynamic_reads_recorded_lengths)
{
    rp_sequence_t sequence = parse_good(good_scen, good_patch);
    ck_assert_uint_eq(sequence.plan_count, 3);
    ck_assert_double_eq(sequence.expected[0], 5.65685424949);
    ck_assert_double_eq(sequence.expected[1], -1.0);
    ck_assert_double_eq(sequence.expected[2], 1.41421356237);
    rp_sequence_fini(&sequence);
}
END_TEST

#define HEAD    "version 2\nheight 5\nwidth 6\ncost 1 octile\npatch a.patch\ncommands\n"
#define NONE_OF "height and width of 1..16384, cost 1 octile, patch FILE, commands"

START_TEST(dynamic_scen_is_refused_by_file_line_and_reason)
{
    static const rp_refused_t cases[] = {
        {"version 2\nheight 0\n", "x:2: \"height 0\" is none of " NONE_OF},
        {"version 2\nheight 5\nwidth 16385\n", "x:3: \"width 16385\" is none of " NONE_OF},
        {"version 2\nheight 5\ncommands\n", "x:3: width is missing before the commands"},
        {"version 2\nheight 5\nwidth 6\ncost 2 octile\n",
         "x:4: \"cost 2 octile\" is none of " NONE_OF},
        {"version 2\nheight 5\nwidth 6\ncost 1 manhattan\n",
         "x:4: \"cost 1 manhattan\" is none of " NONE_OF},
        {"version 2\npatch\n", "x:2: \"patch\" is none of " NONE_OF},
        {"version 2\nP 0 0 0 0\n", "x:2: \"P 0 0 0 0\" is none of " NONE_OF},
        {"version 2\nheight 16384\nwidth 16384\ncommands\n",
         "x:4: 16384 x 16384 and a rim are more than the 268435456 cells of a grid"},
        {HEAD "R 0 0 0 0\n", "x:7: \"R\" is neither P nor Q"},
        {HEAD "P 0 0 0\n", "x:7: P needs 4 numbers: bucket, patch, x, y"},
        {HEAD "P 0 0 0 0 0\n", "x:7: P needs 4 numbers: bucket, patch, x, y"},
        {HEAD "P 0 0 -1 0\n", "x:7: P needs 4 numbers: bucket, patch, x, y"},
        {HEAD "P 0 2 0 0\n", "x:7: patch 2 is not one of the 2 patches"},
        {HEAD "P 0 0 4 0\n", "x:7: patch 0 of 3 x 2 at (4, 0) is outside the world of 6 x 5"},
        {HEAD "P 0 1 0 4294967295\n",
         "x:7: patch 1 of 1 x 1 at (0, 4294967295) is outside the world of 6 x 5"},
        {HEAD "Q 0 0 0 1\n", "x:7: Q needs 6 numbers: bucket, start x, y, goal x, y, length"},
        {HEAD "Q 0 0 0 1 1\n", "x:7: Q ends with a length, or -1 for no path"},
        {HEAD "Q 0 0 0 1 1 -3\n", "x:7: Q ends with a length, or -1 for no path"},
        {HEAD "Q 0 0 0 1 1 nan\n", "x:7: Q ends with a length, or -1 for no path"},
        {HEAD "Q 0 0 0 1 1 1.4 7\n", "x:7: Q ends with a length, or -1 for no path"},
        {HEAD "P 0 1 0 0\nQ 0 6 0 1 1 1\n", "x:8: (6, 0) to (1, 1) is outside the world of 6 x 5"},
        {HEAD "Q 0 0 0 1 5 1\n", "x:7: (0, 0) to (1, 5) is outside the world of 6 x 5"},
    };
    rp_check_refused(parse_scen, cases, sizeof cases / sizeof cases[0]);
}
END_TEST

START_TEST(dynamic_patch_is_refused_by_file_line_and_reason)
{
    static const rp_refused_t cases[] = {
        {"", "x:1: a .patch begins with \"type patch\", this with \"\""},
        {"type octile\n", "x:1: a .patch begins with \"type patch\", this with \"type octile\""},
        {"type patch\n", "x:1: the file is cut short: \"patches\" is missing"},
        {"type patch\npatches x\n",
         "x:2: \"patches x\" is not \"patches\" with a number up to 4294967295"},
        {"type patch\npatches 4294967295\n",
         "x:2: the file is cut short: 0 bytes are left for 4294967295 patches"},
        {"type patch\npatches 1\npatch 1\nheight 1\nwidth 1\nmap\n.\n",
         "x:3: patch 1 stands where patch 0 belongs"},
        {"type patch\npatches 1\npatch 0\nheight 1\nwidth 0\nmap\n.\n",
         "x:5: \"width 0\" is not a width of 1..16384"},
        {"type patch\npatches 1\npatch 0\nheight 9999\nwidth 9999\nmap\n.\n",
         "x:6: the file is cut short: 2 bytes are left for 9999 rows of 9999"},
        {"type patch\npatches 1\npatch 0\nheight 1\nwidth 2\nmap\n...\n",
         "x:7: row 0 has 3 letters, the width is 2"},
        {"type patch\npatches 1\npatch 0\nheight 1\nwidth 1\nmap\n.\npatch 1\n",
         "x:8: \"patch 1\" follows the last of 1 patches"},
    };
    rp_check_refused(parse_patch, cases, sizeof cases / sizeof cases[0]);
}
END_TEST

START_TEST(dynamic_reads_patches_without_a_byte_to_spare)
{
    static const char patches[] = "type patch\npatches 2\n"
                                  "patch 0\nheight 1\nwidth 1\nmap\n@\n"
                                  "patch 1\nheight 1\nwidth 1\nmap\n.";
    rp_sequence_t sequence = parse_good(HEAD "P 0 0 1 2\nP 0 1 5 4\n", patches);
    ck_assert_uint_eq(sequence.patch_count, 2);
    ck_assert_uint_eq(sequence.patch_factors[sequence.patches[0].first], 0);
    ck_assert_uint_eq(sequence.patch_factors[sequence.patches[1].first], 1);
    rp_sequence_fini(&sequence);
}
END_TEST

START_TEST(dynamic_without_its_patch_file_is_refused)
{
    rp_sequence_t sequence;
    rp_complaint_t complaint = {""};
    const rp_text_t text = rp_text_of(good_scen);
    ck_assert_int_eq(rp_sequence_parse(&text, NULL, &sequence, &complaint), RP_E_INVALID);
    ck_assert_str_eq(complaint.sentence, "x:6: the .patch file is not at hand");
}
END_TEST

START_TEST(dynamic_patch_cut_anywhere_is_refused)
{
    rp_check_prefixes(parse_patch, good_patch, sizeof good_patch - 2);
}
END_TEST

START_TEST(dynamic_scen_cut_anywhere_breaks_nothing)
{
    // Without its line "commands" it is refused; behind that it may end after any whole command.
    rp_check_prefixes(parse_scen, good_scen, strlen("version 2\nheight 5\nwidth 6"));
}
END_TEST

START_TEST(dynamic_spoilt_anywhere_breaks_nothing)
{
    rp_check_spoilt(parse_scen, good_scen);
    rp_check_spoilt(parse_patch, good_patch);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        dynamic_names_its_patch_file,
        dynamic_reads_patches_as_factors,
        dynamic_makes_a_run_of_patches_one_change,
        dynamic_reads_recorded_lengths,
        dynamic_scen_is_refused_by_file_line_and_reason,
        dynamic_patch_is_refused_by_file_line_and_reason,
        dynamic_reads_patches_without_a_byte_to_spare,
        dynamic_without_its_patch_file_is_refused,
        dynamic_patch_cut_anywhere_is_refused,
        dynamic_scen_cut_anywhere_breaks_nothing,
        dynamic_spoilt_anywhere_breaks_nothing,
    };
    return rp_suite_run("dynamic", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
