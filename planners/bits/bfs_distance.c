/// Rings of hops, some lines of a strip at a time.
#include "planners/bits/bfs_distance.h"

#include <string.h>

#if RP_HAS_X86
#include <immintrin.h>
#endif

/// What is compiled once for each kind of processor.
#define RING_LOOP static inline __attribute__((always_inline))

// ---- a ring

/// Lines that are looked at together, a block.
#define LINES 4u
static_assert(RP_BFS_DISTANCE_PAD == LINES, "a block before the first row");

/// Words of lines that follow each other. Handed on by address: not every processor returns them.
typedef uint64_t lines_t __attribute__((vector_size(LINES * sizeof(uint64_t))));

/// The words of a strip. Those before and behind are of the lines above and below, those a stride
/// away of the strips beside.
typedef struct strip {
    const uint64_t *ring; ///< and those that were met by three moves less, or six ...
    const uint64_t *squares;
    uint64_t *met; ///< by so many moves as the next ring, or three less ...
    uint64_t *unmet;
    size_t stride;
} strip_t;

RING_LOOP void load(lines_t *lines, const uint64_t *words)
{
    memcpy(lines, words, sizeof *lines);
}

RING_LOOP void store(uint64_t *words, const lines_t *lines)
{
    memcpy(words, lines, sizeof *lines);
}

/// Bit i: the word of line i is not 0.
RING_LOOP unsigned lines_used(const lines_t *lines)
{
    const lines_t all = *lines;
    return (unsigned)(all[0] != 0) | (unsigned)(all[1] != 0) << 1 | (unsigned)(all[2] != 0) << 2 |
           (unsigned)(all[3] != 0) << 3;
}

/// The ring in a block, and in the places beside its own.
RING_LOOP void load_ring(lines_t *ring, const strip_t *strip, size_t line)
{
    lines_t left;
    lines_t right;
    load(ring, strip->ring + line);
    load(&left, strip->ring + line - strip->stride);
    load(&right, strip->ring + line + strip->stride);
    *ring |= left >> RP_BFS_DISTANCE_SPAN | right << RP_BFS_DISTANCE_SPAN;
}

/// The lines one below those of a block, and one above.
#define BELOW(block, next)   __builtin_shufflevector(block, next, 1, 2, 3, 4)
#define ABOVE(before, block) __builtin_shufflevector(before, block, 3, 4, 5, 6)

/// Free squares of a block that the ring is in.
RING_LOOP void load_squares(lines_t *squares, const strip_t *strip, size_t line,
                            const lines_t *ring, const lines_t *below)
{
    const lines_t either = *ring | *below;
    load(squares, strip->squares + line);
    *squares &= either | either >> 1;
}

/// The next ring in the lines begin .. end - 1 of a strip, whole blocks.
/// @return where it is
RING_LOOP rp_bfs_distance_stretch_t grow_strip(const strip_t *words, uint32_t begin, uint32_t end,
                                               unsigned (*used)(const lines_t *lines))
{
    const strip_t here = *words; // what is written does not change it
    const strip_t *strip = &here;
    lines_t before;
    lines_t ring;
    lines_t next;
    lines_t squares_before;
    lines_t all = {0};
    uint32_t first = end;
    uint32_t last = begin;
    load_ring(&before, strip, begin - LINES);
    load_ring(&ring, strip, begin);
    lines_t below = BELOW(before, ring);
    load_squares(&squares_before, strip, begin - LINES, &before, &below);
    for (uint32_t line = begin; line < end; line += LINES) {
        lines_t squares;
        lines_t unmet;
        lines_t met;
        load_ring(&next, strip, line + LINES);
        below = BELOW(ring, next);
        load_squares(&squares, strip, line, &ring, &below);
        const lines_t above = ABOVE(before, ring);
        const lines_t beside = squares | ABOVE(squares_before, squares);
        load(&unmet, strip->unmet + line);
        const lines_t news = unmet & (ring << 1 | ring >> 1 | above | below | beside | beside << 1);
        before = ring;
        ring = next;
        squares_before = squares;
        unmet ^= news;
        store(strip->unmet + line, &unmet);
        load(&met, strip->met + line);
        met |= news;
        store(strip->met + line, &met);
        all |= news;
        // Half of the blocks have news, in no order: a branch would cost more than all of this.
        const unsigned lines = used(&news);
        const uint32_t no = (uint32_t)(lines != 0) - 1u;
        const uint32_t from = (line + (uint32_t)__builtin_ctz(lines | 1u << LINES)) | no;
        const uint32_t to = (line + 32u - (uint32_t)__builtin_clz(lines | 1u)) & ~no;
        first = from < first ? from : first;
        last = to > last ? to : last;
    }
    const uint64_t any = all[0] | all[1] | all[2] | all[3];
    return (rp_bfs_distance_stretch_t){first, last, (any >> 1 & 1u) != 0,
                                       (any >> RP_BFS_DISTANCE_SPAN & 1u) != 0};
}

#if RP_HAS_X86
RP_FOR_AVX2 static inline unsigned lines_used_avx2(const lines_t *lines)
{
    const lines_t empty = (lines_t)(*lines == 0);
    __m256d signs;
    memcpy(&signs, &empty, sizeof signs);
    return (unsigned)_mm256_movemask_pd(signs) ^ ((1u << LINES) - 1u);
}
#else
#define lines_used_avx2 lines_used
#endif

RP_FOR_AVX2 static rp_bfs_distance_stretch_t grow_avx2(const strip_t *strip, uint32_t begin,
                                                       uint32_t end)
{
    return grow_strip(strip, begin, end, lines_used_avx2);
}

static rp_bfs_distance_stretch_t grow_plain(const strip_t *strip, uint32_t begin, uint32_t end)
{
    return grow_strip(strip, begin, end, lines_used);
}

static rp_bfs_distance_stretch_t grow(rp_simd_t simd, const strip_t *strip,
                                      rp_bfs_distance_stretch_t lines)
{
    if (simd >= RP_SIMD_AVX2) {
        return grow_avx2(strip, lines.begin, lines.end);
    }
    return grow_plain(strip, lines.begin, lines.end);
}

// ---- where it is

static bool is_empty(rp_bfs_distance_stretch_t lines)
{
    return lines.begin >= lines.end;
}

static rp_bfs_distance_stretch_t both(rp_bfs_distance_stretch_t a, rp_bfs_distance_stretch_t b)
{
    if (is_empty(a) || is_empty(b)) {
        return is_empty(a) ? b : a;
    }
    return (rp_bfs_distance_stretch_t){.begin = a.begin < b.begin ? a.begin : b.begin,
                                       .end = a.end > b.end ? a.end : b.end};
}

/// A line more on both sides, and whole blocks, where they are useful.
static rp_bfs_distance_stretch_t widened(rp_bfs_distance_stretch_t lines,
                                         rp_bfs_distance_stretch_t useful)
{
    const uint32_t begin = (lines.begin - 1u) & ~(LINES - 1u);
    const uint32_t end = (lines.end + LINES) & ~(LINES - 1u);
    return (rp_bfs_distance_stretch_t){.begin = begin > useful.begin ? begin : useful.begin,
                                       .end = end < useful.end ? end : useful.end};
}

// ---- what is useful

/// From a place to the nearest one of begin .. end - 1.
static uint32_t gap(uint32_t place, uint32_t begin, uint32_t end)
{
    return place < begin ? begin - place : place >= end ? place - end + 1u : 0u;
}

/// True when a ring of that level is of no use in these lines of a strip.
static bool is_useless(const rp_bfs_distance_t *self, uint32_t strip, uint32_t begin, uint32_t end,
                       uint32_t level)
{
    const rp_bfs_distance_way_t *way = &self->way;
    const uint32_t left = (self->first_strip + strip) * RP_BFS_DISTANCE_SPAN;
    const uint32_t right = left + RP_BFS_DISTANCE_SPAN;
    const uint32_t from_line = way->from_y - self->box.top + RP_BFS_DISTANCE_PAD;
    const uint32_t to_line = way->to_y - self->box.top + RP_BFS_DISTANCE_PAD;
    const uint32_t across = gap(way->to_x, left, right);
    const uint32_t down = gap(to_line, begin, end);
    const uint32_t lines =
        gap(way->from_x, left, right) + gap(from_line, begin, end) + across + down;
    const uint64_t moves = (uint64_t)level + (across > down ? across : down);
    return RP_BFS_DISTANCE_MOVE * moves +
               (uint64_t)RP_BFS_DISTANCE_LINE * (lines > way->lines ? lines : way->lines) >
           way->most;
}

/// Rings that are found between two looks at what is of no use any more.
#define CUT_EACH 8u

/// Cut off what the next ring would not be of use in. Time: O(1), and the lines cut off.
static rp_bfs_distance_stretch_t cut_off(rp_bfs_distance_t *self, uint32_t strip)
{
    rp_bfs_distance_stretch_t lines = self->useful[strip];
    const uint32_t level = self->level + 1u;
    if (level % CUT_EACH != 0) {
        return lines;
    }
    while (lines.begin < lines.end &&
           is_useless(self, strip, lines.begin, lines.begin + LINES, level)) {
        lines.begin += LINES;
    }
    while (lines.begin < lines.end &&
           is_useless(self, strip, lines.end - LINES, lines.end, level)) {
        lines.end -= LINES;
    }
    self->useful[strip] = lines;
    return lines;
}

// ---- growing

/// The lines of a strip that the next ring may be in.
static rp_bfs_distance_stretch_t lines_round(rp_bfs_distance_t *self,
                                             const rp_bfs_distance_stretch_t *now, uint32_t strip)
{
    rp_bfs_distance_stretch_t lines = now[strip];
    if (now[(int32_t)strip - 1].is_right) {
        lines = both(lines, now[(int32_t)strip - 1]);
    }
    if (now[strip + 1u].is_left) {
        lines = both(lines, now[strip + 1u]);
    }
    return is_empty(lines) ? lines : widened(lines, cut_off(self, strip));
}

bool rp_bfs_distance_grow(rp_bfs_distance_t *self, uint64_t *words)
{
    const rp_bfs_distance_stretch_t *now = self->stretches[self->level & 1u];
    rp_bfs_distance_stretch_t *next = self->stretches[(self->level + 1u) & 1u];
    bool is_any = false;
    *words = 0;
    for (uint32_t i = 0; i < self->strip_count; i++) {
        const rp_bfs_distance_stretch_t lines = lines_round(self, now, i);
        next[i] = (rp_bfs_distance_stretch_t){0};
        if (!is_empty(lines)) {
            const size_t at = (size_t)i * self->strip_stride;
            const strip_t strip = {
                .ring = self->met[self->level % 3u] + at,
                .squares = self->squares + at,
                .met = self->met[(self->level + 1u) % 3u] + at,
                .unmet = self->unmet + at,
                .stride = self->strip_stride,
            };
            next[i] = grow(self->simd, &strip, lines);
            *words += lines.end - lines.begin;
        }
        is_any |= !is_empty(next[i]);
    }
    self->level++;
    return is_any;
}

// ---- the beginning

/// Rows that a path crosses at least which costs as much as the limit, if it crosses so many
/// columns; and the other way round.
static uint32_t lines_across(uint32_t others, uint32_t most)
{
    if (most <= RP_STRAIGHT * others) {
        return 0;
    }
    return most <= RP_DIAGONAL * others ? (most - RP_STRAIGHT * others) / RP_BFS_DISTANCE_LINE + 1u
                                        : (most - RP_BFS_DISTANCE_LINE * others) / RP_STRAIGHT + 1u;
}

/// How far beyond its ends a path within the limit may go.
static uint32_t margin(uint32_t lines, uint32_t others, uint32_t most)
{
    const uint32_t all = lines_across(others, most);
    return all > lines ? (all - lines + 1u) / 2u : 0u;
}

/// No path within the limit leaves this.
static rp_bfs_distance_box_t box_of(const rp_bfs_distance_way_t *way, const rp_free_map_t *map)
{
    const uint32_t left = way->from_x < way->to_x ? way->from_x : way->to_x;
    const uint32_t top = way->from_y < way->to_y ? way->from_y : way->to_y;
    const uint32_t right = way->from_x + way->to_x - left;
    const uint32_t bottom = way->from_y + way->to_y - top;
    const uint32_t across = margin(right - left, bottom - top, way->most);
    const uint32_t down = margin(bottom - top, right - left, way->most);
    return (rp_bfs_distance_box_t){
        .left = left > across ? left - across : 0u,
        .right = map->width - 1u - right > across ? right + across : map->width - 1u,
        .top = top > down ? top - down : 0u,
        .bottom = map->height - 1u - bottom > down ? bottom + down : map->height - 1u,
    };
}

/// Bits of a strip's words that are columns of the box, and its own.
static uint64_t inside(const rp_bfs_distance_box_t *box, uint32_t strip)
{
    const uint32_t first = strip * RP_BFS_DISTANCE_SPAN;
    const uint32_t from = box->left > first ? box->left - first : 0u;
    const uint32_t to =
        box->right - first < RP_BFS_DISTANCE_SPAN ? box->right - first : RP_BFS_DISTANCE_SPAN - 1u;
    return ~(uint64_t)0 << (from + 1u) & ~(uint64_t)0 >> (62u - to);
}

/// Whole blocks of so many rows.
static uint32_t blocks_of(uint32_t rows)
{
    return (rows + LINES - 1u) & ~(LINES - 1u);
}

/// A block before the first row, one behind the last, and an odd number of cache lines: words of
/// one row must not fall into the same set of the cache.
static uint32_t stride_of(uint32_t rows)
{
    const uint32_t stride = (blocks_of(rows) + 2u * LINES + 7u) & ~7u;
    return stride % 16u == 0 ? stride + 8u : stride;
}

static uint32_t strips_of(uint32_t left, uint32_t right)
{
    return right / RP_BFS_DISTANCE_SPAN - left / RP_BFS_DISTANCE_SPAN + 1u;
}

/// Words of all arrays: three with an empty strip on either side, which neighbours share, and two
/// without.
static size_t words_of(uint32_t strips, uint32_t stride)
{
    return (size_t)(5u * strips + 4u) * stride;
}

/// Each search clears most of it, so from a quarter on of what is dense it is taken for that: to
/// come by a huge page takes as long as to come by thirty to a hundred small ones.
static size_t capacity_of(uint32_t width, uint32_t height)
{
    const size_t words = words_of(strips_of(0, width - 1u), stride_of(height));
    const size_t dense = RP_MEMORY_DENSE / sizeof(uint64_t);
    return words >= dense / 4u && words < dense ? dense : words;
}

/// Lay out the arrays for the box. Nothing is met.
static void lay_out(rp_bfs_distance_t *self)
{
    const rp_bfs_distance_box_t *box = &self->box;
    const uint32_t strips = strips_of(box->left, box->right);
    const uint32_t stride = stride_of(box->bottom - box->top + 1u);
    const size_t words = words_of(strips, stride);
    const size_t array = (size_t)(strips + 1u) * stride;
    self->first_strip = box->left / RP_BFS_DISTANCE_SPAN;
    self->strip_count = strips;
    self->strip_stride = stride;
    if (words > self->most_words) {
        self->most_words = (uint32_t)words;
    }
    for (unsigned i = 0; i < 3u; i++) {
        self->met[i] = self->memory + stride + i * array;
    }
    self->squares = self->memory + stride + 3u * array;
    self->unmet = self->squares + (size_t)strips * stride;
    memset(self->memory, 0, (size_t)(self->squares - self->memory) * sizeof *self->memory);
}

/// Free places of the words round a strip, its neighbours' included; line 0 is row `y`.
typedef struct ground {
    const uint64_t *low;  ///< strips of the map
    const uint64_t *high; ///< the next one
    unsigned shift;
} ground_t;

RING_LOOP uint64_t free_at(const ground_t *ground, uint32_t line)
{
    return ground->low[line] >> ground->shift | ground->high[line] << 1 << (63u - ground->shift);
}

/// What is free in a strip, and its squares.
RING_LOOP void read_strip(rp_bfs_distance_t *self, const rp_free_map_t *map, uint32_t strip)
{
    const rp_bfs_distance_box_t *box = &self->box;
    const uint32_t of_map = self->first_strip + strip;
    const int32_t x = (int32_t)(of_map * RP_BFS_DISTANCE_SPAN) - 1;
    const uint64_t *word = rp_free_map_word(map, x, (int32_t)box->top);
    const ground_t ground = {word, word + map->strip_stride, (unsigned)x & 63u};
    const uint64_t mask = inside(box, of_map);
    const size_t begin = (size_t)strip * self->strip_stride;
    const size_t at = begin + RP_BFS_DISTANCE_PAD;
    const uint32_t rows = box->bottom - box->top + 1u;
    const size_t behind = (self->strip_stride - RP_BFS_DISTANCE_PAD - rows) * sizeof(uint64_t);
    memset(self->squares + begin, 0, RP_BFS_DISTANCE_PAD * sizeof(uint64_t));
    memset(self->unmet + begin, 0, RP_BFS_DISTANCE_PAD * sizeof(uint64_t));
    for (uint32_t line = 0; line < rows; line++) {
        const uint64_t here = free_at(&ground, line);
        const uint64_t square = here & free_at(&ground, line + 1u);
        self->squares[at + line] = square & square >> 1;
        self->unmet[at + line] = here & mask;
    }
    memset(self->squares + at + rows, 0, behind);
    memset(self->unmet + at + rows, 0, behind);
}

static void read_strip_plain(rp_bfs_distance_t *self, const rp_free_map_t *map, uint32_t strip)
{
    read_strip(self, map, strip);
}

RP_FOR_AVX2 static void read_strip_avx2(rp_bfs_distance_t *self, const rp_free_map_t *map,
                                        uint32_t strip)
{
    read_strip(self, map, strip);
}

static void read_ground(rp_bfs_distance_t *self, const rp_free_map_t *map)
{
    for (uint32_t i = 0; i < self->strip_count; i++) {
        if (self->simd >= RP_SIMD_AVX2) {
            read_strip_avx2(self, map, i);
            continue;
        }
        read_strip_plain(self, map, i);
    }
}

void rp_bfs_distance_begin(rp_bfs_distance_t *self, const rp_free_map_t *map,
                           const rp_bfs_distance_way_t *way)
{
    self->way = *way;
    self->box = box_of(way, map);
    self->level = 0;
    lay_out(self);
    read_ground(self, map);
    const uint32_t end = RP_BFS_DISTANCE_PAD + blocks_of(self->box.bottom - self->box.top + 1u);
    for (uint32_t i = 0; i < self->strip_count; i++) {
        self->useful[i] = (rp_bfs_distance_stretch_t){.begin = RP_BFS_DISTANCE_PAD, .end = end};
    }
    for (unsigned turn = 0; turn < 2u; turn++) { // and none beyond the last strip
        memset(self->stretches[turn], 0, (self->strip_count + 1u) * sizeof *self->stretches[turn]);
    }
    const size_t place = rp_bfs_distance_word(self, way->from_x, way->from_y);
    const uint64_t bit = (uint64_t)2 << way->from_x % RP_BFS_DISTANCE_SPAN;
    const uint32_t line = way->from_y - self->box.top + RP_BFS_DISTANCE_PAD;
    self->unmet[place] &= ~bit;
    self->met[0][place] |= bit;
    self->stretches[0][way->from_x / RP_BFS_DISTANCE_SPAN - self->first_strip] =
        (rp_bfs_distance_stretch_t){line, line + 1u, true, true};
}

// ---- birth and death

/// Stretches of two rings, with one more strip on both sides, and of what is useful.
static size_t stretches_of(uint32_t width)
{
    return 3u * (size_t)strips_of(0, width - 1u) + 4u;
}

void rp_bfs_distance_init(rp_bfs_distance_t *self, uint32_t width, uint32_t height, rp_simd_t simd,
                          rp_arena_t *arena)
{
    const uint32_t strips = strips_of(0, width - 1u);
    *self = (rp_bfs_distance_t){.width = width, .height = height, .simd = simd};
    self->memory = rp_arena_new_dense(arena, capacity_of(width, height), sizeof *self->memory);
    rp_arena_note(arena, &self->most_words, &self->most_words, sizeof *self->memory);
    self->useful = rp_arena_new(arena, stretches_of(width), sizeof *self->useful);
    if (self->useful != NULL) {
        self->stretches[0] = self->useful + strips + 1u;
        self->stretches[1] = self->stretches[0] + strips + 2u;
    }
}
