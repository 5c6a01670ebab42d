/// One line an event, written by one call so that lines of two programs do not mix.
#include "daemon/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static rp_log_level_t greatest_level = RP_LOG_INFO;

void rp_log_set_level(rp_log_level_t level)
{
    greatest_level = level;
}

void rp_log(rp_log_level_t level, const char *event, const char *format, ...)
{
    static const char *const words[] = {"error", "warn", "info", "debug"};
    if (level > greatest_level) {
        return;
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    char line[1024];
    int length = snprintf(line, sizeof line, "time=%lld.%06ld level=%s event=%s ",
                          (long long)now.tv_sec, now.tv_nsec / 1000, words[level], event);
    va_list arguments;
    va_start(arguments, format);
    length += vsnprintf(line + length, sizeof line - (size_t)length - 1u, format, arguments);
    va_end(arguments);
    if ((size_t)length > sizeof line - 2u) {
        length = (int)(sizeof line - 2u);
    }
    line[length] = '\n';
    const ssize_t written = write(STDERR_FILENO, line, (size_t)length + 1u);
    (void)written; // nobody is left to tell
}
