/// Our entry to the Grid-Based Path Planning Competition, dynamic track: jump point search on the
/// bits as they come, and regions for the queries that have no path.
#include "gppc/gppc.h"

#include <stdlib.h>

// The greatest maps of the track have more cells than 32-bit costs are safe for.
#define RP_COST_BITS 64
#include "base/array.h"
#include "base/memory.h"
#include "planners/jump/jump.h"
#include "planners/jump/regions.h"

/// A search that expanded one in so many cells of the map finds out whether its ends are connected
/// at all, which takes about as long; until the next change that is known for every query.
#define DOUBT_FROM 256u

typedef struct entry {
    rp_jump_t jump;
    rp_regions_t regions;
    rp_arena_t arena;          ///< the arrays of both
    struct gppc_patch map;     ///< the caller's, always true
    uint64_t *touched;         ///< by tile: rows that must be read anew, a bit each
    struct gppc_point *points; ///< the last path [point_capacity]
    size_t point_capacity;
} entry_t;

// ---- the caller's bits

/// 64 bits from bit `at` on; those from `end` on are 0.
static uint64_t read_bits(const uint8_t *bytes, uint64_t at, uint64_t end)
{
    uint64_t bits = 0;
    if (at + 72u <= end) {
        const uint8_t *from = bytes + at / 8u;
        for (unsigned i = 0; i < 8u; i++) {
            bits |= (uint64_t)from[i] << (8u * i);
        }
        return (at & 7u) == 0 ? bits : bits >> (at & 7u) | (uint64_t)from[8] << (64u - (at & 7u));
    }
    for (unsigned i = 0; i < 64u && at + i < end; i++) {
        bits |= (uint64_t)((bytes[(at + i) / 8u] >> ((at + i) & 7u)) & 1u) << i;
    }
    return bits;
}

/// Places count from 1, cells from 0: column 0 of the first tile is the rim. What is read beyond
/// the end of a row lies outside the map, and is passed over.
/// @param touched  rows that are read
static void read_tile(entry_t *self, uint32_t tile_column, uint32_t tile_row, uint64_t touched)
{
    const uint64_t width = self->map.width;
    const uint64_t end = width * self->map.height;
    uint64_t rows[64] = {0};
    for (uint64_t left = touched; left != 0; left &= left - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctzll(left);
        const uint32_t row = tile_row * 64u + i;
        const uint64_t line = (row - 1u) * width;
        rows[i] = tile_column == 0
                      ? read_bits(self->map.bitarray, line, end) << 1
                      : read_bits(self->map.bitarray, line + tile_column * 64u - 1u, end);
    }
    uint64_t changed = rp_jump_map_set_tile(&self->jump.map, tile_column, tile_row, touched, rows);
    for (; changed != 0; changed &= changed - 1u) {
        rp_regions_note(&self->regions, tile_row * 64u + (uint32_t)__builtin_ctzll(changed));
    }
}

/// Read the tiles that were touched, and bring everything up to date.
static void take_in(entry_t *self)
{
    const uint32_t across = rp_jump_map_tile_columns(&self->jump.map);
    const uint32_t down = rp_jump_map_tile_rows(&self->jump.map);
    for (uint32_t row = 0; row < down; row++) {
        for (uint32_t column = 0; column < across; column++) {
            uint64_t *touched = &self->touched[row * across + column];
            if (*touched != 0) {
                read_tile(self, column, row, *touched);
                *touched = 0;
            }
        }
    }
    rp_jump_map_settle(&self->jump.map);
}

/// A rectangle of cells was rewritten; what lies outside the map is passed over.
static void touch(entry_t *self, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    const uint32_t end_x = x + width < self->map.width ? x + width : self->map.width;
    const uint32_t end_y = y + height < self->map.height ? y + height : self->map.height;
    const uint32_t across = rp_jump_map_tile_columns(&self->jump.map);
    if (x >= end_x || y >= end_y) {
        return;
    }
    for (uint32_t row = (y + 1u) / 64u; row <= end_y / 64u; row++) {
        const uint32_t first = y + 1u > row * 64u ? y + 1u - row * 64u : 0u;
        const uint32_t last = end_y - row * 64u < 63u ? end_y - row * 64u : 63u;
        const uint64_t rows = ~(uint64_t)0 << first & ~(uint64_t)0 >> (63u - last);
        for (uint32_t column = (x + 1u) / 64u; column <= end_x / 64u; column++) {
            self->touched[row * across + column] |= rows;
        }
    }
}

void gppc_map_change(void *data, const struct gppc_patch *changes, uint32_t count)
{
    entry_t *self = data;
    if (self == NULL) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        touch(self, changes[i].pos.x, changes[i].pos.y, changes[i].width, changes[i].height);
    }
    take_in(self);
}

// ---- queries

static bool is_free(const entry_t *self, struct gppc_point point)
{
    return point.x < self->map.width && point.y < self->map.height &&
           rp_jump_map_is_free(&self->jump.map, point.x + 1u, point.y + 1u);
}

static uint32_t region_of(const entry_t *self, struct gppc_point point)
{
    return rp_regions_at(&self->regions, &self->jump.map, point.x + 1u, point.y + 1u);
}

/// True when the regions are known, and the ends lie in different ones.
static bool are_apart(const entry_t *self, struct gppc_point start, struct gppc_point goal)
{
    return self->regions.is_found && region_of(self, start) != region_of(self, goal);
}

/// Search; when it is doubtful that there is a path, find the regions before going on.
static void search(entry_t *self, struct gppc_point start, struct gppc_point goal)
{
    const uint64_t doubt = (uint64_t)self->map.width * self->map.height / DOUBT_FROM + 1u;
    uint64_t budget = self->regions.is_found ? UINT64_MAX : doubt;
    rp_search_stats_t stats = {0};
    rp_jump_begin(&self->jump, rp_jump_place(goal.x + 1u, goal.y + 1u),
                  rp_jump_place(start.x + 1u, start.y + 1u));
    if (rp_jump_search(&self->jump, &budget, &stats) == RP_OK) {
        return;
    }
    (void)rp_regions_find(&self->regions, &self->jump.map, UINT32_MAX);
    if (!are_apart(self, start, goal)) {
        budget = UINT64_MAX;
        (void)rp_jump_search(&self->jump, &budget, &stats);
    }
}

/// Where a way from the target to the root stands.
typedef struct way {
    uint32_t place;
    uint32_t node;
} way_t;

/// Go on to the next place that the search knows, unless the way stands at the root: write that
/// one, and before it the corner between a straight jump and a diagonal walk, if there is one.
/// @param places  [2]
/// @return 1 or 2
static uint32_t hop(const rp_jump_t *jump, way_t *way, uint32_t *places)
{
    const uint32_t place = way->place;
    way->node = jump->nodes[way->node].parent;
    way->place = jump->nodes[way->node].place;
    const uint32_t parent = way->place;
    const int32_t dx = (int32_t)rp_jump_column(parent) - (int32_t)rp_jump_column(place);
    const int32_t dy = (int32_t)rp_jump_row(parent) - (int32_t)rp_jump_row(place);
    const int32_t across = dx < 0 ? -dx : dx;
    const int32_t down = dy < 0 ? -dy : dy;
    if (across == down || across == 0 || down == 0) {
        places[0] = parent;
        return 1;
    }
    // From the corner on the way is diagonal: as far as the shorter side is long.
    const int32_t diagonals = across < down ? across : down;
    places[0] = rp_jump_place(rp_jump_column(parent) - (uint32_t)(dx < 0 ? -diagonals : diagonals),
                              rp_jump_row(parent) - (uint32_t)(dy < 0 ? -diagonals : diagonals));
    places[1] = parent;
    return 2;
}

/// Write the turns from the target, which is the start, to the root. @return their number, 0
/// without memory
static uint32_t write_turns(entry_t *self)
{
    way_t way = {.place = self->jump.target, .node = self->jump.found};
    uint32_t places[2] = {way.place};
    uint32_t count = 0;
    for (uint32_t fresh = 1; fresh != 0;) {
        if (!rp_array_reserve(&self->points, &self->point_capacity, count + fresh,
                              sizeof *self->points)) {
            return 0;
        }
        for (uint32_t i = 0; i < fresh; i++) {
            self->points[count++] = (struct gppc_point){(uint16_t)(rp_jump_column(places[i]) - 1u),
                                                        (uint16_t)(rp_jump_row(places[i]) - 1u)};
        }
        fresh = way.place == self->jump.root ? 0 : hop(&self->jump, &way, places);
    }
    return count;
}

struct gppc_path gppc_get_path(void *data, struct gppc_point start, struct gppc_point goal)
{
    entry_t *self = data;
    struct gppc_path path = {0};
    if (self == NULL || !is_free(self, start) || !is_free(self, goal) ||
        are_apart(self, start, goal)) {
        return path;
    }
    search(self, start, goal);
    if (self->jump.is_found) {
        path.length = write_turns(self);
        path.path = self->points;
    }
    return path;
}

// ---- birth and death

void gppc_preprocess_init_map(struct gppc_patch init_map, const char *filename)
{
    (void)init_map;
    (void)filename;
}

/// As the grid's: neighbours above each other must not fall into the same set of the cache.
static uint32_t stride_of(uint32_t width)
{
    const uint32_t stride = (width + 2u + 7u) & ~7u;
    return stride % 128u == 0 ? stride + 8u : stride;
}

void *gppc_search_init(struct gppc_patch active_map, const char *filename)
{
    (void)filename;
    if (active_map.width == 0 || active_map.height == 0 || active_map.width > RP_GRID_SIDE_MAX ||
        active_map.height > RP_GRID_SIDE_MAX) {
        return NULL;
    }
    entry_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->map = active_map;
    const uint32_t width = active_map.width;
    const uint32_t height = active_map.height;
    rp_jump_init(&self->jump, width, height, stride_of(width), &self->arena);
    rp_regions_init(&self->regions, &self->jump.map, &self->arena);
    const size_t tiles =
        (size_t)rp_jump_map_tile_columns(&self->jump.map) * rp_jump_map_tile_rows(&self->jump.map);
    self->touched = calloc(tiles, sizeof *self->touched);
    if (self->touched == NULL || self->arena.is_short) {
        gppc_free_data(self);
        return NULL;
    }
    touch(self, 0, 0, width, height);
    take_in(self);
    return self;
}

void gppc_free_data(void *data)
{
    entry_t *self = data;
    if (self == NULL) {
        return;
    }
    rp_arena_free(&self->arena, NULL);
    free(self->touched);
    free(self->points);
    free(self);
}

const char *gppc_get_name(void)
{
    return "replan";
}
