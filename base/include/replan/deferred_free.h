/// @file
/// Rubble: memory of destroyed objects that is given back to the system later, in parts.
///
/// To unmap the search state of the largest grid takes up to 50 ms in small pages: some 60 us for
/// each megabyte that was touched. The owner of a grid that cannot wait that long gives it a pile
/// (rp_grid_t.deferred_free), and clears the pile when there is time. Freeing many small blocks
/// takes long, too; they lie on the pile as litter, which is a linked list.
///
/// All zero is an empty pile. For one thread at a time. `self` is NULL only where that is said.
#ifndef REPLAN_DEFERRED_FREE_H
#define REPLAN_DEFERRED_FREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An array that is to be unmapped.
typedef struct rp_deferred_array {
    uint8_t *memory; ///< owned; from mmap()
    size_t bytes;    ///< whole pages; unmapped from the end
} rp_deferred_array_t;

typedef struct rp_deferred_free {
    rp_deferred_array_t *ruins; ///< owned [capacity]
    size_t count;
    size_t capacity;
    uint64_t span; ///< bytes of address space of all ruins, most of it never touched
    uint64_t held; ///< bytes of it that are resident, as an estimate
    void *litter;  ///< owned; list of blocks from malloc(), each begins with a pointer to the next
} rp_deferred_free_t;

/// True when there is nothing to clear.
static inline bool rp_deferred_free_is_empty(const rp_deferred_free_t *self)
{
    return self->count == 0 && self->litter == NULL;
}

/// Give a part back to the system.
/// @param span  at most so many bytes of address space; a block of litter counts as a page
/// @return true when more is left
bool rp_deferred_free_clear(rp_deferred_free_t *self, uint64_t span);

/// Give all of it back to the system.
void rp_deferred_free_fini(rp_deferred_free_t *self);

// ---- for destructors

/// Take over a whole array from mmap().
/// @param self  NULL: nothing is taken
/// @return false when the caller must unmap it: it is small, or there is no memory to note it
bool rp_deferred_free_add(rp_deferred_free_t *self, void *memory, size_t bytes);

/// Take over a block from malloc(), to be freed later. Cannot fail. Time: O(1)
/// @param self    NULL: it is freed at once, as is a block too small to hold a pointer
/// @param memory  NULL: nothing happens
void rp_deferred_free_block(rp_deferred_free_t *self, void *memory, size_t bytes);

/// `span` now: remember it before adding, for rp_deferred_free_note(). @param self  NULL: 0
uint64_t rp_deferred_free_span(const rp_deferred_free_t *self);

/// Say how much of what was added is resident.
/// @param self   NULL: nothing happens
/// @param span   rp_deferred_free_span() before it was added
/// @param bytes  that were touched; no more than was added counts
void rp_deferred_free_note(rp_deferred_free_t *self, uint64_t span, uint64_t bytes);

#ifdef __cplusplus
}
#endif

#endif
