/// @file
/// Reader of MCAP, the container that ROS 2 and Foxglove record messages in (version 0 of its
/// format: magic, records of opcode, length and content, chunks that may be compressed by lz4 or
/// zstd). Messages come in the order of the file. Indexes, attachments and metadata are passed
/// over.
#ifndef REPLAN_TOOLS_MCAP_READ_H
#define REPLAN_TOOLS_MCAP_READ_H

#include "files/text.h"

#define RP_MCAP_MAGIC       "\x89MCAP0\r\n"
#define RP_MCAP_MAGIC_BYTES 8u
#define RP_MCAP_CHUNK_MAX   ((uint64_t)1 << 28) ///< bytes of a chunk when it is unpacked

typedef struct rp_mcap_channel {
    uint16_t id;
    char *topic;    ///< "/local_costmap/costmap"
    char *encoding; ///< of its messages: "cdr", "protobuf", "json"
    char *schema;   ///< the name of their type: "nav2_msgs/msg/Costmap"; "" without
} rp_mcap_channel_t;

/// Borrowed until the call returns.
typedef struct rp_mcap_message {
    const rp_mcap_channel_t *channel;
    uint64_t log_ns;     ///< when it was recorded
    uint64_t publish_ns; ///< when it was sent
    const uint8_t *data; ///< [size]
    size_t size;
} rp_mcap_message_t;

/// Told each message. @return RP_OK, or a failure with a complaint, which ends the reading
typedef rp_status_t (*rp_mcap_take_t)(void *user, const rp_mcap_message_t *message,
                                      rp_complaint_t *complaint);

/// Hand on the messages of a file. Of a file that breaks off or is damaged those before the fault
/// have been handed on.
/// @return RP_E_INVALID with a complaint that names the byte (of the file; in a compressed chunk,
/// of the chunk) or what `take` complained of; RP_E_MEMORY
rp_status_t rp_mcap_read(const rp_text_t *text, rp_mcap_take_t take, void *user,
                         rp_complaint_t *complaint);

#endif
