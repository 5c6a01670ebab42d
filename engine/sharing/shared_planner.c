/// Who holds the planner that sessions share.
#include "engine/sharing/shared_planner.h"

#include <stddef.h>

void rp_shared_planner_lend(rp_shared_planner_t *self, rp_cached_planner_t *to)
{
    unsigned place = 0;
    while (place < RP_LENT_MAX && self->lent[place] != NULL) {
        place++;
    }
    rp_cached_planner_take(to, &self->common);
    if (place < RP_LENT_MAX) {
        self->lent[place] = to;
        to->loan = &self->lent[place];
    }
}

void rp_shared_planner_give(rp_cached_planner_t *lent)
{
    if (lent->loan != NULL) {
        *lent->loan = NULL;
        lent->loan = NULL;
    }
}

void rp_shared_planner_recall(rp_shared_planner_t *self)
{
    for (unsigned i = 0; i < RP_LENT_MAX && self->common.planner == NULL; i++) {
        rp_cached_planner_t *lent = self->lent[i];
        if (lent != NULL && !lent->is_under_way) {
            rp_shared_planner_give(lent);
            rp_cached_planner_take(&self->common, lent);
        }
    }
}

bool rp_shared_planner_is_out(const rp_shared_planner_t *self)
{
    bool is_out = self->common.planner == NULL;
    for (unsigned i = 0; i < RP_LENT_MAX; i++) {
        is_out = is_out && self->lent[i] != NULL && self->lent[i]->is_under_way;
    }
    return is_out;
}
