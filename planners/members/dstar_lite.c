/// LPA*: A* that keeps its search and repairs what a change made wrong, and no more. D* Lite: LPA*
/// from the goals to a start that moves. And `dstar-lazy`: D* Lite that hears of an obstacle only
/// when its path would lead through it.
///
/// `lpa`: "Lifelong Planning A*", Koenig, Likhachev, Furcy 2004. Choose it when both ends stay and
/// what changes is far from the start: the search is rooted there, and whatever lies behind a
/// change is searched again. Beyond the paper: if the goal is walled in, the search would expand
/// everything that the start can reach. When it has not reached the goal after some hundred
/// expansions, each further one is followed by one step of a flood round the goal. If that finds
/// the wall closed, there is no path until a cell of it is freed; OPEN stays as it is. It takes a
/// bit a cell more, and 4 bytes for each cell round the goal.
///
/// `dstar-lite`: "D* Lite", Koenig, Likhachev 2002, the optimised version of figure 4 (PSEUDOCODE
/// 8); ties as repair/lpa_core.h says. Guarantee: optimal. Cost of a change: a look at nine cells;
/// then the search expands cells whose g is wrong and could matter. Cost of a step of the start: a
/// few cells whose keys have aged. Bytes a cell: 16 and a bit, and 16 for each cell in OPEN at its
/// largest or on the path. Choose it for an agent that walks towards goals that stay and sees
/// changes near itself, far from where the search is rooted.
///
/// k_m: a key in OPEN was computed for the start of that time. If the start has moved since, over a
/// bound of b in all, h has fallen by at most b. Instead of lowering all old keys, b is added to
/// each new one (`shift`). So a stored key is never too great, and one that is too small is
/// corrected when it comes to the top. k_m only grows; before it could overflow, the search starts
/// over.
///
/// `dstar-lazy` is ours, with the lazy evaluation of edges of "Lazy Shortest Path", Dellin,
/// Srinivasa 2016: search as if all were free, and look only where the path leads. Cost of a
/// change: a blocked cell off the path a bit, on it PIECE cells at most; a freed one a look at nine
/// cells; then as D* Lite. Choose it for an agent whose obstacles lie beside its path, most of
/// them.
///
/// Most cells that an agent sees blocked lie beside its path, and soon behind it. The search is not
/// told of those. What it takes for rhs may then be less than by its definition, never more: the
/// search hopes. So a path that it finds costs no more than the best, and if all its steps are
/// legal it is the best. Where they are not, rhs of the cell before is put right, and the search is
/// told of the obstacle there, up to some hundred cells of one piece; then it goes on.
///
/// A blocked cell that the search was not told of is one that has a g or an rhs. When it is freed
/// again, its neighbours may have lost what it gave them, and are offered it again.
#include "planners/core/planner_ops.h"

#include "base/budget.h"
#include "planners/field/disconnection.h"
#include "planners/grid/batch_summary.h"
#include "planners/repair/lpa_core.h"
#include "planners/repair/lpa_path.h"

/// Cells of OPEN that are looked at to see whether a path stands.
#define LOOKS 8u

/// Cells of an obstacle that the search is told of at once at most.
#define PIECE 128u

/// Expansions until a goal of `lpa` that is not reached is looked at: most are reached again after
/// fewer, and a search that is not in vain should not pay for one that might be.
#define PATIENCE 256u

// ---- state

typedef enum kind {
    DSTAR_LITE, ///< rooted at the goals, the target is the start
    DSTAR_LAZY, ///< and told of obstacles where its path leads; else of all at once
    LPA,        ///< rooted at the start, the target is the goal
} kind_t;

typedef struct dstar_lite {
    rp_lpa_core_t look;
    kind_t kind;
    bool is_doubtful;                 ///< since some batch it is not sure that the answer stands
    uint32_t patience;                ///< expansions left before a goal not reached is looked at
    rp_disconnection_t disconnection; ///< of `lpa`: what lies round a goal that is not reached
} dstar_lite_t;

// ---- invariants

static bool dstar_lite_check(const void *state)
{
    const dstar_lite_t *self = state;
    return rp_lpa_core_check(&self->look, self->kind == DSTAR_LAZY);
}

// ---- obstacles

static bool is_root(const rp_lpa_core_t *look, rp_cell_t cell)
{
    return look->nodes[cell].mark == (look->generation | RP_LPA_CORE_ROOT);
}

/// True when a blocked cell is taken for free.
static bool is_untold(const rp_lpa_core_t *look, rp_cell_t cell)
{
    const rp_lpa_core_node_t *node = &look->nodes[cell];
    return look->grid->factor[cell] == 0 && rp_lpa_core_is_met(look, node) &&
           (node->g != RP_COST_INF || node->rhs != RP_COST_INF);
}

static void tell_blocked(rp_lpa_core_t *look, rp_cell_t cell)
{
    const rp_change_t change = {.cell = cell, .before = 1, .after = 0};
    rp_lpa_core_change(look, &change);
}

/// Tell the search of a blocked cell, and of those round it that it did not hear of, as far as they
/// are one piece: a path that met one of them would meet the next.
/// @return how many these were, PIECE at most
static uint32_t tell_obstacle(rp_lpa_core_t *look, rp_cell_t blocked)
{
    rp_cell_t piece[PIECE] = {blocked};
    uint32_t count = 1;
    tell_blocked(look, blocked);
    for (uint32_t i = 0; i < count; i++) {
        for (unsigned direction = 0; direction < RP_DIRECTIONS && count < PIECE; direction++) {
            const rp_cell_t next = rp_grid_step(look->grid, piece[i], direction);
            if (is_untold(look, next)) {
                tell_blocked(look, next);
                piece[count++] = next;
            }
        }
    }
    return count;
}

/// A freed cell, of which the search may know from before it was blocked.
static void tell_freed(rp_lpa_core_t *look, const rp_change_t *change)
{
    const rp_cell_t cell = change->cell;
    const rp_cost_t g = rp_lpa_core_g(look, cell);
    unsigned direction;
    rp_cell_t next;
    rp_lpa_core_change(look, change);
    if (g == RP_COST_INF) {
        return;
    }
    RP_FOR_MOVES (look->grid, cell, direction, next) {
        (void)rp_lpa_core_offer(look, next, g + rp_edge(&look->metric, cell, next, direction));
    }
}

/// The path that was found ends at this cell: put its rhs right, and tell the search why.
/// @return of how many cells
static uint32_t wake_up(rp_lpa_core_t *look, rp_cell_t cell)
{
    uint32_t told = 0;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const rp_cell_t next = rp_grid_step(look->grid, cell, direction);
        if (is_untold(look, next)) {
            told += tell_obstacle(look, next);
        }
    }
    const rp_cost_t rhs = rp_lpa_core_rhs(look, cell);
    if (rhs != look->nodes[cell].rhs) {
        rp_lpa_core_set_rhs(look, cell, &look->nodes[cell], rhs);
    }
    return told;
}

// ---- search

static void dstar_lite_begin(void *state, rp_cell_t start, const rp_goal_t *goals,
                             size_t goal_count)
{
    dstar_lite_t *self = state;
    self->is_doubtful = false;
    self->patience = PATIENCE;
    self->disconnection.state = RP_DISCONNECTION_NONE;
    if (self->kind == LPA) {
        rp_lpa_core_begin(&self->look, &(rp_goal_t){.cell = start}, 1, goals[0].cell);
    } else {
        rp_lpa_core_begin(&self->look, goals, (uint32_t)goal_count, start);
    }
}

/// The goal of `lpa` has no cost so far: look at one more cell round it.
/// @return true when no step leads from there to the start
static bool is_walled_in(dstar_lite_t *self)
{
    rp_disconnection_t *disconnection = &self->disconnection;
    if (self->patience != 0 && disconnection->state != RP_DISCONNECTION_CLOSED) {
        self->patience--;
        return false;
    }
    if (disconnection->state == RP_DISCONNECTION_NONE) {
        rp_disconnection_begin(disconnection, self->look.target);
    }
    if (disconnection->state == RP_DISCONNECTION_GROWING) {
        rp_disconnection_grow(disconnection, self->look.grid, 1, NULL, 0);
        if (rp_disconnection_has(disconnection, self->look.roots[0].cell)) {
            disconnection->state = RP_DISCONNECTION_MET;
        }
    }
    return disconnection->state == RP_DISCONNECTION_CLOSED;
}

/// Expand until the target's cost is known. @return RP_OK or RP_MORE
static rp_status_t expand(dstar_lite_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_lpa_core_t *look = &self->look;
    while (!rp_indexed_heap_is_empty(&look->open)) {
        const rp_indexed_heap_entry_t top = rp_indexed_heap_top(&look->open);
        const rp_key_t limit = rp_lpa_core_limit(look);
        if (top.key >= limit ||
            (self->kind == LPA && limit == RP_LPA_CORE_NO_LIMIT && is_walled_in(self))) {
            break;
        }
        if (*budget == 0) {
            return RP_MORE;
        }
        rp_lpa_core_step(look, top, self->kind != LPA, budget, stats);
    }
    return RP_OK;
}

static rp_status_t dstar_lite_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    dstar_lite_t *self = state;
    rp_lpa_core_t *look = &self->look;
    if (!rp_lpa_core_lay(look, budget)) {
        return RP_MORE;
    }
    while (expand(self, budget, stats) == RP_OK) {
        const rp_cell_t end = rp_lpa_path_trace(look);
        if (end == RP_NO_CELL) {
            RP_TRACE_ONLY(rp_lpa_core_trace_reused(look));
            return RP_OK;
        }
        assert(self->kind == DSTAR_LAZY); // who is told of everything finds no other end
        rp_budget_pay(budget, look->walked + wake_up(look, end));
    }
    return RP_MORE;
}

// ---- changes

static bool dstar_lite_update(void *state, const rp_update_t *update)
{
    dstar_lite_t *self = state;
    rp_lpa_core_t *look = &self->look;
    self->is_doubtful = false;
    if (update->start_moved && !rp_lpa_core_aim(look, update->start)) {
        return false;
    }
    // On weighted ground all that is dearer would be too much to run into piece by piece.
    if (self->kind != DSTAR_LAZY || look->metric.factor != NULL) {
        rp_lpa_core_apply(look, update->changes, update->change_count);
        self->patience = PATIENCE;
        rp_disconnection_apply(&self->disconnection, look->grid, update->changes,
                               update->change_count);
        return true;
    }
    for (size_t i = 0; i < update->change_count; i++) {
        const rp_change_t *change = &update->changes[i];
        if (change->after != 0) {
            tell_freed(look, change);
        } else if (rp_path_cache_is_hit(&look->path_cache, change)) {
            (void)tell_obstacle(look, change->cell);
        }
    }
    rp_path_cache_apply(&look->path_cache, update->changes, update->change_count);
    return true;
}

/// True when no cell in OPEN could lead to a path below a limit, as far as a look at a few of them
/// tells.
static bool is_over(rp_lpa_core_t *look, rp_key_t limit)
{
    for (unsigned looks = 0; looks < LOOKS && !rp_indexed_heap_is_empty(&look->open); looks++) {
        const rp_indexed_heap_entry_t top = rp_indexed_heap_top(&look->open);
        if (top.key >= limit) {
            return true;
        }
        const rp_key_t key = rp_lpa_core_key(look, top.cell, &look->nodes[top.cell]);
        if (top.key >= key) {
            return false;
        }
        rp_indexed_heap_move(&look->open, key, top.cell); // it has aged
    }
    return rp_indexed_heap_is_empty(&look->open);
}

/// True when a batch blocks a step of the path, or an end.
static bool is_hit(const rp_lpa_core_t *look, const rp_change_t *changes, size_t count,
                   const rp_batch_summary_t *summary)
{
    const bool may_meet =
        !look->has_path || rp_path_cache_may_meet(&look->path_cache, &summary->extent);
    for (size_t i = 0; may_meet && i < count; i++) {
        const rp_cell_t cell = changes[i].cell;
        if (look->has_path ? rp_path_cache_is_hit(&look->path_cache, &changes[i])
                           : cell == look->target || is_root(look, cell)) {
            return true;
        }
    }
    return false;
}

/// The answer stands when no change hits the path, and nothing that was freed leads to a better
/// one. If it does not stand, what was freed is heard of again; but a cell that is as it was is
/// not, and would keep an rhs that is too great when what is blocked beside it is undone meanwhile.
static bool answer_stands(rp_lpa_core_t *look, const rp_change_t *changes, size_t count,
                          const rp_batch_summary_t *summary)
{
    const rp_key_t limit = rp_lpa_core_limit(look);
    if (look->metric.factor != NULL || is_hit(look, changes, count, summary)) {
        return false;
    }
    if (!look->has_path) { // the path may be followed again, where it is not broken
        rp_path_cache_apply(&look->path_cache, changes, count);
    }
    for (size_t i = 0; summary->has_cheaper && i < count; i++) {
        if (changes[i].before == 0 && changes[i].after != 0) {
            tell_freed(look, &changes[i]);
        }
    }
    return is_over(look, limit);
}

/// Once in doubt the search does not judge by what it hopes before it has been told: the batch may
/// be undone, and the start may walk on.
static bool dstar_lazy_stands(void *state, const rp_change_t *changes, size_t count,
                              const rp_batch_summary_t *summary)
{
    dstar_lite_t *self = state;
    self->is_doubtful = self->is_doubtful || !answer_stands(&self->look, changes, count, summary);
    return !self->is_doubtful;
}

// ---- path

static uint32_t dstar_lite_path(const void *state, rp_cell_t *path, rp_path_stands_t *stands)
{
    const dstar_lite_t *self = state;
    const rp_lpa_core_t *look = &self->look;
    if (!look->has_path) {
        return 0;
    }
    if (!look->path_is_new) {
        return RP_PATH_KEPT;
    }
    return self->kind == LPA ? rp_path_cache_write_from_root(&look->path_cache, path, stands)
                             : rp_path_cache_write_from_apex(&look->path_cache, path, stands);
}

// ---- birth and death

static void dstar_lite_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                            rp_arena_t *arena)
{
    dstar_lite_t *self = state;
    (void)options; // none concerns this planner
    rp_lpa_core_init(&self->look, grid, RP_GOALS_MAX, arena);
}

static void dstar_lazy_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                            rp_arena_t *arena)
{
    dstar_lite_t *self = state;
    dstar_lite_bind(state, grid, options, arena);
    self->kind = DSTAR_LAZY;
}

static void lpa_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                     rp_arena_t *arena)
{
    dstar_lite_t *self = state;
    dstar_lite_bind(state, grid, options, arena);
    rp_disconnection_init(&self->disconnection, grid, arena);
    self->kind = LPA;
}

#define SLOTS_OF_ALL                                                                               \
    .state_bytes = sizeof(dstar_lite_t), .begin = dstar_lite_begin, .update = dstar_lite_update,   \
    .search = dstar_lite_search, .path = dstar_lite_path, .check = dstar_lite_check

const rp_planner_ops_t RP_MEMBER(dstar_lite) = {
    .info =
        {
            .id = "dstar-lite",
            .paper = "Koenig, Likhachev 2002: D* Lite, optimised version",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_NO_PATH |
                            RP_CAN_GOAL_SET | RP_CAN_EVERY_GRID,
            .bytes_per_cell = RP_LPA_CORE_BYTES,
        },
    .bind = dstar_lite_bind,
    SLOTS_OF_ALL,
};

const rp_planner_ops_t RP_MEMBER(dstar_lazy) = {
    .info =
        {
            .id = "dstar-lazy",
            .paper = "ours: D* Lite, told of obstacles where its path leads",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_NO_PATH |
                            RP_CAN_GOAL_SET | RP_CAN_EVERY_GRID,
            .bytes_per_cell = RP_LPA_CORE_BYTES,
        },
    .bind = dstar_lazy_bind,
    .stands = dstar_lazy_stands,
    SLOTS_OF_ALL,
};

const rp_planner_ops_t RP_MEMBER(lpa) = {
    .info =
        {
            .id = "lpa",
            .paper = "Koenig, Likhachev, Furcy 2004: Lifelong Planning A*",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_NO_PATH | RP_CAN_EVERY_GRID,
            .bytes_per_cell = RP_LPA_CORE_BYTES,
        },
    .bind = lpa_bind,
    SLOTS_OF_ALL,
};
