/// Files as a whole: what cannot be opened, and what is too long, by a fread() of the test's that
/// never comes to an end and writes nothing.
#include "files/load.h"

#include <stdio.h>

#include "tests/support/suite.h"

static bool is_endless;

/// The linker has all freads come here, and knows the real one by that name.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-*)
size_t __real_fread(void *bytes, size_t each, size_t count, FILE *file);
size_t __wrap_fread(void *bytes, size_t each, size_t count, FILE *file);

size_t __wrap_fread(void *bytes, size_t each, size_t count, FILE *file)
{
    return is_endless ? count : __real_fread(bytes, each, count, file);
}
// NOLINTEND(bugprone-reserved-identifier,cert-*)

static void expect_refused(const char *path, const char *sentence)
{
    rp_text_t text;
    rp_complaint_t complaint;
    ck_assert_int_eq(rp_text_load(path, &text, &complaint), RP_E_INVALID);
    ck_assert_str_eq(complaint.sentence, sentence);
}

START_TEST(what_cannot_be_opened_is_named)
{
    expect_refused("/nowhere/a.map", "/nowhere/a.map: cannot be opened: No such file or directory");
}
END_TEST

START_TEST(what_cannot_be_read_is_named)
{
    expect_refused("/", "/: cannot be read: Is a directory");
}
END_TEST

START_TEST(what_is_too_long_is_named_as_a_whole)
{
    is_endless = true;
    expect_refused("/dev/null", "/dev/null: longer than 1073741824 bytes");
}
END_TEST

START_TEST(a_file_of_nothing_is_read)
{
    rp_text_t text;
    rp_complaint_t complaint;
    is_endless = false;
    ck_assert_int_eq(rp_text_load("/dev/null", &text, &complaint), RP_OK);
    ck_assert_uint_eq(text.size, 0);
    rp_text_fini(&text);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_cannot_be_opened_is_named,
        what_cannot_be_read_is_named,
        what_is_too_long_is_named_as_a_whole,
        a_file_of_nothing_is_read,
    };
    return rp_suite_run("files_load", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
