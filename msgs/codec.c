/// @file
/// Bytes to messages and back. What arrives is a bomb until it is unpacked: one MiB of empty
/// sub-messages becomes 58 MB of structs. So protobuf-c gets its memory from an arena that says no
/// at its cap, and whatever an unpacking left behind, whole or half, goes with one reset.
///
///     arena -> [block 256 KiB, filled from its start] -> [a large thing alone] -> ...
#include "msgs/codec.h"

#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/simd.h"
#include "msgs/detached_fields.h"
#include "msgs/splitmix.h"

/// An ordinary block. The memory that a small message touches is the start of the same block every
/// time, so it stays in the cache.
#define BLOCK_BYTES ((size_t)256 << 10)

/// Larger things get a block of their own: at most a quarter of an ordinary block is left unused
/// behind them, and the program grows little beyond the cap.
#define ALONE_BYTES (BLOCK_BYTES / 4)

/// Cells that are hashed several at a time.
#define WIDE_FROM 32u

struct rp_message_arena_block {
    struct rp_message_arena_block *next;
    size_t size; ///< of bytes
    size_t used;
    alignas(max_align_t) uint8_t bytes[];
};

// ---- arena

void rp_message_arena_init(rp_message_arena_t *self, size_t cap_bytes)
{
    *self = (rp_message_arena_t){.cap_bytes = cap_bytes};
}

void rp_message_arena_fini(rp_message_arena_t *self)
{
    for (struct rp_message_arena_block *block = self->blocks; block != NULL;) {
        struct rp_message_arena_block *next = block->next;
        free(block);
        block = next;
    }
    *self = (rp_message_arena_t){.cap_bytes = self->cap_bytes};
}

void rp_message_arena_reset(rp_message_arena_t *self)
{
    struct rp_message_arena_block *kept = NULL;
    for (struct rp_message_arena_block *block = self->blocks; block != NULL;) {
        struct rp_message_arena_block *next = block->next;
        if (kept == NULL && block->size == BLOCK_BYTES) {
            kept = block;
            kept->used = 0;
            kept->next = NULL;
        } else {
            free(block);
        }
        block = next;
    }
    self->blocks = kept;
    self->used_bytes = 0;
}

/// A block with room for `bytes`. The newest block goes on being filled when the new one is for a
/// large thing alone.
static struct rp_message_arena_block *add_block(rp_message_arena_t *self, size_t bytes)
{
    bool alone = bytes > ALONE_BYTES;
    size_t size = alone ? bytes : BLOCK_BYTES;
    struct rp_message_arena_block *block = malloc(sizeof(*block) + size);
    if (block == NULL) {
        return NULL;
    }
    block->size = size;
    block->used = 0;
    if (alone && self->blocks != NULL) {
        block->next = self->blocks->next;
        self->blocks->next = block;
    } else {
        block->next = self->blocks;
        self->blocks = block;
    }
    return block;
}

void *rp_message_arena_take(rp_message_arena_t *self, size_t bytes)
{
    const size_t unit = alignof(max_align_t);
    if (bytes > SIZE_MAX - sizeof(struct rp_message_arena_block) - unit) {
        return NULL;
    }
    size_t rounded = bytes == 0 ? unit : (bytes + unit - 1) / unit * unit;
    if (rounded > self->cap_bytes - self->used_bytes) {
        return NULL;
    }
    struct rp_message_arena_block *block = self->blocks;
    if (block == NULL || rounded > block->size - block->used) {
        block = add_block(self, rounded);
        if (block == NULL) {
            return NULL;
        }
    }
    void *memory = block->bytes + block->used;
    block->used += rounded;
    self->used_bytes += rounded;
    return memory;
}

// ---- unpacking

static void *take_for_protobuf(void *arena, size_t bytes)
{
    return rp_message_arena_take(arena, bytes);
}

/// The reset frees.
static void keep_for_reset(void *arena, void *memory)
{
    (void)arena;
    (void)memory;
}

static ProtobufCMessage *unpack(rp_message_arena_t *arena,
                                const ProtobufCMessageDescriptor *descriptor, const void *bytes,
                                size_t size)
{
    ProtobufCAllocator allocator = {
        .alloc = take_for_protobuf,
        .free = keep_for_reset,
        .allocator_data = arena,
    };
    return protobuf_c_message_unpack(descriptor, &allocator, size, bytes);
}

/// With what is long in it where it stands. @return NULL when it must be unpacked as it is
static ProtobufCMessage *unpack_detached(rp_message_arena_t *arena,
                                         const ProtobufCMessageDescriptor *descriptor,
                                         const void *bytes, size_t size, bool words)
{
    rp_detached_fields_t detached;
    uint8_t *rest =
        size >= RP_DETACHED_FROM ? rp_message_arena_take(arena, RP_DETACHED_REST) : NULL;
    if (rest == NULL || !rp_detached_fields_take(&detached, descriptor, bytes, size, rest, words)) {
        return NULL;
    }
    ProtobufCMessage *message = unpack(arena, descriptor, rest, detached.rest_size);
    return message != NULL && rp_detached_fields_put(&detached, message) ? message : NULL;
}

ProtobufCMessage *rp_codec_unpack(rp_message_arena_t *arena,
                                  const ProtobufCMessageDescriptor *descriptor, const void *bytes,
                                  size_t size)
{
    ProtobufCMessage *message = unpack_detached(arena, descriptor, bytes, size, false);
    return message != NULL ? message : unpack(arena, descriptor, bytes, size);
}

ProtobufCMessage *rp_codec_unpack_in_place(rp_message_arena_t *arena,
                                           const ProtobufCMessageDescriptor *descriptor,
                                           const void *bytes, size_t size)
{
    ProtobufCMessage *message = unpack_detached(arena, descriptor, bytes, size, true);
    return message != NULL ? message : unpack(arena, descriptor, bytes, size);
}

// ---- packing

void rp_buffer_fini(rp_buffer_t *self)
{
    free(self->bytes);
    *self = (rp_buffer_t){0};
}

bool rp_buffer_reserve(rp_buffer_t *self, size_t more)
{
    return more <= SIZE_MAX / 2 - self->size &&
           rp_array_reserve(&self->bytes, &self->capacity, self->size + more, 1);
}

/// Make the buffer empty with room for `size` bytes; on failure its contents stay.
static bool start_over(rp_buffer_t *buffer, size_t size)
{
    if (size > buffer->size && !rp_buffer_reserve(buffer, size - buffer->size)) {
        return false;
    }
    buffer->size = 0;
    return true;
}

bool rp_codec_pack(rp_buffer_t *buffer, const ProtobufCMessage *message)
{
    size_t size = protobuf_c_message_get_packed_size(message);
    // An empty message packs to nothing, but callers hand bytes to a socket: never NULL.
    if (!start_over(buffer, size > 0 ? size : 1)) {
        return false;
    }
    buffer->size = protobuf_c_message_pack(message, buffer->bytes);
    return true;
}

static void append_varint(rp_buffer_t *buffer, uint64_t value)
{
    while (value >= 0x80) {
        buffer->bytes[buffer->size++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    buffer->bytes[buffer->size++] = (uint8_t)value;
}

bool rp_codec_wrap(rp_buffer_t *buffer, uint32_t watch, unsigned field, const void *body,
                   size_t size)
{
    enum {
        TAG_WATCH = 1 << 3,              // field 1, a varint
        LENGTH_DELIMITED = 2,            // the wire type of a sub-message
        HEAD_BYTES_MAX = 1 + 5 + 1 + 10, // tag, watch, tag, length
    };
    assert(field >= 2 && field <= 6);
    if (size > SIZE_MAX - HEAD_BYTES_MAX || !start_over(buffer, HEAD_BYTES_MAX + size)) {
        return false;
    }
    if (watch != 0) {
        append_varint(buffer, TAG_WATCH);
        append_varint(buffer, watch);
    }
    append_varint(buffer, (uint64_t)field << 3 | LENGTH_DELIMITED);
    append_varint(buffer, size);
    if (size > 0) {
        memcpy(buffer->bytes + buffer->size, body, size);
        buffer->size += size;
    }
    return true;
}

// ---- hash

static inline __attribute__((always_inline)) uint64_t
hash_range(uint64_t first, const uint8_t *bytes, uint64_t count)
{
    uint64_t hash = 0;
    for (uint64_t i = 0; i < count; i++) {
        // A bijection: two cells never cancel each other alone.
        hash ^= rp_splitmix_of((first + i) << 8 | bytes[i]);
    }
    return hash;
}

RP_FOR_AVX2 static uint64_t hash_range_avx2(uint64_t first, const uint8_t *bytes, uint64_t count)
{
    return hash_range(first, bytes, count);
}

uint64_t rp_codec_cells_hash(uint64_t first, const uint8_t *bytes, uint64_t count)
{
    return count >= WIDE_FROM && rp_simd_best() >= RP_SIMD_AVX2
               ? hash_range_avx2(first, bytes, count)
               : hash_range(first, bytes, count);
}

uint64_t rp_codec_cell_hash(uint64_t index, uint8_t byte)
{
    return rp_codec_cells_hash(index, &byte, 1);
}
