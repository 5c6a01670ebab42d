/// The map under jump point search: free bits are written, stops and leads follow word by word.
#include "planners/jump/jump_map.h"

#include <string.h>

#include "planners/jump/jump_four.h"

// ---- all words: nothing but the free bits is true

#define PASSES 5u ///< over squares, then over each axis forth and back

static size_t words_of_pass(const rp_jump_map_t *self, unsigned pass)
{
    const rp_strips_t *axis = pass < 3u ? &self->rows : &self->columns;
    return (size_t)axis->word_count * axis->line_stride;
}

RP_LINE_LOOP void settle_squares(rp_jump_map_t *self, size_t place)
{
    const uint64_t *free = self->rows.free + place;
    const uint64_t *right = free + self->rows.line_stride;
    rp_jump_four_t squares = ~(rp_jump_four_t){0};
    for (unsigned line = 0; line < 2u; line++) {
        rp_jump_four_t here;
        rp_jump_four_t next;
        rp_jump_four_get(&here, free + line);
        rp_jump_four_get(&next, right + line);
        squares &= here & (here >> 1 | next << 63);
    }
    rp_jump_four_put(&squares, self->squares + place);
}

/// Some words of a pass, from its first one on.
RP_LINE_LOOP void settle_stretch(rp_jump_map_t *self, unsigned pass, size_t from, size_t to)
{
    rp_strips_t *axis = pass < 3u ? &self->rows : &self->columns;
    const size_t end = words_of_pass(self, pass);
    rp_jump_four_jumps_t four;
    if (pass == 0) {
        for (size_t place = from; place < to; place += RP_LINES) {
            settle_squares(self, place);
        }
    } else if ((pass & 1u) != 0) {
        for (size_t place = from; place < to; place += RP_LINES) {
            rp_jump_four_settle_stops(axis, place);
            rp_jump_four_settle_leads(&four, axis, RP_BACKWARD,
                                      place); // the words behind are settled
        }
    } else {
        for (size_t place = end - from; place != end - to; place -= RP_LINES) {
            rp_jump_four_settle_leads(&four, axis, RP_ONWARD, place - RP_LINES);
        }
    }
}

/// @param words  so many at most, a multiple of four
/// @return false when words are left
RP_LINE_LOOP bool settle_all(rp_jump_map_t *self, size_t words)
{
    while (self->settling < PASSES) {
        const size_t end = words_of_pass(self, self->settling);
        const size_t count = end - self->settled < words ? end - self->settled : words;
        settle_stretch(self, self->settling, self->settled, self->settled + count);
        self->settled += count;
        words -= count;
        if (self->settled != end) {
            return false;
        }
        self->settling++;
        self->settled = 0;
    }
    return true;
}

// ---- words that changed

#define NONE UINT32_MAX

/// Mark words of these lines of a block.
static inline void mark(rp_strips_t *self, uint32_t block, uint64_t lines)
{
    self->dirty[block] |= lines;
    self->marked[block >> 6] |= (uint64_t)1 << (block & 63u);
}

/// The same, and the lines beside them that are of another block.
static void mark_with_next(rp_strips_t *self, uint32_t block, uint64_t lines)
{
    mark(self, block, lines);
    if ((lines & 1u) != 0) {
        mark(self, block - 1u, (uint64_t)1 << 63);
    }
    if (lines >> 63 != 0) {
        mark(self, block + 1u, 1);
    }
}

/// Free bits changed in words of lines that follow each other: stops follow in these, in the lines
/// beside them (see settle_marked_up()), and across their ends. The rim never changes, so there are
/// such.
/// @param lines    of the block of 64 lines with this number
/// @param changed  bits of those words
static inline void mark_round(rp_strips_t *self, uint32_t word, uint32_t number, uint64_t lines,
                              uint64_t changed)
{
    const uint64_t ends = (uint64_t)1 << 63 | 1u;
    const uint32_t block = word << self->block_bits | number;
    if (__builtin_expect(((lines | changed) & ends) == 0, 1)) {
        mark(self, block, lines);
        return;
    }
    mark_with_next(self, block, lines);
    if ((changed & 1u) != 0) {
        mark_with_next(self, block - (1u << self->block_bits), lines);
    }
    if (changed >> 63 != 0) {
        mark_with_next(self, block + (1u << self->block_bits), lines);
    }
}

/// The first block from this one on that is marked. @return NONE when there is none
static inline uint32_t marked_from(const rp_strips_t *self, uint32_t block)
{
    for (uint32_t i = block >> 6; i < self->marked_count; i++) {
        const uint64_t bits =
            self->marked[i] & (i == block >> 6 ? ~(uint64_t)0 << (block & 63u) : ~(uint64_t)0);
        if (bits != 0) {
            return i * 64u + (uint32_t)__builtin_ctzll(bits);
        }
    }
    return NONE;
}

/// The last one before this. @return NONE when there is none
static inline uint32_t marked_before(const rp_strips_t *self, uint32_t block)
{
    for (uint32_t i = block >> 6; i != NONE; i--) {
        const uint64_t bits =
            self->marked[i] &
            (i == block >> 6 ? ((uint64_t)1 << (block & 63u)) - 1u : ~(uint64_t)0);
        if (bits != 0) {
            return i * 64u + 63u - (uint32_t)__builtin_clzll(bits);
        }
    }
    return NONE;
}

/// Where the words of a block begin.
static inline size_t place_of_block(const rp_strips_t *self, uint32_t block)
{
    const uint32_t number = block & ((1u << self->block_bits) - 1u);
    return (size_t)(block >> self->block_bits) * self->line_stride + (size_t)number * 64u;
}

/// The first four lines that are marked in a block, taken out of it. @return the first of them
static inline unsigned take_lines(uint64_t *lines)
{
    const unsigned first = (unsigned)__builtin_ctzll(*lines) & ~(RP_LINES - 1u);
    *lines &= ~((((uint64_t)1 << RP_LINES) - 1u) << first);
    return first;
}

/// Settle what leads somewhere in four words, then in those from which jumps enter these, and so on
/// as far as there is news.
RP_LINE_LOOP void follow(rp_strips_t *self, enum rp_scan way, size_t place)
{
    const size_t stride = self->line_stride;
    const size_t last_word = (self->word_count - 1u) * stride;
    rp_jump_four_jumps_t four;
    rp_jump_four_settle_leads(&four, self, way, place);
    while (way == RP_ONWARD ? place >= stride : place < last_word) {
        rp_jump_four_t entries;
        rp_jump_four_enter(&entries, &four, way);
        place = way == RP_ONWARD ? place - stride : place + stride;
        rp_jump_four_get(&four.leads, self->leads[way] + place);
        const rp_jump_four_t news =
            (way == RP_ONWARD ? four.leads >> 63 : four.leads & 1u) ^ entries;
        if (!rp_jump_four_is_any(&news)) {
            return;
        }
        rp_jump_four_load(&four, self, way, place);
        rp_jump_four_lead(&four, &entries, way);
        rp_jump_four_put(&four.leads, self->leads[way] + place);
    }
}

/// From the first word to the last: squares and stops, and what leads backward.
RP_LINE_LOOP void settle_marked_up(rp_jump_map_t *self, rp_strips_t *axis)
{
    for (uint32_t block = marked_from(axis, 0); block != NONE;
         block = marked_from(axis, block + 1u)) {
        const size_t begin = place_of_block(axis, block);
        uint64_t lines = axis->dirty[block];
        lines |= lines << 1 | lines >> 1;
        axis->dirty[block] = lines;
        while (lines != 0) {
            const size_t place = begin + take_lines(&lines);
            if (axis == &self->rows) {
                settle_squares(self, place);
            }
            rp_jump_four_settle_stops(axis, place);
            follow(axis, RP_BACKWARD, place);
        }
    }
}

/// From the last word to the first, what leads onward; nothing is dirty any more.
RP_LINE_LOOP void settle_marked_down(rp_strips_t *self)
{
    const uint32_t end = self->marked_count * 64u - 1u;
    for (uint32_t block = marked_before(self, end); block != NONE;
         block = marked_before(self, block)) {
        const size_t begin = place_of_block(self, block);
        for (uint64_t lines = self->dirty[block]; lines != 0;) {
            follow(self, RP_ONWARD, begin + take_lines(&lines));
        }
        self->dirty[block] = 0;
        self->marked[block >> 6] &= ~((uint64_t)1 << (block & 63u));
    }
}

RP_LINE_LOOP void settle_marked(rp_jump_map_t *self)
{
    settle_marked_up(self, &self->rows);
    settle_marked_up(self, &self->columns);
    settle_marked_down(&self->rows);
    settle_marked_down(&self->columns);
}

// ---- all of it

RP_LINE_LOOP bool settle_words(rp_jump_map_t *self, size_t words)
{
    if (self->is_new && !settle_all(self, words)) {
        return false;
    }
    settle_marked(self); // of a new map, what was written while it was settled
    self->is_new = false;
    return true;
}

static bool settle_words_plain(rp_jump_map_t *self, size_t words)
{
    return settle_words(self, words);
}

RP_FOR_AVX2 static bool settle_words_fast(rp_jump_map_t *self, size_t words)
{
    return settle_words(self, words);
}

bool rp_jump_map_settle_some(rp_jump_map_t *self, size_t words)
{
    if (self->simd >= RP_SIMD_AVX2) {
        return settle_words_fast(self, words);
    }
    return settle_words_plain(self, words);
}

void rp_jump_map_settle(rp_jump_map_t *self)
{
    (void)rp_jump_map_settle_some(self, SIZE_MAX - RP_LINES + 1u);
}

// ---- writing

/// A word that is settled already is to be looked at again.
static bool must_mark(const rp_jump_map_t *self)
{
    return !self->is_new || self->settling != 0 || self->settled != 0;
}

void rp_jump_map_set(rp_jump_map_t *self, uint32_t column, uint32_t row, bool is_free)
{
    rp_strips_t *rows = &self->rows;
    rp_strips_t *columns = &self->columns;
    const uint64_t in_row = (uint64_t)1 << (column & 63u);
    const uint64_t in_column = (uint64_t)1 << (row & 63u);
    uint64_t *word = &rows->free[rp_strips_place(rows, row, column)];
    if (((*word & in_row) != 0) == is_free) {
        return;
    }
    *word ^= in_row;
    columns->free[rp_strips_place(columns, column, row)] ^= in_column;
    if (must_mark(self)) {
        mark_round(rows, column >> 6, row >> 6, in_column, in_row);
        mark_round(columns, row >> 6, column >> 6, in_row, in_column);
    }
}

/// Places that are written one by one: of more, turning a whole square takes less.
#define FLIPPED_SINGLY 64u

/// Turn a square of bits about its diagonal: bit c of rows[r] goes to bit r of rows[c].
static void transpose(uint64_t rows[64])
{
    uint64_t mask = UINT64_C(0x00000000ffffffff);
    for (unsigned half = 32; half != 0; half /= 2u, mask ^= mask << half) {
        for (unsigned block = 0; block < 64u; block += 2u * half) {
            for (unsigned i = block; i < block + half; i++) {
                const uint64_t swapped = ((rows[i] >> half) ^ rows[i + half]) & mask;
                rows[i] ^= swapped << half;
                rows[i + half] ^= swapped;
            }
        }
    }
}

/// The bits of word `word` of a line that are inside the rim.
static uint64_t inside(uint32_t word, uint32_t side)
{
    const uint64_t beyond_first = word == 0 ? ~(uint64_t)1 : ~(uint64_t)0;
    const uint32_t end = side + 1u; // the first position on the far rim
    if (end <= word * 64u) {
        return 0;
    }
    return end >= word * 64u + 64u ? beyond_first
                                   : beyond_first & (((uint64_t)1 << (end & 63u)) - 1u);
}

/// True when so few places changed that they are written one by one.
/// @param lines  rows with places that changed
static bool are_few(const uint64_t changed[64], uint64_t lines)
{
    uint32_t count = 0;
    for (; lines != 0 && count <= FLIPPED_SINGLY; lines &= lines - 1u) {
        count += (uint32_t)__builtin_popcountll(changed[__builtin_ctzll(lines)]);
    }
    return count <= FLIPPED_SINGLY;
}

/// Turn the places that changed, of rows 0 .. 63, over to the columns.
/// @param flipped  the words of the columns, of which these bits flip [64]
/// @param changed  by row, overwritten
/// @param lines    rows and columns with places that changed
static void flip_columns(uint64_t *flipped, uint64_t changed[64], const uint64_t lines[2])
{
    if (are_few(changed, lines[0])) {
        for (uint64_t bits = lines[0]; bits != 0; bits &= bits - 1u) {
            const unsigned row = (unsigned)__builtin_ctzll(bits);
            for (uint64_t places = changed[row]; places != 0; places &= places - 1u) {
                flipped[__builtin_ctzll(places)] ^= (uint64_t)1 << row;
            }
        }
        return;
    }
    transpose(changed);
    for (uint64_t bits = lines[1]; bits != 0; bits &= bits - 1u) {
        const unsigned column = (unsigned)__builtin_ctzll(bits);
        flipped[column] ^= changed[column];
    }
}

uint64_t rp_jump_map_set_tile(rp_jump_map_t *self, uint32_t tile_column, uint32_t tile_row,
                              uint64_t which, uint64_t rows[64])
{
    const rp_strips_t *axis = &self->rows;
    const uint64_t columns_inside = inside(tile_column, self->width);
    const uint64_t written = which & inside(tile_row, self->height);
    uint64_t *free = axis->free + (size_t)tile_column * axis->line_stride + tile_row * 64u;
    uint64_t lines[2] = {0, 0}; // rows and columns with places that change
    for (uint32_t i = 0; i < 64u; i++) {
        if (((written >> i) & 1u) == 0) {
            rows[i] = 0;
            continue;
        }
        rows[i] = (rows[i] & columns_inside) ^ free[i];
        free[i] ^= rows[i];
        lines[0] |= (uint64_t)(rows[i] != 0) << i;
        lines[1] |= rows[i];
    }
    if (lines[0] == 0) {
        return 0;
    }
    axis = &self->columns;
    flip_columns(axis->free + (size_t)tile_row * axis->line_stride + tile_column * 64u, rows,
                 lines);
    if (must_mark(self)) {
        mark_round(&self->rows, tile_column, tile_row, lines[0], lines[1]);
        mark_round(&self->columns, tile_row, tile_column, lines[1], lines[0]);
    }
    return lines[0];
}

// ---- birth and death

/// Lines of at least 64 places (see settle_stretch), an odd number of cache lines.
static uint32_t line_stride_of(uint32_t line_count)
{
    const uint32_t stride = (line_count + 7u) & ~7u;
    return stride < 72u ? 72u : stride % 16u == 0 ? stride + 8u : stride;
}

#define ARRAYS 6u ///< of each axis, `squares` among them
#define AHEAD  8u ///< words before the first array: the rim's neighbour is looked at

static size_t words_of_array(const rp_strips_t *self)
{
    return (size_t)(self->word_count + 2u) * self->line_stride;
}

static size_t words_of_dirty(const rp_strips_t *self)
{
    return (size_t)self->word_count << self->block_bits;
}

static size_t words_of_axis(const rp_strips_t *self)
{
    const size_t words =
        AHEAD + ARRAYS * words_of_array(self) + words_of_dirty(self) + self->marked_count;
    return (words + 7u) & ~(size_t)7u; // whole cache lines
}

static rp_strips_t strips_of(uint32_t line_count, uint32_t length)
{
    rp_strips_t strips = {
        .line_count = line_count,
        .line_stride = line_stride_of(line_count),
        .word_count = (length + 63u) / 64u,
    };
    while (line_count > 64u << strips.block_bits) {
        strips.block_bits++;
    }
    strips.marked_count = (uint32_t)(words_of_dirty(&strips) / 64u + 1u);
    return strips;
}

/// @param memory  zeroed [words_of_axis()]
/// @return where the sixth array begins
static uint64_t *strips_init(rp_strips_t *self, uint64_t *memory)
{
    const size_t words = words_of_array(self);
    self->memory = memory;
    uint64_t *array = self->memory + AHEAD + self->line_stride;
    self->free = array;
    self->stop[RP_ONWARD] = array + words;
    self->stop[RP_BACKWARD] = array + 2u * words;
    self->leads[RP_ONWARD] = array + 3u * words;
    self->leads[RP_BACKWARD] = array + 4u * words;
    self->dirty = self->memory + AHEAD + ARRAYS * words;
    self->marked = self->dirty + words_of_dirty(self);
    return array + 5u * words;
}

/// Both axes stand together: one reads as much of the one as of the other.
void rp_jump_map_init(rp_jump_map_t *self, uint32_t width, uint32_t height, rp_arena_t *arena)
{
    *self =
        (rp_jump_map_t){.width = width, .height = height, .is_new = true, .simd = rp_simd_best()};
    self->rows = strips_of(height + 2u, width + 2u);
    self->columns = strips_of(width + 2u, height + 2u);
    self->words = words_of_axis(&self->rows) + words_of_axis(&self->columns);
    uint64_t *memory = rp_arena_new_dense(arena, self->words, sizeof *memory);
    if (memory != NULL) {
        self->squares = strips_init(&self->rows, memory);
        (void)strips_init(&self->columns, memory + words_of_axis(&self->rows));
    }
}

// ---- invariants

/// What is settled of one axis is what was settled of another at once.
static bool is_same(const rp_strips_t *self, const rp_strips_t *anew)
{
    bool is_same = true;
    for (uint32_t word = 0; word < self->word_count; word++) {
        const size_t first = (size_t)word * self->line_stride + 1u;
        const size_t bytes = (self->line_count - 2u) * sizeof *self->free;
        is_same = is_same && memcmp(self->free + first, anew->free + first, bytes) == 0;
        for (enum rp_scan way = RP_ONWARD; way <= RP_BACKWARD; way++) {
            is_same = is_same &&
                      memcmp(self->stop[way] + first, anew->stop[way] + first, bytes) == 0 &&
                      memcmp(self->leads[way] + first, anew->leads[way] + first, bytes) == 0;
        }
    }
    return is_same;
}

bool rp_jump_map_check(const rp_jump_map_t *self)
{
    rp_arena_t arena = {0};
    rp_jump_map_t anew;
    rp_jump_map_init(&anew, self->width, self->height, &arena);
    bool is_true = !arena.is_short;
    for (uint32_t place = 0; place < self->width * self->height && is_true; place++) {
        const uint32_t column = place % self->width + 1u;
        const uint32_t row = place / self->width + 1u;
        rp_jump_map_set(&anew, column, row, rp_jump_map_is_free(self, column, row));
    }
    if (is_true) {
        rp_jump_map_settle(&anew);
        is_true = is_same(&self->rows, &anew.rows) && is_same(&self->columns, &anew.columns);
    }
    for (uint32_t place = 0; place < self->width * self->height && is_true; place++) {
        const size_t word =
            rp_strips_place(&self->rows, place / self->width + 1u, place % self->width + 1u);
        is_true = self->squares[word] == anew.squares[word];
    }
    rp_arena_free(&arena, NULL);
    return is_true;
}
