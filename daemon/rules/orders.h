/// @file
/// Orders: many agents are sent at once, all to one place or each to its own. A long order is taken
/// in slices: first every agent is looked for, so that one that is not there refuses the order
/// before any agent sets out; then each gets its goal.
#ifndef REPLAN_DAEMON_RULES_ORDERS_H
#define REPLAN_DAEMON_RULES_ORDERS_H

#include "daemon/serving/serving.h"

/// How far an order has been taken.
typedef struct rp_order_progress {
    size_t found; ///< agents that were looked for, and were there
    size_t sent;  ///< agents that have their goals, or had gone by their turn
    size_t noted; ///< of these, agents that the journal knows of
    bool has_rendezvous;
    rp_destination_t rendezvous; ///< of an order with a place for each agent
} rp_order_progress_t;

/// True when sending the agents takes longer than giving a plain goal to `count` of them. The order
/// may be unchecked.
bool rp_orders_are_many(const rp_serving_t *self, const Replan__V1__Order *order, size_t count);

/// True when every agent of the order had its turn.
bool rp_order_is_taken(const rp_order_progress_t *self, const Replan__V1__Order *order);

/// Go on with an order. What was done is noted in the journal before this returns: an order that is
/// never finished is kept as far as it went. An agent that closes between two slices is passed
/// over.
/// @param progress  zeroed before the first call
/// @param budget    counted down, in expansions that take as long
/// @return false with the refusal filled in: no agent set out, or those before the agent that is
/// named
bool rp_orders_take(rp_serving_t *self, const Replan__V1__Order *order,
                    rp_order_progress_t *progress, uint64_t *budget, rp_refusal_t *refusal);

#endif
