/// The world as an agent sees it: factors and inflation once more, of the bytes of the engine's.
#include <math.h>

#include "tests/engine/paths/escape_story.h"

#define UNKNOWN 255u

static uint32_t cell_count(const rp_escape_story_t *self)
{
    return self->options.width * self->options.height;
}

/// Distance along an axis.
static uint32_t apart(const rp_escape_story_t *self, uint32_t a, uint32_t b, uint32_t side)
{
    const uint32_t plain = a > b ? a - b : b - a;
    return self->options.wraps && side - plain < plain ? side - plain : plain;
}

/// Square of the distance to the nearest cell that inflates: blocked, and known.
static uint32_t off_blocked(const rp_escape_story_t *self, const rp_escape_kind_t *kind,
                            const uint8_t *bytes, uint32_t cell)
{
    const uint32_t width = self->options.width;
    uint32_t least = UINT32_MAX;
    for (uint32_t other = 0; other < cell_count(self); other++) {
        if (kind->factors[bytes[other]] == 0 && bytes[other] != UNKNOWN) {
            const uint32_t x = apart(self, cell % width, other % width, width);
            const uint32_t y = apart(self, cell / width, other / width, self->options.height);
            least = x * x + y * y < least ? x * x + y * y : least;
        }
    }
    return least;
}

/// The byte that soft inflation gives a cell, by the formula of costmap_2d.
static unsigned soft_byte(const rp_body_t *body, double metres, double resolution_m)
{
    const double reach_m = ceil(body->inflation_radius_m / resolution_m - 1e-9) * resolution_m;
    if (body->inflation_radius_m == 0.0 || metres > reach_m + 1e-9) {
        return 0;
    }
    return metres <= body->inscribed_radius_m + 1e-9
               ? 253u
               : (unsigned)(252.0 * exp(-body->cost_scaling * (metres - body->inscribed_radius_m)));
}

static uint8_t seen_factor(const rp_escape_story_t *self, const rp_escape_kind_t *kind,
                           const uint8_t *bytes, uint32_t cell)
{
    const rp_body_t *body = &kind->body;
    const double resolution_m = self->options.frame.resolution_m;
    const uint8_t byte = bytes[cell];
    if (kind->factors[byte] == 0 || (body->radius_m == 0.0 && body->inflation_radius_m == 0.0)) {
        return kind->factors[byte];
    }
    const double metres = sqrt(off_blocked(self, kind, bytes, cell)) * resolution_m;
    if (metres <= body->radius_m + 1e-9) {
        return 0;
    }
    const unsigned soft = soft_byte(body, metres, resolution_m);
    const bool stays = byte == UNKNOWN ? soft < 253u : soft <= byte;
    return kind->factors[stays ? byte : soft];
}

/// The world through the eyes of a kind of mover, as it is now.
void rp_escape_story_look(rp_escape_story_t *self, const rp_escape_kind_t *kind)
{
    const uint8_t *bytes = rp_engine_bytes(self->engine, self->world);
    self->seen.width = self->options.width;
    self->seen.height = self->options.height;
    self->seen.neighbors = self->options.neighbors;
    self->seen.wraps = self->options.wraps;
    self->seen.unit = kind->unit;
    self->seen.frame = self->options.frame;
    for (uint32_t cell = 0; cell < cell_count(self); cell++) {
        const uint8_t byte = bytes[cell];
        self->seen.is_obstacle[cell] = kind->factors[byte] == 0 && !kind->is_inscribed[byte];
        self->seen.factors[cell] = seen_factor(self, kind, bytes, cell);
    }
}

/// The cells of way and path of an answer. @return their number
size_t rp_escape_story_cells(const rp_escape_story_t *self, const rp_answer_t *answer,
                             uint32_t *cells)
{
    size_t count = 0;
    uint32_t cell = answer->way_y * self->seen.width + answer->way_x;
    for (uint32_t i = 0; i < answer->way_count; i++) {
        cells[count++] = cell;
        cell = rp_escape_step(&self->seen, cell, answer->way[i]);
    }
    cell = answer->start_y * self->seen.width + answer->start_x;
    for (uint32_t i = 0; i < answer->step_count; i++) {
        cells[count++] = cell;
        cell = rp_escape_step(&self->seen, cell, answer->steps[i]);
    }
    cells[count++] = cell;
    return count;
}
