/// Messages as records.
#include "store/checkpoint.h"

static bool write_bytes(rp_checkpoint_t *self, rp_record_kind_t kind, uint64_t wall_us,
                        const void *bytes, size_t size)
{
    const rp_record_t record = {.kind = kind, .wall_us = wall_us, .bytes = bytes, .size = size};
    return rp_journal_write_checkpoint(self->journal, &record);
}

bool rp_checkpoint_request(rp_checkpoint_t *self, uint64_t wall_us,
                           const Replan__V1__Request *request)
{
    return rp_codec_pack(&self->packed, &request->base) &&
           write_bytes(self, RP_RECORD_REQUEST, wall_us, self->packed.bytes, self->packed.size);
}

bool rp_checkpoint_last(rp_checkpoint_t *self, uint64_t wall_us, const rp_last_request_t *last)
{
    return last->size == 0 ||
           write_bytes(self, RP_RECORD_REQUEST, wall_us, last->bytes, last->size);
}

bool rp_checkpoint_world(rp_checkpoint_t *self, uint64_t wall_us, uint64_t version,
                         const uint64_t *windows, size_t count, const Replan__V1__Request *create)
{
    return write_bytes(self, RP_RECORD_VERSION, 0, &version, sizeof version) &&
           write_bytes(self, RP_RECORD_WINDOWS, 0, windows, count * sizeof *windows) &&
           rp_checkpoint_request(self, wall_us, create);
}

bool rp_checkpoint_handle(rp_checkpoint_t *self, uint64_t handle)
{
    return write_bytes(self, RP_RECORD_HANDLE, 0, &handle, sizeof handle);
}

bool rp_checkpoint_lost(rp_checkpoint_t *self, uint64_t wall_us, const Replan__V1__Change *change)
{
    return rp_codec_pack(&self->packed, &change->base) &&
           write_bytes(self, RP_RECORD_LOST, wall_us, self->packed.bytes, self->packed.size);
}

void rp_checkpoint_fini(rp_checkpoint_t *self)
{
    rp_buffer_fini(&self->packed);
}
