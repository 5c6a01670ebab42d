/// Names and values of the counters, in the order of the list.
#include "daemon/serving/stats.h"

bool rp_stats_set_outside(rp_stats_t *self, const rp_stats_outside_t *outside)
{
    bool is_other = false;
#define TAKE(member, name)                                                                         \
    is_other = is_other || self->member != outside->member;                                        \
    self->member = outside->member;
    RP_STATS_OUTSIDE(TAKE)
#undef TAKE
    return is_other;
}

const char *rp_stats_name(size_t index)
{
#define NAME(member, name) name,
    static const char *const names[] = {RP_STATS(NAME)};
#undef NAME
    return index < RP_STATS_COUNT ? names[index] : NULL;
}

uint64_t rp_stats_value(const rp_stats_t *self, size_t index)
{
#define PLACE(member, name) offsetof(rp_stats_t, member),
    static const size_t places[] = {RP_STATS(PLACE)};
#undef PLACE
    return *(const uint64_t *)((const char *)self + places[index]);
}
