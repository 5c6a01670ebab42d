/// @file
/// Command batch: the commands of one round, with everything that they point to. Whoever holds the
/// batch owns it.
#ifndef REPLAN_DAEMON_WORKERS_COMMAND_BATCH_H
#define REPLAN_DAEMON_WORKERS_COMMAND_BATCH_H

#include "daemon/process/mailbox.h"
#include "daemon/workers/command.h"
#include "msgs/codec.h"

/// Time comes with the commands: a worker reads no clock.
typedef struct rp_command_batch {
    rp_mailbox_link_t link;
    rp_message_arena_t arena; ///< holds the commands and what they point to
    rp_command_t *first;
    rp_command_t **last;
    uint64_t buffer_bytes; ///< of messages that the commands point into
    uint64_t now_us;
    bool settles; ///< every session is planned for before the next batch is looked at
    bool is_end;  ///< the worker shall end
} rp_command_batch_t;

/// @return NULL without memory
rp_command_batch_t *rp_command_batch_new(void);
void rp_command_batch_destroy(rp_command_batch_t **self);

/// A copy of a command and of all that it points to, not yet among those of the batch.
/// @return NULL without memory
rp_command_t *rp_command_batch_draft(rp_command_batch_t *self, const rp_command_t *command);

/// It is one of them, the last.
void rp_command_batch_add(rp_command_batch_t *self, rp_command_t *command);

#endif
