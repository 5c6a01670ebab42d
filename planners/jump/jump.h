/// @file
/// Jump point search: A* over the few cells where a shortest path may turn ("Improving Jump Point
/// Search", Harabor and Grastien 2014; without corner cutting, as jump_map.h says).
/// jump_loop.h has the loop.
#ifndef REPLAN_PLANNERS_JUMP_JUMP_H
#define REPLAN_PLANNERS_JUMP_JUMP_H

#include "planners/grid/search_stats.h"
#include "planners/jump/jump_loop.h"
#include "replan/planner.h"

/// Begin a search between two free places. The map must be settled, and the bounds, if the user
/// has some, towards the target. Time: O(1).
static inline void rp_jump_begin(rp_jump_t *self, uint32_t root, uint32_t target)
{
    self->root = root;
    self->target = target;
    self->root_column = rp_jump_column(root);
    self->root_row = rp_jump_row(root);
    self->target_column = rp_jump_column(target);
    self->target_row = rp_jump_row(target);
    self->base = rp_jump_bound_at(self, root);
    self->is_found = false;
    rp_bucket_levels_clear(&self->open);
    rp_jump_loop_begin(self);
}

/// Go on until the target is expanded, OPEN is empty, or the budget is used up (counted down).
/// @return RP_OK or RP_MORE
static inline rp_status_t rp_jump_search(rp_jump_t *self, uint64_t *budget,
                                         rp_search_stats_t *stats)
{
    const uint64_t before = *budget + self->prefault.paid;
    self->generated = 0;
    const rp_status_t status = rp_jump_loop_search(self, budget);
    stats->expanded += before - self->prefault.paid - *budget;
    stats->generated += self->generated;
    return status;
}

// ---- birth and death

/// Nodes and OPEN alone, for a search that needs no map of jumps (jump/guided.h).
/// @param stride  of the cells in nodes and paths, at least width + 2
static inline void rp_jump_init_nodes(rp_jump_t *self, uint32_t height, uint32_t stride,
                                      rp_arena_t *arena)
{
    const uint64_t raise = 2u * RP_DIAGONAL * ((uint64_t)stride + height);
    const uint32_t blocks = stride / RP_JUMP_BLOCK + 1u;
    const uint32_t block_rows = (height + 1u) / RP_JUMP_BLOCK + 1u;
    *self = (rp_jump_t){
        .stride = stride,
        .cell_count = stride * (height + 2u),
        .blocks = blocks,
        .name_count = stride * (height + 2u),
        .slot_bits = RP_JUMP_SLOT_BITS_LEAST,
        .names = 1u,
        .simd = rp_simd_best(),
    };
    self->nodes = rp_arena_new_sparse(arena, self->cell_count, sizeof *self->nodes);
    rp_arena_note(arena, &self->node_count, &self->most_nodes, sizeof *self->nodes);
    if (self->cell_count > RP_JUMP_SLOT_COUNT) {
        self->name_count = blocks * block_rows * RP_JUMP_BLOCK * RP_JUMP_BLOCK;
        self->slots = rp_arena_new(arena, RP_JUMP_SLOT_COUNT, sizeof *self->slots);
    }
    self->by_cell =
        rp_arena_new_by_cell(arena, &self->prefault, self->name_count, sizeof *self->by_cell, 0);
    rp_arena_note(arena, &self->names_met, &self->names_met, sizeof *self->by_cell);
    rp_bucket_levels_init(&self->open, self->cell_count, raise, arena);
}

/// As rp_jump_init_nodes(), and the map. All places block at first.
static inline void rp_jump_init(rp_jump_t *self, uint32_t width, uint32_t height, uint32_t stride,
                                rp_arena_t *arena)
{
    rp_jump_init_nodes(self, height, stride, arena);
    rp_jump_map_init(&self->map, width, height, arena);
}

#endif
