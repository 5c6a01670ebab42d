/// @file
/// `replan doctor`: what its checks share.
#ifndef REPLAN_TOOLS_DOCTOR_H
#define REPLAN_TOOLS_DOCTOR_H

#include "replan/client.h"

typedef enum rp_doctor_level {
    RP_DOCTOR_FINE,
    RP_DOCTOR_NOTE, ///< good to know
    RP_DOCTOR_WRONG,
} rp_doctor_level_t;

typedef struct rp_doctor {
    const char *program;
    const char *control; ///< NULL: not given
    const char *changes;
    const char *paths;
    const char *poses;
    const char *state; ///< NULL: not asked for
    bool json;
    rp_client_t *client;
    const Replan__V1__Stats *stats; ///< borrowed from the client
    uint64_t memory_limit;          ///< of the daemon; 0: not known
    uint64_t resident;              ///< of the daemon, bytes
    uint32_t wrongs;
} rp_doctor_t;

/// Say a finding. @param about  a word: "disk"
void rp_doctor_tell(rp_doctor_t *self, rp_doctor_level_t level, const char *about,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/// Limits, clock, memory and, if a folder was named, disk of this machine.
void rp_doctor_check_machine(rp_doctor_t *self);

#endif
