/// Parts behind each other.
#include "store/reassembly.h"

#include <string.h>

static rp_reassembly_look_t add(rp_reassembly_t *self, const rp_record_t *part)
{
    if (!rp_buffer_reserve(&self->parts, part->size)) {
        return RP_REASSEMBLY_MEMORY;
    }
    if (part->size != 0) {
        memcpy(self->parts.bytes + self->parts.size, part->bytes, part->size);
        self->parts.size += part->size;
    }
    return RP_REASSEMBLY_PART;
}

rp_reassembly_look_t rp_reassembly_take(rp_reassembly_t *self, const rp_record_t *record,
                                        rp_record_t *whole)
{
    *whole = *record;
    switch (record->kind) {
    case RP_RECORD_LONG:
        self->parts.size = 0; // those before came to nothing
        self->is_begun = true;
        return add(self, record);
    case RP_RECORD_MORE:
        return self->is_begun ? add(self, record) : RP_REASSEMBLY_PART;
    case RP_RECORD_DONE:
        whole->bytes = self->parts.bytes;
        whole->size = self->is_begun ? self->parts.size : 0;
        self->is_begun = false;
        return RP_REASSEMBLY_WHOLE;
    default:
        return RP_REASSEMBLY_WHOLE;
    }
}

void rp_reassembly_fini(rp_reassembly_t *self)
{
    rp_buffer_fini(&self->parts);
}
