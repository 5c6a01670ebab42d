/// @file
/// Goal ends: how paths may end on a goal cell. With any heading, or with asked ones; then a box
/// (goal_box.h) knows the way to them, over last curves (first_curves.h) where they are no headings
/// of the lattice.
#ifndef REPLAN_PLANNERS_LATTICE_GOAL_ENDS_H
#define REPLAN_PLANNERS_LATTICE_GOAL_ENDS_H

#include "planners/lattice/first_curves.h"
#include "planners/lattice/goal_box.h"

typedef struct rp_goal_ends {
    const rp_lattice_search_t *search; ///< borrowed: its set, ground and obstacles count
    rp_lattice_goal_t goal;            ///< its cell RP_NO_CELL: none yet
    rp_first_curves_t last[2];         ///< to the yaws that were asked for
    rp_goal_box_t box;                 ///< zeroed until a goal has a heading
    rp_guide_seed_t *seeds;            ///< owned: of the box; NULL until then
    bool is_right;                     ///< the box is the goal's, and knows of all changes
    bool is_begun;                     ///< the box is on its way there
    bool has_ends;                     ///< it knows how paths end
} rp_goal_ends_t;

/// @param search  borrowed until fini
void rp_goal_ends_init(rp_goal_ends_t *self, const rp_lattice_search_t *search);
void rp_goal_ends_fini(rp_goal_ends_t *self);

/// Bytes of the box with its seeds, and of the last curves. Once made they stay.
uint64_t rp_goal_ends_bytes(const rp_goal_ends_t *self);

/// @return RP_E_INVALID: a yaw is not finite, or a tolerance below 0 or no number
rp_status_t rp_goal_ends_set(rp_goal_ends_t *self, const rp_lattice_goal_t *goal);

/// True when two goals ask for the same.
bool rp_lattice_goal_is_same(const rp_lattice_goal_t *a, const rp_lattice_goal_t *b);

static inline bool rp_goal_ends_has_heading(const rp_goal_ends_t *self)
{
    return self->goal.heading != RP_GOAL_FREE;
}

/// True when a path may end with a yaw.
bool rp_goal_ends_accepts(const rp_goal_ends_t *self, double yaw);

/// True when the body fits on the goal in some way that ends a path.
bool rp_goal_ends_is_open(const rp_goal_ends_t *self);

/// A cell was rewritten. @return whether ways to the goal may have changed
bool rp_goal_ends_note(rp_goal_ends_t *self, uint32_t x, uint32_t y);

/// Nothing is known of the ground any more.
void rp_goal_ends_forget(rp_goal_ends_t *self);

/// See that the box is right. @param budget  expansions, counted down
/// @return RP_OK, at once where any heading will do; RP_MORE; RP_E_MEMORY
rp_status_t rp_goal_ends_work(rp_goal_ends_t *self, uint64_t *budget);

/// Seeds for the guide field, of a box that is right.
/// @param count  written
/// @return ours until the next call
const rp_guide_seed_t *rp_goal_ends_seeds(rp_goal_ends_t *self, size_t *count);

/// The last curve of a path whose last pose on the lattice this is.
/// @param yaw  written with a curve: where that ends
/// @return NULL: the path ends there
const rp_first_curve_t *rp_goal_ends_curve(const rp_goal_ends_t *self, rp_lattice_pose_t pose,
                                           double *yaw);

#endif
