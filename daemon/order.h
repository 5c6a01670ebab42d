/// @file
/// Orders: what the reactor wants a worker to do, as plain structs. Those of one round travel
/// together as a parcel, with all that they point to; whoever holds the parcel owns it.
#ifndef REPLAN_DAEMON_ORDER_H
#define REPLAN_DAEMON_ORDER_H

#include "replan/engine.h"

#include "daemon/bulk.h"
#include "daemon/queue.h"
#include "msgs/codec.h"

typedef enum rp_order_kind {
    RP_ORDER_OPEN_WORLD, ///< the engine's verbs, on a world:
    RP_ORDER_CLOSE_WORLD,
    RP_ORDER_APPLY,
    RP_ORDER_OVERLAY,
    RP_ORDER_EXPIRE,
    RP_ORDER_RESIZE,
    RP_ORDER_OPEN, ///< on a session:
    RP_ORDER_CLOSE,
    RP_ORDER_POSE,
    RP_ORDER_AIM,
    RP_ORDER_RETARGET,
    RP_ORDER_SHADOW, ///< the session plans elsewhere: only its poses will be told, for chasers here
    RP_ORDER_UNSHADOW,
    RP_ORDER_LOOK,   ///< tell the session's answer as soon as it is sure
    RP_ORDER_HASTEN, ///< have it say something legal before
    RP_ORDER_ASK,
    RP_ORDER_WALK,
    RP_ORDER_FORGET,
} rp_order_kind_t;

/// A path of somebody's.
typedef struct rp_route {
    rp_session_id_t session;
    uint32_t start_x;
    uint32_t start_y;
    const uint8_t *steps; ///< directions [step_count]
    size_t step_count;
    uint64_t version; ///< newest of the world, echoed
} rp_route_t;

typedef struct rp_order {
    struct rp_order *next;
    rp_order_kind_t kind;
    uint32_t subject; ///< the world, the session by its wire handle, or the question
    rp_bulk_t *bulk;  ///< arrays that lie in it are not copied; held by a parcel; NULL: none
    rp_cause_t cause;
    union {
        const rp_world_options_t *world;
        const rp_edit_t *edit;
        const rp_overlay_edit_t *overlay;
        rp_window_t window;
        struct {
            const rp_session_options_t *options;
            rp_world_id_t world;
            uint32_t seat; ///< echoed with what the session says
        } open;            ///< and, without options, of a shadow
        struct {
            double x_m;
            double y_m;
            uint64_t seq;
        } pose;
        const rp_aim_t *aim;    ///< its target by its wire handle
        rp_session_id_t target; ///< the same
        uint64_t ticket;        ///< of a look, echoed
        struct {
            const rp_question_t *question; ///< its sessions by their wire handles
            rp_world_id_t world;
        } ask;
        const rp_route_t *walk;
    } with;
} rp_order_t;

/// The orders of one round. Time comes with them: a worker reads no clock.
typedef struct rp_parcel {
    rp_link_t link;
    rp_arena_t arena; ///< holds the orders and what they point to
    rp_order_t *first;
    rp_order_t **last;
    uint64_t now_us;
    bool settles; ///< every session is planned for before the next parcel is looked at
    bool is_end;  ///< the worker shall end
} rp_parcel_t;

/// @return NULL without memory
rp_parcel_t *rp_parcel_new(void);
void rp_parcel_destroy(rp_parcel_t **self);

/// A copy of an order and of all that it points to, not yet among those of the parcel.
/// @return NULL without memory
rp_order_t *rp_parcel_draft(rp_parcel_t *self, const rp_order_t *order);

/// It is one of them, the last.
void rp_parcel_add(rp_parcel_t *self, rp_order_t *order);

#endif
