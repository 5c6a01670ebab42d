#include "planners/lattice/lattice.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "planners/lattice/first_curves.h"
#include "planners/lattice/guide.h"
#include "planners/lattice/lattice_search.h"
#include "planners/motion/trig.h"

/// Judging allows a body that touches an obstacle, but for rounding.
#define JUDGING_MARGIN (-1e-9)

/// A yaw within this of a heading is that heading.
#define YAW_SLACK 1e-9

#define PERCENT_DEFAULT 10u

/// What comes next.
typedef enum stage {
    STAGE_NEW,    ///< something happened since the last plan
    STAGE_FIELD,  ///< the field is being grown or repaired
    STAGE_FIRST,  ///< curves from the start's yaw to the lattice are being made
    STAGE_SEARCH, ///< within the bound
    STAGE_FOUND,  ///< that is over
    STAGE_EXACT,  ///< the cheapest path is being looked for
    STAGE_DONE,
} stage_t;

struct rp_lattice {
    const rp_control_set_t *set; ///< borrowed
    const rp_grid_t *grid;       ///< borrowed
    rp_obstacles_t obstacles;
    rp_guide_t guide;
    rp_guide_field_t field;
    rp_lattice_search_t search;
    uint32_t scale; ///< of the grid, when it was taken in
    uint32_t percent;
    rp_cell_t start; ///< RP_NO_CELL: none yet
    rp_cell_t goal;
    double yaw;       ///< of the start
    uint32_t heading; ///< of the start, where that is one of the lattice
    bool is_between;  ///< it is none: the path begins with one of `first`
    rp_first_curves_t first;
    stage_t stage;
    rp_outcome_t outcome;
    uint32_t cost; ///< of the path, RP_COST_INF without one
    uint32_t bound;
    uint64_t expanded;  ///< by searches that are over
    uint16_t *children; ///< of the path, the last one first [child_count]
    size_t child_count;
    size_t child_capacity;
    rp_segment_t *segments; ///< [segment_count]
    size_t segment_count;
    size_t segment_capacity;
    rp_cell_t *cells; ///< that the curve runs through [cell_count]
    size_t cell_count;
    size_t cell_capacity;
    rp_motion_pose_t end;
};

// ---- the body, standing on a cell

/// True when an obstacle lies nearer to the middle of a cell than the body's radius and a margin.
static bool overlaps(const rp_lattice_t *self, rp_cell_t cell, double margin)
{
    const double body = self->set->shape.body_radius;
    const double radius = (body > RP_LATTICE_BODY_LEAST ? body : RP_LATTICE_BODY_LEAST) + margin;
    const int32_t most = (int32_t)(radius + 0.5);
    const int32_t x = (int32_t)rp_grid_x(self->grid, cell);
    const int32_t y = (int32_t)rp_grid_y(self->grid, cell);
    bool meets = false;
    for (int32_t dy = -most; dy <= most && !meets; dy++) {
        const double beside = dy == 0 ? 0.0 : fabs((double)dy) - 0.5;
        if (beside >= radius) {
            continue;
        }
        // Squares whose near edge is nearer than the rest of the radius.
        const double left = sqrt(radius * radius - beside * beside) + 0.5;
        const int32_t half = (int32_t)ceil(left) - 1;
        meets = rp_obstacles_meet(&self->obstacles, x - half, y + dy, 2u * (uint32_t)half + 1u);
    }
    return meets;
}

// ---- the ground

/// Costs were rescaled: what was made of the old ones is made anew.
static rp_status_t take_ground(rp_lattice_t *self)
{
    const rp_cell_t goal = self->field.goal;
    rp_guide_field_fini(&self->field);
    rp_guide_fini(&self->guide);
    rp_status_t status =
        rp_guide_init(&self->guide, self->grid, self->set->shape.body_radius, self->set->spread);
    if (status == RP_OK) {
        status = rp_guide_field_init(&self->field, self->guide.layer, self->grid->weighted);
    }
    if (status == RP_OK && goal != RP_NO_CELL) {
        rp_guide_field_begin(&self->field, goal);
    }
    self->scale = self->grid->scale;
    return status;
}

static rp_status_t take_change(rp_lattice_t *self, rp_cell_t cell)
{
    const uint32_t x = rp_grid_x(self->grid, cell);
    const uint32_t y = rp_grid_y(self->grid, cell);
    const bool was_blocked = rp_obstacles_has(&self->obstacles, x, y);
    rp_obstacles_set(&self->obstacles, x, y, self->grid->factor[cell] == 0);
    return self->scale == self->grid->scale ? rp_guide_apply(&self->guide, cell, was_blocked)
                                            : RP_OK;
}

rp_status_t rp_lattice_apply(rp_lattice_t *self, const rp_change_t *changes, size_t count)
{
    rp_status_t status = RP_OK;
    for (size_t i = 0; i < count; i++) {
        if (!rp_grid_holds(self->grid, changes[i].cell)) {
            return RP_E_INVALID;
        }
    }
    for (size_t i = 0; i < count && status == RP_OK; i++) {
        status = take_change(self, changes[i].cell);
    }
    self->stage = STAGE_NEW;
    return status;
}

// ---- ends

rp_status_t rp_lattice_set_start(rp_lattice_t *self, rp_cell_t cell, double yaw)
{
    if (!rp_grid_holds(self->grid, cell) || !isfinite(yaw)) {
        return RP_E_INVALID;
    }
    self->start = cell;
    self->yaw = rp_trig_turn(yaw);
    self->heading = rp_headings_nearest(&self->set->headings, yaw);
    const double off = rp_trig_turn(yaw - self->set->headings.angle[self->heading] + YAW_SLACK);
    self->is_between = off > 2.0 * YAW_SLACK;
    self->stage = STAGE_NEW;
    return RP_OK;
}

rp_status_t rp_lattice_set_goal(rp_lattice_t *self, rp_cell_t cell)
{
    if (!rp_grid_holds(self->grid, cell)) {
        return RP_E_INVALID;
    }
    self->goal = cell;
    self->stage = STAGE_NEW;
    return RP_OK;
}

rp_status_t rp_lattice_set_percent(rp_lattice_t *self, uint32_t percent)
{
    if (percent > RP_LATTICE_PERCENT_MOST) {
        return RP_E_INVALID;
    }
    self->percent = percent;
    self->stage = STAGE_NEW;
    return RP_OK;
}

void rp_lattice_set_simd(rp_lattice_t *self, rp_simd_t simd)
{
    self->search.simd = simd;
    self->stage = STAGE_NEW;
}

// ---- the path

/// Children from the goal back to the first pose of the lattice, which is noted.
static rp_status_t note_children(rp_lattice_t *self, rp_lattice_pose_t *root)
{
    const rp_lattice_search_t *search = &self->search;
    rp_lattice_pose_t pose = search->end;
    self->child_count = 0;
    for (;;) {
        const uint16_t child = rp_lattice_search_node(search, pose)->child;
        if (child == RP_CHILD_NONE) {
            *root = pose;
            return RP_OK;
        }
        if (!rp_array_reserve(&self->children, &self->child_capacity, self->child_count + 1u,
                              sizeof *self->children)) {
            return RP_E_MEMORY;
        }
        self->children[self->child_count++] = child;
        pose = rp_lattice_search_before(search, pose);
    }
}

/// Where the path has come to while it is written: coordinates run on over the seam of a torus.
typedef struct pen {
    int32_t x;
    int32_t y;
    uint32_t heading;
} pen_t;

/// Shift segments, which were computed from their own cell, by whole cells.
static void place_segments(rp_lattice_t *self, uint32_t count, const pen_t *pen)
{
    for (uint32_t i = 0; i < count; i++) {
        rp_segment_t *segment = &self->segments[self->segment_count++];
        segment->start.x += pen->x;
        segment->start.y += pen->y;
    }
}

/// Note the cell that a pose lies in, if it is another than the last.
static void add_cell(rp_lattice_t *self, int32_t x, int32_t y)
{
    rp_lattice_pose_t place;
    (void)rp_lattice_search_shift(&self->search, 0, 0, x, y, &place);
    const rp_cell_t cell = rp_grid_cell(self->grid, place.x, place.y);
    if (self->cell_count == 0 || self->cells[self->cell_count - 1u] != cell) {
        self->cells[self->cell_count++] = cell;
    }
}

/// Most cells that a move runs through.
#define CELLS_MOST 512u

static void write_first(rp_lattice_t *self, const rp_first_curve_t *first, const pen_t *pen)
{
    rp_swept_cell_t cells[CELLS_MOST];
    rp_swept_t swept = {.segment_count = first->segment_count};
    for (uint32_t i = 0; i < first->segment_count; i++) {
        swept.segments[i] = first->segments[i];
        self->segments[i] = first->segments[i];
    }
    place_segments(self, first->segment_count, pen);
    const uint32_t count = rp_swept_cells(&swept, 0, cells, CELLS_MOST);
    for (uint32_t i = 0; i < count; i++) {
        add_cell(self, pen->x + cells[i].x, pen->y + cells[i].y);
    }
}

static void write_child(rp_lattice_t *self, uint32_t number, pen_t *pen)
{
    const rp_control_set_t *set = self->set;
    const rp_child_t *child = &set->children[number];
    const rp_move_parts_t *parts = &set->moves[set->parts[number].move];
    const uint32_t count =
        rp_control_set_segments(set, number, self->segments + self->segment_count);
    place_segments(self, count, pen);
    for (uint32_t i = 0; i < parts->cell_count; i++) {
        const rp_swept_cell_t *cell = &set->cells[parts->first_cell + i];
        int32_t dx = cell->x;
        int32_t dy = cell->y;
        rp_quarters_turn(&dx, &dy, child->from / (set->headings.count / 4u));
        add_cell(self, pen->x + dx, pen->y + dy);
    }
    pen->x += child->dx;
    pen->y += child->dy;
    pen->heading = child->heading;
}

static bool make_room(rp_lattice_t *self)
{
    const size_t pieces = self->child_count + 1u;
    return rp_array_reserve(&self->segments, &self->segment_capacity, pieces * RP_CURVE_PIECES_MAX,
                            sizeof *self->segments) &&
           rp_array_reserve(&self->cells, &self->cell_capacity, pieces * CELLS_MOST,
                            sizeof *self->cells);
}

/// Write the path that the search found.
static rp_status_t write_path(rp_lattice_t *self)
{
    rp_lattice_pose_t root;
    const rp_status_t status = note_children(self, &root);
    if (status != RP_OK || !make_room(self)) {
        return status != RP_OK ? status : RP_E_MEMORY;
    }
    pen_t pen = {(int32_t)rp_grid_x(self->grid, self->start),
                 (int32_t)rp_grid_y(self->grid, self->start), self->heading};
    self->segment_count = 0;
    self->cell_count = 0;
    add_cell(self, pen.x, pen.y);
    if (self->is_between) {
        const rp_first_curve_t *first = rp_first_curves_to(&self->first, root);
        const rp_motion_pose_t end = rp_segment_end(&first->segments[first->segment_count - 1u]);
        write_first(self, first, &pen);
        pen.x += (int32_t)floor(end.x + 0.5);
        pen.y += (int32_t)floor(end.y + 0.5);
        pen.heading = root.heading;
    }
    for (size_t i = self->child_count; i-- > 0;) {
        write_child(self, self->children[i], &pen);
    }
    self->end = (rp_motion_pose_t){pen.x, pen.y, self->set->headings.angle[pen.heading]};
    return RP_OK;
}

// ---- plans

static void begin_search(rp_lattice_t *self, uint32_t percent, uint32_t limit)
{
    const rp_lattice_pose_t pose = {(uint16_t)rp_grid_x(self->grid, self->start),
                                    (uint16_t)rp_grid_y(self->grid, self->start),
                                    (uint8_t)self->heading};
    rp_lattice_search_begin(&self->search, rp_grid_x(self->grid, self->goal),
                            rp_grid_y(self->grid, self->goal), percent, limit);
    if (!self->is_between) {
        rp_lattice_search_root(&self->search, pose, 0);
        return;
    }
    for (size_t i = 0; i < self->first.count; i++) {
        const rp_first_curve_t *curve = &self->first.curves[i];
        rp_lattice_search_root(&self->search, curve->pose, curve->cost);
    }
}

/// The start is the goal: whatever its yaw, it may stay.
static rp_status_t stay(rp_lattice_t *self)
{
    self->child_count = 0;
    if (!make_room(self)) {
        return RP_E_MEMORY;
    }
    add_cell(self, (int32_t)rp_grid_x(self->grid, self->start),
             (int32_t)rp_grid_y(self->grid, self->start));
    self->end = (rp_motion_pose_t){rp_grid_x(self->grid, self->start),
                                   rp_grid_y(self->grid, self->start), self->yaw};
    self->cost = 0;
    self->bound = 0;
    self->outcome = RP_OUTCOME_FOUND;
    self->stage = STAGE_DONE;
    return RP_OK;
}

/// Nothing is known of a path: see whether there can be one, and bring the field up to date.
static rp_status_t begin_plan(rp_lattice_t *self)
{
    rp_status_t status = RP_OK;
    if (self->scale != self->grid->scale) {
        status = take_ground(self);
    } else {
        rp_guide_field_apply(&self->field, self->guide.changed, self->guide.changed_count);
    }
    self->guide.changed_count = 0;
    if (status == RP_OK && self->field.goal != self->goal) {
        rp_guide_field_begin(&self->field, self->goal);
    }
    self->cost = RP_COST_INF;
    self->bound = RP_COST_INF;
    self->child_count = 0;
    self->segment_count = 0;
    self->cell_count = 0;
    self->expanded = 0;
    self->outcome = overlaps(self, self->start, JUDGING_MARGIN)     ? RP_OUTCOME_START_BLOCKED
                    : overlaps(self, self->goal, RP_LATTICE_MARGIN) ? RP_OUTCOME_GOAL_BLOCKED
                                                                    : RP_OUTCOME_NO_PATH;
    self->stage = self->outcome == RP_OUTCOME_NO_PATH ? STAGE_FIELD : STAGE_DONE;
    if (self->stage == STAGE_FIELD && self->start == self->goal) {
        status = status == RP_OK ? stay(self) : status;
    }
    return status;
}

/// A search is over: take its path, if it has a better one.
static rp_status_t end_search(rp_lattice_t *self)
{
    const rp_lattice_search_t *search = &self->search;
    rp_status_t status = RP_OK;
    self->expanded += search->counts.expanded;
    self->bound = rp_lattice_search_bound(search);
    if (search->has_path) {
        self->outcome = RP_OUTCOME_FOUND;
        self->cost = search->best;
        status = write_path(self);
    } else if (self->outcome != RP_OUTCOME_FOUND) {
        self->bound = RP_COST_INF;
        status = search->is_dear ? RP_E_UNSUPPORTED : RP_OK;
    }
    const bool is_optimal = search->percent == 0 || self->outcome != RP_OUTCOME_FOUND;
    self->bound = is_optimal ? self->cost : self->bound;
    self->stage = is_optimal ? STAGE_DONE : STAGE_FOUND;
    return status;
}

/// One stage of a plan, as far as the budget goes. @return RP_MORE when it is spent
static rp_status_t step(rp_lattice_t *self, uint64_t *budget)
{
    rp_status_t status = RP_OK;
    switch (self->stage) {
    case STAGE_NEW:
        return begin_plan(self);
    case STAGE_FIELD:
        rp_first_curves_begin(&self->first, rp_grid_x(self->grid, self->start),
                              rp_grid_y(self->grid, self->start), self->yaw);
        status = rp_guide_field_work(&self->field, budget);
        self->stage = status == RP_OK ? STAGE_FIRST : STAGE_FIELD;
        return status;
    case STAGE_FIRST:
        if (self->is_between) {
            status = rp_first_curves_work(&self->first, &self->search, budget);
        }
        if (status == RP_OK) {
            begin_search(self, self->percent, RP_LATTICE_COST_MOST);
            self->stage = STAGE_SEARCH;
        }
        return status;
    case STAGE_FOUND:
        begin_search(self, 0, self->cost);
        self->stage = STAGE_EXACT;
        return RP_OK;
    default:
        status = rp_lattice_search_work(&self->search, budget);
        return status == RP_OK ? end_search(self) : status;
    }
}

static double length_of(const rp_lattice_t *self, uint32_t cost)
{
    const double unit = self->grid->weighted ? self->grid->shape.unit : 1.0;
    return cost == RP_COST_INF ? INFINITY : cost / (unit * RP_LATTICE_UNIT);
}

static void write_plan(const rp_lattice_t *self, rp_lattice_plan_t *plan)
{
    *plan = (rp_lattice_plan_t){
        .outcome = self->outcome,
        .cost = length_of(self, self->cost),
        .bound = length_of(self, self->bound),
        .is_optimal = self->stage == STAGE_DONE,
        .segments = self->segments,
        .segment_count = (uint32_t)self->segment_count,
        .end = self->end,
        .path = {self->cells, (uint32_t)self->cell_count},
        .expanded = self->expanded,
    };
}

static rp_status_t plan_until(rp_lattice_t *self, stage_t stage, uint64_t budget,
                              rp_lattice_plan_t *plan)
{
    rp_status_t status = RP_OK;
    if (self->start == RP_NO_CELL || self->goal == RP_NO_CELL) {
        return RP_E_INVALID;
    }
    while (self->stage != STAGE_DONE && self->stage != stage && status == RP_OK) {
        status = step(self, &budget);
    }
    if (status == RP_OK) {
        write_plan(self, plan);
    }
    return status;
}

rp_status_t rp_lattice_plan(rp_lattice_t *self, uint64_t budget, rp_lattice_plan_t *plan)
{
    return plan_until(self, STAGE_FOUND, budget, plan);
}

rp_status_t rp_lattice_improve(rp_lattice_t *self, uint64_t budget, rp_lattice_plan_t *plan)
{
    return plan_until(self, STAGE_DONE, budget, plan);
}

const rp_lattice_search_t *rp_lattice_searched(const rp_lattice_t *self)
{
    return &self->search;
}

// ---- birth and death

/// Less would let a body or a move meet itself round a torus.
static bool is_wide_enough(const rp_control_set_t *set, const rp_grid_shape_t *shape)
{
    const double side = shape->width < shape->height ? shape->width : shape->height;
    return !shape->wraps ||
           (side >= 2.0 * set->shape.body_radius && side >= RP_LATTICE_TORUS_LEAST);
}

static rp_status_t init(rp_lattice_t *self)
{
    const double body = self->set->shape.body_radius;
    const uint32_t disc = (uint32_t)body + 2u;
    rp_status_t status = rp_obstacles_init(&self->obstacles, self->grid,
                                           self->set->reach > disc ? self->set->reach : disc);
    if (status != RP_OK) {
        return status;
    }
    rp_obstacles_fill(&self->obstacles, self->grid);
    status = take_ground(self);
    return status != RP_OK ? status
                           : rp_lattice_search_init(&self->search, self->set, self->grid,
                                                    &self->obstacles, &self->field);
}

rp_status_t rp_lattice_new(const rp_control_set_t *set, const rp_grid_t *grid,
                           rp_lattice_t **lattice)
{
    if (set->builder != NULL) {
        return RP_E_INVALID;
    }
    if (!is_wide_enough(set, &grid->shape)) {
        return RP_E_UNSUPPORTED;
    }
    rp_lattice_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->set = set;
    self->grid = grid;
    self->percent = PERCENT_DEFAULT;
    const rp_status_t status = init(self);
    if (status != RP_OK) {
        rp_lattice_destroy(&self);
        return status;
    }
    *lattice = self;
    return RP_OK;
}

void rp_lattice_destroy(rp_lattice_t **self)
{
    rp_lattice_t *lattice = *self;
    if (lattice == NULL) {
        return;
    }
    rp_lattice_search_fini(&lattice->search);
    rp_guide_field_fini(&lattice->field);
    rp_guide_fini(&lattice->guide);
    rp_obstacles_fini(&lattice->obstacles);
    free(lattice->children);
    free(lattice->segments);
    free(lattice->cells);
    rp_first_curves_fini(&lattice->first);
    free(lattice);
    *self = NULL;
}
