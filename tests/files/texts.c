/// Texts that nobody should be handed.
#include "tests/files/texts.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rp_text_t rp_text_of(const char *bytes)
{
    return (rp_text_t){.name = "x", .bytes = bytes, .size = strlen(bytes)};
}

void rp_check_refused(rp_parse_t parse, const rp_refused_t *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const rp_text_t text = rp_text_of(cases[i].bytes);
        rp_complaint_t complaint = {""};
        ck_assert_msg(parse(&text, &complaint) == RP_E_INVALID, "accepted: %s", cases[i].bytes);
        ck_assert_msg(strcmp(complaint.sentence, cases[i].sentence) == 0,
                      "expected: %s\nsaid: %s\nof: %s", cases[i].sentence, complaint.sentence,
                      cases[i].bytes);
    }
}

/// Parse a copy that ends where its memory ends.
static rp_status_t parse_tightly(rp_parse_t parse, const char *bytes, size_t size,
                                 rp_complaint_t *complaint)
{
    char *copy = malloc(size != 0 ? size : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, size);
    const rp_text_t text = {.name = "x", .bytes = copy, .size = size};
    *complaint = (rp_complaint_t){""};
    const rp_status_t status = parse(&text, complaint);
    ck_assert_msg(status == RP_OK || complaint->sentence[0] == 'x', "no sentence for %.*s",
                  (int)size, bytes);
    free(copy);
    return status;
}

void rp_check_prefixes(rp_parse_t parse, const char *bytes, size_t whole_from)
{
    rp_complaint_t complaint;
    for (size_t size = 0; size < strlen(bytes); size++) {
        const rp_status_t status = parse_tightly(parse, bytes, size, &complaint);
        ck_assert_msg(size >= whole_from || status == RP_E_INVALID,
                      "accepted when cut to %zu: %.*s", size, (int)size, bytes);
    }
}

void rp_check_spoilt(rp_parse_t parse, const char *bytes)
{
    static const char others[] = {'\0', '\n', '\r', ' ', '\t', '0',
                                  '9',  '-',  '.',  '#', 'e',  '\xff'};
    const size_t size = strlen(bytes);
    char *copy = strdup(bytes);
    ck_assert_ptr_nonnull(copy);
    rp_complaint_t complaint;
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < sizeof others; j++) {
            copy[i] = others[j];
            const rp_status_t status = parse_tightly(parse, copy, size, &complaint);
            ck_assert(status == RP_OK || status == RP_E_INVALID);
        }
        copy[i] = bytes[i];
    }
    free(copy);
}
