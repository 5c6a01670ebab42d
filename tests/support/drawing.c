/// One pass over the text; everything else is told to grid or trial cell by cell.
#include "tests/support/drawing.h"

static bool read_place(rp_drawing_t *self, char sign, uint32_t place)
{
    uint8_t factor = 1;
    if (sign == '#') {
        factor = 0;
    } else if (sign >= '1' && sign <= '9') {
        factor = (uint8_t)(sign - '0');
    } else if (sign == 'S') {
        self->start = place;
    } else if (sign == 'G' && self->goal_count < RP_TRIAL_GOALS_MAX) {
        self->goals[self->goal_count++] = place;
    } else if (sign != '.') {
        return false;
    }
    self->factors[place] = factor;
    return true;
}

bool rp_drawing_read(rp_drawing_t *self, const char *text)
{
    *self = (rp_drawing_t){.start = RP_ORACLE_NO_PLACE};
    uint32_t place = 0;
    uint32_t column = 0;
    for (const char *sign = text;; sign++) {
        const bool is_end = *sign == '\0';
        if (is_end || *sign == '\n') {
            if (column == 0) {
                return is_end && self->height != 0; // a last line end is no row
            }
            self->width = self->height == 0 ? column : self->width;
            if (column != self->width) {
                return false;
            }
            self->height++;
            column = 0;
            if (is_end) {
                return true;
            }
            continue;
        }
        if (place == RP_DRAWING_PLACES_MAX || !read_place(self, *sign, place)) {
            return false;
        }
        place++;
        column++;
    }
}

static rp_grid_shape_t shape_of(const rp_drawing_t *self, uint8_t neighbors, bool wraps)
{
    return (rp_grid_shape_t){
        .width = self->width,
        .height = self->height,
        .neighbors = neighbors,
        .wraps = wraps,
        .unit = 1,
        .least = 1,
    };
}

rp_grid_t *rp_drawing_grid(const char *text, uint8_t neighbors, bool wraps)
{
    rp_drawing_t drawing;
    rp_grid_t *grid = NULL;
    if (!rp_drawing_read(&drawing, text)) {
        return NULL;
    }
    const rp_grid_shape_t shape = shape_of(&drawing, neighbors, wraps);
    if (rp_grid_new(&shape, &grid) == RP_OK) {
        rp_grid_fill(grid, drawing.factors);
    }
    return grid;
}

bool rp_drawing_try(const char *text, uint8_t neighbors, bool wraps, rp_trial_t *trial)
{
    rp_drawing_t drawing;
    if (!rp_drawing_read(&drawing, text)) {
        return false;
    }
    const rp_grid_shape_t shape = shape_of(&drawing, neighbors, wraps);
    const uint32_t places = shape.width * shape.height;
    bool is_weighted = false;
    for (uint32_t place = 0; place < places; place++) {
        is_weighted = is_weighted || drawing.factors[place] > 1;
    }
    const uint32_t capabilities = rp_planner_about(trial->planner)->capabilities;
    if ((is_weighted && (capabilities & RP_CAN_WEIGHTED) == 0) ||
        rp_trial_bind(trial, &shape) != RP_OK) {
        return false;
    }
    for (uint32_t place = 0; place < places; place++) {
        if (drawing.factors[place] != 1) {
            rp_trial_set(trial, place % shape.width, place / shape.width, drawing.factors[place]);
        }
    }
    if (drawing.start != RP_ORACLE_NO_PLACE) {
        rp_trial_set_start(trial, drawing.start % shape.width, drawing.start / shape.width);
    }
    rp_oracle_goal_t goals[RP_TRIAL_GOALS_MAX] = {0};
    for (uint32_t i = 0; i < drawing.goal_count; i++) {
        goals[i].place = drawing.goals[i];
    }
    return drawing.goal_count == 0 || rp_trial_set_goals(trial, goals, drawing.goal_count) == RP_OK;
}
