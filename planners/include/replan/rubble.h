/// @file
/// Rubble: memory of what was destroyed, cleared away in parts. To give a search of the largest
/// grid back to the system takes up to fifty milliseconds where pages are small, some 60 us a
/// megabyte that was touched; who owns a grid and cannot wait that long names a heap for it
/// (rp_grid_t.rubble), and clears that when there is time. Many small pieces of the heap take long,
/// too: they lie there as litter.
///
/// All zero: nothing lies there. One thread at a time.
#ifndef REPLAN_RUBBLE_H
#define REPLAN_RUBBLE_H

#include "replan/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An array that nobody needs.
typedef struct rp_ruin {
    uint8_t *memory; ///< mapped
    size_t bytes;    ///< whole pages; of which the last are cleared first
} rp_ruin_t;

typedef struct rp_rubble {
    rp_ruin_t *ruins; ///< owned [capacity]
    size_t count;
    size_t capacity;
    uint64_t span; ///< addresses, of all: much of it was never touched
    uint64_t held; ///< bytes that are thought to be resident still
    void *litter;  ///< pieces of the heap, each of which begins with where the next one lies
} rp_rubble_t;

/// True when nothing lies there.
static inline bool rp_rubble_is_empty(const rp_rubble_t *self)
{
    return self->count == 0 && self->litter == NULL;
}

/// Clear a part of it.
/// @param span  at most so many bytes of addresses; a piece of litter counts as a page
/// @return true when more is left
bool rp_rubble_clear(rp_rubble_t *self, uint64_t span);

/// Clear all of it.
void rp_rubble_fini(rp_rubble_t *self);

// ---- for those who destroy

/// Take over an array that was mapped, all of it.
/// @param self  NULL: nothing is taken
/// @return false when it is to be unmapped at once: it is small, or there is no memory to note it
bool rp_rubble_add(rp_rubble_t *self, void *memory, size_t bytes);

/// Take over a piece of the heap, which is free()d later. Cannot fail. Time: O(1)
/// @param self    NULL: it is freed at once, as is one that is too small to be noted in
/// @param memory  NULL: nothing happens
void rp_rubble_litter(rp_rubble_t *self, void *memory, size_t bytes);

/// What of it spans addresses, to be remembered before things are added. @param self  NULL: 0
uint64_t rp_rubble_span(const rp_rubble_t *self);

/// Of what was added since it spanned that much, so many bytes were touched, or all if it is less.
/// @param self  NULL: nothing happens
void rp_rubble_note(rp_rubble_t *self, uint64_t span, uint64_t bytes);

#ifdef __cplusplus
}
#endif

#endif
