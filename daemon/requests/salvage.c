/// Counts by worlds.
#include "daemon/requests/salvage.h"

#include <stdio.h>
#include <stdlib.h>

#include "daemon/process/log.h"
#include "daemon/requests/request_table.h"
#include "daemon/requests/requests.h"

/// @return NULL without memory, or for no name
static rp_salvaged_world_t *world_of(rp_salvage_t *self, const char *name)
{
    rp_salvaged_world_t *world = NULL;
    HASH_FIND_STR(self->worlds, name, world);
    if (world == NULL && name[0] != '\0' && strlen(name) <= RP_LIMIT_NAME) {
        world = calloc(1, sizeof *world);
        if (world != NULL) {
            memcpy(world->name, name, strlen(name));
            HASH_ADD_STR(self->worlds, name, world);
        }
    }
    return world;
}

static bool makes_version(const Replan__V1__Request *request)
{
    return request->body_case == REPLAN__V1__REQUEST__BODY_APPLY ||
           request->body_case == REPLAN__V1__REQUEST__BODY_OVERLAY ||
           request->body_case == REPLAN__V1__REQUEST__BODY_RESIZE;
}

static void forget(rp_salvage_t *self, rp_salvaged_world_t *world)
{
    self->newest = self->newest == world ? NULL : self->newest;
    HASH_DEL(self->worlds, world); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    free(world);
}

void rp_salvage_note(rp_salvage_t *self, const Replan__V1__Request *request, bool is_of_base,
                     uint64_t version)
{
    rp_salvaged_world_t *world = world_of(self, rp_requests_world(request));
    if (world == NULL) {
        return;
    }
    if (request->body_case == REPLAN__V1__REQUEST__BODY_REMOVE_WORLD) {
        forget(self, world); // it is gone as it should be
    } else if (request->body_case == REPLAN__V1__REQUEST__BODY_CREATE_WORLD) {
        world->version = version != 0 ? version : 1u;
        self->newest = world;
    } else if (!is_of_base) {
        world->version += makes_version(request);
    } else if (request->body_case == REPLAN__V1__REQUEST__BODY_APPLY) {
        world->cells += request->apply->change->data.len; // rows, or what may be repeated: none
    } else if (request->body_case == REPLAN__V1__REQUEST__BODY_OPEN_AGENT) {
        self->newest = NULL; // worlds and their shapes come before
    }
}

void rp_salvage_gap(rp_salvage_t *self)
{
    self->gaps++;
    if (self->newest != NULL) {
        self->newest->has_gap = true; // it is of this world, or of one that is not there at all
    }
}

static void remove_world(rp_serving_t *serving, const rp_salvaged_world_t *world)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__RemoveWorld removal = REPLAN__V1__REMOVE_WORLD__INIT;
    rp_call_t call = {.serving = serving, .request = &request};
    replan__v1__reply__init(&call.reply);
    removal.world = (char *)world->name; // the generated types know no const
    request.body_case = REPLAN__V1__REQUEST__BODY_REMOVE_WORLD;
    request.remove_world = &removal;
    (void)rp_request_table_handle(&call);
}

void rp_salvage_end_base(rp_salvage_t *self, rp_serving_t *serving)
{
    rp_salvaged_world_t *world = self->gaps != 0 && !self->is_over ? self->worlds : NULL;
    self->is_over = true;
    for (; world != NULL; world = world->hh.next) {
        const rp_served_t *served = rp_worlds_find(&serving->worlds, world->name);
        const uint64_t cells =
            served != NULL ? (uint64_t)served->options.width * served->options.height : 0;
        world->has_gap = world->has_gap || cells == 0 || world->cells != cells;
        if (world->has_gap && served != NULL) {
            remove_world(serving, world);
        }
    }
}

void rp_salvage_lose(rp_salvage_t *self, const Replan__V1__Request *request)
{
    rp_salvaged_world_t *world =
        request != NULL ? world_of(self, rp_requests_world(request)) : NULL;
    if (world != NULL) {
        world->lost += makes_version(request);
    }
}

void rp_salvage_lose_change(rp_salvage_t *self, const char *name)
{
    rp_salvaged_world_t *world = world_of(self, name);
    if (world != NULL) {
        world->lost++;
    }
}

/// A world that is there: what it lost, and what it may have lost besides, as of records that
/// cannot be read nobody knows whose they were.
static void tell_versions(const rp_salvaged_world_t *world, const rp_state_found_t *found)
{
    const unsigned long long version = world->version;
    const unsigned long long gone = version + world->lost;
    char surely[64] = "";
    char perhaps[80] = "";
    if (world->lost != 0) {
        (void)snprintf(surely, sizeof surely, " gone_from=%llu gone_to=%llu", version + 1u, gone);
    }
    if (found->is_open) {
        (void)snprintf(perhaps, sizeof perhaps, " unsure_from=%llu unsure_to=unknown", gone + 1u);
    } else if (found->unreadable != 0) {
        (void)snprintf(perhaps, sizeof perhaps, " unsure_from=%llu unsure_to=%llu", gone + 1u,
                       gone + (unsigned long long)found->unreadable);
    }
    if (surely[0] != '\0' || perhaps[0] != '\0') {
        rp_log(RP_LOG_WARN, "salvaged", "world=%s version=%llu%s%s", world->name, version, surely,
               perhaps);
    }
}

static void tell(const rp_salvaged_world_t *world, const rp_serving_t *serving,
                 const rp_state_found_t *found)
{
    if (rp_worlds_find(&serving->worlds, world->name) == NULL) {
        rp_log(RP_LOG_WARN, "salvaged", "world=%s gone=all", world->name);
    } else {
        tell_versions(world, found);
    }
}

void rp_salvage_end(rp_salvage_t *self, const rp_serving_t *serving, const rp_state_found_t *found)
{
    rp_salvaged_world_t *world;
    rp_salvaged_world_t *next;
    rp_log(RP_LOG_WARN, "salvaged",
           "damage=\"%s\" gaps=%llu lost=%llu unread=%llu%s refused=%llu kept=\"*.damaged\"",
           found->damage, (unsigned long long)self->gaps, (unsigned long long)found->lost,
           (unsigned long long)found->unreadable, found->is_open ? " end=unknown" : "",
           (unsigned long long)self->refused);
    HASH_ITER(hh, self->worlds, world, next)
    {
        tell(world, serving, found);
        forget(self, world);
    }
}
