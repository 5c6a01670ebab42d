/// Sectors against sectors, ellipses against points.
#include "engine/paths/change_impact.h"

#include <math.h>

/// So many cheaper cells are looked at one by one; more of them by their rectangle.
#define LOOKED_AT 64u

/// Costs are sums of doubles: a bound that is this close is no proof.
#define CLOSE 1e-9

// ---- sectors

static unsigned shift_of(uint32_t side)
{
    unsigned shift = 0;
    while (((side - 1u) >> shift) >= RP_SECTORS_SIDE) {
        shift++;
    }
    return shift;
}

static inline void add_sector(rp_sectors_t *sectors, uint32_t column, uint32_t row)
{
    const uint32_t sector = row * RP_SECTORS_SIDE + column;
    sectors->words[sector >> 6] |= (uint64_t)1 << (sector & 63u);
}

void rp_sectors_of_path(rp_sectors_t *self, const rp_grid_t *grid, const rp_published_path_t *path)
{
    const unsigned across = shift_of(grid->shape.width);
    const unsigned down = shift_of(grid->shape.height);
    const uint32_t width = grid->shape.width;
    const uint32_t height = grid->shape.height;
    uint32_t x = rp_grid_x(grid, path->at);
    uint32_t y = rp_grid_y(grid, path->at);
    uint32_t column = x >> across;
    uint32_t row = y >> down;
    *self = (rp_sectors_t){0};
    add_sector(self, column, row);
    for (uint32_t i = path->first; i < path->count; i++) {
        x += rp_step_x[path->steps[i]];
        y += rp_step_y[path->steps[i]];
        x = x < width ? x : x == width ? 0 : width - 1u; // over the seam of a torus
        y = y < height ? y : y == height ? 0 : height - 1u;
        if (x >> across != column || y >> down != row) {
            column = x >> across;
            row = y >> down;
            add_sector(self, column, row);
        }
    }
}

uint64_t rp_sectors_quarters(const rp_sectors_t *self)
{
    const uint32_t firsts = 0x11111111u; // of each four columns
    uint64_t quarters = 0;
    for (uint32_t row = 0; row < RP_SECTORS_SIDE; row++) {
        const uint32_t columns = (uint32_t)(self->words[row / 2u] >> (row % 2u * RP_SECTORS_SIDE));
        uint32_t fours = columns | columns >> 1;
        fours = (fours | fours >> 2) & firsts;
        for (uint32_t quarter = 0; fours != 0; quarter++, fours >>= 4) {
            quarters |= (uint64_t)(fours & 1u) << (row / 4u * 8u + quarter);
        }
    }
    return quarters;
}

// ---- impact

static uint32_t at_most(uint32_t value, uint32_t most)
{
    return value < most ? value : most;
}

static const rp_rectangle_t nowhere = {.left = UINT32_MAX, .top = UINT32_MAX};

/// Cells of a row that follow each other; all of them became cheaper, or all dearer.
typedef struct run {
    rp_cell_t first;
    rp_cell_t end;
    bool is_cheaper;
} run_t;

/// The sectors of some cells of a row and of those around them: a diagonal beside one may be
/// closed.
static void add_dearer(rp_sectors_t *sectors, const rp_grid_shape_t *shape, uint32_t first,
                       uint32_t last, uint32_t y)
{
    const unsigned across = shift_of(shape->width);
    const unsigned down = shift_of(shape->height);
    const uint32_t right = at_most(last + 1u, shape->width - 1u) >> across;
    const uint32_t bottom = at_most(y + 1u, shape->height - 1u) >> down;
    for (uint32_t row = (y - (y != 0)) >> down; row <= bottom; row++) {
        for (uint32_t column = (first - (first != 0)) >> across; column <= right; column++) {
            add_sector(sectors, column, row);
        }
    }
}

static void add_run(rp_change_impact_t *self, run_t run)
{
    const rp_grid_t *grid = self->grid;
    rp_rectangle_t *within = run.is_cheaper ? &self->cheaper_in : &self->dearer_in;
    const uint32_t count = run.end - run.first;
    const uint32_t x = rp_grid_x(grid, run.first);
    const uint32_t y = rp_grid_y(grid, run.first);
    rp_rectangle_grow(within, x, y);
    rp_rectangle_grow(within, x + count - 1u, y);
    if (run.is_cheaper) {
        self->cheaper_count += count;
    } else {
        add_dearer(&self->dearer, &grid->shape, x, x + count - 1u, y);
    }
}

static bool is_cheaper(const rp_change_t *change)
{
    return (uint8_t)(change->after - 1u) < (uint8_t)(change->before - 1u); // 0 is the dearest
}

// Inflation tells of cells row by row, and what is known of a row is worked out once. A run never
// leads over the rim from one row to the next.
void rp_change_impact_read(rp_change_impact_t *self, const rp_grid_t *grid,
                           const rp_change_t *changes, size_t count)
{
    *self = (rp_change_impact_t){
        .grid = grid,
        .changes = changes,
        .count = count,
        .dearer_in = nowhere,
        .cheaper_in = nowhere,
    };
    for (size_t i = 0; i < count;) {
        run_t run = {changes[i].cell, changes[i].cell, is_cheaper(&changes[i])};
        do {
            run.end++;
            i++;
        } while (i < count && changes[i].cell == run.end &&
                 is_cheaper(&changes[i]) == run.is_cheaper);
        add_run(self, run);
    }
}

// ---- ellipses

/// Distance of a cell from a rectangle, along one axis.
static double gap(uint32_t at, uint32_t low, uint32_t high)
{
    return at < low ? (double)(low - at) : at > high ? (double)(at - high) : 0.0;
}

/// No path from here into the rectangle costs less.
static double bound(const rp_grid_t *grid, rp_cell_t from, const rp_rectangle_t *to)
{
    const double dx = gap(rp_grid_x(grid, from), to->left, to->right);
    const double dy = gap(rp_grid_y(grid, from), to->top, to->bottom);
    const double lengths =
        grid->shape.neighbors == 8 ? fmax(dx, dy) + (sqrt(2.0) - 1.0) * fmin(dx, dy) : dx + dy;
    return lengths * grid->shape.least / grid->shape.unit;
}

/// True when a path by way of the rectangle could cost less than the one that stands.
static bool is_in_reach(const rp_change_impact_t *self, const rp_standing_t *path,
                        const rp_rectangle_t *there)
{
    const rp_grid_t *grid = self->grid;
    // A diagonal past a freed cell begins and ends one step from it.
    const double beside =
        grid->shape.neighbors == 8 ? 2.0 * grid->shape.least / grid->shape.unit : 0.0;
    const double to = bound(grid, path->start, there);
    for (size_t i = 0; i < path->goal_count; i++) {
        const double on = bound(grid, path->goals[i].cell, there);
        if (to + on + path->goals[i].offset - beside < path->cost * (1.0 + CLOSE)) {
            return true;
        }
    }
    return false;
}

/// True when the path that stands is broken now, or costs more.
static bool suffers(const rp_change_impact_t *self, const rp_standing_t *path)
{
    rp_cell_t end;
    const double cost = rp_published_path_cost(path->published, self->grid, &end);
    for (size_t i = 0; i < path->goal_count && cost >= 0.0; i++) {
        if (path->goals[i].cell == end) {
            return cost + path->goals[i].offset > path->cost * (1.0 + CLOSE);
        }
    }
    return true;
}

/// True when it leads through the rectangle of what became dearer, or past it.
static bool meets(const rp_change_impact_t *self, const rp_standing_t *path)
{
    const rp_grid_t *grid = self->grid;
    const rp_rectangle_t *in = &self->dearer_in;
    if (in->left > in->right) {
        return false;
    }
    const rp_rectangle_t around = {in->left - (in->left != 0), in->top - (in->top != 0),
                                   in->right + 1u, in->bottom + 1u};
    return grid->shape.wraps || rp_published_path_enters(path->published, grid, around.left,
                                                         around.top, around.right, around.bottom);
}

bool rp_change_impact_worsens_path(const rp_change_impact_t *self, const rp_standing_t *path,
                                   bool *is_measured)
{
    *is_measured = meets(self, path);
    return *is_measured && suffers(self, path);
}

bool rp_change_impact_names_cheaper(const rp_change_impact_t *self)
{
    return self->cheaper_count != 0 && self->cheaper_count <= LOOKED_AT;
}

bool rp_change_impact_rival_path(const rp_change_impact_t *self, const rp_standing_t *path)
{
    if (self->cheaper_count == 0) {
        return false;
    }
    if (self->grid->shape.wraps) {
        return true; // the octile distance is no bound on a torus
    }
    if (!is_in_reach(self, path, &self->cheaper_in)) {
        return false;
    }
    if (!rp_change_impact_names_cheaper(self)) {
        return true;
    }
    for (size_t i = 0; i < self->count; i++) {
        const uint32_t x = rp_grid_x(self->grid, self->changes[i].cell);
        const uint32_t y = rp_grid_y(self->grid, self->changes[i].cell);
        const rp_rectangle_t there = {x, y, x, y};
        if (is_cheaper(&self->changes[i]) && is_in_reach(self, path, &there)) {
            return true;
        }
    }
    return false;
}

bool rp_change_impact_touch_no_path(const rp_change_impact_t *self, rp_cell_t start,
                                    const rp_goal_t *goals, size_t goal_count)
{
    if (self->cheaper_count != 0) {
        return true;
    }
    for (size_t i = 0; i < self->count; i++) { // a blocked end is another answer
        bool is_end = self->changes[i].cell == start;
        for (size_t goal = 0; goal < goal_count && !is_end; goal++) {
            is_end = self->changes[i].cell == goals[goal].cell;
        }
        if (is_end) {
            return true;
        }
    }
    return false;
}
