#include "planners/lattice/first_curves.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/budget.h"
#include "planners/motion/sweep.h"
#include "planners/motion/trig.h"
#include "planners/motion/words.h"

/// Headings that are farther from the yaw are left to later moves.
#define TURN_MOST (RP_TRIG_TURN / 8.0)

/// A curve is no longer than so many times its chord.
#define CHORDS_MOST 1.5

/// A cell of the ring counts as so many expansions: its curves take some microseconds each.
#define CELL_PRICE 64u

#define CELLS_MOST 512u

/// From the yaw to a heading, -pi .. pi.
static double turn_to(const rp_first_curves_t *self, const rp_headings_t *headings,
                      uint32_t heading)
{
    const double left = rp_trig_turn(headings->angle[heading] - self->yaw);
    return left < RP_TRIG_PI ? left : left - RP_TRIG_TURN;
}

// ---- what a curve needs, and what it costs

/// Round the cell of the start, all that the segments may come near to.
static bool is_legal(const rp_first_curves_t *self, const rp_lattice_search_t *search,
                     const rp_first_curve_t *curve, int32_t reach)
{
    const double body = search->set->shape.body_radius;
    const double least =
        (body > RP_LATTICE_BODY_LEAST ? body : RP_LATTICE_BODY_LEAST) + RP_LATTICE_MARGIN;
    for (int32_t y = -reach; y <= reach; y++) {
        for (int32_t x = -reach; x <= reach; x++) {
            const bool blocks = rp_obstacles_meet(search->obstacles, (int32_t)self->x + x,
                                                  (int32_t)self->y + y, 1u);
            for (uint32_t i = 0; blocks && i < curve->segment_count; i++) {
                if (rp_sweep_distance(&curve->segments[i], x, y) < least) {
                    return false;
                }
            }
        }
    }
    return true;
}

static uint32_t cost_of(const rp_first_curves_t *self, const rp_lattice_search_t *search,
                        const rp_first_curve_t *curve, double length)
{
    rp_swept_cell_t cells[CELLS_MOST];
    rp_swept_t swept = {.segment_count = curve->segment_count};
    const uint32_t cost = (uint32_t)ceil(length * RP_LATTICE_UNIT);
    for (uint32_t i = 0; i < curve->segment_count; i++) {
        swept.segments[i] = curve->segments[i];
    }
    const uint32_t count = rp_swept_cells(&swept, cost, cells, CELLS_MOST);
    return rp_lattice_search_sum(search, self->x, self->y, cells, count, 0);
}

/// Keep a curve if it is legal. @param length  cells, or what a turn counts as
static rp_status_t add(rp_first_curves_t *self, const rp_lattice_search_t *search,
                       rp_first_curve_t *curve, double length)
{
    const int32_t reach = (int32_t)ceil(length + search->set->shape.body_radius) + 1;
    const int32_t most = (int32_t)search->obstacles->margin - 1;
    if (!is_legal(self, search, curve, reach < most ? reach : most)) {
        return RP_OK;
    }
    if (!rp_array_reserve(&self->curves, &self->capacity, self->count + 1u, sizeof *self->curves)) {
        return RP_E_MEMORY;
    }
    curve->cost = cost_of(self, search, curve, length);
    self->curves[self->count++] = *curve;
    return RP_OK;
}

// ---- curves of each drive

static rp_status_t add_turn(rp_first_curves_t *self, const rp_lattice_search_t *search,
                            uint32_t heading)
{
    const rp_control_set_t *set = search->set;
    const double turn = turn_to(self, &set->headings, heading);
    rp_first_curve_t curve = {.pose = {(uint16_t)self->x, (uint16_t)self->y, (uint8_t)heading},
                              .segment_count = 1u};
    curve.segments[0] = (rp_segment_t){.start = {0.0, 0.0, self->yaw}, .turn = turn, .gear = 1};
    return add(self, search, &curve, fabs(turn) * set->shape.turn_price);
}

/// The headings on either side of the yaw.
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

static rp_status_t add_curve(rp_first_curves_t *self, const rp_lattice_search_t *search, int32_t dx,
                             int32_t dy, uint32_t heading)
{
    const rp_control_set_t *set = search->set;
    const rp_motion_pose_t start = {0.0, 0.0, self->yaw};
    const rp_motion_pose_t end = {dx, dy, set->headings.angle[heading]};
    const rp_curve_price_t price = {.radius = set->shape.turning_radius, .reverse_factor = 1.0};
    const double chord = sqrt((double)dx * dx + (double)dy * dy);
    rp_curve_list_t list = {0};
    rp_words_dubins(&start, &end, &price, &list);
    const double length = rp_curve_length(&list.curves[0]);
    if (length > CHORDS_MOST * chord) {
        return RP_OK;
    }
    rp_lattice_pose_t pose;
    if (!rp_lattice_search_shift(search, self->x, self->y, dx, dy, &pose)) {
        return RP_OK;
    }
    pose.heading = (uint8_t)heading;
    rp_first_curve_t curve = {.pose = pose};
    curve.segment_count = rp_curve_segments(&list.curves[0], &start, curve.segments);
    return add(self, search, &curve, length);
}

/// Curves to a cell of the ring, by its number.
static rp_status_t add_curves(rp_first_curves_t *self, const rp_lattice_search_t *search,
                              uint32_t number)
{
    const rp_control_set_t *set = search->set;
    const uint32_t side = 2u * set->ring + 1u;
    const int32_t dx = (int32_t)(number % side) - (int32_t)set->ring;
    const int32_t dy = (int32_t)(number / side) - (int32_t)set->ring;
    rp_status_t status = RP_OK;
    for (uint32_t i = 0; i < set->headings.count && status == RP_OK; i++) {
        if ((dx != 0 || dy != 0) && fabs(turn_to(self, &set->headings, i)) <= TURN_MOST) {
            status = add_curve(self, search, dx, dy, i);
        }
    }
    return status;
}

rp_status_t rp_first_curves_work(rp_first_curves_t *self, const rp_lattice_search_t *search,
                                 uint64_t *budget)
{
    const rp_control_set_t *set = search->set;
    const bool is_car = set->shape.drive == RP_DRIVE_CAR;
    const uint32_t side = 2u * set->ring + 1u;
    rp_status_t status = RP_OK;
    while (self->next < (is_car ? side * side : 1u) && status == RP_OK) {
        if (*budget == 0) {
            return RP_MORE;
        }
        rp_budget_pay(budget, CELL_PRICE);
        status = is_car ? add_curves(self, search, self->next) : add_turns(self, search);
        self->next++;
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

// ---- birth and death

void rp_first_curves_begin(rp_first_curves_t *self, uint32_t x, uint32_t y, double yaw)
{
    self->count = 0;
    self->next = 0;
    self->x = x;
    self->y = y;
    self->yaw = yaw;
}

void rp_first_curves_fini(rp_first_curves_t *self)
{
    free(self->curves);
    *self = (rp_first_curves_t){0};
}
