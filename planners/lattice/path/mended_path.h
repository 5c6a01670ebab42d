/// @file
/// Mended path: a path that obstacles broke is mended by a search of its own, from one end of the
/// gap to the other (rp_old_path_t). That the new path is within the bound is what the search
/// proved that found the old one, if that was exact and ran up to its bound: obstacles take paths
/// away only. Until that is enough, the new search goes on to a proof of its own.
///
///     C' cost of the new path from the start, d driven from where the old search began to there
///     every path from there on costs C or more, the cheapest then, by the old search
///     C' is within the bound when C' <= w (C - d)
///
/// A bounded search proves nothing of that kind: it drops cheaper ways to poses that it has closed,
/// the goal's among them.
///
/// While no path is being mended, all of this is about the other search alone.
#ifndef REPLAN_PLANNERS_LATTICE_PATH_MENDED_PATH_H
#define REPLAN_PLANNERS_LATTICE_PATH_MENDED_PATH_H

#include "planners/lattice/kept_path.h"

typedef struct rp_mended_path {
    rp_lattice_search_t search; ///< its set NULL: it is not made
    rp_kept_path_t *kept;       ///< borrowed: what the old search proved
    rp_lattice_search_t *old;   ///< borrowed
    bool is_used;               ///< a path is being mended
    bool is_proved;             ///< by the old search: its path is within the bound
    uint32_t percent;           ///< of the bound
    uint32_t driven;            ///< from where the old search began
    uint64_t turn_left;         ///< expansions
} rp_mended_path_t;

static inline void rp_mended_path_init(rp_mended_path_t *self, rp_kept_path_t *kept,
                                       rp_lattice_search_t *old)
{
    *self = (rp_mended_path_t){.kept = kept, .old = old};
}

static inline void rp_mended_path_fini(rp_mended_path_t *self)
{
    rp_lattice_search_fini(&self->search);
}

/// Mend a path that begins where `driven` leads, if that can be. The search is to be begun then,
/// whichever it is. The old one had a pose of the lattice as root.
void rp_mended_path_begin(rp_mended_path_t *self, uint32_t percent, uint32_t driven);

/// The search that looks for a path.
static inline rp_lattice_search_t *rp_mended_path_searching(rp_mended_path_t *self)
{
    return self->is_used ? &self->search : self->old;
}

/// Go on. @param budget  expansions, counted down
/// @return RP_OK: the search is over, or its path is proved to be within the bound; RP_MORE
rp_status_t rp_mended_path_work(rp_mended_path_t *self, uint64_t *budget);

/// No path from the start costs less, after work.
uint32_t rp_mended_path_bound(const rp_mended_path_t *self);

/// The path is kept from now on, by what proved it.
/// @param cost  of the path, which has neither a first nor a last curve
/// @param x,y   cell where it begins
void rp_mended_path_keep(rp_mended_path_t *self, uint32_t cost, uint32_t x, uint32_t y);

#endif
