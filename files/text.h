/// @file
/// Line and word reader for text from outside, and the sentence that refuses it.
///
/// Parsers get bytes and a name for them; they never open a file. Lines end in LF or CR LF; words
/// are separated by spaces and tabs. Any byte may occur anywhere.
#ifndef REPLAN_FILES_TEXT_H
#define REPLAN_FILES_TEXT_H

#include "replan/types.h"

/// A whole file in memory. Nothing ends it but its size.
typedef struct rp_text {
    const char *name;  ///< for sentences: the path as the user gave it
    const char *bytes; ///< borrowed [size]
    size_t size;
} rp_text_t;

/// Why a file is refused: "maps/a.map:2: height 0 is outside 1..16384".
typedef struct rp_complaint {
    char sentence[512];
} rp_complaint_t;

/// Fill in a complaint; line 0 speaks of the file as a whole.
/// @return RP_E_INVALID, so that a parser can end with it
rp_status_t rp_complain(rp_complaint_t *complaint, const char *name, uint32_t line,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

/// The same for a file that is no text: "maps/a.png: byte 57: ...".
rp_status_t rp_complain_at(rp_complaint_t *complaint, const char *name, size_t offset,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

/// The same without memory. @return RP_E_MEMORY
rp_status_t rp_complain_memory(rp_complaint_t *complaint, const char *name);

/// Some bytes of a text. Borrowed from it.
typedef struct rp_text_span {
    const char *start;
    size_t length;
} rp_text_span_t;

bool rp_text_span_is(rp_text_span_t span, const char *word);

/// Take the next word off `rest`. @return false when there is none left
bool rp_text_span_word(rp_text_span_t *rest, rp_text_span_t *word);

/// Digits only. @return false unless it is a number of at most `limit`
bool rp_text_span_number(rp_text_span_t span, uint32_t limit, uint32_t *number);

/// The next `count` words as numbers of at most `limit`; nothing else may follow.
bool rp_text_span_numbers(rp_text_span_t rest, uint32_t limit, uint32_t *numbers, size_t count);

/// A finite decimal number such as 12.07, -1 or 1e+06.
/// @param half_unit  half a unit of its last digit as written: 0.005 for 12.07
bool rp_text_span_decimal(rp_text_span_t span, double *value, double *half_unit);

/// A span for a sentence: cut short, with ? for what is not printable.
typedef struct rp_quote {
    char text[44];
} rp_quote_t;
rp_quote_t rp_text_span_quote(rp_text_span_t span);

/// A place in a text.
typedef struct rp_reader {
    const rp_text_t *text;
    size_t offset;
    uint32_t line;      ///< number of `row`, from 1; 0 before the first
    rp_text_span_t row; ///< the line read last, without its end
} rp_reader_t;

rp_reader_t rp_reader_of(const rp_text_t *text);

/// Go to the next line. @return false at the end of the text
bool rp_reader_next(rp_reader_t *self);

/// The same, passing over lines without any word.
bool rp_reader_next_filled(rp_reader_t *self);

/// Bytes that were not read yet.
static inline size_t rp_reader_left(const rp_reader_t *self)
{
    return self->text->size - self->offset;
}

/// Complain about the line read last.
#define rp_reader_complain(reader, complaint, ...)                                                 \
    rp_complain((complaint), (reader)->text->name, (reader)->line, __VA_ARGS__)

#endif
