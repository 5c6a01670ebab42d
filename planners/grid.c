/// The grid's arrays, and the one rule that keeps them true: a cell that changes rewrites the move
/// masks of itself and its eight neighbours.
#include "replan/grid.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "planners/search/memory.h"

static const int8_t step_x[RP_DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int8_t step_y[RP_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};

static bool shape_is_legal(const rp_grid_shape_t *shape)
{
    const uint32_t least_side = shape->wraps ? 3u : 1u;
    return shape->width >= least_side && shape->height >= least_side &&
           shape->width <= RP_GRID_SIDE_MAX && shape->height <= RP_GRID_SIDE_MAX &&
           (shape->neighbors == 4 || shape->neighbors == 8) && shape->unit != 0 &&
           shape->least != 0 && shape->least <= shape->unit;
}

/// Rows a multiple of 8, but not of 128 places: neighbours above each other must not fall into the
/// same set of the cache.
static uint32_t stride_of(uint32_t width)
{
    const uint32_t stride = (width + 2u + 7u) & ~7u;
    return stride % 128u == 0 ? stride + 8u : stride;
}

static uint8_t greatest_of(uint8_t factor)
{
    uint8_t greatest = 1;
    while (greatest < factor) {
        greatest = (uint8_t)(2u * greatest + 1u);
    }
    return greatest;
}

/// Legal moves, from which neighbours are free: a diagonal needs the straight steps on both sides
/// of it, directions d - 1 and d + 1.
static uint8_t with_corners(unsigned free, uint8_t neighbors)
{
    const unsigned straight = free & 0x55u;
    if (neighbors == 4) {
        return (uint8_t)straight;
    }
    const unsigned lower = straight << 1;
    const unsigned upper = (straight >> 1) | (straight << 7);
    return (uint8_t)(straight | (free & 0xaau & lower & upper));
}

/// Legal moves out of a cell, from the factors around it. A blocked cell has none.
static uint8_t moves_of(const rp_grid_t *self, rp_cell_t cell)
{
    if (self->factor[cell] == 0) {
        return 0;
    }
    unsigned free = 0;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        free |= (unsigned)(self->factor[rp_grid_step(self, cell, direction)] != 0) << direction;
    }
    return with_corners(free, self->shape.neighbors);
}

// With 8 neighbours, away from rim and seam, moves are made six at a time: a word holds eight
// neighbours of a row, a byte each, and its first and last are there for the six between them.

#define LANES_KEPT UINT64_C(0xff000000000000ff)

/// Cells that changed and lie together: the moves round them are made once. It begins a cell before
/// the first of them, as the next row may.
typedef struct patch {
    rp_cell_t first; ///< where its first row begins; RP_NO_CELL when there is none
    rp_cell_t row;   ///< where its last row begins
} patch_t;

/// With a neighbour on both sides six.
#define PATCH_WIDTH 4u

/// 1 in each lane whose factor does not block.
static inline uint64_t free_lanes(const uint8_t *factors)
{
    const uint64_t low_seven = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t eight;
    memcpy(&eight, factors, sizeof eight);
    eight = le64toh(eight);
    return ((((eight & low_seven) + low_seven) | eight) & ~low_seven) >> 7;
}

/// Legal moves in each lane, from the free cells of its row and of those above and below.
static inline uint64_t moves_in_lanes(uint64_t north, uint64_t here, uint64_t south)
{
    const uint64_t east = here >> 8;
    const uint64_t west = here << 8;
    const uint64_t straight = east | south << 2 | west << 4 | north << 6;
    const uint64_t diagonal = (south >> 8 & south & east) << 1 | (south << 8 & south & west) << 3 |
                              (north << 8 & north & west) << 5 | (north >> 8 & north & east) << 7;
    return (straight | diagonal) & ((here << 8) - here); // a blocked cell has none
}

/// Rewrite the moves of a patch and its neighbours.
static void refresh_patch(rp_grid_t *self, const patch_t *patch)
{
    if (patch->first == RP_NO_CELL) {
        return;
    }
    const uint32_t stride = self->stride;
    const size_t end = (size_t)patch->row + 2u * stride - 2u;
    size_t place = (size_t)patch->first - stride - 2u;
    uint64_t north = free_lanes(self->factor + place - stride);
    uint64_t here = free_lanes(self->factor + place);
    for (; place != end; place += stride) {
        const uint64_t south = free_lanes(self->factor + place + stride);
        uint64_t lanes;
        memcpy(&lanes, self->moves + place, sizeof lanes);
        lanes = (le64toh(lanes) & LANES_KEPT) | (moves_in_lanes(north, here, south) & ~LANES_KEPT);
        lanes = htole64(lanes);
        memcpy(self->moves + place, &lanes, sizeof lanes);
        north = here;
        here = south;
    }
}

/// Near the rim, and where a seam may be, they are made one by one.
static void refresh_nine(rp_grid_t *self, rp_cell_t cell)
{
    self->moves[cell] = moves_of(self, cell);
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const rp_cell_t next = rp_grid_step(self, cell, direction);
        self->moves[next] = moves_of(self, next);
    }
}

/// A cell was freed or blocked: take it into the patch, or begin another with it.
static inline void extend_patch(rp_grid_t *self, patch_t *patch, rp_cell_t cell)
{
    const uint32_t stride = self->stride;
    if (self->shape.wraps || cell < 3u * stride || cell + 3u * stride > self->cell_count) {
        refresh_nine(self, cell);
        return;
    }
    const uint32_t ahead = cell - patch->row;
    if (patch->first != RP_NO_CELL && ahead < PATCH_WIDTH) {
        return;
    }
    if (patch->first != RP_NO_CELL && ahead - stride < PATCH_WIDTH) {
        patch->row += stride;
        return;
    }
    refresh_patch(self, patch);
    *patch = (patch_t){cell - 1u, cell - 1u};
}

/// With 4 neighbours a cell that was freed or blocked is one bit of each neighbour's moves.
static void refresh_four(rp_grid_t *self, rp_cell_t cell)
{
    const unsigned is_free = self->factor[cell] != 0;
    unsigned moves = 0;
    for (unsigned straight = 0; straight < RP_DIRECTIONS; straight += 2u) {
        const rp_cell_t next = rp_grid_step(self, cell, straight);
        const unsigned back = rp_direction_back(straight);
        const unsigned is_move = is_free & (self->factor[next] != 0);
        moves |= is_move << straight;
        self->moves[next] = (uint8_t)((self->moves[next] & ~(1u << back)) | is_move << back);
    }
    self->moves[cell] = (uint8_t)moves;
}

static void set_seam(rp_grid_t *self, uint32_t column, uint32_t row)
{
    const uint32_t place = row * self->stride + column;
    self->seam[place >> 3] |= (uint8_t)(1u << (place & 7u));
}

static void mark_seams(rp_grid_t *self)
{
    for (uint32_t column = 0; column <= self->shape.width + 1u; column++) {
        set_seam(self, column, 0);
        set_seam(self, column, self->shape.height + 1u);
    }
    for (uint32_t row = 0; row <= self->shape.height + 1u; row++) {
        set_seam(self, 0, row);
        set_seam(self, self->shape.width + 1u, row);
    }
}

/// Take note of a factor: it may turn the grid weighted, or raise the bound on costs.
static void note_factor(rp_grid_t *self, uint8_t factor)
{
    if (factor == 0) {
        return;
    }
    if (factor != self->shape.unit && !self->weighted) {
        self->weighted = true;
        self->scale++;
    }
    if (factor > self->greatest) {
        self->greatest = greatest_of(factor);
        self->scale++;
    }
}

/// Moves of cells in a row, many at a time: plain bytes, which the compiler turns into vectors.
static void refresh_row(rp_grid_t *self, uint32_t x, uint32_t y, uint32_t count)
{
    const uint8_t diagonals = self->shape.neighbors == 8 ? 0xffu : 0u;
    const rp_cell_t west_end = rp_grid_cell(self, x, y) - 1u;
    const uint8_t *restrict up = self->factor + west_end - self->stride;
    const uint8_t *restrict here = self->factor + west_end;
    const uint8_t *restrict down = self->factor + west_end + self->stride;
    uint8_t *restrict moves = self->moves + west_end + 1u;
    for (size_t i = 0; i < count; i++) { // the cell itself stands at i + 1
        const uint8_t east = here[i + 2u] != 0;
        const uint8_t south = down[i + 1u] != 0;
        const uint8_t west = here[i] != 0;
        const uint8_t north = up[i + 1u] != 0;
        const uint8_t south_east = (down[i + 2u] != 0) & south & east & diagonals;
        const uint8_t south_west = (down[i] != 0) & south & west & diagonals;
        const uint8_t north_west = (up[i] != 0) & north & west & diagonals;
        const uint8_t north_east = (up[i + 2u] != 0) & north & east & diagonals;
        const uint8_t all =
            (uint8_t)(east | (south_east << 1) | (south << 2) | (south_west << 3) | (west << 4) |
                      (north_west << 5) | (north << 6) | (north_east << 7));
        moves[i] = here[i + 1u] != 0 ? all : 0;
    }
}

/// A whole row of a torus: what looks over the seam is looked at cell by cell.
static void refresh_round(rp_grid_t *self, uint32_t y)
{
    const uint32_t width = self->shape.width;
    const bool is_at_seam = y == 0 || y + 1u == self->shape.height;
    if (!is_at_seam) {
        refresh_row(self, 0, y, width);
    }
    for (uint32_t x = 0; x < width; x += is_at_seam ? 1u : width - 1u) {
        const rp_cell_t cell = rp_grid_cell(self, x, y);
        self->moves[cell] = moves_of(self, cell);
    }
}

/// Moves of all cells in a box and of those around it.
static void refresh_box(rp_grid_t *self, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    const rp_grid_shape_t *shape = &self->shape;
    const uint32_t left = x != 0 ? x - 1u : 0u;
    const uint32_t right = x + width < shape->width ? x + width + 1u : shape->width;
    const uint32_t top = y != 0 ? y - 1u : 0u;
    const uint32_t bottom = y + height < shape->height ? y + height + 1u : shape->height;
    for (uint32_t row = top; row < bottom; row++) {
        if (shape->wraps) {
            refresh_round(self, row);
        } else {
            refresh_row(self, left, row, right - left);
        }
    }
    if (shape->wraps && y == 0 && bottom < shape->height) {
        refresh_round(self, shape->height - 1u);
    }
    if (shape->wraps && y + height == shape->height && top > 0) {
        refresh_round(self, 0);
    }
}

/// A grid of blocked cells.
/// @return RP_E_INVALID (shape), RP_E_MEMORY
static rp_status_t new_of_shape(const rp_grid_shape_t *shape, rp_grid_t **grid)
{
    if (!shape_is_legal(shape)) {
        return RP_E_INVALID;
    }
    const uint32_t stride = stride_of(shape->width);
    if ((uint64_t)stride * (shape->height + 2u) > RP_GRID_CELLS_MAX) {
        return RP_E_INVALID;
    }
    rp_grid_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->shape = *shape;
    self->stride = stride;
    self->cell_count = stride * (shape->height + 2u);
    self->row_magic = UINT64_MAX / stride + 1u;
    self->greatest = greatest_of(shape->unit);
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        self->offset[direction] = step_y[direction] * (int32_t)stride + step_x[direction];
    }
    self->moves = rp_memory_new(self->cell_count, 1);
    self->factor = rp_memory_new(self->cell_count, 1);
    self->seam = shape->wraps ? rp_memory_new(self->cell_count / 8u + 1u, 1) : NULL;
    if (self->moves == NULL || self->factor == NULL || (shape->wraps && self->seam == NULL)) {
        rp_grid_destroy(&self);
        return RP_E_MEMORY;
    }
    if (shape->wraps) {
        mark_seams(self);
    }
    *grid = self;
    return RP_OK;
}

rp_status_t rp_grid_new(const rp_grid_shape_t *shape, rp_grid_t **grid)
{
    rp_grid_t *self;
    const rp_status_t status = new_of_shape(shape, &self);
    if (status != RP_OK) {
        return status;
    }
    for (uint32_t y = 0; y < shape->height; y++) {
        memset(self->factor + rp_grid_cell(self, 0, y), shape->unit, shape->width);
    }
    self->free_count = shape->width * shape->height;
    refresh_box(self, 0, 0, shape->width, shape->height);
    *grid = self;
    return RP_OK;
}

void rp_grid_destroy(rp_grid_t **self)
{
    rp_grid_t *grid = *self;
    if (grid == NULL) {
        return;
    }
    rp_memory_free(grid->moves, grid->cell_count, 1);
    rp_memory_free(grid->factor, grid->cell_count, 1);
    rp_memory_free(grid->seam, grid->cell_count / 8u + 1u, 1);
    free(grid);
    *self = NULL;
}

/// Write a factor alone. @return true when the cell was freed or blocked
static inline bool write_factor(rp_grid_t *self, rp_change_t *change)
{
    const uint8_t factor = change->after;
    const uint8_t before = self->factor[change->cell];
    change->before = before;
    if (before == factor) {
        return false;
    }
    self->factor[change->cell] = factor;
    note_factor(self, factor);
    if (before != 0 && factor != 0) {
        return false;
    }
    self->free_count += factor != 0 ? 1u : UINT32_MAX;
    return true;
}

uint8_t rp_grid_set(rp_grid_t *self, rp_cell_t cell, uint8_t factor)
{
    rp_change_t change = {.cell = cell, .after = factor};
    rp_grid_write(self, &change, 1);
    return change.before;
}

void rp_grid_write(rp_grid_t *self, rp_change_t *changes, size_t count)
{
    patch_t patch = {RP_NO_CELL, RP_NO_CELL};
    for (size_t i = 0; i < count; i++) {
        if (!write_factor(self, &changes[i])) {
            continue;
        }
        if (self->shape.neighbors == 4) {
            refresh_four(self, changes[i].cell);
        } else {
            extend_patch(self, &patch, changes[i].cell);
        }
    }
    refresh_patch(self, &patch);
}

/// Write the factors of a row, all of it or a piece; moves are not looked at.
/// @return the greatest but the unit, which is known
static uint8_t write_row(rp_grid_t *self, uint8_t *row, const uint8_t *factors, uint32_t count)
{
    const uint8_t unit = self->shape.unit;
    uint8_t other = 0;
    uint32_t before = 0;
    uint32_t after = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t factor = factors[i] == unit ? 0 : factors[i];
        other = factor > other ? factor : other;
    }
    for (size_t i = 0; i < count; i++) {
        before += row[i] != 0;
        after += factors[i] != 0;
    }
    memcpy(row, factors, count);
    self->free_count += after - before;
    return other;
}

void rp_grid_fill_box(rp_grid_t *self, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                      const uint8_t *factors)
{
    uint8_t greatest = 0;
    for (uint32_t row = 0; row < height; row++) {
        const uint8_t other = write_row(self, self->factor + rp_grid_cell(self, x, y + row),
                                        factors + (size_t)row * width, width);
        greatest = other > greatest ? other : greatest;
    }
    note_factor(self, greatest);
    refresh_box(self, x, y, width, height);
}

void rp_grid_fill(rp_grid_t *self, const uint8_t *factors)
{
    rp_grid_fill_box(self, 0, 0, self->shape.width, self->shape.height, factors);
}

// ---- copies

rp_status_t rp_grid_new_blank(const rp_grid_shape_t *shape, rp_grid_t **grid)
{
    return new_of_shape(shape, grid);
}

/// What holds for the grid as a whole.
static void copy_sums(rp_grid_t *self, const rp_grid_t *from)
{
    self->weighted = from->weighted;
    self->greatest = from->greatest;
    self->free_count = from->free_count;
    self->scale = from->scale;
}

void rp_grid_copy_rows(rp_grid_t *self, const rp_grid_t *from, uint32_t y, uint32_t count)
{
    const rp_cell_t first = rp_grid_cell(self, 0, y);
    const size_t places = (size_t)count * self->stride - (self->stride - self->shape.width);
    copy_sums(self, from);
    memcpy(self->factor + first, from->factor + first, places);
    memcpy(self->moves + first, from->moves + first, places);
}

void rp_grid_copy_cell(rp_grid_t *self, const rp_grid_t *from, rp_cell_t cell)
{
    copy_sums(self, from);
    self->factor[cell] = from->factor[cell];
    self->moves[cell] = from->moves[cell];
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const rp_cell_t next = rp_grid_step(self, cell, direction);
        self->moves[next] = from->moves[next];
    }
}

rp_cell_t rp_grid_unwrap(const rp_grid_t *self, rp_cell_t place)
{
    uint32_t row = rp_grid_row(self, place);
    uint32_t column = place - row * self->stride;
    if (row == 0) {
        row = self->shape.height;
    } else if (row == self->shape.height + 1u) {
        row = 1;
    }
    if (column == 0) {
        column = self->shape.width;
    } else if (column == self->shape.width + 1u) {
        column = 1;
    }
    return row * self->stride + column;
}
