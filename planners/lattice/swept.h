/// @file
/// What a move sweeps: the cells that must be free for it, the cells that its curve runs through,
/// and a path of cells beside it.
#ifndef REPLAN_PLANNERS_LATTICE_SWEPT_H
#define REPLAN_PLANNERS_LATTICE_SWEPT_H

#include "planners/lattice/candidates.h"
#include "planners/motion/sweep.h"

/// Planning keeps the body so much farther from obstacles than judging asks, cells.
#define RP_LATTICE_MARGIN RP_VEHICLE_PLANNING_MARGIN

/// A body below this counts as this: an open disc of radius 0 would be empty, and pass walls.
#define RP_LATTICE_BODY_LEAST RP_VEHICLE_LEAST

/// Cells of a row that a move sweeps.
typedef struct rp_swept_run {
    int16_t x; ///< the first one, from the cell where the move begins
    int16_t y;
    uint16_t count;
} rp_swept_run_t;

/// A cell that the curve of a move runs through.
typedef struct rp_swept_cell {
    int16_t x; ///< from the cell where the move begins
    int16_t y;
    uint32_t cost; ///< what it costs there on normal ground; all cells of a move: the move's cost
} rp_swept_cell_t;

/// Bits of a cell of rp_swept_t.
enum {
    RP_SWEPT_BODY = 1, ///< the body comes into it, or within the margin
    RP_SWEPT_NEAR = 2, ///< nearer to the curve than a disc inside of the body, and than a cell
};

typedef struct rp_swept {
    rp_curve_t course;
    rp_segment_t segments[RP_CURVE_PIECES_MAX];
    uint32_t segment_count;
    rp_vehicle_t vehicle; ///< the body with the margin of planning
    rp_sweep_t *sweeps;   ///< owned: of the segments [segment_count]
    double near;          ///< distance from the curve that RP_SWEPT_NEAR stands for
    int32_t half;         ///< of the square of cells round the cell where the move begins
    int32_t row;          ///< rows from here on are not known yet
    uint8_t *bits;        ///< owned [(2 * half + 1)^2]
    uint32_t *costs;      ///< owned, scratch of rp_swept_path() [(2 * half + 1)^2]
} rp_swept_t;

/// A curve driven the other way, from its end to its start in the other gear.
rp_curve_t rp_curve_back(const rp_curve_t *self);

/// The curve of a move of kind RP_MOVE_CURVE; nothing for others.
rp_curve_t rp_move_course(const rp_move_t *self, const rp_headings_t *headings, double radius);

/// The segments of a move that begins on (0, 0) with any heading of those that it stands for.
/// @param course    of rp_move_course()
/// @param from      heading: the move's, or that turned by quarters
/// @param segments  [RP_CURVE_PIECES_MAX]
/// @return how many
uint32_t rp_move_segments(const rp_move_t *self, const rp_curve_t *course, uint32_t from,
                          const rp_headings_t *headings, rp_segment_t *segments);

/// Begin with a move; `self` stays where it is until the end. @return RP_E_MEMORY
rp_status_t rp_swept_begin(rp_swept_t *self, const rp_move_t *move, const rp_headings_t *headings,
                           const rp_lattice_shape_t *shape);
void rp_swept_end(rp_swept_t *self);

/// One more row. @return false when all rows are known
bool rp_swept_row(rp_swept_t *self);

/// Cells of a row of the swept square, turned left by quarters, that the body needs.
/// @param y      row, -half .. half
/// @param runs   written [half + 1]
/// @return how many runs
uint32_t rp_swept_runs(const rp_swept_t *self, uint32_t quarters, int32_t y, rp_swept_run_t *runs);

/// The cells that the curve runs through, in order, from that of its start on.
/// @param cost   of the move
/// @param cells  written [room]
/// @return how many, at most `room`
uint32_t rp_swept_cells(const rp_swept_t *self, uint32_t cost, rp_swept_cell_t *cells,
                        uint32_t room);

/// The cheapest path of 8 neighbours, without cutting corners, through the cells near the curve.
/// @param cells, count  of rp_swept_cells()
/// @param spread  raised to how far a cell of the path lies from one of those at most, in x or y
/// @return its cost, 0 for a move that ends on its own cell; UINT32_MAX: there is none
uint32_t rp_swept_path(rp_swept_t *self, const rp_move_t *move, const rp_swept_cell_t *cells,
                       uint32_t count, uint32_t *spread);

#endif
