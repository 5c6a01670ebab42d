/// A curve is cut into short pieces. Each obstacle near a piece is tested against all of it; where
/// one is met, halving finds how far the vehicle comes.
#include "engine/paths/curve_check.h"

#include <math.h>

#include "base/budget.h"
#include "engine/paths/length.h"
#include "planners/motion/sweep.h"
#include "planners/motion/trig.h"

/// Longest piece, cells and radians: a box round it is small.
#define PIECE_CELLS 8.0
#define PIECE_TURN  RP_TRIG_PI

/// Segments hang together when the next one begins so near to the end of the one before.
#define JOINT_CELLS 1e-3
#define JOINT_TURN  1e-3

/// Parts of a piece that are told apart, as a share of it.
#define PART 1e-9

/// How far along a cell is met by whom is first: those within so much are first, too.
#define TOGETHER 1e-6

/// What the test of a blocked cell takes, in tests of free ones: of a disc, and more for each
/// corner of a footprint; and a place on the curve that is looked at for costs.
#define BLOCKED_TESTS 30.0
#define CORNER_TESTS  40.0
#define PLACE_TESTS   20.0

/// Beyond this a piece is given up, too: so many are for bodies of more than 64 cells.
#define MOST_TESTS (4.0 * RP_CURVE_TESTS_MAX)

/// Tests that are made in the time of an expansion.
#define TESTS_EACH 40.0

/// Farther out the next cell of a row is the same number.
#define COORDINATE_MOST 0x1p50

/// Steps along a curve that are told apart for costs, cells.
#define STEP (1.0 / 16.0)

// ---- segments in cells

static rp_segment_t segment_of(const rp_path_segment_t *told, const rp_frame_t *frame)
{
    const rp_trig_unit_t turned = rp_trig_unit(frame->origin_yaw);
    const double x = (told->x_m - frame->origin_x_m) / frame->resolution_m;
    const double y = (told->y_m - frame->origin_y_m) / frame->resolution_m;
    const bool is_turn = told->turn != 0.0;
    return (rp_segment_t){
        .start = {turned.cos * x + turned.sin * y - 0.5, turned.cos * y - turned.sin * x - 0.5,
                  told->yaw - frame->origin_yaw},
        .curvature = is_turn ? 0.0 : told->curvature * frame->resolution_m,
        .length = is_turn ? 0.0 : fabs(told->length_m) / frame->resolution_m,
        .turn = told->turn,
        .course = is_turn ? 0.0 : told->course,
        .gear = told->length_m < 0.0 ? -1 : 1,
    };
}

static double pieces_of(const rp_segment_t *segment)
{
    const double turn = fabs(segment->turn) + fabs(segment->curvature) * segment->length;
    return fmax(ceil(fmax(segment->length / PIECE_CELLS, turn / PIECE_TURN)), 1.0);
}

/// A part of a segment, from one share of it to another.
static rp_segment_t part_of(const rp_segment_t *segment, double from, double to)
{
    rp_segment_t part = *segment;
    part.start = rp_segment_pose(segment, from * rp_segment_extent(segment));
    part.length = segment->length * (to - from);
    part.turn = segment->turn * (to - from);
    return part;
}

/// Coordinates that the margin of judging is about.
static double coordinate_of(const rp_path_segment_t *told, const rp_frame_t *frame)
{
    const double greatest = fmax(fmax(fabs(told->x_m), fabs(told->y_m)),
                                 fmax(fabs(frame->origin_x_m), fabs(frame->origin_y_m)));
    return greatest / frame->resolution_m;
}

// ---- obstacles

/// The place of a cell among the bytes. @return RP_NO_CELL outside
static uint32_t cell_at(const rp_grid_shape_t *shape, double x, double y)
{
    const double width = shape->width;
    const double height = shape->height;
    if (shape->wraps) {
        x -= width * floor(x / width);
        y -= height * floor(y / height);
    }
    return x >= 0.0 && y >= 0.0 && x < width && y < height
               ? (uint32_t)y * shape->width + (uint32_t)x
               : RP_NO_CELL;
}

static uint8_t factor_at(const rp_curve_scene_t *scene, uint32_t cell)
{
    return cell != RP_NO_CELL ? scene->profile->factor[scene->bytes[cell]] : 0;
}

static bool meets(const rp_vehicle_t *vehicle, const rp_segment_t *piece, double x, double y)
{
    rp_sweep_t sweep;
    rp_sweep_begin(&sweep, vehicle, piece);
    return rp_sweep_meets(&sweep, x, y);
}

/// The share of a piece after which the vehicle meets a cell that it meets on all of it.
static double share_free(const rp_vehicle_t *vehicle, const rp_segment_t *piece, double x, double y)
{
    double free = 0.0;
    double met = 1.0;
    while (met - free > PART) {
        const double middle = 0.5 * (free + met);
        const rp_segment_t part = part_of(piece, 0.0, middle);
        if (meets(vehicle, &part, x, y)) {
            met = middle;
        } else {
            free = middle;
        }
    }
    return free > 0.0 ? met : 0.0;
}

static void note_cell(rp_curve_report_t *report, uint32_t cell)
{
    if (cell != RP_NO_CELL && report->cell_count < RP_CURVE_OFFENDERS_MAX) {
        report->cells[report->cell_count++] = cell;
    }
}

/// Cells that may be met on a piece.
typedef struct box {
    double left;
    double top;
    double right;
    double bottom;
} box_t;

static box_t box_of(const rp_segment_t *piece, double reach)
{
    const rp_motion_pose_t end = rp_segment_end(piece);
    const double most = 0.5 * piece->length + reach + 0.5;
    const double x = 0.5 * (piece->start.x + end.x);
    const double y = 0.5 * (piece->start.y + end.y);
    return (box_t){ceil(x - most), ceil(y - most), x + most, y + most};
}

/// What of a piece is free.
typedef struct front {
    double share;    ///< after which the first cells are met; above 1: none is
    double together; ///< cells that are met so much later are among these
} front_t;

/// False of a cell that nothing would be said of: another one is met at once, and this one is
/// outside, or as many are named as there may be.
static bool may_be_told(const front_t *front, const rp_curve_report_t *report, uint32_t cell)
{
    return front->share > 0.0 ||
           (cell != RP_NO_CELL && report->cell_count < RP_CURVE_OFFENDERS_MAX);
}

/// Note a cell that is met after a share, unless another one is met before it.
static void meet(front_t *self, rp_curve_report_t *report, uint32_t cell, double share)
{
    if (share < self->share - self->together) {
        report->cell_count = 0;
    }
    if (share < self->share + self->together) {
        note_cell(report, cell);
    }
    self->share = fmin(share, self->share);
}

/// What the test of a blocked cell takes.
static double price_of_test(const rp_vehicle_t *vehicle)
{
    return BLOCKED_TESTS + CORNER_TESTS * vehicle->first[vehicle->part_count];
}

/// Whether a piece is free, if its tests do not exceed MOST_TESTS. Where a cell was met, the others
/// are tested on what lies before it alone: most of many obstacles cost one test each.
/// @param share  written: how much of the piece is free, below 1 where it meets an obstacle
/// @param tests  added to: as RP_CURVE_TESTS_MAX
static bool is_piece_free(const rp_curve_scene_t *scene, const rp_vehicle_t *vehicle,
                          const rp_segment_t *piece, double *share, double *tests,
                          rp_curve_report_t *report)
{
    const box_t box = box_of(piece, vehicle->reach);
    front_t front = {2.0, fmin(TOGETHER / rp_segment_extent(piece), 1.0)};
    rp_segment_t part = *piece;
    rp_sweep_t sweep;
    rp_sweep_begin(&sweep, vehicle, &part);
    for (double y = box.top; y <= box.bottom && *tests <= MOST_TESTS; y += 1.0) {
        for (double x = box.left; x <= box.right; x += 1.0) {
            const uint32_t cell = cell_at(scene->shape, x, y);
            const bool is_blocked = factor_at(scene, cell) == 0;
            *tests += is_blocked ? price_of_test(vehicle) : 1.0;
            if (is_blocked && may_be_told(&front, report, cell) && rp_sweep_meets(&sweep, x, y)) {
                meet(&front, report, cell, share_free(vehicle, piece, x, y));
                part = part_of(piece, 0.0, fmin(front.share + front.together, 1.0));
                rp_sweep_begin(&sweep, vehicle, &part);
            }
        }
    }
    *share = fmin(front.share, 1.0);
    return front.share > 1.0;
}

// ---- curves

/// What a piece costs on the ground as it is.
static double cost_of(const rp_curve_scene_t *scene, const rp_segment_t *piece)
{
    const double unit = scene->profile->unit;
    const double steps = fmax(ceil(piece->length / STEP), 1.0);
    const double share = piece->gear < 0 ? scene->prices.reverse : 1.0;
    double cost = fabs(piece->turn) * scene->prices.turn;
    for (double i = 0.5; i < steps && piece->length > 0.0; i += 1.0) {
        const rp_motion_pose_t at = rp_segment_pose(piece, piece->length * i / steps);
        const uint32_t cell = cell_at(scene->shape, floor(at.x + 0.5), floor(at.y + 0.5));
        cost += share * piece->length / steps * factor_at(scene, cell) / unit;
    }
    return cost;
}

static bool is_joined(const rp_segment_t *before, const rp_segment_t *next)
{
    const rp_motion_pose_t end = rp_segment_end(before);
    const double turn = remainder(next->start.heading - end.heading, RP_TRIG_TURN);
    return rp_length(next->start.x - end.x, next->start.y - end.y) <= JOINT_CELLS &&
           fabs(turn) <= JOINT_TURN;
}

/// Tests that the check of a curve takes where nothing is blocked, about.
static double price_of(const rp_curve_scene_t *scene, const rp_path_segment_t *segments,
                       size_t count)
{
    double price = 0.0;
    for (size_t i = 0; i < count; i++) {
        const rp_segment_t segment = segment_of(&segments[i], scene->frame);
        const double pieces = pieces_of(&segment);
        const double side = segment.length / pieces + 2.0 * scene->vehicle->reach + 2.0;
        price += pieces * side * side + PLACE_TESTS * segment.length / STEP;
    }
    return price;
}

/// A piece of a segment is next, of so many.
static void check_piece(rp_curve_check_t *self, const rp_curve_scene_t *scene,
                        const rp_vehicle_t *vehicle, const rp_segment_t *segment, double pieces,
                        rp_curve_report_t *report)
{
    const rp_segment_t piece = part_of(segment, self->piece / pieces, (self->piece + 1.0) / pieces);
    double share;
    report->is_free = is_piece_free(scene, vehicle, &piece, &share, &self->tests, report);
    self->tests += PLACE_TESTS * fmax(piece.length / STEP, 1.0);
    report->cost += cost_of(scene, &piece);
    self->length += piece.length * share;
    self->piece += 1.0;
}

/// Go on with a segment, to its end or to where it is not free.
/// @return RP_MORE, RP_E_LIMIT
static rp_status_t check_segment(rp_curve_check_t *self, const rp_curve_scene_t *scene,
                                 const rp_path_segment_t *told, uint64_t *budget,
                                 rp_curve_report_t *report)
{
    const rp_segment_t segment = segment_of(told, scene->frame);
    const double coordinate = coordinate_of(told, scene->frame);
    const double margin = rp_vehicle_judging_margin(coordinate);
    const rp_vehicle_t vehicle = rp_vehicle_widened(scene->vehicle, margin);
    const double pieces = pieces_of(&segment);
    if (coordinate > COORDINATE_MOST) {
        return RP_E_LIMIT;
    }
    report->segment = (uint32_t)self->segment;
    report->is_free = self->segment == 0 || is_joined(&self->before, &segment);
    while (self->piece < pieces && report->is_free) {
        const double before = self->tests;
        if (before > RP_CURVE_TESTS_MAX) { // not within a piece: one can always be checked
            return RP_E_LIMIT;
        }
        if (*budget == 0) {
            return RP_MORE;
        }
        check_piece(self, scene, &vehicle, &segment, pieces, report);
        rp_budget_pay(budget, 1u + (uint64_t)((self->tests - before) / TESTS_EACH));
        if (self->tests > MOST_TESTS) {
            return RP_E_LIMIT;
        }
    }
    if (report->is_free) {
        report->cost +=
            self->gear * segment.gear < 0 && segment.length > 0.0 ? scene->prices.change : 0.0;
        self->gear = segment.length > 0.0 ? segment.gear : self->gear;
        self->before = segment;
        self->piece = 0.0;
    }
    return RP_OK;
}

rp_status_t rp_curve_check_work(rp_curve_check_t *self, const rp_curve_scene_t *scene,
                                const rp_path_segment_t *segments, size_t count, uint64_t *budget,
                                rp_curve_report_t *report)
{
    if (self->segment == 0 && self->piece == 0.0) {
        if (!(price_of(scene, segments, count) <= RP_CURVE_TESTS_MAX)) {
            return RP_E_LIMIT;
        }
        *report = (rp_curve_report_t){.is_free = true};
    }
    while (self->segment < count && report->is_free) {
        const rp_status_t status =
            check_segment(self, scene, &segments[self->segment], budget, report);
        if (status != RP_OK) {
            return status;
        }
        self->segment++;
    }
    report->at_m = report->is_free ? 0.0 : self->length * scene->frame->resolution_m;
    return RP_OK;
}

void rp_curve_check_rows(const rp_curve_scene_t *scene, const rp_path_segment_t *segments,
                         size_t count, uint32_t *first, uint32_t *end)
{
    const double height = scene->shape->height;
    double least = height;
    double most = 0.0;
    for (size_t i = 0; i < count; i++) {
        const rp_segment_t segment = segment_of(&segments[i], scene->frame);
        const box_t box = box_of(&segment, scene->vehicle->reach + 1.0);
        least = fmin(least, box.top);
        most = fmax(most, box.bottom + 1.0);
    }
    *first = scene->shape->wraps ? 0u : (uint32_t)fmax(least, 0.0);
    *end = scene->shape->wraps ? scene->shape->height : (uint32_t)fmax(fmin(most, height), 0.0);
    *end = *end > *first ? *end : *first;
}
