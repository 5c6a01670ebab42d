/// Lines, words and numbers out of bytes that nobody vouches for.
#include "files/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rp_status_t rp_complain(rp_complaint_t *complaint, const char *name, uint32_t line,
                        const char *format, ...)
{
    char *sentence = complaint->sentence;
    const size_t size = sizeof complaint->sentence;
    const int head = line != 0 ? snprintf(sentence, size, "%.250s:%u: ", name, line)
                               : snprintf(sentence, size, "%.250s: ", name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence + head, size - (size_t)head, format, arguments);
    va_end(arguments);
    return RP_E_INVALID;
}

rp_status_t rp_complain_at(rp_complaint_t *complaint, const char *name, size_t offset,
                           const char *format, ...)
{
    char *sentence = complaint->sentence;
    const size_t size = sizeof complaint->sentence;
    const int head = snprintf(sentence, size, "%.250s: byte %zu: ", name, offset);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence + head, size - (size_t)head, format, arguments);
    va_end(arguments);
    return RP_E_INVALID;
}

rp_status_t rp_complain_memory(rp_complaint_t *complaint, const char *name)
{
    rp_complain(complaint, name, 0, "%s", rp_status_text(RP_E_MEMORY));
    return RP_E_MEMORY;
}

// ---- spans

bool rp_text_span_is(rp_text_span_t span, const char *word)
{
    return span.length == strlen(word) && memcmp(span.start, word, span.length) == 0;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

bool rp_text_span_word(rp_text_span_t *rest, rp_text_span_t *word)
{
    const char *at = rest->start;
    const char *end = rest->start + rest->length;
    while (at < end && is_blank(*at)) {
        at++;
    }
    const char *start = at;
    while (at < end && !is_blank(*at)) {
        at++;
    }
    *word = (rp_text_span_t){start, (size_t)(at - start)};
    *rest = (rp_text_span_t){at, (size_t)(end - at)};
    return word->length != 0;
}

bool rp_text_span_number(rp_text_span_t span, uint32_t limit, uint32_t *number)
{
    uint64_t value = 0;
    for (size_t i = 0; i < span.length; i++) {
        if (span.start[i] < '0' || span.start[i] > '9') {
            return false;
        }
        value = value * 10u + (uint64_t)(span.start[i] - '0');
        if (value > limit) {
            return false;
        }
    }
    *number = (uint32_t)value;
    return span.length != 0;
}

bool rp_text_span_numbers(rp_text_span_t rest, uint32_t limit, uint32_t *numbers, size_t count)
{
    rp_text_span_t word;
    for (size_t i = 0; i < count; i++) {
        if (!rp_text_span_word(&rest, &word) || !rp_text_span_number(word, limit, &numbers[i])) {
            return false;
        }
    }
    return !rp_text_span_word(&rest, &word);
}

bool rp_text_span_decimal(rp_text_span_t span, double *value, double *half_unit)
{
    char text[64];
    if (span.length == 0 || span.length >= sizeof text) {
        return false;
    }
    memcpy(text, span.start, span.length);
    text[span.length] = '\0';
    // strtod also takes "nan", "inf", hexadecimals and leading blanks, which no file has.
    if (strspn(text, "+-.0123456789eE") != span.length) {
        return false;
    }
    char *end = NULL;
    *value = strtod(text, &end);
    if (end != text + span.length || !isfinite(*value)) {
        return false;
    }
    const char *exponent = strpbrk(text, "eE");
    const char *point = strchr(text, '.');
    const char *digits_end = exponent != NULL ? exponent : end;
    const long decimals = point != NULL ? (long)(digits_end - point) - 1 : 0;
    const long power = exponent != NULL ? strtol(exponent + 1, NULL, 10) : 0;
    *half_unit = 0.5 * pow(10.0, (double)(power - decimals));
    return true;
}

rp_quote_t rp_text_span_quote(rp_text_span_t span)
{
    rp_quote_t quote;
    const size_t room = sizeof quote.text - 4;
    const size_t length = span.length <= room ? span.length : room;
    for (size_t i = 0; i < length; i++) {
        const char byte = span.start[i];
        quote.text[i] = byte;
        if (byte < ' ' || byte > '~') {
            quote.text[i] = '?';
        }
    }
    memcpy(quote.text + length, span.length <= room ? "" : "...", span.length <= room ? 1 : 4);
    return quote;
}

// ---- lines

rp_reader_t rp_reader_of(const rp_text_t *text)
{
    return (rp_reader_t){.text = text, .row = {text->bytes, 0}};
}

bool rp_reader_next(rp_reader_t *self)
{
    const size_t left = rp_reader_left(self);
    if (left == 0) {
        return false;
    }
    const char *start = self->text->bytes + self->offset;
    const char *newline = memchr(start, '\n', left);
    size_t length = newline != NULL ? (size_t)(newline - start) : left;
    self->offset += newline != NULL ? length + 1 : length;
    if (length != 0 && start[length - 1] == '\r') {
        length--;
    }
    self->row = (rp_text_span_t){start, length};
    self->line++;
    return true;
}

bool rp_reader_next_filled(rp_reader_t *self)
{
    while (rp_reader_next(self)) {
        rp_text_span_t rest = self->row;
        rp_text_span_t word;
        if (rp_text_span_word(&rest, &word)) {
            return true;
        }
    }
    return false;
}
