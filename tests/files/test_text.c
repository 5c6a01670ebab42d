/// Words, numbers and quotes of the readers of files.
#include "files/text.h"

#include <string.h>

#include "tests/support/suite.h"

static rp_text_span_t span_of(const char *text)
{
    return (rp_text_span_t){text, strlen(text)};
}

START_TEST(a_decimal_says_what_half_of_its_last_digit_is)
{
    static const struct {
        const char *text;
        double value;
        double half_unit;
    } cases[] = {{"7", 7.0, 0.5},
                 {"-0.25", -0.25, 0.005},
                 {"12.5e1", 125.0, 0.5},
                 {"3E-2", 0.03, 0.005},
                 {"+4.", 4.0, 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 0.0;
        double half_unit = 0.0;
        ck_assert(rp_text_span_decimal(span_of(cases[i].text), &value, &half_unit));
        ck_assert_double_eq(value, cases[i].value);
        ck_assert_double_eq_tol(half_unit, cases[i].half_unit, 1e-15);
    }
}
END_TEST

START_TEST(what_is_no_decimal_is_none)
{
    static const char *const none[] = {"",   "nan", "inf", "0x1p3", "1.2.3", " 1",
                                       "1 ", "e",   "-",   "1e999", "1,5",   "1e"};
    char digits[4096];
    double value = 0.0;
    double half_unit = 0.0;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        ck_assert_msg(!rp_text_span_decimal(span_of(none[i]), &value, &half_unit), "%s", none[i]);
    }
    memset(digits, '1', sizeof digits);
    ck_assert(rp_text_span_decimal((rp_text_span_t){digits, 63}, &value, &half_unit));
    ck_assert(!rp_text_span_decimal((rp_text_span_t){digits, 64}, &value, &half_unit));
    ck_assert(!rp_text_span_decimal((rp_text_span_t){digits, sizeof digits}, &value, &half_unit));
}
END_TEST

START_TEST(a_quote_is_short_and_printable)
{
    char text[100];
    ck_assert_str_eq(rp_text_span_quote(span_of("")).text, "");
    ck_assert_str_eq(rp_text_span_quote(span_of(" ~a\t\x7f\x1b[2J\xc3\xa4")).text, " ~a???[2J??");
    memset(text, 'a', sizeof text);
    for (size_t length = 39; length <= sizeof text; length++) {
        const rp_quote_t quote = rp_text_span_quote((rp_text_span_t){text, length});
        const bool is_whole = length <= sizeof quote.text - 4u;
        ck_assert_uint_eq(strlen(quote.text), is_whole ? length : sizeof quote.text - 1u);
        ck_assert_int_eq(strstr(quote.text, "...") == NULL, is_whole);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_decimal_says_what_half_of_its_last_digit_is,
        what_is_no_decimal_is_none,
        a_quote_is_short_and_printable,
    };
    return rp_suite_run("text", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
