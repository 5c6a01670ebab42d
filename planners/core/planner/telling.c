#include "planners/core/planner/telling.h"

void rp_telling_begin(rp_planner_t *self)
{
    self->instance.ops->begin(self->instance.state, self->start, self->goals.free,
                              self->goals.free_count);
    self->heard = self->grid->written;
    self->phase = RP_PLANNER_SEARCHING;
    self->answer = RP_PLANNER_OLD;
    rp_audit_forget(&self->audit);
}

void rp_telling_tell(rp_planner_t *self, const rp_change_t *changes, size_t count, uint32_t natives)
{
    const uint32_t needed = natives | (self->start != self->known_start ? RP_NATIVE_START : 0u) |
                            (self->goals_changed ? RP_NATIVE_GOAL : 0u);
    if (self->shown.left != 0) {
        rp_result_path_turn_back(&self->shown);
        self->answer = RP_PLANNER_OLD; // that was for where the start had gone
    }
    if (needed == 0) {
        return;
    }
    const rp_update_t update = {
        .changes = changes,
        .change_count = count,
        .goals = self->goals.free,
        .goal_count = self->goals.free_count,
        .start = self->start,
        .goals_changed = self->goals_changed,
        .start_moved = self->start != self->known_start,
        .shown = rp_planner_shown_path(self),
    };
    self->heard = self->grid->written;
    self->phase = RP_PLANNER_SEARCHING;
    self->answer = RP_PLANNER_OLD;
    self->is_split = count != 0 ? !self->was_asked : self->is_split;
    self->was_asked = self->was_asked && count == 0;
    rp_audit_forget(&self->audit);
    if (!rp_instance_can(&self->instance, needed) ||
        !self->instance.ops->update(self->instance.state, &update)) {
        rp_telling_begin(self);
        self->stats.restarts++;
    }
    self->known_start = self->start;
    self->goals_changed = false;
}

void rp_telling_bring_up_to_date(rp_planner_t *self)
{
    if (self->phase == RP_PLANNER_IDLE) {
        rp_telling_begin(self);
        self->known_start = self->start;
        self->goals_changed = false;
    } else {
        rp_change_log_merge(&self->change_log);
        rp_telling_tell(self, self->change_log.changes, self->change_log.count,
                        self->change_log.natives);
    }
    rp_change_log_clear(&self->change_log);
}
