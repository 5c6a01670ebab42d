/// `replan planners`: what the registry says of each.
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "planners/grid/member_options.h"
#include "replan/planner.h"
#include "tools/commands.h"
#include "tools/flags.h"
#include "tools/report.h"

static const char help[] =
    "usage: replan planners [--json]\n"
    "\n"
    "One planner a line: id, guarantee, which events it repairs (on others it starts over, which\n"
    "costs time, but stays optimal), what it can do at all, bytes of search state a cell, and its\n"
    "paper.\n"
    "\n"
    "native: dearer, cheaper (cells), start, goal (moved), no-path (keeps its search state)\n"
    "can: 4, 8 (neighbours), weighted (factors), wrap (a torus), goal-set (several goals),\n"
    "buckets, hot (--open), variants (--variant 1 and 2)\n"
    "\n"
    "JSON keys: id, guarantee, native, can, bytes_per_cell, paper\n"
    "\n"
    "example: replan planners | awk '{print $1}'\n";

typedef struct rp_capability_name {
    uint32_t bit;
    const char *name;
} rp_capability_name_t;

static const rp_capability_name_t natives[] = {
    {RP_NATIVE_DEARER, "dearer"}, {RP_NATIVE_CHEAPER, "cheaper"}, {RP_NATIVE_START, "start"},
    {RP_NATIVE_GOAL, "goal"},     {RP_NATIVE_NO_PATH, "no-path"},
};
static const rp_capability_name_t cans[] = {
    {RP_CAN_4, "4"},
    {RP_CAN_8, "8"},
    {RP_CAN_WEIGHTED, "weighted"},
    {RP_CAN_WRAP, "wrap"},
    {RP_CAN_GOAL_SET, "goal-set"},
    {RP_CAN_OPEN_BUCKETS, "buckets"},
    {RP_CAN_VARIANTS, "variants"},
};

/// Write the names of the bits that are set, each in `quote`, with commas between; "-" or nothing
/// for none.
static int list_names(char *text, size_t size, uint32_t capabilities,
                      const rp_capability_name_t *names, size_t count, const char *quote)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && length < size; i++) {
        if ((capabilities & names[i].bit) != 0) {
            length += (size_t)snprintf(text + length, size - length, "%s%s%s%s",
                                       length != 0 ? "," : "", quote, names[i].name, quote);
        }
    }
    return length != 0;
}

static void print_planner(const rp_planner_info_t *info, bool json)
{
    char native[128];
    char can[128];
    const char *quote = json ? "\"" : "";
    const int has_native = list_names(native, sizeof native, info->capabilities, natives,
                                      sizeof natives / sizeof natives[0], quote);
    list_names(can, sizeof can, info->capabilities, cans, sizeof cans / sizeof cans[0], quote);
    if (!json) {
        printf("%-12s %-8s native %-33s can %-48s %3" PRIu32 " B/cell  %s\n", info->id,
               info->guarantee, has_native ? native : "-", can, info->bytes_per_cell, info->paper);
        return;
    }
    printf("{\"id\":\"%s\",\"guarantee\":", info->id);
    rp_print_json_string(stdout, info->guarantee);
    printf(",\"native\":[%s],\"can\":[%s],\"bytes_per_cell\":%" PRIu32 ",\"paper\":", native, can,
           info->bytes_per_cell);
    rp_print_json_string(stdout, info->paper);
    puts("}");
}

int rp_planners_main(int argc, char **argv)
{
    if (rp_flags_want_help(argc, argv, help)) {
        return RP_EXIT_FINE;
    }
    bool json = false;
    const rp_flag_t flag = {.name = "--json", .given = &json};
    if (!rp_flags_read(argv[0], &flag, 1, argc, argv) || optind != argc) {
        fprintf(stderr, "%s: it takes --json or nothing (--help says more)\n", argv[0]);
        return RP_EXIT_INPUT;
    }
    for (size_t i = 0; rp_planner_info(i) != NULL; i++) {
        print_planner(rp_planner_info(i), json);
    }
    return RP_EXIT_FINE;
}
