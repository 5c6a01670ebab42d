/// A sum over worlds.
#include "daemon/rules/world_quota.h"

/// Of ten cells.
#define WORLD_BYTES 10u
#define LAYER_BYTES 21u

static uint64_t cells_of(const rp_served_t *world)
{
    return (uint64_t)world->options.width * world->options.height;
}

uint64_t rp_world_quota_bytes_with(const rp_serving_t *self, const rp_served_t *instead,
                                   uint64_t cells)
{
    const rp_host_t *host = self->host;
    uint64_t all = cells;
    for (const rp_served_t *world = self->worlds.by_name; world != NULL; world = world->hh.next) {
        all += world != instead ? cells_of(world) : 0u;
    }
    return all * (WORLD_BYTES * host->world_copies + LAYER_BYTES * host->layer_copies) / 10u;
}

bool rp_world_quota_refuse(const rp_serving_t *self, const char *what, const rp_served_t *instead,
                           uint64_t cells, rp_refusal_t *refusal)
{
    const uint64_t before = instead != NULL ? cells_of(instead) : 0u;
    return rp_refuse(refusal, REPLAN__V1__STATUS__LIMIT,
                     "%s: with %llu cells more the worlds would take %llu bytes, the daemon's "
                     "--memory allows %llu",
                     what, (unsigned long long)(cells - before),
                     (unsigned long long)rp_world_quota_bytes_with(self, instead, cells),
                     (unsigned long long)self->memory_bytes);
}

bool rp_world_quota_has_room(const rp_serving_t *self, const rp_served_t *instead, uint64_t cells)
{
    return rp_world_quota_bytes_with(self, instead, cells) <= self->memory_bytes;
}
