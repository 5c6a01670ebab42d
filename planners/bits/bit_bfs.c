/// Layers of equal f, tile by tile: what comes into a tile, what a row makes of it, what goes out.
#include "planners/bits/bit_bfs.h"

#include <string.h>

#include "planners/bits/bit_bfs_log.h"
#include "planners/bits/bit_bfs_tile.h"
#include "replan/trace.h"

#define SIDE RP_BIT_BFS_SIDE
#define NEAR RP_BIT_BFS_NEAR

/// The radius when no tile is still.
#define ALL_LIVE UINT32_MAX

/// Live tiles may lie so much farther out than they need: the next changes may, too, and the next
/// path may be longer.
#define MARGIN 16u

/// What a visit sends out, beside `fresh` itself.
typedef struct sent {
    uint64_t far_bits;  ///< bit r: bit 0 of row r was reached
    uint64_t near_bits; ///< bit r: bit 63
} sent_t;

/// Compiled once for each width.
#define TILE_LOOP static inline __attribute__((always_inline))

// ---- where a place is

static rp_bit_bfs_axis_t fold(uint32_t side, uint32_t goal)
{
    const uint32_t beyond = (side - 1u - goal + NEAR) / SIDE;
    return (rp_bit_bfs_axis_t){.goal = goal, .beyond = beyond, .count = beyond + goal / SIDE + 1u};
}

// ---- a tile comes in

static inline uint64_t reversed(uint64_t word)
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
        open[row] = turns_bits ? reversed(word) : word;
    }
}

TILE_LOOP void load_tile_with(const rp_bit_bfs_t *self, rp_bit_bfs_tile_t *tile)
{
    const int32_t x = rp_bit_bfs_least_place(&self->across, tile->column);
    const int32_t y = rp_bit_bfs_least_place(&self->down, tile->row);
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
           offsetof(rp_bit_bfs_tile_t, column) - offsetof(rp_bit_bfs_tile_t, reached));
}

RP_FOR_AVX2 static void load_tile_avx2(const rp_bit_bfs_t *self, rp_bit_bfs_tile_t *tile)
{
    load_tile_with(self, tile);
}

static void load_tile_plain(const rp_bit_bfs_t *self, rp_bit_bfs_tile_t *tile)
{
    load_tile_with(self, tile);
}

/// The loops over whole tiles are left to the compiler, once for each width.
static void load_tile(const rp_bit_bfs_t *self, rp_bit_bfs_tile_t *tile)
{
    if (self->simd != RP_SIMD_NONE) {
        load_tile_avx2(self, tile);
        return;
    }
    load_tile_plain(self, tile);
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
TILE_LOOP sent_t close_rows(rp_bit_bfs_tile_t *tile, uint64_t *reached, uint64_t rows,
                            uint64_t flow, uint64_t far_seeds, uint64_t near_seeds)
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
TILE_LOOP sent_t visit_tile(rp_bit_bfs_tile_t *tile, uint64_t *reached)
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

static rp_bit_bfs_tile_t *tile_at(rp_bit_bfs_t *self, uint32_t column, uint32_t row)
{
    const uint32_t number = row * self->across.count + column;
    rp_bit_bfs_slot_t *slot = &self->slots[number];
    if (slot->place == 0) {
        slot->place = ++self->tiles_met;
    }
    rp_bit_bfs_tile_t *tile = rp_bit_bfs_tile(self, number);
    if (slot->search != self->search) {
        slot->search = self->search;
        tile->column = (uint16_t)column;
        tile->row = (uint16_t)row;
        load_tile(self, tile);
    }
    rp_work_set_add(&self->work_set, number);
    return tile;
}

/// The sides on which a tile takes in seeds.
enum {
    FAR_ROW,
    FAR_BIT,
    NEAR_BIT,
    NEAR_ROW,
};

static void put_seeds(rp_bit_bfs_tile_t *tile, unsigned side, uint64_t bits)
{
    switch (side) {
    case FAR_ROW:
        tile->into_far_row |= bits;
        return;
    case FAR_BIT:
        tile->into_far_bit |= bits;
        return;
    case NEAR_BIT:
        tile->into_near_bit |= bits;
        return;
    default:
        tile->fresh[SIDE] |= bits;
        return;
    }
}

/// A tile sends seeds to another. What goes to still tiles is no news to them, once they are kept;
/// what comes from them is noted while it is.
static inline void send(rp_bit_bfs_t *self, const rp_bit_bfs_tile_t *from, uint32_t column,
                        uint32_t row, unsigned side, uint64_t bits)
{
    if (self->reuse.radius != ALL_LIVE) {
        const bool to_live = rp_bit_bfs_is_live(self, column, row);
        if (self->is_again && !to_live) {
            return;
        }
        if (!self->is_again && to_live && !rp_bit_bfs_is_live(self, from->column, from->row)) {
            const uint32_t number = row * self->across.count + column;
            const uint32_t own = from->row * self->across.count + from->column;
            const rp_bit_bfs_send_t sent = {bits, number, self->layer, (uint8_t)side, number < own};
            rp_bit_bfs_log_add(&self->log, sent);
        }
    }
    put_seeds(tile_at(self, column, row), side, bits);
}

/// Bits that were reached at the sides of the tile: the cells beside them are seeds, in this layer
/// towards the goal, in the next one away from it.
static void send_sideways(rp_bit_bfs_t *self, const rp_bit_bfs_tile_t *tile, sent_t sent)
{
    const uint32_t beyond = self->across.beyond;
    const uint32_t last = self->across.count - 1u;
    if (sent.near_bits != 0) {
        if (tile->column + 1u == beyond) {
            send(self, tile, last, tile->row, NEAR_BIT, sent.near_bits);
        } else if (tile->column != last) {
            send(self, tile, tile->column + 1u, tile->row, FAR_BIT, sent.near_bits);
        } else if (beyond != 0) {
            send(self, tile, beyond - 1u, tile->row, NEAR_BIT, sent.near_bits);
        }
    }
    if (sent.far_bits != 0 && tile->column != 0 && tile->column != beyond) {
        send(self, tile, tile->column - 1u, tile->row, NEAR_BIT, sent.far_bits);
    }
}

/// The same for the first and the last row.
static void send_up_and_down(rp_bit_bfs_t *self, const rp_bit_bfs_tile_t *tile)
{
    const uint32_t beyond = self->down.beyond;
    const uint32_t last = self->down.count - 1u;
    const uint64_t near_row = tile->fresh[NEAR];
    const uint64_t far_row = tile->fresh[0];
    if (near_row != 0) {
        if (tile->row + 1u == beyond) {
            send(self, tile, tile->column, last, NEAR_ROW, near_row);
        } else if (tile->row != last) {
            send(self, tile, tile->column, tile->row + 1u, FAR_ROW, near_row);
        } else if (beyond != 0) {
            send(self, tile, tile->column, beyond - 1u, NEAR_ROW, near_row);
        }
    }
    if (far_row != 0 && tile->row != 0 && tile->row != beyond) {
        send(self, tile, tile->column, tile->row - 1u, NEAR_ROW, far_row);
    }
}

static void send_all(rp_bit_bfs_t *self, const rp_bit_bfs_tile_t *tile, uint32_t number,
                     sent_t sent)
{
    if (tile->fresh_rows == 0) {
        return;
    }
    rp_work_set_add(&self->work_set, number);
    send_sideways(self, tile, sent);
    send_up_and_down(self, tile);
}

#ifdef REPLAN_TRACE
/// An rp_bit_bfs_hear_t.
static void trace_news(void *owner, const rp_bit_bfs_news_t *news)
{
    (void)owner;
    for (uint64_t rows = news->rows; rows != 0; rows &= rows - 1u) {
        const unsigned row = (unsigned)__builtin_ctzll(rows);
        const rp_cell_t first = news->corner + row * (rp_cell_t)news->row_step;
        for (uint64_t word = news->words[row]; word != 0; word &= word - 1u) {
            const unsigned bit = (unsigned)__builtin_ctzll(word);
            rp_trace(first + bit * (rp_cell_t)news->bit_step, RP_TRACE_LEVEL);
        }
    }
}

/// Tell the cells that a visit reached.
static void trace_tile(const rp_bit_bfs_t *self, const rp_bit_bfs_tile_t *tile)
{
    rp_bit_bfs_t told = *self;
    told.hear = trace_news;
    rp_bit_bfs_tell_tile(&told, tile);
}
#endif

// ---- search

static void open_search(rp_bit_bfs_t *self)
{
    rp_work_set_clear(&self->work_set);
    self->cursor = 0;
    self->layer = 0;
    self->more = 0;
    self->owed = 0;
    self->is_found = false;
    self->is_whole = false;
    self->hear = NULL;
}

/// Search all tiles, from the start on.
/// @param radius  of the live ones, should anything be kept
static void begin_whole(rp_bit_bfs_t *self, uint32_t radius)
{
    open_search(self);
    if (++self->search == 0) {
        for (uint32_t number = 0; number < self->tile_capacity; number++) {
            self->slots[number].search = 0;
        }
        self->search = 1;
    }
    const rp_bit_bfs_spot_t column = rp_bit_bfs_spot_of(&self->across, self->start_x);
    const rp_bit_bfs_spot_t row = rp_bit_bfs_spot_of(&self->down, self->start_y);
    self->reuse.radius = radius;
    if (rp_bit_bfs_is_live(self, column.tile, row.tile)) {
        self->reuse.radius = ALL_LIVE;
    }
    self->reuse.nearest = UINT32_MAX;
    self->reuse.is_kept = false;
    self->is_again = false;
    rp_bit_bfs_log_clear(&self->log);
    self->has_begun = false;
    self->cursor = row.tile * self->across.count + column.tile;
    (void)tile_at(self, column.tile, row.tile);
}

/// The still tiles' seeds for this layer.
static void take_log(rp_bit_bfs_t *self)
{
    for (const rp_bit_bfs_send_t *send;
         (send = rp_bit_bfs_log_next(&self->log, self->layer)) != NULL;) {
        const uint32_t columns = self->across.count;
        put_seeds(tile_at(self, send->tile % columns, send->tile / columns), send->side,
                  send->bits);
    }
}

/// Search live tiles alone: those that were searched before are as if they were not.
static void begin_live(rp_bit_bfs_t *self)
{
    open_search(self);
    for (uint32_t row = 0; row < self->down.count; row++) {
        for (uint32_t column = 0; column < self->across.count; column++) {
            const uint32_t number = row * self->across.count + column;
            if (rp_bit_bfs_is_met(self, number) && rp_bit_bfs_is_live(self, column, row)) {
                self->slots[number].search = 0;
            }
        }
    }
    self->is_again = true;
    self->has_begun = true;
    rp_bit_bfs_log_rewind(&self->log);
    take_log(self);
}

void rp_bit_bfs_begin(rp_bit_bfs_t *self, uint32_t start_x, uint32_t start_y, uint32_t goal_x,
                      uint32_t goal_y)
{
    self->across = fold(self->map.width, goal_x);
    self->down = fold(self->map.height, goal_y);
    self->start_x = start_x;
    self->start_y = start_y;
    self->f_first = rp_bit_bfs_steps_between((int32_t)start_x, (int32_t)goal_x) +
                    rp_bit_bfs_steps_between((int32_t)start_y, (int32_t)goal_y);
    self->reuse.last_layer = 0;
    self->reuse.knows_layer = false;
    begin_whole(self, ALL_LIVE);
}

/// How far from the goal a tile may lie that what changed concerns, in a search up to this layer.
static uint32_t reach_of_changes(const rp_bit_bfs_t *self, uint32_t layer)
{
    const uint32_t f = self->f_first + 2u * layer;
    return f > self->reuse.nearest ? f - self->reuse.nearest : 0;
}

void rp_bit_bfs_begin_again(rp_bit_bfs_t *self, uint32_t nearest)
{
    self->reuse.nearest = nearest < self->reuse.nearest ? nearest : self->reuse.nearest;
    if (self->reuse.is_kept &&
        reach_of_changes(self, self->reuse.last_layer) <= self->reuse.radius) {
        begin_live(self);
    } else {
        const uint32_t radius = reach_of_changes(self, self->reuse.last_layer) + MARGIN;
        begin_whole(self, self->reuse.knows_layer ? radius : ALL_LIVE);
    }
}

void rp_bit_bfs_tell(rp_bit_bfs_t *self, uint32_t stride, uint32_t layers, rp_bit_bfs_hear_t *hear,
                     void *owner)
{
    self->stride = stride;
    self->more = layers;
    self->hear = hear;
    self->owner = owner;
}

/// The goal is the nearest place of the last tile.
static bool is_goal_reached(const rp_bit_bfs_t *self)
{
    const uint32_t last = self->across.count * self->down.count - 1u;
    return rp_bit_bfs_is_met(self, last) &&
           rp_bit_bfs_tile(self, last)->reached[self->layer & 1u][NEAR] >> NEAR != 0;
}

/// The start is the only seed that no neighbour sends.
static sent_t visit_start(const rp_bit_bfs_t *self, rp_bit_bfs_tile_t *tile)
{
    const uint32_t bit = rp_bit_bfs_spot_of(&self->across, self->start_x).bit;
    const uint32_t row = rp_bit_bfs_spot_of(&self->down, self->start_y).bit;
    return close_rows(tile, tile->reached[0], (uint64_t)1 << row, (uint64_t)1 << bit, 0, 0);
}

/// A visit is never cut in two: what it takes beyond the budget is owed to the slices after it.
/// @return false when this slice is over
static inline bool pay(rp_bit_bfs_t *self, uint64_t *budget, rp_bit_bfs_count_t *count)
{
    const uint64_t paid = self->owed < *budget ? self->owed : *budget;
    self->owed -= (uint32_t)paid;
    *budget -= paid;
    count->steps += paid;
    return *budget != 0;
}

/// The layer is searched; was the goal in it? Who keeps what still tiles know goes on as far as he
/// ever had to: the path will be as long again.
static void look_for_goal(rp_bit_bfs_t *self)
{
    if (self->is_found || !is_goal_reached(self)) {
        return;
    }
    self->is_found = true;
    self->goal_layer = self->layer;
    self->until = self->layer + self->more;
    const bool keeps = !self->is_again && self->reuse.radius != ALL_LIVE && !self->log.is_full;
    if (keeps && self->until < self->reuse.last_layer) {
        self->until = self->reuse.last_layer;
    }
}

/// The goal was found: the next search may begin with what the still tiles know.
static void keep(rp_bit_bfs_t *self)
{
    if (!self->is_again) {
        self->reuse.is_kept = self->reuse.radius != ALL_LIVE && !self->log.is_full;
        self->reuse.last_layer =
            self->until > self->reuse.last_layer ? self->until : self->reuse.last_layer;
        self->reuse.knows_layer = true;
    }
}

/// Go on to the next layer. Still tiles know layers only up to the last one of the search that was
/// kept; beyond it all tiles are searched again.
static void next_layer(rp_bit_bfs_t *self)
{
    if (self->is_again && self->layer == self->reuse.last_layer) {
        begin_whole(self, reach_of_changes(self, self->reuse.last_layer) + MARGIN);
        return;
    }
    self->cursor = 0;
    self->layer++;
    RP_TRACE(RP_NO_CELL, LEVEL);
    if (self->is_again) {
        take_log(self);
    }
}

TILE_LOOP rp_status_t search_tiles(rp_bit_bfs_t *self, uint64_t *budget, rp_bit_bfs_count_t *count)
{
    while (pay(self, budget, count)) {
        const uint32_t number = rp_work_set_take(&self->work_set, self->cursor);
        if (number != RP_WORK_SET_END) {
            rp_bit_bfs_tile_t *tile = rp_bit_bfs_tile(self, number);
            const sent_t sent = self->has_begun ? visit_tile(tile, tile->reached[self->layer & 1u])
                                                : visit_start(self, tile);
            self->has_begun = true;
            self->cursor = number + 1u;
            self->owed = 1u + (uint32_t)__builtin_popcountll(tile->fresh_rows);
            count->visits++;
            send_all(self, tile, number, sent);
            RP_TRACE_ONLY(trace_tile(self, tile));
            if (self->hear != NULL && tile->fresh_rows != 0) {
                rp_bit_bfs_tell_tile(self, tile);
            }
            continue;
        }
        self->is_whole = self->cursor == 0 && !self->is_again; // nothing was reached any more
        count->layers += !self->is_whole;
        look_for_goal(self);
        if (self->is_found && (self->is_whole || self->layer >= self->until)) {
            keep(self);
            return RP_OK;
        }
        if (self->is_whole) {
            return RP_OK;
        }
        next_layer(self);
    }
    return RP_MORE;
}

RP_FOR_AVX2 static rp_status_t search_avx2(rp_bit_bfs_t *self, uint64_t *budget,
                                           rp_bit_bfs_count_t *count)
{
    return search_tiles(self, budget, count);
}

rp_status_t rp_bit_bfs_search(rp_bit_bfs_t *self, uint64_t *budget, rp_bit_bfs_count_t *count)
{
    if (self->simd != RP_SIMD_NONE) {
        return search_avx2(self, budget, count);
    }
    return search_tiles(self, budget, count);
}

// ---- birth and death

/// Folded anywhere, a side takes at most so many tiles.
static uint32_t tiles_of_side(uint32_t side)
{
    return side / SIDE + 2u;
}

void rp_bit_bfs_init(rp_bit_bfs_t *self, uint32_t width, uint32_t height, rp_simd_t simd,
                     rp_arena_t *arena)
{
    *self = (rp_bit_bfs_t){
        .simd = simd,
        .tile_capacity = tiles_of_side(width) * tiles_of_side(height),
    };
    rp_free_map_init(&self->map, width, height, arena);
    rp_work_set_init(&self->work_set, self->tile_capacity, arena);
    rp_bit_bfs_log_init(&self->log, arena);
    self->tiles = rp_arena_new(arena, self->tile_capacity, sizeof *self->tiles);
    rp_arena_note(arena, &self->tiles_met, &self->tiles_met, sizeof *self->tiles);
    self->slots = rp_arena_new(arena, self->tile_capacity, sizeof *self->slots);
}
