/// @file
/// Log lines on stderr: "time=... level=info event=ready control=tcp://...". One event, one line.
#ifndef REPLAN_DAEMON_LOG_H
#define REPLAN_DAEMON_LOG_H

typedef enum rp_log_level {
    RP_LOG_ERROR,
    RP_LOG_WARN,
    RP_LOG_INFO,
    RP_LOG_DEBUG,
} rp_log_level_t;

/// Lines above this level are dropped. Default: info.
void rp_log_set_level(rp_log_level_t level);

/// @param event   a word
/// @param format  "key=value key=%s". Values that may hold spaces are written in double quotes by
///                the caller.
void rp_log(rp_log_level_t level, const char *event, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
