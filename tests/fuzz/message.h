/// @file
/// What every fuzz target of a message does: take strange bytes in, and hold the promises of
/// codec.h and check.h against what comes out.
#ifndef REPLAN_TESTS_FUZZ_MESSAGE_H
#define REPLAN_TESTS_FUZZ_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "msgs/check.h"

/// The entry of libFuzzer, one a target.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/// One of check.h, for any message.
typedef bool rp_fuzz_check_t(const ProtobufCMessage *message, rp_refusal_t *refusal);

/// Abort when a promise is broken: memory beyond the cap, a refusal without a printable sentence,
/// or a message that does not survive packing and unpacking.
void rp_fuzz_message(const ProtobufCMessageDescriptor *descriptor, rp_fuzz_check_t *check,
                     const uint8_t *bytes, size_t size);

/// Abort unless the sentence is printable and there.
void rp_fuzz_sentence(const rp_refusal_t *refusal);

#endif
