/// What attackers destroy and defenders build, cell by cell or building by building, so that the
/// density of the terrain stays the same.
#include "sim/world/churn.h"

#include <stdlib.h>

#define NEAR_LEAST 14u ///< cells; a building needs some room around the goal
#define IN_THE_WAY 0.6 ///< share of places that defenders pick on the attackers' way
#define TRIES      40u ///< places looked at before a defender gives up

// ---- closeness

uint32_t rp_churn_reach(const rp_terrain_t *terrain, const rp_front_t *front)
{
    const uint32_t distance = rp_grid_view_manhattan(&terrain->grid, front->start, front->goal);
    return (uint32_t)(front->closeness * distance);
}

static bool is_kept(const rp_front_t *front, uint32_t cell)
{
    for (size_t i = 0; i < front->kept_count; i++) {
        if (front->kept[i] == cell) {
            return true;
        }
    }
    return cell == front->start || cell == front->goal;
}

// ---- single cells

/// Draw `wanted` cells of the list by chance: they come to its front.
static void draw(uint32_t *cells, size_t count, size_t wanted, rp_seeded_t *seeded)
{
    for (size_t i = 0; i < wanted; i++) {
        const size_t j = i + rp_seeded_below(seeded, (uint32_t)(count - i));
        const uint32_t swapped = cells[i];
        cells[i] = cells[j];
        cells[j] = swapped;
    }
}

/// Gather the cells close to the goal that may change, free and blocked ones apart.
/// @return how many cells are close, those that must stay included
static size_t gather(rp_churn_t *self, const rp_terrain_t *terrain, const rp_front_t *front,
                     size_t *free_count, size_t *blocked_count)
{
    const int reach = (int)rp_churn_reach(terrain, front);
    size_t close_count = 0;
    *free_count = 0;
    *blocked_count = 0;
    for (int dy = -reach; dy <= reach; dy++) {
        const int across = reach - abs(dy);
        for (int dx = -across; dx <= across; dx++) {
            const uint32_t cell = rp_grid_view_offset(&terrain->grid, front->goal, dx, dy);
            if (cell == RP_NOWHERE) {
                continue;
            }
            close_count++;
            if (is_kept(front, cell)) {
                continue;
            }
            if (rp_terrain_is_free(terrain, cell)) {
                self->free_cells[(*free_count)++] = cell;
            } else {
                self->blocked_cells[(*blocked_count)++] = cell;
            }
        }
    }
    return close_count;
}

static bool rewrite(rp_terrain_t *terrain, uint32_t cell, rp_terrain_kind_t kind, rp_edits_t *edits)
{
    rp_terrain_write(terrain, cell, kind);
    return rp_edits_add(edits, cell);
}

bool rp_churn_cells(rp_churn_t *self, rp_terrain_t *terrain, const rp_front_t *front, double rate,
                    rp_edits_t *edits)
{
    size_t free_count;
    size_t blocked_count;
    const size_t close_count = gather(self, terrain, front, &free_count, &blocked_count);
    size_t wanted = (size_t)(rate / 2 * (double)close_count);
    wanted = wanted < 1 ? 1 : wanted;
    wanted = wanted > blocked_count ? blocked_count : wanted;
    wanted = wanted > free_count ? free_count : wanted;
    draw(self->free_cells, free_count, wanted, &self->seeded);
    draw(self->blocked_cells, blocked_count, wanted, &self->seeded);
    for (size_t i = 0; i < wanted; i++) {
        const uint32_t opened = self->blocked_cells[i];
        const uint32_t closed = self->free_cells[i];
        const bool maze = terrain->kinds[opened] == RP_KIND_WALL;
        if (!rewrite(terrain, opened, maze ? RP_KIND_FLOOR : RP_KIND_RUBBLE, edits) ||
            !rewrite(terrain, closed, maze ? RP_KIND_WALL : RP_KIND_BUILDING, edits)) {
            return false;
        }
    }
    return true;
}

// ---- buildings

static uint32_t building_reach(const rp_terrain_t *terrain, const rp_front_t *front)
{
    const uint32_t reach = rp_churn_reach(terrain, front);
    return reach < NEAR_LEAST ? NEAR_LEAST : reach;
}

/// A building by chance out of those that stand close to the goal.
/// @return its index, or the count of buildings when none does
static size_t find_prey(rp_churn_t *self, const rp_terrain_t *terrain, const rp_front_t *front)
{
    const rp_buildings_t *buildings = &self->buildings;
    const uint32_t reach = building_reach(terrain, front);
    size_t found = buildings->count;
    uint32_t seen = 0;
    for (size_t i = 0; i < buildings->count; i++) {
        const uint32_t middle = rp_building_middle(terrain, buildings->items[i]);
        if (rp_grid_view_manhattan(&terrain->grid, middle, front->goal) <= reach &&
            rp_seeded_below(&self->seeded, ++seen) == 0) {
            found = i;
        }
    }
    return found;
}

/// A cell close to the goal: one of the attackers' way in most cases, if that is known, else any.
static uint32_t pick_close(rp_churn_t *self, const rp_terrain_t *terrain, const rp_front_t *front,
                           uint32_t reach)
{
    if (front->route_count > 0 && rp_seeded_chance(&self->seeded, IN_THE_WAY)) {
        const uint32_t index = rp_seeded_below(&self->seeded, (uint32_t)front->route_count);
        const uint32_t cell = front->route[index];
        return rp_grid_view_manhattan(&terrain->grid, cell, front->goal) <= reach ? cell
                                                                                  : RP_NOWHERE;
    }
    const int rows = (int)reach;
    const int dy = (int)rp_seeded_below(&self->seeded, 2 * reach + 1) - rows;
    const int across = rows - abs(dy);
    const int dx = (int)rp_seeded_below(&self->seeded, 2u * (uint32_t)across + 1) - across;
    return rp_grid_view_offset(&terrain->grid, front->goal, dx, dy);
}

/// A place with room whose middle is close to the goal.
static bool find_place(rp_churn_t *self, const rp_terrain_t *terrain, const rp_front_t *front,
                       rp_building_t *building)
{
    const uint32_t reach = building_reach(terrain, front);
    for (unsigned i = 0; i < TRIES; i++) {
        building->side = rp_seeded_chance(&self->seeded, 0.35) ? 4 : 3;
        const int half = (int)building->side / 2;
        const uint32_t middle = pick_close(self, terrain, front, reach);
        building->corner = middle == RP_NOWHERE
                               ? RP_NOWHERE
                               : rp_grid_view_offset(&terrain->grid, middle, -half, -half);
        // Most keep a lane open; some close ranks, and that is when paths break. In peace roads
        // stay free.
        const rp_building_rules_t rules = {.gap = rp_seeded_chance(&self->seeded, 0.75) ? 1 : 0,
                                           .on_roads = front->route_count > 0,
                                           .kept = front->kept,
                                           .kept_count = front->kept_count};
        if (building->corner != RP_NOWHERE && rp_buildings_has_room(terrain, *building, &rules)) {
            return true;
        }
    }
    return false;
}

bool rp_churn_building(rp_churn_t *self, rp_terrain_t *terrain, const rp_front_t *front,
                       rp_edits_t *edits)
{
    for (unsigned turn = 0; turn < 2; turn++) {
        const bool attack = self->attack_next;
        self->attack_next = !attack;
        rp_building_t place = {0};
        if (attack) {
            const size_t prey = find_prey(self, terrain, front);
            if (prey < self->buildings.count) {
                return rp_buildings_raze(&self->buildings, terrain, prey, edits);
            }
        } else if (find_place(self, terrain, front, &place)) {
            return rp_buildings_raise(&self->buildings, terrain, place, edits);
        }
    }
    return true;
}

bool rp_churn_found_bases(rp_churn_t *self, rp_terrain_t *terrain, uint32_t buildings_a_base)
{
    rp_edits_t edits = {0};
    bool founded = true;
    for (uint32_t i = 0; i < terrain->base_count && founded; i++) {
        const uint32_t base = terrain->bases[i];
        const rp_front_t front = {
            .start = base, .goal = base, .kept = terrain->bases, .kept_count = terrain->base_count};
        for (uint32_t j = 0; j < buildings_a_base && founded; j++) {
            rp_building_t place = {0};
            if (find_place(self, terrain, &front, &place)) {
                founded = rp_buildings_raise(&self->buildings, terrain, place, &edits);
            }
        }
    }
    rp_edits_fini(&edits);
    return founded;
}

// ---- birth and death

bool rp_churn_init(rp_churn_t *self, size_t cell_count, rp_seeded_t seeded)
{
    *self = (rp_churn_t){.seeded = seeded};
    self->free_cells = malloc(cell_count * sizeof *self->free_cells);
    self->blocked_cells = malloc(cell_count * sizeof *self->blocked_cells);
    if (self->free_cells == NULL || self->blocked_cells == NULL) {
        rp_churn_fini(self);
        return false;
    }
    return true;
}

void rp_churn_fini(rp_churn_t *self)
{
    rp_buildings_fini(&self->buildings);
    free(self->free_cells);
    free(self->blocked_cells);
    self->free_cells = NULL;
    self->blocked_cells = NULL;
}
