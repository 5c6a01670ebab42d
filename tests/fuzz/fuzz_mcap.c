#include <stdlib.h>

#include "clients/ros2/costmap_message.h"
#include "tests/fuzz/text.h"
#include "tools/mcap/mcap_read.h"

/// Every byte of a grid can be read.
static rp_status_t look(void *user, const rp_mcap_message_t *message, rp_complaint_t *complaint)
{
    rp_ros_grid_t grid;
    (void)complaint;
    if (rp_costmap_message_read(message->channel->schema, message->data, message->size, &grid) ==
        NULL) {
        for (size_t i = 0; i < grid.size; i++) {
            *(uint64_t *)user += grid.data[i];
        }
        *(uint64_t *)user += (uint64_t)grid.frame_id[0];
    }
    return RP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const rp_text_t text = rp_fuzz_text(bytes, size);
    rp_complaint_t complaint = {0};
    uint64_t sum = 0;
    rp_fuzz_parsed(rp_mcap_read(&text, look, &sum, &complaint), &complaint);
    return 0;
}
