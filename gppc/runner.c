/// gppc-runner: drives libGPPCentry.so through a dynamic .scen, as the competition's runner does.
///
///     gppc-runner check SCEN    every path walked cell by cell, every length compared
///     gppc-runner run SCEN      thread CPU time by kind of call
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gppc/drive.h"
#include "gppc/gppc.h"

static void print_calls(const char *name, const rp_drive_calls_t *calls)
{
    if (calls->count != 0) {
        printf("%-8s %6" PRIu64 "  mean %9.3f us  greatest %9.1f us\n", name, calls->count,
               (double)calls->total_ns * 1e-3 / (double)calls->count,
               (double)calls->greatest_ns * 1e-3);
    }
}

static const char help[] = "usage: gppc-runner check|run FILE.scen\n"
                           "\n"
                           "Drive libGPPCentry.so through a dynamic .scen (version 2) of the\n"
                           "Grid-Based Path Planning Competition.\n"
                           "\n"
                           "  check   walk every path, compare every length with the recorded one\n"
                           "  run     thread CPU time of changes, paths, and queries without one\n"
                           "\n"
                           "exit codes: 0 fine, 1 a length differs, 2 bad input\n";

int main(int argc, char **argv)
{
    if (argc != 3 || (strcmp(argv[1], "check") != 0 && strcmp(argv[1], "run") != 0)) {
        fputs(help, argc == 2 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
        return argc == 2 && strcmp(argv[1], "--help") == 0 ? 0 : 2;
    }
    const bool is_check = strcmp(argv[1], "check") == 0;
    rp_drive_report_t report;
    if (rp_drive(argv[2], is_check, &report) != RP_OK) {
        return 2;
    }
    printf("%s: init %.1f us\n", gppc_get_name(), (double)report.init_ns * 1e-3);
    print_calls("change", &report.changes);
    print_calls("path", &report.found);
    print_calls("no path", &report.no_path);
    if (is_check) {
        printf("checked %" PRIu64 ", differ %" PRIu64 "\n", report.plan_count, report.differ);
    }
    return report.differ != 0 ? 1 : 0;
}
