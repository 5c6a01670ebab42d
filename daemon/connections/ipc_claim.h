/// @file
/// The right to a path of an `ipc://` endpoint, for as long as the process lives. libzmq removes
/// whatever stands at the path before it binds: a second daemon would take the endpoint over
/// without a word, as a socket's name in a folder may be replaced while somebody listens behind it.
/// So that it is refused, as on tcp:
///
/// - whoever listens there is asked: a socket that takes a connection is in use, also when its
///   process is stopped; one that was left behind by a dead process refuses;
/// - an abstract socket, which has no name in any folder and goes with its process, stands for the
///   folder and the file name: it holds though the path was removed meanwhile, and between two
///   daemons that start at the same time.
#ifndef REPLAN_DAEMON_CONNECTIONS_IPC_CLAIM_H
#define REPLAN_DAEMON_CONNECTIONS_IPC_CLAIM_H

#include <stdbool.h>
#include <stddef.h>

/// The socket that stands for a path; -1: none is needed.
typedef int rp_ipc_claim_t;
#define RP_NO_IPC_CLAIM (-1)

/// Claim the path of an endpoint, before it is bound. Other transports, abstract names
/// (`ipc://@..`) and `ipc://*` need no claim.
/// @param claim  written, until rp_ipc_claim_release()
/// @param error  written on failure: why it cannot be had [size]
/// @return false when another socket is listening there, here or in another process, or when
///         something stands there that is no socket
bool rp_ipc_claim(const char *endpoint, rp_ipc_claim_t *claim, char *error, size_t size);

void rp_ipc_claim_release(rp_ipc_claim_t *self);

#endif
