/// A YAML and the picture that it names: the text up to its first byte 0, the picture behind that.
#include <string.h>

#include "files/map.h"
#include "tests/fuzz/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = memchr(bytes, 0, size);
    const size_t length = end != NULL ? (size_t)(end - bytes) : size;
    rp_text_t text = rp_fuzz_text(bytes, length);
    const rp_text_t other = rp_fuzz_text(bytes + length, size - length);
    char name[RP_MAP_NAME_BYTES];
    rp_map_t map;
    rp_complaint_t complaint = {0};
    text.name = "x.yaml";
    const bool refers = rp_map_refers(&text, name);
    if (rp_fuzz_parsed(rp_map_parse(&text, refers ? &other : NULL, &map, &complaint), &complaint)) {
        rp_map_fini(&map);
    }
    return 0;
}
