/// @file
/// A wavefront: the first growth of a field (field.h) on ground where every step costs the same: 4
/// neighbours, uniform, not wrapped. It needs no buckets: whole layers of equal keys are found, 64
/// cells an instruction (bits/bit_bfs.h), more than three times as fast as one by one.
#ifndef REPLAN_PLANNERS_FIELD_WAVEFRONT_H
#define REPLAN_PLANNERS_FIELD_WAVEFRONT_H

#include <assert.h>

#include "planners/bits/bit_bfs.h"
#include "planners/field/field.h"
#include "planners/grid/search_stats.h"

typedef struct rp_wavefront {
    rp_bit_bfs_t bfs;  ///< all zero on ground that wavefronts are not for
    rp_field_t *field; ///< borrowed; of the wave under way, NULL when there is none
    uint64_t *budget;  ///< borrowed; of the present slice of it
} rp_wavefront_t;

static inline void rp_wavefront_init(rp_wavefront_t *self, const rp_grid_t *grid, rp_arena_t *arena)
{
    const rp_grid_shape_t *shape = &grid->shape;
    *self = (rp_wavefront_t){0};
    if (shape->neighbors == 4 && !grid->weighted && !shape->wraps) {
        rp_bit_bfs_init(&self->bfs, shape->width, shape->height, rp_simd_best(), arena);
    }
}

static inline uint64_t rp_wavefront_bytes(const rp_wavefront_t *self)
{
    return self->bfs.search != 0 ? rp_bit_bfs_bytes(&self->bfs) : 0u;
}

/// True when a wavefront can make the first growth: the field has just begun, has bounds, and the
/// ground is right.
static inline bool rp_wavefront_suits(const rp_wavefront_t *self, const rp_field_t *field)
{
    return self->bfs.map.words != NULL && field->hear == NULL && field->metric.h_straight != 0 &&
           field->nodes[field->root].mark == field->build && field->outside.count == 1u &&
           field->lowered.count == 0;
}

/// As rp_bit_bfs_hear_t: cells were reached. Those of the last layer are put into the ring.
static inline void rp_wavefront_hear(void *owner, const rp_bit_bfs_news_t *news)
{
    const rp_wavefront_t *self = owner;
    rp_field_t *field = self->field;
    rp_node_t *nodes = field->nodes;
    const uint32_t mark = field->build | (news->is_last ? 0u : RP_NODE_CLOSED);
    const rp_cost_t key = news->f + field->shift;
    field->limit = key - 1u;
    for (uint64_t rows = news->rows; rows != 0; rows &= rows - 1u) {
        const unsigned row = (unsigned)__builtin_ctzll(rows);
        const rp_cell_t first = news->corner + row * (rp_cell_t)news->row_step;
        const unsigned least = (unsigned)__builtin_ctzll(news->words[row]);
        rp_prefault_note(&field->prefault, first + least * (rp_cell_t)news->bit_step, self->budget);
        for (uint64_t word = news->words[row]; word != 0; word &= word - 1u) {
            const unsigned bit = (unsigned)__builtin_ctzll(word);
            const rp_cell_t cell = first + bit * (rp_cell_t)news->bit_step;
            const rp_cost_t d = (uint32_t)(news->g + row + bit);
            nodes[cell] = (rp_node_t){d, mark};
            if (news->is_last) {
                rp_field_put_outside(field, cell, key, d);
            }
        }
    }
}

static inline void rp_wavefront_begin(rp_wavefront_t *self, rp_field_t *field, rp_cost_t slack)
{
    const rp_point_t root = rp_point_of(field->grid, field->root);
    const rp_point_t apex = field->apex_point;
    rp_bit_bfs_t *bfs = &self->bfs;
    self->field = field;
    rp_free_map_read(&bfs->map, field->grid, bfs->simd);
    rp_bit_bfs_begin(bfs, (uint32_t)root.x, (uint32_t)root.y, (uint32_t)apex.x, (uint32_t)apex.y);
    rp_bit_bfs_tell(bfs, field->grid->stride, (uint32_t)(slack / 2u) + 1u, rp_wavefront_hear, self);
}

/// True while a wave is under way; the field is not complete then.
static inline bool rp_wavefront_is_rolling(const rp_wavefront_t *self)
{
    return self->field != NULL;
}

/// Give up the wavefront under way.
static inline void rp_wavefront_drop(rp_wavefront_t *self)
{
    self->field = NULL;
}

/// Begin or go on: grow the field to `slack` beyond the key of the apex.
/// @return false when the budget was spent first: call again
static inline bool rp_wavefront_grow(rp_wavefront_t *self, rp_field_t *field, rp_cost_t slack,
                                     uint64_t *budget, rp_search_stats_t *stats)
{
    rp_bit_bfs_count_t count = {0};
    if (!rp_wavefront_is_rolling(self)) {
        rp_buckets_clear(&field->outside);
        rp_wavefront_begin(self, field, slack);
    }
    self->budget = budget;
    const rp_status_t status = rp_bit_bfs_search(&self->bfs, budget, &count);
    stats->expanded += count.steps;
    if (status == RP_MORE) {
        return false;
    }
    field->limit = self->bfs.is_whole ? RP_FIELD_WHOLE
                                      : rp_field_at(field, field->apex) + field->shift + slack;
    self->field = NULL;
    return true;
}

#endif
