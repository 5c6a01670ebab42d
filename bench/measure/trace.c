/// A trace is lists that grow: the cells that change, the factors that they get, and the steps,
/// each of which says where its cells end.
#include "bench/measure/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/harness.h"

void rp_trace_init(rp_trace_t *self, const rp_grid_shape_t *shape, const uint8_t *factors)
{
    const size_t count = (size_t)shape->width * shape->height;
    *self = (rp_trace_t){.shape = *shape, .factors = rp_bench_memory(NULL, count, 1)};
    memcpy(self->factors, factors, count);
}

void rp_trace_fini(rp_trace_t *self)
{
    free(self->factors);
    free(self->toggles);
    free(self->writes);
    free(self->steps);
    *self = (rp_trace_t){0};
}

void rp_trace_toggle(rp_trace_t *self, rp_cell_t cell)
{
    if (self->toggle_count == self->toggle_capacity) {
        self->toggle_capacity = self->toggle_capacity == 0 ? 1024 : 2 * self->toggle_capacity;
        self->toggles =
            rp_bench_memory(self->toggles, self->toggle_capacity, sizeof *self->toggles);
    }
    self->toggles[self->toggle_count++] = cell;
}

void rp_trace_write(rp_trace_t *self, rp_cell_t cell, uint8_t factor)
{
    const size_t capacity = self->toggle_capacity;
    rp_trace_toggle(self, cell);
    if (self->toggle_capacity != capacity) {
        self->writes = rp_bench_memory(self->writes, self->toggle_capacity, 1);
    }
    self->writes[self->toggle_count - 1u] = factor;
}

void rp_trace_step(rp_trace_t *self, rp_cell_t start, rp_cell_t goal, uint64_t making_ns)
{
    if (self->step_count == self->step_capacity) {
        self->step_capacity = self->step_capacity == 0 ? 128 : 2 * self->step_capacity;
        self->steps = rp_bench_memory(self->steps, self->step_capacity, sizeof *self->steps);
    }
    self->steps[self->step_count++] =
        (rp_trace_step_t){self->toggle_count, making_ns, start, goal, false};
}

rp_change_t *rp_trace_changes(const rp_trace_t *self, const rp_grid_t *grid)
{
    rp_change_t *changes = rp_bench_memory(NULL, self->toggle_count, sizeof *changes);
    uint8_t *factors = rp_bench_memory(NULL, grid->cell_count, 1);
    memcpy(factors, grid->factor, grid->cell_count);
    for (size_t i = 0; i < self->toggle_count; i++) {
        const rp_cell_t cell = self->toggles[i];
        const uint8_t opposite = factors[cell] == 0 ? self->shape.unit : 0;
        factors[cell] = self->writes != NULL ? self->writes[i] : opposite;
        changes[i] = (rp_change_t){.cell = cell, .after = factors[cell]};
    }
    free(factors);
    return changes;
}

rp_grid_t *rp_trace_grid(const rp_trace_t *self)
{
    rp_grid_t *grid = NULL;
    const rp_status_t status = rp_grid_new(&self->shape, &grid);
    if (status != RP_OK) {
        fprintf(stderr, "replan-bench: grid: %s\n", rp_status_text(status));
        exit(2);
    }
    rp_grid_fill(grid, self->factors);
    return grid;
}
