#include "bench/motion_worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/harness.h"
#include "files/load.h"

#define SIDE 1000u

rp_grid_t *rp_motion_world_of_rectangles(uint64_t seed)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = 8, .unit = 1, .least = 1};
    uint8_t *factors = rp_bench_memory(NULL, SIDE, SIDE);
    rp_grid_t *grid = NULL;
    uint32_t blocked = 0;
    memset(factors, 1, (size_t)SIDE * SIDE);
    while (blocked < SIDE * SIDE / 4u) {
        const uint32_t width = 3u + rp_bench_below(&seed, 23);
        const uint32_t height = 3u + rp_bench_below(&seed, 23);
        const uint32_t left = rp_bench_below(&seed, SIDE - width);
        const uint32_t top = rp_bench_below(&seed, SIDE - height);
        for (uint32_t y = top; y < top + height; y++) {
            for (uint32_t x = left; x < left + width; x++) {
                blocked += factors[y * SIDE + x];
                factors[y * SIDE + x] = 0;
            }
        }
    }
    if (rp_grid_new(&shape, &grid) == RP_OK) {
        rp_grid_fill(grid, factors);
    }
    free(factors);
    return grid;
}

rp_grid_t *rp_motion_world_of_map(const char *maps, const char *name)
{
    char path[4096];
    rp_map_t map;
    rp_complaint_t complaint;
    rp_grid_t *grid = NULL;
    (void)snprintf(path, sizeof path, "%s/%s", maps, name);
    if (rp_map_load(path, &map, &complaint) != RP_OK) {
        fprintf(stderr, "replan-bench: motion leaves out %s\n", complaint.sentence);
        return NULL;
    }
    const rp_grid_shape_t shape = {
        .width = map.width, .height = map.height, .neighbors = 8, .unit = 1, .least = 1};
    for (size_t i = 0; i < (size_t)map.width * map.height; i++) {
        map.bytes[i] = rp_map_factor(map.profile, map.bytes[i]) != 0;
    }
    if (rp_grid_new(&shape, &grid) == RP_OK) {
        rp_grid_fill(grid, map.bytes);
    }
    rp_map_fini(&map);
    return grid;
}
