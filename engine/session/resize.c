/// A session in another window of its world.
#include "engine/session/driving/driver.h"
#include "engine/session/session_state.h"

rp_cell_t rp_session_moved_cell(const rp_grid_t *before, const rp_grid_t *grid,
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
    if (self->driver != NULL) {
        rp_driver_drop(self->driver);
    }
    rp_session_enter_group(self, NULL);
    rp_goal_group_leave(&self->layer->audience->groups, self->goal.rendezvous);
    self->goal.rendezvous = NULL;
}

static void lose_path(rp_session_t *self)
{
    rp_published_path_clear(&self->published.path, self->position.at);
    rp_way_fini(&self->published.way);
    if (self->driver != NULL) {
        rp_driver_stop(self->driver);
    }
    self->published.outcome = RP_ANSWER_NONE; // so that what comes next is new
}

void rp_session_resize(rp_session_t *self, const rp_grid_t *before, const rp_window_t *window)
{
    const rp_grid_t *grid = self->layer->grid;
    rp_frozen_search_forget(self->frozen, self);
    rp_session_stop_greedy_search(self);
    if (self->driver != NULL) {
        rp_driving_resize(self, before, window);
    }
    self->goal.count = 0; // its cells were the old world's
    self->goal.is_stale = true;
    self->position.cell = RP_NO_CELL;
    if (self->position.has_pose) {
        (void)rp_world_cell_at(self->world, self->position.x_m, self->position.y_m,
                               &self->position.cell);
    }
    self->position.from = self->position.is_beside
                              ? rp_session_moved_cell(before, grid, window, self->position.from)
                              : self->position.cell;
    self->position.is_beside = self->position.is_beside && self->position.from != RP_NO_CELL;
    self->position.from = self->position.is_beside ? self->position.from : self->position.cell;
    self->position.at = self->position.from;
    self->position.is_escaping = false;
    const bool has_way = rp_way_left(&self->published.way) != 0;
    self->published.way.at =
        has_way ? rp_session_moved_cell(before, grid, window, self->published.way.at)
                : self->position.at;
    self->published.path.at = rp_session_moved_cell(before, grid, window, self->published.path.at);
    self->published.path.end =
        rp_session_moved_cell(before, grid, window, self->published.path.end);
    self->validity.is_intact = false;
    if (!rp_answer_has_steps(self->published.outcome)) {
        self->published.path.at = self->position.at;
        return;
    }
    self->validity.is_strayed = self->published.path.at != RP_NO_CELL &&
                                self->published.path.end != RP_NO_CELL &&
                                (!has_way || self->published.way.at != RP_NO_CELL);
    if (!self->validity.is_strayed) {
        lose_path(self);
    }
}

void rp_session_settle(rp_session_t *self)
{
    const rp_grid_t *grid = self->layer->grid;
    if (!self->validity.is_strayed) {
        return;
    }
    self->validity.is_strayed = false;
    // Whether it is legal shows when the layer is derived; outside it could not even be looked at.
    if (rp_published_path_is_inside(&self->published.path, grid) &&
        rp_way_is_inside(&self->published.way, grid)) {
        rp_sectors_of_path(rp_session_sectors(self), grid, &self->published.path);
    } else {
        lose_path(self);
    }
}
