/// @file
/// Mirror: a copy of a world's bytes, kept from a watch with `map`: snapshot chunks first, then one
/// delta a version. A missing delta, a new epoch or a wrong hash is reported, so that the owner
/// watches again. The bytes of the last versions can be read, because an answer names the version
/// that it is true for.
///
///     rp_mirror_t mirror;
///     rp_mirror_init(&mirror, 256, 1u << 16);
///     while (rp_client_poll(client, -1, &event)) {
///         if (rp_mirror_needs_watch(rp_mirror_take(&mirror, &event))) { watch again }
///         if (event.kind == RP_CLIENT_ANSWER) {
///             const uint8_t *bytes = rp_mirror_at(&mirror, event.answer->epoch,
///                                                 event.answer->version);
///             ...
///
/// `self` must not be NULL; that is not checked. A NULL event or message gives RP_MIRROR_OLD.
#ifndef REPLAN_MIRROR_H
#define REPLAN_MIRROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "replan/client.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a cell was before one version rewrote it, or after it while an older version is shown.
typedef struct rp_mirror_undo {
    uint32_t cell;
    uint8_t byte;
} rp_mirror_undo_t;

/// Read the first block as you like; the second is the mirror's own.
typedef struct rp_mirror {
    bool is_whole; ///< false until the snapshot is complete: nothing below counts before
    uint32_t width;
    uint32_t height;
    uint32_t neighbors; ///< 4 or 8
    bool wraps;         ///< a torus
    double resolution;  ///< metres a cell
    double origin_x;    ///< metres: lower-left corner of cell (0, 0)
    double origin_y;
    double origin_yaw; ///< radians, from +x towards +y
    char frame_id[65];
    char profile[33]; ///< what a byte means
    uint64_t epoch;
    uint64_t window;  ///< that the world is; 0: the daemon knows none
    uint64_t version; ///< the newest
    uint64_t oldest;  ///< the oldest that rp_mirror_at() still knows

    uint8_t *bytes;         ///< row by row, as at `shown`; owned [width * height]
    size_t capacity;        ///< bytes allocated
    uint64_t hash;          ///< of the newest bytes
    uint64_t shown;         ///< the version that `bytes` shows now
    uint32_t next_row;      ///< of the snapshot, while it comes
    rp_mirror_undo_t *undo; ///< ring; owned [undo_capacity]
    uint64_t undo_capacity;
    uint64_t undo_count; ///< entries ever written; entry i lies at i % undo_capacity
    uint64_t *ends;      ///< undo_count behind version v, at v % versions; owned [versions]
    uint32_t versions;
} rp_mirror_t;

typedef enum rp_mirror_news {
    RP_MIRROR_TAKEN,   ///< the mirror holds what the message said
    RP_MIRROR_WAITING, ///< taken, but the snapshot is not whole yet
    RP_MIRROR_OLD,     ///< nothing new: an older version, or not a message about the map
    RP_MIRROR_HOLE,    ///< it does not continue what is here: watch again
    RP_MIRROR_DIFFERS, ///< the daemon's hash is another one: watch again, and tell somebody
    RP_MIRROR_MEMORY,  ///< no memory for a world of this size; the mirror is empty
} rp_mirror_news_t;

/// An empty mirror.
/// @param versions    how many rp_mirror_at() may know, the newest included; at least 1
/// @param undo_cells  cells that all of them together may have rewritten; 8 bytes each. A version
///                    that rewrote more than fits ends the past.
/// @return false without memory
bool rp_mirror_init(rp_mirror_t *self, uint32_t versions, uint32_t undo_cells);
void rp_mirror_fini(rp_mirror_t *self);

/// Take what a client polled; everything but chunks, deltas and heads is RP_MIRROR_OLD. Of one
/// watch only: a client with several compares event->watch first.
rp_mirror_news_t rp_mirror_take(rp_mirror_t *self, const rp_client_event_t *event);

/// Rows of a snapshot; the first one starts over, in another size if need be.
/// Time: O(rows), and O(cells) with the last.
rp_mirror_news_t rp_mirror_chunk(rp_mirror_t *self, const Replan__V1__Chunk *chunk);

/// Version n + 1 after version n. Another window, which a watch with `follows` tells so, ends the
/// past. Time: O(cells named), of another window O(cells).
rp_mirror_news_t rp_mirror_delta(rp_mirror_t *self, const Replan__V1__Delta *delta);

/// Compare epoch and, when it speaks of this version, the hash.
rp_mirror_news_t rp_mirror_head(rp_mirror_t *self, const Replan__V1__Head *head);

/// RP_MIRROR_HOLE or RP_MIRROR_DIFFERS.
static inline bool rp_mirror_needs_watch(rp_mirror_news_t news)
{
    return news == RP_MIRROR_HOLE || news == RP_MIRROR_DIFFERS;
}

/// The bytes as they were at a version.
/// @return row by row [width * height], borrowed until the next function on this mirror; NULL when
///         that version is not known here: not yet, not any more, or of another epoch
/// Time: O(cells rewritten between this version and the one asked for last).
const uint8_t *rp_mirror_at(rp_mirror_t *self, uint64_t epoch, uint64_t version);

/// The newest bytes, as rp_mirror_at(); NULL unless is_whole.
static inline const uint8_t *rp_mirror_newest(rp_mirror_t *self)
{
    return rp_mirror_at(self, self->epoch, self->version);
}

#ifdef __cplusplus
}
#endif

#endif
