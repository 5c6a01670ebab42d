/// Streams of deflated bytes: what comes out is looked at, and what was asked for is kept to.
#include <stdlib.h>

#include "files/image/inflate.h"
#include "tests/fuzz/text.h"

#define TAKEN_MAX ((size_t)1 << 22)

static bool take(void *user, const uint8_t *bytes, size_t count)
{
    size_t *left = user;
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += bytes[i];
    }
    if (sum > 255u * count || count > *left) {
        return false;
    }
    *left -= count;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t left = TAKEN_MAX;
    rp_inflate_fault_t fault = {0};
    const rp_status_t status = rp_inflate(bytes, size, take, &left, &fault);
    if (status == RP_E_INVALID && fault.offset > size) {
        abort();
    }
    return 0;
}
