/// A walk along the fields of a packed request.
#include "daemon/net/request_key.h"

#include <string.h>

/// Fields up to this one say how a request is to be handled; what it asks for comes after them.
#define LAST_OF_HEAD 4u

/// A varint of at most ten bytes; cut short it ends with the message.
static uint64_t read_varint(const uint8_t **at, const uint8_t *end)
{
    uint64_t value = 0;
    for (unsigned shift = 0; *at != end && shift < 64u; shift += 7u) {
        const uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7fu) << shift;
        if (byte < 0x80u) {
            break;
        }
    }
    return value;
}

/// Where the field ends that begins here. @param number  written
static const uint8_t *end_of_field(const uint8_t *at, const uint8_t *end, uint64_t *number)
{
    const uint64_t tag = read_varint(&at, end);
    uint64_t size = 0;
    *number = tag >> 3u;
    switch (tag & 7u) {
    case 0:
        (void)read_varint(&at, end);
        break;
    case 1:
        size = 8;
        break;
    case 2:
        size = read_varint(&at, end);
        break;
    case 5:
        size = 4;
        break;
    default:
        size = UINT64_MAX; // no such field: all that is left is one
    }
    return size < (uint64_t)(end - at) ? at + size : end;
}

/// Go to the next field of the body. @return false when there is none
static bool next_field(rp_request_body_t *self)
{
    uint64_t number = 0;
    while (self->at != self->end && number <= LAST_OF_HEAD) {
        self->field_end = end_of_field(self->at, self->end, &number);
        self->at = number <= LAST_OF_HEAD ? self->field_end : self->at;
    }
    return self->at != self->end;
}

void rp_request_body_init(rp_request_body_t *self, const rp_siphash_key_t *key,
                          const uint8_t *packed, size_t size)
{
    rp_siphash_init(&self->hash, key);
    self->at = self->field_end = packed;
    self->end = packed + size;
}

bool rp_request_body_hash(rp_request_body_t *self, size_t most)
{
    while (most != 0 && (self->at != self->field_end || next_field(self))) {
        const size_t left = (size_t)(self->field_end - self->at);
        const size_t size = left < most ? left : most;
        rp_siphash_add(&self->hash, self->at, size);
        self->at += size;
        most -= size;
    }
    return self->at != self->field_end || next_field(self);
}

rp_hash128_t rp_request_body_of(const rp_siphash_key_t *key, const uint8_t *packed, size_t size)
{
    rp_request_body_t body;
    rp_request_body_init(&body, key, packed, size);
    (void)rp_request_body_hash(&body, SIZE_MAX);
    return rp_siphash_end(&body.hash);
}

bool rp_request_body_is_same(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    const rp_siphash_key_t unused = {{0, 0}};
    rp_request_body_t one;
    rp_request_body_t other;
    rp_request_body_init(&one, &unused, a, a_size);
    rp_request_body_init(&other, &unused, b, b_size);
    bool has_one = next_field(&one);
    bool has_other = next_field(&other);
    while (has_one && has_other) {
        const size_t size = (size_t)(one.field_end - one.at);
        if (size != (size_t)(other.field_end - other.at) || memcmp(one.at, other.at, size) != 0) {
            return false;
        }
        one.at = one.field_end;
        other.at = other.field_end;
        has_one = next_field(&one);
        has_other = next_field(&other);
    }
    return has_one == has_other;
}
