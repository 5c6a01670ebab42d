/// @file
/// C interface of the Grid-Based Path Planning Competition, dynamic track, which its runner calls
/// and libGPPCentry.so implements. 8 neighbours without corner cutting.
#ifndef REPLAN_GPPC_H
#define REPLAN_GPPC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gppc_point {
    uint16_t x, y;
};

/// A path from start to goal; it may list turning points only.
struct gppc_path {
    const struct gppc_point *path; ///< ours until the next call with the same data [length]
    uint32_t length;               ///< 0: no path
    uint8_t incomplete;            ///< 1: call gppc_get_path() again for more; never said here
};

/// A piece of a map, or all of it.
struct gppc_patch {
    const uint8_t *bitarray; ///< row by row without gaps, least bit first, 1 = passable
    uint16_t width, height;
    struct gppc_point pos; ///< of its upper left cell in the map
};

#if defined(__GNUC__)
#define GPPC_API __attribute__((visibility("default")))
#else
#define GPPC_API
#endif

/// Nothing is prepared ahead: the map will change.
GPPC_API void gppc_preprocess_init_map(struct gppc_patch init_map, const char *filename);

/// @param active_map  its bits are borrowed until gppc_free_data(); the caller changes them
/// @return NULL without memory
GPPC_API void *gppc_search_init(struct gppc_patch active_map, const char *filename);

/// The active map was rewritten in these rectangles. Time: O(tiles of 64 x 64 touched), and the
/// regions anew.
/// @param changes  only where they lie is read: the active map holds what is true [count]
GPPC_API void gppc_map_change(void *data, const struct gppc_patch *changes, uint32_t count);

/// The shortest path. An end that blocks or lies outside has none.
GPPC_API struct gppc_path gppc_get_path(void *data, struct gppc_point start,
                                        struct gppc_point goal);

GPPC_API void gppc_free_data(void *data);

GPPC_API const char *gppc_get_name(
#ifndef __cplusplus
    void
#endif
);

#ifdef __cplusplus
}
#endif

#endif
