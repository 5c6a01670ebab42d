/// accept4() as ZeroMQ is to see it. Where no descriptor is left ZeroMQ ends the process, if the
/// connection came to a local socket (libzmq issue 1306), and else asks again without pause. Told
/// that the connection was given up by its peer, it goes on in either case. The linker takes this
/// one for libzmq's calls, as the program comes before libraries. What was accepted is counted from
/// its first byte (ingress.h).
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "daemon/connections/ingress.h"

/// How long the connection stays where it is: by then the guard (guard.h) may have ended others.
#define PAUSE_NS 1000000L

int accept4(int listener, void *address, unsigned *size, int flags);

int accept4(int listener, void *address, unsigned *size, int flags)
{
    const long accepted = syscall(SYS_accept4, listener, address, size, flags);
    if (accepted < 0 && (errno == EMFILE || errno == ENFILE)) {
        const struct timespec pause = {.tv_nsec = PAUSE_NS};
        (void)nanosleep(&pause, NULL);
        errno = ECONNABORTED;
    }
    if (accepted >= 0 && !rp_ingress_accepted((int)accepted)) {
        (void)close((int)accepted);
        errno = ECONNABORTED;
        return -1;
    }
    return (int)accepted;
}
