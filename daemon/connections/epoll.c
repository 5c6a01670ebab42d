/// epoll_ctl() and epoll_wait() as ZeroMQ is to see them: it does not hear of connections that are
/// not to be read from now (ingress.h). As accept.c, they stand before those of the C library.
///
/// The system tells of the end of a connection whether somebody waits to read from it or not.
/// Where libzmq 4.3.4 does not, as the queue is full, it takes that for the end of its descriptor;
/// when a heartbeat is due then, or comes out of what it had read before, it ends the process
/// (`!_io_error`): whoever sends much and resets its connection would end everybody's daemon. So
/// the end is kept from it: to those who read it is something to read, too, by which they find it.
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/connections/ingress.h"

#define ENDS ((uint32_t)(EPOLLERR | EPOLLHUP))

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
