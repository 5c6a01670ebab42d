/// A sum over worlds.
#include "daemon/rules/world_quota.h"

#include "daemon/rules/state.h"

/// Of ten cells.
#define WORLD_BYTES      10u
#define LAYER_BYTES      21u
#define MORE_LAYER_BYTES 41u

static uint64_t cells_of(const rp_served_t *world)
{
    return (uint64_t)world->options.width * world->options.height;
}

/// @param layers  of them, one at least
static uint64_t cell_bytes(const rp_host_t *host, uint64_t cells, uint32_t layers)
{
    const uint64_t more = layers > 1u ? layers - 1u : 0u;
    return cells *
           (WORLD_BYTES * host->world_copies +
            (LAYER_BYTES + MORE_LAYER_BYTES * more) * host->layer_copies) /
           10u;
}

/// Of a cell: of the planner of curves that an engine has while an agent with motion plans. It goes
/// where there is no room for more.
#define CURVES_BYTES 20u

/// Nothing while a state is restored: it may be of a daemon that did not ask for this room, and
/// what was accepted is not refused for it.
/// @param agents  with motion
static uint64_t curves_bytes(const rp_serving_t *self, uint64_t cells, uint32_t agents)
{
    const uint32_t engines = self->host->layer_copies;
    return rp_state_is_restoring(self)
               ? 0u
               : cells * CURVES_BYTES * (agents < engines ? agents : engines);
}

/// What a world takes, were it of so many cells.
static uint64_t world_bytes(const rp_serving_t *self, const rp_served_t *world, uint64_t cells)
{
    const rp_host_t *host = self->host;
    const uint64_t agent_copies =
        host->world_copies > 1u ? 2u : 1u; // the authority, and one worker
    return cell_bytes(host, cells, rp_host_layers(host, world->id)) +
           curves_bytes(self, cells, world->openings.driving) +
           world->shape_bytes * host->world_copies +
           RP_WORLD_QUOTA_AGENT_BYTES * agent_copies * world->agent_count;
}

uint64_t rp_world_quota_bytes_with(const rp_serving_t *self, const rp_served_t *instead,
                                   uint64_t cells)
{
    uint64_t all = instead == NULL ? cell_bytes(self->host, cells, 1) : 0u;
    for (const rp_served_t *world = self->worlds.by_name; world != NULL; world = world->hh.next) {
        all += world_bytes(self, world, world == instead ? cells : cells_of(world));
    }
    return all;
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
    return (instead != NULL && cells <= cells_of(instead)) ||
           rp_world_quota_bytes_with(self, instead, cells) <= self->memory_bytes;
}

bool rp_world_quota_holds_agent(const rp_serving_t *self, const char *what, rp_refusal_t *refusal)
{
    const uint64_t bytes = rp_world_quota_bytes_with(self, NULL, 0);
    return bytes <= self->memory_bytes ||
           rp_refuse(refusal, REPLAN__V1__STATUS__LIMIT,
                     "%s: with this agent worlds and agents would take %llu bytes, the daemon's "
                     "--memory allows %llu",
                     what, (unsigned long long)bytes, (unsigned long long)self->memory_bytes);
}

bool rp_world_quota_takes_shapes(const rp_serving_t *self, const rp_served_t *world,
                                 rp_refusal_t *refusal)
{
    const uint64_t cells = world->shape_bytes == 0 ? cells_of(world) : 0u;
    const uint64_t bytes =
        rp_world_quota_bytes_with(self, NULL, 0) + (cells + cells / 8u) * self->host->world_copies;
    return bytes <= self->memory_bytes ||
           rp_refuse(refusal, REPLAN__V1__STATUS__LIMIT,
                     "overlay: with these shapes worlds and agents would take %llu bytes, the "
                     "daemon's --memory allows %llu",
                     (unsigned long long)bytes, (unsigned long long)self->memory_bytes);
}

void rp_world_quota_note_shapes(const rp_serving_t *self, rp_served_t *world)
{
    world->shape_bytes = rp_engine_shape_bytes(self->engine, world->id);
}
