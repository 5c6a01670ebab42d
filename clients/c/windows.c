/// Windows by world, in a list: a client knows few worlds.
#include "windows.h"

#include <string.h>

static rp_heard_window_t *find(rp_heard_windows_t *self, const char *world)
{
    for (uint32_t i = 0; i < RP_LIMIT_WORLDS; i++) {
        if (strcmp(self->list[i].world, world) == 0) {
            return &self->list[i];
        }
    }
    return NULL;
}

/// @return NULL for a name that no world has
static rp_heard_window_t *meet(rp_heard_windows_t *self, const char *world)
{
    const size_t length = strlen(world);
    if (length == 0 || length > RP_LIMIT_NAME) {
        return NULL;
    }
    rp_heard_window_t *place = find(self, world);
    place = place != NULL ? place : find(self, "");
    if (place == NULL) {
        place = &self->list[self->next++ % RP_LIMIT_WORLDS];
        *place = (rp_heard_window_t){.tenant = place->tenant + 1u};
    }
    memcpy(place->world, world, length + 1u);
    return place;
}

// ---- what is sent

static const rp_named_t nowhere = {NULL, NULL, NULL, 0};

static rp_named_t named_by(rp_heard_window_t *by, uint64_t *epoch, uint64_t *window)
{
    return (rp_named_t){epoch, window, by, by != NULL ? by->tenant : 0u};
}

static rp_named_t name(rp_heard_windows_t *self, const char *world, uint64_t *epoch,
                       uint64_t *window)
{
    rp_heard_window_t *known = *epoch == 0 && *window == 0 ? meet(self, world) : NULL;
    if (known == NULL || known->window == 0) {
        return named_by(known, NULL, NULL);
    }
    *epoch = known->epoch;
    *window = known->window;
    return named_by(known, epoch, window);
}

static rp_named_t name_change(rp_heard_windows_t *self, Replan__V1__Change *change)
{
    return change != NULL ? name(self, change->world, &change->epoch, &change->window) : nowhere;
}

static rp_named_t await(rp_heard_windows_t *self, const char *world, uint64_t id)
{
    rp_heard_window_t *known = meet(self, world);
    if (known != NULL) {
        known->window = 0;
        known->awaited = id;
    }
    return named_by(known, NULL, NULL);
}

rp_named_t rp_windows_name(rp_heard_windows_t *self, Replan__V1__Request *request)
{
    switch (request->body_case) {
    case REPLAN__V1__REQUEST__BODY_APPLY:
        return name_change(self, request->apply->change);
    case REPLAN__V1__REQUEST__BODY_ASK_PROBE:
        return request->ask_probe->epoch == 0 ? name_change(self, request->ask_probe->change)
                                              : nowhere;
    case REPLAN__V1__REQUEST__BODY_ASK_VALID:
        return name(self, request->ask_valid->world, &request->ask_valid->epoch,
                    &request->ask_valid->window);
    case REPLAN__V1__REQUEST__BODY_RESIZE:
        return await(self, request->resize->world, request->id);
    case REPLAN__V1__REQUEST__BODY_CREATE_WORLD:
        return await(self, request->create_world->world, request->id);
    case REPLAN__V1__REQUEST__BODY_REMOVE_WORLD:
        return await(self, request->remove_world->world, request->id);
    default:
        return nowhere;
    }
}

void rp_windows_unname(const rp_named_t *named)
{
    if (named->epoch != NULL) {
        *named->epoch = 0;
        *named->window = 0;
    }
}

/// NULL when another world took the place meanwhile.
static rp_heard_window_t *whose(const rp_named_t *named)
{
    return named->by != NULL && named->by->tenant == named->tenant ? named->by : NULL;
}

void rp_windows_give_up(const rp_named_t *named, uint64_t id)
{
    rp_heard_window_t *by = whose(named);
    if (by != NULL && by->awaited == id) {
        by->awaited = 0; // what the window is now shows when somebody tells it
    }
}

// ---- what is heard

void rp_windows_hear(rp_heard_windows_t *self, const char *world, uint64_t epoch, uint64_t window,
                     const Replan__V1__Geometry *geometry)
{
    rp_heard_window_t *known = geometry != NULL && window != 0 ? meet(self, world) : NULL;
    const bool is_news = known != NULL && known->awaited == 0 &&
                         (known->window == 0 || epoch > known->epoch ||
                          (epoch == known->epoch && window > known->window));
    if (is_news) {
        known->epoch = epoch;
        known->window = window;
    }
}

static void hear_worlds(rp_heard_windows_t *self, const Replan__V1__Worlds *worlds)
{
    for (size_t i = 0; i < worlds->n_worlds; i++) {
        const Replan__V1__WorldInfo *info = worlds->worlds[i];
        rp_windows_hear(self, info->world, info->head != NULL ? info->head->epoch : 0, info->window,
                        info->geometry);
    }
}

void rp_windows_reply(rp_heard_windows_t *self, const Replan__V1__Reply *reply,
                      const rp_named_t *named)
{
    rp_heard_window_t *by = whose(named);
    const bool is_applied = reply->body_case == REPLAN__V1__REPLY__BODY_APPLIED;
    if (by != NULL && is_applied &&
        (by->awaited == 0 ? by->window == 0 : by->awaited == reply->id)) {
        by->epoch = reply->applied->epoch;
        by->window = reply->applied->window;
    }
    if (by != NULL && by->awaited != 0 && by->awaited == reply->id) {
        by->awaited = 0;
    } else if (by != NULL && reply->present != NULL && by->awaited == 0) {
        by->window = 0;
    }
    switch (reply->body_case) {
    case REPLAN__V1__REPLY__BODY_ANSWER:
        rp_windows_hear(self, reply->answer->world, reply->answer->epoch, reply->answer->window,
                        reply->answer->geometry);
        break;
    case REPLAN__V1__REPLY__BODY_CHUNK:
        rp_windows_hear(self, reply->chunk->world, reply->chunk->epoch, reply->chunk->window,
                        reply->chunk->geometry);
        break;
    case REPLAN__V1__REPLY__BODY_WORLDS:
        hear_worlds(self, reply->worlds);
        break;
    default:
        break;
    }
}

void rp_windows_forget(rp_heard_windows_t *self)
{
    for (uint32_t i = 0; i < RP_LIMIT_WORLDS; i++) {
        self->list[i].awaited = 0;
    }
}
