/// @file
/// Goal box: what it costs to come to a goal that has a heading, from each pose of a square of
/// cells round it, without leaving the square. In slices.
///
/// A goal's heading cannot be seen in a field over cells, so a search that knows only that field
/// fills all poses round a goal which it comes to from the wrong side. So poses of the box are
/// searched backwards from the goal first, once for many plans (Dijkstra). A path that comes from
/// outside has a last pose in the box's rim, which is as wide as the longest move, after which it
/// does not leave the box. So the rim's costs are seeds of the field: it is a lower bound that
/// knows of the heading, and is as consistent as one that begins on the goal. A search that meets a
/// pose of the box is done with it: the rest of the path is known.
///
/// Where a torus is narrower than the box, the box is as wide as the torus: then what leaves it on
/// one side comes in on the other, over the rim.
///
/// Bytes a pose of the box: 6, and a bit for each child of its cell.
#ifndef REPLAN_PLANNERS_LATTICE_GOAL_BOX_H
#define REPLAN_PLANNERS_LATTICE_GOAL_BOX_H

#include "planners/lattice/lattice_search.h"

typedef struct rp_goal_box {
    const rp_lattice_search_t *search; ///< borrowed: its set, ground and obstacles count
    rp_lattice_rest_t rest;            ///< what the search is told: costs, by y, x, state
    uint32_t x;                        ///< cell of the goal
    uint32_t y;
    uint16_t *next;    ///< child by which it goes on; RP_CHILD_NONE: an end [pose_count]
    uint8_t *legal;    ///< bits by cell and child; loops are tested when they are met
    size_t cell_bytes; ///< bytes of a cell in `legal`
    size_t pose_count; ///< that there is room for
    uint32_t prepared; ///< cells whose children are known
    bool is_whole;     ///< every cost is right
    rp_buckets_t open;
    rp_arena_t arena; ///< owned
} rp_goal_box_t;

/// Half the side of a box, for a set: 8 to 24 cells, three times the turning radius between.
int32_t rp_goal_box_half(const rp_control_set_t *set);

/// @param search  borrowed until fini
/// @return RP_E_MEMORY
rp_status_t rp_goal_box_init(rp_goal_box_t *self, const rp_lattice_search_t *search);
void rp_goal_box_fini(rp_goal_box_t *self);

/// Bytes of its arrays, of OPEN as far as it was used.
uint64_t rp_goal_box_bytes(const rp_goal_box_t *self);

/// Begin anew round a cell, without an end. Time: O(poses), less than a nanosecond each.
void rp_goal_box_begin(rp_goal_box_t *self, uint32_t x, uint32_t y);

/// The goal is reached from a pose at a cost. Told before the first work; of two the cheaper
/// counts, and what is outside of the box does not.
void rp_goal_box_end(rp_goal_box_t *self, rp_lattice_pose_t pose, uint32_t cost);

/// Go on. @param budget  expansions, counted down
/// @return RP_OK when every cost is right; RP_MORE
rp_status_t rp_goal_box_work(rp_goal_box_t *self, uint64_t *budget);

/// Cells of the rim from which the goal can be reached, as seeds of the guide field.
/// @param seeds  written [(2 half + 1)^2]
/// @return how many
size_t rp_goal_box_seeds(const rp_goal_box_t *self, rp_guide_seed_t *seeds);

/// The child by which a pose of the box goes on to the goal. @return RP_CHILD_NONE: it is an end
uint16_t rp_goal_box_next(const rp_goal_box_t *self, rp_lattice_pose_t pose);

/// True when a change of a cell may change costs of the box.
bool rp_goal_box_covers(const rp_goal_box_t *self, uint32_t x, uint32_t y);

#endif
