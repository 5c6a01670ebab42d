/// @file
/// Growing array: entries on the heap, and how many there is room for. Each growth at least doubles
/// the room, so adding one entry at a time costs O(1) on average.
#ifndef REPLAN_BASE_ARRAY_H
#define REPLAN_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Entries of the first growth, at least.
#define RP_ARRAY_LEAST 16u

/// Make room for so many entries in all.
/// @param array     address of the pointer to the entries, which is NULL at first; written when
/// they
///                  move
/// @param capacity  entries that there is room for; written
/// @param bytes     of an entry
/// @return false without memory; then nothing has changed
static inline bool rp_array_reserve(void *array, size_t *capacity, size_t count, size_t bytes)
{
    void *entries;
    const size_t doubled = *capacity < RP_ARRAY_LEAST / 2u ? RP_ARRAY_LEAST : 2u * *capacity;
    const size_t room = count > doubled ? count : doubled;
    if (count <= *capacity) {
        return true;
    }
    memcpy(&entries, array, sizeof entries);
    entries = room <= SIZE_MAX / bytes ? realloc(entries, room * bytes) : NULL;
    if (entries == NULL) {
        return false;
    }
    memcpy(array, &entries, sizeof entries);
    *capacity = room;
    return true;
}

/// The same; what is new of the room is zero.
static inline bool rp_array_reserve_zeroed(void *array, size_t *capacity, size_t count,
                                           size_t bytes)
{
    uint8_t *entries;
    const size_t before = *capacity;
    if (!rp_array_reserve(array, capacity, count, bytes)) {
        return false;
    }
    if (*capacity != before) {
        memcpy(&entries, array, sizeof entries);
        memset(entries + before * bytes, 0, (*capacity - before) * bytes);
    }
    return true;
}

#endif
