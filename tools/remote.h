/// @file
/// Shared by `watch` and `ctl`: a client of a daemon, and printing of answers and failures.
#ifndef REPLAN_TOOLS_REMOTE_H
#define REPLAN_TOOLS_REMOTE_H

#include <stdbool.h>

#include "replan/client.h"

/// How long to wait for a daemon before saying that there is none.
#define RP_REMOTE_CONNECT_MS 1500u

/// @param program  "replan ctl", for messages
/// @return RP_EXIT_FINE, or RP_EXIT_NO_DAEMON or RP_EXIT_INPUT after saying why
int rp_remote_open(const char *program, const char *control, rp_client_t **client);

/// Say on stderr why a call failed. @return RP_EXIT_FINE when it did not, RP_EXIT_INPUT,
/// RP_EXIT_UNSUPPORTED, RP_EXIT_NO_DAEMON
int rp_remote_judge(const char *program, const rp_client_t *client, rp_client_status_t status,
                    const Replan__V1__Reply *reply);

/// From now on Ctrl-C and SIGTERM do not end the program, but rp_remote_is_stopped() is true.
void rp_remote_heed_signals(void);
bool rp_remote_is_stopped(void);

/// Names of agents on the line at hand: "changed_agents":[..] in an object, or " changed orc elf",
/// nothing when there are none.
/// @param what  "changed"
void rp_remote_print_agents(const char *what, char *const *names, size_t count, bool json);

/// One answer, one line: text, or a JSON object with its path as [[x,y],..]; and its bends, if it
/// tells them.
void rp_remote_print_answer(const Replan__V1__Answer *answer, bool json);

#endif
