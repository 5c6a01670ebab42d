/// Generalized Adaptive A*: A* whose heuristic learns from each search and is kept consistent while
/// costs fall and the goal moves.
///
/// Papers: Sun, Koenig, Yeoh 2008; "Simple Optimization Techniques for A*-Based Search" 2009
/// (papers/gaa-variants.txt), figure 4, in the lazy form that the paper names without a listing
/// (PSEUDOCODE 9.2), with A* variants 0, 1 and 2 of its section 3.6. Guarantee: optimal.
/// Cost of a change: dearer cells and moved ends nothing but the search; cheaper cells the
/// Consistency Procedure, which visits each cell whose h falls. Bytes a cell: 12, and 16 for each
/// cell in OPEN at its largest. Choose it when both ends move and few cells become cheaper.
///
/// After a search that found a path of cost C, each closed cell s has h(s) := C - g(s) (line 6').
/// When the goal moves to t, all cells have h(s) := max(H(s, t), h(s) - h(t)) (line 12'). Both wait
/// until a later search looks at s: touch(). A cell says in which search it was last looked at, and
/// `pasts` remembers of each search its C and how much h had been lowered in all by then.
///
/// Letters: g cost from the start, h the learnt bound on the cost to the goal, H the metric's, c an
/// edge, f = g + h.
#include "planners/planner_ops.h"

#include <assert.h>

#include "planners/search/extract.h"
#include "planners/search/metric.h"
#include "planners/search/open_list.h"

// ---- state

/// What a cell keeps from search to search.
///
///     mark:  | search number, 27 bits | known, 1 | closed, 1 | direction back to the parent, 3 |
typedef struct node {
    rp_cost_t g; ///< RP_COST_INF until this search reaches the cell
    rp_cost_t h; ///< as of the search in the mark
    uint32_t mark;
} node_t;

static_assert(RP_COST_BITS != 32 || sizeof(node_t) == 12, "five cells in a cache line");

#define MARK_DIRECTION 7u
#define MARK_CLOSED    8u
#define MARK_KNOWN     16u ///< never written cells are zero
#define MARK_SEARCH    32u ///< one search number

/// What must be remembered of a search until no cell names it any more.
typedef struct past {
    uint64_t lowered; ///< by moved goals, in all until then; may wrap: only differences count
    rp_cost_t cost;   ///< C; 0 when there was no path or the search was given up: raises nothing
} past_t;

/// Searches remembered, a power of two. Each new search renews a slice of the cells, so that none
/// names an older one; the more are remembered, the thinner the slice.
#ifndef GAA_PASTS
#define GAA_PASTS 16384u
#endif

typedef enum phase {
    PHASE_REPAIR, ///< the Consistency Procedure's queue stands in the heap
    PHASE_SEARCH, ///< OPEN stands in the heap or the buckets
    PHASE_DONE,
} phase_t;

typedef struct gaa {
    node_t *nodes; ///< by cell
    const rp_grid_t *grid;
    rp_metric_t metric;
    rp_open_list_t open;
    uint64_t lowered;  ///< by moved goals, in all since bind
    uint32_t search;   ///< number of this search, in place for marks, with MARK_KNOWN
    uint32_t span;     ///< searches that count, this one included, 1..GAA_PASTS
    rp_cell_t held;    ///< to be expanded next without OPEN (variants 1 and 2), or RP_NO_CELL
    rp_point_t target; ///< where the goal is
    past_t *pasts;     ///< by search number modulo GAA_PASTS
    rp_cell_t start;
    rp_cell_t goal;
    rp_cell_t renewed; ///< the next slice of cells to renew begins here
    phase_t phase;
    bool found;
    rp_open_t kind;
    unsigned variant;
} gaa_t;

static past_t *past_of(const gaa_t *self, uint32_t mark)
{
    return &self->pasts[mark / MARK_SEARCH % GAA_PASTS];
}

// ---- one cell brought up to date

/// True when the cell was looked at since the planner began.
static bool is_known(const gaa_t *self, const node_t *node)
{
    const uint32_t age = self->search / MARK_SEARCH - node->mark / MARK_SEARCH;
    return (node->mark & MARK_KNOWN) != 0 && age % (1u << 27) < self->span;
}

/// The h of a cell in a search that begins now, or in the one that runs.
static rp_cost_t h_of(const gaa_t *self, rp_cell_t cell)
{
    const node_t *node = &self->nodes[cell];
    if (!is_known(self, node)) {
        return rp_bound(&self->metric, rp_point_of(self->grid, cell), self->target);
    }
    const past_t *past = past_of(self, node->mark);
    const bool is_raised = (node->mark & MARK_CLOSED) != 0 && past->cost != 0;
    const rp_cost_t h = is_raised ? past->cost - node->g : node->h;
    const uint64_t lowered = self->lowered - past->lowered;
    if (lowered == 0) {
        return h; // not below the metric's bound, as the goal stands where it stood
    }
    const rp_cost_t bound = rp_bound(&self->metric, rp_point_of(self->grid, cell), self->target);
    return h > lowered && h - lowered > bound ? (rp_cost_t)(h - lowered) : bound;
}

static void renew(gaa_t *self, rp_cell_t cell)
{
    self->nodes[cell] = (node_t){RP_COST_INF, h_of(self, cell), self->search};
}

/// Make the cell one of this search. Comes before every look at its g or h.
static inline node_t *touch(gaa_t *self, rp_cell_t cell)
{
    node_t *node = &self->nodes[cell];
    if ((node->mark & ~(MARK_DIRECTION | MARK_CLOSED)) != self->search) {
        renew(self, cell);
    }
    return node;
}

// ---- invariants

static bool is_queued(const gaa_t *self, rp_cell_t cell)
{
    for (uint32_t i = 0; i < self->open.heap.count; i++) {
        if (self->open.heap.entries[i].cell == cell) {
            return true;
        }
    }
    return false;
}

/// h(goal) = 0, and h(a) <= c(a, b) + h(b) on every edge unless b still waits to pass its h on.
static bool gaa_check(const void *state)
{
    const gaa_t *self = state;
    for (rp_cell_t a = 0; a < self->grid->cell_count; a++) {
        unsigned direction;
        rp_cell_t b;
        RP_FOR_MOVES (self->grid, a, direction, b) {
            const rp_cost_t limit = rp_edge(&self->metric, a, b, direction) + h_of(self, b);
            if (h_of(self, a) > limit && !(self->phase == PHASE_REPAIR && is_queued(self, b))) {
                return false;
            }
        }
    }
    return h_of(self, self->goal) == 0;
}

// ---- searches by number

/// Give the next search its number. What was going on is given up: its cost stays 0, so that it
/// raises nothing.
static void next_search(gaa_t *self)
{
    self->search += MARK_SEARCH;
    *past_of(self, self->search) = (past_t){.lowered = self->lowered};
    self->span = self->span < GAA_PASTS ? self->span + 1u : GAA_PASTS;
    self->held = RP_NO_CELL;
    self->found = false;
}

/// Renew a slice of the cells, all of them within GAA_PASTS - 1 searches. Cells from before the
/// planner began are forgotten, those that were never written stay untouched.
static void renew_slice(gaa_t *self)
{
    const uint32_t cells = self->grid->cell_count;
    for (uint32_t left = cells / (GAA_PASTS - 1u) + 1u; left != 0; left--) {
        const rp_cell_t cell = self->renewed;
        if (is_known(self, &self->nodes[cell])) {
            touch(self, cell);
        } else if (self->nodes[cell].mark != 0) {
            self->nodes[cell].mark = 0;
        }
        self->renewed = cell + 1u < cells ? cell + 1u : 0u;
    }
}

static void set_goal(gaa_t *self, rp_cell_t goal)
{
    self->goal = goal;
    self->target = rp_point_of(self->grid, goal);
}

static void gaa_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    (void)goal_count;
    gaa_t *self = state;
    next_search(self);
    self->span = 1;
    rp_open_clear(&self->open);
    self->start = start;
    set_goal(self, goals[0].cell);
    renew_slice(self);
    self->phase = PHASE_REPAIR;
}

// ---- changes

/// The Consistency Procedure's queue is an OPEN list whose f and g are both h.
static bool is_waiting(const void *owner, rp_cell_t cell, rp_cost_t h)
{
    const gaa_t *self = owner;
    return self->nodes[cell].h == h;
}

/// See that h(a) <= c + h(b) (lines 16' to 20').
static inline void keep_consistent(gaa_t *self, rp_cell_t a, rp_cell_t b, rp_cost_t c)
{
    const rp_cost_t limit = touch(self, b)->h + c;
    node_t *node = touch(self, a);
    if (node->h > limit) {
        node->h = limit;
        rp_open_push(&self->open, RP_OPEN_HEAP, limit, limit, a, is_waiting, self);
    }
}

static void note_edge(gaa_t *self, rp_cell_t a, unsigned direction)
{
    const rp_cell_t b = rp_grid_step(self->grid, a, direction);
    const rp_cost_t c = rp_edge(&self->metric, a, b, direction);
    keep_consistent(self, a, b, c);
    keep_consistent(self, b, a, c);
}

/// Look at every edge that a cheaper cell may have made cheaper, or a free one have opened
/// (PSEUDOCODE 1.3). Edges that became dearer or went leave h consistent.
static void note_change(gaa_t *self, const rp_change_t *change)
{
    const rp_grid_t *grid = self->grid;
    const bool is_freed = change->before == 0;
    if (change->after == 0 || (!is_freed && change->after > change->before)) {
        return;
    }
    for (unsigned moves = grid->moves[change->cell]; moves != 0; moves &= moves - 1u) {
        note_edge(self, change->cell, (unsigned)__builtin_ctz(moves));
    }
    // Beside a freed cell: from its neighbour in direction d to the one in direction d + 2.
    for (unsigned direction = 0; is_freed && direction < RP_DIRECTIONS; direction += 2u) {
        const rp_cell_t beside = rp_grid_step(grid, change->cell, direction);
        const unsigned diagonal = (direction + 3u) % RP_DIRECTIONS;
        if (((grid->moves[beside] >> diagonal) & 1u) != 0) {
            note_edge(self, beside, diagonal);
        }
    }
}

/// The goal moves, under the old costs: h of all cells falls by h of the new goal (lines 9' to
/// 12').
static void move_goal(gaa_t *self, rp_cell_t goal)
{
    node_t *node = touch(self, goal);
    self->lowered += node->h;
    past_of(self, self->search)->lowered = self->lowered;
    node->h = 0;
    set_goal(self, goal);
}

/// Cells that wait in the queue while the goal moves wait with their new h.
static void requeue(gaa_t *self)
{
    rp_heap_t *heap = &self->open.heap;
    for (uint32_t i = 0; i < heap->count; i++) {
        const rp_cell_t cell = heap->entries[i].cell;
        const rp_cost_t h = touch(self, cell)->h;
        heap->entries[i].key = rp_key(h, RP_COST_INF - h);
    }
    rp_heap_restore(heap);
}

static bool gaa_update(void *state, const rp_update_t *update)
{
    gaa_t *self = state;
    if (self->phase == PHASE_REPAIR) {
        rp_open_sweep_heap(&self->open, is_waiting, self);
    } else {
        rp_open_clear(&self->open);
    }
    next_search(self);
    if (update->goals[0].cell != self->goal) {
        move_goal(self, update->goals[0].cell);
    }
    requeue(self);
    self->start = update->start;
    renew_slice(self);
    for (size_t i = 0; i < update->change_count; i++) {
        note_change(self, &update->changes[i]);
    }
    self->phase = PHASE_REPAIR;
    return true;
}

/// The Consistency Procedure (lines 21' to 28'). @return false when the budget was spent first
static bool repair(gaa_t *self, uint64_t *budget)
{
    while (*budget != 0) {
        const rp_cell_t b = rp_open_pop(&self->open, RP_OPEN_HEAP, is_waiting, self);
        if (b == RP_NO_CELL) {
            return true;
        }
        --*budget;
        unsigned direction;
        rp_cell_t a;
        RP_FOR_MOVES (self->grid, b, direction, a) {
            keep_consistent(self, a, b, rp_edge(&self->metric, a, b, direction));
        }
    }
    return false;
}

// ---- search

static bool is_open(const void *owner, rp_cell_t cell, rp_cost_t g)
{
    const gaa_t *self = owner;
    return self->nodes[cell].g == g;
}

static inline void open_push(gaa_t *self, rp_open_t kind, rp_cost_t f, rp_cell_t cell,
                             rp_plan_stats_t *stats)
{
    rp_open_push(&self->open, kind, f, self->nodes[cell].g, cell, is_open, self);
    stats->generated++;
}

/// A cell leaves OPEN: each neighbour that it reaches more cheaply goes in, but for one that is
/// certain to be expanded next.
/// @param variant  0: none is held back; 1: a new neighbour with the same f; 2: else the new
///                 neighbour with least f, if OPEN has nothing better
/// @return the one held back, or RP_NO_CELL
RP_SEARCH_LOOP rp_cell_t expand(gaa_t *self, rp_open_t kind, unsigned variant, rp_cell_t cell,
                                rp_plan_stats_t *stats)
{
    node_t *from = &self->nodes[cell];
    const rp_cost_t g = from->g;
    const rp_cost_t f = g + from->h;
    rp_cell_t held = RP_NO_CELL;
    rp_cost_t held_f = RP_COST_INF;
    unsigned direction;
    rp_cell_t next;
    from->mark |= MARK_CLOSED;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        node_t *node = touch(self, next);
        const rp_cost_t g_next = g + rp_edge(&self->metric, cell, next, direction);
        if (node->g <= g_next) {
            continue;
        }
        assert((node->mark & MARK_CLOSED) == 0); // h is consistent: closed once, closed for good
        const bool is_new = node->g == RP_COST_INF;
        const rp_cost_t f_next = g_next + node->h;
        node->g = g_next;
        node->mark = self->search | rp_direction_back(direction);
        if (variant == 0 || !is_new || f_next >= held_f || (variant == 1 && f_next != f)) {
            open_push(self, kind, f_next, next, stats);
            continue;
        }
        if (held != RP_NO_CELL) {
            open_push(self, kind, held_f, held, stats);
        }
        held = next;
        held_f = f_next;
    }
    if (variant == 2 && held != RP_NO_CELL && held_f != f &&
        rp_open_least(&self->open, kind) < held_f) {
        open_push(self, kind, held_f, held, stats);
        held = RP_NO_CELL;
    }
    return held;
}

static void finish(gaa_t *self, bool found)
{
    self->phase = PHASE_DONE;
    self->found = found;
    if (found) {
        past_of(self, self->search)->cost = self->nodes[self->goal].g;
    }
}

RP_SEARCH_LOOP rp_status_t search_with(gaa_t *self, rp_open_t kind, unsigned variant,
                                       uint64_t *budget, rp_plan_stats_t *stats)
{
    rp_cell_t held = self->held;
    while (*budget != 0) {
        const bool is_fast = variant != 0 && held != RP_NO_CELL;
        const rp_cell_t cell = is_fast ? held : rp_open_pop(&self->open, kind, is_open, self);
        if (cell == RP_NO_CELL) {
            finish(self, false);
            return RP_OK;
        }
        stats->expanded++;
        stats->expanded_fast += is_fast;
        --*budget;
        if (cell == self->goal) {
            finish(self, true);
            return RP_OK;
        }
        held = expand(self, kind, variant, cell, stats);
    }
    self->held = held;
    return RP_MORE;
}

static rp_status_t search_heap(gaa_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    switch (self->variant) {
    case 1:
        return search_with(self, RP_OPEN_HEAP, 1, budget, stats);
    case 2:
        return search_with(self, RP_OPEN_HEAP, 2, budget, stats);
    default:
        return search_with(self, RP_OPEN_HEAP, 0, budget, stats);
    }
}

static rp_status_t search_buckets(gaa_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    switch (self->variant) {
    case 1:
        return search_with(self, RP_OPEN_BUCKETS, 1, budget, stats);
    case 2:
        return search_with(self, RP_OPEN_BUCKETS, 2, budget, stats);
    default:
        return search_with(self, RP_OPEN_BUCKETS, 0, budget, stats);
    }
}

static rp_status_t gaa_search(void *state, uint64_t *budget, rp_plan_stats_t *stats)
{
    gaa_t *self = state;
    if (self->phase == PHASE_DONE) {
        return RP_OK;
    }
    if (self->phase == PHASE_REPAIR) {
        if (!repair(self, budget)) {
            return RP_MORE;
        }
        self->phase = PHASE_SEARCH;
        node_t *node = touch(self, self->start);
        node->g = 0;
        open_push(self, self->kind, node->h, self->start, stats);
    }
    return self->kind == RP_OPEN_BUCKETS ? search_buckets(self, budget, stats)
                                         : search_heap(self, budget, stats);
}

// ---- path

static uint32_t gaa_path(const void *state, rp_cell_t *cells)
{
    const gaa_t *self = state;
    if (!self->found) {
        return 0;
    }
    uint32_t count = 0;
    rp_cell_t cell = self->goal;
    cells[count++] = cell;
    while (cell != self->start) {
        cell = rp_grid_step(self->grid, cell, self->nodes[cell].mark & MARK_DIRECTION);
        cells[count++] = cell;
    }
    rp_reverse(cells, count);
    return count;
}

// ---- birth and death

static void gaa_unbind(void *state)
{
    gaa_t *self = state;
    if (self->grid == NULL) {
        return;
    }
    rp_memory_free(self->nodes, self->grid->cell_count, sizeof *self->nodes);
    rp_memory_free(self->pasts, GAA_PASTS, sizeof *self->pasts);
    rp_open_fini(&self->open);
    self->grid = NULL;
}

static rp_status_t gaa_bind(void *state, const rp_grid_t *grid, const rp_planner_options_t *options)
{
    gaa_t *self = state;
    self->grid = grid;
    self->metric = rp_metric_of(grid);
    self->kind = options->open;
    self->variant = options->variant;
    self->search = MARK_KNOWN;
    self->nodes = rp_memory_new(grid->cell_count, sizeof *self->nodes);
    self->pasts = rp_memory_new(GAA_PASTS, sizeof *self->pasts);
    rp_status_t status = self->nodes != NULL && self->pasts != NULL ? RP_OK : RP_E_MEMORY;
    if (status == RP_OK) {
        status = rp_open_init(&self->open, self->kind, grid->cell_count, self->metric.dearest);
    }
    if (status != RP_OK) {
        gaa_unbind(self);
    }
    return status;
}

static uint64_t gaa_bytes(const void *state)
{
    const gaa_t *self = state;
    return (uint64_t)self->grid->cell_count * sizeof *self->nodes +
           (uint64_t)self->span * sizeof *self->pasts + rp_open_bytes(&self->open);
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
            .bytes_per_cell = sizeof(node_t),
        },
    .state_bytes = sizeof(gaa_t),
    .bind = gaa_bind,
    .unbind = gaa_unbind,
    .begin = gaa_begin,
    .update = gaa_update,
    .search = gaa_search,
    .path = gaa_path,
    .bytes = gaa_bytes,
    .check = gaa_check,
};
