/// Bytes of records.
#include "store/record.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "base/array.h"

// What stands before the bytes of a record, as the machine counts: little-endian on all that we
// build for.

typedef struct plain_head {
    uint32_t size; ///< of the bytes behind it
    uint32_t sum;  ///< CRC-32 of the rest of the head, and of the bytes
    uint64_t wall_us;
    uint32_t kind;
} __attribute__((packed)) plain_head_t;

typedef struct numbered_head {
    uint32_t head_sum; ///< CRC-32 of the key, and of the rest of the head
    uint32_t size;     ///< of the bytes behind it
    uint64_t number;
    uint64_t wall_us;
    uint32_t kind;
    uint32_t body_sum; ///< CRC-32 of the bytes
} numbered_head_t;

static_assert(sizeof(plain_head_t) == RP_RECORD_HEAD, "it is a head of that size");
static_assert(sizeof(numbered_head_t) == RP_RECORD_HEAD_MOST, "nothing lies between");

/// A head of either kind.
typedef union head {
    plain_head_t plain;
    numbered_head_t numbered;
} head_t;

static uint32_t sum_of(uint32_t before, const void *bytes, size_t size)
{
    return size != 0 ? (uint32_t)crc32_z(before, bytes, size) : before;
}

static plain_head_t plain_of(const rp_record_t *record)
{
    plain_head_t head = {
        .size = (uint32_t)record->size, .wall_us = record->wall_us, .kind = record->kind};
    const uint32_t sum = sum_of(0, (const uint8_t *)&head + 8u, sizeof head - 8u);
    head.sum = sum_of(sum, record->bytes, record->size);
    return head;
}

static uint32_t head_sum_of(uint32_t key, const numbered_head_t *head)
{
    return sum_of(key, (const uint8_t *)head + 4u, sizeof *head - 4u);
}

static head_t head_of(const rp_series_t *series, const rp_record_t *record)
{
    head_t head = {.plain = {0}};
    if (!series->is_numbered) {
        head.plain = plain_of(record);
        return head;
    }
    head.numbered = (numbered_head_t){.size = (uint32_t)record->size,
                                      .number = series->number,
                                      .wall_us = record->wall_us,
                                      .kind = record->kind,
                                      .body_sum = sum_of(0, record->bytes, record->size)};
    head.numbered.head_sum = head_sum_of(series->key, &head.numbered);
    return head;
}

// ---- reading

bool rp_record_at(const uint8_t *bytes, size_t size, size_t at, rp_record_t *record)
{
    plain_head_t head;
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
    return plain_of(record).sum == head.sum;
}

/// Whether a plain record of a state may begin here, by its kind.
static bool may_begin(const uint8_t *bytes, size_t size, size_t at)
{
    plain_head_t head;
    if (size - at < sizeof head) {
        return false;
    }
    memcpy(&head, bytes + at, sizeof head);
    return head.kind >= RP_RECORD_REQUEST && head.kind <= RP_RECORD_LOST;
}

size_t rp_record_find(const uint8_t *bytes, size_t size, size_t at)
{
    rp_record_t record;
    while (at < size && !(may_begin(bytes, size, at) && rp_record_at(bytes, size, at, &record))) {
        at++;
    }
    return at;
}

/// A record whose head is right, whatever its number.
static rp_record_look_t look_at(uint32_t key, const uint8_t *bytes, size_t size, size_t at,
                                rp_record_t *record)
{
    numbered_head_t head;
    if (size - at < sizeof head) {
        return RP_RECORD_CUT;
    }
    memcpy(&head, bytes + at, sizeof head);
    if (head_sum_of(key, &head) != head.head_sum) {
        return RP_RECORD_BAD;
    }
    if (size - at - sizeof head < head.size) {
        return RP_RECORD_CUT;
    }
    *record = (rp_record_t){.kind = (rp_record_kind_t)head.kind,
                            .wall_us = head.wall_us,
                            .bytes = bytes + at + sizeof head,
                            .size = head.size,
                            .number = head.number};
    return sum_of(0, record->bytes, record->size) == head.body_sum ? RP_RECORD_WHOLE
                                                                   : RP_RECORD_BAD;
}

size_t rp_series_head(const rp_series_t *self)
{
    return self->is_numbered ? sizeof(numbered_head_t) : sizeof(plain_head_t);
}

/// A record is part of the series.
static void count(rp_series_t *self, const void *head)
{
    self->sum = sum_of(self->sum, head, rp_series_head(self));
    self->number++;
}

rp_record_look_t rp_series_next(rp_series_t *self, const uint8_t *bytes, size_t size, size_t at,
                                rp_record_t *record)
{
    if (at == size) {
        return RP_RECORD_ENDS;
    }
    rp_record_look_t look;
    if (self->is_numbered) {
        look = look_at(self->key, bytes, size, at, record);
    } else {
        look = rp_record_at(bytes, size, at, record) ? RP_RECORD_WHOLE : RP_RECORD_BAD;
        record->number = self->number;
    }
    if (look == RP_RECORD_WHOLE && record->number != self->number) {
        return RP_RECORD_BAD;
    }
    if (look == RP_RECORD_WHOLE) {
        count(self, bytes + at);
    }
    return look;
}

size_t rp_series_find(rp_series_t *self, const uint8_t *bytes, size_t size, size_t at,
                      rp_record_t *record)
{
    while (at < size && look_at(self->key, bytes, size, at, record) != RP_RECORD_WHOLE) {
        at++;
    }
    if (at < size) {
        self->number = record->number + 1u;
    }
    return at;
}

// ---- writing

bool rp_write_all(const rp_disk_t *disk, int file, const void *bytes, size_t size)
{
    const uint8_t *next = bytes;
    while (size != 0) {
        const ssize_t written = disk->write(file, next, size);
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

static const rp_disk_t *disk_of(const rp_sink_t *self)
{
    return self->disk != NULL ? self->disk : &rp_disk_system;
}

bool rp_sink_add(rp_sink_t *self, const rp_record_t *record)
{
    const size_t head_size = rp_series_head(&self->series);
    const size_t more = head_size + record->size;
    if (!rp_array_reserve(&self->gathered, &self->capacity, self->size + more, 1)) {
        return false;
    }
    const head_t head = head_of(&self->series, record);
    memcpy(self->gathered + self->size, &head, head_size);
    if (record->size != 0) {
        memcpy(self->gathered + self->size + head_size, record->bytes, record->size);
    }
    self->size += more;
    count(&self->series, &head);
    return true;
}

/// The file is to end where it did, and errno to say why.
static bool take_back(rp_sink_t *self)
{
    const int reason = errno;
    (void)disk_of(self)->truncate(self->file, (off_t)self->bytes);
    self->series = self->written;
    errno = reason;
    return false;
}

bool rp_sink_pour(rp_sink_t *self)
{
    const size_t size = self->size;
    self->size = 0;
    if (!rp_write_all(disk_of(self), self->file, self->gathered, size)) {
        return take_back(self);
    }
    self->bytes += size;
    self->written = self->series;
    return true;
}

bool rp_sink_pass(rp_sink_t *self, const rp_record_t *record)
{
    if (!rp_sink_pour(self)) {
        return false;
    }
    const head_t head = head_of(&self->series, record);
    const size_t head_size = rp_series_head(&self->series);
    if (!rp_write_all(disk_of(self), self->file, &head, head_size) ||
        !rp_write_all(disk_of(self), self->file, record->bytes, record->size)) {
        return take_back(self);
    }
    self->bytes += head_size + record->size;
    count(&self->series, &head);
    self->written = self->series;
    return true;
}
