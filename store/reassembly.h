/// @file
/// Joins a long record that stands in the log in parts (RP_RECORD_LONG, RP_RECORD_MORE). The parts
/// count only when RP_RECORD_DONE follows, and from the first one on: where that is lost (salvage),
/// what ends has no bytes.
#ifndef REPLAN_STORE_REASSEMBLY_H
#define REPLAN_STORE_REASSEMBLY_H

#include "msgs/codec.h"
#include "store/record.h"

/// All zero: no part came.
typedef struct rp_reassembly {
    rp_buffer_t parts;
    bool is_begun; ///< the first part came, and no end since
} rp_reassembly_t;

typedef enum rp_reassembly_look {
    RP_REASSEMBLY_WHOLE,
    RP_REASSEMBLY_PART,   ///< there is nothing to do with it yet
    RP_REASSEMBLY_MEMORY, ///< there is none: what it belongs to is lost
} rp_reassembly_look_t;

/// The next record of a state.
/// @param whole  written: the record itself, or with the bytes of all parts that it ends; borrows
///               until the next call
rp_reassembly_look_t rp_reassembly_take(rp_reassembly_t *self, const rp_record_t *record,
                                        rp_record_t *whole);

void rp_reassembly_fini(rp_reassembly_t *self);

#endif
