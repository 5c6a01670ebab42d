/// @file
/// What leads a search to a goal: the ground, the field on its layer, and what the field has not
/// heard of yet. Where only obstacles came since it heard of all, a field that is behind is a lower
/// bound all the same, and may be searched on for a while: then its repair keeps nobody waiting.
/// Where that is in vain it is repaired near the way of before, and searched on for longer; then
/// everywhere.
#ifndef REPLAN_PLANNERS_GUIDE_GUIDE_LEAD_H
#define REPLAN_PLANNERS_GUIDE_GUIDE_LEAD_H

#include "planners/guide/guide_field.h"
#include "planners/guide/guide_ground.h"

typedef struct rp_guide_lead {
    rp_guide_ground_t ground;
    rp_guide_field_t field;
    rp_cell_t goal;               ///< that the field shall lead to
    const rp_guide_seed_t *seeds; ///< borrowed: round the goal [seed_count]; NULL: the goal itself
    size_t seed_count;
    bool is_other;       ///< the field leads elsewhere
    bool seeds_wait;     ///< the field has not heard of the seeds
    bool is_hasty;       ///< the field is behind, and is searched on
    bool is_near;        ///< it has heard of all, and is repaired near the way of before
    uint64_t hasty_left; ///< expansions that such a search still has
} rp_guide_lead_t;

/// As rp_guide_ground_init(). @return RP_E_MEMORY. Time: O(1)
rp_status_t rp_guide_lead_init(rp_guide_lead_t *self, const rp_grid_t *grid, uint32_t reach,
                               double body, uint32_t spread);
void rp_guide_lead_fini(rp_guide_lead_t *self);
uint64_t rp_guide_lead_bytes(const rp_guide_lead_t *self);

/// See that the ground is made, anew where costs were rescaled or memory was short.
/// @param is_anew  set then: there is no field, and nothing that was made of the old costs stands
/// @return RP_OK, at once when it is made; RP_MORE; RP_E_MEMORY
rp_status_t rp_guide_lead_see_ground(rp_guide_lead_t *self, bool *is_anew, uint64_t *budget);

/// Lead to a goal.
/// @param seeds     as of rp_guide_field_begin_from(), borrowed until the next call; NULL: none
/// @param is_other  it is another goal than before, not one with other seeds
void rp_guide_lead_aim(rp_guide_lead_t *self, rp_cell_t goal, const rp_guide_seed_t *seeds,
                       size_t count, bool is_other);

/// True when the field has not heard of something.
bool rp_guide_lead_is_behind(const rp_guide_lead_t *self);

/// Tell the field of all that happened. @return RP_OK, RP_MORE, RP_E_MEMORY
rp_status_t rp_guide_lead_tell(rp_guide_lead_t *self, uint64_t *budget);

/// Choose whether a search may be hasty.
void rp_guide_lead_choose(rp_guide_lead_t *self);

/// A hasty search was in vain: see to it that the next one knows more.
void rp_guide_lead_calm(rp_guide_lead_t *self);

/// See that the field leads from a cell to the goal, as was chosen.
/// @param level  as of rp_guide_field_lead()
/// @return RP_OK, RP_MORE, RP_E_MEMORY
rp_status_t rp_guide_lead_see(rp_guide_lead_t *self, rp_cell_t from, uint32_t *level,
                              uint64_t *budget);

#endif
