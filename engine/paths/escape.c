/// Dijkstra over escape ground. Lengths are pairs of counts, straights and diagonals, and compared
/// as such: two ways are equally long only if they are.
#include "engine/paths/escape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/budget.h"
#include "engine/paths/length.h"

/// In cells: what is just as far as was asked for in metres is not beyond it by rounding.
#define ROUNDED 1e-9

/// Costs are sums of doubles: by so much they differ or not at all.
#define CLOSE 1e-9

// ---- lengths

/// Whether s + d * sqrt(2) is less for one than for the other. Time: O(1), without rounding
static bool is_shorter(int64_t straights, int64_t diagonals, int64_t than_straights,
                       int64_t than_diagonals)
{
    const int64_t more = straights - than_straights; // more < fewer * sqrt(2)?
    const int64_t fewer = than_diagonals - diagonals;
    if ((more < 0) != (fewer < 0)) {
        return more < 0;
    }
    return more < 0 ? more * more > 2 * fewer * fewer : more * more < 2 * fewer * fewer;
}

static bool comes_before(const rp_escape_t *self, uint32_t a, uint32_t b)
{
    const rp_escape_entry_t *one = &self->entries[a];
    const rp_escape_entry_t *other = &self->entries[b];
    const bool is_equal = one->straights == other->straights && one->diagonals == other->diagonals;
    return is_equal
               ? one->cell < other->cell
               : is_shorter(one->straights, one->diagonals, other->straights, other->diagonals);
}

double rp_way_length(const rp_way_t *self)
{
    uint32_t diagonals = 0;
    for (uint32_t i = self->first; i < self->count; i++) {
        diagonals += rp_direction_is_diagonal(self->steps[i]);
    }
    return rp_way_left(self) - diagonals + diagonals * sqrt(2.0);
}

void rp_way_pass(rp_way_t *self, const rp_grid_t *grid, uint32_t steps)
{
    for (const uint32_t end = self->first + steps; self->first < end; self->first++) {
        self->at = rp_grid_step(grid, self->at, self->steps[self->first]);
    }
}

bool rp_way_is_inside(const rp_way_t *self, const rp_grid_t *grid)
{
    rp_cell_t cell = self->at;
    for (uint32_t i = self->first; i < self->count && rp_grid_holds(grid, cell); i++) {
        cell = rp_grid_step(grid, cell, self->steps[i]);
    }
    return rp_way_left(self) == 0 || rp_grid_holds(grid, cell);
}

// ---- steps

static bool is_open(const rp_layer_t *layer, rp_cell_t cell)
{
    return rp_grid_holds(layer->grid, cell) && !rp_layer_is_obstacle(layer, cell);
}

/// A bit for each of the eight cells around that is no obstacle.
static uint8_t open_around(const rp_layer_t *layer, rp_cell_t cell)
{
    uint8_t open = 0;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const bool is_there = is_open(layer, rp_grid_step(layer->grid, cell, direction));
        open |= (uint8_t)(is_there << direction);
    }
    return open;
}

/// Turn a set of directions by one. @param by  1 or 7
static uint8_t rotated(uint8_t directions, unsigned by)
{
    return (uint8_t)(directions << by | directions >> (RP_DIRECTIONS - by));
}

/// Those of the directions that a step may take.
/// @param open  cells around that are no obstacles
static uint8_t legal_of(const rp_layer_t *layer, uint8_t open)
{
    const uint8_t straight = 0x55;
    const uint8_t beside = rotated(open, 1) & rotated(open, 7);
    return layer->grid->shape.neighbors == 8 ? open & (straight | beside) : open & straight;
}

/// Of cells around an obstacle those that are joined to one that is nearest to the agent.
static uint8_t nearest_runs(uint8_t open, const rp_layer_t *layer, const rp_pose_t *pose)
{
    static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
    const double x = pose->x - rp_grid_x(layer->grid, pose->cell) - 0.5;
    const double y = pose->y - rp_grid_y(layer->grid, pose->cell) - 0.5;
    double off[RP_DIRECTIONS];
    double least = INFINITY;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        off[direction] = rp_length(dx[direction] - x, dy[direction] - y);
        if (((open >> direction) & 1u) != 0) {
            least = fmin(least, off[direction]);
        }
    }
    uint8_t runs = 0;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        runs |= (uint8_t)((off[direction] <= least + pose->snap) << direction);
    }
    runs &= open;
    for (unsigned round = 0; round < RP_DIRECTIONS; round++) {
        runs |= (rotated(runs, 1) | rotated(runs, 7)) & open;
    }
    return runs;
}

uint8_t rp_escape_first_steps(const rp_layer_t *layer, const rp_pose_t *pose)
{
    const uint8_t open = open_around(layer, pose->cell);
    const uint8_t legal = legal_of(layer, open);
    return rp_layer_is_obstacle(layer, pose->cell) ? legal & nearest_runs(open, layer, pose)
                                                   : legal;
}

/// Steps from a cell of a way.
static uint8_t steps_from(const rp_escape_t *self, const rp_layer_t *layer, rp_cell_t cell)
{
    return cell == self->from.cell ? rp_escape_first_steps(layer, &self->from)
                                   : legal_of(layer, open_around(layer, cell));
}

// ---- cells that were looked at

static uint32_t place_in(const rp_cell_t *table, uint32_t size, rp_cell_t cell)
{
    uint32_t place = (uint32_t)((uint64_t)(cell * 0x9e3779b9u) * size >> 32);
    while (table[place] != 0 && table[place] != cell) {
        place = (place + 1u) & (size - 1u);
    }
    return place;
}

static rp_status_t grow_table(rp_escape_t *self)
{
    const uint32_t size = self->table_size != 0 ? 2u * self->table_size : 256u;
    rp_cell_t *table = calloc(size, sizeof *table);
    if (table == NULL) {
        return RP_E_MEMORY;
    }
    for (uint32_t i = 0; i < self->table_size; i++) {
        if (self->closed[i] != 0) {
            table[place_in(table, size, self->closed[i])] = self->closed[i];
        }
    }
    free(self->closed);
    self->closed = table;
    self->table_size = size;
    return RP_OK;
}

static bool is_closed(const rp_escape_t *self, rp_cell_t cell)
{
    return self->closed[place_in(self->closed, self->table_size, cell)] != 0;
}

static rp_status_t close_cell(rp_escape_t *self, rp_cell_t cell)
{
    if (2u * self->closed_count >= self->table_size && grow_table(self) != RP_OK) {
        return RP_E_MEMORY;
    }
    self->closed[place_in(self->closed, self->table_size, cell)] = cell;
    self->closed_count++;
    return RP_OK;
}

// ---- cells to look at

static rp_status_t reserve(rp_escape_t *self)
{
    size_t entries = self->capacity;
    size_t heap = self->capacity;
    if (!rp_array_reserve(&self->entries, &entries, self->count + 1u, sizeof *self->entries) ||
        !rp_array_reserve(&self->heap, &heap, self->count + 1u, sizeof *self->heap)) {
        return RP_E_MEMORY;
    }
    self->capacity = (uint32_t)heap;
    return RP_OK;
}

static rp_status_t push(rp_escape_t *self, rp_escape_entry_t entry)
{
    if (reserve(self) != RP_OK) {
        return RP_E_MEMORY;
    }
    uint32_t number = self->count++;
    uint32_t place = self->waiting++;
    self->entries[number] = entry;
    while (place != 0 && comes_before(self, number, self->heap[(place - 1u) / 2u])) {
        self->heap[place] = self->heap[(place - 1u) / 2u];
        place = (place - 1u) / 2u;
    }
    self->heap[place] = number;
    return RP_OK;
}

static uint32_t pop(rp_escape_t *self)
{
    const uint32_t top = self->heap[0];
    const uint32_t last = self->heap[--self->waiting];
    uint32_t place = 0;
    for (;;) {
        uint32_t child = 2u * place + 1u;
        if (child >= self->waiting) {
            break;
        }
        child += child + 1u < self->waiting &&
                 comes_before(self, self->heap[child + 1u], self->heap[child]);
        if (!comes_before(self, self->heap[child], last)) {
            break;
        }
        self->heap[place] = self->heap[child];
        place = child;
    }
    self->heap[place] = last;
    return top;
}

/// Reach the cells around one.
static rp_status_t expand(rp_escape_t *self, const rp_layer_t *layer, uint32_t number)
{
    const rp_escape_entry_t here = self->entries[number];
    rp_status_t status = RP_OK;
    for (uint8_t left = steps_from(self, layer, here.cell); left != 0 && status == RP_OK;
         left &= (uint8_t)(left - 1u)) {
        const unsigned direction = (unsigned)__builtin_ctz(left);
        const bool is_diagonal = rp_direction_is_diagonal(direction);
        const rp_escape_entry_t next = {
            .cell = rp_grid_step(layer->grid, here.cell, direction),
            .parent = number,
            .straights = here.straights + !is_diagonal,
            .diagonals = here.diagonals + is_diagonal,
        };
        if (next.straights + next.diagonals * sqrt(2.0) <= self->most + ROUNDED &&
            !is_closed(self, next.cell)) {
            status = push(self, next);
        }
    }
    return status;
}

// ---- ends

/// Longer than the way to the ends that are known.
static bool is_beyond(const rp_escape_t *self, uint32_t number)
{
    const rp_escape_entry_t *entry = &self->entries[number];
    const rp_escape_entry_t *end = &self->entries[self->ends[0]];
    return is_shorter(end->straights, end->diagonals, entry->straights, entry->diagonals);
}

static rp_status_t add_end(rp_escape_t *self, uint32_t number)
{
    if (!rp_array_reserve(&self->ends, &self->end_capacity, self->end_count + 1u,
                          sizeof *self->ends)) {
        return RP_E_MEMORY;
    }
    self->ends[self->end_count++] = number;
    return RP_OK;
}

/// A free cell was reached. They come nearest first.
static rp_status_t take_end(rp_escape_t *self, uint32_t number, const rp_escape_query_t *goal_spec)
{
    const bool reaches = goal_spec->reaches != NULL &&
                         goal_spec->reaches(goal_spec->user, self->entries[number].cell);
    if (reaches && !self->reaches) {
        self->reaches = true;
        self->end_count = 0;
    }
    if (reaches != self->reaches || (self->end_count != 0 && is_beyond(self, number))) {
        return RP_OK;
    }
    return add_end(self, number);
}

/// Nothing that is found from here on matters.
static bool is_found(const rp_escape_t *self, const rp_escape_query_t *goal_spec)
{
    return self->waiting == 0 || ((self->reaches || goal_spec->reaches == NULL) &&
                                  self->end_count != 0 && is_beyond(self, self->heap[0]));
}

// ---- an escape

rp_status_t rp_escape_begin(rp_escape_t *self, const rp_pose_t *pose, double most)
{
    const rp_cell_t here = pose->cell;
    self->count = self->waiting = self->closed_count = self->end_count = 0;
    self->reaches = self->is_done = self->is_chosen = false;
    self->at = self->best = 0;
    self->least = INFINITY;
    self->from = *pose;
    self->most = most;
    if (self->closed != NULL) {
        memset(self->closed, 0, self->table_size * sizeof *self->closed);
    }
    return close_cell(self, here) == RP_OK ? push(self, (rp_escape_entry_t){.cell = here})
                                           : RP_E_MEMORY;
}

rp_status_t rp_escape_go(rp_escape_t *self, const rp_layer_t *layer,
                         const rp_escape_query_t *goal_spec, uint64_t *budget)
{
    rp_status_t status = RP_OK;
    while (status == RP_OK && !is_found(self, goal_spec)) {
        const uint32_t number = pop(self);
        const rp_cell_t cell = self->entries[number].cell;
        rp_budget_pay(budget, 1);
        if (number == 0) {
            status = expand(self, layer, number);
        } else if (!is_closed(self, cell)) {
            status = close_cell(self, cell);
            if (status == RP_OK) {
                status = layer->grid->factor[cell] != 0 ? take_end(self, number, goal_spec)
                                                        : expand(self, layer, number);
            }
        }
        if (status == RP_OK && *budget == 0 && !is_found(self, goal_spec)) {
            return RP_MORE;
        }
    }
    self->is_done = status == RP_OK;
    self->is_chosen = self->is_done && self->end_count <= 1u;
    return status;
}

bool rp_escape_weigh(rp_escape_t *self, double cost)
{
    if (self->is_chosen) {
        return true;
    }
    if (cost < self->least * (1.0 - CLOSE)) {
        self->best = self->at;
        self->least = cost;
    }
    const bool was_last = self->at + 1u == self->end_count;
    const bool is_best = self->at == self->best;
    self->at = was_last ? self->best : self->at + 1u;
    self->is_chosen = was_last;
    return was_last && is_best;
}

static const uint32_t *find_end(const rp_escape_t *self, rp_cell_t cell)
{
    uint32_t i = 0;
    while (i < self->end_count && self->entries[self->ends[i]].cell != cell) {
        i++;
    }
    return i < self->end_count ? &self->ends[i] : NULL;
}

rp_status_t rp_escape_way(const rp_escape_t *self, const rp_layer_t *layer, rp_cell_t end,
                          rp_way_t *way)
{
    const uint32_t *found = find_end(self, end);
    if (found == NULL) {
        return RP_E_INVALID;
    }
    const rp_escape_entry_t *entry = &self->entries[*found];
    const uint32_t count = entry->straights + entry->diagonals;
    uint8_t *steps = malloc(count);
    if (steps == NULL) {
        return RP_E_MEMORY;
    }
    for (uint32_t i = count; i-- > 0;) {
        const rp_escape_entry_t *before = &self->entries[entry->parent];
        steps[i] = (uint8_t)rp_path_direction(layer->grid, before->cell, entry->cell);
        entry = before;
    }
    *way = (rp_way_t){.steps = steps, .count = count, .at = self->from.cell};
    return RP_OK;
}

bool rp_escape_keeps(const rp_escape_t *self, const rp_layer_t *layer, const rp_way_t *way)
{
    const rp_grid_t *grid = layer->grid;
    rp_cell_t cell = way->at;
    uint32_t diagonals = 0;
    for (uint32_t i = way->first; i < way->count; i++) {
        const unsigned step = way->steps[i];
        if (grid->factor[cell] != 0 || ((steps_from(self, layer, cell) >> step) & 1u) == 0) {
            return false;
        }
        diagonals += rp_direction_is_diagonal(step);
        cell = rp_grid_step(grid, cell, step);
    }
    const uint32_t *end = find_end(self, cell);
    return end != NULL && self->entries[*end].diagonals == diagonals &&
           self->entries[*end].straights == rp_way_left(way) - diagonals;
}

void rp_escape_fini(rp_escape_t *self)
{
    free(self->entries);
    free(self->heap);
    free(self->closed);
    free(self->ends);
    *self = (rp_escape_t){0};
}

void rp_escape_destroy(rp_escape_t **self)
{
    if (*self != NULL) {
        rp_escape_fini(*self);
        free(*self);
        *self = NULL;
    }
}

size_t rp_way_walk(const rp_layer_t *layer, const rp_pose_t *pose, const uint8_t *steps,
                   size_t count, rp_cell_t end, uint32_t *offenders, size_t capacity)
{
    const rp_grid_t *grid = layer->grid;
    rp_cell_t cell = pose->cell;
    size_t illegal = 0;
    for (size_t i = 0; i <= count; i++) {
        const bool is_inside = rp_grid_holds(grid, cell);
        const bool is_last = i == count;
        const unsigned step = is_last ? 0u : steps[i] % RP_DIRECTIONS;
        const uint8_t may = !is_inside || grid->factor[cell] != 0 ? 0
                            : i == 0 ? rp_escape_first_steps(layer, pose)
                                     : legal_of(layer, open_around(layer, cell));
        const bool is_right =
            is_last ? cell == end && grid->factor[cell] != 0 : ((may >> step) & 1u) != 0;
        if (!is_right && illegal < capacity) {
            offenders[illegal] = (uint32_t)i;
        }
        illegal += !is_right;
        cell = is_inside && !is_last ? rp_grid_step(grid, cell, step) : cell;
    }
    return illegal;
}

uint64_t rp_escape_bytes(const rp_escape_t *self)
{
    return self->capacity * (sizeof *self->entries + sizeof *self->heap) +
           self->table_size * sizeof *self->closed + self->end_capacity * sizeof *self->ends;
}

void rp_way_fini(rp_way_t *self)
{
    free(self->steps);
    *self = (rp_way_t){0};
}
