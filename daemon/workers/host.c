/// What all hosts share.
#include "daemon/workers/host.h"

#include "msgs/limits.h"

rp_progress_t rp_progress_of(const rp_engine_t *engine, rp_world_id_t world,
                             rp_session_id_t *overdue, size_t *count)
{
    const uint64_t patience_us = RP_LIMIT_OVERDUE_MS * UINT64_C(1000);
    return (rp_progress_t){
        .settled = rp_engine_settled_but(engine, world, patience_us, overdue, count),
    };
}

void rp_progress_add(rp_progress_t *self, const rp_progress_t *other)
{
    self->settled = other->settled < self->settled ? other->settled : self->settled;
}

rp_status_t rp_host_open_placed(rp_engine_t *authority, const rp_world_options_t *options,
                                rp_world_id_t *world)
{
    rp_world_id_t opened;
    const rp_status_t status = rp_engine_open_world(authority, options, &opened);
    if (status != RP_OK) {
        return status;
    }
    if (rp_id_place(opened) > RP_LIMIT_WORLDS) {
        (void)rp_engine_close_world(authority, opened);
        return RP_E_LIMIT;
    }
    *world = opened;
    return RP_OK;
}

rp_status_t rp_host_init(rp_host_t *self, const rp_host_ops_t *ops, uint64_t memory_bytes)
{
    *self = (rp_host_t){.ops = ops, .world_copies = 1, .layer_copies = 1};
    const rp_status_t status = rp_engine_new(&self->authority);
    if (status == RP_OK) {
        rp_engine_limit_memory(self->authority, memory_bytes);
    }
    return status;
}

void rp_host_fini(rp_host_t *self)
{
    rp_engine_destroy(&self->authority);
}

void rp_host_destroy(rp_host_t **self)
{
    if (*self != NULL) {
        (*self)->ops->destroy(*self);
        *self = NULL;
    }
}

const rp_engine_t *rp_host_authority(const rp_host_t *self)
{
    return self->authority;
}

rp_status_t rp_host_stage(rp_host_t *self, rp_world_id_t world, const rp_staged_kind_t *what,
                          rp_staged_edit_t **staged)
{
    return rp_engine_stage(self->authority, world, what, staged);
}

bool rp_host_idle(rp_host_t *self, uint64_t budget)
{
    return rp_engine_idle(self->authority, budget);
}
