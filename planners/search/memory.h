/// @file
/// Zeroed memory that becomes resident only where it is touched: arrays by cell, OPEN's reserve.
#ifndef REPLAN_SEARCH_MEMORY_H
#define REPLAN_SEARCH_MEMORY_H

#include <stddef.h>

#include "replan/rubble.h"

/// Size of a small page: memory becomes resident in units of at least this.
#define RP_MEMORY_PAGE 4096u

/// Zeroed memory for `count` elements of `size` bytes.
/// @return owned by the caller, who gives it to rp_memory_free(); NULL without memory
void *rp_memory_new(size_t count, size_t size);

/// rp_memory_new() for an array that is written everywhere at once: in huge pages if it takes most
/// of one.
void *rp_memory_new_dense(size_t count, size_t size);

/// rp_memory_new() for a reserve of which little is used as a rule: never in huge pages, where one
/// element that is touched costs two megabytes.
void *rp_memory_new_sparse(size_t count, size_t size);

/// Turn memory of rp_memory_new(), which was not written to yet, into memory as of
/// rp_memory_new_sparse().
/// @param count, size  as given to rp_memory_new()
void rp_memory_make_sparse(void *memory, size_t count, size_t size);

/// Make a part of an array resident now, because it will be written to at times when nobody can
/// wait for page faults. Does so only with huge pages, whose faults are long: each is cleared at
/// once, which takes up to some milliseconds where the host has to find it first.
/// @param memory, count, size  as of rp_memory_new()
/// @param begin, end  of the part, in elements
void rp_memory_meet(void *memory, size_t count, size_t size, size_t begin, size_t end);

/// Make all of an array resident now, because it is about to be read and written in random order.
/// Does so only with small pages: a page that is read before it is written takes two faults, and
/// the second interrupts every processor on which the program has a thread.
/// @param memory, count, size  as of rp_memory_new()
/// Time: 0.2 ms a megabyte
void rp_memory_make_resident(void *memory, size_t count, size_t size);

/// Give memory back.
/// @param memory  NULL: nothing happens
/// @param count, size  as of rp_memory_new()
/// @param rubble  takes large arrays, to be given back in parts; NULL: they are unmapped at once
void rp_memory_free(void *memory, size_t count, size_t size, rp_rubble_t *rubble);

#endif
