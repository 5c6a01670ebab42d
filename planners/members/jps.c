/// Jump point search by bit scans: from scratch each time, faster than most repairs.
///
/// Papers: Harabor and Grastien, "Improving Jump Point Search" 2014, block-based scans and eager
/// diagonals; what leads nowhere is known by bits of our own (jump/jump_map.h). Guarantee:
/// optimal. Cost of a change: the words round it, then a new search. Bytes a
/// cell: 16 where a jump ends, 11 bits everywhere, 16 once it has idled, and 16 for each cell in
/// OPEN at its largest. Choose it on 8 neighbours and uniform ground, above all on maps made by
/// people; in clutter `bpa` is faster.
///
/// Between searches it keeps the map of jumps, which every event leaves correct. So it never starts
/// over in the sense of the contract, though it searches anew each time, from the goal.
///
/// In idle time it makes landmarks (jump/landmarks.h), whose bounds spare most of a search:
/// static-8 takes two thirds of the time in geometric mean then.
#include "planners/core/planner_ops.h"

#include <string.h>

#include "base/budget.h"
#include "planners/grid/free_bits.h"
#include "planners/jump/jump_path.h"
#include "planners/jump/landmarks.h"
#include "planners/jump/regions.h"

/// With more changes than one in so many cells, whole tiles are read from the grid.
#define TILES_FROM 64u

/// A search that expanded one in so many cells of the map looks whether its ends are connected at
/// all: that costs about as much. So much of the budget takes a row of them.
#define DOUBT_FROM 128u
#define ROW_BUDGET 4u

/// Each doubt that was needless doubles what a search may expand before the next, so many times at
/// most, until some search finds no path.
#define NEEDLESS_MOST 3u

/// Times that an end must have moved before landmarks are made: who asks once has no use for them.
#define LANDMARKS_FROM 3u

/// Places of the ground that are read in the time of an expansion, and words of the map that are
/// settled: most of that is memory that is met for the first time.
#define READ_EACH       256u
#define SETTLED_EACH    8u
#define SETTLED_AT_ONCE 4096u

// ---- state

typedef struct jps {
    rp_jump_t jump;
    rp_regions_t regions;     ///< of the ground as it is now, or not found yet
    rp_landmarks_t landmarks; ///< made in idle time
    const rp_grid_t *grid;    ///< borrowed
    uint64_t patience;        ///< expansions before the search doubts that there is a path
    unsigned needless;        ///< doubts lately although there was one, NEEDLESS_MOST at most
    uint32_t tile_rows;       ///< of the map, read from the grid so far
    rp_cell_t start;
    rp_cell_t goal;
    uint32_t trips; ///< times that an end moved since landmarks were lost
    bool is_ready;  ///< the map is the grid's, and a search has begun
    bool is_apart;  ///< the ends lie in different regions: there is no path
} jps_t;

static uint32_t place_of(const rp_grid_t *grid, rp_cell_t cell)
{
    const uint32_t row = rp_grid_row(grid, cell);
    return rp_jump_place(cell - row * grid->stride, row);
}

// ---- invariants

/// Each cell that this search met costs what the way from its parent does.
static bool check_nodes(const rp_jump_t *jump)
{
    for (uint32_t number = 1; number < jump->node_count; number++) {
        const rp_jump_node_t *node = &jump->nodes[number];
        const rp_jump_node_t *parent = &jump->nodes[node->parent];
        if (node->parent >= jump->node_count || parent->expanded == 0 ||
            parent->g + rp_jump_distance(parent->place, node->place) != node->g) {
            return false;
        }
    }
    return true;
}

/// The map is the grid's, and what the search knows of cells holds.
static bool jps_check(const void *state)
{
    const jps_t *self = state;
    const rp_grid_t *grid = self->grid;
    if (!self->is_ready) {
        return true;
    }
    for (uint32_t y = 0; y < grid->shape.height; y++) {
        for (uint32_t x = 0; x < grid->shape.width; x++) {
            const rp_cell_t cell = rp_grid_cell(grid, x, y);
            if (rp_jump_map_is_free(&self->jump.map, x + 1u, y + 1u) != (grid->factor[cell] != 0)) {
                return false;
            }
        }
    }
    return rp_jump_map_check(&self->jump.map) && rp_landmarks_check(&self->landmarks) &&
           check_nodes(&self->jump);
}

// ---- ground

/// Compiled once for each width, with its own `bits` inside.
#define TILE_LOOP static inline __attribute__((always_inline))

TILE_LOOP void read_tile(rp_jump_map_t *map, const rp_grid_t *grid, uint32_t tile_column,
                         uint32_t tile_row, uint64_t (*bits)(const uint8_t factors[64]))
{
    const uint32_t first = tile_column * 64u;
    const uint32_t columns = grid->stride - first < 64u ? grid->stride - first : 64u;
    uint64_t rows[64] = {0};
    uint8_t factors[64] = {0};
    for (uint32_t i = 0; i < 64u && tile_row * 64u + i <= grid->shape.height; i++) {
        const uint8_t *from = grid->factor + (size_t)(tile_row * 64u + i) * grid->stride + first;
        if (columns < 64u) {
            memcpy(factors, from, columns);
        }
        rows[i] = bits(columns < 64u ? factors : from);
    }
    (void)rp_jump_map_set_tile(map, tile_column, tile_row, ~(uint64_t)0, rows);
}

TILE_LOOP void read_tiles(rp_jump_map_t *map, const rp_grid_t *grid, uint32_t tile_row,
                          uint64_t (*bits)(const uint8_t factors[64]))
{
    for (uint32_t tile = 0; tile < rp_jump_map_tile_columns(map); tile++) {
        read_tile(map, grid, tile, tile_row, bits);
    }
}

RP_FOR_AVX2 static void read_tiles_fast(rp_jump_map_t *map, const rp_grid_t *grid,
                                        uint32_t tile_row)
{
    read_tiles(map, grid, tile_row, rp_free_bits_avx2);
}

/// Read 64 rows of a grid, which has the map's size.
/// @param tile_row  of tiles of 64 x 64 places, the rim included
static void read_tile_row(rp_jump_map_t *map, const rp_grid_t *grid, uint32_t tile_row)
{
    if (map->simd >= RP_SIMD_AVX2) {
        read_tiles_fast(map, grid, tile_row);
        return;
    }
    read_tiles(map, grid, tile_row, rp_free_bits);
}

/// Read what is left of the grid, and settle the map. @return false when the budget was spent first
static bool read_ground(jps_t *self, uint64_t *budget)
{
    rp_jump_map_t *map = &self->jump.map;
    for (; self->tile_rows < rp_jump_map_tile_rows(map); self->tile_rows++) {
        if (*budget == 0) {
            return false;
        }
        read_tile_row(map, self->grid, self->tile_rows);
        rp_budget_pay(budget, (uint64_t)self->grid->stride * 64u / READ_EACH + 1u);
    }
    while (!rp_jump_map_settle_some(map, SETTLED_AT_ONCE)) {
        rp_budget_pay(budget, SETTLED_AT_ONCE / SETTLED_EACH);
        if (*budget == 0) {
            return false;
        }
    }
    return true;
}

// ---- search

/// Once the regions are known, whether the ends are connected is.
static void compare_regions(jps_t *self)
{
    const rp_jump_t *jump = &self->jump;
    self->is_apart =
        rp_regions_at(&self->regions, &jump->map, jump->root_column, jump->root_row) !=
        rp_regions_at(&self->regions, &jump->map, jump->target_column, jump->target_row);
}

/// Find the regions, as far as the budget goes. @return false when it was used up
static bool find_regions(jps_t *self, uint64_t *budget)
{
    while (!rp_regions_find(&self->regions, &self->jump.map, 1)) {
        if (*budget <= ROW_BUDGET) {
            *budget = 0;
            return false;
        }
        *budget -= ROW_BUDGET;
    }
    compare_regions(self);
    self->needless += !self->is_apart && self->needless < NEEDLESS_MOST;
    return true;
}

/// Search until it is doubtful that there is a path; then make sure, and go on if there is.
static rp_status_t search(jps_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    while (!self->regions.is_found) {
        const uint64_t before = stats->expanded;
        const uint64_t most = self->patience < *budget ? self->patience : *budget;
        uint64_t left = most;
        const rp_status_t status = rp_jump_search(&self->jump, &left, stats);
        self->patience -= stats->expanded - before;
        *budget -= most - left;
        if (status == RP_OK || *budget == 0) {
            return status;
        }
        if (self->patience == 0 && !find_regions(self, budget)) {
            return RP_MORE;
        }
    }
    return self->is_apart ? RP_OK : rp_jump_search(&self->jump, budget, stats);
}

static void begin_search(jps_t *self)
{
    self->jump.bounds = rp_landmarks_bounds_to(&self->landmarks, self->start);
    rp_jump_begin(&self->jump, place_of(self->grid, self->goal), place_of(self->grid, self->start));
    self->patience = (self->grid->cell_count / DOUBT_FROM + 1u) << self->needless;
    self->is_apart = false;
    self->is_ready = true;
    if (self->regions.is_found) {
        compare_regions(self);
    }
}

/// @return false when the budget was spent first
static bool make_ready(jps_t *self, uint64_t *budget)
{
    if (read_ground(self, budget) && *budget != 0) {
        begin_search(self);
    }
    return self->is_ready;
}

static rp_status_t jps_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    jps_t *self = state;
    if (!self->is_ready && !make_ready(self, budget)) {
        return RP_MORE;
    }
    const rp_status_t status = search(self, budget, stats);
    if (status == RP_OK) {
        self->needless = self->jump.is_found ? self->needless : 0u;
    }
    return status;
}

// ---- changes

/// All of the grid is to be read again.
static void forget_ground(jps_t *self)
{
    rp_regions_drop(&self->regions);
    self->tile_rows = 0;
    self->is_ready = false;
}

/// What was read already is written; the rest will be read as it is.
static void write_ground(jps_t *self, const rp_change_t *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t place = place_of(self->grid, changes[i].cell);
        const uint32_t column = rp_jump_column(place);
        const uint32_t row = rp_jump_row(place);
        const bool is_free = changes[i].after != 0;
        rp_regions_note(&self->regions, row);
        if (row / 64u < self->tile_rows) {
            rp_jump_map_set(&self->jump.map, column, row, is_free);
        }
    }
    if (self->is_ready) {
        rp_jump_map_settle(&self->jump.map);
    }
}

static void take_changes(jps_t *self, const rp_update_t *update)
{
    const size_t count = update->change_count;
    if (count == 0) {
        return;
    }
    if (!rp_landmarks_update(&self->landmarks, update->changes, count)) {
        self->trips = 0;
    }
    if (count > self->grid->cell_count / TILES_FROM) {
        forget_ground(self);
    } else {
        write_ground(self, update->changes, count);
    }
}

static void jps_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    jps_t *self = state;
    (void)goal_count; // one, without an offset
    forget_ground(self);
    rp_landmarks_drop(&self->landmarks);
    self->needless = 0;
    self->trips = 0;
    self->start = start;
    self->goal = goals[0].cell;
}

static bool jps_update(void *state, const rp_update_t *update)
{
    jps_t *self = state;
    take_changes(self, update);
    self->trips += update->goals_changed || update->start_moved;
    self->start = update->start;
    self->goal = update->goals[0].cell;
    if (self->is_ready) {
        begin_search(self);
    }
    return true;
}

// ---- idle time

static rp_status_t jps_idle(void *state, uint64_t *budget)
{
    jps_t *self = state;
    if (self->trips < LANDMARKS_FROM || rp_landmarks_make(&self->landmarks, self->start, budget)) {
        return RP_OK;
    }
    return RP_MORE;
}

// ---- path

static uint32_t jps_path(const void *state, rp_cell_t *cells, rp_path_stands_t *stands)
{
    const jps_t *self = state;
    (void)stands; // all is written
    return self->jump.is_found ? rp_jump_path(&self->jump, cells) : 0u;
}

// ---- birth and death

static void jps_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                     rp_arena_t *arena)
{
    jps_t *self = state;
    (void)options;
    self->grid = grid;
    rp_jump_init(&self->jump, grid->shape.width, grid->shape.height, grid->stride, arena);
    rp_regions_init(&self->regions, &self->jump.map, arena);
    rp_landmarks_init(&self->landmarks, grid, arena);
}

const rp_planner_ops_t RP_MEMBER(jps) = {
    .info =
        {
            .id = "jps",
            .paper = "Harabor, Grastien 2011, 2014",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_GOAL |
                            RP_NATIVE_NO_PATH | RP_CAN_8 | RP_CAN_IDLE,
            .bytes_per_cell = sizeof(rp_landmark_distances_t) + sizeof(uint32_t) + 2u,
        },
    .state_bytes = sizeof(jps_t),
    .bind = jps_bind,
    .begin = jps_begin,
    .update = jps_update,
    .search = jps_search,
    .idle = jps_idle,
    .path = jps_path,
    .check = jps_check,
};
