/// @file
/// The worlds that the daemon serves, and their agents, by the names of the wire.
#ifndef REPLAN_DAEMON_SERVING_WORLDS_H
#define REPLAN_DAEMON_SERVING_WORLDS_H

#include <uthash.h>

#include "base/histogram.h"
#include "replan/deferred_free.h"
#include "replan/engine.h"

#include "daemon/serving/deltas.h"
#include "daemon/serving/epochs.h"
#include "daemon/serving/handles.h"
#include "daemon/serving/publishers.h"
#include "daemon/workers/host.h"
#include "msgs/limits.h"
#include "store/last_request.h"

typedef struct rp_served rp_served_t;

typedef struct rp_agent {
    char name[RP_LIMIT_NAME + 1u];
    const char *planner; ///< its name, static text
    rp_served_t *world;
    rp_session_id_t session;
    uint64_t handle;                 ///< on the wire
    uint64_t opened;                 ///< agents that there had been by then, itself too
    char target[RP_LIMIT_NAME + 1u]; ///< whom it goes after, there or not; empty: nobody
    bool has_appeared;               ///< by a pose or a goal: nobody opened it
    bool bends;                      ///< what is published tells where its path bends
    bool segments;                   ///< what is published has the segments of its curve
    bool has_motion;
    bool has_yaw;                     ///< it was told once
    uint32_t headings;                ///< of its lattice, when it has motion
    rp_body_t body;                   ///< its profile is below
    char profile[RP_LIMIT_NAME + 1u]; ///< of its body; empty: the world's
    uint32_t lease_s;                 ///< 0: without end
    uint64_t heard_us;                ///< when somebody spoke of it last
    uint64_t answered_at;             ///< newest version of the world when it answered last
    struct rp_agent *answered_before; ///< in rp_served.answered
    struct rp_agent *answered_after;
    rp_last_request_agent_t last; ///< empty when nothing is kept on disk
    UT_hash_handle hh;
} rp_agent_t;

/// An agent in the order of opening.
typedef struct rp_opened_agent {
    uint64_t opened;   ///< as of the agent
    rp_agent_t *agent; ///< borrowed; NULL: it was closed
} rp_opened_agent_t;

typedef struct rp_opening_order {
    rp_opened_agent_t *list; ///< owned [count]
    size_t count;            ///< with the closed ones, which are at most half of them
    size_t capacity;
    uint32_t driving; ///< open ones with motion
} rp_opening_order_t;

/// What a head says that may become another.
typedef struct rp_head {
    uint64_t version;
    uint64_t settled;
    uint64_t durable;
    uint64_t left_out; ///< a hash of the sessions that are
    bool is_stale;
    bool is_hashed;
} rp_head_t;

/// Latencies of answers are those of the last period or two.
#define RP_LATENCY_PERIOD_US 60000000u

/// A world as the wire knows it.
struct rp_served {
    char name[RP_LIMIT_NAME + 1u];
    char frame_id[RP_LIMIT_FRAME_ID + 1u];
    const char *profile;        ///< the engine's
    rp_world_options_t options; ///< without data
    rp_world_id_t id;           ///< of the engine
    uint64_t epoch;
    uint64_t epoch_noted;     ///< that is in the journal; 0: none
    rp_epochs_t epochs;       ///< before it
    uint64_t changed_us;      ///< when the last change came
    uint32_t expect_every_ms; ///< how often one is expected; 0: not at all
    rp_deltas_t deltas;
    uint64_t published; ///< version up to which deltas went out on the paths socket
    rp_publishers_t publishers;
    uint64_t changes;                 ///< that were made here
    uint64_t cells;                   ///< that they stated
    uint64_t answers;                 ///< of its agents
    rp_recent_histogram_t latency_us; ///< of these, by RP_LATENCY_PERIOD_US
    rp_last_request_shapes_t shapes;  ///< empty when nothing is kept on disk
    uint64_t shape_bytes; ///< that those on it take, in one engine (daemon/rules/world_quota.h)
    uint64_t durable;     ///< version that is on the disk; 0: none
    uint64_t noted;       ///< version that is on its way there
    rp_agent_t *agents;   ///< by name, owned
    rp_opening_order_t openings; ///< the same, first opened first
    rp_agent_t *answered;        ///< those that have answered, by answered_at; utlist's
    uint32_t agent_count;
    bool has_chasers; ///< some agent was told to go after another one
    bool head_moved;  ///< since the last head
    uint64_t head_us; ///< when that was sent
    rp_head_t head;   ///< what it said
    UT_hash_handle hh;
};

typedef struct rp_worlds {
    rp_served_t *by_name;                     ///< owned
    rp_served_t *by_id[RP_LIMIT_WORLDS + 1u]; ///< by place of the engine's handle
    rp_agent_t **by_session;                  ///< by place of its session [session_capacity]
    size_t session_capacity;
    uint32_t count;
    uint64_t last_epoch;
    uint64_t first_version;                 ///< of the next world that opens; 0: 1
    const rp_kept_windows_t *first_windows; ///< of the next world that opens, borrowed; NULL: it
                                            ///< begins with window 1
    uint64_t opened;                        ///< agents that there have been
    uint64_t last_handle;                   ///< of the one that was opened last
    rp_handles_t handles;                   ///< of agents; tell it the time before one is opened
    rp_deferred_free_t deferred_free;       ///< what is left of agents of worlds that went
} rp_worlds_t;

void rp_worlds_fini(rp_worlds_t *self, rp_host_t *host);

/// Open a world under a name. @param now_us  wall clock: makes an epoch greater than any before
/// @param buffer  as of rp_host_open_world()
/// @return RP_E_EXISTS, RP_E_LIMIT, and what rp_engine_open_world() says
rp_status_t rp_worlds_open(rp_worlds_t *self, rp_host_t *host, const char *name,
                           const char *frame_id, const rp_world_options_t *options,
                           rp_shared_buffer_t *buffer, uint64_t now_us, rp_served_t **world);

/// Close it, its agents too. What they held is cleared away later.
void rp_worlds_close(rp_worlds_t *self, rp_host_t *host, rp_served_t *world);

/// Clear away some of what worlds have left. @return true when more is there
bool rp_worlds_clear(rp_worlds_t *self);

rp_served_t *rp_worlds_find(const rp_worlds_t *self, const char *name);

/// @param options  the planner's name is static text
/// @return RP_E_EXISTS, RP_E_LIMIT (agents of the world, or handles), and what rp_engine_open()
/// says
rp_status_t rp_worlds_open_agent(rp_worlds_t *self, rp_host_t *host, rp_served_t *world,
                                 const char *name, const rp_session_options_t *options,
                                 rp_agent_t **agent);
void rp_worlds_close_agent(rp_worlds_t *self, rp_host_t *host, rp_agent_t *agent);

rp_agent_t *rp_worlds_find_agent(const rp_served_t *world, const char *name);

/// The agent of this world that was opened first after the one with this number, closed or not.
/// The agents from there on follow by `hh.next`. Time: O(log agents), and a walk over closed ones
/// @param opened  as of an agent; 0: the first of all
/// @return NULL beyond the last
rp_agent_t *rp_worlds_opened_after(const rp_served_t *world, uint64_t opened);

/// The agent has a new answer. @param version  the world's newest
void rp_worlds_note_answered(rp_agent_t *agent, uint64_t version);

/// Iterate over the agents that gave a new answer at this version or later, the most recent first.
/// @param after  NULL for the first
/// @return NULL beyond the last
rp_agent_t *rp_worlds_next_answered(const rp_served_t *world, const rp_agent_t *after,
                                    uint64_t version);

/// The agent whose session has a place (rp_id_place()); NULL when there is none.
rp_agent_t *rp_worlds_agent_at(const rp_worlds_t *self, uint32_t place);

/// The agent of a session; NULL when there is none.
rp_agent_t *rp_worlds_agent_of(const rp_worlds_t *self, rp_session_id_t session);

/// The agent of this world that has a handle; NULL when it is gone, or another world's.
rp_agent_t *rp_worlds_find_handle(const rp_worlds_t *self, const rp_served_t *world,
                                  uint64_t handle);

/// When the world's map becomes stale, unless a change comes, steady; RP_NEVER_US: never.
uint64_t rp_worlds_stale_us(const rp_served_t *world);

#endif
