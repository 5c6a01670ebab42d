/// @file
/// OPEN as a 4-ary heap that knows where each cell stands: a key may fall or rise in place, and any
/// cell can be taken out. For searches that keep OPEN from one plan to the next, where entries that
/// were only marked stale would pile up.
///
/// The root stands at place 3 and the children of p at 4p-8 .. 4p-5, so that four children begin at
/// a multiple of four: with 16-byte entries they are one line of the cache.
///
/// Who is in the heap, the user knows: the place of any other cell is left as it fell. So emptying
/// the heap costs nothing. The places stand where the user keeps his cells' other data, as a cell
/// that is put in or moved has just been looked at.
#ifndef REPLAN_PLANNERS_OPEN_INDEXED_HEAP_H
#define REPLAN_PLANNERS_OPEN_INDEXED_HEAP_H

#include "base/arena.h"
#include "planners/grid/cost.h"

#define RP_INDEXED_HEAP_ROOT 3u

typedef struct rp_indexed_heap_entry {
    rp_key_t key;
    rp_cell_t cell;
} rp_indexed_heap_entry_t;

typedef struct rp_indexed_heap {
    rp_indexed_heap_entry_t
        *entries;     ///< from RP_INDEXED_HEAP_ROOT on [cells + RP_INDEXED_HEAP_ROOT]
    uint32_t *places; ///< borrowed; by cell: where it stands, if it is in
    uint32_t stride;  ///< from the place of a cell to that of the next, in places
    uint32_t end;     ///< one behind the last entry
    uint32_t peak;    ///< greatest `end` so far
} rp_indexed_heap_t;

/// @param cells   one more than the greatest cell that will be put in
/// @param places  borrowed until fini; the place of cell 0
/// @param stride  from there to the place of cell 1, in places
static inline void rp_indexed_heap_init(rp_indexed_heap_t *self, uint32_t cells, uint32_t *places,
                                        uint32_t stride, rp_arena_t *arena)
{
    *self = (rp_indexed_heap_t){.places = places,
                                .stride = stride,
                                .end = RP_INDEXED_HEAP_ROOT,
                                .peak = RP_INDEXED_HEAP_ROOT};
    // Only the beginning is ever met, and in no huge page, of which each heap would take one.
    self->entries =
        rp_arena_new_sparse(arena, (size_t)cells + RP_INDEXED_HEAP_ROOT, sizeof *self->entries);
    rp_arena_note(arena, &self->peak, &self->peak, sizeof *self->entries);
}

/// Take all cells out. Time: O(1).
static inline void rp_indexed_heap_clear(rp_indexed_heap_t *self)
{
    self->end = RP_INDEXED_HEAP_ROOT;
}

static inline bool rp_indexed_heap_is_empty(const rp_indexed_heap_t *self)
{
    return self->end == RP_INDEXED_HEAP_ROOT;
}

static inline uint32_t rp_indexed_heap_count(const rp_indexed_heap_t *self)
{
    return self->end - RP_INDEXED_HEAP_ROOT;
}

/// Where a cell stands that is in.
static inline uint32_t rp_indexed_heap_where(const rp_indexed_heap_t *self, rp_cell_t cell)
{
    return self->places[(size_t)cell * self->stride];
}

/// The entry of least key; the heap must not be empty.
static inline rp_indexed_heap_entry_t rp_indexed_heap_top(const rp_indexed_heap_t *self)
{
    return self->entries[RP_INDEXED_HEAP_ROOT];
}

/// True when the entry at `place` is known by its cell and not before its parent.
static inline bool rp_indexed_heap_holds_at(const rp_indexed_heap_t *self, uint32_t place)
{
    const rp_indexed_heap_entry_t *entry = &self->entries[place];
    return rp_indexed_heap_where(self, entry->cell) == place &&
           (place == RP_INDEXED_HEAP_ROOT || self->entries[place / 4u + 2u].key <= entry->key);
}

/// True when a cell is in, in order, and by no greater key than this one.
static inline bool rp_indexed_heap_holds(const rp_indexed_heap_t *self, rp_cell_t cell,
                                         rp_key_t key)
{
    const uint32_t place = rp_indexed_heap_where(self, cell);
    return place >= RP_INDEXED_HEAP_ROOT && place < self->end &&
           rp_indexed_heap_holds_at(self, place) && self->entries[place].cell == cell &&
           self->entries[place].key <= key;
}

static inline void rp_indexed_heap_set(rp_indexed_heap_t *self, uint32_t place,
                                       rp_indexed_heap_entry_t entry)
{
    self->entries[place] = entry;
    self->places[(size_t)entry.cell * self->stride] = place;
}

/// Put `entry` at `place` or above, wherever it is not before its parent.
static inline void rp_indexed_heap_sift_up(rp_indexed_heap_t *self, uint32_t place,
                                           rp_indexed_heap_entry_t entry)
{
    while (place != RP_INDEXED_HEAP_ROOT) {
        const uint32_t parent = place / 4u + 2u;
        if (self->entries[parent].key <= entry.key) {
            break;
        }
        rp_indexed_heap_set(self, place, self->entries[parent]);
        place = parent;
    }
    rp_indexed_heap_set(self, place, entry);
}

/// The child of least key among the four from `first` on, of which those before `end` are there.
/// Which of four keys is least cannot be foretold, so a full group is compared without branches.
static inline uint32_t rp_indexed_heap_least(const rp_indexed_heap_entry_t *entries, uint32_t first,
                                             uint32_t end)
{
    if (first + 4u <= end) {
        const uint32_t low = first + (entries[first + 1u].key < entries[first].key);
        const uint32_t high = first + 2u + (entries[first + 3u].key < entries[first + 2u].key);
        return low + (high - low) * (entries[high].key < entries[low].key);
    }
    uint32_t least = first;
    for (uint32_t child = first + 1u; child < end; child++) {
        least = entries[child].key < entries[least].key ? child : least;
    }
    return least;
}

/// Put `entry` at `place` or below, wherever no child is before it.
static inline void rp_indexed_heap_sink(rp_indexed_heap_t *self, uint32_t place,
                                        rp_indexed_heap_entry_t entry)
{
    const uint32_t end = self->end;
    for (uint32_t first = 4u * place - 8u; first < end; first = 4u * place - 8u) {
        const uint32_t least = rp_indexed_heap_least(self->entries, first, end);
        if (entry.key <= self->entries[least].key) {
            break;
        }
        rp_indexed_heap_set(self, place, self->entries[least]);
        place = least;
    }
    rp_indexed_heap_set(self, place, entry);
}

/// Put `entry` where another one stood.
static inline void rp_indexed_heap_settle(rp_indexed_heap_t *self, uint32_t place,
                                          rp_indexed_heap_entry_t entry)
{
    if (place != RP_INDEXED_HEAP_ROOT && entry.key < self->entries[place / 4u + 2u].key) {
        rp_indexed_heap_sift_up(self, place, entry);
    } else {
        rp_indexed_heap_sink(self, place, entry);
    }
}

/// Put in a cell that is not in.
static inline void rp_indexed_heap_push(rp_indexed_heap_t *self, rp_key_t key, rp_cell_t cell)
{
    const rp_indexed_heap_entry_t entry = {key, cell};
    const uint32_t place = self->end++;
    self->peak = self->end > self->peak ? self->end : self->peak;
    rp_indexed_heap_sift_up(self, place, entry);
}

/// Give a cell that is in another key, lower or higher.
static inline void rp_indexed_heap_move(rp_indexed_heap_t *self, rp_key_t key, rp_cell_t cell)
{
    rp_indexed_heap_settle(self, rp_indexed_heap_where(self, cell),
                           (rp_indexed_heap_entry_t){key, cell});
}

/// Take out a cell that is in.
static inline void rp_indexed_heap_remove(rp_indexed_heap_t *self, rp_cell_t cell)
{
    const uint32_t place = rp_indexed_heap_where(self, cell);
    self->end--;
    if (place != self->end) {
        rp_indexed_heap_settle(self, place, self->entries[self->end]);
    }
}

#endif
