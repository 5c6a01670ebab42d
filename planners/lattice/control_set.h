/// @file
/// Control set: the moves of a lattice with all that a search needs of them, computed for one
/// shape. Built in slices, then only read: lattices of any number share it.
///
/// Children begin and end with states. A state is a heading; where changes of gear have a price, a
/// heading and the gear of the last move: state `heading` is forwards, `headings.count + heading`
/// backwards. A child that changes gear costs the change as well.
///
/// A child is a move turned to one of the headings it stands for. It is legal where none of the
/// cells that it sweeps is an obstacle: as a mask of 16 x 16 or 32 x 32 bits round its cell, or,
/// where the body is too large for these and for loops, as runs of cells.
#ifndef REPLAN_PLANNERS_LATTICE_CONTROL_SET_H
#define REPLAN_PLANNERS_LATTICE_CONTROL_SET_H

#include "planners/lattice/swept.h"

/// States of a set, at most.
#define RP_STATES_MOST (2u * RP_HEADINGS_MOST)

/// Every child of a set has a number of 16 bits; the last one means none.
#define RP_CHILD_NONE UINT16_MAX

/// How far the table of shortest curves to a point reaches at most, cells.
#define RP_CURVE_TABLE_MOST 32

/// Fixed point of `rho`.
#define RP_RHO_SHIFT 20

typedef enum rp_mask_kind {
    RP_MASK_16, ///< bit (x + 8, y + 8): no child but loops reaches farther than 7 cells
    RP_MASK_32, ///< bit (x + 16, y + 16): 15 cells
    RP_MASK_RUNS,
} rp_mask_kind_t;

/// Masks are aligned to this.
#define RP_MASK_ALIGN 32u

/// Bytes of a mask.
static inline size_t rp_mask_bytes(rp_mask_kind_t kind)
{
    return kind == RP_MASK_16 ? 32u : kind == RP_MASK_32 ? 128u : 0;
}

/// Hot: what is read of each child when its cell is expanded.
typedef struct rp_child {
    uint32_t cost; ///< on normal ground
    int8_t dx;     ///< cells
    int8_t dy;
    uint8_t heading; ///< state where it ends
    uint8_t from;    ///< and where it begins
} rp_child_t;

/// Cold: what is read of children on the path, and of all on weighted ground.
typedef struct rp_child_parts {
    uint32_t move;      ///< in `moves`
    uint32_t first_run; ///< in `runs`
    uint32_t run_count;
    uint32_t first_segment; ///< in `segments`
    uint32_t segment_count;
} rp_child_parts_t;

/// What is known of a move, for all headings that it stands for.
typedef struct rp_move_parts {
    rp_move_t move;
    rp_curve_t course;
    uint32_t first_cell; ///< in `cells`, as for heading `move.from`
    uint32_t cell_count;
    uint32_t first_run[4]; ///< in `runs`, turned by so many quarters
    uint32_t run_count[4];
} rp_move_parts_t;

/// Children by the state where they end.
typedef struct rp_child_index {
    uint16_t *numbers;                   ///< [child_count]
    uint32_t first[RP_STATES_MOST + 1u]; ///< of a state, in `numbers`
} rp_child_index_t;

typedef struct rp_control_set {
    rp_lattice_shape_t shape;
    rp_headings_t headings;
    uint32_t states; ///< headings.count, or twice that
    uint32_t ring;
    uint32_t reach; ///< no child sweeps a cell farther away in x or y
    rp_mask_kind_t kind;
    rp_child_t *children;                ///< by state, loops behind the others [child_count]
    rp_child_parts_t *parts;             ///< [child_count]
    rp_segment_t *segments;              ///< of all children, each from (0, 0)
    uint32_t first[RP_STATES_MOST + 1u]; ///< of a state, in `children`
    uint32_t loops[RP_STATES_MOST];      ///< its first loop
    uint32_t least_loop[RP_STATES_MOST]; ///< cost of its cheapest loop
    uint32_t child_count;
    rp_child_index_t into;
    uint8_t *masks;  ///< those of loops are unused [child_count * rp_mask_bytes(kind)]
    uint8_t *unions; ///< all masks of a state in one [states * rp_mask_bytes(kind)]
    rp_swept_run_t *runs;
    size_t run_count;
    size_t run_capacity;
    rp_swept_cell_t *cells;
    size_t cell_count;
    size_t cell_capacity;
    rp_move_parts_t *moves;
    size_t move_count;
    size_t move_capacity;
    uint32_t rho;    ///< no move costs less than its path of cells times this, over 2^RP_RHO_SHIFT
    uint32_t spread; ///< how far a cell of such a path lies from one under the curve at most
    int32_t curve_reach; ///< of the table, cells; 0: there is none
    uint16_t *curves;    ///< cost of the shortest curve from a pose to the middle of cell (0, 0),
                         ///< at most that of `curve_reach` cells, by y, x, heading
    struct rp_control_builder *builder; ///< NULL when the set is whole
} rp_control_set_t;

/// @return RP_E_INVALID when rp_lattice_shape_fault() names a fault, RP_E_MEMORY. Time: O(1) curves
rp_status_t rp_control_set_new(const rp_lattice_shape_t *shape, rp_control_set_t **set);

/// Accepts NULL.
void rp_control_set_destroy(rp_control_set_t **self);

/// Go on with the computation. @param budget  curves, counted down; each takes a few microseconds
/// @return RP_OK when the set is whole; RP_MORE; RP_E_MEMORY; RP_E_UNSUPPORTED: it has more
///         children than a number of 16 bits tells apart
rp_status_t rp_control_set_build(rp_control_set_t *self, uint64_t *budget);

/// The segments of a child that begins on (0, 0).
/// @param segments  [RP_CURVE_PIECES_MAX]
/// @return how many
uint32_t rp_control_set_segments(const rp_control_set_t *self, uint32_t child,
                                 rp_segment_t *segments);

/// The heading of a state.
static inline uint32_t rp_control_set_heading(const rp_control_set_t *self, uint32_t state)
{
    return state & (self->headings.count - 1u);
}

/// The state of a heading that was come to in a gear, +1 or -1.
static inline uint32_t rp_control_set_state(const rp_control_set_t *self, uint32_t heading,
                                            int32_t gear)
{
    return gear < 0 && self->states > self->headings.count ? heading + self->headings.count
                                                           : heading;
}

/// By how many quarters a state is turned from one of the first quarter.
static inline uint32_t rp_control_set_quarters(const rp_control_set_t *self, uint32_t state)
{
    return rp_control_set_heading(self, state) / (self->headings.count / 4u);
}

/// Bytes of the finished tables.
uint64_t rp_control_set_bytes(const rp_control_set_t *self);

/// Cost of the shortest curve to the middle of a cell that lies (dx, dy) away, at most that of
/// `curve_reach` cells, which must not be 0.
static inline uint32_t rp_control_set_curve(const rp_control_set_t *self, int32_t dx, int32_t dy,
                                            uint32_t heading)
{
    const int32_t reach = self->curve_reach;
    if (dx < -reach || dx > reach || dy < -reach || dy > reach) {
        return (uint32_t)reach * RP_LATTICE_UNIT;
    }
    const size_t place = (size_t)(dy + reach) * (size_t)(2 * reach + 1) + (size_t)(dx + reach);
    return self->curves[place * self->headings.count + heading];
}

#endif
