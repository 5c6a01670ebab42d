/// The window on the picture, labels over it, and the text around it.
#include "view/view.h"

#include <inttypes.h>
#include <ncurses.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ABOVE       3 ///< rows of text over the map
#define BELOW       3 ///< and under it
#define FIT_MOST    4 ///< a world that needs a higher zoom to be seen whole is followed instead
#define ABOUT_US    3000000u ///< after an event
#define LABELS_MOST 12u      ///< agents whose words stand beside them, but for those without a path
#define FLAG        L'\u2691'
#define DOT         L'\u25cf'

static const char keys[] = "q quit  tab next agent  f follow  z zoom  w whole  space pause  arrows";

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

static int divide_up(int dividend, int divisor)
{
    return (dividend + divisor - 1) / divisor;
}

/// The zoom at which all of the world is seen, and of one that wraps no cell twice.
static int fit_of(const rp_view_t *self, const rp_view_scene_t *scene)
{
    const int width = (int)scene->width;
    const int height = (int)scene->height;
    int zoom;
    if (scene->wraps) {
        const int across = width / self->canvas.width;
        const int down = height / self->canvas.height;
        zoom = across < down ? across : down;
    } else {
        const int across = divide_up(width, self->canvas.width);
        const int down = divide_up(height, self->canvas.height);
        zoom = across > down ? across : down;
    }
    return zoom > 1 ? zoom : 1;
}

static void place_window(rp_view_t *self, const rp_view_scene_t *scene)
{
    rp_picture_t *picture = &self->picture;
    self->fit = fit_of(self, scene);
    if (!self->is_placed) {
        self->is_placed = true;
        picture->zoom = self->fit <= FIT_MOST ? self->fit : 1;
        self->follows = true;
        picture->left = picture->top = -(1 << 20);
    }
    picture->zoom = picture->zoom > self->fit ? self->fit : picture->zoom;
    const int shown_x = self->canvas.width * picture->zoom;
    const int shown_y = self->canvas.height * picture->zoom;
    const uint32_t cell =
        self->chosen < scene->agent_count ? scene->agents[self->chosen].cell : RP_VIEW_NOWHERE;
    if (self->follows && cell != RP_VIEW_NOWHERE) {
        picture->left = follow(picture->left, shown_x, (int)(cell % scene->width));
        picture->top = follow(picture->top, shown_y, (int)(cell / scene->width));
    }
    if (!scene->wraps || picture->left <= -(1 << 19)) {
        picture->left = keep_inside(picture->left, shown_x, (int)scene->width);
        picture->top = keep_inside(picture->top, shown_y, (int)scene->height);
    }
}

// ---- labels over the map

/// True when so many characters from there on are on the map and hold no label yet.
static bool is_room(const rp_view_t *self, int row, int column, int length)
{
    bool is_free = column >= 0 && column + length <= self->canvas.columns && row >= ABOVE &&
                   row < self->canvas.rows - BELOW;
    for (int i = 0; is_free && i < length; i++) {
        is_free = !self->taken[row * self->canvas.columns + column + i];
    }
    return is_free;
}

/// True when another label stands right beside: two numbers would be read as one.
static bool is_beside(const rp_view_t *self, int row, int column, int length)
{
    const bool *there = self->taken + row * self->canvas.columns;
    return (column > 0 && there[column - 1]) ||
           (column + length < self->canvas.columns && there[column + length]);
}

static void put_letters(rp_view_t *self, int row, int column, const char *text, rp_paint_t ink,
                        rp_paint_t paper)
{
    for (int i = 0; text[i] != '\0'; i++) {
        rp_canvas_letter(&self->canvas, row, column + i, (wchar_t)(unsigned char)text[i], ink,
                         paper);
        self->taken[row * self->canvas.columns + column + i] = true;
    }
}

/// The character of a cell. @return false when it is not on the map
static bool place_of(const rp_view_t *self, const rp_view_scene_t *scene, uint32_t cell, int *row,
                     int *column)
{
    int x;
    int y;
    rp_picture_pixel_of(&self->picture, scene, cell, &x, &y);
    return rp_canvas_place(&self->canvas, ABOVE, x, y, row, column);
}

/// Characters of the number that an agent is shown by.
static int digits_of(uint32_t number)
{
    return snprintf(NULL, 0, "%" PRIu32, number + 1u);
}

/// An agent's number, whole, or a dot where other labels leave no room.
/// @return the column behind it; -1 when it is not seen
static int mark_agent(rp_view_t *self, const rp_view_scene_t *scene, uint32_t number, int *row)
{
    const rp_view_agent_t *agent = &scene->agents[number];
    const rp_paint_t paper = agent->trouble != NULL ? RP_PAINT_BAD : rp_paint_of_agent(number);
    char text[16];
    int column;
    (void)snprintf(text, sizeof text, "%" PRIu32, number + 1u);
    const int length = digits_of(number);
    if (!place_of(self, scene, agent->cell, row, &column)) {
        return -1;
    }
    const int last = self->canvas.columns - length;
    const int first = column > last ? last : column;
    if (is_room(self, *row, first, length) && !is_beside(self, *row, first, length)) {
        put_letters(self, *row, first, text, RP_PAINT_NOTHING, paper);
        return first + length;
    }
    if (is_room(self, *row, column, 1)) {
        rp_canvas_letter(&self->canvas, *row, column, self->canvas.half_blocks ? DOT : L'o', paper,
                         RP_PAINT_NOTHING);
    }
    return -1;
}

/// What is to be told of an agent beside it. @return NULL: nothing
static const char *words_of(const rp_view_t *self, const rp_view_scene_t *scene, uint32_t number)
{
    const rp_picture_agent_t *memory = &self->picture.agents[number];
    if (scene->agents[number].trouble != NULL) {
        return scene->agents[number].trouble;
    }
    const bool is_young =
        memory->turned_us != 0 && scene->now_us - memory->turned_us < RP_PICTURE_GHOST_US;
    return is_young ? memory->why : NULL;
}

static void label_agent(rp_view_t *self, const rp_view_scene_t *scene, uint32_t number,
                        uint32_t *label_count)
{
    int row;
    const char *words = words_of(self, scene, number);
    const int column = mark_agent(self, scene, number, &row);
    const bool is_troubled = scene->agents[number].trouble != NULL;
    if (column < 0 || words == NULL || (*label_count >= LABELS_MOST && !is_troubled)) {
        return;
    }
    char text[40];
    const int length = snprintf(text, sizeof text, " %s ", words);
    const int left = column - digits_of(number) - length;
    const int place = is_room(self, row, column, length) ? column : left;
    if (is_room(self, row, place, length)) {
        put_letters(self, row, place, text, is_troubled ? RP_PAINT_BAD : RP_PAINT_TEXT,
                    RP_PAINT_BAR);
        ++*label_count;
    }
}

static void mark_goals(rp_view_t *self, const rp_view_scene_t *scene)
{
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        int row;
        int column;
        if (place_of(self, scene, scene->agents[i].goal, &row, &column)) {
            rp_canvas_letter(&self->canvas, row, column, self->canvas.half_blocks ? FLAG : L'X',
                             rp_paint_of_agent(i), RP_PAINT_NOTHING);
        }
    }
}

/// The chosen agent first, then those without a path, then the rest: the first have room.
static void mark_agents(rp_view_t *self, const rp_view_scene_t *scene)
{
    uint32_t label_count = 0;
    memset(self->taken, 0, self->taken_count * sizeof *self->taken);
    mark_goals(self, scene);
    if (self->chosen < scene->agent_count) {
        label_agent(self, scene, self->chosen, &label_count);
    }
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < scene->agent_count; i++) {
            const bool is_troubled = scene->agents[i].trouble != NULL;
            if (i != self->chosen && is_troubled == (round == 0)) {
                label_agent(self, scene, i, &label_count);
            }
        }
    }
}

// ---- text above

int rp_view_write(rp_view_t *self, int row, int column, rp_paint_t ink, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const int end = rp_canvas_text(&self->canvas, row, column, ink, text);
    if (row == 0 && end > self->row_0_end) {
        self->row_0_end = end;
    }
    return end;
}

int rp_view_number(rp_view_t *self, int column, const char *word, rp_paint_t ink,
                   const char *format, ...)
{
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    column = rp_view_write(self, 1, column, RP_PAINT_FAINT, "%s ", word);
    return rp_view_write(self, 1, column, ink, "%s  ", text);
}

/// Who has no path, whether they are seen or not, at the right of the first row.
static void write_troubled(rp_view_t *self, const rp_view_scene_t *scene)
{
    char text[96] = "";
    size_t used = 0;
    uint32_t count = 0;
    const int room = self->canvas.columns - self->row_0_end - 2;
    uint32_t told = 0;
    for (uint32_t i = 0; i < scene->agent_count; i++) {
        count += scene->agents[i].trouble != NULL;
        if (scene->agents[i].trouble != NULL && used + 12u < sizeof text && (int)used + 27 < room) {
            used += (size_t)snprintf(text + used, sizeof text - used, " %" PRIu32, i + 1u);
            told++;
        }
    }
    if (count != 0) {
        char whole[160];
        const int length = snprintf(whole, sizeof whole, "%" PRIu32 " without a path:%s%s", count,
                                    text, told < count ? " .." : "");
        const int column = self->canvas.columns - length - 1;
        (void)rp_canvas_text(&self->canvas, 0, column > self->row_0_end ? column : self->row_0_end,
                             RP_PAINT_BAD, whole);
    }
}

/// What happened last; while nothing does, what this is about.
static void write_event(rp_view_t *self, const rp_view_scene_t *scene)
{
    const rp_picture_t *picture = &self->picture;
    const bool is_young = picture->event_us != 0 && scene->now_us - picture->event_us < ABOUT_US;
    if (self->is_paused) {
        (void)rp_canvas_text(&self->canvas, 2, 1, RP_PAINT_BAD, "paused; space goes on");
    } else if (scene->halt != NULL) {
        (void)rp_canvas_text(&self->canvas, 2, 1, RP_PAINT_BAD, scene->halt);
    } else if (is_young) {
        (void)rp_canvas_text(&self->canvas, 2, 1, rp_paint_of_agent(picture->event_agent),
                             picture->event);
    } else if (scene->about != NULL) {
        (void)rp_canvas_text(&self->canvas, 2, 1, RP_PAINT_FAINT, scene->about);
    }
}

// ---- text below

/// A letter as on the map, and what it means; only where all of it has room.
static int write_sample(rp_view_t *self, int row, int column, wchar_t letter, rp_paint_t ink,
                        rp_paint_t paper, const char *meaning)
{
    if (column + 1 + (int)strlen(meaning) > self->canvas.columns) {
        return column;
    }
    rp_canvas_letter(&self->canvas, row, column, letter, ink, paper);
    return rp_canvas_text(&self->canvas, row, column + 1, RP_PAINT_FAINT, meaning) + 1;
}

/// The paints of the ground that are seen now.
static void write_terrain(rp_view_t *self)
{
    static const struct {
        rp_paint_t paint;
        rp_paint_t same; ///< a second shade of it
        const char *meaning;
    } kinds[] = {
        {RP_PAINT_FLOOR, RP_PAINT_FLOOR, "free"},
        {RP_PAINT_GRASS, RP_PAINT_MEADOW, "grass"},
        {RP_PAINT_HIGHLAND, RP_PAINT_HIGHLAND, "high"},
        {RP_PAINT_SAND, RP_PAINT_SAND, "sand"},
        {RP_PAINT_ROAD, RP_PAINT_ROAD, "road"},
        {RP_PAINT_RAMP, RP_PAINT_RAMP, "ramp"},
        {RP_PAINT_BRIDGE, RP_PAINT_BRIDGE, "bridge"},
        {RP_PAINT_RUBBLE, RP_PAINT_RUBBLE, "rubble"},
        {RP_PAINT_TREE, RP_PAINT_SPRUCE, "trees"},
        {RP_PAINT_WATER, RP_PAINT_WAVE, "water"},
        {RP_PAINT_CLIFF, RP_PAINT_CLIFF, "cliff"},
        {RP_PAINT_BUILDING, RP_PAINT_BUILDING, "house"},
        {RP_PAINT_WALL, RP_PAINT_WALL, "blocked"},
        {RP_PAINT_FOG, RP_PAINT_FOG, "unknown"},
        {RP_PAINT_COSTLY, RP_PAINT_COSTLY, "costly"},
        {RP_PAINT_COSTLIER, RP_PAINT_COSTLIER, "more"},
        {RP_PAINT_COSTLIEST, RP_PAINT_COSTLIEST, "most"},
        {RP_PAINT_INSCRIBED, RP_PAINT_INSCRIBED, "inscribed"},
    };
    const uint32_t *seen = self->picture.seen;
    const int row = self->canvas.rows - BELOW;
    int column = 1;
    rp_canvas_bar(&self->canvas, row);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (seen[kinds[i].paint] + seen[kinds[i].same] != 0) {
            column = write_sample(self, row, column, L' ', RP_PAINT_TEXT, kinds[i].paint,
                                  kinds[i].meaning);
        }
    }
}

/// What lies on the ground, in the chosen agent's colour.
static void write_marks(rp_view_t *self, const rp_view_scene_t *scene)
{
    const int row = self->canvas.rows - BELOW + 1;
    const bool is_chosen = self->chosen < scene->agent_count;
    const rp_paint_t agent = rp_paint_of_agent(self->chosen);
    const bool has_body = is_chosen && (scene->agents[self->chosen].radius > 0 ||
                                        scene->agents[self->chosen].inflation > 0);
    int column = 1;
    rp_canvas_bar(&self->canvas, row);
    if (is_chosen) {
        column = write_sample(self, row, column, L'1', RP_PAINT_NOTHING, agent, "agent");
        column = write_sample(self, row, column, L' ', agent, agent, "path");
        column = write_sample(self, row, column, self->canvas.half_blocks ? FLAG : L'X', agent,
                              RP_PAINT_NOTHING, "goal");
        column = write_sample(self, row, column, L' ', agent, RP_PAINT_GHOST, "old path");
    }
    if (has_body) {
        column = write_sample(self, row, column, L' ', agent, RP_PAINT_NEAR, "too near");
        column = write_sample(self, row, column, L' ', agent, RP_PAINT_DEAR, "inflated");
    }
    if (self->picture.is_glowing) {
        column =
            write_sample(self, row, column, L' ', agent, RP_PAINT_FRESH_BLOCKED, "now blocked");
        column = write_sample(self, row, column, L' ', agent, RP_PAINT_FRESH_FREE, "now free");
    } else {
        (void)rp_canvas_text(&self->canvas, row, column, RP_PAINT_FAINT, "many changes");
    }
}

/// The chosen agent, and the keys where there is room for them.
static void write_footer(rp_view_t *self, const rp_view_scene_t *scene)
{
    const int row = self->canvas.rows - 1;
    int column = 1;
    rp_canvas_bar(&self->canvas, row);
    if (self->chosen < scene->agent_count && !self->shows_keys) {
        const rp_view_agent_t *agent = &scene->agents[self->chosen];
        char text[128];
        (void)snprintf(text, sizeof text, "%" PRIu32 " %.32s", self->chosen + 1u, agent->name);
        column = rp_canvas_text(&self->canvas, row, column, rp_paint_of_agent(self->chosen), text);
        if (agent->cell != RP_VIEW_NOWHERE) {
            (void)snprintf(text, sizeof text, " at %" PRIu32 ",%" PRIu32,
                           agent->cell % scene->width, agent->cell / scene->width);
            column = rp_canvas_text(&self->canvas, row, column, RP_PAINT_FAINT, text);
        }
        (void)snprintf(text, sizeof text, ": %zu cells to go  ",
                       agent->path_count > 0 ? agent->path_count - 1u : 0u);
        const char *waits = agent->path_seq == 0 ? ": no answer yet  " : ": no path  ";
        column = rp_canvas_text(&self->canvas, row, column, RP_PAINT_TEXT,
                                agent->path_count > 0 ? text : waits);
    } else if (!self->shows_keys) {
        column = rp_canvas_text(&self->canvas, row, column, RP_PAINT_FAINT, "no agents  ");
    }
    const bool has_room = column + (int)strlen(keys) <= self->canvas.columns;
    (void)rp_canvas_text(&self->canvas, row, column, RP_PAINT_FAINT,
                         has_room || self->shows_keys ? keys : "q quit  ? keys");
}

// ---- operations

bool rp_view_begin(rp_view_t *self)
{
    if (!rp_canvas_fit(&self->canvas, ABOVE, BELOW) ||
        !rp_picture_fit(&self->picture, self->canvas.width, self->canvas.height)) {
        return false;
    }
    const size_t count = (size_t)self->canvas.columns * (size_t)self->canvas.rows;
    if (count > self->taken_count) {
        bool *taken = realloc(self->taken, count * sizeof *taken);
        if (taken == NULL) {
            return false;
        }
        self->taken = taken;
        self->taken_count = count;
    }
    for (int row = 0; row < ABOVE; row++) {
        rp_canvas_bar(&self->canvas, row);
    }
    self->row_0_end = 0;
    return true;
}

bool rp_view_draw(rp_view_t *self, const rp_view_scene_t *scene)
{
    if (self->chosen >= scene->agent_count) {
        self->chosen = 0;
    }
    place_window(self, scene);
    if (!rp_picture_draw(&self->picture, scene, self->chosen)) {
        return false;
    }
    memcpy(self->canvas.pixels, self->picture.pixels,
           (size_t)self->canvas.width * (size_t)self->canvas.height);
    rp_canvas_paint(&self->canvas, ABOVE);
    mark_agents(self, scene);
    write_troubled(self, scene);
    write_event(self, scene);
    write_terrain(self);
    write_marks(self, scene);
    write_footer(self, scene);
    rp_canvas_show(&self->canvas);
    return true;
}

// ---- keys

static void scroll_by(rp_view_t *self, int columns, int rows)
{
    const int stride = 8 * self->picture.zoom;
    self->follows = false;
    self->picture.left += columns * stride;
    self->picture.top += rows * stride;
}

static void set_zoom(rp_view_t *self, int zoom)
{
    self->picture.zoom = zoom;
    self->follows = true;
}

/// Twice as much is seen, at last all; then cells are pixels again.
static int next_zoom(int zoom, int fit)
{
    return zoom >= fit ? 1 : 2 * zoom < fit ? 2 * zoom : fit;
}

static void take_key(rp_view_t *self, int key)
{
    switch (key) {
    case '\t':
        self->chosen++; // beyond the last it is the first
        self->follows = true;
        break;
    case 'f':
        self->follows = true;
        break;
    case 'z':
        set_zoom(self, next_zoom(self->picture.zoom, self->fit));
        break;
    case 'w':
        set_zoom(self, self->fit);
        break;
    case '?':
        self->shows_keys = !self->shows_keys;
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

bool rp_view_open(rp_view_t *self)
{
    *self = (rp_view_t){.follows = true, .fit = 1};
    self->picture.zoom = 1;
    return rp_canvas_open(&self->canvas);
}

void rp_view_close(rp_view_t *self)
{
    rp_canvas_close(&self->canvas);
    rp_picture_fini(&self->picture);
    free(self->taken);
    self->taken = NULL;
    self->taken_count = 0;
}
