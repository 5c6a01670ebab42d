#include "planners/lattice/candidates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "planners/motion/trig.h"
#include "planners/motion/words.h"

/// A move is left out when kept ones lead there for at most so many hundredths of its cost.
#define COMPOSED_PERCENT 102u

/// A curve that leads away is no longer than so many times its chord.
#define CHORDS_MOST 1.5

/// Rounding must not make a length of whole units cost one more.
#define ROUNDING 1e-7

#define NO_COST UINT32_MAX

// ---- curves and their costs

rp_curve_t rp_move_curve(const rp_move_t *self, const rp_headings_t *headings, double radius)
{
    const rp_motion_pose_t start = {0.0, 0.0, headings->angle[self->from]};
    const rp_motion_pose_t end = {self->dx, self->dy, headings->angle[self->to]};
    const rp_curve_price_t price = {.radius = radius, .reverse_factor = 1.0};
    rp_curve_list_t list = {0};
    rp_words_dubins(&start, &end, &price, &list);
    return list.curves[0];
}

uint32_t rp_move_cost(double length)
{
    return (uint32_t)ceil(length * RP_LATTICE_UNIT - ROUNDING);
}

rp_move_t rp_move_back(const rp_move_t *self, const rp_headings_t *headings)
{
    const uint32_t quarter = headings->count / 4u;
    const uint32_t turned = self->to / quarter;
    int32_t dx = -self->dx;
    int32_t dy = -self->dy;
    rp_move_t back = *self;
    rp_quarters_turn(&dx, &dy, (4u - turned) % 4u);
    back.dx = (int8_t)dx;
    back.dy = (int8_t)dy;
    back.from = (uint8_t)(self->to % quarter);
    back.to = (uint8_t)((self->from + headings->count - turned * quarter) % headings->count);
    back.gear = (int8_t)-self->gear;
    return back;
}

/// A line that leads along the vector of a heading.
static bool is_along(const rp_headings_t *headings, uint32_t heading, int32_t dx, int32_t dy)
{
    const int32_t x = headings->x[heading];
    const int32_t y = headings->y[heading];
    return x * dy - y * dx == 0 && x * dx + y * dy > 0;
}

static bool take_turn(const rp_candidates_t *self, rp_move_t *move)
{
    const double left =
        rp_trig_turn(self->headings->angle[move->to] - self->headings->angle[move->from]);
    const double turn = left < RP_TRIG_PI ? left : RP_TRIG_TURN - left;
    move->kind = RP_MOVE_TURN;
    move->cost = rp_move_cost(turn * self->shape.turn_price);
    return true;
}

/// OMNI: a line along any heading, its own included, which stays.
static bool take_aside(const rp_candidates_t *self, rp_move_t *move)
{
    for (uint32_t i = 0; i < self->headings->count && move->from == move->to; i++) {
        if (is_along(self->headings, i, move->dx, move->dy)) {
            move->course = (uint8_t)i;
            move->kind = i == move->from ? RP_MOVE_CURVE : RP_MOVE_ASIDE;
            move->cost =
                rp_move_cost(sqrt((double)move->dx * move->dx + (double)move->dy * move->dy));
            return true;
        }
    }
    return false;
}

static bool take_line(const rp_candidates_t *self, rp_move_t *move)
{
    move->cost = rp_move_cost(sqrt((double)move->dx * move->dx + (double)move->dy * move->dy));
    return move->from == move->to && is_along(self->headings, move->from, move->dx, move->dy);
}

static bool take_curve(const rp_candidates_t *self, rp_move_t *move)
{
    const double chord = sqrt((double)move->dx * move->dx + (double)move->dy * move->dy);
    if (self->shape.turning_radius == 0.0) {
        return take_line(self, move);
    }
    const rp_curve_t curve = rp_move_curve(move, self->headings, self->shape.turning_radius);
    const double length = rp_curve_length(&curve);
    move->cost = rp_move_cost(length);
    return length <= CHORDS_MOST * chord || move->is_loop;
}

/// Whether a vehicle of this drive makes this move; the rest of the move is written then.
static bool take(const rp_candidates_t *self, rp_move_t *move)
{
    const bool stays = move->dx == 0 && move->dy == 0;
    move->is_loop = stays && self->shape.drive == RP_DRIVE_CAR;
    if (stays && move->from == move->to) {
        return false;
    }
    if (stays && !move->is_loop) {
        return take_turn(self, move);
    }
    return self->shape.drive == RP_DRIVE_OMNI ? take_aside(self, move) : take_curve(self, move);
}

// ---- a heap: sorting all at once would take too long for a slice

static void push(rp_candidates_t *self, const rp_lattice_candidate_t *candidate)
{
    rp_lattice_candidate_t *heap = self->heap;
    size_t place = self->heap_count++;
    while (place > 0 && heap[(place - 1u) / 2u].rank > candidate->rank) {
        heap[place] = heap[(place - 1u) / 2u];
        place = (place - 1u) / 2u;
    }
    heap[place] = *candidate;
}

static rp_lattice_candidate_t pop(rp_candidates_t *self)
{
    rp_lattice_candidate_t *heap = self->heap;
    const rp_lattice_candidate_t top = heap[0];
    const rp_lattice_candidate_t last = heap[--self->heap_count];
    size_t place = 0;
    for (size_t below = 1; below < self->heap_count; below = 2u * place + 1u) {
        below += below + 1u < self->heap_count && heap[below + 1u].rank < heap[below].rank;
        if (heap[below].rank >= last.rank) {
            break;
        }
        heap[place] = heap[below];
        place = below;
    }
    heap[place] = last;
    return top;
}

static uint32_t side_of(const rp_candidates_t *self)
{
    return 2u * (uint32_t)self->ring + 1u;
}

/// How many there are: from, dy, dx, to.
static uint32_t candidate_count(const rp_candidates_t *self)
{
    const uint32_t headings = self->headings->count;
    return headings / 4u * side_of(self) * side_of(self) * headings;
}

/// Make the next candidate.
static void make(rp_candidates_t *self)
{
    const uint32_t headings = self->headings->count;
    const uint32_t number = self->next++;
    const uint32_t place = number / headings;
    rp_lattice_candidate_t candidate = {
        .move =
            {
                .to = (uint8_t)(number % headings),
                .dx = (int8_t)((int32_t)(place % side_of(self)) - self->ring),
                .dy = (int8_t)((int32_t)(place / side_of(self) % side_of(self)) - self->ring),
                .from = (uint8_t)(place / side_of(self) / side_of(self)),
                .gear = 1,
            },
    };
    if (take(self, &candidate.move)) {
        candidate.rank =
            (uint64_t)candidate.move.is_loop << 63 | (uint64_t)candidate.move.cost << 24 | number;
        push(self, &candidate);
    }
}

// ---- what kept moves compose

/// Where the cost of a move is noted. @param from  any heading: the move is turned back to the
/// first quarter; outside of the ring there is none
static uint32_t *cost_at(const rp_candidates_t *self, uint32_t from, int32_t dx, int32_t dy,
                         uint32_t to)
{
    const uint32_t headings = self->headings->count;
    const uint32_t quarter = headings / 4u;
    for (; from >= quarter; from -= quarter) {
        const int32_t x = dx;
        dx = dy;
        dy = -x;
        to = (to + headings - quarter) % headings;
    }
    if (abs(dx) > self->ring || abs(dy) > self->ring) {
        return NULL;
    }
    const uint32_t row = from * side_of(self) + (uint32_t)(dy + self->ring);
    const uint32_t place = row * side_of(self) + (uint32_t)(dx + self->ring);
    return &self->costs[place * headings + to];
}

/// The least cost of a kept move and what follows it.
static uint32_t composed_cost(const rp_candidates_t *self, const rp_move_t *move)
{
    uint32_t least = NO_COST;
    uint32_t number = self->last[move->from];
    while (number != 0) {
        const rp_move_t *first = &self->kept[number - 1u];
        const uint32_t *rest =
            cost_at(self, first->to, move->dx - first->dx, move->dy - first->dy, move->to);
        if (rest != NULL && first->cost < least && *rest < least - first->cost) {
            least = first->cost + *rest;
        }
        number = first->before;
    }
    return least;
}

/// Try the cheapest candidate that is left.
static rp_status_t try_next(rp_candidates_t *self)
{
    rp_move_t move = pop(self).move;
    const uint32_t composed = composed_cost(self, &move);
    uint32_t *cost = cost_at(self, move.from, move.dx, move.dy, move.to);
    if ((uint64_t)composed * 100u <= (uint64_t)move.cost * COMPOSED_PERCENT) {
        *cost = composed;
        return RP_OK;
    }
    if (!rp_array_reserve(&self->kept, &self->kept_capacity, self->kept_count + 1u,
                          sizeof *self->kept)) {
        return RP_E_MEMORY;
    }
    *cost = move.cost;
    move.before = self->last[move.from];
    self->kept[self->kept_count++] = move;
    self->last[move.from] = (uint32_t)self->kept_count;
    return RP_OK;
}

rp_status_t rp_candidates_work(rp_candidates_t *self, uint64_t *budget)
{
    rp_status_t status = RP_OK;
    for (; *budget != 0 && status == RP_OK; --*budget) {
        if (self->next < candidate_count(self)) {
            make(self);
        } else if (self->heap_count != 0) {
            status = try_next(self);
        } else {
            return RP_OK;
        }
    }
    return status == RP_OK ? RP_MORE : status;
}

// ---- birth and death

rp_status_t rp_candidates_init(rp_candidates_t *self, const rp_lattice_shape_t *shape,
                               const rp_headings_t *headings, uint32_t ring)
{
    *self = (rp_candidates_t){.shape = *shape, .headings = headings, .ring = (int32_t)ring};
    const uint32_t count = candidate_count(self);
    self->heap = malloc(count * sizeof *self->heap);
    self->costs = malloc(count * sizeof *self->costs);
    if (self->heap == NULL || self->costs == NULL) {
        rp_candidates_fini(self);
        return RP_E_MEMORY;
    }
    memset(self->costs, 0xff, count * sizeof *self->costs);
    for (uint32_t from = 0; from < headings->count / 4u; from++) {
        *cost_at(self, from, 0, 0, from) = 0;
    }
    return RP_OK;
}

void rp_candidates_fini(rp_candidates_t *self)
{
    free(self->heap);
    free(self->costs);
    free(self->kept);
    *self = (rp_candidates_t){0};
}
