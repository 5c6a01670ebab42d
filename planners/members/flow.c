/// FLOW: the cost from every cell to the goals, kept exact while the world changes. From any cell a
/// walk downhill is a shortest path.
///
/// After "An incremental algorithm for a generalization of the shortest-path problem", Ramalingam,
/// Reps 1996, section 4, on a field that grows no farther than a start needed
/// (field/field.h). Guarantee: optimal. Cost of a change: of the cells whose cost to the
/// goals really changes, and their neighbours; a start that moves costs nothing. Bytes a cell: 8,
/// and the queues. Choose it for many agents with the same goals, for goal sets, and for starts
/// that jump.
///
/// Words. A neighbour v of a cell *vouches* for its d if d(v) + c <= d; the cell *leans* on v then.
///
/// A cell that becomes cheaper is lowered, and the lower d spreads once there is a start to which
/// it matters. A cell that becomes dearer puts in doubt the cells that leaned on it and have no
/// other neighbour to vouch for them. They, too, are left alone until they matter to a start. A
/// cell can lie on a path of cost d(start) only if
///
///     f = d + bound(cell, start) <= d(start)
///
/// and a lowered cell can lower d(start) only if f < d(start). If no such lowered cell waits,
/// d(start) does not exceed the true cost: along the best path, the last cell with an exact d would
/// have to wait. If no cell within the first bound is in doubt either, d(start) is exact.
///
/// Otherwise the cells in doubt are judged, least d first. The neighbours that could vouch for a
/// cell have a smaller d, and no greater f, so they were judged before it. A cell that nobody
/// vouches for is void, and the neighbours that leaned on it come into doubt. Then each void cell
/// takes the least d that its neighbours offer (field/affected.h). As d(start) may be
/// greater now, more cells may matter, and all of this is repeated.
///
///     changes -> SETTLE -> DONE when nothing in doubt matters
///                 ^  |
///                 |  +--> GATHER -> DOUBT -> VOID --+
///                 +---------------------------------+
///
/// If changes come in the middle of a round, the cells that were to be judged are put BACK into
/// doubt, and void cells still get their values. What is noted of the newest changes confirms no
/// path then.
#include "planners/core/planner_ops.h"

#include "planners/field/affected.h"
#include "planners/field/descent.h"
#include "planners/field/field_check.h"
#include "planners/field/recent_decreases.h"
#include "planners/field/sector_decreases.h"
#include "planners/field/suspects.h"

/// When more than one cell in so many is in doubt, all of them are judged at once. Room for twice
/// as many lowered cells to sleep; when half of that is taken, all of them are spread.
#define FLOOD_SHARE 16u

/// Most lowered cells that are spread only to confirm that a path is still optimal.
#define SPREAD_AT_ONCE 64u

/// The first rounds of a search judge only the cells in doubt that are near enough: 2, 8, 32, then
/// 128 cell lengths beyond what the start needs. Later ones judge all.
#define ROUNDS 4u

// ---- state

typedef enum flow_phase {
    FLOW_SETTLE, ///< spread what was lowered, grow to the start
    FLOW_GATHER, ///< take out the doubtful cells that matter to the start
    FLOW_DOUBT,  ///< judge them
    FLOW_BACK,   ///< put them back
    FLOW_VOID,   ///< give new values to the void ones
    FLOW_DONE,
} flow_phase_t;

typedef struct flow {
    rp_field_t field;            ///< without bounds: its keys are d + 1
    rp_metric_t metric;          ///< with bounds
    bool is_plain;               ///< as rp_gather_is_plain()
    rp_buckets_t lowered;        ///< lowered cells by d, in place of the field's heap
    rp_sector_lists_t asleep;    ///< lowered cells that did not matter so far
    rp_recent_decreases_t fresh; ///< cells that the newest changes lowered
    bool hears_fresh;            ///< changes are being taken in
    bool is_flood;               ///< spread all lowered cells, whether they matter or not
    bool has_judged;             ///< cells were judged in this search
    bool lets_sleep; ///< of the sleeping cells only those of the newest changes can matter
    rp_suspects_t suspects;
    rp_cost_t limit; ///< greatest f that is judged in this round
    uint32_t rounds; ///< rounds of this search so far, at most ROUNDS
    uint32_t sector; ///< next sector of `doubts` to gather from
    bool is_amid;    ///< cells were judged since the last answer, so d may be too great
    rp_affected_t affected;
    rp_roots_t roots;
    flow_phase_t phase;
} flow_t;

// ---- invariants

/// True when d of a cell that does not wait is no less than its neighbours offer, unless the cell
/// is in doubt.
static bool check_values(const rp_field_t *field, const rp_roots_t *roots,
                         const rp_suspects_t *suspects)
{
    for (rp_cell_t cell = 0; cell < field->grid->cell_count; cell++) {
        const rp_node_t *node = &field->nodes[cell];
        if (!rp_node_is_closed(node, field->build) || node->g == RP_COST_INF) {
            continue;
        }
        if (node->g < rp_affected_offered(field, roots, cell) &&
            !rp_suspects_have(suspects, cell)) {
            return false;
        }
    }
    return true;
}

static bool flow_check(const void *state)
{
    const flow_t *self = state;
    const rp_field_t *field = &self->field;
    if (self->phase != FLOW_DONE) {
        return true;
    }
    return self->suspects.near.count == 0 && self->affected.count == 0 &&
           self->lowered.count == 0 && check_values(field, &self->roots, &self->suspects) &&
           rp_field_check(field, false);
}

// ---- doubt

static inline rp_cost_t f_of(const flow_t *self, rp_cell_t cell, rp_cost_t d)
{
    const rp_field_t *field = &self->field;
    return d + rp_bound(&self->metric, rp_point_of(field->grid, cell), field->apex_point);
}

/// Begin a round: set the limit of f up to which cells in doubt are judged. It lies beyond the cost
/// of the start, as that is about to grow, and farther with each round. In the last rounds there is
/// no limit: cells that were cut off from the goals vouch for each other, and their d would rise by
/// only one step a round. Nor is there one when so many are in doubt that to look through them each
/// time takes too long.
static void begin_round(flow_t *self, rp_cost_t cost)
{
    const bool is_flood = self->suspects.far.count > self->field.grid->cell_count / FLOOD_SHARE;
    const bool is_last = is_flood || self->rounds == ROUNDS;
    const rp_cost_t slack = self->metric.cell_length << (2u * self->rounds + 1u);
    self->limit = is_last ? RP_FIELD_WHOLE : cost + slack;
    self->rounds += !is_last;
    self->sector = 0;
    self->is_amid = true;
    self->has_judged = true;
    self->lets_sleep = false;
}

// ---- who waits

/// An rp_field_hear_t: the field itself lowered d of a cell.
static void hear_of_fall(void *owner, rp_cell_t cell)
{
    flow_t *self = owner;
    rp_suspects_hear(&self->suspects, &self->field, cell);
    if (self->hears_fresh) {
        rp_recent_decreases_note(&self->fresh, &self->field, self->is_plain, cell);
    }
}

/// Give a cell a smaller d.
static inline void lower(flow_t *self, rp_cell_t cell, rp_cost_t d)
{
    rp_decrease_queue_put(&self->lowered, &self->field, cell, d);
    rp_suspects_hear(&self->suspects, &self->field, cell);
}

// ---- search

static void flow_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    flow_t *self = state;
    rp_field_t *field = &self->field;
    rp_suspects_forget(&self->suspects);
    rp_affected_forget(&self->affected);
    rp_sector_lists_clear(&self->asleep);
    rp_buckets_clear(&self->lowered);
    self->is_flood = false;
    rp_recent_decreases_lose(&self->fresh);
    rp_roots_set(&self->roots, goals, goal_count);
    rp_field_clear(field, start);
    self->phase = FLOW_SETTLE;
    self->rounds = 0;
    self->is_amid = false;
    self->has_judged = false;
    self->lets_sleep = false;
}

/// Make a cell void, and put the neighbours that leaned on it into doubt.
RP_GATHER_INLINE void make_void(flow_t *self, bool is_plain, rp_cell_t cell, rp_cost_t d,
                                const rp_gather_t *around)
{
    rp_field_t *field = &self->field;
    const rp_point_t point = rp_point_of(field->grid, cell);
    rp_affected_add(&self->affected, field, cell);
    unsigned leaning = rp_gather_leaning(around, field, is_plain, cell, d);
    if (is_plain) {
        leaning &= ~rp_bits_around(self->suspects.has, cell, field->grid->stride);
    }
    for (; leaning != 0; leaning &= leaning - 1u) {
        const unsigned direction = (unsigned)__builtin_ctz(leaning);
        const rp_cost_t d_next = around->d[direction];
        const rp_cell_t next = rp_grid_step(field->grid, cell, direction);
        if (!is_plain && rp_suspects_have(&self->suspects, next)) {
            continue;
        }
        const rp_cost_t bound =
            rp_bound(&self->metric, rp_point_step(point, direction), field->apex_point);
        if (d_next + bound > self->limit) {
            rp_suspects_add(&self->suspects, field, next);
        } else {
            rp_suspects_judge(&self->suspects, next, d_next);
            rp_field_prefetch_cell(field, next);
        }
    }
}

/// Judge all cells of this round, least d first.
/// @param is_plain  a constant: one loop for plain ground, one for other ground
/// @return false when the budget was spent first
RP_GATHER_INLINE bool judge_by(flow_t *self, bool is_plain, uint64_t *budget,
                               rp_search_stats_t *stats)
{
    while (self->suspects.near.count != 0) {
        if (*budget == 0) {
            return false;
        }
        --*budget;
        const rp_bucket_entry_t *top = rp_buckets_pop(&self->suspects.near);
        const rp_cell_t cell = top->cell;
        const rp_cost_t d = top->key;
        const rp_gather_t around = rp_gather_of(&self->field, is_plain, cell);
        rp_bits_set(self->suspects.has, cell, false);
        if (!rp_gather_vouches(&around, &self->field, is_plain, cell, d) &&
            rp_roots_cost(&self->roots, cell) > d) {
            stats->expanded++;
            RP_TRACE(cell, RAISED);
            make_void(self, is_plain, cell, d, &around);
        }
    }
    return true;
}

static bool judge(flow_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    return self->is_plain ? judge_by(self, true, budget, stats)
                          : judge_by(self, false, budget, stats);
}

/// Give the void cells new values.
/// @return false when the budget was spent first
static bool fill_void(flow_t *self, uint64_t *budget)
{
    rp_affected_t *voids = &self->affected;
    rp_field_t *field = &self->field;
    const bool is_any = voids->count != 0;
    const bool is_done =
        self->is_plain
            ? rp_affected_fill(voids, field, &self->roots, &self->lowered, true, budget)
            : rp_affected_fill(voids, field, &self->roots, &self->lowered, false, budget);
    // All that these lower is spread: a path that is to be confirmed need not be held against it.
    self->is_flood = self->is_flood || (is_any && self->lowered.count != 0);
    return is_done;
}

/// Offer the neighbours of a cell the path by way of it.
RP_GATHER_INLINE void tell(flow_t *self, bool is_plain, rp_cell_t cell, rp_cost_t d)
{
    const rp_field_t *field = &self->field;
    const rp_grid_t *grid = field->grid;
    const rp_gather_t around = rp_gather_of(field, is_plain, cell);
    unsigned better = rp_gather_better(&around, field, is_plain, cell, d);
    for (; better != 0; better &= better - 1u) {
        const unsigned direction = (unsigned)__builtin_ctz(better);
        const rp_cost_t sum = d + rp_gather_edge(field, is_plain, cell, direction);
        lower(self, rp_grid_step(grid, cell, direction), sum);
    }
}

/// Wake the sleeping cells that may lower the start; all of them when they are many.
/// @return false when the budget was spent first
static bool wake(flow_t *self, uint64_t *budget)
{
    rp_field_t *field = &self->field;
    const bool is_crowded = self->asleep.count > self->asleep.capacity / 2u;
    self->is_flood = self->is_flood || is_crowded;
    const bool are_awake =
        rp_sector_decreases_wake(&self->asleep, field, &self->metric,
                                 is_crowded ? RP_COST_INF : rp_field_at(field, field->apex),
                                 !is_crowded && self->lets_sleep, budget);
    rp_decrease_queue_gather(&self->lowered, field);
    return are_awake;
}

/// Spread what was lowered as far as it may lower the start.
/// @return false when the budget was spent first
static bool spread(flow_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_field_t *field = &self->field;
    const rp_cell_t apex = field->apex;
    if (self->lowered.count != 0 || field->lowered.count != 0) {
        self->fresh.spread = SPREAD_AT_ONCE; // some may fall asleep
    }
    if (!wake(self, budget)) {
        return false;
    }
    while (self->lowered.count != 0) {
        if (*budget == 0) {
            return false;
        }
        const rp_bucket_entry_t *top = rp_buckets_pop(&self->lowered);
        const rp_cell_t cell = top->cell;
        const rp_cost_t d = top->key;
        if (!rp_field_take(field, cell, d)) {
            continue;
        }
        const rp_cost_t limit = rp_field_at(field, apex);
        const bool matters = self->is_flood || (d < limit && f_of(self, cell, d) < limit);
        if (!matters && rp_sector_decreases_add(&self->asleep, field, cell, d)) {
            continue;
        }
        --*budget;
        stats->expanded++;
        RP_TRACE(cell, EXPANDED);
        if (self->is_plain) {
            tell(self, true, cell, d);
        } else {
            tell(self, false, cell, d);
        }
    }
    self->is_flood = false;
    return true;
}

/// Spread what was lowered, then grow to the start; goals join when the field has grown so far.
/// @return false when the budget was spent first
static bool settle_and_grow(flow_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_field_t *field = &self->field;
    for (;;) {
        if (!spread(self, budget, stats) ||
            !rp_field_grow(field, 0, 0, self->roots.next, budget, stats)) {
            return false;
        }
        const rp_cost_t d = rp_field_at(field, field->apex);
        if (self->roots.next == RP_COST_INF || d <= self->roots.next) {
            return true;
        }
        rp_roots_join(&self->roots, field);
    }
}

/// After all that matters has spread: look whether a cell that matters is in doubt.
/// @return FLOW_GATHER when there is one, FLOW_DONE when not
static flow_phase_t look_for_doubt(flow_t *self)
{
    const rp_field_t *field = &self->field;
    const rp_cost_t d = rp_field_at(field, field->apex);
    if (d != RP_COST_INF && // without a bound there is no path
        rp_suspects_reach(&self->suspects, field, &self->metric, field->apex_point, d)) {
        begin_round(self, d);
        return FLOW_GATHER;
    }
    self->is_amid = false;
    return FLOW_DONE;
}

/// Work on the present phase until its end.
/// @return false when the budget was spent first
static bool end_phase(flow_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    const rp_field_t *field = &self->field;
    switch (self->phase) {
    case FLOW_GATHER:
        return rp_suspects_gather(&self->suspects, field, &self->metric, field->apex_point,
                                  self->limit, &self->sector, budget);
    case FLOW_DOUBT:
        return judge(self, budget, stats);
    case FLOW_BACK:
        return rp_suspects_put_back(&self->suspects, field, budget);
    case FLOW_VOID:
        return fill_void(self, budget);
    default:
        return settle_and_grow(self, budget, stats);
    }
}

static rp_status_t flow_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    static const flow_phase_t next[] = {[FLOW_GATHER] = FLOW_DOUBT,
                                        [FLOW_DOUBT] = FLOW_VOID,
                                        [FLOW_BACK] = FLOW_VOID,
                                        [FLOW_VOID] = FLOW_SETTLE};
    flow_t *self = state;
    while (self->phase != FLOW_DONE) {
        if (!end_phase(self, budget, stats)) {
            return RP_MORE;
        }
        self->phase = self->phase == FLOW_SETTLE ? look_for_doubt(self) : next[self->phase];
    }
    RP_TRACE_ONLY(rp_field_trace_reused(&self->field, self->field.grid));
    return RP_OK;
}

/// Spread all that the newest changes lowered, if it is little: when an obstacle goes away, d falls
/// in a few cells behind it as a rule.
/// @return false when some cells still wait, or were put to sleep by a search
static bool spread_a_little(flow_t *self)
{
    rp_field_t *field = &self->field;
    uint32_t *spread = &self->fresh.spread;
    if (*spread < SPREAD_AT_ONCE) {
        rp_decrease_queue_gather(&self->lowered, field);
    }
    for (; self->lowered.count != 0 && *spread < SPREAD_AT_ONCE; ++*spread) {
        const rp_bucket_entry_t *top = rp_buckets_pop(&self->lowered);
        const rp_cell_t cell = top->cell;
        const rp_cost_t d = top->key;
        if (rp_field_take(field, cell, d)) {
            tell(self, self->is_plain, cell, d);
        }
    }
    return *spread < SPREAD_AT_ONCE;
}

/// Only a path through a cell that the newest changes lowered can be cheaper than the one to be
/// confirmed. Cells that were lowered before and sleep cannot matter: their f was too great when
/// the path was found to be optimal, and only grows as the start walks on. Nor can cells in doubt:
/// their d was right at that time, or their f too great, and neither makes a path cheaper now. So
/// either the newly lowered cells are all too far away, or they are spread, and d(from) tells.
static bool flow_confirm(void *state, rp_cell_t from, uint64_t cost)
{
    flow_t *self = state;
    const rp_field_t *field = &self->field;
    const rp_point_t start = rp_point_of(field->grid, from);
    if (!rp_recent_decreases_are_known(&self->fresh) || cost > self->roots.next ||
        !rp_field_covers(field, (rp_cost_t)cost)) {
        return false;
    }
    self->lets_sleep = self->lets_sleep || (from == field->apex && !self->has_judged);
    return rp_recent_decreases_are_far(&self->fresh, field, &self->metric, start, cost) ||
           (spread_a_little(self) && rp_field_at(field, from) >= cost);
}

// ---- changes

static void doubt_unless_vouched(flow_t *self, rp_cell_t cell)
{
    const rp_cost_t d = rp_field_at(&self->field, cell);
    if (d != RP_COST_INF && rp_affected_offered(&self->field, &self->roots, cell) > d) {
        rp_suspects_add(&self->suspects, &self->field, cell);
    }
}

/// Put in doubt what leaned on cells that are dearer now: these cells themselves, and all of their
/// neighbours, as diagonals between these passed beside them. Blocked cells lose their d first, so
/// that none of them vouches for another.
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
        if (!rp_change_is_dearer(&changes[i])) {
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
    if (update->start_moved && !rp_field_move_apex(field, update->start)) {
        return false;
    }
    self->is_flood = self->is_flood || self->lowered.count != 0; // left by a search cut short
    if (update->change_count != 0) {
        rp_affected_be_late(&self->affected);
        self->fresh.count = 0;
        self->fresh.spread = 0;
        self->asleep.batch++;
        self->hears_fresh = true;
        rp_field_apply(field, update->changes, update->change_count);
        self->hears_fresh = false;
        if (self->is_amid) { // cells took their d from neighbours whose d may be too great
            rp_recent_decreases_lose(&self->fresh);
        }
    }
    doubt_dearer(self, update->changes, update->change_count);
    self->phase = FLOW_BACK;
    self->rounds = 0;
    self->has_judged = false;
    self->lets_sleep = false;
    return true;
}

// ---- path

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
    while (rp_field_at(field, cell) != rp_roots_cost(&self->roots, cell)) {
        cell = rp_descent_next(field, cell, &ahead);
        cells[count++] = cell;
    }
    return count;
}

// ---- birth and death

static void flow_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                      rp_arena_t *arena)
{
    flow_t *self = state;
    const uint32_t cells = grid->cell_count;
    (void)options; // none concerns this planner
    rp_field_init(&self->field, grid, arena);
    self->field.hear = hear_of_fall;
    self->field.owner = self;
    self->field.metric.h_straight = 0; // no bounds: the field serves every start
    self->field.metric.h_diagonal = 0;
    self->metric = rp_metric_of(grid);
    self->is_plain = rp_gather_is_plain(grid);
    const rp_cost_t cheapest = self->metric.h_straight;
    rp_decrease_queue_init(&self->lowered, cells, cheapest, arena);
    rp_sector_lists_init(&self->asleep, grid, cells / FLOOD_SHARE * 2u + 64u, arena);
    rp_affected_init(&self->affected, cells, arena);
    rp_roots_init(&self->roots, cells, self->metric.cell_length, arena);
    rp_suspects_init(&self->suspects, grid, cheapest, arena);
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
    .begin = flow_begin,
    .update = flow_update,
    .search = flow_search,
    .path = flow_path,
    .cost = flow_cost,
    .confirm = flow_confirm,
    .check = flow_check,
};
