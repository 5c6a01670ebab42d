/// @file
/// Log lines: "time=... level=info event=ready control=tcp://...". One event, one line.
///
/// After rp_log_open() a thread of its own writes them, to stderr or to a file, so that nobody
/// waits for whoever reads them: a pipe that is full, a terminal that is held, a slow disk. (stderr
/// is shared with other programs. To make it non-blocking would make it so for them, too, and what
/// poll() says of it they may have used up before the write.) Lines wait in a queue of
/// RP_LOG_QUEUE bytes. Those that find it full, and those that cannot be written, are counted;
/// "event=log lost=N" tells of them where they are missing, as soon as a line can be written again.
#ifndef REPLAN_DAEMON_PROCESS_LOG_H
#define REPLAN_DAEMON_PROCESS_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum rp_log_level {
    RP_LOG_ERROR,
    RP_LOG_WARN,
    RP_LOG_INFO,
    RP_LOG_DEBUG,
} rp_log_level_t;

#define RP_LOG_QUEUE ((size_t)256 << 10)

/// Lines above this level are dropped. Default: info.
void rp_log_set_level(rp_log_level_t level);

/// From here on lines are queued, and written by a thread. Before, each is written at once.
/// @param file  appended to, and made if there is none; "": stderr
/// @param error  written on failure: a sentence that names the option [size]
/// @return false when the file cannot be opened, or there can be no thread
bool rp_log_open(const char *file, char *error, size_t size);

/// The file was moved away: go on in a new one of its name. Without a file nothing happens. Does
/// not wait. Where the new one cannot be opened, the old one stays, and the log says so.
void rp_log_reopen(void);

/// Wait until all lines are written, for RP_LOG_CLOSE_MS at most. Later lines are dropped.
void rp_log_close(void);

#define RP_LOG_CLOSE_MS 200

/// Lines that were lost so far, told or not. By any thread.
uint64_t rp_log_lost(void);

/// By any thread; never waits after rp_log_open().
/// @param event   a word
/// @param format  "key=value key=%s". Values that may hold spaces are written in double quotes by
///                the caller.
void rp_log(rp_log_level_t level, const char *event, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
