/// As the reference implementation has it: two rounds a word, four at the end.
#include "daemon/net/siphash.h"

#include <string.h>

static uint64_t rotate(uint64_t word, unsigned by)
{
    return word << by | word >> (64u - by);
}

static void mix(uint64_t v[4], unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        v[0] += v[1];
        v[1] = rotate(v[1], 13) ^ v[0];
        v[0] = rotate(v[0], 32);
        v[2] += v[3];
        v[3] = rotate(v[3], 16) ^ v[2];
        v[0] += v[3];
        v[3] = rotate(v[3], 21) ^ v[0];
        v[2] += v[1];
        v[1] = rotate(v[1], 17) ^ v[2];
        v[2] = rotate(v[2], 32);
    }
}

static void take_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    mix(v, 2);
    v[0] ^= word;
}

void rp_siphash_init(rp_siphash_t *self, const rp_siphash_key_t *key)
{
    const uint64_t first = key->words[0];
    const uint64_t second = key->words[1];
    *self = (rp_siphash_t){.v = {first ^ 0x736f6d6570736575u, second ^ 0x646f72616e646f6du ^ 0xeeu,
                                 first ^ 0x6c7967656e657261u, second ^ 0x7465646279746573u}};
}

/// A byte by itself.
static void add_byte(rp_siphash_t *self, uint8_t byte)
{
    self->tail |= (uint64_t)byte << (8u * (self->count % 8u));
    self->count++;
    if (self->count % 8u == 0) {
        take_word(self->v, self->tail);
        self->tail = 0;
    }
}

void rp_siphash_add(rp_siphash_t *self, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    const uint8_t *end = at + size;
    while (at != end && self->count % 8u != 0) {
        add_byte(self, *at++);
    }
    uint64_t v[4];
    memcpy(v, self->v, sizeof v); // in registers
    const uint8_t *words_end = at + (size_t)(end - at) / 8u * 8u;
    self->count += (uint64_t)(words_end - at);
    for (; at != words_end; at += 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        take_word(v, word);
    }
    memcpy(self->v, v, sizeof v);
    while (at != end) {
        add_byte(self, *at++);
    }
}

rp_hash128_t rp_siphash_end(rp_siphash_t *self)
{
    rp_hash128_t hash;
    take_word(self->v, self->count << 56u | self->tail);
    self->v[2] ^= 0xeeu;
    mix(self->v, 4);
    hash.words[0] = self->v[0] ^ self->v[1] ^ self->v[2] ^ self->v[3];
    self->v[1] ^= 0xddu;
    mix(self->v, 4);
    hash.words[1] = self->v[0] ^ self->v[1] ^ self->v[2] ^ self->v[3];
    return hash;
}
