/// Prefix codes are read by a table of their first nine bits, longer ones bit by bit as canonical
/// codes allow: of each length only the number of codes is kept, and the symbols in their order.
#include "files/image/inflate.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW_BYTES    32768u
#define FAST_BITS       9u
#define CODE_BITS_MAX   15u
#define LITERALS_MAX    286u ///< with the end of a block and the lengths
#define DISTANCES_MAX   30u
#define END_OF_BLOCK    256u
#define ADLER_MODULUS   65521u
#define ADLER_RUN       5552u ///< so many bytes add up within 32 bits
#define STREAM_HEAD     2u
#define STREAM_SUM_SIZE 4u

/// A prefix code.
typedef struct huffman {
    uint16_t fast[1u << FAST_BITS]; ///< symbol << 4 | bits, by the next bits; 0: longer, or none
    uint16_t count[CODE_BITS_MAX + 1];
    uint16_t symbol[288];
} huffman_t;

typedef struct inflate {
    const uint8_t *bytes;
    size_t size;
    size_t at;          ///< next byte that goes into `bits`
    uint64_t bits;      ///< the next ones, lowest first; above them 0
    unsigned bit_count; ///< how many of `bits` were read
    const char *fault;  ///< NULL as long as all is well
    uint64_t total;     ///< bytes written
    uint32_t sum[2];    ///< Adler-32 of what was taken
    huffman_t literals; ///< with lengths
    huffman_t distances;
    rp_inflate_take_t take;
    void *user;
    uint8_t window[WINDOW_BYTES]; ///< byte n of the output at n modulo the size
} inflate_t;

static bool fail(inflate_t *self, const char *reason)
{
    self->fault = self->fault == NULL ? reason : self->fault;
    return false;
}

// ---- bits

static void fill_bits(inflate_t *self)
{
    while (self->bit_count <= 56 && self->at < self->size) {
        self->bits |= (uint64_t)self->bytes[self->at++] << self->bit_count;
        self->bit_count += 8;
    }
}

static bool drop_bits(inflate_t *self, unsigned count)
{
    if (count > self->bit_count) {
        return fail(self, "the deflated data is cut short");
    }
    self->bits >>= count;
    self->bit_count -= count;
    return true;
}

/// @param count  0..16. @return 0 after a failure
static unsigned take_bits(inflate_t *self, unsigned count)
{
    fill_bits(self);
    const unsigned value = (unsigned)(self->bits & ((1u << count) - 1u));
    return drop_bits(self, count) ? value : 0;
}

// ---- prefix codes

/// How many codes are left over when each symbol has one of its length; negative: too many.
static int codes_left(const huffman_t *self)
{
    int left = 1;
    for (unsigned length = 1; length <= CODE_BITS_MAX && left >= 0; length++) {
        left = 2 * left - self->count[length];
    }
    return left;
}

static unsigned reversed(unsigned code, unsigned bits)
{
    unsigned result = 0;
    for (unsigned i = 0; i < bits; i++) {
        result = result << 1 | (code >> i & 1u);
    }
    return result;
}

/// Enter the symbols of up to FAST_BITS bits, each wherever its bits come first.
static void fill_fast(huffman_t *self)
{
    unsigned code = 0;
    unsigned index = 0;
    memset(self->fast, 0, sizeof self->fast);
    for (unsigned length = 1; length <= FAST_BITS; length++) {
        for (unsigned i = 0; i < self->count[length]; i++) {
            const uint16_t entry = (uint16_t)(self->symbol[index++] << 4 | length);
            for (unsigned at = reversed(code, length); at < 1u << FAST_BITS; at += 1u << length) {
                self->fast[at] = entry;
            }
            code++;
        }
        code <<= 1;
    }
}

/// @param lengths  bits of each symbol's code, 0 for none [count]
/// @return false when no such code exists; a code of one symbol with one bit may be incomplete
static bool make_code(huffman_t *self, const uint8_t *lengths, unsigned count)
{
    uint16_t first[CODE_BITS_MAX + 2] = {0};
    memset(self->count, 0, sizeof self->count);
    for (unsigned i = 0; i < count; i++) {
        self->count[lengths[i]]++;
    }
    const unsigned used = count - self->count[0];
    self->count[0] = 0;
    const int left = codes_left(self);
    if (left < 0 || (left > 0 && used != 0 && (used != 1 || self->count[1] != 1))) {
        return false;
    }
    for (unsigned length = 1; length <= CODE_BITS_MAX; length++) {
        first[length + 1] = (uint16_t)(first[length] + self->count[length]);
    }
    for (unsigned i = 0; i < count; i++) {
        if (lengths[i] != 0) {
            self->symbol[first[lengths[i]]++] = (uint16_t)i;
        }
    }
    fill_fast(self);
    return true;
}

/// Read on bit by bit: the codes of one length follow one another.
static unsigned take_long_symbol(inflate_t *self, const huffman_t *code)
{
    int value = 0;
    int first = 0;
    int index = 0;
    for (unsigned length = 1; length <= CODE_BITS_MAX; length++) {
        value |= (int)(self->bits >> (length - 1) & 1u);
        const int count = code->count[length];
        if (value - count < first) {
            return drop_bits(self, length) ? code->symbol[index + (value - first)] : 0;
        }
        index += count;
        first = (first + count) << 1;
        value <<= 1;
    }
    fail(self, self->bit_count < CODE_BITS_MAX ? "the deflated data is cut short"
                                               : "a code that no symbol has");
    return 0;
}

/// @return 0 after a failure
static unsigned take_symbol(inflate_t *self, const huffman_t *code)
{
    fill_bits(self);
    const unsigned entry = code->fast[self->bits & ((1u << FAST_BITS) - 1u)];
    if (entry == 0) {
        return take_long_symbol(self, code);
    }
    return drop_bits(self, entry & 15u) ? entry >> 4 : 0;
}

// ---- output

static void add_to_sum(inflate_t *self, const uint8_t *bytes, size_t count)
{
    while (count != 0) {
        const size_t run = count < ADLER_RUN ? count : ADLER_RUN;
        for (size_t i = 0; i < run; i++) {
            self->sum[0] += bytes[i];
            self->sum[1] += self->sum[0];
        }
        self->sum[0] %= ADLER_MODULUS;
        self->sum[1] %= ADLER_MODULUS;
        bytes += run;
        count -= run;
    }
}

/// Hand on what the window holds up to now. @param count  of its first bytes
static bool flush_window(inflate_t *self, size_t count)
{
    add_to_sum(self, self->window, count);
    return count == 0 || self->take(self->user, self->window, count);
}

static bool put_byte(inflate_t *self, uint8_t byte)
{
    self->window[self->total++ % WINDOW_BYTES] = byte;
    return self->total % WINDOW_BYTES != 0 || flush_window(self, WINDOW_BYTES);
}

static bool put_match(inflate_t *self, unsigned length, unsigned distance)
{
    if (distance > self->total) {
        return fail(self, "a distance that reaches before the first byte");
    }
    for (unsigned i = 0; i < length; i++) {
        if (!put_byte(self, self->window[(self->total - distance) % WINDOW_BYTES])) {
            return false;
        }
    }
    return true;
}

// ---- blocks

static bool copy_stored(inflate_t *self)
{
    (void)drop_bits(self, self->bit_count % 8u);
    const unsigned length = take_bits(self, 16);
    const unsigned check = take_bits(self, 16);
    if (self->fault == NULL && (length ^ check) != 0xffffu) {
        return fail(self, "the length of a stored block differs from its check");
    }
    for (unsigned i = 0; i < length && self->fault == NULL; i++) {
        const uint8_t byte = (uint8_t)take_bits(self, 8);
        if (self->fault == NULL && !put_byte(self, byte)) {
            return false;
        }
    }
    return self->fault == NULL;
}

/// What follows a length's symbol: its match.
static bool take_match(inflate_t *self, unsigned symbol)
{
    static const uint16_t length_base[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                           15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                           67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                          2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t distance_base[] = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    const unsigned kind = symbol - (END_OF_BLOCK + 1u);
    if (kind >= sizeof length_bits) {
        return fail(self, "a length that does not exist");
    }
    const unsigned length = length_base[kind] + take_bits(self, length_bits[kind]);
    const unsigned far = take_symbol(self, &self->distances);
    if (far >= DISTANCES_MAX) {
        return fail(self, "a distance that does not exist");
    }
    const unsigned distance = distance_base[far] + take_bits(self, far < 4 ? 0 : far / 2u - 1u);
    return self->fault == NULL && put_match(self, length, distance);
}

static bool copy_coded(inflate_t *self)
{
    for (;;) {
        const unsigned symbol = take_symbol(self, &self->literals);
        if (self->fault != NULL) {
            return false;
        }
        if (symbol == END_OF_BLOCK) {
            return true;
        }
        if (symbol < END_OF_BLOCK ? !put_byte(self, (uint8_t)symbol) : !take_match(self, symbol)) {
            return false;
        }
    }
}

static bool make_fixed_codes(inflate_t *self)
{
    uint8_t lengths[288];
    memset(lengths, 8, sizeof lengths);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    const bool is_fine = make_code(&self->literals, lengths, sizeof lengths);
    memset(lengths, 5, 32); // two of which name no distance
    return make_code(&self->distances, lengths, 32) && is_fine;
}

/// The lengths of both codes, themselves coded: 16 repeats the last one, 17 and 18 repeat 0.
static bool take_lengths(inflate_t *self, const huffman_t *code, uint8_t *lengths, unsigned count)
{
    for (unsigned i = 0; i < count;) {
        const unsigned symbol = take_symbol(self, code);
        if (self->fault != NULL) {
            return false;
        }
        if (symbol < 16) {
            lengths[i++] = (uint8_t)symbol;
            continue;
        }
        const unsigned run = symbol == 16   ? 3u + take_bits(self, 2)
                             : symbol == 17 ? 3u + take_bits(self, 3)
                                            : 11u + take_bits(self, 7);
        if ((symbol == 16 && i == 0) || i + run > count) {
            return fail(self, "a run of code lengths that does not fit");
        }
        memset(lengths + i, symbol == 16 ? lengths[i - 1] : 0, run);
        i += run;
    }
    return true;
}

/// The code of the code lengths; three bits for each, in an order of their own.
static bool take_length_code(inflate_t *self, huffman_t *code)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[19] = {0};
    const unsigned count = 4u + take_bits(self, 4);
    for (unsigned i = 0; i < count; i++) {
        lengths[order[i]] = (uint8_t)take_bits(self, 3);
    }
    return self->fault == NULL &&
           (make_code(code, lengths, 19) || fail(self, "code lengths that make no code"));
}

static bool take_codes(inflate_t *self)
{
    uint8_t lengths[LITERALS_MAX + DISTANCES_MAX] = {0};
    const unsigned literals = 257u + take_bits(self, 5);
    const unsigned distances = 1u + take_bits(self, 5);
    if (self->fault == NULL && (literals > LITERALS_MAX || distances > DISTANCES_MAX)) {
        return fail(self, "more codes than there are lengths and distances");
    }
    // The code of the lengths is done with before that of the distances is made.
    if (!take_length_code(self, &self->distances) ||
        !take_lengths(self, &self->distances, lengths, literals + distances)) {
        return false;
    }
    if (lengths[END_OF_BLOCK] == 0) {
        return fail(self, "a block without an end");
    }
    return (make_code(&self->literals, lengths, literals) &&
            make_code(&self->distances, lengths + literals, distances)) ||
           fail(self, "lengths that make no code");
}

static bool inflate_blocks(inflate_t *self)
{
    for (bool is_last = false; !is_last;) {
        is_last = take_bits(self, 1) != 0;
        const unsigned kind = take_bits(self, 2);
        if (self->fault != NULL) {
            return false;
        }
        const bool is_fine = kind == 0   ? copy_stored(self)
                             : kind == 1 ? make_fixed_codes(self) && copy_coded(self)
                             : kind == 2 ? take_codes(self) && copy_coded(self)
                                         : fail(self, "a kind of block that does not exist");
        if (!is_fine) {
            return false;
        }
    }
    return flush_window(self, self->total % WINDOW_BYTES);
}

// ---- the stream

static bool check_head(inflate_t *self)
{
    if (self->size < STREAM_HEAD + STREAM_SUM_SIZE) {
        return fail(self, "the deflated data is cut short");
    }
    const unsigned method = self->bytes[0];
    const unsigned flags = self->bytes[1];
    if ((method & 15u) != 8 || method >> 4 > 7 || (method << 8 | flags) % 31u != 0) {
        return fail(self, "no head of a zlib stream");
    }
    self->at = STREAM_HEAD;
    return (flags & 32u) == 0 || fail(self, "a zlib stream with a dictionary");
}

static bool check_sum(inflate_t *self)
{
    (void)drop_bits(self, self->bit_count % 8u);
    uint32_t sum = 0;
    for (unsigned i = 0; i < STREAM_SUM_SIZE; i++) {
        sum = sum << 8 | take_bits(self, 8);
    }
    return self->fault == NULL && (sum == (self->sum[1] << 16 | self->sum[0]) ||
                                   fail(self, "the sum of the inflated data is wrong"));
}

rp_status_t rp_inflate(const uint8_t *bytes, size_t size, rp_inflate_take_t take, void *user,
                       rp_inflate_fault_t *fault)
{
    inflate_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->bytes = bytes;
    self->size = size;
    self->sum[0] = 1;
    self->take = take;
    self->user = user;
    const bool is_fine = check_head(self) && inflate_blocks(self) && check_sum(self);
    *fault = (rp_inflate_fault_t){self->at - self->bit_count / 8u, self->fault};
    free(self);
    return is_fine ? RP_OK : RP_E_INVALID;
}
