/// @file
/// Watches of a client: found, and those that resume asked for again after a break.
#ifndef REPLAN_CLIENTS_C_OWN_WATCHES_H
#define REPLAN_CLIENTS_C_OWN_WATCHES_H

#include "clients/c/caller.h"

/// @param id  that the owner knows; 0 finds a free place
/// @return NULL when there is none
rp_watch_place_t *rp_own_watches_find(rp_client_t *self, uint32_t id);

/// @param number  that the daemon knows, not 0
rp_watch_place_t *rp_own_watches_by_number(rp_client_t *self, uint32_t number);

/// The watch is over: its place is free.
void rp_own_watches_drop(rp_client_t *self, rp_watch_place_t *watch);

/// The owner heard of a version.
void rp_own_watches_note(rp_watch_place_t *watch, uint64_t epoch, uint64_t version);

/// The owner heard by a reply of a version that its change made.
void rp_own_watches_note_reply(rp_client_t *self, const Replan__V1__Reply *reply,
                               const rp_named_t *named);

/// The line broke: of its watches those that do not resume are over. A watch that was opened since,
/// before anybody was told of the break, goes on.
void rp_own_watches_break(rp_client_t *self);

/// A reply that nobody waits for any more: the watch that it tells of ends at the daemon.
void rp_own_watches_end_late(rp_client_t *self, const Replan__V1__Reply *reply);

/// What the mirror of this watch holds is not the world: ask for all of it.
void rp_own_watches_repair(rp_client_t *self, rp_watch_place_t *watch);

/// Ask for what is to be asked now. Does not block.
void rp_own_watches_go_on(rp_client_t *self);

/// Nothing more has come: questions whose deadline is over are to be asked again.
void rp_own_watches_expire(rp_client_t *self);

/// When rp_own_watches_expire() and rp_own_watches_go_on() are to be called next, by
/// rp_line_now_ms(); -1: there is no need.
int64_t rp_own_watches_wake_ms(const rp_client_t *self);

/// True when a request of rp_own_watches_go_on() waits for this reply.
bool rp_own_watches_await(const rp_client_t *self, uint64_t id);

/// True while the number of a watch may be unknown here: what comes for it is to be kept.
bool rp_own_watches_are_asked(const rp_client_t *self);

/// Take the reply to a request of rp_own_watches_go_on().
/// @param event  written when the owner is to be told
/// @return false when it is none
bool rp_own_watches_take_reply(rp_client_t *self, const Replan__V1__Reply *reply,
                               rp_client_event_t *event);

#endif
