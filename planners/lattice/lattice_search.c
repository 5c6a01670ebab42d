#include "planners/lattice/lattice_search.h"
#include "replan/trace.h"
#include <math.h>

#include "planners/open/open_list.h"

// ---- poses and their nodes

/// Bits of rp_pose_node_t.mark.
#define WAITS      1u ///< to be expanded
#define WAITS_LATE 2u ///< to have its loops generated
#define ON_TAIL    4u ///< nothing: the tail leads on from here
#define SEARCH_ONE 8u ///< numbers of searches are multiples

/// Bit of rp_bucket_entry_t.note: the entry is about loops.
#define NOTE_LATE 256u

#define TILE_X 3u ///< a tile is 8 cells wide
#define TILE_Y 2u ///< and 4 high: a page, with 16 headings

static size_t place_of(const rp_lattice_search_t *self, uint32_t x, uint32_t y)
{
    const size_t tile = (size_t)(y >> TILE_Y) * self->tiles + (x >> TILE_X);
    const uint32_t inside = (y & ((1u << TILE_Y) - 1u)) << TILE_X | (x & ((1u << TILE_X) - 1u));
    return (tile << (TILE_X + TILE_Y) | inside) * self->set->states;
}

static rp_pose_node_t *node_of(const rp_lattice_search_t *self, rp_lattice_pose_t pose)
{
    return &self->nodes[place_of(self, pose.x, pose.y) + pose.heading];
}

static bool is_met(const rp_lattice_search_t *self, const rp_pose_node_t *node)
{
    return (uint16_t)(node->mark & ~(SEARCH_ONE - 1u)) == self->search;
}

static rp_cell_t pack(rp_lattice_pose_t pose)
{
    return (rp_cell_t)pose.y << 14 | pose.x;
}

static rp_lattice_pose_t unpack(const rp_bucket_entry_t *entry)
{
    return (rp_lattice_pose_t){(uint16_t)(entry->cell & 0x3fffu), (uint16_t)(entry->cell >> 14),
                               (uint8_t)entry->note};
}

const rp_pose_node_t *rp_lattice_search_node(const rp_lattice_search_t *self,
                                             rp_lattice_pose_t pose)
{
    const rp_pose_node_t *node = node_of(self, pose);
    return is_met(self, node) ? node : NULL;
}

/// A legal child never leaves a world that ends: what is outside blocks.
static rp_lattice_pose_t move_by(const rp_lattice_search_t *self, rp_lattice_pose_t pose,
                                 int32_t dx, int32_t dy, uint8_t heading)
{
    return (rp_lattice_pose_t){
        (uint16_t)rp_child_cost_fold(pose.x + dx, self->ground->shape.width),
        (uint16_t)rp_child_cost_fold(pose.y + dy, self->ground->shape.height), heading};
}

rp_lattice_pose_t rp_lattice_search_end(const rp_lattice_search_t *self, rp_lattice_pose_t pose,
                                        uint32_t child)
{
    const rp_child_t *by = &self->set->children[child];
    return move_by(self, pose, by->dx, by->dy, by->heading);
}

rp_lattice_pose_t rp_lattice_search_before(const rp_lattice_search_t *self, rp_lattice_pose_t pose)
{
    const rp_child_t *by = &self->set->children[node_of(self, pose)->child];
    return move_by(self, pose, -by->dx, -by->dy, by->from);
}

// ---- the lower bound

typedef struct offset {
    int32_t x;
    int32_t y;
} offset_t;

/// Where a pose lies, counted from the goal.
static offset_t from_goal(const rp_lattice_search_t *self, rp_lattice_pose_t pose)
{
    const rp_grid_shape_t *shape = &self->ground->shape;
    return (offset_t){rp_lattice_search_apart(self, pose.x, self->goal_x, shape->width),
                      rp_lattice_search_apart(self, pose.y, self->goal_y, shape->height)};
}

/// floor(length * RP_LATTICE_UNIT), exact: the square is a whole number below 2^53.
static uint32_t straight_cost(int32_t dx, int32_t dy)
{
    const double square = (double)dx * dx + (double)dy * dy;
    return (uint32_t)sqrt(square * (RP_LATTICE_UNIT * RP_LATTICE_UNIT));
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/// Lower bounds on the cost from a pose to the goal.
typedef struct bounds {
    uint32_t field;    ///< RP_COST_INF: no path of cells leads there
    uint32_t straight; ///< and by the table of curves, where it reaches
} bounds_t;

/// What the field says of a cell, and the straight line.
RP_SEARCH_LOOP bounds_t cell_bounds(const rp_lattice_search_t *self, rp_lattice_pose_t pose,
                                    offset_t at)
{
    const rp_grid_t *ground = self->ground;
    const uint32_t least = ground->weighted ? ground->shape.least : 1u;
    bounds_t bounds = {.straight = straight_cost(at.x, at.y) * least};
    if (self->field != NULL) {
        const uint32_t known = self->field->values[rp_grid_cell(ground, pose.x, pose.y)];
        const uint32_t value = known < self->field_most ? known : self->field_most;
        bounds.field = value == RP_GUIDE_FIELD_NONE
                           ? RP_COST_INF
                           : (uint32_t)((uint64_t)value * self->set->rho >>
                                        rp_lattice_search_field_shift(self));
    }
    return bounds;
}

RP_SEARCH_LOOP bounds_t pose_bounds(const rp_lattice_search_t *self, rp_lattice_pose_t pose)
{
    const offset_t at = from_goal(self, pose);
    const int32_t reach = self->curve_reach;
    bounds_t bounds = cell_bounds(self, pose, at);
    if (at.x < -reach || at.x > reach || at.y < -reach || at.y > reach || reach == 0) {
        return bounds; // the straight line is no less than the table's greatest value
    }
    const uint32_t most = (uint32_t)reach * RP_LATTICE_UNIT;
    const uint32_t curve = rp_control_set_curve(self->set, at.x, at.y, pose.heading);
    bounds.straight =
        greater(bounds.straight, (curve < most ? curve : most) *
                                     (self->ground->weighted ? self->ground->shape.least : 1u));
    return bounds;
}

uint32_t rp_lattice_search_h(const rp_lattice_search_t *self, rp_lattice_pose_t pose)
{
    const bounds_t bounds = pose_bounds(self, pose);
    return greater(bounds.field, bounds.straight);
}

uint32_t rp_lattice_search_cell_h(const rp_lattice_search_t *self, rp_lattice_pose_t pose)
{
    const offset_t at = from_goal(self, pose);
    const bounds_t bounds = cell_bounds(self, pose, at);
    return greater(bounds.field, bounds.straight);
}

uint32_t rp_lattice_search_straight(const rp_lattice_search_t *self, uint32_t from_x,
                                    uint32_t from_y, uint32_t to_x, uint32_t to_y)
{
    const uint32_t least = self->ground->weighted ? self->ground->shape.least : 1u;
    return straight_cost(rp_lattice_search_apart(self, from_x, to_x, self->ground->shape.width),
                         rp_lattice_search_apart(self, from_y, to_y, self->ground->shape.height)) *
           least;
}

bool rp_lattice_search_is_closed(const rp_lattice_search_t *self, rp_lattice_pose_t pose,
                                 uint32_t *g)
{
    const rp_pose_node_t *node = node_of(self, pose);
    *g = node->g;
    return is_met(self, node) && node->g != RP_COST_INF && (node->mark & WAITS) == 0;
}

/// What g is raised by in a key. Only the field is raised by the percentage: it falls along every
/// path that leads on, while the straight line rises on a detour (raised as well: 50 times the
/// expansions).
RP_SEARCH_LOOP uint32_t raised(const rp_lattice_search_t *self, bounds_t bounds)
{
    const uint32_t more = (uint32_t)((uint64_t)bounds.field * self->percent / 100u);
    return greater(bounds.field + more, bounds.straight);
}

// ---- children

// ---- OPEN

static bool is_live(const void *owner, const rp_bucket_entry_t *entry)
{
    const rp_lattice_search_t *self = owner;
    const rp_pose_node_t *node = node_of(self, unpack(entry));
    const bool is_late = (entry->note & NOTE_LATE) != 0;
    return is_met(self, node) && (node->mark & (is_late ? WAITS_LATE : WAITS)) != 0;
}

RP_SEARCH_LOOP void put(rp_lattice_search_t *self, rp_lattice_pose_t pose, uint32_t key,
                        uint32_t note)
{
    const uint32_t least = self->step << RP_LATTICE_BUCKET_SHIFT;
    if (rp_buckets_is_full(&self->open)) {
        rp_buckets_sweep(&self->open, is_live, self);
    }
    rp_buckets_push(&self->open, key > least ? key : least, note | pose.heading, pack(pose));
}

/// What the rest of the path costs from a pose, where that is known, and not from the tail.
RP_SEARCH_LOOP uint32_t rest_cost(const rp_lattice_search_t *self, rp_lattice_pose_t pose)
{
    if (self->rest == NULL) {
        return pose.x == self->goal_x && pose.y == self->goal_y ? 0 : RP_COST_INF;
    }
    const int32_t half = self->rest->half;
    const offset_t at = from_goal(self, pose);
    if (at.x < -half || at.x > half || at.y < -half || at.y > half) {
        return RP_COST_INF;
    }
    const size_t cell = (size_t)(at.y + half) * (size_t)(2 * half + 1) + (size_t)(at.x + half);
    return self->rest->costs[cell * self->set->states + pose.heading];
}

/// What the rest costs along the tail, on which a pose lies, as long as it is there.
static __attribute__((noinline)) uint32_t tail_cost(const rp_lattice_search_t *self,
                                                    rp_lattice_pose_t pose)
{
    const size_t place = rp_lattice_tail_place(&self->tail, pose);
    return place < self->tail.count ? self->tail.costs[place] : RP_COST_INF;
}

/// Paths over the best one are of no use, but one that costs up to the bound is what a bounded
/// search may have to look at when it goes on.
static void set_most(rp_lattice_search_t *self)
{
    const uint64_t most = (uint64_t)self->best * (100u + self->percent) / 100u;
    self->most = most < self->limit ? (uint32_t)most : self->limit;
}

/// A pose costs g by a child, or is a root: note it and let it wait, unless that is of no use.
RP_SEARCH_LOOP void reach(rp_lattice_search_t *self, rp_lattice_pose_t pose, rp_pose_node_t *node,
                          uint32_t g, uint32_t child)
{
    const bool was_met = is_met(self, node);
    if (was_met && node->g <= g) {
        return;
    }
    const uint32_t tail = was_met ? node->mark & ON_TAIL : 0;
    const uint32_t near = rest_cost(self, pose);
    const uint32_t along = __builtin_expect(tail != 0, 0) ? tail_cost(self, pose) : RP_COST_INF;
    const uint32_t rest = along < near ? along : near;
    const bool ends = g < self->best && rest < self->best - g;
    const bounds_t bounds = pose_bounds(self, pose);
    const uint32_t h = greater(bounds.field, bounds.straight);
    if (!ends && (g >= self->most || h >= self->most - g)) {
        self->is_dear = self->is_dear || (h != RP_COST_INF && g + h >= RP_LATTICE_COST_MOST);
        return;
    }
    const uint32_t lift = raised(self, bounds);
    const bool was_expanded = was_met && node->g != RP_COST_INF && (node->mark & WAITS) == 0;
    if (was_expanded && self->percent != 0 &&
        (node->g + lift) >> RP_LATTICE_BUCKET_SHIFT != self->step) {
        return;
    }
    *node = (rp_pose_node_t){
        g, (uint16_t)child,
        (uint16_t)(self->search | WAITS | tail | (was_met ? node->mark & WAITS_LATE : 0))};
    if (ends) {
        self->ends_on_tail = along < near;
        self->best = g + rest;
        self->end = pose;
        self->has_path = true;
        set_most(self);
    }
    if (h >= self->most - g) { // it is done: nothing leads on from here that matters
        return;
    }
    self->counts.generated++;
    put(self, pose, g + lift, 0);
}

/// Let a pose wait once more, for its loops.
RP_SEARCH_LOOP void put_late(rp_lattice_search_t *self, rp_lattice_pose_t pose,
                             rp_pose_node_t *node)
{
    const uint32_t loop = self->set->least_loop[pose.heading];
    const offset_t at = from_goal(self, pose);
    const uint32_t least = self->ground->weighted ? self->ground->shape.least : 1u;
    if (loop == UINT32_MAX) {
        return;
    }
    const bounds_t bounds = cell_bounds(self, pose, at);
    const uint32_t h = greater(bounds.field, bounds.straight) + loop * least;
    if (node->g + h < self->most) {
        node->mark |= WAITS_LATE;
        put(self, pose, node->g + raised(self, bounds) + loop * least, NOTE_LATE);
    }
}

// ---- expansion

/// Legal children whose nodes are on their way from memory: most of an expansion is waiting for
/// these, so they are asked for together.
typedef struct batch {
    rp_lattice_pose_t poses[16];
    rp_pose_node_t *nodes[16];
    uint32_t g[16];
    uint16_t children[16];
    uint32_t count;
} batch_t;

RP_SEARCH_LOOP void flush(rp_lattice_search_t *self, batch_t *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        reach(self, batch->poses[i], batch->nodes[i], batch->g[i], batch->children[i]);
    }
    batch->count = 0;
}

RP_SEARCH_LOOP void follow(rp_lattice_search_t *self, batch_t *batch, rp_lattice_pose_t pose,
                           uint32_t g, uint32_t child)
{
    const rp_child_t *by = &self->set->children[child];
    const uint32_t cost = self->ground->weighted
                              ? rp_child_cost(self->set, self->ground, pose.x, pose.y, child)
                              : by->cost;
    if (cost >= RP_LATTICE_COST_MOST - g) {
        self->is_dear = true;
        return;
    }
    const rp_lattice_pose_t end = move_by(self, pose, by->dx, by->dy, by->heading);
    rp_pose_node_t *node = node_of(self, end);
    __builtin_prefetch(node, 1);
    if (self->field != NULL) {
        __builtin_prefetch(&self->field->values[rp_grid_cell(self->ground, end.x, end.y)]);
    }
    if (batch->count == sizeof batch->g / sizeof batch->g[0]) {
        flush(self, batch);
    }
    batch->poses[batch->count] = end;
    batch->nodes[batch->count] = node;
    batch->g[batch->count] = g + cost;
    batch->children[batch->count++] = (uint16_t)child;
}

static void expand_loops(rp_lattice_search_t *self, rp_lattice_pose_t pose, uint32_t g)
{
    const rp_control_set_t *set = self->set;
    batch_t batch;
    batch.count = 0;
    self->counts.late++;
    for (uint32_t i = set->loops[pose.heading]; i < set->first[pose.heading + 1u]; i++) {
        if (rp_lattice_search_is_legal(self, pose.x, pose.y, i)) {
            follow(self, &batch, pose, g, i);
        }
    }
    flush(self, &batch);
}

RP_SEARCH_LOOP void expand(rp_lattice_search_t *self, rp_mask_kind_t kind,
                           rp_obstacle_window_meets_t *meets, rp_lattice_pose_t pose, uint32_t g)
{
    const rp_control_set_t *set = self->set;
    const uint32_t end = set->loops[pose.heading];
    const size_t bytes = rp_mask_bytes(kind);
    const uint32_t words = (uint32_t)(bytes / sizeof(uint64_t));
    rp_obstacle_window_t window;
    batch_t batch;
    bool is_clear = false;
    batch.count = 0;
    if (kind == RP_MASK_16) {
        rp_obstacles_window_16(self->obstacles, pose.x, pose.y, &window);
    } else if (kind == RP_MASK_32) {
        rp_obstacles_window_32(self->obstacles, pose.x, pose.y, &window);
    }
    if (kind != RP_MASK_RUNS) {
        is_clear = !meets(&window, set->unions + pose.heading * bytes, words);
    }
    for (uint32_t i = set->first[pose.heading]; i < end; i++) {
        const bool is_legal =
            is_clear || (kind == RP_MASK_RUNS ? rp_lattice_search_is_legal(self, pose.x, pose.y, i)
                                              : !meets(&window, set->masks + i * bytes, words));
        if (is_legal) {
            follow(self, &batch, pose, g, i);
        }
    }
    flush(self, &batch);
}

/// Take the next pose from OPEN and do what it waits for.
RP_SEARCH_LOOP void expand_next(rp_lattice_search_t *self, rp_mask_kind_t kind,
                                rp_obstacle_window_meets_t *meets)
{
    const rp_bucket_entry_t entry = *rp_buckets_pop(&self->open);
    const rp_lattice_pose_t pose = unpack(&entry);
    rp_pose_node_t *node = node_of(self, pose);
    const bool is_late = (entry.note & NOTE_LATE) != 0;
    const uint16_t waits = is_late ? WAITS_LATE : WAITS;
    if ((node->mark & waits) == 0) {
        return;
    }
    node->mark = (uint16_t)(node->mark & ~waits);
    if (is_late) {
        expand_loops(self, pose, node->g);
        return;
    }
    self->counts.expanded++;
    RP_TRACE(rp_grid_cell(self->ground, pose.x, pose.y), EXPANDED);
    expand(self, kind, meets, pose, node->g);
    put_late(self, pose, node);
}

/// True when nothing that waits leads to a cheaper path, or the path is within the bound.
static bool is_done(rp_lattice_search_t *self)
{
    if (self->has_path &&
        (uint64_t)self->best * 100u <= (uint64_t)self->known * (100u + self->percent)) {
        self->ended_by_known = true;
        return true;
    }
    if (self->open.count == 0) {
        self->step = self->has_path ? self->best >> RP_LATTICE_BUCKET_SHIFT : self->step;
        return true;
    }
    self->step = rp_buckets_seek(&self->open);
    return self->has_path &&
           self->step >= (self->best + (self->percent != 0 ? 0u : 31u)) >> RP_LATTICE_BUCKET_SHIFT;
}

RP_SEARCH_LOOP rp_status_t work_with(rp_lattice_search_t *self, rp_mask_kind_t kind,
                                     rp_obstacle_window_meets_t *meets, uint64_t *budget)
{
    while (!self->is_over) {
        if (is_done(self)) {
            self->is_over = true;
        } else if (*budget == 0) {
            return RP_MORE;
        } else {
            expand_next(self, kind, meets);
            --*budget;
        }
    }
    return RP_OK;
}

#if RP_HAS_X86
RP_FOR_AVX2 static rp_status_t work_16_avx2(rp_lattice_search_t *self, uint64_t *budget)
{
    return work_with(self, RP_MASK_16, rp_obstacle_window_meets_avx2, budget);
}

RP_FOR_AVX2 static rp_status_t work_32_avx2(rp_lattice_search_t *self, uint64_t *budget)
{
    return work_with(self, RP_MASK_32, rp_obstacle_window_meets_avx2, budget);
}
#endif

rp_status_t rp_lattice_search_work(rp_lattice_search_t *self, uint64_t *budget)
{
    const rp_mask_kind_t kind = self->set->kind;
#if RP_HAS_X86
    if (self->simd == RP_SIMD_AVX2 && kind != RP_MASK_RUNS) {
        return kind == RP_MASK_16 ? work_16_avx2(self, budget) : work_32_avx2(self, budget);
    }
#endif
    return kind == RP_MASK_16
               ? work_with(self, RP_MASK_16, rp_obstacle_window_meets_portable, budget)
           : kind == RP_MASK_32
               ? work_with(self, RP_MASK_32, rp_obstacle_window_meets_portable, budget)
               : work_with(self, RP_MASK_RUNS, rp_obstacle_window_meets_portable, budget);
}

// ---- beginning

size_t rp_lattice_search_room(const rp_lattice_search_t *self)
{
    const size_t rows = (self->ground->shape.height >> TILE_Y) + 1u;
    return (self->tiles * rows << (TILE_X + TILE_Y)) * self->set->states;
}

/// Nodes that no search has met: few are resident, so other ones take less than these cleared.
static void renew_nodes(rp_lattice_search_t *self)
{
    const size_t room = rp_lattice_search_room(self);
    rp_pose_node_t *nodes = rp_memory_new_sparse(room, sizeof *nodes);
    if (nodes == NULL) {
        memset(self->nodes, 0, room * sizeof *self->nodes);
        return;
    }
    rp_memory_free(self->nodes, room, sizeof *self->nodes, NULL);
    self->nodes = nodes;
}

void rp_lattice_search_begin(rp_lattice_search_t *self, uint32_t goal_x, uint32_t goal_y,
                             uint32_t percent, uint32_t limit)
{
    const rp_grid_shape_t *shape = &self->ground->shape;
    const uint32_t side = shape->width < shape->height ? shape->width : shape->height;
    const int32_t most = shape->wraps ? (int32_t)((side - 1u) / 2u) : INT32_MAX;
    self->search = (uint16_t)(self->search + SEARCH_ONE);
    if (self->search == 0) { // numbers begin again, so old marks must go
        renew_nodes(self);
        self->search = SEARCH_ONE;
    }
    rp_buckets_clear(&self->open);
    self->goal_x = goal_x;
    self->goal_y = goal_y;
    self->percent = percent;
    self->limit = limit;
    self->known = 0;
    self->best = limit;
    self->most = limit;
    self->step = 0;
    self->tail = (rp_lattice_tail_t){0};
    self->has_path = false;
    self->ends_on_tail = false;
    self->is_over = false;
    self->ended_by_known = false;
    self->is_dear = false;
    self->curve_reach = self->set->curve_reach < most ? self->set->curve_reach : most;
    self->counts = (rp_lattice_counts_t){0};
}

void rp_lattice_search_child(rp_lattice_search_t *self, rp_lattice_pose_t end, uint32_t g,
                             uint16_t child)
{
    reach(self, end, node_of(self, end), g, child);
}

void rp_lattice_search_tail(rp_lattice_search_t *self, const rp_lattice_tail_t *tail)
{
    self->tail = *tail;
    for (size_t i = 0; i < tail->count; i++) {
        *node_of(self, tail->poses[i]) =
            (rp_pose_node_t){RP_COST_INF, RP_CHILD_NONE, (uint16_t)(self->search | ON_TAIL)};
    }
}

// ---- birth and death

/// Poses that wait at the same time, at most: what is put in beyond that sweeps OPEN.
#define OPEN_MOST ((uint32_t)1 << 28)

rp_status_t rp_lattice_search_init(rp_lattice_search_t *self, const rp_control_set_t *set,
                                   const rp_grid_t *ground, const rp_obstacles_t *obstacles,
                                   const rp_guide_field_t *field)
{
    *self = (rp_lattice_search_t){.set = set,
                                  .ground = ground,
                                  .obstacles = obstacles,
                                  .field = field,
                                  .field_most = RP_GUIDE_FIELD_NONE,
                                  .simd = rp_simd_best(),
                                  .tiles = (ground->shape.width >> TILE_X) + 1u,
                                  .is_over = true};
    const size_t poses = rp_lattice_search_room(self);
    self->nodes = rp_memory_new_sparse(poses, sizeof *self->nodes);
    rp_buckets_init(&self->open, poses < OPEN_MOST / 2u ? 2u * (uint32_t)poses : OPEN_MOST,
                    RP_LATTICE_BUCKET_SHIFT, 1u << 20, &self->arena);
    if (self->arena.is_short || self->nodes == NULL) {
        rp_lattice_search_fini(self);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

void rp_lattice_search_fini(rp_lattice_search_t *self)
{
    if (self->nodes != NULL) {
        rp_memory_free(self->nodes, rp_lattice_search_room(self), sizeof *self->nodes, NULL);
    }
    rp_arena_free(&self->arena, NULL);
    *self = (rp_lattice_search_t){0};
}
