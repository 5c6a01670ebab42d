/// Landmarks: wavefronts by buckets of one number each, and numbers lowered where cells are freed.
#include "planners/jump/landmarks.h"

#include <assert.h>
#include <string.h>

#include "planners/open/buckets.h"

/// Cells that may be freed in one update, or while a wavefront is under way.
#define LATE 192u

/// Cells round which one update lowers numbers, at most: some 80 us.
#define LOWERED 1024u
static_assert(5u * LATE <= LOWERED, "those that were freed, and those beside them");

/// When one in so many cells was blocked since, landmarks are made anew.
#define WORN_FROM 32u

/// Cells that are cleared in the time of taking one in.
#define CLEARED_EACH 32u

/// A struct of its own, as members that are compiled for wider costs hold landmarks, too.
struct rp_landmarks_open {
    rp_buckets_t buckets;
};

static uint16_t step_of(unsigned direction)
{
    return (direction & 1u) != 0 ? RP_LANDMARK_DIAGONAL : RP_LANDMARK_STRAIGHT;
}

static uint16_t sum_of(uint16_t number, uint16_t step)
{
    return number < RP_LANDMARK_MAX - step ? (uint16_t)(number + step) : RP_LANDMARK_MAX;
}

static bool is_known(const rp_landmarks_t *self)
{
    uint16_t any = 0;
    for (unsigned i = 0; i < RP_LANDMARKS; i++) {
        any |= self->known.to[i];
    }
    return any != 0;
}

/// The first wave borrows the place of the first landmark.
static unsigned lane_of(const rp_landmarks_t *self)
{
    return self->wave != 0 ? self->wave - 1u : 0u;
}

// ---- a wavefront

/// @return false when it was used up first
static bool clear_cells(rp_landmarks_t *self, uint64_t *budget)
{
    const unsigned lane = lane_of(self);
    const uint32_t count = self->grid->cell_count;
    while (self->cleared < count) {
        if (*budget == 0) {
            return false;
        }
        const uint32_t left = count - self->cleared;
        const uint32_t end = self->cleared + (left < CLEARED_EACH ? left : CLEARED_EACH);
        for (; self->cleared < end; self->cleared++) {
            self->cells[self->cleared].to[lane] = RP_LANDMARK_MAX;
        }
        --*budget;
    }
    return true;
}

/// From now on its landmark is not used, or not yet.
static void begin_wave(rp_landmarks_t *self, rp_cell_t from)
{
    const bool has_source = self->wave != 0 && self->grid->factor[self->farthest] != 0;
    self->known.to[lane_of(self)] = 0;
    self->source = has_source ? self->farthest : from;
    self->farthest = self->source;
    self->distance = 0;
    self->is_begun = true;
    self->met = self->grid->cell_count;
    self->cleared = 0;
    self->late_count = 0;
    rp_buckets_clear(&self->open->buckets);
}

/// Whether a cell is the farthest so far from the landmarks up to that of this wave.
static void note_farthest(rp_landmarks_t *self, rp_cell_t cell, unsigned lane)
{
    const uint16_t *to = self->cells[cell].to;
    uint16_t nearest = RP_LANDMARK_MAX;
    for (unsigned i = 0; i <= lane; i++) {
        nearest = to[i] < nearest ? to[i] : nearest;
    }
    if (nearest > self->distance) {
        self->distance = nearest;
        self->farthest = cell;
    }
}

/// @return false when it was used up first
static bool spread(rp_landmarks_t *self, uint64_t *budget)
{
    const rp_grid_t *grid = self->grid;
    const unsigned lane = lane_of(self);
    for (; *budget != 0; --*budget) {
        if (self->open->buckets.count == 0) {
            return true;
        }
        const rp_bucket_entry_t *entry = rp_buckets_pop(&self->open->buckets);
        const rp_cell_t cell = entry->cell;
        const uint16_t number = self->cells[cell].to[lane];
        if (number != entry->key) {
            continue; // it had a smaller one since
        }
        note_farthest(self, cell, lane);
        for (unsigned moves = grid->moves[cell]; moves != 0; moves &= moves - 1u) {
            const unsigned direction = (unsigned)__builtin_ctz(moves);
            const rp_cell_t to = cell + (uint32_t)grid->offset[direction];
            const uint16_t sum = sum_of(number, step_of(direction));
            if (sum < self->cells[to].to[lane]) {
                self->cells[to].to[lane] = sum;
                rp_buckets_push(&self->open->buckets, sum, 0, to);
            }
        }
    }
    return false;
}

// ---- freed cells

/// Lower the numbers of a cell to what a step from another allows.
/// @return true when any was greater
static bool lower(const rp_landmarks_t *self, rp_cell_t cell, rp_cell_t from, unsigned direction)
{
    const uint16_t *number = self->cells[from].to;
    const uint16_t step = step_of(direction);
    uint16_t *to = self->cells[cell].to;
    uint16_t changed = 0;
    for (unsigned i = 0; i < RP_LANDMARKS; i++) {
        const uint16_t ignored = (uint16_t)~self->known.to[i];
        const uint16_t room = (uint16_t)(RP_LANDMARK_MAX - number[i]);
        const uint16_t sum = (uint16_t)(number[i] + (room < step ? room : step));
        const uint16_t most = (uint16_t)(sum | ignored);
        const uint16_t least = to[i] < most ? to[i] : most;
        changed |= (uint16_t)(least ^ to[i]);
        to[i] = least;
    }
    return changed != 0;
}

/// A freed cell is as far as its neighbours say.
static void measure(const rp_landmarks_t *self, rp_cell_t cell)
{
    const rp_grid_t *grid = self->grid;
    for (unsigned moves = grid->moves[cell]; moves != 0; moves &= moves - 1u) {
        const unsigned direction = (unsigned)__builtin_ctz(moves);
        (void)lower(self, cell, cell + (uint32_t)grid->offset[direction], direction);
    }
}

static void forget_cell(const rp_landmarks_t *self, rp_cell_t cell)
{
    for (unsigned i = 0; i < RP_LANDMARKS; i++) {
        self->cells[cell].to[i] |= self->known.to[i];
    }
}

/// Cells from which steps are new: one that was freed, and those beside it, for the diagonals
/// between them.
static uint32_t queue_freed(const rp_landmarks_t *self, rp_cell_t cell, uint32_t count)
{
    const rp_grid_t *grid = self->grid;
    self->lowered[count++] = cell;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += 2u) {
        self->lowered[count++] = cell + (uint32_t)grid->offset[direction];
    }
    return count;
}

/// Lower what the steps from these cells ask for, and so on from there.
/// @param count  of `lowered`
/// @return false when that is too much
static bool follow(const rp_landmarks_t *self, uint32_t count)
{
    const rp_grid_t *grid = self->grid;
    rp_cell_t *queue = self->lowered;
    for (uint32_t i = 0; i < count; i++) {
        for (unsigned moves = grid->moves[queue[i]]; moves != 0; moves &= moves - 1u) {
            const unsigned direction = (unsigned)__builtin_ctz(moves);
            const rp_cell_t to = queue[i] + (uint32_t)grid->offset[direction];
            if (!lower(self, to, queue[i], direction)) {
                continue;
            }
            if (count == LOWERED) {
                return false;
            }
            queue[count++] = to;
        }
    }
    return true;
}

/// @param cells  that were freed, and may have been blocked again [count, at most LATE]
/// @return false when that was too much: all is dropped
static bool take_freed(rp_landmarks_t *self, const rp_cell_t *cells, uint32_t count)
{
    uint32_t queued = 0;
    for (uint32_t i = 0; i < count; i++) {
        forget_cell(self, cells[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        measure(self, cells[i]);
        queued = queue_freed(self, cells[i], queued);
    }
    if (!follow(self, queued)) {
        rp_landmarks_drop(self);
        return false;
    }
    return true;
}

static size_t count_freed(const rp_change_t *changes, size_t count)
{
    size_t freed = 0;
    for (size_t i = 0; i < count; i++) {
        freed += changes[i].after != 0;
    }
    return freed;
}

bool rp_landmarks_update(rp_landmarks_t *self, const rp_change_t *changes, size_t count)
{
    if (!self->is_begun && !is_known(self)) {
        return true;
    }
    const size_t freed = count_freed(changes, count);
    self->blocked += count - freed;
    if (freed > LATE) {
        rp_landmarks_drop(self);
        return false;
    }
    if (self->late_count + freed > LATE) {
        self->is_begun = false; // the wavefront begins anew
        self->late_count = 0;
    }
    rp_cell_t *late = self->late + self->late_count;
    uint32_t late_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (changes[i].after != 0) {
            late[late_count++] = changes[i].cell;
        }
    }
    self->late_count += self->is_begun ? late_count : 0;
    return !is_known(self) || take_freed(self, late, late_count);
}

// ---- all of it

/// The next wave's cell is found; but for the first wave there is a landmark more.
static void end_wave(rp_landmarks_t *self)
{
    const uint32_t late_count = self->late_count;
    self->is_begun = false;
    self->late_count = 0;
    if (self->wave != 0) {
        self->known.to[lane_of(self)] = RP_LANDMARK_MAX;
    }
    self->blocked = self->wave == 0 ? 0 : self->blocked;
    self->wave++;
    if (is_known(self)) {
        (void)take_freed(self, self->late, late_count);
    }
}

bool rp_landmarks_make(rp_landmarks_t *self, rp_cell_t from, uint64_t *budget)
{
    if (self->wave > RP_LANDMARKS && self->blocked > self->grid->cell_count / WORN_FROM) {
        self->wave = 0;
    }
    while (self->wave <= RP_LANDMARKS) {
        if (!self->is_begun) {
            begin_wave(self, from);
        }
        const bool was_cleared = self->cleared == self->grid->cell_count;
        if (!clear_cells(self, budget)) {
            return false;
        }
        if (!was_cleared && self->grid->factor[self->source] != 0) {
            self->cells[self->source].to[lane_of(self)] = 0;
            rp_buckets_push(&self->open->buckets, 0, 0, self->source);
        }
        if (!spread(self, budget)) {
            return false;
        }
        end_wave(self);
    }
    return true;
}

void rp_landmarks_drop(rp_landmarks_t *self)
{
    memset(&self->known, 0, sizeof self->known);
    self->is_begun = false;
    self->late_count = 0;
    self->wave = 0;
}

rp_target_bounds_t rp_landmarks_bounds_to(const rp_landmarks_t *self, rp_cell_t target)
{
    if (!is_known(self)) {
        return (rp_target_bounds_t){0};
    }
    return (rp_target_bounds_t){self->cells, self->known, self->cells[target]};
}

// ---- invariants

/// Both ways: the other cell has a look at this one, too.
static bool holds_round(const rp_landmarks_t *self, rp_cell_t cell)
{
    const rp_grid_t *grid = self->grid;
    for (unsigned moves = grid->moves[cell]; moves != 0; moves &= moves - 1u) {
        const unsigned direction = (unsigned)__builtin_ctz(moves);
        const uint16_t *beside = self->cells[cell + (uint32_t)grid->offset[direction]].to;
        for (unsigned i = 0; i < RP_LANDMARKS; i++) {
            if (self->known.to[i] != 0 &&
                beside[i] > sum_of(self->cells[cell].to[i], step_of(direction))) {
                return false;
            }
        }
    }
    return true;
}

bool rp_landmarks_check(const rp_landmarks_t *self)
{
    bool holds = true;
    for (rp_cell_t cell = 0; cell < self->grid->cell_count && holds && is_known(self); cell++) {
        holds = holds_round(self, cell);
    }
    return holds;
}

// ---- birth and death

void rp_landmarks_init(rp_landmarks_t *self, const rp_grid_t *grid, rp_arena_t *arena)
{
    *self = (rp_landmarks_t){.grid = grid};
    self->cells = rp_arena_new(arena, grid->cell_count, sizeof *self->cells);
    rp_arena_note(arena, &self->met, &self->met, sizeof *self->cells);
    // A cell waits twice at most: it is reached by a diagonal, then more cheaply by a straight
    // step.
    self->open = rp_arena_new(arena, 1, sizeof *self->open);
    if (self->open != NULL) {
        rp_buckets_init(&self->open->buckets, 2u * grid->cell_count, 0, RP_LANDMARK_DIAGONAL,
                        arena);
    }
    self->lowered = rp_arena_new(arena, LOWERED + LATE, sizeof *self->lowered);
    self->late = self->lowered != NULL ? self->lowered + LOWERED : NULL;
}
