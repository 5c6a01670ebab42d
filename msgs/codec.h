/// @file
/// Packs and unpacks messages. Knows no sockets. Unpacking allocates from an arena with a cap, so
/// no frame can make the program grow beyond the cap; one reset frees everything.
#ifndef REPLAN_MSGS_CODEC_H
#define REPLAN_MSGS_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "replan.pb-c.h"

/// Memory for one message at a time. Blocks are kept between resets, up to a modest size.
typedef struct rp_message_arena {
    struct rp_message_arena_block *blocks; ///< newest first, owned
    size_t used_bytes;                     ///< handed out since the last reset
    size_t cap_bytes;                      ///< more is refused
} rp_message_arena_t;

void rp_message_arena_init(rp_message_arena_t *self, size_t cap_bytes);
void rp_message_arena_fini(rp_message_arena_t *self);

/// Everything handed out is void afterwards.
void rp_message_arena_reset(rp_message_arena_t *self);

/// @return memory aligned for anything, valid until the reset; NULL beyond the cap
void *rp_message_arena_take(rp_message_arena_t *self, size_t bytes);

/// Unpack one message of the type that `descriptor` names.
/// @param bytes  borrowed as long as the message: long fields of bytes stay where they are [size]
/// @return the message, of the arena; NULL when the bytes are malformed or too large unpacked.
///         Fields are not checked: see check.h.
ProtobufCMessage *rp_codec_unpack(rp_message_arena_t *arena,
                                  const ProtobufCMessageDescriptor *descriptor, const void *bytes,
                                  size_t size);

/// The same, but long arrays of words (fixed32) stay where they are, too. They may stand at an odd
/// address: before somebody reads them they are to be moved, as staged_request.c does, or copied.
ProtobufCMessage *rp_codec_unpack_in_place(rp_message_arena_t *arena,
                                           const ProtobufCMessageDescriptor *descriptor,
                                           const void *bytes, size_t size);

/// Bytes that grow and are used again.
typedef struct rp_buffer {
    uint8_t *bytes; ///< owned
    size_t size;
    size_t capacity;
} rp_buffer_t;

void rp_buffer_fini(rp_buffer_t *self);

/// Make room for `more` bytes behind `size`. @return false without memory
bool rp_buffer_reserve(rp_buffer_t *self, size_t more);

/// Replace the contents by the packed message. @return false without memory
bool rp_codec_pack(rp_buffer_t *buffer, const ProtobufCMessage *message);

/// Replace the contents by a ToClient for `watch` whose body is an already packed sub-message: a
/// delta is packed once and sent to many.
/// @param field  of ToClient: 2 reply, 3 answer, 4 head, 5 delta, 6 chunk
/// @return false without memory
bool rp_codec_wrap(rp_buffer_t *buffer, uint32_t watch, unsigned field, const void *body,
                   size_t size);

/// The hash of a mirror is the XOR of this over all its cells; a change XORs the old one out and
/// the new one in.
/// @param index  y * width + x
uint64_t rp_codec_cell_hash(uint64_t index, uint8_t byte);

/// The same of some cells: the XOR of their hashes. Time: half a nanosecond a cell, where wide
/// instructions are
/// @param first  index of the first of them
uint64_t rp_codec_cells_hash(uint64_t first, const uint8_t *bytes, uint64_t count);

#endif
