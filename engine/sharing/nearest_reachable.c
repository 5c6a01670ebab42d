/// Each tile is tested for cells that can be reached. The farthest cell of the nearest such tile
/// bounds the distance; tiles beyond the bound are dropped. The rest is searched place by place,
/// in each tile only where cells may still be nearer.
#include "engine/sharing/nearest_reachable.h"

#include <math.h>
#include <stdlib.h>

/// What may be looked at in a slice, in cells. A tile that is asked, and a row that is partly near
/// enough, cost as much as several.
#define CELLS_AT_ONCE 160000u
#define CELLS_A_TILE  16u
#define CELLS_A_ROW   16u

/// How often it begins anew on ground that does not stand still.
#define RESTARTS_MOST 2u

/// Columns or rows, both inclusive.
typedef struct span {
    int64_t first;
    int64_t last;
} span_t;

/// What a search for the nearest reachable goal looks at.
typedef struct field {
    const rp_places_t *places;
    const rp_grid_t *grid;
    const rp_components_t *components;
    uint64_t component; ///< that can be reached
} field_t;

// ---- distances

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t fewest(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/// Steps from one span to the next: 0 where they overlap. @param turn  of a torus its side, else 0
static int64_t gap(span_t a, span_t b, int64_t turn)
{
    const int64_t straight = most(0, most(b.first - a.last, a.first - b.last));
    const int64_t round = fewest(b.first + turn - a.last, a.first + turn - b.last);
    return turn != 0 ? fewest(straight, most(0, round)) : straight;
}

/// Steps from a place that are enough for each of a span, by the same way round.
static int64_t reach(span_t a, int64_t at, int64_t turn)
{
    const int64_t straight = most(a.last - at, at - a.first);
    const int64_t round = fewest(a.last + turn - at, at + turn - a.first);
    return turn != 0 ? fewest(straight, round) : straight;
}

static uint64_t squared(int64_t dx, int64_t dy)
{
    return (uint64_t)(dx * dx + dy * dy);
}

static int64_t turn_x(const rp_grid_t *grid)
{
    return grid->shape.wraps ? grid->shape.width : 0;
}

static int64_t turn_y(const rp_grid_t *grid)
{
    return grid->shape.wraps ? grid->shape.height : 0;
}

static span_t columns(const rp_tile_area_t *area)
{
    return (span_t){area->left, (int64_t)area->left + area->width - 1};
}

static span_t rows(const rp_tile_area_t *area)
{
    return (span_t){area->top, (int64_t)area->top + area->height - 1};
}

static span_t one(int64_t at)
{
    return (span_t){at, at};
}

// ---- tiles

/// A tile that can be reached: that much is possible.
static void note_tile(rp_nearest_reachable_t *self, const field_t *field, uint32_t tile)
{
    const rp_grid_t *grid = field->grid;
    const rp_tile_area_t area = rp_components_tile(field->components, tile);
    const rp_place_t place = field->places->list[0];
    const uint64_t square = squared(reach(columns(&area), place.x, turn_x(grid)),
                                    reach(rows(&area), place.y, turn_y(grid)));
    self->least = square < self->least ? square : self->least;
    self->tiles[self->tile_count++] = tile;
}

/// Let go what is too far away from all places: from the rectangle around them.
static void sift(rp_nearest_reachable_t *self, const field_t *field)
{
    const rp_grid_t *grid = field->grid;
    const rp_place_t *places = field->places->list;
    span_t x = one(places[0].x);
    span_t y = one(places[0].y);
    for (size_t i = 1; i < field->places->count; i++) {
        x = (span_t){fewest(x.first, places[i].x), most(x.last, places[i].x)};
        y = (span_t){fewest(y.first, places[i].y), most(y.last, places[i].y)};
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < self->tile_count; i++) {
        const rp_tile_area_t area = rp_components_tile(field->components, self->tiles[i]);
        const uint64_t square =
            squared(gap(columns(&area), x, turn_x(grid)), gap(rows(&area), y, turn_y(grid)));
        self->tiles[kept] = self->tiles[i];
        kept += square <= self->least;
    }
    self->tile_count = kept;
    self->is_sifted = true;
}

/// @return RP_MORE when the slice is over; RP_E_MEMORY
static rp_status_t ask_tiles(rp_nearest_reachable_t *self, const field_t *field, uint64_t *left)
{
    const uint32_t count = rp_components_tile_count(field->components);
    if (self->tiles == NULL) {
        self->tile_count = 0;
        self->tiles = malloc(count * sizeof *self->tiles);
    }
    if (self->tiles == NULL) {
        return RP_E_MEMORY;
    }
    for (; self->place < count; self->place++) {
        if (*left < CELLS_A_TILE) {
            return RP_MORE;
        }
        *left -= CELLS_A_TILE;
        if (rp_components_enter_tile(field->components, field->component, self->place)) {
            note_tile(self, field, self->place);
        }
    }
    sift(self, field);
    return RP_OK;
}

// ---- cells

/// A cell that is as near as the nearest so far, or nearer.
static rp_status_t take(rp_nearest_reachable_t *self, rp_cell_t cell, uint64_t square)
{
    self->found.count = square < self->least ? 0 : self->found.count;
    self->least = square;
    return rp_goal_list_add(&self->found, cell, 0);
}

/// The cells of a tile's row that are near enough to a column, which may be that of a place on
/// another turn of a torus.
/// @param dy  of this row to the place
static rp_status_t look_along_row(rp_nearest_reachable_t *self, const field_t *field, span_t row,
                                  uint32_t y, int64_t place_x, int64_t dy)
{
    const uint64_t rest = self->least > squared(0, dy) ? self->least - squared(0, dy) : 0;
    const int64_t half = (int64_t)sqrt((double)rest);
    const int64_t end = fewest(row.last, place_x + half);
    rp_status_t status = RP_OK;
    for (int64_t x = most(row.first, place_x - half); x <= end && status == RP_OK; x++) {
        const rp_cell_t cell = rp_grid_cell(field->grid, (uint32_t)x, y);
        const uint64_t square = squared(x - place_x, dy);
        if (field->grid->factor[cell] != 0 && square <= self->least &&
            rp_components_number(field->components, cell) == field->component) {
            status = take(self, cell, square);
        }
    }
    return status;
}

/// look_along_row() for the row and, on a torus, its repetitions to the left and right.
static rp_status_t look_along_turns(rp_nearest_reachable_t *self, const field_t *field, span_t row,
                                    uint32_t y, int64_t place_x, int64_t dy)
{
    const int64_t turn = turn_x(field->grid);
    rp_status_t status = look_along_row(self, field, row, y, place_x, dy);
    for (int64_t x = place_x - turn; turn != 0 && x <= place_x + turn && status == RP_OK;
         x += 2 * turn) {
        status = look_along_row(self, field, row, y, x, dy);
    }
    return status;
}

/// The tile at hand, for the place at hand.
static rp_status_t look_into_tile(rp_nearest_reachable_t *self, const field_t *field,
                                  uint64_t *left)
{
    const rp_grid_t *grid = field->grid;
    const rp_place_t place = field->places->list[self->at];
    const rp_tile_area_t area = rp_components_tile(field->components, self->tiles[self->tile]);
    const span_t row = columns(&area);
    const int64_t dx = gap(row, one(place.x), turn_x(grid));
    uint64_t cells = 1;
    rp_status_t status = RP_OK;
    if (squared(dx, gap(rows(&area), one(place.y), turn_y(grid))) <= self->least) {
        for (uint32_t y = area.top; y < area.top + area.height && status == RP_OK; y++) {
            const int64_t dy = gap(one(y), one(place.y), turn_y(grid));
            if (squared(dx, dy) <= self->least) {
                status = look_along_turns(self, field, row, y, place.x, dy);
                cells += CELLS_A_ROW;
            }
        }
    }
    *left -= cells < *left ? cells : *left;
    return status;
}

// ---- the search for the nearest reachable goal

/// True when all four beside it are among them too: whatever is not is nearer to one of those.
static bool is_inner(const rp_places_t *places, rp_place_t place)
{
    return rp_places_hold(places, (rp_place_t){place.x + 1, place.y}) &&
           rp_places_hold(places, (rp_place_t){place.x - 1, place.y}) &&
           rp_places_hold(places, (rp_place_t){place.x, place.y + 1}) &&
           rp_places_hold(places, (rp_place_t){place.x, place.y - 1});
}

static uint64_t key_of(const rp_places_t *places)
{
    uint64_t key = places->count;
    for (size_t i = 0; i < places->count; i++) {
        key = (key ^ (uint64_t)places->list[i].x) * 0x9e3779b97f4a7c15u;
        key = ((key ^ key >> 29) ^ (uint64_t)places->list[i].y) * 0x9e3779b97f4a7c15u;
        key ^= key >> 29;
    }
    return key;
}

void rp_nearest_reachable_begin(rp_nearest_reachable_t *self, const rp_places_t *places,
                                rp_cell_t from, uint64_t version, bool is_same_ground)
{
    const uint64_t key = key_of(places);
    const bool is_same = self->is_begun && self->from == from && self->key == key;
    if (is_same && is_same_ground) {
        return;
    }
    const uint32_t restarts = is_same && !self->is_done ? self->restarts + 1u : 0u;
    rp_goal_list_t room = self->found;
    room.count = 0;
    free(self->tiles); // of a world that may have had another size
    *self = (rp_nearest_reachable_t){.found = room,
                                     .least = UINT64_MAX,
                                     .is_begun = true,
                                     .from = from,
                                     .key = key,
                                     .version = version,
                                     .restarts = restarts};
}

/// What was found is whole.
static void finish(rp_nearest_reachable_t *self)
{
    rp_goal_list_tidy(&self->found);
    self->found.count = self->found.count < RP_GOALS_MAX ? self->found.count : RP_GOALS_MAX;
    self->is_done = true;
    free(self->tiles);
    self->tiles = NULL;
    self->tile_count = 0;
}

rp_status_t rp_nearest_reachable_go(rp_nearest_reachable_t *self, const rp_places_t *places,
                                    const rp_grid_t *grid, const rp_components_t *components)
{
    const field_t field = {places, grid, components, rp_components_number(components, self->from)};
    uint64_t left = self->restarts < RESTARTS_MOST ? CELLS_AT_ONCE : UINT64_MAX;
    rp_status_t status =
        self->is_sifted || places->count == 0 ? RP_OK : ask_tiles(self, &field, &left);
    while (status == RP_OK && self->at < places->count) {
        if (self->tile == self->tile_count ||
            (self->tile == 0 && is_inner(places, places->list[self->at]))) {
            self->at++;
            self->tile = 0;
        } else if (left == 0) {
            status = RP_MORE;
        } else {
            status = look_into_tile(self, &field, &left);
            self->tile += status == RP_OK;
        }
    }
    if (status == RP_OK) {
        finish(self);
    }
    return status;
}

rp_status_t rp_nearest_reachable_tell(const rp_nearest_reachable_t *self, rp_goal_list_t *goals)
{
    goals->count = 0;
    for (size_t i = 0; i < self->found.count; i++) {
        const rp_status_t status = rp_goal_list_add(goals, self->found.goals[i].cell, 0);
        if (status != RP_OK) {
            return status;
        }
    }
    goals->is_rim = false;
    return RP_OK;
}

void rp_nearest_reachable_fini(rp_nearest_reachable_t *self)
{
    rp_goal_list_fini(&self->found);
    free(self->tiles);
    *self = (rp_nearest_reachable_t){0};
}

void rp_nearest_reachable_destroy(rp_nearest_reachable_t **self)
{
    if (*self != NULL) {
        rp_nearest_reachable_fini(*self);
        free(*self);
        *self = NULL;
    }
}
