/// @file
/// The YAML file of a configuration. For command_line.c alone.
#ifndef REPLAN_DAEMON_CONFIG_FILE_H
#define REPLAN_DAEMON_CONFIG_FILE_H

#include "daemon/config.h"

/// Take in what a file says; what it leaves out stays.
/// @return false when there is no such file or it is wrong: stderr was told where
bool rp_config_file_read(rp_config_t *config, const char *path);

#endif
