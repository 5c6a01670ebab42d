#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msgs/limits.h"
#include "tests/fuzz/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char world[RP_LIMIT_NAME + 1];
    char agent[RP_LIMIT_NAME + 1];
    rp_refusal_t refusal = {0};
    if (!rp_check_topic(bytes, size, "pose", world, agent, &refusal)) {
        rp_fuzz_sentence(&refusal);
        return 0;
    }
    // What was taken apart makes the topic again.
    char again[RP_LIMIT_TOPIC];
    int length =
        snprintf(again, sizeof(again), agent[0] == '\0' ? "pose/%s/" : "pose/%s/%s/", world, agent);
    if ((size_t)length != size || memcmp(again, bytes, size) != 0) {
        abort();
    }
    return 0;
}
