/// The guard's connections; addresses are asked of the system for those that are told.
#include "daemon/connection_list.h"

#include "daemon/process/descriptors.h"

size_t rp_connection_list(const rp_guard_t *guard, rp_connection_t *list, size_t most)
{
    static const char *const sockets[RP_GUARD_SOCKETS] = {"control", "changes", "poses"};
    const rp_guarded_t *guarded;
    size_t count = 0;
    for (size_t at = 0; (guarded = rp_guard_next(guard, &at)) != NULL; count++) {
        if (count < most) {
            rp_connection_t *connection = &list[count];
            *connection = (rp_connection_t){.number = (uintptr_t)guarded->user,
                                            .socket = sockets[guarded->socket],
                                            .descriptor = guarded->descriptor,
                                            .since_us = guarded->came_us};
        }
    }
    return count;
}

void rp_connection_address(void *user, const rp_connection_t *connection, char *address,
                           size_t size)
{
    (void)user;
    rp_descriptor_peer(connection->descriptor, address, size);
}

void rp_connection_note(rp_guarded_t *from, uint64_t number)
{
    if (from != NULL && number > (uintptr_t)from->user &&
        rp_descriptor_cookie(from->number) == from->cookie) {
        from->user = (void *)(uintptr_t)number; // NOLINT(performance-no-int-to-ptr)
    }
}
