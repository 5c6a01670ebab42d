/// `replan-draw`, which `replan draw` starts: a world, what a search did in it, curves and what
/// vehicles sweep, as a picture. A program of its own, as its planners are compiled to tell each
/// cell that they expand.
#include <errno.h>
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
    const char *turning_radius; ///< as told
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

static int refuse(const rp_draw_job_t *self, const char *option, const char *value,
                  const char *should)
{
    fprintf(stderr, "%s: %s \"%s\" %s\n", self->curves.program, option, value, should);
    return RP_EXIT_INPUT;
}

static int take_number(const rp_draw_job_t *self, const char *option, const char *value,
                       double least, double most, double *number)
{
    double found = 0.0;
    if (rp_drawn_curves_numbers(value, &found, 1) != 1 || found < least || found > most) {
        fprintf(stderr, "%s: %s \"%s\" is not a number of %g..%g\n", self->curves.program, option,
                value, least, most);
        return RP_EXIT_INPUT;
    }
    *number = found;
    return RP_EXIT_FINE;
}

static int take_curve(rp_draw_job_t *self, const char *value)
{
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
    return RP_EXIT_FINE;
}

static int take_size(rp_draw_job_t *self, const char *value)
{
    unsigned width = 0;
    unsigned height = 0;
    char surplus = '\0';
    if (sscanf(value, "%5ux%5u%c", &width, &height, &surplus) != 2 || width == 0 || height == 0 ||
        width > SIZE_MOST || height > SIZE_MOST) {
        return refuse(self, "--size", value, "is not WxH with sides of 1..4096");
    }
    self->world.width = width;
    self->world.height = height;
    return RP_EXIT_FINE;
}

/// @param yaw  written where a third number is
static int take_cell(rp_draw_job_t *self, const char *option, const char *value, uint64_t *place,
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
    return RP_EXIT_FINE;
}

static int take_whole(const rp_draw_job_t *self, const char *option, const char *value,
                      uint64_t most, uint64_t *number)
{
    return rp_option_number(self->curves.program, option, value, most, number) ? RP_EXIT_FINE
                                                                               : RP_EXIT_INPUT;
}

static int take_body(rp_draw_job_t *self, const char *value, bool is_footprint)
{
    if (self->body != NULL) {
        return refuse(self, is_footprint ? "--footprint" : "--body-radius", value,
                      "is a second body");
    }
    self->body = value;
    self->is_footprint = is_footprint;
    return RP_EXIT_FINE;
}

static int take_motion(rp_draw_job_t *self, int letter, const char *value)
{
    rp_curve_price_t *price = &self->curves.price;
    switch (letter) {
    case 'C':
        return take_curve(self, value);
    case 'R':
        return take_number(self, "--turning-radius", value, 1e-3, 1e6, &price->radius);
    case 'r':
        self->curves.reverses = true;
        return RP_EXIT_FINE;
    case 'f':
        return take_number(self, "--reverse-factor", value, 1.0, 1e6, &price->reverse_factor);
    case 'c':
        return take_number(self, "--gear-change", value, 0.0, 1e6, &price->gear_change);
    case 'a':
        self->curves.draws_all = true;
        return RP_EXIT_FINE;
    case 'B':
    case 'F':
        return take_body(self, value, letter == 'F');
    default: // 'd'
        return take_number(self, "--padding", value, 0.0, RP_VEHICLE_REACH_MAX, &self->padding);
    }
}

static int take_option(rp_draw_job_t *self, int letter, const char *value)
{
    switch (letter) {
    case 'O':
        self->out_path = value;
        return RP_EXIT_FINE;
    case 'z':
        return take_size(self, value);
    case 's':
        return take_whole(self, "--scale", value, SCALE_MOST, &self->scale);
    case 'P':
        return take_whole(self, "--plan", value, UINT32_MAX, &self->world.plan);
    case 'S':
        return take_cell(self, "--start", value, self->world.start, &self->world.yaw);
    case 'G':
        return take_cell(self, "--goal", value, self->world.goal, &self->world.goal_yaw);
    case 'R':
        self->turning_radius = value;
        return take_motion(self, letter, value);
    case 'T':
        self->curves.segments_path = value;
        return RP_EXIT_FINE;
    default:
        return letter > 0 && letter < 128 && strchr("CrfcaBFd", letter) != NULL
                   ? take_motion(self, letter, value)
                   : rp_search_options_take(&self->world.options, letter, value);
    }
}

static int set_vehicle(rp_draw_job_t *self)
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
    return wrong == NULL ? RP_EXIT_FINE : RP_EXIT_INPUT;
}

/// A lattice has the vehicle of the curves.
static int set_lattice(rp_draw_job_t *self)
{
    rp_motion_options_t *motion = &self->world.options.motion;
    int code = RP_EXIT_FINE;
    if (self->is_footprint) {
        motion->shape.footprint = self->curves.vehicle;
        motion->shape.body_radius = 0.0;
    }
    motion->shape.reverse = self->curves.reverses;
    motion->shape.reverse_factor = self->curves.price.reverse_factor;
    motion->shape.gear_change = self->curves.price.gear_change;
    if (self->turning_radius != NULL) {
        rp_motion_options_take(motion, self->curves.program, RP_MOTION_TURNING_RADIUS,
                               self->turning_radius, &code);
    }
    if (self->body != NULL && !self->is_footprint && code == RP_EXIT_FINE) {
        rp_motion_options_take(motion, self->curves.program, RP_MOTION_BODY_RADIUS, self->body,
                               &code);
    }
    return code;
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

static int take_options(rp_draw_job_t *self, int argc, char **argv)
{
    static const struct option long_options[] = {
        {"out", required_argument, NULL, 'O'},
        {"size", required_argument, NULL, 'z'},
        {"scale", required_argument, NULL, 's'},
        {"planner", required_argument, NULL, 'p'},
        {"plan", required_argument, NULL, 'P'},
        {"start", required_argument, NULL, 'S'},
        {"goal", required_argument, NULL, 'G'},
        {"neighbors", required_argument, NULL, 'n'},
        {"open", required_argument, NULL, 'o'},
        {"variant", required_argument, NULL, 'v'},
        {"headings", required_argument, NULL, RP_MOTION_HEADINGS},
        {"drive", required_argument, NULL, RP_MOTION_DRIVE},
        {"turn-price", required_argument, NULL, RP_MOTION_TURN_PRICE},
        {"bound-percent", required_argument, NULL, RP_MOTION_BOUND_PERCENT},
        {"yaw-tolerance", required_argument, NULL, RP_MOTION_YAW_TOLERANCE},
        {"either-way", no_argument, NULL, RP_MOTION_EITHER_WAY},
        {"curve", required_argument, NULL, 'C'},
        {"turning-radius", required_argument, NULL, 'R'},
        {"reverse", no_argument, NULL, 'r'},
        {"reverse-factor", required_argument, NULL, 'f'},
        {"gear-change", required_argument, NULL, 'c'},
        {"all", no_argument, NULL, 'a'},
        {"segments", required_argument, NULL, 'T'},
        {"body-radius", required_argument, NULL, 'B'},
        {"footprint", required_argument, NULL, 'F'},
        {"padding", required_argument, NULL, 'd'},
        {0},
    };
    int letter = 0;
    int code = RP_EXIT_FINE;
    while (code == RP_EXIT_FINE &&
           (letter = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        code = take_option(self, letter, optarg);
    }
    if (code != RP_EXIT_FINE) {
        return code;
    }
    const char *missing = what_is_missing(self, argc - optind);
    if (missing != NULL) {
        fprintf(stderr, "%s: %s (--help says more)\n", argv[0], missing);
        return RP_EXIT_INPUT;
    }
    self->path = optind < argc ? argv[optind] : NULL;
    code = self->body != NULL ? set_vehicle(self) : code;
    if (code == RP_EXIT_FINE && self->world.options.planner != NULL &&
        rp_search_options_has_motion(&self->world.options)) {
        code = set_lattice(self);
    }
    return code;
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
    if (rp_help_was_asked(argc, argv, help)) {
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
