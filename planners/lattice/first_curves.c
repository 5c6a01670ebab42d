#include "planners/lattice/first_curves.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/budget.h"
#include "planners/motion/overlap.h"
#include "planners/motion/trig.h"
#include "planners/motion/words.h"

/// Headings that are farther from the yaw are left to later moves.
#define TURN_MOST (RP_TRIG_TURN / 8.0)

/// A curve is no longer than so many times its chord.
#define CHORDS_MOST 1.5

/// A cell of the ring counts as so many expansions: its curves take some microseconds each.
#define CELL_PRICE 64u

#define CELLS_MOST 512u

/// Curves that leave a collision lead so much farther than others.
#define LEAVING_MORE 4u

/// From the yaw to a heading, -pi .. pi.
static double turn_to(const rp_first_curves_t *self, const rp_headings_t *headings,
                      uint32_t heading)
{
    const double left = rp_trig_turn(headings->angle[heading] - self->yaw);
    return left < RP_TRIG_PI ? left : left - RP_TRIG_TURN;
}

// ---- what a curve needs, and what it costs

/// True when a vehicle that overlaps a cell where segments begin comes out of it.
/// @param dx,dy  the cell
static bool comes_out(const rp_sweep_t *sweeps, uint32_t count, int32_t dx, int32_t dy)
{
    const rp_segment_t *last = sweeps[count - 1u].segment;
    const rp_vehicle_t *vehicle = sweeps[0].vehicle;
    const rp_motion_pose_t end = rp_segment_end(last);
    bool comes = rp_overlap_depth(vehicle, &sweeps[0].segment->start, dx, dy) > 0.0 &&
                 rp_overlap_depth(vehicle, &end, dx, dy) == 0.0;
    for (uint32_t i = 0; i < count && comes; i++) {
        comes = rp_overlap_falls(vehicle, sweeps[i].segment, dx, dy);
    }
    return comes;
}

/// True when a vehicle meets no obstacle of a square of cells.
/// @param sweeps  by cells counted from (x, y) [count]
/// @param leaves  it may overlap obstacles at first, and comes out of them
static bool is_free(const rp_obstacles_t *obstacles, int32_t x, int32_t y, int32_t reach,
                    const rp_sweep_t *sweeps, uint32_t count, bool leaves)
{
    for (int32_t dy = -reach; dy <= reach; dy++) {
        const bool has_any =
            rp_obstacles_meet(obstacles, x - reach, y + dy, 2u * (uint32_t)reach + 1u);
        for (int32_t dx = -reach; dx <= reach && has_any; dx++) {
            const bool blocks = rp_obstacles_meet(obstacles, x + dx, y + dy, 1u);
            bool meets = false;
            for (uint32_t i = 0; blocks && i < count && !meets; i++) {
                meets = rp_sweep_meets(&sweeps[i], dx, dy);
            }
            if (meets && !(leaves && comes_out(sweeps, count, dx, dy))) {
                return false;
            }
        }
    }
    return true;
}

/// Cells round a cell that are looked at, for what reaches so far.
static int32_t reach_of(const rp_lattice_search_t *search, double length)
{
    const int32_t reach = (int32_t)ceil(length) + 1;
    const int32_t most = (int32_t)search->obstacles->margin - 1;
    return reach < most ? reach : most;
}

bool rp_first_curves_can_rest(const rp_lattice_search_t *search, uint32_t x, uint32_t y, double yaw,
                              double margin)
{
    const rp_vehicle_t whole = rp_lattice_shape_vehicle(&search->set->shape);
    const rp_vehicle_t vehicle = rp_vehicle_widened(&whole, margin);
    const rp_segment_t rest = {.start = {0.0, 0.0, yaw}, .gear = 1};
    rp_sweep_t sweep;
    rp_sweep_begin(&sweep, &vehicle, &rest);
    return is_free(search->obstacles, (int32_t)x, (int32_t)y, reach_of(search, vehicle.reach),
                   &sweep, 1u, false);
}

static bool is_legal(const rp_first_curves_t *self, const rp_lattice_search_t *search,
                     const rp_first_curve_t *curve, double length)
{
    rp_sweep_t sweeps[RP_CURVE_PIECES_MAX];
    for (uint32_t i = 0; i < curve->segment_count; i++) {
        rp_sweep_begin(&sweeps[i], &self->vehicle, &curve->segments[i]);
    }
    return is_free(search->obstacles, (int32_t)self->x, (int32_t)self->y,
                   reach_of(search, length + self->vehicle.reach), sweeps, curve->segment_count,
                   self->leaves_within > 0.0);
}

/// @param price  of the whole curve, in cells on normal ground
static uint32_t cost_of(const rp_first_curves_t *self, const rp_lattice_search_t *search,
                        const rp_first_curve_t *curve, double price)
{
    rp_swept_cell_t cells[CELLS_MOST];
    rp_swept_t swept = {.segment_count = curve->segment_count};
    for (uint32_t i = 0; i < curve->segment_count; i++) {
        swept.segments[i] = curve->segments[i];
    }
    const uint32_t count =
        rp_swept_cells(&swept, (uint32_t)ceil(price * RP_LATTICE_UNIT), cells, CELLS_MOST);
    return rp_child_cost_sum(search->ground, self->x, self->y, cells, count, 0);
}

static rp_status_t keep(rp_first_curves_t *self, const rp_first_curve_t *curve)
{
    if (!rp_array_reserve(&self->curves, &self->capacity, self->count + 1u, sizeof *self->curves)) {
        return RP_E_MEMORY;
    }
    self->curves[self->count++] = *curve;
    return RP_OK;
}

/// Keep a curve for the other gear on its cell, too, which costs more.
static rp_status_t keep_other(rp_first_curves_t *self, const rp_control_set_t *set,
                              const rp_first_curve_t *curve, uint32_t more)
{
    const uint32_t heading = rp_control_set_heading(set, curve->pose.heading);
    const bool is_back = curve->pose.heading != heading;
    rp_first_curve_t other = *curve;
    other.pose.heading = (uint8_t)rp_control_set_state(set, heading, is_back ? 1 : -1);
    other.cost += more;
    return other.pose.heading != curve->pose.heading ? keep(self, &other) : RP_OK;
}

/// What a change of gear costs.
static uint32_t change_of(const rp_lattice_search_t *search)
{
    const uint32_t unit = search->ground->weighted ? search->ground->shape.unit : 1u;
    return rp_move_cost(search->set->shape.gear_change) * unit;
}

/// A turn alone has no gear, and a last curve may begin with a change of it.
static rp_status_t keep_both(rp_first_curves_t *self, const rp_lattice_search_t *search,
                             const rp_first_curve_t *curve)
{
    const uint32_t change = change_of(search);
    const bool is_turn = curve->segment_count == 1u && curve->segments[0].turn != 0.0;
    const rp_status_t status = keep(self, curve);
    return status == RP_OK && (is_turn || self->is_last)
               ? keep_other(self, search->set, curve, is_turn ? 0 : change)
               : status;
}

/// Keep a curve if it is legal.
/// @param length  cells, so that all that it comes near is looked at; of a turn 0
/// @param price   cells
static rp_status_t add(rp_first_curves_t *self, const rp_lattice_search_t *search,
                       rp_first_curve_t *curve, double length, double price)
{
    if ((self->leaves_within > 0.0 && length > self->leaves_within) ||
        !is_legal(self, search, curve, length)) {
        return RP_OK;
    }
    curve->cost = cost_of(self, search, curve, price);
    return keep_both(self, search, curve);
}

// ---- which curves there are

/// A turn in place between the yaw and a heading.
static rp_status_t add_turn(rp_first_curves_t *self, const rp_lattice_search_t *search,
                            uint32_t heading)
{
    const rp_headings_t *headings = &search->set->headings;
    const double turn = turn_to(self, headings, heading);
    rp_first_curve_t curve = {
        .pose = {(uint16_t)self->x, (uint16_t)self->y, (uint8_t)heading},
        .segment_count = 1u,
    };
    curve.segments[0] = (rp_segment_t){
        .start = {0.0, 0.0, self->is_last ? headings->angle[heading] : self->yaw},
        .turn = self->is_last ? -turn : turn,
        .gear = 1,
    };
    return add(self, search, &curve, 0.0, fabs(turn) * search->set->shape.turn_price);
}

/// To the nearest heading, and to the one on the other side of the yaw.
static rp_status_t add_turns(rp_first_curves_t *self, const rp_lattice_search_t *search)
{
    const rp_headings_t *headings = &search->set->headings;
    const uint32_t nearest = rp_headings_nearest(headings, self->yaw);
    const bool is_left = turn_to(self, headings, nearest) > 0.0;
    const uint32_t other =
        (nearest + headings->count + (is_left ? UINT32_MAX : 1u)) % headings->count;
    const rp_status_t status = add_turn(self, search, nearest);
    return status == RP_OK ? add_turn(self, search, other) : status;
}

/// The shortest curve in a gear between the yaw and a heading on the cell that lies (dx, dy) away.
static rp_status_t add_curve(rp_first_curves_t *self, const rp_lattice_search_t *search, int32_t dx,
                             int32_t dy, uint32_t heading, int32_t gear)
{
    const rp_lattice_shape_t *shape = &search->set->shape;
    const rp_motion_pose_t free = {0.0, 0.0, self->yaw};
    const rp_motion_pose_t lattice = {dx, dy, search->set->headings.angle[heading]};
    const rp_motion_pose_t *start = self->is_last ? &lattice : &free;
    const rp_motion_pose_t *end = self->is_last ? &free : &lattice;
    const rp_curve_price_t price = {.radius = shape->turning_radius, .reverse_factor = 1.0};
    const double chord = sqrt((double)dx * dx + (double)dy * dy);
    rp_curve_t course;
    rp_words_dubins_cheapest(gear > 0 ? start : end, gear > 0 ? end : start, &price, &course);
    course = gear > 0 ? course : rp_curve_back(&course);
    const double length = rp_curve_length(&course);
    rp_first_curve_t curve = {.segment_count = 0};
    if (length > CHORDS_MOST * chord ||
        !rp_lattice_search_shift(search, self->x, self->y, dx, dy, &curve.pose)) {
        return RP_OK;
    }
    curve.pose.heading = (uint8_t)rp_control_set_state(search->set, heading, gear);
    curve.segment_count = rp_curve_segments(&course, start, curve.segments);
    return add(self, search, &curve, length, length * (gear > 0 ? 1.0 : shape->reverse_factor));
}

/// How far cells lie that curves lead to.
static uint32_t ring_of(const rp_first_curves_t *self, const rp_control_set_t *set)
{
    const double within = ceil(self->leaves_within);
    const uint32_t most = set->ring + LEAVING_MORE;
    return self->leaves_within <= 0.0 ? set->ring : within < most ? (uint32_t)within : most;
}

/// Curves to a cell of the ring, by its number.
static rp_status_t add_curves(rp_first_curves_t *self, const rp_lattice_search_t *search,
                              uint32_t number)
{
    const rp_control_set_t *set = search->set;
    const uint32_t ring = ring_of(self, set);
    const uint32_t side = 2u * ring + 1u;
    const int32_t dx = (int32_t)(number % side) - (int32_t)ring;
    const int32_t dy = (int32_t)(number / side) - (int32_t)ring;
    rp_status_t status = RP_OK;
    for (uint32_t i = 0; i < set->headings.count && status == RP_OK; i++) {
        if ((dx == 0 && dy == 0) || fabs(turn_to(self, &set->headings, i)) > TURN_MOST) {
            continue;
        }
        status = add_curve(self, search, dx, dy, i, 1);
        if (status == RP_OK && set->shape.reverse) {
            status = add_curve(self, search, dx, dy, i, -1);
        }
    }
    return status;
}

/// A turn to a heading, and a line from there, to the middle of a cell.
/// @param course  heading along which it goes: the same, its opposite backwards, or with OMNI any
static rp_status_t add_line(rp_first_curves_t *self, const rp_lattice_search_t *search,
                            uint32_t heading, uint32_t course, int32_t times)
{
    const rp_lattice_shape_t *shape = &search->set->shape;
    const rp_headings_t *headings = &search->set->headings;
    const double turn = turn_to(self, headings, heading);
    const int32_t dx = times * headings->x[course];
    const int32_t dy = times * headings->y[course];
    const double length = sqrt((double)dx * dx + (double)dy * dy);
    const bool is_aside = shape->drive == RP_DRIVE_OMNI && course != heading;
    const int32_t gear = !is_aside && course != heading ? -1 : 1;
    rp_first_curve_t curve = {.segment_count = 0};
    if (!rp_lattice_search_shift(search, self->x, self->y, dx, dy, &curve.pose)) {
        return RP_OK;
    }
    curve.pose.heading = (uint8_t)rp_control_set_state(search->set, heading, gear);
    if (fabs(turn) > RP_LATTICE_YAW_SLACK) {
        curve.segments[curve.segment_count++] =
            (rp_segment_t){.start = {0.0, 0.0, self->yaw}, .turn = turn, .gear = 1};
    }
    if (times != 0) {
        curve.segments[curve.segment_count++] = (rp_segment_t){
            .start = {0.0, 0.0, headings->angle[heading]},
            .length = length,
            .course = is_aside ? headings->angle[course] - headings->angle[heading] : 0.0,
            .gear = gear};
    }
    const double price =
        fabs(turn) * shape->turn_price + length * (gear < 0 ? shape->reverse_factor : 1.0);
    return curve.segment_count != 0 ? add(self, search, &curve, length, price) : RP_OK;
}

/// SPOT, OMNI: lines after a turn to a heading.
static rp_status_t add_lines(rp_first_curves_t *self, const rp_lattice_search_t *search,
                             uint32_t heading)
{
    const rp_control_set_t *set = search->set;
    const uint32_t count = set->headings.count;
    const int32_t ring = (int32_t)ring_of(self, set);
    rp_status_t status = add_line(self, search, heading, heading, 0);
    for (uint32_t course = 0; course < count; course++) {
        const bool is_driven = course == heading || set->shape.drive == RP_DRIVE_OMNI ||
                               (set->shape.reverse && course == (heading + count / 2u) % count);
        for (int32_t times = 1; times <= ring && is_driven && status == RP_OK; times++) {
            status = add_line(self, search, heading, course, times);
        }
    }
    return status;
}

/// How many steps there are.
static uint32_t step_count(const rp_first_curves_t *self, const rp_control_set_t *set)
{
    const uint32_t side = 2u * ring_of(self, set) + 1u;
    return set->shape.drive == RP_DRIVE_CAR ? side * side
           : self->leaves_within > 0.0      ? set->headings.count
                                            : 1u;
}

static rp_status_t add_step(rp_first_curves_t *self, const rp_lattice_search_t *search)
{
    const uint32_t number = self->next++;
    return search->set->shape.drive == RP_DRIVE_CAR ? add_curves(self, search, number)
           : self->leaves_within > 0.0              ? add_lines(self, search, number)
                                                    : add_turns(self, search);
}

rp_status_t rp_first_curves_work(rp_first_curves_t *self, const rp_lattice_search_t *search,
                                 uint64_t *budget)
{
    const uint32_t steps = step_count(self, search->set);
    rp_status_t status = RP_OK;
    while (self->next < steps && status == RP_OK) {
        if (*budget == 0) {
            return RP_MORE;
        }
        rp_budget_pay(budget, CELL_PRICE);
        status = add_step(self, search);
    }
    return status;
}

const rp_first_curve_t *rp_first_curves_to(const rp_first_curves_t *self, rp_lattice_pose_t pose)
{
    const rp_first_curve_t *least = NULL;
    for (size_t i = 0; i < self->count; i++) {
        const rp_first_curve_t *curve = &self->curves[i];
        const bool leads = curve->pose.x == pose.x && curve->pose.y == pose.y &&
                           curve->pose.heading == pose.heading;
        if (leads && (least == NULL || curve->cost < least->cost)) {
            least = curve;
        }
    }
    return least;
}

// ---- searches

/// The gear of a pose's state.
static int32_t gear_of(const rp_control_set_t *set, uint32_t state)
{
    return rp_control_set_heading(set, state) == state ? 1 : -1;
}

void rp_first_curves_begin_search(const rp_first_curves_t *self, rp_lattice_search_t *search,
                                  uint32_t heading)
{
    const rp_control_set_t *set = search->set;
    const uint32_t change = set->states > set->headings.count ? change_of(search) : 0;
    for (int32_t other = 1; other >= -1 && !self->is_used; other -= 2) {
        const rp_lattice_pose_t pose = {(uint16_t)self->x, (uint16_t)self->y,
                                        (uint8_t)rp_control_set_state(set, heading, other)};
        rp_lattice_search_root(search, pose, self->gear * other < 0 ? change : 0);
    }
    for (size_t i = 0; i < self->count && self->is_used; i++) {
        const rp_first_curve_t *curve = &self->curves[i];
        const bool changes = self->gear * gear_of(set, curve->pose.heading) < 0;
        rp_lattice_search_root(search, curve->pose, curve->cost + (changes ? change : 0));
    }
}

// ---- birth and death

void rp_first_curves_begin(rp_first_curves_t *self, const rp_lattice_shape_t *shape, uint32_t x,
                           uint32_t y, double yaw, bool is_last)
{
    const rp_vehicle_t vehicle = rp_lattice_shape_vehicle(shape);
    self->vehicle = rp_vehicle_widened(&vehicle, RP_LATTICE_MARGIN);
    self->count = 0;
    self->next = 0;
    self->x = x;
    self->y = y;
    self->yaw = yaw;
    self->is_last = is_last;
    self->leaves_within = 0.0;
}

void rp_first_curves_fini(rp_first_curves_t *self)
{
    free(self->curves);
    *self = (rp_first_curves_t){0};
}
