/// @file
/// Copies of arrays that others own.
#ifndef REPLAN_ENGINE_QUERY_COPY_H
#define REPLAN_ENGINE_QUERY_COPY_H

#include <stdlib.h>
#include <string.h>

/// @param from  borrowed; may be NULL when there are no bytes [size]
/// @return owned by the caller; NULL only without memory
static inline void *rp_copy_of(const void *from, size_t size)
{
    void *copy = malloc(size + 1u);
    if (copy != NULL && size != 0) {
        memcpy(copy, from, size);
    }
    return copy;
}

#endif
