/// Moving targets, and the walls that shift around them.
#include "sim/world/targets.h"

#define TRIES_A_CELL 20u

void rp_target_step(rp_target_t *self, const rp_grid_view_t *grid, rp_seeded_t *seeded)
{
    uint32_t ways[RP_PLANE_DIRECTIONS];
    uint32_t way_count = 0;
    for (unsigned direction = 0; direction < RP_PLANE_DIRECTIONS; direction += 2) {
        const uint32_t to = rp_grid_view_move(grid, self->cell, direction);
        if (to != RP_NOWHERE && to != self->previous) {
            ways[way_count++] = to;
        }
    }
    uint32_t to = self->cell;
    if (way_count > 0) {
        to = ways[rp_seeded_below(seeded, way_count)];
    } else if (self->previous != RP_NOWHERE && rp_grid_view_factor(grid, self->previous) != 0) {
        to = self->previous;
    }
    self->previous = self->cell;
    self->cell = to;
}

// ---- walls

static bool is_place(const rp_chase_t *chases, size_t chase_count, uint32_t cell)
{
    for (size_t i = 0; i < chase_count; i++) {
        if (chases[i].agent == cell || chases[i].target == cell) {
            return true;
        }
    }
    return false;
}

/// A change names each cell once.
static bool is_edited(const rp_edits_t *edits, size_t first, uint32_t cell)
{
    for (size_t i = first; i < edits->count; i++) {
        if (edits->cells[i] == cell) {
            return true;
        }
    }
    return false;
}

/// How many agents can reach their target.
static size_t count_connected(const rp_grid_view_t *grid, const rp_chase_t *chases,
                              size_t chase_count, rp_flood_t *flood)
{
    rp_flood_reset(flood);
    size_t connected = 0;
    for (size_t i = 0; i < chase_count; i++) {
        const uint32_t agent = chases[i].agent;
        if (rp_grid_view_factor(grid, agent) != 0 && flood->labels[agent] == 0) {
            rp_flood_from(flood, grid, agent, (uint32_t)i + 1);
        }
        connected +=
            flood->labels[agent] != 0 && flood->labels[agent] == flood->labels[chases[i].target];
    }
    return connected;
}

static bool free_some(rp_terrain_t *terrain, uint32_t k, rp_seeded_t *seeded, rp_edits_t *edits)
{
    const uint32_t cell_count = (uint32_t)rp_terrain_cell_count(terrain);
    for (uint32_t freed = 0, tries = 0; freed < k && tries < k * TRIES_A_CELL; tries++) {
        const uint32_t cell = rp_seeded_below(seeded, cell_count);
        if (rp_terrain_is_free(terrain, cell)) {
            continue;
        }
        if (!rp_edits_add(edits, cell)) {
            return false;
        }
        rp_terrain_write(terrain, cell, RP_KIND_FLOOR);
        freed++;
    }
    return true;
}

bool rp_targets_shift_walls(rp_terrain_t *terrain, const rp_chase_t *chases, size_t chase_count,
                            uint32_t k, rp_flood_t *flood, rp_seeded_t *seeded, rp_edits_t *edits)
{
    const uint32_t cell_count = (uint32_t)rp_terrain_cell_count(terrain);
    const size_t first = edits->count;
    if (!free_some(terrain, k, seeded, edits)) {
        return false;
    }
    const size_t freed = edits->count - first;
    const size_t connected = count_connected(&terrain->grid, chases, chase_count, flood);
    size_t blocked = 0;
    for (uint32_t tries = 0; blocked < freed && tries < k * TRIES_A_CELL; tries++) {
        const uint32_t cell = rp_seeded_below(seeded, cell_count);
        if (!rp_terrain_is_free(terrain, cell) || is_place(chases, chase_count, cell) ||
            is_edited(edits, first, cell)) {
            continue;
        }
        const rp_terrain_kind_t kind = terrain->kinds[cell];
        rp_terrain_write(terrain, cell, RP_KIND_WALL);
        if (count_connected(&terrain->grid, chases, chase_count, flood) < connected) {
            rp_terrain_write(terrain, cell, kind);
            continue;
        }
        if (!rp_edits_add(edits, cell)) {
            return false;
        }
        blocked++;
    }
    return true;
}
