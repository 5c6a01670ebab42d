/// The command line: every option is refused with a sentence that names it and its limits.
#include "sim/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "msgs/limits.h"
#include "sim/scenes/scenes.h"
#include "sim/world/laser_map.h"

#include "replan/client.h"

#define DURATION_VIEW_S     30
#define DURATION_HEADLESS_S 12
#define DURATION_AFTER_S    3 ///< after the last scan of a log, and for what waited

static const char help[] =
    "replan-sim: plays a changing world with moving agents against a running repland.\n"
    "Draws in the terminal, and checks every path that it receives.\n"
    "\n"
    "usage: replan-sim [options]\n"
    "  --scenario NAME   what to simulate (--list; default " RP_SCENARIO_DEFAULT ")\n"
    "  --carmen LOG      instead of a scenario: the recorded drive of a robot with a laser "
    "scanner\n"
    "                    (FLASER lines, also compressed by gzip) builds the map, a cell for 0.1 "
    "m;\n"
    "                    --rate R: scans a second (default 20);\n"
    "                    --duration: until the log ends\n"
    "  --picture FILE    with --carmen: a PNG of map, drive, walks and plans in the end\n"
    "  --list            print the scenarios, id first, one a line\n"
    "  --headless        do not draw; progress on stderr (also when stdout is no terminal)\n"
    "  --duration S      seconds; 0: until q (default 30, headless 12)\n"
    "  --seed N          of the world, the changes and the walks (default 1)\n"
    "  --size WxH        cells (default: the scenario's)\n"
    "  --agents N        1..1024 (default: the scenario's)\n"
    "  --rate R          changes a second (default: the scenario's)\n"
    "  --planner ID      for all agents (see replan planners; default: the daemon's)\n"
    "  --check-rate R    0..1, share of answers checked for optimality (default 0.1);\n"
    "                    every path is checked for legality\n"
    "  --report FILE     write a JSON report\n"
    "  --world NAME      name of the world at the daemon; replaces one of that name (default sim)\n"
    "  --control EP      the daemon's control socket (default " RP_CLIENT_CONTROL ")\n"
    "  --changes EP      publish changes there instead of sending them through control\n"
    "  --poses EP        publish poses there instead of sending them through control\n"
    "  --version, --help\n"
    "\n"
    "keys: tab the next agent, arrows scroll, f follow again, z zoom, space pause, q quit\n"
    "\n"
    "The last line says: checked N skipped N violations N.\n"
    "exit: 0 all answers held; 1 a violation, more than one answer and 1 % of them skipped, or a\n"
    "      law of the scenario was broken; 2 bad input; 3 the planner cannot do this world;\n"
    "      4 no daemon\n";

enum {
    OPTION_SCENARIO = 256,
    OPTION_CARMEN,
    OPTION_PICTURE,
    OPTION_LIST,
    OPTION_HEADLESS,
    OPTION_DURATION,
    OPTION_SEED,
    OPTION_SIZE,
    OPTION_AGENTS,
    OPTION_RATE,
    OPTION_PLANNER,
    OPTION_CHECK_RATE,
    OPTION_REPORT,
    OPTION_WORLD,
    OPTION_CONTROL,
    OPTION_CHANGES,
    OPTION_POSES,
    OPTION_VERSION,
    OPTION_HELP,
};

static const struct option table[] = {
    {"scenario", required_argument, NULL, OPTION_SCENARIO},
    {"carmen", required_argument, NULL, OPTION_CARMEN},
    {"picture", required_argument, NULL, OPTION_PICTURE},
    {"list", no_argument, NULL, OPTION_LIST},
    {"headless", no_argument, NULL, OPTION_HEADLESS},
    {"duration", required_argument, NULL, OPTION_DURATION},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"agents", required_argument, NULL, OPTION_AGENTS},
    {"rate", required_argument, NULL, OPTION_RATE},
    {"planner", required_argument, NULL, OPTION_PLANNER},
    {"check-rate", required_argument, NULL, OPTION_CHECK_RATE},
    {"report", required_argument, NULL, OPTION_REPORT},
    {"world", required_argument, NULL, OPTION_WORLD},
    {"control", required_argument, NULL, OPTION_CONTROL},
    {"changes", required_argument, NULL, OPTION_CHANGES},
    {"poses", required_argument, NULL, OPTION_POSES},
    {"version", no_argument, NULL, OPTION_VERSION},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

// ---- values

/// Print what is wrong. @return false
__attribute__((format(printf, 1, 2))) static bool refuse(const char *format, ...)
{
    va_list arguments;
    fputs("replan-sim: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return false;
}

static bool read_number(const char *name, const char *text, double least, double most,
                        double *value)
{
    char *end;
    errno = 0;
    const double number = strtod(text, &end);
    // Written so that a NaN is refused too.
    if (end == text || *end != '\0' || errno != 0 || !(number >= least && number <= most)) {
        return refuse("--%s %s: a number from %g to %g is needed", name, text, least, most);
    }
    *value = number;
    return true;
}

static bool read_whole(const char *name, const char *text, uint64_t least, uint64_t most,
                       uint64_t *value)
{
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number < least ||
        number > most) {
        return refuse("--%s %s: a whole number from %llu to %llu is needed", name, text,
                      (unsigned long long)least, (unsigned long long)most);
    }
    *value = number;
    return true;
}

static bool read_size(const char *text, rp_terrain_options_t *terrain)
{
    unsigned width = 0;
    unsigned height = 0;
    int read = 0;
    if (sscanf(text, "%5ux%5u%n", &width, &height, &read) != 2 || text[read] != '\0' ||
        width == 0 || height == 0 || width > RP_LIMIT_SIDE || height > RP_LIMIT_SIDE ||
        (uint64_t)width * height > RP_LIMIT_CELLS) {
        return refuse("--size %s: WxH in cells is needed, each at most %u, at most %u together",
                      text, RP_LIMIT_SIDE, RP_LIMIT_CELLS);
    }
    terrain->width = width;
    terrain->height = height;
    return true;
}

static bool read_scenario(const char *text, rp_scenario_t *scenario)
{
    const rp_scenario_t *found = rp_scenario_find(text);
    if (found == NULL) {
        return refuse("--scenario %s: there is none of that name; --list prints them", text);
    }
    *scenario = *found;
    return true;
}

/// The recorded drive takes the place of the scenario, and says how large the world is.
static bool read_carmen(rp_options_t *self, const char *path)
{
    rp_complaint_t complaint;
    rp_carmen_fini(&self->log);
    if (rp_carmen_load(path, &self->log, &complaint) != RP_OK) {
        return refuse("--carmen %s", complaint.sentence);
    }
    const rp_laser_map_t map = rp_laser_map_measure(&self->log, RP_SCENE_CARMEN_RESOLUTION);
    if (map.width > RP_LIMIT_SIDE || map.height > RP_LIMIT_SIDE ||
        (uint64_t)map.width * map.height > RP_LIMIT_CELLS) {
        return refuse("--carmen %s: the drive is %u x %u cells of %g m large, each side is at most "
                      "%u, at most %u together",
                      path, map.width, map.height, RP_SCENE_CARMEN_RESOLUTION, RP_LIMIT_SIDE,
                      RP_LIMIT_CELLS);
    }
    self->scenario = rp_scene_carmen;
    self->scenario.terrain.width = map.width;
    self->scenario.terrain.height = map.height;
    self->scenario.log = &self->log;
    return true;
}

static void print_list(void)
{
    for (size_t i = 0; rp_scenario_at(i) != NULL; i++) {
        printf("%-18s %s\n", rp_scenario_at(i)->id, rp_scenario_at(i)->about);
    }
}

// ---- the command line

static bool take_number(rp_options_t *self, int option, const char *value)
{
    rp_scenario_t *scenario = &self->scenario;
    uint64_t agents = scenario->agents;
    bool taken;
    switch (option) {
    case OPTION_DURATION:
        return read_number("duration", value, 0, 1e7, &self->duration_s);
    case OPTION_SEED:
        return read_whole("seed", value, 0, UINT64_MAX, &scenario->terrain.seed);
    case OPTION_SIZE:
        return scenario->log == NULL
                   ? read_size(value, &scenario->terrain)
                   : refuse("--size %s: the log says how large the world is", value);
    case OPTION_AGENTS:
        taken = read_whole("agents", value, 1, RP_SIMULATION_AGENTS_MAX, &agents);
        scenario->agents = (uint32_t)agents;
        return taken;
    case OPTION_RATE:
        return read_number("rate", value, 0, 100000, &scenario->rate);
    default:
        return read_number("check-rate", value, 0, 1, &self->check_rate);
    }
}

static bool take(rp_options_t *self, int option, const char *value)
{
    switch (option) {
    case OPTION_SCENARIO:
    case OPTION_CARMEN:
        return true; // taken first, as other options change it
    case OPTION_PICTURE:
        self->picture = value;
        return true;
    case OPTION_HEADLESS:
        self->is_headless = true;
        return true;
    case OPTION_PLANNER:
        self->planner = value;
        return true;
    case OPTION_REPORT:
        self->report = value;
        return true;
    case OPTION_WORLD:
        self->world = value;
        return true;
    case OPTION_CONTROL:
        self->control = value;
        return true;
    case OPTION_CHANGES:
        self->changes = value;
        return true;
    case OPTION_POSES:
        self->poses = value;
        return true;
    default:
        return take_number(self, option, value);
    }
}

/// The first pass: what ends the program at once, and the scenario that the rest changes.
static rp_options_verdict_t look_ahead(rp_options_t *self, int argc, char **argv)
{
    int option;
    optind = 1;
    while ((option = getopt_long(argc, argv, "", table, NULL)) != -1) {
        if (option == OPTION_HELP) {
            fputs(help, stdout);
            return RP_OPTIONS_DONE;
        }
        if (option == OPTION_VERSION) {
            puts("replan-sim " REPLAN_VERSION);
            return RP_OPTIONS_DONE;
        }
        if (option == OPTION_LIST) {
            print_list();
            return RP_OPTIONS_DONE;
        }
        if (option == '?' ||
            (option == OPTION_SCENARIO && !read_scenario(optarg, &self->scenario)) ||
            (option == OPTION_CARMEN && !read_carmen(self, optarg))) {
            return RP_OPTIONS_BAD;
        }
    }
    if (optind < argc) {
        refuse("%s: this program takes options only; --help lists them", argv[optind]);
        return RP_OPTIONS_BAD;
    }
    return RP_OPTIONS_RUN;
}

/// So many scans a second, until the log ends and its last answers are there.
static bool settle_pace(rp_options_t *self)
{
    rp_scenario_t *scenario = &self->scenario;
    if (scenario->rate <= 0) {
        return refuse("--rate %g: a log needs scans, more than 0 a second", scenario->rate);
    }
    scenario->steps = scenario->rate * RP_SCENE_CARMEN_STEPS;
    if (self->duration_s < 0) {
        self->duration_s = (double)scenario->log->count / scenario->rate + DURATION_AFTER_S;
        self->is_to_end = true;
    }
    return true;
}

rp_options_verdict_t rp_options_parse(rp_options_t *self, int argc, char **argv, bool has_terminal)
{
    *self = (rp_options_t){.control = RP_CLIENT_CONTROL,
                           .world = "sim",
                           .scenario = *rp_scenario_find(RP_SCENARIO_DEFAULT),
                           .duration_s = -1,
                           .check_rate = 0.1,
                           .is_headless = !has_terminal};
    const rp_options_verdict_t verdict = look_ahead(self, argc, argv);
    if (verdict != RP_OPTIONS_RUN) {
        return verdict;
    }
    self->scenario.terrain.seed = 1;
    int option;
    optind = 1;
    while ((option = getopt_long(argc, argv, "", table, NULL)) != -1) {
        if (!take(self, option, optarg)) {
            return RP_OPTIONS_BAD;
        }
    }
    if (self->picture != NULL && self->scenario.log == NULL) {
        refuse("--picture %s: only --carmen draws one", self->picture);
        return RP_OPTIONS_BAD;
    }
    if (self->scenario.log != NULL && !settle_pace(self)) {
        return RP_OPTIONS_BAD;
    }
    if (self->duration_s < 0) {
        self->duration_s = self->is_headless ? DURATION_HEADLESS_S : DURATION_VIEW_S;
    }
    return RP_OPTIONS_RUN;
}

void rp_options_fini(rp_options_t *self)
{
    rp_carmen_fini(&self->log);
}
