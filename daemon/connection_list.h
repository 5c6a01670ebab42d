/// @file
/// Connections that there are, as the daemon lists them (rp_transport_t), and their numbers.
#ifndef REPLAN_DAEMON_CONNECTION_LIST_H
#define REPLAN_DAEMON_CONNECTION_LIST_H

#include "daemon/connections/guard.h"
#include "daemon/net/transport.h"

/// @param guard  of control, changes and poses, in this order; users of connections are their
/// numbers
/// @param list   written, the first of them [most]
/// @return how many there are
size_t rp_connection_list(const rp_guard_t *guard, rp_connection_t *list, size_t most);

/// Remember by which number a connection is known, to tell when it is gone. What came last of one
/// that is gone may be told under the descriptor of the next one, or the other way round.
/// @param from  the connection that a message seems to have come by; NULL: none
void rp_connection_note(rp_guarded_t *from, uint64_t number);

/// As the slot `address` of rp_transport_t.
void rp_connection_address(void *user, const rp_connection_t *connection, char *address,
                           size_t size);

#endif
