/// One change: its world, its number, its cells, its delta.
#include "daemon/rules/changes.h"

#include "daemon/process/log.h"
#include "daemon/rules/state.h"
#include "daemon/rules/window_shift.h"
#include "daemon/rules/world_deltas.h"
#include "daemon/serving/encode.h"

/// Write a change that is inside the world.
static bool write_edit(rp_serving_t *self, rp_served_t *world, const rp_edit_t *edit,
                       const rp_prepared_t *prepared, uint64_t source_us, uint64_t *version,
                       rp_refusal_t *refusal)
{
    const rp_cause_t cause = {source_us, self->now.wall_us};
    const rp_status_t status =
        rp_host_apply(self->host, world->id, edit, rp_prepared_buffer(prepared), cause, version);
    if (status != RP_OK) {
        return rp_refuse(refusal, rp_encode_status(status), "change: %s", rp_status_text(status));
    }
    world->changed_us = self->now.steady_us;
    rp_serving_note_change(self, world, (uint64_t)edit->width * edit->height + edit->cell_count);
    if (!rp_world_deltas_keep_rewritten(self, world, *version)) {
        rp_world_deltas_keep_edit(self, world, edit, *version);
    }
    return true;
}

/// Write a change in cells of the window that it names.
static bool write_change(rp_serving_t *self, rp_served_t *world, const Replan__V1__Change *change,
                         const rp_prepared_t *prepared, rp_taken_t *taken, rp_refusal_t *refusal)
{
    rp_staged_edit_t *staged_edit = rp_prepared_staged_edit(prepared);
    const bool is_staged = staged_edit != NULL && rp_staged_edit_is_ready(staged_edit);
    rp_edit_t edit;
    if (prepared != NULL && (prepared->is_placed || is_staged)) { // known to lie inside
        edit = prepared->edit;
        taken->dropped = prepared->dropped;
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
    return write_edit(self, world, &edit, prepared, change->source_us, &taken->version, refusal);
}

/// Say that changes of this one's publisher were lost before it.
static void tell_gap(rp_serving_t *self, rp_served_t *world, const Replan__V1__Change *change)
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
static bool is_news(rp_serving_t *self, const rp_served_t *world, const Replan__V1__Change *change,
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

bool rp_changes_apply(rp_serving_t *self, const Replan__V1__Change *change,
                      const rp_prepared_t *prepared, rp_taken_t *taken, rp_refusal_t *refusal)
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
    if (!write_change(self, world, change, prepared, taken, refusal)) {
        return false;
    }
    if (is_numbered &&
        rp_publishers_note(&world->publishers, change->publisher, change->incarnation,
                           change->sequence, change->repairs_through, taken->version)) {
        tell_gap(self, world, change);
    }
    return true;
}

bool rp_changes_lose(rp_serving_t *self, const Replan__V1__Change *change)
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
