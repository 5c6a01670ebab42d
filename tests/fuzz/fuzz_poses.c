#include "tests/fuzz/message.h"

static bool check(const ProtobufCMessage *message, rp_refusal_t *refusal)
{
    return rp_check_poses((const Replan__V1__Poses *)message, refusal);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rp_fuzz_message(&replan__v1__poses__descriptor, check, bytes, size);
    return 0;
}
