/// Multipath Generalized Adaptive A*: GAA* that remembers the paths it found, and ends a search as
/// soon as it takes up a cell from which an old one still leads to the goal.
///
/// Paper: "Making A* Run Faster than D*-Lite for Path-Planning in Partially Known Terrain",
/// Hernandez, Baier, Asin 2014, over the lazy GAA* of repair/adaptive_lazy.h. Guarantee:
/// optimal. Cost of a change: as for gaa, but where the path still holds there is no search at all.
/// Bytes a cell: 13, and 16 for each cell in OPEN at its largest. Choose it when both ends move and
/// most changes miss the path.
///
/// Each cell has at most one `next`: the step that an old path took, or that h was lowered along.
/// It is a hint and nothing more. From s a path *holds* when every step is legal now and has
/// h(s) = c(s, next) + h(next), down to h(goal) = 0: then it costs h(s), and as h is consistent no
/// path costs less. So nothing need be undone when cells change or the goal moves, and a goal that
/// moves onto an old path is found by it.
///
/// A path that does not hold is forgotten where it was walked: each step is walked in vain at most
/// once after it was written down.
#include "planners/core/planner_ops.h"

#include "planners/repair/adaptive_lazy.h"

// ---- state

typedef struct mpgaa {
    rp_adaptive_lazy_t lazy; ///< first: repair/adaptive.h leads back to us
    uint8_t *nexts; ///< by cell: one more than the direction of next; 0: none [grid->cell_count]
} mpgaa_t;

// ---- old paths

/// The cell that `next` leads to, when h says that a cheapest path goes there; else RP_NO_CELL.
static rp_cell_t next_of(const mpgaa_t *self, rp_cell_t cell)
{
    const rp_adaptive_t *adaptive = &self->lazy.adaptive;
    const unsigned next = self->nexts[cell];
    if (next == 0 || ((adaptive->grid->moves[cell] >> (next - 1u)) & 1u) == 0) {
        return RP_NO_CELL;
    }
    const rp_cell_t to = rp_grid_step(adaptive->grid, cell, next - 1u);
    const rp_cost_t cost = rp_edge(&adaptive->metric, cell, to, next - 1u);
    return rp_adaptive_lazy_h(adaptive, cell) == cost + rp_adaptive_lazy_h(adaptive, to)
               ? to
               : RP_NO_CELL;
}

/// True when the path from the cell holds. h falls with every step, so the walk comes to an end.
static bool holds_from(const mpgaa_t *self, rp_cell_t cell)
{
    while (cell != self->lazy.adaptive.goal && cell != RP_NO_CELL) {
        cell = next_of(self, cell);
    }
    return cell != RP_NO_CELL;
}

/// Forget the path from the cell, up to where it does not hold.
static void forget_from(mpgaa_t *self, rp_cell_t cell)
{
    while (cell != RP_NO_CELL) {
        const rp_cell_t to = next_of(self, cell);
        self->nexts[cell] = 0;
        cell = to;
    }
}

/// Write down the path by which the search reached its end; from there on an old one goes on.
static void note_path(mpgaa_t *self)
{
    const rp_adaptive_t *adaptive = &self->lazy.adaptive;
    for (rp_cell_t cell = adaptive->end; cell != adaptive->start;) {
        const unsigned back = adaptive->nodes[cell].mark & RP_ADAPTIVE_DIRECTION;
        cell = rp_grid_step(adaptive->grid, cell, back);
        self->nexts[cell] = (uint8_t)(rp_direction_back(back) + 1u);
    }
}

// ---- invariants

/// What GAA* promises, and that the path which was found holds.
static bool mpgaa_check(const void *state)
{
    const mpgaa_t *self = state;
    const rp_adaptive_t *adaptive = &self->lazy.adaptive;
    return rp_adaptive_check(adaptive, rp_adaptive_lazy_h) &&
           (!adaptive->found || holds_from(self, adaptive->start));
}

// ---- search

static void mpgaa_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    mpgaa_t *self = state;
    (void)goal_count; // one, as there is no capability for more
    rp_adaptive_lazy_begin(&self->lazy, start, goals[0].cell);
}

/// Where h fell, the cheapest path now leads along the step that it fell by.
static inline void mpgaa_note_fall(rp_adaptive_t *adaptive, rp_cell_t cell, unsigned direction)
{
    mpgaa_t *self = (mpgaa_t *)adaptive;
    self->nexts[cell] = (uint8_t)(direction + 1u);
}

static inline bool mpgaa_visit(rp_adaptive_t *adaptive, rp_cell_t cell)
{
    mpgaa_t *self = (mpgaa_t *)adaptive;
    if (cell == adaptive->goal) {
        return true;
    }
    if (self->nexts[cell] == 0) {
        return false;
    }
    if (holds_from(self, cell)) {
        return true;
    }
    forget_from(self, cell);
    return false;
}

static rp_status_t mpgaa_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    mpgaa_t *self = state;
    rp_adaptive_t *adaptive = &self->lazy.adaptive;
    if (adaptive->phase == RP_ADAPTIVE_DONE) {
        return RP_OK;
    }
    if (adaptive->phase == RP_ADAPTIVE_REPAIR) {
        if (!rp_adaptive_repair(adaptive, budget, rp_adaptive_lazy_h, mpgaa_note_fall)) {
            return RP_MORE;
        }
        if (holds_from(self, adaptive->start)) {
            rp_adaptive_touch(adaptive, adaptive->start, rp_adaptive_lazy_h)->g = 0;
            rp_adaptive_finish(adaptive, adaptive->start);
            return RP_OK; // nothing was closed, so nothing is learnt
        }
        rp_adaptive_open(adaptive, rp_adaptive_lazy_h, stats);
    }
    const rp_status_t status =
        rp_adaptive_search(adaptive, budget, stats, rp_adaptive_lazy_h, mpgaa_visit);
    if (status == RP_OK && adaptive->found) {
        rp_adaptive_lazy_learn(&self->lazy);
        note_path(self);
    }
    return status;
}

// ---- changes

static bool mpgaa_update(void *state, const rp_update_t *update)
{
    mpgaa_t *self = state;
    rp_adaptive_lazy_update(&self->lazy, update, mpgaa_note_fall);
    return true;
}

// ---- path

static uint32_t mpgaa_path(const void *state, rp_cell_t *cells, rp_path_stands_t *stands)
{
    const mpgaa_t *self = state;
    (void)stands; // all of it is written
    const rp_adaptive_t *adaptive = &self->lazy.adaptive;
    if (!adaptive->found) {
        return 0;
    }
    uint32_t count = 0;
    rp_cell_t cell = adaptive->start;
    cells[count++] = cell;
    while (cell != adaptive->goal) {
        cell = rp_grid_step(adaptive->grid, cell, self->nexts[cell] - 1u);
        cells[count++] = cell;
    }
    return count;
}

// ---- birth and death

static void mpgaa_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                       rp_arena_t *arena)
{
    mpgaa_t *self = state;
    rp_adaptive_lazy_bind(&self->lazy, grid, options, arena);
    self->nexts = rp_arena_new(arena, grid->cell_count, sizeof *self->nexts);
}

const rp_planner_ops_t RP_MEMBER(mpgaa) = {
    .info =
        {
            .id = "mpgaa",
            .paper = "Hernandez, Baier, Asin 2014",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_GOAL |
                            RP_NATIVE_NO_PATH | RP_CAN_EVERY_GRID | RP_CAN_OPEN_BUCKETS |
                            RP_CAN_VARIANTS,
            .bytes_per_cell = sizeof(rp_adaptive_node_t) + sizeof(uint8_t),
        },
    .state_bytes = sizeof(mpgaa_t),
    .bind = mpgaa_bind,
    .begin = mpgaa_begin,
    .update = mpgaa_update,
    .search = mpgaa_search,
    .path = mpgaa_path,
    .check = mpgaa_check,
};
