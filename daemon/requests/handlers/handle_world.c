/// Worlds: create, remove, list, and what a mirror asks for.
#include "daemon/requests/handlers/handle_world.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "daemon/process/log.h"
#include "daemon/requests/handlers/acknowledge.h"
#include "daemon/requests/handlers/handle_watch.h"
#include "daemon/rules/agents.h"
#include "daemon/rules/decode.h"
#include "daemon/rules/state.h"
#include "daemon/rules/world_deltas.h"
#include "daemon/rules/world_quota.h"
#include "daemon/serving/encode.h"

static_assert(RP_LIMIT_PROFILES == RP_PROFILES_MAX && RP_LIMIT_LAYERS == RP_LAYERS_MAX &&
                  RP_LIMIT_REACH == RP_REACH_MAX && RP_LIMIT_NAME == RP_PROFILE_NAME_MAX &&
                  RP_LIMIT_OVERDUE == RP_OVERDUE_MAX && RP_LIMIT_WINDOWS == RP_WINDOWS_KEPT &&
                  RP_LIMIT_RECTS == RP_WINDOW_RECTS_MAX,
              "the wire names the engine's limits");

// ---- create and remove

/// The profiles that a world brings. @return NULL without memory
static rp_profile_options_t *profiles_of(rp_message_arena_t *arena,
                                         const Replan__V1__CreateWorld *create)
{
    rp_profile_options_t *profiles =
        rp_message_arena_take(arena, (create->n_profiles + 1u) * sizeof *profiles);
    for (size_t i = 0; profiles != NULL && i < create->n_profiles; i++) {
        const Replan__V1__Profile *profile = create->profiles[i];
        profiles[i] = (rp_profile_options_t){
            .name = profile->name,
            .factors = profile->factors.len != 0 ? profile->factors.data : NULL,
            .unit = (uint8_t)profile->unit,
            .like = profile->like[0] != '\0' ? profile->like : NULL,
            .unknown_factor = (uint8_t)profile->unknown_factor,
            .inscribed = profile->inscribed.data,
            .inscribed_count = profile->inscribed.len,
        };
        if (profile->unknown != REPLAN__V1__UNKNOWN__AS_FREE) {
            const bool is_blocked = profile->unknown == REPLAN__V1__UNKNOWN__AS_BLOCKED;
            profiles[i].unknown = is_blocked ? RP_UNKNOWN_BLOCKED : RP_UNKNOWN_FACTOR;
        }
    }
    return profiles;
}

/// What a request says of a world, as the engine is told it; borrows from both.
static rp_world_options_t options_of(const rp_call_t *call, const Replan__V1__CreateWorld *create)
{
    rp_serving_t *self = call->serving;
    const Replan__V1__Geometry *geometry = create->geometry;
    rp_world_options_t options = {
        .width = geometry->width,
        .height = geometry->height,
        .neighbors = create->neighbors == 4 ? 4 : 8,
        .wraps = create->wraps,
        .profile = create->profile[0] != '\0' ? create->profile : NULL,
        .profiles = profiles_of(&self->arena, create),
        .profile_count = create->n_profiles,
        .frame = {geometry->resolution, geometry->origin_x, geometry->origin_y,
                  geometry->origin_yaw},
        .is_filled = create->content_case == REPLAN__V1__CREATE_WORLD__CONTENT_FILL,
        .first_version = self->worlds.first_version,
        .windows = self->worlds.first_windows != NULL ? &self->worlds.first_windows->windows : NULL,
        .cells_hash = rp_codec_cells_hash,
    };
    options.fill = options.is_filled ? (uint8_t)create->fill : 0u;
    if (create->content_case == REPLAN__V1__CREATE_WORLD__CONTENT_DATA) {
        options.data = create->data.data;
        options.given = call->prepared != NULL ? call->prepared->bytes : NULL;
    }
    return options;
}

bool rp_handle_create_world(rp_call_t *call)
{
    const Replan__V1__CreateWorld *create = call->request->create_world;
    rp_serving_t *self = call->serving;
    const rp_world_options_t options = options_of(call, create);
    rp_status_t status = options.profiles == NULL ? RP_E_MEMORY : RP_OK;
    rp_served_t *world = NULL;
    const uint64_t cells = (uint64_t)options.width * options.height;
    if (status == RP_OK && rp_worlds_find(&self->worlds, create->world) == NULL &&
        !rp_world_quota_has_room(self, NULL, cells)) {
        return !rp_world_quota_refuse(self, "create_world.geometry", NULL, cells, &call->refusal);
    }
    if (status == RP_OK) {
        status =
            rp_worlds_open(&self->worlds, self->host, create->world, create->geometry->frame_id,
                           &options, rp_prepared_buffer(call->prepared), self->now.wall_us, &world);
    }
    if (status == RP_OK && call->prepared != NULL && options.given != NULL) {
        call->prepared->bytes = NULL; // they are the world's
    }
    if (status == RP_E_EXISTS) {
        return rp_call_refuse(call, REPLAN__V1__STATUS__EXISTS,
                              "create_world.world: \"%s\" is there already", create->world);
    }
    if (status == RP_E_LIMIT) {
        return rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                              "create_world: the daemon holds at most %u worlds", RP_LIMIT_WORLDS);
    }
    if (status != RP_OK) {
        return rp_call_refuse_status(call, status, "create_world");
    }
    world->changed_us = self->now.steady_us;
    world->expect_every_ms = create->expect_every_ms;
    rp_log(RP_LOG_INFO, "world", "name=%s width=%u height=%u neighbors=%u profile=%s", world->name,
           options.width, options.height, options.neighbors, world->profile);
    (void)rp_call_put_applied(call, world, rp_engine_version(self->engine, world->id));
    return true;
}

/// A window may be told another resolution, yaw or frame_id by mistake: those of a world stay.
/// @return false with the refusal filled in
static bool keeps_frame(rp_call_t *call, const rp_served_t *world, const Replan__V1__Geometry *told)
{
    const rp_frame_t *frame = &world->options.frame;
    if (told->resolution != 0.0 && told->resolution != frame->resolution_m) {
        return !rp_call_refuse(call, REPLAN__V1__STATUS__INVALID,
                               "resize.geometry.resolution is %.17g, the world keeps its %.17g",
                               told->resolution, frame->resolution_m);
    }
    if (told->origin_yaw != frame->origin_yaw) {
        return !rp_call_refuse(call, REPLAN__V1__STATUS__INVALID,
                               "resize.geometry.origin_yaw is %.17g, the world keeps its %.17g",
                               told->origin_yaw, frame->origin_yaw);
    }
    return told->frame_id[0] == '\0' || strcmp(told->frame_id, world->frame_id) == 0 ||
           !rp_call_refuse(call, REPLAN__V1__STATUS__INVALID,
                           "resize.geometry.frame_id is \"%s\", the world keeps its \"%s\"",
                           told->frame_id, world->frame_id);
}

/// Can the window be? Its first cell's coordinates must be ones that a pose may have.
/// @return false with the refusal filled in
static bool check_window(rp_call_t *call, const rp_served_t *world, const rp_window_t *window)
{
    const rp_engine_t *engine = call->serving->engine;
    rp_known_window_t known;
    uint32_t x;
    uint32_t y;
    if (rp_engine_find_unstated(engine, world->id, window, &x, &y)) {
        return !rp_call_refuse(call, REPLAN__V1__STATUS__INVALID,
                               "resize.rects: cell (%u, %u) is new, and neither they nor "
                               "resize.fill state it",
                               x, y);
    }
    const rp_status_t status = rp_engine_place(engine, world->id, window, &known);
    if (status == RP_OK && fabs(known.origin_x_m) <= RP_LIMIT_COORDINATE &&
        fabs(known.origin_y_m) <= RP_LIMIT_COORDINATE) {
        return true;
    }
    return !rp_call_refuse(
        call, REPLAN__V1__STATUS__INVALID,
        window->is_told ? "resize.geometry: the origin lies farther than %g metres, or cells can "
                          "be counted"
                        : "resize.x, resize.y: the origin would lie beyond %g metres",
        RP_LIMIT_COORDINATE);
}

/// Do the lattices of its agents fit into the window?
/// @return false with the refusal filled in
static bool check_motion(rp_call_t *call, const rp_served_t *world, uint64_t cells)
{
    const uint64_t before = (uint64_t)world->options.width * world->options.height;
    const rp_agent_t *crowded = rp_agents_find_crowded(world, cells);
    return crowded == NULL || cells <= before || rp_state_is_restoring(call->serving) ||
           !rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                           "resize: agent \"%s\" has motion, its %u headings times the cells of "
                           "the window are more than %llu",
                           crowded->name, crowded->headings,
                           (unsigned long long)RP_MOTION_POSES_MAX);
}

/// Make it so. @param before  what the world was until then
static bool resize_world(rp_call_t *call, rp_served_t *world, const Replan__V1__Resize *resize,
                         const rp_window_t *window)
{
    rp_serving_t *self = call->serving;
    const rp_known_window_t before = *rp_engine_window(self->engine, world->id, 0);
    const rp_cause_t cause = {0, self->now.wall_us};
    uint64_t version = 0;
    rp_world_deltas_publish(self, world); // those so far are in cells of the window as it was
    const rp_status_t status = rp_host_resize(self->host, world->id, window,
                                              rp_prepared_buffer(call->prepared), cause, &version);
    if (status == RP_E_UNSUPPORTED) {
        return rp_call_refuse(call, REPLAN__V1__STATUS__UNSUPPORTED,
                              "resize.world: \"%s\" wraps, it keeps its sides", world->name);
    }
    if (status != RP_OK) {
        return rp_call_refuse_status(call, status, "resize");
    }
    (void)rp_engine_shape(self->engine, world->id, &world->options.width, &world->options.height,
                          &world->options.frame);
    rp_world_quota_note_shapes(self, world);
    world->changed_us = self->now.steady_us;
    rp_serving_note_change(self, world, 0);
    rp_world_deltas_keep_window(self, world, &before, window, version);
    rp_log(RP_LOG_INFO, "world_resized", "name=%s window=%llu width=%u height=%u", world->name,
           (unsigned long long)rp_engine_window(self->engine, world->id, 0)->number, window->width,
           window->height);
    call->cells = (uint64_t)window->width * window->height;
    return rp_acknowledge_version(call, world, version, resize->wait);
}

bool rp_handle_resize(rp_call_t *call)
{
    const Replan__V1__Resize *resize = call->request->resize;
    rp_served_t *world = rp_call_world(call, resize->world);
    if (world == NULL || !rp_acknowledge_may_await(call, "resize.wait", resize->wait)) {
        return true;
    }
    rp_window_t window = rp_decode_resize(resize);
    window.staged_edit = rp_prepared_staged_edit(call->prepared);
    if ((resize->geometry != NULL && !keeps_frame(call, world, resize->geometry)) ||
        !check_window(call, world, &window)) {
        return true;
    }
    const uint64_t cells = (uint64_t)window.width * window.height;
    window.is_judged = rp_state_is_restoring(call->serving);
    if (!check_motion(call, world, cells)) {
        return true;
    }
    if (!rp_world_quota_has_room(call->serving, world, cells)) {
        return !rp_world_quota_refuse(call->serving, "resize", world, cells, &call->refusal);
    }
    return resize_world(call, world, resize, &window);
}

void rp_close_world(rp_serving_t *self, rp_served_t *world)
{
    rp_log(RP_LOG_INFO, "world_removed", "name=%s", world->name);
    self->stats.agents -= world->agent_count;
    rp_end_watches(self, world);
    rp_worlds_close(&self->worlds, self->host, world);
}

bool rp_handle_remove_world(rp_call_t *call)
{
    const Replan__V1__RemoveWorld *remove = call->request->remove_world;
    rp_served_t *world = rp_call_world(call, remove->world);
    if (world != NULL) {
        rp_close_world(call->serving, world);
    }
    return true;
}

// ---- list

/// One world with all that its info points to, in one piece of the arena.
typedef struct listed_world {
    Replan__V1__WorldInfo info;
    Replan__V1__Geometry geometry;
    Replan__V1__Head head;
    char *names[RP_LEFT_OUT_MAX];
} listed_world_t;

/// The world's own profiles as messages. @return false without memory
static bool list_profiles(rp_serving_t *self, const rp_served_t *world, Replan__V1__WorldInfo *info)
{
    Replan__V1__Profile *profiles =
        rp_message_arena_take(&self->arena, RP_PROFILES_MAX * sizeof(Replan__V1__Profile));
    info->profiles =
        rp_message_arena_take(&self->arena, RP_PROFILES_MAX * sizeof(Replan__V1__Profile *));
    if (profiles == NULL || info->profiles == NULL) {
        return false;
    }
    info->n_profiles = rp_encode_profiles(self, world, profiles);
    for (size_t i = 0; i < info->n_profiles; i++) {
        info->profiles[i] = &profiles[i];
    }
    return true;
}

bool rp_handle_list_worlds(rp_call_t *call)
{
    rp_serving_t *self = call->serving;
    const size_t count = self->worlds.count;
    Replan__V1__Worlds *worlds = rp_message_arena_take(&self->arena, sizeof *worlds);
    listed_world_t *listed = rp_message_arena_take(&self->arena, (count + 1u) * sizeof *listed);
    Replan__V1__WorldInfo **infos =
        rp_message_arena_take(&self->arena, (count + 1u) * sizeof(Replan__V1__WorldInfo *));
    if (worlds == NULL || listed == NULL || infos == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "list_worlds");
    }
    size_t i = 0;
    for (rp_served_t *world = self->worlds.by_name; world != NULL; world = world->hh.next, i++) {
        replan__v1__world_info__init(&listed[i].info);
        rp_encode_geometry(world, &listed[i].geometry);
        rp_encode_head(self, world, listed[i].names, &listed[i].head);
        listed[i].info.world = world->name;
        listed[i].info.geometry = &listed[i].geometry;
        listed[i].info.neighbors = world->options.neighbors;
        listed[i].info.wraps = world->options.wraps;
        listed[i].info.profile = (char *)world->profile;
        listed[i].info.head = &listed[i].head;
        listed[i].info.window = listed[i].head.window;
        listed[i].info.layers = rp_host_layers(self->host, world->id);
        if (!list_profiles(self, world, &listed[i].info)) {
            return rp_call_refuse_status(call, RP_E_MEMORY, "list_worlds");
        }
        infos[i] = &listed[i].info;
    }
    replan__v1__worlds__init(worlds);
    worlds->n_worlds = count;
    worlds->worlds = infos;
    call->reply.body_case = REPLAN__V1__REPLY__BODY_WORLDS;
    call->reply.worlds = worlds;
    return true;
}

// ---- mirrors

bool rp_handle_deltas_since(rp_call_t *call)
{
    const Replan__V1__DeltasSince *since = call->request->deltas_since;
    rp_serving_t *self = call->serving;
    const rp_served_t *world = rp_call_world(call, since->world);
    if (world == NULL) {
        return true;
    }
    if (since->epoch != world->epoch ||
        !rp_deltas_reach(&world->deltas, since->version, since->follows)) {
        return rp_call_refuse(call, REPLAN__V1__STATUS__GONE,
                              "deltas_since.version: the deltas kept start at version %llu of "
                              "epoch %llu; ask for a snapshot",
                              (unsigned long long)rp_deltas_oldest(&world->deltas, since->follows),
                              (unsigned long long)world->epoch);
    }
    const size_t most = (size_t)(world->deltas.newest - since->version);
    Replan__V1__Deltas *deltas = rp_message_arena_take(&self->arena, sizeof *deltas);
    ProtobufCBinaryData *list = rp_message_arena_take(&self->arena, (most + 1u) * sizeof *list);
    if (deltas == NULL || list == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "deltas_since");
    }
    replan__v1__deltas__init(deltas);
    deltas->epoch = world->epoch;
    deltas->version = world->deltas.newest;
    deltas->deltas = list;
    for (uint64_t version = since->version + 1u; version <= world->deltas.newest; version++) {
        const rp_delta_t *delta = rp_deltas_get(&world->deltas, version);
        list[deltas->n_deltas++] = (ProtobufCBinaryData){delta->size, delta->bytes};
    }
    call->reply.body_case = REPLAN__V1__REPLY__BODY_DELTAS;
    call->reply.deltas = deltas;
    return true;
}

bool rp_handle_get_snapshot(rp_call_t *call)
{
    const Replan__V1__GetSnapshot *snapshot = call->request->get_snapshot;
    rp_serving_t *self = call->serving;
    const rp_served_t *world = rp_call_world(call, snapshot->world);
    if (world == NULL) {
        return true;
    }
    if (snapshot->first_row >= world->options.height) {
        return rp_call_refuse(call, REPLAN__V1__STATUS__INVALID,
                              "get_snapshot.first_row is %u, the world has %u rows",
                              snapshot->first_row, world->options.height);
    }
    Replan__V1__Chunk *chunk = rp_message_arena_take(&self->arena, sizeof *chunk);
    Replan__V1__Geometry *geometry = rp_message_arena_take(&self->arena, sizeof *geometry);
    if (chunk == NULL || geometry == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "get_snapshot");
    }
    rp_encode_chunk(self, world, snapshot->first_row, geometry, chunk);
    call->reply.body_case = REPLAN__V1__REPLY__BODY_CHUNK;
    call->reply.chunk = chunk;
    return true;
}
