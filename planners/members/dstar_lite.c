/// D* Lite: LPA* from the goals to a start that moves.
///
/// Paper: "D* Lite", Koenig, Likhachev 2002, the optimised version of figure 4 (PSEUDOCODE 8); ties
/// as repair/lpa_core.h says. Guarantee: optimal. Cost of a change: a look at nine cells;
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
#include "planners/core/planner_ops.h"

#include "planners/repair/lpa_core.h"
#include "planners/repair/lpa_path.h"

// ---- state

typedef struct dstar_lite {
    rp_lpa_core_t look; ///< rooted at the goals, the target is the start
} dstar_lite_t;

// ---- invariants

static bool dstar_lite_check(const void *state)
{
    const dstar_lite_t *self = state;
    return rp_lpa_core_check(&self->look, false);
}

// ---- search

static void dstar_lite_begin(void *state, rp_cell_t start, const rp_goal_t *goals,
                             size_t goal_count)
{
    dstar_lite_t *self = state;
    rp_lpa_core_begin(&self->look, goals, (uint32_t)goal_count, start);
}

static rp_status_t dstar_lite_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    dstar_lite_t *self = state;
    rp_lpa_core_t *look = &self->look;
    if (!rp_lpa_core_lay(look, budget)) {
        return RP_MORE;
    }
    if (rp_lpa_core_go_on(look, budget, stats) == RP_MORE) {
        return RP_MORE;
    }
    const rp_cell_t end = rp_lpa_path_trace(look);
    assert(end == RP_NO_CELL);
    (void)end;
    return RP_OK;
}

// ---- changes

static bool dstar_lite_update(void *state, const rp_update_t *update)
{
    dstar_lite_t *self = state;
    if (update->start_moved && !rp_lpa_core_aim(&self->look, update->start)) {
        return false;
    }
    rp_lpa_core_apply(&self->look, update->changes, update->change_count);
    return true;
}

// ---- idle time

static void dstar_lite_warm(const void *state)
{
    const dstar_lite_t *self = state;
    rp_lpa_core_warm(&self->look);
}

// ---- path

static uint32_t dstar_lite_path(const void *state, rp_cell_t *path, rp_path_stands_t *stands)
{
    const dstar_lite_t *self = state;
    const rp_lpa_core_t *look = &self->look;
    if (!look->has_path) {
        return 0;
    }
    return look->path_is_new ? rp_path_cache_write_from_apex(&look->path_cache, path, stands)
                             : RP_PATH_KEPT;
}

// ---- birth and death

static void dstar_lite_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                            rp_arena_t *arena)
{
    dstar_lite_t *self = state;
    (void)options; // none concerns this planner
    rp_lpa_core_init(&self->look, grid, RP_GOALS_MAX, arena);
}

static uint64_t dstar_lite_bytes(const void *state)
{
    const dstar_lite_t *self = state;
    return rp_lpa_core_bytes(&self->look);
}

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
    .state_bytes = sizeof(dstar_lite_t),
    .bind = dstar_lite_bind,
    .begin = dstar_lite_begin,
    .update = dstar_lite_update,
    .search = dstar_lite_search,
    .warm = dstar_lite_warm,
    .path = dstar_lite_path,
    .bytes = dstar_lite_bytes,
    .check = dstar_lite_check,
};
