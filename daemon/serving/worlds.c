/// Names to handles and back.
#include "daemon/serving/worlds.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#include "base/array.h"

/// Pieces that agents have left, which are cleared in a round: each counts as a page.
#define CLEARED_A_ROUND ((uint64_t)4 << 20)

// ---- agents

rp_agent_t *rp_worlds_find_agent(const rp_served_t *world, const char *name)
{
    rp_agent_t *agent;
    HASH_FIND_STR(world->agents, name, agent);
    return agent;
}

rp_agent_t *rp_worlds_agent_at(const rp_worlds_t *self, uint32_t place)
{
    return place < self->session_capacity ? self->by_session[place] : NULL;
}

rp_agent_t *rp_worlds_agent_of(const rp_worlds_t *self, rp_session_id_t session)
{
    rp_agent_t *agent = rp_worlds_agent_at(self, rp_id_place(session));
    return agent != NULL && agent->session == session ? agent : NULL;
}

rp_agent_t *rp_worlds_find_handle(const rp_worlds_t *self, const rp_served_t *world,
                                  uint64_t handle)
{
    rp_agent_t *agent = rp_handles_find(&self->handles, handle);
    return agent != NULL && agent->world == world ? agent : NULL;
}

/// The agent is found by its session, and by a handle that nobody had before.
/// @return RP_E_MEMORY; RP_E_LIMIT when there is no such handle
static rp_status_t name_session(rp_worlds_t *self, rp_agent_t *agent)
{
    const uint32_t place = rp_id_place(agent->session);
    if (!rp_array_reserve_zeroed(&self->by_session, &self->session_capacity, place + 1u,
                                 sizeof(rp_agent_t *))) {
        return RP_E_MEMORY;
    }
    agent->handle = rp_handles_give(&self->handles, agent);
    if (agent->handle == 0) {
        return RP_E_LIMIT;
    }
    self->by_session[place] = agent;
    return RP_OK;
}

/// Neither leads to the agent any more.
static void forget_session(rp_worlds_t *self, const rp_agent_t *agent)
{
    self->by_session[rp_id_place(agent->session)] = NULL;
    rp_handles_free(&self->handles, agent->handle);
}

/// The first place of an agent that was opened after this number.
static size_t place_after(const rp_served_t *world, uint64_t opened)
{
    size_t first = 0;
    size_t end = world->openings.count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2u;
        if (world->openings.list[middle].opened <= opened) {
            first = middle + 1u;
        } else {
            end = middle;
        }
    }
    return first;
}

rp_agent_t *rp_worlds_opened_after(const rp_served_t *world, uint64_t opened)
{
    size_t place = place_after(world, opened);
    while (place < world->openings.count && world->openings.list[place].agent == NULL) {
        place++;
    }
    return place < world->openings.count ? world->openings.list[place].agent : NULL;
}

/// Leave a hole where the agent was; when more than half are holes, they are closed up.
static void forget_opening(rp_served_t *world, const rp_agent_t *agent)
{
    world->openings.list[place_after(world, agent->opened - 1u)].agent = NULL;
    if (world->openings.count <= 2u * world->agent_count) {
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < world->openings.count; i++) {
        if (world->openings.list[i].agent != NULL) {
            world->openings.list[kept++] = world->openings.list[i];
        }
    }
    world->openings.count = kept;
}

rp_status_t rp_worlds_open_agent(rp_worlds_t *self, rp_host_t *host, rp_served_t *world,
                                 const char *name, const rp_session_options_t *options,
                                 rp_agent_t **agent)
{
    if (rp_worlds_find_agent(world, name) != NULL) {
        return RP_E_EXISTS;
    }
    if (world->agent_count == RP_LIMIT_AGENTS) {
        return RP_E_LIMIT;
    }
    if (!rp_array_reserve(&world->openings.list, &world->openings.capacity,
                          world->openings.count + 1u, sizeof *world->openings.list)) {
        return RP_E_MEMORY;
    }
    rp_agent_t *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return RP_E_MEMORY;
    }
    rp_status_t status = rp_host_open(host, world->id, options, &opened->session);
    if (status == RP_OK) {
        status = name_session(self, opened);
        if (status != RP_OK) {
            (void)rp_host_close(host, opened->session);
        }
    }
    if (status != RP_OK) {
        free(opened);
        return status;
    }
    memcpy(opened->name, name, strlen(name));
    opened->planner = options->planner;
    opened->world = world;
    opened->has_motion = options->motion.drive != RP_MOTION_NONE;
    world->openings.driving += opened->has_motion ? 1u : 0u;
    opened->opened = ++self->opened;
    self->last_handle = opened->handle;
    HASH_ADD_STR(world->agents, name, opened);
    world->openings.list[world->openings.count++] = (rp_opened_agent_t){opened->opened, opened};
    world->agent_count++;
    *agent = opened;
    return RP_OK;
}

void rp_worlds_close_agent(rp_worlds_t *self, rp_host_t *host, rp_agent_t *agent)
{
    rp_served_t *world = agent->world;
    (void)rp_host_close(host, agent->session);
    forget_session(self, agent);
    HASH_DEL(world->agents, agent);
    if (agent->answered_at != 0) {
        DL_DELETE2(world->answered, agent, answered_before, answered_after);
    }
    world->agent_count--;
    world->openings.driving -= agent->has_motion ? 1u : 0u;
    forget_opening(world, agent);
    rp_last_request_agent_fini(&agent->last);
    free(agent);
}

void rp_worlds_note_answered(rp_agent_t *agent, uint64_t version)
{
    rp_served_t *world = agent->world;
    if (agent->answered_at != 0) {
        DL_DELETE2(world->answered, agent, answered_before, answered_after);
    }
    agent->answered_at = version;
    DL_APPEND2(world->answered, agent, answered_before, answered_after);
}

rp_agent_t *rp_worlds_next_answered(const rp_served_t *world, const rp_agent_t *after,
                                    uint64_t version)
{
    if (world->answered == NULL || after == world->answered) {
        return NULL;
    }
    rp_agent_t *next = after == NULL ? world->answered->answered_before : after->answered_before;
    return next->answered_at >= version ? next : NULL;
}

// ---- worlds

rp_served_t *rp_worlds_find(const rp_worlds_t *self, const char *name)
{
    rp_served_t *world;
    HASH_FIND_STR(self->by_name, name, world);
    return world;
}

rp_status_t rp_worlds_open(rp_worlds_t *self, rp_host_t *host, const char *name,
                           const char *frame_id, const rp_world_options_t *options,
                           rp_shared_buffer_t *buffer, uint64_t now_us, rp_served_t **world)
{
    if (rp_worlds_find(self, name) != NULL) {
        return RP_E_EXISTS;
    }
    if (self->count == RP_LIMIT_WORLDS) {
        return RP_E_LIMIT;
    }
    rp_served_t *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return RP_E_MEMORY;
    }
    const rp_status_t status = rp_host_open_world(host, options, buffer, &opened->id);
    if (status != RP_OK) {
        free(opened);
        return status;
    }
    memcpy(opened->name, name, strlen(name));
    memcpy(opened->frame_id, frame_id, strlen(frame_id));
    opened->options = *options;
    opened->options.data = NULL;
    opened->options.given = NULL;
    opened->options.profiles = NULL;
    opened->options.profile = rp_engine_profile(rp_host_authority(host), opened->id);
    opened->profile = opened->options.profile;
    self->last_epoch = now_us > self->last_epoch ? now_us : self->last_epoch + 1u;
    opened->epoch = self->last_epoch;
    if (self->first_windows != NULL) {
        opened->epoch = self->first_windows->epoch;
        opened->epochs = self->first_windows->epochs;
        self->last_epoch = opened->epoch > self->last_epoch ? opened->epoch : self->last_epoch;
    }
    opened->head_moved = true;
    rp_deltas_init(&opened->deltas, rp_engine_version(rp_host_authority(host), opened->id),
                   RP_LIMIT_DELTA_RING);
    opened->published = opened->deltas.newest;
    self->by_id[rp_id_place(opened->id)] = opened;
    self->count++;
    HASH_ADD_STR(self->by_name, name, opened);
    *world = opened;
    return RP_OK;
}

static void drop_memo(rp_worlds_t *self, rp_last_request_t *last)
{
    rp_deferred_free_block(&self->deferred_free, last->bytes, last->size);
}

/// All of them, at once: nobody looks for one of them any more.
static void close_agents(rp_worlds_t *self, rp_host_t *host, rp_served_t *world)
{
    rp_agent_t *agent = world->agents;
    HASH_CLEAR(hh, world->agents);
    while (agent != NULL) {
        rp_agent_t *next = agent->hh.next;
        (void)rp_host_close(host, agent->session);
        forget_session(self, agent);
        drop_memo(self, &agent->last.open);
        drop_memo(self, &agent->last.goal);
        rp_deferred_free_block(&self->deferred_free, agent, sizeof *agent);
        agent = next;
    }
}

bool rp_worlds_clear(rp_worlds_t *self)
{
    return !rp_deferred_free_is_empty(&self->deferred_free) &&
           rp_deferred_free_clear(&self->deferred_free, CLEARED_A_ROUND);
}

void rp_worlds_close(rp_worlds_t *self, rp_host_t *host, rp_served_t *world)
{
    close_agents(self, host, world);
    (void)rp_host_close_world(host, world->id);
    HASH_DEL(self->by_name, world); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    self->by_id[rp_id_place(world->id)] = NULL;
    self->count--;
    rp_deltas_fini(&world->deltas);
    rp_publishers_fini(&world->publishers);
    rp_last_request_shapes_fini(&world->shapes);
    free(world->openings.list);
    free(world);
}

void rp_worlds_fini(rp_worlds_t *self, rp_host_t *host)
{
    rp_served_t *world;
    rp_served_t *next;
    HASH_ITER(hh, self->by_name, world, next)
    {
        rp_worlds_close(self, host, world);
    }
    free(self->by_session);
    rp_handles_fini(&self->handles);
    rp_deferred_free_fini(&self->deferred_free);
    *self = (rp_worlds_t){0};
}

uint64_t rp_worlds_stale_us(const rp_served_t *world)
{
    return world->expect_every_ms == 0
               ? RP_NEVER_US
               : world->changed_us + (uint64_t)world->expect_every_ms * 1000u + 1u;
}
