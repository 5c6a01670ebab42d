/// Rows are copied by memcpy, changes by the batches of the layer.
#include "engine/sharing/grid_snapshot.h"

#include "base/budget.h"

/// Cells that are copied in the time of one expansion, by rows, and one by one. Of rows it is the
/// memory that takes long: a system may give fresh pages slowly.
#define CELLS_BY_ROW 32u
#define CELLS_ALONE  4u

rp_status_t rp_grid_snapshot_init(rp_grid_snapshot_t *self, rp_layer_t *layer, uint64_t version)
{
    *self = (rp_grid_snapshot_t){.layer = layer, .version = version};
    const rp_status_t status = rp_grid_new_brief(&layer->grid->shape, &self->grid);
    if (status == RP_OK) {
        self->grid->deferred_free = layer->grid->deferred_free;
    }
    return status;
}

void rp_grid_snapshot_fini(rp_grid_snapshot_t *self)
{
    rp_grid_destroy(&self->grid);
    *self = (rp_grid_snapshot_t){0};
}

/// Bring the rows that were copied up to the newest version. A batch is taken whole.
/// @return false when the budget was spent first
static bool catch_up(rp_grid_snapshot_t *self, uint64_t version, uint64_t *budget)
{
    const rp_batch_t *batch;
    if (self->version < self->layer->known_since) {
        self->row = 0; // its batches are gone: copying is not dear
    }
    while (self->row != 0 && (batch = rp_layer_next_batch(self->layer, self->version)) != NULL) {
        if (*budget == 0) {
            return false;
        }
        for (size_t i = 0; i < batch->count; i++) {
            rp_grid_copy_cell(self->grid, self->layer->grid, batch->changes[i].cell);
        }
        rp_budget_pay(budget, batch->count / CELLS_ALONE + 1u);
        self->version = batch->version;
    }
    self->version = version;
    return true;
}

rp_status_t rp_grid_snapshot_work(rp_grid_snapshot_t *self, uint64_t version, uint64_t *budget)
{
    const rp_grid_shape_t *shape = &self->grid->shape;
    if (rp_layer_derive(self->layer, version, budget) != RP_OK) {
        return RP_MORE;
    }
    if (!catch_up(self, version, budget)) {
        return RP_MORE;
    }
    while (self->row < shape->height) {
        if (*budget == 0) {
            return RP_MORE;
        }
        rp_grid_copy_rows(self->grid, self->layer->grid, self->row, 1);
        self->row++;
        rp_budget_pay(budget, shape->width / CELLS_BY_ROW + 1u);
    }
    return RP_OK;
}
