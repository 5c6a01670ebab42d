/// @file
/// Head of a file of a state: which file it is, and which file it follows. Format 2 has 64 bytes,
/// little-endian:
///
///     "replanS2"  generation  boot id  first  before_bytes  before_sum  key  kind  sum
///         8           8         16       8         8            4        4     4    4
///
/// Format 1 had "replanJ1" and the generation only.
#ifndef REPLAN_STORE_FILE_HEAD_H
#define REPLAN_STORE_FILE_HEAD_H

#include "store/record.h"

#define RP_FILE_FORMAT 2u ///< that is written

/// Bytes of a head at most.
#define RP_FILE_HEAD_MOST 64u

typedef enum rp_file_kind {
    RP_FILE_LOG = 1,
    RP_FILE_BASE = 2,
    RP_FILE_FRESH_LOG = 3, ///< follows nothing: without the base of its generation it is void
} rp_file_kind_t;

typedef struct rp_file_head {
    unsigned format;
    rp_file_kind_t kind; ///< of format 1: as the file's name says
    uint64_t generation;
    uint8_t boot_id[RP_BOOT_ID]; ///< of the machine when it was made; all zero: unknown
    uint64_t first;              ///< number of its first record
    uint64_t before_bytes;       ///< of the log before, without its end record; 0: there is none
    uint32_t before_sum;         ///< of that one (rp_series_t)
    uint32_t key;                ///< drawn by lot
} rp_file_head_t;

/// @return how many bytes were written
size_t rp_file_head_pack(const rp_file_head_t *self, uint8_t bytes[RP_FILE_HEAD_MOST]);

typedef enum rp_file_head_look {
    RP_FILE_HEAD_WHOLE,
    RP_FILE_HEAD_CUT,     ///< the file ends in it
    RP_FILE_HEAD_BAD,     ///< its check sum differs
    RP_FILE_HEAD_FOREIGN, ///< of no format that is known
} rp_file_head_look_t;

/// @param name_kind  RP_FILE_BASE or RP_FILE_LOG, as the file's name says
rp_file_head_look_t rp_file_head_read(rp_file_head_t *self, const uint8_t *bytes, size_t size,
                                      rp_file_kind_t name_kind);

size_t rp_file_head_size(const rp_file_head_t *self);

/// The records that stand behind a head.
rp_series_t rp_file_head_series(const rp_file_head_t *self);

#endif
