/// @file
/// The command line of repland: flags, and the file that one of them names. Flags win.
#ifndef REPLAN_DAEMON_COMMAND_LINE_H
#define REPLAN_DAEMON_COMMAND_LINE_H

#include "daemon/config.h"

typedef enum rp_command_line {
    RP_COMMAND_LINE_RUN,  ///< go on
    RP_COMMAND_LINE_DONE, ///< --help or --version were printed
    RP_COMMAND_LINE_BAD,  ///< the error was printed to stderr
} rp_command_line_t;

/// @param config  written; to be ended by rp_config_fini() in any case
rp_command_line_t rp_command_line_read(int argc, char **argv, rp_config_t *config);

#endif
