/// @file
/// Saves maps for the subcommands, and prints warnings about it.
#ifndef REPLAN_TOOLS_SAVE_MAP_H
#define REPLAN_TOOLS_SAVE_MAP_H

#include "files/save.h"

/// Write a map in the format of its suffix. Says on stderr when some cells are not what they were.
/// @param what  put before a sentence: the program and its option
/// @return RP_EXIT_FINE, or RP_EXIT_INPUT after saying why
int rp_save_map(const char *what, const char *path, const rp_map_view_t *map);

#endif
