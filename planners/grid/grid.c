/// The grid's arrays, and the one rule that keeps them true: a cell that changes rewrites the move
/// masks of itself and its eight neighbours.
#include "replan/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd.h"
#include "planners/grid/batch_summary.h"
#include "planners/grid/patch_moves.h"

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

/// So many changes and more may be a crowd, and are one where the box round all of them has at most
/// so many cells for each: its rows are made as a whole.
#define CROWD_FROM  256u
#define CROWD_CELLS 192u

/// Of a crowd of 1 / this of all places and more, the box is as wide as the grid: to find where
/// each change lies in its row would take longer than what that spares.
#define WIDE_SHARE 16u

/// Near the rim, and where a seam may be, they are made one by one.
static void refresh_nine(rp_grid_t *self, rp_cell_t cell)
{
    self->moves[cell] = moves_of(self, cell);
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const rp_cell_t next = rp_grid_step(self, cell, direction);
        self->moves[next] = moves_of(self, next);
    }
}

static void refresh_each(rp_grid_t *self, const rp_change_t *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        refresh_nine(self, changes[i].cell);
    }
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

/// All bits, where a factor blocks.
static inline uint8_t blocked(uint8_t factor)
{
    return (uint8_t) - (factor == 0);
}

/// Moves of cells in a row away from seams, by nothing but bytes: the compiler makes many at a
/// time.
static inline __attribute__((always_inline)) void make_row(uint8_t *restrict moves,
                                                           const uint8_t *restrict row,
                                                           ptrdiff_t stride, ptrdiff_t count,
                                                           bool has_diagonals)
{
    for (ptrdiff_t i = 0; i < count; i++) {
        const uint8_t east = blocked(row[i + 1]);
        const uint8_t south = blocked(row[i + stride]);
        const uint8_t west = blocked(row[i - 1]);
        const uint8_t north = blocked(row[i - stride]);
        uint8_t barred =
            blocked(row[i]) | (east & 1u) | (south & 4u) | (west & 16u) | (north & 64u);
        if (has_diagonals) {
            barred |= (blocked(row[i + stride + 1]) | south | east) & 2u;
            barred |= (blocked(row[i + stride - 1]) | south | west) & 8u;
            barred |= (blocked(row[i - stride - 1]) | north | west) & 32u;
            barred |= (blocked(row[i - stride + 1]) | north | east) & 128u;
        }
        moves[i] = (uint8_t)~barred & (has_diagonals ? 0xffu : 0x55u);
    }
}

RP_FOR_AVX2 static void make_row_avx2(uint8_t *moves, const uint8_t *row, uint32_t stride,
                                      uint32_t count, bool has_diagonals)
{
    if (has_diagonals) {
        make_row(moves, row, stride, count, true);
    } else {
        make_row(moves, row, stride, count, false);
    }
}

static void make_row_plain(uint8_t *moves, const uint8_t *row, uint32_t stride, uint32_t count,
                           bool has_diagonals)
{
    if (has_diagonals) {
        make_row(moves, row, stride, count, true);
    } else {
        make_row(moves, row, stride, count, false);
    }
}

static void refresh_row(rp_grid_t *self, uint32_t x, uint32_t y, uint32_t count)
{
    const rp_cell_t first = rp_grid_cell(self, x, y);
    (rp_simd_best() >= RP_SIMD_AVX2 ? make_row_avx2 : make_row_plain)(
        self->moves + first, self->factor + first, self->stride, count, self->shape.neighbors == 8);
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
    if (shape == NULL || !shape_is_legal(shape)) {
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
    const rp_status_t status = grid != NULL ? new_of_shape(shape, &self) : RP_E_INVALID;
    if (status != RP_OK) {
        return status;
    }
    rp_grid_prefault_rows(self, 0, shape->height);
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
    rp_grid_t *grid = self != NULL ? *self : NULL;
    if (grid == NULL) {
        return;
    }
    const uint64_t span = rp_deferred_free_span(grid->deferred_free);
    rp_memory_free(grid->moves, grid->cell_count, 1, grid->deferred_free);
    rp_memory_free(grid->factor, grid->cell_count, 1, grid->deferred_free);
    rp_memory_free(grid->seam, grid->cell_count / 8u + 1u, 1, grid->deferred_free);
    rp_deferred_free_note(grid->deferred_free, span, 2u * (uint64_t)grid->cell_count);
    free(grid);
    *self = NULL;
}

/// What a look at some changes tells while they are written.
typedef struct written {
    rp_extent_builder_t extent;
    bool has_toggled; ///< a cell among them was freed or blocked
    bool has_cheaper; ///< or became cheaper
    bool has_same;    ///< or stayed as it was
} written_t;

/// What a look at the factors of some changes tells, which were written.
static written_t weigh(rp_grid_t *self, rp_extent_builder_t extent, const rp_change_t *changes,
                       size_t count)
{
    uint32_t freed = 0; // less those that were blocked
    uint32_t toggled = 0;
    int32_t falls = 0; // less than 0: a factor fell, a blocked cell counting as the dearest
    bool has_same = false;
    for (size_t i = 0; i < count; i++) {
        const uint8_t before = changes[i].before;
        const uint8_t after = changes[i].after;
        const uint32_t is_freed = (uint32_t)(after != 0) - (uint32_t)(before != 0);
        freed += is_freed;
        toggled |= is_freed;
        falls |= (uint8_t)(after - 1u) - (uint8_t)(before - 1u);
        has_same |= after == before;
        note_factor(self, after);
    }
    self->free_count += freed;
    return (written_t){extent, toggled != 0, falls < 0, has_same};
}

/// Write the factors; moves are not looked at. Where all factors are 0 or 1 it is seen meanwhile
/// what they tell.
/// @param count    at least 1
/// @param is_wide  a constant: the extent is to have whole rows
static inline __attribute__((always_inline)) written_t
write_factors(rp_grid_t *self, rp_change_t *changes, size_t count, bool is_wide)
{
    uint8_t *const factors = self->factor;
    const uint64_t row_magic = self->row_magic;
    const rp_change_t *const end = changes + count;
    rp_extent_builder_t extent = rp_extent_builder_at(self, changes[0].cell);
    if (is_wide) {
        extent.left = row_magic;
        extent.right = self->shape.width * row_magic;
    }
    int32_t blocked = 0;  // less those that were freed
    uint32_t toggled = 0; // both together
    unsigned any = self->shape.unit | (unsigned)self->weighted << 1;
    rp_change_t *change = changes;
    do {
        const rp_cell_t cell = change->cell;
        const uint64_t column = is_wide ? row_magic : cell * row_magic;
        const unsigned after = change->after;
        const unsigned before = factors[cell];
        const int32_t turn = (int32_t)(before - after);
        factors[cell] = (uint8_t)after;
        change->before = (uint8_t)before;
        extent = rp_extent_builder_with(extent, (rp_extent_builder_t){cell, cell, column, column});
        blocked += turn;
        toggled += (uint32_t)turn & 1u;
        any |= after;
    } while (++change != end);
    self->written += count;
    if (any != 1u) {
        return weigh(self, extent, changes, count);
    }
    self->free_count -= (uint32_t)blocked;
    return (written_t){extent, toggled != 0, toggled != (uint32_t)blocked, toggled != count};
}

/// True when the moves of the whole box round all of these are made sooner than round each.
static bool is_crowd(const rp_grid_t *self, const rp_extent_t *extent, size_t count)
{
    return count >= CROWD_FROM && !self->shape.wraps &&
           (uint64_t)(extent->right - extent->left + 1u) * (extent->bottom - extent->top + 1u) <=
               (uint64_t)count * CROWD_CELLS;
}

static bool toggles(const rp_change_t *change)
{
    return (change->after != 0) != (change->before != 0);
}

/// Make the moves round one patch of toggled cells after the other.
static void refresh_patches(rp_grid_t *self, const rp_change_t *changes, size_t count)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        rp_extent_builder_t patch = rp_extent_builder_at(self, changes[begin].cell);
        end = begin + 1u;
        if (!toggles(&changes[begin])) {
            continue;
        }
        for (; end < count; end++) {
            const rp_extent_builder_t wider =
                rp_extent_builder_with(patch, rp_extent_builder_at(self, changes[end].cell));
            if (toggles(&changes[end]) && !rp_patch_moves_holds(self, &wider)) {
                break;
            }
            patch = toggles(&changes[end]) ? wider : patch;
        }
        if (rp_patch_moves_suits(self, &patch)) {
            const rp_extent_t extent = rp_extent_builder_extent(self, patch);
            rp_patch_moves_refresh(self, &extent);
        } else {
            refresh_each(self, changes + begin, end - begin);
        }
    }
}

uint8_t rp_grid_set(rp_grid_t *self, rp_cell_t cell, uint8_t factor)
{
    rp_change_t change = {.cell = cell, .after = factor};
    rp_grid_write(self, &change, 1);
    self->last_changes = NULL; // gone
    return change.before;
}

/// What stands round the changes of a patch may come from memory: all at once.
/// GCC 12 drops the call of a function that only prefetches, unless it was inlined before.
static inline __attribute__((always_inline)) void prefetch(const rp_grid_t *self, rp_cell_t first,
                                                           rp_cell_t last)
{
    const uint32_t stride = self->stride;
    __builtin_prefetch(&self->factor[first]);
    __builtin_prefetch(&self->factor[last]);
    __builtin_prefetch(&self->factor[first - stride]);
    __builtin_prefetch(&self->factor[last + stride]);
    __builtin_prefetch(&self->factor[first + stride]);
    __builtin_prefetch(&self->moves[first - stride], 1);
    __builtin_prefetch(&self->moves[last + stride], 1);
    __builtin_prefetch(&self->moves[first], 1);
    __builtin_prefetch(&self->moves[last], 1);
    __builtin_prefetch(&self->moves[first + stride], 1);
}

static rp_batch_summary_t write_all(rp_grid_t *self, rp_change_t *changes, size_t count)
{
    prefetch(self, changes[0].cell, changes[count - 1u].cell);
    const bool is_wide = count >= CROWD_FROM && count >= self->cell_count / WIDE_SHARE;
    const written_t written = is_wide ? write_factors(self, changes, count, true)
                                      : write_factors(self, changes, count, false);
    const rp_extent_t extent = rp_extent_builder_extent(self, written.extent);
    if (!written.has_toggled) {
        return (rp_batch_summary_t){extent, written.has_cheaper, written.has_same};
    }
    if (rp_patch_moves_holds(self, &written.extent) &&
        rp_patch_moves_suits(self, &written.extent)) {
        rp_patch_moves_refresh(self, &extent);
    } else if (is_crowd(self, &extent, count)) {
        refresh_box(self, extent.left - 1u, extent.top - 1u, extent.right - extent.left + 1u,
                    extent.bottom - extent.top + 1u);
    } else {
        refresh_patches(self, changes, count);
    }
    return (rp_batch_summary_t){extent, written.has_cheaper, written.has_same};
}

void rp_grid_write(rp_grid_t *self, rp_change_t *changes, size_t count)
{
    if (count == 0) {
        return;
    }
    self->last = write_all(self, changes, count);
    self->last_count = count;
    self->last_changes = changes;
    self->last_end = self->written;
}

/// Cells that are counted in bytes, of which many are added at a time.
#define COUNTED_AT_ONCE 255u

/// Number of cells that do not block.
static uint32_t count_free(const uint8_t *factors, uint32_t count)
{
    uint32_t free = 0;
    for (uint32_t first = 0; first < count; first += COUNTED_AT_ONCE) {
        const uint32_t left = count - first;
        const uint32_t end = first + (left < COUNTED_AT_ONCE ? left : COUNTED_AT_ONCE);
        uint8_t some = 0;
        for (uint32_t i = first; i < end; i++) {
            some += factors[i] != 0;
        }
        free += some;
    }
    return free;
}

/// Write the factors of a row, all of it or a piece; moves are not looked at.
/// @return the greatest but the unit, which is known
static uint8_t write_row(rp_grid_t *self, uint8_t *row, const uint8_t *factors, uint32_t count)
{
    const uint8_t unit = self->shape.unit;
    uint8_t other = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t factor = factors[i] & (uint8_t) - (factors[i] != unit); // many at a time
        other = other > factor ? other : factor;
    }
    self->free_count += count_free(factors, count) - count_free(row, count);
    memcpy(row, factors, count);
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
    self->written += (uint64_t)width * height;
    refresh_box(self, x, y, width, height);
}

void rp_grid_fill(rp_grid_t *self, const uint8_t *factors)
{
    rp_grid_fill_box(self, 0, 0, self->shape.width, self->shape.height, factors);
}

// ---- copies

rp_status_t rp_grid_new_blank(const rp_grid_shape_t *shape, rp_grid_t **grid)
{
    return grid != NULL ? new_of_shape(shape, grid) : RP_E_INVALID;
}

rp_status_t rp_grid_new_brief(const rp_grid_shape_t *shape, rp_grid_t **grid)
{
    const rp_status_t status = rp_grid_new_blank(shape, grid);
    if (status == RP_OK) {
        rp_memory_make_sparse((*grid)->moves, (*grid)->cell_count, 1);
        rp_memory_make_sparse((*grid)->factor, (*grid)->cell_count, 1);
    }
    return status;
}

void rp_grid_prefault_rows(rp_grid_t *self, uint32_t y, uint32_t count)
{
    const rp_cell_t first = rp_grid_cell(self, 0, y);
    const rp_cell_t end = first + count * self->stride;
    rp_memory_prefault(self->factor, self->cell_count, 1, first, end);
    rp_memory_prefault(self->moves, self->cell_count, 1, first, end);
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
    self->written += places;
    memcpy(self->factor + first, from->factor + first, places);
    memcpy(self->moves + first, from->moves + first, places);
}

void rp_grid_copy_cell(rp_grid_t *self, const rp_grid_t *from, rp_cell_t cell)
{
    copy_sums(self, from);
    self->written++;
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
