/// @file
/// What every fuzz target of a file's parser promises: a refusal comes with a sentence.
#ifndef REPLAN_TESTS_FUZZ_TEXT_H
#define REPLAN_TESTS_FUZZ_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "files/text.h"

/// The entry of libFuzzer, one a target.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/// The bytes as a file named "x"; borrowed.
static inline rp_text_t rp_fuzz_text(const uint8_t *bytes, size_t size)
{
    return (rp_text_t){.name = "x", .bytes = (const char *)bytes, .size = size};
}

/// Abort unless a failure has its sentence. @return true when all is well
bool rp_fuzz_parsed(rp_status_t status, const rp_complaint_t *complaint);

#endif
