/// @file
/// Saves a map to a file, in the format of the name's suffix (map_write.h).
#ifndef REPLAN_FILES_SAVE_H
#define REPLAN_FILES_SAVE_H

#include "files/map_write.h"

/// Write the map, and beside a YAML its picture; files that are there are replaced.
/// @param map  borrowed until return
/// @return RP_E_INVALID or RP_E_MEMORY with a complaint; what was written up to then stays
rp_status_t rp_map_save(const char *path, const rp_map_view_t *map, rp_complaint_t *complaint);

#endif
