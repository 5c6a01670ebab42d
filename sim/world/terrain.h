/// @file
/// True world of a simulation: the kind of each cell, and the byte that is sent for it. The daemon
/// knows bytes only; view and churn use the kinds.
#ifndef REPLAN_SIM_WORLD_TERRAIN_H
#define REPLAN_SIM_WORLD_TERRAIN_H

#include "sim/check/grid_view.h"
#include "sim/seeded.h"

/// Free kinds first; from RP_KIND_FIRST_BLOCKED on a cell blocks.
typedef enum rp_terrain_kind {
    RP_KIND_FLOOR, ///< of mazes and random worlds
    RP_KIND_GRASS,
    RP_KIND_HIGHLAND,
    RP_KIND_SAND,
    RP_KIND_ROAD,
    RP_KIND_RAMP,
    RP_KIND_BRIDGE,
    RP_KIND_RUBBLE, ///< where a building stood
    RP_KIND_FIRST_BLOCKED,
    RP_KIND_TREE = RP_KIND_FIRST_BLOCKED,
    RP_KIND_WATER,
    RP_KIND_CLIFF,
    RP_KIND_BUILDING,
    RP_KIND_WALL, ///< of mazes and random worlds
    RP_KIND_COUNT,
} rp_terrain_kind_t;

#define RP_BASES_MAX 32u

typedef enum rp_terrain_sort {
    RP_TERRAIN_WARCRAFT, ///< forests, water, cliffs with ramps, roads between bases
    RP_TERRAIN_MAZE,     ///< depth-first maze on a torus, rooms at even coordinates
    RP_TERRAIN_RANDOM,   ///< single blocked cells
    RP_TERRAIN_PLAIN,    ///< floor; who plays on it draws the rest
} rp_terrain_sort_t;

typedef struct rp_terrain_options {
    rp_terrain_sort_t sort;
    uint32_t width;  ///< from 64 for Warcraft; even, from 4, for a maze
    uint32_t height; ///< the same
    uint8_t neighbors;
    bool weighted;  ///< roads are cheap, sand and rubble are dear; else all free ground is
                    ///< alike
    double density; ///< share of blocked cells, for random worlds
    rp_scale_t scale;
    uint64_t seed;
} rp_terrain_options_t;

typedef struct rp_terrain {
    rp_grid_view_t grid; ///< bytes as the daemon would see them all, borrowed from `bytes`
    uint8_t *bytes;      ///< owned
    uint8_t *kinds;      ///< rp_terrain_kind_t each, owned
    bool weighted;
    uint32_t base_count;
    uint32_t bases[RP_BASES_MAX]; ///< a free cell in the middle of each base
} rp_terrain_t;

typedef struct rp_terrain_box {
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
} rp_terrain_box_t;

/// Where the terrain was rewritten: single cells, and all of a rectangle. Starts as {0}.
typedef struct rp_edits {
    uint32_t *cells; ///< owned
    size_t count;
    size_t capacity;
    rp_terrain_box_t box; ///< width 0: none
} rp_edits_t;

static inline bool rp_edits_is_empty(const rp_edits_t *self)
{
    return self->count == 0 && self->box.width == 0;
}

/// @return false without memory; the list is as it was
bool rp_edits_add(rp_edits_t *self, uint32_t cell);
void rp_edits_clear(rp_edits_t *self);
void rp_edits_fini(rp_edits_t *self);

bool rp_terrain_kind_is_free(rp_terrain_kind_t kind);

/// Make a world. The same options make the same world.
/// @return false without memory, or for a size that the sort cannot do (`self` is empty then)
bool rp_terrain_init(rp_terrain_t *self, const rp_terrain_options_t *options);
void rp_terrain_fini(rp_terrain_t *self);

size_t rp_terrain_cell_count(const rp_terrain_t *self);
bool rp_terrain_is_free(const rp_terrain_t *self, uint32_t cell);

/// The byte that says this kind, here.
uint8_t rp_terrain_byte(const rp_terrain_t *self, rp_terrain_kind_t kind);

/// Make a cell something else.
void rp_terrain_write(rp_terrain_t *self, uint32_t cell, rp_terrain_kind_t kind);

/// The same for all of a rectangle. Must lie inside.
void rp_terrain_fill(rp_terrain_t *self, rp_terrain_box_t box, rp_terrain_kind_t kind);

/// Make a cell cheaper or dearer than its kind is, until it is written again.
void rp_terrain_grade(rp_terrain_t *self, uint32_t cell, uint8_t byte);

/// Any free cell, found by chance. The world must have one.
uint32_t rp_terrain_any_free(const rp_terrain_t *self, rp_seeded_t *seeded);

#endif
