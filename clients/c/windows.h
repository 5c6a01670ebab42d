/// @file
/// Newest known window of each world. The owner's cells are cells of the window whose geometry the
/// client received last, and what is sent names that window. From a Resize until its reply the
/// window of a world is unknown here.
#ifndef REPLAN_CLIENTS_C_WINDOWS_H
#define REPLAN_CLIENTS_C_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "msgs/limits.h"
#include "replan.pb-c.h"

typedef struct rp_heard_window {
    char world[RP_LIMIT_NAME + 1u]; ///< empty: free
    uint64_t epoch;
    uint64_t window;  ///< 0: not known
    uint64_t awaited; ///< id of the request that makes the next one; 0: none is on its way
    uint32_t tenant;  ///< counts the worlds that had this place
} rp_heard_window_t;

typedef struct rp_heard_windows {
    rp_heard_window_t list[RP_LIMIT_WORLDS];
    uint32_t next; ///< that makes room for another world
} rp_heard_windows_t;

/// Where a request was named, to be undone: the caller's message stays as it is.
typedef struct rp_named {
    uint64_t *epoch; ///< NULL: nowhere
    uint64_t *window;
    rp_heard_window_t *by; ///< whose window it is of, or makes; NULL: nobody's
    uint32_t tenant;       ///< that it had then
} rp_named_t;

/// Name the window that a request's cells are of, if it does not by itself. A request that makes
/// another window ends what is known.
rp_named_t rp_windows_name(rp_heard_windows_t *self, Replan__V1__Request *request);

/// Take the name out again.
void rp_windows_unname(const rp_named_t *named);

/// No reply to a request will come: it could not be sent, or nobody waits for it any more.
void rp_windows_give_up(const rp_named_t *named, uint64_t id);

/// The owner gets a message that tells the geometry of a window. One that is older than what is
/// known tells nothing new.
/// @param geometry  NULL: it tells none
void rp_windows_hear(rp_heard_windows_t *self, const char *world, uint64_t epoch, uint64_t window,
                     const Replan__V1__Geometry *geometry);

/// The owner gets a reply. A window that is gone is forgotten, so it is named once.
/// @param named  what the request was
void rp_windows_reply(rp_heard_windows_t *self, const Replan__V1__Reply *reply,
                      const rp_named_t *named);

/// The line broke: no reply will come.
void rp_windows_forget(rp_heard_windows_t *self);

#endif
