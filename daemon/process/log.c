/// A ring of whole lines under one mutex. Positions in it count all bytes that were ever queued, so
/// that `lost_at` says where in the stream of lines those are missing that were lost.
#include "daemon/process/log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_BYTES 1024u

/// A write of whole lines that a pipe takes at once, so that lines of two programs do not mix.
#define BLOCK_BYTES ((size_t)PIPE_BUF)

/// A file that takes nothing (a pipe by name) is looked at this often for the wish to reopen it.
#define FULL_WAIT_MS 100

_Static_assert(LINE_BYTES <= BLOCK_BYTES, "a block holds a line at least");

typedef enum log_mode {
    DIRECT, ///< no thread: lines are written by who logs them
    QUEUED,
    CLOSED, ///< lines are dropped
} log_mode_t;

static struct {
    rp_log_level_t greatest_level;
    log_mode_t mode;
    pthread_mutex_t mutex;
    pthread_cond_t has_work;   ///< for the writer
    pthread_cond_t is_written; ///< for who closes
    pthread_t writer;
    char file[PATH_MAX]; ///< "": stderr
    int descriptor;      ///< of the file, or STDERR_FILENO; the writer's alone
    char ring[RP_LOG_QUEUE];
    uint64_t queued;  ///< bytes, ever
    uint64_t taken;   ///< of these, by the writer
    uint64_t lost;    ///< lines, not told yet
    uint64_t lost_at; ///< position before which they are to be told of
    uint64_t lost_ever;
    bool may_tell;     ///< something changed since a write failed
    bool is_writing;   ///< the writer has lines that are neither written nor lost
    bool is_torn;      ///< the last line was written in part
    bool wants_reopen; ///< the file is to be opened again
    bool is_stopping;
} logger = {
    .greatest_level = RP_LOG_INFO,
    .mutex = PTHREAD_MUTEX_INITIALIZER,
    .has_work = PTHREAD_COND_INITIALIZER,
    .descriptor = STDERR_FILENO,
};

// ---- lines

void rp_log_set_level(rp_log_level_t level)
{
    logger.greatest_level = level;
}

/// @param line  [LINE_BYTES] @return its length, with the end of line
static size_t print_line(char *line, rp_log_level_t level, const char *event, const char *format,
                         va_list arguments)
{
    static const char *const words[] = {"error", "warn", "info", "debug"};
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int length = snprintf(line, LINE_BYTES, "time=%lld.%06ld level=%s event=%s ",
                          (long long)now.tv_sec, now.tv_nsec / 1000, words[level], event);
    length += vsnprintf(line + length, LINE_BYTES - (size_t)length - 1u, format, arguments);
    if ((size_t)length > LINE_BYTES - 2u) {
        length = (int)(LINE_BYTES - 2u);
    }
    line[length] = '\n';
    return (size_t)length + 1u;
}

static size_t print_own(char *line, rp_log_level_t level, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t length = print_line(line, level, "log", format, arguments);
    va_end(arguments);
    return length;
}

/// Under the mutex.
static void lose(uint64_t lines, uint64_t at)
{
    logger.lost_at = logger.lost == 0 ? at : logger.lost_at;
    logger.lost += lines;
    logger.lost_ever += lines;
}

/// Under the mutex.
static void enqueue(const char *line, size_t length)
{
    logger.may_tell = true;
    if (length > sizeof logger.ring - (size_t)(logger.queued - logger.taken)) {
        lose(1, logger.queued);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        logger.ring[(logger.queued + i) % sizeof logger.ring] = line[i];
    }
    logger.queued += length;
    (void)pthread_cond_signal(&logger.has_work);
}

void rp_log(rp_log_level_t level, const char *event, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;
    if (level > logger.greatest_level) {
        return;
    }
    va_start(arguments, format);
    const size_t length = print_line(line, level, event, format, arguments);
    va_end(arguments);
    (void)pthread_mutex_lock(&logger.mutex);
    const log_mode_t mode = logger.mode;
    if (mode == QUEUED) {
        enqueue(line, length);
    }
    (void)pthread_mutex_unlock(&logger.mutex);
    if (mode == DIRECT) {
        (void)!write(STDERR_FILENO, line, length); // nobody is left to tell
    }
}

uint64_t rp_log_lost(void)
{
    (void)pthread_mutex_lock(&logger.mutex);
    const uint64_t lost = logger.lost_ever;
    (void)pthread_mutex_unlock(&logger.mutex);
    return lost;
}

// ---- the writer

static bool wants_reopen(void)
{
    (void)pthread_mutex_lock(&logger.mutex);
    const bool wants = logger.wants_reopen;
    (void)pthread_mutex_unlock(&logger.mutex);
    return wants;
}

/// Write it all, however long that takes. @return how much could not be written
static size_t write_all(const char *bytes, size_t size)
{
    while (size != 0) {
        const ssize_t written = write(logger.descriptor, bytes, size);
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN && !wants_reopen()) {
            struct pollfd room = {.fd = logger.descriptor, .events = POLLOUT};
            (void)poll(&room, 1, FULL_WAIT_MS);
        } else if (written == 0 || errno != EINTR) {
            break;
        }
    }
    return size;
}

static uint64_t count_lines(const char *bytes, size_t size)
{
    uint64_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += bytes[i] == '\n';
    }
    return count;
}

/// Write whole lines, without the mutex. @return how many of them are lost
static uint64_t write_lines(const char *bytes, size_t size)
{
    if (logger.is_torn && size != 0 && write_all("\n", 1) == 0) {
        logger.is_torn = false;
    }
    const size_t left = logger.is_torn ? size : write_all(bytes, size);
    const bool is_in_line = left != 0 && left != size && bytes[size - left - 1u] != '\n';
    logger.is_torn = logger.is_torn || is_in_line;
    return count_lines(bytes + size - left, left);
}

/// Take whole lines, as far as they fit and none are missing. Under the mutex.
/// @param block  [BLOCK_BYTES] @return their length
static size_t take_lines(char *block)
{
    const uint64_t until =
        logger.lost != 0 && logger.lost_at > logger.taken ? logger.lost_at : logger.queued;
    uint64_t length = until - logger.taken < BLOCK_BYTES ? until - logger.taken : BLOCK_BYTES;
    for (uint64_t i = 0; i < length; i++) {
        block[i] = logger.ring[(logger.taken + i) % sizeof logger.ring];
    }
    while (length != 0 && block[length - 1u] != '\n') {
        length--;
    }
    logger.taken += length;
    return (size_t)length;
}

static int open_file(const char *file)
{
    // A pipe by name that nobody reads must not hold us up.
    return open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
}

/// Without the mutex. The new file may be the one that the old one was, or on another disk.
static void reopen(void)
{
    char line[LINE_BYTES];
    const int descriptor = open_file(logger.file);
    if (descriptor < 0) {
        const size_t length = print_own(line, RP_LOG_WARN, "file=\"%.512s\" error=\"%s\"",
                                        logger.file, strerror(errno));
        (void)write_lines(line, length);
        return;
    }
    (void)close(logger.descriptor);
    logger.descriptor = descriptor;
    logger.is_torn = false;
}

/// Tell of lines that are lost, where they are missing. Under the mutex, which is let go meanwhile.
static void tell_lost(void)
{
    char line[LINE_BYTES];
    const uint64_t lost = logger.lost;
    logger.lost = 0;
    (void)pthread_mutex_unlock(&logger.mutex);
    const size_t length = print_own(line, RP_LOG_WARN, "lost=%llu", (unsigned long long)lost);
    const bool is_told = write_lines(line, length) == 0;
    (void)pthread_mutex_lock(&logger.mutex);
    if (!is_told) {
        logger.lost_at = logger.taken;
        logger.lost += lost;
        logger.may_tell = false;
    }
}

/// One round, under the mutex, which is let go while it writes.
static void write_some(void)
{
    char block[BLOCK_BYTES];
    const bool reopens = logger.wants_reopen;
    logger.wants_reopen = false;
    logger.may_tell = logger.may_tell || reopens;
    if (reopens) {
        (void)pthread_mutex_unlock(&logger.mutex);
        reopen();
        (void)pthread_mutex_lock(&logger.mutex);
    }
    if (logger.lost != 0 && logger.lost_at <= logger.taken && logger.may_tell) {
        tell_lost();
    }
    const size_t size = take_lines(block);
    const uint64_t from = logger.taken;
    (void)pthread_mutex_unlock(&logger.mutex);
    const uint64_t lost = write_lines(block, size);
    (void)pthread_mutex_lock(&logger.mutex);
    if (lost != 0) {
        lose(lost, from);
        logger.lost_at = from;
        logger.may_tell = false;
    }
}

static bool has_work(void)
{
    return logger.queued != logger.taken || logger.wants_reopen ||
           (logger.lost != 0 && logger.may_tell);
}

static void *run(void *user)
{
    (void)user;
    (void)pthread_mutex_lock(&logger.mutex);
    while (!logger.is_stopping || has_work()) {
        if (has_work()) {
            logger.is_writing = true;
            write_some();
            logger.is_writing = false;
            continue;
        }
        (void)pthread_cond_broadcast(&logger.is_written);
        (void)pthread_cond_wait(&logger.has_work, &logger.mutex);
    }
    (void)pthread_cond_broadcast(&logger.is_written);
    (void)pthread_mutex_unlock(&logger.mutex);
    return NULL;
}

// ---- birth and death

/// The thread takes no signal: all are for the loop.
static bool start_writer(void)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool is_started = pthread_create(&logger.writer, NULL, run, NULL) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

/// The time of is_written is the steady one.
static void init_is_written(void)
{
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&logger.is_written, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

static void close_file(void)
{
    if (logger.descriptor != STDERR_FILENO) {
        (void)close(logger.descriptor);
        logger.descriptor = STDERR_FILENO;
    }
}

bool rp_log_open(const char *file, char *error, size_t size)
{
    const int descriptor = file[0] != '\0' ? open_file(file) : STDERR_FILENO;
    if (descriptor < 0) {
        (void)snprintf(error, size, "--log-file: cannot open \"%s\": %s", file, strerror(errno));
        return false;
    }
    (void)snprintf(logger.file, sizeof logger.file, "%s", file);
    logger.descriptor = descriptor;
    logger.is_stopping = false;
    init_is_written();
    if (!start_writer()) {
        (void)snprintf(error, size, "no thread for the log");
        close_file();
        return false;
    }
    logger.mode = QUEUED;
    return true;
}

void rp_log_reopen(void)
{
    (void)pthread_mutex_lock(&logger.mutex);
    if (logger.mode == QUEUED && logger.file[0] != '\0') {
        logger.wants_reopen = true;
        (void)pthread_cond_signal(&logger.has_work);
    }
    (void)pthread_mutex_unlock(&logger.mutex);
}

static struct timespec close_deadline(void)
{
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_nsec += RP_LOG_CLOSE_MS * 1000000L;
    deadline.tv_sec += deadline.tv_nsec / 1000000000L;
    deadline.tv_nsec %= 1000000000L;
    return deadline;
}

void rp_log_close(void)
{
    const struct timespec deadline = close_deadline();
    (void)pthread_mutex_lock(&logger.mutex);
    if (logger.mode != QUEUED) {
        (void)pthread_mutex_unlock(&logger.mutex);
        return;
    }
    logger.mode = CLOSED;
    logger.is_stopping = true;
    (void)pthread_cond_signal(&logger.has_work);
    int waited = 0;
    while (waited == 0 && (has_work() || logger.is_writing)) {
        waited = pthread_cond_timedwait(&logger.is_written, &logger.mutex, &deadline);
    }
    const bool is_idle = !has_work() && !logger.is_writing;
    (void)pthread_mutex_unlock(&logger.mutex);
    if (is_idle) {
        (void)pthread_join(logger.writer, NULL);
        close_file();
    } else {
        (void)pthread_detach(logger.writer); // it waits for a reader, and ends with the process
    }
}
