/// @file
/// Arrays that end together: those of a planner, from bind to unbind. Whoever takes one does not
/// give it back, and need not look whether there was memory: whoever owns the arena asks that once.
#ifndef REPLAN_BASE_ARENA_H
#define REPLAN_BASE_ARENA_H

#include "base/memory.h"
#include "base/prefault.h"

/// Arrays that one arena holds at most, and of these, those that are met in part.
#define RP_ARENA_MOST  32u
#define RP_ARENA_PARTS 24u

typedef struct rp_arena_array {
    void *memory;
    size_t bytes;
} rp_arena_array_t;

/// An array of which only a beginning was met.
typedef struct rp_arena_part {
    const uint32_t *now;  ///< elements in use, or met so far
    const uint32_t *most; ///< of a time before
    size_t size;          ///< of an element
} rp_arena_part_t;

typedef struct rp_arena {
    rp_arena_array_t arrays[RP_ARENA_MOST];
    rp_arena_part_t parts[RP_ARENA_PARTS];
    uint32_t count;
    uint32_t part_count;
    uint64_t whole;  ///< bytes of the arrays that count as a whole
    uint64_t last;   ///< bytes of the newest one, if it does
    uint64_t beside; ///< bytes that its owner holds elsewhere
    bool is_short;   ///< something asked for could not be had; what was taken is to be given back
} rp_arena_t;

/// Arrays of so many elements of so many bytes, zeroed, as of rp_memory_new(),
/// rp_memory_new_dense() and rp_memory_new_sparse().
/// @return NULL without memory; the arena is short then
void *rp_arena_new(rp_arena_t *self, size_t count, size_t size);
void *rp_arena_new_dense(rp_arena_t *self, size_t count, size_t size);
void *rp_arena_new_sparse(rp_arena_t *self, size_t count, size_t size);

/// An array by cell of which a search notes what it has come to.
/// @param prefault  set: nothing was met yet
/// @param stride    of the grid
void *rp_arena_new_by_cell(rp_arena_t *self, rp_prefault_t *prefault, uint32_t cells, size_t size,
                           uint32_t stride);

/// Of the newest array only so many elements were met as the greater of two counters says. They are
/// read until the arrays are given back. A sparse array without counters does not count. Without
/// room for the counters the arena is short.
/// @param size  of an element
void rp_arena_note(rp_arena_t *self, const uint32_t *now, const uint32_t *most, size_t size);

/// Bytes that were met so far: of arrays by cell all.
uint64_t rp_arena_bytes(const rp_arena_t *self);

/// Give all arrays back; the arena is as new.
/// @param deferred_free  as of rp_memory_free()
void rp_arena_free(rp_arena_t *self, rp_deferred_free_t *deferred_free);

#endif
