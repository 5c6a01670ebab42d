/// Buckets by the leading bit of a number and the three bits behind it.
#include "base/histogram.h"

#define PARTS_LOG2 3u
#define PARTS      (1u << PARTS_LOG2)

static uint32_t bucket_of(uint64_t number)
{
    if (number < PARTS) {
        return (uint32_t)number;
    }
    const uint32_t shift = 63u - (uint32_t)__builtin_clzll(number) - PARTS_LOG2;
    const uint32_t bucket =
        (shift + 1u) * PARTS + (uint32_t)((number >> shift) & (uint64_t)(PARTS - 1u));
    return bucket < RP_HISTOGRAM_BUCKETS ? bucket : RP_HISTOGRAM_BUCKETS - 1u;
}

/// The greatest number of a bucket.
static uint64_t end_of(uint32_t bucket)
{
    if (bucket < PARTS) {
        return bucket;
    }
    const uint32_t shift = bucket / PARTS - 1u;
    return ((uint64_t)(PARTS + bucket % PARTS + 1u) << shift) - 1u;
}

void rp_histogram_add(rp_histogram_t *self, uint64_t number)
{
    self->counts[bucket_of(number)]++;
    self->count++;
    self->most = number > self->most ? number : self->most;
}

void rp_histogram_merge(rp_histogram_t *self, const rp_histogram_t *other)
{
    for (uint32_t i = 0; i < RP_HISTOGRAM_BUCKETS; i++) {
        self->counts[i] += other->counts[i];
    }
    self->count += other->count;
    self->most = other->most > self->most ? other->most : self->most;
}

uint64_t rp_histogram_percentile(const rp_histogram_t *self, double percent)
{
    const double wanted = (double)self->count * percent / 100.0;
    double passed = 0;
    for (uint32_t i = 0; i + 1u < RP_HISTOGRAM_BUCKETS; i++) {
        passed += self->counts[i];
        if (self->counts[i] != 0 && passed >= wanted) {
            return end_of(i) < self->most ? end_of(i) : self->most;
        }
    }
    return self->most;
}

/// Begin another period when this one is over.
static void turn(rp_recent_histogram_t *self, uint64_t now_us, uint64_t period_us)
{
    if (now_us - self->turned_us < period_us) {
        return;
    }
    const int is_idle = now_us - self->turned_us >= 2u * period_us;
    self->before = is_idle ? (rp_histogram_t){.count = 0} : self->now;
    self->now = (rp_histogram_t){.count = 0};
    self->turned_us = is_idle ? now_us : self->turned_us + period_us;
}

void rp_recent_histogram_add(rp_recent_histogram_t *self, uint64_t number, uint64_t now_us,
                             uint64_t period_us)
{
    turn(self, now_us, period_us);
    rp_histogram_add(&self->now, number);
}

void rp_recent_histogram_sum(rp_recent_histogram_t *self, uint64_t now_us, uint64_t period_us,
                             rp_histogram_t *sum)
{
    turn(self, now_us, period_us);
    *sum = self->now;
    rp_histogram_merge(sum, &self->before);
}
