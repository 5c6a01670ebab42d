/// iA*: repeats the last search in the order it had, as far as the changes cannot have altered it,
/// and searches on from there.
///
/// After: Yap, and "Fringe-Saving A*" (Sun, Koenig 2007), which puts OPEN back without repeating.
/// Guarantee: optimal. Cost of a change: a look for its neighbours in the log. A plan then costs
/// the repetition (expansions without queue operations), one heapify of OPEN, and the cells that A*
/// expands after the first that may differ. Bytes a cell: 16, and 16 for each cell in OPEN at its
/// largest. Choose it for comparison: it keeps what `fsa` keeps, and pays for all of it.
///
/// The repetition only generates the cells beside closed ones. Closed cells keep g and parent,
/// which are exact whatever happens elsewhere, also when the goal moves: that changes only keys.
#include "planners/core/planner_ops.h"

#include "planners/repair/prefix_reuse.h"
#include "replan/trace.h"

// ---- state

typedef enum open_state {
    OPEN_IS_TRUE,
    OPEN_NEEDS_KEYS,   ///< the goal moved: cells and g's are right
    OPEN_NEEDS_REPLAY, ///< something near closed cells changed
    OPEN_IN_REPLAY,    ///< a list without keys, of what the cells replayed so far lead to
} open_state_t;

typedef struct ia_star {
    rp_prefix_reuse_t
        reuse;         ///< first; of its `search` are the cells in OPEN, a heap, and those replayed
    uint32_t replayed; ///< cells of the log, from the first on
    open_state_t open_state;
} ia_star_t;

// ---- invariants

/// A cell that is not closed waits in OPEN with the best g that closed ones offer, or not at all.
static bool check_open_cell(const ia_star_t *self, rp_cell_t cell)
{
    const rp_prefix_reuse_t *reuse = &self->reuse;
    const rp_cost_t least = rp_prefix_reuse_offer(reuse, cell);
    const bool waits = rp_node_is_of(&reuse->nodes[cell], reuse->search);
    if (least == RP_COST_INF) {
        return !waits || (cell == reuse->start && reuse->log.length == 0);
    }
    return waits && rp_prefix_reuse_is_live(reuse, cell, least);
}

static bool ia_star_check(const void *state)
{
    const ia_star_t *self = state;
    for (uint32_t place = 0; place < self->reuse.log.length; place++) {
        if (!rp_prefix_reuse_check_closed(&self->reuse, place)) {
            return false;
        }
    }
    if (self->open_state == OPEN_NEEDS_REPLAY || self->open_state == OPEN_IN_REPLAY) {
        return true;
    }
    for (rp_cell_t cell = 0; cell < self->reuse.grid->cell_count; cell++) {
        if (self->reuse.grid->factor[cell] != 0 && !rp_prefix_reuse_is_closed(&self->reuse, cell) &&
            !check_open_cell(self, cell)) {
            return false;
        }
    }
    return true;
}

// ---- the replay

/// One cell of the log again: what it leads to is listed, closed cells are left as they are.
static inline void replay(ia_star_t *self, rp_cell_t cell)
{
    const uint32_t search = self->reuse.search;
    rp_node_t *nodes = self->reuse.nodes;
    rp_heap_t *heap = &self->reuse.open.heap;
    const rp_cost_t g = nodes[cell].g;
    unsigned direction;
    rp_cell_t next;
    rp_prefix_reuse_hold(&self->reuse, &nodes[cell]);
    RP_FOR_MOVES (self->reuse.grid, cell, direction, next) {
        rp_node_t *node = &nodes[next];
        const rp_cost_t g_next = g + rp_edge(&self->reuse.metric, cell, next, direction);
        if (rp_node_is_of(node, search)) {
            if (node->g <= g_next) {
                continue;
            }
        } else if (rp_prefix_reuse_is_closed(&self->reuse, next)) {
            continue; // its own turn will come
        } else {
            heap->entries[heap->count++].cell = next;
        }
        *node = (rp_node_t){g_next, search | rp_direction_back(direction)};
    }
}

/// Put OPEN back as it stood at the end of the log.
static rp_status_t replay_log(ia_star_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    if (self->open_state == OPEN_NEEDS_REPLAY) {
        rp_prefix_reuse_renew_open(&self->reuse);
        self->replayed = 0;
        self->open_state = OPEN_IN_REPLAY;
    }
    while (self->replayed < self->reuse.log.length) {
        if (*budget == 0) {
            return RP_MORE;
        }
        --*budget;
        stats->visited++;
        replay(self, self->reuse.log.cells[self->replayed++]);
    }
    rp_prefix_reuse_order_open(&self->reuse);
    self->open_state = OPEN_IS_TRUE;
    return RP_OK;
}

// ---- search

static void ia_star_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    ia_star_t *self = state;
    (void)goal_count; // one: there is no capability for more
    self->open_state = OPEN_IS_TRUE;
    rp_prefix_reuse_begin(&self->reuse, RP_OPEN_HEAP, start, goals[0].cell);
}

static rp_status_t ia_star_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    ia_star_t *self = state;
    if (rp_prefix_reuse_is_closed(&self->reuse, self->reuse.goal)) {
        return RP_OK; // what was found before is still the path
    }
    if (self->open_state == OPEN_NEEDS_KEYS) {
        rp_prefix_reuse_renew_keys(&self->reuse);
        self->open_state = OPEN_IS_TRUE;
    } else if (self->open_state != OPEN_IS_TRUE && replay_log(self, budget, stats) == RP_MORE) {
        return RP_MORE;
    }
    while (*budget != 0) {
        if (rp_open_is_empty(&self->reuse.open, RP_OPEN_HEAP)) {
            return RP_OK;
        }
        const rp_cell_t cell =
            rp_open_take(&self->reuse.open, RP_OPEN_HEAP, rp_prefix_reuse_is_live, &self->reuse);
        --*budget;
        if (cell == RP_NO_CELL) {
            continue;
        }
        stats->expanded++;
        RP_TRACE(cell, EXPANDED);
        stats->visited++;
        rp_prefault_note(&self->reuse.prefault, cell, budget);
        rp_prefix_reuse_expand(&self->reuse, RP_OPEN_HEAP, cell, stats);
        if (cell == self->reuse.goal) {
            return RP_OK;
        }
    }
    return RP_MORE;
}

// ---- changes

/// The log stays whole: true when OPEN may be wrong, as the change meets what was generated.
static bool meets_open(const ia_star_t *self, rp_cell_t cell)
{
    bool is_met = rp_node_is_of(&self->reuse.nodes[cell], self->reuse.search);
    for (unsigned direction = 0; direction < RP_DIRECTIONS && !is_met; direction++) {
        const rp_cell_t beside = rp_grid_step(self->reuse.grid, cell, direction);
        is_met = rp_node_is_of(&self->reuse.nodes[beside], self->reuse.search);
    }
    return is_met;
}

static void take_in_changes(ia_star_t *self, const rp_change_t *changes, size_t count)
{
    if (rp_prefix_reuse_cut(&self->reuse, changes, count)) {
        self->open_state = OPEN_NEEDS_REPLAY;
    }
    for (size_t i = 0; self->open_state != OPEN_NEEDS_REPLAY && i < count; i++) {
        if (meets_open(self, changes[i].cell)) {
            self->open_state = OPEN_NEEDS_REPLAY;
        }
    }
}

static bool ia_star_update(void *state, const rp_update_t *update)
{
    ia_star_t *self = state;
    if (self->reuse.log.length == 0) { // nothing was looked at yet
        ia_star_begin(self, self->reuse.start, update->goals, update->goal_count);
        return true;
    }
    if (rp_prefix_reuse_is_worn_out(&self->reuse)) {
        return false;
    }
    if (update->goals_changed && update->goals[0].cell != self->reuse.goal) {
        rp_prefix_reuse_set_goal(&self->reuse, update->goals[0].cell);
        if (self->open_state == OPEN_IS_TRUE) {
            self->open_state = OPEN_NEEDS_KEYS;
        }
    }
    take_in_changes(self, update->changes, update->change_count);
    return self->reuse.log.length != 0; // else the start itself costs something else
}

// ---- birth and death

static void ia_star_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                         rp_arena_t *arena)
{
    ia_star_t *self = state;
    rp_prefix_reuse_init(&self->reuse, grid, options->open, arena);
}

const rp_planner_ops_t RP_MEMBER(ia_star) = {
    .info =
        {
            .id = "ia-star",
            .paper = "Yap; Sun, Koenig 2007",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_GOAL | RP_NATIVE_NO_PATH |
                            RP_CAN_EVERY_GRID,
            .bytes_per_cell = RP_PREFIX_REUSE_BYTES_PER_CELL,
        },
    .state_bytes = sizeof(ia_star_t),
    .bind = ia_star_bind,
    .begin = ia_star_begin,
    .update = ia_star_update,
    .search = ia_star_search,
    .path = rp_prefix_reuse_path,
    .check = ia_star_check,
};
