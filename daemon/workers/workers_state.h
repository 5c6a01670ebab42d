/// @file
/// What the files of rp_workers_t share; nobody else includes this.
#ifndef REPLAN_DAEMON_WORKERS_WORKERS_STATE_H
#define REPLAN_DAEMON_WORKERS_WORKERS_STATE_H

#include "daemon/workers/command_batch.h"
#include "daemon/workers/worker.h"
#include "daemon/workers/workers.h"

/// A session as the reactor knows it, with a worker or not.
typedef struct rp_session_entry {
    rp_session_id_t session;
    rp_world_id_t world;
    rp_session_options_t options;
    char profile[RP_PROFILE_NAME_MAX + 1u]; ///< that the options name
    rp_layer_use_t *layer;
    rp_session_group_t *group; ///< NULL: it was never given a goal, and nobody plans for it
    uint32_t number;   ///< another one wherever it is seated anew: late reports are told by it
    uint32_t replicas; ///< one bit a worker that is told its poses for chasers of its own
    rp_command_t pose; ///< the newest, as a command; void while its `seq` and place were never told
    bool has_pose;

    uint64_t path_seq;
    uint64_t last_said;          ///< version
    rp_answer_msg_t *told;       ///< the newest answer, owned; NULL: none
    bool follows;                ///< its worker said nothing between that and the one before
    rp_said_t past[RP_PAST_MAX]; ///< answer n at n % RP_PAST_MAX
    uint64_t look_wanted;        ///< ticket of the newest look; 0: none
    uint64_t looked;             ///< ticket of the newest that was told
    uint64_t looked_us;          ///< when that was
    uint64_t freshening;         ///< ticket of the look that makes the answer fresh; 0: none
    bool is_news;                ///< stands in the list of those:
    struct rp_session_entry *prev;
    struct rp_session_entry *next;
} rp_session_entry_t;

/// A worker as the reactor sees it.
typedef struct rp_worker_proxy {
    rp_worker_t *worker;
    rp_command_batch_t *batch; ///< commands of this round, owned; NULL: none yet
    uint64_t sent;             ///< batches
    uint64_t done;             ///< of these, reported
    bool is_busy;
    uint64_t next_us;                       ///< when it wants to be told the time
    uint64_t tick_us;                       ///< when it was told last
    rp_effort_t effort;                     ///< as it reported last
    uint64_t settled[RP_LIMIT_WORLDS + 1u]; ///< as it reported last, and who is left out, owned:
    rp_overdue_t *overdue;
    uint64_t opened_at[RP_LIMIT_WORLDS + 1u]; ///< by world, `sent` when it came to be
} rp_worker_proxy_t;

/// A question that was asked.
typedef struct rp_pending_query {
    rp_query_id_t id;    ///< 0: none
    rp_query_id_t local; ///< without workers: the engine's number
    unsigned parts_left; ///< workers that still look
    uint8_t *owners;     ///< of a probe of several: worker of each session, owned [session_count]
    size_t session_count;
    unsigned pair_owner;      ///< worker that looks for the pairs
    rp_query_report_t *found; ///< owned; filled part by part
    rp_query_report_t lent;   ///< without workers: the engine's own arrays
} rp_pending_query_t;

struct rp_workers {
    rp_engine_t *ground;
    unsigned count;
    rp_mailbox_t reports;
    rp_worker_proxy_t proxies[RP_WORKERS_MAX];
    rp_assignment_t assignment;
    rp_session_entry_t **entries; ///< by session, owned [entry_capacity]
    uint32_t entry_capacity;
    uint32_t last_number;
    uint64_t last_ticket;
    rp_session_entry_t *news; ///< whose answer nobody has taken, oldest first
    rp_pending_query_t asked[RP_QUERIES_MAX];
    rp_query_id_t last_ask;
    uint64_t settled[RP_LIMIT_WORLDS + 1u]; ///< by world, as it was said last
    uint64_t now_us;
    uint64_t slices; ///< of planning so far
};

/// Commands to several workers that are sent together or not at all.
typedef struct rp_fanout {
    unsigned workers[2u * RP_WORKERS_MAX];
    rp_command_t *commands[2u * RP_WORKERS_MAX]; ///< NULL: there was no memory
    unsigned count;
    bool lacks_memory;
} rp_fanout_t;

/// Add a copy of a command.
void rp_fanout_add(rp_workers_t *self, rp_fanout_t *fanout, unsigned worker,
                   const rp_command_t *command);

/// Add one for each worker.
void rp_fanout_add_all(rp_workers_t *self, rp_fanout_t *fanout, const rp_command_t *command);

/// They go out with the batches of this round.
void rp_fanout_send(rp_workers_t *self, const rp_fanout_t *fanout);

// session_entries.c
rp_session_entry_t *rp_session_entry_of(const rp_workers_t *self, rp_session_id_t session);

/// Have somebody plan for a session that has no goals yet, for questions about it.
/// @return RP_E_MEMORY
rp_status_t rp_session_entry_settle(rp_workers_t *self, rp_session_entry_t *entry);
void rp_session_entry_take_answer(rp_workers_t *self, rp_answer_msg_t *told);
void rp_session_entries_fini(rp_workers_t *self);

// pending_queries.c
void rp_pending_queries_take_report(rp_workers_t *self, unsigned worker, rp_query_report_t *found);
void rp_pending_queries_fini(rp_workers_t *self);

#endif
