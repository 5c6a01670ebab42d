/// Birth and death of an overlay. What edits do to it stands in world/shapes.c.
#include "engine/ground/overlay.h"

#include <stdlib.h>

/// An edit of more cells composes the whole stack anew, from the lowest shape up, which takes a
/// tenth of a nanosecond a cell.
#define COMPOSED_MOST 16384u

uint64_t rp_overlay_stack_bytes(const rp_overlay_t *self)
{
    uint64_t bytes = self->capacity * (sizeof *self->stack + sizeof *self->bounds);
    for (size_t i = 0; i < self->count; i++) {
        bytes += sizeof *self->stack[i].outline +
                 self->stack[i].spans.capacity * sizeof *self->stack[i].spans.list;
    }
    return bytes;
}

bool rp_overlay_is_given(const rp_overlay_edit_t *edit)
{
    return edit != NULL && (edit->shapes != NULL || edit->shape_count == 0) &&
           (edit->removed != NULL || edit->removed_count == 0);
}

void rp_overlay_init(rp_overlay_t *self)
{
    *self = (rp_overlay_t){.next_expiry_us = UINT64_MAX, .composed_most = COMPOSED_MOST};
}

void rp_overlay_fini(rp_overlay_t *self)
{
    for (size_t i = 0; i < self->count; i++) {
        rp_spans_fini(&self->stack[i].spans);
        free(self->stack[i].outline);
    }
    free(self->stack);
    free(self->bounds);
    free(self->near);
    free(self->gone);
    rp_overlay_free_base(self);
    *self = (rp_overlay_t){.next_expiry_us = UINT64_MAX, .composed_most = COMPOSED_MOST};
}

void rp_overlay_free_base(rp_overlay_t *self)
{
    free(self->base);
    free(self->covered);
    free(self->row);
    free(self->marks);
    self->base = NULL;
    self->covered = NULL;
    self->row = NULL;
    self->marks = NULL;
}
