/// Layers, from below: ground, glow, tint of the chosen agent's body, ghosts, paths.
#include "view/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define GLOW_US      500000u
#define FLASH_US     300000u
#define CALM_US      1500000u ///< between two flashes of an agent
#define EVENT_US     400000u  ///< an event stands at least so long
#define GLOW_SHARE   50       ///< one pixel of so many may glow
#define SAMPLES_SIDE 16       ///< rows and columns of a pixel's cells that are looked at
#define MANY_FLASH   12u      ///< agents whose paths flash at the same time

// ---- the ground

/// The cell at a place of the window; RP_VIEW_NOWHERE outside of the world.
static uint32_t cell_at(const rp_picture_t *self, const rp_view_scene_t *scene, int x, int y)
{
    const int64_t width = scene->width;
    const int64_t height = scene->height;
    int64_t column = self->left + (int64_t)x;
    int64_t row = self->top + (int64_t)y;
    if (scene->wraps) {
        column = ((column % width) + width) % width;
        row = ((row % height) + height) % height;
    }
    if (column < 0 || row < 0 || column >= width || row >= height) {
        return RP_VIEW_NOWHERE;
    }
    return (uint32_t)(row * width + column);
}

/// Zoomed out, a building outshines the rest, and obstacles win where they are as many as a wall
/// across the pixel. Of very large pixels some cells stand for all.
static rp_paint_t ground_of(const rp_picture_t *self, const rp_view_scene_t *scene, int x, int y)
{
    const int stride = 1 + self->zoom / SAMPLES_SIDE;
    const int side = (self->zoom + stride - 1) / stride;
    rp_paint_t free = RP_PAINT_NOTHING;
    rp_paint_t blocked = RP_PAINT_NOTHING;
    int blocked_count = 0;
    for (int i = 0; i < side * side; i++) {
        const uint32_t cell = cell_at(self, scene, x * self->zoom + i % side * stride,
                                      y * self->zoom + i / side * stride);
        if (cell == RP_VIEW_NOWHERE) {
            continue;
        }
        const rp_paint_t paint = scene->ground(scene->user, cell);
        if (rp_paint_blocks(paint)) {
            blocked_count++;
            blocked = blocked == RP_PAINT_NOTHING || paint == RP_PAINT_BUILDING ? paint : blocked;
        } else if (free == RP_PAINT_NOTHING) {
            free = paint;
        }
    }
    const bool is_blocked = blocked == RP_PAINT_BUILDING || blocked_count >= side;
    return is_blocked || free == RP_PAINT_NOTHING ? blocked : free;
}

/// What changed since the frame before glows for a while, or nobody would see it happen.
static void look_at_ground(rp_picture_t *self, const rp_view_scene_t *scene)
{
    const bool is_same = self->ground_zoom == self->zoom && self->ground_left == self->left &&
                         self->ground_top == self->top;
    memset(self->seen, 0, sizeof self->seen);
    self->fresh_count = 0;
    for (int i = 0; i < self->width * self->height; i++) {
        const rp_paint_t paint = ground_of(self, scene, i % self->width, i / self->width);
        const rp_paint_t before = (rp_paint_t)self->ground[i];
        if (!is_same) {
            self->fresh_us[i] = 0;
        } else if (rp_paint_blocks(paint) != rp_paint_blocks(before)) {
            self->fresh_us[i] = scene->now_us;
        }
        self->ground[i] = (uint8_t)paint;
        self->seen[paint]++;
        self->fresh_count += self->fresh_us[i] != 0 && scene->now_us - self->fresh_us[i] < GLOW_US;
    }
    self->ground_zoom = self->zoom;
    self->ground_left = self->left;
    self->ground_top = self->top;
    self->is_glowing = self->fresh_count <= (uint32_t)(self->width * self->height) / GLOW_SHARE;
}

// ---- the chosen agent's body

/// Distances to what blocks, up to `reach` pixels: first along columns, then from column to column.
static void measure_distances(rp_picture_t *self, float reach)
{
    const int width = self->width;
    const int height = self->height;
    for (int x = 0; x < width; x++) {
        float distance = reach + 1;
        for (int y = 0; y < height; y++) {
            distance = rp_paint_blocks((rp_paint_t)self->ground[y * width + x]) ? 0 : distance + 1;
            self->distances[y * width + x] = distance;
        }
        distance = reach + 1;
        for (int y = height - 1; y >= 0; y--) {
            distance = rp_paint_blocks((rp_paint_t)self->ground[y * width + x]) ? 0 : distance + 1;
            float *there = &self->distances[y * width + x];
            *there = distance < *there ? distance : *there;
        }
    }
}

/// The distance of a pixel, squared, from the columns around it.
static float nearest(const rp_picture_t *self, int x, int y, int reach)
{
    const int first = x > reach ? x - reach : 0;
    const int last = x + reach < self->width ? x + reach : self->width - 1;
    float best = INFINITY;
    for (int column = first; column <= last; column++) {
        const float down = self->distances[y * self->width + column];
        const float across = (float)(column - x);
        const float squared = down * down + across * across;
        best = squared < best ? squared : best;
    }
    return best;
}

static void tint(rp_picture_t *self, const rp_view_agent_t *agent)
{
    const float near = (float)(agent->radius / self->zoom);
    const float dear = (float)(agent->inflation / self->zoom);
    const float most = near > dear ? near : dear;
    if (most <= 0) {
        return;
    }
    measure_distances(self, most);
    for (int i = 0; i < self->width * self->height; i++) {
        const rp_paint_t ground = (rp_paint_t)self->ground[i];
        if (ground == RP_PAINT_NOTHING || rp_paint_blocks(ground) ||
            self->pixels[i] != self->ground[i]) {
            continue;
        }
        const float squared = nearest(self, i % self->width, i / self->width, (int)ceilf(most));
        if (squared <= near * near) {
            self->pixels[i] = RP_PAINT_NEAR;
        } else if (squared <= dear * dear) {
            self->pixels[i] = RP_PAINT_DEAR;
        }
    }
}

// ---- paths

void rp_picture_pixel_of(const rp_picture_t *self, const rp_view_scene_t *scene, uint32_t cell,
                         int *x, int *y)
{
    const int width = (int)scene->width;
    const int height = (int)scene->height;
    if (cell == RP_VIEW_NOWHERE) {
        *x = *y = -1;
        return;
    }
    int across = (int)(cell % scene->width) - self->left;
    int down = (int)(cell / scene->width) - self->top;
    if (scene->wraps) {
        across = ((across % width) + width) % width;
        down = ((down % height) + height) % height;
    }
    *x = across < 0 ? -1 : across / self->zoom;
    *y = down < 0 ? -1 : down / self->zoom;
}

static void lay(rp_picture_t *self, const rp_view_scene_t *scene, const uint32_t *path,
                size_t count, rp_paint_t paint)
{
    for (size_t i = 0; i < count; i++) {
        int x;
        int y;
        rp_picture_pixel_of(self, scene, path[i], &x, &y);
        if (x >= 0 && y >= 0 && x < self->width && y < self->height) {
            self->pixels[y * self->width + x] = (uint8_t)paint;
        }
    }
}

static bool is_young(const rp_view_scene_t *scene, uint64_t then_us, uint64_t most_us)
{
    return then_us != 0 && scene->now_us - then_us < most_us;
}

static void lay_ghosts(rp_picture_t *self, const rp_view_scene_t *scene)
{
    for (uint32_t i = 0; i < self->agent_count; i++) {
        const rp_picture_agent_t *agent = &self->agents[i];
        if (is_young(scene, agent->turned_us, RP_PICTURE_GHOST_US)) {
            lay(self, scene, agent->ghost, agent->ghost_count, RP_PAINT_GHOST);
        }
    }
}

/// The chosen agent's path is laid last, over the others.
static void lay_paths(rp_picture_t *self, const rp_view_scene_t *scene, uint32_t chosen)
{
    uint32_t flashing = 0;
    for (uint32_t turn = 1; turn <= scene->agent_count; turn++) {
        const uint32_t i = (chosen + turn) % scene->agent_count;
        const rp_view_agent_t *agent = &scene->agents[i];
        const bool flashes = is_young(scene, self->agents[i].flash_us, FLASH_US) &&
                             (i == chosen || flashing < MANY_FLASH);
        flashing += flashes;
        lay(self, scene, agent->path, agent->path_count,
            flashes ? RP_PAINT_FLASH : rp_paint_of_agent(i));
    }
}

// ---- what is remembered

/// Why a path was replaced, in a word or two. @return NULL: it was not, or came to its end
static const char *why_of(const char *reason)
{
    static const struct {
        const char *reason;
        const char *why;
    } words[] = {{"invalid", "blocked"}, {"cheaper", "cheaper"},   {"aged", "cheaper"},
                 {"goal", "new goal"},   {"off_path", "off path"}, {"request", "asked for"}};
    for (size_t i = 0; reason != NULL && i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].reason, reason) == 0) {
            return words[i].why;
        }
    }
    return NULL;
}

static const char *sentence_of(const char *why)
{
    static const struct {
        const char *why;
        const char *sentence;
    } words[] = {{"blocked", "its path was blocked"},
                 {"cheaper", "there is a cheaper path"},
                 {"new goal", "it has a new goal"},
                 {"off path", "it left its path"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].why, why) == 0) {
            return words[i].sentence;
        }
    }
    return "it was asked for";
}

/// The chosen agent's events stand longer than others'.
static void note_event(rp_picture_t *self, const rp_view_scene_t *scene, uint32_t number,
                       bool is_chosen, size_t before)
{
    const rp_view_agent_t *agent = &scene->agents[number];
    const bool is_others = self->event_agent != number && !is_chosen;
    if (is_others && is_young(scene, self->event_us, EVENT_US)) {
        return;
    }
    self->event_us = scene->now_us;
    self->event_agent = number;
    const char *sentence = sentence_of(self->agents[number].why);
    if (agent->trouble != NULL) {
        (void)snprintf(self->event, sizeof self->event, "%u %.32s: %s, and now %s", number + 1u,
                       agent->name, sentence, agent->trouble);
    } else {
        (void)snprintf(self->event, sizeof self->event, "%u %.32s: %s; %zu cells, %zu before",
                       number + 1u, agent->name, sentence, agent->path_count, before);
    }
}

/// The path of the frame before becomes the ghost.
static void turn(rp_picture_t *self, const rp_view_scene_t *scene, uint32_t number, bool is_chosen)
{
    rp_picture_agent_t *memory = &self->agents[number];
    uint32_t *path = memory->ghost;
    const size_t capacity = memory->ghost_capacity;
    memory->ghost = memory->path;
    memory->ghost_count = memory->path_count;
    memory->ghost_capacity = memory->path_capacity;
    memory->path = path;
    memory->path_capacity = capacity;
    memory->turned_us = scene->now_us;
    if (!is_young(scene, memory->flash_us, CALM_US)) {
        memory->flash_us = scene->now_us;
    }
    note_event(self, scene, number, is_chosen, memory->ghost_count);
}

/// @return false without memory
static bool keep_path(rp_picture_agent_t *memory, const rp_view_agent_t *agent)
{
    if (!rp_array_reserve(&memory->path, &memory->path_capacity, agent->path_count,
                          sizeof *memory->path)) {
        return false;
    }
    if (agent->path_count != 0) {
        memcpy(memory->path, agent->path, agent->path_count * sizeof *memory->path);
    }
    memory->path_count = agent->path_count;
    return true;
}

static bool remember(rp_picture_t *self, const rp_view_scene_t *scene, uint32_t number,
                     uint32_t chosen)
{
    const rp_view_agent_t *agent = &scene->agents[number];
    rp_picture_agent_t *memory = &self->agents[number];
    if (strncmp(memory->name, agent->name, sizeof memory->name - 1u) != 0) {
        (void)snprintf(memory->name, sizeof memory->name, "%s", agent->name);
        memory->turned_us = memory->flash_us = 0;
        memory->path_seq = 0;
    }
    if (agent->path_seq != memory->path_seq) {
        memory->why = memory->path_seq != 0 ? why_of(agent->reason) : NULL;
        memory->path_seq = agent->path_seq;
        if (memory->why != NULL) {
            turn(self, scene, number, number == chosen);
        }
    }
    return keep_path(memory, agent);
}

static void forget(rp_picture_agent_t *memory)
{
    free(memory->path);
    free(memory->ghost);
    *memory = (rp_picture_agent_t){.path = NULL};
}

/// Room for the scene's agents. @return false without memory
static bool fit_agents(rp_picture_t *self, uint32_t count)
{
    for (uint32_t i = count; i < self->agent_count; i++) {
        forget(&self->agents[i]);
    }
    if (count > self->agent_count) {
        rp_picture_agent_t *grown = realloc(self->agents, count * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        memset(grown + self->agent_count, 0, (count - self->agent_count) * sizeof *grown);
        self->agents = grown;
    }
    self->agent_count = count;
    return true;
}

// ---- operations

bool rp_picture_draw(rp_picture_t *self, const rp_view_scene_t *scene, uint32_t chosen)
{
    bool has_memory = fit_agents(self, scene->agent_count);
    for (uint32_t i = 0; has_memory && i < scene->agent_count; i++) {
        has_memory = remember(self, scene, i, chosen);
    }
    if (!has_memory) {
        return false;
    }
    look_at_ground(self, scene);
    for (int i = 0; i < self->width * self->height; i++) {
        const rp_paint_t ground = (rp_paint_t)self->ground[i];
        const rp_paint_t glow =
            rp_paint_blocks(ground) ? RP_PAINT_FRESH_BLOCKED : RP_PAINT_FRESH_FREE;
        const bool glows = self->is_glowing && is_young(scene, self->fresh_us[i], GLOW_US);
        self->pixels[i] = (uint8_t)(glows ? glow : ground);
    }
    if (chosen < scene->agent_count) {
        tint(self, &scene->agents[chosen]);
    }
    lay_ghosts(self, scene);
    lay_paths(self, scene, chosen);
    return true;
}

// ---- birth and death

bool rp_picture_fit(rp_picture_t *self, int width, int height)
{
    if (self->ground != NULL && width == self->width && height == self->height) {
        return true;
    }
    const size_t count = (size_t)width * (size_t)height;
    free(self->ground);
    free(self->pixels);
    free(self->fresh_us);
    free(self->distances);
    self->ground = calloc(count, sizeof *self->ground);
    self->pixels = calloc(count, sizeof *self->pixels);
    self->fresh_us = calloc(count, sizeof *self->fresh_us);
    self->distances = calloc(count, sizeof *self->distances);
    self->width = width;
    self->height = height;
    self->ground_zoom = 0;
    return self->ground != NULL && self->pixels != NULL && self->fresh_us != NULL &&
           self->distances != NULL;
}

void rp_picture_fini(rp_picture_t *self)
{
    (void)fit_agents(self, 0);
    free(self->agents);
    free(self->ground);
    free(self->pixels);
    free(self->fresh_us);
    free(self->distances);
    *self = (rp_picture_t){.width = 0};
}
