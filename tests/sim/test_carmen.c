/// What is read of a CARMEN log, and what is refused with which sentence.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/world/carmen.h"
#include "tests/support/suite.h"

#define SCAN "FLASER 3 1.5 2 81.91 10.5 -2.25 0.5 0 0 0 1.5 host 1.5\n"

static rp_status_t parse(const char *words, rp_carmen_t *log, rp_complaint_t *complaint)
{
    const rp_text_t text = {.name = "drive.log", .bytes = words, .size = strlen(words)};
    *complaint = (rp_complaint_t){{0}};
    return rp_carmen_parse(&text, log, complaint);
}

START_TEST(scans_are_read_and_other_lines_passed_over)
{
    rp_carmen_t log;
    rp_complaint_t complaint;
    ck_assert_int_eq(
        parse("# a comment\nPARAM robot 3\nODOM 1 2 3\r\n" SCAN "\n" SCAN, &log, &complaint),
        RP_OK);
    ck_assert_uint_eq(log.count, 2);
    ck_assert_uint_eq(log.range_count, 6);
    const rp_laser_scan_t *scan = &log.scans[1];
    ck_assert_uint_eq(scan->first, 3);
    ck_assert_uint_eq(scan->beam_count, 3);
    ck_assert_double_eq(scan->x, 10.5);
    ck_assert_double_eq(scan->y, -2.25);
    ck_assert_double_eq(scan->heading, 0.5);
    ck_assert_float_eq(log.ranges[3], 1.5f);
    rp_carmen_fini(&log);
}
END_TEST

START_TEST(beams_go_from_right_to_left)
{
    const rp_laser_scan_t scan = {.heading = 1, .beam_count = 181};
    const rp_laser_scan_t single = {.heading = 1, .beam_count = 1};
    ck_assert_double_eq_tol(rp_carmen_direction(&scan, 0), 1 - M_PI / 2, 1e-12);
    ck_assert_double_eq_tol(rp_carmen_direction(&scan, 90), 1, 1e-12);
    ck_assert_double_eq_tol(rp_carmen_direction(&scan, 180), 1 + M_PI / 2, 1e-12);
    ck_assert_double_eq(rp_carmen_direction(&single, 0), 1);
}
END_TEST

START_TEST(what_is_broken_is_refused_with_its_line)
{
    static const struct {
        const char *words;
        const char *sentence;
    } cases[] = {
        {"", "drive.log: no line begins with FLASER"},
        {"ODOM 1 2 3\n", "drive.log: no line begins with FLASER"},
        {SCAN "FLASER\n", "drive.log:2: a scan of \"\" ranges is outside 1..2048"},
        {"FLASER 0 1 2 3\n", "drive.log:1: a scan of \"0\" ranges is outside 1..2048"},
        {"FLASER 2049 1 2 3\n", "drive.log:1: a scan of \"2049\" ranges is outside 1..2048"},
        {"FLASER -1 1 2 3\n", "drive.log:1: a scan of \"-1\" ranges is outside 1..2048"},
        {"FLASER 2 1\n", "drive.log:1: the scan ends before its range"},
        {"FLASER 2 1 -1 0 0 0\n", "drive.log:1: range \"-1\" is outside 0..10000"},
        {"FLASER 2 1 nan 0 0 0\n", "drive.log:1: range \"nan\" is outside 0..10000"},
        {"FLASER 1 1\n", "drive.log:1: the scan ends before its x"},
        {"FLASER 1 1 0\n", "drive.log:1: the scan ends before its y"},
        {"FLASER 1 1 0 0\n", "drive.log:1: the scan ends before its heading"},
        {"FLASER 1 1 1e6 0 0\n", "drive.log:1: x \"1e6\" is outside -100000..100000"},
        {"FLASER 1 1 0 inf 0\n", "drive.log:1: y \"inf\" is outside -100000..100000"},
        {"FLASER 1 1 0 0 1e4\n", "drive.log:1: heading \"1e4\" is outside -1000..1000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rp_carmen_t log;
        rp_complaint_t complaint;
        ck_assert_int_eq(parse(cases[i].words, &log, &complaint), RP_E_INVALID);
        ck_assert_str_eq(complaint.sentence, cases[i].sentence);
    }
}
END_TEST

/// A file of its own, with these bytes; packed by gzip, and cut short by so many bytes.
static void write_file(char path[], const char *words, bool is_packed, long cut)
{
    strcpy(path, "/tmp/test_carmen_XXXXXX");
    const int number = mkstemp(path);
    ck_assert_int_ge(number, 0);
    gzFile file = gzdopen(number, is_packed ? "wb" : "wbT");
    ck_assert_int_eq(gzwrite(file, words, (unsigned)strlen(words)), (int)strlen(words));
    ck_assert_int_eq(gzclose(file), Z_OK);
    FILE *whole = fopen(path, "rb");
    fseek(whole, 0, SEEK_END);
    ck_assert_int_eq(truncate(path, ftell(whole) - cut), 0);
    fclose(whole);
}

START_TEST(a_file_may_be_packed_and_must_be_whole)
{
    for (unsigned i = 0; i < 3; i++) {
        char path[32];
        rp_carmen_t log;
        rp_complaint_t complaint;
        write_file(path, SCAN SCAN SCAN, i != 0, i == 2 ? 6 : 0);
        const rp_status_t status = rp_carmen_load(path, &log, &complaint);
        remove(path);
        ck_assert_int_eq(status, i == 2 ? RP_E_INVALID : RP_OK);
        if (status == RP_OK) {
            ck_assert_uint_eq(log.count, 3);
            rp_carmen_fini(&log);
        } else {
            ck_assert_ptr_nonnull(strstr(complaint.sentence, "cannot be read"));
        }
    }
}
END_TEST

START_TEST(a_file_that_is_not_there_is_named)
{
    rp_carmen_t log;
    rp_complaint_t complaint;
    ck_assert_int_eq(rp_carmen_load("/nowhere/drive.log", &log, &complaint), RP_E_INVALID);
    ck_assert_str_eq(complaint.sentence,
                     "/nowhere/drive.log: cannot be opened: No such file or directory");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        scans_are_read_and_other_lines_passed_over, beams_go_from_right_to_left,
        what_is_broken_is_refused_with_its_line,    a_file_may_be_packed_and_must_be_whole,
        a_file_that_is_not_there_is_named,
    };
    return rp_suite_run("carmen", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
