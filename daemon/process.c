/// Three descriptors, three signals.
#include "daemon/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
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

void rp_process_let_end(void)
{
    sigset_t ends;
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGINT);
    (void)sigprocmask(SIG_UNBLOCK, &ends, NULL);
}
