/// Rings of hops, some lines of a strip at a time.
#include "planners/search/hops.h"

#include <string.h>

#include "planners/search/memory.h"

/// What is compiled once for each kind of processor.
#define RING_LOOP static inline __attribute__((always_inline))

// ---- a ring

/// Lines that are looked at together, a block.
#define LINES 4u
static_assert(RP_HOPS_PAD % LINES == 0, "the first row begins a block");

/// Words of lines that follow each other. Handed on by address: not every processor returns them.
typedef uint64_t lines_t __attribute__((vector_size(LINES * sizeof(uint64_t))));

/// The words of a strip. Those before and behind are of the lines above and below, those a stride
/// away of the strips beside.
typedef struct strip {
    const uint64_t *ring; ///< the one that there is
    const uint64_t *squares;
    uint64_t *next;
    uint64_t *unmet;
    uint64_t *codes[2]; ///< where the next ring's code has a bit; else NULL
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

/// The ring in a block, and in the places beside its own.
RING_LOOP void load_ring(lines_t *ring, const strip_t *strip, size_t line)
{
    lines_t left;
    lines_t right;
    load(ring, strip->ring + line);
    load(&left, strip->ring + line - strip->stride);
    load(&right, strip->ring + line + strip->stride);
    *ring |= left >> RP_HOPS_SPAN | right << RP_HOPS_SPAN;
}

/// The lines one below those of a block, and one above.
#define BELOW(block, next)   __builtin_shufflevector(block, next, 1, 2, 3, 4)
#define ABOVE(before, block) __builtin_shufflevector(before, block, 3, 4, 5, 6)

/// Free squares of a block that the ring is in.
RING_LOOP void load_squares(lines_t *squares, const strip_t *strip, size_t line,
                            const lines_t *ring, const lines_t *below)
{
    load(squares, strip->squares + line);
    *squares &= *ring | *ring >> 1 | *below | *below >> 1;
}

/// The next ring in the lines begin .. end - 1 of a strip, whole blocks.
RING_LOOP void grow_strip(const strip_t *words, uint32_t begin, uint32_t end)
{
    const strip_t here = *words; // what is written does not change it
    const strip_t *strip = &here;
    lines_t before;
    lines_t ring;
    lines_t next;
    lines_t squares_before;
    load_ring(&before, strip, begin - LINES);
    load_ring(&ring, strip, begin);
    lines_t below = BELOW(before, ring);
    load_squares(&squares_before, strip, begin - LINES, &before, &below);
    for (size_t line = begin; line < end; line += LINES) {
        lines_t squares;
        lines_t unmet;
        load_ring(&next, strip, line + LINES);
        below = BELOW(ring, next);
        load_squares(&squares, strip, line, &ring, &below);
        const lines_t above = ABOVE(before, ring);
        const lines_t beside = squares | ABOVE(squares_before, squares);
        load(&unmet, strip->unmet + line);
        const lines_t news = unmet & (ring << 1 | ring >> 1 | above | below | beside | beside << 1);
        const lines_t left = unmet ^ news;
        store(strip->next + line, &news);
        store(strip->unmet + line, &left);
        for (unsigned bit = 0; bit < 2u; bit++) {
            if (strip->codes[bit] != NULL) {
                lines_t code;
                load(&code, strip->codes[bit] + line);
                code |= news;
                store(strip->codes[bit] + line, &code);
            }
        }
        before = ring;
        ring = next;
        squares_before = squares;
    }
}

static void grow_plain(const strip_t *strip, uint32_t begin, uint32_t end)
{
    grow_strip(strip, begin, end);
}

#if RP_HAS_X86
RP_FOR_AVX2 static void grow_avx2(const strip_t *strip, uint32_t begin, uint32_t end)
{
    grow_strip(strip, begin, end);
}
#endif

static void grow(rp_simd_t simd, const strip_t *strip, rp_hops_stretch_t lines)
{
#if RP_HAS_X86
    if (simd >= RP_SIMD_AVX2) {
        grow_avx2(strip, lines.begin, lines.end);
        return;
    }
#endif
    (void)simd;
    grow_plain(strip, lines.begin, lines.end);
}

// ---- where it is

static bool is_empty(rp_hops_stretch_t lines)
{
    return lines.begin >= lines.end;
}

static rp_hops_stretch_t both(rp_hops_stretch_t a, rp_hops_stretch_t b)
{
    if (is_empty(a) || is_empty(b)) {
        return is_empty(a) ? b : a;
    }
    return (rp_hops_stretch_t){a.begin < b.begin ? a.begin : b.begin,
                               a.end > b.end ? a.end : b.end};
}

/// A line more on both sides, and whole blocks, where they are useful.
static rp_hops_stretch_t widened(rp_hops_stretch_t lines, rp_hops_stretch_t useful)
{
    const uint32_t begin = (lines.begin - 1u) & ~(LINES - 1u);
    const uint32_t end = (lines.end + LINES) & ~(LINES - 1u);
    return (rp_hops_stretch_t){begin > useful.begin ? begin : useful.begin,
                               end < useful.end ? end : useful.end};
}

static bool is_block_empty(const uint64_t *words)
{
    return (words[0] | words[1] | words[2] | words[3]) == 0;
}

/// Whole blocks, without the lines at the ends that have no bits.
static rp_hops_stretch_t trimmed(const uint64_t *words, rp_hops_stretch_t lines)
{
    while (lines.begin < lines.end && is_block_empty(words + lines.begin)) {
        lines.begin += LINES;
    }
    while (lines.begin < lines.end && is_block_empty(words + lines.end - LINES)) {
        lines.end -= LINES;
    }
    while (lines.begin < lines.end && words[lines.begin] == 0) {
        lines.begin++;
    }
    while (lines.begin < lines.end && words[lines.end - 1u] == 0) {
        lines.end--;
    }
    return lines;
}

// ---- what is useful

/// From a place to the nearest one of begin .. end - 1.
static uint32_t gap(uint32_t place, uint32_t begin, uint32_t end)
{
    return place < begin ? begin - place : place >= end ? place - end + 1u : 0u;
}

/// True when a ring of that level is of no use in these lines of a strip.
static bool is_useless(const rp_hops_way_t *way, uint32_t strip, uint32_t begin, uint32_t end,
                       uint32_t level)
{
    const uint32_t left = strip * RP_HOPS_SPAN;
    const uint32_t right = left + RP_HOPS_SPAN;
    const uint32_t from_y = way->from_y + RP_HOPS_PAD;
    const uint32_t to_y = way->to_y + RP_HOPS_PAD;
    const uint32_t across = gap(way->to_x, left, right);
    const uint32_t down = gap(to_y, begin, end);
    const uint32_t lines = gap(way->from_x, left, right) + gap(from_y, begin, end) + across + down;
    const uint64_t moves = (uint64_t)level + (across > down ? across : down);
    return RP_HOPS_MOVE * moves +
               (uint64_t)RP_HOPS_LINE * (lines > way->lines ? lines : way->lines) >
           way->most;
}

/// Rings that are found between two looks at what is of no use any more.
#define CUT_EACH 8u

/// Cut off what the next ring would not be of use in. Time: O(1), and the lines cut off.
static rp_hops_stretch_t cut_off(rp_hops_t *self, uint32_t strip)
{
    rp_hops_stretch_t lines = self->useful[strip];
    const uint32_t level = self->level + 1u;
    if (level % CUT_EACH != 0) {
        return lines;
    }
    while (lines.begin < lines.end &&
           is_useless(&self->way, strip, lines.begin, lines.begin + LINES, level)) {
        lines.begin += LINES;
    }
    while (lines.begin < lines.end &&
           is_useless(&self->way, strip, lines.end - LINES, lines.end, level)) {
        lines.end -= LINES;
    }
    self->useful[strip] = lines;
    return lines;
}

// ---- growing

static uint32_t first_strip(const rp_hops_t *self)
{
    return self->box.left / RP_HOPS_SPAN;
}

static uint32_t last_strip(const rp_hops_t *self)
{
    return self->box.right / RP_HOPS_SPAN;
}

/// Clear lines that hold an older ring, but for those that are written anew.
static void clear_old(uint64_t *words, rp_hops_stretch_t old, rp_hops_stretch_t written)
{
    const uint32_t head = written.begin < old.end ? written.begin : old.end;
    const uint32_t tail = written.end > old.begin ? written.end : old.begin;
    for (uint32_t line = old.begin; line < head; line++) {
        words[line] = 0;
    }
    for (uint32_t line = tail; line < old.end; line++) {
        words[line] = 0;
    }
}

/// Write the next ring in some lines of a strip.
static void write_lines(rp_hops_t *self, uint32_t i, rp_hops_stretch_t lines)
{
    const size_t at = (size_t)i * self->strip_stride;
    const uint32_t code = (self->level + 1u) % 3u + 1u;
    const strip_t strip = {
        .ring = self->ring[self->level & 1u] + at,
        .squares = self->squares + at,
        .next = self->ring[(self->level + 1u) & 1u] + at,
        .unmet = self->unmet + at,
        .codes = {(code & 1u) != 0 ? self->low + at : NULL,
                  (code & 2u) != 0 ? self->high + at : NULL},
        .stride = self->strip_stride,
    };
    grow(self->simd, &strip, lines);
}

bool rp_hops_grow(rp_hops_t *self, uint64_t *words)
{
    const rp_hops_stretch_t *now = self->stretches[self->level & 1u];
    rp_hops_stretch_t *next = self->stretches[(self->level + 1u) & 1u];
    uint64_t *ring = self->ring[(self->level + 1u) & 1u];
    bool is_any = false;
    *words = 0;
    for (uint32_t i = first_strip(self); i <= last_strip(self); i++) {
        uint64_t *of_strip = ring + (size_t)i * self->strip_stride;
        const rp_hops_stretch_t all = both(now[(int32_t)i - 1], both(now[i], now[i + 1u]));
        rp_hops_stretch_t lines = {0};
        if (!is_empty(all)) {
            lines = widened(all, cut_off(self, i));
        }
        clear_old(of_strip, next[i], is_empty(lines) ? (rp_hops_stretch_t){0} : lines);
        if (!is_empty(lines)) {
            write_lines(self, i, lines);
            *words += lines.end - lines.begin;
            lines = trimmed(of_strip, lines);
        }
        next[i] = lines;
        is_any |= !is_empty(lines);
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
    return most <= RP_DIAGONAL * others ? (most - RP_STRAIGHT * others) / RP_HOPS_LINE + 1u
                                        : (most - RP_HOPS_LINE * others) / RP_STRAIGHT + 1u;
}

/// How far beyond its ends a path within the limit may go.
static uint32_t margin(uint32_t lines, uint32_t others, uint32_t most)
{
    const uint32_t all = lines_across(others, most);
    return all > lines ? (all - lines + 1u) / 2u : 0u;
}

/// No path within the limit leaves this.
static rp_hops_box_t box_of(const rp_hops_way_t *way, const rp_free_map_t *map)
{
    const uint32_t left = way->from_x < way->to_x ? way->from_x : way->to_x;
    const uint32_t top = way->from_y < way->to_y ? way->from_y : way->to_y;
    const uint32_t right = way->from_x + way->to_x - left;
    const uint32_t bottom = way->from_y + way->to_y - top;
    const uint32_t across = margin(right - left, bottom - top, way->most);
    const uint32_t down = margin(bottom - top, right - left, way->most);
    return (rp_hops_box_t){
        .left = left > across ? left - across : 0u,
        .right = map->width - 1u - right > across ? right + across : map->width - 1u,
        .top = top > down ? top - down : 0u,
        .bottom = map->height - 1u - bottom > down ? bottom + down : map->height - 1u,
    };
}

/// Bits of a strip's words that are columns of the box, and its own.
static uint64_t inside(const rp_hops_box_t *box, uint32_t strip)
{
    const uint32_t first = strip * RP_HOPS_SPAN;
    const uint32_t from = box->left > first ? box->left - first : 0u;
    const uint32_t to = box->right - first < RP_HOPS_SPAN ? box->right - first : RP_HOPS_SPAN - 1u;
    return ~(uint64_t)0 << (from + 1u) & ~(uint64_t)0 >> (62u - to);
}

/// The box in whole blocks.
static rp_hops_stretch_t lines_of(const rp_hops_box_t *box)
{
    return (rp_hops_stretch_t){(box->top + RP_HOPS_PAD) & ~(LINES - 1u),
                               ((box->bottom + RP_HOPS_PAD) | (LINES - 1u)) + 1u};
}

/// Nothing is met or unmet, and there is no ring.
static void leave_box(rp_hops_t *self)
{
    const rp_hops_stretch_t lines = lines_of(&self->box);
    const size_t bytes = (lines.end - lines.begin) * sizeof(uint64_t);
    for (uint32_t i = first_strip(self); self->is_used && i <= last_strip(self); i++) {
        const size_t at = (size_t)i * self->strip_stride + lines.begin;
        memset(self->unmet + at, 0, bytes);
        memset(self->low + at, 0, bytes);
        memset(self->high + at, 0, bytes);
        memset(self->squares + at - 1u, 0, bytes + sizeof(uint64_t));
        for (unsigned turn = 0; turn < 2u; turn++) {
            memset(self->ring[turn] + at, 0, bytes);
            self->stretches[turn][i] = (rp_hops_stretch_t){0};
        }
    }
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

/// What is free in a strip, and its squares, from the line before the box on.
RING_LOOP void read_strip(rp_hops_t *self, const rp_free_map_t *map, uint32_t strip)
{
    const rp_hops_box_t *box = &self->box;
    const int32_t x = (int32_t)(strip * RP_HOPS_SPAN) - 1;
    const uint64_t *word = rp_free_map_word(map, x, (int32_t)box->top - 1);
    const ground_t ground = {word, word + map->strip_stride, (unsigned)x & 63u};
    const uint64_t mask = inside(box, strip);
    const size_t at = (size_t)strip * self->strip_stride + RP_HOPS_PAD + box->top - 1u;
    const uint32_t count = box->bottom - box->top + 2u;
    for (uint32_t line = 0; line < count; line++) {
        const uint64_t here = free_at(&ground, line);
        const uint64_t square = here & free_at(&ground, line + 1u);
        self->squares[at + line] = square & square >> 1;
        self->unmet[at + line] = here & mask;
    }
    self->unmet[at] = 0;
}

static void read_strip_plain(rp_hops_t *self, const rp_free_map_t *map, uint32_t strip)
{
    read_strip(self, map, strip);
}

#if RP_HAS_X86
RP_FOR_AVX2 static void read_strip_avx2(rp_hops_t *self, const rp_free_map_t *map, uint32_t strip)
{
    read_strip(self, map, strip);
}
#endif

static void read_ground(rp_hops_t *self, const rp_free_map_t *map)
{
    for (uint32_t i = first_strip(self); i <= last_strip(self); i++) {
#if RP_HAS_X86
        if (self->simd >= RP_SIMD_AVX2) {
            read_strip_avx2(self, map, i);
            continue;
        }
#endif
        read_strip_plain(self, map, i);
    }
}

void rp_hops_begin(rp_hops_t *self, const rp_free_map_t *map, const rp_hops_way_t *way)
{
    leave_box(self);
    self->way = *way;
    self->box = box_of(way, map);
    self->level = 0;
    self->is_used = true;
    read_ground(self, map);
    for (uint32_t i = first_strip(self); i <= last_strip(self); i++) {
        self->useful[i] = lines_of(&self->box);
    }
    const size_t place = rp_hops_word(self, way->from_x, way->from_y);
    const uint64_t bit = (uint64_t)2 << way->from_x % RP_HOPS_SPAN;
    const uint32_t line = way->from_y + RP_HOPS_PAD;
    self->ring[0][place] = bit;
    self->unmet[place] &= ~bit;
    self->low[place] |= bit;
    self->stretches[0][way->from_x / RP_HOPS_SPAN] = (rp_hops_stretch_t){line, line + 1u};
}

// ---- birth and death

#define ARRAYS 6u

/// Of two rings, a strip more on both sides; and what is useful.
#define STRETCHES(hops) (3u * (hops)->strip_count + 4u)

static size_t words_of_array(const rp_hops_t *self)
{
    return (size_t)(self->strip_count + 2u) * self->strip_stride;
}

/// A pad before the first row, blocks behind the last one, and an odd number of cache lines: words
/// of one row must not fall into the same set of the cache.
static uint32_t strip_stride_of(uint32_t height)
{
    const uint32_t stride = (height + 2u * RP_HOPS_PAD + 7u) & ~7u;
    return stride % 16u == 0 ? stride + 8u : stride;
}

rp_status_t rp_hops_init(rp_hops_t *self, uint32_t width, uint32_t height, rp_simd_t simd)
{
    *self = (rp_hops_t){
        .strip_count = (width + RP_HOPS_SPAN - 1u) / RP_HOPS_SPAN,
        .strip_stride = strip_stride_of(height),
        .simd = simd,
    };
    self->memory = rp_memory_new_sparse(ARRAYS * words_of_array(self), sizeof *self->memory);
    self->useful = rp_memory_new(STRETCHES(self), sizeof *self->useful);
    if (self->memory == NULL || self->useful == NULL) {
        rp_hops_fini(self, NULL);
        return RP_E_MEMORY;
    }
    self->stretches[0] = self->useful + self->strip_count + 1u;
    self->stretches[1] = self->stretches[0] + self->strip_count + 2u;
    uint64_t **const arrays[ARRAYS] = {&self->ring[0], &self->ring[1], &self->squares,
                                       &self->unmet,   &self->low,     &self->high};
    for (size_t i = 0; i < ARRAYS; i++) {
        *arrays[i] = self->memory + i * words_of_array(self) + self->strip_stride;
    }
    return RP_OK;
}

void rp_hops_fini(rp_hops_t *self, rp_rubble_t *rubble)
{
    rp_memory_free(self->memory, ARRAYS * words_of_array(self), sizeof *self->memory, rubble);
    rp_memory_free(self->useful, STRETCHES(self), sizeof *self->useful, rubble);
    *self = (rp_hops_t){0};
}

uint64_t rp_hops_bytes(const rp_hops_t *self)
{
    return self->is_used ? ARRAYS * words_of_array(self) * sizeof *self->memory : 0u;
}
