/// Fringe-Saving A*: keeps the beginning of the last search that the changes cannot have altered,
/// puts OPEN back as it stood there, and searches on.
///
/// Paper: Sun, Koenig 2007 (papers/fsa.txt), figure 6. Guarantee: optimal.
/// Cost of a change: its neighbours, looked up in the log. A plan then costs OPEN put back (about
/// what the boundary costs) and the cells that A* expands after the first that may differ.
/// Bytes a cell: 16, and 16 for each cell in OPEN at its largest, and at most 1 for copies of OPEN.
/// Choose it when changes fall near the goal, or when the goal moves and the start does not.
///
/// The paper's ExpandedId, ExpandedIteration and BlockId are one log here (search/expansions.h):
/// what the paper calls reusable is closed here, the cells that the log still holds.
///
/// Beyond the paper: 8 neighbours, weights, wrapped worlds, and a goal that moves. Closed cells
/// keep their exact g under any goal; only the keys in OPEN change. OPEN put back by the walk of
/// the paper serves 4 neighbours on uniform ground that does not wrap; elsewhere it comes from
/// copies.
#include "planners/planner_ops.h"

#include <stdlib.h>

#include "planners/search/expansions.h"
#include "planners/search/extract.h"
#include "planners/search/metric.h"
#include "planners/search/nodes.h"
#include "planners/search/open_list.h"

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
} open_state_t;

typedef struct fsa {
    rp_node_t *nodes; ///< by cell; those in OPEN and the closed ones beside them are of `search`
    const rp_grid_t *grid;
    rp_metric_t metric;
    rp_expansions_t log; ///< the closed cells, the start first
    rp_open_list_t open;
    uint32_t search; ///< number of this OPEN, in place for marks
    rp_cell_t start;
    rp_cell_t goal;
    rp_point_t goal_point;
    open_state_t open_state;
    rp_open_t bound_kind;    ///< what the options chose
    rp_open_t kind;          ///< what this log uses: buckets need an f that never fell
    uint32_t refreshed;      ///< cells put into OPEN again by changes since it was put back
    bool may_walk;           ///< the ground allows it, and so do the options
    bool open_is_partial;    ///< put back by a walk: without the holes in the closed area
    uint32_t checkpoint_due; ///< length of the log at which to see about the next
    uint32_t checkpoint_count;
    uint32_t saved_count;
    uint32_t saved_peak;
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

/// The paper's CellReusable {28-30}.
static inline bool is_closed(const fsa_t *self, rp_cell_t cell)
{
    return rp_expansions_have(&self->log, cell);
}

/// In OPEN with this g: an entry that says otherwise is stale.
static inline bool is_live(const void *state, rp_cell_t cell, rp_cost_t g)
{
    const fsa_t *self = state;
    const rp_node_t *node = &self->nodes[cell];
    const uint32_t mark = node->mark & ~(RP_NODE_DIRECTION | RP_NODE_ROOT);
    return node->g == g && mark == self->search;
}

// ---- OPEN

static rp_key_t key_of(const fsa_t *self, rp_cell_t cell)
{
    const rp_cost_t g = self->nodes[cell].g;
    const rp_cost_t h = rp_bound(&self->metric, rp_point_of(self->grid, cell), self->goal_point);
    return rp_key(g + h, RP_COST_INF - g);
}

/// How many entries OPEN may hold, stale ones too.
static uint32_t open_span(const fsa_t *self)
{
    return self->kind == RP_OPEN_HEAP ? self->open.heap.count : self->open.buckets.fresh;
}

/// @param i  less than open_span()
/// @return RP_NO_CELL when this entry is stale
static rp_cell_t live_cell_at(const fsa_t *self, uint32_t i)
{
    rp_cell_t cell;
    rp_cost_t g;
    if (self->kind == RP_OPEN_HEAP) {
        cell = self->open.heap.entries[i].cell;
        g = RP_COST_INF - rp_key_second(self->open.heap.entries[i].key);
    } else {
        cell = self->open.buckets.entries[i].cell;
        g = self->open.buckets.entries[i].g;
    }
    return is_live(self, cell, g) ? cell : RP_NO_CELL;
}

/// The goal moved: new keys for what waits in the heap.
static void renew_keys(fsa_t *self)
{
    rp_heap_t *heap = &self->open.heap;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < heap->count; i++) {
        const rp_cell_t cell = live_cell_at(self, i);
        if (cell != RP_NO_CELL) {
            heap->entries[kept++] = (rp_heap_entry_t){key_of(self, cell), cell};
        }
    }
    heap->count = kept;
    rp_heap_restore(heap);
}

static inline void open_push(fsa_t *self, rp_open_t kind, rp_cell_t cell)
{
    const rp_key_t key = key_of(self, cell);
    rp_open_push(&self->open, kind, rp_key_first(key), self->nodes[cell].g, cell, is_live, self);
}

// ---- invariants

/// The cell stands at its place in the log, and a cell before it explains its g.
static bool check_closed(const fsa_t *self, uint32_t place)
{
    const rp_grid_t *grid = self->grid;
    const rp_cell_t cell = self->log.cells[place];
    const rp_node_t *node = &self->nodes[cell];
    if (self->log.places[cell] != place || grid->factor[cell] == 0) {
        return false;
    }
    const bool is_root = (node->mark & RP_NODE_ROOT) != 0;
    if (is_root || place == 0) {
        return is_root && place == 0 && cell == self->start && node->g == 0;
    }
    const unsigned back = node->mark & RP_NODE_DIRECTION;
    const rp_cell_t parent = rp_grid_step(grid, cell, back);
    if (((grid->moves[cell] >> back) & 1u) == 0 || !is_closed(self, parent) ||
        self->log.places[parent] >= place ||
        self->nodes[parent].g + rp_edge(&self->metric, parent, cell, back) != node->g) {
        return false;
    }
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (grid, cell, direction, next) {
        const rp_cost_t edge = rp_edge(&self->metric, next, cell, direction);
        if (is_closed(self, next) && self->nodes[next].g + edge < node->g) {
            return false;
        }
    }
    return true;
}

/// A free cell that is not closed is in OPEN exactly when it lies beside closed ones (after a walk
/// it may be missing); it has the best g that they offer, and they are of this search, so that no
/// step back can alter them.
static bool check_open_cell(const fsa_t *self, rp_cell_t cell)
{
    rp_cost_t least = RP_COST_INF;
    bool are_marked = true;
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        if (is_closed(self, next)) {
            const rp_node_t *node = &self->nodes[next];
            const rp_cost_t g = node->g + rp_edge(&self->metric, next, cell, direction);
            least = g < least ? g : least;
            are_marked = are_marked && rp_node_is_closed(node, self->search);
        }
    }
    const bool is_open = rp_node_is_of(&self->nodes[cell], self->search);
    if (least == RP_COST_INF) {
        return !is_open || (cell == self->start && self->log.length == 0);
    }
    if (!is_open) {
        return self->open_is_partial;
    }
    return are_marked && is_live(self, cell, least);
}

static bool fsa_check(const void *state)
{
    const fsa_t *self = state;
    for (uint32_t place = 0; place < self->log.length; place++) {
        if (!check_closed(self, place)) {
            return false;
        }
    }
    if (self->open_state == OPEN_NEEDS_RESTORE) {
        return true;
    }
    uint32_t open_count = 0;
    for (rp_cell_t cell = 0; cell < self->grid->cell_count; cell++) {
        if (self->grid->factor[cell] == 0 || is_closed(self, cell)) {
            continue;
        }
        if (!check_open_cell(self, cell)) {
            return false;
        }
        open_count += rp_node_is_of(&self->nodes[cell], self->search);
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
    rp_node_t best = {RP_COST_INF, self->search};
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        if (!is_closed(self, next)) {
            continue;
        }
        rp_node_t *node = &self->nodes[next];
        node->mark =
            (node->mark & (RP_NODE_DIRECTION | RP_NODE_ROOT)) | RP_NODE_CLOSED | self->search;
        const rp_cost_t g = node->g + rp_edge(&self->metric, next, cell, direction);
        if (g < best.g) {
            best = (rp_node_t){g, self->search | direction};
        }
    }
    *reached = best;
    return best.g != RP_COST_INF;
}

/// Something changed at or beside this cell, and the log stayed whole: correct it in OPEN.
static void refresh(fsa_t *self, rp_cell_t cell)
{
    if (is_closed(self, cell)) {
        return;
    }
    rp_node_t *node = &self->nodes[cell];
    rp_node_t reached;
    if (!reach_from_closed(self, cell, &reached)) {
        node->mark = 0;
        return;
    }
    const bool is_in = is_live(self, cell, reached.g);
    *node = reached;
    if (is_in) {
        return;
    }
    if (self->open_is_partial) {
        self->open_state = OPEN_NEEDS_RESTORE; // it may lie in a hole that was left out
        return;
    }
    // Its older entry may come to look live again. So many twins have room, no more.
    if (++self->refreshed > self->grid->cell_count / 8u) {
        self->open_state = OPEN_NEEDS_RESTORE;
        return;
    }
    open_push(self, self->kind, cell);
}

// ---- OPEN put back

static void save_checkpoint(fsa_t *self)
{
    const uint32_t span = open_span(self);
    const uint32_t last =
        self->checkpoint_count != 0 ? self->checkpoints[self->checkpoint_count - 1u].length : 0;
    if (self->log.length - last < GAP_PER_OPEN * span) {
        self->checkpoint_due = last + GAP_PER_OPEN * span;
        return;
    }
    self->checkpoints[self->checkpoint_count++] =
        (checkpoint_t){self->log.length, self->saved_count};
    for (uint32_t i = 0; i < span; i++) {
        const rp_cell_t cell = live_cell_at(self, i);
        if (cell != RP_NO_CELL) {
            self->saved[self->saved_count++] = cell;
        }
    }
    self->saved_peak = self->saved_count > self->saved_peak ? self->saved_count : self->saved_peak;
    self->checkpoint_due = self->log.length + GAP_LEAST;
}

/// Forget the copies of OPEN that a cut made wrong. One taken at the cut itself goes too: a freed
/// cell beside the last cell of the log is missing there.
static void drop_checkpoints(fsa_t *self)
{
    uint32_t count = self->checkpoint_count;
    while (count != 0 && self->checkpoints[count - 1u].length >= self->log.length) {
        self->saved_count = self->checkpoints[--count].first;
    }
    self->checkpoint_count = count;
    self->checkpoint_due = GAP_LEAST + (count != 0 ? self->checkpoints[count - 1u].length : 0);
}

/// Put a cell into OPEN, without order yet (the heap's entries serve as a list meanwhile), unless
/// it is there or does not belong there.
static void admit(fsa_t *self, rp_cell_t cell)
{
    rp_node_t *node = &self->nodes[cell];
    rp_node_t reached;
    if (rp_node_is_of(node, self->search) || is_closed(self, cell) ||
        !reach_from_closed(self, cell, &reached)) {
        return;
    }
    *node = reached;
    self->open.heap.entries[self->open.heap.count++] = (rp_heap_entry_t){key_of(self, cell), cell};
}

/// From the newest copy of OPEN: its cells, and the neighbours of all cells expanded since. Some
/// of the copied ones may have been blocked or reached differently; none is missing, as every cell
/// that a change brought beside a closed one has cut the log there.
static void restore_from_log(fsa_t *self)
{
    const rp_grid_t *grid = self->grid;
    uint32_t place = 0;
    if (self->checkpoint_count != 0) {
        const checkpoint_t last = self->checkpoints[self->checkpoint_count - 1u];
        place = last.length;
        for (uint32_t i = last.first; i < self->saved_count; i++) {
            admit(self, self->saved[i]);
        }
    }
    for (; place < self->log.length; place++) {
        const rp_cell_t cell = self->log.cells[place];
        unsigned direction;
        rp_cell_t next;
        RP_FOR_MOVES (grid, cell, direction, next) {
            admit(self, next);
        }
    }
}

/// An edge of the boundary, as the walk sees it: a closed cell, and the direction of one that is
/// not. 4 neighbours: both are one step apart, and a step costs the same everywhere.
typedef struct edge {
    rp_cell_t cell;
    unsigned outward;
} edge_t;

static rp_cell_t step_to(const fsa_t *self, rp_cell_t cell, unsigned direction)
{
    return cell + (rp_cell_t)self->grid->offset[direction];
}

/// {49-53}, footnote 2: from the goal straight towards the start, x first, through whatever lies
/// there. The first edge met bounds the area that the goal is in.
static edge_t find_anchor(const fsa_t *self)
{
    const rp_point_t start = rp_point_of(self->grid, self->start);
    const unsigned along_x = start.x > self->goal_point.x ? 0 : 4;
    const unsigned along_y = start.y > self->goal_point.y ? 2 : 6;
    int32_t x_left = abs(start.x - self->goal_point.x);
    rp_cell_t cell = self->goal;
    for (;;) {
        const unsigned direction = x_left-- > 0 ? along_x : along_y;
        cell = step_to(self, cell, direction);
        if (is_closed(self, cell)) {
            return (edge_t){cell, rp_direction_back(direction)};
        }
    }
}

/// The next edge round the closed area, which is one piece by 4 neighbours; what is not closed, the
/// rim of the grid too, hangs together by 8.
///
///     ? corner      outside:  ? = any,  o = not closed,  # = closed
///     o ?           straight    o o     turn out   o ?     turn in    o #
///     # ahead                   # #                # o                # #
static edge_t next_edge(const fsa_t *self, edge_t edge)
{
    const unsigned onward = (edge.outward + 2u) & 7u;
    const rp_cell_t ahead = step_to(self, edge.cell, onward);
    if (!is_closed(self, ahead)) {
        return (edge_t){edge.cell, onward};
    }
    const rp_cell_t corner = step_to(self, ahead, edge.outward);
    if (!is_closed(self, corner)) {
        return (edge_t){ahead, edge.outward};
    }
    return (edge_t){corner, rp_direction_back(onward)};
}

/// Put the cell outside into OPEN, without a key yet, or give it the smaller g. The paper takes any
/// closed neighbour's {58-63}; the least needs no theorem, as the walk meets them all.
static void admit_across(fsa_t *self, edge_t edge)
{
    rp_node_t *inner = &self->nodes[edge.cell];
    inner->mark = (inner->mark & (RP_NODE_DIRECTION | RP_NODE_ROOT)) | RP_NODE_CLOSED |
                  self->search; // {55-56}
    const rp_cell_t outside = step_to(self, edge.cell, edge.outward);
    if (self->grid->factor[outside] == 0) {
        return;
    }
    rp_node_t *outer = &self->nodes[outside];
    const rp_cost_t g = inner->g + self->metric.length[0];
    if (!rp_node_is_of(outer, self->search)) {
        self->open.heap.entries[self->open.heap.count++].cell = outside;
    } else if (outer->g <= g) {
        return;
    }
    *outer = (rp_node_t){g, self->search | rp_direction_back(edge.outward)};
}

/// {54-66}. The holes in the closed area are left out: no cheaper path leads through them. Should
/// the goal move, perhaps into one of them, then a new walk begins at the new anchor.
static void restore_by_walk(fsa_t *self)
{
    const edge_t anchor = find_anchor(self);
    edge_t edge = anchor;
    do {
        admit_across(self, edge);
        edge = next_edge(self, edge);
    } while (edge.cell != anchor.cell || edge.outward != anchor.outward);
    for (uint32_t i = 0; i < self->open.heap.count; i++) {
        rp_heap_entry_t *entry = &self->open.heap.entries[i];
        entry->key = key_of(self, entry->cell);
    }
}

static void restore_open(fsa_t *self)
{
    rp_heap_t *heap = &self->open.heap;
    self->search = rp_nodes_next_search(self->search, self->nodes, self->grid->cell_count);
    self->refreshed = 0;
    rp_open_clear(&self->open);
    self->open_is_partial = self->may_walk;
    if (self->may_walk) {
        restore_by_walk(self);
    } else {
        restore_from_log(self);
    }
    heap->peak = heap->count > heap->peak ? heap->count : heap->peak;
    if (self->kind == RP_OPEN_HEAP) {
        rp_heap_restore(heap);
        return;
    }
    for (uint32_t i = 0; i < heap->count; i++) {
        open_push(self, RP_OPEN_BUCKETS, heap->entries[i].cell);
    }
    heap->count = 0;
}

static void bring_open_up_to_date(fsa_t *self)
{
    if (self->open_state == OPEN_NEEDS_RESTORE) {
        restore_open(self);
    } else if (self->open_state == OPEN_NEEDS_KEYS) {
        renew_keys(self);
    }
    self->open_state = OPEN_IS_TRUE;
}

// ---- search

static void fsa_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    fsa_t *self = state;
    (void)goal_count; // one: there is no capability for more
    self->search = rp_nodes_next_search(self->search, self->nodes, self->grid->cell_count);
    self->log.length = 0;
    self->start = start;
    self->goal = goals[0].cell;
    self->goal_point = rp_point_of(self->grid, self->goal);
    self->open_state = OPEN_IS_TRUE;
    self->open_is_partial = false;
    self->kind = self->bound_kind;
    self->refreshed = 0;
    rp_open_clear(&self->open);
    drop_checkpoints(self);
    self->nodes[start] = (rp_node_t){0, self->search | RP_NODE_ROOT};
    open_push(self, self->kind, start);
}

/// A cell leaves OPEN for the log: each neighbour that it reaches more cheaply goes in. The goal is
/// expanded like any other, so that a search for another goal can go on from here.
RP_SEARCH_LOOP void expand(fsa_t *self, rp_open_t kind, rp_cell_t cell, rp_plan_stats_t *stats)
{
    const rp_grid_t *grid = self->grid;
    const uint32_t search = self->search;
    rp_node_t *nodes = self->nodes;
    const rp_cost_t g = nodes[cell].g;
    unsigned direction;
    rp_cell_t next;
    nodes[cell].mark |= RP_NODE_CLOSED;
    rp_expansions_append(&self->log, cell);
    RP_FOR_MOVES (grid, cell, direction, next) {
        rp_node_t *node = &nodes[next];
        const rp_cost_t g_next = g + rp_edge(&self->metric, cell, next, direction);
        if (rp_node_is_of(node, search) && node->g <= g_next) {
            continue;
        }
        *node = (rp_node_t){g_next, search | rp_direction_back(direction)};
        open_push(self, kind, next);
        stats->generated++;
    }
}

RP_SEARCH_LOOP rp_status_t search_with(fsa_t *self, rp_open_t kind, uint64_t *budget,
                                       rp_plan_stats_t *stats)
{
    while (*budget != 0) {
        if (self->log.length >= self->checkpoint_due && !self->open_is_partial) {
            save_checkpoint(self);
        }
        const rp_cell_t cell = rp_open_pop(&self->open, kind, is_live, self);
        if (cell == RP_NO_CELL) {
            return RP_OK;
        }
        stats->expanded++;
        --*budget;
        expand(self, kind, cell, stats);
        if (cell == self->goal) {
            return RP_OK;
        }
    }
    return RP_MORE;
}

static rp_status_t fsa_search(void *state, uint64_t *budget, rp_plan_stats_t *stats)
{
    fsa_t *self = state;
    if (is_closed(self, self->goal)) {
        return RP_OK; // {75}: what was found before is still the path
    }
    bring_open_up_to_date(self);
    return self->kind == RP_OPEN_HEAP ? search_with(self, RP_OPEN_HEAP, budget, stats)
                                      : search_with(self, RP_OPEN_BUCKETS, budget, stats);
}

// ---- changes

/// The log stayed whole: correct OPEN where the change meets it.
static void refresh_around(fsa_t *self, const rp_change_t *change)
{
    refresh(self, change->cell);
    const bool moves_changed = (change->before == 0) != (change->after == 0);
    if (self->grid->shape.neighbors == 8 && moves_changed) {
        for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += 2) {
            refresh(self, rp_grid_step(self->grid, change->cell, direction));
        }
    }
}

static void take_in_changes(fsa_t *self, const rp_change_t *changes, size_t count)
{
    uint32_t limit = self->log.length;
    for (size_t i = 0; i < count; i++) {
        limit = rp_expansions_limit(&self->log, self->grid, &changes[i], limit);
    }
    if (limit < self->log.length) {
        self->log.length = limit;
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
    if (self->log.length == 0) { // nothing was looked at yet
        fsa_begin(self, self->start, update->goals, update->goal_count);
        return true;
    }
    if (self->search + RP_NODE_SEARCH == 0) {
        return false; // numbers are used up: begin clears the nodes, and the log with them
    }
    if (update->goals_changed && update->goals[0].cell != self->goal) {
        self->goal = update->goals[0].cell;
        self->goal_point = rp_point_of(self->grid, self->goal);
        if (self->open_is_partial || self->kind == RP_OPEN_BUCKETS) {
            self->kind = RP_OPEN_HEAP; // f may be anything beside cells closed for another goal
            self->open_state = OPEN_NEEDS_RESTORE;
        } else if (self->open_state == OPEN_IS_TRUE) {
            self->open_state = OPEN_NEEDS_KEYS;
        }
    }
    take_in_changes(self, update->changes, update->change_count);
    return self->log.length != 0; // else the start itself costs something else
}

// ---- path

static uint32_t fsa_path(const void *state, rp_cell_t *cells)
{
    const fsa_t *self = state;
    if (!is_closed(self, self->goal)) {
        return 0;
    }
    uint32_t count = 0;
    rp_cell_t cell = self->goal;
    while (cell != self->start) {
        cells[count++] = cell;
        cell = rp_grid_step(self->grid, cell, self->nodes[cell].mark & RP_NODE_DIRECTION);
    }
    cells[count++] = cell;
    rp_reverse(cells, count);
    return count;
}

// ---- birth and death

static void fsa_unbind(void *state)
{
    fsa_t *self = state;
    if (self->grid == NULL) {
        return;
    }
    const rp_grid_t *grid = self->grid;
    rp_memory_free(self->nodes, grid->cell_count, sizeof *self->nodes);
    rp_expansions_fini(&self->log);
    rp_memory_free(self->checkpoints, checkpoint_capacity(grid), sizeof *self->checkpoints);
    rp_memory_free(self->saved, saved_capacity(grid), sizeof *self->saved);
    rp_open_fini(&self->open);
    self->grid = NULL;
}

static rp_status_t fsa_bind(void *state, const rp_grid_t *grid, const rp_planner_options_t *options)
{
    fsa_t *self = state;
    self->grid = grid;
    self->metric = rp_metric_of(grid);
    self->bound_kind = options->open;
    self->may_walk = options->restore != RP_RESTORE_LOG && grid->shape.neighbors == 4 &&
                     !grid->weighted && !grid->shape.wraps;
    self->nodes = rp_memory_new(grid->cell_count, sizeof *self->nodes);
    self->checkpoints = rp_memory_new(checkpoint_capacity(grid), sizeof *self->checkpoints);
    self->saved = rp_memory_new(saved_capacity(grid), sizeof *self->saved);
    if (rp_open_init(&self->open, options->open, grid->cell_count, self->metric.dearest) != RP_OK ||
        rp_expansions_init(&self->log, grid->cell_count) != RP_OK || self->nodes == NULL ||
        self->checkpoints == NULL || self->saved == NULL) {
        fsa_unbind(self);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

static uint64_t fsa_bytes(const void *state)
{
    const fsa_t *self = state;
    const uint64_t per_cell = sizeof *self->nodes + RP_EXPANSIONS_BYTES_PER_CELL;
    return self->grid->cell_count * per_cell + rp_open_bytes(&self->open) +
           (uint64_t)self->saved_peak * sizeof *self->saved;
}

const rp_planner_ops_t RP_MEMBER(fsa) = {
    .info =
        {
            .id = "fsa",
            .paper = "Sun, Koenig 2007",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_GOAL | RP_NATIVE_NO_PATH |
                            RP_CAN_EVERY_GRID | RP_CAN_OPEN_BUCKETS | RP_CAN_RESTORE,
            .bytes_per_cell = sizeof(rp_node_t) + RP_EXPANSIONS_BYTES_PER_CELL,
        },
    .state_bytes = sizeof(fsa_t),
    .bind = fsa_bind,
    .unbind = fsa_unbind,
    .begin = fsa_begin,
    .update = fsa_update,
    .search = fsa_search,
    .path = fsa_path,
    .bytes = fsa_bytes,
    .check = fsa_check,
};
