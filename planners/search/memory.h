/// @file
/// Zeroed memory that becomes resident only where it is touched: arrays by cell, OPEN's reserve.
#ifndef REPLAN_SEARCH_MEMORY_H
#define REPLAN_SEARCH_MEMORY_H

#include <stddef.h>

#include "replan/rubble.h"

/// Memory becomes resident by these: an array of which a beginning is used holds up to so much
/// more.
#define RP_MEMORY_PAGE 4096u

/// @return zeroed memory for `count` things of `size` bytes, or NULL. Free it with
/// rp_memory_free().
void *rp_memory_new(size_t count, size_t size);

/// The same for what is written all over as soon as it is there: in huge pages from most of one on.
void *rp_memory_new_dense(size_t count, size_t size);

/// The same for a reserve of which little is used as a rule: never in huge pages, where one thing
/// touched costs two megabytes.
void *rp_memory_new_sparse(size_t count, size_t size);

/// Have memory that was made by rp_memory_new(), and not written to so far, be as if made by
/// rp_memory_new_sparse().
/// @param count, size  as given to rp_memory_new()
void rp_memory_make_sparse(void *memory, size_t count, size_t size);

/// Have a part of an array become resident now, as it will be written to here and there at times
/// when nobody can wait for it. Only where that is long: of huge pages, each of which is cleared at
/// once, for up to some milliseconds where a host has to find it first.
/// @param memory, count, size  as given to rp_memory_new
/// @param begin, end  of the part, things
void rp_memory_meet(void *memory, size_t count, size_t size, size_t begin, size_t end);

/// Have all of an array become resident now, as it is about to be read and written all over in no
/// order. Only where it lies in small pages: one that is read before it is written costs two
/// faults, and the second is told to every processor on which the program has a thread.
/// @param memory, count, size  as given to rp_memory_new
/// Time: a fifth of a millisecond a megabyte.
void rp_memory_make_resident(void *memory, size_t count, size_t size);

/// @param memory  NULL is fine
/// @param count   as given when it was new
/// @param size    as given when it was new
/// @param rubble  takes what is large, to be given back in parts; NULL: it is given back at once
void rp_memory_free(void *memory, size_t count, size_t size, rp_rubble_t *rubble);

#endif
