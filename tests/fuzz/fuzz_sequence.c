/// A sequence is one file or two; up to the first NUL the bytes are the first, behind it the other.
#include <stdlib.h>
#include <string.h>

#include "files/sequence.h"
#include "tests/fuzz/text.h"

/// What sequence.h promises: each step is legal on this world.
static void check_steps(const rp_sequence_t *sequence)
{
    for (size_t i = 0; i < sequence->step_count; i++) {
        const rp_step_t *step = &sequence->steps[i];
        uint32_t width = 1;
        uint32_t height = 1;
        switch (step->kind) {
        case RP_STEP_PLAN:
            continue;
        case RP_STEP_SET:
            width = step->width;
            height = step->height;
            break;
        case RP_STEP_PATCH:
            if (step->index >= sequence->patch_count) {
                abort();
            }
            width = sequence->patches[step->index].width;
            height = sequence->patches[step->index].height;
            break;
        default:
            break;
        }
        if (step->x + width > sequence->width || step->y + height > sequence->height) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = memchr(bytes, '\0', size);
    size_t first_size = end != NULL ? (size_t)(end - bytes) : size;
    rp_text_t first = rp_fuzz_text(bytes, first_size);
    rp_text_t other = {0};
    if (end != NULL) {
        other = rp_fuzz_text(end + 1, size - first_size - 1);
    }
    rp_sequence_t sequence;
    rp_complaint_t complaint = {0};
    rp_text_span_t name = {0};
    bool refers = rp_sequence_refers(&first, &name);
    rp_status_t status = rp_sequence_parse(&first, refers ? &other : NULL, &sequence, &complaint);
    if (rp_fuzz_parsed(status, &complaint)) {
        check_steps(&sequence);
        rp_sequence_fini(&sequence);
    }
    return 0;
}
