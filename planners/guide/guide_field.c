#include "planners/guide/guide_field.h"

#include <string.h>

#include "base/bits.h"

/// Values dropped for one expansion: they are written in less time than one takes.
#define CLEARED_AT_ONCE 1024u

/// A repair of more cells than this part of the layer begins anew.
#define REPAIR_PART 4u

/// How far a field leads beyond the value of a cell: an eighth of that and so many straight moves.
#define LEAD_PART  8u
#define LEAD_MOVES 24u

/// The lists hold values that differ by so much, in straight moves: they are never turned over but
/// in large worlds.
#define SPAN_MOVES 2048u

// ---- cells that wait

static bool is_live(const void *owner, const rp_bucket_entry_t *entry)
{
    const rp_guide_field_t *self = owner;
    return self->values[entry->cell] == entry->key;
}

/// Let a cell wait at its value. One that fell waits there once, so a full list has stale entries.
static void put(rp_guide_field_t *self, rp_cell_t cell)
{
    if (rp_buckets_is_full(&self->open)) {
        rp_buckets_sweep(&self->open, is_live, self);
    }
    rp_buckets_push(&self->open, self->values[cell], 0, cell);
}

static uint32_t capped_sum(rp_guide_field_t *self, uint32_t value, uint32_t edge)
{
    if (value + edge < RP_GUIDE_FIELD_MOST) {
        return value + edge;
    }
    self->is_capped = true;
    return RP_GUIDE_FIELD_MOST;
}

/// Write a value, and note what stood there before the repair. It is not doubted.
static void write_value(rp_guide_field_t *self, rp_cell_t cell, uint32_t value)
{
    const bool is_known = value < self->marked || self->values[cell] < self->marked;
    if (!self->is_new && is_known && !rp_bits_has(self->noted, cell)) {
        rp_bits_set(self->noted, cell, true);
        self->before[cell] = self->values[cell];
        self->lowered[self->lowered_count++] = cell;
    }
    self->values[cell] = value;
    if (self->doubts.count != 0 || self->put_off_count != 0) {
        rp_bits_set(self->doubted, cell, false);
    }
}

static void forget_lowered(rp_guide_field_t *self)
{
    for (uint32_t i = 0; i < self->lowered_count; i++) {
        rp_bits_set(self->noted, self->lowered[i], false);
    }
    self->lowered_count = 0;
}

// ---- dropping what has no support

static bool is_doubt(const void *owner, const rp_bucket_entry_t *entry)
{
    const rp_guide_field_t *self = owner;
    return rp_bits_has(self->doubted, entry->cell) && self->values[entry->cell] == entry->key;
}

/// Put a cell in once, to be asked for its support.
static void doubt(rp_guide_field_t *self, rp_cell_t cell)
{
    if (self->values[cell] == RP_GUIDE_FIELD_NONE || rp_bits_has(self->doubted, cell)) {
        return;
    }
    if (rp_buckets_is_full(&self->doubts)) {
        rp_buckets_sweep(&self->doubts, is_doubt, self);
    }
    rp_bits_set(self->doubted, cell, true);
    rp_buckets_push(&self->doubts, self->values[cell], 0, cell);
}

/// True when the cell is a seed that may be entered, of at most this value.
static bool is_seed(const rp_guide_field_t *self, rp_cell_t cell, uint32_t value)
{
    const uint32_t seed = self->seeds[cell];
    return seed != 0 && seed - 1u <= value && self->layer->factor[cell] != 0;
}

/// True when a path over a cheaper neighbour costs no more than the value says.
static bool is_supported(const rp_guide_field_t *self, rp_cell_t cell)
{
    unsigned direction;
    rp_cell_t next;
    const uint32_t value = self->values[cell];
    if (is_seed(self, cell, value)) {
        return true;
    }
    RP_FOR_MOVES (self->layer, cell, direction, next) {
        const uint32_t other = self->values[next];
        if (other < value && other + rp_edge(&self->metric, cell, next, direction) <= value) {
            return true;
        }
    }
    return false;
}

/// True when a cell lies on no way that matters, and there is room to put it off.
static bool is_aside(const rp_guide_field_t *self, rp_cell_t cell, uint32_t value)
{
    return self->focus_most != RP_GUIDE_FIELD_NONE &&
           self->put_off_count < self->layer->cell_count &&
           value + rp_bound(&self->metric, self->focus, rp_point_of(self->layer, cell)) >
               self->focus_most;
}

/// Ask the cell that waits with the least value: lower ones are settled.
static void drop_next(rp_guide_field_t *self)
{
    unsigned direction;
    rp_cell_t next;
    const rp_bucket_entry_t entry = *rp_buckets_pop(&self->doubts);
    const rp_cell_t cell = entry.cell;
    const uint32_t value = entry.key;
    if (!is_doubt(self, &entry)) {
        return;
    }
    if (is_aside(self, cell, value)) {
        self->put_off[self->put_off_count++] = cell;
        return;
    }
    rp_bits_set(self->doubted, cell, false);
    if (is_supported(self, cell)) {
        return;
    }
    write_value(self, cell, RP_GUIDE_FIELD_NONE);
    self->loose[self->loose_count++] = cell;
    RP_FOR_MOVES (self->layer, cell, direction, next) {
        if (self->values[next] >= value + rp_edge(&self->metric, cell, next, direction)) {
            doubt(self, next);
        }
    }
}

// ---- growing

static void grow_next(rp_guide_field_t *self)
{
    unsigned direction;
    rp_cell_t next;
    const rp_bucket_entry_t entry = *rp_buckets_pop(&self->open);
    if (entry.key != self->values[entry.cell]) {
        return;
    }
    RP_FOR_MOVES (self->layer, entry.cell, direction, next) {
        const uint32_t edge = rp_edge(&self->metric, entry.cell, next, direction);
        const uint32_t value = capped_sum(self, entry.key, edge);
        if (value < self->values[next]) {
            write_value(self, next, value);
            put(self, next);
        }
    }
}

/// Give a cell the least value that its neighbours offer, if that is less than its own.
static void gather(rp_guide_field_t *self, rp_cell_t cell)
{
    unsigned direction;
    rp_cell_t next;
    uint32_t least = self->values[cell];
    if (is_seed(self, cell, least)) {
        least = self->seeds[cell] - 1u;
    }
    RP_FOR_MOVES (self->layer, cell, direction, next) {
        if (self->values[next] != RP_GUIDE_FIELD_NONE) {
            const uint32_t edge = rp_edge(&self->metric, cell, next, direction);
            const uint32_t value = capped_sum(self, self->values[next], edge);
            least = value < least ? value : least;
        }
    }
    if (least < self->values[cell]) {
        write_value(self, cell, least);
        put(self, cell);
    }
}

// ---- steps

static void clear_next(rp_guide_field_t *self)
{
    const uint32_t left = self->layer->cell_count - self->cleared;
    const uint32_t count = left < CLEARED_AT_ONCE ? left : CLEARED_AT_ONCE;
    memset(self->values + self->cleared, 0xff, count * sizeof *self->values);
    self->cleared += count;
    if (self->cleared == self->layer->cell_count) {
        self->is_clearing = false;
        for (uint32_t i = 0; i < self->seeded_count; i++) {
            gather(self, self->seeded[i]);
        }
    }
}

/// True when an entry up to a level waits.
static bool waits(rp_buckets_t *list, uint32_t level)
{
    return list->count != 0 && rp_buckets_seek(list) <= level >> list->shift;
}

/// Drop before anything is gathered, and gather before anything grows: what grows has support then,
/// but for that of values beyond the level.
/// @return false: nothing is left to do
static bool step(rp_guide_field_t *self, uint32_t dropped, uint32_t grown)
{
    if (self->is_clearing) {
        clear_next(self);
    } else if (waits(&self->doubts, dropped)) {
        drop_next(self);
    } else if (self->loose_count != 0) {
        gather(self, self->loose[--self->loose_count]);
    } else if (waits(&self->open, grown)) {
        grow_next(self);
    } else {
        return false;
    }
    return true;
}

/// Cells that were put off wait again.
static void ask_all(rp_guide_field_t *self)
{
    while (self->put_off_count != 0) {
        const rp_cell_t cell = self->put_off[--self->put_off_count];
        if (rp_bits_has(self->doubted, cell)) {
            rp_bits_set(self->doubted, cell, false);
            doubt(self, cell);
        }
    }
    self->focus_most = RP_GUIDE_FIELD_NONE;
}

/// Go on until values are dropped and grown up to these levels.
static rp_status_t work_to(rp_guide_field_t *self, uint32_t dropped, uint32_t grown,
                           uint64_t *budget)
{
    while (*budget != 0) {
        if (!step(self, dropped, grown)) {
            self->is_resting = true;
            return RP_OK;
        }
        --*budget;
    }
    return RP_MORE;
}

rp_status_t rp_guide_field_work(rp_guide_field_t *self, uint64_t *budget)
{
    ask_all(self);
    return work_to(self, RP_GUIDE_FIELD_NONE, RP_GUIDE_FIELD_NONE, budget);
}

rp_status_t rp_guide_field_work_to(rp_guide_field_t *self, uint32_t level, uint64_t *budget)
{
    ask_all(self);
    return work_to(self, level, level, budget);
}

rp_status_t rp_guide_field_relax(rp_guide_field_t *self, uint32_t level, uint64_t *budget)
{
    return work_to(self, 0, level, budget);
}

bool rp_guide_field_has_doubts(rp_guide_field_t *self, uint32_t level)
{
    return self->put_off_count != 0 || waits(&self->doubts, level);
}

/// A part more, and some moves.
static uint32_t level_beyond(const rp_guide_field_t *self, uint32_t value)
{
    const uint64_t level =
        (uint64_t)value + value / LEAD_PART + (uint64_t)LEAD_MOVES * self->metric.cell_length;
    return level < RP_GUIDE_FIELD_MOST ? (uint32_t)level : RP_GUIDE_FIELD_NONE;
}

/// See which values shall be right. While that stays the same, nothing that was put off is asked.
static void set_focus(rp_guide_field_t *self, rp_cell_t from, uint32_t slack)
{
    const rp_point_t focus = rp_point_of(self->layer, from);
    const bool is_other = focus.x != self->focus.x || focus.y != self->focus.y;
    const uint32_t known = self->is_clearing ? RP_GUIDE_FIELD_NONE : self->values[from];
    if (slack == RP_GUIDE_FIELD_NONE || (slack != 0 && is_other)) {
        ask_all(self);
    }
    if (slack != 0 && slack != RP_GUIDE_FIELD_NONE && self->focus_most == RP_GUIDE_FIELD_NONE &&
        known < RP_GUIDE_FIELD_MOST) {
        self->focus = focus;
        self->focus_most = known + slack;
    }
}

rp_status_t rp_guide_field_lead(rp_guide_field_t *self, rp_cell_t from, uint32_t slack,
                                uint32_t *level, uint64_t *budget)
{
    uint32_t reach = 0;
    set_focus(self, from, slack);
    for (;;) {
        const uint32_t value = self->is_clearing ? RP_GUIDE_FIELD_NONE : self->values[from];
        reach = level_beyond(self, value != RP_GUIDE_FIELD_NONE ? value : reach);
        const rp_status_t status = work_to(self, slack != 0 ? reach : 0, reach, budget);
        if (status != RP_OK) {
            return status;
        }
        const uint32_t after = self->values[from];
        const uint32_t asked =
            after != RP_GUIDE_FIELD_NONE ? level_beyond(self, after) : RP_GUIDE_FIELD_NONE;
        if (reach == RP_GUIDE_FIELD_NONE || asked <= reach) {
            *level = asked;
            return RP_OK;
        }
    }
}

// ---- events

void rp_guide_field_mark(rp_guide_field_t *self, uint32_t level)
{
    self->is_new = false;
    self->marked = level;
    forget_lowered(self);
}

/// Begin anew with the seeds as they are.
static void begin(rp_guide_field_t *self)
{
    self->is_clearing = true;
    self->cleared = 0;
    self->loose_count = 0;
    self->put_off_count = 0;
    self->is_capped = false;
    self->is_new = true;
    self->is_resting = false;
    forget_lowered(self);
    self->scale = self->layer->scale;
    self->metric = rp_metric_of(self->layer);
    self->metric.factor = self->is_weighted ? self->layer->factor : NULL;
    rp_buckets_clear(&self->open);
    rp_buckets_clear(&self->doubts);
    memset(self->doubted, 0, self->layer->cell_count / 8u + 1u);
}

static void set_seeds(rp_guide_field_t *self, const rp_guide_seed_t *seeds, size_t count)
{
    for (uint32_t i = 0; i < self->seeded_count; i++) {
        self->seeds[self->seeded[i]] = 0;
    }
    self->seeded_count = 0;
    for (size_t i = 0; i < count; i++) {
        self->seeds[seeds[i].cell] = seeds[i].value + 1u;
        self->seeded[self->seeded_count++] = seeds[i].cell;
    }
}

void rp_guide_field_begin_from(rp_guide_field_t *self, rp_cell_t goal, const rp_guide_seed_t *seeds,
                               size_t count)
{
    self->goal = goal;
    set_seeds(self, seeds, count);
    begin(self);
}

void rp_guide_field_begin(rp_guide_field_t *self, rp_cell_t goal)
{
    rp_guide_field_begin_from(self, goal, &(rp_guide_seed_t){goal, 0}, 1);
}

/// Doubt a cell, and note it, as its value may have become too great.
static void loosen(rp_guide_field_t *self, rp_cell_t cell)
{
    if (self->layer->factor[cell] == 0 && self->values[cell] == RP_GUIDE_FIELD_NONE) {
        return;
    }
    doubt(self, cell);
    self->loose[self->loose_count++] = cell;
}

static bool has_seeds(const rp_guide_field_t *self, const rp_guide_seed_t *seeds, size_t count)
{
    bool has = count == self->seeded_count;
    for (size_t i = 0; i < count && has; i++) {
        has = self->seeds[seeds[i].cell] == seeds[i].value + 1u;
    }
    return has;
}

/// Begin a repair, or add to one. What the last one lowered is forgotten when it came to its end.
/// @param count  cells to be loosened
/// @return false when beginning anew is better
static bool begin_repair(rp_guide_field_t *self, size_t count)
{
    const size_t cells = self->layer->cell_count;
    if (self->is_clearing || self->is_capped || self->loose_count + count > cells ||
        count > cells / REPAIR_PART || self->scale != self->layer->scale) {
        return false;
    }
    if (self->is_resting) {
        forget_lowered(self);
    }
    ask_all(self);
    self->is_resting = false;
    return true;
}

static void loosen_seeds(rp_guide_field_t *self)
{
    for (uint32_t i = 0; i < self->seeded_count; i++) {
        loosen(self, self->seeded[i]);
    }
}

void rp_guide_field_reseed(rp_guide_field_t *self, const rp_guide_seed_t *seeds, size_t count)
{
    if (has_seeds(self, seeds, count)) {
        return;
    }
    if (!begin_repair(self, self->seeded_count + count)) {
        rp_guide_field_begin_from(self, self->goal, seeds, count);
        return;
    }
    loosen_seeds(self);
    set_seeds(self, seeds, count);
    loosen_seeds(self);
}

/// The cell, and the neighbours that have moves to it or past its corners. A blocked cell has no
/// moves of its own, so neighbours are found by their offsets.
static void loosen_around(rp_guide_field_t *self, rp_cell_t cell)
{
    loosen(self, cell);
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const rp_cell_t next = rp_grid_step(self->layer, cell, direction);
        if (rp_grid_holds(self->layer, next)) {
            loosen(self, next);
        }
    }
}

void rp_guide_field_apply(rp_guide_field_t *self, const rp_cell_t *cells, size_t count)
{
    if (self->goal == RP_NO_CELL || count == 0) {
        return;
    }
    if (!begin_repair(self, 9u * count)) {
        begin(self);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        loosen_around(self, cells[i]);
    }
}

// ---- birth and death

rp_status_t rp_guide_field_init(rp_guide_field_t *self, const rp_grid_t *layer, bool is_weighted)
{
    *self = (rp_guide_field_t){.layer = layer, .goal = RP_NO_CELL, .is_weighted = is_weighted};
    const rp_metric_t metric = rp_metric_of(layer);
    const uint32_t cells = layer->cell_count;
    self->values = rp_arena_new(&self->arena, cells, sizeof *self->values);
    self->loose = rp_arena_new_sparse(&self->arena, 2u * (size_t)cells, sizeof *self->loose);
    self->before = rp_arena_new_sparse(&self->arena, cells, sizeof *self->before);
    self->lowered = rp_arena_new_sparse(&self->arena, cells, sizeof *self->lowered);
    self->seeds = rp_arena_new_sparse(&self->arena, cells, sizeof *self->seeds);
    self->seeded = rp_arena_new_sparse(&self->arena, cells, sizeof *self->seeded);
    self->put_off = rp_arena_new_sparse(&self->arena, cells, sizeof *self->put_off);
    self->focus_most = RP_GUIDE_FIELD_NONE;
    self->noted = rp_bits_new(&self->arena, cells);
    self->doubted = rp_bits_new(&self->arena, cells);
    const unsigned shift = rp_buckets_shift_below(metric.length[0]);
    rp_buckets_init(&self->doubts, cells, shift, SPAN_MOVES * metric.length[0], &self->arena);
    rp_buckets_init(&self->open, cells, shift, SPAN_MOVES * metric.length[0], &self->arena);
    if (self->arena.is_short) {
        rp_guide_field_fini(self);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

void rp_guide_field_fini(rp_guide_field_t *self)
{
    rp_arena_free(&self->arena, NULL);
    *self = (rp_guide_field_t){0};
}

uint64_t rp_guide_field_bytes(const rp_guide_field_t *self)
{
    return rp_arena_bytes(&self->arena) + self->loose_count * sizeof *self->loose +
           self->put_off_count * sizeof *self->put_off +
           self->lowered_count * (sizeof *self->lowered + sizeof *self->before) +
           self->seeded_count * (sizeof *self->seeded + sizeof *self->seeds);
}
