/// Three descriptors, three signals.
#include "daemon/process/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/// The lowest descriptor that is free is the one that open() gives.
static void fill_descriptors(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        const bool is_closed = fcntl(descriptor, F_GETFD) < 0;
        if (is_closed && open("/dev/null", O_RDWR) < 0) {
            (void)!open("/", O_PATH | O_DIRECTORY); // what is written to it fails, and goes nowhere
        }
    }
}

static void ignore(int signal)
{
    const struct sigaction action = {.sa_handler = SIG_IGN};
    (void)sigaction(signal, &action, NULL);
}

void rp_process_begin(void)
{
    sigset_t hangup;
    fill_descriptors();
    ignore(SIGPIPE);
    ignore(SIGXFSZ);
    (void)sigemptyset(&hangup);
    (void)sigaddset(&hangup, SIGHUP);
    (void)sigprocmask(SIG_BLOCK, &hangup, NULL);
}

uint32_t rp_process_raise_descriptors(uint32_t needed)
{
    struct rlimit limit = {.rlim_cur = 0, .rlim_max = 0};
    (void)getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < needed) {
        const struct rlimit raised = {.rlim_cur = needed < limit.rlim_max ? needed : limit.rlim_max,
                                      .rlim_max = limit.rlim_max};
        limit = setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised : limit;
    }
    return limit.rlim_cur < needed ? (uint32_t)limit.rlim_cur : needed;
}

uint64_t rp_process_resident_bytes(void)
{
    unsigned long long pages = 0;
    unsigned long long resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL) {
        return 0;
    }
    if (fscanf(file, "%llu %llu", &pages, &resident) != 2) {
        resident = 0;
    }
    (void)fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

void rp_process_let_end(void)
{
    sigset_t ends;
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGINT);
    (void)sigprocmask(SIG_UNBLOCK, &ends, NULL);
}
