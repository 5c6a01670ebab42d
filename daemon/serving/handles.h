/// @file
/// Handles of agents on the wire. A handle is a place and a serial number, and is never given
/// twice:
///
///     63                                    22 21                   0
///     [ serial: tenths of a ms since 2026     | place               ]
///
/// A place is used again, a serial is not: each one given at a place is greater than the one before
/// there, and none is ahead of the clock. So a later run of the daemon, which begins later, gives
/// none that this run gave, though it remembers nothing. Where that would need a serial ahead of
/// the clock, as two agents come and go at one place within a tenth of a millisecond, another place
/// is taken.
///
/// A clock that is set back while the daemon runs does no harm: serials go on from the newest by
/// the steady clock. With a state on disk that holds for the runs after it, too
/// (rp_handles_restored()).
/// A clock that shows a time before 2026, as it was never set, gives serials of the first half of
/// that year. They last until 2039.
#ifndef REPLAN_DAEMON_SERVING_HANDLES_H
#define REPLAN_DAEMON_SERVING_HANDLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Places that there can be, of all worlds together: 32 times RP_LIMIT_AGENTS.
#define RP_HANDLE_PLACE_BITS  22u
#define RP_HANDLE_SERIAL_BITS 42u

/// One place; 24 bytes, as there may be millions.
typedef struct rp_handle_place {
    void *holder;    ///< borrowed; NULL: the place is free
    uint64_t serial; ///< given here last; 0: none
    uint32_t
        before; ///< of free places: those that were freed sooner and later, as place + 1; 0: none
    uint32_t after;
} rp_handle_place_t;

/// All zero: nobody holds a handle, and the clock has not been read.
typedef struct rp_handles {
    rp_handle_place_t *places; ///< owned [capacity]
    uint32_t count;            ///< places that were ever used
    uint32_t capacity;
    uint32_t first_free; ///< freed longest ago, as place + 1; 0: no place is free
    uint32_t last_free;
    uint64_t wanted;    ///< handle that the next holder gets; 0: any
    uint64_t clock;     ///< serial of this moment
    uint64_t steady_us; ///< the steady clock at this moment
    uint64_t newest;    ///< greatest serial that was given or seen
    uint64_t newest_us; ///< the steady clock then
    uint64_t floor;     ///< earlier runs gave none greater than this
} rp_handles_t;

void rp_handles_fini(rp_handles_t *self);

/// Tell the time, before handles are given. @param wall_us  since 1970. @param steady_us  monotone
void rp_handles_set_clock(rp_handles_t *self, uint64_t wall_us, uint64_t steady_us);

/// Give a handle. Time: O(1). @param holder  borrowed until rp_handles_free(), not NULL
/// @return 0 without memory, or when each place was used at this very moment
uint64_t rp_handles_give(rp_handles_t *self, void *holder);

/// The holder of a handle. @return NULL when it was never given, or its holder is gone
void *rp_handles_find(const rp_handles_t *self, uint64_t handle);

/// The holder is gone. @param handle  that somebody holds
void rp_handles_free(rp_handles_t *self, uint64_t handle);

// ---- from a state on disk

/// The next holder gets this handle, which an earlier run gave, if its place is free.
/// @param handle  0: any. No serial up to its own is given anew after rp_handles_restored()
void rp_handles_want(rp_handles_t *self, uint64_t handle);

/// The handle that stands for all that were given so far: wanted by a later run, it keeps that from
/// giving them again.
uint64_t rp_handles_mark(const rp_handles_t *self);

/// All holders of earlier runs are back: serials that are given from now on are greater than any
/// that those runs gave. @param wall_us  of the newest record
void rp_handles_restored(rp_handles_t *self, uint64_t wall_us);

#endif
