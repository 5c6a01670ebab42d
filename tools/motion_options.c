#include "tools/motion_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands.h"
#include "tools/options.h"
#include "tools/report.h"

static const char *const names[] = {
    "--turning-radius", "--body-radius", "--headings",       "--drive",       "--turn-price",
    "--bound-percent",  "--reverse",     "--reverse-factor", "--gear-change", "--footprint",
    "--padding",        "--goal-yaw",    "--yaw-tolerance",  "--either-way",  "--headings-most",
    "--escape",         "--curves"};

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
        .heading = RP_GOAL_FIXED,
        .goal_yaw = NAN,
        .percent = 10u,
    };
}

// ---- one option

static int take_length(const char *program, const char *name, const char *value, double *length)
{
    char *end = NULL;
    const double parsed = strtod(value, &end);
    if (end == value || *end != '\0' || strspn(value, "+-.0123456789eE") != strlen(value)) {
        fprintf(stderr, "%s: %s \"%s\" is not a number\n", program, name, value);
        return RP_EXIT_INPUT;
    }
    *length = parsed;
    return RP_EXIT_FINE;
}

static int take_drive(rp_motion_options_t *self, const char *program, const char *value)
{
    for (size_t i = 0; i < sizeof drives / sizeof drives[0]; i++) {
        if (strcmp(value, drives[i]) == 0) {
            self->shape.drive = (rp_drive_t)i;
            return RP_EXIT_FINE;
        }
    }
    fprintf(stderr, "%s: --drive \"%s\" is none of car, spot, omni\n", program, value);
    return RP_EXIT_INPUT;
}

static int take_headings(rp_motion_options_t *self, const char *program, const char *value)
{
    uint64_t number = 0;
    if (!rp_option_number(program, "--headings", value, UINT32_MAX, &number)) {
        return RP_EXIT_INPUT;
    }
    self->shape.headings = (uint32_t)number;
    return RP_EXIT_FINE;
}

/// The footprint of the corners and the padding that are known.
static int set_footprint(rp_motion_options_t *self, const char *program)
{
    const char *wrong =
        self->corner_count == 0
            ? NULL
            : rp_vehicle_set_footprint(&self->shape.footprint, self->corners_x, self->corners_y,
                                       self->corner_count, self->padding);
    if (wrong != NULL) {
        fprintf(stderr, "%s: --footprint: %s\n", program, wrong);
    }
    self->shape.body_radius =
        self->corner_count != 0 && !self->has_radius ? 0.0 : self->shape.body_radius;
    return wrong == NULL ? RP_EXIT_FINE : RP_EXIT_INPUT;
}

static int take_footprint(rp_motion_options_t *self, const char *program, const char *value)
{
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
        fprintf(stderr, "%s: --footprint \"%s\" is not X,Y,X,Y,... of 3 to 16 corners\n", program,
                value);
        return RP_EXIT_INPUT;
    }
    self->corner_count = count / 2u;
    return set_footprint(self, program);
}

static int take_padding(rp_motion_options_t *self, const char *program, const char *value)
{
    const int code = take_length(program, "--padding", value, &self->padding);
    return code == RP_EXIT_FINE ? set_footprint(self, program) : code;
}

static int take_tolerance(rp_motion_options_t *self, const char *program, const char *value)
{
    const int code = take_length(program, "--yaw-tolerance", value, &self->yaw_tolerance);
    if (code == RP_EXIT_FINE && !(self->yaw_tolerance >= 0.0)) {
        fprintf(stderr, "%s: --yaw-tolerance %g is below 0\n", program, self->yaw_tolerance);
        return RP_EXIT_INPUT;
    }
    return code;
}

static int take(rp_motion_options_t *self, const char *program, int letter, const char *value)
{
    const char *name = names[letter - RP_MOTION_TURNING_RADIUS];
    switch (letter) {
    case RP_MOTION_TURNING_RADIUS:
        return take_length(program, name, value, &self->shape.turning_radius);
    case RP_MOTION_BODY_RADIUS:
        self->has_radius = true;
        return take_length(program, name, value, &self->shape.body_radius);
    case RP_MOTION_HEADINGS:
        return take_headings(self, program, value);
    case RP_MOTION_DRIVE:
        return take_drive(self, program, value);
    case RP_MOTION_TURN_PRICE:
        return take_length(program, name, value, &self->shape.turn_price);
    case RP_MOTION_BOUND_PERCENT:
        return rp_option_number(program, name, value, RP_LATTICE_PERCENT_MOST, &self->percent)
                   ? RP_EXIT_FINE
                   : RP_EXIT_INPUT;
    case RP_MOTION_REVERSE:
        self->shape.reverse = true;
        return RP_EXIT_FINE;
    case RP_MOTION_REVERSE_FACTOR:
        return take_length(program, name, value, &self->shape.reverse_factor);
    case RP_MOTION_GEAR_CHANGE:
        return take_length(program, name, value, &self->shape.gear_change);
    case RP_MOTION_FOOTPRINT:
        return take_footprint(self, program, value);
    case RP_MOTION_PADDING:
        return take_padding(self, program, value);
    case RP_MOTION_GOAL_YAW:
        return take_length(program, name, value, &self->goal_yaw);
    case RP_MOTION_YAW_TOLERANCE:
        return take_tolerance(self, program, value);
    case RP_MOTION_HEADINGS_MOST:
        return rp_option_number(program, name, value, RP_HEADINGS_MOST, &self->headings_most)
                   ? RP_EXIT_FINE
                   : RP_EXIT_INPUT;
    case RP_MOTION_ESCAPE:
        return take_length(program, name, value, &self->escape);
    case RP_MOTION_EITHER_WAY:
        self->heading = RP_GOAL_EITHER_WAY;
        return RP_EXIT_FINE;
    default:
        self->curves = true;
        return RP_EXIT_FINE;
    }
}

bool rp_motion_options_take(rp_motion_options_t *self, const char *program, int letter,
                            const char *value, int *code)
{
    if (letter < RP_MOTION_TURNING_RADIUS || letter > RP_MOTION_CURVES) {
        return false;
    }
    self->given = self->given != NULL ? self->given : names[letter - RP_MOTION_TURNING_RADIUS];
    *code = take(self, program, letter, value);
    return true;
}

// ---- the vehicle

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
        .heading = isnan(asked) ? RP_GOAL_FREE : self->heading,
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
