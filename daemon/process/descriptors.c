/// getsockopt(), getsockname(), ioctl().
#include "daemon/process/descriptors.h"

#include <linux/sockios.h>
#include <linux/tcp.h> // <netinet/tcp.h> knows nothing of tcpi_bytes_received
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

uint64_t rp_descriptor_cookie(int descriptor)
{
    uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    return getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

uint16_t rp_descriptor_port(const char *endpoint)
{
    const char *colon = strncmp(endpoint, "tcp://", 6) == 0 ? strrchr(endpoint, ':') : NULL;
    return colon != NULL ? (uint16_t)strtoul(colon + 1, NULL, 10) : 0;
}

bool rp_descriptor_is_to(int descriptor, uint16_t port)
{
    union {
        struct sockaddr any;
        struct sockaddr_in ip4;
        struct sockaddr_in6 ip6;
        struct sockaddr_un local;
    } name = {.any.sa_family = AF_UNSPEC};
    socklen_t size = sizeof name;
    if (getsockname(descriptor, &name.any, &size) != 0) {
        return false;
    }
    switch (name.any.sa_family) {
    case AF_INET:
        return ntohs(name.ip4.sin_port) == port;
    case AF_INET6:
        return ntohs(name.ip6.sin6_port) == port;
    default:
        return name.any.sa_family == AF_UNIX && port == 0;
    }
}

uint64_t rp_descriptor_waiting(int descriptor)
{
    int bytes = 0;
    return ioctl(descriptor, SIOCINQ, &bytes) == 0 && bytes > 0 ? (uint64_t)bytes : 0;
}

uint64_t rp_descriptor_received(int descriptor)
{
    struct tcp_info info;
    socklen_t size = sizeof info;
    memset(&info, 0, sizeof info);
    return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0
               ? info.tcpi_bytes_received
               : 0;
}

void rp_descriptor_end(int descriptor)
{
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};
    (void)setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    (void)shutdown(descriptor, SHUT_RDWR);
    uint8_t dropped[4096];
    while (recv(descriptor, dropped, sizeof dropped, MSG_DONTWAIT) > 0) {
    }
}
