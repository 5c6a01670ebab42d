/// A list linked through the planners, in the order of their last use.
#include "engine/sharing/planner_cache.h"

#include <stddef.h>

#include "base/budget.h"

/// Cells of a path that are written in the time of an expansion.
#define CELLS_WRITTEN 4u

static void file(rp_cached_planner_t *self, rp_planner_cache_t *of)
{
    self->of = of;
    self->newer = NULL;
    self->older = of->newest;
    if (of->newest != NULL) {
        of->newest->newer = self;
    } else {
        of->oldest = self;
    }
    of->newest = self;
    of->bytes += self->bytes;
    of->count++;
}

static void unfile(rp_cached_planner_t *self)
{
    rp_planner_cache_t *of = self->of;
    of->bytes -= self->bytes;
    of->count--;
    if (self->newer != NULL) {
        self->newer->older = self->older;
    } else {
        of->newest = self->older;
    }
    if (self->older != NULL) {
        self->older->newer = self->newer;
    } else {
        of->oldest = self->newer;
    }
}

rp_status_t rp_cached_planner_make(rp_cached_planner_t *self, rp_planner_cache_t *of,
                                   const char *planner, const rp_planner_options_t *options,
                                   const rp_grid_t *grid, uint64_t version)
{
    rp_planner_t *made = NULL;
    rp_status_t status = rp_planner_new(planner, options, &made);
    status = status == RP_OK ? rp_planner_bind(made, grid) : status;
    if (status != RP_OK) {
        rp_planner_destroy(&made);
        return status;
    }
    *self = (rp_cached_planner_t){.planner = made,
                                  .heard = version,
                                  .before = version,
                                  .term = ++of->terms,
                                  .bytes = rp_planner_bytes(made)};
    file(self, of);
    return RP_OK;
}

void rp_cached_planner_drop(rp_cached_planner_t *self)
{
    if (self->planner != NULL) {
        unfile(self);
        if (self->loan != NULL) {
            *self->loan = NULL;
        }
        rp_planner_destroy(&self->planner);
        *self = (rp_cached_planner_t){0};
    }
}

void rp_cached_planner_take(rp_cached_planner_t *self, rp_cached_planner_t *from)
{
    rp_cached_planner_drop(self);
    if (from->planner != NULL) {
        rp_planner_cache_t *of = from->of;
        unfile(from);
        *self = *from;
        *from = (rp_cached_planner_t){0};
        file(self, of);
    }
}

void rp_cached_planner_note_use(rp_cached_planner_t *self, bool has_begun_anew)
{
    rp_planner_cache_t *of = self->of;
    unfile(self);
    self->term = has_begun_anew ? ++of->terms : self->term;
    self->bytes = rp_planner_bytes(self->planner);
    self->is_at_rest = false;
    file(self, of);
}

uint64_t rp_cached_planner_expansions(const rp_planner_t *planner, uint64_t budget)
{
    return budget / rp_planner_price(planner) + 1u;
}

void rp_cached_planner_pay(const rp_planner_t *planner, const rp_plan_t *plan, uint64_t *budget)
{
    rp_budget_pay(budget, plan->stats.expanded * rp_planner_price(planner) +
                              plan->path.count / CELLS_WRITTEN);
}

void rp_cached_planner_idle(rp_cached_planner_t *self, bool may_work, uint64_t *budget)
{
    rp_planner_cache_t *of = self->of;
    const uint64_t most = rp_cached_planner_expansions(self->planner, *budget);
    const uint64_t price = rp_planner_price(self->planner);
    uint64_t left = most;
    const bool has_more = may_work && rp_planner_idle(self->planner, &left) == RP_MORE;
    rp_budget_pay(budget, (most - left) * price);
    of->bytes -= self->bytes;
    self->bytes = rp_planner_bytes(self->planner);
    of->bytes += self->bytes;
    self->is_at_rest = !has_more;
}

void rp_planner_cache_trim(rp_planner_cache_t *self, uint64_t bytes)
{
    while (self->bytes > bytes && self->oldest != self->newest) {
        rp_planner_cache_evict(self);
    }
}

void rp_planner_cache_evict(rp_planner_cache_t *self)
{
    if (self->oldest != NULL) {
        rp_cached_planner_drop(self->oldest);
        self->evicted++;
    }
}
