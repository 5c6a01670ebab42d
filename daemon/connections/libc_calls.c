/// Calls of the C library as ZeroMQ is to see them. The linker takes these for libzmq's calls, as
/// the program comes before libraries. What connections bring is counted from their first byte
/// (ingress.h).
///
///     accept4()    a connection whose peer has left is dropped, and newcomers come by rounds where
///                  there are many (accept_gate.h)
///     recv()       what ZeroMQ reads is counted first, or put off
///     close()      of a connection: it is counted no more
///     epoll_ctl()  ZeroMQ does not hear of connections that are not to be read from now
///     epoll_wait() the same, and not of the end of a connection
///
/// Where no descriptor is left ZeroMQ ends the process, if the connection came to a local socket
/// (libzmq issue 1306), and else asks again without pause. Told that the connection was given up by
/// its peer, it goes on in either case.
///
/// The system tells of the end of a connection whether somebody waits to read from it or not. Where
/// libzmq 4.3.4 does not, as the queue is full, it takes that for the end of its descriptor; when a
/// heartbeat is due then, or comes out of what it had read before, it ends the process
/// (`!_io_error`): whoever sends much and resets its connection would end everybody's daemon. So
/// the end is kept from it: to those who read it is something to read, too, by which they find it.
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "daemon/connections/ingress.h"

/// How long the connection stays where it is: by then the guard (guard.h) may have ended others.
#define PAUSE_NS 1000000L

/// Connections that are dropped at a time, as their peers are gone: a millisecond at most.
#define DROPPED_MOST 128u

#define ENDS ((uint32_t)(EPOLLERR | EPOLLHUP))

// As <sys/socket.h> has them, where the type of an address is one of the C library's own.
int accept4(int listener, void *address, unsigned *size, int flags);
ssize_t recv(int descriptor, void *bytes, size_t size, int flags);

/// The next connection that is to be served. @return as accept4()
static int accept_next(int listener, void *address, unsigned *size, int flags)
{
    const unsigned room = size != NULL ? *size : 0;
    for (unsigned i = 0; i < DROPPED_MOST; i++) {
        const int accepted = (int)syscall(SYS_accept4, listener, address, size, flags);
        if (accepted < 0 || rp_ingress_accepted(accepted)) {
            return accepted;
        }
        (void)close(accepted);
        if (size != NULL) {
            *size = room;
        }
    }
    errno = ECONNABORTED;
    return -1;
}

int accept4(int listener, void *address, unsigned *size, int flags)
{
    const int accepted = accept_next(listener, address, size, flags);
    int reason = errno;
    rp_ingress_end_turn(listener);
    if (accepted < 0 && (reason == EMFILE || reason == ENFILE)) {
        const struct timespec pause = {.tv_nsec = PAUSE_NS};
        (void)nanosleep(&pause, NULL);
        reason = ECONNABORTED;
    }
    errno = reason;
    return accepted;
}

ssize_t recv(int descriptor, void *bytes, size_t size, int flags)
{
    return rp_ingress_receive(descriptor, bytes, size, flags);
}

int close(int descriptor)
{
    rp_ingress_closed(descriptor);
    return (int)syscall(SYS_close, descriptor);
}

int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event)
{
    return rp_ingress_control(epoll, operation, descriptor, event);
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms)
{
    const int wait_ms = rp_ingress_go_on(epoll, timeout_ms);
    const int count = (int)syscall(SYS_epoll_pwait, epoll, events, most, wait_ms, NULL, (size_t)8);
    int hidden = 0;
    for (int i = 0; i < count; i++) {
        hidden += (events[i].events & ~ENDS) == 0;
        events[i].events &= ~ENDS;
    }
    if (count > 0 && hidden == count) {
        (void)sched_yield(); // it is told again until the queue has room
    }
    return count;
}
