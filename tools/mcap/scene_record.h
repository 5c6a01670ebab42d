/// @file
/// One world as Foxglove's panels show it, and as it came: what a watch of a daemon says becomes
/// messages of a recording. Topics of a world: `/WORLD/grid` (at most two a second), `/WORLD/scene`
/// (paths, and cells that changed), `/WORLD/agents` (where their newest paths begin), `/WORLD/log`
/// (outcomes and their reasons), and
/// `/WORLD/replan`, the wire's own ToClient, with a snapshot every ten seconds.
#ifndef REPLAN_TOOLS_MCAP_SCENE_RECORD_H
#define REPLAN_TOOLS_MCAP_SCENE_RECORD_H

#include "replan/mirror.h"
#include "tools/mcap/mcap_write.h"

#define RP_SCENE_GRID_NS     UINT64_C(500000000) ///< between two grids, and between two lists of agents
#define RP_SCENE_SNAPSHOT_NS UINT64_C(10000000000) ///< between two snapshots
#define RP_SCENE_CUBES_MAX   1000u                 ///< changed cells that are drawn one by one
#define RP_SCENE_TOPICS      5u                    ///< of a world

/// The types of the recording, once for all worlds.
typedef struct rp_scene_types {
    uint16_t grid, scene, poses, log, wire;
} rp_scene_types_t;

rp_scene_types_t rp_scene_types_of(rp_mcap_writer_t *writer);

typedef struct rp_scene_record rp_scene_record_t;

/// @param writer, world  borrowed until the end
/// @return NULL without memory
rp_scene_record_t *rp_scene_record_new(rp_mcap_writer_t *writer, const rp_scene_types_t *types,
                                       const char *world);

/// Accepts NULL.
void rp_scene_record_destroy(rp_scene_record_t **self);

/// The world is gone. Its topics stay for the next one of its name; what is in memory of it is let
/// go.
void rp_scene_record_rest(rp_scene_record_t *self);

/// Take what a client polled of the world's watch, which is one with map, follows and bends.
/// @param now_ns  since 1970
/// @return false when the mirror needs another watch
bool rp_scene_record_take(rp_scene_record_t *self, const rp_client_event_t *event, uint64_t now_ns);

/// Write the grid and the snapshot that are due. Cheap when none is.
void rp_scene_record_tick(rp_scene_record_t *self, uint64_t now_ns);

#endif
