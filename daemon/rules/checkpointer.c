/// Everything as requests.
#include "daemon/rules/checkpointer.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/serving/encode.h"
#include "msgs/request.h"

/// Agents that are written at once: each takes about a microsecond. Those with much to tell count
/// by their bytes.
#define AGENTS_A_STEP 512u

/// When the world changed last, by the wall clock.
static uint64_t changed_us(const rp_serving_t *serving, const rp_served_t *world)
{
    return serving->now.wall_us - (serving->now.steady_us - world->changed_us);
}

static char *text(const char *constant)
{
    return (char *)constant; // the generated types know no const
}

// ---- worlds

/// A world of one byte everywhere; its own bytes come later. Its versions count on from the newest.
static bool write_world(rp_checkpointer_t *self, const rp_serving_t *serving,
                        const rp_served_t *world)
{
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry;
    Replan__V1__Profile profiles[RP_PROFILES_MAX];
    Replan__V1__Profile *list[RP_PROFILES_MAX];
    const uint64_t version = rp_engine_version(serving->engine, world->id);
    uint64_t words[RP_KEPT_WORDS_MAX];
    const size_t count = rp_windows_keep(rp_engine_windows(serving->engine, world->id),
                                         &world->epochs, world->epoch, words);
    rp_encode_geometry(world, &geometry);
    create.world = text(world->name);
    create.geometry = &geometry;
    create.neighbors = world->options.neighbors;
    create.wraps = world->options.wraps;
    create.profile = text(world->profile);
    create.expect_every_ms = world->expect_every_ms;
    create.n_profiles = rp_encode_profiles(serving, world, profiles);
    create.profiles = list;
    for (size_t i = 0; i < create.n_profiles; i++) {
        list[i] = &profiles[i];
    }
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    return rp_checkpoint_world(&self->to, changed_us(serving, world), version, words, count,
                               &request);
}

/// Each change of a publisher that it may repeat, as one that says of a cell what it is. What it
/// lost shows by the numbers between; what an older incarnation lost does not, and is lost again
/// before.
static bool write_publishers(rp_checkpointer_t *self, const rp_serving_t *serving,
                             const rp_served_t *world)
{
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    uint32_t cell = 0;
    uint8_t byte = rp_engine_beneath(serving->engine, world->id)[0];
    change.world = text(world->name);
    change.n_cells = 1;
    change.cells = &cell;
    change.values = (ProtobufCBinaryData){1, &byte};
    apply.change = &change;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &apply);
    rp_past_change_t heard = {0};
    bool is_written = true;
    for (const rp_publisher_t *before = NULL;
         is_written && rp_publishers_next(&world->publishers, &heard); before = heard.publisher) {
        change.publisher = text(heard.name);
        change.repairs_through = heard.has_gap ? 0 : heard.sequence;
        if (heard.publisher != before && heard.has_gap && heard.incarnation > 1u) {
            change.incarnation = heard.incarnation - 1u;
            change.sequence = 2;
            is_written = rp_checkpoint_request(&self->to, changed_us(serving, world), &request);
        }
        change.incarnation = heard.incarnation;
        change.sequence = heard.sequence;
        is_written =
            is_written && rp_checkpoint_request(&self->to, changed_us(serving, world), &request);
    }
    return is_written;
}

/// Each publisher whose last change was lost: no number behind it tells.
static bool write_lost(rp_checkpointer_t *self, const rp_serving_t *serving,
                       const rp_served_t *world)
{
    Replan__V1__Forgive forgive = REPLAN__V1__FORGIVE__INIT;
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    change.world = forgive.world = text(world->name);
    Replan__V1__Request request = RP_REQUEST(FORGIVE, forgive, &forgive);
    rp_past_change_t heard = {0};
    bool is_written = true;
    while (is_written && rp_publishers_next_lost(&world->publishers, &heard)) {
        change.publisher = forgive.publisher = text(heard.name);
        change.incarnation = heard.incarnation;
        change.sequence = heard.sequence;
        is_written = rp_checkpoint_lost(&self->to, changed_us(serving, world), &change) &&
                     (heard.has_gap ||
                      rp_checkpoint_request(&self->to, changed_us(serving, world), &request));
    }
    return is_written;
}

static bool write_shapes(rp_checkpointer_t *self, const rp_served_t *world)
{
    for (const rp_last_request_shape_t *shape = world->shapes.by_id; shape != NULL;
         shape = shape->hh.next) {
        if (!rp_checkpoint_last(&self->to, shape->put_us, &shape->put)) {
            return false;
        }
    }
    return true;
}

// ---- agents

static bool write_pose(rp_checkpointer_t *self, const rp_serving_t *serving,
                       const rp_agent_t *agent)
{
    const rp_last_request_pose_t *last = &agent->last.pose;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    pose.world = text(agent->world->name);
    pose.agent = text(agent->name);
    pose.x = last->x_m;
    pose.y = last->y_m;
    pose.yaw = last->yaw;
    pose.pose_seq = last->pose_seq;
    pose.source_us = last->source_us;
    Replan__V1__Request request = RP_REQUEST(SET_POSE, set_pose, &pose);
    return !last->is_there || rp_checkpoint_request(&self->to, serving->now.wall_us, &request);
}

/// The agent whose session had a place when the checkpoint began; NULL when nobody's had.
static const rp_agent_t *holder_of(const rp_checkpointer_t *self, const rp_serving_t *serving,
                                   uint32_t place)
{
    const rp_session_id_t key = place;
    const rp_agent_t *gone;
    HASH_FIND(hh, self->gone, &key, sizeof key, gone);
    const rp_agent_t *agent = rp_worlds_agent_at(&serving->worlds, place);
    return gone != NULL ? gone : agent != NULL && agent->opened <= self->opened ? agent : NULL;
}

static bool write_agent(rp_checkpointer_t *self, const rp_serving_t *serving,
                        const rp_agent_t *agent)
{
    const uint64_t now_us = serving->now.wall_us;
    return rp_checkpoint_handle(&self->to, agent->handle) &&
           rp_checkpoint_last(&self->to, now_us, &agent->last.open) && // none of one that appeared
           write_pose(self, serving, agent) &&
           rp_checkpoint_last(&self->to, now_us, &agent->last.goal);
}

/// The next agents by the places of their sessions.
static bool write_agents(rp_checkpointer_t *self, const rp_serving_t *serving)
{
    size_t bytes = 0;
    bool is_written = true;
    for (unsigned i = 0; is_written && self->place < self->place_end && i < AGENTS_A_STEP &&
                         bytes < RP_LIMIT_CHUNK_BYTES;
         i++, self->place++) {
        const rp_agent_t *agent = holder_of(self, serving, self->place);
        is_written = agent == NULL || write_agent(self, serving, agent);
        bytes += agent != NULL ? agent->last.open.size + agent->last.goal.size : 0u;
    }
    return is_written;
}

bool rp_checkpointer_bury(rp_checkpointer_t *self, rp_agent_t *agent)
{
    const uint32_t place = rp_id_place(agent->session);
    const bool has_turn =
        place >= self->place && place < self->place_end && agent->opened <= self->opened;
    if (!self->is_begun || !has_turn) {
        return true;
    }
    rp_agent_t *gone = malloc(sizeof *gone);
    if (gone == NULL) {
        rp_checkpointer_drop(self);
        return false;
    }
    *gone = *agent;
    gone->session = place; // by which it is found
    agent->last = (rp_last_request_agent_t){.waypoint = 0};
    HASH_ADD(hh, self->gone, session, sizeof gone->session, gone);
    return true;
}

static void forget_gone(rp_checkpointer_t *self)
{
    rp_agent_t *gone;
    rp_agent_t *next;
    HASH_ITER(hh, self->gone, gone, next)
    {
        HASH_DEL(self->gone, gone); // NOLINT(clang-analyzer-unix.Malloc): freed once each
        rp_last_request_agent_fini(&gone->last);
        free(gone);
    }
}

// ---- the checkpoint

/// No session has a greater place.
static uint32_t end_of_places(const rp_worlds_t *worlds)
{
    uint32_t end = worlds->session_capacity;
    while (end > 1u && worlds->by_session[end - 1u] == NULL) {
        end--;
    }
    return end;
}

bool rp_checkpointer_begin(rp_checkpointer_t *self, const rp_serving_t *serving)
{
    if (self->rows == NULL) {
        self->rows = malloc(RP_LIMIT_CHUNK_BYTES);
    }
    if (self->rows == NULL || !rp_journal_begin_checkpoint(self->to.journal)) {
        return false;
    }
    forget_gone(self);
    self->opened = serving->worlds.opened;
    self->place = 1;
    self->place_end = end_of_places(&serving->worlds);
    self->world = 1;
    self->row = 0;
    self->epoch = serving->worlds.last_epoch;
    self->is_begun = rp_checkpoint_handle(&self->to, rp_handles_mark(&serving->worlds.handles));
    for (const rp_served_t *world = serving->worlds.by_name; world != NULL;
         world = world->hh.next) {
        self->is_begun = self->is_begun && write_world(self, serving, world) &&
                         write_publishers(self, serving, world) &&
                         write_lost(self, serving, world) && write_shapes(self, world);
    }
    return self->is_begun;
}

/// The next rows of a world. @return false when the journal cannot
static bool write_rows(rp_checkpointer_t *self, const rp_serving_t *serving,
                       const rp_served_t *world)
{
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    const uint32_t width = world->options.width;
    const uint32_t left = world->options.height - self->row;
    const uint32_t fitting = RP_LIMIT_CHUNK_BYTES / width;
    change.world = text(world->name);
    change.y = self->row;
    change.width = width;
    change.height = left < fitting ? left : fitting;
    change.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change.data = (ProtobufCBinaryData){(size_t)change.height * width, self->rows};
    memcpy(self->rows, rp_engine_beneath(serving->engine, world->id) + (size_t)self->row * width,
           change.data.len);
    apply.change = &change;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &apply);
    self->row += change.height;
    return rp_checkpoint_request(&self->to, changed_us(serving, world), &request);
}

bool rp_checkpointer_step(rp_checkpointer_t *self, const rp_serving_t *serving)
{
    if (self->place < self->place_end) {
        self->is_begun = write_agents(self, serving);
        return self->is_begun;
    }
    forget_gone(self);
    while (self->world <= RP_LIMIT_WORLDS) {
        const rp_served_t *world = serving->worlds.by_id[self->world];
        // One that came later is told by the log.
        if (world == NULL || world->epoch > self->epoch || self->row == world->options.height) {
            self->world++;
            self->row = 0;
            continue;
        }
        self->is_begun = write_rows(self, serving, world);
        return self->is_begun;
    }
    self->is_begun = false;
    return rp_journal_end_checkpoint(self->to.journal,
                                     serving->worlds.last_epoch); // later ones are greater
}

void rp_checkpointer_drop(rp_checkpointer_t *self)
{
    if (self->is_begun) {
        self->is_begun = false;
        forget_gone(self);
        rp_journal_drop_checkpoint(self->to.journal);
    }
}

void rp_checkpointer_fini(rp_checkpointer_t *self)
{
    forget_gone(self);
    rp_checkpoint_fini(&self->to);
    free(self->rows);
    self->rows = NULL;
}
