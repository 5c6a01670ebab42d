/// Regions: runs row by row, joined by union and find.
#include "planners/jump/regions.h"

/// Places where a run begins: free, and the one before is not.
static inline uint64_t beginnings(const rp_strips_t *rows, size_t place)
{
    const uint64_t free = rows->free[place];
    return free & ~(free << 1 | rows->free[place - rows->line_stride] >> 63);
}

/// Take the runs of a line apart, and count them word by word. The rim ends the last.
static void read_row(rp_regions_t *self, const rp_strips_t *rows, uint32_t line,
                     rp_region_row_t *row)
{
    uint32_t begun = 0;
    uint32_t ended = 0;
    for (uint32_t word = 0; word < rows->word_count; word++) {
        const size_t place = (size_t)word * rows->line_stride + line;
        const uint64_t free = rows->free[place];
        const uint64_t shifted = free << 1 | rows->free[place - rows->line_stride] >> 63;
        self->before[place] = row->number + begun;
        for (uint64_t bits = free & ~shifted; bits != 0; bits &= bits - 1u) {
            row->begin[begun++] = word * 64u + (uint32_t)__builtin_ctzll(bits);
        }
        for (uint64_t bits = shifted & ~free; bits != 0; bits &= bits - 1u) {
            row->end[ended++] = word * 64u + (uint32_t)__builtin_ctzll(bits);
        }
    }
    row->count = begun;
}

static uint32_t find(rp_regions_t *self, uint32_t run)
{
    while (self->first[run] != run) {
        self->first[run] = self->first[self->first[run]];
        run = self->first[run];
    }
    return run;
}

/// The smaller number becomes the first of both.
static void join(rp_regions_t *self, uint32_t a, uint32_t b)
{
    a = find(self, a);
    b = find(self, b);
    if (a < b) {
        self->first[b] = a;
    } else {
        self->first[a] = b;
    }
}

static void join_rows(rp_regions_t *self, const rp_region_row_t *above,
                      const rp_region_row_t *below)
{
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < above->count && j < below->count) {
        if (above->begin[i] < below->end[j] && below->begin[j] < above->end[i]) {
            join(self, above->number + i, below->number + j);
        }
        const bool is_above_shorter = above->end[i] < below->end[j];
        i += is_above_shorter;
        j += !is_above_shorter;
    }
}

void rp_regions_drop(rp_regions_t *self)
{
    const uint32_t quarter = self->end_capacity / 4u;
    self->above = (rp_region_row_t){self->ends, self->ends + quarter, 0, 0};
    self->row = 1;
    self->run_count = 0;
    self->is_found = false;
}

static void find_row(rp_regions_t *self, const rp_jump_map_t *map)
{
    const uint32_t quarter = self->end_capacity / 4u;
    uint32_t *spare = self->above.begin == self->ends ? self->ends + 2u * quarter : self->ends;
    rp_region_row_t row = {spare, spare + quarter, 0, self->run_count};
    read_row(self, &map->rows, self->row, &row);
    for (uint32_t i = 0; i < row.count; i++) {
        self->first[row.number + i] = row.number + i;
    }
    join_rows(self, &self->above, &row);
    self->above = row;
    self->run_count += row.count;
    self->row++;
}

bool rp_regions_find(rp_regions_t *self, const rp_jump_map_t *map, uint32_t rows)
{
    for (; !self->is_found && self->row <= map->height && rows != 0; rows--) {
        find_row(self, map);
    }
    if (!self->is_found && self->row > map->height) {
        for (uint32_t run = 0; run < self->run_count; run++) {
            self->first[run] = self->first[self->first[run]];
        }
        self->is_found = true;
    }
    return self->is_found;
}

uint64_t rp_regions_bytes(const rp_regions_t *self)
{
    return ((uint64_t)self->word_capacity + self->run_count + self->end_capacity) *
           sizeof *self->first;
}

uint32_t rp_regions_at(const rp_regions_t *self, const rp_jump_map_t *map, uint32_t column,
                       uint32_t row)
{
    const size_t place = rp_strips_place(&map->rows, row, column);
    const uint64_t up_to = ~(uint64_t)0 >> (63u - (column & 63u));
    // A run that began in an earlier word counts there.
    const uint32_t begun = (uint32_t)__builtin_popcountll(beginnings(&map->rows, place) & up_to);
    return self->first[self->before[place] + begun - 1u];
}

// ---- birth and death

void rp_regions_init(rp_regions_t *self, const rp_jump_map_t *map, rp_arena_t *arena)
{
    const uint32_t runs_of_row = map->width / 2u + 1u;
    *self = (rp_regions_t){
        .word_capacity = map->rows.word_count * map->rows.line_stride,
        .run_capacity = runs_of_row * map->height,
        .end_capacity = 4u * runs_of_row,
    };
    self->before = rp_arena_new(arena, self->word_capacity, sizeof *self->before);
    self->first = rp_arena_new(arena, self->run_capacity, sizeof *self->first);
    self->ends = rp_arena_new(arena, self->end_capacity, sizeof *self->ends);
    rp_regions_drop(self);
}
