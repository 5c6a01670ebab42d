/// @file
/// An instance: a member with costs of the width that a grid needs, its table for 32 or for 64 bits
/// and its state, bound to that grid.
#ifndef REPLAN_PLANNERS_CORE_INSTANCE_H
#define REPLAN_PLANNERS_CORE_INSTANCE_H

#include "planners/core/registry.h"
#include "planners/grid/member_options.h"

typedef struct rp_instance {
    const rp_planner_ops_t *ops; ///< bound now, or last
    void *state;                 ///< owned; the member's, zeroed when not bound
    rp_arena_t arena;            ///< its arrays, and those of the path that it shows
    const rp_grid_t *grid;       ///< borrowed; NULL when not bound
    uint32_t scale;              ///< the grid's when bound: another one makes old costs void
    uint32_t offset;             ///< the greatest of goals when bound
    uint64_t met_bytes;          ///< bytes that the member held when its last search ended
    const rp_planner_member_t *member;
    rp_member_options_t options;
} rp_instance_t;

/// @param options  copied
/// @return RP_E_UNKNOWN without such a member, RP_E_UNSUPPORTED when it has not what the options
///         choose, RP_E_MEMORY; nothing is held then
rp_status_t rp_instance_init(rp_instance_t *self, const char *id,
                             const rp_member_options_t *options);

/// Unbinds it first, leaving nothing as deferred_free.
void rp_instance_fini(rp_instance_t *self);

/// Bind to a grid with costs of the width that holds every path there, and the goals' offsets on
/// top.
/// @param grid             borrowed until unbound
/// @param greatest_offset  of all goals
/// @return RP_E_UNSUPPORTED, RP_E_MEMORY; it is not bound then
rp_status_t rp_instance_bind(rp_instance_t *self, const rp_grid_t *grid, uint32_t greatest_offset);

/// @param deferred_free  where the grid leaves its arrays, or NULL
void rp_instance_unbind(rp_instance_t *self, rp_deferred_free_t *deferred_free);

/// True when goals with this offset get the same instance on this grid, which was not rescaled.
bool rp_instance_holds(const rp_instance_t *self, uint32_t greatest_offset);

/// True while the grid, which may have been rescaled or grown dearer, would get the same instance.
static inline bool rp_instance_fits(const rp_instance_t *self, uint32_t greatest_offset)
{
    return self->scale == self->grid->scale &&
           (greatest_offset == self->offset || rp_instance_holds(self, greatest_offset));
}

/// True when the member can do all of this, or takes it in natively (enum rp_capability).
static inline bool rp_instance_can(const rp_instance_t *self, uint32_t capabilities)
{
    return (self->ops->info.capabilities & capabilities) == capabilities;
}

/// What a walk on this grid costs as the member counts.
/// @param offset  of the goal at its end
uint64_t rp_instance_units(const rp_instance_t *self, const rp_walk_t *walk, uint32_t offset);

/// As rp_planner_price().
/// @param expanded  by the search under way
uint32_t rp_instance_price(const rp_instance_t *self, uint64_t expanded);

#endif
