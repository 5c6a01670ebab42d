/// Generalized Adaptive A*: A* whose heuristic learns from each search and is kept consistent while
/// costs fall and the goal moves. Lazy: a cell's h is brought up to date when it is looked at.
///
/// Papers: Sun, Koenig, Yeoh 2008; "Simple Optimization Techniques for A*-Based Search" 2009 (with
/// Chen), figure 4, with A* variants 0, 1 and 2 of its section 3.6. Most of the code is in
/// repair/adaptive.h, the lazy form in repair/adaptive_lazy.h. Guarantee:
/// optimal. Cost of a change: dearer cells and moved ends nothing but the search; cheaper cells the
/// Consistency Procedure, which visits each cell whose h falls. Bytes a cell: 12, and 16 for each
/// cell in OPEN at its largest. Choose it when both ends move and few cells become cheaper.
///
/// Its state is an rp_adaptive_lazy_t, whose functions fill the other slots.
#include "planners/core/planner_ops.h"

#include "planners/repair/adaptive_lazy.h"

// ---- invariants

static bool gaa_check(const void *state)
{
    const rp_adaptive_lazy_t *self = state;
    return rp_adaptive_check(&self->adaptive, rp_adaptive_lazy_h);
}

// ---- search

static void gaa_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    rp_adaptive_lazy_t *self = state;
    (void)goal_count; // one, as there is no capability for more
    rp_adaptive_lazy_begin(self, start, goals[0].cell);
}

static inline bool gaa_visit(rp_adaptive_t *adaptive, rp_cell_t cell)
{
    return cell == adaptive->goal;
}

static rp_status_t gaa_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_adaptive_lazy_t *self = state;
    rp_adaptive_t *adaptive = &self->adaptive;
    if (adaptive->phase == RP_ADAPTIVE_DONE) {
        return RP_OK;
    }
    if (adaptive->phase == RP_ADAPTIVE_REPAIR) {
        if (!rp_adaptive_repair(adaptive, budget, rp_adaptive_lazy_h, rp_adaptive_note_nothing)) {
            return RP_MORE;
        }
        rp_adaptive_open(adaptive, rp_adaptive_lazy_h, stats);
    }
    const rp_status_t status =
        rp_adaptive_search(adaptive, budget, stats, rp_adaptive_lazy_h, gaa_visit);
    if (status == RP_OK) {
        rp_adaptive_lazy_learn(self);
    }
    return status;
}

// ---- changes

static bool gaa_update(void *state, const rp_update_t *update)
{
    rp_adaptive_lazy_t *self = state;
    rp_adaptive_lazy_update(self, update, rp_adaptive_note_nothing);
    return true;
}

const rp_planner_ops_t RP_MEMBER(gaa) = {
    .info =
        {
            .id = "gaa",
            .paper = "Sun, Koenig, Yeoh 2008; Sun, Yeoh, Chen, Koenig 2009",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_GOAL |
                            RP_NATIVE_NO_PATH | RP_CAN_EVERY_GRID | RP_CAN_OPEN_BUCKETS |
                            RP_CAN_VARIANTS,
            .bytes_per_cell = sizeof(rp_adaptive_node_t),
        },
    .state_bytes = sizeof(rp_adaptive_lazy_t),
    .bind = rp_adaptive_lazy_bind,
    .begin = gaa_begin,
    .update = gaa_update,
    .search = gaa_search,
    .path = rp_adaptive_path,
    .check = gaa_check,
};
