/// @file
/// The members that AUTO works with: members bound to one grid, and what each costs on a reference
/// machine, in nanoseconds an expansion and a changed cell.
#ifndef REPLAN_PLANNERS_PORTFOLIO_PORTFOLIO_H
#define REPLAN_PLANNERS_PORTFOLIO_PORTFOLIO_H

#include <stdlib.h>

#include "planners/bits/density.h"
#include "planners/core/family.h"
#include "planners/core/planner_ops.h"
#include "planners/grid/cost.h"
#include "planners/grid/member_options.h"
#include "planners/grid/search_stats.h"
#include "planners/portfolio/certificate.h"

enum {
    SCRATCH,
    STAY,
    NEAR_GOAL,
    WALK,
    CHASE,
    SETS,
    SPARE, ///< to take the place of the one that walks, where its field wears
    MEMBERS,
};

/// A planner that may serve as a member, and what it costs with 4 and with 8 neighbours: per
/// expansion, queue and path included, and per changed cell. One that jumps or is guided pays as
/// much for each cell that it generates.
typedef struct rp_candidate {
    const rp_planner_ops_t *ops;
    rp_open_t open;
    uint32_t shuns; ///< what a grid must not need (enum rp_capability): another is better there
    bool (*suits)(const rp_grid_t *grid); ///< whether it is good on this ground; NULL: on any
    uint32_t slack; ///< cell lengths beyond the cost of the path to which it is made ready
    uint16_t expansion_ns[2];
    uint16_t change_ns[2];
    bool jumps;
} rp_candidate_t;

/// On larger grids no search is guided: rings round a way across them would take long to begin.
#define RP_PORTFOLIO_GUIDED_CELLS ((uint32_t)1 << 22)

static inline bool rp_portfolio_is_clutter(const rp_grid_t *grid)
{
    return grid->cell_count <= RP_PORTFOLIO_GUIDED_CELLS && rp_density_covers(grid);
}

extern const rp_planner_ops_t RP_MEMBER(afa), RP_MEMBER(astar), RP_MEMBER(at), RP_MEMBER(bpa),
    RP_MEMBER(cert), RP_MEMBER(dstar_lazy), RP_MEMBER(dstar_lite), RP_MEMBER(fringe),
    RP_MEMBER(jps), RP_MEMBER(lwf);

#define CANDIDATE(id, open, shuns, suits, slack, expansion_4, expansion_8, change_4, change_8,     \
                  jumps)                                                                           \
    {                                                                                              \
        &RP_MEMBER(id), RP_OPEN_##open, shuns, suits, slack, {expansion_4, expansion_8},           \
            {change_4, change_8}, jumps                                                            \
    }

/// For each member those that may serve, the best first; the first that can do the grid is taken.
#define RP_CANDIDATES 5u
static const rp_candidate_t rp_candidates[MEMBERS][RP_CANDIDATES] = {
    [SCRATCH] = {CANDIDATE(bpa, HEAP, RP_CAN_8, NULL, 0, 7, 7, 5, 5, false),
                 CANDIDATE(bpa, HEAP, RP_CAN_4, rp_portfolio_is_clutter, 0, 58, 58, 40, 40, true),
                 CANDIDATE(jps, HEAP, 0, NULL, 0, 58, 58, 40, 40, true),
                 CANDIDATE(fringe, HEAP, RP_CAN_8 | RP_CAN_WEIGHTED, NULL, 0, 32, 32, 1, 1, false),
                 CANDIDATE(astar, BUCKETS, 0, NULL, 0, 40, 75, 1, 1, false)},
    [STAY] = {CANDIDATE(cert, HEAP, 0, NULL, 4, 45, 63, 40, 30, false)},
    [NEAR_GOAL] = {CANDIDATE(afa, HEAP, 0, NULL, 12, 45, 47, 40, 45, false)},
    [WALK] = {CANDIDATE(dstar_lazy, HEAP, RP_CAN_WEIGHTED, NULL, 0, 110, 160, 70, 110, false),
              CANDIDATE(lwf, HEAP, 0, NULL, 12, 70, 110, 15, 25, false)},
    [CHASE] = {CANDIDATE(at, HEAP, 0, NULL, 2, 40, 80, 60, 100, false)},
    [SETS] = {CANDIDATE(dstar_lite, HEAP, 0, NULL, 0, 110, 160, 70, 110, false)},
    [SPARE] = {CANDIDATE(lwf, HEAP, 0, NULL, 12, 70, 110, 15, 25, false)},
};
#undef CANDIDATE

typedef struct rp_portfolio_member {
    const rp_candidate_t *candidate;
    void *state;           ///< owned; the member's; NULL until it is needed for the first time
    uint32_t capabilities; ///< the member's, where every update looks at them
    uint32_t expansion_ns; ///< of the member, on this grid
    uint32_t change_ns;
    bool is_live;        ///< holds a search that heard of every event, but for where the start is
    rp_cell_t start;     ///< that it heard of last
    bool is_used;        ///< it searched at least once: its memory was touched
    uint64_t bytes;      ///< that it held when it was at work last, or idled
    uint64_t judged;     ///< `written` of the grid when the candidate was chosen
    uint64_t plans;      ///< that it finished
    uint64_t cost_ns;    ///< of its plans' expansions lately, a running mean
    uint64_t expanded;   ///< in the plan under way, as rp_portfolio_member_expanded()
    uint64_t spent_ns;   ///< by its plans since it began
    uint64_t begin_ns;   ///< what beginning cost on this trip; 0: not known
    uint64_t ready_ns;   ///< what it is thought to cost, by area
    rp_cost_t ready_for; ///< cost of the path for which this was thought; 0: none
    rp_arena_t arena;    ///< the arrays of its state
} rp_portfolio_member_t;

/// True when it takes in what happened without starting over.
static inline bool rp_portfolio_member_can_take(const rp_portfolio_member_t *self,
                                                const rp_update_t *update)
{
    const bool start_moved = self->is_live ? update->start != self->start : update->start_moved;
    const uint32_t needed = (update->change_count != 0 ? RP_NATIVE_CHANGES : 0u) |
                            (start_moved ? RP_NATIVE_START : 0u) |
                            (update->goals_changed ? RP_NATIVE_GOAL : 0u);
    return (self->capabilities & needed) == needed;
}

/// True when it may see at once that a batch leaves its path.
static inline bool rp_portfolio_member_sees_at_once(const rp_portfolio_member_t *self)
{
    return self->candidate != NULL && self->candidate->ops->stands != NULL;
}

/// What it pays for of all that was expanded and generated.
static inline uint64_t rp_portfolio_member_expanded(const rp_portfolio_member_t *self,
                                                    const rp_search_stats_t *stats)
{
    return stats->expanded + (self->candidate->jumps ? stats->generated : 0u);
}

/// Estimate by samples how many cells a search between the ends of a path must expand: those that a
/// path of about the same cost can pass, if costs exceed the bound everywhere as much as they do
/// for this path. A guess by the length of the path alone makes batches of footprints without idle
/// time take 1.3 times as long.
/// @param slack  added to the cost, in cell lengths
static inline uint64_t rp_portfolio_estimate(rp_certificate_t *found, uint32_t slack)
{
    enum {
        SIDE = 32
    };
    const rp_grid_t *grid = found->grid;
    const rp_metric_t *metric = &found->metric;
    const uint64_t bound = rp_bound(metric, found->start, found->goal);
    const uint64_t cost = rp_certificate_cost(found);
    const uint64_t longer = bound != 0 ? (cost << 10) / bound : 1024u; // in 1024ths
    const uint64_t most = cost + slack * (uint64_t)metric->cell_length;
    uint64_t count = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const rp_point_t point = {
            (int32_t)((i % SIDE * 2u + 1u) * grid->shape.width / (2u * SIDE)),
            (int32_t)((i / SIDE * 2u + 1u) * grid->shape.height / (2u * SIDE))};
        const uint64_t way = (rp_bound(metric, found->goal, point) * longer) >> 10;
        count += way + rp_bound(metric, point, found->start) <= most;
    }
    const uint64_t area = count * grid->free_count / (SIDE * SIDE);
    const uint64_t least = found->path.count;
    return area > least ? area : least;
}

/// What making it ready costs: as it did on this trip, or by the area between the ends.
static inline uint64_t rp_portfolio_member_begin_ns(rp_portfolio_member_t *self,
                                                    rp_certificate_t *found)
{
    if (self->begin_ns != 0) {
        return self->begin_ns;
    }
    const rp_cost_t cost = found->path.count != 0 ? rp_certificate_cost(found) : 0;
    if (found->path.count != 0 &&
        (self->ready_for == 0 || cost > self->ready_for + self->ready_for / 8u ||
         cost < self->ready_for - self->ready_for / 8u)) {
        self->ready_for = cost;
        self->ready_ns = rp_portfolio_estimate(found, self->candidate->slack) * self->expansion_ns;
    }
    return self->ready_for != 0 ? self->ready_ns : UINT64_MAX;
}

/// What a plan with so many changes will cost, as far as counters tell.
static inline uint64_t rp_portfolio_member_expected_ns(const rp_portfolio_member_t *self,
                                                       size_t changes)
{
    return self->cost_ns + changes * self->change_ns;
}

static inline void rp_portfolio_member_begin(rp_portfolio_member_t *self, rp_cell_t start,
                                             const rp_goal_t *goals, size_t goal_count)
{
    self->candidate->ops->begin(self->state, start, goals, goal_count);
    self->start = start;
    self->is_used = true;
    self->spent_ns = 0;
}

/// What it holds now is what it will hold until it is at work again. A member that was never used
/// has touched nothing.
static inline void rp_portfolio_member_note_bytes(rp_portfolio_member_t *self)
{
    self->bytes = self->is_used ? rp_arena_bytes(&self->arena) : 0u;
}

/// Another instance of the same member takes the place of one, and its reputation.
static inline void rp_portfolio_member_replace(rp_portfolio_member_t *self,
                                               rp_portfolio_member_t *spare)
{
    rp_portfolio_member_note_bytes(self);
    const rp_portfolio_member_t worn = *self;
    *self = *spare;
    *spare = worn;
    spare->is_live = false;
    self->plans = worn.plans;
    self->cost_ns = worn.cost_ns;
}

/// Tell it what happened, and where the start is if it did not hear of every step.
/// @return false when it must begin anew
static inline bool rp_portfolio_member_update(rp_portfolio_member_t *self,
                                              const rp_update_t *update)
{
    rp_update_t told = *update;
    if (!self->is_live || !rp_portfolio_member_can_take(self, update)) {
        return false;
    }
    told.start_moved = update->start != self->start;
    self->start = update->start;
    return self->candidate->ops->update(self->state, &told);
}

static inline void rp_portfolio_member_unbind(rp_portfolio_member_t *self,
                                              rp_deferred_free_t *deferred_free)
{
    if (self->state != NULL) {
        rp_member_unbind(self->candidate->ops, self->state, &self->arena, deferred_free);
        free(self->state);
    }
    *self = (rp_portfolio_member_t){0};
}

/// Choose the first candidate that can do this grid, and does it well. It takes no memory yet.
/// @param which   the member that it is to be
/// @param needed  of enum rp_capability
/// @return RP_E_UNSUPPORTED
static inline rp_status_t rp_portfolio_member_appoint(rp_portfolio_member_t *self, unsigned which,
                                                      const rp_grid_t *grid, uint32_t needed)
{
    const rp_candidate_t *candidate = rp_candidates[which];
    const rp_candidate_t *end = candidate + RP_CANDIDATES;
    while (candidate != end && candidate->ops != NULL &&
           ((candidate->ops->info.capabilities & needed) != needed ||
            (candidate->shuns & needed) != 0 ||
            (candidate->suits != NULL && !candidate->suits(grid)))) {
        candidate++;
    }
    if (candidate == end || candidate->ops == NULL) {
        return RP_E_UNSUPPORTED;
    }
    const unsigned eight = grid->shape.neighbors == 8;
    self->candidate = candidate;
    self->judged = grid->written;
    self->expansion_ns = candidate->expansion_ns[eight];
    self->change_ns = candidate->change_ns[eight];
    self->capabilities = candidate->ops->info.capabilities;
    return RP_OK;
}

/// Bind its member, if that was not done before: most members are never needed, and to map the
/// arrays of all takes as long as a first search.
/// @return RP_E_MEMORY
static inline rp_status_t rp_portfolio_member_equip(rp_portfolio_member_t *self,
                                                    const rp_grid_t *grid)
{
    if (self->state != NULL) {
        return RP_OK;
    }
    const rp_planner_ops_t *ops = self->candidate->ops;
    const rp_member_options_t options = {.open = self->candidate->open};
    self->state = calloc(1, ops->state_bytes);
    if (self->state == NULL) {
        return RP_E_MEMORY;
    }
    const rp_status_t status = rp_member_bind(ops, self->state, grid, &options, &self->arena);
    if (status != RP_OK) {
        free(self->state);
        self->state = NULL;
    }
    return status;
}

/// Once so many cells were written, and 1 / this of all more, it is looked anew which candidate is
/// good on this ground.
#define RP_PORTFOLIO_JUDGED_FOR   1024u
#define RP_PORTFOLIO_JUDGED_SHARE 64u

/// Look whether another candidate is good now; if so, it takes the place of the one that is bound,
/// and its reputation. Without memory for it nothing changes.
/// @return true when it must begin anew
static inline bool rp_portfolio_member_judge(rp_portfolio_member_t *self, unsigned which,
                                             const rp_grid_t *grid)
{
    rp_portfolio_member_t other = {.plans = self->plans, .cost_ns = self->cost_ns};
    self->judged = grid->written;
    if (rp_portfolio_member_appoint(&other, which, grid, rp_family_needs(grid)) != RP_OK ||
        other.candidate == self->candidate || rp_portfolio_member_equip(&other, grid) != RP_OK) {
        return false;
    }
    rp_portfolio_member_unbind(self, grid->deferred_free);
    *self = other;
    return true;
}

// ---- all of them [MEMBERS]

static inline void rp_portfolio_unbind(rp_portfolio_member_t *members,
                                       rp_deferred_free_t *deferred_free)
{
    for (unsigned i = 0; i < MEMBERS; i++) {
        rp_portfolio_member_unbind(&members[i], deferred_free);
    }
}

/// Appoint all. Equipped are only the one that makes the first plan, the search from scratch, which
/// takes over when there is no memory for another, and the one that alone knows several goals.
/// @param first  which makes the first plan
/// @return RP_E_UNSUPPORTED, RP_E_MEMORY; to be unbound then too
static inline rp_status_t rp_portfolio_bind(rp_portfolio_member_t *members, const rp_grid_t *grid,
                                            unsigned first)
{
    const uint32_t needed = rp_family_needs(grid);
    rp_status_t status = RP_OK;
    for (unsigned i = 0; status == RP_OK && i < (grid->weighted ? MEMBERS : SPARE); i++) {
        const bool is_at_once = i == first || i == SCRATCH || i == SETS;
        status = rp_portfolio_member_appoint(&members[i], i, grid,
                                             i == SETS ? needed | RP_CAN_GOAL_SET : needed);
        status =
            status == RP_OK && is_at_once ? rp_portfolio_member_equip(&members[i], grid) : status;
    }
    return status;
}

/// What they hold, as it was noted.
static inline uint64_t rp_portfolio_bytes(const rp_portfolio_member_t *members)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < MEMBERS; i++) {
        bytes += members[i].bytes;
    }
    return bytes;
}

#endif
