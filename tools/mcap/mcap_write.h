/// @file
/// Writer of MCAP: messages in chunks, each with an index of its own, and a summary at the end. A
/// file that was not closed can still be read up to its last whole chunk.
#ifndef REPLAN_TOOLS_MCAP_WRITE_H
#define REPLAN_TOOLS_MCAP_WRITE_H

#include "files/output.h"
#include "files/text.h"

#define RP_MCAP_CHUNK_BYTES ((size_t)1 << 20) ///< a chunk is written when it is that long

typedef struct rp_mcap_writer rp_mcap_writer_t;

/// @param compression  "lz4", "zstd" or "" for none; NULL: the best that replan was built with
/// @return RP_E_INVALID with a complaint: the file cannot be written, or the compression is not
/// there; RP_E_MEMORY
rp_status_t rp_mcap_writer_open(rp_mcap_writer_t **self, const char *path, const char *compression,
                                rp_complaint_t *complaint);

/// Name a type of messages that are protobuf.
/// @param descriptors  a FileDescriptorSet with it and all that it imports [size]
/// @return its number
uint16_t rp_mcap_writer_schema(rp_mcap_writer_t *self, const char *name, const uint8_t *descriptors,
                               size_t size);

/// @return the number of a topic with messages of that type
uint16_t rp_mcap_writer_channel(rp_mcap_writer_t *self, uint16_t schema, const char *topic);

/// @param log_ns  since 1970; times should not go backwards
void rp_mcap_writer_message(rp_mcap_writer_t *self, uint16_t channel, uint64_t log_ns,
                            const uint8_t *bytes, size_t size);

/// Write what is left, and the summary.
/// @param self  NULL afterwards; accepts NULL
/// @return RP_E_INVALID or RP_E_MEMORY with a complaint when something up to now could not be
/// written
rp_status_t rp_mcap_writer_close(rp_mcap_writer_t **self, rp_complaint_t *complaint);

/// True once something could not be written: the disk is full.
bool rp_mcap_writer_has_failed(const rp_mcap_writer_t *self);

#endif
