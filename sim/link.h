/// @file
/// Connection of the simulation to the daemon. Sends changes, poses and goals; receives deltas and
/// answers. Each answer goes to the checker with the world at the version that it names, to the
/// report, and to its agent.
#ifndef REPLAN_SIM_LINK_H
#define REPLAN_SIM_LINK_H

#include "sim/options.h"
#include "sim/run_report.h"
#include "sim/simulation.h"

#include "msgs/codec.h"

#include "replan/client.h"
#include "replan/mirror.h"

typedef enum rp_link_status {
    RP_LINK_OK = 0,
    RP_LINK_E_NO_DAEMON = -1,
    RP_LINK_E_REFUSED = -2,     ///< the daemon said no to something that must be
    RP_LINK_E_UNSUPPORTED = -3, ///< the planner cannot do this world
    RP_LINK_E_MEMORY = -4,
} rp_link_status_t;

typedef struct rp_link {
    rp_client_t *client; ///< owned
    rp_mirror_t mirror;
    const rp_options_t *options; ///< borrowed, as the next three
    rp_simulation_t *simulation;
    rp_checker_t *checker;
    rp_run_report_t *report;
    uint32_t watch;
    uint64_t version;        ///< newest of the world, by a head
    uint64_t settled;        ///< up to here all answers are true, nobody's left out, by a head
    uint64_t counted;        ///< version up to which changes are counted
    uint64_t applied;        ///< newest version that a change was acknowledged with
    rp_terrain_box_t window; ///< what the daemon knows of the grid
    uint32_t listener;       ///< number of the agent whose silence is looked at next
    bool *is_open;           ///< by agent: the daemon knows it; owned [agent_count]
    uint64_t *told_pose;     ///< newest pose_seq that was sent, owned [agent_count]
    uint64_t *told_goal;     ///< newest goal_id that was sent, owned [agent_count]
    void *zmq;               ///< context of the two publishers, owned; NULL without
    void *changes;           ///< publisher, owned; NULL: through control
    void *poses;             ///< publisher, owned; NULL: through control
    uint64_t incarnation;
    uint64_t sequence;
    rp_buffer_t packed; ///< scratch
    uint32_t *trail;    ///< scratch of one path, for a change may wait to be sent; owned
    size_t trail_capacity;
    uint32_t *cells; ///< scratch of one change, owned [cell_capacity]
    uint8_t *values; ///< scratch of one change, owned [cell_capacity]
    size_t cell_capacity;
    char sentence[256]; ///< what went wrong first; empty before
} rp_link_t;

/// Make the world, mirror it, open the agents.
/// @return any status; `sentence` says why. rp_link_close() in any case.
rp_link_status_t rp_link_open(rp_link_t *self, const rp_options_t *options,
                              rp_simulation_t *simulation, rp_checker_t *checker,
                              rp_run_report_t *report);

/// Take the world away again and hang up.
void rp_link_close(rp_link_t *self);

/// Send one change, and empty the list. Waits while the daemon's window is full.
rp_link_status_t rp_link_tell_change(rp_link_t *self, rp_edits_t *edits);

/// Send the poses and goals that are new; close agents that are away, open those that came back.
rp_link_status_t rp_link_tell_agents(rp_link_t *self);

/// Move the daemon's window to where the simulation's is: its new cells are unknown until they are
/// told. Optima that are owed are computed first, for the mirror forgets its past by that.
rp_link_status_t rp_link_tell_window(rp_link_t *self);

/// Ask how much the daemon has searched, if the simulation wants to know.
rp_link_status_t rp_link_ask_work(rp_link_t *self);

/// Cells of the mirror that are not as they were told.
size_t rp_link_differences(rp_link_t *self);

/// Write down for the simulation how things stand.
void rp_link_tell_line(rp_link_t *self);

/// Hear what came, waiting so long for the first of it.
rp_link_status_t rp_link_hear(rp_link_t *self, int timeout_ms);

/// All that was told is applied, and every answer to it was heard.
bool rp_link_is_quiet(const rp_link_t *self);

/// Remember what went wrong first. @return the status
rp_link_status_t rp_link_fail(rp_link_t *self, rp_link_status_t status, const char *what,
                              const char *why);

/// The same of a call through the client, in its words.
rp_link_status_t rp_link_fail_client(rp_link_t *self, rp_client_status_t status, const char *what);

/// Send a request whose reply is heard later. Waits while the daemon's window is full.
/// @param what  names it in a sentence
rp_link_status_t rp_link_send(rp_link_t *self, Replan__V1__Request *request, const char *what);

/// Send a message by a publisher.
/// @param agent  the topic's last part; NULL when it has none
rp_link_status_t rp_link_publish(rp_link_t *self, void *socket, const char *kind, const char *agent,
                                 const ProtobufCMessage *message);

/// The clock of all stamps, microseconds.
uint64_t rp_link_now_us(void);

#endif
