/// @file
/// A* from the apex of a field towards its root with h = d: what `cert` and `afa` have in common.
/// They differ in where a search begins, where it may end, and what is learnt from it.
///
///     SETTLE -> (judge) -> GROW -> (judge) -> READY -> SEARCH -> DONE
///                                    ^                   |
///                                    +---- too short ----+
///
/// d is consistent, so no cell is expanded twice. Cells whose f is beyond the field's limit are
/// left out; when that leaves nothing, the field grows and the search begins again. No path is
/// proven by closing either end's component, whichever is smaller (search/cut.h).
#ifndef REPLAN_SEARCH_ANCHORED_H
#define REPLAN_SEARCH_ANCHORED_H

#include "planners/search/cut.h"
#include "planners/search/field.h"
#include "planners/search/open_list.h"
#include "planners/search/trail.h"

/// The field reaches so many cell lengths beyond the cost of the path, so that a path that becomes
/// a little dearer is found without growth.
#define RP_ANCHORED_SLACK 12u

/// A search that has closed so many cells looks whether the root is walled in, and again each time
/// it has closed as many more.
#define RP_ANCHORED_CUT_PORTION 512u

typedef enum rp_anchored_phase {
    RP_ANCHORED_SETTLE, ///< the field takes in what became cheaper
    RP_ANCHORED_GROW,   ///< the field reaches farther
    RP_ANCHORED_READY,  ///< a search is to begin
    RP_ANCHORED_SEARCH,
    RP_ANCHORED_DONE,
} rp_anchored_phase_t;

typedef enum rp_answer {
    RP_ANSWER_KEPT, ///< the path written last stands
    RP_ANSWER_NEW,
    RP_ANSWER_NONE, ///< no path
} rp_answer_t;

/// Hot members first.
typedef struct rp_anchored {
    rp_field_t field;
    rp_trail_t trail; ///< from the field's root to its apex
    rp_anchored_phase_t phase;
    rp_answer_t answer;  ///< when DONE; before that KEPT, or NEW when the path must be written
    rp_node_t *nodes;    ///< by cell: g from the apex in this search
    rp_open_list_t open; ///< f = g + d
    uint32_t search;     ///< number of this search, in place for marks
    bool is_pruned;      ///< it left out a cell beyond the field's limit
    rp_cell_t *closed;   ///< in the order closed [cells]
    uint32_t closed_count;
    uint32_t closed_peak;
    uint32_t cut_due;  ///< count of closed cells at which the cut is asked next
    rp_cut_t cut;      ///< why there is no path
    rp_cost_t slack;   ///< RP_ANCHORED_SLACK as a cost
    rp_cost_t least;   ///< limit that the field is to reach
    rp_cost_t widened; ///< what a search that failed adds to it; doubles within one update
} rp_anchored_t;

static inline bool rp_anchored_is_live(const void *owner, rp_cell_t cell, rp_cost_t g)
{
    const rp_anchored_t *self = owner;
    const rp_node_t *node = &self->nodes[cell];
    return node->g == g && (node->mark & RP_NODE_CLOSED) == 0;
}

/// True when the trail is whole and begins at the apex.
static inline bool rp_anchored_has_path(const rp_anchored_t *self)
{
    return rp_trail_is_intact(&self->trail) && rp_trail_apex(&self->trail).cell == self->field.apex;
}

/// The certificate: the path is legal and costs what it did, and by d nothing is cheaper.
static inline bool rp_anchored_is_certified(const rp_anchored_t *self)
{
    return rp_anchored_has_path(self) &&
           rp_trail_apex(&self->trail).cost == rp_field_at(&self->field, self->field.apex);
}

/// True when the trail leads on from here to the root, and at the cost that d promises.
static inline bool rp_anchored_joins(const rp_anchored_t *self, rp_cell_t cell)
{
    return rp_trail_leads_from(&self->trail, cell) &&
           self->trail.steps[self->trail.places[cell]].cost == rp_field_at(&self->field, cell);
}

static inline void rp_anchored_answer(rp_anchored_t *self, rp_answer_t answer)
{
    if (answer != RP_ANSWER_KEPT) {
        self->answer = answer;
    }
    self->phase = RP_ANCHORED_DONE;
}

// ---- search

/// Begin a search with nothing in OPEN.
static inline void rp_anchored_open(rp_anchored_t *self)
{
    self->search = rp_nodes_next_search(self->search, self->nodes, self->field.grid->cell_count);
    rp_open_clear(&self->open);
    self->closed_peak =
        self->closed_count > self->closed_peak ? self->closed_count : self->closed_peak;
    self->closed_count = 0;
    self->cut_due = RP_ANCHORED_CUT_PORTION;
    self->is_pruned = false;
    self->phase = RP_ANCHORED_SEARCH;
}

/// Put a cell in that can be reached from the apex at cost g without the search's help.
static inline void rp_anchored_put_root(rp_anchored_t *self, rp_cell_t cell, rp_cost_t g)
{
    const rp_cost_t f = g + rp_field_at(&self->field, cell);
    self->nodes[cell] = (rp_node_t){g, self->search | RP_NODE_ROOT};
    rp_open_push(&self->open, RP_OPEN_BUCKETS, f, g, cell, rp_anchored_is_live, self);
}

/// Nothing is left in OPEN: either the apex' component is closed, or the field reaches too short.
static inline void rp_anchored_fail(rp_anchored_t *self)
{
    if (self->is_pruned) {
        self->least = self->field.limit + self->widened;
        self->widened *= 2u;
        self->phase = RP_ANCHORED_GROW;
        return;
    }
    rp_cut_begin(&self->cut);
    for (uint32_t i = 0; i < self->closed_count; i++) {
        rp_cut_add(&self->cut, self->closed[i]);
    }
    self->cut.state = RP_CUT_CLOSED;
    rp_anchored_answer(self, RP_ANSWER_NONE);
}

/// Close the best cell of OPEN. @return RP_NO_CELL when there is none: then the phase is another
static inline rp_cell_t rp_anchored_close(rp_anchored_t *self, uint64_t *budget,
                                          rp_plan_stats_t *stats)
{
    const rp_cell_t cell = rp_open_pop(&self->open, RP_OPEN_BUCKETS, rp_anchored_is_live, self);
    if (cell == RP_NO_CELL) {
        rp_anchored_fail(self);
        return RP_NO_CELL;
    }
    --*budget;
    stats->expanded++;
    self->nodes[cell].mark |= RP_NODE_CLOSED;
    self->closed[self->closed_count++] = cell;
    return cell;
}

/// Flood round the root a little more. A walled-in root is found out by its own few cells, not by
/// all the others.
static inline void rp_anchored_ask_cut(rp_anchored_t *self, uint64_t *budget,
                                       rp_plan_stats_t *stats)
{
    self->cut_due += RP_ANCHORED_CUT_PORTION;
    if (self->cut.state == RP_CUT_NONE) {
        rp_cut_begin(&self->cut);
        rp_cut_add(&self->cut, self->field.root);
    }
    if (self->cut.state != RP_CUT_GROWING) {
        return;
    }
    const uint32_t before = self->cut.next;
    const uint32_t most =
        *budget < RP_ANCHORED_CUT_PORTION ? (uint32_t)*budget : RP_ANCHORED_CUT_PORTION;
    rp_cut_flood(&self->cut, self->field.grid, most, self->nodes, self->search);
    *budget -= self->cut.next - before;
    stats->expanded += self->cut.next - before;
    if (self->cut.state == RP_CUT_CLOSED) {
        rp_anchored_answer(self, RP_ANSWER_NONE);
    }
}

/// The neighbours of a closed cell go into OPEN.
static inline void rp_anchored_expand(rp_anchored_t *self, rp_cell_t cell, uint64_t *budget,
                                      rp_plan_stats_t *stats)
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
        rp_open_push(&self->open, RP_OPEN_BUCKETS, f, g_next, next, rp_anchored_is_live, self);
        stats->generated++;
    }
    if (self->closed_count >= self->cut_due) {
        rp_anchored_ask_cut(self, budget, stats);
    }
}

// ---- what comes before a search

/// The field is up to date within its limit: what does it say?
static inline void rp_anchored_judge(rp_anchored_t *self)
{
    const rp_field_t *field = &self->field;
    const rp_cost_t d = rp_field_at(field, field->apex);
    if (rp_cut_parts(&self->cut, field->apex, field->root) ||
        (d == RP_COST_INF && field->limit == RP_FIELD_WHOLE)) {
        rp_anchored_answer(self, RP_ANSWER_NONE);
    } else if (!rp_field_covers(field, d)) {
        self->phase = RP_ANCHORED_GROW;
    } else if (rp_anchored_is_certified(self)) {
        rp_anchored_answer(self, RP_ANSWER_KEPT);
    } else {
        self->phase = RP_ANCHORED_READY;
    }
}

/// Bring the field up to date: until a search is to begin, or none is needed.
/// @return false when the budget was spent first
static inline bool rp_anchored_prepare(rp_anchored_t *self, uint64_t *budget,
                                       rp_plan_stats_t *stats)
{
    while (self->phase < RP_ANCHORED_READY) {
        const bool is_ready =
            self->phase == RP_ANCHORED_SETTLE
                ? rp_field_settle(&self->field, budget, stats)
                : rp_field_grow(&self->field, self->least, self->slack, RP_COST_INF, budget, stats);
        if (!is_ready) {
            return false;
        }
        rp_anchored_judge(self);
    }
    return true;
}

static inline void rp_anchored_begin(rp_anchored_t *self, rp_cell_t root, rp_cell_t apex)
{
    rp_field_begin(&self->field, root, apex);
    rp_trail_reset(&self->trail, root);
    self->cut.state = RP_CUT_NONE;
    self->least = 0;
    self->widened = self->slack;
    self->answer = RP_ANSWER_NEW;
    self->phase = RP_ANCHORED_GROW;
}

// ---- changes

/// What an update begins with: the answer was taken, and the apex may have moved.
/// @return false to start over
static inline bool rp_anchored_aim(rp_anchored_t *self, rp_cell_t apex)
{
    if (self->phase == RP_ANCHORED_DONE) {
        self->answer = self->answer == RP_ANSWER_NONE ? RP_ANSWER_NEW : RP_ANSWER_KEPT;
        if (self->answer == RP_ANSWER_KEPT) {
            self->trail.fresh = self->trail.end;
        }
    }
    self->least = 0;
    self->widened = self->slack;
    self->phase = RP_ANCHORED_SETTLE;
    if (apex == self->field.apex) {
        return true;
    }
    if (!rp_field_move_apex(&self->field, apex)) {
        return false;
    }
    if (rp_trail_has(&self->trail, apex)) {
        rp_trail_end_at(&self->trail, apex);
    }
    self->answer = RP_ANSWER_NEW;
    return true;
}

/// Take in a batch.
static inline void rp_anchored_apply(rp_anchored_t *self, const rp_change_t *changes, size_t count)
{
    rp_field_apply(&self->field, changes, count);
    rp_trail_apply(&self->trail, changes, count);
    rp_cut_apply(&self->cut, self->field.grid, changes, count);
}

// ---- birth and death

static inline void rp_anchored_fini(rp_anchored_t *self)
{
    const uint32_t cells = self->trail.capacity;
    rp_memory_free(self->nodes, cells, sizeof *self->nodes);
    rp_memory_free(self->closed, cells, sizeof *self->closed);
    rp_open_fini(&self->open);
    rp_cut_fini(&self->cut);
    rp_field_fini(&self->field);
    rp_trail_fini(&self->trail);
    *self = (rp_anchored_t){0};
}

static inline rp_status_t rp_anchored_init(rp_anchored_t *self, const rp_grid_t *grid)
{
    const uint32_t cells = grid->cell_count;
    *self = (rp_anchored_t){0};
    const bool has_trail = rp_trail_init(&self->trail, grid) == RP_OK;
    if (!has_trail) {
        return RP_E_MEMORY;
    }
    const bool has_rest =
        rp_field_init(&self->field, grid) == RP_OK && rp_cut_init(&self->cut, cells) == RP_OK &&
        rp_open_init(&self->open, RP_OPEN_BUCKETS, cells, self->field.metric.dearest) == RP_OK;
    self->nodes = rp_memory_new(cells, sizeof *self->nodes);
    self->closed = rp_memory_new(cells, sizeof *self->closed);
    if (!has_rest || self->nodes == NULL || self->closed == NULL) {
        rp_anchored_fini(self);
        return RP_E_MEMORY;
    }
    self->slack = RP_ANCHORED_SLACK * self->field.metric.cell_length;
    return RP_OK;
}

static inline uint64_t rp_anchored_bytes(const rp_anchored_t *self)
{
    return rp_field_bytes(&self->field) + rp_trail_bytes(&self->trail) + rp_cut_bytes(&self->cut) +
           rp_open_bytes(&self->open) + (uint64_t)self->trail.capacity * sizeof *self->nodes +
           (uint64_t)self->closed_peak * sizeof *self->closed;
}

/// Search state a cell with everything empty.
#define RP_ANCHORED_BYTES (2u * sizeof(rp_node_t))

// ---- invariants

/// The field is consistent and admissible, the trail is what it says, and the answer is the truth.
static inline bool rp_anchored_check(const rp_anchored_t *self)
{
    const rp_field_t *field = &self->field;
    if (!rp_field_check(field) || !rp_trail_check(&self->trail, &field->metric)) {
        return false;
    }
    if (self->phase != RP_ANCHORED_DONE) {
        return true;
    }
    rp_cost_t *truth = rp_field_truth(field);
    if (truth == NULL) {
        return false;
    }
    const rp_cost_t cost = truth[field->apex];
    const bool is_true =
        rp_field_is_admissible(field, truth) &&
        (self->answer == RP_ANSWER_NONE
             ? cost == RP_COST_INF
             : rp_anchored_has_path(self) && rp_trail_apex(&self->trail).cost == cost);
    free(truth);
    return is_true;
}

#endif
