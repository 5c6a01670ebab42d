/// Order: many agents, each with a goal of its own.
#include "daemon/requests/handlers/handle_order.h"

#include "daemon/rules/orders.h"

bool rp_handle_order(rp_call_t *call)
{
    rp_order_progress_t whole = {0};
    rp_order_progress_t *progress = call->prepared != NULL ? &call->prepared->order : &whole;
    uint64_t budget = UINT64_MAX;
    call->is_noted = true;
    (void)rp_orders_take(call->serving, call->request->order, progress, &budget, &call->refusal);
    return true;
}
