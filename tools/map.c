/// `replan map`: describe, draw, convert or make a map.
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "files/load.h"
#include "files/occupancy.h"
#include "msgs/splitmix.h"
#include "tools/commands.h"
#include "tools/flags.h"
#include "tools/report.h"
#include "tools/save_map.h"

/// Width of a drawing: a terminal's.
#define DRAW_COLUMNS 79u

typedef struct rp_map_tool {
    const char *path; ///< NULL: make one
    const char *out_path;
    const char *size; ///< of a random map: "WxH"
    uint64_t density_percent;
    uint64_t seed;
    bool draws;
    bool json;
    rp_map_t map;
} rp_map_tool_t;

/// Free cells, and the pieces that 4-moves tie together (8-moves that cut no corner tie the same).
typedef struct rp_map_facts {
    uint32_t free;
    uint32_t unknown; ///< of these, those that nobody has seen yet
    uint32_t components;
    uint32_t largest;
} rp_map_facts_t;

static const char help[] =
    "usage: replan map FILE [OPTION...]\n"
    "       replan map --random WxH [--density PERCENT] [--seed N] [OPTION...]\n"
    "\n"
    "Describe a map: size, passable cells, connected components. Or make a random one. A map is\n"
    "a MovingAI .map, a PNG or PGM (dark pixels block, light ones are free), rows of '.' and '#'\n"
    "or '@', or map_server's YAML, which names its picture.\n"
    "\n"
    "  --draw           draw it, scaled down to a terminal's width: ' ' free, ':' mixed,\n"
    "                   '#' blocked\n"
    "  --out FILE       write it, by its suffix: .map, .png, .pgm, .yaml (and a .pgm beside it);\n"
    "                   any other: the bytes, row by row\n"
    "  --random WxH     a world of W x H cells, each blocked by chance\n"
    "  --density N      blocked cells in percent (25)\n"
    "  --seed N         same seed, same map (1)\n"
    "  --json           the facts as one JSON line: file, width, height, free, components,\n"
    "                   largest (cells of the largest component); of a map with unknown cells or\n"
    "                   with a YAML also profile, unknown, resolution, origin\n"
    "  --help           this text\n"
    "\n"
    "exit codes: 0 fine, 2 bad input\n"
    "\n"
    "example: replan map --random 200x100 --density 30 --seed 7 --out r.map --draw\n";

// ---- facts

static bool is_free(const rp_map_t *map, size_t cell)
{
    return rp_map_factor(map->profile, map->bytes[cell]) != 0;
}

/// Flood one component, four ways. @param stack  room for every cell of the map
static uint32_t flood(const rp_map_t *map, uint8_t *seen, uint32_t *stack, uint32_t from)
{
    uint32_t size = 0;
    uint32_t depth = 0;
    seen[from] = 1;
    stack[depth++] = from;
    while (depth != 0) {
        const uint32_t cell = stack[--depth];
        const uint32_t x = cell % map->width;
        const uint32_t y = cell / map->width;
        const bool has_neighbor[4] = {x + 1 < map->width, y + 1 < map->height, x > 0, y > 0};
        const uint32_t neighbor[4] = {cell + 1, cell + map->width, cell - 1, cell - map->width};
        size++;
        for (unsigned i = 0; i < 4; i++) {
            if (has_neighbor[i] && is_free(map, neighbor[i]) && !seen[neighbor[i]]) {
                seen[neighbor[i]] = 1;
                stack[depth++] = neighbor[i];
            }
        }
    }
    return size;
}

/// @return false without memory
static bool learn_facts(const rp_map_t *map, rp_map_facts_t *facts)
{
    const uint32_t count = map->width * map->height;
    uint8_t *seen = calloc(count, 1);
    uint32_t *stack = malloc((size_t)count * sizeof *stack);
    *facts = (rp_map_facts_t){0};
    for (uint32_t cell = 0; seen != NULL && stack != NULL && cell < count; cell++) {
        facts->unknown += map->bytes[cell] == RP_COSTMAP_UNKNOWN;
        if (!is_free(map, cell) || seen[cell]) {
            continue;
        }
        const uint32_t size = flood(map, seen, stack, cell);
        facts->components++;
        facts->free += size;
        facts->largest = size > facts->largest ? size : facts->largest;
    }
    const bool is_done = seen != NULL && stack != NULL;
    free(stack);
    free(seen);
    return is_done;
}

static void print_frame(const rp_map_t *map, const rp_map_facts_t *facts)
{
    const rp_map_frame_t *frame = &map->frame;
    printf(",\"profile\":\"%s\",\"unknown\":%" PRIu32 ",\"resolution\":%s,\"origin\":[%s,%s,%s]",
           rp_map_profile_name(map->profile), facts->unknown,
           rp_number_of(frame->resolution_m).text, rp_number_of(frame->origin_x).text,
           rp_number_of(frame->origin_y).text, rp_number_of(frame->origin_yaw).text);
}

static void print_facts(const rp_map_tool_t *self, const rp_map_facts_t *facts)
{
    const rp_map_t *map = &self->map;
    const char *name = self->path != NULL ? self->path : "random";
    if (self->json) {
        fputs("{\"file\":", stdout);
        rp_print_json_string(stdout, name);
        printf(",\"width\":%" PRIu32 ",\"height\":%" PRIu32 ",\"free\":%" PRIu32
               ",\"components\":%" PRIu32 ",\"largest\":%" PRIu32,
               map->width, map->height, facts->free, facts->components, facts->largest);
        if (facts->unknown != 0 || map->profile != RP_MAP_FACTOR) {
            print_frame(map, facts);
        }
        puts("}");
        return;
    }
    const double cells = (double)map->width * map->height;
    printf("%s: %" PRIu32 " x %" PRIu32 ", %" PRIu32 " passable (%.1f %%), %" PRIu32
           " components, the largest of %" PRIu32 " cells (%.1f %% of the passable)\n",
           name, map->width, map->height, facts->free, 100.0 * facts->free / cells,
           facts->components, facts->largest,
           facts->free != 0 ? 100.0 * facts->largest / facts->free : 0.0);
    if (facts->unknown != 0) {
        printf("unknown, which count as passable: %" PRIu32 "\n", facts->unknown);
    }
}

// ---- drawing, writing

/// One letter for a block of cells, by how many of them are free.
static char letter_of(const rp_map_t *map, uint32_t left, uint32_t top, uint32_t width,
                      uint32_t height)
{
    uint32_t free = 0;
    uint32_t all = 0;
    for (uint32_t y = top; y < top + height && y < map->height; y++) {
        for (uint32_t x = left; x < left + width && x < map->width; x++) {
            free += is_free(map, (size_t)y * map->width + x);
            all++;
        }
    }
    return free == all ? ' ' : free == 0 ? '#' : ':';
}

static void draw(const rp_map_t *map, FILE *stream)
{
    const uint32_t width = (map->width + DRAW_COLUMNS - 1) / DRAW_COLUMNS;
    // Letters are about twice as high as wide; a map that fits is drawn cell by cell.
    const uint32_t height = width == 1 ? 1 : 2 * width;
    for (uint32_t y = 0; y < map->height; y += height) {
        for (uint32_t x = 0; x < map->width; x += width) {
            fputc(letter_of(map, x, y, width, height), stream);
        }
        fputc('\n', stream);
    }
}

static int write_map(const rp_map_tool_t *self)
{
    const rp_map_t *map = &self->map;
    const rp_map_view_t view = {map->width, map->height, map->bytes, map->profile, map->frame};
    return rp_save_map("replan map: --out", self->out_path, &view);
}

// ---- making

static int make_map(rp_map_tool_t *self)
{
    unsigned width = 0;
    unsigned height = 0;
    char surplus = '\0';
    if (sscanf(self->size, "%5ux%5u%c", &width, &height, &surplus) != 2 || width == 0 ||
        height == 0 || width > RP_GRID_SIDE_MAX || height > RP_GRID_SIDE_MAX) {
        fprintf(stderr, "replan map: --random \"%s\" is not WxH with sides of 1..%u\n", self->size,
                RP_GRID_SIDE_MAX);
        return RP_EXIT_INPUT;
    }
    const size_t count = (size_t)width * height;
    self->map = (rp_map_t){
        .width = width, .height = height, .bytes = malloc(count), .frame = {.resolution_m = 1.0}};
    if (self->map.bytes == NULL) {
        fprintf(stderr, "replan map: %s\n", rp_status_text(RP_E_MEMORY));
        return RP_EXIT_INPUT;
    }
    uint64_t state = self->seed;
    for (size_t i = 0; i < count; i++) {
        self->map.bytes[i] = rp_splitmix_next(&state) % 100u >= self->density_percent;
    }
    return RP_EXIT_FINE;
}

// ---- the command

static int take_options(rp_map_tool_t *self, int argc, char **argv)
{
    const rp_flag_t flags[] = {
        {.name = "--draw", .given = &self->draws},
        {.name = "--out", .text = &self->out_path},
        {.name = "--random", .text = &self->size},
        {.name = "--density", .number = &self->density_percent, .most = 100},
        {.name = "--seed", .number = &self->seed, .most = UINT64_MAX},
        {.name = "--json", .given = &self->json},
    };
    if (!rp_flags_read(argv[0], flags, sizeof flags / sizeof flags[0], argc, argv)) {
        return RP_EXIT_INPUT;
    }
    const int files = argc - optind;
    if (files != (self->size == NULL ? 1 : 0)) {
        fprintf(stderr, "%s: it takes one FILE, or --random WxH (--help says more)\n", argv[0]);
        return RP_EXIT_INPUT;
    }
    self->path = files == 1 ? argv[optind] : NULL;
    return RP_EXIT_FINE;
}

static int describe(rp_map_tool_t *self)
{
    rp_map_facts_t facts;
    if (!learn_facts(&self->map, &facts)) {
        fprintf(stderr, "replan map: %s\n", rp_status_text(RP_E_MEMORY));
        return RP_EXIT_INPUT;
    }
    if (self->out_path != NULL && write_map(self) != RP_EXIT_FINE) {
        return RP_EXIT_INPUT;
    }
    print_facts(self, &facts);
    if (self->draws) {
        draw(&self->map, self->json ? stderr : stdout);
    }
    return RP_EXIT_FINE;
}

int rp_map_main(int argc, char **argv)
{
    rp_map_tool_t self = {.density_percent = 25, .seed = 1};
    if (rp_flags_want_help(argc, argv, help)) {
        return RP_EXIT_FINE;
    }
    int code = take_options(&self, argc, argv);
    if (code == RP_EXIT_FINE && self.path != NULL) {
        rp_complaint_t complaint;
        if (rp_map_load(self.path, &self.map, &complaint) != RP_OK) {
            fprintf(stderr, "%s\n", complaint.sentence);
            code = RP_EXIT_INPUT;
        }
    } else if (code == RP_EXIT_FINE) {
        code = make_map(&self);
    }
    if (code == RP_EXIT_FINE) {
        code = describe(&self);
    }
    rp_map_fini(&self.map);
    return code;
}
