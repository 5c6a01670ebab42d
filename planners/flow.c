/// FLOW: what it costs from every cell to the goals, kept exact while the world changes; whoever
/// stands anywhere has a path by walking downhill.
///
/// After "An incremental algorithm for a generalization of the shortest-path problem", Ramalingam,
/// Reps 1996, section 4, on a field that grows no farther than somebody asked (search/field.h).
/// Guarantee: optimal. Cost of a change: of the cells whose cost to the goals really changes, and
/// their neighbours; a start that moves costs nothing. Bytes a cell: 8, and the queues.
/// Choose it for many agents with the same goals, for goal sets, and for starts that jump.
///
/// A dearer cell puts in doubt what leaned on it. Least d first, a doubtful cell looks for a
/// neighbour that still vouches for its d: v with d(v) + c <= d. Those that could vouch have less d
/// than it, so they were judged before. Without one, its d is void, and its neighbours that may
/// have leaned on it come into doubt. In the end each void cell takes the least d that its
/// neighbours offer and waits in the field like a cell that was lowered.
///
///     changes -> DOUBT -> VOID -> SETTLE -> DONE
#include "planners/planner_ops.h"

#include "planners/search/field.h"

// ---- state

typedef enum flow_phase {
    FLOW_DOUBT,  ///< judge the doubtful cells
    FLOW_VOID,   ///< give new values to the void ones
    FLOW_SETTLE, ///< spread what was lowered, grow to the start
    FLOW_DONE,
} flow_phase_t;

typedef struct flow {
    rp_field_t field; ///< without bounds: its keys are d + 1
    rp_heap_t doubts; ///< key d; each cell at most once
    rp_cell_t *void_cells;
    uint32_t void_count;
    uint32_t void_peak;
    uint8_t *is_doubtful; ///< one bit a cell: stands in `doubts`
    uint8_t *is_goal;     ///< one bit a cell
    rp_goal_t *goals;     ///< [RP_GOALS_MAX]
    uint32_t goal_count;
    rp_cost_t next_goal; ///< goals of this offset and more are not in the field yet
    flow_phase_t phase;
} flow_t;

static inline bool has_bit(const uint8_t *bits, rp_cell_t cell)
{
    return ((bits[cell >> 3] >> (cell & 7u)) & 1u) != 0;
}

static inline void set_bit(uint8_t *bits, rp_cell_t cell, bool value)
{
    const uint8_t bit = (uint8_t)(1u << (cell & 7u));
    bits[cell >> 3] = (uint8_t)(value ? bits[cell >> 3] | bit : bits[cell >> 3] & ~bit);
}

static inline rp_cost_t offset_of(const flow_t *self, const rp_goal_t *goal)
{
    return goal->offset * self->field.metric.cell_length;
}

/// What it costs to end in this cell; RP_COST_INF when it is no goal of the field.
static rp_cost_t cost_of_ending(const flow_t *self, rp_cell_t cell)
{
    rp_cost_t least = RP_COST_INF;
    for (uint32_t i = 0; has_bit(self->is_goal, cell) && i < self->goal_count; i++) {
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

/// With an answer each cell that does not wait costs what its best neighbour offers: costs are
/// positive, so all of them together are exact.
static bool flow_check(const void *state)
{
    const flow_t *self = state;
    const rp_field_t *field = &self->field;
    if (self->phase != FLOW_DONE) {
        return true;
    }
    for (rp_cell_t cell = 0; cell < field->grid->cell_count; cell++) {
        const rp_node_t *node = &field->nodes[cell];
        if (rp_node_is_closed(node, field->build) && node->g != RP_COST_INF &&
            node->g != offered(self, cell)) {
            return false;
        }
    }
    return self->doubts.count == 0 && self->void_count == 0 && rp_field_check(field);
}

// ---- search

static void flow_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    flow_t *self = state;
    rp_field_t *field = &self->field;
    for (uint32_t i = 0; i < self->goal_count; i++) {
        set_bit(self->is_goal, self->goals[i].cell, false);
    }
    for (uint32_t i = 0; i < self->doubts.count; i++) {
        set_bit(self->is_doubtful, self->doubts.entries[i].cell, false);
    }
    self->doubts.count = 0;
    self->void_count = 0;
    self->goal_count = (uint32_t)goal_count;
    memcpy(self->goals, goals, goal_count * sizeof *goals);
    self->next_goal = RP_COST_INF;
    for (uint32_t i = 0; i < self->goal_count; i++) {
        const rp_cost_t cost = offset_of(self, &goals[i]);
        self->next_goal = cost < self->next_goal ? cost : self->next_goal;
        set_bit(self->is_goal, goals[i].cell, true);
    }
    rp_field_clear(field, start);
    self->phase = FLOW_SETTLE;
}

/// A cell must be judged. Void ones have nothing to lose.
static inline void doubt(flow_t *self, rp_cell_t cell)
{
    const rp_cost_t d = rp_field_at(&self->field, cell);
    if (d != RP_COST_INF && !has_bit(self->is_doubtful, cell)) {
        set_bit(self->is_doubtful, cell, true);
        rp_heap_push(&self->doubts, rp_key(d, 0), cell);
    }
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
        if (rp_field_at(field, next) >= d + rp_edge(&field->metric, cell, next, direction)) {
            doubt(self, next);
        }
    }
}

/// @return false when the budget was spent first
static bool judge(flow_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    while (self->doubts.count != 0) {
        if (*budget == 0) {
            return false;
        }
        --*budget;
        const rp_heap_entry_t top = rp_heap_pop(&self->doubts);
        const rp_cost_t d = rp_key_first(top.key);
        set_bit(self->is_doubtful, top.cell, false);
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
        rp_field_lower(field, cell, rp_point_of(field->grid, cell), offered(self, cell));
    }
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
        if (!rp_field_settle(field, budget, stats) ||
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
    if (self->phase == FLOW_DOUBT && judge(self, budget, stats)) {
        self->phase = FLOW_VOID;
    }
    if (self->phase == FLOW_VOID && fill_void(self, budget)) {
        self->phase = FLOW_SETTLE;
    }
    if (self->phase == FLOW_SETTLE && settle_and_grow(self, budget, stats)) {
        self->phase = FLOW_DONE;
    }
    return self->phase == FLOW_DONE ? RP_OK : RP_MORE;
}

// ---- changes

/// Put in doubt whatever may have leaned on a cell that is dearer now: itself, and its neighbours,
/// between which diagonals passed.
static void doubt_around(flow_t *self, rp_cell_t cell)
{
    const rp_grid_t *grid = self->field.grid;
    const rp_cost_t d = rp_field_at(&self->field, cell);
    if (grid->factor[cell] == 0 && d != RP_COST_INF) {
        self->field.nodes[cell] = (rp_node_t){RP_COST_INF, self->field.build | RP_NODE_CLOSED};
    }
    doubt(self, cell);
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        doubt(self, rp_grid_step(grid, cell, direction));
    }
}

/// Cheaper cells may have lowered what is in doubt: judged by its older d it would come too late.
static void renew_doubts(flow_t *self)
{
    rp_heap_t *doubts = &self->doubts;
    for (uint32_t i = 0; i < doubts->count; i++) {
        doubts->entries[i].key = rp_key(rp_field_at(&self->field, doubts->entries[i].cell), 0);
    }
    rp_heap_restore(doubts);
}

static bool flow_update(void *state, const rp_update_t *update)
{
    flow_t *self = state;
    rp_field_t *field = &self->field;
    uint64_t unbounded = UINT64_MAX;
    if (update->start_moved && !rp_field_move_apex(field, update->start)) {
        return false;
    }
    (void)fill_void(self, &unbounded); // of a round that was cut short: a cell is void once a round
    rp_field_apply(field, update->changes, update->change_count);
    renew_doubts(self);
    for (size_t i = 0; i < update->change_count; i++) {
        const rp_change_t *change = &update->changes[i];
        if (change->after == 0 || (change->before != 0 && change->after > change->before)) {
            doubt_around(self, change->cell);
        }
    }
    self->phase = FLOW_DOUBT;
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

static uint32_t flow_path(const void *state, rp_cell_t *cells)
{
    const flow_t *self = state;
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
    rp_memory_free(self->void_cells, cells, sizeof *self->void_cells);
    rp_memory_free(self->is_doubtful, cells / 8u + 1u, 1);
    rp_memory_free(self->is_goal, cells / 8u + 1u, 1);
    free(self->goals);
    rp_heap_fini(&self->doubts);
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
    self->field.metric.h_straight = 0; // no bounds: the field serves every start
    self->field.metric.h_diagonal = 0;
    self->void_cells = rp_memory_new(cells, sizeof *self->void_cells);
    self->is_doubtful = rp_memory_new(cells / 8u + 1u, 1);
    self->is_goal = rp_memory_new(cells / 8u + 1u, 1);
    self->goals = malloc(RP_GOALS_MAX * sizeof *self->goals);
    const bool has_heap = rp_heap_init(&self->doubts, cells) == RP_OK;
    if (!has_heap || self->void_cells == NULL || self->is_doubtful == NULL ||
        self->is_goal == NULL || self->goals == NULL) {
        flow_unbind(self);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

static uint64_t flow_bytes(const void *state)
{
    const flow_t *self = state;
    return rp_field_bytes(&self->field) + self->field.grid->cell_count / 4u +
           (uint64_t)self->doubts.peak * sizeof *self->doubts.entries +
           (uint64_t)self->void_peak * sizeof *self->void_cells;
}

const rp_planner_ops_t RP_MEMBER(flow) = {
    .info =
        {
            .id = "flow",
            .paper = "Ramalingam, Reps 1996: dynamic shortest paths, on a field from the goals",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_NO_PATH |
                            RP_CAN_GOAL_SET | RP_CAN_EVERY_GRID,
            .bytes_per_cell = sizeof(rp_node_t),
        },
    .state_bytes = sizeof(flow_t),
    .bind = flow_bind,
    .unbind = flow_unbind,
    .begin = flow_begin,
    .update = flow_update,
    .search = flow_search,
    .path = flow_path,
    .bytes = flow_bytes,
    .check = flow_check,
};
