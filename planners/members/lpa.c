/// LPA*: A* that keeps its search and repairs what a change made wrong, and no more.
///
/// Paper: "Lifelong Planning A*", Koenig, Likhachev, Furcy 2004; the order of ties is that of
/// repair/lpa_core.h, which has most of the code. Guarantee: optimal. Cost of a change: a
/// look at its nine cells; then the search expands cells whose g is wrong and could matter, each at
/// most twice. Bytes a cell: 16 and a bit, and 16 for each cell in OPEN at its largest or on the
/// path; where a goal was not reached a bit more, and 4 for each cell round it. Choose it when both
/// ends stay and what changes is far from the start: the search is rooted there, and whatever lies
/// behind a change is searched again.
///
/// Beyond the paper: if the goal is walled in, the search would expand everything that the start
/// can reach. When it has not reached the goal after some hundred expansions, each further one is
/// followed by one step of a flood round the goal. If that finds the wall closed, there is no path
/// until a cell of it is freed; OPEN stays as it is.
#include "planners/core/planner_ops.h"

#include "planners/field/disconnection.h"
#include "planners/repair/lpa_core.h"
#include "planners/repair/lpa_path.h"

// ---- state

typedef struct lpa {
    rp_lpa_core_t look;               ///< rooted at the start, the target is the goal
    rp_disconnection_t disconnection; ///< what lies round a goal that is not reached
    rp_cell_t start;
    uint32_t patience; ///< expansions left before a goal that is not reached is looked at
} lpa_t;

/// Expansions until then: most goals are reached again after fewer, and a search that is not in
/// vain should not pay for one that might be.
#define PATIENCE 256u

// ---- invariants

static bool lpa_check(const void *state)
{
    const lpa_t *self = state;
    return rp_lpa_core_check(&self->look, false);
}

// ---- search

static void lpa_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    lpa_t *self = state;
    (void)goal_count; // one, as there is no capability for more
    self->start = start;
    self->patience = PATIENCE;
    self->disconnection.state = RP_DISCONNECTION_NONE;
    rp_lpa_core_begin(&self->look, &(rp_goal_t){.cell = start}, 1, goals[0].cell);
}

/// The goal has no cost so far: look at one more cell round it.
/// @return true when no step leads from there to the start
static bool is_walled_in(lpa_t *self)
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
        if (rp_disconnection_has(disconnection, self->start)) {
            disconnection->state = RP_DISCONNECTION_MET;
        }
    }
    return disconnection->state == RP_DISCONNECTION_CLOSED;
}

static rp_status_t lpa_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    lpa_t *self = state;
    rp_lpa_core_t *look = &self->look;
    if (!rp_lpa_core_lay(look, budget)) {
        return RP_MORE;
    }
    while (!rp_two_heaps_is_empty(&look->open)) {
        const rp_indexed_heap_entry_t top = rp_two_heaps_top(&look->open);
        const rp_key_t limit = rp_lpa_core_limit(look);
        if (top.key >= limit || (limit == RP_LPA_CORE_NO_LIMIT && is_walled_in(self))) {
            break;
        }
        if (*budget == 0) {
            return RP_MORE;
        }
        --*budget;
        stats->expanded++;
        rp_prefault_note(&look->prefault, top.cell, budget);
        rp_lpa_core_expand(look, top.cell, stats);
    }
    RP_TRACE_ONLY(rp_lpa_core_trace_reused(look));
    const rp_cell_t end = rp_lpa_path_trace(look);
    assert(end == RP_NO_CELL);
    (void)end;
    return RP_OK;
}

// ---- changes

static bool lpa_update(void *state, const rp_update_t *update)
{
    lpa_t *self = state;
    self->patience = PATIENCE;
    rp_lpa_core_apply(&self->look, update->changes, update->change_count);
    rp_disconnection_apply(&self->disconnection, self->look.grid, update->changes,
                           update->change_count);
    return true;
}

// ---- path

static uint32_t lpa_path(const void *state, rp_cell_t *path, rp_path_stands_t *stands)
{
    const lpa_t *self = state;
    const rp_lpa_core_t *look = &self->look;
    if (!look->has_path) {
        return 0;
    }
    return look->path_is_new ? rp_path_cache_write_from_root(&look->path_cache, path, stands)
                             : RP_PATH_KEPT;
}

// ---- birth and death

static void lpa_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                     rp_arena_t *arena)
{
    lpa_t *self = state;
    (void)options; // none concerns this planner
    rp_lpa_core_init(&self->look, grid, 1, arena);
    rp_disconnection_init(&self->disconnection, grid, arena);
}

static uint64_t lpa_bytes(const void *state)
{
    const lpa_t *self = state;
    return rp_lpa_core_bytes(&self->look) + rp_disconnection_bytes(&self->disconnection);
}

const rp_planner_ops_t RP_MEMBER(lpa) = {
    .info =
        {
            .id = "lpa",
            .paper = "Koenig, Likhachev, Furcy 2004: Lifelong Planning A*",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_NO_PATH | RP_CAN_EVERY_GRID,
            .bytes_per_cell = RP_LPA_CORE_BYTES,
        },
    .state_bytes = sizeof(lpa_t),
    .bind = lpa_bind,
    .begin = lpa_begin,
    .update = lpa_update,
    .search = lpa_search,
    .path = lpa_path,
    .bytes = lpa_bytes,
    .check = lpa_check,
};
