/// A row a request.
#include "daemon/requests/request_table.h"

#include "daemon/requests/handlers/handle_agent.h"
#include "daemon/requests/handlers/handle_apply.h"
#include "daemon/requests/handlers/handle_list.h"
#include "daemon/requests/handlers/handle_order.h"
#include "daemon/requests/handlers/handle_overlay.h"
#include "daemon/requests/handlers/handle_query.h"
#include "daemon/requests/handlers/handle_stats.h"
#include "daemon/requests/handlers/handle_watch.h"
#include "daemon/requests/handlers/handle_world.h"
#include "daemon/requests/staged_request.h"
#include "daemon/serving/request_queue.h"

static bool refuse(rp_call_t *call)
{
    return rp_call_refuse(call, REPLAN__V1__STATUS__INVALID, "request.body is missing");
}

/// A request that only asks. It waits for what was told of poses and goals, as all do.
#define ASKS(NAME, HANDLE)                                                                         \
    {                                                                                              \
        .name = (NAME), .touches = RP_TOUCHES_REST, .handle = (HANDLE)                             \
    }

/// One that changes something, which is kept. IS_LONG: NULL when it never takes long.
#define WRITES(NAME, HANDLE, TOUCHES, IS_LONG)                                                     \
    {                                                                                              \
        .name = (NAME), .touches = (TOUCHES), .is_persisted = true, .is_long = (IS_LONG),          \
        .handle = (HANDLE)                                                                         \
    }

static const rp_request_kind_t unknown = ASKS("", refuse);

/// By the field of the body.
static const rp_request_kind_t table[] = {
    [REPLAN__V1__REQUEST__BODY_APPLY] =
        WRITES("apply", rp_handle_apply, RP_TOUCHES_MAP, rp_staged_request_has_many_bytes),
    [REPLAN__V1__REQUEST__BODY_CREATE_WORLD] =
        WRITES("create_world", rp_handle_create_world, RP_TOUCHES_MAP | RP_TOUCHES_REST,
               rp_staged_request_has_many_bytes),
    [REPLAN__V1__REQUEST__BODY_REMOVE_WORLD] =
        WRITES("remove_world", rp_handle_remove_world, RP_TOUCHES_MAP | RP_TOUCHES_REST,
               rp_staged_request_has_many_agents),
    [REPLAN__V1__REQUEST__BODY_RESIZE] =
        WRITES("resize", rp_handle_resize, RP_TOUCHES_MAP, rp_staged_request_has_large_window),
    [REPLAN__V1__REQUEST__BODY_OVERLAY] =
        WRITES("overlay", rp_handle_overlay, RP_TOUCHES_MAP, rp_staged_request_has_many_shapes),
    [REPLAN__V1__REQUEST__BODY_FORGIVE] =
        WRITES("forgive", rp_handle_forgive, RP_TOUCHES_MAP, NULL),
    [REPLAN__V1__REQUEST__BODY_OPEN_AGENT] =
        WRITES("open_agent", rp_handle_open_agent, RP_TOUCHES_REST, NULL),
    [REPLAN__V1__REQUEST__BODY_CLOSE_AGENT] =
        WRITES("close_agent", rp_handle_close_agent, RP_TOUCHES_REST, NULL),
    [REPLAN__V1__REQUEST__BODY_SET_POSE] =
        WRITES("set_pose", rp_handle_set_pose, RP_TOUCHES_REST, NULL),
    [REPLAN__V1__REQUEST__BODY_SET_POSES] =
        WRITES("set_poses", rp_handle_set_poses, RP_TOUCHES_REST, rp_staged_request_has_many_poses),
    [REPLAN__V1__REQUEST__BODY_SET_GOAL] =
        WRITES("set_goal", rp_handle_set_goal, RP_TOUCHES_REST, NULL),
    [REPLAN__V1__REQUEST__BODY_ORDER] =
        WRITES("order", rp_handle_order, RP_TOUCHES_REST, rp_staged_request_has_many_sent),
    [REPLAN__V1__REQUEST__BODY_LIST_WORLDS] = ASKS("list_worlds", rp_handle_list_worlds),
    [REPLAN__V1__REQUEST__BODY_LIST_AGENTS] = ASKS("list_agents", rp_handle_list_agents),
    [REPLAN__V1__REQUEST__BODY_LIST_SHAPES] = ASKS("list_shapes", rp_handle_list_shapes),
    [REPLAN__V1__REQUEST__BODY_LIST_PEERS] = ASKS("list_peers", rp_handle_list_peers),
    [REPLAN__V1__REQUEST__BODY_DELTAS_SINCE] = ASKS("deltas_since", rp_handle_deltas_since),
    [REPLAN__V1__REQUEST__BODY_GET_SNAPSHOT] = ASKS("get_snapshot", rp_handle_get_snapshot),
    [REPLAN__V1__REQUEST__BODY_WATCH] = ASKS("watch", rp_handle_watch),
    [REPLAN__V1__REQUEST__BODY_CREDIT] = ASKS("credit", rp_handle_credit),
    [REPLAN__V1__REQUEST__BODY_UNWATCH] = ASKS("unwatch", rp_handle_unwatch),
    [REPLAN__V1__REQUEST__BODY_GET_ANSWER] = ASKS("get_answer", rp_handle_get_answer),
    [REPLAN__V1__REQUEST__BODY_GET_STATS] = ASKS("get_stats", rp_handle_get_stats),
    [REPLAN__V1__REQUEST__BODY_ASK_COSTS] = ASKS("ask_costs", rp_handle_ask_costs),
    [REPLAN__V1__REQUEST__BODY_ASK_PROBE] = ASKS("ask_probe", rp_handle_ask_probe),
    [REPLAN__V1__REQUEST__BODY_ASK_FIELD] = ASKS("ask_field", rp_handle_ask_field),
    [REPLAN__V1__REQUEST__BODY_ASK_VALID] = ASKS("ask_valid", rp_handle_ask_valid),
    [REPLAN__V1__REQUEST__BODY_ASK_WHY] = ASKS("ask_why", rp_handle_ask_why),
};

const rp_request_kind_t *rp_request_table_find(const Replan__V1__Request *request)
{
    const size_t number = (size_t)request->body_case;
    return number < sizeof table / sizeof table[0] && table[number].handle != NULL ? &table[number]
                                                                                   : &unknown;
}

bool rp_request_table_handle(rp_call_t *call)
{
    return rp_request_table_find(call->request)->handle(call);
}
