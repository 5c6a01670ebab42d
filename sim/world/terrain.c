/// Worlds: what is common to all, mazes, and random obstacles. warcraft.c draws the rest.
#include "sim/world/terrain.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim/world/warcraft.h"

// ---- kinds

/// Factors of free kinds in a weighted world; least 1, so that the octile distance is a bound.
static const uint8_t weights[RP_KIND_COUNT] = {
    [RP_KIND_FLOOR] = 1, [RP_KIND_GRASS] = 2, [RP_KIND_HIGHLAND] = 2, [RP_KIND_SAND] = 3,
    [RP_KIND_ROAD] = 1,  [RP_KIND_RAMP] = 1,  [RP_KIND_BRIDGE] = 1,   [RP_KIND_RUBBLE] = 3,
};

bool rp_terrain_kind_is_free(rp_terrain_kind_t kind)
{
    return kind < RP_KIND_FIRST_BLOCKED;
}

bool rp_edits_add(rp_edits_t *self, uint32_t cell)
{
    if (!rp_array_reserve(&self->cells, &self->capacity, self->count + 1u, sizeof *self->cells)) {
        return false;
    }
    self->cells[self->count++] = cell;
    return true;
}

void rp_edits_clear(rp_edits_t *self)
{
    self->count = 0;
    self->box = (rp_terrain_box_t){0};
}

void rp_edits_fini(rp_edits_t *self)
{
    free(self->cells);
    *self = (rp_edits_t){0};
}

// ---- cells

size_t rp_terrain_cell_count(const rp_terrain_t *self)
{
    return rp_grid_view_cell_count(&self->grid);
}

bool rp_terrain_is_free(const rp_terrain_t *self, uint32_t cell)
{
    return rp_terrain_kind_is_free(self->kinds[cell]);
}

uint8_t rp_terrain_byte(const rp_terrain_t *self, rp_terrain_kind_t kind)
{
    const bool is_free = rp_terrain_kind_is_free(kind);
    switch (self->grid.scale) {
    case RP_SCALE_COSTMAP:
        return is_free ? 0 : 254;
    case RP_SCALE_PERCENT:
        return is_free ? 100 : 0;
    case RP_SCALE_FACTOR:
        break;
    }
    return !is_free ? 0 : self->weighted ? weights[kind] : 1;
}

void rp_terrain_write(rp_terrain_t *self, uint32_t cell, rp_terrain_kind_t kind)
{
    self->kinds[cell] = (uint8_t)kind;
    self->bytes[cell] = rp_terrain_byte(self, kind);
}

void rp_terrain_fill(rp_terrain_t *self, rp_terrain_box_t box, rp_terrain_kind_t kind)
{
    for (uint32_t y = box.y; y < box.y + box.height; y++) {
        for (uint32_t x = box.x; x < box.x + box.width; x++) {
            rp_terrain_write(self, y * self->grid.width + x, kind);
        }
    }
}

void rp_terrain_grade(rp_terrain_t *self, uint32_t cell, uint8_t byte)
{
    self->bytes[cell] = byte;
}

uint32_t rp_terrain_any_free(const rp_terrain_t *self, rp_seeded_t *seeded)
{
    const uint32_t cell_count = (uint32_t)rp_terrain_cell_count(self);
    uint32_t cell = rp_seeded_below(seeded, cell_count);
    // Luck first; then walk on, so that a world with one free cell ends too.
    for (unsigned tries = 0; tries < 64 && !rp_terrain_is_free(self, cell); tries++) {
        cell = rp_seeded_below(seeded, cell_count);
    }
    while (!rp_terrain_is_free(self, cell)) {
        cell = (cell + 1) % cell_count;
    }
    return cell;
}

// ---- random worlds

/// Exactly `density` of all cells: a draw without putting back.
static void draw_random(rp_terrain_t *self, double density, rp_seeded_t *seeded)
{
    const size_t cell_count = rp_terrain_cell_count(self);
    size_t wanted = (size_t)(density * (double)cell_count);
    for (size_t cell = 0; cell < cell_count; cell++) {
        const size_t left = cell_count - cell;
        const bool blocked = rp_seeded_below(seeded, (uint32_t)left) < wanted;
        wanted -= blocked;
        rp_terrain_write(self, (uint32_t)cell, blocked ? RP_KIND_WALL : RP_KIND_FLOOR);
    }
}

// ---- mazes

/// Rooms lie at even coordinates, a corridor of one cell leads to a neighbour two cells on. Depth
/// first with the way back in the stack: each room is entered once, so all hang together.
static bool draw_maze(rp_terrain_t *self, rp_seeded_t *seeded)
{
    const rp_grid_view_t *grid = &self->grid;
    const size_t cell_count = rp_terrain_cell_count(self);
    uint32_t *stack = malloc(cell_count / 4 * sizeof *stack);
    if (stack == NULL) {
        return false;
    }
    memset(self->kinds, RP_KIND_WALL, cell_count);
    memset(self->bytes, 0, cell_count);
    size_t depth = 0;
    stack[depth++] = 0;
    rp_terrain_write(self, 0, RP_KIND_FLOOR);
    while (depth > 0) {
        const uint32_t room = stack[depth - 1];
        unsigned ways[4];
        unsigned way_count = 0;
        for (unsigned direction = 0; direction < RP_PLANE_DIRECTIONS; direction += 2) {
            const uint32_t next = rp_grid_view_offset(grid, room, 2 * rp_grid_view_dx(direction),
                                                      2 * rp_grid_view_dy(direction));
            if (!rp_terrain_is_free(self, next)) {
                ways[way_count++] = direction;
            }
        }
        if (way_count == 0) {
            depth--;
            continue;
        }
        const unsigned way = ways[rp_seeded_below(seeded, way_count)];
        const uint32_t door =
            rp_grid_view_offset(grid, room, rp_grid_view_dx(way), rp_grid_view_dy(way));
        const uint32_t next =
            rp_grid_view_offset(grid, door, rp_grid_view_dx(way), rp_grid_view_dy(way));
        rp_terrain_write(self, door, RP_KIND_FLOOR);
        rp_terrain_write(self, next, RP_KIND_FLOOR);
        stack[depth++] = next;
    }
    free(stack);
    return true;
}

// ---- birth and death

static bool is_possible(const rp_terrain_options_t *options)
{
    switch (options->sort) {
    case RP_TERRAIN_MAZE:
        return options->width >= 4 && options->height >= 4 && options->width % 2 == 0 &&
               options->height % 2 == 0;
    case RP_TERRAIN_WARCRAFT:
        return options->width >= RP_WARCRAFT_SIDE_MIN && options->height >= RP_WARCRAFT_SIDE_MIN;
    case RP_TERRAIN_RANDOM:
    case RP_TERRAIN_PLAIN:
        return options->width >= 8 && options->height >= 8 && options->density >= 0 &&
               options->density < 1;
    }
    return false;
}

bool rp_terrain_init(rp_terrain_t *self, const rp_terrain_options_t *options)
{
    *self = (rp_terrain_t){.weighted = options->weighted};
    if (!is_possible(options)) {
        return false;
    }
    const size_t cell_count = (size_t)options->width * options->height;
    self->bytes = calloc(cell_count, 1);
    self->kinds = calloc(cell_count, 1);
    self->grid = (rp_grid_view_t){.bytes = self->bytes,
                                  .width = options->width,
                                  .height = options->height,
                                  .neighbors = options->neighbors,
                                  .wraps = options->sort == RP_TERRAIN_MAZE,
                                  .scale = options->scale};
    rp_seeded_t seeded = {options->seed};
    bool drawn = self->bytes != NULL && self->kinds != NULL;
    if (drawn && options->sort == RP_TERRAIN_MAZE) {
        drawn = draw_maze(self, &seeded);
    } else if (drawn && options->sort == RP_TERRAIN_RANDOM) {
        draw_random(self, options->density, &seeded);
    } else if (drawn && options->sort == RP_TERRAIN_PLAIN) {
        rp_terrain_fill(self, (rp_terrain_box_t){0, 0, options->width, options->height},
                        RP_KIND_FLOOR);
    } else if (drawn) {
        drawn = rp_warcraft_draw(self, &seeded);
    }
    if (!drawn) {
        rp_terrain_fini(self);
    }
    return drawn;
}

void rp_terrain_fini(rp_terrain_t *self)
{
    free(self->bytes);
    free(self->kinds);
    *self = (rp_terrain_t){0};
}
