/// @file
/// Paused reads: descriptors of an epoll that it is not told of for a while, whatever comes to
/// them. An epoll tells of input that nobody reads again and again, so who is not to be read from
/// now is taken out of it until then, and its bytes stay with the system, which slows down their
/// sender. Whoever owns the epoll notices nothing: its calls of epoll_ctl() come by here.
///
/// One thread owns it.
#ifndef REPLAN_DAEMON_CONNECTIONS_PAUSED_READS_H
#define REPLAN_DAEMON_CONNECTIONS_PAUSED_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

/// A descriptor that is, or was, in an epoll.
typedef struct rp_polled {
    struct epoll_event event; ///< that its owner wants to hear of
    int epoll;
    int next; ///< in line; -1: none
    int previous;
    bool is_known; ///< its owner put it in
    bool is_in;    ///< the system has it
    bool is_paused;
} rp_polled_t;

typedef struct rp_paused_reads {
    rp_polled_t *polled; ///< owned, by descriptor [count]
    size_t count;
    int first; ///< the one that is paused for longest; -1: none is
    int last;
} rp_paused_reads_t;

/// For descriptors below `count`. @return false without memory
bool rp_paused_reads_init(rp_paused_reads_t *self, size_t count);
void rp_paused_reads_fini(rp_paused_reads_t *self);

/// As epoll_ctl(); a descriptor that is paused stays so. @param descriptor  below the count
int rp_paused_reads_control(rp_paused_reads_t *self, int epoll, int operation, int descriptor,
                            const struct epoll_event *event);

/// Pause one, or have it wait for longest anew: it is the last in line. One that is in no epoll is
/// left as it is.
void rp_paused_reads_pause(rp_paused_reads_t *self, int descriptor);

/// What came meanwhile is told. One that is not paused is left as it is.
void rp_paused_reads_resume(rp_paused_reads_t *self, int descriptor);

/// It is about to be closed.
void rp_paused_reads_forget(rp_paused_reads_t *self, int descriptor);

/// @return the descriptor that is paused for longest; -1 when none is
static inline int rp_paused_reads_first(const rp_paused_reads_t *self)
{
    return self->first;
}

#endif
