/// Warcraft-like terrain in layers: ground by height, forests by a second noise, bases, roads
/// between them along cheapest ways, buildings, and at last one connected whole.
#include "sim/world/warcraft.h"

#include <stdlib.h>

#include "sim/check/dijkstra.h"
#include "sim/world/flood.h"
#include "sim/world/noise.h"

#define WATER_LEVEL    0.36 ///< heights below are lakes
#define SHORE_LEVEL    0.385
#define CLIFF_LEVEL    0.61 ///< heights above are plateaus; their rim is cliff
#define FOREST_LEVEL   0.57
#define BASE_RADIUS    11    ///< cells cleared around the middle of a base
#define BASE_AREA      9000u ///< one base for about so many cells
#define ROAD_SIDE_TOIL 3
#define POCKET_MAX     150u ///< free pockets up to this size grow over with trees

typedef struct pen {
    rp_terrain_t *terrain;
    rp_seeded_t *seeded;
    rp_dijkstra_t *dijkstra; ///< owned
    rp_flood_t flood;        ///< owned
    uint8_t *toil;           ///< how hard it is to lead a road over a cell, owned
} pen_t;

static uint32_t width_of(const pen_t *pen)
{
    return pen->terrain->grid.width;
}

static uint32_t cell_count_of(const pen_t *pen)
{
    return (uint32_t)rp_terrain_cell_count(pen->terrain);
}

// ---- the land

static void draw_land(pen_t *pen)
{
    const rp_noise_t height = {rp_seeded_roll(pen->seeded), 56, 4};
    const rp_noise_t forest = {rp_seeded_roll(pen->seeded), 22, 3};
    for (uint32_t cell = 0; cell < cell_count_of(pen); cell++) {
        const uint32_t x = cell % width_of(pen);
        const uint32_t y = cell / width_of(pen);
        const double level = rp_noise_at(&height, x, y);
        rp_terrain_kind_t kind = level > CLIFF_LEVEL ? RP_KIND_HIGHLAND : RP_KIND_GRASS;
        if (level < WATER_LEVEL) {
            kind = RP_KIND_WATER;
        } else if (level < SHORE_LEVEL) {
            kind = RP_KIND_SAND;
        } else if (rp_noise_at(&forest, x, y) > FOREST_LEVEL ||
                   rp_seeded_chance(pen->seeded, 0.008)) {
            kind = RP_KIND_TREE;
        }
        // Forests do not hide a rim: where the height crosses, rock shows.
        if (level > CLIFF_LEVEL && level < CLIFF_LEVEL + 0.012) {
            kind = RP_KIND_CLIFF;
        }
        rp_terrain_write(pen->terrain, cell, kind);
    }
}

/// Close the gaps of a rim: highland that touches low ground becomes cliff.
static void close_rims(pen_t *pen)
{
    rp_terrain_t *terrain = pen->terrain;
    for (uint32_t cell = 0; cell < cell_count_of(pen); cell++) {
        if (terrain->kinds[cell] != RP_KIND_HIGHLAND) {
            continue;
        }
        for (unsigned direction = 0; direction < RP_PLANE_DIRECTIONS; direction++) {
            const uint32_t beside = rp_grid_view_offset(
                &terrain->grid, cell, rp_grid_view_dx(direction), rp_grid_view_dy(direction));
            if (beside != RP_NOWHERE && (terrain->kinds[beside] == RP_KIND_GRASS ||
                                         terrain->kinds[beside] == RP_KIND_SAND)) {
                rp_terrain_write(terrain, cell, RP_KIND_CLIFF);
                break;
            }
        }
    }
}

// ---- bases

static bool is_far_from_bases(const pen_t *pen, uint32_t cell, uint32_t distance)
{
    for (uint32_t i = 0; i < pen->terrain->base_count; i++) {
        if (rp_grid_view_manhattan(&pen->terrain->grid, cell, pen->terrain->bases[i]) < distance) {
            return false;
        }
    }
    return true;
}

static void clear_disc(pen_t *pen, uint32_t middle)
{
    for (int dy = -BASE_RADIUS; dy <= BASE_RADIUS; dy++) {
        for (int dx = -BASE_RADIUS; dx <= BASE_RADIUS; dx++) {
            const uint32_t cell = rp_grid_view_offset(&pen->terrain->grid, middle, dx, dy);
            // A ragged edge looks grown.
            const int reach = BASE_RADIUS - (int)rp_seeded_below(pen->seeded, 3);
            if (cell != RP_NOWHERE && dx * dx + dy * dy <= reach * reach &&
                !rp_terrain_is_free(pen->terrain, cell)) {
                rp_terrain_write(pen->terrain, cell, RP_KIND_GRASS);
            }
        }
    }
}

/// Bases lie on free ground, away from each other and from the edge.
static void found_bases(pen_t *pen)
{
    rp_terrain_t *terrain = pen->terrain;
    const uint32_t height = terrain->grid.height;
    uint32_t wanted = cell_count_of(pen) / BASE_AREA;
    wanted = wanted < 3 ? 3 : wanted > RP_BASES_MAX ? RP_BASES_MAX : wanted;
    uint32_t distance = (width_of(pen) + height) / 4;
    const uint32_t margin = BASE_RADIUS + 2;
    for (unsigned tries = 0; terrain->base_count < wanted && tries < 20000; tries++) {
        const uint32_t x = rp_seeded_between(pen->seeded, margin, width_of(pen) - margin);
        const uint32_t y = rp_seeded_between(pen->seeded, margin, height - margin);
        const uint32_t cell = y * width_of(pen) + x;
        if (tries % 100 == 99 && distance > 2 * margin) {
            distance -= distance / 10;
        }
        if (terrain->kinds[cell] != RP_KIND_WATER && is_far_from_bases(pen, cell, distance)) {
            terrain->bases[terrain->base_count++] = cell;
        }
    }
    for (uint32_t i = 0; i < terrain->base_count; i++) {
        clear_disc(pen, terrain->bases[i]);
    }
}

// ---- roads

/// What it takes to build a road there: free ground is easiest, an old road is there already.
static uint8_t toil_of(rp_terrain_kind_t kind)
{
    switch (kind) {
    case RP_KIND_ROAD:
    case RP_KIND_RAMP:
    case RP_KIND_BRIDGE:
        return 1;
    case RP_KIND_TREE:
        return 12;
    case RP_KIND_CLIFF:
        return 40;
    case RP_KIND_WATER:
        return 60;
    default:
        return 4;
    }
}

static rp_terrain_kind_t paved(rp_terrain_kind_t kind)
{
    switch (kind) {
    case RP_KIND_CLIFF:
        return RP_KIND_RAMP;
    case RP_KIND_WATER:
        return RP_KIND_BRIDGE;
    case RP_KIND_RAMP:
    case RP_KIND_BRIDGE:
        return kind;
    default:
        return RP_KIND_ROAD;
    }
}

/// A road is two cells wide, or a diagonal of it would not be walked.
static void pave(pen_t *pen, uint32_t cell)
{
    for (int side = 0; side < 4; side++) {
        const uint32_t at = rp_grid_view_offset(&pen->terrain->grid, cell, side % 2, side / 2);
        if (at != RP_NOWHERE) {
            rp_terrain_write(pen->terrain, at, paved(pen->terrain->kinds[at]));
            // Later roads follow the first cell: else each would widen the road by one more.
            const uint8_t toil = side == 0 ? 1 : ROAD_SIDE_TOIL;
            pen->toil[at] = toil < pen->toil[at] ? toil : pen->toil[at];
        }
    }
}

static void lead_road(pen_t *pen, uint32_t from, uint32_t to)
{
    const rp_grid_view_t over = {.bytes = pen->toil,
                                 .width = width_of(pen),
                                 .height = pen->terrain->grid.height,
                                 .neighbors = 8};
    if (!(rp_dijkstra_cost(pen->dijkstra, &over, from, to) < 1e18)) {
        return; // without memory there is no road
    }
    for (uint32_t cell = to; cell != RP_NOWHERE; cell = rp_dijkstra_before(pen->dijkstra, cell)) {
        pave(pen, cell);
    }
}

/// Each base gets a road to the nearest base before it, and each third one another.
static void lead_roads(pen_t *pen)
{
    rp_terrain_t *terrain = pen->terrain;
    for (uint32_t cell = 0; cell < cell_count_of(pen); cell++) {
        pen->toil[cell] = toil_of(terrain->kinds[cell]);
    }
    for (uint32_t i = 1; i < terrain->base_count; i++) {
        uint32_t nearest = 0;
        for (uint32_t j = 1; j < i; j++) {
            if (rp_grid_view_manhattan(&terrain->grid, terrain->bases[i], terrain->bases[j]) <
                rp_grid_view_manhattan(&terrain->grid, terrain->bases[i],
                                       terrain->bases[nearest])) {
                nearest = j;
            }
        }
        lead_road(pen, terrain->bases[i], terrain->bases[nearest]);
        if (i % 3 == 2) {
            lead_road(pen, terrain->bases[i], terrain->bases[rp_seeded_below(pen->seeded, i)]);
        }
    }
}

// ---- one whole

static void overgrow(pen_t *pen, uint32_t label)
{
    for (uint32_t cell = 0; cell < cell_count_of(pen); cell++) {
        if (pen->flood.labels[cell] == label) {
            rp_terrain_write(pen->terrain, cell, RP_KIND_TREE);
        }
    }
}

/// Small pockets that the first base cannot reach grow over with trees.
static void close_pockets(pen_t *pen)
{
    rp_terrain_t *terrain = pen->terrain;
    rp_flood_reset(&pen->flood);
    rp_flood_from(&pen->flood, &terrain->grid, terrain->bases[0], 1);
    uint32_t label = 1;
    for (uint32_t cell = 0; cell < cell_count_of(pen); cell++) {
        if (rp_terrain_is_free(terrain, cell) && pen->flood.labels[cell] == 0 &&
            rp_flood_from(&pen->flood, &terrain->grid, cell, ++label) <= POCKET_MAX) {
            overgrow(pen, label);
        }
    }
}

/// The others get a road. Only after the pockets are closed: a road through a pocket joins it.
static void join_islands(pen_t *pen)
{
    rp_terrain_t *terrain = pen->terrain;
    rp_flood_reset(&pen->flood);
    rp_flood_from(&pen->flood, &terrain->grid, terrain->bases[0], 1);
    for (uint32_t cell = 0; cell < cell_count_of(pen); cell++) {
        if (rp_terrain_is_free(terrain, cell) && pen->flood.labels[cell] == 0) {
            lead_road(pen, cell, terrain->bases[0]);
            rp_flood_from(&pen->flood, &terrain->grid, cell, 1);
        }
    }
}

// ---- birth and death

bool rp_warcraft_draw(rp_terrain_t *terrain, rp_seeded_t *seeded)
{
    const size_t cell_count = rp_terrain_cell_count(terrain);
    pen_t pen = {.terrain = terrain, .seeded = seeded};
    pen.dijkstra = rp_dijkstra_new(cell_count);
    pen.toil = malloc(cell_count);
    const bool ready =
        rp_flood_init(&pen.flood, cell_count) && pen.dijkstra != NULL && pen.toil != NULL;
    if (ready) {
        draw_land(&pen);
        close_rims(&pen);
        found_bases(&pen);
        lead_roads(&pen);
        close_pockets(&pen);
        join_islands(&pen);
    }
    rp_flood_fini(&pen.flood);
    rp_dijkstra_destroy(&pen.dijkstra);
    free(pen.toil);
    return ready;
}
