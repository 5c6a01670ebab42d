/// `replan-draw`, which `replan draw` starts: a world, what a search did in it, curves and what
/// vehicles sweep, as a picture. A program of its own, as its planners are compiled to tell each
/// cell that they expand.
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "replan/trace.h"
#include "tools/commands.h"
#include "tools/draw/curves.h"
#include "tools/draw/drawing.h"
#include "tools/draw/search.h"

#define OBSTACLE_COLOUR 0x2f3136u
#define PATH_COLOUR     0xd62728u
#define START_COLOUR    0x2ca02cu
#define REUSED_COLOUR   0xb7dfc9u
#define RAISED_COLOUR   0xf2b84bu
#define SHADES          8u

#define PIXELS_WANTED 800.0 ///< of the longer side, when --scale is not told
#define PIXELS_MOST   8192u ///< of a side
#define SCALE_MOST    64u
#define SIZE_MOST     4096u ///< of an empty world
#define NUMBERS_MOST  64u   ///< in one option

typedef struct rp_draw_job {
    rp_drawn_search_t world;
    rp_drawn_curves_t curves;
    rp_drawing_t picture;
    const char *path;
    const char *out_path;
    const char *body; ///< --body-radius or --footprint, as told
    bool is_footprint;
    double padding;
    uint64_t scale;
} rp_draw_job_t;

static const char help[] =
    "usage: replan draw [FILE] --out PICTURE [OPTION...]\n"
    "\n"
    "Draw a world, what a search does in it, curves and what a vehicle sweeps on them. FILE is a\n"
    "map (as for `replan map`), a replan-script or a dynamic .scen (as for `replan run`).\n"
    "PICTURE is SVG or PNG by its suffix. Places and lengths are cells, whole numbers are\n"
    "centres of cells; headings are radians, from x towards y.\n"
    "\n"
    "  --out FILE       picture.svg or picture.png\n"
    "  --size WxH       an empty world, in place of FILE\n"
    "  --scale N        pixels a cell, 1..64 (so that the longer side has about 800)\n"
    "\n"
    "a search:\n"
    "  --planner ID     draw the cells that this planner expands: the darker, the later; orange:\n"
    "                   to take back a cost, green: known from an earlier plan\n"
    "  --plan N         of a script: play it up to plan N, from 0 (the last one)\n"
    "  --start X,Y[,HEADING] --goal X,Y[,HEADING]   of a map: search between these cells\n"
    "  --neighbors N    moves to 4 or 8 cells\n"
    "  --open KIND, --variant N, --headings N, --drive D, --turn-price C, --bound-percent P\n"
    "                   as for `replan run`; planner lattice takes --turning-radius, --reverse\n"
    "                   and the vehicle, too, and its curve is drawn\n"
    "\n"
    "curves (each --curve is one more, 64 at most):\n"
    "  --curve X,Y,HEADING,X,Y[,HEADING]   the cheapest from a pose to a pose, or to a point\n"
    "  --turning-radius R   of the smallest circle; needed for --curve\n"
    "  --reverse        both gears (Reeds and Shepp), else forwards only (Dubins)\n"
    "  --reverse-factor F   a cell backwards costs so much, at least 1 (1)\n"
    "  --gear-change L  what a change of gear costs, in cells (0)\n"
    "  --all            all curves that exist, and of these the cheapest that is free\n"
    "  --segments FILE  a curve, a line a segment: x y heading curvature length [turn [course]];\n"
    "                   length below 0: backwards\n"
    "\n"
    "a vehicle, which is tested against obstacles and the edge of the world:\n"
    "  --body-radius B  a disc\n"
    "  --footprint X,Y,X,Y,...   corners, 3 to 16, in order; may be concave; brackets are allowed\n"
    "  --padding P      as Nav2's footprint_padding\n"
    "\n"
    "Says on stdout what the search cost, and of each curve its pieces (L left, R right, S\n"
    "straight, + forwards, - backwards) and whether it is free.\n"
    "\n"
    "exit codes: 0 fine, 2 bad input, 3 not supported by this planner\n"
    "\n"
    "example: replan draw --size 30x20 --curve 5,5,0,20,12,3.14 --turning-radius 4\n"
    "         --body-radius 1.5 --out curve.svg\n";

// ---- layers

/// Runs of cells of one row that are alike. @param is_drawn  says which
static void draw_cells(rp_draw_job_t *self,
                       bool (*is_drawn)(const rp_draw_job_t *self, uint32_t cell, uint32_t kind),
                       uint32_t kind)
{
    const uint32_t width = self->world.width;
    for (uint32_t y = 0; y < self->world.height; y++) {
        uint32_t first = 0;
        for (uint32_t x = 0; x <= width; x++) {
            if (x == width || !is_drawn(self, y * width + x, kind)) {
                if (x > first) {
                    rp_drawing_cells(&self->picture, first, y, x - first);
                }
                first = x + 1u;
            }
        }
    }
}

static bool is_obstacle(const rp_draw_job_t *self, uint32_t cell, uint32_t kind)
{
    (void)kind;
    return self->world.factors[cell] == 0;
}

static bool is_heavy(const rp_draw_job_t *self, uint32_t cell, uint32_t kind)
{
    return self->world.factors[cell] / self->world.unit >= 1u << kind;
}

static void draw_ground(rp_draw_job_t *self)
{
    for (uint32_t kind = 1; kind < 8u;
         kind += 2u) { // twice, eight times .. as dear as normal ground
        rp_drawing_layer(&self->picture, 0x8c6d46u, 0.18);
        draw_cells(self, is_heavy, kind);
    }
    rp_drawing_layer(&self->picture, OBSTACLE_COLOUR, 1.0);
    draw_cells(self, is_obstacle, 0);
}

static uint32_t shade(uint32_t step)
{
    static const uint32_t ends[] = {0xdcebf7u, 0x2c6fb0u};
    uint32_t colour = 0;
    for (uint32_t shift = 0; shift <= 16u; shift += 8u) {
        const int32_t from = (int32_t)(ends[0] >> shift & 255u);
        const int32_t to = (int32_t)(ends[1] >> shift & 255u);
        colour |= (uint32_t)(from + (to - from) * (int32_t)step / (int32_t)(SHADES - 1u)) << shift;
    }
    return colour;
}

static void draw_seen(rp_draw_job_t *self, uint8_t kind, size_t first, size_t end, uint32_t colour)
{
    rp_drawing_layer(&self->picture, colour, 1.0);
    for (size_t i = first; i < end; i++) {
        if (self->world.seen[i].kind == kind) {
            const uint32_t cell = self->world.seen[i].cell;
            rp_drawing_cells(&self->picture, cell % self->world.width, cell / self->world.width, 1);
        }
    }
}

static void draw_search(rp_draw_job_t *self)
{
    const size_t count = self->world.seen_count;
    draw_seen(self, RP_TRACE_REUSED, 0, count, REUSED_COLOUR);
    for (uint32_t step = 0; step < SHADES; step++) {
        const size_t first = count * step / SHADES;
        const size_t end = count * (step + 1u) / SHADES;
        draw_seen(self, RP_TRACE_LEVEL, first, end, shade(step));
        draw_seen(self, RP_TRACE_EXPANDED, first, end, shade(step));
    }
    draw_seen(self, RP_TRACE_RAISED, 0, count, RAISED_COLOUR);
}

static void draw_path(rp_draw_job_t *self)
{
    const uint32_t width = self->world.width;
    rp_drawing_layer(&self->picture, PATH_COLOUR, 1.0);
    for (size_t i = 0; i + 1u < self->world.path_count; i++) {
        const uint32_t from = self->world.path[i];
        const uint32_t to = self->world.path[i + 1u];
        const uint32_t rows[] = {from / width, to / width};
        const rp_drawing_spot_t spots[] = {{from % width, rows[0]}, {to % width, rows[1]}};
        if (fabs(spots[0].x - spots[1].x) < 1.5 &&
            fabs(spots[0].y - spots[1].y) < 1.5) { // not over the edge of a torus
            rp_drawing_line(&self->picture, spots, 2, 0.3);
        }
    }
    if (self->world.has_ends) {
        rp_drawing_layer(&self->picture, START_COLOUR, 1.0);
        rp_drawing_disc(
            &self->picture,
            (rp_drawing_spot_t){(double)self->world.start[0], (double)self->world.start[1]}, 0.45);
        rp_drawing_layer(&self->picture, PATH_COLOUR, 1.0);
        rp_drawing_disc(
            &self->picture,
            (rp_drawing_spot_t){(double)self->world.goal[0], (double)self->world.goal[1]}, 0.45);
    }
}

// ---- the picture

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static int write_picture(const rp_draw_job_t *self)
{
    rp_output_t out = {0};
    if (ends_with(self->out_path, ".svg")) {
        rp_drawing_write_svg(&self->picture, &out);
    } else {
        rp_drawing_write_png(&self->picture, &out);
    }
    int code = RP_EXIT_INPUT;
    FILE *file = self->picture.is_short || out.is_short ? NULL : fopen(self->out_path, "wb");
    if (self->picture.is_short || out.is_short) {
        fprintf(stderr, "%s: %s\n", self->curves.program, rp_status_text(RP_E_MEMORY));
    } else if (file == NULL || fwrite(out.bytes, 1, out.size, file) != out.size ||
               fflush(file) != 0) {
        fprintf(stderr, "%s: --out %s: %s\n", self->curves.program, self->out_path,
                strerror(errno));
    } else {
        code = RP_EXIT_FINE;
    }
    if (file != NULL) {
        fclose(file);
    }
    rp_output_fini(&out);
    return code;
}

static bool set_scale(rp_draw_job_t *self)
{
    const rp_drawn_search_t *world = &self->world;
    const uint32_t longer = world->width > world->height ? world->width : world->height;
    const double fitting = fmin(fmax(floor(PIXELS_WANTED / longer), 1.0), SCALE_MOST);
    const double scale = self->scale != 0 ? (double)self->scale : fitting;
    const bool fits = scale * longer <= PIXELS_MOST;
    self->picture.width = world->width;
    self->picture.height = world->height;
    self->picture.flips = world->flips;
    self->picture.scale = scale;
    if (!fits) {
        fprintf(stderr, "%s: %u cells at %.0f pixels are more than %u pixels\n",
                self->curves.program, longer, scale, PIXELS_MOST);
    }
    return fits;
}

static int draw(rp_draw_job_t *self)
{
    int code = rp_drawn_search_load(&self->world, self->path);
    if (code == RP_EXIT_FINE && !set_scale(self)) {
        code = RP_EXIT_INPUT;
    }
    if (code == RP_EXIT_FINE) {
        draw_ground(self);
        draw_search(self);
        draw_path(self);
        code = rp_drawn_curves_draw(&self->curves, &self->world, &self->picture);
    }
    return code == RP_EXIT_FINE ? write_picture(self) : code;
}

// ---- the command

/// @return false
static bool refuse(const rp_draw_job_t *self, const char *option, const char *value,
                   const char *should)
{
    fprintf(stderr, "%s: %s \"%s\" %s\n", self->curves.program, option, value, should);
    return false;
}

static bool take_curve(void *user, const char *value)
{
    rp_draw_job_t *self = user;
    double n[6] = {0.0};
    const size_t count = rp_drawn_curves_numbers(value, n, 6);
    if (count < 5) {
        return refuse(self, "--curve", value, "is not X,Y,HEADING,X,Y[,HEADING]");
    }
    for (size_t i = 0; i < count; i++) {
        if (fabs(n[i]) > 1e6) {
            return refuse(self, "--curve", value, "has a number beyond 1e6");
        }
    }
    if (self->curves.count == RP_DRAWN_CURVES_MAX) {
        return refuse(self, "--curve", value, "is one more than 64");
    }
    self->curves.asked[self->curves.count++] = (rp_asked_curve_t){
        .start = {n[0], n[1], n[2]}, .end = {n[3], n[4], n[5]}, .is_point = count == 5};
    return true;
}

static bool take_size(void *user, const char *value)
{
    rp_draw_job_t *self = user;
    unsigned width = 0;
    unsigned height = 0;
    char surplus = '\0';
    if (sscanf(value, "%5ux%5u%c", &width, &height, &surplus) != 2 || width == 0 || height == 0 ||
        width > SIZE_MOST || height > SIZE_MOST) {
        return refuse(self, "--size", value, "is not WxH with sides of 1..4096");
    }
    self->world.width = width;
    self->world.height = height;
    return true;
}

/// @param yaw  written where a third number is
static bool take_cell(rp_draw_job_t *self, const char *option, const char *value, uint64_t *place,
                      double *yaw)
{
    double numbers[3] = {0.0};
    const size_t count = rp_drawn_curves_numbers(value, numbers, 3);
    for (size_t i = 0; i < 2u; i++) {
        if (count < 2 || numbers[i] < 0.0 || numbers[i] >= RP_GRID_SIDE_MAX ||
            floor(numbers[i]) != numbers[i]) {
            return refuse(self, option, value, "is not the X,Y of a cell");
        }
        place[i] = (uint64_t)numbers[i];
    }
    *yaw = count > 2u ? numbers[2] : *yaw;
    self->world.asks = true;
    return true;
}

static bool take_start(void *user, const char *value)
{
    rp_draw_job_t *self = user;
    return take_cell(self, "--start", value, self->world.start, &self->world.yaw);
}

static bool take_goal(void *user, const char *value)
{
    rp_draw_job_t *self = user;
    return take_cell(self, "--goal", value, self->world.goal, &self->world.goal_yaw);
}

static bool take_body(rp_draw_job_t *self, const char *value, bool is_footprint)
{
    if (self->body != NULL) {
        return refuse(self, is_footprint ? "--footprint" : "--body-radius", value,
                      "is a second body");
    }
    self->body = value;
    self->is_footprint = is_footprint;
    return true;
}

static bool take_footprint(void *user, const char *value)
{
    return take_body(user, value, true);
}

static bool take_disc(void *user, const char *value)
{
    return take_body(user, value, false);
}

static bool set_vehicle(rp_draw_job_t *self)
{
    double numbers[NUMBERS_MOST];
    double x[NUMBERS_MOST];
    double y[NUMBERS_MOST];
    const size_t count = rp_drawn_curves_numbers(self->body, numbers, NUMBERS_MOST);
    const char *option = self->is_footprint ? "--footprint" : "--body-radius";
    if (count == 0 || (self->is_footprint ? count % 2u != 0 : count != 1u)) {
        return refuse(self, option, self->body,
                      self->is_footprint ? "is not X,Y,X,Y,..." : "is not a number");
    }
    for (size_t i = 0; i < count / 2u; i++) {
        x[i] = numbers[2u * i];
        y[i] = numbers[2u * i + 1u];
    }
    const char *wrong = self->is_footprint ? rp_vehicle_set_footprint(&self->curves.vehicle, x, y,
                                                                      count / 2u, self->padding)
                                           : rp_vehicle_set_disc(&self->curves.vehicle, numbers[0]);
    if (wrong != NULL) {
        fprintf(stderr, "%s: %s: %s\n", self->curves.program, option, wrong);
    }
    self->curves.has_vehicle = true;
    return wrong == NULL;
}

/// A lattice has the vehicle of the curves.
static void set_lattice(rp_draw_job_t *self)
{
    rp_motion_options_t *motion = &self->world.options.motion;
    if (self->is_footprint) {
        motion->shape.footprint = self->curves.vehicle;
        motion->shape.body_radius = 0.0;
    }
    motion->shape.reverse = self->curves.reverses;
    motion->shape.reverse_factor = self->curves.price.reverse_factor;
    motion->shape.gear_change = self->curves.price.gear_change;
    if (self->curves.price.radius != 0.0) {
        motion->shape.turning_radius = self->curves.price.radius;
    }
    if (self->body != NULL && !self->is_footprint) {
        (void)rp_drawn_curves_numbers(self->body, &motion->shape.body_radius, 1);
    }
}

static const char *what_is_missing(const rp_draw_job_t *self, int files)
{
    const bool has_picture = self->out_path != NULL && (ends_with(self->out_path, ".svg") ||
                                                        ends_with(self->out_path, ".png"));
    return self->out_path == NULL                  ? "--out PICTURE is missing"
           : !has_picture                          ? "--out is neither .svg nor .png"
           : files + (self->world.width != 0) != 1 ? "it takes one FILE, or --size WxH"
           : self->curves.count > 0 && self->curves.price.radius == 0.0
               ? "--turning-radius R is missing"
           : self->world.asks && self->world.options.planner == NULL ? "--planner ID is missing"
                                                                     : NULL;
}

/// Rows of the options that `solve` and `run` have, too. @return how many
static size_t add_shared(rp_draw_job_t *self, rp_flag_t *flags)
{
    static const char *const names[] = {
        "--planner", "--neighbors",  "--open",          "--variant",       "--headings",
        "--drive",   "--turn-price", "--bound-percent", "--yaw-tolerance", "--either-way"};
    rp_flag_t all[RP_FLAGS_MOST];
    const size_t count = rp_search_options_flags(&self->world.options, all);
    size_t added = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            if (strcmp(all[i].name, names[k]) == 0) {
                flags[added++] = all[i];
            }
        }
    }
    return added;
}

static int take_options(rp_draw_job_t *self, int argc, char **argv)
{
    rp_drawn_curves_t *curves = &self->curves;
    rp_curve_price_t *price = &curves->price;
    rp_flag_t flags[RP_FLAGS_MOST] = {
        {.name = "--out", .text = &self->out_path},
        {.name = "--size", .take = take_size, .user = self},
        {.name = "--scale", .number = &self->scale, .most = SCALE_MOST},
        {.name = "--plan", .number = &self->world.plan, .most = UINT32_MAX},
        {.name = "--start", .take = take_start, .user = self},
        {.name = "--goal", .take = take_goal, .user = self},
        {.name = "--curve", .take = take_curve, .user = self},
        {.name = "--turning-radius", .real = &price->radius, .low = 1e-3, .high = 1e6},
        {.name = "--reverse", .given = &curves->reverses},
        {.name = "--reverse-factor", .real = &price->reverse_factor, .low = 1.0, .high = 1e6},
        {.name = "--gear-change", .real = &price->gear_change, .high = 1e6},
        {.name = "--all", .given = &curves->draws_all},
        {.name = "--segments", .text = &curves->segments_path},
        {.name = "--body-radius", .take = take_disc, .user = self},
        {.name = "--footprint", .take = take_footprint, .user = self},
        {.name = "--padding", .real = &self->padding, .high = RP_VEHICLE_REACH_MAX},
    };
    size_t count = 16;
    count += add_shared(self, flags + count);
    if (!rp_flags_read(argv[0], flags, count, argc, argv) ||
        !rp_search_options_settle(&self->world.options)) {
        return RP_EXIT_INPUT;
    }
    const char *missing = what_is_missing(self, argc - optind);
    if (missing != NULL) {
        fprintf(stderr, "%s: %s (--help says more)\n", argv[0], missing);
        return RP_EXIT_INPUT;
    }
    self->path = optind < argc ? argv[optind] : NULL;
    if (self->body != NULL && !set_vehicle(self)) {
        return RP_EXIT_INPUT;
    }
    if (self->world.options.planner != NULL && rp_search_options_has_motion(&self->world.options)) {
        set_lattice(self);
    }
    return RP_EXIT_FINE;
}

int main(int argc, char **argv)
{
    static rp_draw_job_t self;
    argv[0] = (char *)"replan draw";
    self.world.options = rp_search_options_of(argv[0]);
    self.world.plan = UINT64_MAX;
    self.world.goal_yaw = NAN;
    self.curves.program = argv[0];
    self.curves.price.reverse_factor = 1.0;
    if (rp_flags_want_help(argc, argv, help)) {
        return RP_EXIT_FINE;
    }
    int code = take_options(&self, argc, argv);
    if (code == RP_EXIT_FINE) {
        code = draw(&self);
    }
    rp_drawing_fini(&self.picture);
    rp_drawn_search_fini(&self.world);
    return code;
}
