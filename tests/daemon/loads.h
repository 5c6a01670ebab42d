/// @file
/// Long messages for a daemon that stages them, and short ones that come beside them. Each request
/// has the id that it is given.
#ifndef REPLAN_TESTS_LOADS_H
#define REPLAN_TESTS_LOADS_H

#include "tests/daemon/wire.h"

#define RP_LOAD_SIDE  64u
#define RP_LOAD_CELLS (RP_LOAD_SIDE * RP_LOAD_SIDE)

/// Messages of so many bytes are long: those with all cells of a world are.
#define RP_LOAD_LONG  ((size_t)1000)
#define RP_LOAD_NEVER ((size_t)1 << 40)

/// What the next messages bring: a byte a cell, and of what is scattered its cells.
extern uint8_t rp_load_bytes[RP_LOAD_CELLS];
extern uint32_t rp_load_cells[RP_LOAD_CELLS];

/// The names of the worlds that rp_load_open() makes.
extern const char *const rp_load_worlds[2];

/// Open a daemon with two worlds of `rp_load_bytes`, and four agents in the first.
void rp_load_open(rp_wire_t *self, size_t long_from);

/// The bytes of a world as it stands; NULL when there is none.
const uint8_t *rp_load_bytes_of(const rp_wire_t *self, const char *name);

// ---- long ones

void rp_load_create(rp_wire_t *self, unsigned peer, const char *name, uint64_t id);

/// All cells of a world. @param is_scattered  half of them, named one by one
void rp_load_apply(rp_wire_t *self, unsigned peer, const char *name, bool is_scattered,
                   uint64_t id);

/// All cells of a world, published by "lidar".
void rp_load_change(rp_wire_t *self, const char *name, uint64_t sequence);

/// Poses of the four agents.
void rp_load_poses(rp_wire_t *self, unsigned peer, uint64_t id, double by);

/// An order for the four agents, by handle and by name: one place for all, or one each, by `x`.
void rp_load_order(rp_wire_t *self, unsigned peer, uint32_t x, uint64_t id);

/// Discs, of which some move from one `x` to the next.
void rp_load_overlay(rp_wire_t *self, unsigned peer, const char *name, uint32_t x, uint64_t id);

/// Other sides, by `x`.
void rp_load_resize(rp_wire_t *self, unsigned peer, const char *name, uint32_t x, uint64_t id);

// ---- short ones

/// A cell, freed or blocked by `x`.
void rp_load_small(rp_wire_t *self, unsigned peer, const char *name, uint32_t x, uint64_t id);

/// A pose of "ann" of "marsh".
void rp_load_pose(rp_wire_t *self, unsigned peer, double x, uint64_t id);
void rp_load_remove(rp_wire_t *self, unsigned peer, const char *name, uint64_t id);
void rp_load_list(rp_wire_t *self, unsigned peer, uint64_t id);

#endif
