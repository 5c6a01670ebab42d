#include "planners/lattice/written_path.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

/// Most cells that a move runs through.
#define CELLS_MOST 512u

void rp_written_path_fini(rp_written_path_t *self)
{
    free(self->children);
    free(self->segments);
    free(self->cells);
    free(self->old.poses);
    free(self->old.children);
    free(self->old.costs);
    *self = (rp_written_path_t){0};
}

void rp_written_path_clear(rp_written_path_t *self)
{
    self->child_count = 0;
    self->segment_count = 0;
    self->cell_count = 0;
    self->is_whole = false;
    self->first_count = 0;
    self->spare = 0;
}

// ---- children

static rp_status_t note_child(rp_written_path_t *self, uint16_t child)
{
    if (!rp_array_reserve(&self->children, &self->child_capacity, self->child_count + 1u,
                          sizeof *self->children)) {
        return RP_E_MEMORY;
    }
    self->children[self->child_count++] = child;
    return RP_OK;
}

/// Children from where the search met the box on to the goal, the last one first, and the pose
/// where they end.
static rp_status_t note_rest(rp_written_path_t *self, const rp_lattice_search_t *search,
                             const rp_goal_ends_t *ends, rp_lattice_pose_t *end)
{
    rp_status_t status = RP_OK;
    const rp_lattice_tail_t *tail = &search->tail;
    *end = search->end;
    for (size_t i = rp_lattice_tail_place(tail, *end);
         search->ends_on_tail && i + 1u < tail->count && status == RP_OK; i++) {
        status = note_child(self, tail->children[i]);
        *end = tail->poses[i + 1u];
    }
    while (rp_goal_ends_has_heading(ends) && !search->ends_on_tail && status == RP_OK) {
        const uint16_t child = rp_goal_box_next(&ends->box, *end);
        if (child == RP_CHILD_NONE) {
            break;
        }
        status = note_child(self, child);
        *end = rp_lattice_search_end(search, *end, child);
    }
    for (size_t i = 0; i < self->child_count / 2u; i++) {
        const uint16_t child = self->children[i];
        self->children[i] = self->children[self->child_count - 1u - i];
        self->children[self->child_count - 1u - i] = child;
    }
    return status;
}

/// Children from there back to the first pose of the lattice, which is noted, and what is spare.
static rp_status_t note_children(rp_written_path_t *self, const rp_lattice_search_t *search,
                                 rp_lattice_pose_t *root)
{
    rp_status_t status = RP_OK;
    *root = search->end;
    while (status == RP_OK) {
        const uint16_t child = rp_lattice_search_node(search, *root)->child;
        if (child == RP_CHILD_NONE) {
            break;
        }
        status = note_child(self, child);
        const uint32_t g = rp_lattice_search_node(search, *root)->g;
        *root = rp_lattice_search_before(search, *root);
        self->spare += g - rp_lattice_search_node(search, *root)->g -
                       rp_child_cost(search->set, search->ground, root->x, root->y, child);
    }
    return status;
}

// ---- segments and cells

/// Note a cell, if it is another than the last. There is room.
static void add_cell(rp_written_path_t *self, const rp_lattice_search_t *search, int32_t x,
                     int32_t y)
{
    rp_lattice_pose_t place;
    (void)rp_lattice_search_shift(search, 0, 0, x, y, &place);
    const rp_cell_t cell = rp_grid_cell(search->ground, place.x, place.y);
    if (self->cell_count == 0 || self->cells[self->cell_count - 1u] != cell) {
        self->cells[self->cell_count++] = cell;
    }
}

/// Begin on a cell. There is room for the children that are noted, and for two curves.
static rp_status_t begin(rp_written_path_t *self, const rp_lattice_search_t *search, uint32_t x,
                         uint32_t y, double heading)
{
    const size_t pieces = self->child_count + 2u;
    if (!rp_array_reserve(&self->segments, &self->segment_capacity, pieces * RP_CURVE_PIECES_MAX,
                          sizeof *self->segments) ||
        !rp_array_reserve(&self->cells, &self->cell_capacity, pieces * CELLS_MOST + 1u,
                          sizeof *self->cells)) {
        return RP_E_MEMORY;
    }
    self->segment_count = 0;
    self->cell_count = 0;
    self->x = (int32_t)x;
    self->y = (int32_t)y;
    self->heading = heading;
    add_cell(self, search, self->x, self->y);
    return RP_OK;
}

rp_status_t rp_written_path_stay(rp_written_path_t *self, const rp_lattice_search_t *search,
                                 uint32_t x, uint32_t y, double yaw)
{
    rp_written_path_clear(self);
    return begin(self, search, x, y, yaw);
}

/// Take over segments that were written behind the last, computed from their own cell: shift them
/// by whole cells.
static void place(rp_written_path_t *self, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        rp_segment_t *segment = &self->segments[self->segment_count++];
        segment->start.x += self->x;
        segment->start.y += self->y;
    }
}

/// A curve that is told from the cell where the path is taken to be.
static void add_curve(rp_written_path_t *self, const rp_lattice_search_t *search,
                      const rp_first_curve_t *curve)
{
    rp_swept_cell_t cells[CELLS_MOST];
    rp_swept_t swept = {.segment_count = curve->segment_count};
    for (uint32_t i = 0; i < curve->segment_count; i++) {
        swept.segments[i] = curve->segments[i];
        self->segments[self->segment_count + i] = curve->segments[i];
    }
    place(self, curve->segment_count);
    const uint32_t count = rp_swept_cells(&swept, 0, cells, CELLS_MOST);
    for (uint32_t i = 0; i < count; i++) {
        add_cell(self, search, self->x + cells[i].x, self->y + cells[i].y);
    }
}

static void write_first(rp_written_path_t *self, const rp_lattice_search_t *search,
                        const rp_first_curve_t *first)
{
    const rp_control_set_t *set = search->set;
    const rp_motion_pose_t end = rp_segment_end(&first->segments[first->segment_count - 1u]);
    add_curve(self, search, first);
    self->x += (int32_t)floor(end.x + 0.5);
    self->y += (int32_t)floor(end.y + 0.5);
    self->heading = set->headings.angle[rp_control_set_heading(set, first->pose.heading)];
}

static void write_last(rp_written_path_t *self, const rp_lattice_search_t *search,
                       const rp_first_curve_t *last, double yaw)
{
    self->x -= (int32_t)floor(last->segments[0].start.x + 0.5);
    self->y -= (int32_t)floor(last->segments[0].start.y + 0.5);
    add_curve(self, search, last);
    self->heading = yaw;
}

static void write_child(rp_written_path_t *self, const rp_lattice_search_t *search, uint32_t number)
{
    const rp_control_set_t *set = search->set;
    const rp_child_t *child = &set->children[number];
    const rp_move_parts_t *parts = &set->moves[set->parts[number].move];
    place(self, rp_control_set_segments(set, number, self->segments + self->segment_count));
    for (uint32_t i = 0; i < parts->cell_count; i++) {
        const rp_swept_cell_t *cell = &set->cells[parts->first_cell + i];
        int32_t dx = cell->x;
        int32_t dy = cell->y;
        rp_quarters_turn(&dx, &dy, rp_control_set_quarters(set, child->from));
        add_cell(self, search, self->x + dx, self->y + dy);
    }
    self->x += child->dx;
    self->y += child->dy;
    self->heading = set->headings.angle[rp_control_set_heading(set, child->heading)];
}

rp_status_t rp_written_path_write(rp_written_path_t *self, const rp_lattice_search_t *search,
                                  const rp_goal_ends_t *ends, const rp_first_curves_t *first,
                                  uint32_t x, uint32_t y, double yaw)
{
    rp_lattice_pose_t end;
    double goal_yaw = 0.0;
    rp_written_path_clear(self);
    rp_status_t status = note_rest(self, search, ends, &end);
    status = status == RP_OK ? note_children(self, search, &self->root) : status;
    status = status == RP_OK ? begin(self, search, x, y, yaw) : status;
    if (status != RP_OK) {
        return status;
    }
    if (first != NULL) {
        write_first(self, search, rp_first_curves_to(first, self->root));
        self->first_count = (uint32_t)self->segment_count;
    }
    for (size_t i = self->child_count; i-- > 0;) {
        write_child(self, search, self->children[i]);
    }
    const rp_first_curve_t *last = rp_goal_ends_curve(ends, end, &goal_yaw);
    if (last != NULL) {
        write_last(self, search, last, goal_yaw);
    }
    self->is_whole = first == NULL && last == NULL;
    return RP_OK;
}

// ---- the old path

rp_status_t rp_written_path_remember(rp_written_path_t *written, const rp_lattice_search_t *search,
                                     uint32_t bound)
{
    rp_old_path_t *self = &written->old;
    const size_t count = written->child_count;
    if (!written->is_whole || count == 0) {
        return RP_OK;
    }
    self->count = 0;
    if (!rp_array_reserve(&self->poses, &self->poses_room, count + 1u, sizeof *self->poses) ||
        !rp_array_reserve(&self->children, &self->children_room, count + 1u,
                          sizeof *self->children) ||
        !rp_array_reserve(&self->costs, &self->costs_room, count + 1u, sizeof *self->costs)) {
        return RP_E_MEMORY;
    }
    self->poses[0] = written->root;
    for (size_t i = 0; i < count; i++) {
        self->children[i] = written->children[count - 1u - i];
        self->poses[i + 1u] = rp_lattice_search_end(search, self->poses[i], self->children[i]);
    }
    self->costs[count] = 0;
    for (size_t i = count; i-- > 0;) {
        self->costs[i] = self->costs[i + 1u] + search->set->children[self->children[i]].cost;
    }
    self->count = count + 1u;
    self->bound = bound;
    return RP_OK;
}

static bool is_left(const rp_old_path_t *self, const rp_lattice_search_t *search, size_t place)
{
    const rp_lattice_pose_t *pose = &self->poses[place];
    return rp_lattice_search_is_legal(search, pose->x, pose->y, self->children[place]);
}

void rp_written_path_lend_end(rp_written_path_t *written, rp_lattice_search_t *search)
{
    rp_old_path_t *self = &written->old;
    if (self->count == 0) {
        return;
    }
    self->first = self->count - 1u;
    while (self->first != 0 && is_left(self, search, self->first - 1u)) {
        self->first--;
    }
    rp_lattice_search_tail(
        search, &(rp_lattice_tail_t){self->poses + self->first, self->children + self->first,
                                     self->costs + self->first, self->count - self->first});
}

void rp_written_path_lend_start(const rp_written_path_t *written, rp_lattice_search_t *search)
{
    const rp_old_path_t *self = &written->old;
    size_t root = 0;
    while (root < self->count) {
        const rp_pose_node_t *node = rp_lattice_search_node(search, self->poses[root]);
        if (node != NULL && node->g == 0) {
            break;
        }
        root++;
    }
    if (root < self->count && search->set->states == search->set->headings.count) {
        const uint32_t driven = self->costs[0] - self->costs[root];
        search->known = self->bound > driven ? self->bound - driven : 0;
    }
    for (size_t i = root; i < self->first && i + 1u < self->count && is_left(self, search, i);
         i++) {
        rp_lattice_search_child(search, self->poses[i + 1u],
                                self->costs[root] - self->costs[i + 1u], self->children[i]);
    }
}
