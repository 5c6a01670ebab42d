/// Labels by tile, and a forest over the labels of all tiles.
#include "engine/layers/components.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"

/// Cells on both sides of a border that are free together have the same two labels, and a blocked
/// pair stands between two such stretches.
#define MEETINGS_MAX (RP_TILE_SIDE / 2u)

/// A label of one tile meets a label of the next.
typedef struct meeting {
    uint16_t mine;
    uint16_t other;
} meeting_t;

typedef struct tile {
    uint32_t first_node; ///< of label 1 in the forest
    uint16_t labels;     ///< that reach its border; those within stand above them
    bool is_open;        ///< no cell is blocked, all have label 1, and it is written nowhere
    uint8_t right_count;
    uint8_t below_count;
    meeting_t right[MEETINGS_MAX]; ///< [right_count]
    meeting_t below[MEETINGS_MAX]; ///< [below_count]
} tile_t;

struct rp_components {
    const rp_grid_t *grid;
    uint32_t across; ///< tiles
    uint32_t down;
    uint16_t *labels; ///< by y * width + x: from 1 on, in its tile; 0: blocked [width * height]
    tile_t *tiles;    ///< [across * down]
    bool *is_stale;   ///< by tile: it stands in the list of [across * down]
    uint32_t *stale;  ///< places of tiles to be labelled anew [across * down]
    uint32_t stale_count;
    uint32_t *root; ///< by node: another of its component, itself at the top [node_capacity]
    size_t node_capacity;
    bool is_joined;
};

// ---- one tile

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

rp_tile_area_t rp_components_tile(const rp_components_t *self, uint32_t place)
{
    const rp_grid_shape_t *shape = &self->grid->shape;
    const uint32_t left = place % self->across * RP_TILE_SIDE;
    const uint32_t top = place / self->across * RP_TILE_SIDE;
    return (rp_tile_area_t){left, top, least(RP_TILE_SIDE, shape->width - left),
                            least(RP_TILE_SIDE, shape->height - top)};
}

static uint16_t *label_at(const rp_components_t *self, uint32_t x, uint32_t y)
{
    return &self->labels[(size_t)y * self->grid->shape.width + x];
}

static uint16_t label_of(const rp_components_t *self, const tile_t *tile, uint32_t x, uint32_t y)
{
    return tile->is_open ? 1u : *label_at(self, x, y);
}

/// On open ground the memory of labels is never touched.
static void label_tile(rp_components_t *self, uint32_t place)
{
    tile_t *tile = &self->tiles[place];
    const rp_tile_area_t area = rp_components_tile(self, place);
    tile->is_open = rp_tile_is_open(self->grid, &area);
    tile->labels =
        tile->is_open ? 1u
                      : rp_tile_labels_write(self->grid, &area, label_at(self, area.left, area.top),
                                             self->grid->shape.width);
}

// ---- borders

/// Note a pair of cells on both sides of a border.
static void meet(meeting_t *meetings, uint8_t *count, uint16_t mine, uint16_t other)
{
    const bool is_same =
        *count != 0 && meetings[*count - 1u].mine == mine && meetings[*count - 1u].other == other;
    if (mine != 0 && other != 0 && !is_same) {
        assert(*count < MEETINGS_MAX);
        meetings[(*count)++] = (meeting_t){mine, other};
    }
}

/// @return false when there is no tile on that side
static bool tile_right(const rp_components_t *self, uint32_t place, uint32_t *right)
{
    const bool is_last = place % self->across == self->across - 1u;
    *right = is_last ? place + 1u - self->across : place + 1u;
    return !is_last || self->grid->shape.wraps;
}

static bool tile_below(const rp_components_t *self, uint32_t place, uint32_t *below)
{
    const bool is_last = place / self->across == self->down - 1u;
    *below = is_last ? place % self->across : place + self->across;
    return !is_last || self->grid->shape.wraps;
}

/// Cells of a border that are looked at: between two open tiles all are the same pair.
static uint32_t looks_between(const tile_t *a, const tile_t *b, uint32_t cells)
{
    return a->is_open && b->is_open ? 1u : cells;
}

static void meet_right(rp_components_t *self, uint32_t place)
{
    uint32_t right;
    tile_t *tile = &self->tiles[place];
    const rp_tile_area_t area = rp_components_tile(self, place);
    tile->right_count = 0;
    if (!tile_right(self, place, &right)) {
        return;
    }
    const tile_t *other = &self->tiles[right];
    const uint32_t x = rp_components_tile(self, right).left;
    const uint32_t end = area.top + looks_between(tile, other, area.height);
    for (uint32_t y = area.top; y < end; y++) {
        meet(tile->right, &tile->right_count, label_of(self, tile, area.left + area.width - 1u, y),
             label_of(self, other, x, y));
    }
}

static void meet_below(rp_components_t *self, uint32_t place)
{
    uint32_t below;
    tile_t *tile = &self->tiles[place];
    const rp_tile_area_t area = rp_components_tile(self, place);
    tile->below_count = 0;
    if (!tile_below(self, place, &below)) {
        return;
    }
    const tile_t *other = &self->tiles[below];
    const uint32_t y = rp_components_tile(self, below).top;
    const uint32_t end = area.left + looks_between(tile, other, area.width);
    for (uint32_t x = area.left; x < end; x++) {
        meet(tile->below, &tile->below_count, label_of(self, tile, x, area.top + area.height - 1u),
             label_of(self, other, x, y));
    }
}

/// All four borders of a tile that was labelled anew.
static void meet_around(rp_components_t *self, uint32_t place)
{
    const uint32_t column = place % self->across;
    const uint32_t row = place / self->across;
    meet_right(self, place);
    meet_below(self, place);
    meet_right(self, column != 0 ? place - 1u : place + self->across - 1u);
    meet_below(self, row != 0 ? place - self->across : place + (self->down - 1u) * self->across);
}

// ---- the forest

static uint32_t top_of(const rp_components_t *self, uint32_t node)
{
    while (self->root[node] != node) {
        node = self->root[node];
    }
    return node;
}

static void unite(rp_components_t *self, uint32_t a, uint32_t b)
{
    while (self->root[a] != a) {
        a = self->root[a] = self->root[self->root[a]];
    }
    while (self->root[b] != b) {
        b = self->root[b] = self->root[self->root[b]];
    }
    if (a < b) { // the lower one stands above: a later pass flattens in one go
        self->root[b] = a;
    } else {
        self->root[a] = b;
    }
}

static void join_tile(rp_components_t *self, uint32_t place)
{
    uint32_t next;
    const tile_t *tile = &self->tiles[place];
    if (tile->right_count != 0 && tile_right(self, place, &next)) {
        for (unsigned i = 0; i < tile->right_count; i++) {
            unite(self, tile->first_node + tile->right[i].mine - 1u,
                  self->tiles[next].first_node + tile->right[i].other - 1u);
        }
    }
    if (tile->below_count != 0 && tile_below(self, place, &next)) {
        for (unsigned i = 0; i < tile->below_count; i++) {
            unite(self, tile->first_node + tile->below[i].mine - 1u,
                  self->tiles[next].first_node + tile->below[i].other - 1u);
        }
    }
}

static rp_status_t join(rp_components_t *self)
{
    const uint32_t tiles = self->across * self->down;
    uint32_t nodes = 0;
    for (uint32_t place = 0; place < tiles; place++) {
        self->tiles[place].first_node = nodes;
        nodes += self->tiles[place].labels;
    }
    if (!rp_array_reserve(&self->root, &self->node_capacity, nodes, sizeof *self->root)) {
        return RP_E_MEMORY;
    }
    for (uint32_t node = 0; node < nodes; node++) {
        self->root[node] = node;
    }
    for (uint32_t place = 0; place < tiles; place++) {
        join_tile(self, place);
    }
    for (uint32_t node = 0; node < nodes; node++) {
        self->root[node] = self->root[self->root[node]];
    }
    self->is_joined = true;
    return RP_OK;
}

// ---- operations

void rp_components_note(rp_components_t *self, rp_cell_t cell)
{
    const uint32_t place = rp_grid_y(self->grid, cell) / RP_TILE_SIDE * self->across +
                           rp_grid_x(self->grid, cell) / RP_TILE_SIDE;
    if (!self->is_stale[place]) {
        self->is_stale[place] = true;
        self->stale[self->stale_count++] = place;
    }
}

void rp_components_note_all(rp_components_t *self)
{
    self->stale_count = self->across * self->down;
    for (uint32_t place = 0; place < self->stale_count; place++) {
        self->is_stale[place] = true;
        self->stale[place] = place;
    }
}

bool rp_components_are_current(const rp_components_t *self)
{
    return self->is_joined && self->stale_count == 0;
}

rp_status_t rp_components_update(rp_components_t *self, uint32_t tiles)
{
    if (rp_components_are_current(self)) {
        return RP_OK;
    }
    const uint32_t now = least(tiles, self->stale_count);
    const uint32_t *stale = self->stale + (self->stale_count - now);
    for (uint32_t i = 0; i < now; i++) {
        label_tile(self, stale[i]);
    }
    for (uint32_t i = 0; i < now;
         i++) { // a border to a tile that is stale yet is met again with it
        meet_around(self, stale[i]);
        self->is_stale[stale[i]] = false;
    }
    self->stale_count -= now;
    self->is_joined = false;
    return self->stale_count != 0 ? RP_MORE : join(self);
}

uint64_t rp_components_number(const rp_components_t *self, rp_cell_t cell)
{
    const uint32_t x = rp_grid_x(self->grid, cell);
    const uint32_t y = rp_grid_y(self->grid, cell);
    const uint32_t place = y / RP_TILE_SIDE * self->across + x / RP_TILE_SIDE;
    const tile_t *tile = &self->tiles[place];
    const uint16_t label = label_of(self, tile, x, y);
    if (label == 0) {
        return 0;
    }
    if (label > tile->labels) { // it lies within its tile: a component of its own
        return ((uint64_t)label << 32) | place;
    }
    return (uint64_t)UINT32_MAX << 32 | top_of(self, tile->first_node + label - 1u);
}

bool rp_components_enter_tile(const rp_components_t *self, uint64_t number, uint32_t place)
{
    const tile_t *tile = &self->tiles[place];
    const uint32_t low = (uint32_t)number;
    if (number >> 32 != UINT32_MAX) {
        return number != 0 && low == place;
    }
    for (uint32_t i = 0; i < tile->labels; i++) {
        if (top_of(self, tile->first_node + i) == low) {
            return true;
        }
    }
    return false;
}

bool rp_components_connect(const rp_components_t *self, rp_cell_t a, rp_cell_t b)
{
    const uint64_t component = rp_components_number(self, a);
    return component != 0 && component == rp_components_number(self, b);
}

uint32_t rp_components_tile_count(const rp_components_t *self)
{
    return self->across * self->down;
}

uint64_t rp_components_bytes(const rp_components_t *self)
{
    const rp_grid_shape_t *shape = &self->grid->shape;
    const uint64_t tiles = (uint64_t)self->across * self->down;
    return (uint64_t)shape->width * shape->height * sizeof *self->labels +
           tiles * (sizeof *self->tiles + sizeof *self->is_stale + sizeof *self->stale) +
           self->node_capacity * sizeof *self->root;
}

// ---- birth and death

static size_t cell_count(const rp_grid_t *grid)
{
    return (size_t)grid->shape.width * grid->shape.height;
}

rp_components_t *rp_components_new(const rp_grid_t *grid)
{
    rp_components_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->grid = grid;
    self->across = (grid->shape.width + RP_TILE_SIDE - 1u) / RP_TILE_SIDE;
    self->down = (grid->shape.height + RP_TILE_SIDE - 1u) / RP_TILE_SIDE;
    const uint32_t tiles = self->across * self->down;
    self->labels = rp_memory_new_sparse(cell_count(grid), sizeof *self->labels); // in slices, too
    self->tiles = rp_memory_new_sparse(tiles, sizeof *self->tiles);
    self->is_stale = malloc(tiles * sizeof *self->is_stale);
    self->stale = malloc(tiles * sizeof *self->stale);
    if (self->labels == NULL || self->tiles == NULL || self->is_stale == NULL ||
        self->stale == NULL) {
        rp_components_destroy(&self);
        return NULL;
    }
    rp_components_note_all(self);
    return self;
}

void rp_components_destroy(rp_components_t **self)
{
    rp_components_t *components = *self;
    if (components == NULL) {
        return;
    }
    rp_deferred_free_t *deferred_free = components->grid->deferred_free;
    const size_t cells = cell_count(components->grid);
    const uint64_t span = rp_deferred_free_span(deferred_free);
    rp_memory_free(components->labels, cells, sizeof *components->labels, deferred_free);
    rp_memory_free(components->tiles, (size_t)components->across * components->down,
                   sizeof *components->tiles, deferred_free);
    rp_deferred_free_note(deferred_free, span, cells * sizeof *components->labels);
    free(components->is_stale);
    free(components->stale);
    free(components->root);
    free(components);
    *self = NULL;
}
