/// @file
/// Writes checkpoints (store/checkpoint.h): everything that the daemon serves, as requests that
/// make it so. One begins at once with worlds, publishers and shapes; agents and the worlds' bytes
/// follow in pieces. What is rewritten meanwhile does no harm: it is in the log too, which is told
/// after the checkpoint, and says what each cell came to be, and where each agent is and wants to
/// go.
///
/// A checkpoint tells of the agents that were there when it began, by session, and of their
/// handles: an agent that was opened since is left to the log, and one that went before its turn is
/// told of as it was.
#ifndef REPLAN_DAEMON_RULES_CHECKPOINTER_H
#define REPLAN_DAEMON_RULES_CHECKPOINTER_H

#include "daemon/serving/serving.h"
#include "store/checkpoint.h"

typedef struct rp_checkpointer {
    rp_checkpoint_t to;
    uint8_t *rows;      ///< owned [RP_LIMIT_CHUNK_BYTES]
    bool is_begun;      ///< and not ended
    uint64_t opened;    ///< agents that there have been when it began: later ones are not in it
    uint32_t place;     ///< of the session whose agent comes next
    uint32_t place_end; ///< no session had a greater one when it began
    rp_agent_t *gone;   ///< copies of agents that went before their turn, by session, owned
    uint32_t world;     ///< place of the world whose bytes come next
    uint32_t row;
    uint64_t epoch; ///< none of the worlds that are in it is of a later one
} rp_checkpointer_t;

/// Begin one: a generation of the journal. All of `self` but `to.journal` is zero, or as the one
/// before left it. Time: O(shapes + remembered changes)
/// @return false when the journal cannot, or without memory
bool rp_checkpointer_begin(rp_checkpointer_t *self, const rp_serving_t *serving);

/// Write some 64 KiB more of one that is begun, or some hundred agents; `is_begun` ends with the
/// last piece.
/// @return false when the journal cannot: then it is given up
bool rp_checkpointer_step(rp_checkpointer_t *self, const rp_serving_t *serving);

/// An agent is about to go: what it was told is kept for its turn, if that is still to come.
/// @param agent  its last is taken then
/// @return false without memory: then the checkpoint is given up
bool rp_checkpointer_bury(rp_checkpointer_t *self, rp_agent_t *agent);

/// Give up the checkpoint, as a world was removed or resized.
void rp_checkpointer_drop(rp_checkpointer_t *self);

void rp_checkpointer_fini(rp_checkpointer_t *self);

#endif
