/// @file
/// Reads a map file for CreateWorld: MovingAI .map, PNG, PGM, rows of `.` and `#`, or the YAML of a
/// map_server with its picture. repland and replan use the same reader.
///
///     rp_map_file_t map;
///     if (rp_map_file_read("hall.yaml", &map) != RP_CLIENT_OK) {
///         fprintf(stderr, "%s\n", map.sentence);
///     }
///     create.world = (char *)"hall";
///     rp_map_file_describe(&map, &create);
///     ... rp_client_call() ...
///     rp_map_file_fini(&map);
#ifndef REPLAN_MAP_FILE_H
#define REPLAN_MAP_FILE_H

#include "replan/client.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rp_map_file {
    Replan__V1__Geometry geometry; ///< sides in cells, resolution, origin
    const char *profile;           ///< "factor", or "costmap" of a YAML; static text
    uint8_t *bytes;                ///< owned; row by row [width * height]
    char sentence[512];            ///< why the file was refused, with line or byte
} rp_map_file_t;

/// Read a file, and the picture that a YAML names. `-` is the standard input.
/// @param map  on failure only its sentence counts, and nothing is to be freed
/// @return RP_CLIENT_E_INVALID (cannot be read, or is no map), RP_CLIENT_E_MEMORY
rp_client_status_t rp_map_file_read(const char *path, rp_map_file_t *map);

/// Fill in geometry, profile and data of a request; they are borrowed from the map.
void rp_map_file_describe(rp_map_file_t *self, Replan__V1__CreateWorld *create);

/// Accepts NULL, and a map that was not read.
void rp_map_file_fini(rp_map_file_t *self);

#ifdef __cplusplus
}
#endif

#endif
