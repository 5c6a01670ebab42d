/// Buildings: raised and razed whole.
#include "sim/buildings.h"

#include <stdlib.h>

static uint32_t footprint_cell(const rp_terrain_t *terrain, rp_building_t building, int x, int y)
{
    return rp_plane_offset(&terrain->plane, building.corner, x, y);
}

uint32_t rp_building_middle(const rp_terrain_t *terrain, rp_building_t building)
{
    const int half = (int)building.side / 2;
    return footprint_cell(terrain, building, half, half);
}

static bool is_building_ground(rp_kind_t kind)
{
    return rp_kind_is_free(kind) && kind != RP_KIND_ROAD && kind != RP_KIND_RAMP &&
           kind != RP_KIND_BRIDGE;
}

static bool is_kept(const uint32_t *kept, size_t kept_count, uint32_t cell)
{
    for (size_t i = 0; i < kept_count; i++) {
        if (kept[i] == cell) {
            return true;
        }
    }
    return false;
}

bool rp_buildings_has_room(const rp_terrain_t *terrain, rp_building_t building, uint32_t gap,
                           const uint32_t *kept, size_t kept_count)
{
    const int side = (int)building.side;
    const int around = gap > 1 ? (int)gap : 1;
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
            const rp_kind_t kind = terrain->kinds[cell];
            if ((inside && !is_building_ground(kind)) || (gap > 0 && kind == RP_KIND_BUILDING) ||
                is_kept(kept, kept_count, cell)) {
                return false;
            }
        }
    }
    return true;
}

static bool rewrite(rp_terrain_t *terrain, rp_building_t building, rp_kind_t kind,
                    rp_edits_t *edits)
{
    const int side = (int)building.side;
    for (int i = 0; i < side * side; i++) {
        const uint32_t cell = footprint_cell(terrain, building, i % side, i / side);
        if (!rp_edits_add(edits, cell, kind)) {
            return false;
        }
        rp_terrain_write(terrain, cell, kind);
    }
    return true;
}

bool rp_buildings_raise(rp_buildings_t *self, rp_terrain_t *terrain, rp_building_t building,
                        rp_edits_t *edits)
{
    if (self->count == self->capacity) {
        const size_t capacity = self->capacity == 0 ? 64 : self->capacity * 2;
        rp_building_t *items = realloc(self->items, capacity * sizeof *items);
        if (items == NULL) {
            return false;
        }
        self->items = items;
        self->capacity = capacity;
    }
    self->items[self->count++] = building;
    return rewrite(terrain, building, RP_KIND_BUILDING, edits);
}

bool rp_buildings_raze(rp_buildings_t *self, rp_terrain_t *terrain, size_t index, rp_edits_t *edits)
{
    const rp_building_t building = self->items[index];
    self->items[index] = self->items[--self->count];
    return rewrite(terrain, building, RP_KIND_RUBBLE, edits);
}

void rp_buildings_fini(rp_buildings_t *self)
{
    free(self->items);
    *self = (rp_buildings_t){0};
}
