/// @file
/// Texts for parsers: refused ones with the sentence that refuses them, cut ones, spoilt ones.
#ifndef REPLAN_TESTS_TEXTS_H
#define REPLAN_TESTS_TEXTS_H

#include "files/text.h"

/// Parse a text and drop the result. Each test file wraps its parser in one of these.
typedef rp_status_t (*rp_parse_t)(const rp_text_t *text, rp_complaint_t *complaint);

/// A text that must be refused.
typedef struct rp_refused {
    const char *bytes;
    const char *sentence; ///< how the complaint must begin, the name "x" and the line included
} rp_refused_t;

/// The text as a parser gets it: `bytes` up to their NUL, under the name "x".
rp_text_t rp_text_of(const char *bytes);

/// Each text must be refused by exactly its sentence.
void rp_check_refused(rp_parse_t parse, const rp_refused_t *cases, size_t count);

/// Parse each proper prefix, in memory of just its size, so that a sanitizer sees a read beyond it.
/// @param whole_from  a prefix of this length or more may be accepted; any shorter must be refused
void rp_check_prefixes(rp_parse_t parse, const char *bytes, size_t whole_from);

/// Replace each byte by others that mean something to a parser, one at a time: nothing may break,
/// and a refusal must come with a sentence.
void rp_check_spoilt(rp_parse_t parse, const char *bytes);

#endif
