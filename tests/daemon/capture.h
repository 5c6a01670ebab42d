/// @file
/// What a call writes to stderr.
#ifndef REPLAN_TESTS_CAPTURE_H
#define REPLAN_TESTS_CAPTURE_H

#include <check.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

typedef struct rp_capture {
    FILE *file;
    int stderr_before;
} rp_capture_t;

static inline rp_capture_t rp_capture_begin(void)
{
    const rp_capture_t capture = {.file = tmpfile(), .stderr_before = dup(STDERR_FILENO)};
    ck_assert_ptr_nonnull(capture.file);
    ck_assert_int_ge(dup2(fileno(capture.file), STDERR_FILENO), 0);
    return capture;
}

/// @param text  written, terminated [size]
static inline void rp_capture_end(rp_capture_t *self, char *text, size_t size)
{
    (void)fflush(stderr);
    ck_assert_int_ge(dup2(self->stderr_before, STDERR_FILENO), 0);
    (void)close(self->stderr_before);
    rewind(self->file);
    text[fread(text, 1, size - 1u, self->file)] = '\0';
    (void)fclose(self->file);
}

#endif
