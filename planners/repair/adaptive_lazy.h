/// @file
/// Learnt h-values that are brought up to date when a search looks at them, not before: Lazy GAA*,
/// which its paper names without a listing.
///
/// After a search that found a path of cost C, each closed cell s has h(s) := C - g(s) (line 6').
/// When the goal moves to t, all cells have h(s) := max(H(s, t), h(s) - h(t)) (line 12'). Both wait
/// until a later search looks at s. A cell says in which search it was last looked at, and `pasts`
/// remembers of each search its C and how much h had been lowered in all by then.
#ifndef REPLAN_PLANNERS_REPAIR_ADAPTIVE_LAZY_H
#define REPLAN_PLANNERS_REPAIR_ADAPTIVE_LAZY_H

#include "planners/grid/member_options.h"
#include "planners/repair/adaptive.h"

/// What must be remembered of a search until no cell names it any more.
typedef struct rp_adaptive_lazy_past {
    uint64_t lowered; ///< by moved goals, in all until then; may wrap: only differences count
    rp_cost_t cost;   ///< C; 0 when there was no path or the search was given up: raises nothing
} rp_adaptive_lazy_past_t;

/// Searches remembered, a power of two. Each new search renews a slice of the cells, so that none
/// names an older one; the more are remembered, the thinner the slice.
#ifndef RP_ADAPTIVE_LAZY_PASTS
#define RP_ADAPTIVE_LAZY_PASTS 16384u
#endif

typedef struct rp_adaptive_lazy {
    rp_adaptive_t adaptive;         ///< first: see there
    rp_adaptive_lazy_past_t *pasts; ///< by search number modulo RP_ADAPTIVE_LAZY_PASTS
    uint64_t lowered;               ///< by moved goals, in all since bind
    rp_cell_t renewed;              ///< the next slice of cells to renew begins here
} rp_adaptive_lazy_t;

static inline rp_adaptive_lazy_past_t *rp_adaptive_lazy_past_of(const rp_adaptive_lazy_t *self,
                                                                uint32_t mark)
{
    return &self->pasts[mark / RP_ADAPTIVE_SEARCH % RP_ADAPTIVE_LAZY_PASTS];
}

// ---- one cell brought up to date

static inline rp_cost_t rp_adaptive_lazy_h(const rp_adaptive_t *adaptive, rp_cell_t cell)
{
    const rp_adaptive_lazy_t *self = (const rp_adaptive_lazy_t *)adaptive;
    const rp_adaptive_node_t *node = &adaptive->nodes[cell];
    if (!rp_adaptive_is_known(adaptive, node)) {
        return rp_adaptive_bound(adaptive, cell);
    }
    const rp_adaptive_lazy_past_t *past = rp_adaptive_lazy_past_of(self, node->mark);
    const bool is_raised = (node->mark & RP_ADAPTIVE_CLOSED) != 0 && past->cost != 0;
    const rp_cost_t h = is_raised ? past->cost - node->g : node->h;
    const uint64_t lowered = self->lowered - past->lowered;
    if (lowered == 0) {
        return h; // not below the metric's bound, as the goal stands where it stood
    }
    const rp_cost_t bound = rp_adaptive_bound(adaptive, cell);
    return h > lowered && h - lowered > bound ? (rp_cost_t)(h - lowered) : bound;
}

static inline rp_adaptive_node_t *rp_adaptive_lazy_touch(rp_adaptive_lazy_t *self, rp_cell_t cell)
{
    return rp_adaptive_touch(&self->adaptive, cell, rp_adaptive_lazy_h);
}

// ---- searches by number

/// Give the next search its number. What was going on is given up: its cost stays 0, so that it
/// raises nothing.
static inline void rp_adaptive_lazy_next_search(rp_adaptive_lazy_t *self)
{
    rp_adaptive_t *adaptive = &self->adaptive;
    adaptive->search += RP_ADAPTIVE_SEARCH;
    *rp_adaptive_lazy_past_of(self, adaptive->search) =
        (rp_adaptive_lazy_past_t){.lowered = self->lowered};
    adaptive->span =
        adaptive->span < RP_ADAPTIVE_LAZY_PASTS ? adaptive->span + 1u : RP_ADAPTIVE_LAZY_PASTS;
}

/// Renew a slice of the cells, all of them within RP_ADAPTIVE_LAZY_PASTS - 1 searches. Cells from
/// before the planner began are forgotten, those that were never written stay untouched.
static inline void rp_adaptive_lazy_renew_slice(rp_adaptive_lazy_t *self)
{
    rp_adaptive_t *adaptive = &self->adaptive;
    const uint32_t cells = adaptive->grid->cell_count;
    for (uint32_t left = cells / (RP_ADAPTIVE_LAZY_PASTS - 1u) + 1u; left != 0; left--) {
        const rp_cell_t cell = self->renewed;
        rp_adaptive_node_t *node = &adaptive->nodes[cell];
        if (rp_adaptive_is_known(adaptive, node)) {
            rp_adaptive_lazy_touch(self, cell);
        } else if (node->mark != 0) {
            node->mark = 0;
        }
        self->renewed = cell + 1u < cells ? cell + 1u : 0u;
    }
}

static inline void rp_adaptive_lazy_begin(rp_adaptive_lazy_t *self, rp_cell_t start, rp_cell_t goal)
{
    rp_adaptive_lazy_next_search(self);
    rp_adaptive_begin(&self->adaptive, start, goal);
    rp_adaptive_lazy_renew_slice(self);
}

/// The search is over: what it closed is raised by and by (lines 5' and 6').
static inline void rp_adaptive_lazy_learn(rp_adaptive_lazy_t *self)
{
    if (self->adaptive.found) {
        rp_adaptive_lazy_past_of(self, self->adaptive.search)->cost =
            rp_adaptive_cost(&self->adaptive);
    }
}

// ---- changes

/// The goal moves, under the old costs: h of all cells falls by h of the new goal (lines 9' to
/// 12').
static inline void rp_adaptive_lazy_move_goal(rp_adaptive_lazy_t *self, rp_cell_t goal)
{
    rp_adaptive_node_t *node = rp_adaptive_lazy_touch(self, goal);
    self->lowered += node->h;
    rp_adaptive_lazy_past_of(self, self->adaptive.search)->lowered = self->lowered;
    node->h = 0;
    rp_adaptive_set_goal(&self->adaptive, goal);
}

static inline void rp_adaptive_lazy_update(rp_adaptive_lazy_t *self, const rp_update_t *update,
                                           rp_adaptive_fell_t *fell)
{
    rp_adaptive_t *adaptive = &self->adaptive;
    rp_adaptive_interrupt(adaptive);
    rp_adaptive_lazy_next_search(self);
    if (update->goals[0].cell != adaptive->goal) {
        rp_adaptive_lazy_move_goal(self, update->goals[0].cell);
    }
    rp_adaptive_requeue(adaptive, rp_adaptive_lazy_h);
    adaptive->start = update->start;
    rp_adaptive_lazy_renew_slice(self);
    rp_adaptive_note_changes(adaptive, update->changes, update->change_count, rp_adaptive_lazy_h,
                             fell);
}

// ---- birth and death

/// The slots `bind` and `bytes` of a user whose state begins with it, and who has nothing else.
static inline void rp_adaptive_lazy_bind(void *state, const rp_grid_t *grid,
                                         const rp_member_options_t *options, rp_arena_t *arena)
{
    rp_adaptive_lazy_t *self = state;
    rp_adaptive_init(&self->adaptive, grid, options, arena);
    self->pasts = rp_arena_new(arena, RP_ADAPTIVE_LAZY_PASTS, sizeof *self->pasts);
    rp_arena_note(arena, &self->adaptive.span, &self->adaptive.span, sizeof *self->pasts);
}

#endif
