/// @file
/// Runs our competition entry through a dynamic world as the competition's runner does: rewrites
/// the active map, reports the changes, times each query.
#ifndef REPLAN_GPPC_DRIVE_H
#define REPLAN_GPPC_DRIVE_H

#include "replan/types.h"

/// Calls of one kind, in CPU time of the thread.
typedef struct rp_drive_calls {
    uint64_t count;
    uint64_t total_ns;
    uint64_t greatest_ns;
} rp_drive_calls_t;

typedef struct rp_drive_report {
    uint64_t init_ns;
    rp_drive_calls_t changes;
    rp_drive_calls_t found;   ///< queries with a path
    rp_drive_calls_t no_path; ///< and without
    uint64_t plan_count;
    uint64_t differ; ///< checked queries that are not as recorded
} rp_drive_report_t;

/// @param path      of a dynamic .scen (version 2); its .patch lies beside it
/// @param is_check  walk every path cell by cell and compare every length with the recorded one;
///                  what differs is said on stdout
/// @param report    written
/// @return RP_E_INVALID or RP_E_MEMORY, said on stderr
rp_status_t rp_drive(const char *path, bool is_check, rp_drive_report_t *report);

#endif
