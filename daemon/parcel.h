/// @file
/// A parcel: the commands of one round, which travel together, with all that they point to. Whoever
/// holds the parcel owns it.
#ifndef REPLAN_DAEMON_PARCEL_H
#define REPLAN_DAEMON_PARCEL_H

#include "daemon/command.h"
#include "daemon/queue.h"
#include "msgs/codec.h"

/// Time comes with the commands: a worker reads no clock.
typedef struct rp_parcel {
    rp_link_t link;
    rp_arena_t arena; ///< holds the commands and what they point to
    rp_command_t *first;
    rp_command_t **last;
    uint64_t now_us;
    bool settles; ///< every session is planned for before the next parcel is looked at
    bool is_end;  ///< the worker shall end
} rp_parcel_t;

/// @return NULL without memory
rp_parcel_t *rp_parcel_new(void);
void rp_parcel_destroy(rp_parcel_t **self);

/// A copy of a command and of all that it points to, not yet among those of the parcel.
/// @return NULL without memory
rp_command_t *rp_parcel_draft(rp_parcel_t *self, const rp_command_t *command);

/// It is one of them, the last.
void rp_parcel_add(rp_parcel_t *self, rp_command_t *command);

#endif
