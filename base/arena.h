/// @file
/// Arrays that end together: those of a planner, from bind to unbind. Whoever takes one does not
/// give it back, and need not look whether there was memory: whoever owns the arena asks that once.
#ifndef REPLAN_BASE_ARENA_H
#define REPLAN_BASE_ARENA_H

#include "base/memory.h"
#include "base/prefault.h"

/// Arrays that one arena holds at most.
#define RP_ARENA_MOST 32u

typedef struct rp_arena_array {
    void *memory;
    size_t bytes;
} rp_arena_array_t;

typedef struct rp_arena {
    rp_arena_array_t arrays[RP_ARENA_MOST];
    uint32_t count;
    bool is_short; ///< something asked for could not be had; what was taken is to be given back
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

/// Give all arrays back; the arena is as new.
/// @param deferred_free  as of rp_memory_free()
void rp_arena_free(rp_arena_t *self, rp_deferred_free_t *deferred_free);

#endif
