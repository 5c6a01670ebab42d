/// A walk along the fields of a packed request.
#include "daemon/net/request_key.h"

#include <string.h>

#include "msgs/fields.h"

/// Fields up to this one say how a request is to be handled; what it asks for comes after them.
#define LAST_OF_HEAD 4u

/// Where the field ends that begins here. From malformed bytes on all that is left is one.
/// @param number  written
static const uint8_t *end_of_field(const uint8_t *at, const uint8_t *end, uint64_t *number)
{
    rp_byte_span_t left = {at, end};
    rp_byte_span_t content;
    *number = LAST_OF_HEAD + 1u;
    return rp_fields_next(&left, number, &content) ? left.at : end;
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
