/// One planner on one grid. Cells are told to the planner as they are written.
#include <stdlib.h>
#include <string.h>

#include "clients/wasm/module/exports.h"
#include "clients/wasm/module/numbers.h"
#include "files/map.h"

struct rp_js_planner {
    rp_grid_t *grid;
    rp_planner_t *planner;
    rp_map_profile_t profile;
    rp_change_t *changes; ///< of one call
    size_t capacity;
    uint32_t *cells; ///< x, y of the newest path
    size_t cell_capacity;
    double told[RP_JS_PLAN_TOLD];
};

const char *rp_js_status_text(rp_status_t status)
{
    return rp_status_text(status);
}

bool rp_js_planner_info(uint32_t index, double *told)
{
    const rp_planner_info_t *info = rp_planner_info(index);
    if (info == NULL) {
        return false;
    }
    told[0] = rp_js_place(info->id);
    told[1] = rp_js_place(info->paper);
    told[2] = rp_js_place(info->guarantee);
    told[3] = info->capabilities;
    told[4] = info->bytes_per_cell;
    return true;
}

// ---- writing

static bool reserve(rp_js_planner_t *self, size_t count)
{
    if (count > self->capacity) {
        rp_change_t *changes = realloc(self->changes, count * sizeof *changes);
        if (changes == NULL) {
            return false;
        }
        self->changes = changes;
        self->capacity = count;
    }
    return true;
}

/// Note a cell if its factor changes. @return number of notes
static size_t note(rp_js_planner_t *self, size_t count, rp_cell_t cell, uint8_t byte)
{
    const uint8_t factor = rp_map_factor(self->profile, byte);
    if (self->grid->factor[cell] != factor) {
        self->changes[count++] = (rp_change_t){.cell = cell, .after = factor};
    }
    return count;
}

static rp_status_t write_noted(rp_js_planner_t *self, size_t count)
{
    rp_grid_write(self->grid, self->changes, count);
    const rp_status_t status = rp_planner_apply(self->planner, self->changes, count);
    if (status != RP_OK) {
        rp_planner_start_over(self->planner);
    }
    return status;
}

rp_status_t rp_js_planner_write(rp_js_planner_t *self, uint32_t x, uint32_t y, uint32_t width,
                                uint32_t height, const uint8_t *data, uint8_t fill)
{
    size_t count = 0;
    if (!reserve(self, (size_t)width * height)) {
        return RP_E_MEMORY;
    }
    for (uint32_t row = 0; row < height; row++) {
        const rp_cell_t first = rp_grid_cell(self->grid, x, y + row);
        for (uint32_t i = 0; i < width; i++) {
            const uint8_t byte = data != NULL ? data[(size_t)row * width + i] : fill;
            count = note(self, count, first + i, byte);
        }
    }
    return write_noted(self, count);
}

rp_status_t rp_js_planner_write_cells(rp_js_planner_t *self, const uint32_t *cells,
                                      const uint8_t *values, size_t count, uint8_t value)
{
    const uint32_t width = self->grid->shape.width;
    size_t noted = 0;
    if (!reserve(self, count)) {
        return RP_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const rp_cell_t cell = rp_grid_cell(self->grid, cells[i] % width, cells[i] / width);
        noted = note(self, noted, cell, values != NULL ? values[i] : value);
    }
    return write_noted(self, noted);
}

// ---- planning

rp_status_t rp_js_planner_start(rp_js_planner_t *self, uint32_t x, uint32_t y)
{
    return rp_planner_set_start(self->planner, rp_grid_cell(self->grid, x, y));
}

rp_status_t rp_js_planner_goals(rp_js_planner_t *self, const uint32_t *goals, size_t count)
{
    rp_goal_t *list = malloc((count + 1u) * sizeof *list);
    if (list == NULL) {
        return RP_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t *goal = &goals[3u * i];
        list[i] = (rp_goal_t){rp_grid_cell(self->grid, goal[0], goal[1]), goal[2]};
    }
    const rp_status_t status = rp_planner_set_goals(self->planner, list, count);
    free(list);
    return status;
}

/// Write the path as x, y by cell. @return false without memory
static bool tell_cells(rp_js_planner_t *self, const rp_path_t *path)
{
    if (path->count > self->cell_capacity) {
        uint32_t *cells = realloc(self->cells, path->count * 2u * sizeof *cells);
        if (cells == NULL) {
            return false;
        }
        self->cells = cells;
        self->cell_capacity = path->count;
    }
    for (uint32_t i = 0; i < path->count; i++) {
        self->cells[2u * i] = rp_grid_x(self->grid, path->cells[i]);
        self->cells[2u * i + 1u] = rp_grid_y(self->grid, path->cells[i]);
    }
    return true;
}

rp_status_t rp_js_planner_plan(rp_js_planner_t *self, double budget)
{
    rp_plan_t plan;
    const rp_status_t status = rp_planner_plan(self->planner, rp_js_whole(budget), &plan);
    if (status != RP_OK) {
        return status;
    }
    if (!tell_cells(self, &plan.path)) {
        return RP_E_MEMORY;
    }
    double *told = self->told;
    told[RP_JS_PLAN_OUTCOME] = plan.outcome;
    told[RP_JS_PLAN_COST] = plan.cost;
    told[RP_JS_PLAN_CELLS] = rp_js_place(self->cells);
    told[RP_JS_PLAN_COUNT] = plan.path.count;
    told[RP_JS_PLAN_EXPANDED] = (double)plan.stats.expanded;
    told[RP_JS_PLAN_GENERATED] = (double)plan.stats.generated;
    told[RP_JS_PLAN_RESTARTS] = plan.stats.restarts;
    told[RP_JS_PLAN_BYTES] = (double)plan.stats.bytes;
    told[RP_JS_PLAN_PLANNER] = rp_js_place(plan.stats.planner);
    told[RP_JS_PLAN_WHY] = rp_js_place(plan.stats.why);
    return RP_OK;
}

bool rp_js_planner_idle(rp_js_planner_t *self, double budget)
{
    uint64_t left = rp_js_whole(budget);
    return rp_planner_idle(self->planner, &left) == RP_MORE;
}

// ---- birth and end

const double *rp_js_planner_told(const rp_js_planner_t *self)
{
    return self->told;
}

rp_status_t rp_js_planner_new(const char *id, uint32_t width, uint32_t height, uint32_t neighbors,
                              bool wraps, bool is_costmap, rp_js_planner_t **planner)
{
    const rp_map_profile_t profile = is_costmap ? RP_MAP_COSTMAP : RP_MAP_FACTOR;
    const rp_grid_shape_t shape = {.width = width,
                                   .height = height,
                                   .neighbors = (uint8_t)neighbors,
                                   .wraps = wraps,
                                   .unit = rp_map_unit(profile),
                                   .least = rp_map_unit(profile)};
    rp_js_planner_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->profile = profile;
    rp_status_t status = rp_grid_new(&shape, &self->grid);
    if (status == RP_OK) {
        status = rp_planner_new(id, NULL, &self->planner);
    }
    if (status == RP_OK) {
        status = rp_planner_bind(self->planner, self->grid);
    }
    if (status != RP_OK) {
        rp_js_planner_close(self);
        return status;
    }
    *planner = self;
    return RP_OK;
}

void rp_js_planner_close(rp_js_planner_t *self)
{
    rp_planner_destroy(&self->planner);
    rp_grid_destroy(&self->grid);
    free(self->changes);
    free(self->cells);
    free(self);
}
