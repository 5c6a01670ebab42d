/// Memory of reports.
#include "daemon/workers/report.h"

#include <stdlib.h>
#include <string.h>

rp_query_report_t *rp_query_report_new(rp_query_id_t ask, rp_status_t status)
{
    rp_query_report_t *self = calloc(1, sizeof *self);
    if (self != NULL) {
        self->ask = ask;
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
    self->finding = *from;
    const bool has_costs =
        copy_array((void **)&self->finding.costs, from->costs, from->count * sizeof *from->costs);
    const bool has_after =
        copy_array((void **)&self->finding.after, from->after, from->count * sizeof *from->after);
    return copy_array((void **)&self->finding.steps, from->steps, from->count) && has_costs &&
           has_after;
}

void rp_query_report_walk(rp_query_report_t *self, rp_engine_t *engine, rp_session_id_t session,
                          const rp_route_t *route)
{
    self->finding.version = route->version;
    self->offender_count =
        rp_engine_walk(engine, session, route->start_x, route->start_y, route->steps,
                       route->step_count, self->offenders, route->step_count, self->finding.costs);
    self->way_offender_count = rp_engine_walk_way(
        engine, session, route->way_x, route->way_y, route->way, route->way_count, route->start_x,
        route->start_y, self->offenders + self->offender_count, route->way_count + 1u);
    if (self->way_offender_count != 0) {
        self->finding.costs[0] = -1.0;
    }
}

void rp_query_report_destroy(rp_query_report_t **self)
{
    if (*self != NULL) {
        free((*self)->finding.costs);
        free((*self)->finding.after);
        free((*self)->finding.steps);
        free((*self)->offenders);
        free(*self);
        *self = NULL;
    }
}

void rp_overdue_destroy(rp_overdue_t **self)
{
    while (*self != NULL) {
        rp_overdue_t *first = *self;
        *self = first->next;
        free(first);
    }
}

void rp_report_destroy(rp_report_t **self)
{
    if (*self == NULL) {
        return;
    }
    while ((*self)->told != NULL) {
        rp_answer_msg_t *told = (*self)->told;
        (*self)->told = told->next;
        free(told);
    }
    while ((*self)->found != NULL) {
        rp_query_report_t *found = (*self)->found;
        (*self)->found = found->next;
        rp_query_report_destroy(&found);
    }
    rp_overdue_destroy(&(*self)->overdue);
    free(*self);
    *self = NULL;
}
