/// Plays a script, or asks once on a map, with planners that tell each cell which they expand. The
/// program links members that are compiled with REPLAN_TRACE before those of the library.
#include "tools/draw/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/load.h"
#include "replan/trace.h"
#include "tools/change_batch.h"
#include "tools/commands.h"

/// What rp_trace() hears while a plan is made.
static struct {
    const rp_grid_t *grid; ///< NULL: nobody listens
    rp_seen_cell_t *seen;
    size_t count;
    size_t capacity;
    bool is_short;
} heard;

bool rp_trace(rp_cell_t cell, rp_trace_kind_t kind)
{
    if (heard.grid == NULL || heard.is_short || cell == RP_NO_CELL) {
        return heard.grid != NULL;
    }
    if (!rp_array_reserve(&heard.seen, &heard.capacity, heard.count + 1u, sizeof *heard.seen)) {
        heard.is_short = true;
        return false;
    }
    const uint32_t place =
        rp_grid_y(heard.grid, cell) * heard.grid->shape.width + rp_grid_x(heard.grid, cell);
    heard.seen[heard.count++] = (rp_seen_cell_t){.cell = place, .kind = (uint8_t)kind};
    return true;
}

void rp_drawn_search_fini(rp_drawn_search_t *self)
{
    free(self->factors);
    free(self->seen);
    free(self->path);
    free(self->segments);
}

static int lacks(const rp_drawn_search_t *self, rp_status_t status)
{
    fprintf(stderr, "%s: %s\n", self->options.program, rp_status_text(status));
    return status == RP_E_UNSUPPORTED ? RP_EXIT_UNSUPPORTED : RP_EXIT_INPUT;
}

static bool take_path(rp_drawn_search_t *self, const rp_grid_t *grid, const rp_path_t *path)
{
    self->path = malloc((path->count + 1u) * sizeof *self->path);
    for (uint32_t i = 0; self->path != NULL && i < path->count; i++) {
        self->path[self->path_count++] =
            rp_grid_y(grid, path->cells[i]) * self->width + rp_grid_x(grid, path->cells[i]);
    }
    return self->path != NULL;
}

/// The curve of a lattice, in place of its path of cells.
static bool take_segments(rp_drawn_search_t *self, const rp_lattice_plan_t *plan)
{
    const size_t bytes = plan->segment_count * sizeof *self->segments;
    if (bytes > 0) {
        self->segments = malloc(bytes);
        if (self->segments == NULL) {
            return false;
        }
        memcpy(self->segments, plan->segments, bytes);
        self->segment_count = plan->segment_count;
        self->path_count = 0;
    }
    return true;
}

/// Make one plan, which is drawn. @return an exit code
static int plan_and_listen(rp_drawn_search_t *self, rp_setup_t *setup)
{
    rp_plan_t plan;
    heard.grid = setup->grid;
    const rp_status_t status = rp_setup_plan(setup, &plan);
    heard.grid = NULL;
    self->seen = heard.seen;
    self->seen_count = heard.count;
    if (status != RP_OK) {
        return lacks(self, status);
    }
    if (heard.is_short || !take_path(self, setup->grid, &plan.path)) {
        return lacks(self, RP_E_MEMORY);
    }
    if (!take_segments(self, &setup->curves)) {
        return lacks(self, RP_E_MEMORY);
    }
    printf("%s: %s, cost %.2f, expanded %llu\n", plan.stats.planner, rp_outcome_text(plan.outcome),
           plan.cost, (unsigned long long)plan.stats.expanded);
    return RP_EXIT_FINE;
}

// ---- a map

static bool take_map(rp_drawn_search_t *self, rp_map_t *map)
{
    const size_t count = (size_t)map->width * map->height;
    self->width = map->width;
    self->height = map->height;
    self->flips = map->profile == RP_MAP_COSTMAP;
    self->unit = rp_map_unit(map->profile);
    self->factors = malloc(count);
    for (size_t i = 0; self->factors != NULL && i < count; i++) {
        self->factors[i] = rp_map_factor(map->profile, map->bytes[i]);
    }
    return self->factors != NULL;
}

static bool is_weighted(const rp_drawn_search_t *self)
{
    bool weighted = false;
    for (size_t i = 0; i < (size_t)self->width * self->height && !weighted; i++) {
        weighted = self->factors[i] != 0 && self->factors[i] != self->unit;
    }
    return weighted;
}

static bool is_inside(const rp_drawn_search_t *self, const char *option, const uint64_t *place)
{
    const bool inside = place[0] < self->width && place[1] < self->height;
    if (!inside) {
        fprintf(stderr, "%s: %s is outside of the %u x %u cells\n", self->options.program, option,
                self->width, self->height);
    }
    return inside;
}

static int ask_once(rp_drawn_search_t *self)
{
    const rp_grid_shape_t shape = {
        .width = self->width,
        .height = self->height,
        .neighbors = self->options.neighbors != 0 ? self->options.neighbors : 8,
        .unit = self->unit,
        .least = self->unit,
    };
    if (!is_inside(self, "--start", self->start) || !is_inside(self, "--goal", self->goal)) {
        return RP_EXIT_INPUT;
    }
    rp_setup_t setup;
    int code = rp_setup_init(&setup, &self->options, &shape, self->factors, is_weighted(self));
    if (code == RP_EXIT_FINE) {
        const rp_cell_t start =
            rp_grid_cell(setup.grid, (uint32_t)self->start[0], (uint32_t)self->start[1]);
        const rp_cell_t goal =
            rp_grid_cell(setup.grid, (uint32_t)self->goal[0], (uint32_t)self->goal[1]);
        rp_status_t status = rp_setup_set_start(&setup, start, self->yaw);
        status = status != RP_OK ? status : rp_setup_set_goal(&setup, goal, self->goal_yaw);
        code = status == RP_OK ? plan_and_listen(self, &setup) : lacks(self, status);
    }
    rp_setup_fini(&setup);
    return code;
}

// ---- a script

typedef struct play {
    rp_drawn_search_t *drawn;
    rp_sequence_t sequence;
    rp_setup_t setup;
    rp_change_batch_t batch;
} play_t;

static void fill_world(const rp_drawn_search_t *self, const rp_step_t *step, uint32_t width,
                       uint32_t height, const uint8_t *factors)
{
    for (uint32_t i = 0; i < width * height; i++) {
        const size_t place = (size_t)(step->y + i / width) * self->width + step->x + i % width;
        self->factors[place] = factors != NULL ? factors[i] : step->factor;
    }
}

static rp_status_t change_rect(play_t *self, const rp_step_t *step, uint32_t width, uint32_t height)
{
    rp_status_t status = RP_OK;
    for (uint32_t i = 0; i < width * height && status == RP_OK; i++) {
        const uint32_t x = step->x + i % width;
        const uint32_t y = step->y + i / width;
        if (self->batch.count == RP_CHANGE_BATCH_MOST) {
            status = rp_setup_tell(&self->setup, &self->batch);
        }
        rp_change_batch_set(&self->batch, rp_grid_cell(self->setup.grid, x, y),
                            self->drawn->factors[(size_t)y * self->drawn->width + x]);
    }
    return status;
}

static rp_status_t change_world(play_t *self, const rp_step_t *step)
{
    const rp_patch_t *patch =
        step->kind == RP_STEP_PATCH ? &self->sequence.patches[step->index] : NULL;
    const uint32_t width = patch != NULL ? patch->width : step->width;
    const uint32_t height = patch != NULL ? patch->height : step->height;
    fill_world(self->drawn, step, width, height,
               patch != NULL ? self->sequence.patch_factors + patch->first : NULL);
    return self->setup.grid != NULL ? change_rect(self, step, width, height) : RP_OK;
}

static rp_status_t set_end(play_t *self, const rp_step_t *step)
{
    const bool is_start = step->kind == RP_STEP_START;
    uint64_t *end = is_start ? self->drawn->start : self->drawn->goal;
    end[0] = step->x;
    end[1] = step->y;
    if (self->setup.grid == NULL) {
        return RP_OK;
    }
    const rp_cell_t cell = rp_grid_cell(self->setup.grid, step->x, step->y);
    return is_start
               ? rp_setup_set_start(&self->setup, cell, rp_sequence_yaw(&self->sequence, step, 0.0))
               : rp_setup_set_goal(&self->setup, cell, rp_sequence_yaw(&self->sequence, step, NAN));
}

/// @return an exit code; `is_drawn` when this was the plan that is drawn
static int make_plan(play_t *self, const rp_step_t *step, bool *is_drawn)
{
    rp_plan_t plan;
    const bool is_last = step->index + 1u == self->sequence.plan_count;
    *is_drawn = step->index == self->drawn->plan || (is_last && self->drawn->plan == UINT64_MAX);
    self->drawn->has_ends = self->setup.grid != NULL;
    if (self->setup.grid == NULL) {
        return RP_EXIT_FINE;
    }
    rp_status_t status = rp_setup_tell(&self->setup, &self->batch);
    if (status == RP_OK && *is_drawn) {
        return plan_and_listen(self->drawn, &self->setup);
    }
    if (status == RP_OK) {
        status = rp_setup_plan(&self->setup, &plan);
    }
    return status == RP_OK ? RP_EXIT_FINE : lacks(self->drawn, status);
}

static int play_steps(play_t *self)
{
    bool is_drawn = false;
    int code = RP_EXIT_FINE;
    for (size_t i = 0; i < self->sequence.step_count && code == RP_EXIT_FINE && !is_drawn; i++) {
        const rp_step_t *step = &self->sequence.steps[i];
        rp_status_t status = RP_OK;
        if (step->kind == RP_STEP_SET || step->kind == RP_STEP_PATCH) {
            status = change_world(self, step);
        } else if (step->kind == RP_STEP_PLAN) {
            code = make_plan(self, step, &is_drawn);
        } else {
            status = set_end(self, step);
        }
        code = status != RP_OK ? lacks(self->drawn, status) : code;
    }
    if (code == RP_EXIT_FINE && !is_drawn && self->drawn->plan != UINT64_MAX) {
        fprintf(stderr, "%s: --plan %llu: the script has %u plans, from 0\n",
                self->drawn->options.program, (unsigned long long)self->drawn->plan,
                self->sequence.plan_count);
        code = RP_EXIT_INPUT;
    }
    return code;
}

static int begin_play(play_t *self)
{
    rp_drawn_search_t *drawn = self->drawn;
    const rp_sequence_t *sequence = &self->sequence;
    const size_t count = (size_t)sequence->width * sequence->height;
    const rp_grid_shape_t shape = {
        .width = sequence->width,
        .height = sequence->height,
        .neighbors = drawn->options.neighbors != 0 ? drawn->options.neighbors : sequence->neighbors,
        .wraps = sequence->wraps,
        .unit = 1,
        .least = 1,
    };
    drawn->width = sequence->width;
    drawn->height = sequence->height;
    drawn->wraps = sequence->wraps;
    drawn->unit = 1;
    drawn->factors = malloc(count);
    if (drawn->factors == NULL) {
        return lacks(drawn, RP_E_MEMORY);
    }
    memset(drawn->factors, 1, count);
    if (sequence->factors != NULL) {
        memcpy(drawn->factors, sequence->factors, count);
    }
    if (drawn->options.planner == NULL) {
        return RP_EXIT_FINE;
    }
    const int code = rp_setup_init(&self->setup, &drawn->options, &shape, drawn->factors,
                                   sequence->weighted_line != 0);
    const bool is_short =
        code == RP_EXIT_FINE && rp_change_batch_init(&self->batch, self->setup.grid) != RP_OK;
    return is_short ? lacks(drawn, RP_E_MEMORY) : code;
}

static int play(rp_drawn_search_t *self, const char *path)
{
    play_t game = {.drawn = self};
    rp_complaint_t complaint;
    if (rp_sequence_load(path, &game.sequence, &complaint) != RP_OK) {
        fprintf(stderr, "%s\n", complaint.sentence);
        return RP_EXIT_INPUT;
    }
    int code = begin_play(&game);
    if (code == RP_EXIT_FINE) {
        code = play_steps(&game);
    }
    rp_change_batch_fini(&game.batch);
    rp_setup_fini(&game.setup);
    rp_sequence_fini(&game.sequence);
    return code;
}

// ---- either

static bool is_script(const char *path)
{
    char head[16] = "";
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    if (file != NULL) {
        head[fread(head, 1, sizeof head - 1u, file)] = '\0';
        fclose(file);
    }
    return file == NULL
               ? strcmp(path, "-") == 0
               : strncmp(head, "replan-script", 13) == 0 || strncmp(head, "version 2", 9) == 0;
}

static int load_map(rp_drawn_search_t *self, const char *path)
{
    rp_map_t map = {.width = self->width, .height = self->height};
    rp_complaint_t complaint;
    if (path != NULL && rp_map_load(path, &map, &complaint) != RP_OK) {
        fprintf(stderr, "%s\n", complaint.sentence);
        return RP_EXIT_INPUT;
    }
    if (path == NULL) {
        map.bytes = malloc((size_t)map.width * map.height);
        if (map.bytes != NULL) {
            memset(map.bytes, 1, (size_t)map.width * map.height);
        }
    }
    const bool is_fine = map.bytes != NULL && take_map(self, &map);
    rp_map_fini(&map);
    return is_fine ? RP_EXIT_FINE : lacks(self, RP_E_MEMORY);
}

int rp_drawn_search_load(rp_drawn_search_t *self, const char *path)
{
    if (path != NULL && is_script(path)) {
        return play(self, path);
    }
    const int code = load_map(self, path);
    self->has_ends = self->asks;
    return code == RP_EXIT_FINE && self->asks ? ask_once(self) : code;
}
