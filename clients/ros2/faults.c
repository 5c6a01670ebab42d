#include "clients/ros2/faults.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const texts[] = {
#define FAULT_TEXT(name, text) text,
    RP_ROS_FAULTS(FAULT_TEXT)
#undef FAULT_TEXT
};

const char *rp_ros_fault_text(rp_ros_fault_kind_t kind)
{
    return texts[kind];
}

int64_t rp_ros_clock_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

rp_quote_t rp_ros_quote(const char *text)
{
    return rp_text_span_quote((rp_text_span_t){text, strlen(text)});
}

void rp_ros_log(const rp_ros_faults_t *self, const char *format, ...)
{
    char line[400];
    const char *program = self->program != NULL ? self->program : "replan-ros2";
    struct pollfd err = {.fd = STDERR_FILENO, .events = POLLOUT};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (poll(&err, 1, 0) == 1 && (err.revents & POLLOUT) != 0) {
        dprintf(STDERR_FILENO, "%s: %s\n", program, line);
    }
}

void rp_ros_fault(rp_ros_faults_t *self, rp_ros_fault_kind_t kind, const char *format, ...)
{
    rp_ros_fault_t *fault = &self->kinds[kind];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->sentence, sizeof fault->sentence, format, arguments);
    va_end(arguments);
    fault->count++;
    fault->newest_ms = self->now_ms;
    if (fault->told_ms == 0 || self->now_ms - fault->told_ms >= RP_ROS_FAULT_AGAIN_MS) {
        fault->told_ms = self->now_ms;
        rp_ros_log(self, "%s: %llu: %s", texts[kind], (unsigned long long)fault->count,
                   fault->sentence);
    }
}

bool rp_ros_faults_are_new(const rp_ros_faults_t *self, rp_ros_fault_kind_t *kind)
{
    int64_t newest_ms = self->now_ms - RP_ROS_FAULT_AGAIN_MS;
    bool is_any = false;
    for (unsigned i = 0; i < RP_ROS_FAULT_COUNT; i++) {
        const rp_ros_fault_t *fault = &self->kinds[i];
        if (fault->count != 0 && fault->newest_ms >= newest_ms) {
            newest_ms = fault->newest_ms;
            *kind = (rp_ros_fault_kind_t)i;
            is_any = true;
        }
    }
    return is_any;
}
