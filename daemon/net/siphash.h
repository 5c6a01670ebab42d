/// @file
/// SipHash-2-4 with 128 bits (Aumasson, Bernstein): whoever does not know the key cannot make two
/// messages with the same hash. In pieces of any size.
#ifndef REPLAN_DAEMON_NET_SIPHASH_H
#define REPLAN_DAEMON_NET_SIPHASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rp_siphash_key {
    uint64_t words[2];
} rp_siphash_key_t;

typedef struct rp_hash128 {
    uint64_t words[2];
} rp_hash128_t;

static inline bool rp_hash128_is_same(rp_hash128_t a, rp_hash128_t b)
{
    return a.words[0] == b.words[0] && a.words[1] == b.words[1];
}

typedef struct rp_siphash {
    uint64_t v[4];
    uint64_t tail;  ///< bytes that make no word yet, the first one lowest
    uint64_t count; ///< bytes so far
} rp_siphash_t;

void rp_siphash_init(rp_siphash_t *self, const rp_siphash_key_t *key);

/// Time: some 1.5 cycles a byte.
void rp_siphash_add(rp_siphash_t *self, const void *bytes, size_t size);

/// The hash of all that was added. The state is used up.
rp_hash128_t rp_siphash_end(rp_siphash_t *self);

#endif
