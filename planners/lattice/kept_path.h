/// @file
/// Kept path: proof that a path is still the cheapest, or within its bound, after cells became
/// obstacles or were freed, without a search.
///
/// What the last search left is enough: the costs g of the poses that it closed, and its consistent
/// bound h, with h' for the field as repaired since. Let T be the cost C of the path over w = 1 +
/// percent / 100. The path stands while no cell that it sweeps is blocked, and
///     (a) each field value that fell, at cell c, has straight(start, c) + h'(c) >= T, and
///     (b) each move from a closed pose u to v that a freed cell made legal has g(u) / w + cost +
///         h'(v) >= T, and what was driven since the search more.
/// A cheaper path would have a first new move (u, v): u is closed, then (b); or u was not closed,
/// then g(u) / w + h(u) >= T, and h'(u) is h(u), or (a).
///
/// Every freed cell is proved again whenever one is freed: a move may sweep several, and be legal
/// only when the last of them is free, whichever that is. While no cell that was blocked when the
/// search ran was freed, nothing that is freed is new: the search ran on all of it.
///
/// A search that ended by what was known before it left poses below T that are not closed: of such
/// a path nothing is proved after a cell is freed that was blocked then.
///
/// On uniform ground only.
#ifndef REPLAN_PLANNERS_LATTICE_KEPT_PATH_H
#define REPLAN_PLANNERS_LATTICE_KEPT_PATH_H

#include "planners/lattice/lattice_search.h"

typedef struct rp_touched_cell {
    rp_cell_t cell;
    bool was_blocked; ///< when the search ran
} rp_touched_cell_t;

/// Cells that came to block are looked up one by one, up to so many, but on a torus.
#define RP_KEPT_PATH_COME 16u

typedef struct rp_kept_path {
    bool is_known;     ///< a search left a path, and all that happened since is noted
    bool was_searched; ///< that search ran up to its bound
    bool has_freed;    ///< a cell that was blocked when the search ran was freed since
    bool has_news;     ///< since the last proof a cell was freed that may matter
    uint32_t cost;     ///< of the path
    uint32_t percent;  ///< within which of the cheapest it is
    uint32_t proved;   ///< cost of the path that the search found or confirmed, while only
                       ///< obstacles came since; 0: nothing is proved by it any more
    uint32_t driven;   ///< what it cost to come from where the search began to where it begins
    uint32_t start_x;
    uint32_t start_y;
    rp_touched_cell_t *touched; ///< owned; cells rewritten since the search [touched_count]
    size_t touched_count;
    size_t touched_capacity;
    rp_cell_t come[RP_KEPT_PATH_COME]; ///< that came to block since the path was last asked whether
                                       ///< it is broken, unless `come_count` says that there were
                                       ///< more
    uint32_t come_count;
} rp_kept_path_t;

void rp_kept_path_fini(rp_kept_path_t *self);

/// A search is over, and this path is what it left, from a start.
void rp_kept_path_begin(rp_kept_path_t *self, const rp_lattice_search_t *search, uint32_t cost,
                        uint32_t x, uint32_t y);

/// Obstacles broke the path, and this is another one, of which the same search, which was exact and
/// has not gone on since, proved that it is within the bound. What was noted stands.
/// @param driven  what it cost to come from where that began to where this begins
void rp_kept_path_go_on(rp_kept_path_t *self, uint32_t cost, uint32_t percent, uint32_t driven,
                        uint32_t x, uint32_t y);

/// A cell was rewritten. @param blocks  whether it blocks now
/// Time: O(cells noted since the search).
void rp_kept_path_note(rp_kept_path_t *self, rp_cell_t cell, bool was_blocked, bool blocks);

/// True when a cell blocks that the path sweeps, which all were free when it was found.
/// @param root      where it begins
/// @param children  the last one first [count]
/// Time: O(children * cells that came since it was asked last), or O(what the path sweeps).
bool rp_kept_path_is_broken(rp_kept_path_t *self, const rp_lattice_search_t *search,
                            rp_lattice_pose_t root, const uint16_t *children, size_t count);

/// True when a path that is not broken stands. With news the field must be consistent again, each
/// time; without, its values are no less than they were when the path was last proved, or than the
/// search had them.
/// Time: O(cells noted * poses round one) with news, else O(1).
bool rp_kept_path_holds(rp_kept_path_t *self, const rp_lattice_search_t *search);

#endif
