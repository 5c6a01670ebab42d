/// @file
/// Fields that a message holds twice, and two members of one oneof: what is unpacked from such
/// bytes is a mixture (sub-messages are merged, of the rest the last one counts), so a request that
/// says two things would be taken for a third that nobody sent. They are found in the bytes.
#ifndef REPLAN_MSGS_DUPLICATES_H
#define REPLAN_MSGS_DUPLICATES_H

#include "msgs/check.h"

/// @param word   what the message is called in refusals: "request"
/// @param bytes  borrowed until return [size]; malformed ones are left to who unpacks them
/// @return false with the refusal filled in: a field, or a oneof, comes twice, here or in a message
///         that it holds. Time: O(fields)
bool rp_check_duplicates(const char *word, const ProtobufCMessageDescriptor *type,
                         const void *bytes, size_t size, rp_refusal_t *refusal);

#endif
