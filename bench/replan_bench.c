/// replan-bench: runs one suite, prints its table, writes its results.
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/measure/harness.h"
#include "bench/measure/simd_limit.h"
#include "bench/suites.h"
#include "replan/planner.h"

#define AGAINST_PROTOCOLS    "P1 static-4 static-8 P2 P3 P4 P4-8 batch-4 batch-8 P5"
#define BEYOND_PROTOCOLS     AGAINST_PROTOCOLS " first gppc peers"
#define MESSAGES_PROTOCOLS   "small huge"
#define SCALE_WIRE_PROTOCOLS "armies crowd"
#define SCALE_PROTOCOLS      "army own-goals lost robot-1000 robot-4096 storm"

static const rp_bench_suite_t suites[] = {
    {"fsa-table1", "Fringe-Saving A*, table 1: churn near the goal", rp_bench_fsa_table1, NULL,
     NULL},
    {"gaa-table1", "Generalized Adaptive A*, table 1: stationary target, unknown maze",
     rp_bench_gaa_table1, NULL, NULL},
    {"gaa-table2", "Generalized Adaptive A*, table 2: moving target, changing maze",
     rp_bench_gaa_table2, NULL, NULL},
    {"fringe-table1", "Fringe Search, table 1: game maps, impassable obstacles",
     rp_bench_fringe_table1, "replan-bench-octiles", NULL},
    {"fringe-table2", "Fringe Search, table 2: game maps, obstacles that cost threefold",
     rp_bench_fringe_table2, "replan-bench-octiles", NULL},
    {"open-lists", "OPEN as heap and as buckets, by size", rp_bench_open_lists, NULL, NULL},
    {"maps", "every family of the shared maps, unchanged", rp_bench_maps, NULL, NULL},
    {"motion", "curves that a vehicle can drive", rp_bench_motion, NULL, NULL},
    {"beyond", "every protocol, every planner, and the bounds", rp_bench_beyond, NULL,
     BEYOND_PROTOCOLS},
    {"simd", "every planner with wide instructions and without, in turns", rp_bench_simd, NULL,
     NULL},
    {"against", "beyond, played by an older build and by this one in turns", rp_bench_against, NULL,
     AGAINST_PROTOCOLS},
    {"scale", "armies and robots on the engine, without sockets", rp_bench_scale, NULL,
     SCALE_PROTOCOLS},
    {"slices", "the longest call of each kind to an engine on 4096 x 4096", rp_bench_slices, NULL,
     NULL},
    {"messages", "the longest step of a daemon for the largest message of each kind",
     rp_bench_messages, NULL, MESSAGES_PROTOCOLS},
    {"rotation", "how long a new generation of a state blocks the serving thread",
     rp_bench_rotation, NULL, NULL},
    {"scale-wire", "armies over tcp: daemon and clients as processes of their own",
     rp_bench_scale_wire, NULL, SCALE_WIRE_PROTOCOLS},
    {"first", "create a world, open an agent, its path: over tcp, in a fresh daemon",
     rp_bench_first, NULL, NULL},
    {"answers", "10,000 agents get new goals by one order: their answers, over tcp",
     rp_bench_answers, NULL, NULL},
    {"workers", "one event log, played by 0, 1 and 2 workers", rp_bench_workers, NULL, NULL},
    {"e2e", "change to path over tcp, compared with a ZeroMQ relay of the same bytes", rp_bench_e2e,
     NULL, NULL},
};

const rp_bench_suite_t *rp_bench_suite(size_t index)
{
    return index < sizeof suites / sizeof suites[0] ? &suites[index] : NULL;
}

static const char help[] =
    "usage: replan-bench SUITE [--quick] [--seed N] [--worlds N] [--rows N] [--contender NAME]\n"
    "                    [--planner ID] [--protocol NAME]\n"
    "                    [--maps DIR] [--json FILE] [--resume FILE] [--simd LEVEL]\n"
    "       replan-bench against BUILD [--quick] [--seed N] [--worlds N] [--rows N] [--planner "
    "ID]\n"
    "                    [--protocol NAME] [--maps DIR] [--json FILE]\n"
    "       replan-bench --list\n"
    "Runs a suite: all contenders play the same instances in turns, and every cost is checked.\n"
    "Tables go to stdout as Markdown, progress to stderr.\n"
    "BUILD is the build folder of another commit, or its replan-bench.\n"
    "\n"
    "  --quick            a small version of the suite\n"
    "  --seed N           seed of the instances (default 1)\n"
    "  --worlds N         worlds for each row, in place of the suite's own number (for e2e:\n"
    "                     blocks of changes; for messages: plays)\n"
    "  --rows N           only the first N rows of each table, or the first N maps\n"
    "  --contender NAME   only this contender of a table, beside the first\n"
    "  --planner ID       the planner of suites that measure one (against, e2e; default auto);\n"
    "                     for beyond: only this one, beside A*\n"
    "  --protocol NAME    only one protocol of beyond, or of against without the last three\n"
    "                     (" BEYOND_PROTOCOLS ")\n"
    "                     or one case of scale (" SCALE_PROTOCOLS ")\n"
    "                     or some of scale-wire (" SCALE_WIRE_PROTOCOLS ")\n"
    "                     or one page size of messages (" MESSAGES_PROTOCOLS ")\n"
    "  --simd LEVEL       instructions that planners in this process may use: none, avx2\n"
    "                     (default: all that the machine has)\n"
    "  --maps DIR         the shared maps (default $REPLAN_MAPS, else ../shared/maps)\n"
    "  --json FILE        results with commit, compiler, CPU and seed\n"
    "  --resume FILE      keep finished worlds in FILE, and skip those that are there\n"
    "  --list             the suites, id first\n"
    "  --help             this text\n"
    "\n"
    "Exit codes: 0 fine, 1 a cost differs or a bound is missed, 2 bad input.\n"
    "Example: replan-bench e2e --quick --json e2e.json\n";

// ---- what is refused before anything is measured

static bool read_number(const char *name, const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || *number > most) {
        fprintf(stderr, "replan-bench: --%s \"%s\" is not a number of 0..%" PRIu64 "\n", name, text,
                most);
        return false;
    }
    return true;
}

static bool read_count(const char *name, const char *text, uint32_t *count)
{
    uint64_t number;
    const bool is_fine = read_number(name, text, UINT32_MAX, &number);
    *count = is_fine ? (uint32_t)number : *count;
    return is_fine;
}

/// Is this one of these words, which are apart by spaces?
static bool is_among(const char *word, const char *words)
{
    const size_t length = strlen(word);
    for (const char *at = words; *at != '\0'; at += strspn(at, " ")) {
        const size_t own = strcspn(at, " ");
        if (own == length && strncmp(at, word, own) == 0) {
            return true;
        }
        at += own;
    }
    return false;
}

/// Would the results of a long run be lost in the end? What is in the file stays.
static bool can_write(const char *path)
{
    FILE *file = fopen(path, "a");
    if (file == NULL) {
        fprintf(stderr, "replan-bench: --json %s: %s\n", path, strerror(errno));
    }
    return file != NULL && fclose(file) == 0;
}

/// True when a suite measures programs that it starts: what they may use is not limited here.
static bool starts_programs(const rp_bench_suite_t *suite)
{
    return suite->run == rp_bench_against || suite->run == rp_bench_scale_wire ||
           suite->run == rp_bench_first || suite->run == rp_bench_answers ||
           suite->run == rp_bench_e2e;
}

static bool is_playable(const rp_bench_suite_t *suite, const rp_bench_options_t *options)
{
    const bool wants_build = suite->run == rp_bench_against;
    if ((options->build != NULL) != wants_build) {
        fprintf(stderr, "replan-bench: %s %s\n", suite->name,
                wants_build ? "BUILD: no build is named" : "takes no further word");
        return false;
    }
    if (options->planner != NULL && rp_planner_find(options->planner) == NULL) {
        fprintf(stderr, "replan-bench: --planner %s: there is none of that name\n",
                options->planner);
        return false;
    }
    if (options->protocol != NULL && suite->protocols == NULL) {
        fprintf(stderr, "replan-bench: --protocol: %s has none\n", suite->name);
        return false;
    }
    if (options->protocol != NULL && !is_among(options->protocol, suite->protocols)) {
        fprintf(stderr, "replan-bench: --protocol %s: %s has %s\n", options->protocol, suite->name,
                suite->protocols);
        return false;
    }
    if (options->simd != NULL && starts_programs(suite)) {
        fprintf(stderr, "replan-bench: --simd: %s measures programs of its own\n", suite->name);
        return false;
    }
    return options->json == NULL || can_write(options->json);
}

// ---- suites

static int list(void)
{
    for (size_t i = 0; rp_bench_suite(i) != NULL; i++) {
        printf("%-16s %s\n", rp_bench_suite(i)->name, rp_bench_suite(i)->about);
    }
    return 0;
}

static int write_results(const cJSON *results, const char *path)
{
    char *text = cJSON_Print(results);
    FILE *file = text != NULL ? fopen(path, "w") : NULL;
    const bool is_written = file != NULL && fputs(text, file) >= 0 && fputc('\n', file) >= 0;
    if (file != NULL && fclose(file) != 0) {
        perror(path);
    }
    cJSON_free(text);
    if (!is_written) {
        fprintf(stderr, "replan-bench: cannot write %s\n", path);
        return 2;
    }
    return 0;
}

/// Become the program beside this one that can run the suite: it has other lengths of steps.
static int run_by(const char *program, char **argv)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64u);
    if (length > 0) {
        path[length] = '\0';
        (void)snprintf(strrchr(path, '/') + 1, 64, "%s", program);
        execv(path, argv);
    }
    perror(program);
    return 2;
}

static bool is_this_program(const char *program)
{
    return program == NULL || strcmp(program, REPLAN_BENCH_PROGRAM) == 0;
}

static int run(const char *name, const rp_bench_options_t *options, char **argv)
{
    for (size_t i = 0; rp_bench_suite(i) != NULL; i++) {
        const rp_bench_suite_t *suite = rp_bench_suite(i);
        if (strcmp(suite->name, name) != 0) {
            continue;
        }
        if (!is_this_program(suite->program)) {
            return run_by(suite->program, argv);
        }
        if (!is_playable(suite, options)) {
            return 2;
        }
        cJSON *results = rp_bench_header(name, options);
        const rp_bench_host_t before = rp_bench_host();
        const double load = rp_bench_load();
        int code = suite->run(options, results);
        const double stolen = rp_bench_stolen_percent(before);
        fprintf(stderr, "replan-bench: the host took %.1f %% of the time that was wanted\n",
                stolen);
        cJSON_AddNumberToObject(results, "stolen_percent", stolen);
        cJSON_AddNumberToObject(results, "load_before", load);
        if (options->json != NULL && code != 2 && write_results(results, options->json) != 0) {
            code = 2;
        }
        cJSON_Delete(results);
        return code;
    }
    fprintf(stderr, "replan-bench: there is no suite \"%s\"; see --list\n", name);
    return 2;
}

/// Use no wider instructions than these. @return false when there are none such (said)
static bool limit_simd(rp_bench_options_t *options, const char *name)
{
    rp_simd_t simd;
    if (!rp_simd_limit_find(name, &simd)) {
        fprintf(stderr, "replan-bench: --simd \"%s\" is none of: none, avx2\n", name);
        return false;
    }
    if (!rp_simd_limit_set(simd)) {
        fprintf(stderr, "replan-bench: --simd %s: this machine does not have it\n", name);
        return false;
    }
    options->simd = rp_simd_limit_name(simd);
    return true;
}

/// What take_option() found.
enum {
    GO_ON = -1,
    BAD_INPUT = 2,
};

/// Take one option in. @return GO_ON, or what to exit with
static int take_option(rp_bench_options_t *options, int flag)
{
    bool is_fine = true;
    switch (flag) {
    case 'l':
        return list();
    case 'h':
        fputs(help, stdout);
        return 0;
    case 'q':
        options->quick = true;
        break;
    case 's':
        is_fine = read_number("seed", optarg, UINT64_MAX, &options->seed);
        break;
    case 'j':
        options->json = optarg;
        break;
    case 'p':
        options->planner = optarg;
        break;
    case 'c':
        options->protocol = optarg;
        break;
    case 'w':
        is_fine = read_count("worlds", optarg, &options->worlds);
        break;
    case 'o':
        is_fine = read_count("rows", optarg, &options->rows);
        break;
    case 'n':
        options->contender = optarg;
        break;
    case 'i':
        is_fine = limit_simd(options, optarg);
        break;
    case 'm':
        options->maps = optarg;
        break;
    case 'r':
        options->resume = optarg;
        break;
    default:
        fputs("replan-bench: --help says what there is\n", stderr);
        is_fine = false;
    }
    return is_fine ? GO_ON : BAD_INPUT;
}

int main(int argc, char **argv)
{
    static const struct option flags[] = {
        {"list", no_argument, NULL, 'l'},          {"quick", no_argument, NULL, 'q'},
        {"seed", required_argument, NULL, 's'},    {"json", required_argument, NULL, 'j'},
        {"planner", required_argument, NULL, 'p'}, {"protocol", required_argument, NULL, 'c'},
        {"worlds", required_argument, NULL, 'w'},  {"maps", required_argument, NULL, 'm'},
        {"resume", required_argument, NULL, 'r'},  {"simd", required_argument, NULL, 'i'},
        {"rows", required_argument, NULL, 'o'},    {"contender", required_argument, NULL, 'n'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
    };
    const char *maps = getenv("REPLAN_MAPS");
    rp_bench_options_t options = {.seed = 1, .maps = maps != NULL ? maps : "../shared/maps"};
    int code = GO_ON;
    int flag;
    while (code == GO_ON && (flag = getopt_long(argc, argv, "", flags, NULL)) != -1) {
        code = take_option(&options, flag);
    }
    if (code == GO_ON && (optind >= argc || optind + 2 < argc)) {
        fputs(help, stderr);
        code = BAD_INPUT;
    }
    options.build = optind + 2 == argc ? argv[optind + 1] : NULL;
    return code == GO_ON ? run(argv[optind], &options, argv) : code;
}
