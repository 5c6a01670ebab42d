/// @file
/// The path that a member wrote last, which is not the one that is shown. The member's next path
/// may leave out cells that stand (rp_path_stands_t). So the last one is kept here, to put the next
/// one together as a whole.
#ifndef REPLAN_PLANNERS_PORTFOLIO_MEMBER_PATH_H
#define REPLAN_PLANNERS_PORTFOLIO_MEMBER_PATH_H

#include <string.h>

#include "base/arena.h"
#include "planners/core/planner_ops.h"

typedef struct rp_member_path {
    rp_cell_t *cells; ///< owned [2 * capacity]; behind `capacity`, room for another path
    uint32_t count;   ///< 0: nothing is kept, and the member writes the next path as a whole
    uint32_t capacity;
} rp_member_path_t;

static inline void rp_member_path_init(rp_member_path_t *self, uint32_t capacity, rp_arena_t *arena)
{
    *self = (rp_member_path_t){
        .cells = rp_arena_new_sparse(arena, 2u * (size_t)capacity, sizeof *self->cells),
        .capacity = capacity};
}

/// Let a member write its first path, and keep it.
static inline void rp_member_path_take(rp_member_path_t *self, const rp_planner_ops_t *ops,
                                       const void *state)
{
    rp_path_stands_t stands = {0};
    self->count = ops->path(state, self->cells, &stands);
}

/// Let the member write its next path, and put it together as a whole.
/// @return the number of its cells
static inline uint32_t rp_member_path_write(const rp_member_path_t *self,
                                            const rp_planner_ops_t *ops, const void *state,
                                            rp_cell_t *cells)
{
    rp_path_stands_t stands = {0};
    const uint32_t count = ops->path(state, cells, &stands);
    if (count == RP_PATH_KEPT) {
        memcpy(cells, self->cells, self->count * sizeof *cells);
        return self->count;
    }
    memmove(cells + stands.head, cells, count * sizeof *cells);
    memcpy(cells, self->cells + stands.left, stands.head * sizeof *cells);
    memcpy(cells + stands.head + count, self->cells + self->count - stands.tail,
           stands.tail * sizeof *cells);
    return stands.head + count + stands.tail;
}

/// Keep a path that the member wrote last.
static inline void rp_member_path_keep(rp_member_path_t *self, const rp_path_t *path)
{
    memcpy(self->cells, path->cells, path->count * sizeof *self->cells);
    self->count = path->count;
}

/// Let the member write its next path, and keep that in place of the one before.
static inline void rp_member_path_renew(rp_member_path_t *self, const rp_planner_ops_t *ops,
                                        const void *state)
{
    rp_cell_t *room = self->cells + self->capacity;
    rp_member_path_keep(self, &(rp_path_t){room, rp_member_path_write(self, ops, state, room)});
}

#endif
