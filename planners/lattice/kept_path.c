#include "planners/lattice/kept_path.h"

#include <stdlib.h>

#include "base/array.h"

/// More cells than this are too many to be told apart: the next plan searches.
#define TOUCHED_MOST 512u

void rp_kept_path_begin(rp_kept_path_t *self, const rp_lattice_search_t *search, uint32_t cost,
                        uint32_t x, uint32_t y)
{
    self->is_known = true;
    self->was_searched = !search->ended_by_known;
    self->has_freed = false;
    self->has_news = false;
    self->come_count = 0;
    self->cost = cost;
    self->percent = search->percent;
    self->driven = 0;
    self->proved = search->ground->weighted ? 0 : search->best;
    self->start_x = x;
    self->start_y = y;
    self->touched_count = 0;
}

void rp_kept_path_go_on(rp_kept_path_t *self, uint32_t cost, uint32_t percent, uint32_t driven,
                        uint32_t x, uint32_t y)
{
    self->is_known = true;
    self->has_news = false;
    self->come_count = 0;
    self->cost = cost;
    self->percent = percent;
    self->driven = driven;
    self->start_x = x;
    self->start_y = y;
}

// ---- changes

/// Whether a cell blocked when the search ran; it is noted if it was not.
static bool was_blocked_then(rp_kept_path_t *self, rp_cell_t cell, bool was_blocked)
{
    for (size_t i = 0; i < self->touched_count; i++) {
        if (self->touched[i].cell == cell) {
            return self->touched[i].was_blocked;
        }
    }
    if (self->touched_count == TOUCHED_MOST ||
        !rp_array_reserve(&self->touched, &self->touched_capacity, self->touched_count + 1u,
                          sizeof *self->touched)) {
        self->is_known = false;
        return was_blocked;
    }
    self->touched[self->touched_count++] = (rp_touched_cell_t){cell, was_blocked};
    return was_blocked;
}

void rp_kept_path_note(rp_kept_path_t *self, rp_cell_t cell, bool was_blocked, bool blocks)
{
    self->proved = !blocks && was_blocked && !self->is_known ? 0 : self->proved;
    if (!self->is_known || blocks == was_blocked) {
        return;
    }
    const bool blocked_then = was_blocked_then(self, cell, was_blocked);
    if (blocks) {
        self->come[self->come_count % RP_KEPT_PATH_COME] = cell;
        self->come_count++;
    } else {
        self->proved = blocked_then ? 0 : self->proved;
        self->has_freed = self->has_freed || blocked_then;
        self->has_news = self->has_news || self->has_freed;
        self->is_known = self->is_known && (self->was_searched || !blocked_then);
    }
}

/// True when a child sweeps the cell that lies (dx, dy) from its own.
static bool sweeps(const rp_control_set_t *set, uint32_t child, int32_t dx, int32_t dy)
{
    const rp_child_parts_t *parts = &set->parts[child];
    for (uint32_t i = 0; i < parts->run_count; i++) {
        const rp_swept_run_t *run = &set->runs[parts->first_run + i];
        if (run->y == dy && run->x <= dx && dx < run->x + run->count) {
            return true;
        }
    }
    return false;
}

/// Cells that came, which block still. @return how many
static uint32_t find_walls(const rp_kept_path_t *self, const rp_grid_t *ground,
                           rp_lattice_pose_t walls[RP_KEPT_PATH_COME])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->come_count; i++) {
        const rp_cell_t cell = self->come[i];
        if (ground->factor[cell] == 0) {
            walls[count++] = (rp_lattice_pose_t){(uint16_t)rp_grid_x(ground, cell),
                                                 (uint16_t)rp_grid_y(ground, cell), 0};
        }
    }
    return count;
}

/// True when a child sweeps one of these cells.
static bool meets(const rp_control_set_t *set, rp_lattice_pose_t pose, uint32_t child,
                  const rp_lattice_pose_t *walls, uint32_t count)
{
    const int32_t reach = (int32_t)set->reach;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t dx = walls[i].x - pose.x;
        const int32_t dy = walls[i].y - pose.y;
        if (dx >= -reach && dx <= reach && dy >= -reach && dy <= reach &&
            sweeps(set, child, dx, dy)) {
            return true;
        }
    }
    return false;
}

bool rp_kept_path_is_broken(rp_kept_path_t *self, const rp_lattice_search_t *search,
                            rp_lattice_pose_t root, const uint16_t *children, size_t count)
{
    rp_lattice_pose_t walls[RP_KEPT_PATH_COME];
    rp_lattice_pose_t pose = root;
    const bool are_few = self->come_count <= RP_KEPT_PATH_COME && !search->ground->shape.wraps;
    const uint32_t wall_count =
        are_few ? find_walls(self, search->ground, walls) : self->come_count;
    bool is_broken = false;
    for (size_t i = count; i-- > 0 && wall_count != 0 && !is_broken;) {
        is_broken = are_few ? meets(search->set, pose, children[i], walls, wall_count)
                            : !rp_lattice_search_is_legal(search, pose.x, pose.y, children[i]);
        pose = rp_lattice_search_end(search, pose, children[i]);
    }
    self->come_count = 0;
    return is_broken;
}

// ---- proof

/// True when a path over a pose that it cost the search g to come to, and h from there on, is no
/// cheaper than allowed. All times w, so that nothing is rounded.
static bool is_too_dear(const rp_kept_path_t *self, uint64_t closed_g, uint64_t rest)
{
    const uint64_t w = 100u + self->percent;
    return closed_g * 100u + rest * w >= (uint64_t)self->cost * 100u + self->driven * w;
}

/// (a): straight(start, c) + h'(c), for any heading.
static bool fell_too_near(const rp_kept_path_t *self, const rp_lattice_search_t *search,
                          rp_cell_t cell)
{
    const rp_lattice_pose_t pose = {(uint16_t)rp_grid_x(search->ground, cell),
                                    (uint16_t)rp_grid_y(search->ground, cell), 0};
    const uint64_t rest =
        (uint64_t)rp_lattice_search_straight(search, self->start_x, self->start_y, pose.x, pose.y) +
        rp_lattice_search_cell_h(search, pose);
    return !is_too_dear(self, 0, self->driven + rest);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool fields_hold(const rp_kept_path_t *self, const rp_lattice_search_t *search)
{
    const rp_guide_field_t *field = search->field;
    if (field->is_new) {
        return false;
    }
    for (uint32_t i = 0; i < field->lowered_count; i++) {
        const rp_cell_t cell = field->lowered[i];
        if (field->values[cell] < least(field->before[cell], search->field_most) &&
            fell_too_near(self, search, cell)) {
            return false;
        }
    }
    return true;
}

/// (b), for one closed pose and a freed cell that lies (dx, dy) from it.
static bool moves_hold(const rp_kept_path_t *self, const rp_lattice_search_t *search,
                       rp_lattice_pose_t pose, uint32_t g, int32_t dx, int32_t dy)
{
    const rp_control_set_t *set = search->set;
    for (uint32_t i = set->first[pose.heading]; i < set->first[pose.heading + 1u]; i++) {
        const uint32_t cost = set->children[i].cost;
        if (is_too_dear(self, g, cost) || !sweeps(set, i, dx, dy) ||
            !rp_lattice_search_is_legal(search, pose.x, pose.y, i)) {
            continue;
        }
        const uint64_t h = rp_lattice_search_h(search, rp_lattice_search_end(search, pose, i));
        if (!is_too_dear(self, g, cost + h)) {
            return false;
        }
    }
    return true;
}

/// (b), for all poses round a freed cell.
static bool freed_holds(const rp_kept_path_t *self, const rp_lattice_search_t *search,
                        rp_cell_t cell)
{
    const uint32_t x = rp_grid_x(search->ground, cell);
    const uint32_t y = rp_grid_y(search->ground, cell);
    const int32_t reach = (int32_t)search->set->reach;
    for (int32_t dy = -reach; dy <= reach; dy++) {
        for (int32_t dx = -reach; dx <= reach; dx++) {
            rp_lattice_pose_t pose;
            if (!rp_lattice_search_shift(search, x, y, -dx, -dy, &pose)) {
                continue;
            }
            for (uint32_t heading = 0; heading < search->set->states; heading++) {
                pose.heading = (uint8_t)heading;
                uint32_t g;
                if (rp_lattice_search_is_closed(search, pose, &g) &&
                    !moves_hold(self, search, pose, g, dx, dy)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/// (b), for all cells that were blocked when the search ran and are free.
static bool all_freed_hold(const rp_kept_path_t *self, const rp_lattice_search_t *search)
{
    for (size_t i = 0; i < self->touched_count; i++) {
        const rp_touched_cell_t *touched = &self->touched[i];
        if (touched->was_blocked && search->ground->factor[touched->cell] != 0 &&
            !freed_holds(self, search, touched->cell)) {
            return false;
        }
    }
    return true;
}

bool rp_kept_path_holds(rp_kept_path_t *self, const rp_lattice_search_t *search)
{
    bool holds = self->is_known && !search->ground->weighted;
    if (holds && self->has_news) {
        holds = fields_hold(self, search) && all_freed_hold(self, search);
    }
    self->has_news = false;
    self->is_known = holds;
    return holds;
}

// ---- death

void rp_kept_path_fini(rp_kept_path_t *self)
{
    free(self->touched);
    *self = (rp_kept_path_t){0};
}
