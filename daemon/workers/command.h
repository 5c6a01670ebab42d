/// @file
/// What the reactor wants a worker to do, as a plain struct.
#ifndef REPLAN_DAEMON_WORKERS_COMMAND_H
#define REPLAN_DAEMON_WORKERS_COMMAND_H

#include "replan/engine.h"

#include "daemon/net/shared_buffer.h"
#include "daemon/workers/query_report.h"

typedef enum rp_command_kind {
    RP_COMMAND_OPEN_WORLD, ///< the engine's verbs, on a world:
    RP_COMMAND_CLOSE_WORLD,
    RP_COMMAND_APPLY,
    RP_COMMAND_OVERLAY,
    RP_COMMAND_EXPIRE,
    RP_COMMAND_RESIZE,
    RP_COMMAND_OPEN, ///< on a session:
    RP_COMMAND_CLOSE,
    RP_COMMAND_POSE,
    RP_COMMAND_AIM,
    RP_COMMAND_RETARGET,
    RP_COMMAND_OPEN_REPLICA, ///< the session plans elsewhere: only its poses will be told, for
                             ///< chasers here
    RP_COMMAND_CLOSE_REPLICA,
    RP_COMMAND_LOOK,   ///< tell the session's answer as soon as it is sure
    RP_COMMAND_HASTEN, ///< have it say something legal before
    RP_COMMAND_ASK,
    RP_COMMAND_WALK,
    RP_COMMAND_FORGET,
} rp_command_kind_t;

typedef struct rp_order {
    struct rp_order *next;
    rp_command_kind_t kind;
    uint64_t subject; ///< the world, the session by its wire handle, or the question
    rp_shared_buffer_t
        *buffer; ///< arrays that lie in it are not copied; held by a batch; NULL: none
    rp_cause_t cause;
    union {
        const rp_world_options_t *world;
        const rp_edit_t *edit;
        const rp_overlay_edit_t *overlay;
        rp_window_t window;
        struct {
            const rp_session_options_t *options;
            rp_world_id_t world;
            uint32_t entry; ///< echoed with what the session says
        } open;             ///< and, without options, of a replica
        struct {
            double x_m;
            double y_m;
            double yaw; ///< no number: the last one
            uint64_t seq;
        } pose;
        const rp_aim_t *aim;    ///< its target by its wire handle
        rp_session_id_t target; ///< the same
        uint64_t ticket;        ///< of a look, echoed
        uint64_t until_us;      ///< shapes go that have expired by then; a batch may be later
        struct {
            const rp_question_t *question; ///< its sessions by their wire handles
            rp_world_id_t world;
        } ask;
        const rp_route_t *walk;
    } with;
} rp_command_t;

#endif
