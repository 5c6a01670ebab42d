/// Two sockets of the unix family: one that asks, one that stands for a path.
#include "daemon/connections/ipc_claim.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/net/siphash.h"

#define SCHEME "ipc://"

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, strlen(path)); // shorter than sun_path, see rp_ipc_claim()
    return address;
}

/// @return 0 when it was connected to, else the error
static int try_to_connect(const struct sockaddr_un *address, socklen_t size, struct ucred *owner)
{
    const int asking = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (asking < 0) {
        return errno;
    }
    const int error = connect(asking, (const struct sockaddr *)address, size) == 0 ? 0 : errno;
    socklen_t room = sizeof *owner;
    if (error == 0 && owner != NULL &&
        getsockopt(asking, SOL_SOCKET, SO_PEERCRED, owner, &room) != 0) {
        owner->uid = 0;
    }
    (void)close(asking);
    return error;
}

/// What stands at a path may be removed. @return false with the reason when not
static bool is_left_behind(const char *path, char *error, size_t size)
{
    const struct sockaddr_un address = address_of(path);
    struct stat about;
    if (stat(path, &about) != 0) {
        return true; // nothing is there, or a link to nothing
    }
    if (!S_ISSOCK(about.st_mode)) {
        (void)snprintf(error, size, "something stands there that is no socket");
        return false;
    }
    switch (try_to_connect(&address, sizeof address, NULL)) {
    case ECONNREFUSED:
    case ENOENT:
        return true;
    case 0:
    case EAGAIN: // it has not taken those that came before: its process may be stopped
        (void)snprintf(error, size, "another socket is listening there");
        return false;
    default:
        (void)snprintf(error, size, "it cannot be told whether somebody listens there: %s",
                       strerror(errno));
        return false;
    }
}

/// The abstract name of a file in a folder, whatever the folder is called.
/// @return its size; 0 when there is no such folder
static socklen_t name_of(const char *path, struct sockaddr_un *name)
{
    static const rp_siphash_key_t key = {{0, 0}};
    char folder[sizeof name->sun_path] = ".";
    struct stat about;
    const char *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    if (slash != NULL) {
        const size_t length = slash != path ? (size_t)(slash - path) : 1u;
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    if (stat(folder, &about) != 0) {
        return 0;
    }
    rp_siphash_t state;
    rp_siphash_init(&state, &key);
    rp_siphash_add(&state, file, strlen(file));
    const rp_hash128_t hash = rp_siphash_end(&state);
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    const int length = snprintf(
        name->sun_path + 1, sizeof name->sun_path - 1, "replan-ipc/%llx/%llx/%016llx%016llx",
        (unsigned long long)about.st_dev, (unsigned long long)about.st_ino,
        (unsigned long long)hash.words[0], (unsigned long long)hash.words[1]);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1u + (size_t)length);
}

/// True when a name is held by somebody who may keep us from the path: this user, or root. Anybody
/// can take an abstract name.
static bool is_held_rightly(const struct sockaddr_un *name, socklen_t size)
{
    struct ucred owner = {.uid = 0};
    const int error = try_to_connect(name, size, &owner);
    return error == EAGAIN || (error == 0 && (owner.uid == geteuid() || owner.uid == 0));
}

static bool take_name(const char *path, rp_ipc_claim_t *claim, char *error, size_t size)
{
    struct sockaddr_un name;
    const socklen_t name_size = name_of(path, &name);
    if (name_size == 0) {
        return true; // bind() says what is wrong
    }
    const int standing = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (standing >= 0 && bind(standing, (const struct sockaddr *)&name, name_size) == 0 &&
        listen(standing, 1) == 0) {
        *claim = standing;
        return true;
    }
    const bool is_taken = errno == EADDRINUSE && is_held_rightly(&name, name_size);
    if (standing >= 0) {
        (void)close(standing);
    }
    if (is_taken) {
        (void)snprintf(error, size,
                       "another socket is listening there, or did before the path was "
                       "removed; its process lives");
    }
    return !is_taken;
}

bool rp_ipc_claim(const char *endpoint, rp_ipc_claim_t *claim, char *error, size_t size)
{
    const size_t scheme = strlen(SCHEME);
    const char *path = endpoint + scheme;
    *claim = RP_NO_IPC_CLAIM;
    if (strncmp(endpoint, SCHEME, scheme) != 0 || path[0] == '@' || path[0] == '*' ||
        path[0] == '\0' || strlen(path) >= sizeof((struct sockaddr_un){0}.sun_path)) {
        return true;
    }
    if (!take_name(path, claim, error, size)) {
        return false;
    }
    if (!is_left_behind(path, error, size)) {
        rp_ipc_claim_release(claim);
        return false;
    }
    return true;
}

void rp_ipc_claim_release(rp_ipc_claim_t *self)
{
    if (*self != RP_NO_IPC_CLAIM) {
        (void)close(*self);
        *self = RP_NO_IPC_CLAIM;
    }
}
