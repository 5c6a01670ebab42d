/// Memory-Enhanced IDA*: depth first within a limit on f, from the start anew for each limit. A
/// table of all cells keeps it from searching a cell twice within one limit.
///
/// Paper: "Fringe Search", Bjornsson, Enzenberger, Holte, Schaeffer 2005, sections 2.1 and 3.1.2,
/// after Reinefeld, Marsland 1994. Guarantee: optimal. Cost of a change: a new search. Bytes a
/// cell: 16, and 12 for each cell of the deepest path. Choose it to compare with: every limit
/// repeats the work of the one before. On small maps where f has few values it is up to three times
/// slower than A*, on large ones where it has many a hundred times and more. Give it a budget.
///
/// Words: g the cheapest cost so far from the start to a cell; hb what was learnt below a cell, no
/// cell beyond the limit was met at less than g + hb. The three benefits of the table:
///   1. within one limit a cell is searched again only when it is met at less than its g;
///   2. it is passed by when g + hb is beyond the limit;
///   3. a cell met at more than its g says nothing, not even for the next limit.
/// Nor does one that is met again at its g within one limit: whoever met it first has heard what
/// lies beyond the limit below it, and hears it again at the next one. So the cells that lead to
/// what is next are a tree, not all ways of equal cost; on tiles that spares three expansions of
/// five.
#include "planners/core/planner_ops.h"

#include "base/memory.h"
#include "base/prefault.h"
#include "planners/grid/metric.h"
#include "planners/open/nodes.h"
#include "replan/trace.h"

// ---- state

/// An entry of the table.
typedef struct ida_node {
    rp_cost_t g;
    rp_cost_t hb;       ///< void when g falls; RP_COST_INF: nothing but inferior ways leads on
    uint32_t mark;      ///< the search that wrote it, as in open/nodes.h
    uint32_t iteration; ///< in which it was searched last; 0: in none at this g
} ida_node_t;

/// A cell of the path that is followed now.
typedef struct ida_frame {
    rp_cost_t best; ///< least f beyond the limit that was met below it
    rp_cell_t cell;
    uint32_t moves_left; ///< one bit a direction
} ida_frame_t;

typedef struct me_ida {
    ida_node_t *nodes;   ///< by cell
    ida_frame_t *frames; ///< the start first; g rises along them, so no cell is there twice
    const rp_grid_t *grid;
    rp_metric_t metric;
    uint32_t depth;  ///< frames in use; 0: the next iteration is to begin
    uint32_t peak;   ///< most frames ever in use
    uint32_t search; ///< number of this search, in place for marks
    rp_cell_t start;
    rp_cell_t goal;
    rp_point_t goal_point;
    uint32_t iteration; ///< number of this one, from 1
    rp_cost_t limit;
    rp_cost_t next_limit; ///< what the last iteration learnt; RP_COST_INF: there is no path
    bool found;
    rp_prefault_t prefault; ///< of the nodes
} me_ida_t;

static inline bool is_known(const me_ida_t *self, rp_cell_t cell)
{
    return self->nodes[cell].mark == self->search;
}

static inline rp_cost_t h_of(const me_ida_t *self, rp_cell_t cell)
{
    return rp_bound(&self->metric, rp_point_of(self->grid, cell), self->goal_point);
}

// ---- invariants

/// A frame goes on from the one before it, at the g of the table.
static bool check_frame(const me_ida_t *self, uint32_t i)
{
    const rp_cell_t cell = self->frames[i].cell;
    const ida_node_t *node = &self->nodes[cell];
    if (!is_known(self, cell) || node->g + node->hb > self->limit ||
        self->frames[i].best <= self->limit) {
        return false;
    }
    if (i == 0) {
        return cell == self->start && node->g == 0;
    }
    const rp_cell_t before = self->frames[i - 1u].cell;
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (self->grid, before, direction, next) {
        const rp_cost_t edge = rp_edge(&self->metric, before, next, direction);
        if (next == cell && self->nodes[before].g + edge == node->g) {
            return true;
        }
    }
    return false;
}

static bool me_ida_check(const void *state)
{
    const me_ida_t *self = state;
    for (uint32_t i = 0; i < self->depth; i++) {
        if (!check_frame(self, i)) {
            return false;
        }
    }
    for (rp_cell_t cell = 1; cell < self->grid->cell_count; cell++) {
        if (is_known(self, cell) && self->nodes[cell].hb < h_of(self, cell)) {
            return false;
        }
    }
    return true;
}

// ---- search

/// The next search number; clears the nodes when the numbers are used up.
static uint32_t next_search(me_ida_t *self)
{
    const uint32_t search = self->search + RP_NODE_SEARCH;
    if (search != 0) {
        return search;
    }
    memset(self->nodes, 0, (size_t)self->grid->cell_count * sizeof *self->nodes);
    return RP_NODE_SEARCH;
}

static void me_ida_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    me_ida_t *self = state;
    (void)goal_count; // one: there is no capability for more
    self->search = next_search(self);
    self->start = start;
    self->goal = goals[0].cell;
    self->goal_point = rp_point_of(self->grid, self->goal);
    self->depth = 0;
    self->found = false;
    self->iteration = 0;
    self->next_limit = h_of(self, start);
    self->nodes[start] = (ida_node_t){0, self->next_limit, self->search, 0};
}

/// Go down to a cell. This is an expansion; the goal's is the last.
/// @param back  one bit: the direction that leads up again, which need not be tried; 0: none
static inline void push(me_ida_t *self, rp_cell_t cell, uint32_t back, rp_search_stats_t *stats)
{
    self->nodes[cell].iteration = self->iteration;
    self->frames[self->depth++] = (ida_frame_t){RP_COST_INF, cell, self->grid->moves[cell] & ~back};
    self->peak = self->depth > self->peak ? self->depth : self->peak;
    self->found = cell == self->goal;
    stats->expanded++;
    RP_TRACE(cell, EXPANDED);
    stats->expanded_last++;
}

/// From the start again, to the least f that was beyond the last limit.
static void begin_iteration(me_ida_t *self, rp_search_stats_t *stats)
{
    self->limit = self->next_limit;
    self->iteration++;
    stats->iterations++;
    stats->visited++;
    stats->visited_last = 1;
    stats->expanded_last = 0;
    push(self, self->start, 0, stats);
}

/// Nothing is left to try below the last frame: keep what was learnt, and tell the one before.
static inline void pop(me_ida_t *self)
{
    const ida_frame_t *frame = &self->frames[--self->depth];
    ida_node_t *node = &self->nodes[frame->cell];
    node->hb = frame->best == RP_COST_INF ? RP_COST_INF : frame->best - node->g;
    if (self->depth == 0) {
        self->next_limit = frame->best;
        return;
    }
    ida_frame_t *before = &self->frames[self->depth - 1u];
    before->best = frame->best < before->best ? frame->best : before->best;
}

/// Meet a cell at cost `g`. @return true when it is to be searched
static inline bool meet(me_ida_t *self, ida_frame_t *frame, rp_cell_t cell, rp_cost_t g)
{
    ida_node_t *node = &self->nodes[cell];
    if (!is_known(self, cell) || g < node->g) {
        *node = (ida_node_t){g, h_of(self, cell), self->search, 0};
    } else if (g > node->g || node->hb == RP_COST_INF || node->iteration == self->iteration) {
        return false; // inferior, a dead end, or told already: nothing for the next limit
    }
    const rp_cost_t f = g + node->hb;
    if (f > self->limit) {
        frame->best = f < frame->best ? f : frame->best;
        return false;
    }
    return true;
}

static rp_status_t me_ida_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    me_ida_t *self = state;
    while (!self->found) {
        if (self->depth == 0 && self->next_limit == RP_COST_INF) {
            return RP_OK; // nothing is left beyond the limit
        }
        if (*budget == 0) {
            return RP_MORE;
        }
        if (self->depth == 0) {
            begin_iteration(self, stats);
            --*budget;
            continue;
        }
        ida_frame_t *frame = &self->frames[self->depth - 1u];
        if (frame->moves_left == 0) {
            pop(self);
            continue;
        }
        // The last direction first, as Fringe Search does.
        const unsigned direction = 31u - (unsigned)__builtin_clz(frame->moves_left);
        frame->moves_left ^= 1u << direction;
        const rp_cell_t next = rp_grid_step(self->grid, frame->cell, direction);
        const rp_cost_t edge = rp_edge(&self->metric, frame->cell, next, direction);
        stats->visited++;
        stats->visited_last++;
        if (meet(self, frame, next, self->nodes[frame->cell].g + edge)) {
            stats->generated++;
            push(self, next, 1u << rp_direction_back(direction), stats);
            --*budget;
            rp_prefault_note(&self->prefault, next, budget);
        }
    }
    return RP_OK;
}

// ---- changes

static bool me_ida_update(void *state, const rp_update_t *update)
{
    (void)state;
    (void)update;
    return false; // no native capability: every event starts over
}

// ---- path

static uint32_t me_ida_path(const void *state, rp_cell_t *cells, rp_path_stands_t *stands)
{
    const me_ida_t *self = state;
    (void)stands; // all of it is written
    const uint32_t count = self->found ? self->depth : 0;
    for (uint32_t i = 0; i < count; i++) {
        cells[i] = self->frames[i].cell;
    }
    return count;
}

// ---- birth and death

static void me_ida_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                        rp_arena_t *arena)
{
    me_ida_t *self = state;
    (void)options; // there is no OPEN
    self->grid = grid;
    self->metric = rp_metric_of(grid);
    self->nodes = rp_arena_new_by_cell(arena, &self->prefault, grid->cell_count,
                                       sizeof *self->nodes, grid->stride);
    self->frames = rp_arena_new(arena, grid->cell_count, sizeof *self->frames);
    rp_arena_note(arena, &self->peak, &self->peak, sizeof *self->frames);
}

const rp_planner_ops_t RP_MEMBER(me_ida) = {
    .info =
        {
            .id = "me-ida",
            .paper = "Bjornsson, Enzenberger, Holte, Schaeffer 2005",
            .guarantee = "optimal",
            .capabilities = RP_CAN_EVERY_GRID,
            .bytes_per_cell = sizeof(ida_node_t),
        },
    .state_bytes = sizeof(me_ida_t),
    .bind = me_ida_bind,
    .begin = me_ida_begin,
    .update = me_ida_update,
    .search = me_ida_search,
    .path = me_ida_path,
    .check = me_ida_check,
};
