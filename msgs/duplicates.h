/// @file
/// Finds fields that a message holds twice, and two members of one oneof, in the packed bytes.
/// protobuf-c would unpack such bytes to a mixture (sub-messages are merged, of other fields the
/// last one counts): a third request that nobody sent.
#ifndef REPLAN_MSGS_DUPLICATES_H
#define REPLAN_MSGS_DUPLICATES_H

#include "msgs/check.h"

/// @param word   what the message is called in refusals: "request"
/// @param bytes  borrowed until return [size]; malformed ones are left to the unpacker
/// @return false with the refusal filled in: a field, or a oneof, comes twice, here or in a message
///         that it holds. Time: O(fields)
bool rp_check_duplicates(const char *word, const ProtobufCMessageDescriptor *type,
                         const void *bytes, size_t size, rp_refusal_t *refusal);

#endif
