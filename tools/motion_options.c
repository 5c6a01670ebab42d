#include "tools/motion_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands.h"
#include "tools/options.h"
#include "tools/report.h"

static const char *const drives[] = {
    [RP_DRIVE_CAR] = "car", [RP_DRIVE_SPOT] = "spot", [RP_DRIVE_OMNI] = "omni"};

rp_motion_options_t rp_motion_options_default(void)
{
    return (rp_motion_options_t){
        .shape = {.turning_radius = 2.0,
                  .body_radius = 0.5,
                  .turn_price = 1.0,
                  .headings = 16u,
                  .reverse_factor = 1.0},
        .headings_most = RP_HEADINGS_MOST,
        .goal_yaw = NAN,
        .percent = 10u,
    };
}

// ---- one option

static bool take_drive(void *user, const char *value)
{
    rp_motion_options_t *self = user;
    size_t drive = 0;
    const bool is_one =
        rp_flags_read_word(self->program, "--drive", value, drives,
                           sizeof drives / sizeof drives[0], "is none of car, spot, omni", &drive);
    self->shape.drive = (rp_drive_t)drive;
    return is_one;
}

static bool take_headings(void *user, const char *value)
{
    rp_motion_options_t *self = user;
    uint64_t number = 0;
    const bool is_one =
        rp_flags_read_number(self->program, "--headings", value, UINT32_MAX, &number);
    self->shape.headings = (uint32_t)number;
    return is_one;
}

static bool take_footprint(void *user, const char *value)
{
    rp_motion_options_t *self = user;
    static const char between[] = "[], \t";
    const char *at = value + strspn(value, between);
    size_t count = 0;
    while (*at != '\0' && count < 2u * RP_VEHICLE_CORNERS_MAX) {
        char *end = NULL;
        const double number = strtod(at, &end);
        if (end == at || !isfinite(number) || (*end != '\0' && strchr(between, *end) == NULL)) {
            break;
        }
        *(count % 2u == 0 ? &self->corners_x[count / 2u] : &self->corners_y[count / 2u]) = number;
        count++;
        at = end + strspn(end, between);
    }
    if (*at != '\0' || count % 2u != 0 || count < 6u) {
        fprintf(stderr, "%s: --footprint \"%s\" is not X,Y,X,Y,... of 3 to 16 corners\n",
                self->program, value);
        return false;
    }
    self->corner_count = count / 2u;
    return true;
}

size_t rp_motion_options_flags(rp_motion_options_t *self, const char *program, rp_flag_t *flags)
{
    rp_lattice_shape_t *shape = &self->shape;
    const rp_flag_t own[] = {
        {.name = "--turning-radius", .real = &shape->turning_radius},
        {.name = "--body-radius", .real = &shape->body_radius, .given = &self->has_radius},
        {.name = "--headings", .take = take_headings, .user = self},
        {.name = "--drive", .take = take_drive, .user = self},
        {.name = "--turn-price", .real = &shape->turn_price},
        {.name = "--bound-percent", .number = &self->percent, .most = RP_LATTICE_PERCENT_MOST},
        {.name = "--reverse", .given = &shape->reverse},
        {.name = "--reverse-factor", .real = &shape->reverse_factor},
        {.name = "--gear-change", .real = &shape->gear_change},
        {.name = "--footprint", .take = take_footprint, .user = self},
        {.name = "--padding", .real = &self->padding},
        {.name = "--goal-yaw", .real = &self->goal_yaw},
        {.name = "--yaw-tolerance", .real = &self->yaw_tolerance},
        {.name = "--either-way", .given = &self->is_either_way},
        {.name = "--headings-most", .number = &self->headings_most, .most = RP_HEADINGS_MOST},
        {.name = "--escape", .real = &self->escape},
        {.name = "--curves", .given = &self->curves},
    };
    const size_t count = sizeof own / sizeof own[0];
    self->program = program;
    memcpy(flags, own, sizeof own);
    for (size_t i = 0; i < count; i++) {
        flags[i].first = &self->given;
    }
    return count;
}

// ---- the vehicle

bool rp_motion_options_settle(rp_motion_options_t *self)
{
    if (!(self->yaw_tolerance >= 0.0)) {
        fprintf(stderr, "%s: --yaw-tolerance %g is below 0\n", self->program, self->yaw_tolerance);
        return false;
    }
    const char *wrong =
        self->corner_count == 0
            ? NULL
            : rp_vehicle_set_footprint(&self->shape.footprint, self->corners_x, self->corners_y,
                                       self->corner_count, self->padding);
    if (wrong != NULL) {
        fprintf(stderr, "%s: --footprint: %s\n", self->program, wrong);
    }
    self->shape.body_radius =
        self->corner_count != 0 && !self->has_radius ? 0.0 : self->shape.body_radius;
    return wrong == NULL;
}

static void say_headings(double radius)
{
    const uint32_t headings = rp_lattice_headings_for(radius);
    const char *before = "";
    fputs(headings != 0 ? "; it can turn with --headings " : "; it can turn with none", stderr);
    for (uint32_t count = 8u; count <= 64u; count *= 2u) {
        if ((headings & count) != 0) {
            fprintf(stderr, "%s%u", before, count);
            before = ", ";
        }
    }
    fputc('\n', stderr);
}

int rp_motion_options_check(const rp_motion_options_t *self, const char *program)
{
    const rp_lattice_shape_t *shape = &self->shape;
    if (!(self->escape >= 0.0 && self->escape <= RP_LATTICE_ESCAPE_MOST)) {
        fprintf(stderr, "%s: --escape %g is outside 0..%g\n", program, self->escape,
                RP_LATTICE_ESCAPE_MOST);
        return RP_EXIT_INPUT;
    }
    switch (rp_lattice_shape_fault(shape)) {
    case RP_LATTICE_FINE:
        return RP_EXIT_FINE;
    case RP_LATTICE_BAD_DRIVE:
        fprintf(stderr, "%s: --drive %d is none of car, spot, omni\n", program, (int)shape->drive);
        break;
    case RP_LATTICE_BAD_HEADINGS:
        fprintf(stderr, "%s: --headings %u is none of 8, 16, 32, 64\n", program, shape->headings);
        break;
    case RP_LATTICE_BAD_BODY_RADIUS:
        fprintf(stderr, "%s: --body-radius %g is outside 0..%g%s\n", program, shape->body_radius,
                RP_LATTICE_BODY_MOST,
                shape->footprint.part_count != 0 ? ", and a footprint has none" : "");
        break;
    case RP_LATTICE_BAD_TURNING_RADIUS:
        fprintf(stderr, "%s: --turning-radius %g is outside 0..%g%s\n", program,
                shape->turning_radius, RP_LATTICE_RADIUS_MOST,
                shape->drive == RP_DRIVE_CAR ? ", and a car cannot turn on 0" : "");
        break;
    case RP_LATTICE_BAD_TURN_PRICE:
        fprintf(stderr, "%s: --turn-price %g is outside %g..%g\n", program, shape->turn_price,
                RP_LATTICE_TURN_LEAST, RP_LATTICE_TURN_MOST);
        break;
    case RP_LATTICE_BAD_REVERSE:
        fprintf(stderr, "%s: --reverse: --drive omni has no gears\n", program);
        break;
    case RP_LATTICE_BAD_REVERSE_FACTOR:
        fprintf(stderr, "%s: --reverse-factor %g is outside 1..%g\n", program,
                shape->reverse_factor, RP_LATTICE_REVERSE_MOST);
        break;
    case RP_LATTICE_BAD_GEAR_CHANGE:
        fprintf(stderr, "%s: --gear-change %g is outside 0..%g\n", program, shape->gear_change,
                RP_LATTICE_CHANGE_MOST);
        break;
    case RP_LATTICE_BAD_FOOTPRINT:
        fprintf(stderr,
                "%s: --footprint: its origin is not inside, or it reaches farther than %g cells\n",
                program, RP_LATTICE_BODY_MOST);
        break;
    case RP_LATTICE_TOO_WIDE:
        fprintf(stderr,
                "%s: --turning-radius %g: no move of up to 8 cells turns by one of %u headings",
                program, shape->turning_radius, shape->headings);
        say_headings(shape->turning_radius);
        break;
    }
    return RP_EXIT_INPUT;
}

rp_lattice_goal_t rp_motion_options_goal(const rp_motion_options_t *self, rp_cell_t cell,
                                         double yaw)
{
    const double asked = isnan(yaw) ? self->goal_yaw : yaw;
    return (rp_lattice_goal_t){
        .cell = cell,
        .heading = isnan(asked)          ? RP_GOAL_FREE
                   : self->is_either_way ? RP_GOAL_EITHER_WAY
                                         : RP_GOAL_FIXED,
        .yaw = isnan(asked) ? 0.0 : asked,
        .yaw_tolerance = self->yaw_tolerance,
    };
}

// ---- output

static void print_segment(FILE *stream, const rp_segment_t *segment)
{
    fprintf(stream, "{\"x\":%s,\"y\":%s,\"yaw\":%s,", rp_number_of(segment->start.x).text,
            rp_number_of(segment->start.y).text, rp_number_of(segment->start.heading).text);
    fprintf(stream, "\"curvature\":%s,\"length\":%s,\"turn\":%s,\"course\":%s}",
            rp_number_of(segment->curvature).text,
            rp_number_of(segment->gear < 0 ? -segment->length : segment->length).text,
            rp_number_of(segment->turn).text, rp_number_of(segment->course).text);
}

void rp_motion_print(FILE *stream, const rp_lattice_plan_t *plan)
{
    fprintf(stream, ",\"family\":%u,\"bound\":%s,\"escape\":%u,\"curves\":[", plan->family,
            rp_number_of(plan->bound).text, plan->escape_count);
    for (uint32_t i = 0; i < plan->segment_count; i++) {
        fputs(i == 0 ? "" : ",", stream);
        print_segment(stream, &plan->segments[i]);
    }
    fputs("]", stream);
    if (plan->outcome == RP_OUTCOME_FOUND) {
        fprintf(stream, ",\"end\":{\"x\":%s,\"y\":%s,\"yaw\":%s}", rp_number_of(plan->end.x).text,
                rp_number_of(plan->end.y).text, rp_number_of(plan->end.heading).text);
    }
}
