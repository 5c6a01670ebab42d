/// @file
/// Interest index: per session, the bounds that rule out most changes without touching the session
/// (a broad phase). Stored as parallel arrays, 16 sessions per block. What is not ruled out goes
/// to the narrow phase, rp_session_is_affected().
///
/// An entry is as of the time when its session last became sure. An agent that walks on along its
/// path needs less than its entry says; any other event makes its session unsure.
#ifndef REPLAN_ENGINE_SESSION_INTEREST_INDEX_H
#define REPLAN_ENGINE_SESSION_INTEREST_INDEX_H

#include "engine/paths/change_impact.h"

typedef struct rp_session rp_session_t;
typedef struct rp_goal_group rp_goal_group_t;

/// Entries of a block, which are tested together.
#define RP_INTEREST_BLOCK 16u

/// What a broad phase reads. A session that was not planned for yet has no place and no reach: no
/// change concerns it.
typedef struct rp_interest_block {
    uint32_t asks; ///< one bit each: it is asked about every change, as its path is not optimal
                   ///< (nor as good as one by way of its rendezvous may be)
    uint64_t quarters[RP_INTEREST_BLOCK]; ///< where its path runs, as rp_sectors_quarters()
    float reach[RP_INTEREST_BLOCK]; ///< cell lengths: if start - place - goals is longer than this,
                                    ///< no path through the place can be cheaper than its own
    uint16_t x[RP_INTEREST_BLOCK];  ///< its start
    uint16_t y[RP_INTEREST_BLOCK];
    uint16_t left[RP_INTEREST_BLOCK]; ///< a rectangle that holds its goals, all inclusive
    uint16_t top[RP_INTEREST_BLOCK];
    uint16_t right[RP_INTEREST_BLOCK];
    uint16_t bottom[RP_INTEREST_BLOCK];
} rp_interest_block_t;

/// What is read of a session that a broad phase did not rule out.
typedef struct rp_interest {
    rp_session_t *session;  ///< borrowed
    rp_goal_group_t *group; ///< of the session, borrowed; NULL: none
    uint64_t term;          ///< of its group's search, when that knows its path; else 0
    uint64_t units;         ///< what that search said it costs
    rp_cell_t start;        ///< as its x and y
    uint32_t next;     ///< place of another one of its group that is asked too, from 1; 0: none
    bool may_be_worse; ///< it is asked as its path may be dearer, or for more
    bool is_untested;  ///< no budget was left to ask it: that comes in its turn
} rp_interest_t;

typedef struct rp_interest_index {
    rp_interest_block_t *blocks; ///< owned [capacity / RP_INTEREST_BLOCK]
    rp_sectors_t *sectors;       ///< where their paths run, owned [capacity]
    rp_interest_t *list;         ///< owned [capacity]
    uint32_t count;
    uint32_t capacity;
} rp_interest_index_t;

/// What a version changed, for a broad phase.
typedef struct rp_broad_phase {
    bool asks_all;               ///< nothing more is known of it
    const rp_sectors_t *sectors; ///< where something became dearer, borrowed from the impact
    uint64_t dearer;             ///< the quarters of these
    uint8_t first_word;          ///< of the sectors, all that are in some stand in words from here
    uint8_t last_word;           ///< up to here
    bool has_cheaper;
    int32_t left; ///< the rectangle of what became cheaper, all inclusive
    int32_t top;
    int32_t right;
    int32_t bottom;
    float diagonal; ///< what a step aside costs beyond the one ahead, in cell lengths
} rp_broad_phase_t;

void rp_interest_index_fini(rp_interest_index_t *self);

/// Add a session; no change concerns it yet.
/// @param session  borrowed until it is removed
/// @param place    written on RP_OK
/// @return RP_E_MEMORY; nothing is added then
rp_status_t rp_interest_index_add(rp_interest_index_t *self, rp_session_t *session,
                                  uint32_t *place);

/// Remove the session at a place.
/// @return the session that stands there from now on, which was the last one; NULL when it was
///         itself the last
rp_session_t *rp_interest_index_remove(rp_interest_index_t *self, uint32_t place);

/// A path that is as cheap as any, as the index is told of it.
typedef struct rp_interest_path {
    const rp_grid_t *grid;
    rp_standing_t standing;
    bool asks;      ///< it is to be asked about every change all the same
    uint64_t term;  ///< of its group's search, when that knows the path to be the cheapest; else 0
    uint64_t units; ///< what that search said it costs
} rp_interest_path_t;

/// The session at a place is sure of its answer now.
/// @param path  NULL: its answer is no cheapest path, and every change is its concern. Where it
///              runs was written to `sectors` at its place before
void rp_interest_index_note(rp_interest_index_t *self, uint32_t place,
                            const rp_interest_path_t *path);

/// It is to be asked about every change until it is sure again.
void rp_interest_index_ask(rp_interest_index_t *self, uint32_t place);

/// @param impact  borrowed as long as the broad phase; NULL when not all of it is known
rp_broad_phase_t rp_broad_phase_of(const rp_change_impact_t *impact);

/// Which sessions of a block a change may concern: a bit each, the first one lowest.
typedef struct rp_affected_block {
    uint32_t asks;  ///< it must be asked
    uint32_t near;  ///< its path runs through a quarter where something became dearer
    uint32_t rival; ///< something became cheaper where a cheaper path could run
} rp_affected_block_t;

/// Test a block of sessions. This is done for every session at every version.
/// @param block  less than rp_interest_index_blocks(); bits of unused places are 0
rp_affected_block_t rp_interest_index_look(const rp_interest_index_t *self,
                                           const rp_broad_phase_t *broad_phase, uint32_t block);

/// True when the path of a session that is `near` runs through a sector where something became
/// dearer.
static inline bool rp_interest_index_enter(const rp_interest_index_t *self,
                                           const rp_broad_phase_t *broad_phase, uint32_t place)
{
    uint64_t both = 0;
    for (unsigned i = broad_phase->first_word; i <= broad_phase->last_word; i++) {
        both |= self->sectors[place].words[i] & broad_phase->sectors->words[i];
    }
    return both != 0;
}

/// Prefetch an interest, and what rp_interest_index_enter() reads.
static inline void rp_interest_index_prefetch(const rp_interest_index_t *self,
                                              const rp_broad_phase_t *broad_phase, uint32_t place)
{
    __builtin_prefetch(&self->list[place]);
    __builtin_prefetch(&self->sectors[place].words[broad_phase->first_word]);
}

/// Blocks in use, the last one may be filled in part.
static inline uint32_t rp_interest_index_blocks(const rp_interest_index_t *self)
{
    return (self->count + RP_INTEREST_BLOCK - 1u) / RP_INTEREST_BLOCK;
}

#endif
