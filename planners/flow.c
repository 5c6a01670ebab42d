/// FLOW: what it costs from every cell to the goals, kept exact while the world changes; whoever
/// stands anywhere has a path by walking downhill.
///
/// After "An incremental algorithm for a generalization of the shortest-path problem", Ramalingam,
/// Reps 1996, section 4, on a field that grows no farther than somebody asked (search/field.h).
/// Guarantee: optimal. Cost of a change: of the cells whose cost to the goals really changes, and
/// their neighbours; a start that moves costs nothing. Bytes a cell: 8, and the queues.
/// Choose it for many agents with the same goals, for goal sets, and for starts that jump.
///
/// What became cheaper is lowered, and spreads when somebody starts from where it matters. What
/// became dearer puts in doubt the cells that leaned on it: those which no neighbour vouches for
/// any more, v with d(v) + c <= d. They, too, wait for a start that they matter to. A cell can lie
/// on a path of the start's d only if
///
///     f = d + bound(cell, start) <= d(start)
///
/// and a lowered one can lower d(start) only if f < d(start). Without such a one d(start) does not
/// exceed the true cost: on the best path, behind the last cell that is exact, one would wait.
/// Without a doubtful one among these, d(start) is exact. Else they are judged, least f first, ties
/// by least d: who could vouch for a cell has less d, and no greater f, so it was judged before. A
/// cell without a voucher is void, and its neighbours that may have leaned on it come into doubt.
/// Then each void cell takes the least d that its neighbours offer and waits in the field like a
/// cell that was lowered; and all again, as the start's d may be greater now.
///
///     changes -> SETTLE -> DONE when nothing in doubt matters
///                 ^  |
///                 |  +--> DOUBT -> VOID --+
///                 +-----------------------+
#include "planners/planner_ops.h"

#include "planners/search/asleep.h"
#include "planners/search/doubts.h"
#include "planners/search/field_check.h"
#include "planners/search/fresh.h"

/// More doubtful cells than one in so many of the grid are judged all at once, and so many lowered
/// ones are spread.
#define FLOOD_SHARE 16u

/// Arrays of which a beginning is used.
#define PARTLY_USED 8u

/// Rounds in which not all that is doubtful is judged: 2, 8, 32, 128 cell lengths farther than the
/// start asks for.
#define ROUNDS 4u

// ---- state

typedef enum flow_phase {
    FLOW_SETTLE, ///< spread what was lowered, grow to the start
    FLOW_DOUBT,  ///< judge the doubtful cells that matter to the start
    FLOW_VOID,   ///< give new values to the void ones
    FLOW_DONE,
} flow_phase_t;

typedef struct flow {
    rp_field_t field;   ///< without bounds: its keys are d + 1
    rp_metric_t metric; ///< with bounds
    rp_tiled_t asleep;  ///< lowered cells that did not matter so far
    rp_fresh_t fresh;   ///< lowered by the newest changes
    bool hears_fresh;   ///< they are being taken in
    bool is_flood;      ///< all that is lowered spreads, whether it matters or not
    bool has_judged;    ///< in this search
    bool lets_sleep;    ///< of those asleep only the ones of the newest changes can matter
    rp_doubts_t doubts;
    rp_cost_t limit;       ///< greatest f that is judged now
    uint32_t rounds;       ///< of this search so far, at most ROUNDS
    rp_cell_t *void_cells; ///< owned [void_count]
    uint32_t void_count;
    uint32_t void_peak;
    uint8_t *is_goal; ///< one bit a cell
    rp_goal_t *goals; ///< [RP_GOALS_MAX]
    uint32_t goal_count;
    rp_cost_t next_goal; ///< goals of this offset and more are not in the field yet
    flow_phase_t phase;
} flow_t;

static inline rp_cost_t offset_of(const flow_t *self, const rp_goal_t *goal)
{
    return goal->offset * self->field.metric.cell_length;
}

/// What it costs to end in this cell; RP_COST_INF when it is no goal of the field.
static rp_cost_t cost_of_ending(const flow_t *self, rp_cell_t cell)
{
    rp_cost_t least = RP_COST_INF;
    for (uint32_t i = 0; rp_bits_has(self->is_goal, cell) && i < self->goal_count; i++) {
        const rp_cost_t cost = offset_of(self, &self->goals[i]);
        const bool ends_here = self->goals[i].cell == cell && cost < self->next_goal;
        least = ends_here && cost < least ? cost : least;
    }
    return least;
}

/// The least d that the neighbours offer, or that ending here costs.
static rp_cost_t offered(const flow_t *self, rp_cell_t cell)
{
    const rp_field_t *field = &self->field;
    rp_cost_t least = cost_of_ending(self, cell);
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (field->grid, cell, direction, next) {
        const rp_cost_t d = rp_field_at(field, next);
        if (d < least) { // so it is finite, and the sum cannot overflow
            const rp_cost_t sum = d + rp_edge(&field->metric, cell, next, direction);
            least = sum < least ? sum : least;
        }
    }
    return least;
}

// ---- invariants

/// With an answer no cell that does not wait costs less than its best neighbour offers, but for one
/// in doubt, nor more than one that does not wait either.
static bool flow_check(const void *state)
{
    const flow_t *self = state;
    const rp_field_t *field = &self->field;
    if (self->phase != FLOW_DONE) {
        return true;
    }
    for (rp_cell_t cell = 0; cell < field->grid->cell_count; cell++) {
        const rp_node_t *node = &field->nodes[cell];
        if (!rp_node_is_closed(node, field->build) || node->g == RP_COST_INF) {
            continue;
        }
        if (node->g < offered(self, cell) && !rp_doubts_have(&self->doubts, cell)) {
            return false;
        }
    }
    return self->doubts.near.count == 0 && self->void_count == 0 && rp_field_check(field, false);
}

// ---- doubt

static inline rp_cost_t f_of(const flow_t *self, rp_cell_t cell, rp_cost_t d)
{
    const rp_field_t *field = &self->field;
    return d + rp_bound(&self->metric, rp_point_of(field->grid, cell), field->apex_point);
}

/// Take out the doubtful cells that matter for a start of this cost. Some more than that, as its
/// cost is about to grow, and yet more with each round. In the end all of them: cells that are cut
/// off from the goals vouch for each other, and would grow dearer together by a step a round. All
/// of them, too, when they are too many to be looked through each time.
static void gather_doubts(flow_t *self, rp_cost_t cost)
{
    const bool is_flood = self->doubts.far.count > self->field.grid->cell_count / FLOOD_SHARE;
    const bool is_last = is_flood || self->rounds == ROUNDS;
    const rp_cost_t slack = self->metric.cell_length << (2u * self->rounds + 1u);
    self->limit = is_last ? RP_FIELD_WHOLE : cost + slack;
    self->rounds += !is_last;
    (void)rp_doubts_reach(&self->doubts, &self->field, &self->metric, self->limit, true);
    self->has_judged = true;
    self->lets_sleep = false;
}

/// d of a cell fell.
static void hear_of_fall(void *owner, rp_cell_t cell)
{
    flow_t *self = owner;
    rp_doubts_hear(&self->doubts, &self->field, cell);
    if (self->hears_fresh) {
        rp_fresh_note(&self->fresh, &self->field, cell);
    }
}

// ---- search

static void flow_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    flow_t *self = state;
    rp_field_t *field = &self->field;
    for (uint32_t i = 0; i < self->goal_count; i++) {
        rp_bits_set(self->is_goal, self->goals[i].cell, false);
    }
    rp_doubts_forget(&self->doubts);
    self->void_count = 0;
    rp_tiled_clear(&self->asleep);
    self->is_flood = false;
    rp_fresh_lose(&self->fresh);
    self->goal_count = (uint32_t)goal_count;
    memcpy(self->goals, goals, goal_count * sizeof *goals);
    self->next_goal = RP_COST_INF;
    for (uint32_t i = 0; i < self->goal_count; i++) {
        const rp_cost_t cost = offset_of(self, &goals[i]);
        self->next_goal = cost < self->next_goal ? cost : self->next_goal;
        rp_bits_set(self->is_goal, goals[i].cell, true);
    }
    rp_field_clear(field, start);
    self->phase = FLOW_SETTLE;
    self->rounds = 0;
    self->has_judged = false;
    self->lets_sleep = false;
}

/// Nobody vouches for this cell any more.
static void make_void(flow_t *self, rp_cell_t cell, rp_cost_t d)
{
    rp_field_t *field = &self->field;
    unsigned direction;
    rp_cell_t next;
    field->nodes[cell] = (rp_node_t){RP_COST_INF, field->build | RP_NODE_CLOSED};
    self->void_cells[self->void_count++] = cell;
    self->void_peak = self->void_count > self->void_peak ? self->void_count : self->void_peak;
    RP_FOR_MOVES (field->grid, cell, direction, next) {
        const rp_cost_t d_next = rp_field_at(field, next);
        if (d_next == RP_COST_INF || rp_doubts_have(&self->doubts, next) ||
            d_next < d + rp_edge(&field->metric, cell, next, direction)) {
            continue;
        }
        rp_doubts_judge(&self->doubts, field, next, rp_key(f_of(self, next, d_next), d_next),
                        self->limit);
    }
}

/// @return false when the budget was spent first
static bool judge(flow_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    while (self->doubts.near.count != 0) {
        if (*budget == 0) {
            return false;
        }
        --*budget;
        const rp_heap_entry_t top = rp_heap_pop(&self->doubts.near);
        const rp_cost_t d = rp_key_second(top.key);
        rp_bits_set(self->doubts.has, top.cell, false);
        if (offered(self, top.cell) > d) {
            stats->expanded++;
            make_void(self, top.cell, d);
        }
    }
    return true;
}

/// Void cells take what they are offered. By cells that are doubtful still it may be too little:
/// these, when they become void, put in doubt who believed them.
/// @return false when the budget was spent first
static bool fill_void(flow_t *self, uint64_t *budget)
{
    rp_field_t *field = &self->field;
    while (self->void_count != 0) {
        if (*budget == 0) {
            return false;
        }
        --*budget;
        const rp_cell_t cell = self->void_cells[--self->void_count];
        self->is_flood = true; // so that whoever has a path need not ask what became of these
        rp_field_lower(field, cell, rp_point_of(field->grid, cell), offered(self, cell));
    }
    return true;
}

/// It waits on, if there is room.
static inline bool fall_asleep(flow_t *self, rp_cell_t cell, rp_cost_t d)
{
    if (rp_tiled_is_full(&self->asleep)) {
        return false;
    }
    self->field.nodes[cell].mark = self->field.build;
    rp_tiled_add(&self->asleep, cell, rp_point_of(self->field.grid, cell), d);
    return true;
}

/// Spread what was lowered as far as it may lower the start.
/// @return false when the budget was spent first
static bool spread(flow_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    rp_field_t *field = &self->field;
    const rp_cell_t apex = field->apex;
    if (self->asleep.count > self->asleep.capacity / 2u) {
        self->is_flood = true;
        rp_asleep_wake(&self->asleep, field, &self->metric, RP_COST_INF, false);
    } else {
        rp_asleep_wake(&self->asleep, field, &self->metric, rp_field_at(field, apex),
                       self->lets_sleep);
    }
    while (field->lowered.count != 0) {
        if (*budget == 0) {
            return false;
        }
        const rp_heap_entry_t top = rp_heap_pop(&field->lowered);
        const rp_cost_t d = rp_key_first(top.key);
        if (!rp_field_take(field, top.cell, d)) {
            continue;
        }
        const rp_cost_t limit = rp_field_at(field, apex);
        const bool matters = self->is_flood || (d < limit && f_of(self, top.cell, d) < limit);
        if (!matters && fall_asleep(self, top.cell, d)) {
            continue;
        }
        --*budget;
        stats->expanded++;
        rp_field_tell(field, top.cell, rp_point_of(field->grid, top.cell));
    }
    self->is_flood = false;
    return true;
}

/// Goals of the next offset come into the field, which has grown so far.
static void add_goals(flow_t *self)
{
    rp_field_t *field = &self->field;
    const rp_cost_t offset = self->next_goal;
    rp_cost_t later = RP_COST_INF;
    field->limit = offset > field->limit ? offset : field->limit;
    for (uint32_t i = 0; i < self->goal_count; i++) {
        const rp_cell_t cell = self->goals[i].cell;
        const rp_cost_t cost = offset_of(self, &self->goals[i]);
        if (cost == offset) {
            rp_field_lower(field, cell, rp_point_of(field->grid, cell), cost);
        } else if (cost > offset && cost < later) {
            later = cost;
        }
    }
    self->next_goal = later;
}

/// Spread what was lowered, then go on to the start; goals come in when it is their turn.
/// @return false when the budget was spent first
static bool settle_and_grow(flow_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    rp_field_t *field = &self->field;
    for (;;) {
        if (!spread(self, budget, stats) ||
            !rp_field_grow(field, 0, 0, self->next_goal, budget, stats)) {
            return false;
        }
        const rp_cost_t d = rp_field_at(field, field->apex);
        if (self->next_goal == RP_COST_INF || d <= self->next_goal) {
            return true;
        }
        add_goals(self);
    }
}

static rp_status_t flow_search(void *state, uint64_t *budget, rp_plan_stats_t *stats)
{
    flow_t *self = state;
    const rp_field_t *field = &self->field;
    while (self->phase != FLOW_DONE) {
        if (self->phase == FLOW_SETTLE) {
            if (!settle_and_grow(self, budget, stats)) {
                return RP_MORE;
            }
            const rp_cost_t d = rp_field_at(field, field->apex);
            self->phase = FLOW_DONE; // without a bound there is no path
            if (d != RP_COST_INF &&
                rp_doubts_reach(&self->doubts, field, &self->metric, d, false)) {
                gather_doubts(self, d);
                self->phase = FLOW_DOUBT;
            }
        } else if (self->phase == FLOW_DOUBT) {
            if (!judge(self, budget, stats)) {
                return RP_MORE;
            }
            self->phase = FLOW_VOID;
        } else {
            if (!fill_void(self, budget)) {
                return RP_MORE;
            }
            self->phase = FLOW_SETTLE;
        }
    }
    return RP_OK;
}

/// A way that is cheaper now leads through a cell that the newest changes lowered. What was lowered
/// before, and sleeps, does not matter to a start whose path was the cheapest: it was either found
/// to have too great an f, and f grows on the way on, or spread as far as it had a lesser one.
static bool flow_confirm(void *state, uint64_t cost)
{
    flow_t *self = state;
    const rp_field_t *field = &self->field;
    if (!rp_fresh_are_known(&self->fresh) || cost > self->next_goal ||
        !rp_field_covers(field, (rp_cost_t)cost)) {
        return false;
    }
    self->lets_sleep = !self->has_judged;
    return rp_fresh_are_far(&self->fresh, field, &self->metric, cost);
}

// ---- changes

static inline bool is_dearer(const rp_change_t *change)
{
    return change->after == 0 || (change->before != 0 && change->after > change->before);
}

static void doubt_unless_vouched(flow_t *self, rp_cell_t cell)
{
    const rp_cost_t d = rp_field_at(&self->field, cell);
    if (d != RP_COST_INF && offered(self, cell) > d) {
        rp_doubts_add(&self->doubts, &self->field, cell);
    }
}

/// Put in doubt whatever leaned on cells that are dearer now: themselves, and their neighbours,
/// between which diagonals passed. Blocked ones go first, so that none of them vouches.
static void doubt_dearer(flow_t *self, const rp_change_t *changes, size_t count)
{
    const rp_grid_t *grid = self->field.grid;
    for (size_t i = 0; i < count; i++) {
        const rp_cell_t cell = changes[i].cell;
        if (grid->factor[cell] == 0 && rp_field_at(&self->field, cell) != RP_COST_INF) {
            self->field.nodes[cell] = (rp_node_t){RP_COST_INF, self->field.build | RP_NODE_CLOSED};
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_dearer(&changes[i])) {
            continue;
        }
        doubt_unless_vouched(self, changes[i].cell);
        for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
            doubt_unless_vouched(self, rp_grid_step(grid, changes[i].cell, direction));
        }
    }
}

static bool flow_update(void *state, const rp_update_t *update)
{
    flow_t *self = state;
    rp_field_t *field = &self->field;
    uint64_t unbounded = UINT64_MAX;
    if (update->start_moved && !rp_field_move_apex(field, update->start)) {
        return false;
    }
    rp_doubts_put_back(&self->doubts, field);
    (void)fill_void(self, &unbounded); // of a round that was cut short: a cell is void once a round
    if (update->change_count != 0) {
        self->fresh.count = 0;
        self->asleep.batch++;
        self->hears_fresh = true;
        rp_field_apply(field, update->changes, update->change_count);
        self->hears_fresh = false;
    }
    doubt_dearer(self, update->changes, update->change_count);
    self->phase = FLOW_SETTLE;
    self->rounds = 0;
    self->has_judged = false;
    self->lets_sleep = false;
    return true;
}

// ---- path

/// The neighbour that vouches for the d of this cell, straight on where it can.
/// @param ahead  direction of the last step, rewritten
static rp_cell_t downhill(const rp_field_t *field, rp_cell_t cell, unsigned *ahead)
{
    const rp_cost_t d = rp_field_at(field, cell);
    for (unsigned turn = 0; turn < RP_DIRECTIONS; turn++) {
        const unsigned direction = (*ahead + turn) % RP_DIRECTIONS;
        if (((field->grid->moves[cell] >> direction) & 1u) == 0) {
            continue;
        }
        const rp_cell_t next = rp_grid_step(field->grid, cell, direction);
        const rp_cost_t d_next = rp_field_at(field, next);
        if (d_next < d && d_next + rp_edge(&field->metric, cell, next, direction) == d) {
            *ahead = direction;
            return next;
        }
    }
    return RP_NO_CELL;
}

static uint64_t flow_cost(const void *state)
{
    const flow_t *self = state;
    const rp_cost_t d = rp_field_at(&self->field, self->field.apex);
    return d == RP_COST_INF ? UINT64_MAX : d;
}

static uint32_t flow_path(const void *state, rp_cell_t *cells, rp_path_stands_t *stands)
{
    const flow_t *self = state;
    (void)stands; // all of it is written
    const rp_field_t *field = &self->field;
    rp_cell_t cell = field->apex;
    unsigned ahead = 0;
    uint32_t count = 0;
    if (rp_field_at(field, cell) == RP_COST_INF) {
        return 0;
    }
    cells[count++] = cell;
    while (rp_field_at(field, cell) != cost_of_ending(self, cell)) {
        cell = downhill(field, cell, &ahead);
        cells[count++] = cell;
    }
    return count;
}

// ---- birth and death

static void flow_unbind(void *state)
{
    flow_t *self = state;
    if (self->field.grid == NULL) {
        return;
    }
    const uint32_t cells = self->field.grid->cell_count;
    rp_tiled_fini(&self->asleep);
    rp_memory_free(self->void_cells, cells, sizeof *self->void_cells);
    rp_doubts_fini(&self->doubts, cells);
    rp_bits_free(self->is_goal, cells);
    free(self->goals);
    rp_field_fini(&self->field);
    *self = (flow_t){0};
}

static rp_status_t flow_bind(void *state, const rp_grid_t *grid,
                             const rp_planner_options_t *options)
{
    flow_t *self = state;
    const uint32_t cells = grid->cell_count;
    (void)options; // none concerns this planner
    if (rp_field_init(&self->field, grid) != RP_OK) {
        return RP_E_MEMORY;
    }
    self->field.hear = hear_of_fall;
    self->field.owner = self;
    self->field.metric.h_straight = 0; // no bounds: the field serves every start
    self->field.metric.h_diagonal = 0;
    self->metric = rp_metric_of(grid);
    const bool has_asleep =
        rp_tiled_init(&self->asleep, grid, cells / FLOOD_SHARE * 2u + 64u) == RP_OK;
    self->void_cells = rp_memory_new(cells, sizeof *self->void_cells);
    self->is_goal = rp_bits_new(cells);
    self->goals = malloc(RP_GOALS_MAX * sizeof *self->goals);
    const bool has_doubts = rp_doubts_init(&self->doubts, grid) == RP_OK;
    if (!has_doubts || !has_asleep || self->void_cells == NULL || self->is_goal == NULL ||
        self->goals == NULL) {
        flow_unbind(self);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

static uint64_t flow_bytes(const void *state)
{
    const flow_t *self = state;
    return rp_field_bytes(&self->field) + self->field.grid->cell_count / 4u +
           rp_doubts_bytes(&self->doubts) + rp_tiled_bytes(&self->asleep) +
           (uint64_t)self->void_peak * sizeof *self->void_cells +
           (uint64_t)PARTLY_USED * RP_MEMORY_PAGE;
}

const rp_planner_ops_t RP_MEMBER(flow) = {
    .info =
        {
            .id = "flow",
            .paper = "Ramalingam, Reps 1996: dynamic shortest paths, on a field from the goals",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_NO_PATH |
                            RP_CAN_GOAL_SET | RP_CAN_EVERY_GRID | RP_KNOWS_COST,
            .bytes_per_cell = sizeof(rp_node_t),
        },
    .state_bytes = sizeof(flow_t),
    .bind = flow_bind,
    .unbind = flow_unbind,
    .begin = flow_begin,
    .update = flow_update,
    .search = flow_search,
    .path = flow_path,
    .cost = flow_cost,
    .confirm = flow_confirm,
    .bytes = flow_bytes,
    .check = flow_check,
};
