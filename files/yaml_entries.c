/// Lines decide: one that begins where the first key does is the next key; deeper ones, and items
/// of a list, belong to the key before them.
#include "files/yaml_entries.h"

#include <string.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static bool is_quote(char byte)
{
    return byte == '"' || byte == '\'';
}

static rp_text_span_t trim(rp_text_span_t span)
{
    while (span.length != 0 && is_blank(span.start[0])) {
        span.start++;
        span.length--;
    }
    while (span.length != 0 && is_blank(span.start[span.length - 1])) {
        span.length--;
    }
    return span;
}

/// Bytes of the text in quotes that `span` begins with, both quotes included; 0 when it has no end.
static size_t quoted_length(rp_text_span_t span)
{
    const char quote = span.start[0];
    for (size_t i = 1; i < span.length; i++) {
        if (span.start[i] == '\\' && quote == '"') {
            i++;
        } else if (span.start[i] == quote) {
            if (quote == '"' || i + 1 == span.length || span.start[i + 1] != quote) {
                return i + 1;
            }
            i++; // '' stands for one
        }
    }
    return 0;
}

/// Without the remark at its end, and without blanks around it.
static rp_text_span_t strip(rp_text_span_t span)
{
    span = trim(span);
    size_t from = span.length != 0 && is_quote(span.start[0]) ? quoted_length(span) : 0;
    for (size_t i = from; i < span.length; i++) {
        if (span.start[i] == '#' && (i == 0 || is_blank(span.start[i - 1]))) {
            span.length = i;
        }
    }
    return trim(span);
}

static size_t indent_of(rp_text_span_t row)
{
    size_t indent = 0;
    while (indent < row.length && row.start[indent] == ' ') {
        indent++;
    }
    return indent;
}

static bool is_mark(rp_text_span_t row, const char *mark)
{
    return row.length >= 3 && memcmp(row.start, mark, 3) == 0 &&
           (row.length == 3 || is_blank(row.start[3]));
}

static bool is_item(rp_text_span_t line)
{
    return line.length != 0 && line.start[0] == '-' &&
           (line.length == 1 || is_blank(line.start[1]));
}

/// Take `key:` off a line. @return false when it has none
static bool take_key(rp_text_span_t *line, rp_text_span_t *key)
{
    const size_t quoted = line->length != 0 && is_quote(line->start[0]) ? quoted_length(*line) : 0;
    size_t at = quoted;
    while (at < line->length &&
           !(line->start[at] == ':' && (at + 1 == line->length || is_blank(line->start[at + 1])))) {
        at++;
    }
    if (at == line->length || at == 0) {
        return false;
    }
    *key = trim((rp_text_span_t){line->start, at});
    if (quoted != 0) {
        *key = (rp_text_span_t){line->start + 1, quoted - 2};
    }
    *line = strip((rp_text_span_t){line->start + at + 1, line->length - at - 1});
    return true;
}

// ---- lines

/// Go to the next line that says something. @return false at the end of the document
static bool next_line(rp_yaml_reader_t *self)
{
    while (!self->is_over && (self->has_line || rp_reader_next(&self->reader))) {
        rp_text_span_t *row = &self->reader.row;
        self->has_line = false;
        if (self->reader.line == 1 && row->length >= 3 &&
            memcmp(row->start, BYTE_ORDER_MARK, 3) == 0) {
            *row = (rp_text_span_t){row->start + 3, row->length - 3};
        }
        if (is_mark(*row, "...") || (is_mark(*row, "---") && self->has_begun)) {
            return false;
        }
        const bool is_directive = row->length != 0 && row->start[0] == '%';
        const bool opens = is_mark(*row, "---") && strip(*row).length == 3;
        if (strip(*row).length != 0 && !((is_directive || opens) && !self->has_begun)) {
            return true;
        }
    }
    return false;
}

rp_yaml_reader_t rp_yaml_reader_of(const rp_text_t *text)
{
    return (rp_yaml_reader_t){.reader = rp_reader_of(text)};
}

bool rp_yaml_is_mapping(const rp_text_t *text)
{
    rp_yaml_reader_t self = rp_yaml_reader_of(text);
    rp_text_span_t key;
    if (!next_line(&self)) {
        return false;
    }
    rp_text_span_t line = trim(self.reader.row);
    return take_key(&line, &key);
}

static void add_value(rp_yaml_entry_t *entry, rp_text_span_t part)
{
    const size_t blank = entry->length != 0 ? 1 : 0;
    if (part.length + blank > sizeof entry->value - 1u - entry->length) {
        entry->is_long = true;
        return;
    }
    if (blank != 0) {
        entry->value[entry->length++] = ' ';
    }
    memcpy(entry->value + entry->length, part.start, part.length);
    entry->length += part.length;
}

rp_status_t rp_yaml_next(rp_yaml_reader_t *self, rp_yaml_entry_t *entry, bool *ended,
                         rp_complaint_t *complaint)
{
    *ended = !next_line(self);
    if (*ended) {
        return RP_OK;
    }
    const size_t indent = indent_of(self->reader.row);
    rp_text_span_t line = trim(self->reader.row);
    self->indent = self->has_begun ? self->indent : indent;
    self->has_begun = true;
    if (self->reader.row.start[indent] == '\t' || indent != self->indent ||
        !take_key(&line, &entry->key)) {
        return rp_reader_complain(&self->reader, complaint, "\"%s\" is no entry \"key: value\"",
                                  rp_text_span_quote(self->reader.row).text);
    }
    entry->line = self->reader.line;
    entry->length = 0;
    entry->is_long = false;
    add_value(entry, line);
    while (next_line(self)) {
        line = strip(self->reader.row);
        if (indent_of(self->reader.row) <= self->indent && !is_item(line)) {
            self->has_line = true; // the next key's
            return RP_OK;
        }
        add_value(entry, line);
    }
    self->is_over = true;
    return RP_OK;
}

// ---- values

/// @return why not, NULL when all is well
static const char *unquote(rp_text_span_t text, char *value)
{
    const char quote = text.start[0];
    if (quoted_length(text) != text.length) {
        return quoted_length(text) == 0 ? "a text whose quotes have no end"
                                        : "more behind the text in quotes";
    }
    for (size_t i = 1; i + 1 < text.length; i++) {
        if (text.start[i] == quote || (quote == '"' && text.start[i] == '\\')) {
            i++;
            if (quote == '"' && strchr("\"\\/", text.start[i]) == NULL) {
                return "an escape other than \\\" \\\\ and \\/";
            }
        }
        *value++ = text.start[i];
    }
    *value = '\0';
    return NULL;
}

const char *rp_yaml_scalar(const rp_yaml_entry_t *entry, char *value)
{
    if (entry->is_long) {
        return "a value that is too long";
    }
    if (memchr(entry->value, '\0', entry->length) != NULL) {
        return "a byte 0";
    }
    if (entry->length == 0) {
        return "no value";
    }
    if (is_quote(entry->value[0])) {
        return unquote((rp_text_span_t){entry->value, entry->length}, value);
    }
    const rp_text_span_t word = {entry->value, entry->length};
    if (strchr("&*!|>{}[]@`%,?", entry->value[0]) != NULL || is_item(word)) {
        return "a value that is neither a word nor a text in quotes";
    }
    memcpy(value, entry->value, entry->length);
    value[entry->length] = '\0';
    return NULL;
}

/// Numbers with a comma between them, and perhaps one behind the last.
static size_t flow_numbers(rp_text_span_t rest, double *numbers, size_t limit)
{
    double half_unit;
    size_t count = 0;
    while (trim(rest).length != 0) {
        const char *comma = memchr(rest.start, ',', rest.length);
        const size_t length = comma != NULL ? (size_t)(comma - rest.start) : rest.length;
        const rp_text_span_t word = trim((rp_text_span_t){rest.start, length});
        const size_t taken = comma != NULL ? length + 1 : length;
        if (count == limit) {
            return limit + 1;
        }
        if (!rp_text_span_decimal(word, &numbers[count++], &half_unit)) {
            return 0;
        }
        rest = (rp_text_span_t){rest.start + taken, rest.length - taken};
    }
    return count;
}

/// Numbers with `-` before each.
static size_t block_numbers(rp_text_span_t rest, double *numbers, size_t limit)
{
    double half_unit;
    size_t count = 0;
    rp_text_span_t word;
    while (rp_text_span_word(&rest, &word)) {
        if (count == limit) {
            return limit + 1;
        }
        if (!rp_text_span_is(word, "-") || !rp_text_span_word(&rest, &word) ||
            !rp_text_span_decimal(word, &numbers[count++], &half_unit)) {
            return 0;
        }
    }
    return count;
}

size_t rp_yaml_numbers(const rp_yaml_entry_t *entry, double *numbers, size_t limit)
{
    const char *value = entry->value;
    const size_t length = entry->length;
    if (entry->is_long || length < 2) {
        return 0;
    }
    if (value[0] == '[' && value[length - 1] == ']') {
        return flow_numbers((rp_text_span_t){value + 1, length - 2}, numbers, limit);
    }
    return block_numbers((rp_text_span_t){value, length}, numbers, limit);
}
