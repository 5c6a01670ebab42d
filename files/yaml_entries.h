/// @file
/// Reader for the small part of YAML that flat settings files use: entries `key: value` of one
/// mapping, where a value is a word, a quoted text, or a list of words. The caller decides whether
/// anything else is skipped or refused.
#ifndef REPLAN_FILES_YAML_ENTRIES_H
#define REPLAN_FILES_YAML_ENTRIES_H

#include "files/text.h"

/// Longest value, remarks and the blanks around it left out.
#define RP_YAML_VALUE_BYTES 2048u

/// One entry: its key, and its value as written, lines joined by a blank.
typedef struct rp_yaml_entry {
    rp_text_span_t key; ///< without quotes; borrowed from the text
    uint32_t line;      ///< of the key
    bool is_long;       ///< the value was longer, it is cut
    size_t length;
    char value[RP_YAML_VALUE_BYTES];
} rp_yaml_entry_t;

typedef struct rp_yaml_reader {
    rp_reader_t reader;
    bool has_line; ///< the reader's row is still to be looked at
    size_t indent; ///< blanks before each key of the mapping
    bool has_begun;
    bool is_over; ///< the document has ended
} rp_yaml_reader_t;

rp_yaml_reader_t rp_yaml_reader_of(const rp_text_t *text);

/// Whether the first line that is no remark, directive or mark begins with `key:`.
bool rp_yaml_is_mapping(const rp_text_t *text);

/// The next entry of the first document.
/// @param ended  there is none
/// @return RP_E_INVALID with a complaint when a line is no entry
rp_status_t rp_yaml_next(rp_yaml_reader_t *self, rp_yaml_entry_t *entry, bool *ended,
                         rp_complaint_t *complaint);

/// The value as one word or text, quotes taken off.
/// @param value  written with its end [RP_YAML_VALUE_BYTES]
/// @return why it is none, to be put behind the key; NULL when all is well
const char *rp_yaml_scalar(const rp_yaml_entry_t *entry, char *value);

/// The value as a list of decimal numbers, in [] or in lines that begin with `-`.
/// @param numbers  [limit]
/// @return how many there are; limit + 1 when more; 0 when it is no such list
size_t rp_yaml_numbers(const rp_yaml_entry_t *entry, double *numbers, size_t limit);

#endif
