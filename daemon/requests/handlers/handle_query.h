/// @file
/// GetAnswer, AskCosts, AskProbe, AskField, AskValid. Each handler finds its checked
/// message in `call->request`, and returns true when the reply is ready (call.h).
#ifndef REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_QUERY_H
#define REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_QUERY_H

#include "daemon/requests/handlers/call.h"

bool rp_handle_get_answer(rp_call_t *call);
bool rp_handle_ask_costs(rp_call_t *call);
bool rp_handle_ask_probe(rp_call_t *call);
bool rp_handle_ask_field(rp_call_t *call);
bool rp_handle_ask_valid(rp_call_t *call);

/// Reply with the agent's answer.
/// @param agent  NULL: it was closed meanwhile
/// @param bends  it tells where its path bends
/// @param segments  it has the segments of its curve
void rp_finish_answer(rp_call_t *call, const rp_agent_t *agent, bool bends, bool segments);

/// Reply with what was found.
void rp_finish_query(rp_call_t *call, const rp_served_t *world, const rp_pending_reply_t *wait);

/// A peer is gone: its queries are over.
void rp_forget_queries(rp_serving_t *self, const rp_peer_t *peer);

#endif
