/// MovingAI queries: good, refused, cut, spoilt.
#include "files/scen.h"
#include "tests/files/texts.h"
#include "tests/support/suite.h"

#define WIDTH  9u
#define HEIGHT 7u

static rp_status_t parse(const rp_text_t *text, rp_complaint_t *complaint)
{
    rp_scen_t scen;
    const rp_status_t status = rp_scen_parse(text, WIDTH, HEIGHT, &scen, complaint);
    if (status == RP_OK) {
        rp_scen_fini(&scen);
    }
    return status;
}

static rp_scen_t parse_good(const char *bytes)
{
    rp_scen_t scen = {0};
    rp_complaint_t complaint = {""};
    const rp_text_t text = rp_text_of(bytes);
    ck_assert_msg(rp_scen_parse(&text, WIDTH, HEIGHT, &scen, &complaint) == RP_OK, "%s",
                  complaint.sentence);
    return scen;
}

START_TEST(scen_reads_tabs_spaces_and_cr_lf)
{
    rp_scen_t scen = parse_good("version 1.0\r\n0\ta.map\t9\t7\t1\t2\t3\t4\t2.82843\r\n"
                                "\r\n12 maps/a.map 9 7 8 6 0 0 9");
    ck_assert_uint_eq(scen.count, 2);
    const rp_scen_query_t *query = &scen.queries[0];
    ck_assert_uint_eq(query->start_x, 1);
    ck_assert_uint_eq(query->start_y, 2);
    ck_assert_uint_eq(query->goal_x, 3);
    ck_assert_uint_eq(query->goal_y, 4);
    ck_assert_double_eq(query->length, 2.82843);
    ck_assert_uint_eq(query->line, 2);
    ck_assert_uint_eq(scen.queries[1].line, 4);
    ck_assert_double_eq(scen.queries[1].length, 9.0);
    rp_scen_fini(&scen);
}
END_TEST

START_TEST(scen_knows_half_a_unit_of_the_last_digit_as_written)
{
    rp_scen_t scen = parse_good("version 1\n"
                                "0 a 9 7 0 0 1 1 12.07\n0 a 9 7 0 0 1 1 12.00\n"
                                "0 a 9 7 0 0 1 1 12\n0 a 9 7 0 0 1 1 1.5e+01\n");
    static const double expected[] = {0.005, 0.005, 0.5, 0.5};
    for (size_t i = 0; i < scen.count; i++) {
        ck_assert_double_eq_tol(scen.queries[i].half_unit, expected[i], 1e-12);
    }
    ck_assert_double_eq(scen.queries[3].length, 15.0);
    rp_scen_fini(&scen);
}
END_TEST

START_TEST(scen_knows_how_no_path_is_recorded)
{
    rp_scen_t scen = parse_good("version 1\n0 a 9 7 0 0 1 1 -1\n0 a 9 7 0 0 1 1 0\n"
                                "0 a 9 7 2 3 2 3 0\n0 a 9 7 0 0 1 1 1.41421\n");
    ck_assert(rp_scen_query_has_no_path(&scen.queries[0]));
    ck_assert(rp_scen_query_has_no_path(&scen.queries[1]));
    ck_assert(!rp_scen_query_has_no_path(&scen.queries[2]));
    ck_assert(!rp_scen_query_has_no_path(&scen.queries[3]));
    rp_scen_fini(&scen);
}
END_TEST

START_TEST(scen_may_hold_no_query)
{
    rp_scen_t scen = parse_good("version 1\n");
    ck_assert_uint_eq(scen.count, 0);
    rp_scen_fini(&scen);
}
END_TEST

START_TEST(scen_is_refused_by_file_line_and_reason)
{
    static const rp_refused_t cases[] = {
        {"", "x:1: a .scen begins with \"version 1\", this with \"\""},
        {"0 a 9 7 0 0 1 1 1\n",
         "x:1: a .scen begins with \"version 1\", this with \"0 a 9 7 0 0 1 1 1\""},
        {"version 2\n", "x:1: version 2 is a grid that changes: use replan run"},
        {"version 3\n", "x:1: version \"3\" is not 1"},
        {"version\n", "x:1: version \"\" is not 1"},
        {"version 1\n0 a 9 7 0 0 1 1\n", "x:2: a query has 9 fields, this has less"},
        {"version 1\n0 a 9 7 0 0 1 1 1 1\n", "x:2: a query has 9 fields, this has more"},
        {"version 1\n\n\nrubbish\n", "x:4: a query has 9 fields, this has less"},
        {"version 1\nb a 9 7 0 0 1 1 1\n", "x:2: bucket \"b\" is not a number"},
        {"version 1\n0 a 8 7 0 0 1 1 1\n",
         "x:2: the query is for a map of 8 x 7, this map is 9 x 7"},
        {"version 1\n0 a 9 -7 0 0 1 1 1\n",
         "x:2: the query is for a map of 9 x -7, this map is 9 x 7"},
        {"version 1\n0 a 9 7 9 0 1 1 1\n", "x:2: start x \"9\" is outside 0..8"},
        {"version 1\n0 a 9 7 0 7 1 1 1\n", "x:2: start y \"7\" is outside 0..6"},
        {"version 1\n0 a 9 7 0 0 -1 1 1\n", "x:2: goal x \"-1\" is outside 0..8"},
        {"version 1\n0 a 9 7 0 0 1 4294967296 1\n", "x:2: goal y \"4294967296\" is outside 0..6"},
        {"version 1\n0 a 9 7 0 0 1 1.0 1\n", "x:2: goal y \"1.0\" is outside 0..6"},
        {"version 1\n0 a 9 7 0 0 1 1 nan\n", "x:2: \"nan\" is not a length, nor -1 for no path"},
        {"version 1\n0 a 9 7 0 0 1 1 inf\n", "x:2: \"inf\" is not a length, nor -1 for no path"},
        {"version 1\n0 a 9 7 0 0 1 1 0x10\n", "x:2: \"0x10\" is not a length, nor -1 for no path"},
        {"version 1\n0 a 9 7 0 0 1 1 1e999\n",
         "x:2: \"1e999\" is not a length, nor -1 for no path"},
        {"version 1\n0 a 9 7 0 0 1 1 -2\n", "x:2: \"-2\" is not a length, nor -1 for no path"},
        {"version 1\n0 a 9 7 0 0 1 1 1.2.3\n",
         "x:2: \"1.2.3\" is not a length, nor -1 for no path"},
        {"version 1\n0 a 9 7 0 0 1 1 1\n0 a 9 7 0 0 1 1 \n",
         "x:3: a query has 9 fields, this has less"},
    };
    rp_check_refused(parse, cases, sizeof cases / sizeof cases[0]);
}
END_TEST

START_TEST(scen_cut_anywhere_breaks_nothing)
{
    // Up to the last field of the first query a cut is seen; later the text may end anywhere that
    // looks like an end.
    static const char good[] =
        "version 1\n0 a.map 9 7 1 2 3 4 2.82843\n1 a.map 9 7 0 0 8 6 10.4853\n";
    rp_check_prefixes(parse, good, 0);
    const rp_refused_t cut[] = {
        {"version 1\n0 a.map 9 7 1 2 3 4", "x:2: a query has 9 fields, this has less"}};
    rp_check_refused(parse, cut, 1);
}
END_TEST

START_TEST(scen_spoilt_anywhere_breaks_nothing)
{
    rp_check_spoilt(parse, "version 1\n0\ta.map\t9\t7\t1\t2\t3\t4\t2.82843\n");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        scen_reads_tabs_spaces_and_cr_lf,
        scen_knows_half_a_unit_of_the_last_digit_as_written,
        scen_knows_how_no_path_is_recorded,
        scen_may_hold_no_query,
        scen_is_refused_by_file_line_and_reason,
        scen_cut_anywhere_breaks_nothing,
        scen_spoilt_anywhere_breaks_nothing,
    };
    return rp_suite_run("scen", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
