/// Bit-parallel A*: breadth first searches of 64 cells an instruction find the path, or lead to it.
///
/// The idea is ours. With 4 neighbours whole layers of equal f are expanded (bits/bit_bfs.h). With
/// 8 two such searches make the heuristic of an A* from cell to cell (jump/guided.h): right in
/// clutter, where jumps are short; where detours are long, jumps are faster (jps.c). Guarantee:
/// optimal. Cost of a change: one bit, then a new search; with 4 neighbours of all that lies as
/// near to the goal as what changed. Bytes a cell: 1/8, and where a search goes 1/2, with 8
/// neighbours 1, and 16 for each cell that A* meets. Choose it on uniform ground when much changes
/// between two plans: with 4 neighbours above all round the goal (fewer than one cell in a thousand
/// is better repaired), with 8 in clutter.
///
/// It buys: with 4 neighbours P1 is ten times as fast as by the next, on buckets; with 8 a query on
/// ground of which a quarter is blocked takes a third to a half of what it takes by jumps.
///
/// Between searches it keeps the map of bits, which every event leaves correct. So it never starts
/// over in the sense of the contract, though it may search most of the map anew.
///
/// That a goal is walled in by a few cells is found out from these cells alone. Otherwise an
/// expansion is a word of 64 cells of which some were reached, or a visit to a tile of 64 x 64
/// cells, or what takes as long. A visit is not interrupted: what it takes beyond the budget (65 at
/// most) is charged to the next slices. `generated` counts the visits, and cells put into OPEN;
/// `iterations` the layers.
#include "planners/core/planner_ops.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "planners/bits/bit_bfs.h"
#include "planners/bits/bit_bfs_path.h"
#include "planners/grid/batch_summary.h"
#include "planners/grid/metric.h"
#include "planners/jump/guided.h"
#include "planners/jump/jump.h"
#include "planners/jump/jump_path.h"
#include "planners/open/extract.h"
#include "replan/trace.h"

/// So many changes may lie in a box that is read faster than they are taken in one by one. More
/// than so many for each word of the map, and the box is not looked for: all is read.
#define BOX_FROM  64u
#define BOX_UP_TO 2u

// ---- state

typedef struct bpa {
    rp_guided_t guided; ///< its first search alone serves 4 neighbours
    rp_jump_t nodes;    ///< of A* with 8 neighbours, and its OPEN
    const rp_grid_t *grid;
    rp_cell_t start; ///< of the last search
    rp_cell_t goal;
    bool knows_pocket; ///< it was asked whether the goal is walled in
    bool is_walled_in;
    rp_cell_t *path;      ///< that was answered last [path_count]
    uint32_t path_count;  ///< 0: it was that there is none, nothing of an older one stands
    uint32_t path_stands; ///< cells of it that were in the one before
    uint32_t path_search; ///< the search's number when it was laid: still tiles hold for so long
    rp_path_t shown;      ///< when the last update came: another's, maybe
} bpa_t;

// ---- invariants

static bool has_diagonals(const bpa_t *self)
{
    return self->grid->shape.neighbors == 8;
}

/// Each node of A* lies a legal move from its parent, whose detour is no longer.
static bool nodes_hold(const bpa_t *self)
{
    const rp_jump_t *jump = &self->nodes;
    const bool has_nodes = self->guided.stage == RP_GUIDED_AT_CELLS || jump->is_found;
    for (uint32_t number = 1; has_nodes && number < jump->node_count; number++) {
        const rp_jump_node_t *node = &jump->nodes[number];
        const rp_jump_node_t *parent = &jump->nodes[node->parent];
        if (node->parent >= jump->node_count || parent->expanded == 0 || parent->g > node->g ||
            rp_jump_steps(parent->place, node->place) != 1u ||
            self->grid->factor[rp_jump_cell(jump, node->place)] == 0) {
            return false;
        }
    }
    return true;
}

/// The map is the grid's, every cell of it is either open or reached, and nodes are where A* was.
static bool bpa_check(const void *state)
{
    const bpa_t *self = state;
    const rp_grid_t *grid = self->grid;
    for (uint32_t y = 0; y < grid->shape.height; y++) {
        for (uint32_t x = 0; x < grid->shape.width; x++) {
            const bool is_free = grid->factor[rp_grid_cell(grid, x, y)] != 0;
            if (rp_free_map_is_free(&self->guided.bfs.map, x, y) != is_free) {
                return false;
            }
        }
    }
    return rp_bit_bfs_check(&self->guided.bfs) && nodes_hold(self);
}

// ---- search

/// A small component has so many cells or fewer. They lie within POCKET - 1 moves of
/// each other.
#define POCKET 32u
static_assert(2u * POCKET <= 64u, "all that lies so near fits in a word");

/// True when `from` lies in a small component without `to`. For grids that do not wrap.
/// Time: O(cells of the small component).
static bool lies_in_pocket(const rp_grid_t *grid, rp_cell_t from, rp_cell_t to)
{
    static const int32_t ahead[RP_DIRECTIONS] = {1, 65, 64, 63, -1, -65, -64, -63};
    uint64_t met[2u * POCKET] = {0};
    rp_cell_t pocket[POCKET] = {from};
    uint32_t places[POCKET] = {POCKET * 64u + POCKET};
    uint32_t count = 1;
    met[POCKET] = (uint64_t)1 << POCKET;
    for (uint32_t i = 0; i < count; i++) {
        unsigned direction;
        rp_cell_t next;
        if (pocket[i] == to) {
            return false;
        }
        RP_FOR_MOVES (grid, pocket[i], direction, next) {
            const uint32_t place = places[i] + (uint32_t)ahead[direction];
            const uint64_t bit = (uint64_t)1 << (place & 63u);
            if ((met[place >> 6] & bit) != 0) {
                continue;
            }
            if (count == POCKET) {
                return false;
            }
            met[place >> 6] |= bit;
            places[count] = place;
            pocket[count++] = next;
        }
    }
    return true;
}

/// What lies in still tiles has not changed, nor has the way to it.
static void lay_path(bpa_t *self)
{
    const rp_bit_bfs_t *bfs = &self->guided.bfs;
    const bool is_known = bfs->is_again && self->path_search == bfs->search;
    self->path_stands =
        rp_bit_bfs_path(bfs, self->grid->stride, self->path, is_known ? self->path_count : 0);
    self->path_count = rp_bit_bfs_path_count(bfs);
    self->path_search = bfs->search;
}

static rp_status_t bpa_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    bpa_t *self = state;
    rp_bit_bfs_count_t count = {0};
    if (!self->knows_pocket) {
        if (*budget == 0) {
            return RP_MORE;
        }
        --*budget;
        stats->expanded++;
        self->knows_pocket = true;
        // Else what the start can reach would be flooded, which may be most of the world.
        self->is_walled_in = lies_in_pocket(self->grid, self->goal, self->start);
    }
    if (self->is_walled_in) {
        self->path_count = 0;
        self->nodes.is_found = false;
        return RP_OK;
    }
    if (has_diagonals(self)) {
        return rp_guided_search(&self->guided, &self->nodes, budget, stats);
    }
    const rp_status_t status = rp_bit_bfs_search(&self->guided.bfs, budget, &count);
    stats->expanded += count.steps;
    stats->generated += count.visits;
    stats->iterations += count.layers;
    if (status == RP_OK && self->guided.bfs.is_found) {
        lay_path(self);
    } else if (status == RP_OK) {
        self->path_count = 0;
    }
    return status;
}

// ---- changes

static uint32_t place_of(const rp_grid_t *grid, rp_cell_t cell)
{
    return rp_jump_place(rp_grid_x(grid, cell) + 1u, rp_grid_y(grid, cell) + 1u);
}

static void begin_between(bpa_t *self, rp_cell_t start, rp_cell_t goal)
{
    const rp_grid_t *grid = self->grid;
    self->start = start;
    self->goal = goal;
    self->knows_pocket = false;
    if (has_diagonals(self)) {
        rp_guided_begin(&self->guided, &self->nodes, place_of(grid, goal), place_of(grid, start));
    } else {
        rp_bit_bfs_begin(&self->guided.bfs, rp_grid_x(grid, start), rp_grid_y(grid, start),
                         rp_grid_x(grid, goal), rp_grid_y(grid, goal));
    }
}

static void bpa_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    bpa_t *self = state;
    (void)goal_count; // one, without an offset
    self->shown = (rp_path_t){NULL, 0};
    rp_free_map_read(&self->guided.bfs.map, self->grid, self->guided.bfs.simd);
    begin_between(self, start, goals[0].cell);
}

/// Where the changes lie, or the whole world.
static rp_extent_t extent_of(const bpa_t *self, const rp_update_t *update)
{
    const rp_grid_t *grid = self->grid;
    const rp_extent_t world = {
        .left = 1, .right = grid->shape.width, .top = 1, .bottom = grid->shape.height};
    return update->change_count / BOX_UP_TO > rp_free_map_words_of(&world)
               ? world
               : rp_batch_extent(grid, update->changes, update->change_count);
}

/// Bring the map up to date: cell by cell, or all words of a box that has fewer of them.
/// @return how many steps from the start the nearest of these cells lies at least
static uint32_t take_in(bpa_t *self, const rp_update_t *update)
{
    const rp_grid_t *grid = self->grid;
    rp_free_map_t *map = &self->guided.bfs.map;
    const rp_point_t start = rp_point_of(grid, update->start);
    if (update->change_count >= BOX_FROM) {
        const rp_extent_t extent = extent_of(self, update);
        if (rp_free_map_words_of(&extent) <= update->change_count) {
            return rp_free_map_renew(map, grid, &extent, (uint32_t)start.x, (uint32_t)start.y,
                                     self->guided.bfs.simd);
        }
    }
    uint32_t nearest = UINT32_MAX;
    for (size_t i = 0; i < update->change_count; i++) {
        const rp_change_t *change = &update->changes[i];
        const rp_point_t point = rp_point_of(grid, change->cell);
        const uint32_t steps = (uint32_t)(abs(point.x - start.x) + abs(point.y - start.y));
        nearest = steps < nearest ? steps : nearest;
        rp_free_map_set(map, (uint32_t)point.x, (uint32_t)point.y, change->after != 0);
    }
    return nearest;
}

static bool bpa_update(void *state, const rp_update_t *update)
{
    bpa_t *self = state;
    const uint32_t nearest = take_in(self, update);
    self->shown = update->shown;
    if (!has_diagonals(self) && update->start == self->start &&
        update->goals[0].cell == self->goal) {
        self->knows_pocket = false;
        rp_bit_bfs_begin_again(&self->guided.bfs, nearest);
    } else {
        begin_between(self, update->start, update->goals[0].cell);
    }
    return true;
}

// ---- path

static uint32_t bpa_path(const void *state, rp_cell_t *cells, rp_path_stands_t *stands)
{
    const bpa_t *self = state;
    if (has_diagonals(self)) {
        return self->nodes.is_found ? rp_jump_path(&self->nodes, cells) : 0u;
    }
    if (!self->guided.bfs.is_found) {
        return 0;
    }
    stands->head = rp_extract_common_head(self->path, self->path_stands, &self->shown);
    const uint32_t count = self->path_count - stands->head;
    memcpy(cells, self->path + stands->head, count * sizeof *cells);
    return count;
}

// ---- birth and death

static void bpa_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                     rp_arena_t *arena)
{
    bpa_t *self = state;
    (void)options;
    self->grid = grid;
    self->path = rp_arena_new_sparse(arena, grid->cell_count, sizeof *self->path);
    rp_arena_note(arena, &self->path_count, &self->path_count, sizeof *self->path);
    if (has_diagonals(self)) {
        rp_jump_init_nodes(&self->nodes, grid->shape.height, grid->stride, arena);
        rp_guided_init(&self->guided, grid, arena);
    } else {
        rp_bit_bfs_init(&self->guided.bfs, grid->shape.width, grid->shape.height, rp_simd_best(),
                        arena);
    }
    RP_TRACE_ONLY(self->guided.bfs.stride = grid->stride);
}

const rp_planner_ops_t RP_MEMBER(bpa) = {
    .info =
        {
            .id = "bpa",
            .paper = "ours: bit-parallel layers of f",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_GOAL |
                            RP_NATIVE_NO_PATH | RP_CAN_4 | RP_CAN_8,
            .bytes_per_cell = 1,
        },
    .state_bytes = sizeof(bpa_t),
    .bind = bpa_bind,
    .begin = bpa_begin,
    .update = bpa_update,
    .search = bpa_search,
    .path = bpa_path,
    .check = bpa_check,
};
