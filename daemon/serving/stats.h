/// @file
/// What the daemon counts. One list: the struct, the names on the wire and `replan ctl stats` all
/// come from it.
#ifndef REPLAN_DAEMON_SERVING_STATS_H
#define REPLAN_DAEMON_SERVING_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What follows from the sockets and the log, not from messages: the reactor tells it, and the
/// recording keeps it.
#define RP_STATS_OUTSIDE(X)                                                                        \
    X(subscriptions, "paths.subscriptions")                                                        \
    X(paths_dropped, "paths.dropped")                                                              \
    X(connections, "connections.open")                                                             \
    X(connections_refused, "connections.refused")                                                  \
    X(connections_cut, "connections.cut")                                                          \
    X(log_lost, "log.lost")

/// X(member, "name on the wire")
#define RP_STATS(X)                                                                                \
    X(changes_applied, "changes.applied")                                                          \
    X(changes_refused, "changes.refused")                                                          \
    X(changes_repeated, "changes.repeated")                                                        \
    X(changes_late, "changes.late")                                                                \
    X(changes_gaps, "changes.gaps")                                                                \
    X(changes_paced, "changes.paced")                                                              \
    X(cells_written, "changes.cells")                                                              \
    X(cells_dropped, "changes.cells_dropped")                                                      \
    X(poses_taken, "poses.taken")                                                                  \
    X(poses_refused, "poses.refused")                                                              \
    X(requests_taken, "requests.taken")                                                            \
    X(requests_refused, "requests.refused")                                                        \
    X(requests_repeated, "requests.repeated")                                                      \
    X(requests_timed_out, "requests.timed_out")                                                    \
    X(requests_gave_way, "requests.gave_way")                                                      \
    X(frames_malformed, "frames.malformed")                                                        \
    X(replies_dropped, "replies.dropped")                                                          \
    X(unsent_bytes, "control.unsent_bytes")                                                        \
    X(line_bytes, "line.bytes")                                                                    \
    X(answers_said, "answers.said")                                                                \
    X(answers_too_large, "answers.too_large")                                                      \
    X(expansions, "planner.expansions")                                                            \
    X(checked, "planner.checked")                                                                  \
    X(differed, "planner.differed")                                                                \
    X(watch_messages, "watches.messages")                                                          \
    X(watch_bytes, "watches.bytes")                                                                \
    X(splices, "watches.splices")                                                                  \
    X(steps_spared, "watches.steps_spared")                                                        \
    X(watches_lost, "watches.lost")                                                                \
    X(watches_gave_way, "watches.gave_way")                                                        \
    X(journal_records, "journal.records")                                                          \
    X(journal_syncs, "journal.syncs")                                                              \
    X(journal_bases, "journal.bases")                                                              \
    X(journal_restored, "journal.restored")                                                        \
    X(worlds, "worlds.open")                                                                       \
    X(agents, "agents.open")                                                                       \
    X(agents_expired, "agents.expired")                                                            \
    X(watches, "watches.open")                                                                     \
    X(latency_p50_us, "answers.p50_us")                                                            \
    X(latency_p90_us, "answers.p90_us")                                                            \
    X(latency_p99_us, "answers.p99_us")                                                            \
    X(latency_max_us, "answers.max_us")                                                            \
    X(uptime_ms, "process.uptime_ms")                                                              \
    X(clock_us, "process.clock_us")                                                                \
    X(resident_bytes, "process.resident_bytes")                                                    \
    X(memory_limit_bytes, "process.memory_limit_bytes")                                            \
    RP_STATS_OUTSIDE(X)

#define MEMBER(member, name) uint64_t member;
typedef struct rp_stats {
    RP_STATS(MEMBER)
} rp_stats_t;

typedef struct rp_stats_outside {
    RP_STATS_OUTSIDE(MEMBER)
} rp_stats_outside_t;
#undef MEMBER

#define COUNT(member, name) +1
enum {
    RP_STATS_COUNT = 0 RP_STATS(COUNT)
};
#undef COUNT

/// @return true when one of them is another than it was
bool rp_stats_set_outside(rp_stats_t *self, const rp_stats_outside_t *outside);

/// @return NULL beyond the last
const char *rp_stats_name(size_t index);
uint64_t rp_stats_value(const rp_stats_t *self, size_t index);

#endif
