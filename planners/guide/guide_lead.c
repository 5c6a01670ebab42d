#include "planners/guide/guide_lead.h"

#include "base/budget.h"

/// Expansions on a field that has not heard of the obstacles on the path: where a way round is
/// near, they find it in less time than a repair takes; else the field leads into what is closed
/// now, and a search on it would take up to seventeen times as long as one after the repair.
#define HASTY_MOST 128u

/// Then expansions on a field that was repaired where ways from the start cost no more than the old
/// one and so many moves: a repair of a third of the cells, as a rule. Ways that are longer lead
/// through cells whose values are too small.
#define NEAR_MOST  2000u
#define NEAR_MOVES 8u

rp_status_t rp_guide_lead_init(rp_guide_lead_t *self, const rp_grid_t *grid, uint32_t reach,
                               double body, uint32_t spread)
{
    *self = (rp_guide_lead_t){.goal = RP_NO_CELL};
    const rp_status_t status = rp_guide_ground_init(&self->ground, grid, reach, body, spread);
    return status == RP_OK
               ? rp_guide_field_init(&self->field, self->ground.guide.layer, grid->weighted)
               : status;
}

void rp_guide_lead_fini(rp_guide_lead_t *self)
{
    rp_guide_field_fini(&self->field);
    rp_guide_ground_fini(&self->ground);
}

uint64_t rp_guide_lead_bytes(const rp_guide_lead_t *self)
{
    return rp_guide_ground_bytes(&self->ground) + rp_guide_field_bytes(&self->field);
}

rp_status_t rp_guide_lead_see_ground(rp_guide_lead_t *self, bool *is_anew, uint64_t *budget)
{
    const rp_grid_t *grid = self->ground.grid;
    rp_status_t status = RP_OK;
    *is_anew = self->ground.is_lost || self->ground.scale != grid->scale;
    if (*is_anew) {
        rp_guide_field_fini(&self->field);
        status = rp_guide_ground_begin(&self->ground);
        if (status == RP_OK) {
            status = rp_guide_field_init(&self->field, self->ground.guide.layer, grid->weighted);
            self->ground.is_lost = status != RP_OK;
        }
    }
    return status == RP_OK ? rp_guide_ground_work(&self->ground, budget) : status;
}

void rp_guide_lead_aim(rp_guide_lead_t *self, rp_cell_t goal, const rp_guide_seed_t *seeds,
                       size_t count, bool is_other)
{
    self->goal = goal;
    self->seeds = seeds;
    self->seed_count = count;
    self->is_other = self->is_other || is_other;
    self->seeds_wait = seeds != NULL;
}

bool rp_guide_lead_is_behind(const rp_guide_lead_t *self)
{
    return self->ground.waiting_count != 0 || self->ground.guide.changed_count != 0 ||
           self->seeds_wait || self->is_other;
}

rp_status_t rp_guide_lead_tell(rp_guide_lead_t *self, uint64_t *budget)
{
    rp_guide_t *guide = &self->ground.guide;
    const rp_status_t status = rp_guide_ground_tell(&self->ground, budget);
    if (status != RP_OK) {
        return status;
    }
    if (!self->is_other) {
        rp_guide_field_apply(&self->field, guide->changed, guide->changed_count);
    } else if (self->seeds == NULL) {
        rp_guide_field_begin(&self->field, self->goal);
    }
    if (self->seeds_wait && self->is_other) {
        rp_guide_field_begin_from(&self->field, self->goal, self->seeds, self->seed_count);
    } else if (self->seeds_wait) {
        rp_guide_field_reseed(&self->field, self->seeds, self->seed_count);
    }
    rp_budget_pay(budget, guide->changed_count);
    guide->changed_count = 0;
    self->seeds_wait = false;
    self->is_other = false;
    return RP_OK;
}

void rp_guide_lead_choose(rp_guide_lead_t *self)
{
    self->is_hasty = !self->is_other && !self->ground.was_freed;
    self->is_near = false;
    self->hasty_left = HASTY_MOST;
}

void rp_guide_lead_calm(rp_guide_lead_t *self)
{
    self->is_hasty = !self->is_near;
    self->is_near = true;
    self->hasty_left = NEAR_MOST;
}

/// How much more than the old way others may cost, in whose cells values are right.
static uint32_t slack_of(const rp_guide_lead_t *self)
{
    const uint32_t near = self->is_near ? NEAR_MOVES * self->field.metric.cell_length : 0;
    return self->is_hasty ? near : RP_GUIDE_FIELD_NONE;
}

rp_status_t rp_guide_lead_see(rp_guide_lead_t *self, rp_cell_t from, uint32_t *level,
                              uint64_t *budget)
{
    const bool is_told = !self->is_hasty || self->is_near;
    rp_status_t status = is_told ? rp_guide_lead_tell(self, budget) : RP_OK;
    if (status == RP_OK) {
        status = rp_guide_field_lead(&self->field, from, slack_of(self), level, budget);
    }
    if (status == RP_OK && self->is_hasty) {
        self->is_hasty =
            rp_guide_lead_is_behind(self) || rp_guide_field_has_doubts(&self->field, *level);
    }
    return status;
}
