/// @file
/// The last versions of a world as packed Delta messages: a ring of RP_LIMIT_DELTA_RING bytes, from
/// which watches and mirrors catch up. Versions in it follow each other without a hole.
#ifndef REPLAN_DAEMON_SERVING_DELTAS_H
#define REPLAN_DAEMON_SERVING_DELTAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rp_delta {
    uint8_t *bytes; ///< a packed Delta, owned
    size_t size;
} rp_delta_t;

typedef struct rp_deltas {
    rp_delta_t *ring; ///< version v stands at v modulo capacity; a power of two, owned
    size_t capacity;
    uint64_t oldest; ///< least version that is kept
    uint64_t newest; ///< oldest - 1 when none is kept
    uint64_t window; ///< the newest version that made the world another window, kept or not; 0:
                     ///< none
    size_t size_bytes;
    size_t limit_bytes;
} rp_deltas_t;

/// @param version  of the world as it is; the next one kept is one more
void rp_deltas_init(rp_deltas_t *self, uint64_t version, size_t limit_bytes);
void rp_deltas_fini(rp_deltas_t *self);

/// Keep the delta of version newest + 1; older ones go when the limit is passed. Without memory, or
/// when it is too large, nothing is kept: readers then ask for a snapshot.
/// @param bytes  borrowed until return [size]
void rp_deltas_add(rp_deltas_t *self, const uint8_t *bytes, size_t size);

/// The version newest + 1, which is about to be kept, makes the world another window.
void rp_deltas_note_window(rp_deltas_t *self);

/// @return the delta of that version, borrowed until the next add; NULL when it is not kept
const rp_delta_t *rp_deltas_get(const rp_deltas_t *self, uint64_t version);

/// The least version that a reader may be given.
/// @param follows  the reader takes other windows from deltas
uint64_t rp_deltas_oldest(const rp_deltas_t *self, bool follows);

/// True when all versions after `version` are kept, and the reader may be given them.
bool rp_deltas_reach(const rp_deltas_t *self, uint64_t version, bool follows);

#endif
