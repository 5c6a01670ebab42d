/// @file
/// A* over poses: (cell, state), where a state is a heading, and with reverse a gear
/// (control_set.h). From the start to the goal cell with any heading, or to poses from which the
/// rest is known (goal_box.h), guided by the field on the guide layer, the straight line and the
/// table of shortest curves.
///
/// h = max(field / rho, straight, curve) is consistent (guide.h, control_set.h). OPEN is buckets,
/// last in first out. Exact: a pose that gets cheaper is expanded again, and the search ends when
/// no bucket can hold anything cheaper than the goal. Bounded: the field counts (1 + percent / 100)
/// times in keys; a pose is expanded again only while the bucket that it was expanded from is
/// current (ARA*, Likhachev, Gordon, Thrun 2003), so the cost stays within the bound, less a
/// bucket.
///
/// Loops of a pose are children like all others, generated late: the pose waits once more with a
/// lower bound on what leads over them.
///
/// Bytes a pose met: 8, in tiles of 8 x 4 cells.
#ifndef REPLAN_PLANNERS_LATTICE_LATTICE_SEARCH_H
#define REPLAN_PLANNERS_LATTICE_LATTICE_SEARCH_H

#include "base/simd.h"
#include "planners/guide/guide_field.h"
#include "planners/guide/obstacles.h"
#include "planners/lattice/child_cost.h"
#include "planners/open/buckets.h"

/// A bucket of OPEN holds so many values: 1/13 of a cell.
#define RP_LATTICE_BUCKET_SHIFT 5u

typedef struct rp_pose_node {
    uint32_t g;
    uint16_t child; ///< by which it was reached; RP_CHILD_NONE: a root
    uint16_t mark;  ///< number of the search, and what the pose waits for
} rp_pose_node_t;

typedef struct rp_lattice_pose {
    uint16_t x; ///< cell
    uint16_t y;
    uint8_t heading; ///< state
} rp_lattice_pose_t;

/// What it costs to come to the goal from poses round it.
typedef struct rp_lattice_rest {
    uint32_t *costs; ///< by y, x, state, from (-half, -half) of the goal on; RP_COST_INF: not known
    int32_t half;    ///< cells
} rp_lattice_rest_t;

/// The end of a path that is known: its poses, and what it costs to come from each to the goal.
typedef struct rp_lattice_tail {
    const rp_lattice_pose_t *poses; ///< borrowed [count]
    const uint16_t *children;       ///< borrowed: by which each but the last is left
    const uint32_t *costs;          ///< borrowed [count]
    size_t count;                   ///< 0: none is known
} rp_lattice_tail_t;

/// The place of a pose, `count` when it is none of the tail.
static inline size_t rp_lattice_tail_place(const rp_lattice_tail_t *self, rp_lattice_pose_t pose)
{
    size_t place = 0;
    while (place < self->count &&
           (self->poses[place].x != pose.x || self->poses[place].y != pose.y ||
            self->poses[place].heading != pose.heading)) {
        place++;
    }
    return place;
}

typedef struct rp_lattice_counts {
    uint64_t expanded;  ///< poses
    uint64_t generated; ///< poses put into OPEN
    uint64_t late;      ///< times that loops were generated
} rp_lattice_counts_t;

typedef struct rp_lattice_search {
    const rp_control_set_t *set; ///< borrowed, as all of these
    const rp_obstacles_t *obstacles;
    const rp_guide_field_t *field; ///< NULL: only straight line and curves guide
    const rp_grid_t *ground;
    uint32_t field_most;           ///< greater values of the field count as this
    const rp_lattice_rest_t *rest; ///< NULL: any pose on the goal cell ends a path
    rp_lattice_tail_t tail;
    rp_pose_node_t *nodes; ///< by rp_pose_place()
    uint32_t tiles;        ///< in a row of tiles
    uint16_t search;       ///< number of this search, in place for marks
    rp_simd_t simd;        ///< what is used: all give the same results
    uint32_t percent;      ///< of the bound; 0: exact
    uint32_t limit;        ///< paths that cost as much or more are of no use
    uint32_t known;        ///< no path costs less, whatever this search finds out
    uint32_t step;         ///< the bucket that is being emptied
    uint32_t goal_x;
    uint32_t goal_y;
    int32_t curve_reach;   ///< of the table, less on a small torus
    uint32_t best;         ///< cost of the best path so far, `limit` without one
    uint32_t most;         ///< what costs as much leads on to nothing that matters
    rp_lattice_pose_t end; ///< of that path
    bool has_path;
    bool ends_on_tail;   ///< the path goes on from `end` along the tail
    bool is_over;        ///< no cheaper path exists, or none within the bound
    bool ended_by_known; ///< by `known` alone: poses below the bound may not be expanded
    bool is_dear;        ///< some path was dropped for RP_LATTICE_COST_MOST
    rp_lattice_counts_t counts;
    rp_buckets_t open;
    rp_arena_t arena; ///< owned: OPEN
} rp_lattice_search_t;

/// @return RP_E_MEMORY. Time: O(1): memory becomes resident where poses are met
rp_status_t rp_lattice_search_init(rp_lattice_search_t *self, const rp_control_set_t *set,
                                   const rp_grid_t *ground, const rp_obstacles_t *obstacles,
                                   const rp_guide_field_t *field);
void rp_lattice_search_fini(rp_lattice_search_t *self);

/// How many nodes there is room for: in whole tiles.
size_t rp_lattice_search_room(const rp_lattice_search_t *self);

/// About what it holds: poses that were met, and OPEN.
static inline uint64_t rp_lattice_search_bytes(const rp_lattice_search_t *self)
{
    return self->counts.generated * sizeof *self->nodes + rp_arena_bytes(&self->arena);
}

/// Begin anew, without a root. `rest` is set before, `known` may be raised from 0 after.
/// @param percent  of the bound, 0..RP_LATTICE_PERCENT_MOST
/// @param limit    only paths cheaper than this are of use; RP_LATTICE_COST_MOST: all
void rp_lattice_search_begin(rp_lattice_search_t *self, uint32_t goal_x, uint32_t goal_y,
                             uint32_t percent, uint32_t limit);

/// Begin from where a child leads, too, from a pose that was begun from.
/// @param g  what it costs to come there
void rp_lattice_search_child(rp_lattice_search_t *self, rp_lattice_pose_t end, uint32_t g,
                             uint16_t child);

/// Begin from a pose, too. @param g  what it costs to come there
static inline void rp_lattice_search_root(rp_lattice_search_t *self, rp_lattice_pose_t pose,
                                          uint32_t g)
{
    rp_lattice_search_child(self, pose, g, RP_CHILD_NONE);
}

/// A path may end along this as well. Told after begin, before there are roots. On uniform ground.
void rp_lattice_search_tail(rp_lattice_search_t *self, const rp_lattice_tail_t *tail);

/// Go on. @param budget  expansions, counted down
/// @return RP_OK when the search is over, RP_MORE
rp_status_t rp_lattice_search_work(rp_lattice_search_t *self, uint64_t *budget);

/// No path costs less than this, as far as is known.
static inline uint32_t rp_lattice_search_bound(const rp_lattice_search_t *self)
{
    if (self->is_over && self->percent == 0) {
        return self->best;
    }
    const uint64_t least = (uint64_t)(self->step - (self->step != 0)) << RP_LATTICE_BUCKET_SHIFT;
    const uint64_t bound = least * 100u / (100u + self->percent);
    const uint32_t known = bound > self->known ? (uint32_t)bound : self->known;
    return bound < self->best ? known : self->best;
}

/// The lower bound on the cost from a pose to the goal; RP_COST_INF: no path of cells leads there.
uint32_t rp_lattice_search_h(const rp_lattice_search_t *self, rp_lattice_pose_t pose);

/// The same for every heading: the field and the straight line only.
uint32_t rp_lattice_search_cell_h(const rp_lattice_search_t *self, rp_lattice_pose_t pose);

/// A value of the field times rho, shifted right by this, is a cost.
static inline unsigned rp_lattice_search_field_shift(const rp_lattice_search_t *self)
{
    return RP_RHO_SHIFT + (self->ground->weighted ? 1u : 0u);
}

/// Values of the field from which on nothing costs less than this.
static inline uint32_t rp_lattice_search_level(const rp_lattice_search_t *self, uint32_t cost)
{
    const uint64_t least = (uint64_t)cost << rp_lattice_search_field_shift(self);
    const uint64_t level = least / self->set->rho + 1u;
    return level < RP_GUIDE_FIELD_MOST ? (uint32_t)level : RP_GUIDE_FIELD_NONE;
}

/// What the straight way between two cells costs at least.
uint32_t rp_lattice_search_straight(const rp_lattice_search_t *self, uint32_t from_x,
                                    uint32_t from_y, uint32_t to_x, uint32_t to_y);

/// True when this search has expanded a pose, and has not found a cheaper way to it since.
/// @param g  written then: what it cost
bool rp_lattice_search_is_closed(const rp_lattice_search_t *self, rp_lattice_pose_t pose,
                                 uint32_t *g);

/// How far a lies ahead of b, round a torus by the shorter way. @param side  of the world, that way
static inline int32_t rp_lattice_search_apart(const rp_lattice_search_t *self, uint32_t a,
                                              uint32_t b, uint32_t side)
{
    const int32_t ahead = (int32_t)a - (int32_t)b;
    const int32_t half = (int32_t)(side / 2u);
    if (!self->ground->shape.wraps) {
        return ahead;
    }
    return ahead > half ? ahead - (int32_t)side : ahead < -half ? ahead + (int32_t)side : ahead;
}

/// The cell that lies (dx, dy) away. @return false outside of a world that ends
static inline bool rp_lattice_search_shift(const rp_lattice_search_t *self, uint32_t x, uint32_t y,
                                           int32_t dx, int32_t dy, rp_lattice_pose_t *cell)
{
    const rp_grid_shape_t *shape = &self->ground->shape;
    const bool is_inside = rp_grid_contains(self->ground, (int64_t)x + dx, (int64_t)y + dy);
    *cell = (rp_lattice_pose_t){(uint16_t)rp_child_cost_fold((int32_t)x + dx, shape->width),
                                (uint16_t)rp_child_cost_fold((int32_t)y + dy, shape->height), 0};
    return is_inside || shape->wraps;
}

/// True when nothing that a child sweeps is an obstacle.
static inline bool rp_lattice_search_is_legal(const rp_lattice_search_t *self, uint32_t x,
                                              uint32_t y, uint32_t child)
{
    const rp_child_parts_t *parts = &self->set->parts[child];
    const rp_swept_run_t *runs = self->set->runs + parts->first_run;
    uint32_t i = 0;
    while (i < parts->run_count && !rp_obstacles_meet(self->obstacles, (int32_t)x + runs[i].x,
                                                      (int32_t)y + runs[i].y, runs[i].count)) {
        i++;
    }
    return i == parts->run_count;
}

/// The pose that a child leads to.
rp_lattice_pose_t rp_lattice_search_end(const rp_lattice_search_t *self, rp_lattice_pose_t pose,
                                        uint32_t child);

/// The node of a pose, NULL when this search has not met it.
const rp_pose_node_t *rp_lattice_search_node(const rp_lattice_search_t *self,
                                             rp_lattice_pose_t pose);

/// The pose from which the child of a node leads to a pose.
rp_lattice_pose_t rp_lattice_search_before(const rp_lattice_search_t *self, rp_lattice_pose_t pose);

#endif
