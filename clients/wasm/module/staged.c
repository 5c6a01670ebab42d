/// Changes that are prepared in slices.
#include <stdlib.h>

#include "clients/wasm/module/exports.h"
#include "clients/wasm/module/numbers.h"
#include "clients/wasm/module/world.h"

struct rp_js_staged {
    rp_js_world_t *world;
    uint8_t *data; ///< owned; NULL: `fill` everywhere
    rp_edit_t edit;
    rp_staged_edit_t *staged_edit;
};

rp_status_t rp_js_world_stage(rp_js_world_t *self, uint32_t x, uint32_t y, uint32_t width,
                              uint32_t height, uint8_t *data, uint8_t fill, rp_js_staged_t **staged)
{
    rp_js_staged_t *made = calloc(1, sizeof *made);
    if (made == NULL) {
        free(data);
        return RP_E_MEMORY;
    }
    *made = (rp_js_staged_t){
        .world = self,
        .data = data,
        .edit = {.x = x, .y = y, .width = width, .height = height, .data = data, .fill = fill}};
    const rp_status_t status =
        rp_engine_stage(rp_js_world_engine(self), rp_js_world_id(self),
                        &(rp_staged_kind_t){.edit = &made->edit}, &made->staged_edit);
    if (status != RP_OK) {
        rp_js_staged_close(made);
        return status;
    }
    *staged = made;
    return RP_OK;
}

bool rp_js_staged_work(rp_js_staged_t *self, double budget)
{
    uint64_t left = rp_js_whole(budget);
    return rp_staged_edit_work(self->staged_edit, &left);
}

bool rp_js_staged_is_ready(const rp_js_staged_t *self)
{
    return rp_staged_edit_is_ready(self->staged_edit);
}

rp_status_t rp_js_staged_apply(rp_js_staged_t *self)
{
    static const rp_cause_t no_cause = {0, 0};
    rp_edit_t edit = self->edit;
    uint64_t version;
    edit.staged_edit = rp_js_staged_is_ready(self) ? self->staged_edit : NULL;
    return rp_engine_apply(rp_js_world_engine(self->world), rp_js_world_id(self->world), &edit,
                           no_cause, &version);
}

void rp_js_staged_close(rp_js_staged_t *self)
{
    rp_staged_edit_destroy(&self->staged_edit);
    free(self->data);
    free(self);
}
