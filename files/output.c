/// A buffer doubles when it is full.
#include "files/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 4096u

static bool make_room(rp_output_t *self, size_t count)
{
    size_t capacity = self->capacity;
    while (capacity - self->size < count) {
        capacity = capacity == 0 ? CAPACITY_MIN : 2 * capacity;
    }
    if (capacity != self->capacity) {
        uint8_t *bytes = realloc(self->bytes, capacity);
        if (bytes == NULL) {
            self->is_short = true;
            return false;
        }
        self->bytes = bytes;
        self->capacity = capacity;
    }
    return true;
}

void rp_output_add(rp_output_t *self, const void *bytes, size_t count)
{
    if (!self->is_short && make_room(self, count) && count != 0) {
        memcpy(self->bytes + self->size, bytes, count);
        self->size += count;
    }
}

void rp_output_format(rp_output_t *self, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof text) {
        rp_output_add(self, text, (size_t)length);
    } else {
        self->is_short = true;
    }
}

void rp_output_fini(rp_output_t *self)
{
    free(self->bytes);
    *self = (rp_output_t){0};
}
