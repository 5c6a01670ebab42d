/// @file
/// Subcommands of `replan`: one file each, listed in replan.c; and their exit codes.
#ifndef REPLAN_TOOLS_COMMANDS_H
#define REPLAN_TOOLS_COMMANDS_H

/// What the program says by its exit code.
enum rp_exit {
    RP_EXIT_FINE = 0,
    RP_EXIT_DIFFERS = 1,     ///< a check differs
    RP_EXIT_INPUT = 2,       ///< bad input: arguments, or a file with its line
    RP_EXIT_UNSUPPORTED = 3, ///< this planner cannot do that
    RP_EXIT_NO_DAEMON = 4,
};

/// Each is called with its own arguments, argv[0] being "replan NAME".
/// @return one of enum rp_exit; what is wrong was said on stderr
int rp_solve_main(int argc, char **argv);
int rp_run_main(int argc, char **argv);
int rp_planners_main(int argc, char **argv);
int rp_map_main(int argc, char **argv);
int rp_draw_main(int argc, char **argv);
int rp_watch_main(int argc, char **argv);
int rp_view_main(int argc, char **argv);
int rp_ctl_main(int argc, char **argv);
int rp_doctor_main(int argc, char **argv);
int rp_load_main(int argc, char **argv);
int rp_cheat_main(int argc, char **argv);
int rp_state_main(int argc, char **argv);
int rp_record_main(int argc, char **argv);
int rp_replay_costmap_main(int argc, char **argv);

#endif
