/// Buildings are raised and razed as a whole.
#include "sim/world/buildings.h"

#include <stdlib.h>

#include "base/array.h"

static uint32_t footprint_cell(const rp_terrain_t *terrain, rp_building_t building, int x, int y)
{
    return rp_grid_view_offset(&terrain->grid, building.corner, x, y);
}

uint32_t rp_building_middle(const rp_terrain_t *terrain, rp_building_t building)
{
    const int half = (int)building.side / 2;
    return footprint_cell(terrain, building, half, half);
}

static bool is_building_ground(rp_terrain_kind_t kind, bool on_roads)
{
    return rp_terrain_kind_is_free(kind) && (on_roads || kind != RP_KIND_ROAD) &&
           kind != RP_KIND_RAMP && kind != RP_KIND_BRIDGE;
}

static bool is_kept(const rp_building_rules_t *rules, uint32_t cell)
{
    for (size_t i = 0; i < rules->kept_count; i++) {
        if (rules->kept[i] == cell) {
            return true;
        }
    }
    return false;
}

bool rp_buildings_has_room(const rp_terrain_t *terrain, rp_building_t building,
                           const rp_building_rules_t *rules)
{
    const int side = (int)building.side;
    const int around = rules->gap > 1 ? (int)rules->gap : 1;
    for (int y = -around; y < side + around; y++) {
        for (int x = -around; x < side + around; x++) {
            const bool inside = x >= 0 && y >= 0 && x < side && y < side;
            const uint32_t cell = footprint_cell(terrain, building, x, y);
            if (cell == RP_NOWHERE) {
                if (inside) {
                    return false;
                }
                continue;
            }
            const rp_terrain_kind_t kind = terrain->kinds[cell];
            if ((inside && !is_building_ground(kind, rules->on_roads)) ||
                (rules->gap > 0 && kind == RP_KIND_BUILDING) || is_kept(rules, cell)) {
                return false;
            }
        }
    }
    return true;
}

static bool rewrite(rp_terrain_t *terrain, uint32_t cell, rp_terrain_kind_t kind, rp_edits_t *edits)
{
    rp_terrain_write(terrain, cell, kind);
    return rp_edits_add(edits, cell);
}

bool rp_buildings_raise(rp_buildings_t *self, rp_terrain_t *terrain, rp_building_t building,
                        rp_edits_t *edits)
{
    if (!rp_array_reserve(&self->items, &self->capacity, self->count + 1u, sizeof *self->items)) {
        return false;
    }
    const int side = (int)building.side;
    building.roads = 0;
    for (int i = 0; i < side * side; i++) {
        const uint32_t cell = footprint_cell(terrain, building, i % side, i / side);
        building.roads |= (uint16_t)((terrain->kinds[cell] == RP_KIND_ROAD) << i);
        if (!rewrite(terrain, cell, RP_KIND_BUILDING, edits)) {
            return false;
        }
    }
    self->items[self->count++] = building;
    return true;
}

bool rp_buildings_raze(rp_buildings_t *self, rp_terrain_t *terrain, size_t index, rp_edits_t *edits)
{
    const rp_building_t building = self->items[index];
    const int side = (int)building.side;
    self->items[index] = self->items[--self->count];
    for (int i = 0; i < side * side; i++) {
        const uint32_t cell = footprint_cell(terrain, building, i % side, i / side);
        const bool is_road = ((building.roads >> i) & 1u) != 0;
        if (!rewrite(terrain, cell, is_road ? RP_KIND_ROAD : RP_KIND_RUBBLE, edits)) {
            return false;
        }
    }
    return true;
}

void rp_buildings_fini(rp_buildings_t *self)
{
    free(self->items);
    *self = (rp_buildings_t){0};
}
