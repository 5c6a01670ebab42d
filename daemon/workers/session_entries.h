/// @file
/// Session entries: what the loop knows of each session that workers plan for. The loop owns poses,
/// the order of what a session is told, and the count of its answers; so a session can move to
/// another worker when it gets goals that a group there has. Verbs are those of host.h.
#ifndef REPLAN_DAEMON_WORKERS_SESSION_ENTRIES_H
#define REPLAN_DAEMON_WORKERS_SESSION_ENTRIES_H

#include "daemon/workers/worker_pool.h"

/// A session as the loop knows it, with a worker or not.
typedef struct rp_session_entry {
    rp_session_id_t session;
    rp_world_id_t world;
    rp_session_options_t options;
    char profile[RP_PROFILE_NAME_MAX + 1u]; ///< that the options name
    rp_polygon_body_t *footprint;           ///< that they name, owned; NULL: none
    rp_layer_use_t *layer;
    rp_session_group_t *group; ///< NULL: it was never given a goal, and nobody plans for it
    uint32_t
        number; ///< another one whenever another worker plans for it: late reports are told by it
    uint32_t replicas; ///< one bit a worker that is told its poses for chasers of its own
    rp_command_t pose; ///< the newest, as a command; void while its `seq` and place were never told
    bool has_pose;

    uint64_t path_seq;
    uint64_t last_published;            ///< version
    rp_answer_msg_t *newest;            ///< answer, owned; NULL: none
    bool follows;                       ///< its worker said nothing between that and the one before
    rp_past_answer_t past[RP_PAST_MAX]; ///< answer n at n % RP_PAST_MAX
    uint64_t look_wanted;               ///< ticket of the newest look; 0: none
    uint64_t looked;                    ///< ticket of the newest that was told
    uint64_t looked_us;                 ///< when that was
    uint64_t current_ticket; ///< ticket of the look that makes the answer current; 0: none
    bool is_news;            ///< stands in the list of those:
    struct rp_session_entry *prev;
    struct rp_session_entry *next;
} rp_session_entry_t;

rp_status_t rp_session_entries_open(rp_host_t *host, rp_world_id_t world,
                                    const rp_session_options_t *options, rp_session_id_t *session);
rp_status_t rp_session_entries_close(rp_host_t *host, rp_session_id_t session);
rp_status_t rp_session_entries_pose(rp_host_t *host, rp_session_id_t session,
                                    const rp_host_pose_t *pose, rp_cause_t cause);
rp_status_t rp_session_entries_aim(rp_host_t *host, rp_session_id_t session, const rp_aim_t *aim,
                                   rp_cause_t cause);
rp_status_t rp_session_entries_retarget(rp_host_t *host, rp_session_id_t session,
                                        rp_session_id_t target, rp_cause_t cause);
rp_status_t rp_session_entries_answer(const rp_host_t *host, rp_session_id_t session,
                                      rp_answer_t *answer);
uint64_t rp_session_entries_last_published(const rp_host_t *host, rp_session_id_t session);
size_t rp_session_entries_past(const rp_host_t *host, rp_session_id_t session,
                               rp_past_answer_t *past);
uint64_t rp_session_entries_look(rp_host_t *host, rp_session_id_t session);
bool rp_session_entries_has_looked(const rp_host_t *host, rp_session_id_t session, uint64_t ticket);
void rp_session_entries_hasten(rp_host_t *host, rp_session_id_t session);
bool rp_session_entries_is_current(rp_host_t *host, rp_session_id_t session);
bool rp_session_entries_next_answer(rp_host_t *host, rp_answer_t *answer);

/// @return NULL when there is no such session
rp_session_entry_t *rp_session_entries_find(const rp_worker_pool_t *self, rp_session_id_t session);

/// As rp_engine_judge_body(), with the layers that workers hold.
rp_status_t rp_session_entries_judge_body(const rp_host_t *host, rp_world_id_t world,
                                          const rp_body_t *body);

/// Have somebody plan for a session that has no goals yet, for queries about it.
/// @return RP_E_MEMORY
rp_status_t rp_session_entries_settle(rp_worker_pool_t *self, rp_session_entry_t *entry);

/// @param message  given, of a report
void rp_session_entries_take_answer(rp_worker_pool_t *self, rp_answer_msg_t *message);
void rp_session_entries_fini(rp_worker_pool_t *self);

#endif
