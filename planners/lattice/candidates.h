/// @file
/// Minimal control set: which moves a lattice needs. Moves are tried by cost; one is kept unless
/// kept ones compose it within 2 % of its cost, inside the ring.
///
/// Headings of the first quarter stand for all: a move turned by a quarter is a move of the heading
/// turned by a quarter.
///
/// A curve longer than 1.5 times its chord is no move, but for loops, which turn a CAR on its own
/// cell. Others are composed of one of these and of moves; kept apart they would be 300 to 900 a
/// heading.
#ifndef REPLAN_PLANNERS_LATTICE_CANDIDATES_H
#define REPLAN_PLANNERS_LATTICE_CANDIDATES_H

#include <stddef.h>

#include "planners/grid/cost.h"
#include "planners/lattice/lattice_shape.h"
#include "planners/motion/curve.h"
#include "planners/motion/headings.h"

/// Cost of a cell length on normal ground, as on the guide layer.
#define RP_LATTICE_UNIT RP_STRAIGHT

typedef enum rp_move_kind {
    RP_MOVE_CURVE,
    RP_MOVE_TURN,  ///< in place, to the next heading
    RP_MOVE_ASIDE, ///< a line in the direction of another heading
} rp_move_kind_t;

/// A move from the middle of cell (0, 0) with heading `from`.
typedef struct rp_move {
    uint32_t cost; ///< on normal ground
    int8_t dx;     ///< cells, to the middle of that one
    int8_t dy;
    uint8_t from; ///< heading, of the first quarter
    uint8_t to;
    uint8_t kind;    ///< of rp_move_kind_t
    int8_t gear;     ///< +1 forwards, -1 backwards
    uint8_t course;  ///< RP_MOVE_ASIDE: the heading in whose direction it goes
    bool is_loop;    ///< it ends on its own cell, by a curve
    uint32_t before; ///< number of the move of the same heading kept before it, from 1; 0: none
} rp_move_t;

typedef struct rp_lattice_candidate {
    uint64_t rank; ///< loops last, then by cost, then by number
    rp_move_t move;
} rp_lattice_candidate_t;

typedef struct rp_candidates {
    rp_lattice_shape_t shape;
    const rp_headings_t *headings; ///< borrowed
    int32_t ring;
    rp_lattice_candidate_t *heap; ///< not tried yet [heap_count]
    size_t heap_count;
    uint32_t next;   ///< number of the candidate that is made next
    uint32_t *costs; ///< of what was tried, by kept moves, by from, dy, dx, to; UINT32_MAX: none
    rp_move_t *kept; ///< in the order of their costs, loops last [kept_count]
    size_t kept_count;
    size_t kept_capacity;
    uint32_t last[RP_HEADINGS_MOST / 4u]; ///< number of the move of a heading kept last, as before
} rp_candidates_t;

/// @param headings  borrowed until fini
/// @return RP_E_MEMORY
rp_status_t rp_candidates_init(rp_candidates_t *self, const rp_lattice_shape_t *shape,
                               const rp_headings_t *headings, uint32_t ring);
void rp_candidates_fini(rp_candidates_t *self);

/// Go on. @param budget  curves made or moves tried, counted down
/// @return RP_OK when `kept` is whole; RP_MORE; RP_E_MEMORY
rp_status_t rp_candidates_work(rp_candidates_t *self, uint64_t *budget);

/// What a length costs on normal ground.
uint32_t rp_move_cost(double length);

/// A move driven the other way: from where it ends to where it begins, in the other gear. Its cost
/// stays. @param self  a line or a curve; it is turned to a heading of the first quarter
rp_move_t rp_move_back(const rp_move_t *self, const rp_headings_t *headings);

/// The shortest curve of a move of kind RP_MOVE_CURVE.
rp_curve_t rp_move_curve(const rp_move_t *self, const rp_headings_t *headings, double radius);

#endif
