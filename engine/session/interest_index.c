/// Sums of floats are slightly off, so every bound is taken slightly wide.
#include "engine/session/interest_index.h"

#include <math.h>
#include <stdlib.h>

/// A bound in floats may be off by such a share, and this much.
#define OFF_SHARE 1e-5
#define OFF       0.01

// ---- entries

static void set_asks(rp_interest_block_t *block, uint32_t i, bool asks)
{
    block->asks = (block->asks & ~((uint32_t)1 << i)) | (uint32_t)asks << i;
}

/// The interest of a session without a path: no sectors, and no reach.
static void set_without_path(rp_interest_index_t *self, uint32_t place, bool asks)
{
    const uint32_t i = place % RP_INTEREST_BLOCK;
    rp_interest_block_t *block = &self->blocks[place / RP_INTEREST_BLOCK];
    block->quarters[i] = 0;
    block->reach[i] = -INFINITY;
    set_asks(block, i, asks);
}

/// @return RP_E_MEMORY; what has grown is used when it is tried again
static rp_status_t grow(rp_interest_index_t *self)
{
    const uint32_t count = self->capacity / RP_INTEREST_BLOCK;
    const uint32_t blocks = 2u * count + 1u;
    const uint32_t capacity = blocks * RP_INTEREST_BLOCK;
    void *grown = realloc(self->blocks, blocks * sizeof *self->blocks);
    self->blocks = grown != NULL ? grown : self->blocks;
    void *sectors = grown != NULL ? realloc(self->sectors, capacity * sizeof *self->sectors) : NULL;
    self->sectors = sectors != NULL ? sectors : self->sectors;
    void *list = sectors != NULL ? realloc(self->list, capacity * sizeof *self->list) : NULL;
    self->list = list != NULL ? list : self->list;
    if (list == NULL) {
        return RP_E_MEMORY;
    }
    for (uint32_t i = count; i < blocks; i++) {
        self->blocks[i] = (rp_interest_block_t){.left = {0}};
    }
    for (uint32_t place = self->capacity; place < capacity; place++) {
        set_without_path(self, place, false);
    }
    self->capacity = capacity;
    return RP_OK;
}

rp_status_t rp_interest_index_add(rp_interest_index_t *self, rp_session_t *session, uint32_t *place)
{
    if (self->count == self->capacity && grow(self) != RP_OK) {
        return RP_E_MEMORY;
    }
    *place = self->count++;
    self->list[*place] = (rp_interest_t){.session = session};
    return RP_OK;
}

static void move_in_block(rp_interest_index_t *self, uint32_t from, uint32_t to)
{
    const rp_interest_block_t *source = &self->blocks[from / RP_INTEREST_BLOCK];
    rp_interest_block_t *block = &self->blocks[to / RP_INTEREST_BLOCK];
    from %= RP_INTEREST_BLOCK;
    to %= RP_INTEREST_BLOCK;
    block->quarters[to] = source->quarters[from];
    block->reach[to] = source->reach[from];
    block->x[to] = source->x[from];
    block->y[to] = source->y[from];
    block->left[to] = source->left[from];
    block->top[to] = source->top[from];
    block->right[to] = source->right[from];
    block->bottom[to] = source->bottom[from];
    set_asks(block, to, ((source->asks >> from) & 1u) != 0);
}

rp_session_t *rp_interest_index_remove(rp_interest_index_t *self, uint32_t place)
{
    const uint32_t last = --self->count;
    move_in_block(self, last, place);
    self->sectors[place] = self->sectors[last];
    self->list[place] = self->list[last];
    set_without_path(self, last, false);
    return place != last ? self->list[place].session : NULL;
}

void rp_interest_index_fini(rp_interest_index_t *self)
{
    free(self->blocks);
    free(self->sectors);
    free(self->list);
    *self = (rp_interest_index_t){0};
}

// ---- how

/// The rectangle of the goals, and how much longer than the path a way may be.
static void note_reach(rp_interest_block_t *block, uint32_t i, const rp_grid_t *grid,
                       const rp_standing_t *path)
{
    const double least = (double)grid->shape.least / grid->shape.unit;
    uint32_t offset = UINT32_MAX;
    block->left[i] = block->top[i] = UINT16_MAX;
    block->right[i] = block->bottom[i] = 0;
    for (size_t goal = 0; goal < path->goal_count; goal++) {
        const uint16_t x = (uint16_t)rp_grid_x(grid, path->goals[goal].cell);
        const uint16_t y = (uint16_t)rp_grid_y(grid, path->goals[goal].cell);
        block->left[i] = x < block->left[i] ? x : block->left[i];
        block->top[i] = y < block->top[i] ? y : block->top[i];
        block->right[i] = x > block->right[i] ? x : block->right[i];
        block->bottom[i] = y > block->bottom[i] ? y : block->bottom[i];
        offset = path->goals[goal].offset < offset ? path->goals[goal].offset : offset;
    }
    // A diagonal past a freed cell begins and ends one step from it.
    const double beside = grid->shape.neighbors == 8 ? 2.0 : 0.0;
    const double reach = (path->cost - offset) / least + beside;
    block->reach[i] = (float)(reach * (1.0 + OFF_SHARE) + OFF);
}

void rp_interest_index_note(rp_interest_index_t *self, uint32_t place,
                            const rp_interest_path_t *path)
{
    const uint32_t i = place % RP_INTEREST_BLOCK;
    rp_interest_block_t *block = &self->blocks[place / RP_INTEREST_BLOCK];
    rp_interest_t *interest = &self->list[place];
    interest->term = 0;
    if (path == NULL) {
        set_without_path(self, place, true);
        return;
    }
    set_asks(block, i, path->asks);
    block->quarters[i] = rp_sectors_quarters(&self->sectors[place]);
    block->x[i] = (uint16_t)rp_grid_x(path->grid, path->standing.start);
    block->y[i] = (uint16_t)rp_grid_y(path->grid, path->standing.start);
    note_reach(block, i, path->grid, &path->standing);
    interest->start = path->standing.start;
    interest->units = path->units;
    interest->term = path->term;
}

void rp_interest_index_ask(rp_interest_index_t *self, uint32_t place)
{
    set_asks(&self->blocks[place / RP_INTEREST_BLOCK], place % RP_INTEREST_BLOCK, true);
}

// ---- the broad phase

rp_broad_phase_t rp_broad_phase_of(const rp_change_impact_t *impact)
{
    if (impact == NULL || impact->grid->shape.wraps) {
        return (rp_broad_phase_t){.asks_all = true};
    }
    const rp_rectangle_t *cheaper = &impact->cheaper_in;
    unsigned first = 0;
    unsigned last = RP_SECTORS_WORDS - 1u;
    while (first < last && impact->dearer.words[first] == 0) {
        first++;
    }
    while (last > first && impact->dearer.words[last] == 0) {
        last--;
    }
    return (rp_broad_phase_t){
        .sectors = &impact->dearer,
        .first_word = (uint8_t)first,
        .last_word = (uint8_t)last,
        .dearer = rp_sectors_quarters(&impact->dearer),
        .has_cheaper = impact->cheaper_count != 0,
        .left = (int32_t)cheaper->left,
        .top = (int32_t)cheaper->top,
        .right = (int32_t)cheaper->right,
        .bottom = (int32_t)cheaper->bottom,
        .diagonal = impact->grid->shape.neighbors == 8 ? (float)(sqrt(2.0) - 1.0) : 1.0f,
    };
}

/// Between two ranges.
static inline int32_t gap(int32_t low, int32_t high, int32_t other_low, int32_t other_high)
{
    const int32_t ahead = other_low - high;
    const int32_t behind = low - other_high;
    const int32_t apart = ahead > behind ? ahead : behind;
    return apart > 0 ? apart : 0;
}

static inline float lengths(const rp_broad_phase_t *broad_phase, int32_t dx, int32_t dy)
{
    const int32_t more = dx > dy ? dx : dy;
    const int32_t less = dx > dy ? dy : dx;
    return (float)more + broad_phase->diagonal * (float)less;
}

/// Those for whom a cheaper path may run through the rectangle of what became cheaper. One loop
/// without a branch, so that several are measured at once.
static uint32_t rivals(const rp_interest_block_t *block, const rp_broad_phase_t *broad_phase)
{
    bool has_rival[RP_INTEREST_BLOCK];
    for (unsigned i = 0; i < RP_INTEREST_BLOCK; i++) {
        const int32_t to_x = gap(block->x[i], block->x[i], broad_phase->left, broad_phase->right);
        const int32_t to_y = gap(block->y[i], block->y[i], broad_phase->top, broad_phase->bottom);
        const int32_t on_x =
            gap(block->left[i], block->right[i], broad_phase->left, broad_phase->right);
        const int32_t on_y =
            gap(block->top[i], block->bottom[i], broad_phase->top, broad_phase->bottom);
        const float way = lengths(broad_phase, to_x, to_y) + lengths(broad_phase, on_x, on_y);
        has_rival[i] = way < block->reach[i];
    }
    uint32_t bits = 0;
    for (unsigned i = 0; i < RP_INTEREST_BLOCK; i++) {
        bits |= (uint32_t)has_rival[i] << i;
    }
    return bits;
}

/// Those whose paths run through these quarters.
static uint32_t pass(const rp_interest_block_t *block, uint64_t quarters)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < RP_INTEREST_BLOCK; i++) {
        bits |= (uint32_t)((block->quarters[i] & quarters) != 0) << i;
    }
    return bits;
}

rp_affected_block_t rp_interest_index_look(const rp_interest_index_t *self,
                                           const rp_broad_phase_t *broad_phase, uint32_t block)
{
    const rp_interest_block_t *here = &self->blocks[block];
    return (rp_affected_block_t){
        .asks = here->asks | (broad_phase->asks_all ? pass(here, UINT64_MAX) : 0),
        .near = broad_phase->dearer != 0 ? pass(here, broad_phase->dearer) : 0,
        .rival = broad_phase->has_cheaper ? rivals(here, broad_phase) : 0,
    };
}
