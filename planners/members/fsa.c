/// Fringe-Saving A*: keeps the beginning of the last search, as far as the changes cannot have
/// altered it, rebuilds OPEN as it was at that point, and searches on.
///
/// Paper: "The Fringe-Saving A* Search Algorithm", Sun, Koenig 2007, figure 6. Guarantee: optimal.
/// Cost of a change: a look for its neighbours in the log. A plan then costs OPEN rebuilt (about as
/// much as the boundary of the closed cells) and the cells that A* expands after the first that may
/// differ. Bytes a cell: 16, and 16 for each cell in OPEN at its largest, and at most 1 for copies
/// of OPEN. Choose it when changes fall near the goal, or when the goal moves and the start does
/// not.
///
/// The paper's ExpandedId, ExpandedIteration and BlockId are one log here
/// (repair/expansion_log.h). The paper's "reusable" cells are the closed ones here: those
/// that the log still holds.
///
/// Beyond the paper: 8 neighbours, weights, wrapped worlds, and a goal that moves. Closed cells
/// keep their exact g under any goal; only the keys in OPEN change. OPEN is rebuilt from copies
/// that were made during the search. The paper walks round the closed cells instead, which is right
/// for 4 neighbours on uniform ground alone, and takes as long.
#include "planners/core/planner_ops.h"

#include "planners/repair/prefix_reuse.h"
#include "replan/trace.h"

// ---- state

/// A copy of OPEN is due after this many expansions, and not before GAP_PER_OPEN times as many as
/// OPEN holds. So all copies together hold at most length / GAP_PER_OPEN cells, and what lies
/// between a copy and any place in the log costs no more to replay than a few times OPEN.
#define GAP_LEAST    1024u
#define GAP_PER_OPEN 4u

/// OPEN as it was when the log had a certain length.
typedef struct checkpoint {
    uint32_t length; ///< of the log
    uint32_t first; ///< place of its first cell in `saved`; the next one's, or saved_count, ends it
} checkpoint_t;

typedef enum open_state {
    OPEN_IS_TRUE,
    OPEN_NEEDS_KEYS,    ///< the goal moved: cells and g's are right
    OPEN_NEEDS_RESTORE, ///< the log was cut
    OPEN_IN_RESTORE,    ///< from the log: a list without keys so far
} open_state_t;

typedef struct fsa {
    rp_prefix_reuse_t reuse; ///< first; of its `search`: OPEN, and closed cells beside it
    open_state_t open_state;
    rp_open_t bound_kind;    ///< what the options chose
    rp_open_t kind;          ///< what this log uses: buckets need an f that never fell
    uint32_t refreshed;      ///< cells put into OPEN again by changes since it was put back
    uint32_t checkpoint_due; ///< length of the log at which to see about the next
    uint32_t checkpoint_count;
    uint32_t saved_count;
    uint32_t saved_peak;
    uint32_t next_saved; ///< of the newest copy, while OPEN is put back: the next to be admitted
    uint32_t next_place; ///< then the next cell of the log
    checkpoint_t *checkpoints; ///< by rising length [checkpoint_capacity]
    rp_cell_t *saved;          ///< their cells [saved_capacity]
} fsa_t;

static uint32_t checkpoint_capacity(const rp_grid_t *grid)
{
    return grid->cell_count / GAP_LEAST + 1u;
}

static uint32_t saved_capacity(const rp_grid_t *grid)
{
    return grid->cell_count / GAP_PER_OPEN + 1u;
}

// ---- OPEN

/// How many entries OPEN may hold, stale ones too.
static uint32_t open_span(const fsa_t *self)
{
    return self->kind == RP_OPEN_HEAP ? self->reuse.open.heap.count
                                      : self->reuse.open.buckets.fresh;
}

/// @param i  less than open_span()
/// @return RP_NO_CELL when this entry is stale
static rp_cell_t live_cell_at(const fsa_t *self, uint32_t i)
{
    rp_cell_t cell;
    rp_cost_t g;
    if (self->kind == RP_OPEN_HEAP) {
        cell = self->reuse.open.heap.entries[i].cell;
        g = RP_COST_INF - rp_key_second(self->reuse.open.heap.entries[i].key);
    } else {
        cell = self->reuse.open.buckets.entries[i].cell;
        g = self->reuse.open.buckets.entries[i].note;
    }
    return rp_prefix_reuse_is_live(&self->reuse, cell, g) ? cell : RP_NO_CELL;
}

// ---- invariants

/// A free cell that is not closed is in OPEN exactly when it lies beside closed ones; it has the
/// best g that they offer, and they are of this search, so that no step back can alter them.
static bool check_open_cell(const fsa_t *self, rp_cell_t cell)
{
    const rp_prefix_reuse_t *reuse = &self->reuse;
    const rp_cost_t least = rp_prefix_reuse_offer(reuse, cell);
    const bool is_open = rp_node_is_of(&reuse->nodes[cell], reuse->search);
    if (least == RP_COST_INF) {
        return !is_open || (cell == reuse->start && reuse->log.length == 0);
    }
    if (!is_open) {
        return false;
    }
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (reuse->grid, cell, direction, next) {
        if (rp_prefix_reuse_is_closed(reuse, next) &&
            !rp_node_is_closed(&reuse->nodes[next], reuse->search)) {
            return false;
        }
    }
    return rp_prefix_reuse_is_live(reuse, cell, least);
}

static bool fsa_check(const void *state)
{
    const fsa_t *self = state;
    for (uint32_t place = 0; place < self->reuse.log.length; place++) {
        if (!rp_prefix_reuse_check_closed(&self->reuse, place)) {
            return false;
        }
    }
    if (self->open_state == OPEN_NEEDS_RESTORE || self->open_state == OPEN_IN_RESTORE) {
        return true;
    }
    uint32_t open_count = 0;
    for (rp_cell_t cell = 0; cell < self->reuse.grid->cell_count; cell++) {
        if (self->reuse.grid->factor[cell] == 0 || rp_prefix_reuse_is_closed(&self->reuse, cell)) {
            continue;
        }
        if (!check_open_cell(self, cell)) {
            return false;
        }
        open_count += rp_node_is_of(&self->reuse.nodes[cell], self->reuse.search);
    }
    uint32_t live_count = 0;
    for (uint32_t i = 0; i < open_span(self); i++) {
        live_count += live_cell_at(self, i) != RP_NO_CELL;
    }
    return live_count >= open_count;
}

// ---- one cell brought up to date

/// Write what the closed neighbours of a cell offer it, and mark them as of this search.
/// @return false when it has none, or blocks
static bool reach_from_closed(fsa_t *self, rp_cell_t cell, rp_node_t *reached)
{
    rp_node_t best = {RP_COST_INF, self->reuse.search};
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (self->reuse.grid, cell, direction, next) {
        if (!rp_prefix_reuse_is_closed(&self->reuse, next)) {
            continue;
        }
        rp_node_t *node = &self->reuse.nodes[next];
        rp_prefix_reuse_hold(&self->reuse, node);
        const rp_cost_t g = node->g + rp_edge(&self->reuse.metric, next, cell, direction);
        if (g < best.g) {
            best = (rp_node_t){g, self->reuse.search | direction};
        }
    }
    *reached = best;
    return best.g != RP_COST_INF;
}

/// Something changed at or beside this cell, and the log stayed whole: correct it in OPEN.
static void refresh(fsa_t *self, rp_cell_t cell)
{
    if (rp_prefix_reuse_is_closed(&self->reuse, cell)) {
        return;
    }
    rp_node_t *node = &self->reuse.nodes[cell];
    rp_node_t reached;
    if (!reach_from_closed(self, cell, &reached)) {
        node->mark = 0;
        return;
    }
    const bool is_in = rp_prefix_reuse_is_live(&self->reuse, cell, reached.g);
    *node = reached;
    if (is_in) {
        return;
    }
    // Its older entry may come to look live again. So many twins have room, no more.
    if (++self->refreshed > self->reuse.grid->cell_count / 8u) {
        self->open_state = OPEN_NEEDS_RESTORE;
        return;
    }
    rp_prefix_reuse_push(&self->reuse, self->kind, cell);
}

// ---- OPEN put back

static void save_checkpoint(fsa_t *self)
{
    const uint32_t span = open_span(self);
    const uint32_t last =
        self->checkpoint_count != 0 ? self->checkpoints[self->checkpoint_count - 1u].length : 0;
    if (self->reuse.log.length - last < GAP_PER_OPEN * span) {
        self->checkpoint_due = last + GAP_PER_OPEN * span;
        return;
    }
    self->checkpoints[self->checkpoint_count++] =
        (checkpoint_t){self->reuse.log.length, self->saved_count};
    for (uint32_t i = 0; i < span; i++) {
        const rp_cell_t cell = live_cell_at(self, i);
        if (cell != RP_NO_CELL) {
            self->saved[self->saved_count++] = cell;
        }
    }
    self->saved_peak = self->saved_count > self->saved_peak ? self->saved_count : self->saved_peak;
    self->checkpoint_due = self->reuse.log.length + GAP_LEAST;
}

/// Forget the copies of OPEN that a cut made wrong. One taken at the cut itself goes too: a freed
/// cell beside the last cell of the log is missing there.
static void drop_checkpoints(fsa_t *self)
{
    uint32_t count = self->checkpoint_count;
    while (count != 0 && self->checkpoints[count - 1u].length >= self->reuse.log.length) {
        self->saved_count = self->checkpoints[--count].first;
    }
    self->checkpoint_count = count;
    self->checkpoint_due = GAP_LEAST + (count != 0 ? self->checkpoints[count - 1u].length : 0);
}

/// Put a cell into OPEN, without order yet (the heap's entries serve as a list meanwhile), unless
/// it is there or does not belong there.
static void admit(fsa_t *self, rp_cell_t cell)
{
    rp_node_t *node = &self->reuse.nodes[cell];
    rp_node_t reached;
    if (rp_node_is_of(node, self->reuse.search) || rp_prefix_reuse_is_closed(&self->reuse, cell) ||
        !reach_from_closed(self, cell, &reached)) {
        return;
    }
    *node = reached;
    self->reuse.open.heap.entries[self->reuse.open.heap.count++].cell = cell;
}

/// From the newest copy of OPEN: its cells, and the neighbours of all cells expanded since. Some
/// of the copied ones may have been blocked or reached differently; none is missing, as every cell
/// that a change brought beside a closed one has cut the log there.
/// @return false when the budget was spent first
static bool restore_from_log(fsa_t *self, uint64_t *budget)
{
    for (; self->next_saved < self->saved_count; self->next_saved++) {
        if (*budget == 0) {
            return false;
        }
        --*budget;
        admit(self, self->saved[self->next_saved]);
    }
    for (; self->next_place < self->reuse.log.length; self->next_place++) {
        if (*budget == 0) {
            return false;
        }
        --*budget;
        const rp_cell_t cell = self->reuse.log.cells[self->next_place];
        unsigned direction;
        rp_cell_t next;
        RP_FOR_MOVES (self->reuse.grid, cell, direction, next) {
            admit(self, next);
        }
    }
    return true;
}

static void begin_restore(fsa_t *self)
{
    rp_prefix_reuse_renew_open(&self->reuse);
    self->refreshed = 0;
    self->open_state = OPEN_IN_RESTORE;
    self->next_saved = self->saved_count;
    self->next_place = 0;
    if (self->checkpoint_count != 0) {
        const checkpoint_t last = self->checkpoints[self->checkpoint_count - 1u];
        self->next_saved = last.first;
        self->next_place = last.length;
    }
}

/// The cells that were listed go into OPEN for good.
static void finish_restore(fsa_t *self)
{
    rp_heap_t *heap = &self->reuse.open.heap;
    if (self->kind == RP_OPEN_HEAP) {
        rp_prefix_reuse_order_open(&self->reuse);
        return;
    }
    heap->peak = heap->count > heap->peak ? heap->count : heap->peak;
    for (uint32_t i = 0; i < heap->count; i++) {
        rp_prefix_reuse_push(&self->reuse, RP_OPEN_BUCKETS, heap->entries[i].cell);
    }
    heap->count = 0;
}

/// @return false when the budget was spent first
static bool restore_open(fsa_t *self, uint64_t *budget)
{
    if (self->open_state == OPEN_NEEDS_RESTORE) {
        begin_restore(self);
    }
    if (!restore_from_log(self, budget)) {
        return false;
    }
    finish_restore(self);
    return true;
}

/// @return false when the budget was spent first
static bool bring_open_up_to_date(fsa_t *self, uint64_t *budget)
{
    if (self->open_state == OPEN_NEEDS_KEYS) {
        rp_prefix_reuse_renew_keys(&self->reuse);
    } else if (self->open_state != OPEN_IS_TRUE && !restore_open(self, budget)) {
        return false;
    }
    self->open_state = OPEN_IS_TRUE;
    return true;
}

// ---- search

static void fsa_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    fsa_t *self = state;
    (void)goal_count; // one: there is no capability for more
    self->open_state = OPEN_IS_TRUE;
    self->kind = self->bound_kind;
    self->refreshed = 0;
    rp_prefix_reuse_begin(&self->reuse, self->kind, start, goals[0].cell);
    drop_checkpoints(self);
}

RP_SEARCH_LOOP rp_status_t search_with(fsa_t *self, rp_open_t kind, uint64_t *budget,
                                       rp_search_stats_t *stats)
{
    while (*budget != 0) {
        if (self->reuse.log.length >= self->checkpoint_due) {
            save_checkpoint(self);
        }
        if (rp_open_is_empty(&self->reuse.open, kind)) {
            return RP_OK;
        }
        const rp_cell_t cell =
            rp_open_take(&self->reuse.open, kind, rp_prefix_reuse_is_live, &self->reuse);
        --*budget;
        if (cell == RP_NO_CELL) {
            continue;
        }
        stats->expanded++;
        RP_TRACE(cell, EXPANDED);
        rp_prefault_note(&self->reuse.prefault, cell, budget);
        rp_prefix_reuse_expand(&self->reuse, kind, cell, stats);
        if (cell == self->reuse.goal) {
            return RP_OK;
        }
    }
    return RP_MORE;
}

static rp_status_t fsa_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    fsa_t *self = state;
    if (rp_prefix_reuse_is_closed(&self->reuse, self->reuse.goal)) {
        return RP_OK; // {75}: what was found before is still the path
    }
    if (!bring_open_up_to_date(self, budget)) {
        return RP_MORE;
    }
    return self->kind == RP_OPEN_HEAP ? search_with(self, RP_OPEN_HEAP, budget, stats)
                                      : search_with(self, RP_OPEN_BUCKETS, budget, stats);
}

// ---- changes

/// The log stayed whole: correct OPEN where the change meets it.
static void refresh_around(fsa_t *self, const rp_change_t *change)
{
    refresh(self, change->cell);
    const bool moves_changed = (change->before == 0) != (change->after == 0);
    if (self->reuse.grid->shape.neighbors == 8 && moves_changed) {
        for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += 2) {
            refresh(self, rp_grid_step(self->reuse.grid, change->cell, direction));
        }
    }
}

static void take_in_changes(fsa_t *self, const rp_change_t *changes, size_t count)
{
    if (rp_prefix_reuse_cut(&self->reuse, changes, count)) {
        self->open_state = OPEN_NEEDS_RESTORE;
    }
    drop_checkpoints(self);
    for (size_t i = 0; self->open_state != OPEN_NEEDS_RESTORE && i < count; i++) {
        refresh_around(self, &changes[i]);
    }
}

static bool fsa_update(void *state, const rp_update_t *update)
{
    fsa_t *self = state;
    if (self->reuse.log.length == 0) { // nothing was looked at yet
        fsa_begin(self, self->reuse.start, update->goals, update->goal_count);
        return true;
    }
    if (rp_prefix_reuse_is_worn_out(&self->reuse)) {
        return false;
    }
    if (self->open_state == OPEN_IN_RESTORE) {
        self->open_state = OPEN_NEEDS_RESTORE; // what was listed may be wrong now
    }
    if (update->goals_changed && update->goals[0].cell != self->reuse.goal) {
        rp_prefix_reuse_set_goal(&self->reuse, update->goals[0].cell);
        if (self->kind == RP_OPEN_BUCKETS) {
            self->kind = RP_OPEN_HEAP; // f may be anything beside cells closed for another goal
            self->open_state = OPEN_NEEDS_RESTORE;
        } else if (self->open_state == OPEN_IS_TRUE) {
            self->open_state = OPEN_NEEDS_KEYS;
        }
    }
    take_in_changes(self, update->changes, update->change_count);
    return self->reuse.log.length != 0; // else the start itself costs something else
}

// ---- birth and death

static void fsa_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                     rp_arena_t *arena)
{
    fsa_t *self = state;
    self->bound_kind = options->open;
    rp_prefix_reuse_init(&self->reuse, grid, options->open, arena);
    self->checkpoints = rp_arena_new(arena, checkpoint_capacity(grid), sizeof *self->checkpoints);
    self->saved = rp_arena_new(arena, saved_capacity(grid), sizeof *self->saved);
    rp_arena_note(arena, &self->saved_peak, &self->saved_peak, sizeof *self->saved);
}

const rp_planner_ops_t RP_MEMBER(fsa) = {
    .info =
        {
            .id = "fsa",
            .paper = "Sun, Koenig 2007",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_GOAL | RP_NATIVE_NO_PATH |
                            RP_CAN_EVERY_GRID | RP_CAN_OPEN_BUCKETS,
            .bytes_per_cell = RP_PREFIX_REUSE_BYTES_PER_CELL,
        },
    .state_bytes = sizeof(fsa_t),
    .bind = fsa_bind,
    .begin = fsa_begin,
    .update = fsa_update,
    .search = fsa_search,
    .path = rp_prefix_reuse_path,
    .check = fsa_check,
};
