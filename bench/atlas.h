/// @file
/// Maps of a folder of the shared maps, by name.
#ifndef REPLAN_BENCH_ATLAS_H
#define REPLAN_BENCH_ATLAS_H

#include <stddef.h>

#include "files/map.h"

/// Files of one folder, by name.
typedef struct rp_atlas {
    char **paths; ///< owned, each owned [count]
    size_t count;
} rp_atlas_t;

/// The .map files of `folder` under `maps`; none when it is not there.
void rp_atlas_init(rp_atlas_t *self, const char *maps, const char *folder);
void rp_atlas_fini(rp_atlas_t *self);

/// The file's name without its folder.
const char *rp_atlas_name(const rp_atlas_t *self, size_t index);

/// @return false when the file is not a map (said on stderr)
bool rp_atlas_load(const rp_atlas_t *self, size_t index, rp_map_t *map);

#endif
