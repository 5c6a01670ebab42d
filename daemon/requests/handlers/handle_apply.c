/// Apply and Forgive.
#include "daemon/requests/handlers/handle_apply.h"

#include "daemon/requests/handlers/acknowledge.h"
#include "daemon/rules/changes.h"

bool rp_handle_apply(rp_call_t *call)
{
    const Replan__V1__Apply *apply = call->request->apply;
    rp_serving_t *self = call->serving;
    if (!rp_acknowledge_may_await(call, "apply.wait", apply->wait)) {
        return true;
    }
    rp_taken_t taken;
    if (!rp_changes_apply(self, apply->change, call->prepared, &taken, &call->refusal)) {
        self->stats.changes_refused++;
        return rp_call_refuse_window(call, apply->change->world);
    }
    const rp_served_t *world = rp_worlds_find(&self->worlds, apply->change->world);
    call->cells = (uint64_t)apply->change->width * apply->change->height + apply->change->n_cells;
    call->dropped = taken.dropped;
    return rp_acknowledge_version(call, world, taken.version, apply->wait);
}

bool rp_handle_forgive(rp_call_t *call)
{
    const Replan__V1__Forgive *forgive = call->request->forgive;
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
