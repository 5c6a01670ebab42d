/// @file
/// Reports: what a worker has to say after a step. Given whole to the reactor.
#ifndef REPLAN_DAEMON_WORKERS_REPORT_H
#define REPLAN_DAEMON_WORKERS_REPORT_H

#include "replan/engine.h"

#include "daemon/process/mailbox.h"
#include "daemon/workers/host.h"
#include "msgs/limits.h"

/// An answer of a session.
typedef struct rp_answer_msg {
    struct rp_answer_msg *next;
    rp_session_id_t session; ///< by its wire handle
    uint32_t entry;          ///< as it was opened with
    uint64_t ticket;         ///< of the look that asked for it; 0: it is news
    rp_answer_t answer;      ///< of the worker's engine; its curve, legs, steps and way stand
                             ///< below
    rp_past_answer_t past;   ///< the newest of its past
    uint64_t number;         ///< path_seq of the worker's engine
    uint64_t last_published; ///< version
    rp_path_segment_t segments[];
} rp_answer_msg_t;

/// A session that is left out of what is settled.
typedef struct rp_overdue {
    struct rp_overdue *next;
    rp_world_id_t world;
    rp_session_id_t session; ///< by its wire handle
    uint32_t entry;          ///< as it was opened with
} rp_overdue_t;

void rp_overdue_destroy(rp_overdue_t **self);

typedef struct rp_report {
    rp_mailbox_link_t link;
    unsigned worker;
    uint64_t done;                                ///< batches that it has taken in
    uint64_t done_bytes;                          ///< their `buffer_bytes`, of all together
    bool is_busy;                                 ///< its engine stopped for its budget
    uint64_t next_us;                             ///< when it wants to be told the time
    rp_effort_t effort;                           ///< as rp_engine_effort()
    rp_answer_msg_t *answers;                     ///< owned, oldest first
    rp_query_report_t *queries;                   ///< owned
    rp_progress_t progress[RP_LIMIT_WORLDS + 1u]; ///< by world; `settled` leaves these out:
    rp_overdue_t *overdue;                        ///< owned
} rp_report_t;

void rp_report_destroy(rp_report_t **self);

#endif
