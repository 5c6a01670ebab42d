/// @file
/// Memory that a connection is to blame for beyond the bytes that it sent: a part of no bytes takes
/// two on the line and 64 in ZeroMQ, and a local socket does not say what it brought. So while a
/// message is without end, what the process grows by in memory that ZeroMQ's thread met first is
/// put down to those who send without end, each by its part of what came.
///
/// Needs /proc; without it nobody is blamed.
#ifndef REPLAN_DAEMON_PROCESS_MEMORY_BLAME_H
#define REPLAN_DAEMON_PROCESS_MEMORY_BLAME_H

#include <stdbool.h>
#include <stdint.h>

/// Who is to blame for more than this is cut off.
#define RP_MEMORY_BLAME_MOST ((uint64_t)32 << 20)

typedef struct rp_memory_blame {
    int resident;     ///< file that says what the process holds; -1: none
    int faults;       ///< file that says what ZeroMQ's thread met
    uint64_t held;    ///< bytes, when last read
    uint64_t met;     ///< bytes, when last read
    uint64_t read_us; ///< when that was; 0: never
    uint64_t page_bytes;
    bool has_huge_pages; ///< a page that is met says nothing of how much came with it
} rp_memory_blame_t;

/// The files are opened when they are needed first, as ZeroMQ's thread has its name by then.
void rp_memory_blame_init(rp_memory_blame_t *self);
void rp_memory_blame_fini(rp_memory_blame_t *self);

/// False: nobody can be blamed, or nobody was yet.
bool rp_memory_blame_is_possible(const rp_memory_blame_t *self);

/// Bytes by which ZeroMQ's thread made the process grow since the last call; 0 for the first within
/// RP_MEMORY_BLAME_PAUSE_US.
uint64_t rp_memory_blame_growth(rp_memory_blame_t *self, uint64_t now_us);

#define RP_MEMORY_BLAME_PAUSE_US 200000u

#endif
