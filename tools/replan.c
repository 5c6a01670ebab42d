/// The command line: looks the subcommand up and hands it its arguments.
#include <stdio.h>
#include <string.h>

#include "tools/commands.h"

typedef struct rp_subcommand {
    const char *name;
    const char *full_name; ///< argv[0] of the subcommand: what its messages begin with
    const char *summary;
    int (*main)(int argc, char **argv);
} rp_subcommand_t;

static const rp_subcommand_t commands[] = {
    {"solve", "replan solve", "solve the queries of a MovingAI map and check their lengths",
     rp_solve_main},
    {"run", "replan run", "replay changes and plans, a GPPC dynamic .scen or a replan-script",
     rp_run_main},
    {"planners", "replan planners", "list the planners and what they can do", rp_planners_main},
    {"map", "replan map", "describe, draw, convert or make a map", rp_map_main},
    {"draw", "replan draw",
     "draw a world, a search in it, curves and what vehicles sweep, as SVG or PNG", rp_draw_main},
    {"watch", "replan watch", "print an agent's answers, or mirror a world, as a daemon sends them",
     rp_watch_main},
    {"view", "replan view", "show a world in the terminal: agents, paths, and why paths turn",
     rp_view_main},
    {"ctl", "replan ctl", "send a request to a daemon: worlds, changes, agents, counters",
     rp_ctl_main},
    {"doctor", "replan doctor", "say what is wrong with a daemon and its machine, in sentences",
     rp_doctor_main},
    {"load", "replan load", "put load on a daemon, measure changes a second and change to path",
     rp_load_main},
    {"cheat", "replan cheat", "print twelve lines to paste into a shell", rp_cheat_main},
    {"state", "replan state", "check, show or move a folder of `repland --state`", rp_state_main},
    {"record", "replan record", "record what happens in worlds, for Foxglove", rp_record_main},
    {"replay-costmap", "replan replay-costmap", "play a robot's recorded costmaps into a world",
     rp_replay_costmap_main},
};
#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void print_help(FILE *stream)
{
    fputs("usage: replan COMMAND [OPTION...]\n       replan --help | --version\n\ncommands:\n",
          stream);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(stream, "  %-14s %s\n", commands[i].name, commands[i].summary);
    }
    fputs("\n`replan COMMAND --help` explains a command, `replan --version` prints the version.\n"
          "exit codes: 0 fine, 1 a check differs, 2 bad input, 3 not supported by this planner,\n"
          "4 no daemon\n",
          stream);
}

static const rp_subcommand_t *find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

/// A full disk or a closed pipe is found out here, once for all subcommands.
static int finish(int code)
{
    const int is_lost = fflush(stdout) != 0 || ferror(stdout) != 0;
    if (is_lost) {
        perror("replan: cannot write the output");
    }
    return is_lost ? RP_EXIT_INPUT : code;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return finish(RP_EXIT_FINE);
    }
    if (strcmp(name, "--version") == 0) {
        puts("replan " REPLAN_VERSION);
        return finish(RP_EXIT_FINE);
    }
    const rp_subcommand_t *command = find(name);
    if (command == NULL) {
        if (argc > 1) {
            fprintf(stderr, "replan: there is no command \"%s\"\n", name);
        }
        print_help(stderr);
        return RP_EXIT_INPUT;
    }
    argv[1] = (char *)command->full_name;
    return finish(command->main(argc - 1, argv + 1));
}
