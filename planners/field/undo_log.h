/// @file
/// What a field (field.h) and a cached path (path_cache.h) were before searches raised the one and
/// led the other another way. An obstacle that comes and goes again is the rule; when it goes, all
/// that it raised would have to be lowered again cell by cell. It is cheaper to take the raise
/// back: write the former d, and lead the cached path along its former way.
///
/// Raises are taken back in reverse order, the last one first, and as soon as its former way is
/// legal again and costs what it did. The least of two consistent fields is consistent where both
/// are. The former one is so but for cells that became cheaper since: these are listed, and the
/// field takes them in anew. So none of this has to be right about why the field was raised.
///
/// Cells that sleep (deferred_decreases.h) are not listed: when they wake, all raises are
/// forgotten.
#ifndef REPLAN_PLANNERS_FIELD_UNDO_LOG_H
#define REPLAN_PLANNERS_FIELD_UNDO_LOG_H

#include "planners/field/deferred_decreases.h"
#include "planners/field/field.h"
#include "planners/field/path_cache.h"

/// Raises that are remembered; and the cells that they raised, the cells of their former ways, and
/// the cells that became cheaper, of all of them together. Taking back is a write for each of the
/// first and a look at each of the last, far less than a search: only memory is bounded here.
#define RP_UNDO_LOG_MOST       16u
#define RP_UNDO_LOG_CELLS_MOST (1u << 18)
#define RP_UNDO_LOG_FREED_MOST (1u << 13)

/// So many cells of the first two have their memory met in idle time.
#define RP_UNDO_LOG_PREFAULT 2048u

/// Where the lists of a raise begin; they end where those of the next one begin.
typedef struct rp_undo {
    uint32_t known;
    uint32_t way;
    uint32_t freed;
} rp_undo_t;

typedef struct rp_undo_log {
    rp_path_cache_step_t *known; ///< raised cells, with d as it was [capacity]
    rp_path_cache_step_t
        *ways;          ///< former ways with both ends, as they were on the cached path [capacity]
    rp_change_t *freed; ///< cells that became cheaper [RP_UNDO_LOG_FREED_MOST]
    uint32_t capacity;  ///< of the first two; 0: nothing is remembered
    uint32_t known_count;
    uint32_t way_count;
    uint32_t freed_count;
    uint32_t known_peak; ///< greatest count at the times when all were forgotten
    uint32_t way_peak;   ///< greatest count so far
    uint32_t begun;      ///< place in `known` of the first cell of the raise under way
    bool is_lost;        ///< the raise under way has no room: no earlier one can be taken back
    uint32_t count;      ///< of raises
    rp_undo_t undo_log[RP_UNDO_LOG_MOST];
} rp_undo_log_t;

static inline void rp_undo_log_clear(rp_undo_log_t *self)
{
    self->known_peak = self->known_count > self->known_peak ? self->known_count : self->known_peak;
    self->known_count = 0;
    self->way_count = 0;
    self->freed_count = 0;
    self->count = 0;
}

// ---- a raise

/// A raise begins: rp_undo_log_note() follows for each raised cell, then rp_undo_log_end().
static inline void rp_undo_log_begin(rp_undo_log_t *self)
{
    self->begun = self->known_count;
    self->is_lost = false;
}

/// A cell is to be raised. @param d  as it is before that
static inline void rp_undo_log_note(rp_undo_log_t *self, rp_cell_t cell, rp_cost_t d)
{
    if (self->known_count == self->capacity) {
        self->is_lost = true;
        return;
    }
    self->known[self->known_count++] = (rp_path_cache_step_t){cell, d};
}

/// The raise is over, and the cached path is not led another way. It counts as part of the one
/// before it: of both together the former d are a field, too.
static inline void rp_undo_log_end(rp_undo_log_t *self)
{
    if (self->is_lost || self->count == 0) {
        rp_undo_log_clear(self);
    }
}

/// The raise is over, and the cached path will be led another way between two of its places.
static inline void rp_undo_log_end_way(rp_undo_log_t *self, const rp_path_cache_t *path_cache,
                                       uint32_t tail, uint32_t head)
{
    const uint32_t length = head - tail + 1u;
    if (self->known_count == self->begun && !self->is_lost) {
        return; // another way at the same cost
    }
    if (self->is_lost || self->count == RP_UNDO_LOG_MOST ||
        length > self->capacity - self->way_count) {
        rp_undo_log_clear(self);
        return;
    }
    self->undo_log[self->count++] =
        (rp_undo_t){.known = self->begun, .way = self->way_count, .freed = self->freed_count};
    memcpy(&self->ways[self->way_count], &path_cache->steps[tail], length * sizeof *self->ways);
    self->way_count += length;
    self->way_peak = self->way_count > self->way_peak ? self->way_count : self->way_peak;
}

/// List the cells of a batch that became cheaper and do not sleep, as long as there is a raise to
/// take back.
static inline void rp_undo_log_note_cheaper(rp_undo_log_t *self,
                                            const rp_deferred_decreases_t *deferred,
                                            const rp_change_t *changes, size_t count)
{
    for (size_t i = 0; self->count != 0 && i < count; i++) {
        if (!rp_deferred_decreases_leave(deferred, &changes[i])) {
            continue;
        }
        if (self->freed_count == RP_UNDO_LOG_FREED_MOST) {
            rp_undo_log_clear(self);
            return;
        }
        self->freed[self->freed_count++] = changes[i];
    }
}

// ---- taking it back

/// True when the former way of the last raise is legal again, and costs what it did. Time: O(way)
static inline bool rp_undo_log_can_take_back(const rp_undo_log_t *self, const rp_grid_t *grid,
                                             const rp_metric_t *metric)
{
    if (self->count == 0) {
        return false;
    }
    for (uint32_t i = self->undo_log[self->count - 1u].way; i + 1u < self->way_count; i++) {
        const rp_path_cache_step_t to = self->ways[i];
        const rp_path_cache_step_t from = self->ways[i + 1u];
        const unsigned direction = rp_path_direction(grid, from.cell, to.cell);
        if (((grid->moves[from.cell] >> direction) & 1u) == 0 ||
            rp_edge(metric, from.cell, to.cell, direction) != from.cost - to.cost) {
            return false;
        }
    }
    return true;
}

/// Give the field back what it knew before the last raise, where that is less.
/// @param count  written
/// @return the cells that became cheaper since, as changes that it must take in now; borrowed until
///         the next one is listed [count]
static inline const rp_change_t *rp_undo_log_restore(rp_undo_log_t *self, rp_field_t *field,
                                                     size_t *count)
{
    const rp_undo_t *raise = &self->undo_log[self->count - 1u];
    for (uint32_t i = raise->known; i < self->known_count; i++) {
        const rp_path_cache_step_t known = self->known[i];
        if (known.cost < field->nodes[known.cell].g) {
            rp_field_set(field, known.cell, (rp_node_t){known.cost, field->build | RP_NODE_CLOSED});
        }
    }
    for (uint32_t i = raise->freed; i < self->freed_count; i++) {
        rp_change_t *change = &self->freed[i];
        change->after = field->grid->factor[change->cell];
        // d of the root needs no neighbour, and must not be forgotten as that of a freed cell is.
        change->before = change->cell == field->root ? UINT8_MAX : change->before;
    }
    *count = self->freed_count - raise->freed;
    return &self->freed[raise->freed];
}

/// True when the cached path has both ends of a way in their order, and meets the way nowhere
/// beyond them.
static inline bool rp_undo_log_fits(const rp_path_cache_t *path_cache,
                                    const rp_path_cache_step_t *way, uint32_t length)
{
    if (!rp_path_cache_has(path_cache, way[0].cell) ||
        !rp_path_cache_has(path_cache, way[length - 1u].cell)) {
        return false;
    }
    const uint32_t tail = rp_path_cache_place(path_cache, way[0].cell);
    const uint32_t head = rp_path_cache_place(path_cache, way[length - 1u].cell);
    if (tail >= head) {
        return false;
    }
    for (uint32_t i = 1; i + 1u < length; i++) {
        if (rp_path_cache_has(path_cache, way[i].cell)) {
            const uint32_t place = rp_path_cache_place(path_cache, way[i].cell);
            if (place < tail || place > head) {
                return false;
            }
        }
    }
    return true;
}

/// Break the steps again that are broken beyond both ends of a way, now that the cached path is led
/// along it.
/// @param was         the cached path before that
/// @param tail, head  places of the ends then
/// @param tail_now, head_now  and now
static inline void rp_undo_log_break_again(rp_path_cache_t *path_cache, const rp_path_cache_t *was,
                                           uint32_t tail, uint32_t head, uint32_t tail_now,
                                           uint32_t head_now)
{
    if (rp_path_cache_is_intact(was)) {
        return;
    }
    if (was->low < tail) {
        const uint32_t high = was->high < tail ? was->high : tail - 1u;
        rp_path_cache_break(path_cache, was->low + tail_now - tail, high + tail_now - tail);
    }
    if (was->high >= head) {
        const uint32_t low = was->low > head ? was->low : head;
        rp_path_cache_break(path_cache, low + head_now - head, was->high + head_now - head);
    }
}

/// Lead the cached path along the former way of the last raise. @return false when that does not
/// fit in
static inline bool rp_undo_log_lead_back(const rp_undo_log_t *self, rp_path_cache_t *path_cache)
{
    const rp_path_cache_step_t *way = &self->ways[self->undo_log[self->count - 1u].way];
    const uint32_t length = self->way_count - self->undo_log[self->count - 1u].way;
    if (!rp_undo_log_fits(path_cache, way, length)) {
        return false;
    }
    const rp_path_cache_t was = *path_cache;
    const uint32_t tail = rp_path_cache_place(path_cache, way[0].cell);
    const uint32_t head = rp_path_cache_place(path_cache, way[length - 1u].cell);
    const rp_cost_t differs = path_cache->steps[tail].cost - way[0].cost; // may wrap, as sums do
    const rp_cost_t rises = way[length - 1u].cost + differs - path_cache->steps[head].cost;
    for (uint32_t place = head; place < path_cache->end; place++) {
        path_cache->steps[place].cost += rises;
    }
    const uint32_t gap = rp_path_cache_splice(path_cache, tail, length - 2u, head);
    for (uint32_t i = 1; i + 1u < length; i++) {
        rp_path_cache_fill(path_cache, gap + i - 1u, way[i].cell, way[i].cost + differs);
    }
    rp_undo_log_break_again(path_cache, &was, tail, head, gap - 1u, gap + length - 2u);
    return true;
}

/// Forget the last raise.
static inline void rp_undo_log_drop_last(rp_undo_log_t *self)
{
    self->count--;
    if (self->count == 0) {
        rp_undo_log_clear(self);
        return;
    }
    self->known_count = self->undo_log[self->count].known;
    self->way_count = self->undo_log[self->count].way;
}

// ---- birth and death

static inline void rp_undo_log_init(rp_undo_log_t *self, const rp_grid_t *grid, rp_arena_t *arena)
{
    const uint32_t cells = grid->cell_count;
    *self = (rp_undo_log_t){.capacity =
                                cells < RP_UNDO_LOG_CELLS_MOST ? cells : RP_UNDO_LOG_CELLS_MOST};
    self->known = rp_arena_new_sparse(arena, self->capacity, sizeof *self->known);
    rp_arena_note(arena, &self->known_count, &self->known_peak, sizeof *self->known);
    self->ways = rp_arena_new_sparse(arena, self->capacity, sizeof *self->ways);
    rp_arena_note(arena, &self->way_peak, &self->way_peak, sizeof *self->ways);
    self->freed = rp_arena_new_sparse(arena, RP_UNDO_LOG_FREED_MOST, sizeof *self->freed);
}

/// Meet the memory of the first raises.
static inline void rp_undo_log_prefault(const rp_undo_log_t *self)
{
    const uint32_t most =
        self->capacity < RP_UNDO_LOG_PREFAULT ? self->capacity : RP_UNDO_LOG_PREFAULT;
    rp_memory_prefault(self->known, self->capacity, sizeof *self->known, 0, most);
    rp_memory_touch(self->known, most * sizeof *self->known);
    rp_memory_prefault(self->ways, self->capacity, sizeof *self->ways, 0, most);
    rp_memory_touch(self->ways, most * sizeof *self->ways);
}

#endif
