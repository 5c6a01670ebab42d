/// Fringe Search: OPEN as a list that is walked from end to end, once for each limit on f. Cells
/// within the limit are expanded where they stand, all others stay for a later walk. So no order
/// has to be kept; the price is that cells are looked at more than once.
///
/// Paper: "Fringe Search: Beating A* at Pathfinding on Game Maps", Bjornsson, Enzenberger, Holte,
/// Schaeffer 2005, figure 2. Guarantee: optimal. With a consistent heuristic no cell is expanded
/// twice, and those expanded before the last walk are A*'s. Cost of a change: a new search. Bytes a
/// cell: 16, nothing else. Choose it where f has few values: 4 neighbours on normal ground, a few
/// factors.
///
/// Where f has many values, nearly every walk would find only one cell to expand. There the list is
/// partly sorted, as section 2.3 allows: cells beyond the limit are kept in buckets, one for each
/// value of f, and a walk goes through one bucket. Within a bucket the search is depth first, as in
/// the paper.
///
/// Letters of the paper: F the fringe, C the cache (f and parent in the nodes), n the cell looked
/// at, s its successors.
#include "planners/core/planner_ops.h"

#include <assert.h>

#include "base/prefault.h"
#include "planners/grid/metric.h"
#include "planners/open/bucket_ring.h"
#include "planners/open/extract.h"
#include "planners/open/nodes.h"
#include "planners/open/open_list.h"
#include "replan/trace.h"

// ---- state

/// A cell's place in the cache and in the fringe. It holds f instead of the paper's g, because a
/// walk reads nothing else; of two ways to one cell the one with less f has less g.
typedef struct fringe_node {
    rp_cost_t f;
    uint32_t mark;  ///< as in open/nodes.h; closed: it was expanded and left the fringe
    rp_cell_t next; ///< in the list
    rp_cell_t prev;
} fringe_node_t;

static_assert(RP_COST_BITS != 32 || sizeof(fringe_node_t) == 16, "four cells a cache line");

/// The list is a ring through this place, which is no cell. Its f is 0, so every walk stops there.
#define END RP_NO_CELL

/// Buckets serve where f can rise by more values than this in one step.
#define COARSE_STEPS 64u

typedef enum form {
    FORM_LIST,
    FORM_PLAIN_LIST, ///< 4 neighbours, uniform, not wrapped: a step adds 0 or 2 to f
    FORM_BUCKETS,
} form_t;

typedef struct fringe {
    fringe_node_t *nodes; ///< by cell, and END
    const rp_grid_t *grid;
    rp_metric_t metric;
    rp_prefault_t prefault;   ///< of the nodes
    rp_bucket_ring_t waiting; ///< by f: first cell of what waits; all zero without buckets
    uint32_t search;          ///< number of this search, in place for marks
    uint32_t count;           ///< cells in the fringe
    rp_cell_t cursor; ///< n: behind it the list waits for the next walk; END: no walk under way
    rp_cell_t goal;
    rp_point_t goal_point;
    rp_cost_t limit;      ///< of this walk
    rp_cost_t next_limit; ///< least f above it so far; unused with buckets
    form_t form;
    bool found;
} fringe_t;

/// What a slice counts, apart from the statistics so that it stays in registers.
typedef struct tally {
    uint64_t visited;
    uint64_t expanded;
    uint64_t generated;
} tally_t;

static bool is_of_search(const fringe_t *self, rp_cell_t cell)
{
    return (self->nodes[cell].mark & ~(RP_NODE_SEARCH - 1u)) == self->search;
}

static bool is_in_fringe(const fringe_t *self, rp_cell_t cell)
{
    return is_of_search(self, cell) && (self->nodes[cell].mark & RP_NODE_CLOSED) == 0;
}

static rp_cost_t h_of(const fringe_t *self, rp_cell_t cell)
{
    return rp_bound(&self->metric, rp_point_of(self->grid, cell), self->goal_point);
}

// ---- invariants

/// Each cell that was reached has a closed parent, one edge cheaper.
static bool check_parent(const fringe_t *self, rp_cell_t cell)
{
    const fringe_node_t *node = &self->nodes[cell];
    if ((node->mark & RP_NODE_ROOT) != 0) {
        return node->f == h_of(self, cell);
    }
    const unsigned back = node->mark & RP_NODE_DIRECTION;
    const rp_cell_t parent = rp_grid_step(self->grid, cell, back);
    const rp_cost_t g = node->f - h_of(self, cell);
    const rp_cost_t g_parent = self->nodes[parent].f - h_of(self, parent);
    return is_of_search(self, parent) && !is_in_fringe(self, parent) &&
           g_parent + rp_edge(&self->metric, parent, cell, back) == g;
}

/// A chain of cells, each of which knows the one before it.
/// @param least  no f is smaller
/// @param most   none is greater
/// @return its length, or UINT32_MAX when something is wrong with it
static uint32_t check_chain(const fringe_t *self, rp_cell_t first, rp_cost_t least, rp_cost_t most)
{
    uint32_t length = 0;
    rp_cell_t before = END;
    for (rp_cell_t cell = first; cell != END; cell = self->nodes[cell].next) {
        const fringe_node_t *node = &self->nodes[cell];
        if (!is_in_fringe(self, cell) || node->prev != before || node->f < least ||
            node->f > most || ++length > self->count) {
            return UINT32_MAX;
        }
        before = cell;
    }
    return length;
}

static bool check_fringe(const fringe_t *self)
{
    uint64_t length = check_chain(self, self->nodes[END].next, 0, RP_COST_INF);
    for (uint32_t place = 0; self->waiting.heads != NULL && place <= self->waiting.mask; place++) {
        const rp_cell_t first = self->waiting.heads[place];
        const rp_cost_t f = self->nodes[first].f;
        if (first != END && rp_bucket_ring_place(&self->waiting, f) != place) {
            return false;
        }
        length += check_chain(self, first, f, f);
    }
    return length == self->count;
}

static bool fringe_check(const void *state)
{
    const fringe_t *self = state;
    uint32_t count = 0;
    for (rp_cell_t cell = 1; cell < self->grid->cell_count; cell++) {
        count += is_in_fringe(self, cell);
        if (is_of_search(self, cell) && !check_parent(self, cell)) {
            return false;
        }
    }
    return count == self->count && check_fringe(self);
}

// ---- the fringe

static inline void link_after(fringe_node_t *nodes, rp_cell_t place, rp_cell_t cell)
{
    const rp_cell_t next = nodes[place].next;
    nodes[cell].prev = place;
    nodes[cell].next = next;
    nodes[place].next = cell;
    nodes[next].prev = cell;
}

static inline void unlink_cell(fringe_node_t *nodes, rp_cell_t cell)
{
    const rp_cell_t next = nodes[cell].next;
    const rp_cell_t prev = nodes[cell].prev;
    nodes[prev].next = next;
    nodes[next].prev = prev;
}

/// To the front of the bucket of its f.
static inline void put_aside(fringe_t *self, rp_cell_t cell)
{
    fringe_node_t *nodes = self->nodes;
    const uint32_t place = rp_bucket_ring_place(&self->waiting, nodes[cell].f);
    const rp_cell_t second = rp_bucket_ring_push(&self->waiting, place, cell);
    nodes[cell].prev = END;
    nodes[cell].next = second;
    nodes[second].prev = cell;
}

/// Out of the fringe, wherever it stands.
RP_SEARCH_LOOP void take_out(fringe_t *self, form_t form, rp_cell_t cell)
{
    fringe_node_t *node = &self->nodes[cell];
    if (form != FORM_BUCKETS || node->f <= self->limit || node->prev != END) {
        unlink_cell(self->nodes, cell);
        return;
    }
    const uint32_t place = rp_bucket_ring_place(&self->waiting, node->f);
    self->waiting.heads[place] = node->next;
    self->nodes[node->next].prev = END;
    rp_bucket_ring_note_empty(&self->waiting, place);
}

/// The next limit, and what is to be walked for it. @return its first cell
static rp_cell_t begin_walk(fringe_t *self)
{
    if (self->form == FORM_BUCKETS) {
        self->limit += rp_bucket_ring_seek(&self->waiting, self->limit);
        const uint32_t place = rp_bucket_ring_place(&self->waiting, self->limit);
        self->nodes[END].next = self->waiting.heads[place];
        self->waiting.heads[place] = END;
        rp_bucket_ring_note_empty(&self->waiting, place);
    } else {
        self->limit = self->next_limit;
        self->next_limit = RP_COST_INF;
    }
    return self->nodes[END].next;
}

/// Over the cells beyond the limit. @return the first one within it, or END
static inline rp_cell_t skip(fringe_t *self, rp_cell_t cell, tally_t *tally)
{
    const fringe_node_t *nodes = self->nodes;
    const rp_cost_t limit = self->limit;
    rp_cost_t least = self->next_limit;
    uint64_t skipped = 0;
    while (nodes[cell].f > limit) {
        least = nodes[cell].f < least ? nodes[cell].f : least;
        cell = nodes[cell].next;
        skipped++;
    }
    self->next_limit = least;
    tally->visited += skipped;
    return cell;
}

// ---- search

/// The next search number; clears the nodes when the numbers are used up.
static uint32_t next_search(fringe_t *self)
{
    const uint32_t search = self->search + RP_NODE_SEARCH;
    if (search != 0) {
        return search;
    }
    memset(self->nodes, 0, (size_t)self->grid->cell_count * sizeof *self->nodes);
    return RP_NODE_SEARCH;
}

static void fringe_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    fringe_t *self = state;
    (void)goal_count; // one: there is no capability for more
    self->search = next_search(self);
    self->goal = goals[0].cell;
    self->goal_point = rp_point_of(self->grid, self->goal);
    self->found = false;
    self->cursor = END;
    self->count = 1;
    self->limit = h_of(self, start);
    self->next_limit = self->limit;
    self->nodes[END] = (fringe_node_t){0};
    self->nodes[start] = (fringe_node_t){.f = self->limit, .mark = self->search | RP_NODE_ROOT};
    if (self->form == FORM_BUCKETS) {
        rp_bucket_ring_clear(&self->waiting);
        put_aside(self, start);
    } else {
        link_after(self->nodes, END, start);
    }
}

/// A cell that was expanded leaves the fringe, and what follows it is linked to what came before.
static inline rp_cell_t splice(fringe_t *self, rp_cell_t cell, rp_cell_t first)
{
    fringe_node_t *nodes = self->nodes;
    const rp_cell_t before = nodes[cell].prev;
    nodes[before].next = first;
    nodes[first].prev = before;
    nodes[cell].mark |= RP_NODE_CLOSED;
    self->count--;
    return first;
}

/// A cell is reached more cheaply: into the fringe, or to another place in it.
/// @param first  what follows the cell that is being expanded; nobody points back to it yet
/// @return what follows it now
RP_SEARCH_LOOP rp_cell_t insert(fringe_t *self, form_t form, rp_cell_t cell, rp_cost_t f,
                                uint32_t mark, rp_cell_t first)
{
    fringe_node_t *nodes = self->nodes;
    fringe_node_t *node = &nodes[cell];
    if ((node->mark & ~(RP_NODE_SEARCH - 1u)) != self->search) {
        self->count++;
    } else if (cell == first) {
        first = node->next;
    } else {
        assert((node->mark & RP_NODE_CLOSED) == 0);
        take_out(self, form, cell);
    }
    node->f = f;
    node->mark = mark;
    if (form == FORM_BUCKETS && f > self->limit) {
        put_aside(self, cell);
        return first;
    }
    node->next = first;
    nodes[first].prev = cell;
    return cell;
}

/// The successors that a cell reaches more cheaply take its place. The paper goes through them from
/// right to left, here that is by rising direction: the last one will be looked at first.
/// @return the cell to look at next
RP_SEARCH_LOOP rp_cell_t expand(fringe_t *self, form_t form, rp_cell_t cell, tally_t *tally)
{
    const uint32_t search = self->search;
    fringe_node_t *nodes = self->nodes;
    const rp_point_t point = rp_point_of(self->grid, cell);
    const rp_cost_t g = nodes[cell].f - rp_bound(&self->metric, point, self->goal_point);
    rp_cell_t first = nodes[cell].next;
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        const fringe_node_t *node = &nodes[next];
        const rp_cost_t f =
            g + rp_edge(&self->metric, cell, next, direction) +
            rp_bound(&self->metric, rp_point_step(point, direction), self->goal_point);
        if ((node->mark & ~(RP_NODE_SEARCH - 1u)) == search && node->f <= f) {
            continue;
        }
        first = insert(self, form, next, f, search | rp_direction_back(direction), first);
        tally->generated++;
    }
    return splice(self, cell, first);
}

/// The same on plain ground, where no g is needed. Of the four neighbours one is new as a rule, and
/// no processor can guess which: all that rules one out is asked at once.
static inline rp_cell_t expand_plain(fringe_t *self, rp_cell_t cell, tally_t *tally)
{
    const uint32_t search = self->search;
    fringe_node_t *nodes = self->nodes;
    const rp_point_t point = rp_point_of(self->grid, cell);
    const rp_point_t goal = self->goal_point;
    const unsigned moves = self->grid->moves[cell];
    // Bit d: a step in direction d leads away from the goal.
    const unsigned away = (unsigned)(point.x >= goal.x) | (unsigned)(point.y >= goal.y) << 2 |
                          (unsigned)(point.x <= goal.x) << 4 | (unsigned)(point.y <= goal.y) << 6;
    const rp_cost_t f_here = nodes[cell].f;
    rp_cell_t first = nodes[cell].next;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += 2) {
        const rp_cell_t next = cell + (rp_cell_t)self->grid->offset[direction];
        const rp_cost_t f = f_here + 2u * ((away >> direction) & 1u);
        const bool is_known = (nodes[next].mark & ~(RP_NODE_SEARCH - 1u)) == search;
        const bool is_better = !is_known | (nodes[next].f > f);
        if ((is_better & (moves >> direction)) != 0) {
            const uint32_t mark = search | rp_direction_back(direction);
            first = insert(self, FORM_PLAIN_LIST, next, f, mark, first);
            tally->generated++;
        }
    }
    return splice(self, cell, first);
}

/// Take what was counted since the last time into the statistics.
static void settle(tally_t *tally, rp_search_stats_t *stats)
{
    stats->visited += tally->visited;
    stats->visited_last += tally->visited;
    stats->expanded += tally->expanded;
    stats->expanded_last += tally->expanded;
    stats->generated += tally->generated;
    *tally = (tally_t){0};
}

RP_SEARCH_LOOP rp_status_t search_as(fringe_t *self, form_t form, uint64_t *budget,
                                     rp_search_stats_t *stats)
{
    tally_t tally = {0};
    rp_status_t status = RP_OK;
    rp_cell_t cell = self->cursor;
    while (self->count != 0) {
        cell = form == FORM_BUCKETS ? cell : skip(self, cell, &tally);
        if (cell == END) {
            settle(&tally, stats);
            // The cell that asked for a limit may have been reached within the one before: then
            // nothing is expanded, and A* knows no such f.
            stats->iterations += stats->iterations == 0 || stats->expanded_last != 0;
            stats->visited_last = 0;
            stats->expanded_last = 0;
            cell = begin_walk(self);
            continue;
        }
        if (*budget == 0) {
            status = RP_MORE;
            break;
        }
        --*budget;
        tally.visited++;
        tally.expanded++;
        RP_TRACE(cell, EXPANDED);
        rp_prefault_note(&self->prefault, cell, budget);
        if (cell == self->goal) {
            self->found = true;
            break;
        }
        cell = form == FORM_PLAIN_LIST ? expand_plain(self, cell, &tally)
                                       : expand(self, form, cell, &tally);
    }
    settle(&tally, stats);
    self->cursor = cell;
    return status;
}

static rp_status_t fringe_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    fringe_t *self = state;
    switch (self->form) {
    case FORM_PLAIN_LIST:
        return search_as(self, FORM_PLAIN_LIST, budget, stats);
    case FORM_BUCKETS:
        return search_as(self, FORM_BUCKETS, budget, stats);
    default:
        return search_as(self, FORM_LIST, budget, stats);
    }
}

// ---- changes

static bool fringe_update(void *state, const rp_update_t *update)
{
    (void)state;
    (void)update;
    return false; // no native capability: every event starts over
}

// ---- path

static uint32_t fringe_path(const void *state, rp_cell_t *cells, rp_path_stands_t *stands)
{
    const fringe_t *self = state;
    (void)stands; // all of it is written
    if (!self->found) {
        return 0;
    }
    uint32_t count = 0;
    rp_cell_t cell = self->goal;
    for (;;) {
        const uint32_t mark = self->nodes[cell].mark;
        cells[count++] = cell;
        if ((mark & RP_NODE_ROOT) != 0) {
            break;
        }
        cell = rp_grid_step(self->grid, cell, mark & RP_NODE_DIRECTION);
    }
    rp_extract_reverse(cells, count);
    return count;
}

// ---- birth and death

static form_t form_for(const rp_grid_t *grid, const rp_metric_t *metric, rp_open_t open)
{
    // Every f differs from every other by a multiple of what both lengths are multiples of.
    rp_cost_t unit = metric->length[0];
    rp_cost_t rest = grid->shape.neighbors == 8 ? metric->length[1] : 0;
    while (rest != 0) {
        const rp_cost_t next = unit % rest;
        unit = rest;
        rest = next;
    }
    if (open == RP_OPEN_BUCKETS || 2u * metric->dearest / unit > COARSE_STEPS) {
        return FORM_BUCKETS;
    }
    const bool is_plain = grid->shape.neighbors == 4 && !grid->weighted && !grid->shape.wraps;
    return is_plain ? FORM_PLAIN_LIST : FORM_LIST;
}

static void fringe_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                        rp_arena_t *arena)
{
    fringe_t *self = state;
    self->grid = grid;
    self->metric = rp_metric_of(grid);
    self->form = form_for(grid, &self->metric, options->open);
    self->nodes = rp_arena_new_by_cell(arena, &self->prefault, grid->cell_count,
                                       sizeof *self->nodes, grid->stride);
    if (self->form == FORM_BUCKETS) {
        rp_bucket_ring_init(&self->waiting, 2u * self->metric.dearest + 2u, arena);
    }
}

const rp_planner_ops_t RP_MEMBER(fringe) = {
    .info =
        {
            .id = "fringe",
            .paper = "Bjornsson, Enzenberger, Holte, Schaeffer 2005",
            .guarantee = "optimal",
            .capabilities = RP_CAN_EVERY_GRID | RP_CAN_OPEN_BUCKETS,
            .bytes_per_cell = sizeof(fringe_node_t),
        },
    .state_bytes = sizeof(fringe_t),
    .bind = fringe_bind,
    .begin = fringe_begin,
    .update = fringe_update,
    .search = fringe_search,
    .path = fringe_path,
    .check = fringe_check,
};
