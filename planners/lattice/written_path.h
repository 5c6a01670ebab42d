/// @file
/// Written path: the segments of a path, and the cells that its curve's centre runs through, child
/// by child. Coordinates run on over the seam of a torus.
#ifndef REPLAN_PLANNERS_LATTICE_WRITTEN_PATH_H
#define REPLAN_PLANNERS_LATTICE_WRITTEN_PATH_H

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "planners/lattice/first_curves.h"

/// Most cells that a move runs through.
#define RP_WRITTEN_CELLS_MOST 512u

typedef struct rp_written_path {
    rp_segment_t *segments; ///< owned [segment_count]
    size_t segment_count;
    size_t segment_capacity;
    rp_cell_t *cells; ///< owned [cell_count]
    size_t cell_count;
    size_t cell_capacity;
    int32_t x; ///< cell where the path has come to
    int32_t y;
    double heading; ///< and its heading there
} rp_written_path_t;

static inline void rp_written_path_fini(rp_written_path_t *self)
{
    free(self->segments);
    free(self->cells);
    *self = (rp_written_path_t){0};
}

/// Note a cell, if it is another than the last. There is room.
static inline void rp_written_path_cell(rp_written_path_t *self, const rp_lattice_search_t *search,
                                        int32_t x, int32_t y)
{
    rp_lattice_pose_t place;
    (void)rp_lattice_search_shift(search, 0, 0, x, y, &place);
    const rp_cell_t cell = rp_grid_cell(search->ground, place.x, place.y);
    if (self->cell_count == 0 || self->cells[self->cell_count - 1u] != cell) {
        self->cells[self->cell_count++] = cell;
    }
}

/// Begin on a cell. @param children  how many will be written, beside a first curve
/// @return RP_E_MEMORY
static inline rp_status_t rp_written_path_begin(rp_written_path_t *self,
                                                const rp_lattice_search_t *search, uint32_t x,
                                                uint32_t y, double heading, size_t children)
{
    if (!rp_array_reserve(&self->segments, &self->segment_capacity,
                          (children + 1u) * RP_CURVE_PIECES_MAX, sizeof *self->segments) ||
        !rp_array_reserve(&self->cells, &self->cell_capacity,
                          (children + 1u) * RP_WRITTEN_CELLS_MOST, sizeof *self->cells)) {
        return RP_E_MEMORY;
    }
    self->segment_count = 0;
    self->cell_count = 0;
    self->x = (int32_t)x;
    self->y = (int32_t)y;
    self->heading = heading;
    rp_written_path_cell(self, search, self->x, self->y);
    return RP_OK;
}

/// Take over segments that were written behind the last, computed from their own cell: shift them
/// by whole cells.
static inline void rp_written_path_place(rp_written_path_t *self, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        rp_segment_t *segment = &self->segments[self->segment_count++];
        segment->start.x += self->x;
        segment->start.y += self->y;
    }
}

static inline void rp_written_path_first(rp_written_path_t *self, const rp_lattice_search_t *search,
                                         const rp_first_curve_t *first)
{
    rp_swept_cell_t cells[RP_WRITTEN_CELLS_MOST];
    rp_swept_t swept = {.segment_count = first->segment_count};
    const rp_motion_pose_t end = rp_segment_end(&first->segments[first->segment_count - 1u]);
    for (uint32_t i = 0; i < first->segment_count; i++) {
        swept.segments[i] = first->segments[i];
        self->segments[i] = first->segments[i];
    }
    rp_written_path_place(self, first->segment_count);
    const uint32_t count = rp_swept_cells(&swept, 0, cells, RP_WRITTEN_CELLS_MOST);
    for (uint32_t i = 0; i < count; i++) {
        rp_written_path_cell(self, search, self->x + cells[i].x, self->y + cells[i].y);
    }
    self->x += (int32_t)floor(end.x + 0.5);
    self->y += (int32_t)floor(end.y + 0.5);
    self->heading = search->set->headings.angle[first->pose.heading];
}

static inline void rp_written_path_child(rp_written_path_t *self, const rp_lattice_search_t *search,
                                         uint32_t number)
{
    const rp_control_set_t *set = search->set;
    const rp_child_t *child = &set->children[number];
    const rp_move_parts_t *parts = &set->moves[set->parts[number].move];
    rp_written_path_place(
        self, rp_control_set_segments(set, number, self->segments + self->segment_count));
    for (uint32_t i = 0; i < parts->cell_count; i++) {
        const rp_swept_cell_t *cell = &set->cells[parts->first_cell + i];
        int32_t dx = cell->x;
        int32_t dy = cell->y;
        rp_quarters_turn(&dx, &dy, child->from / (set->headings.count / 4u));
        rp_written_path_cell(self, search, self->x + dx, self->y + dy);
    }
    self->x += child->dx;
    self->y += child->dy;
    self->heading = set->headings.angle[child->heading];
}

#endif
