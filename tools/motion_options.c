#include "tools/motion_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands.h"
#include "tools/options.h"
#include "tools/report.h"

static const char *const names[] = {"--turning-radius", "--body-radius",   "--headings", "--drive",
                                    "--turn-price",     "--bound-percent", "--curves"};

static const char *const drives[] = {
    [RP_DRIVE_CAR] = "car", [RP_DRIVE_SPOT] = "spot", [RP_DRIVE_OMNI] = "omni"};

rp_motion_options_t rp_motion_options_default(void)
{
    return (rp_motion_options_t){
        .shape = {.turning_radius = 2.0, .body_radius = 0.5, .turn_price = 1.0, .headings = 16u},
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

static int take(rp_motion_options_t *self, const char *program, int letter, const char *value)
{
    const char *name = names[letter - RP_MOTION_TURNING_RADIUS];
    switch (letter) {
    case RP_MOTION_TURNING_RADIUS:
        return take_length(program, name, value, &self->shape.turning_radius);
    case RP_MOTION_BODY_RADIUS:
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
        fprintf(stderr, "%s: --body-radius %g is outside 0..%g\n", program, shape->body_radius,
                RP_LATTICE_BODY_MOST);
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
    case RP_LATTICE_TOO_WIDE:
        fprintf(stderr,
                "%s: --turning-radius %g: no move of up to 8 cells turns by one of %u headings",
                program, shape->turning_radius, shape->headings);
        say_headings(shape->turning_radius);
        break;
    }
    return RP_EXIT_INPUT;
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
    fprintf(stream, ",\"bound\":%s,\"curves\":[", rp_number_of(plan->bound).text);
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
