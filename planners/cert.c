/// CERT: an exact field from the goal, and with it a proof that the path at hand is still the best.
///
/// Ours; the raise after a search is that of Adaptive A* ("Generalized Adaptive A*", section 3).
/// Guarantee: optimal. Cost of a change: a look at the cell and its neighbours. A blocked cell off
/// the path costs nothing more. A freed one lowers the cells that profit from it, inside the
/// ellipse that matters; when d(start) stays what the path costs, the path stands. Bytes a cell:
/// 16, and 4 for each cell that the last search closed.
/// Choose it for fixed ends, or a walking start, and changes that are few at a time.
///
/// d is a consistent lower bound on the cost to the goal (search/field.h). Between changes
/// d(start) = cost of the path, so the path is optimal; that is the whole certificate. When the
/// path is cut but d(start) is what it was, another path of the same cost may lead round the cut:
/// all of them begin along steps on which g + d does not rise. So A* with h = d starts not at the
/// start but at the cells of the path just before the cut, and ends at one behind it. Only when
/// that fails does f rise. In the end each closed cell knows better what it costs to the goal:
/// d := C - g, and the certificate holds again.
#include "planners/planner_ops.h"

#include <assert.h>
#include <stdlib.h>

#include "planners/search/cut.h"
#include "planners/search/field.h"
#include "planners/search/open_list.h"
#include "planners/search/trail.h"

// ---- state

/// The field reaches so many cell lengths beyond the cost of the path, so that a path that becomes
/// a little dearer is found without growth.
#define SLACK_LENGTHS 12u

/// How many cells of the head are put into OPEN first; twice as many each time that is not enough.
#define HEAD_PORTION 8u

/// A search that has closed so many cells looks whether the goal is walled in, and again each time
/// it has closed as many more.
#define CUT_PORTION 512u

typedef enum phase {
    PHASE_SETTLE, ///< the field takes in what became cheaper
    PHASE_GROW,   ///< the field reaches farther
    PHASE_SEARCH, ///< from the start, or the head, to the tail
    PHASE_DONE,
} phase_t;

typedef enum answer {
    ANSWER_KEPT, ///< the path written last stands
    ANSWER_NEW,
    ANSWER_NONE, ///< no path
} answer_t;

/// Hot members first.
typedef struct cert {
    rp_field_t field; ///< from the goal; its apex is the start
    rp_trail_t trail;
    phase_t phase;
    answer_t answer;  ///< when PHASE_DONE; before that ANSWER_KEPT unless the path must be written
    rp_node_t *nodes; ///< by cell: g from the start in this search
    rp_open_list_t open; ///< f = g + d
    uint32_t search;     ///< number of this search, in place for marks
    uint32_t unseeded;   ///< head cells before this place are not in OPEN yet
    uint32_t portion;    ///< of them that come next
    bool has_head;       ///< this search began at the head of the trail
    bool is_pruned;      ///< and left out a cell beyond the field's limit
    rp_cell_t *closed;   ///< in the order closed [cells]
    uint32_t closed_count;
    uint32_t closed_peak;
    uint32_t cut_due;  ///< count of closed cells at which the cut is asked next
    rp_cut_t cut;      ///< why there is no path
    rp_cost_t slack;   ///< SLACK_LENGTHS as a cost
    rp_cost_t least;   ///< limit that the field is to reach
    rp_cost_t widened; ///< what a failed search adds to it; doubles within one update
} cert_t;

static bool is_live(const void *owner, rp_cell_t cell, rp_cost_t g)
{
    const cert_t *self = owner;
    const rp_node_t *node = &self->nodes[cell];
    return node->g == g && (node->mark & RP_NODE_CLOSED) == 0;
}

static bool start_is_first(const cert_t *self)
{
    return rp_trail_first(&self->trail).cell == self->field.apex;
}

/// True when the trail is a cheapest path: it is legal, costs what it did, and nothing is cheaper.
static bool is_certified(const cert_t *self)
{
    return rp_trail_is_intact(&self->trail) && start_is_first(self) &&
           rp_trail_first(&self->trail).cost == rp_field_at(&self->field, self->field.apex);
}

// ---- invariants

/// What each cell costs to the goal, by a plain Dijkstra that knows nothing of the field.
/// @return NULL without memory; free it
static rp_cost_t *true_costs(const cert_t *self)
{
    const rp_grid_t *grid = self->field.grid;
    rp_heap_t heap;
    rp_cost_t *costs = malloc(grid->cell_count * sizeof *costs);
    if (costs == NULL || rp_heap_init(&heap, 8u * grid->cell_count) != RP_OK) {
        free(costs);
        return NULL;
    }
    for (rp_cell_t cell = 0; cell < grid->cell_count; cell++) {
        costs[cell] = RP_COST_INF;
    }
    costs[self->field.root] = 0;
    rp_heap_push(&heap, rp_key(0, 0), self->field.root);
    while (heap.count != 0) {
        const rp_heap_entry_t top = rp_heap_pop(&heap);
        unsigned direction;
        rp_cell_t next;
        if (rp_key_first(top.key) != costs[top.cell]) {
            continue;
        }
        RP_FOR_MOVES (grid, top.cell, direction, next) {
            const rp_cost_t cost =
                costs[top.cell] + rp_edge(&self->field.metric, top.cell, next, direction);
            if (cost < costs[next]) {
                costs[next] = cost;
                rp_heap_push(&heap, rp_key(cost, 0), next);
            }
        }
    }
    rp_heap_fini(&heap);
    return costs;
}

/// d is nowhere greater than the truth where it is used, and the answer is the truth.
static bool field_is_true(const cert_t *self)
{
    const rp_field_t *field = &self->field;
    rp_cost_t *costs = true_costs(self);
    bool is_true = costs != NULL;
    for (rp_cell_t cell = 0; is_true && cell < field->grid->cell_count; cell++) {
        if (costs[cell] != RP_COST_INF) {
            const rp_point_t point = rp_point_of(field->grid, cell);
            const rp_cost_t through =
                costs[cell] + rp_bound(&field->metric, point, field->apex_point);
            is_true = !rp_field_covers(field, through) || rp_field_at(field, cell) <= costs[cell];
        }
    }
    if (is_true && self->phase == PHASE_DONE) {
        is_true =
            self->answer == ANSWER_NONE
                ? costs[field->apex] == RP_COST_INF
                : is_certified(self) && rp_trail_first(&self->trail).cost == costs[field->apex];
    }
    free(costs);
    return is_true;
}

static bool cert_check(const void *state)
{
    const cert_t *self = state;
    return rp_field_check(&self->field) && rp_trail_check(&self->trail, &self->field.metric) &&
           (self->phase != PHASE_DONE || field_is_true(self));
}

// ---- search: where it begins

static void put_root(cert_t *self, rp_cell_t cell, rp_cost_t g)
{
    const rp_cost_t f = g + rp_field_at(&self->field, cell);
    self->nodes[cell] = (rp_node_t){g, self->search | RP_NODE_ROOT};
    rp_open_push(&self->open, RP_OPEN_BUCKETS, f, g, cell, is_live, self);
}

/// Put the next portion of the head into OPEN, farther from the cut than the last. A path of the
/// old cost that leaves the head there leaves it on steps that are as good as the head's own.
static void put_portion(cert_t *self)
{
    const rp_trail_t *trail = &self->trail;
    const rp_cost_t whole = rp_trail_first(trail).cost;
    for (uint32_t i = 0; i < self->portion && self->unseeded != trail->first; i++) {
        const rp_trail_step_t step = trail->steps[--self->unseeded];
        const rp_node_t *node = &self->nodes[step.cell];
        if (!rp_node_is_of(node, self->search) || node->g > whole - step.cost) {
            put_root(self, step.cell, whole - step.cost);
        }
    }
    self->portion *= 2u;
}

static void begin_search(cert_t *self)
{
    const rp_trail_t *trail = &self->trail;
    self->search = rp_nodes_next_search(self->search, self->nodes, self->field.grid->cell_count);
    rp_open_clear(&self->open);
    self->closed_peak =
        self->closed_count > self->closed_peak ? self->closed_count : self->closed_peak;
    self->closed_count = 0;
    self->cut_due = CUT_PORTION;
    self->is_pruned = false;
    self->has_head = !rp_trail_is_intact(trail) && start_is_first(self) &&
                     rp_trail_first(trail).cost == rp_field_at(&self->field, self->field.apex);
    self->portion = HEAD_PORTION;
    self->unseeded = trail->first;
    if (self->has_head) {
        self->unseeded = trail->low + 1u;
        put_portion(self);
    } else {
        put_root(self, self->field.apex, 0);
    }
    self->phase = PHASE_SEARCH;
}

// ---- search: its end

static void answer(cert_t *self, answer_t answer)
{
    if (answer != ANSWER_KEPT) {
        self->answer = answer;
    }
    self->phase = PHASE_DONE;
}

/// What was closed is known better now. Cells on the last layer of f are what they were.
static void raise_closed(cert_t *self, rp_cost_t cost)
{
    for (uint32_t i = 0; i < self->closed_count; i++) {
        const rp_cell_t cell = self->closed[i];
        rp_node_t *known = &self->field.nodes[cell];
        if (known->g < cost - self->nodes[cell].g) {
            known->g = cost - self->nodes[cell].g;
        }
    }
}

/// Lay the way that the search found between head and tail.
static void splice(cert_t *self, rp_cell_t stop, rp_cost_t cost)
{
    const rp_grid_t *grid = self->field.grid;
    rp_trail_t *trail = &self->trail;
    rp_cell_t root = stop;
    uint32_t count = 0;
    while ((self->nodes[root].mark & RP_NODE_ROOT) == 0) {
        root = rp_grid_step(grid, root, self->nodes[root].mark & RP_NODE_DIRECTION);
        count++;
    }
    uint32_t head = RP_TRAIL_NONE;
    if (self->has_head) {
        head = trail->places[root];
        count--;
        const rp_cost_t dearer = cost - rp_trail_first(trail).cost;
        for (uint32_t place = trail->first; dearer != 0 && place <= head; place++) {
            trail->steps[place].cost += dearer;
        }
    }
    const uint32_t gap = rp_trail_splice(trail, head, count, trail->places[stop]);
    rp_cell_t cell = stop;
    for (uint32_t place = gap + count; place-- > gap;) {
        cell = rp_grid_step(grid, cell, self->nodes[cell].mark & RP_NODE_DIRECTION);
        rp_trail_fill(trail, place, cell, cost - self->nodes[cell].g);
    }
}

/// The search met the tail: g + d of this cell is the cost of the path, attained.
static void finish(cert_t *self, rp_cell_t stop)
{
    const rp_cost_t cost = self->nodes[stop].g + rp_field_at(&self->field, stop);
    raise_closed(self, cost);
    if (is_certified(self)) { // what seemed cheaper is not
        answer(self, ANSWER_KEPT);
        return;
    }
    splice(self, stop, cost);
    answer(self, ANSWER_NEW);
}

/// Nothing is left in OPEN: either the start's component is closed, or the field reaches too short.
static void fail(cert_t *self)
{
    if (self->is_pruned) {
        self->least = self->field.limit + self->widened;
        self->widened *= 2u;
        self->phase = PHASE_GROW;
        return;
    }
    rp_cut_begin(&self->cut);
    for (uint32_t i = 0; i < self->closed_count; i++) {
        rp_cut_add(&self->cut, self->closed[i]);
    }
    self->cut.state = RP_CUT_CLOSED;
    answer(self, ANSWER_NONE);
}

/// True when the trail leads on from here, and at the cost that d promises.
static inline bool is_end(const cert_t *self, rp_cell_t cell)
{
    return rp_trail_leads_from(&self->trail, cell) &&
           self->trail.steps[self->trail.places[cell]].cost == rp_field_at(&self->field, cell);
}

// ---- search

static inline void expand(cert_t *self, rp_cell_t cell, rp_plan_stats_t *stats)
{
    const rp_field_t *field = &self->field;
    const rp_cost_t g = self->nodes[cell].g;
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (field->grid, cell, direction, next) {
        rp_node_t *node = &self->nodes[next];
        const rp_cost_t g_next = g + rp_edge(&field->metric, cell, next, direction);
        if (rp_node_is_of(node, self->search) && node->g <= g_next) {
            continue;
        }
        const rp_cost_t f = g_next + rp_field_at(field, next); // known: `cell` has told it
        if (!rp_field_covers(field, f)) {
            self->is_pruned = true;
            continue;
        }
        *node = (rp_node_t){g_next, self->search | rp_direction_back(direction)};
        rp_open_push(&self->open, RP_OPEN_BUCKETS, f, g_next, next, is_live, self);
        stats->generated++;
    }
}

/// Flood round the goal a little more. A walled-in goal is found out by its own few cells, not by
/// all the others.
static void ask_cut(cert_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    self->cut_due += CUT_PORTION;
    if (self->cut.state == RP_CUT_NONE) {
        rp_cut_begin(&self->cut);
        rp_cut_add(&self->cut, self->field.root);
    }
    if (self->cut.state != RP_CUT_GROWING) {
        return;
    }
    const uint32_t before = self->cut.next;
    const uint32_t most = *budget < CUT_PORTION ? (uint32_t)*budget : CUT_PORTION;
    rp_cut_flood(&self->cut, self->field.grid, most, self->nodes, self->search);
    *budget -= self->cut.next - before;
    stats->expanded += self->cut.next - before;
    if (self->cut.state == RP_CUT_CLOSED) {
        answer(self, ANSWER_NONE);
    }
}

/// A* with h = d until it ends, or the budget does.
/// @return false when the budget was spent first
static bool search(cert_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    while (*budget != 0) {
        // All seeds have f of the old path, and nothing has less: no stale entry hides there.
        if (self->unseeded != self->trail.first &&
            rp_open_least(&self->open, RP_OPEN_BUCKETS) > rp_trail_first(&self->trail).cost) {
            put_portion(self);
            continue;
        }
        const rp_cell_t cell = rp_open_pop(&self->open, RP_OPEN_BUCKETS, is_live, self);
        if (cell == RP_NO_CELL) {
            fail(self);
            return true;
        }
        --*budget;
        stats->expanded++;
        self->nodes[cell].mark |= RP_NODE_CLOSED;
        self->closed[self->closed_count++] = cell;
        if (is_end(self, cell)) {
            finish(self, cell);
            return true;
        }
        expand(self, cell, stats);
        if (self->closed_count >= self->cut_due) {
            ask_cut(self, budget, stats);
            if (self->phase == PHASE_DONE) {
                return true;
            }
        }
    }
    return false;
}

/// The field is up to date within its limit: what does it say?
static void judge(cert_t *self)
{
    const rp_field_t *field = &self->field;
    const rp_cost_t d = rp_field_at(field, field->apex);
    if (rp_cut_parts(&self->cut, field->apex, field->root) ||
        (d == RP_COST_INF && field->limit == RP_FIELD_WHOLE)) {
        answer(self, ANSWER_NONE);
    } else if (!rp_field_covers(field, d)) {
        self->phase = PHASE_GROW;
    } else if (is_certified(self)) {
        answer(self, ANSWER_KEPT);
    } else {
        begin_search(self);
    }
}

static rp_status_t cert_search(void *state, uint64_t *budget, rp_plan_stats_t *stats)
{
    cert_t *self = state;
    bool goes_on = true;
    while (goes_on && self->phase != PHASE_DONE) {
        if (self->phase == PHASE_SEARCH) {
            goes_on = search(self, budget, stats);
            continue;
        }
        goes_on = self->phase == PHASE_SETTLE
                      ? rp_field_settle(&self->field, budget, stats)
                      : rp_field_grow(&self->field, self->least, self->slack, budget, stats);
        if (goes_on) {
            judge(self);
        }
    }
    return goes_on ? RP_OK : RP_MORE;
}

static void cert_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    cert_t *self = state;
    (void)goal_count; // one: the capabilities do not offer more
    rp_field_begin(&self->field, goals[0].cell, start);
    rp_trail_reset(&self->trail, goals[0].cell);
    self->cut.state = RP_CUT_NONE;
    self->least = 0;
    self->widened = self->slack;
    self->answer = ANSWER_NEW;
    self->phase = PHASE_GROW;
}

// ---- changes

static bool cert_update(void *state, const rp_update_t *update)
{
    cert_t *self = state;
    if (self->phase == PHASE_DONE && self->answer == ANSWER_NEW) {
        self->answer = ANSWER_KEPT; // it has been written since
    }
    if (update->start_moved) {
        if (!rp_field_move_apex(&self->field, update->start)) {
            return false;
        }
        if (rp_trail_has(&self->trail, update->start)) {
            rp_trail_start_at(&self->trail, update->start);
        }
        self->answer = ANSWER_NEW;
    } else if (self->answer == ANSWER_NONE) {
        self->answer = ANSWER_NEW; // should there be a path again
    }
    rp_field_apply(&self->field, update->changes, update->change_count);
    rp_trail_apply(&self->trail, update->changes, update->change_count);
    rp_cut_apply(&self->cut, self->field.grid, update->changes, update->change_count);
    self->least = 0;
    self->widened = self->slack;
    self->phase = PHASE_SETTLE;
    return true;
}

// ---- path

static uint32_t cert_path(const void *state, rp_cell_t *cells)
{
    const cert_t *self = state;
    switch (self->answer) {
    case ANSWER_KEPT:
        return RP_PATH_KEPT;
    case ANSWER_NEW:
        return rp_trail_write(&self->trail, cells);
    default:
        return 0;
    }
}

// ---- birth and death

static void cert_unbind(void *state)
{
    cert_t *self = state;
    const uint32_t cells = self->trail.capacity;
    rp_memory_free(self->nodes, cells, sizeof *self->nodes);
    rp_memory_free(self->closed, cells, sizeof *self->closed);
    rp_open_fini(&self->open);
    rp_cut_fini(&self->cut);
    rp_field_fini(&self->field);
    rp_trail_fini(&self->trail);
}

static rp_status_t cert_bind(void *state, const rp_grid_t *grid,
                             const rp_planner_options_t *options)
{
    cert_t *self = state;
    (void)options; // none concerns this planner
    const uint32_t cells = grid->cell_count;
    const rp_metric_t metric = rp_metric_of(grid);
    rp_status_t status = rp_trail_init(&self->trail, grid);
    if (status != RP_OK) {
        return status;
    }
    self->nodes = rp_memory_new(cells, sizeof *self->nodes);
    self->closed = rp_memory_new(cells, sizeof *self->closed);
    self->slack = SLACK_LENGTHS * metric.cell_length;
    status = self->nodes != NULL && self->closed != NULL ? RP_OK : RP_E_MEMORY;
    if (status == RP_OK) {
        status = rp_field_init(&self->field, grid);
    }
    if (status == RP_OK) {
        status = rp_cut_init(&self->cut, cells);
    }
    if (status == RP_OK) {
        status = rp_open_init(&self->open, RP_OPEN_BUCKETS, cells, metric.dearest);
    }
    if (status != RP_OK) {
        cert_unbind(self);
    }
    return status;
}

static uint64_t cert_bytes(const void *state)
{
    const cert_t *self = state;
    return rp_field_bytes(&self->field) + rp_trail_bytes(&self->trail) + rp_cut_bytes(&self->cut) +
           rp_open_bytes(&self->open) +
           (uint64_t)self->field.grid->cell_count * sizeof *self->nodes +
           (uint64_t)self->closed_peak * sizeof *self->closed;
}

const rp_planner_ops_t RP_MEMBER(cert) = {
    .info =
        {
            .id = "cert",
            .paper = "ours: anchored field, certificate, repair on the plateau",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_NO_PATH |
                            RP_CAN_EVERY_GRID,
            .bytes_per_cell = 2u * sizeof(rp_node_t),
        },
    .state_bytes = sizeof(cert_t),
    .bind = cert_bind,
    .unbind = cert_unbind,
    .begin = cert_begin,
    .update = cert_update,
    .search = cert_search,
    .path = cert_path,
    .bytes = cert_bytes,
    .check = cert_check,
};
