#include <stdlib.h>

#include "sim/world/carmen.h"
#include "tests/fuzz/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const rp_text_t text = rp_fuzz_text(bytes, size);
    rp_carmen_t log;
    rp_complaint_t complaint = {0};
    if (!rp_fuzz_parsed(rp_carmen_parse(&text, &log, &complaint), &complaint)) {
        return 0;
    }
    for (size_t i = 0; i < log.count; i++) {
        if (log.scans[i].first + log.scans[i].beam_count > log.range_count) {
            abort();
        }
    }
    rp_carmen_fini(&log);
    return 0;
}
