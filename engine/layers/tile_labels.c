/// Connected component labelling by runs (union and find), one tile at a time.
#include "engine/layers/tile_labels.h"

#include <string.h>

/// A row of free and blocked cells in turns has the most runs.
#define RUNS_MAX (RP_TILE_SIDE * RP_TILE_SIDE / 2u)

/// Labels in a word of 64 bits.
#define FOUR 4u

/// A stretch of free cells of a row.
typedef struct run {
    uint8_t first;
    uint8_t last;
    uint16_t root;  ///< a run before it of the same component; itself at the top
    uint16_t label; ///< of the component; at first of runs at the top only. 0: none so far
} run_t;

typedef struct runs {
    run_t runs[RUNS_MAX];                ///< row by row [row_end of the last row]
    uint16_t row_end[RP_TILE_SIDE + 1u]; ///< of the row before: where its runs end
} runs_t;

// ---- the bits of a row

/// One bit a byte: it is not 0.
static unsigned nonzero_of(const uint8_t *eight)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    uint64_t bytes;
    memcpy(&bytes, eight, sizeof bytes);
    const uint64_t tops = (((bytes & low) + low) | bytes) & ~low;
    return (unsigned)((tops >> 7) * 0x0102040810204080u >> 56);
}

/// The free cells of a row, one bit each.
static uint64_t free_bits(const uint8_t *factors, uint32_t width)
{
    uint64_t bits = 0;
    uint32_t x = 0;
    for (; x + 8u <= width; x += 8u) {
        bits |= (uint64_t)nonzero_of(factors + x) << x;
    }
    for (; x < width; x++) {
        bits |= (uint64_t)(factors[x] != 0) << x;
    }
    return bits;
}

bool rp_tile_is_open(const rp_grid_t *grid, const rp_tile_area_t *area)
{
    uint32_t row = 0;
    while (row < area->height &&
           memchr(&grid->factor[rp_grid_cell(grid, area->left, area->top + row)], 0, area->width) ==
               NULL) {
        row++;
    }
    return row == area->height;
}

// ---- runs

static uint16_t top_of(run_t *runs, uint16_t at)
{
    while (runs[at].root != at) {
        at = runs[at].root = runs[runs[at].root].root;
    }
    return at;
}

/// The lower one stands above, so a root stands before all runs of its component.
static void unite(run_t *runs, uint16_t a, uint16_t b)
{
    a = top_of(runs, a);
    b = top_of(runs, b);
    if (a < b) {
        runs[b].root = a;
    } else {
        runs[a].root = b;
    }
}

/// Append the runs of a row. @return the number of all runs
static uint16_t add_row(run_t *runs, uint16_t count, uint64_t bits)
{
    while (bits != 0) {
        const unsigned first = (unsigned)__builtin_ctzll(bits);
        const uint64_t blocked = ~(bits >> first); // 0 only for a row that is free everywhere
        const unsigned length = blocked != 0 ? (unsigned)__builtin_ctzll(blocked) : RP_TILE_SIDE;
        runs[count] = (run_t){(uint8_t)first, (uint8_t)(first + length - 1u), count, 0};
        count++;
        bits = length == RP_TILE_SIDE ? 0 : bits & ~((((uint64_t)1 << length) - 1u) << first);
    }
    return count;
}

/// Join the runs of a row with those above that they touch.
static void join_rows(run_t *runs, uint16_t above, uint16_t begin, uint16_t end)
{
    uint16_t below = begin;
    for (const uint16_t above_end = begin; above < above_end && below < end;) {
        if (runs[above].first <= runs[below].last && runs[below].first <= runs[above].last) {
            unite(runs, above, below);
        }
        if (runs[above].last < runs[below].last) {
            above++;
        } else {
            below++;
        }
    }
}

static void find_runs(runs_t *self, const rp_grid_t *grid, const rp_tile_area_t *area)
{
    uint16_t count = 0;
    self->row_end[0] = 0;
    for (uint32_t row = 0; row < area->height; row++) {
        const uint8_t *factors = &grid->factor[rp_grid_cell(grid, area->left, area->top + row)];
        const uint16_t begin = count;
        count = add_row(self->runs, count, free_bits(factors, area->width));
        join_rows(self->runs, row != 0 ? self->row_end[row - 1u] : begin, begin, count);
        self->row_end[row + 1u] = count;
    }
}

// ---- labels

/// Have each run know the top of its component.
static void flatten(run_t *runs, uint16_t count)
{
    for (uint16_t i = 0; i < count; i++) {
        runs[i].root = runs[runs[i].root].root;
    }
}

/// Give the component of a run a label, if it has none.
static void label_run(run_t *runs, const run_t *run, uint16_t *labels)
{
    run_t *top = &runs[run->root];
    top->label = top->label != 0 ? top->label : ++*labels;
}

/// Label what reaches the border. @return how many labels that takes
static uint16_t label_border(runs_t *self, const rp_tile_area_t *area)
{
    uint16_t labels = 0;
    for (uint32_t row = 0; row < area->height; row++) {
        const bool is_outer = row == 0 || row + 1u == area->height;
        const run_t *end = &self->runs[self->row_end[row + 1u]];
        for (const run_t *run = &self->runs[self->row_end[row]]; run < end; run++) {
            if (is_outer || run->first == 0 || run->last + 1u == area->width) {
                label_run(self->runs, run, &labels);
            }
        }
    }
    return labels;
}

/// Label what lies within. @param labels  of the border
static void label_rest(runs_t *self, uint16_t count, uint16_t labels)
{
    for (run_t *run = self->runs; run < self->runs + count; run++) {
        label_run(self->runs, run, &labels);
        run->label = self->runs[run->root].label;
    }
}

/// Write a row, four labels at a time: what they write behind the end of a run is written again.
static void write_row(const run_t *run, const run_t *end, uint16_t *labels, uint32_t width)
{
    uint16_t row[RP_TILE_SIDE + FOUR] = {0};
    const uint64_t blocked = 0;
    for (; run < end; run++) {
        const uint64_t four = run->label * UINT64_C(0x0001000100010001);
        for (uint32_t x = run->first; x <= run->last; x += FOUR) {
            memcpy(row + x, &four, sizeof four);
        }
        memcpy(row + run->last + 1u, &blocked, sizeof blocked);
    }
    memcpy(labels, row, width * sizeof *labels);
}

uint16_t rp_tile_labels_write(const rp_grid_t *grid, const rp_tile_area_t *area, uint16_t *labels,
                              size_t stride)
{
    runs_t found;
    find_runs(&found, grid, area);
    const uint16_t count = found.row_end[area->height];
    flatten(found.runs, count);
    const uint16_t at_border = label_border(&found, area);
    label_rest(&found, count, at_border);
    for (uint32_t row = 0; row < area->height; row++) {
        write_row(&found.runs[found.row_end[row]], &found.runs[found.row_end[row + 1u]],
                  labels + row * stride, area->width);
    }
    return at_border;
}
