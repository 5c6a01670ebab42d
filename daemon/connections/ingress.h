/// @file
/// Ingress: what connections bring, counted as ZeroMQ's I/O thread reads it. ZeroMQ keeps the parts
/// of a message until its last, and whole messages until somebody takes them, and limits how long
/// a part is, not how many there are. So its recv() is ours (libc_calls.c): what came is
/// read (zmtp_reader.h) before ZeroMQ sees it, in the thread that would let it grow. Whatever the
/// scheduler does, no more comes in than was counted.
///
///     a message without end   is counted as memory. A connection that holds too much of such, or
///                             the heaviest when all of them do, is cut off: its recv() fails
///     long messages           are counted, when they are whole, until their socket's owner has
///                             taken them. While too many wait no more bytes of long ones are read;
///                             they stay in the system. ZeroMQ limits the number of others
///     after an offence        (a connection was cut off, or left much without its end) connections
///                             of that socket are read slowly that bring more than they have earned
///                             by whole messages: all such together so many bytes a second. So
///                             whoever comes again and again costs others next to nothing
///     new connections         come by rounds when there are many (accept_gate.h)
///
/// A connection that is not to be read from is one that ZeroMQ's epoll does not hear of.
///
/// Only connections that were accepted are counted. ZeroMQ has one I/O thread; what is said to be
/// of it is called by no other.
#ifndef REPLAN_DAEMON_CONNECTIONS_INGRESS_H
#define REPLAN_DAEMON_CONNECTIONS_INGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/types.h>

/// Sockets that one process may count.
#define RP_INGRESS_SOCKETS 8

/// Characters of an endpoint, the end included.
#define RP_INGRESS_ENDPOINT 256u

/// For so long after an offence those without trust are read slowly, so many bytes of memory a
/// second of all together.
#define RP_INGRESS_SUSPECT_MS   10000u
#define RP_INGRESS_SUSPECT_RATE ((uint64_t)16 << 20)

/// What a message takes: each frame so much, and each byte so often.
typedef struct rp_ingress_limits {
    uint64_t unfinished_one; ///< bytes of memory that one connection may hold without an end
    uint64_t unfinished_all; ///< that all may hold, of all sockets
    uint64_t unread;         ///< bytes of memory that may wait for the owner, in all its sockets
    uint64_t long_bytes;     ///< messages of so many bytes wait, and are waited for
    uint32_t frame_weight;
    uint32_t byte_weight;
    uint32_t piece;    ///< bytes read at a time: so long others wait
    uint64_t trusted;  ///< bytes of memory that each may bring after an offence as before
    bool keeps_wholes; ///< whole messages take memory for as long as their connection lives, too
} rp_ingress_limits_t;

/// To be called before the first socket is bound; later calls do nothing. Without it nothing is
/// counted.
/// @return false without memory
bool rp_ingress_open(void);

/// Count what comes to an endpoint. A socket of that name, of an earlier context, is forgotten.
/// @param owner  who takes its messages: what waits for one owner is counted together
/// @param limits  copied
/// @return its place; -1 when there are too many, or no descriptor
int rp_ingress_listen(const void *owner, const char *name, const char *endpoint,
                      const rp_ingress_limits_t *limits);

/// Speaks when the owner should look whether messages wait, and call rp_ingress_drained(): some
/// that were counted may have been dropped by ZeroMQ.
int rp_ingress_descriptor(int socket);

/// The owner took a message, and is done with it. @param bytes  of all its frames
void rp_ingress_taken(int socket, uint64_t frames, uint64_t bytes);

/// The owner found no whole message left.
void rp_ingress_drained(int socket);

/// A connection of it was cut off by somebody else.
void rp_ingress_offended(int socket);

/// Connections of a socket that were cut off, so far.
uint64_t rp_ingress_cut(int socket);

// ---- of the I/O thread

/// A connection was accepted. @return false: its peer has left it already, or it cannot be counted;
/// it is not to be served
bool rp_ingress_accepted(int descriptor);

/// A listener was asked for a connection.
void rp_ingress_end_turn(int listener);

/// As recv(). Where too much waits for the owner it fails with EAGAIN; when the connection is cut
/// off, with ECONNRESET.
ssize_t rp_ingress_receive(int descriptor, void *bytes, size_t size, int flags);

/// As epoll_ctl(). Any thread may call it for descriptors of its own.
int rp_ingress_control(int epoll, int operation, int descriptor, struct epoll_event *event);

/// Before epoll_wait(): who waited, and need not any more, is heard of again. Any thread may call
/// it for an epoll of its own.
/// @return how long the epoll may wait [ms], `timeout_ms` at most
int rp_ingress_go_on(int epoll, int timeout_ms);

/// It is about to be closed. Any thread may say that of its own descriptors.
void rp_ingress_closed(int descriptor);

#endif
