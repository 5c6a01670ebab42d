/// A table by descriptor, and a list through it.
#include "daemon/connections/paused_reads.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NONE (-1)

bool rp_paused_reads_init(rp_paused_reads_t *self, size_t count)
{
    *self = (rp_paused_reads_t){.count = count, .first = NONE, .last = NONE};
    self->polled = calloc(count, sizeof *self->polled);
    return self->polled != NULL;
}

void rp_paused_reads_fini(rp_paused_reads_t *self)
{
    free(self->polled);
    *self = (rp_paused_reads_t){.first = NONE, .last = NONE};
}

/// The system's own, as epoll_ctl() is ours (libc_calls.c).
static int tell(const rp_polled_t *polled, int operation, int descriptor)
{
    struct epoll_event event = polled->event;
    event.events &= polled->is_paused ? ~(uint32_t)EPOLLIN : ~(uint32_t)0;
    return (int)syscall(SYS_epoll_ctl, polled->epoll, operation, descriptor, &event);
}

/// Have the system know what is wanted now. While it is paused, and nobody waits to write to it,
/// the system does not have it at all: it would tell of its end without pause.
/// @return as epoll_ctl()
static int settle(rp_polled_t *polled, int descriptor)
{
    const bool was_in = polled->is_in;
    const bool is_wanted =
        polled->is_known && (!polled->is_paused || (polled->event.events & EPOLLOUT) != 0);
    if (!was_in && !is_wanted) {
        return 0;
    }
    const int result = tell(polled,
                            !was_in     ? EPOLL_CTL_ADD
                            : is_wanted ? EPOLL_CTL_MOD
                                        : EPOLL_CTL_DEL,
                            descriptor);
    polled->is_in = result == 0 ? is_wanted : was_in;
    return result;
}

// ---- the line

static void join(rp_paused_reads_t *self, int descriptor)
{
    rp_polled_t *polled = &self->polled[descriptor];
    polled->previous = self->last;
    polled->next = NONE;
    *(self->last != NONE ? &self->polled[self->last].next : &self->first) = descriptor;
    self->last = descriptor;
    polled->is_paused = true;
}

static void leave(rp_paused_reads_t *self, int descriptor)
{
    rp_polled_t *polled = &self->polled[descriptor];
    *(polled->previous != NONE ? &self->polled[polled->previous].next : &self->first) =
        polled->next;
    *(polled->next != NONE ? &self->polled[polled->next].previous : &self->last) = polled->previous;
    polled->is_paused = false;
}

// ---- descriptors

int rp_paused_reads_control(rp_paused_reads_t *self, int epoll, int operation, int descriptor,
                            const struct epoll_event *event)
{
    rp_polled_t *polled = &self->polled[descriptor];
    if (operation == EPOLL_CTL_DEL) {
        polled->is_known = false;
    } else {
        polled->is_known = true;
        polled->epoll = epoll;
        polled->event = *event;
    }
    return settle(polled, descriptor);
}

void rp_paused_reads_pause(rp_paused_reads_t *self, int descriptor)
{
    rp_polled_t *polled = &self->polled[descriptor];
    if (!polled->is_known) {
        return;
    }
    if (polled->is_paused) {
        leave(self, descriptor);
    }
    join(self, descriptor);
    (void)settle(polled, descriptor);
}

void rp_paused_reads_resume(rp_paused_reads_t *self, int descriptor)
{
    if (self->polled[descriptor].is_paused) {
        leave(self, descriptor);
        if (settle(&self->polled[descriptor], descriptor) != 0) {
            join(self, descriptor); // the system lacks memory
        }
    }
}

void rp_paused_reads_forget(rp_paused_reads_t *self, int descriptor)
{
    if (self->polled[descriptor].is_paused) {
        leave(self, descriptor);
    }
    self->polled[descriptor] = (rp_polled_t){0};
}
