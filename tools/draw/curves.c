/// Words become segments, segments what a vehicle sweeps.
#include "tools/draw/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/load.h"
#include "planners/motion/sweep.h"
#include "planners/motion/trig.h"
#include "tools/commands.h"

#define FREE_COLOUR    0x1f77b4u
#define HIT_COLOUR     0xd62728u
#define OTHER_COLOUR   0x9aa7b5u
#define OUTLINE_COLOUR 0x30506eu

#define LINE_WIDTH  0.18
#define THIN_WIDTH  0.07
#define STEP        0.4  ///< between drawn poses, cells
#define STEP_TURN   0.08 ///< and radians
#define LENGTH_MOST 1e6  ///< of a segment of a file, cells

typedef struct artist {
    const rp_drawn_curves_t *curves;
    rp_obstacle_map_t map;
    uint64_t *bits; ///< owned
    rp_drawing_t *picture;
} artist_t;

size_t rp_drawn_curves_numbers(const char *text, double *numbers, size_t most)
{
    size_t count = 0;
    const char *at = text + strspn(text, "[], \t");
    while (*at != '\0') {
        char *end = NULL;
        const double number = strtod(at, &end);
        if (end == at || count == most || !isfinite(number) || strchr("[], \t", *end) == NULL) {
            return 0;
        }
        numbers[count++] = number;
        at = end + strspn(end, "[], \t");
    }
    return count;
}

static int set_map(artist_t *self, const rp_drawn_search_t *world)
{
    const uint32_t stride = (world->width + 63u) / 64u;
    self->bits = calloc((size_t)stride * world->height, sizeof *self->bits);
    if (self->bits == NULL) {
        fprintf(stderr, "%s: %s\n", self->curves->program, rp_status_text(RP_E_MEMORY));
        return RP_EXIT_INPUT;
    }
    for (uint32_t y = 0; y < world->height; y++) {
        for (uint32_t x = 0; x < world->width; x++) {
            const uint64_t bit = world->factors[(size_t)y * world->width + x] == 0;
            self->bits[(size_t)y * stride + x / 64u] |= bit << (x % 64u);
        }
    }
    self->map = (rp_obstacle_map_t){self->bits, stride, world->width, world->height, world->wraps};
    return RP_EXIT_FINE;
}

// ---- segments

/// Poses that are drawn of a segment, its ends among them.
static uint32_t steps_of(const rp_segment_t *segment)
{
    const double turn = segment->turn != 0.0 ? segment->turn : segment->length * segment->curvature;
    return 1u + (uint32_t)fmax(segment->length / STEP, fabs(turn) / STEP_TURN);
}

static void draw_line(const artist_t *self, const rp_segment_t *segments, size_t count,
                      double width)
{
    rp_drawing_begin(self->picture, RP_SHAPE_LINE, width);
    for (size_t i = 0; i < count; i++) {
        const uint32_t steps = steps_of(&segments[i]);
        for (uint32_t step = 0; step <= steps; step++) {
            const rp_motion_pose_t pose =
                rp_segment_pose(&segments[i], rp_segment_extent(&segments[i]) * step / steps);
            rp_drawing_spot(self->picture, (rp_drawing_spot_t){pose.x, pose.y});
        }
    }
}

static rp_drawing_spot_t corner_at(const rp_vehicle_t *vehicle, uint32_t corner,
                                   const rp_motion_pose_t *pose)
{
    const rp_trig_unit_t ahead = rp_trig_unit(pose->heading);
    const rp_motion_vector_t at = vehicle->corners[corner];
    return (rp_drawing_spot_t){pose->x + at.x * ahead.cos - at.y * ahead.sin,
                               pose->y + at.x * ahead.sin + at.y * ahead.cos};
}

/// One part of the vehicle where it stands; as a line it is closed.
static void draw_part(const artist_t *self, uint32_t part, const rp_motion_pose_t *pose,
                      rp_drawing_shape_kind_t kind)
{
    const rp_vehicle_t *vehicle = &self->curves->vehicle;
    const uint32_t first = vehicle->first[part];
    const uint32_t count = vehicle->first[part + 1u] - first;
    rp_drawing_begin(self->picture, kind, THIN_WIDTH);
    for (uint32_t i = 0; i < count + (kind == RP_SHAPE_LINE); i++) {
        rp_drawing_spot(self->picture, corner_at(vehicle, first + i % count, pose));
    }
}

/// What the edges of a part sweep from one drawn pose to the next.
static void draw_edges(const artist_t *self, uint32_t part, const rp_motion_pose_t *from,
                       const rp_motion_pose_t *to)
{
    const rp_vehicle_t *vehicle = &self->curves->vehicle;
    const uint32_t first = vehicle->first[part];
    const uint32_t count = vehicle->first[part + 1u] - first;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t next = first + (i + 1u) % count;
        const rp_drawing_spot_t corners[] = {
            corner_at(vehicle, first + i, from), corner_at(vehicle, next, from),
            corner_at(vehicle, next, to), corner_at(vehicle, first + i, to)};
        rp_drawing_polygon(self->picture, corners, 4);
    }
}

static void draw_swept(const artist_t *self, const rp_segment_t *segments, size_t count)
{
    const uint32_t parts = self->curves->vehicle.part_count;
    if (parts == 0) {
        draw_line(self, segments, count, 2.0 * self->curves->vehicle.radius);
    }
    for (size_t i = 0; i < count && parts != 0; i++) {
        const uint32_t steps = steps_of(&segments[i]);
        rp_motion_pose_t before = segments[i].start;
        for (uint32_t step = 0; step <= steps; step++) {
            const rp_motion_pose_t pose =
                rp_segment_pose(&segments[i], rp_segment_extent(&segments[i]) * step / steps);
            for (uint32_t part = 0; part < parts; part++) {
                draw_part(self, part, &pose, RP_SHAPE_POLYGON);
                draw_edges(self, part, &before, &pose);
            }
            before = pose;
        }
    }
}

/// A line from the origin that shows the heading, and the vehicle's outline round it.
static void draw_pose(const artist_t *self, const rp_motion_pose_t *pose)
{
    const double size = self->curves->has_vehicle ? 0.8 * self->curves->vehicle.reach : 1.0;
    const rp_trig_unit_t ahead = rp_trig_unit(pose->heading);
    const rp_drawing_spot_t line[] = {{pose->x, pose->y},
                                      {pose->x + size * ahead.cos, pose->y + size * ahead.sin}};
    rp_drawing_layer(self->picture, OUTLINE_COLOUR, 1.0);
    rp_drawing_line(self->picture, line, 2, THIN_WIDTH);
    rp_drawing_disc(self->picture, line[0], LINE_WIDTH);
    for (uint32_t part = 0; part < self->curves->vehicle.part_count; part++) {
        draw_part(self, part, pose, RP_SHAPE_LINE);
    }
}

/// Draw a curve and what the vehicle sweeps. @param is_free  otherwise `hit` is drawn too
static void draw_curve(const artist_t *self, const rp_segment_t *segments, size_t count,
                       bool is_free, const rp_sweep_hit_t *hit)
{
    const uint32_t colour = is_free ? FREE_COLOUR : HIT_COLOUR;
    if (self->curves->has_vehicle) {
        rp_drawing_layer(self->picture, colour, 0.25);
        draw_swept(self, segments, count);
    }
    const rp_motion_pose_t end = rp_segment_end(&segments[count - 1u]);
    draw_pose(self, &segments[0].start);
    draw_pose(self, &end);
    rp_drawing_layer(self->picture, colour, 1.0);
    draw_line(self, segments, count, LINE_WIDTH);
    if (!is_free && hit->x >= 0 && hit->y >= 0 && hit->x < self->map.width &&
        hit->y < self->map.height) {
        rp_drawing_cells(self->picture, (uint32_t)hit->x, (uint32_t)hit->y, 1);
    }
}

static bool is_drivable(const artist_t *self, const rp_segment_t *segments, size_t count,
                        rp_sweep_hit_t *hit)
{
    const rp_vehicle_t wide =
        rp_vehicle_widened(&self->curves->vehicle, RP_VEHICLE_PLANNING_MARGIN);
    return !self->curves->has_vehicle ||
           rp_sweep_is_free(&self->map, &wide, segments, count, 0, 0, hit);
}

// ---- words

static void find_words(const rp_drawn_curves_t *self, const rp_asked_curve_t *asked,
                       rp_curve_list_t *list)
{
    if (asked->is_point) {
        rp_words_to_point(&asked->start, asked->end.x, asked->end.y, 1, &self->price, list);
    } else if (self->reverses) {
        rp_words_reeds_shepp(&asked->start, &asked->end, &self->price, list);
    } else {
        rp_words_dubins(&asked->start, &asked->end, &self->price, list);
    }
}

static void print_word(size_t number, const rp_curve_t *curve, bool is_free,
                       const rp_sweep_hit_t *hit)
{
    printf("curve %zu:", number);
    for (uint32_t i = 0; i < curve->count; i++) {
        printf(" %c%c%.3f", "RSL"[curve->sides[i] + 1], curve -> lengths[i] < 0.0 ? '-' : '+',
               fabs(curve->lengths[i]));
    }
    printf(", length %.3f, cost %.3f", rp_curve_length(curve), curve->cost);
    if (is_free) {
        puts(": free");
    } else {
        printf(": meets the obstacle at %lld, %lld\n", (long long)hit->x, (long long)hit->y);
    }
}

/// The cheapest word that is free, or where none is, or others are not wanted, the cheapest of all.
static void draw_asked(const artist_t *self, size_t index)
{
    static rp_curve_list_t list;
    const rp_asked_curve_t *asked = &self->curves->asked[index];
    rp_segment_t segments[RP_CURVE_PIECES_MAX];
    rp_sweep_hit_t hit = {0};
    bool is_free = false;
    uint32_t chosen = 0;
    find_words(self->curves, asked, &list);
    const uint32_t tried = self->curves->draws_all ? list.count : 1u;
    for (uint32_t i = 0; i < tried && !is_free; i++) {
        const uint32_t count = rp_curve_segments(&list.curves[i], &asked->start, segments);
        rp_sweep_hit_t found;
        is_free = is_drivable(self, segments, count, &found);
        hit = i == 0 && !is_free ? found : hit;
        chosen = is_free ? i : 0;
    }
    rp_drawing_layer(self->picture, OTHER_COLOUR, 0.8);
    for (uint32_t i = 0; i < tried; i++) {
        const uint32_t count = rp_curve_segments(&list.curves[i], &asked->start, segments);
        draw_line(self, segments, i == chosen ? 0 : count, THIN_WIDTH);
    }
    const uint32_t count = rp_curve_segments(&list.curves[chosen], &asked->start, segments);
    print_word(index + 1u, &list.curves[chosen], is_free, &hit);
    if (count > 0) {
        draw_curve(self, segments, count, is_free, &hit);
    }
}

// ---- segments of a file

static bool read_segment(const char *line, rp_segment_t *segment)
{
    double numbers[7] = {0.0};
    const size_t count = rp_drawn_curves_numbers(line, numbers, 7);
    *segment = (rp_segment_t){
        .start = {numbers[0], numbers[1], numbers[2]},
        .curvature = numbers[3],
        .length = fabs(numbers[4]),
        .turn = numbers[5],
        .course = numbers[6],
        .gear = numbers[4] < 0.0 ? -1 : 1,
    };
    const bool is_turn = segment->turn != 0.0;
    return count >= 5 && (segment->length > 0.0) != is_turn && segment->length <= LENGTH_MOST &&
           fabs(numbers[0]) <= LENGTH_MOST && fabs(numbers[1]) <= LENGTH_MOST &&
           fabs(numbers[3]) <= 1e3 && fabs(segment->turn) <= 1e3;
}

static int read_segments(const artist_t *self, FILE *file, rp_segment_t **segments, size_t *count)
{
    char line[512];
    uint32_t number = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        rp_segment_t segment;
        number++;
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0') {
            continue;
        }
        if (!read_segment(line, &segment)) {
            fprintf(stderr,
                    "%s: %s:%u: not a segment: x y heading curvature length [turn [course]]\n",
                    self->curves->program, self->curves->segments_path, number);
            return RP_EXIT_INPUT;
        }
        rp_segment_t *more = realloc(*segments, (*count + 1u) * sizeof **segments);
        if (more == NULL) {
            fprintf(stderr, "%s: %s\n", self->curves->program, rp_status_text(RP_E_MEMORY));
            return RP_EXIT_INPUT;
        }
        *segments = more;
        more[(*count)++] = segment;
    }
    return RP_EXIT_FINE;
}

static int draw_file(const artist_t *self)
{
    FILE *file = fopen(self->curves->segments_path, "r");
    if (file == NULL) {
        fprintf(stderr, "%s: --segments %s cannot be read\n", self->curves->program,
                self->curves->segments_path);
        return RP_EXIT_INPUT;
    }
    rp_segment_t *segments = NULL;
    size_t count = 0;
    rp_sweep_hit_t hit;
    const int code = read_segments(self, file, &segments, &count);
    if (code == RP_EXIT_FINE && count > 0) {
        const bool is_free = is_drivable(self, segments, count, &hit);
        printf("%zu segments, length %.3f", count, rp_segment_sum(segments, count));
        if (is_free) {
            puts(": free");
        } else {
            printf(": segment %zu meets the obstacle at %lld, %lld\n", hit.segment,
                   (long long)hit.x, (long long)hit.y);
        }
        draw_curve(self, segments, count, is_free, &hit);
    }
    free(segments);
    fclose(file);
    return code;
}

/// What planner lattice found.
static void draw_found(const artist_t *self, const rp_drawn_search_t *world)
{
    rp_sweep_hit_t hit;
    if (world->segment_count > 0) {
        const bool is_free = is_drivable(self, world->segments, world->segment_count, &hit);
        draw_curve(self, world->segments, world->segment_count, is_free, &hit);
    }
}

int rp_drawn_curves_draw(const rp_drawn_curves_t *self, const rp_drawn_search_t *world,
                         rp_drawing_t *picture)
{
    artist_t artist = {.curves = self, .picture = picture};
    int code = set_map(&artist, world);
    if (code == RP_EXIT_FINE) {
        draw_found(&artist, world);
    }
    for (size_t i = 0; i < self->count && code == RP_EXIT_FINE; i++) {
        draw_asked(&artist, i);
    }
    if (code == RP_EXIT_FINE && self->segments_path != NULL) {
        code = draw_file(&artist);
    }
    free(artist.bits);
    return code;
}
