/// Pieces in a row, each with a box round it: what is far from a cell is ruled out by two
/// comparisons.
#include "engine/paths/driven_curve.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/budget.h"
#include "engine/paths/length.h"
#include "planners/motion/overlap.h"
#include "planners/motion/sweep.h"
#include "planners/motion/trig.h"

/// Cells of a curve are told apart by steps of this. A corner that is cut by less is a diagonal
/// step.
#define STEP (1.0 / 16.0)

/// Cells near a piece that are looked at in the time of an expansion.
#define CELLS_EACH 32.0

void rp_driven_curve_init(rp_driven_curve_t *self, const rp_vehicle_t *vehicle,
                          const rp_driven_prices_t *prices)
{
    *self = (rp_driven_curve_t){
        .prices = *prices,
        .broken_at = INFINITY,
        .vehicle = rp_vehicle_widened(vehicle, rp_vehicle_judging_margin(0.0)),
    };
}

void rp_driven_curve_fini(rp_driven_curve_t *self)
{
    free(self->pieces);
    free(self->cells);
    free(self->told);
    free(self->told_legs);
    free(self->past);
    *self = (rp_driven_curve_t){0};
}

void rp_driven_curve_clear(rp_driven_curve_t *self)
{
    self->count = 0;
    self->cell_count = 0;
    self->gear = 0;
    self->extent = self->progress = 0.0;
    self->broken_at = INFINITY;
    self->known_at = 0;
}

uint64_t rp_driven_curve_bytes(const rp_driven_curve_t *self)
{
    return self->capacity * sizeof *self->pieces + self->cell_capacity * sizeof *self->cells +
           self->told_capacity * sizeof *self->told +
           self->told_legs_capacity * sizeof *self->told_legs +
           self->past_capacity * sizeof *self->past;
}

// ---- places along it

/// What a cell of a segment counts as, or a radian.
static double price_of(const rp_driven_curve_t *self, const rp_segment_t *segment)
{
    return segment->turn != 0.0 ? self->prices.turn
           : segment->gear < 0  ? self->prices.reverse
                                : 1.0;
}

/// How far a segment has come at an extent of its own.
static double part_at(const rp_driven_curve_t *self, const rp_segment_t *segment, double extent)
{
    const double price = price_of(self, segment);
    return price > 0.0 ? extent / price : extent;
}

static double extent_of(const rp_driven_curve_t *self, const rp_segment_t *segment, double part)
{
    return part * price_of(self, segment);
}

/// The piece at an extent: the last one that begins there or before.
static size_t piece_at(const rp_driven_curve_t *self, double extent)
{
    size_t low = 0;
    for (size_t high = self->count; high - low > 1u;) {
        const size_t middle = low + (high - low) / 2u;
        if (self->pieces[middle].before <= extent) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t rp_driven_curve_piece(const rp_driven_curve_t *self)
{
    return self->count != 0 ? piece_at(self, self->progress) : 0u;
}

/// A turn in place has no gear of its own.
static int32_t gear_after(const rp_driven_piece_t *piece, int32_t gear)
{
    return piece->segment.turn != 0.0 ? gear : piece->segment.gear;
}

int32_t rp_driven_curve_gear(const rp_driven_curve_t *self, size_t piece)
{
    int32_t gear = self->gear;
    for (size_t i = 0; i < piece && i < self->count; i++) {
        gear = gear_after(&self->pieces[i], gear);
    }
    return gear;
}

/// What changes of gear cost from one extent to another.
static double changes_between(const rp_driven_curve_t *self, double from, double to)
{
    int32_t gear = self->gear;
    double cost = 0.0;
    for (size_t i = 0; i < self->count && self->pieces[i].before < to; i++) {
        const int32_t next = gear_after(&self->pieces[i], gear);
        cost += gear * next < 0 && self->pieces[i].before >= from ? self->prices.change : 0.0;
        gear = next;
    }
    return cost;
}

rp_motion_pose_t rp_driven_curve_at(const rp_driven_curve_t *self)
{
    if (self->count == 0 || self->progress >= self->extent) {
        return self->end;
    }
    const rp_driven_piece_t *piece = &self->pieces[piece_at(self, self->progress)];
    return rp_segment_pose(&piece->segment,
                           part_at(self, &piece->segment, self->progress - piece->before));
}

// ---- cells

rp_cell_t rp_driven_curve_cell(const rp_grid_t *grid, double x, double y)
{
    const double width = grid->shape.width;
    const double height = grid->shape.height;
    double column = floor(x + 0.5);
    double row = floor(y + 0.5);
    if (grid->shape.wraps) {
        column -= width * floor(column / width);
        row -= height * floor(row / height);
    }
    return column >= 0.0 && row >= 0.0 && column < width && row < height
               ? rp_grid_cell(grid, (uint32_t)column, (uint32_t)row)
               : RP_NO_CELL;
}

/// Note a cell, if it is another than the last. @return false without memory
static bool note_cell(rp_driven_curve_t *self, rp_cell_t cell, double entered)
{
    if (cell == RP_NO_CELL ||
        (self->cell_count != 0 && self->cells[self->cell_count - 1u].cell == cell)) {
        return true;
    }
    if (!rp_array_reserve(&self->cells, &self->cell_capacity, self->cell_count + 1u,
                          sizeof *self->cells)) {
        return false;
    }
    self->cells[self->cell_count++] = (rp_driven_cell_t){cell, entered};
    return true;
}

/// The cells from a piece on.
static bool note_cells(rp_driven_curve_t *self, const rp_grid_t *grid, size_t first)
{
    bool is_noted = true;
    for (size_t i = first; i < self->count && is_noted; i++) {
        const rp_driven_piece_t *piece = &self->pieces[i];
        const rp_segment_t *segment = &piece->segment;
        const double length = segment->length;
        is_noted = note_cell(self, rp_driven_curve_cell(grid, segment->start.x, segment->start.y),
                             piece->before);
        for (double part = STEP; part < length && is_noted; part += STEP) {
            const rp_motion_pose_t pose = rp_segment_pose(segment, part);
            is_noted = note_cell(self, rp_driven_curve_cell(grid, pose.x, pose.y),
                                 piece->before + extent_of(self, segment, part));
        }
    }
    return is_noted &&
           note_cell(self, rp_driven_curve_cell(grid, self->end.x, self->end.y), self->extent);
}

uint32_t rp_driven_curve_passed(const rp_driven_curve_t *self)
{
    uint32_t passed = 0;
    while (passed + 1u < self->cell_count && self->cells[passed + 1u].entered <= self->progress) {
        passed++;
    }
    return passed;
}

double rp_driven_curve_leg_end(const rp_driven_curve_t *self, uint32_t leg)
{
    size_t count = self->count;
    while (count != 0 && self->pieces[count - 1u].leg > leg) {
        count--;
    }
    return count == self->count ? self->extent : self->pieces[count].before;
}

double rp_driven_curve_cost(const rp_driven_curve_t *self, const rp_grid_t *grid, double from,
                            double to)
{
    const double unit = grid->shape.unit;
    double cost = self->prices.change > 0.0 ? changes_between(self, from, to) : 0.0;
    if (!grid->weighted || self->cell_count == 0) {
        return cost + (to > from ? to - from : 0.0);
    }
    for (size_t i = 0; i < self->cell_count; i++) {
        const double entered = fmax(self->cells[i].entered, from);
        const double left = i + 1u < self->cell_count ? fmin(self->cells[i + 1u].entered, to) : to;
        const rp_cell_t cell = self->cells[i].cell;
        const uint8_t factor = cell != RP_NO_CELL ? grid->factor[cell] : 0;
        cost += left > entered ? (left - entered) * (factor != 0 ? factor / unit : 1.0) : 0.0;
    }
    return cost;
}

// ---- another curve

static void place_piece(rp_driven_curve_t *self, rp_driven_piece_t *piece)
{
    const rp_motion_pose_t end = rp_segment_end(&piece->segment);
    piece->extent = extent_of(self, &piece->segment, rp_segment_extent(&piece->segment));
    piece->before = self->extent;
    piece->x = 0.5 * (piece->segment.start.x + end.x);
    piece->y = 0.5 * (piece->segment.start.y + end.y);
    piece->half = 0.5 * piece->segment.length;
    self->extent += piece->extent;
}

/// The pieces that are kept move to the front.
static void keep_pieces(rp_driven_curve_t *self, size_t first, size_t root)
{
    const double behind = first < self->count ? self->pieces[first].before : 0.0;
    self->gear = rp_driven_curve_gear(self, first);
    memmove(self->pieces, self->pieces + first, (root - first) * sizeof *self->pieces);
    self->count = root - first;
    self->progress -= behind;
    self->extent = 0.0;
    for (size_t i = 0; i < self->count; i++) {
        self->pieces[i].before = self->extent;
        self->extent += self->pieces[i].extent;
    }
}

rp_status_t rp_driven_curve_extend(rp_driven_curve_t *self, const rp_grid_t *grid, bool keeps,
                                   size_t root, const rp_motion_curve_t *curve,
                                   const uint32_t *legs)
{
    const size_t first = keeps ? rp_driven_curve_piece(self) : 0u;
    const rp_motion_pose_t from =
        keeps && root < self->count ? self->pieces[root].segment.start : self->end;
    const rp_motion_pose_t begin = curve->count != 0 ? curve->segments[0].start : curve->end;
    const double dx = keeps ? nearbyint(from.x - begin.x) : 0.0;
    const double dy = keeps ? nearbyint(from.y - begin.y) : 0.0;
    if (!rp_array_reserve(&self->pieces, &self->capacity, root + curve->count + 1u,
                          sizeof *self->pieces)) {
        return RP_E_MEMORY;
    }
    if (!keeps) {
        rp_driven_curve_clear(self);
    }
    keep_pieces(self, first, keeps ? root : 0u);
    for (size_t i = 0; i < curve->count; i++) {
        rp_driven_piece_t *piece = &self->pieces[self->count++];
        piece->segment = curve->segments[i];
        piece->leaves = false;
        piece->segment.start.x += dx;
        piece->segment.start.y += dy;
        piece->leg = legs != NULL ? legs[i] : 0u;
        place_piece(self, piece);
    }
    self->end = (rp_motion_pose_t){curve->end.x + dx, curve->end.y + dy, curve->end.heading};
    self->broken_at = INFINITY;
    self->known_at = 0;
    self->cell_count = 0;
    return note_cells(self, grid, 0) ? RP_OK : RP_E_MEMORY;
}

void rp_driven_curve_lead_to(rp_driven_curve_t *self, size_t stop)
{
    for (size_t i = 0; i < self->count; i++) {
        self->pieces[i].leg = (uint32_t)stop;
    }
}

void rp_driven_curve_leave(rp_driven_curve_t *self, size_t piece, size_t count)
{
    for (size_t i = piece; i < piece + count; i++) {
        self->left = self->pieces[piece].segment.start;
        self->pieces[i].leaves = true;
    }
}

void rp_driven_curve_shift(rp_driven_curve_t *self, int64_t x, int64_t y)
{
    self->left.x += (double)x;
    self->left.y += (double)y;
    for (size_t i = 0; i < self->count; i++) {
        rp_driven_piece_t *piece = &self->pieces[i];
        piece->segment.start.x += (double)x;
        piece->segment.start.y += (double)y;
        piece->x += (double)x;
        piece->y += (double)y;
    }
    self->end.x += (double)x;
    self->end.y += (double)y;
}

// ---- following

/// Of a torus the image that is nearest. @param apart  a difference of coordinates
static double fold(const rp_grid_t *grid, double apart, double side)
{
    return grid->shape.wraps ? apart - side * nearbyint(apart / side) : apart;
}

/// From -pi to pi.
static double turn_between(double from, double to)
{
    const double turn = rp_trig_turn(to - from);
    return turn < RP_TRIG_PI ? turn : turn - RP_TRIG_TURN;
}

/// The part of a segment that comes nearest to a point, which is given from its start.
static double nearest_part(const rp_segment_t *segment, double x, double y, double heading)
{
    const rp_trig_unit_t ahead = rp_trig_unit(segment->start.heading + segment->course);
    const double extent = rp_segment_extent(segment);
    const double along = x * ahead.cos + y * ahead.sin;
    const double left = y * ahead.cos - x * ahead.sin;
    double part = along * segment->gear;
    if (segment->turn != 0.0) {
        const double turned = turn_between(segment->start.heading, heading);
        part = segment->turn > 0.0 ? turned : -turned;
    } else if (segment->curvature != 0.0) {
        const double bend = segment->curvature;
        const double angle = rp_trig_angle(along * fabs(bend) * segment->gear, 1.0 - left * bend);
        part = angle / fabs(bend); // beyond half a turn the far end counts
        part = part < 0.0 && extent * fabs(bend) > RP_TRIG_PI ? part + RP_TRIG_TURN / fabs(bend)
                                                              : part;
    }
    return fmin(fmax(part, 0.0), extent);
}

/// Behind a change of gear a curve leads back along itself: so much nearer a pose must be to a
/// place there than to one before the change, in cells and radians.
#define BEHIND_CHANGE 0.25

bool rp_driven_curve_follow(rp_driven_curve_t *self, const rp_grid_t *grid,
                            const rp_driven_pose_t *pose)
{
    double best = INFINITY;
    double progress = 0.0;
    double handicap = 0.0;
    const size_t first = rp_driven_curve_piece(self);
    int32_t gear = self->count != 0 ? gear_after(&self->pieces[first], 0) : 0;
    for (size_t i = first; i < self->count; i++) {
        const rp_driven_piece_t *piece = &self->pieces[i];
        const rp_segment_t *segment = &piece->segment;
        const int32_t next = gear_after(piece, gear);
        handicap += gear * next < 0 ? BEHIND_CHANGE : 0.0;
        gear = next;
        const double x = fold(grid, pose->pose.x - piece->x, grid->shape.width);
        const double y = fold(grid, pose->pose.y - piece->y, grid->shape.height);
        if (fmax(fabs(x), fabs(y)) > piece->half + pose->radius) {
            continue;
        }
        const double from_x = piece->x + x - segment->start.x;
        const double from_y = piece->y + y - segment->start.y;
        double part = nearest_part(segment, from_x, from_y, pose->pose.heading);
        if (i == first) {
            part = fmax(part, part_at(self, segment, self->progress - piece->before));
        }
        const rp_motion_pose_t there = rp_segment_pose(segment, part);
        const double off =
            rp_length(from_x + segment->start.x - there.x, from_y + segment->start.y - there.y);
        const double turn = fabs(turn_between(there.heading, pose->pose.heading));
        if (off <= pose->radius && turn <= pose->turn && off + turn + handicap < best) {
            best = off + turn + handicap;
            progress = piece->before + extent_of(self, segment, part);
        }
    }
    self->progress = isinf(best) ? self->progress : fmax(progress, self->progress);
    return !isinf(best);
}

// ---- obstacles

/// The images of a cell round a piece: on a torus some may lie across the edge.
static bool piece_meets(const rp_driven_curve_t *self, const rp_grid_t *grid,
                        const rp_driven_piece_t *piece, const rp_sweep_t *sweep, double x, double y)
{
    const double most = piece->half + self->vehicle.reach + 0.5;
    const double near_x = fold(grid, x - piece->x, grid->shape.width);
    const double near_y = fold(grid, y - piece->y, grid->shape.height);
    const int images = grid->shape.wraps ? 1 : 0;
    for (int row = -images; row <= images; row++) {
        for (int column = -images; column <= images; column++) {
            const double dx = near_x + column * (double)grid->shape.width;
            const double dy = near_y + row * (double)grid->shape.height;
            if (fabs(dx) <= most && fabs(dy) <= most &&
                rp_sweep_meets(sweep, piece->x + dx, piece->y + dy)) {
                return true;
            }
        }
    }
    return false;
}

void rp_driven_curve_block(rp_driven_curve_t *self, const rp_grid_t *grid, rp_cell_t cell)
{
    const double x = rp_grid_x(grid, cell);
    const double y = rp_grid_y(grid, cell);
    const double reach = self->vehicle.reach + 0.5;
    const size_t first = rp_driven_curve_piece(self);
    for (size_t i = first; i < self->count && self->pieces[i].before < self->broken_at; i++) {
        const rp_driven_piece_t *piece = &self->pieces[i];
        const double most = piece->half + reach;
        if (fabs(fold(grid, x - piece->x, grid->shape.width)) > most ||
            fabs(fold(grid, y - piece->y, grid->shape.height)) > most) {
            continue;
        }
        rp_sweep_t sweep;
        rp_sweep_begin(&sweep, &self->vehicle, &piece->segment);
        if (piece_meets(self, grid, piece, &sweep, x, y)) {
            self->broken_at = piece->before;
        }
    }
}

/// What is asked of each cell that a piece may sweep.
typedef bool is_asked_t(const rp_grid_t *grid, const uint8_t *bytes, rp_cell_t cell);

static bool blocks(const rp_grid_t *grid, const uint8_t *bytes, rp_cell_t cell)
{
    (void)bytes;
    return cell == RP_NO_CELL || grid->factor[cell] == 0;
}

static bool is_unknown(const rp_grid_t *grid, const uint8_t *bytes, rp_cell_t cell)
{
    return cell != RP_NO_CELL &&
           bytes[(size_t)rp_grid_y(grid, cell) * grid->shape.width + rp_grid_x(grid, cell)] ==
               RP_BYTE_UNKNOWN;
}

/// True when the body comes into a cell of a kind on a piece.
static bool piece_enters(const rp_driven_curve_t *self, const rp_grid_t *grid,
                         const rp_driven_piece_t *piece, const uint8_t *bytes, is_asked_t *is_asked)
{
    const double most = piece->half + self->vehicle.reach + 0.5;
    rp_sweep_t sweep;
    rp_sweep_begin(&sweep, &self->vehicle, &piece->segment);
    for (double y = ceil(piece->y - most); y <= piece->y + most; y += 1.0) {
        for (double x = ceil(piece->x - most); x <= piece->x + most; x += 1.0) {
            if (is_asked(grid, bytes, rp_driven_curve_cell(grid, x, y)) &&
                rp_sweep_meets(&sweep, x, y) &&
                !(piece->leaves && rp_overlap_depth(&self->vehicle, &self->left, x, y) > 0.0)) {
                return true;
            }
        }
    }
    return false;
}

void rp_driven_curve_inspect(rp_driven_curve_t *self, const rp_grid_t *grid)
{
    const size_t first = rp_driven_curve_piece(self);
    self->broken_at = INFINITY;
    for (size_t i = first; i < self->count; i++) {
        if (piece_enters(self, grid, &self->pieces[i], NULL, blocks)) {
            self->broken_at = self->pieces[i].before;
            return;
        }
    }
}

bool rp_driven_curve_would_meet(const rp_driven_curve_t *self, const rp_grid_t *grid,
                                const rp_motion_curve_t *curve, size_t segment, size_t leaving,
                                uint64_t *budget)
{
    rp_driven_curve_t other = {
        .prices = self->prices, .vehicle = self->vehicle, .left = curve->segments[0].start};
    rp_driven_piece_t piece = {.segment = curve->segments[segment], .leaves = segment < leaving};
    place_piece(&other, &piece);
    const double side = 2.0 * (piece.half + self->vehicle.reach + 1.0);
    rp_budget_pay(budget, 1u + (uint64_t)(side * side / CELLS_EACH));
    return piece_enters(&other, grid, &piece, NULL, blocks);
}

/// Look for the first piece that comes into an unknown cell, unless that is known.
static void find_unknown(rp_driven_curve_t *self, const rp_grid_t *grid, const uint8_t *bytes,
                         uint64_t version)
{
    size_t piece = rp_driven_curve_piece(self);
    if (self->known_at == version && self->unknown >= piece) {
        return;
    }
    while (piece < self->count &&
           !piece_enters(self, grid, &self->pieces[piece], bytes, is_unknown)) {
        piece++;
    }
    self->known_at = version;
    self->unknown = piece;
}

double rp_driven_curve_known(rp_driven_curve_t *self, const rp_grid_t *grid, const uint8_t *bytes,
                             uint64_t version)
{
    const size_t first = rp_driven_curve_piece(self);
    double known = 0.0;
    if (bytes != NULL) {
        find_unknown(self, grid, bytes, version);
    }
    const size_t end = bytes != NULL ? self->unknown : self->count;
    for (size_t i = first; i < end; i++) {
        const rp_driven_piece_t *piece = &self->pieces[i];
        const double passed =
            i == first ? part_at(self, &piece->segment, self->progress - piece->before) : 0.0;
        known += piece->segment.turn != 0.0 ? 0.0 : fmax(piece->segment.length - passed, 0.0);
    }
    return known;
}

// ---- what is told

/// True when a piece only goes on with what was told last.
static bool goes_on(const rp_driven_piece_t *before, const rp_driven_piece_t *after)
{
    const rp_segment_t *last = &before->segment;
    const rp_segment_t *next = &after->segment;
    return before->leg == after->leg && before->leaves == after->leaves && last->turn == 0.0 &&
           next->turn == 0.0 && last->curvature == next->curvature && last->gear == next->gear &&
           last->course == next->course;
}

static rp_path_segment_t told_of(const rp_segment_t *segment, const rp_motion_pose_t *start,
                                 const rp_frame_t *frame)
{
    const rp_trig_unit_t turned = rp_trig_unit(frame->origin_yaw);
    const double x = (start->x + 0.5) * frame->resolution_m;
    const double y = (start->y + 0.5) * frame->resolution_m;
    return (rp_path_segment_t){
        .x_m = frame->origin_x_m + turned.cos * x - turned.sin * y,
        .y_m = frame->origin_y_m + turned.sin * x + turned.cos * y,
        .yaw = turn_between(0.0, start->heading + frame->origin_yaw),
        .curvature = segment->curvature / frame->resolution_m,
        .turn = segment->turn,
        .course = turn_between(0.0, segment->course),
    };
}

const rp_path_segment_t *rp_driven_curve_tell(rp_driven_curve_t *self, const rp_frame_t *frame,
                                              uint32_t *count, uint32_t *leaving)
{
    const size_t first = rp_driven_curve_piece(self);
    const rp_driven_piece_t *last = NULL;
    *count = *leaving = 0;
    if (self->progress >= self->extent ||
        !rp_array_reserve(&self->told, &self->told_capacity, self->count, sizeof *self->told) ||
        !rp_array_reserve(&self->told_legs, &self->told_legs_capacity, self->count,
                          sizeof *self->told_legs)) {
        return NULL;
    }
    for (size_t i = first; i < self->count; i++) {
        const rp_driven_piece_t *piece = &self->pieces[i];
        const rp_segment_t *segment = &piece->segment;
        const double passed =
            i == first ? part_at(self, segment, self->progress - piece->before) : 0.0;
        const double length = fmax(segment->length - passed, 0.0) * segment->gear;
        if (last == NULL || !goes_on(last, piece)) {
            const rp_motion_pose_t start =
                i == first ? rp_segment_pose(segment, passed) : segment->start;
            rp_path_segment_t *told = &self->told[*count];
            self->told_legs[(*count)++] = piece->leg;
            *leaving = piece->leaves ? *count : *leaving;
            *told = told_of(segment, &start, frame);
            told->turn -= segment->turn > 0.0 ? passed : segment->turn < 0.0 ? -passed : 0.0;
            last = piece;
        }
        self->told[*count - 1u].length_m +=
            segment->turn != 0.0 ? 0.0 : length * frame->resolution_m;
    }
    return self->told;
}
