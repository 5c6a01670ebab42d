/// @file
/// Escape: how an agent leaves a blocked cell. It follows a way, cell by cell, over ground that
/// the layer blocks only because an obstacle is near, and never through an obstacle.
///
/// An obstacle is a cell whose own byte blocks and is not inscribed. Escape ground is what the
/// layer blocks and is no obstacle. A way leads from the agent's cell over escape ground to its
/// first free cell, its end, by the moves of the world; a diagonal needs two cells beside it that
/// are no obstacles. An agent in an obstacle steps only to the side of it that is nearest to the
/// agent.
///
///     # obstacle   : escape ground   . free        # # # # #
///     A agent      1 2 the way       2 its end     . : A 1 2 .
///
/// Ends are tried in the order of their distance along ways, so a search looks no farther than the
/// nearest end that will do: some tens of cells as a rule. By default a way is at most
/// RP_ESCAPE_CELLS long; no more than 17,000 cells lie within that.
#ifndef REPLAN_ENGINE_PATHS_ESCAPE_H
#define REPLAN_ENGINE_PATHS_ESCAPE_H

#include "engine/layers/layer.h"

/// Length of the longest way, in cells, when nothing else is asked for.
#define RP_ESCAPE_CELLS 64.0

/// Steps from one cell to another.
typedef struct rp_way {
    uint8_t *steps; ///< directions, owned [count]
    uint32_t count; ///< 0: there is no way
    uint32_t first; ///< steps before this one lie behind the agent
    rp_cell_t at;   ///< where the rest begins
} rp_way_t;

void rp_way_fini(rp_way_t *self);

/// Steps that are left.
static inline uint32_t rp_way_left(const rp_way_t *self)
{
    return self->count - self->first;
}

/// Length of what is left, in cells. Time: O(steps)
double rp_way_length(const rp_way_t *self);

/// So many of the steps that are left lie behind the agent now.
void rp_way_pass(rp_way_t *self, const rp_grid_t *grid, uint32_t steps);

/// True when what is left stays inside of a grid.
bool rp_way_is_inside(const rp_way_t *self, const rp_grid_t *grid);

/// A cell that was reached.
typedef struct rp_escape_entry {
    rp_cell_t cell;
    uint32_t parent; ///< number of the entry before; of the first its own
    uint32_t straights;
    uint32_t diagonals;
} rp_escape_entry_t;

/// All zero: there is none.
typedef struct rp_escape {
    rp_escape_entry_t *entries; ///< owned [count]
    uint32_t *heap;             ///< numbers of those to look at, nearest first, owned [waiting]
    rp_cell_t *closed;          ///< a table by cell; 0: free, owned [table_size]
    uint32_t count;
    uint32_t capacity; ///< of entries and heap
    uint32_t waiting;
    uint32_t closed_count;
    uint32_t table_size; ///< a power of two
    rp_pose_t from;
    double most; ///< cells

    uint32_t *ends; ///< entries of the nearest ends, by cell number, owned [end_count]
    uint32_t end_count;
    size_t end_capacity;
    bool reaches;   ///< a goal can be reached from these ends; else from none
    bool is_done;   ///< `ends` are all there
    bool is_chosen; ///< so is the one among them
    uint32_t at;    ///< which of the ends is looked at, or chosen
    uint32_t best;  ///< the one with the cheapest path so far
    double least;   ///< cost of that path
} rp_escape_t;

void rp_escape_fini(rp_escape_t *self);

/// End one that lies in memory of its own, from calloc(), and free that. Accepts none.
void rp_escape_destroy(rp_escape_t **self);

/// Bytes that it holds.
uint64_t rp_escape_bytes(const rp_escape_t *self);

/// Which ends will do.
typedef struct rp_escape_query {
    /// Whether a goal can be reached from a free cell; NULL: from none
    bool (*reaches)(const void *user, rp_cell_t cell);
    const void *user;
} rp_escape_query_t;

/// Directions of the first step that a way may take from here.
/// @param pose  inside, on a blocked cell
/// @return bit d set: in direction d
uint8_t rp_escape_first_steps(const rp_layer_t *layer, const rp_pose_t *pose);

/// Set out. What was found before is gone, its memory stays.
/// @param pose  inside, on a blocked cell
/// @param most  length of the longest way, in cells
/// @return RP_E_MEMORY
rp_status_t rp_escape_begin(rp_escape_t *self, const rp_pose_t *pose, double most);

/// Go on, until the nearest ends from which a goal can be reached are known, or there is none: then
/// the nearest of all. The layer must stay as it is from the beginning to the end.
/// @param budget  cells, counted down; one is always looked at
/// @return RP_OK when they are known: end_count and `reaches`; RP_MORE, RP_E_MEMORY
rp_status_t rp_escape_go(rp_escape_t *self, const rp_layer_t *layer,
                         const rp_escape_query_t *goal_spec, uint64_t *budget);

/// The end that is looked at, or was chosen. There must be one.
static inline rp_cell_t rp_escape_end(const rp_escape_t *self)
{
    return self->entries[self->ends[self->at]].cell;
}

/// The end that is looked at leads to a goal at this cost: of several the cheapest is chosen, then
/// the one with the lowest number.
/// @return true when it is chosen; false: look at rp_escape_end() next
bool rp_escape_weigh(rp_escape_t *self, double cost);

/// The way to one of the ends.
/// @param way  written on RP_OK: owned by the caller
/// @return RP_E_MEMORY; RP_E_INVALID when the cell is none of the ends
rp_status_t rp_escape_way(const rp_escape_t *self, const rp_layer_t *layer, rp_cell_t end,
                          rp_way_t *way);

/// Walk a way from outside; see rp_engine_walk_way().
/// @param pose  where it begins, inside
/// @param end   inside
size_t rp_way_walk(const rp_layer_t *layer, const rp_pose_t *pose, const uint8_t *steps,
                   size_t count, rp_cell_t end, uint32_t *offenders, size_t capacity);

/// True when a way is legal now, and leads to one of the ends as shortly as any.
/// @param way  begins where the agent is
bool rp_escape_keeps(const rp_escape_t *self, const rp_layer_t *layer, const rp_way_t *way);

#endif
