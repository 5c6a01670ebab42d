#include "planners/lattice/kept_path.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/memory.h"

/// More cells than this are too many to be told apart: the next plan searches.
#define TOUCHED_MOST 512u

void rp_kept_path_begin(rp_kept_path_t *self, const rp_lattice_search_t *search, uint32_t cost,
                        uint32_t x, uint32_t y)
{
    self->is_known = true;
    self->was_searched = !search->ended_by_known;
    self->has_swept = false;
    self->has_freed = false;
    self->has_news = false;
    self->cost = cost;
    self->percent = search->percent;
    self->start_x = x;
    self->start_y = y;
    self->touched_count = 0;
}

/// Cells of a run lie side by side, but on a torus.
static void sweep_run(rp_kept_path_t *self, const rp_lattice_search_t *search, uint32_t x,
                      uint32_t y, const rp_swept_run_t *run)
{
    const uint32_t step = search->ground->shape.wraps ? 1u : run->count;
    for (uint32_t k = 0; k < run->count; k += step) {
        rp_lattice_pose_t place;
        (void)rp_lattice_search_shift(search, x, y, run->x + (int32_t)k, run->y, &place);
        const rp_cell_t first = rp_grid_cell(search->ground, place.x, place.y);
        for (uint32_t i = 0; i < step; i++) {
            rp_bits_set(self->swept, first + i, true);
        }
    }
}

void rp_kept_path_sweep(rp_kept_path_t *self, const rp_lattice_search_t *search,
                        rp_lattice_pose_t root, const uint16_t *children, size_t count)
{
    rp_lattice_pose_t pose = root;
    memset(self->swept, 0, self->swept_bytes);
    self->has_swept = true;
    for (size_t i = count; i-- > 0;) {
        const rp_child_parts_t *parts = &search->set->parts[children[i]];
        for (uint32_t k = 0; k < parts->run_count; k++) {
            sweep_run(self, search, pose.x, pose.y, &search->set->runs[parts->first_run + k]);
        }
        pose = rp_lattice_search_end(search, pose, children[i]);
    }
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
    if (!self->is_known || blocks == was_blocked) {
        return;
    }
    const bool blocked_then = was_blocked_then(self, cell, was_blocked);
    if (!blocks) {
        self->has_freed = self->has_freed || blocked_then;
        self->has_news = self->has_news || self->has_freed;
        self->is_known = self->is_known && (self->was_searched || !blocked_then);
    }
}

bool rp_kept_path_is_broken(const rp_kept_path_t *self, const rp_grid_t *ground)
{
    bool is_broken = false;
    for (size_t i = 0; i < self->touched_count && !is_broken; i++) {
        const rp_cell_t cell = self->touched[i].cell;
        is_broken = ground->factor[cell] == 0 && rp_bits_has(self->swept, cell);
    }
    return is_broken;
}

// ---- proof

/// True when a path over a pose that it costs g to come to, and h from there on, is no cheaper than
/// allowed. All times w, so that nothing is rounded.
static bool is_too_dear(const rp_kept_path_t *self, uint64_t closed_g, uint64_t rest)
{
    const uint64_t w = 100u + self->percent;
    return closed_g * 100u + rest * w >= (uint64_t)self->cost * 100u;
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
    return !is_too_dear(self, 0, rest);
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

// ---- birth and death

rp_status_t rp_kept_path_init(rp_kept_path_t *self, const rp_grid_t *ground)
{
    self->swept_bytes = ground->cell_count / 8u + 1u;
    self->swept = calloc(self->swept_bytes, 1);
    return self->swept != NULL ? RP_OK : RP_E_MEMORY;
}

void rp_kept_path_fini(rp_kept_path_t *self)
{
    free(self->swept);
    free(self->touched);
    *self = (rp_kept_path_t){0};
}
