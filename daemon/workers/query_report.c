/// Memory of query reports, and walks.
#include "daemon/workers/query_report.h"

#include <stdlib.h>
#include <string.h>

rp_query_report_t *rp_query_report_new(rp_query_id_t query, rp_status_t status)
{
    rp_query_report_t *self = calloc(1, sizeof *self);
    if (self != NULL) {
        self->query = query;
        self->status = status;
    }
    return self;
}

/// @param field  written: a copy, or NULL when there is nothing to copy
static bool copy_array(void **field, const void *from, size_t size)
{
    *field = from != NULL ? malloc(size + 1u) : NULL;
    if (*field != NULL) {
        memcpy(*field, from, size);
    }
    return from == NULL || *field != NULL;
}

bool rp_query_report_copy(rp_query_report_t *self, const rp_query_result_t *from)
{
    self->result = *from;
    self->status = from->status;
    const bool has_costs =
        copy_array((void **)&self->result.costs, from->costs, from->count * sizeof *from->costs);
    const bool has_after =
        copy_array((void **)&self->result.after, from->after, from->count * sizeof *from->after);
    const bool has_outcomes =
        copy_array((void **)&self->result.outcomes, from->outcomes, 2u * from->count);
    return copy_array((void **)&self->result.steps, from->steps, from->count) && has_costs &&
           has_after && has_outcomes;
}

size_t rp_route_room(const rp_route_t *self)
{
    return self->step_count + self->way_count + 3u;
}

void rp_query_report_walk(rp_query_report_t *self, rp_engine_t *engine, rp_session_id_t session,
                          const rp_route_t *route)
{
    self->result.version = route->version;
    self->offender_count =
        rp_engine_walk(engine, session, route->start_x, route->start_y, route->steps,
                       route->step_count, self->offenders, route->step_count, self->result.costs);
    self->way_offender_count = rp_engine_walk_way(
        engine, session, route->way_x, route->way_y, route->way, route->way_count, route->start_x,
        route->start_y, self->offenders + self->offender_count, route->way_count + 1u);
    if (self->way_offender_count != 0) {
        self->result.costs[0] = -1.0;
    }
}

void rp_query_report_destroy(rp_query_report_t **self)
{
    if (*self != NULL) {
        free((*self)->result.costs);
        free((*self)->result.after);
        free((*self)->result.outcomes);
        free((*self)->result.steps);
        free((*self)->offenders);
        free(*self);
        *self = NULL;
    }
}
