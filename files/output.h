/// @file
/// Buffer for the bytes of a file that is being written. Lack of memory is remembered, so a writer
/// checks once at the end.
#ifndef REPLAN_FILES_OUTPUT_H
#define REPLAN_FILES_OUTPUT_H

#include "replan/types.h"

/// Zeroed: empty.
typedef struct rp_output {
    uint8_t *bytes; ///< owned [size]
    size_t size;
    size_t capacity;
    bool is_short; ///< memory was lacking: the bytes are not all there
} rp_output_t;

void rp_output_add(rp_output_t *self, const void *bytes, size_t count);
void rp_output_format(rp_output_t *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void rp_output_fini(rp_output_t *self);

static inline void rp_output_add_byte(rp_output_t *self, uint8_t byte)
{
    if (self->size < self->capacity) {
        self->bytes[self->size++] = byte;
    } else {
        rp_output_add(self, &byte, 1);
    }
}

#endif
