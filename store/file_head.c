/// Bytes of heads.
#include "store/file_head.h"

#include <assert.h>
#include <string.h>
#include <zlib.h>

static const char plain_magic[8] = "replanJ1";
static const char magic[8] = "replanS2";

typedef struct plain {
    char magic[8];
    uint64_t generation;
} plain_t;

typedef struct numbered {
    char magic[8];
    uint64_t generation;
    uint8_t boot_id[RP_BOOT_ID];
    uint64_t first;
    uint64_t before_bytes;
    uint32_t before_sum;
    uint32_t key;
    uint32_t kind;
    uint32_t sum; ///< CRC-32 of all before it
} numbered_t;

static_assert(sizeof(numbered_t) == RP_FILE_HEAD_MOST && sizeof(plain_t) == 16,
              "nothing lies between");

static uint32_t sum_of(const numbered_t *head)
{
    return (uint32_t)crc32_z(0, (const uint8_t *)head, offsetof(numbered_t, sum));
}

size_t rp_file_head_size(const rp_file_head_t *self)
{
    return self->format == 1 ? sizeof(plain_t) : sizeof(numbered_t);
}

size_t rp_file_head_pack(const rp_file_head_t *self, uint8_t bytes[RP_FILE_HEAD_MOST])
{
    numbered_t head = {.generation = self->generation,
                       .first = self->first,
                       .before_bytes = self->before_bytes,
                       .before_sum = self->before_sum,
                       .key = self->key,
                       .kind = self->kind};
    memcpy(head.magic, self->format == 1 ? plain_magic : magic, sizeof magic);
    memcpy(head.boot_id, self->boot_id, sizeof head.boot_id);
    head.sum = sum_of(&head);
    memcpy(bytes, &head, sizeof head); // both formats begin alike
    return rp_file_head_size(self);
}

/// @return the format that bytes begin with; 0: none that is known
static unsigned format_of(const uint8_t *bytes, size_t size)
{
    const size_t most = size < sizeof magic ? size : sizeof magic;
    return memcmp(bytes, magic, most) == 0 ? 2 : memcmp(bytes, plain_magic, most) == 0 ? 1 : 0;
}

rp_file_head_look_t rp_file_head_read(rp_file_head_t *self, const uint8_t *bytes, size_t size,
                                      rp_file_kind_t name_kind)
{
    numbered_t head;
    *self = (rp_file_head_t){.format = size != 0 ? format_of(bytes, size) : RP_FILE_FORMAT,
                             .kind = name_kind};
    if (self->format == 0) {
        return RP_FILE_HEAD_FOREIGN;
    }
    if (size < rp_file_head_size(self)) {
        return RP_FILE_HEAD_CUT;
    }
    memcpy(&head, bytes, rp_file_head_size(self));
    self->generation = head.generation;
    self->first = 1;
    if (self->format == 1) {
        return RP_FILE_HEAD_WHOLE;
    }
    self->first = head.first;
    self->before_bytes = head.before_bytes;
    self->before_sum = head.before_sum;
    self->key = head.key;
    self->kind = (rp_file_kind_t)head.kind;
    memcpy(self->boot_id, head.boot_id, sizeof head.boot_id);
    const bool is_base = self->kind == RP_FILE_BASE;
    return sum_of(&head) == head.sum && is_base == (name_kind == RP_FILE_BASE) ? RP_FILE_HEAD_WHOLE
                                                                               : RP_FILE_HEAD_BAD;
}

rp_series_t rp_file_head_series(const rp_file_head_t *self)
{
    uint8_t bytes[RP_FILE_HEAD_MOST];
    const size_t size = rp_file_head_pack(self, bytes);
    return (rp_series_t){.is_numbered = self->format != 1,
                         .key = self->key,
                         .sum = (uint32_t)crc32_z(0, bytes, size),
                         .number = self->first};
}
