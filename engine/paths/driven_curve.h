/// @file
/// Driven curve: the curve of a session's newest answer, for an agent that drives. How far along it
/// the agent is, what is left of it costs, where an obstacle came into the way of the body, and
/// where another curve may leave it.
///
/// Coordinates are cells of the window; whole numbers are middles of cells. On a torus they run on
/// beyond the edge. A place along the curve is an *extent*: cells driven; backwards and for turns
/// in place what they cost.
#ifndef REPLAN_ENGINE_PATHS_DRIVEN_CURVE_H
#define REPLAN_ENGINE_PATHS_DRIVEN_CURVE_H

#include <math.h>

#include "replan/session.h"

#include "planners/motion/segment.h"
#include "planners/motion/vehicle.h"

/// What the agent's moves cost, in cells.
typedef struct rp_driven_prices {
    double turn;    ///< a radian of a turn in place
    double reverse; ///< a cell backwards, at least 1
    double change;  ///< a change of gear
} rp_driven_prices_t;

/// A segment, and where it lies.
typedef struct rp_driven_piece {
    rp_segment_t segment;
    bool leaves;   ///< it leads out of obstacles that the body overlaps
    uint32_t leg;  ///< number of the stop that it leads to
    double before; ///< extent of those before it
    double extent;
    double x; ///< no point of it is farther from here in x or y than `half`
    double y;
    double half;
} rp_driven_piece_t;

/// A cell that the curve's centre comes into.
typedef struct rp_driven_cell {
    rp_cell_t cell; ///< RP_NO_CELL: outside, since the window moved
    double entered; ///< extent
} rp_driven_cell_t;

typedef struct rp_driven_curve {
    rp_driven_piece_t *pieces; ///< owned [count]
    size_t count;              ///< 0: the agent stays
    size_t capacity;
    rp_driven_cell_t *cells; ///< owned, the first one is where the curve began [cell_count]
    size_t cell_count;
    size_t cell_capacity;
    rp_path_segment_t *told; ///< owned: what is left, as answers tell it
    size_t told_capacity;
    uint32_t *told_legs; ///< owned: by segment that was told, its leg
    size_t told_legs_capacity;
    rp_path_segment_t *past; ///< owned: of the answer before, but for its first one [past_count]
    size_t past_count;
    size_t past_capacity;
    rp_motion_pose_t end;
    double extent;         ///< of all pieces
    double progress;       ///< extent that lies behind the agent
    double broken_at;      ///< extent before the first piece that meets an obstacle; infinite: none
    uint64_t known_at;     ///< version of the bytes that `unknown` is about; 0: of none
    size_t unknown;        ///< the first piece from that of the agent on that comes into an unknown
                           ///< cell; `count`: none does
    rp_motion_pose_t left; ///< where pieces that leave obstacles began
    int32_t gear;          ///< in which the agent came to the first piece; 0: in none
    rp_driven_prices_t prices;
    rp_vehicle_t vehicle; ///< as it is judged
} rp_driven_curve_t;

/// A pose, and how near to the curve it must be to follow it.
typedef struct rp_driven_pose {
    rp_motion_pose_t pose;
    double radius; ///< cells
    double turn;   ///< radians, either way
} rp_driven_pose_t;

/// @param vehicle  as it is, in cells
void rp_driven_curve_init(rp_driven_curve_t *self, const rp_vehicle_t *vehicle,
                          const rp_driven_prices_t *prices);
void rp_driven_curve_fini(rp_driven_curve_t *self);

/// The agent has no curve.
void rp_driven_curve_clear(rp_driven_curve_t *self);

/// Another curve: the pieces from that of the agent up to number `root`, then these segments, which
/// begin where piece `root` does, but for the edge of a torus.
/// @param keeps  false: nothing is kept, and `root` is 0
/// @param curve  the segments, and the pose where they end
/// @param legs   by segment the stop that it leads to, in order; NULL: all lead to stop 0
/// @return RP_E_MEMORY; then it is to be cleared
rp_status_t rp_driven_curve_extend(rp_driven_curve_t *self, const rp_grid_t *grid, bool keeps,
                                   size_t root, const rp_motion_curve_t *curve,
                                   const uint32_t *legs);

/// All pieces lead to one stop. Time: O(pieces)
void rp_driven_curve_lead_to(rp_driven_curve_t *self, size_t stop);

/// So many pieces from a piece on lead out of the obstacles that the body overlaps at its start.
void rp_driven_curve_leave(rp_driven_curve_t *self, size_t piece, size_t count);

/// The window moved by whole cells. The numbers of `cells` are the caller's matter.
void rp_driven_curve_shift(rp_driven_curve_t *self, int64_t x, int64_t y);

/// The agent is at a pose: its progress is that of the place on the curve that is nearest to it.
/// @return false when no place ahead is near enough; nothing is changed then. Time: O(pieces)
bool rp_driven_curve_follow(rp_driven_curve_t *self, const rp_grid_t *grid,
                            const rp_driven_pose_t *pose);

/// Number of the piece that the agent is on; 0 without any.
size_t rp_driven_curve_piece(const rp_driven_curve_t *self);

/// The gear in which the agent comes to the start of a piece; 0: in none.
int32_t rp_driven_curve_gear(const rp_driven_curve_t *self, size_t piece);

/// The cell round a point, of a torus its image; RP_NO_CELL: outside.
rp_cell_t rp_driven_curve_cell(const rp_grid_t *grid, double x, double y);

/// The pose that the agent has come to, on the curve.
rp_motion_pose_t rp_driven_curve_at(const rp_driven_curve_t *self);

/// Steps between the cells behind the agent.
uint32_t rp_driven_curve_passed(const rp_driven_curve_t *self);

/// Extent where the leg to a stop ends; 0: before the first piece.
double rp_driven_curve_leg_end(const rp_driven_curve_t *self, uint32_t leg);

/// What the curve costs from one extent to another, by the ground as it is now, whether or not that
/// is blocked; in cell lengths on normal ground. A change of gear is part of what comes behind it.
/// Time: O(cells) on weighted ground, O(pieces) where changes of gear cost, else O(1)
double rp_driven_curve_cost(const rp_driven_curve_t *self, const rp_grid_t *grid, double from,
                            double to);

// ---- obstacles

/// A cell became an obstacle, also where the curve leaves others. Time: O(pieces)
void rp_driven_curve_block(rp_driven_curve_t *self, const rp_grid_t *grid, rp_cell_t cell);

/// Look at all that is left of it. Time: O(cells swept)
void rp_driven_curve_inspect(rp_driven_curve_t *self, const rp_grid_t *grid);

/// True when the body would meet an obstacle on a segment of a curve that was not taken.
/// @param leaving  so many of its first segments lead out of the obstacles round its start
/// @param budget   counted down
bool rp_driven_curve_would_meet(const rp_driven_curve_t *self, const rp_grid_t *grid,
                                const rp_motion_curve_t *curve, size_t segment, size_t leaving,
                                uint64_t *budget);

/// True when the body meets no obstacle on what is left.
static inline bool rp_driven_curve_is_free(const rp_driven_curve_t *self)
{
    return isinf(self->broken_at);
}

/// How far from the agent on, in cells driven, the body stays on known cells. Time: O(pieces), and
/// O(cells swept) once for a curve and version
/// @param bytes  of the world, row by row; NULL: all are known
/// @param version  of these, above 0
double rp_driven_curve_known(rp_driven_curve_t *self, const rp_grid_t *grid, const uint8_t *bytes,
                             uint64_t version);

// ---- what is told

/// What is left, in metres of the frame, neighbours of equal curvature and leg merged.
/// @param count    written
/// @param leaving  written: so many of the first ones lead out of obstacles
/// @return borrowed until the next call; NULL without memory
const rp_path_segment_t *rp_driven_curve_tell(rp_driven_curve_t *self, const rp_frame_t *frame,
                                              uint32_t *count, uint32_t *leaving);

/// Number of the first segment, of those that were told last, on the leg to a stop or behind it.
/// @param count  of these segments; what is returned when there is none
uint32_t rp_driven_curve_leg_at(const rp_driven_curve_t *self, uint32_t leg, uint32_t count);

/// Another answer is about to be said: remember what is left of the one before. Without memory
/// nothing of it is known to stand.
void rp_driven_curve_note_past(rp_driven_curve_t *self, const rp_frame_t *frame);

/// Which segments of the answer before stand, bit by bit, in what was told last.
/// @param count  of segments that were told. Time: O(segments)
rp_splice_t rp_driven_curve_splice(const rp_driven_curve_t *self, uint32_t count);

uint64_t rp_driven_curve_bytes(const rp_driven_curve_t *self);

#endif
