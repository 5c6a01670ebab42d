/// Generalized Adaptive A*, eager: what a search has learnt is written into every cell at once.
///
/// Paper: "Simple Optimization Techniques for A*-Based Search", Sun, Yeoh, Chen, Koenig 2009,
/// figure 4 as it stands, with A* variants 0, 1 and 2 of its section 3.6. Most of the code is in
/// repair/adaptive.h. Guarantee: optimal. Cost of a change: dearer cells and a moved start
/// nothing but the search; cheaper cells the Consistency Procedure; a moved goal one pass over the
/// whole world, and each search one over what it closed. Bytes a cell: 12, 4 for each cell closed
/// by one search, and 16 for each cell in OPEN at its largest. Choose it to see what the lazy form
/// saves, or when the goal stays and the same cells are searched each time.
///
/// Cells that no search has met have h = H(s, goal) without being written: line 12' leaves it so.
#include "planners/core/planner_ops.h"

#include "planners/repair/adaptive.h"

/// Searches before the numbers in the marks are dealt anew.
#ifndef GAA_EAGER_SEARCHES
#define GAA_EAGER_SEARCHES (RP_ADAPTIVE_NUMBERS / 2u)
#endif

// ---- state

typedef struct gaa_eager {
    rp_adaptive_t adaptive; ///< first: see there
    rp_cell_t *closed;      ///< by this search, in the order expanded [grid->cell_count]
    uint32_t closed_count;
    uint32_t closed_peak;
    uint32_t searches; ///< since numbers were dealt anew
} gaa_eager_t;

// ---- one cell brought up to date

static inline rp_cost_t gaa_eager_h(const rp_adaptive_t *adaptive, rp_cell_t cell)
{
    const rp_adaptive_node_t *node = &adaptive->nodes[cell];
    return rp_adaptive_is_known(adaptive, node) ? node->h : rp_adaptive_bound(adaptive, cell);
}

// ---- invariants

static bool gaa_eager_check(const void *state)
{
    const gaa_eager_t *self = state;
    return rp_adaptive_check(&self->adaptive, gaa_eager_h);
}

// ---- searches by number

/// Write the newest number into each cell that is known, and zero into the others.
static void renumber(rp_adaptive_t *adaptive)
{
    for (rp_cell_t cell = 0; cell < adaptive->grid->cell_count; cell++) {
        rp_adaptive_node_t *node = &adaptive->nodes[cell];
        if (rp_adaptive_is_known(adaptive, node)) {
            rp_adaptive_touch(adaptive, cell, gaa_eager_h);
        } else if (node->mark != 0) {
            node->mark = 0;
        }
    }
    adaptive->span = 1;
}

/// Give the next search its number. What was going on is given up and raises nothing.
static void next_search(gaa_eager_t *self)
{
    rp_adaptive_t *adaptive = &self->adaptive;
    adaptive->search += RP_ADAPTIVE_SEARCH;
    adaptive->span++;
    if (++self->searches == GAA_EAGER_SEARCHES) {
        renumber(adaptive);
        self->searches = 0;
    }
    self->closed_peak =
        self->closed_count > self->closed_peak ? self->closed_count : self->closed_peak;
    self->closed_count = 0;
}

// ---- search

static void gaa_eager_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    gaa_eager_t *self = state;
    (void)goal_count; // one, as there is no capability for more
    self->adaptive.span = 0;
    next_search(self);
    rp_adaptive_begin(&self->adaptive, start, goals[0].cell);
}

static inline bool gaa_eager_visit(rp_adaptive_t *adaptive, rp_cell_t cell)
{
    gaa_eager_t *self = (gaa_eager_t *)adaptive;
    if (cell == adaptive->goal) {
        return true;
    }
    self->closed[self->closed_count++] = cell;
    return false;
}

/// Lines 5' and 6'.
static void learn(gaa_eager_t *self)
{
    rp_adaptive_t *adaptive = &self->adaptive;
    if (!adaptive->found) {
        return; // without a path there is no cost to raise h by
    }
    const rp_cost_t cost = rp_adaptive_cost(adaptive);
    for (uint32_t i = 0; i < self->closed_count; i++) {
        rp_adaptive_node_t *node = &adaptive->nodes[self->closed[i]];
        node->h = cost - node->g;
    }
}

static rp_status_t gaa_eager_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    gaa_eager_t *self = state;
    rp_adaptive_t *adaptive = &self->adaptive;
    if (adaptive->phase == RP_ADAPTIVE_DONE) {
        return RP_OK;
    }
    if (adaptive->phase == RP_ADAPTIVE_REPAIR) {
        if (!rp_adaptive_repair(adaptive, budget, gaa_eager_h, rp_adaptive_note_nothing)) {
            return RP_MORE;
        }
        rp_adaptive_open(adaptive, gaa_eager_h, stats);
    }
    const rp_status_t status =
        rp_adaptive_search(adaptive, budget, stats, gaa_eager_h, gaa_eager_visit);
    if (status == RP_OK) {
        learn(self);
    }
    return status;
}

// ---- changes

/// The goal moves, under the old costs: lines 9' to 12'.
static void move_goal(rp_adaptive_t *adaptive, rp_cell_t goal)
{
    const rp_cost_t lowered = gaa_eager_h(adaptive, goal);
    rp_adaptive_set_goal(adaptive, goal);
    for (rp_cell_t cell = 0; cell < adaptive->grid->cell_count; cell++) {
        rp_adaptive_node_t *node = &adaptive->nodes[cell];
        if (rp_adaptive_is_known(adaptive, node)) {
            const rp_cost_t bound = rp_adaptive_bound(adaptive, cell);
            node->h = node->h > lowered && node->h - lowered > bound ? node->h - lowered : bound;
        }
    }
}

static bool gaa_eager_update(void *state, const rp_update_t *update)
{
    gaa_eager_t *self = state;
    rp_adaptive_t *adaptive = &self->adaptive;
    rp_adaptive_interrupt(adaptive);
    next_search(self);
    if (update->goals[0].cell != adaptive->goal) {
        move_goal(adaptive, update->goals[0].cell);
    }
    rp_adaptive_requeue(adaptive, gaa_eager_h);
    adaptive->start = update->start;
    rp_adaptive_note_changes(adaptive, update->changes, update->change_count, gaa_eager_h,
                             rp_adaptive_note_nothing);
    return true;
}

// ---- birth and death

static void gaa_eager_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                           rp_arena_t *arena)
{
    gaa_eager_t *self = state;
    rp_adaptive_init(&self->adaptive, grid, options, arena);
    self->closed = rp_arena_new(arena, grid->cell_count, sizeof *self->closed);
    rp_arena_note(arena, &self->closed_count, &self->closed_peak, sizeof *self->closed);
}

const rp_planner_ops_t RP_MEMBER(gaa_eager) = {
    .info =
        {
            .id = "gaa-eager",
            .paper = "Sun, Koenig, Yeoh 2008; Sun, Yeoh, Chen, Koenig 2009",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_GOAL |
                            RP_NATIVE_NO_PATH | RP_CAN_EVERY_GRID | RP_CAN_OPEN_BUCKETS |
                            RP_CAN_VARIANTS,
            .bytes_per_cell = sizeof(rp_adaptive_node_t),
        },
    .state_bytes = sizeof(gaa_eager_t),
    .bind = gaa_eager_bind,
    .begin = gaa_eager_begin,
    .update = gaa_eager_update,
    .search = gaa_eager_search,
    .path = rp_adaptive_path,
    .check = gaa_eager_check,
};
