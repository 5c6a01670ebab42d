/// `replan ctl`: one request to a daemon, and what it says. A command is a row of `commands`.
/// Options stand anywhere behind `ctl`; a word with a single dash is an argument, as coordinates
/// may be negative.
#include "tools/ctl/ctl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "msgs/request.h"
#include "tools/commands.h"
#include "tools/flags.h"
#include "tools/remote.h"

typedef struct command {
    const char *name;
    const char *arguments;
    const char *summary;
    uint32_t least; ///< arguments
    uint32_t most;
    rp_ctl_options_t options;
    int (*run)(rp_ctl_t *self);
} command_t;

static const command_t commands[] = {
    {"worlds", "", "list the worlds: size, version, agents", 0, 0, 0, rp_ctl_worlds},
    {"create", "WORLD", "make a world, from --size or --map", 1, 1,
     RP_CTL_SIZE | RP_CTL_MAP | RP_CTL_NEIGHBORS | RP_CTL_WRAP | RP_CTL_PROFILE |
         RP_CTL_RESOLUTION | RP_CTL_ORIGIN | RP_CTL_FILL | RP_CTL_EXPECT,
     rp_ctl_create},
    {"remove", "WORLD", "remove a world and its agents", 1, 1, 0, rp_ctl_remove},
    {"set", "WORLD X Y W H BYTE", "rewrite a rectangle of cells", 6, 6, RP_CTL_WAIT, rp_ctl_set},
    {"disc", "WORLD ID X Y RADIUS BYTE", "put a disc over the cells, in metres, or move it", 6, 6,
     RP_CTL_TTL | RP_CTL_WAIT, rp_ctl_disc},
    {"polygon", "WORLD ID BYTE X Y X Y X Y...", "put a polygon over the cells, or move it", 9,
     RP_CTL_ARGUMENTS_MAX - 1u, RP_CTL_TTL | RP_CTL_WAIT, rp_ctl_polygon},
    {"lift", "WORLD [ID]...", "remove shapes; without ID all", 1, RP_CTL_ARGUMENTS_MAX, RP_CTL_WAIT,
     rp_ctl_lift},
    {"resize", "WORLD [X Y] W H", "move the window: its first cell is now X Y, or by --origin", 3,
     5, RP_CTL_ORIGIN | RP_CTL_FILL | RP_CTL_WAIT, rp_ctl_resize},
    {"snapshot", "WORLD", "print all cells, row by row", 1, 1, RP_CTL_OUTPUT, rp_ctl_snapshot},
    {"open", "WORLD AGENT X Y [GOAL_X GOAL_Y]...", "open an agent; of several goals the cheapest",
     4, RP_CTL_ARGUMENTS_MAX,
     RP_CTL_PLANNER | RP_CTL_BODY | RP_CTL_POLICY | RP_CTL_AIM | RP_CTL_BENDS | RP_CTL_MOTION,
     rp_ctl_open},
    {"close", "WORLD AGENT", "end an agent's session", 2, 2, 0, rp_ctl_close},
    {"pose", "WORLD AGENT X Y [YAW]", "say where an agent is", 4, 5, 0, rp_ctl_pose},
    {"goal", "WORLD AGENT [X Y]...", "give an agent another goal", 2, RP_CTL_ARGUMENTS_MAX,
     RP_CTL_AIM, rp_ctl_goal},
    {"order", "WORLD X Y AGENT...", "give many agents one goal", 4, RP_CTL_ARGUMENTS_MAX,
     RP_CTL_TOLERANCE | RP_CTL_NEAREST, rp_ctl_order},
    {"answer", "WORLD AGENT", "print an agent's newest answer", 2, 2,
     RP_CTL_BENDS | RP_CTL_SEGMENTS, rp_ctl_answer},
    {"costs", "WORLD X Y [X Y]...", "path costs between all given places", 3,
     RP_CTL_ARGUMENTS_MAX - 1u, 0, rp_ctl_costs},
    {"probe", "WORLD X Y W H BYTE AGENT...", "what-if: costs of agents before and after a `set`", 7,
     RP_CTL_ARGUMENTS_MAX, 0, rp_ctl_probe},
    {"field", "WORLD AGENT REACH", "cost and next step of each cell around an agent", 3, 3, 0,
     rp_ctl_field},
    {"valid", "WORLD AGENT X Y STEPS", "which steps (00127) are illegal; 0 is +x, 2 +y", 5, 5,
     RP_CTL_WAY, rp_ctl_valid},
    {"why", "WORLD AGENT", "the last answers of an agent, and their causes", 2, 2, 0, rp_ctl_why},
    {"agents", "WORLD", "list its agents: what each answered last, and where it is", 1, 1, 0,
     rp_ctl_agents},
    {"shapes", "WORLD", "list the shapes over its cells, the lowest first", 1, 1, 0, rp_ctl_shapes},
    {"peers", "", "list who is connected, what waits, what was lost or refused", 0, 0, 0,
     rp_ctl_peers},
    {"stats", "", "print counters, memory, uptime and latencies, also by world", 0, 0, 0,
     rp_ctl_stats},
    {"forgive", "WORLD PUBLISHER", "end the mark of a publisher that lost changes", 2, 2, 0,
     rp_ctl_forgive},
};
#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

typedef struct ctl_option {
    rp_ctl_options_t bit;
    const char *name;
    const char *value; ///< its name in the help; NULL: it takes none
    const char *summary;
} option_t;

static const option_t options[RP_CTL_OPTIONS] = {
    {RP_CTL_SIZE, "--size", "WxH", "cells, all normal ground"},
    {RP_CTL_MAP, "--map", "FILE",
     "a .map, PNG, PGM, rows of . and #, or map_server's YAML with its picture"},
    {RP_CTL_NEIGHBORS, "--neighbors", "N", "moves to 4 or 8 (default) cells"},
    {RP_CTL_WRAP, "--wrap", NULL, "the edges join: a torus"},
    {RP_CTL_PROFILE, "--profile", "NAME",
     "what a byte means: factor (a world's default) or costmap (a YAML's); an agent: its world's"},
    {RP_CTL_RESOLUTION, "--resolution", "M", "metres a cell (the map's, 1)"},
    {RP_CTL_FILL, "--fill", "BYTE", "every cell, or every new one; factor: 0 blocks, 1 is normal"},
    {RP_CTL_PLANNER, "--planner", "ID", "one of `replan planners`; else the daemon's default"},
    {RP_CTL_WAIT, "--wait", "WHAT", "until it is applied (default), durable or settled"},
    {RP_CTL_OUTPUT, "--output", "FILE",
     "write a map, by its suffix: .map, .png, .pgm, .yaml; else the bytes"},
    {RP_CTL_GAIN, "--gain", "PERCENT", "least saving that replaces a valid path (5)"},
    {RP_CTL_INTERVAL, "--interval", "MS",
     "least age of the last answer before such a switch (200)"},
    {RP_CTL_AGE, "--max-age", "MS", "age from which any saving will do; 0 (default): never"},
    {RP_CTL_FOLLOW, "--follow", "M", "distance from the path that still counts as on it (0)"},
    {RP_CTL_LEASE, "--lease", "S",
     "close the agent when nobody names it for so long; 0 (default): never"},
    {RP_CTL_EXPECT, "--expect-every", "MS", "the map is stale when no change comes for longer"},
    {RP_CTL_ESCAPE, "--escape", "M", "longest way out of a blocked cell; 0: 64 cells (0)"},
    {RP_CTL_WAYPOINTS, "--waypoints", NULL, "pass all points, in order"},
    {RP_CTL_REGION, "--region", NULL, "two corners: anywhere in that rectangle"},
    {RP_CTL_TARGET, "--target", "AGENT", "no points: wherever that agent is"},
    {RP_CTL_TOLERANCE, "--tolerance", "M", "any cell this near to a point will do"},
    {RP_CTL_NEAREST, "--nearest", NULL, "if no goal can be reached, the nearest cell that can"},
    {RP_CTL_WITHIN, "--within", "MS",
     "send the best legal path known after so long; 0 (default): never"},
    {RP_CTL_MAY_WAIT, "--may-wait", NULL, "low priority: plan for it when no other agent waits"},
    {RP_CTL_IMMEDIATE, "--immediate", NULL, "send a legal path at once when the goal changes"},
    {RP_CTL_BENDS, "--bends", NULL, "tell where the path bends, in metres of the world's frame"},
    {RP_CTL_RADIUS, "--radius", "M",
     "radius of the body: cells this near to a blocked one block (0)"},
    {RP_CTL_INFLATION, "--inflation", "I,R,K",
     "costmap_2d's: inscribed radius, inflation radius, scaling factor"},
    {RP_CTL_TTL, "--ttl", "MS", "remove the shape after that long; 0 (default): never"},
    {RP_CTL_ORIGIN, "--origin", "X,Y[,YAW]",
     "the corner of cell 0,0 in the frame (the map's, 0,0,0)"},
    {RP_CTL_WAY, "--way", "X,Y,STEPS", "the way out of a blocked cell that leads to X Y"},
    {RP_CTL_CELLS, "--cells", "N",
     "body of N x N cells without radii, the agent in the lowest (0: one cell)"},
    {RP_CTL_TURNING, "--turning-radius", "M",
     "its path is a curve that a car of this radius can drive"},
    {RP_CTL_SPOT, "--spot", NULL, "such a curve for what turns in place, too"},
    {RP_CTL_YAW, "--yaw", "RAD", "its heading at X Y (0)"},
    {RP_CTL_SEGMENTS, "--segments", NULL, "tell the curve of an agent with motion"},
    {RP_CTL_REVERSE, "--reverse", NULL, "on its curve it drives backwards, too"},
    {RP_CTL_FACTOR, "--reverse-factor", "F", "a metre backwards costs so much, 1 to 100 (1)"},
    {RP_CTL_CHANGE, "--gear-change", "M", "what a change of gear costs, in metres (0)"},
    {RP_CTL_FOOTPRINT, "--footprint", "X,Y,...",
     "corners of the body in metres, X ahead, Y left; without a curve the disc round it counts"},
    {RP_CTL_PADDING, "--padding", "M", "as Nav2's footprint_padding (0)"},
    {RP_CTL_OMNI, "--omni", NULL, "a curve of lines in any direction and turns in place"},
};

static const char help[] =
    "usage: replan ctl [--control EP] [--json | --table] COMMAND [ARGUMENT...]\n"
    "\n"
    "Send one request to a daemon. X and Y of poses, goals and shapes are metres in the world's\n"
    "frame; those of `set`, `probe`, `valid` and `resize` are cells from 0; REACH is in cells.\n"
    "\n";

static const char help_end[] =
    "  -c, --control EP   the daemon's control socket (" RP_CLIENT_CONTROL ")\n"
    "  --json             JSON on stdout, one object a line\n"
    "  --table            of worlds, agents, shapes, peers, stats: a table, which is the default\n"
    "                     on a terminal; elsewhere agents, shapes and peers are JSON\n"
    "  --help             this text\n"
    "\n"
    "exit codes: 0 fine, 2 bad input or refused (reason on stderr), 3 this planner, world or\n"
    "daemon cannot do that, 4 no daemon\n";

static const char example[] = "\n"
                              "example: replan ctl create arena --size 20x10\n"
                              "         replan ctl open arena scout 1.5 1.5 18.5 8.5\n"
                              "         replan ctl set arena 10 0 1 9 0\n"
                              "         replan ctl answer arena scout --bends\n";

// ---- help

static void print_option_help(rp_ctl_options_t bits)
{
    for (size_t i = 0; i < RP_CTL_OPTIONS; i++) {
        const option_t *option = &options[i];
        char left[32];
        if ((bits & option->bit) != 0) {
            snprintf(left, sizeof left, "%s %s", option->name,
                     option->value == NULL ? "" : option->value);
            printf("  %-18s %s\n", left, option->summary);
        }
    }
}

/// @param command  NULL: all of them
static void print_help(const command_t *command)
{
    if (command != NULL) {
        printf("usage: replan ctl %s%s%s [OPTION...]\n\n%s\n\n", command->name,
               command->arguments[0] != '\0' ? " " : "", command->arguments, command->summary);
        print_option_help(command->options);
    } else {
        fputs(help, stdout);
        for (size_t i = 0; i < COMMAND_COUNT; i++) {
            printf("  %-8s %-34s %s\n", commands[i].name, commands[i].arguments,
                   commands[i].summary);
        }
        puts("\n`replan ctl COMMAND --help` lists the options of one.\n");
    }
    fputs(help_end, stdout);
    if (command == NULL) {
        fputs(example, stdout);
    }
}

// ---- what handlers use

const char *rp_ctl_value(const rp_ctl_t *self, rp_ctl_options_t option, const char *otherwise)
{
    return (self->given & option) == 0 ? otherwise : self->values[__builtin_ctzll(option)];
}

bool rp_ctl_read_metres(const rp_ctl_t *self, const char *what, const char *text, double *metres)
{
    char *end = NULL;
    *metres = strtod(text, &end);
    if (end == text || *end != '\0') {
        fprintf(stderr, "%s: %s \"%s\" is not a number\n", self->program, what, text);
        return false;
    }
    return true;
}

uint32_t rp_ctl_read_list(const char *text, double *numbers, uint32_t most)
{
    for (uint32_t count = 0; count < most; text++) {
        char *end = NULL;
        numbers[count++] = strtod(text, &end);
        if (end == text || (*end != ',' && *end != '\0')) {
            return 0;
        }
        if (*end == '\0') {
            return count;
        }
        text = end;
    }
    return 0;
}

bool rp_ctl_read_whole(const rp_ctl_t *self, const char *what, const char *text, uint32_t most,
                       uint32_t *number)
{
    uint64_t parsed = 0;
    const bool is_read = rp_flags_read_number(self->program, what, text, most, &parsed);
    *number = is_read ? (uint32_t)parsed : *number;
    return is_read;
}

int rp_ctl_call(rp_ctl_t *self, Replan__V1__Request *request, const Replan__V1__Reply **reply)
{
    const Replan__V1__Reply *said = NULL;
    const rp_client_status_t status = rp_client_call(self->client, request, &said);
    const int code = rp_remote_judge(self->program, self->client, status, said);
    if (code == RP_EXIT_FINE) {
        *reply = said;
    }
    return code;
}

int rp_ctl_do(rp_ctl_t *self, Replan__V1__Request *request)
{
    const Replan__V1__Reply *reply;
    const int code = rp_ctl_call(self, request, &reply);
    if (code == RP_EXIT_FINE && self->json) {
        printf("{\"kind\":\"%s\",\"done\":true}\n", self->name);
    }
    return code;
}

bool rp_ctl_read_wait(const rp_ctl_t *self, Replan__V1__Wait *wait)
{
    static const char *const words[] = {"applied", "durable", "settled"};
    size_t place = 0;
    const bool is_one =
        rp_flags_read_word(self->program, "--wait", rp_ctl_value(self, RP_CTL_WAIT, words[0]),
                           words, 3, "is not applied, durable or settled", &place);
    *wait = (Replan__V1__Wait)place;
    return is_one;
}

int rp_ctl_apply(rp_ctl_t *self, Replan__V1__Request *request)
{
    const Replan__V1__Reply *reply;
    const int code = rp_ctl_call(self, request, &reply);
    if (code != RP_EXIT_FINE || reply->body_case != REPLAN__V1__REPLY__BODY_APPLIED) {
        return code;
    }
    const Replan__V1__Applied *applied = reply->applied;
    printf(self->json ? "{\"kind\":\"applied\",\"epoch\":%" PRIu64 ",\"version\":%" PRIu64
                      : "epoch %" PRIu64 " version %" PRIu64,
           applied->epoch, applied->version);
    rp_remote_print_agents("changed", applied->changed_agents, applied->n_changed_agents,
                           self->json);
    rp_remote_print_agents("overdue", applied->overdue_agents, applied->n_overdue_agents,
                           self->json);
    puts(self->json ? "}" : "");
    return RP_EXIT_FINE;
}

int rp_ctl_forgive(rp_ctl_t *self)
{
    Replan__V1__Forgive forgive = REPLAN__V1__FORGIVE__INIT;
    forgive.world = self->arguments[0];
    forgive.publisher = self->arguments[1];
    Replan__V1__Request request = RP_REQUEST(FORGIVE, forgive, &forgive);
    return rp_ctl_do(self, &request);
}

// ---- the command line

static const command_t *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

/// True for this option, or this option and `=`.
static bool is_option(const char *word, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && (word[length] == '\0' || word[length] == '=');
}

/// Take one option and its value, which is the next word, or follows `=`.
/// @return words used; 0 after saying what is wrong
static int take_option(rp_ctl_t *self, char **words, int count)
{
    if (strcmp(words[0], "--json") == 0) {
        self->json = true;
        return 1;
    }
    if (strcmp(words[0], "--table") == 0) {
        self->table = true;
        return 1;
    }
    if (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0) {
        self->wants_help = true;
        return 1;
    }
    const bool is_control = is_option(words[0], "--control") || strcmp(words[0], "-c") == 0;
    size_t at = 0;
    while (!is_control && at < RP_CTL_OPTIONS && !is_option(words[0], options[at].name)) {
        at++;
    }
    if (at == RP_CTL_OPTIONS) {
        fprintf(stderr, "%s: there is no option %s\n", self->program, words[0]);
        return 0;
    }
    const bool has_value = is_control || options[at].value != NULL;
    const char *equals = strchr(words[0], '=');
    if (has_value && equals == NULL && count < 2) {
        fprintf(stderr, "%s: %s wants a value\n", self->program, words[0]);
        return 0;
    }
    if (!has_value && equals != NULL) {
        fprintf(stderr, "%s: %s takes no value\n", self->program, options[at].name);
        return 0;
    }
    const char *value = equals != NULL ? equals + 1 : has_value ? words[1] : "";
    if (is_control) {
        self->control = value;
    } else {
        self->given |= options[at].bit;
        self->values[at] = value;
    }
    return has_value && equals == NULL ? 2 : 1;
}

/// Sort the words into options, the command and its arguments.
static int read_words(rp_ctl_t *self, int argc, char **argv)
{
    for (int i = 1; i < argc;) {
        if (strncmp(argv[i], "--", 2) == 0 || strcmp(argv[i], "-h") == 0 ||
            strcmp(argv[i], "-c") == 0) {
            const int used = take_option(self, argv + i, argc - i);
            if (used == 0) {
                return RP_EXIT_INPUT;
            }
            i += used;
            continue;
        }
        if (self->name == NULL) {
            self->name = argv[i];
        } else if (self->argument_count < RP_CTL_ARGUMENTS_MAX) {
            self->arguments[self->argument_count++] = argv[i];
        } else {
            fprintf(stderr, "%s: at most %u arguments\n", self->program, RP_CTL_ARGUMENTS_MAX);
            return RP_EXIT_INPUT;
        }
        i++;
    }
    return RP_EXIT_FINE;
}

static int refuse_command(const rp_ctl_t *self)
{
    fprintf(stderr, "%s: %s%s; see `replan ctl --help`\n", self->program,
            self->name == NULL ? "what is it to do" : "there is no command ",
            self->name == NULL ? "" : self->name);
    return RP_EXIT_INPUT;
}

static bool is_usable(const rp_ctl_t *self, const command_t *command)
{
    if (self->json && self->table) {
        fprintf(stderr, "%s: either --json or --table\n", self->program);
        return false;
    }
    if (self->argument_count < command->least || self->argument_count > command->most) {
        fprintf(stderr, "%s: %s wants these arguments: %s\n", self->program, command->name,
                command->most == 0 ? "none" : command->arguments);
        return false;
    }
    for (size_t i = 0; i < RP_CTL_OPTIONS; i++) {
        if ((self->given & ~command->options & options[i].bit) != 0) {
            fprintf(stderr, "%s: %s takes no %s\n", self->program, command->name, options[i].name);
            return false;
        }
    }
    return true;
}

int rp_ctl_main(int argc, char **argv)
{
    rp_ctl_t self = {.program = argv[0], .control = RP_CLIENT_CONTROL};
    int code = read_words(&self, argc, argv);
    if (code != RP_EXIT_FINE) {
        return code;
    }
    const command_t *command = self.name == NULL ? NULL : find_command(self.name);
    if (command == NULL && !(self.wants_help && self.name == NULL)) {
        return refuse_command(&self);
    }
    if (self.wants_help) {
        print_help(command);
        return RP_EXIT_FINE;
    }
    if (!is_usable(&self, command)) {
        return RP_EXIT_INPUT;
    }
    self.table = self.table || (!self.json && isatty(STDOUT_FILENO) != 0);
    code = rp_remote_open(self.program, self.control, &self.client);
    if (code == RP_EXIT_FINE) {
        code = command->run(&self);
    }
    rp_client_close(&self.client);
    return code;
}
