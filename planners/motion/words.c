/// Words in the frame of their start, in radii: the start is the origin, its heading 0, the first
/// arc a left one driven forwards (L+). Time flip (x and heading change signs, and with them all
/// gears) and reflection (y and heading change signs, and with them all sides) bring the other
/// words here.
///
/// The left circle of the start has its centre at (0, 1). n(h) = (sin h, -cos h) leads from the
/// centre of a left circle to the place with heading h, and -n(h) does in a right circle. Where a
/// left and a right circle touch their centres are 2 n(h) apart. h1, h2 .. are the headings where
/// pieces meet.
#include "planners/motion/words.h"

#include <math.h>
#include <stdbool.h>

#include "planners/motion/trig.h"

#define QUARTER RP_TRIG_QUARTER

#define LEFT     1
#define RIGHT    (-1)
#define STRAIGHT 0

// An arc of a word with a change of gear is at most pi, but for rounding. No other condition needs
// slack: where circles just touch, a piece vanishes, and another word is the same curve.
#define ARC_MAX (RP_TRIG_PI + 1e-12)

typedef struct vector {
    double x;
    double y;
} vector_t;

/// Where a centre lies, from that of the left circle of the start.
typedef struct centre {
    vector_t from_first;
    double square; ///< of the distance
    double angle;
} centre_t;

/// The end of a word, in its frame, and what becomes of the word.
typedef struct query {
    vector_t place;
    double heading;
    rp_trig_unit_t unit; ///< of the heading
    centre_t left;       ///< of the end's left circle
    centre_t right;      ///< and of its right circle
    double gear;         ///< +1; -1 when flipped in time
    double side;         ///< +1; -1 when reflected
    bool is_reversed;    ///< driven from the end: the order of pieces is reversed
    const rp_curve_price_t *price;
    rp_curve_list_t *list; ///< of all words; NULL: only the cheapest one is wanted
    rp_curve_t *cheapest;
} query_t;

static centre_t centre_at(double x, double y)
{
    return (centre_t){.from_first = {x, y}, .square = x * x + y * y, .angle = rp_trig_angle(y, x)};
}

static void set_centres(query_t *self)
{
    const double up = self->place.y - 1.0;
    self->left = centre_at(self->place.x - self->unit.sin, up + self->unit.cos);
    self->right = centre_at(self->place.x + self->unit.sin, up - self->unit.cos);
}

static vector_t relative(const rp_motion_pose_t *start, double x, double y, double radius)
{
    const rp_trig_unit_t ahead = rp_trig_unit(start->heading);
    const double dx = (x - start->x) / radius;
    const double dy = (y - start->y) / radius;
    return (vector_t){ahead.cos * dx + ahead.sin * dy, ahead.cos * dy - ahead.sin * dx};
}

static query_t query_of(const rp_motion_pose_t *start, const rp_motion_pose_t *end,
                        const rp_curve_price_t *price)
{
    const double heading = end->heading - start->heading;
    query_t query = {
        .place = relative(start, end->x, end->y, price->radius),
        .heading = heading,
        .unit = rp_trig_unit(heading),
        .gear = 1.0,
        .side = 1.0,
        .price = price,
    };
    set_centres(&query);
    return query;
}

/// The same question, flipped in time where gear is -1, reflected where side is -1.
static query_t turned(const query_t *self, double gear, double side)
{
    query_t query = *self;
    query.gear = gear;
    query.side = side;
    query.place.x *= gear;
    query.place.y *= side;
    query.heading *= gear * side;
    query.unit.sin *= gear * side;
    set_centres(&query);
    return query;
}

/// The question asked from the end, flipped in time: its words are driven in the other order with
/// the same gears.
static query_t reversed(const query_t *self)
{
    const rp_trig_unit_t unit = self->unit;
    query_t query = *self;
    query.is_reversed = true;
    query.place.x = self->place.x * unit.cos + self->place.y * unit.sin;
    query.place.y = self->place.x * unit.sin - self->place.y * unit.cos;
    set_centres(&query);
    return query;
}

/// The root of what is not below 0 but for rounding.
static double root(double square)
{
    return square > 0.0 ? sqrt(square) : 0.0;
}

/// A vector turned by an angle that is told by its tangent, up / along, and made 2 long.
/// @param v  0 counts as (1, 0), which has the angle of 0 too
static vector_t turned_vector(vector_t v, double up, double along)
{
    const bool is_zero = v.x == 0.0 && v.y == 0.0;
    const double x = is_zero ? 1.0 : v.x;
    const double scale = 2.0 / sqrt((x * x + v.y * v.y) * (along * along + up * up));
    return (vector_t){scale * (x * along - v.y * up), scale * (x * up + v.y * along)};
}

/// True when a word is no cheaper than the cheapest one so far, by its length alone.
static bool is_beaten(const query_t *self, uint32_t count, const double *lengths)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sum += fabs(lengths[i]);
    }
    return sum * self->price->radius > self->cheapest->cost;
}

static void add(const query_t *self, uint32_t count, const int8_t *sides, const double *lengths)
{
    int8_t driven_sides[RP_CURVE_PIECES_MAX];
    double driven[RP_CURVE_PIECES_MAX];
    if (self->list == NULL && is_beaten(self, count, lengths)) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = self->is_reversed ? count - 1u - i : i;
        driven_sides[i] = (int8_t)(sides[from] * self->side);
        driven[i] = lengths[from] * self->gear;
    }
    const rp_curve_t curve = rp_curve_of(self->price, driven_sides, driven, count);
    if (self->list != NULL) {
        rp_curve_list_add(self->list, &curve);
    } else if (curve.cost < self->cheapest->cost) {
        *self->cheapest = curve;
    }
}

// ---- to a point

static void arc_line(const query_t *self, const centre_t *point)
{
    static const int8_t sides[] = {LEFT, STRAIGHT};
    if (point->square >= 1.0) {
        const double line = root(point->square - 1.0);
        const double h1 = point->angle + rp_trig_angle(1.0, line);
        add(self, 2, sides, (const double[]){rp_trig_turn(h1), line});
    }
}

static void two_arcs(const query_t *self, const centre_t *point, double branch)
{
    static const int8_t sides[] = {LEFT, RIGHT};
    const double square = point->square;
    if (square >= 1.0 && square <= 9.0) {
        const vector_t v = point->from_first;
        const double along = square + 3.0;
        const double up = branch * root(16.0 * square - along * along);
        const vector_t middle = turned_vector(v, up, along);
        const double h1 = point->angle + rp_trig_angle(up, along) + QUARTER;
        const double h2 = rp_trig_angle(v.y - middle.y, v.x - middle.x) - QUARTER;
        add(self, 2, sides, (const double[]){rp_trig_turn(h1), rp_trig_turn(h1 - h2)});
    }
}

void rp_words_to_point(const rp_motion_pose_t *start, double x, double y, int32_t gear,
                       const rp_curve_price_t *price, rp_curve_list_t *list)
{
    list->count = 0;
    const query_t asked = {.place = relative(start, x, y, price->radius),
                           .unit = {.cos = 1.0},
                           .price = price,
                           .list = list};
    for (double side = 1.0; side >= -1.0; side -= 2.0) {
        const query_t query = turned(&asked, gear, side);
        const centre_t point = centre_at(query.place.x, query.place.y - 1.0);
        arc_line(&query, &point);
        two_arcs(&query, &point, 1.0);
        two_arcs(&query, &point, -1.0);
    }
}

// ---- Dubins

static void left_line_left(const query_t *self)
{
    static const int8_t sides[] = {LEFT, STRAIGHT, LEFT};
    const double h1 = self->left.angle;
    add(self, 3, sides,
        (const double[]){rp_trig_turn(h1), root(self->left.square),
                         rp_trig_turn(self->heading - h1)});
}

static void left_line_right(const query_t *self)
{
    static const int8_t sides[] = {LEFT, STRAIGHT, RIGHT};
    if (self->right.square >= 4.0) {
        const double line = root(self->right.square - 4.0);
        const double h1 = self->right.angle + rp_trig_angle(2.0, line);
        add(self, 3, sides,
            (const double[]){rp_trig_turn(h1), line, rp_trig_turn(h1 - self->heading)});
    }
}

/// L+R-L+, L+R-L- and L+R+L-, by what each arc would turn forwards.
static void three_arcs_with_changes(const query_t *self, const double *forward)
{
    static const int8_t sides[] = {LEFT, RIGHT, LEFT};
    static const double gears[][3] = {{1.0, -1.0, 1.0}, {1.0, -1.0, -1.0}, {1.0, 1.0, -1.0}};
    for (uint32_t i = 0; i < 3u; i++) {
        double arcs[3];
        bool exists = true;
        for (uint32_t j = 0; j < 3u; j++) {
            arcs[j] = gears[i][j] * rp_trig_turn(gears[i][j] * forward[j]);
            exists = exists && fabs(arcs[j]) <= ARC_MAX;
        }
        if (exists) {
            add(self, 3, sides, arcs);
        }
    }
}

/// The middle circle lies to the left (branch 1) or right of the way between both left ones.
static void three_arcs(const query_t *self, double branch, bool changes)
{
    static const int8_t sides[] = {LEFT, RIGHT, LEFT};
    const vector_t v = self->left.from_first;
    if (self->left.square > 16.0) {
        return;
    }
    const double distance = root(self->left.square);
    const double up = branch * root(16.0 - self->left.square);
    const vector_t middle = turned_vector(v, up, distance);
    const double h1 = self->left.angle + rp_trig_angle(up, distance) + QUARTER;
    const double h2 = rp_trig_angle(v.y - middle.y, v.x - middle.x) - QUARTER;
    const double forward[] = {rp_trig_turn(h1), rp_trig_turn(h1 - h2),
                              rp_trig_turn(self->heading - h2)};
    add(self, 3, sides, forward);
    if (changes) {
        three_arcs_with_changes(self, forward);
    }
}

/// Curves of one gear, and three arcs with changes.
static void add_simple(const query_t *self, bool changes)
{
    left_line_left(self);
    left_line_right(self);
    three_arcs(self, 1.0, changes);
    three_arcs(self, -1.0, changes);
}

static void find_dubins(const query_t *asked)
{
    const query_t mirrored = turned(asked, 1.0, -1.0);
    add_simple(asked, false);
    add_simple(&mirrored, false);
}

void rp_words_dubins(const rp_motion_pose_t *start, const rp_motion_pose_t *end,
                     const rp_curve_price_t *price, rp_curve_list_t *list)
{
    query_t asked = query_of(start, end, price);
    asked.list = list;
    list->count = 0;
    find_dubins(&asked);
}

void rp_words_dubins_cheapest(const rp_motion_pose_t *start, const rp_motion_pose_t *end,
                              const rp_curve_price_t *price, rp_curve_t *curve)
{
    query_t asked = query_of(start, end, price);
    asked.cheapest = curve;
    curve->cost = INFINITY;
    find_dubins(&asked);
}

// ---- Reeds and Shepp: what has changes of gear

/// The first arc runs forwards to heading h1 (L+), the last one, on the side `last`, from heading h
/// in gear `gear`. The word exists when neither passes pi.
static void add_between(const query_t *self, uint32_t count, const int8_t *sides, double *lengths,
                        double h1, double h, double gear)
{
    const double first = rp_trig_turn(h1);
    const double last = rp_trig_turn(gear * sides[count - 1u] * (self->heading - h));
    if (first <= ARC_MAX && last <= ARC_MAX) {
        lengths[0] = first;
        lengths[count - 1u] = gear * last;
        add(self, count, sides, lengths);
    }
}

/// L+ R+u L-u R-: h2 = h1 - u, h3 = h2 - u, so that the centres lie 2 (n(h1) - n(h2) + n(h3)) = 2
/// (2 cos u - 1) n(h2) apart.
static void four_arcs_one_change(const query_t *self)
{
    static const int8_t sides[] = {LEFT, RIGHT, LEFT, RIGHT};
    const double cosine = 0.5 + 0.25 * root(self->right.square);
    if (cosine <= 1.0) {
        const double u = rp_trig_angle(root((1.0 - cosine) * (1.0 + cosine)), cosine);
        const double h2 = self->right.angle + QUARTER;
        add_between(self, 4, sides, (double[]){0.0, u, -u, 0.0}, h2 + u, h2 - u, -1.0);
    }
}

/// L+ R-u L-u R+: h2 = h1 + u, h3 = h1, so that the centres lie 2 (2 n(h1) - n(h1 + u)) apart.
static void four_arcs_two_changes(const query_t *self)
{
    static const int8_t sides[] = {LEFT, RIGHT, LEFT, RIGHT};
    const double cosine = (20.0 - self->right.square) / 16.0;
    if (cosine >= 0.0 && cosine <= 1.0) {
        const double sine = root((1.0 - cosine) * (1.0 + cosine));
        const double u = rp_trig_angle(sine, cosine);
        const double h1 = self->right.angle - rp_trig_angle(cosine - 2.0, -sine);
        add_between(self, 4, sides, (double[]){0.0, -u, -u, 0.0}, h1, h1, 1.0);
    }
}

/// L+ R-quarter S- L-: h2 = h1 + quarter, the centres lie (2 + line) n(h1) - 2 (cos h1, sin h1)
/// apart.
static void quarter_line_left(const query_t *self)
{
    static const int8_t sides[] = {LEFT, RIGHT, STRAIGHT, LEFT};
    const double reach = root(self->left.square - 4.0);
    if (reach >= 2.0) {
        const double h1 = self->left.angle - rp_trig_angle(-reach, -2.0);
        add_between(self, 4, sides, (double[]){0.0, -QUARTER, 2.0 - reach, 0.0}, h1, h1 + QUARTER,
                    -1.0);
    }
}

/// L+ R-quarter S- R-: the centres lie (2 + line) n(h1) apart.
static void quarter_line_right(const query_t *self)
{
    static const int8_t sides[] = {LEFT, RIGHT, STRAIGHT, RIGHT};
    const double reach = root(self->right.square);
    if (reach >= 2.0) {
        const double h1 = self->right.angle + QUARTER;
        add_between(self, 4, sides, (double[]){0.0, -QUARTER, 2.0 - reach, 0.0}, h1, h1 + QUARTER,
                    -1.0);
    }
}

/// L+ R-quarter S- L-quarter R+: h2 = h1 + quarter, h3 = h1, the centres lie (4 + line) n(h1) - 2
/// (cos h1, sin h1) apart.
static void quarter_line_quarter(const query_t *self)
{
    static const int8_t sides[] = {LEFT, RIGHT, STRAIGHT, LEFT, RIGHT};
    const double reach = root(self->right.square - 4.0);
    if (reach >= 4.0) {
        const double h1 = self->right.angle - rp_trig_angle(-reach, -2.0);
        add_between(self, 5, sides, (double[]){0.0, -QUARTER, 4.0 - reach, -QUARTER, 0.0}, h1, h1,
                    1.0);
    }
}

static void add_four_and_five(const query_t *self)
{
    const query_t back = reversed(self);
    four_arcs_one_change(self);
    four_arcs_two_changes(self);
    quarter_line_left(self);
    quarter_line_right(self);
    quarter_line_left(&back);
    quarter_line_right(&back);
    quarter_line_quarter(self);
}

static void find_reeds_shepp(const query_t *asked)
{
    for (double gear = 1.0; gear >= -1.0; gear -= 2.0) {
        for (double side = 1.0; side >= -1.0; side -= 2.0) {
            const query_t query = turned(asked, gear, side);
            add_simple(&query, true);
            add_four_and_five(&query);
        }
    }
}

void rp_words_reeds_shepp(const rp_motion_pose_t *start, const rp_motion_pose_t *end,
                          const rp_curve_price_t *price, rp_curve_list_t *list)
{
    query_t asked = query_of(start, end, price);
    asked.list = list;
    list->count = 0;
    find_reeds_shepp(&asked);
}

void rp_words_reeds_shepp_cheapest(const rp_motion_pose_t *start, const rp_motion_pose_t *end,
                                   const rp_curve_price_t *price, rp_curve_t *curve)
{
    query_t asked = query_of(start, end, price);
    asked.cheapest = curve;
    curve->cost = INFINITY;
    find_reeds_shepp(&asked);
}
