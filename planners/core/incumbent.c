/// What a walk costs, as its member counts and as users do, against what the member knows.
#include "planners/core/incumbent.h"

static uint32_t offset_at_end(const rp_incumbent_t *self, const rp_goal_set_t *goals)
{
    return rp_goal_set_offset(goals, self->walk->end);
}

static uint64_t units(const rp_incumbent_t *self, const rp_instance_t *instance,
                      const rp_goal_set_t *goals)
{
    return rp_instance_units(instance, self->walk, offset_at_end(self, goals));
}

bool rp_incumbent_holds(const rp_incumbent_t *self, const rp_instance_t *instance,
                        const rp_goal_set_t *goals)
{
    return instance->ops->cost(instance->state) == units(self, instance, goals);
}

bool rp_incumbent_stands(const rp_incumbent_t *self, const rp_instance_t *instance,
                         const rp_goal_set_t *goals, rp_cell_t start)
{
    return self->was_cheapest &&
           instance->ops->confirm(instance->state, start, units(self, instance, goals));
}

rp_plan_t rp_incumbent_plan(const rp_incumbent_t *self, const rp_instance_t *instance,
                            const rp_goal_set_t *goals)
{
    return (rp_plan_t){.outcome = RP_OUTCOME_FOUND,
                       .cost =
                           rp_walk_cost(self->walk, instance->grid) + offset_at_end(self, goals),
                       .units = units(self, instance, goals)};
}
