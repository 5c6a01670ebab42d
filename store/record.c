/// Bytes of records.
#include "store/record.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/// What stands before the bytes of a record, as the machine counts: little-endian on all that we
/// build for.
typedef struct head {
    uint32_t size; ///< of the bytes behind it
    uint32_t sum;  ///< CRC-32 of the rest of the head, and of the bytes
    uint64_t wall_us;
    uint32_t kind;
} __attribute__((packed)) head_t;

static_assert(sizeof(head_t) == RP_RECORD_HEAD, "it is a head of that size");

bool rp_write_all(int file, const void *bytes, size_t size)
{
    const uint8_t *next = bytes;
    while (size != 0) {
        const ssize_t written = write(file, next, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        next += written;
        size -= (size_t)written;
    }
    return true;
}

static head_t head_of(const rp_record_t *record)
{
    head_t head = {
        .size = (uint32_t)record->size, .wall_us = record->wall_us, .kind = record->kind};
    const uLong sum = crc32_z(0, (const Bytef *)&head.wall_us, sizeof head - 8u);
    head.sum = (uint32_t)(record->size != 0 ? crc32_z(sum, record->bytes, record->size) : sum);
    return head;
}

bool rp_record_at(const uint8_t *bytes, size_t size, size_t at, rp_record_t *record)
{
    head_t head;
    if (size - at < sizeof head) {
        return false;
    }
    memcpy(&head, bytes + at, sizeof head);
    if (size - at - sizeof head < head.size) {
        return false;
    }
    *record = (rp_record_t){.kind = (rp_record_kind_t)head.kind,
                            .wall_us = head.wall_us,
                            .bytes = bytes + at + sizeof head,
                            .size = head.size};
    return head_of(record).sum == head.sum;
}

bool rp_sink_add(rp_sink_t *self, const rp_record_t *record)
{
    const size_t more = sizeof(head_t) + record->size;
    if (self->size + more > self->capacity) {
        const size_t capacity = 2u * (self->size + more);
        uint8_t *gathered = realloc(self->gathered, capacity);
        if (gathered == NULL) {
            return false;
        }
        self->gathered = gathered;
        self->capacity = capacity;
    }
    const head_t head = head_of(record);
    memcpy(self->gathered + self->size, &head, sizeof head);
    if (record->size != 0) {
        memcpy(self->gathered + self->size + sizeof head, record->bytes, record->size);
    }
    self->size += more;
    return true;
}

/// The file is to end where it did, and errno to say why.
static bool take_back(const rp_sink_t *self)
{
    const int reason = errno;
    (void)!ftruncate(self->file, (off_t)self->bytes);
    errno = reason;
    return false;
}

bool rp_sink_pour(rp_sink_t *self)
{
    const size_t size = self->size;
    self->size = 0;
    if (!rp_write_all(self->file, self->gathered, size)) {
        return take_back(self);
    }
    self->bytes += size;
    return true;
}

bool rp_sink_pass(rp_sink_t *self, const rp_record_t *record)
{
    const head_t head = head_of(record);
    if (!rp_sink_pour(self)) {
        return false;
    }
    if (!rp_write_all(self->file, &head, sizeof head) ||
        !rp_write_all(self->file, record->bytes, record->size)) {
        return take_back(self);
    }
    self->bytes += sizeof head + record->size;
    return true;
}
