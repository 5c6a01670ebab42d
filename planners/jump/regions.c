/// Regions: runs row by row, joined by union and find, first within bands of rows, then across
/// them.
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

/// The first of all that are joined with a run, in one of the two arrays.
static uint32_t find(uint32_t *parents, uint32_t run)
{
    while (parents[run] != run) {
        parents[run] = parents[parents[run]];
        run = parents[run];
    }
    return run;
}

/// The smaller number becomes the first of both.
static void join(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = find(parents, a);
    b = find(parents, b);
    if (a < b) {
        parents[b] = a;
    } else {
        parents[a] = b;
    }
}

/// Join the runs of two rows that touch. @param labels  what stands for a run; NULL: itself
static void join_rows(uint32_t *parents, const uint32_t *labels, const rp_region_row_t *above,
                      const rp_region_row_t *below)
{
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < above->count && j < below->count) {
        if (above->begin[i] < below->end[j] && below->begin[j] < above->end[i]) {
            const uint32_t a = above->number + i;
            const uint32_t b = below->number + j;
            join(parents, labels != NULL ? labels[a] : a, labels != NULL ? labels[b] : b);
        }
        const bool is_above_shorter = above->end[i] < below->end[j];
        i += is_above_shorter;
        j += !is_above_shorter;
    }
}

/// One of the two rows that there is room for, empty.
static rp_region_row_t room_of(const rp_regions_t *self, unsigned half, uint32_t number)
{
    const uint32_t quarter = self->end_capacity / 4u;
    uint32_t *begin = self->ends + 2u * half * quarter;
    return (rp_region_row_t){begin, begin + quarter, 0, number};
}

// ---- rows of a band

static uint32_t first_row_of(uint32_t band)
{
    return band * RP_REGION_BAND + 1u;
}

static uint32_t last_row_of(const rp_jump_map_t *map, uint32_t band)
{
    const uint32_t end = first_row_of(band + 1u);
    return end <= map->height ? end - 1u : map->height;
}

/// What was joined is to be joined anew, and a band that is being read to be read from its first
/// row.
static void restart(rp_regions_t *self)
{
    self->row = 0;
    self->read = 0;
    self->parted = 0;
    self->meeting = 0;
    self->is_found = false;
}

void rp_regions_drop(rp_regions_t *self)
{
    for (uint32_t band = 0; band < self->band_count; band++) {
        self->bands[band].is_stale = true;
    }
    restart(self);
}

void rp_regions_note(rp_regions_t *self, uint32_t row)
{
    self->bands[(row - 1u) / RP_REGION_BAND].is_stale = true;
    restart(self);
}

/// Begin the next band that is stale. @return false when there is none
static bool begin_band(rp_regions_t *self)
{
    while (self->read < self->band_count && !self->bands[self->read].is_stale) {
        self->read++;
    }
    if (self->read == self->band_count) {
        return false;
    }
    self->run_count -= self->bands[self->read].run_count;
    self->bands[self->read].run_count = 0;
    self->row = first_row_of(self->read);
    self->above = room_of(self, 0, self->read * self->runs_of_band);
    return true;
}

/// All rows are read: every run knows the first of its region, and the band is joined to no other.
static void end_band(rp_regions_t *self)
{
    rp_region_band_t *band = &self->bands[self->read];
    const uint32_t begin = self->read * self->runs_of_band;
    for (uint32_t run = begin; run < begin + band->run_count; run++) {
        self->first[run] = self->first[self->first[run]];
        self->joined[run] = run;
    }
    band->is_stale = false;
    self->row = 0;
}

static void read_next_row(rp_regions_t *self, const rp_jump_map_t *map)
{
    rp_region_band_t *band = &self->bands[self->read];
    rp_region_row_t row = room_of(self, self->above.begin == self->ends ? 1u : 0u,
                                  self->read * self->runs_of_band + band->run_count);
    read_row(self, &map->rows, self->row, &row);
    for (uint32_t i = 0; i < row.count; i++) {
        self->first[row.number + i] = row.number + i;
    }
    join_rows(self->first, NULL, &self->above, &row);
    self->above = row;
    band->run_count += row.count;
    self->run_count += row.count;
    if (self->row++ == last_row_of(map, self->read)) {
        end_band(self);
    }
}

// ---- borders between bands

/// A row that was read before, once more.
static rp_region_row_t read_again(rp_regions_t *self, const rp_jump_map_t *map, uint32_t row,
                                  unsigned half)
{
    rp_region_row_t again = room_of(self, half, self->before[rp_strips_place(&map->rows, row, 0)]);
    read_row(self, &map->rows, row, &again);
    return again;
}

/// The regions of a band at its borders stand for themselves again.
static void part_band(rp_regions_t *self, const rp_jump_map_t *map, uint32_t band)
{
    const uint32_t rows[2] = {first_row_of(band), last_row_of(map, band)};
    for (unsigned i = 0; i < 2; i++) {
        const rp_region_row_t row = read_again(self, map, rows[i], 0);
        for (uint32_t run = row.number; run < row.number + row.count; run++) {
            self->joined[self->first[run]] = self->first[run];
        }
    }
}

static void join_bands(rp_regions_t *self, const rp_jump_map_t *map, uint32_t band)
{
    const rp_region_row_t above = read_again(self, map, last_row_of(map, band), 0);
    const rp_region_row_t below = read_again(self, map, first_row_of(band + 1u), 1);
    join_rows(self->joined, self->first, &above, &below);
}

bool rp_regions_find(rp_regions_t *self, const rp_jump_map_t *map, uint32_t rows)
{
    for (; !self->is_found && rows != 0; rows--) {
        if (self->row != 0 || begin_band(self)) {
            read_next_row(self, map);
        } else if (self->parted < self->band_count) {
            part_band(self, map, self->parted++);
        } else if (self->meeting + 1u < self->band_count) {
            join_bands(self, map, self->meeting++);
        } else {
            self->is_found = true;
        }
    }
    return self->is_found;
}

uint32_t rp_regions_at(const rp_regions_t *self, const rp_jump_map_t *map, uint32_t column,
                       uint32_t row)
{
    const size_t place = rp_strips_place(&map->rows, row, column);
    const uint64_t up_to = ~(uint64_t)0 >> (63u - (column & 63u));
    // A run that began in an earlier word counts there.
    const uint32_t begun = (uint32_t)__builtin_popcountll(beginnings(&map->rows, place) & up_to);
    uint32_t region = self->first[self->before[place] + begun - 1u];
    while (self->joined[region] != region) {
        region = self->joined[region];
    }
    return region;
}

// ---- birth and death

void rp_regions_init(rp_regions_t *self, const rp_jump_map_t *map, rp_arena_t *arena)
{
    const uint32_t runs_of_row = map->width / 2u + 1u;
    const uint32_t bands = (map->height + RP_REGION_BAND - 1u) / RP_REGION_BAND;
    *self = (rp_regions_t){
        .band_count = bands,
        .runs_of_band = runs_of_row * RP_REGION_BAND,
        .word_capacity = map->rows.word_count * map->rows.line_stride,
        .run_capacity = runs_of_row * RP_REGION_BAND * bands,
        .end_capacity = 4u * runs_of_row,
    };
    self->before = rp_arena_new(arena, self->word_capacity, sizeof *self->before);
    self->first = rp_arena_new(arena, self->run_capacity, sizeof *self->first);
    rp_arena_note(arena, &self->run_count, &self->run_count, sizeof *self->first);
    self->joined = rp_arena_new(arena, self->run_capacity, sizeof *self->joined);
    rp_arena_note(arena, &self->run_count, &self->run_count, sizeof *self->joined);
    self->ends = rp_arena_new(arena, self->end_capacity, sizeof *self->ends);
    self->bands = rp_arena_new(arena, self->band_count, sizeof *self->bands);
    if (self->bands != NULL) {
        rp_regions_drop(self);
    }
}
