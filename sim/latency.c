/// Percentiles by sorting: a report is written once, a view asks for a thousand samples at most.
#include "sim/latency.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void rp_latency_fini(rp_latency_t *self)
{
    free(self->samples_us);
    free(self->sorted);
    *self = (rp_latency_t){0};
}

static bool reserve(rp_latency_t *self)
{
    size_t samples = self->capacity;
    size_t sorted = self->capacity;
    const bool has_room =
        rp_array_reserve(&self->samples_us, &samples, self->count + 1u, sizeof(uint64_t)) &&
        rp_array_reserve(&self->sorted, &sorted, self->count + 1u, sizeof(uint64_t));
    self->capacity = has_room ? sorted : self->capacity;
    return has_room;
}

bool rp_latency_add(rp_latency_t *self, uint64_t sample_us)
{
    if (!reserve(self)) {
        return false;
    }
    self->samples_us[self->count++] = sample_us;
    return true;
}

static int compare(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

void rp_latency_percentiles(rp_latency_t *self, size_t newest, const double *shares,
                            size_t share_count, uint64_t *values)
{
    const size_t count = newest < self->count ? newest : self->count;
    if (count > 0) {
        memcpy(self->sorted, self->samples_us + (self->count - count),
               count * sizeof *self->sorted);
        qsort(self->sorted, count, sizeof *self->sorted, compare);
    }
    for (size_t i = 0; i < share_count; i++) {
        const double rank = shares[i] * (double)count;
        size_t index = (size_t)rank;
        index -= index > 0 && (double)index >= rank; // the rank is counted from 1
        values[i] = count == 0 ? 0 : self->sorted[index < count ? index : count - 1];
    }
}
