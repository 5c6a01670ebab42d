/// @file
/// Zeroed memory that becomes resident only where it is touched: arrays by cell, OPEN's reserve.
#ifndef REPLAN_BASE_MEMORY_H
#define REPLAN_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "replan/deferred_free.h"

/// Size of a small page: memory becomes resident in units of at least this.
#define RP_MEMORY_PAGE 4096u

/// Zeroed memory for `count` elements of `size` bytes.
/// @return owned by the caller, who gives it to rp_memory_free(); NULL without memory
void *rp_memory_new(size_t count, size_t size);

/// rp_memory_new() for an array that is written everywhere at once: in huge pages if it takes most
/// of one, RP_MEMORY_DENSE bytes.
#define RP_MEMORY_DENSE ((size_t)13 << 17)
void *rp_memory_new_dense(size_t count, size_t size);

/// rp_memory_new() for a reserve of which little is used as a rule: never in huge pages, where one
/// element that is touched costs two megabytes.
void *rp_memory_new_sparse(size_t count, size_t size);

/// Turn memory of rp_memory_new(), which was not written to yet, into memory as of
/// rp_memory_new_sparse().
/// @param count, size  as given to rp_memory_new()
void rp_memory_make_sparse(void *memory, size_t count, size_t size);

/// Most arrays become resident as they are met, in blocks of so many bytes: a fault for each page
/// takes two to twenty times as long as pages that are asked for together.
#define RP_MEMORY_BLOCK ((size_t)1 << 16)

/// Make a part of an array resident now.
/// @param memory, count, size  as of rp_memory_new(); or a pointer into an array, and the elements
///                             from there on. NULL: nothing happens
/// @param begin, end  of the part, in elements
/// Time: 0.1 to 0.4 ms a megabyte; up to some milliseconds for a huge page that the host has to
/// find
void rp_memory_prefault(void *memory, size_t count, size_t size, size_t begin, size_t end);

/// Touch each small page of a list that was met, before anybody writes to it: some virtual machines
/// have page tables of their own beside those of the system, and fill them only then, which takes
/// them 30 us for eight pages.
/// @param memory  NULL: nothing happens
void rp_memory_touch(const void *memory, size_t bytes);

/// True for an array that comes in huge pages, if the system has them: large ones do, unless this
/// process has said that it wants none.
bool rp_memory_is_huge(size_t count, size_t size);

/// Give memory back.
/// @param memory  NULL: nothing happens
/// @param count, size  as of rp_memory_new()
/// @param deferred_free  takes large arrays, to be given back in parts; NULL: they are unmapped at
/// once
void rp_memory_free(void *memory, size_t count, size_t size, rp_deferred_free_t *deferred_free);

#endif
