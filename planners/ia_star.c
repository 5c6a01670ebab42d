/// iA*: repeats the last search in the order it had, as far as the changes cannot have altered it,
/// and searches on from there.
///
/// After: Yap, and "Fringe-Saving A*" (papers/fsa.txt), which puts OPEN back without repeating.
/// Guarantee: optimal. Cost of a change: its neighbours, looked up in the log. A plan then costs
/// the repetition, an expansion each but for the queue, OPEN made a heap in one go, and the cells
/// that A* expands after the first that may differ. Bytes a cell: 16, and 16 for each cell in OPEN
/// at its largest. Choose it to compare with: it keeps what `fsa` keeps, and pays for all of it.
///
/// What is repeated are only the cells beside closed ones. Closed cells keep g and parent; they are
/// exact, whatever becomes of the rest, also when the goal moves: that changes keys, nothing else.
#include "planners/planner_ops.h"

#include "planners/search/expansions.h"
#include "planners/search/extract.h"
#include "planners/search/metric.h"
#include "planners/search/nodes.h"
#include "planners/search/open_list.h"

// ---- state

typedef enum open_state {
    OPEN_IS_TRUE,
    OPEN_NEEDS_KEYS,   ///< the goal moved: cells and g's are right
    OPEN_NEEDS_REPLAY, ///< something near closed cells changed
    OPEN_IN_REPLAY,    ///< a list without keys, of what the cells replayed so far lead to
} open_state_t;

typedef struct ia_star {
    rp_node_t *nodes; ///< by cell; those in OPEN, and closed ones once replayed, are of `search`
    const rp_grid_t *grid;
    rp_metric_t metric;
    rp_expansions_t log; ///< the closed cells, the start first
    rp_open_list_t open; ///< a heap
    uint32_t search;     ///< number of this OPEN, in place for marks
    uint32_t replayed;   ///< cells of the log, from the first on
    rp_cell_t start;
    rp_cell_t goal;
    rp_point_t goal_point;
    open_state_t open_state;
} ia_star_t;

static inline bool is_closed(const ia_star_t *self, rp_cell_t cell)
{
    return rp_expansions_have(&self->log, cell);
}

/// In OPEN with this g: an entry that says otherwise is stale.
static inline bool is_live(const void *state, rp_cell_t cell, rp_cost_t g)
{
    const ia_star_t *self = state;
    const rp_node_t *node = &self->nodes[cell];
    const uint32_t mark = node->mark & ~(RP_NODE_DIRECTION | RP_NODE_ROOT);
    return node->g == g && mark == self->search;
}

// ---- OPEN

static inline rp_key_t key_of(const ia_star_t *self, rp_cell_t cell)
{
    const rp_cost_t g = self->nodes[cell].g;
    const rp_cost_t h = rp_bound(&self->metric, rp_point_of(self->grid, cell), self->goal_point);
    return rp_key(g + h, RP_COST_INF - g);
}

static inline void open_push(ia_star_t *self, rp_cell_t cell)
{
    const rp_key_t key = key_of(self, cell);
    rp_open_push(&self->open, RP_OPEN_HEAP, rp_key_first(key), self->nodes[cell].g, cell, is_live,
                 self);
}

/// Make a heap of the cells that are listed, each of them once.
static void order_open(ia_star_t *self)
{
    rp_heap_t *heap = &self->open.heap;
    for (uint32_t i = 0; i < heap->count; i++) {
        heap->entries[i].key = key_of(self, heap->entries[i].cell);
    }
    heap->peak = heap->count > heap->peak ? heap->count : heap->peak;
    rp_heap_restore(heap);
    self->open_state = OPEN_IS_TRUE;
}

// ---- invariants

/// The cell stands at its place in the log, and a cell before it explains its g.
static bool check_closed(const ia_star_t *self, uint32_t place)
{
    const rp_cell_t cell = self->log.cells[place];
    const rp_node_t *node = &self->nodes[cell];
    if (self->log.places[cell] != place || self->grid->factor[cell] == 0) {
        return false;
    }
    if (place == 0) {
        return (node->mark & RP_NODE_ROOT) != 0 && cell == self->start && node->g == 0;
    }
    const unsigned back = node->mark & RP_NODE_DIRECTION;
    const rp_cell_t parent = rp_grid_step(self->grid, cell, back);
    return ((self->grid->moves[cell] >> back) & 1u) != 0 && is_closed(self, parent) &&
           self->log.places[parent] < place &&
           self->nodes[parent].g + rp_edge(&self->metric, parent, cell, back) == node->g;
}

/// No closed cell offers this one a better g than it has; one that waits in OPEN has the best.
static bool check_g(const ia_star_t *self, rp_cell_t cell)
{
    const rp_node_t *node = &self->nodes[cell];
    rp_cost_t least = RP_COST_INF;
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        if (is_closed(self, next)) {
            const rp_cost_t edge = rp_edge(&self->metric, next, cell, direction);
            least = self->nodes[next].g + edge < least ? self->nodes[next].g + edge : least;
        }
    }
    if (is_closed(self, cell)) {
        return least >= node->g;
    }
    if (self->open_state == OPEN_NEEDS_REPLAY || self->open_state == OPEN_IN_REPLAY) {
        return true;
    }
    const bool waits = rp_node_is_of(node, self->search);
    if (least == RP_COST_INF) {
        return !waits || (cell == self->start && self->log.length == 0);
    }
    return waits && is_live(self, cell, least);
}

static bool ia_star_check(const void *state)
{
    const ia_star_t *self = state;
    for (uint32_t place = 0; place < self->log.length; place++) {
        if (!check_closed(self, place)) {
            return false;
        }
    }
    for (rp_cell_t cell = 0; cell < self->grid->cell_count; cell++) {
        if (self->grid->factor[cell] != 0 && !check_g(self, cell)) {
            return false;
        }
    }
    return true;
}

// ---- the replay

/// One cell of the log again: what it leads to is listed, closed cells are left as they are.
static inline void replay(ia_star_t *self, rp_cell_t cell)
{
    const uint32_t search = self->search;
    rp_node_t *nodes = self->nodes;
    rp_heap_t *heap = &self->open.heap;
    const rp_cost_t g = nodes[cell].g;
    unsigned direction;
    rp_cell_t next;
    nodes[cell].mark =
        (nodes[cell].mark & (RP_NODE_DIRECTION | RP_NODE_ROOT)) | RP_NODE_CLOSED | search;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        rp_node_t *node = &nodes[next];
        const rp_cost_t g_next = g + rp_edge(&self->metric, cell, next, direction);
        if (rp_node_is_of(node, search)) {
            if (node->g <= g_next) {
                continue;
            }
        } else if (is_closed(self, next)) {
            continue; // its own turn will come
        } else {
            heap->entries[heap->count++].cell = next;
        }
        *node = (rp_node_t){g_next, search | rp_direction_back(direction)};
    }
}

/// Put OPEN back as it stood at the end of the log.
static rp_status_t replay_log(ia_star_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    if (self->open_state == OPEN_NEEDS_REPLAY) {
        self->search = rp_nodes_next_search(self->search, self->nodes, self->grid->cell_count);
        self->replayed = 0;
        rp_open_clear(&self->open);
        self->open_state = OPEN_IN_REPLAY;
    }
    while (self->replayed < self->log.length) {
        if (*budget == 0) {
            return RP_MORE;
        }
        --*budget;
        stats->visited++;
        replay(self, self->log.cells[self->replayed++]);
    }
    order_open(self);
    return RP_OK;
}

/// The goal moved: new keys for what waits.
static void renew_keys(ia_star_t *self)
{
    rp_heap_t *heap = &self->open.heap;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < heap->count; i++) {
        const rp_heap_entry_t entry = heap->entries[i];
        if (is_live(self, entry.cell, RP_COST_INF - rp_key_second(entry.key))) {
            heap->entries[kept++] = entry;
        }
    }
    heap->count = kept;
    order_open(self);
}

// ---- search

static void ia_star_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    ia_star_t *self = state;
    (void)goal_count; // one: there is no capability for more
    self->search = rp_nodes_next_search(self->search, self->nodes, self->grid->cell_count);
    self->log.length = 0;
    self->start = start;
    self->goal = goals[0].cell;
    self->goal_point = rp_point_of(self->grid, self->goal);
    self->open_state = OPEN_IS_TRUE;
    rp_open_clear(&self->open);
    self->nodes[start] = (rp_node_t){0, self->search | RP_NODE_ROOT};
    open_push(self, start);
}

/// A cell leaves OPEN for the log: each neighbour that it reaches more cheaply goes in. The goal is
/// expanded like any other, so that a search for another goal can go on from here.
static inline void expand(ia_star_t *self, rp_cell_t cell, rp_plan_stats_t *stats)
{
    const uint32_t search = self->search;
    rp_node_t *nodes = self->nodes;
    const rp_cost_t g = nodes[cell].g;
    unsigned direction;
    rp_cell_t next;
    nodes[cell].mark |= RP_NODE_CLOSED;
    rp_expansions_append(&self->log, cell);
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        rp_node_t *node = &nodes[next];
        const rp_cost_t g_next = g + rp_edge(&self->metric, cell, next, direction);
        if (rp_node_is_of(node, search) && node->g <= g_next) {
            continue;
        }
        *node = (rp_node_t){g_next, search | rp_direction_back(direction)};
        open_push(self, next);
        stats->generated++;
    }
}

static rp_status_t ia_star_search(void *state, uint64_t *budget, rp_plan_stats_t *stats)
{
    ia_star_t *self = state;
    if (is_closed(self, self->goal)) {
        return RP_OK; // what was found before is still the path
    }
    if (self->open_state == OPEN_NEEDS_KEYS) {
        renew_keys(self);
    } else if (self->open_state != OPEN_IS_TRUE && replay_log(self, budget, stats) == RP_MORE) {
        return RP_MORE;
    }
    while (*budget != 0) {
        const rp_cell_t cell = rp_open_pop(&self->open, RP_OPEN_HEAP, is_live, self);
        if (cell == RP_NO_CELL) {
            return RP_OK;
        }
        stats->expanded++;
        stats->visited++;
        --*budget;
        expand(self, cell, stats);
        if (cell == self->goal) {
            return RP_OK;
        }
    }
    return RP_MORE;
}

// ---- changes

/// The log stays whole: true when OPEN may be wrong, as the change meets what was generated.
static bool meets_open(const ia_star_t *self, rp_cell_t cell)
{
    bool is_met = rp_node_is_of(&self->nodes[cell], self->search);
    for (unsigned direction = 0; direction < RP_DIRECTIONS && !is_met; direction++) {
        const rp_cell_t beside = rp_grid_step(self->grid, cell, direction);
        is_met = rp_node_is_of(&self->nodes[beside], self->search);
    }
    return is_met;
}

static void take_in_changes(ia_star_t *self, const rp_change_t *changes, size_t count)
{
    uint32_t limit = self->log.length;
    for (size_t i = 0; i < count; i++) {
        limit = rp_expansions_limit(&self->log, self->grid, &changes[i], limit);
    }
    if (limit < self->log.length) {
        self->log.length = limit;
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
    if (self->log.length == 0) { // nothing was looked at yet
        ia_star_begin(self, self->start, update->goals, update->goal_count);
        return true;
    }
    if (self->search + RP_NODE_SEARCH == 0) {
        return false; // numbers are used up: begin clears the nodes, and the log with them
    }
    if (update->goals_changed && update->goals[0].cell != self->goal) {
        self->goal = update->goals[0].cell;
        self->goal_point = rp_point_of(self->grid, self->goal);
        if (self->open_state == OPEN_IS_TRUE) {
            self->open_state = OPEN_NEEDS_KEYS;
        }
    }
    take_in_changes(self, update->changes, update->change_count);
    return self->log.length != 0; // else the start itself costs something else
}

// ---- path

static uint32_t ia_star_path(const void *state, rp_cell_t *cells)
{
    const ia_star_t *self = state;
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

static void ia_star_unbind(void *state)
{
    ia_star_t *self = state;
    if (self->grid == NULL) {
        return;
    }
    rp_memory_free(self->nodes, self->grid->cell_count, sizeof *self->nodes);
    rp_expansions_fini(&self->log);
    rp_open_fini(&self->open);
    self->grid = NULL;
}

static rp_status_t ia_star_bind(void *state, const rp_grid_t *grid,
                                const rp_planner_options_t *options)
{
    ia_star_t *self = state;
    self->grid = grid;
    self->metric = rp_metric_of(grid);
    self->nodes = rp_memory_new(grid->cell_count, sizeof *self->nodes);
    if (rp_open_init(&self->open, options->open, grid->cell_count, self->metric.dearest) != RP_OK ||
        rp_expansions_init(&self->log, grid->cell_count) != RP_OK || self->nodes == NULL) {
        ia_star_unbind(self);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

static uint64_t ia_star_bytes(const void *state)
{
    const ia_star_t *self = state;
    const uint64_t per_cell = sizeof *self->nodes + RP_EXPANSIONS_BYTES_PER_CELL;
    return self->grid->cell_count * per_cell + rp_open_bytes(&self->open);
}

const rp_planner_ops_t RP_MEMBER(ia_star) = {
    .info =
        {
            .id = "ia-star",
            .paper = "Yap; Sun, Koenig 2007",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_GOAL | RP_NATIVE_NO_PATH |
                            RP_CAN_EVERY_GRID,
            .bytes_per_cell = sizeof(rp_node_t) + RP_EXPANSIONS_BYTES_PER_CELL,
        },
    .state_bytes = sizeof(ia_star_t),
    .bind = ia_star_bind,
    .unbind = ia_star_unbind,
    .begin = ia_star_begin,
    .update = ia_star_update,
    .search = ia_star_search,
    .path = ia_star_path,
    .bytes = ia_star_bytes,
    .check = ia_star_check,
};
