/// recv() and close() as ZeroMQ is to see them: what it reads is counted first (ingress.h). As
/// accept.c, they stand before those of the C library.
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/connections/ingress.h"

ssize_t recv(int descriptor, void *bytes, size_t size, int flags)
{
    return rp_ingress_receive(descriptor, bytes, size, flags);
}

int close(int descriptor)
{
    rp_ingress_closed(descriptor);
    return (int)syscall(SYS_close, descriptor);
}
