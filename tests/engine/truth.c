/// Plain and slow where it can be; costs are kept while ground and goals stay the same.
#include "tests/engine/truth.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ESCAPE_MOST 64.0 ///< cells

// ---- the world, version by version

const rp_past_ground_t *rp_witness_ground(const rp_witness_t *self)
{
    return &self->past[self->past_count - 1u];
}

void rp_witness_look(rp_witness_t *self)
{
    const uint64_t version = rp_engine_version(self->engine, self->world);
    if (version == self->past_count) {
        return;
    }
    ck_assert_uint_eq(version, self->past_count + 1u);
    self->past = realloc(self->past, version * sizeof *self->past);
    ck_assert_ptr_nonnull(self->past);
    rp_past_ground_t *ground = &self->past[self->past_count++];
    rp_frame_t frame;
    ck_assert(rp_engine_shape(self->engine, self->world, &ground->width, &ground->height, &frame));
    const size_t size = (size_t)ground->width * ground->height;
    ck_assert_uint_le(size, RP_WITNESS_PLACES);
    ground->origin_x_m = frame.origin_x_m;
    ground->origin_y_m = frame.origin_y_m;
    ground->bytes = malloc(size);
    ck_assert_ptr_nonnull(ground->bytes);
    memcpy(ground->bytes, rp_engine_bytes(self->engine, self->world), size);
}

int64_t rp_truth_wrapped(int64_t at, int64_t side)
{
    return (at % side + side) % side;
}

/// The column or row at so many metres from the origin. What lies on a border but for rounding lies
/// on it, and the closing border belongs to the last cell, or to the first where a world wraps.
static int64_t index_at(double along_m, double resolution_m, uint32_t side, bool wraps)
{
    const double at = along_m / resolution_m;
    const double border = rint(at);
    if (fabs(at - border) > 1e-9) {
        return (int64_t)floor(at);
    }
    return !wraps && border == side ? (int64_t)side - 1 : (int64_t)border;
}

uint32_t rp_witness_place(const rp_witness_t *self, const rp_past_ground_t *ground, double x_m,
                          double y_m)
{
    int64_t x = index_at(x_m - ground->origin_x_m, self->resolution_m, ground->width, self->wraps);
    int64_t y = index_at(y_m - ground->origin_y_m, self->resolution_m, ground->height, self->wraps);
    if (self->wraps) {
        x = rp_truth_wrapped(x, ground->width);
        y = rp_truth_wrapped(y, ground->height);
    }
    return x >= 0 && y >= 0 && x < ground->width && y < ground->height
               ? (uint32_t)(y * ground->width + x)
               : RP_ORACLE_NO_PLACE;
}

// ---- the ground of a kind

static bool is_obstacle(const rp_kind_t *kind, uint8_t byte)
{
    return byte != RP_BYTE_UNKNOWN && kind->factors[byte] == 0;
}

/// Distance in cells along one axis.
static uint32_t apart(uint32_t a, uint32_t b, uint32_t side, bool wraps)
{
    const uint32_t plain = a > b ? a - b : b - a;
    return wraps && side - plain < plain ? side - plain : plain;
}

/// What costmap_2d's formula makes of a byte that has its nearest obstacle so many cells away.
static uint8_t inflated(const rp_kind_t *kind, uint8_t byte, uint32_t square, double resolution_m)
{
    const rp_body_t *body = &kind->body;
    const double cells = sqrt(square);
    const double metres = cells * resolution_m;
    if (square == 0 || square == UINT32_MAX) {
        return kind->factors[byte];
    }
    if (metres <= body->radius_m + 1e-9) {
        return 0;
    }
    unsigned cost = 0;
    if (body->inflation_radius_m > 0.0 &&
        cells <= ceil(body->inflation_radius_m / resolution_m - 1e-9)) {
        cost = metres <= body->inscribed_radius_m + 1e-9
                   ? 253u
                   : (unsigned)(252.0 *
                                exp(-body->cost_scaling * (metres - body->inscribed_radius_m)));
    }
    const bool stays = byte == RP_BYTE_UNKNOWN ? cost < 253u : cost <= byte;
    return kind->factors[stays ? byte : cost];
}

static void lay(const rp_witness_t *self, const rp_kind_t *kind, const rp_past_ground_t *ground,
                uint8_t *factors)
{
    static uint32_t squares[RP_WITNESS_PLACES];
    const double most_m = fmax(kind->body.radius_m, kind->body.inflation_radius_m);
    const int64_t reach = (int64_t)ceil(most_m / self->resolution_m);
    const uint32_t size = ground->width * ground->height;
    memset(squares, 0xff, size * sizeof squares[0]);
    for (uint32_t place = 0; place < size; place++) {
        if (reach == 0 || !is_obstacle(kind, ground->bytes[place])) {
            continue;
        }
        const uint32_t x = place % ground->width;
        const uint32_t y = place / ground->width;
        for (int64_t dy = -reach; dy <= reach; dy++) {
            for (int64_t dx = -reach; dx <= reach; dx++) {
                const int64_t at_x = self->wraps ? rp_truth_wrapped(x + dx, ground->width) : x + dx;
                const int64_t at_y =
                    self->wraps ? rp_truth_wrapped(y + dy, ground->height) : y + dy;
                if (at_x < 0 || at_y < 0 || at_x >= ground->width || at_y >= ground->height) {
                    continue;
                }
                const uint32_t off_x = apart(x, (uint32_t)at_x, ground->width, self->wraps);
                const uint32_t off_y = apart(y, (uint32_t)at_y, ground->height, self->wraps);
                uint32_t *square = &squares[at_y * ground->width + at_x];
                const uint32_t now = off_x * off_x + off_y * off_y;
                *square = now < *square ? now : *square;
            }
        }
    }
    for (uint32_t place = 0; place < size; place++) {
        factors[place] = inflated(kind, ground->bytes[place], squares[place], self->resolution_m);
    }
}

/// The oracle of a kind, on a version.
rp_oracle_t *rp_truth_oracle(rp_witness_t *self, uint32_t kind, uint64_t version)
{
    const rp_past_ground_t *ground = &self->past[version - 1u];
    rp_oracle_t **oracle = &self->oracles[kind];
    if (*oracle != NULL && self->laid[kind] == version) {
        return *oracle;
    }
    if (*oracle == NULL || (*oracle)->shape.width != ground->width ||
        (*oracle)->shape.height != ground->height) {
        const rp_grid_shape_t shape = {ground->width, ground->height,         self->neighbors,
                                       self->wraps,   self->kinds[kind].unit, 1};
        rp_oracle_destroy(oracle);
        *oracle = rp_oracle_new(&shape);
        ck_assert_ptr_nonnull(*oracle);
    }
    lay(self, &self->kinds[kind], ground, (*oracle)->factors);
    self->laid[kind] = version;
    self->flooded[kind] = 0;
    return *oracle;
}

bool rp_truth_is_obstacle(const rp_witness_t *self, const rp_witness_agent_t *agent, uint32_t place)
{
    const rp_kind_t *kind = &self->kinds[agent->kind];
    const uint8_t *bytes = rp_witness_ground(self)->bytes;
    return place != RP_ORACLE_NO_PLACE && kind->factors[bytes[place]] == 0 &&
           !kind->is_inscribed[bytes[place]];
}

uint64_t rp_truth_ground_sum(const rp_witness_t *self, const rp_witness_agent_t *agent)
{
    const rp_past_ground_t *ground = rp_witness_ground(self);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ground->width * ground->height; i++) {
        const uint64_t seen =
            self->oracles[agent->kind]->factors[i] * 2u + rp_truth_is_obstacle(self, agent, i);
        sum = (sum ^ seen) * 0x100000001b3u;
    }
    return sum;
}

/// Costs from everywhere to the goals at hand.
void rp_truth_flood(rp_witness_t *self, uint32_t kind)
{
    uint64_t key = 0x5bd1e995u;
    for (size_t i = 0; i < self->goal_count; i++) {
        key = (key ^ self->goals[i].place) * 0x9e3779b97f4a7c15u;
        key = (key ^ self->goals[i].offset) * 0x9e3779b97f4a7c15u;
    }
    if (self->flooded[kind] != key) {
        rp_oracle_flood_goals(self->oracles[kind], self->goals, self->goal_count);
        self->flooded[kind] = key;
    }
}

// ---- where it wants to go

static void add_goal(rp_witness_t *self, uint32_t place, uint32_t offset)
{
    for (size_t i = 0; i < self->goal_count; i++) {
        if (self->goals[i].place == place) {
            rp_oracle_goal_t *goal = &self->goals[i];
            goal->offset = offset < goal->offset ? offset : goal->offset;
            return;
        }
    }
    self->goals[self->goal_count++] = (rp_oracle_goal_t){place, offset};
}

/// Metres from the middle of a place, on one image of a torus, to what was asked for.
static double distance_of(const rp_aim_t *aim, const rp_destination_t *point, double x_m,
                          double y_m)
{
    if (aim->kind == RP_AIM_REGION) {
        const double off_x = fmax(fmin(aim->points[0].x_m, aim->points[1].x_m) - x_m,
                                  x_m - fmax(aim->points[0].x_m, aim->points[1].x_m));
        const double off_y = fmax(fmin(aim->points[0].y_m, aim->points[1].y_m) - y_m,
                                  y_m - fmax(aim->points[0].y_m, aim->points[1].y_m));
        return hypot(fmax(off_x, 0.0), fmax(off_y, 0.0));
    }
    return fmax(hypot(x_m - point->x_m, y_m - point->y_m) - aim->tolerance_m, 0.0);
}

/// Images of a torus, in each direction, up to the one beyond that in which a point lies: who walks
/// on over a seam counts on.
static int turns_to(const rp_witness_t *self, const rp_past_ground_t *ground,
                    const rp_destination_t *point)
{
    const double x = fabs(point->x_m - ground->origin_x_m) / (ground->width * self->resolution_m);
    const double y = fabs(point->y_m - ground->origin_y_m) / (ground->height * self->resolution_m);
    return self->wraps ? 2 + (int)fmax(x, y) : 0;
}

/// From a place, over the seams of a torus too.
double rp_truth_distance_m(const rp_witness_t *self, const rp_past_ground_t *ground,
                           const rp_aim_t *aim, const rp_destination_t *point, uint32_t place)
{
    const int turns = turns_to(self, ground, point);
    double least = INFINITY;
    for (int down = -turns; down <= turns; down++) {
        for (int across = -turns; across <= turns; across++) {
            const double x = place % ground->width + 0.5 + (double)across * ground->width;
            const double y = place / ground->width + 0.5 + (double)down * ground->height;
            least = fmin(least, distance_of(aim, point, ground->origin_x_m + x * self->resolution_m,
                                            ground->origin_y_m + y * self->resolution_m));
        }
    }
    return least < 1e-9 ? 0.0 : least; // on its border but for rounding
}

static void add_point(rp_witness_t *self, const rp_past_ground_t *ground, const rp_aim_t *aim,
                      const rp_destination_t *point)
{
    const size_t before = self->goal_count;
    const bool is_region = aim->kind == RP_AIM_REGION;
    const bool is_area = is_region || aim->tolerance_m > 0.0;
    for (uint32_t place = 0; is_area && place < ground->width * ground->height; place++) {
        if (rp_truth_distance_m(self, ground, aim, point, place) > 0.0) {
            continue;
        }
        if (is_region) { // no place can come twice
            self->goals[self->goal_count++] = (rp_oracle_goal_t){place, 0};
        } else {
            add_goal(self, place, point->offset);
        }
    }
    const double x_m = is_region ? (point[0].x_m + point[1].x_m) / 2.0 : point->x_m;
    const double y_m = is_region ? (point[0].y_m + point[1].y_m) / 2.0 : point->y_m;
    const uint32_t middle = rp_witness_place(self, ground, x_m, y_m);
    if (middle == RP_ORACLE_NO_PLACE) {
        int64_t *place = self->beyond[self->beyond_count++];
        place[0] = (int64_t)floor((x_m - ground->origin_x_m) / self->resolution_m);
        place[1] = (int64_t)floor((y_m - ground->origin_y_m) / self->resolution_m);
    } else if (!is_region || self->goal_count == before) {
        add_goal(self, middle, is_region ? 0 : point->offset);
    }
}

/// @return false when what it goes after is not there
bool rp_truth_goals(rp_witness_t *self, const rp_witness_agent_t *agent,
                    const rp_past_ground_t *ground, uint32_t waypoint)
{
    rp_aim_t aim = agent->aim;
    rp_destination_t there = {0};
    aim.points = agent->points;
    self->goal_count = 0;
    self->beyond_count = 0;
    if (aim.kind == RP_AIM_TARGET) {
        const rp_witness_agent_t *target =
            agent->target != RP_NOBODY ? &self->agents[agent->target] : NULL;
        if (target == NULL || target->id == 0 || !target->has_pose ||
            rp_witness_place(self, ground, target->x_m, target->y_m) == RP_ORACLE_NO_PLACE) {
            return false;
        }
        there = (rp_destination_t){.x_m = target->x_m, .y_m = target->y_m};
        add_point(self, ground, &aim, &there);
    } else if (aim.kind == RP_AIM_REGION) {
        add_point(self, ground, &aim, &aim.points[0]);
    } else if (aim.kind == RP_AIM_WAYPOINTS) {
        add_point(self, ground, &aim, &aim.points[waypoint]);
    } else {
        for (size_t i = 0; i < aim.count; i++) {
            add_point(self, ground, &aim, &aim.points[i]);
        }
    }
    return true;
}

bool rp_truth_is_goal(const rp_witness_t *self, uint32_t place)
{
    size_t i = 0;
    while (i < self->goal_count && self->goals[i].place != place) {
        i++;
    }
    return i < self->goal_count;
}

bool rp_truth_any_free(const rp_witness_t *self, const rp_oracle_t *oracle)
{
    size_t i = 0;
    while (i < self->goal_count && oracle->factors[self->goals[i].place] == 0) {
        i++;
    }
    return i < self->goal_count;
}

/// Squared distance to the nearest goal, or, when all lie outside, to where the nearest of them
/// lies.
static uint64_t square_to_goal(const rp_witness_t *self, const rp_oracle_t *oracle, uint32_t place)
{
    const uint32_t width = oracle->shape.width;
    const uint32_t height = oracle->shape.height;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < self->goal_count; i++) {
        const uint32_t goal = self->goals[i].place;
        const uint64_t dx = apart(place % width, goal % width, width, self->wraps);
        const uint64_t dy = apart(place / width, goal / width, height, self->wraps);
        least = dx * dx + dy * dy < least ? dx * dx + dy * dy : least;
    }
    for (size_t i = 0; self->goal_count == 0 && i < self->beyond_count; i++) {
        const int64_t dx = (int64_t)(place % width) - self->beyond[i][0];
        const int64_t dy = (int64_t)(place / width) - self->beyond[i][1];
        const uint64_t square = (uint64_t)(dx * dx + dy * dy);
        least = square < least ? square : least;
    }
    return least;
}

/// No goal can be reached: those places that can and lie nearest to one are the goals now.
void rp_truth_substitute(rp_witness_t *self, uint32_t kind, uint32_t start)
{
    static rp_oracle_goal_t nearest[RP_WITNESS_PLACES];
    rp_oracle_t *oracle = self->oracles[kind];
    uint64_t least = UINT64_MAX;
    size_t count = 0;
    rp_oracle_flood(oracle, start);
    for (uint32_t place = 0; place < oracle->shape.width * oracle->shape.height; place++) {
        const uint64_t square = oracle->cost[place] != RP_ORACLE_NO_PATH
                                    ? square_to_goal(self, oracle, place)
                                    : UINT64_MAX;
        if (square != UINT64_MAX && square <= least) {
            count = square < least ? 0 : count;
            least = square;
            nearest[count++] = (rp_oracle_goal_t){place, 0};
        }
    }
    memcpy(self->goals, nearest, count * sizeof nearest[0]);
    self->goal_count = count;
    self->flooded[kind] = 0;
    rp_truth_flood(self, kind);
}

// ---- where it begins

static const int around_x[] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int around_y[] = {0, 1, 1, 1, 0, -1, -1, -1};

/// The place beside another one; RP_ORACLE_NO_PLACE outside.
static uint32_t beside(const rp_witness_t *self, const rp_past_ground_t *ground, uint32_t place,
                       unsigned step)
{
    int64_t x = (int64_t)(place % ground->width) + around_x[step % 8u];
    int64_t y = (int64_t)(place / ground->width) + around_y[step % 8u];
    if (self->wraps) {
        x = rp_truth_wrapped(x, ground->width);
        y = rp_truth_wrapped(y, ground->height);
    }
    return x >= 0 && y >= 0 && x < ground->width && y < ground->height
               ? (uint32_t)(y * ground->width + x)
               : RP_ORACLE_NO_PLACE;
}

/// A place that is there, and no obstacle.
static bool is_passable(const rp_kind_t *kind, const rp_past_ground_t *ground, uint32_t place)
{
    return place != RP_ORACLE_NO_PLACE &&
           (kind->factors[ground->bytes[place]] != 0 || kind->is_inscribed[ground->bytes[place]]);
}

static bool is_passable_beside(const rp_witness_t *self, const rp_kind_t *kind,
                               const rp_past_ground_t *ground, uint32_t place, unsigned step)
{
    return is_passable(kind, ground, beside(self, ground, place, step));
}

/// Of eight places around an obstacle those that hang together with one nearest to the agent.
static bool leads_to_near_side(const rp_witness_t *self, const rp_kind_t *kind,
                               const rp_past_ground_t *ground, uint32_t from, double x, double y,
                               unsigned step)
{
    double least = INFINITY;
    double least_of_run = INFINITY;
    for (unsigned i = 0; i < 8; i++) {
        const double off = hypot(from % ground->width + 0.5 + around_x[i] - x,
                                 (uint32_t)(from / ground->width) + 0.5 + around_y[i] - y);
        if (!is_passable_beside(self, kind, ground, from, i)) {
            continue;
        }
        least = fmin(least, off);
        bool is_joined[2] = {true, true}; // one way round or the other
        for (unsigned k = step; k % 8u != i; k++) {
            is_joined[0] &= is_passable_beside(self, kind, ground, from, k);
        }
        for (unsigned k = step + 8u; k % 8u != i; k--) {
            is_joined[1] &= is_passable_beside(self, kind, ground, from, k);
        }
        least_of_run = is_joined[0] || is_joined[1] ? fmin(least_of_run, off) : least_of_run;
    }
    return least_of_run <= least + 1e-9;
}

static bool may_step(const rp_witness_t *self, const rp_kind_t *kind,
                     const rp_past_ground_t *ground, uint32_t from, unsigned step)
{
    const bool is_straight = step % 2u == 0;
    return is_passable_beside(self, kind, ground, from, step) &&
           (is_straight ||
            (self->neighbors == 8 && is_passable_beside(self, kind, ground, from, step + 1u) &&
             is_passable_beside(self, kind, ground, from, step + 7u)));
}

/// The same from where the agent is.
static bool may_set_out(const rp_witness_t *self, const rp_kind_t *kind,
                        const rp_past_ground_t *ground, uint32_t from, double x, double y,
                        unsigned step)
{
    return may_step(self, kind, ground, from, step) &&
           (is_passable(kind, ground, from) ||
            leads_to_near_side(self, kind, ground, from, x, y, step));
}

static double length_of(int64_t straights, int64_t diagonals)
{
    return (double)straights + (double)diagonals * sqrt(2.0);
}

/// Lengths of ways, in whole numbers that differ if the lengths do; -1: none leads there.
static int64_t straights[RP_WITNESS_PLACES];
static int64_t diagonals[RP_WITNESS_PLACES];

/// Follow ways from place to place until none becomes shorter.
static void flood_ways(const rp_witness_t *self, const rp_witness_agent_t *agent,
                       const rp_past_ground_t *ground, uint32_t from, double x, double y)
{
    static uint32_t queue[8u * RP_WITNESS_PLACES];
    const rp_kind_t *kind = &self->kinds[agent->kind];
    const rp_oracle_t *oracle = self->oracles[agent->kind];
    const double asked = agent->escape_m / self->resolution_m;
    const double most = asked > 0.0 ? asked : ESCAPE_MOST;
    size_t first = 0;
    size_t end = 1;
    for (uint32_t place = 0; place < ground->width * ground->height; place++) {
        straights[place] = -1;
    }
    straights[from] = diagonals[from] = 0;
    queue[0] = from;
    for (; first < end; first++) {
        const uint32_t place = queue[first % (8u * RP_WITNESS_PLACES)];
        for (unsigned step = 0; step < 8 && (place == from || oracle->factors[place] == 0);
             step++) {
            const bool may = place == from ? may_set_out(self, kind, ground, from, x, y, step)
                                           : may_step(self, kind, ground, place, step);
            const int64_t s = straights[place] + (step % 2u == 0);
            const int64_t d = diagonals[place] + (step % 2u != 0);
            const uint32_t next = beside(self, ground, place, step);
            if (may && length_of(s, d) <= most + 1e-9 &&
                (straights[next] < 0 ||
                 length_of(s, d) < length_of(straights[next], diagonals[next]) - 1e-9)) {
                straights[next] = s;
                diagonals[next] = d;
                queue[end++ % (8u * RP_WITNESS_PLACES)] = next;
            }
        }
    }
}

void rp_truth_escape(rp_witness_t *self, const rp_witness_agent_t *agent,
                     const rp_past_ground_t *ground, uint32_t from, double x, double y)
{
    const rp_oracle_t *oracle = self->oracles[agent->kind];
    double least = INFINITY;
    flood_ways(self, agent, ground, from, x, y);
    self->end_count = 0;
    self->endpoints_reach = false;
    for (uint32_t place = 0; place < ground->width * ground->height; place++) {
        if (oracle->factors[place] == 0 || straights[place] < 0) {
            continue;
        }
        const double length = length_of(straights[place], diagonals[place]);
        const bool reaches = oracle->cost[place] != RP_ORACLE_NO_PATH;
        if (reaches > self->endpoints_reach ||
            (reaches == self->endpoints_reach && length < least - 1e-9)) {
            self->end_count = 0;
            self->endpoints_reach = reaches;
            least = length;
            self->way_straights = straights[place];
            self->way_diagonals = diagonals[place];
        }
        if (reaches == self->endpoints_reach && length <= least + 1e-9) {
            self->endpoints[self->end_count++] = place;
        }
    }
}

bool rp_truth_is_way(const rp_witness_t *self, const rp_witness_agent_t *agent,
                     const rp_past_ground_t *ground, uint32_t from, double x, double y,
                     const uint8_t *steps, uint32_t count, uint32_t *end)
{
    const rp_kind_t *kind = &self->kinds[agent->kind];
    const rp_oracle_t *oracle = self->oracles[agent->kind];
    int64_t turned = 0;
    *end = from;
    for (uint32_t i = 0; i < count; i++) {
        const bool may = *end == from ? may_set_out(self, kind, ground, from, x, y, steps[i])
                                      : may_step(self, kind, ground, *end, steps[i]);
        if (!may || oracle->factors[*end] != 0) {
            return false;
        }
        turned += steps[i] % 2u;
        *end = beside(self, ground, *end, steps[i]);
    }
    return oracle->factors[*end] != 0 && turned == self->way_diagonals &&
           count - turned == self->way_straights;
}

// ---- asked by anybody

double rp_witness_cost(rp_witness_t *self, uint64_t version, const rp_destination_t *from,
                       const rp_destination_t *to)
{
    const rp_past_ground_t *ground = &self->past[version - 1u];
    rp_oracle_t *oracle = rp_truth_oracle(self, 0, version);
    const uint32_t start = rp_witness_place(self, ground, from->x_m, from->y_m);
    const uint32_t goal = rp_witness_place(self, ground, to->x_m, to->y_m);
    if (start == RP_ORACLE_NO_PLACE || goal == RP_ORACLE_NO_PLACE) {
        return -1.0;
    }
    self->goals[0] = (rp_oracle_goal_t){goal, 0};
    self->goal_count = 1;
    rp_truth_flood(self, 0);
    return oracle->cost[start] == RP_ORACLE_NO_PATH
               ? -1.0
               : (double)oracle->cost[start] / (double)rp_oracle_offset(oracle, 1);
}
