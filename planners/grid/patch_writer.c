#include "planners/grid/patch_writer.h"

#include "base/memory.h"
#include "base/simd.h"
#include "planners/grid/batch_summary.h"
#include "planners/grid/free_bits.h"

// ---- bits

/// The window is 8 rows; so many of them are above the first change.
#define ABOVE 2u

/// Changes lie in a frame of 8 columns and 4 rows, with the first of them in its first row and so
/// many columns before it. A bit of the frame is 8 * row + column.
#define BEFORE 3u

static size_t bytes_of_bits(const rp_grid_t *grid)
{
    return grid->cell_count / 8u + RP_PATCH_WRITER_WORD;
}

/// A mark for each row, and room to look at 8 of them at once.
static size_t bytes_of_marks(const rp_grid_t *grid)
{
    return grid->shape.height + 2u + 8u;
}

rp_status_t rp_patch_writer_init(rp_grid_t *grid)
{
    const bool has_words = grid->stride >= 8u * RP_PATCH_WRITER_WORD; // one for each row
    if (rp_simd_best() < RP_SIMD_AVX2 || !has_words || grid->shape.wraps || grid->shape.unit != 1) {
        return RP_OK;
    }
    grid->bits = rp_memory_new(bytes_of_bits(grid), 1);
    grid->bits_are_old = rp_memory_new(bytes_of_marks(grid), 1);
    return grid->bits != NULL && grid->bits_are_old != NULL ? RP_OK : RP_E_MEMORY;
}

void rp_patch_writer_fini(rp_grid_t *grid)
{
    rp_memory_free(grid->bits, bytes_of_bits(grid), 1, grid->deferred_free);
    rp_memory_free(grid->bits_are_old, bytes_of_marks(grid), 1, grid->deferred_free);
}

void rp_patch_writer_prefault(rp_grid_t *grid, rp_cell_t first, rp_cell_t end)
{
    rp_memory_prefault(grid->bits, bytes_of_bits(grid), 1, first / 8u, end / 8u);
}

void rp_patch_writer_warm(const rp_grid_t *grid)
{
    rp_memory_warm(grid->moves, grid->cell_count);
    rp_memory_warm(grid->factor, grid->cell_count);
    rp_memory_warm(grid->bits, bytes_of_bits(grid));
}

void rp_patch_writer_forget_rows(rp_grid_t *grid, uint32_t row, uint32_t count)
{
    if (grid->bits != NULL) {
        memset(grid->bits_are_old + row, 1, count);
    }
}

void rp_patch_writer_note(rp_grid_t *grid, const rp_extent_t *extent, const rp_change_t *changes,
                          size_t count)
{
    if (grid->bits == NULL) {
        return;
    }
    const uint32_t rows = extent->bottom - extent->top + 1u;
    if (grid->weighted || count > (size_t)rows * grid->stride / 8u) {
        rp_patch_writer_forget_rows(grid, extent->top, rows); // to read these is sooner done
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const rp_cell_t cell = changes[i].cell;
        const unsigned others = grid->bits[cell / 8u] & ~(1u << cell % 8u);
        grid->bits[cell / 8u] = (uint8_t)(others | (unsigned)(changes[i].after != 0) << cell % 8u);
    }
}

/// Rows are whole bytes long.
void rp_patch_writer_read_rows(rp_grid_t *grid, uint32_t row, uint32_t count)
{
    if (grid->bits == NULL) {
        return;
    }
    const uint8_t *factors = grid->factor + (size_t)row * grid->stride;
    uint8_t *bits = grid->bits + (size_t)row * grid->stride / 8u;
    for (size_t left = (size_t)count * grid->stride / 8u; left != 0; left--) {
        *bits++ = (uint8_t)rp_free_bits_of_8(factors);
        factors += 8;
    }
    memset(grid->bits_are_old + row, 0, count);
}

#if RP_HAS_X86

/// Where a window lies.
typedef struct window {
    uint8_t *bits;    ///< of its first row, from a whole byte on
    uint32_t origin;  ///< place of the first of these bits; in the rows below it is the same column
    uint32_t column;  ///< of the frame, from there on
    uint32_t stride;  ///< of the grid
    size_t row_bytes; ///< from row to row
} window_t;

/// The changes of a patch, as bits of its frame.
typedef struct frame {
    uint32_t touched; ///< all of them
    uint32_t turned;  ///< freed or blocked
    uint32_t freed;
} frame_t;

/// True when the window, and lanes round it, lie inside of the arrays, and all ground is plain.
static bool has_window(const rp_grid_t *grid, rp_cell_t first, size_t count)
{
    const uint32_t stride = grid->stride;
    return grid->bits != NULL && !grid->weighted && count <= RP_PATCH_WRITER_CELLS &&
           first >= 3u * stride + 16u && grid->cell_count >= 7u * stride &&
           first <= grid->cell_count - 7u * stride;
}

static window_t window_of(const rp_grid_t *grid, rp_cell_t first)
{
    const rp_cell_t frame = first - BEFORE - ABOVE * grid->stride;
    const uint32_t origin =
        (frame - 2u) & ~7u; // moves round the frame are read two columns farther
    return (window_t){grid->bits + origin / 8u, origin, frame - origin, grid->stride,
                      grid->stride / 8u};
}

/// Rows that a window lies on: at the sides it reaches into the one before and the one after.
#define WINDOW_ROWS 10u

RP_CALLED_CLEAN static void renew_rows(rp_grid_t *grid, uint32_t row)
{
    for (uint32_t i = row; i < row + WINDOW_ROWS; i++) {
        if (grid->bits_are_old[i] != 0) {
            rp_patch_writer_read_rows(grid, i, 1);
        }
    }
}

/// Have the bits of now in all of these rows.
static inline void have_rows(rp_grid_t *grid, uint32_t row)
{
    uint64_t upper;
    uint64_t lower;
    memcpy(&upper, grid->bits_are_old + row, sizeof upper);
    memcpy(&lower, grid->bits_are_old + row + WINDOW_ROWS - sizeof lower, sizeof lower);
    if ((upper | lower) != 0) {
        renew_rows(grid, row);
    }
}

/// All lines that a patch is written to may come from memory: at once.
/// GCC 12 drops the call of a function that only prefetches, unless it was inlined before.
static inline __attribute__((always_inline)) void prefetch(const rp_grid_t *grid, rp_cell_t first,
                                                           rp_cell_t last)
{
    const uint32_t stride = grid->stride;
    __builtin_prefetch(&grid->moves[first - stride], 1);
    __builtin_prefetch(&grid->moves[first], 1);
    __builtin_prefetch(&grid->moves[first + stride], 1);
    __builtin_prefetch(&grid->moves[last], 1);
    __builtin_prefetch(&grid->moves[last + stride], 1);
    __builtin_prefetch(&grid->factor[first], 1);
    __builtin_prefetch(&grid->factor[first + stride], 1);
    __builtin_prefetch(&grid->factor[last], 1);
}

RP_FOR_AVX2 static inline __m256i load_window(const window_t *window)
{
    int32_t rows[8];
    for (unsigned i = 0; i < 8u; i++) {
        memcpy(&rows[i], window->bits + i * window->row_bytes, RP_PATCH_WRITER_WORD);
    }
    return _mm256_setr_epi32(rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6],
                             rows[7]);
}

/// Write the rows back that may have changed.
RP_FOR_AVX2 static inline void store_window(const window_t *window, __m256i rows)
{
    const __m128i low = _mm256_castsi256_si128(rows);
    const __m128i high = _mm256_extracti128_si256(rows, 1);
    const int32_t changed[RP_PATCH_WRITER_SIDE] = {
        _mm_extract_epi32(low, 2), _mm_extract_epi32(low, 3), _mm_extract_epi32(high, 0),
        _mm_extract_epi32(high, 1)};
    for (unsigned i = 0; i < RP_PATCH_WRITER_SIDE; i++) {
        memcpy(window->bits + (ABOVE + i) * window->row_bytes, &changed[i], RP_PATCH_WRITER_WORD);
    }
}

// ---- changes, eight at a time

RP_FOR_AVX2 static inline __m256i load_four(const rp_change_t *changes)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)changes);
}

RP_FOR_AVX2 static inline void store_four(rp_change_t *changes, __m256i four)
{
    _mm256_storeu_si256((__m256i *)(void *)changes, four);
}

/// Every second element of two lots of four changes: their cells, or what else they say.
RP_FOR_AVX2 static inline __m256i halves(__m256i a, __m256i b, bool are_cells)
{
    const __m256 first = _mm256_castsi256_ps(a);
    const __m256 second = _mm256_castsi256_ps(b);
    return _mm256_castps_si256(are_cells ? _mm256_shuffle_ps(first, second, 0x88)
                                         : _mm256_shuffle_ps(first, second, 0xdd));
}

/// What a look at changes gathers, a lane for each.
typedef struct lanes {
    __m256i touched;
    __m256i turned;
    __m256i freed;
    __m256i alien; ///< any bit but the lowest three: outside of the frame, or a factor above 1
} lanes_t;

/// Look at eight changes in two lots, which may overlap, and write what stood there before.
/// @param words  of the rows of the frame, in the order 0, none, none, none, none, 3, 2, 1
RP_FOR_AVX2 static inline void look_at(const window_t *window, __m256i words, rp_change_t *a,
                                       rp_change_t *b, lanes_t *lanes)
{
    const __m256i one = _mm256_set1_epi32(1);
    const __m256i stride = _mm256_set1_epi32((int)window->stride);
    const __m256i end = _mm256_set1_epi32((int)window->stride - 1); // last place of row 0
    const __m256i end_1 = _mm256_add_epi32(end, stride);
    const __m256i end_2 = _mm256_add_epi32(end_1, stride);
    const __m256i top = _mm256_set1_epi32((int)(window->origin + ABOVE * window->stride));
    const __m256i four = load_four(a);
    const __m256i other = load_four(b);
    const __m256i cells = halves(four, other, true);
    const __m256i said = halves(four, other, false); // before, after, and nothing
    const __m256i after = _mm256_srli_epi32(_mm256_slli_epi32(said, 16), 24);
    const __m256i place = _mm256_sub_epi32(cells, top);
    const __m256i row_0 =
        _mm256_add_epi32(_mm256_cmpgt_epi32(place, end), _mm256_cmpgt_epi32(place, end_1));
    const __m256i minus_row = _mm256_add_epi32(row_0, _mm256_cmpgt_epi32(place, end_2));
    const __m256i shift = _mm256_add_epi32(place, _mm256_mullo_epi32(minus_row, stride));
    const __m256i column = _mm256_sub_epi32(shift, _mm256_set1_epi32((int)window->column));
    const __m256i bit = _mm256_sub_epi32(column, _mm256_slli_epi32(minus_row, 3));
    const __m256i word = _mm256_permutevar8x32_epi32(words, minus_row);
    const __m256i before = _mm256_and_si256(_mm256_srlv_epi32(word, shift), one);
    const __m256i now = _mm256_or_si256(_mm256_slli_epi32(after, 8), before);
    store_four(a, _mm256_unpacklo_epi32(cells, now));
    store_four(b, _mm256_unpackhi_epi32(cells, now));
    const __m256i turned = _mm256_xor_si256(before, after);
    const __m256i freed = _mm256_andnot_si256(before, after);
    lanes->touched = _mm256_or_si256(lanes->touched, _mm256_sllv_epi32(one, bit));
    lanes->turned = _mm256_or_si256(lanes->turned, _mm256_sllv_epi32(turned, bit));
    lanes->freed = _mm256_or_si256(lanes->freed, _mm256_sllv_epi32(freed, bit));
    lanes->alien =
        _mm256_or_si256(lanes->alien, _mm256_or_si256(column, _mm256_slli_epi32(after, 2)));
}

/// All lanes of two together: that of the first in the low half, of the other in the high one.
RP_FOR_AVX2 static inline uint64_t fold(__m256i low, __m256i high)
{
    const __m256i pairs =
        _mm256_or_si256(_mm256_unpacklo_epi32(low, high), _mm256_unpackhi_epi32(low, high));
    const __m128i both =
        _mm_or_si128(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1));
    return (uint64_t)_mm_cvtsi128_si64(both) | (uint64_t)_mm_extract_epi64(both, 1);
}

/// @param count  at least 4
/// @return false when some of them cannot be of a patch
RP_FOR_AVX2 static inline bool frame_of(const window_t *window, __m256i rows, rp_change_t *changes,
                                        size_t count, frame_t *frame)
{
    const __m256i none = _mm256_setzero_si256();
    const __m256i words =
        _mm256_permutevar8x32_epi32(rows, _mm256_setr_epi32(2, 0, 0, 0, 0, 5, 4, 3));
    lanes_t lanes = {none, none, none, none};
    const size_t last = count - 4u;
    for (size_t i = 0; i < count; i += 8u) {
        look_at(window, words, changes + (i < last ? i : last),
                changes + (i + 4u < last ? i + 4u : last), &lanes);
    }
    const uint64_t folded = fold(lanes.turned, lanes.freed);
    frame->touched = (uint32_t)fold(lanes.touched, lanes.touched);
    frame->turned = (uint32_t)folded;
    frame->freed = (uint32_t)(folded >> 32);
    return _mm256_testz_si256(lanes.alien, _mm256_set1_epi32(~7)) != 0;
}

// ---- moves, four rows of eight cells at a time

/// Rows of a window as bytes, for eight columns, from two above the patch on: those of the
/// cells themselves, and those of their neighbours to the west and to the east. Four times.
typedef struct ground {
    __m256i west;
    __m256i here;
    __m256i east;
} ground_t;

/// The lowest byte of each of eight words, from that of row `first` on.
RP_FOR_AVX2 static inline __m256i low_bytes(__m256i words, uint32_t first)
{
    const __m256i low = _mm256_setr_epi64x(0x0c080400, 0x0c080400, 0x0c080400, 0x0c080400);
    const __m256i both = _mm256_setr_epi32(0, 4, 0, 4, 0, 4, 0, 4);
    const __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(words, low), both);
    return _mm256_srl_epi64(bytes, _mm_cvtsi32_si128((int)(8u * first)));
}

/// @param shift  of the westernmost of the eight, in the words of the window
/// @param first  row of the window
RP_FOR_AVX2 static inline ground_t ground_of(__m256i rows, uint32_t shift, uint32_t first)
{
    const __m256i words = _mm256_srl_epi32(rows, _mm_cvtsi32_si128((int)(shift - 1u)));
    return (ground_t){low_bytes(words, first), low_bytes(_mm256_srli_epi32(words, 1), first),
                      low_bytes(_mm256_srli_epi32(words, 2), first)};
}

/// All bits in the byte of each cell that is free, of four rows from `row` on.
RP_FOR_AVX2 static inline __m256i free_cells(__m256i bytes, unsigned row)
{
    const __m256i each = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    const long long all = 0x0101010101010101;
    const __m256i order =
        _mm256_setr_epi64x(row * all, (row + 1u) * all, (row + 2u) * all, (row + 3u) * all);
    return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(bytes, order), each), each);
}

/// Moves so far as higher bits, and below them two more: a diagonal one, and the straight one
/// before it.
RP_FOR_AVX2 static inline __m256i and_two_more(__m256i moves, __m256i slant, __m256i straight)
{
    const __m256i more = _mm256_sub_epi8(_mm256_add_epi8(moves, moves), slant);
    return _mm256_sub_epi8(_mm256_add_epi8(more, more), straight);
}

/// Moves of the cells of four rows, from row `row` of the ground on.
RP_FOR_AVX2 static inline __m256i moves_of(const ground_t *ground, unsigned row, bool has_diagonals)
{
    const __m256i east = free_cells(ground->east, row);
    const __m256i west = free_cells(ground->west, row);
    const __m256i south = free_cells(ground->here, row + 1u);
    const __m256i north = free_cells(ground->here, row - 1u);
    __m256i south_east = _mm256_setzero_si256();
    __m256i south_west = south_east;
    __m256i north_west = south_east;
    __m256i north_east = south_east;
    if (has_diagonals) {
        south_east =
            _mm256_and_si256(_mm256_and_si256(south, east), free_cells(ground->east, row + 1u));
        south_west =
            _mm256_and_si256(_mm256_and_si256(south, west), free_cells(ground->west, row + 1u));
        north_west =
            _mm256_and_si256(_mm256_and_si256(north, west), free_cells(ground->west, row - 1u));
        north_east =
            _mm256_and_si256(_mm256_and_si256(north, east), free_cells(ground->east, row - 1u));
    }
    __m256i moves = and_two_more(_mm256_setzero_si256(), north_east, north);
    moves = and_two_more(moves, north_west, west);
    moves = and_two_more(moves, south_west, south);
    moves = and_two_more(moves, south_east, east);
    return _mm256_and_si256(moves, free_cells(ground->here, row));
}

/// Write up to four rows of eight bytes. @param count  at least 1
RP_FOR_AVX2 static inline void store_rows(uint8_t *to, uint32_t stride, __m256i rows,
                                          uint32_t count)
{
    const __m128i low = _mm256_castsi256_si128(rows);
    const __m128i high = _mm256_extracti128_si256(rows, 1);
    _mm_storel_epi64((__m128i *)(void *)to, low);
    if (count > 1u) {
        _mm_storel_epi64((__m128i *)(void *)(to + stride), _mm_unpackhi_epi64(low, low));
    }
    if (count > 2u) {
        _mm_storel_epi64((__m128i *)(void *)(to + 2u * (size_t)stride), high);
    }
    if (count > 3u) {
        _mm_storel_epi64((__m128i *)(void *)(to + 3u * (size_t)stride),
                         _mm_unpackhi_epi64(high, high));
    }
}

/// Write moves and factors of eight columns.
/// @param first  place of the first of these columns in the first row that changed: row 2 of the
///               ground
/// @param count  of rows that changed
RP_FOR_AVX2 static inline void store_cells(const rp_grid_t *grid, const ground_t *ground,
                                           rp_cell_t first, uint32_t count)
{
    const bool has_diagonals = grid->shape.neighbors == 8;
    const uint32_t stride = grid->stride;
    uint8_t *const moves = grid->moves + first - stride;
    store_rows(moves, stride, moves_of(ground, 1, has_diagonals), count + 2u);
    if (count > 2u) {
        store_rows(moves + 4u * (size_t)stride, stride, moves_of(ground, 5, has_diagonals),
                   count - 2u);
    }
    const __m256i none = _mm256_setzero_si256();
    store_rows(grid->factor + first, stride, _mm256_sub_epi8(none, free_cells(ground->here, 2)),
               count);
}

// ---- the patch

/// The bounding box of cells of a frame.
static rp_extent_t site_of(const rp_grid_t *grid, rp_cell_t first, uint32_t touched)
{
    const uint32_t halves = touched | touched >> 16;
    const uint32_t columns = (halves | halves >> 8) & 0xffu;
    const uint32_t row = rp_grid_row(grid, first);
    const uint32_t column = first - row * grid->stride - BEFORE;
    return (rp_extent_t){column + (uint32_t)__builtin_ctz(columns),
                         column + 31u - (uint32_t)__builtin_clz(columns),
                         row + (uint32_t)__builtin_ctz(touched) / 8u,
                         row + (31u - (uint32_t)__builtin_clz(touched)) / 8u};
}

/// @param changes   at least 4
/// @param distinct  so many cells they must be
RP_FOR_AVX2 static bool write_avx2(rp_grid_t *grid, rp_change_t *changes, size_t count,
                                   size_t distinct, rp_batch_summary_t *summary)
{
    const rp_cell_t first = changes[0].cell;
    const window_t window = window_of(grid, first);
    const __m256i old = load_window(&window);
    frame_t frame;
    if (!frame_of(&window, old, changes, count, &frame) ||
        (size_t)_mm_popcnt_u32(frame.touched) != distinct) {
        return false;
    }
    const rp_extent_t extent = site_of(grid, first, frame.touched);
    // At its sides a frame may reach into the row before, or into the next.
    if (extent.right - extent.left >= RP_PATCH_WRITER_SIDE || extent.left > extent.right ||
        extent.right > grid->shape.width) {
        return false;
    }
    summary->extent = extent;
    summary->has_cheaper = frame.freed != 0;
    grid->free_count +=
        2u * (uint32_t)_mm_popcnt_u32(frame.freed) - (uint32_t)_mm_popcnt_u32(frame.turned);
    if (frame.turned == 0) {
        return true;
    }
    const __m256i turned =
        _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)((uint64_t)frame.turned << 8u * ABOVE)));
    const __m256i rows =
        _mm256_xor_si256(old, _mm256_sll_epi32(turned, _mm_cvtsi32_si128((int)window.column)));
    store_window(&window, rows);
    // Eight columns from that before the patch on.
    const rp_cell_t corner = extent.top * grid->stride + extent.left - 1u;
    const uint32_t row = extent.top - rp_grid_row(grid, first) + ABOVE;
    const ground_t ground =
        ground_of(rows, corner - row * grid->stride - window.origin, row - ABOVE);
    store_cells(grid, &ground, corner, extent.bottom - extent.top + 1u);
    return true;
}

/// Fewer than 4 changes: the first stands for those that are missing.
static bool write_few(rp_grid_t *grid, rp_change_t *changes, size_t count,
                      rp_batch_summary_t *summary)
{
    rp_change_t four[4];
    for (size_t i = 0; i < 4u; i++) {
        four[i] = changes[i < count ? i : 0];
    }
    const bool is_written = write_avx2(grid, four, 4u, count, summary);
    memcpy(changes, four, count * sizeof *four);
    return is_written;
}

bool rp_patch_writer_write(rp_grid_t *grid, rp_change_t *changes, size_t count,
                           rp_batch_summary_t *summary)
{
    const rp_cell_t first = changes[0].cell;
    if (!has_window(grid, first, count)) {
        return false;
    }
    prefetch(grid, first, changes[count - 1u].cell);
    have_rows(grid, rp_grid_row(grid, first) - ABOVE - 1u);
    return count < 4u ? write_few(grid, changes, count, summary)
                      : write_avx2(grid, changes, count, count, summary);
}

#else

bool rp_patch_writer_write(rp_grid_t *grid, rp_change_t *changes, size_t count,
                           rp_batch_summary_t *summary)
{
    (void)grid;
    (void)changes;
    (void)count;
    (void)summary;
    return false;
}

#endif
