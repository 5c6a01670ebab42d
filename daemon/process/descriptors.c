/// getsockopt(), getsockname(), getpeername(), poll(), shutdown().
#include "daemon/process/descriptors.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
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

typedef union socket_name {
    struct sockaddr any;
    struct sockaddr_in ip4;
    struct sockaddr_in6 ip6;
    struct sockaddr_un local;
} socket_name_t;

bool rp_descriptor_is_to(int descriptor, const char *endpoint)
{
    socket_name_t name;
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

bool rp_descriptor_listens(int descriptor)
{
    int listens = 0;
    socklen_t size = sizeof listens;
    return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0;
}

bool rp_descriptor_is_left(int descriptor)
{
    struct pollfd spoken = {.fd = descriptor, .events = POLLRDHUP};
    return poll(&spoken, 1, 0) != 0;
}

void rp_descriptor_peer(int descriptor, char *address, size_t size)
{
    socket_name_t name;
    struct ucred process;
    char host[INET6_ADDRSTRLEN] = "";
    socklen_t name_size = sizeof name;
    socklen_t process_size = sizeof process;
    address[0] = '\0';
    memset(&name, 0, sizeof name);
    if (getpeername(descriptor, &name.any, &name_size) != 0) {
        return;
    }
    if (name.any.sa_family == AF_INET &&
        inet_ntop(AF_INET, &name.ip4.sin_addr, host, sizeof host) != NULL) {
        (void)snprintf(address, size, "%s:%u", host, ntohs(name.ip4.sin_port));
    } else if (name.any.sa_family == AF_INET6 &&
               inet_ntop(AF_INET6, &name.ip6.sin6_addr, host, sizeof host) != NULL) {
        (void)snprintf(address, size, "[%s]:%u", host, ntohs(name.ip6.sin6_port));
    } else if (name.any.sa_family == AF_UNIX &&
               getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &process, &process_size) == 0) {
        (void)snprintf(address, size, "pid %d", (int)process.pid);
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
