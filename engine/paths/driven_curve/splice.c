/// What of the answer before stands in a curve that is told, and where its legs begin.
#include <string.h>

#include "base/array.h"
#include "engine/paths/driven_curve.h"

uint32_t rp_driven_curve_leg_at(const rp_driven_curve_t *self, uint32_t leg, uint32_t count)
{
    uint32_t at = 0;
    while (at < count && self->told_legs[at] < leg) {
        at++;
    }
    return at;
}

void rp_driven_curve_note_past(rp_driven_curve_t *self, const rp_frame_t *frame)
{
    uint32_t count;
    uint32_t leaving;
    const rp_path_segment_t *told = rp_driven_curve_tell(self, frame, &count, &leaving);
    self->past_count = told != NULL && count != 0 ? count - 1u : 0u;
    if (!rp_array_reserve(&self->past, &self->past_capacity, self->past_count,
                          sizeof *self->past)) {
        self->past_count = 0;
    }
    if (self->past_count != 0) {
        memcpy(self->past, told + 1, self->past_count * sizeof *told);
    }
}

static bool is_same(const rp_path_segment_t *a, const rp_path_segment_t *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

rp_splice_t rp_driven_curve_splice(const rp_driven_curve_t *self, uint32_t count)
{
    const rp_path_segment_t *told = self->told;
    const uint32_t past = (uint32_t)self->past_count;
    const uint32_t most = count != 0 ? count - 1u : 0u; // the first one is told
    uint32_t first = 0;
    uint32_t head = 0;
    uint32_t tail = 0;
    while (most != 0 && first < past && !is_same(&self->past[first], &told[1])) {
        first++;
    }
    while (head < most && first + head < past &&
           is_same(&self->past[first + head], &told[1u + head])) {
        head++;
    }
    first = head != 0 ? first : 0u;
    while (head + tail < most && first + head + tail < past &&
           is_same(&self->past[past - 1u - tail], &told[count - 1u - tail])) {
        tail++;
    }
    first = head != 0 ? first : past - tail;
    return (rp_splice_t){.from_end = past - first, .head = head, .tail = tail};
}
