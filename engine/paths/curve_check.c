/// A curve is cut into short pieces. Each obstacle near a piece is tested against all of it; where
/// one is met, halving finds how far the vehicle comes.
#include "engine/paths/curve_check.h"

#include <math.h>

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

/// @return RP_NO_CELL outside
static rp_cell_t cell_at(const rp_grid_t *grid, double x, double y)
{
    const double width = grid->shape.width;
    const double height = grid->shape.height;
    if (grid->shape.wraps) {
        x -= width * floor(x / width);
        y -= height * floor(y / height);
    }
    return x >= 0.0 && y >= 0.0 && x < width && y < height
               ? rp_grid_cell(grid, (uint32_t)x, (uint32_t)y)
               : RP_NO_CELL;
}

static uint32_t index_of(const rp_grid_t *grid, rp_cell_t cell)
{
    return rp_grid_y(grid, cell) * grid->shape.width + rp_grid_x(grid, cell);
}

static uint8_t factor_at(const rp_layer_t *layer, rp_cell_t cell)
{
    return cell != RP_NO_CELL ? layer->profile.factor[layer->bytes[index_of(layer->grid, cell)]]
                              : 0;
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

static void note_cell(rp_curve_report_t *report, const rp_grid_t *grid, rp_cell_t cell)
{
    if (cell != RP_NO_CELL && report->cell_count < RP_CURVE_OFFENDERS_MAX) {
        report->cells[report->cell_count++] = index_of(grid, cell);
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
static bool may_be_told(const front_t *front, const rp_curve_report_t *report, rp_cell_t cell)
{
    return front->share > 0.0 ||
           (cell != RP_NO_CELL && report->cell_count < RP_CURVE_OFFENDERS_MAX);
}

/// Note a cell that is met after a share, unless another one is met before it.
static void meet(front_t *self, rp_curve_report_t *report, const rp_grid_t *grid, rp_cell_t cell,
                 double share)
{
    if (share < self->share - self->together) {
        report->cell_count = 0;
    }
    if (share < self->share + self->together) {
        note_cell(report, grid, cell);
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
    const rp_grid_t *grid = scene->layer->grid;
    const box_t box = box_of(piece, vehicle->reach);
    front_t front = {2.0, fmin(TOGETHER / rp_segment_extent(piece), 1.0)};
    rp_segment_t part = *piece;
    rp_sweep_t sweep;
    rp_sweep_begin(&sweep, vehicle, &part);
    for (double y = box.top; y <= box.bottom && *tests <= MOST_TESTS; y += 1.0) {
        for (double x = box.left; x <= box.right; x += 1.0) {
            const rp_cell_t cell = cell_at(grid, x, y);
            const bool is_blocked = factor_at(scene->layer, cell) == 0;
            *tests += is_blocked ? price_of_test(vehicle) : 1.0;
            if (is_blocked && may_be_told(&front, report, cell) && rp_sweep_meets(&sweep, x, y)) {
                meet(&front, report, grid, cell, share_free(vehicle, piece, x, y));
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
    const double unit = scene->layer->profile.unit;
    const double steps = fmax(ceil(piece->length / STEP), 1.0);
    const double share = piece->gear < 0 ? scene->prices.reverse : 1.0;
    double cost = fabs(piece->turn) * scene->prices.turn;
    for (double i = 0.5; i < steps && piece->length > 0.0; i += 1.0) {
        const rp_motion_pose_t at = rp_segment_pose(piece, piece->length * i / steps);
        const rp_cell_t cell = cell_at(scene->layer->grid, floor(at.x + 0.5), floor(at.y + 0.5));
        cost += share * piece->length / steps * factor_at(scene->layer, cell) / unit;
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

rp_status_t rp_curve_check(const rp_curve_scene_t *scene, const rp_path_segment_t *segments,
                           size_t count, rp_curve_report_t *report)
{
    rp_segment_t before = {.gear = 1};
    int32_t gear = 0;
    double length = 0.0;
    double tests = 0.0;
    if (!(price_of(scene, segments, count) <= RP_CURVE_TESTS_MAX)) {
        return RP_E_LIMIT;
    }
    *report = (rp_curve_report_t){.is_free = true};
    for (size_t i = 0; i < count; i++) {
        const rp_segment_t segment = segment_of(&segments[i], scene->frame);
        const double margin = rp_vehicle_judging_margin(coordinate_of(&segments[i], scene->frame));
        const rp_vehicle_t vehicle = rp_vehicle_widened(scene->vehicle, margin);
        const double pieces = pieces_of(&segment);
        report->segment = (uint32_t)i;
        report->is_free = i == 0 || is_joined(&before, &segment);
        for (double at = 0.0; at < pieces && report->is_free; at += 1.0) {
            if (tests > RP_CURVE_TESTS_MAX) { // not within a piece: one can always be checked
                return RP_E_LIMIT;
            }
            const rp_segment_t piece = part_of(&segment, at / pieces, (at + 1.0) / pieces);
            double share;
            report->is_free = is_piece_free(scene, &vehicle, &piece, &share, &tests, report);
            if (tests > MOST_TESTS) {
                return RP_E_LIMIT;
            }
            tests += PLACE_TESTS * fmax(piece.length / STEP, 1.0);
            report->cost += cost_of(scene, &piece);
            length += piece.length * share;
        }
        if (!report->is_free) {
            report->at_m = length * scene->frame->resolution_m;
            return RP_OK;
        }
        before = segment;
        report->cost +=
            gear * segment.gear < 0 && segment.length > 0.0 ? scene->prices.change : 0.0;
        gear = segment.length > 0.0 ? segment.gear : gear;
    }
    return RP_OK;
}
