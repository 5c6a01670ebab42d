/// Layers of equal f, tile by tile: what comes into a tile, what a row makes of it, what goes out.
#include "planners/search/flood.h"

#include <string.h>

#include "planners/search/memory.h"

#define SIDE 64u ///< places of a tile, both ways
#define NEAR 63u ///< the row and the bit that lie nearest to the goal

/// A row more than there are: the loop over rows ends where nothing is open.
struct rp_flood_tile {
    uint64_t open[SIDE + 1u];       ///< by row: free and not reached yet
    uint64_t reached[2][SIDE + 1u]; ///< by row, in layers of even and of odd number
    uint64_t fresh[SIDE + 2u]; ///< by row: reached in the layer before; fresh[SIDE]: seeds sent
                               ///< into the last row from the row beyond the tile
    uint64_t fresh_rows;       ///< bit r: fresh[r] is not 0
    uint64_t into_far_row;     ///< seeds sent into row 0
    uint64_t into_far_bit;     ///< bit r: a seed was sent into bit 0 of row r
    uint64_t into_near_bit;    ///< bit r: the same, into bit 63
    uint32_t search;           ///< in which the rest holds
    uint16_t column;           ///< of tiles
    uint16_t row;
};

/// What a visit sends out, beside `fresh` itself.
typedef struct sent {
    uint64_t far_bits;  ///< bit r: bit 0 of row r was reached
    uint64_t near_bits; ///< bit r: bit 63
} sent_t;

/// Compiled once for each width.
#define TILE_LOOP static inline __attribute__((always_inline))

// ---- where a place is

typedef struct spot {
    uint32_t tile; ///< along the axis
    uint32_t bit;
} spot_t;

static inline spot_t spot_of(const rp_flood_axis_t *axis, uint32_t place)
{
    const bool is_beyond = place > axis->goal;
    const uint32_t distance = is_beyond ? place - axis->goal - 1u : axis->goal - place;
    const uint32_t nearest = (is_beyond ? axis->beyond : axis->count) - 1u;
    return (spot_t){nearest - distance / SIDE, NEAR - distance % SIDE};
}

/// The least place of a tile, which may lie outside the world.
static inline int32_t least_place(const rp_flood_axis_t *axis, uint32_t tile)
{
    if (tile < axis->beyond) {
        return (int32_t)(axis->goal + 1u + (axis->beyond - 1u - tile) * SIDE);
    }
    return (int32_t)axis->goal - (int32_t)((axis->count - 1u - tile) * SIDE + NEAR);
}

static rp_flood_axis_t fold(uint32_t side, uint32_t goal)
{
    const uint32_t beyond = (side - 1u - goal + NEAR) / SIDE;
    return (rp_flood_axis_t){.goal = goal, .beyond = beyond, .count = beyond + goal / SIDE + 1u};
}

// ---- a tile comes in

static inline uint64_t turned(uint64_t word)
{
    word = ((word >> 1) & UINT64_C(0x5555555555555555)) | (word & UINT64_C(0x5555555555555555))
                                                              << 1;
    word = ((word >> 2) & UINT64_C(0x3333333333333333)) | (word & UINT64_C(0x3333333333333333))
                                                              << 2;
    word = ((word >> 4) & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (word & UINT64_C(0x0f0f0f0f0f0f0f0f))
                                                              << 4;
    return __builtin_bswap64(word);
}

/// @param low   the strip of the tile's least column, from its least row on
/// @param high  the strip after it
TILE_LOOP void copy_open(uint64_t *open, const uint64_t *low, const uint64_t *high, unsigned shift,
                         bool turns_rows, bool turns_bits)
{
    for (unsigned row = 0; row < SIDE; row++) {
        const unsigned from = turns_rows ? NEAR - row : row;
        const uint64_t word = low[from] >> shift | high[from] << 1 << (NEAR - shift);
        open[row] = turns_bits ? turned(word) : word;
    }
}

TILE_LOOP void load_tile_with(const rp_flood_t *self, rp_flood_tile_t *tile)
{
    const int32_t x = least_place(&self->across, tile->column);
    const int32_t y = least_place(&self->down, tile->row);
    const uint64_t *low = rp_free_map_word(&self->map, x, y);
    const uint64_t *high = low + self->map.strip_stride;
    const unsigned shift = (unsigned)x & NEAR;
    const bool turns_bits = tile->column < self->across.beyond;
    if (tile->row < self->down.beyond) {
        if (turns_bits) {
            copy_open(tile->open, low, high, shift, true, true);
        } else {
            copy_open(tile->open, low, high, shift, true, false);
        }
    } else if (turns_bits) {
        copy_open(tile->open, low, high, shift, false, true);
    } else {
        copy_open(tile->open, low, high, shift, false, false);
    }
    memset(tile->reached, 0,
           offsetof(rp_flood_tile_t, search) - offsetof(rp_flood_tile_t, reached));
}

#if RP_HAS_X86
RP_FOR_AVX2 static void load_tile_avx2(const rp_flood_t *self, rp_flood_tile_t *tile)
{
    load_tile_with(self, tile);
}

RP_FOR_AVX512 static void load_tile_avx512(const rp_flood_t *self, rp_flood_tile_t *tile)
{
    load_tile_with(self, tile);
}
#endif

static void load_tile_plain(const rp_flood_t *self, rp_flood_tile_t *tile)
{
    load_tile_with(self, tile);
}

/// The loops over whole tiles are left to the compiler, once for each width.
static void load_tile(const rp_flood_t *self, rp_flood_tile_t *tile)
{
    switch (self->simd) {
#if RP_HAS_X86
    case RP_SIMD_AVX512:
        load_tile_avx512(self, tile);
        return;
    case RP_SIMD_AVX2:
        load_tile_avx2(self, tile);
        return;
#endif
    default:
        load_tile_plain(self, tile);
        return;
    }
}

// ---- a tile is visited

/// @return bit r: the bit of fresh[r] at `place`, for these rows
static inline uint64_t column_of(const uint64_t *fresh, uint64_t rows, unsigned place)
{
    uint64_t column = 0;
    for (; rows != 0; rows &= rows - 1u) {
        const unsigned row = (unsigned)__builtin_ctzll(rows);
        column |= ((fresh[row] >> place) & 1u) << row;
    }
    return column;
}

/// Close the tile's part of a layer under steps towards the goal.
/// @param reached     of this layer's parity
/// @param rows        where seeds may be, not empty
/// @param flow        seeds of the first of these rows, from the row before it
/// @param far_seeds   bit r: a seed in bit 0 of row r
/// @param near_seeds  bit r: a seed in bit 63
TILE_LOOP sent_t close_rows(rp_flood_tile_t *tile, uint64_t *reached, uint64_t rows, uint64_t flow,
                            uint64_t far_seeds, uint64_t near_seeds)
{
    uint64_t fresh_rows = 0;
    uint64_t any = 0;
    unsigned row = (unsigned)__builtin_ctzll(rows);
    uint64_t ahead = rows >> row; // bit i: row + i may have seeds
    for (;;) {
        const uint64_t open = tile->open[row];
        const uint64_t away = tile->fresh[row] >> 1 | tile->fresh[row + 1u] |
                              ((far_seeds >> (row & NEAR)) & 1u) |
                              near_seeds >> (row & NEAR) << NEAR;
        const uint64_t seeds = (flow | away) & open;
        // A carry runs from each seed through the open places above it.
        const uint64_t fresh = (open & ~(open + seeds)) | seeds;
        tile->open[row] = open ^ fresh;
        tile->fresh[row] = fresh;
        reached[row] |= fresh;
        fresh_rows |= (uint64_t)(fresh != 0) << (row & NEAR);
        any |= fresh;
        flow = fresh;
        row++;
        ahead >>= 1;
        // One branch for both, as most rows without seeds that reach something have neighbours.
        if ((flow | (ahead & 1u)) != 0) {
            continue;
        }
        if (ahead == 0) {
            break;
        }
        const unsigned skipped = (unsigned)__builtin_ctzll(ahead);
        row += skipped;
        ahead >>= skipped;
    }
    tile->fresh_rows = fresh_rows;
    return (sent_t){
        .far_bits = (any & 1u) != 0 ? column_of(tile->fresh, fresh_rows, 0) : 0,
        .near_bits = any >> NEAR != 0 ? column_of(tile->fresh, fresh_rows, NEAR) : 0,
    };
}

/// All that was sent to the tile is taken in. What came from the row beyond it went with the rows.
TILE_LOOP sent_t visit_tile(rp_flood_tile_t *tile, uint64_t *reached)
{
    const uint64_t far_seeds = tile->into_far_bit;
    const uint64_t near_seeds = tile->into_near_bit;
    const uint64_t flow = tile->into_far_row;
    const uint64_t rows = tile->fresh_rows | tile->fresh_rows >> 1 | far_seeds | near_seeds |
                          (uint64_t)(flow != 0) | (uint64_t)(tile->fresh[SIDE] != 0) << NEAR;
    const sent_t sent = (far_seeds | near_seeds) == 0
                            ? close_rows(tile, reached, rows, flow, 0, 0)
                            : close_rows(tile, reached, rows, flow, far_seeds, near_seeds);
    tile->fresh[SIDE] = 0;
    tile->into_far_row = 0;
    tile->into_far_bit = 0;
    tile->into_near_bit = 0;
    return sent;
}

// ---- what goes out

static rp_flood_tile_t *tile_at(rp_flood_t *self, uint32_t column, uint32_t row)
{
    const uint32_t number = row * self->across.count + column;
    rp_flood_tile_t *tile = &self->tiles[number];
    if (tile->search != self->search) {
        tile->search = self->search;
        tile->column = (uint16_t)column;
        tile->row = (uint16_t)row;
        self->tiles_now++;
        load_tile(self, tile);
    }
    rp_agenda_add(&self->agenda, number);
    return tile;
}

/// Bits that were reached at the sides of the tile: the cells beside them are seeds, in this layer
/// towards the goal, in the next one away from it.
static void send_sideways(rp_flood_t *self, const rp_flood_tile_t *tile, sent_t sent)
{
    const uint32_t beyond = self->across.beyond;
    const uint32_t last = self->across.count - 1u;
    if (sent.near_bits != 0) {
        if (tile->column + 1u == beyond) {
            tile_at(self, last, tile->row)->into_near_bit |= sent.near_bits;
        } else if (tile->column != last) {
            tile_at(self, tile->column + 1u, tile->row)->into_far_bit |= sent.near_bits;
        } else if (beyond != 0) {
            tile_at(self, beyond - 1u, tile->row)->into_near_bit |= sent.near_bits;
        }
    }
    if (sent.far_bits != 0 && tile->column != 0 && tile->column != beyond) {
        tile_at(self, tile->column - 1u, tile->row)->into_near_bit |= sent.far_bits;
    }
}

/// The same for the first and the last row.
static void send_up_and_down(rp_flood_t *self, const rp_flood_tile_t *tile)
{
    const uint32_t beyond = self->down.beyond;
    const uint32_t last = self->down.count - 1u;
    const uint64_t near_row = tile->fresh[NEAR];
    const uint64_t far_row = tile->fresh[0];
    if (near_row != 0) {
        if (tile->row + 1u == beyond) {
            tile_at(self, tile->column, last)->fresh[SIDE] |= near_row;
        } else if (tile->row != last) {
            tile_at(self, tile->column, tile->row + 1u)->into_far_row |= near_row;
        } else if (beyond != 0) {
            tile_at(self, tile->column, beyond - 1u)->fresh[SIDE] |= near_row;
        }
    }
    if (far_row != 0 && tile->row != 0 && tile->row != beyond) {
        tile_at(self, tile->column, tile->row - 1u)->fresh[SIDE] |= far_row;
    }
}

static void send_all(rp_flood_t *self, const rp_flood_tile_t *tile, uint32_t number, sent_t sent)
{
    if (tile->fresh_rows == 0) {
        return;
    }
    rp_agenda_add(&self->agenda, number);
    send_sideways(self, tile, sent);
    send_up_and_down(self, tile);
}

// ---- search

void rp_flood_begin(rp_flood_t *self, uint32_t start_x, uint32_t start_y, uint32_t goal_x,
                    uint32_t goal_y)
{
    rp_agenda_clear(&self->agenda);
    if (++self->search == 0) {
        for (uint32_t number = 0; number < self->tile_capacity; number++) {
            self->tiles[number].search = 0;
        }
        self->search = 1;
    }
    self->across = fold(self->map.width, goal_x);
    self->down = fold(self->map.height, goal_y);
    self->start_x = start_x;
    self->start_y = start_y;
    self->layer = 0;
    self->tiles_met = self->tiles_now > self->tiles_met ? self->tiles_now : self->tiles_met;
    self->tiles_now = 0;
    self->is_found = false;
    const spot_t column = spot_of(&self->across, start_x);
    const spot_t row = spot_of(&self->down, start_y);
    self->cursor = row.tile * self->across.count + column.tile;
    self->has_begun = false;
    self->owed = 0;
    (void)tile_at(self, column.tile, row.tile);
}

/// The goal is the nearest place of the last tile.
static bool is_goal_reached(const rp_flood_t *self)
{
    const rp_flood_tile_t *tile = &self->tiles[self->across.count * self->down.count - 1u];
    return tile->search == self->search && tile->reached[self->layer & 1u][NEAR] >> NEAR != 0;
}

/// The start is the only seed that no neighbour sends.
static sent_t visit_start(const rp_flood_t *self, rp_flood_tile_t *tile)
{
    const uint32_t bit = spot_of(&self->across, self->start_x).bit;
    const uint32_t row = spot_of(&self->down, self->start_y).bit;
    return close_rows(tile, tile->reached[0], (uint64_t)1 << row, (uint64_t)1 << bit, 0, 0);
}

/// A visit is never cut in two: what it takes beyond the budget is owed to the slices after it.
/// @return false when this slice is over
static inline bool pay(rp_flood_t *self, uint64_t *budget, rp_flood_count_t *count)
{
    const uint64_t paid = self->owed < *budget ? self->owed : *budget;
    self->owed -= (uint32_t)paid;
    *budget -= paid;
    count->steps += paid;
    return *budget != 0;
}

TILE_LOOP rp_status_t search_tiles(rp_flood_t *self, uint64_t *budget, rp_flood_count_t *count)
{
    while (pay(self, budget, count)) {
        const uint32_t number = rp_agenda_take(&self->agenda, self->cursor);
        if (number != RP_AGENDA_END) {
            rp_flood_tile_t *tile = &self->tiles[number];
            const sent_t sent = self->has_begun ? visit_tile(tile, tile->reached[self->layer & 1u])
                                                : visit_start(self, tile);
            self->has_begun = true;
            self->cursor = number + 1u;
            self->owed = 1u + (uint32_t)__builtin_popcountll(tile->fresh_rows);
            count->visits++;
            send_all(self, tile, number, sent);
            continue;
        }
        if (self->cursor == 0) {
            return RP_OK; // nothing was reached in this layer: there is no path
        }
        count->layers++;
        self->is_found = is_goal_reached(self);
        if (self->is_found) {
            return RP_OK;
        }
        self->cursor = 0;
        self->layer++;
    }
    return RP_MORE;
}

#if RP_HAS_X86
RP_FOR_AVX2 static rp_status_t search_avx2(rp_flood_t *self, uint64_t *budget,
                                           rp_flood_count_t *count)
{
    return search_tiles(self, budget, count);
}
#endif

rp_status_t rp_flood_search(rp_flood_t *self, uint64_t *budget, rp_flood_count_t *count)
{
#if RP_HAS_X86
    if (self->simd != RP_SIMD_NONE) {
        return search_avx2(self, budget, count);
    }
#endif
    return search_tiles(self, budget, count);
}

// ---- path

int rp_flood_parity(const rp_flood_t *self, uint32_t x, uint32_t y)
{
    const spot_t column = spot_of(&self->across, x);
    const spot_t row = spot_of(&self->down, y);
    const rp_flood_tile_t *tile = &self->tiles[row.tile * self->across.count + column.tile];
    if (tile->search != self->search) {
        return -1;
    }
    const uint64_t odd = tile->reached[1][row.bit] >> column.bit & 1u;
    const uint64_t even = tile->reached[0][row.bit] >> column.bit & 1u;
    return odd != 0 ? 1 : (int)even - 1;
}

/// True when the neighbour may come before a place reached in a layer of this parity. One that is
/// further from the goal is of the same layer or of the next; one that is nearer is of the same or
/// of the one before.
static inline bool comes_before(const rp_flood_t *self, uint32_t x, uint32_t y, int parity,
                                bool is_further)
{
    return x < self->map.width && y < self->map.height &&
           rp_flood_parity(self, x, y) == (is_further ? parity : parity ^ 1);
}

uint32_t rp_flood_path(const rp_flood_t *self, uint32_t stride, rp_cell_t *cells)
{
    static const int8_t step_x[4] = {1, 0, -1, 0};
    static const int8_t step_y[4] = {0, 1, 0, -1};
    uint32_t x = self->across.goal;
    uint32_t y = self->down.goal;
    const uint32_t away_x = x > self->start_x ? x - self->start_x : self->start_x - x;
    const uint32_t away_y = y > self->start_y ? y - self->start_y : self->start_y - y;
    const uint32_t count = away_x + away_y + 2u * self->layer + 1u;
    int parity = (int)(self->layer & 1u);
    unsigned direction = 0;
    cells[count - 1u] = (y + 1u) * stride + x + 1u;
    for (uint32_t left = count - 1u; left != 0; left--) {
        for (;; direction = (direction + 1u) & 3u) {
            const uint32_t next_x = x + (uint32_t)step_x[direction];
            const uint32_t next_y = y + (uint32_t)step_y[direction];
            const bool is_further = direction == 0   ? x >= self->across.goal
                                    : direction == 1 ? y >= self->down.goal
                                    : direction == 2 ? x <= self->across.goal
                                                     : y <= self->down.goal;
            if (comes_before(self, next_x, next_y, parity, is_further)) {
                x = next_x;
                y = next_y;
                parity = is_further ? parity : parity ^ 1;
                break;
            }
        }
        cells[left - 1u] = (y + 1u) * stride + x + 1u;
    }
    return count;
}

// ---- invariants

bool rp_flood_check(const rp_flood_t *self)
{
    for (uint32_t y = 0; y < self->map.height; y++) {
        for (uint32_t x = 0; x < self->map.width; x++) {
            const spot_t column = spot_of(&self->across, x);
            const spot_t row = spot_of(&self->down, y);
            const rp_flood_tile_t *tile = &self->tiles[row.tile * self->across.count + column.tile];
            if (self->search == 0 || tile->search != self->search) {
                continue;
            }
            const uint64_t open = tile->open[row.bit] >> column.bit & 1u;
            const uint64_t even = tile->reached[0][row.bit] >> column.bit & 1u;
            const uint64_t odd = tile->reached[1][row.bit] >> column.bit & 1u;
            if (open + even + odd != (uint64_t)rp_free_map_is_free(&self->map, x, y)) {
                return false;
            }
        }
    }
    return true;
}

// ---- birth and death

/// Folded anywhere, a side takes at most so many tiles.
static uint32_t tiles_of_side(uint32_t side)
{
    return side / SIDE + 2u;
}

rp_status_t rp_flood_init(rp_flood_t *self, uint32_t width, uint32_t height, rp_simd_t simd)
{
    *self = (rp_flood_t){
        .simd = simd,
        .tile_capacity = tiles_of_side(width) * tiles_of_side(height),
    };
    rp_status_t status = rp_free_map_init(&self->map, width, height);
    if (status == RP_OK) {
        status = rp_agenda_init(&self->agenda, self->tile_capacity);
    }
    if (status == RP_OK) {
        self->tiles = rp_memory_new(self->tile_capacity, sizeof *self->tiles);
        status = self->tiles != NULL ? RP_OK : RP_E_MEMORY;
    }
    if (status != RP_OK) {
        rp_flood_fini(self);
    }
    return status;
}

void rp_flood_fini(rp_flood_t *self)
{
    rp_memory_free(self->tiles, self->tile_capacity, sizeof *self->tiles);
    rp_agenda_fini(&self->agenda);
    rp_free_map_fini(&self->map);
    *self = (rp_flood_t){0};
}

uint64_t rp_flood_bytes(const rp_flood_t *self)
{
    const uint32_t tiles = self->tiles_now > self->tiles_met ? self->tiles_now : self->tiles_met;
    return rp_free_map_bytes(&self->map) + (uint64_t)tiles * sizeof *self->tiles;
}
