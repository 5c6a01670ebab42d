/// A question has no more arrays than its kind needs.
#include "engine/query/query_result.h"

#include <stdlib.h>

void rp_query_result_frame(rp_query_result_t *self, const rp_grid_t *grid, rp_cell_t cell,
                           uint32_t reach)
{
    const uint32_t x = rp_grid_x(grid, cell);
    const uint32_t y = rp_grid_y(grid, cell);
    const uint32_t right = x + reach < grid->shape.width ? x + reach : grid->shape.width - 1u;
    const uint32_t top = y + reach < grid->shape.height ? y + reach : grid->shape.height - 1u;
    self->x = x > reach ? x - reach : 0u;
    self->y = y > reach ? y - reach : 0u;
    self->width = right - self->x + 1u;
    self->height = top - self->y + 1u;
    self->count = (size_t)self->width * self->height;
}

rp_status_t rp_query_result_init(rp_query_result_t *self, rp_query_kind_t kind)
{
    const bool is_probe = kind == RP_QUERY_PROBE;
    const bool is_field = kind == RP_QUERY_FIELD;
    self->costs = malloc(self->count * sizeof *self->costs);
    self->after = is_probe ? malloc(self->count * sizeof *self->after) : NULL;
    self->outcomes = is_probe ? calloc(self->count, 2u * sizeof *self->outcomes) : NULL;
    self->steps = is_field ? malloc(self->count) : NULL;
    if (self->costs == NULL || (is_probe && (self->after == NULL || self->outcomes == NULL)) ||
        (is_field && self->steps == NULL)) {
        return RP_E_MEMORY;
    }
    for (size_t i = 0; i < self->count; i++) {
        self->costs[i] = -1.0;
        if (is_probe) {
            self->after[i] = -1.0;
        }
        if (is_field) {
            self->steps[i] = RP_NO_STEP;
        }
    }
    return RP_OK;
}

void rp_query_result_fini(rp_query_result_t *self)
{
    free(self->costs);
    free(self->after);
    free(self->outcomes);
    free(self->steps);
    *self = (rp_query_result_t){0};
}

void rp_query_result_note(rp_query_result_t *self, size_t at, bool is_second, double cost,
                          rp_answer_outcome_t outcome)
{
    double *costs = is_second ? self->after : self->costs;
    costs[at] = cost;
    if (self->outcomes != NULL) {
        self->outcomes[at + (is_second ? self->count : 0u)] = (uint8_t)outcome;
    }
}

rp_answer_outcome_t rp_query_result_outcome(rp_outcome_t outcome)
{
    switch (outcome) {
    case RP_OUTCOME_FOUND:
        return RP_ANSWER_FOUND;
    case RP_OUTCOME_START_BLOCKED:
        return RP_ANSWER_START_BLOCKED;
    case RP_OUTCOME_GOAL_BLOCKED:
        return RP_ANSWER_GOAL_BLOCKED;
    default:
        return RP_ANSWER_NO_PATH;
    }
}
