/// @file
/// The two passes of distance_transform.c for one kind of number. Included there once for each:
///
///     RP_DIST        the type of a cell, which holds reach^2 + 1
///     RP_DIST_(name) makes a name of its own of each
///
/// Loops are plain, over whole groups of LANES cells, and always inlined, so that the compiler
/// turns them into the vectors of whatever machine the function around them is compiled for.

/// A strip of a box under way.
typedef struct RP_DIST_(strip) {
    rp_distance_transform_t *plane;
    RP_DIST *ring; ///< rows, each how near the next obstacle of itself is [2 * reach + 1][STRIP]
    RP_DIST most;  ///< where an obstacle stands
    uint32_t x;
    uint32_t count;                           ///< columns
    uint32_t lanes;                           ///< the same in whole groups
    bool has_any[2u * RP_REACH_MAX + 1u];     ///< by row of the ring: an obstacle is near
    RP_DIST marks[STRIP + 2u * RP_REACH_MAX]; ///< obstacles of the row at hand, reach on both sides
} RP_DIST_(strip_t);

static ALWAYS RP_DIST RP_DIST_(greater)(RP_DIST a, RP_DIST b)
{
    return a > b ? a : b;
}

/// Mark the obstacles among some cells by all bits. @return not 0 when there is one
static ALWAYS RP_DIST RP_DIST_(mark)(const RP_DIST *restrict cells, uint32_t count, RP_DIST most,
                                     RP_DIST *restrict marks)
{
    RP_DIST any = 0;
    for (uint32_t i = 0; i < count; i++) {
        const RP_DIST bits = (RP_DIST)(cells[i] == most ? -1 : 0);
        marks[i] = bits;
        any = (RP_DIST)(any | bits);
    }
    return any;
}

/// Mark the obstacles of a row; beyond the edge of a world that does not wrap there are none.
/// @return false when there is none
static ALWAYS bool RP_DIST_(mark_row)(RP_DIST_(strip_t) * self, int64_t row)
{
    const rp_distance_transform_t *plane = self->plane;
    const RP_DIST *cells = plane->cells;
    const int64_t height = plane->height;
    const int64_t width = plane->width;
    const int64_t first = (int64_t)self->x - plane->reach;
    const int64_t count = (int64_t)self->count + 2 * (int64_t)plane->reach;
    memset(self->marks, 0, (self->lanes + 2u * plane->reach) * sizeof *self->marks);
    if (!plane->wraps) {
        const int64_t from = first > 0 ? first : 0;
        const int64_t end = first + count < width ? first + count : width;
        return row >= 0 && row < height &&
               RP_DIST_(mark)(cells + row * width + from, (uint32_t)(end - from), self->most,
                              self->marks + (from - first)) != 0;
    }
    RP_DIST any = 0;
    row = ((row % height) + height) % height;
    int64_t column = ((first % width) + width) % width;
    for (int64_t done = 0; done < count; column = 0) {
        const int64_t piece = count - done < width - column ? count - done : width - column;
        any = (RP_DIST)(any | RP_DIST_(mark)(cells + row * width + column, (uint32_t)piece,
                                             self->most, self->marks + done));
        done += piece;
    }
    return any != 0;
}

/// What obstacles so many steps to the left or right say to a group of cells.
static ALWAYS void RP_DIST_(raise_from_beside)(RP_DIST *restrict nearest,
                                               const RP_DIST *restrict left,
                                               const RP_DIST *restrict right, RP_DIST near)
{
    for (unsigned i = 0; i < LANES; i++) {
        nearest[i] = RP_DIST_(greater)(nearest[i], (RP_DIST)((left[i] | right[i]) & near));
    }
}

/// What the rows above and below say to a group of cells, less the square of the steps to them.
static ALWAYS void RP_DIST_(raise_from_rows)(RP_DIST *restrict nearest,
                                             const RP_DIST *restrict above,
                                             const RP_DIST *restrict below, RP_DIST squared)
{
    for (unsigned i = 0; i < LANES; i++) {
        const RP_DIST nearer = RP_DIST_(greater)(above[i], below[i]);
        const RP_DIST rest = (RP_DIST)(RP_DIST_(greater)(nearer, squared) - squared);
        nearest[i] = RP_DIST_(greater)(nearest[i], rest);
    }
}

/// The first pass: how near the next obstacle of its own row is to each cell.
static ALWAYS void RP_DIST_(pass_row)(RP_DIST_(strip_t) * self, int64_t row, uint32_t place)
{
    const uint32_t lanes = self->lanes;
    const RP_DIST *middle = self->marks + self->plane->reach;
    RP_DIST *nearest = self->ring + (size_t)place * STRIP;
    self->has_any[place] = RP_DIST_(mark_row)(self, row);
    if (!self->has_any[place]) {
        memset(nearest, 0, lanes * sizeof *nearest);
        return;
    }
    for (uint32_t i = 0; i < lanes; i += LANES) {
        RP_DIST group[LANES] = {0}; // of our own: it stays where it is worked on
        for (uint32_t steps = 0; steps <= self->plane->reach; steps++) {
            const RP_DIST near = (RP_DIST)(self->most - (RP_DIST)(steps * steps));
            RP_DIST_(raise_from_beside)(group, middle + i - steps, middle + i + steps, near);
        }
        memcpy(nearest + i, group, sizeof group);
    }
}

/// The second pass, for the row that stands in the middle of the ring.
/// @param oldest  place of the topmost row in the ring
static ALWAYS void RP_DIST_(pass_columns)(const RP_DIST_(strip_t) * self, uint32_t oldest,
                                          RP_DIST *nearest)
{
    const uint32_t length = 2u * self->plane->reach + 1u;
    const uint32_t middle = (oldest + self->plane->reach) % length;
    for (uint32_t i = 0; i < self->lanes; i += LANES) {
        RP_DIST group[LANES];
        uint32_t up = middle;
        uint32_t down = middle;
        memcpy(group, self->ring + (size_t)middle * STRIP + i, sizeof group);
        for (uint32_t steps = 1; steps <= self->plane->reach; steps++) {
            up = up != 0 ? up - 1u : length - 1u;
            down = down + 1u != length ? down + 1u : 0u;
            if (self->has_any[up] || self->has_any[down]) {
                RP_DIST_(raise_from_rows)
                (group, self->ring + (size_t)up * STRIP + i, self->ring + (size_t)down * STRIP + i,
                 (RP_DIST)(steps * steps));
            }
        }
        memcpy(nearest + i, group, sizeof group);
    }
}

/// Keep what differs, and tell of it. Most cells are as they were: a word of them at a time.
static ALWAYS void RP_DIST_(keep)(const RP_DIST_(strip_t) * self, uint32_t row,
                                  const RP_DIST *nearest, rp_distance_changed_fn *hear, void *user)
{
    enum {
        WORD = sizeof(uint64_t) / sizeof(RP_DIST)
    };
    const uint64_t first = (uint64_t)row * self->plane->width + self->x;
    RP_DIST *cells = (RP_DIST *)self->plane->cells + first;
    for (uint32_t i = 0; i < self->count;) {
        const uint32_t end = self->count - i < WORD ? self->count : i + WORD;
        if (end - i == WORD && memcmp(cells + i, nearest + i, sizeof(uint64_t)) == 0) {
            i = end;
        }
        for (; i < end; i++) {
            if (cells[i] != nearest[i]) {
                cells[i] = nearest[i];
                if (hear != NULL) {
                    hear(user, self->x + i, row, first + i);
                }
            }
        }
    }
}

static ALWAYS void RP_DIST_(run_strip)(RP_DIST_(strip_t) * self, rp_box_t box,
                                       rp_distance_changed_fn *hear, void *user)
{
    const uint32_t reach = self->plane->reach;
    const uint32_t length = 2u * reach + 1u;
    RP_DIST nearest[STRIP];
    for (uint32_t i = 0; i + 1u < length; i++) {
        RP_DIST_(pass_row)(self, (int64_t)box.y + i - reach, i);
    }
    for (uint32_t row = 0; row < box.height; row++) {
        RP_DIST_(pass_row)(self, (int64_t)box.y + row + reach, (row + 2u * reach) % length);
        RP_DIST_(pass_columns)(self, row % length, nearest);
        RP_DIST_(keep)(self, box.y + row, nearest, hear, user);
    }
}

static ALWAYS void RP_DIST_(run)(rp_distance_transform_t *plane, rp_box_t box,
                                 rp_distance_changed_fn *hear, void *user)
{
    RP_DIST_(strip_t) strip;
    strip.plane = plane;
    strip.ring = plane->rows;
    strip.most = (RP_DIST)rp_distance_most(plane);
    for (uint32_t column = 0; column < box.width; column += STRIP) {
        strip.x = box.x + column;
        strip.count = box.width - column < STRIP ? box.width - column : STRIP;
        strip.lanes = (strip.count + LANES - 1u) & ~(LANES - 1u);
        RP_DIST_(run_strip)(&strip, box, hear, user);
    }
}

/// What these obstacles say to a row, and what it was told before: the nearest of all.
/// @param nearest  of the row, from the first column on that may be reached [count + LANES]
static ALWAYS void RP_DIST_(raise_from_some)(const rp_distance_transform_t *plane,
                                             const rp_spot_t *spots, uint32_t spot_count,
                                             uint32_t row, uint32_t x,
                                             const RP_DIST *restrict beside,
                                             RP_DIST *restrict nearest)
{
    const uint32_t span = 2u * plane->reach + 1u;
    for (uint32_t k = 0; k < spot_count; k++) {
        const uint32_t down = row > spots[k].y ? row - spots[k].y : spots[k].y - row;
        const RP_DIST squared = (RP_DIST)(down * down);
        RP_DIST *reached = nearest + (spots[k].x - plane->reach - x);
        for (uint32_t i = 0; down <= plane->reach && i < span; i += LANES) {
            RP_DIST_(raise_from_rows)(reached + i, beside + i, beside + i, squared);
        }
    }
}

/// @param around  the cells within reach of these obstacles
static ALWAYS void RP_DIST_(spread)(rp_distance_transform_t *plane, rp_box_t around,
                                    const rp_spot_t *spots, uint32_t spot_count,
                                    rp_distance_changed_fn *hear, void *user)
{
    RP_DIST_(strip_t) strip;
    RP_DIST beside[SPREAD_WIDTH + LANES] = {0}; // said by an obstacle to its own row
    RP_DIST nearest[SPREAD_WIDTH + LANES];
    strip.plane = plane;
    strip.x = around.x;
    strip.count = around.width;
    for (uint32_t i = 0; i <= 2u * plane->reach; i++) {
        const uint32_t steps = i > plane->reach ? i - plane->reach : plane->reach - i;
        beside[i] = (RP_DIST)(rp_distance_most(plane) - steps * steps);
    }
    for (uint32_t row = around.y; row < around.y + around.height; row++) {
        const RP_DIST *cells = (const RP_DIST *)plane->cells + (size_t)row * plane->width;
        memcpy(nearest, cells + around.x, around.width * sizeof *nearest);
        RP_DIST_(raise_from_some)(plane, spots, spot_count, row, around.x, beside, nearest);
        RP_DIST_(keep)(&strip, row, nearest, hear, user);
    }
}

#undef RP_DIST
#undef RP_DIST_
