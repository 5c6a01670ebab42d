/// @file
/// Portions: sends a world or a window that is too large for one message. The request carries no
/// bytes and fills the cells with a byte that blocks; changes of a few rows each follow. So no path
/// runs through cells that were not sent yet.
#ifndef REPLAN_CLIENTS_C_PORTIONS_H
#define REPLAN_CLIENTS_C_PORTIONS_H

#include "replan/client.h"

/// Bytes of one change.
#define RP_PORTION_BYTES (8u << 20)

/// True when a CreateWorld or a Resize has more bytes than a message holds, as many as its sides
/// say: rp_portions_call() can make it.
bool rp_portions_are_needed(const Replan__V1__Request *request);

/// Make it, by several calls, each with the deadline of the request. When one fails the rest of the
/// bytes is not stated, and the cells that it was for block.
/// @param request  borrowed; its id becomes that of the last call
/// @param reply    that of the last call; may be NULL
/// @return as rp_client_call()
rp_client_status_t rp_portions_call(rp_client_t *client, Replan__V1__Request *request,
                                    const Replan__V1__Reply **reply);

#endif
