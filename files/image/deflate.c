/// One block with the fixed code: literals, and matches of distance 1.
#include "files/image/deflate.h"

#define ADLER_MODULUS 65521u
#define MATCH_MIN     3u
#define MATCH_MAX     258u
#define END_OF_BLOCK  256u

static void put_bits(rp_deflate_t *self, uint32_t value, unsigned count)
{
    self->bits |= value << self->bit_count;
    self->bit_count += count;
    while (self->bit_count >= 8) {
        rp_output_add_byte(self->out, (uint8_t)self->bits);
        self->bits >>= 8;
        self->bit_count -= 8;
    }
}

/// Codes are written from their highest bit on.
static void put_code(rp_deflate_t *self, uint32_t code, unsigned count)
{
    uint32_t reversed = 0;
    for (unsigned i = 0; i < count; i++) {
        reversed = reversed << 1 | (code >> i & 1u);
    }
    put_bits(self, reversed, count);
}

static void put_symbol(rp_deflate_t *self, unsigned symbol)
{
    if (symbol < 144) {
        put_code(self, 0x30u + symbol, 8);
    } else if (symbol < 256) {
        put_code(self, 0x190u + symbol - 144u, 9);
    } else if (symbol < 280) {
        put_code(self, symbol - 256u, 7);
    } else {
        put_code(self, 0xc0u + symbol - 280u, 8);
    }
}

/// The symbol of a length, and the bits behind it.
static void put_length(rp_deflate_t *self, uint32_t length)
{
    if (length == MATCH_MAX) {
        put_symbol(self, 285);
        return;
    }
    // Four symbols share a number of bits, which grows by one from each four to the next.
    uint32_t rest = length - MATCH_MIN;
    unsigned bits = 0;
    while (rest >> bits >= 8) {
        bits++;
    }
    put_symbol(self, 257u + 4u * bits + (rest >> bits));
    put_bits(self, rest & ((1u << bits) - 1u), bits);
}

static void flush_run(rp_deflate_t *self)
{
    if (self->run >= MATCH_MIN) {
        put_length(self, self->run);
        put_code(self, 0, 5); // distance 1
    } else {
        for (uint32_t i = 0; i < self->run; i++) {
            put_symbol(self, self->last);
        }
    }
    self->run = 0;
}

void rp_deflate_open(rp_deflate_t *self, rp_output_t *out)
{
    *self = (rp_deflate_t){.out = out, .sum = {1, 0}};
    rp_output_add(out, "\x78\x01", 2);
    put_bits(self, 1, 1); // the last block
    put_bits(self, 1, 2); // with the fixed code
}

void rp_deflate_add(rp_deflate_t *self, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        self->sum[0] = (self->sum[0] + bytes[i]) % ADLER_MODULUS;
        self->sum[1] = (self->sum[1] + self->sum[0]) % ADLER_MODULUS;
        if (self->has_last && bytes[i] == self->last) {
            self->run++;
            if (self->run == MATCH_MAX) {
                flush_run(self);
            }
            continue;
        }
        flush_run(self);
        put_symbol(self, bytes[i]);
        self->last = bytes[i];
        self->has_last = true;
    }
}

void rp_deflate_close(rp_deflate_t *self)
{
    flush_run(self);
    put_symbol(self, END_OF_BLOCK);
    put_bits(self, 0, (8u - self->bit_count % 8u) % 8u);
    const uint32_t sum = self->sum[1] << 16 | self->sum[0];
    for (unsigned shift = 32; shift != 0; shift -= 8) {
        rp_output_add_byte(self->out, (uint8_t)(sum >> (shift - 8u)));
    }
}
