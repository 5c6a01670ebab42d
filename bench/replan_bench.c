/// replan-bench: runs one suite, prints its table, writes its results.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness.h"
#include "bench/suites.h"

static const rp_bench_suite_t suites[] = {
    {"e2e", "change to path over tcp, against a ZeroMQ relay of the same bytes", rp_bench_e2e},
};

const rp_bench_suite_t *rp_bench_suite(size_t index)
{
    return index < sizeof suites / sizeof suites[0] ? &suites[index] : NULL;
}

static const char help[] =
    "usage: replan-bench SUITE [--quick] [--seed N] [--planner ID] [--json FILE]\n"
    "       replan-bench --list\n"
    "Runs a suite: same instances for all contenders, taking turns, every cost checked.\n"
    "\n"
    "  --quick      a small form of it\n"
    "  --seed N     other instances (default 1)\n"
    "  --planner ID the planner of suites that measure one (e2e; default dstar-lite)\n"
    "  --json FILE  results with commit, compiler, CPU and seed\n"
    "  --list       the suites, id first\n"
    "\n"
    "Exit codes: 0 fine, 1 a cost or a bound does not hold, 2 bad input.\n"
    "Example: replan-bench e2e --quick --json e2e.json\n";

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

static int run(const char *name, const rp_bench_options_t *options)
{
    for (size_t i = 0; rp_bench_suite(i) != NULL; i++) {
        const rp_bench_suite_t *suite = rp_bench_suite(i);
        if (strcmp(suite->name, name) != 0) {
            continue;
        }
        cJSON *results = rp_bench_header(name, options);
        int code = suite->run(options, results);
        if (options->json != NULL && code != 2 && write_results(results, options->json) != 0) {
            code = 2;
        }
        cJSON_Delete(results);
        return code;
    }
    fprintf(stderr, "replan-bench: there is no suite \"%s\"; see --list\n", name);
    return 2;
}

int main(int argc, char **argv)
{
    static const struct option flags[] = {
        {"list", no_argument, NULL, 'l'},
        {"quick", no_argument, NULL, 'q'},
        {"seed", required_argument, NULL, 's'},
        {"json", required_argument, NULL, 'j'},
        {"planner", required_argument, NULL, 'p'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    rp_bench_options_t options = {.seed = 1};
    int flag;
    while ((flag = getopt_long(argc, argv, "", flags, NULL)) != -1) {
        switch (flag) {
        case 'l':
            return list();
        case 'q':
            options.quick = true;
            break;
        case 's':
            options.seed = strtoull(optarg, NULL, 10);
            break;
        case 'j':
            options.json = optarg;
            break;
        case 'p':
            options.planner = optarg;
            break;
        case 'h':
            fputs(help, stdout);
            return 0;
        default:
            fputs(help, stderr);
            return 2;
        }
    }
    if (optind + 1 != argc) {
        fputs(help, stderr);
        return 2;
    }
    return run(argv[optind], &options);
}
