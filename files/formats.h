/// @file
/// Formats of a sequence, each a table with the same two slots. Only sequence.c lists them.
#ifndef REPLAN_FILES_FORMATS_H
#define REPLAN_FILES_FORMATS_H

#include "files/sequence.h"

typedef struct rp_sequence_format {
    const char *first_words; ///< what the first line says, words separated by one space

    /// As rp_sequence_refers().
    bool (*refers)(const rp_text_t *text, rp_text_span_t *name);

    /// As rp_sequence_parse(), into a zeroed sequence; the caller cleans up after a failure.
    rp_status_t (*parse)(const rp_text_t *text, const rp_text_t *other, rp_sequence_t *sequence,
                         rp_complaint_t *complaint);
} rp_sequence_format_t;

extern const rp_sequence_format_t rp_dynamic_format;
extern const rp_sequence_format_t rp_script_format;

#endif
