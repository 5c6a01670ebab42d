/// PNGs whose sums are put right first, as nobody finds those by chance.
#include <stdlib.h>
#include <string.h>

#include "files/image/png_chunks.h"
#include "files/map.h"
#include "tests/fuzz/text.h"

static uint32_t number_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void mend_sums(uint8_t *bytes, size_t size)
{
    for (size_t at = RP_PNG_SIGNATURE_BYTES; at + 12 <= size;) {
        const size_t length = number_at(bytes + at);
        if (length > size - at - 12) {
            return;
        }
        const uint32_t sum = rp_png_sum(0, bytes + at + 4, length + 4);
        for (unsigned i = 0; i < 4; i++) {
            bytes[at + 8 + length + i] = (uint8_t)(sum >> (24 - 8 * i));
        }
        at += 12 + length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size != 0 ? size : 1);
    if (copy == NULL) {
        return 0;
    }
    memcpy(copy, bytes, size);
    mend_sums(copy, size);
    rp_text_t text = rp_fuzz_text(copy, size);
    rp_map_t map;
    rp_complaint_t complaint = {0};
    if (rp_fuzz_parsed(rp_map_parse(&text, NULL, &map, &complaint), &complaint)) {
        rp_map_fini(&map);
    }
    free(copy);
    return 0;
}
