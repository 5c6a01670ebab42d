/// A row a request.
#include "daemon/requests/request_table.h"

#include "daemon/requests/handlers/handle_agent.h"
#include "daemon/requests/handlers/handle_apply.h"
#include "daemon/requests/handlers/handle_order.h"
#include "daemon/requests/handlers/handle_overlay.h"
#include "daemon/requests/handlers/handle_query.h"
#include "daemon/requests/handlers/handle_watch.h"
#include "daemon/requests/handlers/handle_world.h"
#include "daemon/requests/staged_request.h"
#include "daemon/serving/request_queue.h"

static bool is_short(const rp_serving_t *serving, const Replan__V1__Request *request, size_t size,
                     size_t long_from)
{
    (void)serving;
    (void)request;
    (void)size;
    (void)long_from;
    return false;
}

static bool refuse(rp_call_t *call)
{
    return rp_call_refuse(call, REPLAN__V1__STATUS__INVALID, "request.body is missing");
}

static const rp_request_kind_t unknown = {
    .name = "", .touches = RP_TOUCHES_AGENTS, .is_long = is_short, .handle = refuse};

/// By the field of the body.
static const rp_request_kind_t table[] = {
    [REPLAN__V1__REQUEST__BODY_APPLY] =
        {
            .name = "apply",
            .touches = RP_TOUCHES_MAP,
            .is_kept = true,
            .is_long = rp_staged_request_has_many_bytes,
            .handle = rp_handle_apply,
        },
    [REPLAN__V1__REQUEST__BODY_CREATE_WORLD] =
        {
            .name = "create_world",
            .touches = RP_TOUCHES_MAP | RP_TOUCHES_AGENTS,
            .is_kept = true,
            .is_long = rp_staged_request_has_many_bytes,
            .handle = rp_handle_create_world,
        },
    [REPLAN__V1__REQUEST__BODY_REMOVE_WORLD] =
        {
            .name = "remove_world",
            .touches = RP_TOUCHES_MAP | RP_TOUCHES_AGENTS,
            .is_kept = true,
            .is_long = is_short,
            .handle = rp_handle_remove_world,
        },
    [REPLAN__V1__REQUEST__BODY_RESIZE] =
        {
            .name = "resize",
            .touches = RP_TOUCHES_MAP,
            .is_kept = true,
            .is_long = rp_staged_request_has_large_window,
            .handle = rp_handle_resize,
        },
    [REPLAN__V1__REQUEST__BODY_OVERLAY] =
        {
            .name = "overlay",
            .touches = RP_TOUCHES_MAP,
            .is_kept = true,
            .is_long = rp_staged_request_has_many_shapes,
            .handle = rp_handle_overlay,
        },
    [REPLAN__V1__REQUEST__BODY_FORGIVE] =
        {
            .name = "forgive",
            .touches = RP_TOUCHES_MAP,
            .is_kept = true,
            .is_long = is_short,
            .handle = rp_handle_forgive,
        },
    [REPLAN__V1__REQUEST__BODY_OPEN_AGENT] =
        {
            .name = "open_agent",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = true,
            .is_long = is_short,
            .handle = rp_handle_open_agent,
        },
    [REPLAN__V1__REQUEST__BODY_CLOSE_AGENT] =
        {
            .name = "close_agent",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = true,
            .is_long = is_short,
            .handle = rp_handle_close_agent,
        },
    [REPLAN__V1__REQUEST__BODY_SET_POSE] =
        {
            .name = "set_pose",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = true,
            .is_long = is_short,
            .handle = rp_handle_set_pose,
        },
    [REPLAN__V1__REQUEST__BODY_SET_POSES] =
        {
            .name = "set_poses",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = true,
            .is_long = rp_staged_request_has_many_poses,
            .handle = rp_handle_set_poses,
        },
    [REPLAN__V1__REQUEST__BODY_SET_GOAL] =
        {
            .name = "set_goal",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = true,
            .is_long = is_short,
            .handle = rp_handle_set_goal,
        },
    [REPLAN__V1__REQUEST__BODY_ORDER] =
        {
            .name = "order",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = true,
            .is_long = is_short,
            .handle = rp_handle_order,
        },
    [REPLAN__V1__REQUEST__BODY_LIST_WORLDS] =
        {
            .name = "list_worlds",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = false,
            .is_long = is_short,
            .handle = rp_handle_list_worlds,
        },
    [REPLAN__V1__REQUEST__BODY_DELTAS_SINCE] =
        {
            .name = "deltas_since",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = false,
            .is_long = is_short,
            .handle = rp_handle_deltas_since,
        },
    [REPLAN__V1__REQUEST__BODY_GET_SNAPSHOT] =
        {
            .name = "get_snapshot",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = false,
            .is_long = is_short,
            .handle = rp_handle_get_snapshot,
        },
    [REPLAN__V1__REQUEST__BODY_WATCH] =
        {
            .name = "watch",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = false,
            .is_long = is_short,
            .handle = rp_handle_watch,
        },
    [REPLAN__V1__REQUEST__BODY_CREDIT] =
        {
            .name = "credit",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = false,
            .is_long = is_short,
            .handle = rp_handle_credit,
        },
    [REPLAN__V1__REQUEST__BODY_UNWATCH] =
        {
            .name = "unwatch",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = false,
            .is_long = is_short,
            .handle = rp_handle_unwatch,
        },
    [REPLAN__V1__REQUEST__BODY_GET_ANSWER] =
        {
            .name = "get_answer",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = false,
            .is_long = is_short,
            .handle = rp_handle_get_answer,
        },
    [REPLAN__V1__REQUEST__BODY_GET_STATS] =
        {
            .name = "get_stats",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = false,
            .is_long = is_short,
            .handle = rp_handle_get_stats,
        },
    [REPLAN__V1__REQUEST__BODY_ASK_COSTS] =
        {
            .name = "ask_costs",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = false,
            .is_long = is_short,
            .handle = rp_handle_ask_costs,
        },
    [REPLAN__V1__REQUEST__BODY_ASK_PROBE] =
        {
            .name = "ask_probe",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = false,
            .is_long = is_short,
            .handle = rp_handle_ask_probe,
        },
    [REPLAN__V1__REQUEST__BODY_ASK_FIELD] =
        {
            .name = "ask_field",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = false,
            .is_long = is_short,
            .handle = rp_handle_ask_field,
        },
    [REPLAN__V1__REQUEST__BODY_ASK_VALID] =
        {
            .name = "ask_valid",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = false,
            .is_long = is_short,
            .handle = rp_handle_ask_valid,
        },
    [REPLAN__V1__REQUEST__BODY_ASK_WHY] =
        {
            .name = "ask_why",
            .touches = RP_TOUCHES_AGENTS,
            .is_kept = false,
            .is_long = is_short,
            .handle = rp_handle_ask_why,
        },
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
