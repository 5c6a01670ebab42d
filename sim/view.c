/// The terminal view.
#include "sim/view.h"

#include <inttypes.h>
#include <ncurses.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msgs/splitmix.h"

#define ABOVE    3 ///< rows of text over the map
#define BELOW    2 ///< and under it
#define ZOOM_MAX 4
#define GLOW     12 ///< frames, half a second
#define FLAG     L'\u2691'

// ---- what cells look like

/// Two shades, spread without a pattern, let wood and water look alive.
static rp_paint_t shade(uint32_t cell, uint32_t share, rp_paint_t common, rp_paint_t rare)
{
    return rp_splitmix_of(cell + 1u) % 100u < share ? rare : common;
}

static rp_paint_t paint_of(rp_terrain_kind_t kind, uint32_t cell)
{
    static const uint8_t plain[RP_KIND_COUNT] = {
        [RP_KIND_FLOOR] = RP_PAINT_FLOOR,   [RP_KIND_HIGHLAND] = RP_PAINT_HIGHLAND,
        [RP_KIND_SAND] = RP_PAINT_SAND,     [RP_KIND_ROAD] = RP_PAINT_ROAD,
        [RP_KIND_RAMP] = RP_PAINT_RAMP,     [RP_KIND_BRIDGE] = RP_PAINT_BRIDGE,
        [RP_KIND_RUBBLE] = RP_PAINT_RUBBLE, [RP_KIND_CLIFF] = RP_PAINT_CLIFF,
        [RP_KIND_WALL] = RP_PAINT_WALL,     [RP_KIND_BUILDING] = RP_PAINT_BUILDING,
    };
    switch (kind) {
    case RP_KIND_GRASS:
        return shade(cell, 8, RP_PAINT_GRASS, RP_PAINT_MEADOW);
    case RP_KIND_TREE:
        return shade(cell, 22, RP_PAINT_TREE, RP_PAINT_SPRUCE);
    case RP_KIND_WATER:
        return shade(cell, 6, RP_PAINT_WATER, RP_PAINT_WAVE);
    default:
        return plain[kind];
    }
}

static rp_paint_t paint_of_agent(uint32_t number)
{
    return RP_PAINT_AGENT + number % RP_PAINT_AGENTS;
}

/// Ground that costs clearly less than its kind does looks like a road.
static bool is_cheap(const rp_view_t *self, uint32_t cell, rp_terrain_kind_t kind)
{
    const rp_terrain_t *terrain = &self->simulation->terrain;
    return terrain->grid.scale == RP_SCALE_PERCENT && rp_terrain_kind_is_free(kind) &&
           terrain->bytes[cell] < rp_terrain_byte(terrain, kind) * 9u / 10u;
}

static rp_paint_t paint_of_cell(const rp_view_t *self, uint32_t cell)
{
    if (self->trails[cell] != 0) {
        return paint_of_agent(self->trails[cell] - 1u);
    }
    if (self->simulation->told[cell] == RP_UNKNOWN_BYTE) {
        return RP_PAINT_FOG;
    }
    const rp_terrain_kind_t kind = self->simulation->terrain.kinds[cell];
    if (self->fresh[cell] != 0) {
        return rp_terrain_kind_is_free(kind) ? RP_PAINT_FRESH_FREE : RP_PAINT_FRESH_BLOCKED;
    }
    return is_cheap(self, cell, kind) ? RP_PAINT_ROAD : paint_of(kind, cell);
}

// ---- the map

/// The cell at a place of the window; RP_NOWHERE outside the world.
static uint32_t cell_at(const rp_view_t *self, int x, int y)
{
    const rp_grid_view_t *grid = &self->simulation->terrain.grid;
    const int64_t width = grid->width;
    const int64_t height = grid->height;
    int64_t column = self->left + (int64_t)x;
    int64_t row = self->top + (int64_t)y;
    if (grid->wraps) {
        column = ((column % width) + width) % width;
        row = ((row % height) + height) % height;
    }
    if (column < 0 || row < 0 || column >= width || row >= height) {
        return RP_NOWHERE;
    }
    return (uint32_t)(row * width + column);
}

static bool is_eye_catching(rp_paint_t paint)
{
    return paint == RP_PAINT_BUILDING || paint == RP_PAINT_FRESH_BLOCKED ||
           paint == RP_PAINT_FRESH_FREE;
}

/// Zoomed out, a path outshines a building, and a building the rest: what matters stays visible.
static rp_paint_t paint_of_pixel(const rp_view_t *self, int x, int y)
{
    rp_paint_t best = RP_PAINT_NOTHING;
    for (int i = 0; i < self->zoom * self->zoom; i++) {
        const uint32_t cell =
            cell_at(self, x * self->zoom + i % self->zoom, y * self->zoom + i / self->zoom);
        if (cell == RP_NOWHERE) {
            continue;
        }
        const rp_paint_t paint = paint_of_cell(self, cell);
        if (paint >= RP_PAINT_AGENT) {
            return paint;
        }
        if (best == RP_PAINT_NOTHING || is_eye_catching(paint)) {
            best = paint;
        }
    }
    return best;
}

/// What changed since the frame before glows for a while, or nobody would see it happen.
static void note_changes(rp_view_t *self)
{
    const uint8_t *kinds = self->simulation->terrain.kinds;
    const size_t cell_count = rp_terrain_cell_count(&self->simulation->terrain);
    for (size_t cell = 0; cell < cell_count; cell++) {
        if (self->shown[cell] != kinds[cell]) {
            self->shown[cell] = kinds[cell];
            self->fresh[cell] = GLOW;
        } else if (self->fresh[cell] != 0) {
            self->fresh[cell]--;
        }
    }
}

/// The chosen agent's path is laid last, over the others.
static void lay_trails(rp_view_t *self)
{
    const rp_simulation_t *simulation = self->simulation;
    memset(self->trails, 0, rp_terrain_cell_count(&simulation->terrain));
    for (uint32_t turn = 1; turn <= simulation->agent_count; turn++) {
        const uint32_t i = (self->chosen + turn) % simulation->agent_count;
        const rp_agent_t *agent = &simulation->agents[i];
        for (size_t j = agent->at; j < agent->path_count; j++) {
            self->trails[agent->path[j]] = (uint8_t)(1 + i % RP_PAINT_AGENTS);
        }
    }
}

/// Where a cell lies in the window, in pixels; on a torus the window may show its other side.
static void pixel_of(const rp_view_t *self, uint32_t cell, int *x, int *y)
{
    const rp_grid_view_t *grid = &self->simulation->terrain.grid;
    const int width = (int)grid->width;
    const int height = (int)grid->height;
    int across = (int)(cell % grid->width) - self->left;
    int down = (int)(cell / grid->width) - self->top;
    if (grid->wraps) {
        across = ((across % width) + width) % width;
        down = ((down % height) + height) % height;
    }
    *x = across < 0 ? -1 : across / self->zoom;
    *y = down < 0 ? -1 : down / self->zoom;
}

static void mark_agents(rp_view_t *self)
{
    const rp_simulation_t *simulation = self->simulation;
    for (uint32_t i = 0; i < simulation->agent_count; i++) {
        const rp_agent_t *agent = &simulation->agents[i];
        int x;
        int y;
        pixel_of(self, agent->goal, &x, &y);
        rp_canvas_mark(&self->canvas, ABOVE, x, y, self->canvas.half_blocks ? FLAG : L'X',
                       paint_of_agent(i), RP_PAINT_NOTHING);
    }
    for (uint32_t i = 0; i < simulation->agent_count; i++) {
        int x;
        int y;
        pixel_of(self, simulation->agents[i].cell, &x, &y);
        rp_canvas_mark(&self->canvas, ABOVE, x, y, (wchar_t)(L'0' + (wchar_t)((i + 1) % 10)),
                       RP_PAINT_NOTHING, paint_of_agent(i));
    }
}

static void draw_map(rp_view_t *self)
{
    note_changes(self);
    lay_trails(self);
    for (int y = 0; y < self->canvas.height; y++) {
        for (int x = 0; x < self->canvas.width; x++) {
            rp_canvas_set(&self->canvas, x, y, paint_of_pixel(self, x, y));
        }
    }
    rp_canvas_paint(&self->canvas, ABOVE);
    mark_agents(self);
}

// ---- the window

/// Keep the window on a world that has edges; centre a world that is smaller than the window.
static int keep_inside(int corner, int shown, int size)
{
    if (shown >= size) {
        return (size - shown) / 2;
    }
    return corner < 0 ? 0 : corner > size - shown ? size - shown : corner;
}

/// Move the window only when the agent comes near its border: a map that creeps is hard to look at.
static int follow(int corner, int shown, int place)
{
    const int margin = shown / 4;
    if (place < corner + margin || place >= corner + shown - margin) {
        return place - shown / 2;
    }
    return corner;
}

static void place_window(rp_view_t *self)
{
    const rp_grid_view_t *grid = &self->simulation->terrain.grid;
    const int shown_x = self->canvas.width * self->zoom;
    const int shown_y = self->canvas.height * self->zoom;
    if (self->follows) {
        const uint32_t cell = self->simulation->agents[self->chosen].cell;
        self->left = follow(self->left, shown_x, (int)(cell % grid->width));
        self->top = follow(self->top, shown_y, (int)(cell / grid->width));
    }
    if (!grid->wraps) {
        self->left = keep_inside(self->left, shown_x, (int)grid->width);
        self->top = keep_inside(self->top, shown_y, (int)grid->height);
    }
}

// ---- text

__attribute__((format(printf, 5, 6))) static int write_text(rp_view_t *self, int row, int column,
                                                            rp_paint_t ink, const char *format, ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return rp_canvas_text(&self->canvas, row, column, ink, text);
}

/// A word and its number over the map, the number in the brighter ink.
static int write_number(rp_view_t *self, int column, const char *word, rp_paint_t ink,
                        const char *number)
{
    column = write_text(self, 2, column, RP_PAINT_FAINT, "%s ", word);
    return write_text(self, 2, column, ink, "%s  ", number);
}

static void write_header(rp_view_t *self, const rp_view_numbers_t *numbers)
{
    const rp_scenario_t *scenario = &self->options->scenario;
    const rp_checker_t *checker = numbers->checker;
    const rp_rate_t *rate = numbers->rate;
    const bool wide = self->canvas.columns >= 90;
    char number[48];
    for (int row = 0; row < ABOVE; row++) {
        rp_canvas_bar(&self->canvas, row);
    }
    int column = write_text(self, 0, 1, RP_PAINT_TEXT, "replan  ");
    column = write_text(self, 0, column, RP_PAINT_GOOD, "%s", scenario->id);
    column =
        write_text(self, 0, column, RP_PAINT_FAINT,
                   "  %" PRIu32 " x %" PRIu32 ", seed %" PRIu64 ", %s  ", scenario->terrain.width,
                   scenario->terrain.height, scenario->terrain.seed, numbers->report->planner);
    column = write_text(self, 0, column, RP_PAINT_TEXT, "%.0f s", numbers->elapsed_s);
    if (self->options->duration_s > 0) {
        column = write_text(self, 0, column, RP_PAINT_FAINT, " of %.0f", self->options->duration_s);
    }
    write_text(self, 0, column, RP_PAINT_BAD, "%s", self->is_paused ? "   paused" : "");

    write_text(self, 1, 1, RP_PAINT_FAINT, "%s", scenario->about);
    snprintf(number, sizeof number, "%.0f", rate->changes);
    column = write_number(self, 1, "changes/s", RP_PAINT_TEXT, number);
    snprintf(number, sizeof number, "%.0f", rate->replans);
    column = write_number(self, column, "replans/s", RP_PAINT_TEXT, number);
    snprintf(number, sizeof number, "p50 %.1f p99 %.1f ms", (double)rate->p50_us / 1000,
             (double)rate->p99_us / 1000);
    column = write_number(self, column, wide ? "change to path" : "path", RP_PAINT_TEXT, number);
    snprintf(number, sizeof number, "%" PRIu64, checker->checked);
    column = write_number(self, column, "checked", RP_PAINT_TEXT, number);
    snprintf(number, sizeof number, "%" PRIu64, checker->violations);
    write_number(self, column, "violations",
                 checker->violations == 0 ? RP_PAINT_GOOD : RP_PAINT_BAD, number);
}

/// What the colours and letters on the map mean, in the chosen agent's colour.
static void write_legend(rp_view_t *self)
{
    const rp_paint_t agent = paint_of_agent(self->chosen);
    const struct {
        wchar_t letter;
        rp_paint_t ink;
        rp_paint_t paper;
        const char *meaning;
    } samples[] = {
        {(wchar_t)(L'0' + (wchar_t)((self->chosen + 1) % 10)), RP_PAINT_NOTHING, agent, "an agent"},
        {L' ', agent, agent, "its path"},
        {self->canvas.half_blocks ? FLAG : L'X', agent, RP_PAINT_NOTHING, "its goal"},
        {L' ', RP_PAINT_TEXT, RP_PAINT_FRESH_BLOCKED, "just blocked"},
        {L' ', RP_PAINT_TEXT, RP_PAINT_FRESH_FREE, "just freed"},
        {L' ', RP_PAINT_TEXT, RP_PAINT_BUILDING, "building"},
    };
    const int row = self->canvas.rows - BELOW;
    int column = 1;
    rp_canvas_bar(&self->canvas, row);
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        column = rp_canvas_sample(&self->canvas, row, column, samples[i].letter, samples[i].ink,
                                  samples[i].paper);
        column = write_text(self, row, column, RP_PAINT_FAINT, "%s  ", samples[i].meaning);
    }
}

static void write_footer(rp_view_t *self)
{
    const int row = self->canvas.rows - 1;
    const uint32_t width = self->simulation->terrain.grid.width;
    const rp_agent_t *agent = &self->simulation->agents[self->chosen];
    rp_canvas_bar(&self->canvas, row);
    int column = write_text(self, row, 1, paint_of_agent(self->chosen), "%s", agent->name);
    column =
        write_text(self, row, column, RP_PAINT_FAINT,
                   " at %" PRIu32 ",%" PRIu32 " to %" PRIu32 ",%" PRIu32 ": ", agent->cell % width,
                   agent->cell / width, agent->goal % width, agent->goal / width);
    if (agent->path_count > 0) {
        column = write_text(self, row, column, RP_PAINT_TEXT, "%zu cells to go  ",
                            agent->path_count - 1 - agent->at);
    } else {
        column = write_text(self, row, column, RP_PAINT_TEXT, "%s  ",
                            agent->has_no_path ? "no path" : "waits");
    }
    write_text(self, row, column, RP_PAINT_FAINT,
               " q quit  tab next  z zoom  f follow  space pause  arrows");
}

// ---- operations

bool rp_view_draw(rp_view_t *self, const rp_view_numbers_t *numbers)
{
    if (!rp_canvas_fit(&self->canvas, ABOVE, BELOW)) {
        return false;
    }
    place_window(self);
    draw_map(self);
    write_header(self, numbers);
    write_legend(self);
    write_footer(self);
    rp_canvas_show(&self->canvas);
    return true;
}

static void scroll_by(rp_view_t *self, int columns, int rows)
{
    const int stride = 8 * self->zoom;
    self->follows = false;
    self->left += columns * stride;
    self->top += rows * stride;
}

static void take_key(rp_view_t *self, int key)
{
    switch (key) {
    case '\t':
        self->chosen = (self->chosen + 1) % self->simulation->agent_count;
        self->follows = true;
        break;
    case 'f':
        self->follows = true;
        break;
    case 'z':
        self->zoom = self->zoom == ZOOM_MAX ? 1 : self->zoom * 2;
        self->follows = true;
        break;
    case ' ':
        self->is_paused = !self->is_paused;
        break;
    case KEY_LEFT:
        scroll_by(self, -1, 0);
        break;
    case KEY_RIGHT:
        scroll_by(self, 1, 0);
        break;
    case KEY_UP:
        scroll_by(self, 0, -1);
        break;
    case KEY_DOWN:
        scroll_by(self, 0, 1);
        break;
    default:
        break;
    }
}

bool rp_view_take_keys(rp_view_t *self)
{
    int key;
    while ((key = getch()) != ERR) {
        if (key == 'q') {
            return false;
        }
        take_key(self, key);
    }
    return true;
}

// ---- birth and death

bool rp_view_open(rp_view_t *self, const rp_options_t *options, const rp_simulation_t *simulation)
{
    *self = (rp_view_t){.options = options,
                        .simulation = simulation,
                        .follows = true,
                        .zoom = 1,
                        .left = -(1 << 20)};
    const size_t cell_count = rp_terrain_cell_count(&simulation->terrain);
    self->trails = calloc(cell_count, 1);
    self->fresh = calloc(cell_count, 1);
    self->shown = malloc(cell_count);
    if (self->trails == NULL || self->fresh == NULL || self->shown == NULL ||
        !rp_canvas_open(&self->canvas)) {
        rp_view_close(self);
        return false;
    }
    memcpy(self->shown, simulation->terrain.kinds, cell_count);
    return true;
}

void rp_view_close(rp_view_t *self)
{
    rp_canvas_close(&self->canvas);
    free(self->trails);
    free(self->fresh);
    free(self->shown);
    self->trails = NULL;
    self->fresh = NULL;
    self->shown = NULL;
}
