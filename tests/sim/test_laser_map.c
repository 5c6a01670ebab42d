/// Maps out of scans, against a caster that shares no code: it finds the cells of a ray by cutting
/// the ray at every grid line and asking for the middle of each piece. And the recorded drives,
/// where they are.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/world/laser_map.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define RESOLUTION 0.1
#define PIECES_MAX 4096u
#define LEAST      1e-9 ///< cells: a piece that is shorter may be counted or not

/// The plain map: log-odds and states, and the cells where rounding decides.
typedef struct plain {
    const rp_laser_map_t *size; ///< origin and sides only
    int *odds;
    uint8_t *states;
    uint8_t *is_end;    ///< of the scan that is being cast
    uint8_t *is_passed; ///< the same
    uint8_t *is_vague;  ///< a ray touched no more than its corner, at some time
} plain_t;

static int compare(const void *a, const void *b)
{
    const double one = *(const double *)a;
    const double other = *(const double *)b;
    return (one > other) - (one < other);
}

/// Where a line between two places crosses whole numbers, 0..1 along it.
static size_t cut(double from, double to, double *cuts)
{
    size_t count = 0;
    const double low = fmin(from, to);
    const double high = fmax(from, to);
    for (double line = ceil(low); line <= high; line++) {
        cuts[count++] = (line - from) / (to - from);
    }
    return from == to ? 0 : count;
}

static void mark_ray(plain_t *self, double x, double y, double to_x, double to_y)
{
    static double cuts[PIECES_MAX];
    const uint32_t width = self->size->width;
    size_t count = cut(x, to_x, cuts);
    count += cut(y, to_y, cuts + count);
    cuts[count++] = 0;
    cuts[count++] = 1;
    ck_assert_uint_le(count, PIECES_MAX);
    qsort(cuts, count, sizeof *cuts, compare);
    const double length = hypot(to_x - x, to_y - y);
    const uint32_t end = (uint32_t)to_y * width + (uint32_t)to_x;
    for (size_t i = 1; i < count; i++) {
        const double middle = (cuts[i - 1] + cuts[i]) / 2;
        const uint32_t cell =
            (uint32_t)(y + (to_y - y) * middle) * width + (uint32_t)(x + (to_x - x) * middle);
        const bool is_vague = (cuts[i] - cuts[i - 1]) * length < LEAST;
        if (is_vague) { // a corner: each of its four cells may have been met
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    self->is_vague[(int)cell + dy * (int)width + dx] = 1;
                }
            }
        } else if (cell != end) {
            self->is_passed[cell] = 1;
        }
    }
    self->is_end[end] = 1;
}

static void take(plain_t *self, const rp_carmen_t *log, const rp_laser_scan_t *scan)
{
    const rp_laser_map_t *size = self->size;
    const size_t cell_count = (size_t)size->width * size->height;
    memset(self->is_end, 0, cell_count);
    memset(self->is_passed, 0, cell_count);
    for (uint32_t beam = 0; beam < scan->beam_count; beam++) {
        const double range = (double)log->ranges[scan->first + beam];
        const double direction = rp_carmen_direction(scan, beam);
        if (range < 40) {
            mark_ray(self, (scan->x - size->origin_x) / RESOLUTION,
                     (scan->y - size->origin_y) / RESOLUTION,
                     (scan->x + range * cos(direction) - size->origin_x) / RESOLUTION,
                     (scan->y + range * sin(direction) - size->origin_y) / RESOLUTION);
        }
    }
    for (size_t cell = 0; cell < cell_count; cell++) {
        const int change = self->is_end[cell] != 0 ? 17 : self->is_passed[cell] != 0 ? -8 : 0;
        const int odds = self->odds[cell] + change;
        self->odds[cell] = odds > 70 ? 70 : odds < -70 ? -70 : odds;
        if (self->odds[cell] != 0) {
            self->states[cell] = self->odds[cell] > 0 ? RP_LASER_OCCUPIED : RP_LASER_FREE;
        }
    }
}

/// Cast a whole log by both, and compare after each scan. @return cells that were known in the end
static size_t compare_log(const rp_carmen_t *log)
{
    rp_laser_map_t map;
    ck_assert(rp_laser_map_init(&map, log, RESOLUTION));
    const size_t cell_count = (size_t)map.width * map.height;
    uint8_t *bytes = calloc(4 * cell_count, 1);
    plain_t plain = {.size = &map,
                     .odds = calloc(cell_count, sizeof *plain.odds),
                     .states = bytes,
                     .is_end = bytes + cell_count,
                     .is_passed = bytes + 2 * cell_count,
                     .is_vague = bytes + 3 * cell_count};
    uint8_t *heard = calloc(cell_count, 1); // states as whoever hears of changes only knows them
    rp_edits_t changed = {0};
    size_t known = 0;
    size_t vague = 0;
    for (size_t i = 0; i < log->count; i++) {
        rp_edits_clear(&changed);
        ck_assert(rp_laser_map_take(&map, log, &log->scans[i], &changed));
        take(&plain, log, &log->scans[i]);
        for (size_t at = 0; at < changed.count; at++) {
            heard[changed.cells[at]] = map.states[changed.cells[at]];
        }
        for (size_t cell = 0; cell < cell_count; cell++) {
            RP_EACH_EQ(heard[cell], map.states[cell]);
            RP_EACH(map.states[cell] == plain.states[cell] || plain.is_vague[cell] != 0);
        }
    }
    for (size_t cell = 0; cell < cell_count; cell++) {
        known += map.states[cell] != RP_LASER_UNKNOWN;
        vague += plain.is_vague[cell];
    }
    ck_assert_uint_le(vague * 100, known);
    rp_edits_fini(&changed);
    free(heard);
    free(plain.odds);
    free(bytes);
    rp_laser_map_fini(&map);
    return known;
}

START_TEST(random_scans_are_cast_as_by_a_plain_caster)
{
    rp_random_t random = {(uint64_t)_i + 7};
    enum {
        SCANS = 12,
        BEAMS = 61,
    };
    static float ranges[SCANS * BEAMS];
    rp_laser_scan_t scans[SCANS];
    for (size_t i = 0; i < SCANS * BEAMS; i++) {
        ranges[i] = (float)rp_random_below(&random, 1000) / 120.0f;
        if (rp_random_chance(&random, 10)) {
            ranges[i] = 81.9f;
        }
    }
    for (size_t i = 0; i < SCANS; i++) {
        scans[i] = (rp_laser_scan_t){(double)rp_random_below(&random, 4000) / 997.0 - 2,
                                     (double)rp_random_below(&random, 4000) / 997.0 + 1e4,
                                     (double)rp_random_below(&random, 8000) / 1000.0 - 4, i * BEAMS,
                                     BEAMS};
    }
    const rp_carmen_t log = {scans, SCANS, ranges, SCANS * BEAMS};
    ck_assert_uint_gt(compare_log(&log), 100);
}
END_TEST

START_TEST(a_wall_that_is_gone_becomes_free_again)
{
    float ranges[2] = {2, 4};
    const rp_laser_scan_t near = {0.05, 0.05, 0, 0, 1};
    const rp_laser_scan_t far = {0.05, 0.05, 0, 1, 1};
    rp_laser_scan_t scans[2] = {near, far};
    const rp_carmen_t log = {scans, 2, ranges, 2};
    rp_laser_map_t map;
    rp_edits_t changed = {0};
    ck_assert(rp_laser_map_init(&map, &log, RESOLUTION));
    const uint32_t wall = rp_laser_map_cell(&map, 2.05, 0.05);
    ck_assert_uint_eq(map.states[wall], RP_LASER_UNKNOWN);
    ck_assert(rp_laser_map_take(&map, &log, &near, &changed));
    ck_assert_uint_eq(map.states[wall], RP_LASER_OCCUPIED);
    ck_assert_uint_eq(map.states[wall - 1], RP_LASER_FREE);
    ck_assert_uint_eq(map.states[wall + 1], RP_LASER_UNKNOWN);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert(rp_laser_map_take(&map, &log, &far, &changed));
    }
    ck_assert_uint_eq(map.states[wall], RP_LASER_FREE);
    rp_edits_fini(&changed);
    rp_laser_map_fini(&map);
}
END_TEST

START_TEST(recorded_drives_are_cast_as_by_a_plain_caster)
{
    static const char *const names[] = {"freiburg-101", "aces"};
    const char *folder = getenv("REPLAN_MAPS");
    for (size_t i = 0; i < 2; i++) {
        char path[512];
        rp_carmen_t log;
        rp_complaint_t complaint;
        snprintf(path, sizeof path, "%s/lidar/%s-corrected.log.gz",
                 folder != NULL ? folder : "../shared/maps", names[i]);
        FILE *file = fopen(path, "rb");
        if (file == NULL) {
            printf("skipped: %s is not there\n", path);
            continue;
        }
        fclose(file);
        ck_assert_int_eq(rp_carmen_load(path, &log, &complaint), RP_OK);
        log.count = RP_ROUNDS(log.count / 4);
        ck_assert_uint_gt(compare_log(&log), 1000);
        rp_carmen_fini(&log);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {random_scans_are_cast_as_by_a_plain_caster};
    const TTest *const once[] = {a_wall_that_is_gone_becomes_free_again,
                                 recorded_drives_are_cast_as_by_a_plain_caster};
    const int random = rp_suite_run("laser_map", tests, 1, 40, NULL);
    return random + rp_suite_run("laser_map_once", once, 2, 1, NULL);
}
