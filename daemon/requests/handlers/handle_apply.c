/// Apply and Forgive: changes that come through control; and what changes by PUB share with them.
#include "daemon/requests/handlers.h"

#include <stdio.h>
#include <string.h>

#include "daemon/process/log.h"
#include "daemon/requests/staged_request.h"
#include "daemon/requests/state.h"
#include "daemon/requests/window_shift.h"
#include "daemon/serving/encode.h"

/// A change is acknowledged after this long however far planning is behind.
#define PACED_MOST_US 1000000u

// ---- one change

rp_edit_t rp_edit_of(const Replan__V1__Change *change)
{
    const bool is_one_value = change->values.len == 1;
    return (rp_edit_t){
        .x = change->x,
        .y = change->y,
        .width = change->width,
        .height = change->height,
        .data = change->rect_case == REPLAN__V1__CHANGE__RECT_DATA ? change->data.data : NULL,
        .fill = change->rect_case == REPLAN__V1__CHANGE__RECT_FILL ? (uint8_t)change->fill : 0,
        .cells = change->cells,
        .values = is_one_value ? NULL : change->values.data,
        .value = is_one_value ? change->values.data[0] : 0,
        .cell_count = change->n_cells,
    };
}

void rp_keep_no_delta(rp_served_t *world)
{
    rp_deltas_add(&world->deltas, NULL, RP_LIMIT_DELTA_RING + 1u);
}

void rp_keep_delta(rp_daemon_t *self, rp_served_t *world, Replan__V1__Delta *delta,
                   uint64_t version)
{
    delta->world = world->name;
    delta->epoch = world->epoch;
    delta->version = version;
    delta->window = rp_engine_window(self->engine, world->id, 0)->number;
    const size_t size = protobuf_c_message_get_packed_size(&delta->base);
    if (size > RP_LIMIT_DELTA_RING || !rp_codec_pack(&self->packed, &delta->base)) {
        rp_keep_no_delta(world);
        return;
    }
    rp_deltas_add(&world->deltas, self->packed.bytes, self->packed.size);
}

bool rp_keep_rewritten(rp_daemon_t *self, rp_served_t *world, uint64_t version)
{
    rp_edit_t edit;
    if (!rp_engine_rewritten(self->engine, world->id, &edit)) {
        return false;
    }
    Replan__V1__Delta delta;
    replan__v1__delta__init(&delta);
    delta.n_cells = edit.cell_count;
    delta.cells = (uint32_t *)edit.cells; // the generated type knows no const
    delta.values = (ProtobufCBinaryData){edit.cell_count, (uint8_t *)edit.values};
    rp_keep_delta(self, world, &delta, version);
    return true;
}

/// The bytes of a rectangle without gaps. @return NULL without memory
static uint8_t *join_rows(rp_arena_t *arena, const rp_edit_t *edit)
{
    uint8_t *bytes = rp_arena_take(arena, (size_t)edit->width * edit->height);
    for (uint32_t row = 0; bytes != NULL && row < edit->height; row++) {
        memcpy(bytes + (size_t)row * edit->width, edit->data + (size_t)row * edit->stride,
               edit->width);
    }
    return bytes;
}

/// The delta of a version has the change's own form: it is what was written.
static void keep_delta(rp_daemon_t *self, rp_served_t *world, const rp_edit_t *edit,
                       uint64_t version)
{
    Replan__V1__Delta delta;
    const bool has_gaps = edit->data != NULL && edit->stride != 0 && edit->stride != edit->width;
    uint8_t *data = has_gaps ? join_rows(&self->arena, edit) : (uint8_t *)edit->data;
    if (has_gaps && data == NULL) {
        rp_keep_no_delta(world);
        return;
    }
    replan__v1__delta__init(&delta);
    delta.x = edit->x;
    delta.y = edit->y;
    delta.width = edit->width;
    delta.height = edit->height;
    if (edit->data != NULL) {
        delta.rect_case = REPLAN__V1__DELTA__RECT_DATA;
        delta.data = (ProtobufCBinaryData){(size_t)edit->width * edit->height, data};
    } else if (edit->width != 0) {
        delta.rect_case = REPLAN__V1__DELTA__RECT_FILL;
        delta.fill = edit->fill;
    }
    delta.n_cells = edit->cell_count;
    delta.cells = (uint32_t *)edit->cells; // the generated type knows no const
    delta.values.len = edit->values != NULL ? edit->cell_count : edit->cell_count != 0;
    delta.values.data = (uint8_t *)(edit->values != NULL ? edit->values : &edit->value);
    rp_keep_delta(self, world, &delta, version);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t greatest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/// Let the rectangle of a delta hold its single cells, too.
/// @param width  of the world
static void widen(Replan__V1__Delta *delta, uint32_t width)
{
    uint32_t end_x = delta->x + delta->width;
    uint32_t end_y = delta->y + delta->height;
    if (delta->width == 0) { // there is none yet
        delta->x = delta->y = UINT32_MAX;
        end_x = end_y = 0;
    }
    for (size_t i = 0; i < delta->n_cells; i++) {
        const uint32_t x = delta->cells[i] % width;
        const uint32_t y = delta->cells[i] / width;
        delta->x = least(delta->x, x);
        delta->y = least(delta->y, y);
        end_x = greatest(end_x, x + 1u);
        end_y = greatest(end_y, y + 1u);
    }
    delta->width = end_x - delta->x;
    delta->height = end_y - delta->y;
}

/// A delta beyond the limit of PUB: its rectangle is named, who needs the bytes asks for them.
static bool pack_name_only(rp_daemon_t *self, const rp_served_t *world, const rp_delta_t *kept)
{
    Replan__V1__Delta *delta = (Replan__V1__Delta *)rp_codec_unpack(
        &self->arena, &replan__v1__delta__descriptor, kept->bytes, kept->size);
    if (delta == NULL) {
        return false;
    }
    delta->only_names = true;
    widen(delta, world->options.width);
    delta->rect_case = REPLAN__V1__DELTA__RECT__NOT_SET;
    delta->n_cells = 0;
    delta->values.len = 0;
    return rp_codec_pack(&self->packed, &delta->base);
}

/// Another window: who mirrors the world asks for all of it.
static bool pack_window_name(rp_daemon_t *self, rp_served_t *world, uint64_t version)
{
    Replan__V1__Delta delta;
    replan__v1__delta__init(&delta);
    delta.world = world->name;
    delta.epoch = world->epoch;
    delta.version = version;
    delta.window = rp_engine_window(self->engine, world->id, 0)->number;
    delta.width = world->options.width;
    delta.height = world->options.height;
    delta.only_names = true;
    return rp_codec_pack(&self->packed, &delta.base);
}

void rp_publish_deltas(rp_daemon_t *self, rp_served_t *world)
{
    char topic[RP_LIMIT_TOPIC];
    (void)snprintf(topic, sizeof topic, "delta/%s/", world->name);
    while (world->published < world->deltas.newest) {
        const uint64_t version = ++world->published;
        const rp_delta_t *delta = rp_deltas_get(&world->deltas, version);
        const bool is_window = version == world->deltas.window;
        if (self->stats.subscriptions == 0 || (delta == NULL && !is_window)) {
            continue;
        }
        if (is_window) {
            if (pack_window_name(self, world, version)) {
                self->transport.publish(self->transport.user, topic, self->packed.bytes,
                                        self->packed.size);
            }
        } else if (delta->size <= RP_LIMIT_PUB_BYTES) {
            self->transport.publish(self->transport.user, topic, delta->bytes, delta->size);
        } else if (pack_name_only(self, world, delta)) {
            self->transport.publish(self->transport.user, topic, self->packed.bytes,
                                    self->packed.size);
        }
    }
}

/// Write a change that is inside the world.
static bool write_edit(rp_daemon_t *self, rp_served_t *world, const rp_edit_t *edit,
                       const rp_queued_t *queued, uint64_t source_us, uint64_t *version,
                       rp_refusal_t *refusal)
{
    rp_shared_buffer_t *buffer = queued != NULL ? queued->buffer : NULL;
    const rp_cause_t cause = {source_us, self->now.wall_us};
    const rp_status_t status = rp_host_apply(self->host, world->id, edit, buffer, cause, version);
    if (status != RP_OK) {
        return rp_refuse(refusal, rp_encode_status(status), "change: %s", rp_status_text(status));
    }
    world->changed_us = self->now.steady_us;
    self->stats.changes_applied++;
    self->stats.cells_written += (uint64_t)edit->width * edit->height + edit->cell_count;
    if (!rp_keep_rewritten(self, world, *version)) {
        keep_delta(self, world, edit, *version);
    }
    return true;
}

/// Write a change in cells of the window that it names.
static bool write_change(rp_daemon_t *self, rp_served_t *world, const Replan__V1__Change *change,
                         const rp_queued_t *queued, rp_taken_t *taken, rp_refusal_t *refusal)
{
    const rp_staged_request_t *staged = queued != NULL ? queued->staged : NULL;
    rp_staged_edit_t *staged_edit = rp_staged_request_draft(queued);
    const bool is_drafted = staged_edit != NULL && rp_staged_edit_is_ready(staged_edit);
    rp_edit_t edit;
    if (staged != NULL && (staged->is_placed || is_drafted)) { // known to lie inside
        edit = staged->edit;
        taken->dropped = staged->dropped;
    } else {
        rp_window_shift_t shift;
        if (!rp_window_shift_find(self, world, "change", change->epoch, change->window, &shift,
                                  refusal) ||
            !rp_window_shift_change(&self->arena, change, &shift, &edit, &taken->dropped,
                                    refusal)) {
            return false;
        }
    }
    edit.staged_edit = staged_edit;
    self->stats.cells_dropped += taken->dropped;
    return write_edit(self, world, &edit, queued, change->source_us, &taken->version, refusal);
}

/// Say that changes of this one's publisher were lost before it.
static void tell_gap(rp_daemon_t *self, rp_served_t *world, const Replan__V1__Change *change)
{
    const unsigned long long sequence = change->sequence;
    rp_refusal_t notice;
    self->stats.changes_gaps++;
    (void)rp_refuse(&notice, REPLAN__V1__STATUS__OK,
                    "changes of \"%s\" before sequence %llu were lost", change->publisher,
                    sequence);
    rp_log(RP_LOG_WARN, "gap", "world=%s publisher=%s sequence=%llu", world->name,
           change->publisher, sequence);
    rp_publish_notice(self, world->name, &notice, change, true);
    world->head_moved = true;
}

/// Whether a numbered change is to be written. @return false when it is not, refused or a repeat
static bool is_news(rp_daemon_t *self, const rp_served_t *world, const Replan__V1__Change *change,
                    uint64_t *version, rp_refusal_t *refusal)
{
    const char *publisher = change->publisher;
    switch (rp_publishers_judge(&world->publishers, publisher, change->incarnation,
                                change->sequence, version)) {
    case RP_ARRIVAL_REPEATED:
        self->stats.changes_repeated++;
        return false;
    case RP_ARRIVAL_LATE:
        self->stats.changes_late++;
        return rp_refuse(refusal, REPLAN__V1__STATUS__LATE,
                         "change.sequence %llu of \"%s\" comes too late: a newer one was applied",
                         (unsigned long long)change->sequence, publisher);
    case RP_ARRIVAL_TOO_MANY:
        return rp_refuse(refusal, REPLAN__V1__STATUS__LIMIT,
                         "change.publisher \"%s\" is one more than the limit of %u a world",
                         publisher, RP_LIMIT_PUBLISHERS);
    case RP_ARRIVAL_NEXT:
    case RP_ARRIVAL_GAP:
        break;
    }
    return true;
}

bool rp_apply_change(rp_daemon_t *self, const Replan__V1__Change *change, const rp_queued_t *queued,
                     rp_taken_t *taken, rp_refusal_t *refusal)
{
    rp_served_t *world = rp_worlds_find(&self->worlds, change->world);
    *taken = (rp_taken_t){0};
    if (world == NULL) {
        return rp_refuse(refusal, REPLAN__V1__STATUS__UNKNOWN,
                         "change.world: there is no world \"%s\"", change->world);
    }
    const bool is_numbered = change->publisher[0] != '\0';
    if (is_numbered && !is_news(self, world, change, &taken->version, refusal)) {
        return refusal->status == REPLAN__V1__STATUS__OK;
    }
    if (!write_change(self, world, change, queued, taken, refusal)) {
        return false;
    }
    if (is_numbered &&
        rp_publishers_note(&world->publishers, change->publisher, change->incarnation,
                           change->sequence, change->repairs_through, taken->version)) {
        tell_gap(self, world, change);
    }
    return true;
}

bool rp_lose_change(rp_daemon_t *self, const Replan__V1__Change *change)
{
    rp_served_t *world = rp_worlds_find(&self->worlds, change->world);
    if (world == NULL || change->publisher[0] == '\0') {
        return false;
    }
    const bool is_new = rp_publishers_lose(&world->publishers, change->publisher,
                                           change->incarnation, change->sequence);
    rp_state_note_lost(self, change);
    if (!is_new) {
        return false;
    }
    self->stats.changes_gaps++;
    world->head_moved = true;
    return true;
}

// ---- requests

/// The agents that said something new since the version was applied.
static void name_changed(rp_daemon_t *self, const rp_served_t *world, uint64_t version,
                         Replan__V1__Applied *applied)
{
    char **agents = rp_arena_take(&self->arena, (world->agent_count + 1u) * sizeof(char *));
    // What was published before the version was made was said before it.
    rp_agent_t *agent = rp_worlds_next_said(world, NULL, version);
    for (; agents != NULL && agent != NULL; agent = rp_worlds_next_said(world, agent, version)) {
        if (rp_host_last_published(self->host, agent->session) >= version) {
            agents[applied->n_changed_agents++] = agent->name;
        }
    }
    applied->changed_agents = agents;
}

/// Reply with the agents whose answer became another, and those that were not waited for.
void rp_finish_apply(rp_call_t *call, const rp_served_t *world, uint64_t version)
{
    rp_daemon_t *self = call->daemon;
    char *overdue[RP_LEFT_OUT_MAX];
    rp_left_out_t left_out;
    rp_arena_reset(&self->arena);
    Replan__V1__Applied *applied = rp_call_put_applied(call, world, version);
    if (applied != NULL) {
        name_changed(self, world, version, applied);
        (void)rp_host_settled(self->host, world->id, &left_out);
        applied->n_overdue_agents = rp_encode_names(self, &left_out, overdue);
        applied->overdue_agents = overdue;
    }
    rp_call_reply(call);
}

void rp_finish_pace(rp_call_t *call, const rp_served_t *world, uint64_t version)
{
    rp_arena_reset(&call->daemon->arena);
    (void)rp_call_put_applied(call, world, version);
    rp_call_reply(call);
}

bool rp_call_may_await(rp_call_t *call, const char *field, Replan__V1__Wait wait)
{
    const rp_state_t *state = call->daemon->state;
    if (wait == REPLAN__V1__WAIT__DURABLE && state == NULL) {
        return !rp_call_refuse(call, REPLAN__V1__STATUS__UNSUPPORTED,
                               "%s: this daemon keeps nothing on disk, see repland --state", field);
    }
    const bool waits = wait != REPLAN__V1__WAIT__APPLIED || rp_state_is_disk(state);
    return !waits || rp_call_may_wait(call);
}

bool rp_call_applied(rp_call_t *call, const rp_served_t *world, uint64_t version,
                     Replan__V1__Wait awaited)
{
    rp_daemon_t *self = call->daemon;
    call->window = rp_engine_window(self->engine, world->id, 0)->number;
    rp_pending_reply_t wait = {.kind = RP_PENDING_SETTLED,
                               .epoch = world->epoch,
                               .version = version,
                               .window = call->window,
                               .dropped = call->dropped};
    memcpy(wait.world, world->name, sizeof wait.world);
    if (call->peer == NULL) {
        (void)rp_call_put_applied(call, world, version);
        return true;
    }
    if (awaited == REPLAN__V1__WAIT__DURABLE || rp_state_is_disk(self->state)) {
        rp_state_hasten(self);
        wait.kind = awaited == REPLAN__V1__WAIT__SETTLED ? RP_PENDING_SETTLED : RP_PENDING_DURABLE;
    } else if (awaited != REPLAN__V1__WAIT__SETTLED) {
        // Who sends more than a window gets no slower by what it does not wait for.
        if (rp_daemon_may_acknowledge(self, call->cells) ||
            !rp_pending_replies_have_room(&self->waits, call->peer)) {
            (void)rp_call_put_applied(call, world, version);
            return true;
        }
        const uint64_t most_us = self->now.steady_us + PACED_MOST_US;
        wait.kind = RP_PENDING_PACE;
        wait.cells = call->cells;
        call->deadline_us = call->deadline_us < most_us ? call->deadline_us : most_us;
        self->stats.changes_paced++;
    }
    return rp_call_wait(call, &wait);
}

bool rp_handle_apply(rp_call_t *call, const Replan__V1__Apply *apply)
{
    rp_daemon_t *self = call->daemon;
    if (!rp_call_may_await(call, "apply.wait", apply->wait)) {
        return true;
    }
    rp_taken_t taken;
    if (!rp_apply_change(self, apply->change, call->queued, &taken, &call->refusal)) {
        self->stats.changes_refused++;
        return rp_call_refuse_window(call, apply->change->world);
    }
    const rp_served_t *world = rp_worlds_find(&self->worlds, apply->change->world);
    call->cells = (uint64_t)apply->change->width * apply->change->height + apply->change->n_cells;
    call->dropped = taken.dropped;
    return rp_call_applied(call, world, taken.version, apply->wait);
}

bool rp_handle_forgive(rp_call_t *call, const Replan__V1__Forgive *forgive)
{
    rp_served_t *world = rp_call_world(call, forgive->world);
    if (world == NULL) {
        return true;
    }
    if (!rp_publishers_forgive(&world->publishers, forgive->publisher)) {
        return rp_call_refuse(call, REPLAN__V1__STATUS__UNKNOWN,
                              "forgive.publisher: \"%s\" never published to world \"%s\"",
                              forgive->publisher, world->name);
    }
    world->head_moved = true;
    return true;
}
