/// Orders: one place for many agents, or one each; each has its part as a goal of its own.
#include "daemon/requests/handlers/handle_order.h"

#include "daemon/rules/agents.h"
#include "daemon/rules/leases.h"
#include "daemon/rules/state.h"
#include "daemon/serving/encode.h"

/// The sessions of an order, handles first. @return false with the refusal filled in
static bool find_ordered(const rp_serving_t *self, const Replan__V1__Order *order,
                         const rp_served_t *world, rp_agent_t **agents, rp_refusal_t *refusal)
{
    for (size_t i = 0; i < order->n_handles; i++) {
        agents[i] = rp_worlds_find_handle(&self->worlds, world, order->handles[i]);
        if (agents[i] == NULL) {
            return rp_refuse(refusal, REPLAN__V1__STATUS__UNKNOWN,
                             "order.handles[%zu]: world \"%s\" has no agent with handle %llu", i,
                             world->name, (unsigned long long)order->handles[i]);
        }
    }
    for (size_t i = 0; i < order->n_agents; i++) {
        agents[order->n_handles + i] = rp_worlds_find_agent(world, order->agents[i]);
        if (agents[order->n_handles + i] == NULL) {
            return rp_refuse(refusal, REPLAN__V1__STATUS__UNKNOWN,
                             "order.agents: there is no agent \"%s\" in world \"%s\"",
                             order->agents[i], world->name);
        }
    }
    return true;
}

/// Of one for all, or one each.
static size_t of_each(size_t count, size_t i)
{
    return count > 1 ? i : 0;
}

/// Its part of an order, as a goal of its own.
static void note_ordered(const rp_serving_t *self, const Replan__V1__Order *order,
                         rp_agent_t *agent, size_t i)
{
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    goal.n_x = goal.n_y = 1;
    goal.x = &order->x[of_each(order->n_x, i)];
    goal.y = &order->y[of_each(order->n_x, i)];
    goal.tolerance_m = order->tolerance_m;
    goal.nearest = order->nearest;
    goal.goal_id = order->n_goal_ids != 0 ? order->goal_ids[of_each(order->n_goal_ids, i)] : 0u;
    rp_agents_note_goal(self, agent, &goal);
}

/// An order was refused half-way, when some agents had their places: note that part of it.
static void note_part(rp_serving_t *self, const Replan__V1__Order *order, size_t count)
{
    Replan__V1__Order part = *order;
    part.n_handles = count < order->n_handles ? count : order->n_handles;
    part.n_agents = count - part.n_handles;
    part.n_x = part.n_y = order->n_x > 1 ? count : order->n_x;
    part.n_goal_ids = order->n_goal_ids > 1 ? count : order->n_goal_ids;
    if (count != 0) {
        rp_state_note_body(self, REPLAN__V1__REQUEST__BODY_ORDER, &part.base);
    }
}

/// Give each agent its place. When one cannot have it, those before it have theirs.
static bool send_ordered(rp_serving_t *self, const Replan__V1__Order *order, rp_agent_t **agents,
                         const rp_destination_t *places, rp_refusal_t *refusal)
{
    const rp_destination_t *rendezvous =
        order->n_x > 1 ? &places[rp_engine_middle(places, order->n_x)] : NULL;
    const rp_cause_t cause = {order->source_us, self->now.wall_us};
    for (size_t i = 0; i < order->n_handles + order->n_agents; i++) {
        const rp_aim_t aim = {
            .points = &places[of_each(order->n_x, i)],
            .count = 1,
            .tolerance_m = order->tolerance_m,
            .is_nearest = order->nearest,
            .goal_id = order->n_goal_ids != 0 ? order->goal_ids[of_each(order->n_goal_ids, i)] : 0u,
            .rendezvous = rendezvous,
        };
        rp_lease_renew(self, agents[i]);
        const rp_status_t status = rp_host_aim(self->host, agents[i]->session, &aim, cause);
        if (status != RP_OK) {
            note_part(self, order, i);
            return rp_agents_refuse_goal(status, agents[i], refusal);
        }
        agents[i]->target[0] = '\0';
        note_ordered(self, order, agents[i], i);
    }
    return true;
}

static bool take_order(rp_serving_t *self, const Replan__V1__Order *order, rp_refusal_t *refusal)
{
    const size_t count = order->n_handles + order->n_agents;
    const rp_served_t *world = rp_worlds_find(&self->worlds, order->world);
    rp_agent_t **agents = rp_message_arena_take(&self->arena, count * sizeof(rp_agent_t *));
    rp_destination_t *places = rp_message_arena_take(&self->arena, order->n_x * sizeof *places);
    if (world == NULL) {
        return rp_refuse(refusal, REPLAN__V1__STATUS__UNKNOWN,
                         "order.world: there is no world \"%s\"", order->world);
    }
    if (agents == NULL || places == NULL) {
        return rp_refuse(refusal, REPLAN__V1__STATUS__LIMIT, "order: %s",
                         rp_status_text(RP_E_MEMORY));
    }
    for (size_t i = 0; i < order->n_x; i++) {
        places[i] = (rp_destination_t){.x_m = order->x[i], .y_m = order->y[i]};
    }
    return find_ordered(self, order, world, agents, refusal) &&
           send_ordered(self, order, agents, places, refusal);
}

bool rp_handle_order(rp_call_t *call)
{
    const Replan__V1__Order *order = call->request->order;
    (void)take_order(call->serving, order, &call->refusal);
    return true;
}
