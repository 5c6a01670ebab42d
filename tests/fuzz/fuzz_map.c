#include "files/map.h"
#include "tests/fuzz/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rp_text_t text = rp_fuzz_text(bytes, size);
    rp_map_t map;
    rp_complaint_t complaint = {0};
    if (rp_fuzz_parsed(rp_map_parse(&text, NULL, &map, &complaint), &complaint)) {
        rp_map_fini(&map);
    }
    return 0;
}
