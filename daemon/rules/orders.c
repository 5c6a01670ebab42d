/// Orders, in slices: look for the agents, find their rendezvous, send them.
#include "daemon/rules/orders.h"

#include <math.h>
#include <stdlib.h>

#include "base/budget.h"
#include "daemon/rules/agents.h"
#include "daemon/rules/leases.h"
#include "daemon/rules/state.h"

/// Expansions that take as long as looking for an agent, and as giving it one cell as its goal.
#define FIND_PRICE 1u
#define SEND_PRICE 16u

/// Cells that are held against an area, and places of a rendezvous, in the time of an expansion.
#define AREA_EACH   4u
#define PLACES_EACH 16u

/// A side of the largest area in cells: larger ones are refused at once.
#define AREA_SIDE_MOST 1024.0

// ---- parts of an order

static size_t agents_of(const Replan__V1__Order *order)
{
    return order->n_handles + order->n_agents;
}

/// One for all, or one each.
static size_t of_each(size_t count, size_t i)
{
    return count > 1 ? i : 0;
}

static rp_destination_t place_of(const Replan__V1__Order *order, size_t i)
{
    return (rp_destination_t){.x_m = order->x[of_each(order->n_x, i)],
                              .y_m = order->y[of_each(order->n_x, i)]};
}

static uint64_t goal_id_of(const Replan__V1__Order *order, size_t i)
{
    return order->n_goal_ids != 0 ? order->goal_ids[of_each(order->n_goal_ids, i)] : 0u;
}

static double yaw_of(const Replan__V1__Order *order, size_t i)
{
    return order->n_yaw != 0 ? order->yaw[of_each(order->n_yaw, i)] : 0.0;
}

/// The agent of a turn, handles first. @return NULL: it is not there
static rp_agent_t *agent_of(const rp_serving_t *self, const rp_served_t *world,
                            const Replan__V1__Order *order, size_t i)
{
    return i < order->n_handles ? rp_worlds_find_handle(&self->worlds, world, order->handles[i])
                                : rp_worlds_find_agent(world, order->agents[i - order->n_handles]);
}

// ---- what an order takes

/// Expansions that take as long as sending one of its agents: an area is drawn for each.
static uint64_t price_of(const rp_served_t *world, const Replan__V1__Order *order)
{
    if (world == NULL || !(order->tolerance_m > 0.0)) {
        return SEND_PRICE;
    }
    const double radius = order->tolerance_m / world->options.frame.resolution_m;
    const double side = fmin(2.0 * radius + 1.0, AREA_SIDE_MOST);
    return SEND_PRICE + (uint64_t)(side * side) / AREA_EACH;
}

bool rp_orders_are_many(const rp_serving_t *self, const Replan__V1__Order *order, size_t count)
{
    const rp_served_t *world = rp_worlds_find(&self->worlds, order->world);
    return agents_of(order) * price_of(world, order) > (uint64_t)count * SEND_PRICE;
}

bool rp_order_is_taken(const rp_order_progress_t *self, const Replan__V1__Order *order)
{
    return self->sent == agents_of(order);
}

// ---- the journal

/// Note the agents from `first` on, before `end`, as an order of their own.
static void note_part(rp_serving_t *self, const Replan__V1__Order *order, size_t first, size_t end)
{
    const size_t handles = order->n_handles;
    const size_t first_handle = first < handles ? first : handles;
    Replan__V1__Order part = *order;
    part.handles += first_handle;
    part.n_handles = (end < handles ? end : handles) - first_handle;
    part.agents += first - first_handle;
    part.n_agents = end - first - part.n_handles;
    if (order->n_x > 1) {
        part.x += first;
        part.y += first;
        part.n_x = part.n_y = end - first;
    }
    if (order->n_goal_ids > 1) {
        part.goal_ids += first;
        part.n_goal_ids = end - first;
    }
    if (order->n_yaw > 1) {
        part.yaw += first;
        part.n_yaw = end - first;
    }
    if (end > first) {
        rp_state_note_body(self, REPLAN__V1__REQUEST__BODY_ORDER, &part.base);
    }
}

static void note_until(rp_serving_t *self, const Replan__V1__Order *order,
                       rp_order_progress_t *progress, size_t end)
{
    note_part(self, order, progress->noted, end);
    progress->noted = end;
}

// ---- slices

/// @return false with the refusal filled in
static bool find_agents(const rp_serving_t *self, const rp_served_t *world,
                        const Replan__V1__Order *order, rp_order_progress_t *progress,
                        uint64_t *budget, rp_refusal_t *refusal)
{
    const rp_aim_heading_t heading = rp_agents_heading(order->n_yaw, order->heading);
    for (; progress->found < agents_of(order) && *budget != 0; progress->found++) {
        const size_t i = progress->found;
        rp_budget_pay(budget, FIND_PRICE);
        const rp_agent_t *agent = agent_of(self, world, order, i);
        if (agent != NULL) {
            if (!rp_agents_can_face(agent, "order.yaw", heading, refusal)) {
                return false;
            }
            continue;
        }
        return i < order->n_handles
                   ? rp_refuse(refusal, REPLAN__V1__STATUS__UNKNOWN,
                               "order.handles[%zu]: world \"%s\" has no agent with handle %llu", i,
                               world->name, (unsigned long long)order->handles[i])
                   : rp_refuse(refusal, REPLAN__V1__STATUS__UNKNOWN,
                               "order.agents: there is no agent \"%s\" in world \"%s\"",
                               order->agents[i - order->n_handles], world->name);
    }
    return true;
}

/// Find where the paths of agents that go to many places come together.
/// @return false with the refusal filled in
static bool find_rendezvous(const Replan__V1__Order *order, rp_order_progress_t *progress,
                            uint64_t *budget, rp_refusal_t *refusal)
{
    if (order->n_x == 1 || progress->has_rendezvous) {
        return true;
    }
    rp_destination_t *places = malloc(order->n_x * sizeof *places);
    if (places == NULL) {
        return rp_refuse(refusal, REPLAN__V1__STATUS__LIMIT, "order: %s",
                         rp_status_text(RP_E_MEMORY));
    }
    for (size_t i = 0; i < order->n_x; i++) {
        places[i] = place_of(order, i);
    }
    progress->rendezvous = places[rp_engine_middle(places, order->n_x)];
    progress->has_rendezvous = true;
    free(places);
    rp_budget_pay(budget, order->n_x / PLACES_EACH);
    return true;
}

/// Keep its part of an order, as a goal of its own.
static void note_goal(const rp_serving_t *self, const Replan__V1__Order *order, rp_agent_t *agent,
                      size_t i)
{
    rp_destination_t place = place_of(order, i);
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    goal.n_x = goal.n_y = 1;
    goal.x = &place.x_m;
    goal.y = &place.y_m;
    goal.tolerance_m = order->tolerance_m;
    goal.nearest = order->nearest;
    goal.goal_id = goal_id_of(order, i);
    double yaw = yaw_of(order, i);
    goal.yaw = &yaw;
    goal.n_yaw = order->n_yaw != 0 ? 1u : 0u;
    goal.heading = order->heading;
    goal.yaw_tolerance = order->yaw_tolerance;
    rp_agents_note_goal(self, agent, &goal);
}

/// Give an agent its goal. @return false with the refusal filled in
static bool send_agent(rp_serving_t *self, const Replan__V1__Order *order,
                       const rp_order_progress_t *progress, rp_agent_t *agent,
                       rp_refusal_t *refusal)
{
    const rp_destination_t place = place_of(order, progress->sent);
    const rp_cause_t cause = {order->source_us, self->now.wall_us};
    const rp_aim_t aim = {
        .points = &place,
        .count = 1,
        .tolerance_m = order->tolerance_m,
        .is_nearest = order->nearest,
        .goal_id = goal_id_of(order, progress->sent),
        .heading = rp_agents_heading(order->n_yaw, order->heading),
        .yaw = yaw_of(order, progress->sent),
        .yaw_tolerance = order->yaw_tolerance,
        .rendezvous = progress->has_rendezvous ? &progress->rendezvous : NULL,
    };
    rp_lease_renew(self, agent);
    const rp_status_t status = rp_host_aim(self->host, agent->session, &aim, cause);
    if (status != RP_OK) {
        return rp_agents_refuse_goal(status, agent, refusal);
    }
    agent->target[0] = '\0';
    note_goal(self, order, agent, progress->sent);
    return true;
}

/// @return false with the refusal filled in: the agents before have their goals
static bool send_agents(rp_serving_t *self, const rp_served_t *world,
                        const Replan__V1__Order *order, rp_order_progress_t *progress,
                        uint64_t *budget, rp_refusal_t *refusal)
{
    const uint64_t price = price_of(world, order);
    bool is_sent = true;
    for (; progress->sent < agents_of(order) && *budget != 0; progress->sent++) {
        rp_agent_t *agent = agent_of(self, world, order, progress->sent);
        rp_budget_pay(budget, price);
        if (agent == NULL) { // its lease ended meanwhile
            note_until(self, order, progress, progress->sent);
            progress->noted++;
            continue;
        }
        is_sent = send_agent(self, order, progress, agent, refusal);
        if (!is_sent) {
            break;
        }
    }
    note_until(self, order, progress, progress->sent);
    return is_sent;
}

bool rp_orders_take(rp_serving_t *self, const Replan__V1__Order *order,
                    rp_order_progress_t *progress, uint64_t *budget, rp_refusal_t *refusal)
{
    const rp_served_t *world = rp_worlds_find(&self->worlds, order->world);
    if (world == NULL) {
        return rp_refuse(refusal, REPLAN__V1__STATUS__UNKNOWN,
                         "order.world: there is no world \"%s\"", order->world);
    }
    if (!find_agents(self, world, order, progress, budget, refusal)) {
        return false;
    }
    if (progress->found < agents_of(order) || *budget == 0) {
        return true;
    }
    return find_rendezvous(order, progress, budget, refusal) &&
           send_agents(self, world, order, progress, budget, refusal);
}
