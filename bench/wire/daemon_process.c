/// Processes: a daemon is ready when it has said where it listens.
#include "bench/wire/daemon_process.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Start a program with its stderr in a pipe. @return its pid, or -1
static pid_t start(char *const *arguments, int *errors)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return -1;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        execv(arguments[0], arguments);
        _exit(127);
    }
    (void)close(ends[1]);
    *errors = ends[0];
    return pid;
}

/// The value of `key` in a line of key=value.
static bool find_value(const char *line, const char *key, char *value, size_t size)
{
    char pattern[32];
    (void)snprintf(pattern, sizeof pattern, " %s=", key);
    const char *begin = strstr(line, pattern);
    if (begin == NULL) {
        return false;
    }
    begin += strlen(pattern);
    (void)snprintf(value, size, "%.*s", (int)strcspn(begin, " \n"), begin);
    return true;
}

bool rp_daemon_process_start(rp_daemon_process_t *self, unsigned workers, const char *memory)
{
    char path[4096];
    char count[16];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16u);
    *self = (rp_daemon_process_t){.pid = 0};
    if (length <= 0) {
        return false;
    }
    path[length] = '\0';
    memcpy(strrchr(path, '/') + 1, "repland", sizeof "repland");
    (void)snprintf(count, sizeof count, "%u", workers);
    char any[] = "tcp://127.0.0.1:*";
    char *arguments[] = {path,
                         (char *)"--control",
                         any,
                         (char *)"--changes",
                         any,
                         (char *)"--paths",
                         any,
                         (char *)"--poses",
                         any,
                         (char *)"--workers",
                         count,
                         memory != NULL ? (char *)"--memory" : NULL,
                         (char *)memory,
                         NULL};
    int errors;
    self->pid = start(arguments, &errors);
    FILE *stream = self->pid > 0 ? fdopen(errors, "r") : NULL;
    char line[1024];
    while (stream != NULL && fgets(line, sizeof line, stream) != NULL) {
        if (find_value(line, "control", self->control, sizeof self->control) &&
            find_value(line, "changes", self->changes, sizeof self->changes) &&
            find_value(line, "paths", self->paths, sizeof self->paths) &&
            find_value(line, "poses", self->poses, sizeof self->poses)) {
            return true; // the stream stays open, or the daemon's next line would end it
        }
    }
    fputs("replan-bench: repland did not start\n", stderr);
    return false;
}

void rp_daemon_process_stop(rp_daemon_process_t *self)
{
    if (self->pid > 0) {
        (void)kill(self->pid, SIGTERM);
        (void)waitpid(self->pid, NULL, 0);
    }
    self->pid = 0;
}

double rp_process_resident_mib(pid_t pid)
{
    char path[64];
    unsigned long whole;
    unsigned long resident = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "r");
    const bool is_read = file != NULL && fscanf(file, "%lu %lu", &whole, &resident) == 2;
    if (file != NULL) {
        (void)fclose(file);
    }
    return is_read ? (double)resident * (double)sysconf(_SC_PAGESIZE) / (1024.0 * 1024.0) : 0.0;
}

double rp_process_cpu_s(pid_t pid)
{
    clockid_t clock;
    struct timespec used = {0};
    if (clock_getcpuclockid(pid, &clock) == 0) {
        (void)clock_gettime(clock, &used);
    }
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}
