#include "planners/lattice/swept.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planners/grid/cost.h"
#include "planners/motion/trig.h"

/// The curve comes nearer to each cell of its path of cells than this, and than the body's radius.
#define NEAR_MOST 0.99

#define NO_PATH UINT32_MAX

static int32_t side_of(const rp_swept_t *self)
{
    return 2 * self->half + 1;
}

static size_t place_of(const rp_swept_t *self, int32_t x, int32_t y)
{
    return (size_t)(y + self->half) * (size_t)side_of(self) + (size_t)(x + self->half);
}

static bool has(const rp_swept_t *self, int32_t x, int32_t y, uint8_t bit)
{
    return abs(x) <= self->half && abs(y) <= self->half &&
           (self->bits[place_of(self, x, y)] & bit) != 0;
}

// ---- segments

static double chord_of(const rp_move_t *move)
{
    return sqrt((double)move->dx * move->dx + (double)move->dy * move->dy);
}

/// A line along the heading: the words would find it within rounding only, and no radius of 0.
static bool is_line(const rp_move_t *move, const rp_headings_t *headings)
{
    return move->from == move->to &&
           headings->x[move->from] * move->dy == headings->y[move->from] * move->dx;
}

rp_curve_t rp_curve_back(const rp_curve_t *self)
{
    rp_curve_t back = *self;
    for (uint32_t i = 0; i < self->count; i++) {
        back.sides[i] = self->sides[self->count - 1u - i];
        back.lengths[i] = -self->lengths[self->count - 1u - i];
    }
    return back;
}

rp_curve_t rp_move_course(const rp_move_t *self, const rp_headings_t *headings, double radius)
{
    if (self->kind != RP_MOVE_CURVE) {
        return (rp_curve_t){0};
    }
    if (self->gear < 0) {
        const rp_move_t ahead = rp_move_back(self, headings);
        const rp_curve_t course = rp_move_course(&ahead, headings, radius);
        return rp_curve_back(&course);
    }
    if (!self->is_loop && is_line(self, headings)) {
        return (rp_curve_t){.radius = 1.0, .lengths = {chord_of(self)}, .count = 1u};
    }
    return rp_move_curve(self, headings, radius);
}

uint32_t rp_move_segments(const rp_move_t *self, const rp_curve_t *course, uint32_t from,
                          const rp_headings_t *headings, rp_segment_t *segments)
{
    const rp_motion_pose_t start = {0.0, 0.0, headings->angle[from]};
    rp_segment_t segment = {.start = start, .gear = 1};
    if (self->kind == RP_MOVE_CURVE) {
        return rp_curve_segments(course, &start, segments);
    }
    if (self->kind == RP_MOVE_TURN) {
        const double left = rp_trig_turn(headings->angle[self->to] - headings->angle[self->from]);
        segment.turn = left < RP_TRIG_PI ? left : left - RP_TRIG_TURN;
    } else {
        segment.length = chord_of(self);
        segment.course = headings->angle[self->course] - headings->angle[self->from];
    }
    segments[0] = segment;
    return 1u;
}

static double length_of(const rp_swept_t *self)
{
    return rp_segment_sum(self->segments, self->segment_count);
}

// ---- swept cells

rp_status_t rp_swept_begin(rp_swept_t *self, const rp_move_t *move, const rp_headings_t *headings,
                           const rp_lattice_shape_t *shape)
{
    *self = (rp_swept_t){0};
    self->course = rp_move_course(move, headings, shape->turning_radius);
    self->segment_count =
        rp_move_segments(move, &self->course, move->from, headings, self->segments);
    const double inner = rp_lattice_shape_inner(shape);
    const rp_vehicle_t vehicle = rp_lattice_shape_vehicle(shape);
    self->vehicle = rp_vehicle_widened(&vehicle, RP_LATTICE_MARGIN);
    self->near = inner > RP_LATTICE_BODY_LEAST ? inner : RP_LATTICE_BODY_LEAST;
    self->near = self->near < NEAR_MOST ? self->near : NEAR_MOST;
    self->half = (int32_t)ceil(0.5 * (length_of(self) + chord_of(move)) + vehicle.reach) + 1;
    self->row = -self->half;
    const size_t count = (size_t)side_of(self) * (size_t)side_of(self);
    self->bits = calloc(count, 1);
    self->costs = malloc(count * sizeof *self->costs);
    self->sweeps = malloc(self->segment_count * sizeof *self->sweeps);
    if (self->bits == NULL || self->costs == NULL || self->sweeps == NULL) {
        rp_swept_end(self);
        return RP_E_MEMORY;
    }
    for (uint32_t i = 0; i < self->segment_count; i++) {
        rp_sweep_begin(&self->sweeps[i], &self->vehicle, &self->segments[i]);
    }
    return RP_OK;
}

void rp_swept_end(rp_swept_t *self)
{
    free(self->bits);
    free(self->costs);
    free(self->sweeps);
    *self = (rp_swept_t){0};
}

/// True when the curve comes nearer than RP_SWEPT_NEAR asks to the square of a cell.
static bool comes_near(const rp_swept_t *self, int32_t x, int32_t y)
{
    bool comes = false;
    for (uint32_t i = 0; i < self->segment_count && !comes; i++) {
        comes = rp_sweep_distance(&self->segments[i], x, y) < self->near;
    }
    return comes;
}

static bool body_meets(const rp_swept_t *self, int32_t x, int32_t y)
{
    bool meets = false;
    for (uint32_t i = 0; i < self->segment_count && !meets; i++) {
        meets = rp_sweep_meets(&self->sweeps[i], x, y);
    }
    return meets;
}

bool rp_swept_row(rp_swept_t *self)
{
    const int32_t y = self->row;
    if (y > self->half) {
        return false;
    }
    for (int32_t x = -self->half; x <= self->half; x++) {
        if (body_meets(self, x, y)) {
            self->bits[place_of(self, x, y)] =
                (uint8_t)(RP_SWEPT_BODY | (comes_near(self, x, y) ? RP_SWEPT_NEAR : 0));
        }
    }
    self->row++;
    return true;
}

/// True when the body needs the cell that is (x, y) after turning left by quarters.
static bool is_swept(const rp_swept_t *self, uint32_t quarters, int32_t x, int32_t y)
{
    rp_quarters_turn(&x, &y, (4u - quarters) % 4u);
    return has(self, x, y, RP_SWEPT_BODY);
}

uint32_t rp_swept_runs(const rp_swept_t *self, uint32_t quarters, int32_t y, rp_swept_run_t *runs)
{
    uint32_t count = 0;
    for (int32_t x = -self->half; x <= self->half; x++) {
        if (!is_swept(self, quarters, x, y)) {
            continue;
        }
        rp_swept_run_t *last = count != 0 ? &runs[count - 1u] : NULL;
        if (last != NULL && last->x + last->count == x) {
            last->count++;
        } else {
            runs[count++] = (rp_swept_run_t){(int16_t)x, (int16_t)y, 1};
        }
    }
    return count;
}

// ---- cells under the curve

/// Cells along a curve are told apart by steps of this, and where they meet by halving. A corner
/// that is cut by less counts to the cell before.
#define STEP     (1.0 / 128.0)
#define HALVINGS 24u

static bool is_same_cell(const rp_motion_pose_t *pose, const rp_swept_cell_t *cell)
{
    return (int16_t)floor(pose->x + 0.5) == cell->x && (int16_t)floor(pose->y + 0.5) == cell->y;
}

/// How far along a segment a cell is left, between a part inside of it and one outside.
static double leave_at(const rp_segment_t *segment, const rp_swept_cell_t *cell, double inside,
                       double outside)
{
    for (uint32_t i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (inside + outside);
        const rp_motion_pose_t pose = rp_segment_pose(segment, middle);
        if (is_same_cell(&pose, cell)) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    return inside;
}

/// Cells of a curve as they are met: each costs what is driven till it is left.
typedef struct trail {
    rp_swept_cell_t *cells;
    uint32_t count;
    uint32_t room;
    uint32_t spent; ///< cost of the cells that were left
    double unit;    ///< cost of a length of 1
    double behind;  ///< length of the segments before
} trail_t;

static void leave(trail_t *self, double length)
{
    const uint32_t spent = (uint32_t)(length * self->unit + 0.5);
    self->cells[self->count - 1u].cost = spent - self->spent;
    self->spent = spent;
}

static void follow(trail_t *self, const rp_segment_t *segment)
{
    double inside = 0.0;
    while (inside < segment->length) {
        const double next = inside + STEP < segment->length ? inside + STEP : segment->length;
        const rp_motion_pose_t pose = rp_segment_pose(segment, next);
        const rp_swept_cell_t *last = &self->cells[self->count - 1u];
        if (!is_same_cell(&pose, last) && self->count < self->room) {
            leave(self, self->behind + leave_at(segment, last, inside, next));
            self->cells[self->count++] = (rp_swept_cell_t){.x = (int16_t)floor(pose.x + 0.5),
                                                           .y = (int16_t)floor(pose.y + 0.5)};
        }
        inside = next;
    }
    self->behind += segment->length;
}

uint32_t rp_swept_cells(const rp_swept_t *self, uint32_t cost, rp_swept_cell_t *cells,
                        uint32_t room)
{
    const double length = length_of(self);
    trail_t trail = {.cells = cells, .count = 1u, .room = room};
    trail.unit = length > 0.0 ? cost / length : 0.0;
    cells[0] = (rp_swept_cell_t){.x = (int16_t)floor(self->segments[0].start.x + 0.5),
                                 .y = (int16_t)floor(self->segments[0].start.y + 0.5)};
    for (uint32_t i = 0; i < self->segment_count; i++) {
        follow(&trail, &self->segments[i]);
    }
    cells[trail.count - 1u].cost = cost - trail.spent;
    return trail.count;
}

// ---- a path of cells

static bool can_step(const rp_swept_t *self, int32_t x, int32_t y, int32_t dx, int32_t dy)
{
    return has(self, x + dx, y + dy, RP_SWEPT_NEAR) && has(self, x + dx, y, RP_SWEPT_NEAR) &&
           has(self, x, y + dy, RP_SWEPT_NEAR);
}

static uint32_t step_cost(int32_t dx, int32_t dy)
{
    return dx != 0 && dy != 0 ? RP_DIAGONAL : RP_STRAIGHT;
}

/// Lower the costs of a cell's neighbours. @return whether one fell
static bool spread_cost(rp_swept_t *self, int32_t x, int32_t y)
{
    bool fell = false;
    const uint32_t cost = self->costs[place_of(self, x, y)];
    for (int32_t dy = -1; dy <= 1 && cost != NO_PATH; dy++) {
        for (int32_t dx = -1; dx <= 1; dx++) {
            if ((dx != 0 || dy != 0) && can_step(self, x, y, dx, dy)) {
                uint32_t *other = &self->costs[place_of(self, x + dx, y + dy)];
                const uint32_t sum = cost + step_cost(dx, dy);
                fell = fell || sum < *other;
                *other = sum < *other ? sum : *other;
            }
        }
    }
    return fell;
}

static void fill_costs(rp_swept_t *self)
{
    memset(self->costs, 0xff, (size_t)side_of(self) * (size_t)side_of(self) * sizeof *self->costs);
    self->costs[place_of(self, 0, 0)] = 0;
    for (bool fell = true; fell;) {
        fell = false;
        for (int32_t y = -self->half; y <= self->half; y++) {
            for (int32_t x = -self->half; x <= self->half; x++) {
                fell = spread_cost(self, x, y) || fell;
            }
        }
    }
}

static void widen(uint32_t *spread, const rp_swept_cell_t *cells, uint32_t count, int32_t x,
                  int32_t y)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t dx = (uint32_t)abs(cells[i].x - x);
        const uint32_t dy = (uint32_t)abs(cells[i].y - y);
        const uint32_t apart = dx > dy ? dx : dy;
        *spread = apart > *spread ? apart : *spread;
    }
}

/// One step back along the path. @return its cost
static uint32_t step_back(const rp_swept_t *self, int32_t *x, int32_t *y)
{
    const uint32_t cost = self->costs[place_of(self, *x, *y)];
    for (int32_t dy = -1; dy <= 1; dy++) {
        for (int32_t dx = -1; dx <= 1; dx++) {
            if ((dx != 0 || dy != 0) && can_step(self, *x, *y, dx, dy) &&
                self->costs[place_of(self, *x + dx, *y + dy)] + step_cost(dx, dy) == cost) {
                *x += dx;
                *y += dy;
                return step_cost(dx, dy);
            }
        }
    }
    return cost;
}

uint32_t rp_swept_path(rp_swept_t *self, const rp_move_t *move, const rp_swept_cell_t *cells,
                       uint32_t count, uint32_t *spread)
{
    int32_t x = move->dx;
    int32_t y = move->dy;
    if (x == 0 && y == 0) {
        return 0;
    }
    fill_costs(self);
    const uint32_t cost = self->costs[place_of(self, x, y)];
    if (cost == NO_PATH) {
        return NO_PATH;
    }
    widen(spread, cells, count, x, y);
    for (uint32_t left = cost; left != 0;) {
        left -= step_back(self, &x, &y);
        widen(spread, cells, count, x, y);
    }
    return cost;
}
