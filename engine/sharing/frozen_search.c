/// First the snapshot is made, then it is searched without disturbance. While the same session
/// needs it, snapshot and planner stay, and the snapshot only takes in what changed.
#include "engine/sharing/frozen_search.h"

#include "engine/sharing/planner_cache.h"

bool rp_frozen_search_is_for(const rp_frozen_search_t *self, const rp_session_t *user)
{
    return !self->is_busy || self->user == user;
}

void rp_frozen_search_fini(rp_frozen_search_t *self)
{
    rp_planner_destroy(&self->planner);
    rp_grid_snapshot_fini(&self->snapshot);
    *self = (rp_frozen_search_t){0};
}

void rp_frozen_search_forget(rp_frozen_search_t *self, const rp_session_t *user)
{
    if (self->user == user) {
        rp_frozen_search_fini(self);
    }
}

uint64_t rp_frozen_search_bytes(const rp_frozen_search_t *self)
{
    const uint64_t cells = self->snapshot.grid != NULL ? self->snapshot.grid->cell_count : 0;
    return 2u * cells + self->planner_bytes; // factors and moves
}

/// Serve this session from now on, with what can be used of what is there.
static rp_status_t take(rp_frozen_search_t *self, const rp_frozen_search_job_t *job)
{
    rp_status_t status = RP_OK;
    if (self->user != job->user && self->snapshot.layer != job->layer) {
        rp_frozen_search_fini(self);
    }
    if (self->planner != NULL && rp_planner_about(self->planner) != job->planner) {
        rp_planner_destroy(&self->planner);
    }
    if (self->snapshot.layer == NULL) {
        status = rp_grid_snapshot_init(&self->snapshot, job->layer, job->world_version);
    }
    self->user = job->user;
    self->is_busy = true;
    return status;
}

/// The snapshot is whole: begin to search it.
static rp_status_t begin(rp_frozen_search_t *self, const rp_frozen_search_job_t *job)
{
    rp_status_t status = RP_OK;
    if (self->planner == NULL) {
        status = rp_planner_new(job->planner->id, NULL, &self->planner);
        status = status == RP_OK ? rp_planner_bind(self->planner, self->snapshot.grid) : status;
    } else {
        rp_planner_start_over(self->planner);
    }
    return status == RP_OK ? rp_planner_set_start(self->planner, job->start) : status;
}

rp_status_t rp_frozen_search_work(rp_frozen_search_t *self, const rp_frozen_search_job_t *job,
                                  uint64_t *budget, rp_plan_t *plan, uint64_t *version)
{
    rp_status_t status = self->is_busy ? RP_OK : take(self, job);
    if (status == RP_OK && self->version == 0) {
        status = rp_grid_snapshot_work(&self->snapshot, job->world_version, budget);
        status = status == RP_OK ? begin(self, job) : status;
        self->version = status == RP_OK ? job->world_version : 0;
    }
    if (status == RP_OK) {
        status = rp_planner_set_goals(self->planner, job->goals, job->goal_count);
    }
    if (status == RP_OK) {
        status = rp_planner_plan(self->planner,
                                 rp_cached_planner_expansions(self->planner, *budget), plan);
        if (status == RP_OK) {
            rp_cached_planner_pay(self->planner, plan, budget);
        } else {
            *budget = 0;
        }
    }
    if (status == RP_OK) {
        *version = self->version;
        self->version = 0;
        self->is_busy = false;
        self->planner_bytes = plan->stats.bytes;
    } else if (status != RP_MORE) {
        rp_frozen_search_fini(self);
    }
    return status;
}
