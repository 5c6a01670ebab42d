/// A session in another window of its world.
#include "engine/session/session.h"

/// The same place in another window. @return RP_NO_CELL when it lies outside
static rp_cell_t moved_cell(const rp_grid_t *before, const rp_grid_t *grid,
                            const rp_window_t *window, rp_cell_t cell)
{
    if (cell == RP_NO_CELL) {
        return RP_NO_CELL;
    }
    const int64_t x = (int64_t)rp_grid_x(before, cell) - window->x;
    const int64_t y = (int64_t)rp_grid_y(before, cell) - window->y;
    return rp_grid_contains(grid, x, y) ? rp_grid_cell(grid, (uint32_t)x, (uint32_t)y) : RP_NO_CELL;
}

void rp_session_forget(rp_session_t *self)
{
    rp_cached_planner_drop(&self->own);
    rp_session_enter_group(self, NULL);
    rp_goal_group_leave(&self->layer->audience->groups, self->rendezvous);
    self->rendezvous = NULL;
}

static void lose_path(rp_session_t *self)
{
    rp_published_path_clear(&self->published, self->at);
    rp_way_fini(&self->way);
    self->outcome = RP_ANSWER_NONE; // so that what comes next is new
}

void rp_session_resize(rp_session_t *self, const rp_grid_t *before, const rp_window_t *window)
{
    const rp_grid_t *grid = self->layer->grid;
    rp_frozen_search_forget(self->frozen, self);
    rp_session_stop_greedy_search(self);
    self->goal_count = 0; // its cells were the old world's
    self->goals_are_stale = true;
    self->stands_at = RP_NO_CELL;
    if (self->has_pose) {
        (void)rp_world_cell_at(self->world, self->x_m, self->y_m, &self->stands_at);
    }
    self->from = self->is_beside ? moved_cell(before, grid, window, self->from) : self->stands_at;
    self->is_beside = self->is_beside && self->from != RP_NO_CELL;
    self->from = self->is_beside ? self->from : self->stands_at;
    self->at = self->from;
    self->is_escaping = false;
    const bool has_way = rp_way_left(&self->way) != 0;
    self->way.at = has_way ? moved_cell(before, grid, window, self->way.at) : self->at;
    self->published.at = moved_cell(before, grid, window, self->published.at);
    self->published.end = moved_cell(before, grid, window, self->published.end);
    self->is_unhurt = false;
    self->is_provisional = false;
    if (!rp_answer_has_steps(self->outcome)) {
        self->published.at = self->at;
        return;
    }
    self->is_strayed = self->published.at != RP_NO_CELL && self->published.end != RP_NO_CELL &&
                       (!has_way || self->way.at != RP_NO_CELL);
    if (!self->is_strayed) {
        lose_path(self);
    }
}

void rp_session_settle(rp_session_t *self)
{
    const rp_grid_t *grid = self->layer->grid;
    if (!self->is_strayed) {
        return;
    }
    self->is_strayed = false;
    // Whether it is legal shows when the layer is laid; outside it could not even be looked at.
    if (rp_published_path_is_inside(&self->published, grid) && rp_way_is_inside(&self->way, grid)) {
        rp_tiles_of_path(rp_session_tiles(self), grid, &self->published);
    } else {
        lose_path(self);
    }
}
