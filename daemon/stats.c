/// Names and values of the counters, in the order of the list.
#include "daemon/stats.h"

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
