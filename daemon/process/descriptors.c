/// getsockopt(), getsockname(), shutdown().
#include "daemon/process/descriptors.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

/// What waits to be read may be some MiB.
#define DROPPED_BYTES (64u << 10)

uint64_t rp_descriptor_cookie(int descriptor)
{
    uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    return getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

/// The port of an endpoint tcp://HOST:PORT. @return 0: it is a local one
static uint16_t port_of(const char *endpoint)
{
    const char *colon = strncmp(endpoint, "tcp://", 6) == 0 ? strrchr(endpoint, ':') : NULL;
    return colon != NULL ? (uint16_t)strtoul(colon + 1, NULL, 10) : 0;
}

/// @param name  of an abstract socket it begins with a zero, of an endpoint with an @
static bool is_path(const struct sockaddr_un *name, const char *endpoint)
{
    const char *path = strncmp(endpoint, "ipc://", 6) == 0 ? endpoint + 6 : "";
    const char first = path[0] == '@' ? '\0' : path[0];
    return path[0] != '\0' && name->sun_path[0] == first &&
           strncmp(name->sun_path + 1, path + 1, sizeof name->sun_path - 1u) == 0;
}

bool rp_descriptor_is_to(int descriptor, const char *endpoint)
{
    union {
        struct sockaddr any;
        struct sockaddr_in ip4;
        struct sockaddr_in6 ip6;
        struct sockaddr_un local;
    } name;
    socklen_t size = sizeof name;
    memset(&name, 0, sizeof name);
    if (getsockname(descriptor, &name.any, &size) != 0) {
        return false;
    }
    switch (name.any.sa_family) {
    case AF_INET:
        return ntohs(name.ip4.sin_port) == port_of(endpoint);
    case AF_INET6:
        return ntohs(name.ip6.sin6_port) == port_of(endpoint);
    default:
        return name.any.sa_family == AF_UNIX && is_path(&name.local, endpoint);
    }
}

void rp_descriptor_end(int descriptor)
{
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};
    (void)setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    (void)shutdown(descriptor, SHUT_RDWR);
    uint8_t dropped[DROPPED_BYTES];
    while (recvfrom(descriptor, dropped, sizeof dropped, MSG_DONTWAIT | MSG_TRUNC, NULL, NULL) >
           0) { // over tcp without a copy
    }
}
