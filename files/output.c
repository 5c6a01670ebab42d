/// A buffer doubles when it is full.
#include "files/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool make_room(rp_output_t *self, size_t count)
{
    const bool is_room = rp_array_reserve(&self->bytes, &self->capacity, self->size + count, 1);
    self->is_short = self->is_short || !is_room;
    return is_room;
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
