/// @file
/// Maps of a folder of the shared maps, by name.
#ifndef REPLAN_BENCH_MEASURE_MAP_SET_H
#define REPLAN_BENCH_MEASURE_MAP_SET_H

#include <stddef.h>

#include "files/map.h"

/// Files of one folder, by name.
typedef struct rp_map_set {
    char **paths; ///< owned, each owned [count]
    size_t count;
} rp_map_set_t;

/// The .map files of `folder` under `maps`; none when it is not there.
void rp_map_set_init(rp_map_set_t *self, const char *maps, const char *folder);
void rp_map_set_fini(rp_map_set_t *self);

/// The file's name without its folder.
const char *rp_map_set_name(const rp_map_set_t *self, size_t index);

/// @return false when the file is not a map (said on stderr)
bool rp_map_set_load(const rp_map_set_t *self, size_t index, rp_map_t *map);

#endif
