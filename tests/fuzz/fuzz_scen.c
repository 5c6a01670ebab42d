#include <stdlib.h>

#include "files/scen.h"
#include "tests/fuzz/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    enum {
        WIDTH = 49,
        HEIGHT = 48,
    };
    rp_text_t text = rp_fuzz_text(bytes, size);
    rp_scen_t scen;
    rp_complaint_t complaint = {0};
    if (!rp_fuzz_parsed(rp_scen_parse(&text, WIDTH, HEIGHT, &scen, &complaint), &complaint)) {
        return 0;
    }
    for (size_t i = 0; i < scen.count; i++) {
        const rp_scen_query_t *query = &scen.queries[i];
        if (query->start_x >= WIDTH || query->goal_x >= WIDTH || query->start_y >= HEIGHT ||
            query->goal_y >= HEIGHT) {
            abort();
        }
    }
    rp_scen_fini(&scen);
    return 0;
}
