/// Makes traces out of the queries of .scen files.
#include "bench/static_suite.h"

#include <stdio.h>

#include "files/load.h"

const char *const rp_families[RP_FAMILIES] = {"bg2",   "dao", "mazes",  "random",
                                              "rooms", "sc1", "street", "wc3"};

static bool is_searchable(const rp_grid_t *grid, const rp_scen_query_t *query)
{
    const rp_cell_t start = rp_grid_cell(grid, query->start_x, query->start_y);
    const rp_cell_t goal = rp_grid_cell(grid, query->goal_x, query->goal_y);
    return start != goal && grid->factor[start] != 0 && grid->factor[goal] != 0 &&
           !rp_scen_query_has_no_path(query);
}

static void add_queries(const rp_scen_t *scen, unsigned queries, rp_trace_t *trace)
{
    rp_grid_t *grid = rp_trace_grid(trace);
    for (unsigned i = 0; i < queries; i++) {
        size_t place = (size_t)((2.0 * i + 1.0) * (double)scen->count / (2.0 * queries));
        while (place < scen->count && !is_searchable(grid, &scen->queries[place])) {
            place++;
        }
        if (place < scen->count) {
            const rp_scen_query_t *query = &scen->queries[place];
            rp_trace_step(trace, rp_grid_cell(grid, query->start_x, query->start_y),
                          rp_grid_cell(grid, query->goal_x, query->goal_y), 0);
        }
    }
    rp_grid_destroy(&grid);
}

bool rp_static_trace(const rp_map_set_t *maps, size_t index, uint8_t neighbors, unsigned queries,
                     rp_trace_t *trace)
{
    rp_map_t map;
    if (!rp_map_set_load(maps, index, &map)) {
        return false;
    }
    const rp_grid_shape_t shape = {map.width, map.height, neighbors, false, 1, 1};
    rp_trace_init(trace, &shape, map.bytes);
    trace->warms_up = true;
    char path[4096];
    (void)snprintf(path, sizeof path, "%s.scen", maps->paths[index]);
    rp_complaint_t complaint;
    rp_scen_t scen;
    const bool is_read = rp_scen_load(path, map.width, map.height, &scen, &complaint) == RP_OK;
    if (is_read) {
        add_queries(&scen, queries, trace);
        rp_scen_fini(&scen);
    } else {
        fprintf(stderr, "replan-bench: %s\n", complaint.sentence);
        rp_trace_fini(trace);
    }
    rp_map_fini(&map);
    return is_read;
}
